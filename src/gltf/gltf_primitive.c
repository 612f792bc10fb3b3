// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * One primitive, planned: which streams exist, where their elements come from, and how many there
 * are. All streams of a primitive have the count of POSITION.
 */
#include "gltf/gltf_reader.h"

#include <assert.h>
#include <string.h>

/* What the specification allows for one attribute. */
typedef struct stream_rule {
    bpi_json_name name;
    bp_element_type element_type, other_element_type;
    bool takes_any_integer; /* with KHR_mesh_quantization */
} stream_rule;

static const stream_rule STREAM_RULES[BPI_GLTF_STREAM_COUNT] = {
    [BPI_GLTF_POSITION] = {BPI_NAME("POSITION"), BP_ELEMENT_VEC3, BP_ELEMENT_VEC3, true},
    [BPI_GLTF_NORMAL] = {BPI_NAME("NORMAL"), BP_ELEMENT_VEC3, BP_ELEMENT_VEC3, true},
    [BPI_GLTF_TANGENT] = {BPI_NAME("TANGENT"), BP_ELEMENT_VEC4, BP_ELEMENT_VEC4, true},
    [BPI_GLTF_TEXCOORD_0] = {BPI_NAME("TEXCOORD_0"), BP_ELEMENT_VEC2, BP_ELEMENT_VEC2, true},
    [BPI_GLTF_TEXCOORD_1] = {BPI_NAME("TEXCOORD_1"), BP_ELEMENT_VEC2, BP_ELEMENT_VEC2, true},
    [BPI_GLTF_COLOR_0] = {BPI_NAME("COLOR_0"), BP_ELEMENT_VEC4, BP_ELEMENT_VEC3, false},
};

/* The accessor of an attribute; `exists` stays false when the attribute is absent. */
static bool find_source(bpi_gltf_reader *reader, bp_json value, bpi_gltf_source *source) {
    int32_t index;
    *source = (bpi_gltf_source){.draco_id = -1, .place = value};
    if (!bpi_gltf_reference(reader, value, BPI_GLTF_ACCESSORS, &index)) return false;
    if (index < 0) return true;
    source->exists = true;
    return bpi_gltf_accessor(reader, (uint32_t)index, value, &source->accessor);
}

static bool refuse_format(bpi_gltf_reader *reader, bp_json place, const char *wanted) {
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place,
                           BP_RULE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, "must be %s",
                           wanted);
}

static bool refuse_count(bpi_gltf_reader *reader, const bpi_gltf_source *source, bp_rule rule,
                         uint32_t vertex_count) {
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, source->place, rule,
                           "%u elements, but POSITION has %u", source->accessor.count,
                           vertex_count);
}

static bool is_declared_type(const bpi_gltf_reader *reader, const bp_accessor *accessor, bool color,
                             bool texcoord) {
    if (accessor->component_type == BP_COMPONENT_F32) return true;
    bool is_unsigned =
        accessor->component_type == BP_COMPONENT_U8 || accessor->component_type == BP_COMPONENT_U16;
    if ((color || texcoord) && is_unsigned) return accessor->normalized || reader->quantized;
    return reader->quantized;
}

static bool plan_stream(bpi_gltf_reader *reader, bpi_gltf_source *source, bpi_gltf_stream stream,
                        uint32_t vertex_count) {
    const stream_rule *rule = &STREAM_RULES[stream];
    const bp_accessor *accessor = &source->accessor;
    if (!source->exists) return true;
    if (accessor->element_type != rule->element_type &&
        accessor->element_type != rule->other_element_type) {
        static const char *const shapes[] = {"scalars", "VEC2", "VEC3", "VEC4"};
        return refuse_format(reader, source->place, shapes[rule->element_type]);
    }
    if (accessor->component_type == BP_COMPONENT_U32)
        return refuse_format(reader, source->place, "floats, or integers of 8 or 16 bits");
    if (accessor->count != vertex_count)
        return refuse_count(reader, source, BP_RULE_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
                            vertex_count);
    bool texcoord = stream == BPI_GLTF_TEXCOORD_0 || stream == BPI_GLTF_TEXCOORD_1;
    if (!is_declared_type(reader, accessor, stream == BPI_GLTF_COLOR_0, texcoord))
        bpi_warn(&reader->report, reader->document, source->place,
                 BP_RULE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, 1,
                 "integers need KHR_mesh_quantization, which is not declared; read all the same");
    return true;
}

/* The attributes with fixed names; POSITION says how many vertices there are. */
static bool plan_streams(bpi_gltf_reader *reader, bp_json attributes,
                         bpi_gltf_primitive_plan *plan) {
    bpi_json_name names[BPI_GLTF_STREAM_COUNT];
    bp_json m[BPI_GLTF_STREAM_COUNT];
    for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
        names[i] = STREAM_RULES[i].name;
    if (!bpi_gltf_members(reader, attributes, names, m, BPI_GLTF_STREAM_COUNT)) return false;
    for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
        if (!find_source(reader, m[i], &plan->streams[i])) return false;
    if (!plan->streams[BPI_GLTF_POSITION].exists) {
        bpi_warn(&reader->report, reader->document, plan->place, BP_RULE_MESH_PRIMITIVE_NO_POSITION,
                 1, "no POSITION; nothing can be drawn");
        for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
            plan->streams[i].exists = false;
        return true;
    }
    uint32_t vertex_count = plan->streams[BPI_GLTF_POSITION].accessor.count;
    uint64_t limit = reader->options->limits.vertices;
    plan->shape.vertex_count = vertex_count;
    reader->vertex_count += vertex_count;
    if (reader->vertex_count > limit)
        return bpi_gltf_refuse(reader, BP_ERROR_LIMIT, plan->streams[BPI_GLTF_POSITION].place,
                               BP_RULE_NONE, "%llu vertices, the load options allow %llu",
                               (unsigned long long)reader->vertex_count, (unsigned long long)limit);
    for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
        if (!plan_stream(reader, &plan->streams[i], (bpi_gltf_stream)i, vertex_count)) return false;
    return true;
}

static bool check_influence_set(bpi_gltf_reader *reader, bpi_gltf_source *joints,
                                bpi_gltf_source *weights, uint32_t vertex_count) {
    bp_accessor *j = &joints->accessor, *w = &weights->accessor;
    if (j->element_type != BP_ELEMENT_VEC4 ||
        (j->component_type != BP_COMPONENT_U8 && j->component_type != BP_COMPONENT_U16))
        return refuse_format(reader, joints->place, "VEC4 of unsigned bytes or shorts");
    if (w->element_type != BP_ELEMENT_VEC4 || w->component_type == BP_COMPONENT_U32 ||
        w->component_type == BP_COMPONENT_I8 || w->component_type == BP_COMPONENT_I16)
        return refuse_format(reader, weights->place,
                             "VEC4 of floats or normalized unsigned bytes or shorts");
    if (w->component_type != BP_COMPONENT_F32 && !w->normalized) {
        bpi_warn(&reader->report, reader->document, weights->place,
                 BP_RULE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, 1,
                 "integer weights without \"normalized\"; read as normalized");
        w->normalized = true;
    }
    if (j->count != vertex_count)
        return refuse_count(reader, joints, BP_RULE_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
                            vertex_count);
    return w->count == vertex_count ||
           refuse_count(reader, weights, BP_RULE_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
                        vertex_count);
}

/* JOINTS_n and WEIGHTS_n by n; BP_JSON_NONE where there is none. */
typedef struct set_members {
    bp_json *joints, *weights; /* [count] */
    uint32_t count;            /* more than there can be in a row */
} set_members;

/* The number n of "PREFIX_n", written as it should be; `most` when the key is another one. */
static uint32_t set_number(const char *key, const char *prefix, uint32_t most) {
    size_t length = strlen(prefix);
    uint32_t number = 0;
    if (strncmp(key, prefix, length) != 0) return most;
    const char *digit = key + length;
    if (*digit == '\0' || (digit[0] == '0' && digit[1] != '\0')) return most;
    for (; *digit; ++digit) {
        if (*digit < '0' || *digit > '9' || number >= most) return most;
        number = 10 * number + (uint32_t)(*digit - '0');
    }
    return number < most ? number : most;
}

/* Finds all in one pass: looking for each by name would take as many passes as there are sets. */
static bool find_sets(bpi_gltf_reader *reader, bp_json attributes, set_members *sets) {
    const bp_document *document = reader->document;
    sets->count = bp_json_count(document, attributes) + 1;
    sets->joints = bpi_gltf_take(reader, 2 * (size_t)sets->count, sizeof *sets->joints);
    if (!sets->joints) return false;
    sets->weights = sets->joints + sets->count;
    for (size_t i = 0; i < 2 * (size_t)sets->count; ++i)
        sets->joints[i] = BP_JSON_NONE;
    for (bp_json value = bp_json_first(document, attributes); value != BP_JSON_NONE;
         value = bp_json_next(document, attributes, value)) {
        char key[24];
        if (bp_json_key(document, value, key, sizeof key) >= sizeof key) continue;
        uint32_t joints = set_number(key, "JOINTS_", sets->count);
        uint32_t weights = set_number(key, "WEIGHTS_", sets->count);
        if (joints < sets->count && sets->joints[joints] == BP_JSON_NONE)
            sets->joints[joints] = value;
        if (weights < sets->count && sets->weights[weights] == BP_JSON_NONE)
            sets->weights[weights] = value;
    }
    return true;
}

/* How many sets JOINTS_0/WEIGHTS_0, JOINTS_1/WEIGHTS_1, ... there are in a row. */
static uint32_t count_sets(bpi_gltf_reader *reader, const set_members *sets) {
    uint32_t set = 0;
    for (;; ++set) {
        bp_json joints = sets->joints[set], weights = sets->weights[set];
        if ((joints == BP_JSON_NONE) != (weights == BP_JSON_NONE))
            bpi_warn(&reader->report, reader->document, joints != BP_JSON_NONE ? joints : weights,
                     BP_RULE_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, 1,
                     "JOINTS_%u and WEIGHTS_%u only count together; not used", set, set);
        if (joints == BP_JSON_NONE || weights == BP_JSON_NONE) return set;
    }
}

static bool plan_influence_sets(bpi_gltf_reader *reader, bp_json attributes,
                                bpi_gltf_primitive_plan *plan) {
    set_members sets;
    if (!find_sets(reader, attributes, &sets)) return false;
    plan->set_count = count_sets(reader, &sets);
    if (plan->shape.vertex_count == 0) plan->set_count = 0;
    if (plan->set_count == 0) return true;
    plan->joints = bpi_gltf_take(reader, plan->set_count, sizeof *plan->joints);
    plan->weights = bpi_gltf_take(reader, plan->set_count, sizeof *plan->weights);
    if (!plan->joints || !plan->weights) return false;
    plan->shape.influence_count = 4 * plan->set_count;
    for (uint32_t set = 0; set < plan->set_count; ++set) {
        if (!find_source(reader, sets.joints[set], &plan->joints[set]) ||
            !find_source(reader, sets.weights[set], &plan->weights[set]) ||
            !check_influence_set(reader, &plan->joints[set], &plan->weights[set],
                                 plan->shape.vertex_count))
            return false;
    }
    return true;
}

/* One morph target: deltas of the first three streams. */
static bool plan_target(bpi_gltf_reader *reader, bp_json object,
                        const bpi_gltf_primitive_plan *plan, bpi_gltf_target_plan *target,
                        bpi_target_shape *shape) {
    static const bpi_json_name names[] = {BPI_NAME("POSITION"), BPI_NAME("NORMAL"),
                                          BPI_NAME("TANGENT")};
    bp_json m[3];
    if (!bpi_gltf_expect(reader, object, BP_JSON_OBJECT) ||
        !bpi_gltf_members(reader, object, names, m, 3))
        return false;
    for (int i = 0; i < 3; ++i) {
        bpi_gltf_source *source = &target->streams[i];
        if (!find_source(reader, m[i], source)) return false;
        if (!source->exists) continue;
        if (!plan->streams[i].exists) {
            bpi_warn(&reader->report, reader->document, m[i],
                     BP_RULE_MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, 1,
                     "the primitive has no %.*s to change; not used", names[i].length,
                     names[i].quoted);
            source->exists = false;
            continue;
        }
        if (source->accessor.element_type != BP_ELEMENT_VEC3 ||
            source->accessor.component_type == BP_COMPONENT_U32)
            return refuse_format(reader, m[i], "VEC3 of floats, or of integers of 8 or 16 bits");
        if (source->accessor.count != plan->shape.vertex_count)
            return refuse_count(reader, source,
                                BP_RULE_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT,
                                plan->shape.vertex_count);
    }
    *shape = (bpi_target_shape){.positions = target->streams[0].exists,
                                .normals = target->streams[1].exists,
                                .tangents = target->streams[2].exists};
    return true;
}

static bool plan_targets(bpi_gltf_reader *reader, bp_json targets, bpi_gltf_primitive_plan *plan) {
    const bp_document *document = reader->document;
    if (!bpi_gltf_expect(reader, targets, BP_JSON_ARRAY)) return false;
    uint32_t count = bp_json_count(document, targets);
    if (count == 0) return true;
    bpi_target_shape *shapes = bpi_gltf_take(reader, count, sizeof *shapes);
    plan->targets = bpi_gltf_take(reader, count, sizeof *plan->targets);
    if (!shapes || !plan->targets) return false;
    plan->shape.target_count = count;
    plan->shape.targets = shapes;
    bp_json element = bp_json_first(document, targets);
    for (uint32_t i = 0; i < count; ++i) {
        if (!plan_target(reader, element, plan, &plan->targets[i], &shapes[i])) return false;
        element = bp_json_next(document, targets, element);
    }
    return true;
}

static bool plan_indices(bpi_gltf_reader *reader, bp_json value, bpi_gltf_primitive_plan *plan) {
    if (!find_source(reader, value, &plan->indices)) return false;
    if (!plan->indices.exists) return true;
    const bp_accessor *accessor = &plan->indices.accessor;
    bool integer = accessor->component_type == BP_COMPONENT_U8 ||
                   accessor->component_type == BP_COMPONENT_U16 ||
                   accessor->component_type == BP_COMPONENT_U32;
    if (accessor->element_type != BP_ELEMENT_SCALAR || !integer)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value,
                               BP_RULE_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT,
                               "indices must be scalars of unsigned integers");
    if (plan->streams[BPI_GLTF_POSITION].exists) plan->shape.index_count = accessor->count;
    return true;
}

static void set_shape(bpi_gltf_primitive_plan *plan) {
    plan->shape.positions = plan->streams[BPI_GLTF_POSITION].exists;
    plan->shape.normals = plan->streams[BPI_GLTF_NORMAL].exists;
    plan->shape.tangents = plan->streams[BPI_GLTF_TANGENT].exists;
    plan->shape.texcoords = plan->streams[BPI_GLTF_TEXCOORD_0].exists;
    plan->shape.texcoords1 = plan->streams[BPI_GLTF_TEXCOORD_1].exists;
    plan->shape.colors = plan->streams[BPI_GLTF_COLOR_0].exists;
}

bool bpi_gltf_plan_primitive(bpi_gltf_reader *reader, bp_json object,
                             bpi_gltf_primitive_plan *plan) {
    static const bpi_json_name names[] = {BPI_NAME("attributes"), BPI_NAME("indices"),
                                          BPI_NAME("material"),   BPI_NAME("mode"),
                                          BPI_NAME("targets"),    BPI_NAME("extensions")};
    bp_json m[6];
    static const bp_topology topologies[] = {BP_TOPOLOGY_POINTS,      BP_TOPOLOGY_LINES,
                                             BP_TOPOLOGY_LINE_LOOP,   BP_TOPOLOGY_LINE_STRIP,
                                             BP_TOPOLOGY_TRIANGLES,   BP_TOPOLOGY_TRIANGLE_STRIP,
                                             BP_TOPOLOGY_TRIANGLE_FAN};
    uint32_t mode = 4;
    plan->place = object;
    plan->draco = BP_JSON_NONE;
    if (!bpi_gltf_members(reader, object, names, m, 6)) return false;
    if (m[0] == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, object, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"attributes\" is missing");
    if (!bpi_gltf_uint(reader, m[3], &mode)) return false;
    if (mode >= sizeof topologies / sizeof *topologies)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, m[3], BP_RULE_VALUE_NOT_IN_LIST,
                               "mode %u does not exist", mode);
    plan->topology = topologies[mode];
    if (!bpi_gltf_reference(reader, m[2], BPI_GLTF_MATERIALS, &plan->material) ||
        !plan_streams(reader, m[0], plan) || !plan_influence_sets(reader, m[0], plan) ||
        !plan_indices(reader, m[1], plan) || !plan_targets(reader, m[4], plan))
        return false;
    set_shape(plan);
    bp_json draco = BP_JSON_NONE;
    if (m[5] != BP_JSON_NONE)
        draco = bp_json_member(reader->document, m[5], "KHR_draco_mesh_compression");
    return draco == BP_JSON_NONE || bpi_gltf_plan_draco(reader, draco, plan);
}
