// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What the files of document share. A load goes: bytes (document_file) - container (document_glb) -
 * JSON index (document_parse) - tables (document_json) - buffers and buffer views (document_buffer,
 * document_uri, document_meshopt). After it the document never changes, so threads may share it.
 */
#ifndef BPI_DOCUMENT_INTERNAL_H
#define BPI_DOCUMENT_INTERNAL_H

#include "document/document_query.h"
#include "document/document_report.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bindpose reads glTF's little-endian data in place and needs a little-endian machine"
#endif

/* ---- the JSON index -------------------------------------------------------------------------- */

/*
 * Where things are in a JSON text. A value is known by the offset of its first byte, and its type
 * by that byte, so the index only has to answer two questions, both in O(1):
 *   what starts next? a bit for each byte of the text where a key, a value or a closing bracket
 *   is;
 *   where does this end? for containers and long strings, "spans", the offset of the last byte, by
 *   rank: the spans before this 64-byte block plus those before it within the block.
 * That is 20 bytes for 64 of text and 4 for each span, a fraction of what tokens take.
 */
typedef struct bpi_json_index {
    const unsigned char *text; /* the root object, from '{' to '}' */
    uint32_t size;
    uint64_t *starts;
    uint64_t *spans;
    uint32_t *ranks; /* right only for blocks in which a span starts */
    size_t blocks;
    uint32_t *ends;
    uint32_t span_count, span_capacity;
    uint32_t second_level; /* how many values the arrays and objects in the root have together */
    bool escaped_keys;     /* some key has an escape in it, so bytes do not tell keys apart */
} bpi_json_index;

/* Strings longer than this are spans. */
enum { BPI_LONG_STRING = 256 };

/*
 * Reads the text and fills the index, which is zero before. `offset` is that of the text in the
 * file. On failure, too, bpi_json_index_release is due.
 */
bp_result bpi_json_parse(bpi_json_index *index, bpi_memory *memory, bp_bytes text, int64_t offset,
                         uint32_t depth_limit, bp_error *error);
void bpi_json_index_release(bpi_json_index *index, bpi_memory *memory);

static inline uint64_t bpi_load64(const unsigned char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Number of zero bits below the lowest one; bits is not 0. */
static inline unsigned bpi_lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned count = 0;
    for (unsigned step = 32; step; step /= 2)
        if ((bits & ((UINT64_C(1) << step) - 1)) == 0) {
            bits >>= step;
            count += step;
        }
    return count;
#endif
}

/* Number of zero bits above the highest one; bits is not 0. */
static inline unsigned bpi_high_zeros(uint64_t bits) {
#if defined(__GNUC__)
    return (unsigned)__builtin_clzll(bits);
#else
    unsigned count = 0;
    for (unsigned step = 32; step; step /= 2)
        if (bits >> (64 - step) == 0) {
            bits <<= step;
            count += step;
        }
    return count;
#endif
}

static inline unsigned bpi_bit_count(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/*
 * Where the last pointer led, level by level. A pointer is found by walking from the first child;
 * with a trail the walk goes on from there, so that all of a million siblings do not take a
 * million times a million steps.
 */
typedef struct bpi_json_step {
    bp_json container, child;
    uint32_t number; /* of the child */
} bpi_json_step;

enum { BPI_TRAIL_LENGTH = 8 };

typedef struct bpi_json_trail {
    bpi_json_step steps[BPI_TRAIL_LENGTH];
} bpi_json_trail;

/* bp_json_pointer that follows and updates a trail; NULL: none. */
size_t bpi_json_pointer_along(const bp_document *document, bp_json value, char *text, size_t size,
                              bpi_json_trail *trail);

/* ---- strings --------------------------------------------------------------------------------- */

/* Text that is written into memory that may be too small. */
typedef struct bpi_text {
    char *text;
    size_t size, used; /* used < size when size > 0 */
    size_t length;     /* of the whole text */
} bpi_text;

/* Appends whole characters only; once one did not fit, nothing more is written. */
void bpi_text_add(bpi_text *text, const char *bytes, size_t size);

/* Appends a JSON string's decoded text, as a reference token of a JSON pointer if asked. */
void bpi_text_add_string(bpi_text *text, const unsigned char *first, const unsigned char *last,
                         bool pointer_token);

/* Length of the UTF-8 character at `s`, or 0 when it is broken or passes `end`. */
unsigned bpi_utf8_length(const unsigned char *s, const unsigned char *end);

/* Value of a hexadecimal digit, or -1. */
int bpi_hex_digit(unsigned char c);

/* True when the JSON string (or key) that starts at `at` decodes to `text`. */
bool bpi_json_string_equals(const bpi_json_index *index, uint32_t at, const char *text);

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef enum bpi_owner {
    BPI_OWNER_NONE = 0, /* somebody else's, or part of something */
    BPI_OWNER_MEMORY,   /* bpi_memory_take of `taken` bytes */
    BPI_OWNER_CALLBACK  /* due to bp_file_callbacks.release */
} bpi_owner;

/* Bytes and who releases them. */
typedef struct bpi_source {
    bp_bytes bytes;
    size_t taken;
    bpi_owner owner;
} bpi_source;

/* Why something cannot be had; made while loading, reported by whoever asks for it. */
typedef struct bpi_fault {
    bp_result result;
    bp_rule rule;
    bp_json place;
    const char *reason; /* static, or in the document's arena */
} bpi_fault;

typedef struct bpi_buffer {
    bpi_source source;
    size_t size; /* usable: no more than byteLength, no more than there is */
    uint64_t declared;
    const bpi_fault *fault; /* NULL when there is data */
    bool placeholder;       /* no uri: legal, its bytes are left to others */
} bpi_buffer;

typedef struct bpi_view {
    bp_bytes bytes;
    uint32_t buffer; /* UINT32_MAX: bytes are decompressed, and owned */
    uint32_t stride; /* byteStride, or 0 */
    const bpi_fault *fault;
} bpi_view;

/* Elements of an array in the root object. */
typedef struct bpi_json_table {
    bp_json array;
    uint32_t count;
    const uint32_t *elements;
} bpi_json_table;

struct bp_document {
    bpi_memory memory;
    bpi_arena arena; /* what is small and lives as long as the document */
    bp_file_callbacks files;
    bpi_source file;
    bool is_glb, has_bin;
    bp_bytes bin;
    size_t json_offset; /* of json.text in the file */
    bpi_json_index json;
    bpi_json_table *tables; /* by offset of their arrays */
    uint32_t table_count;
    bp_json accessors; /* the root's arrays, or BP_JSON_NONE */
    uint32_t accessor_count;
    bpi_buffer *buffers;
    uint32_t buffer_count;
    bpi_view *views;
    uint32_t view_count;
    bp_warning *warnings;
    size_t warning_count;
};

/* What a load carries along. */
typedef struct bpi_load {
    bp_document *document;
    const bp_load_options *options; /* not NULL */
    bp_limits limits;               /* complete */
    const char *folder;             /* not terminated; NULL: nowhere */
    size_t folder_length;
    bool named_glb; /* the path ends with .glb: tells which of two errors is meant */
    bpi_report report;
    bp_error *error;
} bpi_load;

/* Splits a GLB into chunks: sets text (JSON) and its offset, and the document's bin. */
bp_result bpi_glb_read(bpi_load *load, bp_bytes *text, size_t *offset);
bool bpi_glb_has_magic(bp_bytes file);

/* Tables of the root's arrays. */
bp_result bpi_json_tables_build(bpi_load *load);

bp_result bpi_buffers_load(bpi_load *load);
bp_result bpi_views_load(bpi_load *load);

/* Makes a fault in the document's arena, or fails the load. `reason` is static. */
bp_result bpi_fault_make(bpi_load *load, bpi_fault fault, const bpi_fault **made);
/* The same with a formatted reason; what fault.reason holds is ignored. */
bp_result bpi_fault_format(bpi_load *load, bpi_fault fault, const bpi_fault **made,
                           const char *format, ...) BPI_PRINTF(4, 5);
bp_result bpi_fault_report(const bp_document *document, const bpi_fault *fault, bp_error *error);

/*
 * Reads an integer that is a member of `object` into *integer. False with *flaw when it is there
 * and none, or absent although `absent`, the reason to give then, is not NULL.
 */
bool bpi_integer_member(const bp_document *document, bp_json object, bp_json value,
                        const char *absent, uint64_t *integer, bpi_fault *flaw);

/* A range of a buffer; a buffer without data, or a range outside of it, is a fault. */
typedef struct bpi_range {
    bp_json object; /* with members buffer, byteOffset, byteLength */
    bp_bytes bytes;
    uint32_t buffer;
    const bpi_fault *fault;
} bpi_range;

/* Fills the range from the members' values. A result other than BP_OK is the load's. */
bp_result bpi_range_resolve(bpi_load *load, bpi_range *range, bp_json buffer, bp_json offset,
                            bp_json length);

/* The reason for a load to stop when memory was refused. */
bp_result bpi_load_out_of_memory(const bpi_load *load, const char *what);

/*
 * Decodes a buffer view if one of its extensions compresses it: fills view->bytes and stride, or
 * view->fault where there is no other data. A result other than BP_OK is the load's.
 */
bp_result bpi_meshopt_decode(bpi_load *load, bp_json extensions, bpi_view *view);

/* A file of the file system. */
typedef struct bpi_file_request {
    const char *folder; /* not terminated; NULL: the path is taken as it is, and trusted */
    size_t folder_length;
    const char *path;
    bool outside;   /* the path may leave the folder */
    uint64_t limit; /* larger files are refused */
    uint64_t most;  /* more is not read */
} bpi_file_request;

typedef struct bpi_file_failure {
    bp_result result;
    bp_rule rule;
    const char *reason; /* static */
} bpi_file_failure;

/*
 * Reads a file. Unless `outside`, a file that is given with a folder is inside of it also when
 * links are followed.
 */
bp_result bpi_file_read(bpi_memory *memory, const bpi_file_request *request, bpi_source *source,
                        bpi_file_failure *failure);

/*
 * Notes that bytes are due to the callback. A file of no bytes may have no address: it is given
 * back at once, and an empty text put in its place, as nothing may be added to NULL.
 */
void bpi_source_own(bp_document *document, bpi_source *source);

/* Gives the bytes back to their owner. */
void bpi_source_release(bp_document *document, bpi_source *source);

/*
 * Reads the bytes that the URI at `uri` stands for, at most `most` of an external file. A result
 * other than BP_OK is the load's; the URI's own fault is in *fault.
 */
bp_result bpi_uri_read(bpi_load *load, bp_json uri, uint64_t most, bpi_source *source,
                       const bpi_fault **fault);

#endif
