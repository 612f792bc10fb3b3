// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Does with a model all that a program would do: samples every clip at sensible and at absurd
 * times, updates, builds palettes, skins, takes bounds, casts rays. For files of unknown origin:
 * what counts is that nothing is read or written where it should not be, which sanitizers see. No
 * test framework is needed, as fuzz targets use it too: the result is NULL, or which promise is
 * broken.
 */
#ifndef BINDPOSE_TEST_USE_H
#define BINDPOSE_TEST_USE_H

#include "test_invariants.h"

#include <float.h>
#include <stdlib.h>

/* Value. What one use of a model may cost: small files can describe much work. */
typedef struct test_use {
    const bp_model *model;
    bp_pose *pose, *other;
    bool raw;        /* weights as the file has them, so that the fast bounds promise nothing */
    uint64_t budget; /* vertices, triangles and channels left to visit */
} test_use;

/* Takes `cost` from the budget; false when it is used up. */
static inline bool test_use_spend(test_use *use, uint64_t cost) {
    if (use->budget < cost) return false;
    use->budget -= cost;
    return true;
}

static inline bool test_box_contains(bp_aabb outer, bp_aabb inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
           outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

static inline const char *test_use_rays(const bp_primitive *primitive, const float *positions) {
    static const bp_vec3 directions[] = {{0, 0, -1}, {1, 1, 1}, {1e-30f, -1e30f, 0}};
    for (unsigned i = 0; i < 3; ++i) {
        bp_ray_hit hit;
        bp_raycast_job job = {.primitive = primitive,
                              .positions = positions,
                              .origin = {0.1f, 0.2f, 5.0f * (float)(i == 0)},
                              .direction = directions[i],
                              .cull_back_faces = i == 1};
        if (!bp_mesh_raycast(&hit, &job)) continue;
        TEST_PROMISE(hit.triangle < bp_primitive_triangle_count(primitive),
                     "a hit is a triangle of the primitive");
        for (unsigned k = 0; k < 3; ++k)
            TEST_PROMISE(hit.vertices[k] < primitive->vertex_count, "a hit has vertices");
    }
    return NULL;
}

/*
 * Skins into memory of exactly the size that is written, whole and in two parts. *finite tells
 * whether all positions are numbers: where transforms overflow, boxes mean nothing.
 */
static inline const char *test_use_skin(const bp_skinning_job *given, bool *finite) {
    bp_skinning_job job = *given;
    const bp_primitive *mesh = job.primitive;
    size_t count = mesh->vertex_count;
    float *floats = malloc(10 * count * sizeof *floats);
    const char *broken = NULL;
    if (!floats) return "no memory for the test";
    job.positions = floats;
    job.normals = mesh->normals ? floats + 3 * count : NULL;
    job.tangents = mesh->tangents ? floats + 6 * count : NULL;
    bp_skinning_run(&job);
    *finite = test_all_finite(floats, 3 * count);
    float first = floats[0], last = floats[3 * count - 1];
    if (count > 1) {
        bp_skinning_run_range(&job, 0, 1);
        job.positions = floats + 3;
        job.normals = job.tangents = NULL;
        job.output_first = 1;
        bp_skinning_run_range(&job, 1, (uint32_t)count - 1);
    }
    if (memcmp(&first, floats, sizeof first) != 0 ||
        memcmp(&last, floats + 3 * count - 1, sizeof last) != 0)
        broken = "ranges give the same bits as the whole";
    if (!broken) broken = test_use_rays(mesh, floats);
    free(floats);
    return broken;
}

static inline const char *test_use_primitive(test_use *use, uint32_t instance, uint32_t number,
                                             const bp_mat34 *palette) {
    const bp_instance *drawn = &use->model->instances[instance];
    const bp_primitive *primitive = &use->model->meshes[drawn->mesh].primitives[number];
    uint64_t cost = (uint64_t)primitive->vertex_count * (4 + primitive->target_count) +
                    3 * (uint64_t)bp_primitive_triangle_count(primitive);
    if (!primitive->positions || primitive->vertex_count == 0) return NULL;
    if (!test_use_spend(use, cost + primitive->target_count + primitive->joint_count)) return NULL;
    bool rigid = !bp_model_is_skinned(use->model, instance, number);
    bp_skinning_job job = {.primitive = primitive, .palette = palette, .rigid = rigid};
    if (rigid) job.palette = &bp_pose_globals(use->pose)[drawn->node];
    job.morph_weights =
        bp_model_instance_weights(use->model, use->pose, instance, &job.morph_weight_count);
    bool finite;
    const char *broken = test_use_skin(&job, &finite);
    bp_aabb bounds = bp_skinning_bounds(&job), fast = bp_skinning_bounds_fast(&job);
    if (!broken && finite && !use->raw && !test_box_contains(fast, bounds))
        broken = "fast bounds contain the exact ones";
    return broken;
}

static inline const char *test_use_instance(test_use *use, uint32_t instance) {
    const bp_instance *drawn = &use->model->instances[instance];
    const bp_mesh *mesh = &use->model->meshes[drawn->mesh];
    const bp_skin *skin = drawn->skin < 0 ? NULL : &use->model->skins[drawn->skin];
    bp_mat34 *palette = NULL;
    const char *broken = NULL;
    if (!test_use_spend(use, 1 + mesh->primitive_count)) return NULL;
    if (skin && !test_use_spend(use, 2 * (uint64_t)skin->joint_count)) return NULL;
    if (skin) {
        palette = malloc((skin->joint_count + (size_t)(skin->joint_count == 0)) * sizeof *palette);
        if (!palette) return "no memory for the test";
        bp_palette_build(palette, skin, use->pose);
    }
    for (uint32_t i = 0; !broken && i < mesh->primitive_count; ++i)
        broken = test_use_primitive(use, instance, i, palette);
    free(palette);
    return broken;
}

/* What reads the pose as it is now. */
static inline const char *test_use_pose(test_use *use) {
    const char *broken = NULL;
    bp_pose_update(use->pose);
    for (uint32_t i = 0; !broken && i < use->model->instance_count && use->budget > 0; ++i)
        broken = test_use_instance(use, i);
    return broken;
}

/* The two ends of a blend are the two poses, exactly. */
static inline const char *test_use_blend(test_use *use) {
    size_t size = use->model->skeleton.node_count * sizeof(bp_transform);
    if (size == 0) return NULL;
    bp_transform *before = malloc(size);
    if (!before) return "no memory for the test";
    memcpy(before, bp_pose_locals(use->other), size);
    bp_pose_blend(use->other, use->pose, 0);
    bool kept = memcmp(before, bp_pose_locals(use->other), size) == 0;
    bp_pose_blend(use->other, use->pose, 0.25f);
    bp_pose_update(use->other);
    bp_pose_blend(use->other, use->pose, 1);
    bool taken = memcmp(bp_pose_locals(use->pose), bp_pose_locals(use->other), size) == 0;
    free(before);
    TEST_PROMISE(kept, "a blend by 0 changes nothing");
    TEST_PROMISE(taken, "a blend by 1 becomes the other pose");
    return NULL;
}

static inline const char *test_use_clip(test_use *use, const bp_clip *clip) {
    float duration = clip ? clip->duration : 1;
    const float times[] = {
        0,    duration / 3, duration, -1,        FLT_MAX,
        -0.f, NAN,          INFINITY, -INFINITY, clip ? bp_clip_wrap(clip, 1e9) : 0};
    uint64_t cost = use->model->skeleton.node_count + use->model->skeleton.weight_count + 1;
    const char *broken = NULL;
    if (clip) cost += 10 * (uint64_t)clip->channel_count;
    for (unsigned i = 0; !broken && i < sizeof times / sizeof times[0]; ++i) {
        if (clip == NULL && i > 0) break;
        if (!test_use_spend(use, cost)) return NULL;
        bp_clip_sample(use->pose, clip, times[i]);
        if (i < 3 || i == 6) broken = test_use_pose(use);
    }
    return broken ? broken : test_use_blend(use);
}

/* Each skin's questions on its bind pose. */
static inline void test_use_skins(test_use *use) {
    const bp_model *model = use->model;
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        const bp_skin *skin = &model->skins[i];
        if (!test_use_spend(use, 4 * (uint64_t)skin->joint_count + 1)) return;
        bp_mat34 matrix;
        bp_bind_distance *distances = malloc((skin->joint_count + 1) * sizeof *distances);
        if (!distances) return;
        for (uint32_t k = 0; k < skin->joint_count; ++k)
            bp_skin_bind_transform(&matrix, skin, k);
        bp_skin_bind_distances(distances, skin, bp_pose_globals(use->pose));
        bp_skin_find(skin, &model->skeleton, skin->name, NULL);
        free(distances);
    }
}

/* Everything of a model; `raw` as for test_check_model; `budget` bounds the work, in vertices. */
static inline const char *test_use_model(const bp_model *model, bool raw, uint64_t budget) {
    test_use use = {.model = model, .raw = raw, .budget = budget};
    const char *broken = NULL;
    use.pose = bp_pose_create(&model->skeleton, NULL);
    use.other = bp_pose_create(&model->skeleton, NULL);
    if (!use.pose || !use.other) {
        broken = "no memory for the test";
    } else {
        test_use_skins(&use);
        broken = test_use_clip(&use, NULL);
        for (uint32_t i = 0; !broken && i < model->clip_count && use.budget > 0; ++i)
            broken = test_use_clip(&use, &model->clips[i]);
        if (model->skeleton.node_count > 0) {
            bp_mat34 global;
            uint32_t last = model->skeleton.node_count - 1;
            bp_pose_update_subtree(use.pose, 0);
            if (!broken && bp_pose_update_relative(use.pose, last, &global))
                broken = test_use_pose(&use);
            bp_pose_copy(use.other, use.pose);
        }
        bp_model_find_clip(model, "");
        bp_skeleton_find(&model->skeleton, "a", NULL);
    }
    bp_pose_destroy(use.pose);
    bp_pose_destroy(use.other);
    return broken;
}

#endif
