// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "bindpose/math.h"

#include <assert.h>
#include <math.h>

bp_transform bp_transform_identity(void) {
    return (bp_transform){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = {1.0f, 1.0f, 1.0f}};
}

bp_mat34 bp_mat34_identity(void) {
    return (bp_mat34){{{1.0f}, {0.0f, 1.0f}, {0.0f, 0.0f, 1.0f}}};
}

bp_mat34 bp_mat34_from_transform(bp_transform transform) {
    bp_quat q = transform.rotation;
    bp_vec3 t = transform.translation, s = transform.scale;
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
    float yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (bp_mat34){{
        {(1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t.x},
        {(xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t.y},
        {(xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t.z},
    }};
}

bp_mat34 bp_mat34_mul(const bp_mat34 *left, const bp_mat34 *right) {
    assert(left && right);
    bp_mat34 product;
    for (int r = 0; r < 3; ++r) {
        const float *l = left->m[r];
        for (int c = 0; c < 4; ++c)
            product.m[r][c] =
                ((l[0] * right->m[0][c] + l[1] * right->m[1][c]) + l[2] * right->m[2][c]) +
                (c == 3 ? l[3] : 0.0f);
    }
    return product;
}

bp_vec3 bp_mat34_point(const bp_mat34 *matrix, bp_vec3 point) {
    bp_vec3 d = bp_mat34_direction(matrix, point);
    return (bp_vec3){d.x + matrix->m[0][3], d.y + matrix->m[1][3], d.z + matrix->m[2][3]};
}

bp_vec3 bp_mat34_direction(const bp_mat34 *matrix, bp_vec3 direction) {
    assert(matrix);
    const float(*m)[4] = matrix->m;
    bp_vec3 d = direction;
    return (bp_vec3){(m[0][0] * d.x + m[0][1] * d.y) + m[0][2] * d.z,
                     (m[1][0] * d.x + m[1][1] * d.y) + m[1][2] * d.z,
                     (m[2][0] * d.x + m[2][1] * d.y) + m[2][2] * d.z};
}

bp_mat34 bp_mat34_from_mat44(const float mat44[16]) {
    assert(mat44);
    bp_mat34 matrix;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            matrix.m[r][c] = mat44[4 * c + r];
    return matrix;
}

void bp_mat34_to_mat44(float mat44[16], const bp_mat34 *matrix) {
    assert(mat44 && matrix);
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r)
            mat44[4 * c + r] = matrix->m[r][c];
        mat44[4 * c + 3] = c == 3 ? 1.0f : 0.0f;
    }
}

/*
 * Cofactor of row r, column c: the minor's sign is in the cyclic order of rows and columns. The
 * products of two floats are exact in double, so the one rounding is that of the difference.
 */
static double cofactor(const bp_mat34 *matrix, int r, int c) {
    int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    double a = matrix->m[r1][c1], b = matrix->m[r2][c2];
    double e = matrix->m[r1][c2], f = matrix->m[r2][c1];
    return a * b - e * f;
}

static double determinant(const bp_mat34 *matrix) {
    const float *m = matrix->m[0];
    return (m[0] * cofactor(matrix, 0, 0) + m[1] * cofactor(matrix, 0, 1)) +
           m[2] * cofactor(matrix, 0, 2);
}

float bp_mat34_determinant(const bp_mat34 *matrix) {
    assert(matrix);
    return (float)determinant(matrix);
}

static double magnitude(double x) {
    return x < 0.0 ? -x : x;
}

/* The determinant with every term made positive: what rounding errors are measured by. */
static double permanent_of_magnitudes(const bp_mat34 *matrix) {
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        double a = matrix->m[0][c];
        double b = matrix->m[1][(c + 1) % 3], d = matrix->m[2][(c + 2) % 3];
        double e = matrix->m[1][(c + 2) % 3], f = matrix->m[2][(c + 1) % 3];
        sum += magnitude(a) * (magnitude(b * d) + magnitude(e * f));
    }
    return sum;
}

/*
 * inverse = transposed cofactors / determinant. In double throughout, so any scale that floats can
 * express works. Singular is a determinant within its own rounding error, 4 * 2^-53 * permanent:
 * its sign means nothing, nor would the inverse. A NaN fails the comparison too.
 */
bool bp_mat34_inverse(bp_mat34 *inverse, const bp_mat34 *matrix) {
    assert(inverse && matrix);
    bp_mat34 result;
    double det = determinant(matrix);
    bool regular = magnitude(det) > 4.5e-16 * permanent_of_magnitudes(matrix);
    for (int r = 0; r < 3 && regular; ++r) {
        double row[3], moved = 0.0;
        for (int c = 0; c < 3; ++c) {
            row[c] = cofactor(matrix, c, r) / det;
            result.m[r][c] = (float)row[c];
            moved -= row[c] * matrix->m[c][3];
        }
        result.m[r][3] = (float)moved;
        for (int c = 0; c < 4; ++c)
            regular = regular && isfinite(result.m[r][c]);
    }
    *inverse = regular ? result : bp_mat34_identity();
    return regular;
}
