// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "cli.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

cli_table cli_table_start(const char *alignment) {
    return (cli_table){.alignment = alignment, .columns = strlen(alignment)};
}

void cli_table_add(cli_table *table, const char *cell) {
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 8 * table->columns;
        char **cells = cli_allocate(capacity, sizeof *cells);
        if (table->count > 0) memcpy(cells, table->cells, table->count * sizeof *cells);
        free(table->cells);
        table->cells = cells;
        table->capacity = capacity;
    }
    char *copy = cli_allocate(strlen(cell) + 1, 1);
    table->cells[table->count++] = strcpy(copy, cell);
}

static size_t column_width(const cli_table *table, size_t column) {
    size_t widest = 0;
    for (size_t i = column; i < table->count; i += table->columns) {
        size_t width = cli_width(table->cells[i]);
        if (width > widest) widest = width;
    }
    return widest;
}

/* Blanks are written before the next text only, so that no line ends in them. */
static void write_row(const cli_table *table, size_t row, const size_t *widths,
                      cli_output *output) {
    size_t blanks = 0;
    for (size_t column = 0; column < table->columns; column++) {
        const char *cell = table->cells[row * table->columns + column];
        size_t room = widths[column] - cli_width(cell);
        blanks += 2 + (table->alignment[column] == 'r' ? room : 0);
        if (*cell) {
            cli_output_repeat(output, " ", blanks);
            cli_output_text(output, cell);
            blanks = 0;
        }
        if (table->alignment[column] != 'r') blanks += room;
    }
    cli_output_text(output, "\n");
}

void cli_table_finish(cli_table *table, cli_output *output) {
    assert(table->count % table->columns == 0);
    size_t *widths = cli_allocate(table->columns, sizeof *widths);
    for (size_t i = 0; i < table->columns; i++)
        widths[i] = column_width(table, i);
    for (size_t row = 0; row < table->count / table->columns; row++)
        write_row(table, row, widths, output);
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(widths);
    *table = (cli_table){0};
}
