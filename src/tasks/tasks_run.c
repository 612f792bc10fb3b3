// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Ranges small enough that the last thread is not waited for long, large enough that handing one
 * over costs nothing beside doing it.
 */
#include "bindpose/tasks.h"

#include <assert.h>

enum {
    LEAST_VERTICES = 4096, /* some 20 microseconds */
    LEAST_CHARACTERS = 4
};

static void skin_range(size_t first, size_t count, uint32_t worker, void *context) {
    const bp_skinning_job *job = context;
    (void)worker;
    bp_skinning_run_range(job, job->output_first + (uint32_t)first, (uint32_t)count);
}

void bp_tasks_skin(const bp_tasks *tasks, const bp_skinning_job *job) {
    assert(job && job->primitive && job->output_first <= job->primitive->vertex_count);
    if (!tasks) {
        bp_skinning_run(job);
        return;
    }
    bp_skinning_job context = *job;
    size_t count = job->primitive->vertex_count - job->output_first;
    tasks->run(tasks->user, skin_range, count, LEAST_VERTICES, &context);
}

typedef struct crowd_context {
    const bp_crowd_job *job;
    bp_pose *const *scratch;
    uint32_t worker_count;
} crowd_context;

static void crowd_range(size_t first, size_t count, uint32_t worker, void *context) {
    const crowd_context *crowd = context;
    assert(worker < crowd->worker_count);
    bp_crowd_run_range(crowd->job, crowd->scratch[worker], first, count);
}

void bp_tasks_crowd(const bp_tasks *tasks, const bp_crowd_job *job, bp_pose *const *scratch,
                    size_t character_count) {
    assert(job && scratch);
    crowd_context context = {job, scratch, tasks ? tasks->worker_count : 1};
    if (tasks)
        tasks->run(tasks->user, crowd_range, character_count, LEAST_CHARACTERS, &context);
    else
        crowd_range(0, character_count, 0, &context);
}
