// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The reference kernels: plain C, one vertex at a time, in the order of operations that
 * cpu_kernels.h fixes. A block goes through in passes: blend the matrices of all its vertices,
 * then positions, normals and tangents as wanted. Each pass is one short loop, with nothing in it
 * that depends on what else is wanted.
 */
#include "cpu/cpu_kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The linear part of a matrix, by rows. */
typedef struct rows3 {
    bp_vec3 r0, r1, r2;
} rows3;

static bp_vec3 load3(const float *stream, size_t vertex, size_t width) {
    const float *v = stream + vertex * width;
    return (bp_vec3){v[0], v[1], v[2]};
}

static void store3(unsigned char *out, size_t vertex, size_t stride, bp_vec3 value) {
    memcpy(out + vertex * stride, &value, sizeof value);
}

static rows3 linear_part(const bp_mat34 *matrix) {
    const float(*m)[4] = matrix->m;
    return (rows3){
        {m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
}

static float dot(bp_vec3 a, bp_vec3 b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static bp_vec3 cross(bp_vec3 a, bp_vec3 b) {
    return (bp_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bp_vec3 apply(const rows3 *rows, bp_vec3 v) {
    return (bp_vec3){dot(rows->r0, v), dot(rows->r1, v), dot(rows->r2, v)};
}

/*
 * 2^-e for a value in [2^e, 2^(e+1)), by the exponent bits: scaling by it is exact. 2^127 for zero
 * and below the normal range; values past 2^126 count as that, so that the result stays normal.
 */
static float inverse_power_of_two(float value) {
    float clamped = value < 0x1p126f ? value : 0x1p126f, result;
    uint32_t bits;
    memcpy(&bits, &clamped, sizeof bits);
    bits = UINT32_C(0x7F000000) - (bits & UINT32_C(0x7F800000));
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* Unit length whatever the length was; zero stays zero. */
static bp_vec3 unit(bp_vec3 v) {
    float length2 = dot(v, v);
    if (!(length2 > BPI_UNIT_LEAST && length2 < BPI_UNIT_MOST)) {
        float x = fabsf(v.x), y = fabsf(v.y), z = fabsf(v.z);
        float largest = x > y ? x : y;
        largest = largest > z ? largest : z;
        float scale = inverse_power_of_two(largest);
        v = (bp_vec3){v.x * scale, v.y * scale, v.z * scale};
        length2 = dot(v, v);
        length2 = length2 > 0.0f ? length2 : 1.0f;
    }
    float factor = 1.0f / sqrtf(length2);
    return (bp_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static uint32_t slots_in_use(const bpi_skin_block *block, uint32_t vertex) {
    if (!block->slots) return block->influence_count;
    uint32_t slots = block->slots[vertex / BPI_SKIN_GROUP];
    assert(slots <= block->influence_count);
    return slots > 0 ? slots : 1;
}

/* What normals go by: the inverse transpose, but for a positive factor. */
typedef struct normal_matrix {
    rows3 cofactors;
    float sign; /* of the determinant */
} normal_matrix;

static void blend(bp_mat34 *blended, const bpi_skin_block *block) {
    const uint16_t *joints = block->joints;
    const float *weights = block->weights;
    uint32_t slots = block->influence_count;
    for (uint32_t v = 0; v < block->count; ++v, joints += slots, weights += slots) {
        const bp_mat34 *first = &block->palette[joints[0]];
        bp_mat34 sum;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c)
                sum.m[r][c] = weights[0] * first->m[r][c];
        uint32_t used = slots_in_use(block, v);
        for (uint32_t k = 1; k < used; ++k) {
            const bp_mat34 *next = &block->palette[joints[k]];
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 4; ++c)
                    sum.m[r][c] += weights[k] * next->m[r][c];
        }
        blended[v] = sum;
    }
}

static normal_matrix normal_matrix_of(const bp_mat34 *matrix) {
    rows3 m = linear_part(matrix);
    rows3 c = {cross(m.r1, m.r2), cross(m.r2, m.r0), cross(m.r0, m.r1)};
    return (normal_matrix){c, dot(m.r0, c.r0) < 0.0f ? -1.0f : 1.0f};
}

/* The three passes. Vertex v goes by matrices[v * step]: step 0 is one matrix for all. */

static void positions_pass(const bpi_skin_block *block, const bp_mat34 *matrices, size_t step) {
    for (uint32_t v = 0; v < block->count; ++v) {
        const bp_mat34 *matrix = &matrices[v * step];
        rows3 rows = linear_part(matrix);
        bp_vec3 p = apply(&rows, load3(block->positions, v, 3));
        p = (bp_vec3){p.x + matrix->m[0][3], p.y + matrix->m[1][3], p.z + matrix->m[2][3]};
        store3(block->out_positions, v, block->position_stride, p);
    }
}

static void normals_pass(const bpi_skin_block *block, const bp_mat34 *matrices, size_t step) {
    for (uint32_t v = 0; v < block->count; ++v) {
        normal_matrix matrix = normal_matrix_of(&matrices[v * step]);
        bp_vec3 n = apply(&matrix.cofactors, load3(block->normals, v, 3));
        n = (bp_vec3){n.x * matrix.sign, n.y * matrix.sign, n.z * matrix.sign};
        store3(block->out_normals, v, block->normal_stride, unit(n));
    }
}

static void tangents_pass(const bpi_skin_block *block, const bp_mat34 *matrices, size_t step) {
    for (uint32_t v = 0; v < block->count; ++v) {
        rows3 rows = linear_part(&matrices[v * step]);
        bp_vec3 t = unit(apply(&rows, load3(block->tangents, v, 4)));
        float tangent[4] = {t.x, t.y, t.z, block->tangents[4 * (size_t)v + 3]};
        memcpy(block->out_tangents + v * block->tangent_stride, tangent, sizeof tangent);
    }
}

static void all_passes(const bpi_skin_block *block, const bp_mat34 *matrices, size_t step) {
    if (block->out_positions) positions_pass(block, matrices, step);
    if (block->out_normals) normals_pass(block, matrices, step);
    if (block->out_tangents) tangents_pass(block, matrices, step);
}

void bpi_scalar_morph(float *sums, const float *values, const float *deltas, float weight,
                      size_t count) {
    for (size_t i = 0; i < count; ++i)
        sums[i] = values[i] + weight * deltas[i];
}

void bpi_scalar_morph_tangents(float *sums, const float *values, const float *deltas, float weight,
                               uint32_t vertex_count) {
    for (size_t v = 0; v < vertex_count; ++v) {
        for (size_t i = 0; i < 3; ++i)
            sums[4 * v + i] = values[4 * v + i] + weight * deltas[3 * v + i];
        sums[4 * v + 3] = values[4 * v + 3];
    }
}

/* Vertices that go through the passes together. */
enum { STRIP = 64 };

static bpi_skin_block part_of(const bpi_skin_block *block, uint32_t first) {
    bpi_skin_block part = *block;
    size_t slot = (size_t)first * block->influence_count;
    part.count = block->count - first < STRIP ? block->count - first : STRIP;
    part.joints += slot;
    part.weights += slot;
    if (part.slots) part.slots += first / BPI_SKIN_GROUP;
    if (part.out_positions) part.positions += 3 * (size_t)first;
    if (part.out_normals) part.normals += 3 * (size_t)first;
    if (part.out_tangents) part.tangents += 4 * (size_t)first;
    if (part.out_positions) part.out_positions += first * part.position_stride;
    if (part.out_normals) part.out_normals += first * part.normal_stride;
    if (part.out_tangents) part.out_tangents += first * part.tangent_stride;
    return part;
}

void bpi_scalar_skin(const bpi_skin_block *block) {
    bp_mat34 blended[STRIP];
    assert(block->influence_count > 0);
    for (uint32_t first = 0; first < block->count; first += STRIP) {
        bpi_skin_block part = part_of(block, first);
        blend(blended, &part);
        all_passes(&part, blended, 1);
    }
}

void bpi_scalar_move(const bpi_skin_block *block) {
    all_passes(block, block->palette, 0);
}
