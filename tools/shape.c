// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Outline: growing arrays, lofts and what is made of them, influences.
//
// Normals are sums of the normals of the triangles around a vertex, each as long as the triangle is
// large. A part does not share vertices with another, so parts meet in a crease; tubes that stick
// out of a body look right with that.

#include "shape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RINGS 128

// ---- growing arrays -----------------------------------------------------------------------------

static void *grown(void *array, uint32_t *capacity, uint32_t needed, size_t element_size) {
    if (needed <= *capacity) {
        return array;
    }
    *capacity = needed > 2 * *capacity ? needed : 2 * *capacity;
    void *larger = realloc(array, *capacity * element_size);
    if (!larger) {
        fputs("shape: out of memory\n", stderr);
        exit(2);
    }
    return larger;
}

static uint32_t add_vertex(shape_surface *surface, vec3 position, double along) {
    assert(surface->vertex_count < UINT16_MAX);
    surface->vertices = grown(surface->vertices, &surface->vertex_capacity,
                              surface->vertex_count + 1, sizeof *surface->vertices);
    surface->vertices[surface->vertex_count] =
        (shape_vertex){.position = position, .handedness = 1.0, .along = along, .weights = {1.0}};
    return surface->vertex_count++;
}

static void add_triangle(shape_surface *surface, uint32_t a, uint32_t b, uint32_t c) {
    surface->indices = grown(surface->indices, &surface->index_capacity, surface->index_count + 3,
                             sizeof *surface->indices);
    surface->indices[surface->index_count++] = (uint16_t)a;
    surface->indices[surface->index_count++] = (uint16_t)b;
    surface->indices[surface->index_count++] = (uint16_t)c;
}

void shape_free(shape_surface *surface) {
    free(surface->vertices);
    free(surface->indices);
    *surface = (shape_surface){0};
}

static shape_part begin_part(const shape_surface *surface) {
    return (shape_part){.first_vertex = surface->vertex_count, .first_index = surface->index_count};
}

static void end_part(const shape_surface *surface, shape_part *part) {
    part->end_vertex = surface->vertex_count;
    part->end_index = surface->index_count;
}

// ---- surfaces -----------------------------------------------------------------------------------

static void smooth_normals(shape_surface *surface, shape_part part) {
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        surface->vertices[v].normal = (vec3){0.0, 0.0, 0.0};
    }
    for (uint32_t i = part.first_index; i < part.end_index; i += 3) {
        shape_vertex *a = &surface->vertices[surface->indices[i]];
        shape_vertex *b = &surface->vertices[surface->indices[i + 1]];
        shape_vertex *c = &surface->vertices[surface->indices[i + 2]];
        vec3 normal =
            vec3_cross(vec3_sub(b->position, a->position), vec3_sub(c->position, a->position));
        a->normal = vec3_add(a->normal, normal);
        b->normal = vec3_add(b->normal, normal);
        c->normal = vec3_add(c->normal, normal);
    }
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        surface->vertices[v].normal = vec3_normalize(surface->vertices[v].normal);
    }
}

// Makes the tangents, so far any direction around the loft, square to the normals.
static void square_tangents(shape_surface *surface, shape_part part) {
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        shape_vertex *vertex = &surface->vertices[v];
        double along_normal = vec3_dot(vertex->tangent, vertex->normal);
        vertex->tangent =
            vec3_normalize(vec3_sub(vertex->tangent, vec3_scale(vertex->normal, along_normal)));
    }
}

void shape_refresh(shape_surface *surface, shape_part part) {
    smooth_normals(surface, part);
    square_tangents(surface, part);
}

static void add_ring(shape_surface *surface, const shape_ring *ring, uint32_t segments) {
    for (uint32_t k = 0; k < segments; k++) {
        double turns = (double)k / segments;
        vec3 out =
            vec3_add(vec3_scale(ring->u, turn_cos(turns)), vec3_scale(ring->v, turn_sin(turns)));
        uint32_t v = add_vertex(surface, vec3_add(ring->centre, out), ring->along);
        surface->vertices[v].tangent =
            vec3_sub(vec3_scale(ring->v, turn_cos(turns)), vec3_scale(ring->u, turn_sin(turns)));
    }
}

// Triangles between the ring that starts at vertex `low` and the next one; either can be a pole.
static void add_band(shape_surface *surface, uint32_t low, bool low_pole, uint32_t high,
                     bool high_pole, uint32_t segments) {
    for (uint32_t k = 0; k < segments; k++) {
        uint32_t next = (k + 1) % segments;
        uint32_t low_here = low_pole ? low : low + k;
        uint32_t low_next = low_pole ? low : low + next;
        uint32_t high_here = high_pole ? high : high + k;
        uint32_t high_next = high_pole ? high : high + next;
        if (!low_pole) {
            add_triangle(surface, low_here, low_next, high_here);
        }
        if (!high_pole) {
            add_triangle(surface, low_next, high_next, high_here);
        }
    }
}

shape_part shape_add_loft(shape_surface *surface, const shape_ring *rings, uint32_t ring_count,
                          uint32_t segments) {
    assert(ring_count >= 3);
    shape_part part = begin_part(surface);
    uint32_t low = 0;
    for (uint32_t r = 0; r < ring_count; r++) {
        bool pole = r == 0 || r == ring_count - 1;
        uint32_t start = surface->vertex_count;
        if (pole) {
            // Any direction does for a tangent at a pole: that of the ring beside it.
            add_vertex(surface, rings[r].centre, rings[r].along);
            surface->vertices[start].tangent = rings[r == 0 ? 1 : r - 1].v;
        } else {
            add_ring(surface, &rings[r], segments);
        }
        if (r > 0) {
            add_band(surface, low, r == 1, start, pole, segments);
        }
        low = start;
    }
    end_part(surface, &part);
    shape_refresh(surface, part);
    return part;
}

shape_part shape_add_ellipsoid(shape_surface *surface, vec3 centre, vec3 half_axes, uint32_t rings,
                               uint32_t segments) {
    shape_ring loft[MAX_RINGS];
    assert(rings + 2 <= MAX_RINGS);
    for (uint32_t r = 0; r <= rings + 1; r++) {
        double turns = 0.5 * r / (rings + 1);
        double wide = r == 0 || r == rings + 1 ? 0.0 : turn_sin(turns);
        double z = -turn_cos(turns) * half_axes.z;
        loft[r] = (shape_ring){
            .centre = {centre.x, centre.y, centre.z + z},
            .u = {half_axes.x * wide, 0.0, 0.0},
            .v = {0.0, half_axes.y * wide, 0.0},
            .along = z,
        };
    }
    return shape_add_loft(surface, loft, rings + 2, segments);
}

static double catmull_rom(double a, double b, double c, double d, double t) {
    return b +
           0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

// The spline through the stations at `along`; its end stations count twice.
static shape_station station_at(const shape_station *stations, uint32_t count, double along) {
    uint32_t i = (uint32_t)along;
    i = i > count - 2 ? count - 2 : i;
    double t = along - i;
    const shape_station *a = &stations[i > 0 ? i - 1 : 0], *b = &stations[i];
    const shape_station *c = &stations[i + 1], *d = &stations[i + 2 < count ? i + 2 : count - 1];
    return (shape_station){
        .point = {catmull_rom(a->point.x, b->point.x, c->point.x, d->point.x, t),
                  catmull_rom(a->point.y, b->point.y, c->point.y, d->point.y, t),
                  catmull_rom(a->point.z, b->point.z, c->point.z, d->point.z, t)},
        .radius = catmull_rom(a->radius, b->radius, c->radius, d->radius, t),
    };
}

// A ring square to `direction`, at `offset` along it from a station.
static shape_ring ring_across(shape_station station, vec3 direction, vec3 side, double offset,
                              double radius, double along) {
    vec3 u = vec3_normalize(vec3_cross(side, direction));
    return (shape_ring){
        .centre = vec3_add(station.point, vec3_scale(direction, offset)),
        .u = vec3_scale(u, radius),
        .v = vec3_scale(vec3_cross(direction, u), radius),
        .along = along,
    };
}

// A round end: rings from the pole to just before the equator, or the other way round.
static uint32_t add_cap(shape_ring *loft, shape_station station, vec3 direction, vec3 side,
                        bool at_end, double along) {
    enum { CAP_RINGS = 2 };
    for (uint32_t i = 0; i < CAP_RINGS; i++) {
        double turns = 0.25 * (at_end ? i + 1 : CAP_RINGS - i) / CAP_RINGS;
        double offset = station.radius * turn_sin(turns) * (at_end ? 1.0 : -1.0);
        double radius = station.radius * turn_cos(turns);
        loft[i] = ring_across(station, direction, side, offset, radius, along);
    }
    return CAP_RINGS;
}

shape_part shape_add_tube(shape_surface *surface, const shape_station *stations,
                          uint32_t station_count, uint32_t steps, uint32_t segments, vec3 side) {
    shape_ring loft[MAX_RINGS];
    uint32_t rings = (station_count - 1) * steps + 1;
    assert(station_count >= 2 && rings + 8 <= MAX_RINGS);
    uint32_t count = 0;
    for (uint32_t r = 0; r < rings; r++) {
        double along = (double)r / steps;
        double last = station_count - 1;
        double before = r > 0 ? along - 0.25 : 0.0;
        double after = r + 1 < rings ? along + 0.25 : last;
        shape_station station = station_at(stations, station_count, along);
        vec3 direction =
            vec3_normalize(vec3_sub(station_at(stations, station_count, after).point,
                                    station_at(stations, station_count, before).point));
        if (r == 0) {
            count += add_cap(loft, station, direction, side, false, along);
        }
        loft[count++] = ring_across(station, direction, side, 0.0, station.radius, along);
        if (r + 1 == rings) {
            count += add_cap(loft + count, station, direction, side, true, along);
        }
    }
    return shape_add_loft(surface, loft, count, segments);
}

static vec3 mirrored(vec3 v) {
    return (vec3){-v.x, v.y, v.z};
}

shape_part shape_add_mirrored(shape_surface *surface, shape_part part,
                              const uint8_t *mirror_joint) {
    shape_part image = begin_part(surface);
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        shape_vertex vertex = surface->vertices[v];
        uint32_t copy = add_vertex(surface, mirrored(vertex.position), vertex.along);
        vertex.position = mirrored(vertex.position);
        vertex.normal = mirrored(vertex.normal);
        vertex.tangent = mirrored(vertex.tangent);
        vertex.delta = mirrored(vertex.delta);
        vertex.handedness = -vertex.handedness;
        for (int k = 0; k < 4; k++) {
            vertex.joints[k] = mirror_joint[vertex.joints[k]];
        }
        surface->vertices[copy] = vertex;
    }
    uint32_t shift = image.first_vertex - part.first_vertex;
    for (uint32_t i = part.first_index; i < part.end_index; i += 3) {
        // A mirror turns triangles inside out; two vertices exchanged turn them back.
        add_triangle(surface, surface->indices[i] + shift, surface->indices[i + 2] + shift,
                     surface->indices[i + 1] + shift);
    }
    end_part(surface, &image);
    return image;
}

// ---- influences ---------------------------------------------------------------------------------

void shape_bind(shape_vertex *vertex, const shape_influence *influences, uint32_t count) {
    memset(vertex->joints, 0, sizeof vertex->joints);
    memset(vertex->weights, 0, sizeof vertex->weights);
    for (uint32_t i = 0; i < count; i++) {
        // On a grid, so that weights which are equal but for noise keep their order everywhere.
        shape_influence moving = influences[i];
        moving.weight = (double)on_grid(moving.weight, 65536.0);
        // An insertion sort; what falls off the end is lost.
        for (int k = 0; k < 4; k++) {
            if (moving.weight > vertex->weights[k]) {
                shape_influence here = {vertex->joints[k], vertex->weights[k]};
                vertex->joints[k] = moving.joint;
                vertex->weights[k] = moving.weight;
                moving = here;
            }
        }
    }
    double sum = vertex->weights[0] + vertex->weights[1] + vertex->weights[2] + vertex->weights[3];
    assert(sum > 0.0);
    for (int k = 0; k < 4; k++) {
        vertex->weights[k] /= sum;
    }
}

void shape_bind_chain(shape_surface *surface, shape_part part, const uint8_t *joints,
                      const double *starts, uint32_t count, double reach) {
    enum { MAX_CHAIN = 8 };
    assert(count <= MAX_CHAIN);
    for (uint32_t v = part.first_vertex; v < part.end_vertex; v++) {
        double along = surface->vertices[v].along;
        shape_influence influences[MAX_CHAIN];
        double taken_over = 1.0;
        for (uint32_t i = 0; i < count; i++) {
            double next = i + 1 < count
                              ? smooth_step(starts[i + 1] - reach, starts[i + 1] + reach, along)
                              : 0.0;
            influences[i] = (shape_influence){joints[i], taken_over - next};
            taken_over = next;
        }
        shape_bind(&surface->vertices[v], influences, count);
    }
}
