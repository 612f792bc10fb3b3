// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "bindpose/palette.h"

#include "cpu/cpu_kernels.h"

#include <assert.h>

void bp_palette_build(bp_mat34 *palette, const bp_skin *skin, const bp_pose *pose) {
    assert(palette && skin && pose);
    bpi_kernels_current()->products(palette, bp_pose_globals(pose), skin->joints,
                                    skin->joint_from_mesh, skin->joint_count);
}

/* Joints that are worked on together, on the stack. */
enum { BLOCK = 32 };

/* The matrices of `count` joints from `first` on, at most BLOCK. */
static void build_block(bp_mat34 *matrices, const bp_palette_job *job, uint32_t first,
                        uint32_t count) {
    static const uint32_t same[BLOCK] = {0};
    const bpi_kernels *kernels = bpi_kernels_current();
    const bp_skin *skin = job->skin;
    bp_mat34 scene[BLOCK], *target = job->mesh_from_global ? scene : matrices;
    kernels->products(target, bp_pose_globals(job->pose), skin->joints + first,
                      skin->joint_from_mesh + first, count);
    if (job->mesh_from_global)
        kernels->products(matrices, job->mesh_from_global, same, scene, count);
}

void bp_palette_run(const bp_palette_job *job) {
    assert(job && job->skin && job->pose && (job->matrices || job->matrices44));
    uint32_t joint_count = job->skin->joint_count, count;
    for (uint32_t first = 0; first < joint_count; first += count) {
        bp_mat34 block[BLOCK], *matrices = block;
        count = joint_count - first < BLOCK ? joint_count - first : BLOCK;
        if (job->matrices) matrices = job->matrices + job->offset + first;
        build_block(matrices, job, first, count);
        for (uint32_t i = 0; i < count && job->matrices44; ++i)
            bp_mat34_to_mat44(job->matrices44 + 16 * (job->offset + first + i), &matrices[i]);
    }
}
