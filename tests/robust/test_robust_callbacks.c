// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * File callbacks: what they are asked for, and that every successful read is released once, with
 * the bytes that it gave, however the load ends.
 */
#include "test_allocator.h"
#include "test_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- files ----------------------------------------------------------------------------------- */

enum { MOST_HELD = 16 };

static const char model_text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
    "\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,"
    "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},{\"bufferView\":1,"
    "\"componentType\":5121,\"type\":\"SCALAR\",\"count\":3}],\"bufferViews\":[{\"buffer\":0,"
    "\"byteLength\":36},{\"buffer\":1,\"byteLength\":3}],\"buffers\":[{\"byteLength\":36,"
    "\"uri\":\"a%20b/positions.bin\"},{\"byteLength\":3,\"uri\":\"../indices.bin\"},"
    "{\"byteLength\":3,\"uri\":\"data:,abc\"},{\"byteLength\":1,\"uri\":\"never-asked.bin\"}],"
    "\"images\":[{\"uri\":\"image.png\"}]}";

/* A file system of three files. `read_count` counts successes; each read is its own memory. */
typedef struct test_disk {
    const char *failing; /* the name that cannot be read, or NULL */
    bp_result failure;
    unsigned asked, read_count, released;
    bp_bytes held[MOST_HELD];
    unsigned held_count;
    bool is_short; /* the positions lack their last bytes */
} test_disk;

static bp_bytes find(const test_disk *disk, const char *name) {
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const unsigned char indices[3] = {0, 1, 2};
    if (strcmp(name, "folder/model.gltf") == 0)
        return (bp_bytes){(const unsigned char *)model_text, sizeof model_text - 1};
    if (strcmp(name, "a b/positions.bin") == 0)
        return (bp_bytes){(const unsigned char *)positions, disk->is_short ? 20 : sizeof positions};
    if (strcmp(name, "../indices.bin") == 0) return (bp_bytes){indices, sizeof indices};
    return (bp_bytes){NULL, 0};
}

static bp_result read_file(void *user, const char *name, bp_bytes *bytes) {
    test_disk *disk = user;
    bp_bytes found = find(disk, name);
    ++disk->asked;
    if (disk->failing && strcmp(disk->failing, name) == 0) return disk->failure;
    if (!found.data) return BP_ERROR_IO;
    assert_true(disk->held_count < MOST_HELD);
    unsigned char *copy = malloc(found.size);
    assert_non_null(copy);
    memcpy(copy, found.data, found.size);
    *bytes = (bp_bytes){copy, found.size};
    disk->held[disk->held_count++] = *bytes;
    ++disk->read_count;
    return BP_OK;
}

static void release_file(void *user, bp_bytes bytes) {
    test_disk *disk = user;
    ++disk->released;
    for (unsigned i = 0; i < disk->held_count; ++i) {
        if (disk->held[i].data != bytes.data) continue;
        assert_int_equal(disk->held[i].size, bytes.size);
        free((void *)(uintptr_t)bytes.data);
        disk->held[i] = disk->held[--disk->held_count];
        return;
    }
    fail_msg("bytes are released that are not held");
}

/* Loads through the disk; afterwards nothing is held. */
static bp_result load(test_disk *disk, bp_load_options options, bp_error *error) {
    bp_model *model = NULL;
    options.files = (bp_file_callbacks){read_file, release_file, disk};
    bp_result result = bp_model_load_file(&model, "folder/model.gltf", &options, error);
    assert_int_equal(result == BP_OK, model != NULL);
    assert_int_equal(disk->held_count, 0); /* a model needs none of the files */
    assert_int_equal(disk->read_count, disk->released);
    const char *broken =
        model ? test_check_model(model, false) : test_check_error(error, result, sizeof model_text);
    if (!broken && model) broken = test_use_model(model, false, 100000);
    if (broken) fail_msg("broken promise: %s", broken);
    bp_model_destroy(model);
    return result;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The model, its buffers by their decoded names; images are not read, lost buffers not missed. */
static void test_callbacks_read_and_release(void **state) {
    test_disk disk = {0};
    bp_error error;
    (void)state;
    assert_int_equal(load(&disk, (bp_load_options){0}, &error), BP_OK);
    assert_int_equal(disk.asked, 4);
    assert_int_equal(disk.read_count, 3);
}

static void test_callbacks_that_fail(void **state) {
    static const struct {
        const char *failing;
        bp_result failure, result;
        const char *rule, *pointer;
    } cases[] = {
        {"folder/model.gltf", BP_ERROR_IO, BP_ERROR_IO, "IO_ERROR", ""},
        {"folder/model.gltf", BP_ERROR_OUT_OF_MEMORY, BP_ERROR_OUT_OF_MEMORY, NULL, ""},
        {"a b/positions.bin", BP_ERROR_IO, BP_ERROR_IO, "IO_ERROR", "/buffers/0/uri"},
        {"a b/positions.bin", BP_ERROR_FORMAT, BP_ERROR_IO, "IO_ERROR", "/buffers/0/uri"},
        {"../indices.bin", BP_ERROR_IO, BP_ERROR_IO, "IO_ERROR", "/buffers/1/uri"},
        {"../indices.bin", BP_ERROR_OUT_OF_MEMORY, BP_ERROR_OUT_OF_MEMORY, NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test_disk disk = {.failing = cases[i].failing, .failure = cases[i].failure};
        bp_error error;
        assert_int_equal(load(&disk, (bp_load_options){0}, &error), cases[i].result);
        if (cases[i].rule) assert_string_equal(error.rule, cases[i].rule);
        if (cases[i].pointer) assert_string_equal(error.pointer, cases[i].pointer);
    }
}

static void test_callbacks_of_short_files(void **state) {
    test_disk disk = {.is_short = true};
    bp_error error;
    (void)state;
    assert_int_equal(load(&disk, (bp_load_options){0}, &error), BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "BUFFER_BYTE_LENGTH_MISMATCH");
}

static void test_callbacks_and_memory(void **state) {
    size_t count = 1;
    (void)state;
    for (size_t fail_at = 0; fail_at <= count; ++fail_at) {
        test_allocator allocator = {.fail_at = fail_at};
        test_disk disk = {0};
        bp_error error;
        bp_load_options options = {.allocator = test_allocator_make(&allocator)};
        bp_result result = load(&disk, options, &error);
        assert_int_equal(result, fail_at == 0 ? BP_OK : BP_ERROR_OUT_OF_MEMORY);
        assert_int_equal(allocator.live, 0);
        if (fail_at == 0) count = allocator.count;
    }
}

/* A file that is too large is given back, too; those from callbacks are not ours to count. */
static void test_callbacks_and_limits(void **state) {
    bp_error error;
    test_disk disk = {0};
    bp_load_options options = {.limits = {.file_bytes = sizeof model_text - 1}};
    (void)state;
    assert_int_equal(load(&disk, options, &error), BP_OK);
    options.limits.file_bytes--;
    assert_int_equal(load(&disk, options, &error), BP_ERROR_LIMIT);
    for (size_t limit = 1; limit < 20000; limit += 97) {
        options.limits = (bp_limits){.memory_bytes = limit};
        load(&disk, options, &error);
    }
}

/* A document keeps its files until it is destroyed, and then gives back each. */
static void test_callbacks_of_documents(void **state) {
    test_disk disk = {0};
    bp_document *document;
    bp_accessor accessor;
    bp_error error;
    bp_load_options options = {.files = {read_file, release_file, &disk}};
    (void)state;
    assert_int_equal(bp_document_load_file(&document, "folder/model.gltf", &options, &error),
                     BP_OK);
    assert_int_equal(disk.held_count, 3);
    assert_int_equal(bp_document_accessor(document, 0, BP_JSON_NONE, &accessor, &error), BP_OK);
    assert_ptr_equal(accessor.data, disk.held[1].data); /* used where they are */
    bp_document_destroy(document);
    assert_int_equal(disk.held_count, 0);
}

static bp_result read_static(void *user, const char *name, bp_bytes *bytes) {
    test_disk *disk = user;
    *bytes = find(disk, name);
    return bytes->data ? BP_OK : BP_ERROR_IO;
}

/* Bytes that need no release; a file of no bytes. */
static void test_callbacks_without_release(void **state) {
    test_disk disk = {0};
    bp_model *model;
    bp_error error;
    bp_load_options options = {.files = {read_static, NULL, &disk}};
    (void)state;
    assert_int_equal(bp_model_load_file(&model, "folder/model.gltf", &options, &error), BP_OK);
    bp_model_destroy(model);
}

/* *user counts what is held. */
static bp_result read_nothing(void *user, const char *name, bp_bytes *bytes) {
    (void)name;
    ++*(int *)user;
    *bytes = (bp_bytes){NULL, 0};
    return BP_OK;
}

static void release_nothing(void *user, bp_bytes bytes) {
    assert_null(bytes.data);
    --*(int *)user;
}

static void test_callbacks_of_empty_files(void **state) {
    bp_model *model;
    bp_error error;
    int held = 0;
    bp_load_options options = {.files = {read_nothing, release_nothing, &held}};
    (void)state;
    assert_int_equal(bp_model_load_file(&model, "model.gltf", &options, &error), BP_ERROR_FORMAT);
    assert_int_equal(bp_model_load_file(&model, "model.glb", &options, &error), BP_ERROR_FORMAT);
    bp_result result =
        bp_model_load_memory(&model, model_text, sizeof model_text - 1, &options, &error);
    assert_int_equal(result, BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "BUFFER_BYTE_LENGTH_MISMATCH");
    assert_int_equal(held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callbacks_read_and_release),
        cmocka_unit_test(test_callbacks_that_fail),
        cmocka_unit_test(test_callbacks_of_short_files),
        cmocka_unit_test(test_callbacks_and_memory),
        cmocka_unit_test(test_callbacks_and_limits),
        cmocka_unit_test(test_callbacks_of_documents),
        cmocka_unit_test(test_callbacks_without_release),
        cmocka_unit_test(test_callbacks_of_empty_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
