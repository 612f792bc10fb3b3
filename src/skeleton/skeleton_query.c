// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "skeleton/skeleton_layout.h"

#include <assert.h>
#include <string.h>

int32_t bp_skeleton_find(const bp_skeleton *skeleton, const char *label, uint32_t *count) {
    assert(skeleton);
    int32_t found = -1;
    uint32_t matches = 0;
    for (uint32_t node = 0; label && *label && node < skeleton->node_count; ++node) {
        if (strcmp(skeleton->labels[node], label) != 0) continue;
        if (matches++ == 0) found = (int32_t)node;
    }
    if (count) *count = matches;
    return found;
}

int32_t bp_skin_find(const bp_skin *skin, const bp_skeleton *skeleton, const char *label,
                     uint32_t *count) {
    assert(skin && skeleton);
    int32_t found = -1;
    uint32_t matches = 0;
    for (uint32_t joint = 0; label && *label && joint < skin->joint_count; ++joint) {
        if (strcmp(skeleton->labels[skin->joints[joint]], label) != 0) continue;
        if (matches++ == 0) found = (int32_t)joint;
    }
    if (count) *count = matches;
    return found;
}
