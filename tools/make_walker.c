// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Makes assets/walker.glb: a small creature with four legs, a tail and antennae.
//
//   make_walker FILE.glb
//
// One skinned mesh of five primitives, 28 joints, weights in normalised bytes, tangents, two morph
// targets stored sparsely ("breathe", "blink"), and two clips: "walk" loops in one second; "look"
// turns the head with cubic splines, blinks in steps and lets the antennae swell for a moment.
// How it looks is in walker_body.c, how it moves in walker_motion.c.

#include "glb_writer.h"
#include "walker.h"

#include <stdio.h>

enum { NODE_MESH, NODE_FIRST_JOINT };
enum { WALK_STEPS = 16, WALK_KEYS = WALK_STEPS + 1 };

static const double rotation_steps = 4194304.0; // quaternions are stored on a grid of 2^-22
static const double weight_steps = 4096.0;

// ---- mesh, skin, nodes --------------------------------------------------------------------------

static void add_materials(glb_writer *writer) {
    static const struct {
        const char *name, *color, *rest;
    } materials[WALKER_MATERIAL_COUNT] = {
        {"coat", "[0.09,0.42,0.40,1]", "\"roughnessFactor\":0.55}"},
        {"cream", "[0.88,0.72,0.48,1]", "\"roughnessFactor\":0.6}"},
        {"accent", "[0.86,0.20,0.11,1]", "\"roughnessFactor\":0.5}"},
        {"eye", "[0.015,0.012,0.02,1]", "\"roughnessFactor\":0.15}"},
        {"sparkle", "[1,1,1,1]", "\"roughnessFactor\":0.5},\"emissiveFactor\":[0.8,0.8,0.8]"},
    };
    for (int i = 0; i < WALKER_MATERIAL_COUNT; i++) {
        glb_text json = {0};
        glb_text_format(&json,
                        "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":%s,"
                        "\"metallicFactor\":0,%s}",
                        materials[i].name, materials[i].color, materials[i].rest);
        glb_add(writer, GLB_MATERIALS, json.data);
        glb_text_free(&json);
    }
}

static void add_mesh(glb_writer *writer) {
    glb_text json = {0};
    glb_text_format(&json, "{\"name\":\"walker\",\"primitives\":[");
    for (int m = 0; m < WALKER_MATERIAL_COUNT; m++) {
        shape_surface surface = {0};
        walker_add_parts(&surface, (walker_material)m);
        const shape_format format = {
            .tangents = true,
            .byte_weights = true,
            .target_count = WALKER_TARGET_COUNT,
            .target = walker_target_of((walker_material)m),
        };
        glb_text_format(&json, m > 0 ? "," : "");
        shape_add_primitive(writer, &json, &surface, &format, (uint32_t)m);
        shape_free(&surface);
    }
    glb_text_format(&json, "],\"weights\":[0,0],\"extras\":{\"targetNames\":"
                           "[\"breathe\",\"blink\"]}}");
    glb_add(writer, GLB_MESHES, json.data);
    glb_text_free(&json);
}

// No joint is turned at binding, so each inverse bind matrix only moves the joint's origin to 0.
static void add_skin(glb_writer *writer) {
    float matrices[16 * WALKER_JOINT_COUNT] = {0};
    glb_text json = {0};
    glb_text_format(&json, "{\"name\":\"walker\",\"joints\":[");
    for (int j = 0; j < WALKER_JOINT_COUNT; j++) {
        vec3 origin = walker_bones()[j].origin;
        float *matrix = &matrices[16 * j];
        matrix[0] = matrix[5] = matrix[10] = matrix[15] = 1.0f;
        matrix[12] = on_grid(-origin.x, 256.0);
        matrix[13] = on_grid(-origin.y, 256.0);
        matrix[14] = on_grid(-origin.z, 256.0);
        glb_text_format(&json, "%s%d", j > 0 ? "," : "", NODE_FIRST_JOINT + j);
    }
    uint32_t accessor = glb_add_array(
        writer, &(glb_array){.type = "MAT4", .count = WALKER_JOINT_COUNT, .floats = matrices});
    glb_text_format(&json, "],\"inverseBindMatrices\":%u,\"skeleton\":%d}", (unsigned)accessor,
                    NODE_FIRST_JOINT);
    glb_add(writer, GLB_SKINS, json.data);
    glb_text_free(&json);
}

static void add_joint_node(glb_writer *writer, int joint) {
    const walker_bone *bones = walker_bones();
    glb_text json = {0};
    glb_text_format(&json, "{\"name\":\"%s\"", bones[joint].name);
    if (bones[joint].parent >= 0) {
        vec3 offset = vec3_sub(bones[joint].origin, bones[bones[joint].parent].origin);
        const float translation[3] = {on_grid(offset.x, 256.0), on_grid(offset.y, 256.0),
                                      on_grid(offset.z, 256.0)};
        glb_text_format(&json, ",\"translation\":");
        glb_text_floats(&json, translation, 3);
    }
    bool has_children = false;
    for (int child = joint + 1; child < WALKER_JOINT_COUNT; child++) {
        if (bones[child].parent == joint) {
            glb_text_format(&json, "%s%d", has_children ? "," : ",\"children\":[",
                            NODE_FIRST_JOINT + child);
            has_children = true;
        }
    }
    glb_text_format(&json, "%s}", has_children ? "]" : "");
    glb_add(writer, GLB_NODES, json.data);
    glb_text_free(&json);
}

static void add_nodes(glb_writer *writer) {
    glb_add(writer, GLB_NODES, "{\"name\":\"walker\",\"mesh\":0,\"skin\":0}");
    for (int j = 0; j < WALKER_JOINT_COUNT; j++) {
        add_joint_node(writer, j);
    }
    glb_add(writer, GLB_SCENES, "{\"name\":\"walker\",\"nodes\":[0,1]}");
}

// ---- clips --------------------------------------------------------------------------------------

// An animation that is being put together.
typedef struct walker_clip {
    glb_text channels, samplers;
    uint32_t count;
} walker_clip;

static uint32_t add_times(glb_writer *writer, const float *times, uint32_t count) {
    return glb_add_array(
        writer,
        &(glb_array){.type = "SCALAR", .count = count, .floats = times, .with_bounds = true});
}

static void add_channel(walker_clip *clip, int node, const char *path, uint32_t input,
                        uint32_t output, const char *interpolation) {
    const char *comma = clip->count > 0 ? "," : "";
    glb_text_format(&clip->channels, "%s{\"sampler\":%u,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                    comma, (unsigned)clip->count, node, path);
    glb_text_format(&clip->samplers, "%s{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}",
                    comma, (unsigned)input, (unsigned)output, interpolation);
    clip->count++;
}

static void end_clip(glb_writer *writer, walker_clip *clip, const char *name) {
    glb_text json = {0};
    glb_text_format(&json, "{\"name\":\"%s\",\"channels\":[%s],\"samplers\":[%s]}", name,
                    clip->channels.data, clip->samplers.data);
    glb_add(writer, GLB_ANIMATIONS, json.data);
    glb_text_free(&json);
    glb_text_free(&clip->channels);
    glb_text_free(&clip->samplers);
}

static void store_rotation(float out[4], quat rotation) {
    out[0] = on_grid(rotation.x, rotation_steps);
    out[1] = on_grid(rotation.y, rotation_steps);
    out[2] = on_grid(rotation.z, rotation_steps);
    out[3] = on_grid(rotation.w, rotation_steps);
}

static void add_walk(glb_writer *writer) {
    static walker_pose poses[WALK_KEYS];
    float times[WALK_KEYS], values[4 * WALK_KEYS];
    for (int k = 0; k < WALK_KEYS; k++) {
        times[k] = (float)k / WALK_STEPS;
        walker_walk(&poses[k], k, WALK_STEPS);
    }
    walker_clip walk = {0};
    uint32_t input = add_times(writer, times, WALK_KEYS);
    for (int j = WALKER_HIPS; j < WALKER_JOINT_COUNT; j++) {
        for (int k = 0; k < WALK_KEYS; k++) {
            store_rotation(&values[4 * k], poses[k].rotations[j]);
        }
        glb_array array = {.type = "VEC4", .count = WALK_KEYS, .floats = values};
        add_channel(&walk, NODE_FIRST_JOINT + j, "rotation", input, glb_add_array(writer, &array),
                    "LINEAR");
    }
    for (int k = 0; k < WALK_KEYS; k++) {
        vec3 hips = poses[k].translations[WALKER_HIPS];
        values[3 * k] = on_grid(hips.x, 65536.0);
        values[3 * k + 1] = on_grid(hips.y, 65536.0);
        values[3 * k + 2] = on_grid(hips.z, 65536.0);
    }
    glb_array array = {.type = "VEC3", .count = WALK_KEYS, .floats = values};
    add_channel(&walk, NODE_FIRST_JOINT + WALKER_HIPS, "translation", input,
                glb_add_array(writer, &array), "LINEAR");
    for (int k = 0; k < WALK_KEYS; k++) {
        for (int t = 0; t < WALKER_TARGET_COUNT; t++) {
            values[WALKER_TARGET_COUNT * k + t] = on_grid(poses[k].weights[t], weight_steps);
        }
    }
    array =
        (glb_array){.type = "SCALAR", .count = WALKER_TARGET_COUNT * WALK_KEYS, .floats = values};
    add_channel(&walk, NODE_MESH, "weights", input, glb_add_array(writer, &array), "LINEAR");
    end_clip(writer, &walk, "walk");
}

static quat slope(quat before, quat after, double seconds) {
    double scale = 1.0 / seconds;
    return (quat){(after.x - before.x) * scale, (after.y - before.y) * scale,
                  (after.z - before.z) * scale, (after.w - before.w) * scale};
}

// CUBICSPLINE: for each key an in-tangent, the value and an out-tangent. Tangents are changes per
// second, here those from the key before to the key after; the clip begins and ends at rest.
static void store_spline(float *out, const walker_pose *poses, int joint) {
    for (int k = 0; k < WALKER_LOOK_KEYS; k++) {
        quat tangent = {0};
        if (k > 0 && k + 1 < WALKER_LOOK_KEYS) {
            tangent = slope(poses[k - 1].rotations[joint], poses[k + 1].rotations[joint],
                            walker_look_time(k + 1) - walker_look_time(k - 1));
        }
        store_rotation(&out[12 * k], tangent);
        store_rotation(&out[12 * k + 4], poses[k].rotations[joint]);
        store_rotation(&out[12 * k + 8], tangent);
    }
}

static void add_look_turns(glb_writer *writer, walker_clip *look) {
    static walker_pose poses[WALKER_LOOK_KEYS];
    float times[WALKER_LOOK_KEYS], values[12 * WALKER_LOOK_KEYS];
    for (int k = 0; k < WALKER_LOOK_KEYS; k++) {
        times[k] = (float)walker_look_time(k);
        walker_look(&poses[k], k);
    }
    uint32_t input = add_times(writer, times, WALKER_LOOK_KEYS);
    static const int joints[] = {
        WALKER_NECK,
        WALKER_HEAD,
        WALKER_ANTENNA_LEFT,
        WALKER_ANTENNA_LEFT + 1,
        WALKER_ANTENNA_LEFT + 2,
        WALKER_ANTENNA_RIGHT,
        WALKER_ANTENNA_RIGHT + 1,
        WALKER_ANTENNA_RIGHT + 2,
    };
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        store_spline(values, poses, joints[i]);
        glb_array array = {.type = "VEC4", .count = 3 * WALKER_LOOK_KEYS, .floats = values};
        add_channel(look, NODE_FIRST_JOINT + joints[i], "rotation", input,
                    glb_add_array(writer, &array), "CUBICSPLINE");
    }
}

static void add_look(glb_writer *writer) {
    walker_clip look = {0};
    add_look_turns(writer, &look);

    // Blinks: the eyes are shut for an eighth of a second, and never half.
    static const float blink_times[] = {0, 0.625, 0.75, 2, 2.125, 2.25, 2.375};
    static const float blinks[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    glb_array array = {.type = "SCALAR", .count = 14, .floats = blinks};
    uint32_t input = add_times(writer, blink_times, 7);
    uint32_t output = glb_add_array(writer, &array);
    add_channel(&look, NODE_MESH, "weights", input, output, "STEP");

    static const float swell_times[] = {0.5, 0.75, 1.25};
    static const float swells[] = {1, 1, 1, 1.5, 1.5, 1.5, 1, 1, 1};
    array = (glb_array){.type = "VEC3", .count = 3, .floats = swells};
    input = add_times(writer, swell_times, 3);
    output = glb_add_array(writer, &array);
    add_channel(&look, NODE_FIRST_JOINT + WALKER_ANTENNA_LEFT + 2, "scale", input, output,
                "LINEAR");
    add_channel(&look, NODE_FIRST_JOINT + WALKER_ANTENNA_RIGHT + 2, "scale", input, output,
                "LINEAR");
    end_clip(writer, &look, "look");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.glb\n", argc > 0 ? argv[0] : "make_walker");
        return 2;
    }
    glb_writer writer = {
        .generator = "bindpose make_walker",
        .copyright = "CC0 1.0, the bindpose authors",
    };
    add_materials(&writer);
    add_mesh(&writer);
    add_skin(&writer);
    add_nodes(&writer);
    add_walk(&writer);
    add_look(&writer);
    bool written = glb_write(&writer, argv[1]);
    glb_free(&writer);
    return written ? 0 : 2;
}
