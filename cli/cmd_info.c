// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `bindpose info`: what is in a file. This file works out what the model does not say by itself;
 * cmd_info_text.c, cmd_info_tree.c and cmd_info_json.c write it.
 */

#include "cmd_info.h"

#include <stdlib.h>

static const char help[] =
    "usage: bindpose info FILE [options]\n"
    "\n"
    "Shows what is in a glTF file: skins (joints, bind matrices, joints that no vertex uses, how\n"
    "far rest pose and bind pose are apart), clips (length, channels, keys), meshes (vertices,\n"
    "influence sets, morph targets), what is drawn, warnings. FILE is .gltf or .glb; - reads\n"
    "standard input.\n"
    "\n"
    "options\n"
    "      --tree              the hierarchy of nodes instead, with joints and meshes marked\n"
    "      --json              all of it for programs: stable keys, nodes and joints listed\n";

const char *const info_path_names[4] = {"translation", "rotation", "scale", "weights"};
const char *const info_interpolation_names[3] = {"linear", "step", "cubicspline"};

/* ---- clips and meshes ----------------------------------------------------------------------- */

info_clip info_measure_clip(const bp_clip *clip) {
    info_clip sums = {0};
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        sums.keys += clip->channels[i].key_count;
        sums.paths[clip->channels[i].path]++;
        sums.interpolations[clip->channels[i].interpolation]++;
    }
    return sums;
}

uint32_t info_influence_sets(const bp_primitive *primitive) {
    return (primitive->influence_count + 3) / 4;
}

info_mesh info_measure_mesh(const bp_mesh *mesh) {
    info_mesh sums = {0};
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const bp_primitive *primitive = &mesh->primitives[i];
        uint32_t sets = info_influence_sets(primitive);
        sums.vertices += primitive->vertex_count;
        sums.triangles += bp_primitive_triangle_count(primitive);
        if (sets > sums.influence_sets) sums.influence_sets = sets;
    }
    return sums;
}

int64_t info_file_node(const bp_model *model, int32_t node) {
    return node < 0 ? -1 : (int64_t)model->skeleton.file_from_node[node];
}

/* ---- skins ---------------------------------------------------------------------------------- */

/* Notes which joints vertices of a mesh have weight on; returns how many there may be. */
static uint32_t list_used(bool *used, const bp_mesh *mesh) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const bp_primitive *primitive = &mesh->primitives[i];
        if (!primitive->joint_bounds) continue;
        for (; count < primitive->joint_count; count++)
            used[count] = false;
        for (uint32_t j = 0; j < primitive->joint_count; j++) {
            const bp_aabb *box = &primitive->joint_bounds[j];
            used[j] |= box->min.x <= box->max.x;
        }
    }
    return count;
}

static uint32_t most_joints(const bp_model *model) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const bp_mesh *mesh = &model->meshes[i];
        for (uint32_t k = 0; k < mesh->primitive_count; k++)
            if (mesh->primitives[k].joint_count > most) most = mesh->primitives[k].joint_count;
    }
    return most;
}

/*
 * Marks the joints that vertices have weight on. Mesh by mesh, so that each is looked at once, and
 * each pair of a mesh and a skin once, however often it is drawn.
 */
static void mark_used(info_report *report) {
    const bp_model *model = report->model;
    int64_t *first = cli_allocate(model->mesh_count, sizeof *first); /* + 1: of its instances */
    int64_t *next = cli_allocate(model->instance_count, sizeof *next);
    uint32_t *marked = cli_allocate(model->skin_count, sizeof *marked); /* + 1: by which mesh */
    bool *used = cli_allocate(most_joints(model), sizeof *used);
    for (uint32_t i = 0; i < model->instance_count; i++) {
        const bp_instance *instance = &model->instances[i];
        if (instance->skin < 0) continue;
        report->skins[instance->skin].instance_count++;
        next[i] = first[instance->mesh];
        first[instance->mesh] = (int64_t)i + 1;
    }
    for (uint32_t mesh = 0; mesh < model->mesh_count; mesh++) {
        uint32_t count = first[mesh] > 0 ? list_used(used, &model->meshes[mesh]) : 0;
        for (int64_t i = first[mesh]; i > 0; i = next[i - 1]) {
            uint32_t skin = (uint32_t)model->instances[i - 1].skin;
            if (marked[skin] == mesh + 1) continue;
            marked[skin] = mesh + 1;
            for (uint32_t j = 0; j < count && j < model->skins[skin].joint_count; j++)
                report->skins[skin].used[j] |= used[j];
        }
    }
    free(first);
    free(next);
    free(marked);
    free(used);
}

/* The diagonal of a box around the joints at rest: what a distance is small against. */
static float skin_size(const bp_skin *skin, const bp_mat34 *globals) {
    bp_aabb box = bp_aabb_empty();
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        const bp_mat34 *global = &globals[skin->joints[j]];
        box = bp_aabb_add(box, (bp_vec3){global->m[0][3], global->m[1][3], global->m[2][3]});
    }
    float size = 0;
    if (box.max.x - box.min.x > size) size = box.max.x - box.min.x;
    if (box.max.y - box.min.y > size) size = box.max.y - box.min.y;
    if (box.max.z - box.min.z > size) size = box.max.z - box.min.z;
    return size;
}

/* Notes a joint's distance; below the thresholds it is the rounding of files, not a difference. */
static void note_distance(info_skin *facts, uint32_t joint, float size) {
    const bp_bind_distance *distance = &facts->distances[joint];
    if (!facts->used[joint]) return;
    if (!distance->known) {
        facts->unknown_count++;
        return;
    }
    bool moved = distance->translation > 1e-4f * size;
    bool turned = distance->rotation > 1e-3f;
    bool scaled = distance->scale > 1.001f;
    if (!moved && !turned && !scaled) return;
    facts->differing_count++;
    const bp_bind_distance *all = facts->distances;
    if (moved && (facts->farthest < 0 || distance->translation > all[facts->farthest].translation))
        facts->farthest = joint;
    if (turned && (facts->most_turned < 0 || distance->rotation > all[facts->most_turned].rotation))
        facts->most_turned = joint;
    if (scaled && (facts->most_scaled < 0 || distance->scale > all[facts->most_scaled].scale))
        facts->most_scaled = joint;
}

static void measure_skin(info_skin *facts, const bp_model *model, uint32_t index,
                         const bp_mat34 *globals) {
    const bp_skin *skin = &model->skins[index];
    facts->farthest = facts->most_turned = facts->most_scaled = -1;
    facts->distances = cli_allocate(skin->joint_count, sizeof *facts->distances);
    bp_skin_bind_distances(facts->distances, skin, globals);
    float size = skin_size(skin, globals);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        facts->unused_count += !facts->used[j];
        note_distance(facts, j, size);
    }
}

static void measure_skins(info_report *report) {
    const bp_model *model = report->model;
    report->skins = cli_allocate(model->skin_count, sizeof *report->skins);
    if (model->skin_count == 0) return;
    for (uint32_t i = 0; i < model->skin_count; i++)
        report->skins[i].used = cli_allocate(model->skins[i].joint_count, sizeof(bool));
    mark_used(report);
    bp_pose *rest = cli_pose_create(model);
    const bp_mat34 *globals = bp_pose_globals(rest);
    for (uint32_t i = 0; i < model->skin_count; i++)
        measure_skin(&report->skins[i], model, i, globals);
    bp_pose_destroy(rest);
}

static void release_skins(info_report *report) {
    for (uint32_t i = 0; i < report->model->skin_count; i++) {
        free(report->skins[i].used);
        free(report->skins[i].distances);
    }
    free(report->skins);
}

/* ---- the command ---------------------------------------------------------------------------- */

enum { OPTION_TREE = CLI_FIRST_OPTION, OPTION_JSON };

static const struct option options[] = {
    {"tree", no_argument, NULL, OPTION_TREE},
    {"json", no_argument, NULL, OPTION_JSON},
    {0},
};

static int run(const cli_command *command, int argc, char **argv) {
    cli_request request = {.command = command};
    bool tree = false, json = false;
    int id;
    while ((id = cli_next_option(&request, argc, argv, options)) >= 0) {
        if (id == OPTION_TREE) tree = true;
        if (id == OPTION_JSON) json = true;
    }
    if (id == CLI_STOP) return request.status;
    if (tree && json) return cli_usage_error(command, "--tree and --json exclude each other");
    bp_model *model = cli_model_load(&request);
    if (!model) return CLI_FAILED;

    info_report report = {.request = &request, .model = model};
    measure_skins(&report);
    cli_output *output = cli_output_open(NULL);
    if (json)
        info_write_json(output, &report);
    else if (tree)
        info_write_tree(output, &report);
    else
        info_write_text(output, &report);
    int status = cli_output_finish(output);
    release_skins(&report);
    bp_model_destroy(model);
    return status;
}

const cli_command cli_command_info = {
    .name = "info",
    .summary = "what is in a file: skins, clips, meshes, the hierarchy",
    .help = help,
    .examples = "info assets/walker.glb\n"
                "info assets/arm.glb --tree\n",
    .run = run,
};
