// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* document, compressed buffer views. In builds without the component, that they say so. */
#include "test_document_source.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct fixture {
    bp_document *document;
    test_served files;
    char json[1024];
} fixture;

/* Streams and what they decode to, from the tests of meshoptimizer's own decoder. */
static const unsigned char vertices[] = {
    0xA0, 0x01, 0x3F, 0x00, 0x00, 0x00, 0x58, 0x57, 0x58, 0x01, 0x26, 0x00, 0x00, 0x00, 0x01,
    0x0C, 0x00, 0x00, 0x00, 0x58, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x3F, 0x00, 0x00, 0x00, 0x17, 0x18, 0x17, 0x01, 0x26, 0x00, 0x00, 0x00, 0x01, 0x0C, 0x00,
    0x00, 0x00, 0x17, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
static const unsigned char decoded_vertices[] = {
    0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,   0, 44, 1, 0,  0, 0, 0, 0, 0, 244, 1, 0,   0,
    0, 0, 44, 1, 0, 0, 0, 0, 0, 0, 244, 1, 44, 1, 44, 1, 0, 0, 0, 0, 244, 1, 244, 1};
static const unsigned char triangles[] = {0xE0, 0xF0, 0x10, 0xFE, 0xFF, 0xF0, 0x0C, 0xFF, 0x02,
                                          0x02, 0x02, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xA9,
                                          0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0x00, 0x00};
static const unsigned char decoded_triangles[] = {0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0,
                                                  4, 0, 6, 0, 5, 0, 7, 0, 8, 0, 9, 0};
static const unsigned char sequence[] = {0xD1, 0x00, 0x04, 0xCD, 0x01, 0x04, 0x07,
                                         0x98, 0x1F, 0x00, 0x00, 0x00, 0x00};
static const unsigned char decoded_sequence[] = {0, 0, 0, 0, 1,  0, 0, 0, 51,   0, 0, 0,
                                                 2, 0, 0, 0, 49, 0, 0, 0, 0xE8, 3, 0, 0};
static const unsigned char octahedral[] = {
    0xA0, 0x01, 0x07, 0x00, 0x00, 0x00, 0x1E, 0x01, 0x3F, 0x00, 0x00, 0x00, 0x8B, 0x8C,
    0xFD, 0x00, 0x01, 0x26, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x7F, 0x00};
static const unsigned char decoded_octahedral[] = {0,   1, 127, 0, 0, 159, 82,  1,
                                                   255, 1, 127, 0, 1, 130, 241, 1};
static const unsigned char exponential[] = {
    0xA0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00,
    0x00, 0xFF, 0xF7, 0xFF, 0xFF, 0x02, 0xFF, 0xFF, 0x7F, 0xFE};
static const unsigned char decoded_exponential[] = {0, 0, 0,    0,    0,    0,    0xC0, 0x3F,
                                                    0, 0, 0x10, 0xC2, 0xFE, 0xFF, 0xFF, 0x49};
static const unsigned char quaternions[] = {
    0xA0, 0x01, 0x0F, 0x00, 0x00, 0x00, 0x3D, 0x5A, 0x01, 0x0F, 0x00, 0x00, 0x00, 0x0E, 0x0D,
    0x01, 0x3F, 0x00, 0x00, 0x00, 0x9A, 0x99, 0x26, 0x01, 0x3F, 0x00, 0x00, 0x00, 0x0E, 0x0D,
    0x0A, 0x00, 0x00, 0x01, 0x2A, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xFC, 0x07};
static const uint16_t decoded_quaternions[] = {32767, 0, 11,    0,     0,   25013, 0, 21166,
                                               11,    0, 23504, 22830, 158, 14715, 0, 29277};
static const unsigned char version_1[] = {
    0xA1, 0xEE, 0xAA, 0xEE, 0x00, 0x4B, 0x4B, 0x4B, 0x00, 0x00, 0x4B, 0x00, 0x00, 0x7D, 0x7D,
    0x7D, 0x00, 0x00, 0x7D, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x62, 0x00, 0x62};

/* Buffer 0 is served; buffer 1 has no data, as a fallback buffer. */
static void open_compressed(fixture *f, const unsigned char *bytes, size_t size,
                            const char *extension, const char *properties, const char *uri) {
    f->files = (test_served){.bytes = {bytes, size}};
    int length = snprintf(
        f->json, sizeof f->json,
        "{\"buffers\":[{\"uri\":\"b\",\"byteLength\":%u},{\"byteLength\":48%s}],"
        "\"bufferViews\":[{\"buffer\":1,\"byteLength\":48,\"extensions\":{\"%s\":{\"buffer\":0,"
        "\"byteLength\":%u,%s}}}],\"accessors\":[{\"componentType\":5121,\"count\":1,"
        "\"type\":\"SCALAR\",\"bufferView\":0}]}",
        (unsigned)size, uri, extension, (unsigned)size, properties);
    assert_in_range(length, 1, sizeof f->json - 1);
    const bp_load_options options = {.files = {test_serve, NULL, &f->files}};
    f->document = test_document_load(f->json, (size_t)length, &options);
}

/* Builds without the component say so, and name it. */
static bool component_is_absent(const bp_error *error) {
    if (!strstr(error->message, "lacks the component")) return false;
    assert_int_equal(error->result, BP_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error->message, "meshoptimizer"));
    return true;
}

static void test_meshopt(void **state) {
    (void)state;
    static const struct {
        const unsigned char *bytes, *decoded;
        size_t size, decoded_size;
        const char *properties;
    } cases[] = {
        {vertices, decoded_vertices, sizeof vertices, sizeof decoded_vertices,
         "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12"},
        {triangles, decoded_triangles, sizeof triangles, sizeof decoded_triangles,
         "\"mode\":\"TRIANGLES\",\"count\":12,\"byteStride\":2"},
        {sequence, decoded_sequence, sizeof sequence, sizeof decoded_sequence,
         "\"mode\":\"INDICES\",\"count\":6,\"byteStride\":4,\"filter\":\"NONE\""},
        {octahedral, decoded_octahedral, sizeof octahedral, sizeof decoded_octahedral,
         "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":4,\"filter\":\"OCTAHEDRAL\""},
        {quaternions, (const unsigned char *)decoded_quaternions, sizeof quaternions,
         sizeof decoded_quaternions,
         "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":8,\"filter\":\"QUATERNION\""},
        {exponential, decoded_exponential, sizeof exponential, sizeof decoded_exponential,
         "\"mode\":\"ATTRIBUTES\",\"count\":1,\"byteStride\":16,\"filter\":\"EXPONENTIAL\""},
    };
    static const char *const extensions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int e = 0; e < 2; ++e) {
            fixture f;
            bp_bytes bytes;
            bp_error error;
            open_compressed(&f, cases[i].bytes, cases[i].size, extensions[e], cases[i].properties,
                            "");
            if (bp_document_buffer_view(f.document, 0, 0, &bytes, &error) == BP_OK) {
                assert_int_equal(bytes.size, cases[i].decoded_size);
                assert_memory_equal(bytes.data, cases[i].decoded, bytes.size);
                bp_accessor accessor;
                assert_int_equal(bp_document_accessor(f.document, 0, 0, &accessor, &error), BP_OK);
                assert_ptr_equal(accessor.data, bytes.data);
            } else if (!component_is_absent(&error)) {
                fail_msg("%s", error.message);
            } else {
                assert_non_null(strstr(error.message, extensions[e]));
            }
            bp_document_destroy(f.document);
        }
}

static void test_meshopt_errors(void **state) {
    (void)state;
    static const struct {
        const char *properties;
        bp_rule rule;
    } cases[] = {
        {"\"count\":4,\"byteStride\":12", BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"POINTS\",\"count\":4,\"byteStride\":12",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12,\"filter\":\"SHARPEN\"",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"TRIANGLES\",\"count\":3,\"byteStride\":2,\"filter\":\"EXPONENTIAL\"",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"TRIANGLES\",\"count\":4,\"byteStride\":2",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"TRIANGLES\",\"count\":3,\"byteStride\":8",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"TRIANGLES\",\"count\":3000,\"byteStride\":2",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"INDICES\",\"count\":86,\"byteStride\":2",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":6",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":260",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":0",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12,\"filter\":\"OCTAHEDRAL\"",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":4,\"filter\":\"QUATERNION\"",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4000000000,\"byteStride\":4",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"count\":9007199254740992,\"byteStride\":256",
         BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID},
        {"\"mode\":\"ATTRIBUTES\",\"byteStride\":4", BP_RULE_UNDEFINED_PROPERTY},
        {"\"mode\":\"ATTRIBUTES\",\"count\":4", BP_RULE_UNDEFINED_PROPERTY},
        {"\"mode\":\"ATTRIBUTES\",\"count\":-4,\"byteStride\":4", BP_RULE_VALUE_NOT_IN_RANGE},
        {"\"byteOffset\":1", BP_RULE_BUFFER_VIEW_TOO_LONG},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        fixture f;
        bp_bytes bytes;
        bp_error error = {.rule = ""};
        open_compressed(&f, vertices, sizeof vertices, "EXT_meshopt_compression",
                        cases[i].properties, "");
        assert_int_equal(bp_document_buffer_view(f.document, 0, 0, &bytes, &error),
                         BP_ERROR_FORMAT);
        if (strcmp(error.rule, bp_rule_name(cases[i].rule)) != 0)
            fail_msg("%s: %s: %s", cases[i].properties, error.rule, error.message);
        assert_non_null(strstr(error.pointer, "/bufferViews/0/extensions/EXT_meshopt_compression"));
        bp_document_destroy(f.document);
    }
}

/* Every byte of a stream broken, and the stream cut anywhere: decoded or refused, never more. */
static void test_meshopt_damaged(void **state) {
    (void)state;
    for (size_t i = 0; i < 2 * sizeof vertices; ++i) {
        unsigned char damaged[sizeof vertices];
        memcpy(damaged, vertices, sizeof vertices);
        if (i < sizeof vertices) damaged[i] ^= 0xFF;
        size_t size = i < sizeof vertices ? sizeof vertices : i - sizeof vertices + 1;
        unsigned char *copy = malloc(size);
        memcpy(copy, damaged, size);
        fixture f;
        bp_bytes bytes;
        bp_error error;
        open_compressed(&f, copy, size, "EXT_meshopt_compression",
                        "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12", "");
        bp_result result = bp_document_buffer_view(f.document, 0, 0, &bytes, &error);
        if (result == BP_OK)
            assert_int_equal(bytes.size, 48);
        else if (!component_is_absent(&error))
            assert_string_equal(error.rule, "BUFFER_VIEW_COMPRESSED_DATA_INVALID");
        if (i == sizeof vertices) assert_int_not_equal(result, BP_OK);
        bp_document_destroy(f.document);
        free(copy);
    }
}

/* What cannot be decoded is taken from the view's own buffer where that has data. */
static void test_meshopt_fallback(void **state) {
    (void)state;
    static const char uri[] = ",\"uri\":\"data:,0123456789abcdef0123456789abcdef0123456789abcdef\"";
    fixture f;
    open_compressed(&f, vertices, 20, "EXT_meshopt_compression",
                    "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12", uri);
    assert_memory_equal(test_first_view(f.document).data, "0123456789abcdef", 16);
    size_t count;
    const bp_warning *warnings = bp_document_warnings(f.document, &count);
    assert_int_equal(count, 1);
    assert_string_equal(warnings->pointer, "/bufferViews/0/extensions/EXT_meshopt_compression");
    assert_non_null(strstr(warnings->message, "EXT_meshopt_compression"));
    bp_document_destroy(f.document);
}

/* Version 1 of the vertex codec is newer than the extension's first libraries. */
static void test_meshopt_version_1(void **state) {
    (void)state;
    fixture f;
    bp_bytes bytes;
    bp_error error;
    open_compressed(&f, version_1, sizeof version_1, "KHR_meshopt_compression",
                    "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12", "");
    if (bp_document_buffer_view(f.document, 0, 0, &bytes, &error) == BP_OK) {
        assert_int_equal(bytes.size, 48);
        assert_memory_equal(bytes.data, decoded_vertices, 48);
    } else {
        assert_int_equal(error.result, BP_ERROR_UNSUPPORTED);
        assert_string_equal(error.rule, "EXTENSION_REQUIRED_UNSUPPORTED");
        assert_non_null(strstr(error.message, "KHR_meshopt_compression"));
        assert_non_null(strstr(error.message, "meshoptimizer"));
    }
    bp_document_destroy(f.document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshopt),           cmocka_unit_test(test_meshopt_errors),
        cmocka_unit_test(test_meshopt_damaged),   cmocka_unit_test(test_meshopt_fallback),
        cmocka_unit_test(test_meshopt_version_1),
    };
    return cmocka_run_group_tests_name("document_meshopt", tests, NULL, NULL);
}
