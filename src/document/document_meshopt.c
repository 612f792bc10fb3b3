// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * EXT_meshopt_compression and KHR_meshopt_compression: buffer views whose bytes are made by a
 * decoder. Here is what the extension object says; the decoders are in document_meshopt_*.c.
 *
 * The decoder writes as many bytes as the file claims, so the claim is checked before memory is
 * taken: no codec makes more than a known number of bytes of one (is_too_much), so a small file
 * cannot ask for gigabytes. When decoding fails, the buffer view's own buffer is used if it has
 * data.
 */
#include "document/document_meshopt.h"
#include "document/document_internal.h"

typedef enum meshopt_mode { MODE_ATTRIBUTES, MODE_TRIANGLES, MODE_INDICES } meshopt_mode;

/* One compressed buffer view. */
typedef struct meshopt_stream {
    const char *extension;
    bp_json place; /* the extension object */
    bp_bytes bytes;
    meshopt_mode mode;
    bpi_meshopt_filter filter;
    size_t count, stride;
} meshopt_stream;

/* A flaw of the file; on BP_OK of a check there is none. */
static bool set_flaw(bpi_fault *flaw, bp_result result, bp_json place, bp_rule rule,
                     const char *reason) {
    *flaw = (bpi_fault){result, rule, place, reason};
    return false;
}

/* The number of the name that a string equals, `absent` for no value, or -1. */
static int find_name(const bp_document *document, bp_json value, const char *const *names,
                     int count, int absent) {
    if (value == BP_JSON_NONE) return absent;
    for (int i = 0; i < count; ++i)
        if (bp_json_equals(document, value, names[i])) return i;
    return -1;
}

static bool read_mode(const bp_document *document, bp_json mode, bp_json filter,
                      meshopt_stream *stream, bpi_fault *flaw) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                          "COLOR"};
    int mode_number = find_name(document, mode, modes, 3, -1);
    int filter_number = find_name(document, filter, filters, 5, BPI_MESHOPT_NONE);
    if (mode_number < 0)
        return set_flaw(flaw, BP_ERROR_FORMAT, mode == BP_JSON_NONE ? stream->place : mode,
                        BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "mode must be ATTRIBUTES, TRIANGLES or INDICES");
    if (filter_number < 0)
        return set_flaw(flaw, BP_ERROR_FORMAT, filter, BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "filter must be NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR");
    stream->mode = (meshopt_mode)mode_number;
    stream->filter = (bpi_meshopt_filter)filter_number;
    if (stream->mode != MODE_ATTRIBUTES && stream->filter != BPI_MESHOPT_NONE)
        return set_flaw(flaw, BP_ERROR_FORMAT, filter, BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "a filter is for mode ATTRIBUTES only");
    return true;
}

/* Whether the mode and the filter allow elements of this size. */
static bool stride_is_valid(const meshopt_stream *stream, uint64_t stride) {
    if (stream->mode != MODE_ATTRIBUTES) return stride == 2 || stride == 4;
    if (stream->filter == BPI_MESHOPT_OCTAHEDRAL || stream->filter == BPI_MESHOPT_COLOR)
        return stride == 4 || stride == 8;
    if (stream->filter == BPI_MESHOPT_QUATERNION) return stride == 8;
    return stride >= 4 && stride <= 256 && stride % 4 == 0;
}

/*
 * More bytes than the decoders can make of these: a triangle takes a byte, an index takes one, and
 * a block of 16 values of a byte of a vertex two bits (nothing in version 1, then a byte for 4 *
 * 256).
 */
static bool is_too_much(const meshopt_stream *stream, uint64_t count, uint64_t stride) {
    uint64_t size = stream->bytes.size;
    if (stream->mode == MODE_TRIANGLES) return count / 3 > size;
    if (stream->mode == MODE_INDICES) return count > size;
    return count * stride / 1024 > size;
}

static bool read_sizes(const bp_document *document, bp_json count, bp_json stride,
                       meshopt_stream *stream, bpi_fault *flaw) {
    uint64_t count_value = 0, stride_value = 0;
    const bp_rule rule = BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID;
    if (!bpi_integer_member(document, stream->place, count, "count must be defined", &count_value,
                            flaw) ||
        !bpi_integer_member(document, stream->place, stride, "byteStride must be defined",
                            &stride_value, flaw))
        return false;
    if (!stride_is_valid(stream, stride_value))
        return set_flaw(flaw, BP_ERROR_FORMAT, stride, rule,
                        "byteStride does not suit the mode and the filter");
    if (stream->mode == MODE_TRIANGLES && count_value % 3 != 0)
        return set_flaw(flaw, BP_ERROR_FORMAT, count, rule, "triangles need a multiple of 3");
    if (count_value > UINT32_MAX || is_too_much(stream, count_value, stride_value))
        return set_flaw(flaw, BP_ERROR_FORMAT, count, rule,
                        "more than can be compressed into so few bytes");
    stream->count = (size_t)count_value;
    stream->stride = (size_t)stride_value;
    if (stream->count > SIZE_MAX / stream->stride)
        return set_flaw(flaw, BP_ERROR_LIMIT, count, BP_RULE_NONE, "too much for this machine");
    return true;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static bool decode(const meshopt_stream *stream, unsigned char *out) {
    size_t count = stream->count, stride = stream->stride;
    switch (stream->mode) {
    case MODE_TRIANGLES: return bpi_meshopt_decode_triangles(out, count, stride, stream->bytes);
    case MODE_INDICES: return bpi_meshopt_decode_indices(out, count, stride, stream->bytes);
    default: break;
    }
    if (!bpi_meshopt_decode_vertices(out, count, stride, stream->bytes)) return false;
    bpi_meshopt_apply_filter(out, count, stride, stream->filter);
    return true;
}

/* Reads the extension object; false leaves a flaw, or a fault of the compressed bytes' buffer. */
static bp_result read_stream(bpi_load *load, meshopt_stream *stream, const bpi_fault **fault) {
    static const char *const keys[] = {"buffer", "byteOffset", "byteLength", "byteStride",
                                       "count",  "mode",       "filter"};
    const bp_document *document = load->document;
    bp_json values[7];
    bpi_range range = {.object = stream->place};
    bpi_fault flaw;
    bpi_json_members(document, stream->place, keys, 7, values);
    bp_result result = bpi_range_resolve(load, &range, values[0], values[1], values[2]);
    *fault = range.fault;
    if (result != BP_OK || *fault) return result;
    stream->bytes = range.bytes;
    if (read_mode(document, values[5], values[6], stream, &flaw) &&
        read_sizes(document, values[4], values[3], stream, &flaw))
        return BP_OK;
    return bpi_fault_format(load, flaw, fault, "%s: %s", stream->extension, flaw.reason);
}

/* Decodes into new memory. */
static bp_result decode_stream(bpi_load *load, const meshopt_stream *stream, bpi_view *view,
                               const bpi_fault **fault) {
    bpi_memory *memory = &load->document->memory;
    const bpi_fault flaw = {.result = BP_ERROR_FORMAT,
                            .rule = BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                            .place = stream->place};
    size_t size = stream->count * stream->stride;
    unsigned char *out = bpi_memory_take(memory, size);
    if (!out) return bpi_load_out_of_memory(load, "a decompressed buffer view");
    if (!decode(stream, out)) {
        bpi_memory_give(memory, out, size);
        return bpi_fault_format(load, flaw, fault, "%s: the compressed bytes are damaged",
                                stream->extension);
    }
    *view =
        (bpi_view){.bytes = {out, size}, .buffer = UINT32_MAX, .stride = (uint32_t)stream->stride};
    return BP_OK;
}

bp_result bpi_meshopt_decode(bpi_load *load, bp_json extensions, bpi_view *view) {
    static const char *const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    const bp_document *document = load->document;
    const bpi_fault *fault = NULL;
    bp_json place = BP_JSON_NONE;
    for (int i = 0; i < 2; ++i) {
        meshopt_stream stream = {.extension = names[i]};
        const bpi_fault *wrong = NULL;
        stream.place = bp_json_member(document, extensions, names[i]);
        if (stream.place == BP_JSON_NONE) continue;
        bp_result result = read_stream(load, &stream, &wrong);
        if (result == BP_OK && !wrong) result = decode_stream(load, &stream, view, &wrong);
        if (result != BP_OK || !wrong) return result;
        if (!fault) {
            fault = wrong;
            place = stream.place;
        }
    }
    if (!fault) return BP_OK;
    if (view->fault)
        view->fault = fault;
    else
        bpi_warn(&load->report, document, place, fault->rule, 1,
                 "%s; the uncompressed bytes of its buffer are used", fault->reason);
    return BP_OK;
}
