// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Skinning on the CPU, and what it is good for: morph targets, normals, a mesh split over threads,
// bounds for culling, and a ray that finds what was clicked on.
//
//   morph_and_skin [FILE]        default: assets/walker.glb

#include <bindpose/bindpose.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(bool holds, const char *what) {
    printf("%s %s\n", holds ? "yes" : "NO ", what);
    failures += !holds;
}

// Sets up a job for the first instance of a model, 0.4 s into its clip "walk": what to skin, by
// which joint matrices, with which morph weights. The caller adds the outputs.
static bp_skinning_job pose_first_instance(const bp_model *model, bp_pose *pose,
                                           bp_mat34 *palette) {
    bp_clip_sample(pose, bp_model_find_clip(model, "walk"), 0.4f);
    bp_pose_update(pose);
    bp_palette_build(palette, &model->skins[model->instances[0].skin], pose);

    bp_skinning_job job = {0};
    job.primitive = &model->meshes[model->instances[0].mesh].primitives[0];
    job.palette = palette;
    // The clip animates the morph weights too; they are part of the pose.
    job.morph_weights = bp_model_instance_weights(model, pose, 0, &job.morph_weight_count);
    return job;
}

// Morph targets are added before skinning, so a bent limb swells in its own direction.
static void morph(bp_skinning_job job, const float *positions) {
    uint32_t count = job.primitive->vertex_count;
    float *without = malloc(3 * sizeof(float) * count);
    if (!without) {
        failures++;
        return;
    }
    job.positions = without;
    job.normals = NULL;
    job.morph_weights = NULL;
    job.morph_weight_count = 0;
    bp_skinning_run(&job);
    float farthest = 0.0f;
    for (uint32_t i = 0; i < 3 * count; i++) {
        farthest = fmaxf(farthest, fabsf(positions[i] - without[i]));
    }
    printf("    the morph targets move vertices by up to %.1f mm\n", 1000.0 * (double)farthest);
    expect(farthest > 0.0f, "morphed and not morphed differ");
    free(without);
}

// Two threads would do this: each skins its own range of vertices. The bits are the same.
static void split(bp_skinning_job job, const float *positions, const float *normals) {
    uint32_t count = job.primitive->vertex_count, half = count / 2;
    size_t size = 3 * sizeof(float) * count;
    float *again = malloc(2 * size);
    if (!again) {
        failures++;
        return;
    }
    job.positions = again;
    job.normals = again + 3 * (size_t)count;
    bp_skinning_run_range(&job, 0, half);
    bp_skinning_run_range(&job, half, count - half);
    expect(memcmp(again, positions, size) == 0, "two halves give the positions of the whole");
    expect(memcmp(again + 3 * (size_t)count, normals, size) == 0, "and its normals");
    free(again);
}

static bool contains(bp_aabb outer, bp_aabb inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

// The exact box costs as much as skinning. The fast one costs a box a joint and is never smaller:
// the one to cull by, even when the GPU does the skinning.
static void bounds(bp_skinning_job job, const float *positions) {
    bp_aabb exact = bp_skinning_bounds(&job);
    bp_aabb fast = bp_skinning_bounds_fast(&job);
    bp_aabb box = bp_aabb_empty();
    for (uint32_t v = 0; v < job.primitive->vertex_count; v++) {
        const float *p = &positions[3 * (size_t)v];
        box = bp_aabb_add(box, (bp_vec3){p[0], p[1], p[2]});
    }
    printf("    exact height %.3f m, fast height %.3f m\n", (double)(exact.max.y - exact.min.y),
           (double)(fast.max.y - fast.min.y));
    expect(contains(exact, box) && contains(box, exact),
           "the exact bounds are those of the vertices");
    expect(contains(fast, exact), "the fast bounds enclose them");
}

// A click: a ray from the front through the middle of the posed mesh meets its near side.
static void click(bp_skinning_job job, const float *positions) {
    bp_aabb box = bp_skinning_bounds(&job);
    bp_raycast_job ray = {.primitive = job.primitive, .positions = positions};
    ray.origin = (bp_vec3){0.5f * (box.min.x + box.max.x), 0.5f * (box.min.y + box.max.y), 10.0f};
    ray.direction = (bp_vec3){0.0f, 0.0f, -1.0f};
    bp_ray_hit hit;
    bool met = bp_mesh_raycast(&hit, &ray);
    expect(met, "a ray from the front meets the mesh");
    if (!met) {
        return;
    }
    printf("    triangle %u at (%.3f, %.3f, %.3f), %.3f m away\n", (unsigned)hit.triangle,
           (double)hit.point.x, (double)hit.point.y, (double)hit.point.z, (double)hit.distance);
    // The barycentrics say where in the triangle: they interpolate anything that vertices carry.
    float z = 0.0f;
    for (int k = 0; k < 3; k++) {
        z += hit.barycentrics[k] * positions[3 * (size_t)hit.vertices[k] + 2];
    }
    expect(fabsf(z - hit.point.z) < 1e-4f && !hit.back_face, "on a front side, at that point");
}

static void run(const bp_skinning_job *job) {
    size_t count = job->primitive->vertex_count;
    float *positions = malloc(2 * 3 * sizeof(float) * count);
    if (!positions) {
        failures++;
        return;
    }
    bp_skinning_job whole = *job;
    whole.positions = positions;
    whole.normals = positions + 3 * count;
    bp_skinning_run(&whole);

    morph(whole, positions);
    split(whole, positions, whole.normals);
    bounds(whole, positions);
    click(whole, positions);
    free(positions);
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
    if (model->instance_count == 0 ||
        model->meshes[model->instances[0].mesh].primitive_count == 0 ||
        !bp_model_is_skinned(model, 0, 0)) {
        fprintf(stderr, "%s: the first mesh has no skin\n", path);
        bp_model_destroy(model);
        return 2;
    }
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    uint32_t joint_count = model->skins[model->instances[0].skin].joint_count;
    bp_mat34 *palette = malloc(joint_count * sizeof *palette);
    if (pose && palette) {
        bp_skinning_job job = pose_first_instance(model, pose, palette);
        run(&job);
    }
    bool done = pose && palette && failures == 0;
    free(palette);
    bp_pose_destroy(pose);
    bp_model_destroy(model);
    return done ? 0 : 1;
}
