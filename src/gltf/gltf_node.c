// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Nodes become the skeleton. Files name children, in any order; a skeleton names parents, parents
 * first. A file that is already in that order keeps its numbers, any other is walked depth first.
 */
#include "gltf/gltf_reader.h"

#include <float.h>
#include <math.h>

static bool read_node(bpi_gltf_reader *reader, bp_json place, bpi_gltf_node_plan *node) {
    static const bpi_json_name names[] = {
        BPI_NAME("name"),     BPI_NAME("matrix"), BPI_NAME("translation"),
        BPI_NAME("rotation"), BPI_NAME("scale"),  BPI_NAME("weights"),
        BPI_NAME("mesh"),     BPI_NAME("skin"),   BPI_NAME("extensions")};
    bp_json m[9];
    if (!bpi_gltf_members(reader, place, names, m, 9)) return false;
    *node = (bpi_gltf_node_plan){.place = place,
                                 .name = m[0],
                                 .matrix = m[1],
                                 .translation = m[2],
                                 .rotation = m[3],
                                 .scale = m[4],
                                 .weights = m[5],
                                 .instancing = BP_JSON_NONE,
                                 .parent = -1,
                                 .first_child = -1,
                                 .next_sibling = -1};
    if (m[1] != BP_JSON_NONE) {
        ++reader->matrix_count;
        if (m[2] != BP_JSON_NONE || m[3] != BP_JSON_NONE || m[4] != BP_JSON_NONE)
            bpi_warn(&reader->report, reader->document, place, BP_RULE_NODE_MATRIX_TRS, 1,
                     "a matrix beside translation, rotation or scale; the matrix is used");
    }
    if (m[8] != BP_JSON_NONE)
        node->instancing = bp_json_member(reader->document, m[8], "EXT_mesh_gpu_instancing");
    return bpi_gltf_expect(reader, m[0], BP_JSON_STRING) &&
           bpi_gltf_reference(reader, m[6], BPI_GLTF_MESHES, &node->mesh) &&
           bpi_gltf_reference(reader, m[7], BPI_GLTF_SKINS, &node->skin);
}

/* Links the children of a node; a node that is named twice is refused. */
static bool read_children(bpi_gltf_reader *reader, uint32_t index) {
    const bp_document *document = reader->document;
    bpi_gltf_node_plan *node = &reader->nodes[index];
    bp_json children = bp_json_member(document, node->place, "children");
    if (!bpi_gltf_expect(reader, children, BP_JSON_ARRAY)) return false;
    int32_t last = -1;
    bp_json element = bp_json_first(document, children);
    for (; element != BP_JSON_NONE; element = bp_json_next(document, children, element)) {
        int32_t child;
        if (!bpi_gltf_reference(reader, element, BPI_GLTF_NODES, &child)) return false;
        if (reader->nodes[child].parent >= 0)
            return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, element, BP_RULE_NODE_PARENT_OVERRIDE,
                                   "node %d already has parent %d; a node has one parent", child,
                                   reader->nodes[child].parent);
        reader->nodes[child].parent = (int32_t)index;
        if (last < 0)
            node->first_child = child;
        else
            reader->nodes[last].next_sibling = child;
        last = child;
    }
    return true;
}

static bool is_parents_first(const bpi_gltf_reader *reader) {
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_NODES]; ++i)
        if (reader->nodes[i].parent >= (int32_t)i) return false;
    return true;
}

/* Writes the tree under `root` depth first, without a stack: parents lead the way back. */
static uint32_t walk_tree(bpi_gltf_reader *reader, int32_t root, uint32_t next) {
    const bpi_gltf_node_plan *nodes = reader->nodes;
    int32_t node = root;
    for (;;) {
        reader->file_from_node[next++] = (uint32_t)node;
        if (nodes[node].first_child >= 0) {
            node = nodes[node].first_child;
            continue;
        }
        while (node != root && nodes[node].next_sibling < 0)
            node = nodes[node].parent;
        if (node == root) return next;
        node = nodes[node].next_sibling;
    }
}

/* A node that no root reaches lies on a loop or below one; parents lead onto the loop. */
static bool refuse_loop(bpi_gltf_reader *reader, const uint8_t *reached) {
    const bpi_gltf_node_plan *nodes = reader->nodes;
    int32_t node = 0;
    while (reached[node])
        ++node;
    for (uint32_t step = 0; step < reader->counts[BPI_GLTF_NODES]; ++step)
        node = nodes[node].parent;
    int32_t first = node;
    for (int32_t n = nodes[node].parent; n != node; n = nodes[n].parent)
        if (n < first) first = n;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, nodes[first].place, BP_RULE_NODE_LOOP,
                           "the node is its own ancestor");
}

static bool order_nodes(bpi_gltf_reader *reader) {
    uint32_t count = reader->counts[BPI_GLTF_NODES], ordered = 0;
    reader->file_from_node = bpi_gltf_take(reader, count, sizeof *reader->file_from_node);
    reader->node_from_file = bpi_gltf_take(reader, count, sizeof *reader->node_from_file);
    uint8_t *reached = bpi_gltf_take(reader, count, 1);
    if (!reader->file_from_node || !reader->node_from_file || !reached) return false;
    if (is_parents_first(reader)) {
        for (; ordered < count; ++ordered)
            reader->file_from_node[ordered] = ordered;
    } else {
        for (uint32_t i = 0; i < count; ++i)
            if (reader->nodes[i].parent < 0) ordered = walk_tree(reader, (int32_t)i, ordered);
    }
    for (uint32_t i = 0; i < ordered; ++i) {
        reader->node_from_file[reader->file_from_node[i]] = i;
        reached[reader->file_from_node[i]] = 1;
    }
    return ordered == count || refuse_loop(reader, reached);
}

bool bpi_gltf_plan_nodes(bpi_gltf_reader *reader) {
    uint32_t count = reader->counts[BPI_GLTF_NODES];
    uint32_t limit = reader->options->limits.nodes;
    if (count > limit)
        return bpi_gltf_refuse(reader, BP_ERROR_LIMIT, reader->arrays[BPI_GLTF_NODES], BP_RULE_NONE,
                               "%u nodes, the load options allow %u", count, limit);
    reader->nodes = bpi_gltf_take(reader, count, sizeof *reader->nodes);
    if (!reader->nodes) return false;
    bp_json place = bp_json_first(reader->document, reader->arrays[BPI_GLTF_NODES]);
    for (uint32_t i = 0; i < count; ++i) {
        if (!read_node(reader, place, &reader->nodes[i])) return false;
        place = bp_json_next(reader->document, reader->arrays[BPI_GLTF_NODES], place);
    }
    for (uint32_t i = 0; i < count; ++i)
        if (!read_children(reader, i)) return false;
    return order_nodes(reader);
}

void bpi_gltf_lay_out_nodes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    uint32_t count = reader->counts[BPI_GLTF_NODES];
    reader->skeleton = bpi_skeleton_layout(layout, &model->skeleton, count, reader->matrix_count,
                                           reader->weight_count);
    for (uint32_t i = 0; i < count; ++i) {
        bp_json name = reader->nodes[reader->file_from_node[i]].name;
        const char *label = bpi_gltf_lay_out_string(reader, layout, name);
        if (reader->skeleton.labels) reader->skeleton.labels[i] = label;
    }
}

static bool fill_matrix(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node, bp_mat34 *matrix,
                        bp_transform *rest) {
    float mat44[16];
    if (!bpi_gltf_floats(reader, node->matrix, mat44, 16)) return false;
    if (bpi_mat44_affine_error(mat44) > 1e-4f)
        bpi_warn(&reader->report, reader->document, node->matrix, BP_RULE_NODE_MATRIX_NON_TRS, 1,
                 "the fourth row is not 0 0 0 1; the affine part is used");
    *matrix = bp_mat34_from_mat44(mat44);
    bp_transform_from_mat34(rest, matrix);
    /* The length of a column can be beyond a float where its parts are not. */
    if (bpi_floats_finite(&rest->translation.x, 10)) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, node->matrix, BP_RULE_VALUE_NOT_IN_RANGE,
                           "too large for floats");
}

static bool fill_transform(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node,
                           bp_transform *rest) {
    *rest = bp_transform_identity();
    if (!bpi_gltf_floats(reader, node->translation, &rest->translation.x, 3) ||
        !bpi_gltf_floats(reader, node->rotation, &rest->rotation.x, 4) ||
        !bpi_gltf_floats(reader, node->scale, &rest->scale.x, 3))
        return false;
    bp_quat q = rest->rotation;
    float length_squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (fabsf(length_squared - 1.0f) > 0.01f)
        bpi_warn(&reader->report, reader->document, node->rotation, BP_RULE_ROTATION_NON_UNIT, 1,
                 "the quaternion is not of unit length; used as it is");
    return true;
}

/* A node's own morph weights, else the mesh's, else zeros; surplus ones are left out. */
static bool fill_weights(bpi_gltf_reader *reader, const bpi_gltf_node_plan *node, float *weights) {
    const bp_document *document = reader->document;
    bp_json source = node->weights;
    uint32_t given = bp_json_count(document, source);
    if (source == BP_JSON_NONE && node->mesh >= 0) {
        source = reader->meshes[node->mesh].weights;
        given = reader->meshes[node->mesh].given_weight_count;
    }
    if (!bpi_gltf_expect(reader, source, BP_JSON_ARRAY)) return false;
    bp_json element = bp_json_first(document, source);
    for (uint32_t i = 0; i < given && i < node->weight_count; ++i) {
        if (!bpi_gltf_float(reader, element, &weights[i])) return false;
        element = bp_json_next(document, source, element);
    }
    if (source != BP_JSON_NONE && given != node->weight_count)
        bpi_warn(&reader->report, document, source,
                 source == node->weights ? BP_RULE_NODE_WEIGHTS_INVALID
                                         : BP_RULE_MESH_INVALID_WEIGHTS_COUNT,
                 1, "%u weights for %u morph targets; missing ones are 0", given,
                 node->weight_count);
    return true;
}

bool bpi_gltf_fill_nodes(bpi_gltf_reader *reader) {
    bpi_skeleton_arrays arrays = reader->skeleton;
    uint32_t count = reader->counts[BPI_GLTF_NODES], next_matrix = 0, next_weight = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t file = reader->file_from_node[i];
        const bpi_gltf_node_plan *node = &reader->nodes[file];
        arrays.parents[i] = node->parent < 0 ? -1 : (int32_t)reader->node_from_file[node->parent];
        arrays.file_from_node[i] = file;
        arrays.node_from_file[file] = i;
        if (node->matrix != BP_JSON_NONE) {
            if (!fill_matrix(reader, node, &arrays.matrices[next_matrix], &arrays.rest[i]))
                return false;
            arrays.matrix_nodes[next_matrix++] = i;
        } else if (!fill_transform(reader, node, &arrays.rest[i])) {
            return false;
        }
        arrays.weight_first[i] = next_weight;
        if (node->weight_count > 0 &&
            !fill_weights(reader, node, arrays.rest_weights + next_weight))
            return false;
        next_weight += node->weight_count;
    }
    arrays.weight_first[count] = next_weight;
    bpi_skeleton_finish(arrays.update_order, arrays.parents, count);
    return true;
}
