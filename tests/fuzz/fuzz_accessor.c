// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Fuzz target: accessors. The first bytes of the input describe an accessor, its buffer views and
 * what is sparse in it; the others are the buffer. Whether it can be read, and what it then holds,
 * is worked out a second time by a slow decoder in this file that follows glTF 2.0, 3.6.2 byte by
 * byte.
 */
#include "../support/test_invariants.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 20, MOST_BYTES = 4096, GUARD = 3 };

static void require(bool condition, const char *promise) {
    if (condition) return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

/* ---- the description ------------------------------------------------------------------------- */

typedef struct view {
    unsigned offset, length, stride; /* stride 0: not given */
} view;

typedef struct description {
    unsigned component_type, columns, rows, count, offset;
    const char *type;
    bool valid_types, normalized, has_view, sparse;
    unsigned sparse_count, index_type, index_offset, value_offset;
    view views[3]; /* elements, sparse indices, sparse values */
    const uint8_t *bin;
    unsigned size;
} description;

static const unsigned component_types[] = {5120, 5121, 5122, 5123, 5125, 5126, 5124, 5127};

static view read_view(const uint8_t *s, unsigned size) {
    return (view){s[0], (s[1] | (unsigned)s[2] << 8) % (size + 9), 0};
}

static description describe(const uint8_t *data, size_t size) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4",
                                        "MAT2",   "MAT3", "MAT4", "VEC5"};
    static const unsigned char columns[] = {1, 1, 1, 1, 2, 3, 4, 1},
                               rows[] = {1, 2, 3, 4, 2, 3, 4, 1};
    description d = {.bin = data + HEADER, .size = (unsigned)(size - HEADER)};
    unsigned type = data[1] % 8;
    d.component_type = component_types[data[0] % 8];
    d.type = types[type];
    d.columns = columns[type];
    d.rows = rows[type];
    d.valid_types = data[0] % 8 < 6 && type < 7;
    d.normalized = data[2] & 1;
    d.has_view = (data[2] & 2) != 0;
    d.sparse = (data[2] & 4) != 0;
    d.count = data[3];
    d.offset = data[4];
    for (unsigned i = 0; i < 3; ++i)
        d.views[i] = read_view(data + 5 + 3 * i, d.size);
    d.views[0].stride = data[2] & 8 ? data[14] : 0;
    d.sparse_count = data[15];
    d.index_type = component_types[data[16] % 8];
    d.index_offset = data[17];
    d.value_offset = data[18];
    return d;
}

/* The whole as a GLB in memory of exactly its size. */
static uint8_t *make_glb(const description *d, size_t *size) {
    char json[2048], sparse[512] = "", base[64] = "";
    uint32_t numbers[5] = {0x46546C67, 2};
    if (d->has_view) snprintf(base, sizeof base, "\"bufferView\":0,\"byteOffset\":%u,", d->offset);
    if (d->sparse)
        snprintf(sparse, sizeof sparse,
                 ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":1,\"byteOffset\":%u,"
                 "\"componentType\":%u},\"values\":{\"bufferView\":2,\"byteOffset\":%u}}",
                 d->sparse_count, d->index_offset, d->index_type, d->value_offset);
    const view *v = d->views;
    int length = snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"byteStride\":%u},"
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u},"
        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],\"accessors\":[{%s"
        "\"componentType\":%u,\"normalized\":%s,\"count\":%u,\"type\":\"%s\"%s}]}",
        d->size, v[0].offset, v[0].length, v[0].stride, v[1].offset, v[1].length, v[2].offset,
        v[2].length, base, d->component_type, d->normalized ? "true" : "false", d->count, d->type,
        sparse);
    *size = 28 + (size_t)length + d->size;
    uint8_t *glb = malloc(*size);
    require(glb && (size_t)length < sizeof json, "memory for the test");
    numbers[2] = (uint32_t)*size;
    numbers[3] = (uint32_t)length;
    numbers[4] = 0x4E4F534A;
    memcpy(glb, numbers, 20);
    memcpy(glb + 20, json, (size_t)length);
    numbers[0] = d->size;
    numbers[1] = 0x004E4942;
    memcpy(glb + 20 + length, numbers, 8);
    memcpy(glb + 28 + length, d->bin, d->size);
    return glb;
}

/* ---- the slow decoder ------------------------------------------------------------------------ */

static unsigned component_size(unsigned type) {
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4;
}

/* Offset of a component in an element; columns start at multiples of 4 bytes in matrices. */
static unsigned component_offset(const description *d, unsigned component) {
    unsigned size = component_size(d->component_type), column = component / d->rows;
    unsigned column_size = d->rows * size;
    while (d->columns > 1 && column_size % 4 != 0)
        ++column_size;
    return column * column_size + component % d->rows * size;
}

static unsigned element_size(const description *d) {
    unsigned size =
        component_offset(d, d->columns * d->rows - 1) + component_size(d->component_type);
    while (d->columns > 1 && size % 4 != 0)
        ++size;
    return size;
}

/* Where `size` bytes at `offset` of a view are in the buffer, or -1 when they are not all there. */
static long locate(const description *d, unsigned number, unsigned long offset, unsigned size) {
    const view *v = &d->views[number];
    if (v->offset + v->length > d->size) return -1;
    if (offset + size > v->length) return -1;
    return (long)(v->offset + offset);
}

static uint32_t little_endian(const uint8_t *s, unsigned size) {
    uint32_t value = 0;
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | s[i];
    return value;
}

static long sparse_index(const description *d, unsigned i) {
    unsigned size = component_size(d->index_type);
    long at = locate(d, 1, d->index_offset + (unsigned long)i * size, size);
    return at < 0 ? -1 : (long)little_endian(d->bin + at, size);
}

/* Where a component is in the buffer: -1 nowhere (an error), -2 it is zero. */
static long find_component(const description *d, unsigned element, unsigned component) {
    unsigned size = component_size(d->component_type), within = component_offset(d, component);
    unsigned long stride = d->views[0].stride ? d->views[0].stride : element_size(d);
    for (unsigned i = d->sparse ? d->sparse_count : 0; i-- > 0;)
        if (sparse_index(d, i) == (long)element)
            return locate(d, 2, d->value_offset + (unsigned long)i * element_size(d) + within,
                          size);
    return d->has_view ? locate(d, 0, d->offset + element * stride + within, size) : -2;
}

/* True when all bytes that belong to the accessor are there. */
static bool is_readable(const description *d) {
    if (!d->valid_types) return false;
    unsigned components = d->columns * d->rows, size = component_size(d->component_type);
    unsigned long stride = d->views[0].stride ? d->views[0].stride : element_size(d);
    if (d->has_view && locate(d, 0, 0, 0) < 0) return false;
    for (unsigned i = 0; d->has_view && i < d->count; ++i)
        for (unsigned c = 0; c < components; ++c)
            if (locate(d, 0, d->offset + i * stride + component_offset(d, c), size) < 0)
                return false;
    if (!d->sparse || d->sparse_count == 0) return true;
    if (d->sparse_count > d->count) return false;
    if (d->index_type != 5121 && d->index_type != 5123 && d->index_type != 5125) return false;
    for (unsigned i = 0; i < d->sparse_count; ++i) {
        long index = sparse_index(d, i);
        if (index < 0 || index >= (long)d->count) return false;
        for (unsigned c = 0; c < components; ++c)
            if (locate(d, 2,
                       d->value_offset + (unsigned long)i * element_size(d) +
                           component_offset(d, c),
                       size) < 0)
                return false;
    }
    return true;
}

static float slow_float(const description *d, const uint8_t *s) {
    uint32_t bits = little_endian(s, component_size(d->component_type));
    float value;
    double number = bits, most = 0;
    switch (d->component_type) {
    case 5120:
        number = bits < 128 ? (double)bits : (double)bits - 256;
        most = 127;
        break;
    case 5121: most = 255; break;
    case 5122:
        number = bits < 32768 ? (double)bits : (double)bits - 65536;
        most = 32767;
        break;
    case 5123: most = 65535; break;
    case 5126: memcpy(&value, &bits, sizeof value); return value;
    }
    if (d->normalized && most > 0) number = number / most < -1 ? -1 : number / most;
    return (float)number;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void compare_floats(const description *d, const bp_accessor *accessor, unsigned guard) {
    unsigned components = d->columns * d->rows, stride = components + guard;
    size_t total = d->count ? (size_t)(d->count - 1) * stride + components : 0;
    float *floats = malloc(total * sizeof *floats);
    require(floats || total == 0, "memory for the test");
    if (total > 0) memset(floats, 0x5A, total * sizeof *floats);
    bp_accessor_read_floats(accessor, floats, guard ? stride : 0);
    for (size_t i = 0; i < total; ++i) {
        unsigned element = (unsigned)(i / stride), component = (unsigned)(i % stride);
        float expected;
        memset(&expected, 0x5A, sizeof expected);
        if (component < components) {
            long at = find_component(d, element, component);
            expected = at < 0 ? 0 : slow_float(d, d->bin + at);
        }
        require(memcmp(&floats[i], &expected, sizeof expected) == 0, "floats are decoded right");
    }
    free(floats);
}

static void compare_integers(const description *d, const bp_accessor *accessor, unsigned guard) {
    unsigned components = d->columns * d->rows, stride = components + guard;
    unsigned size = component_size(d->component_type);
    bool is_unsigned =
        d->component_type == 5121 || d->component_type == 5123 || d->component_type == 5125;
    size_t total = d->count ? (size_t)(d->count - 1) * stride + components : 0;
    uint32_t *integers = malloc(total * sizeof *integers);
    require(integers || total == 0, "memory for the test");
    if (total > 0) memset(integers, 0x5A, total * sizeof *integers);
    bp_accessor_read_integers(accessor, integers, guard ? stride : 0);
    for (size_t i = 0; i < total; ++i) {
        unsigned element = (unsigned)(i / stride), component = (unsigned)(i % stride);
        uint32_t expected = 0x5A5A5A5A;
        if (component < components) {
            long at = find_component(d, element, component);
            expected = at < 0 || !is_unsigned ? 0 : little_endian(d->bin + at, size);
        }
        require(integers[i] == expected, "integers are decoded right");
    }
    free(integers);
}

static void check_view(const description *d, const bp_document *document, uint32_t number) {
    const view *v = &d->views[number];
    bp_bytes bytes = {NULL, 0};
    bp_error error;
    bp_result result = bp_document_buffer_view(document, number, BP_JSON_NONE, &bytes, &error);
    require((result == BP_OK) == (v->offset + v->length <= d->size), "a view is in its buffer");
    if (result != BP_OK) return;
    require(bytes.size == v->length, "a view has its length");
    require(memcmp(bytes.data, d->bin + v->offset, v->length) == 0, "a view has its bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size <= HEADER || size > HEADER + MOST_BYTES) return 0;
    description d = describe(data, size);
    size_t glb_size;
    uint8_t *glb = make_glb(&d, &glb_size);
    bp_document *document = NULL;
    bp_accessor accessor;
    bp_error error;
    bp_result result = bp_document_load_memory(&document, glb, glb_size, NULL, &error);
    require(result == BP_OK && document, "the document loads");
    result = bp_document_accessor(document, 0, BP_JSON_NONE, &accessor, &error);
    require((result == BP_OK) == is_readable(&d), "an accessor with all its bytes can be read");
    if (result == BP_OK) {
        require(accessor.count == d.count, "the count is the file's");
        require(accessor.component_count == d.columns * d.rows, "components are those of the type");
        compare_floats(&d, &accessor, 0);
        compare_floats(&d, &accessor, GUARD);
        compare_integers(&d, &accessor, 0);
        compare_integers(&d, &accessor, GUARD);
    } else {
        const char *broken = test_check_error(&error, result, glb_size);
        require(!broken, broken ? broken : "");
    }
    for (uint32_t i = 0; i < 3; ++i)
        check_view(&d, document, i);
    bp_document_destroy(document);
    free(glb);
    return 0;
}
