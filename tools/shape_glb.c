// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// A surface becomes a mesh primitive: attributes, indices, morph targets.

#include "shape.h"

#include <stdio.h>
#include <stdlib.h>

// Positions are stored on a grid of 1/65536 m, directions of 2^-22: see on_grid.
static const double position_steps = 65536.0;
static const double direction_steps = 4194304.0;

static void *allocated(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fputs("shape: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static void store(float *out, vec3 v, double steps) {
    out[0] = on_grid(v.x, steps);
    out[1] = on_grid(v.y, steps);
    out[2] = on_grid(v.z, steps);
}

// Bytes whose sum is 255 exactly: rounded down first, then what is missing goes, one by one, to
// those that lost most. A joint without weight is stored as 0, as glTF asks.
static void store_bytes(uint8_t out[4], const double weights[4]) {
    double lost[4];
    int missing = 255;
    for (int k = 0; k < 4; k++) {
        // The grid keeps a weight that is 0.5 up to noise on one side for all compilers.
        double exact = 255.0 * (double)on_grid(weights[k], position_steps);
        out[k] = (uint8_t)exact;
        lost[k] = exact - out[k];
        missing -= out[k];
    }
    for (; missing > 0; missing--) {
        int most = 0;
        for (int k = 1; k < 4; k++) {
            most = lost[k] > lost[most] ? k : most;
        }
        out[most]++;
        lost[most] -= 1.0;
    }
}

// The greatest weight, which is the first, takes up the rounding of the others.
static void store_floats(float out[4], const double weights[4]) {
    out[0] = 1.0f;
    for (int k = 1; k < 4; k++) {
        out[k] = on_grid(weights[k], position_steps);
        out[0] -= out[k];
    }
}

static uint32_t add_weights(glb_writer *writer, const shape_surface *surface, bool as_bytes) {
    uint32_t count = surface->vertex_count;
    uint8_t *bytes = allocated(4 * (size_t)count, 1);
    float *floats = allocated(4 * (size_t)count, sizeof *floats);
    for (uint32_t v = 0; v < count; v++) {
        store_bytes(&bytes[4 * v], surface->vertices[v].weights);
        store_floats(&floats[4 * v], surface->vertices[v].weights);
    }
    glb_array array = {.type = "VEC4", .count = count, .use = GLB_USE_VERTICES};
    array.normalized = as_bytes;
    array.bytes = as_bytes ? bytes : NULL;
    array.floats = as_bytes ? NULL : floats;
    uint32_t accessor = glb_add_array(writer, &array);
    free(bytes);
    free(floats);
    return accessor;
}

static uint32_t add_joints(glb_writer *writer, const shape_surface *surface) {
    uint32_t count = surface->vertex_count;
    uint8_t *joints = allocated(4 * (size_t)count, 1);
    for (uint32_t v = 0; v < count; v++) {
        uint8_t weights[4];
        store_bytes(weights, surface->vertices[v].weights);
        for (uint32_t k = 0; k < 4; k++) {
            joints[4 * v + k] = weights[k] > 0 ? surface->vertices[v].joints[k] : 0;
        }
    }
    uint32_t accessor = glb_add_array(
        writer,
        &(glb_array){.type = "VEC4", .count = count, .bytes = joints, .use = GLB_USE_VERTICES});
    free(joints);
    return accessor;
}

// POSITION, NORMAL and TANGENT, as members of "attributes".
static void add_geometry(glb_writer *writer, glb_text *json, const shape_surface *surface,
                         bool tangents) {
    uint32_t count = surface->vertex_count;
    float *values = allocated(4 * (size_t)count, sizeof *values);
    glb_array array = {.count = count, .floats = values, .use = GLB_USE_VERTICES};

    for (uint32_t v = 0; v < count; v++) {
        store(&values[3 * v], surface->vertices[v].position, position_steps);
    }
    array.type = "VEC3";
    array.with_bounds = true;
    glb_text_format(json, "\"POSITION\":%u", (unsigned)glb_add_array(writer, &array));

    for (uint32_t v = 0; v < count; v++) {
        store(&values[3 * v], surface->vertices[v].normal, direction_steps);
    }
    array.with_bounds = false;
    glb_text_format(json, ",\"NORMAL\":%u", (unsigned)glb_add_array(writer, &array));

    if (tangents) {
        for (uint32_t v = 0; v < count; v++) {
            store(&values[4 * v], surface->vertices[v].tangent, direction_steps);
            values[4 * v + 3] = surface->vertices[v].handedness > 0.0 ? 1.0f : -1.0f;
        }
        array.type = "VEC4";
        glb_text_format(json, ",\"TANGENT\":%u", (unsigned)glb_add_array(writer, &array));
    }
    free(values);
}

// One morph target: sparse, as most vertices stay where they are, or all zeros.
static uint32_t add_target(glb_writer *writer, const shape_surface *surface, bool moves) {
    uint32_t count = surface->vertex_count;
    float *values = allocated(3 * (size_t)count, sizeof *values);
    uint16_t *elements = allocated(count, sizeof *elements);
    uint32_t moved = 0;
    for (uint32_t v = 0; moves && v < count; v++) {
        float *delta = &values[3 * moved];
        store(delta, surface->vertices[v].delta, position_steps);
        if (delta[0] != 0.0f || delta[1] != 0.0f || delta[2] != 0.0f) {
            elements[moved++] = (uint16_t)v;
        }
    }
    uint32_t accessor = glb_add_array(writer, &(glb_array){
                                                  .type = "VEC3",
                                                  .count = count,
                                                  .floats = values,
                                                  .with_bounds = true,
                                                  .sparse = true,
                                                  .sparse_count = moved,
                                                  .sparse_elements = elements,
                                              });
    free(values);
    free(elements);
    return accessor;
}

void shape_add_primitive(glb_writer *writer, glb_text *json, const shape_surface *surface,
                         const shape_format *format, uint32_t material) {
    glb_text_format(json, "{\"attributes\":{");
    add_geometry(writer, json, surface, format->tangents);
    glb_text_format(json, ",\"JOINTS_0\":%u", (unsigned)add_joints(writer, surface));
    uint32_t weights = add_weights(writer, surface, format->byte_weights);
    glb_text_format(json, ",\"WEIGHTS_0\":%u", (unsigned)weights);

    glb_array indices = {
        .type = "SCALAR", .count = surface->index_count, .shorts = surface->indices};
    indices.use = GLB_USE_INDICES;
    glb_text_format(json, "},\"indices\":%u,\"material\":%u",
                    (unsigned)glb_add_array(writer, &indices), (unsigned)material);
    for (uint32_t t = 0; t < format->target_count; t++) {
        uint32_t positions = add_target(writer, surface, t == format->target);
        glb_text_format(json, "%s{\"POSITION\":%u}", t == 0 ? ",\"targets\":[" : ",",
                        (unsigned)positions);
    }
    glb_text_format(json, "%s}", format->target_count > 0 ? "]" : "");
}
