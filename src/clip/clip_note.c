// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Sort by address to meet each array once. Equal key times that are stored apart are found by a
 * hash of their contents. Whatever a file does to addresses and hashes, each array is read a few
 * times; the worst that it can do is to keep equal times apart.
 */
#include "clip/clip_note.h"

#include "clip/clip_key.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An address, and which note has it. */
typedef struct sort_key {
    uintptr_t address;
    size_t index;
} sort_key;

/* By one digit of what the addresses are above the least, stable. */
static void sort_by_digit(sort_key *to, const sort_key *from, size_t count, uintptr_t least,
                          unsigned shift) {
    size_t starts[257] = {0};
    for (size_t i = 0; i < count; ++i)
        ++starts[((from[i].address - least) >> shift & 255) + 1];
    for (int digit = 0; digit < 256; ++digit)
        starts[digit + 1] += starts[digit];
    for (size_t i = 0; i < count; ++i)
        to[starts[(from[i].address - least) >> shift & 255]++] = from[i];
}

/* Digit by digit: the arrays of a model lie together, so there are few. `spare` is as long. */
static void sort_by_address(sort_key *keys, sort_key *spare, size_t count) {
    uintptr_t least = UINTPTR_MAX, most = 0;
    for (size_t i = 0; i < count; ++i) {
        least = keys[i].address < least ? keys[i].address : least;
        most = keys[i].address > most ? keys[i].address : most;
    }
    for (unsigned shift = 0; count > 0 && (most - least) >> shift > 0; shift += 16) {
        sort_by_digit(spare, keys, count, least, shift);
        sort_by_digit(keys, spare, count, least, shift + 8);
        if (shift + 16 >= 8 * sizeof least) break;
    }
}

/* ---- times ----------------------------------------------------------------------------------- */

/* FNV-1a, two times at a time (Fowler, Noll, Vo). */
static uint64_t hash_of(const float *times, uint32_t key_count) {
    uint64_t hash = UINT64_C(14695981039346656037) ^ key_count, bits;
    uint32_t key = 0;
    for (; key + 2 <= key_count; key += 2) {
        memcpy(&bits, &times[key], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(1099511628211);
        hash ^= hash >> 32;
    }
    if (key < key_count) {
        uint32_t last;
        memcpy(&last, &times[key], sizeof last);
        hash = (hash ^ last) * UINT64_C(1099511628211);
    }
    return hash;
}

bpi_times *bpi_times_root(bpi_times *times) {
    while (times->same != times)
        times = times->same = times->same->same; /* halves the way for the next */
    return times;
}

bpi_times *bpi_times_unite(bpi_times *a, bpi_times *b) {
    a = bpi_times_root(a);
    b = bpi_times_root(b);
    if (a == b) return a;
    if (a->hash != b->hash) return NULL;
    if (a->key_count == b->key_count &&
        memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0) {
        b->same = a;
        return a;
    }
    b->hash = ~b->hash; /* a collision, not to be looked into again */
    return NULL;
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

/* Gives the notes their times, one object for each array. */
static void list_times(bpi_times *times, bpi_clip_note *notes, size_t count, sort_key *keys) {
    size_t unique = 0;
    for (size_t i = 0; i < count; ++i)
        keys[i] = (sort_key){(uintptr_t)notes[i].channel->times, i};
    sort_by_address(keys, keys + count, count);
    for (size_t i = 0; i < count; ++i) {
        const bp_channel *channel = notes[keys[i].index].channel;
        const bp_channel *last = i > 0 ? notes[keys[i - 1].index].channel : NULL;
        bool seen = last && last->times == channel->times && last->key_count == channel->key_count;
        if (!seen) {
            times[unique] = (bpi_times){.times = channel->times,
                                        .key_count = channel->key_count,
                                        .hash = hash_of(channel->times, channel->key_count),
                                        .same = &times[unique]};
            ++unique;
        }
        notes[keys[i].index].times = &times[unique - 1];
    }
}

void bpi_times_rate(bpi_times *times) {
    if (!times->rated) times->keys_per_second = even_rate(times->times, times->key_count);
    times->rated = true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* LINEAR and STEP read the same values. */
static bool share_values(const bp_channel *a, const bp_channel *b) {
    bool a_cubic = a->interpolation == BP_INTERPOLATION_CUBICSPLINE;
    bool b_cubic = b->interpolation == BP_INTERPOLATION_CUBICSPLINE;
    return a->values == b->values && a->key_count == b->key_count && a_cubic == b_cubic &&
           bpi_channel_width(a) == bpi_channel_width(b);
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

static void find_constants(bpi_clip_note *notes, size_t count, sort_key *keys) {
    /* First by the number of keys, then by address: channels of one array may take it for values of
     * several widths. */
    for (size_t i = 0; i < count; ++i)
        keys[i] = (sort_key){notes[i].channel->key_count, i};
    sort_by_address(keys, keys + count, count);
    for (size_t i = 0; i < count; ++i)
        keys[i].address = (uintptr_t)notes[keys[i].index].channel->values;
    sort_by_address(keys, keys + count, count);
    for (size_t i = 0; i < count; ++i) {
        bpi_clip_note *note = &notes[keys[i].index];
        const bpi_clip_note *last = i > 0 ? &notes[keys[i - 1].index] : NULL;
        bool seen = last && share_values(last->channel, note->channel);
        note->constant = seen ? last->constant : is_constant(note->channel);
    }
}

bool bpi_clip_notes_fill(bpi_clip_note *notes, size_t count, bpi_arena *arena) {
    sort_key *keys = bpi_arena_take(arena, count, 2 * sizeof *keys);
    bpi_times *times = bpi_arena_take(arena, count, sizeof *times);
    if (!keys || !times) return false;
    list_times(times, notes, count, keys);
    find_constants(notes, count, keys);
    return true;
}
