// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* What files and code share about keys. */
#ifndef BPI_CLIP_KEY_H
#define BPI_CLIP_KEY_H

#include "bindpose/clip.h"

/* Floats of one value: 3, 4, or the channel's weights. */
uint32_t bpi_channel_width(const bp_channel *channel);

/* Floats of all values of a channel; CUBICSPLINE has three values a key. */
size_t bpi_channel_value_count(const bp_channel *channel);

typedef enum bpi_time_fault {
    BPI_TIMES_OK,
    BPI_TIMES_EQUAL,      /* first equal pair: allowed, the last key wins */
    BPI_TIMES_NEGATIVE,   /* first negative time: allowed */
    BPI_TIMES_DECREASING, /* no meaning */
    BPI_TIMES_NOT_FINITE  /* no meaning */
} bpi_time_fault;

/* The gravest fault of key times, the first key that has it, and how many keys do. */
bpi_time_fault bpi_times_check(const float *times, uint32_t count, uint32_t *first,
                               uint32_t *faulty);

#endif
