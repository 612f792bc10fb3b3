// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Sort the channels by their times, then lay the plan out twice: measured, and filled while it is
 * handed out, since all that goes in is known.
 */
#include "clip/clip_plan.h"

#include "clip/clip_key.h"
#include "clip/clip_note.h"
#include "cpu/cpu_kernels.h"
#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_FLOATS = sizeof(bp_transform) / sizeof(float) };

/* What a channel is sampled as. */
typedef enum channel_kind {
    KIND_REST,     /* nothing to do */
    KIND_CONSTANT, /* one value */
    KIND_ROTATION, /* in the rows of its timeline */
    KIND_VECTOR,   /* the same */
    KIND_OTHER     /* by itself */
} channel_kind;

/* The clip at hand, and what is known of its channels. */
typedef struct planner {
    const bp_skeleton *skeleton;
    const bp_clip *clip;
    bpi_clip_note **sorted; /* [channel_count] by times */
    size_t bytes_left;      /* for copies of keys */
} planner;

size_t bpi_rotation_row(uint32_t count) {
    size_t blocks = ((size_t)count + BPI_ROTATION_BLOCK - 1) / BPI_ROTATION_BLOCK;
    return blocks * BPI_ROTATION_BLOCK_FLOATS;
}

size_t bpi_vector_row(uint32_t count) {
    return ((size_t)count + 1) / 2 * 8;
}

bool bpi_channel_has_target(const bp_channel *channel) {
    return channel->path != BP_PATH_WEIGHTS && channel->node < UINT32_MAX / LOCAL_FLOATS;
}

/* ---- what kind a channel is of --------------------------------------------------------------- */

static const float *first_value(const bp_channel *channel) {
    bool cubic = channel->interpolation == BP_INTERPOLATION_CUBICSPLINE;
    return channel->values + (cubic ? bpi_channel_width(channel) : 0); /* past the in-tangent */
}

static bool is_rest(const bp_channel *channel, const bp_skeleton *skeleton) {
    const bp_transform *rest = &skeleton->rest[channel->node];
    const float *value = first_value(channel), *same = &rest->translation.x;
    if (channel->path == BP_PATH_ROTATION) same = &rest->rotation.x;
    if (channel->path == BP_PATH_SCALE) same = &rest->scale.x;
    if (channel->path == BP_PATH_WEIGHTS)
        same =
            skeleton->rest_weights + skeleton->weight_first[channel->node] + channel->weight_first;
    return memcmp(value, same, bpi_channel_width(channel) * sizeof(float)) == 0;
}

static channel_kind kind_of(const planner *p, const bpi_clip_note *note) {
    const bp_channel *channel = note->channel;
    if (note->constant) return is_rest(channel, p->skeleton) ? KIND_REST : KIND_CONSTANT;
    bool linear = channel->interpolation == BP_INTERPOLATION_LINEAR;
    if (!linear || channel->path == BP_PATH_WEIGHTS || !bpi_channel_has_target(channel))
        return KIND_OTHER;
    return channel->path == BP_PATH_ROTATION ? KIND_ROTATION : KIND_VECTOR;
}

uint32_t bpi_channel_target(const bp_channel *channel) {
    uint32_t first = channel->node * LOCAL_FLOATS;
    if (channel->path == BP_PATH_ROTATION)
        return first + (uint32_t)(offsetof(bp_transform, rotation) / sizeof(float));
    if (channel->path == BP_PATH_SCALE)
        return first + (uint32_t)(offsetof(bp_transform, scale) / sizeof(float));
    return first;
}

/* ---- timelines ------------------------------------------------------------------------------- */

/* By the hash of their times; channels with the same in the order of the clip. */
static int compare_notes(const void *left, const void *right) {
    const bpi_clip_note *a = *(bpi_clip_note *const *)left, *b = *(bpi_clip_note *const *)right;
    if (a->times->hash != b->times->hash) return a->times->hash < b->times->hash ? -1 : 1;
    return a->channel < b->channel ? -1 : a->channel > b->channel;
}

/* A value in the row of a key: rotations of a block stand component by component. */
static void put_rotation(float *row, uint32_t index, const float *value) {
    float *x = row + index / BPI_ROTATION_BLOCK * (size_t)BPI_ROTATION_BLOCK_FLOATS +
               index % BPI_ROTATION_BLOCK;
    for (int i = 0; i < 4; ++i)
        x[i * BPI_ROTATION_BLOCK] = value[i];
}

static void fill_rotations(float *rotations, uint32_t *targets, const planner *p, uint32_t begin,
                           uint32_t end, uint32_t count) {
    static const float identity[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    size_t row = bpi_rotation_row(count);
    uint32_t keys = p->sorted[begin]->times->key_count, index = 0;
    for (uint32_t i = begin; i < end; ++i) {
        const bp_channel *channel = p->sorted[i]->channel;
        if (p->sorted[i]->kind != KIND_ROTATION) continue;
        for (uint32_t key = 0; key < keys; ++key)
            put_rotation(rotations + key * row, index, channel->values + 4 * (size_t)key);
        targets[index++] = bpi_channel_target(channel);
    }
    for (; index % BPI_ROTATION_BLOCK != 0; ++index) /* the block is computed as a whole */
        for (uint32_t key = 0; key < keys; ++key)
            put_rotation(rotations + key * row, index, identity);
}

static void fill_vectors(float *vectors, uint32_t *targets, const planner *p, uint32_t begin,
                         uint32_t end, uint32_t count) {
    size_t row = bpi_vector_row(count);
    uint32_t keys = p->sorted[begin]->times->key_count, index = 0;
    memset(vectors, 0, row * keys * sizeof *vectors);
    for (uint32_t i = begin; i < end; ++i) {
        const bp_channel *channel = p->sorted[i]->channel;
        if (p->sorted[i]->kind != KIND_VECTOR) continue;
        for (uint32_t key = 0; key < keys; ++key)
            memcpy(vectors + key * row + 4 * (size_t)index, channel->values + 3 * (size_t)key, 12);
        targets[index++] = bpi_channel_target(channel);
    }
}

static uint32_t count_kind(const planner *p, uint32_t begin, uint32_t end, channel_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; ++i)
        count += p->sorted[i]->kind == kind;
    return count;
}

/* Indices of the channels of a kind among sorted[begin ... end - 1]. */
static const uint32_t *lay_out_list(bpi_layout *layout, const planner *p, uint32_t begin,
                                    uint32_t end, channel_kind kind, uint32_t *count) {
    *count = count_kind(p, begin, end, kind);
    uint32_t *list = bpi_layout_take(layout, *count, sizeof *list);
    for (uint32_t i = begin, k = 0; i < end && list; ++i) {
        if (p->sorted[i]->kind == kind)
            list[k++] = (uint32_t)(p->sorted[i]->channel - p->clip->channels);
    }
    return list;
}

/* The channels sorted[begin ... end - 1], which share their times. */
static bpi_timeline lay_out_timeline(bpi_layout *layout, const planner *p, uint32_t begin,
                                     uint32_t end) {
    const bpi_times *times = p->sorted[begin]->times;
    bpi_timeline timeline = {.times = times->times,
                             .key_count = times->key_count,
                             .keys_per_second = times->keys_per_second};
    uint32_t rotations = count_kind(p, begin, end, KIND_ROTATION);
    uint32_t vectors = count_kind(p, begin, end, KIND_VECTOR);
    size_t rotation_floats = bpi_rotation_row(rotations), vector_floats = bpi_vector_row(vectors);
    uint32_t *rotation_targets = bpi_layout_take(layout, rotations, sizeof *rotation_targets);
    uint32_t *vector_targets = bpi_layout_take(layout, vectors, sizeof *vector_targets);
    float *rotation_rows =
        bpi_layout_take_unset(layout, times->key_count, rotation_floats * sizeof(float));
    float *vector_rows =
        bpi_layout_take_unset(layout, times->key_count, vector_floats * sizeof(float));
    timeline.channels = lay_out_list(layout, p, begin, end, KIND_OTHER, &timeline.channel_count);
    if (!layout->base) return timeline;
    timeline.rotation_count = rotations;
    timeline.rotation_targets = rotation_targets;
    timeline.rotations = rotation_rows;
    if (rotations > 0) fill_rotations(rotation_rows, rotation_targets, p, begin, end, rotations);
    timeline.vector_count = vectors;
    timeline.vector_targets = vector_targets;
    timeline.vectors = vector_rows;
    if (vectors > 0) fill_vectors(vector_rows, vector_targets, p, begin, end, vectors);
    return timeline;
}

/* ---- a clip ---------------------------------------------------------------------------------- */

/* The end of the channels that share their times with sorted[begin]. */
static uint32_t end_of_timeline(const planner *p, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < p->clip->channel_count && p->sorted[begin]->times == p->sorted[end]->times)
        ++end;
    return end;
}

static bool is_needed(const planner *p, uint32_t begin, uint32_t end) {
    return count_kind(p, begin, end, KIND_REST) + count_kind(p, begin, end, KIND_CONSTANT) <
           end - begin;
}

static void lay_out_timelines(bpi_layout *layout, const planner *p, bpi_clip_plan *plan) {
    uint32_t channel_count = p->clip->channel_count, count = 0, end;
    for (uint32_t begin = 0; begin < channel_count; begin = end) {
        end = end_of_timeline(p, begin);
        count += is_needed(p, begin, end);
    }
    bpi_timeline *timelines = bpi_layout_take(layout, count, sizeof *timelines), *next = timelines;
    plan->timeline_count = count;
    plan->timelines = timelines;
    for (uint32_t begin = 0; begin < channel_count; begin = end) {
        end = end_of_timeline(p, begin);
        if (!is_needed(p, begin, end)) continue;
        bpi_timeline timeline = lay_out_timeline(layout, p, begin, end);
        if (next) *next++ = timeline;
    }
}

static int compare_numbers(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* Matrices that give way: those of nodes that a transform channel moves, each once. */
static void lay_out_replaced(bpi_layout *layout, const planner *p, bpi_clip_plan *plan) {
    const bp_clip *clip = p->clip;
    if (p->skeleton->matrix_count == 0) return;
    uint32_t *replaced = bpi_layout_take(layout, clip->channel_count, sizeof *replaced), count = 0;
    for (uint32_t i = 0; i < clip->channel_count && replaced; ++i) {
        const bp_channel *channel = &clip->channels[i];
        if (channel->path == BP_PATH_WEIGHTS) continue;
        int32_t matrix = bpi_skeleton_matrix_index(p->skeleton, channel->node);
        if (matrix >= 0) replaced[count++] = (uint32_t)matrix;
    }
    if (count > 0) qsort(replaced, count, sizeof *replaced, compare_numbers);
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (i == 0 || replaced[i] != replaced[i - 1]) replaced[unique++] = replaced[i];
    plan->replaced = replaced;
    plan->replaced_count = unique;
}

static bpi_clip_plan lay_out_clip(bpi_layout *layout, const planner *p) {
    bpi_clip_plan plan = {0};
    lay_out_timelines(layout, p, &plan);
    plan.constants =
        lay_out_list(layout, p, 0, p->clip->channel_count, KIND_CONSTANT, &plan.constant_count);
    lay_out_replaced(layout, p, &plan);
    return plan;
}

/* So few of a kind that rows of them would be mostly padding are read as authored. */
static void demote(const planner *p, uint32_t begin, uint32_t end, channel_kind kind,
                   uint32_t least) {
    if (count_kind(p, begin, end, kind) >= least) return;
    for (uint32_t i = begin; i < end; ++i) {
        if (p->sorted[i]->kind == kind) p->sorted[i]->kind = KIND_OTHER;
    }
}

/* Takes the rows of a timeline from the bytes that are left; false when these do not suffice. */
static bool pay_for_rows(planner *p, uint32_t begin, uint32_t end) {
    size_t bytes, floats = bpi_rotation_row(count_kind(p, begin, end, KIND_ROTATION)) +
                           bpi_vector_row(count_kind(p, begin, end, KIND_VECTOR));
    if (!bpi_size_muladd(&bytes, floats, sizeof(float), 0) ||
        !bpi_size_muladd(&bytes, bytes, p->sorted[begin]->times->key_count, 0) ||
        bytes > p->bytes_left)
        return false;
    p->bytes_left -= bytes;
    return true;
}

/* Sorted channels that share their times, or have equal ones, are given the same. */
static void unite_times(const planner *p) {
    for (uint32_t i = 0; i < p->clip->channel_count; ++i) {
        bpi_clip_note *note = p->sorted[i];
        bpi_times *same = i > 0 ? bpi_times_unite(p->sorted[i - 1]->times, note->times) : NULL;
        note->times = same ? same : bpi_times_root(note->times);
        if (!same) bpi_times_rate(note->times);
    }
}

static void sort_clip(planner *p) {
    uint32_t channel_count = p->clip->channel_count, end;
    for (uint32_t i = 0; i < channel_count; ++i)
        p->sorted[i]->kind = (uint8_t)kind_of(p, p->sorted[i]);
    if (channel_count > 0) qsort(p->sorted, channel_count, sizeof *p->sorted, compare_notes);
    unite_times(p);
    for (uint32_t begin = 0; begin < channel_count; begin = end) {
        end = end_of_timeline(p, begin);
        demote(p, begin, end, KIND_ROTATION, BPI_ROTATION_BLOCK / 2);
        demote(p, begin, end, KIND_VECTOR, 2);
        if (!pay_for_rows(p, begin, end)) {
            demote(p, begin, end, KIND_ROTATION, UINT32_MAX);
            demote(p, begin, end, KIND_VECTOR, UINT32_MAX);
        }
    }
}

/* For each clip in turn, with its part of the arrays: sorts it, or lays it out. */
static void for_clips(planner p, const bp_clip *clips, uint32_t clip_count, bpi_layout *layout) {
    bpi_clip_plan *plans = layout ? bpi_layout_take(layout, clip_count, sizeof *plans) : NULL;
    for (uint32_t i = 0; i < clip_count; ++i) {
        p.clip = &clips[i];
        if (layout) {
            bpi_clip_plan plan = lay_out_clip(layout, &p);
            if (plans) plans[i] = plan;
        } else {
            sort_clip(&p);
        }
        p.sorted += clips[i].channel_count;
    }
}

static void *build_block(const planner *p, const bp_clip *clips, uint32_t clip_count,
                         bpi_memory *memory) {
    bpi_layout layout = {0};
    for_clips(*p, clips, clip_count, NULL);
    for_clips(*p, clips, clip_count, &layout);
    if (layout.overflow) memory->limit_hit = true;
    void *block = layout.overflow ? NULL : bpi_block_create(memory, layout.size);
    if (!block) return NULL;
    size_t measured = layout.size;
    layout = (bpi_layout){.base = block};
    for_clips(*p, clips, clip_count, &layout);
    assert(layout.size == measured);
    (void)measured;
    return block;
}

static void note_channels(bpi_clip_note *notes, bpi_clip_note **sorted, const bp_clip *clips,
                          uint32_t clip_count) {
    for (uint32_t i = 0; i < clip_count; ++i)
        for (uint32_t k = 0; k < clips[i].channel_count; ++k) {
            notes->channel = &clips[i].channels[k];
            *sorted++ = notes++;
        }
}

bool bpi_clip_plan_build(bp_clip *clips, uint32_t clip_count, const bp_skeleton *skeleton,
                         size_t most_bytes, bpi_memory *memory) {
    size_t channels = 0;
    for (uint32_t i = 0; i < clip_count; ++i)
        channels += clips[i].channel_count;
    if (clip_count == 0) return true;

    bpi_arena arena = bpi_arena_make(memory);
    planner p = {.skeleton = skeleton, .bytes_left = most_bytes};
    p.sorted = bpi_arena_take(&arena, channels, sizeof *p.sorted);
    bpi_clip_note *notes = bpi_arena_take(&arena, channels, sizeof *notes);
    const bpi_clip_plan *plans = NULL;
    if (p.sorted && notes) {
        note_channels(notes, p.sorted, clips, clip_count);
        if (bpi_clip_notes_fill(notes, channels, &arena))
            plans = build_block(&p, clips, clip_count, memory);
    }
    bpi_arena_release(&arena);
    for (uint32_t i = 0; i < clip_count; ++i)
        clips[i].plan = plans ? &plans[i] : NULL;
    return plans != NULL;
}

void bpi_clip_plan_destroy(const bp_clip *clips, uint32_t clip_count) {
    if (clip_count > 0) bpi_block_destroy(clips[0].plan);
}

size_t bpi_clip_plan_size(const bp_clip *clips, uint32_t clip_count) {
    return clip_count > 0 && clips[0].plan ? bpi_block_size(clips[0].plan) : 0;
}
