// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "steady_math.h"

#include <math.h>

#define TAU 6.283185307179586476925

double turn_sin(double turns) {
    double x = turns - floor(turns);
    double sign = 1.0;
    if (x >= 0.5) {
        x -= 0.5;
        sign = -1.0;
    }
    if (x > 0.25) {
        x = 0.5 - x;
    }
    if (x == 0.25) {
        return sign;
    }
    // The Taylor series; its terms die out quickly enough in the first quarter turn.
    double angle = TAU * x;
    double term = angle;
    double sum = angle;
    for (int k = 1; k <= 11; k++) {
        term *= -angle * angle / ((2.0 * k) * (2.0 * k + 1.0));
        sum += term;
    }
    return sign * sum;
}

double turn_cos(double turns) {
    return turn_sin(turns + 0.25);
}

double smooth_step(double from, double to, double x) {
    double t = (x - from) / (to - from);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

float on_grid(double value, double steps) {
    double cell = floor(value * steps + 0.5);
    return cell == 0.0 ? 0.0f : (float)(cell / steps);
}

vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

vec3 vec3_scale(vec3 a, double factor) {
    return (vec3){a.x * factor, a.y * factor, a.z * factor};
}

vec3 vec3_mix(vec3 a, vec3 b, double t) {
    return vec3_add(a, vec3_scale(vec3_sub(b, a), t));
}

double vec3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double vec3_length(vec3 a) {
    return sqrt(vec3_dot(a, a));
}

vec3 vec3_normalize(vec3 a) {
    return vec3_scale(a, 1.0 / vec3_length(a));
}

quat quat_turn(vec3 axis, double turns) {
    double s = turn_sin(0.5 * turns);
    return (quat){axis.x * s, axis.y * s, axis.z * s, turn_cos(0.5 * turns)};
}

quat quat_mul(quat a, quat b) {
    return (quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

quat quat_conjugate(quat a) {
    return (quat){-a.x, -a.y, -a.z, a.w};
}

vec3 quat_rotate(quat a, vec3 v) {
    vec3 axis = {a.x, a.y, a.z};
    vec3 t = vec3_scale(vec3_cross(axis, v), 2.0);
    return vec3_add(vec3_add(v, vec3_scale(t, a.w)), vec3_cross(axis, t));
}
