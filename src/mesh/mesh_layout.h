// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * How a primitive lies in a block of memory, and how it is filled: for bp_primitive_build and for
 * the gltf module, which builds its primitives inside the block of a model.
 *
 *   1. bpi_primitive_layout over a layout without base: measures;
 *   2. bpi_primitive_layout over the block: counts and stream pointers are set;
 *   3. fill the streams through bpi_primitive_streams_of and bpi_target_streams_of;
 *   4. bp_influences_clean on joints and weights, where there are any;
 *   5. bpi_primitive_finish: everything that is computed from the streams.
 */
#ifndef BPI_MESH_LAYOUT_H
#define BPI_MESH_LAYOUT_H

#include "base/base_memory.h"
#include "bindpose/mesh.h"

/* Which streams of a morph target exist. */
typedef struct bpi_target_shape {
    bool positions, normals, tangents;
} bpi_target_shape;

/* Which streams of a primitive exist, and how long they are. */
typedef struct bpi_primitive_shape {
    uint32_t vertex_count;
    bool positions, normals, tangents, texcoords, texcoords1, colors;
    uint32_t influence_count; /* slots a vertex; 0: no joints, weights and joint bounds */
    uint32_t joint_count;     /* of the skin; at least 1 when there are influences */
    uint32_t index_count;     /* 0: no indices */
    uint32_t target_count;
    const bpi_target_shape *targets; /* [target_count] or NULL: targets without streams */
} bpi_primitive_shape;

/*
 * Takes room for every stream of `shape`, and sets the counts and stream pointers of `primitive`;
 * bounds become empty, topology triangles, material -1. While measuring, every pointer is NULL. A
 * layout that overflows says so in `layout->overflow`.
 */
void bpi_primitive_layout(bpi_layout *layout, bp_primitive *primitive,
                          const bpi_primitive_shape *shape);

/* The streams of a primitive to write to, each NULL where the primitive has none. */
typedef struct bpi_primitive_streams {
    float *positions;         /* [3 * vertex_count] */
    float *normals;           /* [3 * vertex_count] */
    float *tangents;          /* [4 * vertex_count] */
    float *texcoords;         /* [2 * vertex_count] */
    float *texcoords1;        /* [2 * vertex_count] */
    float *colors;            /* [4 * vertex_count] */
    uint16_t *joints;         /* [influence_count * vertex_count] */
    float *weights;           /* [influence_count * vertex_count] */
    bp_aabb *joint_bounds;    /* [joint_count], filled by bpi_primitive_finish */
    uint8_t *slots_in_use;    /* [(vertex_count + 7) / 8], filled by bpi_primitive_finish */
    uint32_t *indices;        /* [index_count] */
    bp_morph_target *targets; /* [target_count] */
} bpi_primitive_streams;

/* The same of one morph target: each [3 * vertex_count] or NULL. */
typedef struct bpi_target_streams {
    float *positions, *normals, *tangents;
} bpi_target_streams;

/* Only for a primitive that the caller is building: these take `const` away. */
bpi_primitive_streams bpi_primitive_streams_of(const bp_primitive *primitive);
bpi_target_streams bpi_target_streams_of(const bp_primitive *primitive, uint32_t target);

/*
 * Computes bounds, the bounds of every morph target, and joint bounds (of vertices that have weight
 * on the joint) from filled streams. Every joint must be in range, so influences are clean.
 */
void bpi_primitive_finish(bp_primitive *primitive);

#endif
