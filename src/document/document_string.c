// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * JSON strings: escapes to UTF-8, comparison, text into bounded memory.
 */
#include "document/document_internal.h"

#include <assert.h>

int bpi_hex_digit(unsigned char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/* Unicode 15, table 3-7: what the second byte may be depends on the first. */
unsigned bpi_utf8_length(const unsigned char *s, const unsigned char *end) {
    assert(s < end);
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    unsigned length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if ((size_t)(end - s) < length) return 0;
    for (unsigned i = 1; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0; /* could be shorter */
    if (s[0] == 0xED && s[1] > 0x9F) return 0; /* a surrogate */
    if (s[0] == 0xF0 && s[1] < 0x90) return 0; /* could be shorter */
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0; /* past U+10FFFF */
    return length;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static unsigned encode_utf8(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

static uint32_t read_hex4(const unsigned char *s) {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i)
        code = code << 4 | (uint32_t)bpi_hex_digit(s[i]);
    return code;
}

/* Decodes the escape at s, which is well-formed; returns what is behind it. */
static const unsigned char *decode_escape(const unsigned char *s, const unsigned char *last,
                                          char out[4], unsigned *length) {
    static const char names[] = "bfnrt", controls[] = "\b\f\n\r\t";
    assert(s[0] == '\\');
    *length = 1;
    const char *name = strchr(names, s[1]);
    if (name || s[1] != 'u') {
        out[0] = name ? controls[name - names] : (char)s[1];
        return s + 2;
    }
    uint32_t code = read_hex4(s + 2);
    s += 6;
    if (code >= 0xD800 && code < 0xDC00 && last - s >= 6 && s[0] == '\\' && s[1] == 'u') {
        uint32_t low = read_hex4(s + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            *length = encode_utf8(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), out);
            return s + 6;
        }
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    *length = encode_utf8(code, out);
    return s;
}

void bpi_text_add(bpi_text *text, const char *bytes, size_t size) {
    /* Once a character did not fit, length is ahead of used for good. */
    bool complete = text->used == text->length;
    text->length += size;
    if (!complete || text->size == 0) return;
    size_t room = text->size - 1 - text->used, fits = size;
    if (fits > room) {
        fits = room;
        while (fits > 0 && ((unsigned char)bytes[fits] & 0xC0) == 0x80)
            --fits;
    }
    memcpy(text->text + text->used, bytes, fits);
    text->used += fits;
    text->text[text->used] = '\0';
}

/* A reference token of RFC 6901 writes '~' as "~0" and '/' as "~1". */
static void add_token(bpi_text *text, const char *bytes, size_t size) {
    size_t from = 0;
    for (size_t i = 0; i < size; ++i) {
        if (bytes[i] != '~' && bytes[i] != '/') continue;
        bpi_text_add(text, bytes + from, i - from);
        bpi_text_add(text, bytes[i] == '~' ? "~0" : "~1", 2);
        from = i + 1;
    }
    bpi_text_add(text, bytes + from, size - from);
}

void bpi_text_add_string(bpi_text *text, const unsigned char *first, const unsigned char *last,
                         bool pointer_token) {
    void (*add)(bpi_text *, const char *, size_t) = pointer_token ? add_token : bpi_text_add;
    assert(first <= last);
    if (text->size > 0) text->text[text->used] = '\0';
    while (first < last) {
        const unsigned char *escape = memchr(first, '\\', (size_t)(last - first));
        const unsigned char *end = escape ? escape : last;
        add(text, (const char *)first, (size_t)(end - first));
        first = end;
        if (escape) {
            char decoded[4];
            unsigned length;
            first = decode_escape(escape, last, decoded, &length);
            add(text, decoded, length);
        }
    }
}

/* ---- strings of a document ------------------------------------------------------------------- */

bool bpi_json_string_equals(const bpi_json_index *index, uint32_t at, const char *text) {
    const unsigned char *s = index->text + at + 1, *last = index->text + index->size;
    for (;;) {
        while (*s == (unsigned char)*text && *s != '"' && *s != '\\') {
            ++s;
            ++text;
        }
        if (*s != '\\') return *s == '"' && *text == '\0';
        char decoded[4];
        unsigned count;
        s = decode_escape(s, last, decoded, &count);
        if (strncmp(text, decoded, count) != 0) return false;
        text += count;
    }
}
