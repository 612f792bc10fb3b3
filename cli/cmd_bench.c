// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `bindpose bench`: what a frame of a file costs on this machine. This file measures;
 * cmd_bench_write.c writes. bench/ does the same with characters made in code.
 */

#define _POSIX_C_SOURCE 200809L

#include "cmd_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: bindpose bench FILE [options]\n"
    "\n"
    "Measures on this machine what the file costs: loading it; then, each alone and all as a\n"
    "frame, sampling a clip forwards at 60 frames a second, the global transforms of all nodes,\n"
    "the joint matrices of all skins, and the vertices of all that the default scene draws, with\n"
    "the normals and tangents that there are. By plain C and by the best instructions that the\n"
    "machine has, in turn, so that the ratio holds where the times do not; medians. FILE is .gltf\n"
    "or .glb; - reads standard input, and cannot tell how long loading takes.\n"
    "\n"
    "options\n"
    "  -c, --clip CLIP         a clip, by index or by name (default: the first; without any, the\n"
    "                          rest pose)\n"
    "  -s, --seconds S         how long each row is measured (default 0.5)\n"
    "      --json              for programs: quartiles too\n";

static const double frame_rate = 60;

/* ---- the work ------------------------------------------------------------------------------- */

/* State. What is worked on. */
typedef struct bench_state {
    bench_report *report;
    double seconds;
    double start;
    bool watched; /* progress is shown */
    bool shown;
    cli_scene *scene;
    uint64_t frame;
    bp_skinning_job *jobs; /* [scene->drawable_count] */
    float *vertices;       /* what they write */
    uint32_t threads;
    const bp_tasks *tasks; /* NULL: one thread */
} bench_state;

static void load(void *context, size_t times) {
    bench_state *state = context;
    while (times-- > 0) {
        bp_model *model = cli_model_load(state->report->request);
        if (!model) cli_exit(CLI_FAILED); /* somebody has changed the file */
        bp_model_destroy(model);
    }
}

static void sample_next(bench_state *state) {
    const bp_clip *clip = state->report->clip;
    float time = clip ? bp_clip_wrap(clip, (double)state->frame++ / frame_rate) : 0;
    bp_clip_sample(state->scene->pose, clip, time);
}

static void build_palettes(bench_state *state) {
    cli_scene *scene = state->scene;
    for (uint32_t i = 0; i < scene->model->skin_count; i++)
        bp_palette_build(scene->palettes + scene->palette_first[i], &scene->model->skins[i],
                         scene->pose);
}

static void skin_all(bench_state *state) {
    for (uint32_t i = 0; i < state->scene->drawable_count; i++)
        bp_tasks_skin(state->tasks, &state->jobs[i]);
}

static void sample(void *context, size_t times) {
    while (times-- > 0)
        sample_next(context);
}

static void globals(void *context, size_t times) {
    bench_state *state = context;
    while (times-- > 0)
        bp_pose_update(state->scene->pose);
}

static void palette(void *context, size_t times) {
    while (times-- > 0)
        build_palettes(context);
}

static void skin(void *context, size_t times) {
    while (times-- > 0)
        skin_all(context);
}

static void frame(void *context, size_t times) {
    bench_state *state = context;
    while (times-- > 0) {
        sample_next(state);
        bp_pose_update(state->scene->pose);
        build_palettes(state);
        skin_all(state);
    }
}

static void skin_by_threads(void *context, size_t times) {
    bench_state by_threads = *(bench_state *)context;
    bp_tasks tasks = cli_tasks(&by_threads.threads);
    by_threads.tasks = &tasks;
    skin(&by_threads, times);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static bench_row row_of(const char *name, const char *one, const char *many, uint64_t items) {
    return (bench_row){.name = name, .one = one, .many = many, .items = items};
}

static void show_progress(bench_state *state, const char *name) {
    if (!state->watched || cli_seconds() - state->start < 1) return;
    fprintf(stderr, "\r\033[Kmeasuring %s", name);
    state->shown = true;
}

static void measure(bench_state *state, bench_row row, const cli_lane *lanes, size_t count) {
    cli_timing timings[BENCH_MOST_LANES];
    show_progress(state, row.name);
    if (!cli_measure(timings, lanes, count, state->seconds)) cli_out_of_memory();
    row.lane_count = count;
    for (size_t i = 0; i < count; i++) {
        if (row.lanes[i].threads == 0) row.lanes[i].threads = 1;
        row.lanes[i].cpu = lanes[i].cpu;
        row.lanes[i].timing = timings[i];
    }
    state->report->rows[state->report->row_count++] = row;
}

/* By plain C and by the best set; by one of them where they are the same. */
static void measure_sets(bench_state *state, bench_row row,
                         void (*run)(void *context, size_t times)) {
    if (row.items == 0) return;
    bp_cpu best = state->report->cpu;
    cli_lane lanes[] = {{run, state, BP_CPU_SCALAR, false}, {run, state, best, false}};
    measure(state, row, lanes, best == BP_CPU_SCALAR ? 1 : 2);
}

static void measure_load(bench_state *state) {
    const cli_request *request = state->report->request;
    struct stat status;
    if (strcmp(request->file, "-") == 0 || stat(request->file, &status) != 0) return;
    bench_row row = row_of("load", "byte", "bytes", (uint64_t)status.st_size);
    cli_lane lane = {load, state, state->report->cpu, false};
    measure(state, row, &lane, 1);
}

static void measure_threads(bench_state *state, uint64_t vertices) {
    if (state->threads < 2 || vertices == 0) return;
    bench_row row = row_of("skin_threads", "vertex", "vertices", vertices);
    row.lanes[1].threads = state->threads;
    bp_cpu best = state->report->cpu;
    cli_lane lanes[] = {{skin, state, best, true}, {skin_by_threads, state, best, true}};
    measure(state, row, lanes, 2);
}

/* ---- the scene ------------------------------------------------------------------------------ */

/* Makes the jobs of all drawables, each with outputs of its own; returns how many vertices. */
static uint64_t make_jobs(bench_state *state) {
    cli_scene *scene = state->scene;
    uint64_t vertices = 0, floats = 0;
    state->jobs = cli_allocate(scene->drawable_count, sizeof *state->jobs);
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const bp_primitive *shape = scene->drawables[i].shape;
        uint64_t width = 3 + (shape->normals ? 3 : 0) + (shape->tangents ? 4 : 0);
        vertices += shape->vertex_count;
        floats += shape->vertex_count * width;
    }
    if (floats > SIZE_MAX / sizeof(float)) cli_out_of_memory();
    float *to = state->vertices = cli_allocate((size_t)floats, sizeof *to);
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const bp_primitive *shape = scene->drawables[i].shape;
        size_t count = shape->vertex_count;
        bp_skinning_job *job = &state->jobs[i];
        *job = cli_scene_job(scene, &scene->drawables[i], CLI_ORIGINAL);
        job->positions = to;
        to += 3 * count;
        if (shape->normals) job->normals = to;
        if (shape->normals) to += 3 * count;
        if (shape->tangents) job->tangents = to;
        if (shape->tangents) to += 4 * count;
    }
    return vertices;
}

static uint64_t count_joints(const bp_model *model) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->skin_count; i++)
        count += model->skins[i].joint_count;
    return count;
}

static int measure_all(bench_report *report, double seconds) {
    bench_state state = {
        .report = report,
        .seconds = seconds,
        .start = cli_seconds(),
        .watched = !report->request->quiet && isatty(STDERR_FILENO),
        .threads = report->threads,
    };
    state.scene = cli_scene_create(report->model, report->request, false, false);
    uint64_t vertices = make_jobs(&state), nodes = report->model->skeleton.node_count;
    uint64_t joints = count_joints(report->model);
    float middle = report->clip ? report->clip->duration / 2 : 0;
    int status = cli_scene_set(state.scene, report->clip, middle, -1);
    if (status == CLI_DONE) {
        measure_load(&state);
        measure_sets(&state, row_of("sample", "node", "nodes", nodes), sample);
        measure_sets(&state, row_of("globals", "node", "nodes", nodes), globals);
        measure_sets(&state, row_of("palette", "joint", "joints", joints), palette);
        measure_sets(&state, row_of("skin", "vertex", "vertices", vertices), skin);
        measure_sets(&state, row_of("frame", "frame", "frames", nodes > 0), frame);
        measure_threads(&state, vertices);
    }
    if (state.shown) fprintf(stderr, "\r\033[K");
    cli_scene_destroy(state.scene);
    free(state.jobs);
    free(state.vertices);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

enum { OPTION_JSON = CLI_FIRST_OPTION, MOST_SECONDS = 3600 };

static const struct option options[] = {
    {"clip", required_argument, NULL, 'c'},
    {"seconds", required_argument, NULL, 's'},
    {"json", no_argument, NULL, OPTION_JSON},
    {0},
};

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request = {.command = command};
    const char *clip = NULL;
    bool json = false;
    double seconds = 0.5;
    int id;
    while ((id = cli_next_option(&request, argc, argv, options)) >= 0) {
        if (id == 'c') clip = optarg;
        if (id == OPTION_JSON) json = true;
        if (id == 's' &&
            !(cli_parse_time(optarg, &seconds) && seconds > 0 && seconds <= MOST_SECONDS))
            return cli_usage_error(command, "--seconds %s is not a time above 0 and up to %d",
                                   cli_quote(optarg).text, MOST_SECONDS);
    }
    if (id == CLI_STOP) return request.status;
    bp_model *model = cli_model_load(&request);
    if (!model) return CLI_FAILED;

    bench_report report = {.request = &request,
                           .model = model,
                           .cpu = bp_cpu_current(),
                           .threads = cli_thread_count(&request)};
    uint32_t index = 0;
    int status = CLI_DONE;
    if (clip && !cli_select(&request, model, CLI_CLIP, clip, &index)) status = CLI_FAILED;
    if (index < model->clip_count) report.clip = &model->clips[index];
    if (status == CLI_DONE) status = measure_all(&report, seconds);
    if (status == CLI_DONE) {
        cli_output *output = cli_output_open(NULL);
        if (json)
            bench_write_json(output, &report);
        else
            bench_write_text(output, &report);
        status = cli_output_finish(output);
    }
    bp_model_destroy(model);
    return status;
}

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "how long loading, sampling, palettes and skinning take here",
    .help = help,
    .examples = "bench assets/walker.glb\n"
                "bench assets/walker.glb --clip walk --seconds 0.1 --json\n",
    .run = run,
};
