// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Loading: from a file, from memory, through callbacks. After it the document is never written to.
 */
#include "document/document_internal.h"

#include <assert.h>

/* ---- the parts of a load --------------------------------------------------------------------- */

bp_limits bpi_limits_complete(bp_limits limits) {
    if (limits.file_bytes == 0) limits.file_bytes = UINT32_MAX;
    if (limits.memory_bytes == 0) limits.memory_bytes = UINT64_C(4) << 30;
    if (limits.json_depth == 0) limits.json_depth = 256;
    if (limits.nodes == 0) limits.nodes = 16777216;
    if (limits.vertices == 0) limits.vertices = 16777216;
    return limits;
}

bp_result bpi_load_out_of_memory(const bpi_load *load, const char *what) {
    bp_result result = bpi_memory_failure(&load->document->memory);
    return bpi_fail(load->error, result, NULL, BPI_NO_OFFSET, NULL, "no memory for %s%s", what,
                    result == BP_ERROR_LIMIT ? " within limits.memory_bytes" : "");
}

/* An empty document, and all that the load needs besides. */
static bp_result begin(bpi_load *load, const bp_load_options *options, bp_error *error) {
    static const bp_load_options defaults;
    *load = (bpi_load){.options = options ? options : &defaults, .error = error};
    load->limits = bpi_limits_complete(load->options->limits);
    assert(!load->options->allocator.allocate == !load->options->allocator.release);
    bpi_memory memory = bpi_memory_make(&load->options->allocator, load->limits.memory_bytes);
    bp_document *document = bpi_memory_take(&memory, sizeof *document);
    if (!document)
        return bpi_fail(error, bpi_memory_failure(&memory), NULL, BPI_NO_OFFSET, NULL,
                        "no memory for a document");
    *document = (bp_document){.memory = memory, .files = load->options->files};
    document->arena = bpi_arena_make(&document->memory);
    load->document = document;
    load->report.arena = &document->arena;
    return BP_OK;
}

/* Tells a GLB from JSON by content; where it is neither, the name tells which was meant. */
static bool looks_like_glb(const bpi_load *load) {
    bp_bytes file = load->document->file.bytes;
    if (bpi_glb_has_magic(file)) return true;
    if (file.size == 0) return load->named_glb;
    if (file.size < 4 && memcmp(file.data, "glTF", file.size) == 0) return true;
    unsigned char c = file.data[0];
    bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    bool text = space || (c >= 0x20 && c < 0x7F) || c == 0xEF;
    return !text || (load->named_glb && c != '{' && !space);
}

static bp_result read_container(bpi_load *load, bp_bytes *text, size_t *offset) {
    bp_document *document = load->document;
    bp_bytes file = document->file.bytes;
    *text = file;
    *offset = 0;
    if (!looks_like_glb(load)) return BP_OK;
    document->is_glb = true;
    if (file.size >= 4 && !bpi_glb_has_magic(file))
        return bpi_fail(load->error, BP_ERROR_FORMAT, bp_rule_name(BP_RULE_GLB_INVALID_MAGIC), 0,
                        NULL, "neither a GLB, which starts with \"glTF\", nor JSON");
    return bpi_glb_read(load, text, offset);
}

/* Everything after the file's bytes are there. */
static bp_result build(bpi_load *load) {
    bp_document *document = load->document;
    bp_bytes text;
    size_t offset;
    bp_result result = read_container(load, &text, &offset);
    if (result == BP_OK) {
        result = bpi_json_parse(&document->json, &document->memory, text, (int64_t)offset,
                                load->limits.json_depth, load->error);
    }
    if (result == BP_OK) {
        document->json_offset = (size_t)(document->json.text - document->file.bytes.data);
        result = bpi_json_tables_build(load);
    }
    if (result == BP_OK) result = bpi_buffers_load(load);
    if (result == BP_OK) result = bpi_views_load(load);
    if (result == BP_OK && !bpi_report_finish(&load->report, document))
        result = bpi_fail(load->error, load->report.failure, NULL, BPI_NO_OFFSET, NULL,
                          "no memory for the warnings of the load");
    if (result != BP_OK) return result;
    document->warnings = load->report.warnings;
    document->warning_count = load->report.count;
    return BP_OK;
}

static bp_result finish(bpi_load *load, bp_result result, bp_document **document) {
    if (result == BP_OK)
        *document = load->document;
    else
        bp_document_destroy(load->document);
    return result;
}

/* Where relative URIs start: the path up to its last separator. */
static void set_folder(bpi_load *load, const char *path) {
    size_t length = strlen(path);
    load->named_glb = length >= 4 && path[length - 4] == '.' && (path[length - 3] | 32) == 'g' &&
                      (path[length - 2] | 32) == 'l' && (path[length - 1] | 32) == 'b';
    while (length > 0 && path[length - 1] != '/'
#if defined(_WIN32)
           && path[length - 1] != '\\'
#endif
    )
        --length;
    load->folder = length > 0 ? path : ".";
    load->folder_length = length > 0 ? length : 1;
}

static bp_result read_main_file(bpi_load *load, const char *path) {
    bp_document *document = load->document;
    bpi_source *file = &document->file;
    if (!document->files.read) {
        bpi_file_failure failure;
        bpi_file_request request = {
            .path = path, .limit = load->limits.file_bytes, .most = UINT64_MAX};
        bp_result result = bpi_file_read(&document->memory, &request, file, &failure);
        if (result == BP_OK) return BP_OK;
        return bpi_fail(load->error, result, bp_rule_name(failure.rule), BPI_NO_OFFSET, NULL, "%s",
                        failure.reason);
    }
    bp_result result = document->files.read(document->files.user, path, &file->bytes);
    if (result != BP_OK)
        return bpi_fail(load->error, result, bp_rule_name(BP_RULE_IO_ERROR), BPI_NO_OFFSET, NULL,
                        "the file callback could not read it (%s)", bp_result_name(result));
    bpi_source_own(document, file);
    if (file->bytes.size <= load->limits.file_bytes) return BP_OK;
    return bpi_fail(load->error, BP_ERROR_LIMIT, NULL, BPI_NO_OFFSET, NULL,
                    "larger than limits.file_bytes allows");
}

/* ---- the public functions -------------------------------------------------------------------- */

bp_result bp_document_load_file(bp_document **document, const char *path,
                                const bp_load_options *options, bp_error *error) {
    bpi_load load;
    assert(document && path);
    *document = NULL;
    bp_result result = begin(&load, options, error);
    if (result != BP_OK) return result;
    set_folder(&load, path);
    result = read_main_file(&load, path);
    if (result == BP_OK) result = build(&load);
    return finish(&load, result, document);
}

bp_result bp_document_load_memory(bp_document **document, const void *bytes, size_t size,
                                  const bp_load_options *options, bp_error *error) {
    bpi_load load;
    assert(document && (bytes || size == 0));
    *document = NULL;
    bp_result result = begin(&load, options, error);
    if (result != BP_OK) return result;
    load.folder = load.options->folder;
    if (load.folder && !*load.folder) load.folder = ".";
    load.folder_length = load.folder ? strlen(load.folder) : 0;
    load.document->file.bytes = (bp_bytes){bytes ? bytes : "", size};
    if (size > load.limits.file_bytes)
        result = bpi_fail(error, BP_ERROR_LIMIT, NULL, BPI_NO_OFFSET, NULL,
                          "%zu bytes are more than limits.file_bytes allows", size);
    if (result == BP_OK) result = build(&load);
    return finish(&load, result, document);
}

void bpi_source_own(bp_document *document, bpi_source *source) {
    source->owner = BPI_OWNER_CALLBACK;
    if (source->bytes.data) return;
    bpi_source_release(document, source);
    source->bytes.data = (const unsigned char *)"";
}

void bpi_source_release(bp_document *document, bpi_source *source) {
    if (source->owner == BPI_OWNER_MEMORY)
        bpi_memory_give(&document->memory, (void *)(uintptr_t)source->bytes.data, source->taken);
    else if (source->owner == BPI_OWNER_CALLBACK && document->files.release)
        document->files.release(document->files.user, source->bytes);
    *source = (bpi_source){0};
}

void bp_document_destroy(bp_document *document) {
    if (!document) return;
    for (uint32_t i = 0; i < document->view_count; ++i) {
        bpi_view *view = &document->views[i];
        if (view->buffer == UINT32_MAX)
            bpi_memory_give(&document->memory, (void *)(uintptr_t)view->bytes.data,
                            view->bytes.size);
    }
    for (uint32_t i = 0; i < document->buffer_count; ++i)
        bpi_source_release(document, &document->buffers[i].source);
    bpi_json_index_release(&document->json, &document->memory);
    bpi_arena_release(&document->arena);
    bpi_source_release(document, &document->file);
    bpi_memory memory = document->memory;
    assert(memory.held == sizeof *document);
    bpi_memory_give(&memory, document, sizeof *document);
}

bool bp_document_is_glb(const bp_document *document) {
    return document->is_glb;
}

size_t bp_document_file_size(const bp_document *document) {
    return document->file.bytes.size;
}

const bp_warning *bp_document_warnings(const bp_document *document, size_t *count) {
    *count = document->warning_count;
    return document->warnings;
}

uint64_t bpi_document_memory_held(const bp_document *document) {
    return document->memory.held;
}
