// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What the files of bench_frame share: rows and how they are measured, rigs and meshes made in
 * code, and two threads.
 */
#ifndef BINDPOSE_BENCH_FRAME_H
#define BINDPOSE_BENCH_FRAME_H

#include "bindpose/bindpose.h"

/* ---- rows (bench_frame.c) ------------------------------------------------------------------- */

enum { BENCH_MOST_ONLY = 16 };

/* State. What was asked for, and what all rows use. */
typedef struct bench {
    const char *only[BENCH_MOST_ONLY]; /* beginnings of the names of the rows wanted */
    size_t only_count;                 /* 0: all */
    bool csv, quick;
    double seconds; /* a row */
    bp_cpu sets[BP_CPU_SIMD128 + 1];
    size_t set_count;
    unsigned char *copied, *copy; /* what is copied to learn how fast this machine copies */
    size_t copy_size;
    size_t row_count; /* so far */
} bench;

/* Value. A row: a name, and the work of one run. */
typedef struct bench_work {
    char name[64];
    const char *unit; /* what an item is */
    size_t items;     /* of one run */
    size_t bytes;     /* that one run has to read and to write at least; 0: not known */
    void (*run)(void *context, size_t times);
    void *context;
} bench_work;

/* Whether the row is to be measured. */
bool bench_wants(const bench *b, const char *name);

/* By every instruction set in turn, and beside a copy of as many bytes. */
void bench_sets(bench *b, const bench_work *work);

/* By the best set alone. */
void bench_once(bench *b, const bench_work *work);

/* By one thread and by two, with the best set; each has a context of its own. */
void bench_threads(bench *b, const bench_work *work, void *context_of_two);

/* A row that is a number of bytes and no time. */
void bench_bytes(bench *b, const char *name, size_t items, size_t bytes);

/* Zeroed memory, 64-byte aligned, released with free; ends the program when there is none. */
void *bench_allocate(size_t count, size_t size);

/* Ends the program, with a message, where the result is not BP_OK. */
void bench_check(bp_result result, const bp_error *error);

/* ---- what is measured (bench_frame_pose.c, bench_frame_skin.c) ------------------------------ */

void bench_pose_rows(bench *b);
void bench_skin_rows(bench *b);

/* ---- rigs, clips, meshes (bench_frame_rig.c) ------------------------------------------------ */

/*
 * A spine of seven joints, and limbs of five that hang off it in turn: as deep as a person, however
 * many joints. All joints are nodes, in the same order; at rest none is turned.
 */
typedef struct bench_rig {
    bp_skeleton *skeleton;
    bp_skin *skin;
} bench_rig;

bench_rig bench_rig_make(uint32_t joints);
void bench_rig_free(bench_rig *rig);

/* The clips: two seconds in each of which every joint turns, and the root moves. */
typedef enum bench_motion {
    BENCH_EVEN,   /* 61 linear keys, 30 a second, one list of times for all */
    BENCH_UNEVEN, /* each joint has 61 keys at times of its own */
    BENCH_FULL,   /* as EVEN, and every joint also moves and is scaled, unevenly */
    BENCH_CUBIC   /* as EVEN, but CUBICSPLINE */
} bench_motion;

extern const float bench_clip_seconds;

bp_clip *bench_clip_make(const bench_rig *rig, bench_motion motion);

/* What is moved: a tube with normals and tangents, around `joints` joints one after the other. */
typedef struct bench_shape {
    uint32_t vertices;
    uint32_t joints;
    uint32_t slots;   /* of influences a vertex: as in files, a multiple of four, or not */
    uint32_t used;    /* how many of them have weight; 0: from one to all, in stretches */
    uint32_t targets; /* morph targets, which move everything */
} bench_shape;

bp_primitive *bench_primitive_make(const bench_shape *shape);

/* ---- two threads (bench_frame_threads.c) ---------------------------------------------------- */

typedef struct bench_pool bench_pool;

/* Ends the program where there can be no thread. */
bench_pool *bench_pool_create(void);
void bench_pool_destroy(bench_pool *pool);

/* The caller and one more. */
bp_tasks bench_pool_tasks(bench_pool *pool);

#endif
