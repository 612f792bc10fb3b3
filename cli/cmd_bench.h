// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What `bench` measures, once for both of its outputs.
 */
#ifndef BINDPOSE_CMD_BENCH_H
#define BINDPOSE_CMD_BENCH_H

#include "cli.h"
#include "cli_measure.h"

/* Value. One way of doing a row's work, and how long it took. */
typedef struct bench_lane {
    bp_cpu cpu;
    uint32_t threads;
    cli_timing timing;
} bench_lane;

enum { BENCH_MOST_LANES = 2, BENCH_MOST_ROWS = 7 };

/* Value. A row: the first lane is what the others are compared with. */
typedef struct bench_row {
    const char *name;
    const char *one, *many; /* "vertex", "vertices" */
    uint64_t items;
    size_t lane_count;
    bench_lane lanes[BENCH_MOST_LANES];
} bench_row;

typedef struct bench_report {
    const cli_request *request;
    const bp_model *model;
    const bp_clip *clip; /* or NULL: the rest pose */
    bp_cpu cpu;          /* the best set that may be used */
    uint32_t threads;
    size_t row_count;
    bench_row rows[BENCH_MOST_ROWS]; /* that of several threads is the last */
} bench_report;

/* The outputs. */
void bench_write_text(cli_output *output, const bench_report *report);
void bench_write_json(cli_output *output, const bench_report *report);

#endif
