// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Eight floats at once, with AVX2: see cpu_wide.h for what each name promises. */
#ifndef BPI_CPU_WIDE_8_H
#define BPI_CPU_WIDE_8_H

typedef __m256 bpi_wide;
typedef __m256 bpi_mask;
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

static BPI_INLINE bpi_mask mask_and(bpi_mask a, bpi_mask b) {
    return _mm256_and_ps(a, b);
}

static BPI_INLINE bpi_wide wide_xor(bpi_wide a, bpi_wide b) {
    return _mm256_xor_ps(a, b);
}

static BPI_INLINE bpi_mask wide_less(bpi_wide a, bpi_wide b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static BPI_INLINE bpi_wide wide_keep(bpi_mask mask, bpi_wide a) {
    return _mm256_and_ps(mask, a);
}

static BPI_INLINE bpi_wide wide_select(bpi_mask mask, bpi_wide a, bpi_wide b) {
    return _mm256_blendv_ps(b, a, mask);
}

static BPI_INLINE bool wide_all(bpi_mask mask) {
    return _mm256_movemask_ps(mask) == 0xFF;
}

static BPI_INLINE bpi_wide wide_sub_integers(bpi_wide a, bpi_wide b) {
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

#define wide_shuffle(a, b, i, j, k, l) _mm256_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i))

static BPI_INLINE bpi_wide wide_unpack_low(bpi_wide a, bpi_wide b) {
    return _mm256_unpacklo_ps(a, b);
}

static BPI_INLINE bpi_wide wide_unpack_high(bpi_wide a, bpi_wide b) {
    return _mm256_unpackhi_ps(a, b);
}

static BPI_INLINE bpi_wide wide_load_quads(const float *p, size_t step) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(quad_load(p)), quad_load(p + step), 1);
}

static BPI_INLINE void wide_store_quads(float *const to[BPI_WIDE / 4], bpi_wide a) {
    quad_store(to[0], _mm256_castps256_ps128(a));
    quad_store(to[1], _mm256_extractf128_ps(a, 1));
}

typedef struct bpi_three {
    bpi_wide a, b, c;
} bpi_three;

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

static BPI_INLINE void wide_rows4(bpi_wide row[4], const bpi_wide quads[4]) {
    row[0] = _mm256_permute2f128_ps(quads[0], quads[1], 0x20);
    row[1] = _mm256_permute2f128_ps(quads[2], quads[3], 0x20);
    row[2] = _mm256_permute2f128_ps(quads[0], quads[1], 0x31);
    row[3] = _mm256_permute2f128_ps(quads[2], quads[3], 0x31);
}

static BPI_INLINE bpi_wide wide_max(bpi_wide a, bpi_wide b) {
    return _mm256_max_ps(a, b);
}

static BPI_INLINE bpi_wide wide_min(bpi_wide a, bpi_wide b) {
    return _mm256_min_ps(a, b);
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

#define pair_splat(a, i) _mm256_shuffle_ps(a, a, _MM_SHUFFLE(i, i, i, i))

#endif
