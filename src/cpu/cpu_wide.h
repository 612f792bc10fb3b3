// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Several floats at once, under the same names for every instruction set: 8 floats with AVX2, 4
 * with SSE2, NEON and WebAssembly's SIMD. Included by cpu_wide_*.c alone, which the build compiles
 * once for each set, with that set's flags and BPI_SET as its name.
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

#ifdef __AVX2__

enum { BPI_WIDE = 8 };
typedef __m256 bpi_wide;
typedef __m256 bpi_pair;

static BPI_INLINE bpi_wide wide_load(const float *p) {
    return _mm256_loadu_ps(p);
}

static BPI_INLINE void wide_store(float *p, bpi_wide a) {
    _mm256_storeu_ps(p, a);
}

static BPI_INLINE bpi_wide wide_set(float a) {
    return _mm256_set1_ps(a);
}

static BPI_INLINE bpi_wide wide_add(bpi_wide a, bpi_wide b) {
    return _mm256_add_ps(a, b);
}

static BPI_INLINE bpi_wide wide_sub(bpi_wide a, bpi_wide b) {
    return _mm256_sub_ps(a, b);
}

static BPI_INLINE bpi_wide wide_mul(bpi_wide a, bpi_wide b) {
    return _mm256_mul_ps(a, b);
}

static BPI_INLINE bpi_wide wide_div(bpi_wide a, bpi_wide b) {
    return _mm256_div_ps(a, b);
}

static BPI_INLINE bpi_wide wide_sqrt(bpi_wide a) {
    return _mm256_sqrt_ps(a);
}

static BPI_INLINE bpi_wide wide_and(bpi_wide a, bpi_wide b) {
    return _mm256_and_ps(a, b);
}

static BPI_INLINE bpi_wide wide_xor(bpi_wide a, bpi_wide b) {
    return _mm256_xor_ps(a, b);
}

/* a < b: all bits of an element, or none. */
static BPI_INLINE bpi_wide wide_less(bpi_wide a, bpi_wide b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static BPI_INLINE bpi_wide wide_select(bpi_wide mask, bpi_wide a, bpi_wide b) {
    return _mm256_blendv_ps(b, a, mask);
}

/* Whether every element of a mask is set. */
static BPI_INLINE bool wide_all(bpi_wide mask) {
    return _mm256_movemask_ps(mask) == 0xFF;
}

/* The difference of the elements as 32-bit integers. */
static BPI_INLINE bpi_wide wide_sub_integers(bpi_wide a, bpi_wide b) {
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

/* In each quad: a[i], a[j], b[k], b[l]. */
#define wide_shuffle(a, b, i, j, k, l) _mm256_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i))

static BPI_INLINE bpi_wide wide_unpack_low(bpi_wide a, bpi_wide b) {
    return _mm256_unpacklo_ps(a, b);
}

static BPI_INLINE bpi_wide wide_unpack_high(bpi_wide a, bpi_wide b) {
    return _mm256_unpackhi_ps(a, b);
}

/* The quads at p, and (with 8 floats) at p + step. */
static BPI_INLINE bpi_wide wide_load_quads(const float *p, size_t step) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(quad_load(p)), quad_load(p + step), 1);
}

static BPI_INLINE void wide_store_quads(float *p, float *second, bpi_wide a) {
    quad_store(p, _mm256_castps256_ps128(a));
    quad_store(second, _mm256_extractf128_ps(a, 1));
}

typedef struct bpi_three {
    bpi_wide a, b, c;
} bpi_three;

/* 3 * BPI_WIDE floats in a row, as quads 0 and 3, 1 and 4, 2 and 5; and back. */
static BPI_INLINE bpi_three wide_load_three(const float *p) {
    bpi_wide q01 = wide_load(p), q23 = wide_load(p + 8), q45 = wide_load(p + 16);
    return (bpi_three){_mm256_blend_ps(q01, q23, 0xF0), _mm256_permute2f128_ps(q01, q45, 0x21),
                       _mm256_blend_ps(q23, q45, 0xF0)};
}

static BPI_INLINE bpi_three wide_in_a_row(bpi_three v) {
    return (bpi_three){_mm256_permute2f128_ps(v.a, v.b, 0x20), _mm256_blend_ps(v.c, v.a, 0xF0),
                       _mm256_permute2f128_ps(v.b, v.c, 0x31)};
}

static BPI_INLINE void wide_stream(float *p, bpi_wide a) {
    _mm256_stream_ps(p, a);
}

/* The quads of a transpose, from elements 0 and 4, 1 and 5, ... to elements in their order. */
static BPI_INLINE void wide_rows4(bpi_wide row[4], const bpi_wide quads[4]) {
    row[0] = _mm256_permute2f128_ps(quads[0], quads[1], 0x20);
    row[1] = _mm256_permute2f128_ps(quads[2], quads[3], 0x20);
    row[2] = _mm256_permute2f128_ps(quads[0], quads[1], 0x31);
    row[3] = _mm256_permute2f128_ps(quads[2], quads[3], 0x31);
}

static BPI_INLINE bpi_pair pair_load(const float *p) {
    return _mm256_loadu_ps(p);
}

static BPI_INLINE void pair_store(float *p, bpi_pair a) {
    _mm256_storeu_ps(p, a);
}

static BPI_INLINE bpi_pair pair_set(float a) {
    bpi_pair pair = _mm256_set1_ps(a);
    __asm__("" : "+x"(pair)); /* or GCC reads the float a second time for pair_quad */
    return pair;
}

static BPI_INLINE bpi_pair pair_of_quad(const float *p) {
    return _mm256_broadcast_ps((const __m128 *)(const void *)p);
}

static BPI_INLINE bpi_quad pair_quad(bpi_pair a) {
    return _mm256_castps256_ps128(a);
}

static BPI_INLINE bpi_pair pair_add(bpi_pair a, bpi_pair b) {
    return _mm256_add_ps(a, b);
}

static BPI_INLINE bpi_pair pair_mul(bpi_pair a, bpi_pair b) {
    return _mm256_mul_ps(a, b);
}

static BPI_INLINE bpi_pair pair_and_quad(bpi_pair a, bpi_quad mask) {
    return _mm256_and_ps(a, _mm256_insertf128_ps(_mm256_castps128_ps256(mask), mask, 1));
}

/* Element i of each quad, four times. */
#define pair_splat(a, i) _mm256_shuffle_ps(a, a, _MM_SHUFFLE(i, i, i, i))

#else

enum { BPI_WIDE = 4 };
typedef __m128 bpi_wide;

typedef struct bpi_pair {
    __m128 low, high;
} bpi_pair;

static BPI_INLINE bpi_wide wide_load(const float *p) {
    return _mm_loadu_ps(p);
}

static BPI_INLINE void wide_store(float *p, bpi_wide a) {
    _mm_storeu_ps(p, a);
}

static BPI_INLINE bpi_wide wide_set(float a) {
    return _mm_set1_ps(a);
}

static BPI_INLINE bpi_wide wide_add(bpi_wide a, bpi_wide b) {
    return _mm_add_ps(a, b);
}

static BPI_INLINE bpi_wide wide_sub(bpi_wide a, bpi_wide b) {
    return _mm_sub_ps(a, b);
}

static BPI_INLINE bpi_wide wide_mul(bpi_wide a, bpi_wide b) {
    return _mm_mul_ps(a, b);
}

static BPI_INLINE bpi_wide wide_div(bpi_wide a, bpi_wide b) {
    return _mm_div_ps(a, b);
}

static BPI_INLINE bpi_wide wide_sqrt(bpi_wide a) {
    return _mm_sqrt_ps(a);
}

static BPI_INLINE bpi_wide wide_and(bpi_wide a, bpi_wide b) {
    return _mm_and_ps(a, b);
}

static BPI_INLINE bpi_wide wide_xor(bpi_wide a, bpi_wide b) {
    return _mm_xor_ps(a, b);
}

static BPI_INLINE bpi_wide wide_less(bpi_wide a, bpi_wide b) {
    return _mm_cmplt_ps(a, b);
}

static BPI_INLINE bpi_wide wide_select(bpi_wide mask, bpi_wide a, bpi_wide b) {
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

static BPI_INLINE bool wide_all(bpi_wide mask) {
    return _mm_movemask_ps(mask) == 0xF;
}

static BPI_INLINE bpi_wide wide_sub_integers(bpi_wide a, bpi_wide b) {
    return _mm_castsi128_ps(_mm_sub_epi32(_mm_castps_si128(a), _mm_castps_si128(b)));
}

#define wide_shuffle(a, b, i, j, k, l) _mm_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i))

static BPI_INLINE bpi_wide wide_unpack_low(bpi_wide a, bpi_wide b) {
    return _mm_unpacklo_ps(a, b);
}

static BPI_INLINE bpi_wide wide_unpack_high(bpi_wide a, bpi_wide b) {
    return _mm_unpackhi_ps(a, b);
}

static BPI_INLINE bpi_wide wide_load_quads(const float *p, size_t step) {
    (void)step;
    return quad_load(p);
}

static BPI_INLINE void wide_store_quads(float *p, float *second, bpi_wide a) {
    (void)second;
    quad_store(p, a);
}

typedef struct bpi_three {
    bpi_wide a, b, c;
} bpi_three;

static BPI_INLINE bpi_three wide_load_three(const float *p) {
    return (bpi_three){wide_load(p), wide_load(p + 4), wide_load(p + 8)};
}

static BPI_INLINE bpi_three wide_in_a_row(bpi_three v) {
    return v;
}

static BPI_INLINE void wide_stream(float *p, bpi_wide a) {
    _mm_stream_ps(p, a);
}

static BPI_INLINE void wide_rows4(bpi_wide row[4], const bpi_wide quads[4]) {
    row[0] = quads[0], row[1] = quads[1], row[2] = quads[2], row[3] = quads[3];
}

static BPI_INLINE bpi_pair pair_load(const float *p) {
    return (bpi_pair){quad_load(p), quad_load(p + 4)};
}

static BPI_INLINE void pair_store(float *p, bpi_pair a) {
    quad_store(p, a.low);
    quad_store(p + 4, a.high);
}

static BPI_INLINE bpi_pair pair_set(float a) {
    bpi_quad quad = _mm_set1_ps(a);
    return (bpi_pair){quad, quad};
}

static BPI_INLINE bpi_pair pair_of_quad(const float *p) {
    bpi_quad quad = quad_load(p);
    return (bpi_pair){quad, quad};
}

static BPI_INLINE bpi_quad pair_quad(bpi_pair a) {
    return a.low;
}

static BPI_INLINE bpi_pair pair_add(bpi_pair a, bpi_pair b) {
    return (bpi_pair){_mm_add_ps(a.low, b.low), _mm_add_ps(a.high, b.high)};
}

static BPI_INLINE bpi_pair pair_mul(bpi_pair a, bpi_pair b) {
    return (bpi_pair){_mm_mul_ps(a.low, b.low), _mm_mul_ps(a.high, b.high)};
}

static BPI_INLINE bpi_pair pair_and_quad(bpi_pair a, bpi_quad mask) {
    return (bpi_pair){_mm_and_ps(a.low, mask), _mm_and_ps(a.high, mask)};
}

#define pair_splat(a, i)                                                                           \
    ((bpi_pair){_mm_shuffle_ps((a).low, (a).low, _MM_SHUFFLE(i, i, i, i)),                         \
                _mm_shuffle_ps((a).high, (a).high, _MM_SHUFFLE(i, i, i, i))})

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

/* a > b ? a : b, and a < b ? a : b. */
#if defined(__AVX2__)

static BPI_INLINE bpi_wide wide_max(bpi_wide a, bpi_wide b) {
    return _mm256_max_ps(a, b);
}

static BPI_INLINE bpi_wide wide_min(bpi_wide a, bpi_wide b) {
    return _mm256_min_ps(a, b);
}

#elif defined(__SSE2__)

static BPI_INLINE bpi_wide wide_max(bpi_wide a, bpi_wide b) {
    return _mm_max_ps(a, b);
}

static BPI_INLINE bpi_wide wide_min(bpi_wide a, bpi_wide b) {
    return _mm_min_ps(a, b);
}

#else /* other machines' own choose differently between zeros, or where there is a NaN */

static BPI_INLINE bpi_wide wide_max(bpi_wide a, bpi_wide b) {
    return wide_select(wide_less(b, a), a, b);
}

static BPI_INLINE bpi_wide wide_min(bpi_wide a, bpi_wide b) {
    return wide_select(wide_less(a, b), a, b);
}

#endif

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
    wide_store_quads(p, p + 4 * stride, a.x);
    wide_store_quads(p + stride, p + 5 * stride, a.y);
    wide_store_quads(p + 2 * stride, p + 6 * stride, a.z);
    wide_store_quads(p + 3 * stride, p + 7 * stride, a.w);
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

/* ---- matrices of four elements, by columns --------------------------------------------------- */

/* Of four matrices: columns of rows 0 and 1 as pairs, and still as it was row 2. */
typedef struct bpi_columns {
    bpi_pair r01[4];
    bpi_quad r2[4];
} bpi_columns;

#ifdef __AVX2__

static BPI_INLINE bpi_columns pair_columns(bpi_pair a01, bpi_pair b01, bpi_pair c01, bpi_pair d01,
                                           bpi_quad a2, bpi_quad b2, bpi_quad c2, bpi_quad d2) {
    bpi_wide4 r01 = wide_transpose((bpi_wide4){a01, b01, c01, d01});
    return (bpi_columns){{r01.x, r01.y, r01.z, r01.w}, {a2, b2, c2, d2}};
}

static BPI_INLINE bpi_wide wide_of_quads(bpi_quad first, bpi_quad second) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(first), second, 1);
}

static BPI_INLINE void columns_to_wide(bpi_wide m[3][4], const bpi_columns *first,
                                       const bpi_columns *second) {
    for (int c = 0; c < 4; ++c) {
        m[0][c] = _mm256_permute2f128_ps(first->r01[c], second->r01[c], 0x20);
        m[1][c] = _mm256_permute2f128_ps(first->r01[c], second->r01[c], 0x31);
    }
    bpi_wide4 r2 = wide_transpose((bpi_wide4){
        wide_of_quads(first->r2[0], second->r2[0]), wide_of_quads(first->r2[1], second->r2[1]),
        wide_of_quads(first->r2[2], second->r2[2]), wide_of_quads(first->r2[3], second->r2[3])});
    m[2][0] = r2.x, m[2][1] = r2.y, m[2][2] = r2.z, m[2][3] = r2.w;
}

#else

static BPI_INLINE bpi_columns pair_columns(bpi_pair a01, bpi_pair b01, bpi_pair c01, bpi_pair d01,
                                           bpi_quad a2, bpi_quad b2, bpi_quad c2, bpi_quad d2) {
    bpi_wide4 r0 = wide_transpose((bpi_wide4){a01.low, b01.low, c01.low, d01.low});
    bpi_wide4 r1 = wide_transpose((bpi_wide4){a01.high, b01.high, c01.high, d01.high});
    return (bpi_columns){{{r0.x, r1.x}, {r0.y, r1.y}, {r0.z, r1.z}, {r0.w, r1.w}},
                         {a2, b2, c2, d2}};
}

static BPI_INLINE void columns_to_wide(bpi_wide m[3][4], const bpi_columns *first,
                                       const bpi_columns *second) {
    (void)second;
    for (int c = 0; c < 4; ++c) {
        m[0][c] = first->r01[c].low;
        m[1][c] = first->r01[c].high;
    }
    bpi_wide4 r2 =
        wide_transpose((bpi_wide4){first->r2[0], first->r2[1], first->r2[2], first->r2[3]});
    m[2][0] = r2.x, m[2][1] = r2.y, m[2][2] = r2.z, m[2][3] = r2.w;
}

#endif

#endif
