// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * replay_main: runs a fuzz target on stored inputs, without a fuzzing engine.
 *
 *     fuzz_NAME FILE|DIRECTORY...
 *
 * A directory stands for the files in it. Each input is given to LLVMFuzzerTestOneInput in memory
 * of exactly its size, so that a sanitizer sees a read one byte past the end. Thereby ordinary test
 * runs try every input that ever found a bug, with each compiler and on each machine.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called by the custom mutators of some targets, which only run under the engine. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
    (void)data;
    (void)max_size;
    return size;
}

static size_t replayed;

static bool fail(const char *path) {
    perror(path);
    return false;
}

static bool replay_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail(path);
    uint8_t *data = malloc(size ? size : 1);
    bool ok = data && fread(data, 1, size, file) == size;
    if (ok) {
        /* Known before it runs: a crash must say on which input. */
        printf("%s\n", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size);
        replayed++;
    } else {
        fail(path);
    }
    free(data);
    fclose(file);
    return ok;
}

static bool replay(const char *path);

static bool replay_directory(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return fail(path);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char child[4096];
        int length = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        ok = length > 0 && (size_t)length < sizeof child && replay(child);
    }
    closedir(directory);
    return ok;
}

static bool replay(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return fail(path);
    if (S_ISDIR(status.st_mode)) return replay_directory(path);
    return replay_file(path, (size_t)status.st_size);
}

int main(int argc, char **argv) {
    bool ok = true;
    for (int i = 1; i < argc; i++) {
        ok = replay(argv[i]) && ok;
    }
    printf("%zu inputs replayed\n", replayed);
    if (replayed == 0) {
        fprintf(stderr, "usage: %s FILE|DIRECTORY...: no input found\n", argv[0]);
        return EXIT_FAILURE;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
