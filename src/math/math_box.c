// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "bindpose/math.h"

#include <math.h>

/* Of a box's bound and a candidate; a candidate that is NaN leaves the bound as it is. */
static float smaller(float bound, float candidate) {
    return candidate < bound ? candidate : bound;
}

static float larger(float bound, float candidate) {
    return candidate > bound ? candidate : bound;
}

bp_aabb bp_aabb_empty(void) {
    return (bp_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bp_aabb bp_aabb_union(bp_aabb a, bp_aabb b) {
    return (bp_aabb){
        {smaller(a.min.x, b.min.x), smaller(a.min.y, b.min.y), smaller(a.min.z, b.min.z)},
        {larger(a.max.x, b.max.x), larger(a.max.y, b.max.y), larger(a.max.z, b.max.z)},
    };
}

bp_aabb bp_aabb_add(bp_aabb box, bp_vec3 point) {
    return bp_aabb_union(box, (bp_aabb){point, point});
}

/*
 * Each row of the matrix takes from each axis the end that gives least, or most (Arvo, Transforming
 * axis-aligned bounding boxes, Graphics Gems 1990). The sums run in the order of bp_mat34_point:
 * since rounding is monotonic, no transformed point of the box lies outside by even one bit.
 */
bp_aabb bp_aabb_transform(const bp_mat34 *matrix, bp_aabb box) {
    if (box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z)
        return bp_aabb_empty();
    float low[3], high[3];
    for (int r = 0; r < 3; ++r) {
        const float *m = matrix->m[r];
        float x0 = m[0] * box.min.x, x1 = m[0] * box.max.x;
        float y0 = m[1] * box.min.y, y1 = m[1] * box.max.y;
        float z0 = m[2] * box.min.z, z1 = m[2] * box.max.z;
        low[r] = ((smaller(x0, x1) + smaller(y0, y1)) + smaller(z0, z1)) + m[3];
        high[r] = ((larger(x0, x1) + larger(y0, y1)) + larger(z0, z1)) + m[3];
    }
    return (bp_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}
