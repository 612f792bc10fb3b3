// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Warnings and refusals.
 *
 * A hostile file can break a rule a million times, at a million places. So warnings are found again
 * by a hash of (rule, place), and of each rule at most 1000 places are kept: what comes later is
 * counted in one more warning of that rule, whose place is the whole document.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES_PER_RULE = 1000, FIRST_CAPACITY = 16 };

/* Where a warning is: kept beside it, as its pointer text would be slow to compare. */
typedef struct bpi_report_place {
    int64_t offset; /* in the file; or -1 */
    bp_json value;
} place;

const char *bp_rule_name(bp_rule rule) {
    static const char *const names[] = {"",
#define RULE_NAME(name) #name,
                                        BP_RULES(RULE_NAME)
#undef RULE_NAME
    };
    assert(rule >= 0 && rule < BP_RULE_COUNT);
    return names[rule];
}

/* ---- warnings -------------------------------------------------------------------------------- */

static size_t hash_of(bp_rule rule, place at) {
    uint64_t hash = (uint64_t)at.offset * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= ((uint64_t)at.value << 8 | (uint64_t)rule) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (size_t)(hash >> 29);
}

/* The slot of the warning of this rule and place, or the free slot where it belongs. */
static size_t find_slot(const bpi_report *report, bp_rule rule, place at) {
    size_t mask = report->capacity * 2 - 1, slot = hash_of(rule, at) & mask;
    for (;; slot = (slot + 1) & mask) {
        uint32_t number = report->slots[slot];
        if (number == 0) return slot;
        const place *other = &report->places[number - 1];
        if (report->warnings[number - 1].rule == rule && other->offset == at.offset &&
            other->value == at.value)
            return slot;
    }
}

/* Doubles the room for warnings; the old arrays stay in the arena. */
static bool grow(bpi_report *report) {
    size_t capacity = report->capacity ? report->capacity * 2 : FIRST_CAPACITY;
    bp_warning *warnings = bpi_arena_take(report->arena, capacity, sizeof *warnings);
    place *places = bpi_arena_take(report->arena, capacity, sizeof *places);
    uint32_t *slots = bpi_arena_take(report->arena, capacity * 2, sizeof *slots);
    if (!report->rule_counts)
        report->rule_counts =
            bpi_arena_take(report->arena, BP_RULE_COUNT, sizeof *report->rule_counts);
    if (!warnings || !places || !slots || !report->rule_counts) return false;
    if (report->count > 0) {
        memcpy(warnings, report->warnings, report->count * sizeof *warnings);
        memcpy(places, report->places, report->count * sizeof *places);
    }
    report->warnings = warnings;
    report->places = places;
    report->slots = slots;
    report->capacity = capacity;
    for (size_t i = 0; i < report->count; ++i)
        slots[find_slot(report, warnings[i].rule, places[i])] = (uint32_t)(i + 1);
    return true;
}

static const char *copy_text(bpi_report *report, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = bpi_arena_take(report->arena, size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void lose(bpi_report *report) {
    report->failed = true;
    report->failure = bpi_memory_failure(report->arena->memory);
}

static void add(bpi_report *report, bp_rule rule, uint32_t count, place at, const char *format,
                va_list arguments) {
    bp_error texts; /* its message has the size that messages are cut to */
    char message[2 * sizeof texts.message];
    assert(rule > BP_RULE_NONE && rule < BP_RULE_COUNT && count >= 1);
    if (report->count == report->capacity && !grow(report)) {
        lose(report);
        return;
    }
    size_t slot = find_slot(report, rule, at);
    if (report->slots[slot] == 0 && report->rule_counts[rule] >= PLACES_PER_RULE) {
        at = (place){-1, BP_JSON_NONE};
        slot = find_slot(report, rule, at);
    }
    if (report->slots[slot] != 0) {
        uint32_t *total = &report->warnings[report->slots[slot] - 1].count;
        *total = count > UINT32_MAX - *total ? UINT32_MAX : *total + count;
        return;
    }
    if (report->rule_counts[rule]++ >= PLACES_PER_RULE)
        snprintf(message, sizeof message, "the same at more than %d other places", PLACES_PER_RULE);
    else
        vsnprintf(message, sizeof message, format, arguments);
    bpi_text_clean(texts.message, sizeof texts.message, message);
    const char *copy = copy_text(report, texts.message);
    if (!copy) {
        lose(report);
        return;
    }
    report->warnings[report->count] = (bp_warning){
        .rule = rule, .count = count, .offset = at.offset, .pointer = "", .message = copy};
    report->places[report->count] = at;
    report->slots[slot] = (uint32_t)++report->count;
}

void bpi_warn(bpi_report *report, const bp_document *document, bp_json place_of, bp_rule rule,
              uint32_t count, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)document; /* its pointer is found at the end */
    add(report, rule, count, (place){-1, place_of}, format, arguments);
    va_end(arguments);
}

void bpi_warn_offset(bpi_report *report, int64_t offset, bp_rule rule, const char *format, ...) {
    va_list arguments;
    assert(offset >= 0);
    va_start(arguments, format);
    add(report, rule, 1, (place){offset, BP_JSON_NONE}, format, arguments);
    va_end(arguments);
}

/* A warning by its number, to be sorted by where it is. */
typedef struct ordered {
    bp_json value;
    uint32_t number;
} ordered;

static int compare_places(const void *left, const void *right) {
    const ordered *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/*
 * A pointer is found by a walk from the first child, so that of warnings in any order each could
 * take a walk over the whole file. In the order of the file, each goes on where the last one ended.
 */
bool bpi_report_finish(bpi_report *report, const bp_document *document) {
    if (report->failed || report->count == 0) return !report->failed;
    bpi_json_trail trail = {0};
    ordered *order = bpi_arena_take(report->arena, report->count, sizeof *order);
    for (size_t i = 0; order && i < report->count; ++i)
        order[i] = (ordered){report->places[i].value, (uint32_t)i};
    if (order) qsort(order, report->count, sizeof *order, compare_places);
    for (size_t i = 0; order && i < report->count && order[i].value != BP_JSON_NONE; ++i) {
        bp_error texts; /* as above */
        char pointer[sizeof texts.pointer];
        bpi_json_pointer_along(document, order[i].value, pointer, sizeof pointer, &trail);
        bpi_text_clean(texts.pointer, sizeof texts.pointer, pointer);
        const char *copy = copy_text(report, texts.pointer);
        if (!copy) order = NULL;
        if (copy) report->warnings[order[i].number].pointer = copy;
    }
    if (!order) lose(report);
    return !report->failed;
}

const bp_warning *bpi_report_layout(const bp_warning *warnings, size_t count, bpi_layout *layout) {
    bp_warning *copies = bpi_layout_take(layout, count, sizeof *copies);
    for (size_t i = 0; i < count; ++i) {
        const bp_warning *from = &warnings[i];
        const char *pointer = bpi_layout_text(layout, from->pointer, strlen(from->pointer));
        const char *message = bpi_layout_text(layout, from->message, strlen(from->message));
        if (!copies) continue;
        copies[i] = *from;
        copies[i].pointer = pointer;
        copies[i].message = message;
    }
    return copies;
}

/* ---- refusals -------------------------------------------------------------------------------- */

bp_result bpi_refuse(bp_error *error, bp_result result, const bp_document *document, bp_json at,
                     bp_rule rule, const char *format, ...) {
    if (!error) return bpi_fail(NULL, result, NULL, BPI_NO_OFFSET, NULL, "%s", "");
    char message[2 * sizeof error->message], pointer[sizeof error->pointer];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bp_json_pointer(document, at, pointer, sizeof pointer);
    return bpi_fail(error, result, bp_rule_name(rule), BPI_NO_OFFSET, pointer, "%s", message);
}
