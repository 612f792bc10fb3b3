// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Skinning and crowds over threads: the bits that one thread gives, whatever the number of threads.
 * The task system here hands ranges to POSIX threads in no fixed order, so ThreadSanitizer (preset
 * tsan) sees every access that two workers might share.
 */
#define _POSIX_C_SOURCE 200809L

#include "test_random.h"
#include "bindpose/tasks.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WORKERS = 4, VERTICES = 20011, JOINTS = 30, CHARACTERS = 77 };

/* One call of `run`: workers take the next range until none is left. */
typedef struct job_queue {
    bp_task *task;
    void *context;
    size_t item_count, least;
    _Atomic size_t next;
} job_queue;

typedef struct worker_start {
    job_queue *queue;
    uint32_t worker;
} worker_start;

static void *work(void *argument) {
    const worker_start *start = argument;
    job_queue *queue = start->queue;
    size_t first;
    while ((first = atomic_fetch_add(&queue->next, queue->least)) < queue->item_count) {
        size_t left = queue->item_count - first;
        queue->task(first, left < queue->least ? left : queue->least, start->worker,
                    queue->context);
    }
    return NULL;
}

static void run_on_threads(void *user, bp_task *task, size_t item_count, size_t least,
                           void *context) {
    uint32_t workers = *(const uint32_t *)user;
    job_queue queue = {task, context, item_count, least, 0};
    pthread_t threads[MOST_WORKERS];
    worker_start starts[MOST_WORKERS];
    for (uint32_t i = 0; i < workers; ++i) {
        starts[i] = (worker_start){&queue, i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &starts[i]), 0);
    }
    for (uint32_t i = 0; i < workers; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static bp_tasks tasks_of(uint32_t *workers) {
    return (bp_tasks){.run = run_on_threads, .user = workers, .worker_count = *workers};
}

static float *random_floats(test_random *random, size_t count) {
    float *values = malloc(count * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; ++i)
        values[i] = (float)test_random_normal(random);
    return values;
}

static bp_primitive *make_primitive(test_random *random) {
    float *positions = random_floats(random, 3 * VERTICES);
    float *normals = random_floats(random, 3 * VERTICES);
    float *weights = random_floats(random, 4 * VERTICES);
    uint16_t *joints = malloc(4 * VERTICES * sizeof *joints);
    assert_non_null(joints);
    for (size_t i = 0; i < 4 * VERTICES; ++i) {
        joints[i] = (uint16_t)test_random_below(random, JOINTS);
        weights[i] = weights[i] < 0 ? 0 : weights[i];
    }
    bp_primitive *primitive;
    bp_primitive_desc desc = {.vertex_count = VERTICES,
                              .positions = positions,
                              .normals = normals,
                              .influence_count = 4,
                              .joints = joints,
                              .weights = weights,
                              .joint_count = JOINTS};
    assert_int_equal(bp_primitive_build(&primitive, &desc, NULL), BP_OK);
    free(positions);
    free(normals);
    free(weights);
    free(joints);
    return primitive;
}

static void test_skin(void **state) {
    (void)state;
    test_random random = {401};
    bp_primitive *primitive = make_primitive(&random);
    float *palette = random_floats(&random, 12 * JOINTS);
    size_t size = 6 * VERTICES * sizeof(float);
    float *alone = malloc(size), *shared = malloc(size);
    assert_true(alone && shared);
    bp_skinning_job job = {.primitive = primitive,
                           .palette = (const bp_mat34 *)(const void *)palette,
                           .positions = alone,
                           .normals = alone + 3 * VERTICES};
    bp_skinning_run(&job);
    memset(shared, 0xFF, size);
    job.positions = shared;
    job.normals = shared + 3 * VERTICES;
    bp_tasks_skin(NULL, &job);
    assert_memory_equal(alone, shared, size);
    for (uint32_t workers = 1; workers <= MOST_WORKERS; ++workers) {
        bp_tasks tasks = tasks_of(&workers);
        memset(shared, 0xFF, size);
        bp_tasks_skin(&tasks, &job);
        assert_memory_equal(alone, shared, size);
    }
    /* The outputs may begin with a later vertex. */
    uint32_t workers = 2;
    bp_tasks tasks = tasks_of(&workers);
    job.output_first = 4099;
    job.normals = NULL;
    bp_tasks_skin(&tasks, &job);
    assert_memory_equal(alone + 3 * (size_t)job.output_first, shared,
                        3 * (VERTICES - (size_t)job.output_first) * sizeof(float));
    free(alone);
    free(shared);
    free(palette);
    bp_primitive_destroy(primitive);
}

/* A chain whose joints swing, each key a random rotation. */
static bp_clip *make_clip(const bp_skeleton *skeleton, test_random *random) {
    enum { KEYS = 9 };
    static float times[KEYS], rotations[JOINTS][4 * KEYS];
    bp_channel channels[JOINTS];
    for (uint32_t j = 0; j < JOINTS; ++j) {
        for (int k = 0; k < KEYS; ++k) {
            bp_quat q = {(float)test_random_normal(random), (float)test_random_normal(random),
                         (float)test_random_normal(random), (float)test_random_normal(random)};
            q = bp_quat_normalize(q);
            memcpy(&rotations[j][4 * k], &q, sizeof q);
            times[k] = (float)k / 8.0f;
        }
        channels[j] = (bp_channel){.node = j,
                                   .path = BP_PATH_ROTATION,
                                   .key_count = KEYS,
                                   .times = times,
                                   .values = rotations[j]};
    }
    bp_clip *clip;
    bp_clip_desc desc = {.channel_count = JOINTS, .channels = channels};
    assert_int_equal(bp_clip_build(&clip, skeleton, &desc, NULL), BP_OK);
    return clip;
}

static void test_crowd(void **state) {
    (void)state;
    test_random random = {403};
    int32_t parents[JOINTS];
    uint32_t joints[JOINTS];
    for (uint32_t j = 0; j < JOINTS; ++j) {
        parents[j] = (int32_t)j - 1;
        joints[j] = j;
    }
    bp_skeleton *skeleton;
    bp_skin *skin;
    assert_int_equal(
        bp_skeleton_build(&skeleton, &(bp_skeleton_desc){.node_count = JOINTS, .parents = parents},
                          NULL),
        BP_OK);
    assert_int_equal(bp_skin_build(&skin, skeleton,
                                   &(bp_skin_desc){.joint_count = JOINTS, .joints = joints}, NULL),
                     BP_OK);
    bp_clip *clip = make_clip(skeleton, &random);
    bp_character characters[CHARACTERS];
    for (int i = 0; i < CHARACTERS; ++i)
        characters[i] = (bp_character){clip, (float)test_random_range(&random, 0, 1)};
    size_t size = CHARACTERS * JOINTS * sizeof(bp_mat34);
    bp_mat34 *alone = malloc(size), *shared = malloc(size);
    assert_true(alone && shared);
    bp_pose *scratch[MOST_WORKERS];
    for (int i = 0; i < MOST_WORKERS; ++i)
        scratch[i] = bp_pose_create(skeleton, NULL);
    bp_crowd_job job = {.skin = skin, .characters = characters, .matrices = alone};
    bp_tasks_crowd(NULL, &job, scratch, CHARACTERS);
    job.matrices = shared;
    for (uint32_t workers = 1; workers <= MOST_WORKERS; ++workers) {
        bp_tasks tasks = tasks_of(&workers);
        memset(shared, 0xFF, size);
        bp_tasks_crowd(&tasks, &job, scratch, CHARACTERS);
        assert_memory_equal(alone, shared, size);
    }
    for (int i = 0; i < MOST_WORKERS; ++i)
        bp_pose_destroy(scratch[i]);
    free(alone);
    free(shared);
    bp_clip_destroy(clip);
    bp_skin_destroy(skin);
    bp_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skin),
        cmocka_unit_test(test_crowd),
    };
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
