// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "pose/pose_state.h"

#include "base/base_memory.h"
#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <string.h>

static bp_pose *lay_out(bpi_layout *layout, const bp_skeleton *skeleton) {
    bp_pose measured;
    bp_pose *block = bpi_layout_take(layout, 1, sizeof *block);
    bp_pose *pose = block ? block : &measured;
    *pose = (bp_pose){
        .skeleton = skeleton,
        .locals = bpi_layout_take(layout, skeleton->node_count, sizeof(bp_transform)),
        .weights = bpi_layout_take(layout, skeleton->weight_count, sizeof(float)),
        .globals = bpi_layout_take(layout, skeleton->node_count, sizeof(bp_mat34)),
        .replaced = bpi_layout_take(layout, skeleton->matrix_count, 1),
        .marks = bpi_layout_take(layout, skeleton->node_count, 1),
    };
    return block;
}

bp_pose *bp_pose_create(const bp_skeleton *skeleton, const bp_allocator *allocator) {
    assert(skeleton);
    bpi_layout layout = {0};
    lay_out(&layout, skeleton);
    bpi_memory memory = bpi_memory_make(allocator, 0);
    void *block = layout.overflow ? NULL : bpi_block_create(&memory, layout.size);
    if (!block) return NULL;
    layout = (bpi_layout){.base = block};
    bp_pose *pose = lay_out(&layout, skeleton);
    bp_pose_reset(pose);
    bp_pose_update(pose);
    return pose;
}

void bp_pose_destroy(bp_pose *pose) {
    bpi_block_destroy(pose);
}

const bp_skeleton *bp_pose_skeleton(const bp_pose *pose) {
    return pose->skeleton;
}

const bp_transform *bp_pose_locals(const bp_pose *pose) {
    return pose->locals;
}

const float *bp_pose_weights(const bp_pose *pose) {
    return pose->weights;
}

const bp_mat34 *bp_pose_globals(const bp_pose *pose) {
    return pose->globals;
}

/* memcpy that allows NULL for nothing. */
static void copy(void *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
}

void bp_pose_reset(bp_pose *pose) {
    const bp_skeleton *skeleton = pose->skeleton;
    copy(pose->locals, skeleton->rest, skeleton->node_count * sizeof *pose->locals);
    copy(pose->weights, skeleton->rest_weights, skeleton->weight_count * sizeof *pose->weights);
    if (skeleton->matrix_count > 0) memset(pose->replaced, 0, skeleton->matrix_count);
}

/* Locals, weights, and which matrices gave way to them: all that a clip sets. */
static void copy_locals(bp_pose *pose, const bp_pose *source) {
    const bp_skeleton *skeleton = pose->skeleton;
    copy(pose->locals, source->locals, skeleton->node_count * sizeof *pose->locals);
    copy(pose->weights, source->weights, skeleton->weight_count * sizeof *pose->weights);
    copy(pose->replaced, source->replaced, skeleton->matrix_count);
}

void bp_pose_copy(bp_pose *pose, const bp_pose *source) {
    assert(pose->skeleton == source->skeleton);
    if (pose == source) return;
    copy_locals(pose, source);
    copy(pose->globals, source->globals, pose->skeleton->node_count * sizeof *pose->globals);
}

void bpi_pose_replace_matrix(bp_pose *pose, uint32_t node) {
    if (pose->skeleton->matrix_count == 0) return;
    int32_t index = bpi_skeleton_matrix_index(pose->skeleton, node);
    if (index >= 0) pose->replaced[index] = 1;
}

void bp_pose_set_local(bp_pose *pose, uint32_t node, bp_transform transform) {
    assert(node < pose->skeleton->node_count);
    pose->locals[node] = transform;
    bpi_pose_replace_matrix(pose, node);
}

void bp_pose_set_locals(bp_pose *pose, uint32_t first, uint32_t count,
                        const bp_transform *transforms) {
    assert(first <= pose->skeleton->node_count && count <= pose->skeleton->node_count - first);
    for (uint32_t i = 0; i < count; ++i)
        bp_pose_set_local(pose, first + i, transforms[i]);
}

void bp_pose_set_weights(bp_pose *pose, uint32_t node, uint32_t count, const float *weights) {
    assert(node < pose->skeleton->node_count);
    uint32_t first = pose->skeleton->weight_first[node];
    assert(count <= pose->skeleton->weight_first[node + 1] - first);
    copy(pose->weights + first, weights, count * sizeof *weights);
}

static float mix(float a, float b, float t) {
    return a * (1.0f - t) + b * t;
}

static bp_vec3 mix_vec3(bp_vec3 a, bp_vec3 b, float t) {
    return (bp_vec3){mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t)};
}

void bp_pose_blend(bp_pose *pose, const bp_pose *other, float weight) {
    const bp_skeleton *skeleton = pose->skeleton;
    assert(skeleton == other->skeleton && weight >= 0.0f && weight <= 1.0f);
    /* The ends are one pose or the other exactly, so that a cross-fade does not pop. */
    if (weight == 0.0f || pose == other) return;
    if (weight == 1.0f) {
        copy_locals(pose, other);
        return;
    }
    for (uint32_t node = 0; node < skeleton->node_count; ++node) {
        bp_transform *a = &pose->locals[node];
        const bp_transform *b = &other->locals[node];
        a->translation = mix_vec3(a->translation, b->translation, weight);
        a->rotation = bp_quat_normalize(bp_quat_slerp(a->rotation, b->rotation, weight));
        a->scale = mix_vec3(a->scale, b->scale, weight);
    }
    for (uint32_t i = 0; i < skeleton->weight_count; ++i)
        pose->weights[i] = mix(pose->weights[i], other->weights[i], weight);
    for (uint32_t i = 0; i < skeleton->matrix_count; ++i)
        pose->replaced[i] |= other->replaced[i];
}
