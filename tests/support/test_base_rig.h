// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The rig that most cases change one thing in: a strip of six vertices on two joints, root at the
 * origin and tip at (0, 1, 0) under it, and its palette with the tip turned by 90 degrees about z.
 */
#ifndef BINDPOSE_TEST_BASE_RIG_H
#define BINDPOSE_TEST_BASE_RIG_H

#include "bindpose/mesh.h"

static const float test_rig_positions[18] = {
    -0.5f, 0, 0, 0.5f, 0, 0, -0.5f, 1, 0, 0.5f, 1, 0, -0.5f, 2, 0, 0.5f, 2, 0,
};
static const float test_rig_normals[18] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const uint32_t test_rig_indices[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
static const uint16_t test_rig_joints[24] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
};
static const float test_rig_weights[24] = {
    1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
};

/* Where v0 to v5 are with the tip turned by 90 degrees. */
static const float test_rig_bent[18] = {
    -0.5f, 0, 0, 0.5f, 0, 0, -0.25f, 0.75f, 0, 0.25f, 1.25f, 0, -1, 0.5f, 0, -1, 1.5f, 0,
};

/* global_from_joint * joint_from_mesh of both joints in that pose, row by row. */
static const bp_mat34 test_rig_bent_palette[2] = {
    {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    {{{0, -1, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 0}}},
};

static inline bp_primitive_desc test_rig_desc(void) {
    bp_primitive_desc desc = {0};
    desc.vertex_count = 6;
    desc.positions = test_rig_positions;
    desc.normals = test_rig_normals;
    desc.influence_count = 4;
    desc.joints = test_rig_joints;
    desc.weights = test_rig_weights;
    desc.joint_count = 2;
    desc.index_count = 12;
    desc.indices = test_rig_indices;
    desc.topology = BP_TOPOLOGY_TRIANGLES;
    return desc;
}

#endif
