/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * math: vectors, quaternions, transforms, affine matrices.
 *
 * Right-handed, column vectors, metres, radians. A matrix is named by the spaces that it connects,
 * in the order of multiplication: `global_from_joint`. All functions are pure, allocate nothing,
 * use only + - * / and sqrt in a fixed order (so results are the same bits everywhere), and are
 * thread safe. None checks for NaN: NaN in gives NaN out, but boxes leave NaN out.
 */
#ifndef BINDPOSE_MATH_H
#define BINDPOSE_MATH_H

#include "bindpose/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Value. A point or a direction. */
typedef struct bp_vec3 {
    float x, y, z;
} bp_vec3;

/** Value. A rotation: x y z are the vector part, w the scalar part, as glTF stores it. */
typedef struct bp_quat {
    float x, y, z, w;
} bp_quat;

/** Value. translation * rotation * scale: scales first, then rotates, then moves. 40 bytes. */
typedef struct bp_transform {
    bp_vec3 translation; /**< metres */
    bp_quat rotation;    /**< of unit length where the file's is; never renormalised on the way */
    bp_vec3 scale;
} bp_transform;

/**
 * Value. An affine transform: three rows of four floats, 48 bytes, three RGBA32F texels.
 *
 * m[r][c] is row r, column c; column 3 is the translation; the fourth row is 0 0 0 1.
 */
typedef struct bp_mat34 {
    float m[3][4];
} bp_mat34;

/** Value. An axis-aligned box. Empty when min > max (see bp_aabb_empty). */
typedef struct bp_aabb {
    bp_vec3 min, max;
} bp_aabb;

/** The transform that changes nothing. */
BP_API bp_transform bp_transform_identity(void);

/** The matrix that changes nothing. */
BP_API bp_mat34 bp_mat34_identity(void);

/**
 * The matrix of translation * rotation * scale.
 *
 * Uses the unit-quaternion formula as it stands and does not renormalise the rotation
 * (glTF 2.0, 3.5.3).
 */
BP_API bp_mat34 bp_mat34_from_transform(bp_transform transform);

/**
 * Splits a matrix into translation, rotation and scale.
 *
 * A negative determinant gives one negative scale (x). Does not promise an exact inverse of
 * bp_mat34_from_transform: shear is lost, and its size is what comes back.
 *
 * @param transform  receives the nearest transform in the sense above; rotation is of unit length
 * @return largest absolute difference of the linear part between `matrix` and the matrix of
 *         `transform`, as a fraction of the largest column length; 0 for a zero matrix.
 */
BP_API float bp_transform_from_mat34(bp_transform *transform, const bp_mat34 *matrix);

/** left * right: applies `right` first. A zero in the linear part is never negative. */
BP_API bp_mat34 bp_mat34_mul(const bp_mat34 *left, const bp_mat34 *right);

/**
 * The inverse of an affine matrix, computed in double. The two may be the same object.
 *
 * @return false when the matrix is singular (its determinant is zero, or so near that its sign is
 *         lost to rounding), not finite, or has an inverse too large for floats; `inverse` is then
 *         the identity.
 */
BP_API bool bp_mat34_inverse(bp_mat34 *inverse, const bp_mat34 *matrix);

/** Determinant of the linear part: negative when the matrix mirrors. */
BP_API float bp_mat34_determinant(const bp_mat34 *matrix);

/** From a column-major 4x4 (16 floats, as glTF stores); the fourth row is dropped. */
BP_API bp_mat34 bp_mat34_from_mat44(const float mat44[16]);

/** To a column-major 4x4 (16 floats), fourth row 0 0 0 1. */
BP_API void bp_mat34_to_mat44(float mat44[16], const bp_mat34 *matrix);

/** matrix * (point, 1). */
BP_API bp_vec3 bp_mat34_point(const bp_mat34 *matrix, bp_vec3 point);

/** matrix * (direction, 0): not for normals under uneven scale. */
BP_API bp_vec3 bp_mat34_direction(const bp_mat34 *matrix, bp_vec3 direction);

/** a * b: rotates by b first. */
BP_API bp_quat bp_quat_mul(bp_quat a, bp_quat b);

/** Unit length; a zero quaternion gives the identity. */
BP_API bp_quat bp_quat_normalize(bp_quat q);

/**
 * Angle of the rotation from a to b, 0 to pi radians; error < 5e-7, for tiny angles too.
 *
 * @param a,b  of any length but zero
 */
BP_API float bp_quat_angle(bp_quat a, bp_quat b);

/**
 * Spherical linear interpolation, the short way (glTF 2.0, appendix C.4).
 *
 * @param a,b  unit quaternions
 * @param t    0 to 1; 0 gives `a` exactly. 1 gives `b` or -b within the error bound
 * @return the interpolated rotation; each component within 5e-7 of the exact value. Not
 *         renormalised: unit within the same bound when the inputs are. Ends that are up to 3e-3
 *         from unit length (quantised keys) give a rotation within 7e-3.
 */
BP_API bp_quat bp_quat_slerp(bp_quat a, bp_quat b, float t);

/** The box that contains nothing: min +inf, max -inf. */
BP_API bp_aabb bp_aabb_empty(void);

/** The smallest box around both. */
BP_API bp_aabb bp_aabb_union(bp_aabb a, bp_aabb b);

/** The smallest box around `box` and `point`; coordinates that are NaN are left out. */
BP_API bp_aabb bp_aabb_add(bp_aabb box, bp_vec3 point);

/** The box around a transformed box; empty stays empty. */
BP_API bp_aabb bp_aabb_transform(const bp_mat34 *matrix, bp_aabb box);

#ifdef __cplusplus
}
#endif

#endif
