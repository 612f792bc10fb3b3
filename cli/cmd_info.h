// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What `info` works out beyond what the model says, once for both of its outputs.
 */
#ifndef BINDPOSE_CMD_INFO_H
#define BINDPOSE_CMD_INFO_H

#include "cli.h"

/* Value. What is to be known of a skin. Only joints that vertices use count for the distances. */
typedef struct info_skin {
    uint32_t instance_count; /* instances that it moves */
    bool *used;              /* [joint_count] some vertex has weight on the joint */
    uint32_t unused_count;
    bp_bind_distance *distances; /* [joint_count] from the bind pose to the rest pose */
    uint32_t differing_count;    /* joints whose rest pose is not their bind pose */
    uint32_t unknown_count;      /* joints without a bind pose */
    int64_t farthest;            /* the joint that differs most in translation, or -1 */
    int64_t most_turned;         /* … in rotation, or -1 */
    int64_t most_scaled;         /* … in scale, or -1 */
} info_skin;

/* Value. Sums over the channels of a clip. */
typedef struct info_clip {
    uint64_t keys;
    uint32_t paths[4];          /* channels by bp_path */
    uint32_t interpolations[3]; /* channels by bp_interpolation */
} info_clip;

/* Value. Sums over the primitives of a mesh. */
typedef struct info_mesh {
    uint64_t vertices;
    uint64_t triangles;
    uint32_t influence_sets; /* the most that a primitive has */
} info_mesh;

typedef struct info_report {
    const cli_request *request;
    const bp_model *model;
    info_skin *skins; /* [skin_count] */
} info_report;

extern const char *const info_path_names[4];
extern const char *const info_interpolation_names[3];

info_clip info_measure_clip(const bp_clip *clip);
info_mesh info_measure_mesh(const bp_mesh *mesh);
uint32_t info_influence_sets(const bp_primitive *primitive);

/* Index in the file of a node of the skeleton; -1 for -1. */
int64_t info_file_node(const bp_model *model, int32_t node);

/* The outputs. */
void info_write_text(cli_output *output, const info_report *report);
void info_write_tree(cli_output *output, const info_report *report);
void info_write_json(cli_output *output, const info_report *report);

#endif
