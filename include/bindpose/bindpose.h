/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * The whole runtime library, from what knows least to what knows most.
 */
#ifndef BINDPOSE_H
#define BINDPOSE_H

#include "bindpose/base.h"
#include "bindpose/clip.h"
#include "bindpose/cpu.h"
#include "bindpose/crowd.h"
#include "bindpose/document.h"
#include "bindpose/gltf.h"
#include "bindpose/math.h"
#include "bindpose/mesh.h"
#include "bindpose/palette.h"
#include "bindpose/pose.h"
#include "bindpose/skeleton.h"
#include "bindpose/skinning.h"
#include "bindpose/tasks.h"

#endif
