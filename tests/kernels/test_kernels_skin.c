// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Every variant of the skinning kernels gives the bits of the scalar reference, for every number of
 * vertices, address and stride, and writes nothing else; and the reference is right, by a naive sum
 * in double that works in another order. Inputs are allocated to the byte, so that sanitizers see
 * reads past their ends.
 */
#include "cpu/cpu_kernels.h"
#include "test_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOINTS = 12, MOST_SLOTS = 9, MOST = 101, GUARD = 64, FILL = 0xAB };

/*
 * Where a block's data begins behind a 16-byte boundary: in elements, so types stay aligned. */
typedef struct inputs {
    bp_mat34 palette[JOINTS];
    float *weights;
    void *memory[6];      /* the last is not always used */
    bpi_skin_block block; /* without outputs */
} inputs;

/* A block of memory whose last byte is the last of the `size` bytes at the result. */
static void *take(void **memory, size_t offset, size_t size) {
    *memory = malloc(offset + size ? offset + size : 1);
    assert_non_null(*memory);
    return (unsigned char *)*memory + offset;
}

/* Ordinary vectors; every eighth time none, a tiny one, or a huge one. */
static void random_vector(test_random *random, float *v) {
    double scale = 1;
    uint32_t kind = test_random_below(random, 8);
    if (kind == 0) {
        const double scales[4] = {0, 1e-44, 1e-20, 1e37};
        scale = scales[test_random_below(random, 4)];
    }
    for (int i = 0; i < 3; ++i)
        v[i] = (float)(scale * test_random_normal(random));
}

static void random_palette(test_random *random, bp_mat34 *palette) {
    for (int j = 0; j < JOINTS; ++j) {
        double scale = j % 4 == 3 ? test_random_magnitude(random, -6, 6) : 1;
        bool zeros = j % 4 == 2; /* of both signs */
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c)
                palette[j].m[r][c] = zeros && (r + c) % 2
                                         ? 0.0f * (float)-c
                                         : (float)(scale * test_random_normal(random));
    }
}

/* What bp_primitive::slots_in_use holds. */
static const uint8_t *take_slots(inputs *in, uint32_t count, uint32_t slots) {
    uint32_t groups = (count + BPI_SKIN_GROUP - 1) / BPI_SKIN_GROUP;
    uint8_t *in_use = take(&in->memory[5], 0, groups);
    memset(in_use, 0, groups);
    for (uint32_t v = 0; v < count; ++v)
        for (uint32_t k = 0; k < slots; ++k) {
            uint8_t *most = &in_use[v / BPI_SKIN_GROUP];
            float weight = in->weights[v * slots + k];
            if (k == 0 ? weight != 1.0f : weight != 0.0f)
                *most = (uint8_t)(k + 1 > *most ? k + 1 : *most);
        }
    return in_use;
}

static void make_inputs(inputs *in, test_random *random, uint32_t count, uint32_t slots) {
    size_t shift = test_random_below(random, 4);
    float *positions = take(&in->memory[0], 4 * shift, 12 * (size_t)count);
    float *normals = take(&in->memory[1], 4 * shift, 12 * (size_t)count);
    float *tangents = take(&in->memory[2], 4 * shift, 16 * (size_t)count);
    uint16_t *joints = take(&in->memory[3], 2 * shift, 2 * (size_t)slots * count);
    float *weights = take(&in->memory[4], 4 * shift, 4 * (size_t)slots * count);
    in->weights = weights;
    in->memory[5] = NULL;
    random_palette(random, in->palette);
    for (uint32_t v = 0; v < count; ++v) {
        for (int i = 0; i < 3; ++i)
            positions[3 * v + i] = (float)test_random_normal(random);
        random_vector(random, normals + 3 * v);
        random_vector(random, tangents + 4 * v);
        tangents[4 * v + 3] = v % 3 ? 1.0f : -1.0f;
    }
    for (uint32_t k = 0; k < slots * count; ++k) {
        joints[k] = (uint16_t)test_random_below(random, JOINTS);
        weights[k] = (float)(test_random_below(random, 3) * test_random_range(random, 0, 1));
    }
    for (uint32_t v = 0; v < count && slots % 3 == 1; ++v) /* some whole groups follow one joint */
        for (uint32_t k = 0; k < slots && v / BPI_SKIN_GROUP % 2 == 0; ++k)
            weights[v * slots + k] = k == 0;
    in->block = (bpi_skin_block){
        .count = count,
        .palette = in->palette,
        .influence_count = slots,
        .joints = joints,
        .weights = weights,
        .positions = positions,
        .normals = normals,
        .tangents = tangents,
    };
    if (test_random_below(random, 4) > 0) in->block.slots = take_slots(in, count, slots);
}

static void release_inputs(inputs *in) {
    for (int i = 0; i < 6; ++i)
        free(in->memory[i]);
}

/* One output stream between guards, at any address. */
typedef struct output {
    unsigned char *memory;
    size_t size, start, stride, width; /* bytes */
} output;

static output make_output(uint32_t count, size_t start, size_t stride, size_t width) {
    output out = {.start = GUARD + start, .stride = stride, .width = width};
    out.size = out.start + (count ? (count - 1) * stride + width : 0) + GUARD;
    out.memory = malloc(out.size);
    assert_non_null(out.memory);
    memset(out.memory, FILL, out.size);
    return out;
}

static void run(const bpi_kernels *kernels, const bpi_skin_block *block, bool move) {
    if (move)
        kernels->move(block);
    else
        kernels->skin(block);
}

/* The scalar's results, tight. */
typedef struct results {
    float positions[3 * MOST];
    float normals[3 * MOST];
    float tangents[4 * MOST];
} results;

static void run_reference(results *r, const inputs *in, bool move) {
    bpi_skin_block block = in->block;
    block.out_positions = (unsigned char *)r->positions;
    block.out_normals = (unsigned char *)r->normals;
    block.out_tangents = (unsigned char *)r->tangents;
    block.position_stride = block.normal_stride = 12;
    block.tangent_stride = 16;
    run(&bpi_kernels_scalar, &block, move);
}

/* The values where they belong (NULL: none), and the fill everywhere else. Releases the output. */
static void check_output(output *out, const void *values, uint32_t count) {
    output expected = make_output(count, out->start - GUARD, out->stride, out->width);
    for (uint32_t v = 0; v < count && values; ++v)
        memcpy(expected.memory + expected.start + v * expected.stride,
               (const unsigned char *)values + v * expected.width, expected.width);
    assert_int_equal(out->size, expected.size);
    assert_memory_equal(out->memory, expected.memory, out->size);
    free(expected.memory);
    free(out->memory);
}

/* `wanted`: bit 0 positions, 1 normals, 2 tangents. */
static void check_variant(const bpi_kernels *kernels, const inputs *in, bool move, unsigned wanted,
                          size_t start, size_t extra) {
    results reference;
    uint32_t count = in->block.count;
    run_reference(&reference, in, move);
    output p = make_output(count, start, 12 + extra, 12);
    output n = make_output(count, start, 12 + extra, 12);
    output t = make_output(count, start, 16 + extra, 16);
    bpi_skin_block block = in->block;
    block.out_positions = wanted & 1 ? p.memory + p.start : NULL;
    block.out_normals = wanted & 2 ? n.memory + n.start : NULL;
    block.out_tangents = wanted & 4 ? t.memory + t.start : NULL;
    if (!(wanted & 1)) block.positions = NULL;
    if (!(wanted & 2)) block.normals = NULL;
    if (!(wanted & 4)) block.tangents = NULL;
    block.stream = start % 8 == 0;
    if (move) block.influence_count = 0;
    block.position_stride = block.normal_stride = 12 + extra;
    block.tangent_stride = 16 + extra;
    run(kernels, &block, move);
    kernels->fence();
    check_output(&p, wanted & 1 ? reference.positions : NULL, count);
    check_output(&n, wanted & 2 ? reference.normals : NULL, count);
    check_output(&t, wanted & 4 ? reference.tangents : NULL, count);
}

static void check_sizes(const bpi_kernels *kernels, uint32_t count, uint32_t slots) {
    const size_t extras[] = {0, 1, 4, 20, 25};
    test_random random = {1 + count + 1000 * (uint64_t)slots};
    for (unsigned wanted = 1; wanted < 8; ++wanted)
        for (size_t i = 0; i < 5; ++i) {
            inputs in;
            make_inputs(&in, &random, count, slots);
            check_variant(kernels, &in, false, wanted, i * 3 % 16, extras[i]);
            check_variant(kernels, &in, true, wanted, i * 5 % 16, extras[i]);
            release_inputs(&in);
        }
}

static void test_variants_give_the_bits_of_scalar(void **state) {
    (void)state;
    const uint32_t more[] = {31, 32, 33, 65, MOST};
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        const bpi_kernels *kernels = bpi_kernels_of((bp_cpu)cpu);
        if (!kernels) continue;
        print_message("kernels: %s\n", bp_cpu_name(kernels->cpu));
        for (uint32_t slots = 1; slots <= MOST_SLOTS; ++slots) {
            for (uint32_t count = 0; count <= 17; ++count)
                check_sizes(kernels, count, slots);
            for (size_t k = 0; k < 5; ++k)
                check_sizes(kernels, more[k], slots);
        }
    }
}

/* ---- morph ---------------------------------------------------------------------------------- */

static void check_morph(const bpi_kernels *kernels, test_random *random, size_t count, size_t shift,
                        bool in_place) {
    void *memory[2];
    float *values = take(&memory[0], 4 * shift, 4 * count);
    float *deltas = take(&memory[1], 4 * (3 - shift), 4 * count);
    float expected[3 * MOST], weight = (float)test_random_normal(random);
    for (size_t i = 0; i < count; ++i) {
        values[i] = (float)test_random_normal(random);
        deltas[i] = (float)test_random_normal(random);
    }
    bpi_kernels_scalar.morph(expected, values, deltas, weight, count);
    for (size_t i = 0; i < count; ++i) {
        double naive = values[i] + (double)weight * deltas[i];
        assert_true(fabs(expected[i] - naive) <= 1e-6 * (1 + fabs(naive)));
    }
    output out = make_output(1, 4 * shift, 4 * count, 4 * count);
    float *sums = (float *)(void *)(out.memory + out.start);
    if (in_place && count > 0) memcpy(sums, values, 4 * count);
    kernels->morph(sums, in_place ? sums : values, deltas, weight, count);
    check_output(&out, expected, 1);
    free(memory[0]);
    free(memory[1]);
}

/* The fourth float of each tangent, of any value, comes through as it is. */
static void check_morph_tangents(const bpi_kernels *kernels, test_random *random, uint32_t count,
                                 size_t shift, bool in_place) {
    void *memory[2];
    float *values = take(&memory[0], 4 * shift, 16 * (size_t)count);
    float *deltas = take(&memory[1], 4 * (3 - shift), 12 * (size_t)count);
    float expected[4 * MOST], weight = (float)test_random_normal(random);
    for (size_t i = 0; i < 4 * (size_t)count; ++i)
        values[i] = i % 8 == 3 ? -0.0f : (float)test_random_normal(random);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        deltas[i] = (float)test_random_normal(random);
    for (size_t v = 0; v < count; ++v) {
        memcpy(expected + 4 * v, values + 4 * v, 16);
        bpi_kernels_scalar.morph(expected + 4 * v, values + 4 * v, deltas + 3 * v, weight, 3);
    }
    output out = make_output(1, 4 * shift, 16 * (size_t)count, 16 * (size_t)count);
    float *sums = (float *)(void *)(out.memory + out.start);
    if (in_place && count > 0) memcpy(sums, values, 16 * (size_t)count);
    kernels->morph_tangents(sums, in_place ? sums : values, deltas, weight, count);
    check_output(&out, expected, 1);
    free(memory[0]);
    free(memory[1]);
}

static void test_morph(void **state) {
    (void)state;
    test_random random = {101};
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        const bpi_kernels *kernels = bpi_kernels_of((bp_cpu)cpu);
        for (size_t shift = 0; kernels && shift < 4; ++shift)
            for (int in_place = 0; in_place < 2; ++in_place) {
                for (size_t count = 0; count <= 51; ++count) {
                    check_morph(kernels, &random, count, shift, in_place);
                    check_morph_tangents(kernels, &random, (uint32_t)count, shift, in_place);
                }
                check_morph(kernels, &random, 3 * MOST, shift, in_place);
            }
    }
}

/* ---- the reference against a naive one in double -------------------------------------------- */

typedef struct vec3d {
    double v[3];
} vec3d;

static vec3d product(double m[3][3], const float *x) {
    vec3d y;
    for (int r = 0; r < 3; ++r)
        y.v[r] = m[r][0] * x[0] + m[r][1] * x[1] + m[r][2] * x[2];
    return y;
}

static void assert_vec3(const float *actual, vec3d expected, double tolerance) {
    for (int i = 0; i < 3; ++i)
        if (!(fabs(actual[i] - expected.v[i]) <= tolerance))
            fail_msg("%.9g instead of %.9g", actual[i], expected.v[i]);
}

static vec3d made_unit(vec3d a) {
    double length = sqrt(a.v[0] * a.v[0] + a.v[1] * a.v[1] + a.v[2] * a.v[2]);
    return (vec3d){{a.v[0] / length, a.v[1] / length, a.v[2] / length}};
}

/* Inverts in place by Gauss and Jordan; the matrices here are near the identity, so no pivoting. */
static void invert(double m[3][3]) {
    for (int i = 0; i < 3; ++i) {
        double pivot = m[i][i];
        m[i][i] = 1;
        for (int c = 0; c < 3; ++c)
            m[i][c] /= pivot;
        for (int r = 0; r < 3; ++r) {
            double factor = m[r][i];
            if (r == i) continue;
            m[r][i] = 0;
            for (int c = 0; c < 3; ++c)
                m[r][c] -= factor * m[i][c];
        }
    }
}

/* Each joint moves the vertex by itself; the results are averaged (glTF 2.0, 3.7.3.1). */
static void check_vertex(const bpi_skin_block *in, const results *out, uint32_t v) {
    vec3d position = {{0, 0, 0}};
    double linear[3][3] = {{0}}, inverse[3][3], transposed[3][3];
    for (uint32_t k = v * in->influence_count; k < (v + 1) * in->influence_count; ++k) {
        const bp_mat34 *joint = &in->palette[in->joints[k]];
        for (int r = 0; r < 3; ++r) {
            double moved = joint->m[r][3];
            for (int c = 0; c < 3; ++c) {
                moved += (double)joint->m[r][c] * in->positions[3 * v + (uint32_t)c];
                linear[r][c] += (double)in->weights[k] * joint->m[r][c];
            }
            position.v[r] += in->weights[k] * moved;
        }
    }
    memcpy(inverse, linear, sizeof linear);
    invert(inverse);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            transposed[r][c] = inverse[c][r];
    assert_vec3(out->positions + 3 * v, position, 1e-5);
    assert_vec3(out->normals + 3 * v, made_unit(product(transposed, in->normals + 3 * v)), 1e-5);
    assert_vec3(out->tangents + 4 * v, made_unit(product(linear, in->tangents + 4 * v)), 1e-5);
    assert_true(out->tangents[4 * v + 3] == in->tangents[4 * v + 3]);
}

/* Joint matrices that bend, scale and shear by some tenths, and weights that sum to 1. */
static void make_gentle(inputs *in, test_random *random) {
    uint32_t slots = in->block.influence_count;
    float *weights = in->weights;
    for (int j = 0; j < JOINTS; ++j)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 4; ++c)
                in->palette[j].m[r][c] = (float)((r == c) + 0.1 * test_random_normal(random));
    for (uint32_t v = 0; v < in->block.count; ++v) {
        float sum = 0;
        for (uint32_t k = 0; k < slots; ++k)
            sum += weights[v * slots + k];
        for (uint32_t k = 0; k < slots; ++k)
            weights[v * slots + k] = sum > 0 ? weights[v * slots + k] / sum : k == 0;
    }
}

static void test_scalar_against_double(void **state) {
    (void)state;
    test_random random = {103};
    int checked = 0;
    for (int round = 0; round < 300; ++round) {
        inputs in;
        results out;
        uint32_t count = 1 + test_random_below(&random, MOST);
        make_inputs(&in, &random, count, 1 + test_random_below(&random, MOST_SLOTS));
        make_gentle(&in, &random);
        run_reference(&out, &in, false);
        for (uint32_t v = 0; v < count; ++v) {
            float n = fabsf(in.block.normals[3 * v]), t = fabsf(in.block.tangents[4 * v]);
            if (n < 1e-30f || t < 1e-30f) continue; /* no direction, or its digits lost */
            check_vertex(&in.block, &out, v);
            ++checked;
        }
        release_inputs(&in);
    }
    assert_true(checked > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants_give_the_bits_of_scalar),
        cmocka_unit_test(test_morph),
        cmocka_unit_test(test_scalar_against_double),
    };
    return cmocka_run_group_tests_name("kernels_skin", tests, NULL, NULL);
}
