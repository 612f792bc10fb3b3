// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A matrix taken apart into translation, rotation and scale, as three.js and Babylon.js do it:
 * column lengths are the scale, the columns without them the rotation. No polar decomposition: it
 * would spread shear over all axes and so disagree with what other viewers show; what does not fit
 * is reported as a number instead. In double, so that scales of any size work.
 */
#include "bindpose/math.h"

#include <assert.h>
#include <math.h>

typedef struct vec3d {
    double v[3];
} vec3d;

static vec3d cross(vec3d a, vec3d b) {
    return (vec3d){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                    a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

static double dot(vec3d a, vec3d b) {
    return (a.v[0] * b.v[0] + a.v[1] * b.v[1]) + a.v[2] * b.v[2];
}

static vec3d scaled(vec3d a, double factor) {
    return (vec3d){{a.v[0] * factor, a.v[1] * factor, a.v[2] * factor}};
}

/* Some unit vector at right angles to the unit vector `a`. */
static vec3d any_perpendicular(vec3d a) {
    vec3d axis = {{0.0, 0.0, 0.0}};
    int smallest = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(a.v[i]) < fabs(a.v[smallest])) smallest = i;
    axis.v[smallest] = 1.0;
    vec3d p = cross(a, axis);
    return scaled(p, 1.0 / sqrt(dot(p, p)));
}

/*
 * Gives a direction to the axes whose scale is zero, so that a flattened matrix keeps the turn that
 * it still shows: the cross product where two axes are left, any right angle where one is.
 */
static void complete_axes(vec3d axes[3], const double scale[3]) {
    int zeros = (scale[0] == 0.0) + (scale[1] == 0.0) + (scale[2] == 0.0);
    assert(zeros < 3);
    for (int i = 0; i < 3 && zeros > 0; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (zeros == 2 && scale[i] != 0.0) {
            axes[j] = any_perpendicular(axes[i]);
            axes[k] = cross(axes[i], axes[j]);
            return;
        }
        if (zeros == 1 && scale[i] == 0.0) {
            vec3d normal = cross(axes[j], axes[k]);
            double length = sqrt(dot(normal, normal));
            axes[i] = length > 0.0 ? scaled(normal, 1.0 / length) : any_perpendicular(axes[j]);
            return;
        }
    }
}

/*
 * Quaternion of the rotation whose columns are `axes`: the largest of the four components by a
 * square root, the others by division through it (Shepperd 1978). The radicand is at least 1, for
 * unit columns that are not at right angles too; only the length must then be mended.
 */
static bp_quat quat_from_axes(const vec3d axes[3]) {
    double m00 = axes[0].v[0], m11 = axes[1].v[1], m22 = axes[2].v[2];
    double yz = axes[1].v[2] - axes[2].v[1], zx = axes[2].v[0] - axes[0].v[2];
    double xy = axes[0].v[1] - axes[1].v[0];
    double q[4] = {yz, zx, xy, 1.0 + m00 + m11 + m22};
    if (m00 + m11 + m22 <= 0.0) {
        int i = m00 >= m11 && m00 >= m22 ? 0 : m11 >= m22 ? 1 : 2;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[3] = q[i];
        q[i] = 1.0 + axes[i].v[i] - axes[j].v[j] - axes[k].v[k];
        q[j] = axes[i].v[j] + axes[j].v[i];
        q[k] = axes[i].v[k] + axes[k].v[i];
    }
    double length = sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    assert(!(length < 0.9)); /* 1, but for rounding; NaN passes */
    return (bp_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                     (float)(q[3] / length)};
}

/* Largest difference of the linear parts. */
static double largest_difference(const bp_mat34 *a, const bp_mat34 *b) {
    double largest = 0.0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double difference = fabs((double)a->m[r][c] - (double)b->m[r][c]);
            if (difference > largest) largest = difference;
        }
    return largest;
}

float bp_transform_from_mat34(bp_transform *transform, const bp_mat34 *matrix) {
    assert(transform && matrix);
    vec3d axes[3];
    double scale[3], largest = 0.0;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r)
            axes[c].v[r] = matrix->m[r][c];
        scale[c] = sqrt(dot(axes[c], axes[c]));
        if (scale[c] > largest) largest = scale[c];
        if (scale[c] != 0.0) axes[c] = scaled(axes[c], 1.0 / scale[c]);
    }
    *transform = bp_transform_identity();
    transform->translation = (bp_vec3){matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]};
    transform->scale = (bp_vec3){(float)scale[0], (float)scale[1], (float)scale[2]};
    if (largest == 0.0) return 0.0f;

    complete_axes(axes, scale);
    if (dot(cross(axes[0], axes[1]), axes[2]) < 0.0) { /* mirrored */
        axes[0] = scaled(axes[0], -1.0);
        transform->scale.x = -transform->scale.x;
    }
    transform->rotation = quat_from_axes(axes);
    bp_mat34 rebuilt = bp_mat34_from_transform(*transform);
    return (float)(largest_difference(&rebuilt, matrix) / largest);
}
