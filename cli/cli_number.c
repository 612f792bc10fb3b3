// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Floats as the shortest decimals that read back as the same floats.
 *
 * A decimal of p digits is m * 10^-k with an integer m. For floats of ordinary size, k is within
 * what a double holds exactly (10^22), so scaling, rounding to m and scaling back are a handful of
 * double operations. Scaling back is one correctly rounded operation on exact operands; turning
 * its result into a float could only go wrong when it is rounded and lies exactly between two
 * floats, and such a candidate is refused. So a decimal that is accepted surely reads back as the
 * float. Six digits always suffice for a decimal to survive a float and nine for a float to
 * survive a decimal, which leaves four lengths to try; shorter decimals are six digits that end in
 * zeros.
 *
 * Very small and very large floats, subnormal ones among them, go through the C library.
 */

#include "cli.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Value. digits * 10^(exponent - count + 1): the first digit has the weight 10^exponent. */
typedef struct decimal {
    uint32_t digits;
    int count;
    int exponent;
} decimal;

static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint32_t float_bits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* True when m * 10^-k surely reads back as `size`. */
static bool reads_back(uint32_t m, int k, float size) {
    double back = k >= 0 ? m / powers[k] : m * powers[-k];
    uint64_t bits;
    memcpy(&bits, &back, sizeof bits);
    bool between_floats = (bits & 0x1FFFFFFF) == 0x10000000;
    bool exact = k <= 0 && back < 9007199254740992.0; /* 2^53 */
    return (float)back == size && (exact || !between_floats);
}

/* floor(log10(size)) for 1e-14 <= size < 1e23. */
static int decimal_exponent(double size) {
    int binary;
    frexp(size, &binary);
    int exponent = (binary - 1) * 1233 / 4096; /* log10(2) = 0.30103 = 1233 / 4096 */
    if (binary - 1 < 0) exponent--;
    while (exponent < 22 &&
           size >= (exponent + 1 >= 0 ? powers[exponent + 1] : 1 / powers[-exponent - 1]))
        exponent++;
    return exponent;
}

static bool find_quickly(decimal *found, float size) {
    if (size < 1e-13f || size >= 1e21f) return false;
    int exponent = decimal_exponent(size);
    /* Half of the room below a power of two is missing, so there the nearest decimal may be too far
     * down while the next one up is not. */
    bool power_of_two = (float_bits(size) & 0x7FFFFF) == 0;
    for (int count = 6; count <= 9; count++) {
        int k = count - 1 - exponent;
        if (k > 22) return false;
        double scaled = k >= 0 ? (double)size * powers[k] : (double)size / powers[-k];
        uint32_t m = (uint32_t)(scaled + 0.5);
        for (uint32_t last = m + power_of_two; m <= last; m++) {
            if (!reads_back(m, k, size)) continue;
            bool carried = m >= (uint32_t)powers[count];
            *found = (decimal){m, count + carried, exponent + carried};
            return true;
        }
    }
    return false;
}

static void find_slowly(decimal *found, float size) {
    char text[CLI_FLOAT_SIZE];
    int count = 0;
    do {
        count++;
        snprintf(text, sizeof text, "%.*e", count - 1, (double)size);
    } while (count < 9 && strtof(text, NULL) != size);
    char *mark = strchr(text, 'e');
    uint32_t digits = 0;
    for (const char *at = text; at < mark; at++)
        if (*at != '.') digits = digits * 10 + (uint32_t)(*at - '0');
    *found = (decimal){digits, count, atoi(mark + 1)};
}

/* Writes the digits as 120, 1.2, 0.012 or 1.2e-7, whichever JSON readers and eyes like best. */
static size_t lay_out(char *text, decimal number) {
    char digits[12];
    for (int i = number.count; i-- > 0; number.digits /= 10)
        digits[i] = (char)('0' + number.digits % 10);
    int count = number.count;
    while (count > 1 && digits[count - 1] == '0')
        count--;

    char *at = text;
    int exponent = number.exponent;
    if (exponent < -5 || exponent > 8) {
        *at++ = digits[0];
        if (count > 1) *at++ = '.';
        memcpy(at, digits + 1, (size_t)count - 1);
        at += count - 1;
        return (size_t)(at - text) + (size_t)sprintf(at, "e%d", exponent);
    }
    if (exponent < 0) {
        memcpy(at, "0.0000", (size_t)(1 - exponent));
        at += 1 - exponent;
        memcpy(at, digits, (size_t)count);
        return (size_t)(at + count - text);
    }
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i == exponent + 1) *at++ = '.';
        *at++ = i < count ? digits[i] : '0';
    }
    return (size_t)(at - text);
}

size_t cli_format_float(char text[CLI_FLOAT_SIZE], float number) {
    assert(isfinite(number));
    size_t sign = signbit(number) ? 1 : 0;
    if (sign) text[0] = '-';
    if (number == 0) { /* -0.0, as readers take -0 for an integer without a sign */
        memcpy(text + sign, "0.0", 3);
        return sign ? 4 : 1;
    }
    decimal found;
    float size = fabsf(number);
    if (!find_quickly(&found, size)) find_slowly(&found, size);
    return sign + lay_out(text + sign, found);
}
