// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * KHR_animation_pointer: JSON pointers to what a pose holds. /nodes/N/translation, rotation, scale,
 * weights, weights/I and /meshes/N/weights, weights/I; any other pointer is somebody else's.
 */
#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

/* A number without sign and leading zeros; moves past it. */
static bool read_number(const char **text, uint32_t *number) {
    const char *c = *text;
    uint64_t value = 0;
    if (*c < '0' || *c > '9' || (c[0] == '0' && c[1] >= '0' && c[1] <= '9')) return false;
    for (; *c >= '0' && *c <= '9'; ++c) {
        value = 10 * value + (uint64_t)(*c - '0');
        if (value > INT32_MAX) return false;
    }
    *number = (uint32_t)value;
    *text = c;
    return true;
}

static bool skip(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

static bool parse(const char *text, bpi_gltf_pointer_target *target) {
    static const char *const paths[] = {"translation", "rotation", "scale"};
    target->is_mesh = strncmp(text, "/meshes/", 8) == 0;
    if (!skip(&text, target->is_mesh ? "/meshes/" : "/nodes/")) return false;
    if (!read_number(&text, &target->index) || !skip(&text, "/")) return false;
    for (int i = 0; i < 3 && !target->is_mesh; ++i) {
        if (strcmp(text, paths[i]) != 0) continue;
        target->path = (bp_path)i;
        return true;
    }
    if (!skip(&text, "weights")) return false;
    target->path = BP_PATH_WEIGHTS;
    if (*text == '\0') return true;
    target->one_weight = true;
    return skip(&text, "/") && read_number(&text, &target->weight) && *text == '\0';
}

bool bpi_gltf_parse_pointer(bpi_gltf_reader *reader, bp_json pointer,
                            bpi_gltf_pointer_target *target) {
    char text[96];
    *target = (bpi_gltf_pointer_target){0};
    if (!bpi_gltf_expect(reader, pointer, BP_JSON_STRING)) return false;
    if (bp_json_string(reader->document, pointer, text, sizeof text) < sizeof text)
        target->supported = parse(text, target);
    if (!target->supported) {
        bpi_warn(&reader->report, reader->document, pointer,
                 BP_RULE_ANIMATION_POINTER_NOT_SUPPORTED, 1,
                 "animates something that a pose does not hold; not used");
        return true;
    }
    uint32_t count = reader->counts[target->is_mesh ? BPI_GLTF_MESHES : BPI_GLTF_NODES];
    if (target->index < count) return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, pointer, BP_RULE_UNRESOLVED_REFERENCE,
                           "points at element %u of %u", target->index, count);
}
