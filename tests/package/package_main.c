// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* The smallest program that needs every part of an installed bindpose: headers, and a loader whose
 * optional components must be found by the linker. */

#include <bindpose/bindpose.h>
#include <stdio.h>

int main(void) {
    bp_model *model = NULL;
    bp_error error;
    bp_result result = bp_model_load_file(&model, "no such file.glb", NULL, &error);
    printf("bindpose %d.%d: %s\n", BP_VERSION_MAJOR, BP_VERSION_MINOR, bp_result_name(result));
    bp_model_destroy(model);
    return result == BP_ERROR_IO ? 0 : 1;
}
