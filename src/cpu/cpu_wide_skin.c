// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Skinning, BPI_WIDE vertices at once.
 *
 * Blending goes vertex by vertex: a vertex' slots name matrices anywhere in the palette, so each is
 * read as it lies, two rows and one row at a time, and scaled and added in registers. The blended
 * matrices are then transposed, after which every operation does its work for BPI_WIDE vertices:
 * transforming, cofactors, unit length. Positions, normals and tangents are turned to x, y and z on
 * the way in, and back on the way out.
 *
 * What is left at the end of a block goes through the same code: inputs are copied to where a whole
 * group has room, and outputs copied from there.
 */
#include "cpu/cpu_wide.h"
#include "cpu/cpu_wide_set.h"

#include <assert.h>

/* Matrices of BPI_WIDE vertices: m[r][c] of each. */
typedef struct matrices {
    bpi_wide m[3][4];
} matrices;

/* Rows of the cofactor matrices, and the signs of the determinants: 1 or -1. */
typedef struct normal_matrices {
    bpi_wide3 r0, r1, r2;
    bpi_wide sign;
} normal_matrices;

/* ---- blending -------------------------------------------------------------------------------- */

/* Slots that a group may have to have its palette offsets worked out together. */
enum { MOST_SLOTS = 8 };

/* One vertex' matrix: rows 0 and 1, and row 2. */
typedef struct rows {
    bpi_pair r01;
    bpi_quad r2;
} rows;

static inline const float *matrix_at(const bp_mat34 *palette, uint32_t offset) {
    return (const float *)(const void *)((const unsigned char *)palette + offset);
}

static inline rows scaled(const float *matrix, float weight) {
    bpi_pair w = pair_set(weight);
    return (rows){pair_mul(w, pair_load(matrix)), quad_mul(pair_quad(w), quad_load(matrix + 8))};
}

static inline rows add_rows(rows a, rows b) {
    return (rows){pair_add(a.r01, b.r01), quad_add(a.r2, b.r2)};
}

/* offsets and weights of one vertex; slots at least 1. */
static inline rows blend_vertex(const bp_mat34 *palette, const uint32_t *offsets,
                                const float *weights, uint32_t slots) {
    rows sum = scaled(matrix_at(palette, offsets[0]), weights[0]);
    for (uint32_t k = 1; k < slots; ++k)
        sum = add_rows(sum, scaled(matrix_at(palette, offsets[k]), weights[k]));
    return sum;
}

/* Four vertices, `step` slots apart; inlined for each small number of slots. */
static inline void blend_four(rows *blended, const bp_mat34 *palette, const uint32_t *offsets,
                              const float *weights, size_t step, uint32_t slots) {
    blended[0] = blend_vertex(palette, offsets, weights, slots);
    blended[1] = blend_vertex(palette, offsets + step, weights + step, slots);
    blended[2] = blend_vertex(palette, offsets + 2 * step, weights + 2 * step, slots);
    blended[3] = blend_vertex(palette, offsets + 3 * step, weights + 3 * step, slots);
}

static inline void blend_group(rows *blended, const bp_mat34 *palette, const uint32_t *offsets,
                               const float *weights, size_t step, uint32_t slots) {
    switch (slots) {
    case 1: blend_four(blended, palette, offsets, weights, step, 1); break;
    case 2: blend_four(blended, palette, offsets, weights, step, 2); break;
    case 3: blend_four(blended, palette, offsets, weights, step, 3); break;
    case 4: blend_four(blended, palette, offsets, weights, step, 4); break;
    default: blend_four(blended, palette, offsets, weights, step, slots); break;
    }
}

/* Most slots in use of four vertices from `vertex` on. */
static inline uint32_t slots_in_use(const bpi_skin_block *block, uint32_t vertex) {
    if (!block->slots) return block->influence_count;
    uint32_t first = block->slots_first + vertex;
    uint32_t a = block->slots[first / BPI_SKIN_GROUP];
    uint32_t b = block->slots[(first + BPI_SKIN_GROUP - 1) / BPI_SKIN_GROUP];
    assert(a <= block->influence_count && b <= block->influence_count);
    return a > b ? a : b;
}

/* A vertex with any number of slots. */
static rows blend_one(const bpi_skin_block *block, uint32_t vertex) {
    size_t slot = (size_t)vertex * block->influence_count;
    const uint16_t *joints = block->joints + slot;
    const float *weights = block->weights + slot;
    rows sum = scaled(&block->palette[joints[0]].m[0][0], weights[0]);
    for (uint32_t k = 1; k < block->influence_count; ++k)
        sum = add_rows(sum, scaled(&block->palette[joints[k]].m[0][0], weights[k]));
    return sum;
}

/* The `count` vertices from `vertex` on; copies of the first where that is less than a group. */
static inline void blend(rows blended[BPI_WIDE], const bpi_skin_block *block, uint32_t vertex,
                         uint32_t count) {
    uint32_t offsets[BPI_WIDE * MOST_SLOTS], slots = block->influence_count;
    if (count < BPI_WIDE || slots > MOST_SLOTS) {
        for (uint32_t i = 0; i < BPI_WIDE; ++i)
            blended[i] = blend_one(block, i < count ? vertex + i : vertex);
        return;
    }
    const uint16_t *joints = block->joints + (size_t)vertex * slots;
    const float *weights = block->weights + (size_t)vertex * slots;
    for (uint32_t i = 0; i < BPI_WIDE * slots; ++i)
        offsets[i] = joints[i] * (uint32_t)sizeof(bp_mat34);
    for (uint32_t i = 0; i < BPI_WIDE; i += BPI_SKIN_GROUP)
        blend_group(blended + i, block->palette, offsets + i * slots, weights + i * slots, slots,
                    slots_in_use(block, vertex + i));
}

/* From a matrix a vertex to vertices by element. */
static inline matrices transpose(const rows blended[BPI_WIDE]);

#ifdef __AVX2__

static inline void transpose_pairs(bpi_wide row0[4], bpi_wide row1[4], const rows *blended) {
    bpi_wide4 low =
        wide_transpose((bpi_wide4){blended[0].r01, blended[1].r01, blended[2].r01, blended[3].r01});
    bpi_wide4 high =
        wide_transpose((bpi_wide4){blended[4].r01, blended[5].r01, blended[6].r01, blended[7].r01});
    row0[0] = _mm256_permute2f128_ps(low.x, high.x, 0x20);
    row0[1] = _mm256_permute2f128_ps(low.y, high.y, 0x20);
    row0[2] = _mm256_permute2f128_ps(low.z, high.z, 0x20);
    row0[3] = _mm256_permute2f128_ps(low.w, high.w, 0x20);
    row1[0] = _mm256_permute2f128_ps(low.x, high.x, 0x31);
    row1[1] = _mm256_permute2f128_ps(low.y, high.y, 0x31);
    row1[2] = _mm256_permute2f128_ps(low.z, high.z, 0x31);
    row1[3] = _mm256_permute2f128_ps(low.w, high.w, 0x31);
}

#else

static inline void transpose_pairs(bpi_wide row0[4], bpi_wide row1[4], const rows *blended) {
    bpi_wide4 low = wide_transpose((bpi_wide4){blended[0].r01.low, blended[1].r01.low,
                                               blended[2].r01.low, blended[3].r01.low});
    bpi_wide4 high = wide_transpose((bpi_wide4){blended[0].r01.high, blended[1].r01.high,
                                                blended[2].r01.high, blended[3].r01.high});
    row0[0] = low.x, row0[1] = low.y, row0[2] = low.z, row0[3] = low.w;
    row1[0] = high.x, row1[1] = high.y, row1[2] = high.z, row1[3] = high.w;
}

#endif

static inline matrices transpose(const rows blended[BPI_WIDE]) {
    matrices result;
    enum { HALF = BPI_WIDE - 4 }; /* where the second four begin, if there are so many */
    transpose_pairs(result.m[0], result.m[1], blended);
    bpi_wide4 r2 =
        wide_transpose((bpi_wide4){wide_of_quads(&blended[0].r2, &blended[HALF].r2),
                                   wide_of_quads(&blended[1].r2, &blended[HALF + 1].r2),
                                   wide_of_quads(&blended[2].r2, &blended[HALF + 2].r2),
                                   wide_of_quads(&blended[3].r2, &blended[HALF + 3].r2)});
    result.m[2][0] = r2.x, result.m[2][1] = r2.y, result.m[2][2] = r2.z, result.m[2][3] = r2.w;
    return result;
}

static inline void no_negative_zeros(matrices *m) {
    bpi_wide zero = wide_set(0.0f);
    for (int r = 0; r < 3; ++r) {
        bpi_wide *row = m->m[r];
        row[0] = wide_add(row[0], zero), row[1] = wide_add(row[1], zero);
        row[2] = wide_add(row[2], zero), row[3] = wide_add(row[3], zero);
    }
}

/* ---- what is done to BPI_WIDE vertices ------------------------------------------------------- */

static inline bpi_wide dot3(bpi_wide a0, bpi_wide a1, bpi_wide a2, bpi_wide3 b) {
    return wide_add(wide_add(wide_mul(a0, b.x), wide_mul(a1, b.y)), wide_mul(a2, b.z));
}

static inline bpi_wide3 transform(const matrices *m, bpi_wide3 v) {
    return (bpi_wide3){dot3(m->m[0][0], m->m[0][1], m->m[0][2], v),
                       dot3(m->m[1][0], m->m[1][1], m->m[1][2], v),
                       dot3(m->m[2][0], m->m[2][1], m->m[2][2], v)};
}

static inline bpi_wide3 cross(const bpi_wide a[3], const bpi_wide b[3]) {
    return (bpi_wide3){wide_sub(wide_mul(a[1], b[2]), wide_mul(a[2], b[1])),
                       wide_sub(wide_mul(a[2], b[0]), wide_mul(a[0], b[2])),
                       wide_sub(wide_mul(a[0], b[1]), wide_mul(a[1], b[0]))};
}

static inline normal_matrices normals_of(const matrices *m) {
    normal_matrices n;
    n.r0 = cross(m->m[1], m->m[2]);
    n.r1 = cross(m->m[2], m->m[0]);
    n.r2 = cross(m->m[0], m->m[1]);
    bpi_wide negative = wide_less(dot3(m->m[0][0], m->m[0][1], m->m[0][2], n.r0), wide_set(0.0f));
    n.sign = wide_select(negative, wide_set(-1.0f), wide_set(1.0f));
    return n;
}

static inline bpi_wide3 transform_normals(const normal_matrices *n, bpi_wide3 v) {
    return (bpi_wide3){wide_mul(dot3(n->r0.x, n->r0.y, n->r0.z, v), n->sign),
                       wide_mul(dot3(n->r1.x, n->r1.y, n->r1.z, v), n->sign),
                       wide_mul(dot3(n->r2.x, n->r2.y, n->r2.z, v), n->sign)};
}

/* Unit length whatever the length was; zero stays zero. */
static inline bpi_wide3 unit(bpi_wide3 v) {
    const bpi_wide magnitude = wide_bits(UINT32_C(0x7FFFFFFF));
    bpi_wide x = wide_and(v.x, magnitude), y = wide_and(v.y, magnitude);
    bpi_wide largest = wide_max(wide_max(x, y), wide_and(v.z, magnitude));
    /* 2^-e for a largest component in [2^e, 2^(e+1)), by the exponent bits. */
    bpi_wide exponent =
        wide_and(wide_min(largest, wide_set(0x1p126f)), wide_bits(UINT32_C(0x7F800000)));
    bpi_wide scale = wide_sub_integers(wide_bits(UINT32_C(0x7F000000)), exponent);
    bpi_wide3 a = {wide_mul(v.x, scale), wide_mul(v.y, scale), wide_mul(v.z, scale)};
    bpi_wide length2 = dot3(a.x, a.y, a.z, a), one = wide_set(1.0f);
    length2 = wide_select(wide_less(wide_set(0.0f), length2), length2, one);
    bpi_wide factor = wide_div(one, wide_sqrt(length2));
    return (bpi_wide3){wide_mul(a.x, factor), wide_mul(a.y, factor), wide_mul(a.z, factor)};
}

/* ---- in and out ------------------------------------------------------------------------------ */

static inline bpi_wide3 load3(const float *stream, uint32_t vertex, uint32_t count) {
    const float *p = stream + 3 * (size_t)vertex;
    if (count == BPI_WIDE) return wide_load3(p);
    float copy[3 * BPI_WIDE] = {0};
    memcpy(copy, p, 12 * (size_t)count);
    return wide_load3(copy);
}

static inline bpi_wide4 load4(const float *stream, uint32_t vertex, uint32_t count) {
    const float *p = stream + 4 * (size_t)vertex;
    if (count == BPI_WIDE) return wide_gather4(p, 4);
    float copy[4 * BPI_WIDE] = {0};
    memcpy(copy, p, 16 * (size_t)count);
    return wide_gather4(copy, 4);
}

/* Elements of `size` bytes to where they belong. */
static inline void spread(unsigned char *out, size_t stride, const float *packed, size_t size,
                          uint32_t count) {
    const unsigned char *p = (const unsigned char *)packed;
    for (uint32_t i = 0; i < count; ++i)
        memcpy(out + i * stride, p + i * size, size);
}

/* Whether an output can go past the caches: `stream` asks for it, and it is packed and aligned. */
static inline bool can_stream(const bpi_skin_block *block, const unsigned char *out, size_t stride,
                              size_t size) {
    return block->stream && stride == size && (uintptr_t)out % 16 == 0;
}

static inline float *as_floats(unsigned char *out) {
    return (float *)(void *)out;
}

static inline void store3(const bpi_skin_block *block, unsigned char *stream, size_t stride,
                          uint32_t vertex, uint32_t count, bpi_wide3 v) {
    unsigned char *out = stream + vertex * stride;
    if (count == BPI_WIDE && stride == 12) {
        float *p = as_floats(out);
        if (!can_stream(block, out, stride, 12)) {
            wide_store3(p, v);
            return;
        }
        bpi_wide3 a = wide_interleave3(v);
        wide_stream_quads(p, p + 12, a.x);
        wide_stream_quads(p + 4, p + 16, a.y);
        wide_stream_quads(p + 8, p + 20, a.z);
        return;
    }
    float packed[3 * BPI_WIDE];
    wide_store3(packed, v);
    spread(out, stride, packed, 12, count);
}

static inline void store4(const bpi_skin_block *block, unsigned char *stream, size_t stride,
                          uint32_t vertex, uint32_t count, bpi_wide4 v) {
    unsigned char *out = stream + vertex * stride;
    if (count == BPI_WIDE && stride == 16) {
        float *p = as_floats(out);
        if (!can_stream(block, out, stride, 16)) {
            wide_scatter4(p, 4, v);
            return;
        }
        bpi_wide4 a = wide_transpose(v);
        wide_stream_quads(p, p + 16, a.x);
        wide_stream_quads(p + 4, p + 20, a.y);
        wide_stream_quads(p + 8, p + 24, a.z);
        wide_stream_quads(p + 12, p + 28, a.w);
        return;
    }
    float packed[4 * BPI_WIDE];
    wide_scatter4(packed, 4, v);
    spread(out, stride, packed, 16, count);
}

/* ---- the kernels ----------------------------------------------------------------------------- */

static inline void positions(const bpi_skin_block *block, uint32_t vertex, uint32_t count,
                             const matrices *m) {
    bpi_wide3 p = transform(m, load3(block->positions, vertex, count));
    p = (bpi_wide3){wide_add(p.x, m->m[0][3]), wide_add(p.y, m->m[1][3]),
                    wide_add(p.z, m->m[2][3])};
    store3(block, block->out_positions, block->position_stride, vertex, count, p);
}

static inline void normals(const bpi_skin_block *block, uint32_t vertex, uint32_t count,
                           const normal_matrices *n) {
    bpi_wide3 v = unit(transform_normals(n, load3(block->normals, vertex, count)));
    store3(block, block->out_normals, block->normal_stride, vertex, count, v);
}

static inline void tangents(const bpi_skin_block *block, uint32_t vertex, uint32_t count,
                            const matrices *m) {
    bpi_wide4 t = load4(block->tangents, vertex, count);
    bpi_wide3 v = unit(transform(m, (bpi_wide3){t.x, t.y, t.z}));
    store4(block, block->out_tangents, block->tangent_stride, vertex, count,
           (bpi_wide4){v.x, v.y, v.z, t.w});
}

static inline uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void BPI_OF_SET(bpi_skin)(const bpi_skin_block *block) {
    assert(block->count <= BPI_SKIN_BLOCK && block->influence_count > 0);
    for (uint32_t vertex = 0; vertex < block->count; vertex += BPI_WIDE) {
        uint32_t count = least(block->count - vertex, BPI_WIDE);
        rows blended[BPI_WIDE];
        blend(blended, block, vertex, count);
        matrices m = transpose(blended);
        no_negative_zeros(&m);
        if (block->out_positions) positions(block, vertex, count, &m);
        if (block->out_normals) {
            normal_matrices n = normals_of(&m);
            normals(block, vertex, count, &n);
        }
        if (block->out_tangents) tangents(block, vertex, count, &m);
    }
}

void BPI_OF_SET(bpi_move)(const bpi_skin_block *block) {
    matrices m;
    assert(block->count <= BPI_SKIN_BLOCK);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            m.m[r][c] = wide_set(block->palette[0].m[r][c]);
    no_negative_zeros(&m);
    normal_matrices n = normals_of(&m);
    for (uint32_t vertex = 0; vertex < block->count; vertex += BPI_WIDE) {
        uint32_t count = least(block->count - vertex, BPI_WIDE);
        if (block->out_positions) positions(block, vertex, count, &m);
        if (block->out_normals) normals(block, vertex, count, &n);
        if (block->out_tangents) tangents(block, vertex, count, &m);
    }
}

void BPI_OF_SET(bpi_morph)(float *sums, const float *values, const float *deltas, float weight,
                           size_t count) {
    bpi_wide w = wide_set(weight);
    size_t i = 0;
    for (; i + BPI_WIDE <= count; i += BPI_WIDE)
        wide_store(sums + i, wide_add(wide_load(values + i), wide_mul(w, wide_load(deltas + i))));
    for (; i < count; ++i)
        sums[i] = values[i] + weight * deltas[i];
}
