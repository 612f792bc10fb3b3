// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A model built in code that uses what our assets do not: deep skeletons, every interpolation, even
 * and uneven key times, 1 to 9 influences, uneven scale, tangents, morph targets on every stream.
 * Its numbers are made of integers by + - * / alone, so they are the same on every machine.
 */
#ifndef BINDPOSE_TEST_BUSY_H
#define BINDPOSE_TEST_BUSY_H

#include "test_random.h"
#include "bindpose/bindpose.h"

enum {
    TEST_BUSY_NODES = 150,
    TEST_BUSY_KEYS = 9,
    TEST_BUSY_VERTICES = 203,
    TEST_BUSY_TARGETS = 2,
    TEST_BUSY_MESHES = 9 /* mesh i has i + 1 influences */
};

typedef struct test_busy {
    bp_skeleton *skeleton;
    bp_skin *skin; /* every node is a joint */
    bp_clip *clip;
    bp_primitive *meshes[TEST_BUSY_MESHES];
} test_busy;

static inline float test_busy_value(test_random *random, double size) {
    return (float)test_random_range(random, -size, size);
}

static inline void test_busy_values(test_random *random, float *values, size_t count, double size) {
    for (size_t i = 0; i < count; ++i)
        values[i] = test_busy_value(random, size);
}

static inline bp_quat test_busy_rotation(test_random *random) {
    float v[4];
    test_busy_values(random, v, 4, 1);
    return bp_quat_normalize((bp_quat){v[0], v[1], v[2], v[3]});
}

static inline bool test_busy_make_clip(test_busy *busy, test_random *random) {
    static float times[3][TEST_BUSY_KEYS], values[3 * TEST_BUSY_NODES][12 * TEST_BUSY_KEYS];
    bp_channel channels[3 * TEST_BUSY_NODES];
    uint32_t count = 0;
    for (int k = 0; k < TEST_BUSY_KEYS; ++k) {
        times[0][k] = (float)k / 8.0f;
        times[1][k] = (float)(k * k) / 64.0f;
        times[2][k] = k == 0 ? 0.0f : times[2][k - 1] + (float)test_random_range(random, 0, 0.12);
    }
    for (uint32_t node = 0; node < TEST_BUSY_NODES; ++node)
        for (uint32_t path = 0; path < 3; ++path) {
            uint32_t kind = test_random_below(random, 8);
            if (kind == 0) continue;
            float *v = values[count];
            test_busy_values(random, v, 12 * TEST_BUSY_KEYS, path == 2 ? 0.2 : 1);
            for (int k = 0; k < 3 * TEST_BUSY_KEYS && path == 1; ++k) {
                bp_quat q = test_busy_rotation(random);
                for (int i = 0; i < 4; ++i)
                    v[4 * k + i] = (&q.x)[i];
            }
            for (int i = 0; i < 9 * TEST_BUSY_KEYS && path == 2 && kind != 2; ++i)
                v[i] += 1.0f;
            channels[count++] = (bp_channel){.node = node,
                                             .path = (bp_path)path,
                                             .interpolation = kind < 3 ? (bp_interpolation)kind
                                                                       : BP_INTERPOLATION_LINEAR,
                                             .key_count = TEST_BUSY_KEYS,
                                             .times = times[test_random_below(random, 3)],
                                             .values = v};
        }
    bp_clip_desc desc = {.channel_count = count, .channels = channels};
    return bp_clip_build(&busy->clip, busy->skeleton, &desc, NULL) == BP_OK;
}

static inline bool test_busy_make_mesh(test_busy *busy, test_random *random, uint32_t influences) {
    static float positions[3 * TEST_BUSY_VERTICES], normals[3 * TEST_BUSY_VERTICES];
    static float tangents[4 * TEST_BUSY_VERTICES], weights[9 * TEST_BUSY_VERTICES];
    static float deltas[3 * TEST_BUSY_TARGETS][3 * TEST_BUSY_VERTICES];
    static uint16_t joints[9 * TEST_BUSY_VERTICES];
    test_busy_values(random, positions, 3 * TEST_BUSY_VERTICES, 1);
    test_busy_values(random, normals, 3 * TEST_BUSY_VERTICES, 1);
    test_busy_values(random, tangents, 4 * TEST_BUSY_VERTICES, 1);
    for (uint32_t i = 0; i < influences * TEST_BUSY_VERTICES; ++i) {
        joints[i] = (uint16_t)test_random_below(random, TEST_BUSY_NODES);
        weights[i] = (float)(test_random_below(random, 3) * test_random_range(random, 0, 1));
    }
    bp_morph_target targets[TEST_BUSY_TARGETS];
    for (int i = 0; i < TEST_BUSY_TARGETS; ++i) {
        for (int k = 0; k < 3; ++k)
            test_busy_values(random, deltas[3 * i + k], 3 * TEST_BUSY_VERTICES, 0.1);
        targets[i] = (bp_morph_target){.positions = deltas[3 * i],
                                       .normals = deltas[3 * i + 1],
                                       .tangents = deltas[3 * i + 2]};
    }
    bp_primitive_desc desc = {.vertex_count = TEST_BUSY_VERTICES,
                              .positions = positions,
                              .normals = normals,
                              .tangents = tangents,
                              .influence_count = influences,
                              .joints = joints,
                              .weights = weights,
                              .joint_count = TEST_BUSY_NODES,
                              .target_count = TEST_BUSY_TARGETS,
                              .targets = targets};
    return bp_primitive_build(&busy->meshes[influences - 1], &desc, NULL) == BP_OK;
}

static inline bool test_busy_make_skeleton(test_busy *busy, test_random *random) {
    int32_t parents[TEST_BUSY_NODES];
    bp_transform rest[TEST_BUSY_NODES];
    uint32_t joints[TEST_BUSY_NODES];
    static float inverse_bind[16 * TEST_BUSY_NODES];
    for (uint32_t i = 0; i < TEST_BUSY_NODES; ++i) {
        uint32_t back = 1 + test_random_below(random, 5);
        parents[i] = i < back ? (int32_t)i - 1 : (int32_t)(i - back);
        rest[i] = bp_transform_identity();
        rest[i].rotation = test_busy_rotation(random);
        test_busy_values(random, &rest[i].translation.x, 3, 0.5);
        joints[i] = i;
        bp_mat34 m = bp_mat34_from_transform(rest[i]);
        bp_mat34_to_mat44(inverse_bind + 16 * i, &m);
    }
    bp_skeleton_desc desc = {.node_count = TEST_BUSY_NODES, .parents = parents, .rest = rest};
    bp_skin_desc skin = {
        .joint_count = TEST_BUSY_NODES, .joints = joints, .inverse_bind_matrices = inverse_bind};
    return bp_skeleton_build(&busy->skeleton, &desc, NULL) == BP_OK &&
           bp_skin_build(&busy->skin, busy->skeleton, &skin, NULL) == BP_OK;
}

static inline bool test_busy_make(test_busy *busy) {
    test_random random = {20261130};
    *busy = (test_busy){0};
    if (!test_busy_make_skeleton(busy, &random) || !test_busy_make_clip(busy, &random))
        return false;
    for (uint32_t influences = 1; influences <= TEST_BUSY_MESHES; ++influences)
        if (!test_busy_make_mesh(busy, &random, influences)) return false;
    return true;
}

static inline void test_busy_destroy(test_busy *busy) {
    for (int i = 0; i < TEST_BUSY_MESHES; ++i)
        bp_primitive_destroy(busy->meshes[i]);
    bp_clip_destroy(busy->clip);
    bp_skin_destroy(busy->skin);
    bp_skeleton_destroy(busy->skeleton);
}

#endif
