// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `info --json`. Keys and their order are stable; keys may be added. Nodes are numbered as in the
 * file, joints as in their skin.
 */

#include "cmd_info.h"

static const char *const topology_names[] = {
    "triangles", "triangle_strip", "triangle_fan", "lines", "line_strip", "line_loop", "points",
};
static const char *const bind_shape_names[] = {"given", "rest", "unknown"};

static const float degrees_per_radian = 57.2957795f;

static void write_scenes(cli_json *json, const bp_model *model) {
    cli_json_index(json, "default_scene", model->default_scene);
    cli_json_array(json, "scenes");
    for (uint32_t i = 0; i < model->scene_count; i++) {
        const bp_scene *scene = &model->scenes[i];
        cli_json_object(json, NULL);
        cli_json_string(json, "name", scene->name);
        cli_json_array(json, "roots");
        for (uint32_t k = 0; k < scene->root_count; k++)
            cli_json_integer(json, NULL, model->skeleton.file_from_node[scene->roots[k]]);
        cli_json_close(json);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_nodes(cli_json *json, const bp_model *model) {
    const bp_skeleton *skeleton = &model->skeleton;
    cli_json_array(json, "nodes");
    for (uint32_t i = 0; i < skeleton->node_count; i++) {
        uint32_t node = skeleton->node_from_file[i];
        cli_json_object(json, NULL);
        cli_json_string(json, "name", skeleton->labels[node]);
        cli_json_index(json, "parent", info_file_node(model, skeleton->parents[node]));
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_distance(cli_json *json, const bp_bind_distance *distance) {
    if (!distance->known) {
        cli_json_null(json, "rest_from_bind");
        return;
    }
    cli_json_object(json, "rest_from_bind");
    cli_json_float(json, "translation_m", distance->translation);
    cli_json_float(json, "rotation_degrees", distance->rotation * degrees_per_radian);
    cli_json_float(json, "scale", distance->scale);
    cli_json_close(json);
}

static void write_joints(cli_json *json, const bp_model *model, const bp_skin *skin,
                         const info_skin *facts) {
    cli_json_array(json, "joints");
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t node = skin->joints[j];
        cli_json_object(json, NULL);
        cli_json_integer(json, "node", model->skeleton.file_from_node[node]);
        cli_json_string(json, "name", model->skeleton.labels[node]);
        cli_json_bool(json, "used", facts->used[j]);
        write_distance(json, &facts->distances[j]);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_skins(cli_json *json, const info_report *report) {
    const bp_model *model = report->model;
    cli_json_array(json, "skins");
    for (uint32_t i = 0; i < model->skin_count; i++) {
        const bp_skin *skin = &model->skins[i];
        const info_skin *facts = &report->skins[i];
        cli_json_object(json, NULL);
        cli_json_string(json, "name", skin->name);
        cli_json_bool(json, "inverse_bind_matrices", skin->has_inverse_bind_matrices);
        cli_json_string(json, "bind_shape_source", bind_shape_names[skin->bind_shape_source]);
        cli_json_matrix(json, "bind_shape", &skin->bind_shape);
        cli_json_index(json, "skeleton", info_file_node(model, skin->root_hint));
        cli_json_integer(json, "instances", facts->instance_count);
        cli_json_integer(json, "unused_joints", facts->unused_count);
        cli_json_integer(json, "joints_with_rest_unlike_bind", facts->differing_count);
        cli_json_integer(json, "joints_without_bind_pose", facts->unknown_count);
        cli_json_index(json, "farthest_joint", facts->farthest);
        cli_json_index(json, "most_turned_joint", facts->most_turned);
        cli_json_index(json, "most_scaled_joint", facts->most_scaled);
        write_joints(json, model, skin, facts);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_clips(cli_json *json, const bp_model *model) {
    cli_json_array(json, "clips");
    for (uint32_t i = 0; i < model->clip_count; i++) {
        info_clip sums = info_measure_clip(&model->clips[i]);
        cli_json_object(json, NULL);
        cli_json_string(json, "name", model->clips[i].name);
        cli_json_float(json, "duration_s", model->clips[i].duration);
        cli_json_integer(json, "channels", model->clips[i].channel_count);
        cli_json_integer(json, "keys", sums.keys);
        cli_json_object(json, "channels_by_path");
        for (int k = 0; k < 4; k++)
            cli_json_integer(json, info_path_names[k], sums.paths[k]);
        cli_json_close(json);
        cli_json_object(json, "channels_by_interpolation");
        for (int k = 0; k < 3; k++)
            cli_json_integer(json, info_interpolation_names[k], sums.interpolations[k]);
        cli_json_close(json);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_primitive(cli_json *json, const bp_primitive *primitive) {
    cli_json_object(json, NULL);
    cli_json_string(json, "topology", topology_names[primitive->topology]);
    cli_json_integer(json, "vertices", primitive->vertex_count);
    cli_json_integer(json, "indices", primitive->index_count);
    cli_json_integer(json, "triangles", bp_primitive_triangle_count(primitive));
    cli_json_integer(json, "influence_sets", info_influence_sets(primitive));
    cli_json_bool(json, "positions", primitive->positions);
    cli_json_bool(json, "normals", primitive->normals);
    cli_json_bool(json, "tangents", primitive->tangents);
    cli_json_index(json, "material", primitive->material);
    cli_json_bounds(json, "bounds", primitive->bounds);
    cli_json_close(json);
}

static void write_meshes(cli_json *json, const bp_model *model) {
    cli_json_array(json, "meshes");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const bp_mesh *mesh = &model->meshes[i];
        info_mesh sums = info_measure_mesh(mesh);
        cli_json_object(json, NULL);
        cli_json_string(json, "name", mesh->name);
        cli_json_integer(json, "vertices", sums.vertices);
        cli_json_integer(json, "triangles", sums.triangles);
        cli_json_integer(json, "influence_sets", sums.influence_sets);
        cli_json_array(json, "morph_targets");
        for (uint32_t k = 0; k < mesh->target_count; k++)
            cli_json_string(json, NULL, mesh->target_names ? mesh->target_names[k] : "");
        cli_json_close(json);
        cli_json_array(json, "primitives");
        for (uint32_t k = 0; k < mesh->primitive_count; k++)
            write_primitive(json, &mesh->primitives[k]);
        cli_json_close(json);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_instances(cli_json *json, const bp_model *model) {
    cli_json_array(json, "instances");
    for (uint32_t i = 0; i < model->instance_count; i++) {
        const bp_instance *instance = &model->instances[i];
        cli_json_object(json, NULL);
        cli_json_integer(json, "node", model->skeleton.file_from_node[instance->node]);
        cli_json_integer(json, "mesh", instance->mesh);
        cli_json_index(json, "skin", instance->skin);
        cli_json_bool(json, "in_default_scene", instance->in_default_scene);
        cli_json_integer(json, "copies", instance->copy_count);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void write_warnings(cli_json *json, const bp_model *model) {
    cli_json_array(json, "warnings");
    for (uint32_t i = 0; i < model->warning_count; i++) {
        const bp_warning *warning = &model->warnings[i];
        cli_json_object(json, NULL);
        cli_json_string(json, "code", bp_rule_name(warning->rule));
        cli_json_string(json, "pointer", warning->pointer);
        cli_json_index(json, "offset", warning->offset);
        cli_json_integer(json, "count", warning->count);
        cli_json_string(json, "message", warning->message);
        cli_json_close(json);
    }
    cli_json_close(json);
}

void info_write_json(cli_output *output, const info_report *report) {
    const bp_model *model = report->model;
    cli_json json = cli_json_start(output, 2);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "file", report->request->file);
    cli_json_string(&json, "generator", model->generator);
    cli_json_integer(&json, "memory_bytes", model->memory_bytes);
    write_scenes(&json, model);
    write_nodes(&json, model);
    write_skins(&json, report);
    write_clips(&json, model);
    write_meshes(&json, model);
    write_instances(&json, model);
    cli_json_integer(&json, "material_count", model->material_count);
    cli_json_integer(&json, "texture_count", model->texture_count);
    cli_json_integer(&json, "image_count", model->image_count);
    cli_json_array(&json, "extensions_used");
    for (uint32_t i = 0; i < model->extension_count; i++)
        cli_json_string(&json, NULL, model->extensions_used[i]);
    cli_json_close(&json);
    write_warnings(&json, model);
    cli_json_close(&json);
}
