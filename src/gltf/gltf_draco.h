/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/*
 * The C door of the Draco decoder, which is a C++ library and an optional component.
 */
#ifndef BPI_GLTF_DRACO_H
#define BPI_GLTF_DRACO_H

#include "bindpose/document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One attribute to decode, tightly packed in the accessor's component type. */
typedef struct bpi_draco_attribute {
    uint32_t id; /* unique id inside the Draco mesh */
    bp_component_type component_type;
    uint32_t component_count;
    void *elements; /* [point_count * component_count] */
} bpi_draco_attribute;

typedef struct bpi_draco_job {
    bp_bytes bytes;
    uint32_t point_count; /* must be what the mesh has */
    uint32_t index_count; /* must be what the mesh has */
    uint32_t *indices;    /* [index_count] */
    const bpi_draco_attribute *attributes;
    uint32_t attribute_count;
} bpi_draco_job;

/* On failure *fault says what is wrong (static text). Never throws. */
bp_result bpi_draco_decode(const bpi_draco_job *job, const char **fault);

#ifdef __cplusplus
}
#endif

#endif
