// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Rays against posed triangles, by the watertight test of Woop, Benthin, Wald (JCGT 2013), in its
 * notation: the ray becomes the z axis by a permutation and a shear of all vertices, after which
 * three 2D edge functions U V W decide. An edge function of a shared edge is the exact negative of
 * its twin's, so a ray cannot slip between two triangles. All in double: floats lose nothing.
 */
#include "bindpose/mesh.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct ray {
    double origin[3];
    int kx, ky, kz;    /* kz: the axis along which the direction is longest */
    double sx, sy, sz; /* shear; sz also brings z to metres */
} ray;

/* A vertex as the ray sees it. */
typedef struct seen {
    double position[3];
    double x, y, z; /* sheared; z is the distance in metres */
} seen;

typedef struct crossing {
    double u, v, w; /* edge functions: barycentrics times det */
    double det;     /* positive when the triangle shows its front */
    double distance;
} crossing;

static ray make_ray(const bp_raycast_job *job) {
    const double direction[3] = {job->direction.x, job->direction.y, job->direction.z};
    ray r = {.origin = {job->origin.x, job->origin.y, job->origin.z}};
    double length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        length2 += direction[i] * direction[i];
        if (fabs(direction[i]) > fabs(direction[r.kz])) r.kz = i;
    }
    assert(length2 > 0.0);
    /* Looking along -kz swaps the other two axes, which keeps the winding. */
    bool backward = direction[r.kz] < 0.0;
    r.kx = (r.kz + (backward ? 2 : 1)) % 3;
    r.ky = (r.kz + (backward ? 1 : 2)) % 3;
    r.sx = direction[r.kx] / direction[r.kz];
    r.sy = direction[r.ky] / direction[r.kz];
    r.sz = sqrt(length2) / direction[r.kz];
    return r;
}

static seen look_at(const ray *r, const bp_raycast_job *job, uint32_t vertex) {
    float v[3];
    const char *base = (const char *)(job->positions ? job->positions : job->primitive->positions);
    size_t stride = job->positions && job->position_stride ? job->position_stride : sizeof v;
    memcpy(v, base + vertex * stride, sizeof v);
    seen s = {.position = {v[0], v[1], v[2]}};
    double z = v[r->kz] - r->origin[r->kz];
    s.x = v[r->kx] - r->origin[r->kx] - r->sx * z;
    s.y = v[r->ky] - r->origin[r->ky] - r->sy * z;
    s.z = r->sz * z;
    return s;
}

/* False for a miss; a NaN anywhere is a miss. */
static bool cross_triangle(crossing *result, const seen *a, const seen *b, const seen *c) {
    double u = c->x * b->y - c->y * b->x;
    double v = a->x * c->y - a->y * c->x;
    double w = b->x * a->y - b->y * a->x;
    if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return false;
    double det = u + v + w;
    if (det == 0.0) return false; /* edge-on, or without area */
    *result = (crossing){u, v, w, det, (u * a->z + v * b->z + w * c->z) / det};
    return result->distance >= 0.0;
}

static void fill_hit(bp_ray_hit *hit, const crossing *c, const seen corners[3]) {
    double b[3] = {c->u / c->det, c->v / c->det, c->w / c->det}, point[3];
    for (int i = 0; i < 3; ++i) {
        hit->barycentrics[i] = (float)b[i];
        point[i] = b[0] * corners[0].position[i] + b[1] * corners[1].position[i] +
                   b[2] * corners[2].position[i];
    }
    hit->point = (bp_vec3){(float)point[0], (float)point[1], (float)point[2]};
    hit->distance = (float)c->distance;
    hit->back_face = c->det < 0.0;
}

bool bp_mesh_raycast(bp_ray_hit *hit, const bp_raycast_job *job) {
    assert(hit && job && job->primitive);
    assert(job->max_distance >= 0.0f);
    if (!job->positions && !job->primitive->positions) return false;
    ray r = make_ray(job);
    uint32_t triangle_count = bp_primitive_triangle_count(job->primitive);
    double nearest = job->max_distance > 0.0f ? (double)job->max_distance : INFINITY;
    bool found = false;
    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t vertices[3];
        seen corners[3];
        crossing c;
        bp_primitive_triangle(job->primitive, i, vertices);
        for (int k = 0; k < 3; ++k)
            corners[k] = look_at(&r, job, vertices[k]);
        if (!cross_triangle(&c, &corners[0], &corners[1], &corners[2])) continue;
        if (job->cull_back_faces && c.det < 0.0) continue;
        if (found ? c.distance >= nearest : c.distance > nearest) continue;
        found = true;
        nearest = c.distance;
        hit->triangle = i;
        memcpy(hit->vertices, vertices, sizeof vertices);
        fill_hit(hit, &c, corners);
    }
    return found;
}
