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

static void write_copies(cli_json *json, const cli_scene *scene, const cli_drawable *drawable) {
    cli_json_array(json, "instances");
    for (uint32_t i = 0; i < drawable->copies; i++) {
        bp_mat34 matrix = cli_scene_copy_matrix(scene, drawable, i);
        cli_json_matrix(json, NULL, &matrix);
    }
    cli_json_close(json);
}

static int write_mesh(cli_json *json, cli_scene *scene, const cli_drawable *drawable) {
    const bp_instance *instance = &scene->model->instances[drawable->instance];
    cli_posed posed;
    int status = cli_scene_compute(scene, drawable, CLI_ORIGINAL, &posed);
    if (status != CLI_DONE) return status;
    cli_json_object(json, NULL);
    cli_json_integer(json, "node", scene->model->skeleton.file_from_node[instance->node]);
    cli_json_integer(json, "mesh", instance->mesh);
    cli_json_integer(json, "primitive", drawable->primitive);
    cli_json_index(json, "skin", drawable->skinned ? instance->skin : -1);
    cli_json_floats(json, "positions", posed.positions, 3 * (size_t)posed.count);
    if (posed.normals) cli_json_floats(json, "normals", posed.normals, 3 * (size_t)posed.count);
    if (posed.tangents) cli_json_floats(json, "tangents", posed.tangents, 4 * (size_t)posed.count);
    if (instance->copy_count > 0) write_copies(json, scene, drawable);
    cli_json_close(json);
    return CLI_DONE;
}

static void write_bounds(cli_json *json, cli_scene *scene) {
    bp_aabb bounds = bp_aabb_empty();
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const cli_drawable *drawable = &scene->drawables[i];
        for (uint32_t copy = 0; copy < drawable->copies; copy++)
            bounds = bp_aabb_union(bounds, cli_scene_bounds(scene, drawable, copy));
    }
    cli_json_bounds(json, "bounds", bounds);
}

static void write_joints(cli_json *json, const cli_scene *scene) {
    const bp_model *model = scene->model;
    cli_json_array(json, "joints");
    for (uint32_t i = 0; i < model->skin_count; i++) {
        cli_json_array(json, NULL);
        for (uint32_t j = 0; j < model->skins[i].joint_count; j++) {
            uint32_t node = model->skins[i].joints[j];
            bp_mat34 global, matrix;
            cli_scene_joint(scene, i, j, &global, &matrix);
            cli_json_object(json, NULL);
            cli_json_integer(json, "node", model->skeleton.file_from_node[node]);
            cli_json_string(json, "name", model->skeleton.labels[node]);
            cli_json_matrix(json, "global", &global);
            cli_json_matrix(json, "matrix", &matrix);
            cli_json_close(json);
        }
        cli_json_close(json);
    }
    cli_json_close(json);
}

int cli_write_json(cli_output *output, cli_scene *scene, const cli_moment *moment) {
    int status = CLI_DONE;
    cli_json json = cli_json_start(output, 2);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", moment->file);
    write_clip(&json, scene, moment);
    cli_json_float(&json, "time", moment->time);
    write_origin(&json, scene, moment);
    cli_json_array(&json, "meshes");
    for (uint32_t i = 0; i < scene->drawable_count && status == CLI_DONE; i++)
        status = write_mesh(&json, scene, &scene->drawables[i]);
    cli_json_close(&json);
    if (status == CLI_DONE) write_bounds(&json, scene);
    if (moment->joints) write_joints(&json, scene);
    cli_json_close(&json);
    return status;
}
