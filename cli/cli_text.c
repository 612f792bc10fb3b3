// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Text for eyes: names that cannot harm a terminal, counts with separators, numbers that are as
 * long as they need to be.
 *
 * Names come from files, and files from anywhere: a clip may be called "\x1b[2J". What is printed
 * has such characters as escapes, the same for bytes that are not UTF-8, and is cut at 40
 * characters.
 */

#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_CHARACTERS = 40 };

int32_t cli_utf8_next(const char **text) {
    const unsigned char *s = (const unsigned char *)*text;
    if (s[0] == 0) return 0;
    if (s[0] < 0x80) {
        *text += 1;
        return s[0];
    }
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    static const int32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    int32_t code = s[0] & (0x7F >> length);
    bool broken = s[0] < 0xC2 || s[0] > 0xF4;
    for (size_t i = 1; i < length && !broken; i++) {
        broken = (s[i] & 0xC0) != 0x80;
        code = code << 6 | (s[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (broken || code < smallest[length] || code > 0x10FFFF || surrogate) {
        *text += 1;
        return -1;
    }
    *text += length;
    return code;
}

bool cli_is_unprintable(int32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

size_t cli_clean_next(char *piece, const char **text) {
    const char *start = *text;
    int32_t code = cli_utf8_next(text);
    int length;
    if (code == '\n' || code == '\t' || code == '\r') {
        piece[0] = '\\';
        piece[1] = code == '\n' ? 'n' : code == '\t' ? 't' : 'r';
        length = 2;
    } else if (code < 0) {
        length = snprintf(piece, CLI_PIECE_SIZE, "\\x%02x", (unsigned)(unsigned char)*start);
    } else if (cli_is_unprintable(code)) {
        length =
            snprintf(piece, CLI_PIECE_SIZE, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    } else {
        length = (int)(*text - start);
        memcpy(piece, start, (size_t)length);
    }
    return (size_t)length;
}

/* Cleans and shortens; `mark` stands before and after, and with a backslash within, if any. */
static cli_word shorten(const char *text, const char *mark) {
    cli_word word = {""};
    size_t length = strlen(mark), end = strlen("…") + strlen(mark) + 1;
    memcpy(word.text, mark, length);
    for (int shown = 0; *text; shown++) {
        char piece[CLI_PIECE_SIZE + 1] = "\\";
        bool escape = *mark && (*text == *mark || *text == '\\');
        size_t size = escape + cli_clean_next(piece + escape, &text);
        if (shown == SHOWN_CHARACTERS || length + size + end > sizeof word.text) {
            length += (size_t)sprintf(word.text + length, "…");
            break;
        }
        memcpy(word.text + length, piece, size);
        length += size;
    }
    strcpy(word.text + length, mark);
    return word;
}

cli_word cli_quote(const char *name) {
    return shorten(name, "\"");
}

cli_word cli_plain(const char *text) {
    return shorten(text, "");
}

cli_word cli_format(const char *format, ...) {
    cli_word word;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(word.text, sizeof word.text, format, arguments);
    va_end(arguments);
    return word;
}

cli_word cli_item(uint32_t index, const char *name) {
    return *name ? cli_format("%" PRIu32 " %s", index, cli_quote(name).text)
                 : cli_format("%" PRIu32, index);
}

cli_word cli_count(uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    cli_word word;
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) word.text[used++] = ',';
        word.text[used++] = digits[i];
    }
    word.text[used] = '\0';
    return word;
}

cli_word cli_count_of(uint64_t count, const char *one, const char *many) {
    return cli_format("%s %s", cli_count(count).text, count == 1 ? one : many);
}

cli_word cli_bytes(uint64_t bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    double size = (double)bytes;
    while (size >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        size /= 1000;
        unit++;
    }
    bool small = unit > 0 && size < 9.95;
    return cli_format(small ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

cli_word cli_number(double number) {
    return cli_format("%.6g", number == 0 ? 0.0 : number);
}

size_t cli_width(const char *text) {
    size_t width = 0;
    while (*text)
        width += (*text++ & 0xC0) != 0x80;
    return width;
}
