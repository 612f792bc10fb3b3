// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* The kernels of the set that is being compiled: see cpu_wide.h. */
#ifndef BPI_CPU_WIDE_SET_H
#define BPI_CPU_WIDE_SET_H

#include "cpu/cpu_wide.h"

/* BPI_OF_SET(BPI_CPU_OF): the number of the set. */
#define BPI_CPU_OF_sse2 BP_CPU_SSE2
#define BPI_CPU_OF_avx2 BP_CPU_AVX2
#define BPI_CPU_OF_neon BP_CPU_NEON
#define BPI_CPU_OF_simd128 BP_CPU_SIMD128

void BPI_OF_SET(bpi_morph)(float *sums, const float *values, const float *deltas, float weight,
                           size_t count);
void BPI_OF_SET(bpi_morph_tangents)(float *sums, const float *values, const float *deltas,
                                    float weight, uint32_t vertex_count);
void BPI_OF_SET(bpi_skin)(const bpi_skin_block *block);
void BPI_OF_SET(bpi_move)(const bpi_skin_block *block);

#endif
