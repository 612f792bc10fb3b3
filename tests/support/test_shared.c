// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#define _POSIX_C_SOURCE 200809L
#include "test_shared.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

bool test_shared_path(char path[TEST_PATH_SIZE], const char *name) {
    struct stat status;
    const char *shared = getenv("BINDPOSE_SHARED");
    snprintf(path, TEST_PATH_SIZE, "%s/%s", shared && *shared ? shared : "../shared", name);
    return stat(path, &status) == 0;
}

typedef struct path_list {
    char **paths;
    size_t count, capacity;
} path_list;

static void add_path(path_list *list, const char *path) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->paths = realloc(list->paths, list->capacity * sizeof *list->paths);
        assert_non_null(list->paths);
    }
    list->paths[list->count++] = strdup(path);
}

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), wanted = strlen(suffix);
    return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

/* Files go to the list; folders are looked into from the list itself, which grows meanwhile. */
static void list_folder(path_list *files, path_list *folders, const char *folder,
                        const char *suffix) {
    DIR *directory = opendir(folder);
    if (!directory) fail_msg("cannot open %s", folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[TEST_PATH_SIZE];
        struct stat status;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) != 0) continue;
        if (S_ISDIR(status.st_mode))
            add_path(folders, path);
        else if (ends_with(path, suffix))
            add_path(files, path);
    }
    closedir(directory);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void test_files_visit(const char *folder, const char *suffix,
                      void (*visit)(void *user, const char *path), void *user) {
    path_list files = {0}, folders = {0};
    add_path(&folders, folder);
    for (size_t i = 0; i < folders.count; ++i)
        list_folder(&files, &folders, folders.paths[i], suffix);
    if (files.count > 0) qsort(files.paths, files.count, sizeof *files.paths, compare_paths);
    for (size_t i = 0; i < files.count; ++i) {
        visit(user, files.paths[i]);
        free(files.paths[i]);
    }
    for (size_t i = 0; i < folders.count; ++i)
        free(folders.paths[i]);
    free(files.paths);
    free(folders.paths);
}

bp_json test_json_member(const bp_document *document, bp_json object, const char *key) {
    bp_json value = bp_json_member(document, object, key);
    if (value == BP_JSON_NONE) fail_msg("no member \"%s\"", key);
    return value;
}

double test_json_number(const bp_document *document, bp_json value) {
    double number = NAN;
    if (!bp_json_number(document, value, &number)) fail_msg("not a number");
    return number;
}

double test_json_number_or(const bp_document *document, bp_json object, const char *key,
                           double fallback) {
    double number;
    return bp_json_number(document, bp_json_member(document, object, key), &number) ? number
                                                                                    : fallback;
}

double *test_json_numbers(const bp_document *document, bp_json array, uint32_t *count) {
    *count = bp_json_count(document, array);
    if (array == BP_JSON_NONE) return NULL;
    double *numbers = malloc((*count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    bp_json element = bp_json_first(document, array);
    for (uint32_t i = 0; i < *count; ++i) {
        numbers[i] = NAN;
        bp_json_number(document, element, &numbers[i]);
        element = bp_json_next(document, array, element);
    }
    return numbers;
}
