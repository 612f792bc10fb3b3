// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Every primitive of every instance of a model, posed in world space, as a user would do it. */
#ifndef BINDPOSE_TEST_SCENE_H
#define BINDPOSE_TEST_SCENE_H

#include "bindpose/bindpose.h"

/* One primitive of one instance; NULL where the primitive has no such stream. */
typedef struct test_posed {
    uint32_t file_node, mesh, primitive, vertex_count;
    const bp_primitive *source;
    const bp_instance *instance;
    float *positions, *normals, *tangents; /* 3, 3 and 4 floats a vertex */
    bp_aabb bounds;                        /* bp_skinning_bounds */
    bp_aabb fast_bounds;                   /* bp_skinning_bounds_fast */
} test_posed;

typedef struct test_scene {
    test_posed *entries;
    uint32_t count;
} test_scene;

/* `pose` must be updated. Instances in the file's node order. */
test_scene test_scene_make(const bp_model *model, const bp_pose *pose);
void test_scene_destroy(test_scene *scene);

/* The entry of a file's node and primitive, or NULL. */
const test_posed *test_scene_find(const test_scene *scene, uint32_t file_node, uint32_t primitive);

#endif
