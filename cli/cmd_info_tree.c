// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * `info --tree`: the hierarchy of nodes.
 *
 * Files can nest nodes as deep as they like, so nothing here recurses, and below DEEPEST levels the
 * lines no longer move to the right but tell their depth.
 */

#include "cmd_info.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DEEPEST = 24, NOWHERE = -1 };

/* State. Nodes by their indices in the file, in the order in which the tree shows them. */
typedef struct tree {
    const bp_model *model;
    int64_t *first_child;  /* [node_count + 1]; the last entry is for the roots */
    int64_t *next_sibling; /* [node_count] */
    uint32_t *joint_count; /* [node_count] how often the node is a joint */
    uint32_t *joint_skin;  /* [node_count] of which skin first, valid if it is a joint */
    uint32_t *joint_index; /* [node_count] and which joint there */
    int64_t *instance;     /* [node_count] its instance, or NOWHERE */
} tree;

static void link_nodes(tree *of) {
    const bp_skeleton *skeleton = &of->model->skeleton;
    uint32_t count = skeleton->node_count;
    for (uint32_t i = 0; i <= count; i++)
        of->first_child[i] = NOWHERE;
    for (uint32_t i = count; i-- > 0;) { /* last first, as each goes before those after it */
        int64_t parent = info_file_node(of->model, skeleton->parents[skeleton->node_from_file[i]]);
        int64_t *first = &of->first_child[parent < 0 ? count : parent];
        of->next_sibling[i] = *first;
        *first = i;
        of->instance[i] = NOWHERE;
    }
}

static void mark_nodes(tree *of) {
    const bp_model *model = of->model;
    for (uint32_t s = model->skin_count; s-- > 0;) {
        for (uint32_t j = model->skins[s].joint_count; j-- > 0;) {
            uint32_t node = model->skeleton.file_from_node[model->skins[s].joints[j]];
            of->joint_count[node]++;
            of->joint_skin[node] = s;
            of->joint_index[node] = j;
        }
    }
    for (uint32_t i = 0; i < model->instance_count; i++)
        of->instance[model->skeleton.file_from_node[model->instances[i].node]] = i;
}

static void write_marks(cli_output *output, const tree *of, int64_t node) {
    const bp_model *model = of->model;
    if (of->joint_count[node] > 0) {
        cli_output_format(output, "  joint %" PRIu32, of->joint_index[node]);
        if (model->skin_count > 1)
            cli_output_format(output, " of skin %" PRIu32, of->joint_skin[node]);
        if (of->joint_count[node] > 1)
            cli_output_format(output, " (and %" PRIu32 " more)", of->joint_count[node] - 1);
    }
    if (of->instance[node] == NOWHERE) return;
    const bp_instance *instance = &model->instances[of->instance[node]];
    cli_output_format(output, "  mesh %s",
                      cli_item(instance->mesh, model->meshes[instance->mesh].name).text);
    if (instance->skin >= 0) cli_output_format(output, ", skin %" PRId32, instance->skin);
    if (instance->copy_count > 0)
        cli_output_format(output, ", %s",
                          cli_count_of(instance->copy_count, "copy", "copies").text);
}

/* `ends[d]`: the node at depth d on the way here has no sibling after it. */
static void write_node(cli_output *output, const tree *of, int64_t node, uint32_t depth,
                       const bool *ends) {
    uint32_t shown = depth < DEEPEST ? depth : DEEPEST;
    for (uint32_t d = 0; d < shown; d++)
        cli_output_text(output, ends[d] ? "   " : "│  ");
    bool last = of->next_sibling[node] == NOWHERE;
    cli_output_text(output, last ? "└─ " : "├─ ");
    if (depth > DEEPEST) cli_output_format(output, "[depth %" PRIu32 "] ", depth);
    const bp_skeleton *skeleton = &of->model->skeleton;
    uint32_t index = (uint32_t)node;
    cli_output_text(output,
                    cli_item(index, skeleton->labels[skeleton->node_from_file[index]]).text);
    write_marks(output, of, node);
    cli_output_text(output, "\n");
}

static void write_all(cli_output *output, const tree *of) {
    const bp_skeleton *skeleton = &of->model->skeleton;
    bool ends[DEEPEST + 1] = {false};
    uint32_t depth = 0;
    int64_t node = of->first_child[skeleton->node_count];
    while (node != NOWHERE) {
        write_node(output, of, node, depth, ends);
        if (depth <= DEEPEST) ends[depth] = of->next_sibling[node] == NOWHERE;
        if (of->first_child[node] != NOWHERE) {
            node = of->first_child[node];
            depth++;
            continue;
        }
        while (node >= 0 && of->next_sibling[node] == NOWHERE) {
            uint32_t here = skeleton->node_from_file[node];
            node = info_file_node(of->model, skeleton->parents[here]);
            depth--;
        }
        if (node >= 0) node = of->next_sibling[node];
    }
}

void info_write_tree(cli_output *output, const info_report *report) {
    uint32_t count = report->model->skeleton.node_count;
    tree of = {
        .model = report->model,
        .first_child = cli_allocate((size_t)count + 1, sizeof *of.first_child),
        .next_sibling = cli_allocate(count, sizeof *of.next_sibling),
        .joint_count = cli_allocate(count, sizeof *of.joint_count),
        .joint_skin = cli_allocate(count, sizeof *of.joint_skin),
        .joint_index = cli_allocate(count, sizeof *of.joint_index),
        .instance = cli_allocate(count, sizeof *of.instance),
    };
    link_nodes(&of);
    mark_nodes(&of);
    cli_output_clean(output, report->request->label);
    cli_output_format(output, ": %s\n", cli_count_of(count, "node", "nodes").text);
    write_all(output, &of);
    free(of.first_child);
    free(of.next_sibling);
    free(of.joint_count);
    free(of.joint_skin);
    free(of.joint_index);
    free(of.instance);
}
