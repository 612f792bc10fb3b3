// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* The root object: version, extensions, scenes. */
#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

/* "2.0" as 2 and 0; false when it is not MAJOR.MINOR. */
static bool read_version(const bp_document *document, bp_json value, unsigned *major,
                         unsigned *minor) {
    char text[24], rest;
    if (bp_json_string(document, value, text, sizeof text) >= sizeof text) return false;
    return sscanf(text, "%5u.%5u%c", major, minor, &rest) == 2;
}

static bool plan_asset(bpi_gltf_reader *reader) {
    static const bpi_json_name names[] = {BPI_NAME("version"), BPI_NAME("minVersion")};
    bp_json members[2], asset = bp_json_member(reader->document, 0, "asset");
    if (asset == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, 0, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"asset\" is missing; is this a glTF 2.0 file?");
    if (!bpi_gltf_members(reader, asset, names, members, 2)) return false;
    if (members[0] == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, asset, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"version\" is missing");
    unsigned major, minor;
    bp_json needed = members[1] != BP_JSON_NONE ? members[1] : members[0];
    if (!bpi_gltf_expect(reader, needed, BP_JSON_STRING)) return false;
    if (!read_version(reader->document, needed, &major, &minor) || major != 2)
        return bpi_gltf_refuse(reader, BP_ERROR_UNSUPPORTED, needed,
                               BP_RULE_UNKNOWN_ASSET_MAJOR_VERSION,
                               "only glTF 2 is read; convert the file to glTF 2.0");
    if (members[1] != BP_JSON_NONE && minor > 0)
        bpi_warn(&reader->report, reader->document, needed,
                 BP_RULE_ASSET_MIN_VERSION_GREATER_THAN_VERSION, 1,
                 "the file asks for glTF 2.%u; it is read as 2.0", minor);
    return true;
}

/* Extensions that change neither where a vertex is nor which nodes there are. */
static bool concerns_looks_only(const char *name) {
    static const char *const prefixes[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                           "MSFT_texture_",  "KHR_lights_",  "EXT_lights_",
                                           "KHR_xmp"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static bool is_supported(const char *name) {
    static const char *const names[] = {"KHR_mesh_quantization",   "EXT_meshopt_compression",
                                        "KHR_meshopt_compression", "KHR_draco_mesh_compression",
                                        "KHR_animation_pointer",   "EXT_mesh_gpu_instancing",
                                        "KHR_materials_unlit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool plan_required_extensions(bpi_gltf_reader *reader) {
    const bp_document *document = reader->document;
    bp_json required = bp_json_member(document, 0, "extensionsRequired");
    if (!bpi_gltf_expect(reader, required, BP_JSON_ARRAY)) return false;
    bp_json element = bp_json_first(document, required);
    for (; element != BP_JSON_NONE; element = bp_json_next(document, required, element)) {
        char name[128];
        if (!bpi_gltf_expect(reader, element, BP_JSON_STRING)) return false;
        bp_json_string(document, element, name, sizeof name);
        if (is_supported(name)) continue;
        if (!concerns_looks_only(name))
            return bpi_gltf_refuse(
                reader, BP_ERROR_UNSUPPORTED, element, BP_RULE_EXTENSION_REQUIRED_UNSUPPORTED,
                "the file cannot be read without %s, which is not supported", name);
        bpi_warn(&reader->report, document, element, BP_RULE_EXTENSION_IGNORED, 1,
                 "%s is required but not read; it changes looks, not vertices", name);
    }
    return true;
}

static bool plan_used_extensions(bpi_gltf_reader *reader) {
    const bp_document *document = reader->document;
    bp_json used = bp_json_member(document, 0, "extensionsUsed");
    if (!bpi_gltf_expect(reader, used, BP_JSON_ARRAY)) return false;
    reader->extensions_used = used;
    bp_json element = bp_json_first(document, used);
    for (; element != BP_JSON_NONE; element = bp_json_next(document, used, element)) {
        if (!bpi_gltf_expect(reader, element, BP_JSON_STRING)) return false;
        if (bp_json_equals(document, element, "KHR_mesh_quantization")) reader->quantized = true;
    }
    return true;
}

static bool plan_arrays(bpi_gltf_reader *reader) {
    static const bpi_json_name names[BPI_GLTF_ARRAY_COUNT] = {
        BPI_NAME("accessors"), BPI_NAME("animations"), BPI_NAME("bufferViews"),
        BPI_NAME("images"),    BPI_NAME("materials"),  BPI_NAME("meshes"),
        BPI_NAME("nodes"),     BPI_NAME("samplers"),   BPI_NAME("scenes"),
        BPI_NAME("skins"),     BPI_NAME("textures")};
    if (!bpi_gltf_members(reader, 0, names, reader->arrays, BPI_GLTF_ARRAY_COUNT)) return false;
    for (int kind = 0; kind < BPI_GLTF_ARRAY_COUNT; ++kind) {
        if (!bpi_gltf_expect(reader, reader->arrays[kind], BP_JSON_ARRAY)) return false;
        reader->counts[kind] = bp_json_count(reader->document, reader->arrays[kind]);
        if (reader->counts[kind] > INT32_MAX)
            return bpi_gltf_refuse(reader, BP_ERROR_LIMIT, reader->arrays[kind], BP_RULE_NONE,
                                   "more than 2147483647 elements");
    }
    return true;
}

bool bpi_gltf_plan_root(bpi_gltf_reader *reader) {
    return plan_asset(reader) && plan_required_extensions(reader) && plan_used_extensions(reader) &&
           plan_arrays(reader);
}

void bpi_gltf_lay_out_root(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    const bp_document *document = reader->document;
    bp_json asset = bp_json_member(document, 0, "asset");
    bp_json generator = bp_json_member(document, asset, "generator");
    model->generator = bpi_gltf_lay_out_string(reader, layout, generator);

    bp_json used = reader->extensions_used;
    model->extension_count = bp_json_count(document, used);
    const char **names = bpi_layout_take(layout, model->extension_count, sizeof *names);
    model->extensions_used = names;
    bp_json element = bp_json_first(document, used);
    for (uint32_t i = 0; element != BP_JSON_NONE; element = bp_json_next(document, used, element)) {
        const char *name = bpi_gltf_lay_out_string(reader, layout, element);
        if (names) names[i++] = name;
    }
}

/* Checks the roots of a scene; marks them when it is the default scene. */
static bool plan_scene(bpi_gltf_reader *reader, uint32_t index) {
    const bp_document *document = reader->document;
    bp_json scene;
    if (!bpi_gltf_object(reader, BPI_GLTF_SCENES, index, &scene)) return false;
    bp_json roots = bp_json_member(document, scene, "nodes");
    if (!bpi_gltf_expect(reader, roots, BP_JSON_ARRAY)) return false;
    bp_json element = bp_json_first(document, roots);
    for (; element != BP_JSON_NONE; element = bp_json_next(document, roots, element)) {
        int32_t node;
        if (!bpi_gltf_reference(reader, element, BPI_GLTF_NODES, &node)) return false;
        if (reader->nodes[node].parent >= 0)
            bpi_warn(&reader->report, document, element, BP_RULE_SCENE_NON_ROOT_NODE, 1,
                     "node %d has a parent; scenes list root nodes", node);
        if ((int32_t)index == reader->default_scene) reader->nodes[node].in_default_scene = true;
    }
    return true;
}

bool bpi_gltf_plan_scenes(bpi_gltf_reader *reader) {
    bp_json scene = bp_json_member(reader->document, 0, "scene");
    if (!bpi_gltf_reference(reader, scene, BPI_GLTF_SCENES, &reader->default_scene)) return false;
    uint32_t count = reader->counts[BPI_GLTF_SCENES];
    if (reader->default_scene < 0 && count > 0) reader->default_scene = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (!plan_scene(reader, i)) return false;

    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_NODES]; ++i) {
        bpi_gltf_node_plan *node = &reader->nodes[reader->file_from_node[i]];
        if (count == 0 || (node->parent >= 0 && reader->nodes[node->parent].in_default_scene))
            node->in_default_scene = true;
    }
    return true;
}

void bpi_gltf_lay_out_scenes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    const bp_document *document = reader->document;
    model->default_scene = reader->default_scene;
    model->scene_count = reader->counts[BPI_GLTF_SCENES];
    bp_scene *scenes = bpi_layout_take(layout, model->scene_count, sizeof *scenes);
    model->scenes = scenes;
    bp_json scene = bp_json_first(document, reader->arrays[BPI_GLTF_SCENES]);
    for (uint32_t i = 0; i < model->scene_count; ++i) {
        bp_json roots = bp_json_member(document, scene, "nodes");
        uint32_t count = bp_json_count(document, roots);
        const char *name =
            bpi_gltf_lay_out_string(reader, layout, bp_json_member(document, scene, "name"));
        uint32_t *nodes = bpi_layout_take(layout, count, sizeof *nodes);
        if (scenes) scenes[i] = (bp_scene){.name = name, .root_count = count, .roots = nodes};
        bp_json element = bp_json_first(document, roots);
        for (uint32_t k = 0; nodes && k < count; ++k) {
            uint64_t file = 0;
            bp_json_integer(document, element, &file);
            nodes[k] = reader->node_from_file[file];
            element = bp_json_next(document, roots, element);
        }
        scene = bp_json_next(document, reader->arrays[BPI_GLTF_SCENES], scene);
    }
}
