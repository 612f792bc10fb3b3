// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * GLB: the posed scene as plain meshes without skins, with materials and the textures that are
 * inside the model.
 *
 * Every instance at every place is a node and a mesh, in world space. The JSON comes first in the
 * file and holds the sizes and bounds of all that follows, so the layout is walked several times:
 * for meshes, accessors, buffer views, and last for the bytes. Each walk meets the same streams in
 * the same order; their numbers are never stored.
 */

#include "cli.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams -------------------------------------------------------------------------------- */

typedef enum stream_kind {
    STREAM_POSITION,
    STREAM_NORMAL,
    STREAM_TANGENT,
    STREAM_TEXCOORD_0,
    STREAM_TEXCOORD_1,
    STREAM_COLOR_0,
    STREAM_INDICES,
    STREAM_KINDS
} stream_kind;

static const struct {
    const char *attribute;
    const char *type;
    uint32_t components; /* of four bytes each */
} stream_facts[STREAM_KINDS] = {
    {"POSITION", "VEC3", 3},   {"NORMAL", "VEC3", 3},     {"TANGENT", "VEC4", 4},
    {"TEXCOORD_0", "VEC2", 2}, {"TEXCOORD_1", "VEC2", 2}, {"COLOR_0", "VEC4", 4},
    {NULL, "SCALAR", 1},
};

/* Value. An array of the file. */
typedef struct stream {
    stream_kind kind;
    uint64_t count; /* elements */
} stream;

static bool has_triangles(const bp_primitive *shape) {
    return shape->topology <= BP_TOPOLOGY_TRIANGLE_FAN;
}

/* The streams of a drawable; none when it is made of no complete triangle, line or point. */
static size_t list_streams(const bp_primitive *shape, stream streams[STREAM_KINDS]) {
    static const uint32_t fewest[] = {3, 3, 3, 2, 2, 2, 1};
    uint64_t corners = shape->indices ? shape->index_count : shape->vertex_count;
    if (corners < fewest[shape->topology]) return 0;
    const float *arrays[] = {shape->positions, shape->normals,    shape->tangents,
                             shape->texcoords, shape->texcoords1, shape->colors};
    size_t count = 0;
    for (int kind = 0; kind < STREAM_INDICES; kind++)
        if (arrays[kind]) streams[count++] = (stream){(stream_kind)kind, shape->vertex_count};
    uint64_t indices = has_triangles(shape) ? 3 * (uint64_t)bp_primitive_triangle_count(shape)
                       : shape->indices     ? shape->index_count
                                            : 0;
    if (indices > 0) streams[count++] = (stream){STREAM_INDICES, indices};
    return count;
}

static uint64_t stream_size(stream of) {
    return of.count * stream_facts[of.kind].components * 4;
}

/* ---- what is written ------------------------------------------------------------------------ */

typedef struct glb_writer {
    cli_scene *scene;
    cli_json json;
    uint64_t size;          /* of the binary chunk; a double check of `offset` at the end */
    uint64_t offset;        /* in the binary chunk, during a walk */
    uint64_t number;        /* of accessor, buffer view or mesh, during a walk */
    uint32_t image_count;   /* images that are written */
    int64_t *image_numbers; /* [model's images] their numbers in the file, or -1 */
} glb_writer;

static const char *image_type(const bp_image *image) {
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'}, jpeg[] = {0xFF, 0xD8, 0xFF};
    if (image->bytes.size < 12) return NULL;
    if (memcmp(image->bytes.data, png, sizeof png) == 0) return "image/png";
    if (memcmp(image->bytes.data, jpeg, sizeof jpeg) == 0) return "image/jpeg";
    return NULL;
}

static uint64_t padding(uint64_t size) {
    return (4 - size % 4) % 4;
}

/* Numbers the images that can be taken along: those inside the model, in the formats of glTF. */
static void choose_images(glb_writer *glb) {
    const bp_model *model = glb->scene->model;
    glb->image_numbers = cli_allocate(model->image_count, sizeof *glb->image_numbers);
    for (uint32_t i = 0; i < model->image_count; i++)
        glb->image_numbers[i] = image_type(&model->images[i]) ? (int64_t)glb->image_count++ : -1;
}

/* ---- meshes and nodes ----------------------------------------------------------------------- */

/* Drawables first … returned - 1 are the primitives of one instance. */
static uint32_t instance_end(const cli_scene *scene, uint32_t first) {
    uint32_t end = first + 1;
    while (end < scene->drawable_count &&
           scene->drawables[end].instance == scene->drawables[first].instance)
        end++;
    return end;
}

static bool draws_something(const cli_scene *scene, uint32_t first, uint32_t end) {
    stream streams[STREAM_KINDS];
    while (first < end && list_streams(scene->drawables[first].shape, streams) == 0)
        first++;
    return first < end;
}

static void write_primitive(glb_writer *glb, const bp_primitive *shape) {
    cli_json *json = &glb->json;
    stream streams[STREAM_KINDS];
    static const uint64_t modes[] = {4, 5, 6, 1, 3, 2, 0}; /* glTF's number of each topology */
    size_t count = list_streams(shape, streams);
    if (count == 0) return;
    cli_json_object(json, NULL);
    cli_json_object(json, "attributes");
    bool indices = streams[count - 1].kind == STREAM_INDICES;
    for (size_t s = 0; s < count - indices; s++)
        cli_json_integer(json, stream_facts[streams[s].kind].attribute, glb->number++);
    cli_json_close(json);
    if (indices) cli_json_integer(json, "indices", glb->number++);
    if (!has_triangles(shape)) cli_json_integer(json, "mode", modes[shape->topology]);
    if (shape->material >= 0) cli_json_index(json, "material", shape->material);
    cli_json_close(json);
}

/* Calls `write` for every instance at every place; numbers of meshes and nodes are the same. */
static uint64_t for_each_mesh(glb_writer *glb,
                              void (*write)(glb_writer *glb, uint32_t first, uint32_t end)) {
    const cli_scene *scene = glb->scene;
    uint64_t meshes = 0;
    for (uint32_t first = 0, end; first < scene->drawable_count; first = end) {
        end = instance_end(scene, first);
        if (!draws_something(scene, first, end)) continue;
        for (uint32_t copy = 0; copy < scene->drawables[first].copies; copy++, meshes++)
            if (write) write(glb, first, end);
    }
    return meshes;
}

/* Size of the binary chunk; as a double, as it may be beyond any integer. */
static double measure(glb_writer *glb) {
    double size = 0;
    if (for_each_mesh(glb, NULL) == 0) return 0; /* images of nothing are left out too */
    for (uint32_t i = 0; i < glb->scene->drawable_count; i++) {
        const cli_drawable *drawable = &glb->scene->drawables[i];
        stream streams[STREAM_KINDS];
        size_t count = list_streams(drawable->shape, streams);
        for (size_t s = 0; s < count; s++)
            size += (double)stream_size(streams[s]) * drawable->copies;
    }
    const bp_model *model = glb->scene->model;
    for (uint32_t i = 0; i < model->image_count; i++) {
        uint64_t bytes = model->images[i].bytes.size;
        if (glb->image_numbers[i] >= 0) size += (double)(bytes + padding(bytes));
    }
    return size;
}

static void write_mesh(glb_writer *glb, uint32_t first, uint32_t end) {
    const bp_model *model = glb->scene->model;
    const bp_instance *instance = &model->instances[glb->scene->drawables[first].instance];
    const char *name = model->meshes[instance->mesh].name;
    cli_json_object(&glb->json, NULL);
    if (*name) cli_json_string(&glb->json, "name", name);
    cli_json_array(&glb->json, "primitives");
    for (uint32_t i = first; i < end; i++)
        write_primitive(glb, glb->scene->drawables[i].shape);
    cli_json_close(&glb->json);
    cli_json_close(&glb->json);
}

static void write_node(glb_writer *glb, uint32_t first, uint32_t end) {
    (void)end;
    const bp_model *model = glb->scene->model;
    const bp_instance *instance = &model->instances[glb->scene->drawables[first].instance];
    const char *name = model->skeleton.labels[instance->node];
    cli_json_object(&glb->json, NULL);
    if (*name) cli_json_string(&glb->json, "name", name);
    cli_json_integer(&glb->json, "mesh", glb->number++);
    cli_json_close(&glb->json);
}

static void write_scene(glb_writer *glb) {
    cli_json *json = &glb->json;
    uint64_t meshes = for_each_mesh(glb, NULL);
    cli_json_integer(json, "scene", 0);
    cli_json_array(json, "scenes");
    cli_json_object(json, NULL);
    if (meshes > 0) cli_json_array(json, "nodes");
    for (uint64_t i = 0; i < meshes; i++)
        cli_json_integer(json, NULL, i);
    if (meshes > 0) cli_json_close(json);
    cli_json_close(json);
    cli_json_close(json);
    if (meshes == 0) return;
    glb->number = 0;
    cli_json_array(json, "nodes");
    for_each_mesh(glb, write_node);
    cli_json_close(json);
    glb->number = 0;
    cli_json_array(json, "meshes");
    for_each_mesh(glb, write_mesh);
    cli_json_close(json);
}

/* ---- streams in the file -------------------------------------------------------------------- */

/* Calls `write` for every stream, in the order of the accessors' numbers. */
static int for_each_stream(glb_writer *glb,
                           int (*write)(glb_writer *glb, stream of, const cli_drawable *drawable,
                                        uint32_t copy)) {
    const cli_scene *scene = glb->scene;
    glb->number = 0;
    glb->offset = 0;
    for (uint32_t first = 0, end; first < scene->drawable_count; first = end) {
        end = instance_end(scene, first);
        for (uint32_t copy = 0; copy < scene->drawables[first].copies; copy++) {
            for (uint32_t i = first; i < end; i++) {
                stream streams[STREAM_KINDS];
                size_t count = list_streams(scene->drawables[i].shape, streams);
                for (size_t s = 0; s < count; s++) {
                    int status = write(glb, streams[s], &scene->drawables[i], copy);
                    if (status != CLI_DONE) return status;
                    glb->number++;
                    glb->offset += stream_size(streams[s]);
                }
            }
        }
    }
    return CLI_DONE;
}

static int write_accessor(glb_writer *glb, stream of, const cli_drawable *drawable, uint32_t copy) {
    cli_json *json = &glb->json;
    cli_json_object(json, NULL);
    cli_json_integer(json, "bufferView", glb->number);
    cli_json_integer(json, "componentType",
                     of.kind == STREAM_INDICES ? BP_COMPONENT_U32 : BP_COMPONENT_F32);
    cli_json_integer(json, "count", of.count);
    cli_json_string(json, "type", stream_facts[of.kind].type);
    if (of.kind == STREAM_POSITION) {
        bp_aabb bounds = cli_scene_bounds(glb->scene, drawable, copy);
        cli_json_vec3(json, "min", bounds.min);
        cli_json_vec3(json, "max", bounds.max);
    }
    cli_json_close(json);
    return CLI_DONE;
}

static int write_view(glb_writer *glb, stream of, const cli_drawable *drawable, uint32_t copy) {
    (void)drawable, (void)copy;
    cli_json *json = &glb->json;
    cli_json_object(json, NULL);
    cli_json_integer(json, "buffer", 0);
    cli_json_integer(json, "byteOffset", glb->offset);
    cli_json_integer(json, "byteLength", stream_size(of));
    cli_json_integer(json, "target", of.kind == STREAM_INDICES ? 34963 : 34962);
    cli_json_close(json);
    return CLI_DONE;
}

static void write_indices(glb_writer *glb, cli_output *output, const cli_drawable *drawable,
                          uint32_t copy) {
    const bp_primitive *shape = drawable->shape;
    if (!has_triangles(shape)) {
        for (uint32_t i = 0; i < shape->index_count; i++)
            cli_output_u32_le(output, shape->indices[i]);
        return;
    }
    bool mirrored = cli_scene_mirrors(glb->scene, drawable, copy);
    for (uint32_t i = 0, count = bp_primitive_triangle_count(shape); i < count; i++) {
        uint32_t vertices[3];
        bp_primitive_triangle(shape, i, vertices);
        cli_output_u32_le(output, vertices[0]);
        cli_output_u32_le(output, vertices[mirrored ? 2 : 1]);
        cli_output_u32_le(output, vertices[mirrored ? 1 : 2]);
    }
}

/* The first stream of a drawable computes it; the others find it computed. */
static int write_stream(glb_writer *glb, stream of, const cli_drawable *drawable, uint32_t copy) {
    cli_output *output = glb->json.output;
    const bp_primitive *shape = drawable->shape;
    cli_posed posed;
    const float *from = NULL;
    switch (of.kind) {
    case STREAM_POSITION:
        if (cli_scene_compute(glb->scene, drawable, copy, &posed) != CLI_DONE) return CLI_FAILED;
        from = posed.positions;
        break;
    case STREAM_NORMAL: from = glb->scene->normals; break;
    case STREAM_TANGENT: from = glb->scene->tangents; break;
    case STREAM_TEXCOORD_0: from = shape->texcoords; break;
    case STREAM_TEXCOORD_1: from = shape->texcoords1; break;
    case STREAM_COLOR_0: from = shape->colors; break;
    default: write_indices(glb, output, drawable, copy); return CLI_DONE;
    }
    cli_output_floats_le(output, from, of.count * stream_facts[of.kind].components);
    return CLI_DONE;
}

/* ---- materials, textures, images ------------------------------------------------------------ */

static bool has_texture(const glb_writer *glb, const bp_material *material) {
    const bp_model *model = glb->scene->model;
    if (material->base_color_texture < 0 || material->base_color_texcoord > 1) return false;
    int32_t image = model->textures[material->base_color_texture].image;
    return image >= 0 && glb->image_numbers[image] >= 0;
}

static void write_material(glb_writer *glb, const bp_material *material) {
    static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND"};
    cli_json *json = &glb->json;
    cli_json_object(json, NULL);
    if (*material->name) cli_json_string(json, "name", material->name);
    cli_json_object(json, "pbrMetallicRoughness");
    cli_json_floats(json, "baseColorFactor", material->base_color, 4);
    cli_json_float(json, "metallicFactor", material->metallic);
    cli_json_float(json, "roughnessFactor", material->roughness);
    if (has_texture(glb, material)) {
        cli_json_object(json, "baseColorTexture");
        cli_json_index(json, "index", material->base_color_texture);
        cli_json_integer(json, "texCoord", material->base_color_texcoord);
        cli_json_close(json);
    }
    cli_json_close(json);
    cli_json_floats(json, "emissiveFactor", material->emissive, 3);
    cli_json_string(json, "alphaMode", alpha_modes[material->alpha_mode]);
    if (material->alpha_mode == BP_ALPHA_MASK)
        cli_json_float(json, "alphaCutoff", material->alpha_cutoff);
    cli_json_bool(json, "doubleSided", material->double_sided);
    if (material->unlit) {
        cli_json_object(json, "extensions");
        cli_json_object(json, "KHR_materials_unlit");
        cli_json_close(json);
        cli_json_close(json);
    }
    cli_json_close(json);
}

/* A texture and its sampler have the same number. */
static void write_textures(glb_writer *glb) {
    const bp_model *model = glb->scene->model;
    cli_json *json = &glb->json;
    if (glb->image_count == 0 || model->texture_count == 0) return;
    cli_json_array(json, "textures");
    for (uint32_t i = 0; i < model->texture_count; i++) {
        int32_t image = model->textures[i].image;
        cli_json_object(json, NULL);
        cli_json_integer(json, "sampler", i);
        if (image >= 0 && glb->image_numbers[image] >= 0)
            cli_json_index(json, "source", glb->image_numbers[image]);
        cli_json_close(json);
    }
    cli_json_close(json);
    cli_json_array(json, "samplers");
    for (uint32_t i = 0; i < model->texture_count; i++) {
        const bp_texture *texture = &model->textures[i];
        cli_json_object(json, NULL);
        if (texture->mag_filter) cli_json_integer(json, "magFilter", texture->mag_filter);
        if (texture->min_filter) cli_json_integer(json, "minFilter", texture->min_filter);
        cli_json_integer(json, "wrapS", texture->wrap_s);
        cli_json_integer(json, "wrapT", texture->wrap_t);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_images(glb_writer *glb, uint64_t first_view) {
    const bp_model *model = glb->scene->model;
    cli_json *json = &glb->json;
    if (glb->image_count == 0) return;
    cli_json_array(json, "images");
    for (uint32_t i = 0; i < model->image_count; i++) {
        if (glb->image_numbers[i] < 0) continue;
        cli_json_object(json, NULL);
        if (*model->images[i].name) cli_json_string(json, "name", model->images[i].name);
        cli_json_string(json, "mimeType", image_type(&model->images[i]));
        cli_json_integer(json, "bufferView", first_view++);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_materials(glb_writer *glb, uint64_t first_image_view) {
    const bp_model *model = glb->scene->model;
    cli_json *json = &glb->json;
    bool unlit = false;
    for (uint32_t i = 0; i < model->material_count; i++)
        unlit |= model->materials[i].unlit;
    if (unlit) {
        cli_json_array(json, "extensionsUsed");
        cli_json_string(json, NULL, "KHR_materials_unlit");
        cli_json_close(json);
    }
    if (model->material_count > 0) {
        cli_json_array(json, "materials");
        for (uint32_t i = 0; i < model->material_count; i++)
            write_material(glb, &model->materials[i]);
        cli_json_close(json);
    }
    write_textures(glb);
    write_images(glb, first_image_view);
}

/* ---- the file ------------------------------------------------------------------------------- */

static void write_buffer_views(glb_writer *glb) {
    const bp_model *model = glb->scene->model;
    cli_json *json = &glb->json;
    cli_json_array(json, "bufferViews");
    for_each_stream(glb, write_view);
    for (uint32_t i = 0; i < model->image_count; i++) {
        if (glb->image_numbers[i] < 0) continue;
        uint64_t size = model->images[i].bytes.size;
        cli_json_object(json, NULL);
        cli_json_integer(json, "buffer", 0);
        cli_json_integer(json, "byteOffset", glb->offset);
        cli_json_integer(json, "byteLength", size);
        cli_json_close(json);
        glb->offset += size + padding(size);
    }
    cli_json_close(json);
}

static void write_json_chunk(glb_writer *glb) {
    cli_json *json = &glb->json;
    cli_json_object(json, NULL);
    cli_json_object(json, "asset");
    cli_json_string(json, "version", "2.0");
    cli_json_string(json, "generator", "bindpose");
    cli_json_close(json);
    write_scene(glb);
    if (glb->size > 0) {
        cli_json_array(json, "accessors");
        for_each_stream(glb, write_accessor);
        uint64_t accessors = glb->number;
        cli_json_close(json);
        write_buffer_views(glb);
        cli_json_array(json, "buffers");
        cli_json_object(json, NULL);
        cli_json_integer(json, "byteLength", glb->size);
        cli_json_close(json);
        cli_json_close(json);
        write_materials(glb, accessors);
    }
    cli_json_close(json);
    assert(glb->size == 0 || glb->offset == glb->size);
}

static int write_binary_chunk(glb_writer *glb, cli_output *output) {
    const bp_model *model = glb->scene->model;
    glb->json.output = output;
    int status = for_each_stream(glb, write_stream);
    for (uint32_t i = 0; i < model->image_count && status == CLI_DONE; i++) {
        if (glb->image_numbers[i] < 0) continue;
        cli_output_bytes(output, model->images[i].bytes.data, model->images[i].bytes.size);
        cli_output_bytes(output, "\0\0\0", padding(model->images[i].bytes.size));
    }
    return status;
}

int cli_write_glb(cli_output *output, cli_scene *scene, const cli_moment *moment) {
    (void)moment;
    glb_writer glb = {.scene = scene};
    choose_images(&glb);
    double size = measure(&glb);
    cli_output *text = cli_output_open_memory();
    int status = CLI_DONE;
    if (size <= UINT32_MAX) {
        glb.size = (uint64_t)size;
        glb.json = cli_json_start(text, 0);
        write_json_chunk(&glb);
        cli_output_bytes(text, "   ", padding(text->size));
    }
    uint64_t total = 12 + 8 + text->size + (glb.size > 0 ? 8 + glb.size : 0);
    if (size > UINT32_MAX || total > UINT32_MAX) {
        status = cli_fail(scene->label, NULL,
                          "is too large for a GLB file when posed (%.1f GB, at most 4.2); choose "
                          "PLY",
                          size / 1e9);
    } else {
        cli_output_text(output, "glTF");
        const uint32_t header[] = {2, (uint32_t)total, (uint32_t)text->size, 0x4E4F534A};
        for (int i = 0; i < 4; i++)
            cli_output_u32_le(output, header[i]);
        cli_output_bytes(output, text->data, text->size);
        if (glb.size > 0) {
            cli_output_u32_le(output, (uint32_t)glb.size);
            cli_output_u32_le(output, 0x004E4942);
            status = write_binary_chunk(&glb, output);
        }
    }
    cli_output_discard(text);
    free(glb.image_numbers);
    return status;
}
