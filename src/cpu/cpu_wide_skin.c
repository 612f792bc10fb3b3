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

enum { MATRIX_FLOATS = sizeof(bp_mat34) / sizeof(float) };

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

/* One vertex' matrix: rows 0 and 1, and row 2. */
typedef struct rows {
    bpi_pair r01;
    bpi_row r2;
} rows;

static inline rows scaled(const bp_mat34 *matrix, float weight) {
    const float *m = &matrix->m[0][0];
    bpi_pair w = pair_set(weight);
    return (rows){pair_mul(w, pair_load(m)), row_mul(w, row_load(m + 8))};
}

static inline rows add_rows(rows a, rows b) {
    return (rows){pair_add(a.r01, b.r01), row_add(a.r2, b.r2)};
}

/* One vertex; slots at least 1. */
static inline rows blend_vertex(const bp_mat34 *palette, const uint16_t *joints,
                                const float *weights, uint32_t slots) {
    rows sum = scaled(&palette[joints[0]], weights[0]);
    for (uint32_t k = 1; k < slots; ++k)
        sum = add_rows(sum, scaled(&palette[joints[k]], weights[k]));
    return sum;
}

/* Vertices a, b, c, d by columns. */
static inline bpi_columns columns_of(rows a, rows b, rows c, rows d) {
    return pair_columns(a.r01, b.r01, c.r01, d.r01, a.r2, b.r2, c.r2, d.r2);
}

/* Four vertices from `vertex` on. */
static inline bpi_columns blend_four(const bpi_skin_block *block, uint32_t vertex, uint32_t slots) {
    const bp_mat34 *palette = block->palette;
    size_t step = block->influence_count;
    const uint16_t *joints = block->joints + vertex * step;
    const float *weights = block->weights + vertex * step;
    rows a = blend_vertex(palette, joints, weights, slots);
    rows b = blend_vertex(palette, joints + step, weights + step, slots);
    rows c = blend_vertex(palette, joints + 2 * step, weights + 2 * step, slots);
    rows d = blend_vertex(palette, joints + 3 * step, weights + 3 * step, slots);
    return columns_of(a, b, c, d);
}

/* BPI_WIDE vertices from `vertex` on. */
static inline matrices blend_wide(const bpi_skin_block *block, uint32_t vertex, uint32_t slots) {
    matrices m;
    bpi_columns first = blend_four(block, vertex, slots), second = first;
    if (BPI_WIDE > 4) second = blend_four(block, vertex + 4, slots);
    columns_to_wide(m.m, &first, &second);
    return m;
}

/* `count` vertices from `vertex` on, fewer than BPI_WIDE; the last stands for those missing. */
static matrices blend_last(const bpi_skin_block *block, uint32_t vertex, uint32_t count) {
    matrices m;
    rows r[BPI_WIDE];
    size_t step = block->influence_count;
    for (uint32_t i = 0; i < BPI_WIDE; ++i) {
        size_t slot = (vertex + (i < count ? i : count - 1)) * step;
        r[i] = blend_vertex(block->palette, block->joints + slot, block->weights + slot,
                            block->influence_count);
    }
    bpi_columns first = columns_of(r[0], r[1], r[2], r[3]);
    const rows *s = &r[BPI_WIDE - 4];
    bpi_columns second = columns_of(s[0], s[1], s[2], s[3]);
    columns_to_wide(m.m, &first, &second);
    return m;
}

/* Most slots in use of BPI_WIDE vertices from `vertex` on. */
static inline uint32_t slots_in_use(const bpi_skin_block *block, uint32_t vertex) {
    if (!block->slots) return block->influence_count;
    /* They are in two groups, or three if they do not begin with one. */
    uint32_t first = block->slots_first + vertex, last = first + BPI_WIDE - 1;
    const uint8_t *slots = block->slots;
    uint32_t most = slots[first / BPI_SKIN_GROUP];
    most = most > slots[last / BPI_SKIN_GROUP] ? most : slots[last / BPI_SKIN_GROUP];
    uint32_t middle = slots[(first + BPI_WIDE / 2) / BPI_SKIN_GROUP];
    most = most > middle ? most : middle;
    assert(most <= block->influence_count);
    return most;
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
        wide_stream3(p, v);
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
        wide_stream4(p, v);
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

static inline void by_matrices(const bpi_skin_block *block, uint32_t vertex, uint32_t count,
                               matrices m) {
    no_negative_zeros(&m);
    if (block->out_positions) positions(block, vertex, count, &m);
    if (block->out_normals) {
        normal_matrices n = normals_of(&m);
        normals(block, vertex, count, &n);
    }
    if (block->out_tangents) tangents(block, vertex, count, &m);
}

/* Groups from `vertex` on as long as they have `slots` in use; returns the vertex after them. */
static inline uint32_t run(const bpi_skin_block *block, uint32_t vertex, uint32_t slots) {
    do {
        by_matrices(block, vertex, BPI_WIDE, blend_wide(block, vertex, slots));
        vertex += BPI_WIDE;
    } while (vertex + BPI_WIDE <= block->count && slots_in_use(block, vertex) == slots);
    return vertex;
}

/* The same with `slots` known to the compiler: code without a loop over them. */
typedef uint32_t run_slots(const bpi_skin_block *block, uint32_t vertex);

static uint32_t run_1(const bpi_skin_block *block, uint32_t vertex) {
    return run(block, vertex, 1);
}

static uint32_t run_2(const bpi_skin_block *block, uint32_t vertex) {
    return run(block, vertex, 2);
}

static uint32_t run_3(const bpi_skin_block *block, uint32_t vertex) {
    return run(block, vertex, 3);
}

static uint32_t run_4(const bpi_skin_block *block, uint32_t vertex) {
    return run(block, vertex, 4);
}

static uint32_t run_more(const bpi_skin_block *block, uint32_t vertex) {
    return run(block, vertex, slots_in_use(block, vertex));
}

void BPI_OF_SET(bpi_skin)(const bpi_skin_block *block) {
    static run_slots *const runs[] = {run_more, run_1, run_2, run_3, run_4};
    uint32_t vertex = 0;
    assert(block->count <= BPI_SKIN_BLOCK && block->influence_count > 0);
    while (vertex + BPI_WIDE <= block->count) {
        uint32_t slots = slots_in_use(block, vertex);
        vertex = runs[slots <= 4 ? slots : 0](block, vertex);
    }
    if (vertex < block->count) {
        uint32_t count = block->count - vertex;
        by_matrices(block, vertex, count, blend_last(block, vertex, count));
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
