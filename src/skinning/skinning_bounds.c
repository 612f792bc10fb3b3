// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "cpu/cpu_kernels.h"
#include "skinning/skinning_job.h"

#include "math/math_float.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Vertices that are posed together, on the stack. */
enum { BLOCK = 64 };

bp_aabb bp_skinning_bounds(const bp_skinning_job *job) {
    assert(job && job->primitive);
    float posed[3 * BLOCK];
    bp_aabb bounds = bp_aabb_empty();
    uint32_t vertex_count = job->primitive->vertex_count, count;
    bp_skinning_job part = *job;
    part.positions = posed;
    part.position_stride = 0;
    part.normals = part.tangents = NULL;
    for (uint32_t first = 0; first < vertex_count; first += count) {
        count = vertex_count - first;
        if (count > BLOCK) count = BLOCK;
        part.output_first = first;
        bp_skinning_run_range(&part, first, count);
        for (uint32_t v = 0; v < count; ++v)
            bpi_aabb_grow(&bounds, &posed[3 * v]);
    }
    return bounds;
}

/*
 * Fast bounds. A posed vertex is sum w_k P_k q, where q is its morphed position and the weights are
 * not negative and sum to 1: a mean of the points P_k q, so inside the box around the boxes
 * P_k B_k, where B_k holds the morphed positions of every vertex with weight on joint k.
 *
 * That is so in exact arithmetic; the vertices are computed in floats. With u = 2^-24, n slots, T
 * targets and A_k = |P_k| |q| + |t_k| (row by row, every term positive), the errors are at most
 *     2 T u   of the morphed position     n u   of the blended matrix
 *     4 u     of its product with q       4 n u of the weights, whose sum is 1 within 2e-7 n
 * each times the mean of the A_k (Higham, Accuracy and Stability, section 3.1), so widening each
 * joint's box by (5 n + 2 T + 10) u A_k keeps every vertex inside. The spare 6 u are for terms of
 * second order and for rounding the box. Where floats lose digits near zero, FLT_MIN more helps.
 */

/* A box in double, and the largest magnitude of what was added up to a coordinate in it. */
typedef struct span {
    double low[3], high[3], magnitude[3];
} span;

/* Comparisons, not fmin and fmax: those are calls into libm, and differ in the sign of zero. */
static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double largest_magnitude(double a, double b) {
    return larger(fabs(a), fabs(b));
}

static span span_of(bp_aabb box) {
    return (span){.low = {box.min.x, box.min.y, box.min.z},
                  .high = {box.max.x, box.max.y, box.max.z}};
}

/* How far the morph targets may move any vertex; returns how many have weight. */
static uint32_t morph_span(span *result, const bp_skinning_job *job) {
    uint32_t used = 0, target_count = bpi_skinning_target_count(job);
    *result = (span){{0}, {0}, {0}};
    for (uint32_t i = 0; i < target_count; ++i) {
        double weight = job->morph_weights[i];
        const bp_morph_target *target = &job->primitive->targets[i];
        if (weight == 0.0 || !target->positions) continue;
        span box = span_of(target->bounds);
        ++used;
        for (int c = 0; c < 3; ++c) {
            double a = weight * box.low[c], b = weight * box.high[c];
            result->low[c] += smaller(a, b);
            result->high[c] += larger(a, b);
            result->magnitude[c] += largest_magnitude(a, b);
        }
    }
    return used;
}

/* The box of `rest` after morphing and `matrix`, widened by `rounding` times the magnitudes. */
static bp_aabb posed_box(const bp_mat34 *matrix, bp_aabb rest, const span *morph, double rounding) {
    float low[3], high[3];
    span box = span_of(rest);
    if (box.low[0] > box.high[0]) return bp_aabb_empty();
    for (int r = 0; r < 3; ++r) {
        double least = matrix->m[r][3], most = least, magnitude = fabs(least), tiny = 1.0;
        for (int c = 0; c < 3; ++c) {
            double m = matrix->m[r][c];
            double a = m * (box.low[c] + morph->low[c]), b = m * (box.high[c] + morph->high[c]);
            double size = largest_magnitude(box.low[c], box.high[c]) + morph->magnitude[c];
            least += smaller(a, b);
            most += larger(a, b);
            magnitude += fabs(m) * size;
            tiny += fabs(m) + size;
        }
        double margin = magnitude > 0.0 ? rounding * magnitude + FLT_MIN * tiny : 0.0;
        low[r] = (float)(least - margin);
        high[r] = (float)(most + margin);
    }
    return (bp_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

bp_aabb bp_skinning_bounds_fast(const bp_skinning_job *job) {
    assert(job && job->primitive && job->palette);
    const bp_primitive *mesh = job->primitive;
    span morph;
    uint32_t targets = morph_span(&morph, job);
    double rounding = (5.0 * mesh->influence_count + 2.0 * targets + 10.0) * 0x1p-24;
    if (job->rigid || mesh->influence_count == 0)
        return posed_box(&job->palette[0], mesh->bounds, &morph, rounding);
    assert(mesh->joint_bounds);
    bp_aabb bounds = bp_aabb_empty();
    for (uint32_t joint = 0; joint < mesh->joint_count; ++joint) {
        bp_aabb box = posed_box(&job->palette[joint], mesh->joint_bounds[joint], &morph, rounding);
        bounds = bp_aabb_union(bounds, box);
    }
    return bounds;
}
