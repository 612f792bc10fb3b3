// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Accessor elements to floats and integers. Offsets were checked when the accessor was found, so
 * the loops here only move bytes: through memcpy, as nothing in a file need be aligned.
 */
#include "document/document_internal.h"

#include <assert.h>

/* How the components of one element lie: runs of `rows`, one for each column. */
typedef struct element_layout {
    size_t columns, rows;
    size_t column_stride; /* bytes */
} element_layout;

static element_layout layout_of(const bp_accessor *accessor) {
    size_t component = bpi_component_size(accessor->component_type);
    if (accessor->element_type < BP_ELEMENT_MAT2)
        return (element_layout){1, accessor->component_count, 0};
    size_t rows = (size_t)accessor->element_type - BP_ELEMENT_MAT2 + 2;
    size_t column_stride = (rows * component + 3) & ~(size_t)3;
    if (column_stride == rows * component) return (element_layout){1, rows * rows, 0};
    return (element_layout){rows, rows, column_stride};
}

/* ---- floats ---------------------------------------------------------------------------------- */

static inline float from_i8(const unsigned char *s) {
    return (float)(int8_t)*s;
}
static inline float from_u8(const unsigned char *s) {
    return (float)*s;
}

static inline float from_i16(const unsigned char *s) {
    int16_t value;
    memcpy(&value, s, sizeof value);
    return (float)value;
}

static inline float from_u16(const unsigned char *s) {
    uint16_t value;
    memcpy(&value, s, sizeof value);
    return (float)value;
}

static inline float from_u32(const unsigned char *s) {
    uint32_t value;
    memcpy(&value, s, sizeof value);
    return (float)value;
}

/* glTF 2.0, 3.11: max(c / 127, -1), so that -128 and -127 are both -1. */
static inline float at_least_minus_one(float value) {
    return value < -1.0f ? -1.0f : value;
}

/* Decodes `count` components that lie side by side. */
static inline void decode_run(const unsigned char *s, size_t count, bp_component_type type,
                              bool normalized, float *out) {
    switch (type) {
    case BP_COMPONENT_I8:
        for (size_t i = 0; i < count; ++i)
            out[i] = normalized ? at_least_minus_one(from_i8(s + i) / 127.0f) : from_i8(s + i);
        break;
    case BP_COMPONENT_U8:
        for (size_t i = 0; i < count; ++i)
            out[i] = normalized ? from_u8(s + i) / 255.0f : from_u8(s + i);
        break;
    case BP_COMPONENT_I16:
        for (size_t i = 0; i < count; ++i)
            out[i] = normalized ? at_least_minus_one(from_i16(s + 2 * i) / 32767.0f)
                                : from_i16(s + 2 * i);
        break;
    case BP_COMPONENT_U16:
        for (size_t i = 0; i < count; ++i)
            out[i] = normalized ? from_u16(s + 2 * i) / 65535.0f : from_u16(s + 2 * i);
        break;
    case BP_COMPONENT_U32:
        for (size_t i = 0; i < count; ++i)
            out[i] = from_u32(s + 4 * i);
        break;
    case BP_COMPONENT_F32: memcpy(out, s, count * sizeof *out); break;
    }
}

static void decode_element(const bp_accessor *accessor, const element_layout *layout,
                           const unsigned char *s, float *out) {
    for (size_t column = 0; column < layout->columns; ++column)
        decode_run(s + column * layout->column_stride, layout->rows, accessor->component_type,
                   accessor->normalized, out + column * layout->rows);
}

static void zero_floats(const bp_accessor *accessor, float *values, size_t stride) {
    for (size_t i = 0; i < accessor->count; ++i)
        memset(values + i * stride, 0, accessor->component_count * sizeof *values);
}

static void decode_base(const bp_accessor *accessor, const element_layout *layout, float *values,
                        size_t stride) {
    size_t components = accessor->component_count;
    size_t tight = components * bpi_component_size(accessor->component_type);
    if (layout->columns == 1 && accessor->stride == tight && stride == components) {
        decode_run(accessor->data, accessor->count * components, accessor->component_type,
                   accessor->normalized, values);
        return;
    }
    for (size_t i = 0; i < accessor->count; ++i)
        decode_element(accessor, layout, accessor->data + i * accessor->stride,
                       values + i * stride);
}

static uint32_t sparse_index(const bp_accessor *accessor, size_t i) {
    uint16_t short_index;
    uint32_t index;
    switch (accessor->sparse_index_type) {
    case BP_COMPONENT_U8: return accessor->sparse_indices[i];
    case BP_COMPONENT_U16:
        memcpy(&short_index, accessor->sparse_indices + 2 * i, 2);
        return short_index;
    default: memcpy(&index, accessor->sparse_indices + 4 * i, 4); return index;
    }
}

void bp_accessor_read_floats(const bp_accessor *accessor, float *values, size_t stride_floats) {
    size_t stride = stride_floats ? stride_floats : accessor->component_count;
    element_layout layout = layout_of(accessor);
    size_t size = bpi_element_size(accessor->element_type, accessor->component_type);
    assert(stride >= accessor->component_count && (values || accessor->count == 0));
    if (!accessor->data)
        zero_floats(accessor, values, stride);
    else
        decode_base(accessor, &layout, values, stride);
    for (size_t i = 0; i < accessor->sparse_count; ++i) {
        size_t index = sparse_index(accessor, i);
        assert(index < accessor->count);
        decode_element(accessor, &layout, accessor->sparse_values + i * size,
                       values + index * stride);
    }
}

/* ---- integers -------------------------------------------------------------------------------- */

/* Reads `count` components that lie side by side; what is not unsigned becomes 0. */
static inline void integer_run(const unsigned char *s, size_t count, bp_component_type type,
                               uint32_t *out) {
    uint16_t value;
    switch (type) {
    case BP_COMPONENT_U8:
        for (size_t i = 0; i < count; ++i)
            out[i] = s[i];
        break;
    case BP_COMPONENT_U16:
        for (size_t i = 0; i < count; ++i) {
            memcpy(&value, s + 2 * i, sizeof value);
            out[i] = value;
        }
        break;
    case BP_COMPONENT_U32: memcpy(out, s, count * sizeof *out); break;
    default: memset(out, 0, count * sizeof *out); break;
    }
}

static void integer_element(const bp_accessor *accessor, const element_layout *layout,
                            const unsigned char *s, uint32_t *out) {
    for (size_t column = 0; column < layout->columns; ++column)
        integer_run(s + column * layout->column_stride, layout->rows, accessor->component_type,
                    out + column * layout->rows);
}

static void integer_base(const bp_accessor *accessor, const element_layout *layout,
                         uint32_t *values, size_t stride) {
    size_t components = accessor->component_count;
    size_t tight = components * bpi_component_size(accessor->component_type);
    if (layout->columns == 1 && accessor->stride == tight && stride == components) {
        integer_run(accessor->data, accessor->count * components, accessor->component_type, values);
        return;
    }
    for (size_t i = 0; i < accessor->count; ++i)
        integer_element(accessor, layout, accessor->data + i * accessor->stride,
                        values + i * stride);
}

void bp_accessor_read_integers(const bp_accessor *accessor, uint32_t *values,
                               size_t stride_integers) {
    size_t components = accessor->component_count;
    size_t stride = stride_integers ? stride_integers : components;
    element_layout layout = layout_of(accessor);
    size_t size = bpi_element_size(accessor->element_type, accessor->component_type);
    assert(stride >= components && (values || accessor->count == 0));
    if (accessor->data)
        integer_base(accessor, &layout, values, stride);
    else
        for (size_t i = 0; i < accessor->count; ++i)
            memset(values + i * stride, 0, components * sizeof *values);
    for (size_t i = 0; i < accessor->sparse_count; ++i)
        integer_element(accessor, &layout, accessor->sparse_values + i * size,
                        values + sparse_index(accessor, i) * stride);
}
