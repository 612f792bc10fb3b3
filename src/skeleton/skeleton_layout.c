// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "skeleton/skeleton_layout.h"

bpi_skeleton_arrays bpi_skeleton_layout(bpi_layout *layout, bp_skeleton *skeleton,
                                        uint32_t node_count, uint32_t matrix_count,
                                        uint32_t weight_count) {
    bpi_skeleton_arrays arrays = {
        .parents = bpi_layout_take(layout, node_count, sizeof(int32_t)),
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

void bpi_skeleton_globals(bp_mat34 *globals, const bp_skeleton *skeleton,
                          const bp_transform *locals, const uint8_t *replaced) {
    uint32_t next_matrix = 0;
    for (uint32_t node = 0; node < skeleton->node_count; ++node) {
        bool has_matrix =
            next_matrix < skeleton->matrix_count && skeleton->matrix_nodes[next_matrix] == node;
        int32_t matrix_index = has_matrix ? (int32_t)next_matrix++ : -1;
        bp_mat34 local = bpi_skeleton_local(skeleton, locals, replaced, node, matrix_index);
        int32_t parent = skeleton->parents[node];
        globals[node] = parent < 0 ? local : bp_mat34_mul(&globals[parent], &local);
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
