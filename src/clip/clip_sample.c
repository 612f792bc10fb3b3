// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Sampling: for each timeline of the clip's plan the two keys around the time, then the
 * interpolation of glTF 2.0, appendix C, straight into the pose: rows by the kernels, the rest
 * channel by channel.
 *
 * Key i is the last one with times[i] <= time, so the interval to key i + 1 is never empty, equal
 * key times need no special case, and a time equal to a key has u = 0, which copies the key as it
 * is.
 */
#include "clip/clip_key.h"
#include "clip/clip_plan.h"
#include "cpu/cpu_kernels.h"
#include "pose/pose_state.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Where a time lies among key times. */
typedef struct key_place {
    uint32_t key;   /* the key before, or the first */
    float u;        /* 0 at `key`, 1 at the next; 0: `key` exactly */
    float interval; /* seconds from `key` to the next; 0 when u is */
} key_place;

/* The first key later than the time, or key_count: the guess is no farther off than one key. */
static uint32_t next_key_even(const bpi_timeline *timeline, float time) {
    const float *times = timeline->times;
    uint32_t count = timeline->key_count, key = 0;
    float guess = (time - times[0]) * timeline->keys_per_second;
    if (guess >= (float)count)
        key = count;
    else if (guess > 0.0f)
        key = (uint32_t)guess;
    while (key < count && times[key] <= time)
        ++key;
    while (key > 0 && times[key - 1] > time)
        --key;
    return key;
}

static uint32_t next_key(const bpi_timeline *timeline, float time) {
    const float *times = timeline->times;
    uint32_t low = 0, high = timeline->key_count;
    if (timeline->keys_per_second > 0.0f) return next_key_even(timeline, time);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static key_place find_key(const bpi_timeline *timeline, float time) {
    const float *times = timeline->times;
    uint32_t count = timeline->key_count, low = next_key(timeline, time);
    if (low == 0) return (key_place){0};
    key_place place = {.key = low - 1};
    if (low == count || times[low - 1] == time) return place;
    /* In double, where no difference of floats overflows. */
    double interval = (double)times[low] - times[low - 1];
    place.interval = interval < FLT_MAX ? (float)interval : FLT_MAX;
    place.u = (float)(((double)time - times[low - 1]) / interval);
    return place;
}

static void interpolate_slerp(float *value, const float *a, const float *b, float u) {
    bp_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
    bp_quat q = bp_quat_slerp(from, to, u);
    value[0] = q.x;
    value[1] = q.y;
    value[2] = q.z;
    value[3] = q.w;
}

/* v = h00 v_k + td h10 b_k + h01 v_k+1 + td h11 a_k+1; a: in-tangent, b: out-tangent. */
static void interpolate_cubic(float *value, const float *key, uint32_t width, key_place place) {
    float t = place.u, t2 = t * t, t3 = t2 * t, td = place.interval;
    float h00 = 2.0f * t3 - 3.0f * t2 + 1.0f;
    float h10 = td * (t3 - 2.0f * t2 + t);
    float h01 = 3.0f * t2 - 2.0f * t3;
    float h11 = td * (t3 - t2);
    const float *v0 = key + width, *out_tangent = key + 2 * width;
    const float *in_tangent = key + 3 * width, *v1 = key + 4 * width;
    for (uint32_t i = 0; i < width; ++i)
        value[i] = h00 * v0[i] + h10 * out_tangent[i] + h01 * v1[i] + h11 * in_tangent[i];
}

/* In double, which holds the square of any float. */
static void normalize_rotation(float *q, const float *fallback) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double length_squared = (x * x + y * y) + (z * z + w * w);
    if (!(length_squared > 0.0) || !isfinite(length_squared)) {
        memcpy(q, fallback, 4 * sizeof *q); /* the curve passes through zero: hold the key */
        return;
    }
    double length = sqrt(length_squared);
    for (int i = 0; i < 4; ++i)
        q[i] = (float)(q[i] / length);
}

static void sample_cubic(const bp_channel *channel, key_place place, uint32_t width, float *value) {
    const float *key = channel->values + 3 * (size_t)width * place.key;
    if (place.u == 0.0f) {
        memcpy(value, key + width, width * sizeof *value);
        return;
    }
    interpolate_cubic(value, key, width, place);
    if (channel->path == BP_PATH_ROTATION) normalize_rotation(value, key + width);
}

/* Writes the channel's value; `value` has room for its width. */
static void sample_channel(const bp_channel *channel, key_place place, float *value) {
    uint32_t width = bpi_channel_width(channel);
    if (channel->interpolation == BP_INTERPOLATION_CUBICSPLINE) {
        sample_cubic(channel, place, width, value);
        return;
    }
    const float *a = channel->values + (size_t)width * place.key;
    if (place.u == 0.0f || channel->interpolation == BP_INTERPOLATION_STEP)
        memcpy(value, a, width * sizeof *value);
    else if (channel->path == BP_PATH_ROTATION)
        interpolate_slerp(value, a, a + width, place.u);
    else
        bpi_kernels_current()->lerp(value, a, a + width, place.u, width);
}

/* Where a channel's value goes in the pose. */
static float *target_of(bp_pose *pose, const bp_channel *channel) {
    bp_transform *local = &pose->locals[channel->node];
    switch (channel->path) {
    case BP_PATH_TRANSLATION: return &local->translation.x;
    case BP_PATH_ROTATION: return &local->rotation.x;
    case BP_PATH_SCALE: return &local->scale.x;
    case BP_PATH_WEIGHTS: break;
    }
    return pose->weights + pose->skeleton->weight_first[channel->node] + channel->weight_first;
}

static void sample_timeline(bp_pose *pose, const bp_clip *clip, const bpi_timeline *timeline,
                            float time) {
    const bpi_kernels *kernels = bpi_kernels_current();
    float *locals = &pose->locals->translation.x;
    key_place place = find_key(timeline, time);
    size_t key = place.key, next = place.u > 0.0f ? key + 1 : key; /* a lerp a, u = 0: exactly a */
    if (timeline->rotation_count > 0) {
        size_t row = bpi_rotation_row(timeline->rotation_count);
        kernels->slerp(locals, timeline->rotation_targets, timeline->rotations + key * row,
                       timeline->rotations + next * row, place.u, timeline->rotation_count);
    }
    if (timeline->vector_count > 0) {
        size_t row = bpi_vector_row(timeline->vector_count);
        kernels->lerp3(locals, timeline->vector_targets, timeline->vectors + key * row,
                       timeline->vectors + next * row, place.u, timeline->vector_count);
    }
    for (uint32_t i = 0; i < timeline->channel_count; ++i) {
        const bp_channel *channel = &clip->channels[timeline->channels[i]];
        sample_channel(channel, place, target_of(pose, channel));
    }
}

void bp_clip_sample(bp_pose *pose, const bp_clip *clip, float time) {
    assert(pose);
    bp_pose_reset(pose);
    if (!clip) return;
    const bpi_clip_plan *plan = clip->plan;
    assert(plan);
    if (!(time == time)) time = 0.0f;
    for (uint32_t i = 0; i < plan->constant_count; ++i) {
        const bp_channel *channel = &clip->channels[plan->constants[i]];
        sample_channel(channel, (key_place){0}, target_of(pose, channel));
    }
    for (uint32_t i = 0; i < plan->timeline_count; ++i)
        sample_timeline(pose, clip, &plan->timelines[i], time);
    for (uint32_t i = 0; i < plan->replaced_count; ++i)
        pose->replaced[plan->replaced[i]] = 1;
}

float bp_clip_wrap(const bp_clip *clip, double time) {
    assert(clip);
    double duration = clip->duration;
    if (!(duration > 0.0) || !isfinite(time)) return 0.0f;
    double turns = time / duration;
    /* Past 2^53 turns a double holds no fraction of the duration. */
    if (!(turns > -9007199254740992.0 && turns < 9007199254740992.0)) return 0.0f;
    double whole = (double)(int64_t)turns;
    if (whole > turns) whole -= 1.0;
    float wrapped = (float)(time - whole * duration);
    return wrapped >= 0.0f && wrapped < clip->duration ? wrapped : 0.0f;
}
