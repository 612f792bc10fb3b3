// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "math/math_quat.h"

#include <math.h>

bp_quat bp_quat_mul(bp_quat a, bp_quat b) {
    return (bp_quat){
        .x = ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
        .y = ((a.w * b.y + a.y * b.w) + a.z * b.x) - a.x * b.z,
        .z = ((a.w * b.z + a.z * b.w) + a.x * b.y) - a.y * b.x,
        .w = ((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
    };
}

/* For lengths whose square leaves the range of float: double holds the square of any float. */
static bp_quat normalize_extreme(bp_quat q) {
    double x = q.x, y = q.y, z = q.z, w = q.w;
    double length = sqrt((x * x + y * y) + (z * z + w * w));
    if (length == 0.0) return (bp_quat){0.0f, 0.0f, 0.0f, 1.0f};
    return (bp_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                     (float)(w / length)};
}

bp_quat bp_quat_normalize(bp_quat q) {
    float length2 = bpi_quat_dot(q, q);
    if (length2 < 1e-20f || length2 > 1e20f) return normalize_extreme(q);
    float length = sqrtf(length2);
    return (bp_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/*
 * theta = 2 asin(sqrt(u)) is the angle between the 4-vectors; the rotation turns by twice that. In
 * double and with both ends made unit, since near pi the angle magnifies an error of u four times.
 */
float bp_quat_angle(bp_quat a, bp_quat b) {
    double ax = a.x, ay = a.y, az = a.z, aw = a.w, bx = b.x, by = b.y, bz = b.z, bw = b.w;
    double scale_a = 1.0 / sqrt((ax * ax + ay * ay) + (az * az + aw * aw));
    double scale_b = 1.0 / sqrt((bx * bx + by * by) + (bz * bz + bw * bw));
    if ((ax * bx + ay * by) + (az * bz + aw * bw) < 0.0) scale_b = -scale_b;
    double dx = ax * scale_a - bx * scale_b, dy = ay * scale_a - by * scale_b;
    double dz = az * scale_a - bz * scale_b, dw = aw * scale_a - bw * scale_b;
    double u = 0.25 * ((dx * dx + dy * dy) + (dz * dz + dw * dw));
    double low = ((BPI_ARC_3 * u + BPI_ARC_2) * u + BPI_ARC_1) * u + BPI_ARC_0;
    double high = ((BPI_ARC_7 * u + BPI_ARC_6) * u + BPI_ARC_5) * u + BPI_ARC_4;
    double arc = low + high * ((u * u) * (u * u));
    return (float)(2.0 * sqrt(u * arc));
}

bp_quat bp_quat_slerp(bp_quat a, bp_quat b, float t) {
    float weight_a, weight_b;
    b = bpi_quat_nearer(a, b);
    bpi_quat_slerp_weights(&weight_a, &weight_b, bpi_quat_half_versine(a, b), t);
    return (bp_quat){a.x * weight_a + b.x * weight_b, a.y * weight_a + b.y * weight_b,
                     a.z * weight_a + b.z * weight_b, a.w * weight_a + b.w * weight_b};
}
