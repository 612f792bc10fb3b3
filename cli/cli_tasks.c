// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The program's threads: OpenMP's, where the build has it. What they do is split into some ranges a
 * thread, so that one which is held up leaves work to the others.
 */

#include "cli.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

enum { RANGES_PER_THREAD = 8 };

uint32_t cli_thread_count(const cli_request *request) {
#if defined(_OPENMP)
    int most = omp_get_max_threads(); /* OMP_NUM_THREADS can ask for more than may run */
    if (most > omp_get_thread_limit()) most = omp_get_thread_limit();
    if (most > CLI_MOST_THREADS) most = CLI_MOST_THREADS;
    return request->threads > 0 ? request->threads : (uint32_t)most;
#else
    (void)request;
    return 1;
#endif
}

/* The length of ranges, a multiple of the least: where that is whole blocks, so are they. */
static size_t range_length(size_t item_count, size_t least, uint32_t threads) {
    size_t wanted = item_count / ((size_t)threads * RANGES_PER_THREAD);
    return wanted > least ? wanted / least * least : least;
}

static void run(void *user, bp_task *task, size_t item_count, size_t least, void *context) {
    uint32_t threads = *(const uint32_t *)user;
    size_t length = range_length(item_count, least, threads);
    int64_t ranges = (int64_t)((item_count + length - 1) / length);
    if (ranges < (int64_t)threads) threads = (uint32_t)ranges;
    if (threads <= 1) {
        if (item_count > 0) task(0, item_count, 0, context);
        return;
    }
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
    for (int64_t i = 0; i < ranges; i++) {
        size_t first = (size_t)i * length;
        size_t left = item_count - first;
        task(first, left < length ? left : length, (uint32_t)omp_get_thread_num(), context);
    }
#endif
}

bp_tasks cli_tasks(uint32_t *threads) {
    return (bp_tasks){.run = run, .user = threads, .worker_count = *threads};
}
