/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * clip: animations, sampled into a pose.
 *
 * Keys stay as authored: nothing is resampled, reduced or repaired.
 */
#ifndef BINDPOSE_CLIP_H
#define BINDPOSE_CLIP_H

#include "bindpose/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a channel animates. */
typedef enum bp_path {
    BP_PATH_TRANSLATION, /**< 3 floats a key */
    BP_PATH_ROTATION,    /**< 4 floats a key: x y z w */
    BP_PATH_SCALE,       /**< 3 floats a key */
    BP_PATH_WEIGHTS      /**< weight_count floats a key */
} bp_path;

/** How values between two keys come about (glTF 2.0, appendix C). */
typedef enum bp_interpolation {
    BP_INTERPOLATION_LINEAR,     /**< rotations: slerp, the short way */
    BP_INTERPOLATION_STEP,       /**< holds the key before */
    BP_INTERPOLATION_CUBICSPLINE /**< Hermite; three values a key: in-tangent, value, out-tangent */
} bp_interpolation;

/** Value, inside an asset. One animated property of one node. */
typedef struct bp_channel {
    uint32_t node; /**< node index in the skeleton */
    bp_path path;
    bp_interpolation interpolation;
    uint32_t key_count;    /**< at least 1 */
    const float *times;    /**< [key_count] seconds, never decreasing; channels that share
                                         times share this pointer */
    const float *values;   /**< [key_count * width], times 3 for CUBICSPLINE */
    uint32_t weight_first; /**< BP_PATH_WEIGHTS: first of the node's weights, else 0 */
    uint32_t weight_count; /**< BP_PATH_WEIGHTS: how many, else 0 */
} bp_channel;

/** Asset. An animation. */
typedef struct bp_clip {
    const char *name; /**< UTF-8; "" when nameless */
    float duration;   /**< seconds: the greatest key time; the clip runs from 0 to here */
    uint32_t channel_count;
    const bp_channel *channels;
    const struct bpi_clip_plan *plan; /**< the keys in the order that sampling reads; NULL in a
                                         clip filled in by hand, which is sampled slowly */
} bp_clip;

/** Value. A clip to be built in code; channels, times and values are copied. */
typedef struct bp_clip_desc {
    const char *name; /**< NULL: "" */
    uint32_t channel_count;
    const bp_channel *channels;
    bool compact; /**< sample from the keys as they are, without a second copy of them in the
                       order that sampling reads: saves memory, costs time; default: false */
    bp_allocator allocator; /**< default: malloc and free */
} bp_clip_desc;

/**
 * Builds a clip from arrays, for `skeleton`.
 *
 * @return BP_OK; BP_ERROR_ARGUMENT (a node or a weight that the skeleton does not have, no key,
 *         decreasing or negative times, a number that is not finite, one property of a node twice;
 *         `error` has the place, such as "/channels/2/times/7"); BP_ERROR_OUT_OF_MEMORY. Thread
 *         safe.
 */
BP_API bp_result bp_clip_build(bp_clip **clip, const bp_skeleton *skeleton,
                               const bp_clip_desc *desc, bp_error *error);

/** Releases a clip from bp_clip_build; NULL is allowed. Not for a model's clip. */
BP_API void bp_clip_destroy(bp_clip *clip);

/**
 * Sets every local transform and weight of the pose: what the clip animates from its keys, the rest
 * from the rest pose. Nothing is left over from what the pose was before. Globals wait for
 * bp_pose_update.
 *
 * A time equal to a key gives that key exactly; of equal key times the last wins. Before the first
 * and after the last key of a channel its first and last value hold. LINEAR rotations are within
 * the bound of bp_quat_slerp. A channel that holds one value gives that value exactly. Allocates
 * nothing. Cost: a reset of the pose, the channels that move, and one search for each set of
 * channels that share their key times: O(1) where these are even, else O(log keys); the same
 * forward and at random times.
 *
 * @param clip  NULL: the rest pose. Must have been built for the pose's skeleton
 * @param time  seconds; clamped; NaN counts as 0. See bp_clip_wrap for looping
 */
BP_API void bp_clip_sample(bp_pose *pose, const bp_clip *clip, float time);

/**
 * Brings a running time into [0, duration], for looping. A whole multiple of the duration gives 0,
 * the duration itself too; a duration of 0, NaN or an infinite time give 0.
 */
BP_API float bp_clip_wrap(const bp_clip *clip, double time);

#ifdef __cplusplus
}
#endif

#endif
