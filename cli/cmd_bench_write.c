// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `bench` for eyes and for programs.
 */

#include "cmd_bench.h"

#include <string.h>

/* ---- for eyes ------------------------------------------------------------------------------- */

/* 812 ns, 1.23 µs, 45.6 ms: three digits. */
static cli_word duration(double ns) {
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    int unit = 0;
    for (; ns >= 999.5 && unit < 3; unit++)
        ns /= 1000;
    const char *format = ns < 9.995 ? "%.2f %s" : ns < 99.95 ? "%.1f %s" : "%.0f %s";
    return cli_format(format, ns, units[unit]);
}

static bool is_by_threads(const bench_row *row) {
    return strcmp(row->name, "skin_threads") == 0;
}

/* What one item took by the last lane; of a frame, how much of the screen's. */
static cli_word each(const bench_row *row) {
    double ns = row->lanes[row->lane_count - 1].timing.median_ns;
    double percent = 100 * 60 * ns / 1e9;
    if (strcmp(row->name, "frame") == 0)
        return cli_format(percent < 9.995 ? "%.2f %% of 1/60 s" : "%.0f %% of 1/60 s", percent);
    return cli_format("%s a %s", duration(ns / (double)row->items).text, row->one);
}

/* A row with fewer lanes than the table has columns for stands under the last ones. */
static void add_row(cli_table *table, const bench_row *row, size_t lane_count) {
    cli_table_add(table, is_by_threads(row) ? "skin" : row->name);
    cli_table_add(table, cli_count_of(row->items, row->one, row->many).text);
    for (size_t i = row->lane_count; i < lane_count; i++)
        cli_table_add(table, "");
    for (size_t i = 0; i < row->lane_count; i++)
        cli_table_add(table, duration(row->lanes[i].timing.median_ns).text);
    double ratio = row->lanes[row->lane_count - 1].timing.ratio;
    if (lane_count > 1)
        cli_table_add(table, row->lane_count > 1 ? cli_format("%.2f", ratio).text : "");
    cli_table_add(table, each(row).text);
}

static void write_table(cli_output *output, const bench_row *rows, size_t count) {
    const bench_row *widest = rows;
    for (size_t i = 0; i < count; i++)
        if (rows[i].lane_count > widest->lane_count) widest = &rows[i];
    size_t lane_count = widest->lane_count;
    cli_table table = cli_table_start(lane_count > 1 ? "lrrrrr" : "lrrr");
    cli_table_add(&table, "");
    cli_table_add(&table, "of");
    for (size_t i = 0; i < lane_count; i++) {
        const bench_lane *lane = &widest->lanes[i];
        cli_table_add(&table, is_by_threads(widest)
                                  ? cli_count_of(lane->threads, "thread", "threads").text
                                  : bp_cpu_name(lane->cpu));
    }
    if (lane_count > 1) cli_table_add(&table, "ratio");
    cli_table_add(&table, "each");
    for (size_t i = 0; i < count; i++)
        add_row(&table, &rows[i], lane_count);
    cli_table_finish(&table, output);
}

void bench_write_text(cli_output *output, const bench_report *report) {
    cli_output_clean(output, report->request->label);
    const bp_clip *clip = report->clip;
    if (clip) {
        uint32_t index = (uint32_t)(clip - report->model->clips);
        cli_output_format(output, ", clip %s\n\n", cli_item(index, clip->name).text);
    } else {
        cli_output_text(output, ", the rest pose\n\n");
    }
    size_t count = report->row_count;
    bool threads = count > 0 && is_by_threads(&report->rows[count - 1]);
    if (count > threads) write_table(output, report->rows, count - threads);
    if (!threads) return;
    cli_output_text(output, "\n");
    write_table(output, &report->rows[count - 1], 1);
}

/* ---- for programs --------------------------------------------------------------------------- */

static void write_lane(cli_json *json, const bench_lane *lane) {
    cli_json_object(json, NULL);
    cli_json_string(json, "cpu", bp_cpu_name(lane->cpu));
    cli_json_integer(json, "threads", lane->threads);
    cli_json_integer(json, "batches", lane->timing.batches);
    cli_json_float(json, "low_ns", (float)lane->timing.low_ns);
    cli_json_float(json, "median_ns", (float)lane->timing.median_ns);
    cli_json_float(json, "high_ns", (float)lane->timing.high_ns);
    cli_json_float(json, "ratio", (float)lane->timing.ratio);
    cli_json_close(json);
}

void bench_write_json(cli_output *output, const bench_report *report) {
    cli_json json = cli_json_start(output, 2);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", report->request->file);
    if (report->clip) {
        cli_json_object(&json, "clip");
        cli_json_integer(&json, "index", (uint64_t)(report->clip - report->model->clips));
        cli_json_string(&json, "name", report->clip->name);
        cli_json_close(&json);
    } else {
        cli_json_null(&json, "clip");
    }
    cli_json_string(&json, "cpu", bp_cpu_name(report->cpu));
    cli_json_integer(&json, "threads", report->threads);
    cli_json_array(&json, "rows");
    for (size_t i = 0; i < report->row_count; i++) {
        const bench_row *row = &report->rows[i];
        cli_json_object(&json, NULL);
        cli_json_string(&json, "row", row->name);
        cli_json_string(&json, "unit", row->one);
        cli_json_integer(&json, "items", row->items);
        cli_json_array(&json, "lanes");
        for (size_t k = 0; k < row->lane_count; k++)
            write_lane(&json, &row->lanes[k]);
        cli_json_close(&json);
        cli_json_close(&json);
    }
    cli_json_close(&json);
    cli_json_close(&json);
}
