// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Turns of batches: in a turn each lane runs one batch, in this order and the next time in the
 * other, so that none always follows the same one. A batch is preceded by one run that is not
 * counted: it brings back into the caches what the other lanes drove out.
 */

#define _POSIX_C_SOURCE 200809L

#include "cli_measure.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

enum { FEWEST_TURNS = 5, MOST_TURNS = 4000 };

static const double shortest_batch = 1e-3;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cli_seconds(void) {
    return now(CLOCK_MONOTONIC);
}

size_t cli_list_sets(bp_cpu sets[BP_CPU_SIMD128 + 1]) {
    size_t count = 0;
    bp_cpu best = bp_cpu_current();
    for (int cpu = BP_CPU_SCALAR; cpu <= (int)best; cpu++)
        if (bp_cpu_available((bp_cpu)cpu)) sets[count++] = (bp_cpu)cpu;
    return count;
}

/* Seconds that a batch took. */
static double run_batch(const cli_lane *lane, uint64_t runs) {
    clockid_t clock = lane->threaded ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double start = now(clock);
    lane->run(lane->context, (size_t)runs);
    return now(clock) - start;
}

/* How many runs make a batch that is long enough; they have warmed the lane up, too. */
static uint64_t find_batch(const cli_lane *lane) {
    bp_cpu_limit(lane->cpu);
    lane->run(lane->context, 1);
    uint64_t runs = 1;
    for (;;) {
        double taken = run_batch(lane, runs);
        if (taken >= shortest_batch || runs >= UINT32_MAX) return runs;
        /* Clocks of some systems are coarse: what is too short to tell is only doubled. */
        double wanted = taken > 1e-5 ? 1.1 * (double)runs * shortest_batch / taken : 0;
        runs = wanted > 2 * (double)runs ? (uint64_t)wanted : 2 * runs;
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The element below which `part` of the sorted numbers are. */
static double quantile(const double *sorted, size_t count, double part) {
    double place = part * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* `times` are the seconds a run of this lane in each turn, `first` those of the first lane. */
static void sum_up(cli_timing *timing, double *times, const double *first, double *room,
                   size_t turns) {
    for (size_t i = 0; i < turns; i++)
        room[i] = times[i] > 0 ? first[i] / times[i] : 1;
    qsort(room, turns, sizeof *room, compare);
    timing->ratio = quantile(room, turns, 0.5);
    for (size_t i = 0; i < turns; i++)
        room[i] = times[i];
    qsort(room, turns, sizeof *room, compare);
    timing->batches = (uint32_t)turns;
    timing->low_ns = 1e9 * quantile(room, turns, 0.25);
    timing->median_ns = 1e9 * quantile(room, turns, 0.5);
    timing->high_ns = 1e9 * quantile(room, turns, 0.75);
}

bool cli_measure(cli_timing *timings, const cli_lane *lanes, size_t count, double seconds) {
    assert(count > 0 && count <= CLI_MOST_LANES);
    double *times = malloc((count + 1) * MOST_TURNS * sizeof *times);
    if (!times) return false;
    bp_cpu limit = bp_cpu_current();
    double start = cli_seconds();
    for (size_t i = 0; i < count; i++)
        timings[i].batch_runs = find_batch(&lanes[i]);
    size_t turn = 0;
    for (; turn < FEWEST_TURNS || (turn < MOST_TURNS && cli_seconds() - start < seconds); turn++) {
        for (size_t i = 0; i < count; i++) {
            size_t k = turn % 2 == 0 ? i : count - 1 - i;
            bp_cpu_limit(lanes[k].cpu);
            lanes[k].run(lanes[k].context, 1);
            times[k * MOST_TURNS + turn] =
                run_batch(&lanes[k], timings[k].batch_runs) / (double)timings[k].batch_runs;
        }
    }
    bp_cpu_limit(limit);
    for (size_t i = 0; i < count; i++)
        sum_up(&timings[i], times + i * MOST_TURNS, times, times + count * MOST_TURNS, turn);
    free(times);
    return true;
}
