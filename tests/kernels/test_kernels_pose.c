// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Every set of kernels for sampling and posing gives the bits of the scalar reference, for every
 * count and address, and writes nothing else. That the reference is right is for test_math and the
 * tests of the modules to say: it is made of bp_quat_slerp, bp_mat34_mul and their like. Arrays are
 * allocated to the byte, so that sanitizers see what is read or written past their ends.
 */
#include "cpu/cpu_kernels.h"
#include "skeleton/skeleton_layout.h"
#include "test_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILL = 0xAB, MOST = 75 };

/* Floats in memory of their own: `shift` floats behind a 16-byte boundary, filled with FILL. */
typedef struct floats {
    unsigned char *memory;
    float *at;
    size_t count;
} floats;

static floats make_floats(size_t count, size_t shift) {
    floats result = {malloc(4 * (count + shift) + 1), NULL, count};
    assert_non_null(result.memory);
    memset(result.memory, FILL, 4 * (count + shift) + 1);
    result.at = (float *)(void *)(result.memory + 4 * shift);
    return result;
}

/* Ordinary values, zeros of both signs, tiny and large ones. */
static float random_value(test_random *random) {
    uint32_t kind = test_random_below(random, 12);
    if (kind == 0) return 0.0f;
    if (kind == 1) return -0.0f;
    double scale = kind == 2 ? test_random_magnitude(random, -30, 15) : 1;
    return (float)(scale * test_random_normal(random));
}

static floats random_floats(test_random *random, size_t count, size_t shift) {
    floats result = make_floats(count, shift);
    for (size_t i = 0; i < count; ++i)
        result.at[i] = random_value(random);
    return result;
}

static void assert_same_and_free(floats expected, floats actual) {
    assert_memory_equal(expected.at, actual.at, 4 * expected.count);
    free(expected.memory);
    free(actual.memory);
}

typedef void check(const bpi_kernels *kernels, test_random *random, uint32_t count, size_t shift);

/* Runs a check for every set, count and shift. */
static void for_all(check *one) {
    test_random random = {211};
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        const bpi_kernels *kernels = bpi_kernels_of((bp_cpu)cpu);
        for (uint32_t count = 0; kernels && count <= MOST; ++count)
            for (size_t shift = 0; shift < 8; ++shift)
                one(kernels, &random, count, shift);
    }
}

static float random_time(test_random *random) {
    uint32_t kind = test_random_below(random, 6);
    return kind == 0 ? 0.0f : kind == 1 ? 1.0f : (float)test_random_range(random, 0, 1);
}

static void check_lerp(const bpi_kernels *kernels, test_random *random, uint32_t count,
                       size_t shift) {
    floats a = random_floats(random, count, shift), b = random_floats(random, count, shift / 2);
    floats expected = make_floats(count + 1, 0), actual = make_floats(count + 1, shift);
    float t = random_time(random);
    bpi_kernels_scalar.lerp(expected.at, a.at, b.at, t, count);
    kernels->lerp(actual.at, a.at, b.at, t, count);
    assert_same_and_free(expected, actual);
    free(a.memory);
    free(b.memory);
}

/* Targets in shuffled order, `width` floats each with one between, so that a spill is seen. */
static uint32_t *make_targets(test_random *random, uint32_t count, uint32_t width) {
    uint32_t *targets = malloc(count ? count * sizeof *targets : 1);
    assert_non_null(targets);
    for (uint32_t i = 0; i < count; ++i)
        targets[i] = i * (width + 1);
    for (uint32_t i = count; i > 1; --i) {
        uint32_t k = test_random_below(random, i), swapped = targets[k];
        targets[k] = targets[i - 1];
        targets[i - 1] = swapped;
    }
    return targets;
}

static void check_lerp3(const bpi_kernels *kernels, test_random *random, uint32_t count,
                        size_t shift) {
    size_t elements = 4 * (size_t)(count + count % 2);
    floats a = random_floats(random, elements, shift), b = random_floats(random, elements, shift);
    floats expected = make_floats(4 * (size_t)count, 0), actual = make_floats(4 * (size_t)count, 1);
    uint32_t *targets = make_targets(random, count, 3);
    float t = random_time(random);
    bpi_kernels_scalar.lerp3(expected.at, targets, a.at, b.at, t, count);
    kernels->lerp3(actual.at, targets, a.at, b.at, t, count);
    assert_same_and_free(expected, actual);
    free(a.memory);
    free(b.memory);
    free(targets);
}

/* Unit quaternions; b also equal to, opposite to and very near to a. */
static void random_rotations(test_random *random, float *a, float *b, uint32_t blocks) {
    for (uint32_t i = 0; i < blocks * BPI_ROTATION_BLOCK; ++i) {
        bp_quat q[2];
        for (int k = 0; k < 2; ++k) {
            float v[4];
            for (int c = 0; c < 4; ++c)
                v[c] = (float)test_random_normal(random);
            q[k] = bp_quat_normalize((bp_quat){v[0], v[1], v[2], v[3]});
        }
        uint32_t kind = test_random_below(random, 5);
        if (kind == 0) q[1] = q[0];
        if (kind == 1) q[1] = (bp_quat){-q[0].x, -q[0].y, -q[0].z, -q[0].w};
        if (kind == 2) q[1] = bp_quat_normalize((bp_quat){q[0].x + 1e-4f, q[0].y, q[0].z, q[0].w});
        size_t place = i / BPI_ROTATION_BLOCK * BPI_ROTATION_BLOCK_FLOATS + i % BPI_ROTATION_BLOCK;
        for (int c = 0; c < 4; ++c) {
            a[place + (size_t)c * BPI_ROTATION_BLOCK] = (&q[0].x)[c];
            b[place + (size_t)c * BPI_ROTATION_BLOCK] = (&q[1].x)[c];
        }
    }
}

static void check_slerp(const bpi_kernels *kernels, test_random *random, uint32_t count,
                        size_t shift) {
    uint32_t blocks = (count + BPI_ROTATION_BLOCK - 1) / BPI_ROTATION_BLOCK;
    floats a = make_floats(blocks * (size_t)BPI_ROTATION_BLOCK_FLOATS, shift);
    floats b = make_floats(blocks * (size_t)BPI_ROTATION_BLOCK_FLOATS, shift / 2);
    random_rotations(random, a.at, b.at, blocks);
    floats expected = make_floats(5 * (size_t)count, 0), actual = make_floats(5 * (size_t)count, 1);
    uint32_t *targets = make_targets(random, count, 4);
    floats t = make_floats(blocks * (size_t)BPI_ROTATION_BLOCK, shift);
    for (size_t i = 0; i < t.count; ++i)
        t.at[i] = random_time(random);
    bpi_kernels_scalar.slerp(expected.at, targets, a.at, b.at, t.at, count);
    kernels->slerp(actual.at, targets, a.at, b.at, t.at, count);
    free(t.memory);
    assert_same_and_free(expected, actual);
    free(a.memory);
    free(b.memory);
    free(targets);
}

/* The arrays as what they are: of transforms or matrices. */
static bp_mat34 *as_matrices(floats array) {
    return (bp_mat34 *)(void *)array.at;
}

static void check_matrices(const bpi_kernels *kernels, test_random *random, uint32_t count,
                           size_t shift) {
    floats transforms = random_floats(random, 10 * (size_t)count, shift);
    floats expected = make_floats(12 * (size_t)count, 0),
           actual = make_floats(12 * (size_t)count, 1);
    const bp_transform *in = (const bp_transform *)(const void *)transforms.at;
    bpi_kernels_scalar.matrices(as_matrices(expected), in, count);
    kernels->matrices(as_matrices(actual), in, count);
    assert_same_and_free(expected, actual);
    free(transforms.memory);
}

/* Two calls, as a skeleton of more than one block goes through; deeper nodes may come later. */
static void run_globals(const bpi_kernels *kernels, floats globals, floats locals,
                        const int32_t *parents, const uint8_t *order, uint32_t count) {
    uint32_t half = count / 2;
    bp_mat34 *g = as_matrices(globals);
    const bp_mat34 *l = as_matrices(locals);
    kernels->globals(g, l, parents, order, 0, half);
    kernels->globals(g, l + half, parents, NULL, half, count - half);
}

static void check_globals(const bpi_kernels *kernels, test_random *random, uint32_t count,
                          size_t shift) {
    floats locals = random_floats(random, 12 * (size_t)count, shift);
    floats expected = make_floats(12 * (size_t)count, 0),
           actual = make_floats(12 * (size_t)count, 1);
    int32_t parents[MOST];
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = (int32_t)test_random_below(random, i + 1) - 1;
    uint8_t order[MOST];
    bpi_skeleton_finish(order, parents, count / 2);
    run_globals(&bpi_kernels_scalar, expected, locals, parents, NULL, count);
    run_globals(kernels, actual, locals, parents, order, count);
    assert_same_and_free(expected, actual);
    free(locals.memory);
}

static void check_products(const bpi_kernels *kernels, test_random *random, uint32_t count,
                           size_t shift) {
    enum { LEFT = 9 };
    floats left = random_floats(random, 12 * LEFT, shift);
    floats right = random_floats(random, 12 * (size_t)count, shift / 2);
    floats expected = make_floats(12 * (size_t)count, 0),
           actual = make_floats(12 * (size_t)count, 1);
    uint32_t indices[MOST];
    for (uint32_t i = 0; i < count; ++i)
        indices[i] = test_random_below(random, LEFT);
    bpi_kernels_scalar.products(as_matrices(expected), as_matrices(left), indices,
                                as_matrices(right), count);
    kernels->products(as_matrices(actual), as_matrices(left), indices, as_matrices(right), count);
    assert_same_and_free(expected, actual);
    free(left.memory);
    free(right.memory);
}

static void test_lerp(void **state) {
    (void)state;
    for_all(check_lerp);
}

static void test_lerp3(void **state) {
    (void)state;
    for_all(check_lerp3);
}

static void test_slerp(void **state) {
    (void)state;
    for_all(check_slerp);
}

static void test_matrices(void **state) {
    (void)state;
    for_all(check_matrices);
}

static void test_globals(void **state) {
    (void)state;
    for_all(check_globals);
}

static void test_products(void **state) {
    (void)state;
    for_all(check_products);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lerp),    cmocka_unit_test(test_lerp3),
        cmocka_unit_test(test_slerp),   cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_globals), cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests_name("kernels_pose", tests, NULL, NULL);
}
