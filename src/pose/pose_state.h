// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* What a pose is made of; the clip module writes it directly. */
#ifndef BPI_POSE_STATE_H
#define BPI_POSE_STATE_H

#include "bindpose/pose.h"

struct bp_pose {
    const bp_skeleton *skeleton;
    bp_transform *locals; /* [node_count] */
    float *weights;       /* [weight_count] */
    bp_mat34 *globals;    /* [node_count] */
    uint8_t *replaced;    /* [matrix_count] the matrix of this node gave way to its transform */
    uint8_t *marks;       /* [node_count] scratch of the updates */
};

/* From now on the node's transform counts, not its matrix. Nothing to do for other nodes. */
void bpi_pose_replace_matrix(bp_pose *pose, uint32_t node);

#endif
