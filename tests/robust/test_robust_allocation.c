// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The work of a frame allocates nothing: neither from the allocator that the model and the pose
 * came from, nor from malloc, which the linker leads through here where the library is static.
 */
#include "test_allocator.h"
#include "bindpose/bindpose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef TEST_WRAPS_MALLOC

static bool forbidden;
static size_t calls;

/* Names that the linker's --wrap makes. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) {
    if (forbidden) abort();
    ++calls;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    if (forbidden) abort();
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    if (forbidden) abort();
    return __real_realloc(memory, size);
}

static void forbid(bool value) {
    forbidden = value;
}

/* The library's own calls do come through here. */
static void test_malloc_is_watched(void **state) {
    (void)state;
    size_t before = calls;
    bp_model *model;
    assert_int_equal(bp_model_load_file(&model, "assets/arm.glb", NULL, NULL), BP_OK);
    assert_true(calls > before);
    bp_model_destroy(model);
}

#else

static void forbid(bool value) {
    (void)value;
}

static void test_malloc_is_watched(void **state) {
    (void)state;
    skip();
}

#endif

enum { CHARACTERS = 3, MOST_JOINTS = 64, MOST_FLOATS = 10 * 8192 };

static bp_mat34 palettes[CHARACTERS * MOST_JOINTS];
static float vertices[MOST_FLOATS];

static void skin_everything(const bp_model *model, const bp_pose *pose) {
    for (uint32_t i = 0; i < model->instance_count; ++i) {
        const bp_mesh *mesh = &model->meshes[model->instances[i].mesh];
        for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
            const bp_primitive *primitive = &mesh->primitives[p];
            size_t count = primitive->vertex_count;
            bp_skinning_job job = {
                .primitive = primitive,
                .palette = palettes,
                .rigid = !bp_model_is_skinned(model, i, p),
                .positions = primitive->positions ? vertices : NULL,
                .normals = primitive->normals ? vertices + 3 * count : NULL,
                .tangents = primitive->tangents ? vertices + 6 * count : NULL,
            };
            job.morph_weights = bp_model_instance_weights(model, pose, i, &job.morph_weight_count);
            if (10 * count > MOST_FLOATS) abort();
            bp_skinning_run(&job);
            bp_tasks_skin(NULL, &job);
            (void)bp_skinning_bounds(&job);
            (void)bp_skinning_bounds_fast(&job);
        }
    }
}

static void run_frame(const bp_model *model, const bp_clip *clip, float time, bp_pose *pose,
                      bp_pose *other) {
    bp_clip_sample(pose, clip, time);
    bp_clip_sample(other, NULL, 0);
    bp_pose_blend(pose, other, 0.25f);
    bp_pose_update(pose);
    for (uint32_t s = 0; s < model->skin_count; ++s) {
        const bp_skin *skin = &model->skins[s];
        const bp_character characters[CHARACTERS] = {{clip, time}, {clip, time}, {clip, 0}};
        if (skin->joint_count > MOST_JOINTS) abort();
        bp_crowd_job crowd = {.skin = skin, .characters = characters, .matrices = palettes};
        bp_crowd_run_range(&crowd, other, 0, CHARACTERS);
        bp_tasks_crowd(NULL, &crowd, &other, CHARACTERS);
        bp_palette_run(&(bp_palette_job){.skin = skin, .pose = pose, .matrices44 = vertices});
        bp_palette_build(palettes, skin, pose);
    }
    skin_everything(model, pose);
    bp_pose_copy(other, pose);
    bp_pose_update_subtree(pose, 0);
    (void)bp_pose_update_relative(pose, model->skeleton.node_count - 1, NULL);
    bp_pose_reset(pose);
}

static void check_model(const char *path, bool compact) {
    test_allocator counter = {0};
    bp_model *model;
    bp_error error;
    bp_load_options options = {.allocator = test_allocator_make(&counter),
                               .compact_clips = compact};
    if (bp_model_load_file(&model, path, &options, &error) != BP_OK)
        fail_msg("%s: %s", path, error.message);
    bp_pose *pose = bp_pose_create(&model->skeleton, &options.allocator);
    bp_pose *other = bp_pose_create(&model->skeleton, &options.allocator);
    assert_true(pose && other && model->clip_count > 0 && model->skin_count > 0);
    counter.fail_at = counter.count + 1;
    forbid(true);
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        bp_cpu_limit((bp_cpu)cpu);
        for (uint32_t c = 0; c < model->clip_count; ++c)
            for (float t = -0.1f; t < 1.2f; t += 0.171f)
                run_frame(model, &model->clips[c], t * model->clips[c].duration, pose, other);
    }
    forbid(false);
    assert_int_equal(counter.count + 1, counter.fail_at); /* nobody asked */
    bp_pose_destroy(pose);
    bp_pose_destroy(other);
    bp_model_destroy(model);
    assert_int_equal(counter.live, 0);
}

static void test_frames_allocate_nothing(void **state) {
    (void)state;
    for (int compact = 0; compact < 2; ++compact) {
        check_model("assets/arm.glb", compact);
        check_model("assets/walker.glb", compact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malloc_is_watched),
        cmocka_unit_test(test_frames_allocate_nothing),
    };
    return cmocka_run_group_tests_name("robust_allocation", tests, NULL, NULL);
}
