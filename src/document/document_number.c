// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * JSON numbers, correctly rounded and whatever the locale.
 *
 * A number is read as mantissa * 10^exponent with up to 19 digits. Two exact ways cover what files
 * hold: a mantissa and a power of ten that are both doubles need one operation (W. Clinger, How to
 * Read Floating Point Numbers Accurately, 1990); a division by 10^n, n <= 27, is done in integers
 * with the remainder as sticky bit, as 5^27 still fits in 64 bits. strtod does the rest, and is
 * given digits and an exponent without a decimal point, so no locale changes the answer.
 */
#include "document/document_internal.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MANTISSA_DIGITS = 19, /* always fit in 64 bits */
    MOST_DIGITS = 800     /* a double next to a half-way point has at most 767 digits */
};

/* Beyond what the digits of any text can make up for. */
static const int64_t largest_exponent = INT64_C(1000000000000);

/* value = mantissa * 10^exponent, but for digits that were left out. */
typedef struct decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool negative;
    bool complete; /* no digit but zeros was left out */
} decimal;

static bool is_digit(unsigned char c) {
    return (unsigned)c - '0' <= 9;
}

/* The exponent behind 'e', clamped to what decides the answer anyway. */
static int64_t read_exponent(const unsigned char *s, const unsigned char *end) {
    int64_t exponent = 0;
    bool negative = *s == '-';
    if (*s == '-' || *s == '+') ++s;
    for (; s < end && is_digit(*s); ++s)
        if (exponent < largest_exponent) exponent = exponent * 10 + (*s - '0');
    return negative ? -exponent : exponent;
}

/* Reads a number that is known to be well-formed. */
static decimal read_decimal(const unsigned char *s, const unsigned char *end) {
    decimal number = {.complete = true};
    int digits = 0;
    bool fraction = false;
    if (*s == '-') {
        number.negative = true;
        ++s;
    }
    for (; s < end; ++s) {
        unsigned digit = (unsigned)*s - '0';
        if (digit <= 9) {
            if (digits < MANTISSA_DIGITS) {
                number.mantissa = number.mantissa * 10 + digit;
                if (number.mantissa) ++digits;
                number.exponent -= fraction;
            } else {
                if (digit) number.complete = false;
                number.exponent += !fraction;
            }
        } else if (*s == '.') {
            fraction = true;
        } else {
            break;
        }
    }
    if (s < end && (*s == 'e' || *s == 'E')) number.exponent += read_exponent(s + 1, end);
    return number;
}

/* ---- to double ------------------------------------------------------------------------------- */

/* 2^exponent for exponents of normal doubles. */
static double power_of_two(int exponent) {
    assert(exponent >= -1022 && exponent <= 1023);
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/*
 * (high * 2^64 + low) / divisor for high < divisor and a divisor with its highest bit set:
 * schoolbook division with 32-bit digits (Knuth, The Art of Computer Programming 2, 4.3.1,
 * algorithm D).
 */
static uint64_t divide_wide(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *remainder) {
    assert(divisor >> 63 && high < divisor);
    uint64_t d1 = divisor >> 32, d0 = divisor & UINT32_MAX;
    uint64_t quotient = 0;
    for (int half = 1; half >= 0; --half) {
        uint64_t next = half ? low >> 32 : low & UINT32_MAX;
        uint64_t q = high / d1, rest = high % d1;
        while (q > UINT32_MAX || q * d0 > (rest << 32 | next)) {
            --q;
            rest += d1;
            if (rest > UINT32_MAX) break;
        }
        high = (high << 32 | next) - q * divisor; /* the true value is below divisor: wraps right */
        quotient = quotient << 32 | q;
    }
    *remainder = high;
    return quotient;
}

/* mantissa / 10^power, rounded once. */
static double divide_exactly(uint64_t mantissa, int power) {
    assert(mantissa > 0 && power > 0 && power <= 27);
    uint64_t divisor = 1;
    for (int i = 0; i < power; ++i)
        divisor *= 5;
    int up = (int)bpi_high_zeros(mantissa), divisor_up = (int)bpi_high_zeros(divisor);
    mantissa <<= up;
    divisor <<= divisor_up;
    /* The quotient of mantissa * 2^63 has 63 or 64 bits; the lowest becomes the sticky bit. */
    uint64_t rest;
    uint64_t quotient = divide_wide(mantissa >> 1, mantissa << 63, divisor, &rest);
    quotient |= rest != 0;
    /* To 53 bits here, not by the machine: a conversion might round twice. */
    int drop = 11 - (int)bpi_high_zeros(quotient);
    uint64_t half = UINT64_C(1) << (drop - 1), low = quotient & ((half << 1) - 1);
    quotient >>= drop;
    if (low > half || (low == half && (quotient & 1))) ++quotient;
    return (double)quotient * power_of_two(drop - 63 - up + divisor_up - power);
}

/* The slow way, for very long or very large or very small numbers. */
static double convert_slowly(const unsigned char *s, const unsigned char *end) {
    char text[MOST_DIGITS + 32];
    int64_t exponent = 0;
    size_t used = 0, first;
    bool fraction = false, sticky = false;
    if (*s == '-') text[used++] = *s++ == '-' ? '-' : '+';
    first = used;
    for (; s < end && (is_digit(*s) || *s == '.'); ++s) {
        if (*s == '.') {
            fraction = true;
        } else if (used < MOST_DIGITS) {
            if (used > first || *s != '0') text[used++] = (char)*s;
            exponent -= fraction;
        } else {
            sticky |= *s != '0';
            exponent += !fraction;
        }
    }
    if (s < end && (*s == 'e' || *s == 'E')) exponent += read_exponent(s + 1, end);
    if (used == first) text[used++] = '0';
    if (sticky) { /* what was left out is only known to be more than nothing */
        text[used++] = '1';
        --exponent;
    }
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    snprintf(text + used, sizeof text - used, "e%" PRId64, exponent);
    return strtod(text, NULL);
}

/* The bytes of a number, or false. */
static bool number_text(const bp_document *document, bp_json value, const unsigned char **s,
                        const unsigned char **end) {
    if (bp_json_type_of(document, value) != BP_JSON_NUMBER) return false;
    *s = document->json.text + value;
    *end = document->json.text + document->json.size;
    return true;
}

bool bp_json_number(const bp_document *document, bp_json value, double *number) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const unsigned char *s, *end;
    if (!number_text(document, value, &s, &end)) return false;
    decimal d = read_decimal(s, end);
    double result;
    bool small = d.mantissa <= UINT64_C(1) << 53 && FLT_EVAL_METHOD == 0;
    if (!d.complete) {
        result = convert_slowly(s, end);
        d.negative = false;
    } else if (d.mantissa == 0) {
        result = 0;
    } else if (small && d.exponent >= 0 && d.exponent <= 22) {
        result = (double)d.mantissa * powers[d.exponent];
    } else if (small && d.exponent < 0 && d.exponent >= -22) {
        result = (double)d.mantissa / powers[-d.exponent];
    } else if (d.exponent < 0 && d.exponent >= -27) {
        result = divide_exactly(d.mantissa, (int)-d.exponent);
    } else {
        result = convert_slowly(s, end);
        d.negative = false;
    }
    if (result > DBL_MAX || result < -DBL_MAX) return false;
    *number = d.negative ? -result : result;
    return true;
}

/* ---- to integer ------------------------------------------------------------------------------ */

/* The number of digits at the start of eight bytes, or 8. */
static unsigned leading_digits(uint64_t bytes) {
    /* A byte is a digit when its high half is 3 and adding 6 does not change that. */
    const uint64_t three = UINT64_C(0x3030303030303030), six = UINT64_C(0x0606060606060606);
    uint64_t other = ((bytes ^ three) | ((bytes + six) ^ three)) & UINT64_C(0xF0F0F0F0F0F0F0F0);
    return other ? bpi_lowest_bit(other) / 8 : 8;
}

/* The value of eight digits, the first one in the lowest byte: pairs, then fours, then all. */
static uint64_t combine_digits(uint64_t digits) {
    digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    digits = (digits * 100 + (digits >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (digits * 10000 + (digits >> 32)) & UINT32_MAX;
}

/*
 * One to seven digits and nothing else: what integers nearly always look like. Without a loop, as
 * how many there are is hard to predict.
 */
static bool read_plain_integer(const unsigned char *s, size_t size, uint64_t *integer) {
    if (size < 8) return false;
    uint64_t bytes = bpi_load64(s);
    unsigned count = leading_digits(bytes);
    if (count == 0 || count == 8 || s[count] == '.' || (s[count] | 0x20) == 'e') return false;
    uint64_t digits = bytes & UINT64_C(0x0F0F0F0F0F0F0F0F);
    *integer = combine_digits(digits << (64 - 8 * count));
    return true;
}

bool bp_json_integer(const bp_document *document, bp_json value, uint64_t *integer) {
    const uint64_t most = UINT64_C(1) << 53;
    const unsigned char *s, *end;
    if (value == BP_JSON_NONE) return false;
    assert(value < document->json.size);
    if (read_plain_integer(document->json.text + value, document->json.size - value, integer))
        return true;
    if (!number_text(document, value, &s, &end)) return false;
    decimal d = read_decimal(s, end);
    if (!d.complete || (d.negative && d.mantissa != 0)) return false;
    if (d.mantissa == 0) d.exponent = 0;
    for (; d.exponent < 0; ++d.exponent) {
        if (d.mantissa % 10 != 0) return false;
        d.mantissa /= 10;
    }
    for (; d.exponent > 0; --d.exponent) {
        if (d.mantissa > most) return false;
        d.mantissa *= 10;
    }
    if (d.mantissa > most) return false;
    *integer = d.mantissa;
    return true;
}
