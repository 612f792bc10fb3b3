// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Several floats at once, under the same names for every instruction set: 8 floats with AVX2, 4
 * with SSE2, NEON and WebAssembly's SIMD. Included by cpu_wide_*.c alone, which the build compiles
 * once for each set, with that set's flags, BPI_SET as its name and BPI_WIDE as its width.
 *
 * On x86 these are the compiler's own intrinsics; elsewhere SIMDe supplies SSE2's by the same
 * names. What is here rounds each result once, as C does with floats, so the same bits come out: no
 * fused operation, no approximate reciprocal.
 *
 * Three shapes:
 *   bpi_quad   4 floats: a row of a matrix, a quaternion
 *   bpi_pair   8 floats as two quads, whatever the set: two rows of a matrix
 *   bpi_wide   BPI_WIDE floats: one of each of that many vertices or joints. Shuffles go by quads:
 *              with 8 floats, elements 0 to 3 and 4 to 7 each do what four floats would
 */
#ifndef BPI_CPU_WIDE_H
#define BPI_CPU_WIDE_H

#include "cpu/cpu_kernels.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/sse2.h>
#endif

/* The name of a kernel or table of this set: BPI_OF_SET(bpi_skin) is bpi_skin_avx2. */
#define BPI_JOIN_(name, set) name##_##set
#define BPI_JOIN(name, set) BPI_JOIN_(name, set)
#define BPI_OF_SET(name) BPI_JOIN(name, BPI_SET)

/* Everything here is for the inside of loops; compilers would leave some of it out of line. */
#if defined(__GNUC__)
#define BPI_INLINE inline __attribute__((always_inline))
#else
#define BPI_INLINE inline
#endif

typedef __m128 bpi_quad;

static BPI_INLINE bpi_quad quad_load(const float *p) {
    return _mm_loadu_ps(p);
}

static BPI_INLINE void quad_store(float *p, bpi_quad a) {
    _mm_storeu_ps(p, a);
}

/*
 * The widths. Each file has the same names:
 *   wide_load, wide_store, wide_set, wide_add, wide_sub, wide_mul, wide_div, wide_sqrt, wide_and,
 *   wide_xor        as they say
 *   wide_max, wide_min   a > b ? a : b, a < b ? a : b
 *   wide_less       a mask: a < b
 *   wide_select     a where the mask is set, else b; wide_keep: a or 0
 *   wide_all        whether a mask is set everywhere; mask_and: both
 *   wide_sub_integers   the difference of the elements as 32-bit integers
 *   wide_shuffle, wide_unpack_low, wide_unpack_high   SSE's, in each quad
 *   wide_load_quads     the quads at p, p + step, p + 2 * step, ...; wide_store_quads: to addresses
 *   wide_load_three     3 * BPI_WIDE floats in a row, as bpi_three: a has quads 0, 3, ..., b has
 *                       1, 4, ..., c has 2, 5, ...
 *   wide_in_a_row       its inverse: BPI_WIDE floats after BPI_WIDE floats
 *   wide_rows4          from quads of elements i, i + 4, i + 8, ... (i < 4) to elements in a row
 *   wide_stream         stores past the caches, to an address that is a multiple of the size
 *   pair_...            the same of pairs; pair_splat: element i of each quad four times
 */
#if BPI_WIDE == 8
#include "cpu/cpu_wide_8.h"
#else
#include "cpu/cpu_wide_4.h"
#endif

static BPI_INLINE bpi_quad quad_add(bpi_quad a, bpi_quad b) {
    return _mm_add_ps(a, b);
}

static BPI_INLINE bpi_quad quad_mul(bpi_quad a, bpi_quad b) {
    return _mm_mul_ps(a, b);
}

static BPI_INLINE bpi_quad quad_and(bpi_quad a, bpi_quad b) {
    return _mm_and_ps(a, b);
}

#define quad_splat(a, i) _mm_shuffle_ps(a, a, _MM_SHUFFLE(i, i, i, i))

/* Elements with these bits. */
static BPI_INLINE bpi_wide wide_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return wide_set(value);
}

/* ---- streams of three and four floats an element --------------------------------------------- */

typedef struct bpi_wide3 {
    bpi_wide x, y, z;
} bpi_wide3;

typedef struct bpi_wide4 {
    bpi_wide x, y, z, w;
} bpi_wide4;

/* In each quad, the transpose of the 4x4 whose rows are x, y, z, w. */
static BPI_INLINE bpi_wide4 wide_transpose(bpi_wide4 a) {
    bpi_wide xy01 = wide_unpack_low(a.x, a.y), xy23 = wide_unpack_high(a.x, a.y);
    bpi_wide zw01 = wide_unpack_low(a.z, a.w), zw23 = wide_unpack_high(a.z, a.w);
    return (bpi_wide4){wide_shuffle(xy01, zw01, 0, 1, 0, 1), wide_shuffle(xy01, zw01, 2, 3, 2, 3),
                       wide_shuffle(xy23, zw23, 0, 1, 0, 1), wide_shuffle(xy23, zw23, 2, 3, 2, 3)};
}

/* Four floats of each of BPI_WIDE elements that are `stride` floats apart. */
static BPI_INLINE bpi_wide4 wide_gather4(const float *p, size_t stride) {
    return wide_transpose((bpi_wide4){
        wide_load_quads(p, 4 * stride), wide_load_quads(p + stride, 4 * stride),
        wide_load_quads(p + 2 * stride, 4 * stride), wide_load_quads(p + 3 * stride, 4 * stride)});
}

static BPI_INLINE void wide_scatter4(float *p, size_t stride, bpi_wide4 a) {
    a = wide_transpose(a);
    const bpi_wide quads[4] = {a.x, a.y, a.z, a.w};
    for (size_t i = 0; i < 4; ++i) {
        float *to[BPI_WIDE / 4];
        for (size_t k = 0; k < BPI_WIDE / 4; ++k)
            to[k] = p + (i + 4 * k) * stride;
        wide_store_quads(to, quads[i]);
    }
}

/* BPI_WIDE elements of four floats in a row: BPI_WIDE floats each time. */
static BPI_INLINE void wide_in_rows4(bpi_wide row[4], bpi_wide4 v) {
    bpi_wide4 t = wide_transpose(v);
    bpi_wide quads[4] = {t.x, t.y, t.z, t.w};
    wide_rows4(row, quads);
}

static BPI_INLINE void wide_store4(float *p, bpi_wide4 v) {
    bpi_wide row[4];
    wide_in_rows4(row, v);
    for (int i = 0; i < 4; ++i)
        wide_store(p + i * BPI_WIDE, row[i]);
}

static BPI_INLINE void wide_stream4(float *p, bpi_wide4 v) {
    bpi_wide row[4];
    wide_in_rows4(row, v);
    for (int i = 0; i < 4; ++i)
        wide_stream(p + i * BPI_WIDE, row[i]);
}

/* In each quad: a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3. */
static BPI_INLINE bpi_wide3 wide_deinterleave3(bpi_three v) {
    bpi_wide x23 = wide_shuffle(v.b, v.c, 2, 2, 1, 1), z01 = wide_shuffle(v.a, v.b, 2, 2, 1, 1);
    bpi_wide y01 = wide_shuffle(v.a, v.b, 1, 1, 0, 0), y23 = wide_shuffle(v.b, v.c, 3, 3, 2, 2);
    return (bpi_wide3){wide_shuffle(v.a, x23, 0, 3, 0, 2), wide_shuffle(y01, y23, 0, 2, 0, 2),
                       wide_shuffle(z01, v.c, 0, 2, 0, 3)};
}

static BPI_INLINE bpi_three wide_interleave3(bpi_wide3 v) {
    bpi_wide xy01 = wide_unpack_low(v.x, v.y), xy23 = wide_unpack_high(v.x, v.y);
    bpi_wide zx01 = wide_shuffle(v.z, v.x, 0, 0, 1, 1), yz1 = wide_shuffle(v.y, v.z, 1, 1, 1, 1);
    bpi_wide zx23 = wide_shuffle(v.z, v.x, 2, 2, 3, 3), yz3 = wide_shuffle(v.y, v.z, 3, 3, 3, 3);
    return (bpi_three){wide_shuffle(xy01, zx01, 0, 1, 0, 2), wide_shuffle(yz1, xy23, 0, 2, 0, 1),
                       wide_shuffle(zx23, yz3, 0, 2, 0, 2)};
}

/* BPI_WIDE elements of three floats, tightly packed. */
static BPI_INLINE bpi_wide3 wide_load3(const float *p) {
    return wide_deinterleave3(wide_load_three(p));
}

static BPI_INLINE void wide_store3(float *p, bpi_wide3 v) {
    bpi_three row = wide_in_a_row(wide_interleave3(v));
    wide_store(p, row.a);
    wide_store(p + BPI_WIDE, row.b);
    wide_store(p + 2 * BPI_WIDE, row.c);
}

static BPI_INLINE void wide_stream3(float *p, bpi_wide3 v) {
    bpi_three row = wide_in_a_row(wide_interleave3(v));
    wide_stream(p, row.a);
    wide_stream(p + BPI_WIDE, row.b);
    wide_stream(p + 2 * BPI_WIDE, row.c);
}

/* ---- whole matrices, to be blended ----------------------------------------------------------- */

/*
 * A matrix is read as it lies, scaled and added in registers; of BPI_WIDE such matrices
 * columns_to_wide makes one wide an element, by way of groups of four.
 */
typedef struct bpi_rows {
    bpi_pair r01;
    bpi_quad r2;
} bpi_rows;

static BPI_INLINE bpi_rows rows_scaled(const float *matrix, bpi_pair weight) {
    return (bpi_rows){pair_mul(weight, pair_load(matrix)),
                      quad_mul(pair_quad(weight), quad_load(matrix + 8))};
}

static BPI_INLINE bpi_rows rows_load(const float *matrix) {
    return (bpi_rows){pair_load(matrix), quad_load(matrix + 8)};
}

static BPI_INLINE bpi_rows rows_add(bpi_rows a, bpi_rows b) {
    return (bpi_rows){pair_add(a.r01, b.r01), quad_add(a.r2, b.r2)};
}

/* Columns of rows 0 and 1, and still as it was row 2. */
typedef struct bpi_columns {
    bpi_pair r01[4];
    bpi_quad r2[4];
} bpi_columns;

#if BPI_WIDE == 8

static BPI_INLINE bpi_columns rows_to_columns(bpi_rows a, bpi_rows b, bpi_rows c, bpi_rows d) {
    bpi_wide4 r01 = wide_transpose((bpi_wide4){a.r01, b.r01, c.r01, d.r01});
    return (bpi_columns){{r01.x, r01.y, r01.z, r01.w}, {a.r2, b.r2, c.r2, d.r2}};
}

static BPI_INLINE bpi_wide wide_of_quads(bpi_quad first, bpi_quad second) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(first), second, 1);
}

static BPI_INLINE void columns_to_wide(bpi_wide m[3][4], const bpi_columns *a,
                                       const bpi_columns *b) {
    for (int c = 0; c < 4; ++c) {
        m[0][c] = _mm256_permute2f128_ps(a->r01[c], b->r01[c], 0x20);
        m[1][c] = _mm256_permute2f128_ps(a->r01[c], b->r01[c], 0x31);
    }
    bpi_wide4 r2 = wide_transpose(
        (bpi_wide4){wide_of_quads(a->r2[0], b->r2[0]), wide_of_quads(a->r2[1], b->r2[1]),
                    wide_of_quads(a->r2[2], b->r2[2]), wide_of_quads(a->r2[3], b->r2[3])});
    m[2][0] = r2.x, m[2][1] = r2.y, m[2][2] = r2.z, m[2][3] = r2.w;
}

#else

static BPI_INLINE bpi_columns rows_to_columns(bpi_rows a, bpi_rows b, bpi_rows c, bpi_rows d) {
    bpi_wide4 r0 = wide_transpose((bpi_wide4){a.r01.low, b.r01.low, c.r01.low, d.r01.low});
    bpi_wide4 r1 = wide_transpose((bpi_wide4){a.r01.high, b.r01.high, c.r01.high, d.r01.high});
    return (bpi_columns){{{r0.x, r1.x}, {r0.y, r1.y}, {r0.z, r1.z}, {r0.w, r1.w}},
                         {a.r2, b.r2, c.r2, d.r2}};
}

static BPI_INLINE void columns_to_wide(bpi_wide m[3][4], const bpi_columns *columns,
                                       const bpi_columns *same) {
    (void)same;
    for (int c = 0; c < 4; ++c) {
        m[0][c] = columns->r01[c].low;
        m[1][c] = columns->r01[c].high;
    }
    bpi_wide4 r2 =
        wide_transpose((bpi_wide4){columns->r2[0], columns->r2[1], columns->r2[2], columns->r2[3]});
    m[2][0] = r2.x, m[2][1] = r2.y, m[2][2] = r2.z, m[2][3] = r2.w;
}

#endif

#endif
