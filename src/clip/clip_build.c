// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Clips from arrays in code. Everything is checked before the one allocation.
 */
#include "base/base_error.h"
#include "base/base_memory.h"
#include "clip/clip_key.h"
#include "clip/clip_plan.h"
#include "math/math_float.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bp_result channel_error(bp_error *error, uint32_t channel, const char *field,
                               const char *message) {
    char place[64];
    snprintf(place, sizeof place, "/channels/%" PRIu32 "/%s", channel, field);
    return bpi_fail(error, BP_ERROR_ARGUMENT, NULL, BPI_NO_OFFSET, place, "%s", message);
}

static bp_result check_target(const bp_channel *channel, uint32_t index,
                              const bp_skeleton *skeleton, bp_error *error) {
    if (channel->node >= skeleton->node_count)
        return channel_error(error, index, "node", "not a node of the skeleton");
    if ((unsigned)channel->path > BP_PATH_WEIGHTS)
        return channel_error(error, index, "path", "not a path");
    if ((unsigned)channel->interpolation > BP_INTERPOLATION_CUBICSPLINE)
        return channel_error(error, index, "interpolation", "not an interpolation");
    if (channel->path != BP_PATH_WEIGHTS) return BP_OK;
    uint32_t weights =
        skeleton->weight_first[channel->node + 1] - skeleton->weight_first[channel->node];
    if (channel->weight_count == 0 || channel->weight_first > weights ||
        channel->weight_count > weights - channel->weight_first)
        return channel_error(error, index, "weight_count", "the node has no such weights");
    return BP_OK;
}

static bp_result check_keys(const bp_channel *channel, uint32_t index, bp_error *error) {
    if (channel->key_count == 0 || !channel->times || !channel->values)
        return channel_error(error, index, "key_count", "a channel needs at least one key");
    uint64_t values = 3 * (uint64_t)channel->key_count;
    if (channel->key_count > UINT32_MAX / 4 ||
        values > SIZE_MAX / sizeof(float) / (bpi_channel_width(channel) + 1))
        return channel_error(error, index, "key_count", "too many keys for this machine");
    uint32_t key, faulty;
    bpi_time_fault fault = bpi_times_check(channel->times, channel->key_count, &key, &faulty);
    if (fault == BPI_TIMES_OK || fault == BPI_TIMES_EQUAL) {
        if (bpi_floats_finite(channel->values, bpi_channel_value_count(channel))) return BP_OK;
        return channel_error(error, index, "values", "a value is not finite");
    }
    char field[32];
    snprintf(field, sizeof field, "times/%" PRIu32, key);
    return channel_error(error, index, field,
                         "times must be finite, not negative, never decreasing");
}

static int compare_targets(const void *left, const void *right) {
    const bp_channel *a = *(const bp_channel *const *)left, *b = *(const bp_channel *const *)right;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    if (a->path != b->path) return a->path < b->path ? -1 : 1;
    if (a->weight_first != b->weight_first) return a->weight_first < b->weight_first ? -1 : 1;
    return 0;
}

/* One property of a node twice: sorted by target, the two would be neighbours that overlap. */
static bp_result check_duplicates(const bp_clip_desc *desc, bpi_memory *memory, bp_error *error) {
    if (desc->channel_count < 2) return BP_OK;
    size_t size = desc->channel_count * sizeof(bp_channel *);
    const bp_channel **sorted = bpi_memory_take(memory, size);
    if (!sorted)
        return bpi_fail(error, BP_ERROR_OUT_OF_MEMORY, NULL, BPI_NO_OFFSET, NULL,
                        "the allocator returned no memory");
    for (uint32_t i = 0; i < desc->channel_count; ++i)
        sorted[i] = &desc->channels[i];
    qsort(sorted, desc->channel_count, sizeof *sorted, compare_targets);
    bp_result result = BP_OK;
    for (uint32_t i = 1; i < desc->channel_count && result == BP_OK; ++i) {
        const bp_channel *a = sorted[i - 1], *b = sorted[i];
        bool same = a->node == b->node && a->path == b->path;
        bool overlap =
            a->path != BP_PATH_WEIGHTS || a->weight_first + a->weight_count > b->weight_first;
        uint32_t index = (uint32_t)((a > b ? a : b) - desc->channels);
        if (same && overlap)
            result =
                channel_error(error, index, "path", "another channel animates the same property");
    }
    bpi_memory_give(memory, sorted, size);
    return result;
}

static const float *copy_floats(bpi_layout *layout, const float *source, size_t count) {
    float *copy = bpi_layout_take(layout, count, sizeof *copy);
    return copy ? memcpy(copy, source, count * sizeof *copy) : NULL;
}

/* Measures when layout has no memory, else fills. Times shared by neighbours stay shared. */
static void lay_out_clip(bpi_layout *layout, const bp_clip_desc *desc) {
    bp_clip *clip = bpi_layout_take(layout, 1, sizeof *clip);
    bp_channel *channels = bpi_layout_take(layout, desc->channel_count, sizeof *channels);
    const char *name = desc->name ? desc->name : "";
    const char *name_copy = bpi_layout_text(layout, name, strlen(name));
    float duration = 0.0f;
    const float *last_times = NULL;
    for (uint32_t i = 0; i < desc->channel_count; ++i) {
        const bp_channel *source = &desc->channels[i];
        bool shared =
            i > 0 && source->times == source[-1].times && source->key_count == source[-1].key_count;
        if (!shared) last_times = copy_floats(layout, source->times, source->key_count);
        const float *values = copy_floats(layout, source->values, bpi_channel_value_count(source));
        if (source->times[source->key_count - 1] > duration)
            duration = source->times[source->key_count - 1];
        if (!channels) continue;
        channels[i] = *source;
        channels[i].times = last_times;
        channels[i].values = values;
    }
    if (clip)
        *clip = (bp_clip){.name = name_copy,
                          .duration = duration,
                          .channel_count = desc->channel_count,
                          .channels = channels};
}

bp_result bp_clip_build(bp_clip **clip, const bp_skeleton *skeleton, const bp_clip_desc *desc,
                        bp_error *error) {
    assert(clip && skeleton && desc && (desc->channels || desc->channel_count == 0));
    *clip = NULL;
    bpi_memory memory = bpi_memory_make(&desc->allocator, 0);
    for (uint32_t i = 0; i < desc->channel_count; ++i) {
        bp_result result = check_target(&desc->channels[i], i, skeleton, error);
        if (result == BP_OK) result = check_keys(&desc->channels[i], i, error);
        if (result != BP_OK) return result;
    }
    bp_result result = check_duplicates(desc, &memory, error);
    if (result != BP_OK) return result;

    bpi_layout layout = {0};
    lay_out_clip(&layout, desc);
    void *block = layout.overflow ? NULL : bpi_block_create(&memory, layout.size);
    if (!block)
        return bpi_fail(error, BP_ERROR_OUT_OF_MEMORY, NULL, BPI_NO_OFFSET, NULL,
                        "the allocator returned no memory");
    layout = (bpi_layout){.base = block};
    lay_out_clip(&layout, desc);
    *clip = block;
    if (bpi_clip_plan_build(*clip, 1, skeleton, desc->compact ? 0 : SIZE_MAX, &memory))
        return BP_OK;
    bp_clip_destroy(*clip);
    *clip = NULL;
    return bpi_fail(error, BP_ERROR_OUT_OF_MEMORY, NULL, BPI_NO_OFFSET, NULL,
                    "the allocator returned no memory");
}

void bp_clip_destroy(bp_clip *clip) {
    if (clip) bpi_clip_plan_destroy(clip, 1);
    bpi_block_destroy(clip);
}
