// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Sort by address to meet each array once, then key times by contents to find equal ones.
 */
#include "clip/clip_note.h"

#include "clip/clip_key.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_addresses(const void *a, const void *b) {
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return a < b ? -1 : a > b;
}

/* ---- times ----------------------------------------------------------------------------------- */

static int by_times(const void *left, const void *right) {
    const bp_channel *a = (*(bpi_clip_note *const *)left)->channel;
    const bp_channel *b = (*(bpi_clip_note *const *)right)->channel;
    int order = compare_addresses(a->times, b->times);
    return order != 0 ? order : compare_numbers(a->key_count, b->key_count);
}

static int by_contents(const void *left, const void *right) {
    const bpi_times *a = *(bpi_times *const *)left, *b = *(bpi_times *const *)right;
    int order = compare_numbers(a->key_count, b->key_count);
    if (order == 0) order = memcmp(a->times, b->times, a->key_count * sizeof(float));
    return order != 0 ? order : compare_addresses(a, b);
}

static bool are_equal(const bpi_times *a, const bpi_times *b) {
    return a->key_count == b->key_count &&
           memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0;
}

/*
 * Keys per second when (time - first) * that is less than one off for every key: then a guess by it
 * is never far off, since the product does not fall as time goes on.
 */
static float even_rate(const float *times, uint32_t key_count) {
    double length = (double)times[key_count - 1] - times[0];
    if (!(length * FLT_MAX > key_count) || key_count > 1u << 22) return 0.0f;
    float rate = (float)((key_count - 1) / length);
    for (uint32_t key = 0; key < key_count; ++key) {
        float guess = (times[key] - times[0]) * rate;
        if (!(fabsf(guess - (float)key) <= 0.99f)) return 0.0f;
    }
    return rate;
}

/* Gives the notes their times, one object for each array; returns how many. */
static size_t list_times(bpi_times *times, bpi_clip_note **sorted, size_t count) {
    size_t unique = 0;
    qsort(sorted, count, sizeof *sorted, by_times);
    for (size_t i = 0; i < count; ++i) {
        const bp_channel *channel = sorted[i]->channel;
        if (i == 0 || by_times(&sorted[i - 1], &sorted[i]) != 0)
            times[unique++] = (bpi_times){.times = channel->times, .key_count = channel->key_count};
        sorted[i]->times = &times[unique - 1];
    }
    return unique;
}

static void unite_equal_times(bpi_times **sorted, size_t count) {
    qsort(sorted, count, sizeof *sorted, by_contents);
    for (size_t i = 0; i < count; ++i) {
        bpi_times *t = sorted[i];
        t->same = i > 0 && are_equal(sorted[i - 1], t) ? sorted[i - 1]->same : t;
        if (t->same == t) t->keys_per_second = even_rate(t->times, t->key_count);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static int by_values(const void *left, const void *right) {
    const bp_channel *a = (*(bpi_clip_note *const *)left)->channel;
    const bp_channel *b = (*(bpi_clip_note *const *)right)->channel;
    int order = compare_addresses(a->values, b->values);
    if (order == 0) order = compare_numbers(a->key_count, b->key_count);
    if (order == 0) order = compare_numbers(bpi_channel_width(a), bpi_channel_width(b));
    if (order == 0) order = compare_numbers(a->interpolation, b->interpolation);
    return order;
}

/* Every key has the bits of the first, so every sample has. Tangents bend: with them, one key. */
static bool is_constant(const bp_channel *channel) {
    if (channel->key_count == 1) return true;
    if (channel->interpolation == BP_INTERPOLATION_CUBICSPLINE) return false;
    size_t size = bpi_channel_width(channel) * sizeof(float);
    const unsigned char *value = (const unsigned char *)channel->values;
    for (uint32_t key = 1; key < channel->key_count; ++key)
        if (memcmp(value, value + key * size, size) != 0) return false;
    return true;
}

static void find_constants(bpi_clip_note **sorted, size_t count) {
    qsort(sorted, count, sizeof *sorted, by_values);
    for (size_t i = 0; i < count; ++i) {
        bool seen = i > 0 && by_values(&sorted[i - 1], &sorted[i]) == 0;
        sorted[i]->constant = seen ? sorted[i - 1]->constant : is_constant(sorted[i]->channel);
    }
}

bool bpi_clip_notes_fill(bpi_clip_note *notes, size_t count, bpi_arena *arena) {
    bpi_clip_note **sorted = bpi_arena_take(arena, count, sizeof *sorted);
    bpi_times *times = bpi_arena_take(arena, count, sizeof *times);
    bpi_times **sorted_times = bpi_arena_take(arena, count, sizeof *sorted_times);
    if (!sorted || !times || !sorted_times) return false;
    if (count == 0) return true;
    for (size_t i = 0; i < count; ++i)
        sorted[i] = &notes[i];
    size_t unique = list_times(times, sorted, count);
    for (size_t i = 0; i < unique; ++i)
        sorted_times[i] = &times[i];
    unite_equal_times(sorted_times, unique);
    for (size_t i = 0; i < count; ++i)
        notes[i].times = notes[i].times->same;
    find_constants(sorted, count);
    return true;
}
