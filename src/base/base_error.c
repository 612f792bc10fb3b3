// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "base/base_error.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint32_t bp_version(void) {
    return BP_VERSION;
}

const char *bp_result_name(bp_result result) {
    switch (result) {
    case BP_OK: return "ok";
    case BP_ERROR_ARGUMENT: return "invalid argument";
    case BP_ERROR_OUT_OF_MEMORY: return "out of memory";
    case BP_ERROR_LIMIT: return "limit exceeded";
    case BP_ERROR_IO: return "input/output error";
    case BP_ERROR_FORMAT: return "invalid file";
    case BP_ERROR_UNSUPPORTED: return "not supported";
    }
    return "unknown result";
}

/* Length of the UTF-8 character at `s` (Unicode 15, table 3-7), or 0 when it is broken. */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return length;
}

/*
 * True for characters that move a terminal's cursor or reorder its text: controls, and the
 * invisible marks and directions of Unicode, which can make "txt.exe" read as "exe.txt".
 */
static bool is_unprintable(const unsigned char *s, size_t length) {
    if (length < 2) return *s < 0x20 || *s == 0x7F;
    uint32_t code = s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (s[i] & 0x3Fu);
    return code < 0xA0 || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

void bpi_text_clean(char *text, size_t size, const char *source) {
    assert(size > 0);
    const unsigned char *s = (const unsigned char *)source;
    size_t used = 0;
    while (*s) {
        size_t length = utf8_length(s);
        bool keep = length > 0 && !is_unprintable(s, length);
        size_t width = keep ? length : 1;
        if (used + width >= size) break;
        if (keep)
            memcpy(text + used, s, length);
        else
            text[used] = '?';
        used += width;
        s += length ? length : 1;
    }
    text[used] = '\0';
}

bp_result bpi_fail(bp_error *error, bp_result result, const char *rule, int64_t offset,
                   const char *pointer, const char *format, ...) {
    assert(result != BP_OK);
    if (!error) return result;
    char message[2 * sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error->result = result;
    error->rule = rule ? rule : "";
    error->offset = offset;
    bpi_text_clean(error->pointer, sizeof error->pointer, pointer ? pointer : "");
    bpi_text_clean(error->message, sizeof error->message, message);
    return result;
}

size_t bp_error_format(char *text, size_t size, const bp_error *error) {
    int length;
    if (error->offset >= 0)
        length = snprintf(text, size, "byte %" PRId64 ": %s", error->offset, error->message);
    else if (error->pointer[0])
        length = snprintf(text, size, "%s: %s", error->pointer, error->message);
    else
        length = snprintf(text, size, "%s", error->message);
    return length > 0 ? (size_t)length : 0;
}
