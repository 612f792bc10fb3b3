// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * JSON as it comes, without a tree in between.
 *
 * The outermost object and lists near it have a line for each element, all else is on one line: a
 * posed mesh is a line for grep, and a million numbers are not a million lines. Characters that
 * could harm a terminal are escaped though JSON would not ask for it, and what is not UTF-8 (it
 * can come from a file name only) becomes U+FFFD.
 */

#include "cli.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

cli_json cli_json_start(cli_output *output, unsigned lines) {
    return (cli_json){.output = output, .lines = lines, .first = true};
}

/* True when the open container has a line for each element. */
static bool has_lines(const cli_json *json) {
    bool list = json->depth == 1 || json->arrays >> json->depth & 1;
    return list && json->depth <= json->lines;
}

static void new_line(cli_json *json) {
    cli_output_text(json->output, "\n");
    cli_output_repeat(json->output, "  ", json->depth);
}

static void string(cli_json *json, const char *text) {
    cli_output *output = json->output;
    cli_output_text(output, "\"");
    while (*text) {
        const char *start = text;
        int32_t code = cli_utf8_next(&text);
        if (code < 0)
            cli_output_text(output, "\\ufffd");
        else if (code == '"' || code == '\\')
            cli_output_format(output, "\\%c", (char)code);
        else if (code == '\n')
            cli_output_text(output, "\\n");
        else if (code == '\t')
            cli_output_text(output, "\\t");
        else if (cli_is_unprintable(code))
            cli_output_format(output, "\\u%04" PRIx32, (uint32_t)code);
        else
            cli_output_bytes(output, start, (size_t)(text - start));
    }
    cli_output_text(output, "\"");
}

/* What stands before every value: comma, line, key. */
static void element(cli_json *json, const char *key) {
    if (!json->first) cli_output_text(json->output, ",");
    if (has_lines(json)) new_line(json);
    json->first = false;
    if (!key) return;
    string(json, key);
    cli_output_text(json->output, ":");
}

static void open_container(cli_json *json, const char *key, bool array) {
    element(json, key);
    cli_output_text(json->output, array ? "[" : "{");
    json->depth++;
    assert(json->depth < 64);
    uint64_t bit = UINT64_C(1) << json->depth;
    json->arrays = array ? json->arrays | bit : json->arrays & ~bit;
    json->first = true;
}

void cli_json_object(cli_json *json, const char *key) {
    open_container(json, key, false);
}

void cli_json_array(cli_json *json, const char *key) {
    open_container(json, key, true);
}

void cli_json_close(cli_json *json) {
    assert(json->depth > 0);
    bool array = json->arrays >> json->depth & 1;
    bool lines = has_lines(json) && !json->first;
    json->depth--;
    if (lines) new_line(json);
    cli_output_text(json->output, array ? "]" : "}");
    json->first = false;
    if (json->depth == 0) cli_output_text(json->output, "\n");
}

void cli_json_string(cli_json *json, const char *key, const char *text) {
    element(json, key);
    string(json, text);
}

void cli_json_integer(cli_json *json, const char *key, uint64_t number) {
    element(json, key);
    cli_output_integer(json->output, number);
}

void cli_json_null(cli_json *json, const char *key) {
    element(json, key);
    cli_output_text(json->output, "null");
}

void cli_json_index(cli_json *json, const char *key, int64_t index) {
    if (index < 0)
        cli_json_null(json, key);
    else
        cli_json_integer(json, key, (uint64_t)index);
}

void cli_json_bool(cli_json *json, const char *key, bool truth) {
    element(json, key);
    cli_output_text(json->output, truth ? "true" : "false");
}

static void number_or_null(cli_output *output, float number) {
    if (isfinite(number))
        cli_output_float(output, number);
    else
        cli_output_text(output, "null");
}

void cli_json_float(cli_json *json, const char *key, float number) {
    element(json, key);
    number_or_null(json->output, number);
}

void cli_json_floats(cli_json *json, const char *key, const float *numbers, size_t count) {
    element(json, key);
    cli_output_text(json->output, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) cli_output_bytes(json->output, ",", 1);
        number_or_null(json->output, numbers[i]);
    }
    cli_output_text(json->output, "]");
}

void cli_json_vec3(cli_json *json, const char *key, bp_vec3 vector) {
    cli_json_floats(json, key, (const float[]){vector.x, vector.y, vector.z}, 3);
}

void cli_json_matrix(cli_json *json, const char *key, const bp_mat34 *matrix) {
    float mat44[16];
    bp_mat34_to_mat44(mat44, matrix);
    cli_json_floats(json, key, mat44, 16);
}

void cli_json_bounds(cli_json *json, const char *key, bp_aabb bounds) {
    if (bounds.min.x > bounds.max.x) {
        cli_json_null(json, key);
        return;
    }
    cli_json_object(json, key);
    cli_json_vec3(json, "min", bounds.min);
    cli_json_vec3(json, "max", bounds.max);
    cli_json_close(json);
}
