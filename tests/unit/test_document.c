// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * document, the JSON tree: what is accepted, what is refused and where, navigation, pointers;
 * warnings. Beside this file: test_document_value.c (numbers, strings), test_document_load.c (GLB,
 * buffers, memory), test_document_file.c (files, URIs), test_document_accessor.c.
 */
#include "document/document_internal.h"
#include "test_allocator.h"
#include "test_document_source.h"
#include "test_random.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bp_document *load(const char *json) {
    return test_document_load(json, strlen(json), NULL);
}

/* The member `a` of the root. */
static bp_json a_of(const bp_document *document) {
    return bp_json_member(document, 0, "a");
}

static bp_document *load_value(char json[4096], const char *value) {
    int length = snprintf(json, 4096, "{\"a\":%s}", value);
    assert_in_range(length, 1, 4095);
    return load(json);
}

/* ---- grammar --------------------------------------------------------------------------------- */

static void test_valid_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        " \t\r\n{ \t\r\n} \t\r\n",
        "{\"a\":1}",
        "{\"a\" : [ ] , \"b\" : { } }",
        "{\"\":\"\"}",
        "{\"a\":[[],[[]],{},[{}]]}",
        "{\"a\":[0,-0,-1,10,0.5,1e5,1E5,1e+5,1e-5,1.25e0]}",
        "{\"a\":[true,false,null,\"true\"]}",
        "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u12aB\"}",
        "{\"a\":\"\x7F\"}",                             /* DEL needs no escape */
        "{\"a\":\"\xC2\x80\xDF\xBF\"}",                 /* two bytes: first and last */
        "{\"a\":\"\xE0\xA0\x80\xEF\xBF\xBF\"}",         /* three */
        "{\"a\":\"\xED\x9F\xBF\xEE\x80\x80\"}",         /* around the surrogates */
        "{\"a\":\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"}", /* four */
        "{\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < COUNT(texts); ++i)
        bp_document_destroy(load(texts[i]));
}

/* Where each broken text breaks, counted by hand. */
static void test_invalid_json(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int offset;
        const char *message; /* part of it */
    } cases[] = {
        {"", 0, "ends too early"},
        {"  ", 2, "ends too early"},
        {"x", 0, "expected '{'"},
        {"\xEF\xBB\xBF{}", 0, "byte order mark"},
        {"{", 1, "ends too early"},
        {"{\"a\"", 4, "':'"},
        {"{\"a\":", 5, "a value"},
        {"{\"a\":1", 6, "',' or '}'"},
        {"{\"a\":[1", 7, "',' or ']'"},
        {"{\"a\":\"b", 7, "ends a string"},
        {"{\"a\":\"b\\", 7, "an escape"},
        {"{\"a\":\"b\\\"", 9, "ends a string"},
        {"{}x", 2, "the end of the file"},
        {"{} {}", 3, "the end of the file"},
        {"{\"a\":1}]", 7, "the end of the file"},
        {"{\"a\":1,}", 7, "a key"},
        {"{\"a\":[1,]}", 8, "a value"},
        {"{,}", 1, "a key"},
        {"{\"a\":[,1]}", 6, "a value"},
        {"{\"a\":1,,\"b\":2}", 7, "a key"},
        {"{\"a\" 1}", 5, "':'"},
        {"{\"a\":1 \"b\":2}", 7, "',' or '}'"},
        {"{\"a\":[1 2]}", 8, "',' or ']'"},
        {"{\"a\":1]", 6, "',' or '}'"},
        {"{\"a\":[1}", 7, "',' or ']'"},
        {"{a:1}", 1, "a key"},
        {"{'a':1}", 1, "a key"},
        {"{1:1}", 1, "a key"},
        {"{\"a\":01}", 6, "leading zero"},
        {"{\"a\":-01}", 7, "leading zero"},
        {"{\"a\":-}", 6, "a digit"},
        {"{\"a\":+1}", 5, "a value"},
        {"{\"a\":.5}", 5, "a value"},
        {"{\"a\":1.}", 7, "a digit after the point"},
        {"{\"a\":1.e5}", 7, "a digit after the point"},
        {"{\"a\":1e}", 7, "exponent"},
        {"{\"a\":1e+}", 8, "exponent"},
        {"{\"a\":0x1}", 6, "',' or '}'"},
        {"{\"a\":1_0}", 6, "',' or '}'"},
        {"{\"a\":NaN}", 5, "a value"},
        {"{\"a\":Infinity}", 5, "a value"},
        {"{\"a\":tru}", 5, "a value"},
        {"{\"a\":True}", 5, "a value"},
        {"{\"a\":nul", 5, "a value"},
        {"{\"a\":truex}", 9, "',' or '}'"},
        {"{\"a\":\"\\x\"}", 6, "an escape"},
        {"{\"a\":\"\\u12g4\"}", 6, "four hexadecimal digits"},
        {"{\"a\":\"\\u12", 6, "four hexadecimal digits"},
        {"{\"a\":\"\t\"}", 6, "control character"},
        {"{\"a\":\"12345678\n\"}", 14, "control character"},
        {"{\"a\":\"\x80\"}", 6, "UTF-8"},
        {"{\"a\":\"\xC0\x80\"}", 6, "UTF-8"},         /* overlong */
        {"{\"a\":\"\xC1\xBF\"}", 6, "UTF-8"},         /* overlong */
        {"{\"a\":\"\xE0\x9F\xBF\"}", 6, "UTF-8"},     /* overlong */
        {"{\"a\":\"\xF0\x8F\xBF\xBF\"}", 6, "UTF-8"}, /* overlong */
        {"{\"a\":\"\xED\xA0\x80\"}", 6, "UTF-8"},     /* surrogate */
        {"{\"a\":\"\xF4\x90\x80\x80\"}", 6, "UTF-8"}, /* past U+10FFFF */
        {"{\"a\":\"\xF5\x80\x80\x80\"}", 6, "UTF-8"},
        {"{\"a\":\"\xE2\x82\"}", 6, "UTF-8"}, /* cut by the quote */
        {"{\"a\":\"12345678\xFF\"}", 14, "UTF-8"},
        {"{\xC3\xA9:1}", 1, "a key"},
        {"{\"a\":\v1}", 5, "a value"},
        {"{//\n}", 1, "a key"},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document = (bp_document *)1;
        bp_error error;
        bp_result result =
            bp_document_load_memory(&document, cases[i].text, strlen(cases[i].text), NULL, &error);
        if (result != BP_ERROR_FORMAT || document || error.offset != cases[i].offset ||
            strcmp(error.rule, "INVALID_JSON") != 0 || !strstr(error.message, cases[i].message))
            fail_msg("%s: result %d, byte %d instead of %d: %s", cases[i].text, result,
                     (int)error.offset, cases[i].offset, error.message);
    }
    bp_document *document;
    bp_error error;
    assert_int_equal(bp_document_load_memory(&document, "{\"a\0\":1}", 8, NULL, &error),
                     BP_ERROR_FORMAT);
    assert_int_equal(error.offset, 3);
    assert_int_equal(bp_document_load_memory(&document, "{}\0", 3, NULL, &error), BP_ERROR_FORMAT);
    assert_int_equal(error.offset, 2);
}

/* The root of glTF is an object: other JSON is a different mistake. */
static void test_root_is_object(void **state) {
    (void)state;
    static const char *const texts[] = {"[]", " [1]", "\"a\"", "1", "-1", "true", "false", "null"};
    for (size_t i = 0; i < COUNT(texts); ++i) {
        bp_document *document;
        bp_error error;
        assert_int_equal(
            bp_document_load_memory(&document, texts[i], strlen(texts[i]), NULL, &error),
            BP_ERROR_FORMAT);
        assert_string_equal(error.rule, "TYPE_MISMATCH");
        assert_int_equal(error.offset, texts[i][0] == ' ');
        assert_null(document);
    }
}

static void test_depth(void **state) {
    (void)state;
    char text[2048];
    for (int depth = 254; depth <= 257; ++depth) { /* arrays in the root, which is one level */
        int length = snprintf(text, sizeof text, "{\"a\":");
        memset(text + length, '[', (size_t)depth);
        memset(text + length + depth, ']', (size_t)depth);
        text[length + 2 * depth] = '}';
        bp_document *document;
        bp_error error;
        bp_result result = bp_document_load_memory(
            &document, text, (size_t)length + 2 * (size_t)depth + 1, NULL, &error);
        assert_int_equal(result, depth <= 255 ? BP_OK : BP_ERROR_LIMIT);
        if (result != BP_OK) assert_int_equal(error.offset, length + 255);
        bp_document_destroy(document);
    }
    const bp_load_options options = {.limits = {.json_depth = 1}};
    bp_document *document;
    assert_int_equal(bp_document_load_memory(&document, "{\"a\":1}", 7, &options, NULL), BP_OK);
    bp_document_destroy(document);
    assert_int_equal(bp_document_load_memory(&document, "{\"a\":{}}", 8, &options, NULL),
                     BP_ERROR_LIMIT);
}

/* Every text cut anywhere is refused, at its end or before. */
static void test_truncated(void **state) {
    (void)state;
    static const char text[] =
        "{\"ab\":[1.5e3,{\"c\":\"d\\u00e9\\n\xE2\x82\xAC\"},true,[]],\"e\":-2}";
    for (size_t size = 0; size < sizeof text - 1; ++size) {
        char *copy = malloc(size + 1); /* so that sanitizers see a read past the end */
        memcpy(copy, text, size);
        bp_document *document;
        bp_error error;
        assert_int_equal(bp_document_load_memory(&document, copy, size, NULL, &error),
                         BP_ERROR_FORMAT);
        assert_in_range(error.offset, 0, size);
        free(copy);
    }
    bp_document_destroy(load(text));
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void test_types(void **state) {
    (void)state;
    bp_document *document = load("{\"a\":[null,false,true,0,-1,\"\",[],{}]}");
    static const bp_json_type types[] = {BP_JSON_NULL,   BP_JSON_FALSE,  BP_JSON_TRUE,
                                         BP_JSON_NUMBER, BP_JSON_NUMBER, BP_JSON_STRING,
                                         BP_JSON_ARRAY,  BP_JSON_OBJECT};
    bp_json array = a_of(document), value = bp_json_first(document, array);
    assert_int_equal(bp_json_type_of(document, 0), BP_JSON_OBJECT);
    for (uint32_t i = 0; i < 8; ++i) {
        assert_int_equal(bp_json_type_of(document, value), types[i]);
        assert_int_equal(bp_json_element(document, array, i), value);
        value = bp_json_next(document, array, value);
    }
    assert_int_equal(value, BP_JSON_NONE);
    assert_int_equal(bp_json_element(document, array, 8), BP_JSON_NONE);
    assert_int_equal(bp_json_count(document, array), 8);
    bp_document_destroy(document);
}

static void test_members(void **state) {
    (void)state;
    bp_document *document =
        load("{\"a\":{\"b\":1,\"bc\":2,\"\":3,\"b\":4,\"k\\u0065y\":5},\"e\":{ }}");
    bp_json object = a_of(document);
    uint64_t integer = 0;
    static const struct {
        const char *key;
        uint64_t value; /* 0: absent */
    } cases[] = {{"b", 1}, {"bc", 2},  {"", 3},     {"key", 5},       {"k", 0},
                 {"B", 0}, {"bcd", 0}, {"keys", 0}, {"k\\u0065y", 0}, {"b\":1", 0}};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_json value = bp_json_member(document, object, cases[i].key);
        assert_int_equal(value == BP_JSON_NONE, cases[i].value == 0);
        if (value == BP_JSON_NONE) continue;
        assert_true(bp_json_integer(document, value, &integer));
        assert_int_equal(integer, cases[i].value);
    }
    assert_int_equal(bp_json_count(document, object), 5);
    assert_int_equal(bp_json_count(document, bp_json_member(document, 0, "e")), 0);
    assert_int_equal(bp_json_first(document, bp_json_member(document, 0, "e")), BP_JSON_NONE);
    assert_int_equal(bp_json_count(document, 0), 2);
    bp_document_destroy(document);
}

static void test_members_at_once(void **state) {
    (void)state;
    static const char *const keys[] = {"count", "byteOffset", "byteLength", "none", "x"};
    static const uint64_t expected[] = {3, 1, 2, 0, 9};
    static const char *const texts[] = {
        "{\"a\":{\"byteOffset\":1,\"byteLength\":2,\"count\":3,\"other\":[{}],\"count\":4,\"x\":9}"
        "}",
        "{\"a\":{\"byte\\u004fffset\":1,\"byteLength\":2,\"count\":3,\"x\":9,\"\":0,\"x\":8}}"};
    for (size_t i = 0; i < 2; ++i) {
        bp_document *document = load(texts[i]);
        bp_json values[5];
        bpi_json_members(document, a_of(document), keys, 5, values);
        for (size_t k = 0; k < 5; ++k) {
            uint64_t integer = 0;
            assert_int_equal(bp_json_integer(document, values[k], &integer), expected[k] != 0);
            assert_int_equal(integer, expected[k]);
        }
        bpi_json_members(document, values[0], keys, 5, values);
        assert_int_equal(values[0], BP_JSON_NONE);
        bp_document_destroy(document);
    }
}

/* Look-ups of what is not there can be chained. */
static void test_absent(void **state) {
    (void)state;
    bp_document *document = load("{\"a\":1}");
    const bp_json none = BP_JSON_NONE, number = a_of(document);
    char text[4] = "#";
    double value;
    assert_int_equal(bp_json_type_of(document, none), BP_JSON_ABSENT);
    assert_int_equal(bp_json_member(document, none, "a"), none);
    assert_int_equal(bp_json_member(document, number, "a"), none);
    assert_int_equal(bp_json_count(document, none), 0);
    assert_int_equal(bp_json_count(document, number), 0);
    assert_int_equal(bp_json_first(document, none), none);
    assert_int_equal(bp_json_first(document, number), none);
    assert_int_equal(bp_json_next(document, none, none), none);
    assert_int_equal(bp_json_next(document, 0, none), none);
    assert_int_equal(bp_json_element(document, none, 0), none);
    assert_int_equal(bp_json_element(document, 0, 0), none);
    assert_false(bp_json_number(document, none, &value));
    assert_int_equal(bp_json_string(document, none, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(bp_json_string(document, number, text, sizeof text), 0);
    assert_int_equal(bp_json_key(document, none, text, sizeof text), 0);
    assert_int_equal(bp_json_key(document, 0, text, sizeof text), 0);
    assert_int_equal(bp_json_pointer(document, none, text, sizeof text), 0);
    assert_int_equal(bp_json_text(document, none).size, 0);
    bp_document_destroy(document);
}

/* Arrays of the root, short and long, and the elements in the middle of them. */
static void test_root_arrays(void **state) {
    (void)state;
    char text[2048];
    for (uint32_t count = 0; count < 20; ++count) {
        int length = snprintf(text, sizeof text, "{\"z\":[1],\"a\":[");
        for (uint32_t i = 0; i < count; ++i)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%u", i ? " ,\n" : "",
                               100 + i);
        snprintf(text + length, sizeof text - (size_t)length, "],\"b\":[[0,1,2,3,4,5,6,7,8]]}");
        bp_document *document = load(text);
        bp_json array = a_of(document);
        assert_int_equal(bp_json_count(document, array), count);
        for (uint32_t i = 0; i < count; ++i) {
            uint64_t integer;
            char pointer[16], expected[16];
            bp_json value = bp_json_element(document, array, i);
            assert_true(bp_json_integer(document, value, &integer) && integer == 100 + i);
            bp_json_pointer(document, value, pointer, sizeof pointer);
            snprintf(expected, sizeof expected, "/a/%u", i);
            assert_string_equal(pointer, expected);
        }
        assert_int_equal(bp_json_element(document, array, count), BP_JSON_NONE);
        bp_json inner = bp_json_element(document, bp_json_member(document, 0, "b"), 0);
        assert_int_equal(bp_json_count(document, inner), 9);
        bp_document_destroy(document);
    }
}

static void test_keys_and_pointers(void **state) {
    (void)state;
    bp_document *document = load("{\"a b\" : {\"x~y/z\":[\"q\", \"r:\" , {\"\":[[7]]}],"
                                 "\"\\u20ac\\n\":true}}");
    bp_json a = bp_json_first(document, 0);
    bp_json list = bp_json_first(document, a);
    bp_json object = bp_json_element(document, list, 2);
    bp_json seven =
        bp_json_first(document, bp_json_first(document, bp_json_first(document, object)));
    bp_json euro = bp_json_next(document, a, list);
    const struct {
        bp_json value;
        const char *key, *pointer;
    } cases[] = {{0, "", ""},
                 {a, "a b", "/a b"},
                 {list, "x~y/z", "/a b/x~0y~1z"},
                 {bp_json_element(document, list, 0), "", "/a b/x~0y~1z/0"},
                 {bp_json_element(document, list, 1), "", "/a b/x~0y~1z/1"},
                 {seven, "", "/a b/x~0y~1z/2//0/0"},
                 {euro, "\xE2\x82\xAC\n", "/a b/\xE2\x82\xAC\n"}};
    char text[64];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_int_equal(bp_json_key(document, cases[i].value, text, sizeof text),
                         strlen(cases[i].key));
        assert_string_equal(text, cases[i].key);
        assert_int_equal(bp_json_pointer(document, cases[i].value, text, sizeof text),
                         strlen(cases[i].pointer));
        assert_string_equal(text, cases[i].pointer);
    }
    assert_int_equal(bp_json_pointer(document, euro, text, 8), 9); /* cut before the euro */
    assert_string_equal(text, "/a b/");
    bp_document_destroy(document);
}

static void test_text_of_values(void **state) {
    (void)state;
    static const char *const values[] = {"1",          "-1.5e+3",           "true", "\"a\\\"]\"",
                                         "[ 1 , {} ]", "{ \"b\" : \"}\" }", "null"};
    static const char *const ends[] = {"", " ", "\n", "\t", "\r"};
    char json[4096], value[64];
    for (size_t i = 0; i < COUNT(values); ++i)
        for (size_t e = 0; e < COUNT(ends); ++e) {
            snprintf(value, sizeof value, "[%s%s,%s]", values[i], ends[e], values[i]);
            bp_document *document = load_value(json, value);
            bp_json first = bp_json_first(document, a_of(document));
            bp_bytes text = bp_json_text(document, first);
            assert_int_equal(text.size, strlen(values[i]));
            assert_memory_equal(text.data, values[i], text.size);
            text = bp_json_text(document, bp_json_next(document, a_of(document), first));
            assert_int_equal(text.size, strlen(values[i]));
            assert_ptr_equal(bp_json_text(document, 0).data, json);
            bp_document_destroy(document);
        }
}

/* A string of every length around those at which it is indexed, at every place in a block. */
static void test_long_strings(void **state) {
    (void)state;
    static char json[4096];
    for (size_t length = 0; length < 700; length += length < 240 || length > 270 ? 37 : 1)
        for (size_t shift = 0; shift < 64; shift += 7) {
            size_t used = (size_t)sprintf(json, "{%*s\"a\":[\"", (int)shift, "");
            memset(json + used, 'x', length);
            sprintf(json + used + length, "\",\"y\",[]],\"b\":1}");
            bp_document *document = load(json);
            bp_json string = bp_json_first(document, a_of(document));
            assert_int_equal(bp_json_string(document, string, NULL, 0), length);
            assert_int_equal(bp_json_text(document, string).size, length + 2);
            bp_json next = bp_json_next(document, a_of(document), string);
            assert_true(bp_json_equals(document, next, "y"));
            assert_int_equal(bp_json_count(document, a_of(document)), 3);
            assert_int_equal(bp_json_count(document, 0), 2);
            bp_document_destroy(document);
        }
}

/* ---- random trees ---------------------------------------------------------------------------- */

enum { MOST_VALUES = 4000, MOST_TEXT = 400000 };

/* What the generator wrote: in order of the text, each value with its parent and its place. */
typedef struct written {
    uint32_t offset, size, parent, number, children;
    bp_json_type type;
} written;

typedef struct tree {
    test_random random;
    char *text;
    uint32_t used, count;
    written values[MOST_VALUES];
} tree;

static void put(tree *t, const char *text) {
    size_t length = strlen(text);
    memcpy(t->text + t->used, text, length);
    t->used += (uint32_t)length;
}

static void put_space(tree *t) {
    static const char *const spaces[] = {"", "", "", " ", "\n", "\n          ", "\t\t", " \r\n "};
    put(t, spaces[test_random_below(&t->random, COUNT(spaces))]);
}

static void put_scalar(tree *t, written *value) {
    static const char *const texts[] = {"0",    "-12.5e-7", "123456789",  "true",         "false",
                                        "null", "\"\"",     "\"[{,:}]\"", "\"a\\\"\\\\\""};
    static const bp_json_type types[] = {BP_JSON_NUMBER, BP_JSON_NUMBER, BP_JSON_NUMBER,
                                         BP_JSON_TRUE,   BP_JSON_FALSE,  BP_JSON_NULL,
                                         BP_JSON_STRING, BP_JSON_STRING, BP_JSON_STRING};
    uint32_t which = test_random_below(&t->random, COUNT(texts));
    value->type = types[which];
    put(t, texts[which]);
}

static uint32_t put_value(tree *t, uint32_t parent, uint32_t number, uint32_t depth) {
    uint32_t self = t->count++, kind = test_random_below(&t->random, 4);
    written *value = &t->values[self];
    *value = (written){.offset = t->used, .parent = parent, .number = number};
    if (depth > 0 && (kind > 1 || depth > 10 || t->count > MOST_VALUES - 600)) {
        put_scalar(t, value);
    } else {
        bool object = depth == 0 || kind == 0;
        uint32_t children = test_random_below(&t->random, depth == 0 ? 40 : 12);
        value->type = object ? BP_JSON_OBJECT : BP_JSON_ARRAY;
        put(t, object ? "{" : "[");
        put_space(t);
        for (uint32_t i = 0; i < children; ++i) {
            char key[24];
            if (i) put(t, ",");
            put_space(t);
            snprintf(key, sizeof key, "\"k%u\":", i);
            if (object) put(t, key);
            put_space(t);
            put_value(t, self, i, depth + 1);
            put_space(t);
        }
        value->children = children;
        put(t, object ? "}" : "]");
    }
    value->size = t->used - value->offset;
    return self;
}

static void check_tree(const tree *t, const bp_document *document) {
    for (uint32_t i = 0; i < t->count; ++i) {
        const written *value = &t->values[i], *parent = &t->values[value->parent];
        assert_int_equal(bp_json_type_of(document, value->offset), value->type);
        assert_int_equal(bp_json_count(document, value->offset), value->children);
        assert_int_equal(bp_json_text(document, value->offset).size, value->size);
        if (i == 0) continue;
        char key[16], expected[16] = "";
        if (parent->type == BP_JSON_OBJECT) {
            snprintf(expected, sizeof expected, "k%u", value->number);
            assert_int_equal(bp_json_member(document, parent->offset, expected), value->offset);
        } else {
            assert_int_equal(bp_json_element(document, parent->offset, value->number),
                             value->offset);
        }
        bp_json_key(document, value->offset, key, sizeof key);
        assert_string_equal(key, expected);
        if (value->number == 0)
            assert_int_equal(bp_json_first(document, parent->offset), value->offset);
        bp_json next = bp_json_next(document, parent->offset, value->offset);
        bool last = value->number + 1 == parent->children;
        assert_int_equal(next == BP_JSON_NONE, last);
    }
}

static void test_random_trees(void **state) {
    (void)state;
    tree *t = malloc(sizeof *t);
    t->random.state = 42;
    t->text = malloc(MOST_TEXT);
    uint32_t values = 0;
    for (int round = 0; round < 200; ++round) {
        t->used = t->count = 0;
        put_value(t, 0, 0, 0);
        bp_document *document = test_document_load(t->text, t->used, NULL);
        check_tree(t, document);
        values += t->count;
        bp_document_destroy(document);
    }
    assert_true(values > 10000);
    free(t->text);
    free(t);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static bpi_report make_report(bpi_arena *arena) {
    return (bpi_report){.arena = arena};
}

static void test_warnings_are_counted(void **state) {
    (void)state;
    bp_document *document = load("{\"a\":[1,2,{\"b\":3}]}");
    bp_json b = bp_json_first(document, bp_json_element(document, a_of(document), 2));
    bpi_memory memory = bpi_memory_make(NULL, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    bpi_report report = make_report(&arena);
    bpi_warn(&report, document, b, BP_RULE_NODE_LOOP, 2, "first %d", 1);
    bpi_warn(&report, document, 0, BP_RULE_NODE_LOOP, 1, "root");
    bpi_warn(&report, document, b, BP_RULE_NODE_LOOP, 3, "second");
    bpi_warn(&report, document, b, BP_RULE_EMPTY_ENTITY, 1, "other rule\n");
    bpi_warn(&report, document, BP_JSON_NONE, BP_RULE_NODE_LOOP, UINT32_MAX, "nowhere");
    bpi_warn(&report, document, BP_JSON_NONE, BP_RULE_NODE_LOOP, 5, "nowhere");
    bpi_warn_offset(&report, 12, BP_RULE_GLB_EXTRA_DATA, "at %d", 12);
    bpi_warn_offset(&report, 12, BP_RULE_GLB_EXTRA_DATA, "again");
    static const struct {
        bp_rule rule;
        uint32_t count;
        int64_t offset;
        const char *pointer, *message;
    } expected[] = {{BP_RULE_NODE_LOOP, 5, -1, "/a/2/b", "first 1"},
                    {BP_RULE_NODE_LOOP, 1, -1, "", "root"},
                    {BP_RULE_EMPTY_ENTITY, 1, -1, "/a/2/b", "other rule?"},
                    {BP_RULE_NODE_LOOP, UINT32_MAX, -1, "", "nowhere"},
                    {BP_RULE_GLB_EXTRA_DATA, 2, 12, "", "at 12"}};
    bpi_layout measure = {0};
    assert_true(bpi_report_finish(&report, document));
    assert_null(bpi_report_layout(report.warnings, report.count, &measure));
    void *block = malloc(measure.size);
    bpi_layout layout = {.base = block};
    const bp_warning *copies = bpi_report_layout(report.warnings, report.count, &layout);
    assert_int_equal(layout.size, measure.size);
    assert_false(report.failed);
    assert_int_equal(report.count, COUNT(expected));
    bpi_arena_release(&arena);
    for (size_t i = 0; i < COUNT(expected); ++i) {
        assert_int_equal(copies[i].rule, expected[i].rule);
        assert_int_equal(copies[i].count, expected[i].count);
        assert_int_equal(copies[i].offset, expected[i].offset);
        assert_string_equal(copies[i].pointer, expected[i].pointer);
        assert_string_equal(copies[i].message, expected[i].message);
    }
    free(block);
    bp_document_destroy(document);
}

/* A rule broken at 3000 places: 1000 are kept, 2000 counted; another rule is not affected. */
static void test_warnings_are_limited(void **state) {
    (void)state;
    char *text = malloc(20000);
    int length = sprintf(text, "{\"a\":{\"b\":[");
    for (int i = 0; i < 3000; ++i)
        length += sprintf(text + length, "%s%d", i ? "," : "", i % 10);
    sprintf(text + length, "]}}");
    bp_document *document = load(text);
    bp_json array = bp_json_first(document, a_of(document));
    bpi_memory memory = bpi_memory_make(NULL, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    bpi_report report = make_report(&arena);
    for (int round = 0; round < 2; ++round)
        for (bp_json value = bp_json_first(document, array); value != BP_JSON_NONE;
             value = bp_json_next(document, array, value))
            bpi_warn(&report, document, value, BP_RULE_NODE_LOOP, 1, "here");
    bpi_warn(&report, document, array, BP_RULE_EMPTY_ENTITY, 1, "there");
    assert_int_equal(report.count, 1002);
    assert_true(bpi_report_finish(&report, document));
    assert_string_equal(report.warnings[999].pointer, "/a/b/999");
    assert_int_equal(report.warnings[999].count, 2);
    assert_string_equal(report.warnings[1000].pointer, "");
    assert_int_equal(report.warnings[1000].count, 4000);
    assert_non_null(strstr(report.warnings[1000].message, "1000 other places"));
    assert_string_equal(report.warnings[1001].pointer, "/a/b");
    bpi_arena_release(&arena);
    bp_document_destroy(document);
    free(text);
}

static void test_lost_warning(void **state) {
    (void)state;
    test_allocator counter = {.fail_at = 1};
    bp_allocator allocator = test_allocator_make(&counter);
    bpi_memory memory = bpi_memory_make(&allocator, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    bpi_report report = make_report(&arena);
    bpi_warn_offset(&report, 0, BP_RULE_GLB_EXTRA_DATA, "no memory for this");
    assert_true(report.failed);
    assert_int_equal(report.failure, BP_ERROR_OUT_OF_MEMORY);
    assert_int_equal(report.count, 0);
    bpi_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

static void test_refuse(void **state) {
    (void)state;
    bp_document *document = load("{\"a\":[1,2]}");
    bp_json two = bp_json_element(document, a_of(document), 1);
    bp_error error;
    assert_int_equal(bpi_refuse(&error, BP_ERROR_LIMIT, document, two, BP_RULE_NODE_LOOP, "%s %d",
                                "too many:", 3),
                     BP_ERROR_LIMIT);
    assert_int_equal(error.result, BP_ERROR_LIMIT);
    assert_string_equal(error.rule, "NODE_LOOP");
    assert_int_equal(error.offset, -1);
    assert_string_equal(error.pointer, "/a/1");
    assert_string_equal(error.message, "too many: 3");
    assert_int_equal(bpi_refuse(NULL, BP_ERROR_IO, document, two, BP_RULE_NONE, "x"), BP_ERROR_IO);
    assert_string_equal(bp_rule_name(BP_RULE_NONE), "");
    assert_string_equal(bp_rule_name(BP_RULE_ACCESSOR_TOO_LONG), "ACCESSOR_TOO_LONG");
    bp_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_json),
        cmocka_unit_test(test_invalid_json),
        cmocka_unit_test(test_root_is_object),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_members_at_once),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_root_arrays),
        cmocka_unit_test(test_keys_and_pointers),
        cmocka_unit_test(test_text_of_values),
        cmocka_unit_test(test_long_strings),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_warnings_are_counted),
        cmocka_unit_test(test_warnings_are_limited),
        cmocka_unit_test(test_lost_warning),
        cmocka_unit_test(test_refuse),
    };
    return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
