// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The Khronos validator's own inputs: no valid file is refused, and a file whose fault concerns
 * memory or structure is refused or contained, a refusal with its place and reason.
 */
#include "test_near.h"
#include "test_scene.h"
#include "test_shared.h"

#include <stdio.h>
#include <string.h>

typedef struct totals {
    uint32_t cases, refused, contained, failed;
} totals;

/* What is left of a broken file must still be safe to use. */
static void use_model(const bp_model *model) {
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    for (uint32_t i = 0; i < model->clip_count; ++i) {
        bp_clip_sample(pose, &model->clips[i], 0.5f * model->clips[i].duration);
        bp_pose_update(pose);
    }
    test_scene scene = test_scene_make(model, pose);
    test_scene_destroy(&scene);
    bp_pose_destroy(pose);
}

static void run_case(totals *t, const bp_document *index, bp_json entry) {
    char file[256], name[300], path[TEST_PATH_SIZE];
    bp_model *model;
    bp_error error;
    bp_json_string(index, test_json_member(index, entry, "file"), file, sizeof file);
    snprintf(name, sizeof name, "validator-suite/%s", file);
    test_shared_path(path, name);
    bool valid = bp_json_equals(index, test_json_member(index, entry, "verdict"), "valid");
    bp_result result = bp_model_load_file(&model, path, NULL, &error);
    ++t->cases;
    if (result == BP_OK) {
        use_model(model);
        if (!valid && model->warning_count > 0) ++t->contained;
    } else {
        ++t->refused;
        bool silent = strlen(error.message) < 8;
        if (valid || silent) {
            ++t->failed;
            print_error("%s: %s%s\n", file,
                        valid ? "valid, but refused: " : "refused without a word", error.message);
        }
    }
    bp_model_destroy(model);
}

static void test_suite(void **state) {
    (void)state;
    char path[TEST_PATH_SIZE];
    bp_document *index;
    bp_error error;
    totals t = {0};
    test_shared_path(path, "validator-suite/index.json");
    if (bp_document_load_file(&index, path, NULL, &error) != BP_OK) fail_msg("%s", error.message);
    bp_json cases = test_json_member(index, 0, "cases");
    for (bp_json c = bp_json_first(index, cases); c != BP_JSON_NONE;
         c = bp_json_next(index, cases, c))
        run_case(&t, index, c);
    bp_document_destroy(index);
    print_message("%u cases, %u refused, %u read with warnings\n", t.cases, t.refused, t.contained);
    assert_true(t.cases > 200);
    assert_int_equal(t.failed, 0);
}

int main(void) {
    char folder[TEST_PATH_SIZE];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_suite)};
    if (!test_shared_path(folder, "validator-suite")) {
        print_message("skipped: the collection of models is not there\n");
        return TEST_SKIPPED;
    }
    return cmocka_run_group_tests_name("validator_suite", tests, NULL, NULL);
}
