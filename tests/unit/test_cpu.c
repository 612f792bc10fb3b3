// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Which instruction set is used, and how that is limited. */
#include "cpu/cpu_kernels.h"
#include "bindpose/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_names(void **state) {
    (void)state;
    assert_string_equal(bp_cpu_name(BP_CPU_SCALAR), "scalar");
    assert_string_equal(bp_cpu_name(BP_CPU_SSE2), "sse2");
    assert_string_equal(bp_cpu_name(BP_CPU_AVX2), "avx2");
    assert_string_equal(bp_cpu_name(BP_CPU_NEON), "neon");
    assert_string_equal(bp_cpu_name(BP_CPU_SIMD128), "simd128");
    assert_null(bp_cpu_name((bp_cpu)5));
    assert_null(bp_cpu_name((bp_cpu)-1));
}

static void test_tables_are_complete(void **state) {
    (void)state;
    assert_true(bp_cpu_available(BP_CPU_SCALAR));
    assert_false(bp_cpu_available((bp_cpu)5));
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        const bpi_kernels *kernels = bpi_kernels_of((bp_cpu)cpu);
        assert_int_equal(bp_cpu_available((bp_cpu)cpu), kernels != NULL);
        if (!kernels) continue;
        assert_int_equal(kernels->cpu, cpu);
        assert_true(kernels->morph && kernels->morph_tangents);
        assert_true(kernels->skin && kernels->move && kernels->fence);
        assert_true(kernels->lerp && kernels->lerp3 && kernels->slerp);
        assert_true(kernels->matrices && kernels->globals && kernels->products);
    }
}

static void test_best_is_used_until_limited(void **state) {
    (void)state;
    bp_cpu best = BP_CPU_SCALAR;
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu)
        if (bp_cpu_available((bp_cpu)cpu)) best = (bp_cpu)cpu;
    assert_int_equal(bp_cpu_current(), best);
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        bp_cpu now = bp_cpu_limit((bp_cpu)cpu);
        assert_true(now <= (bp_cpu)cpu && bp_cpu_available(now));
        assert_int_equal(bp_cpu_current(), now);
        assert_ptr_equal(bpi_kernels_current(), bpi_kernels_of(now));
        if (bp_cpu_available((bp_cpu)cpu)) assert_int_equal(now, cpu);
        if (cpu > (int)best) assert_int_equal(now, BP_CPU_SCALAR); /* another family's */
    }
    assert_int_equal(bp_cpu_limit((bp_cpu)77), BP_CPU_SCALAR);
    assert_int_equal(bp_cpu_limit(BP_CPU_BEST), best);
    assert_int_equal(bp_cpu_current(), best);
}

/* What an x86-64 or AArch64 build must have is not missing in silence. */
static void test_sets_of_this_build(void **state) {
    (void)state;
    bool simd = getenv("BINDPOSE_NO_SIMD") == NULL;
#if defined(__x86_64__) || defined(__i386__)
    assert_int_equal(bp_cpu_available(BP_CPU_SSE2), simd);
    assert_false(bp_cpu_available(BP_CPU_NEON));
#if defined(__GNUC__) && !defined(__MINGW32__)
    assert_int_equal(bp_cpu_available(BP_CPU_AVX2), simd && __builtin_cpu_supports("avx2"));
#endif
#elif defined(__aarch64__)
    assert_int_equal(bp_cpu_available(BP_CPU_NEON), simd);
    assert_false(bp_cpu_available(BP_CPU_SSE2));
#elif defined(__wasm__)
    assert_int_equal(bp_cpu_available(BP_CPU_SIMD128), simd);
#else
    (void)simd;
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_tables_are_complete),
        cmocka_unit_test(test_best_is_used_until_limited),
        cmocka_unit_test(test_sets_of_this_build),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
