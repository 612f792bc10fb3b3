// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What a document offers to the gltf module beyond its public header: look-ups in one pass, and the
 * warnings that reading an accessor gives.
 */
#ifndef BPI_DOCUMENT_QUERY_H
#define BPI_DOCUMENT_QUERY_H

#include "document/document_report.h"

/*
 * A string of the program to compare with those of a document: at most 22 bytes, with the quote
 * that ends it in JSON and without escapes. The first eight bytes mostly decide, so `unused` tells
 * how many bits of them are behind the quote.
 */
typedef struct bpi_json_name {
    char quoted[24];
    uint8_t length; /* without the quote */
    uint8_t unused;
} bpi_json_name;

#define BPI_NAME(text)                                                                             \
    { text "\"", sizeof(text) - 1, 8 * (sizeof(text) < 8 ? 8 - sizeof(text) : 0) }

/*
 * Looks up `count` names in an object at once: values[i] becomes the member names[i], or
 * BP_JSON_NONE. One pass over the members, where as many calls of bp_json_member make one each.
 * False when it is no object.
 */
bool bpi_json_find(const bp_document *document, bp_json object, const bpi_json_name *names,
                   uint32_t count, bp_json *values);

/* The same for strings whose length is not known; at most 16. */
void bpi_json_members(const bp_document *document, bp_json object, const char *const *keys,
                      uint32_t count, bp_json *values);

/* Number of the name that a value, a string, is equal to; `count` when to none. */
uint32_t bpi_json_choose(const bp_document *document, bp_json value, const bpi_json_name *names,
                         uint32_t count);

/* Writes the first `most` values of an array; returns how many it has. */
uint32_t bpi_json_elements(const bp_document *document, bp_json array, bp_json *elements,
                           uint32_t most);

/* bp_document_accessor that also tells what it had to interpret; report may be NULL. */
bp_result bpi_document_accessor(const bp_document *document, uint32_t index, bp_json place,
                                bp_accessor *accessor, bpi_report *report, bp_error *error);

/* Every field set: 0 becomes the default. */
bp_limits bpi_limits_complete(bp_limits limits);

/* Memory that the document holds, of limits.memory_bytes. */
uint64_t bpi_document_memory_held(const bp_document *document);

/* Bytes of one component and of one whole element with the padding of matrix columns. */
size_t bpi_component_size(bp_component_type type);
size_t bpi_element_size(bp_element_type element, bp_component_type component);

/* True when a string starts with "data:". */
bool bpi_uri_is_data(const bp_document *document, bp_json uri);

/*
 * Decodes a data URI into memory of the arena. media_type (may be NULL) gets at most `size` bytes,
 * always terminated, "" when the URI names none.
 */
bp_result bpi_uri_decode_data(const bp_document *document, bp_json uri, bpi_arena *arena,
                              bp_bytes *bytes, char *media_type, size_t size, bp_error *error);

/*
 * The path that a URI which is no data URI stands for, percent escapes decoded, in the arena.
 * Refuses what is no URI of a file; `inside`: also a scheme, an absolute path and `..` out of the
 * folder.
 */
bp_result bpi_uri_decode_path(const bp_document *document, bp_json uri, bool inside,
                              bpi_arena *arena, const char **path, bp_error *error);

#endif
