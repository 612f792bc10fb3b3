// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The kernels of skinning: the seam between what is done (skinning_run.c) and how fast (one file
 * for each instruction set). A job picks one table of them; skinning_scalar.c is the reference.
 *
 * Every variant gives the same bits as the reference. That is possible because the order of all
 * operations is fixed, here, and none of them is fused:
 *
 *   morphed value   v = ((v0 + w0 * d0) + w1 * d1) + ...   over targets with weight and a stream
 *   blended matrix  M = ((w0 * P0 + w1 * P1) + w2 * P2) + ...   per element, over all slots in slot
 *                   order, slots of weight 0 too; P = palette[joint of the slot]
 *   position        M p = ((m0 * x + m1 * y) + m2 * z) + m3   per row
 *   normal          C n = (c0 * x + c1 * y) + c2 * z   per row, negated if det < 0, then unit. C
 *                   holds the cofactors of M: r1 x r2, r2 x r0, r0 x r1 of its rows r, where
 *                   a x b = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0), and
 *                   det = (r00 * c00 + r01 * c01) + r02 * c02. C / det is the inverse transpose
 *   tangent         (m0 * x + m1 * y) + m2 * z   per row, then unit; w as it is
 *   unit            s = the power of two that brings the largest component into [1, 2);
 *                   a = s * x, b = s * y, c = s * z; q = (a * a + b * b) + c * c;
 *                   f = 1 / sqrt(q), or 1 if q is 0; the result is (a * f, b * f, c * f)
 *
 * What is added first depends on the vertex alone, so a split into ranges changes no bit either.
 * A variant that can only do groups of vertices leaves the rest to bpi_skinning_scalar.
 */
#ifndef BPI_SKINNING_KERNELS_H
#define BPI_SKINNING_KERNELS_H

#include "bindpose/skinning.h"

/* Vertices of a block: its temporary data (matrices, morphed streams) stay in the first cache. */
enum { BPI_SKINNING_BLOCK = 64 };

/*
 * Up to BPI_SKINNING_BLOCK vertices and where they go. Inputs are tightly packed and aligned as
 * their types are, nothing may be read past their ends. Outputs may have any address and stride;
 * only the 3 floats (tangents: 4) of each vertex may be written. An output that is NULL is not
 * wanted, and its input is then not looked at.
 */
typedef struct bpi_skinning_block {
    uint32_t count; /* vertices, 0 is allowed */

    const bp_mat34 *palette;
    uint32_t influence_count; /* slots a vertex, at least 1; not looked at by `move` */
    const uint16_t *joints;   /* [influence_count * count] */
    const float *weights;     /* [influence_count * count] */

    const float *positions; /* [3 * count] */
    const float *normals;   /* [3 * count] */
    const float *tangents;  /* [4 * count] */

    unsigned char *out_positions, *out_normals, *out_tangents;
    size_t position_stride, normal_stride, tangent_stride; /* bytes */
} bpi_skinning_block;

typedef struct bpi_skinning_kernels {
    const char *name;

    /* sums[i] = values[i] + weight * deltas[i] for i < count; sums may be values. */
    void (*morph)(float *sums, const float *values, const float *deltas, float weight,
                  size_t count);

    /* Each vertex by its own blended matrix. */
    void (*skin)(const bpi_skinning_block *block);

    /* All vertices by palette[0]: the bits that `skin` gives with one influence of weight 1. */
    void (*move)(const bpi_skinning_block *block);
} bpi_skinning_kernels;

/* The reference. */
extern const bpi_skinning_kernels bpi_skinning_scalar;

/* Every variant that this build has and this machine can run, slowest first; NULL past the last. */
const bpi_skinning_kernels *bpi_skinning_variant(size_t index);

/* The one to use. */
const bpi_skinning_kernels *bpi_skinning_best(void);

/* How many of the mesh's morph targets a job has weights for. */
uint32_t bpi_skinning_target_count(const bp_skinning_job *job);

#endif
