// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// The walker, a creature of our own: what its parts share. It looks along +z, stands on y = 0, and
// its left is +x. make_walker.c puts the parts into a file.

#ifndef WALKER_H
#define WALKER_H

#include "shape.h"
#include "steady_math.h"

typedef enum walker_joint {
    WALKER_ROOT,
    WALKER_HIPS,
    WALKER_SPINE,
    WALKER_CHEST,
    WALKER_NECK,
    WALKER_HEAD,
    WALKER_TAIL,                           // 4 joints
    WALKER_ANTENNA_LEFT = WALKER_TAIL + 4, // 3 joints each
    WALKER_ANTENNA_RIGHT = WALKER_ANTENNA_LEFT + 3,
    WALKER_REAR_LEFT = WALKER_ANTENNA_RIGHT + 3, // of each leg: upper, lower, foot
    WALKER_REAR_RIGHT = WALKER_REAR_LEFT + 3,
    WALKER_FRONT_LEFT = WALKER_REAR_RIGHT + 3,
    WALKER_FRONT_RIGHT = WALKER_FRONT_LEFT + 3,
    WALKER_JOINT_COUNT = WALKER_FRONT_RIGHT + 3
} walker_joint;

typedef struct walker_bone {
    const char *name;
    int parent;  // a walker_joint before this one, or -1
    vec3 origin; // of the joint, in mesh space, when bound and at rest; no joint is turned then
} walker_bone;

// [WALKER_JOINT_COUNT]; origins are multiples of 1/256 m, so that differences of them are exact.
const walker_bone *walker_bones(void);

// ---- the body: walker_body.c --------------------------------------------------------------------

typedef enum walker_material {
    WALKER_COAT,
    WALKER_CREAM,
    WALKER_ACCENT,
    WALKER_EYE,
    WALKER_SPARKLE,
    WALKER_MATERIAL_COUNT
} walker_material;

typedef enum walker_target { WALKER_BREATHE, WALKER_BLINK, WALKER_TARGET_COUNT } walker_target;

// Adds the parts of one material to an empty surface. Its deltas are those of walker_target_of.
void walker_add_parts(shape_surface *surface, walker_material material);

walker_target walker_target_of(walker_material material);

// ---- the clips: walker_motion.c -----------------------------------------------------------------

typedef struct walker_pose {
    vec3 translations[WALKER_JOINT_COUNT]; // local
    quat rotations[WALKER_JOINT_COUNT];    // local
    double weights[WALKER_TARGET_COUNT];
} walker_pose;

// Step `step` of `steps` of a round of walking; a round takes one second.
void walker_walk(walker_pose *pose, int step, int steps);

// The moments of the clip "look": the head turns, the antennae follow.
enum { WALKER_LOOK_KEYS = 7 };
void walker_look(walker_pose *pose, int key);
double walker_look_time(int key);

#endif
