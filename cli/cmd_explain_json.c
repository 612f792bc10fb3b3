// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `explain --json`: the steps as numbers. Keys and their order are stable; keys may be added.
 */

#include "cmd_explain.h"

static void write_place(cli_json *json, const explanation *of) {
    const bp_model *model = of->model;
    const bp_instance *instance = &model->instances[of->instance];
    cli_json_string(json, "file", of->request->file);
    if (of->clip) {
        cli_json_object(json, "clip");
        cli_json_integer(json, "index", (uint64_t)(of->clip - model->clips));
        cli_json_string(json, "name", of->clip->name);
        cli_json_close(json);
    } else {
        cli_json_null(json, "clip");
    }
    cli_json_float(json, "time", of->time);
    cli_json_integer(json, "node", model->skeleton.file_from_node[instance->node]);
    cli_json_integer(json, "mesh", instance->mesh);
    cli_json_integer(json, "primitive", of->primitive);
    cli_json_integer(json, "vertex", of->vertex);
    cli_json_index(json, "skin", of->skin ? instance->skin : -1);
}

static void write_targets(cli_json *json, const explanation *of) {
    const bp_mesh *mesh = &of->model->meshes[of->model->instances[of->instance].mesh];
    cli_json_array(json, "morph_targets");
    for (uint32_t i = 0; i < of->target_count; i++) {
        const explain_target *target = &of->targets[i];
        cli_json_object(json, NULL);
        cli_json_integer(json, "target", target->index);
        cli_json_string(json, "name", mesh->target_names ? mesh->target_names[target->index] : "");
        cli_json_float(json, "weight", target->weight);
        cli_json_vec3(json, "delta", target->delta);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_term(cli_json *json, const bp_model *model, const explain_term *term) {
    cli_json_object(json, NULL);
    cli_json_integer(json, "joint", term->joint);
    cli_json_integer(json, "node", model->skeleton.file_from_node[term->node]);
    cli_json_string(json, "name", model->skeleton.labels[term->node]);
    cli_json_float(json, "weight", term->weight);
    cli_json_matrix(json, "joint_from_mesh", &term->joint_from_mesh);
    cli_json_vec3(json, "in_joint", term->in_joint);
    cli_json_matrix(json, "global_from_joint", &term->global_from_joint);
    cli_json_matrix(json, "matrix", &term->matrix);
    cli_json_vec3(json, "moved", term->moved);
    cli_json_vec3(json, "weighted", term->weighted);
    cli_json_close(json);
}

/* A position and how far it is from where it should be. */
static void write_comparison(cli_json *json, const char *key, bp_vec3 position, bp_vec3 right) {
    cli_json_object(json, key);
    cli_json_vec3(json, "position", position);
    cli_json_float(json, "distance_m", explain_distance(position, right));
    cli_json_close(json);
}

void explain_write_json(cli_output *output, const explanation *of) {
    cli_json json = cli_json_start(output, 2);
    cli_json_object(&json, NULL);
    write_place(&json, of);
    cli_json_vec3(&json, "rest", of->rest);
    write_targets(&json, of);
    cli_json_vec3(&json, "morphed", of->morphed);
    cli_json_array(&json, "influences");
    for (uint32_t i = 0; i < of->term_count; i++)
        write_term(&json, of->model, &of->terms[i]);
    cli_json_close(&json);
    if (of->skin)
        cli_json_null(&json, "global_from_mesh");
    else
        cli_json_matrix(&json, "global_from_mesh", &of->global_from_mesh);
    cli_json_vec3(&json, "position", of->posed);
    cli_json_vec3(&json, "library_position", of->run);
    if (of->skin)
        write_comparison(&json, "without_inverse_bind_matrices", of->without_bind, of->posed);
    else
        cli_json_null(&json, "without_inverse_bind_matrices");
    if (of->skin && of->bind_known)
        write_comparison(&json, "bind_pose", of->bound, of->bound_at);
    else
        cli_json_null(&json, "bind_pose");
    cli_json_close(&json);
}
