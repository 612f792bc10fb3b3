// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Options and operands: getopt_long, with messages of our own.
 *
 * The short options are those ids of the long ones that are letters, so a command states each
 * option once.
 */

#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_ALLOW_OUTSIDE = 1000,
    OPTION_RAW_WEIGHTS,
    OPTION_MAX_MEMORY,
    OPTION_CPU,
    OPTION_THREADS,
    OPTION_VERSION
};

static const struct option common_options[] = {
    {"allow-outside", no_argument, NULL, OPTION_ALLOW_OUTSIDE},
    {"raw-weights", no_argument, NULL, OPTION_RAW_WEIGHTS},
    {"max-memory", required_argument, NULL, OPTION_MAX_MEMORY},
    {"cpu", required_argument, NULL, OPTION_CPU},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"quiet", no_argument, NULL, 'q'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"help", no_argument, NULL, 'h'},
    {0},
};

enum { MOST_OPTIONS = 48 };

/* The command's options and then the common ones. */
static void list_options(struct option all[MOST_OPTIONS], const struct option *options) {
    size_t count = 0;
    while (options->name)
        all[count++] = *options++;
    assert(count + sizeof common_options / sizeof *common_options <= MOST_OPTIONS);
    memcpy(all + count, common_options, sizeof common_options);
}

static const char common_help[] =
    "\n"
    "for every command\n"
    "      --allow-outside     also read buffers outside the file's own folder; only for files\n"
    "                          that you trust\n"
    "      --raw-weights       use skin weights as stored, not divided by their sum\n"
    "      --max-memory BYTES  refuse files that need more (512M, 2G); default 4G\n"
    "      --cpu LEVEL         use no better instructions than scalar, sse2, avx2, neon or\n"
    "                          simd128, of those that this machine has; never changes a result\n"
    "      --threads N         how many threads may work (default: as many as there are cores);\n"
    "                          never changes a result; in a build without OpenMP always one\n"
    "  -q, --quiet             no warnings and no progress on standard error\n"
    "  -h, --help              this text\n";

static bool has_short(const struct option *option) {
    return option->val < 128 && isalpha(option->val);
}

/* Fills `text` with getopt's string of short options; ':' first makes it tell missing arguments. */
static void list_short_options(char text[2 * MOST_OPTIONS + 2], const struct option *options) {
    *text++ = ':';
    for (const struct option *option = options; option->name; option++) {
        if (!has_short(option)) continue;
        *text++ = (char)option->val;
        if (option->has_arg) *text++ = ':';
    }
    *text = '\0';
}

static const struct option *find_option(const struct option *options, int id) {
    while (options->name && options->val != id)
        options++;
    return options->name ? options : NULL;
}

static int refuse_unknown(const cli_command *command, const char *given,
                          const struct option *options) {
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (const struct option *option = options; option->name; option++)
        names[count++] = option->name;
    const char *start = given + strspn(given, "-");
    cli_word name = cli_format("%.*s", (int)strcspn(start, "="), start);
    const char *nearest = cli_nearest(name.text, names, count);
    if (!nearest) return cli_usage_error(command, "unknown option %s", cli_quote(given).text);
    return cli_usage_error(command, "unknown option %s (did you mean --%s?)", cli_quote(given).text,
                           nearest);
}

/* Explains why getopt_long refused an option. */
static int refuse_option(const cli_command *command, char **argv, const struct option *options,
                         bool argument_missing) {
    const struct option *known = find_option(options, optopt);
    if (argument_missing) return cli_usage_error(command, "--%s needs a value", known->name);
    if (known) return cli_usage_error(command, "--%s takes no value", known->name);
    if (optopt) {
        char text[2] = {(char)optopt, '\0'};
        return cli_usage_error(command, "unknown option -%s",
                               isgraph((unsigned char)optopt) ? text : cli_quote(text).text);
    }
    return refuse_unknown(command, argv[optind - 1], options);
}

/* Takes the one file that is left when the options are read. */
static int take_file(cli_request *request, int argc, char **argv) {
    if (optind == argc) {
        request->status = cli_usage_error(request->command, "no file is named");
        return CLI_STOP;
    }
    if (argc - optind > 1) {
        request->status = cli_usage_error(request->command, "one file at a time, not also %s",
                                          cli_quote(argv[optind + 1]).text);
        return CLI_STOP;
    }
    request->file = argv[optind];
    request->label = request->file;
    if (strcmp(request->file, "-") == 0) request->label = "standard input";
    if (!*request->file) request->label = "\"\""; /* a forgotten variable of a script */
    return CLI_END;
}

/* "1073741824", "512M", "2G": powers of 1024. */
static bool parse_size(const char *text, uint64_t *bytes) {
    char digits[24];
    size_t length = strspn(text, "0123456789");
    const char *units = "KMG";
    const char *unit = text[length] ? strchr(units, toupper((unsigned char)text[length])) : NULL;
    if (length >= sizeof digits || (text[length] && (!unit || text[length + 1]))) return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (!cli_parse_count(digits, UINT64_MAX >> shift, bytes)) return false;
    *bytes <<= shift;
    return *bytes > 0;
}

/* Limits the instruction set; false, after a message, where there is no such one here. */
static bool limit_cpu(const cli_command *command, const char *name) {
    char list[128] = "";
    for (int cpu = BP_CPU_SCALAR; cpu <= BP_CPU_SIMD128; cpu++) {
        if (!bp_cpu_available((bp_cpu)cpu)) continue;
        if (strcmp(name, bp_cpu_name((bp_cpu)cpu)) == 0) {
            bp_cpu_limit((bp_cpu)cpu);
            return true;
        }
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "",
                 bp_cpu_name((bp_cpu)cpu));
    }
    cli_usage_error(command, "--cpu %s is none of what there is here: %s", cli_quote(name).text,
                    list);
    return false;
}

/* Reads a common option that has a value; false after a message. */
static bool read_value(cli_request *request, int id) {
    const cli_command *command = request->command;
    uint64_t threads;
    switch (id) {
    case OPTION_CPU: return limit_cpu(command, optarg);
    case OPTION_THREADS:
        if (cli_parse_count(optarg, CLI_MOST_THREADS, &threads) && threads > 0) {
            request->threads = (uint32_t)threads;
            return true;
        }
        cli_usage_error(command, "--threads %s is not a number from 1 to %d",
                        cli_quote(optarg).text, CLI_MOST_THREADS);
        return false;
    default:
        if (parse_size(optarg, &request->max_memory)) return true;
        cli_usage_error(command, "--max-memory %s is no size", cli_quote(optarg).text);
        return false;
    }
}

int cli_next_option(cli_request *request, int argc, char **argv, const struct option *options) {
    struct option all[MOST_OPTIONS];
    list_options(all, options);
    char short_options[2 * MOST_OPTIONS + 2];
    list_short_options(short_options, all);
    opterr = 0;
    for (;;) {
        int id = getopt_long(argc, argv, short_options, all, NULL);
        switch (id) {
        case -1: return take_file(request, argc, argv);
        case 'q': request->quiet = true; break;
        case OPTION_ALLOW_OUTSIDE: request->allow_outside = true; break;
        case OPTION_RAW_WEIGHTS: request->raw_weights = true; break;
        case OPTION_MAX_MEMORY:
        case OPTION_CPU:
        case OPTION_THREADS:
            if (read_value(request, id)) break;
            request->status = CLI_FAILED;
            return CLI_STOP;
        case OPTION_VERSION: request->status = cli_print_version(); return CLI_STOP;
        case 'h':
            request->status =
                cli_print_help(request->command->help, common_help, request->command->examples);
            return CLI_STOP;
        case '?':
        case ':':
            request->status = refuse_option(request->command, argv, all, id == ':');
            return CLI_STOP;
        default: return id;
        }
    }
}

int cli_print_version(void) {
    cli_output *output = cli_output_open(NULL);
    cli_output_format(output, "bindpose %d.%d.%d\n", BP_VERSION_MAJOR, BP_VERSION_MINOR,
                      BP_VERSION_PATCH);
    return cli_output_finish(output);
}

int cli_print_help(const char *first, const char *second, const char *examples) {
    cli_output *output = cli_output_open(NULL);
    cli_output_text(output, first);
    cli_output_text(output, second);
    cli_output_text(output, "\nexample\n");
    while (*examples) {
        size_t length = strcspn(examples, "\n");
        cli_output_text(output, "  ");
        cli_output_clean(output, cli_program);
        cli_output_format(output, " %.*s\n", (int)length, examples);
        examples += length + (examples[length] == '\n');
    }
    return cli_output_finish(output);
}

bool cli_parse_time(const char *text, double *seconds) {
    /* strtod would also take spaces, hexadecimal numbers, "inf" and "nan". */
    if (!*text || text[strspn(text, "0123456789.eE+-")]) return false;
    char *end;
    double value = strtod(text, &end);
    if (*end || !isfinite((float)value)) return false;
    *seconds = value + 0.0; /* no -0 */
    return true;
}

bool cli_parse_count(const char *text, uint64_t limit, uint64_t *count) {
    if (!*text || text[strspn(text, "0123456789")]) return false;
    uint64_t value = 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (digit > limit || value > (limit - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *count = value;
    return true;
}
