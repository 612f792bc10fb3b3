// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Sampling and posing, BPI_WIDE keys or joints at once where they do not depend on each other; and
 * the table of the set.
 */
#include "cpu/cpu_wide.h"
#include "cpu/cpu_wide_set.h"
#include "math/math_quat.h"

#include <assert.h>

/* ---- sampling -------------------------------------------------------------------------------- */

static void lerp(float *results, const float *a, const float *b, float t, size_t count) {
    bpi_wide s = wide_set(1.0f - t), w = wide_set(t);
    size_t i = 0;
    for (; i + BPI_WIDE <= count; i += BPI_WIDE)
        wide_store(results + i,
                   wide_add(wide_mul(wide_load(a + i), s), wide_mul(wide_load(b + i), w)));
    for (; i < count; ++i)
        results[i] = a[i] * (1.0f - t) + b[i] * t;
}

/* Two elements at once: with 4 floats as a pair of quads. */
static void lerp3(float *base, const uint32_t *targets, const float *a, const float *b, float t,
                  uint32_t count) {
    bpi_pair s = pair_set(1.0f - t), w = pair_set(t);
    for (uint32_t i = 0; i < count; i += 2, a += 8, b += 8) {
        float two[8];
        pair_store(two, pair_add(pair_mul(pair_load(a), s), pair_mul(pair_load(b), w)));
        memcpy(base + targets[i], two, 12);
        if (i + 1 < count) memcpy(base + targets[i + 1], two + 4, 12);
    }
}

/* The polynomials of math_quat.h, for BPI_WIDE angles; the same steps. */
static BPI_INLINE bpi_wide polynomial2(float c0, float c1, bpi_wide x) {
    return wide_add(wide_set(c0), wide_mul(wide_set(c1), x));
}

static BPI_INLINE bpi_wide arc(bpi_wide u) {
    bpi_wide u2 = wide_mul(u, u), u4 = wide_mul(u2, u2);
    bpi_wide low = wide_add(polynomial2(BPI_ARC_0, BPI_ARC_1, u),
                            wide_mul(polynomial2(BPI_ARC_2, BPI_ARC_3, u), u2));
    bpi_wide high = wide_add(polynomial2(BPI_ARC_4, BPI_ARC_5, u),
                             wide_mul(polynomial2(BPI_ARC_6, BPI_ARC_7, u), u2));
    return wide_add(low, wide_mul(high, u4));
}

static BPI_INLINE bpi_wide sinc(bpi_wide z) {
    bpi_wide z2 = wide_mul(z, z);
    bpi_wide high =
        wide_add(polynomial2(BPI_SINC_2, BPI_SINC_3, z), wide_mul(wide_set(BPI_SINC_4), z2));
    return wide_add(polynomial2(BPI_SINC_0, BPI_SINC_1, z), wide_mul(high, z2));
}

static BPI_INLINE bpi_wide dot4(bpi_wide4 a, bpi_wide4 b) {
    return wide_add(wide_add(wide_mul(a.x, b.x), wide_mul(a.y, b.y)),
                    wide_add(wide_mul(a.z, b.z), wide_mul(a.w, b.w)));
}

static BPI_INLINE bpi_wide4 load_rotations(const float *p) {
    return (bpi_wide4){wide_load(p), wide_load(p + BPI_ROTATION_BLOCK),
                       wide_load(p + 2 * BPI_ROTATION_BLOCK),
                       wide_load(p + 3 * BPI_ROTATION_BLOCK)};
}

/*
 * Rotations that go through the steps together, each step for all of them: the steps of one wait
 * for each other, the same step of different ones does not.
 */
enum { SLERP_STRIP = 64 };

typedef struct slerp_strip {
    float u[SLERP_STRIP], sign[SLERP_STRIP]; /* the sign bit of b, or nothing */
    float weight_a[SLERP_STRIP], weight_b[SLERP_STRIP];
} slerp_strip;

/*
 * u = (1 - dot) / 2 for b on the side of a: the dot product of that is the same with its sign
 * changed, since sums and products of floats round alike on both sides of zero.
 */
static BPI_INLINE void slerp_angle(slerp_strip *s, uint32_t i, bpi_wide4 a, bpi_wide4 b) {
    const bpi_wide half = wide_set(0.5f), zero = wide_set(0.0f);
    bpi_wide dot = dot4(a, b);
    bpi_wide sign = wide_keep(wide_less(dot, zero), wide_bits(UINT32_C(0x80000000)));
    bpi_wide u = wide_sub(half, wide_mul(half, wide_xor(dot, sign)));
    wide_store(s->sign + i, sign);
    wide_store(s->u + i, wide_max(wide_min(u, half), zero));
}

static BPI_INLINE void slerp_weights(slerp_strip *s, uint32_t i, bpi_wide t) {
    bpi_wide u = wide_load(s->u + i), one_minus_t = wide_sub(wide_set(1.0f), t);
    bpi_wide theta2 = wide_mul(u, arc(u)), sinc_theta = sinc(theta2);
    bpi_wide sinc_a = sinc(wide_mul(wide_mul(one_minus_t, one_minus_t), theta2));
    bpi_wide sinc_b = sinc(wide_mul(wide_mul(t, t), theta2));
    wide_store(s->weight_a + i, wide_div(wide_mul(one_minus_t, sinc_a), sinc_theta));
    wide_store(s->weight_b + i, wide_div(wide_mul(t, sinc_b), sinc_theta));
}

static BPI_INLINE bpi_wide4 slerp_mix(const slerp_strip *s, uint32_t i, bpi_wide4 a, bpi_wide4 b) {
    bpi_wide wa = wide_load(s->weight_a + i);
    bpi_wide wb = wide_xor(wide_load(s->weight_b + i), wide_load(s->sign + i));
    return (bpi_wide4){wide_add(wide_mul(a.x, wa), wide_mul(b.x, wb)),
                       wide_add(wide_mul(a.y, wa), wide_mul(b.y, wb)),
                       wide_add(wide_mul(a.z, wa), wide_mul(b.z, wb)),
                       wide_add(wide_mul(a.w, wa), wide_mul(b.w, wb))};
}

/* Where rotation i begins in blocks. */
static BPI_INLINE size_t rotation_at(size_t i) {
    return i / BPI_ROTATION_BLOCK * BPI_ROTATION_BLOCK_FLOATS + i % BPI_ROTATION_BLOCK;
}

/* BPI_WIDE rotations to their places. */
static BPI_INLINE void store_rotations(float *base, const uint32_t *targets, bpi_wide4 q) {
    q = wide_transpose(q);
    const bpi_wide quads[4] = {q.x, q.y, q.z, q.w};
    for (size_t i = 0; i < 4; ++i) {
        float *to[BPI_WIDE / 4];
        for (size_t k = 0; k < BPI_WIDE / 4; ++k)
            to[k] = base + targets[i + 4 * k];
        wide_store_quads(to, quads[i]);
    }
}

static void slerp_strips(float *base, const uint32_t *targets, const float *a, const float *b,
                         const float *t, uint32_t count) {
    slerp_strip s;
    for (uint32_t i = 0; i < count; i += BPI_WIDE)
        slerp_angle(&s, i, load_rotations(a + rotation_at(i)), load_rotations(b + rotation_at(i)));
    for (uint32_t i = 0; i < count; i += BPI_WIDE)
        slerp_weights(&s, i, wide_load(t + i));
    for (uint32_t i = 0; i < count; i += BPI_WIDE) {
        bpi_wide4 q = slerp_mix(&s, i, load_rotations(a + rotation_at(i)),
                                load_rotations(b + rotation_at(i)));
        float rotations[4 * BPI_WIDE];
        if (count - i >= BPI_WIDE) {
            store_rotations(base, targets + i, q);
            continue;
        }
        wide_store4(rotations, q);
        for (uint32_t k = 0; k < count - i; ++k)
            memcpy(base + targets[i + k], rotations + 4 * (size_t)k, 16);
    }
}

static void slerp(float *base, const uint32_t *targets, const float *a, const float *b,
                  const float *t, uint32_t count) {
    for (uint32_t first = 0; first < count; first += SLERP_STRIP) {
        uint32_t left = count - first;
        slerp_strips(base, targets + first, a + rotation_at(first), b + rotation_at(first),
                     t + first, left < SLERP_STRIP ? left : SLERP_STRIP);
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

enum { TRANSFORM_FLOATS = sizeof(bp_transform) / sizeof(float), MATRIX_FLOATS = 12 };

/* The steps of bp_mat34_from_transform for BPI_WIDE transforms. */
static BPI_INLINE void matrices_wide(float *matrices, const float *transforms) {
    bpi_wide4 tx = wide_gather4(transforms, TRANSFORM_FLOATS);    /* tx ty tz qx */
    bpi_wide4 q = wide_gather4(transforms + 3, TRANSFORM_FLOATS); /* qx qy qz qw */
    bpi_wide4 s = wide_gather4(transforms + 6, TRANSFORM_FLOATS); /* qw sx sy sz */
    const bpi_wide one = wide_set(1.0f);
    bpi_wide x2 = wide_add(q.x, q.x), y2 = wide_add(q.y, q.y), z2 = wide_add(q.z, q.z);
    bpi_wide xx = wide_mul(q.x, x2), xy = wide_mul(q.x, y2), xz = wide_mul(q.x, z2);
    bpi_wide yy = wide_mul(q.y, y2), yz = wide_mul(q.y, z2), zz = wide_mul(q.z, z2);
    bpi_wide wx = wide_mul(q.w, x2), wy = wide_mul(q.w, y2), wz = wide_mul(q.w, z2);
    bpi_wide sx = s.y, sy = s.z, sz = s.w;
    wide_scatter4(matrices, MATRIX_FLOATS,
                  (bpi_wide4){wide_mul(wide_sub(one, wide_add(yy, zz)), sx),
                              wide_mul(wide_sub(xy, wz), sy), wide_mul(wide_add(xz, wy), sz),
                              tx.x});
    wide_scatter4(matrices + 4, MATRIX_FLOATS,
                  (bpi_wide4){wide_mul(wide_add(xy, wz), sx),
                              wide_mul(wide_sub(one, wide_add(xx, zz)), sy),
                              wide_mul(wide_sub(yz, wx), sz), tx.y});
    wide_scatter4(matrices + 8, MATRIX_FLOATS,
                  (bpi_wide4){wide_mul(wide_sub(xz, wy), sx), wide_mul(wide_add(yz, wx), sy),
                              wide_mul(wide_sub(one, wide_add(xx, yy)), sz), tx.z});
}

static void matrices(bp_mat34 *matrices, const bp_transform *transforms, size_t count) {
    size_t i = 0;
    for (; i + BPI_WIDE <= count; i += BPI_WIDE)
        matrices_wide(&matrices[i].m[0][0], &transforms[i].translation.x);
    if (i == count) return;
    bp_transform rest[BPI_WIDE];
    bp_mat34 results[BPI_WIDE];
    memset(rest, 0, sizeof rest);
    memcpy(rest, transforms + i, (count - i) * sizeof *rest);
    matrices_wide(&results[0].m[0][0], &rest[0].translation.x);
    memcpy(matrices + i, results, (count - i) * sizeof *results);
}

/* product = left * right; product may be right. */
static BPI_INLINE void multiply(float *product, const float *left, const float *right) {
    static const uint32_t mask_bits[4] = {0, 0, 0, UINT32_MAX};
    bpi_pair r0 = pair_of_quad(right), r1 = pair_of_quad(right + 4), r2 = pair_of_quad(right + 8);
    bpi_pair l01 = pair_load(left);
    bpi_quad l2 = quad_load(left + 8), mask;
    memcpy(&mask, mask_bits, sizeof mask);
    bpi_pair p01 =
        pair_add(pair_add(pair_mul(pair_splat(l01, 0), r0), pair_mul(pair_splat(l01, 1), r1)),
                 pair_mul(pair_splat(l01, 2), r2));
    bpi_quad p2 = quad_add(quad_add(quad_mul(quad_splat(l2, 0), pair_quad(r0)),
                                    quad_mul(quad_splat(l2, 1), pair_quad(r1))),
                           quad_mul(quad_splat(l2, 2), pair_quad(r2)));
    pair_store(product, pair_add(p01, pair_and_quad(l01, mask)));
    quad_store(product + 8, quad_add(p2, quad_and(l2, mask)));
}

static void globals(bp_mat34 *globals, const bp_mat34 *locals, const int32_t *parents,
                    const uint8_t *order, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        size_t local = order ? order[i] : i;
        int32_t parent = parents[first + local];
        assert(parent < (int32_t)(first + local));
        if (parent < 0)
            globals[first + local] = locals[local];
        else
            multiply(&globals[first + local].m[0][0], &globals[parent].m[0][0],
                     &locals[local].m[0][0]);
    }
}

static void products(bp_mat34 *products, const bp_mat34 *left, const uint32_t *indices,
                     const bp_mat34 *right, size_t count) {
    for (size_t i = 0; i < count; ++i)
        multiply(&products[i].m[0][0], &left[indices[i]].m[0][0], &right[i].m[0][0]);
}

static void fence(void) {
    _mm_sfence();
}

const bpi_kernels BPI_OF_SET(bpi_kernels) = {
    .cpu = BPI_OF_SET(BPI_CPU_OF),
    .morph = BPI_OF_SET(bpi_morph),
    .morph_tangents = BPI_OF_SET(bpi_morph_tangents),
    .skin = BPI_OF_SET(bpi_skin),
    .move = BPI_OF_SET(bpi_move),
    .fence = fence,
    .lerp = lerp,
    .lerp3 = lerp3,
    .slerp = slerp,
    .matrices = matrices,
    .globals = globals,
    .products = products,
};
