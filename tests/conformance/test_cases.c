// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Small inputs from public bug reports, each with the right answer: posed positions, normals and
 * bounds, or a refusal that names its reason.
 */
#include "test_near.h"
#include "test_scene.h"
#include "test_shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct totals {
    uint32_t samples, failed;
    const char *name;
} totals;

static void fault(totals *t, const char *what, double time) {
    ++t->failed;
    print_error("%s at t = %g: %s\n", t->name, time, what);
}

/* A list of vectors, any of which may be null (then only finite), against floats. */
static bool vectors_match(const bp_document *d, bp_json list, const float *got, uint32_t count,
                          double tolerance) {
    if (list == BP_JSON_NONE) return true;
    if (!got || bp_json_count(d, list) != count) return false;
    uint32_t vertex = 0;
    for (bp_json v = bp_json_first(d, list); v != BP_JSON_NONE; v = bp_json_next(d, list, v)) {
        uint32_t width;
        double *want = test_json_numbers(d, v, &width);
        for (uint32_t k = 0; k < 3; ++k) {
            double value = got[3 * vertex + k];
            if (!isfinite(value)) return free(want), false;
            if (width == 3 && !(fabs(value - want[k]) <= tolerance)) return free(want), false;
        }
        free(want);
        ++vertex;
    }
    return true;
}

static bp_aabb scene_bounds(const test_scene *scene) {
    bp_aabb bounds = bp_aabb_empty();
    for (uint32_t i = 0; i < scene->count; ++i)
        if (scene->entries[i].instance->in_default_scene)
            bounds = bp_aabb_union(bounds, scene->entries[i].bounds);
    return bounds;
}

static bool bounds_match(const bp_document *d, bp_json want, bp_aabb got, double tolerance) {
    if (bp_json_type_of(d, want) != BP_JSON_OBJECT) return true;
    uint32_t count;
    double *low = test_json_numbers(d, test_json_member(d, want, "min"), &count);
    double *high = test_json_numbers(d, test_json_member(d, want, "max"), &count);
    const float values[6] = {got.min.x, got.min.y, got.min.z, got.max.x, got.max.y, got.max.z};
    bool match = true;
    for (int k = 0; k < 3; ++k)
        match &=
            fabs(values[k] - low[k]) <= tolerance && fabs(values[3 + k] - high[k]) <= tolerance;
    free(low);
    free(high);
    return match;
}

/* One acceptable answer: NULL when it fits, else what differs. */
static const char *compare_answer(const bp_document *d, bp_json answer, const test_scene *scene,
                                  double tolerance) {
    bp_json meshes = test_json_member(d, answer, "meshes");
    for (bp_json m = bp_json_first(d, meshes); m != BP_JSON_NONE; m = bp_json_next(d, meshes, m)) {
        uint32_t node = (uint32_t)test_json_number(d, test_json_member(d, m, "node"));
        uint32_t primitive = (uint32_t)test_json_number(d, test_json_member(d, m, "primitive"));
        const test_posed *posed = test_scene_find(scene, node, primitive);
        if (!posed) return "a mesh is missing";
        if (!vectors_match(d, bp_json_member(d, m, "positions"), posed->positions,
                           posed->vertex_count, tolerance))
            return "positions differ";
        if (!vectors_match(d, bp_json_member(d, m, "normals"), posed->normals, posed->vertex_count,
                           tolerance))
            return "normals differ";
    }
    bool match =
        bounds_match(d, bp_json_member(d, answer, "bounds"), scene_bounds(scene), tolerance);
    return match ? NULL : "bounds differ";
}

static void run_sample(totals *t, const bp_document *d, bp_json sample, const bp_model *model,
                       double tolerance) {
    double time = test_json_number(d, test_json_member(d, sample, "time"));
    double animation = test_json_number_or(d, sample, "animation", -1);
    tolerance = test_json_number_or(d, sample, "tolerance", tolerance);
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_clip_sample(pose, animation < 0 ? NULL : &model->clips[(int)animation], (float)time);
    bp_pose_update(pose);
    test_scene scene = test_scene_make(model, pose);
    const char *difference = compare_answer(d, sample, &scene, tolerance);
    bp_json others = bp_json_member(d, sample, "or");
    for (bp_json o = bp_json_first(d, others); difference && o != BP_JSON_NONE;
         o = bp_json_next(d, others, o))
        if (!compare_answer(d, o, &scene, tolerance)) difference = NULL;
    if (difference) fault(t, difference, time);
    ++t->samples;
    test_scene_destroy(&scene);
    bp_pose_destroy(pose);
}

/* A refusal has a place and names what the case says it must. */
static void check_refusal(totals *t, const bp_document *d, const bp_error *error) {
    char word[128];
    if (!error->message[0]) fault(t, "refused without a message", 0);
    bp_json mentions = bp_json_member(d, 0, "errorMentions");
    for (bp_json m = bp_json_first(d, mentions); m != BP_JSON_NONE;
         m = bp_json_next(d, mentions, m)) {
        bp_json_string(d, m, word, sizeof word);
        if (!strstr(error->message, word)) fault(t, error->message, 0);
    }
}

static void run_case(void *user, const char *path) {
    totals *t = user;
    bp_document *d;
    bp_model *model;
    bp_error error;
    char input[TEST_PATH_SIZE];
    size_t stem = strlen(path) - strlen(".expect.json");
    snprintf(input, sizeof input, "%.*s.gltf", (int)stem, path);
    t->name = strrchr(path, '/') + 1;
    if (bp_document_load_file(&d, path, NULL, &error) != BP_OK) fail_msg("%s", error.message);
    bool must_fail = bp_json_equals(d, bp_json_member(d, 0, "load"), "error");
    bool may_fail = bp_json_type_of(d, bp_json_member(d, 0, "mayRefuse")) == BP_JSON_TRUE;
    if (bp_model_load_file(&model, input, NULL, &error) != BP_OK) {
        if (!must_fail && !may_fail) fault(t, error.message, 0);
        check_refusal(t, d, &error);
    } else {
        if (must_fail) fault(t, "had to be refused", 0);
        double tolerance = test_json_number(d, test_json_member(d, 0, "tolerance"));
        bp_json samples = test_json_member(d, 0, "samples");
        for (bp_json s = bp_json_first(d, samples); s != BP_JSON_NONE;
             s = bp_json_next(d, samples, s))
            run_sample(t, d, s, model, tolerance);
    }
    bp_model_destroy(model);
    bp_document_destroy(d);
}

static void test_cases(void **state) {
    (void)state;
    char folder[TEST_PATH_SIZE];
    totals t = {0};
    test_shared_path(folder, "cases");
    test_files_visit(folder, ".expect.json", run_case, &t);
    print_message("%u samples, %u faults\n", t.samples, t.failed);
    assert_true(t.samples > 150);
    assert_int_equal(t.failed, 0);
}

static bp_model *load_case(const char *name) {
    char path[TEST_PATH_SIZE], file[128];
    bp_model *model;
    bp_error error;
    snprintf(file, sizeof file, "cases/%s", name);
    test_shared_path(path, file);
    if (bp_model_load_file(&model, path, NULL, &error) != BP_OK) fail_msg("%s", error.message);
    return model;
}

/* V15: names that many nodes carry, or none. */
static void test_name_lookup(void **state) {
    (void)state;
    uint32_t count;
    bp_model *model = load_case("V15B-all-nodes-share-a-name.gltf");
    int32_t node = bp_skeleton_find(&model->skeleton, "b", &count);
    assert_int_equal(model->skeleton.file_from_node[node], 0);
    assert_int_equal(count, 3);
    int32_t joint = bp_skin_find(&model->skins[0], &model->skeleton, "b", &count);
    assert_int_equal(joint, 0);
    assert_int_equal(model->skeleton.file_from_node[model->skins[0].joints[joint]], 1);
    assert_int_equal(count, 2);
    assert_int_equal(bp_skeleton_find(&model->skeleton, "B", &count), -1);
    assert_int_equal(bp_skeleton_find(&model->skeleton, "", &count), -1);
    bp_model_destroy(model);
    model = load_case("V15A-no-names.gltf");
    assert_int_equal(bp_skeleton_find(&model->skeleton, "b", &count), -1);
    assert_int_equal(bp_skeleton_find(&model->skeleton, NULL, &count), -1);
    assert_int_equal(count, 0);
    bp_model_destroy(model);
}

static const bp_warning *find_warning(const bp_model *model, bp_rule rule) {
    for (uint32_t i = 0; i < model->warning_count; ++i)
        if (model->warnings[i].rule == rule) return &model->warnings[i];
    return NULL;
}

/* V17: six of six vertices, worst sum 0.8; and raw weights when asked for. */
static void test_normalising_is_reported(void **state) {
    (void)state;
    static const float wanted[24] = {1,    0,    0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0,
                                     0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1,   0,   0, 0};
    bp_model *model = load_case("V17-weights-sum-to-0.8.gltf");
    const bp_warning *warning = find_warning(model, BP_RULE_ACCESSOR_WEIGHTS_NON_NORMALIZED);
    assert_non_null(warning);
    assert_int_equal(warning->count, 6);
    assert_string_equal(warning->pointer, "/meshes/0/primitives/0/attributes/WEIGHTS_0");
    assert_non_null(strstr(warning->message, "0.8"));
    const bp_primitive *primitive = &model->meshes[0].primitives[0];
    for (int i = 0; i < 24; ++i)
        test_near(primitive->weights[i], wanted[i], 4e-7);
    bp_model_destroy(model);

    char path[TEST_PATH_SIZE];
    test_shared_path(path, "cases/V17-weights-sum-to-0.8.gltf");
    const bp_load_options raw = {.keep_raw_weights = true};
    assert_int_equal(bp_model_load_file(&model, path, &raw, NULL), BP_OK);
    test_near(model->meshes[0].primitives[0].weights[0], 0.8, 1e-7);
    bp_model_destroy(model);
    model = load_case("V00-base.gltf");
    assert_null(find_warning(model, BP_RULE_ACCESSOR_WEIGHTS_NON_NORMALIZED));
    bp_model_destroy(model);
}

/* V19: a vertex without weights follows its first joint. */
static void test_vertex_without_weights(void **state) {
    (void)state;
    bp_model *model = load_case("V19-vertex-without-weights.gltf");
    const bp_warning *warning = find_warning(model, BP_RULE_ACCESSOR_WEIGHTS_ALL_ZERO);
    assert_non_null(warning);
    assert_int_equal(warning->count, 1);
    bp_model_destroy(model);
}

/* V05: rest and bind pose, joint by joint. */
static void test_bind_and_rest_distance(void **state) {
    (void)state;
    bp_model *model = load_case("V05-rest-pose-is-not-bind-pose.gltf");
    const bp_skin *skin = &model->skins[0];
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_bind_distance d[3];
    assert_int_equal(skin->joint_count, 3);
    assert_int_equal(skin->bind_shape_source, BP_BIND_SHAPE_UNKNOWN);
    bp_skin_bind_distances(d, skin, bp_pose_globals(pose));
    test_near(d[0].translation, 0, 1e-6);
    test_near(d[0].rotation, 0, 1e-4);
    test_near(d[1].translation, 0, 1e-6);
    test_near(d[1].rotation, 1.57079633, 1e-4);
    bp_pose_destroy(pose);
    bp_model_destroy(model);
}

/* V04: the bind shape that is folded into the inverse bind matrices is found again. */
static void test_bind_shape_of_a_file(void **state) {
    (void)state;
    bp_model *model = load_case("V04-bind-shape-folded-into-bind-matrices.gltf");
    assert_int_equal(model->skins[0].bind_shape_source, BP_BIND_SHAPE_REST);
    test_near_mat34(&model->skins[0].bind_shape,
                    (float[]){0.25f, 0, 0, -2, 0, 0.25f, 0, 0, 0, 0, 0.25f, 0}, 1e-5);
    bp_model_destroy(model);
}

/* V38: relative to the root, to a millionth. */
static void test_relative_palette(void **state) {
    (void)state;
    static const float wanted[18] = {-0.05f, 0,      0, 0.05f, 0,     0, -0.025f, 0.975f, 0,
                                     0.025f, 1.025f, 0, -1,    0.95f, 0, -1,      1.05f,  0};
    bp_model *model = load_case("V38-far-from-the-origin.gltf");
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_mat34 palette[2], origin;
    float positions[18];
    uint32_t root = model->skeleton.node_from_file[1];
    assert_true(bp_pose_update_relative(pose, root, &origin));
    bp_palette_build(palette, &model->skins[0], pose);
    for (int i = 0; i < 2; ++i)
        test_near_mat34(&palette[i], (float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 0);
    test_near(origin.m[0][3], 1000000, 0);
    bp_clip_sample(pose, &model->clips[0], 1);
    assert_true(bp_pose_update_relative(pose, root, NULL));
    bp_palette_build(palette, &model->skins[0], pose);
    bp_skinning_run(&(bp_skinning_job){
        .primitive = &model->meshes[0].primitives[0], .palette = palette, .positions = positions});
    for (int i = 0; i < 18; ++i)
        test_near(positions[i], wanted[i], 1e-6);
    bp_pose_destroy(pose);
    bp_model_destroy(model);
}

int main(void) {
    char folder[TEST_PATH_SIZE];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_name_lookup),
        cmocka_unit_test(test_normalising_is_reported),
        cmocka_unit_test(test_vertex_without_weights),
        cmocka_unit_test(test_bind_and_rest_distance),
        cmocka_unit_test(test_bind_shape_of_a_file),
        cmocka_unit_test(test_relative_palette),
    };
    if (!test_shared_path(folder, "cases")) {
        print_message("skipped: the collection of models is not there\n");
        return TEST_SKIPPED;
    }
    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
