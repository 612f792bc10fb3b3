// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "gltf/gltf_reader.h"

#include <assert.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool bpi_gltf_refuse(bpi_gltf_reader *reader, bp_result result, bp_json place, bp_rule rule,
                     const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->result =
        bpi_refuse(reader->error, result, reader->document, place, rule, "%s", message);
    return false;
}

bool bpi_gltf_out_of_memory(bpi_gltf_reader *reader) {
    bp_result result = bpi_memory_failure(&reader->memory);
    const char *message = result == BP_ERROR_LIMIT
                              ? "needs more memory than the load options allow; raise memory_bytes"
                              : "the allocator returned no memory";
    return bpi_gltf_refuse(reader, result, 0, BP_RULE_NONE, "%s", message);
}

void *bpi_gltf_take(bpi_gltf_reader *reader, size_t count, size_t size) {
    void *memory = bpi_arena_take(&reader->arena, count, size);
    if (!memory) bpi_gltf_out_of_memory(reader);
    return memory;
}

static const char *type_name(bp_json_type type) {
    switch (type) {
    case BP_JSON_ARRAY: return "an array";
    case BP_JSON_OBJECT: return "an object";
    case BP_JSON_STRING: return "a string";
    case BP_JSON_NUMBER: return "a number";
    default: return "a value of another type";
    }
}

bool bpi_gltf_expect(bpi_gltf_reader *reader, bp_json value, bp_json_type type) {
    if (value == BP_JSON_NONE || bp_json_type_of(reader->document, value) == type) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_TYPE_MISMATCH, "must be %s",
                           type_name(type));
}

bool bpi_gltf_members(bpi_gltf_reader *reader, bp_json object, const bpi_json_name *names,
                      bp_json *values, uint32_t count) {
    return bpi_json_find(reader->document, object, names, count, values) ||
           bpi_gltf_expect(reader, object, BP_JSON_OBJECT);
}

bool bpi_gltf_object(bpi_gltf_reader *reader, bpi_gltf_array_kind kind, uint32_t index,
                     bp_json *object) {
    assert(index < reader->counts[kind]);
    *object = bp_json_element(reader->document, reader->arrays[kind], index);
    return bpi_gltf_expect(reader, *object, BP_JSON_OBJECT);
}

static const char *array_name(bpi_gltf_array_kind kind) {
    static const char *const names[BPI_GLTF_ARRAY_COUNT] = {
        "accessors", "animations", "bufferViews", "images", "materials", "meshes",
        "nodes",     "samplers",   "scenes",      "skins",  "textures"};
    return names[kind];
}

bool bpi_gltf_reference(bpi_gltf_reader *reader, bp_json value, bpi_gltf_array_kind kind,
                        int32_t *index) {
    *index = -1;
    if (value == BP_JSON_NONE) return true;
    uint64_t number;
    if (!bp_json_integer(reader->document, value, &number))
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_TYPE_MISMATCH,
                               "must be an index of /%s", array_name(kind));
    if (number >= reader->counts[kind])
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_UNRESOLVED_REFERENCE,
                               "no element %llu in /%s, which has %u", (unsigned long long)number,
                               array_name(kind), reader->counts[kind]);
    *index = (int32_t)number;
    return true;
}

bool bpi_gltf_required(bpi_gltf_reader *reader, bp_json owner, bp_json value, const char *name,
                       bpi_gltf_array_kind kind, uint32_t *index) {
    int32_t found;
    if (value == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, owner, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"%s\" is missing", name);
    if (!bpi_gltf_reference(reader, value, kind, &found)) return false;
    *index = (uint32_t)found;
    return true;
}

bool bpi_gltf_uint(bpi_gltf_reader *reader, bp_json value, uint32_t *number) {
    if (value == BP_JSON_NONE) return true;
    uint64_t integer;
    if (!bp_json_integer(reader->document, value, &integer) || integer > UINT32_MAX)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_TYPE_MISMATCH,
                               "must be a whole number from 0 to 4294967295");
    *number = (uint32_t)integer;
    return true;
}

bool bpi_gltf_float(bpi_gltf_reader *reader, bp_json value, float *number) {
    if (value == BP_JSON_NONE) return true;
    double wide;
    if (bp_json_type_of(reader->document, value) != BP_JSON_NUMBER)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_TYPE_MISMATCH,
                               "must be a number");
    if (!bp_json_number(reader->document, value, &wide) || wide < -FLT_MAX || wide > FLT_MAX)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_VALUE_NOT_IN_RANGE,
                               "too large for a float");
    *number = (float)wide;
    return true;
}

bool bpi_gltf_floats(bpi_gltf_reader *reader, bp_json value, float *numbers, uint32_t count) {
    if (value == BP_JSON_NONE) return true;
    if (!bpi_gltf_expect(reader, value, BP_JSON_ARRAY)) return false;
    const bp_document *document = reader->document;
    bp_json element = bp_json_first(document, value);
    uint32_t found = 0;
    for (; element != BP_JSON_NONE; element = bp_json_next(document, value, element), ++found)
        if (found < count && !bpi_gltf_float(reader, element, &numbers[found])) return false;
    if (found == count) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_ARRAY_TYPE_MISMATCH,
                           "must have %u numbers, has %u", count, found);
}

bool bpi_gltf_bool(bpi_gltf_reader *reader, bp_json value, bool *flag) {
    if (value == BP_JSON_NONE) return true;
    bp_json_type type = bp_json_type_of(reader->document, value);
    if (type != BP_JSON_TRUE && type != BP_JSON_FALSE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, value, BP_RULE_TYPE_MISMATCH,
                               "must be true or false");
    *flag = type == BP_JSON_TRUE;
    return true;
}

const char *bpi_gltf_lay_out_string(bpi_gltf_reader *reader, bpi_layout *layout, bp_json value) {
    size_t length = bp_json_string(reader->document, value, NULL, 0);
    if (length == 0) return "";
    char *text = bpi_layout_take_unset(layout, length + 1, 1);
    if (text) bp_json_string(reader->document, value, text, length + 1);
    return text;
}

bool bpi_gltf_resolve_accessor(bpi_gltf_reader *reader, uint32_t index, bp_json place,
                               bp_accessor *accessor) {
    uint64_t limit = reader->options->limits.vertices;
    reader->result = bpi_document_accessor(reader->document, index, place, accessor,
                                           &reader->report, reader->error);
    if (reader->result != BP_OK) return false;
    /* Every sparse index has just been looked at, and many accessors may share one long list. */
    reader->sparse_count += accessor->sparse_count;
    if (reader->sparse_count > limit)
        return bpi_gltf_refuse(reader, BP_ERROR_LIMIT, accessor->place, BP_RULE_NONE,
                               "more sparse overrides than limits.vertices allows");
    /* Zeros take no room in the file, and all the more memory. */
    if (!accessor->data) reader->zero_count += accessor->count;
    return reader->zero_count <= limit ||
           bpi_gltf_refuse(reader, BP_ERROR_LIMIT, accessor->place, BP_RULE_NONE,
                           "more elements without data than limits.vertices allows");
}

bool bpi_gltf_accessor(bpi_gltf_reader *reader, uint32_t index, bp_json place,
                       bp_accessor *accessor) {
    if (!reader->accessors) {
        uint32_t count = reader->counts[BPI_GLTF_ACCESSORS];
        reader->accessors = bpi_gltf_take(reader, count, sizeof *reader->accessors);
        if (!reader->accessors) return false;
    }
    bp_accessor **known = &reader->accessors[index];
    if (!*known) {
        bp_accessor *found = bpi_gltf_take(reader, 1, sizeof *found);
        if (!found || !bpi_gltf_resolve_accessor(reader, index, place, found)) return false;
        *known = found;
    }
    *accessor = **known;
    return true;
}
