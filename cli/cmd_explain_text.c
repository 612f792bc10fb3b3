// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `explain` for eyes. Numbers have six significant digits, and what is rounding only (a millionth
 * of the numbers around it) is shown as 0.
 */

#include "cmd_explain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------------------------- */

static cli_word tidy(double number, double size) {
    return cli_number(fabs(number) <= 1e-6 * size ? 0 : number);
}

/* (1, 2, 3) */
static cli_word vector(const explanation *of, bp_vec3 v) {
    return cli_format("(%s, %s, %s)", tidy(v.x, of->size).text, tidy(v.y, of->size).text,
                      tidy(v.z, of->size).text);
}

static cli_word metres(const explanation *of, bp_vec3 a, bp_vec3 b) {
    return cli_format("%s m", tidy(explain_distance(a, b), of->size).text);
}

static double linear_size(const bp_mat34 *matrix) {
    double size = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (fabs(matrix->m[row][column]) > size) size = fabs(matrix->m[row][column]);
    return size;
}

/* A matrix in aligned columns. */
static void write_matrix(cli_output *output, const explanation *of, const bp_mat34 *matrix) {
    cli_word cells[3][4];
    size_t widths[4] = {0};
    double size = linear_size(matrix);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            cells[row][column] = tidy(matrix->m[row][column], column < 3 ? size : of->size);
            size_t width = strlen(cells[row][column].text);
            if (width > widths[column]) widths[column] = width;
        }
    }
    for (int row = 0; row < 3; row++) {
        cli_output_text(output, "    [");
        for (int column = 0; column < 4; column++)
            cli_output_format(output, "%s%*s", column ? "  " : " ", (int)widths[column],
                              cells[row][column].text);
        cli_output_text(output, " ]\n");
    }
}

/* "    joint matrix · (5, 0, 0) = (2, 3, 0)", and a remark */
static void write_product(cli_output *output, const explanation *of, const char *factor,
                          bp_vec3 from, bp_vec3 to, const char *remark) {
    cli_output_format(output, "    %s · %s = %s%s\n", factor, vector(of, from).text,
                      vector(of, to).text, remark);
}

/* ---- the parts ------------------------------------------------------------------------------ */

static void write_head(cli_output *output, const explanation *of) {
    const bp_model *model = of->model;
    const bp_instance *instance = &model->instances[of->instance];
    const bp_mesh *mesh = &model->meshes[instance->mesh];
    uint32_t node = model->skeleton.file_from_node[instance->node];
    cli_output_clean(output, of->request->label);
    cli_output_format(output, "\n  vertex   %" PRIu32 "\n  mesh     %s", of->vertex,
                      cli_item(instance->mesh, mesh->name).text);
    if (mesh->primitive_count > 1) cli_output_format(output, ", primitive %" PRIu32, of->primitive);
    cli_output_format(output, "\n  node     %s\n",
                      cli_item(node, model->skeleton.labels[instance->node]).text);
    if (of->skin)
        cli_output_format(output, "  skin     %s\n",
                          cli_item((uint32_t)instance->skin, of->skin->name).text);
    if (of->clip)
        cli_output_format(output, "  pose     clip %s at %s s\n",
                          cli_item((uint32_t)(of->clip - model->clips), of->clip->name).text,
                          cli_number(of->time).text);
    else
        cli_output_text(output, "  pose     at rest\n");
    if (instance->copy_count > 0)
        cli_output_format(output, "  copies   %s, each moved further; this is the node itself\n",
                          cli_count(instance->copy_count).text);
}

static void write_rest(cli_output *output, const explanation *of) {
    const bp_mesh *mesh = &of->model->meshes[of->model->instances[of->instance].mesh];
    cli_output_format(output, "\nin the mesh\n  v = %s\n", vector(of, of->rest).text);
    if (of->shape->target_count == 0) return;
    cli_output_text(output, "\nmorph targets, before the joints\n");
    for (uint32_t i = 0; i < of->target_count; i++) {
        const explain_target *target = &of->targets[i];
        const char *name = mesh->target_names ? mesh->target_names[target->index] : "";
        bp_vec3 adds = {target->weight * target->delta.x, target->weight * target->delta.y,
                        target->weight * target->delta.z};
        cli_output_format(output, "  target %s adds %s · %s = ", cli_item(target->index, name).text,
                          cli_number(target->weight).text, vector(of, target->delta).text);
        cli_output_format(output, "%s\n", vector(of, adds).text);
    }
    if (of->target_count == 0)
        cli_output_text(output, "  none of them moves this vertex here\n");
    else
        cli_output_format(output, "  v = %s\n", vector(of, of->morphed).text);
}

static void write_influences(cli_output *output, const explanation *of) {
    static const char *const columns[] = {"joint", "name", "node", "weight"};
    cli_output_text(output, "\ninfluences\n");
    cli_table table = cli_table_start("rlrr");
    for (size_t i = 0; i < table.columns; i++)
        cli_table_add(&table, columns[i]);
    for (uint32_t i = 0; i < of->term_count; i++) {
        const explain_term *term = &of->terms[i];
        const char *name = of->model->skeleton.labels[term->node];
        cli_table_add(&table, cli_count(term->joint).text);
        cli_table_add(&table, *name ? cli_quote(name).text : "-");
        cli_table_add(&table, cli_count(of->model->skeleton.file_from_node[term->node]).text);
        cli_table_add(&table, cli_number(term->weight).text);
    }
    cli_table_finish(&table, output);
    if (fabsf(of->weight_sum - 1) > 1e-4f)
        cli_output_format(output, "  the weights sum to %s, not to 1\n",
                          cli_number(of->weight_sum).text);
}

static void write_term(cli_output *output, const explanation *of, const explain_term *term) {
    const char *name = of->model->skeleton.labels[term->node];
    cli_word weight = cli_number(term->weight);
    cli_output_format(output, "\njoint %s, weight %s\n", cli_item(term->joint, name).text,
                      weight.text);

    cli_output_text(output, "\n  joint_from_mesh: ");
    cli_output_text(output, of->skin->has_inverse_bind_matrices
                                ? "the inverse bind matrix, undoes where the joint was bound\n"
                                : "the file has no inverse bind matrices, so the identity\n");
    write_matrix(output, of, &term->joint_from_mesh);
    write_product(output, of, "joint_from_mesh", of->morphed, term->in_joint,
                  "   in the joint's space");

    cli_output_text(output, "\n  global_from_joint: where the joint is now\n");
    write_matrix(output, of, &term->global_from_joint);
    write_product(output, of, "global_from_joint", term->in_joint, term->moved, "   in the scene");

    cli_output_text(output, "\n  joint matrix: both in one, global_from_joint · joint_from_mesh\n");
    write_matrix(output, of, &term->matrix);
    write_product(output, of, "joint matrix", of->morphed, term->moved, "");

    cli_output_text(output, "\n  times its weight\n");
    write_product(output, of, weight.text, term->moved, term->weighted, "");
}

static void write_sum(cli_output *output, const explanation *of) {
    cli_output_text(output, "\nsum\n");
    for (uint32_t i = 0; i < of->term_count && of->term_count > 1; i++)
        cli_output_format(output, "  %s %s\n", i ? "+" : " ",
                          vector(of, of->terms[i].weighted).text);
    cli_output_format(output, "  = %s", vector(of, of->posed).text);
    if (of->bind_known)
        cli_output_format(output, "   %s from the bind pose",
                          metres(of, of->posed, of->bound_at).text);
    cli_output_text(output, "\n");
}

static void write_bind_pose(cli_output *output, const explanation *of) {
    cli_output_text(output, "\nin the bind pose, with every joint where it was bound\n");
    if (!of->bind_known) {
        cli_output_text(output, "  not known: a joint_from_mesh above cannot be inverted\n");
        return;
    }
    bool unmoved = explain_distance(of->bound_at, of->morphed) <= 1e-6f * of->size;
    bool right = explain_distance(of->bound, of->bound_at) <= 1e-5f * of->size;
    cli_output_format(output, "  = %s   ", vector(of, of->bound).text);
    if (!right)
        cli_output_format(output, "%s off, %s\n", metres(of, of->bound, of->bound_at).text,
                          fabsf(of->weight_sum - 1) > 1e-4f ? "as the weights do not sum to 1"
                                                            : "by the rounding of numbers");
    else
        cli_output_text(output, unmoved ? "v itself, unmoved, as it should be\n"
                                        : "v moved by the bind shape matrix, as it should be\n");
}

static void write_without_bind(cli_output *output, const explanation *of) {
    if (!of->skin->has_inverse_bind_matrices) return;
    cli_output_text(output, "\nwithout inverse bind matrices, by global_from_joint alone\n");
    cli_output_format(output, "  = %s   %s off\n", vector(of, of->without_bind).text,
                      metres(of, of->without_bind, of->posed).text);
}

static void write_rigid(cli_output *output, const explanation *of) {
    cli_output_format(output, "\nmoved rigidly by its node: %s\n", of->why_rigid);
    cli_output_text(output, "\n  global_from_mesh: the node's global transform\n");
    write_matrix(output, of, &of->global_from_mesh);
    write_product(output, of, "global_from_mesh", of->morphed, of->posed, "   in the scene");
}

void explain_write_text(cli_output *output, const explanation *of) {
    write_head(output, of);
    write_rest(output, of);
    if (of->skin) {
        write_influences(output, of);
        for (uint32_t i = 0; i < of->term_count; i++)
            write_term(output, of, &of->terms[i]);
        write_sum(output, of);
        write_bind_pose(output, of);
        write_without_bind(output, of);
    } else {
        write_rigid(output, of);
    }
    if (of->agrees) return;
    cli_output_format(output,
                      "\nThe library poses this vertex at %s, %s away from the steps above:"
                      "\nthis is a fault of bindpose, please report it.\n",
                      vector(of, of->run).text, metres(of, of->run, of->posed).text);
}
