// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Meshes: their primitives, morph targets and how many joints their vertices may name. */
#include "gltf/gltf_reader.h"

#include <assert.h>
#include <string.h>

static bool plan_primitives(bpi_gltf_reader *reader, bpi_gltf_mesh_plan *mesh, bp_json primitives) {
    const bp_document *document = reader->document;
    if (primitives == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, mesh->place, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"primitives\" is missing");
    if (!bpi_gltf_expect(reader, primitives, BP_JSON_ARRAY)) return false;
    mesh->primitive_count = bp_json_count(document, primitives);
    if (mesh->primitive_count == 0)
        bpi_warn(&reader->report, document, primitives, BP_RULE_EMPTY_ENTITY, 1,
                 "a mesh needs at least one primitive; nothing is drawn");
    mesh->primitives = bpi_gltf_take(reader, mesh->primitive_count, sizeof *mesh->primitives);
    if (!mesh->primitives) return false;
    bp_json element = bp_json_first(document, primitives);
    for (uint32_t i = 0; i < mesh->primitive_count; ++i) {
        bpi_gltf_primitive_plan *plan = &mesh->primitives[i];
        if (!bpi_gltf_expect(reader, element, BP_JSON_OBJECT) ||
            !bpi_gltf_plan_primitive(reader, element, plan))
            return false;
        if (i > 0 && plan->shape.target_count != mesh->target_count)
            bpi_warn(&reader->report, document, element,
                     BP_RULE_MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, 1,
                     "%u morph targets, its neighbours have %u; missing ones change nothing",
                     plan->shape.target_count, mesh->target_count);
        if (plan->shape.target_count > mesh->target_count)
            mesh->target_count = plan->shape.target_count;
        if (plan->shape.influence_count > 0) mesh->has_influences = true;
        element = bp_json_next(document, primitives, element);
    }
    return true;
}

static bool plan_mesh(bpi_gltf_reader *reader, uint32_t index) {
    static const bpi_json_name names[] = {BPI_NAME("name"), BPI_NAME("primitives"),
                                          BPI_NAME("weights"), BPI_NAME("extras")};
    const bp_document *document = reader->document;
    bpi_gltf_mesh_plan *mesh = &reader->meshes[index];
    bp_json m[4];
    if (!bpi_gltf_object(reader, BPI_GLTF_MESHES, index, &mesh->place) ||
        !bpi_gltf_members(reader, mesh->place, names, m, 4) ||
        !bpi_gltf_expect(reader, m[0], BP_JSON_STRING))
        return false;
    mesh->name = m[0];
    mesh->weights = m[2];
    mesh->given_weight_count = bp_json_count(document, m[2]);
    mesh->target_names = bp_json_member(document, m[3], "targetNames");
    if (!plan_primitives(reader, mesh, m[1])) return false;
    /* Not of the specification, but what exporters agree on: used only when it fits. */
    if (bp_json_type_of(document, mesh->target_names) != BP_JSON_ARRAY ||
        bp_json_count(document, mesh->target_names) != mesh->target_count)
        mesh->target_names = BP_JSON_NONE;
    return true;
}

bool bpi_gltf_plan_meshes(bpi_gltf_reader *reader) {
    uint32_t count = reader->counts[BPI_GLTF_MESHES];
    reader->meshes = bpi_gltf_take(reader, count, sizeof *reader->meshes);
    if (!reader->meshes) return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!plan_mesh(reader, i)) return false;
    return true;
}

/* The greatest of `count` groups of four unsigned bytes or shorts, `stride` bytes apart. */
static uint32_t greatest_of(const unsigned char *data, uint64_t count, size_t stride, bool bytes,
                            uint32_t greatest) {
    for (uint64_t i = 0; i < count && data; ++i, data += stride)
        for (int k = 0; k < 4; ++k) {
            uint32_t joint = bytes ? data[k] : (uint32_t)(data[2 * k] | data[2 * k + 1] << 8);
            if (joint > greatest) greatest = joint;
        }
    return greatest;
}

/*
 * Without a skin in the file nothing but the vertices says how many joints there are. What a sparse
 * accessor overrides counts too: more joints than are named do no harm.
 */
static bool count_joints(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan, uint32_t *joints) {
    if (!bpi_gltf_decode_draco(reader, plan)) return false;
    uint32_t greatest = 0;
    for (uint32_t set = 0; set < plan->set_count; ++set) {
        const bp_accessor *accessor = &plan->joints[set].accessor;
        bool bytes = accessor->component_type == BP_COMPONENT_U8;
        greatest = greatest_of(accessor->data, accessor->count, accessor->stride, bytes, greatest);
        greatest = greatest_of(accessor->sparse_values, accessor->sparse_count, bytes ? 4 : 8,
                               bytes, greatest);
    }
    *joints = greatest + 1;
    return true;
}

bool bpi_gltf_plan_influences(bpi_gltf_reader *reader) {
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_MESHES]; ++i) {
        bpi_gltf_mesh_plan *mesh = &reader->meshes[i];
        for (uint32_t k = 0; k < mesh->primitive_count; ++k) {
            bpi_gltf_primitive_plan *plan = &mesh->primitives[k];
            if (plan->shape.influence_count == 0) continue;
            plan->shape.joint_count = mesh->joint_limit;
            if (mesh->joint_limit == 0 && !count_joints(reader, plan, &plan->shape.joint_count))
                return false;
            /* JOINTS_n are 16-bit at most: joints past those cannot be named. */
            if (plan->shape.joint_count > 65536) plan->shape.joint_count = 65536;
        }
    }
    return true;
}

static void lay_out_target_names(bpi_gltf_reader *reader, bpi_layout *layout,
                                 const bpi_gltf_mesh_plan *plan, bp_mesh *mesh) {
    const bp_document *document = reader->document;
    if (plan->target_names == BP_JSON_NONE) return;
    const char **names = bpi_layout_take(layout, plan->target_count, sizeof *names);
    mesh->target_names = names;
    bp_json element = bp_json_first(document, plan->target_names);
    for (uint32_t i = 0; i < plan->target_count; ++i) {
        const char *name = bpi_gltf_lay_out_string(reader, layout, element);
        if (names) names[i] = name;
        element = bp_json_next(document, plan->target_names, element);
    }
}

void bpi_gltf_lay_out_meshes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    model->mesh_count = reader->counts[BPI_GLTF_MESHES];
    bp_mesh *meshes = bpi_layout_take(layout, model->mesh_count, sizeof *meshes);
    model->meshes = meshes;
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        bpi_gltf_mesh_plan *plan = &reader->meshes[i];
        bp_mesh measured, *mesh = meshes ? &meshes[i] : &measured;
        bp_primitive *primitives =
            bpi_layout_take(layout, plan->primitive_count, sizeof *primitives);
        *mesh = (bp_mesh){.name = bpi_gltf_lay_out_string(reader, layout, plan->name),
                          .primitive_count = plan->primitive_count,
                          .primitives = primitives,
                          .target_count = plan->target_count};
        lay_out_target_names(reader, layout, plan, mesh);
        for (uint32_t k = 0; k < plan->primitive_count; ++k) {
            const bpi_gltf_primitive_plan *shape = &plan->primitives[k];
            bp_primitive unused, *primitive = primitives ? &primitives[k] : &unused;
            bpi_primitive_layout(layout, primitive, &shape->shape);
            primitive->topology = shape->topology;
            primitive->material = shape->material;
        }
        plan->built = primitives;
    }
}

bool bpi_gltf_fill_meshes(bpi_gltf_reader *reader) {
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_MESHES]; ++i) {
        bpi_gltf_mesh_plan *mesh = &reader->meshes[i];
        for (uint32_t k = 0; k < mesh->primitive_count; ++k)
            if (!bpi_gltf_fill_primitive(reader, &mesh->primitives[k], &mesh->built[k]))
                return false;
    }
    return true;
}
