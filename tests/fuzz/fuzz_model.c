// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Fuzz target: any bytes as a model. What loads is checked against the promises of a model and used
 * as a program would use it; what does not load must say so properly. Bytes of the input choose
 * options, so that all of them get their share.
 *
 * The mutator knows GLB: it changes the JSON or the BIN chunk, and mends the lengths.
 */
#include "../support/test_allocator.h"
#include "../support/test_use.h"
#include "mutate_json.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

enum { MEMORY_LIMIT = 64 << 20, WORK_LIMIT = 300000, MOST_READ = 40, MOST_ELEMENTS = 1000 };

/* ---- the target ------------------------------------------------------------------------------ */

static void require(bool condition, const char *promise) {
    if (condition) return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

static void require_none(const char *broken) {
    require(!broken, broken ? broken : "");
}

/* Files from a callback: some cannot be had, the others are a part of the input itself. */
typedef struct fuzz_files {
    bp_bytes input;
    int held;
} fuzz_files;

static bp_result read_file(void *user, const char *uri, bp_bytes *bytes) {
    fuzz_files *files = user;
    size_t length = strlen(uri);
    if (length % 4 == 3) return BP_ERROR_IO;
    size_t from = files->input.size < 64 * (length % 16) ? 0 : 64 * (length % 16);
    *bytes = (bp_bytes){files->input.data + from, files->input.size - from};
    ++files->held;
    return BP_OK;
}

static void release_file(void *user, bp_bytes bytes) {
    fuzz_files *files = user;
    (void)bytes;
    require(files->held-- > 0, "release once for each read");
}

/* Every accessor and buffer view, whether the model uses it or not. */
static void read_data(const bp_document *document) {
    bp_error error;
    bp_accessor accessor;
    bp_bytes bytes;
    uint32_t count = bp_json_count(document, bp_json_member(document, 0, "accessors"));
    for (uint32_t i = 0; i < count && i < MOST_READ; ++i) {
        if (bp_document_accessor(document, i, BP_JSON_NONE, &accessor, &error) != BP_OK) continue;
        if (accessor.count > MOST_ELEMENTS) continue;
        size_t size = (size_t)accessor.count * accessor.component_count * sizeof(float);
        float *floats = malloc(size + 1);
        uint32_t *integers = malloc(size + 1);
        require(floats && integers, "memory for the test");
        bp_accessor_read_floats(&accessor, floats, 0);
        bp_accessor_read_integers(&accessor, integers, 0);
        free(floats);
        free(integers);
    }
    unsigned sum = 0;
    for (uint32_t i = 0; i < MOST_READ; ++i)
        if (bp_document_buffer_view(document, i, BP_JSON_NONE, &bytes, &error) == BP_OK)
            for (size_t k = 0; k < bytes.size; k += 1 + bytes.size / MOST_ELEMENTS)
                sum += bytes.data[k];
    require(sum < UINT32_MAX, "bytes of buffer views can be read");
}

static void load_document(bp_bytes input, const bp_load_options *options,
                          const test_allocator *allocator) {
    bp_document *document = NULL;
    bp_error error;
    size_t count;
    char text[40];
    bp_result result = bp_document_load_memory(&document, input.data, input.size, options, &error);
    require((result == BP_OK) == (document != NULL), "a document when and only when BP_OK");
    if (document) {
        read_data(document);
        bp_document_warnings(document, &count);
    } else {
        require_none(test_check_error(&error, result, input.size));
        size_t length = bp_error_format(text, sizeof text, &error);
        require(strlen(text) == (length < sizeof text ? length : sizeof text - 1), "one length");
    }
    bp_document_destroy(document);
    require(allocator->live == 0 && allocator->held == 0, "nothing leaks");
}

/* Loads with what `options` and `allocator` say; uses what comes out. */
static void load(bp_bytes input, bp_load_options *options, test_allocator *allocator) {
    bp_model *model = (bp_model *)&options; /* must be overwritten */
    bp_error error = {.offset = -7};
    bp_result result = bp_model_load_memory(&model, input.data, input.size, options, &error);
    require((result == BP_OK) == (model != NULL), "a model when and only when the result is BP_OK");
    require(allocator->peak <= options->limits.memory_bytes, "limits.memory_bytes");
    if (model) {
        require_none(test_check_model(model, options->keep_raw_weights));
        require_none(test_use_model(model, options->keep_raw_weights, WORK_LIMIT));
    } else {
        require_none(test_check_error(&error, result, input.size));
    }
    bp_model_destroy(model);
    require(allocator->live == 0 && allocator->held == 0, "nothing leaks");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ data[i]) * 16777619u;
    fuzz_files files = {.input = {data, size}};
    test_allocator allocator = {0};
    bp_load_options options = {
        .allocator = test_allocator_make(&allocator),
        .limits = {.memory_bytes = MEMORY_LIMIT, .nodes = 10000, .vertices = 100000},
        .folder = hash & 1 ? NULL : "/nonexistent/folder",
        .keep_raw_weights = (hash & 2) != 0,
    };
    if (hash & 4) options.files = (bp_file_callbacks){read_file, release_file, &files};
    load_document((bp_bytes){data, size}, &options, &allocator);
    allocator = (test_allocator){0};
    load((bp_bytes){data, size}, &options, &allocator);
    if ((hash & 8) && allocator.count > 0) {
        size_t fail_at = 1 + (hash >> 4) % allocator.count;
        allocator = (test_allocator){.fail_at = fail_at};
        load((bp_bytes){data, size}, &options, &allocator);
    }
    require(files.held == 0, "release for every read");
    return 0;
}

/* ---- the mutator ----------------------------------------------------------------------------- */

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };

static uint32_t get_u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void put_u32(uint8_t *bytes, size_t value) {
    uint32_t narrow = (uint32_t)value;
    memcpy(bytes, &narrow, sizeof narrow);
}

/* Length of the JSON of a GLB, or 0 when the bytes are no GLB. */
static size_t glb_json_length(const uint8_t *data, size_t size) {
    if (size < GLB_HEADER + CHUNK_HEADER || memcmp(data, "glTF", 4) != 0) return 0;
    size_t length = get_u32(data + GLB_HEADER);
    return length > size - GLB_HEADER - CHUNK_HEADER ? 0 : length;
}

/* Puts a GLB together; the JSON is padded, a BIN of no bytes left out. Returns its size. */
static size_t glb_join(uint8_t *glb, const uint8_t *json, size_t json_size, const uint8_t *bin,
                       size_t bin_size) {
    size_t padded = (json_size + 3) & ~(size_t)3, at = GLB_HEADER + CHUNK_HEADER;
    memcpy(glb, "glTF\2\0\0\0", 8);
    put_u32(glb + 12, padded);
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + at, json, json_size);
    memset(glb + at + json_size, ' ', padded - json_size);
    at += padded;
    if (bin_size > 0) {
        put_u32(glb + at, bin_size);
        memcpy(glb + at + 4, "BIN\0", 4);
        memcpy(glb + at + CHUNK_HEADER, bin, bin_size);
        at += CHUNK_HEADER + bin_size;
    }
    put_u32(glb + 8, at);
    return at;
}

/* Changes the one or the other chunk; the result is not larger than max_size. */
static size_t mutate_glb(uint8_t *data, size_t size, size_t max_size, unsigned int seed,
                         size_t json_size) {
    enum { HEADERS = GLB_HEADER + 2 * CHUNK_HEADER + 3 };
    size_t room = max_size - HEADERS, bin_at = GLB_HEADER + CHUNK_HEADER + json_size;
    size_t bin_size = size > bin_at + CHUNK_HEADER ? size - bin_at - CHUNK_HEADER : 0;
    uint8_t *json = malloc(room), *bin = malloc(room);
    if (json && bin && json_size + bin_size <= room) {
        memcpy(json, data + GLB_HEADER + CHUNK_HEADER, json_size);
        if (bin_size > 0) memcpy(bin, data + bin_at + CHUNK_HEADER, bin_size);
        if (seed % 16 < 5 && (bin_size > 0 || seed % 16 == 0))
            bin_size = LLVMFuzzerMutate(bin, bin_size, room - json_size);
        else if (seed % 16 < 7)
            json_size = LLVMFuzzerMutate(json, json_size, room - bin_size);
        else
            json_size = mutate_json(json, json_size, room - bin_size, seed / 16);
        size = glb_join(data, json, json_size, bin, bin_size);
    } else {
        size = LLVMFuzzerMutate(data, size, max_size);
    }
    free(json);
    free(bin);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    size_t json_size = glb_json_length(data, size);
    seed *= 2654435761u; /* the engine's seeds follow each other */
    seed ^= seed >> 15;
    if (seed % 16 == 15 || max_size < 64) return LLVMFuzzerMutate(data, size, max_size);
    if (json_size > 0) return mutate_glb(data, size, max_size, seed, json_size);
    if (seed % 16 < 4) return LLVMFuzzerMutate(data, size, max_size);
    return mutate_json(data, size, max_size, seed / 16);
}
