// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The bind pose: where joints were when the mesh was bound, and how far that is from rest.
 *
 * With B_j the joint's global transform at binding and S the bind shape matrix, a skin holds
 * joint_from_mesh_j = inverse(B_j) * S. A file holds only that product. When rest pose and bind
 * pose are the same, the joint matrix at rest is G_j * inverse(B_j) * S = S for every joint: then,
 * and only then, S can be read off a file.
 */
#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <math.h>

/* Relative to the size of what is compared: float noise of exporters stays well below. */
static const float AGREEMENT = 1e-3f;

static float greater(float a, float b) {
    return a > b ? a : b;
}

static float largest(const bp_mat34 *matrix, int first_column, int columns) {
    float size = 0.0f;
    for (int row = 0; row < 3; ++row)
        for (int column = first_column; column < first_column + columns; ++column)
            size = greater(size, fabsf(matrix->m[row][column]));
    return size;
}

/* Linear parts alike within AGREEMENT of their size, translations within it of `reach`. */
static bool alike(const bp_mat34 *a, const bp_mat34 *b, float reach) {
    bp_mat34 difference;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            difference.m[row][column] = a->m[row][column] - b->m[row][column];
    return largest(&difference, 0, 3) <= AGREEMENT * largest(a, 0, 3) &&
           largest(&difference, 3, 1) <= AGREEMENT * reach;
}

void bpi_skin_find_bind_shape(bp_skin *skin, const bp_mat34 *rest_globals) {
    skin->bind_shape = bp_mat34_identity();
    skin->bind_shape_source = BP_BIND_SHAPE_UNKNOWN;
    if (skin->joint_count == 0) return;

    /* The rig's extent, in which an error of a translation is measured. */
    float reach = 0.0f;
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        reach = greater(reach, largest(&rest_globals[skin->joints[joint]], 3, 1));

    bp_mat34 shape = bp_mat34_mul(&rest_globals[skin->joints[0]], &skin->joint_from_mesh[0]);
    reach = greater(reach, greater(largest(&shape, 0, 4), 1e-6f));
    for (uint32_t joint = 1; joint < skin->joint_count; ++joint) {
        bp_mat34 other =
            bp_mat34_mul(&rest_globals[skin->joints[joint]], &skin->joint_from_mesh[joint]);
        if (!alike(&shape, &other, reach)) return;
    }
    bp_transform transform;
    bp_mat34 inverse;
    if (!bp_mat34_inverse(&inverse, &shape)) return;
    if (bp_transform_from_mat34(&transform, &shape) > AGREEMENT) return;

    bp_mat34 identity = bp_mat34_identity();
    skin->bind_shape = alike(&identity, &shape, reach) ? identity : shape;
    skin->bind_shape_source = BP_BIND_SHAPE_REST;
}

bool bp_skin_bind_transform(bp_mat34 *global_from_joint, const bp_skin *skin, uint32_t joint) {
    assert(global_from_joint && skin && joint < skin->joint_count);
    bp_mat34 mesh_from_joint;
    bool known = bp_mat34_inverse(&mesh_from_joint, &skin->joint_from_mesh[joint]);
    *global_from_joint =
        known ? bp_mat34_mul(&skin->bind_shape, &mesh_from_joint) : bp_mat34_identity();
    return known;
}

static float column_length(const bp_mat34 *matrix, int column) {
    float x = matrix->m[0][column], y = matrix->m[1][column], z = matrix->m[2][column];
    return sqrtf(x * x + y * y + z * z);
}

static float scale_factor(const bp_mat34 *a, const bp_mat34 *b) {
    float worst = 1.0f;
    for (int column = 0; column < 3; ++column) {
        float length_a = column_length(a, column), length_b = column_length(b, column);
        if (length_a <= 0.0f || length_b <= 0.0f) continue;
        worst = greater(worst, greater(length_a / length_b, length_b / length_a));
    }
    return worst;
}

void bp_skin_bind_distances(bp_bind_distance *distances, const bp_skin *skin,
                            const bp_mat34 *globals) {
    assert(distances && skin && globals);
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint) {
        const bp_mat34 *rest = &globals[skin->joints[joint]];
        bp_mat34 bind;
        distances[joint] = (bp_bind_distance){0};
        if (!bp_skin_bind_transform(&bind, skin, joint)) continue;
        bp_transform rest_parts, bind_parts;
        bp_transform_from_mat34(&rest_parts, rest);
        bp_transform_from_mat34(&bind_parts, &bind);
        float x = rest->m[0][3] - bind.m[0][3];
        float y = rest->m[1][3] - bind.m[1][3];
        float z = rest->m[2][3] - bind.m[2][3];
        distances[joint] = (bp_bind_distance){
            .known = true,
            .translation = sqrtf(x * x + y * y + z * z),
            .rotation = bp_quat_angle(rest_parts.rotation, bind_parts.rotation),
            .scale = scale_factor(rest, &bind),
        };
    }
}
