// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* base: errors as one line of text, counted memory, layouts and blocks. */
#include "base/base_error.h"
#include "base/base_memory.h"
#include "test_allocator.h"
#include "test_near.h"

#include <string.h>

static void test_result_names(void **state) {
    (void)state;
    assert_string_equal(bp_result_name(BP_OK), "ok");
    assert_string_equal(bp_result_name(BP_ERROR_UNSUPPORTED), "not supported");
    assert_string_equal(bp_result_name((bp_result)99), "unknown result");
    assert_int_equal(bp_version(), BP_VERSION);
}

static void test_fail_fills_error(void **state) {
    (void)state;
    bp_error error;
    char line[64];
    assert_int_equal(bpi_fail(&error, BP_ERROR_IO, "IO_ERROR", BPI_NO_OFFSET, "/buffers/0",
                              "no file %s", "a.bin"),
                     BP_ERROR_IO);
    assert_string_equal(error.rule, "IO_ERROR");
    assert_int_equal(error.offset, -1);
    assert_int_equal(bp_error_format(line, sizeof line, &error), 25);
    assert_string_equal(line, "/buffers/0: no file a.bin");
    bpi_fail(&error, BP_ERROR_FORMAT, NULL, 12, NULL, "odd");
    bp_error_format(line, sizeof line, &error);
    assert_string_equal(line, "byte 12: odd");
    assert_string_equal(error.rule, "");
    bpi_fail(&error, BP_ERROR_FORMAT, NULL, BPI_NO_OFFSET, NULL, "odd");
    bp_error_format(line, sizeof line, &error);
    assert_string_equal(line, "odd");
    assert_int_equal(bp_error_format(NULL, 0, &error), 3);
    assert_int_equal(bpi_fail(NULL, BP_ERROR_LIMIT, NULL, 0, NULL, "nobody asks"), BP_ERROR_LIMIT);
}

static void test_text_is_one_clean_line(void **state) {
    (void)state;
    static const struct {
        const char *source, *expected;
    } cases[] = {
        {"plain", "plain"},
        {"a\nb\tc\x7F", "a?b?c?"},
        {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
        {"\xC3", "?"},                /* cut in the middle */
        {"\xC0\x80", "??"},           /* overlong */
        {"\xED\xA0\x80", "???"},      /* surrogate */
        {"\xF4\x90\x80\x80", "????"}, /* past U+10FFFF */
        {"\xC2\x85", "?"},            /* U+0085, a control character */
        {"\xF0\x9F\xA6\x8A", "\xF0\x9F\xA6\x8A"},
        {"a\xE2\x80\xAEtxt.exe", "a?txt.exe"}, /* U+202E turns the direction */
        {"\xE2\x81\xA6.\xE2\x81\xA9", "?.?"},  /* U+2066, U+2069 isolate */
        {"\xE2\x80\x8E\xE2\x80\x8F", "??"},    /* U+200E, U+200F mark directions */
        {"\xE2\x80\xA8\xE2\x80\xA9", "??"},    /* U+2028, U+2029 break lines */
        {"\xEF\xBB\xBF\xD8\x9C", "??"},        /* U+FEFF, U+061C */
        {"\xE2\x80\x90\xE2\x80\xA7", "\xE2\x80\x90\xE2\x80\xA7"}, /* U+2010, U+2027 */
    };
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bpi_text_clean(text, sizeof text, cases[i].source);
        assert_string_equal(text, cases[i].expected);
    }
    bpi_text_clean(text, 4, "ab\xC3\xA9"); /* whole characters only */
    assert_string_equal(text, "ab");
}

static void test_memory_counts_and_limits(void **state) {
    (void)state;
    test_allocator counter = {0};
    bp_allocator allocator = test_allocator_make(&counter);
    bpi_memory memory = bpi_memory_make(&allocator, 100);
    void *a = bpi_memory_take(&memory, 60);
    assert_non_null(a);
    assert_null(bpi_memory_take(&memory, 41));
    assert_int_equal(bpi_memory_failure(&memory), BP_ERROR_LIMIT);
    void *b = bpi_memory_take(&memory, 40);
    assert_non_null(b);
    assert_int_equal(bpi_memory_failure(&memory), BP_ERROR_LIMIT); /* of the last NULL */
    bpi_memory_give(&memory, a, 60);
    counter.fail_at = counter.count + 1;
    assert_null(bpi_memory_take(&memory, 10));
    assert_int_equal(bpi_memory_failure(&memory), BP_ERROR_OUT_OF_MEMORY);
    bpi_memory_give(&memory, b, 40);
    bpi_memory_give(&memory, NULL, 40);
    assert_int_equal(memory.held, 0);
    assert_int_equal(counter.live, 0);
}

static void test_arena(void **state) {
    (void)state;
    test_allocator counter = {0};
    bp_allocator allocator = test_allocator_make(&counter);
    bpi_memory memory = bpi_memory_make(&allocator, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *bytes = bpi_arena_take(&arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; ++i)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xA5, size);
    }
    assert_non_null(bpi_arena_take(&arena, 0, 8));
    assert_null(bpi_arena_take(&arena, SIZE_MAX / 2, 3));
    assert_int_equal(bpi_memory_failure(&memory), BP_ERROR_LIMIT);
    assert_null(bpi_arena_take(&arena, SIZE_MAX - 8, 1));
    bpi_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

static void test_layout_measures_what_it_hands_out(void **state) {
    (void)state;
    bpi_memory memory = bpi_memory_make(NULL, 0);
    size_t measured = 0;
    unsigned char *block = NULL;
    for (int pass = 0; pass < 2; ++pass) {
        bpi_layout layout = {.base = block};
        unsigned char *a = bpi_layout_take(&layout, 3, 1);
        assert_null(bpi_layout_take(&layout, 0, 8));
        float *b = bpi_layout_take(&layout, 5, sizeof *b);
        const char *text = bpi_layout_text(&layout, "knee", 4);
        assert_false(layout.overflow);
        if (pass == 0) {
            assert_null(a);
            measured = layout.size;
            block = bpi_block_create(&memory, measured);
            assert_non_null(block);
            continue;
        }
        assert_int_equal(layout.size, measured);
        assert_ptr_equal(a, block);
        assert_int_equal((unsigned char *)b - a, 16);
        assert_string_equal(text, "knee");
    }
    assert_true(bpi_block_size(block) >= measured);
    bpi_block_destroy(block);
    bpi_block_destroy(NULL);
    bpi_layout layout = {0};
    assert_null(bpi_layout_take(&layout, SIZE_MAX / 4, 5));
    assert_true(layout.overflow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_names),
        cmocka_unit_test(test_fail_fills_error),
        cmocka_unit_test(test_text_is_one_clean_line),
        cmocka_unit_test(test_memory_counts_and_limits),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_layout_measures_what_it_hands_out),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
