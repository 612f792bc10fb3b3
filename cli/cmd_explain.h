// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What `explain` works out about a vertex, once for both of its outputs.
 */
#ifndef BINDPOSE_CMD_EXPLAIN_H
#define BINDPOSE_CMD_EXPLAIN_H

#include "cli.h"

/* Value. What a morph target adds. */
typedef struct explain_target {
    uint32_t index;
    float weight;
    bp_vec3 delta; /* not yet weighted */
} explain_target;

/* Value. What a joint makes of the vertex. */
typedef struct explain_term {
    uint32_t joint; /* index in the skin */
    uint32_t node;  /* index in the skeleton */
    float weight;
    bp_mat34 joint_from_mesh;   /* inverse bind matrix */
    bp_mat34 global_from_joint; /* where the joint is now */
    bp_mat34 matrix;            /* joint matrix: the product of the two */
    bp_vec3 in_joint;           /* joint_from_mesh * vertex */
    bp_vec3 moved;              /* global_from_joint * in_joint */
    bp_vec3 weighted;           /* weight * moved */
} explain_term;

/* State. One vertex, explained. */
typedef struct explanation {
    const cli_request *request;
    const bp_model *model;
    const bp_clip *clip; /* or NULL: the rest pose */
    float time;

    uint32_t instance, primitive, vertex;
    const bp_primitive *shape;
    const bp_skin *skin;       /* NULL: moved rigidly by its node */
    const char *why_rigid;     /* then: one sentence */
    bp_mat34 global_from_mesh; /* then: the node's global transform */

    bp_vec3 rest; /* as the mesh has it */
    uint32_t target_count;
    explain_target *targets; /* those that have weight and move the vertex */
    bp_vec3 morphed;         /* rest and all they add */

    uint32_t term_count;
    explain_term *terms; /* influences with weight, in the order of the file */
    float weight_sum;
    bp_vec3 posed; /* the sum of the terms */
    bp_vec3 run;   /* what bp_skinning_run makes of the vertex: the same, but for rounding */
    bool agrees;   /* they are the same */

    bp_vec3 without_bind; /* what the sum would be without inverse bind matrices */
    bool bind_known;      /* every joint has a bind pose */
    bp_vec3 bound;        /* the sum with every joint in its bind pose */
    bp_vec3 bound_at;     /* where that should be: bind shape * vertex */
    float size;           /* of the numbers shown: what is small against it is shown as 0 */
    double reach;         /* of the numbers added on the way: what rounding is small against,
                             even where they cancel each other */
} explanation;

float explain_distance(bp_vec3 a, bp_vec3 b);

/* The outputs. */
void explain_write_text(cli_output *output, const explanation *of);
void explain_write_json(cli_output *output, const explanation *of);

#endif
