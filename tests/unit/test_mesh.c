// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* mesh: building, cleaning influences, triangles of every topology, rays. */
#include "mesh/mesh_layout.h"
#include "test_allocator.h"
#include "test_base_rig.h"
#include "test_near.h"
#include "test_random.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_box(bp_aabb box, float x0, float y0, float z0, float x1, float y1, float z1) {
    const bp_aabb expected = {{x0, y0, z0}, {x1, y1, z1}};
    assert_memory_equal(&box, &expected, sizeof box);
}

static bp_primitive *build(const bp_primitive_desc *desc) {
    bp_primitive *primitive;
    bp_error error;
    if (bp_primitive_build(&primitive, desc, &error) != BP_OK) fail_msg("%s", error.message);
    return primitive;
}

/* ---- building ------------------------------------------------------------------------------- */

static void test_build_copies_and_measures(void **state) {
    (void)state;
    const float tangents[24] = {1, 0, 0, 1, 1, 0, 0, -1};
    const float up[18] = {[13] = 1, [16] = -0.5f, [6] = 0.25f};
    const bp_morph_target targets[2] = {{.positions = up}, {.normals = up, .tangents = up}};
    bp_primitive_desc desc = test_rig_desc();
    desc.tangents = tangents;
    desc.target_count = 2;
    desc.targets = targets;
    bp_primitive *p = build(&desc);
    assert_int_equal(p->vertex_count, 6);
    assert_ptr_not_equal(p->positions, test_rig_positions);
    assert_memory_equal(p->positions, test_rig_positions, sizeof test_rig_positions);
    assert_memory_equal(p->normals, test_rig_normals, sizeof test_rig_normals);
    assert_memory_equal(p->tangents, tangents, sizeof tangents);
    assert_memory_equal(p->joints, test_rig_joints, sizeof test_rig_joints);
    assert_memory_equal(p->weights, test_rig_weights, sizeof test_rig_weights);
    assert_memory_equal(p->indices, test_rig_indices, sizeof test_rig_indices);
    assert_null(p->texcoords);
    assert_null(p->texcoords1);
    assert_null(p->colors);
    assert_int_equal(p->index_count, 12);
    assert_int_equal(p->topology, BP_TOPOLOGY_TRIANGLES);
    assert_int_equal(p->material, -1);

    assert_box(p->bounds, -0.5f, 0, 0, 0.5f, 2, 0);
    assert_int_equal(p->joint_count, 2);
    assert_box(p->joint_bounds[0], -0.5f, 0, 0, 0.5f, 1, 0); /* V36 */
    assert_box(p->joint_bounds[1], -0.5f, 1, 0, 0.5f, 2, 0);

    assert_int_equal(p->target_count, 2);
    assert_memory_equal(p->targets[0].positions, up, sizeof up);
    assert_null(p->targets[0].normals);
    assert_box(p->targets[0].bounds, 0, -0.5f, 0, 0.25f, 1, 0);
    assert_null(p->targets[1].positions);
    assert_memory_equal(p->targets[1].normals, up, sizeof up);
    assert_memory_equal(p->targets[1].tangents, up, sizeof up);
    assert_box(p->targets[1].bounds, 0, 0, 0, 0, 0, 0);
    bp_primitive_destroy(p);
    bp_primitive_destroy(NULL);
}

static void test_build_cleans_influences(void **state) {
    (void)state;
    const uint16_t joints[12] = {0, 1, 7, 1, 7, 1};
    const float weights[12] = {0.25f, 0.25f, 0.5f, 0.5f, 1, 0};
    bp_primitive_desc desc = test_rig_desc();
    desc.influence_count = 2;
    desc.joints = joints;
    desc.weights = weights;
    bp_primitive *p = build(&desc);
    const uint16_t clean_joints[12] = {0, 1, 0, 1, 1, 0};
    const float clean_weights[12] = {0.5f, 0.5f, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0};
    assert_memory_equal(p->joints, clean_joints, sizeof clean_joints);
    assert_memory_equal(p->weights, clean_weights, sizeof clean_weights);
    bp_primitive_destroy(p);

    desc.keep_raw_weights = true;
    p = build(&desc);
    test_near(p->weights[0], 0.25, 0);
    test_near(p->weights[2], 0, 0);
    test_near(p->weights[3], 0.5, 0);
    bp_primitive_destroy(p);
}

static void test_joint_without_vertices_has_empty_bounds(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    desc.joint_count = 3;
    bp_primitive *p = build(&desc);
    assert_true(p->joint_bounds[2].min.x > p->joint_bounds[2].max.x);
    bp_primitive_destroy(p);
}

static void test_build_without_skin_and_indices(void **state) {
    (void)state;
    bp_primitive_desc desc = {.vertex_count = 6, .positions = test_rig_positions};
    bp_primitive *p = build(&desc);
    assert_int_equal(p->topology, BP_TOPOLOGY_TRIANGLES);
    assert_null(p->indices);
    assert_null(p->joints);
    assert_null(p->weights);
    assert_null(p->joint_bounds);
    assert_null(p->targets);
    bp_primitive_destroy(p);
}

typedef struct bad_desc {
    const char *place;
    bp_primitive_desc desc;
} bad_desc;

static void test_bad_descriptions_have_a_place(void **state) {
    (void)state;
    const float infinite[24] = {[7] = INFINITY}, nan[24] = {[16] = NAN};
    const uint32_t indices[12] = {[7] = 6};
    const bp_morph_target targets[2] = {{.positions = nan + 1}, {.normals = infinite}};
    const bp_morph_target second[2] = {{0}, {.tangents = nan}};
    bad_desc bad[] = {
        {"/vertex_count", test_rig_desc()},
        {"/positions", test_rig_desc()},
        {"/topology", test_rig_desc()},
        {"/joints", test_rig_desc()},
        {"/joints", test_rig_desc()},
        {"/weights", test_rig_desc()},
        {"/joint_count", test_rig_desc()},
        {"/indices", test_rig_desc()},
        {"/indices", test_rig_desc()},
        {"/targets", test_rig_desc()},
        {"/indices/7", test_rig_desc()},
        {"/positions/7", test_rig_desc()},
        {"/normals/16", test_rig_desc()},
        {"/tangents/16", test_rig_desc()},
        {"/weights/7", test_rig_desc()},
        {"/targets/0/positions/15", test_rig_desc()},
        {"/targets/1/tangents/16", test_rig_desc()},
    };
    bad[0].desc.vertex_count = 0;
    bad[1].desc.positions = NULL;
    bad[2].desc.topology = (bp_topology)7;
    bad[3].desc.joints = NULL;
    bad[4].desc.influence_count = 0;
    bad[5].desc.weights = NULL;
    bad[6].desc.joint_count = 0;
    bad[7].desc.indices = NULL;
    bad[8].desc.index_count = 0;
    bad[9].desc.target_count = 1;
    bad[10].desc.indices = indices;
    bad[11].desc.positions = infinite;
    bad[12].desc.normals = nan;
    bad[13].desc.tangents = nan;
    bad[14].desc.weights = infinite;
    bad[15].desc.target_count = 2;
    bad[15].desc.targets = targets;
    bad[16].desc.target_count = 2;
    bad[16].desc.targets = second;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        bp_primitive *p = (bp_primitive *)&bad;
        bp_error error;
        assert_int_equal(bp_primitive_build(&p, &bad[i].desc, &error), BP_ERROR_ARGUMENT);
        assert_null(p);
        assert_int_equal(error.result, BP_ERROR_ARGUMENT);
        assert_string_equal(error.pointer, bad[i].place);
        assert_true(strlen(error.message) > 0);
        assert_int_equal(bp_primitive_build(&p, &bad[i].desc, NULL), BP_ERROR_ARGUMENT);
    }
}

static void test_every_failing_allocation(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    const bp_morph_target target = {.positions = test_rig_normals};
    desc.target_count = 1;
    desc.targets = &target;
    bool built = false;
    for (size_t fail_at = 1; !built; ++fail_at) {
        test_allocator allocator = {.fail_at = fail_at};
        desc.allocator = test_allocator_make(&allocator);
        bp_primitive *p;
        bp_error error;
        bp_result result = bp_primitive_build(&p, &desc, &error);
        built = result == BP_OK;
        assert_true(built == (p != NULL));
        if (!built) assert_int_equal(result, BP_ERROR_OUT_OF_MEMORY);
        if (built) assert_true(fail_at > 1);
        assert_int_equal(allocator.live, built);
        bp_primitive_destroy(p);
        assert_int_equal(allocator.live, 0);
    }
}

static void fill(float *stream, size_t count, float value) {
    for (size_t i = 0; i < count; ++i)
        stream[i] = value;
}

/* A value of its own in every stream of five vertices, eight slots, seven indices, two targets. */
static void fill_streams(const bp_primitive *p) {
    bpi_primitive_streams s = bpi_primitive_streams_of(p);
    fill(s.positions, 15, 1);
    fill(s.normals, 15, 2);
    fill(s.tangents, 20, 3);
    fill(s.texcoords, 10, 4);
    fill(s.texcoords1, 10, 5);
    fill(s.colors, 20, 6);
    fill(s.weights, 40, 0.125f);
    for (int i = 0; i < 40; ++i)
        s.joints[i] = 2;
    for (int i = 0; i < 7; ++i)
        s.indices[i] = 4;
    fill(bpi_target_streams_of(p, 0).positions, 15, -1);
    fill(bpi_target_streams_of(p, 1).normals, 15, 8);
    fill(bpi_target_streams_of(p, 1).tangents, 15, 9);
}

/* The layout that the gltf module uses: measuring and laying out agree, streams lie apart. */
static void test_layout_of_every_stream(void **state) {
    (void)state;
    const bpi_target_shape targets[2] = {{.positions = true}, {.normals = true, .tangents = true}};
    bpi_primitive_shape shape = {
        .vertex_count = 5,
        .positions = true,
        .normals = true,
        .tangents = true,
        .texcoords = true,
        .texcoords1 = true,
        .colors = true,
        .influence_count = 8,
        .joint_count = 3,
        .index_count = 7,
        .target_count = 2,
        .targets = targets,
    };
    bpi_layout measure = {0}, layout = {0};
    bp_primitive p;
    bpi_primitive_layout(&measure, &p, &shape);
    assert_false(measure.overflow);
    assert_null(p.positions);
    assert_null(p.targets);
    layout.base = calloc(1, measure.size);
    bpi_primitive_layout(&layout, &p, &shape);
    assert_int_equal(layout.size, measure.size);

    fill_streams(&p);
    bpi_primitive_finish(&p);
    assert_box(p.bounds, 1, 1, 1, 1, 1, 1);
    assert_box(p.joint_bounds[2], 1, 1, 1, 1, 1, 1);
    assert_true(p.joint_bounds[0].min.x > p.joint_bounds[0].max.x);
    assert_box(p.targets[0].bounds, -1, -1, -1, 0, 0, 0);
    test_near(p.positions[14] + p.normals[14] + p.tangents[19] + p.texcoords[9], 10, 0);
    test_near(p.texcoords1[9] + p.colors[19] + p.weights[39], 11.125, 0);
    assert_int_equal(p.indices[6], 4);
    assert_null(bpi_target_streams_of(&p, 0).normals);
    free(layout.base);
}

static void test_layout_overflow(void **state) {
    (void)state;
    bpi_primitive_shape shape = {
        .vertex_count = UINT32_MAX, .influence_count = UINT32_MAX, .joint_count = 1};
    bpi_layout measure = {0};
    bp_primitive p;
    bpi_primitive_layout(&measure, &p, &shape);
    assert_true(measure.overflow);
}

/* ---- influences ----------------------------------------------------------------------------- */

/* One vertex of four slots on a skin of four joints. */
typedef struct influence_case {
    uint16_t joints[4];
    float weights[4];
    uint16_t clean_joints[4];
    float clean_weights[4];
    bp_influence_report report; /* first_… fields 0 */
} influence_case;

static void check_influences(const influence_case *cases, size_t count, bool keep_raw) {
    for (size_t i = 0; i < count; ++i) {
        influence_case c = cases[i];
        bp_influence_report report;
        bp_influences_clean(c.joints, c.weights, 1, 4, 4, keep_raw, &report);
        for (int k = 0; k < 4; ++k) {
            assert_int_equal(c.joints[k], c.clean_joints[k]);
            test_near(c.weights[k], c.clean_weights[k], 6e-8);
        }
        assert_int_equal(report.out_of_range, c.report.out_of_range);
        assert_int_equal(report.negative, c.report.negative);
        assert_int_equal(report.not_normalized, c.report.not_normalized);
        assert_int_equal(report.all_zero, c.report.all_zero);
        assert_int_equal(report.duplicate, c.report.duplicate);
        if (report.not_normalized && c.report.worst_sum < FLT_MAX)
            test_near(report.worst_sum, c.report.worst_sum, 1e-6);
    }
}

static void test_influences_that_do_not_sum_to_one(void **state) {
    (void)state;
    const influence_case cases[] = {
        /* nothing to do; unused slots lose their joint */
        {{0, 3, 2, 1}, {0.5f, 0.5f, 0, 0}, {0, 3, 0, 0}, {0.5f, 0.5f, 0, 0}, {0}},
        /* sums other than 1 */
        {{0, 1, 0, 0},
         {0.4f, 0.4f},
         {0, 1},
         {0.5f, 0.5f},
         {.not_normalized = 1, .worst_sum = 0.8f}},
        {{0, 1, 2, 3},
         {1, 2, 3, 4},
         {0, 1, 2, 3},
         {0.1f, 0.2f, 0.3f, 0.4f},
         {.not_normalized = 1, .worst_sum = 10}},
        {{0, 1, 0, 0},
         {3e38f, 3e38f},
         {0, 1},
         {0.5f, 0.5f},
         {.not_normalized = 1, .worst_sum = INFINITY}},
        {{0, 1, 0, 0}, {1e-45f, 1e-45f}, {0, 1}, {0.5f, 0.5f}, {.not_normalized = 1}},
        /* within 2e-7 for each weight: not worth a report */
        {{0, 1, 2, 0},
         {0.5f, 0.25f, 0.2500004f},
         {0, 1, 2},
         {0.4999998f, 0.2499999f, 0.2500003f},
         {0}},
        {{0, 1, 2, 0},
         {0.5f, 0.25f, 0.2500008f},
         {0, 1, 2},
         {0.4999996f, 0.2499998f, 0.2500006f},
         {.not_normalized = 1, .worst_sum = 1.0000008f}},
    };
    check_influences(cases, COUNT(cases), false);
}

static void test_influences_out_of_range(void **state) {
    (void)state;
    const influence_case cases[] = {
        /* only with weight */
        {{4, 1, 0, 0}, {0.5f, 0.5f}, {0, 1}, {0, 1}, {.out_of_range = 1}},
        {{4, 1, 65535, 9}, {0, 1, 0, 0}, {0, 1}, {0, 1}, {0}},
        {{7, 8, 2, 0}, {0.5f, 0.25f, 0.25f}, {0, 0, 2}, {0, 0, 1}, {.out_of_range = 2}},
        {{7, 0, 0, 0}, {1}, {0}, {1}, {.out_of_range = 1, .all_zero = 1}},
        {{7, 3, 0, 0}, {1}, {3}, {1}, {.out_of_range = 1, .all_zero = 1}},
        {{7, 8, 9, 10}, {1}, {0}, {1}, {.out_of_range = 1, .all_zero = 1}},
    };
    check_influences(cases, COUNT(cases), false);
}

static void test_influences_negative_or_zero(void **state) {
    (void)state;
    const influence_case cases[] = {
        /* E01: negative weights */
        {{0, 1, 0, 0}, {1.25f, -0.25f}, {0}, {1}, {.negative = 1}},
        {{2, 0, 0, 0},
         {-1},
         {2},
         {1},
         {.negative = 1, .all_zero = 1, .not_normalized = 1, .worst_sum = -1}},
        {{9, 0, 0, 0}, {-1, 2}, {0}, {0, 1}, {.negative = 1, .out_of_range = 1}},
        /* V19: no weight at all */
        {{1, 0, 0, 0}, {0}, {1}, {1}, {.all_zero = 1}},
        {{5, 2, 0, 0}, {0}, {2}, {1}, {.all_zero = 1}},
        {{5, 2, 0, 0}, {-0.0f, 0, -0.0f, 0}, {2}, {1}, {.all_zero = 1}},
    };
    check_influences(cases, COUNT(cases), false);
}

static void test_influences_named_twice(void **state) {
    (void)state;
    const influence_case cases[] = {
        /* V21: both slots stay, and only slots with weight count */
        {{3, 3, 3, 3},
         {0.25f, 0.25f, 0.25f, 0.25f},
         {3, 3, 3, 3},
         {0.25f, 0.25f, 0.25f, 0.25f},
         {.duplicate = 1}},
        {{2, 1, 2, 1},
         {0.4f, 0.3f, 0.2f, 0.1f},
         {2, 1, 2, 1},
         {0.4f, 0.3f, 0.2f, 0.1f},
         {.duplicate = 1}},
        {{1, 1, 0, 0}, {1}, {1}, {1}, {0}},
    };
    check_influences(cases, COUNT(cases), false);
}

static void test_influence_rules_raw(void **state) {
    (void)state;
    const influence_case cases[] = {
        {{0, 1, 3, 0},
         {0.4f, 0.4f},
         {0, 1},
         {0.4f, 0.4f},
         {.not_normalized = 1, .worst_sum = 0.8f}},
        {{0, 1, 0, 0}, {1.25f, -0.25f}, {0, 1}, {1.25f, -0.25f}, {.negative = 1}},
        {{0, 1, 0, 0}, {0.5f, -0.5f}, {0, 1}, {0.5f, -0.5f}, {.negative = 1, .not_normalized = 1}},
        {{4, 1, 0, 0}, {0.5f, 0.5f}, {0, 1}, {0, 0.5f}, {.out_of_range = 1}},
        {{4, 1, 0, 0}, {1}, {1}, {1}, {.out_of_range = 1, .all_zero = 1}},
    };
    check_influences(cases, COUNT(cases), true);
}

static void test_influence_report_names_the_first(void **state) {
    (void)state;
    uint16_t joints[] = {0, 0, 1, 9, 0, 0, 9, 1, 0, 0, 1, 1};
    float weights[] = {1, 0, 0.5f, 0.5f, 0, 0, 1, -1, 0.25f, 0.25f, 0.5f, 0.5f};
    bp_influence_report report;
    bp_influences_clean(joints, weights, 6, 2, 2, false, &report);
    assert_int_equal(report.out_of_range, 2);
    assert_int_equal(report.first_out_of_range, 1);
    assert_int_equal(report.negative, 1);
    assert_int_equal(report.first_negative, 3);
    assert_int_equal(report.all_zero, 2);
    assert_int_equal(report.first_all_zero, 2);
    assert_int_equal(report.duplicate, 2);
    assert_int_equal(report.first_duplicate, 4);
    assert_int_equal(report.not_normalized, 2);
    assert_int_equal(report.first_not_normalized, 3);
    test_near(report.worst_sum, 0, 0);
    bp_influences_clean(NULL, NULL, 0, 4, 2, false, &report);
    assert_int_equal(report.all_zero, 0);
    bp_influences_clean(joints, weights, 6, 2, 2, false, NULL);
}

/* Whatever goes in, what comes out is in range, not negative and sums to 1. */
static void test_influences_always_come_out_clean(void **state) {
    (void)state;
    test_random random = {53};
    for (int i = 0; i < 20000; ++i) {
        uint16_t joints[12];
        float weights[12];
        uint32_t slots = 1 + test_random_below(&random, 12);
        uint32_t joint_count = 1 + test_random_below(&random, 5);
        double sum = 0;
        for (uint32_t k = 0; k < slots; ++k) {
            joints[k] = (uint16_t)test_random_below(&random, 6);
            weights[k] = test_random_below(&random, 3) == 0
                             ? 0
                             : (float)(test_random_normal(&random) *
                                       test_random_magnitude(&random, -30, 30));
        }
        bp_influences_clean(joints, weights, 1, slots, joint_count, false, NULL);
        for (uint32_t k = 0; k < slots; ++k) {
            assert_true(joints[k] < joint_count && weights[k] >= 0);
            sum += weights[k];
        }
        test_near(sum, 1, 6e-8 * slots);
    }
}

/* ---- triangles ------------------------------------------------------------------------------ */

static void assert_triangles(bp_topology topology, uint32_t corner_count, const uint32_t *indices,
                             uint32_t count, const uint32_t (*expected)[3]) {
    bp_primitive p = {.vertex_count = indices ? 10 : corner_count,
                      .index_count = corner_count,
                      .indices = indices,
                      .topology = topology};
    if (!indices) p.index_count = 0;
    assert_int_equal(bp_primitive_triangle_count(&p), count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t vertices[3];
        bp_primitive_triangle(&p, i, vertices);
        assert_memory_equal(vertices, expected[i], sizeof vertices);
    }
}

static void test_triangles_of_topologies(void **state) {
    (void)state;
    const uint32_t indices[7] = {4, 5, 6, 7, 8, 9, 4};
    const uint32_t list[2][3] = {{4, 5, 6}, {7, 8, 9}};
    assert_triangles(BP_TOPOLOGY_TRIANGLES, 7, indices, 2, list); /* the rest is no triangle */
    const uint32_t strip[5][3] = {{4, 5, 6}, {5, 7, 6}, {6, 7, 8}, {7, 9, 8}, {8, 9, 4}};
    assert_triangles(BP_TOPOLOGY_TRIANGLE_STRIP, 7, indices, 5, strip);
    const uint32_t fan[5][3] = {{5, 6, 4}, {6, 7, 4}, {7, 8, 4}, {8, 9, 4}, {9, 4, 4}};
    assert_triangles(BP_TOPOLOGY_TRIANGLE_FAN, 7, indices, 5, fan);
    const uint32_t plain[3][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}};
    assert_triangles(BP_TOPOLOGY_TRIANGLE_STRIP, 5, NULL, 3, plain);
    const uint32_t degenerate[6] = {0, 1, 2, 2, 2, 3};
    const uint32_t kept[4][3] = {{0, 1, 2}, {1, 2, 2}, {2, 2, 2}, {2, 3, 2}};
    assert_triangles(BP_TOPOLOGY_TRIANGLE_STRIP, 6, degenerate, 4, kept);
    for (uint32_t corners = 0; corners < 3; ++corners) {
        assert_triangles(BP_TOPOLOGY_TRIANGLES, corners, NULL, 0, NULL);
        assert_triangles(BP_TOPOLOGY_TRIANGLE_STRIP, corners, NULL, 0, NULL);
        assert_triangles(BP_TOPOLOGY_TRIANGLE_FAN, corners, indices, 0, NULL);
    }
    assert_triangles(BP_TOPOLOGY_POINTS, 7, indices, 0, NULL);
    assert_triangles(BP_TOPOLOGY_LINES, 7, indices, 0, NULL);
    assert_triangles(BP_TOPOLOGY_LINE_LOOP, 7, indices, 0, NULL);
    assert_triangles(BP_TOPOLOGY_LINE_STRIP, 7, NULL, 0, NULL);
}

/* ---- rays ----------------------------------------------------------------------------------- */

static void test_ray_of_v36(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    bp_raycast_job job = {.primitive = p,
                          .positions = test_rig_bent,
                          .origin = {-0.75f, 1, 5},
                          .direction = {0, 0, -1}};
    bp_ray_hit hit;
    for (int twice = 0; twice < 2; ++twice) { /* the length of the direction does not matter */
        assert_true(bp_mesh_raycast(&hit, &job));
        assert_int_equal(hit.triangle, 3);
        assert_int_equal(hit.vertices[0], 3);
        assert_int_equal(hit.vertices[1], 5);
        assert_int_equal(hit.vertices[2], 4);
        test_near(hit.barycentrics[0], 0.2, 1e-6);
        test_near(hit.barycentrics[1], 0.35, 1e-6);
        test_near(hit.barycentrics[2], 0.45, 1e-6);
        test_near(hit.distance, 5, 1e-6);
        test_near(hit.point.x, -0.75, 1e-6);
        test_near(hit.point.y, 1, 1e-6);
        test_near(hit.point.z, 0, 1e-6);
        assert_false(hit.back_face);
        job.direction.z = -2;
    }
    job.cull_back_faces = true;
    assert_true(bp_mesh_raycast(&hit, &job));

    job.origin.z = -5;
    job.direction.z = 1;
    memset(&hit, 0x55, sizeof hit);
    bp_ray_hit before = hit;
    assert_false(bp_mesh_raycast(&hit, &job));
    assert_memory_equal(&hit, &before, sizeof hit);
    job.cull_back_faces = false;
    assert_true(bp_mesh_raycast(&hit, &job));
    assert_int_equal(hit.triangle, 3);
    test_near(hit.distance, 5, 1e-6);
    assert_true(hit.back_face);

    job = (bp_raycast_job){.primitive = p, .origin = {0, 1.75f, 5}, .direction = {0, 0, -1}};
    assert_true(bp_mesh_raycast(&hit, &job)); /* the bind pose */
    assert_int_equal(hit.triangle, 3);
    test_near(hit.distance, 5, 1e-6);
    job.positions = test_rig_bent;
    assert_false(bp_mesh_raycast(&hit, &job));
    bp_primitive_destroy(p);
}

static void test_ray_limits(void **state) {
    (void)state;
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    bp_primitive p = {.vertex_count = 3, .positions = corners, .topology = BP_TOPOLOGY_TRIANGLES};
    bp_raycast_job job = {.primitive = &p, .origin = {0.25f, 0.25f, 2}, .direction = {0, 0, -3}};
    bp_ray_hit hit;
    job.max_distance = 1.999f;
    assert_false(bp_mesh_raycast(&hit, &job));
    job.max_distance = 2;
    assert_true(bp_mesh_raycast(&hit, &job));
    job.direction.z = 1; /* away from it */
    assert_false(bp_mesh_raycast(&hit, &job));
    job.origin.z = 0; /* on it */
    assert_true(bp_mesh_raycast(&hit, &job));
    test_near(hit.distance, 0, 0);
    job.direction = (bp_vec3){1, 1, 0}; /* in its plane */
    assert_false(bp_mesh_raycast(&hit, &job));
    const float broken[9] = {0, 0, 0, NAN, 0, 0, 0, 1, 0};
    job = (bp_raycast_job){
        .primitive = &p, .positions = broken, .origin = {0.1f, 0.1f, 2}, .direction = {0, 0, -1}};
    assert_false(bp_mesh_raycast(&hit, &job));
    const float line[9] = {0, 0, 0, 1, 1, 0, 2, 2, 0};
    job.positions = line;
    job.origin = (bp_vec3){1, 1, 2};
    assert_false(bp_mesh_raycast(&hit, &job));
    p.positions = NULL;
    job.positions = NULL;
    assert_false(bp_mesh_raycast(&hit, &job));
}

static void test_ray_reads_with_stride(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    unsigned char buffer[1 + 6 * 21];
    memset(buffer, 0xFF, sizeof buffer);
    for (int v = 0; v < 6; ++v)
        memcpy(buffer + 1 + 21 * v, test_rig_bent + 3 * v, 12);
    bp_raycast_job job = {
        .primitive = p, .position_stride = 21, .origin = {-0.75f, 1, 5}, .direction = {0, 0, -1}};
    void *misaligned = buffer + 1;
    job.positions = misaligned;
    bp_ray_hit hit;
    assert_true(bp_mesh_raycast(&hit, &job));
    test_near(hit.point.x, -0.75, 1e-6);
    bp_primitive_destroy(p);
}

/*
 * Random triangles against the textbook: solve origin + t direction = a + u (b - a) + v (c - a) by
 * Cramer's rule. Cases that are near to an edge by either answer are left out.
 */
static void test_rays_against_cramer(void **state) {
    (void)state;
    test_random random = {59};
    int hits = 0;
    for (int i = 0; i < 200000; ++i) {
        float v[9], o[3], d[3];
        for (int k = 0; k < 9; ++k)
            v[k] = (float)test_random_normal(&random);
        for (int k = 0; k < 3; ++k)
            o[k] = (float)(3 * test_random_normal(&random));
        for (int k = 0; k < 3; ++k)
            d[k] = (float)test_random_normal(&random) - o[k];
        double e[3], f[3], s[3], n[3], q[3], det = 0, t = 0, u = 0, w = 0, length = 0;
        for (int k = 0; k < 3; ++k) {
            e[k] = (double)v[3 + k] - v[k];
            f[k] = (double)v[6 + k] - v[k];
            s[k] = (double)o[k] - v[k];
        }
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            n[k] = e[a] * f[b] - e[b] * f[a];
            q[k] = s[a] * d[b] - s[b] * d[a];
        }
        for (int k = 0; k < 3; ++k) {
            det -= d[k] * n[k];
            t += s[k] * n[k];
            u += f[k] * q[k];
            w -= e[k] * q[k];
            length += (double)d[k] * d[k];
        }
        u /= det;
        w /= det;
        t = t / det * sqrt(length);
        double margin = fmin(fmin(u, w), fmin(1 - u - w, t));
        if (fabs(margin) < 1e-6) continue;
        bp_primitive p = {.vertex_count = 3, .positions = v, .topology = BP_TOPOLOGY_TRIANGLES};
        bp_raycast_job job = {
            .primitive = &p, .origin = {o[0], o[1], o[2]}, .direction = {d[0], d[1], d[2]}};
        bp_ray_hit hit;
        assert_int_equal(bp_mesh_raycast(&hit, &job), margin > 0);
        if (margin < 0) continue;
        ++hits;
        test_near(hit.distance / t, 1, 1e-6);
        test_near(hit.barycentrics[1], u, 1e-6);
        test_near(hit.barycentrics[2], w, 1e-6);
        assert_int_equal(hit.back_face, det < 0);
        for (int k = 0; k < 3; ++k) {
            double expected = o[k] + d[k] * t / sqrt(length);
            test_near((&hit.point.x)[k], expected, 1e-5);
        }
    }
    assert_true(hits > 10000);
}

/* Rays at the corners and along the edges of a bumpy grid: none slips through. */
static void test_no_ray_slips_between_triangles(void **state) {
    (void)state;
    enum { SIDE = 9 };
    test_random random = {61};
    float grid[SIDE * SIDE * 3];
    uint32_t indices[(SIDE - 1) * (SIDE - 1) * 6], n = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        grid[3 * i] = (float)(i % SIDE + test_random_range(&random, -0.2, 0.2));
        grid[3 * i + 1] = (float)(i / SIDE + test_random_range(&random, -0.2, 0.2));
        grid[3 * i + 2] = (float)test_random_range(&random, -0.3, 0.3);
    }
    for (uint32_t y = 0; y + 1 < SIDE; ++y)
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            uint32_t a = y * SIDE + x, b = a + SIDE;
            const uint32_t quad[6] = {a, a + 1, b, a + 1, b + 1, b};
            for (int k = 0; k < 6; ++k)
                indices[n++] = quad[k];
        }
    bp_primitive p = {.vertex_count = SIDE * SIDE,
                      .positions = grid,
                      .index_count = n,
                      .indices = indices,
                      .topology = BP_TOPOLOGY_TRIANGLES};
    for (int i = 0; i < 20000; ++i) {
        uint32_t x = 1 + test_random_below(&random, SIDE - 3);
        uint32_t y = 1 + test_random_below(&random, SIDE - 3), a = y * SIDE + x;
        const uint32_t ends[4] = {a, a + 1, a + SIDE, a + SIDE - 1}; /* the edges of a corner */
        const float *from = grid + 3 * a, *to = grid + 3 * ends[i % 4];
        double along = i % 4 ? test_random_range(&random, 0, 1) : 0;
        bp_vec3 origin = {(float)test_random_range(&random, 3, 5),
                          (float)test_random_range(&random, 3, 5), 30};
        bp_vec3 aim = {(float)(from[0] + along * (to[0] - from[0])),
                       (float)(from[1] + along * (to[1] - from[1])),
                       (float)(from[2] + along * (to[2] - from[2]))};
        bp_raycast_job job = {.primitive = &p,
                              .origin = origin,
                              .direction = {aim.x - origin.x, aim.y - origin.y, aim.z - origin.z}};
        bp_ray_hit hit;
        assert_true(bp_mesh_raycast(&hit, &job));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_copies_and_measures),
        cmocka_unit_test(test_build_cleans_influences),
        cmocka_unit_test(test_joint_without_vertices_has_empty_bounds),
        cmocka_unit_test(test_build_without_skin_and_indices),
        cmocka_unit_test(test_bad_descriptions_have_a_place),
        cmocka_unit_test(test_every_failing_allocation),
        cmocka_unit_test(test_layout_of_every_stream),
        cmocka_unit_test(test_layout_overflow),
        cmocka_unit_test(test_influences_that_do_not_sum_to_one),
        cmocka_unit_test(test_influences_out_of_range),
        cmocka_unit_test(test_influences_negative_or_zero),
        cmocka_unit_test(test_influences_named_twice),
        cmocka_unit_test(test_influence_rules_raw),
        cmocka_unit_test(test_influence_report_names_the_first),
        cmocka_unit_test(test_influences_always_come_out_clean),
        cmocka_unit_test(test_triangles_of_topologies),
        cmocka_unit_test(test_ray_of_v36),
        cmocka_unit_test(test_ray_limits),
        cmocka_unit_test(test_ray_reads_with_stride),
        cmocka_unit_test(test_rays_against_cramer),
        cmocka_unit_test(test_no_ray_slips_between_triangles),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
