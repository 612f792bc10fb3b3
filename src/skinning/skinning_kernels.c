// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "skinning/skinning_kernels.h"

static const bpi_skinning_kernels *const variants[] = {
    &bpi_skinning_scalar,
};

enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

const bpi_skinning_kernels *bpi_skinning_variant(size_t index) {
    return index < VARIANT_COUNT ? variants[index] : NULL;
}

const bpi_skinning_kernels *bpi_skinning_best(void) {
    return variants[VARIANT_COUNT - 1];
}
