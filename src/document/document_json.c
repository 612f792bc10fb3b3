// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Walking the JSON tree by the index that document_parse made. A bp_json is the offset of the
 * value's first byte in the text.
 *
 * From a value, the next start bit behind its end is the next value of an array, or the next key
 * of an object, whose value is the start after it; or a bracket, which ends the walk.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <stdio.h>

/* Arrays of the root with fewer elements are walked: that is O(1), too. */
enum { SMALLEST_TABLE = 8 };

/* The first start behind `at`, which is not the last. */
static inline uint32_t next_start(const bpi_json_index *index, uint32_t at) {
    size_t from = (size_t)at + 1, word = from / 64;
    uint64_t bits = index->starts[word] & (UINT64_MAX << (from % 64));
    while (bits == 0)
        bits = index->starts[++word];
    return (uint32_t)(word * 64 + bpi_lowest_bit(bits));
}

static inline bool has_bit(const uint64_t *bits, uint32_t at) {
    return bits[at / 64] >> (at % 64) & 1;
}

static inline uint32_t span_end(const bpi_json_index *index, uint32_t at) {
    assert(has_bit(index->spans, at));
    uint64_t before = index->spans[at / 64] & ((UINT64_C(1) << (at % 64)) - 1);
    return index->ends[index->ranks[at / 64] + bpi_bit_count(before)];
}

/* A bp_json may come from anywhere, but it must be a value of this document. */
static inline bool is_value(const bp_document *document, bp_json value) {
    (void)document; /* without asserts */
    if (value == BP_JSON_NONE) return false;
    assert(value < document->json.size && has_bit(document->json.starts, value));
    return true;
}

/* The value at the start `at` in a container; BP_JSON_NONE for its closing bracket. */
static inline bp_json value_at(const bpi_json_index *index, bool object, uint32_t at) {
    unsigned char c = index->text[at];
    if (c == '}' || c == ']') return BP_JSON_NONE;
    return object ? next_start(index, at) : at;
}

/* The start behind a value: the next value or key, or the closing bracket. */
static inline uint32_t after_value(const bpi_json_index *index, bp_json value) {
    unsigned char c = index->text[value];
    bool span = c == '{' || c == '[' || (c == '"' && has_bit(index->spans, value));
    return next_start(index, span ? span_end(index, value) : value);
}

static inline bp_json next_value(const bpi_json_index *index, bool object, bp_json value) {
    return value_at(index, object, after_value(index, value));
}

/* Starts in their order, from the bits of a word of them. */
typedef struct walker {
    const uint64_t *starts;
    size_t word;
    uint64_t bits; /* those of the word that are ahead */
} walker;

static inline walker walk_behind(const bpi_json_index *index, uint32_t at) {
    size_t from = (size_t)at + 1, word = from / 64;
    return (walker){index->starts, word, index->starts[word] & (UINT64_MAX << (from % 64))};
}

/* The next start, which must exist. */
static inline uint32_t walk_step(walker *walk) {
    while (walk->bits == 0)
        walk->bits = walk->starts[++walk->word];
    uint32_t at = (uint32_t)(walk->word * 64 + bpi_lowest_bit(walk->bits));
    walk->bits &= walk->bits - 1;
    return at;
}

/* From behind the start of a value to behind its end. */
static inline void walk_over(walker *walk, const bpi_json_index *index, bp_json value) {
    unsigned char c = index->text[value];
    if (c == '{' || c == '[' || (c == '"' && has_bit(index->spans, value)))
        *walk = walk_behind(index, span_end(index, value));
}

bp_json_type bp_json_type_of(const bp_document *document, bp_json value) {
    if (!is_value(document, value)) return BP_JSON_ABSENT;
    switch (document->json.text[value]) {
    case '{': return BP_JSON_OBJECT;
    case '[': return BP_JSON_ARRAY;
    case '"': return BP_JSON_STRING;
    case 't': return BP_JSON_TRUE;
    case 'f': return BP_JSON_FALSE;
    case 'n': return BP_JSON_NULL;
    default: return BP_JSON_NUMBER;
    }
}

static inline bool is_container(const bp_document *document, bp_json value) {
    if (!is_value(document, value)) return false;
    unsigned char c = document->json.text[value];
    return c == '{' || c == '[';
}

/* True for a value, not BP_JSON_NONE, of the type that c stands for. */
static inline bool starts_with(const bp_document *document, bp_json value, char c) {
    return is_value(document, value) && document->json.text[value] == (unsigned char)c;
}

/* ---- objects --------------------------------------------------------------------------------- */

/*
 * Keys of glTF are short and share beginnings (byteOffset, byteLength, byteStride), so a plain loop
 * beats strlen and memcmp. In a text without escaped keys, bytes are equal exactly when keys are.
 */
static inline bool key_is(const bpi_json_index *index, uint32_t at, const char *key) {
    if (index->escaped_keys) return bpi_json_string_equals(index, at, key);
    const unsigned char *s = index->text + at + 1;
    while (*s == (unsigned char)*key && *s != '"') {
        ++s;
        ++key;
    }
    return *s == '"' && *key == '\0';
}

bp_json bp_json_member(const bp_document *document, bp_json object, const char *key) {
    const bpi_json_index *index = &document->json;
    assert(key);
    if (!starts_with(document, object, '{')) return BP_JSON_NONE;
    uint32_t at = next_start(index, object);
    while (index->text[at] != '}') {
        bp_json value = next_start(index, at);
        if (key_is(index, at, key)) return value;
        at = after_value(index, value);
    }
    return BP_JSON_NONE;
}

/* Where a string starts, behind its quote, and its first bytes. */
typedef struct string_head {
    const unsigned char *s;
    size_t room;    /* bytes up to the end of the text */
    uint64_t bytes; /* the first eight, if there is room for them */
} string_head;

static inline string_head head_of(const bpi_json_index *index, uint32_t at) {
    string_head head = {index->text + at + 1, index->size - at - 1, 0};
    if (head.room >= 8) head.bytes = bpi_load64(head.s);
    return head;
}

/* True when the string, with room for eight bytes, is a name without escapes. */
static inline bool is_name(const string_head *head, const bpi_json_name *name) {
    const unsigned char *quoted = (const unsigned char *)name->quoted;
    if ((head->bytes ^ bpi_load64(quoted)) << name->unused != 0) return false;
    size_t length = (size_t)name->length + 1;
    if (length <= 8) return true;
    if (length > head->room) return false;
    bool same = bpi_load64(head->s + length - 8) == bpi_load64(quoted + length - 8);
    return same && (length <= 16 || bpi_load64(head->s + 8) == bpi_load64(quoted + 8));
}

/* The same for a string that may have escapes. */
static bool equals_name(const bpi_json_index *index, uint32_t at, const bpi_json_name *name) {
    char text[sizeof name->quoted];
    memcpy(text, name->quoted, name->length);
    text[name->length] = '\0';
    return bpi_json_string_equals(index, at, text);
}

/*
 * Number of the name that a key equals, or `count`. Tries `expected` first: writers keep to one
 * order, so a key is mostly followed by its next.
 */
static inline uint32_t find_name(const bpi_json_index *index, uint32_t at,
                                 const bpi_json_name *names, uint32_t count, uint32_t expected) {
    string_head head = head_of(index, at);
    if (index->escaped_keys || head.room < 8) {
        for (uint32_t i = 0; i < count; ++i)
            if (equals_name(index, at, &names[i])) return i;
        return count;
    }
    if (expected < count && is_name(&head, &names[expected])) return expected;
    for (uint32_t i = 0; i < count; ++i)
        if (is_name(&head, &names[i])) return i;
    return count;
}

bool bpi_json_find(const bp_document *document, bp_json object, const bpi_json_name *names,
                   uint32_t count, bp_json *values) {
    const bpi_json_index *index = &document->json;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < count; ++i)
        values[i] = BP_JSON_NONE;
    if (!starts_with(document, object, '{')) return false;
    walker walk = walk_behind(index, object);
    for (;;) {
        uint32_t at = walk_step(&walk);
        if (index->text[at] == '}') return true;
        bp_json value = walk_step(&walk);
        uint32_t found = find_name(index, at, names, count, expected);
        if (found < count) {
            if (values[found] == BP_JSON_NONE) values[found] = value; /* the first of equal keys */
            expected = found + 1;
        }
        walk_over(&walk, index, value);
    }
}

void bpi_json_members(const bp_document *document, bp_json object, const char *const *keys,
                      uint32_t count, bp_json *values) {
    bpi_json_name names[16];
    assert(count <= sizeof names / sizeof *names);
    for (uint32_t i = 0; i < count; ++i) {
        size_t length = strlen(keys[i]);
        assert(length + 1 < sizeof names[i].quoted);
        names[i] = (bpi_json_name){.length = (uint8_t)length};
        memcpy(names[i].quoted, keys[i], length);
        names[i].quoted[length] = '"';
        if (length < 7) names[i].unused = (uint8_t)(64 - 8 * (length + 1));
    }
    bpi_json_find(document, object, names, count, values);
}

uint32_t bpi_json_choose(const bp_document *document, bp_json value, const bpi_json_name *names,
                         uint32_t count) {
    if (!starts_with(document, value, '"')) return count;
    string_head head = head_of(&document->json, value);
    for (uint32_t i = 0; i < count && head.room >= 8; ++i)
        if (is_name(&head, &names[i])) return i;
    for (uint32_t i = 0; i < count; ++i) /* it may have escapes */
        if (equals_name(&document->json, value, &names[i])) return i;
    return count;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* The table of an array of the root object; NULL when it has none. */
static const bpi_json_table *find_table(const bp_document *document, bp_json array) {
    uint32_t low = 0, high = document->table_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (document->tables[middle].array < array)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < document->table_count && document->tables[low].array == array;
    return found ? &document->tables[low] : NULL;
}

uint32_t bpi_json_elements(const bp_document *document, bp_json array, bp_json *elements,
                           uint32_t most) {
    const bpi_json_index *index = &document->json;
    uint32_t count = 0;
    if (!starts_with(document, array, '[')) return 0;
    walker walk = walk_behind(index, array);
    for (;; ++count) {
        bp_json value = walk_step(&walk);
        if (index->text[value] == ']') return count;
        if (count < most) elements[count] = value;
        walk_over(&walk, index, value);
    }
}

uint32_t bp_json_count(const bp_document *document, bp_json container) {
    if (!is_container(document, container)) return 0;
    const bpi_json_table *table = find_table(document, container);
    if (table) return table->count;
    if (document->json.text[container] == '[')
        return bpi_json_elements(document, container, NULL, 0);
    uint32_t count = 0;
    for (bp_json value = bp_json_first(document, container); value != BP_JSON_NONE;
         value = bp_json_next(document, container, value))
        ++count;
    return count;
}

bp_json bp_json_first(const bp_document *document, bp_json container) {
    if (!is_container(document, container)) return BP_JSON_NONE;
    const bpi_json_index *index = &document->json;
    return value_at(index, index->text[container] == '{', next_start(index, container));
}

bp_json bp_json_next(const bp_document *document, bp_json container, bp_json value) {
    if (!is_container(document, container) || !is_value(document, value)) return BP_JSON_NONE;
    const bpi_json_index *index = &document->json;
    assert(value > container && value < span_end(index, container));
    return next_value(index, index->text[container] == '{', value);
}

bp_json bp_json_element(const bp_document *document, bp_json array, uint32_t index) {
    if (!starts_with(document, array, '[')) return BP_JSON_NONE;
    const bpi_json_table *table = find_table(document, array);
    if (table) return index < table->count ? table->elements[index] : BP_JSON_NONE;
    bp_json value = bp_json_first(document, array);
    for (; index > 0 && value != BP_JSON_NONE; --index)
        value = next_value(&document->json, false, value);
    return value;
}

/*
 * The child of a container in which `value` lies, and its number; from a child known to be no
 * later.
 */
static bp_json child_around(const bp_document *document, bp_json container, bp_json value,
                            bp_json child, uint32_t *number) {
    const bpi_json_table *table = find_table(document, container);
    if (table) {
        uint32_t low = 0, high = table->count - 1;
        while (low < high) {
            uint32_t middle = low + (high - low + 1) / 2;
            if (table->elements[middle] <= value)
                low = middle;
            else
                high = middle - 1;
        }
        *number = low;
        return table->elements[low];
    }
    bool object = document->json.text[container] == '{';
    for (;;) {
        bp_json next = next_value(&document->json, object, child);
        if (next == BP_JSON_NONE || next > value) return child;
        child = next;
        ++*number;
    }
}

/* Writes the table of an array if it is long enough; returns the room behind its elements. */
static uint32_t *add_table(bp_document *document, bp_json array, uint32_t *elements) {
    uint32_t count = bpi_json_elements(document, array, elements, UINT32_MAX);
    if (count < SMALLEST_TABLE) return elements;
    document->tables[document->table_count++] = (bpi_json_table){array, count, elements};
    return elements + count;
}

bp_result bpi_json_tables_build(bpi_load *load) {
    bp_document *document = load->document;
    size_t most = document->json.second_level, tables = most / SMALLEST_TABLE;
    if (tables == 0) return BP_OK;
    uint32_t *elements = bpi_arena_take(&document->arena, most, sizeof *elements);
    document->tables = bpi_arena_take(&document->arena, tables, sizeof *document->tables);
    if (!document->tables || !elements)
        return bpi_load_out_of_memory(load, "the index of the JSON arrays");
    for (bp_json value = bp_json_first(document, 0); value != BP_JSON_NONE;
         value = bp_json_next(document, 0, value))
        if (document->json.text[value] == '[') elements = add_table(document, value, elements);
    return BP_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Offset of the quote that ends the string which starts at `at`. */
static uint32_t string_end(const bpi_json_index *index, uint32_t at) {
    const unsigned char *s = index->text + at;
    assert(*s == '"');
    for (++s; *s != '"'; ++s)
        if (*s == '\\') ++s;
    return (uint32_t)(s - index->text);
}

/* The last byte of a value. */
static uint32_t value_end(const bpi_json_index *index, bp_json value) {
    unsigned char c = index->text[value];
    if (has_bit(index->spans, value)) return span_end(index, value);
    if (c == '"') return string_end(index, value);
    uint32_t end = value;
    while (!strchr(" \t\r\n,]}", index->text[end + 1]))
        ++end;
    return end;
}

bp_bytes bp_json_text(const bp_document *document, bp_json value) {
    if (!is_value(document, value)) return (bp_bytes){NULL, 0};
    const bpi_json_index *index = &document->json;
    return (bp_bytes){index->text + value, (size_t)value_end(index, value) - value + 1};
}

bool bp_json_equals(const bp_document *document, bp_json value, const char *text) {
    if (!starts_with(document, value, '"')) return false;
    return bpi_json_string_equals(&document->json, value, text);
}

size_t bp_json_string(const bp_document *document, bp_json value, char *text, size_t size) {
    bpi_text out = {.text = text, .size = size};
    if (size > 0) *text = '\0';
    if (!starts_with(document, value, '"')) return 0;
    const bpi_json_index *index = &document->json;
    bpi_text_add_string(&out, index->text + value + 1, index->text + value_end(index, value),
                        false);
    return out.length;
}

/* The key of a value, which has its first and its last quote at *first and *last; or false. */
static bool find_key(const bpi_json_index *index, bp_json value, const unsigned char **first,
                     const unsigned char **last) {
    if (value == 0) return false;
    const unsigned char *s = index->text + value - 1;
    while (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')
        --s;
    if (*s != ':') return false;
    /* The key is the start before the colon. */
    size_t at = (size_t)(s - index->text), word = at / 64;
    uint64_t bits = index->starts[word] & ((UINT64_C(1) << (at % 64)) - 1);
    while (bits == 0)
        bits = index->starts[--word];
    at = word * 64 + 63 - bpi_high_zeros(bits);
    *first = index->text + at;
    *last = index->text + string_end(index, (uint32_t)at);
    return true;
}

size_t bp_json_key(const bp_document *document, bp_json value, char *text, size_t size) {
    bpi_text out = {.text = text, .size = size};
    const unsigned char *first, *last;
    if (size > 0) *text = '\0';
    if (!is_value(document, value) || !find_key(&document->json, value, &first, &last)) return 0;
    bpi_text_add_string(&out, first + 1, last, false);
    return out.length;
}

/* Appends the reference token of a child. */
static void add_token(bpi_text *out, const bpi_json_index *index, bp_json child, uint32_t number) {
    const unsigned char *first, *last;
    bpi_text_add(out, "/", 1);
    if (find_key(index, child, &first, &last)) {
        bpi_text_add_string(out, first + 1, last, true);
    } else {
        char digits[16];
        int length = snprintf(digits, sizeof digits, "%u", (unsigned)number);
        bpi_text_add(out, digits, (size_t)length);
    }
}

size_t bpi_json_pointer_along(const bp_document *document, bp_json value, char *text, size_t size,
                              bpi_json_trail *trail) {
    bpi_text out = {.text = text, .size = size};
    if (size > 0) *text = '\0';
    if (!is_value(document, value)) return 0;
    bp_json at = 0;
    for (size_t level = 0; at != value; ++level) {
        bpi_json_step step = {at, bp_json_first(document, at), 0}, *known = NULL;
        if (trail && level < BPI_TRAIL_LENGTH) known = &trail->steps[level];
        if (known && known->container == at && known->child > at && known->child <= value)
            step = *known;
        at = step.child = child_around(document, step.container, value, step.child, &step.number);
        if (known) *known = step;
        add_token(&out, &document->json, at, step.number);
    }
    return out.length;
}

size_t bp_json_pointer(const bp_document *document, bp_json value, char *text, size_t size) {
    return bpi_json_pointer_along(document, value, text, size, NULL);
}
