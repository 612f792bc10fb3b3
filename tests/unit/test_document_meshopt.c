// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* document, compressed buffer views: what their objects say, the codecs, the filters. */
#include "document/document_meshopt.h"

#include "test_document_source.h"
#include "test_random.h"

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

/*
 * From the encoder of the npm package meshoptimizer 1.3.0. mixed_element and decoded_strip say of
 * what; the grid is 2 x 2 squares of two triangles, which the encoder may turn, and triangles that
 * need numbers; colors are (1, 0, 0, 1), (1/2, 1/4, 1/8, 3/4), (0, 0, 0, 0), (1, 1, 1, 1/4) in 8
 * bits. `mixed` has planes of all four kinds, and channels of bytes, of pairs, and of four bytes
 * rotated by 5.
 */
static const unsigned char mixed[] = {
    0xA1, 0x97, 0x77, 0x6A, 0x00, 0x02, 0x06, 0x0A, 0x0E, 0x12, 0x16, 0x1A, 0x1E, 0x22, 0x26, 0x2A,
    0x2E, 0x32, 0x36, 0x3A, 0x3E, 0x42, 0x46, 0x4A, 0x02, 0x03, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33,
    0x33, 0x0F, 0x00, 0x03, 0x03, 0x03, 0x03, 0x01, 0x00, 0x80, 0x40, 0x80, 0x01, 0x00, 0x01, 0x00,
    0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0, 0xD0,
    0xD0, 0xD0, 0xD0, 0x02, 0x07, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x0F, 0x00, 0x07, 0x07,
    0x07, 0x07, 0x00, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x57,
    0x57, 0x57, 0x57, 0x57, 0x57, 0x57, 0x05, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0x00, 0x00, 0x00, 0x02,
    0x05, 0xF5, 0xBD, 0x7D, 0xB5, 0xF5, 0xBD, 0x7D, 0x0F, 0x0F, 0x0F, 0x00, 0x0B, 0x05, 0x0F, 0x05,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x00, 0x07, 0x00, 0x00, 0x40,
    0x9C, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x01, 0x52};
static const unsigned char grid[] = {
    0xE1, 0xFE, 0x1E, 0x10, 0x0E, 0x4E, 0x1E, 0x12, 0x0E, 0xFE, 0xFF, 0x0F, 0xFE, 0x0F, 0x06, 0x00,
    0xFF, 0x90, 0x8D, 0x06, 0x91, 0x8D, 0x06, 0x94, 0x8D, 0x06, 0x03, 0x5F, 0xA2, 0x9C, 0x01, 0x00,
    0x76, 0x87, 0x56, 0x67, 0x78, 0xA9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0x00, 0x00};
static const uint16_t decoded_grid[] = {0, 1, 3, 3,     1, 4,     4,     1,     2,     4, 2, 5,
                                        3, 4, 6, 6,     4, 7,     7,     4,     5,     7, 5, 8,
                                        0, 1, 2, 50000, 7, 50001, 50000, 50001, 49999, 3, 2, 60000};
static const unsigned char strip[] = {0xD1, 0x00, 0x28, 0x04, 0x26, 0x2C, 0x26, 0x2C, 0x26, 0x81,
                                      0xD3, 0x0E, 0x04, 0x03, 0x0E, 0x00, 0x00, 0x00, 0x00};
static const uint16_t decoded_strip[] = {0, 10, 11, 1, 12, 2, 13, 3, 60000, 4, 59999, 0};
static const unsigned char colors[] = {
    0xA1, 0xFF, 0x00, 0x10, 0x8F, 0x01, 0x00, 0x9D, 0x5F, 0x00, 0x00, 0x6E, 0x10, 0x00,
    0x00, 0x3F, 0xBD, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x7F, 0xC1, 0xFF, 0x00};
static const unsigned char decoded_colors[] = {254, 1, 0, 255, 128, 64,  32,  191,
                                               0,   0, 0, 0,   255, 255, 255, 64};

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
        {version_1, decoded_vertices, sizeof version_1, sizeof decoded_vertices,
         "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12"},
        {colors, decoded_colors, sizeof colors, sizeof decoded_colors,
         "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":4,\"filter\":\"COLOR\""},
    };
    static const char *const extensions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int e = 0; e < 2; ++e) {
            fixture f;
            bp_bytes bytes;
            bp_error error;
            open_compressed(&f, cases[i].bytes, cases[i].size, extensions[e], cases[i].properties,
                            "");
            if (bp_document_buffer_view(f.document, 0, 0, &bytes, &error) != BP_OK)
                fail_msg("%s", error.message);
            assert_int_equal(bytes.size, cases[i].decoded_size);
            assert_memory_equal(bytes.data, cases[i].decoded, bytes.size);
            bp_accessor accessor;
            assert_int_equal(bp_document_accessor(f.document, 0, 0, &accessor, &error), BP_OK);
            assert_ptr_equal(accessor.data, bytes.data);
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

/* A stream that is cut is refused, and the message says what is wrong. */
static void test_meshopt_damaged(void **state) {
    (void)state;
    fixture f;
    bp_bytes bytes;
    bp_error error;
    open_compressed(&f, vertices, sizeof vertices - 1, "EXT_meshopt_compression",
                    "\"mode\":\"ATTRIBUTES\",\"count\":4,\"byteStride\":12", "");
    assert_int_equal(bp_document_buffer_view(f.document, 0, 0, &bytes, &error), BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "BUFFER_VIEW_COMPRESSED_DATA_INVALID");
    assert_non_null(strstr(error.message, "EXT_meshopt_compression: the compressed bytes are"));
    bp_document_destroy(f.document);
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

/* ---- codecs ---------------------------------------------------------------------------------- */

typedef bool codec(unsigned char *out, size_t count, size_t stride, bp_bytes stream);

/* Decodes exactly `size` bytes to between two that must stay; a checker sees what goes further. */
static bool decode_guarded(codec *decode, unsigned char *out, size_t count, size_t stride,
                           const unsigned char *bytes, size_t size) {
    unsigned char *copy = malloc(size + !size), *guarded = malloc(count * stride + 2);
    memcpy(copy, bytes, size);
    guarded[0] = guarded[count * stride + 1] = 0xA5;
    bool fine = decode(guarded + 1, count, stride, (bp_bytes){copy, size});
    assert_int_equal(guarded[0], 0xA5);
    assert_int_equal(guarded[count * stride + 1], 0xA5);
    memcpy(out, guarded + 1, count * stride);
    free(copy);
    free(guarded);
    return fine;
}

static void mixed_element(unsigned i, unsigned char element[12]) {
    const unsigned char bytes[4] = {(unsigned char)(i * i), (unsigned char)(255 - 2 * i), i / 4 % 2,
                                    7};
    const uint16_t pairs[2] = {(uint16_t)(1000 * i), (uint16_t)(40000 - 300 * i)};
    const uint32_t word = UINT32_C(0x3F800000) ^ (i * 5 % 16) << 19;
    memcpy(element, bytes, 4);
    memcpy(element + 4, pairs, 4);
    memcpy(element + 8, &word, 4);
}

static void test_codecs(void **state) {
    (void)state;
    unsigned char out[256], element[12];
    uint32_t wide[36];
    assert_true(decode_guarded(bpi_meshopt_decode_vertices, out, 20, 12, mixed, sizeof mixed));
    for (unsigned i = 0; i < 20; ++i) {
        mixed_element(i, element);
        assert_memory_equal(out + 12 * i, element, 12);
    }
    assert_true(decode_guarded(bpi_meshopt_decode_triangles, out, 36, 2, grid, sizeof grid));
    assert_memory_equal(out, decoded_grid, sizeof decoded_grid);
    assert_true(decode_guarded(bpi_meshopt_decode_triangles, (unsigned char *)wide, 36, 4, grid,
                               sizeof grid));
    for (int i = 0; i < 36; ++i)
        assert_int_equal(wide[i], decoded_grid[i]);
    assert_true(decode_guarded(bpi_meshopt_decode_indices, out, 12, 2, strip, sizeof strip));
    assert_memory_equal(out, decoded_strip, sizeof decoded_strip);
}

/* The example of the specification, a group of 4-bit numbers, as first plane of 16 elements. */
static void test_group_by_hand(void **state) {
    (void)state;
    unsigned char stream[1 + 11 + 3 + 32] = {0xA0, 0x02, 0x17, 0x5F, 0xF0, 0xBC,
                                             0x77, 0xA9, 0x21, 0x00, 0x34, 0xB5};
    static const int differences[16] = {-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0};
    unsigned char out[64];
    int value = 100;
    stream[sizeof stream - 4] = 100;
    stream[sizeof stream - 1] = 9;
    assert_true(decode_guarded(bpi_meshopt_decode_vertices, out, 16, 4, stream, sizeof stream));
    for (int i = 0; i < 16; ++i) {
        value += differences[i];
        const unsigned char expected[4] = {(unsigned char)value, 0, 0, 9};
        assert_memory_equal(out + 4 * i, expected, 4);
    }
}

static void test_indices_by_hand(void **state) {
    (void)state;
    static const struct {
        codec *decode;
        unsigned char stream[24];
        size_t size, count;
        bool fine;
        uint32_t indices[9];
    } cases[] = {
        /* Three next vertices; edge (0, 2) with last - 1; edge (0, -1) with last + 1. */
        {bpi_meshopt_decode_triangles,
         {0xE1, 0xF0, 0x0D, 0x0E},
         20,
         9,
         true,
         {0, 1, 2, 0, 2, UINT32_MAX, 0, UINT32_MAX, 0}},
        /* In version 0 the same code is a 14th recent vertex, which is not there. */
        {bpi_meshopt_decode_triangles, {0xE0, 0xF0, 0x0D, 0x0E}, 20, 9, false, {0}},
        /* An edge before there is one; the third recent edge is there, the fourth is not. */
        {bpi_meshopt_decode_triangles, {0xE1, 0x00}, 18, 3, false, {0}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x20}, 19, 6, true, {0, 1, 2, 1, 0, 3}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x30}, 19, 6, false, {0}},
        /* Three recent vertices; not four. */
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x02}, 19, 6, true, {0, 1, 2, 0, 2, 0}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x03}, 19, 6, false, {0}},
        /* A table with 15 in it, or with something in its last two bytes; version 2. */
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x00, 0xF0}, 18, 3, false, {0}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x00, 0x0F}, 18, 3, false, {0}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, [16] = 1}, 18, 3, false, {0}},
        {bpi_meshopt_decode_triangles, {0xE2, 0xF0}, 18, 3, false, {0}},
        /* A byte of data that is missing, that restarts the next vertex, that nobody reads. */
        {bpi_meshopt_decode_triangles, {0xE1, 0xFE}, 18, 3, false, {0}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0xFE, 0x00}, 20, 6, true, {0, 1, 2, 0, 1, 2}},
        {bpi_meshopt_decode_triangles, {0xE1, 0xF0, 0x00}, 19, 3, false, {0}},
        /* 0x201: +0x80 to the second; 5: -2 to the second; 32 bits, of which two are signs. */
        {bpi_meshopt_decode_indices, {0xD1, 0x81, 0x04, 0x07}, 8, 2, true, {128, 126}},
        {bpi_meshopt_decode_indices,
         {0xD0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
         10,
         1,
         true,
         {0xC0000000}},
        /* No number has six bytes; one index is missing; one is too many. */
        {bpi_meshopt_decode_indices, {0xD1, 0x80, 0x80, 0x80, 0x80, 0x80}, 11, 1, false, {0}},
        {bpi_meshopt_decode_indices, {0xD1, 0x02}, 6, 2, false, {0}},
        {bpi_meshopt_decode_indices, {0xD1, 0x02, 0x02}, 7, 1, false, {0}},
        {bpi_meshopt_decode_indices, {0xD2, 0x02}, 6, 1, false, {0}},
        {bpi_meshopt_decode_indices, {0xD1}, 4, 0, false, {0}},
        {bpi_meshopt_decode_indices, {0xD1}, 5, 0, true, {0}},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        uint32_t out[9];
        bool fine = decode_guarded(cases[i].decode, (unsigned char *)out, cases[i].count, 4,
                                   cases[i].stream, cases[i].size);
        if (fine != cases[i].fine) fail_msg("case %u: %d", (unsigned)i, fine);
        if (fine) assert_memory_equal(out, cases[i].indices, 4 * cases[i].count);
    }
}

/* Streams cut anywhere and longer by a byte are refused; with a broken bit, decoded or refused. */
static void test_codecs_damaged(void **state) {
    (void)state;
    static const struct {
        codec *decode;
        const unsigned char *bytes;
        size_t size, count, stride;
    } cases[] = {
        {bpi_meshopt_decode_vertices, vertices, sizeof vertices, 4, 12},
        {bpi_meshopt_decode_vertices, quaternions, sizeof quaternions, 4, 8},
        {bpi_meshopt_decode_vertices, version_1, sizeof version_1, 4, 12},
        {bpi_meshopt_decode_vertices, mixed, sizeof mixed, 20, 12},
        {bpi_meshopt_decode_triangles, triangles, sizeof triangles, 12, 2},
        {bpi_meshopt_decode_triangles, grid, sizeof grid, 36, 4},
        {bpi_meshopt_decode_indices, sequence, sizeof sequence, 6, 4},
        {bpi_meshopt_decode_indices, strip, sizeof strip, 12, 2},
    };
    unsigned char out[256], bytes[256];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        size_t count = cases[i].count, stride = cases[i].stride, size = cases[i].size;
        memcpy(bytes, cases[i].bytes, size);
        bytes[size] = 0;
        assert_true(decode_guarded(cases[i].decode, out, count, stride, bytes, size));
        assert_false(decode_guarded(cases[i].decode, out, count, stride, bytes, size + 1));
        for (size_t cut = 0; cut < size; ++cut)
            assert_false(decode_guarded(cases[i].decode, out, count, stride, bytes, cut));
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            bool fine = decode_guarded(cases[i].decode, out, count, stride, bytes, size);
            if (bit < 8 && bit > 0) assert_false(fine); /* no such codec or version */
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
    /* Planes as they are, but nothing between them and the 24 bytes of the tail. */
    const unsigned char empty[2 + 24] = {0xA1, 0xFF};
    unsigned char *large = malloc(4 * 256);
    assert_false(decode_guarded(bpi_meshopt_decode_vertices, large, 256, 4, empty, sizeof empty));
    free(large);
    /* Channel modes: 3, and a rotation of bytes or pairs, do not exist. */
    memcpy(bytes, mixed, sizeof mixed);
    for (unsigned mode = 0; mode < 256; ++mode) {
        bytes[sizeof mixed - 1] = (unsigned char)mode;
        bool fine = decode_guarded(bpi_meshopt_decode_vertices, out, 20, 12, bytes, sizeof mixed);
        assert_int_equal(fine, mode < 2 || mode % 16 == 2);
    }
}

/* ---- the codec of attributes, both ways ------------------------------------------------------ */

/* Writes streams in every way that the format allows, chosen at random, not well compressed. */
typedef struct writer {
    unsigned char bytes[1 << 18];
    size_t size;
    test_random random;
} writer;

static void write_group(writer *w, const unsigned char *numbers, unsigned bits) {
    unsigned char *packed = w->bytes + w->size;
    const unsigned full = (1u << bits) - 1;
    memset(packed, 0, 2 * bits);
    w->size += 2 * bits;
    for (unsigned i = 0; i < 16 && bits > 0; ++i) {
        unsigned at = i * bits % 8, number = numbers[i] < full ? numbers[i] : full;
        packed[i * bits / 8] |= (unsigned char)(number << (bits == 1 ? at : 8 - bits - at));
        if (number == full && bits < 8) w->bytes[w->size++] = numbers[i];
    }
}

/* Writes a plane, with zeros up to a whole group behind it; returns its control. */
static unsigned write_plane(writer *w, const unsigned char *numbers, unsigned count, bool v1) {
    static const unsigned char bits[3][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {0, 2, 4, 8}};
    static const unsigned char zeros[256] = {0};
    unsigned control = v1 ? test_random_below(&w->random, 4) : 2, groups = (count + 15) / 16;
    if (v1 && control == 2) {
        if (memcmp(numbers, zeros, count) == 0) return 2;
        control = 3;
    }
    if (control == 3) {
        memcpy(w->bytes + w->size, numbers, count);
        w->size += count;
        return 3;
    }
    unsigned char *header = w->bytes + w->size;
    memset(header, 0, (groups + 3) / 4);
    w->size += (groups + 3) / 4;
    for (unsigned g = 0; g < groups; ++g) {
        unsigned kind = test_random_below(&w->random, 4);
        if (bits[control][kind] == 0 && memcmp(numbers + 16 * g, zeros, 16) != 0) kind = 3;
        header[g / 4] |= (unsigned char)(kind << g % 4 * 2);
        write_group(w, numbers + 16 * g, bits[control][kind]);
    }
    return control;
}

/* The difference of a channel as it is stored. */
static uint32_t store_difference(uint32_t value, uint32_t before, unsigned mode) {
    if (mode >= 2) {
        unsigned rotation = mode >> 4;
        value ^= before;
        return rotation ? value << rotation | value >> (32 - rotation) : value;
    }
    unsigned lane = mode == 0 ? 8 : 16;
    uint32_t stored = 0, mask = (1u << lane) - 1;
    for (unsigned at = 0; at < 32; at += lane) {
        uint32_t d = ((value >> at) - (before >> at)) & mask;
        stored |= ((d >> (lane - 1) ? ~(d << 1) : d << 1) & mask) << at;
    }
    return stored;
}

static void write_block(writer *w, const unsigned char *elements, unsigned count, unsigned stride,
                        const unsigned char *before, const unsigned char *modes, bool v1) {
    unsigned char *controls = w->bytes + w->size;
    if (v1) w->size += stride / 4;
    for (unsigned channel = 0; channel < stride / 4; ++channel) {
        unsigned char planes[4][256] = {{0}};
        uint32_t last, value;
        memcpy(&last, before + 4 * channel, 4);
        for (unsigned i = 0; i < count; ++i, last = value) {
            memcpy(&value, elements + stride * i + 4 * channel, 4);
            uint32_t stored = store_difference(value, last, modes[channel]);
            for (int k = 0; k < 4; ++k)
                planes[k][i] = (unsigned char)(stored >> 8 * k);
        }
        unsigned control = 0;
        for (int k = 0; k < 4; ++k)
            control |= write_plane(w, planes[k], count, v1) << 2 * k;
        if (v1) controls[channel] = (unsigned char)control;
    }
}

static void write_stream(writer *w, const unsigned char *elements, unsigned count, unsigned stride,
                         bool v1) {
    unsigned char tail[256 + 64];
    unsigned most = 8192 / stride / 16 * 16, used = stride + (v1 ? stride / 4 : 0);
    if (most > 256) most = 256;
    for (unsigned i = 0; i < used; ++i)
        tail[i] = (unsigned char)test_random_bits(&w->random);
    for (unsigned i = 0; i < stride / 4; ++i) {
        unsigned mode = v1 ? test_random_below(&w->random, 3) : 0;
        tail[stride + i] =
            (unsigned char)(mode == 2 ? 2 | test_random_bits(&w->random) << 4 : mode);
    }
    w->bytes[0] = v1 ? 0xA1 : 0xA0;
    w->size = 1;
    for (unsigned first = 0; first < count; first += most)
        write_block(w, elements + stride * first, count - first < most ? count - first : most,
                    stride, first ? elements + stride * (first - 1) : tail, tail + stride, v1);
    for (unsigned i = used; i < (v1 ? 24u : 32u); ++i)
        w->bytes[w->size++] = 0;
    memcpy(w->bytes + w->size, tail, used);
    w->size += used;
}

static void test_every_stride(void **state) {
    (void)state;
    static const unsigned counts[] = {1, 15, 16, 17, 64, 65, 256, 257, 300};
    writer *w = calloc(1, sizeof *w);
    unsigned char *elements = malloc(300 * 256), *out = malloc(300 * 256);
    w->random.state = 1;
    for (unsigned stride = 4; stride <= 256; stride += 4)
        for (size_t c = 0; c < 2 * COUNT(counts); ++c) {
            unsigned count = counts[c / 2], size = count * stride;
            for (unsigned i = 0; i < size; ++i)
                switch (test_random_below(&w->random, 4)) {
                case 0: elements[i] = (unsigned char)test_random_bits(&w->random); break;
                case 1: elements[i] = (unsigned char)(i * 3 / stride); break;
                default: elements[i] = i < stride ? 0 : elements[i - stride]; break;
                }
            write_stream(w, elements, count, stride, c % 2);
            assert_true(w->size < sizeof w->bytes);
            if (!decode_guarded(bpi_meshopt_decode_vertices, out, count, stride, w->bytes, w->size))
                fail_msg("version %u, stride %u, count %u", (unsigned)c % 2, stride, count);
            assert_memory_equal(out, elements, size);
        }
    free(elements);
    free(out);
    free(w);
}

/* ---- filters --------------------------------------------------------------------------------- */

/* Components of `width` bytes. */
static int component(const unsigned char *element, size_t width, int index, bool is_signed) {
    int8_t byte;
    int16_t pair;
    memcpy(&byte, element + index, 1);
    memcpy(&pair, element + 2 * index, width);
    int value = width == 1 ? byte : pair;
    return is_signed ? value : value & (width == 1 ? 0xFF : 0xFFFF);
}

static void set_component(unsigned char *element, size_t width, int index, int value) {
    for (size_t i = 0; i < width; ++i)
        element[width * (size_t)index + i] = (unsigned char)((unsigned)value >> 8 * i);
}

/* Filters (a, b, c, d) and finds the components next to what they should be. */
static void check_filter(bpi_meshopt_filter filter, size_t width, const int in[4],
                         const double expected[4]) {
    unsigned char element[9];
    for (int i = 0; i < 4; ++i)
        set_component(element + 1, width, i, in[i]);
    bpi_meshopt_apply_filter(element + 1, 1, 4 * width, filter);
    for (int i = 0; i < 4; ++i) {
        int got = component(element + 1, width, i, filter != BPI_MESHOPT_COLOR);
        if (!(fabs(got - expected[i]) <= 0.5 + 1e-9))
            fail_msg("filter %d (%d %d %d %d): [%d] is %d, not %.9g", filter, in[0], in[1], in[2],
                     in[3], i, got, expected[i]);
    }
}

/* The specification's formula, in double precision. */
static void check_octahedral(size_t width, int a, int b, int one, int any) {
    double limit = width == 1 ? 127 : 32767;
    double x = (double)a / one, y = (double)b / one, z = 1.0 - fabs(x) - fabs(y);
    double t = z < 0.0 ? z : 0.0;
    x -= copysign(t, x);
    y -= copysign(t, y);
    double length = sqrt(x * x + y * y + z * z);
    check_filter(BPI_MESHOPT_OCTAHEDRAL, width, (const int[]){a, b, one, any},
                 (const double[]){x / length * limit, y / length * limit, z / length * limit, any});
}

static void test_octahedral(void **state) {
    (void)state;
    test_random random = {2};
    for (int one = 1; one <= 127; one = 2 * one + 1) /* all of 8 bits */
        for (int x = -one; x <= one; ++x)
            for (int y = -one; y <= one; ++y)
                check_octahedral(1, x, y, one, x);
    for (int i = 0; i < 200000; ++i) {
        int one = (2 << test_random_below(&random, 15)) - 1;
        check_octahedral(2, (int)test_random_below(&random, 2 * (uint32_t)one + 1) - one,
                         (int)test_random_below(&random, 2 * (uint32_t)one + 1) - one, one, -i % 9);
    }
    /* By hand: z = 127 - 120 - 81 = -74, so (46, 7, -74) * 127 / sqrt(7641). */
    unsigned char elements[12] = {120, 81, 127, 5, 0, 0, 0, 9, 0, 0, 1, 0};
    bpi_meshopt_apply_filter(elements, 3, 4, BPI_MESHOPT_OCTAHEDRAL);
    const unsigned char expected[12] = {67, 10, 256 - 108, 5, 0, 0, 0, 9, 0, 0, 127, 0};
    assert_memory_equal(elements, expected, 12);
}

static void check_quaternion(int a, int b, int c, int one, int largest) {
    double x = a / (one * sqrt(2.0)), y = b / (one * sqrt(2.0)), z = c / (one * sqrt(2.0));
    double square = 1.0 - x * x - y * y - z * z;
    double expected[4];
    expected[(largest + 1) % 4] = x * 32767.0;
    expected[(largest + 2) % 4] = y * 32767.0;
    expected[(largest + 3) % 4] = z * 32767.0;
    expected[largest] = sqrt(square > 0.0 ? square : 0.0) * 32767.0;
    check_filter(BPI_MESHOPT_QUATERNION, 2, (const int[]){a, b, c, (one & ~3) | largest}, expected);
}

static void test_quaternion(void **state) {
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 200000; ++i) {
        int one = (8 << test_random_below(&random, 13)) - 1, v[3];
        for (int k = 0; k < 3; ++k)
            v[k] = (int)test_random_below(&random, 2 * (uint32_t)one + 1) - one;
        check_quaternion(v[0], v[1], v[2], one, i % 4);
    }
    check_quaternion(1, -3, 7, 15, 1); /* 32767 * sqrt(391 / 450) = 30543.50009 */
    check_quaternion(0, 0, 0, 7, 3);
}

static void test_exponential(void **state) {
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 200000; ++i) {
        int exponent = i % 256 - 128;
        int mantissa = (int)test_random_below(&random, 1 << 24) - (1 << 23);
        uint32_t bits = (uint32_t)mantissa & 0xFFFFFF;
        bits |= ((uint32_t)exponent & 0xFF) << 24;
        unsigned char bytes[5];
        memcpy(bytes + 1, &bits, 4);
        bpi_meshopt_apply_filter(bytes + 1, 1, 4, BPI_MESHOPT_EXPONENTIAL);
        float got, expected = (float)ldexp(mantissa, exponent);
        memcpy(&got, bytes + 1, 4);
        assert_true(got == expected);
    }
}

static void test_color(void **state) {
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 400000; ++i) {
        /* As an encoder does it: K bits a color, K - 1 bits of alpha below a bit that says K. */
        size_t width = 1 + (size_t)i % 2;
        int bits = 2 + (int)test_random_below(&random, width == 1 ? 7 : 15), one = (1 << bits) - 1;
        int r = (int)test_random_below(&random, (uint32_t)one + 1);
        int g = (int)test_random_below(&random, (uint32_t)one + 1);
        int b = (int)test_random_below(&random, (uint32_t)one + 1);
        int alpha = (int)test_random_below(&random, 1u << (bits - 1));
        int orange = (r - b) / 2, middle = b + orange, green = (g - middle) / 2;
        double scale = (width == 1 ? 255.0 : 65535.0) / one;
        check_filter(BPI_MESHOPT_COLOR, width,
                     (const int[]){middle + green, orange, green, 1 << (bits - 1) | alpha},
                     (const double[]){(b + 2 * orange) * scale, (middle + 2 * green) * scale,
                                      b * scale, (2 * alpha + alpha % 2) * scale});
    }
}

/* Bytes that no encoder writes: any result, but no undefined behaviour, which a checker sees. */
static void test_filters_of_anything(void **state) {
    (void)state;
    static const struct {
        bpi_meshopt_filter filter;
        size_t stride;
    } cases[] = {{BPI_MESHOPT_OCTAHEDRAL, 4}, {BPI_MESHOPT_OCTAHEDRAL, 8},
                 {BPI_MESHOPT_QUATERNION, 8}, {BPI_MESHOPT_EXPONENTIAL, 12},
                 {BPI_MESHOPT_COLOR, 4},      {BPI_MESHOPT_COLOR, 8}};
    static const unsigned char extreme[6] = {0, 0xFF, 0x7F, 0x80, 1, 0xFE};
    test_random random = {6};
    for (size_t c = 0; c < COUNT(cases); ++c)
        for (int i = 0; i < 50000; ++i) {
            unsigned char *element = malloc(cases[c].stride);
            for (size_t k = 0; k < cases[c].stride; ++k)
                element[k] = i % 2 ? extreme[test_random_below(&random, 6)]
                                   : (unsigned char)test_random_bits(&random);
            bpi_meshopt_apply_filter(element, 1, cases[c].stride, cases[c].filter);
            free(element);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshopt),         cmocka_unit_test(test_meshopt_errors),
        cmocka_unit_test(test_meshopt_damaged), cmocka_unit_test(test_meshopt_fallback),
        cmocka_unit_test(test_codecs),          cmocka_unit_test(test_group_by_hand),
        cmocka_unit_test(test_indices_by_hand), cmocka_unit_test(test_codecs_damaged),
        cmocka_unit_test(test_every_stride),    cmocka_unit_test(test_octahedral),
        cmocka_unit_test(test_quaternion),      cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_color),           cmocka_unit_test(test_filters_of_anything),
    };
    return cmocka_run_group_tests_name("document_meshopt", tests, NULL, NULL);
}
