// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What reading a document has to say: warnings, collected in order of first appearance, one for
 * each (rule, place) with a count; and refusals, which fill a bp_error with the place of a JSON
 * value.
 */
#ifndef BPI_DOCUMENT_REPORT_H
#define BPI_DOCUMENT_REPORT_H

#include "base/base_error.h"
#include "base/base_memory.h"
#include "bindpose/document.h"

typedef struct bpi_report {
    bpi_arena *arena;     /* warnings live here until they are laid out */
    bp_warning *warnings; /* growing array in the arena */
    size_t count, capacity;
    bool failed;                     /* a warning was lost for lack of memory: the load must fail */
    bp_result failure;               /* BP_ERROR_LIMIT or BP_ERROR_OUT_OF_MEMORY, when failed */
    struct bpi_report_place *places; /* [capacity] of each warning; private, as all below */
    uint32_t *slots;                 /* [2 * capacity] hash table: number of a warning + 1, or 0 */
    uint32_t *rule_counts;           /* [BP_RULE_COUNT] places kept of each rule */
} bpi_report;

/* Adds `count` (at least 1) to the warning of this rule and place; the first message stays. */
void bpi_warn(bpi_report *report, const bp_document *document, bp_json place, bp_rule rule,
              uint32_t count, const char *format, ...) BPI_PRINTF(6, 7);

/* The same for a place that is a byte offset in the file. */
void bpi_warn_offset(bpi_report *report, int64_t offset, bp_rule rule, const char *format, ...)
    BPI_PRINTF(4, 5);

/* Writes the JSON pointers of all warnings, due once at the end; false: report->failed. */
bool bpi_report_finish(bpi_report *report, const bp_document *document);

/* Fills `error` with the pointer of `place`; returns `result`. */
bp_result bpi_refuse(bp_error *error, bp_result result, const bp_document *document, bp_json place,
                     bp_rule rule, const char *format, ...) BPI_PRINTF(6, 7);

/* Room for the warnings and their texts in an asset; while measuring returns NULL. */
const bp_warning *bpi_report_layout(const bp_warning *warnings, size_t count, bpi_layout *layout);

#endif
