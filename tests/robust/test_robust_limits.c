// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Small files that claim to be large, files at and past each limit, and files that are large:
 * memory is taken for bytes that are there, each limit is an error of its own, and size alone is no
 * reason to fail.
 */
#include "test_allocator.h"
#include "test_fixtures.h"
#include "test_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SMALL = 200 << 10, WORK = 100000 };

/* ---- loading --------------------------------------------------------------------------------- */

static bp_result load(const void *bytes, size_t size, bp_limits limits, size_t *peak,
                      bp_error *error) {
    bp_model *model = NULL;
    test_allocator allocator = {0};
    bp_load_options options = {.allocator = test_allocator_make(&allocator), .limits = limits};
    bp_result result = bp_model_load_memory(&model, bytes, size, &options, error);
    const char *broken = NULL;
    if (model) {
        broken = test_check_model(model, false);
        if (!broken) broken = test_use_model(model, false, WORK);
    } else {
        broken = test_check_error(error, result, size);
    }
    if (broken) fail_msg("broken promise: %s", broken);
    bp_model_destroy(model);
    assert_int_equal(allocator.live, 0);
    if (limits.memory_bytes > 0) assert_true(allocator.peak <= limits.memory_bytes);
    if (peak) *peak = allocator.peak;
    return result;
}

static bp_result load_text(const char *text, bp_limits limits, size_t *peak, bp_error *error) {
    return load(text, strlen(text), limits, peak, error);
}

/* ---- claims ---------------------------------------------------------------------------------- */

#define ASSET "\"asset\":{\"version\":\"2.0\"}"
#define BUFFER "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAA\"}]"
#define VIEW "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}]"
#define MESH                                                                                       \
    "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"

typedef struct claim {
    bp_result result;
    const char *rule, *text;
} claim;

static const claim claims[] = {
    {BP_ERROR_FORMAT, "BUFFER_BYTE_LENGTH_MISMATCH",
     "{" ASSET "," MESH ",\"buffers\":[{\"byteLength\":9007199254740992,\"uri\":\"data:,abc\"}],"
     "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9007199254740992}],\"accessors\":[{"
     "\"bufferView\":0,\"componentType\":5126,\"count\":67000000,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "BUFFER_VIEW_TOO_LONG",
     "{" ASSET "," MESH "," BUFFER
     ",\"bufferViews\":[{\"buffer\":0,\"byteOffset\":9007199254740992,"
     "\"byteLength\":9007199254740992}],\"accessors\":[{\"bufferView\":0,"
     "\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "ACCESSOR_TOO_LONG",
     "{" ASSET "," MESH "," BUFFER "," VIEW ",\"accessors\":[{\"bufferView\":0,"
     "\"componentType\":5126,\"count\":4294967295,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "ACCESSOR_TOO_LONG",
     "{" ASSET "," MESH "," BUFFER "," VIEW ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":"
     "9007199254740992,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "VALUE_NOT_IN_RANGE",
     "{" ASSET "," MESH "," BUFFER "," VIEW ",\"accessors\":[{\"bufferView\":0,"
     "\"componentType\":5126,\"count\":4294967296,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "ACCESSOR_TOO_LONG",
     "{" ASSET "," MESH "," BUFFER "," VIEW ",\"accessors\":[{\"componentType\":5126,"
     "\"count\":4000000000,\"type\":\"VEC3\",\"sparse\":{\"count\":3000000000,\"indices\":{"
     "\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":0}}}]}"},
    {BP_ERROR_LIMIT, "",
     "{" ASSET "," MESH ",\"accessors\":[{\"componentType\":5126,\"count\":4294967295,"
     "\"type\":\"VEC3\"}]}"},
    {BP_ERROR_LIMIT, "",
     "{" ASSET ",\"nodes\":[{}],\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{"
     "\"node\":0,\"path\":\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}],"
     "\"accessors\":[{\"componentType\":5126,\"count\":4000000000,\"type\":\"SCALAR\"},"
     "{\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC4\"}]}"},
    {BP_ERROR_LIMIT, "",
     "{" ASSET "," BUFFER "," VIEW ",\"nodes\":[{\"mesh\":0,\"extensions\":{"
     "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":1}}}}],\"meshes\":[{"
     "\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,"
     "\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},{\"componentType\":5126,"
     "\"count\":4294967295,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "BUFFER_VIEW_COMPRESSED_DATA_INVALID",
     "{" ASSET "," MESH "," BUFFER ",\"bufferViews\":[{\"buffer\":1,\"byteLength\":12,"
     "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":12,"
     "\"byteStride\":256,\"count\":4294967295,\"mode\":\"ATTRIBUTES\"}}}],\"accessors\":[{"
     "\"bufferView\":0,\"componentType\":5126,\"count\":9,\"type\":\"VEC3\"}]}"},
    {BP_ERROR_FORMAT, "INVALID_IBM_ACCESSOR_COUNT",
     "{" ASSET ",\"nodes\":[{}],\"skins\":[{\"joints\":[0,0,0],\"inverseBindMatrices\":0}],"
     "\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}"},
    {BP_ERROR_FORMAT, "UNRESOLVED_REFERENCE",
     "{" ASSET ",\"nodes\":[{\"children\":[4294967295]},{\"children\":[9007199254740992]}]}"},
};

static void test_claims_take_little(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; ++i) {
        size_t peak;
        bp_error error = {0};
        bp_result result = load_text(claims[i].text, (bp_limits){0}, &peak, &error);
        if (result != claims[i].result || strcmp(error.rule, claims[i].rule) != 0)
            fail_msg("claim %zu: %s, %s: %s", i, bp_result_name(result), error.rule, error.message);
        if (peak > SMALL) fail_msg("claim %zu takes %zu bytes", i, peak);
    }
}

static void put_u32(unsigned char *at, uint32_t value) {
    memcpy(at, &value, sizeof value);
}

/* Lengths in the container: of the whole, of the JSON chunk, of the BIN chunk. */
static void test_container_claims_take_little(void **state) {
    static const unsigned char bin[12] = {0};
    static const char *const rules[] = {"GLB_LENGTH_MISMATCH", "GLB_CHUNK_TOO_BIG",
                                        "GLB_CHUNK_TOO_BIG"};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        test_file file = test_glb_make("{" ASSET "}  ", bin, sizeof bin);
        size_t peak, places[] = {8, 12, file.size - 20};
        bp_error error = {0};
        put_u32(file.bytes + places[i], 0xFFFFFFF0u);
        assert_int_equal(load(file.bytes, file.size, (bp_limits){0}, &peak, &error),
                         BP_ERROR_FORMAT);
        assert_string_equal(error.rule, rules[i]);
        assert_true(peak <= SMALL);
        free(file.bytes);
    }
}

/* What an accessor without bytes makes up is bounded by the limits alone. */
static void test_zeros_obey_limits(void **state) {
    static const char text[] = "{" ASSET "," MESH ",\"accessors\":[{\"componentType\":5126,"
                               "\"count\":1000000,\"type\":\"VEC3\"}]}";
    bp_error error;
    (void)state;
    assert_int_equal(load_text(text, (bp_limits){.memory_bytes = 1 << 20}, NULL, &error),
                     BP_ERROR_LIMIT);
    assert_int_equal(load_text(text, (bp_limits){.vertices = 999999}, NULL, &error),
                     BP_ERROR_LIMIT);
    assert_int_equal(load_text(text, (bp_limits){.vertices = 1000000}, NULL, &error), BP_OK);
}

/* ---- each limit ------------------------------------------------------------------------------ */

static void test_limit_of_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < test_fixture_count(); ++i) {
        test_file file = test_fixture_make(i, true);
        size_t peak, unused;
        bp_error error;
        bp_result whole = load(file.bytes, file.size, (bp_limits){0}, &peak, &error);
        for (size_t limit = 1; limit < peak; limit += peak / 50 + 1)
            assert_int_equal(
                load(file.bytes, file.size, (bp_limits){.memory_bytes = limit}, &unused, &error),
                BP_ERROR_LIMIT);
        assert_int_equal(
            load(file.bytes, file.size, (bp_limits){.memory_bytes = peak}, &unused, &error), whole);
        free(file.bytes);
    }
}

static void test_limit_of_nodes(void **state) {
    static const char text[] = "{" ASSET ",\"nodes\":[{},{},{}]}";
    bp_error error;
    (void)state;
    assert_int_equal(load_text(text, (bp_limits){.nodes = 3}, NULL, &error), BP_OK);
    assert_int_equal(load_text(text, (bp_limits){.nodes = 2}, NULL, &error), BP_ERROR_LIMIT);
    assert_string_equal(error.pointer, "/nodes");
}

static void test_limit_of_file_size(void **state) {
    static const char text[] = "{" ASSET "}";
    bp_error error;
    (void)state;
    bp_limits limits = {.file_bytes = sizeof text - 1};
    assert_int_equal(load_text(text, limits, NULL, &error), BP_OK);
    limits.file_bytes--;
    assert_int_equal(load_text(text, limits, NULL, &error), BP_ERROR_LIMIT);
}

/* A root object with an array of arrays in it, `depth` containers deep in all. */
static char *nested(size_t depth) {
    static const char head[] = "{" ASSET ",\"extras\":", tail[] = "}";
    size_t inner = depth - 1;
    char *text = malloc(sizeof head + 2 * inner + sizeof tail);
    assert_non_null(text);
    strcpy(text, head);
    memset(text + sizeof head - 1, '[', inner);
    memset(text + sizeof head - 1 + inner, ']', inner);
    strcpy(text + sizeof head - 1 + 2 * inner, tail);
    return text;
}

static void test_limit_of_depth(void **state) {
    static const struct {
        uint32_t limit;
        size_t depth;
        bp_result result;
    } cases[] = {{0, 256, BP_OK},          {0, 257, BP_ERROR_LIMIT},     {10, 10, BP_OK},
                 {10, 11, BP_ERROR_LIMIT}, {0, 1000000, BP_ERROR_LIMIT}, {2000000, 1000000, BP_OK}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *text = nested(cases[i].depth);
        bp_error error;
        assert_int_equal(load_text(text, (bp_limits){.json_depth = cases[i].limit}, NULL, &error),
                         cases[i].result);
        if (cases[i].result != BP_OK) assert_true(error.offset > 0);
        free(text);
    }
}

/* ---- large ----------------------------------------------------------------------------------- */

/* A text that grows. */
typedef struct text {
    char *data;
    size_t size, capacity;
} text;

static void print(text *t, const char *format, ...) {
    va_list arguments;
    if (t->capacity - t->size < 512) {
        t->capacity = 2 * t->capacity + 4096;
        t->data = realloc(t->data, t->capacity);
        assert_non_null(t->data);
    }
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->data + t->size, t->capacity - t->size, format, arguments);
    va_end(arguments);
}

static void check_large(text *t) {
    bp_error error = {0};
    bp_result result = load(t->data, t->size, (bp_limits){0}, NULL, &error);
    if (result != BP_OK) fail_msg("%s: %s", error.pointer, error.message);
    free(t->data);
}

static void test_million_nodes(void **state) {
    enum { COUNT = 1000000 };
    text wide = {0}, deep = {0};
    (void)state;
    print(&wide, "{" ASSET ",\"nodes\":[{\"children\":[1");
    for (int i = 2; i < COUNT; ++i)
        print(&wide, ",%d", i);
    print(&wide, "]}");
    for (int i = 1; i < COUNT; ++i)
        print(&wide, ",{}");
    print(&wide, "]}");
    check_large(&wide);
    /* A chain, against the order in which it is built. */
    print(&deep, "{" ASSET ",\"nodes\":[{}");
    for (int i = 1; i < COUNT; ++i)
        print(&deep, ",{\"children\":[%d]}", i - 1);
    print(&deep, "]}");
    check_large(&deep);
}

/* Many of everything that refers to something else. */
static void test_many_channels(void **state) {
    enum { CHANNELS = 10000, ACCESSORS = 100000 };
    text t = {0};
    (void)state;
    print(&t, "{" ASSET "," BUFFER "," VIEW ",\"nodes\":[{}");
    for (int i = 1; i < CHANNELS; ++i)
        print(&t, ",{\"name\":\"n%d\"}", i);
    print(&t, "],\"animations\":[{\"channels\":[");
    for (int i = 0; i < CHANNELS; ++i)
        print(&t, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"translation\"}}",
              i ? "," : "", i, i);
    print(&t, "],\"samplers\":[");
    for (int i = 0; i < CHANNELS; ++i)
        print(&t, "%s{\"input\":%d,\"output\":%d}", i ? "," : "", 2 * i, 2 * i + 1);
    print(&t, "]}],\"accessors\":[");
    for (int i = 0; i < ACCESSORS; ++i)
        print(&t, "%s{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"%s\"}",
              i ? "," : "", i % 2 ? "VEC3" : "SCALAR");
    print(&t, "]}");
    check_large(&t);
}

/*
 * Few bytes that refer to many others, many times over: were the work a product of the two, each of
 * these would take minutes.
 */
static void test_many_sets_of_joints(void **state) {
    enum { COUNT = 40000 };
    text t = {0};
    (void)state;
    print(&t, "{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
              "{\"componentType\":5121,\"count\":1,\"type\":\"VEC4\"},"
              "{\"componentType\":5126,\"count\":1,\"type\":\"VEC4\"}],\"meshes\":[{"
              "\"primitives\":[{\"attributes\":{\"POSITION\":0");
    for (int i = 0; i < COUNT; ++i)
        print(&t, ",\"JOINTS_%d\":1,\"WEIGHTS_%d\":2", i, i);
    print(&t, "}}]}]}");
    check_large(&t);
}

static void test_many_skins_of_one_accessor(void **state) {
    enum { COUNT = 40000 };
    text t = {0};
    (void)state;
    print(&t,
          "{" ASSET ",\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,\"count\":%d,"
          "\"type\":\"MAT4\"}],\"skins\":[{\"joints\":[0]}",
          COUNT);
    for (int i = 0; i < COUNT; ++i)
        print(&t, ",{\"joints\":[0],\"inverseBindMatrices\":0}");
    print(&t, "]}");
    check_large(&t);
}

/* Nodes share a mesh with more weights than targets; channels animate the weights of the mesh. */
static void test_many_users_of_weights(void **state) {
    enum { COUNT = 30000 };
    text t = {0};
    (void)state;
    print(&t, "{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"},"
              "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"},"
              "{\"componentType\":5126,\"count\":0,\"type\":\"SCALAR\"}],\"meshes\":[{"
              "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{}]}],"
              "\"weights\":[1");
    for (int i = 0; i < COUNT; ++i)
        print(&t, ",1");
    print(&t, "]}],\"nodes\":[{\"mesh\":0}");
    for (int i = 0; i < COUNT; ++i)
        print(&t, ",{\"mesh\":0}");
    print(&t, "],\"animations\":[{\"samplers\":[{\"input\":1,\"output\":1},{\"input\":2,"
              "\"output\":1}],\"channels\":[");
    for (int i = 0; i < COUNT; ++i)
        print(&t,
              "%s{\"sampler\":%d,\"target\":{\"path\":\"pointer\",\"extensions\":{"
              "\"KHR_animation_pointer\":{\"pointer\":\"/meshes/0/weights%s\"}}}}",
              i ? "," : "", i % 2,
              i % 3   ? ""
              : i % 2 ? "/0"
                      : "/7");
    print(&t, "]}]}");
    check_large(&t);
}

/* `uses` primitives with the normals of `accessors` accessors in turn, all sparse by one list. */
static bp_result load_uses_of_sparse(int uses, int accessors, bp_error *error) {
    enum { COUNT = 40000 };
    text t = {0};
    print(&t, "{" ASSET ",\"buffers\":[{\"byteLength\":%d,\"uri\":\"data:,", COUNT);
    for (int i = 0; i < COUNT; ++i)
        print(&t, "a");
    print(&t, "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[", COUNT);
    for (int i = 0; i < accessors; ++i)
        print(&t,
              "%s{\"bufferView\":0,\"componentType\":5121,\"count\":%d,\"type\":\"SCALAR\","
              "\"sparse\":{\"count\":%d,\"indices\":{\"bufferView\":0,\"componentType\":5121},"
              "\"values\":{\"bufferView\":0}}}",
              i ? "," : "", COUNT, COUNT);
    print(&t, "],\"meshes\":[{\"primitives\":[{\"attributes\":{}}");
    for (int i = 0; i < uses; ++i)
        print(&t, ",{\"attributes\":{\"NORMAL\":%d}}", i % accessors);
    print(&t, "]}]}");
    bp_result result = load(t.data, t.size, (bp_limits){0}, NULL, error);
    free(t.data);
    return result;
}

/* A look at a sparse accessor is linear: there is one for each, and all count against a limit. */
static void test_many_uses_of_sparse(void **state) {
    bp_error error = {0};
    (void)state;
    assert_int_equal(load_uses_of_sparse(40000, 1, &error), BP_OK);
    assert_int_equal(load_uses_of_sparse(1000, 1000, &error), BP_ERROR_LIMIT);
    assert_memory_equal(error.pointer, "/accessors/", 11);
}

/* Long objects that are referred to often: each is read once, which keeps this linear. */
static void test_many_references_to_long_objects(void **state) {
    enum { USES = 20000, JUNK = 50000 };
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        text t = {0};
        bp_error error = {0};
        print(&t, "{" ASSET ",\"%s\":[{\"samplers\":[{", kind == 0 ? "animations" : "unused");
        if (kind > 0) print(&t, "}]}],\"%s\":[{", kind == 1 ? "samplers" : "accessors");
        if (kind != 1) print(&t, "\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",");
        for (int i = 0; i < JUNK; ++i)
            print(&t, "\"j%d\":0,", i);
        print(&t, "\"input\":0,\"output\":0");
        if (kind == 0) {
            print(&t, "}],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"scale\"}}");
            for (int i = 0; i < USES; ++i)
                print(&t, ",{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"translation\"}}", i);
            print(&t, "]}],\"accessors\":[{\"componentType\":5126,\"count\":0,\"type\":\"SCALAR\"}"
                      "],\"nodes\":[{}");
            for (int i = 1; i < USES; ++i)
                print(&t, ",{}");
        } else {
            print(&t, "}],\"%s\":[{\"primitives\":[{\"attributes\":{}}]}",
                  kind == 1 ? "textures" : "meshes");
            for (int i = 0; i < USES; ++i)
                print(&t, kind == 1 ? ",{\"sampler\":0}"
                                    : ",{\"primitives\":[{\"attributes\":{\"NORMAL\":0}}]}");
        }
        print(&t, "]}");
        if (load(t.data, t.size, (bp_limits){0}, NULL, &error) != BP_OK)
            fail_msg("%s: %s", error.pointer, error.message);
        free(t.data);
    }
}

/* Warnings do not grow with the file: of each rule 1000 places are kept. */
static void test_many_warnings(void **state) {
    enum { COUNT = 50000 };
    text t = {0};
    bp_model *model = NULL;
    bp_error error = {0};
    (void)state;
    print(&t, "{" ASSET ",\"nodes\":[{\"rotation\":[0,0,0,2]}");
    for (int i = 1; i < COUNT; ++i)
        print(&t, ",{\"rotation\":[0,0,0,2]}");
    print(&t, "]}");
    assert_int_equal(bp_model_load_memory(&model, t.data, t.size, NULL, &error), BP_OK);
    uint64_t total = 0;
    for (uint32_t i = 0; i < model->warning_count; ++i)
        total += model->warnings[i].count;
    assert_true(model->warning_count <= 1001);
    assert_int_equal(total, COUNT);
    bp_model_destroy(model);
    free(t.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_take_little),
        cmocka_unit_test(test_container_claims_take_little),
        cmocka_unit_test(test_zeros_obey_limits),
        cmocka_unit_test(test_limit_of_memory),
        cmocka_unit_test(test_limit_of_nodes),
        cmocka_unit_test(test_limit_of_file_size),
        cmocka_unit_test(test_limit_of_depth),
        cmocka_unit_test(test_million_nodes),
        cmocka_unit_test(test_many_channels),
        cmocka_unit_test(test_many_sets_of_joints),
        cmocka_unit_test(test_many_skins_of_one_accessor),
        cmocka_unit_test(test_many_users_of_weights),
        cmocka_unit_test(test_many_uses_of_sparse),
        cmocka_unit_test(test_many_references_to_long_objects),
        cmocka_unit_test(test_many_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
