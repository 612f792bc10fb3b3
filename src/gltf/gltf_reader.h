// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The one reader of glTF. It goes through a document three times:
 *
 *   plan     every rule is checked and every size is known; plans live in an arena that dies with
 *            the load. What has no meaning refuses the load, the rest becomes warnings.
 *   lay out  the model is laid out twice by the same functions: to measure, then over its block.
 *   fill     accessors are decoded straight into the block; rules on values are checked here.
 *
 * A function that returns bool returns false when the load is refused; the error is then filled.
 */
#ifndef BPI_GLTF_READER_H
#define BPI_GLTF_READER_H

#include "base/base_memory.h"
#include "document/document_query.h"
#include "math/math_float.h"
#include "mesh/mesh_layout.h"
#include "skeleton/skeleton_layout.h"
#include "bindpose/gltf.h"

/* Arrays of the root object that are read. */
typedef enum bpi_gltf_array_kind {
    BPI_GLTF_ACCESSORS,
    BPI_GLTF_ANIMATIONS,
    BPI_GLTF_BUFFER_VIEWS,
    BPI_GLTF_IMAGES,
    BPI_GLTF_MATERIALS,
    BPI_GLTF_MESHES,
    BPI_GLTF_NODES,
    BPI_GLTF_SAMPLERS,
    BPI_GLTF_SCENES,
    BPI_GLTF_SKINS,
    BPI_GLTF_TEXTURES,
    BPI_GLTF_ARRAY_COUNT
} bpi_gltf_array_kind;

typedef struct bpi_gltf_node_plan {
    bp_json place, name, matrix, translation, rotation, scale, weights, instancing;
    int32_t parent, mesh, skin; /* indices of the file, or -1 */
    int32_t first_child, next_sibling;
    uint32_t weight_count;
    uint32_t copy_count;
    bool in_default_scene;
    bp_transform *copies; /* [copy_count] in the model's block */
} bpi_gltf_node_plan;

typedef struct bpi_gltf_skin_plan {
    bp_json place, name, joints, matrices_place;
    uint32_t joint_count;
    int32_t root_hint;
    bool has_matrices;
    uint32_t matrices_index;
    bp_accessor matrices;
    bpi_skin_arrays arrays; /* in the model's block */
} bpi_gltf_skin_plan;

/* Streams of a primitive, in the order in which they are read. */
typedef enum bpi_gltf_stream {
    BPI_GLTF_POSITION,
    BPI_GLTF_NORMAL,
    BPI_GLTF_TANGENT,
    BPI_GLTF_TEXCOORD_0,
    BPI_GLTF_TEXCOORD_1,
    BPI_GLTF_COLOR_0,
    BPI_GLTF_STREAM_COUNT
} bpi_gltf_stream;

/* Where the elements of one attribute come from; `exists` false: nowhere. */
typedef struct bpi_gltf_source {
    bool exists;
    int32_t draco_id; /* attribute of the Draco mesh, or -1: the accessor itself */
    bp_json place;    /* the reference to the accessor */
    bp_accessor accessor;
} bpi_gltf_source;

typedef struct bpi_gltf_target_plan {
    bpi_gltf_source streams[3]; /* BPI_GLTF_POSITION, BPI_GLTF_NORMAL, BPI_GLTF_TANGENT */
} bpi_gltf_target_plan;

typedef struct bpi_gltf_primitive_plan {
    bp_json place;
    bpi_primitive_shape shape;
    bpi_gltf_source streams[BPI_GLTF_STREAM_COUNT];
    uint32_t set_count;
    bpi_gltf_source *joints, *weights; /* [set_count] */
    bpi_gltf_source indices;
    bpi_gltf_target_plan *targets;
    bp_topology topology;
    int32_t material;
    bp_json draco; /* the extension object when it is to be decoded */
    bp_bytes draco_bytes;
    void *draco_memory; /* decoded elements, from decode to release */
    size_t draco_size;
} bpi_gltf_primitive_plan;

typedef struct bpi_gltf_mesh_plan {
    bp_json place, name, weights, target_names;
    uint32_t given_weight_count; /* as many as `weights` has */
    uint32_t primitive_count;
    bpi_gltf_primitive_plan *primitives;
    uint32_t target_count;
    uint32_t joint_limit; /* smallest joint count of the skins it is used with; 0: never */
    bool has_influences;
    bp_primitive *built; /* [primitive_count] in the model's block */
} bpi_gltf_mesh_plan;

/*
 * An accessor that is decoded to floats once, however many samplers use it. Files have thousands,
 * so this is what decoding needs of a bp_accessor, and little else; one with sparse elements is
 * kept whole.
 */
typedef struct bpi_gltf_curve {
    union {
        const unsigned char *data; /* NULL: zeros */
        const bp_accessor *whole;  /* is_sparse */
    } from;
    float *values; /* in the model's block */
    uint32_t count, stride;
    uint16_t component_type; /* bp_component_type */
    uint8_t element_type;    /* bp_element_type */
    uint8_t component_count;
    bool normalized, is_sparse, is_time, used;
} bpi_gltf_curve;

/* Small for the same reason. */
typedef struct bpi_gltf_channel_plan {
    struct bpi_gltf_channel_plan *next;
    uint32_t node;          /* of the file */
    uint32_t input, output; /* accessors */
    uint32_t weight_first, weight_count;
    uint8_t path;          /* bp_path */
    uint8_t interpolation; /* bp_interpolation */
} bpi_gltf_channel_plan;

typedef struct bpi_gltf_clip_plan {
    bp_json place, name;
    uint32_t channel_count;
    bpi_gltf_channel_plan *first, *last;
} bpi_gltf_clip_plan;

typedef struct bpi_gltf_image_plan {
    bp_json name, uri, mime_type;
    bp_bytes bytes;      /* of a buffer view or a data URI */
    const char *path;    /* of an external file: its URI, decoded; NULL: none */
    char media_type[64]; /* of a data URI */
} bpi_gltf_image_plan;

typedef struct bpi_gltf_reader {
    const bp_document *document;
    const bp_load_options *options;
    bpi_memory memory;
    bpi_arena arena;
    bpi_report report;
    bp_error *error;
    bp_result result;

    bp_json arrays[BPI_GLTF_ARRAY_COUNT];
    uint32_t counts[BPI_GLTF_ARRAY_COUNT];
    bool quantized; /* KHR_mesh_quantization is declared */
    bp_json extensions_used;
    bp_accessor **accessors; /* [accessors] those that were asked for; NULL: none was */

    bpi_gltf_node_plan *nodes;
    uint32_t *file_from_node, *node_from_file; /* skeleton order and back */
    uint32_t matrix_count, weight_count, instance_count;
    int32_t default_scene;
    bpi_skeleton_arrays skeleton; /* in the model's block, as are the next ones */
    bp_skin *model_skins;
    bp_clip *model_clips;
    bp_instance *instances;
    bpi_gltf_skin_plan *skins;
    bpi_gltf_mesh_plan *meshes;
    bpi_gltf_clip_plan *clips;
    bpi_gltf_curve *curves; /* [accessors] */
    bp_material *material_plans;
    bp_json *material_names;
    bp_texture *texture_plans;
    bp_texture *sampler_plans; /* [samplers] textures without an image */
    bpi_gltf_image_plan *image_plans;
    uint64_t vertex_count, sparse_count, zero_count; /* so far, against limits.vertices */
} bpi_gltf_reader;

/* ---- gltf_property.c: values of the JSON tree ----------------------------------------------- */

/* Fills the error and returns false. */
bool bpi_gltf_refuse(bpi_gltf_reader *reader, bp_result result, bp_json place, bp_rule rule,
                     const char *format, ...) BPI_PRINTF(5, 6);

/* The error for a NULL of the reader's memory; returns false. */
bool bpi_gltf_out_of_memory(bpi_gltf_reader *reader);

/* Zeroed memory for the duration of the load; NULL: the load is refused. */
void *bpi_gltf_take(bpi_gltf_reader *reader, size_t count, size_t size);

/* The members of an object by name, in one pass; absent ones are BP_JSON_NONE. */
bool bpi_gltf_members(bpi_gltf_reader *reader, bp_json object, const bpi_json_name *names,
                      bp_json *values, uint32_t count);

/* The type must fit, or the value be absent. */
bool bpi_gltf_expect(bpi_gltf_reader *reader, bp_json value, bp_json_type type);

/* An element of a root array; must be an object. */
bool bpi_gltf_object(bpi_gltf_reader *reader, bpi_gltf_array_kind kind, uint32_t index,
                     bp_json *object);

/* A reference into a root array: *index is -1 when absent. */
bool bpi_gltf_reference(bpi_gltf_reader *reader, bp_json value, bpi_gltf_array_kind kind,
                        int32_t *index);

/* The same, required as property `name` of `owner`. */
bool bpi_gltf_required(bpi_gltf_reader *reader, bp_json owner, bp_json value, const char *name,
                       bpi_gltf_array_kind kind, uint32_t *index);

/* A whole number in [0, UINT32_MAX]; untouched when absent. */
bool bpi_gltf_uint(bpi_gltf_reader *reader, bp_json value, uint32_t *number);

/* Numbers that are finite as floats; untouched when absent. */
bool bpi_gltf_float(bpi_gltf_reader *reader, bp_json value, float *number);
bool bpi_gltf_floats(bpi_gltf_reader *reader, bp_json value, float *numbers, uint32_t count);

bool bpi_gltf_bool(bpi_gltf_reader *reader, bp_json value, bool *flag);

/* The decoded string in the layout, "" when absent; NULL or "" while measuring. */
const char *bpi_gltf_lay_out_string(bpi_gltf_reader *reader, bpi_layout *layout, bp_json value);

/* The accessor that `place` refers to; checked and reported once, however many refer to it. */
bool bpi_gltf_accessor(bpi_gltf_reader *reader, uint32_t index, bp_json place,
                       bp_accessor *accessor);

/* The same for those who remember the answer themselves. */
bool bpi_gltf_resolve_accessor(bpi_gltf_reader *reader, uint32_t index, bp_json place,
                               bp_accessor *accessor);

/* ---- one file for each part of a model ------------------------------------------------------ */

bool bpi_gltf_plan_root(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_root(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);

bool bpi_gltf_plan_nodes(bpi_gltf_reader *reader);
bool bpi_gltf_plan_instances(bpi_gltf_reader *reader); /* after meshes and skins */
void bpi_gltf_lay_out_nodes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);
bool bpi_gltf_fill_nodes(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_instances(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);
bool bpi_gltf_fill_instances(bpi_gltf_reader *reader);

bool bpi_gltf_plan_scenes(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_scenes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);

bool bpi_gltf_plan_skins(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_skins(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);
bool bpi_gltf_fill_skins(bpi_gltf_reader *reader, const bp_skeleton *skeleton);

bool bpi_gltf_plan_meshes(bpi_gltf_reader *reader);
bool bpi_gltf_plan_influences(bpi_gltf_reader *reader); /* after instances */
void bpi_gltf_lay_out_meshes(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);
bool bpi_gltf_fill_meshes(bpi_gltf_reader *reader);

/* One primitive of bpi_gltf_fill_meshes. */
bool bpi_gltf_plan_primitive(bpi_gltf_reader *reader, bp_json object,
                             bpi_gltf_primitive_plan *plan);
bool bpi_gltf_fill_primitive(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan,
                             bp_primitive *primitive);

/*
 * KHR_draco_mesh_compression: decoded elements take the place of the accessors' data between decode
 * and release.
 */
bool bpi_gltf_plan_draco(bpi_gltf_reader *reader, bp_json extension, bpi_gltf_primitive_plan *plan);
bool bpi_gltf_decode_draco(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan);
void bpi_gltf_release_draco(bpi_gltf_reader *reader, bpi_gltf_primitive_plan *plan);

bool bpi_gltf_plan_clips(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_clips(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);
bool bpi_gltf_fill_clips(bpi_gltf_reader *reader);

/* What a JSON pointer of KHR_animation_pointer animates. */
typedef struct bpi_gltf_pointer_target {
    bool supported;
    bool is_mesh;   /* weights of every node with mesh `index` and no weights of its own */
    uint32_t index; /* node or mesh of the file */
    bp_path path;
    bool one_weight;
    uint32_t weight;
} bpi_gltf_pointer_target;

bool bpi_gltf_parse_pointer(bpi_gltf_reader *reader, bp_json pointer,
                            bpi_gltf_pointer_target *target);

bool bpi_gltf_plan_materials(bpi_gltf_reader *reader);
void bpi_gltf_lay_out_materials(bpi_gltf_reader *reader, bpi_layout *layout, bp_model *model);

#endif
