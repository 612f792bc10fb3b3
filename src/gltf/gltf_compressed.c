// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * KHR_draco_mesh_compression: when the accessors of a primitive hold no data of their own, the
 * decoded elements take the place of that data, in the accessors' own component types, and the
 * rest of the reader does not notice.
 */
#include "gltf/gltf_reader.h"

#include "gltf/gltf_draco.h"

#include <assert.h>

static bool refuse_draco(bpi_gltf_reader *reader, bp_result result, bp_json place,
                         const char *message) {
    return bpi_gltf_refuse(reader, result, place, BP_RULE_MESH_PRIMITIVE_DRACO_INVALID,
                           "KHR_draco_mesh_compression: %s", message);
}

#ifdef BP_HAVE_DRACO

/* An attribute that the Draco mesh holds comes from there. */
static bool bind_source(bpi_gltf_reader *reader, bp_json ids, bp_json attribute,
                        bpi_gltf_source *source) {
    char name[64];
    uint32_t id = 0;
    if (!source->exists) return true;
    if (bp_json_key(reader->document, attribute, name, sizeof name) >= sizeof name) return true;
    bp_json value = bp_json_member(reader->document, ids, name);
    if (value == BP_JSON_NONE) return true;
    if (!bpi_gltf_uint(reader, value, &id)) return false;
    if (id > INT32_MAX) return refuse_draco(reader, BP_ERROR_FORMAT, value, "no such attribute");
    source->draco_id = (int32_t)id;
    return true;
}

static bool bind_sources(bpi_gltf_reader *reader, bp_json ids, bpi_gltf_primitive_plan *plan) {
    for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
        if (!bind_source(reader, ids, plan->streams[i].place, &plan->streams[i])) return false;
    for (uint32_t i = 0; i < plan->set_count; ++i)
        if (!bind_source(reader, ids, plan->joints[i].place, &plan->joints[i]) ||
            !bind_source(reader, ids, plan->weights[i].place, &plan->weights[i]))
            return false;
    return true;
}

static bool plan_decoding(bpi_gltf_reader *reader, bp_json extension,
                          bpi_gltf_primitive_plan *plan) {
    static const bpi_json_name names[] = {BPI_NAME("bufferView"), BPI_NAME("attributes")};
    bp_json m[2];
    uint32_t view;
    bp_error error;
    if (!bpi_gltf_members(reader, extension, names, m, 2) ||
        !bpi_gltf_required(reader, extension, m[0], "bufferView", BPI_GLTF_BUFFER_VIEWS, &view))
        return false;
    bp_result result =
        bp_document_buffer_view(reader->document, view, m[0], &plan->draco_bytes, &error);
    if (result != BP_OK) return refuse_draco(reader, result, m[0], error.message);
    if (!plan->indices.exists)
        return refuse_draco(reader, BP_ERROR_FORMAT, plan->place, "the primitive has no indices");
    if (m[1] == BP_JSON_NONE)
        return refuse_draco(reader, BP_ERROR_FORMAT, extension,
                            "property \"attributes\" is missing");
    plan->draco = extension;
    if (!bpi_gltf_expect(reader, m[1], BP_JSON_OBJECT) || !bind_sources(reader, m[1], plan))
        return false;
    return plan->streams[BPI_GLTF_POSITION].draco_id >= 0 ||
           refuse_draco(reader, BP_ERROR_FORMAT, m[1],
                        "POSITION has no data, neither compressed nor plain");
}

/* All sources that come from the Draco mesh, visited in one order. */
typedef struct source_list {
    bpi_gltf_source **sources;
    uint32_t count;
} source_list;

static bool list_sources(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan,
                         source_list *list) {
    uint32_t most = BPI_GLTF_STREAM_COUNT + 2 * plan->set_count;
    list->sources = bpi_gltf_take(reader, most, sizeof *list->sources);
    if (!list->sources) return false;
    list->count = 0;
    for (int i = 0; i < BPI_GLTF_STREAM_COUNT; ++i)
        if (plan->streams[i].draco_id >= 0) list->sources[list->count++] = &plan->streams[i];
    for (uint32_t i = 0; i < plan->set_count; ++i) {
        if (plan->joints[i].draco_id >= 0) list->sources[list->count++] = &plan->joints[i];
        if (plan->weights[i].draco_id >= 0) list->sources[list->count++] = &plan->weights[i];
    }
    return true;
}

/* Measures the decoded elements, or with a base points the accessors at them. */
static void lay_out_elements(bpi_layout *layout, const source_list *list,
                             bpi_draco_attribute *attributes) {
    for (uint32_t i = 0; i < list->count; ++i) {
        bp_accessor *accessor = &list->sources[i]->accessor;
        size_t size = bpi_component_size(accessor->component_type) * accessor->component_count;
        unsigned char *elements = bpi_layout_take_unset(layout, accessor->count, size);
        if (!layout->base) continue;
        accessor->data = elements;
        accessor->stride = size;
        attributes[i] = (bpi_draco_attribute){.id = (uint32_t)list->sources[i]->draco_id,
                                              .component_type = accessor->component_type,
                                              .component_count = accessor->component_count,
                                              .elements = elements};
    }
}

bool bpi_gltf_decode_draco(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan) {
    if (plan->draco == BP_JSON_NONE || plan->draco_memory) return true;
    source_list list;
    if (!list_sources(reader, plan, &list)) return false;
    bpi_draco_attribute *attributes = bpi_gltf_take(reader, list.count, sizeof *attributes);
    if (!attributes) return false;

    bpi_layout layout = {0};
    bpi_layout_take(&layout, plan->shape.index_count, sizeof(uint32_t));
    lay_out_elements(&layout, &list, NULL);
    void *memory = layout.overflow ? NULL : bpi_memory_take(&reader->memory, layout.size);
    if (!memory) return bpi_gltf_out_of_memory(reader);
    plan->draco_memory = memory;
    plan->draco_size = layout.size;
    layout = (bpi_layout){.base = memory};
    uint32_t *indices = bpi_layout_take_unset(&layout, plan->shape.index_count, sizeof *indices);
    lay_out_elements(&layout, &list, attributes);
    plan->indices.accessor = (bp_accessor){.place = plan->indices.accessor.place,
                                           .component_type = BP_COMPONENT_U32,
                                           .element_type = BP_ELEMENT_SCALAR,
                                           .count = plan->shape.index_count,
                                           .component_count = 1,
                                           .data = (const unsigned char *)indices,
                                           .stride = sizeof *indices};
    const char *fault = NULL;
    bp_result result = bpi_draco_decode(&(bpi_draco_job){.bytes = plan->draco_bytes,
                                                         .point_count = plan->shape.vertex_count,
                                                         .index_count = plan->shape.index_count,
                                                         .indices = indices,
                                                         .attributes = attributes,
                                                         .attribute_count = list.count},
                                        &fault);
    return result == BP_OK || refuse_draco(reader, result, plan->draco, fault);
}

#else

static bool plan_decoding(bpi_gltf_reader *reader, bp_json extension,
                          bpi_gltf_primitive_plan *plan) {
    (void)plan;
    return refuse_draco(reader, BP_ERROR_UNSUPPORTED, extension,
                        "this build of bindpose lacks the Draco component; build with it, or "
                        "decompress the file");
}

bool bpi_gltf_decode_draco(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan) {
    (void)reader;
    (void)plan;
    assert(plan->draco == BP_JSON_NONE);
    return true;
}

#endif

bool bpi_gltf_plan_draco(bpi_gltf_reader *reader, bp_json extension,
                         bpi_gltf_primitive_plan *plan) {
    const bp_accessor *position = &plan->streams[BPI_GLTF_POSITION].accessor;
    bool has_plain_data = position->data || position->sparse_count > 0;
    if (!plan->streams[BPI_GLTF_POSITION].exists || has_plain_data) return true;
    return plan_decoding(reader, extension, plan);
}

void bpi_gltf_release_draco(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan) {
    bpi_memory_give(&reader->memory, plan->draco_memory, plan->draco_size);
    plan->draco_memory = NULL;
    plan->draco = BP_JSON_NONE;
}
