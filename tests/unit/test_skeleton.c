// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* skeleton: rigs in code, faults with their place, labels, bind shape, bind and rest pose. */
#include "skeleton/skeleton_layout.h"
#include "test_allocator.h"
#include "test_near.h"

#include <string.h>

static const float IDENTITY[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const float SCALED_AND_MOVED[16] = {0.25f, 0, 0,     0, 0,  0.25f, 0, 0,
                                           0,     0, 0.25f, 0, -2, 0,     0, 1};
static const float TWO_MATRICES[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};

static bp_transform at(float x, float y, float z) {
    return (bp_transform){{x, y, z}, {0, 0, 0, 1}, {1, 1, 1}};
}

static bp_skeleton *build(const bp_skeleton_desc *desc) {
    bp_skeleton *skeleton;
    bp_error error;
    if (bp_skeleton_build(&skeleton, desc, &error) != BP_OK) fail_msg("%s", error.message);
    return skeleton;
}

static void test_build_and_find(void **state) {
    (void)state;
    const int32_t parents[] = {-1, 0, 1, 1};
    const char *const labels[] = {"base", "tip", NULL, "tip"};
    const uint32_t weight_counts[] = {0, 2, 0, 1};
    const float weights[] = {0.5f, 0.25f, 1.0f};
    bp_skeleton *s = build(&(bp_skeleton_desc){.node_count = 4,
                                               .parents = parents,
                                               .labels = labels,
                                               .weight_counts = weight_counts,
                                               .rest_weights = weights});
    uint32_t count;
    assert_int_equal(s->node_count, 4);
    assert_memory_equal(s->parents, parents, sizeof parents);
    assert_int_equal(bp_skeleton_find(s, "tip", &count), 1);
    assert_int_equal(count, 2);
    assert_int_equal(bp_skeleton_find(s, "TIP", &count), -1);
    assert_int_equal(count, 0);
    assert_int_equal(bp_skeleton_find(s, "", NULL), -1);
    assert_int_equal(bp_skeleton_find(s, NULL, NULL), -1);
    assert_string_equal(s->labels[2], "");
    assert_int_equal(s->rest[3].rotation.w, 1);
    assert_int_equal(s->node_from_file[3], 3);
    const uint32_t first[] = {0, 0, 2, 2, 3};
    assert_memory_equal(s->weight_first, first, sizeof first);
    assert_memory_equal(s->rest_weights, weights, sizeof weights);

    const uint32_t joints[] = {3, 1, 2};
    bp_skin *skin;
    assert_int_equal(
        bp_skin_build(&skin, s, &(bp_skin_desc){.joint_count = 3, .joints = joints}, NULL), BP_OK);
    assert_int_equal(bp_skin_find(skin, s, "tip", &count), 0);
    assert_int_equal(count, 2);
    assert_int_equal(bp_skin_find(skin, s, "base", &count), -1);
    assert_false(skin->has_inverse_bind_matrices);
    test_near_mat34(&skin->joint_from_mesh[2], (float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 0);
    bp_skin_destroy(skin);
    bp_skeleton_destroy(s);
    bp_skeleton_destroy(NULL);
    bp_skin_destroy(NULL);
}

static void test_empty_skeleton(void **state) {
    (void)state;
    bp_skeleton *s = build(&(bp_skeleton_desc){0});
    assert_int_equal(s->node_count, 0);
    assert_int_equal(bp_skeleton_find(s, "x", NULL), -1);
    bp_skeleton_destroy(s);
}

static void test_skeleton_faults_have_a_place(void **state) {
    (void)state;
    const int32_t late[] = {-1, 2, 0}, self[] = {0}, below[] = {-1, -2};
    const int32_t good[] = {-1, 0};
    const bp_transform nan_rest[] = {at(0, 0, 0), at(0, NAN, 0)};
    const struct {
        bp_skeleton_desc desc;
        const char *place;
    } cases[] = {
        {{.node_count = 3, .parents = late}, "/parents/1"},
        {{.node_count = 1, .parents = self}, "/parents/0"},
        {{.node_count = 2, .parents = below}, "/parents/1"},
        {{.node_count = 2}, "/parents"},
        {{.node_count = 2, .parents = good, .rest = nan_rest}, "/rest/1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bp_skeleton *s = (bp_skeleton *)&s;
        bp_error error;
        assert_int_equal(bp_skeleton_build(&s, &cases[i].desc, &error), BP_ERROR_ARGUMENT);
        assert_null(s);
        assert_string_equal(error.pointer, cases[i].place);
        assert_true(strlen(error.message) > 10);
    }
}

static void test_skin_faults_have_a_place(void **state) {
    (void)state;
    const int32_t parents[] = {-1, 0};
    const uint32_t joints[] = {0, 1}, wrong[] = {0, 2};
    float transposed[32], sheared[16], flat[16], not_finite[16];
    memcpy(transposed, TWO_MATRICES, sizeof transposed);
    transposed[16 + 7] = -1, transposed[16 + 13] = 0; /* row-major */
    memcpy(sheared, IDENTITY, sizeof sheared);
    sheared[4] = 0.5f;
    memcpy(flat, IDENTITY, sizeof flat);
    flat[5] = 0;
    memcpy(not_finite, IDENTITY, sizeof not_finite);
    not_finite[12] = INFINITY;
    float huge[32], huge_shape[16]; /* each finite, their product is not */
    memcpy(huge, TWO_MATRICES, sizeof huge);
    huge[16] = 1e30f;
    memcpy(huge_shape, IDENTITY, sizeof huge_shape);
    huge_shape[0] = huge_shape[5] = huge_shape[10] = 1e30f;
    bp_skeleton *s = build(&(bp_skeleton_desc){.node_count = 2, .parents = parents});
    const struct {
        bp_skin_desc desc;
        const char *place;
    } cases[] = {
        {{.joint_count = 0}, "/joints"},
        {{.joint_count = 2, .joints = wrong}, "/joints/1"},
        {{.joint_count = 2, .joints = joints, .inverse_bind_matrices = transposed},
         "/inverse_bind_matrices/1"},
        {{.joint_count = 2,
          .joints = joints,
          .inverse_bind_matrices = huge,
          .bind_shape_matrix = huge_shape},
         "/inverse_bind_matrices/1"},
        {{.joint_count = 2, .joints = joints, .bind_shape_matrix = sheared}, "/bind_shape_matrix"},
        {{.joint_count = 2, .joints = joints, .bind_shape_matrix = flat}, "/bind_shape_matrix"},
        {{.joint_count = 2, .joints = joints, .bind_shape_matrix = not_finite},
         "/bind_shape_matrix"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bp_skin *skin;
        bp_error error;
        assert_int_equal(bp_skin_build(&skin, s, &cases[i].desc, &error), BP_ERROR_ARGUMENT);
        assert_null(skin);
        assert_string_equal(error.pointer, cases[i].place);
    }
    bp_skeleton_destroy(s);
}

/* A bind shape given in code is part of joint_from_mesh; the bind pose does not depend on it. */
static void test_bind_shape_in_code(void **state) {
    (void)state;
    const int32_t parents[] = {-1, 0};
    const uint32_t joints[] = {0, 1};
    const bp_transform rest[] = {at(0, 0, 0), at(0, 1, 0)};
    bp_skeleton *s = build(&(bp_skeleton_desc){.node_count = 2, .parents = parents, .rest = rest});
    bp_skin *skin;
    assert_int_equal(bp_skin_build(&skin, s,
                                   &(bp_skin_desc){.joint_count = 2,
                                                   .joints = joints,
                                                   .inverse_bind_matrices = TWO_MATRICES,
                                                   .bind_shape_matrix = SCALED_AND_MOVED},
                                   NULL),
                     BP_OK);
    assert_int_equal(skin->bind_shape_source, BP_BIND_SHAPE_GIVEN);
    test_near_mat34(&skin->joint_from_mesh[1],
                    (float[]){0.25f, 0, 0, -2, 0, 0.25f, 0, -1, 0, 0, 0.25f, 0}, 0);
    bp_mat34 bind;
    assert_true(bp_skin_bind_transform(&bind, skin, 1));
    test_near_mat34(&bind, (float[]){1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0}, 1e-6);
    bp_skin_destroy(skin);
    bp_skeleton_destroy(s);
}

/* As a file has it: inverse bind matrices already times the bind shape. */
static void test_bind_shape_is_found_when_joints_agree(void **state) {
    (void)state;
    bp_mat34 globals[2] = {bp_mat34_identity(), bp_mat34_identity()};
    bp_mat34 matrices[2] = {bp_mat34_from_mat44(SCALED_AND_MOVED),
                            bp_mat34_from_mat44(SCALED_AND_MOVED)};
    const uint32_t joints[] = {0, 1};
    globals[1].m[1][3] = 1;
    matrices[1].m[1][3] = -1;
    bp_skin skin = {.name = "", .joint_count = 2, .joints = joints, .joint_from_mesh = matrices};
    bpi_skin_find_bind_shape(&skin, globals);
    assert_int_equal(skin.bind_shape_source, BP_BIND_SHAPE_REST);
    test_near_mat34(&skin.bind_shape, (float[]){0.25f, 0, 0, -2, 0, 0.25f, 0, 0, 0, 0, 0.25f, 0},
                    1e-6);
    globals[1].m[0][3] = 0.5f; /* the rest pose moves away from the bind pose */
    bpi_skin_find_bind_shape(&skin, globals);
    assert_int_equal(skin.bind_shape_source, BP_BIND_SHAPE_UNKNOWN);
    test_near_mat34(&skin.bind_shape, (float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 0);
}

/* Case V05: the rest pose turns the tip by 90 degrees about z, the bind pose does not. */
static void test_distance_between_rest_and_bind(void **state) {
    (void)state;
    const uint32_t joints[] = {0, 1, 2};
    const bp_mat34 globals[3] = {
        bp_mat34_identity(),
        {{{0, -1, 0, 0}, {1, 0, 0, 1}, {0, 0, 1, 0}}},
        {{{2, 0, 0, 3}, {0, 1, 0, 4}, {0, 0, 1, 0}}},
    };
    const bp_mat34 matrices[3] = {bp_mat34_identity(), bp_mat34_from_mat44(TWO_MATRICES + 16),
                                  bp_mat34_identity()};
    const bp_skin skin = {.name = "",
                          .joint_count = 3,
                          .joints = joints,
                          .joint_from_mesh = matrices,
                          .bind_shape = bp_mat34_identity()};
    bp_bind_distance d[3];
    bp_skin_bind_distances(d, &skin, globals);
    assert_true(d[0].known && d[1].known && d[2].known);
    test_near(d[0].translation, 0, 0);
    test_near(d[0].rotation, 0, 1e-6);
    test_near(d[1].translation, 0, 1e-6);
    test_near(d[1].rotation, 1.57079633, 1e-5);
    test_near(d[2].translation, 5, 1e-6);
    test_near(d[2].scale, 2, 1e-6);

    const bp_mat34 zero = {0};
    bp_skin broken = skin;
    broken.joint_count = 1;
    broken.joint_from_mesh = &zero;
    bp_skin_bind_distances(d, &broken, globals);
    assert_false(d[0].known);
}

static void test_build_survives_failing_allocations(void **state) {
    (void)state;
    const int32_t parents[] = {-1};
    test_allocator counter = {.fail_at = 1};
    bp_skeleton *s;
    bp_error error;
    const bp_skeleton_desc desc = {
        .node_count = 1, .parents = parents, .allocator = test_allocator_make(&counter)};
    assert_int_equal(bp_skeleton_build(&s, &desc, &error), BP_ERROR_OUT_OF_MEMORY);
    assert_null(s);
    counter.fail_at = 0;
    assert_int_equal(bp_skeleton_build(&s, &desc, &error), BP_OK);
    assert_int_equal(counter.live, 1); /* one block */
    bp_skeleton_destroy(s);
    assert_int_equal(counter.live, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_and_find),
        cmocka_unit_test(test_empty_skeleton),
        cmocka_unit_test(test_skeleton_faults_have_a_place),
        cmocka_unit_test(test_skin_faults_have_a_place),
        cmocka_unit_test(test_bind_shape_in_code),
        cmocka_unit_test(test_bind_shape_is_found_when_joints_agree),
        cmocka_unit_test(test_distance_between_rest_and_bind),
        cmocka_unit_test(test_build_survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("skeleton", tests, NULL, NULL);
}
