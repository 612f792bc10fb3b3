// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* What the functions on a job share. */
#ifndef BPI_SKINNING_JOB_H
#define BPI_SKINNING_JOB_H

#include "bindpose/skinning.h"

/* How many of the mesh's morph targets a job has weights for. */
uint32_t bpi_skinning_target_count(const bp_skinning_job *job);

#endif
