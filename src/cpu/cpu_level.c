// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Which table of kernels is used. The build says which sets it has (BPI_HAVE_...: see
 * cmake/bindpose_kernels.cmake), the machine which of those it can run.
 */
#include "cpu/cpu_kernels.h"

#if !defined(__STDC_NO_ATOMICS__) && !defined(_MSC_VER)
#include <stdatomic.h>
#else /* one set only: nothing is ever chosen while others look */
#define _Atomic(type) type volatile
#define memory_order_relaxed 0
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store_explicit(object, value, order) (void)(*(object) = (value))
#define atomic_compare_exchange_strong_explicit(object, expected, value, success, failure)         \
    (*(object) = (value), true)
#endif

enum { CPU_COUNT = BP_CPU_SIMD128 + 1 };

static const char *const names[CPU_COUNT] = {"scalar", "sse2", "avx2", "neon", "simd128"};

static const bpi_kernels *const tables[CPU_COUNT] = {
    [BP_CPU_SCALAR] = &bpi_kernels_scalar,
#ifdef BPI_HAVE_SSE2
    [BP_CPU_SSE2] = &bpi_kernels_sse2,
#endif
#ifdef BPI_HAVE_AVX2
    [BP_CPU_AVX2] = &bpi_kernels_avx2,
#endif
#ifdef BPI_HAVE_NEON
    [BP_CPU_NEON] = &bpi_kernels_neon,
#endif
#ifdef BPI_HAVE_SIMD128
    [BP_CPU_SIMD128] = &bpi_kernels_simd128,
#endif
};

/* The table in use; NULL until the first question. */
static _Atomic(const bpi_kernels *) current;

static bool machine_has(bp_cpu cpu) {
#ifdef BPI_HAVE_AVX2
    if (cpu == BP_CPU_AVX2) return __builtin_cpu_supports("avx2");
#endif
    (void)cpu; /* the others are part of what the whole build is for */
    return true;
}

const bpi_kernels *bpi_kernels_of(bp_cpu cpu) {
    if ((unsigned)cpu >= CPU_COUNT || !tables[cpu] || !machine_has(cpu)) return NULL;
    return tables[cpu];
}

const char *bp_cpu_name(bp_cpu cpu) {
    return (unsigned)cpu < CPU_COUNT ? names[cpu] : NULL;
}

bool bp_cpu_available(bp_cpu cpu) {
    return bpi_kernels_of(cpu) != NULL;
}

/* A set that the build does not have is no help in limiting: then nothing but scalar is below. */
static bp_cpu best_below(bp_cpu limit) {
    unsigned cpu = limit == BP_CPU_BEST ? CPU_COUNT - 1 : (unsigned)limit;
    if (cpu >= CPU_COUNT || (limit != BP_CPU_BEST && !tables[cpu])) return BP_CPU_SCALAR;
    while (!bpi_kernels_of((bp_cpu)cpu))
        --cpu; /* ends: scalar is always there */
    return (bp_cpu)cpu;
}

bp_cpu bp_cpu_limit(bp_cpu limit) {
    bp_cpu cpu = best_below(limit);
    atomic_store_explicit(&current, tables[cpu], memory_order_relaxed);
    return cpu;
}

/* The first question finds the best out; a limit that another thread sets meanwhile stays. */
const bpi_kernels *bpi_kernels_current(void) {
    const bpi_kernels *kernels = atomic_load_explicit(&current, memory_order_relaxed);
    if (kernels) return kernels;
    const bpi_kernels *best = tables[best_below(BP_CPU_BEST)];
    bool first = atomic_compare_exchange_strong_explicit(
        &current, &kernels, best, memory_order_relaxed, memory_order_relaxed);
    return first ? best : kernels;
}

bp_cpu bp_cpu_current(void) {
    return bpi_kernels_current()->cpu;
}
