/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * document: the bytes of a glTF file, made readable and safe: container, JSON with places, buffers,
 * accessors read raw.
 *
 * A document knows the container and the JSON, not what a skin or a clip is: those are built from
 * it by `gltf`. Most users need only bp_load_options of this header.
 */
#ifndef BINDPOSE_DOCUMENT_H
#define BINDPOSE_DOCUMENT_H

#include "bindpose/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loading -------------------------------------------------------------------------------- */

/** Value. Bytes that somebody else owns. */
typedef struct bp_bytes {
    const unsigned char *data;
    size_t size;
} bp_bytes;

/**
 * Value. Reads files for the loader in place of the file system (archives, asset systems, the web).
 *
 * `read` gets a file path for the model itself and, for a buffer, the URI as the file
 * has it with percent escapes decoded; the safety rules for URIs are then the callback's business.
 * It returns BP_OK and bytes that stay valid until `release`, which is called once for each.
 *
 * Data URIs never get here. BP_ERROR_OUT_OF_MEMORY ends the load; any other failure is kept and is
 * an error of what needs the file.
 */
typedef struct bp_file_callbacks {
    bp_result (*read)(void *user, const char *path_or_uri, bp_bytes *bytes);
    void (*release)(void *user, bp_bytes bytes); /**< may be NULL */
    void *user;
} bp_file_callbacks;

/** Value. What a load may use at most; a field of 0 means its default. */
typedef struct bp_limits {
    uint64_t file_bytes;   /**< the file and each external file; default 4 GiB - 1 */
    uint64_t memory_bytes; /**< everything that a load holds at once, but for what the optional
                                Draco decoder allocates for itself; default 4 GiB */
    uint32_t json_depth;   /**< nesting of JSON arrays and objects; default 256 */
    uint32_t nodes;        /**< default 16,777,216 */
    uint64_t vertices;     /**< of all primitives together; as many sparse overrides, and as many
                                elements that a file leaves out, which are zeros; default
                                16,777,216 */
} bp_limits;

/** Value. Options of a load. */
typedef struct bp_load_options {
    bp_allocator allocator;   /**< default: malloc and free */
    bp_limits limits;         /**< default: see there */
    bp_file_callbacks files;  /**< default: the file system, kept inside the model's folder */
    const char *folder;       /**< when loading from memory: where relative URIs start; default:
                                   nowhere, external files are refused */
    bool allow_files_outside; /**< also read absolute paths, `..` and links that leave the folder;
                                   never safe on files of others; default: false */
    bool keep_raw_weights;    /**< use skin weights as stored instead of dividing them by their
                                   sum; default: false */
    bool compact_clips;       /**< sample from the keys as stored, without a second copy of them in
                                   the order that sampling reads: saves memory (see
                                   docs/speed.md), costs time; default: false */
} bp_load_options;

/* ---- rules ---------------------------------------------------------------------------------- */

/**
 * The rules that reading reports, one list for documents and models. Where the Khronos glTF
 * validator has a code for a rule, the name is that code. New rules come at the end.
 */
#define BP_RULES(X)                                                                                \
    X(GLB_CHUNK_LENGTH_UNALIGNED)                                                                  \
    X(GLB_CHUNK_TOO_BIG)                                                                           \
    X(GLB_DUPLICATE_CHUNK)                                                                         \
    X(GLB_EMPTY_CHUNK)                                                                             \
    X(GLB_EXTRA_DATA)                                                                              \
    X(GLB_INVALID_MAGIC)                                                                           \
    X(GLB_INVALID_VERSION)                                                                         \
    X(GLB_LENGTH_MISMATCH)                                                                         \
    X(GLB_LENGTH_TOO_SMALL)                                                                        \
    X(GLB_UNEXPECTED_BIN_CHUNK)                                                                    \
    X(GLB_UNEXPECTED_END_OF_CHUNK_DATA)                                                            \
    X(GLB_UNEXPECTED_END_OF_CHUNK_HEADER)                                                          \
    X(GLB_UNEXPECTED_END_OF_HEADER)                                                                \
    X(GLB_UNEXPECTED_FIRST_CHUNK)                                                                  \
    X(GLB_UNKNOWN_CHUNK_TYPE)                                                                      \
    X(INVALID_JSON)                                                                                \
    X(INVALID_URI)                                                                                 \
    X(IO_ERROR)                                                                                    \
    X(FILE_OUTSIDE_FOLDER)                                                                         \
    X(TYPE_MISMATCH)                                                                               \
    X(ARRAY_TYPE_MISMATCH)                                                                         \
    X(UNDEFINED_PROPERTY)                                                                          \
    X(EMPTY_ENTITY)                                                                                \
    X(VALUE_NOT_IN_LIST)                                                                           \
    X(VALUE_NOT_IN_RANGE)                                                                          \
    X(UNRESOLVED_REFERENCE)                                                                        \
    X(UNSATISFIED_DEPENDENCY)                                                                      \
    X(UNKNOWN_ASSET_MAJOR_VERSION)                                                                 \
    X(ASSET_MIN_VERSION_GREATER_THAN_VERSION)                                                      \
    X(EXTENSION_REQUIRED_UNSUPPORTED)                                                              \
    X(EXTENSION_IGNORED)                                                                           \
    X(BUFFER_BYTE_LENGTH_MISMATCH)                                                                 \
    X(BUFFER_MISSING_GLB_DATA)                                                                     \
    X(BUFFER_VIEW_TOO_LONG)                                                                        \
    X(BUFFER_VIEW_INVALID_BYTE_STRIDE)                                                             \
    X(BUFFER_VIEW_COMPRESSED_DATA_INVALID)                                                         \
    X(ACCESSOR_OFFSET_ALIGNMENT)                                                                   \
    X(ACCESSOR_SMALL_BYTESTRIDE)                                                                   \
    X(ACCESSOR_TOO_LONG)                                                                           \
    X(ACCESSOR_NORMALIZED_INVALID)                                                                 \
    X(ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE)                                                          \
    X(ACCESSOR_SPARSE_INDEX_OOB)                                                                   \
    X(ACCESSOR_SPARSE_INDICES_NON_INCREASING)                                                      \
    X(ACCESSOR_INVALID_FLOAT)                                                                      \
    X(ACCESSOR_INVALID_IBM)                                                                        \
    X(ACCESSOR_INDEX_OOB)                                                                          \
    X(ACCESSOR_INDEX_PRIMITIVE_RESTART)                                                            \
    X(ACCESSOR_JOINTS_INDEX_OOB)                                                                   \
    X(ACCESSOR_JOINTS_INDEX_DUPLICATE)                                                             \
    X(ACCESSOR_WEIGHTS_NEGATIVE)                                                                   \
    X(ACCESSOR_WEIGHTS_NON_NORMALIZED)                                                             \
    X(ACCESSOR_WEIGHTS_ALL_ZERO)                                                                   \
    X(ACCESSOR_ANIMATION_INPUT_NEGATIVE)                                                           \
    X(ACCESSOR_ANIMATION_INPUT_NON_INCREASING)                                                     \
    X(NODE_LOOP)                                                                                   \
    X(NODE_PARENT_OVERRIDE)                                                                        \
    X(NODE_MATRIX_TRS)                                                                             \
    X(NODE_WEIGHTS_INVALID)                                                                        \
    X(NODE_SKINNED_MESH_WITHOUT_SKIN)                                                              \
    X(NODE_SKIN_WITH_NON_SKINNED_MESH)                                                             \
    X(ROTATION_NON_UNIT)                                                                           \
    X(SCENE_NON_ROOT_NODE)                                                                         \
    X(SKIN_IBM_INVALID_FORMAT)                                                                     \
    X(INVALID_IBM_ACCESSOR_COUNT)                                                                  \
    X(MESH_INVALID_WEIGHTS_COUNT)                                                                  \
    X(MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT)                                                       \
    X(MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT)                                           \
    X(MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT)                                                       \
    X(MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT)                                              \
    X(MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH)                                                      \
    X(MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT)                                         \
    X(MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR)                                                \
    X(MESH_PRIMITIVE_NO_POSITION)                                                                  \
    X(MESH_PRIMITIVE_DRACO_INVALID)                                                                \
    X(INSTANCING_INVALID)                                                                          \
    X(ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT)                                             \
    X(ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS)                                           \
    X(ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT)                                             \
    X(ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT)                                            \
    X(ANIMATION_CHANNEL_TARGET_NODE_MATRIX)                                                        \
    X(ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS)                                             \
    X(ANIMATION_DUPLICATE_TARGETS)                                                                 \
    X(ANIMATION_POINTER_NOT_SUPPORTED)                                                             \
    X(NODE_MATRIX_NON_TRS)

/** Value. A rule; BP_RULE_NONE is 0. */
typedef enum bp_rule {
    BP_RULE_NONE = 0,
#define BP_RULE_ENUMERATOR(name) BP_RULE_##name,
    BP_RULES(BP_RULE_ENUMERATOR)
#undef BP_RULE_ENUMERATOR
        BP_RULE_COUNT
} bp_rule;

/** The rule's name without its prefix ("ACCESSOR_TOO_LONG"); "" for BP_RULE_NONE. Static. */
BP_API const char *bp_rule_name(bp_rule rule);

/** Value, inside an asset. Loaded, but: what had to be interpreted, where, and how often. */
typedef struct bp_warning {
    bp_rule rule;
    uint32_t count;      /**< how many vertices, keys, chunks … at this place; at least 1 */
    int64_t offset;      /**< byte offset in the file, or -1 when the place is `pointer` */
    const char *pointer; /**< JSON pointer; "" is the whole document */
    const char *message; /**< one sentence, one line, with the first culprit's index */
} bp_warning;

/* ---- documents ------------------------------------------------------------------------------- */

/**
 * Asset. A parsed file: container, JSON tree, buffers. Opaque; see the functions below.
 */
typedef struct bp_document bp_document;

/**
 * Reads a .gltf or .glb file and its external buffers; which of the two is told by content, not by
 * name.
 *
 * A buffer that cannot be had is no failure yet: reading an accessor that needs it is.
 * Safe on untrusted input.
 *
 * @param document  receives the document, or NULL on failure; release with bp_document_destroy
 * @param path      of the file; relative URIs resolve inside its folder and may not leave it
 * @param options   NULL for the defaults
 * @param error     filled on failure; may be NULL
 * @return BP_OK; BP_ERROR_IO, _FORMAT, _LIMIT, _UNSUPPORTED, _OUT_OF_MEMORY. Thread safe.
 */
BP_API bp_result bp_document_load_file(bp_document **document, const char *path,
                                       const bp_load_options *options, bp_error *error);

/**
 * The same from memory; the bytes must stay valid for the life of the document.
 */
BP_API bp_result bp_document_load_memory(bp_document **document, const void *bytes, size_t size,
                                         const bp_load_options *options, bp_error *error);

/** Releases everything; NULL is allowed. */
BP_API void bp_document_destroy(bp_document *document);

/** True when the file is a GLB container. */
BP_API bool bp_document_is_glb(const bp_document *document);

/** Size of the file in bytes, without external files. */
BP_API size_t bp_document_file_size(const bp_document *document);

/** What the container and the buffers made the reader say; `*count` receives how many. */
BP_API const bp_warning *bp_document_warnings(const bp_document *document, size_t *count);

/* ---- the JSON tree -------------------------------------------------------------------------- */

/**
 * Value. A JSON value of one document, by number; the root object is 0. The functions below accept
 * BP_JSON_NONE and answer as for an absent value, so that look-ups can be chained.
 */
typedef uint32_t bp_json;
#define BP_JSON_NONE UINT32_MAX

typedef enum bp_json_type {
    BP_JSON_ABSENT = 0, /**< of BP_JSON_NONE */
    BP_JSON_NULL,
    BP_JSON_FALSE,
    BP_JSON_TRUE,
    BP_JSON_NUMBER,
    BP_JSON_STRING,
    BP_JSON_ARRAY,
    BP_JSON_OBJECT
} bp_json_type;

BP_API bp_json_type bp_json_type_of(const bp_document *document, bp_json value);

/** The member of an object; BP_JSON_NONE when absent or not an object. The first of equal keys. */
BP_API bp_json bp_json_member(const bp_document *document, bp_json object, const char *key);

/** Number of elements of an array, or of members of an object; else 0. Cost: linear. */
BP_API uint32_t bp_json_count(const bp_document *document, bp_json container);

/** First element of an array, or value of the first member of an object; BP_JSON_NONE if none. */
BP_API bp_json bp_json_first(const bp_document *document, bp_json container);

/** The value after `value` in `container`; BP_JSON_NONE at the end. */
BP_API bp_json bp_json_next(const bp_document *document, bp_json container, bp_json value);

/**
 * Element of an array by index; BP_JSON_NONE when out of range. O(1) in the arrays of the root
 * object ("nodes", "accessors", …), linear in any other.
 */
BP_API bp_json bp_json_element(const bp_document *document, bp_json array, uint32_t index);

/** A number; false (and `*number` untouched) when the value is not one. Correctly rounded. */
BP_API bool bp_json_number(const bp_document *document, bp_json value, double *number);

/** A number without a fraction in [0, 2^53]; 1e0 and 2.0 count. False otherwise. */
BP_API bool bp_json_integer(const bp_document *document, bp_json value, uint64_t *integer);

/** True when the value is a string equal to `text` (escapes decoded). */
BP_API bool bp_json_equals(const bp_document *document, bp_json value, const char *text);

/**
 * Decodes a string to UTF-8.
 *
 * U+0000 and lone surrogates come out as U+FFFD, so the result never ends early.
 *
 * @param text  at least `size` bytes; always terminated when size > 0, cut at a whole character
 * @return length of the whole decoded text; 0 when the value is not a string
 */
BP_API size_t bp_json_string(const bp_document *document, bp_json value, char *text, size_t size);

/** Like bp_json_string, for the key under which an object holds `value`. */
BP_API size_t bp_json_key(const bp_document *document, bp_json value, char *text, size_t size);

/** The JSON text of a value as the file has it. Valid as long as the document. */
BP_API bp_bytes bp_json_text(const bp_document *document, bp_json value);

/** The JSON pointer (RFC 6901) of a value; otherwise as bp_json_string. Cost: linear. */
BP_API size_t bp_json_pointer(const bp_document *document, bp_json value, char *text, size_t size);

/* ---- accessors ------------------------------------------------------------------------------ */

/** glTF's component types. */
typedef enum bp_component_type {
    BP_COMPONENT_I8 = 5120,
    BP_COMPONENT_U8 = 5121,
    BP_COMPONENT_I16 = 5122,
    BP_COMPONENT_U16 = 5123,
    BP_COMPONENT_U32 = 5125,
    BP_COMPONENT_F32 = 5126
} bp_component_type;

/** glTF's element types. */
typedef enum bp_element_type {
    BP_ELEMENT_SCALAR = 0,
    BP_ELEMENT_VEC2,
    BP_ELEMENT_VEC3,
    BP_ELEMENT_VEC4,
    BP_ELEMENT_MAT2,
    BP_ELEMENT_MAT3,
    BP_ELEMENT_MAT4
} bp_element_type;

/** Value. An accessor whose every byte has been found inside its buffer. */
typedef struct bp_accessor {
    bp_json place; /**< the accessor object */
    bp_component_type component_type;
    bp_element_type element_type;
    bool normalized;
    uint32_t count;            /**< elements */
    uint32_t component_count;  /**< per element: 1 … 16 */
    const unsigned char *data; /**< first element; NULL: zeros (no buffer view) */
    size_t stride;             /**< bytes from element to element */
    uint32_t sparse_count;
    bp_component_type sparse_index_type;
    const unsigned char *sparse_indices;
    const unsigned char *sparse_values; /**< tightly packed elements */
} bp_accessor;

/**
 * Finds accessor `index` and checks every byte that reading it will touch, sparse indices included.
 *
 * @param place  where the reference stands, for the error; BP_JSON_NONE: the accessor itself
 * @return BP_OK; BP_ERROR_FORMAT, _IO (its buffer could not be had), _UNSUPPORTED. Thread safe.
 */
BP_API bp_result bp_document_accessor(const bp_document *document, uint32_t index, bp_json place,
                                      bp_accessor *accessor, bp_error *error);

/**
 * Decodes all elements to floats: integers by value, or by the rule of normalized integers
 * (max(c / 127, -1) and so on, glTF 2.0, 3.11), sparse overrides applied, matrix padding skipped.
 *
 * @param values  count * stride_floats floats (the last element needs only component_count)
 * @param stride_floats  floats from element to element; 0: component_count
 */
BP_API void bp_accessor_read_floats(const bp_accessor *accessor, float *values,
                                    size_t stride_floats);

/** Decodes all elements of an unsigned integer accessor by value; others read as 0. */
BP_API void bp_accessor_read_integers(const bp_accessor *accessor, uint32_t *values,
                                      size_t stride_integers);

/**
 * The bytes of buffer view `index`, decompressed where EXT_meshopt_compression or
 * KHR_meshopt_compression says so. Errors as bp_document_accessor.
 */
BP_API bp_result bp_document_buffer_view(const bp_document *document, uint32_t index, bp_json place,
                                         bp_bytes *bytes, bp_error *error);

#ifdef __cplusplus
}
#endif

#endif
