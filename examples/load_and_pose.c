// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// From a file to moving vertices: loads a character, poses it 0.4 s into a clip and skins it.
//
//   load_and_pose [FILE [CLIP]]        default: assets/walker.glb walk

#include <bindpose/bindpose.h>

#include <stdio.h>
#include <stdlib.h>

// The first instance whose first primitive is placed by joints, or NULL.
static const bp_instance *find_skinned(const bp_model *model) {
    for (uint32_t i = 0; i < model->instance_count; i++) {
        const bp_mesh *mesh = &model->meshes[model->instances[i].mesh];
        if (mesh->primitive_count > 0 && bp_model_is_skinned(model, i, 0))
            return &model->instances[i];
    }
    return NULL;
}

static void print_box(const char *what, bp_aabb box) {
    printf("%-14s (%6.3f, %6.3f, %6.3f) to (%6.3f, %6.3f, %6.3f)\n", what, (double)box.min.x,
           (double)box.min.y, (double)box.min.z, (double)box.max.x, (double)box.max.y,
           (double)box.max.z);
}

// Poses the model and skins the first primitive of `instance`. Returns 0 when all went well.
static int pose_and_skin(const bp_model *model, const bp_instance *instance, const bp_clip *clip) {
    const bp_skin *skin = &model->skins[instance->skin];
    const bp_primitive *mesh = &model->meshes[instance->mesh].primitives[0];

    // State and memory, once for each character. A new pose is at rest.
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_mat34 *palette = malloc(skin->joint_count * sizeof *palette);
    float *positions = malloc(3 * sizeof(float) * mesh->vertex_count);
    int status = 2;
    if (pose && palette && positions) {
        // Each frame. Nothing below allocates.
        bp_clip_sample(pose, clip, 0.4f);      // local transforms at 0.4 s
        bp_pose_update(pose);                  // where every node is in the scene
        bp_palette_build(palette, skin, pose); // joint matrices: upload them, or go on here
        bp_skinning_job job = {.primitive = mesh, .palette = palette, .positions = positions};
        job.morph_weights = bp_model_instance_weights(
            model, pose, (uint32_t)(instance - model->instances), &job.morph_weight_count);
        bp_skinning_run(&job);

        bp_aabb box = bp_skinning_bounds(&job);
        print_box("as modelled", mesh->bounds);
        print_box("as posed", box);
        printf("%-14s (%6.3f, %6.3f, %6.3f)\n", "its vertex 0", (double)positions[0],
               (double)positions[1], (double)positions[2]);
        status = box.min.x <= positions[0] && positions[0] <= box.max.x ? 0 : 1;
    }
    free(positions);
    free(palette);
    bp_pose_destroy(pose);
    return status;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "assets/walker.glb";
    const char *name = argc > 2 ? argv[2] : "walk";

    bp_model *model;
    bp_error error;
    if (bp_model_load_file(&model, path, NULL, &error) != BP_OK) {
        char text[512];
        bp_error_format(text, sizeof text, &error);
        fprintf(stderr, "%s: %s\n", path, text);
        return 2;
    }
    const bp_clip *clip = bp_model_find_clip(model, name);
    const bp_instance *instance = find_skinned(model);
    int status = 2;
    if (!clip || !instance) {
        fprintf(stderr, "%s: there is no %s\n", path, clip ? "skinned mesh" : "clip of this name");
    } else {
        printf("%s: %u joints, clip \"%s\" of %g s\n", path,
               (unsigned)model->skins[instance->skin].joint_count, clip->name,
               (double)clip->duration);
        status = pose_and_skin(model, instance, clip);
    }
    bp_model_destroy(model);
    return status;
}
