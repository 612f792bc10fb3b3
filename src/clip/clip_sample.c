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

/*
 * Where a time lies among key times. By address from function to function: by value its parts would
 * be packed into registers through memory, which takes longer than the rest.
 */
typedef struct key_place {
    uint32_t key;   /* the key before, or the first */
    float u;        /* 0 at `key`, 1 at the next; 0: `key` exactly */
    float interval; /* seconds from `key` to the next; 0 when u is */
} key_place;

/* The first key later than the time, or key_count: a step or two from the guess. */
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
    uint32_t low = 0, length = timeline->key_count;
    if (timeline->keys_per_second > 0.0f) return next_key_even(timeline, time);
    /* Steps without a branch to be guessed: the first later key is in low ... low + length. */
    while (length > 1) {
        uint32_t half = length / 2;
        low = times[low + half - 1] <= time ? low + half : low;
        length -= half;
    }
    return low + (length > 0 && times[low] <= time);
}

static void find_key(key_place *place, const bpi_timeline *timeline, float time) {
    const float *times = timeline->times;
    uint32_t count = timeline->key_count, low = next_key(timeline, time);
    *place = (key_place){.key = low > 0 ? low - 1 : 0};
    if (low == 0 || low == count || times[low - 1] == time) return;
    /* In double, where no difference of floats overflows. */
    double interval = (double)times[low] - times[low - 1];
    place->interval = interval < FLT_MAX ? (float)interval : FLT_MAX;
    place->u = (float)(((double)time - times[low - 1]) / interval);
}

/* Weights can be many; else three floats are not worth a call. */
static inline void interpolate_linear(float *value, const float *a, const float *b, uint32_t width,
                                      float u) {
    if (width > 4) {
        bpi_kernels_current()->lerp(value, a, b, u, width);
        return;
    }
    for (uint32_t i = 0; i < width; ++i)
        value[i] = a[i] * (1.0f - u) + b[i] * u;
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
static inline void interpolate_cubic(float *value, const float *key, uint32_t width,
                                     const key_place *place) {
    float t = place->u, t2 = t * t, t3 = t2 * t, td = place->interval;
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

static inline void sample_cubic(const bp_channel *channel, const key_place *place, uint32_t width,
                                float *value) {
    const float *key = channel->values + 3 * (size_t)width * place->key;
    if (place->u == 0.0f) {
        memcpy(value, key + width, width * sizeof *value);
        return;
    }
    interpolate_cubic(value, key, width, place);
    if (channel->path == BP_PATH_ROTATION) normalize_rotation(value, key + width);
}

/* Inlined where the width is a number, so that copies and loops of three or four are not calls. */
static inline void sample_width(const bp_channel *channel, const key_place *place, uint32_t width,
                                float *value) {
    if (channel->interpolation == BP_INTERPOLATION_CUBICSPLINE) {
        sample_cubic(channel, place, width, value);
        return;
    }
    const float *a = channel->values + (size_t)width * place->key;
    if (place->u == 0.0f || channel->interpolation == BP_INTERPOLATION_STEP)
        memcpy(value, a, width * sizeof *value);
    else if (channel->path == BP_PATH_ROTATION)
        interpolate_slerp(value, a, a + width, place->u);
    else
        interpolate_linear(value, a, a + width, width, place->u);
}

/* Writes the channel's value; `value` has room for its width. */
static void sample_channel(const bp_channel *channel, const key_place *place, float *value) {
    switch (channel->path) {
    case BP_PATH_ROTATION: sample_width(channel, place, 4, value); break;
    case BP_PATH_WEIGHTS: sample_width(channel, place, channel->weight_count, value); break;
    default: sample_width(channel, place, 3, value); break;
    }
}

/* Local transforms as what they are made of: ten floats each. */
static float *floats_of(bp_transform *locals) {
    return (float *)(void *)locals;
}

/* Where a channel's value goes in the pose. */
static float *target_of(bp_pose *pose, const bp_channel *channel) {
    float *local = floats_of(&pose->locals[channel->node]);
    switch (channel->path) {
    case BP_PATH_TRANSLATION: return local + offsetof(bp_transform, translation) / sizeof(float);
    case BP_PATH_ROTATION: return local + offsetof(bp_transform, rotation) / sizeof(float);
    case BP_PATH_SCALE: return local + offsetof(bp_transform, scale) / sizeof(float);
    case BP_PATH_WEIGHTS: break;
    }
    return pose->weights + pose->skeleton->weight_first[channel->node] + channel->weight_first;
}

/* The rotations of a timeline, some at a time, since the kernel wants a t for each. */
static void sample_rotations(float *locals, const bpi_timeline *timeline, size_t key, size_t next,
                             float u) {
    enum { STRIP = 64 };
    const bpi_kernels *kernels = bpi_kernels_current();
    size_t row = bpi_rotation_row(timeline->rotation_count);
    const float *a = timeline->rotations + key * row, *b = timeline->rotations + next * row;
    float t[STRIP];
    uint32_t count = timeline->rotation_count;
    for (uint32_t i = 0; i < STRIP && i < count + BPI_ROTATION_BLOCK; ++i)
        t[i] = u;
    for (uint32_t first = 0; first < count; first += STRIP) {
        uint32_t left = count - first, place = first / BPI_ROTATION_BLOCK;
        kernels->slerp(locals, timeline->rotation_targets + first,
                       a + place * BPI_ROTATION_BLOCK_FLOATS, b + place * BPI_ROTATION_BLOCK_FLOATS,
                       t, left < STRIP ? left : STRIP);
    }
}

/* LINEAR rotations that are no part of rows, collected until there are enough for the kernel. */
enum { GATHERED = 32 };

typedef struct gathered {
    float a[4 * GATHERED], b[4 * GATHERED], t[GATHERED]; /* in blocks, as the kernel reads them */
    uint32_t targets[GATHERED], count;
} gathered;

static void put_rotation(float *blocks, uint32_t index, const float *value) {
    float *x = blocks + index / BPI_ROTATION_BLOCK * (size_t)BPI_ROTATION_BLOCK_FLOATS +
               index % BPI_ROTATION_BLOCK;
    for (int i = 0; i < 4; ++i)
        x[i * BPI_ROTATION_BLOCK] = value[i];
}

/* Samples what has been collected; the last block is filled up with no rotation. */
static void flush(gathered *g, float *locals) {
    uint32_t count = g->count;
    for (uint32_t i = count; i % BPI_ROTATION_BLOCK != 0; ++i) {
        static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        put_rotation(g->a, i, identity);
        put_rotation(g->b, i, identity);
        g->t[i] = 0.0f;
    }
    bpi_kernels_current()->slerp(locals, g->targets, g->a, g->b, g->t, count);
    g->count = 0;
}

static void gather(gathered *g, float *locals, const bp_channel *channel, const key_place *place) {
    const float *a = channel->values + 4 * (size_t)place->key;
    put_rotation(g->a, g->count, a);
    put_rotation(g->b, g->count, place->u > 0.0f ? a + 4 : a);
    g->t[g->count] = place->u;
    g->targets[g->count++] = bpi_channel_target(channel);
    if (g->count == GATHERED) flush(g, locals);
}

static void sample_timeline(bp_pose *pose, const bp_clip *clip, const bpi_timeline *timeline,
                            float time, gathered *g) {
    float *locals = floats_of(pose->locals);
    key_place place;
    find_key(&place, timeline, time);
    size_t key = place.key, next = place.u > 0.0f ? key + 1 : key; /* a lerp a, u = 0: exactly a */
    if (timeline->rotation_count > 0) sample_rotations(locals, timeline, key, next, place.u);
    if (timeline->vector_count > 0) {
        size_t row = bpi_vector_row(timeline->vector_count);
        bpi_kernels_current()->lerp3(locals, timeline->vector_targets,
                                     timeline->vectors + key * row, timeline->vectors + next * row,
                                     place.u, timeline->vector_count);
    }
    for (uint32_t i = 0; i < timeline->channel_count; ++i) {
        const bp_channel *channel = &clip->channels[timeline->channels[i]];
        if (channel->path == BP_PATH_ROTATION &&
            channel->interpolation == BP_INTERPOLATION_LINEAR && bpi_channel_has_target(channel))
            gather(g, locals, channel, &place);
        else
            sample_channel(channel, &place, target_of(pose, channel));
    }
}

/* A clip that a caller has filled in: every channel by itself. */
static void sample_unplanned(bp_pose *pose, const bp_clip *clip, float time) {
    for (uint32_t i = 0; i < clip->channel_count; ++i) {
        const bp_channel *channel = &clip->channels[i];
        assert(channel->node < pose->skeleton->node_count && channel->key_count > 0);
        const bpi_timeline alone = {.times = channel->times, .key_count = channel->key_count};
        key_place place;
        find_key(&place, &alone, time);
        sample_channel(channel, &place, target_of(pose, channel));
        if (channel->path != BP_PATH_WEIGHTS) bpi_pose_replace_matrix(pose, channel->node);
    }
}

void bp_clip_sample(bp_pose *pose, const bp_clip *clip, float time) {
    assert(pose);
    bp_pose_reset(pose);
    if (!clip) return;
    if (!(time == time)) time = 0.0f;
    const bpi_clip_plan *plan = clip->plan;
    if (!plan) {
        sample_unplanned(pose, clip, time);
        return;
    }
    for (uint32_t i = 0; i < plan->constant_count; ++i) {
        const bp_channel *channel = &clip->channels[plan->constants[i]];
        sample_channel(channel, &(key_place){0}, target_of(pose, channel));
    }
    gathered g;
    g.count = 0;
    for (uint32_t i = 0; i < plan->timeline_count; ++i)
        sample_timeline(pose, clip, &plan->timelines[i], time, &g);
    if (g.count > 0) flush(&g, floats_of(pose->locals));
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
