// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* palette: joint matrices in both layouts, offsets for crowds, bind shape, relative palettes. */
#include "test_near.h"
#include "bindpose/palette.h"

#include <string.h>

static const float TWO_MATRICES[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
static const float SCALED_AND_MOVED[16] = {0.25f, 0, 0,     0, 0,  0.25f, 0, 0,
                                           0,     0, 0.25f, 0, -2, 0,     0, 1};
static const float UNIT[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
static const float BENT_TIP[12] = {0, -1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0};

/* The rig of the cases: root at (far, 0, 0), tip at (0, 1, 0) under it. */
typedef struct rig {
    bp_skeleton *skeleton;
    bp_skin *skin;
    bp_pose *pose;
} rig;

static rig make_rig(float far, const float *bind_shape) {
    static const int32_t parents[] = {-1, 0};
    static const uint32_t joints[] = {0, 1};
    const bp_transform rest[] = {{{far, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                 {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    rig made;
    const bp_skeleton_desc skeleton = {.node_count = 2, .parents = parents, .rest = rest};
    assert_int_equal(bp_skeleton_build(&made.skeleton, &skeleton, NULL), BP_OK);
    const bp_skin_desc skin = {.joint_count = 2,
                               .joints = joints,
                               .inverse_bind_matrices = TWO_MATRICES,
                               .bind_shape_matrix = bind_shape};
    assert_int_equal(bp_skin_build(&made.skin, made.skeleton, &skin, NULL), BP_OK);
    made.pose = bp_pose_create(made.skeleton, NULL);
    assert_non_null(made.pose);
    return made;
}

static void bend(bp_pose *pose) {
    bp_pose_set_local(pose, 1,
                      (bp_transform){{0, 1, 0}, {0, 0, 0.70710678f, 0.70710678f}, {1, 1, 1}});
    bp_pose_update(pose);
}

static void destroy_rig(rig made) {
    bp_pose_destroy(made.pose);
    bp_skin_destroy(made.skin);
    bp_skeleton_destroy(made.skeleton);
}

static void test_rest_and_bent(void **state) {
    (void)state;
    rig r = make_rig(0, NULL);
    bp_mat34 palette[2];
    bp_palette_build(palette, r.skin, r.pose);
    test_near_mat34(&palette[0], UNIT, 0);
    test_near_mat34(&palette[1], UNIT, 0);
    bend(r.pose);
    bp_palette_build(palette, r.skin, r.pose);
    test_near_mat34(&palette[0], UNIT, 0);
    test_near_mat34(&palette[1], BENT_TIP, 1e-6);
    destroy_rig(r);
}

/* Case V13: two instances, one array; each has its own entries. And both layouts (case A05). */
static void test_offsets_and_layouts(void **state) {
    (void)state;
    rig a = make_rig(0, NULL);
    bp_pose *b = bp_pose_create(a.skeleton, NULL);
    bp_mat34 palette[5];
    float columns[4 * 16];
    memset(palette, 0x7F, sizeof palette);
    bp_mat34 untouched = palette[4];
    bend(b);
    bp_palette_run(&(bp_palette_job){
        .skin = a.skin, .pose = b, .matrices = palette, .matrices44 = columns, .offset = 2});
    bp_palette_run(&(bp_palette_job){
        .skin = a.skin, .pose = a.pose, .matrices = palette, .matrices44 = columns});
    test_near_mat34(&palette[0], UNIT, 0);
    test_near_mat34(&palette[1], UNIT, 0);
    test_near_mat34(&palette[2], UNIT, 0);
    test_near_mat34(&palette[3], BENT_TIP, 1e-6);
    assert_memory_equal(&palette[4], &untouched, sizeof untouched);
    static const float bent_columns[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1};
    for (int i = 0; i < 16; ++i)
        test_near(columns[48 + i], bent_columns[i], 1e-6);
    bp_pose_destroy(b);
    destroy_rig(a);
}

/* Case V04B; and drawn with the bind shape as its transform, the palette cancels it. */
static void test_bind_shape(void **state) {
    (void)state;
    rig r = make_rig(0, SCALED_AND_MOVED);
    bp_mat34 palette[2], mesh_from_global;
    const float shape[12] = {0.25f, 0, 0, -2, 0, 0.25f, 0, 0, 0, 0, 0.25f, 0};
    bp_palette_build(palette, r.skin, r.pose);
    test_near_mat34(&palette[0], shape, 0);
    test_near_mat34(&palette[1], shape, 0);
    assert_true(bp_mat34_inverse(&mesh_from_global, &r.skin->bind_shape));
    bp_palette_run(&(bp_palette_job){.skin = r.skin,
                                     .pose = r.pose,
                                     .matrices = palette,
                                     .mesh_from_global = &mesh_from_global});
    test_near_mat34(&palette[1], UNIT, 1e-6); /* at rest = bind the mesh stays as it is */
    bend(r.pose);
    bp_palette_build(palette, r.skin, r.pose);
    test_near_mat34(&palette[1], (float[]){0, -0.25f, 0, 1, 0.25f, 0, 0, -1, 0, 0, 0.25f, 0}, 1e-6);
    destroy_rig(r);
}

/* Case V38: relative to the root, nothing shivers a million metres out. */
static void test_relative_palette(void **state) {
    (void)state;
    rig r = make_rig(1000000, NULL);
    bp_mat34 palette[2], origin;
    assert_true(bp_pose_update_relative(r.pose, 0, &origin));
    bp_palette_build(palette, r.skin, r.pose);
    test_near_mat34(&palette[0], UNIT, 0);
    test_near_mat34(&palette[1], UNIT, 0);
    test_near(origin.m[0][3], 1000000, 0);
    bend(r.pose);
    assert_true(bp_pose_update_relative(r.pose, 1, NULL));
    bp_palette_build(palette, r.skin, r.pose);
    bp_vec3 v4 = bp_mat34_point(&palette[1], (bp_vec3){-0.05f, 2, 0});
    test_near_vec3(v4, -0.05, 1, 0, 1e-6);
    destroy_rig(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_and_bent),
        cmocka_unit_test(test_offsets_and_layouts),
        cmocka_unit_test(test_bind_shape),
        cmocka_unit_test(test_relative_palette),
    };
    return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
