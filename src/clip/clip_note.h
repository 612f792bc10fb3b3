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

/* Key times; equal ones are one object, wherever they are stored. */
typedef struct bpi_times {
    const float *times;
    uint32_t key_count;
    float keys_per_second;        /* of even ones, else 0: see bpi_timeline */
    const struct bpi_times *same; /* the one that stands for all that are equal */
} bpi_times;

typedef struct bpi_clip_note {
    const bp_channel *channel;
    const bpi_times *times;
    bool constant; /* all keys hold one value, to the bit */
    uint8_t kind;  /* the planner's own */
} bpi_clip_note;

/*
 * Fills in times and constant of notes whose channels are set. The times lie in the arena. false
 * when that has no memory. Cost: the keys of each array once or, of key times that are equal and
 * stored apart, a few times; and sorting the notes.
 */
bool bpi_clip_notes_fill(bpi_clip_note *notes, size_t count, bpi_arena *arena);

#endif
