/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * palette: the joint matrices of one skin in one pose, in joint order.
 *
 * joint matrix = global transform of the joint * inverse bind matrix * bind shape matrix (glTF 2.0,
 * 3.7.3.1). It takes a vertex of the mesh to where the pose puts it, in the scene or in the space
 * that bp_pose_update_relative has chosen; the mesh node's own transform has no part in it.
 */
#ifndef BINDPOSE_PALETTE_H
#define BINDPOSE_PALETTE_H

#include "bindpose/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the joint matrices of a skin.
 *
 * @param palette  [skin->joint_count]; for a crowd in one array pass `array + instance * joints`
 * @param skin     of the pose's skeleton
 * @param pose     updated
 *
 * Allocates nothing. Thread safe as long as nobody changes the pose.
 */
BP_API void bp_palette_build(bp_mat34 *palette, const bp_skin *skin, const bp_pose *pose);

/** Value. A palette with a choice of layout and space. Fill by designated initialisers. */
typedef struct bp_palette_job {
    const bp_skin *skin;
    const bp_pose *pose; /**< updated */
    bp_mat34 *matrices;  /**< affine 3x4 output, or NULL */
    float *matrices44;   /**< column-major 4x4 output, 16 floats each, or NULL */
    size_t offset;       /**< index in the output of the skin's joint 0: instance * joint
                                         count for a crowd in one array; default 0 */
    const bp_mat34
        *mesh_from_global; /**< for a renderer that draws the mesh with a transform of its
                                         own: the inverse of that transform, so that the palette
                                         cancels it and the skin draws where the joints put it. With
                                         the bind shape matrix as the mesh's transform, the mesh's
                                         bounds measure the bind pose. Default NULL: none */
} bp_palette_job;

/** bp_palette_build with the choices of `job`. Both outputs may be asked for at once. */
BP_API void bp_palette_run(const bp_palette_job *job);

#ifdef __cplusplus
}
#endif

#endif
