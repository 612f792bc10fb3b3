// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * How long work takes, on a machine that others use too. For `bindpose bench`, and for bench/,
 * which is why this header knows nothing of the program.
 *
 * The ways of doing one piece of work, the lanes, take turns in batches of a millisecond, so that
 * what disturbs the machine disturbs all of them. What counts is the lower quartile and the median,
 * and a ratio is the median of the ratios within a turn.
 */
#ifndef BINDPOSE_CLI_MEASURE_H
#define BINDPOSE_CLI_MEASURE_H

#include "bindpose/cpu.h"

/* Value. One way of doing the work. */
typedef struct cli_lane {
    void (*run)(void *context, size_t times); /* does all of it `times` times */
    void *context;
    bp_cpu cpu;    /* with this instruction set */
    bool threaded; /* by the clock on the wall; else by the time of the calling thread alone */
} cli_lane;

/* Value. What came out for a lane; times are of one run. */
typedef struct cli_timing {
    uint32_t batches;
    uint64_t batch_runs;               /* runs in a batch */
    double low_ns, median_ns, high_ns; /* lower quartile, median, upper quartile */
    double ratio;                      /* how many times the first lane's time is this one's */
} cli_timing;

/* The most lanes that are measured together. */
enum { CLI_MOST_LANES = 8 };

/*
 * Measures for about `seconds`, but never less than five turns. The limit of instruction sets is
 * afterwards as it was. False when there is no memory.
 */
bool cli_measure(cli_timing *timings, const cli_lane *lanes, size_t count, double seconds);

/* Seconds on the wall since some moment. */
double cli_seconds(void);

/* The sets from scalar up to the one in use, which this machine can run; returns how many. */
size_t cli_list_sets(bp_cpu sets[BP_CPU_SIMD128 + 1]);

#endif
