// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Playing: what a frame of a clip costs on one thread, for the skinned meshes of the default scene.
 * Frames are 1/60 s apart, from 0 on, and each goes the whole way: sample, update and palettes,
 * positions. bench/peers runs this beside three.js.
 *
 *   bench_play [--clip N] [--frames N] [--normals] [--dump FRAME] FILE
 *
 * Prints one line of JSON, times in nanoseconds of this thread a frame. Without --clip the first
 * one; without --frames as many as the clip is long. With --dump it measures nothing and prints the
 * positions of that frame, in the scene, for each primitive: for comparing them with a peer's.
 *
 * A stage takes some 1000 ns, about as long as asking for the time. So whole runs of frames are
 * timed, without the later stages and with them, and a stage is what it adds.
 */
#define _POSIX_C_SOURCE 200809L
#include <bindpose/bindpose.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 15, FRAME_RATE = 60 };

#ifdef CLOCK_THREAD_CPUTIME_ID
static const clockid_t clock_of_this_thread = CLOCK_THREAD_CPUTIME_ID;
#else
static const clockid_t clock_of_this_thread = CLOCK_MONOTONIC;
#endif

typedef struct options {
    uint32_t clip, frames; /* frames: 0 for the length of the clip */
    int64_t dump;          /* -1: measure */
    bool normals;
    const char *path;
} options;

/* The last stage that a frame goes to. */
typedef enum stage { STAGE_SAMPLE, STAGE_POSE, STAGE_SKIN, STAGE_COUNT } stage;

/* One primitive of one instance. */
typedef struct draw {
    uint32_t instance, primitive_index;
    bp_skinning_job job; /* with all but the morph weights */
} draw;

typedef struct play {
    const bp_model *model;
    const bp_clip *clip;
    bp_pose *pose;
    bp_mat34 **palettes; /* [skin_count], NULL where no draw needs the skin */
    draw *draws;
    float *vertices; /* what all draws write: positions, then normals */
    uint32_t draw_count, frames;
    size_t joint_count, vertex_count;
} play;

static double now(void) {
    struct timespec t;
    clock_gettime(clock_of_this_thread, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- setting up ------------------------------------------------------------------------------ */

/* The primitives that joints place, still without outputs; counts them only while draws is NULL. */
static void collect_draws(play *p) {
    const bp_model *model = p->model;
    p->draw_count = 0;
    p->vertex_count = 0;
    for (uint32_t i = 0; i < model->instance_count; ++i) {
        const bp_mesh *mesh = &model->meshes[model->instances[i].mesh];
        for (uint32_t k = 0; k < mesh->primitive_count; ++k) {
            const bp_primitive *primitive = &mesh->primitives[k];
            if (!model->instances[i].in_default_scene || !primitive->positions ||
                !bp_model_is_skinned(model, i, k))
                continue;
            if (p->draws) p->draws[p->draw_count] = (draw){i, k, .job = {.primitive = primitive}};
            p->draw_count++;
            p->vertex_count += primitive->vertex_count;
        }
    }
}

/* A palette for each skin that is used, and a place in `vertices` for each draw. */
static bool set_outputs(play *p, bool normals) {
    size_t first = 0;
    for (uint32_t i = 0; i < p->draw_count; ++i) {
        draw *d = &p->draws[i];
        int32_t skin = p->model->instances[d->instance].skin;
        uint32_t joint_count = p->model->skins[skin].joint_count;
        if (!p->palettes[skin]) {
            p->palettes[skin] = malloc(joint_count * sizeof(bp_mat34));
            p->joint_count += joint_count;
        }
        if (!p->palettes[skin]) return false;
        d->job.palette = p->palettes[skin];
        d->job.positions = p->vertices + 3 * first;
        if (normals && d->job.primitive->normals)
            d->job.normals = p->vertices + 3 * (p->vertex_count + first);
        first += d->job.primitive->vertex_count;
    }
    return true;
}

static void close_play(play *p) {
    for (uint32_t i = 0; p->palettes && i < p->model->skin_count; ++i)
        free(p->palettes[i]);
    free(p->palettes);
    free(p->draws);
    free(p->vertices);
    bp_pose_destroy(p->pose);
}

static bool open_play(play *p, const bp_model *model, const options *o) {
    *p = (play){.model = model, .clip = &model->clips[o->clip]};
    collect_draws(p);
    p->pose = bp_pose_create(&model->skeleton, NULL);
    p->palettes = calloc(model->skin_count + 1, sizeof *p->palettes);
    p->draws = calloc(p->draw_count + 1, sizeof *p->draws);
    p->vertices = calloc(p->vertex_count + 1, 2 * 3 * sizeof *p->vertices);
    if (!p->pose || !p->palettes || !p->draws || !p->vertices) return false;
    collect_draws(p);
    p->frames = o->frames;
    while (o->frames == 0 && (double)p->frames / FRAME_RATE < (double)p->clip->duration)
        p->frames++;
    if (p->frames == 0) p->frames = 1; /* a clip of one pose */
    return set_outputs(p, o->normals);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void play_frame(play *p, uint32_t frame, stage last) {
    bp_clip_sample(p->pose, p->clip, bp_clip_wrap(p->clip, (double)frame / FRAME_RATE));
    if (last == STAGE_SAMPLE) return;

    bp_pose_update(p->pose);
    for (uint32_t i = 0; i < p->model->skin_count; ++i)
        if (p->palettes[i]) bp_palette_build(p->palettes[i], &p->model->skins[i], p->pose);
    if (last == STAGE_POSE) return;

    for (uint32_t i = 0; i < p->draw_count; ++i) {
        bp_skinning_job job = p->draws[i].job;
        job.morph_weights = bp_model_instance_weights(p->model, p->pose, p->draws[i].instance,
                                                      &job.morph_weight_count);
        bp_skinning_run(&job);
    }
}

/* Nanoseconds a frame, over `count` frames of the clip from its beginning, again and again. */
static double time_frames(play *p, uint32_t count, stage last) {
    double start = now();
    for (uint32_t i = 0, frame = 0; i < count; ++i, frame = frame + 1 < p->frames ? frame + 1 : 0)
        play_frame(p, frame, last);
    return (now() - start) / count;
}

/* Whole passes through the clip that take 4 ms or more. */
static uint32_t frames_to_time(play *p) {
    time_frames(p, p->frames, STAGE_SKIN); /* into the caches */
    double pass = time_frames(p, p->frames, STAGE_SKIN) * p->frames;
    return p->frames * (1 + (uint32_t)(4e6 / (pass + 1e3)));
}

static void print_string(const char *name, const char *text) {
    printf("\"%s\":\"", name);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    printf("\",");
}

static void measure(play *p, const char *path) {
    double times[STAGE_COUNT][REPEATS], median[STAGE_COUNT];
    uint32_t count = frames_to_time(p);
    for (int run = 0; run < REPEATS; ++run)
        for (int last = 0; last < STAGE_COUNT; ++last)
            times[last][run] = time_frames(p, count, (stage)last);
    for (int last = 0; last < STAGE_COUNT; ++last) {
        qsort(times[last], REPEATS, sizeof times[last][0], compare);
        median[last] = times[last][REPEATS / 2];
    }
    printf("{");
    print_string("file", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    print_string("clip", p->clip->name);
    print_string("cpu", bp_cpu_name(bp_cpu_current()));
    printf("\"frames\":%u,\"joints\":%zu,\"vertices\":%zu,\"sample_ns\":%.1f,\"pose_ns\":%.1f,"
           "\"skin_ns\":%.1f,\"total_ns\":%.1f}\n",
           (unsigned)p->frames, p->joint_count, p->vertex_count, median[STAGE_SAMPLE],
           median[STAGE_POSE] - median[STAGE_SAMPLE], median[STAGE_SKIN] - median[STAGE_POSE],
           median[STAGE_SKIN]);
}

/* Nine digits give back the same float. Nodes are numbered as in the file. */
static void dump(play *p, uint32_t frame) {
    play_frame(p, frame, STAGE_SKIN);
    printf("[");
    for (uint32_t i = 0; i < p->draw_count; ++i) {
        const draw *d = &p->draws[i];
        uint32_t node = p->model->instances[d->instance].node;
        printf("%s{\"node\":%u,\"primitive\":%u,\"positions\":[", i ? ",\n" : "",
               (unsigned)p->model->skeleton.file_from_node[node], (unsigned)d->primitive_index);
        for (size_t k = 0; k < 3 * (size_t)d->job.primitive->vertex_count; ++k)
            printf("%s%.9g", k ? "," : "", (double)d->job.positions[k]);
        printf("]}");
    }
    printf("]\n");
}

/* ---------------------------------------------------------------------------------------------- */

static bool parse_number(const char *text, uint32_t *number) {
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;
    if (!text || text[0] < '0' || text[0] > '9' || *end || value > 10000000) return false;
    *number = (uint32_t)value;
    return true;
}

static bool parse_options(options *o, char **argv) {
    *o = (options){.dump = -1};
    for (++argv; *argv && argv[0][0] == '-'; ++argv) {
        uint32_t frame;
        if (strcmp(*argv, "--normals") == 0) {
            o->normals = true;
        } else if (strcmp(*argv, "--clip") == 0) {
            if (!parse_number(*++argv, &o->clip)) return false;
        } else if (strcmp(*argv, "--frames") == 0) {
            if (!parse_number(*++argv, &o->frames) || o->frames == 0) return false;
        } else if (strcmp(*argv, "--dump") == 0) {
            if (!parse_number(*++argv, &frame)) return false;
            o->dump = frame;
        } else {
            return false;
        }
    }
    o->path = *argv;
    return argv[0] && !argv[1];
}

static int run(const bp_model *model, const options *o) {
    if (o->clip >= model->clip_count) {
        fprintf(stderr, "%s: there is no clip %u\n", o->path, (unsigned)o->clip);
        return 1;
    }
    play p;
    bool opened = open_play(&p, model, o);
    if (!opened)
        fprintf(stderr, "out of memory\n");
    else if (o->dump < 0)
        measure(&p, o->path);
    else
        dump(&p, (uint32_t)o->dump);
    close_play(&p);
    return opened ? 0 : 1;
}

int main(int argc, char **argv) {
    (void)argc;
    options o;
    bp_model *model;
    bp_error error;
    if (!parse_options(&o, argv)) {
        fprintf(stderr,
                "usage: bench_play [--clip N] [--frames N] [--normals] [--dump FRAME] FILE\n");
        return 2;
    }
    if (bp_model_load_file(&model, o.path, NULL, &error) != BP_OK) {
        char text[sizeof error.pointer + sizeof error.message + 2];
        bp_error_format(text, sizeof text, &error);
        fprintf(stderr, "%s: %s\n", o.path, text);
        return 1;
    }
    int status = run(model, &o);
    bp_model_destroy(model);
    return status;
}
