/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * gltf: a file becomes a model: one skeleton, its skins, clips and meshes, ready to pose.
 *
 * A loaded model is safe: no index out of range, no cycle, no number that is not finite, valid
 * UTF-8. What could not be given a meaning refused the load; what had to be interpreted is a
 * warning.
 */
#ifndef BINDPOSE_GLTF_H
#define BINDPOSE_GLTF_H

#include "bindpose/clip.h"
#include "bindpose/document.h"
#include "bindpose/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Value, inside an asset. Where a mesh is drawn: a node that has one. */
typedef struct bp_instance {
    uint32_t node;              /**< index in the skeleton */
    uint32_t mesh;              /**< index in the model */
    int32_t skin;               /**< index in the model, or -1. A primitive without influences is
                                     moved by the node all the same: see bp_model_is_skinned */
    bool in_default_scene;      /**< reachable from the scene that is shown at first */
    uint32_t copy_count;        /**< EXT_mesh_gpu_instancing: how many copies; 0 without it */
    const bp_transform *copies; /**< [copy_count] node_from_copy: drawn at the node's global
                                   transform * this, and not at the node itself; or NULL */
} bp_instance;

/** How a material's alpha counts. */
typedef enum bp_alpha_mode { BP_ALPHA_OPAQUE, BP_ALPHA_MASK, BP_ALPHA_BLEND } bp_alpha_mode;

/** Value, inside an asset. As much of a material as a plain renderer needs. */
typedef struct bp_material {
    const char *name;             /**< "" when nameless */
    float base_color[4];          /**< linear RGBA */
    int32_t base_color_texture;   /**< index in the model, or -1 */
    uint32_t base_color_texcoord; /**< TEXCOORD_n */
    float metallic, roughness;
    float emissive[3]; /**< linear RGB */
    bp_alpha_mode alpha_mode;
    float alpha_cutoff;
    bool double_sided;
    bool unlit; /**< KHR_materials_unlit */
} bp_material;

/** Value, inside an asset. Filters and wraps are OpenGL's numbers, 0 for not given. */
typedef struct bp_texture {
    int32_t image; /**< index in the model, or -1 */
    uint32_t mag_filter, min_filter;
    uint32_t wrap_s, wrap_t; /**< default 10497: repeat */
} bp_texture;

/** Value, inside an asset. An image, still encoded; either bytes or a URI. */
typedef struct bp_image {
    const char *name;      /**< "" when nameless */
    const char *mime_type; /**< "" when not given */
    const char *uri;       /**< of an external file, percent escapes decoded; "" with bytes */
    bp_bytes bytes;        /**< from a buffer view or a data URI; size 0 with a URI */
} bp_image;

/** Value, inside an asset. A scene: its root nodes. */
typedef struct bp_scene {
    const char *name; /**< "" when nameless */
    uint32_t root_count;
    const uint32_t *roots; /**< [root_count] node indices in the skeleton */
} bp_scene;

/**
 * Asset. Everything of a glTF file that moves or is moved. One block of memory, and one for
 * warnings.
 */
typedef struct bp_model {
    bp_skeleton skeleton; /**< all nodes of the file */
    uint32_t skin_count;
    const bp_skin *skins;
    uint32_t clip_count;
    const bp_clip *clips;
    uint32_t mesh_count;
    const bp_mesh *meshes;
    uint32_t instance_count;
    const bp_instance *instances; /**< in the file's node order */
    uint32_t scene_count;
    const bp_scene *scenes;
    int32_t default_scene; /**< the file's, else 0 when there are scenes, else -1 */
    uint32_t material_count;
    const bp_material *materials;
    uint32_t texture_count;
    const bp_texture *textures;
    uint32_t image_count;
    const bp_image *images;
    uint32_t extension_count;
    const char *const *extensions_used; /**< [extension_count] as the file lists them */
    const char *generator;              /**< asset.generator; "" when not given */
    uint32_t warning_count;
    const bp_warning *warnings;
    size_t memory_bytes; /**< size of the block that holds all this */
} bp_model;

/**
 * Loads a model from a .gltf or .glb file. Safe on untrusted input.
 *
 * @param model    receives the model, or NULL on failure; release with bp_model_destroy
 * @param path     of the file; external files are read from its folder and nowhere else
 * @param options  NULL for the defaults
 * @param error    filled on failure; may be NULL
 * @return BP_OK; BP_ERROR_IO, _FORMAT, _LIMIT, _UNSUPPORTED, _OUT_OF_MEMORY. Thread safe.
 */
BP_API bp_result bp_model_load_file(bp_model **model, const char *path,
                                    const bp_load_options *options, bp_error *error);

/** The same from memory; the bytes are not needed afterwards. */
BP_API bp_result bp_model_load_memory(bp_model **model, const void *bytes, size_t size,
                                      const bp_load_options *options, bp_error *error);

/** The same from a document, which is not needed afterwards; of `options` only the allocator,
 *  limits and weights matter. */
BP_API bp_result bp_model_load_document(bp_model **model, const bp_document *document,
                                        const bp_load_options *options, bp_error *error);

/** Releases a model; NULL is allowed. */
BP_API void bp_model_destroy(bp_model *model);

/** The first clip of this name, or NULL. Thread safe. */
BP_API const bp_clip *bp_model_find_clip(const bp_model *model, const char *name);

/**
 * Whether joints place the vertices of a primitive of an instance. True: skin it by the palette of
 * the instance's skin. False: move it by the global transform of the instance's node alone.
 *
 * @param instance,primitive  indices in model->instances, and in the primitives of its mesh
 */
BP_API bool bp_model_is_skinned(const bp_model *model, uint32_t instance, uint32_t primitive);

/**
 * The morph weights that a pose gives an instance, for bp_skinning_job.
 *
 * @param count  receives how many
 */
BP_API const float *bp_model_instance_weights(const bp_model *model, const bp_pose *pose,
                                              uint32_t instance, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
