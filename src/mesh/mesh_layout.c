// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "mesh/mesh_layout.h"

#include "math/math_float.h"

#include <assert.h>

/* `width` floats for each vertex, or NULL when the stream does not exist. */
static float *take_stream(bpi_layout *layout, bool exists, uint32_t vertex_count, size_t width) {
    return bpi_layout_take_unset(layout, exists ? vertex_count : 0, width * sizeof(float));
}

static void layout_influences(bpi_layout *layout, bp_primitive *primitive,
                              const bpi_primitive_shape *shape) {
    size_t slots;
    if (shape->influence_count == 0) return;
    assert(shape->joint_count > 0);
    if (!bpi_size_muladd(&slots, shape->vertex_count, shape->influence_count, 0)) {
        layout->overflow = true;
        return;
    }
    primitive->influence_count = shape->influence_count;
    primitive->joint_count = shape->joint_count;
    primitive->joints = bpi_layout_take_unset(layout, slots, sizeof(uint16_t));
    primitive->weights = bpi_layout_take_unset(layout, slots, sizeof(float));
    primitive->joint_bounds = bpi_layout_take_unset(layout, shape->joint_count, sizeof(bp_aabb));
    if (shape->influence_count <= UINT8_MAX)
        primitive->slots_in_use =
            bpi_layout_take_unset(layout, ((size_t)shape->vertex_count + 7) / 8, sizeof(uint8_t));
}

static void layout_targets(bpi_layout *layout, bp_primitive *primitive,
                           const bpi_primitive_shape *shape) {
    uint32_t vertices = shape->vertex_count;
    bp_morph_target *targets = bpi_layout_take(layout, shape->target_count, sizeof *targets);
    primitive->target_count = shape->target_count;
    primitive->targets = targets;
    for (uint32_t i = 0; i < shape->target_count && shape->targets; ++i) {
        bp_morph_target target = {0};
        target.positions = take_stream(layout, shape->targets[i].positions, vertices, 3);
        target.normals = take_stream(layout, shape->targets[i].normals, vertices, 3);
        target.tangents = take_stream(layout, shape->targets[i].tangents, vertices, 3);
        if (targets) targets[i] = target;
    }
}

void bpi_primitive_layout(bpi_layout *layout, bp_primitive *primitive,
                          const bpi_primitive_shape *shape) {
    assert(layout && primitive && shape);
    uint32_t vertices = shape->vertex_count;
    *primitive = (bp_primitive){
        .vertex_count = vertices,
        .index_count = shape->index_count,
        .topology = BP_TOPOLOGY_TRIANGLES,
        .bounds = bp_aabb_empty(),
        .material = -1,
    };
    primitive->positions = take_stream(layout, shape->positions, vertices, 3);
    primitive->normals = take_stream(layout, shape->normals, vertices, 3);
    primitive->tangents = take_stream(layout, shape->tangents, vertices, 4);
    primitive->texcoords = take_stream(layout, shape->texcoords, vertices, 2);
    primitive->texcoords1 = take_stream(layout, shape->texcoords1, vertices, 2);
    primitive->colors = take_stream(layout, shape->colors, vertices, 4);
    layout_influences(layout, primitive, shape);
    primitive->indices = bpi_layout_take_unset(layout, shape->index_count, sizeof(uint32_t));
    layout_targets(layout, primitive, shape);
}

/* The streams lie in memory that the builder owns; this is the one place that takes const away. */
static void *writable(const void *stream) {
    return (void *)(uintptr_t)stream;
}

bpi_primitive_streams bpi_primitive_streams_of(const bp_primitive *primitive) {
    return (bpi_primitive_streams){
        .positions = writable(primitive->positions),
        .normals = writable(primitive->normals),
        .tangents = writable(primitive->tangents),
        .texcoords = writable(primitive->texcoords),
        .texcoords1 = writable(primitive->texcoords1),
        .colors = writable(primitive->colors),
        .joints = writable(primitive->joints),
        .weights = writable(primitive->weights),
        .joint_bounds = writable(primitive->joint_bounds),
        .slots_in_use = writable(primitive->slots_in_use),
        .indices = writable(primitive->indices),
        .targets = writable(primitive->targets),
    };
}

bpi_target_streams bpi_target_streams_of(const bp_primitive *primitive, uint32_t target) {
    assert(target < primitive->target_count);
    const bp_morph_target *source = &primitive->targets[target];
    return (bpi_target_streams){writable(source->positions), writable(source->normals),
                                writable(source->tangents)};
}

static bp_aabb bounds_of(bp_aabb box, const float *stream, uint32_t vertex_count) {
    for (uint32_t v = 0; v < vertex_count && stream; ++v)
        bpi_aabb_grow(&box, stream + 3 * (size_t)v);
    return box;
}

/* A joint's box is around the vertices that have any weight on it, negative weight too. */
static void finish_joint_bounds(const bp_primitive *primitive, bp_aabb *joint_bounds) {
    uint32_t slots = primitive->influence_count;
    for (uint32_t j = 0; j < primitive->joint_count; ++j)
        joint_bounds[j] = bp_aabb_empty();
    if (!primitive->positions) return;
    const uint16_t *joints = primitive->joints;
    const float *weights = primitive->weights, *position = primitive->positions;
    for (uint32_t v = 0; v < primitive->vertex_count; ++v, position += 3)
        for (uint32_t k = 0; k < slots; ++k, ++joints, ++weights) {
            assert(*joints < primitive->joint_count);
            if (*weights != 0.0f) bpi_aabb_grow(&joint_bounds[*joints], position);
        }
}

/* Slots up to the last with weight; 0 for one whose weight is 1. */
static uint8_t slots_of_vertex(const float *weights, uint32_t slots) {
    while (slots > 1 && weights[slots - 1] == 0.0f)
        --slots;
    return slots == 1 && weights[0] == 1.0f ? 0 : (uint8_t)slots;
}

/* The most among each eight vertices. */
static void finish_slots_in_use(const bp_primitive *primitive, uint8_t *slots_in_use) {
    uint32_t slots = primitive->influence_count;
    const float *weights = primitive->weights;
    for (uint32_t v = 0; v < primitive->vertex_count; ++v, weights += slots) {
        uint8_t used = slots_of_vertex(weights, slots), *most = &slots_in_use[v / 8];
        if (v % 8 == 0 || used > *most) *most = used;
    }
}

void bpi_primitive_finish(bp_primitive *primitive) {
    assert(primitive);
    bpi_primitive_streams streams = bpi_primitive_streams_of(primitive);
    uint32_t vertices = primitive->vertex_count;
    primitive->bounds = bounds_of(bp_aabb_empty(), primitive->positions, vertices);
    for (uint32_t i = 0; i < primitive->target_count; ++i) {
        bp_aabb zero = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
        streams.targets[i].bounds = bounds_of(zero, primitive->targets[i].positions, vertices);
    }
    if (streams.joint_bounds) finish_joint_bounds(primitive, streams.joint_bounds);
    if (streams.slots_in_use) finish_slots_in_use(primitive, streams.slots_in_use);
}
