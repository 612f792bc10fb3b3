// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* pose: locals, globals of all or some nodes, matrix nodes, relative globals, blending. */
#include "pose/pose_state.h"
#include "skeleton/skeleton_layout.h"
#include "test_allocator.h"
#include "test_near.h"

#include <stdlib.h>
#include <string.h>

static const bp_quat QUARTER_TURN_Z = {0, 0, 0.70710678f, 0.70710678f};

static bp_transform at(float x, float y, float z) {
    return (bp_transform){{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

/* 0 - 1 - 2, and 3 under 0, and 4 a root of its own. */
static bp_skeleton *small_tree(void) {
    static const int32_t parents[] = {-1, 0, 1, 0, -1};
    const bp_transform rest[] = {at(1, 0, 0), at(0, 2, 0), at(0, 0, 3), at(-1, 0, 0), at(7, 0, 0)};
    const uint32_t weight_counts[] = {0, 2, 0, 0, 1};
    const float weights[] = {0.25f, 0.5f, 1.0f};
    bp_skeleton *skeleton;
    const bp_skeleton_desc desc = {.node_count = 5,
                                   .parents = parents,
                                   .rest = rest,
                                   .weight_counts = weight_counts,
                                   .rest_weights = weights};
    assert_int_equal(bp_skeleton_build(&skeleton, &desc, NULL), BP_OK);
    return skeleton;
}

static bp_vec3 place(const bp_pose *pose, uint32_t node) {
    const bp_mat34 *m = &bp_pose_globals(pose)[node];
    return (bp_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static void test_starts_at_rest(void **state) {
    (void)state;
    bp_skeleton *skeleton = small_tree();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    assert_ptr_equal(bp_pose_skeleton(pose), skeleton);
    test_near_vec3(place(pose, 2), 1, 2, 3, 0);
    test_near_vec3(place(pose, 3), 0, 0, 0, 0);
    test_near_vec3(place(pose, 4), 7, 0, 0, 0);
    assert_memory_equal(bp_pose_weights(pose), skeleton->rest_weights, 3 * sizeof(float));
    bp_pose_destroy(pose);
    bp_pose_destroy(NULL);
    bp_skeleton_destroy(skeleton);
}

static void test_locals_and_weights(void **state) {
    (void)state;
    bp_skeleton *skeleton = small_tree();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_transform turned = at(0, 2, 0);
    turned.rotation = QUARTER_TURN_Z;
    bp_pose_set_local(pose, 1, turned);
    const bp_transform two[] = {at(1, 0, 0), at(0, 0, 9)};
    bp_pose_set_locals(pose, 2, 2, two);
    bp_pose_set_weights(pose, 1, 2, (const float[]){0.75f, 1.0f});
    assert_memory_equal(&bp_pose_locals(pose)[3], &two[1], sizeof two[1]);
    bp_pose_update(pose);
    test_near_vec3(place(pose, 2), 1, 3, 0, 1e-6); /* (1,2,0) + the turned (1,0,0) */
    test_near_vec3(place(pose, 3), 1, 0, 9, 1e-6);
    test_near(bp_pose_weights(pose)[1], 1.0, 0);
    test_near(bp_pose_weights(pose)[2], 1.0, 0);

    bp_pose *other = bp_pose_create(skeleton, NULL);
    bp_pose_copy(other, pose);
    test_near_vec3(place(other, 2), 1, 3, 0, 1e-6);
    bp_pose_reset(pose);
    bp_pose_update(pose);
    test_near_vec3(place(pose, 2), 1, 2, 3, 0);
    test_near(bp_pose_weights(pose)[0], 0.25, 0);
    bp_pose_destroy(pose);
    bp_pose_destroy(other);
    bp_skeleton_destroy(skeleton);
}

static void test_subtree_leaves_the_rest(void **state) {
    (void)state;
    bp_skeleton *skeleton = small_tree();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_pose_set_local(pose, 1, at(0, 5, 0));
    bp_pose_set_local(pose, 3, at(100, 0, 0));
    bp_pose_update_subtree(pose, 1);
    test_near_vec3(place(pose, 2), 1, 5, 3, 0);
    test_near_vec3(place(pose, 3), 0, 0, 0, 0); /* not below node 1: waits */
    bp_pose_update_subtree(pose, 0);
    test_near_vec3(place(pose, 3), 101, 0, 0, 0);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
}

/* A skeleton with a matrix node, which only files have: node 1 keeps a sheared matrix. */
static bp_skeleton *matrix_skeleton(void) {
    bpi_memory memory = bpi_memory_make(NULL, 0);
    bpi_layout layout = {0};
    bp_skeleton measured;
    bpi_layout_take(&layout, 1, sizeof measured);
    bpi_skeleton_layout(&layout, &measured, 2, 1, 0);
    layout = (bpi_layout){.base = bpi_block_create(&memory, layout.size)};
    assert_non_null(layout.base);
    bp_skeleton *skeleton = bpi_layout_take(&layout, 1, sizeof *skeleton);
    bpi_skeleton_arrays a = bpi_skeleton_layout(&layout, skeleton, 2, 1, 0);
    a.parents[0] = -1;
    a.parents[1] = 0;
    a.rest[0] = at(1, 0, 0);
    a.rest[1] = at(0, 4, 0);
    a.labels[0] = a.labels[1] = "";
    a.matrix_nodes[0] = 1;
    a.matrices[0] = (bp_mat34){{{1, 0.5f, 0, 0}, {0, 1, 0, 4}, {0, 0, 1, 0}}};
    bpi_skeleton_finish(a.update_order, a.parents, 2);
    return skeleton;
}

static void test_matrix_nodes_keep_their_matrix(void **state) {
    (void)state;
    bp_skeleton *skeleton = matrix_skeleton();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    const float sheared[12] = {1, 0.5f, 0, 1, 0, 1, 0, 4, 0, 0, 1, 0};
    test_near_mat34(&bp_pose_globals(pose)[1], sheared, 0);
    bp_pose_set_local(pose, 1, at(0, 2, 0)); /* from now on the transform counts */
    bp_pose_update_subtree(pose, 1);
    test_near_mat34(&bp_pose_globals(pose)[1], (float[]){1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 0}, 0);
    bp_pose_reset(pose);
    bp_pose_update(pose);
    test_near_mat34(&bp_pose_globals(pose)[1], sheared, 0);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
}

/* Case V38: a million metres out, relative globals lose nothing. */
static void test_relative_globals(void **state) {
    (void)state;
    const int32_t parents[] = {-1, 0, 1, -1};
    bp_transform rest[] = {at(1e6f, 0, 0), at(0, 1, 0), at(0, 0.001f, 0), at(1e6f, 0, 2)};
    rest[1].rotation = QUARTER_TURN_Z;
    bp_skeleton *skeleton;
    const bp_skeleton_desc desc = {.node_count = 4, .parents = parents, .rest = rest};
    assert_int_equal(bp_skeleton_build(&skeleton, &desc, NULL), BP_OK);
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_mat34 origin;
    assert_true(bp_pose_update_relative(pose, 0, &origin));
    test_near_mat34(&origin, (float[]){1, 0, 0, 1e6f, 0, 1, 0, 0, 0, 0, 1, 0}, 0);
    test_near_vec3(place(pose, 0), 0, 0, 0, 0);
    test_near_vec3(place(pose, 1), 0, 1, 0, 0);
    test_near_vec3(place(pose, 2), -0.001, 1, 0, 1e-9);
    test_near_vec3(place(pose, 3), 0, 0, 2, 0); /* another root, by way of the scene */
    assert_true(bp_pose_update_relative(pose, 1, &origin));
    test_near_mat34(&origin, (float[]){0, -1, 0, 1e6f, 1, 0, 0, 1, 0, 0, 1, 0}, 1e-6);
    test_near_vec3(place(pose, 0), -1, 0, 0, 1e-6); /* one down, seen from a quarter turn */
    test_near_vec3(place(pose, 2), 0, 0.001, 0, 1e-9);
    assert_true(bp_pose_update_relative(pose, 2, NULL));

    bp_transform flat = at(0, 1, 0);
    flat.scale.y = 0;
    bp_pose_update(pose);
    bp_pose_set_local(pose, 1, flat);
    assert_false(bp_pose_update_relative(pose, 2, NULL)); /* nothing to divide by */
    test_near_vec3(place(pose, 0), 1e6, 0, 0, 0);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
}

/* 5,000 nodes in a chain: no recursion anywhere. */
static void test_deep_chain(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    int32_t *parents = malloc(COUNT * sizeof *parents);
    bp_transform *rest = malloc(COUNT * sizeof *rest);
    for (int i = 0; i < COUNT; ++i)
        parents[i] = i - 1, rest[i] = at(0, 0, i ? 1 : 0);
    bp_skeleton *skeleton;
    const bp_skeleton_desc desc = {.node_count = COUNT, .parents = parents, .rest = rest};
    assert_int_equal(bp_skeleton_build(&skeleton, &desc, NULL), BP_OK);
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    test_near_vec3(place(pose, COUNT - 1), 0, 0, COUNT - 1, 0);
    assert_true(bp_pose_update_relative(pose, COUNT - 1, NULL));
    test_near_vec3(place(pose, 0), 0, 0, 1 - COUNT, 0);
    bp_pose_update(pose);
    bp_pose_set_local(pose, 1, at(0, 0, 2));
    bp_pose_update_subtree(pose, 1);
    test_near_vec3(place(pose, COUNT - 1), 0, 0, COUNT, 0);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
    free(parents);
    free(rest);
}

static void test_blend(void **state) {
    (void)state;
    bp_skeleton *skeleton = small_tree();
    bp_pose *pose = bp_pose_create(skeleton, NULL), *other = bp_pose_create(skeleton, NULL);
    bp_transform turned = at(0, 4, 0);
    turned.rotation = QUARTER_TURN_Z;
    turned.scale = (bp_vec3){3, 1, 1};
    bp_pose_set_local(other, 1, turned);
    bp_pose_set_weights(other, 4, 1, (const float[]){0});
    bp_pose_blend(pose, other, 0.5f);
    const bp_transform *local = &bp_pose_locals(pose)[1];
    test_near_vec3(local->translation, 0, 3, 0, 0);
    test_near_vec3(local->scale, 2, 1, 1, 0);
    test_near_quat(local->rotation, 0, 0, 0.382683432, 0.923879533, 1e-6); /* 45 degrees */
    test_near(bp_pose_weights(pose)[2], 0.5, 0);
    bp_pose_destroy(pose);
    bp_pose_destroy(other);
    bp_skeleton_destroy(skeleton);
}

/* The ends of a cross-fade are the two poses to the bit, matrices and odd quaternions included. */
static void test_blend_ends_are_exact(void **state) {
    (void)state;
    bp_skeleton *skeleton = matrix_skeleton();
    bp_pose *pose = bp_pose_create(skeleton, NULL), *other = bp_pose_create(skeleton, NULL);
    bp_transform odd = at(3, 2, 1);
    odd.rotation = (bp_quat){0, 0, 0, 0.95f};
    bp_pose_set_local(pose, 0, odd);
    bp_pose_blend(pose, other, 0);
    assert_memory_equal(&bp_pose_locals(pose)[0], &odd, sizeof odd);
    bp_pose_update(pose);
    test_near(bp_pose_globals(pose)[1].m[0][1], 0.5, 0); /* still sheared */

    bp_pose_set_local(pose, 1, at(0, 9, 0));
    bp_pose_blend(pose, other, 1); /* the other one keeps its matrix */
    bp_pose_update(pose);
    bp_pose_update(other);
    assert_memory_equal(bp_pose_globals(pose), bp_pose_globals(other), 2 * sizeof(bp_mat34));
    bp_pose_destroy(pose);
    bp_pose_destroy(other);
    bp_skeleton_destroy(skeleton);
}

static void test_one_allocation(void **state) {
    (void)state;
    bp_skeleton *skeleton = small_tree();
    test_allocator counter = {0};
    bp_allocator allocator = test_allocator_make(&counter);
    bp_pose *pose = bp_pose_create(skeleton, &allocator);
    assert_int_equal(counter.count, 1);
    bp_pose_set_local(pose, 1, at(1, 1, 1));
    bp_pose_update(pose);
    bp_pose_update_relative(pose, 2, NULL);
    assert_int_equal(counter.count, 1);
    bp_pose_destroy(pose);
    assert_int_equal(counter.live, 0);
    counter.fail_at = 2;
    assert_null(bp_pose_create(skeleton, &allocator));
    bp_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_at_rest),
        cmocka_unit_test(test_locals_and_weights),
        cmocka_unit_test(test_subtree_leaves_the_rest),
        cmocka_unit_test(test_matrix_nodes_keep_their_matrix),
        cmocka_unit_test(test_relative_globals),
        cmocka_unit_test(test_deep_chain),
        cmocka_unit_test(test_blend),
        cmocka_unit_test(test_blend_ends_are_exact),
        cmocka_unit_test(test_one_allocation),
    };
    return cmocka_run_group_tests_name("pose", tests, NULL, NULL);
}
