// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Skeletons and skins from arrays in code. Everything is checked before the one allocation, so a
 * skeleton that exists is sound.
 */
#include "base/base_error.h"
#include "math/math_float.h"
#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A fault of the caller's description at "/field/index". */
static bp_result argument_error(bp_error *error, const char *field, uint32_t index,
                                const char *message) {
    char place[64];
    snprintf(place, sizeof place, "/%s/%u", field, index);
    return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, place, "%s", message);
}

static bp_result out_of_memory(bp_error *error) {
    return bpi_fail(error, BP_ERROR_OUT_OF_MEMORY, NULL, BPI_NO_OFFSET, NULL,
                    "the allocator returned no memory");
}

static uint64_t weight_total(const bp_skeleton_desc *desc) {
    uint64_t total = 0;
    for (uint32_t node = 0; desc->weight_counts && node < desc->node_count; ++node)
        total += desc->weight_counts[node];
    return total;
}

static bp_result check_skeleton(const bp_skeleton_desc *desc, bp_error *error) {
    if (desc->node_count > INT32_MAX)
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/node_count",
                        "more nodes than an int32_t parent can name");
    if (desc->node_count > 0 && !desc->parents)
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/parents",
                        "parents are missing; give -1 for each root");
    for (uint32_t node = 0; node < desc->node_count; ++node) {
        int32_t parent = desc->parents[node];
        if (parent < -1 || parent >= (int32_t)node)
            return argument_error(error, "parents", node,
                                  "a parent must be -1 or come before its child");
        if (desc->rest && !bpi_floats_finite(&desc->rest[node].translation.x, 10))
            return argument_error(error, "rest", node, "a rest transform must be finite");
    }
    uint64_t weights = weight_total(desc);
    if (weights > INT32_MAX)
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/weight_counts",
                        "more than 2147483647 morph weights");
    if (desc->rest_weights && !bpi_floats_finite(desc->rest_weights, (size_t)weights))
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/rest_weights",
                        "rest weights must be finite");
    return BP_OK;
}

static const char *label_of(const bp_skeleton_desc *desc, uint32_t node) {
    const char *label = desc->labels ? desc->labels[node] : NULL;
    return label ? label : "";
}

/* Measures when layout has no memory, else fills. */
static void lay_out_skeleton(bpi_layout *layout, const bp_skeleton_desc *desc) {
    bp_skeleton measured;
    bp_skeleton *skeleton = bpi_layout_take(layout, 1, sizeof *skeleton);
    uint32_t weight_count = (uint32_t)weight_total(desc), next_weight = 0;
    bpi_skeleton_arrays arrays = bpi_skeleton_layout(layout, skeleton ? skeleton : &measured,
                                                     desc->node_count, 0, weight_count);
    for (uint32_t node = 0; node < desc->node_count; ++node) {
        const char *label = label_of(desc, node);
        const char *copy = *label ? bpi_layout_text(layout, label, strlen(label)) : "";
        if (!skeleton) continue;
        arrays.labels[node] = copy;
        arrays.parents[node] = desc->parents[node];
        arrays.rest[node] = desc->rest ? desc->rest[node] : bp_transform_identity();
        arrays.node_from_file[node] = node;
        arrays.file_from_node[node] = node;
        arrays.weight_first[node] = next_weight;
        if (desc->weight_counts) next_weight += desc->weight_counts[node];
    }
    if (!skeleton) return;
    bpi_skeleton_finish(arrays.update_order, arrays.parents, desc->node_count);
    arrays.weight_first[desc->node_count] = next_weight;
    if (desc->rest_weights && weight_count > 0)
        memcpy(arrays.rest_weights, desc->rest_weights, weight_count * sizeof(float));
}

bp_result bp_skeleton_build(bp_skeleton **skeleton, const bp_skeleton_desc *desc, bp_error *error) {
    assert(skeleton && desc);
    *skeleton = NULL;
    bp_result result = check_skeleton(desc, error);
    if (result != BP_OK) return result;

    bpi_layout layout = {0};
    lay_out_skeleton(&layout, desc);
    bpi_memory memory = bpi_memory_make(&desc->allocator, 0);
    void *block = layout.overflow ? NULL : bpi_block_create(&memory, layout.size);
    if (!block) return out_of_memory(error);
    layout = (bpi_layout){.base = block};
    lay_out_skeleton(&layout, desc);
    *skeleton = block;
    return BP_OK;
}

void bp_skeleton_destroy(bp_skeleton *skeleton) {
    bpi_block_destroy(skeleton);
}

static bp_result check_bind_shape(const float *mat44, bp_error *error) {
    const char *fault = NULL;
    bp_mat34 matrix = bp_mat34_from_mat44(mat44), inverse;
    bp_transform transform;
    if (!bpi_floats_finite(mat44, 16) || bpi_mat44_affine_error(mat44) > 1e-4f)
        fault = "the bind shape matrix must be finite, its fourth row 0 0 0 1";
    else if (!bp_mat34_inverse(&inverse, &matrix))
        fault = "the bind shape matrix cannot be inverted: one of its scales is zero";
    else if (bp_transform_from_mat34(&transform, &matrix) > 1e-4f)
        fault = "the bind shape matrix has shear; give position, rotation and scale only";
    if (!fault) return BP_OK;
    return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/bind_shape_matrix", "%s",
                    fault);
}

/* inverse bind matrix * bind shape matrix of a joint. */
static bp_mat34 joint_from_mesh(const bp_skin_desc *desc, uint32_t joint) {
    bp_mat34 matrix = bp_mat34_identity();
    if (desc->inverse_bind_matrices)
        matrix = bp_mat34_from_mat44(desc->inverse_bind_matrices + 16 * (size_t)joint);
    if (!desc->bind_shape_matrix) return matrix;
    bp_mat34 bind_shape = bp_mat34_from_mat44(desc->bind_shape_matrix);
    return bp_mat34_mul(&matrix, &bind_shape);
}

/* Both factors can be finite and their product not. */
static bp_result check_products(const bp_skin_desc *desc, bp_error *error) {
    for (uint32_t joint = 0; joint < desc->joint_count; ++joint) {
        bp_mat34 product = joint_from_mesh(desc, joint);
        if (!bpi_floats_finite(product.m[0], 12))
            return argument_error(error, "inverse_bind_matrices", joint,
                                  "times the bind shape matrix, it is beyond what a float holds");
    }
    return BP_OK;
}

static bp_result check_skin(const bp_skeleton *skeleton, const bp_skin_desc *desc,
                            bp_error *error) {
    if (desc->joint_count == 0 || !desc->joints)
        return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, "/joints",
                        "a skin needs at least one joint");
    for (uint32_t joint = 0; joint < desc->joint_count; ++joint) {
        if (desc->joints[joint] >= skeleton->node_count)
            return argument_error(error, "joints", joint, "a joint must be a node of the skeleton");
        const float *matrix = desc->inverse_bind_matrices;
        if (!matrix) continue;
        matrix += 16 * (size_t)joint;
        if (!bpi_floats_finite(matrix, 16) || bpi_mat44_affine_error(matrix) > 1e-4f)
            return argument_error(error, "inverse_bind_matrices", joint,
                                  "an inverse bind matrix must be finite, its fourth row 0 0 0 1; "
                                  "is it row-major?");
    }
    bp_result result =
        desc->bind_shape_matrix ? check_bind_shape(desc->bind_shape_matrix, error) : BP_OK;
    return result == BP_OK ? check_products(desc, error) : result;
}

static void fill_skin(bp_skin *skin, bpi_skin_arrays arrays, const bp_skin_desc *desc) {
    skin->bind_shape_source = BP_BIND_SHAPE_GIVEN;
    skin->has_inverse_bind_matrices = desc->inverse_bind_matrices != NULL;
    if (desc->bind_shape_matrix) skin->bind_shape = bp_mat34_from_mat44(desc->bind_shape_matrix);
    for (uint32_t joint = 0; joint < desc->joint_count; ++joint) {
        arrays.joints[joint] = desc->joints[joint];
        arrays.joint_from_mesh[joint] = joint_from_mesh(desc, joint);
    }
}

bp_result bp_skin_build(bp_skin **skin, const bp_skeleton *skeleton, const bp_skin_desc *desc,
                        bp_error *error) {
    assert(skin && skeleton && desc);
    *skin = NULL;
    bp_result result = check_skin(skeleton, desc, error);
    if (result != BP_OK) return result;

    bpi_layout layout = {0};
    bp_skin measured;
    bpi_layout_take(&layout, 1, sizeof **skin);
    bpi_skin_layout(&layout, &measured, desc->joint_count);
    bpi_memory memory = bpi_memory_make(&desc->allocator, 0);
    void *block = layout.overflow ? NULL : bpi_block_create(&memory, layout.size);
    if (!block) return out_of_memory(error);
    layout = (bpi_layout){.base = block};
    bp_skin *built = bpi_layout_take(&layout, 1, sizeof *built);
    fill_skin(built, bpi_skin_layout(&layout, built, desc->joint_count), desc);
    *skin = built;
    return BP_OK;
}

void bp_skin_destroy(bp_skin *skin) {
    bpi_block_destroy(skin);
}
