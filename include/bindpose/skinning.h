/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * skinning: a palette and a mesh become posed vertices, on the CPU.
 *
 * position = sum over influences of weight * (joint matrix * (rest position + morph deltas)):
 * linear blend skinning, morph targets first (glTF 2.0, 3.7.2.2 and 3.7.3). Normals go with the
 * inverse transpose of the blended 3x3 (by cofactors), then to unit length; tangents with the
 * blended 3x3, then to unit length, w kept.
 */
#ifndef BINDPOSE_SKINNING_H
#define BINDPOSE_SKINNING_H

#include "bindpose/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Value. Work for the functions below. Fill by designated initialisers. */
typedef struct bp_skinning_job {
    const bp_primitive *primitive; /**< what is posed */
    const bp_mat34 *palette;     /**< at least [primitive->joint_count] joint matrices; a palette of
                                        a model's skin is never shorter than what the model's
                                        meshes need. For a primitive without influences, or with
                                        `rigid`: one matrix, the global transform of the node */
    bool rigid;                  /**< move everything by palette[0], even if there are influences;
                                        default false */
    const float *morph_weights;  /**< [morph_weight_count], see bp_pose_weights; default NULL */
    uint32_t morph_weight_count; /**< at most the primitive's targets are used; default 0 */

    float *positions;       /**< 3 floats a vertex, or NULL */
    float *normals;         /**< 3 floats a vertex, or NULL; needs the primitive's normals */
    float *tangents;        /**< 4 floats a vertex, or NULL; needs the primitive's tangents */
    size_t position_stride; /**< bytes from vertex to vertex; default 0: 12 */
    size_t normal_stride;   /**< default 0: 12 */
    size_t tangent_stride;  /**< default 0: 16 */
    uint32_t output_first;  /**< the vertex that the outputs begin with; default 0 */
    bool stream;            /**< nobody reads the outputs soon: writes past the caches where they
                                 are packed and 32-byte aligned. For memory mapped for the GPU, and
                                 to keep other data in the caches; not faster by itself, so measure;
                                 default false */
} bp_skinning_job;

/**
 * Poses every vertex of the primitive. Writes only the asked floats of each element.
 *
 * A normal or tangent that has no direction (zero in the file, or squashed flat by the pose) comes
 * out as 0 0 0. Nothing is done, and bounds are empty, where there are no vertices. Allocates
 * nothing; outputs must not overlap inputs. Thread safe on different outputs.
 */
BP_API void bp_skinning_run(const bp_skinning_job *job);

/**
 * Poses vertices first … first + count - 1 alone; nothing when count is 0. Threads may share one
 * job and split its vertices: the results are the same bits for any split.
 *
 * @param first  at least job->output_first; first + count at most the primitive's vertices
 */
BP_API void bp_skinning_run_range(const bp_skinning_job *job, uint32_t first, uint32_t count);

/**
 * The exact bounds of the posed positions; the job's outputs are not used. Allocates nothing. Cost:
 * as skinning positions.
 */
BP_API bp_aabb bp_skinning_bounds(const bp_skinning_job *job);

/**
 * Conservative bounds of the posed positions from a box for each joint: not smaller than
 * bp_skinning_bounds by a single bit, and larger by some millionths of the size at least. Needs
 * weights that are not negative and sum to 1 (so not keep_raw_weights on a broken file). Cost:
 * joints and morph targets, not vertices.
 */
BP_API bp_aabb bp_skinning_bounds_fast(const bp_skinning_job *job);

#ifdef __cplusplus
}
#endif

#endif
