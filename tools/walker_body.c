// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// How the walker looks: its joints, and the parts of each material around them. Parts are closed
// and reach into one another. What comes in pairs is made on the left and mirrored.

#include "walker.h"

static const vec3 x_axis = {1.0, 0.0, 0.0};

// ---- joints -------------------------------------------------------------------------------------

// Origins in 1/256 m; see walker_bones.
#define AT(x, y, z)                                                                                \
    { (x) / 256.0, (y) / 256.0, (z) / 256.0 }

// The three joints of a leg under `trunk`: the knee `bend` before the line from hip to ankle.
#define LEG(name, trunk, first, x, z, bend)                                                        \
    {name "_upper", trunk, AT(x, 106, z)}, {name "_lower", first, AT(x, 62, (z) + (bend))}, {      \
        name "_foot", first + 1, AT(x, 18, z)                                                      \
    }

const walker_bone *walker_bones(void) {
    static const walker_bone bones[WALKER_JOINT_COUNT] = {
        {"root", -1, AT(0, 0, 0)},
        {"hips", WALKER_ROOT, AT(0, 132, -58)},
        {"spine", WALKER_HIPS, AT(0, 138, -10)},
        {"chest", WALKER_SPINE, AT(0, 136, 40)},
        {"neck", WALKER_CHEST, AT(0, 160, 88)},
        {"head", WALKER_NECK, AT(0, 184, 116)},
        {"tail_1", WALKER_HIPS, AT(0, 142, -106)},
        {"tail_2", WALKER_TAIL, AT(0, 152, -138)},
        {"tail_3", WALKER_TAIL + 1, AT(0, 176, -160)},
        {"tail_4", WALKER_TAIL + 2, AT(0, 204, -166)},
        {"antenna_left_1", WALKER_HEAD, AT(24, 248, 126)},
        {"antenna_left_2", WALKER_ANTENNA_LEFT, AT(34, 276, 128)},
        {"antenna_left_3", WALKER_ANTENNA_LEFT + 1, AT(50, 298, 138)},
        {"antenna_right_1", WALKER_HEAD, AT(-24, 248, 126)},
        {"antenna_right_2", WALKER_ANTENNA_RIGHT, AT(-34, 276, 128)},
        {"antenna_right_3", WALKER_ANTENNA_RIGHT + 1, AT(-50, 298, 138)},
        LEG("rear_left", WALKER_HIPS, WALKER_REAR_LEFT, 44, -62, 12),
        LEG("rear_right", WALKER_HIPS, WALKER_REAR_RIGHT, -44, -62, 12),
        LEG("front_left", WALKER_CHEST, WALKER_FRONT_LEFT, 42, 52, -12),
        LEG("front_right", WALKER_CHEST, WALKER_FRONT_RIGHT, -42, 52, -12),
    };
    return bones;
}

static const uint8_t *mirror_joints(void) {
    static uint8_t mirror[WALKER_JOINT_COUNT];
    for (uint8_t j = 0; j < WALKER_JOINT_COUNT; j++) {
        mirror[j] = j;
    }
    static const uint8_t left[] = {WALKER_ANTENNA_LEFT, WALKER_REAR_LEFT, WALKER_FRONT_LEFT};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            mirror[left[i] + k] = (uint8_t)(left[i] + 3 + k);
        }
    }
    return mirror;
}

static vec3 origin_of(int joint) {
    return walker_bones()[joint].origin;
}

// ---- binding ------------------------------------------------------------------------------------

static void bind_to(shape_surface *surface, shape_part part, uint8_t joint) {
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        shape_bind(&surface->vertices[v], &(shape_influence){joint, 1.0}, 1);
    }
}

// `most` at the origin of a joint, falling to 0 at the distance `reach`.
static shape_influence influence_near(const shape_vertex *vertex, uint8_t joint, double most,
                                      double reach) {
    double distance = vec3_length(vec3_sub(vertex->position, origin_of(joint)));
    return (shape_influence){joint, most * (1.0 - smooth_step(0.0, reach, distance))};
}

// The trunk follows hips, spine and chest along its length; near a leg or the neck those pull too.
static void bind_trunk(shape_vertex *vertex) {
    double z = vertex->position.z;
    double spine = smooth_step(-0.32, 0.08, z), chest = smooth_step(-0.10, 0.26, z);
    shape_influence influences[] = {
        {WALKER_HIPS, 1.0 - spine},
        {WALKER_SPINE, spine - chest},
        {WALKER_CHEST, chest},
        influence_near(vertex, WALKER_NECK, 0.7, 0.22),
        influence_near(vertex, WALKER_TAIL, 0.5, 0.14),
        influence_near(vertex, WALKER_REAR_LEFT, 0.45, 0.22),
        influence_near(vertex, WALKER_REAR_RIGHT, 0.45, 0.22),
        influence_near(vertex, WALKER_FRONT_LEFT, 0.45, 0.22),
        influence_near(vertex, WALKER_FRONT_RIGHT, 0.45, 0.22),
    };
    shape_bind(vertex, influences, sizeof influences / sizeof influences[0]);
}

// ---- parts --------------------------------------------------------------------------------------

static void add_trunk(shape_surface *surface) {
    enum { RINGS = 15, SEGMENTS = 20 };
    shape_ring rings[RINGS];
    for (int i = 0; i < RINGS; i++) {
        // An egg on its side, its thick end behind.
        double turns = 0.5 * i / (RINGS - 1);
        double forward = -turn_cos(turns);
        double round = i == 0 || i == RINGS - 1 ? 0.0 : turn_sin(turns) * (1.0 - 0.10 * forward);
        rings[i] = (shape_ring){
            .centre = {0.0, 0.51 + 0.035 * forward * forward, -0.03 + 0.43 * forward},
            .u = {0.24 * round, 0.0, 0.0},
            .v = {0.0, 0.235 * round, 0.0},
        };
    }
    shape_part part = shape_add_loft(surface, rings, RINGS, SEGMENTS);
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        shape_vertex *vertex = &surface->vertices[v];
        bind_trunk(vertex);
        // Breathing in widens the belly, most at its middle, not at all at its ends.
        double z = vertex->position.z;
        double swell = smooth_step(-0.40, -0.10, z) * (1.0 - smooth_step(0.10, 0.34, z));
        vertex->delta = vec3_scale(vertex->normal, 0.02 * swell);
    }
}

static void add_head(shape_surface *surface) {
    static const shape_station neck[] = {
        {{0.0, 0.55, 0.24}, 0.135}, {{0.0, 0.65, 0.36}, 0.12}, {{0.0, 0.76, 0.46}, 0.11}};
    static const uint8_t joints[] = {WALKER_CHEST, WALKER_NECK, WALKER_HEAD};
    static const double starts[] = {0.0, 0.5, 1.4};
    shape_part part = shape_add_tube(surface, neck, 3, 2, 14, x_axis);
    shape_bind_chain(surface, part, joints, starts, 3, 0.4);

    vec3 centre = {0.0, 0.80, 0.50}, half_axes = {0.245, 0.215, 0.22};
    bind_to(surface, shape_add_ellipsoid(surface, centre, half_axes, 11, 20), WALKER_HEAD);
}

static void add_tail(shape_surface *surface) {
    static const shape_station stations[] = {{{0.0, 0.53, -0.38}, 0.085},
                                             {{0.0, 0.575, -0.50}, 0.066},
                                             {{0.0, 0.66, -0.60}, 0.054},
                                             {{0.0, 0.78, -0.645}, 0.044},
                                             {{0.0, 0.89, -0.62}, 0.036}};
    static const uint8_t joints[] = {WALKER_HIPS, WALKER_TAIL, WALKER_TAIL + 1, WALKER_TAIL + 2,
                                     WALKER_TAIL + 3};
    static const double starts[] = {0.0, 0.3, 1.35, 2.2, 3.1};
    shape_part part = shape_add_tube(surface, stations, 5, 3, 10, x_axis);
    shape_bind_chain(surface, part, joints, starts, 5, 0.45);
}

static void add_antennae(shape_surface *surface) {
    static const shape_station stations[] = {{{0.085, 0.94, 0.49}, 0.026},
                                             {{0.13, 1.08, 0.50}, 0.021},
                                             {{0.195, 1.165, 0.54}, 0.018},
                                             {{0.262, 1.20, 0.59}, 0.017}};
    static const uint8_t joints[] = {WALKER_HEAD, WALKER_ANTENNA_LEFT, WALKER_ANTENNA_LEFT + 1,
                                     WALKER_ANTENNA_LEFT + 2};
    static const double starts[] = {0.0, 0.25, 1.0, 2.0};
    static const vec3 z_axis = {0.0, 0.0, 1.0};
    shape_part part = shape_add_tube(surface, stations, 4, 3, 8, z_axis);
    shape_bind_chain(surface, part, joints, starts, 4, 0.3);
    shape_add_mirrored(surface, part, mirror_joints());
}

// A leg from inside the trunk to the ankle, on the left, and its mirror image.
static void add_legs(shape_surface *surface, uint8_t trunk, uint8_t leg) {
    vec3 hip = origin_of(leg), knee = origin_of(leg + 1), ankle = origin_of(leg + 2);
    const shape_station stations[] = {
        {{hip.x - 0.03, hip.y + 0.06, hip.z}, 0.105},
        {vec3_mix(hip, knee, 0.35), 0.100},
        {vec3_mix(knee, vec3_mix(hip, ankle, 0.5), 0.3), 0.080},
        {vec3_mix(knee, ankle, 0.5), 0.072},
        {{ankle.x, ankle.y + 0.005, ankle.z}, 0.066},
    };
    const uint8_t joints[] = {trunk, leg, (uint8_t)(leg + 1), (uint8_t)(leg + 2)};
    static const double starts[] = {0.0, 0.45, 2.0, 3.6};
    shape_part part = shape_add_tube(surface, stations, 5, 3, 10, x_axis);
    shape_bind_chain(surface, part, joints, starts, 4, 0.5);
    shape_add_mirrored(surface, part, mirror_joints());
}

static void add_coat(shape_surface *surface) {
    add_trunk(surface);
    add_head(surface);
    add_tail(surface);
    add_antennae(surface);
    add_legs(surface, WALKER_HIPS, WALKER_REAR_LEFT);
    add_legs(surface, WALKER_CHEST, WALKER_FRONT_LEFT);
}

static void add_cream(shape_surface *surface) {
    vec3 muzzle = {0.0, 0.745, 0.665}, muzzle_axes = {0.125, 0.09, 0.10};
    bind_to(surface, shape_add_ellipsoid(surface, muzzle, muzzle_axes, 7, 16), WALKER_HEAD);
    static const uint8_t legs[] = {WALKER_REAR_LEFT, WALKER_FRONT_LEFT};
    for (int i = 0; i < 2; i++) {
        uint8_t foot = (uint8_t)(legs[i] + 2);
        vec3 centre = origin_of(foot);
        centre.y = 0.0546875;
        centre.z += 0.035;
        vec3 half_axes = {0.088, 0.0546875, 0.118};
        shape_part part = shape_add_ellipsoid(surface, centre, half_axes, 7, 12);
        bind_to(surface, part, foot);
        shape_add_mirrored(surface, part, mirror_joints());
    }
}

// A ring of cloth around the neck, square to the line from chest to head.
static void add_scarf(shape_surface *surface) {
    enum { RINGS = 7, SEGMENTS = 16 };
    vec3 up = vec3_normalize((vec3){0.0, 0.64, 0.77});
    vec3 back = vec3_cross(x_axis, up), middle = {0.0, 0.628, 0.335};
    shape_ring rings[RINGS];
    for (int i = 0; i < RINGS; i++) {
        double turns = 0.5 * i / (RINGS - 1);
        double wide = i == 0 || i == RINGS - 1 ? 0.0 : 0.165 * turn_sin(turns);
        rings[i] = (shape_ring){
            .centre = vec3_add(middle, vec3_scale(up, -0.052 * turn_cos(turns))),
            .u = vec3_scale(x_axis, wide),
            .v = vec3_scale(back, -wide),
        };
    }
    bind_to(surface, shape_add_loft(surface, rings, RINGS, SEGMENTS), WALKER_NECK);
}

static void add_accents(shape_surface *surface) {
    add_scarf(surface);
    vec3 nose = {0.0, 0.785, 0.755}, nose_axes = {0.042, 0.032, 0.03};
    bind_to(surface, shape_add_ellipsoid(surface, nose, nose_axes, 5, 10), WALKER_HEAD);
    vec3 tip = {0.0, 0.93, -0.605}, tip_axes = {0.058, 0.058, 0.058};
    bind_to(surface, shape_add_ellipsoid(surface, tip, tip_axes, 6, 12), WALKER_TAIL + 3);
    vec3 bobble = {0.288, 1.213, 0.61}, bobble_axes = {0.046, 0.046, 0.046};
    shape_part part = shape_add_ellipsoid(surface, bobble, bobble_axes, 6, 12);
    bind_to(surface, part, WALKER_ANTENNA_LEFT + 2);
    shape_add_mirrored(surface, part, mirror_joints());
}

// To shut an eye is to squash it to a line at the height of its middle. Its sparkle sinks in.
static const double eye_height = 0.845;

static void add_shutting(shape_surface *surface, double sinking) {
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        shape_vertex *vertex = &surface->vertices[v];
        vertex->delta = (vec3){0.0, -0.9 * (vertex->position.y - eye_height), -sinking};
    }
}

static void add_eyes(shape_surface *surface) {
    vec3 centre = {0.108, eye_height, 0.672}, half_axes = {0.05, 0.066, 0.036};
    shape_part part = shape_add_ellipsoid(surface, centre, half_axes, 8, 14);
    bind_to(surface, part, WALKER_HEAD);
    shape_add_mirrored(surface, part, mirror_joints());
    add_shutting(surface, 0.0);
}

// The light comes from one side, so these are not mirrored.
static void add_sparkles(shape_surface *surface) {
    vec3 half_axes = {0.015, 0.018, 0.012};
    for (int side = -1; side <= 1; side += 2) {
        vec3 centre = {0.108 * side - 0.014, eye_height + 0.024, 0.70};
        bind_to(surface, shape_add_ellipsoid(surface, centre, half_axes, 4, 8), WALKER_HEAD);
    }
    add_shutting(surface, 0.06);
}

walker_target walker_target_of(walker_material material) {
    return material == WALKER_EYE || material == WALKER_SPARKLE ? WALKER_BLINK : WALKER_BREATHE;
}

void walker_add_parts(shape_surface *surface, walker_material material) {
    static void (*const add[WALKER_MATERIAL_COUNT])(shape_surface *) = {
        add_coat, add_cream, add_accents, add_eyes, add_sparkles};
    add[material](surface);
}
