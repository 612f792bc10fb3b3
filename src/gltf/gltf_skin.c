// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "gltf/gltf_reader.h"

#include <assert.h>
#include <string.h>

static bool plan_joints(bpi_gltf_reader *reader, bpi_gltf_skin_plan *skin) {
    const bp_document *document = reader->document;
    if (skin->joints == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, skin->place, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"joints\" is missing");
    if (!bpi_gltf_expect(reader, skin->joints, BP_JSON_ARRAY)) return false;
    bp_json element = bp_json_first(document, skin->joints);
    for (; element != BP_JSON_NONE; element = bp_json_next(document, skin->joints, element)) {
        int32_t node;
        if (!bpi_gltf_reference(reader, element, BPI_GLTF_NODES, &node)) return false;
        ++skin->joint_count;
    }
    if (skin->joint_count > 0) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, skin->joints, BP_RULE_EMPTY_ENTITY,
                           "a skin needs at least one joint");
}

static bool plan_matrices(bpi_gltf_reader *reader, bpi_gltf_skin_plan *skin, uint32_t accessor) {
    bp_json place = skin->matrices_place;
    if (!bpi_gltf_accessor(reader, accessor, place, &skin->matrices)) return false;
    if (skin->matrices.element_type != BP_ELEMENT_MAT4 ||
        skin->matrices.component_type != BP_COMPONENT_F32)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place, BP_RULE_SKIN_IBM_INVALID_FORMAT,
                               "inverse bind matrices must be MAT4 of floats");
    if (skin->matrices.count < skin->joint_count)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place, BP_RULE_INVALID_IBM_ACCESSOR_COUNT,
                               "%u inverse bind matrices for %u joints", skin->matrices.count,
                               skin->joint_count);
    skin->has_matrices = true;
    skin->matrices_index = accessor;
    return true;
}

static bool plan_skin(bpi_gltf_reader *reader, uint32_t index) {
    static const bpi_json_name names[] = {BPI_NAME("name"), BPI_NAME("joints"),
                                          BPI_NAME("inverseBindMatrices"), BPI_NAME("skeleton")};
    bpi_gltf_skin_plan *skin = &reader->skins[index];
    bp_json m[4];
    if (!bpi_gltf_object(reader, BPI_GLTF_SKINS, index, &skin->place) ||
        !bpi_gltf_members(reader, skin->place, names, m, 4))
        return false;
    skin->name = m[0];
    skin->joints = m[1];
    skin->matrices_place = m[2];
    int32_t accessor;
    if (!bpi_gltf_expect(reader, m[0], BP_JSON_STRING) || !plan_joints(reader, skin) ||
        !bpi_gltf_reference(reader, m[3], BPI_GLTF_NODES, &skin->root_hint) ||
        !bpi_gltf_reference(reader, m[2], BPI_GLTF_ACCESSORS, &accessor))
        return false;
    return accessor < 0 || plan_matrices(reader, skin, (uint32_t)accessor);
}

bool bpi_gltf_plan_skins(bpi_gltf_reader *reader) {
    uint32_t count = reader->counts[BPI_GLTF_SKINS];
    reader->skins = bpi_gltf_take(reader, count, sizeof *reader->skins);
    if (!reader->skins) return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!plan_skin(reader, i)) return false;
    return true;
}

void bpi_gltf_lay_out_skins(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    model->skin_count = reader->counts[BPI_GLTF_SKINS];
    bp_skin *skins = bpi_layout_take(layout, model->skin_count, sizeof *skins);
    model->skins = reader->model_skins = skins;
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        bpi_gltf_skin_plan *plan = &reader->skins[i];
        bp_skin measured, *skin = skins ? &skins[i] : &measured;
        plan->arrays = bpi_skin_layout(layout, skin, plan->joint_count);
        skin->name = bpi_gltf_lay_out_string(reader, layout, plan->name);
        skin->has_inverse_bind_matrices = plan->has_matrices;
        if (plan->root_hint >= 0)
            skin->root_hint = (int32_t)reader->node_from_file[plan->root_hint];
    }
}

/* One matrix as the file has it, checked. */
static bool fill_matrix(bpi_gltf_reader *reader, const bpi_gltf_skin_plan *plan, uint32_t joint,
                        const float mat44[16]) {
    if (!bpi_floats_finite(mat44, 16))
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, plan->matrices_place,
                               BP_RULE_ACCESSOR_INVALID_FLOAT,
                               "inverse bind matrix %u is not finite", joint);
    if (bpi_mat44_affine_error(mat44) > 1e-4f)
        bpi_warn(&reader->report, reader->document, plan->matrices_place,
                 BP_RULE_ACCESSOR_INVALID_IBM, 1,
                 "the fourth row of inverse bind matrix %u is not 0 0 0 1; its affine part is used",
                 joint);
    plan->arrays.joint_from_mesh[joint] = bp_mat34_from_mat44(mat44);
    return true;
}

/* All matrices of an accessor with sparse overrides, of which any may be needed; decoded once. */
static const float *read_sparse(bpi_gltf_reader *reader, const bpi_gltf_skin_plan *plan,
                                const float **decoded) {
    const float **known = &decoded[plan->matrices_index];
    if (*known) return *known;
    float *mat44 = bpi_gltf_take(reader, plan->matrices.count, 16 * sizeof *mat44);
    if (mat44) bp_accessor_read_floats(&plan->matrices, mat44, 0);
    return *known = mat44;
}

/*
 * An accessor may hold many more matrices than there are joints, and a million skins may share it:
 * so they are decoded one by one.
 */
static bool fill_matrices(bpi_gltf_reader *reader, const bpi_gltf_skin_plan *plan,
                          const float **decoded) {
    const float *sparse = NULL;
    if (plan->matrices.sparse_count > 0) {
        sparse = read_sparse(reader, plan, decoded);
        if (!sparse) return false;
    }
    bp_accessor one = plan->matrices;
    one.count = 1;
    for (uint32_t joint = 0; joint < plan->joint_count; ++joint) {
        float mat44[16];
        if (!sparse) bp_accessor_read_floats(&one, mat44, 0);
        if (!fill_matrix(reader, plan, joint, sparse ? sparse + 16 * (size_t)joint : mat44))
            return false;
        if (one.data) one.data += one.stride;
    }
    return true;
}

/* The file's joints as nodes of the skeleton. */
static void fill_joints(bpi_gltf_reader *reader, const bpi_gltf_skin_plan *plan) {
    const bp_document *document = reader->document;
    bp_json element = bp_json_first(document, plan->joints);
    for (uint32_t k = 0; k < plan->joint_count; ++k) {
        uint64_t file = 0;
        bp_json_integer(document, element, &file);
        plan->arrays.joints[k] = reader->node_from_file[file];
        plan->arrays.joint_from_mesh[k] = bp_mat34_identity();
        element = bp_json_next(document, plan->joints, element);
    }
}

bool bpi_gltf_fill_skins(bpi_gltf_reader *reader, const bp_skeleton *skeleton) {
    uint32_t count = reader->counts[BPI_GLTF_SKINS];
    if (count == 0) return true;
    bp_mat34 *globals = bpi_gltf_take(reader, skeleton->node_count, sizeof *globals);
    const float **decoded =
        bpi_gltf_take(reader, reader->counts[BPI_GLTF_ACCESSORS], sizeof *decoded);
    if (!globals || !decoded) return false;
    bpi_skeleton_globals(globals, skeleton, skeleton->rest, NULL);
    for (uint32_t i = 0; i < count; ++i) {
        const bpi_gltf_skin_plan *plan = &reader->skins[i];
        fill_joints(reader, plan);
        if (plan->has_matrices && !fill_matrices(reader, plan, decoded)) return false;
        bpi_skin_find_bind_shape(&reader->model_skins[i], globals);
    }
    return true;
}
