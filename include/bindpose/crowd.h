/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * crowd: many characters of one skin, each in a clip at a time of its own, into one palette buffer.
 *
 * A character is a clip and a time; its pose exists only while its palette is made, in a scratch
 * pose that the caller lends. Neighbours with the same clip and time are posed once.
 * Palettes alone come out: no cross-fades, and no morph weights.
 */
#ifndef BINDPOSE_CROWD_H
#define BINDPOSE_CROWD_H

#include "bindpose/clip.h"
#include "bindpose/palette.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Value. What a character does at this moment: its whole state. */
typedef struct bp_character {
    const bp_clip *clip; /**< NULL: the rest pose */
    float time;          /**< seconds in `clip`; clamped: see bp_clip_wrap for looping */
} bp_character;

/** Value. Work for the functions below. Fill by designated initialisers. */
typedef struct bp_crowd_job {
    const bp_skin *skin;            /**< of the scratch poses' skeleton */
    const bp_character *characters; /**< [first + count]: of a whole crowd, whatever the range */
    const bp_mat34 *places; /**< [first + count] where each character stands: its joint matrices
                                 are multiplied with this from the left; default NULL: none */
    bp_mat34 *matrices;     /**< affine 3x4 output, or NULL: character i begins at element
                                 i * skin->joint_count */
    float *matrices44;      /**< column-major 4x4 output, 16 floats each, or NULL */
} bp_crowd_job;

/**
 * Samples, poses and packs the characters first … first + count - 1. Calls for other ranges with
 * scratch poses of their own may run at the same time; the results are the same bits for any split.
 *
 * @param job      one of the two outputs at least
 * @param scratch  a pose of the skin's skeleton; its contents are lost
 * @param first,count  characters, as indices of job->characters; count may be 0
 *
 * Thread safe on scratch poses and ranges of their own. Allocates nothing. Cost: that of
 * bp_clip_sample, bp_pose_update and bp_palette_run for each character that does not do what the
 * one before it does.
 */
BP_API void bp_crowd_run_range(const bp_crowd_job *job, bp_pose *scratch, size_t first,
                               size_t count);

#ifdef __cplusplus
}
#endif

#endif
