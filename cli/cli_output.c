// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Output that is there whole or not at all.
 *
 * A file is written under a temporary name in the folder where it will be, so that the last step, a
 * rename, cannot fail half way and cannot cross file systems. Whatever ends the program before that
 * step removes the temporary file: an error, an interrupt, a hang-up. What is no regular file
 * (/dev/null, a pipe) is written directly, for renaming onto it would replace it. So is what is
 * open already (/dev/stdout): who opened it, a shell that appends to a log, keeps that very file.
 */

#define _XOPEN_SOURCE 700 /* POSIX 2008, with realpath */
#define _FILE_OFFSET_BITS 64

#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 17 };

/* ---- the program as it was started ---------------------------------------------------------- */

void cli_streams_prepare(void) {
    /* A stream that is closed would be the next file that is opened, and messages would go there.
     * Each is opened the wrong way round, so that using it stays an error. */
    static const int modes[3] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i) _exit(CLI_FAILED);
    signal(SIGXFSZ, SIG_IGN); /* then a limit on file sizes is an error like a full disk */
}

/* ---- the temporary file --------------------------------------------------------------------- */

/* Its name while there is one, for whatever ends the program. One output is open at a time. */
static char temporary[PATH_MAX + 32];
static volatile sig_atomic_t temporary_exists;

static void remove_temporary(void) {
    if (temporary_exists) unlink(temporary);
    temporary_exists = 0;
}

/* Removes the file, then ends as the signal would have ended the program. */
static void end_by_signal(int number) {
    remove_temporary();
    raise(number);
}

static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
                              SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

static void handle_signals(void) {
    struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler == SIG_DFL) sigaction(signals[i], &action, NULL);
    }
}

/* Makes the temporary file beside `path`; its descriptor, or -1 with errno. */
static int make_temporary(const char *path) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path + 1) : 0;
    int length = snprintf(temporary, sizeof temporary, "%.*s.bindpose-XXXXXX", folder, path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* A signal between making the file and noting it would leave it behind. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int descriptor = mkstemp(temporary);
    int error = errno;
    temporary_exists = descriptor >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

/* Gives the temporary file the mode of the file that it replaces, or that of a new file. */
static void set_mode(int descriptor, const struct stat *existing) {
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = existing ? existing->st_mode & 0777 : 0666 & ~mask;
    if (fchmod(descriptor, mode) != 0) return; /* a file system without modes: as good as it gets */
}

/* ---- opening -------------------------------------------------------------------------------- */

static char *copy_text(const char *text) {
    char *copy = cli_allocate(strlen(text) + 1, 1);
    return strcpy(copy, text);
}

static cli_output *create(int descriptor, bool owned, const char *shown) {
    cli_output *output = cli_allocate(1, sizeof *output);
    output->descriptor = descriptor;
    output->owned = owned;
    output->shown = copy_text(shown);
    output->capacity = BUFFER_SIZE;
    output->data = cli_allocate(1, output->capacity);
    return output;
}

static void release(cli_output *output) {
    if (!output) return;
    if (output->owned) close(output->descriptor);
    free(output->shown);
    free(output->path);
    free(output->data);
    free(output);
}

static cli_output *refuse(const char *path, int error) {
    cli_fail(path, NULL, "cannot be written: %s", strerror(error));
    return NULL;
}

/* The real folder of a path; false with errno. */
static bool real_folder(char folder[PATH_MAX], const char *path) {
    char text[PATH_MAX];
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0) return realpath(".", folder) != NULL;
    memcpy(text, path, length);
    text[length] = '\0';
    return realpath(text, folder) != NULL;
}

/* True for what stands for an open descriptor, of this process or of another. */
static bool is_descriptor(const char *path) {
    char folder[PATH_MAX];
    if (!real_folder(folder, path)) return false;
    const char *last = strrchr(folder, '/');
    return strcmp(folder, "/dev/fd") == 0 ||
           (strncmp(folder, "/proc/", 6) == 0 && strcmp(last, "/fd") == 0);
}

/* Opens what is_descriptor is true for: our own descriptor, its position shared, or an addition to
 * the other's file. -1 with errno. */
static int open_descriptor(const char *path) {
    char folder[PATH_MAX], own[64];
    uint64_t number;
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    if (!real_folder(folder, path)) return -1;
    bool ours = strcmp(folder, own) == 0 || strcmp(folder, "/dev/fd") == 0;
    if (ours && cli_parse_count(strrchr(path, '/') + 1, INT_MAX, &number)) return dup((int)number);
    return open(path, O_WRONLY | O_APPEND);
}

/*
 * Follows the links that a path ends in, be there something at their end or not; stops at a
 * descriptor, whose link tells nothing. False with errno.
 */
static bool follow_links(char path[PATH_MAX]) {
    enum { MOST_LINKS = 40 };
    for (int links = 0; links < MOST_LINKS; links++) {
        char to[PATH_MAX];
        if (is_descriptor(path)) return true;
        ssize_t length = readlink(path, to, sizeof to);
        if (length < 0) return errno == EINVAL || errno == ENOENT; /* no link, or nothing yet */
        const char *slash = length > 0 && to[0] == '/' ? NULL : strrchr(path, '/');
        size_t kept = slash ? (size_t)(slash + 1 - path) : 0;
        if (kept + (size_t)length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(path + kept, to, (size_t)length);
        path[kept + (size_t)length] = '\0';
    }
    errno = ELOOP;
    return false;
}

/* Opens what is written directly; refuses for -1. */
static cli_output *create_direct(int descriptor, const char *shown) {
    return descriptor < 0 ? refuse(shown, errno) : create(descriptor, true, shown);
}

cli_output *cli_output_open(const char *path) {
    if (!path || strcmp(path, "-") == 0) return create(STDOUT_FILENO, false, "standard output");
    assert(!temporary_exists);

    char target[PATH_MAX]; /* a link stays, and what it leads to is written */
    if (strlen(path) >= sizeof target) return refuse(path, ENAMETOOLONG);
    strcpy(target, path);
    if (!follow_links(target)) return refuse(path, errno);
    if (is_descriptor(target)) return create_direct(open_descriptor(target), path);
    struct stat existing;
    bool exists = stat(target, &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode)) return refuse(path, EISDIR);
    if (exists && !S_ISREG(existing.st_mode)) return create_direct(open(target, O_WRONLY), path);
    if (exists && access(target, W_OK) != 0) return refuse(path, errno);
    handle_signals();
    int descriptor = make_temporary(target);
    if (descriptor < 0) return refuse(path, errno);
    set_mode(descriptor, exists ? &existing : NULL);
    cli_output *output = create(descriptor, true, path);
    output->path = copy_text(target);
    return output;
}

cli_output *cli_output_open_memory(void) {
    return create(-1, false, "memory");
}

/* ---- writing -------------------------------------------------------------------------------- */

static void flush(cli_output *output) {
    size_t done = 0;
    while (done < output->size && !output->error) {
        ssize_t count = write(output->descriptor, output->data + done, output->size - done);
        if (count > 0)
            done += (size_t)count;
        else if (count == 0 || errno != EINTR)
            output->error = count == 0 ? EIO : errno;
    }
    output->size = 0;
}

static void grow(cli_output *output, size_t size) {
    size_t capacity = output->capacity;
    while (capacity - output->size < size && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    unsigned char *data = capacity - output->size < size ? NULL : realloc(output->data, capacity);
    if (!data) cli_out_of_memory();
    output->data = data;
    output->capacity = capacity;
}

/* Room for `size` bytes at data + size of the output; the caller adds what it used to `size`. */
static unsigned char *reserve(cli_output *output, size_t size) {
    if (output->capacity - output->size < size && output->descriptor >= 0) flush(output);
    if (output->capacity - output->size < size) grow(output, size);
    return output->data + output->size;
}

void cli_output_bytes(cli_output *output, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    while (size > 0) { /* in pieces, so that the buffer of a file stays small */
        size_t piece = size < BUFFER_SIZE ? size : BUFFER_SIZE;
        memcpy(reserve(output, piece), from, piece);
        output->size += piece;
        from += piece;
        size -= piece;
    }
}

void cli_output_text(cli_output *output, const char *text) {
    cli_output_bytes(output, text, strlen(text));
}

void cli_output_clean(cli_output *output, const char *text) {
    while (*text) {
        char piece[CLI_PIECE_SIZE];
        size_t size = cli_clean_next(piece, &text);
        cli_output_bytes(output, piece, size);
    }
}

void cli_output_format(cli_output *output, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    char *to = (char *)reserve(output, (size_t)length + 1);
    vsnprintf(to, (size_t)length + 1, format, again);
    va_end(again);
    output->size += (size_t)length;
}

void cli_output_repeat(cli_output *output, const char *text, size_t times) {
    while (times-- > 0)
        cli_output_text(output, text);
}

void cli_output_integer(cli_output *output, uint64_t number) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    cli_output_bytes(output, digits + first, sizeof digits - first);
}

void cli_output_float(cli_output *output, float number) {
    char *to = (char *)reserve(output, CLI_FLOAT_SIZE);
    output->size += cli_format_float(to, number);
}

void cli_output_u32_le(cli_output *output, uint32_t number) {
    unsigned char *to = reserve(output, 4);
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(number >> 8 * i);
    output->size += 4;
}

void cli_output_floats_le(cli_output *output, const float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        cli_output_u32_le(output, bits);
    }
}

/* ---- the end -------------------------------------------------------------------------------- */

int cli_output_finish(cli_output *output) {
    assert(output->descriptor >= 0);
    flush(output);
    int error = output->error;
    if (output->owned) {
        if (close(output->descriptor) != 0 && !error) error = errno;
        output->owned = false;
    }
    if (output->path) {
        if (!error && rename(temporary, output->path) != 0) error = errno;
        if (error)
            remove_temporary();
        else
            temporary_exists = 0;
    }
    int status = CLI_DONE;
    if (error) status = cli_fail(output->shown, NULL, "cannot be written: %s", strerror(error));
    release(output);
    return status;
}

void cli_output_discard(cli_output *output) {
    if (output && output->path) remove_temporary();
    release(output);
}

void cli_exit(int status) {
    remove_temporary();
    exit(status);
}
