// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// A rig without a file: an arm of two joints, and a freckle on its forearm.
//
// The shoulder is at the origin, the elbow at (2, 0). The freckle sits at (5, 0) and is glued to
// the elbow, three metres down the bone. In the bind pose it stays where it is. When the elbow
// turns by a quarter, it swings to (2, 3). docs/skinning.md has the same numbers, by hand.

#include <bindpose/bindpose.h>

#include <math.h>
#include <stdio.h>

enum { SHOULDER, ELBOW, JOINT_COUNT };

static int failures = 0;

static void expect(const char *what, bp_vec3 point, float x, float y) {
    bool right = fabsf(point.x - x) < 1e-4f && fabsf(point.y - y) < 1e-4f;
    printf("%-38s (%g, %g)%s\n", what, (double)point.x, (double)point.y, right ? "" : "  WRONG");
    failures += !right;
}

// The current place of a vertex that follows one joint alone.
static bp_vec3 skinned(const bp_skin *skin, const bp_pose *pose, bp_vec3 vertex) {
    bp_mat34 palette[JOINT_COUNT];
    bp_palette_build(palette, skin, pose);
    return bp_mat34_point(&palette[ELBOW], vertex);
}

static void turn_elbow(bp_pose *pose) {
    const bp_skeleton *skeleton = bp_pose_skeleton(pose);
    uint32_t elbow = (uint32_t)bp_skeleton_find(skeleton, "elbow", NULL);
    bp_transform local = skeleton->rest[elbow];
    local.rotation = (bp_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f}; // a quarter turn about +z
    bp_pose_set_local(pose, elbow, local);
    bp_pose_update(pose);
}

// One inverse bind matrix a joint, column-major: each takes a vertex from where it was bound into
// the space of its joint. The elbow was bound at (2, 0), so its matrix moves by (-2, 0).
static const float inverse_bind_matrices[16 * JOINT_COUNT] = {
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1, // shoulder
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1, // elbow
};

static void plain_arm(const bp_skeleton *skeleton, bp_pose *pose) {
    const uint32_t joints[JOINT_COUNT] = {SHOULDER, ELBOW}; // as node indices
    bp_skin *skin;
    bp_skin_desc desc = {.joint_count = JOINT_COUNT,
                         .joints = joints,
                         .inverse_bind_matrices = inverse_bind_matrices};
    if (bp_skin_build(&skin, skeleton, &desc, NULL) != BP_OK) {
        failures++;
        return;
    }
    const bp_vec3 freckle = {5.0f, 0.0f, 0.0f};
    bp_pose_reset(pose);
    bp_pose_update(pose);
    expect("the freckle in the elbow's space",
           bp_mat34_point(&skin->joint_from_mesh[ELBOW], freckle), 3.0f, 0.0f);
    expect("in the bind pose", skinned(skin, pose, freckle), 5.0f, 0.0f);
    turn_elbow(pose);
    expect("with the elbow at a quarter turn", skinned(skin, pose, freckle), 2.0f, 3.0f);
    bp_skin_destroy(skin);
}

// The same arm with a mesh modelled in centimetres, so that it was bound at a scale of 1/100. Its
// freckle is at (500, 0) in the mesh; skinned, it must be where the metric one is.
static void arm_in_centimetres(const bp_skeleton *skeleton, bp_pose *pose) {
    const uint32_t joints[JOINT_COUNT] = {SHOULDER, ELBOW};
    const float bind_shape[16] = {0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 0.01f, 0, 0, 0, 0, 1};
    bp_skin *skin;
    bp_skin_desc desc = {.joint_count = JOINT_COUNT,
                         .joints = joints,
                         .inverse_bind_matrices = inverse_bind_matrices,
                         .bind_shape_matrix = bind_shape};
    if (bp_skin_build(&skin, skeleton, &desc, NULL) != BP_OK) {
        failures++;
        return;
    }
    const bp_vec3 freckle = {500.0f, 0.0f, 0.0f};
    turn_elbow(pose);
    expect("modelled in centimetres", skinned(skin, pose, freckle), 2.0f, 3.0f);

    // A renderer that draws the mesh with the bind shape as its own transform would apply the
    // scale twice. Its inverse in the palette cancels that: the vertex stays in mesh space, and the
    // renderer's transform then takes it to the scene.
    bp_mat34 mesh_from_global, palette[JOINT_COUNT];
    bp_mat34_inverse(&mesh_from_global, &skin->bind_shape);
    bp_palette_run(&(bp_palette_job){
        .skin = skin, .pose = pose, .matrices = palette, .mesh_from_global = &mesh_from_global});
    expect("and drawn with a transform of its own", bp_mat34_point(&palette[ELBOW], freckle),
           200.0f, 300.0f);
    bp_skin_destroy(skin);
}

int main(void) {
    // Parents come before their children; -1 is a root. The rest pose: the elbow 2 m from the
    // shoulder. Labels are optional, and are how bp_skeleton_find finds a node.
    const int32_t parents[JOINT_COUNT] = {-1, SHOULDER};
    const char *const labels[JOINT_COUNT] = {"shoulder", "elbow"};
    bp_transform rest[JOINT_COUNT] = {bp_transform_identity(), bp_transform_identity()};
    rest[ELBOW].translation.x = 2.0f;

    bp_skeleton *skeleton;
    bp_error error;
    bp_skeleton_desc desc = {
        .node_count = JOINT_COUNT, .parents = parents, .rest = rest, .labels = labels};
    if (bp_skeleton_build(&skeleton, &desc, &error) != BP_OK) {
        char text[640];
        bp_error_format(text, sizeof text, &error);
        fprintf(stderr, "%s\n", text);
        return 2;
    }
    bp_pose *pose = bp_pose_create(skeleton, NULL);
    if (pose) {
        plain_arm(skeleton, pose);
        arm_in_centimetres(skeleton, pose);
    }
    bool done = pose && failures == 0;
    bp_pose_destroy(pose);
    bp_skeleton_destroy(skeleton);
    return done ? 0 : 1;
}
