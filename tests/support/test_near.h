// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Comparisons of floats and matrices that say what differs. */
#ifndef BINDPOSE_TEST_NEAR_H
#define BINDPOSE_TEST_NEAR_H

#include "bindpose/math.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void test_near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g (tolerance %g)", actual, expected, tolerance);
}

static inline void test_near_vec3(bp_vec3 actual, double x, double y, double z, double tolerance) {
    test_near(actual.x, x, tolerance);
    test_near(actual.y, y, tolerance);
    test_near(actual.z, z, tolerance);
}

/* Rotations, up to their sign. */
static inline void test_near_quat(bp_quat actual, double x, double y, double z, double w,
                                  double tolerance) {
    double sign = actual.x * x + actual.y * y + actual.z * z + actual.w * w < 0.0 ? -1.0 : 1.0;
    test_near(actual.x, sign * x, tolerance);
    test_near(actual.y, sign * y, tolerance);
    test_near(actual.z, sign * z, tolerance);
    test_near(actual.w, sign * w, tolerance);
}

/* Row by row, as it is written on paper. */
static inline void test_near_mat34(const bp_mat34 *actual, const float expected[12],
                                   double tolerance) {
    for (int i = 0; i < 12; ++i) {
        double got = actual->m[i / 4][i % 4];
        if (!(fabs(got - expected[i]) <= tolerance))
            fail_msg("row %d, column %d: %.9g instead of %.9g", i / 4, i % 4, got,
                     (double)expected[i]);
    }
}

#endif
