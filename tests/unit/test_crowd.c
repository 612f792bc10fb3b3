// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* A crowd gives each character what sampling, posing and building its palette alone give. */
#include "test_random.h"
#include "bindpose/crowd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 5, JOINTS = 3, KEYS = 4, CHARACTERS = 23 };

typedef struct world {
    bp_skeleton *skeleton;
    bp_skin *skin;
    bp_clip *clips[2];
    bp_character characters[CHARACTERS];
    bp_mat34 places[CHARACTERS];
} world;

static bp_clip *make_clip(const world *w, test_random *random, uint32_t node) {
    float times[KEYS] = {0, 0.25f, 0.5f, 1}, rotations[4 * KEYS], moves[3 * KEYS];
    for (int k = 0; k < KEYS; ++k) {
        bp_quat q = {(float)test_random_normal(random), (float)test_random_normal(random),
                     (float)test_random_normal(random), (float)test_random_normal(random)};
        q = bp_quat_normalize(q);
        memcpy(rotations + 4 * k, &q, sizeof q);
        for (int i = 0; i < 3; ++i)
            moves[3 * k + i] = (float)test_random_normal(random);
    }
    const bp_channel channels[] = {
        {.node = node,
         .path = BP_PATH_ROTATION,
         .key_count = KEYS,
         .times = times,
         .values = rotations},
        {.node = 0,
         .path = BP_PATH_TRANSLATION,
         .key_count = KEYS,
         .times = times,
         .values = moves},
    };
    bp_clip *clip;
    bp_error error;
    bp_clip_desc desc = {.channel_count = 2, .channels = channels};
    if (bp_clip_build(&clip, w->skeleton, &desc, &error) != BP_OK) fail_msg("%s", error.message);
    return clip;
}

static void make_world(world *w, test_random *random) {
    static const int32_t parents[NODES] = {-1, 0, 1, 1, 3};
    static const uint32_t joints[JOINTS] = {1, 4, 2};
    float inverse_bind[16 * JOINTS];
    for (int j = 0; j < JOINTS; ++j) {
        bp_mat34 m = bp_mat34_identity();
        m.m[0][3] = (float)j;
        bp_mat34_to_mat44(inverse_bind + 16 * j, &m);
    }
    bp_error error;
    assert_int_equal(bp_skeleton_build(&w->skeleton,
                                       &(bp_skeleton_desc){.node_count = NODES, .parents = parents},
                                       &error),
                     BP_OK);
    bp_skin_desc skin = {
        .joint_count = JOINTS, .joints = joints, .inverse_bind_matrices = inverse_bind};
    assert_int_equal(bp_skin_build(&w->skin, w->skeleton, &skin, &error), BP_OK);
    w->clips[0] = make_clip(w, random, 1);
    w->clips[1] = make_clip(w, random, 3);
    for (int i = 0; i < CHARACTERS; ++i) {
        uint32_t kind = test_random_below(random, 3); /* of three neighbours some do the same */
        w->characters[i] = (bp_character){.clip = kind < 2 ? w->clips[kind] : NULL,
                                          .time = (float)test_random_below(random, 3) / 3.0f};
        w->places[i] = bp_mat34_identity();
        w->places[i].m[1][3] = (float)test_random_normal(random);
    }
}

static void release_world(world *w) {
    bp_clip_destroy(w->clips[0]);
    bp_clip_destroy(w->clips[1]);
    bp_skin_destroy(w->skin);
    bp_skeleton_destroy(w->skeleton);
}

/* Each character by itself, in a fresh pose. */
static void run_one_by_one(const world *w, bp_mat34 *matrices, bool placed) {
    for (size_t i = 0; i < CHARACTERS; ++i) {
        bp_pose *pose = bp_pose_create(w->skeleton, NULL);
        bp_clip_sample(pose, w->characters[i].clip, w->characters[i].time);
        bp_pose_update(pose);
        bp_palette_build(matrices + i * JOINTS, w->skin, pose);
        for (size_t j = i * JOINTS; placed && j < (i + 1) * JOINTS; ++j)
            matrices[j] = bp_mat34_mul(&w->places[i], &matrices[j]);
        bp_pose_destroy(pose);
    }
}

static void test_each_as_if_alone(void **state) {
    (void)state;
    world w;
    test_random random = {301};
    make_world(&w, &random);
    bp_pose *scratch = bp_pose_create(w.skeleton, NULL);
    for (int placed = 0; placed < 2; ++placed) {
        bp_mat34 expected[CHARACTERS * JOINTS], actual[CHARACTERS * JOINTS];
        float actual44[16 * CHARACTERS * JOINTS];
        run_one_by_one(&w, expected, placed);
        bp_crowd_job job = {.skin = w.skin,
                            .characters = w.characters,
                            .places = placed ? w.places : NULL,
                            .matrices = actual,
                            .matrices44 = actual44};
        for (size_t step = 1; step <= CHARACTERS; ++step) {
            memset(actual, 0xFF, sizeof actual);
            memset(actual44, 0xFF, sizeof actual44);
            for (size_t first = 0, count; first < CHARACTERS; first += count) {
                count = CHARACTERS - first < step ? CHARACTERS - first : step;
                bp_crowd_run_range(&job, scratch, first, count);
            }
            assert_memory_equal(actual, expected, sizeof actual);
            for (int j = 0; j < CHARACTERS * JOINTS; ++j) {
                bp_mat34 m = bp_mat34_from_mat44(actual44 + 16 * j);
                assert_memory_equal(&m, &expected[j], sizeof m);
            }
        }
    }
    bp_crowd_run_range(&(bp_crowd_job){.skin = w.skin}, scratch, 0, 0); /* nobody */
    bp_pose_destroy(scratch);
    release_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_as_if_alone),
    };
    return cmocka_run_group_tests_name("crowd", tests, NULL, NULL);
}
