// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `info` for eyes: a table for each kind of thing that is in the file. Long tables are cut, and say
 * so; --json has everything.
 */

#include "cmd_info.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_ROWS = 200, MOST_NAMES = 4 };

static const double degrees_per_radian = 57.295779513;

/* ---- shared --------------------------------------------------------------------------------- */

static void add_count(cli_table *table, uint64_t count) {
    cli_table_add(table, count > 0 ? cli_count(count).text : "-");
}

static void add_index_and_name(cli_table *table, uint32_t index, const char *name) {
    cli_table_add(table, cli_count(index).text);
    cli_table_add(table, *name ? cli_quote(name).text : "-");
}

static uint32_t rows(uint32_t count) {
    return count < MOST_ROWS ? count : MOST_ROWS;
}

static void finish_table(cli_output *output, cli_table *table, uint32_t count) {
    cli_table_finish(table, output);
    if (count > MOST_ROWS)
        cli_output_format(output, "  … and %s more; --json lists them\n",
                          cli_count(count - MOST_ROWS).text);
}

/* Adds a heading and the first row of a table. */
static cli_table start_table(cli_output *output, const char *heading, const char *alignment,
                             const char *const *columns) {
    cli_output_format(output, "\n%s\n", heading);
    cli_table table = cli_table_start(alignment);
    for (; *alignment; alignment++)
        cli_table_add(&table, *columns++);
    return table;
}

/* ---- the head ------------------------------------------------------------------------------- */

static void write_scenes(cli_output *output, const bp_model *model) {
    cli_output_format(output, "  scenes      %s", cli_count(model->scene_count).text);
    if (model->default_scene >= 0) {
        uint32_t scene = (uint32_t)model->default_scene;
        cli_output_format(output, ", the default is %s",
                          cli_item(scene, model->scenes[scene].name).text);
    }
    cli_output_text(output, "\n");
}

static void write_head(cli_output *output, const info_report *report) {
    const bp_model *model = report->model;
    cli_output_clean(output, report->request->label);
    cli_output_text(output, "\n");
    if (*model->generator)
        cli_output_format(output, "  generator   %s\n", cli_plain(model->generator).text);
    cli_output_format(output, "  nodes       %s\n", cli_count(model->skeleton.node_count).text);
    write_scenes(output, model);
    cli_output_format(output, "  materials   %s, %s, %s\n", cli_count(model->material_count).text,
                      cli_count_of(model->texture_count, "texture", "textures").text,
                      cli_count_of(model->image_count, "image", "images").text);
    for (uint32_t i = 0; i < model->extension_count; i++)
        cli_output_format(output, "  %-10s  %s\n", i == 0 ? "extensions" : "",
                          cli_plain(model->extensions_used[i]).text);
    cli_output_format(output, "  memory      %s when loaded\n",
                      cli_bytes(model->memory_bytes).text);
}

/* ---- skins ---------------------------------------------------------------------------------- */

/* (1, 2, 3), with 0 for what is rounding only. */
static cli_word vector(bp_vec3 v) {
    const float parts[3] = {v.x, v.y, v.z};
    double shown[3];
    for (int i = 0; i < 3; i++)
        shown[i] = fabsf(parts[i]) <= 1e-5f ? 0 : parts[i];
    return cli_format("(%s, %s, %s)", cli_number(shown[0]).text, cli_number(shown[1]).text,
                      cli_number(shown[2]).text);
}

/* "moved by (0, 1, 0) m, scaled by (2, 2, 2)", or "" where there is none. */
static cli_word describe_bind_shape(const bp_skin *skin) {
    bp_transform at, none = bp_transform_identity();
    bp_transform_from_mat34(&at, &skin->bind_shape);
    bp_vec3 t = at.translation, s = at.scale;
    double degrees = bp_quat_angle(at.rotation, none.rotation) * degrees_per_radian;
    bool moved = fabsf(t.x) > 1e-5f || fabsf(t.y) > 1e-5f || fabsf(t.z) > 1e-5f;
    bool turned = degrees > 0.05;
    bool scaled = fabsf(s.x - 1) > 1e-4f || fabsf(s.y - 1) > 1e-4f || fabsf(s.z - 1) > 1e-4f;
    cli_word text = {""};
    if (moved) text = cli_format("moved by %s m", vector(t).text);
    if (turned)
        text = cli_format("%s%sturned by %.1f degrees", text.text, *text.text ? ", " : "", degrees);
    if (scaled)
        text = cli_format("%s%sscaled by %s", text.text, *text.text ? ", " : "", vector(s).text);
    return text;
}

/* How rest pose and bind pose relate, in a few words. */
static cli_word compare_poses(const bp_skin *skin, const info_skin *facts) {
    uint32_t used = skin->joint_count - facts->unused_count;
    if (facts->instance_count == 0) return cli_format("no mesh uses this skin");
    if (facts->differing_count > 0)
        return cli_format("differ at %s of %s", cli_count(facts->differing_count).text,
                          cli_count_of(used, "joint", "joints").text);
    if (facts->unknown_count > 0)
        return cli_format("unknown at %s",
                          cli_count_of(facts->unknown_count, "joint", "joints").text);
    return cli_format(*describe_bind_shape(skin).text ? "the same, but for a bind shape matrix"
                                                      : "the same");
}

static cli_word joint_item(const bp_model *model, const bp_skin *skin, int64_t joint) {
    return cli_item((uint32_t)joint, model->skeleton.labels[skin->joints[joint]]);
}

static void note_unused(cli_output *output, const bp_model *model, uint32_t index,
                        const info_skin *facts) {
    const bp_skin *skin = &model->skins[index];
    if (facts->unused_count == 0 || facts->instance_count == 0) return;
    cli_output_format(output, "  skin %" PRIu32 ": %s no vertex: ", index,
                      cli_count_of(facts->unused_count, "joint moves", "joints move").text);
    uint32_t listed = 0;
    for (uint32_t j = 0; j < skin->joint_count && listed < MOST_NAMES; j++) {
        if (facts->used[j]) continue;
        cli_output_format(output, "%s%s", listed++ ? ", " : "", joint_item(model, skin, j).text);
    }
    if (facts->unused_count > MOST_NAMES)
        cli_output_format(output, " and %s more", cli_count(facts->unused_count - MOST_NAMES).text);
    cli_output_text(output, "\n");
}

/* Where rest pose and bind pose differ most. */
static void note_distances(cli_output *output, const bp_model *model, uint32_t index,
                           const info_skin *facts) {
    const bp_skin *skin = &model->skins[index];
    const bp_bind_distance *distances = facts->distances;
    if (facts->unknown_count > 0)
        cli_output_format(output, "  skin %" PRIu32 ": %s no bind pose: not invertible\n", index,
                          cli_count_of(facts->unknown_count, "joint has", "joints have").text);
    if (facts->farthest >= 0)
        cli_output_format(output,
                          "  skin %" PRIu32 ": joint %s rests %s m from where it was bound\n",
                          index, joint_item(model, skin, facts->farthest).text,
                          cli_number(distances[facts->farthest].translation).text);
    if (facts->most_turned >= 0)
        cli_output_format(output,
                          "  skin %" PRIu32 ": joint %s rests %.1f degrees from how it was bound\n",
                          index, joint_item(model, skin, facts->most_turned).text,
                          distances[facts->most_turned].rotation * degrees_per_radian);
    if (facts->most_scaled >= 0)
        cli_output_format(
            output, "  skin %" PRIu32 ": joint %s rests scaled by %s against how it was bound\n",
            index, joint_item(model, skin, facts->most_scaled).text,
            cli_number(distances[facts->most_scaled].scale).text);
}

/* "  skin 0: bind shape matrix: moved by (0, 1, 0) m, scaled by (2, 2, 2)" */
static void note_bind_shape(cli_output *output, uint32_t index, const bp_skin *skin) {
    cli_word shape = describe_bind_shape(skin);
    if (*shape.text)
        cli_output_format(output, "  skin %" PRIu32 ": bind shape matrix: %s\n", index, shape.text);
}

static void write_skins(cli_output *output, const info_report *report) {
    static const char *const columns[] = {"", "name", "joints", "inverse bind matrices",
                                          "rest pose and bind pose"};
    const bp_model *model = report->model;
    if (model->skin_count == 0) return;
    cli_table table = start_table(output, "skins", "rlrll", columns);
    for (uint32_t i = 0; i < rows(model->skin_count); i++) {
        const bp_skin *skin = &model->skins[i];
        add_index_and_name(&table, i, skin->name);
        add_count(&table, skin->joint_count);
        cli_table_add(&table, skin->has_inverse_bind_matrices ? "given" : "none: identity");
        cli_table_add(&table, compare_poses(skin, &report->skins[i]).text);
    }
    finish_table(output, &table, model->skin_count);
    for (uint32_t i = 0; i < rows(model->skin_count); i++) {
        note_unused(output, model, i, &report->skins[i]);
        note_distances(output, model, i, &report->skins[i]);
        note_bind_shape(output, i, &model->skins[i]);
    }
}

/* ---- clips ---------------------------------------------------------------------------------- */

/* "linear", or "linear 12, step 3". */
static cli_word list_interpolations(const info_clip *sums, uint32_t channels) {
    cli_word word = {""};
    for (int i = 0; i < 3; i++) {
        if (sums->interpolations[i] == 0) continue;
        if (sums->interpolations[i] == channels)
            return cli_format("%s", info_interpolation_names[i]);
        word = cli_format("%s%s%s %" PRIu32, word.text, *word.text ? ", " : "",
                          info_interpolation_names[i], sums->interpolations[i]);
    }
    return word;
}

static void write_clips(cli_output *output, const bp_model *model) {
    static const char *const columns[] = {"",          "name",         "seconds", "channels",
                                          "translate", "rotate",       "scale",   "weights",
                                          "keys",      "interpolation"};
    if (model->clip_count == 0) return;
    cli_table table = start_table(output, "clips", "rlrrrrrrrl", columns);
    for (uint32_t i = 0; i < rows(model->clip_count); i++) {
        const bp_clip *clip = &model->clips[i];
        info_clip sums = info_measure_clip(clip);
        add_index_and_name(&table, i, clip->name);
        cli_table_add(&table, cli_format("%.3f", (double)clip->duration).text);
        add_count(&table, clip->channel_count);
        for (int k = 0; k < 4; k++)
            add_count(&table, sums.paths[k]);
        add_count(&table, sums.keys);
        cli_table_add(&table, list_interpolations(&sums, clip->channel_count).text);
    }
    finish_table(output, &table, model->clip_count);
}

/* ---- meshes and where they are drawn -------------------------------------------------------- */

static void note_targets(cli_output *output, uint32_t index, const bp_mesh *mesh) {
    if (mesh->target_count == 0 || !mesh->target_names) return;
    cli_output_format(output, "  mesh %" PRIu32 ": morph targets ", index);
    for (uint32_t i = 0; i < mesh->target_count && i < MOST_NAMES; i++)
        cli_output_format(output, "%s%s", i ? ", " : "", cli_item(i, mesh->target_names[i]).text);
    if (mesh->target_count > MOST_NAMES)
        cli_output_format(output, ", and %s more", cli_count(mesh->target_count - MOST_NAMES).text);
    cli_output_text(output, "\n");
}

static void write_meshes(cli_output *output, const bp_model *model) {
    static const char *const columns[] = {"",          "name",           "primitives",   "vertices",
                                          "triangles", "influence sets", "morph targets"};
    if (model->mesh_count == 0) return;
    cli_table table = start_table(output, "meshes", "rlrrrrr", columns);
    for (uint32_t i = 0; i < rows(model->mesh_count); i++) {
        const bp_mesh *mesh = &model->meshes[i];
        info_mesh sums = info_measure_mesh(mesh);
        add_index_and_name(&table, i, mesh->name);
        add_count(&table, mesh->primitive_count);
        add_count(&table, sums.vertices);
        add_count(&table, sums.triangles);
        add_count(&table, sums.influence_sets);
        add_count(&table, mesh->target_count);
    }
    finish_table(output, &table, model->mesh_count);
    for (uint32_t i = 0; i < rows(model->mesh_count); i++)
        note_targets(output, i, &model->meshes[i]);
}

static void write_instances(cli_output *output, const bp_model *model) {
    static const char *const columns[] = {"node", "mesh", "skin", ""};
    if (model->instance_count == 0) return;
    cli_table table = start_table(output, "instances", "llll", columns);
    for (uint32_t i = 0; i < rows(model->instance_count); i++) {
        const bp_instance *instance = &model->instances[i];
        uint32_t node = instance->node;
        cli_table_add(
            &table,
            cli_item(model->skeleton.file_from_node[node], model->skeleton.labels[node]).text);
        cli_table_add(&table, cli_item(instance->mesh, model->meshes[instance->mesh].name).text);
        if (instance->skin >= 0)
            cli_table_add(
                &table, cli_item((uint32_t)instance->skin, model->skins[instance->skin].name).text);
        else
            cli_table_add(&table, "rigid");
        if (instance->copy_count > 0)
            cli_table_add(&table, cli_count_of(instance->copy_count, "copy", "copies").text);
        else
            cli_table_add(&table, instance->in_default_scene || model->scene_count == 0
                                      ? ""
                                      : "not in the default scene");
    }
    finish_table(output, &table, model->instance_count);
}

/* ---- warnings ------------------------------------------------------------------------------- */

static void write_warnings(cli_output *output, const bp_model *model) {
    if (model->warning_count == 0) return;
    cli_output_text(output, "\nwarnings\n");
    for (uint32_t i = 0; i < rows(model->warning_count); i++) {
        const bp_warning *warning = &model->warnings[i];
        cli_word place = cli_warning_place(warning);
        cli_output_text(output, "  ");
        cli_output_clean(output, place.text);
        cli_output_text(output, *place.text ? ": " : "");
        cli_output_clean(output, cli_translate(warning->message).text);
        cli_output_format(output, " (%s", bp_rule_name(warning->rule));
        if (warning->count > 1)
            cli_output_format(output, ", %s times", cli_count(warning->count).text);
        cli_output_text(output, ")\n");
    }
    if (model->warning_count > MOST_ROWS)
        cli_output_format(output, "  … and %s more; --json lists them\n",
                          cli_count(model->warning_count - MOST_ROWS).text);
}

void info_write_text(cli_output *output, const info_report *report) {
    write_head(output, report);
    write_skins(output, report);
    write_clips(output, report->model);
    write_meshes(output, report->model);
    write_instances(output, report->model);
    write_warnings(output, report->model);
}
