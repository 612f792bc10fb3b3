// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Small models that together use every part of the format that is read. Each is kept as the text of
 * its JSON and lists of numbers, one a buffer view, and made into a GLB or a .gltf with data URIs.
 */
#ifndef BINDPOSE_TEST_FIXTURES_H
#define BINDPOSE_TEST_FIXTURES_H

#include <stdbool.h>
#include <stddef.h>

/* A file in memory of exactly its size, so that a sanitizer sees a read past its end. */
typedef struct test_file {
    unsigned char *bytes; /* malloc */
    size_t size;
} test_file;

size_t test_fixture_count(void);
const char *test_fixture_name(size_t fixture);

/* Fixtures that need an optional component (meshopt, Draco) to load. */
bool test_fixture_is_optional(size_t fixture);

/* `glb`: a GLB; else JSON with data URIs. Release with free(file.bytes). */
test_file test_fixture_make(size_t fixture, bool glb);

/* A GLB of a JSON text (padded with spaces) and a BIN chunk (left out when NULL). */
test_file test_glb_make(const char *json, const unsigned char *bin, size_t bin_size);

/* A copy of a file's bytes; size 0 when it cannot be read. */
test_file test_file_read(const char *path);

#endif
