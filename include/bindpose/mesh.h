/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * mesh: vertex streams, influences, morph targets; and geometry on posed vertices.
 */
#ifndef BINDPOSE_MESH_H
#define BINDPOSE_MESH_H

#include "bindpose/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How indices (or vertices in order) form triangles, lines or points. */
typedef enum bp_topology {
    BP_TOPOLOGY_TRIANGLES = 0,
    BP_TOPOLOGY_TRIANGLE_STRIP,
    BP_TOPOLOGY_TRIANGLE_FAN,
    BP_TOPOLOGY_LINES,
    BP_TOPOLOGY_LINE_STRIP,
    BP_TOPOLOGY_LINE_LOOP,
    BP_TOPOLOGY_POINTS
} bp_topology;

/** Value, in an asset. What one morph target adds to each vertex; a NULL stream adds nothing. */
typedef struct bp_morph_target {
    const float *positions; /**< [3 * vertex_count] or NULL */
    const float *normals;   /**< [3 * vertex_count] or NULL */
    const float *tangents;  /**< [3 * vertex_count] or NULL: xyz, handedness does not change */
    bp_aabb bounds;         /**< smallest box around 0 and every position delta */
} bp_morph_target;

/**
 * Asset. One primitive of a mesh: what is drawn with one material. All arrays are tightly packed.
 *
 * Influence k of vertex v is joints[v * influence_count + k] and weights[same]: slots 0 … 3 are
 * JOINTS_0 and WEIGHTS_0, slots 4 … 7 the second set, and so on. Unused slots have weight 0.
 */
typedef struct bp_primitive {
    uint32_t vertex_count;
    const float *positions;  /**< [3 * vertex_count] mesh space; NULL when there are no positions */
    const float *normals;    /**< [3 * vertex_count] or NULL */
    const float *tangents;   /**< [4 * vertex_count] or NULL; w is the handedness, +1 or -1 */
    const float *texcoords;  /**< [2 * vertex_count] or NULL: TEXCOORD_0 */
    const float *texcoords1; /**< [2 * vertex_count] or NULL: TEXCOORD_1 */
    const float *colors;     /**< [4 * vertex_count] or NULL: COLOR_0, linear RGBA */

    uint32_t influence_count; /**< slots a vertex; 0 for a mesh that is not skinned */
    uint32_t joint_count;     /**< every element of `joints` is smaller than this */
    const uint16_t *joints;   /**< [influence_count * vertex_count] or NULL */
    const float *weights;     /**< [influence_count * vertex_count] or NULL; sums to 1 a vertex */
    const uint8_t *slots_in_use; /**< [(vertex_count + 7) / 8] or NULL: for each eight vertices in
                                      order, no less than the slots up to the last that has
                                      weight; 0 where all have weight 1 in slot 0. Slots past that
                                      are left out: with a finite palette that can change the sign
                                      of a zero and nothing else. NULL in a copy that is given
                                      other weights */
    const bp_aabb *joint_bounds; /**< [joint_count] or NULL: box in mesh space around the vertices
                                      that have weight on the joint; empty when none has */

    uint32_t index_count;
    const uint32_t *indices; /**< [index_count], each < vertex_count; NULL: vertices in order */
    bp_topology topology;

    uint32_t target_count;
    const bp_morph_target *targets; /**< [target_count] or NULL */

    bp_aabb bounds;   /**< of `positions`, mesh space; empty without positions */
    int32_t material; /**< index in the model, or -1 */
} bp_primitive;

/** Asset. A mesh: primitives that move together. */
typedef struct bp_mesh {
    const char *name; /**< UTF-8; "" when nameless */
    uint32_t primitive_count;
    const bp_primitive *primitives;
    uint32_t target_count;           /**< morph targets of every primitive */
    const char *const *target_names; /**< [target_count] or NULL; from extras.targetNames */
} bp_mesh;

/** Value. A primitive to be built in code; arrays are copied. Counts and shapes as bp_primitive. */
typedef struct bp_primitive_desc {
    uint32_t vertex_count;
    const float *positions;   /**< required */
    const float *normals;     /**< or NULL */
    const float *tangents;    /**< or NULL */
    uint32_t influence_count; /**< default 0: not skinned */
    const uint16_t *joints;   /**< [influence_count * vertex_count] */
    const float *weights;     /**< [influence_count * vertex_count] */
    uint32_t joint_count;     /**< joints of the skin that the indices are for */
    bool keep_raw_weights;    /**< do not divide weights by their sum; default false */
    uint32_t index_count;
    const uint32_t *indices; /**< or NULL */
    bp_topology topology;    /**< default 0: triangles */
    uint32_t target_count;
    const bp_morph_target *targets; /**< `bounds` need not be filled */
    bp_allocator allocator;         /**< default: malloc and free */
} bp_primitive_desc;

/**
 * Builds a primitive from arrays: clean influences (see bp_influences_clean), bounds, joint bounds.
 *
 * @return BP_OK; BP_ERROR_ARGUMENT (an index that is no vertex, a number that is not finite;
 *         `error` has the place, such as "/indices/7": element 7 of the array `indices` of `desc`);
 *         BP_ERROR_OUT_OF_MEMORY. `primitive` is then NULL. Thread safe.
 */
BP_API bp_result bp_primitive_build(bp_primitive **primitive, const bp_primitive_desc *desc,
                                    bp_error *error);

/** Releases a primitive from bp_primitive_build; NULL is allowed. Not for a model's primitive. */
BP_API void bp_primitive_destroy(bp_primitive *primitive);

/**
 * Value. What bp_influences_clean found in the influences as they were given.
 *
 * The first_… fields are vertices, valid where the count is not 0.
 */
typedef struct bp_influence_report {
    uint32_t out_of_range; /**< influences with weight whose joint the skin does not have */
    uint32_t first_out_of_range;
    uint32_t negative; /**< negative weights */
    uint32_t first_negative;
    uint32_t not_normalized; /**< vertices with weights that do not sum to 1 within 2e-7 times the
                                  number of those that are not 0 (as the validator does) */
    uint32_t first_not_normalized;
    float worst_sum;   /**< the sum farthest from 1 among those */
    uint32_t all_zero; /**< vertices without any usable weight, for whatever reason */
    uint32_t first_all_zero;
    uint32_t duplicate; /**< vertices that name a joint twice with weight */
    uint32_t first_duplicate;
} bp_influence_report;

/**
 * Makes influences safe and well defined, in place.
 *
 * Joints past the skin and negative weights lose their weight; slots without weight get joint 0; a
 * vertex left without any weight follows its first joint that the skin has (joint 0 if none) with
 * weight 1, in slot 0; then each vertex's weights are divided by their sum, unless `keep_raw`,
 * which keeps negative weights too. A joint named twice keeps both slots: they add up.
 *
 * @param joints,weights  [influence_count * vertex_count], weights finite
 * @param joint_count     of the skin, at least 1
 * @param report          filled; may be NULL
 * Thread safe on different arrays. Allocates nothing.
 */
BP_API void bp_influences_clean(uint16_t *joints, float *weights, uint32_t vertex_count,
                                uint32_t influence_count, uint32_t joint_count, bool keep_raw,
                                bp_influence_report *report);

/** Number of triangles of a primitive; 0 for points and lines. */
BP_API uint32_t bp_primitive_triangle_count(const bp_primitive *primitive);

/**
 * The vertices of triangle `triangle` in winding order; strips alternate as glTF 2.0, 3.7.2.1 says.
 */
BP_API void bp_primitive_triangle(const bp_primitive *primitive, uint32_t triangle,
                                  uint32_t vertices[3]);

/** Value. Where a ray meets a mesh. */
typedef struct bp_ray_hit {
    uint32_t triangle;
    uint32_t vertices[3];
    float barycentrics[3]; /**< weights of the three vertices; they sum to 1 */
    float distance;        /**< metres from the origin, whatever the length of the direction */
    bp_vec3 point;
    bool back_face; /**< the triangle shows its back (clockwise) side to the origin */
} bp_ray_hit;

/** Value. A ray against posed vertices. Fill by designated initialisers. */
typedef struct bp_raycast_job {
    const bp_primitive *primitive; /**< gives the triangles */
    const float *positions;        /**< [3 floats a vertex] posed: from bp_skinning_run; NULL: the
                                        primitive's own */
    size_t position_stride;        /**< bytes from vertex to vertex; default 0: 12 */
    bp_vec3 origin;
    bp_vec3 direction;    /**< of any length but zero */
    float max_distance;   /**< metres, hits at it count; default 0: no end */
    bool cull_back_faces; /**< default false */
} bp_raycast_job;

/**
 * The nearest hit of a ray with the triangles of a primitive; of equally near ones the first.
 *
 * A ray through an edge or a corner that triangles share hits one of them. Triangles seen edge-on,
 * or without area, are not hit. Cost: linear. Allocates nothing. (Woop, Benthin, Wald: Watertight
 * ray/triangle intersection, JCGT 2013, in double.)
 *
 * @return false when there is none; `hit` is then unchanged. Thread safe.
 */
BP_API bool bp_mesh_raycast(bp_ray_hit *hit, const bp_raycast_job *job);

#ifdef __cplusplus
}
#endif

#endif
