// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* clip: every interpolation on every path, key times of all kinds, looping, building. */
#include "clip/clip_key.h"
#include "clip/clip_plan.h"
#include "test_allocator.h"
#include "test_near.h"
#include "test_random.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const float HALF = 0.70710678f;

/* Two nodes; node 1 has two morph weights and rests turned by 90 degrees about z. */
static bp_skeleton *skeleton_of_two(void) {
    static const int32_t parents[] = {-1, 0};
    static const uint32_t weight_counts[] = {0, 2};
    static const float weights[] = {0.25f, 0.75f};
    const bp_transform rest[] = {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                 {{0, 1, 0}, {0, 0, HALF, HALF}, {1, 1, 1}}};
    bp_skeleton *skeleton;
    const bp_skeleton_desc desc = {.node_count = 2,
                                   .parents = parents,
                                   .rest = rest,
                                   .weight_counts = weight_counts,
                                   .rest_weights = weights};
    assert_int_equal(bp_skeleton_build(&skeleton, &desc, NULL), BP_OK);
    return skeleton;
}

static bp_clip *clip_of(const bp_skeleton *skeleton, const bp_channel *channels, uint32_t count) {
    bp_clip *clip;
    bp_error error;
    const bp_clip_desc desc = {.name = "test", .channel_count = count, .channels = channels};
    if (bp_clip_build(&clip, skeleton, &desc, &error) != BP_OK)
        fail_msg("%s: %s", error.pointer, error.message);
    return clip;
}

/* One channel of node 1, sampled at one time into a pose that was somewhere else before. */
static bp_pose *sample_one(const bp_channel *channel, float time) {
    static bp_skeleton *skeleton;
    if (!skeleton) skeleton = skeleton_of_two();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_pose_set_local(pose, 1, (bp_transform){{9, 9, 9}, {1, 0, 0, 0}, {9, 9, 9}});
    bp_pose_set_weights(pose, 1, 2, (const float[]){9, 9});
    bp_clip *clip = clip_of(skeleton, channel, 1);
    bp_clip_sample(pose, clip, time);
    bp_clip_destroy(clip);
    return pose;
}

static bp_transform sample_local(const bp_channel *channel, float time) {
    bp_pose *pose = sample_one(channel, time);
    bp_transform local = bp_pose_locals(pose)[1];
    bp_pose_destroy(pose);
    return local;
}

static void test_step_and_linear_translation(void **state) {
    (void)state;
    static const float times[] = {1, 2, 4}, values[] = {0, 0, 0, 2, 4, 6, 2, 8, 6};
    static const struct {
        float time;
        float linear[3], step[3];
    } cases[] = {
        {-5, {0, 0, 0}, {0, 0, 0}},       {0, {0, 0, 0}, {0, 0, 0}},   {1, {0, 0, 0}, {0, 0, 0}},
        {1.5f, {1, 2, 3}, {0, 0, 0}},     {2, {2, 4, 6}, {2, 4, 6}},   {3, {2, 6, 6}, {2, 4, 6}},
        {3.5f, {2, 7, 6}, {2, 4, 6}},     {4, {2, 8, 6}, {2, 8, 6}},   {99, {2, 8, 6}, {2, 8, 6}},
        {INFINITY, {2, 8, 6}, {2, 8, 6}}, {NAN, {0, 0, 0}, {0, 0, 0}},
    };
    bp_channel channel = {
        .node = 1, .path = BP_PATH_TRANSLATION, .key_count = 3, .times = times, .values = values};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const float *l = cases[i].linear, *s = cases[i].step;
        channel.interpolation = BP_INTERPOLATION_LINEAR;
        bp_transform local = sample_local(&channel, cases[i].time);
        test_near_vec3(local.translation, l[0], l[1], l[2], 0);
        test_near_quat(local.rotation, 0, 0, HALF, HALF, 0); /* unanimated: rest, not left over */
        test_near_vec3(local.scale, 1, 1, 1, 0);
        channel.interpolation = BP_INTERPOLATION_STEP;
        test_near_vec3(sample_local(&channel, cases[i].time).translation, s[0], s[1], s[2], 0);
    }
}

/* Cases V31A and V31B: slerp goes the short way, whatever the signs of the keys. */
static void test_linear_rotation(void **state) {
    (void)state;
    static const float times[] = {0, 1};
    static const float quarter[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    static const float negated[] = {0, 0, 0, 1, 0, 0, -0.70710678f, -0.70710678f};
    static const float long_way[] = {0, 0, 0, 1, 0, 0, 0.70710678f, -0.70710678f};
    bp_channel channel = {
        .node = 1, .path = BP_PATH_ROTATION, .key_count = 2, .times = times, .values = quarter};
    /* A third of 90 degrees: the half angle is 15 degrees. */
    bp_quat q = sample_local(&channel, 1.0f / 3.0f).rotation;
    test_near_quat(q, 0, 0, 0.258819045, 0.965925826, 1e-6);
    channel.values = negated;
    q = sample_local(&channel, 1.0f / 3.0f).rotation;
    test_near_quat(q, 0, 0, 0.258819045, 0.965925826, 1e-6);
    channel.values = long_way; /* 270 degrees lie 90 degrees the other way */
    q = sample_local(&channel, 1.0f / 3.0f).rotation;
    test_near_quat(q, 0, 0, -0.258819045, 0.965925826, 1e-6);
    channel.values = negated;
    q = sample_local(&channel, 1).rotation; /* a time equal to a key: that key as it is */
    assert_memory_equal(&q, negated + 4, sizeof q);
}

/* Case V30A: tangents count times the interval. Hand calculation with td = 2 at t = 1 (u = 1/2):
 * h00 = h01 = 1/2, h10 = 2 * 1/8, h11 = -2 * 1/8. */
static void test_cubic_translation(void **state) {
    (void)state;
    static const float times[] = {0, 2};
    static const float values[] = {
        100, 100, 100, 0, 0, 0, 4,   8,   0, /* in-tangent not used, value, out-tangent */
        0,   4,   8,   2, 0, 1, 100, 100, 100,
    };
    const bp_channel channel = {.node = 1,
                                .path = BP_PATH_TRANSLATION,
                                .interpolation = BP_INTERPOLATION_CUBICSPLINE,
                                .key_count = 2,
                                .times = times,
                                .values = values};
    test_near_vec3(sample_local(&channel, 0).translation, 0, 0, 0, 0);
    test_near_vec3(sample_local(&channel, 1).translation, 1 + 1, 2 - 1, 0.5 - 2, 1e-6);
    test_near_vec3(sample_local(&channel, 2).translation, 2, 0, 1, 0);
    test_near_vec3(sample_local(&channel, 5).translation, 2, 0, 1, 0);
    /* u = 1/4: h00 = 27/32, h01 = 5/32, h10 = 2 * 9/64, h11 = -2 * 3/64 */
    test_near_vec3(sample_local(&channel, 0.5f).translation, 2 * 5.0 / 32 + 4 * 18.0 / 64,
                   8 * 18.0 / 64 - 4 * 6.0 / 64, 5.0 / 32 - 8 * 6.0 / 64, 1e-6);
}

static void test_cubic_rotation_is_normalized(void **state) {
    (void)state;
    static const float times[] = {0, 1};
    static const float values[] = {
        0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
    };
    bp_channel channel = {.node = 1,
                          .path = BP_PATH_ROTATION,
                          .interpolation = BP_INTERPOLATION_CUBICSPLINE,
                          .key_count = 2,
                          .times = times,
                          .values = values};
    bp_quat q = sample_local(&channel, 0.5f).rotation; /* (0,0,1/2,1/2) to unit length */
    test_near_quat(q, 0, 0, 0.707106781, 0.707106781, 1e-6);

    /* Opposite keys without tangents meet at zero: hold the key before, no division by zero. */
    static const float opposite[] = {
        0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0,
    };
    channel.values = opposite;
    q = sample_local(&channel, 0.5f).rotation;
    test_near_quat(q, 0, 0, 0, 1, 0);
}

static void test_scale_and_weights(void **state) {
    (void)state;
    static const float times[] = {0, 1}, scales[] = {1, 1, 1, 3, 1, -1};
    const bp_channel scale = {
        .node = 1, .path = BP_PATH_SCALE, .key_count = 2, .times = times, .values = scales};
    test_near_vec3(sample_local(&scale, 0.5f).scale, 2, 1, 0, 0);

    static const float both[] = {0, 1, 1, 0}, second[] = {0, 1};
    bp_channel weights = {.node = 1,
                          .path = BP_PATH_WEIGHTS,
                          .key_count = 2,
                          .times = times,
                          .values = both,
                          .weight_count = 2};
    bp_pose *pose = sample_one(&weights, 0.25f);
    test_near(bp_pose_weights(pose)[0], 0.25, 1e-7);
    test_near(bp_pose_weights(pose)[1], 0.75, 1e-7);
    bp_pose_destroy(pose);
    weights.weight_first = weights.weight_count = 1; /* one weight alone: the other rests */
    weights.values = second;
    pose = sample_one(&weights, 0.5f);
    test_near(bp_pose_weights(pose)[0], 0.25, 0);
    test_near(bp_pose_weights(pose)[1], 0.5, 0);
    bp_pose_destroy(pose);

    /* CUBICSPLINE weights: all in-tangents, all values, all out-tangents of a key. */
    static const float cubic[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0};
    weights.weight_first = 0, weights.weight_count = 2;
    weights.interpolation = BP_INTERPOLATION_CUBICSPLINE;
    weights.values = cubic;
    pose = sample_one(&weights, 0.25f);
    test_near(bp_pose_weights(pose)[0], 5.0 / 32, 1e-7);
    test_near(bp_pose_weights(pose)[1], 27.0 / 32, 1e-7);
    bp_pose_destroy(pose);
}

/* Cases V28 and V29: one key, a late first key, and two keys at one time: the last one wins. */
static void test_unusual_key_times(void **state) {
    (void)state;
    static const float late[] = {2}, one[] = {5, 6, 7};
    bp_channel channel = {
        .node = 1, .path = BP_PATH_TRANSLATION, .key_count = 1, .times = late, .values = one};
    test_near_vec3(sample_local(&channel, 0).translation, 5, 6, 7, 0);
    test_near_vec3(sample_local(&channel, 3).translation, 5, 6, 7, 0);

    static const float equal[] = {0, 1, 1, 1, 2},
                       values[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0, 6, 0, 0};
    channel.key_count = 5, channel.times = equal, channel.values = values;
    test_near_vec3(sample_local(&channel, 0.5f).translation, 0.5, 0, 0, 0);
    test_near_vec3(sample_local(&channel, 1).translation, 4, 0, 0, 0);
    test_near_vec3(sample_local(&channel, 1.5f).translation, 5, 0, 0, 0);

    static const float at_start[] = {0, 0}, two[] = {1, 0, 0, 2, 0, 0};
    channel.key_count = 2, channel.times = at_start, channel.values = two;
    test_near_vec3(sample_local(&channel, 0).translation, 2, 0, 0, 0);
    test_near_vec3(sample_local(&channel, -1).translation, 1, 0, 0, 0);
}

/* Finite keys whose difference no float holds. */
static void test_keys_far_apart(void **state) {
    (void)state;
    static const float times[] = {-3e38f, 3e38f}, values[] = {0, 0, 0, 2, 4, 8};
    bpi_time_fault fault;
    uint32_t first, faulty;
    fault = bpi_times_check(times, 2, &first, &faulty);
    assert_int_equal(fault, BPI_TIMES_NEGATIVE); /* files may have them: a warning */
    const bp_channel channel = {
        .node = 0, .path = BP_PATH_SCALE, .key_count = 2, .times = times, .values = values};
    bp_clip clip = {.name = "", .duration = 3e38f, .channel_count = 1, .channels = &channel};
    bp_skeleton *skeleton = skeleton_of_two();
    bpi_memory memory = bpi_memory_make(NULL, 0);
    assert_true(bpi_clip_plan_build(&clip, 1, skeleton, SIZE_MAX, &memory));
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_clip_sample(pose, &clip, 0);
    test_near_vec3(bp_pose_locals(pose)[0].scale, 1, 2, 4, 1e-6);
    bpi_clip_plan_destroy(&clip, 1);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
}

/* Case V33: what was played before must not matter. */
static void test_nothing_is_left_over(void **state) {
    (void)state;
    static const float times[] = {0}, turn[] = {0, 0, 0, 1}, move[] = {0, 2, 0};
    const bp_channel rotation = {
        .node = 1, .path = BP_PATH_ROTATION, .key_count = 1, .times = times, .values = turn};
    const bp_channel translation = {
        .node = 1, .path = BP_PATH_TRANSLATION, .key_count = 1, .times = times, .values = move};
    bp_skeleton *skeleton = skeleton_of_two();
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    bp_clip *first = clip_of(skeleton, &rotation, 1), *second = clip_of(skeleton, &translation, 1);
    bp_clip_sample(pose, first, 0);
    test_near_quat(bp_pose_locals(pose)[1].rotation, 0, 0, 0, 1, 0);
    bp_clip_sample(pose, second, 0);
    test_near_quat(bp_pose_locals(pose)[1].rotation, 0, 0, HALF, HALF, 0);
    test_near_vec3(bp_pose_locals(pose)[1].translation, 0, 2, 0, 0);
    bp_clip_sample(pose, NULL, 0);
    test_near_vec3(bp_pose_locals(pose)[1].translation, 0, 1, 0, 0);
    bp_clip_destroy(first);
    bp_clip_destroy(second);
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
}

/* ---- plans ----------------------------------------------------------------------------------- */

enum { MANY = 40, KEYS = 12, TIMELINES = 5 };

/* Channels of all kinds on three paths of many nodes, over a few sets of key times. */
typedef struct many {
    float times[TIMELINES][KEYS];
    float values[3 * MANY][3 * 4 * KEYS];
    bp_channel channels[3 * MANY];
    uint32_t count;
} many;

/* Even, even but for noise, uneven, with equal neighbours, and all but the last at the start. */
static void make_times(many *m, test_random *random) {
    for (int k = 0; k < KEYS; ++k) {
        m->times[0][k] = (float)k / 30.0f;
        m->times[1][k] = (float)(k + 0.3 * test_random_range(random, 0, 1)) / 24.0f;
        m->times[3][k] = (float)(k / 2) / 10.0f;
        m->times[4][k] = k < KEYS - 1 ? 0.001f * (float)k : 0.7f;
        m->times[2][k] = k == 0 ? 0 : m->times[2][k - 1] + (float)test_random_range(random, 0, 0.3);
    }
}

static void make_many(many *m, test_random *random) {
    make_times(m, random);
    m->count = 0;
    for (uint32_t node = 0; node < MANY; ++node)
        for (int path = 0; path < 3; ++path) {
            if (test_random_below(random, 5) == 0) continue;
            uint32_t kind = test_random_below(random, 12), width = path == 1 ? 4 : 3;
            float *values = m->values[m->count];
            for (uint32_t i = 0; i < 3 * 4 * KEYS; ++i)
                values[i] = (float)test_random_normal(random);
            for (uint32_t k = 0; k < KEYS; ++k) {
                bp_quat q = {values[4 * k], values[4 * k + 1], values[4 * k + 2], 0.5f};
                if (kind == 0) memcpy(values + width * k, values, width * sizeof *values);
                if (kind > 0 && path == 1) q = bp_quat_normalize(q);
                if (kind > 0 && path == 1) memcpy(values + 4 * k, &q, sizeof q);
            }
            m->channels[m->count++] = (bp_channel){
                .node = node,
                .path = (bp_path)path,
                .interpolation = kind == 1   ? BP_INTERPOLATION_STEP
                                 : kind == 2 ? BP_INTERPOLATION_CUBICSPLINE
                                             : BP_INTERPOLATION_LINEAR,
                .key_count = 1 + test_random_below(random, 4) / 3 * (KEYS - 1),
                .times = m->times[test_random_below(random, 10) % TIMELINES],
                .values = values,
            };
            if (test_random_below(random, 8) > 0) m->channels[m->count - 1].key_count = KEYS;
        }
}

static bp_skeleton *skeleton_of_many(void) {
    int32_t parents[MANY];
    for (int i = 0; i < MANY; ++i)
        parents[i] = i - 1;
    bp_skeleton *skeleton;
    const bp_skeleton_desc desc = {.node_count = MANY, .parents = parents};
    assert_int_equal(bp_skeleton_build(&skeleton, &desc, NULL), BP_OK);
    return skeleton;
}

static bp_clip *clip_of_many(const bp_skeleton *skeleton, const many *m, bool compact) {
    bp_clip *clip;
    bp_error error;
    const bp_clip_desc desc = {
        .channel_count = m->count, .channels = m->channels, .compact = compact};
    if (bp_clip_build(&clip, skeleton, &desc, &error) != BP_OK)
        fail_msg("%s: %s", error.pointer, error.message);
    return clip;
}

/* Key times, just before and after them, between, before the first and after the last. */
static float time_of(const many *m, test_random *random) {
    float time = m->times[test_random_below(random, TIMELINES)][test_random_below(random, KEYS)];
    uint32_t kind = test_random_below(random, 6);
    if (kind == 0) return nextafterf(time, 0);
    if (kind == 1) return nextafterf(time, 9);
    if (kind == 2) return -0.5f;
    if (kind == 3) return 9;
    return kind == 4 ? time : (float)test_random_range(random, -0.1, 2);
}

/* Rows or channels one by one, whole copies or none: the same bits. */
static void test_plans_change_no_bit(void **state) {
    (void)state;
    static many m;
    test_random random = {151};
    bp_skeleton *skeleton = skeleton_of_many();
    bp_pose *a = bp_pose_create(skeleton, NULL), *b = bp_pose_create(skeleton, NULL);
    uint32_t rotations = 0, vectors = 0, constants = 0, even = 0, uneven = 0;
    for (int round = 0; round < 100; ++round) {
        make_many(&m, &random);
        bp_clip *rows = clip_of_many(skeleton, &m, false);
        bp_clip *compact = clip_of_many(skeleton, &m, true);
        for (uint32_t i = 0; i < rows->plan->timeline_count; ++i) {
            rotations += rows->plan->timelines[i].rotation_count;
            vectors += rows->plan->timelines[i].vector_count;
            even += rows->plan->timelines[i].keys_per_second > 0.0f;
            uneven += rows->plan->timelines[i].keys_per_second == 0.0f;
        }
        constants += rows->plan->constant_count;
        /* Times are shared or copied; equal ones are one timeline wherever they lie. */
        assert_true(rows->plan->timeline_count <= TIMELINES);
        assert_true(compact->plan->timeline_count <= TIMELINES);
        for (uint32_t i = 0; i < compact->plan->timeline_count; ++i)
            assert_int_equal(compact->plan->timelines[i].rotation_count +
                                 compact->plan->timelines[i].vector_count,
                             0);
        for (int k = 0; k < 100; ++k) {
            float time = k == 0 ? NAN : time_of(&m, &random);
            bp_clip_sample(a, rows, time);
            bp_clip_sample(b, compact, time);
            assert_memory_equal(bp_pose_locals(a), bp_pose_locals(b), MANY * sizeof(bp_transform));
        }
        bp_clip_destroy(rows);
        bp_clip_destroy(compact);
    }
    assert_true(rotations > 1000 && vectors > 1000 && constants > 100 && even > 50 && uneven > 50);
    bp_pose_destroy(a);
    bp_pose_destroy(b);
    bp_skeleton_destroy(skeleton);
}

/* One value throughout is that value, also between keys and where the rest pose has another. */
static void test_constant_channels_are_exact(void **state) {
    (void)state;
    static const float times[] = {0, 0.3f, 1};
    static const float values[] = {0.1f, 0.7f, -0.0f, 0.1f, 0.7f, -0.0f, 0.1f, 0.7f, -0.0f};
    bp_channel channel = {
        .node = 1, .path = BP_PATH_TRANSLATION, .key_count = 3, .times = times, .values = values};
    for (float time = -0.1f; time < 1.2f; time += 0.013f) {
        bp_vec3 v = sample_local(&channel, time).translation;
        assert_memory_equal(&v, values, sizeof v);
    }
    static const float rest[] = {0, 1, 0, 0, 1, 0, 0, 1, 0}; /* what node 1 rests at */
    channel.values = rest;
    bp_vec3 v = sample_local(&channel, 0.5f).translation;
    assert_memory_equal(&v, rest, sizeof v);
}

static void test_wrap(void **state) {
    (void)state;
    const bp_clip clip = {.name = "", .duration = 2.0f}, still = {.name = ""};
    static const struct {
        double time;
        float wrapped;
    } cases[] = {{0, 0},  {1.5, 1.5f},    {2, 0},       {2.25, 0.25f}, {7, 1},   {-0.5, 1.5f},
                 {-2, 0}, {-4.25, 1.75f}, {1e9 + 1, 1}, {INFINITY, 0}, {NAN, 0}, {1e300, 0}};
    for (size_t i = 0; i < COUNT(cases); ++i)
        test_near(bp_clip_wrap(&clip, cases[i].time), cases[i].wrapped, 0);
    test_near(bp_clip_wrap(&still, 3), 0, 0);
}

static void test_build_shares_times_and_finds_duration(void **state) {
    (void)state;
    static const float times[] = {0, 1.5f}, early[] = {0.5f};
    static const float values[] = {0, 0, 0, 1, 1, 1}, rotation[] = {0, 0, 0, 1};
    const bp_channel channels[] = {
        {.node = 0, .path = BP_PATH_TRANSLATION, .key_count = 2, .times = times, .values = values},
        {.node = 1, .path = BP_PATH_SCALE, .key_count = 2, .times = times, .values = values},
        {.node = 1, .path = BP_PATH_ROTATION, .key_count = 1, .times = early, .values = rotation},
    };
    bp_skeleton *skeleton = skeleton_of_two();
    bp_clip *clip = clip_of(skeleton, channels, 3);
    assert_string_equal(clip->name, "test");
    test_near(clip->duration, 1.5, 0);
    assert_ptr_equal(clip->channels[0].times, clip->channels[1].times);
    assert_ptr_not_equal(clip->channels[0].times, times);
    bp_clip_destroy(clip);
    bp_clip_destroy(NULL);
    bp_skeleton_destroy(skeleton);
}

static void test_build_faults_have_a_place(void **state) {
    (void)state;
    static const float times[] = {0, 1}, decreasing[] = {1, 0.5f}, negative[] = {-1, 0};
    static const float values[8] = {0}, not_finite[6] = {0, 0, 0, 0, 0, NAN};
    const bp_channel good = {
        .node = 1, .path = BP_PATH_SCALE, .key_count = 2, .times = times, .values = values};
    bp_channel bad[9];
    for (size_t i = 0; i < COUNT(bad); ++i)
        bad[i] = good;
    bad[0].node = 2;
    bad[1].times = decreasing;
    bad[2].times = negative;
    bad[3].key_count = 0;
    bad[4].values = not_finite;
    bad[5].path = BP_PATH_WEIGHTS, bad[5].weight_count = 3;
    bad[6].path = (bp_path)7;
    bad[7].interpolation = (bp_interpolation)3;
    bad[8].path = BP_PATH_TRANSLATION; /* right by itself, but twice */
    static const char *const places[] = {
        "/channels/0/node",      "/channels/0/times/1",       "/channels/0/times/0",
        "/channels/0/key_count", "/channels/0/values",        "/channels/0/weight_count",
        "/channels/0/path",      "/channels/0/interpolation", "/channels/1/path"};
    bp_skeleton *skeleton = skeleton_of_two();
    for (size_t i = 0; i < COUNT(bad); ++i) {
        const bp_channel two[] = {bad[i], bad[i]};
        bp_clip *clip;
        bp_error error;
        const bp_clip_desc desc = {.channel_count = i == 8 ? 2 : 1, .channels = two};
        assert_int_equal(bp_clip_build(&clip, skeleton, &desc, &error), BP_ERROR_ARGUMENT);
        assert_null(clip);
        assert_string_equal(error.pointer, places[i]);
    }
    bp_skeleton_destroy(skeleton);
}

static void test_build_survives_failing_allocations(void **state) {
    (void)state;
    static const float times[] = {0}, values[3] = {0};
    const bp_channel channels[] = {
        {.node = 0, .path = BP_PATH_SCALE, .key_count = 1, .times = times, .values = values},
        {.node = 1, .path = BP_PATH_SCALE, .key_count = 1, .times = times, .values = values}};
    bp_skeleton *skeleton = skeleton_of_two();
    bp_result result = BP_ERROR_OUT_OF_MEMORY;
    for (size_t fail_at = 1; result != BP_OK; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        bp_clip *clip;
        const bp_clip_desc desc = {
            .channel_count = 2, .channels = channels, .allocator = test_allocator_make(&counter)};
        result = bp_clip_build(&clip, skeleton, &desc, NULL);
        assert_int_equal(counter.live, result == BP_OK ? 2 : 0);
        bp_clip_destroy(clip);
        assert_int_equal(counter.live, 0);
        assert_true(fail_at < 10);
    }
    bp_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_and_linear_translation),
        cmocka_unit_test(test_linear_rotation),
        cmocka_unit_test(test_cubic_translation),
        cmocka_unit_test(test_cubic_rotation_is_normalized),
        cmocka_unit_test(test_scale_and_weights),
        cmocka_unit_test(test_unusual_key_times),
        cmocka_unit_test(test_keys_far_apart),
        cmocka_unit_test(test_nothing_is_left_over),
        cmocka_unit_test(test_plans_change_no_bit),
        cmocka_unit_test(test_constant_channels_are_exact),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_build_shares_times_and_finds_duration),
        cmocka_unit_test(test_build_faults_have_a_place),
        cmocka_unit_test(test_build_survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
