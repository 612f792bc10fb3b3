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

/*
 * Vertices that go through the passes together. Few, so that their data stay in the first cache and
 * each stream moves on steadily, which is what the machine's prefetching wants to see; enough for
 * several steps of a pass to overlap.
 */
enum { STRIP = 48 };

/* Slots a vertex may have for its strip's palette offsets to be worked out together. */
enum { MOST_SLOTS = 8 };

/* `count` vertices of a block from `first` on, at most STRIP. */
typedef struct strip {
    const bpi_skin_block *block;
    uint32_t first, count;
    matrices blended[STRIP / BPI_WIDE];
    uint32_t offsets[STRIP * MOST_SLOTS]; /* of joints in the palette, in bytes */
} strip;

static BPI_INLINE const float *joint_at(const bp_mat34 *palette, uint32_t offset) {
    return (const float *)(const void *)((const unsigned char *)palette + offset);
}

/* One vertex; `offsets` of its joints in the palette in bytes, slots at least 1. */
static BPI_INLINE bpi_rows blend_vertex(const bp_mat34 *palette, const uint32_t *offsets,
                                        const float *weights, uint32_t slots) {
    bpi_rows sum = rows_scaled(joint_at(palette, offsets[0]), pair_set(weights[0]));
    for (uint32_t k = 1; k < slots; ++k)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[k]), pair_set(weights[k])));
    return sum;
}

/* The same for 1 to 8 slots, known to the compiler, of whole sets of 4: weights come by sets. */
static BPI_INLINE bpi_rows blend_sets(const bp_mat34 *palette, const uint32_t *offsets,
                                      const float *weights, uint32_t slots) {
    bpi_pair w = pair_of_quad(weights);
    bpi_rows sum = rows_scaled(joint_at(palette, offsets[0]), pair_splat(w, 0));
    if (slots > 1)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[1]), pair_splat(w, 1)));
    if (slots > 2)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[2]), pair_splat(w, 2)));
    if (slots > 3)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[3]), pair_splat(w, 3)));
    if (slots > 4) w = pair_of_quad(weights + 4);
    if (slots > 4)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[4]), pair_splat(w, 0)));
    if (slots > 5)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[5]), pair_splat(w, 1)));
    if (slots > 6)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[6]), pair_splat(w, 2)));
    if (slots > 7)
        sum = rows_add(sum, rows_scaled(joint_at(palette, offsets[7]), pair_splat(w, 3)));
    return sum;
}

/* The same for one slot of weight 1: that times a matrix is the matrix, to the bit. */
static BPI_INLINE bpi_rows blend_whole(const bp_mat34 *palette, const uint32_t *offsets,
                                       const float *weights, uint32_t slots) {
    (void)weights;
    (void)slots;
    return rows_load(joint_at(palette, offsets[0]));
}

typedef bpi_rows (*blend_one)(const bp_mat34 *palette, const uint32_t *offsets,
                              const float *weights, uint32_t slots);

/* Four vertices, `step` slots apart, by columns. */
static BPI_INLINE bpi_columns blend_four(const bp_mat34 *palette, const uint32_t *offsets,
                                         const float *weights, size_t step, uint32_t slots,
                                         blend_one blend) {
    bpi_rows a = blend(palette, offsets, weights, slots);
    bpi_rows b = blend(palette, offsets + step, weights + step, slots);
    bpi_rows c = blend(palette, offsets + 2 * step, weights + 2 * step, slots);
    bpi_rows d = blend(palette, offsets + 3 * step, weights + 3 * step, slots);
    return rows_to_columns(a, b, c, d);
}

/* Slots in use of the group that vertex `vertex` of the strip is in. */
static BPI_INLINE uint32_t slots_of(const strip *s, uint32_t vertex) {
    const bpi_skin_block *block = s->block;
    size_t group = (s->first + vertex) / BPI_SKIN_GROUP;
    uint32_t slots = block->slots ? block->slots[group] : block->influence_count;
    assert(slots <= block->influence_count);
    return slots;
}

/*
 * Groups of BPI_WIDE vertices from `vertex` on as long as they have `slots` in use; returns the
 * vertex after them. Inlined for each small number of slots.
 */
static BPI_INLINE uint32_t blend_run(strip *s, uint32_t vertex, uint32_t slots, blend_one blend) {
    const bp_mat34 *palette = s->block->palette;
    size_t step = s->block->influence_count;
    do {
        const uint32_t *offsets = s->offsets + vertex * step;
        const float *weights = s->block->weights + (s->first + vertex) * step;
        bpi_columns first = blend_four(palette, offsets, weights, step, slots, blend);
        bpi_columns second = first;
        if (BPI_WIDE > 4)
            second =
                blend_four(palette, offsets + 4 * step, weights + 4 * step, step, slots, blend);
        columns_to_wide(s->blended[vertex / BPI_WIDE].m, &first, &second);
        vertex += BPI_WIDE;
    } while (vertex + BPI_WIDE <= s->count && slots_of(s, vertex) == slots);
    return vertex;
}

/* The same; one loop for each number of slots, in which the compiler knows it. */
static uint32_t blend_same(strip *s, uint32_t vertex) {
    uint32_t slots = slots_of(s, vertex);
    if (slots == 0) return blend_run(s, vertex, 0, blend_whole);
    switch (s->block->influence_count % 4 == 0 ? slots : 0) {
    case 1: return blend_run(s, vertex, 1, blend_sets);
    case 2: return blend_run(s, vertex, 2, blend_sets);
    case 3: return blend_run(s, vertex, 3, blend_sets);
    case 4: return blend_run(s, vertex, 4, blend_sets);
    case 5: return blend_run(s, vertex, 5, blend_sets);
    case 6: return blend_run(s, vertex, 6, blend_sets);
    case 7: return blend_run(s, vertex, 7, blend_sets);
    case 8: return blend_run(s, vertex, 8, blend_sets);
    default: break;
    }
    if (slots == 1) return blend_run(s, vertex, 1, blend_vertex);
    return blend_run(s, vertex, slots, blend_vertex);
}

/* Whole groups of a strip whose vertices have at most MOST_SLOTS slots; returns where they end. */
static uint32_t blend_groups(strip *s) {
    uint32_t vertex = 0, step = s->block->influence_count;
    const uint16_t *joints = s->block->joints + (size_t)s->first * step;
    for (uint32_t i = 0; i < s->count * step; ++i)
        s->offsets[i] = joints[i] * (uint32_t)sizeof(bp_mat34);
    while (vertex + BPI_WIDE <= s->count)
        vertex = blend_same(s, vertex);
    return vertex;
}

/* A vertex of a strip, with any number of slots. */
static bpi_rows blend_any(const strip *s, uint32_t vertex) {
    const bpi_skin_block *block = s->block;
    size_t slot = ((size_t)s->first + vertex) * block->influence_count;
    const uint16_t *joints = block->joints + slot;
    const float *weights = block->weights + slot;
    bpi_rows sum = rows_scaled(&block->palette[joints[0]].m[0][0], pair_set(weights[0]));
    for (uint32_t k = 1, slots = slots_of(s, vertex); k < slots; ++k)
        sum = rows_add(sum, rows_scaled(&block->palette[joints[k]].m[0][0], pair_set(weights[k])));
    return sum;
}

/* `count` vertices from `vertex` on, at most BPI_WIDE; the last stands for those missing. */
static void blend_rest(strip *s, uint32_t vertex, uint32_t count) {
    bpi_rows rows[BPI_WIDE];
    for (uint32_t i = 0; i < BPI_WIDE; ++i)
        rows[i] = blend_any(s, vertex + (i < count ? i : count - 1));
    const bpi_rows *last = &rows[BPI_WIDE - 4];
    bpi_columns first = rows_to_columns(rows[0], rows[1], rows[2], rows[3]);
    bpi_columns second = rows_to_columns(last[0], last[1], last[2], last[3]);
    columns_to_wide(s->blended[vertex / BPI_WIDE].m, &first, &second);
}

/* ---- what is done to BPI_WIDE vertices ------------------------------------------------------- */

static BPI_INLINE bpi_wide dot3(bpi_wide a0, bpi_wide a1, bpi_wide a2, bpi_wide3 b) {
    return wide_add(wide_add(wide_mul(a0, b.x), wide_mul(a1, b.y)), wide_mul(a2, b.z));
}

static BPI_INLINE bpi_wide3 transform(const matrices *m, bpi_wide3 v) {
    return (bpi_wide3){dot3(m->m[0][0], m->m[0][1], m->m[0][2], v),
                       dot3(m->m[1][0], m->m[1][1], m->m[1][2], v),
                       dot3(m->m[2][0], m->m[2][1], m->m[2][2], v)};
}

static BPI_INLINE bpi_wide3 cross(const bpi_wide a[3], const bpi_wide b[3]) {
    return (bpi_wide3){wide_sub(wide_mul(a[1], b[2]), wide_mul(a[2], b[1])),
                       wide_sub(wide_mul(a[2], b[0]), wide_mul(a[0], b[2])),
                       wide_sub(wide_mul(a[0], b[1]), wide_mul(a[1], b[0]))};
}

static BPI_INLINE normal_matrices normals_of(const matrices *m) {
    normal_matrices n;
    n.r0 = cross(m->m[1], m->m[2]);
    n.r1 = cross(m->m[2], m->m[0]);
    n.r2 = cross(m->m[0], m->m[1]);
    bpi_mask negative = wide_less(dot3(m->m[0][0], m->m[0][1], m->m[0][2], n.r0), wide_set(0.0f));
    n.sign = wide_select(negative, wide_set(-1.0f), wide_set(1.0f));
    return n;
}

static BPI_INLINE bpi_wide3 transform_normals(const normal_matrices *n, bpi_wide3 v) {
    return (bpi_wide3){wide_mul(dot3(n->r0.x, n->r0.y, n->r0.z, v), n->sign),
                       wide_mul(dot3(n->r1.x, n->r1.y, n->r1.z, v), n->sign),
                       wide_mul(dot3(n->r2.x, n->r2.y, n->r2.z, v), n->sign)};
}

/* 2^-e for the largest component in [2^e, 2^(e+1)), by the exponent bits. */
static BPI_INLINE bpi_wide inverse_power_of_two(bpi_wide3 v) {
    const bpi_wide magnitude = wide_bits(UINT32_C(0x7FFFFFFF));
    bpi_wide x = wide_and(v.x, magnitude), y = wide_and(v.y, magnitude);
    bpi_wide largest = wide_max(wide_max(x, y), wide_and(v.z, magnitude));
    bpi_wide exponent =
        wide_and(wide_min(largest, wide_set(0x1p126f)), wide_bits(UINT32_C(0x7F800000)));
    return wide_sub_integers(wide_bits(UINT32_C(0x7F000000)), exponent);
}

static BPI_INLINE bpi_wide3 times(bpi_wide3 v, bpi_wide factor) {
    return (bpi_wide3){wide_mul(v.x, factor), wide_mul(v.y, factor), wide_mul(v.z, factor)};
}

/* Unit length whatever the length was; zero stays zero. */
static BPI_INLINE bpi_wide3 unit(bpi_wide3 v) {
    bpi_wide one = wide_set(1.0f), length2 = dot3(v.x, v.y, v.z, v);
    bpi_mask fit = mask_and(wide_less(wide_set(BPI_UNIT_LEAST), length2),
                            wide_less(length2, wide_set(BPI_UNIT_MOST)));
    if (!wide_all(fit)) { /* seldom: some are scaled first */
        v = times(v, wide_select(fit, one, inverse_power_of_two(v)));
        length2 = dot3(v.x, v.y, v.z, v);
        length2 = wide_select(wide_less(wide_set(0.0f), length2), length2, one);
    }
    return times(v, wide_div(one, wide_sqrt(length2)));
}

/* ---- in and out ------------------------------------------------------------------------------ */

/* `count` elements of `width` floats; zeros for those missing to a group. */
static BPI_INLINE const float *padded(float *copy, const float *in, size_t width, uint32_t count) {
    if (count == BPI_WIDE) return in;
    memset(copy, 0, width * BPI_WIDE * sizeof *copy);
    memcpy(copy, in, width * count * sizeof *copy);
    return copy;
}

/* How a group is written: in a row, in a row past the caches, or each element by itself. */
typedef enum store_mode { PACKED, STREAMED, SPREAD } store_mode;

static store_mode mode_of(const bpi_skin_block *block, const unsigned char *out, size_t stride,
                          size_t size) {
    if (stride != size) return SPREAD;
    return block->stream && (uintptr_t)out % (4 * BPI_WIDE) == 0 ? STREAMED : PACKED;
}

static BPI_INLINE float *as_floats(unsigned char *out) {
    return (float *)(void *)out;
}

static BPI_INLINE void store3(unsigned char *out, size_t stride, uint32_t count, bpi_wide3 v,
                              store_mode mode) {
    float packed[3 * BPI_WIDE];
    if (mode == PACKED) {
        wide_store3(as_floats(out), v);
    } else if (mode == STREAMED) {
        wide_stream3(as_floats(out), v);
    } else {
        wide_store3(packed, v);
        for (uint32_t i = 0; i < count; ++i)
            memcpy(out + i * stride, packed + 3 * (size_t)i, 12);
    }
}

static BPI_INLINE void store4(unsigned char *out, size_t stride, uint32_t count, bpi_wide4 v,
                              store_mode mode) {
    float packed[4 * BPI_WIDE];
    if (mode == PACKED) {
        wide_store4(as_floats(out), v);
    } else if (mode == STREAMED) {
        wide_stream4(as_floats(out), v);
    } else {
        wide_store4(packed, v);
        for (uint32_t i = 0; i < count; ++i)
            memcpy(out + i * stride, packed + 4 * (size_t)i, 16);
    }
}

/* ---- the passes ------------------------------------------------------------------------------ */

/*
 * Each is a short loop of steps that do not wait for each other, so that the machine works at
 * several at once; directions go through two, since making them unit takes long from end to end.
 * Group g goes by blended[g * step]: step 0 is one for all. The last group may have fewer vertices
 * than BPI_WIDE.
 */
typedef bpi_wide4 (*pass_turn)(const float *in, uint32_t count, const matrices *m);
typedef void (*pass_store)(unsigned char *out, size_t stride, uint32_t count, bpi_wide4 v,
                           store_mode mode);

static BPI_INLINE bpi_wide4 turn_position(const float *in, uint32_t count, const matrices *m) {
    float copy[3 * BPI_WIDE];
    bpi_wide3 p = transform(m, wide_load3(padded(copy, in, 3, count)));
    return (bpi_wide4){wide_add(p.x, m->m[0][3]), wide_add(p.y, m->m[1][3]),
                       wide_add(p.z, m->m[2][3]), p.z};
}

static BPI_INLINE bpi_wide4 turn_normal(const float *in, uint32_t count, const matrices *m) {
    float copy[3 * BPI_WIDE];
    normal_matrices n = normals_of(m);
    bpi_wide3 v = transform_normals(&n, wide_load3(padded(copy, in, 3, count)));
    return (bpi_wide4){v.x, v.y, v.z, v.z};
}

static BPI_INLINE bpi_wide4 turn_tangent(const float *in, uint32_t count, const matrices *m) {
    float copy[4 * BPI_WIDE];
    bpi_wide4 t = wide_gather4(padded(copy, in, 4, count), 4);
    bpi_wide3 v = transform(m, (bpi_wide3){t.x, t.y, t.z});
    return (bpi_wide4){v.x, v.y, v.z, t.w};
}

static BPI_INLINE void store_position(unsigned char *out, size_t stride, uint32_t count,
                                      bpi_wide4 v, store_mode mode) {
    store3(out, stride, count, (bpi_wide3){v.x, v.y, v.z}, mode);
}

static BPI_INLINE void store_normal(unsigned char *out, size_t stride, uint32_t count, bpi_wide4 v,
                                    store_mode mode) {
    store3(out, stride, count, unit((bpi_wide3){v.x, v.y, v.z}), mode);
}

static BPI_INLINE void store_tangent(unsigned char *out, size_t stride, uint32_t count, bpi_wide4 v,
                                     store_mode mode) {
    bpi_wide3 t = unit((bpi_wide3){v.x, v.y, v.z});
    store4(out, stride, count, (bpi_wide4){t.x, t.y, t.z, v.w}, mode);
}

/* At most STRIP vertices; `width` floats an element in and out. */
static BPI_INLINE void pass(const float *in, unsigned char *out, size_t stride, size_t width,
                            uint32_t count, const matrices *blended, size_t step, pass_turn turn,
                            pass_store store, store_mode mode) {
    bpi_wide4 turned[STRIP / BPI_WIDE];
    uint32_t groups = count / BPI_WIDE, rest = count % BPI_WIDE;
    for (size_t g = 0; g < groups; ++g)
        turned[g] = turn(in + g * width * BPI_WIDE, BPI_WIDE, &blended[g * step]);
    for (size_t g = 0; g < groups; ++g)
        store(out + g * stride * BPI_WIDE, stride, BPI_WIDE, turned[g], mode);
    if (rest == 0) return;
    bpi_wide4 last = turn(in + groups * width * BPI_WIDE, rest, &blended[groups * step]);
    store(out + groups * stride * BPI_WIDE, stride, rest, last, SPREAD);
}

/* The stream of vertices first ... first + count - 1 of a block. */
static BPI_INLINE void pass_by_mode(const bpi_skin_block *block, const float *in,
                                    unsigned char *out, size_t stride, size_t width, uint32_t first,
                                    uint32_t count, const matrices *blended, size_t step,
                                    pass_turn turn, pass_store store) {
    const size_t size = width * sizeof(float);
    in += width * first;
    out += stride * first;
    switch (mode_of(block, out, stride, size)) {
    case PACKED: pass(in, out, size, width, count, blended, step, turn, store, PACKED); break;
    case STREAMED: pass(in, out, size, width, count, blended, step, turn, store, STREAMED); break;
    case SPREAD: pass(in, out, stride, width, count, blended, step, turn, store, SPREAD); break;
    }
}

static BPI_INLINE void all_passes(const bpi_skin_block *block, uint32_t first, uint32_t count,
                                  const matrices *blended, size_t step) {
    if (block->out_positions)
        pass_by_mode(block, block->positions, block->out_positions, block->position_stride, 3,
                     first, count, blended, step, turn_position, store_position);
    if (block->out_normals)
        pass_by_mode(block, block->normals, block->out_normals, block->normal_stride, 3, first,
                     count, blended, step, turn_normal, store_normal);
    if (block->out_tangents)
        pass_by_mode(block, block->tangents, block->out_tangents, block->tangent_stride, 4, first,
                     count, blended, step, turn_tangent, store_tangent);
}

/* ---- the kernels ----------------------------------------------------------------------------- */

static BPI_INLINE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void BPI_OF_SET(bpi_skin)(const bpi_skin_block *block) {
    strip s;
    assert(block->influence_count > 0);
    s.block = block;
    for (s.first = 0; s.first < block->count; s.first += STRIP) {
        uint32_t vertex = 0;
        s.count = least(block->count - s.first, STRIP);
        if (block->influence_count <= MOST_SLOTS) vertex = blend_groups(&s);
        for (; vertex < s.count; vertex += BPI_WIDE)
            blend_rest(&s, vertex, least(s.count - vertex, BPI_WIDE));
        all_passes(block, s.first, s.count, s.blended, 1);
    }
}

void BPI_OF_SET(bpi_move)(const bpi_skin_block *block) {
    matrices m;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            m.m[r][c] = wide_set(block->palette[0].m[r][c]);
    for (uint32_t first = 0; first < block->count; first += STRIP)
        all_passes(block, first, least(block->count - first, STRIP), &m, 0);
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

/* The displacements are turned to rows of four floats, of which the last is left out. */
void BPI_OF_SET(bpi_morph_tangents)(float *sums, const float *values, const float *deltas,
                                    float weight, uint32_t vertex_count) {
    static const float fourth_of_quads[8] = {0.0f, 0.0f, 0.0f, -1.0f, 0.0f, 0.0f, 0.0f, -1.0f};
    bpi_wide w = wide_set(weight), zero = wide_set(0.0f);
    bpi_mask fourth = wide_less(wide_load(fourth_of_quads), zero);
    uint32_t done = vertex_count / BPI_WIDE * BPI_WIDE;
    for (size_t v = 0; v < done; v += BPI_WIDE) {
        bpi_wide row[4];
        bpi_wide3 d = wide_load3(deltas + 3 * v);
        wide_in_rows4(row, (bpi_wide4){d.x, d.y, d.z, zero});
        for (size_t i = 0; i < 4; ++i) {
            bpi_wide value = wide_load(values + 4 * v + i * BPI_WIDE);
            bpi_wide sum = wide_add(value, wide_mul(w, row[i]));
            wide_store(sums + 4 * v + i * BPI_WIDE, wide_select(fourth, value, sum));
        }
    }
    bpi_scalar_morph_tangents(sums + 4 * (size_t)done, values + 4 * (size_t)done,
                              deltas + 3 * (size_t)done, weight, vertex_count - done);
}
