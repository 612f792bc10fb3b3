/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * cpu: which instructions the library computes with.
 *
 * The work of every frame is done by kernels, compiled once for each instruction set; the best set
 * that the machine has is found out at run time. The choice changes how long things take and
 * never a result: all sets give the same bits, as long as the machine rounds to nearest and keeps
 * subnormal numbers (no FTZ or DAZ), and but for the bits of a NaN.
 */
#ifndef BINDPOSE_CPU_H
#define BINDPOSE_CPU_H

#include "bindpose/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Instruction sets, the better ones of one machine after the lesser ones. */
typedef enum bp_cpu {
    BP_CPU_SCALAR,     /**< plain C, on every machine: the reference */
    BP_CPU_SSE2,       /**< x86: 4 floats at once */
    BP_CPU_AVX2,       /**< x86: 8 floats at once */
    BP_CPU_NEON,       /**< AArch64: 4 floats at once */
    BP_CPU_SIMD128,    /**< WebAssembly: 4 floats at once */
    BP_CPU_BEST = 0xFF /**< for bp_cpu_limit: no limit */
} bp_cpu;

/**
 * "scalar", "sse2", "avx2", "neon", "simd128"; NULL for BP_CPU_BEST and any other number. Thread
 * safe.
 */
BP_API const char *bp_cpu_name(bp_cpu cpu);

/** Whether this build has kernels for `cpu` and this machine can run them. Thread safe. */
BP_API bool bp_cpu_available(bp_cpu cpu);

/** The set in use: the best that is available and not above the limit. Thread safe. */
BP_API bp_cpu bp_cpu_current(void);

/**
 * From now on uses no set above `limit`, in the whole process: to measure, to test, or to get round
 * a fault of a machine. It is the library's one setting of this kind, allowed because no result can
 * tell.
 *
 * @param limit  a set that bp_cpu_available says, or one of its family; another family's means
 *               scalar; BP_CPU_BEST: no limit
 * @return what bp_cpu_current gives now. Thread safe, also while others work.
 */
BP_API bp_cpu bp_cpu_limit(bp_cpu limit);

#ifdef __cplusplus
}
#endif

#endif
