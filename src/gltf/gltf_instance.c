// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Nodes that draw a mesh, and the copies of EXT_mesh_gpu_instancing. */
#include "gltf/gltf_reader.h"

#include <string.h>

/* Copies of one node: TRANSLATION, ROTATION, SCALE, each optional, all of one count. */
enum { COPY_ATTRIBUTES = 3 };
static const bpi_json_name COPY_NAMES[COPY_ATTRIBUTES] = {BPI_NAME("TRANSLATION"),
                                                          BPI_NAME("ROTATION"), BPI_NAME("SCALE")};
static const bp_element_type COPY_TYPES[COPY_ATTRIBUTES] = {BP_ELEMENT_VEC3, BP_ELEMENT_VEC4,
                                                            BP_ELEMENT_VEC3};

/* The accessors of a node's copies, and how many copies; 0 when none of the attributes is there. */
static bool read_copies(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node,
                        bp_accessor accessors[COPY_ATTRIBUTES], bool exists[COPY_ATTRIBUTES],
                        uint32_t *count) {
    const bp_document *document = reader->document;
    bp_json m[COPY_ATTRIBUTES];
    bp_json attributes = bp_json_member(document, node->instancing, "attributes");
    if (!bpi_gltf_expect(reader, node->instancing, BP_JSON_OBJECT)) return false;
    if (attributes == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, node->instancing,
                               BP_RULE_UNDEFINED_PROPERTY, "property \"attributes\" is missing");
    if (!bpi_gltf_members(reader, attributes, COPY_NAMES, m, COPY_ATTRIBUTES)) return false;
    bool counted = false;
    *count = 0;
    for (int i = 0; i < COPY_ATTRIBUTES; ++i) {
        int32_t index;
        if (!bpi_gltf_reference(reader, m[i], BPI_GLTF_ACCESSORS, &index)) return false;
        exists[i] = index >= 0;
        if (!exists[i]) continue;
        if (!bpi_gltf_accessor(reader, (uint32_t)index, m[i], &accessors[i])) return false;
        bool fits = accessors[i].element_type == COPY_TYPES[i] &&
                    (!counted || *count == accessors[i].count);
        if (!fits)
            return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, m[i], BP_RULE_INSTANCING_INVALID,
                                   "%.*s has the wrong type or another count than its neighbours",
                                   COPY_NAMES[i].length, COPY_NAMES[i].quoted);
        bool is_rotation = COPY_TYPES[i] == BP_ELEMENT_VEC4;
        if (is_rotation && accessors[i].component_type != BP_COMPONENT_F32 &&
            !accessors[i].normalized) {
            bpi_warn(&reader->report, document, m[i], BP_RULE_INSTANCING_INVALID, 1,
                     "integer rotations without \"normalized\"; read as normalized");
            accessors[i].normalized = true;
        }
        *count = accessors[i].count;
        counted = true;
    }
    return true;
}

/* A mesh without skin, a skin without mesh: said here, where both are known. */
static void warn_of_pairing(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node) {
    const bpi_gltf_mesh_plan *mesh = node->mesh < 0 ? NULL : &reader->meshes[node->mesh];
    if (!mesh && node->skin >= 0)
        bpi_warn(&reader->report, reader->document, node->place, BP_RULE_UNSATISFIED_DEPENDENCY, 1,
                 "a skin without a mesh; nothing is drawn");
    if (!mesh && node->weights != BP_JSON_NONE)
        bpi_warn(&reader->report, reader->document, node->weights, BP_RULE_UNSATISFIED_DEPENDENCY,
                 1, "morph weights without a mesh; not used");
    if (mesh && node->skin < 0 && mesh->has_influences)
        bpi_warn(&reader->report, reader->document, node->place,
                 BP_RULE_NODE_SKINNED_MESH_WITHOUT_SKIN, 1,
                 "the mesh has joints and weights, the node no skin; the node moves it rigidly");
    if (mesh && node->skin >= 0 && !mesh->has_influences)
        bpi_warn(&reader->report, reader->document, node->place,
                 BP_RULE_NODE_SKIN_WITH_NON_SKINNED_MESH, 1,
                 "a skin, but the mesh has no joints and weights; the node moves it rigidly");
}

static bool plan_instance(bpi_gltf_reader *reader, bpi_gltf_node_plan *node) {
    warn_of_pairing(reader, node);
    if (node->mesh < 0) return true;
    bpi_gltf_mesh_plan *mesh = &reader->meshes[node->mesh];
    ++reader->instance_count;
    node->weight_count = mesh->target_count;
    if (node->weight_count > (uint32_t)INT32_MAX - reader->weight_count)
        return bpi_gltf_refuse(reader, BP_ERROR_LIMIT, node->place, BP_RULE_NONE,
                               "more than 2147483647 morph weights");
    reader->weight_count += node->weight_count;
    if (node->skin >= 0) {
        uint32_t joints = reader->skins[node->skin].joint_count;
        if (mesh->joint_limit == 0 || joints < mesh->joint_limit) mesh->joint_limit = joints;
    }
    if (node->instancing == BP_JSON_NONE) return true;
    bp_accessor accessors[COPY_ATTRIBUTES];
    bool exists[COPY_ATTRIBUTES];
    return read_copies(reader, node, accessors, exists, &node->copy_count);
}

bool bpi_gltf_plan_instances(bpi_gltf_reader *reader) {
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_NODES]; ++i)
        if (!plan_instance(reader, &reader->nodes[i])) return false;
    return true;
}

void bpi_gltf_lay_out_instances(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    bp_instance *instances = bpi_layout_take(layout, reader->instance_count, sizeof *instances);
    model->instance_count = reader->instance_count;
    model->instances = reader->instances = instances;
    uint32_t next = 0;
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_NODES]; ++i) {
        bpi_gltf_node_plan *node = &reader->nodes[i];
        if (node->mesh < 0) continue;
        node->copies = bpi_layout_take(layout, node->copy_count, sizeof *node->copies);
        if (!instances) continue;
        instances[next++] = (bp_instance){.node = reader->node_from_file[i],
                                          .mesh = (uint32_t)node->mesh,
                                          .skin = node->skin,
                                          .in_default_scene = node->in_default_scene,
                                          .copy_count = node->copy_count,
                                          .copies = node->copies};
    }
}

static bool fill_copies(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node) {
    static const size_t offsets[COPY_ATTRIBUTES] = {offsetof(bp_transform, translation),
                                                    offsetof(bp_transform, rotation),
                                                    offsetof(bp_transform, scale)};
    bp_accessor accessors[COPY_ATTRIBUTES];
    bool exists[COPY_ATTRIBUTES];
    uint32_t count;
    if (!read_copies(reader, node, accessors, exists, &count)) return false;
    for (uint32_t k = 0; k < node->copy_count; ++k)
        node->copies[k] = bp_transform_identity();
    for (int i = 0; i < COPY_ATTRIBUTES; ++i) {
        if (!exists[i] || node->copy_count == 0) continue;
        float *first = (float *)((unsigned char *)node->copies + offsets[i]);
        bp_accessor_read_floats(&accessors[i], first, sizeof(bp_transform) / sizeof(float));
    }
    size_t floats = (size_t)node->copy_count * (sizeof(bp_transform) / sizeof(float));
    if (bpi_floats_finite((const float *)node->copies, floats)) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, node->instancing,
                           BP_RULE_ACCESSOR_INVALID_FLOAT, "a copy's transform is not finite");
}

bool bpi_gltf_fill_instances(bpi_gltf_reader *reader) {
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_NODES]; ++i) {
        const bpi_gltf_node_plan *node = &reader->nodes[i];
        if (node->mesh >= 0 && node->copy_count > 0 && !fill_copies(reader, node)) return false;
    }
    return true;
}
