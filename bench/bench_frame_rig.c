// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Characters made in code, the same on every machine but for the rounding of sines.
 */

#include "bench_frame.h"

#include <math.h>
#include <stdlib.h>

enum { SPINE = 7, LIMB = 5, KEYS = 61, CUBIC = 3 };

const float bench_clip_seconds = 2;

static const float key_rate = 30;

/* ---- rigs ----------------------------------------------------------------------------------- */

static int32_t parent_of(uint32_t joint) {
    if (joint < SPINE) return (int32_t)joint - 1;
    uint32_t limb = (joint - SPINE) / LIMB;
    bool first = (joint - SPINE) % LIMB == 0;
    return first ? (int32_t)(limb % SPINE) : (int32_t)joint - 1;
}

static bp_vec3 offset_of(uint32_t joint) {
    if (joint == 0) return (bp_vec3){0, 1, 0};
    if (joint < SPINE) return (bp_vec3){0, 0.1f, 0};
    float side = (joint - SPINE) / LIMB % 2 == 0 ? 1 : -1;
    return (bp_vec3){0.15f * side, 0.01f, 0.02f};
}

bench_rig bench_rig_make(uint32_t joints) {
    int32_t *parents = bench_allocate(joints, sizeof *parents);
    bp_transform *rest = bench_allocate(joints, sizeof *rest);
    uint32_t *nodes = bench_allocate(joints, sizeof *nodes);
    float *inverse = bench_allocate(joints, 16 * sizeof *inverse);
    bp_vec3 *places = bench_allocate(joints, sizeof *places);
    for (uint32_t i = 0; i < joints; i++) {
        parents[i] = parent_of(i);
        nodes[i] = i;
        rest[i] = bp_transform_identity();
        rest[i].translation = offset_of(i);
        bp_vec3 above = parents[i] >= 0 ? places[parents[i]] : (bp_vec3){0, 0, 0};
        bp_vec3 offset = rest[i].translation;
        places[i] = (bp_vec3){above.x + offset.x, above.y + offset.y, above.z + offset.z};
        bp_mat34 joint_from_mesh = bp_mat34_identity();
        joint_from_mesh.m[0][3] = -places[i].x;
        joint_from_mesh.m[1][3] = -places[i].y;
        joint_from_mesh.m[2][3] = -places[i].z;
        bp_mat34_to_mat44(inverse + 16 * (size_t)i, &joint_from_mesh);
    }
    bench_rig rig;
    bp_error error;
    bp_skeleton_desc skeleton = {.node_count = joints, .parents = parents, .rest = rest};
    bench_check(bp_skeleton_build(&rig.skeleton, &skeleton, &error), &error);
    bp_skin_desc skin = {.joint_count = joints, .joints = nodes, .inverse_bind_matrices = inverse};
    bench_check(bp_skin_build(&rig.skin, rig.skeleton, &skin, &error), &error);
    free(parents);
    free(rest);
    free(nodes);
    free(inverse);
    free(places);
    return rig;
}

void bench_rig_free(bench_rig *rig) {
    bp_skin_destroy(rig->skin);
    bp_skeleton_destroy(rig->skeleton);
}

/* ---- clips ---------------------------------------------------------------------------------- */

/* A swing of a joint: how far it is on its way at a time, from -1 to 1, over and over. */
static float swing(uint32_t joint, float time) {
    return sinf(3.14159265f * time + 0.7f * (float)(joint % 9));
}

/* Half a radian about an axis of the joint's own. */
static void write_rotation(float to[4], uint32_t joint, float time) {
    float half = 0.25f * swing(joint, time);
    float axis[3] = {(float)(joint % 3 == 0), (float)(joint % 3 == 1), 0.5f};
    float scale = sinf(half) / sqrtf(joint % 3 == 2 ? 0.25f : 1.25f);
    for (int i = 0; i < 3; i++)
        to[i] = axis[i] * scale;
    to[3] = cosf(half);
}

static void write_value(float *to, const bench_rig *rig, bp_path path, uint32_t joint, float time) {
    bp_vec3 rest = rig->skeleton->rest[joint].translation;
    float by = swing(joint, time);
    switch (path) {
    case BP_PATH_ROTATION: write_rotation(to, joint, time); break;
    case BP_PATH_TRANSLATION:
        to[0] = rest.x + 0.05f * by;
        to[1] = rest.y + 0.02f * by;
        to[2] = rest.z;
        break;
    default:
        to[0] = 1 + 0.05f * by;
        to[1] = 1 - 0.05f * by;
        to[2] = 1;
    }
}

/* Fills a channel's keys; for CUBICSPLINE the tangents are those of a curve through them. */
static const float *make_values(const bench_rig *rig, const bp_channel *channel) {
    size_t width = channel->path == BP_PATH_ROTATION ? 4 : 3;
    bool cubic = channel->interpolation == BP_INTERPOLATION_CUBICSPLINE;
    float *values = bench_allocate(KEYS * width, (cubic ? CUBIC : 1) * sizeof *values);
    for (uint32_t key = 0; key < KEYS; key++) {
        float time = channel->times[key];
        if (!cubic) {
            write_value(values + key * width, rig, channel->path, channel->node, time);
            continue;
        }
        float before[4], after[4], *group = values + CUBIC * key * width;
        write_value(group + width, rig, channel->path, channel->node, time);
        write_value(before, rig, channel->path, channel->node, time - 0.01f);
        write_value(after, rig, channel->path, channel->node, time + 0.01f);
        for (size_t i = 0; i < width; i++)
            group[i] = group[2 * width + i] = (after[i] - before[i]) / 0.02f;
    }
    return values;
}

/* Even times, or times up to a third of a key's distance off, other ones for each joint. */
static const float *make_times(uint32_t joint, bool even) {
    float *times = bench_allocate(KEYS, sizeof *times);
    for (uint32_t key = 0; key < KEYS; key++) {
        bool end = key == 0 || key == KEYS - 1;
        float off = even || end ? 0 : (float)((key * 7 + joint * 13) % 21) / 30 - 1.0f / 3;
        times[key] = ((float)key + off) / key_rate;
    }
    return times;
}

bp_clip *bench_clip_make(const bench_rig *rig, bench_motion motion) {
    uint32_t joints = rig->skeleton->node_count;
    bp_channel *channels = bench_allocate(joints, 3 * sizeof *channels);
    const float *shared = make_times(0, true);
    uint32_t count = 0;
    for (uint32_t i = 0; i < joints; i++) {
        const float *times = motion == BENCH_UNEVEN ? make_times(i, false) : shared;
        for (bp_path path = BP_PATH_TRANSLATION; path <= BP_PATH_SCALE; path++) {
            bool root = path == BP_PATH_TRANSLATION && i == 0;
            if (path != BP_PATH_ROTATION && motion != BENCH_FULL && !root) continue;
            bp_channel *channel = &channels[count++];
            *channel = (bp_channel){.node = i, .path = path, .key_count = KEYS, .times = times};
            if (motion == BENCH_CUBIC) channel->interpolation = BP_INTERPOLATION_CUBICSPLINE;
            channel->values = make_values(rig, channel);
        }
    }
    bp_clip *clip;
    bp_error error;
    bp_clip_desc desc = {.channel_count = count, .channels = channels};
    bench_check(bp_clip_build(&clip, rig->skeleton, &desc, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count || channels[i + 1].times != channels[i].times;
        if (last && channels[i].times != shared) free((void *)channels[i].times);
        free((void *)channels[i].values);
    }
    free((void *)shared);
    free(channels);
    return clip;
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* Slots with weight: as told, or in stretches of some hundred vertices, as a body has them. */
static uint32_t used_of(const bench_shape *shape, uint32_t vertex) {
    if (shape->used > 0) return shape->used;
    static const uint32_t parts[] = {1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
    uint32_t used = parts[vertex / 192 % (sizeof parts / sizeof *parts)];
    return used < shape->slots ? used : shape->slots;
}

/* A vertex of a ring of 16; neighbours along the tube have neighbouring joints. */
static void write_influences(const bench_shape *shape, uint32_t vertex, uint16_t *joints,
                             float *weights) {
    uint32_t used = used_of(shape, vertex);
    uint32_t nearest = (uint32_t)((uint64_t)vertex * shape->joints / shape->vertices);
    float sum = 0;
    for (uint32_t i = 0; i < used; i++)
        sum += weights[i] = 1 / (float)(1 + i + vertex % 5 * i);
    for (uint32_t i = 0; i < used; i++) {
        joints[i] = (uint16_t)((nearest + i) % shape->joints);
        weights[i] /= sum;
    }
}

/* The arrays of a description, filled and to be freed. */
typedef struct arrays {
    float *positions, *normals, *tangents, *weights;
    uint16_t *joints;
} arrays;

static void write_vertex(const bench_shape *shape, const arrays *to, uint32_t vertex) {
    size_t i = vertex;
    float angle = 6.2831853f * (float)(vertex % 16) / 16;
    float along = 2 * (float)vertex / (float)shape->vertices;
    to->normals[3 * i] = cosf(angle);
    to->normals[3 * i + 2] = sinf(angle);
    to->positions[3 * i] = 0.2f * cosf(angle);
    to->positions[3 * i + 1] = along;
    to->positions[3 * i + 2] = 0.2f * sinf(angle);
    to->tangents[4 * i] = -sinf(angle);
    to->tangents[4 * i + 2] = cosf(angle);
    to->tangents[4 * i + 3] = 1;
    write_influences(shape, vertex, to->joints + i * shape->slots, to->weights + i * shape->slots);
}

bp_primitive *bench_primitive_make(const bench_shape *shape) {
    size_t count = shape->vertices;
    arrays a = {
        .positions = bench_allocate(count, 3 * sizeof(float)),
        .normals = bench_allocate(count, 3 * sizeof(float)),
        .tangents = bench_allocate(count, 4 * sizeof(float)),
        .weights = bench_allocate(count, shape->slots * sizeof(float)),
        .joints = bench_allocate(count, shape->slots * sizeof(uint16_t)),
    };
    for (uint32_t i = 0; i < shape->vertices; i++)
        write_vertex(shape, &a, i);
    /* What a target adds is the shape itself, scaled: as good as any for a clock. */
    bp_morph_target *targets = bench_allocate(shape->targets, sizeof *targets);
    for (uint32_t i = 0; i < shape->targets; i++)
        targets[i] = (bp_morph_target){
            .positions = a.positions, .normals = a.normals, .tangents = a.positions};
    bp_primitive *primitive;
    bp_error error;
    bp_primitive_desc desc = {
        .vertex_count = shape->vertices,
        .positions = a.positions,
        .normals = a.normals,
        .tangents = a.tangents,
        .influence_count = shape->slots,
        .joints = a.joints,
        .weights = a.weights,
        .joint_count = shape->joints,
        .topology = BP_TOPOLOGY_POINTS,
        .target_count = shape->targets,
        .targets = targets,
    };
    bench_check(bp_primitive_build(&primitive, &desc, &error), &error);
    free(a.positions);
    free(a.normals);
    free(a.tangents);
    free(a.weights);
    free(a.joints);
    free(targets);
    return primitive;
}
