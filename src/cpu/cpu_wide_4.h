// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Four floats at once, by SSE2's names: its own on x86, SIMDe's elsewhere. See cpu_wide.h for what
 * each name promises.
 */
#ifndef BPI_CPU_WIDE_4_H
#define BPI_CPU_WIDE_4_H

typedef __m128 bpi_wide;
typedef __m128 bpi_mask;

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

static BPI_INLINE bpi_mask mask_and(bpi_mask a, bpi_mask b) {
    return _mm_and_ps(a, b);
}

static BPI_INLINE bpi_wide wide_xor(bpi_wide a, bpi_wide b) {
    return _mm_xor_ps(a, b);
}

static BPI_INLINE bpi_mask wide_less(bpi_wide a, bpi_wide b) {
    return _mm_cmplt_ps(a, b);
}

static BPI_INLINE bpi_wide wide_keep(bpi_mask mask, bpi_wide a) {
    return _mm_and_ps(mask, a);
}

static BPI_INLINE bpi_wide wide_select(bpi_mask mask, bpi_wide a, bpi_wide b) {
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

static BPI_INLINE bool wide_all(bpi_mask mask) {
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

static BPI_INLINE void wide_store_quads(float *const to[BPI_WIDE / 4], bpi_wide a) {
    quad_store(to[0], a);
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

#if defined(__SSE2__)

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
