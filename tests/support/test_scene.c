// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "test_scene.h"

#include <stdlib.h>

/* Zeros; without cmocka, for tests of machines that have none. */
static void *take(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) abort();
    return memory;
}

static float *take_floats(const float *source, uint32_t count, uint32_t width) {
    return source ? take((size_t)count * width + 1, sizeof(float)) : NULL;
}

static void pose_primitive(test_posed *posed, const bp_model *model, const bp_pose *pose,
                           const bp_mat34 *palette, uint32_t instance) {
    const bp_primitive *source = posed->source;
    const bp_mat34 *global = &bp_pose_globals(pose)[posed->instance->node];
    bool rigid = !bp_model_is_skinned(model, instance, posed->primitive);
    posed->positions = take_floats(source->positions, source->vertex_count, 3);
    posed->normals = take_floats(source->normals, source->vertex_count, 3);
    posed->tangents = take_floats(source->tangents, source->vertex_count, 4);
    posed->bounds = posed->fast_bounds = bp_aabb_empty();
    if (!source->positions || source->vertex_count == 0) return;
    bp_skinning_job job = {.primitive = source,
                           .palette = rigid ? global : palette,
                           .rigid = rigid,
                           .positions = posed->positions,
                           .normals = posed->normals,
                           .tangents = posed->tangents};
    job.morph_weights = bp_model_instance_weights(model, pose, instance, &job.morph_weight_count);
    bp_skinning_run(&job);
    posed->bounds = bp_skinning_bounds(&job);
    posed->fast_bounds = bp_skinning_bounds_fast(&job);
}

static uint32_t primitive_total(const bp_model *model) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < model->instance_count; ++i)
        total += model->meshes[model->instances[i].mesh].primitive_count;
    return total;
}

test_scene test_scene_make(const bp_model *model, const bp_pose *pose) {
    test_scene scene = {.entries = take(primitive_total(model) + 1, sizeof *scene.entries)};
    for (uint32_t i = 0; i < model->instance_count; ++i) {
        const bp_instance *instance = &model->instances[i];
        const bp_mesh *mesh = &model->meshes[instance->mesh];
        const bp_skin *skin = instance->skin < 0 ? NULL : &model->skins[instance->skin];
        bp_mat34 *palette = take(skin ? skin->joint_count : 1, sizeof *palette);
        if (skin) bp_palette_build(palette, skin, pose);
        for (uint32_t k = 0; k < mesh->primitive_count; ++k) {
            test_posed *posed = &scene.entries[scene.count++];
            *posed = (test_posed){.file_node = model->skeleton.file_from_node[instance->node],
                                  .mesh = instance->mesh,
                                  .primitive = k,
                                  .vertex_count = mesh->primitives[k].vertex_count,
                                  .source = &mesh->primitives[k],
                                  .instance = instance};
            pose_primitive(posed, model, pose, palette, i);
        }
        free(palette);
    }
    return scene;
}

void test_scene_destroy(test_scene *scene) {
    for (uint32_t i = 0; i < scene->count; ++i) {
        free(scene->entries[i].positions);
        free(scene->entries[i].normals);
        free(scene->entries[i].tangents);
    }
    free(scene->entries);
}

const test_posed *test_scene_find(const test_scene *scene, uint32_t file_node, uint32_t primitive) {
    for (uint32_t i = 0; i < scene->count; ++i)
        if (scene->entries[i].file_node == file_node && scene->entries[i].primitive == primitive)
            return &scene->entries[i];
    return NULL;
}
