// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "skeleton/skeleton_layout.h"

#include "cpu/cpu_kernels.h"

bpi_skeleton_arrays bpi_skeleton_layout(bpi_layout *layout, bp_skeleton *skeleton,
                                        uint32_t node_count, uint32_t matrix_count,
                                        uint32_t weight_count) {
    bpi_skeleton_arrays arrays = {
        .parents = bpi_layout_take(layout, node_count, sizeof(int32_t)),
        .update_order = bpi_layout_take(layout, node_count, sizeof(uint8_t)),
        .rest = bpi_layout_take(layout, node_count, sizeof(bp_transform)),
        .labels = bpi_layout_take(layout, node_count, sizeof(char *)),
        .node_from_file = bpi_layout_take(layout, node_count, sizeof(uint32_t)),
        .file_from_node = bpi_layout_take(layout, node_count, sizeof(uint32_t)),
        .matrix_nodes = bpi_layout_take(layout, matrix_count, sizeof(uint32_t)),
        .matrices = bpi_layout_take(layout, matrix_count, sizeof(bp_mat34)),
        .weight_first = bpi_layout_take(layout, (size_t)node_count + 1, sizeof(uint32_t)),
        .rest_weights = bpi_layout_take(layout, weight_count, sizeof(float)),
    };
    *skeleton = (bp_skeleton){
        .node_count = node_count,
        .parents = arrays.parents,
        .update_order = arrays.update_order,
        .rest = arrays.rest,
        .labels = arrays.labels,
        .node_from_file = arrays.node_from_file,
        .file_from_node = arrays.file_from_node,
        .matrix_count = matrix_count,
        .matrix_nodes = arrays.matrix_nodes,
        .matrices = arrays.matrices,
        .weight_count = weight_count,
        .weight_first = arrays.weight_first,
        .rest_weights = arrays.rest_weights,
    };
    return arrays;
}

_Static_assert(BPI_GLOBALS_BLOCK == 128, "bp_skeleton::update_order counts by 128");

/* A stable sort by depth below the block's own nodes; what lies above the block is done before. */
static void order_block(uint8_t *order, const int32_t *parents, uint32_t first, uint32_t count) {
    uint8_t depths[BPI_GLOBALS_BLOCK];
    uint32_t starts[BPI_GLOBALS_BLOCK + 1] = {0};
    for (uint32_t i = 0; i < count; ++i) {
        int64_t parent = (int64_t)parents[first + i] - first;
        depths[i] = parent >= 0 ? (uint8_t)(depths[parent] + 1) : 0;
        ++starts[depths[i] + 1];
    }
    for (uint32_t depth = 0; depth < count; ++depth)
        starts[depth + 1] += starts[depth];
    for (uint32_t i = 0; i < count; ++i)
        order[starts[depths[i]]++] = (uint8_t)i;
}

void bpi_skeleton_finish(uint8_t *update_order, const int32_t *parents, uint32_t node_count) {
    for (uint32_t first = 0; first < node_count; first += BPI_GLOBALS_BLOCK) {
        uint32_t left = node_count - first;
        order_block(update_order + first, parents, first,
                    left < BPI_GLOBALS_BLOCK ? left : BPI_GLOBALS_BLOCK);
    }
}

bpi_skin_arrays bpi_skin_layout(bpi_layout *layout, bp_skin *skin, uint32_t joint_count) {
    bpi_skin_arrays arrays = {
        .joints = bpi_layout_take(layout, joint_count, sizeof(uint32_t)),
        .joint_from_mesh = bpi_layout_take(layout, joint_count, sizeof(bp_mat34)),
    };
    *skin = (bp_skin){
        .name = "",
        .joint_count = joint_count,
        .joints = arrays.joints,
        .joint_from_mesh = arrays.joint_from_mesh,
        .bind_shape = bp_mat34_identity(),
        .root_hint = -1,
    };
    return arrays;
}

int32_t bpi_skeleton_matrix_index(const bp_skeleton *skeleton, uint32_t node) {
    uint32_t low = 0, high = skeleton->matrix_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (skeleton->matrix_nodes[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < skeleton->matrix_count && skeleton->matrix_nodes[low] == node;
    return found ? (int32_t)low : -1;
}

bp_mat34 bpi_skeleton_local(const bp_skeleton *skeleton, const bp_transform *locals,
                            const uint8_t *replaced, uint32_t node, int32_t matrix_index) {
    bool use_matrix = matrix_index >= 0 && !(replaced && replaced[matrix_index]);
    return use_matrix ? skeleton->matrices[matrix_index] : bp_mat34_from_transform(locals[node]);
}

/* Puts the matrices of matrix nodes among first ... first + count - 1 in place of their locals'. */
static uint32_t place_matrices(bp_mat34 *locals, const bp_skeleton *skeleton,
                               const uint8_t *replaced, uint32_t first, uint32_t count,
                               uint32_t next_matrix) {
    for (; next_matrix < skeleton->matrix_count; ++next_matrix) {
        uint32_t node = skeleton->matrix_nodes[next_matrix];
        if (node - first >= count) break;
        if (!replaced || !replaced[next_matrix])
            locals[node - first] = skeleton->matrices[next_matrix];
    }
    return next_matrix;
}

/* In blocks whose local matrices stay in the first cache. */
void bpi_skeleton_globals(bp_mat34 *globals, const bp_skeleton *skeleton,
                          const bp_transform *locals, const uint8_t *replaced) {
    const bpi_kernels *kernels = bpi_kernels_current();
    bp_mat34 matrices[BPI_GLOBALS_BLOCK];
    uint32_t next_matrix = 0, count;
    for (uint32_t first = 0; first < skeleton->node_count; first += count) {
        count = skeleton->node_count - first;
        if (count > BPI_GLOBALS_BLOCK) count = BPI_GLOBALS_BLOCK;
        kernels->matrices(matrices, locals + first, count);
        next_matrix = place_matrices(matrices, skeleton, replaced, first, count, next_matrix);
        kernels->globals(globals, matrices, skeleton->parents,
                         skeleton->update_order ? skeleton->update_order + first : NULL, first,
                         count);
    }
}

float bpi_mat44_affine_error(const float mat44[16]) {
    static const float row[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    float worst = 0.0f;
    for (int column = 0; column < 4; ++column) {
        float error = mat44[4 * column + 3] - row[column];
        if (error < 0.0f) error = -error;
        if (error > worst) worst = error;
    }
    return worst;
}
