// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "bindpose/mesh.h"

#include <assert.h>

static uint32_t corner_count(const bp_primitive *primitive) {
    return primitive->indices ? primitive->index_count : primitive->vertex_count;
}

static uint32_t vertex_at(const bp_primitive *primitive, uint32_t corner) {
    assert(corner < corner_count(primitive));
    return primitive->indices ? primitive->indices[corner] : corner;
}

uint32_t bp_primitive_triangle_count(const bp_primitive *primitive) {
    assert(primitive);
    uint32_t corners = corner_count(primitive);
    switch (primitive->topology) {
    case BP_TOPOLOGY_TRIANGLES: return corners / 3;
    case BP_TOPOLOGY_TRIANGLE_STRIP:
    case BP_TOPOLOGY_TRIANGLE_FAN: return corners < 3 ? 0 : corners - 2;
    case BP_TOPOLOGY_POINTS:
    case BP_TOPOLOGY_LINES:
    case BP_TOPOLOGY_LINE_LOOP:
    case BP_TOPOLOGY_LINE_STRIP: break;
    }
    return 0;
}

/* In the notation of glTF 2.0, 3.7.2.1: the corners of p_i, of which v_j are the vertices. */
void bp_primitive_triangle(const bp_primitive *primitive, uint32_t triangle, uint32_t vertices[3]) {
    assert(triangle < bp_primitive_triangle_count(primitive));
    uint32_t i = triangle, a = 3 * i, b = 3 * i + 1, c = 3 * i + 2;
    if (primitive->topology == BP_TOPOLOGY_TRIANGLE_STRIP) {
        a = i;
        b = i + (1 + i % 2);
        c = i + (2 - i % 2);
    } else if (primitive->topology == BP_TOPOLOGY_TRIANGLE_FAN) {
        a = i + 1;
        b = i + 2;
        c = 0;
    }
    vertices[0] = vertex_at(primitive, a);
    vertices[1] = vertex_at(primitive, b);
    vertices[2] = vertex_at(primitive, c);
}
