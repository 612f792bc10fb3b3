/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * tasks: the range functions over the caller's threads.
 *
 * bindpose has no threads of its own. A task system (enkiTS, box2d's, OpenMP, a thread pool) is one
 * function that runs a task over all its items; these helpers hand their work to it in ranges. The
 * results are the same bits for any number of threads and any split.
 */
#ifndef BINDPOSE_TASKS_H
#define BINDPOSE_TASKS_H

#include "bindpose/crowd.h"
#include "bindpose/skinning.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Does the items first … first + count - 1; `worker` is less than bp_tasks::worker_count. */
typedef void bp_task(size_t first, size_t count, uint32_t worker, void *context);

/** Value. The caller's task system. */
typedef struct bp_tasks {
    /**
     * Calls task(first, count, worker, context) for ranges that make up all of item_count items,
     * each item once, on any threads; returns when all are done and what they wrote is visible to
     * the caller. Calls at one time have different workers. item_count may be 0: then there is
     * nothing to do. `least` is the smallest range that is worth a call: smaller ones are
     * allowed, and slower.
     */
    void (*run)(void *user, bp_task *task, size_t item_count, size_t least, void *context);
    void *user;            /**< for `run`; may be NULL */
    uint32_t worker_count; /**< at least 1; workers are numbered 0 … worker_count - 1 */
} bp_tasks;

/**
 * bp_skinning_run over the tasks, in ranges of 4,096 vertices: a smaller primitive is one range.
 * Many of those are better spread as they are, each by one thread.
 *
 * @param tasks  NULL: runs it here
 * @param job    as for bp_skinning_run
 *
 * Allocates nothing. Thread safe on different outputs.
 */
BP_API void bp_tasks_skin(const bp_tasks *tasks, const bp_skinning_job *job);

/**
 * bp_crowd_run_range for the characters 0 … character_count - 1 over the tasks.
 *
 * @param tasks    NULL: runs it here, with scratch[0]
 * @param job      arrays of character_count characters
 * @param scratch  [tasks->worker_count] poses of the skin's skeleton, one for each worker
 *
 * Allocates nothing. Thread safe on different outputs and scratch poses.
 */
BP_API void bp_tasks_crowd(const bp_tasks *tasks, const bp_crowd_job *job, bp_pose *const *scratch,
                           size_t character_count);

#ifdef __cplusplus
}
#endif

#endif
