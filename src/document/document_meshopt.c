// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * EXT_meshopt_compression and KHR_meshopt_compression: buffer views whose bytes are made by a
 * decoder, here libmeshoptimizer, an optional component.
 *
 * The decoder writes as many bytes as the file claims, so the claim is checked before memory is
 * taken: no codec makes more than a known number of bytes of one (largest_ratio), so a small file
 * cannot ask for gigabytes. When decoding fails, the buffer view's own buffer is used if it has
 * data.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <inttypes.h>

#if BP_HAVE_MESHOPT
#include <meshoptimizer.h>
#endif

typedef enum meshopt_mode { MODE_ATTRIBUTES, MODE_TRIANGLES, MODE_INDICES } meshopt_mode;

typedef enum meshopt_filter {
    FILTER_NONE,
    FILTER_OCTAHEDRAL,
    FILTER_QUATERNION,
    FILTER_EXPONENTIAL,
    FILTER_COLOR
} meshopt_filter;

/* One compressed buffer view. */
typedef struct meshopt_stream {
    const char *extension;
    bp_json place; /* the extension object */
    bp_bytes bytes;
    meshopt_mode mode;
    meshopt_filter filter;
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
    int filter_number = find_name(document, filter, filters, 5, FILTER_NONE);
    if (mode_number < 0)
        return set_flaw(flaw, BP_ERROR_FORMAT, mode == BP_JSON_NONE ? stream->place : mode,
                        BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "mode must be ATTRIBUTES, TRIANGLES or INDICES");
    if (filter_number < 0)
        return set_flaw(flaw, BP_ERROR_FORMAT, filter, BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "filter must be NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR");
    stream->mode = (meshopt_mode)mode_number;
    stream->filter = (meshopt_filter)filter_number;
    if (stream->mode != MODE_ATTRIBUTES && stream->filter != FILTER_NONE)
        return set_flaw(flaw, BP_ERROR_FORMAT, filter, BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "a filter is for mode ATTRIBUTES only");
    return true;
}

/* Whether the mode and the filter allow elements of this size. */
static bool stride_is_valid(const meshopt_stream *stream, uint64_t stride) {
    if (stream->mode != MODE_ATTRIBUTES) return stride == 2 || stride == 4;
    if (stream->filter == FILTER_OCTAHEDRAL || stream->filter == FILTER_COLOR)
        return stride == 4 || stride == 8;
    if (stream->filter == FILTER_QUATERNION) return stride == 8;
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

#if BP_HAVE_MESHOPT

/* What a newer library could decode, or an older format cannot say. */
static bool check_codec(const meshopt_stream *stream, bpi_fault *flaw) {
    if (stream->filter == FILTER_COLOR && MESHOPTIMIZER_VERSION < 250)
        return set_flaw(flaw, BP_ERROR_UNSUPPORTED, stream->place,
                        BP_RULE_EXTENSION_REQUIRED_UNSUPPORTED,
                        "its filter COLOR needs libmeshoptimizer 0.25 or later");
    return true;
}

static void apply_filter(const meshopt_stream *stream, unsigned char *out) {
    switch (stream->filter) {
    case FILTER_NONE: break;
    case FILTER_OCTAHEDRAL: meshopt_decodeFilterOct(out, stream->count, stream->stride); break;
    case FILTER_QUATERNION: meshopt_decodeFilterQuat(out, stream->count, stream->stride); break;
    case FILTER_EXPONENTIAL: meshopt_decodeFilterExp(out, stream->count, stream->stride); break;
    case FILTER_COLOR:
#if MESHOPTIMIZER_VERSION >= 250
        meshopt_decodeFilterColor(out, stream->count, stream->stride);
#endif
        break;
    }
}

static bool decode(const meshopt_stream *stream, unsigned char *out, bpi_fault *flaw) {
    const unsigned char *data = stream->bytes.data;
    size_t size = stream->bytes.size, count = stream->count, stride = stream->stride;
    int wrong;
    if (stream->mode == MODE_ATTRIBUTES)
        wrong = meshopt_decodeVertexBuffer(out, count, stride, data, size);
    else if (stream->mode == MODE_TRIANGLES)
        wrong = meshopt_decodeIndexBuffer(out, count, stride, data, size);
    else
        wrong = meshopt_decodeIndexSequence(out, count, stride, data, size);
    /* The first byte says codec (high half) and version (low half). */
    if (wrong && stream->mode == MODE_ATTRIBUTES && size > 0 && data[0] == 0xA1 &&
        MESHOPTIMIZER_VERSION < 230)
        return set_flaw(flaw, BP_ERROR_UNSUPPORTED, stream->place,
                        BP_RULE_EXTENSION_REQUIRED_UNSUPPORTED,
                        "its vertex codec of version 1 needs libmeshoptimizer 0.23 or later");
    if (wrong)
        return set_flaw(flaw, BP_ERROR_FORMAT, stream->place,
                        BP_RULE_BUFFER_VIEW_COMPRESSED_DATA_INVALID,
                        "the compressed bytes are damaged");
    apply_filter(stream, out);
    return true;
}

#else

static bool check_codec(const meshopt_stream *stream, bpi_fault *flaw) {
    return set_flaw(flaw, BP_ERROR_UNSUPPORTED, stream->place,
                    BP_RULE_EXTENSION_REQUIRED_UNSUPPORTED,
                    "this build of bindpose lacks the component meshoptimizer that decodes it");
}

static bool decode(const meshopt_stream *stream, unsigned char *out, bpi_fault *flaw) {
    (void)out;
    return check_codec(stream, flaw);
}

#endif

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
        read_sizes(document, values[4], values[3], stream, &flaw) && check_codec(stream, &flaw))
        return BP_OK;
    return bpi_fault_format(load, flaw, fault, "%s: %s", stream->extension, flaw.reason);
}

/* Decodes into new memory. */
static bp_result decode_stream(bpi_load *load, const meshopt_stream *stream, bpi_view *view,
                               const bpi_fault **fault) {
    bpi_memory *memory = &load->document->memory;
    bpi_fault flaw;
    size_t size = stream->count * stream->stride;
    unsigned char *out = bpi_memory_take(memory, size);
    if (!out) return bpi_load_out_of_memory(load, "a decompressed buffer view");
    if (!decode(stream, out, &flaw)) {
        bpi_memory_give(memory, out, size);
        return bpi_fault_format(load, flaw, fault, "%s: %s", stream->extension, flaw.reason);
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
