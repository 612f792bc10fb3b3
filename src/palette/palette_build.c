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

void bp_palette_run(const bp_palette_job *job) {
    assert(job && job->skin && job->pose && (job->matrices || job->matrices44));
    const bp_skin *skin = job->skin;
    const bp_mat34 *globals = bp_pose_globals(job->pose);

    for (uint32_t joint = 0; joint < skin->joint_count; ++joint) {
        bp_mat34 matrix =
            bp_mat34_mul(&globals[skin->joints[joint]], &skin->joint_from_mesh[joint]);
        if (job->mesh_from_global) matrix = bp_mat34_mul(job->mesh_from_global, &matrix);
        if (job->matrices) job->matrices[job->offset + joint] = matrix;
        if (job->matrices44)
            bp_mat34_to_mat44(job->matrices44 + 16 * (job->offset + joint), &matrix);
    }
}
