/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * pose: the current transforms of a skeleton's nodes, local and global, and the morph weights.
 *
 * A pose starts at the rest pose. Change local transforms (or sample a clip into them), then
 * update, then read the globals.
 */
#ifndef BINDPOSE_POSE_H
#define BINDPOSE_POSE_H

#include "bindpose/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/** State. One character's pose. Keeps a pointer to its skeleton, which must outlive it. */
typedef struct bp_pose bp_pose;

/**
 * Creates a pose at the rest pose, globals up to date.
 *
 * @param allocator  NULL: malloc and free
 * @return NULL when out of memory
 */
BP_API bp_pose *bp_pose_create(const bp_skeleton *skeleton, const bp_allocator *allocator);

/** Releases a pose; NULL is allowed. */
BP_API void bp_pose_destroy(bp_pose *pose);

/** The skeleton that the pose was created for. */
BP_API const bp_skeleton *bp_pose_skeleton(const bp_pose *pose);

/** Puts every local transform and weight back to rest. The globals wait for an update. */
BP_API void bp_pose_reset(bp_pose *pose);

/**
 * Copies locals, weights and globals of another pose of the same skeleton (the same pointer).
 */
BP_API void bp_pose_copy(bp_pose *pose, const bp_pose *source);

/**
 * Mixes another pose of the same skeleton in: translations, scales and weights linearly, rotations
 * by slerp the short way, then to unit length. Matrix nodes that neither pose has moved keep their
 * matrix. The globals wait for an update.
 *
 * @param weight  0 to 1; 0: `pose` stays as it is, exactly; 1: it becomes `other`, exactly
 */
BP_API void bp_pose_blend(bp_pose *pose, const bp_pose *other, float weight);

/** [node_count] local transforms. A matrix node that was not set shows its nearest transform. */
BP_API const bp_transform *bp_pose_locals(const bp_pose *pose);

/** Sets a node's local transform; a matrix node stops using its matrix until the next reset. */
BP_API void bp_pose_set_local(bp_pose *pose, uint32_t node, bp_transform transform);

/** bp_pose_set_local for nodes first … first + count - 1. */
BP_API void bp_pose_set_locals(bp_pose *pose, uint32_t first, uint32_t count,
                               const bp_transform *transforms);

/** [weight_count] morph weights of all nodes; those of a node begin at skeleton->weight_first. */
BP_API const float *bp_pose_weights(const bp_pose *pose);

/** Sets `count` morph weights of a node, from its first; no more than the node has. */
BP_API void bp_pose_set_weights(bp_pose *pose, uint32_t node, uint32_t count, const float *weights);

/** Computes the global transform of every node: global = global of the parent * local. */
BP_API void bp_pose_update(bp_pose *pose);

/**
 * Recomputes only a node and what lies below it, after a change of local transforms there. The
 * globals above must be up to date.
 */
BP_API void bp_pose_update_subtree(bp_pose *pose, uint32_t node);

/**
 * Computes the transform of every node relative to `node`, which gets the identity: products of
 * local transforms along the path between the two, so that the distance of `node` from the origin
 * costs no precision. Until the next update bp_pose_globals, and palettes built from this pose, are
 * in the space of `node`.
 *
 * @param global_from_node  receives where `node` is in the scene; may be NULL
 * @return false when a node on the way from `node` to its root cannot be inverted; nothing is
 *         changed then
 */
BP_API bool bp_pose_update_relative(bp_pose *pose, uint32_t node, bp_mat34 *global_from_node);

/** [node_count] global transforms, as of the last update. Valid for the life of the pose. */
BP_API const bp_mat34 *bp_pose_globals(const bp_pose *pose);

#ifdef __cplusplus
}
#endif

#endif
