// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * One primitive, filled: accessors are decoded into the streams of the model's block, and the rules
 * on values are checked.
 */
#include "gltf/gltf_reader.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What is not finite becomes 0: one bad normal is no reason to refuse a model. */
static void clear_not_finite(bpi_gltf_reader *reader, bp_json place, float *values, size_t count,
                             uint32_t width) {
    if (bpi_floats_finite(values, count)) return;
    uint32_t bad = 0;
    size_t first = 0;
    for (size_t i = 0; i < count; ++i) {
        if (isfinite(values[i])) continue;
        if (bad++ == 0) first = i;
        values[i] = 0.0f;
    }
    bpi_warn(&reader->report, reader->document, place, BP_RULE_ACCESSOR_INVALID_FLOAT, bad,
             "numbers that are not finite, the first in element %zu; read as 0", first / width);
}

static void fill_stream(bpi_gltf_reader *reader, const bpi_gltf_source *source, float *values,
                        uint32_t width) {
    if (!source->exists || !values) return;
    const bp_accessor *accessor = &source->accessor;
    size_t count = accessor->count;
    bp_accessor_read_floats(accessor, values, width);
    if (accessor->component_count < width) /* COLOR_0 without alpha */
        for (size_t i = 0; i < count; ++i)
            values[width * i + width - 1] = 1.0f;
    clear_not_finite(reader, source->place, values, count * width, width);
}

/* Joint indices of one set into every `stride`-th group of four. */
static bool fill_joints(bpi_gltf_reader *reader, const bp_accessor *accessor, uint16_t *joints,
                        uint32_t stride) {
    size_t count = accessor->count;
    if (accessor->data && accessor->sparse_count == 0) {
        const unsigned char *element = accessor->data;
        if (accessor->component_type == BP_COMPONENT_U8)
            for (size_t i = 0; i < count; ++i, element += accessor->stride, joints += stride)
                for (int k = 0; k < 4; ++k)
                    joints[k] = element[k];
        else
            for (size_t i = 0; i < count; ++i, element += accessor->stride, joints += stride)
                memcpy(joints, element, 4 * sizeof *joints);
        return true;
    }
    uint32_t *wide = bpi_memory_take(&reader->memory, 4 * count * sizeof *wide);
    if (!wide) return bpi_gltf_out_of_memory(reader);
    bp_accessor_read_integers(accessor, wide, 0);
    for (size_t i = 0; i < count; ++i, joints += stride)
        for (int k = 0; k < 4; ++k)
            joints[k] = (uint16_t)wide[4 * i + k];
    bpi_memory_give(&reader->memory, wide, 4 * count * sizeof *wide);
    return true;
}

static void warn_of_influences(bpi_gltf_reader *reader, const bpi_gltf_primitive_plan *plan,
                               const bp_influence_report *found) {
    const bp_document *document = reader->document;
    bp_json joints = plan->joints[0].place, weights = plan->weights[0].place;
    if (found->out_of_range > 0)
        bpi_warn(
            &reader->report, document, joints, BP_RULE_ACCESSOR_JOINTS_INDEX_OOB,
            found->out_of_range,
            "influences on joints that the skin does not have (it has %u), the first at vertex "
            "%u; left out",
            plan->shape.joint_count, found->first_out_of_range);
    if (found->duplicate > 0)
        bpi_warn(&reader->report, document, joints, BP_RULE_ACCESSOR_JOINTS_INDEX_DUPLICATE,
                 found->duplicate,
                 "vertices that name a joint twice, the first is %u; the weights "
                 "add up",
                 found->first_duplicate);
    if (found->negative > 0)
        bpi_warn(&reader->report, document, weights, BP_RULE_ACCESSOR_WEIGHTS_NEGATIVE,
                 found->negative, "negative weights, the first at vertex %u; %s",
                 found->first_negative, reader->options->keep_raw_weights ? "kept" : "read as 0");
    if (found->not_normalized > 0)
        bpi_warn(&reader->report, document, weights, BP_RULE_ACCESSOR_WEIGHTS_NON_NORMALIZED,
                 found->not_normalized,
                 "vertices whose weights do not sum to 1, the first is %u, the worst sum %.6g; %s",
                 found->first_not_normalized, (double)found->worst_sum,
                 reader->options->keep_raw_weights ? "kept" : "divided by their sum");
    if (found->all_zero > 0)
        bpi_warn(&reader->report, document, weights, BP_RULE_ACCESSOR_WEIGHTS_ALL_ZERO,
                 found->all_zero,
                 "vertices without weight, the first is %u; they follow their first joint",
                 found->first_all_zero);
}

static bool fill_influences(bpi_gltf_reader *reader, const bpi_gltf_primitive_plan *plan,
                            const bpi_primitive_streams *streams) {
    uint32_t stride = plan->shape.influence_count;
    if (stride == 0) return true;
    for (uint32_t set = 0; set < plan->set_count; ++set) {
        const bp_accessor *weights = &plan->weights[set].accessor;
        if (!fill_joints(reader, &plan->joints[set].accessor, streams->joints + 4 * set, stride))
            return false;
        bp_accessor_read_floats(weights, streams->weights + 4 * set, stride);
    }
    size_t count = (size_t)plan->shape.vertex_count * stride;
    clear_not_finite(reader, plan->weights[0].place, streams->weights, count, stride);
    bp_influence_report found;
    bp_influences_clean(streams->joints, streams->weights, plan->shape.vertex_count, stride,
                        plan->shape.joint_count, reader->options->keep_raw_weights, &found);
    warn_of_influences(reader, plan, &found);
    return true;
}

/* Of at least one number. Two by two, so that one comparison need not wait for the other. */
static uint32_t greatest_of(const uint32_t *numbers, size_t count) {
    uint32_t even = numbers[0], odd = numbers[count - 1];
    for (size_t i = 0; i + 1 < count; i += 2) {
        even = numbers[i] > even ? numbers[i] : even;
        odd = numbers[i + 1] > odd ? numbers[i + 1] : odd;
    }
    return even > odd ? even : odd;
}

static bool fill_indices(bpi_gltf_reader *reader, const bpi_gltf_primitive_plan *plan,
                         uint32_t *indices) {
    static const uint32_t restart[] = {0xFF, 0xFFFF, 0xFFFFFFFF};
    const bp_accessor *accessor = &plan->indices.accessor;
    if (plan->shape.index_count == 0) return true;
    bp_accessor_read_integers(accessor, indices, 0);
    if (greatest_of(indices, accessor->count) < plan->shape.vertex_count) return true;

    uint32_t first = 0;
    while (indices[first] < plan->shape.vertex_count)
        ++first;
    int size = accessor->component_type == BP_COMPONENT_U8    ? 0
               : accessor->component_type == BP_COMPONENT_U16 ? 1
                                                              : 2;
    bool is_restart = indices[first] == restart[size];
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, plan->indices.place,
                           is_restart ? BP_RULE_ACCESSOR_INDEX_PRIMITIVE_RESTART
                                      : BP_RULE_ACCESSOR_INDEX_OOB,
                           "index %u is vertex %u, but there are %u vertices", first,
                           indices[first], plan->shape.vertex_count);
}

static void fill_targets(bpi_gltf_reader *reader, const bpi_gltf_primitive_plan *plan,
                         const bp_primitive *primitive) {
    for (uint32_t i = 0; i < plan->shape.target_count; ++i) {
        const bpi_gltf_source *sources = plan->targets[i].streams;
        bpi_target_streams target = bpi_target_streams_of(primitive, i);
        fill_stream(reader, &sources[BPI_GLTF_POSITION], target.positions, 3);
        fill_stream(reader, &sources[BPI_GLTF_NORMAL], target.normals, 3);
        fill_stream(reader, &sources[BPI_GLTF_TANGENT], target.tangents, 3);
    }
}

bool bpi_gltf_fill_primitive(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan,
                             bp_primitive *primitive) {
    if (!bpi_gltf_decode_draco(reader, plan)) return false;
    bpi_primitive_streams streams = bpi_primitive_streams_of(primitive);
    fill_stream(reader, &plan->streams[BPI_GLTF_POSITION], streams.positions, 3);
    fill_stream(reader, &plan->streams[BPI_GLTF_NORMAL], streams.normals, 3);
    fill_stream(reader, &plan->streams[BPI_GLTF_TANGENT], streams.tangents, 4);
    fill_stream(reader, &plan->streams[BPI_GLTF_TEXCOORD_0], streams.texcoords, 2);
    fill_stream(reader, &plan->streams[BPI_GLTF_TEXCOORD_1], streams.texcoords1, 2);
    fill_stream(reader, &plan->streams[BPI_GLTF_COLOR_0], streams.colors, 4);
    fill_targets(reader, plan, primitive);
    bool filled =
        fill_influences(reader, plan, &streams) && fill_indices(reader, plan, streams.indices);
    bpi_gltf_release_draco(reader, plan);
    if (filled) bpi_primitive_finish(primitive);
    return filled;
}
