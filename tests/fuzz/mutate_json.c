// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A scan of the text lists its values; a change then replaces, removes or repeats the text of one.
 * The scan is lenient: what is not JSON gives fewer values to change, never an error.
 */
#include "mutate_json.h"

#include "../support/test_random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 4096, MOST_DEPTH = 64 };

/* A value: from `item` (its key, in an object, or itself) over `first` up to `end`. */
typedef struct item {
    uint32_t item, first, end;
    uint8_t kind; /* its first character, '0' for numbers */
} item;

typedef struct mutation {
    uint8_t *text;
    size_t size, max_size;
    test_random random;
    item items[MOST_ITEMS];
    uint32_t count;
} mutation;

/* ---- what is there --------------------------------------------------------------------------- */

static size_t skip_string(const mutation *m, size_t at) {
    for (++at; at < m->size && m->text[at] != '"'; ++at)
        if (m->text[at] == '\\') ++at;
    return at < m->size ? at + 1 : m->size;
}

static bool is_word(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '.' || c == '-' ||
           c == '+';
}

static size_t skip_word(const mutation *m, size_t at) {
    while (at < m->size && is_word(m->text[at]))
        ++at;
    return at;
}

/* Lists the values. An open container stands on `open` until its end is known. */
static void scan(mutation *m) {
    uint32_t open[MOST_DEPTH], depth = 0;
    size_t key = SIZE_MAX;
    m->count = 0;
    for (size_t at = 0; at < m->size && m->count < MOST_ITEMS;) {
        uint8_t c = m->text[at];
        size_t end = at + 1;
        if ((c == '}' || c == ']') && depth > 0) m->items[open[--depth]].end = (uint32_t)end;
        if (c == '"') end = skip_string(m, at);
        if (is_word(c)) end = skip_word(m, at);
        size_t next = end;
        while (next < m->size && m->text[next] <= ' ')
            ++next;
        bool is_key = c == '"' && next < m->size && m->text[next] == ':';
        if (is_key) {
            key = at;
        } else if (c == '"' || c == '{' || c == '[' || is_word(c)) {
            uint8_t kind = c == '-' || (c >= '0' && c <= '9') ? '0' : c;
            size_t from = key == SIZE_MAX ? at : key;
            if ((c == '{' || c == '[') && depth < MOST_DEPTH) open[depth++] = m->count;
            m->items[m->count++] = (item){(uint32_t)from, (uint32_t)at, (uint32_t)end, kind};
            key = SIZE_MAX;
        }
        at = end;
    }
}

/* A random value, of one kind if `kind` is not 0; NULL if there is none. */
static const item *pick(mutation *m, uint8_t kind) {
    uint32_t start = m->count ? test_random_below(&m->random, m->count) : 0;
    for (uint32_t i = 0; i < m->count; ++i) {
        const item *found = &m->items[(start + i) % m->count];
        if (kind == 0 || found->kind == kind) return found;
    }
    return NULL;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Puts `length` bytes, which may be of the text itself, in the place of [first, end). */
static void replace(mutation *m, size_t first, size_t end, const void *bytes, size_t length) {
    uint8_t copy[4096];
    if (length > sizeof copy || m->size - (end - first) + length > m->max_size) return;
    if (length > 0) memcpy(copy, bytes, length);
    memmove(m->text + first + length, m->text + end, m->size - end);
    memcpy(m->text + first, copy, length);
    m->size = m->size - (end - first) + length;
}

static void change_number(mutation *m) {
    static const char *const numbers[] = {
        "0",     "1",     "2",    "3",      "4",          "5",          "7",
        "12",    "16",    "64",   "255",    "256",        "1000",       "65535",
        "65536", "5120",  "5121", "5122",   "5123",       "5125",       "5126",
        "-1",    "-0",    "0.5",  "-0.5",   "1e-45",      "3.5e38",     "-1e308",
        "1e400", "1E+2",  "2.0",  "0.1e1",  "2147483647", "2147483648", "4294967295",
        "34962", "34963", "1e-7", "100000", "4294967296", "16777216",   "9007199254740993",
        "[0]",   "null",  "true", "\"1\"",  "1.0000001",  "0.99999988", "18446744073709551615",
    };
    const item *target = pick(m, '0'), *other = pick(m, '0');
    char text[32];
    if (!target) return;
    uint32_t way = test_random_below(&m->random, 4);
    if (way == 0) {
        replace(m, target->first, target->end, m->text + other->first, other->end - other->first);
    } else if (way == 1) {
        size_t length = target->end - target->first;
        if (length >= sizeof text) return;
        memcpy(text, m->text + target->first, length);
        text[length] = '\0';
        double step = (double)(1 << test_random_below(&m->random, 5));
        double value = strtod(text, NULL) + (test_random_bits(&m->random) & 1 ? step : -step);
        int size = snprintf(text, sizeof text, "%.9g", value);
        replace(m, target->first, target->end, text, (size_t)size);
    } else {
        uint32_t count = sizeof numbers / sizeof numbers[0];
        const char *number = numbers[test_random_below(&m->random, count)];
        replace(m, target->first, target->end, number, strlen(number));
    }
}

static void change_word(mutation *m) {
    static const char *const words[] = {
        "\"SCALAR\"",
        "\"VEC2\"",
        "\"VEC3\"",
        "\"VEC4\"",
        "\"MAT2\"",
        "\"MAT3\"",
        "\"MAT4\"",
        "\"LINEAR\"",
        "\"STEP\"",
        "\"CUBICSPLINE\"",
        "\"translation\"",
        "\"rotation\"",
        "\"scale\"",
        "\"weights\"",
        "\"pointer\"",
        "\"ATTRIBUTES\"",
        "\"TRIANGLES\"",
        "\"INDICES\"",
        "\"OCTAHEDRAL\"",
        "\"QUATERNION\"",
        "\"EXPONENTIAL\"",
        "\"NONE\"",
        "\"MASK\"",
        "\"BLEND\"",
        "\"2.0\"",
        "\"2.1\"",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"a%2Fb\"",
        "\"../a.bin\"",
        "\"http://a/b\"",
        "\"data:;base64,AAAAAAAAgD8AAABAAABAQAAAgEAAAKBA\"",
        "\"/nodes/0/weights/0\"",
        "\"/nodes/1/translation\"",
        "\"/nodes/0/rotation\"",
        "\"/materials/0/pbrMetallicRoughness/baseColorFactor\"",
        "\"image/png\"",
        "\"KHR_mesh_quantization\"",
        "\"EXT_meshopt_compression\"",
        "\"KHR_draco_mesh_compression\"",
        "\"EXT_mesh_gpu_instancing\"",
        "\"KHR_animation_pointer\"",
        "\"EXT_unknown\"",
    };
    const item *target = pick(m, '"');
    uint32_t count = sizeof words / sizeof words[0];
    const char *word = words[test_random_below(&m->random, count)];
    if (target) replace(m, target->first, target->end, word, strlen(word));
}

/* The text of one value in the place of another, mostly of the same kind. */
static void change_value(mutation *m) {
    const item *target = pick(m, 0);
    if (!target) return;
    bool same = test_random_below(&m->random, 4) > 0;
    const item *source = pick(m, same ? target->kind : 0);
    replace(m, target->first, target->end, m->text + source->first, source->end - source->first);
}

/* A member or an element less, with a comma beside it. */
static void remove_item(mutation *m) {
    const item *target = pick(m, 0);
    if (!target) return;
    size_t first = target->item, end = target->end;
    while (end < m->size && m->text[end] <= ' ')
        ++end;
    if (end < m->size && m->text[end] == ',') {
        ++end;
    } else {
        while (first > 0 && m->text[first - 1] <= ' ')
            --first;
        if (first > 0 && m->text[first - 1] == ',') --first;
    }
    replace(m, first, end, NULL, 0);
}

static void repeat_item(mutation *m) {
    const item *target = pick(m, 0), *source = target;
    if (!target || m->size == m->max_size) return;
    if (test_random_below(&m->random, 3) == 0) source = pick(m, target->kind);
    uint8_t copy[2048];
    size_t length = source->end - source->item;
    if (length + 1 > sizeof copy) return;
    copy[0] = ',';
    memcpy(copy + 1, m->text + source->item, length);
    replace(m, target->end, target->end, copy, length + 1);
}

static void add_member(mutation *m) {
    static const char *const members[] = {
        "\"skin\":0,",
        "\"mesh\":0,",
        "\"children\":[1],",
        "\"weights\":[0.5,1],",
        "\"byteStride\":16,",
        "\"byteOffset\":4,",
        "\"normalized\":true,",
        "\"bufferView\":0,",
        "\"indices\":0,",
        "\"inverseBindMatrices\":0,",
        "\"skeleton\":0,",
        "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1],",
        "\"rotation\":[0,0,0.6,0.8],",
        "\"scale\":[-1,0,1e20],",
        "\"translation\":[1e30,0,-1e38],",
        "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"componentType\":5121},"
        "\"values\":{\"bufferView\":0}},",
        "\"targets\":[{\"POSITION\":0,\"NORMAL\":0}],",
        "\"JOINTS_0\":1,\"WEIGHTS_0\":2,",
        "\"JOINTS_1\":1,\"WEIGHTS_1\":2,",
        "\"TANGENT\":0,",
        "\"TEXCOORD_0\":0,",
        "\"COLOR_0\":0,",
        "\"extras\":{\"targetNames\":[\"a\",\"\\ud800\",3]},",
        "\"mode\":5,",
        "\"material\":0,",
        "\"scene\":0,",
        "\"scenes\":[{\"nodes\":[0]}],",
        "\"images\":[{\"bufferView\":0}],",
        "\"textures\":[{\"source\":0,\"sampler\":0}],",
        "\"materials\":[{\"alphaMode\":\"MASK\"}],",
        "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":32,"
        "\"byteStride\":4,"
        "\"count\":4,\"mode\":\"ATTRIBUTES\"}},",
        "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":0}}},",
        "\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":\"/nodes/0/weights\"}},",
        "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{}}},",
        "\"interpolation\":\"CUBICSPLINE\",",
        "\"extensionsRequired\":[\"KHR_x\"],",
    };
    const item *target = pick(m, '{');
    uint32_t count = sizeof members / sizeof members[0];
    const char *member = members[test_random_below(&m->random, count)];
    if (target) replace(m, target->first + 1, target->first + 1, member, strlen(member));
}

size_t mutate_json(uint8_t *text, size_t size, size_t max_size, uint32_t seed) {
    mutation *m = calloc(1, sizeof *m);
    if (!m) return size;
    *m = (mutation){.text = text, .size = size, .max_size = max_size};
    m->random.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    uint32_t changes = 1 + test_random_below(&m->random, 4);
    for (uint32_t i = 0; i < changes; ++i) {
        scan(m);
        switch (test_random_below(&m->random, 12)) {
        case 0:
        case 1:
        case 2:
        case 3: change_number(m); break;
        case 4:
        case 5: change_word(m); break;
        case 6:
        case 7: change_value(m); break;
        case 8: remove_item(m); break;
        case 9: repeat_item(m); break;
        default: add_member(m); break;
        }
    }
    size = m->size;
    free(m);
    return size;
}
