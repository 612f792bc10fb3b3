// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * How a clip is sampled: its channels sorted into timelines, and their keys in the order in which
 * sampling reads them. Built once, beside the keys as authored, which stay as they are.
 *
 * Channels with the same key times form a timeline: one search for the key serves them all. Of a
 * timeline, LINEAR rotations and LINEAR translations and scales are copied key after key, so that a
 * sample reads two rows from front to back. All else (STEP, CUBICSPLINE, weights) is read from the
 * channel itself. A channel whose keys all hold one value is no part of a timeline: it is copied,
 * or left to the rest pose where it has that value.
 */
#ifndef BPI_CLIP_PLAN_H
#define BPI_CLIP_PLAN_H

#include "base/base_memory.h"
#include "bindpose/clip.h"

typedef struct bpi_timeline {
    const float *times; /* [key_count] */
    uint32_t key_count;
    float keys_per_second; /* 0: times are not even; else key k is within one of
                                 (times[k] - times[0]) * keys_per_second */

    /* Targets are offsets in floats into a pose's local transforms. */
    uint32_t rotation_count, vector_count;
    const uint32_t *rotation_targets, *vector_targets;
    const float *rotations; /* rows as the slerp kernel reads them: bpi_rotation_row floats */
    const float *vectors;   /* rows as the lerp3 kernel reads them: bpi_vector_row floats */

    uint32_t channel_count; /* channels of the clip that are sampled by themselves */
    const uint32_t *channels;
} bpi_timeline;

typedef struct bpi_clip_plan {
    uint32_t timeline_count;
    const bpi_timeline *timelines;
    uint32_t constant_count;
    const uint32_t *constants; /* channels whose first value is copied */
    uint32_t replaced_count;
    const uint32_t *replaced; /* matrices of the skeleton that give way to transforms */
} bpi_clip_plan;

/* Floats of a row for so many rotations or vectors. */
size_t bpi_rotation_row(uint32_t count);
size_t bpi_vector_row(uint32_t count);

/*
 * Where a channel goes in a pose's local transforms, in floats from their start. A node may be too
 * far for that, and weights are not there.
 */
bool bpi_channel_has_target(const bp_channel *channel);
uint32_t bpi_channel_target(const bp_channel *channel);

/*
 * Plans clips of one skeleton, and sets their `plan`.
 *
 * most_bytes  that rows of keys may take; timelines past that are read as authored. Results do not
 *             depend on it
 * false when there is no memory; the clips have no plan then. bpi_clip_plan_destroy releases.
 */
bool bpi_clip_plan_build(bp_clip *clips, uint32_t clip_count, const bp_skeleton *skeleton,
                         size_t most_bytes, bpi_memory *memory);

/* Of the clips of one call of bpi_clip_plan_build; without a plan there is nothing to do. */
void bpi_clip_plan_destroy(const bp_clip *clips, uint32_t clip_count);

/* Size of the memory behind the plans of one call; 0 without. */
size_t bpi_clip_plan_size(const bp_clip *clips, uint32_t clip_count);

#endif
