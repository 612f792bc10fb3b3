// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * From a document to a model: plan, measure, one allocation, fill.
 */
#include "clip/clip_plan.h"
#include "gltf/gltf_reader.h"

#include <assert.h>
#include <string.h>

static bool plan(bpi_gltf_reader *reader) {
    return bpi_gltf_plan_root(reader) && bpi_gltf_plan_nodes(reader) &&
           bpi_gltf_plan_scenes(reader) && bpi_gltf_plan_materials(reader) &&
           bpi_gltf_plan_skins(reader) && bpi_gltf_plan_meshes(reader) &&
           bpi_gltf_plan_instances(reader) && bpi_gltf_plan_influences(reader) &&
           bpi_gltf_plan_clips(reader);
}

/* Measures when the layout has no memory, else hands out the block. */
static bp_model *lay_out(bpi_gltf_reader *reader, bpi_layout *layout) {
    bp_model measured, *block = bpi_layout_take(layout, 1, sizeof *block);
    bp_model *model = block ? block : &measured;
    *model = (bp_model){0};
    bpi_gltf_lay_out_root(reader, layout, model);
    bpi_gltf_lay_out_nodes(reader, layout, model);
    bpi_gltf_lay_out_scenes(reader, layout, model);
    bpi_gltf_lay_out_skins(reader, layout, model);
    bpi_gltf_lay_out_instances(reader, layout, model);
    bpi_gltf_lay_out_meshes(reader, layout, model);
    bpi_gltf_lay_out_clips(reader, layout, model);
    bpi_gltf_lay_out_materials(reader, layout, model);
    return block;
}

static bool fill(bpi_gltf_reader *reader, bp_model *model) {
    return bpi_gltf_fill_nodes(reader) && bpi_gltf_fill_skins(reader, &model->skeleton) &&
           bpi_gltf_fill_instances(reader) && bpi_gltf_fill_meshes(reader) &&
           bpi_gltf_fill_clips(reader);
}

/*
 * Plans are made from keys that have been read, so they have a block of their own too. Channels may
 * share their keys in the file and in the model, but not in the plans: what these take is bounded
 * by the size of the model, so that small files do not make large plans.
 */
static bool plan_sampling(bpi_gltf_reader *reader, bp_model *model) {
    size_t most = reader->options->compact_clips ? 0 : model->memory_bytes;
    if (!bpi_clip_plan_build(reader->model_clips, model->clip_count, &model->skeleton, most,
                             &reader->memory))
        return bpi_gltf_out_of_memory(reader);
    model->memory_bytes += bpi_clip_plan_size(model->clips, model->clip_count);
    return true;
}

/* Warnings are known last, so they have a block of their own; without warnings there is none. */
static bool attach_warnings(bpi_gltf_reader *reader, bp_model *model) {
    size_t document_count;
    const bp_warning *of_document = bp_document_warnings(reader->document, &document_count);
    size_t count = document_count + reader->report.count;
    if (!bpi_report_finish(&reader->report, reader->document)) {
        reader->memory.limit_hit = reader->report.failure == BP_ERROR_LIMIT;
        return bpi_gltf_out_of_memory(reader);
    }
    if (count == 0) return true;
    bp_warning *all = bpi_gltf_take(reader, count, sizeof *all);
    if (!all) return false;
    if (document_count > 0) memcpy(all, of_document, document_count * sizeof *all);
    if (reader->report.count > 0)
        memcpy(all + document_count, reader->report.warnings, reader->report.count * sizeof *all);

    bpi_layout layout = {0};
    bpi_report_layout(all, count, &layout);
    void *block = layout.overflow ? NULL : bpi_block_create(&reader->memory, layout.size);
    if (!block) return bpi_gltf_out_of_memory(reader);
    layout = (bpi_layout){.base = block};
    model->warnings = bpi_report_layout(all, count, &layout);
    model->warning_count = (uint32_t)count;
    model->memory_bytes += bpi_block_size(block);
    assert((const void *)model->warnings == block);
    return true;
}

static bool build(bpi_gltf_reader *reader, bp_model **model) {
    if (!plan(reader)) return false;
    bpi_layout layout = {0};
    lay_out(reader, &layout);
    if (layout.overflow) reader->memory.limit_hit = true;
    void *block = layout.overflow ? NULL : bpi_block_create(&reader->memory, layout.size);
    if (!block) return bpi_gltf_out_of_memory(reader);
    size_t measured = layout.size;
    layout = (bpi_layout){.base = block};
    *model = lay_out(reader, &layout);
    assert(layout.size == measured);
    (void)measured;
    (*model)->memory_bytes = bpi_block_size(block);
    return fill(reader, *model) && plan_sampling(reader, *model) && attach_warnings(reader, *model);
}

static void release_temporaries(bpi_gltf_reader *reader) {
    for (uint32_t i = 0; reader->meshes && i < reader->counts[BPI_GLTF_MESHES]; ++i)
        for (uint32_t k = 0; reader->meshes[i].primitives && k < reader->meshes[i].primitive_count;
             ++k)
            bpi_gltf_release_draco(reader, &reader->meshes[i].primitives[k]);
    bpi_arena_release(&reader->arena);
}

bp_result bp_model_load_document(bp_model **model, const bp_document *document,
                                 const bp_load_options *options, bp_error *error) {
    assert(model && document);
    *model = NULL;
    bp_load_options complete = options ? *options : (bp_load_options){0};
    complete.limits = bpi_limits_complete(complete.limits);
    uint64_t held = bpi_document_memory_held(document), limit = complete.limits.memory_bytes;
    bpi_gltf_reader reader = {
        .document = document,
        .options = &complete,
        .memory = bpi_memory_make(&complete.allocator, held < limit ? limit - held : 1),
        .error = error,
        .default_scene = -1};
    reader.arena = bpi_arena_make(&reader.memory);
    reader.report = (bpi_report){.arena = &reader.arena};
    bool built = build(&reader, model);
    release_temporaries(&reader);
    if (built) return BP_OK;
    bp_model_destroy(*model);
    *model = NULL;
    assert(reader.result != BP_OK);
    return reader.result;
}

bp_result bp_model_load_file(bp_model **model, const char *path, const bp_load_options *options,
                             bp_error *error) {
    assert(model && path);
    *model = NULL;
    bp_document *document;
    bp_result result = bp_document_load_file(&document, path, options, error);
    if (result == BP_OK) result = bp_model_load_document(model, document, options, error);
    bp_document_destroy(document);
    return result;
}

bp_result bp_model_load_memory(bp_model **model, const void *bytes, size_t size,
                               const bp_load_options *options, bp_error *error) {
    assert(model && (bytes || size == 0));
    *model = NULL;
    bp_document *document;
    bp_result result = bp_document_load_memory(&document, bytes, size, options, error);
    if (result == BP_OK) result = bp_model_load_document(model, document, options, error);
    bp_document_destroy(document);
    return result;
}

void bp_model_destroy(bp_model *model) {
    if (!model) return;
    bpi_clip_plan_destroy(model->clips, model->clip_count);
    bpi_block_destroy(model->warnings);
    bpi_block_destroy(model);
}

const bp_clip *bp_model_find_clip(const bp_model *model, const char *name) {
    assert(model);
    for (uint32_t i = 0; name && *name && i < model->clip_count; ++i)
        if (strcmp(model->clips[i].name, name) == 0) return &model->clips[i];
    return NULL;
}

bool bp_model_is_skinned(const bp_model *model, uint32_t instance, uint32_t primitive) {
    assert(model && instance < model->instance_count);
    const bp_mesh *mesh = &model->meshes[model->instances[instance].mesh];
    assert(primitive < mesh->primitive_count);
    return model->instances[instance].skin >= 0 && mesh->primitives[primitive].influence_count > 0;
}

const float *bp_model_instance_weights(const bp_model *model, const bp_pose *pose,
                                       uint32_t instance, uint32_t *count) {
    assert(model && pose && instance < model->instance_count && count);
    const bp_skeleton *skeleton = bp_pose_skeleton(pose);
    uint32_t node = model->instances[instance].node, first = skeleton->weight_first[node];
    *count = skeleton->weight_first[node + 1] - first;
    return *count > 0 ? bp_pose_weights(pose) + first : NULL;
}
