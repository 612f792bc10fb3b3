// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A task system of two threads, as small as one can be: both take ranges from one counter until
 * none is left.
 *
 * Waking a thread takes a millisecond's twentieth, more than much of what is measured. As the
 * threads of a game in the middle of a frame, the helper therefore looks for work for a while
 * before it sleeps.
 */

#define _POSIX_C_SOURCE 200809L

#include "bench_frame.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOKS = 200000, RANGES = 16 };

struct bench_pool {
    pthread_t helper;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    /* Written before `round`, which hands them over. */
    bp_task *task;
    void *context;
    size_t count, range;
    atomic_size_t next; /* the first item that nobody has taken */
    atomic_uint round;  /* one more for each piece of work */
    atomic_uint done;   /* the round that the helper has finished */
    atomic_bool asleep, over;
};

static void take_ranges(bench_pool *pool, uint32_t worker) {
    for (;;) {
        size_t first = atomic_fetch_add(&pool->next, pool->range);
        if (first >= pool->count) return;
        size_t left = pool->count - first;
        pool->task(first, left < pool->range ? left : pool->range, worker, pool->context);
    }
}

/* Waits for a round other than `seen`, first awake and then asleep; returns it. */
static unsigned wait_for_round(bench_pool *pool, unsigned seen) {
    for (int i = 0; i < LOOKS; i++) {
        unsigned round = atomic_load(&pool->round);
        if (round != seen) return round;
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->asleep, true);
    while (atomic_load(&pool->round) == seen)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_store(&pool->asleep, false);
    pthread_mutex_unlock(&pool->mutex);
    return atomic_load(&pool->round);
}

static void *help(void *context) {
    bench_pool *pool = context;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_round(pool, seen);
        if (atomic_load(&pool->over)) return NULL;
        take_ranges(pool, 1);
        atomic_store(&pool->done, seen);
    }
}

/* Starts a round, waking the helper if it sleeps; returns its number. */
static unsigned start_round(bench_pool *pool) {
    unsigned round = atomic_fetch_add(&pool->round, 1) + 1;
    if (!atomic_load(&pool->asleep)) return round;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    return round;
}

static void run(void *user, bp_task *task, size_t count, size_t least, void *context) {
    bench_pool *pool = user;
    if (count <= least) {
        if (count > 0) task(0, count, 0, context);
        return;
    }
    pool->task = task;
    pool->context = context;
    pool->count = count;
    /* A multiple of the least: where that is whole groups of a kernel, so are the ranges. */
    pool->range = (count / RANGES + least - 1) / least * least;
    if (pool->range < least) pool->range = least;
    atomic_store(&pool->next, 0);
    unsigned round = start_round(pool);
    take_ranges(pool, 0);
    while (atomic_load(&pool->done) != round)
        sched_yield(); /* where both threads share a core, this is what lets the helper on */
}

bench_pool *bench_pool_create(void) {
    bench_pool *pool = bench_allocate(1, sizeof *pool);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    if (pthread_create(&pool->helper, NULL, help, pool) != 0) {
        fprintf(stderr, "bench_frame: no second thread\n");
        exit(2);
    }
    return pool;
}

void bench_pool_destroy(bench_pool *pool) {
    atomic_store(&pool->over, true);
    start_round(pool);
    pthread_join(pool->helper, NULL);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->wake);
    free(pool);
}

bp_tasks bench_pool_tasks(bench_pool *pool) {
    return (bp_tasks){.run = run, .user = pool, .worker_count = 2};
}
