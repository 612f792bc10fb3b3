// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Which files a model may name. Each case is a URI of a buffer, in a model in a folder with links,
 * pipes and neighbours, and the result and rule that it must have.
 */
#define _XOPEN_SOURCE 700

#include "bindpose/gltf.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/bindpose-paths-XXXXXX";
static char start[PATH_MAX];

/* ---- the folder ------------------------------------------------------------------------------ */

static const char *const folders[] = {"model", "model/sub", "model2"};

/* Each holds one vertex; the file says which, so that a test can tell them apart. */
static const char *const files[] = {
    "outside.bin",        "model2/secret.bin",   "model/in.bin",        "model/sub/deep.bin",
    "model/a b.bin",      "model/100%.bin",      "model/%zz.bin",       "model/a:b.bin",
    "model/\xC3\xBC.bin", "model/sub\\back.bin", "model/question?.bin", "model/...",
};

static const char *const links[][2] = {
    {"../outside.bin", "model/link-out"},
    {"sub/deep.bin", "model/link-in"},
    {"../model/in.bin", "model/link-round"},
    {"..", "model/link-up"},
    {"../model2/secret.bin", "model/link-near"},
    {"/dev/zero", "model/link-device"},
    {"link-loop", "model/link-loop"},
    {"nothing", "model/link-nothing"},
};

static void write_file(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file) fail_msg("%s: %s", name, strerror(errno));
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state) {
    (void)state;
    assert_non_null(getcwd(start, sizeof start));
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        const float vertex[3] = {(float)i, 0, 0};
        write_file(files[i], vertex, sizeof vertex);
    }
    for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i)
        assert_int_equal(symlink(links[i][0], links[i][1]), 0);
    assert_int_equal(mkfifo("model/pipe", 0600), 0);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    assert_int_equal(chdir(root), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
        unlink(files[i]);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; ++i)
        unlink(links[i][1]);
    unlink("model/pipe");
    unlink("model/model.gltf");
    for (size_t i = sizeof folders / sizeof folders[0]; i-- > 0;)
        rmdir(folders[i]);
    assert_int_equal(chdir(start), 0);
    assert_int_equal(rmdir(root), 0);
    return 0;
}

/* ---- a case ---------------------------------------------------------------------------------- */

typedef struct uri_case {
    const char *uri; /* as in JSON */
    bp_result result;
    const char *rule; /* or the file that is read */
} uri_case;

static const char *model_text(const char *uri) {
    static char text[16384];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{"
             "\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
             "\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":1}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
             "\"buffers\":[{\"byteLength\":12,\"uri\":\"%s\"}]}",
             uri);
    return text;
}

static void check(const uri_case *c, bp_result result, bp_model *model, const bp_error *error) {
    if (result != c->result)
        fail_msg("\"%.100s\": %s (%s)", c->uri, bp_result_name(result),
                 result == BP_OK ? "" : error->message);
    if (result == BP_OK) {
        const char *read = files[(int)model->meshes[0].primitives[0].positions[0]];
        if (strcmp(read, c->rule) != 0) fail_msg("\"%s\" reads %s", c->uri, read);
    } else {
        if (strcmp(error->rule, c->rule) != 0)
            fail_msg("\"%.100s\": rule %s, not %s", c->uri, error->rule, c->rule);
        assert_string_equal(error->pointer, "/buffers/0/uri");
        assert_true(error->message[0] != '\0');
    }
    bp_model_destroy(model);
}

/* From a file by its absolute name, and from memory with the folder. */
static void check_both(const uri_case *c, bp_load_options options) {
    char path[PATH_MAX], folder[PATH_MAX];
    const char *text = model_text(c->uri);
    bp_error error = {0};
    bp_model *model;
    snprintf(path, sizeof path, "%s/model/model.gltf", root);
    snprintf(folder, sizeof folder, "%s/model", root);
    write_file(path, text, strlen(text));
    bp_result result = bp_model_load_file(&model, path, &options, &error);
    check(c, result, model, &error);
    options.folder = folder;
    result = bp_model_load_memory(&model, text, strlen(text), &options, &error);
    check(c, result, model, &error);
}

#define OUTSIDE BP_ERROR_IO, "FILE_OUTSIDE_FOLDER"
#define MISSING BP_ERROR_IO, "IO_ERROR"
#define INVALID BP_ERROR_FORMAT, "INVALID_URI"

static void test_files_inside(void **state) {
    static const uri_case cases[] = {
        {"in.bin", BP_OK, "model/in.bin"},
        {"./in.bin", BP_OK, "model/in.bin"},
        {"sub/deep.bin", BP_OK, "model/sub/deep.bin"},
        {"sub//deep.bin", BP_OK, "model/sub/deep.bin"},
        {"sub/../in.bin", BP_OK, "model/in.bin"},
        {"sub/./../sub/deep.bin", BP_OK, "model/sub/deep.bin"},
        {"a b.bin", BP_OK, "model/a b.bin"},
        {"a%20b.bin", BP_OK, "model/a b.bin"},
        {"%61%20b%2Ebin", BP_OK, "model/a b.bin"},
        {"100%.bin", BP_OK, "model/100%.bin"},
        {"100%25.bin", BP_OK, "model/100%.bin"},
        {"%zz.bin", BP_OK, "model/%zz.bin"},
        {"a%3Ab.bin", BP_OK, "model/a:b.bin"},
        {"./a:b.bin", BP_OK, "model/a:b.bin"},
        {"\xC3\xBC.bin", BP_OK, "model/\xC3\xBC.bin"},
        {"%C3%BC.bin", BP_OK, "model/\xC3\xBC.bin"},
        {"\\u00fc.bin", BP_OK, "model/\xC3\xBC.bin"},
        {"sub%5Cback.bin", BP_OK, "model/sub\\back.bin"},
        {"question?.bin", BP_OK, "model/question?.bin"},
        {"...", BP_OK, "model/..."},
        {"link-in", BP_OK, "model/sub/deep.bin"},
        {"link-round", BP_OK, "model/in.bin"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_both(&cases[i], (bp_load_options){0});
}

static void test_files_outside(void **state) {
    static const uri_case cases[] = {
        {"/etc/passwd", OUTSIDE},
        {"%2Fetc/passwd", OUTSIDE},
        {"//host/share", OUTSIDE},
        {"../outside.bin", OUTSIDE},
        {"%2e%2e/outside.bin", OUTSIDE},
        {"%2E%2E%2Foutside.bin", OUTSIDE},
        {".%2e/outside.bin", OUTSIDE},
        {"\\u002e\\u002e/outside.bin", OUTSIDE},
        {"./../outside.bin", OUTSIDE},
        {"sub/../../outside.bin", OUTSIDE},
        {"sub/%2e%2e/%2e%2e/outside.bin", OUTSIDE},
        {"../model/in.bin", OUTSIDE},
        {"..", OUTSIDE},
        {"..\\\\outside.bin", OUTSIDE},
        {"sub\\\\..\\\\..\\\\outside.bin", OUTSIDE},
        {"\\\\\\\\host\\\\share", OUTSIDE},
        {"%5C%5Chost", OUTSIDE},
        {"link-out", OUTSIDE},
        {"link-up/outside.bin", OUTSIDE},
        {"link-up/model2/secret.bin", OUTSIDE},
        {"link-near", OUTSIDE},
        {"link-device", OUTSIDE},
        {"http://example.com/in.bin", OUTSIDE},
        {"file:///etc/passwd", OUTSIDE},
        {"FILE:in.bin", OUTSIDE},
        {"c:in.bin", OUTSIDE},
        {"C:\\\\in.bin", OUTSIDE},
        {"javascript:in.bin", OUTSIDE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_both(&cases[i], (bp_load_options){0});
}

static void test_files_that_are_none(void **state) {
    static char long_name[5001], long_path[10001];
    memset(long_name, 'x', sizeof long_name - 1);
    for (size_t i = 0; i + 1 < sizeof long_path; i += 2)
        memcpy(long_path + i, "a/", 2);
    const uri_case cases[] = {
        {"missing.bin", MISSING},
        {"missing/../in.bin", MISSING},
        {"in.bin/", MISSING},
        {"in.bin/deep.bin", MISSING},
        {"sub", MISSING},
        {".", MISSING},
        {"pipe", MISSING},
        {"link-loop", MISSING},
        {"link-nothing", MISSING},
        {"in.bin\\u0000", MISSING}, /* U+FFFD: not to end early */
        {"in.bin#part", MISSING},
        {"sub\\\\deep.bin", MISSING},
        {"~/in.bin", MISSING},
        {"$HOME", MISSING},
        {long_name, MISSING},
        {long_path, MISSING},
        {"\\ud800.bin", MISSING},
        {"IN.bin", MISSING},
        {"", INVALID},
        {"in.bin%00", INVALID},
        {"%00", INVALID},
        {"in.bin%00/../../outside.bin", INVALID},
        {":in.bin", INVALID},
        {"1:in.bin", INVALID},
        {"data:;base64", INVALID},
        {"data:;base64,A", INVALID},
        {"data:;base64,\\u00fc", INVALID},
        {"data:;base64,AA=A", INVALID},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_both(&cases[i], (bp_load_options){0});
}

/* With the option, paths may leave the folder; other schemes stay out, pipes and devices too. */
static void test_files_allowed_outside(void **state) {
    static const uri_case cases[] = {
        {"../outside.bin", BP_OK, "outside.bin"},
        {"%2e%2e/model2/secret.bin", BP_OK, "model2/secret.bin"},
        {"link-out", BP_OK, "outside.bin"},
        {"link-up/outside.bin", BP_OK, "outside.bin"},
        {"in.bin", BP_OK, "model/in.bin"},
        {"/dev/zero", MISSING},
        {"link-device", MISSING},
        {"pipe", MISSING},
        {"..", MISSING},
        {"http://example.com/in.bin", OUTSIDE},
        {"file:///etc/passwd", OUTSIDE},
        {"in.bin%00", INVALID},
    };
    char absolute[PATH_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_both(&cases[i], (bp_load_options){.allow_files_outside = true});
    snprintf(absolute, sizeof absolute, "%s/outside.bin", root);
    uri_case c = {absolute, BP_OK, "outside.bin"};
    check_both(&c, (bp_load_options){.allow_files_outside = true});
}

/* ---- folders and the model itself ------------------------------------------------------------ */

/* Wherever the program runs, and however the model is called. */
static void test_names_of_the_model(void **state) {
    static const char *const names[][2] = {
        {"", "model/model.gltf"},          {"", "./model//model.gltf"},
        {"model", "model.gltf"},           {"model/sub", "../model.gltf"},
        {"model2", "../model/model.gltf"}, {"", "model/link-up/model/model.gltf"},
    };
    static const uri_case inside = {"in.bin", BP_OK, "model/in.bin"},
                          outside = {"../outside.bin", OUTSIDE};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; ++i) {
        const uri_case *c = i % 2 ? &outside : &inside;
        bp_error error = {0};
        bp_model *model;
        assert_int_equal(chdir(root), 0);
        write_file("model/model.gltf", model_text(c->uri), strlen(model_text(c->uri)));
        if (*names[i / 2][0]) assert_int_equal(chdir(names[i / 2][0]), 0);
        bp_result result = bp_model_load_file(&model, names[i / 2][1], NULL, &error);
        check(c, result, model, &error);
    }
    assert_int_equal(chdir(root), 0);
}

static void test_folders(void **state) {
    static const struct {
        const char *folder;
        uri_case expected;
    } cases[] = {
        {"model", {"in.bin", BP_OK, "model/in.bin"}},
        {"model/", {"in.bin", BP_OK, "model/in.bin"}},
        {"model/sub/..", {"in.bin", BP_OK, "model/in.bin"}},
        {"", {"outside.bin", BP_OK, "outside.bin"}},
        {".", {"model/in.bin", BP_OK, "model/in.bin"}},
        {"model/sub", {"../in.bin", OUTSIDE}},
        {"model/link-up", {"outside.bin", BP_OK, "outside.bin"}},
        {"missing", {"in.bin", MISSING}},
        {"model/in.bin", {"in.bin", MISSING}},
        {NULL, {"in.bin", OUTSIDE}},
        {NULL, {"data:;base64,AABAQAAAAAAAAAAA", BP_OK, "model/sub/deep.bin"}},
    };
    (void)state;
    assert_int_equal(chdir(root), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *text = model_text(cases[i].expected.uri);
        bp_load_options options = {.folder = cases[i].folder};
        bp_error error = {0};
        bp_model *model;
        bp_result result = bp_model_load_memory(&model, text, strlen(text), &options, &error);
        check(&cases[i].expected, result, model, &error);
    }
}

/* Nothing but a regular file is a model; a pipe that nobody writes to does not hang the load. */
static void test_models_that_are_none(void **state) {
    static const char *const names[] = {
        "missing.glb",     "model", "model/pipe",    "/dev/zero",        "/dev/null",
        "model/link-loop", "",      "model/in.bin/", "model/link-device"};
    (void)state;
    assert_int_equal(chdir(root), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        bp_error error = {0};
        bp_model *model;
        bp_result result = bp_model_load_file(&model, names[i], NULL, &error);
        if (result != BP_ERROR_IO) fail_msg("%s: %s", names[i], bp_result_name(result));
        assert_null(model);
        assert_string_equal(error.rule, "IO_ERROR");
        assert_true(error.message[0] != '\0');
    }
}

static void test_limit_of_external_files(void **state) {
    const char *text = model_text("in.bin");
    bp_load_options options = {.folder = "model", .limits = {.file_bytes = strlen(text)}};
    bp_error error = {0};
    bp_model *model;
    (void)state;
    assert_int_equal(chdir(root), 0);
    write_file("model/model.gltf", text, strlen(text));
    assert_int_equal(bp_model_load_file(&model, "model/model.gltf", &options, &error), BP_OK);
    bp_model_destroy(model);
    options.limits.file_bytes--;
    assert_int_equal(bp_model_load_file(&model, "model/model.gltf", &options, &error),
                     BP_ERROR_LIMIT);
    /* A buffer's file is read as far as byteLength says; its size counts all the same. */
    assert_int_equal(truncate("model/in.bin", 1 << 20), 0);
    options.limits = (bp_limits){.file_bytes = (1 << 20) - 1};
    assert_int_equal(bp_model_load_memory(&model, text, strlen(text), &options, &error),
                     BP_ERROR_LIMIT);
    options.limits = (bp_limits){.memory_bytes = 500000};
    assert_int_equal(bp_model_load_memory(&model, text, strlen(text), &options, &error), BP_OK);
    bp_model_destroy(model);
    assert_int_equal(truncate("model/in.bin", 12), 0);
}

/* Images are named, not read: the rules are the same, but breaking one costs the image only. */
static void test_images(void **state) {
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"a%20b.png\"},"
        "{\"uri\":\"../b.png\"},{\"uri\":\"/c.png\"},{\"uri\":\"http://d/e.png\"},"
        "{\"uri\":\"f%00.png\"},{\"uri\":\"g%FF.png\"},{\"uri\":\"sub/h.png\"}]}";
    static const char *const paths[] = {"a b.png", "", "", "", "", "", "sub/h.png"};
    bp_model *model;
    (void)state;
    assert_int_equal(bp_model_load_memory(&model, text, sizeof text - 1, NULL, NULL), BP_OK);
    assert_int_equal(model->image_count, 7);
    for (uint32_t i = 0; i < model->image_count; ++i) {
        assert_string_equal(model->images[i].uri, paths[i]);
        assert_int_equal(model->images[i].bytes.size, 0);
    }
    assert_int_equal(model->warning_count, 5);
    bp_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_inside),
        cmocka_unit_test(test_files_outside),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_files_allowed_outside),
        cmocka_unit_test(test_names_of_the_model),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_models_that_are_none),
        cmocka_unit_test(test_limit_of_external_files),
        cmocka_unit_test(test_images),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
