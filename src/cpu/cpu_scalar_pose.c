// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The reference kernels of sampling and posing, in terms of the public functions of math; and the
 * table of all reference kernels.
 */
#include "cpu/cpu_kernels.h"

#include <assert.h>
#include <string.h>

/* The reference streams nothing. */
static void scalar_fence(void) {}

static void scalar_lerp(float *results, const float *a, const float *b, float t, size_t count) {
    for (size_t i = 0; i < count; ++i)
        results[i] = a[i] * (1.0f - t) + b[i] * t;
}

static void scalar_lerp3(float *base, const uint32_t *targets, const float *a, const float *b,
                         float t, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        scalar_lerp(base + targets[i], a + 4 * (size_t)i, b + 4 * (size_t)i, t, 3);
}

static bp_quat rotation_of(const float *blocks, uint32_t index) {
    const float *block = blocks + index / BPI_ROTATION_BLOCK * (size_t)BPI_ROTATION_BLOCK_FLOATS;
    const float *x = block + index % BPI_ROTATION_BLOCK;
    return (bp_quat){x[0], x[BPI_ROTATION_BLOCK], x[2 * BPI_ROTATION_BLOCK],
                     x[3 * BPI_ROTATION_BLOCK]};
}

static void scalar_slerp(float *base, const uint32_t *targets, const float *a, const float *b,
                         const float *t, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        bp_quat q = bp_quat_slerp(rotation_of(a, i), rotation_of(b, i), t[i]);
        memcpy(base + targets[i], &q, sizeof q);
    }
}

static void scalar_matrices(bp_mat34 *matrices, const bp_transform *transforms, size_t count) {
    for (size_t i = 0; i < count; ++i)
        matrices[i] = bp_mat34_from_transform(transforms[i]);
}

static void scalar_globals(bp_mat34 *globals, const bp_mat34 *locals, const int32_t *parents,
                           const uint8_t *order, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        size_t local = order ? order[i] : i;
        int32_t parent = parents[first + local];
        assert(parent < (int32_t)(first + local));
        globals[first + local] =
            parent < 0 ? locals[local] : bp_mat34_mul(&globals[parent], &locals[local]);
    }
}

static void scalar_products(bp_mat34 *products, const bp_mat34 *left, const uint32_t *indices,
                            const bp_mat34 *right, size_t count) {
    for (size_t i = 0; i < count; ++i)
        products[i] = bp_mat34_mul(&left[indices[i]], &right[i]);
}

const bpi_kernels bpi_kernels_scalar = {
    .cpu = BP_CPU_SCALAR,
    .morph = bpi_scalar_morph,
    .morph_tangents = bpi_scalar_morph_tangents,
    .skin = bpi_scalar_skin,
    .move = bpi_scalar_move,
    .fence = scalar_fence,
    .lerp = scalar_lerp,
    .lerp3 = scalar_lerp3,
    .slerp = scalar_slerp,
    .matrices = scalar_matrices,
    .globals = scalar_globals,
    .products = scalar_products,
};
