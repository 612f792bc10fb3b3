// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Room for skeletons and skins inside an asset's block, the checks that files and code share, and
 * global transforms from local ones.
 */
#ifndef BPI_SKELETON_LAYOUT_H
#define BPI_SKELETON_LAYOUT_H

#include "base/base_memory.h"
#include "bindpose/skeleton.h"

/* The arrays of a bp_skeleton while it is being filled. */
typedef struct bpi_skeleton_arrays {
    int32_t *parents;
    uint8_t *update_order;
    bp_transform *rest;
    const char **labels;
    uint32_t *node_from_file, *file_from_node;
    uint32_t *matrix_nodes;
    bp_mat34 *matrices;
    uint32_t *weight_first;
    float *rest_weights;
} bpi_skeleton_arrays;

/* Takes room for everything but the labels' text; sets the counts and pointers of skeleton. */
bpi_skeleton_arrays bpi_skeleton_layout(bpi_layout *layout, bp_skeleton *skeleton,
                                        uint32_t node_count, uint32_t matrix_count,
                                        uint32_t weight_count);

/* Works out update_order from parents, which are complete. */
void bpi_skeleton_finish(uint8_t *update_order, const int32_t *parents, uint32_t node_count);

/* The arrays of a bp_skin while it is being filled. */
typedef struct bpi_skin_arrays {
    uint32_t *joints;
    bp_mat34 *joint_from_mesh;
} bpi_skin_arrays;

bpi_skin_arrays bpi_skin_layout(bpi_layout *layout, bp_skin *skin, uint32_t joint_count);

/* Index of a node in skeleton->matrix_nodes, or -1. */
int32_t bpi_skeleton_matrix_index(const bp_skeleton *skeleton, uint32_t node);

/*
 * The local matrix of a node. matrix_index is its place in skeleton->matrix_nodes, or -1 for a node
 * without a matrix; replaced [matrix_count] tells which of them a transform has replaced (NULL:
 * none).
 */
bp_mat34 bpi_skeleton_local(const bp_skeleton *skeleton, const bp_transform *locals,
                            const uint8_t *replaced, uint32_t node, int32_t matrix_index);

/* global = global of the parent * local, for every node. globals [node_count]. */
void bpi_skeleton_globals(bp_mat34 *globals, const bp_skeleton *skeleton,
                          const bp_transform *locals, const uint8_t *replaced);

/*
 * Works out the bind shape matrix of a skin from a file: the joint matrices at rest, when they are
 * all the same transform without shear. Sets bind_shape and bind_shape_source.
 */
void bpi_skin_find_bind_shape(bp_skin *skin, const bp_mat34 *rest_globals);

/* Largest distance of the fourth row of a column-major 4x4 from 0 0 0 1. */
float bpi_mat44_affine_error(const float mat44[16]);

#endif
