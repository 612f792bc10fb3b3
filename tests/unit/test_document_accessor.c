// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* document, accessors and buffer views: every component type, layout and rule, sparse data. */
#include "document/document_query.h"
#include "test_document_source.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A document whose buffer 0 is served from memory. */
typedef struct fixture {
    bp_document *document;
    test_served files;
    char json[8192];
} fixture;

static void open_fixture(fixture *f, const void *bytes, size_t size, const char *views,
                         const char *accessors) {
    f->files = (test_served){.bytes = {bytes, size}};
    int length = snprintf(f->json, sizeof f->json,
                          "{\"buffers\":[{\"uri\":\"b\",\"byteLength\":%u}],"
                          "\"bufferViews\":[%s],\"accessors\":[%s]}",
                          (unsigned)size, views, accessors);
    assert_in_range(length, 1, sizeof f->json - 1);
    const bp_load_options options = {.files = {test_serve, NULL, &f->files}};
    f->document = test_document_load(f->json, (size_t)length, &options);
}

static void close_fixture(fixture *f) {
    bp_document_destroy(f->document);
}

/* Accessor 0, which must be there. */
static bp_accessor accessor_of(const fixture *f) {
    bp_accessor accessor;
    bp_error error;
    if (bp_document_accessor(f->document, 0, BP_JSON_NONE, &accessor, &error) != BP_OK)
        fail_msg("%s: %s", error.pointer, error.message);
    return accessor;
}

static void check_floats(const bp_accessor *accessor, const float *expected) {
    float values[256];
    size_t count = (size_t)accessor->count * accessor->component_count;
    assert_in_range(count, 0, COUNT(values) - 1);
    memset(values, 0xAB, sizeof values);
    float guard = values[count];
    bp_accessor_read_floats(accessor, values, 0);
    for (size_t i = 0; i < count; ++i)
        if (memcmp(&values[i], &expected[i], sizeof *values) != 0)
            fail_msg("[%u]: %.9g instead of %.9g", (unsigned)i, (double)values[i],
                     (double)expected[i]);
    assert_memory_equal(&values[count], &guard, sizeof guard);
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* glTF 2.0, 3.11: f = c / 127, at least -1, and so on; 51 / 255 and 13107 / 65535 are one fifth. */
static const struct {
    int type;
    unsigned char bytes[12];
    float plain[4], normalized[4];
    uint32_t integers[4];
} components[] = {
    {BP_COMPONENT_I8,
     {0x80, 0x81, 0x40, 0x7F},
     {-128, -127, 64, 127},
     {-1, -1, 64.0f / 127.0f, 1},
     {0, 0, 0, 0}},
    {BP_COMPONENT_U8,
     {0, 51, 1, 255},
     {0, 51, 1, 255},
     {0, 0.2f, 1.0f / 255.0f, 1},
     {0, 51, 1, 255}},
    {BP_COMPONENT_I16,
     {0x00, 0x80, 0x01, 0x80, 0x00, 0x40, 0xFF, 0x7F},
     {-32768, -32767, 16384, 32767},
     {-1, -1, 16384.0f / 32767.0f, 1},
     {0, 0, 0, 0}},
    {BP_COMPONENT_U16,
     {0, 0, 0x33, 0x33, 1, 0, 0xFF, 0xFF},
     {0, 13107, 1, 65535},
     {0, 0.2f, 1.0f / 65535.0f, 1},
     {0, 13107, 1, 65535}},
    {BP_COMPONENT_U32,
     {0, 0, 0, 0, 1, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF},
     {0, 16777216.0f, 4294967296.0f},
     {0, 16777216.0f, 4294967296.0f},
     {0, 16777217, UINT32_MAX}},
    {BP_COMPONENT_F32,
     {0, 0, 0xC0, 0x3F, 0, 0, 0, 0x80, 0, 0, 0x80, 0x7F},
     {1.5f, -0.0f, INFINITY},
     {1.5f, -0.0f, INFINITY},
     {0, 0, 0}},
};

static void test_components(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(components); ++i)
        for (int normalized = 0; normalized < 2; ++normalized) {
            char accessor_json[128];
            unsigned count = components[i].type >= BP_COMPONENT_U32 ? 3 : 4;
            snprintf(accessor_json, sizeof accessor_json,
                     "{\"componentType\":%d,\"count\":%u,\"type\":\"SCALAR\",\"bufferView\":0,"
                     "\"normalized\":%s}",
                     components[i].type, count, normalized ? "true" : "false");
            fixture f;
            open_fixture(&f, components[i].bytes, 12, "{\"buffer\":0,\"byteLength\":12}",
                         accessor_json);
            bp_accessor accessor = accessor_of(&f);
            assert_int_equal(accessor.normalized,
                             normalized && components[i].type < BP_COMPONENT_U32);
            assert_int_equal(accessor.component_type, components[i].type);
            assert_int_equal(accessor.count, count);
            assert_int_equal(accessor.component_count, 1);
            check_floats(&accessor, normalized ? components[i].normalized : components[i].plain);
            uint32_t integers[4];
            bp_accessor_read_integers(&accessor, integers, 0);
            assert_memory_equal(integers, components[i].integers, count * sizeof *integers);
            close_fixture(&f);
        }
}

/* Every integer of 8 bits in both ways: vectorised loops have no odd ends. */
static void test_all_bytes(void **state) {
    (void)state;
    unsigned char bytes[256];
    float values[256];
    for (int i = 0; i < 256; ++i)
        bytes[i] = (unsigned char)i;
    for (unsigned count = 1; count < 256; ++count) {
        char json[128];
        fixture f;
        snprintf(json, sizeof json,
                 "{\"componentType\":5120,\"count\":%u,\"type\":\"SCALAR\",\"bufferView\":0,"
                 "\"normalized\":true}",
                 count);
        open_fixture(&f, bytes, 256, "{\"buffer\":0,\"byteLength\":256}", json);
        bp_accessor accessor = accessor_of(&f);
        bp_accessor_read_floats(&accessor, values, 0);
        for (unsigned i = 0; i < count; ++i) {
            int c = i < 128 ? (int)i : (int)i - 256;
            assert_true(values[i] == (c < -127 ? -1.0f : (float)c / 127.0f));
        }
        close_fixture(&f);
    }
}

/* Three elements of two U8, seven bytes apart and not aligned, into floats that are apart, too. */
static void test_strides(void **state) {
    (void)state;
    static const unsigned char bytes[] = {9, 1, 2, 9, 9, 9, 9, 9, 3, 4, 9, 9, 9, 9, 9, 5, 6};
    fixture f;
    open_fixture(&f, bytes, sizeof bytes,
                 "{\"buffer\":0,\"byteLength\":16,\"byteOffset\":1,\"byteStride\":7}",
                 "{\"componentType\":5121,\"count\":3,\"type\":\"VEC2\",\"bufferView\":0,"
                 "\"byteOffset\":0}");
    bp_accessor accessor = accessor_of(&f);
    assert_int_equal(accessor.stride, 7);
    check_floats(&accessor, (const float[]){1, 2, 3, 4, 5, 6});
    float floats[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    bp_accessor_read_floats(&accessor, floats, 3);
    static const float expected[9] = {1, 2, -1, 3, 4, -1, 5, 6, -1};
    assert_memory_equal(floats, expected, sizeof expected);
    uint32_t integers[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    bp_accessor_read_integers(&accessor, integers, 3);
    static const uint32_t expected_integers[9] = {1, 2, 7, 3, 4, 7, 5, 6, 7};
    assert_memory_equal(integers, expected_integers, sizeof integers);
    close_fixture(&f);
}

static void test_strided_floats(void **state) {
    (void)state;
    static const float numbers[] = {1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9};
    unsigned char bytes[sizeof numbers + 1];
    memcpy(bytes + 1, numbers, sizeof numbers); /* at an odd address, perhaps */
    fixture f;
    open_fixture(&f, bytes, sizeof bytes,
                 "{\"buffer\":0,\"byteOffset\":1,\"byteLength\":44,\"byteStride\":16}",
                 "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"bufferView\":0}");
    bp_accessor accessor = accessor_of(&f);
    check_floats(&accessor, (const float[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    uint32_t integers[9];
    bp_accessor_read_integers(&accessor, integers, 0);
    for (int i = 0; i < 9; ++i)
        assert_int_equal(integers[i], 0);
    close_fixture(&f);
}

/* glTF 2.0, 3.6.2.4: columns of matrices start at multiples of four bytes. */
static void test_matrices(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int component;
        unsigned size, element_size; /* of one element: without, with padding at its end */
        unsigned char bytes[64];
        float expected[16];
    } cases[] = {
        {"MAT2", 5121, 6, 8, {1, 2, 99, 99, 3, 4}, {1, 2, 3, 4}},
        {"MAT2", 5122, 8, 8, {1, 0, 2, 0, 3, 0, 4, 0}, {1, 2, 3, 4}},
        {"MAT3",
         5120,
         11,
         12,
         {1, 2, 3, 99, 4, 5, 6, 99, 0xFF, 8, 9},
         {1, 2, 3, 4, 5, 6, -1, 8, 9}},
        {"MAT3",
         5123,
         22,
         24,
         {1, 0, 2, 0, 3, 0, 99, 99, 4, 0, 5, 0, 6, 0, 99, 99, 7, 0, 8, 0, 9, 0},
         {1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {"MAT4",
         5121,
         16,
         16,
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        char view[64], accessor_json[128];
        fixture f;
        snprintf(view, sizeof view, "{\"buffer\":0,\"byteLength\":%u}", cases[i].size);
        snprintf(accessor_json, sizeof accessor_json,
                 "{\"componentType\":%d,\"count\":1,\"type\":\"%s\",\"bufferView\":0}",
                 cases[i].component, cases[i].type);
        open_fixture(&f, cases[i].bytes, 64, view, accessor_json);
        bp_accessor accessor = accessor_of(&f);
        assert_int_equal(accessor.stride, cases[i].element_size);
        check_floats(&accessor, cases[i].expected);
        close_fixture(&f);
        snprintf(view, sizeof view, "{\"buffer\":0,\"byteLength\":%u}", cases[i].size - 1);
        open_fixture(&f, cases[i].bytes, 64, view, accessor_json);
        bp_error error;
        assert_int_equal(bp_document_accessor(f.document, 0, 0, &accessor, &error),
                         BP_ERROR_FORMAT);
        assert_string_equal(error.rule, "ACCESSOR_TOO_LONG");
        close_fixture(&f);
    }
}

static void test_sizes(void **state) {
    (void)state;
    assert_int_equal(bpi_component_size(BP_COMPONENT_I8), 1);
    assert_int_equal(bpi_component_size(BP_COMPONENT_U16), 2);
    assert_int_equal(bpi_component_size(BP_COMPONENT_F32), 4);
    assert_int_equal(bpi_element_size(BP_ELEMENT_SCALAR, BP_COMPONENT_U8), 1);
    assert_int_equal(bpi_element_size(BP_ELEMENT_VEC3, BP_COMPONENT_U16), 6);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT2, BP_COMPONENT_U8), 8);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT2, BP_COMPONENT_U16), 8);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT2, BP_COMPONENT_F32), 16);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT3, BP_COMPONENT_U8), 12);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT3, BP_COMPONENT_U16), 24);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT3, BP_COMPONENT_F32), 36);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT4, BP_COMPONENT_U8), 16);
    assert_int_equal(bpi_element_size(BP_ELEMENT_MAT4, BP_COMPONENT_F32), 64);
}

/* ---- sparse --------------------------------------------------------------------------------- */

/* Five U8 scalars, of which 1 and 3 are overridden; indices of each width, base or none. */
static void test_sparse(void **state) {
    (void)state;
    static const unsigned char bytes[] = {10, 11, 12, 13, 14, 0, 0, 0, /* base, values */
                                          77, 88, 0,  0,               /* values */
                                          1,  3,  0,  0,               /* u8 */
                                          1,  0,  3,  0,               /* u16 */
                                          1,  0,  0,  0,  3,  0, 0, 0};
    static const struct {
        int type;
        unsigned offset;
    } indices[] = {{5121, 12}, {5123, 16}, {5125, 20}};
    for (size_t i = 0; i < COUNT(indices); ++i)
        for (int base = 0; base < 2; ++base) {
            char json[512];
            snprintf(json, sizeof json,
                     "{\"componentType\":5121,\"count\":5,\"type\":\"SCALAR\",%s\"sparse\":{"
                     "\"count\":2,\"indices\":{\"bufferView\":0,\"byteOffset\":%u,"
                     "\"componentType\":%d},\"values\":{\"bufferView\":0,\"byteOffset\":8}}}",
                     base ? "\"bufferView\":0," : "", indices[i].offset, indices[i].type);
            fixture f;
            open_fixture(&f, bytes, sizeof bytes, "{\"buffer\":0,\"byteLength\":28}", json);
            bp_accessor accessor = accessor_of(&f);
            assert_int_equal(accessor.sparse_count, 2);
            assert_int_equal(accessor.data == NULL, !base);
            static const float expected[2][5] = {{0, 77, 0, 88, 0}, {10, 77, 12, 88, 14}};
            check_floats(&accessor, expected[base]);
            uint32_t integers[5];
            bp_accessor_read_integers(&accessor, integers, 0);
            for (int k = 0; k < 5; ++k)
                assert_int_equal(integers[k], (uint32_t)expected[base][k]);
            close_fixture(&f);
        }
}

/* Sparse matrices are padded like others; the stride of the base does not concern the values. */
static void test_sparse_matrices(void **state) {
    (void)state;
    static const unsigned char bytes[] = {
        1,  0, 0, 0,                          /* index */
        1,  2, 9, 9, 3, 4,  9, 9, 9, 9, 9, 9, /* base: stride 12 */
        5,  6, 9, 9, 7, 8,  9, 9, 9, 9, 9, 9, /* */
        51, 0, 9, 9, 0, 255};                 /* value */
    fixture f;
    open_fixture(&f, bytes, sizeof bytes,
                 "{\"buffer\":0,\"byteLength\":34},"
                 "{\"buffer\":0,\"byteOffset\":4,\"byteLength\":24,\"byteStride\":12}",
                 "{\"componentType\":5121,\"count\":2,\"type\":\"MAT2\",\"bufferView\":1,"
                 "\"normalized\":true,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,"
                 "\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":28}}}");
    bp_accessor accessor = accessor_of(&f);
    check_floats(&accessor,
                 (const float[]){1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f, 0.2f, 0, 0, 1});
    float apart[10] = {-7, -7, -7, -7, -7, -7, -7, -7, -7, -7};
    bp_accessor_read_floats(&accessor, apart, 5);
    assert_true(apart[4] == -7 && apart[5] == 0.2f && apart[8] == 1 && apart[9] == -7);
    close_fixture(&f);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* 12 bytes: views of all, of 4 from 8 on, of a missing buffer, with a stride. */
#define VIEWS                                                                                      \
    "{\"buffer\":0,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":4},"           \
    "{\"buffer\":1,\"byteLength\":4},{\"buffer\":0,\"byteLength\":12,\"byteStride\":4}"

#define SPARSE "{\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\",\"sparse\":"

static const unsigned char rule_bytes[12] = {0, 1, 2, 3, 1, 1, 0, 0, 2, 1, 0, 0};

static void test_accessor_errors(void **state) {
    (void)state;
    static const struct {
        const char *accessor;
        bp_rule rule;
        const char *pointer; /* below /accessors/0, or absolute */
    } cases[] = {
        {"[]", BP_RULE_TYPE_MISMATCH, ""},
        {"{}", BP_RULE_UNDEFINED_PROPERTY, ""},
        {"{\"componentType\":5126,\"count\":1}", BP_RULE_UNDEFINED_PROPERTY, ""},
        {"{\"componentType\":5126,\"type\":\"VEC2\"}", BP_RULE_UNDEFINED_PROPERTY, ""},
        {"{\"componentType\":\"5126\"}", BP_RULE_TYPE_MISMATCH, "componentType"},
        {"{\"componentType\":5124,\"count\":1,\"type\":\"VEC2\"}", BP_RULE_VALUE_NOT_IN_LIST,
         "componentType"},
        {"{\"componentType\":5127,\"count\":1,\"type\":\"VEC2\"}", BP_RULE_VALUE_NOT_IN_LIST,
         "componentType"},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC5\"}", BP_RULE_VALUE_NOT_IN_LIST,
         "type"},
        {"{\"componentType\":5126,\"count\":1,\"type\":3}", BP_RULE_VALUE_NOT_IN_LIST, "type"},
        {"{\"componentType\":5126,\"count\":1.5,\"type\":\"VEC2\"}", BP_RULE_TYPE_MISMATCH,
         "count"},
        {"{\"componentType\":5126,\"count\":-1,\"type\":\"VEC2\"}", BP_RULE_VALUE_NOT_IN_RANGE,
         "count"},
        {"{\"componentType\":5126,\"count\":4294967296,\"type\":\"VEC2\"}",
         BP_RULE_VALUE_NOT_IN_RANGE, "count"},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"bufferView\":4}",
         BP_RULE_UNRESOLVED_REFERENCE, "bufferView"},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"bufferView\":-1}",
         BP_RULE_VALUE_NOT_IN_RANGE, "bufferView"},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"bufferView\":2}",
         BP_RULE_UNRESOLVED_REFERENCE, "/bufferViews/2/buffer"},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"bufferView\":0,"
         "\"byteOffset\":\"0\"}",
         BP_RULE_TYPE_MISMATCH, "byteOffset"},
        {"{\"componentType\":5126,\"count\":2,\"type\":\"VEC2\",\"bufferView\":0}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {"{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"bufferView\":0,"
         "\"byteOffset\":5}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {"{\"componentType\":5121,\"count\":1,\"type\":\"SCALAR\",\"bufferView\":1,"
         "\"byteOffset\":4}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {"{\"componentType\":5121,\"count\":1,\"type\":\"SCALAR\",\"bufferView\":1,"
         "\"byteOffset\":9007199254740992}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {"{\"componentType\":5126,\"count\":4294967295,\"type\":\"MAT4\",\"bufferView\":0}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {"{\"componentType\":5121,\"count\":4,\"type\":\"SCALAR\",\"bufferView\":3}",
         BP_RULE_ACCESSOR_TOO_LONG, ""},
        {SPARSE "1}", BP_RULE_TYPE_MISMATCH, "sparse"},
        {SPARSE "{}}", BP_RULE_UNDEFINED_PROPERTY, "sparse"},
        {SPARSE "{\"count\":1}}", BP_RULE_UNDEFINED_PROPERTY, "sparse"},
        {SPARSE "{\"count\":4}}", BP_RULE_ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE, "sparse/count"},
        {SPARSE "{\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5121}}}",
         BP_RULE_UNDEFINED_PROPERTY, "sparse"},
        {SPARSE "{\"count\":1,\"indices\":{\"bufferView\":0}}}", BP_RULE_UNDEFINED_PROPERTY,
         "sparse/indices"},
        {SPARSE "{\"count\":1,\"indices\":{\"componentType\":5121}}}", BP_RULE_UNDEFINED_PROPERTY,
         "sparse/indices"},
        {SPARSE "{\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5120}}}",
         BP_RULE_VALUE_NOT_IN_LIST, "sparse/indices/componentType"},
        {SPARSE "{\"count\":3,\"indices\":{\"bufferView\":1,\"componentType\":5123}}}",
         BP_RULE_ACCESSOR_TOO_LONG, "sparse/indices"},
        {SPARSE "{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":3,"
                "\"componentType\":5121},\"values\":{\"bufferView\":0}}}",
         BP_RULE_ACCESSOR_SPARSE_INDEX_OOB, "sparse/indices"},
        {SPARSE "{\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5121},"
                "\"values\":{\"bufferView\":9}}}",
         BP_RULE_UNRESOLVED_REFERENCE, "sparse/values/bufferView"},
        {SPARSE "{\"count\":2,\"indices\":{\"bufferView\":0,\"componentType\":5121},"
                "\"values\":{\"bufferView\":1,\"byteOffset\":3}}}",
         BP_RULE_ACCESSOR_TOO_LONG, "sparse/values"},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        fixture f;
        bp_accessor accessor = {.count = 77};
        bp_error error = {.rule = ""};
        char pointer[64] = "/accessors/0";
        open_fixture(&f, rule_bytes, sizeof rule_bytes, VIEWS, cases[i].accessor);
        bp_result result = bp_document_accessor(f.document, 0, BP_JSON_NONE, &accessor, &error);
        if (result != BP_ERROR_FORMAT || strcmp(error.rule, bp_rule_name(cases[i].rule)) != 0)
            fail_msg("%s: %s: %s", cases[i].accessor, error.rule, error.message);
        if (cases[i].pointer[0] == '/') pointer[0] = '\0';
        if (cases[i].pointer[0] != '/' && cases[i].pointer[0] != '\0') strcat(pointer, "/");
        strcat(pointer, cases[i].pointer);
        assert_string_equal(error.pointer, pointer);
        assert_int_equal(accessor.count, 77);
        assert_int_equal(bp_document_accessor(f.document, 0, 0, &accessor, NULL), result);
        close_fixture(&f);
    }
}

/* What can be read but is not right, and how it is read. */
static void test_accessor_warnings(void **state) {
    (void)state;
    static const struct {
        const char *accessor;
        bp_rule rule; /* or none */
        const char *pointer;
        uint32_t times;
        float expected[4];
    } cases[] = {
        {"{\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\",\"bufferView\":0}",
         BP_RULE_NONE,
         "",
         0,
         {0, 1, 2}},
        {"{\"componentType\":5121,\"count\":0,\"type\":\"SCALAR\",\"bufferView\":0}",
         BP_RULE_VALUE_NOT_IN_RANGE,
         "/accessors/0/count",
         1,
         {0}},
        {"{\"componentType\":5121,\"count\":0,\"type\":\"SCALAR\",\"bufferView\":0,"
         "\"byteOffset\":99}",
         BP_RULE_VALUE_NOT_IN_RANGE,
         "/accessors/0/count",
         1,
         {0}},
        {"{\"componentType\":5121,\"count\":2,\"type\":\"SCALAR\"}", BP_RULE_NONE, "", 0, {0, 0}},
        {"{\"componentType\":5121,\"count\":2,\"type\":\"SCALAR\",\"byteOffset\":4}",
         BP_RULE_UNSATISFIED_DEPENDENCY,
         "/accessors/0/byteOffset",
         1,
         {0, 0}},
        {"{\"componentType\":5125,\"count\":1,\"type\":\"SCALAR\",\"bufferView\":0,"
         "\"normalized\":true}",
         BP_RULE_ACCESSOR_NORMALIZED_INVALID,
         "/accessors/0/normalized",
         1,
         {50462976}},
        {"{\"componentType\":5121,\"count\":2,\"type\":\"SCALAR\",\"bufferView\":0,"
         "\"normalized\":1}",
         BP_RULE_TYPE_MISMATCH,
         "/accessors/0/normalized",
         1,
         {0, 1}},
        {"{\"componentType\":5123,\"count\":1,\"type\":\"SCALAR\",\"bufferView\":0,"
         "\"byteOffset\":1}",
         BP_RULE_ACCESSOR_OFFSET_ALIGNMENT,
         "/accessors/0/byteOffset",
         1,
         {513}},
        {"{\"componentType\":5121,\"count\":2,\"type\":\"SCALAR\",\"bufferView\":3,"
         "\"byteOffset\":1}",
         BP_RULE_NONE,
         "",
         0,
         {1, 1}},
        {"{\"componentType\":5123,\"count\":2,\"type\":\"VEC4\",\"bufferView\":3}",
         BP_RULE_ACCESSOR_SMALL_BYTESTRIDE,
         "/accessors/0",
         1,
         {256, 770, 257, 0}},
        {SPARSE "{\"count\":0}}",
         BP_RULE_VALUE_NOT_IN_RANGE,
         "/accessors/0/sparse/count",
         1,
         {0, 0, 0}},
        {SPARSE "{\"count\":2,\"indices\":{\"bufferView\":3,\"componentType\":5121},"
                "\"values\":{\"bufferView\":1}}}",
         BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE,
         "/accessors/0/sparse/indices/bufferView",
         1,
         {2, 1, 0}},
        {SPARSE "{\"count\":3,\"indices\":{\"bufferView\":0,\"byteOffset\":4,"
                "\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":1}}}",
         BP_RULE_ACCESSOR_SPARSE_INDICES_NON_INCREASING,
         "/accessors/0/sparse/indices",
         2,
         {3, 2, 0}}, /* 1, 1, 0 become 1, 2, 3 in that order */
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        fixture f;
        bp_accessor accessor;
        bp_error error;
        bpi_memory memory = bpi_memory_make(NULL, 0);
        bpi_arena arena = bpi_arena_make(&memory);
        bpi_report report = {.arena = &arena};
        open_fixture(&f, rule_bytes, sizeof rule_bytes, VIEWS, cases[i].accessor);
        if (bpi_document_accessor(f.document, 0, 0, &accessor, &report, &error) != BP_OK)
            fail_msg("%s: %s", cases[i].accessor, error.message);
        assert_true(bpi_report_finish(&report, f.document));
        assert_int_equal(report.count, cases[i].rule != BP_RULE_NONE);
        if (report.count > 0) {
            assert_int_equal(report.warnings[0].rule, cases[i].rule);
            assert_string_equal(report.warnings[0].pointer, cases[i].pointer);
            assert_int_equal(report.warnings[0].count, cases[i].times);
        }
        float values[8];
        bp_accessor_read_floats(&accessor, values, 0);
        size_t count = (size_t)accessor.count * accessor.component_count;
        for (size_t k = 0; k < count && k < 4; ++k)
            assert_true(values[k] == cases[i].expected[k]);
        assert_int_equal(bp_document_accessor(f.document, 0, 0, &accessor, NULL), BP_OK);
        bpi_arena_release(&arena);
        close_fixture(&f);
    }
}

/* A reference that leads nowhere is told where it stands. */
static void test_unresolved(void **state) {
    (void)state;
    fixture f;
    bp_accessor accessor;
    bp_bytes bytes;
    bp_error error;
    open_fixture(&f, rule_bytes, sizeof rule_bytes, VIEWS, "");
    bp_json place = bp_json_first(f.document, bp_json_member(f.document, 0, "buffers"));
    assert_int_equal(bp_document_accessor(f.document, 0, place, &accessor, &error),
                     BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "UNRESOLVED_REFERENCE");
    assert_string_equal(error.pointer, "/buffers/0");
    assert_int_equal(bp_document_buffer_view(f.document, 4, place, &bytes, &error),
                     BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "UNRESOLVED_REFERENCE");
    assert_string_equal(error.pointer, "/buffers/0");
    close_fixture(&f);
}

/* ---- buffer views --------------------------------------------------------------------------- */

static void test_views(void **state) {
    (void)state;
    static const struct {
        const char *view;
        bp_rule warning, fault;
        const char *pointer; /* of either */
        size_t offset, size;
    } cases[] = {
        {"{\"buffer\":0,\"byteLength\":12}", 0, 0, "", 0, 12},
        {"{\"buffer\":0,\"byteOffset\":3,\"byteLength\":9}", 0, 0, "", 3, 9},
        {"{\"buffer\":0,\"byteOffset\":12,\"byteLength\":0}", BP_RULE_VALUE_NOT_IN_RANGE, 0,
         "/bufferViews/0/byteLength", 12, 0},
        {"{\"buffer\":0,\"byteOffset\":1,\"byteLength\":12}", 0, BP_RULE_BUFFER_VIEW_TOO_LONG,
         "/bufferViews/0", 0, 0},
        {"{\"buffer\":0,\"byteOffset\":13,\"byteLength\":0}", BP_RULE_VALUE_NOT_IN_RANGE,
         BP_RULE_BUFFER_VIEW_TOO_LONG, "", 0, 0},
        {"{\"buffer\":0,\"byteOffset\":9007199254740992,\"byteLength\":9007199254740992}", 0,
         BP_RULE_BUFFER_VIEW_TOO_LONG, "/bufferViews/0", 0, 0},
        {"{\"byteLength\":4}", 0, BP_RULE_UNDEFINED_PROPERTY, "/bufferViews/0", 0, 0},
        {"{\"buffer\":0}", 0, BP_RULE_UNDEFINED_PROPERTY, "/bufferViews/0", 0, 0},
        {"{\"buffer\":1,\"byteLength\":4}", 0, BP_RULE_UNRESOLVED_REFERENCE,
         "/bufferViews/0/buffer", 0, 0},
        {"{\"buffer\":\"0\",\"byteLength\":4}", 0, BP_RULE_TYPE_MISMATCH, "/bufferViews/0/buffer",
         0, 0},
        {"{\"buffer\":0,\"byteOffset\":-1,\"byteLength\":4}", 0, BP_RULE_VALUE_NOT_IN_RANGE,
         "/bufferViews/0/byteOffset", 0, 0},
        {"{\"buffer\":0,\"byteLength\":1e999}", 0, BP_RULE_VALUE_NOT_IN_RANGE,
         "/bufferViews/0/byteLength", 0, 0},
        {"true", 0, BP_RULE_TYPE_MISMATCH, "/bufferViews/0", 0, 0},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":252}", 0, 0, "", 0, 12},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":256}",
         BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, 0, "/bufferViews/0/byteStride", 0, 12},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":6}",
         BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, 0, "/bufferViews/0/byteStride", 0, 12},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":0}",
         BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, 0, "/bufferViews/0/byteStride", 0, 12},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":4294967296}", 0,
         BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, "/bufferViews/0/byteStride", 0, 0},
        {"{\"buffer\":0,\"byteLength\":12,\"byteStride\":\"4\"}", 0, BP_RULE_TYPE_MISMATCH,
         "/bufferViews/0/byteStride", 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        fixture f;
        bp_bytes bytes;
        bp_error error = {.rule = ""};
        open_fixture(&f, rule_bytes, sizeof rule_bytes, cases[i].view, "");
        if (cases[i].warning == BP_RULE_NONE)
            test_no_warning(f.document);
        else if (cases[i].pointer[0])
            assert_string_equal(test_only_warning(f.document, cases[i].warning)->pointer,
                                cases[i].pointer);
        bp_result result = bp_document_buffer_view(f.document, 0, BP_JSON_NONE, &bytes, &error);
        assert_string_equal(error.rule, bp_rule_name(cases[i].fault));
        if (result == BP_OK) {
            assert_ptr_equal(bytes.data, rule_bytes + cases[i].offset);
            assert_int_equal(bytes.size, cases[i].size);
        } else if (cases[i].pointer[0]) {
            assert_string_equal(error.pointer, cases[i].pointer);
        }
        close_fixture(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),      cmocka_unit_test(test_all_bytes),
        cmocka_unit_test(test_strides),         cmocka_unit_test(test_strided_floats),
        cmocka_unit_test(test_matrices),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sparse),          cmocka_unit_test(test_sparse_matrices),
        cmocka_unit_test(test_accessor_errors), cmocka_unit_test(test_accessor_warnings),
        cmocka_unit_test(test_unresolved),      cmocka_unit_test(test_views),
    };
    return cmocka_run_group_tests_name("document_accessor", tests, NULL, NULL);
}
