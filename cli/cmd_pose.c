// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `bindpose pose`: evaluates a clip and writes the posed mesh, once or as a sequence of frames.
 */

#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: bindpose pose FILE [options]\n"
    "\n"
    "Evaluates a clip at a time and writes the posed, skinned vertices in world space.\n"
    "Without --clip, the rest pose. FILE is .gltf or .glb; - reads standard input.\n"
    "JSON holds all vertices as they are in the file, in one list for each primitive. OBJ, PLY\n"
    "and GLB hold geometry that other programs open; GLB keeps materials.\n"
    "\n"
    "what is posed\n"
    "  -c, --clip CLIP         a clip, by index or by name\n"
    "  -t, --time SECONDS      the time in it; before its first and after its last key the\n"
    "                          pose of that key holds (default 0)\n"
    "      --loop              wrap the time into the clip instead; it may then be negative\n"
    "      --bind              the bind pose: every skinned mesh as it was bound\n"
    "      --all-scenes        everything, not only what the default scene shows\n"
    "      --relative-to NODE  in the space of a node, by index or by name: keeps the precision\n"
    "                          of what is far from the origin\n"
    "\n"
    "what is written\n"
    "  -f, --format FORMAT     json, obj, ply or glb (default: by the name of OUT, else json)\n"
    "  -o, --output OUT        a file, written whole or not at all (default: - for standard\n"
    "                          output)\n"
    "      --frames A:B:FPS    a sequence: frames from second A to second B at FPS a second; OUT\n"
    "                          then has the number of the frame, from 0: -o 'frame%04d.obj'\n"
    "      --joints            in JSON, also every joint's global transform and joint matrix\n";

/* ---- formats -------------------------------------------------------------------------------- */

/* Value. A format that posed geometry can be written in. */
typedef struct format {
    const char *name; /* also the ending of file names */
    bool binary;
    int (*write)(cli_output *output, cli_scene *scene, const cli_moment *moment);
} format;

static const format formats[] = {
    {"json", false, cli_write_json},
    {"obj", false, cli_write_obj},
    {"ply", true, cli_write_ply},
    {"glb", true, cli_write_glb},
};

static const format *find_format(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

/* ---- what was asked for --------------------------------------------------------------------- */

enum {
    OPTION_LOOP = CLI_FIRST_OPTION,
    OPTION_BIND,
    OPTION_ALL_SCENES,
    OPTION_RELATIVE_TO,
    OPTION_FRAMES,
    OPTION_JOINTS
};

static const struct option options[] = {
    {"clip", required_argument, NULL, 'c'},
    {"time", required_argument, NULL, 't'},
    {"loop", no_argument, NULL, OPTION_LOOP},
    {"bind", no_argument, NULL, OPTION_BIND},
    {"all-scenes", no_argument, NULL, OPTION_ALL_SCENES},
    {"relative-to", required_argument, NULL, OPTION_RELATIVE_TO},
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"joints", no_argument, NULL, OPTION_JOINTS},
    {0},
};

typedef struct pose_request {
    cli_request common;
    const char *clip;        /* or NULL */
    const char *relative_to; /* or NULL */
    const char *output;      /* or NULL */
    const format *format;
    bool has_time, loop, bind, all_scenes, joints;
    double time;
    uint32_t frame_count; /* 0: not a sequence */
    double first_time, frame_rate;
} pose_request;

enum { MOST_FRAMES = 1000000 };

/* "A:B:FPS": from A to B, both included when B is on a frame. */
static int read_frames(pose_request *request, const char *text) {
    char copy[128];
    double last;
    char *end = NULL, *rate = NULL;
    if (strlen(text) < sizeof copy) {
        strcpy(copy, text);
        end = strchr(copy, ':');
        rate = end ? strchr(end + 1, ':') : NULL;
    }
    if (rate) {
        *end++ = '\0';
        *rate++ = '\0';
    }
    if (!rate || !cli_parse_time(copy, &request->first_time) || !cli_parse_time(end, &last) ||
        !cli_parse_time(rate, &request->frame_rate) || request->first_time < 0 ||
        request->frame_rate <= 0)
        return cli_usage_error(request->common.command,
                               "--frames %s is not FROM:TO:FPS, such as 0:2:30",
                               cli_quote(text).text);
    if (last < request->first_time)
        return cli_usage_error(request->common.command, "--frames %s ends before it starts",
                               cli_quote(text).text);
    /* A hair more, for times that are frames but for the rounding of decimals. */
    double count = floor((last - request->first_time) * request->frame_rate + 1e-6) + 1;
    if (count > MOST_FRAMES)
        return cli_usage_error(request->common.command, "--frames %s are %.0f frames, at most %d",
                               cli_quote(text).text, count, MOST_FRAMES);
    request->frame_count = (uint32_t)count;
    return CLI_DONE;
}

static int read_option(pose_request *request, int id) {
    const cli_command *command = request->common.command;
    switch (id) {
    case 'c': request->clip = optarg; return CLI_DONE;
    case 't':
        request->has_time = true;
        if (cli_parse_time(optarg, &request->time)) return CLI_DONE;
        return cli_usage_error(command, "--time %s is not a time in seconds",
                               cli_quote(optarg).text);
    case 'f':
        request->format = find_format(optarg);
        if (request->format) return CLI_DONE;
        return cli_usage_error(command, "--format %s is none of json, obj, ply, glb",
                               cli_quote(optarg).text);
    case 'o': request->output = optarg; return CLI_DONE;
    case OPTION_LOOP: request->loop = true; return CLI_DONE;
    case OPTION_BIND: request->bind = true; return CLI_DONE;
    case OPTION_ALL_SCENES: request->all_scenes = true; return CLI_DONE;
    case OPTION_RELATIVE_TO: request->relative_to = optarg; return CLI_DONE;
    case OPTION_FRAMES: return read_frames(request, optarg);
    default: request->joints = true; return CLI_DONE;
    }
}

/* ---- the names of frames -------------------------------------------------------------------- */

/* Value. A pattern taken apart: text before and after the number, and how the number is written. */
typedef struct pattern {
    char before[4096], after[4096];
    bool zeros;
    int width;
} pattern;

/* Takes "frame%04d.obj" apart; %% stands for %. False unless there is exactly one number. */
static bool parse_pattern(pattern *parts, const char *text) {
    char *to = parts->before, *end = parts->before + sizeof parts->before;
    bool found = false;
    for (; *text; text++) {
        if (to + 1 >= end) return false;
        if (*text != '%' || text[1] == '%') {
            *to++ = *text;
            text += *text == '%';
            continue;
        }
        if (found) return false;
        text++;
        parts->zeros = *text == '0';
        text += parts->zeros;
        parts->width = *text >= '1' && *text <= '9' ? *text++ - '0' : 0;
        if (*text != 'd') return false;
        *to = '\0';
        to = parts->after;
        end = parts->after + sizeof parts->after;
        found = true;
    }
    *to = '\0';
    return found;
}

static void format_frame_name(char *name, size_t size, const pattern *parts, uint32_t frame) {
    snprintf(name, size, parts->zeros ? "%s%0*" PRIu32 "%s" : "%s%*" PRIu32 "%s", parts->before,
             parts->width, frame, parts->after);
}

/* ---- checking what was asked for ------------------------------------------------------------ */

/* Options that are each fine and make no sense together. */
static int check_combination(const pose_request *request) {
    const cli_command *command = request->common.command;
    bool frames = request->frame_count > 0;
    const char *not_with_bind = request->clip          ? "--clip"
                                : request->has_time    ? "--time"
                                : request->relative_to ? "--relative-to"
                                : frames               ? "--frames"
                                                       : NULL;
    if (request->bind && not_with_bind)
        return cli_usage_error(command, "--bind and %s exclude each other", not_with_bind);
    if (frames && !request->clip) return cli_usage_error(command, "--frames needs --clip");
    if (frames && request->has_time)
        return cli_usage_error(command, "--frames and --time exclude each other");
    if (request->loop && !request->clip) return cli_usage_error(command, "--loop needs --clip");
    if (request->time < 0 && !request->loop)
        return cli_usage_error(command, "a negative --time needs --loop");
    if (!request->clip && request->time > 0 && !request->common.quiet)
        cli_warn(NULL, command->name, "--time changes nothing without --clip");
    return CLI_DONE;
}

/* Settles the format, and whether it can go where it is to go. */
static int check_output(pose_request *request, pattern *names) {
    const cli_command *command = request->common.command;
    const char *output = request->output;
    bool to_stdout = !output || strcmp(output, "-") == 0;
    if (output && !*output) return cli_usage_error(command, "--output needs a name");
    if (output && strlen(output) >= sizeof names->before)
        return cli_fail(output, NULL, "cannot be written: %s", strerror(ENAMETOOLONG));
    if (request->frame_count > 0 && (to_stdout || !parse_pattern(names, output)))
        return cli_usage_error(command, "--frames needs an output name with one number in it, "
                                        "such as -o 'frame%%04d.obj'");
    if (!request->format && to_stdout) request->format = find_format("json");
    if (!request->format) {
        const char *ending = strrchr(output, '.');
        request->format = ending ? find_format(ending + 1) : NULL;
    }
    if (!request->format)
        return cli_usage_error(command,
                               "the name of %s tells no format; add --format json, obj, "
                               "ply or glb",
                               cli_quote(output).text);
    if (request->joints && request->format->write != cli_write_json)
        return cli_usage_error(command, "--joints is for JSON only");
    if (to_stdout && request->format->binary && isatty(STDOUT_FILENO))
        return cli_usage_error(command, "%s is not for a terminal; name a file with -o",
                               request->format->name);
    return CLI_DONE;
}

static int read_request(pose_request *request, int argc, char **argv, pattern *names) {
    int id;
    while ((id = cli_next_option(&request->common, argc, argv, options)) >= 0) {
        int status = read_option(request, id);
        if (status != CLI_DONE) return status;
    }
    if (id == CLI_STOP) return request->common.status;
    int status = check_combination(request);
    return status == CLI_DONE ? check_output(request, names) : status;
}

/* ---- carrying it out ------------------------------------------------------------------------ */

static int write_moment(const pose_request *request, cli_scene *scene, cli_moment moment,
                        double time, const char *name) {
    moment.time = request->loop ? bp_clip_wrap(moment.clip, time) : (float)time;
    int status = cli_scene_set(scene, moment.clip, moment.time, moment.origin);
    if (status != CLI_DONE) return status;
    cli_output *output = cli_output_open(name);
    if (!output) return CLI_FAILED;
    status = request->format->write(output, scene, &moment);
    if (status == CLI_DONE) return cli_output_finish(output);
    cli_output_discard(output);
    return status;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int write_frames(const pose_request *request, cli_scene *scene, const cli_moment *moment,
                        const pattern *names) {
    bool watched = !request->common.quiet && isatty(STDERR_FILENO);
    double start = seconds_now();
    bool shown = false;
    int status = CLI_DONE;
    for (uint32_t i = 0; i < request->frame_count && status == CLI_DONE; i++) {
        char name[2 * 4096 + 32];
        format_frame_name(name, sizeof name, names, i);
        status = write_moment(request, scene, *moment,
                              request->first_time + i / request->frame_rate, name);
        if (!watched || seconds_now() - start < 1) continue;
        fprintf(stderr, "\rframe %" PRIu32 " of %" PRIu32, i + 1, request->frame_count);
        shown = true;
    }
    if (shown) fprintf(stderr, "\r\033[K");
    return status;
}

/* GLB takes along the textures that are in the model; those in files of their own stay behind. */
static void warn_of_textures(const pose_request *request, const bp_model *model) {
    uint32_t outside = 0;
    for (uint32_t i = 0; i < model->image_count; i++)
        outside += model->images[i].uri[0] != '\0';
    if (outside == 0 || request->common.quiet || request->format->write != cli_write_glb) return;
    cli_warn(request->common.label, "/images", "%s in files of their own: left out",
             cli_count_of(outside, "image is", "images are").text);
}

static int pose_model(const pose_request *request, const bp_model *model, const pattern *names) {
    uint32_t index = 0;
    cli_moment moment = {.file = request->common.file, .origin = -1, .joints = request->joints};
    if (request->clip) {
        if (!cli_select(&request->common, model, CLI_CLIP, request->clip, &index))
            return CLI_FAILED;
        moment.clip = &model->clips[index];
    }
    if (request->relative_to) {
        if (!cli_select(&request->common, model, CLI_NODE, request->relative_to, &index))
            return CLI_FAILED;
        moment.origin = (int32_t)index;
    }
    warn_of_textures(request, model);
    cli_scene *scene =
        cli_scene_create(model, &request->common, request->all_scenes, request->bind);
    int status = request->frame_count > 0
                     ? write_frames(request, scene, &moment, names)
                     : write_moment(request, scene, moment, request->time, request->output);
    cli_scene_destroy(scene);
    return status;
}

static int run(const cli_command *command, int argc, char **argv) {
    pose_request request = {.common.command = command};
    pattern names;
    int status = read_request(&request, argc, argv, &names);
    if (status != CLI_DONE || !request.common.file) return status;
    bp_model *model = cli_model_load(&request.common);
    if (!model) return CLI_FAILED;
    cli_model_warn(&request.common, model);
    status = pose_model(&request, model, &names);
    bp_model_destroy(model);
    return status;
}

const cli_command cli_command_pose = {
    .name = "pose",
    .summary = "evaluate a clip and write the posed mesh: JSON, OBJ, PLY, GLB",
    .help = help,
    .examples = "pose assets/walker.glb --clip walk --time 0.4 -o walker.obj\n"
                "pose assets/arm.glb --clip bend --time 1\n",
    .run = run,
};
