// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Global transforms from local ones. Parents come first, so every update is one loop forward.
 */
#include "pose/pose_state.h"
#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <string.h>

static bp_mat34 local_matrix(const bp_pose *pose, uint32_t node) {
    const bp_skeleton *skeleton = pose->skeleton;
    int32_t index = bpi_skeleton_matrix_index(skeleton, node);
    return bpi_skeleton_local(skeleton, pose->locals, pose->replaced, node, index);
}

void bp_pose_update(bp_pose *pose) {
    bpi_skeleton_globals(pose->globals, pose->skeleton, pose->locals, pose->replaced);
}

/* The node's global from its parent's, which is up to date. */
static void update_node(bp_pose *pose, uint32_t node) {
    int32_t parent = pose->skeleton->parents[node];
    bp_mat34 local = local_matrix(pose, node);
    pose->globals[node] = parent < 0 ? local : bp_mat34_mul(&pose->globals[parent], &local);
}

void bp_pose_update_subtree(bp_pose *pose, uint32_t node) {
    const bp_skeleton *skeleton = pose->skeleton;
    assert(node < skeleton->node_count);
    memset(pose->marks + node, 0, skeleton->node_count - node);
    pose->marks[node] = 1;
    update_node(pose, node);
    for (uint32_t child = node + 1; child < skeleton->node_count; ++child) {
        int32_t parent = skeleton->parents[child];
        if (parent < (int32_t)node || !pose->marks[parent]) continue;
        pose->marks[child] = 1;
        update_node(pose, child);
    }
}

static bool path_is_invertible(const bp_pose *pose, uint32_t node) {
    for (int32_t n = (int32_t)node; n >= 0; n = pose->skeleton->parents[n]) {
        bp_mat34 local = local_matrix(pose, (uint32_t)n), inverse;
        if (!bp_mat34_inverse(&inverse, &local)) return false;
    }
    return true;
}

/*
 * Upwards from `node`: node_from_parent = node_from_child * inverse(local of the child). Marks the
 * path; returns node_from_scene.
 */
static bp_mat34 invert_path(bp_pose *pose, uint32_t node, bp_mat34 *global_from_node) {
    bp_mat34 node_from_current = bp_mat34_identity();
    *global_from_node = bp_mat34_identity();
    for (int32_t n = (int32_t)node; n >= 0; n = pose->skeleton->parents[n]) {
        pose->globals[n] = node_from_current;
        pose->marks[n] = 1;
        bp_mat34 local = local_matrix(pose, (uint32_t)n), inverse;
        bp_mat34_inverse(&inverse, &local);
        node_from_current = bp_mat34_mul(&node_from_current, &inverse);
        *global_from_node = bp_mat34_mul(&local, global_from_node);
    }
    return node_from_current;
}

bool bp_pose_update_relative(bp_pose *pose, uint32_t node, bp_mat34 *global_from_node) {
    const bp_skeleton *skeleton = pose->skeleton;
    assert(node < skeleton->node_count);
    if (!path_is_invertible(pose, node)) return false;

    bp_mat34 place;
    memset(pose->marks, 0, skeleton->node_count);
    bp_mat34 node_from_scene = invert_path(pose, node, &place);
    for (uint32_t n = 0; n < skeleton->node_count; ++n) {
        if (pose->marks[n]) continue;
        int32_t parent = skeleton->parents[n];
        bp_mat34 local = local_matrix(pose, n);
        pose->globals[n] =
            bp_mat34_mul(parent < 0 ? &node_from_scene : &pose->globals[parent], &local);
    }
    if (global_from_node) *global_from_node = place;
    return true;
}
