// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The rows of skinning: influences, attributes and sizes, morph targets, two threads.
 */

#include "bench_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 64 };

/* State. A mesh, a palette, and room for what comes out. */
typedef struct skinned {
    bp_primitive *primitive;
    float weights[8]; /* of the morph targets */
    float *positions, *normals, *tangents;
    bp_skinning_job job;
    bench_pool *pool; /* NULL: one thread */
} skinned;

static void skin(void *context, size_t times) {
    skinned *s = context;
    bp_tasks tasks = {0};
    if (s->pool) tasks = bench_pool_tasks(s->pool);
    while (times-- > 0)
        bp_tasks_skin(s->pool ? &tasks : NULL, &s->job);
}

/* Joint matrices of a pose of the middle of a clip. */
static void make_palette(bp_mat34 *palette, bench_motion motion) {
    bench_rig rig = bench_rig_make(JOINTS);
    bp_clip *clip = bench_clip_make(&rig, motion);
    bp_pose *pose = bp_pose_create(rig.skeleton, NULL);
    if (!pose) exit(2);
    bp_clip_sample(pose, clip, 0.4f);
    bp_pose_update(pose);
    bp_palette_build(palette, rig.skin, pose);
    bp_pose_destroy(pose);
    bp_clip_destroy(clip);
    bench_rig_free(&rig);
}

static skinned *skinned_make(const bench_shape *shape) {
    skinned *s = bench_allocate(1, sizeof *s);
    s->primitive = bench_primitive_make(shape);
    for (uint32_t i = 0; i < shape->targets; i++)
        s->weights[i] = 0.1f * (float)(i + 1);
    s->positions = bench_allocate(shape->vertices, 3 * sizeof(float));
    s->normals = bench_allocate(shape->vertices, 3 * sizeof(float));
    s->tangents = bench_allocate(shape->vertices, 4 * sizeof(float));
    return s;
}

static void skinned_free(skinned *s) {
    bp_primitive_destroy(s->primitive);
    free(s->positions);
    free(s->normals);
    free(s->tangents);
    free(s);
}

/* Asks for the attributes that `letters` names: P, PN or PNT. */
static void set_job(skinned *s, const bench_shape *shape, const char *letters,
                    const bp_mat34 *palette, bool stream) {
    s->job = (bp_skinning_job){
        .primitive = s->primitive,
        .palette = palette,
        .morph_weights = s->weights,
        .morph_weight_count = shape->targets,
        .positions = s->positions,
        .normals = strchr(letters, 'N') ? s->normals : NULL,
        .tangents = strchr(letters, 'T') ? s->tangents : NULL,
        .stream = stream,
    };
}

/* What is read of a vertex, with every slot and target, and what is written. */
static size_t vertex_bytes(const bench_shape *shape, const char *letters) {
    size_t attributes = 12, deltas = 12;
    if (strchr(letters, 'N')) attributes += 12, deltas += 12;
    if (strchr(letters, 'T')) attributes += 16, deltas += 12;
    size_t influence = sizeof(uint16_t) + sizeof(float);
    return 2 * attributes + shape->slots * influence + shape->targets * deltas;
}

/* Value. Rows that differ in their attributes alone. */
typedef struct skin_rows {
    const char *kind;
    uint32_t number; /* behind the kind in the name: of influences, or of morph targets */
    bench_shape shape;
    const bp_mat34 *palette;
    bool stream, threads;
} skin_rows;

static bench_work work_of(const skin_rows *rows, const char *letters) {
    bench_work work = {.unit = "vertex", .items = rows->shape.vertices, .run = skin};
    work.bytes = rows->shape.vertices * vertex_bytes(&rows->shape, letters);
    snprintf(work.name, sizeof work.name, "%s/%u/%s/%u", rows->kind, (unsigned)rows->number,
             letters, (unsigned)rows->shape.vertices);
    return work;
}

/* `attributes` is a list such as "P PN PNT". The mesh is made when its first row is wanted. */
static void measure(bench *b, const skin_rows *rows, const char *attributes) {
    skinned *s = NULL;
    while (*attributes) {
        char letters[8] = "";
        size_t length = strcspn(attributes, " ");
        memcpy(letters, attributes, length);
        attributes += length + (attributes[length] == ' ');
        bench_work work = work_of(rows, letters);
        if (!bench_wants(b, work.name)) continue;
        if (!s) s = skinned_make(&rows->shape);
        set_job(s, &rows->shape, letters, rows->palette, rows->stream);
        work.context = s;
        if (rows->threads) {
            skinned both = *s;
            both.pool = bench_pool_create();
            bench_threads(b, &work, &both);
            bench_pool_destroy(both.pool);
        } else {
            bench_sets(b, &work);
        }
    }
    if (s) skinned_free(s);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bench_shape shape_of(uint32_t vertices, uint32_t slots, uint32_t used) {
    return (bench_shape){
        .vertices = vertices, .joints = JOINTS, .slots = slots, .used = used, .targets = 0};
}

/* Influences come in sets of four, as in files; what is not used has no weight. */
static void grid(bench *b, const bp_mat34 *palette) {
    static const uint32_t all_sizes[] = {1000, 10000, 100000, 1000000}, few_sizes[] = {100000};
    static const uint32_t all_counts[] = {1, 2, 3, 4, 8}, few_counts[] = {1, 4, 8};
    const uint32_t *sizes = b->quick ? few_sizes : all_sizes;
    const uint32_t *counts = b->quick ? few_counts : all_counts;
    for (size_t i = 0; i < (b->quick ? 1 : 4); i++)
        for (size_t k = 0; k < (b->quick ? 3 : 5); k++)
            measure(b,
                    &(skin_rows){.kind = "skin",
                                 .number = counts[k],
                                 .shape = shape_of(sizes[i], counts[k] > 4 ? 8 : 4, counts[k]),
                                 .palette = palette},
                    "P PN PNT");
}

static void variants(bench *b, const bp_mat34 *palette, const bp_mat34 *scaled) {
    skin_rows rows = {.kind = "skin-mixed", .number = 4, .palette = palette};
    rows.shape = shape_of(100000, 4, 0);
    measure(b, &rows, "P PNT");
    rows.kind = "skin-scaled";
    rows.shape.used = 4;
    rows.palette = scaled;
    measure(b, &rows, "PN PNT");
    if (b->quick) return;

    rows.palette = palette;
    rows.kind = "skin-packed";
    for (rows.number = 1; rows.number <= 3; rows.number++) {
        rows.shape = shape_of(100000, rows.number, rows.number);
        measure(b, &rows, "P");
    }
    rows.kind = "skin-stream";
    rows.number = 4;
    rows.shape = shape_of(1000000, 4, 4);
    rows.stream = true;
    measure(b, &rows, "P PNT");
}

static void morph(bench *b, const bp_mat34 *palette) {
    skin_rows rows = {.kind = "morph", .palette = palette, .shape = shape_of(100000, 4, 4)};
    for (rows.number = 1; rows.number <= 4; rows.number += 3) {
        rows.shape.targets = rows.number;
        measure(b, &rows, b->quick ? "PNT" : "P PNT");
    }
}

static void threads(bench *b, const bp_mat34 *palette) {
    skin_rows rows = {.kind = "threads/skin", .number = 4, .palette = palette, .threads = true};
    static const uint32_t sizes[] = {100000, 10000, 1000000};
    for (size_t i = 0; i < (b->quick ? 1 : 3); i++) {
        rows.shape = shape_of(sizes[i], 4, 4);
        measure(b, &rows, "P PNT");
    }
}

void bench_skin_rows(bench *b) {
    bp_mat34 palette[JOINTS], scaled[JOINTS];
    make_palette(palette, BENCH_EVEN);
    make_palette(scaled, BENCH_FULL);
    grid(b, palette);
    variants(b, palette, scaled);
    morph(b, palette);
    threads(b, palette);
}
