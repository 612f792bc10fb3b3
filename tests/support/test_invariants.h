// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What a loaded model promises (bindpose/gltf.h: "a loaded model is safe"), checked element by
 * element: no index out of range, no cycle, no number that is not finite, valid UTF-8. It needs no
 * test framework, as fuzz targets use it too: each function returns NULL, or which promise is
 * broken.
 */
#ifndef BINDPOSE_TEST_INVARIANTS_H
#define BINDPOSE_TEST_INVARIANTS_H

#include "bindpose/gltf.h"
#include "bindpose/palette.h"
#include "bindpose/skinning.h"

#include <math.h>
#include <string.h>

#define TEST_PROMISE(condition, promise)                                                           \
    do {                                                                                           \
        if (!(condition)) return promise;                                                          \
    } while (0)

/* Length of the UTF-8 character at `s` by the table of RFC 3629, section 4; 0 when it is none. */
static inline unsigned test_utf8_character(const unsigned char *s) {
    static const struct {
        unsigned char first, last, low, high, length;
    } rows[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (s[0] < rows[i].first || s[0] > rows[i].last) continue;
        if (rows[i].length > 1 && (s[1] < rows[i].low || s[1] > rows[i].high)) return 0;
        for (unsigned k = 2; k < rows[i].length; ++k)
            if (s[k] < 0x80 || s[k] > 0xBF) return 0;
        return rows[i].length;
    }
    return 0;
}

static inline bool test_is_utf8(const char *text) {
    if (!text) return false;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned length = test_utf8_character(s);
        if (length == 0) return false;
        s += length;
    }
    return true;
}

static inline bool test_all_finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(values[i])) return false;
    return true;
}

static inline bool test_streams_finite(const float *values, size_t count) {
    return !values || test_all_finite(values, count);
}

/* A failed load says what is wrong, and where. */
static inline const char *test_check_error(const bp_error *error, bp_result result, size_t size) {
    TEST_PROMISE(error->result == result, "error.result is the result");
    TEST_PROMISE(error->rule && test_is_utf8(error->rule), "error.rule is a string");
    TEST_PROMISE(memchr(error->message, 0, sizeof error->message), "error.message is terminated");
    TEST_PROMISE(memchr(error->pointer, 0, sizeof error->pointer), "error.pointer is terminated");
    TEST_PROMISE(error->message[0] && test_is_utf8(error->message), "error.message is text");
    TEST_PROMISE(test_is_utf8(error->pointer), "error.pointer is UTF-8");
    for (const char *c = error->message; *c; ++c)
        TEST_PROMISE((unsigned char)*c >= 0x20, "error.message is one line");
    TEST_PROMISE(error->offset >= -1, "error.offset is a place or -1");
    TEST_PROMISE(error->offset <= (int64_t)size, "error.offset is in the file");
    TEST_PROMISE(error->offset == -1 || !error->pointer[0], "an error has one place");
    return NULL;
}

static inline const char *test_check_skeleton(const bp_skeleton *skeleton) {
    uint32_t count = skeleton->node_count;
    for (uint32_t i = 0; i < count; ++i) {
        TEST_PROMISE(skeleton->parents[i] >= -1, "a parent is -1 or a node");
        TEST_PROMISE(skeleton->parents[i] < (int32_t)i, "parents come first");
        TEST_PROMISE(test_all_finite((const float *)&skeleton->rest[i], 10), "rest is finite");
        TEST_PROMISE(test_is_utf8(skeleton->labels[i]), "labels are UTF-8");
        uint32_t file = skeleton->file_from_node[i];
        TEST_PROMISE(file < count, "file_from_node is in range");
        TEST_PROMISE(skeleton->node_from_file[file] == i, "the node maps are inverse");
        TEST_PROMISE(skeleton->weight_first[i] <= skeleton->weight_first[i + 1],
                     "weight_first does not decrease");
    }
    for (uint32_t i = 0; i < skeleton->matrix_count; ++i) {
        TEST_PROMISE(skeleton->matrix_nodes[i] < count, "matrix_nodes are nodes");
        TEST_PROMISE(i == 0 || skeleton->matrix_nodes[i - 1] < skeleton->matrix_nodes[i],
                     "matrix_nodes ascend");
        TEST_PROMISE(test_all_finite(&skeleton->matrices[i].m[0][0], 12), "matrices are finite");
    }
    TEST_PROMISE(count == 0 || skeleton->weight_first[0] == 0, "weight_first starts at 0");
    TEST_PROMISE(count == 0 || skeleton->weight_first[count] == skeleton->weight_count,
                 "weight_first ends at weight_count");
    TEST_PROMISE(test_streams_finite(skeleton->rest_weights, skeleton->weight_count),
                 "rest weights are finite");
    return NULL;
}

static inline const char *test_check_skin(const bp_skin *skin, const bp_skeleton *skeleton) {
    TEST_PROMISE(test_is_utf8(skin->name), "a skin's name is UTF-8");
    for (uint32_t i = 0; i < skin->joint_count; ++i) {
        TEST_PROMISE(skin->joints[i] < skeleton->node_count, "joints are nodes");
        TEST_PROMISE(test_all_finite(&skin->joint_from_mesh[i].m[0][0], 12),
                     "inverse bind matrices are finite");
    }
    TEST_PROMISE(test_all_finite(&skin->bind_shape.m[0][0], 12), "the bind shape is finite");
    TEST_PROMISE(skin->root_hint >= -1 && skin->root_hint < (int64_t)skeleton->node_count,
                 "root_hint is -1 or a node");
    return NULL;
}

static inline const char *test_check_channel(const bp_channel *channel,
                                             const bp_skeleton *skeleton) {
    static const uint32_t widths[] = {3, 4, 3};
    TEST_PROMISE(channel->node < skeleton->node_count, "a channel's node exists");
    TEST_PROMISE((unsigned)channel->path <= BP_PATH_WEIGHTS, "a channel's path is one of four");
    TEST_PROMISE((unsigned)channel->interpolation <= BP_INTERPOLATION_CUBICSPLINE,
                 "a channel's interpolation is one of three");
    TEST_PROMISE(channel->key_count >= 1, "a channel has a key");
    size_t width = channel->weight_count;
    if (channel->path == BP_PATH_WEIGHTS) {
        const uint32_t *first = &skeleton->weight_first[channel->node];
        TEST_PROMISE((uint64_t)channel->weight_first + width <= first[1] - first[0],
                     "a channel's weights are the node's");
    } else {
        width = widths[channel->path];
        TEST_PROMISE(channel->weight_first == 0 && channel->weight_count == 0,
                     "only weight channels have weights");
    }
    if (channel->interpolation == BP_INTERPOLATION_CUBICSPLINE) width *= 3;
    TEST_PROMISE(test_all_finite(channel->values, width * channel->key_count), "values are finite");
    TEST_PROMISE(test_all_finite(channel->times, channel->key_count), "times are finite");
    for (uint32_t i = 1; i < channel->key_count; ++i)
        TEST_PROMISE(channel->times[i - 1] <= channel->times[i], "times do not decrease");
    return NULL;
}

static inline const char *test_check_clip(const bp_clip *clip, const bp_skeleton *skeleton) {
    float greatest = 0;
    TEST_PROMISE(test_is_utf8(clip->name), "a clip's name is UTF-8");
    for (uint32_t i = 0; i < clip->channel_count; ++i) {
        const bp_channel *channel = &clip->channels[i];
        const char *broken = test_check_channel(channel, skeleton);
        if (broken) return broken;
        if (channel->times[channel->key_count - 1] > greatest)
            greatest = channel->times[channel->key_count - 1];
    }
    TEST_PROMISE(clip->duration == greatest, "duration is the greatest time");
    return NULL;
}

/* Weights sum to 1, up to the rounding of the division and of the sum. */
static inline const char *test_check_influences(const bp_primitive *primitive, bool raw) {
    for (size_t v = 0; v < primitive->vertex_count; ++v) {
        size_t first = v * primitive->influence_count;
        double sum = 0;
        for (size_t k = first; k < first + primitive->influence_count; ++k) {
            TEST_PROMISE(primitive->joints[k] < primitive->joint_count, "joints are in the skin");
            TEST_PROMISE(isfinite(primitive->weights[k]), "weights are finite");
            TEST_PROMISE(raw || primitive->weights[k] >= 0, "weights are not negative");
            sum += primitive->weights[k];
        }
        double tolerance = 1e-6 * (primitive->influence_count + 1.0);
        TEST_PROMISE(raw || fabs(sum - 1) <= tolerance, "weights sum to 1");
    }
    return NULL;
}

static inline const char *test_check_streams(const bp_primitive *primitive) {
    size_t count = primitive->vertex_count;
    TEST_PROMISE(test_streams_finite(primitive->positions, 3 * count), "positions are finite");
    TEST_PROMISE(test_streams_finite(primitive->normals, 3 * count), "normals are finite");
    TEST_PROMISE(test_streams_finite(primitive->tangents, 4 * count), "tangents are finite");
    TEST_PROMISE(test_streams_finite(primitive->texcoords, 2 * count), "texcoords are finite");
    TEST_PROMISE(test_streams_finite(primitive->texcoords1, 2 * count), "texcoords1 are finite");
    TEST_PROMISE(test_streams_finite(primitive->colors, 4 * count), "colors are finite");
    for (uint32_t i = 0; i < primitive->target_count; ++i) {
        const bp_morph_target *target = &primitive->targets[i];
        TEST_PROMISE(test_streams_finite(target->positions, 3 * count), "targets are finite");
        TEST_PROMISE(test_streams_finite(target->normals, 3 * count), "targets are finite");
        TEST_PROMISE(test_streams_finite(target->tangents, 3 * count), "targets are finite");
        TEST_PROMISE(test_all_finite(&target->bounds.min.x, 6), "a target's bounds are finite");
    }
    return NULL;
}

static inline const char *test_check_primitive(const bp_primitive *primitive, const bp_model *model,
                                               bool raw) {
    const char *broken = test_check_streams(primitive);
    if (broken) return broken;
    for (uint32_t i = 0; primitive->indices && i < primitive->index_count; ++i)
        TEST_PROMISE(primitive->indices[i] < primitive->vertex_count, "indices are vertices");
    TEST_PROMISE((unsigned)primitive->topology <= BP_TOPOLOGY_POINTS, "topology is known");
    TEST_PROMISE(primitive->material >= -1 && primitive->material < (int64_t)model->material_count,
                 "material is -1 or one of the model's");
    for (size_t v = 0; primitive->positions && v < primitive->vertex_count; ++v)
        for (size_t k = 0; k < 3; ++k) {
            float value = primitive->positions[3 * v + k];
            TEST_PROMISE(value >= (&primitive->bounds.min.x)[k] &&
                             value <= (&primitive->bounds.max.x)[k],
                         "positions are inside the bounds");
        }
    if (primitive->influence_count == 0) return NULL;
    TEST_PROMISE(primitive->joints && primitive->weights, "influences are there");
    return test_check_influences(primitive, raw);
}

static inline const char *test_check_mesh(const bp_mesh *mesh, const bp_model *model, bool raw) {
    TEST_PROMISE(test_is_utf8(mesh->name), "a mesh's name is UTF-8");
    for (uint32_t i = 0; mesh->target_names && i < mesh->target_count; ++i)
        TEST_PROMISE(test_is_utf8(mesh->target_names[i]), "target names are UTF-8");
    for (uint32_t i = 0; i < mesh->primitive_count; ++i) {
        const bp_primitive *primitive = &mesh->primitives[i];
        TEST_PROMISE(primitive->target_count <= mesh->target_count,
                     "a primitive has no more targets than its mesh");
        const char *broken = test_check_primitive(primitive, model, raw);
        if (broken) return broken;
    }
    return NULL;
}

static inline const char *test_check_instance(const bp_instance *instance, const bp_model *model) {
    TEST_PROMISE(instance->node < model->skeleton.node_count, "an instance's node exists");
    TEST_PROMISE(instance->mesh < model->mesh_count, "an instance's mesh exists");
    TEST_PROMISE(instance->skin >= -1 && instance->skin < (int64_t)model->skin_count,
                 "an instance's skin is -1 or exists");
    const bp_mesh *mesh = &model->meshes[instance->mesh];
    for (uint32_t i = 0; instance->skin >= 0 && i < mesh->primitive_count; ++i)
        TEST_PROMISE(mesh->primitives[i].influence_count == 0 ||
                         mesh->primitives[i].joint_count <=
                             model->skins[instance->skin].joint_count,
                     "joint indices of a mesh are joints of the instance's skin");
    for (uint32_t i = 0; i < instance->copy_count; ++i)
        TEST_PROMISE(test_all_finite((const float *)&instance->copies[i], 10), "copies are finite");
    return NULL;
}

static inline const char *test_check_scenes(const bp_model *model) {
    for (uint32_t i = 0; i < model->scene_count; ++i) {
        const bp_scene *scene = &model->scenes[i];
        TEST_PROMISE(test_is_utf8(scene->name), "a scene's name is UTF-8");
        for (uint32_t k = 0; k < scene->root_count; ++k)
            TEST_PROMISE(scene->roots[k] < model->skeleton.node_count, "a scene's roots are nodes");
    }
    TEST_PROMISE(model->default_scene >= -1 && model->default_scene < (int64_t)model->scene_count,
                 "the default scene is -1 or exists");
    TEST_PROMISE(model->default_scene >= 0 || model->scene_count == 0,
                 "a model with scenes has a default one");
    return NULL;
}

static inline const char *test_check_looks(const bp_model *model) {
    for (uint32_t i = 0; i < model->material_count; ++i) {
        const bp_material *material = &model->materials[i];
        TEST_PROMISE(test_is_utf8(material->name), "a material's name is UTF-8");
        TEST_PROMISE(test_all_finite(material->base_color, 4), "colors are finite");
        TEST_PROMISE(test_all_finite(material->emissive, 3), "emissive is finite");
        TEST_PROMISE(isfinite(material->metallic) && isfinite(material->roughness) &&
                         isfinite(material->alpha_cutoff),
                     "factors are finite");
        TEST_PROMISE((unsigned)material->alpha_mode <= BP_ALPHA_BLEND, "alpha mode is known");
        TEST_PROMISE(material->base_color_texture >= -1 &&
                         material->base_color_texture < (int64_t)model->texture_count,
                     "a material's texture is -1 or exists");
    }
    for (uint32_t i = 0; i < model->texture_count; ++i)
        TEST_PROMISE(model->textures[i].image >= -1 &&
                         model->textures[i].image < (int64_t)model->image_count,
                     "a texture's image is -1 or exists");
    for (uint32_t i = 0; i < model->image_count; ++i) {
        const bp_image *image = &model->images[i];
        TEST_PROMISE(test_is_utf8(image->name) && test_is_utf8(image->mime_type) &&
                         test_is_utf8(image->uri),
                     "an image's strings are UTF-8");
        unsigned sum = 0;
        for (size_t k = 0; k < image->bytes.size; ++k) /* so that a sanitizer sees bad bounds */
            sum += image->bytes.data[k];
        TEST_PROMISE(sum < UINT32_MAX, "an image's bytes can be read");
    }
    return NULL;
}

static inline const char *test_check_texts(const bp_model *model) {
    TEST_PROMISE(test_is_utf8(model->generator), "generator is UTF-8");
    for (uint32_t i = 0; i < model->extension_count; ++i)
        TEST_PROMISE(test_is_utf8(model->extensions_used[i]), "extensions are UTF-8");
    for (uint32_t i = 0; i < model->warning_count; ++i) {
        const bp_warning *warning = &model->warnings[i];
        TEST_PROMISE(warning->rule > BP_RULE_NONE && warning->rule < BP_RULE_COUNT,
                     "a warning has a rule");
        TEST_PROMISE(warning->count >= 1, "a warning counts at least 1");
        TEST_PROMISE(warning->offset >= -1, "a warning's offset is -1 or a place");
        TEST_PROMISE(test_is_utf8(warning->pointer) && test_is_utf8(warning->message) &&
                         warning->message[0],
                     "a warning has texts");
    }
    return NULL;
}

/* Everything at once. `raw`: the model was loaded with keep_raw_weights. */
static inline const char *test_check_model(const bp_model *model, bool raw) {
    const char *broken = test_check_skeleton(&model->skeleton);
    for (uint32_t i = 0; !broken && i < model->skin_count; ++i)
        broken = test_check_skin(&model->skins[i], &model->skeleton);
    for (uint32_t i = 0; !broken && i < model->clip_count; ++i)
        broken = test_check_clip(&model->clips[i], &model->skeleton);
    for (uint32_t i = 0; !broken && i < model->mesh_count; ++i)
        broken = test_check_mesh(&model->meshes[i], model, raw);
    for (uint32_t i = 0; !broken && i < model->instance_count; ++i)
        broken = test_check_instance(&model->instances[i], model);
    if (!broken) broken = test_check_scenes(model);
    if (!broken) broken = test_check_looks(model);
    if (!broken) broken = test_check_texts(model);
    return broken;
}

#endif
