// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * document, files: through callbacks, and from the file system, where nothing outside of the
 * model's folder is read.
 */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700 /* mkdtemp, symlink, mkfifo */
#endif

#include "test_allocator.h"
#include "test_document_source.h"

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <sys/stat.h>
#include <unistd.h>
#else
#define HAVE_POSIX 0
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- callbacks ------------------------------------------------------------------------------- */

static void test_callbacks(void **state) {
    (void)state;
    static const struct {
        const char *uri, *asked;
    } cases[] = {{"a.bin", "a.bin"}, {"sub/a%20b.bin", "sub/a b.bin"},
                 {"a b%", "a b%"},   {"%E2%82%AC\\u20ac", "\xE2\x82\xAC\xE2\x82\xAC"},
                 {"../x", "../x"},   {"http://example.com/%2e%2E", "http://example.com/.."}};
    char json[8192];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        test_served files = {.bytes = {(const unsigned char *)"wxyz", 4}};
        const bp_load_options options = {.files = {test_serve, test_take_back, &files}};
        bp_document *document;
        assert_int_equal(test_document_load_uri(&document, json, cases[i].uri, 4, &options, NULL),
                         BP_OK);
        assert_string_equal(files.asked, cases[i].asked);
        assert_ptr_equal(test_first_view(document).data, files.bytes.data);
        assert_int_equal(files.releases, 0);
        bp_document_destroy(document);
        assert_int_equal(files.reads, 1);
        assert_int_equal(files.releases, 1);
    }
}

/* The model itself comes through the callback, too, and goes back when it cannot be read. */
static void test_callbacks_for_the_model(void **state) {
    (void)state;
    test_served files = {.bytes = {(const unsigned char *)"{\"a\":1}", 7}};
    bp_load_options options = {.files = {test_serve, test_take_back, &files}};
    bp_document *document;
    bp_error error;
    assert_int_equal(bp_document_load_file(&document, "x/y z.gltf", &options, NULL), BP_OK);
    assert_string_equal(files.asked, "x/y z.gltf");
    bp_document_destroy(document);
    assert_int_equal(files.releases, 1);
    files.bytes.size = 6;
    assert_int_equal(bp_document_load_file(&document, "x.gltf", &options, &error), BP_ERROR_FORMAT);
    assert_int_equal(files.releases, 2);
    files.result = BP_ERROR_IO;
    assert_int_equal(bp_document_load_file(&document, "x.gltf", &options, &error), BP_ERROR_IO);
    assert_int_equal(files.releases, 2);
    assert_string_equal(error.message, "the file callback could not read it (input/output error)");
    files = (test_served){.bytes = {(const unsigned char *)"{\"a\":1}", 7}};
    options.limits.file_bytes = 6;
    assert_int_equal(bp_document_load_file(&document, "x.gltf", &options, &error), BP_ERROR_LIMIT);
    assert_int_equal(files.releases, 1);
}

static void test_callback_failures(void **state) {
    (void)state;
    test_served files = {.result = BP_ERROR_FORMAT, .bytes = {(const unsigned char *)"wxyz", 4}};
    bp_load_options options = {.files = {test_serve, NULL, &files}};
    char json[8192];
    bp_document *document;
    bp_error error;
    assert_int_equal(test_document_load_uri(&document, json, "a", 4, &options, NULL), BP_OK);
    test_view_fault(document, BP_ERROR_IO, BP_RULE_IO_ERROR, "/buffers/0/uri");
    bp_document_destroy(document);
    files.result = BP_ERROR_OUT_OF_MEMORY;
    assert_int_equal(test_document_load_uri(&document, json, "a", 4, &options, &error),
                     BP_ERROR_OUT_OF_MEMORY);
    assert_string_equal(error.pointer, "/buffers/0/uri");
    files.result = BP_OK;
    options.limits.file_bytes = 3;
    assert_int_equal(bp_document_load_memory(&document, json, strlen(json), &options, &error),
                     BP_ERROR_LIMIT);
}

static void test_uris_that_are_none(void **state) {
    (void)state;
    static const char *const uris[] = {"", "a%00b", "%00"};
    char json[8192];
    for (size_t i = 0; i < COUNT(uris); ++i) {
        test_served files = {.bytes = {(const unsigned char *)"wxyz", 4}};
        const bp_load_options options = {.files = {test_serve, test_take_back, &files}};
        bp_document *document;
        assert_int_equal(test_document_load_uri(&document, json, uris[i], 4, &options, NULL),
                         BP_OK);
        test_view_fault(document, BP_ERROR_FORMAT, BP_RULE_INVALID_URI, "/buffers/0/uri");
        assert_int_equal(files.reads, 0);
        bp_document_destroy(document);
    }
}

/* ---- the file system ------------------------------------------------------------------------- */

/* From memory and without a folder, files are not read, whatever their URI. */
static void test_no_folder(void **state) {
    (void)state;
    char json[8192];
    bp_document *document;
    assert_int_equal(test_document_load_uri(&document, json, "a.bin", 4, NULL, NULL), BP_OK);
    test_view_fault(document, BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER, "/buffers/0/uri");
    bp_document_destroy(document);
}

#if HAVE_POSIX

static char root[64]; /* a temporary folder: model/ and outside/ in it */

static void write_file(const char *name, const char *bytes, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void make_link(const char *target, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(symlink(target, path), 0);
}

static void make_folder(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int set_up_folders(void **state) {
    (void)state;
    char path[256];
    strcpy(root, "/tmp/bindpose-document-XXXXXX");
    if (!mkdtemp(root)) return -1;
    make_folder("model");
    make_folder("model/sub");
    make_folder("model2");
    make_folder("outside");
    write_file("model/a.bin", "aaaa", 4);
    write_file("model/sub/b c.bin", "bbbb", 4);
    write_file("model/\xE2\x82\xAC%.bin", "cccc", 4);
    write_file("model/x:y.bin", "dddd", 4);
    write_file("model/back\\slash", "eeee", 4);
    write_file("model/empty", "", 0);
    write_file("model2/secret", "ssss", 4);
    write_file("outside/secret", "ssss", 4);
    make_link("a.bin", "model/inner");
    make_link("../a.bin", "model/sub/inner");
    make_link("sub", "model/folder");
    make_link("../outside/secret", "model/leak");
    make_link("../outside", "model/leaky");
    make_link("loop", "model/loop");
    make_link("nowhere", "model/dangling");
    snprintf(path, sizeof path, "%s/model/a.bin", root);
    make_link(path, "model/absolute");
    make_link("/etc/passwd", "model/passwd");
    make_link("model", "alias");
    snprintf(path, sizeof path, "%s/model/pipe", root);
    return mkfifo(path, 0600);
}

static int remove_folders(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void test_files_inside(void **state) {
    (void)state;
    static const struct {
        const char *uri, *bytes;
    } cases[] = {
        {"a.bin", "aaaa"},          {"./a.bin", "aaaa"},        {".//a.bin", "aaaa"},
        {"%61%2Ebin", "aaaa"},      {"sub/../a.bin", "aaaa"},   {"sub%2f..%2Fa.bin", "aaaa"},
        {"sub/b%20c.bin", "bbbb"},  {"sub/b c.bin", "bbbb"},    {"\xE2\x82\xAC%25.bin", "cccc"},
        {"%E2%82%AC%.bin", "cccc"}, {"\\u20ac%25.bin", "cccc"}, {"x%3Ay.bin", "dddd"},
        {"./x:y.bin", "dddd"},      {"back\\\\slash", "eeee"},  {"inner", "aaaa"},
        {"sub/inner", "aaaa"},      {"folder/b c.bin", "bbbb"}, {"absolute", "aaaa"}};
    char json[8192], folder[128];
    for (int ending = 0; ending < 3; ++ending) {
        snprintf(folder, sizeof folder, "%s/%s", root,
                 ending == 2   ? "alias"
                 : ending == 1 ? "model/"
                               : "model");
        const bp_load_options options = {.folder = folder};
        for (size_t i = 0; i < COUNT(cases); ++i) {
            bp_document *document;
            assert_int_equal(
                test_document_load_uri(&document, json, cases[i].uri, 4, &options, NULL), BP_OK);
            assert_memory_equal(test_first_view(document).data, cases[i].bytes, 4);
            bp_document_destroy(document);
        }
    }
}

static void test_files_refused(void **state) {
    (void)state;
    static const struct {
        const char *uri;
        bp_result result;
        bp_rule rule;
    } cases[] = {
        {"", BP_ERROR_FORMAT, BP_RULE_INVALID_URI},
        {":", BP_ERROR_FORMAT, BP_RULE_INVALID_URI},
        {"1:2.bin", BP_ERROR_FORMAT, BP_RULE_INVALID_URI},
        {"a%00.bin", BP_ERROR_FORMAT, BP_RULE_INVALID_URI},
        {"a:b.bin", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"http://example.com/a.bin", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"file:///etc/passwd", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"FILE:a.bin", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"C:\\\\a.bin", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"/etc/passwd", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"%2Fetc%2Fpasswd", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"\\\\\\\\server\\\\share", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"%5Cx", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"..", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"../outside/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"../model2/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"../model/a.bin", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"%2e%2E/outside/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"sub/../../outside/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"./sub/./..//../outside/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"sub\\\\..\\\\..\\\\outside", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"sub\\\\x/../../outside", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"leak", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"leaky/secret", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"leaky/../a.bin", BP_ERROR_IO, BP_RULE_IO_ERROR}, /* beside where the link leads */
        {"passwd", BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER},
        {"nothing.bin", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"a.bin/x", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"dangling", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"loop", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"sub", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"sub/", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"sub/..", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {".", BP_ERROR_IO, BP_RULE_IO_ERROR},
        {"pipe", BP_ERROR_IO, BP_RULE_IO_ERROR},
    };
    char json[8192], folder[128];
    snprintf(folder, sizeof folder, "%s/model", root);
    const bp_load_options options = {.folder = folder};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document;
        bp_bytes bytes;
        bp_error error = {.rule = ""};
        assert_int_equal(test_document_load_uri(&document, json, cases[i].uri, 4, &options, NULL),
                         BP_OK);
        bp_result result = bp_document_buffer_view(document, 0, BP_JSON_NONE, &bytes, &error);
        if (result != cases[i].result || strcmp(error.rule, bp_rule_name(cases[i].rule)) != 0)
            fail_msg("%s: %d, %s: %s", cases[i].uri, result, error.rule, error.message);
        assert_string_equal(error.pointer, "/buffers/0/uri");
        bp_document_destroy(document);
    }
}

static void test_files_outside_allowed(void **state) {
    (void)state;
    char json[8192], folder[128], absolute[128];
    snprintf(folder, sizeof folder, "%s/model", root);
    snprintf(absolute, sizeof absolute, "%s/outside/secret", root);
    const char *const uris[] = {"../outside/secret", "leak", "leaky/secret", absolute};
    const bp_load_options options = {.folder = folder, .allow_files_outside = true};
    bp_document *document;
    for (size_t i = 0; i < COUNT(uris); ++i) {
        assert_int_equal(test_document_load_uri(&document, json, uris[i], 4, &options, NULL),
                         BP_OK);
        assert_memory_equal(test_first_view(document).data, "ssss", 4);
        bp_document_destroy(document);
    }
    assert_int_equal(test_document_load_uri(&document, json, "http://x/y", 4, &options, NULL),
                     BP_OK);
    test_view_fault(document, BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER, "/buffers/0/uri");
    bp_document_destroy(document);
    assert_int_equal(test_document_load_uri(&document, json, "pipe", 4, &options, NULL), BP_OK);
    test_view_fault(document, BP_ERROR_IO, BP_RULE_IO_ERROR, "/buffers/0/uri");
    bp_document_destroy(document);
}

static void test_load_file(void **state) {
    (void)state;
    char path[128], json[8192];
    bp_document *document;
    bp_error error;
    assert_int_equal(test_document_load_uri(&document, json, "sub/b c.bin", 4, NULL, NULL), BP_OK);
    bp_document_destroy(document);
    write_file("model/model.gltf", json, strlen(json));
    snprintf(path, sizeof path, "%s/model/model.gltf", root);
    assert_int_equal(bp_document_load_file(&document, path, NULL, &error), BP_OK);
    assert_memory_equal(test_first_view(document).data, "bbbb", 4);
    assert_int_equal(bp_document_file_size(document), strlen(json));
    bp_document_destroy(document);
    char here[512];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/model", root);
    assert_int_equal(chdir(path), 0);
    bp_result result = bp_document_load_file(&document, "model.gltf", NULL, &error);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(result, BP_OK);
    assert_memory_equal(test_first_view(document).data, "bbbb", 4);
    bp_document_destroy(document);
}

static void test_load_file_failures(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bp_result result;
        const char *rule;
    } cases[] = {{"model/none.gltf", BP_ERROR_IO, "IO_ERROR"},
                 {"model", BP_ERROR_IO, "IO_ERROR"},
                 {"model/pipe", BP_ERROR_IO, "IO_ERROR"},
                 {"model/empty", BP_ERROR_FORMAT, "INVALID_JSON"},
                 {"model/a.bin", BP_ERROR_FORMAT, "INVALID_JSON"},
                 {"a.glb", BP_ERROR_FORMAT, "GLB_INVALID_MAGIC"},
                 {"empty.glb", BP_ERROR_FORMAT, "GLB_UNEXPECTED_END_OF_HEADER"}};
    char path[128];
    write_file("a.glb", "aaaaaaaaaaaaaaaa", 16);
    write_file("empty.glb", "", 0);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document;
        bp_error error;
        snprintf(path, sizeof path, "%s/%s", root, cases[i].name);
        assert_int_equal(bp_document_load_file(&document, path, NULL, &error), cases[i].result);
        assert_string_equal(error.rule, cases[i].rule);
        assert_null(document);
    }
}

/* A limit is checked before memory is taken for the file, main or external. */
static void test_file_limits(void **state) {
    (void)state;
    char path[128], json[8192];
    bp_document *document;
    bp_error error;
    test_allocator counter = {0};
    bp_load_options options = {.allocator = test_allocator_make(&counter),
                               .limits = {.file_bytes = 15}};
    snprintf(path, sizeof path, "%s/a.glb", root);
    assert_int_equal(bp_document_load_file(&document, path, &options, &error), BP_ERROR_LIMIT);
    assert_int_equal(counter.count, 1); /* the document itself */
    assert_int_equal(counter.live, 0);
    snprintf(path, sizeof path, "%s/model", root);
    options = (bp_load_options){.folder = path, .limits = {.file_bytes = 200}};
    char large[201] = {0};
    write_file("model/large", large, sizeof large);
    assert_int_equal(test_document_load_uri(&document, json, "large", 4, &options, &error),
                     BP_ERROR_LIMIT);
    assert_string_equal(error.pointer, "/buffers/0/uri");
    options.limits.file_bytes = 201;
    assert_int_equal(test_document_load_uri(&document, json, "large", 4, &options, &error), BP_OK);
    bp_document_destroy(document);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callbacks),         cmocka_unit_test(test_callbacks_for_the_model),
        cmocka_unit_test(test_callback_failures), cmocka_unit_test(test_uris_that_are_none),
        cmocka_unit_test(test_no_folder),
    };
    int failed = cmocka_run_group_tests_name("document_file", tests, NULL, NULL);
#if HAVE_POSIX
    const struct CMUnitTest folder_tests[] = {
        cmocka_unit_test(test_files_inside),          cmocka_unit_test(test_files_refused),
        cmocka_unit_test(test_files_outside_allowed), cmocka_unit_test(test_load_file),
        cmocka_unit_test(test_load_file_failures),    cmocka_unit_test(test_file_limits),
    };
    failed += cmocka_run_group_tests_name("document_file.folders", folder_tests, set_up_folders,
                                          remove_folders);
#endif
    return failed;
}
