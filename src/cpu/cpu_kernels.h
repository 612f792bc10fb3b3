// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The kernels: the arithmetic of whole rows, joints, vertices and streams, of which a frame has
 * many. (What is done channel by channel, CUBICSPLINE above all, stays with its module.) They are
 * the seam between what is done (the other modules) and how fast. cpu_scalar_*.c is the reference;
 * cpu_wide_*.c, compiled once for each instruction set, is everything else.
 *
 * Every set gives the same bits as the reference. That is possible because the order of all
 * operations is fixed, here, and none of them is fused:
 *
 *   a lerp b        a * (1 - t) + b * t
 *   a slerp b       a * wa + c * wb per component; d = (ax * bx + ay * by) + (az * bz + aw * bw);
 *                   c is -b if d < 0, else b; wa and wb as bpi_quat_slerp_weights makes them from
 *                   u = 0.5 - 0.5 * |d|
 *   product A B     ((a0 * B0 + a1 * B1) + a2 * B2) + (0, 0, 0, a3)   per row, a its elements in A
 *   transform       as bp_mat34_from_transform
 *   morphed value   v = ((v0 + w0 * d0) + w1 * d1) + ...   over targets with weight and a stream
 *   blended matrix  M = (w0 * P0 + w1 * P1) + w2 * P2 + ...   per element, over the slots in use in
 *                   their order; P = palette[joint of the slot]. The slots in use are the mesh's,
 *                   counted by groups of vertices; one more of weight 0 would change the sign of a
 *                   zero at most, as long as the palette is finite
 *   position        M p = ((m0 * x + m1 * y) + m2 * z) + m3   per row
 *   normal          C n = (c0 * x + c1 * y) + c2 * z   per row, negated if det < 0, then unit. C
 *                   holds the cofactors of M: r1 x r2, r2 x r0, r0 x r1 of its rows r, where
 *                   a x b = (a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0), and
 *                   det = (r00 * c00 + r01 * c01) + r02 * c02. C / det is the inverse transpose
 *   tangent         (m0 * x + m1 * y) + m2 * z   per row, then unit; w as it is
 *   unit            q = (x * x + y * y) + z * z; f = 1 / sqrt(q); the result is (x * f, y * f,
 *                   z * f). But where q is not between BPI_UNIT_LEAST and BPI_UNIT_MOST, all of
 *                   that with s * x, s * y, s * z, and f = 1 if q is 0 even then; s = the power of
 *                   two, no greater than 2^127, that brings the largest component into [1, 2), or
 *                   nearest to it
 *
 * What is added first depends on the element and its mesh alone, so a split into ranges changes no
 * bit either.
 *
 * All kernels: arrays are aligned as their types are and no more; nothing is read or written past
 * their ends; a count may be 0; outputs do not overlap inputs unless it is said.
 */
#ifndef BPI_CPU_KERNELS_H
#define BPI_CPU_KERNELS_H

#include "bindpose/cpu.h"
#include "bindpose/math.h"

#ifdef __FAST_MATH__
#error "bindpose: -ffast-math changes results, and lets them differ between machines"
#endif

/* Squared lengths between which squaring loses no digits. */
#define BPI_UNIT_LEAST 0x1p-96f
#define BPI_UNIT_MOST 0x1p96f

/* Vertices whose slots in use are counted together. */
enum { BPI_SKIN_GROUP = 8 };

/*
 * Vertices and where they go. Inputs are tightly packed. Outputs may have any address and stride;
 * only the 3 floats (tangents: 4) of each vertex may be written. An output that is NULL is not
 * wanted, and its input is then not looked at.
 */
typedef struct bpi_skin_block {
    uint32_t count; /* vertices */

    const bp_mat34 *palette;
    uint32_t influence_count; /* slots a vertex, at least 1; not looked at by `move` */
    const uint16_t *joints;   /* [influence_count * count] */
    const float *weights;     /* [influence_count * count] */
    const uint8_t
        *slots; /* slots in use of each BPI_SKIN_GROUP vertices, 0 for one of weight 1; the first
                                 of the block begins a group; NULL: all are */

    const float *positions; /* [3 * count] */
    const float *normals;   /* [3 * count] */
    const float *tangents;  /* [4 * count] */

    unsigned char *out_positions, *out_normals, *out_tangents;
    size_t position_stride, normal_stride, tangent_stride; /* bytes */
    bool stream; /* nobody reads the outputs soon: keep them out of the caches, where they are
                    packed and aligned to 32 bytes */
} bpi_skin_block;

/* Rotations of a key, eight a block: 8 x, 8 y, 8 z, 8 w. */
enum { BPI_ROTATION_BLOCK = 8, BPI_ROTATION_BLOCK_FLOATS = 4 * BPI_ROTATION_BLOCK };

/* Nodes of a block of globals. */
enum { BPI_GLOBALS_BLOCK = 128 };

typedef struct bpi_kernels {
    bp_cpu cpu;

    /* sums[i] = values[i] + weight * deltas[i] for i < count; sums may be values. */
    void (*morph)(float *sums, const float *values, const float *deltas, float weight,
                  size_t count);

    /*
     * The same of tangents: values and sums have four floats a vertex, deltas three; the fourth
     * float stays as it is.
     */
    void (*morph_tangents)(float *sums, const float *values, const float *deltas, float weight,
                           uint32_t vertex_count);

    /* Each vertex by its own blended matrix. */
    void (*skin)(const bpi_skin_block *block);

    /* After blocks with `stream`: what was written is visible to threads that are told of it. */
    void (*fence)(void);

    /* All vertices by palette[0]: the bits that `skin` gives with one influence of weight 1. */
    void (*move)(const bpi_skin_block *block);

    /* results[i] = a[i] lerp b[i]. */
    void (*lerp)(float *results, const float *a, const float *b, float t, size_t count);

    /*
     * 3 floats at base[targets[i]] = a lerp b of the first three floats of element i. a and b have
     * 4 floats an element, and an even number of elements: one past `count` when that is odd.
     */
    void (*lerp3)(float *base, const uint32_t *targets, const float *a, const float *b, float t,
                  uint32_t count);

    /*
     * 4 floats at base[targets[i]] = a slerp b of rotation i, at t[i]. a and b are blocks of
     * BPI_ROTATION_BLOCK rotations, the last filled up with any unit quaternions, and t with any
     * numbers from 0 to 1.
     */
    void (*slerp)(float *base, const uint32_t *targets, const float *a, const float *b,
                  const float *t, uint32_t count);

    /* matrices[i] = the matrix of transforms[i]. */
    void (*matrices)(bp_mat34 *matrices, const bp_transform *transforms, size_t count);

    /*
     * globals[first + i] = globals[parent] * locals[i], or locals[i] where the parent is -1, for
     * i < count, which is at most BPI_GLOBALS_BLOCK; in the order of `order` [count], in which
     * parents come before children, or (NULL) as they stand. parents[first + i] < first + i.
     */
    void (*globals)(bp_mat34 *globals, const bp_mat34 *locals, const int32_t *parents,
                    const uint8_t *order, size_t first, size_t count);

    /* products[i] = left[indices[i]] * right[i]. */
    void (*products)(bp_mat34 *products, const bp_mat34 *left, const uint32_t *indices,
                     const bp_mat34 *right, size_t count);
} bpi_kernels;

/* The kernels to use. */
const bpi_kernels *bpi_kernels_current(void);

/* The kernels of one set, or NULL when it is not available. */
const bpi_kernels *bpi_kernels_of(bp_cpu cpu);

/* The tables that a build can have; each but the first exists where BPI_HAVE_... says so. */
extern const bpi_kernels bpi_kernels_scalar, bpi_kernels_sse2, bpi_kernels_avx2, bpi_kernels_neon,
    bpi_kernels_simd128;

/* The parts of the scalar table. */
void bpi_scalar_morph(float *sums, const float *values, const float *deltas, float weight,
                      size_t count);
void bpi_scalar_morph_tangents(float *sums, const float *values, const float *deltas, float weight,
                               uint32_t vertex_count);
void bpi_scalar_skin(const bpi_skin_block *block);
void bpi_scalar_move(const bpi_skin_block *block);

#endif
