// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Everything that goes to stderr, a line each.
 *
 * The file name in a message is the caller's and may hold anything, so it is cleaned as names are;
 * it is not shortened, as it may have to be copied from the terminal, unless it is longer than any
 * file's name can be. All else is cleaned too, whoever made it.
 */

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the longest name of a file with every byte escaped, and for a message behind it. */
enum { LONGEST_NAME = 4 * 4096 + 64, LONGEST_TEXT = 4096 };

/* Value. A line being put together; what does not fit is lost. */
typedef struct line {
    char text[LONGEST_NAME + 2 * LONGEST_TEXT];
    size_t length;
} line;

static void add_bytes(line *to, const char *bytes, size_t size) {
    size_t room = sizeof to->text - 2 - to->length;
    if (size > room) size = room;
    memcpy(to->text + to->length, bytes, size);
    to->length += size;
}

static void add(line *to, const char *text) {
    add_bytes(to, text, strlen(text));
}

/* Adds text with what could harm a terminal escaped, up to a length of the line. */
static void add_clean(line *to, const char *text, size_t most) {
    while (*text) {
        char piece[CLI_PIECE_SIZE];
        size_t size = cli_clean_next(piece, &text);
        if (to->length + size > most) {
            add(to, "…");
            return;
        }
        add_bytes(to, piece, size);
    }
}

static void add_format(line *to, const char *format, va_list arguments) {
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    add_clean(to, text, SIZE_MAX);
}

static void print(line *message) {
    message->text[message->length++] = '\n';
    fwrite(message->text, 1, message->length, stderr);
}

static void start(line *message, const char *file, const char *where) {
    message->length = 0;
    add(message, "bindpose: ");
    if (file && *file) {
        add_clean(message, file, LONGEST_NAME);
        add(message, ": ");
    }
    if (where && *where) {
        add_clean(message, where, LONGEST_NAME + LONGEST_TEXT);
        add(message, ": ");
    }
}

int cli_fail(const char *file, const char *where, const char *format, ...) {
    line message;
    start(&message, file, where);
    va_list arguments;
    va_start(arguments, format);
    add_format(&message, format, arguments);
    va_end(arguments);
    print(&message);
    return CLI_FAILED;
}

cli_phrase cli_translate(const char *message) {
    static const struct {
        const char *library, *program;
    } words[] = {
        {"within limits.memory_bytes", "within the limit of --max-memory"},
        {"raise memory_bytes", "raise --max-memory"},
        {"limits.file_bytes", "--max-memory"},
        {"set options.folder or options.files",
         "name the file by its path, or let --allow-outside read from the current folder"},
        {"loaded from memory", "read from standard input"},
        {"; raise limits.json_depth if the file is to be trusted", ""},
        {"limits.vertices allows", "this program takes"},
        {"the load options allow", "this program takes"},
        {"give file callbacks, or allow files outside", "--allow-outside reads it all the same"},
    };
    enum { COUNT = sizeof words / sizeof *words };
    cli_phrase phrase;
    size_t used = 0;
    while (*message && used + 1 < sizeof phrase.text) {
        size_t i = 0;
        while (i < COUNT && strncmp(message, words[i].library, strlen(words[i].library)) != 0)
            i++;
        if (i == COUNT) {
            phrase.text[used++] = *message++;
            continue;
        }
        size_t room = sizeof phrase.text - used, length = strlen(words[i].program);
        snprintf(phrase.text + used, room, "%s", words[i].program);
        used += length < room ? length : room - 1;
        message += strlen(words[i].library);
    }
    phrase.text[used] = '\0';
    return phrase;
}

int cli_fail_with(const char *file, const bp_error *error) {
    char text[sizeof error->pointer + sizeof error->message + 32];
    bp_error_format(text, sizeof text, error);
    cli_phrase phrase = cli_translate(text);
    /* The option that helps, where the library does not say what it is about. */
    bool memory = error->result == BP_ERROR_LIMIT && strstr(text, "no memory") &&
                  !strstr(phrase.text, "--max-memory");
    return cli_fail(file, NULL, "%s%s", phrase.text, memory ? "; raise --max-memory" : "");
}

int cli_usage_error(const cli_command *command, const char *format, ...) {
    line message;
    start(&message, command->name, NULL);
    va_list arguments;
    va_start(arguments, format);
    add_format(&message, format, arguments);
    va_end(arguments);
    add(&message, "; try 'bindpose ");
    add(&message, command->name);
    add(&message, " --help'");
    print(&message);
    return CLI_FAILED;
}

void cli_warn(const char *file, const char *where, const char *format, ...) {
    line message;
    start(&message, file, where);
    add(&message, "warning: ");
    va_list arguments;
    va_start(arguments, format);
    add_format(&message, format, arguments);
    va_end(arguments);
    print(&message);
}

/* Damerau-Levenshtein distance (adjacent swaps count once) of two short words. */
static size_t edit_distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    size_t cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        cost[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            size_t best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best) best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best) best = cost[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best) best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[n][m];
}

const char *cli_nearest(const char *text, const char *const *names, size_t count) {
    const char *nearest = NULL;
    size_t least = strlen(text) > 4 ? 3 : 2; /* farther than that is another word */
    for (size_t i = 0; i < count; i++) {
        bool beginning = strlen(text) >= 3 && strncmp(names[i], text, strlen(text)) == 0;
        size_t distance = beginning ? 0 : edit_distance(text, names[i]);
        if (distance < least || (beginning && !nearest)) {
            nearest = names[i];
            least = distance;
        }
    }
    return nearest;
}

void *cli_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) cli_out_of_memory();
    return memory;
}

void cli_out_of_memory(void) {
    cli_fail(NULL, NULL, "out of memory");
    cli_exit(CLI_FAILED);
}
