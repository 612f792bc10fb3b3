// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Random inputs that are the same on every machine: a small generator with its state in view. */
#ifndef BINDPOSE_TEST_RANDOM_H
#define BINDPOSE_TEST_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state; /* not 0 */
} test_random;

/* xorshift64* (Vigna 2016). */
static inline uint32_t test_random_bits(test_random *random) {
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * UINT64_C(2685821657736338717)) >> 32);
}

/* 0 <= result < count. */
static inline uint32_t test_random_below(test_random *random, uint32_t count) {
    return (uint32_t)(((uint64_t)test_random_bits(random) * count) >> 32);
}

/* Even over [low, high). */
static inline double test_random_range(test_random *random, double low, double high) {
    return low + (high - low) * ((double)test_random_bits(random) / 4294967296.0);
}

/* Between 10^low and 10^high, every magnitude as likely. */
static inline double test_random_magnitude(test_random *random, double low, double high) {
    return pow(10.0, test_random_range(random, low, high));
}

/* Near enough to a normal distribution: the sum of twelve even ones. */
static inline double test_random_normal(test_random *random) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i)
        sum += test_random_range(random, 0.0, 1.0);
    return sum;
}

#endif
