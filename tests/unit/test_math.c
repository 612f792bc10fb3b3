// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * math: matrices, transforms and boxes. Slerp has a reference of its own, in double and with libm,
 * below. Expected numbers are worked out by hand or by formulas that the library does not use.
 */
#include "math/math_quat.h"
#include "test_near.h"
#include "test_random.h"

#include <string.h>

#define ROOT_HALF 0.70710678118654752440
#define PI 3.14159265358979323846

/* Signs count here, unlike in test_near_quat. */
static void assert_quat(bp_quat actual, double x, double y, double z, double w, double tolerance) {
    test_near(actual.x, x, tolerance);
    test_near(actual.y, y, tolerance);
    test_near(actual.z, z, tolerance);
    test_near(actual.w, w, tolerance);
}

/* A rotation in double, as a unit quaternion and as the matrix that turns a vector like q v q*. */
typedef struct rotation {
    double q[4];
    double m[3][3];
} rotation;

static rotation random_rotation(test_random *random) {
    rotation r;
    double length2 = 0.0;
    for (int i = 0; i < 4; ++i) {
        r.q[i] = test_random_normal(random);
        length2 += r.q[i] * r.q[i];
    }
    for (int i = 0; i < 4; ++i)
        r.q[i] /= sqrt(length2);
    /* Rodrigues: R = cos I + sin [n]x + (1 - cos) n n^T, with n and the angle taken from q. */
    double sine = sqrt(r.q[0] * r.q[0] + r.q[1] * r.q[1] + r.q[2] * r.q[2]);
    double angle = 2.0 * atan2(sine, r.q[3]);
    double n[3] = {r.q[0] / sine, r.q[1] / sine, r.q[2] / sine};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double skew = i == j ? 0.0 : (j - i + 3) % 3 == 1 ? -n[3 - i - j] : n[3 - i - j];
            r.m[i][j] =
                cos(angle) * (i == j) + sin(angle) * skew + (1.0 - cos(angle)) * n[i] * n[j];
        }
    return r;
}

static bp_quat float_quat(const double q[4]) {
    return (bp_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/* ---- matrices ------------------------------------------------------------------------------- */

static void test_from_transform_by_hand(void **state) {
    (void)state;
    /* 90 degrees about z after scaling by 2 3 4: x goes to +y twice as long, y to -x, z stays. */
    bp_transform t = {{1, 2, 3}, {0, 0, (float)ROOT_HALF, (float)ROOT_HALF}, {2, 3, 4}};
    bp_mat34 m = bp_mat34_from_transform(t);
    const float expected[12] = {0, -3, 0, 1, 2, 0, 0, 2, 0, 0, 4, 3};
    test_near_mat34(&m, expected, 1e-6);
    test_near_vec3(bp_mat34_point(&m, (bp_vec3){1, 1, 1}), -2, 4, 7, 1e-6);
    test_near_vec3(bp_mat34_direction(&m, (bp_vec3){1, 1, 1}), -3, 2, 4, 1e-6);
    test_near(bp_mat34_determinant(&m), 24, 1e-5);
}

static void test_identity_changes_nothing(void **state) {
    (void)state;
    bp_mat34 identity = bp_mat34_identity();
    bp_mat34 same = bp_mat34_from_transform(bp_transform_identity());
    assert_memory_equal(&identity, &same, sizeof same);
    bp_mat34 m = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
    bp_mat34 left = bp_mat34_mul(&identity, &m), right = bp_mat34_mul(&m, &identity);
    assert_memory_equal(&left, &m, sizeof m);
    assert_memory_equal(&right, &m, sizeof m);
}

static void test_from_transform_against_rodrigues(void **state) {
    (void)state;
    test_random random = {17};
    for (int i = 0; i < 20000; ++i) {
        rotation r = random_rotation(&random);
        bp_transform t = {{0, 0, 0}, float_quat(r.q), {1, 1, 1}};
        bp_mat34 m = bp_mat34_from_transform(t);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                test_near(m.m[a][b], r.m[a][b], 5e-7);
    }
}

static void test_mul_applies_right_first(void **state) {
    (void)state;
    bp_mat34 twice = {{{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 2, 0}}};
    bp_mat34 move = {{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
    bp_mat34 m = bp_mat34_mul(&twice, &move);
    test_near_vec3(bp_mat34_point(&m, (bp_vec3){1, 1, 1}), 4, 6, 8, 0);
    m = bp_mat34_mul(&move, &twice);
    test_near_vec3(bp_mat34_point(&m, (bp_vec3){1, 1, 1}), 3, 4, 5, 0);
}

static void test_mat44_is_column_major(void **state) {
    (void)state;
    const float columns[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1};
    const float rows[12] = {1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12};
    float back[16];
    bp_mat34 m = bp_mat34_from_mat44(columns);
    test_near_mat34(&m, rows, 0);
    bp_mat34_to_mat44(back, &m);
    assert_memory_equal(back, columns, sizeof columns);
}

static void test_inverse_by_hand(void **state) {
    (void)state;
    /* Turn by 90 degrees about z, then move by 1 2 3: the inverse moves back, then turns back. */
    bp_mat34 m = {{{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}}, inverse;
    const float expected[12] = {0, 1, 0, -2, -1, 0, 0, 1, 0, 0, 1, -3};
    assert_true(bp_mat34_inverse(&inverse, &m));
    test_near_mat34(&inverse, expected, 0);
    assert_true(bp_mat34_inverse(&m, &m)); /* in place */
    test_near_mat34(&m, expected, 0);
}

/* Scales of each axis from 1e-6 to 1e6: row r of the inverse is row r of R^T over scale r. */
static void test_inverse_of_any_scale(void **state) {
    (void)state;
    test_random random = {23};
    for (int i = 0; i < 20000; ++i) {
        rotation r = random_rotation(&random);
        double scale[3];
        bp_mat34 m = {{{0}}}, inverse;
        for (int c = 0; c < 3; ++c) {
            scale[c] = test_random_magnitude(&random, -6, 6);
            for (int row = 0; row < 3; ++row)
                m.m[row][c] = (float)(r.m[row][c] * scale[c]);
            m.m[c][3] = (float)test_random_range(&random, -10, 10);
        }
        assert_true(bp_mat34_inverse(&inverse, &m));
        for (int row = 0; row < 3; ++row) {
            double moved = 0.0;
            for (int c = 0; c < 3; ++c) {
                double expected = r.m[c][row] / scale[row];
                test_near(inverse.m[row][c], expected, 1e-6 / scale[row]);
                moved -= expected * m.m[c][3];
            }
            test_near(inverse.m[row][3], moved, 2e-5 / scale[row]);
        }
    }
}

static void test_inverse_of_singular(void **state) {
    (void)state;
    bp_mat34 identity = bp_mat34_identity(), inverse;
    bp_mat34 singular[] = {
        {{{0}}},
        {{{1, 2, 3, 0}, {4, 5, 6, 0}, {7, 8, 9, 0}}},
        {{{0.1f, 0.2f, 0.7f, 0}, {0.3f, 0.6f, 0.11f, 0}, {0.7f, 1.4f, 0.13f, 0}}},
        {{{1, 0, 0, 0}, {0, NAN, 0, 0}, {0, 0, 1, 0}}},
        {{{INFINITY, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1, 0, 0, INFINITY}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{1e-30f, 0, 0, 1e30f}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, /* would be 1e60 */
    };
    for (size_t i = 0; i < sizeof singular / sizeof *singular; ++i) {
        memset(&inverse, 0xAA, sizeof inverse);
        assert_false(bp_mat34_inverse(&inverse, &singular[i]));
        assert_memory_equal(&inverse, &identity, sizeof identity);
    }
    /* The third column is the sum of the others: exact in float, not in the cofactors. */
    test_random random = {29};
    for (int i = 0; i < 20000; ++i) {
        bp_mat34 m = {{{0}}};
        for (int r = 0; r < 3; ++r) {
            m.m[r][0] = (float)test_random_range(&random, 1, 1.5);
            m.m[r][1] = (float)test_random_range(&random, -1.5, -1);
            m.m[r][2] = m.m[r][0] + m.m[r][1];
        }
        assert_false(bp_mat34_inverse(&inverse, &m));
    }
}

/* ---- decomposition -------------------------------------------------------------------------- */

static void test_decompose_random(void **state) {
    (void)state;
    test_random random = {31};
    for (int i = 0; i < 20000; ++i) {
        rotation r = random_rotation(&random);
        double unit = test_random_magnitude(&random, -6, 6);
        double scale[3];
        bp_mat34 m = {{{0}}};
        for (int c = 0; c < 3; ++c) {
            scale[c] = unit * test_random_magnitude(&random, -1, 1);
            for (int row = 0; row < 3; ++row)
                m.m[row][c] = (float)(r.m[row][c] * scale[c]);
            m.m[c][3] = (float)(c + 1);
        }
        bp_transform t;
        float residual = bp_transform_from_mat34(&t, &m);
        test_near(residual, 0, 1e-6);
        test_near_vec3(t.translation, 1, 2, 3, 0);
        test_near(t.scale.x / scale[0], 1, 1e-6);
        test_near(t.scale.y / scale[1], 1, 1e-6);
        test_near(t.scale.z / scale[2], 1, 1e-6);
        bp_quat q = t.rotation;
        double dot = q.x * r.q[0] + q.y * r.q[1] + q.z * r.q[2] + q.w * r.q[3];
        double sign = dot < 0 ? -1 : 1;
        assert_quat(q, sign * r.q[0], sign * r.q[1], sign * r.q[2], sign * r.q[3], 1e-6);
    }
}

static void test_decompose_by_hand(void **state) {
    (void)state;
    bp_transform t;
    /* Mirrored in z: the sign lands on x, and half a turn about y makes up for it. */
    bp_mat34 mirrored = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}};
    test_near(bp_transform_from_mat34(&t, &mirrored), 0, 1e-7);
    test_near_vec3(t.scale, -1, 1, 1, 1e-7);
    test_near(fabs(t.rotation.y), 1, 1e-7);

    /* y leans over to x: columns of length 1, root 2, 1, none of it turns. */
    bp_mat34 sheared = {{{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    float residual = bp_transform_from_mat34(&t, &sheared);
    test_near_vec3(t.scale, 1, sqrt(2), 1, 1e-6);
    assert_in_range((int)(residual * 1000), 100, 1000);
    bp_quat q = t.rotation;
    test_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
}

static void test_decompose_flattened(void **state) {
    (void)state;
    bp_transform t;
    bp_mat34 zero = {{{0, 0, 0, 7}, {0}, {0}}};
    test_near(bp_transform_from_mat34(&t, &zero), 0, 0);
    assert_quat(t.rotation, 0, 0, 0, 1, 0);
    test_near_vec3(t.scale, 0, 0, 0, 0);
    test_near_vec3(t.translation, 7, 0, 0, 0);

    /* One, then two axes of a quarter turn about z are gone; what is left is still shown. */
    bp_mat34 flat = {{{0, -2, 0, 0}, {3, 0, 0, 0}, {0, 0, 0, 0}}};
    test_near(bp_transform_from_mat34(&t, &flat), 0, 1e-6);
    test_near_vec3(t.scale, 3, 2, 0, 1e-6);
    assert_quat(t.rotation, 0, 0, ROOT_HALF, ROOT_HALF, 1e-6);
    for (int axis = 0; axis < 3; ++axis) {
        float rows[12] = {0};
        rows[axis] = 2;
        rows[4 + axis] = -1;
        rows[8 + axis] = 2;
        bp_mat34 line;
        memcpy(&line, rows, sizeof line);
        test_near(bp_transform_from_mat34(&t, &line), 0, 1e-6);
        bp_mat34 rebuilt = bp_mat34_from_transform(t);
        test_near_mat34(&rebuilt, rows, 1e-6);
    }
    /* Two equal columns span a line, so no cross product helps. */
    bp_mat34 parallel = {{{1, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    float residual = bp_transform_from_mat34(&t, &parallel);
    assert_true(isfinite(residual) && isfinite(t.rotation.x + t.rotation.w));
}

/* ---- quaternions ---------------------------------------------------------------------------- */

static void test_quat_mul(void **state) {
    (void)state;
    bp_quat i = {1, 0, 0, 0}, j = {0, 1, 0, 0}, k = {0, 0, 1, 0};
    assert_quat(bp_quat_mul(i, j), 0, 0, 1, 0, 0);
    assert_quat(bp_quat_mul(j, i), 0, 0, -1, 0, 0);
    assert_quat(bp_quat_mul(j, k), 1, 0, 0, 0, 0);
    assert_quat(bp_quat_mul(k, i), 0, 1, 0, 0, 0);
    assert_quat(bp_quat_mul(i, i), 0, 0, 0, -1, 0);
    assert_quat(bp_quat_mul((bp_quat){1, 2, 3, 4}, (bp_quat){5, 6, 7, 8}), 24, 48, 48, -6, 0);
}

static void test_quat_normalize(void **state) {
    (void)state;
    assert_quat(bp_quat_normalize((bp_quat){0, 0, 0, 0}), 0, 0, 0, 1, 0);
    assert_quat(bp_quat_normalize((bp_quat){0, 0, 3, -4}), 0, 0, 0.6, -0.8, 1e-7);
    assert_quat(bp_quat_normalize((bp_quat){0, 0, 3e-30f, -4e-30f}), 0, 0, 0.6, -0.8, 1e-7);
    assert_quat(bp_quat_normalize((bp_quat){0, 0, 3e30f, -4e30f}), 0, 0, 0.6, -0.8, 1e-7);
    assert_quat(bp_quat_normalize((bp_quat){1e-45f, 0, 0, 0}), 1, 0, 0, 0, 0);
    assert_true(isnan(bp_quat_normalize((bp_quat){NAN, 0, 0, 0}).x));
}

/* What the slerp of two quaternions is, in double: each end made unit, angles by atan2. */
typedef struct reference {
    double q[4];
    double theta; /* between the 4-vectors */
} reference;

static double dot4(bp_quat a, bp_quat b) {
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w;
}

/* From a to sign * b. */
static reference slerp_reference(bp_quat a, bp_quat b, double t, double sign) {
    double x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};
    double difference2 = 0, sum2 = 0;
    reference result;
    for (int i = 0; i < 4; ++i) {
        x[i] /= sqrt(dot4(a, a));
        y[i] *= sign / sqrt(dot4(b, b));
        difference2 += (x[i] - y[i]) * (x[i] - y[i]);
        sum2 += (x[i] + y[i]) * (x[i] + y[i]);
    }
    double theta = 2 * atan2(sqrt(difference2), sqrt(sum2)), sine = sin(theta);
    bool near = theta < 1e-12;
    double weight_a = near ? 1 - t : sin((1 - t) * theta) / sine;
    double weight_b = near ? t : sin(t * theta) / sine;
    for (int i = 0; i < 4; ++i)
        result.q[i] = weight_a * x[i] + weight_b * y[i];
    result.theta = theta;
    return result;
}

/* A unit quaternion at the angle theta (of 4-vectors) from q, in a random direction. */
static bp_quat quat_at_angle(test_random *random, const double q[4], double theta) {
    double p[4], dot = 0, length2 = 0, result[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = test_random_normal(random);
        dot += p[i] * q[i];
    }
    for (int i = 0; i < 4; ++i) {
        p[i] -= dot * q[i];
        length2 += p[i] * p[i];
    }
    for (int i = 0; i < 4; ++i)
        result[i] = cos(theta) * q[i] + sin(theta) * p[i] / sqrt(length2);
    return float_quat(result);
}

/* Even angles; tiny; near 90 degrees (half a turn); near 180 (the same rotation negated). */
static double adversarial_angle(test_random *random, int kind) {
    switch (kind % 5) {
    case 0: return test_random_magnitude(random, -9, 0);
    case 1: return PI / 2 - test_random_magnitude(random, -9, 0);
    case 2: return PI / 2 + test_random_magnitude(random, -9, 0);
    case 3: return PI - test_random_magnitude(random, -9, 0);
    default: return test_random_range(random, 0, PI);
    }
}

static float adversarial_time(test_random *random, int kind) {
    switch (kind % 3) {
    case 0: return (float)test_random_magnitude(random, -9, 0);
    case 1: return (float)(1 - test_random_magnitude(random, -9, 0));
    default: return (float)test_random_range(random, 0, 1);
    }
}

static double component_error(bp_quat q, const double expected[4]) {
    const double actual[4] = {q.x, q.y, q.z, q.w};
    double worst = 0;
    for (int i = 0; i < 4; ++i)
        worst = fmax(worst, fabs(actual[i] - expected[i]));
    return worst;
}

static void test_slerp_error_bound(void **state) {
    (void)state;
    test_random random = {37};
    double worst = 0, worst_length = 0, worst_angle = 0;
    for (int i = 0; i < 1500000; ++i) {
        rotation r = random_rotation(&random);
        bp_quat a = float_quat(r.q);
        bp_quat b = quat_at_angle(&random, r.q, adversarial_angle(&random, i));
        float t = adversarial_time(&random, i / 5);
        bp_quat q = bp_quat_slerp(a, b, t);
        double dot = dot4(a, b), sign = dot < 0 ? -1 : 1;
        reference expected = slerp_reference(a, b, t, sign);
        double error = component_error(q, expected.q);
        if (fabs(dot) < 1e-6) { /* half a turn: both ways round are the short way */
            reference other = slerp_reference(a, b, t, -sign);
            error = fmin(error, component_error(q, other.q));
        }
        worst = fmax(worst, error);
        worst_length = fmax(worst_length, fabs(sqrt(dot4(q, q)) - 1));
        worst_angle = fmax(worst_angle, fabs(bp_quat_angle(a, b) - 2 * expected.theta));
    }
    print_message("slerp: component %.3g, length %.3g, angle %.3g\n", worst, worst_length,
                  worst_angle);
    assert_true(worst < 5e-7);
    assert_true(worst_length < 5e-7);
    assert_true(worst_angle < 5e-7);
}

static void test_slerp_by_hand(void **state) {
    (void)state;
    bp_quat a = {0, 0, 0, 1}, quarter = {0, 0, (float)ROOT_HALF, (float)ROOT_HALF};
    double sine = sin(PI / 8), cosine = cos(PI / 8);
    assert_quat(bp_quat_slerp(a, quarter, 0.5f), 0, 0, sine, cosine, 1e-7);
    bp_quat negated = {0, 0, -quarter.z, -quarter.w}; /* V31A: the same rotation */
    assert_quat(bp_quat_slerp(a, negated, 0.5f), 0, 0, sine, cosine, 1e-7);
    bp_quat far = {0, 0, (float)ROOT_HALF, -(float)ROOT_HALF}; /* V31B: 270 degrees is -90 */
    assert_quat(bp_quat_slerp(a, far, 0.5f), 0, 0, -sine, cosine, 1e-7);
    bp_quat half_turn = {1, 0, 0, 0};
    assert_quat(bp_quat_slerp(a, half_turn, 1.0f / 3), 0.5, 0, 0, sqrt(3) / 2, 2e-7);
}

static void test_slerp_ends_are_exact(void **state) {
    (void)state;
    test_random random = {41};
    for (int i = 0; i < 100000; ++i) {
        rotation r = random_rotation(&random);
        bp_quat a = float_quat(r.q);
        bp_quat b = quat_at_angle(&random, r.q, adversarial_angle(&random, i));
        assert_quat(bp_quat_slerp(a, b, 0), a.x, a.y, a.z, a.w, 0);
        bp_quat end = bp_quat_slerp(a, b, 1);
        float sign = dot4(a, end) * dot4(a, b) < 0 ? -1.0f : 1.0f;
        assert_quat(end, b.x * sign, b.y * sign, b.z * sign, b.w * sign, 0);
        bp_quat still = bp_quat_slerp(a, a, adversarial_time(&random, i));
        assert_quat(still, a.x, a.y, a.z, a.w, 1.2e-7);
    }
}

/*
 * Quantised rotations are off unit length by up to 3e-3. The ends bring that in; and theta is then
 * off by up to twice that, of which a weight gets at most max x cos(x pi/2) = 0.358, and the two of
 * them, on ends at right angles, root 2 times that.
 */
static void test_slerp_of_quantised(void **state) {
    (void)state;
    test_random random = {43};
    for (int i = 0; i < 300000; ++i) {
        rotation r = random_rotation(&random);
        bp_quat a = float_quat(r.q);
        bp_quat b = quat_at_angle(&random, r.q, adversarial_angle(&random, i));
        float t = adversarial_time(&random, i / 5);
        float f = (float)test_random_range(&random, 0.997, 1.003);
        float g = (float)test_random_range(&random, 0.997, 1.003);
        bp_quat qa = {a.x * f, a.y * f, a.z * f, a.w * f};
        bp_quat qb = {b.x * g, b.y * g, b.z * g, b.w * g};
        double dot = dot4(a, b), sign = dot < 0 ? -1 : 1;
        reference expected = slerp_reference(a, b, t, sign);
        double error = component_error(bp_quat_slerp(qa, qb, t), expected.q);
        if (fabs(dot) < 1e-6) {
            reference other = slerp_reference(a, b, t, -sign);
            error = fmin(error, component_error(bp_quat_slerp(qa, qb, t), other.q));
        }
        assert_true(error < 3e-3 + sqrt(2) * 2 * 3e-3 * 0.358 + 1e-5);
    }
}

static void test_polynomials(void **state) {
    (void)state;
    double worst_arc = 0, worst_sinc = 0;
    for (int i = 1; i <= 1000000; ++i) {
        float u = 0.5f * (float)i / 1e6f, z = (float)(PI * PI / 4) * (float)i / 1e6f;
        double arc = 4 * pow(asin(sqrt(u)), 2) / u, sinc = sin(sqrt(z)) / sqrt(z);
        worst_arc = fmax(worst_arc, fabs(bpi_arc(u) / arc - 1));
        worst_sinc = fmax(worst_sinc, fabs(bpi_sinc(z) / sinc - 1));
    }
    /* The bounds of the comment, and half a unit in the last place for each of three roundings. */
    print_message("arc %.3g, sinc %.3g\n", worst_arc, worst_sinc);
    assert_true(worst_arc < 4.4e-8 + 1.8e-7);
    assert_true(worst_sinc < 6.2e-9 + 1.8e-7);
}

/* ---- boxes ---------------------------------------------------------------------------------- */

static void test_boxes(void **state) {
    (void)state;
    bp_aabb box = bp_aabb_empty();
    assert_true(box.min.x > box.max.x && box.min.y > box.max.y && box.min.z > box.max.z);
    box = bp_aabb_add(box, (bp_vec3){1, 2, 3});
    test_near_vec3(box.min, 1, 2, 3, 0);
    test_near_vec3(box.max, 1, 2, 3, 0);
    box = bp_aabb_union(box, (bp_aabb){{-1, 5, 0}, {0, 6, 1}});
    test_near_vec3(box.min, -1, 2, 0, 0);
    test_near_vec3(box.max, 1, 6, 3, 0);
    bp_aabb same = bp_aabb_union(box, bp_aabb_empty());
    assert_memory_equal(&same, &box, sizeof box);

    bp_mat34 quarter = {{{0, -1, 0, 10}, {2, 0, 0, 0}, {0, 0, 1, 0}}};
    bp_aabb turned = bp_aabb_transform(&quarter, box);
    test_near_vec3(turned.min, 4, -2, 0, 0);
    test_near_vec3(turned.max, 8, 2, 3, 0);
    bp_aabb empty = bp_aabb_empty(), still = bp_aabb_transform(&quarter, empty);
    assert_memory_equal(&still, &empty, sizeof empty);
}

static void test_box_transform_contains_every_point(void **state) {
    (void)state;
    test_random random = {47};
    for (int i = 0; i < 2000; ++i) {
        bp_mat34 m;
        bp_aabb box = bp_aabb_empty();
        bp_vec3 points[8];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c)
                m.m[r][c] = (float)test_random_normal(&random);
        for (int p = 0; p < 8; ++p) {
            points[p] =
                (bp_vec3){(float)test_random_normal(&random), (float)test_random_normal(&random),
                          (float)test_random_normal(&random)};
            box = bp_aabb_add(box, points[p]);
        }
        bp_aabb moved = bp_aabb_transform(&m, box);
        for (int p = 0; p < 8; ++p) {
            bp_vec3 v = bp_mat34_point(&m, points[p]);
            assert_true(moved.min.x <= v.x && moved.min.y <= v.y && moved.min.z <= v.z);
            assert_true(moved.max.x >= v.x && moved.max.y >= v.y && moved.max.z >= v.z);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_transform_by_hand),
        cmocka_unit_test(test_identity_changes_nothing),
        cmocka_unit_test(test_from_transform_against_rodrigues),
        cmocka_unit_test(test_mul_applies_right_first),
        cmocka_unit_test(test_mat44_is_column_major),
        cmocka_unit_test(test_inverse_by_hand),
        cmocka_unit_test(test_inverse_of_any_scale),
        cmocka_unit_test(test_inverse_of_singular),
        cmocka_unit_test(test_decompose_random),
        cmocka_unit_test(test_decompose_by_hand),
        cmocka_unit_test(test_decompose_flattened),
        cmocka_unit_test(test_quat_mul),
        cmocka_unit_test(test_quat_normalize),
        cmocka_unit_test(test_slerp_error_bound),
        cmocka_unit_test(test_slerp_by_hand),
        cmocka_unit_test(test_slerp_ends_are_exact),
        cmocka_unit_test(test_slerp_of_quantised),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_box_transform_contains_every_point),
    };
    return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
