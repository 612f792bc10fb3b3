// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Accessors (glTF 2.0, 3.6.2): from the JSON object to a bp_accessor, of which every byte that
 * reading will touch is known to be there. Decoding is in document_decode.c.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <inttypes.h>

/* What resolving one accessor carries along. */
typedef struct resolver {
    const bp_document *document;
    bp_accessor *accessor;
    bpi_report *report; /* may be NULL */
    bp_error *error;
} resolver;

#define WARN(r, place, rule, ...)                                                                  \
    do {                                                                                           \
        if ((r)->report) bpi_warn((r)->report, (r)->document, place, rule, 1, __VA_ARGS__);        \
    } while (0)

size_t bpi_component_size(bp_component_type type) {
    switch (type) {
    case BP_COMPONENT_I8:
    case BP_COMPONENT_U8: return 1;
    case BP_COMPONENT_I16:
    case BP_COMPONENT_U16: return 2;
    case BP_COMPONENT_U32:
    case BP_COMPONENT_F32: return 4;
    }
    assert(false);
    return 0;
}

/* Columns of a matrix start at multiples of 4 bytes (3.6.2.4). */
static size_t column_stride(bp_element_type element, bp_component_type component) {
    size_t rows = element == BP_ELEMENT_MAT2 ? 2 : element == BP_ELEMENT_MAT3 ? 3 : 4;
    return (rows * bpi_component_size(component) + 3) & ~(size_t)3;
}

size_t bpi_element_size(bp_element_type element, bp_component_type component) {
    if (element < BP_ELEMENT_MAT2) return ((size_t)element + 1) * bpi_component_size(component);
    return ((size_t)element - BP_ELEMENT_MAT2 + 2) * column_stride(element, component);
}

/* The bytes of an element without the padding behind its last column. */
static size_t touched_size(const bp_accessor *accessor) {
    size_t component = bpi_component_size(accessor->component_type);
    size_t size = bpi_element_size(accessor->element_type, accessor->component_type);
    if (accessor->element_type < BP_ELEMENT_MAT2) return size;
    size_t rows = (size_t)accessor->element_type - BP_ELEMENT_MAT2 + 2;
    return size - column_stride(accessor->element_type, accessor->component_type) +
           rows * component;
}

static bp_result refuse_flaw(const resolver *r, const bpi_fault *flaw) {
    return bpi_refuse(r->error, flaw->result, r->document, flaw->place, flaw->rule, "%s",
                      flaw->reason);
}

/* ---- types ----------------------------------------------------------------------------------- */

static bp_result read_component_type(const resolver *r, bp_json object, bp_json value,
                                     bp_component_type *type) {
    uint64_t number = 0;
    bpi_fault flaw;
    if (!bpi_integer_member(r->document, object, value, "componentType must be defined", &number,
                            &flaw))
        return refuse_flaw(r, &flaw);
    if (number < BP_COMPONENT_I8 || number > BP_COMPONENT_F32 || number == 5124)
        return bpi_refuse(
            r->error, BP_ERROR_FORMAT, r->document, value, BP_RULE_VALUE_NOT_IN_LIST,
            "component type %" PRIu64 " is none of 5120, 5121, 5122, 5123, 5125, 5126", number);
    *type = (bp_component_type)number;
    return BP_OK;
}

static bp_result read_element_type(const resolver *r, bp_json value) {
    static const bpi_json_name names[] = {BPI_NAME("SCALAR"), BPI_NAME("VEC2"), BPI_NAME("VEC3"),
                                          BPI_NAME("VEC4"),   BPI_NAME("MAT2"), BPI_NAME("MAT3"),
                                          BPI_NAME("MAT4")};
    static const unsigned char counts[] = {1, 2, 3, 4, 4, 9, 16};
    bp_accessor *accessor = r->accessor;
    uint32_t type = bpi_json_choose(r->document, value, names, sizeof counts);
    if (type < sizeof counts) {
        accessor->element_type = (bp_element_type)type;
        accessor->component_count = counts[type];
        return BP_OK;
    }
    if (value == BP_JSON_NONE)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, accessor->place,
                          BP_RULE_UNDEFINED_PROPERTY, "type must be defined");
    return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, value, BP_RULE_VALUE_NOT_IN_LIST,
                      "type is none of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4");
}

static void read_normalized(const resolver *r, bp_json value) {
    bp_accessor *accessor = r->accessor;
    bp_json_type type = bp_json_type_of(r->document, value);
    if (type != BP_JSON_ABSENT && type != BP_JSON_TRUE && type != BP_JSON_FALSE)
        WARN(r, value, BP_RULE_TYPE_MISMATCH, "normalized must be true or false; taken as false");
    if (type != BP_JSON_TRUE) return;
    accessor->normalized = bpi_component_size(accessor->component_type) < 4;
    if (!accessor->normalized)
        WARN(r, value, BP_RULE_ACCESSOR_NORMALIZED_INVALID,
             "only integers of 8 and 16 bits can be normalized; ignored");
}

static bp_result read_count(const resolver *r, bp_json value) {
    uint64_t count = 0;
    bpi_fault flaw;
    if (!bpi_integer_member(r->document, r->accessor->place, value, "count must be defined", &count,
                            &flaw))
        return refuse_flaw(r, &flaw);
    if (count > UINT32_MAX)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, value, BP_RULE_VALUE_NOT_IN_RANGE,
                          "more than %lu elements", (unsigned long)UINT32_MAX);
    if (count == 0)
        WARN(r, value, BP_RULE_VALUE_NOT_IN_RANGE, "an accessor must have at least one element");
    r->accessor->count = (uint32_t)count;
    return BP_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A piece of a buffer view. */
typedef struct view_reference {
    bp_json object, view, offset; /* the object with both, and their values */
    const bpi_view *found;
    uint64_t start; /* byteOffset */
} view_reference;

static bp_result find_view(const resolver *r, view_reference *reference) {
    uint64_t number = 0;
    bpi_fault flaw;
    if (!bpi_integer_member(r->document, reference->object, reference->view,
                            "bufferView must be defined", &number, &flaw) ||
        !bpi_integer_member(r->document, reference->object, reference->offset, NULL,
                            &reference->start, &flaw))
        return refuse_flaw(r, &flaw);
    if (number >= r->document->view_count)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, reference->view,
                          BP_RULE_UNRESOLVED_REFERENCE,
                          "buffer view %" PRIu64 " does not exist; there are %lu", number,
                          (unsigned long)r->document->view_count);
    reference->found = &r->document->views[number];
    if (reference->found->fault)
        return bpi_fault_report(r->document, reference->found->fault, r->error);
    return BP_OK;
}

/* Checks that `count` elements fit in the view, the last one only as far as it is touched. */
static bp_result find_elements(const resolver *r, const view_reference *reference, uint64_t count,
                               uint64_t stride, uint64_t last, const unsigned char **data) {
    const bpi_view *view = reference->found;
    uint64_t size = view->bytes.size, room = size - reference->start;
    *data = view->bytes.data;
    if (count == 0) return BP_OK;
    /* count < 2^32 and stride < 2^32: no overflow */
    if (reference->start > size || last > room || (count - 1) * stride > room - last)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, reference->object,
                          BP_RULE_ACCESSOR_TOO_LONG,
                          "%" PRIu64 " elements at byteOffset %" PRIu64
                          " do not fit in the %" PRIu64 " bytes of the buffer view",
                          count, reference->start, size);
    *data += (size_t)reference->start;
    return BP_OK;
}

static void check_alignment(const resolver *r, const view_reference *reference, size_t component,
                            size_t stride) {
    const bpi_view *view = reference->found;
    const bp_document *document = r->document;
    uint64_t start = 0;
    if (view->buffer != UINT32_MAX)
        start = (uint64_t)(view->bytes.data - document->buffers[view->buffer].source.bytes.data);
    /* A component has a power of two of bytes. */
    if (((start | reference->start | stride) & (component - 1)) == 0) return;
    bp_json place = reference->offset == BP_JSON_NONE ? reference->object : reference->offset;
    WARN(r, place, BP_RULE_ACCESSOR_OFFSET_ALIGNMENT,
         "components of %zu bytes are not at multiples of that; read all the same", component);
}

/* True for a view whose only fault is that its buffer's bytes are left to others. */
static bool is_placeholder(const bp_document *document, const bpi_view *view) {
    if (!view || !view->fault || view->buffer >= document->buffer_count) return false;
    const bpi_buffer *buffer = &document->buffers[view->buffer];
    return buffer->placeholder && buffer->fault == view->fault;
}

static bp_result read_base(const resolver *r, bp_json view, bp_json offset) {
    bp_accessor *accessor = r->accessor;
    size_t size = bpi_element_size(accessor->element_type, accessor->component_type);
    view_reference reference = {.object = accessor->place, .view = view, .offset = offset};
    accessor->stride = size;
    if (view == BP_JSON_NONE) {
        if (offset != BP_JSON_NONE)
            WARN(r, offset, BP_RULE_UNSATISFIED_DEPENDENCY,
                 "byteOffset without a bufferView; ignored");
        return BP_OK;
    }
    bp_result result = find_view(r, &reference);
    if (is_placeholder(r->document, reference.found)) {
        WARN(r, view, BP_RULE_UNDEFINED_PROPERTY,
             "its buffer has no uri, so the file leaves the bytes to others; read as zeros");
        return BP_OK;
    }
    if (result != BP_OK) return result;
    if (reference.found->stride != 0) accessor->stride = reference.found->stride;
    if (accessor->stride < size)
        WARN(r, accessor->place, BP_RULE_ACCESSOR_SMALL_BYTESTRIDE,
             "elements of %zu bytes overlap in a buffer view with byteStride %zu", size,
             accessor->stride);
    check_alignment(r, &reference, bpi_component_size(accessor->component_type), accessor->stride);
    return find_elements(r, &reference, accessor->count, accessor->stride, touched_size(accessor),
                         &accessor->data);
}

/* ---- sparse ---------------------------------------------------------------------------------- */

static uint32_t read_index(const unsigned char *data, bp_component_type type, uint32_t i) {
    uint16_t short_index;
    uint32_t index;
    switch (type) {
    case BP_COMPONENT_U8: return data[i];
    case BP_COMPONENT_U16: memcpy(&short_index, data + (size_t)i * 2, 2); return short_index;
    default: memcpy(&index, data + (size_t)i * 4, 4); return index;
    }
}

/* Every index is in range; where one does not increase, the later value wins. */
static bp_result check_sparse_indices(const resolver *r, bp_json indices) {
    const bp_accessor *accessor = r->accessor;
    uint32_t disordered = 0, first_disordered = 0, before = 0;
    for (uint32_t i = 0; i < accessor->sparse_count; ++i) {
        uint32_t index = read_index(accessor->sparse_indices, accessor->sparse_index_type, i);
        if (index >= accessor->count)
            return bpi_refuse(
                r->error, BP_ERROR_FORMAT, r->document, indices, BP_RULE_ACCESSOR_SPARSE_INDEX_OOB,
                "index %lu of the sparse element %lu is past the accessor's %lu",
                (unsigned long)index, (unsigned long)i, (unsigned long)accessor->count);
        if (i > 0 && index <= before && disordered++ == 0) first_disordered = i;
        before = index;
    }
    if (disordered > 0 && r->report)
        bpi_warn(r->report, r->document, indices, BP_RULE_ACCESSOR_SPARSE_INDICES_NON_INCREASING,
                 disordered, "sparse indices must increase, first broken at %lu; later ones win",
                 (unsigned long)first_disordered);
    return BP_OK;
}

/* One of the two arrays of a sparse accessor: tightly packed elements. */
static bp_result read_sparse_part(const resolver *r, view_reference *reference, size_t component,
                                  size_t size, size_t last, const unsigned char **data) {
    bp_result result = find_view(r, reference);
    if (result != BP_OK) return result;
    if (reference->found->stride != 0 && reference->found->stride != size)
        WARN(r, reference->view, BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE,
             "sparse data is tightly packed; the byteStride is ignored");
    check_alignment(r, reference, component, size);
    return find_elements(r, reference, r->accessor->sparse_count, size, last, data);
}

static bp_result read_sparse_indices(const resolver *r, bp_json sparse, bp_json indices) {
    static const char *const keys[] = {"bufferView", "byteOffset", "componentType"};
    bp_accessor *accessor = r->accessor;
    bp_json values[3];
    if (bp_json_type_of(r->document, indices) != BP_JSON_OBJECT)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, sparse,
                          BP_RULE_UNDEFINED_PROPERTY, "sparse needs an object 'indices'");
    bpi_json_members(r->document, indices, keys, 3, values);
    bp_result result = read_component_type(r, indices, values[2], &accessor->sparse_index_type);
    if (result != BP_OK) return result;
    bp_component_type type = accessor->sparse_index_type;
    if (type != BP_COMPONENT_U8 && type != BP_COMPONENT_U16 && type != BP_COMPONENT_U32)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, values[2],
                          BP_RULE_VALUE_NOT_IN_LIST, "sparse indices must be unsigned integers");
    view_reference reference = {.object = indices, .view = values[0], .offset = values[1]};
    size_t size = bpi_component_size(type);
    result = read_sparse_part(r, &reference, size, size, size, &accessor->sparse_indices);
    return result == BP_OK ? check_sparse_indices(r, indices) : result;
}

static bp_result read_sparse_values(const resolver *r, bp_json sparse, bp_json place) {
    static const char *const keys[] = {"bufferView", "byteOffset"};
    bp_accessor *accessor = r->accessor;
    bp_json values[2];
    if (bp_json_type_of(r->document, place) != BP_JSON_OBJECT)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, sparse,
                          BP_RULE_UNDEFINED_PROPERTY, "sparse needs an object 'values'");
    bpi_json_members(r->document, place, keys, 2, values);
    view_reference reference = {.object = place, .view = values[0], .offset = values[1]};
    return read_sparse_part(r, &reference, bpi_component_size(accessor->component_type),
                            bpi_element_size(accessor->element_type, accessor->component_type),
                            touched_size(accessor), &accessor->sparse_values);
}

static bp_result read_sparse(const resolver *r, bp_json sparse) {
    static const char *const keys[] = {"count", "indices", "values"};
    bp_accessor *accessor = r->accessor;
    bp_json values[3];
    uint64_t count = 0;
    bpi_fault flaw;
    if (bp_json_type_of(r->document, sparse) != BP_JSON_OBJECT)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, sparse, BP_RULE_TYPE_MISMATCH,
                          "sparse must be an object");
    bpi_json_members(r->document, sparse, keys, 3, values);
    if (!bpi_integer_member(r->document, sparse, values[0], "count must be defined", &count, &flaw))
        return refuse_flaw(r, &flaw);
    if (count > accessor->count)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, values[0],
                          BP_RULE_ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE,
                          "%" PRIu64 " elements override more than the accessor's %lu", count,
                          (unsigned long)accessor->count);
    if (count == 0) {
        WARN(r, values[0], BP_RULE_VALUE_NOT_IN_RANGE, "sparse must override at least one element");
        return BP_OK;
    }
    accessor->sparse_count = (uint32_t)count;
    bp_result result = read_sparse_indices(r, sparse, values[1]);
    return result == BP_OK ? read_sparse_values(r, sparse, values[2]) : result;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bp_result resolve(const resolver *r) {
    /* In the order of most writers; max and min are only there to be stepped over. */
    static const bpi_json_name names[] = {
        BPI_NAME("bufferView"), BPI_NAME("byteOffset"), BPI_NAME("componentType"),
        BPI_NAME("normalized"), BPI_NAME("count"),      BPI_NAME("max"),
        BPI_NAME("min"),        BPI_NAME("type"),       BPI_NAME("sparse")};
    bp_accessor *accessor = r->accessor;
    bp_json values[9];
    if (bp_json_type_of(r->document, accessor->place) != BP_JSON_OBJECT)
        return bpi_refuse(r->error, BP_ERROR_FORMAT, r->document, accessor->place,
                          BP_RULE_TYPE_MISMATCH, "an accessor must be an object");
    bpi_json_find(r->document, accessor->place, names, 9, values);
    bp_result result =
        read_component_type(r, accessor->place, values[2], &accessor->component_type);
    if (result == BP_OK) result = read_element_type(r, values[7]);
    if (result == BP_OK) result = read_count(r, values[4]);
    if (result != BP_OK) return result;
    read_normalized(r, values[3]);
    result = read_base(r, values[0], values[1]);
    if (result == BP_OK && values[8] != BP_JSON_NONE) result = read_sparse(r, values[8]);
    return result;
}

bp_result bpi_document_accessor(const bp_document *document, uint32_t index, bp_json place,
                                bp_accessor *accessor, bpi_report *report, bp_error *error) {
    if (index >= document->accessor_count)
        return bpi_refuse(error, BP_ERROR_FORMAT, document, place, BP_RULE_UNRESOLVED_REFERENCE,
                          "accessor %lu does not exist; there are %lu", (unsigned long)index,
                          (unsigned long)document->accessor_count);
    bp_accessor found = {.place = bp_json_element(document, document->accessors, index)};
    resolver r = {document, &found, report, error};
    bp_result result = resolve(&r);
    if (result == BP_OK) *accessor = found;
    return result;
}

bp_result bp_document_accessor(const bp_document *document, uint32_t index, bp_json place,
                               bp_accessor *accessor, bp_error *error) {
    return bpi_document_accessor(document, index, place, accessor, NULL, error);
}
