// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The filters of EXT_meshopt_compression and KHR_meshopt_compression (Appendix B of both):
 *
 *   OCTAHEDRAL   x, y, 1.0, any        -> unit vector (x, y, z), any        K-bit signed integers
 *   QUATERNION   three, 1.0 and index  -> unit quaternion                   K-bit signed integers
 *   EXPONENTIAL  exponent:8 mantissa:24 -> mantissa * 2^exponent            as a float
 *   COLOR        Y, Co, Cg, alpha      -> R, G, B, A                        K-bit integers
 *
 * K, the number of bits that were kept, is an element's own: it follows from the component that
 * holds 1.0, which is 2^(K-1) - 1, or from alpha's highest bit.
 *
 * The specification writes the formulas in floats and lets a decoder be off by one unit, and
 * decoders are: the same decoder's variants differ from each other. Here the formula's exact value
 * is rounded to the nearest integer. The integers of the input are exact in double precision, and
 * the operations that stand between them and the rounding are few and correctly rounded everywhere
 * (+ - * / sqrt). There are no halves to round: 1.0 is an odd number, so that twice a result would
 * have to be odd and even.
 *
 * Input that the specification leaves undefined must only give the same everywhere, and be no
 * undefined behaviour of C.
 */
#include "document/document_meshopt.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A component of one or two bytes, as a signed integer. */
static inline int load_signed(const unsigned char *element, size_t width, size_t index) {
    if (width == 1) return (element[index] ^ 0x80) - 0x80;
    return ((element[2 * index] | element[2 * index + 1] << 8) ^ 0x8000) - 0x8000;
}

static inline int load_unsigned(const unsigned char *element, size_t width, size_t index) {
    return load_signed(element, width, index) & (width == 1 ? 0xFF : 0xFFFF);
}

/* The nearest integer as a component; what does not fit loses its high bits. */
static inline void store_rounded(unsigned char *element, size_t width, size_t index, double value) {
    unsigned bits = (unsigned)(int64_t)(value + copysign(0.5, value));
    element[width * index] = (unsigned char)bits;
    if (width == 2) element[2 * index + 1] = (unsigned char)(bits >> 8);
}

/*
 * The octahedron |x| + |y| + |z| = 1 is projected to the sphere; its lower half is folded outwards
 * over the upper one. All lengths are in units of 1 / one, so that they are integers. Signs are
 * taken without a branch, since they are as good as random.
 */
static inline void decode_octahedral(unsigned char *element, size_t width) {
    const double limit = width == 1 ? 127.0 : 32767.0;
    double x = load_signed(element, width, 0), y = load_signed(element, width, 1);
    double z = load_signed(element, width, 2) - fabs(x) - fabs(y);
    double fold = z < 0.0 ? z : 0.0;
    x -= copysign(fold, x);
    y -= copysign(fold, y);
    double length = sqrt(x * x + y * y + z * z);
    length = length > 0.0 ? length : 1.0; /* no direction: undefined */
    store_rounded(element, width, 0, x * limit / length);
    store_rounded(element, width, 1, y * limit / length);
    store_rounded(element, width, 2, z * limit / length);
}

/*
 * The largest component is left out; it is positive, and follows from the length being 1:
 * w = sqrt(1 - x^2 - y^2 - z^2). The others are stored sqrt(2) times as large, since they are
 * sqrt(1/2) at most, so w^2 is (2 one^2 - x^2 - y^2 - z^2) / (2 one^2) in integers.
 */
static inline void decode_quaternion(unsigned char *element) {
    const double sqrt_half = 0x1.6a09e667f3bcdp-1;
    double one = load_signed(element, 2, 3) | 3; /* odd, so not 0 */
    size_t largest = element[6] & 3;
    double x = load_signed(element, 2, 0), y = load_signed(element, 2, 1);
    double z = load_signed(element, 2, 2);
    double scale = 32767.0 * sqrt_half / one;
    double square = (2.0 * one * one - x * x - y * y - z * z) / (2.0 * one * one);
    store_rounded(element, 2, (largest + 1) & 3, x * scale);
    store_rounded(element, 2, (largest + 2) & 3, y * scale);
    store_rounded(element, 2, (largest + 3) & 3, z * scale);
    store_rounded(element, 2, largest, 32767.0 * sqrt(square > 0.0 ? square : 0.0));
}

/* 2^exponent as a float; exponent from -126 to 127. */
static inline float power_of_two(int exponent) {
    uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* By halves, as 2^-127 and 2^-128 are no normal floats; only the last product is ever rounded. */
static inline void decode_exponential(unsigned char *element) {
    uint32_t bits;
    memcpy(&bits, element, sizeof bits);
    int mantissa = (int)((bits & 0xFFFFFF) ^ 0x800000) - 0x800000;
    int exponent = (int)(bits >> 24 ^ 0x80) - 0x80;
    int half = (exponent + 128) / 2 - 64;
    float value = (float)mantissa * power_of_two(half) * power_of_two(exponent - half);
    memcpy(element, &value, sizeof value);
}

/*
 * Y, Co and Cg are sums and differences of R, G and B. Alpha has one bit less than they have,
 * below its highest bit, which tells K; its last bit is doubled.
 */
static inline void decode_color(unsigned char *element, size_t width) {
    const double limit = width == 1 ? 255.0 : 65535.0;
    int y = load_unsigned(element, width, 0), orange = load_signed(element, width, 1);
    int green = load_signed(element, width, 2), alpha = load_unsigned(element, width, 3);
    int one = alpha;
    for (int shift = 1; shift < 16; shift *= 2)
        one |= one >> shift; /* all bits up to the highest: 2^K - 1 */
    alpha &= one >> 1;
    if (one == 0) one = 1; /* alpha without its highest bit: undefined */
    store_rounded(element, width, 0, (y + orange - green) * limit / one);
    store_rounded(element, width, 1, (y + green) * limit / one);
    store_rounded(element, width, 2, (y - orange - green) * limit / one);
    store_rounded(element, width, 3, (alpha * 2 + (alpha & 1)) * limit / one);
}

void bpi_meshopt_apply_filter(unsigned char *bytes, size_t count, size_t stride,
                              bpi_meshopt_filter filter) {
    const unsigned char *end = bytes + count * stride;
    const bool wide = stride == 8;
    assert(stride % 4 == 0);
    switch (filter) {
    case BPI_MESHOPT_NONE: break;
    case BPI_MESHOPT_OCTAHEDRAL:
        assert(stride == 4 || stride == 8);
        for (; bytes < end && !wide; bytes += 4)
            decode_octahedral(bytes, 1);
        for (; bytes < end; bytes += 8)
            decode_octahedral(bytes, 2);
        break;
    case BPI_MESHOPT_QUATERNION:
        assert(stride == 8);
        for (; bytes < end; bytes += 8)
            decode_quaternion(bytes);
        break;
    case BPI_MESHOPT_EXPONENTIAL:
        for (; bytes < end; bytes += 4)
            decode_exponential(bytes);
        break;
    case BPI_MESHOPT_COLOR:
        assert(stride == 4 || stride == 8);
        for (; bytes < end && !wide; bytes += 4)
            decode_color(bytes, 1);
        for (; bytes < end; bytes += 8)
            decode_color(bytes, 2);
        break;
    }
}
