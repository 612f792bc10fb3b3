/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * skeleton: the hierarchy of nodes with its rest pose, and skins: which nodes are joints, and where
 * each joint was when the mesh was bound to it.
 *
 * Three poses, three names: the *rest pose* is the nodes' own transforms (bp_skeleton::rest); the
 * *bind pose* is where the joints were at binding (bp_skin_bind_transform); the current pose is a
 * bp_pose.
 */
#ifndef BINDPOSE_SKELETON_H
#define BINDPOSE_SKELETON_H

#include "bindpose/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Asset. Nodes, parents first: the parent of a node has a smaller index. From a file, indices here
 * can differ from the file's; node_from_file and file_from_node convert. A skeleton built in code
 * keeps the caller's order.
 */
typedef struct bp_skeleton {
    uint32_t node_count;
    const int32_t *parents;         /**< [node_count]; -1 for a root */
    const uint8_t *update_order;    /**< [node_count] or NULL: of each 128 nodes in order, their
                                        places among these, the less deep first: computing globals
                                        so, neighbours do not wait for each other. NULL in
                                        a copy that is given other parents */
    const bp_transform *rest;       /**< [node_count] local rest transforms; of a matrix node the
                                        nearest translation, rotation and scale */
    const char *const *labels;      /**< [node_count] names, UTF-8; "" for a nameless node */
    const uint32_t *node_from_file; /**< [node_count] skeleton index of each node of the file */
    const uint32_t *file_from_node; /**< [node_count] the inverse of that */

    uint32_t matrix_count;        /**< nodes whose local rest transform is a matrix */
    const uint32_t *matrix_nodes; /**< [matrix_count], ascending */
    const bp_mat34 *matrices;     /**< [matrix_count] the local matrices, used as they are */

    uint32_t weight_count;        /**< morph weights of all nodes together */
    const uint32_t *weight_first; /**< [node_count + 1]: the weights of node n are the elements
                                        weight_first[n] … weight_first[n + 1] - 1 of a pose */
    const float *rest_weights;    /**< [weight_count] */
} bp_skeleton;

/** How a skin came to its bind shape matrix. */
typedef enum bp_bind_shape {
    BP_BIND_SHAPE_GIVEN,  /**< given in code, or left out there: identity */
    BP_BIND_SHAPE_REST,   /**< from a file: in the rest pose all joints agree on it, so rest pose
                                and bind pose are the same */
    BP_BIND_SHAPE_UNKNOWN /**< from a file: the joints do not agree; taken as the identity */
} bp_bind_shape;

/**
 * Asset. The joints of a skeleton that a mesh is bound to. JOINTS_n values of vertices index
 * `joints`, never nodes.
 */
typedef struct bp_skin {
    const char *name; /**< UTF-8; "" when nameless */
    uint32_t joint_count;
    const uint32_t *joints;          /**< [joint_count] node indices in the skeleton */
    const bp_mat34 *joint_from_mesh; /**< [joint_count] inverse bind matrix * bind shape matrix; a
                                          file's inverse bind matrices as they are */
    bp_mat34 bind_shape; /**< bind_from_mesh: the transform that the mesh was bound at */
    bp_bind_shape bind_shape_source;
    bool has_inverse_bind_matrices; /**< false: left out, identity for each joint */
    int32_t root_hint;              /**< node named by glTF's skin.skeleton, or -1; not used */
} bp_skin;

/** Value. A skeleton to be built in code; arrays are copied. */
typedef struct bp_skeleton_desc {
    uint32_t node_count;
    const int32_t *parents;        /**< [node_count]; -1 for a root; a parent before its children */
    const bp_transform *rest;      /**< [node_count]; NULL: identity */
    const char *const *labels;     /**< [node_count], entries may be NULL; NULL: no labels */
    const uint32_t *weight_counts; /**< [node_count] morph weights of each node; NULL: none */
    const float *rest_weights;     /**< [sum of weight_counts], node after node; NULL: zeros */
    bp_allocator allocator;        /**< default: malloc and free */
} bp_skeleton_desc;

/** Value. A skin to be built in code; arrays are copied. */
typedef struct bp_skin_desc {
    uint32_t joint_count;
    const uint32_t *joints;             /**< [joint_count] node indices, each < node_count */
    const float *inverse_bind_matrices; /**< [16 * joint_count] column-major, taking a vertex from
                                            the bind pose into the joint's space; NULL: identity */
    const float *bind_shape_matrix;     /**< [16] column-major: position, rotation and scale, no
                                            shear; NULL: identity */
    bp_allocator allocator;             /**< default: malloc and free */
} bp_skin_desc;

/**
 * Builds a skeleton from arrays.
 *
 * @return BP_OK; BP_ERROR_ARGUMENT (a parent that does not come before its child or is below -1, a
 *         number that is not finite; `error` has the place, such as "/parents/3");
 *         BP_ERROR_OUT_OF_MEMORY. Thread safe.
 */
BP_API bp_result bp_skeleton_build(bp_skeleton **skeleton, const bp_skeleton_desc *desc,
                                   bp_error *error);

/** Releases a skeleton from bp_skeleton_build; NULL is allowed. Not for a model's skeleton. */
BP_API void bp_skeleton_destroy(bp_skeleton *skeleton);

/**
 * Builds a skin of `skeleton` from arrays; it does not keep the skeleton.
 *
 * @return BP_OK; BP_ERROR_ARGUMENT (a joint that is no node, a matrix that is not affine within
 *         1e-4 or not finite, a bind shape matrix with shear or that cannot be inverted);
 *         BP_ERROR_OUT_OF_MEMORY. Thread safe.
 */
BP_API bp_result bp_skin_build(bp_skin **skin, const bp_skeleton *skeleton,
                               const bp_skin_desc *desc, bp_error *error);

/** Releases a skin from bp_skin_build; NULL is allowed. Not for a model's skin. */
BP_API void bp_skin_destroy(bp_skin *skin);

/**
 * The first node with this label.
 *
 * @param label  UTF-8; NULL and "" find nothing
 * @param count  receives how many nodes carry it; may be NULL
 * @return node index, or -1. Cost: linear. Thread safe.
 */
BP_API int32_t bp_skeleton_find(const bp_skeleton *skeleton, const char *label, uint32_t *count);

/** The first joint of a skin whose node has this label; otherwise as bp_skeleton_find. */
BP_API int32_t bp_skin_find(const bp_skin *skin, const bp_skeleton *skeleton, const char *label,
                            uint32_t *count);

/**
 * Where a joint was at binding: global_from_joint = bind shape * inverse(joint_from_mesh).
 *
 * @return false when the joint's matrix cannot be inverted; `global_from_joint` is then the
 *         identity
 */
BP_API bool bp_skin_bind_transform(bp_mat34 *global_from_joint, const bp_skin *skin,
                                   uint32_t joint);

/** Value. How far a joint's rest pose is from its bind pose. */
typedef struct bp_bind_distance {
    bool known;        /**< false: the joint's matrix cannot be inverted; the rest is then 0 */
    float translation; /**< metres between the two origins */
    float rotation;    /**< radians between the two orientations, 0 to pi */
    float scale;       /**< largest factor between the lengths of matching axes, at least 1 */
} bp_bind_distance;

/**
 * Distance between rest pose and bind pose, for every joint of a skin. Says nothing on whether any
 * vertex uses the joint: the matrix of an unused joint may be arbitrary.
 *
 * @param distances  [joint_count]
 * @param globals    [node_count] of the skeleton at rest: bp_pose_globals of a fresh, updated pose
 */
BP_API void bp_skin_bind_distances(bp_bind_distance *distances, const bp_skin *skin,
                                   const bp_mat34 *globals);

#ifdef __cplusplus
}
#endif

#endif
