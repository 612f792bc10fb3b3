// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Buffers and buffer views. All buffers are read while loading, so that the document can be shared
 * between threads afterwards; what cannot be had is remembered as a fault, and is an error for
 * those who ask for it only.
 *
 * Memory is taken for bytes that are there, never for a length that is only claimed.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- faults ---------------------------------------------------------------------------------- */

bp_result bpi_fault_make(bpi_load *load, bpi_fault fault, const bpi_fault **made) {
    assert(fault.result != BP_OK && fault.reason);
    bpi_fault *copy = bpi_arena_take(&load->document->arena, 1, sizeof *copy);
    if (!copy) return bpi_load_out_of_memory(load, "the faults of the file");
    *copy = fault;
    *made = copy;
    return BP_OK;
}

bp_result bpi_fault_format(bpi_load *load, bpi_fault fault, const bpi_fault **made,
                           const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = length < (int)sizeof text ? (size_t)length + 1 : sizeof text;
    char *copy = bpi_arena_take(&load->document->arena, size, 1);
    if (!copy) return bpi_load_out_of_memory(load, "the faults of the file");
    memcpy(copy, text, size);
    fault.reason = copy;
    return bpi_fault_make(load, fault, made);
}

bp_result bpi_fault_report(const bp_document *document, const bpi_fault *fault, bp_error *error) {
    char name[80];
    size_t length = bp_json_string(document, fault->place, name, sizeof name);
    if (length == 0)
        return bpi_refuse(error, fault->result, document, fault->place, fault->rule, "%s",
                          fault->reason);
    return bpi_refuse(error, fault->result, document, fault->place, fault->rule, "'%s%s': %s", name,
                      length < sizeof name ? "" : "...", fault->reason);
}

bool bpi_integer_member(const bp_document *document, bp_json object, bp_json value,
                        const char *absent, uint64_t *integer, bpi_fault *flaw) {
    double number;
    if (bp_json_integer(document, value, integer)) return true;
    if (value == BP_JSON_NONE && !absent) return true;
    *flaw = (bpi_fault){BP_ERROR_FORMAT, BP_RULE_TYPE_MISMATCH, value, "must be an integer"};
    if (value == BP_JSON_NONE) {
        *flaw = (bpi_fault){BP_ERROR_FORMAT, BP_RULE_UNDEFINED_PROPERTY, object, absent};
    } else if (bp_json_type_of(document, value) == BP_JSON_NUMBER &&
               (!bp_json_number(document, value, &number) || number < 0 || number > 0x1p53)) {
        flaw->rule = BP_RULE_VALUE_NOT_IN_RANGE;
        flaw->reason = "must be an integer from 0 to 2^53";
    }
    return false;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* A buffer without a URI: the BIN chunk, if it is the first one of a GLB. */
static bp_result use_bin(bpi_load *load, uint32_t number, bp_json place, bpi_buffer *buffer) {
    const bp_document *document = load->document;
    bpi_fault flaw = {BP_ERROR_FORMAT, BP_RULE_BUFFER_MISSING_GLB_DATA, place,
                      "the buffer stands for the BIN chunk, and the GLB has none"};
    if (document->is_glb && number == 0 && document->has_bin) {
        buffer->source.bytes = document->bin;
        return BP_OK;
    }
    if (!document->is_glb || number > 0) {
        flaw.rule = BP_RULE_UNDEFINED_PROPERTY;
        flaw.reason = "the buffer has no uri, so it has no data";
        buffer->placeholder = true;
    }
    return bpi_fault_make(load, flaw, &buffer->fault);
}

/* Works out how many bytes of a buffer with data may be used. */
static void set_buffer_size(bpi_load *load, bp_json place, bp_json length, bpi_buffer *buffer) {
    const bp_document *document = load->document;
    bpi_fault flaw;
    buffer->size = buffer->source.bytes.size;
    buffer->declared = buffer->size;
    if (!bpi_integer_member(document, place, length, "byteLength must be defined",
                            &buffer->declared, &flaw)) {
        bpi_warn(&load->report, document, flaw.place, flaw.rule, 1,
                 "byteLength must be given as an integer; all %zu bytes are used", buffer->size);
    } else if (buffer->declared < buffer->size) {
        buffer->size = (size_t)buffer->declared;
        if (buffer->size == 0)
            bpi_warn(&load->report, document, length, BP_RULE_VALUE_NOT_IN_RANGE, 1,
                     "a buffer must have at least one byte");
    } else if (buffer->declared > buffer->size) {
        bpi_warn(&load->report, document, place, BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH, 1,
                 "only %zu of %" PRIu64 " bytes are there; what needs the others cannot be read",
                 buffer->size, buffer->declared);
    }
}

static bp_result load_buffer(bpi_load *load, uint32_t number, bp_json place, bpi_buffer *buffer) {
    static const char *const keys[] = {"uri", "byteLength"};
    bp_document *document = load->document;
    bp_json values[2];
    uint64_t most = UINT64_MAX;
    if (bp_json_type_of(document, place) != BP_JSON_OBJECT)
        return bpi_fault_make(load,
                              (bpi_fault){BP_ERROR_FORMAT, BP_RULE_TYPE_MISMATCH, place,
                                          "a buffer must be an object"},
                              &buffer->fault);
    bpi_json_members(document, place, keys, 2, values);
    bp_json_integer(document, values[1], &most);
    bp_result result = values[0] == BP_JSON_NONE
                           ? use_bin(load, number, place, buffer)
                           : bpi_uri_read(load, values[0], most, &buffer->source, &buffer->fault);
    if (result == BP_OK && !buffer->fault) set_buffer_size(load, place, values[1], buffer);
    return result;
}

/* The root's member `key`, which should be an array; *count receives how many elements. */
static bp_json root_array(bpi_load *load, const char *key, uint32_t *count) {
    const bp_document *document = load->document;
    bp_json array = bp_json_member(document, 0, key);
    if (array != BP_JSON_NONE && bp_json_type_of(document, array) != BP_JSON_ARRAY) {
        bpi_warn(&load->report, document, array, BP_RULE_TYPE_MISMATCH, 1,
                 "%s must be an array; ignored", key);
        array = BP_JSON_NONE;
    }
    *count = bp_json_count(document, array);
    return array;
}

bp_result bpi_buffers_load(bpi_load *load) {
    bp_document *document = load->document;
    uint32_t count, number = 0;
    bp_json array = root_array(load, "buffers", &count);
    if (count == 0) return BP_OK;
    document->buffers = bpi_arena_take(&document->arena, count, sizeof *document->buffers);
    if (!document->buffers) return bpi_load_out_of_memory(load, "the list of buffers");
    document->buffer_count = count;
    for (bp_json place = bp_json_first(document, array); place != BP_JSON_NONE;
         place = bp_json_next(document, array, place), ++number) {
        bp_result result = load_buffer(load, number, place, &document->buffers[number]);
        if (result != BP_OK) return result;
    }
    return BP_OK;
}

/* ---- ranges of buffers ----------------------------------------------------------------------- */

/* Looks whether `size` bytes at `offset` are in the buffer, and there. */
static bp_result find_bytes(bpi_load *load, bpi_range *range, const bpi_buffer *buffer,
                            uint64_t offset, uint64_t size) {
    bpi_fault flaw = {BP_ERROR_FORMAT, BP_RULE_BUFFER_VIEW_TOO_LONG, range->object, NULL};
    if (buffer->fault) {
        range->fault = buffer->fault;
        return BP_OK;
    }
    if (offset <= buffer->size && size <= buffer->size - offset) {
        range->bytes = (bp_bytes){buffer->source.bytes.data + (size_t)offset, (size_t)size};
        return BP_OK;
    }
    if (offset <= buffer->declared && size <= buffer->declared - offset) {
        flaw.rule = BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH;
        return bpi_fault_format(load, flaw, &range->fault,
                                "bytes %" PRIu64 " to %" PRIu64
                                " are needed, but only %zu of the buffer's %" PRIu64 " are there",
                                offset, offset + size, buffer->size, buffer->declared);
    }
    return bpi_fault_format(load, flaw, &range->fault,
                            "byteOffset %" PRIu64 " + byteLength %" PRIu64
                            " do not fit in the %" PRIu64 " bytes of buffer %lu",
                            offset, size, buffer->declared, (unsigned long)range->buffer);
}

bp_result bpi_range_resolve(bpi_load *load, bpi_range *range, bp_json buffer, bp_json offset,
                            bp_json length) {
    const bp_document *document = load->document;
    uint64_t number = 0, first = 0, size = 0;
    bpi_fault flaw;
    if (!bpi_integer_member(document, range->object, buffer, "buffer must be defined", &number,
                            &flaw) ||
        !bpi_integer_member(document, range->object, offset, NULL, &first, &flaw) ||
        !bpi_integer_member(document, range->object, length, "byteLength must be defined", &size,
                            &flaw))
        return bpi_fault_make(load, flaw, &range->fault);
    if (number >= document->buffer_count) {
        flaw = (bpi_fault){BP_ERROR_FORMAT, BP_RULE_UNRESOLVED_REFERENCE, buffer, NULL};
        return bpi_fault_format(load, flaw, &range->fault,
                                "buffer %" PRIu64 " does not exist; there are %lu", number,
                                (unsigned long)document->buffer_count);
    }
    range->buffer = (uint32_t)number;
    if (size == 0 && length != BP_JSON_NONE)
        bpi_warn(&load->report, document, length, BP_RULE_VALUE_NOT_IN_RANGE, 1,
                 "a range of a buffer must have at least one byte");
    return find_bytes(load, range, &document->buffers[number], first, size);
}

/* ---- buffer views ---------------------------------------------------------------------------- */

static bp_result read_stride(bpi_load *load, bp_json place, bp_json value, bpi_view *view) {
    const bp_document *document = load->document;
    uint64_t stride = 0;
    bpi_fault flaw;
    if (value == BP_JSON_NONE) return BP_OK;
    if (!bpi_integer_member(document, place, value, NULL, &stride, &flaw))
        return bpi_fault_make(load, flaw, &view->fault);
    if (stride > UINT32_MAX) {
        flaw = (bpi_fault){BP_ERROR_FORMAT, BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, value,
                           "must be a multiple of 4 from 4 to 252"};
        return bpi_fault_make(load, flaw, &view->fault);
    }
    if (stride < 4 || stride > 252 || stride % 4 != 0)
        bpi_warn(&load->report, document, value, BP_RULE_BUFFER_VIEW_INVALID_BYTE_STRIDE, 1,
                 "must be a multiple of 4 from 4 to 252; used as it is");
    view->stride = (uint32_t)stride;
    return BP_OK;
}

static bp_result load_view(bpi_load *load, bp_json place, bpi_view *view) {
    static const bpi_json_name names[] = {BPI_NAME("buffer"), BPI_NAME("byteLength"),
                                          BPI_NAME("byteOffset"), BPI_NAME("byteStride"),
                                          BPI_NAME("extensions")};
    const bp_document *document = load->document;
    bp_json values[5];
    if (bp_json_type_of(document, place) != BP_JSON_OBJECT)
        return bpi_fault_make(load,
                              (bpi_fault){BP_ERROR_FORMAT, BP_RULE_TYPE_MISMATCH, place,
                                          "a buffer view must be an object"},
                              &view->fault);
    bpi_json_find(document, place, names, 5, values);
    bpi_range range = {.object = place};
    bp_result result = bpi_range_resolve(load, &range, values[0], values[2], values[1]);
    view->bytes = range.bytes;
    view->buffer = range.buffer;
    view->fault = range.fault;
    if (result == BP_OK && !view->fault) result = read_stride(load, place, values[3], view);
    if (result == BP_OK && values[4] != BP_JSON_NONE)
        result = bpi_meshopt_decode(load, values[4], view);
    return result;
}

bp_result bpi_views_load(bpi_load *load) {
    bp_document *document = load->document;
    uint32_t count, number = 0;
    bp_json array = root_array(load, "bufferViews", &count);
    document->accessors = root_array(load, "accessors", &document->accessor_count);
    if (count == 0) return BP_OK;
    document->views = bpi_arena_take(&document->arena, count, sizeof *document->views);
    if (!document->views) return bpi_load_out_of_memory(load, "the list of buffer views");
    document->view_count = count;
    for (bp_json place = bp_json_first(document, array); place != BP_JSON_NONE;
         place = bp_json_next(document, array, place), ++number) {
        bp_result result = load_view(load, place, &document->views[number]);
        if (result != BP_OK) return result;
    }
    return BP_OK;
}

bp_result bp_document_buffer_view(const bp_document *document, uint32_t index, bp_json place,
                                  bp_bytes *bytes, bp_error *error) {
    if (index >= document->view_count)
        return bpi_refuse(error, BP_ERROR_FORMAT, document, place, BP_RULE_UNRESOLVED_REFERENCE,
                          "buffer view %lu does not exist; there are %lu", (unsigned long)index,
                          (unsigned long)document->view_count);
    const bpi_view *view = &document->views[index];
    if (view->fault) return bpi_fault_report(document, view->fault, error);
    *bytes = view->bytes;
    return BP_OK;
}
