// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `bindpose explain`: how one vertex gets where it is. This file does the arithmetic, one step at a
 * time as a textbook has it, and holds it to what the library computes; cmd_explain_text.c and
 * cmd_explain_json.c write it.
 */

#include "cmd_explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char help[] =
    "usage: bindpose explain FILE --vertex N [options]\n"
    "\n"
    "Shows how one vertex gets where it is: its joints and weights, where it is in each joint's\n"
    "space, the matrices, the terms and their sum; what inverse bind matrices are for, and that\n"
    "the bind pose leaves it alone. FILE is .gltf or .glb; - reads standard input.\n"
    "\n"
    "options\n"
    "  -v, --vertex N          the vertex, from 0\n"
    "  -m, --mesh MESH         in this mesh, by index or by name (default: the first that a skin\n"
    "                          moves)\n"
    "  -n, --node NODE         drawn by this node, by index or by name (default: the first that\n"
    "                          draws the mesh)\n"
    "  -p, --primitive P       in this primitive of the mesh (default 0)\n"
    "  -c, --clip CLIP         in a clip, by index or by name (default: the rest pose)\n"
    "  -t, --time SECONDS      at this time in it (default 0)\n"
    "      --json              the same for programs: stable keys\n";

/* ---- what was asked for --------------------------------------------------------------------- */

enum { OPTION_JSON = CLI_FIRST_OPTION };

static const struct option options[] = {
    {"vertex", required_argument, NULL, 'v'}, {"mesh", required_argument, NULL, 'm'},
    {"node", required_argument, NULL, 'n'},   {"primitive", required_argument, NULL, 'p'},
    {"clip", required_argument, NULL, 'c'},   {"time", required_argument, NULL, 't'},
    {"json", no_argument, NULL, OPTION_JSON}, {0},
};

typedef struct explain_request {
    cli_request common;
    bool has_vertex, json;
    uint32_t vertex, primitive;
    const char *mesh, *node, *clip; /* or NULL */
    double time;
} explain_request;

static int read_count(const explain_request *request, const char *option, uint32_t *count) {
    uint64_t number;
    if (!cli_parse_count(optarg, UINT32_MAX, &number))
        return cli_usage_error(request->common.command, "--%s %s is not a number from 0 on", option,
                               cli_quote(optarg).text);
    *count = (uint32_t)number;
    return CLI_DONE;
}

static int read_option(explain_request *request, int id) {
    switch (id) {
    case 'v': request->has_vertex = true; return read_count(request, "vertex", &request->vertex);
    case 'p': return read_count(request, "primitive", &request->primitive);
    case 'm': request->mesh = optarg; return CLI_DONE;
    case 'n': request->node = optarg; return CLI_DONE;
    case 'c': request->clip = optarg; return CLI_DONE;
    case 't':
        if (cli_parse_time(optarg, &request->time) && request->time >= 0) return CLI_DONE;
        return cli_usage_error(request->common.command,
                               "--time %s is not a time in seconds from 0 on",
                               cli_quote(optarg).text);
    default: request->json = true; return CLI_DONE;
    }
}

static int read_request(explain_request *request, int argc, char **argv) {
    int id;
    while ((id = cli_next_option(&request->common, argc, argv, options)) >= 0) {
        int status = read_option(request, id);
        if (status != CLI_DONE) return status;
    }
    if (id == CLI_STOP) return request->common.status;
    if (!request->has_vertex)
        return cli_usage_error(request->common.command, "--vertex is missing");
    if (request->mesh && request->node)
        return cli_usage_error(request->common.command, "--mesh and --node exclude each other");
    if (!request->clip && request->time > 0 && !request->common.quiet)
        cli_warn(NULL, request->common.command->name, "--time changes nothing without --clip");
    return CLI_DONE;
}

/* ---- which vertex that is ------------------------------------------------------------------- */

/* The first instance that draws a mesh (-1: any), rather a skinned one, rather in the default
 * scene; -1 when there is none. */
static int64_t best_instance(const bp_model *model, int64_t mesh) {
    int64_t best = -1;
    int best_rank = -1;
    for (uint32_t i = 0; i < model->instance_count; i++) {
        const bp_instance *instance = &model->instances[i];
        if (mesh >= 0 && instance->mesh != mesh) continue;
        int rank = 2 * instance->in_default_scene + (instance->skin >= 0);
        if (rank <= best_rank) continue;
        best = i;
        best_rank = rank;
    }
    return best;
}

static int64_t instance_at(const bp_model *model, uint32_t node) {
    for (uint32_t i = 0; i < model->instance_count; i++)
        if (model->instances[i].node == node) return i;
    return -1;
}

/* Finds the instance that the options mean. */
static int choose_instance(explanation *of, const explain_request *request) {
    const bp_model *model = of->model;
    uint32_t index = 0;
    int64_t instance;
    const char *label = request->common.label;
    if (request->node) {
        if (!cli_select(&request->common, model, CLI_NODE, request->node, &index))
            return CLI_FAILED;
        instance = instance_at(model, index);
        if (instance < 0)
            return cli_fail(
                label, "/nodes", "node %s draws no mesh",
                cli_item(model->skeleton.file_from_node[index], model->skeleton.labels[index])
                    .text);
    } else if (request->mesh) {
        if (!cli_select(&request->common, model, CLI_MESH, request->mesh, &index))
            return CLI_FAILED;
        instance = best_instance(model, index);
        if (instance < 0)
            return cli_fail(label, "/meshes", "no node draws mesh %s, so nothing moves it",
                            cli_item(index, model->meshes[index].name).text);
    } else {
        instance = best_instance(model, -1);
        if (instance < 0) return cli_fail(label, NULL, "the file draws no mesh");
    }
    of->instance = (uint32_t)instance;
    return CLI_DONE;
}

static int choose_vertex(explanation *of, const explain_request *request) {
    uint32_t mesh_index = of->model->instances[of->instance].mesh;
    const bp_mesh *mesh = &of->model->meshes[mesh_index];
    cli_word place = cli_format("/meshes/%" PRIu32, mesh_index);
    if (request->primitive >= mesh->primitive_count)
        return cli_fail(of->request->label, place.text, "no primitive %" PRIu32 "; it has %s",
                        request->primitive,
                        cli_count_of(mesh->primitive_count, "primitive", "primitives").text);
    const bp_primitive *shape = &mesh->primitives[request->primitive];
    place = cli_format("%s/primitives/%" PRIu32, place.text, request->primitive);
    if (!shape->positions) return cli_fail(of->request->label, place.text, "has no positions");
    if (request->vertex >= shape->vertex_count)
        return cli_fail(of->request->label, place.text,
                        "no vertex %" PRIu32 "; it has %s, from 0 on", request->vertex,
                        cli_count_of(shape->vertex_count, "vertex", "vertices").text);
    of->primitive = request->primitive;
    of->shape = shape;
    of->vertex = request->vertex;
    return CLI_DONE;
}

/* ---- the arithmetic ------------------------------------------------------------------------- */

static bp_vec3 add_scaled(bp_vec3 sum, float factor, bp_vec3 vector) {
    return (bp_vec3){sum.x + factor * vector.x, sum.y + factor * vector.y,
                     sum.z + factor * vector.z};
}

float explain_distance(bp_vec3 a, bp_vec3 b) {
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return (float)sqrt(x * x + y * y + z * z);
}

static float length(bp_vec3 vector) {
    return explain_distance(vector, (bp_vec3){0, 0, 0});
}

static bp_vec3 vector_at(const float *array, uint32_t index) {
    const float *at = array + 3 * (size_t)index;
    return (bp_vec3){at[0], at[1], at[2]};
}

static void take_size(explanation *of, float size) {
    if (size > of->size) of->size = size;
}

static void take_matrix_size(explanation *of, const bp_mat34 *matrix) {
    take_size(of, length((bp_vec3){matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]}));
}

/* |matrix| * |point| and the translation: what is added up when the matrix moves the point. */
static void take_reach(double reach[3], const bp_mat34 *matrix) {
    double sums[3];
    for (int row = 0; row < 3; row++) {
        const float *m = matrix->m[row];
        sums[row] = fabs(m[0]) * reach[0] + fabs(m[1]) * reach[1] + fabs(m[2]) * reach[2];
        sums[row] += fabs(m[3]);
    }
    for (int row = 0; row < 3; row++)
        reach[row] = sums[row];
}

/* The same of the vertex in the mesh, where morph targets are added. */
static void start_reach(double reach[3], const explanation *of) {
    const float rest[3] = {of->rest.x, of->rest.y, of->rest.z};
    for (int i = 0; i < 3; i++)
        reach[i] = fabs(rest[i]);
    for (uint32_t i = 0; i < of->target_count; i++) {
        bp_vec3 delta = of->targets[i].delta;
        reach[0] += fabs((double)of->targets[i].weight * delta.x);
        reach[1] += fabs((double)of->targets[i].weight * delta.y);
        reach[2] += fabs((double)of->targets[i].weight * delta.z);
    }
}

static double largest(const double reach[3]) {
    return fmax(reach[0], fmax(reach[1], reach[2]));
}

/* Morph targets come before the skin. */
static void morph(explanation *of, const float *weights, uint32_t weight_count) {
    const bp_primitive *shape = of->shape;
    of->rest = of->morphed = vector_at(shape->positions, of->vertex);
    of->targets = cli_allocate(shape->target_count, sizeof *of->targets);
    for (uint32_t i = 0; i < shape->target_count && i < weight_count; i++) {
        if (!shape->targets[i].positions || weights[i] == 0) continue;
        bp_vec3 delta = vector_at(shape->targets[i].positions, of->vertex);
        if (length(delta) == 0) continue;
        of->targets[of->target_count++] = (explain_target){i, weights[i], delta};
        of->morphed = add_scaled(of->morphed, weights[i], delta);
    }
    take_size(of, length(of->rest));
    take_size(of, length(of->morphed));
}

static void add_term(explanation *of, const bp_mat34 *palette, const bp_mat34 *globals,
                     uint32_t joint, float weight) {
    bp_vec3 v = of->morphed;
    explain_term *term = &of->terms[of->term_count++];
    term->joint = joint;
    term->node = of->skin->joints[joint];
    term->weight = weight;
    term->joint_from_mesh = of->skin->joint_from_mesh[joint];
    term->global_from_joint = globals[term->node];
    term->matrix = palette[joint];
    term->in_joint = bp_mat34_point(&term->joint_from_mesh, v);
    term->moved = bp_mat34_point(&term->global_from_joint, term->in_joint);
    term->weighted = add_scaled((bp_vec3){0, 0, 0}, weight, term->moved);
    of->weight_sum += weight;
    of->posed = add_scaled(of->posed, weight, term->moved);
    of->without_bind =
        add_scaled(of->without_bind, weight, bp_mat34_point(&term->global_from_joint, v));
    double reach[3];
    start_reach(reach, of);
    take_reach(reach, &term->joint_from_mesh);
    take_reach(reach, &term->global_from_joint);
    of->reach += fabs(weight) * largest(reach);
    bp_mat34 bind;
    if (!bp_skin_bind_transform(&bind, of->skin, joint)) of->bind_known = false;
    of->bound = add_scaled(of->bound, weight, bp_mat34_point(&bind, term->in_joint));
    take_matrix_size(of, &term->joint_from_mesh);
    take_matrix_size(of, &term->global_from_joint);
    take_matrix_size(of, &term->matrix);
    take_size(of, length(term->in_joint));
    take_size(of, length(term->moved));
}

static void skin_vertex(explanation *of, const bp_mat34 *palette, const bp_pose *pose) {
    const bp_primitive *shape = of->shape;
    const bp_mat34 *globals = bp_pose_globals(pose);
    size_t first = (size_t)of->vertex * shape->influence_count;
    of->bind_known = true;
    of->bound_at = bp_mat34_point(&of->skin->bind_shape, of->morphed);
    of->terms = cli_allocate(shape->influence_count, sizeof *of->terms);
    for (uint32_t i = 0; i < shape->influence_count; i++)
        if (shape->weights[first + i] != 0)
            add_term(of, palette, globals, shape->joints[first + i], shape->weights[first + i]);
}

static void move_rigidly(explanation *of, const bp_pose *pose) {
    const bp_instance *instance = &of->model->instances[of->instance];
    of->global_from_mesh = bp_pose_globals(pose)[instance->node];
    of->posed = bp_mat34_point(&of->global_from_mesh, of->morphed);
    take_matrix_size(of, &of->global_from_mesh);
    take_size(of, length(of->posed));
    double reach[3];
    start_reach(reach, of);
    take_reach(reach, &of->global_from_mesh);
    of->reach = largest(reach);
    of->why_rigid = instance->skin < 0 && of->shape->influence_count > 0
                        ? "it has joints and weights, but its node has no skin to give them "
                          "meaning"
                    : instance->skin >= 0 ? "its node has a skin, but it has no joints and weights"
                                          : "it has no skin";
}

/* Holds the steps to the library's own result; differences can be of rounding only. */
static int compare_with_library(explanation *of, const bp_mat34 *palette, const float *weights,
                                uint32_t weight_count) {
    float position[3];
    const bp_skinning_job job = {
        .primitive = of->shape,
        .palette = of->skin ? palette : &of->global_from_mesh,
        .rigid = !of->skin,
        .morph_weights = weights,
        .morph_weight_count = weight_count,
        .positions = position,
        .output_first = of->vertex,
    };
    bp_skinning_run_range(&job, of->vertex, 1);
    of->run = (bp_vec3){position[0], position[1], position[2]};
    float difference = explain_distance(of->posed, of->run);
    if (!isfinite(length(of->run)) || !isfinite(difference))
        return cli_fail(of->request->label, NULL,
                        "the vertex is posed beyond what a float holds; "
                        "the transforms that move it are too large");
    of->agrees = difference <= 1e-5 * of->reach;
    return CLI_DONE;
}

static int compute(explanation *of, bp_pose *pose) {
    const bp_instance *instance = &of->model->instances[of->instance];
    bp_clip_sample(pose, of->clip, of->time);
    bp_pose_update(pose);
    uint32_t weight_count;
    const float *weights = bp_model_instance_weights(of->model, pose, of->instance, &weight_count);
    morph(of, weights, weight_count);
    bp_mat34 *palette = NULL;
    if (instance->skin >= 0 && of->shape->influence_count > 0) {
        of->skin = &of->model->skins[instance->skin];
        palette = cli_allocate(of->skin->joint_count, sizeof *palette);
        bp_palette_build(palette, of->skin, pose);
        skin_vertex(of, palette, pose);
    } else {
        move_rigidly(of, pose);
    }
    int status = compare_with_library(of, palette, weights, weight_count);
    free(palette);
    return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static int write_explanation(const explanation *of, bool json) {
    cli_output *output = cli_output_open(NULL);
    if (json)
        explain_write_json(output, of);
    else
        explain_write_text(output, of);
    int status = cli_output_finish(output);
    return status == CLI_DONE && !of->agrees ? CLI_NOT_HELD : status;
}

static int explain_model(const explain_request *request, const bp_model *model) {
    explanation of = {.request = &request->common, .model = model, .time = (float)request->time};
    uint32_t clip = 0;
    if (request->clip && !cli_select(&request->common, model, CLI_CLIP, request->clip, &clip))
        return CLI_FAILED;
    if (request->clip) of.clip = &model->clips[clip];
    int status = choose_instance(&of, request);
    if (status == CLI_DONE) status = choose_vertex(&of, request);
    if (status != CLI_DONE) return status;

    bp_pose *pose = cli_pose_create(model);
    status = compute(&of, pose);
    if (status == CLI_DONE) status = write_explanation(&of, request->json);
    bp_pose_destroy(pose);
    free(of.targets);
    free(of.terms);
    return status;
}

static int run(const cli_command *command, int argc, char **argv) {
    explain_request request = {.common.command = command};
    int status = read_request(&request, argc, argv);
    if (status != CLI_DONE || !request.common.file) return status;
    bp_model *model = cli_model_load(&request.common);
    if (!model) return CLI_FAILED;
    cli_model_warn(&request.common, model);
    status = explain_model(&request, model);
    bp_model_destroy(model);
    return status;
}

const cli_command cli_command_explain = {
    .name = "explain",
    .summary = "how one vertex gets where it is, step by step",
    .help = help,
    .examples = "explain assets/arm.glb --vertex 0 --clip bend --time 1\n",
    .run = run,
};
