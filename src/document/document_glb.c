// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The binary container (glTF 2.0, 4.4): a header of 12 bytes, then chunks, each with its length
 * and type in front: JSON first, then at most one BIN, then what is not known.
 *
 * What is broken but leaves every byte where it can be found is a warning; what leaves it open
 * where the data is, or that it is all there, is an error.
 */
#include "document/document_internal.h"

#include <assert.h>

enum {
    HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
    CHUNK_JSON = 0x4E4F534A, /* "JSON" */
    CHUNK_BIN = 0x004E4942   /* "BIN" and a zero */
};

typedef struct chunk {
    size_t at; /* of its header in the file */
    uint32_t length, type;
    unsigned number;
} chunk;

static uint32_t read_u32(const unsigned char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

bool bpi_glb_has_magic(bp_bytes file) {
    return file.size >= 4 && memcmp(file.data, "glTF", 4) == 0;
}

static bp_result refuse(const bpi_load *load, size_t at, bp_rule rule, const char *message) {
    return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(rule), (int64_t)at, NULL, "%s",
                    message);
}

/* Checks the header; *declared receives the length of the whole GLB that it claims. */
static bp_result read_header(bpi_load *load, uint32_t *declared) {
    bp_bytes file = load->document->file.bytes;
    if (file.size < HEADER_SIZE)
        return refuse(load, file.size, BP_RULE_GLB_UNEXPECTED_END_OF_HEADER,
                      "the file ends within the header of a GLB; is it complete?");
    uint32_t version = read_u32(file.data + 4);
    *declared = read_u32(file.data + 8);
    if (version != 2)
        return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_GLB_INVALID_VERSION), 4,
                        NULL, "GLB of version %lu; only version 2 can be read",
                        (unsigned long)version);
    if (*declared <= HEADER_SIZE)
        return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_GLB_LENGTH_TOO_SMALL), 8,
                        NULL, "the header declares a length of %lu bytes, too few for any content",
                        (unsigned long)*declared);
    return BP_OK;
}

/* Reads the header of the chunk at c->at and checks that all of it is there. */
static bp_result read_chunk(bpi_load *load, uint32_t declared, chunk *c) {
    bp_bytes file = load->document->file.bytes;
    size_t end = file.size < declared ? file.size : declared;
    if (end - c->at < CHUNK_HEADER_SIZE)
        return refuse(load, end, BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_HEADER,
                      "the GLB ends within the header of a chunk; is it complete?");
    c->length = read_u32(file.data + c->at);
    c->type = read_u32(file.data + c->at + 4);
    size_t content = c->at + CHUNK_HEADER_SIZE;
    if (c->length > declared - content)
        return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_GLB_CHUNK_TOO_BIG),
                        (int64_t)c->at, NULL,
                        "a chunk of %lu bytes does not fit in the %lu bytes that the header "
                        "declares for the whole file",
                        (unsigned long)c->length, (unsigned long)declared);
    if (c->length > file.size - content)
        return bpi_fail(load->error, BP_ERROR_FORMAT,
                        bp_rule_name(BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_DATA), (int64_t)file.size,
                        NULL, "the file ends %lu bytes before its last chunk does; is it complete?",
                        (unsigned long)(c->length - (file.size - content)));
    if (c->length % 4 != 0)
        bpi_warn_offset(&load->report, (int64_t)c->at, BP_RULE_GLB_CHUNK_LENGTH_UNALIGNED,
                        "length %lu of a chunk is not a multiple of 4; read as it is",
                        (unsigned long)c->length);
    return BP_OK;
}

static bp_result take_json(bpi_load *load, const chunk *c, bp_bytes *text, size_t *offset) {
    bp_bytes file = load->document->file.bytes;
    if (c->number > 0)
        return refuse(load, c->at, BP_RULE_GLB_DUPLICATE_CHUNK,
                      "a second JSON chunk; there must be only one");
    if (c->length == 0)
        return refuse(load, c->at, BP_RULE_GLB_EMPTY_CHUNK, "the JSON chunk is empty");
    *offset = c->at + CHUNK_HEADER_SIZE;
    *text = (bp_bytes){file.data + *offset, c->length};
    /* Padding is to be of spaces; some writers pad with zeros. */
    for (int i = 0; i < 3 && text->size > 1 && text->data[text->size - 1] == 0; ++i)
        text->size--;
    if (text->size != c->length)
        bpi_warn_offset(&load->report, (int64_t)(*offset + text->size), BP_RULE_INVALID_JSON,
                        "the JSON chunk is padded with zeros; spaces are meant");
    return BP_OK;
}

static bp_result take_bin(bpi_load *load, const chunk *c) {
    bp_document *document = load->document;
    if (document->has_bin)
        return refuse(load, c->at, BP_RULE_GLB_DUPLICATE_CHUNK,
                      "a second BIN chunk; there must be only one");
    if (c->number != 1)
        bpi_warn_offset(&load->report, (int64_t)c->at, BP_RULE_GLB_UNEXPECTED_BIN_CHUNK,
                        "the BIN chunk must be the second; used where it is");
    document->has_bin = true;
    document->bin = (bp_bytes){document->file.bytes.data + c->at + CHUNK_HEADER_SIZE, c->length};
    return BP_OK;
}

bp_result bpi_glb_read(bpi_load *load, bp_bytes *text, size_t *offset) {
    size_t size = load->document->file.bytes.size;
    uint32_t declared = 0;
    bp_result result = read_header(load, &declared);
    chunk c = {.at = HEADER_SIZE};
    for (; result == BP_OK && c.at < declared && c.at < size; c.number++) {
        if (c.number > 0 && declared <= size && declared - c.at < CHUNK_HEADER_SIZE) {
            bpi_warn_offset(&load->report, (int64_t)c.at,
                            BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_HEADER,
                            "%zu stray bytes behind the last chunk were ignored", declared - c.at);
            break;
        }
        result = read_chunk(load, declared, &c);
        if (result != BP_OK) break;
        if (c.number == 0 && c.type != CHUNK_JSON)
            return refuse(load, c.at, BP_RULE_GLB_UNEXPECTED_FIRST_CHUNK,
                          "the first chunk must be of type JSON");
        if (c.type == CHUNK_JSON)
            result = take_json(load, &c, text, offset);
        else if (c.type == CHUNK_BIN)
            result = take_bin(load, &c);
        else
            bpi_warn_offset(&load->report, (int64_t)c.at, BP_RULE_GLB_UNKNOWN_CHUNK_TYPE,
                            "a chunk of unknown type 0x%08lx was skipped", (unsigned long)c.type);
        c.at += CHUNK_HEADER_SIZE + (size_t)c.length;
    }
    if (result != BP_OK) return result;
    if (declared > size)
        return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_GLB_LENGTH_MISMATCH),
                        (int64_t)size, NULL,
                        "the header declares %lu bytes, the file has %zu; is it complete?",
                        (unsigned long)declared, size);
    if (declared < size)
        bpi_warn_offset(&load->report, (int64_t)declared, BP_RULE_GLB_EXTRA_DATA,
                        "%zu bytes behind the end of the GLB were ignored", size - declared);
    assert(text->size > 0);
    return BP_OK;
}
