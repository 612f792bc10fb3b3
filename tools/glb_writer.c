// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

// Outline: growing text, the lists of JSON elements, arrays as accessors, the container.
//
// Each array gets a buffer view of its own, aligned to four bytes, which satisfies every alignment
// and stride rule of glTF at once (2.0, 3.6.2.4) for the element sizes used here.

#include "glb_writer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text ---------------------------------------------------------------------------------------

static void text_reserve(glb_text *text, size_t more) {
    size_t needed = text->size + more + 1;
    if (needed <= text->capacity) {
        return;
    }
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (!data) {
        fputs("glb_writer: out of memory\n", stderr);
        exit(2);
    }
    text->data = data;
    text->capacity = capacity;
}

void glb_text_bytes(glb_text *text, const void *bytes, size_t size) {
    text_reserve(text, size);
    if (size > 0) {
        memcpy(text->data + text->size, bytes, size);
    }
    text->size += size;
    text->data[text->size] = '\0';
}

void glb_text_format(glb_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);

    text_reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->data + text->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->size += (size_t)length;
}

static void text_float(glb_text *text, float value) {
    char digits[32];
    for (int precision = 1; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (strtof(digits, NULL) == value) {
            break;
        }
    }
    glb_text_format(text, "%s", digits);
}

void glb_text_floats(glb_text *text, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        glb_text_format(text, i == 0 ? "[" : ",");
        text_float(text, values[i]);
    }
    glb_text_format(text, "]");
}

void glb_text_free(glb_text *text) {
    free(text->data);
    *text = (glb_text){0};
}

// ---- lists --------------------------------------------------------------------------------------

uint32_t glb_add(glb_writer *writer, glb_list list, const char *json) {
    glb_text_format(&writer->lists[list], "%s%s", writer->counts[list] > 0 ? "," : "", json);
    return writer->counts[list]++;
}

// ---- arrays -------------------------------------------------------------------------------------

// Appends an integer as glTF stores it, least byte first, whatever this machine does.
static void add_little_endian(glb_text *binary, uint32_t value, size_t size) {
    unsigned char bytes[4];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    glb_text_bytes(binary, bytes, size);
}

static void add_floats(glb_text *binary, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        add_little_endian(binary, bits, 4);
    }
}

static void add_shorts(glb_text *binary, const uint16_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_little_endian(binary, values[i], 2);
    }
}

// Closes the buffer view that began at byte `start`, and pads the binary chunk to four bytes.
static uint32_t end_view(glb_writer *writer, size_t start, glb_use use) {
    glb_text json = {0};
    glb_text_format(&json, "{\"buffer\":0");
    if (start > 0) {
        glb_text_format(&json, ",\"byteOffset\":%zu", start);
    }
    glb_text_format(&json, ",\"byteLength\":%zu", writer->binary.size - start);
    if (use != GLB_USE_DATA) {
        glb_text_format(&json, ",\"target\":%d", (int)use);
    }
    glb_text_format(&json, "}");
    uint32_t view = glb_add(writer, GLB_BUFFER_VIEWS, json.data);
    glb_text_free(&json);
    while (writer->binary.size % 4 != 0) {
        glb_text_bytes(&writer->binary, "", 1);
    }
    return view;
}

static uint32_t component_count(const char *type) {
    static const struct {
        const char *type;
        uint32_t count;
    } known[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].type, type) == 0) {
            return known[i].count;
        }
    }
    assert(false && "a type that glb_writer knows");
    return 0;
}

// Bounds of `count` elements; those of a sparse array take in the zeros between its elements.
static void add_bounds(glb_text *json, const float *values, uint32_t count, uint32_t components,
                       bool with_zeros) {
    float low[16] = {0}, high[16] = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < components; c++) {
            float value = values[(size_t)i * components + c];
            bool first = i == 0 && !with_zeros;
            low[c] = first || value < low[c] ? value : low[c];
            high[c] = first || value > high[c] ? value : high[c];
        }
    }
    glb_text_format(json, ",\"min\":");
    glb_text_floats(json, low, components);
    glb_text_format(json, ",\"max\":");
    glb_text_floats(json, high, components);
}

static void add_sparse(glb_writer *writer, glb_text *json, const glb_array *array,
                       uint32_t components) {
    if (array->sparse_count == 0) {
        return;
    }
    size_t start = writer->binary.size;
    add_shorts(&writer->binary, array->sparse_elements, array->sparse_count);
    uint32_t indices = end_view(writer, start, GLB_USE_DATA);
    start = writer->binary.size;
    add_floats(&writer->binary, array->floats, (size_t)array->sparse_count * components);
    uint32_t values = end_view(writer, start, GLB_USE_DATA);
    glb_text_format(json,
                    ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,"
                    "\"componentType\":5123},\"values\":{\"bufferView\":%u}}",
                    (unsigned)array->sparse_count, (unsigned)indices, (unsigned)values);
}

static void add_dense(glb_writer *writer, glb_text *json, const glb_array *array,
                      uint32_t components) {
    size_t start = writer->binary.size;
    size_t count = (size_t)array->count * components;
    if (array->floats) {
        add_floats(&writer->binary, array->floats, count);
    } else if (array->shorts) {
        add_shorts(&writer->binary, array->shorts, count);
    } else {
        glb_text_bytes(&writer->binary, array->bytes, count);
    }
    uint32_t view = end_view(writer, start, array->use);
    glb_text_format(json, "\"bufferView\":%u,", (unsigned)view);
}

uint32_t glb_add_array(glb_writer *writer, const glb_array *array) {
    assert(array->count > 0);
    assert(array->floats || array->bytes || array->shorts || array->sparse);
    uint32_t components = component_count(array->type);
    bool floats = array->floats || array->sparse;

    glb_text json = {0};
    glb_text_format(&json, "{");
    if (!array->sparse) {
        add_dense(writer, &json, array, components);
    }
    glb_text_format(&json, "\"componentType\":%d", floats ? 5126 : array->shorts ? 5123 : 5121);
    if (array->normalized) {
        glb_text_format(&json, ",\"normalized\":true");
    }
    glb_text_format(&json, ",\"count\":%u,\"type\":\"%s\"", (unsigned)array->count, array->type);
    if (array->with_bounds) {
        assert(floats);
        uint32_t given = array->sparse ? array->sparse_count : array->count;
        add_bounds(&json, array->floats, given, components,
                   array->sparse && array->sparse_count < array->count);
    }
    if (array->sparse) {
        add_sparse(writer, &json, array, components);
    }
    glb_text_format(&json, "}");
    uint32_t accessor = glb_add(writer, GLB_ACCESSORS, json.data);
    glb_text_free(&json);
    return accessor;
}

// ---- the container ------------------------------------------------------------------------------

static void build_json(glb_text *json, const glb_writer *writer) {
    static const char *const names[GLB_LIST_COUNT] = {
        "scenes", "nodes", "meshes", "materials", "skins", "animations", "accessors", "bufferViews",
    };
    glb_text_format(json,
                    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%s\",\"copyright\":\"%s\"}",
                    writer->generator, writer->copyright);
    if (writer->counts[GLB_SCENES] > 0) {
        glb_text_format(json, ",\"scene\":0");
    }
    for (int list = 0; list < GLB_LIST_COUNT; list++) {
        if (writer->counts[list] > 0) {
            glb_text_format(json, ",\"%s\":[%s]", names[list], writer->lists[list].data);
        }
    }
    glb_text_format(json, ",\"buffers\":[{\"byteLength\":%zu}]}", writer->binary.size);
    while (json->size % 4 != 0) {
        glb_text_format(json, " ");
    }
}

// glTF 2.0, 4.4: a header of 12 bytes, then the two chunks, each with a header of 8.
static void build_file(glb_text *file, const glb_writer *writer) {
    glb_text json = {0};
    build_json(&json, writer);
    assert(writer->binary.size > 0 && writer->binary.size % 4 == 0);

    glb_text_bytes(file, "glTF", 4);
    add_little_endian(file, 2, 4);
    add_little_endian(file, (uint32_t)(12 + 8 + json.size + 8 + writer->binary.size), 4);
    add_little_endian(file, (uint32_t)json.size, 4);
    glb_text_bytes(file, "JSON", 4);
    glb_text_bytes(file, json.data, json.size);
    add_little_endian(file, (uint32_t)writer->binary.size, 4);
    glb_text_bytes(file, "BIN\0", 4);
    glb_text_bytes(file, writer->binary.data, writer->binary.size);
    glb_text_free(&json);
}

bool glb_write(const glb_writer *writer, const char *path) {
    glb_text bytes = {0};
    build_file(&bytes, writer);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    written = file && fclose(file) == 0 && written;
    if (!written) {
        perror(path);
    }
    glb_text_free(&bytes);
    return written;
}

void glb_free(glb_writer *writer) {
    for (int list = 0; list < GLB_LIST_COUNT; list++) {
        glb_text_free(&writer->lists[list]);
    }
    glb_text_free(&writer->binary);
}
