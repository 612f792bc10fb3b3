// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The decoders of EXT_meshopt_compression and KHR_meshopt_compression: three codecs, which make
 * bytes of a stream, and the filters, which then turn these bytes into the accessor's values.
 *
 * Our own, although libmeshoptimizer decodes the same: its filters round differently from machine
 * to machine, the releases that distributions carry lack what KHR added, and it is C++.
 *
 * All are safe on untrusted input, take no memory, read nothing outside of the stream, and write
 * nothing outside of count * stride bytes at `out`. A codec that returns false, because the stream
 * is damaged or not in a version that it knows, may have written some of them.
 */
#ifndef BPI_DOCUMENT_MESHOPT_H
#define BPI_DOCUMENT_MESHOPT_H

#include "bindpose/document.h"

typedef enum bpi_meshopt_filter {
    BPI_MESHOPT_NONE,
    BPI_MESHOPT_OCTAHEDRAL,  /* stride 4 or 8 */
    BPI_MESHOPT_QUATERNION,  /* stride 8 */
    BPI_MESHOPT_EXPONENTIAL, /* stride a multiple of 4 */
    BPI_MESHOPT_COLOR        /* stride 4 or 8 */
} bpi_meshopt_filter;

/* Mode ATTRIBUTES, versions 0 and 1; stride is a multiple of 4 from 4 to 256. */
bool bpi_meshopt_decode_vertices(unsigned char *out, size_t count, size_t stride, bp_bytes stream);

/* Mode TRIANGLES, versions 0 and 1; count, of indices, is a multiple of 3, stride 2 or 4. */
bool bpi_meshopt_decode_triangles(unsigned char *out, size_t count, size_t stride, bp_bytes stream);

/* Mode INDICES, versions 0 and 1; stride is 2 or 4. */
bool bpi_meshopt_decode_indices(unsigned char *out, size_t count, size_t stride, bp_bytes stream);

/* Changes count elements in place. Any bytes give some result, the same on every machine. */
void bpi_meshopt_apply_filter(unsigned char *bytes, size_t count, size_t stride,
                              bpi_meshopt_filter filter);

#endif
