// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Clips, nodes and meshes by index or by name.
 *
 * A number is an index first; only a number that is no index may still be a name. A name that
 * several carry is an error that lists their indices, a name that none carries one that lists what
 * there is.
 */

#include "cli.h"

#include <stdio.h>
#include <string.h>

enum { LISTED = 8 };

/* Value. What there is to choose from. */
typedef struct choice {
    const char *one, *many; /* "clip", "clips" */
    const char *pointer;    /* where they stand in the file */
    uint32_t count;
} choice;

static choice choice_of(const bp_model *model, cli_kind kind) {
    switch (kind) {
    case CLI_CLIP: return (choice){"clip", "clips", "/animations", model->clip_count};
    case CLI_NODE: return (choice){"node", "nodes", "/nodes", model->skeleton.node_count};
    case CLI_MESH: break;
    }
    return (choice){"mesh", "meshes", "/meshes", model->mesh_count};
}

/* The name of the file's item `index`. */
static const char *name_of(const bp_model *model, cli_kind kind, uint32_t index) {
    switch (kind) {
    case CLI_CLIP: return model->clips[index].name;
    case CLI_NODE: return model->skeleton.labels[model->skeleton.node_from_file[index]];
    case CLI_MESH: break;
    }
    return model->meshes[index].name;
}

/* Value. A list in words, "1, 4 and 7", that stops growing after LISTED items. */
typedef struct listing {
    char text[2048];
    size_t length;
    uint32_t items;
} listing;

static void list_item(listing *list, const char *item, uint32_t count) {
    if (list->items++ >= LISTED) return;
    bool last = list->items == count;
    const char *joint = list->items == 1 ? "" : last ? " and " : ", ";
    int length =
        snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s", joint, item);
    size_t room = sizeof list->text - 1 - list->length;
    list->length += (size_t)length < room ? (size_t)length : room;
}

static void list_end(listing *list, uint32_t count) {
    if (count <= LISTED) return;
    snprintf(list->text + list->length, sizeof list->text - list->length, " and %s more",
             cli_count(count - LISTED).text);
}

static void refuse_ambiguous(const cli_request *request, const bp_model *model, cli_kind kind,
                             const char *text, uint32_t matches) {
    choice from = choice_of(model, kind);
    listing list = {.length = 0};
    for (uint32_t i = 0; i < from.count && list.items <= LISTED; i++) {
        char index[16];
        snprintf(index, sizeof index, "%u", (unsigned)i);
        if (strcmp(name_of(model, kind, i), text) == 0) list_item(&list, index, matches);
    }
    list_end(&list, matches);
    cli_fail(request->label, from.pointer, "%s are named %s: %s; choose one by its index",
             cli_count_of(matches, from.one, from.many).text, cli_quote(text).text, list.text);
}

static void refuse_unknown(const cli_request *request, const bp_model *model, cli_kind kind,
                           const char *text) {
    choice from = choice_of(model, kind);
    if (from.count == 0) {
        cli_fail(request->label, NULL, "no %s %s; the file has no %s", from.one,
                 cli_quote(text).text, from.many);
        return;
    }
    listing list = {.length = 0};
    for (uint32_t i = 0; i < from.count && i <= LISTED; i++)
        list_item(&list, cli_item(i, name_of(model, kind, i)).text, from.count);
    list_end(&list, from.count);
    cli_fail(request->label, from.pointer, "no %s %s; there %s %s", from.one, cli_quote(text).text,
             from.count == 1 ? "is only" : "are", list.text);
}

bool cli_select(const cli_request *request, const bp_model *model, cli_kind kind, const char *text,
                uint32_t *index) {
    choice from = choice_of(model, kind);
    uint64_t number;
    uint32_t found = 0, matches = 0;
    if (from.count > 0 && cli_parse_count(text, from.count - 1, &number)) {
        found = (uint32_t)number;
        matches = 1;
    } else if (*text) {
        for (uint32_t i = from.count; i-- > 0;) {
            if (strcmp(name_of(model, kind, i), text) != 0) continue;
            found = i;
            matches++;
        }
    }
    if (matches == 0) refuse_unknown(request, model, kind, text);
    if (matches > 1) refuse_ambiguous(request, model, kind, text, matches);
    *index = kind == CLI_NODE && matches == 1 ? model->skeleton.node_from_file[found] : found;
    return matches == 1;
}
