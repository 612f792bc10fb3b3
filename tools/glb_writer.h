// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// A writer of GLB files for the generators of our own assets: the JSON is put together from text,
// the arrays go to the binary chunk, and the same calls give the same bytes on every machine.
//
// Generators have nothing useful to do when something fails: a broken rule stops at an assert, and
// running out of memory ends the program with a message.

#ifndef GLB_WRITER_H
#define GLB_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A string or a block of bytes that grows. Starts as {0}; `data` is terminated once it is used.
typedef struct glb_text {
    char *data;
    size_t size, capacity;
} glb_text;

void glb_text_bytes(glb_text *text, const void *bytes, size_t size);
void glb_text_format(glb_text *text, const char *format, ...);
// "[1,0.5,-3]", each number as short as it can be while still reading back as the same float.
void glb_text_floats(glb_text *text, const float *values, size_t count);
void glb_text_free(glb_text *text);

// The arrays of the root object that elements can be added to, in the order they are written.
typedef enum glb_list {
    GLB_SCENES,
    GLB_NODES,
    GLB_MESHES,
    GLB_MATERIALS,
    GLB_SKINS,
    GLB_ANIMATIONS,
    GLB_ACCESSORS,
    GLB_BUFFER_VIEWS,
    GLB_LIST_COUNT
} glb_list;

typedef struct glb_writer {
    const char *generator, *copyright; // of glTF's "asset"
    glb_text lists[GLB_LIST_COUNT];
    uint32_t counts[GLB_LIST_COUNT];
    glb_text binary;
} glb_writer;

// Appends one element, given as JSON, to a list. Returns its index.
uint32_t glb_add(glb_writer *writer, glb_list list, const char *json);

// What an array is for; the numbers are glTF's bufferView.target.
typedef enum glb_use {
    GLB_USE_DATA = 0,
    GLB_USE_VERTICES = 34962,
    GLB_USE_INDICES = 34963
} glb_use;

// An array to become an accessor. One of floats, bytes and shorts is given, tightly packed.
typedef struct glb_array {
    const char *type; // "SCALAR", "VEC3", "VEC4", "MAT4"
    uint32_t count;   // elements
    const float *floats;
    const uint8_t *bytes;
    const uint16_t *shorts;
    bool normalized;
    bool with_bounds; // floats only: write min and max
    glb_use use;
    // Sparse: `floats` holds sparse_count elements, for the ascending elements sparse_elements of
    // an array that is zero elsewhere. An array that is zero everywhere has sparse_count 0.
    bool sparse;
    uint32_t sparse_count;
    const uint16_t *sparse_elements;
} glb_array;

// Appends an accessor with its buffer views and data. Returns the accessor's index.
uint32_t glb_add_array(glb_writer *writer, const glb_array *array);

// Writes the file. On failure says why on stderr and returns false.
bool glb_write(const glb_writer *writer, const char *path);

void glb_free(glb_writer *writer);

#endif
