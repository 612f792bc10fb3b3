// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Characters one after the other through one scratch pose, so that the memory in use at a time is
 * one pose and the clips' keys, however many characters there are.
 */
#include "bindpose/crowd.h"

#include <assert.h>

void bp_crowd_run_range(const bp_crowd_job *job, bp_pose *scratch, size_t first, size_t count) {
    assert(job && scratch && job->skin && (job->characters || count == 0));
    const bp_character *last = NULL;
    for (size_t i = first; i < first + count; ++i) {
        const bp_character *character = &job->characters[i];
        if (!last || last->clip != character->clip || last->time != character->time) {
            bp_clip_sample(scratch, character->clip, character->time);
            bp_pose_update(scratch);
        }
        last = character;
        bp_palette_run(&(bp_palette_job){
            .skin = job->skin,
            .pose = scratch,
            .matrices = job->matrices,
            .matrices44 = job->matrices44,
            .offset = i * job->skin->joint_count,
            .mesh_from_global = job->places ? &job->places[i] : NULL,
        });
    }
}
