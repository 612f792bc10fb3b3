// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Loading: file to validated model, everything decoded. For each file the median of N loads in
 * milliseconds, the fastest, megabytes of file a second, the size of the model, and the most memory
 * that a load held at once as a multiple of the file's size.
 *
 *   bench_load [-n RUNS] [--csv] FILE...        default: 15 runs, after one that is not counted
 */
#define _POSIX_C_SOURCE 200809L
#include <bindpose/bindpose.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct held {
    size_t now, peak;
} held;

static void *allocate(void *user, size_t size) {
    held *h = user;
    void *memory = malloc(size);
    if (!memory) return NULL;
    h->now += size;
    if (h->now > h->peak) h->peak = h->now;
    return memory;
}

static void release(void *user, void *memory, size_t size) {
    held *h = user;
    h->now -= size;
    free(memory);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct measured {
    double median, fastest; /* milliseconds */
    size_t file_bytes, model_bytes, peak_bytes;
} measured;

/* The bytes of a file and of the buffers beside it cannot be told apart here: the peak has both. */
static size_t file_size(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return 0;
    long size = ftell(file);
    fclose(file);
    return size > 0 ? (size_t)size : 0;
}

static int measure(measured *m, const char *path, int runs) {
    double *times = malloc((size_t)runs * sizeof *times);
    held h = {0};
    const bp_load_options options = {.allocator = {allocate, release, &h}};
    bp_error error;
    *m = (measured){.file_bytes = file_size(path)};
    for (int run = -1; times && run < runs; ++run) {
        bp_model *model;
        double start = seconds();
        if (bp_model_load_file(&model, path, &options, &error) != BP_OK) {
            char text[sizeof error.pointer + sizeof error.message + 2];
            bp_error_format(text, sizeof text, &error);
            fprintf(stderr, "%s: %s\n", path, text);
            free(times);
            return 1;
        }
        if (run >= 0) times[run] = 1e3 * (seconds() - start);
        m->model_bytes = model->memory_bytes;
        bp_model_destroy(model);
    }
    if (!times) return 1;
    qsort(times, (size_t)runs, sizeof *times, compare);
    m->median = times[runs / 2];
    m->fastest = times[0];
    m->peak_bytes = h.peak;
    free(times);
    return 0;
}

static void print_row(const char *path, const measured *m, int csv) {
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    double rate = (double)m->file_bytes / (1e3 * m->median);
    double peak = m->file_bytes ? (double)m->peak_bytes / (double)m->file_bytes : 0.0;
    if (csv)
        printf("%s,%zu,%.4f,%.4f,%.1f,%zu,%zu\n", path, m->file_bytes, m->median, m->fastest, rate,
               m->model_bytes, m->peak_bytes);
    else
        printf("%-44.44s %10zu %9.3f %9.3f %8.0f %10zu %7.2f\n", name, m->file_bytes, m->median,
               m->fastest, rate, m->model_bytes, peak);
}

int main(int argc, char **argv) {
    int runs = 15, csv = 0, failed = 0, first = 1;
    for (; first < argc && argv[first][0] == '-'; ++first) {
        if (strcmp(argv[first], "--csv") == 0)
            csv = 1;
        else if (strcmp(argv[first], "-n") == 0 && first + 1 < argc)
            runs = atoi(argv[++first]);
        else
            runs = 0;
    }
    if (runs < 1 || first == argc) {
        fprintf(stderr, "usage: bench_load [-n RUNS] [--csv] FILE...\n");
        return 2;
    }
    if (csv)
        printf("file,bytes,median_ms,fastest_ms,mb_per_s,model_bytes,peak_bytes\n");
    else
        printf("%-44s %10s %9s %9s %8s %10s %7s\n", "file", "bytes", "median ms", "fastest", "MB/s",
               "model", "peak/file");
    for (int i = first; i < argc; ++i) {
        measured m;
        if (measure(&m, argv[i], runs))
            failed = 1;
        else
            print_row(argv[i], &m, csv);
    }
    return failed;
}
