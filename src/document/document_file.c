// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Reading whole files, and only those that may be read.
 *
 * A file named by a model must lie in the model's folder, links followed. Checking a path and
 * opening it afterwards leaves a gap in which a link can be put into place; so realpath only says
 * where the file seems to be, and the path that it gives is opened step by step from the folder
 * without following links: were one put there meanwhile, opening fails.
 *
 * Files are opened without blocking and only read when they are regular: no pipes, no devices.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_PATH */
#elif !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* openat, realpath */
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "document/document_internal.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX_FILES 1
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define HAVE_POSIX_FILES 0
#include <stdio.h>
#endif

static bp_result file_fail(bpi_file_failure *failure, bp_result result, bp_rule rule,
                           const char *reason) {
    *failure = (bpi_file_failure){result, rule, reason};
    return result;
}

static bp_result file_fail_errno(bpi_file_failure *failure, int number) {
    const char *reason = "cannot be opened or read";
    if (number == ENOENT || number == ENOTDIR) reason = "there is no such file";
    if (number == EACCES || number == EPERM) reason = "permission denied";
    if (number == EXDEV)
        return file_fail(failure, BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER,
                         "a link leads out of the model's folder; move the file inside");
    if (number == EISDIR) reason = "a directory, not a file";
    if (number == ENAMETOOLONG) reason = "the name is too long";
    if (number == ELOOP) reason = "its links go round in a circle or were changed just now";
    if (number == EMFILE || number == ENFILE) reason = "too many files are open";
    return file_fail(failure, BP_ERROR_IO, BP_RULE_IO_ERROR, reason);
}

static bp_result file_too_large(bpi_file_failure *failure) {
    return file_fail(failure, BP_ERROR_LIMIT, BP_RULE_NONE, "larger than limits.file_bytes allows");
}

/* Memory for a file of this size, or for as much of it as is wanted. */
static bp_result take_source(bpi_memory *memory, uint64_t size, const bpi_file_request *request,
                             bpi_source *source, bpi_file_failure *failure) {
    if (size > request->most) size = request->most;
    if (size > SIZE_MAX / 2) return file_too_large(failure);
    unsigned char *data = bpi_memory_take(memory, (size_t)size);
    if (!data) {
        bp_result result = bpi_memory_failure(memory);
        return file_fail(failure, result, BP_RULE_NONE,
                         result == BP_ERROR_LIMIT ? "no room for it within limits.memory_bytes"
                                                  : "no memory for its bytes");
    }
    *source = (bpi_source){{data, (size_t)size}, (size_t)size, BPI_OWNER_MEMORY};
    return BP_OK;
}

static void give_source(bpi_memory *memory, bpi_source *source) {
    bpi_memory_give(memory, (void *)(uintptr_t)source->bytes.data, source->taken);
    *source = (bpi_source){0};
}

#if HAVE_POSIX_FILES

#if !defined(O_PATH)
#define O_PATH O_RDONLY /* then folders must also be readable */
#endif

enum {
    FILE_FLAGS = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY,
    FOLDER_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC
};

/* Reads up to `size` bytes; less only at the end of the file. */
static bool read_all(int file, unsigned char *bytes, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        size_t part = size - *got < (1u << 30) ? size - *got : 1u << 30;
        ssize_t count = read(file, bytes + *got, part);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        if (count == 0) break;
        *got += (size_t)count;
    }
    return true;
}

/* Reads an open file and closes it. */
static bp_result read_open(bpi_memory *memory, int file, const bpi_file_request *request,
                           bpi_source *source, bpi_file_failure *failure) {
    struct stat status;
    bp_result result = BP_OK;
    if (fstat(file, &status) != 0)
        result = file_fail_errno(failure, errno);
    else if (S_ISDIR(status.st_mode))
        result = file_fail_errno(failure, EISDIR);
    else if (!S_ISREG(status.st_mode))
        result = file_fail(failure, BP_ERROR_IO, BP_RULE_IO_ERROR, "not a regular file");
    else if ((uint64_t)status.st_size > request->limit)
        result = file_too_large(failure);
    else
        result = take_source(memory, (uint64_t)status.st_size, request, source, failure);
    if (result == BP_OK) {
        unsigned char *bytes = (unsigned char *)(uintptr_t)source->bytes.data, extra;
        size_t size = source->bytes.size, got, beyond = 0;
        bool whole = (uint64_t)status.st_size == size;
        if (!read_all(file, bytes, size, &got) || (whole && !read_all(file, &extra, 1, &beyond)))
            result = file_fail_errno(failure, errno);
        else if (got != size || beyond != 0)
            result = file_fail(failure, BP_ERROR_IO, BP_RULE_IO_ERROR,
                               "its size changed while it was read");
        if (result != BP_OK) give_source(memory, source);
    }
    close(file);
    return result;
}

/* Opens a path without links step by step, from a folder; -1 with errno. */
static int open_below(const char *folder, char *path) {
    int at = open(folder, FOLDER_FLAGS);
    while (at >= 0) {
        char *slash = strchr(path, '/');
        if (slash) *slash = '\0';
        int flags = slash ? FOLDER_FLAGS : FILE_FLAGS;
        int next = openat(at, path, flags | O_NOFOLLOW);
        int number = errno;
        close(at);
        errno = number;
        if (!slash) return next;
        at = next;
        path = slash + 1;
    }
    return -1;
}

/* Joins a folder (not terminated) and a path. */
static bool join(char joined[PATH_MAX], const char *folder, size_t folder_length,
                 const char *relative) {
    size_t length = strlen(relative);
    if (folder_length >= PATH_MAX || length >= PATH_MAX - folder_length - 1) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(joined, folder, folder_length);
    joined[folder_length] = '/';
    memcpy(joined + folder_length + 1, relative, length + 1);
    return true;
}

/* Opens a file that is inside of a folder, wherever links point to; -1 with errno. */
static int open_inside(const bpi_file_request *request) {
    char joined[PATH_MAX], real_folder[PATH_MAX], real_file[PATH_MAX];
    if (!join(joined, request->folder, request->folder_length, "") ||
        !realpath(joined, real_folder))
        return -1;
    size_t length = strlen(real_folder);
    if (length == 1) length = 0; /* the root folder ends with its slash */
    if (!join(joined, real_folder, length, request->path) || !realpath(joined, real_file))
        return -1;
    if (strcmp(real_file, real_folder) == 0) {
        errno = EISDIR;
        return -1;
    }
    if (strncmp(real_file, real_folder, length) != 0 || real_file[length] != '/') {
        errno = EXDEV;
        return -1;
    }
    return open_below(real_folder, real_file + length + 1);
}

static int open_request(const bpi_file_request *request) {
    char joined[PATH_MAX];
    if (!request->folder || (request->outside && request->path[0] == '/'))
        return open(request->path, FILE_FLAGS);
    if (!request->outside) return open_inside(request);
    if (!join(joined, request->folder, request->folder_length, request->path)) return -1;
    return open(joined, FILE_FLAGS);
}

bp_result bpi_file_read(bpi_memory *memory, const bpi_file_request *request, bpi_source *source,
                        bpi_file_failure *failure) {
    int file = open_request(request);
    if (file < 0) return file_fail_errno(failure, errno);
    return read_open(memory, file, request, source, failure);
}

#else /* plain C: a file can be read, but nobody says where links lead */

static bp_result read_stream(bpi_memory *memory, FILE *file, const bpi_file_request *request,
                             bpi_source *source, bpi_file_failure *failure) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
        return file_fail(failure, BP_ERROR_IO, BP_RULE_IO_ERROR,
                         "its size cannot be told: not a regular file, or larger than 2 GiB");
    if ((uint64_t)size > request->limit) return file_too_large(failure);
    bp_result result = take_source(memory, (uint64_t)size, request, source, failure);
    if (result != BP_OK) return result;
    void *bytes = (void *)(uintptr_t)source->bytes.data;
    if (fread(bytes, 1, source->bytes.size, file) == source->bytes.size) return BP_OK;
    give_source(memory, source);
    return file_fail(failure, BP_ERROR_IO, BP_RULE_IO_ERROR, "it could not be read");
}

bp_result bpi_file_read(bpi_memory *memory, const bpi_file_request *request, bpi_source *source,
                        bpi_file_failure *failure) {
    char joined[4096];
    const char *path = request->path;
    size_t length = strlen(path), folder_length = request->folder ? request->folder_length : 0;
    bool absolute = path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
    if (request->folder && !request->outside)
        return file_fail(failure, BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER,
                         "on this system it cannot be checked that links stay in the folder; "
                         "give file callbacks, or allow files outside");
    if (request->folder && !absolute) {
        if (folder_length >= sizeof joined || length >= sizeof joined - folder_length - 1)
            return file_fail_errno(failure, ENAMETOOLONG);
        memcpy(joined, request->folder, folder_length);
        joined[folder_length] = '/';
        memcpy(joined + folder_length + 1, path, length + 1);
        path = joined;
    }
    FILE *file = fopen(path, "rb");
    if (!file) return file_fail_errno(failure, errno);
    bp_result result = read_stream(memory, file, request, source, failure);
    fclose(file);
    return result;
}

#endif
