// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Animations become clips. An accessor that many samplers use is decoded once, and channels that
 * share it share the pointer: that is how a clip knows that their times are the same.
 */
#include "gltf/gltf_reader.h"

#include "clip/clip_key.h"

#include <assert.h>
#include <string.h>

/* Marks of a node: translation, rotation, scale; all weights together, any of them. */
enum { NODE_MARKS = 5 };

/* Where it is noted which weights of a node or of a mesh a clip animates. */
typedef struct weight_marks {
    uint32_t *all, *any;
    uint32_t *each; /* [weights] */
} weight_marks;

/* The nodes that take their weights from a mesh, in file order. */
typedef struct mesh_users {
    int32_t first; /* or -1 */
    weight_marks marks;
} mesh_users;

/* The elements of a JSON array. */
typedef struct element_list {
    bp_json *elements; /* [count] */
    uint32_t count, capacity;
} element_list;

/* The members of a sampler that many channels may use. */
typedef struct sampler_parts {
    bp_json input, interpolation, output;
    bool known;
} sampler_parts;

/* What the samplers and channels of one animation are checked against. */
typedef struct clip_context {
    bpi_gltf_clip_plan *clip;
    element_list samplers, channels;
    sampler_parts *parts;   /* [samplers] */
    uint32_t serial;        /* marks targets of this clip */
    uint32_t *node_marks;   /* [NODE_MARKS * nodes] */
    uint32_t *weight_marks; /* [weights of all nodes] */
    uint32_t *weight_first; /* [nodes] in file order */
    mesh_users *users;      /* [meshes] */
    int32_t *next_user;     /* [nodes] the next one of the same mesh, or -1 */
} clip_context;

/* Keeps what decoding needs. */
static bool keep_accessor(bpi_gltf_reader *reader, bpi_gltf_curve *curve,
                          const bp_accessor *accessor) {
    *curve = (bpi_gltf_curve){.from.data = accessor->data,
                              .count = accessor->count,
                              .stride = (uint32_t)accessor->stride,
                              .component_type = (uint16_t)accessor->component_type,
                              .element_type = (uint8_t)accessor->element_type,
                              .component_count = (uint8_t)accessor->component_count,
                              .normalized = accessor->normalized,
                              .is_sparse = accessor->sparse_count > 0,
                              .used = true};
    assert(curve->stride == accessor->stride);
    if (!curve->is_sparse) return true;
    bp_accessor *whole = bpi_gltf_take(reader, 1, sizeof *whole);
    if (!whole) return false;
    *whole = *accessor;
    curve->from.whole = whole;
    return true;
}

/* The accessor that was kept, but for its place. */
static bp_accessor kept_accessor(const bpi_gltf_curve *curve) {
    bp_accessor accessor = {.component_type = (bp_component_type)curve->component_type,
                            .element_type = (bp_element_type)curve->element_type,
                            .count = curve->count,
                            .component_count = curve->component_count,
                            .data = curve->from.data,
                            .stride = curve->stride};
    if (curve->is_sparse) accessor = *curve->from.whole;
    accessor.normalized = curve->normalized;
    return accessor;
}

/* An accessor as a curve: floats, decoded once. */
static bool use_curve(bpi_gltf_reader *reader, bp_json value, uint32_t index, bool is_time,
                      bpi_gltf_curve **curve) {
    *curve = &reader->curves[index];
    if (!(*curve)->used) {
        bp_accessor accessor;
        if (!bpi_gltf_resolve_accessor(reader, index, value, &accessor) ||
            !keep_accessor(reader, *curve, &accessor))
            return false;
    }
    if (is_time) (*curve)->is_time = true;
    return true;
}

static bool read_interpolation(bpi_gltf_reader *reader, bp_json value,
                               bpi_gltf_channel_plan *channel) {
    static const bpi_json_name names[] = {[BP_INTERPOLATION_STEP] = BPI_NAME("STEP"),
                                          [BP_INTERPOLATION_LINEAR] = BPI_NAME("LINEAR"),
                                          [BP_INTERPOLATION_CUBICSPLINE] = BPI_NAME("CUBICSPLINE")};
    channel->interpolation = BP_INTERPOLATION_LINEAR;
    if (value == BP_JSON_NONE) return true;
    if (!bpi_gltf_expect(reader, value, BP_JSON_STRING)) return false;
    uint32_t found = bpi_json_choose(reader->document, value, names, 3);
    if (found < 3)
        channel->interpolation = (uint8_t)found;
    else
        bpi_warn(&reader->report, reader->document, value, BP_RULE_VALUE_NOT_IN_LIST, 1,
                 "an interpolation that does not exist; read as LINEAR");
    return true;
}

static bool check_input(bpi_gltf_reader *reader, const bpi_gltf_curve *times, bp_json place) {
    if (times->element_type == BP_ELEMENT_SCALAR && times->component_type == BP_COMPONENT_F32)
        return true;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place,
                           BP_RULE_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT,
                           "key times must be scalars of floats");
}

/* Type of the values, and their count: keys, times the values a key and the weights. */
static bool check_output(bpi_gltf_reader *reader, bpi_gltf_curve *values, bp_json place,
                         const bpi_gltf_channel_plan *channel) {
    static const bp_element_type types[] = {BP_ELEMENT_VEC3, BP_ELEMENT_VEC4, BP_ELEMENT_VEC3,
                                            BP_ELEMENT_SCALAR};
    if (values->element_type != types[channel->path] || values->component_type == BP_COMPONENT_U32)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place,
                               BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT,
                               "key values have the wrong type for what they animate");
    bool unit = channel->path == BP_PATH_ROTATION || channel->path == BP_PATH_WEIGHTS;
    if (values->component_type != BP_COMPONENT_F32 && (!unit || !values->normalized)) {
        bpi_warn(&reader->report, reader->document, place,
                 BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, 1,
                 unit ? "integer key values without \"normalized\"; read as normalized"
                      : "translations and scales must be floats; read all the same");
        if (unit) values->normalized = true;
    }
    uint64_t wanted = reader->curves[channel->input].count;
    if (channel->interpolation == BP_INTERPOLATION_CUBICSPLINE) wanted *= 3;
    if (channel->path == BP_PATH_WEIGHTS) wanted *= channel->weight_count;
    if (values->count < wanted)
        return bpi_gltf_refuse(
            reader, BP_ERROR_FORMAT, place, BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT,
            "%u key values, %llu are needed", values->count, (unsigned long long)wanted);
    if (values->count > wanted)
        bpi_warn(&reader->report, reader->document, place,
                 BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, 1,
                 "%u key values, %llu are needed; the surplus is not used", values->count,
                 (unsigned long long)wanted);
    return true;
}

/* The sampler that a channel names, looked at once. */
static bool find_sampler(bpi_gltf_reader *reader, const clip_context *context, bp_json reference,
                         uint32_t *index) {
    static const bpi_json_name names[] = {BPI_NAME("input"), BPI_NAME("interpolation"),
                                          BPI_NAME("output")};
    uint64_t number;
    bp_json m[3];
    if (!bp_json_integer(reader->document, reference, &number) || number >= context->samplers.count)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, reference, BP_RULE_UNRESOLVED_REFERENCE,
                               "not one of the animation's %u samplers", context->samplers.count);
    *index = (uint32_t)number;
    sampler_parts *parts = &context->parts[number];
    if (parts->known) return true;
    if (!bpi_gltf_members(reader, context->samplers.elements[number], names, m, 3)) return false;
    *parts = (sampler_parts){m[0], m[1], m[2], true};
    return true;
}

/* Fills keys and interpolation of a channel whose target is known. *usable: false when empty. */
static bool read_sampler(bpi_gltf_reader *reader, const clip_context *context, bp_json reference,
                         bpi_gltf_channel_plan *channel, bool *usable) {
    uint32_t index = 0;
    if (!find_sampler(reader, context, reference, &index)) return false;
    bp_json sampler = context->samplers.elements[index];
    sampler_parts parts = context->parts[index];
    bpi_gltf_curve *times, *values;
    if (!bpi_gltf_required(reader, sampler, parts.input, "input", BPI_GLTF_ACCESSORS,
                           &channel->input) ||
        !bpi_gltf_required(reader, sampler, parts.output, "output", BPI_GLTF_ACCESSORS,
                           &channel->output) ||
        !read_interpolation(reader, parts.interpolation, channel) ||
        !use_curve(reader, parts.input, channel->input, true, &times) ||
        !use_curve(reader, parts.output, channel->output, false, &values) ||
        !check_input(reader, times, parts.input))
        return false;
    *usable = times->count > 0;
    if (!*usable) {
        bpi_warn(&reader->report, reader->document, parts.input,
                 BP_RULE_ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, 1,
                 "no keys; the channel is not used");
        return true;
    }
    return check_output(reader, values, parts.output, channel);
}

/* Marks a property, which is one number, as animated by this clip; false when it was. */
static bool claim(const clip_context *context, uint32_t *mark) {
    if (*mark == context->serial) return false;
    *mark = context->serial;
    return true;
}

/*
 * The same for the weights of a node or a mesh, all together or one of them, which exclude each
 * other. In constant time: a file can have many channels for many weights.
 */
static bool claim_weights(const clip_context *context, weight_marks marks, bool one,
                          uint32_t weight) {
    if (!one)
        return *marks.any != context->serial && claim(context, marks.all) &&
               claim(context, marks.any);
    if (*marks.all == context->serial || !claim(context, &marks.each[weight])) return false;
    *marks.any = context->serial;
    return true;
}

/* False when another channel of the clip already animates (part of) the same property. */
static bool claim_target(const clip_context *context, const bpi_gltf_pointer_target *target,
                         uint32_t node) {
    uint32_t *marks = context->node_marks + NODE_MARKS * (size_t)node;
    if (target->path != BP_PATH_WEIGHTS) return claim(context, &marks[target->path]);
    weight_marks weights = {&marks[NODE_MARKS - 2], &marks[NODE_MARKS - 1],
                            context->weight_marks + context->weight_first[node]};
    return claim_weights(context, weights, target->one_weight, target->weight);
}

static bool append_channel(bpi_gltf_reader *reader, bpi_gltf_clip_plan *clip,
                           const bpi_gltf_channel_plan *channel) {
    bpi_gltf_channel_plan *copy = bpi_gltf_take(reader, 1, sizeof *copy);
    if (!copy) return false;
    *copy = *channel;
    copy->next = NULL;
    if (clip->last)
        clip->last->next = copy;
    else
        clip->first = copy;
    clip->last = copy;
    ++clip->channel_count;
    return true;
}

/* The channel for one node: its width is the node's, its sampler must fit that, and has keys. */
static bool add_channel(bpi_gltf_reader *reader, const clip_context *context, bp_json place,
                        bp_json sampler, const bpi_gltf_pointer_target *target, uint32_t node,
                        bool *usable) {
    const bpi_gltf_node_plan *plan = &reader->nodes[node];
    bpi_gltf_channel_plan channel = {.node = node, .path = (uint8_t)target->path};
    if (target->path == BP_PATH_WEIGHTS) {
        if (plan->weight_count == 0 ||
            (target->one_weight && target->weight >= plan->weight_count)) {
            bpi_warn(&reader->report, reader->document, place,
                     BP_RULE_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, 1,
                     "node %u has no such morph target; the channel is not used", node);
            return true;
        }
        channel.weight_first = target->one_weight ? target->weight : 0;
        channel.weight_count = target->one_weight ? 1 : plan->weight_count;
    } else if (plan->matrix != BP_JSON_NONE) {
        bpi_warn(&reader->report, reader->document, place,
                 BP_RULE_ANIMATION_CHANNEL_TARGET_NODE_MATRIX, 1,
                 "node %u has a matrix; it is split into translation, rotation and scale", node);
    }
    if (!read_sampler(reader, context, sampler, &channel, usable)) return false;
    if (!*usable) return true;
    if (claim_target(context, target, node)) return append_channel(reader, context->clip, &channel);
    bpi_warn(&reader->report, reader->document, place, BP_RULE_ANIMATION_DUPLICATE_TARGETS, 1,
             "an earlier channel animates the same property of node %u; not used", node);
    return true;
}

/* Weights of a mesh are those of every node that draws it without weights of its own. */
static bool add_mesh_channels(bpi_gltf_reader *reader, const clip_context *context, bp_json place,
                              bp_json sampler, const bpi_gltf_pointer_target *target) {
    const mesh_users *users = &context->users[target->index];
    uint32_t target_count = reader->meshes[target->index].target_count;
    if (target_count == 0 || (target->one_weight && target->weight >= target_count)) {
        bpi_warn(&reader->report, reader->document, place,
                 BP_RULE_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS, 1,
                 "mesh %u has no such morph target; the channel is not used", target->index);
        return true;
    }
    /* The nodes would find that out, too, but one by one, and for each of many such channels. */
    weight_marks marks = users->marks;
    if (!claim_weights(context, marks, target->one_weight, target->weight)) {
        bpi_warn(&reader->report, reader->document, place, BP_RULE_ANIMATION_DUPLICATE_TARGETS, 1,
                 "an earlier channel animates the same weights of mesh %u; not used",
                 target->index);
        return true;
    }
    bool usable = true;
    for (int32_t node = users->first; node >= 0 && usable; node = context->next_user[node])
        if (!add_channel(reader, context, place, sampler, target, (uint32_t)node, &usable))
            return false;
    return true;
}

/* What target.path says; an unknown path is a warning. */
static bool read_path(bpi_gltf_reader *reader, bp_json target, bp_json path,
                      bpi_gltf_pointer_target *parsed) {
    static const bpi_json_name names[] = {BPI_NAME("translation"), BPI_NAME("rotation"),
                                          BPI_NAME("scale"), BPI_NAME("weights")};
    if (path == BP_JSON_NONE)
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, target, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"path\" is missing");
    if (!bpi_gltf_expect(reader, path, BP_JSON_STRING)) return false;
    uint32_t found = bpi_json_choose(reader->document, path, names, 4);
    parsed->supported = found < 4;
    if (parsed->supported)
        parsed->path = (bp_path)found;
    else
        bpi_warn(&reader->report, reader->document, path, BP_RULE_VALUE_NOT_IN_LIST, 1,
                 "a path that does not exist; the channel is not used");
    return true;
}

static bool read_target(bpi_gltf_reader *reader, bp_json target, bpi_gltf_pointer_target *parsed) {
    static const bpi_json_name names[] = {BPI_NAME("node"), BPI_NAME("path"),
                                          BPI_NAME("extensions")};
    const bp_document *document = reader->document;
    bp_json m[3];
    int32_t node;
    *parsed = (bpi_gltf_pointer_target){0};
    if (!bpi_gltf_members(reader, target, names, m, 3)) return false;
    bp_json extension = bp_json_member(document, m[2], "KHR_animation_pointer");
    if (extension != BP_JSON_NONE) {
        bp_json pointer = bp_json_member(document, extension, "pointer");
        if (pointer != BP_JSON_NONE) return bpi_gltf_parse_pointer(reader, pointer, parsed);
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, extension, BP_RULE_UNDEFINED_PROPERTY,
                               "property \"pointer\" is missing");
    }
    if (!bpi_gltf_reference(reader, m[0], BPI_GLTF_NODES, &node)) return false;
    if (!read_path(reader, target, m[1], parsed)) return false;
    if (node < 0) {
        /* Left to extensions by the specification; none that is read gave a target. */
        parsed->supported = false;
        return true;
    }
    parsed->index = (uint32_t)node;
    return true;
}

static bool plan_channel(bpi_gltf_reader *reader, const clip_context *context, bp_json place) {
    static const bpi_json_name names[] = {BPI_NAME("sampler"), BPI_NAME("target")};
    bpi_gltf_pointer_target target;
    bp_json m[2];
    if (!bpi_gltf_members(reader, place, names, m, 2)) return false;
    for (int i = 0; i < 2; ++i)
        if (m[i] == BP_JSON_NONE)
            return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place, BP_RULE_UNDEFINED_PROPERTY,
                                   "property \"%.*s\" is missing", names[i].length,
                                   names[i].quoted);
    if (!read_target(reader, m[1], &target)) return false;
    if (!target.supported) return true;
    if (target.is_mesh) return add_mesh_channels(reader, context, place, m[0], &target);
    bool usable;
    return add_channel(reader, context, place, m[0], &target, target.index, &usable);
}

/* The elements of an array in memory that is used again when it is large enough. */
static bool list_elements(bpi_gltf_reader *reader, bp_json array, element_list *list) {
    const bp_document *document = reader->document;
    list->count = bpi_json_elements(document, array, list->elements, list->capacity);
    if (list->count <= list->capacity) return true;
    list->capacity = list->count < UINT32_MAX / 2 ? 2 * list->count : list->count;
    list->elements = bpi_gltf_take(reader, list->capacity, sizeof *list->elements);
    if (!list->elements) return false;
    bpi_json_elements(document, array, list->elements, list->capacity);
    return true;
}

static bool plan_samplers(bpi_gltf_reader *reader, bp_json samplers, clip_context *context) {
    uint32_t capacity = context->samplers.capacity;
    if (!list_elements(reader, samplers, &context->samplers)) return false;
    if (context->samplers.capacity > capacity) {
        context->parts = bpi_gltf_take(reader, context->samplers.capacity, sizeof *context->parts);
        if (!context->parts) return false;
    }
    for (uint32_t i = 0; i < context->samplers.count; ++i) {
        if (!bpi_gltf_expect(reader, context->samplers.elements[i], BP_JSON_OBJECT)) return false;
        context->parts[i].known = false;
    }
    return true;
}

static bool plan_clip(bpi_gltf_reader *reader, clip_context *context, uint32_t index) {
    static const bpi_json_name names[] = {BPI_NAME("name"), BPI_NAME("channels"),
                                          BPI_NAME("samplers")};
    bpi_gltf_clip_plan *clip = &reader->clips[index];
    bp_json m[3];
    if (!bpi_gltf_object(reader, BPI_GLTF_ANIMATIONS, index, &clip->place) ||
        !bpi_gltf_members(reader, clip->place, names, m, 3) ||
        !bpi_gltf_expect(reader, m[0], BP_JSON_STRING))
        return false;
    for (int i = 1; i < 3; ++i) {
        if (m[i] == BP_JSON_NONE)
            return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, clip->place, BP_RULE_UNDEFINED_PROPERTY,
                                   "property \"%.*s\" is missing", names[i].length,
                                   names[i].quoted);
        if (!bpi_gltf_expect(reader, m[i], BP_JSON_ARRAY)) return false;
    }
    clip->name = m[0];
    context->clip = clip;
    context->serial = index + 1;
    if (!plan_samplers(reader, m[2], context) || !list_elements(reader, m[1], &context->channels))
        return false;
    for (uint32_t i = 0; i < context->channels.count; ++i)
        if (!plan_channel(reader, context, context->channels.elements[i])) return false;
    return true;
}

/* Links the nodes of each mesh, and gives each mesh its marks. */
static bool find_users(bpi_gltf_reader *reader, clip_context *context) {
    uint32_t meshes = reader->counts[BPI_GLTF_MESHES], nodes = reader->counts[BPI_GLTF_NODES];
    context->users = bpi_gltf_take(reader, meshes, sizeof *context->users);
    context->next_user = bpi_gltf_take(reader, nodes, sizeof *context->next_user);
    if (!context->users || !context->next_user) return false;
    for (uint32_t i = 0; i < meshes; ++i) {
        size_t marks = 2 + (size_t)reader->meshes[i].target_count;
        uint32_t *first = bpi_gltf_take(reader, marks, sizeof *first);
        if (!first) return false;
        context->users[i] = (mesh_users){-1, {first, first + 1, first + 2}};
    }
    for (uint32_t i = nodes; i-- > 0;) {
        const bpi_gltf_node_plan *node = &reader->nodes[i];
        if (node->mesh < 0 || node->weights != BP_JSON_NONE) continue;
        context->next_user[i] = context->users[node->mesh].first;
        context->users[node->mesh].first = (int32_t)i;
    }
    return true;
}

bool bpi_gltf_plan_clips(bpi_gltf_reader *reader) {
    uint32_t count = reader->counts[BPI_GLTF_ANIMATIONS], nodes = reader->counts[BPI_GLTF_NODES];
    reader->clips = bpi_gltf_take(reader, count, sizeof *reader->clips);
    if (!reader->clips) return false;
    if (count == 0) return true;
    clip_context context = {
        .node_marks = bpi_gltf_take(reader, nodes, NODE_MARKS * sizeof *context.node_marks),
        .weight_marks = bpi_gltf_take(reader, reader->weight_count, sizeof *context.weight_marks),
        .weight_first = bpi_gltf_take(reader, nodes, sizeof *context.weight_first),
    };
    reader->curves =
        bpi_gltf_take(reader, reader->counts[BPI_GLTF_ACCESSORS], sizeof *reader->curves);
    if (!context.node_marks || !context.weight_marks || !context.weight_first || !reader->curves ||
        !find_users(reader, &context))
        return false;
    for (uint32_t i = 1; i < nodes; ++i)
        context.weight_first[i] = context.weight_first[i - 1] + reader->nodes[i - 1].weight_count;
    for (uint32_t i = 0; i < count; ++i)
        if (!plan_clip(reader, &context, i)) return false;
    return true;
}

void bpi_gltf_lay_out_clips(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model) {
    model->clip_count = reader->counts[BPI_GLTF_ANIMATIONS];
    bp_clip *clips = bpi_layout_take(layout, model->clip_count, sizeof *clips);
    model->clips = reader->model_clips = clips;
    if (model->clip_count == 0) return;
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_ACCESSORS]; ++i) {
        bpi_gltf_curve *curve = &reader->curves[i];
        if (!curve->used) continue;
        size_t size = curve->component_count * sizeof(float);
        curve->values = bpi_layout_take_unset(layout, curve->count, size);
    }
    for (uint32_t i = 0; i < model->clip_count; ++i) {
        const bpi_gltf_clip_plan *plan = &reader->clips[i];
        bp_channel *channels = bpi_layout_take(layout, plan->channel_count, sizeof *channels);
        const char *name = bpi_gltf_lay_out_string(reader, layout, plan->name);
        if (!clips) continue;
        clips[i] =
            (bp_clip){.name = name, .channel_count = plan->channel_count, .channels = channels};
        for (const bpi_gltf_channel_plan *c = plan->first; c; c = c->next)
            *channels++ = (bp_channel){.node = reader->node_from_file[c->node],
                                       .path = (bp_path)c->path,
                                       .interpolation = (bp_interpolation)c->interpolation,
                                       .key_count = reader->curves[c->input].count,
                                       .times = reader->curves[c->input].values,
                                       .values = reader->curves[c->output].values,
                                       .weight_first = c->weight_first,
                                       .weight_count = c->weight_count};
    }
}

static bool check_times(bpi_gltf_reader *reader, const bpi_gltf_curve *curve, bp_json place) {
    uint32_t first, faulty;
    const bp_document *document = reader->document;
    switch (bpi_times_check(curve->values, curve->count, &first, &faulty)) {
    case BPI_TIMES_OK: return true;
    case BPI_TIMES_EQUAL:
        bpi_warn(&reader->report, document, place, BP_RULE_ACCESSOR_ANIMATION_INPUT_NON_INCREASING,
                 faulty,
                 "keys at the time of the key before, the first is key %u; the last one wins",
                 first);
        return true;
    case BPI_TIMES_NEGATIVE:
        bpi_warn(&reader->report, document, place, BP_RULE_ACCESSOR_ANIMATION_INPUT_NEGATIVE,
                 faulty, "negative key times, the first is key %u", first);
        return true;
    case BPI_TIMES_DECREASING:
        return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place,
                               BP_RULE_ACCESSOR_ANIMATION_INPUT_NON_INCREASING,
                               "key %u is earlier than the key before it", first);
    case BPI_TIMES_NOT_FINITE: break;
    }
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place, BP_RULE_ACCESSOR_INVALID_FLOAT,
                           "the time of key %u is not finite", first);
}

static bool fill_curve(bpi_gltf_reader *reader, uint32_t index) {
    const bpi_gltf_curve *curve = &reader->curves[index];
    size_t count = (size_t)curve->count * curve->component_count;
    if (count == 0) return true;
    bp_accessor accessor = kept_accessor(curve);
    bp_accessor_read_floats(&accessor, curve->values, 0);
    bp_json place = bp_json_element(reader->document, reader->arrays[BPI_GLTF_ACCESSORS], index);
    if (curve->is_time && !check_times(reader, curve, place)) return false;
    if (bpi_floats_finite(curve->values, count)) return true;
    size_t first = 0;
    while (bpi_floats_finite(&curve->values[first], 1))
        ++first;
    return bpi_gltf_refuse(reader, BP_ERROR_FORMAT, place, BP_RULE_ACCESSOR_INVALID_FLOAT,
                           "element %zu is not finite", first / curve->component_count);
}

bool bpi_gltf_fill_clips(bpi_gltf_reader *reader) {
    if (reader->counts[BPI_GLTF_ANIMATIONS] == 0) return true;
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_ACCESSORS]; ++i)
        if (reader->curves[i].used && !fill_curve(reader, i)) return false;
    for (uint32_t i = 0; i < reader->counts[BPI_GLTF_ANIMATIONS]; ++i) {
        bp_clip *clip = &reader->model_clips[i];
        for (uint32_t k = 0; k < clip->channel_count; ++k) {
            const bp_channel *channel = &clip->channels[k];
            float end = channel->times[channel->key_count - 1];
            if (end > clip->duration) clip->duration = end;
        }
    }
    return true;
}
