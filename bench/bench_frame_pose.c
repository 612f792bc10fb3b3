// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The rows of posing: sample, globals, palette, the three together, and crowds.
 */

#include "bench_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 1024, CHARACTERS = 1000, CROWD_JOINTS = 67 };

static const double frame_rate = 60;

/* State. A character and what plays on it; times are looked up, so that finding them is free. */
typedef struct player {
    bench_rig rig;
    bp_clip *clip;
    bp_pose *pose;
    bp_mat34 *palette;
    float times[TIMES];
    size_t next;
} player;

static void set_times(player *p, bool forward) {
    uint32_t random = 1;
    for (int i = 0; i < TIMES; i++) {
        random = random * 1664525 + 1013904223;
        double part = forward ? fmod(i / frame_rate / (double)bench_clip_seconds, 1)
                              : (double)(random >> 8) / (1 << 24);
        p->times[i] = (float)(part * (double)bench_clip_seconds);
    }
}

static float next_time(player *p) {
    return p->times[p->next++ % TIMES];
}

static player player_make(uint32_t joints) {
    player p = {.rig = bench_rig_make(joints)};
    p.pose = bp_pose_create(p.rig.skeleton, NULL);
    if (!p.pose) exit(2);
    p.palette = bench_allocate(joints, sizeof *p.palette);
    set_times(&p, true);
    return p;
}

static void player_free(player *p) {
    bp_clip_destroy(p->clip);
    bp_pose_destroy(p->pose);
    bench_rig_free(&p->rig);
    free(p->palette);
}

/* ---- one character -------------------------------------------------------------------------- */

static void sample(void *context, size_t times) {
    player *p = context;
    while (times-- > 0)
        bp_clip_sample(p->pose, p->clip, next_time(p));
}

static void globals(void *context, size_t times) {
    player *p = context;
    while (times-- > 0)
        bp_pose_update(p->pose);
}

static void palette(void *context, size_t times) {
    player *p = context;
    while (times-- > 0)
        bp_palette_build(p->palette, p->rig.skin, p->pose);
}

static void three(void *context, size_t times) {
    player *p = context;
    while (times-- > 0) {
        bp_clip_sample(p->pose, p->clip, next_time(p));
        bp_pose_update(p->pose);
        bp_palette_build(p->palette, p->rig.skin, p->pose);
    }
}

/*
 * What a joint cannot be without: the keys on both sides, the local transform; that and the parent,
 * the global transform; that, the number of the node and the inverse bind matrix, the joint matrix.
 */
enum {
    LOCAL = sizeof(bp_transform),
    MATRIX = sizeof(bp_mat34),
    SAMPLE_BYTES = 2 * 16 + LOCAL,
    SAMPLE_FULL_BYTES = 2 * (12 + 16 + 12) + LOCAL,
    SAMPLE_CUBIC_BYTES = 4 * 16 + LOCAL,
    GLOBALS_BYTES = LOCAL + 4 + MATRIX,
    PALETTE_BYTES = MATRIX + 4 + MATRIX + MATRIX,
    THREE_BYTES = SAMPLE_BYTES + GLOBALS_BYTES + PALETTE_BYTES
};

static bench_work work_of(const char *kind, uint32_t joints, size_t joint_bytes,
                          void (*run)(void *context, size_t times), void *context) {
    bench_work work = {.unit = "joint",
                       .items = joints,
                       .bytes = joints * joint_bytes,
                       .run = run,
                       .context = context};
    snprintf(work.name, sizeof work.name, "%s/%u", kind, (unsigned)joints);
    return work;
}

static void sample_row(bench *b, const char *kind, uint32_t joints, bench_motion motion,
                       bool forward, size_t joint_bytes) {
    bench_work work = work_of(kind, joints, joint_bytes, sample, NULL);
    if (!bench_wants(b, work.name)) return;
    player p = player_make(joints);
    p.clip = bench_clip_make(&p.rig, motion);
    set_times(&p, forward);
    work.context = &p;
    bench_sets(b, &work);
    player_free(&p);
}

static void later_rows(bench *b, uint32_t joints) {
    bench_work works[] = {
        work_of("globals", joints, GLOBALS_BYTES, globals, NULL),
        work_of("palette", joints, PALETTE_BYTES, palette, NULL),
        work_of("pose", joints, THREE_BYTES, three, NULL),
    };
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (!bench_wants(b, works[i].name)) continue;
        player p = player_make(joints);
        p.clip = bench_clip_make(&p.rig, BENCH_EVEN);
        works[i].context = &p;
        sample(&p, 25); /* off the first key */
        bench_sets(b, &works[i]);
        player_free(&p);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static void *count_and_allocate(void *user, size_t size) {
    *(size_t *)user += size;
    return malloc(size);
}

static void release(void *user, void *memory, size_t size) {
    (void)user;
    (void)size;
    free(memory);
}

static void state_row(bench *b, uint32_t joints) {
    char name[32];
    snprintf(name, sizeof name, "state/%u", (unsigned)joints);
    if (!bench_wants(b, name)) return;
    bench_rig rig = bench_rig_make(joints);
    size_t held = 0;
    bp_pose *pose = bp_pose_create(
        rig.skeleton,
        &(bp_allocator){.allocate = count_and_allocate, .release = release, .user = &held});
    bench_bytes(b, name, joints, held);
    bp_pose_destroy(pose);
    bench_rig_free(&rig);
}

/* ---- many characters ------------------------------------------------------------------------ */

/* State. Characters of one rig and clip, each at a time of its own. */
typedef struct company {
    player *lead; /* whose rig, clip and times all use, and whose pose is lent to the crowd */
    bp_pose *poses[CHARACTERS];
    bp_character characters[CHARACTERS];
    bp_mat34 *palettes;
    bp_pose *second_pose; /* for the second thread */
    bench_pool *pool;     /* NULL: one thread */
} company;

static float time_of(const company *c, size_t character) {
    return c->lead->times[(c->lead->next + 37 * character) % TIMES];
}

static void each_in_turn(void *context, size_t times) {
    company *c = context;
    const bench_rig *rig = &c->lead->rig;
    for (; times > 0; times--, c->lead->next++) {
        for (size_t i = 0; i < CHARACTERS; i++) {
            bp_clip_sample(c->poses[i], c->lead->clip, time_of(c, i));
            bp_pose_update(c->poses[i]);
            bp_palette_build(c->palettes + i * rig->skin->joint_count, rig->skin, c->poses[i]);
        }
    }
}

static void crowd(void *context, size_t times) {
    company *c = context;
    bp_crowd_job job = {
        .skin = c->lead->rig.skin, .characters = c->characters, .matrices = c->palettes};
    bp_pose *const scratch[] = {c->lead->pose, c->second_pose};
    for (; times > 0; times--, c->lead->next++) {
        for (size_t i = 0; i < CHARACTERS; i++)
            c->characters[i] = (bp_character){c->lead->clip, time_of(c, i)};
        bp_tasks tasks = {0};
        if (c->pool) tasks = bench_pool_tasks(c->pool);
        bp_tasks_crowd(c->pool ? &tasks : NULL, &job, scratch, CHARACTERS);
    }
}

static company *company_make(player *lead, bool poses) {
    company *c = bench_allocate(1, sizeof *c);
    c->lead = lead;
    c->palettes = bench_allocate(CHARACTERS, lead->rig.skin->joint_count * sizeof *c->palettes);
    for (size_t i = 0; poses && i < CHARACTERS; i++) {
        c->poses[i] = bp_pose_create(lead->rig.skeleton, NULL);
        if (!c->poses[i]) exit(2);
    }
    c->second_pose = bp_pose_create(lead->rig.skeleton, NULL);
    return c;
}

static void company_free(company *c) {
    for (size_t i = 0; i < CHARACTERS; i++)
        bp_pose_destroy(c->poses[i]);
    bp_pose_destroy(c->second_pose);
    free(c->palettes);
    free(c);
}

static void crowd_rows(bench *b) {
    bench_work turn = work_of("pose", CROWD_JOINTS, 0, each_in_turn, NULL);
    bench_work one = work_of("crowd", CROWD_JOINTS, 0, crowd, NULL);
    bench_work two = work_of("threads/crowd", CROWD_JOINTS, 0, crowd, NULL);
    bench_work *const works[] = {&turn, &one, &two};
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        bench_work *work = works[i];
        size_t length = strlen(work->name);
        snprintf(work->name + length, sizeof work->name - length, "/%d", CHARACTERS);
        work->items *= CHARACTERS;
        work->bytes = work->items * THREE_BYTES;
        if (!bench_wants(b, work->name)) continue;
        player lead = player_make(CROWD_JOINTS);
        lead.clip = bench_clip_make(&lead.rig, BENCH_EVEN);
        company *c = company_make(&lead, work == &turn);
        work->context = c;
        if (work == &two) {
            company both = *c;
            both.pool = bench_pool_create();
            bench_threads(b, work, &both);
            bench_pool_destroy(both.pool);
        } else {
            bench_sets(b, work);
        }
        company_free(c);
        player_free(&lead);
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

void bench_pose_rows(bench *b) {
    static const uint32_t all[] = {16, 67, 256, 1024, 4096}, few[] = {67, 1024};
    const uint32_t *sizes = b->quick ? few : all;
    size_t count = b->quick ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++)
        sample_row(b, "sample", sizes[i], BENCH_EVEN, true, SAMPLE_BYTES);
    for (size_t i = 0; i < count; i++)
        sample_row(b, "sample-random", sizes[i], BENCH_EVEN, false, SAMPLE_BYTES);
    for (size_t i = 0; i < count; i++)
        sample_row(b, "sample-uneven", sizes[i], BENCH_UNEVEN, true, SAMPLE_BYTES);
    for (size_t i = 0; i < count; i++)
        sample_row(b, "sample-full", sizes[i], BENCH_FULL, true, SAMPLE_FULL_BYTES);
    for (size_t i = 0; i < count; i++)
        sample_row(b, "sample-cubic", sizes[i], BENCH_CUBIC, true, SAMPLE_CUBIC_BYTES);
    for (size_t i = 0; i < count; i++)
        later_rows(b, sizes[i]);
    crowd_rows(b);
    for (size_t i = 0; i < count; i++)
        state_row(b, sizes[i]);
}
