// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Makes assets/arm.glb: the arm of the worked example in docs/skinning.md.
//
//   make_arm FILE.glb
//
// The shoulder is at the origin, the elbow at (2, 0, 0), and the forearm lies along +x. A freckle
// on it sits at (5, 0, 0), three metres down the bone from the elbow. The clip "bend" turns the
// elbow by a quarter about +z until 1 s, which takes the freckle to (2, 3, 0), and back until 2 s.
//
// The arm lies behind the plane z = 0 and almost touches it, so that joints and freckle, which are
// in that plane, are seen on its front.

#include "glb_writer.h"
#include "shape.h"

#include <math.h>
#include <stdio.h>

enum { SHOULDER, ELBOW, JOINT_COUNT };
enum { NODE_SHOULDER, NODE_ELBOW, NODE_MESH };

static const double elbow_x = 2.0;
static const double elbow_reach = 0.5; // the skin blends from 1.5 to 2.5
static const double freckle_x = 5.0;
static const double skin_depth = 0.015625; // of the arm's front behind the plane z = 0

// The radius of the arm along its length: a rounded shoulder, muscles, the wrist, a mitten.
typedef struct profile_point {
    double x, radius;
} profile_point;

static const profile_point profile[] = {
    {-0.55, 0.0},  {-0.5, 0.2},    {-0.375, 0.37}, {-0.125, 0.5}, {0.25, 0.54},   {0.75, 0.53},
    {1.25, 0.48},  {1.5, 0.45},    {1.625, 0.435}, {1.75, 0.425}, {1.875, 0.42},  {2.0, 0.42},
    {2.125, 0.42}, {2.25, 0.425},  {2.375, 0.43},  {2.5, 0.44},   {2.75, 0.455},  {3.125, 0.46},
    {3.625, 0.43}, {4.125, 0.37},  {4.625, 0.31},  {5.0, 0.275},  {5.25, 0.26},   {5.4375, 0.28},
    {5.625, 0.32}, {5.8125, 0.34}, {6.0, 0.325},   {6.125, 0.28}, {6.21875, 0.2}, {6.25, 0.0},
};
enum { PROFILE_COUNT = sizeof profile / sizeof profile[0] };

// The arm's radius at `x`, linear between the points of the profile.
static double radius_at(double x) {
    int i = 1;
    while (i < PROFILE_COUNT - 1 && profile[i].x < x) {
        i++;
    }
    double t = (x - profile[i - 1].x) / (profile[i].x - profile[i - 1].x);
    return profile[i - 1].radius + t * (profile[i].radius - profile[i - 1].radius);
}

// Binds by x alone: to the shoulder before the elbow, to the elbow after it, and in a straight
// blend between.
static void bind_arm(shape_surface *surface) {
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        double x = surface->vertices[v].position.x;
        double elbow = (x - (elbow_x - elbow_reach)) / (2.0 * elbow_reach);
        elbow = elbow < 0.0 ? 0.0 : elbow > 1.0 ? 1.0 : elbow;
        shape_influence influences[] = {{SHOULDER, 1.0 - elbow}, {ELBOW, elbow}};
        shape_bind(&surface->vertices[v], influences, 2);
    }
}

static void make_arm(shape_surface *surface) {
    shape_ring rings[PROFILE_COUNT];
    for (int i = 0; i < PROFILE_COUNT; i++) {
        double radius = profile[i].radius;
        rings[i] = (shape_ring){
            // The ends are round: their poles lie in the middle of the ring beside them.
            .centre = {profile[i].x, 0.0, -skin_depth - radius_at(profile[i].x)},
            .u = {0.0, radius, 0.0},
            .v = {0.0, 0.0, radius},
        };
    }
    rings[0].centre.z = rings[1].centre.z;
    rings[PROFILE_COUNT - 1].centre.z = rings[PROFILE_COUNT - 2].centre.z;
    shape_add_loft(surface, rings, PROFILE_COUNT, 16);
    bind_arm(surface);
}

// How far the arm's front is behind the plane z = 0 beside the freckle.
static double depth_beside_freckle(double y) {
    double radius = radius_at(freckle_x);
    return skin_depth + radius - sqrt(radius * radius - y * y);
}

// A flat dome whose top, vertex 0, is the point of the worked example. It follows the arm's
// roundness, and its rim is inside the arm.
static void make_freckle(shape_surface *surface) {
    enum { SEGMENTS = 12 };
    const shape_ring rings[] = {
        {.centre = {freckle_x, 0.0, 0.0}, .along = skin_depth},
        {{freckle_x, 0.0, 0.0}, {0.09375, 0.0, 0.0}, {0.0, -0.09375, 0.0}, 0.0078125},
        {{freckle_x, 0.0, 0.0}, {0.140625, 0.0, 0.0}, {0.0, -0.140625, 0.0}, -0.01171875},
        {.centre = {freckle_x, 0.0, 0.0}, .along = -0.0625},
    };
    shape_part part = shape_add_loft(surface, rings, 4, SEGMENTS);
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        shape_vertex *vertex = &surface->vertices[v];
        double height = vertex->along; // over the skin
        vertex->position.z = height - depth_beside_freckle(vertex->position.y);
    }
    shape_refresh(surface, part);
    bind_arm(surface);
}

static uint32_t add_skin(glb_writer *writer) {
    // Column-major, each the inverse of where its joint is when the mesh is bound.
    const float matrices[16 * JOINT_COUNT] = {
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1, // shoulder
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1, // elbow
    };
    uint32_t accessor = glb_add_array(
        writer, &(glb_array){.type = "MAT4", .count = JOINT_COUNT, .floats = matrices});
    glb_text json = {0};
    glb_text_format(&json,
                    "{\"name\":\"arm\",\"joints\":[%d,%d],\"inverseBindMatrices\":%u,"
                    "\"skeleton\":%d}",
                    NODE_SHOULDER, NODE_ELBOW, (unsigned)accessor, NODE_SHOULDER);
    uint32_t skin = glb_add(writer, GLB_SKINS, json.data);
    glb_text_free(&json);
    return skin;
}

static void add_bend(glb_writer *writer) {
    const float half = 0.70710678118654752f; // the square root of 1/2
    const float times[] = {0, 1, 2};
    const float rotations[] = {0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1};
    uint32_t input = glb_add_array(
        writer, &(glb_array){.type = "SCALAR", .count = 3, .floats = times, .with_bounds = true});
    uint32_t output =
        glb_add_array(writer, &(glb_array){.type = "VEC4", .count = 3, .floats = rotations});
    glb_text json = {0};
    glb_text_format(&json,
                    "{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":%d,"
                    "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":%u,\"output\":%u}]}",
                    NODE_ELBOW, (unsigned)input, (unsigned)output);
    glb_add(writer, GLB_ANIMATIONS, json.data);
    glb_text_free(&json);
}

static void add_mesh(glb_writer *writer) {
    shape_surface arm = {0}, freckle = {0};
    make_arm(&arm);
    make_freckle(&freckle);
    const shape_format format = {0};
    glb_text json = {0};
    glb_text_format(&json, "{\"name\":\"arm\",\"primitives\":[");
    // The freckle first: `bindpose explain arm.glb --vertex 0` is then about its top.
    shape_add_primitive(writer, &json, &freckle, &format, 0);
    glb_text_format(&json, ",");
    shape_add_primitive(writer, &json, &arm, &format, 1);
    glb_text_format(&json, "]}");
    glb_add(writer, GLB_MESHES, json.data);
    glb_text_free(&json);
    shape_free(&arm);
    shape_free(&freckle);
}

static void add_scene(glb_writer *writer, uint32_t skin) {
    glb_text json = {0};
    glb_add(writer, GLB_NODES, "{\"name\":\"shoulder\",\"children\":[1]}");
    glb_add(writer, GLB_NODES, "{\"name\":\"elbow\",\"translation\":[2,0,0]}");
    glb_text_format(&json, "{\"name\":\"arm\",\"mesh\":0,\"skin\":%u}", (unsigned)skin);
    glb_add(writer, GLB_NODES, json.data);
    glb_add(writer, GLB_SCENES, "{\"name\":\"arm\",\"nodes\":[0,2]}");
    glb_add(writer, GLB_MATERIALS,
            "{\"name\":\"freckle\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
            "[0.16,0.04,0.02,1],\"metallicFactor\":0,\"roughnessFactor\":0.7}}");
    glb_add(writer, GLB_MATERIALS,
            "{\"name\":\"skin\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
            "[0.8,0.42,0.28,1],\"metallicFactor\":0,\"roughnessFactor\":0.6}}");
    glb_text_free(&json);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.glb\n", argc > 0 ? argv[0] : "make_arm");
        return 2;
    }
    glb_writer writer = {
        .generator = "bindpose make_arm",
        .copyright = "CC0 1.0, the bindpose authors",
    };
    add_mesh(&writer);
    add_scene(&writer, add_skin(&writer));
    add_bend(&writer);
    bool written = glb_write(&writer, argv[1]);
    glb_free(&writer);
    return written ? 0 : 2;
}
