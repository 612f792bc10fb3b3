// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Documents from JSON text in a test, and files that are served to them from memory. */
#ifndef BINDPOSE_TEST_DOCUMENT_SOURCE_H
#define BINDPOSE_TEST_DOCUMENT_SOURCE_H

#include "test_near.h"
#include "bindpose/document.h"

#include <stdio.h>
#include <string.h>

/* The bytes stay the caller's, as with bp_document_load_memory. */
static inline bp_document *test_document_load(const char *json, size_t size,
                                              const bp_load_options *options) {
    bp_document *document;
    bp_error error;
    if (bp_document_load_memory(&document, json, size, options, &error) != BP_OK)
        fail_msg("%.60s: %s (byte %d)", json, error.message, (int)error.offset);
    return document;
}

/* What a file callback answers, and what it was asked. */
typedef struct test_served {
    char asked[256]; /* the last path or URI */
    bp_result result;
    bp_bytes bytes;
    int reads, releases;
} test_served;

static inline bp_result test_serve(void *user, const char *path, bp_bytes *bytes) {
    test_served *files = user;
    ++files->reads;
    snprintf(files->asked, sizeof files->asked, "%s", path);
    *bytes = files->bytes;
    return files->result;
}

static inline void test_take_back(void *user, bp_bytes bytes) {
    test_served *files = user;
    assert_ptr_equal(bytes.data, files->bytes.data);
    ++files->releases;
}

/* One buffer with this URI, and a buffer view over all of it; `json` must outlive the document. */
static inline bp_result test_document_load_uri(bp_document **document, char json[8192],
                                               const char *uri, unsigned length,
                                               const bp_load_options *options, bp_error *error) {
    int size = snprintf(json, 8192,
                        "{\"buffers\":[{\"uri\":\"%s\",\"byteLength\":%u}],"
                        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u}]}",
                        uri, length, length);
    assert_in_range(size, 1, 8191);
    return bp_document_load_memory(document, json, (size_t)size, options, error);
}

/* The bytes of buffer view 0. */
static inline bp_bytes test_first_view(const bp_document *document) {
    bp_bytes bytes = {NULL, 0};
    bp_error error;
    if (bp_document_buffer_view(document, 0, BP_JSON_NONE, &bytes, &error) != BP_OK)
        fail_msg("%s", error.message);
    return bytes;
}

/* Buffer view 0 cannot be had, for this reason. */
static inline void test_view_fault(const bp_document *document, bp_result result, bp_rule rule,
                                   const char *pointer) {
    bp_bytes bytes;
    bp_error error = {.rule = ""};
    assert_int_equal(bp_document_buffer_view(document, 0, BP_JSON_NONE, &bytes, &error), result);
    if (strcmp(error.rule, bp_rule_name(rule)) != 0) fail_msg("%s: %s", error.rule, error.message);
    assert_string_equal(error.pointer, pointer);
    assert_int_equal(error.offset, -1);
    assert_true(error.message[0] != '\0');
}

static inline const bp_warning *test_only_warning(const bp_document *document, bp_rule rule) {
    size_t count;
    const bp_warning *warnings = bp_document_warnings(document, &count);
    assert_int_equal(count, 1);
    if (warnings[0].rule != rule)
        fail_msg("%s: %s", bp_rule_name(warnings[0].rule), warnings[0].message);
    return warnings;
}

static inline void test_no_warning(const bp_document *document) {
    size_t count;
    const bp_warning *warnings = bp_document_warnings(document, &count);
    if (count != 0) fail_msg("%s: %s", bp_rule_name(warnings[0].rule), warnings[0].message);
}

#endif
