// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// How the walker moves.
//
// The trunk swings by a few sines. Each foot is put where the gait wants it, on the ground for the
// larger part of the round and in an arc for the rest, and the leg above it follows: two bones and
// a foot, solved in closed form (the law of cosines) so that no foot slides or sinks, whatever the
// trunk does.

#include "walker.h"

#include <math.h>

static const vec3 x_axis = {1.0, 0.0, 0.0};
static const vec3 y_axis = {0.0, 1.0, 0.0};
static const vec3 z_axis = {0.0, 0.0, 1.0};

// ---- forward ------------------------------------------------------------------------------------

typedef struct joint_place {
    vec3 origin;
    quat rotation;
} joint_place;

static void rest(walker_pose *pose) {
    const walker_bone *bones = walker_bones();
    *pose = (walker_pose){0};
    for (int j = 0; j < WALKER_JOINT_COUNT; j++) {
        int parent = bones[j].parent;
        pose->translations[j] =
            parent < 0 ? bones[j].origin : vec3_sub(bones[j].origin, bones[parent].origin);
        pose->rotations[j] = (quat){0.0, 0.0, 0.0, 1.0};
    }
}

static joint_place place_of(const walker_pose *pose, int joint) {
    int parent = walker_bones()[joint].parent;
    if (parent < 0) {
        return (joint_place){pose->translations[joint], pose->rotations[joint]};
    }
    joint_place above = place_of(pose, parent);
    return (joint_place){
        vec3_add(above.origin, quat_rotate(above.rotation, pose->translations[joint])),
        quat_mul(above.rotation, pose->rotations[joint]),
    };
}

// ---- legs ---------------------------------------------------------------------------------------

// The turn about `axis` by an angle of which cosine and sine are known, up to a common factor. The
// angle is less than half a turn, so that the half angle is where 1 and the angle meet.
static quat turn_of(vec3 axis, double cosine, double sine) {
    double length = sqrt(cosine * cosine + sine * sine);
    double across = 1.0 + cosine / length, up = sine / length;
    double scale = 1.0 / sqrt(across * across + up * up);
    return (quat){axis.x * up * scale, axis.y * up * scale, axis.z * up * scale, across * scale};
}

// The turn about x that takes the direction of `from` to that of `to`; both are square to x.
static quat turn_about_x(vec3 from, vec3 to) {
    return turn_of(x_axis, from.y * to.y + from.z * to.z, from.y * to.z - from.z * to.y);
}

// Where the knee goes when the ankle is at `ankle` and the hip at the origin, all in the plane
// x = 0. `bend` is +1 for a knee that points forward, -1 for one that points back.
static vec3 knee_for(vec3 ankle, double upper, double lower, double bend) {
    double distance = vec3_length(ankle);
    double along = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
    double aside = sqrt(upper * upper - along * along) * bend;
    vec3 forward = {0.0, ankle.z / distance, -ankle.y / distance};
    return vec3_add(vec3_scale(ankle, along / distance), vec3_scale(forward, aside));
}

// Turns the three joints of the leg that begins at `leg` so that its foot joint comes to `target`,
// in mesh space, with the foot pitched by `pitch` turns (positive: toes down).
static void put_foot(walker_pose *pose, int leg, vec3 target, double pitch) {
    joint_place trunk = place_of(pose, walker_bones()[leg].parent);
    vec3 hip = place_of(pose, leg).origin;
    vec3 thigh = pose->translations[leg + 1], shin = pose->translations[leg + 2];
    double upper = vec3_length(thigh), lower = vec3_length(shin);

    // First the leg swings sideways, about z, into the plane in which the target lies …
    vec3 ankle = quat_rotate(quat_conjugate(trunk.rotation), vec3_sub(target, hip));
    quat sideways = turn_of(z_axis, -ankle.y, ankle.x);
    ankle = quat_rotate(quat_conjugate(sideways), ankle);
    double reach = vec3_length(ankle) / (0.999 * (upper + lower));
    ankle = vec3_scale(ankle, reach > 1.0 ? 1.0 / reach : 1.0);

    // … then thigh and shin turn in that plane, about x.
    vec3 knee = knee_for(ankle, upper, lower, thigh.z > 0.0 ? 1.0 : -1.0);
    quat thigh_turn = turn_about_x(thigh, knee);
    quat shin_turn = turn_about_x(shin, vec3_sub(ankle, knee));
    pose->rotations[leg] = quat_mul(sideways, thigh_turn);
    pose->rotations[leg + 1] = quat_mul(quat_conjugate(thigh_turn), shin_turn);

    quat above = place_of(pose, leg + 1).rotation;
    pose->rotations[leg + 2] = quat_mul(quat_conjugate(above), quat_turn(x_axis, pitch));
}

// One foot's part of the round. `phase` 0 is the moment it touches the ground in front.
static void step_foot(walker_pose *pose, int leg, double phase) {
    static const double on_ground = 0.625, half_stride = 0.11, height = 0.075;
    phase -= floor(phase);
    vec3 foot = walker_bones()[leg + 2].origin;
    double pitch = 0.0;
    if (phase < on_ground) {
        foot.z += half_stride * (1.0 - 2.0 * phase / on_ground);
    } else {
        double swing = (phase - on_ground) / (1.0 - on_ground);
        double arc = turn_sin(0.5 * swing);
        foot.z += half_stride * (2.0 * smooth_step(0.0, 1.0, swing) - 1.0);
        foot.y += height * arc;
        pitch = 0.11 * arc * (1.0 - 1.7 * swing);
    }
    put_foot(pose, leg, foot, pitch);
}

// ---- clips --------------------------------------------------------------------------------------

static quat turned(double pitch, double yaw, double roll) {
    return quat_mul(quat_turn(y_axis, yaw),
                    quat_mul(quat_turn(x_axis, pitch), quat_turn(z_axis, roll)));
}

// Sines that go round once or twice in a round of walking; later joints of a chain lag behind.
static void swing_trunk(walker_pose *pose, double round) {
    double once = turn_sin(round), twice = turn_cos(2.0 * round + 0.1);
    pose->translations[WALKER_HIPS].y += 0.011 * twice - 0.024;
    pose->translations[WALKER_HIPS].x += 0.014 * once;
    pose->rotations[WALKER_HIPS] = turned(0.004 * twice, 0.012 * turn_cos(round), 0.010 * once);
    pose->rotations[WALKER_SPINE] = turned(-0.006 * twice, -0.014 * turn_cos(round), -0.008 * once);
    pose->rotations[WALKER_CHEST] = turned(0.004 * twice, -0.010 * turn_cos(round), -0.006 * once);
    pose->rotations[WALKER_NECK] = turned(-0.012 * twice, 0.008 * turn_cos(round), 0.0);
    pose->rotations[WALKER_HEAD] = turned(0.010 * turn_cos(2.0 * round), 0.006 * turn_cos(round),
                                          0.012 * turn_sin(round + 0.1));
}

static void swing_tail(walker_pose *pose, double round) {
    for (int i = 0; i < 4; i++) {
        double lag = 0.09 * i;
        pose->rotations[WALKER_TAIL + i] =
            turned(0.008 * turn_cos(2.0 * (round - lag)), 0.030 * turn_cos(round - lag + 0.1), 0.0);
    }
}

static void swing_antennae(walker_pose *pose, double round) {
    for (int i = 0; i < 3; i++) {
        double nod = 0.022 * turn_cos(2.0 * round - 0.2 - 0.12 * i);
        double sway = 0.012 * turn_sin(round - 0.1 * i);
        pose->rotations[WALKER_ANTENNA_LEFT + i] = turned(nod, 0.0, sway);
        pose->rotations[WALKER_ANTENNA_RIGHT + i] = turned(nod, 0.0, sway);
    }
}

void walker_walk(walker_pose *pose, int step, int steps) {
    // The last step is the first again, to the bit, so that the clip loops without a seam.
    double round = (double)(step % steps) / steps;
    rest(pose);
    swing_trunk(pose, round);
    swing_tail(pose, round);
    swing_antennae(pose, round);
    // A walk of four beats: each hind foot, then the fore foot of its side.
    step_foot(pose, WALKER_REAR_LEFT, round);
    step_foot(pose, WALKER_FRONT_LEFT, round - 0.25);
    step_foot(pose, WALKER_REAR_RIGHT, round - 0.5);
    step_foot(pose, WALKER_FRONT_RIGHT, round - 0.75);
    pose->weights[WALKER_BREATHE] = 0.5 - 0.5 * turn_cos(round);
}

// Pitch, yaw and roll of the head, and how far the antennae are raised, in turns.
static const struct look_key {
    double time, pitch, yaw, roll, raised;
} look_keys[WALKER_LOOK_KEYS] = {
    {0.00, 0.000, 0.00, 0.00, 0.000},   {0.50, -0.020, 0.10, 0.03, 0.022},
    {1.25, -0.025, 0.11, 0.05, 0.014},  {1.75, 0.010, -0.08, -0.01, -0.020},
    {2.25, 0.015, -0.10, -0.04, 0.022}, {2.75, 0.000, 0.01, 0.00, -0.010},
    {3.00, 0.000, 0.00, 0.00, 0.000},
};

double walker_look_time(int key) {
    return look_keys[key].time;
}

void walker_look(walker_pose *pose, int key) {
    const struct look_key *look = &look_keys[key];
    rest(pose);
    pose->rotations[WALKER_NECK] = turned(0.4 * look->pitch, 0.4 * look->yaw, 0.2 * look->roll);
    pose->rotations[WALKER_HEAD] = turned(look->pitch, 0.6 * look->yaw, look->roll);
    for (int i = 0; i < 3; i++) {
        pose->rotations[WALKER_ANTENNA_LEFT + i] = turned(-look->raised, 0.0, look->raised);
        pose->rotations[WALKER_ANTENNA_RIGHT + i] = turned(-look->raised, 0.0, -look->raised);
    }
}
