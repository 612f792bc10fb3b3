// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Every fixture, our own assets and, where it is there, a spread of the shared models: with each
 * allocation failing in turn, cut at each byte, and patched at random. Whatever loads is held
 * against the promises of a model, and used.
 */
#include "test_allocator.h"
#include "test_fixtures.h"
#include "test_random.h"
#include "test_shared.h"
#include "test_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    WORK_WHOLE = 3000000, /* vertices and the like; see test_use_model */
    WORK_DAMAGED = 20000,
    MOST_BYTES = 200000 /* larger models are left out */
};

/* Without an optional component a whole fixture fails like this. */
static bool may_fail(const char *name, bp_result result) {
    return result == BP_ERROR_UNSUPPORTED && strstr(name, "draco");
}

static void check_none(const char *name, const char *broken) {
    if (broken) fail_msg("%s: broken promise: %s", name, broken);
}

/* Loads bytes; checks the model or the error, and that nothing is left. */
static bp_result load(const char *name, test_file file, test_allocator *allocator, bool raw,
                      uint64_t work) {
    bp_model *model = NULL;
    bp_error error = {.offset = -7};
    bp_load_options options = {.allocator = test_allocator_make(allocator),
                               .keep_raw_weights = raw};
    bp_result result = bp_model_load_memory(&model, file.bytes, file.size, &options, &error);
    assert_int_equal(result == BP_OK, model != NULL);
    if (model) {
        check_none(name, test_check_model(model, raw));
        if (work > 0) check_none(name, test_use_model(model, raw, work));
    } else {
        check_none(name, test_check_error(&error, result, file.size));
    }
    bp_model_destroy(model);
    if (allocator->live != 0 || allocator->held != 0)
        fail_msg("%s: %zu allocations leaked", name, allocator->live);
    return result;
}

/* Each fixture as a GLB and as JSON. */
static void each_fixture(void (*visit)(const char *name, test_file file)) {
    for (size_t i = 0; i < 2 * test_fixture_count(); ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", test_fixture_name(i / 2), i % 2 ? "glb" : "gltf");
        test_file file = test_fixture_make(i / 2, i % 2 == 1);
        visit(name, file);
        free(file.bytes);
    }
}

/* What each_model and visit_model carry along. */
typedef struct model_visit {
    void (*visit)(const char *name, test_file file);
    unsigned count;
} model_visit;

static void visit_model(void *user, const char *path) {
    model_visit *visit = user;
    test_file file = test_file_read(path);
    if (file.size > 0 && file.size <= MOST_BYTES) {
        visit->visit(path, file);
        ++visit->count;
    }
    free(file.bytes);
}

/* Our own assets, which are larger than the fixtures, and where they are there models of others. */
static void each_model(void (*visit)(const char *name, test_file file)) {
    char folder[TEST_PATH_SIZE];
    model_visit models = {visit, 0};
    test_files_visit("assets", ".glb", visit_model, &models);
    assert_true(models.count >= 2);
    if (!test_shared_path(folder, "models")) return;
    test_files_visit(folder, ".glb", visit_model, &models);
    test_files_visit(folder, ".gltf", visit_model, &models);
}

/* ---- whole ----------------------------------------------------------------------------------- */

static void check_whole(const char *name, test_file file) {
    for (int raw = 0; raw < 2; ++raw) {
        test_allocator allocator = {0};
        bp_result result = load(name, file, &allocator, raw == 1, WORK_WHOLE);
        if (result != BP_OK && !may_fail(name, result))
            fail_msg("%s: %s", name, bp_result_name(result));
    }
}

/* Among the models of others are broken ones, and ones in parts. */
static void check_any(const char *name, test_file file) {
    test_allocator allocator = {0};
    load(name, file, &allocator, false, WORK_WHOLE);
}

static void test_load_whole(void **state) {
    (void)state;
    each_fixture(check_whole);
    each_model(check_any);
}

/* ---- memory that is refused ------------------------------------------------------------------ */

/* Each allocation of a whole load in turn; none of them may be missed in silence. */
static void check_allocations(const char *name, test_file file) {
    test_allocator allocator = {0};
    bp_result whole = load(name, file, &allocator, false, 0);
    size_t count = allocator.count;
    for (size_t fail_at = 1; fail_at <= count; ++fail_at) {
        allocator = (test_allocator){.fail_at = fail_at};
        bp_result result = load(name, file, &allocator, false, 0);
        if (result != BP_ERROR_OUT_OF_MEMORY && result != whole)
            fail_msg("%s: %s when allocation %zu failed", name, bp_result_name(result), fail_at);
        if (result == BP_OK) fail_msg("%s: allocation %zu is not needed", name, fail_at);
    }
}

static void test_load_out_of_memory(void **state) {
    (void)state;
    each_fixture(check_allocations);
    each_model(check_allocations);
}

/* A model is posed with memory of its own. */
static void test_pose_out_of_memory(void **state) {
    (void)state;
    test_file file = test_fixture_make(1, true);
    bp_model *model;
    assert_int_equal(bp_model_load_memory(&model, file.bytes, file.size, NULL, NULL), BP_OK);
    free(file.bytes);
    for (size_t fail_at = 1;; ++fail_at) {
        test_allocator allocator = {.fail_at = fail_at};
        bp_allocator made = test_allocator_make(&allocator);
        bp_pose *pose = bp_pose_create(&model->skeleton, &made);
        assert_int_equal(pose == NULL, allocator.count >= fail_at);
        bp_pose_destroy(pose);
        assert_int_equal(allocator.live, 0);
        if (pose) break;
    }
    bp_model_destroy(model);
}

/* ---- cut ------------------------------------------------------------------------------------- */

static void check_cut(const char *name, test_file file) {
    for (size_t size = 0; size < file.size; ++size) {
        test_file part = {malloc(size ? size : 1), size};
        test_allocator allocator = {0};
        assert_non_null(part.bytes);
        memcpy(part.bytes, file.bytes, size);
        bp_result result = load(name, part, &allocator, false, WORK_DAMAGED);
        if (result != BP_ERROR_FORMAT)
            fail_msg("%s: %s when cut at byte %zu", name, bp_result_name(result), size);
        free(part.bytes);
    }
}

static void test_load_cut(void **state) {
    (void)state;
    each_fixture(check_cut);
}

/* The larger ones at some bytes: the header, the seams, and here and there. */
static void check_cut_sparsely(const char *name, test_file file) {
    size_t step = file.size / 40 + 1;
    for (size_t size = 0; size < file.size; size += size < 32 ? 1 : step) {
        test_file part = {malloc(size ? size : 1), size};
        test_allocator allocator = {0};
        assert_non_null(part.bytes);
        memcpy(part.bytes, file.bytes, size);
        load(name, part, &allocator, false, 0);
        free(part.bytes);
    }
}

static void test_load_models_cut(void **state) {
    (void)state;
    each_model(check_cut_sparsely);
}

/* ---- patched --------------------------------------------------------------------------------- */

/* One to four bytes become others: any, a neighbour's value, or one that is special in JSON. */
static void patch(test_file file, test_random *random) {
    static const char special[] = "0123456789-.eE{}[]\",:\\ \x7F\xFF";
    uint32_t count = 1 + test_random_below(random, 4);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at = test_random_below(random, (uint32_t)file.size);
        switch (test_random_below(random, 4)) {
        case 0: file.bytes[at] = (unsigned char)test_random_bits(random); break;
        case 1: file.bytes[at] ^= (unsigned char)(1u << test_random_below(random, 8)); break;
        case 2: file.bytes[at] = file.bytes[test_random_below(random, (uint32_t)file.size)]; break;
        default:
            file.bytes[at] = (unsigned char)special[test_random_below(random, sizeof special - 1)];
        }
    }
}

static void check_patched(const char *name, test_file file, uint32_t rounds) {
    test_random random = {0x9E3779B97F4A7C15u + file.size};
    test_file copy = {malloc(file.size), file.size};
    assert_non_null(copy.bytes);
    for (uint32_t i = 0; i < rounds; ++i) {
        char title[160];
        test_allocator allocator = {0};
        snprintf(title, sizeof title, "%s, patch %u", name, (unsigned)i);
        memcpy(copy.bytes, file.bytes, file.size);
        patch(copy, &random);
        load(title, copy, &allocator, i % 2 == 1, WORK_DAMAGED);
    }
    free(copy.bytes);
}

static void check_patched_often(const char *name, test_file file) {
    check_patched(name, file, 8000);
}

static void check_patched_seldom(const char *name, test_file file) {
    check_patched(name, file, 250);
}

static void test_load_patched(void **state) {
    (void)state;
    each_fixture(check_patched_often);
    each_model(check_patched_seldom);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_whole),         cmocka_unit_test(test_load_out_of_memory),
        cmocka_unit_test(test_pose_out_of_memory), cmocka_unit_test(test_load_cut),
        cmocka_unit_test(test_load_models_cut),    cmocka_unit_test(test_load_patched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
