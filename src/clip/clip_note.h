// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What planning has to know of channels, found out once for each array of keys: channels of one or
 * of many clips may share their arrays, and a file of a few kilobytes can have thousands of them
 * share millions of keys.
 */
#ifndef BPI_CLIP_NOTE_H
#define BPI_CLIP_NOTE_H

#include "base/base_memory.h"
#include "bindpose/clip.h"

/* An array of key times. */
typedef struct bpi_times {
    const float *times;
    uint32_t key_count;
    bool rated;
    float keys_per_second;  /* once rated, of even times, else 0: see bpi_timeline */
    uint64_t hash;          /* of the contents */
    struct bpi_times *same; /* towards the one that stands for all with these contents */
} bpi_times;

typedef struct bpi_clip_note {
    const bp_channel *channel;
    bpi_times *times;
    bool constant; /* all keys hold one value, to the bit */
    uint8_t kind;  /* the planner's own */
} bpi_clip_note;

/*
 * Fills in times and constant of notes whose channels are set. The times lie in the arena. false
 * when that has no memory. Cost: reading each array once.
 */
bool bpi_clip_notes_fill(bpi_clip_note *notes, size_t count, bpi_arena *arena);

/*
 * The array that stands for both when their contents are equal, else NULL. Arrays are compared
 * once: afterwards they are known to be the same, or their hashes differ.
 */
bpi_times *bpi_times_unite(bpi_times *a, bpi_times *b);

/* The array that stands for these times. */
bpi_times *bpi_times_root(bpi_times *times);

/* Fills in keys_per_second. */
void bpi_times_rate(bpi_times *times);

#endif
