// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* document, JSON's scalars: numbers to doubles and integers, strings to UTF-8. */
#include "test_document_source.h"

#include <float.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The member `a` of the root. */
static bp_json a_of(const bp_document *document) {
    return bp_json_member(document, 0, "a");
}

static bp_document *load_value(char json[4096], const char *value) {
    int length = snprintf(json, 4096, "{\"a\":%s}", value);
    assert_in_range(length, 1, 4095);
    return test_document_load(json, (size_t)length, NULL);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double expected;
    } cases[] = {
        {"0", 0.0},
        {"1", 1.0},
        {"-1.5", -1.5},
        {"1E2", 100.0},
        {"0.1", 0.1},
        {"5e-1", 0.5},
        {"123456789012345678", 123456789012345680.0}, /* doubles are 16 apart there */
        {"0.70710676908493042", 0x1.6a09e6p-1},       /* sqrt(1/2) as float, 17 digits */
        {"1e22", 1e22},
        {"1e23", 1e23},
        {"9007199254740993", 0x1p53}, /* a tie: to even */
        {"9007199254740993.0000000000000000000000000000000001", 0x1.0000000000001p53},
        {"9007199254740992.9999999999999999999999999999999999", 0x1p53},
        {"9007199254740995e-3", 9007199254740.995},
        {"1.7976931348623157e308", DBL_MAX},
        {"17976931348623157e292", DBL_MAX},
        {"2.2250738585072014e-308", DBL_MIN},
        {"4.9e-324", 0x1p-1074},
        {"2.4703282292062328e-324", 0x1p-1074}, /* a little over half of the smallest */
        {"2.4703282292062327e-324", 0.0},       /* a little under */
        {"1e-400", 0.0},
        {"0e999999999999999999999", 0.0},
        {"1e-99999999999999999999", 0.0},
        {"0.000000000000000000000000000001e30", 1.0},
        {"1000000000000000000000000000000e-30", 1.0},
        {"1.00000000000000011102230246251565404236316680908203125", 1.0}, /* a tie */
        {"1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0},
        {"3.3333333333333333e-1", 1.0 / 3.0},
    };
    char json[4096];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document = load_value(json, cases[i].text);
        double number = -7.0;
        assert_true(bp_json_number(document, a_of(document), &number));
        if (memcmp(&number, &cases[i].expected, sizeof number) != 0)
            fail_msg("%s: %a instead of %a", cases[i].text, number, cases[i].expected);
        bp_document_destroy(document);
    }
    bp_document *document = load_value(json, "-0.0");
    double number = 1.0;
    assert_true(bp_json_number(document, a_of(document), &number));
    assert_true(number == 0.0 && signbit(number));
    bp_document_destroy(document);
}

/* Digits without end: 1 with a thousand zeros before and after the point. */
static void test_long_numbers(void **state) {
    (void)state;
    char json[4096], value[3000];
    double number;
    memset(value, '0', sizeof value);
    memcpy(value, "1.", 2);
    strcpy(value + 1000, "1e-0");
    bp_document *document = load_value(json, value);
    assert_true(bp_json_number(document, a_of(document), &number) && number == 1.0);
    bp_document_destroy(document);
    memset(value, '0', sizeof value);
    value[1] = '.';
    strcpy(value + 1001, "25e1000"); /* 0.00...025 with 999 zeros */
    document = load_value(json, value);
    assert_true(bp_json_number(document, a_of(document), &number) && number == 2.5);
    bp_document_destroy(document);
    memset(value, '9', sizeof value);
    value[309] = '\0';
    document = load_value(json, value);
    assert_false(bp_json_number(document, a_of(document), &number));
    bp_document_destroy(document);
    value[308] = '\0'; /* 10^308 - 1 */
    document = load_value(json, value);
    assert_true(bp_json_number(document, a_of(document), &number) && number == 1e308);
    bp_document_destroy(document);
}

static void test_not_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {
        "1e999", "-1e999", "1.7976931348623159e308", "\"1\"", "true", "null", "[1]", "{}"};
    char json[4096];
    for (size_t i = 0; i < COUNT(texts); ++i) {
        bp_document *document = load_value(json, texts[i]);
        double number = -7.0;
        uint64_t integer = 77;
        assert_false(bp_json_number(document, a_of(document), &number));
        assert_false(bp_json_integer(document, a_of(document), &integer));
        assert_true(number == -7.0 && integer == 77);
        bp_document_destroy(document);
    }
}

static void test_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool valid;
        uint64_t expected;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"-0.0e5", true, 0},
        {"5126", true, 5126},
        {"4294967296", true, UINT64_C(4294967296)},
        {"9007199254740992", true, UINT64_C(9007199254740992)},
        {"1e0", true, 1},
        {"10e-1", true, 1},
        {"2.0", true, 2},
        {"2.50e1", true, 25},
        {"1.200e3", true, 1200},
        {"100000000000000000000e-20", true, 1},
        {"1.0000000000000000000000000", true, 1},
        {"0e99999999999", true, 0},
        {"9007199254740993", false, 0},
        {"9007199254740992.1", false, 0},
        {"1e16", false, 0},
        {"1e99999999999", false, 0},
        {"99999999999999999999", false, 0},
        {"-1", false, 0},
        {"1.5", false, 0},
        {"1e-1", false, 0},
        {"1.00000000000000000000000001", false, 0},
    };
    char json[4096];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document = load_value(json, cases[i].text);
        uint64_t integer = 77;
        if (bp_json_integer(document, a_of(document), &integer) != cases[i].valid ||
            integer != (cases[i].valid ? cases[i].expected : 77))
            fail_msg("%s: %llu", cases[i].text, (unsigned long long)integer);
        bp_document_destroy(document);
    }
}

/* ---- strings --------------------------------------------------------------------------------- */

static void test_strings(void **state) {
    (void)state;
    static const struct {
        const char *json, *expected;
    } cases[] = {
        {"\"\"", ""},
        {"\"abc\"", "abc"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xC3\xA9\xE2\x82\xAC"},
        {"\"\\ud83d\\ude00!\"", "\xF0\x9F\x98\x80!"},
        {"\"\\uDBFF\\uDFFF\"", "\xF4\x8F\xBF\xBF"},
        {"\"\\ud83d\"", "\xEF\xBF\xBD"},
        {"\"\\ud83dx\"", "\xEF\xBF\xBDx"},
        {"\"\\ud83d\\u0041\"", "\xEF\xBF\xBD\x41"},
        {"\"\\ud83d\\n\"", "\xEF\xBF\xBD\n"},
        {"\"\\ude00\\ud83d\"", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\"\\ud83d\\ud83d\\ude00\"", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
        {"\"a\\u0000b\"", "a\xEF\xBF\xBD\x62"},
        {"\"\xE2\x82\xAC\"", "\xE2\x82\xAC"},
    };
    char json[4096], text[64];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document = load_value(json, cases[i].json);
        size_t length = bp_json_string(document, a_of(document), text, sizeof text);
        assert_int_equal(length, strlen(cases[i].expected));
        assert_string_equal(text, cases[i].expected);
        assert_true(bp_json_equals(document, a_of(document), cases[i].expected));
        assert_false(bp_json_equals(document, a_of(document), "something else"));
        bp_document_destroy(document);
    }
}

/* 1 + 2 + 3 + 4 bytes, cut at each size. */
static void test_string_is_cut_at_characters(void **state) {
    (void)state;
    static const size_t lengths[] = {0, 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    static const char expected[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    static const char *const writings[] = {"\"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
                                           "\"a\\u00e9\\u20ac\\ud83d\\ude00\""};
    char json[4096], text[16];
    for (size_t writing = 0; writing < 2; ++writing) {
        bp_document *document = load_value(json, writings[writing]);
        for (size_t size = 0; size < COUNT(lengths); ++size) {
            memset(text, '#', sizeof text);
            assert_int_equal(bp_json_string(document, a_of(document), text, size), 10);
            if (size > 0) assert_int_equal(strlen(text), lengths[size]);
            assert_memory_equal(text, expected, lengths[size]);
            assert_int_equal(text[size], '#');
        }
        assert_int_equal(bp_json_string(document, a_of(document), NULL, 0), 10);
        bp_document_destroy(document);
    }
}

/* Nothing is written behind a character that did not fit, even if what follows would. */
static void test_string_stops_at_first_cut(void **state) {
    (void)state;
    char json[4096], text[3];
    bp_document *document = load_value(json, "\"a\\u20ac\\n\"");
    assert_int_equal(bp_json_string(document, a_of(document), text, sizeof text), 5);
    assert_string_equal(text, "a");
    bp_document_destroy(document);
}

static void test_equality(void **state) {
    (void)state;
    char json[4096];
    bp_document *document = load_value(json, "\"VEC3\"");
    bp_json a = a_of(document);
    assert_true(bp_json_equals(document, a, "VEC3"));
    assert_false(bp_json_equals(document, a, "VEC"));
    assert_false(bp_json_equals(document, a, "VEC34"));
    assert_false(bp_json_equals(document, a, "VEC3\"}"));
    assert_false(bp_json_equals(document, a, ""));
    bp_document_destroy(document);
    document = load_value(json, "\"V\\u0045C\\u0033\"");
    assert_true(bp_json_equals(document, a_of(document), "VEC3"));
    assert_false(bp_json_equals(document, a_of(document), "VEC"));
    assert_false(bp_json_equals(document, a_of(document), "VEC33"));
    assert_false(bp_json_equals(document, a_of(document), "V"));
    assert_false(bp_json_equals(document, BP_JSON_NONE, "VEC3"));
    bp_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_not_numbers),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_string_is_cut_at_characters),
        cmocka_unit_test(test_string_stops_at_first_cut),
        cmocka_unit_test(test_equality),
    };
    return cmocka_run_group_tests_name("document_value", tests, NULL, NULL);
}
