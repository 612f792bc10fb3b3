// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Reads JSON (RFC 8259, strictly) in one pass and notes where things start and end.
 *
 * No token is written: a bit for the start of each key, value and closing bracket is all that
 * navigation needs (document_internal.h), so the memory traffic is small and this loop bound by the
 * text alone. There is no recursion and no stack: while a container is open, its place in `ends`
 * holds its parent.
 *
 * Strings, digits and indentation end where one bit in three words says so, which stand for what
 * the next 64 bytes are. So the way from token to token is a shift and a count, not a loop; and as
 * bytes behind the end count as ends of everything, nothing else has to look for it. With SSE2,
 * which every x86-64 has, 16 bytes are compared at once; else 8 in a word, as also BP_NO_SIMD asks
 * for.
 */
#include "document/document_internal.h"

#include <assert.h>

#if defined(__SSE2__) && !defined(BP_NO_SIMD)
#define USE_SSE2 1
#include <emmintrin.h>
#else
#define USE_SSE2 0
#endif

typedef const unsigned char *cursor;

enum { BLOCK = 64 };

/* A bit for each byte of a block. */
typedef struct block_bits {
    uint64_t not_plain; /* a quote, a backslash, a control or not ASCII: strings stop there */
    uint64_t not_digit;
    uint64_t not_space;
} block_bits;

typedef struct parser {
    bpi_json_index *index;
    bpi_memory *memory;
    cursor text, end;
    cursor block; /* never past where the parser is */
    block_bits bits;
    uint32_t open; /* the innermost open container: its span * 2 + (1: an object) */
    unsigned char closer;
    uint32_t depth, depth_limit;
    bp_result result;
    cursor at;            /* where it failed */
    const char *expected; /* and what was expected there; or, on a limit, what was exceeded */
} parser;

static cursor fail(parser *p, cursor at, const char *expected) {
    p->result = BP_ERROR_FORMAT;
    p->at = at;
    p->expected = expected;
    return NULL;
}

static inline unsigned char peek(cursor s, cursor end) {
    return s < end ? *s : 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

#if USE_SSE2

enum { PART = 16 };

static inline __m128i equal(__m128i bytes, char c) {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline uint64_t high_bits(__m128i bytes) {
    return (unsigned)_mm_movemask_epi8(bytes);
}

/* Sixteen bytes. */
static inline block_bits classify_part(cursor s) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)s);
    /* As signed numbers, what is not ASCII is less than a space, too. */
    __m128i odd = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
    odd = _mm_or_si128(odd, _mm_or_si128(equal(bytes, '"'), equal(bytes, '\\')));
    __m128i digit = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    __m128i space = _mm_or_si128(equal(bytes, ' '), equal(bytes, '\n'));
    space = _mm_or_si128(space, _mm_or_si128(equal(bytes, '\r'), equal(bytes, '\t')));
    return (block_bits){high_bits(odd), high_bits(digit) ^ 0xFFFF, high_bits(space) ^ 0xFFFF};
}

#else

enum { PART = 8 };

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

/* The high bit of each byte that is c. */
static inline uint64_t equal(uint64_t bytes, unsigned char c) {
    uint64_t other = bytes ^ EACH_BYTE(c);
    return ~(((other & EACH_BYTE(0x7F)) + EACH_BYTE(0x7F)) | other) & EACH_BYTE(0x80);
}

/* The high bit of each byte that is less than c <= 0x80. */
static inline uint64_t less(uint64_t bytes, unsigned char c) {
    return ~(((bytes & EACH_BYTE(0x7F)) + EACH_BYTE(0x80 - c)) | bytes) & EACH_BYTE(0x80);
}

/* The high bits of eight bytes, side by side. */
static inline uint64_t high_bits(uint64_t bytes) {
    return ((bytes & EACH_BYTE(0x80)) >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* Eight bytes. */
static inline block_bits classify_part(cursor s) {
    uint64_t bytes = bpi_load64(s);
    uint64_t odd = bytes | less(bytes, ' ') | equal(bytes, '"') | equal(bytes, '\\');
    uint64_t digit = less(bytes, '9' + 1) & ~less(bytes, '0');
    uint64_t space =
        equal(bytes, ' ') | equal(bytes, '\n') | equal(bytes, '\r') | equal(bytes, '\t');
    return (block_bits){high_bits(odd), high_bits(digit) ^ 0xFF, high_bits(space) ^ 0xFF};
}

#endif

/* The block that starts at s; what is behind the end counts as zeros. */
static void start_block(parser *p, cursor s) {
    unsigned char last[BLOCK] = {0};
    p->block = s;
    if (p->end - s < BLOCK) {
        memcpy(last, s, (size_t)(p->end - s));
        s = last;
    }
    p->bits = (block_bits){0};
    for (unsigned i = 0; i < BLOCK; i += PART) {
        block_bits part = classify_part(s + i);
        p->bits.not_plain |= part.not_plain << i;
        p->bits.not_digit |= part.not_digit << i;
        p->bits.not_space |= part.not_space << i;
    }
}

/* find_bit where the block has no such bit. */
static cursor find_bit_ahead(parser *p, cursor s, const uint64_t *bits) {
    uint64_t ahead = 0;
    while (!ahead) {
        if (s < p->block + BLOCK) s = p->block + BLOCK;
        assert(s <= p->end);
        start_block(p, s);
        ahead = *bits;
    }
    return s + bpi_lowest_bit(ahead);
}

/* The first byte at or after s, or the end, for which the bit in *bits, one of p->bits, is set. */
static inline cursor find_bit(parser *p, cursor s, const uint64_t *bits) {
    size_t at = (size_t)(s - p->block);
    uint64_t ahead = at < BLOCK ? *bits >> at : 0;
    return ahead ? s + bpi_lowest_bit(ahead) : find_bit_ahead(p, s, bits);
}

static inline bool is_digit(unsigned char c) {
    return (unsigned)c - '0' <= 9;
}

static inline cursor skip_digits(parser *p, cursor s) {
    return find_bit(p, s, &p->bits.not_digit);
}

static inline cursor skip_space(parser *p, cursor s) {
    if (s<p->end && * s> ' ') return s;
    return find_bit(p, s, &p->bits.not_space);
}

static inline cursor skip_plain(parser *p, cursor s) {
    return find_bit(p, s, &p->bits.not_plain);
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* Behind the escape whose backslash is at s. */
static cursor parse_escape(parser *p, cursor s) {
    unsigned char c = peek(s + 1, p->end);
    if (c != 0 && strchr("\"\\/bfnrt", c)) return s + 2;
    if (c != 'u') return fail(p, s, "an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX");
    for (int i = 2; i < 6; ++i)
        if (s + i >= p->end || bpi_hex_digit(s[i]) < 0)
            return fail(p, s, "four hexadecimal digits after \\u");
    return s + 6;
}

/* Behind the string whose first quote is at s. */
static cursor parse_string_rest(parser *p, cursor s, bool *escaped) {
    while (s < p->end) {
        if (*s == '"') return s + 1;
        if (*s == '\\') {
            *escaped = true;
            s = parse_escape(p, s);
            if (!s) return NULL;
        } else if (*s >= 0x80) {
            unsigned length = bpi_utf8_length(s, p->end);
            if (length == 0) return fail(p, s, "UTF-8: these bytes are not");
            s += length;
        } else {
            return fail(p, s, "an escape (\\n, \\u0009) in place of this control character");
        }
        s = skip_plain(p, s);
    }
    return fail(p, s, "the '\"' that ends a string");
}

static inline cursor parse_string(parser *p, cursor s, bool *escaped) {
    s = skip_plain(p, s + 1);
    if (s < p->end && *s == '"') return s + 1;
    return parse_string_rest(p, s, escaped);
}

/* Behind the number that starts at s. */
static inline cursor parse_number(parser *p, cursor s) {
    if (*s == '-') ++s;
    unsigned char c = peek(s, p->end);
    if (!is_digit(c)) return fail(p, s, "a digit");
    ++s;
    if (c != '0')
        s = skip_digits(p, s);
    else if (is_digit(peek(s, p->end)))
        return fail(p, s, "no digit after a leading zero");
    if (peek(s, p->end) == '.') {
        if (!is_digit(peek(s + 1, p->end))) return fail(p, s + 1, "a digit after the point");
        s = skip_digits(p, s + 2);
    }
    c = peek(s, p->end);
    if (c == 'e' || c == 'E') {
        ++s;
        c = peek(s, p->end);
        if (c == '+' || c == '-') ++s;
        if (!is_digit(peek(s, p->end))) return fail(p, s, "a digit of the exponent");
        s = skip_digits(p, s + 1);
    }
    return s;
}

static cursor parse_literal(parser *p, cursor s) {
    static const char words[3][6] = {"true", "false", "null"};
    for (int i = 0; i < 3; ++i) {
        size_t length = strlen(words[i]);
        if ((size_t)(p->end - s) >= length && memcmp(s, words[i], length) == 0) return s + length;
    }
    return fail(p, s, "a value");
}

/* ---- the index ------------------------------------------------------------------------------- */

static inline void mark_start(const parser *p, cursor s) {
    size_t at = (size_t)(s - p->text);
    p->index->starts[at / 64] |= UINT64_C(1) << (at % 64);
}

/*
 * More room in `ends`, found full at s. The rest of the text is expected to be like what was read,
 * so that one growth mostly does and little stays unused.
 */
static bool grow_ends(parser *p, cursor s) {
    bpi_json_index *index = p->index;
    double read = (double)(s - p->text + 1), all = (double)(p->end - p->text);
    double expected = index->span_count * (all / read) * 1.0625;
    size_t capacity = (size_t)index->span_count + index->span_count / 4 + 8;
    if (expected > (double)capacity && expected < UINT32_MAX) capacity = (size_t)expected;
    uint32_t *ends = NULL;
    if (capacity <= UINT32_MAX && capacity <= SIZE_MAX / sizeof *ends)
        ends = bpi_memory_take(p->memory, capacity * sizeof *ends);
    if (!ends) {
        p->result = bpi_memory_failure(p->memory);
        return false;
    }
    memcpy(ends, index->ends, index->span_count * sizeof *ends);
    bpi_memory_give(p->memory, index->ends, index->span_capacity * sizeof *ends);
    index->ends = ends;
    index->span_capacity = (uint32_t)capacity;
    return true;
}

/* Gives the value at s a place in `ends`, which gets `end`. */
static inline bool add_span(parser *p, cursor s, uint32_t end) {
    bpi_json_index *index = p->index;
    if (index->span_count == index->span_capacity && !grow_ends(p, s)) return false;
    size_t at = (size_t)(s - p->text);
    if (index->spans[at / 64] == 0) index->ranks[at / 64] = index->span_count;
    index->spans[at / 64] |= UINT64_C(1) << (at % 64);
    index->ends[index->span_count++] = end;
    return true;
}

static bool open_container(parser *p, cursor s) {
    if (p->depth == p->depth_limit) {
        p->result = BP_ERROR_LIMIT;
        p->at = s;
        return false;
    }
    if (!add_span(p, s, p->open)) return false;
    p->depth++;
    p->open = (p->index->span_count - 1) * 2 + (*s == '{');
    p->closer = *s == '{' ? '}' : ']';
    return true;
}

static inline void close_container(parser *p, cursor s) {
    uint32_t *end = &p->index->ends[p->open / 2];
    p->open = *end;
    p->closer = p->open & 1 ? '}' : ']';
    p->depth--;
    *end = (uint32_t)(s - p->text);
    mark_start(p, s);
}

/* ---- the grammar ----------------------------------------------------------------------------- */

/* From a key to its value. */
static inline cursor parse_key(parser *p, cursor s) {
    if (peek(s, p->end) != '"') return fail(p, s, "a key in double quotes");
    mark_start(p, s);
    s = parse_string(p, s, &p->index->escaped_keys);
    if (!s) return NULL;
    s = skip_space(p, s);
    if (peek(s, p->end) != ':') return fail(p, s, "':' after a key");
    return skip_space(p, s + 1);
}

/* Behind a scalar. */
static inline cursor parse_scalar(parser *p, cursor s) {
    unsigned char c = peek(s, p->end);
    if (c == '"') {
        bool escaped = false;
        cursor after = parse_string(p, s, &escaped);
        if (after && after - s > BPI_LONG_STRING &&
            !add_span(p, s, (uint32_t)(after - 1 - p->text)))
            return NULL;
        return after;
    }
    if (c == '-' || is_digit(c)) return parse_number(p, s);
    return parse_literal(p, s);
}

static inline cursor parse_closers(parser *p, cursor s) {
    for (;;) {
        s = skip_space(p, s);
        if (peek(s, p->end) != p->closer) return s;
        close_container(p, s);
        if (p->depth == 0) return s;
        ++s;
    }
}

/* The last byte of the root object, which starts at s; NULL on failure. */
static cursor parse_root(parser *p, cursor s) {
    mark_start(p, s);
    if (!open_container(p, s)) return NULL;
    s = skip_space(p, s + 1);
    /* Each round reads a child, or finds a container to be empty. */
    for (bool may_close = true;;) {
        if (!may_close || peek(s, p->end) != p->closer) {
            if (p->closer == '}') {
                s = parse_key(p, s);
                if (!s) return NULL;
            }
            mark_start(p, s);
            p->index->second_level += p->depth == 2;
            unsigned char c = peek(s, p->end);
            if (c == '{' || c == '[') {
                if (!open_container(p, s)) return NULL;
                s = skip_space(p, s + 1);
                may_close = true;
                continue;
            }
            s = parse_scalar(p, s);
            if (!s) return NULL;
        }
        s = parse_closers(p, s);
        if (p->depth == 0) return s;
        if (peek(s, p->end) != ',')
            return fail(p, s,
                        p->closer == '}' ? "',' or '}' after a member"
                                         : "',' or ']' after an element");
        s = skip_space(p, s + 1);
        may_close = false;
    }
}

/* ---- entry ----------------------------------------------------------------------------------- */

static bp_result report_failure(const parser *p, int64_t offset, bp_error *error) {
    const char *rule = bp_rule_name(BP_RULE_INVALID_JSON);
    if (p->result == BP_ERROR_LIMIT && p->at)
        return bpi_fail(error, p->result, NULL, offset + (p->at - p->text), NULL,
                        "JSON nested deeper than the limit of %lu; raise limits.json_depth if the "
                        "file is to be trusted",
                        (unsigned long)p->depth_limit);
    if (p->result != BP_ERROR_FORMAT)
        return bpi_fail(error, p->result, NULL, BPI_NO_OFFSET, NULL,
                        "no memory for the index of %zu bytes of JSON", (size_t)(p->end - p->text));
    int64_t at = offset + (p->at - p->text);
    if (p->at >= p->end)
        return bpi_fail(error, p->result, rule, at, NULL,
                        "the JSON ends too early: expected %s; is the file complete?", p->expected);
    unsigned char c = *p->at;
    if (c > ' ' && c < 0x7F)
        return bpi_fail(error, p->result, rule, at, NULL, "expected %s, found '%c'", p->expected,
                        c);
    return bpi_fail(error, p->result, rule, at, NULL, "expected %s, found byte 0x%02X", p->expected,
                    c);
}

/* Bytes of `starts`, `spans` and `ranks`, which are one allocation. */
static size_t index_size(const bpi_json_index *index) {
    return index->blocks * (2 * sizeof(uint64_t) + sizeof(uint32_t));
}

/* The memory of the index; the guess of one span for 64 bytes grows when it was wrong. */
static bool take_index(bpi_json_index *index, bpi_memory *memory, size_t size) {
    index->blocks = size / 64 + 1;
    index->starts = bpi_memory_take(memory, index_size(index));
    if (!index->starts) return false;
    memset(index->starts, 0, index->blocks * 2 * sizeof(uint64_t));
    index->spans = index->starts + index->blocks;
    index->ranks = (uint32_t *)(index->spans + index->blocks);
    uint32_t capacity = (uint32_t)(size / 64 + 8);
    index->ends = bpi_memory_take(memory, capacity * sizeof *index->ends);
    if (index->ends) index->span_capacity = capacity;
    return index->ends != NULL;
}

void bpi_json_index_release(bpi_json_index *index, bpi_memory *memory) {
    bpi_memory_give(memory, index->starts, index_size(index));
    bpi_memory_give(memory, index->ends, index->span_capacity * sizeof *index->ends);
    *index = (bpi_json_index){0};
}

/* What stands in front of the root object: nothing but space. */
static bp_result find_root(parser *p, int64_t offset, bp_error *error) {
    if (p->end - p->text >= 3 && memcmp(p->text, "\xEF\xBB\xBF", 3) == 0)
        return bpi_fail(error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_INVALID_JSON), offset, NULL,
                        "the JSON starts with a byte order mark; save it as UTF-8 without one");
    cursor root = skip_space(p, p->text);
    unsigned char c = peek(root, p->end);
    p->at = root;
    if (c == '[' || c == '"' || c == '-' || is_digit(c) || c == 't' || c == 'f' || c == 'n')
        return bpi_fail(error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_TYPE_MISMATCH),
                        offset + (root - p->text), NULL,
                        "the root of glTF must be a JSON object, found '%c'", c);
    if (c == '{') return BP_OK;
    fail(p, root, "'{', the start of a JSON object");
    return report_failure(p, offset, error);
}

bp_result bpi_json_parse(bpi_json_index *index, bpi_memory *memory, bp_bytes text, int64_t offset,
                         uint32_t depth_limit, bp_error *error) {
    assert(!index->starts && offset >= 0 && depth_limit > 0);
    parser p = {.index = index,
                .memory = memory,
                .text = text.data,
                .end = text.data + text.size,
                .depth_limit = depth_limit};
    start_block(&p, p.text);
    bp_result result = find_root(&p, offset, error);
    if (result != BP_OK) return result;
    offset += p.at - p.text;
    p.text = p.at;
    p.at = NULL;
    size_t size = (size_t)(p.end - p.text);
    if (size >= BP_JSON_NONE)
        return bpi_fail(error, BP_ERROR_LIMIT, NULL, BPI_NO_OFFSET, NULL,
                        "JSON of %zu bytes; at most 4 GiB - 2 can be read", size);
    p.result = BP_ERROR_OUT_OF_MEMORY;
    if (!take_index(index, memory, size)) {
        p.result = bpi_memory_failure(memory);
        return report_failure(&p, offset, error);
    }
    index->text = p.text;
    cursor last = parse_root(&p, p.text);
    if (!last) return report_failure(&p, offset, error);
    index->size = (uint32_t)(last - p.text + 1);
    cursor after = skip_space(&p, last + 1);
    if (after == p.end) return BP_OK;
    fail(&p, after, "the end of the file after the root object");
    return report_failure(&p, offset, error);
}
