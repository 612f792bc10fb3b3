// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * URIs of buffers and images: data URIs are decoded, relative ones lead to files in the model's
 * folder, all others are refused.
 *
 * Rules are applied to the text with its percent escapes decoded, so that none hides behind an
 * escape; only a scheme is looked for before, as %3A is no colon. A backslash is a character of a
 * file name, but counts as a separator where it could make a path leave the folder.
 */
#include "document/document_internal.h"

#include <assert.h>

/* ---- text of a URI --------------------------------------------------------------------------- */

/* A URI with JSON's escapes decoded. Most have none and are used where they stand. */
typedef struct uri_text {
    const unsigned char *first, *end;
    char *taken; /* NULL, or memory of `size` bytes that holds the text */
    size_t size;
} uri_text;

static bool take_text(const bp_document *document, bpi_memory *memory, bp_json uri,
                      uri_text *text) {
    bp_bytes raw = bp_json_text(document, uri);
    *text = (uri_text){.first = raw.data + 1, .end = raw.data + raw.size - 1};
    if (!memchr(text->first, '\\', (size_t)(text->end - text->first))) return true;
    text->size = raw.size; /* decoding never makes it longer */
    text->taken = bpi_memory_take(memory, text->size);
    if (!text->taken) return false;
    size_t length = bp_json_string(document, uri, text->taken, text->size);
    text->first = (unsigned char *)text->taken;
    text->end = text->first + length;
    return true;
}

static void give_text(bpi_memory *memory, uri_text *text) {
    bpi_memory_give(memory, text->taken, text->size);
}

/* The value of the percent escape at s, or -1. */
static int percent_escape(const unsigned char *s, const unsigned char *end) {
    if (end - s < 3 || s[0] != '%') return -1;
    int high = bpi_hex_digit(s[1]), low = bpi_hex_digit(s[2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Decodes percent escapes; a '%' that starts none stands for itself. */
static size_t decode_percent(const unsigned char *s, const unsigned char *end, unsigned char *out) {
    size_t size = 0;
    while (s < end) {
        int code = percent_escape(s, end);
        out[size++] = code < 0 ? *s : (unsigned char)code;
        s += code < 0 ? 1 : 3;
    }
    return size;
}

/* ---- data URIs (RFC 2397) -------------------------------------------------------------------- */

typedef struct data_uri {
    const unsigned char *media_end; /* of the media type, behind "data:" */
    const unsigned char *payload, *end;
    bool base64;
} data_uri;

static bool equals_ignoring_case(const unsigned char *s, const char *lower, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = s[i] >= 'A' && s[i] <= 'Z' ? s[i] | 0x20 : s[i];
        if (c != (unsigned char)lower[i]) return false;
    }
    return true;
}

static bool is_data(const unsigned char *first, const unsigned char *end) {
    return end - first >= 5 && equals_ignoring_case(first, "data:", 5);
}

static bool split_data_uri(const uri_text *text, data_uri *uri) {
    const unsigned char *first = text->first + 5;
    const unsigned char *comma = memchr(first, ',', (size_t)(text->end - first));
    if (!comma) return false;
    *uri = (data_uri){.media_end = comma, .payload = comma + 1, .end = text->end};
    if (comma - first >= 7 && equals_ignoring_case(comma - 7, ";base64", 7)) {
        uri->base64 = true;
        uri->media_end = comma - 7;
    }
    const unsigned char *semicolon = memchr(first, ';', (size_t)(uri->media_end - first));
    if (semicolon) uri->media_end = semicolon;
    return true;
}

/* 128 + the value of a character of base64; 0 for all others. */
static const unsigned char base64_values[256] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   /* */
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   /* */
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   190, 0,   0,   0,   191, /* + / */
    180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 0,   0,   0,   0,   0,   0,   /* 0-9 */
    0,   128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, /* A-O */
    143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 0,   0,   0,   0,   0,   /* P-Z */
    0,   154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, /* a-o */
    169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 0,   0,   0,   0,   0,   /* p-z */
};

/* The end of a payload: what is not four plain characters, percent escapes, padding. */
static const char *decode_base64_tail(const unsigned char *s, const unsigned char *end,
                                      unsigned char *out, size_t *used) {
    uint32_t bits = 0;
    unsigned count = 0, padding = 0;
    while (s < end) {
        int code = percent_escape(s, end);
        unsigned char c = code < 0 ? *s : (unsigned char)code;
        s += code < 0 ? 1 : 3;
        if (c == '=') {
            if (++padding > 2) return "its base64 has too much padding";
            continue;
        }
        unsigned value = base64_values[c];
        if (value == 0) return "its base64 has a character that is none of base64's";
        if (padding) return "its base64 goes on behind its padding";
        bits = bits << 6 | (value & 63);
        if (++count % 4 == 0) {
            out[(*used)++] = (unsigned char)(bits >> 16);
            out[(*used)++] = (unsigned char)(bits >> 8);
            out[(*used)++] = (unsigned char)bits;
        }
    }
    count %= 4;
    if (count == 1) return "its base64 lacks a character";
    if (padding && count + padding != 4) return "its base64 has the wrong padding";
    if (count == 2) out[(*used)++] = (unsigned char)(bits >> 4);
    if (count == 3) {
        out[(*used)++] = (unsigned char)(bits >> 10);
        out[(*used)++] = (unsigned char)(bits >> 2);
    }
    return NULL;
}

/* RFC 4648; padding may be left out. NULL, or what is wrong. */
static const char *decode_base64(const unsigned char *s, const unsigned char *end,
                                 unsigned char *out, size_t *size) {
    size_t used = 0;
    for (; end - s >= 4; s += 4, used += 3) {
        uint32_t a = base64_values[s[0]], b = base64_values[s[1]];
        uint32_t c = base64_values[s[2]], d = base64_values[s[3]];
        if ((a & b & c & d) == 0) break; /* all have bit 7, or one is no character of base64 */
        uint32_t bits = (a & 63) << 18 | (b & 63) << 12 | (c & 63) << 6 | (d & 63);
        out[used] = (unsigned char)(bits >> 16);
        out[used + 1] = (unsigned char)(bits >> 8);
        out[used + 2] = (unsigned char)bits;
    }
    const char *wrong = decode_base64_tail(s, end, out, &used);
    *size = used;
    return wrong;
}

/* Room that decoding the payload takes at most. */
static size_t payload_room(const data_uri *uri) {
    size_t length = (size_t)(uri->end - uri->payload);
    return uri->base64 ? length / 4 * 3 + 3 : length;
}

static const char *decode_payload(const data_uri *uri, unsigned char *out, size_t *size) {
    if (uri->base64) return decode_base64(uri->payload, uri->end, out, size);
    *size = decode_percent(uri->payload, uri->end, out);
    return NULL;
}

static const char no_comma[] = "a data URI needs a comma before its data";

static bp_result read_data(bpi_load *load, bp_json uri, const uri_text *text, bpi_source *source,
                           const bpi_fault **fault) {
    bpi_memory *memory = &load->document->memory;
    bpi_fault flaw = {BP_ERROR_FORMAT, BP_RULE_INVALID_URI, uri, no_comma};
    data_uri data;
    if (!split_data_uri(text, &data)) return bpi_fault_make(load, flaw, fault);
    size_t room = payload_room(&data), size = 0;
    unsigned char *out = bpi_memory_take(memory, room);
    if (!out) return bpi_load_out_of_memory(load, "a data URI");
    flaw.reason = decode_payload(&data, out, &size);
    *source = (bpi_source){{out, size}, room, BPI_OWNER_MEMORY};
    if (!flaw.reason) return BP_OK;
    bpi_source_release(load->document, source);
    return bpi_fault_make(load, flaw, fault);
}

bool bpi_uri_is_data(const bp_document *document, bp_json uri) {
    char start[6];
    return bp_json_string(document, uri, start, sizeof start) >= 5 &&
           is_data((unsigned char *)start, (unsigned char *)start + 5);
}

bp_result bpi_uri_decode_data(const bp_document *document, bp_json uri, bpi_arena *arena,
                              bp_bytes *bytes, char *media_type, size_t size, bp_error *error) {
    uri_text text;
    data_uri data;
    size_t used = 0;
    unsigned char *out = NULL;
    const char *wrong = no_comma;
    assert(bpi_uri_is_data(document, uri));
    if (take_text(document, arena->memory, uri, &text)) {
        if (split_data_uri(&text, &data)) {
            out = bpi_arena_take(arena, payload_room(&data), 1);
            wrong = out ? decode_payload(&data, out, &used) : NULL;
            bpi_text type = {.text = media_type, .size = media_type ? size : 0};
            if (type.size > 0) *type.text = '\0';
            bpi_text_add(&type, (const char *)text.first + 5,
                         (size_t)(data.media_end - text.first) - 5);
        }
        give_text(arena->memory, &text);
        if (wrong)
            return bpi_refuse(error, BP_ERROR_FORMAT, document, uri, BP_RULE_INVALID_URI, "%s",
                              wrong);
    }
    if (!out)
        return bpi_refuse(error, bpi_memory_failure(arena->memory), document, uri, BP_RULE_NONE,
                          "no memory for a data URI");
    *bytes = (bp_bytes){out, used};
    return BP_OK;
}

/* ---- relative URIs --------------------------------------------------------------------------- */

/* RFC 3986: a colon before the first slash is that of a scheme, or the URI is invalid. */
static bool check_scheme(const uri_text *text, bpi_fault *flaw) {
    const unsigned char *s = text->first;
    bool letters = true;
    for (; s < text->end && *s != '/' && *s != ':'; ++s) {
        bool letter = (*s | 0x20) >= 'a' && (*s | 0x20) <= 'z';
        bool other = (*s >= '0' && *s <= '9') || *s == '+' || *s == '-' || *s == '.';
        letters = letters && (letter || (other && s > text->first));
    }
    if (s == text->end || *s == '/') return true;
    *flaw = (bpi_fault){BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER, flaw->place,
                        "a URI with a scheme; only data: and relative URIs are read"};
    if (letters && s > text->first) return false;
    *flaw = (bpi_fault){BP_ERROR_FORMAT, BP_RULE_INVALID_URI, flaw->place,
                        "a colon in the first part of a relative URI must be written as %3A"};
    return false;
}

/* Whether a decoded path leaves the folder by itself, links aside. */
static bool check_inside(const char *path, bpi_fault *flaw) {
    int64_t depth = 0;
    bpi_fault outside = {BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER, flaw->place,
                         "an absolute path; only files in the model's folder are read"};
    *flaw = outside;
    if (path[0] == '/' || path[0] == '\\') return false;
    flaw->reason = "'..' leads out of the model's folder; only files inside are read";
    while (*path) {
        size_t length = strcspn(path, "/\\");
        bool up = length == 2 && path[0] == '.' && path[1] == '.';
        bool same = length == 0 || (length == 1 && path[0] == '.');
        /*
         * A part that ends with a backslash is none to the system, so it may not make up for '..'.
         */
        if (up && --depth < 0) return false;
        if (!up && !same && path[length] != '\\') ++depth;
        path += length;
        if (*path) ++path;
    }
    return true;
}

/* Decodes the path of a URI into `path`, of text's length + 1 bytes, and checks it. */
static bool decode_path(const uri_text *text, bool any, bool outside, char *path, size_t *length,
                        bpi_fault *flaw) {
    *length = decode_percent(text->first, text->end, (unsigned char *)path);
    path[*length] = '\0';
    flaw->result = BP_ERROR_FORMAT;
    flaw->rule = BP_RULE_INVALID_URI;
    flaw->reason = "an empty URI names no file";
    if (*length == 0) return false;
    flaw->reason = "a zero byte (%00) cannot be part of a file's name";
    if (strlen(path) != *length) return false;
    if (any) return true;
    return check_scheme(text, flaw) && (outside || check_inside(path, flaw));
}

bp_result bpi_uri_decode_path(const bp_document *document, bp_json uri, bool inside,
                              bpi_arena *arena, const char **path, bp_error *error) {
    bpi_fault flaw = {.place = uri};
    uri_text text;
    size_t length;
    char *out = NULL;
    bool right = false;
    assert(bp_json_type_of(document, uri) == BP_JSON_STRING);
    if (take_text(document, arena->memory, uri, &text)) {
        out = bpi_arena_take(arena, (size_t)(text.end - text.first) + 1, 1);
        right = out && decode_path(&text, !inside, false, out, &length, &flaw);
        give_text(arena->memory, &text);
    }
    if (!out)
        return bpi_refuse(error, bpi_memory_failure(arena->memory), document, uri, BP_RULE_NONE,
                          "no memory for a URI");
    const unsigned char *s = (unsigned char *)out;
    for (unsigned step = 1; right && *s && step; s += step)
        step = bpi_utf8_length(s, (unsigned char *)out + length);
    if (right && *s) {
        right = false;
        flaw.reason = "its percent escapes do not make up UTF-8";
    }
    if (!right) return bpi_refuse(error, flaw.result, document, uri, flaw.rule, "%s", flaw.reason);
    *path = out;
    return BP_OK;
}

static bp_result read_callback(bpi_load *load, bp_json uri, const char *path, bpi_source *source,
                               const bpi_fault **fault) {
    const bp_file_callbacks *files = &load->document->files;
    bp_bytes bytes = {NULL, 0};
    bp_result result = files->read(files->user, path, &bytes);
    if (result == BP_ERROR_OUT_OF_MEMORY)
        return bpi_refuse(load->error, result, load->document, uri, BP_RULE_NONE,
                          "no memory for this file, says the file callback");
    if (result != BP_OK)
        return bpi_fault_make(
            load,
            (bpi_fault){BP_ERROR_IO, BP_RULE_IO_ERROR, uri, "the file callback could not read it"},
            fault);
    *source = (bpi_source){.bytes = bytes};
    bpi_source_own(load->document, source);
    if (bytes.size <= load->limits.file_bytes) return BP_OK;
    return bpi_refuse(load->error, BP_ERROR_LIMIT, load->document, uri, BP_RULE_NONE,
                      "larger than limits.file_bytes allows");
}

static bp_result read_file(bpi_load *load, bp_json uri, const char *path, uint64_t most,
                           bpi_source *source, const bpi_fault **fault) {
    bpi_file_request request = {.folder = load->folder,
                                .folder_length = load->folder_length,
                                .path = path,
                                .outside = load->options->allow_files_outside,
                                .limit = load->limits.file_bytes,
                                .most = most};
    bpi_file_failure failure;
    if (!load->folder) {
        bpi_fault nowhere = {BP_ERROR_IO, BP_RULE_FILE_OUTSIDE_FOLDER, uri,
                             "loaded from memory, so there is no folder to read files from; set "
                             "options.folder or options.files"};
        return bpi_fault_make(load, nowhere, fault);
    }
    bp_result result = bpi_file_read(&load->document->memory, &request, source, &failure);
    if (result == BP_OK) return BP_OK;
    if (result == BP_ERROR_IO)
        return bpi_fault_make(load, (bpi_fault){result, failure.rule, uri, failure.reason}, fault);
    return bpi_refuse(load->error, result, load->document, uri, failure.rule, "%s", failure.reason);
}

bp_result bpi_uri_read(bpi_load *load, bp_json uri, uint64_t most, bpi_source *source,
                       const bpi_fault **fault) {
    bp_document *document = load->document;
    bpi_memory *memory = &document->memory;
    bpi_fault flaw = {BP_ERROR_FORMAT, BP_RULE_TYPE_MISMATCH, uri, "a URI must be a string"};
    uri_text text;
    if (bp_json_type_of(document, uri) != BP_JSON_STRING) return bpi_fault_make(load, flaw, fault);
    if (!take_text(document, memory, uri, &text)) return bpi_load_out_of_memory(load, "a URI");
    bp_result result;
    if (is_data(text.first, text.end)) {
        result = read_data(load, uri, &text, source, fault);
    } else {
        bool any = document->files.read != NULL;
        size_t room = (size_t)(text.end - text.first) + 1, length;
        char *path = bpi_memory_take(memory, room);
        if (!path)
            result = bpi_load_out_of_memory(load, "a URI");
        else if (!decode_path(&text, any, load->options->allow_files_outside, path, &length, &flaw))
            result = bpi_fault_make(load, flaw, fault);
        else if (any)
            result = read_callback(load, uri, path, source, fault);
        else
            result = read_file(load, uri, path, most, source, fault);
        bpi_memory_give(memory, path, room);
    }
    give_text(memory, &text);
    return result;
}
