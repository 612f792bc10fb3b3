// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A primitive from arrays in code: check the description, lay out one block, copy, clean, measure.
 * The places in errors are JSON pointers into the description: "/targets/0/normals/5".
 */
#include "base/base_error.h"
#include "mesh/mesh_layout.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_SIZE = 64 };

static bp_result refuse(bp_error *error, const char *place, const char *why) {
    return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, place, "%s", why);
}

/* A stream is NULL, or finite throughout. */
static bp_result check_finite(bp_error *error, const char *place, const float *stream, size_t width,
                              size_t vertex_count) {
    for (size_t i = 0; i < width * vertex_count && stream; ++i) {
        if (isfinite(stream[i])) continue;
        char pointer[2 * PLACE_SIZE];
        snprintf(pointer, sizeof pointer, "%s/%zu", place, i);
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, pointer,
                        "%g of vertex %zu is not a finite number", (double)stream[i], i / width);
    }
    return BP_OK;
}

static bp_result check_counts(bp_error *error, const bp_primitive_desc *desc) {
    if (desc->vertex_count == 0) return refuse(error, "/vertex_count", "there are no vertices");
    uint64_t widest = desc->influence_count > 4 ? desc->influence_count : 4;
    if (desc->vertex_count > SIZE_MAX / sizeof(float) / widest)
        return refuse(error, "/vertex_count", "more vertices than this machine can address");
    if (!desc->positions) return refuse(error, "/positions", "positions are required");
    if ((unsigned)desc->topology > BP_TOPOLOGY_POINTS)
        return refuse(error, "/topology", "there is no such topology");
    if (!desc->joints != (desc->influence_count == 0))
        return refuse(error, "/joints", "needed when influence_count is not 0, and only then");
    if (!desc->weights != (desc->influence_count == 0))
        return refuse(error, "/weights", "needed when influence_count is not 0, and only then");
    if (desc->influence_count > 0 && desc->joint_count == 0)
        return refuse(error, "/joint_count", "influences need a skin of at least one joint");
    if (desc->joint_count > UINT16_MAX + 1u)
        return refuse(error, "/joint_count", "more joints than a uint16_t can name");
    if (!desc->indices != (desc->index_count == 0))
        return refuse(error, "/indices", "needed when index_count is not 0, and only then");
    if (!desc->targets && desc->target_count > 0)
        return refuse(error, "/targets", "needed when target_count is not 0");
    return BP_OK;
}

static bp_result check_indices(bp_error *error, const bp_primitive_desc *desc) {
    for (uint32_t i = 0; i < desc->index_count; ++i) {
        if (desc->indices[i] < desc->vertex_count) continue;
        char pointer[PLACE_SIZE];
        snprintf(pointer, sizeof pointer, "/indices/%lu", (unsigned long)i);
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, pointer,
                        "%lu is no vertex: there are %lu", (unsigned long)desc->indices[i],
                        (unsigned long)desc->vertex_count);
    }
    return BP_OK;
}

static bp_result check_targets(bp_error *error, const bp_primitive_desc *desc) {
    bp_result result = BP_OK;
    for (uint32_t i = 0; i < desc->target_count && result == BP_OK; ++i) {
        const bp_morph_target *target = &desc->targets[i];
        const float *streams[] = {target->positions, target->normals, target->tangents};
        const char *names[] = {"positions", "normals", "tangents"};
        for (int k = 0; k < 3 && result == BP_OK; ++k) {
            char place[PLACE_SIZE];
            snprintf(place, sizeof place, "/targets/%lu/%s", (unsigned long)i, names[k]);
            result = check_finite(error, place, streams[k], 3, desc->vertex_count);
        }
    }
    return result;
}

static bp_result check_desc(bp_error *error, const bp_primitive_desc *desc) {
    uint32_t vertices = desc->vertex_count;
    bp_result result = check_counts(error, desc);
    if (result == BP_OK) result = check_finite(error, "/positions", desc->positions, 3, vertices);
    if (result == BP_OK) result = check_finite(error, "/normals", desc->normals, 3, vertices);
    if (result == BP_OK) result = check_finite(error, "/tangents", desc->tangents, 4, vertices);
    if (result == BP_OK)
        result = check_finite(error, "/weights", desc->weights, desc->influence_count, vertices);
    if (result == BP_OK) result = check_indices(error, desc);
    if (result == BP_OK) result = check_targets(error, desc);
    return result;
}

static bpi_primitive_shape shape_of(const bp_primitive_desc *desc, bpi_target_shape *targets) {
    for (uint32_t i = 0; i < desc->target_count; ++i)
        targets[i] = (bpi_target_shape){.positions = desc->targets[i].positions != NULL,
                                        .normals = desc->targets[i].normals != NULL,
                                        .tangents = desc->targets[i].tangents != NULL};
    return (bpi_primitive_shape){
        .vertex_count = desc->vertex_count,
        .positions = true,
        .normals = desc->normals != NULL,
        .tangents = desc->tangents != NULL,
        .influence_count = desc->influence_count,
        .joint_count = desc->joint_count,
        .index_count = desc->index_count,
        .target_count = desc->target_count,
        .targets = targets,
    };
}

/* The primitive itself and its streams in one block; `primitive` receives the same. */
static bp_primitive *lay_out(bpi_layout *layout, const bpi_primitive_shape *shape) {
    bp_primitive measured;
    bp_primitive *primitive = bpi_layout_take(layout, 1, sizeof *primitive);
    bpi_primitive_layout(layout, primitive ? primitive : &measured, shape);
    return primitive;
}

static bp_primitive *create(bpi_memory *memory, const bpi_primitive_shape *shape) {
    bpi_layout measure = {0}, layout = {0};
    lay_out(&measure, shape);
    if (measure.overflow) return NULL;
    layout.base = bpi_block_create(memory, measure.size);
    if (!layout.base) return NULL;
    bp_primitive *primitive = lay_out(&layout, shape);
    assert(layout.size == measure.size);
    assert((void *)primitive == (void *)layout.base); /* bp_primitive_destroy relies on it */
    return primitive;
}

static void copy(void *to, const void *from, size_t width, size_t count) {
    if (to) memcpy(to, from, width * count);
}

static void fill(bp_primitive *primitive, const bp_primitive_desc *desc) {
    bpi_primitive_streams streams = bpi_primitive_streams_of(primitive);
    size_t vertices = desc->vertex_count, slots = vertices * desc->influence_count;
    copy(streams.positions, desc->positions, 3 * sizeof(float), vertices);
    copy(streams.normals, desc->normals, 3 * sizeof(float), vertices);
    copy(streams.tangents, desc->tangents, 4 * sizeof(float), vertices);
    copy(streams.joints, desc->joints, sizeof(uint16_t), slots);
    copy(streams.weights, desc->weights, sizeof(float), slots);
    copy(streams.indices, desc->indices, sizeof(uint32_t), desc->index_count);
    for (uint32_t i = 0; i < desc->target_count; ++i) {
        bpi_target_streams target = bpi_target_streams_of(primitive, i);
        copy(target.positions, desc->targets[i].positions, 3 * sizeof(float), vertices);
        copy(target.normals, desc->targets[i].normals, 3 * sizeof(float), vertices);
        copy(target.tangents, desc->targets[i].tangents, 3 * sizeof(float), vertices);
    }
    primitive->topology = desc->topology;
    if (desc->influence_count > 0)
        bp_influences_clean(streams.joints, streams.weights, desc->vertex_count,
                            desc->influence_count, desc->joint_count, desc->keep_raw_weights, NULL);
}

bp_result bp_primitive_build(bp_primitive **primitive, const bp_primitive_desc *desc,
                             bp_error *error) {
    assert(primitive && desc);
    *primitive = NULL;
    bp_result result = check_desc(error, desc);
    if (result != BP_OK) return result;

    bpi_memory memory = bpi_memory_make(&desc->allocator, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    bpi_target_shape *targets = bpi_arena_take(&arena, desc->target_count, sizeof *targets);
    if (targets) {
        bpi_primitive_shape shape = shape_of(desc, targets);
        *primitive = create(&memory, &shape);
    }
    bpi_arena_release(&arena);
    if (!*primitive)
        return bpi_fail(error, BP_ERROR_OUT_OF_MEMORY, NULL, BPI_NO_OFFSET, NULL,
                        "no memory for a primitive of %lu vertices",
                        (unsigned long)desc->vertex_count);
    fill(*primitive, desc);
    bpi_primitive_finish(*primitive);
    return BP_OK;
}

void bp_primitive_destroy(bp_primitive *primitive) {
    bpi_block_destroy(primitive);
}
