// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Fuzz target: any bytes as the JSON of a document. Whether they are JSON is decided a second time
 * by a recursive-descent reader of RFC 8259 in this file; of what is, the whole tree is walked and
 * every question on every value asked, each answer against another way to it.
 */
#include "../support/test_allocator.h"
#include "../support/test_invariants.h"
#include "mutate_json.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

enum { DEPTH_LIMIT = 20 };

static void require(bool condition, const char *promise) {
    if (condition) return;
    fprintf(stderr, "broken promise: %s\n", promise);
    abort();
}

/* ---- RFC 8259 once more ---------------------------------------------------------------------- */

typedef struct reader {
    const unsigned char *s, *end;
    bool too_deep;
} reader;

static void space(reader *r) {
    while (r->s < r->end && (*r->s == ' ' || *r->s == '\t' || *r->s == '\n' || *r->s == '\r'))
        r->s++;
}

static bool take(reader *r, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(r->end - r->s) < length || memcmp(r->s, text, length) != 0) return false;
    r->s += length;
    return true;
}

static bool digits(reader *r) {
    const unsigned char *first = r->s;
    while (r->s < r->end && *r->s >= '0' && *r->s <= '9')
        r->s++;
    return r->s > first;
}

static bool number(reader *r) {
    take(r, "-");
    if (!take(r, "0") && !digits(r)) return false;
    if (take(r, ".") && !digits(r)) return false;
    if (!take(r, "e") && !take(r, "E")) return true;
    if (!take(r, "+")) take(r, "-");
    return digits(r);
}

static bool escape(reader *r) {
    static const char *const simple[] = {"\"", "\\", "/", "b", "f", "n", "r", "t"};
    for (unsigned i = 0; i < 8; ++i)
        if (take(r, simple[i])) return true;
    if (!take(r, "u")) return false;
    for (int i = 0; i < 4; ++i, r->s++)
        if (r->s == r->end || *r->s == 0 || !strchr("0123456789abcdefABCDEF", *r->s)) return false;
    return true;
}

static bool string(reader *r) {
    if (!take(r, "\"")) return false;
    while (r->s < r->end) {
        if (take(r, "\"")) return true;
        if (take(r, "\\")) {
            if (!escape(r)) return false;
            continue;
        }
        unsigned char bytes[4] = {0};
        size_t left = (size_t)(r->end - r->s);
        memcpy(bytes, r->s, left < 4 ? left : 4);
        unsigned length = test_utf8_character(bytes);
        if (length == 0 || length > left || *r->s < 0x20) return false;
        r->s += length;
    }
    return false;
}

static bool value(reader *r, int depth);

static bool container(reader *r, int depth, bool object) {
    const char *closer = object ? "}" : "]";
    if (depth > DEPTH_LIMIT) {
        r->too_deep = true;
        return false;
    }
    space(r);
    if (take(r, closer)) return true;
    for (;;) {
        space(r);
        if (object) {
            if (!string(r)) return false;
            space(r);
            if (!take(r, ":")) return false;
            space(r);
        }
        if (!value(r, depth)) return false;
        space(r);
        if (take(r, closer)) return true;
        if (!take(r, ",")) return false;
    }
}

static bool value(reader *r, int depth) {
    if (take(r, "{")) return container(r, depth + 1, true);
    if (take(r, "[")) return container(r, depth + 1, false);
    if (r->s < r->end && *r->s == '"') return string(r);
    if (take(r, "true") || take(r, "false") || take(r, "null")) return true;
    return number(r);
}

/* True when the bytes are a JSON object. */
static bool is_object(const uint8_t *data, size_t size, bool *too_deep) {
    reader r = {data, data + size, false};
    space(&r);
    bool valid = r.s < r.end && *r.s == '{' && value(&r, 0);
    *too_deep = r.too_deep;
    space(&r);
    return valid && r.s == r.end;
}

/* ---- questions on a value -------------------------------------------------------------------- */

typedef size_t text_function(const bp_document *, bp_json, char *, size_t);

/* The text in memory of exactly its size; and, cut anywhere, it is the longest whole beginning. */
static char *check_text(const bp_document *document, bp_json json, text_function *get) {
    size_t length = get(document, json, NULL, 0), cut = length / 2;
    char *text = malloc(length + 1), *part = malloc(cut + 1);
    require(text && part, "memory for the test");
    memset(text, 'x', length + 1);
    require(get(document, json, text, length + 1) == length, "the length is always the same");
    require(strlen(text) == length, "the length is that of the text");
    require(test_is_utf8(text), "text is UTF-8");
    require(get(document, json, part, cut + 1) == length, "the length of a cut text is the whole");
    size_t kept = strlen(part);
    require(kept <= cut && memcmp(text, part, kept) == 0, "a cut text is a beginning");
    require(cut - kept < 4 && test_is_utf8(part), "a cut text loses one character at most");
    free(part);
    return text;
}

static void check_number(const bp_document *document, bp_json json) {
    bp_bytes bytes = bp_json_text(document, json);
    char *text = malloc(bytes.size + 1);
    require(text != NULL, "memory for the test");
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    double expected = strtod(text, NULL), got = -7;
    uint64_t integer = 77;
    bool finite = isfinite(expected);
    require(bp_json_number(document, json, &got) == finite, "a number that is finite is a number");
    if (finite) require(memcmp(&got, &expected, sizeof got) == 0, "numbers are rounded correctly");
    if (bp_json_integer(document, json, &integer)) {
        require(finite && integer <= UINT64_C(1) << 53, "integers end at 2^53");
        require((double)integer == expected, "an integer is the number");
    } else {
        bool plain = bytes.size <= 15 && strspn(text, "0123456789") == bytes.size;
        require(!plain && integer == 77, "digits alone are an integer");
    }
    free(text);
}

static void check_string(const bp_document *document, bp_json json) {
    char *text = check_text(document, json, bp_json_string);
    size_t length = strlen(text);
    require(bp_json_equals(document, json, text), "a string equals its text");
    text[length] = '!'; /* the terminator's place; check_text took no more */
    char *longer = malloc(length + 2);
    require(longer != NULL, "memory for the test");
    memcpy(longer, text, length + 1);
    longer[length + 1] = '\0';
    require(!bp_json_equals(document, json, longer), "a string does not equal a longer text");
    if (length > 0) {
        longer[length - 1] = '\0';
        require(!bp_json_equals(document, json, longer), "a string does not equal a shorter text");
    }
    free(longer);
    free(text);
}

static void check_scalar(const bp_document *document, bp_json json, bp_json_type type) {
    double ignored;
    bp_bytes text = bp_json_text(document, json);
    require(bp_json_count(document, json) == 0, "a scalar has no elements");
    require(bp_json_first(document, json) == BP_JSON_NONE, "a scalar has no first element");
    require(bp_json_member(document, json, "a") == BP_JSON_NONE, "a scalar has no members");
    if (type == BP_JSON_NUMBER)
        check_number(document, json);
    else
        require(!bp_json_number(document, json, &ignored), "only numbers are numbers");
    if (type == BP_JSON_STRING)
        check_string(document, json);
    else
        require(bp_json_string(document, json, NULL, 0) == 0, "only strings have text");
    reader r = {text.data, text.data + text.size, false};
    require(value(&r, 0) && r.s == r.end, "the text of a value is the value");
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Pointers cost a walk each, so a budget says how many. */
typedef struct walk {
    const bp_document *document;
    uint32_t budget;
} walk;

/* The pointer of a child is that of its container and one more token. */
static void check_pointer(const walk *w, bp_json json, const char *above, const char *token) {
    char *pointer = check_text(w->document, json, bp_json_pointer);
    size_t length = strlen(above);
    require(strncmp(pointer, above, length) == 0 && pointer[length] == '/', "pointers nest");
    const char *s = pointer + length + 1;
    for (; *token; ++token) {
        if (*token == '~' || *token == '/') {
            require(s[0] == '~' && s[1] == (*token == '~' ? '0' : '1'), "tokens are escaped");
            s += 2;
        } else {
            require(*s++ == *token, "a token is the key or the index");
        }
    }
    require(*s == '\0', "a pointer ends with its token");
    free(pointer);
}

static void check_member(const walk *w, bp_json object, bp_json json, const char *key) {
    char *other = NULL;
    bp_json found = bp_json_member(w->document, object, key);
    require(found != BP_JSON_NONE && found <= json, "a member is found, the first of equal keys");
    if (found != json) {
        other = check_text(w->document, found, bp_json_key);
        require(strcmp(other, key) == 0, "what is found has the key");
    }
    free(other);
}

static void walk_container(walk *w, bp_json container, const char *above) {
    const bp_document *document = w->document;
    bool object = bp_json_type_of(document, container) == BP_JSON_OBJECT;
    bp_bytes outer = bp_json_text(document, container);
    uint32_t number = 0;
    for (bp_json json = bp_json_first(document, container); json != BP_JSON_NONE;
         json = bp_json_next(document, container, json), ++number) {
        bp_json_type type = bp_json_type_of(document, json);
        bp_bytes inner = bp_json_text(document, json);
        char *key = check_text(document, json, bp_json_key), index[16];
        snprintf(index, sizeof index, "%u", (unsigned)number);
        require(inner.data > outer.data && inner.data + inner.size < outer.data + outer.size,
                "a value lies in its container");
        require(object || !*key, "elements have no key");
        if (w->budget > 0) {
            --w->budget;
            check_pointer(w, json, above, object ? key : index);
            if (object) check_member(w, container, json, key);
            require(object || bp_json_element(document, container, number) == json, "elements");
        }
        free(key);
        if (type == BP_JSON_ARRAY || type == BP_JSON_OBJECT) {
            char *pointer = check_text(document, json, bp_json_pointer);
            walk_container(w, json, pointer);
            free(pointer);
        } else {
            check_scalar(document, json, type);
        }
    }
    require(bp_json_count(document, container) == number, "the count is that of the values");
    require(bp_json_element(document, container, number) == BP_JSON_NONE, "no element at the end");
}

/* ---- the target ------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool too_deep, valid = is_object(data, size, &too_deep);
    test_allocator allocator = {0};
    bp_load_options options = {.allocator = test_allocator_make(&allocator),
                               .limits = {.json_depth = DEPTH_LIMIT}};
    bp_document *document = NULL;
    bp_error error;
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) return 0; /* the business of fuzz_model */
    bp_result result = bp_document_load_memory(&document, data, size, &options, &error);
    require((result == BP_OK) == (document != NULL), "a document when and only when BP_OK");
    if (!too_deep) require((result == BP_OK) == valid, "what is JSON is decided by RFC 8259");
    if (too_deep) require(result != BP_OK, "limits.json_depth");
    if (document) {
        walk w = {document, 200};
        require(!bp_document_is_glb(document), "JSON is no GLB");
        require(bp_json_type_of(document, 0) == BP_JSON_OBJECT, "the root is an object");
        require(bp_json_pointer(document, 0, NULL, 0) == 0, "the pointer of the root is empty");
        walk_container(&w, 0, "");
    } else {
        const char *broken = test_check_error(&error, result, size);
        require(!broken, broken ? broken : "");
    }
    bp_document_destroy(document);
    require(allocator.live == 0 && allocator.held == 0, "nothing leaks");
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    seed *= 2654435761u; /* the engine's seeds follow each other */
    seed ^= seed >> 15;
    if (seed % 4 < 2) return LLVMFuzzerMutate(data, size, max_size);
    return mutate_json(data, size, max_size, seed / 4);
}
