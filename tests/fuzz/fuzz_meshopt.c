// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Fuzz target: the streams of KHR_meshopt_compression. Four bytes of the input say mode, filter,
 * count and stride; the others are the stream, which ends where the file does, so that a sanitizer
 * sees a read past it. A stream is decoded to all its bytes or to none, and twice to the same.
 */
#include "../support/test_allocator.h"
#include "../support/test_invariants.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 4, MOST_BYTES = 8192 };

static void require(bool condition, const char *promise) {
    if (condition) return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

typedef struct stream {
    const char *mode, *filter;
    unsigned count, stride;
    const uint8_t *bytes;
    size_t size;
} stream;

/* Mostly what the extension allows; an eighth of all strides is anything. */
static stream describe(const uint8_t *data, size_t size) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                          "COLOR"};
    static const unsigned strides[] = {0, 4, 8, 0, 4};
    unsigned mode = data[0] % 3, filter = mode == 0 ? data[1] % 5 : 0;
    stream s = {modes[mode], filters[filter], data[2], 4, data + HEADER, size - HEADER};
    if (mode != 0)
        s.stride = data[3] & 1 ? 4 : 2;
    else if (strides[filter] != 0)
        s.stride = filter == 2 ? 8 : strides[filter] << (data[3] & 1);
    else
        s.stride = 4 * (1 + data[3] % 64);
    if (mode == 1) s.count -= s.count % 3;
    if (data[3] >= 224) s.stride = data[3] - 224;
    return s;
}

/* A GLB in memory of exactly its size; the view's own buffer has no data to fall back on. */
static uint8_t *make_glb(const stream *s, size_t *size) {
    char json[512];
    int length =
        snprintf(json, sizeof json,
                 "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu},{}],"
                 "\"bufferViews\":[{\"buffer\":1,\"byteLength\":%u,\"extensions\":{"
                 "\"KHR_meshopt_compression\":{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":%u,"
                 "\"count\":%u,\"mode\":\"%s\",\"filter\":\"%s\"}}}]}",
                 s->size, s->count * s->stride, s->size, s->stride, s->count, s->mode, s->filter);
    *size = 28 + (size_t)length + s->size;
    uint8_t *glb = malloc(*size);
    require(glb && (size_t)length < sizeof json, "memory for the test");
    const uint32_t head[] = {0x46546C67, 2, (uint32_t)*size, (uint32_t)length, 0x4E4F534A};
    const uint32_t chunk[] = {(uint32_t)s->size, 0x004E4942};
    memcpy(glb, head, sizeof head);
    memcpy(glb + 20, json, (size_t)length);
    memcpy(glb + 20 + length, chunk, sizeof chunk);
    memcpy(glb + 28 + length, s->bytes, s->size);
    return glb;
}

/* A copy of the decoded bytes, or NULL when the stream is refused. */
static uint8_t *decode(const uint8_t *glb, size_t glb_size, size_t size) {
    test_allocator allocator = {0};
    bp_load_options options = {.allocator = test_allocator_make(&allocator)};
    bp_document *document = NULL;
    bp_bytes bytes = {NULL, 0};
    bp_error error;
    uint8_t *copy = NULL;
    bp_result result = bp_document_load_memory(&document, glb, glb_size, &options, &error);
    require(result == BP_OK, "the document loads");
    result = bp_document_buffer_view(document, 0, BP_JSON_NONE, &bytes, &error);
    if (result == BP_OK) {
        require(bytes.size == size, "all elements are there");
        copy = malloc(size ? size : 1);
        require(copy != NULL, "memory for the test");
        if (size > 0) memcpy(copy, bytes.data, size);
    } else {
        const char *broken = test_check_error(&error, result, glb_size);
        require(!broken, broken ? broken : "");
    }
    bp_document_destroy(document);
    require(allocator.live == 0, "nothing leaks");
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size <= HEADER || size > MOST_BYTES) return 0;
    stream s = describe(data, size);
    size_t glb_size, decoded = (size_t)s.count * s.stride;
    uint8_t *glb = make_glb(&s, &glb_size);
    uint8_t *first = decode(glb, glb_size, decoded), *second = decode(glb, glb_size, decoded);
    require(!first == !second, "a stream is refused always or never");
    require(!first || memcmp(first, second, decoded) == 0, "a stream is decoded to the same");
    free(first);
    free(second);
    free(glb);
    return 0;
}
