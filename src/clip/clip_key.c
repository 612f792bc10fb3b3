// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "clip/clip_key.h"

#include <assert.h>
#include <float.h>

uint32_t bpi_channel_width(const bp_channel *channel) {
    switch (channel->path) {
    case BP_PATH_TRANSLATION:
    case BP_PATH_SCALE: return 3;
    case BP_PATH_ROTATION: return 4;
    case BP_PATH_WEIGHTS: return channel->weight_count;
    }
    assert(!"a path that does not exist");
    return 0;
}

size_t bpi_channel_value_count(const bp_channel *channel) {
    size_t values = channel->interpolation == BP_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    return values * channel->key_count * bpi_channel_width(channel);
}

static bpi_time_fault fault_of(const float *times, uint32_t key) {
    if (!(times[key] >= -FLT_MAX && times[key] <= FLT_MAX)) return BPI_TIMES_NOT_FINITE;
    if (key > 0 && times[key] < times[key - 1]) return BPI_TIMES_DECREASING;
    if (times[key] < 0.0f) return BPI_TIMES_NEGATIVE;
    if (key > 0 && times[key] == times[key - 1]) return BPI_TIMES_EQUAL;
    return BPI_TIMES_OK;
}

bpi_time_fault bpi_times_check(const float *times, uint32_t count, uint32_t *first,
                               uint32_t *faulty) {
    bpi_time_fault worst = BPI_TIMES_OK;
    *first = *faulty = 0;
    for (uint32_t key = 0; key < count; ++key) {
        bpi_time_fault fault = fault_of(times, key);
        if (fault == BPI_TIMES_OK || fault < worst) continue;
        if (fault > worst) {
            worst = fault;
            *first = key;
            *faulty = 0;
        }
        ++*faulty;
    }
    return worst;
}
