// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What a frame costs: sampling, global transforms, palettes, skinning, crowds; and loading. Rigs,
 * clips and meshes are made in code. docs/benchmarks.md lists the rows and says what they mean.
 *
 *   bench_frame [options] [FILE...]        the files are loaded
 *
 * Every instruction set takes its turn beside the others and beside a copy of as many bytes, so
 * that ratios hold where times do not.
 */

#define _POSIX_C_SOURCE 200809L

#include "bench_frame.h"
#include "../cli/cli_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: bench_frame [options] [FILE...]\n"
    "\n"
    "Measures sampling, global transforms, palettes, skinning and crowds on this machine, and\n"
    "loading: of the files, or of assets/*.glb. ns an item by each instruction set, medians; of "
    "the\n"
    "last one the lower quartile, the ratio of the first to it, the spread between its quartiles,\n"
    "how many MB/s it moves, and what a plain copy of as many bytes takes beside it.\n"
    "\n"
    "  --only BEGINNING  only rows whose name begins so; may be given several times\n"
    "  --cpu LEVEL       no instruction set above this\n"
    "  --seconds S       for each row (default 1; with --quick 0.2)\n"
    "  --quick           the rows that tell most\n"
    "  --csv             all numbers, for programs\n"
    "  --help            this text\n";

/* ---- memory and failures -------------------------------------------------------------------- */

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "bench_frame: %s\n", what);
    exit(2);
}

void *bench_allocate(size_t count, size_t size) {
    size_t bytes = (count * size + 63) / 64 * 64 + 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) fail("out of memory");
    return memset(memory, 0, bytes);
}

void bench_check(bp_result result, const bp_error *error) {
    if (result == BP_OK) return;
    char text[sizeof error->pointer + sizeof error->message + 32];
    bp_error_format(text, sizeof text, error);
    fail(text);
}

/* ---- writing -------------------------------------------------------------------------------- */

bool bench_wants(const bench *b, const char *name) {
    for (size_t i = 0; i < b->only_count; i++)
        if (strncmp(name, b->only[i], strlen(b->only[i])) == 0) return true;
    return b->only_count == 0;
}

/* Value. A lane of a row as it is written. */
typedef struct column {
    const char *name; /* of the instruction set; "copy" */
    int threads;
    const char *head; /* in the table; NULL: not shown there */
} column;

/* Seconds that a copy of the row's bytes took, or 0. */
static double copy_ns(const column *columns, const cli_timing *timings, size_t count) {
    bool copied = count > 0 && strcmp(columns[count - 1].name, "copy") == 0;
    return copied ? timings[count - 1].median_ns : 0;
}

static void write_csv(const bench_work *work, const column *columns, const cli_timing *timings,
                      size_t count) {
    double copy = copy_ns(columns, timings, count);
    double items = (double)work->items;
    for (size_t i = 0; i < count; i++) {
        const cli_timing *t = &timings[i];
        printf("%s,%s,%d,%s,%zu,%u,%.1f,%.1f,%.1f,%.4f,%.4f,%.3f,%zu", work->name, columns[i].name,
               columns[i].threads, work->unit, work->items, (unsigned)t->batches, t->low_ns,
               t->median_ns, t->high_ns, t->low_ns / items, t->median_ns / items, t->ratio,
               work->bytes);
        if (work->bytes > 0) printf(",%.0f", 1e3 * (double)work->bytes / t->median_ns);
        if (copy > 0) printf(",%.3f", copy / t->median_ns);
        printf("%s\n", work->bytes == 0 ? ",," : copy == 0 ? "," : "");
    }
}

static void write_csv_head(void) {
    printf("row,set,threads,unit,items,batches,low_ns,median_ns,high_ns,low_ns_per_item,"
           "median_ns_per_item,ratio,bytes,mb_per_s,of_copy\n");
}

/* The head of the table is written anew where other columns begin. */
static void write_head(const bench *b, const column *columns, size_t count) {
    static char last[128];
    char head[sizeof last] = "";
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(head);
        if (columns[i].head)
            snprintf(head + length, sizeof head - length, " %10s", columns[i].head);
    }
    if (strcmp(head, last) == 0) return;
    strcpy(last, head);
    printf("%s%-28s%s %8s %7s %8s %8s %8s\n", b->row_count > 0 ? "\n" : "", "ns an item", head,
           "low", "ratio", "spread", "MB/s", "of copy");
}

static void write_line(const bench *b, const bench_work *work, const column *columns,
                       const cli_timing *timings, size_t count) {
    write_head(b, columns, count);
    printf("%-28s", work->name);
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        if (!columns[i].head) continue;
        printf(" %10.2f", timings[i].median_ns / (double)work->items);
        last = i;
    }
    const cli_timing *t = &timings[last];
    printf(" %8.2f %7.2f %7.1f%%", t->low_ns / (double)work->items, t->ratio,
           100 * (t->high_ns - t->low_ns) / t->median_ns);
    if (work->bytes > 0) printf(" %8.0f", 1e3 * (double)work->bytes / t->median_ns);
    double copy = copy_ns(columns, timings, count);
    if (copy > 0) printf(" %7.0f%%", 100 * copy / t->median_ns);
    printf("\n");
}

static void write_row(bench *b, const bench_work *work, const column *columns,
                      const cli_timing *timings, size_t count) {
    if (b->csv && b->row_count == 0) write_csv_head();
    if (b->csv)
        write_csv(work, columns, timings, count);
    else
        write_line(b, work, columns, timings, count);
    b->row_count++;
    fflush(stdout); /* what is measured so far is there to be seen */
}

void bench_bytes(bench *b, const char *name, size_t items, size_t bytes) {
    if (b->csv && b->row_count == 0) write_csv_head();
    if (b->csv)
        printf("%s,,,joint,%zu,,,,,,,,%zu,,\n", name, items, bytes);
    else
        printf("%-28s %10zu bytes, %.1f a joint\n", name, bytes, (double)bytes / (double)items);
    b->row_count++;
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* Value. A copy that moves as many bytes as a row: half of them read, half of them written. */
typedef struct copying {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
} copying;

static void copy(void *context, size_t times) {
    copying *c = context;
    while (times-- > 0) {
        memcpy(c->to, c->from, c->size);
#if defined(__GNUC__)
        __asm__ volatile("" : : "r"(c->to) : "memory"); /* it is needed, every time */
#endif
    }
}

static copying copying_make(bench *b, size_t bytes) {
    size_t size = bytes / 2;
    if (size > b->copy_size) {
        free(b->copied);
        free(b->copy);
        b->copied = bench_allocate(size, 1);
        b->copy = bench_allocate(size, 1);
        b->copy_size = size;
    }
    return (copying){b->copy, b->copied, size};
}

static void measure(bench *b, const bench_work *work, const column *columns, const cli_lane *lanes,
                    size_t count) {
    cli_timing timings[CLI_MOST_LANES];
    if (!cli_measure(timings, lanes, count, b->seconds)) fail("out of memory");
    write_row(b, work, columns, timings, count);
}

void bench_sets(bench *b, const bench_work *work) {
    column columns[CLI_MOST_LANES];
    cli_lane lanes[CLI_MOST_LANES];
    size_t count = 0;
    for (; count < b->set_count; count++) {
        const char *name = bp_cpu_name(b->sets[count]);
        columns[count] = (column){name, 1, name};
        lanes[count] = (cli_lane){work->run, work->context, b->sets[count], false};
    }
    copying c = copying_make(b, work->bytes);
    columns[count] = (column){"copy", 1, NULL};
    lanes[count++] = (cli_lane){copy, &c, BP_CPU_SCALAR, false};
    measure(b, work, columns, lanes, count);
}

void bench_once(bench *b, const bench_work *work) {
    bp_cpu best = b->sets[b->set_count - 1];
    column in = {bp_cpu_name(best), 1, bp_cpu_name(best)};
    cli_lane lane = {work->run, work->context, best, false};
    measure(b, work, &in, &lane, 1);
}

void bench_threads(bench *b, const bench_work *work, void *context_of_two) {
    bp_cpu best = b->sets[b->set_count - 1];
    const char *name = bp_cpu_name(best);
    column columns[] = {{name, 1, "1 thread"}, {name, 2, "2 threads"}};
    cli_lane lanes[] = {{work->run, work->context, best, true},
                        {work->run, context_of_two, best, true}};
    measure(b, work, columns, lanes, 2);
}

/* ---- loading -------------------------------------------------------------------------------- */

static void load(void *context, size_t times) {
    const char *path = context;
    while (times-- > 0) {
        bp_model *model;
        bp_error error;
        bench_check(bp_model_load_file(&model, path, NULL, &error), &error);
        bp_model_destroy(model);
    }
}

static void load_rows(bench *b, char **files, int count) {
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(files[i], '/');
        bench_work work = {.unit = "byte", .run = load, .context = files[i]};
        snprintf(work.name, sizeof work.name, "load/%.50s", slash ? slash + 1 : files[i]);
        struct stat status;
        if (!bench_wants(b, work.name)) continue;
        if (stat(files[i], &status) != 0) {
            fprintf(stderr, "bench_frame: %s is not there; load rows are left out\n", files[i]);
            continue;
        }
        work.items = work.bytes = (size_t)status.st_size;
        bench_once(b, &work);
    }
}

/* ---- the program ---------------------------------------------------------------------------- */

static int refuse(const char *what, const char *argument) {
    fprintf(stderr, "bench_frame: %s %s; try 'bench_frame --help'\n", what, argument);
    return 2;
}

static bool limit_cpu(const char *name) {
    for (int cpu = BP_CPU_SCALAR; cpu <= BP_CPU_SIMD128; cpu++) {
        if (strcmp(name, bp_cpu_name((bp_cpu)cpu)) != 0) continue;
        bp_cpu_limit((bp_cpu)cpu);
        return bp_cpu_available((bp_cpu)cpu);
    }
    return false;
}

/* The index of the first file; -1 where the program is over, with `status`. */
static int read_options(bench *b, int argc, char **argv, int *status) {
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        const char *option = argv[i];
        bool has_value = i + 1 < argc;
        if (strcmp(option, "--csv") == 0) {
            b->csv = true;
        } else if (strcmp(option, "--quick") == 0) {
            b->quick = true;
        } else if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            *status = 0;
            return -1;
        } else if (strcmp(option, "--only") == 0 && has_value && b->only_count < BENCH_MOST_ONLY) {
            b->only[b->only_count++] = argv[++i];
        } else if (strcmp(option, "--seconds") == 0 && has_value && atof(argv[i + 1]) > 0) {
            b->seconds = atof(argv[++i]);
        } else if (strcmp(option, "--cpu") == 0 && has_value && limit_cpu(argv[i + 1])) {
            i++;
        } else {
            *status = refuse("unknown, or without a value that fits:", option);
            return -1;
        }
    }
    return i;
}

int main(int argc, char **argv) {
    bench b = {0};
    int status;
    int first = read_options(&b, argc, argv, &status);
    if (first < 0) return status;
    if (b.seconds == 0) b.seconds = b.quick ? 0.2 : 1;
    b.set_count = cli_list_sets(b.sets);

    char arm[] = "assets/arm.glb", walker[] = "assets/walker.glb";
    char *assets[] = {arm, walker};
    bench_pose_rows(&b);
    bench_skin_rows(&b);
    if (first < argc)
        load_rows(&b, argv + first, argc - first);
    else
        load_rows(&b, assets, 2);
    free(b.copied);
    free(b.copy);
    if (b.row_count > 0) return 0;
    return refuse("no row begins with", b.only_count > 0 ? b.only[0] : "that");
}
