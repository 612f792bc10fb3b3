// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Materials, textures and images, as much of them as a plain renderer needs. Nothing here moves a
 * vertex, so what is odd is a warning or a default wherever it can be.
 */
#include "gltf/gltf_reader.h"

#include <string.h>

static const bp_material DEFAULT_MATERIAL = {.name = "",
                                             .base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                                             .base_color_texture = -1,
                                             .metallic = 1.0f,
                                             .roughness = 1.0f,
                                             .alpha_cutoff = 0.5f};

static const bp_texture DEFAULT_TEXTURE = {.image = -1, .wrap_s = 10497, .wrap_t = 10497};

static bool read_texture_reference(bpi_gltf_reader *reader, bp_json info, bp_material *material) {
    static const bpi_json_name names[] = {BPI_NAME("index"), BPI_NAME("texCoord")};
    bp_json m[2];
    if (info == BP_JSON_NONE) return true;
    return bpi_gltf_members(reader, info, names, m, 2) &&
           bpi_gltf_reference(reader, m[0], BPI_GLTF_TEXTURES, &material->base_color_texture) &&
           bpi_gltf_uint(reader, m[1], &material->base_color_texcoord);
}

static bool read_base(bpi_gltf_reader *reader, bp_json pbr, bp_material *material) {
    static const bpi_json_name names[] = {BPI_NAME("baseColorFactor"), BPI_NAME("baseColorTexture"),
                                          BPI_NAME("metallicFactor"), BPI_NAME("roughnessFactor")};
    bp_json m[4];
    return bpi_gltf_members(reader, pbr, names, m, 4) &&
           bpi_gltf_floats(reader, m[0], material->base_color, 4) &&
           read_texture_reference(reader, m[1], material) &&
           bpi_gltf_float(reader, m[2], &material->metallic) &&
           bpi_gltf_float(reader, m[3], &material->roughness);
}

static bool read_alpha_mode(bpi_gltf_reader *reader, bp_json value, bp_alpha_mode *mode) {
    static const char *const names[] = {"OPAQUE", "MASK", "BLEND"};
    if (value == BP_JSON_NONE) return true;
    for (int i = 0; i < 3; ++i) {
        if (!bp_json_equals(reader->document, value, names[i])) continue;
        *mode = (bp_alpha_mode)i;
        return true;
    }
    bpi_warn(&reader->report, reader->document, value, BP_RULE_VALUE_NOT_IN_LIST, 1,
             "an alpha mode that does not exist; read as OPAQUE");
    return true;
}

static bool read_material(bpi_gltf_reader *reader, uint32_t index, bp_material *material,
                          bp_json *name) {
    static const bpi_json_name names[] = {
        BPI_NAME("name"),      BPI_NAME("pbrMetallicRoughness"), BPI_NAME("emissiveFactor"),
        BPI_NAME("alphaMode"), BPI_NAME("alphaCutoff"),          BPI_NAME("doubleSided"),
        BPI_NAME("extensions")};
    bp_json m[7], object;
    *material = DEFAULT_MATERIAL;
    if (!bpi_gltf_object(reader, BPI_GLTF_MATERIALS, index, &object) ||
        !bpi_gltf_members(reader, object, names, m, 7) ||
        !bpi_gltf_expect(reader, m[0], BP_JSON_STRING) || !read_base(reader, m[1], material) ||
        !bpi_gltf_floats(reader, m[2], material->emissive, 3) ||
        !read_alpha_mode(reader, m[3], &material->alpha_mode) ||
        !bpi_gltf_float(reader, m[4], &material->alpha_cutoff) ||
        !bpi_gltf_bool(reader, m[5], &material->double_sided))
        return false;
    material->unlit = bp_json_member(reader->document, m[6], "KHR_materials_unlit") != BP_JSON_NONE;
    *name = m[0];
    return true;
}

/* One of OpenGL's numbers; any other is a warning, and `number` stays. */
static bool read_choice(bpi_gltf_reader *reader, bp_json value, const uint16_t *choices,
                        uint32_t count, uint32_t *number) {
    uint32_t found = *number;
    if (value == BP_JSON_NONE) return true;
    if (!bpi_gltf_uint(reader, value, &found)) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (found != choices[i]) continue;
        *number = found;
        return true;
    }
    bpi_warn(&reader->report, reader->document, value, BP_RULE_VALUE_NOT_IN_LIST, 1,
             "a filter or wrap that does not exist; not used");
    return true;
}

/* A sampler, as the textures that use it have it; read once, however many there are. */
static bool read_sampler(bpi_gltf_reader *reader, uint32_t index, bp_texture *sampler) {
    static const bpi_json_name names[] = {BPI_NAME("magFilter"), BPI_NAME("minFilter"),
                                          BPI_NAME("wrapS"), BPI_NAME("wrapT")};
    static const uint16_t filters[] = {9728, 9729, 9984, 9985, 9986, 9987};
    static const uint16_t wraps[] = {10497, 33071, 33648};
    bp_json m[4], object;
    *sampler = DEFAULT_TEXTURE;
    return bpi_gltf_object(reader, BPI_GLTF_SAMPLERS, index, &object) &&
           bpi_gltf_members(reader, object, names, m, 4) &&
           read_choice(reader, m[0], filters, 2, &sampler->mag_filter) &&
           read_choice(reader, m[1], filters, 6, &sampler->min_filter) &&
           read_choice(reader, m[2], wraps, 3, &sampler->wrap_s) &&
           read_choice(reader, m[3], wraps, 3, &sampler->wrap_t);
}

/* A texture's image; without one, that of the extensions which only name another format. */
static bool read_texture(bpi_gltf_reader *reader, uint32_t index, bp_texture *texture) {
    static const bpi_json_name names[] = {BPI_NAME("source"), BPI_NAME("sampler"),
                                          BPI_NAME("extensions")};
    static const char *const extensions[] = {"EXT_texture_webp", "EXT_texture_avif",
                                             "KHR_texture_basisu", "MSFT_texture_dds"};
    bp_json m[3], object;
    int32_t sampler, image;
    if (!bpi_gltf_object(reader, BPI_GLTF_TEXTURES, index, &object) ||
        !bpi_gltf_members(reader, object, names, m, 3) ||
        !bpi_gltf_reference(reader, m[0], BPI_GLTF_IMAGES, &image) ||
        !bpi_gltf_reference(reader, m[1], BPI_GLTF_SAMPLERS, &sampler))
        return false;
    *texture = sampler >= 0 ? reader->sampler_plans[sampler] : DEFAULT_TEXTURE;
    texture->image = image;
    for (int i = 0; i < 4 && texture->image < 0; ++i) {
        bp_json extension = bp_json_member(reader->document, m[2], extensions[i]);
        bp_json source = bp_json_member(reader->document, extension, "source");
        if (!bpi_gltf_reference(reader, source, BPI_GLTF_IMAGES, &texture->image)) return false;
    }
    return true;
}

/* An image that cannot be had is a warning: the model moves all the same. */
static void lose_image(bpi_gltf_reader *reader, bpi_gltf_image_plan *plan, bp_json place,
                       const bp_error *error) {
    bp_rule rule = BP_RULE_IO_ERROR;
    for (int known = BP_RULE_NONE + 1; known < BP_RULE_COUNT; ++known)
        if (strcmp(bp_rule_name((bp_rule)known), error->rule) == 0) rule = (bp_rule)known;
    bpi_warn(&reader->report, reader->document, place, rule, 1, "the image is left out: %s",
             error->message);
    plan->bytes = (bp_bytes){0};
    plan->path = NULL;
}

static bool plan_uri(bpi_gltf_reader *reader, bp_json uri, bpi_gltf_image_plan *plan) {
    const bp_document *document = reader->document;
    bp_error error;
    bp_result result;
    if (bpi_uri_is_data(document, uri))
        result = bpi_uri_decode_data(document, uri, &reader->arena, &plan->bytes, plan->media_type,
                                     sizeof plan->media_type, &error);
    else
        result = bpi_uri_decode_path(document, uri, !reader->options->allow_files_outside,
                                     &reader->arena, &plan->path, &error);
    if (result == BP_ERROR_OUT_OF_MEMORY || result == BP_ERROR_LIMIT)
        return bpi_gltf_out_of_memory(reader);
    if (result != BP_OK) lose_image(reader, plan, uri, &error);
    return true;
}

static bool plan_image(bpi_gltf_reader *reader, uint32_t index) {
    static const bpi_json_name names[] = {BPI_NAME("name"), BPI_NAME("uri"), BPI_NAME("mimeType"),
                                          BPI_NAME("bufferView")};
    bpi_gltf_image_plan *plan = &reader->image_plans[index];
    bp_json m[4], object;
    int32_t view;
    if (!bpi_gltf_object(reader, BPI_GLTF_IMAGES, index, &object) ||
        !bpi_gltf_members(reader, object, names, m, 4) ||
        !bpi_gltf_expect(reader, m[0], BP_JSON_STRING) ||
        !bpi_gltf_expect(reader, m[1], BP_JSON_STRING) ||
        !bpi_gltf_expect(reader, m[2], BP_JSON_STRING) ||
        !bpi_gltf_reference(reader, m[3], BPI_GLTF_BUFFER_VIEWS, &view))
        return false;
    plan->name = m[0];
    plan->uri = m[1];
    plan->mime_type = m[2];
    if (view < 0) return plan->uri == BP_JSON_NONE || plan_uri(reader, plan->uri, plan);
    bp_error error;
    bp_result result =
        bp_document_buffer_view(reader->document, (uint32_t)view, m[3], &plan->bytes, &error);
    if (result != BP_OK) lose_image(reader, plan, m[3], &error);
    return true;
}

bool bpi_gltf_plan_materials(bpi_gltf_reader *reader) {
    uint32_t materials = reader->counts[BPI_GLTF_MATERIALS],
             textures = reader->counts[BPI_GLTF_TEXTURES];
    uint32_t images = reader->counts[BPI_GLTF_IMAGES];
    uint32_t samplers = reader->counts[BPI_GLTF_SAMPLERS];
    reader->material_plans = bpi_gltf_take(reader, materials, sizeof *reader->material_plans);
    reader->material_names = bpi_gltf_take(reader, materials, sizeof *reader->material_names);
    reader->texture_plans = bpi_gltf_take(reader, textures, sizeof *reader->texture_plans);
    reader->sampler_plans = bpi_gltf_take(reader, samplers, sizeof *reader->sampler_plans);
    reader->image_plans = bpi_gltf_take(reader, images, sizeof *reader->image_plans);
    if (!reader->material_plans || !reader->material_names || !reader->texture_plans ||
        !reader->sampler_plans || !reader->image_plans)
        return false;
    for (uint32_t i = 0; i < materials; ++i)
        if (!read_material(reader, i, &reader->material_plans[i], &reader->material_names[i]))
            return false;
    for (uint32_t i = 0; i < samplers; ++i)
        if (!read_sampler(reader, i, &reader->sampler_plans[i])) return false;
    for (uint32_t i = 0; i < textures; ++i)
        if (!read_texture(reader, i, &reader->texture_plans[i])) return false;
    for (uint32_t i = 0; i < images; ++i)
        if (!plan_image(reader, i)) return false;
    return true;
}

static void lay_out_image(bpi_gltf_reader *reader, bpi_layout *layout,
                          const bpi_gltf_image_plan *plan, bp_image *image) {
    image->name = bpi_gltf_lay_out_string(reader, layout, plan->name);
    image->mime_type = plan->mime_type == BP_JSON_NONE && plan->media_type[0]
                           ? bpi_layout_text(layout, plan->media_type, strlen(plan->media_type))
                           : bpi_gltf_lay_out_string(reader, layout, plan->mime_type);
    image->uri = plan->path ? bpi_layout_text(layout, plan->path, strlen(plan->path)) : "";
    unsigned char *bytes = bpi_layout_take_unset(layout, plan->bytes.size, 1);
    if (bytes) memcpy(bytes, plan->bytes.data, plan->bytes.size);
    image->bytes = (bp_bytes){.data = bytes, .size = plan->bytes.size};
}

void bpi_gltf_lay_out_materials(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    model->material_count = reader->counts[BPI_GLTF_MATERIALS];
    bp_material *materials = bpi_layout_take(layout, model->material_count, sizeof *materials);
    model->materials = materials;
    for (uint32_t i = 0; i < model->material_count; ++i) {
        const char *name = bpi_gltf_lay_out_string(reader, layout, reader->material_names[i]);
        if (!materials) continue;
        materials[i] = reader->material_plans[i];
        materials[i].name = name;
    }
    model->texture_count = reader->counts[BPI_GLTF_TEXTURES];
    bp_texture *textures = bpi_layout_take(layout, model->texture_count, sizeof *textures);
    model->textures = textures;
    for (uint32_t i = 0; textures && i < model->texture_count; ++i)
        textures[i] = reader->texture_plans[i];
    model->image_count = reader->counts[BPI_GLTF_IMAGES];
    bp_image *images = bpi_layout_take(layout, model->image_count, sizeof *images);
    model->images = images;
    for (uint32_t i = 0; i < model->image_count; ++i) {
        bp_image measured, *image = images ? &images[i] : &measured;
        lay_out_image(reader, layout, &reader->image_plans[i], image);
    }
}
