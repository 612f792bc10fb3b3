// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The collection of models that conformance tests read: where it is, its files, and its JSON, which
 * the library's own reader reads.
 */
#ifndef BINDPOSE_TEST_SHARED_H
#define BINDPOSE_TEST_SHARED_H

#include "bindpose/document.h"

enum { TEST_SKIPPED = 77, TEST_PATH_SIZE = 1024 };

/* BINDPOSE_SHARED/NAME in `path`; false when there is no such file or folder. */
bool test_shared_path(char path[TEST_PATH_SIZE], const char *name);

/* Calls `visit` for every file below `folder` whose name ends with `suffix`, sorted by path. */
void test_files_visit(const char *folder, const char *suffix,
                      void (*visit)(void *user, const char *path), void *user);

/* Member of an object, or a failed test. */
bp_json test_json_member(const bp_document *document, bp_json object, const char *key);

/* A number that must be there. */
double test_json_number(const bp_document *document, bp_json value);

/* The number of a member, or `fallback` when absent or null. */
double test_json_number_or(const bp_document *document, bp_json object, const char *key,
                           double fallback);

/* All numbers of an array, in malloc'ed memory; null becomes NaN. NULL when absent. */
double *test_json_numbers(const bp_document *document, bp_json array, uint32_t *count);

#endif
