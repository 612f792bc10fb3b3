// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * From the request to a model, and what the loader had to say about it.
 */

#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_WARNINGS = 10 };

/* Value. Standard input, whole. */
typedef struct contents {
    unsigned char *data;
    size_t size;
    size_t capacity;
} contents;

/* Reads standard input up to `limit` bytes; false after a message. */
static bool read_standard_input(contents *input, uint64_t limit, const char *label) {
    for (;;) {
        if (input->size == input->capacity) {
            size_t capacity = input->capacity ? input->capacity * 2 : 1 << 16;
            unsigned char *data =
                capacity > input->capacity ? realloc(input->data, capacity) : NULL;
            if (!data) cli_out_of_memory();
            input->data = data;
            input->capacity = capacity;
        }
        ssize_t count =
            read(STDIN_FILENO, input->data + input->size, input->capacity - input->size);
        if (count == 0) return true;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            cli_fail(label, NULL, "cannot be read: %s", strerror(errno));
            return false;
        }
        input->size += (size_t)count;
        if (input->size > limit) {
            cli_fail(label, NULL, "is larger than %s; see --max-memory", cli_bytes(limit).text);
            return false;
        }
    }
}

/* A file of more than the library's 4 GiB is fine where there is to be memory for it. */
static bp_limits limits_of(const cli_request *request) {
    bp_limits limits = {.memory_bytes = request->max_memory};
    if (request->max_memory > UINT32_MAX) limits.file_bytes = request->max_memory;
    return limits;
}

/* The library reads regular files only, and all else has a name of its own here. */
static bool is_stream(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bp_model *cli_model_load(const cli_request *request) {
    bp_load_options options = {
        .limits = limits_of(request),
        .allow_files_outside = request->allow_outside,
        .keep_raw_weights = request->raw_weights,
    };
    bp_model *model = NULL;
    bp_error error;
    if (strcmp(request->file, "-") != 0) {
        if (is_stream(request->file))
            cli_fail(request->label, NULL, "not a regular file; use - for standard input");
        else if (bp_model_load_file(&model, request->file, &options, &error) != BP_OK)
            cli_fail_with(request->label, &error);
        return model;
    }
    /* Standard input has no folder of its own; who trusts it can have the current one. */
    if (request->allow_outside) options.folder = ".";
    contents input = {0};
    uint64_t limit = request->max_memory ? request->max_memory : UINT32_MAX;
    if (read_standard_input(&input, limit, request->label) &&
        bp_model_load_memory(&model, input.data, input.size, &options, &error) != BP_OK)
        cli_fail_with(request->label, &error);
    free(input.data);
    return model;
}

cli_word cli_warning_place(const bp_warning *warning) {
    return warning->offset >= 0 ? cli_format("byte %" PRId64, warning->offset)
                                : cli_format("%s", warning->pointer);
}

bp_pose *cli_pose_create(const bp_model *model) {
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    if (!pose) cli_out_of_memory();
    return pose;
}

void cli_model_warn(const cli_request *request, const bp_model *model) {
    if (request->quiet) return;
    for (uint32_t i = 0; i < model->warning_count && i < SHOWN_WARNINGS; i++) {
        const bp_warning *warning = &model->warnings[i];
        const char *rule = bp_rule_name(warning->rule);
        cli_word place = cli_warning_place(warning);
        cli_phrase message = cli_translate(warning->message);
        if (warning->count > 1)
            cli_warn(request->label, place.text, "%s (%s, %s times)", message.text, rule,
                     cli_count(warning->count).text);
        else
            cli_warn(request->label, place.text, "%s (%s)", message.text, rule);
    }
    if (model->warning_count > SHOWN_WARNINGS)
        cli_warn(request->label, NULL, "and %s more; 'bindpose info' lists them",
                 cli_count(model->warning_count - SHOWN_WARNINGS).text);
}
