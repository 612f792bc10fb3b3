// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "math/math_float.h"

#include <string.h>

bool bpi_floats_finite(const float *values, size_t count) {
    /*
     * An exponent of all ones is infinity or NaN. Two floats at once: with the exponents alone
     * left, adding one to each carries into its sign bit just there.
     */
    const uint64_t exponents = UINT64_C(0x7F8000007F800000), ones = UINT64_C(0x0080000000800000);
    uint64_t bad = 0;
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        uint64_t two;
        memcpy(&two, &values[i], sizeof two);
        bad |= (two & exponents) + ones;
    }
    if (i < count) {
        uint32_t one;
        memcpy(&one, &values[i], sizeof one);
        bad |= (one & (uint32_t)exponents) + (uint32_t)ones;
    }
    return (bad & UINT64_C(0x8000000080000000)) == 0;
}
