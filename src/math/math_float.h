// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Loops over many floats that loading goes through: cheap enough to run over everything. */
#ifndef BPI_MATH_FLOAT_H
#define BPI_MATH_FLOAT_H

#include "bindpose/math.h"

/* True when no float is infinite or NaN. */
bool bpi_floats_finite(const float *values, size_t count);

/* Makes the box contain a point of three floats. */
static inline void bpi_aabb_grow(bp_aabb *box, const float *point) {
    box->min.x = point[0] < box->min.x ? point[0] : box->min.x;
    box->min.y = point[1] < box->min.y ? point[1] : box->min.y;
    box->min.z = point[2] < box->min.z ? point[2] : box->min.z;
    box->max.x = point[0] > box->max.x ? point[0] : box->max.x;
    box->max.y = point[1] > box->max.y ? point[1] : box->max.y;
    box->max.z = point[2] > box->max.z ? point[2] : box->max.z;
}

#endif
