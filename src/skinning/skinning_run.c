// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * From a job to the kernels: in one piece, or where a morph target has weight in blocks that are
 * morphed into memory on the stack. The vertices before the first whole group (BPI_SKIN_GROUP) of a
 * range go by themselves. Nothing is allocated, and no choice is made for a single vertex.
 */
#include "cpu/cpu_kernels.h"
#include "skinning/skinning_job.h"

#include <assert.h>
#include <string.h>

/* Vertices that are morphed together, into memory that stays in the first cache. */
enum { MORPH_BLOCK = 64 };

/* Morphed copies of a block's streams. */
typedef struct morphed {
    float positions[3 * MORPH_BLOCK];
    float normals[3 * MORPH_BLOCK];
    float tangents[4 * MORPH_BLOCK];
} morphed;

uint32_t bpi_skinning_target_count(const bp_skinning_job *job) {
    if (!job->morph_weights) return 0;
    uint32_t targets = job->primitive->target_count;
    return job->morph_weight_count < targets ? job->morph_weight_count : targets;
}

/* Adds every target with weight to the wanted streams of the block, which begins at `first`. */
static void morph_block(bpi_skin_block *block, morphed *space, const bp_skinning_job *job,
                        uint32_t first, const bpi_kernels *kernels) {
    uint32_t target_count = bpi_skinning_target_count(job);
    size_t offset = 3 * (size_t)first, floats = 3 * (size_t)block->count;
    for (uint32_t i = 0; i < target_count; ++i) {
        const bp_morph_target *target = &job->primitive->targets[i];
        float weight = job->morph_weights[i];
        if (weight == 0.0f) continue;
        if (block->out_positions && target->positions) {
            kernels->morph(space->positions, block->positions, target->positions + offset, weight,
                           floats);
            block->positions = space->positions;
        }
        if (block->out_normals && target->normals) {
            kernels->morph(space->normals, block->normals, target->normals + offset, weight,
                           floats);
            block->normals = space->normals;
        }
        if (block->out_tangents && target->tangents) {
            kernels->morph_tangents(space->tangents, block->tangents, target->tangents + offset,
                                    weight, block->count);
            block->tangents = space->tangents;
        }
    }
}

static size_t stride_or(size_t stride, size_t width) {
    assert(stride == 0 || stride >= width * sizeof(float));
    return stride ? stride : width * sizeof(float);
}

/* What is the same for all blocks: the streams of the whole primitive, and the outputs. */
static bpi_skin_block whole_job(const bp_skinning_job *job) {
    const bp_primitive *mesh = job->primitive;
    assert(mesh->positions || !job->positions);
    assert(mesh->normals || !job->normals);
    assert(mesh->tangents || !job->tangents);
    return (bpi_skin_block){
        .palette = job->palette,
        .influence_count = mesh->influence_count,
        .joints = mesh->joints,
        .weights = mesh->weights,
        .slots = mesh->slots_in_use,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .tangents = mesh->tangents,
        .out_positions = (unsigned char *)job->positions,
        .out_normals = (unsigned char *)job->normals,
        .out_tangents = (unsigned char *)job->tangents,
        .position_stride = stride_or(job->position_stride, 3),
        .normal_stride = stride_or(job->normal_stride, 3),
        .tangent_stride = stride_or(job->tangent_stride, 4),
        .stream = job->stream,
    };
}

_Static_assert(BPI_SKIN_GROUP == 8, "bp_primitive::slots_in_use counts by eights");

/* `count` vertices of the whole job, from vertex `vertex` of the mesh on. */
static bpi_skin_block part_of(const bpi_skin_block *whole, size_t vertex, size_t output_first,
                              uint32_t count) {
    bpi_skin_block part = *whole;
    size_t done = vertex - output_first;
    part.count = count;
    if (part.out_positions) {
        part.positions += 3 * vertex;
        part.out_positions += done * part.position_stride;
    }
    if (part.out_normals) {
        part.normals += 3 * vertex;
        part.out_normals += done * part.normal_stride;
    }
    if (part.out_tangents) {
        part.tangents += 4 * vertex;
        part.out_tangents += done * part.tangent_stride;
    }
    if (part.joints) {
        part.joints += vertex * part.influence_count;
        part.weights += vertex * part.influence_count;
        if (part.slots) part.slots += vertex / BPI_SKIN_GROUP;
    }
    return part;
}

static bool has_morphs(const bp_skinning_job *job) {
    uint32_t target_count = bpi_skinning_target_count(job);
    for (uint32_t i = 0; i < target_count; ++i)
        if (job->morph_weights[i] != 0.0f) return true;
    return false;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void bp_skinning_run_range(const bp_skinning_job *job, uint32_t first, uint32_t count) {
    assert(job && job->primitive && job->palette);
    assert(first <= job->primitive->vertex_count);
    assert(count <= job->primitive->vertex_count - first);
    assert(count == 0 || first >= job->output_first);
    if (count == 0) return; /* a primitive without vertices may have no streams either */
    const bpi_kernels *kernels = bpi_kernels_current();
    bpi_skin_block whole = whole_job(job);
    bool rigid = job->rigid || whole.influence_count == 0, morphs = has_morphs(job);
    while (count > 0) {
        morphed space;
        uint32_t into_group = first % BPI_SKIN_GROUP;
        uint32_t vertices = count;
        if (into_group > 0) vertices = least(vertices, BPI_SKIN_GROUP - into_group);
        if (morphs) vertices = least(vertices, MORPH_BLOCK);
        bpi_skin_block part = part_of(&whole, first, job->output_first, vertices);
        if (morphs) morph_block(&part, &space, job, first, kernels);
        if (rigid)
            kernels->move(&part);
        else
            kernels->skin(&part);
        first += vertices;
        count -= vertices;
    }
    if (job->stream) kernels->fence();
}

void bp_skinning_run(const bp_skinning_job *job) {
    assert(job && job->primitive && job->output_first <= job->primitive->vertex_count);
    bp_skinning_run_range(job, job->output_first, job->primitive->vertex_count - job->output_first);
}
