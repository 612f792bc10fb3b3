// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The arithmetic of spherical interpolation, for every kernel that interpolates rotations.
 *
 * libm's sine and arc sine differ from machine to machine, so we have our own: two polynomials,
 * evaluated with + and * only, in a fixed order (Estrin: pairs first, for short dependency chains),
 * without branches. A SIMD version that does the same operations gives the same bits.
 *
 * Coefficients: minimax of the relative error (Remez), the constant term fixed, each coefficient in
 * turn rounded to float and the rest fitted again. The stated bounds are those of the polynomials
 * with the rounded coefficients, in exact arithmetic.
 */
#ifndef BPI_MATH_QUAT_H
#define BPI_MATH_QUAT_H

#include "bindpose/math.h"

/* arc(u) = 4 asin(sqrt(u))^2 / u on [0, 0.5]: degree 7, relative error below 4.4e-8. */
#define BPI_ARC_0 4.0f
#define BPI_ARC_1 1.33336008f
#define BPI_ARC_2 0.70980984f
#define BPI_ARC_3 0.478311718f
#define BPI_ARC_4 0.164804563f
#define BPI_ARC_5 0.87478596f
#define BPI_ARC_6 -1.07610333f
#define BPI_ARC_7 1.28733373f

/* sinc(z) = sin(sqrt(z)) / sqrt(z) on [0, (pi/2)^2]: degree 4, relative error below 6.2e-9. */
#define BPI_SINC_0 1.0f
#define BPI_SINC_1 -0.166666597f
#define BPI_SINC_2 0.00833306927f
#define BPI_SINC_3 -0.000198097769f
#define BPI_SINC_4 2.60609568e-06f

static inline float bpi_arc(float u) {
    float u2 = u * u, u4 = u2 * u2;
    float low = (BPI_ARC_0 + BPI_ARC_1 * u) + (BPI_ARC_2 + BPI_ARC_3 * u) * u2;
    float high = (BPI_ARC_4 + BPI_ARC_5 * u) + (BPI_ARC_6 + BPI_ARC_7 * u) * u2;
    return low + high * u4;
}

static inline float bpi_sinc(float z) {
    float z2 = z * z;
    return (BPI_SINC_0 + BPI_SINC_1 * z) + ((BPI_SINC_2 + BPI_SINC_3 * z) + BPI_SINC_4 * z2) * z2;
}

/*
 * What slerp multiplies its two ends with: sin((1-t)theta)/sin(theta) and sin(t theta)/sin(theta)
 * (glTF 2.0, C.4), written with sinc so that nothing divides by a small number.
 *
 * u = (1 - dot(a, b)) / 2 = sin(theta/2)^2, where theta, at most pi/2, is the angle between the
 * 4-vectors a and b. The dot product loses small angles in rounding, but the weights depend on
 * theta^2 only, which is off by no more than the dot product is. For ends that are not quite unit
 * vectors (quantised keys) theta is what the specification's acos(dot) makes of them; u is clamped
 * to [0, 0.5]. t = 0 gives exactly 1 and 0.
 */
static inline void bpi_quat_slerp_weights(float *weight_a, float *weight_b, float u, float t) {
    u = u < 0.5f ? u : 0.5f;
    u = u > 0.0f ? u : 0.0f;
    float theta2 = u * bpi_arc(u);
    float s = 1.0f - t;
    float sinc_theta = bpi_sinc(theta2);
    *weight_a = (s * bpi_sinc((s * s) * theta2)) / sinc_theta;
    *weight_b = (t * bpi_sinc((t * t) * theta2)) / sinc_theta;
}

/* Pairs first: two independent additions, then one. */
static inline float bpi_quat_dot(bp_quat a, bp_quat b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

/* b, or -b (the same rotation) where that one is nearer to a. */
static inline bp_quat bpi_quat_nearer(bp_quat a, bp_quat b) {
    float sign = bpi_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
    return (bp_quat){b.x * sign, b.y * sign, b.z * sign, b.w * sign};
}

/* The u of bpi_quat_slerp_weights for b on the side of a. */
static inline float bpi_quat_half_versine(bp_quat a, bp_quat b) {
    return 0.5f - 0.5f * bpi_quat_dot(a, b);
}

#endif
