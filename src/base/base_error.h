// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The one place where failures are made: a breakpoint in bpi_fail stops at every error.
 */
#ifndef BPI_BASE_ERROR_H
#define BPI_BASE_ERROR_H

#include "bindpose/base.h"

#if defined(__GNUC__)
#define BPI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BPI_PRINTF(text, first)
#endif

enum { BPI_NO_OFFSET = -1 };

/*
 * Fills `error` (may be NULL) and returns `result`, which is not BP_OK. `rule` is a static string
 * or NULL; `pointer` the JSON pointer or NULL; `offset` BPI_NO_OFFSET when the place is the
 * pointer.
 */
bp_result bpi_fail(bp_error *error, bp_result result, const char *rule, int64_t offset,
                   const char *pointer, const char *format, ...) BPI_PRINTF(6, 7);

/*
 * Copies text of any bytes for a message: what is broken UTF-8, a control character, or invisible
 * and able to change how text reads (bidirectional overrides, line separators) becomes '?'; cut at
 * a whole character. Always terminated; size > 0.
 */
void bpi_text_clean(char *text, size_t size, const char *source);

#endif
