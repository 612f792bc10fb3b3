// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The codecs of indices of EXT_meshopt_compression and KHR_meshopt_compression (Appendix A, Modes 1
 * and 2, of both).
 *
 *   triangles = header byte 0xE1, a code byte for each triangle, data, 16 bytes of pairs
 *   indices   = header byte 0xD1, a number for each index, 4 bytes that mean nothing
 *
 * A triangle mostly shares an edge with a recent one, and its third vertex is mostly the next one
 * that no triangle has used yet, or a recent one. So a code names an edge among the 15 last and a
 * vertex among the 12 last; other codes name two recent vertices, through a table of frequent pairs
 * or a byte of the data. What is not recent is a number in the data: the difference to the last
 * such index. Indices that are no triangles are differences to one of two indices before.
 *
 * Version 0 (0xE0, 0xD0) is not in the extensions, but their encoders could write it and other
 * loaders read it: its triangle codes have two recent vertices more in place of the neighbours of
 * the last index.
 *
 * The specification calls streams invalid that name a recent edge or vertex before there was one;
 * both lists are counted to find them.
 */
#include "document/document_meshopt.h"

#include <assert.h>
#include <string.h>

enum { RECENT = 16, PAIRS = 16 };

typedef struct edge {
    uint32_t from, to;
} edge;

/* The lists are rings; counts only grow, to 6 * 2^32 at most. */
typedef struct triangle_state {
    const unsigned char *data, *end;
    uint32_t next; /* the index that no triangle has used yet */
    uint32_t last; /* the index that the data told last */
    edge edges[RECENT];
    uint32_t vertices[RECENT];
    uint64_t edge_count, vertex_count;
    bool damaged;
} triangle_state;

/* ---- numbers --------------------------------------------------------------------------------- */

/* Seven bits a byte, lowest first; the highest bit says that more follow. Bits past 32 are lost. */
static bool read_number(const unsigned char **at, const unsigned char *end, uint32_t *number) {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        value |= (byte & UINT32_C(0x7F)) << shift;
        if (byte & 0x80) continue;
        *number = value;
        return true;
    }
    return false;
}

/* A difference d is stored as 2 d, or -2 d - 1 where it is negative. */
static uint32_t difference(uint32_t number) {
    return number >> 1 ^ (0 - (number & 1));
}

static void write_index(unsigned char *out, size_t stride, uint32_t index) {
    uint16_t narrow = (uint16_t)index;
    if (stride == 4)
        memcpy(out, &index, sizeof index);
    else
        memcpy(out, &narrow, sizeof narrow);
}

/* ---- triangles ------------------------------------------------------------------------------- */

static void push_vertex(triangle_state *state, uint32_t vertex) {
    state->vertices[state->vertex_count++ % RECENT] = vertex;
}

static void push_edge(triangle_state *state, uint32_t from, uint32_t to) {
    state->edges[state->edge_count++ % RECENT] = (edge){from, to};
}

/* The vertex that was pushed `age` vertices ago; 0 is the last one. */
static uint32_t recent_vertex(triangle_state *state, unsigned age) {
    state->damaged |= age >= state->vertex_count;
    return state->vertices[(state->vertex_count - 1 - age) % RECENT];
}

static edge recent_edge(triangle_state *state, unsigned age) {
    state->damaged |= age >= state->edge_count;
    return state->edges[(state->edge_count - 1 - age) % RECENT];
}

static uint32_t told_vertex(triangle_state *state) {
    uint32_t number = 0;
    state->damaged |= !read_number(&state->data, state->end, &number);
    return state->last += difference(number);
}

/* Codes 0x00 to 0xEF: a recent edge, and by the low half a vertex. */
static void read_over_edge(triangle_state *state, unsigned code, unsigned recent,
                           uint32_t corners[3]) {
    const edge shared = recent_edge(state, code >> 4);
    unsigned which = code & 15;
    uint32_t vertex;
    if (which == 0)
        vertex = state->next++;
    else if (which < recent)
        vertex = recent_vertex(state, which);
    else if (which == 15)
        vertex = told_vertex(state);
    else
        vertex = state->last += which == 13 ? UINT32_MAX : 1; /* the one before, or after */
    corners[0] = shared.from;
    corners[1] = shared.to;
    corners[2] = vertex;
    push_edge(state, vertex, shared.to);
    push_edge(state, shared.from, vertex);
    if (which == 0 || which >= recent) push_vertex(state, vertex);
}

/* A vertex by half a byte: 0 the next one, 15 one that the data tells, otherwise a recent one. */
static uint32_t read_corner(triangle_state *state, unsigned which) {
    if (which == 0) return state->next++;
    return which == 15 ? told_vertex(state) : recent_vertex(state, which - 1);
}

/* Codes 0xF0 to 0xFF: three vertices, two of them by a pair of the table or of the data. */
static void read_apart(triangle_state *state, unsigned code, const unsigned char *pairs,
                       uint32_t corners[3]) {
    unsigned pair = pairs[code & 15];
    if (code >= 0xFE) {
        if (state->data == state->end) {
            state->damaged = true;
            return;
        }
        pair = *state->data++;
        if (pair == 0) state->next = 0; /* another mesh starts */
    }
    /* The vertices are pushed when all three are known. */
    uint32_t a = read_corner(state, code == 0xFF ? 15 : 0), b = read_corner(state, pair >> 4),
             c = read_corner(state, pair & 15);
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    push_edge(state, b, a);
    push_edge(state, c, b);
    push_edge(state, a, c);
    push_vertex(state, a);
    if (pair >> 4 == 0 || pair >> 4 == 15) push_vertex(state, b);
    if ((pair & 15) == 0 || (pair & 15) == 15) push_vertex(state, c);
}

/* No pair of the table says 15, and the last two, whose codes have a pair of their own, are 0. */
static bool pairs_are_valid(const unsigned char *pairs) {
    for (int i = 0; i < PAIRS; ++i)
        if (pairs[i] >> 4 == 15 || (pairs[i] & 15) == 15) return false;
    return pairs[PAIRS - 2] == 0 && pairs[PAIRS - 1] == 0;
}

bool bpi_meshopt_decode_triangles(unsigned char *out, size_t count, size_t stride,
                                  bp_bytes stream) {
    assert(count % 3 == 0 && (stride == 2 || stride == 4));
    const size_t triangles = count / 3;
    if (stream.size < 1 + PAIRS || stream.size - 1 - PAIRS < triangles) return false;
    if ((stream.data[0] & 0xFE) != 0xE0) return false;
    const unsigned recent = stream.data[0] == 0xE1 ? 13 : 15;
    const unsigned char *codes = stream.data + 1, *pairs = stream.data + stream.size - PAIRS;
    if (!pairs_are_valid(pairs)) return false;

    triangle_state state = {.data = codes + triangles, .end = pairs};
    for (size_t i = 0; i < triangles && !state.damaged; ++i) {
        uint32_t corners[3] = {0};
        if (codes[i] < 0xF0)
            read_over_edge(&state, codes[i], recent, corners);
        else
            read_apart(&state, codes[i], pairs, corners);
        for (int k = 0; k < 3; ++k, out += stride)
            write_index(out, stride, corners[k]);
    }
    return !state.damaged && state.data == state.end;
}

/* ---- indices --------------------------------------------------------------------------------- */

bool bpi_meshopt_decode_indices(unsigned char *out, size_t count, size_t stride, bp_bytes stream) {
    enum { HEADER = 1, TAIL = 4 };
    assert(stride == 2 || stride == 4);
    if (stream.size < HEADER + TAIL || (stream.data[0] & 0xFE) != 0xD0) return false;
    const unsigned char *at = stream.data + HEADER, *end = stream.data + stream.size - TAIL;
    uint32_t last[2] = {0, 0};
    for (size_t i = 0; i < count; ++i, out += stride) {
        uint32_t number; /* the lowest bit says which one it differs from */
        if (!read_number(&at, end, &number)) return false;
        write_index(out, stride, last[number & 1] += difference(number >> 1));
    }
    return at == end;
}
