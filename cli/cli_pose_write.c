// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `pose --format json`: the posed vertices as numbers. Keys and their order are part of the
 * program's contract.
 */

#include "cli.h"

static void write_clip(cli_json *json, const cli_scene *scene, const cli_moment *moment) {
    if (!moment->clip) {
        cli_json_null(json, "clip");
        return;
    }
    cli_json_object(json, "clip");
    cli_json_integer(json, "index", (uint64_t)(moment->clip - scene->model->clips));
    cli_json_string(json, "name", moment->clip->name);
    cli_json_close(json);
}

static void write_origin(cli_json *json, const cli_scene *scene, const cli_moment *moment) {
    if (moment->origin < 0) return;
    const bp_skeleton *skeleton = &scene->model->skeleton;
    cli_json_object(json, "relative_to");
    cli_json_integer(json, "node", skeleton->file_from_node[moment->origin]);
    cli_json_string(json, "name", skeleton->labels[moment->origin]);
    cli_json_close(json);
}

/* State. The file being written, and what is known of it so far. */
typedef struct writer {
    cli_json json;
    cli_scene *scene;
    bp_aabb bounds;
} writer;

static void take_bounds(writer *to, const cli_posed *posed) {
    for (size_t i = 0; i < posed->count; i++) {
        const float *at = posed->positions + 3 * i;
        to->bounds = bp_aabb_add(to->bounds, (bp_vec3){at[0], at[1], at[2]});
    }
}

/* The matrices of the copies; what they make of the vertices counts for the bounds only. */
static int write_copies(writer *to, const cli_drawable *drawable) {
    int status = CLI_DONE;
    cli_json_array(&to->json, "instances");
    for (uint32_t i = 0; i < drawable->copies && status == CLI_DONE; i++) {
        bp_mat34 matrix;
        cli_posed posed;
        status = cli_scene_copy_matrix(to->scene, drawable, i, &matrix);
        if (status == CLI_DONE) status = cli_scene_compute(to->scene, drawable, i, &posed);
        if (status != CLI_DONE) return status;
        cli_json_matrix(&to->json, NULL, &matrix);
        take_bounds(to, &posed);
    }
    cli_json_close(&to->json);
    return status;
}

/* A drawable at a copy, or at the node and then with the matrices of its copies. */
static int write_entry(writer *to, const cli_drawable *drawable, int64_t copy) {
    const bp_model *model = to->scene->model;
    const bp_instance *instance = &model->instances[drawable->instance];
    cli_json *json = &to->json;
    cli_posed posed;
    int status = cli_scene_compute(to->scene, drawable, copy, &posed);
    if (status != CLI_DONE) return status;
    cli_json_object(json, NULL);
    cli_json_integer(json, "node", model->skeleton.file_from_node[instance->node]);
    cli_json_integer(json, "mesh", instance->mesh);
    cli_json_integer(json, "primitive", drawable->primitive);
    cli_json_index(json, "skin", drawable->skinned ? instance->skin : -1);
    if (copy != CLI_ORIGINAL) cli_json_integer(json, "copy", (uint64_t)copy);
    cli_json_floats(json, "positions", posed.positions, 3 * (size_t)posed.count);
    if (posed.normals) cli_json_floats(json, "normals", posed.normals, 3 * (size_t)posed.count);
    if (posed.tangents) cli_json_floats(json, "tangents", posed.tangents, 4 * (size_t)posed.count);
    if (copy == CLI_ORIGINAL && instance->copy_count > 0)
        status = write_copies(to, drawable);
    else
        take_bounds(to, &posed);
    cli_json_close(json);
    return status;
}

static int write_drawable(writer *to, const cli_drawable *drawable) {
    bool copied = to->scene->model->instances[drawable->instance].copy_count > 0;
    if (!copied || cli_scene_has_copy_matrices(to->scene, drawable))
        return write_entry(to, drawable, CLI_ORIGINAL);
    int status = CLI_DONE;
    for (uint32_t copy = 0; copy < drawable->copies && status == CLI_DONE; copy++)
        status = write_entry(to, drawable, copy);
    return status;
}

static int write_joint(cli_json *json, const cli_scene *scene, uint32_t skin, uint32_t joint) {
    const bp_model *model = scene->model;
    uint32_t node = model->skins[skin].joints[joint];
    bp_mat34 global, matrix;
    int status = cli_scene_joint(scene, skin, joint, &global, &matrix);
    if (status != CLI_DONE) return status;
    cli_json_object(json, NULL);
    cli_json_integer(json, "node", model->skeleton.file_from_node[node]);
    cli_json_string(json, "name", model->skeleton.labels[node]);
    cli_json_matrix(json, "global", &global);
    cli_json_matrix(json, "matrix", &matrix);
    cli_json_close(json);
    return CLI_DONE;
}

static int write_joints(cli_json *json, const cli_scene *scene) {
    const bp_model *model = scene->model;
    int status = CLI_DONE;
    cli_json_array(json, "joints");
    for (uint32_t i = 0; i < model->skin_count && status == CLI_DONE; i++) {
        cli_json_array(json, NULL);
        for (uint32_t j = 0; j < model->skins[i].joint_count && status == CLI_DONE; j++)
            status = write_joint(json, scene, i, j);
        cli_json_close(json);
    }
    cli_json_close(json);
    return status;
}

int cli_write_json(cli_output *output, cli_scene *scene, const cli_moment *moment) {
    int status = CLI_DONE;
    writer to = {cli_json_start(output, 2), scene, bp_aabb_empty()};
    cli_json *json = &to.json;
    cli_json_object(json, NULL);
    cli_json_string(json, "file", moment->file);
    write_clip(json, scene, moment);
    cli_json_float(json, "time", moment->time);
    write_origin(json, scene, moment);
    cli_json_array(json, "meshes");
    for (uint32_t i = 0; i < scene->drawable_count && status == CLI_DONE; i++)
        status = write_drawable(&to, &scene->drawables[i]);
    cli_json_close(json);
    cli_json_bounds(json, "bounds", to.bounds);
    if (moment->joints && status == CLI_DONE) status = write_joints(json, scene);
    cli_json_close(json);
    return status;
}
