// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Real models against right answers in double precision from an independent evaluator: local
 * transforms, morph weights, globals, joint matrices, positions, normals, tangents and bounds,
 * within 1e-5 of the model's size (1e-4 where the file's rotations are quantised).
 *
 * Vertices without weight are left out: what they do is our decision, not the specification's.
 */
#include "test_near.h"
#include "test_scene.h"
#include "test_shared.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The worst difference of one quantity in one file, as a fraction of its size. */
typedef struct worst {
    double error;
    char where[96];
} worst;

typedef struct context {
    const bp_document *oracle;
    const bp_model *model;
    const bp_pose *pose;
    const test_scene *scene;
    bool zero_weights;
    worst found;
    double sample_time;
    int animation;
} context;

static void note(context *c, double difference, double size, const char *what, double index) {
    double error = difference / (size > 1e-6 ? size : 1e-6);
    if (error <= c->found.error) return;
    c->found.error = error == error ? error : INFINITY;
    snprintf(c->found.where, sizeof c->found.where, "animation %d t %.9g: %s %g", c->animation,
             c->sample_time, what, index);
}

static double largest(const double *values, uint32_t count) {
    double size = 0.0;
    for (uint32_t i = 0; i < count; ++i)
        if (fabs(values[i]) > size) size = fabs(values[i]);
    return size;
}

/* A 3x4 matrix against 12 numbers: three columns, then the translation. */
static void compare_matrix(context *c, const bp_mat34 *got, const double *want, double size,
                           const char *what, double index) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
            note(c, fabs(got->m[row][column] - want[3 * column + row]), size, what, index);
}

static void compare_world(context *c, bp_json sample, bp_json nodes) {
    uint32_t count, node_count;
    double *want = test_json_numbers(c->oracle, bp_json_member(c->oracle, sample, "world"), &count);
    double *node = test_json_numbers(c->oracle, nodes, &node_count);
    double size = largest(want, count);
    for (uint32_t i = 0; want && i < node_count; ++i) {
        uint32_t index = c->model->skeleton.node_from_file[(uint32_t)node[i]];
        compare_matrix(c, &bp_pose_globals(c->pose)[index], want + 12 * i, size, "global of node",
                       node[i]);
    }
    free(want);
    free(node);
}

static void compare_locals(context *c, bp_json sample) {
    uint32_t count, node_count;
    double *want = test_json_numbers(c->oracle, bp_json_member(c->oracle, sample, "local"), &count);
    double *node =
        test_json_numbers(c->oracle, bp_json_member(c->oracle, sample, "localNodes"), &node_count);
    double size = want ? largest(want, count) : 0.0;
    for (uint32_t i = 0; want && i < node_count; ++i) {
        const double *w = want + 10 * i;
        bp_transform local =
            bp_pose_locals(c->pose)[c->model->skeleton.node_from_file[(uint32_t)node[i]]];
        const float got[10] = {local.translation.x, local.translation.y, local.translation.z,
                               local.rotation.x,    local.rotation.y,    local.rotation.z,
                               local.rotation.w,    local.scale.x,       local.scale.y,
                               local.scale.z};
        double dot = 0.0;
        for (int k = 3; k < 7; ++k)
            dot += got[k] * w[k];
        for (int k = 0; k < 10; ++k) {
            double sign = k >= 3 && k < 7 && dot < 0.0 ? -1.0 : 1.0;
            note(c, fabs(sign * got[k] - w[k]), size, "local of node", node[i]);
        }
    }
    free(want);
    free(node);
}

static void compare_weights(context *c, bp_json sample) {
    bp_json weights = bp_json_member(c->oracle, sample, "weights");
    bp_json entry = bp_json_first(c->oracle, weights);
    for (; entry != BP_JSON_NONE; entry = bp_json_next(c->oracle, weights, entry)) {
        char key[16];
        uint32_t count;
        bp_json_key(c->oracle, entry, key, sizeof key);
        double *want = test_json_numbers(c->oracle, entry, &count);
        uint32_t node = c->model->skeleton.node_from_file[atoi(key)];
        const float *got = bp_pose_weights(c->pose) + c->model->skeleton.weight_first[node];
        for (uint32_t i = 0; i < count; ++i)
            note(c, fabs(got[i] - want[i]), 1.0, "morph weight of node", atof(key));
        free(want);
    }
}

static void compare_joints(context *c, bp_json sample) {
    bp_json skins = bp_json_member(c->oracle, sample, "skins");
    bp_json entry = bp_json_first(c->oracle, skins);
    for (; entry != BP_JSON_NONE; entry = bp_json_next(c->oracle, skins, entry)) {
        uint32_t count;
        uint32_t index = (uint32_t)test_json_number_or(c->oracle, entry, "skin", -1);
        const bp_skin *skin = &c->model->skins[index];
        double *want =
            test_json_numbers(c->oracle, test_json_member(c->oracle, entry, "jm"), &count);
        assert_int_equal(count, 12 * skin->joint_count);
        bp_mat34 *palette = malloc(skin->joint_count * sizeof *palette);
        bp_palette_build(palette, skin, c->pose);
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
            compare_matrix(c, &palette[joint], want + 12 * joint, largest(want, count),
                           "joint matrix", joint);
        free(palette);
        free(want);
    }
}

/* got[3 * v] against want[3 * i] for the sampled vertices; NaN means undefined there. */
static void compare_vertices(context *c, const float *got, uint32_t stride, bp_json array,
                             const double *vertices, uint32_t vertex_count, double size,
                             const char *what) {
    uint32_t count;
    double *want = test_json_numbers(c->oracle, array, &count);
    for (uint32_t i = 0; got && want && i < vertex_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double expected = want[3 * i + (uint32_t)k];
            if (expected != expected) continue;
            double actual = got[stride * (uint32_t)vertices[i] + (uint32_t)k];
            note(c, fabs(actual - expected), size, what, vertices[i]);
        }
    free(want);
}

static void compare_box(context *c, bp_aabb got, bp_aabb fast, const double *want, double size) {
    const float low[3] = {got.min.x, got.min.y, got.min.z},
                high[3] = {got.max.x, got.max.y, got.max.z};
    const float outer_low[3] = {fast.min.x, fast.min.y, fast.min.z};
    const float outer_high[3] = {fast.max.x, fast.max.y, fast.max.z};
    for (int k = 0; k < 3; ++k) {
        note(c, fabs(low[k] - want[k]), size, "bounds, min", k);
        note(c, fabs(high[k] - want[3 + k]), size, "bounds, max", k);
        if (outer_low[k] > low[k] || outer_high[k] < high[k])
            note(c, INFINITY, 1.0, "fast bounds are smaller than the bounds", k);
    }
}

static void compare_primitive(context *c, bp_json description, bp_json sample) {
    uint32_t vertex_count, box_count;
    uint32_t node = (uint32_t)test_json_number_or(c->oracle, description, "node", -1);
    uint32_t primitive = (uint32_t)test_json_number_or(c->oracle, description, "prim", -1);
    const test_posed *posed = test_scene_find(c->scene, node, primitive);
    if (!posed) fail_msg("node %u primitive %u is not there", node, primitive);
    double *vertices = test_json_numbers(
        c->oracle, test_json_member(c->oracle, description, "verts"), &vertex_count);
    bp_json positions = bp_json_member(c->oracle, sample, "posNorm");
    bp_json box = bp_json_member(c->oracle, sample, "aabbNorm");
    if (positions == BP_JSON_NONE) positions = bp_json_member(c->oracle, sample, "pos");
    if (box == BP_JSON_NONE) box = bp_json_member(c->oracle, sample, "aabb");
    double *want_box = test_json_numbers(c->oracle, box, &box_count);
    double size = largest(want_box, box_count);
    if (!c->zero_weights) {
        compare_vertices(c, posed->positions, 3, positions, vertices, vertex_count, size,
                         "position of vertex");
        compare_box(c, posed->bounds, posed->fast_bounds, want_box, size);
        /* Directions: 1e-4 absolute where positions have 1e-5 of the size. */
        compare_vertices(c, posed->normals, 3, bp_json_member(c->oracle, sample, "nrm"), vertices,
                         vertex_count, 10.0, "normal of vertex");
        compare_vertices(c, posed->tangents, 4, bp_json_member(c->oracle, sample, "tan"), vertices,
                         vertex_count, 10.0, "tangent of vertex");
    }
    free(want_box);
    free(vertices);
}

/* A pose for models without animation: some nodes' rotations and weights replaced. */
static void apply_overrides(const bp_document *oracle, bp_json overrides, const bp_model *model,
                            bp_pose *pose) {
    bp_json rotations = bp_json_member(oracle, overrides, "rotation");
    bp_json weights = bp_json_member(oracle, overrides, "weights");
    uint32_t count;
    char key[16];
    for (bp_json v = bp_json_first(oracle, rotations); v != BP_JSON_NONE;
         v = bp_json_next(oracle, rotations, v)) {
        bp_json_key(oracle, v, key, sizeof key);
        uint32_t node = model->skeleton.node_from_file[atoi(key)];
        double *q = test_json_numbers(oracle, v, &count);
        bp_transform local = bp_pose_locals(pose)[node];
        local.rotation = (bp_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        bp_pose_set_local(pose, node, local);
        free(q);
    }
    for (bp_json v = bp_json_first(oracle, weights); v != BP_JSON_NONE;
         v = bp_json_next(oracle, weights, v)) {
        bp_json_key(oracle, v, key, sizeof key);
        double *w = test_json_numbers(oracle, v, &count);
        uint32_t node = model->skeleton.node_from_file[atoi(key)];
        float *narrow = malloc((count + 1) * sizeof *narrow);
        for (uint32_t i = 0; i < count; ++i)
            narrow[i] = (float)w[i];
        bp_pose_set_weights(pose, node, count, narrow);
        free(narrow);
        free(w);
    }
}

static void compare_sample(context *c, bp_json root, bp_json sample, bp_pose *pose) {
    const bp_document *oracle = c->oracle;
    c->animation = (int)test_json_number_or(oracle, sample, "anim", -1);
    c->sample_time = test_json_number_or(oracle, sample, "t", 0);
    const bp_clip *clip = c->animation < 0 ? NULL : &c->model->clips[c->animation];
    bp_clip_sample(pose, clip, (float)c->sample_time);
    apply_overrides(oracle, bp_json_member(oracle, sample, "overrides"), c->model, pose);
    bp_pose_update(pose);
    test_scene scene = test_scene_make(c->model, pose);
    c->scene = &scene;
    c->pose = pose;
    compare_locals(c, sample);
    compare_weights(c, sample);
    compare_world(c, sample, bp_json_member(oracle, root, "worldNodes"));
    compare_joints(c, sample);
    bp_json descriptions = test_json_member(oracle, root, "prims");
    bp_json values = test_json_member(oracle, sample, "prims");
    bp_json d = bp_json_first(oracle, descriptions), v = bp_json_first(oracle, values);
    while (d != BP_JSON_NONE && v != BP_JSON_NONE) {
        compare_primitive(c, d, v);
        d = bp_json_next(oracle, descriptions, d);
        v = bp_json_next(oracle, values, v);
    }
    assert_true(d == BP_JSON_NONE && v == BP_JSON_NONE);
    test_scene_destroy(&scene);
}

typedef struct totals {
    uint32_t files, failed, unsupported;
} totals;

static void compare_model(totals *t, const char *name, const bp_document *oracle,
                          const bp_model *model) {
    bp_json stats = test_json_member(oracle, 0, "stats");
    double tolerance =
        test_json_number_or(oracle, stats, "maxQuatNormError", 0) > 1e-6 ? 1e-4 : 1e-5;
    context c = {.oracle = oracle,
                 .model = model,
                 .zero_weights = test_json_number_or(oracle, stats, "zeroWeightVertices", 0) > 0};
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_json samples = test_json_member(oracle, 0, "samples");
    for (bp_json s = bp_json_first(oracle, samples); s != BP_JSON_NONE;
         s = bp_json_next(oracle, samples, s))
        compare_sample(&c, 0, s, pose);
    bp_pose_destroy(pose);
    if (c.found.error <= tolerance) return;
    ++t->failed;
    print_error("%s: off by %.3g at %s\n", name, c.found.error, c.found.where);
}

/* One oracle file: the model that it names, then every sample. */
static void visit(totals *t, const char *path) {
    bp_document *oracle;
    bp_model *model;
    bp_error error;
    char file[512], model_path[TEST_PATH_SIZE];
    if (bp_document_load_file(&oracle, path, NULL, &error) != BP_OK)
        fail_msg("%s: %s", path, error.message);
    bp_json files = test_json_member(oracle, 0, "files");
    bp_json_string(oracle, bp_json_first(oracle, files), file, sizeof file);
    ++t->files;
    test_shared_path(model_path, file);
    bp_result result = bp_model_load_file(&model, model_path, NULL, &error);
    if (result == BP_OK)
        compare_model(t, file, oracle, model);
    else
        print_error("%s: %s: %s\n", file, error.pointer, error.message);
    if (result == BP_ERROR_UNSUPPORTED)
        ++t->unsupported;
    else if (result != BP_OK)
        ++t->failed;
    bp_model_destroy(model);
    bp_document_destroy(oracle);
}

static void test_oracle(void **state) {
    (void)state;
    char path[TEST_PATH_SIZE], name[512];
    bp_document *index;
    bp_error error;
    totals t = {0};
    test_shared_path(path, "oracle/index.json");
    if (bp_document_load_file(&index, path, NULL, &error) != BP_OK) fail_msg("%s", error.message);
    bp_json oracles = test_json_member(index, 0, "oracles");
    for (bp_json v = bp_json_first(index, oracles); v != BP_JSON_NONE;
         v = bp_json_next(index, oracles, v)) {
        bp_json_string(index, test_json_member(index, v, "oracle"), name, sizeof name);
        test_shared_path(path, name);
        visit(&t, path);
    }
    bp_document_destroy(index);
    print_message("%u models, %u differ, %u need components that this build lacks\n", t.files,
                  t.failed, t.unsupported);
    assert_true(t.files > 100);
    assert_int_equal(t.failed, 0);
}

int main(void) {
    char folder[TEST_PATH_SIZE];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_oracle)};
    if (!test_shared_path(folder, "oracle")) {
        print_message("skipped: the collection of models is not there\n");
        return TEST_SKIPPED;
    }
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
