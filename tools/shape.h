// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Closed, smooth, skinned surfaces for the generators of our own assets: lofts through rings,
// ellipsoids, tubes; normals and tangents; influences; and their way into a GLB.

#ifndef SHAPE_H
#define SHAPE_H

#include "glb_writer.h"
#include "steady_math.h"

typedef struct shape_vertex {
    vec3 position, normal, tangent;
    double handedness; // +1, or -1 on mirrored parts
    double along;      // where on its loft the vertex is; see shape_ring
    uint8_t joints[4];
    double weights[4]; // greatest first, sum 1
    vec3 delta;        // of the surface's morph target; zero where it does not move
} shape_vertex;

// Triangles under one material. Starts as {0}.
typedef struct shape_surface {
    shape_vertex *vertices;
    uint32_t vertex_count, vertex_capacity;
    uint16_t *indices;
    uint32_t index_count, index_capacity;
} shape_surface;

// A part of a surface: the vertices and indices from one moment to another.
typedef struct shape_part {
    uint32_t first_vertex, end_vertex;
    uint32_t first_index, end_index;
} shape_part;

void shape_free(shape_surface *surface);

// One cross section of a loft: centre + u * cos(a) + v * sin(a), where u x v points to the next
// ring. With u = v = 0 it is a pole: a single vertex. `along` is handed on to its vertices.
typedef struct shape_ring {
    vec3 centre, u, v;
    double along;
} shape_ring;

// The closed surface through rings, of which the first and the last are poles.
shape_part shape_add_loft(shape_surface *surface, const shape_ring *rings, uint32_t ring_count,
                          uint32_t segments);

// Computes the normals and tangents of a part anew, after its positions were changed.
void shape_refresh(shape_surface *surface, shape_part part);

// An ellipsoid with half axes along x, y, z and its poles on the z axis; `rings` between the poles.
shape_part shape_add_ellipsoid(shape_surface *surface, vec3 centre, vec3 half_axes, uint32_t rings,
                               uint32_t segments);

typedef struct shape_station {
    vec3 point;
    double radius;
} shape_station;

// A tube with round ends along the Catmull-Rom spline through stations, with `steps` rings from
// each station to the next. `along` is the number of the station, with fractions between two.
// `side` is a direction that the tube never takes: it keeps the rings from twisting.
shape_part shape_add_tube(shape_surface *surface, const shape_station *stations,
                          uint32_t station_count, uint32_t steps, uint32_t segments, vec3 side);

// Appends a part's mirror image at the plane x = 0, with joints exchanged by mirror_joint[joint].
shape_part shape_add_mirrored(shape_surface *surface, shape_part part, const uint8_t *mirror_joint);

typedef struct shape_influence {
    uint8_t joint;
    double weight;
} shape_influence;

// Gives a vertex the four greatest of the influences, scaled to a sum of 1.
void shape_bind(shape_vertex *vertex, const shape_influence *influences, uint32_t count);

// Binds a part to a chain of joints by `along`: joint i takes over from the one before at starts[i]
// (starts[0] is not used), blending smoothly over starts[i] - reach … starts[i] + reach.
void shape_bind_chain(shape_surface *surface, shape_part part, const uint8_t *joints,
                      const double *starts, uint32_t count, double reach);

// How a surface goes to the file.
typedef struct shape_format {
    bool tangents;
    bool byte_weights;     // normalised bytes in place of floats
    uint32_t target_count; // morph targets of the mesh; deltas are those of target `target`
    uint32_t target;
} shape_format;

// Appends a surface's arrays. `json` receives a mesh primitive.
void shape_add_primitive(glb_writer *writer, glb_text *json, const shape_surface *surface,
                         const shape_format *format, uint32_t material);

#endif
