// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// A whole model, as a renderer draws it: every instance of the default scene, skinned or rigid,
// every primitive, with its morph weights, and every copy of an instanced one.
//
//   draw_model [FILE [CLIP [TIME]]]        default: assets/walker.glb walk 0.4

#include <bindpose/bindpose.h>

#include <stdio.h>
#include <stdlib.h>

// What a renderer has: memory for one primitive's vertices, and somewhere to send them.
typedef struct renderer {
    float *positions; // 3 floats for each vertex of the largest primitive
    unsigned draws;
    uint64_t vertices;
    bp_aabb bounds;
} renderer;

// `matrix` places the posed vertices: the identity, or a copy's place.
static void draw(renderer *r, uint32_t vertex_count, const bp_mat34 *matrix) {
    for (uint32_t v = 0; v < vertex_count; v++) {
        const float *p = r->positions + 3 * (size_t)v;
        r->bounds = bp_aabb_add(r->bounds, bp_mat34_point(matrix, (bp_vec3){p[0], p[1], p[2]}));
    }
    r->draws++;
    r->vertices += vertex_count;
}

// Copies of EXT_mesh_gpu_instancing stand at global * copy, and posed vertices are already moved by
// global: so a copy moves them by global * copy * inverse(global).
static void draw_copies(renderer *r, const bp_instance *instance, const bp_mat34 *global,
                        uint32_t vertex_count) {
    bp_mat34 inverse;
    if (!bp_mat34_inverse(&inverse, global)) return;
    for (uint32_t i = 0; i < instance->copy_count; i++) {
        bp_mat34 copy = bp_mat34_from_transform(instance->copies[i]);
        bp_mat34 placed = bp_mat34_mul(global, &copy);
        placed = bp_mat34_mul(&placed, &inverse);
        draw(r, vertex_count, &placed);
    }
}

// `palette` has room for the joints of any skin.
static void draw_instance(renderer *r, const bp_model *model, const bp_pose *pose, uint32_t index,
                          bp_mat34 *palette) {
    const bp_instance *instance = &model->instances[index];
    const bp_mesh *mesh = &model->meshes[instance->mesh];
    const bp_mat34 *global = &bp_pose_globals(pose)[instance->node];
    const bp_mat34 identity = bp_mat34_identity();
    if (instance->skin >= 0) bp_palette_build(palette, &model->skins[instance->skin], pose);
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const bp_primitive *primitive = &mesh->primitives[i];
        if (!primitive->positions) continue;
        // Joints place the vertices, or the node moves the whole.
        bool rigid = !bp_model_is_skinned(model, index, i);
        bp_skinning_job job = {.primitive = primitive,
                               .palette = rigid ? global : palette,
                               .rigid = rigid,
                               .positions = r->positions};
        job.morph_weights = bp_model_instance_weights(model, pose, index, &job.morph_weight_count);
        bp_skinning_run(&job);
        if (instance->copies)
            draw_copies(r, instance, global, primitive->vertex_count);
        else
            draw(r, primitive->vertex_count, &identity);
    }
}

static uint32_t largest_primitive(const bp_model *model) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        for (uint32_t k = 0; k < model->meshes[i].primitive_count; k++)
            if (model->meshes[i].primitives[k].vertex_count > most)
                most = model->meshes[i].primitives[k].vertex_count;
    return most;
}

static uint32_t largest_skin(const bp_model *model) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->skin_count; i++)
        if (model->skins[i].joint_count > most) most = model->skins[i].joint_count;
    return most;
}

static int draw_model(const bp_model *model, const char *clip_name, float time) {
    const bp_clip *clip = bp_model_find_clip(model, clip_name);
    if (!clip) {
        fprintf(stderr, "there is no clip %s\n", clip_name);
        return 2;
    }
    // Once: memory. Then, each frame: sample, update, draw.
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_mat34 *palette = malloc((largest_skin(model) + 1) * sizeof *palette);
    renderer r = {.bounds = bp_aabb_empty()};
    r.positions = malloc((3 * (size_t)largest_primitive(model) + 1) * sizeof *r.positions);
    if (pose && palette && r.positions) {
        bp_clip_sample(pose, clip, bp_clip_wrap(clip, time));
        bp_pose_update(pose);
        for (uint32_t i = 0; i < model->instance_count; i++)
            if (model->instances[i].in_default_scene) draw_instance(&r, model, pose, i, palette);
        printf("%u draws, %llu vertices, from (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f)\n", r.draws,
               (unsigned long long)r.vertices, (double)r.bounds.min.x, (double)r.bounds.min.y,
               (double)r.bounds.min.z, (double)r.bounds.max.x, (double)r.bounds.max.y,
               (double)r.bounds.max.z);
    }
    free(r.positions);
    free(palette);
    bp_pose_destroy(pose);
    return r.draws > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "assets/walker.glb";
    bp_model *model;
    bp_error error;
    if (bp_model_load_file(&model, path, NULL, &error) != BP_OK) {
        char text[640];
        bp_error_format(text, sizeof text, &error);
        fprintf(stderr, "%s: %s\n", path, text);
        return 2;
    }
    int status =
        draw_model(model, argc > 2 ? argv[2] : "walk", argc > 3 ? strtof(argv[3], NULL) : 0.4f);
    bp_model_destroy(model);
    return status;
}
