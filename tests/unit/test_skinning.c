// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * skinning: the numbered cases on hand-made primitives, normals and tangents against the inverse
 * transpose in double, ranges and strides, exact and fast bounds.
 */
#include "test_base_rig.h"
#include "test_near.h"
#include "test_random.h"
#include "bindpose/skinning.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ROOT_HALF 0.70710678118654752440f

static const bp_mat34 identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static void assert_floats(const float *actual, const float *expected, size_t count,
                          double tolerance) {
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs((double)actual[i] - expected[i]) <= tolerance))
            fail_msg("float %zu: %.9g instead of %.9g", i, actual[i], expected[i]);
    }
}

static void assert_box(bp_aabb box, const float expected[6], double tolerance) {
    const float actual[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    assert_floats(actual, expected, 6, tolerance);
}

static bp_primitive *build(const bp_primitive_desc *desc) {
    bp_primitive *primitive;
    bp_error error;
    if (bp_primitive_build(&primitive, desc, &error) != BP_OK) fail_msg("%s", error.message);
    return primitive;
}

/* ---- the numbered cases --------------------------------------------------------------------- */

static void test_base_rig_bent(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    float positions[18], normals[18];
    bp_skinning_run(&(bp_skinning_job){.primitive = p,
                                       .palette = test_rig_bent_palette,
                                       .positions = positions,
                                       .normals = normals});
    assert_floats(positions, test_rig_bent, 18, 1e-6);
    /* The bend is about z, so the normals stay. */
    assert_floats(normals, test_rig_normals, 18, 1e-6);
    bp_primitive_destroy(p);
}

static void test_v04b_bind_shape(void **state) {
    (void)state;
    const float authored[18] = {6, 0, 0, 10, 0, 0, 6, 4, 0, 10, 4, 0, 6, 8, 0, 10, 8, 0};
    const bp_mat34 rest[2] = {
        {{{0.25f, 0, 0, -2}, {0, 0.25f, 0, 0}, {0, 0, 0.25f, 0}}},
        {{{0.25f, 0, 0, -2}, {0, 0.25f, 0, 0}, {0, 0, 0.25f, 0}}},
    };
    const bp_mat34 bent[2] = {
        {{{0.25f, 0, 0, -2}, {0, 0.25f, 0, 0}, {0, 0, 0.25f, 0}}},
        {{{0, -0.25f, 0, 1}, {0.25f, 0, 0, -1}, {0, 0, 0.25f, 0}}},
    };
    bp_primitive_desc desc = test_rig_desc();
    desc.positions = authored;
    bp_primitive *p = build(&desc);
    float out[18];
    bp_skinning_run(&(bp_skinning_job){.primitive = p, .palette = rest, .positions = out});
    assert_floats(out, test_rig_positions, 18, 1e-6);
    bp_skinning_run(&(bp_skinning_job){.primitive = p, .palette = bent, .positions = out});
    assert_floats(out, test_rig_bent, 18, 1e-6);
    bp_primitive_destroy(p);
}

static void test_v13_two_instances(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    const bp_mat34 buffer[4] = {identity, identity, test_rig_bent_palette[0],
                                test_rig_bent_palette[1]};
    float out[18];
    bp_skinning_run(&(bp_skinning_job){.primitive = p, .palette = buffer, .positions = out});
    assert_floats(out, test_rig_positions, 18, 0);
    bp_skinning_run(&(bp_skinning_job){.primitive = p, .palette = buffer + 2, .positions = out});
    assert_floats(out, test_rig_bent, 18, 1e-6);
    bp_primitive_destroy(p);
}

static void test_v19_vertex_without_weights(void **state) {
    (void)state;
    float weights[24];
    memcpy(weights, test_rig_weights, sizeof weights);
    weights[20] = 0; /* v5, whose joint slots are 1 0 0 0 */
    bp_primitive_desc desc = test_rig_desc();
    desc.weights = weights;
    bp_primitive *p = build(&desc);
    float out[18];
    bp_skinning_run(
        &(bp_skinning_job){.primitive = p, .palette = test_rig_bent_palette, .positions = out});
    assert_floats(out, test_rig_bent, 18, 1e-6); /* full weight on its first joint */
    bp_primitive_destroy(p);
}

/* Eight joints, joint k up by k; a vertex with an eighth on each goes up by 3.5. */
static void test_v20_eight_influences(void **state) {
    (void)state;
    uint16_t joints[48];
    float weights[48], expected[18], out[18];
    bp_mat34 palette[8];
    for (int i = 0; i < 48; ++i) {
        joints[i] = (uint16_t)(i % 8);
        weights[i] = 0.125f;
    }
    for (int k = 0; k < 8; ++k) {
        palette[k] = identity;
        palette[k].m[1][3] = (float)k;
    }
    for (int i = 0; i < 18; ++i)
        expected[i] = test_rig_positions[i] + (i % 3 == 1 ? 3.5f : 0);
    bp_primitive_desc desc = test_rig_desc();
    desc.influence_count = 8;
    desc.joint_count = 8;
    desc.joints = joints;
    desc.weights = weights;
    bp_primitive *p = build(&desc);
    bp_skinning_job job = {.primitive = p, .palette = palette, .positions = out};
    bp_skinning_run(&job);
    assert_floats(out, expected, 18, 1e-6);
    const float bounds[6] = {-0.5f, 3.5f, 0, 0.5f, 5.5f, 0};
    assert_box(bp_skinning_bounds(&job), bounds, 1e-6);
    const float fast[6] = {-0.5f, 0, 0, 0.5f, 9, 0}; /* each joint's box, wherever it goes */
    assert_box(bp_skinning_bounds_fast(&job), fast, 1e-4);
    bp_primitive_destroy(p);
}

static void test_v35_normals_under_uneven_scale(void **state) {
    (void)state;
    float normals[18], out[18];
    for (int i = 0; i < 18; ++i)
        normals[i] = i % 3 == 0 ? 0 : ROOT_HALF;
    bp_mat34 tall = identity;
    tall.m[1][1] = 4;
    const bp_mat34 palette[2] = {tall, tall};
    bp_primitive_desc desc = test_rig_desc();
    desc.normals = normals;
    bp_primitive *p = build(&desc);
    bp_skinning_job job = {.primitive = p, .palette = palette, .normals = out};
    for (int rigid = 0; rigid < 2; ++rigid) {
        job.rigid = rigid;
        bp_skinning_run(&job);
        for (int v = 0; v < 6; ++v) {
            test_near(out[3 * v], 0, 0);
            test_near(out[3 * v + 1], 1 / sqrt(17), 1e-7); /* (0, 1/4, 1), made unit */
            test_near(out[3 * v + 2], 4 / sqrt(17), 1e-7);
        }
    }
    bp_primitive_destroy(p);
}

/* Outputs may begin at any vertex, so that one vertex needs room for one. */
static void test_outputs_begin_where_asked(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    float out[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    bp_skinning_job job = {
        .primitive = p, .palette = test_rig_bent_palette, .positions = out, .output_first = 4};
    bp_skinning_run_range(&job, 5, 1);
    const float v5[9] = {7, 7, 7, -1, 1.5f, 0, 7, 7, 7};
    assert_floats(out, v5, 9, 1e-6);
    bp_skinning_run(&job); /* all from the first on */
    const float both[9] = {-1, 0.5f, 0, -1, 1.5f, 0, 7, 7, 7};
    assert_floats(out, both, 9, 1e-6);
    bp_primitive_destroy(p);
}

static void test_v36_bounds(void **state) {
    (void)state;
    bp_primitive_desc desc = test_rig_desc();
    bp_primitive *p = build(&desc);
    bp_skinning_job job = {.primitive = p, .palette = test_rig_bent_palette};
    const float posed[6] = {-1, 0, 0, 0.5f, 1.5f, 0}, bind[6] = {-0.5f, 0, 0, 0.5f, 2, 0};
    assert_box(bp_skinning_bounds(&job), posed, 1e-6);
    assert_box(bp_skinning_bounds_fast(&job), posed, 1e-4);
    assert_box(p->bounds, bind, 0);
    job = (bp_skinning_job){.primitive = p, .palette = test_rig_bent_palette + 1, .rigid = true};
    const float turned[6] = {-1, 0.5f, 0, 1, 1.5f, 0};
    assert_box(bp_skinning_bounds(&job), turned, 1e-6);
    assert_box(bp_skinning_bounds_fast(&job), turned, 1e-4);
    const bp_primitive nothing = {.bounds = bp_aabb_empty()}; /* as a file without POSITION gives */
    float untouched[3] = {7, 7, 7};
    job.primitive = &nothing;
    job.positions = untouched;
    bp_skinning_run(&job);
    assert_true(untouched[0] == 7);
    bp_aabb none = bp_skinning_bounds(&job);
    assert_true(none.min.x > none.max.x);
    none = bp_skinning_bounds_fast(&job);
    assert_true(none.min.x > none.max.x);
    bp_primitive_destroy(p);
}

/* A target that moves the top by 1 in y; the tip turns that to -x. */
static bp_primitive *build_morph_rig(const bp_morph_target *targets, uint32_t count) {
    bp_primitive_desc desc = test_rig_desc();
    desc.target_count = count;
    desc.targets = targets;
    return build(&desc);
}

static void test_v37_morph_before_skin(void **state) {
    (void)state;
    const float up[18] = {[13] = 1, [16] = 1};
    const bp_morph_target target = {.positions = up};
    bp_primitive *p = build_morph_rig(&target, 1);
    float out[18], weights[2] = {1, 1e30f};
    bp_skinning_job job = {.primitive = p,
                           .palette = test_rig_bent_palette,
                           .positions = out,
                           .morph_weights = weights,
                           .morph_weight_count = 2};
    bp_skinning_run(&job); /* a weight too many is not used */
    const float full[6] = {-2, 0.5f, 0, -2, 1.5f, 0};
    assert_floats(out, test_rig_bent, 12, 1e-6);
    assert_floats(out + 12, full, 6, 1e-6);
    const float bounds[6] = {-2, 0, 0, 0.5f, 1.5f, 0};
    assert_box(bp_skinning_bounds(&job), bounds, 1e-6);

    weights[0] = 0.5f; /* V37B */
    bp_skinning_run(&job);
    const float half[6] = {-1.5f, 0.5f, 0, -1.5f, 1.5f, 0};
    assert_floats(out + 12, half, 6, 1e-6);
    weights[0] = -1; /* V32E: downwards */
    bp_skinning_run(&job);
    const float down[6] = {0, 0.5f, 0, 0, 1.5f, 0};
    assert_floats(out + 12, down, 6, 1e-6);

    job.morph_weight_count = 0;
    bp_skinning_run(&job);
    assert_floats(out, test_rig_bent, 18, 1e-6);
    job.morph_weights = NULL;
    job.morph_weight_count = 1;
    bp_skinning_run(&job);
    assert_floats(out, test_rig_bent, 18, 1e-6);
    bp_primitive_destroy(p);
}

static void test_morph_of_normals_and_tangents(void **state) {
    (void)state;
    float tangents[24], to_y[18] = {0}, to_x[18] = {0};
    for (int v = 0; v < 6; ++v) {
        const float tangent[4] = {1, 0, 0, v % 2 ? -1.0f : 1.0f};
        memcpy(tangents + 4 * v, tangent, sizeof tangent);
        to_y[3 * v + 1] = 2;
        to_x[3 * v] = 1;
    }
    const bp_morph_target targets[2] = {{.normals = to_y}, {.tangents = to_y, .normals = to_x}};
    bp_primitive_desc desc = test_rig_desc();
    desc.tangents = tangents;
    desc.target_count = 2;
    desc.targets = targets;
    bp_primitive *p = build(&desc);
    const float weights[2] = {0.5f, 0.5f};
    const bp_mat34 palette[2] = {identity, identity};
    float positions[18], normals[18], turned[24];
    bp_skinning_run(&(bp_skinning_job){.primitive = p,
                                       .palette = palette,
                                       .positions = positions,
                                       .normals = normals,
                                       .tangents = turned,
                                       .morph_weights = weights,
                                       .morph_weight_count = 2});
    assert_floats(positions, test_rig_positions, 18, 0);
    for (int v = 0; v < 6; ++v) { /* (0,0,1) + (0,1,0) + (.5,0,0); (1,0,0) + (0,1,0) */
        const float normal[3] = {1.0f / 3, 2.0f / 3, 2.0f / 3};
        const float tangent[4] = {ROOT_HALF, ROOT_HALF, 0, v % 2 ? -1.0f : 1.0f};
        assert_floats(normals + 3 * v, normal, 3, 1.5e-7);
        assert_floats(turned + 4 * v, tangent, 4, 1.5e-7);
    }
    bp_primitive_destroy(p);
}

/* ---- normals and tangents ------------------------------------------------------------------- */

typedef struct mat3d {
    double m[3][3];
} mat3d;

static mat3d random_linear(test_random *random) {
    mat3d result;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            result.m[r][c] = test_random_normal(random);
    return result;
}

/* x with transpose(m) x = n, by Cramer's rule: the inverse transpose without cofactor matrices. */
static void solve_transposed(double x[3], const mat3d *m, const double n[3]) {
    const double(*a)[3] = m->m;
    double det = a[0][0] * (a[1][1] * a[2][2] - a[2][1] * a[1][2]) -
                 a[1][0] * (a[0][1] * a[2][2] - a[2][1] * a[0][2]) +
                 a[2][0] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]);
    for (int i = 0; i < 3; ++i) {
        mat3d t = *m;
        for (int c = 0; c < 3; ++c)
            t.m[i][c] = n[c]; /* row i of m is column i of its transpose */
        const double(*b)[3] = t.m;
        x[i] = (b[0][0] * (b[1][1] * b[2][2] - b[2][1] * b[1][2]) -
                b[1][0] * (b[0][1] * b[2][2] - b[2][1] * b[0][2]) +
                b[2][0] * (b[0][1] * b[1][2] - b[1][1] * b[0][2])) /
               det;
    }
}

static void make_unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; ++i)
        v[i] /= length;
}

static bp_primitive one_vertex(const float *normal, const float *tangent) {
    static const float origin[3] = {0, 0, 0};
    return (bp_primitive){
        .vertex_count = 1, .positions = origin, .normals = normal, .tangents = tangent};
}

/* Any matrix that is not nearly flat, mirrored ones too, times any scale from 1e-6 to 1e6. */
static void test_normals_and_tangents_of_any_matrix(void **state) {
    (void)state;
    test_random random = {67};
    int mirrored = 0;
    for (int i = 0; i < 20000; ++i) {
        mat3d m = random_linear(&random);
        double scale = test_random_magnitude(&random, -6, 6), normal_scale = 1;
        if (i % 4 == 0) normal_scale = test_random_magnitude(&random, -9, 9);
        bp_mat34 matrix = {{{0}}};
        float normal[3], tangent[4] = {0, 0, 0, -1}, out_n[3], out_t[4];
        double n[3], x[3], t[3] = {0, 0, 0};
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                matrix.m[r][c] = (float)(m.m[r][c] * scale);
                m.m[r][c] = matrix.m[r][c] / scale;
            }
            normal[r] = (float)(test_random_normal(&random) * normal_scale);
            tangent[r] = (float)test_random_normal(&random);
            n[r] = normal[r] / normal_scale;
        }
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                t[r] += m.m[r][c] * tangent[c];
        solve_transposed(x, &m, n);
        double size = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
        double det = bp_mat34_determinant(&matrix) / (scale * scale * scale);
        if (fabs(det) < 0.05 || size > 20 || size < 0.1) continue; /* badly conditioned */
        mirrored += det < 0;
        make_unit(x);
        make_unit(t);
        bp_primitive p = one_vertex(normal, tangent);
        bp_skinning_run(&(bp_skinning_job){
            .primitive = &p, .palette = &matrix, .normals = out_n, .tangents = out_t});
        double length2 = 0;
        for (int r = 0; r < 3; ++r) {
            test_near(out_n[r], x[r], 2e-4);
            test_near(out_t[r], t[r], 2e-4);
            length2 += (double)out_n[r] * out_n[r];
        }
        test_near(sqrt(length2), 1, 2e-7);
        test_near(out_t[3], -1, 0);
    }
    assert_true(mirrored > 1000);
}

static void test_normals_of_scales_by_hand(void **state) {
    (void)state;
    const float normal[3] = {0.6f, 0, 0.8f}, tangent[4] = {0.6f, 0, 0.8f, 1};
    const struct {
        float scale[3];
        float normal[3], tangent[3];
    } cases[] = {
        {{1e6f, 1e6f, 1e6f}, {0.6f, 0, 0.8f}, {0.6f, 0, 0.8f}},
        {{1e-6f, 1e-6f, 1e-6f}, {0.6f, 0, 0.8f}, {0.6f, 0, 0.8f}},
        {{1e-12f, 1e-12f, 1e-12f}, {0.6f, 0, 0.8f}, {0.6f, 0, 0.8f}},
        {{1e12f, 1e12f, 1e12f}, {0.6f, 0, 0.8f}, {0.6f, 0, 0.8f}},
        {{1e6f, 1, 1e-6f}, {0, 0, 1}, {1, 0, 0}},
        {{-1, 1, 1}, {-0.6f, 0, 0.8f}, {-0.6f, 0, 0.8f}}, /* mirrored: still outwards */
        {{-1e-6f, -1e-6f, -1e-6f}, {-0.6f, 0, -0.8f}, {-0.6f, 0, -0.8f}},
        {{2, 1, 0}, {0, 0, 1}, {1, 0, 0}}, /* squashed into the xy plane */
        {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, /* into a line: no normal is left */
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_mat34 matrix = {{{0}}};
        for (int r = 0; r < 3; ++r)
            matrix.m[r][r] = cases[i].scale[r];
        bp_primitive p = one_vertex(normal, tangent);
        float out_n[3], out_t[4];
        bp_skinning_run(&(bp_skinning_job){
            .primitive = &p, .palette = &matrix, .normals = out_n, .tangents = out_t});
        assert_floats(out_n, cases[i].normal, 3, 2e-7);
        assert_floats(out_t, cases[i].tangent, 3, 2e-6);
    }
}

static void test_vectors_without_direction_stay_zero(void **state) {
    (void)state;
    const float normal[3] = {0, 0, 0}, tangent[4] = {0, 0, 0, -1};
    bp_primitive p = one_vertex(normal, tangent);
    float out_n[3] = {1, 1, 1}, out_t[4] = {1, 1, 1, 1};
    const float zero[4] = {0, 0, 0, -1};
    bp_skinning_run(&(bp_skinning_job){
        .primitive = &p, .palette = &identity, .normals = out_n, .tangents = out_t});
    assert_floats(out_n, zero, 3, 0);
    assert_floats(out_t, zero, 4, 0);

    const float tiny[3] = {0, 1e-45f, 0}, huge[3] = {0, 0, -3e38f};
    const float up[3] = {0, 1, 0}, back[3] = {0, 0, -1};
    p.normals = tiny;
    bp_skinning_run(&(bp_skinning_job){.primitive = &p, .palette = &identity, .normals = out_n});
    assert_floats(out_n, up, 3, 2e-7);
    p.normals = huge;
    bp_skinning_run(&(bp_skinning_job){.primitive = &p, .palette = &identity, .normals = out_n});
    assert_floats(out_n, back, 3, 2e-7);
}

/* ---- ranges and strides --------------------------------------------------------------------- */

enum { VERTICES = 331, JOINTS = 9, SLOTS = 5, TARGETS = 3 };

/* A mesh with everything, from random numbers. */
typedef struct busy_mesh {
    float positions[3 * VERTICES], normals[3 * VERTICES], tangents[4 * VERTICES];
    float deltas[TARGETS][3 * VERTICES];
    uint16_t joints[SLOTS * VERTICES];
    float weights[SLOTS * VERTICES];
    bp_mat34 palette[JOINTS];
    float morph_weights[TARGETS];
    bp_primitive *primitive;
} busy_mesh;

static void fill_random(test_random *random, float *values, size_t count, double scale) {
    for (size_t i = 0; i < count; ++i)
        values[i] = (float)(scale * test_random_normal(random));
}

static void make_busy_mesh(busy_mesh *mesh, test_random *random, double size) {
    fill_random(random, mesh->positions, COUNT(mesh->positions), size);
    fill_random(random, mesh->normals, COUNT(mesh->normals), 1);
    fill_random(random, mesh->tangents, COUNT(mesh->tangents), 1);
    for (int i = 0; i < TARGETS; ++i)
        fill_random(random, mesh->deltas[i], 3 * VERTICES, size);
    fill_random(random, &mesh->palette[0].m[0][0], 12 * JOINTS, 1);
    fill_random(random, mesh->morph_weights, TARGETS, 1);
    for (int i = 0; i < SLOTS * VERTICES; ++i) {
        mesh->joints[i] = (uint16_t)test_random_below(random, JOINTS);
        mesh->weights[i] = (float)(test_random_below(random, 4) * test_random_range(random, 0, 1));
    }
    const bp_morph_target targets[TARGETS] = {
        {.positions = mesh->deltas[0], .normals = mesh->deltas[1]},
        {.positions = mesh->deltas[1], .tangents = mesh->deltas[2]},
        {.normals = mesh->deltas[2]},
    };
    const bp_primitive_desc desc = {
        .vertex_count = VERTICES,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .tangents = mesh->tangents,
        .influence_count = SLOTS,
        .joints = mesh->joints,
        .weights = mesh->weights,
        .joint_count = JOINTS,
        .target_count = TARGETS,
        .targets = targets,
    };
    mesh->primitive = build(&desc);
}

static bp_skinning_job busy_job(const busy_mesh *mesh) {
    return (bp_skinning_job){.primitive = mesh->primitive,
                             .palette = mesh->palette,
                             .morph_weights = mesh->morph_weights,
                             .morph_weight_count = TARGETS};
}

static void test_any_split_gives_the_same_bits(void **state) {
    (void)state;
    static busy_mesh mesh;
    test_random random = {71};
    make_busy_mesh(&mesh, &random, 1);
    static float whole[10 * VERTICES], split[10 * VERTICES];
    for (int round = 0; round < 200; ++round) {
        bp_skinning_job job = busy_job(&mesh);
        job.rigid = round % 2;
        job.positions = whole;
        job.normals = whole + 3 * VERTICES;
        job.tangents = whole + 6 * VERTICES;
        bp_skinning_run(&job);
        memset(split, 0xFF, sizeof split);
        uint32_t most = 1 + test_random_below(&random, VERTICES);
        for (uint32_t first = 0, count; first < VERTICES; first += count) {
            count = 1 + test_random_below(&random, most);
            if (count > VERTICES - first) count = VERTICES - first;
            job.positions = split;
            job.normals = split + 3 * VERTICES;
            job.tangents = split + 6 * VERTICES;
            bp_skinning_run_range(&job, first, count);
            bp_skinning_run_range(&job, first, 0); /* an empty share of the work is no work */
        }
        assert_memory_equal(whole, split, sizeof whole);
    }
    bp_primitive_destroy(mesh.primitive);
}

/* One stream asked alone, or a subset, gives the bits of all together. */
static void test_any_choice_of_outputs(void **state) {
    (void)state;
    static busy_mesh mesh;
    test_random random = {73};
    make_busy_mesh(&mesh, &random, 1);
    static float all[10 * VERTICES], some[10 * VERTICES];
    bp_skinning_job job = busy_job(&mesh);
    job.positions = all;
    job.normals = all + 3 * VERTICES;
    job.tangents = all + 6 * VERTICES;
    bp_skinning_run(&job);
    for (int choice = 0; choice < 8; ++choice) {
        memset(some, 0xFF, sizeof some);
        job.positions = choice & 1 ? some : NULL;
        job.normals = choice & 2 ? some + 3 * VERTICES : NULL;
        job.tangents = choice & 4 ? some + 6 * VERTICES : NULL;
        bp_skinning_run(&job);
        if (choice & 1) assert_memory_equal(some, all, 12 * VERTICES);
        if (choice & 2) assert_memory_equal(some + 3 * VERTICES, all + 3 * VERTICES, 12 * VERTICES);
        if (choice & 4) assert_memory_equal(some + 6 * VERTICES, all + 6 * VERTICES, 16 * VERTICES);
    }
    bp_primitive_destroy(mesh.primitive);
}

/* Interleaved outputs in one buffer: what lies between the asked floats is not touched. */
static void test_strides_leave_gaps_alone(void **state) {
    (void)state;
    enum { STRIDE = 52, POSITION = 4, NORMAL = 16, TANGENT = 32 }; /* gaps at 0, 28 and 48 */
    static busy_mesh mesh;
    test_random random = {79};
    make_busy_mesh(&mesh, &random, 1);
    static float tight[10 * VERTICES];
    static union {
        unsigned char bytes[STRIDE * VERTICES];
        float floats[STRIDE * VERTICES / 4];
    } mixed;
    memset(mixed.bytes, 0xAB, sizeof mixed.bytes);
    bp_skinning_job job = busy_job(&mesh);
    job.positions = tight;
    job.normals = tight + 3 * VERTICES;
    job.tangents = tight + 6 * VERTICES;
    bp_skinning_run(&job);
    job.positions = mixed.floats + POSITION / 4;
    job.normals = mixed.floats + NORMAL / 4;
    job.tangents = mixed.floats + TANGENT / 4;
    job.position_stride = job.normal_stride = job.tangent_stride = STRIDE;
    bp_skinning_run(&job);
    const unsigned char gap[4] = {0xAB, 0xAB, 0xAB, 0xAB};
    for (size_t v = 0; v < VERTICES; ++v) {
        const unsigned char *vertex = mixed.bytes + STRIDE * v;
        assert_memory_equal(vertex, gap, 4);
        assert_memory_equal(vertex + POSITION, tight + 3 * v, 12);
        assert_memory_equal(vertex + NORMAL, tight + 3 * VERTICES + 3 * v, 12);
        assert_memory_equal(vertex + 28, gap, 4);
        assert_memory_equal(vertex + TANGENT, tight + 6 * VERTICES + 4 * v, 16);
        assert_memory_equal(vertex + 48, gap, 4);
    }
    bp_primitive_destroy(mesh.primitive);
}

/* Leaving slots without weight out changes no value: -0 == 0. */
static void test_slots_in_use(void **state) {
    (void)state;
    static busy_mesh mesh;
    static float a[10 * VERTICES], b[10 * VERTICES];
    test_random random = {89};
    for (int round = 0; round < 20; ++round) {
        make_busy_mesh(&mesh, &random, 1);
        bp_primitive all = *mesh.primitive;
        assert_non_null(all.slots_in_use);
        all.slots_in_use = NULL;
        bp_skinning_job job = busy_job(&mesh);
        job.positions = a;
        job.normals = a + 3 * VERTICES;
        job.tangents = a + 6 * VERTICES;
        bp_skinning_run(&job);
        job.primitive = &all;
        job.positions = b;
        job.normals = b + 3 * VERTICES;
        job.tangents = b + 6 * VERTICES;
        bp_skinning_run(&job);
        for (size_t i = 0; i < 10 * (size_t)VERTICES; ++i)
            assert_true(a[i] == b[i]);
        bp_primitive_destroy(mesh.primitive);
    }
}

/* One influence of weight 1 on every vertex is the rigid path, bit by bit. */
static void test_rigid_is_one_full_influence(void **state) {
    (void)state;
    static busy_mesh mesh;
    test_random random = {83};
    make_busy_mesh(&mesh, &random, 1);
    for (size_t i = 0; i < VERTICES; ++i) {
        mesh.joints[i] = 0;
        mesh.weights[i] = 1;
    }
    bp_primitive single = *mesh.primitive;
    single.influence_count = 1;
    single.slots_in_use = NULL;
    single.joints = mesh.joints;
    single.weights = mesh.weights;
    bp_primitive plain = single;
    plain.influence_count = 0;
    static float a[10 * VERTICES], b[10 * VERTICES];
    bp_skinning_job job = busy_job(&mesh);
    job.primitive = &single;
    job.positions = a;
    job.normals = a + 3 * VERTICES;
    job.tangents = a + 6 * VERTICES;
    bp_skinning_run(&job);
    job.primitive = &plain; /* no influences */
    job.positions = b;
    job.normals = b + 3 * VERTICES;
    job.tangents = b + 6 * VERTICES;
    bp_skinning_run(&job);
    assert_memory_equal(a, b, sizeof a);
    memset(b, 0xFF, sizeof b);
    job.primitive = mesh.primitive; /* influences that `rigid` overrules */
    job.rigid = true;
    bp_skinning_run(&job);
    assert_memory_equal(a, b, sizeof a);
    bp_primitive_destroy(mesh.primitive);
}

/* ---- bounds --------------------------------------------------------------------------------- */

static bool contains(bp_aabb outer, bp_aabb inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

static void test_bounds_of_random_meshes(void **state) {
    (void)state;
    static busy_mesh mesh;
    static float out[3 * VERTICES];
    test_random random = {89};
    for (int round = 0; round < 500; ++round) {
        make_busy_mesh(&mesh, &random, test_random_magnitude(&random, -40, 6));
        if (round % 4 == 1) mesh.morph_weights[0] = mesh.morph_weights[1] = 0;
        if (round % 4 == 2) /* far away: the errors of floats are as large as the mesh */
            for (int j = 0; j < JOINTS; ++j)
                mesh.palette[j].m[j % 3][3] = 1e7f;
        if (round % 4 == 3) /* nearly one transform: the boxes of all joints coincide */
            for (int j = 1; j < JOINTS; ++j)
                mesh.palette[j] = mesh.palette[0];
        bp_skinning_job job = busy_job(&mesh);
        job.rigid = round % 5 == 0;
        job.positions = out;
        bp_skinning_run(&job);
        bp_aabb expected = bp_aabb_empty();
        for (int v = 0; v < VERTICES; ++v)
            expected = bp_aabb_add(expected, (bp_vec3){out[3 * v], out[3 * v + 1], out[3 * v + 2]});
        job.positions = NULL;
        bp_aabb exact = bp_skinning_bounds(&job), fast = bp_skinning_bounds_fast(&job);
        assert_memory_equal(&exact, &expected, sizeof exact);
        assert_true(contains(fast, exact));
        bp_primitive_destroy(mesh.primitive);
    }
}

/* Meshes of one vertex: the true box is a point, so nothing but the margin covers the rounding. */
static void test_fast_bounds_cover_rounding(void **state) {
    (void)state;
    test_random random = {97};
    for (int round = 0; round < 50000; ++round) {
        float position[3], delta[3], morph_weight = (float)test_random_normal(&random);
        uint16_t joints[SLOTS];
        float weights[SLOTS];
        bp_mat34 palette[JOINTS];
        double size = test_random_magnitude(&random, -42, 10);
        fill_random(&random, position, 3, size);
        fill_random(&random, delta, 3, size);
        fill_random(&random, &palette[0].m[0][0], 12, test_random_magnitude(&random, -8, 8));
        for (int k = 0; k < SLOTS; ++k) {
            joints[k] = (uint16_t)k;
            weights[k] = (float)test_random_magnitude(&random, -20, 0);
        }
        for (int j = 1; j < JOINTS; ++j)
            palette[j] = palette[0];
        if (round % 2) /* the translation takes away what the rest gives */
            for (int j = 0; j < JOINTS; ++j) {
                bp_vec3 p = {position[0], position[1], position[2]};
                bp_vec3 moved = bp_mat34_direction(&palette[j], p);
                for (int r = 0; r < 3; ++r)
                    palette[j].m[r][3] = -(&moved.x)[r];
            }
        const bp_morph_target target = {.positions = delta};
        const bp_primitive_desc desc = {
            .vertex_count = 1,
            .positions = position,
            .influence_count = SLOTS,
            .joints = joints,
            .weights = weights,
            .joint_count = JOINTS,
            .target_count = 1,
            .targets = &target,
        };
        bp_primitive *p = build(&desc);
        bp_skinning_job job = {.primitive = p,
                               .palette = palette,
                               .morph_weights = &morph_weight,
                               .morph_weight_count = round % 3 > 0};
        bp_aabb exact = bp_skinning_bounds(&job), fast = bp_skinning_bounds_fast(&job);
        assert_true(contains(fast, exact));
        bp_primitive_destroy(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_rig_bent),
        cmocka_unit_test(test_v04b_bind_shape),
        cmocka_unit_test(test_v13_two_instances),
        cmocka_unit_test(test_v19_vertex_without_weights),
        cmocka_unit_test(test_v20_eight_influences),
        cmocka_unit_test(test_v35_normals_under_uneven_scale),
        cmocka_unit_test(test_outputs_begin_where_asked),
        cmocka_unit_test(test_v36_bounds),
        cmocka_unit_test(test_v37_morph_before_skin),
        cmocka_unit_test(test_morph_of_normals_and_tangents),
        cmocka_unit_test(test_normals_and_tangents_of_any_matrix),
        cmocka_unit_test(test_normals_of_scales_by_hand),
        cmocka_unit_test(test_vectors_without_direction_stay_zero),
        cmocka_unit_test(test_any_split_gives_the_same_bits),
        cmocka_unit_test(test_any_choice_of_outputs),
        cmocka_unit_test(test_strides_leave_gaps_alone),
        cmocka_unit_test(test_slots_in_use),
        cmocka_unit_test(test_rigid_is_one_full_influence),
        cmocka_unit_test(test_bounds_of_random_meshes),
        cmocka_unit_test(test_fast_bounds_cover_rounding),
    };
    return cmocka_run_group_tests_name("skinning", tests, NULL, NULL);
}
