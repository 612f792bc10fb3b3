// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Mathematics for the generators of our own assets. An asset must come out in the same bytes from
// every compiler, so this uses + - * / and sqrt alone, which IEEE 754 rounds one way, and no sine
// of a C library, which each library rounds its own way. Angles are in turns: 1 is 360 degrees.

#ifndef STEADY_MATH_H
#define STEADY_MATH_H

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct quat {
    double x, y, z, w;
} quat;

// Sine and cosine of an angle in turns; exact at the quarters, within 1e-15 elsewhere.
double turn_sin(double turns);
double turn_cos(double turns);

// From 0 at `from` to 1 at `to`, flat at both ends and outside.
double smooth_step(double from, double to, double x);

// Rounds to a multiple of 1/steps. What a file stores is rounded so, and the last bits, in which
// even correct compilers may differ (x87 computes with 80 bits), never reach it. No negative zero.
float on_grid(double value, double steps);

vec3 vec3_add(vec3 a, vec3 b);
vec3 vec3_sub(vec3 a, vec3 b);
vec3 vec3_scale(vec3 a, double factor);
vec3 vec3_mix(vec3 a, vec3 b, double t);
double vec3_dot(vec3 a, vec3 b);
vec3 vec3_cross(vec3 a, vec3 b);
double vec3_length(vec3 a);
vec3 vec3_normalize(vec3 a);

// A turn about an axis of unit length.
quat quat_turn(vec3 axis, double turns);
// a after b.
quat quat_mul(quat a, quat b);
quat quat_conjugate(quat a);
vec3 quat_rotate(quat a, vec3 v);

#endif
