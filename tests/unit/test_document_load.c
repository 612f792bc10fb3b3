// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* document, loading: the GLB container, data URIs, buffers, limits, failing memory. */
#include "document/document_internal.h"
#include "test_allocator.h"
#include "test_document_source.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- GLB ------------------------------------------------------------------------------------- */

typedef struct glb {
    unsigned char bytes[1024];
    size_t size;
} glb;

static void put_u32(glb *file, uint32_t value) {
    for (int i = 0; i < 4; ++i)
        file->bytes[file->size++] = (unsigned char)(value >> (8 * i));
}

static void put_bytes(glb *file, const char *bytes, size_t size) {
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void put_chunk(glb *file, const char type[4], const char *bytes, size_t size) {
    put_u32(file, (uint32_t)size);
    put_bytes(file, type, 4);
    put_bytes(file, bytes, size);
}

/* A header that declares the real size plus `more`. */
static void set_header(glb *file, uint32_t version, int more) {
    size_t size = file->size;
    file->size = 0;
    put_bytes(file, "glTF", 4);
    put_u32(file, version);
    put_u32(file, (uint32_t)((int)size + more));
    file->size = size;
}

/* JSON that has one buffer of four bytes, all of them in view 0; a multiple of 4 bytes. */
#define ONE_BUFFER                                                                                 \
    "{\"buffers\":[{\"byteLength\":4}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4}]}  "

static glb make_glb(bool with_bin) {
    glb file = {.size = 12};
    put_chunk(&file, "JSON", ONE_BUFFER, strlen(ONE_BUFFER));
    if (with_bin) put_chunk(&file, "BIN", "\1\2\3\4", 4);
    set_header(&file, 2, 0);
    return file;
}

static bp_document *load_glb(const glb *file) {
    bp_document *document;
    bp_error error;
    if (bp_document_load_memory(&document, file->bytes, file->size, NULL, &error) != BP_OK)
        fail_msg("%s", error.message);
    assert_true(bp_document_is_glb(document));
    return document;
}

static void refuse_glb(const glb *file, bp_rule rule, int64_t offset) {
    bp_document *document;
    bp_error error;
    unsigned char *copy = malloc(file->size ? file->size : 1); /* for the sanitizer */
    memcpy(copy, file->bytes, file->size);
    assert_int_equal(bp_document_load_memory(&document, copy, file->size, NULL, &error),
                     BP_ERROR_FORMAT);
    assert_null(document);
    assert_string_equal(error.rule, bp_rule_name(rule));
    assert_int_equal(error.offset, offset);
    free(copy);
}

static void test_glb(void **state) {
    (void)state;
    assert_int_equal(strlen(ONE_BUFFER) % 4, 0);
    glb file = make_glb(true);
    bp_document *document = load_glb(&file);
    assert_int_equal(bp_document_file_size(document), file.size);
    bp_bytes bytes = test_first_view(document);
    assert_ptr_equal(bytes.data, file.bytes + file.size - 4); /* not a copy */
    assert_int_equal(bytes.size, 4);
    test_no_warning(document);
    bp_document_destroy(document);
    bp_document_destroy(NULL);
}

static void test_glb_headers(void **state) {
    (void)state;
    glb file = make_glb(true);
    for (size_t size = 1; size < 12; ++size) {
        glb cut = file;
        cut.size = size;
        refuse_glb(&cut, BP_RULE_GLB_UNEXPECTED_END_OF_HEADER, (int64_t)size);
    }
    glb wrong = file;
    memset(wrong.bytes, 0, 4);
    refuse_glb(&wrong, BP_RULE_GLB_INVALID_MAGIC, 0);
    wrong = file;
    set_header(&wrong, 1, 0);
    refuse_glb(&wrong, BP_RULE_GLB_INVALID_VERSION, 4);
    wrong = file;
    set_header(&wrong, 2, -(int)file.size + 12);
    refuse_glb(&wrong, BP_RULE_GLB_LENGTH_TOO_SMALL, 8);
    wrong = file;
    set_header(&wrong, 2, 1);
    refuse_glb(&wrong, BP_RULE_GLB_LENGTH_MISMATCH, (int64_t)file.size);
}

/* Cut anywhere behind the header: within the JSON, the second chunk's header, its data. */
static void test_glb_truncated(void **state) {
    (void)state;
    glb file = make_glb(true);
    const size_t bin = 20 + strlen(ONE_BUFFER);
    for (size_t size = 12; size < file.size; ++size) {
        glb cut = file;
        cut.size = size;
        bp_rule rule = BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_DATA;
        if (size < 20 || (size > bin && size < bin + 8))
            rule = BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_HEADER;
        if (size == 12 || size == bin) rule = BP_RULE_GLB_LENGTH_MISMATCH;
        refuse_glb(&cut, rule, (int64_t)size);
    }
}

static void test_glb_chunks(void **state) {
    (void)state;
    const size_t second = 20 + strlen(ONE_BUFFER);
    glb file = {.size = 12};
    put_chunk(&file, "BIN", "\1\2\3\4", 4);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_GLB_UNEXPECTED_FIRST_CHUNK, 12);
    file = (glb){.size = 12};
    put_chunk(&file, "JSON", "", 0);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_GLB_EMPTY_CHUNK, 12);
    file = make_glb(false);
    put_chunk(&file, "JSON", "{}  ", 4);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_GLB_DUPLICATE_CHUNK, (int64_t)second);
    file = make_glb(true);
    put_chunk(&file, "BIN", "", 0);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_GLB_DUPLICATE_CHUNK, (int64_t)second + 12);
    file = make_glb(true);
    set_header(&file, 2, -1); /* the chunk passes the declared end, not the file's */
    refuse_glb(&file, BP_RULE_GLB_CHUNK_TOO_BIG, (int64_t)second);
    file = make_glb(true);
    memset(file.bytes + second, 0xFF, 4); /* 4 GiB - 1 */
    refuse_glb(&file, BP_RULE_GLB_CHUNK_TOO_BIG, (int64_t)second);
}

/* The place of a mistake in the JSON is told in bytes of the file. */
static void test_glb_json_offset(void **state) {
    (void)state;
    glb file = {.size = 12};
    put_chunk(&file, "JSON", " {]  ", 5);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_INVALID_JSON, 22);
    file = (glb){.size = 12};
    put_chunk(&file, "JSON", "\xEF\xBB\xBF{}   ", 8);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_INVALID_JSON, 20);
    file = (glb){.size = 12};
    put_chunk(&file, "JSON", "{}\0\0\0\0  ", 8);
    set_header(&file, 2, 0);
    refuse_glb(&file, BP_RULE_INVALID_JSON, 22);
}

static void expect_glb_warning(glb *file, int more, bp_rule rule, size_t offset) {
    set_header(file, 2, more);
    bp_document *document = load_glb(file);
    const bp_warning *warning = test_only_warning(document, rule);
    assert_int_equal(warning->offset, (int64_t)offset);
    assert_string_equal(warning->pointer, "");
    assert_int_equal(warning->count, 1);
    assert_memory_equal(test_first_view(document).data, "\1\2\3\4", 4);
    bp_document_destroy(document);
}

/* What is broken and can be read all the same. */
static void test_glb_contained(void **state) {
    (void)state;
    const size_t second = 20 + strlen(ONE_BUFFER);
    glb file = make_glb(true);
    put_bytes(&file, "more", 4);
    expect_glb_warning(&file, -4, BP_RULE_GLB_EXTRA_DATA, second + 12);
    file = make_glb(true);
    put_bytes(&file, "more", 4);
    expect_glb_warning(&file, 0, BP_RULE_GLB_UNEXPECTED_END_OF_CHUNK_HEADER, second + 12);
    file = make_glb(true);
    put_chunk(&file, "what", "....", 4);
    expect_glb_warning(&file, 0, BP_RULE_GLB_UNKNOWN_CHUNK_TYPE, second + 12);
    file = (glb){.size = 12};
    put_chunk(&file, "JSON", ONE_BUFFER, strlen(ONE_BUFFER) - 1);
    put_chunk(&file, "BIN", "\1\2\3\4", 4);
    expect_glb_warning(&file, 0, BP_RULE_GLB_CHUNK_LENGTH_UNALIGNED, 12);
    file = make_glb(false); /* the last byte of the JSON, a space, becomes a zero */
    file.bytes[file.size - 1] = 0;
    put_chunk(&file, "BIN", "\1\2\3\4", 4);
    expect_glb_warning(&file, 0, BP_RULE_INVALID_JSON, second - 1);
}

static void test_glb_misplaced_bin(void **state) {
    (void)state;
    glb file = make_glb(false);
    put_chunk(&file, "what", "", 0);
    put_chunk(&file, "BIN", "\1\2\3\4", 4);
    set_header(&file, 2, 0);
    bp_document *document = load_glb(&file);
    size_t count;
    const bp_warning *warnings = bp_document_warnings(document, &count);
    assert_int_equal(count, 2);
    assert_int_equal(warnings[0].rule, BP_RULE_GLB_UNKNOWN_CHUNK_TYPE);
    assert_int_equal(warnings[1].rule, BP_RULE_GLB_UNEXPECTED_BIN_CHUNK);
    assert_memory_equal(test_first_view(document).data, "\1\2\3\4", 4);
    bp_document_destroy(document);
}

static void test_glb_buffers(void **state) {
    (void)state;
    glb file = make_glb(false);
    bp_document *document = load_glb(&file);
    test_view_fault(document, BP_ERROR_FORMAT, BP_RULE_BUFFER_MISSING_GLB_DATA, "/buffers/0");
    bp_document_destroy(document);
    file = make_glb(false);
    put_chunk(&file, "BIN", "", 0);
    set_header(&file, 2, 0);
    document = load_glb(&file);
    test_only_warning(document, BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH);
    test_view_fault(document, BP_ERROR_FORMAT, BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH,
                    "/bufferViews/0");
    bp_document_destroy(document);
}

/* ---- JSON buffers ---------------------------------------------------------------------------- */

static void test_data_uris(void **state) {
    (void)state;
    static const struct {
        const char *uri, *bytes;
        unsigned size;
    } cases[] = {
        {"data:application/octet-stream;base64,AQIDBA==", "\1\2\3\4", 4},
        {"data:application/gltf-buffer;base64,AQID", "\1\2\3", 3},
        {"data:;base64,AQIDBA", "\1\2\3\4", 4}, /* no padding */
        {"data:;base64,AQIDBAU", "\1\2\3\4\5", 5},
        {"data:;base64,AQIDBAU=", "\1\2\3\4\5", 5},
        {"DATA:;BASE64,+/+/", "\xFB\xFF\xBF", 3},
        {"data:;base64,\\/\\/\\/\\/", "\xFF\xFF\xFF", 3}, /* JSON's escapes */
        {"data:;base64,AQIDBA%3D%3D", "\1\2\3\4", 4},     /* the URI's */
        {"data:;base64,%41QID", "\1\2\3", 3},
        {"data:application/gltf-buffer,0", "0", 1},
        {"data:,a%20b%00%ff", "a b\0\xFF", 5},
        {"data:,100%", "100%", 4},
        {"data:a;b=c;base64,AQID", "\1\2\3", 3},
        {"data:application/octet-stream;;base64,AQID", "\1\2\3", 3},
    };
    char json[8192];
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_document *document;
        bp_error error;
        if (test_document_load_uri(&document, json, cases[i].uri, cases[i].size, NULL, &error) !=
            BP_OK)
            fail_msg("%s: %s", cases[i].uri, error.message);
        assert_int_equal(test_first_view(document).size, cases[i].size);
        assert_memory_equal(test_first_view(document).data, cases[i].bytes, cases[i].size);
        test_no_warning(document);
        bp_document_destroy(document);
    }
}

static void test_invalid_data_uris(void **state) {
    (void)state;
    static const char *const uris[] = {
        "data:",
        "data:application/octet-stream",
        "data:;base64",
        "data:;base64,A",
        "data:;base64,AQIDB",
        "data:;base64,AQ*D",
        "data:;base64,AQ D",
        "data:;base64,AQ-_",
        "data:;base64,AQ==AQ==",
        "data:;base64,A===",
        "data:;base64,AQ=",
        "data:;base64,AQID=",
        "data:;base64,====",
        "data:;base64,AQ\xC3\xA9=",
    };
    char json[8192];
    for (size_t i = 0; i < COUNT(uris); ++i) {
        bp_document *document;
        assert_int_equal(test_document_load_uri(&document, json, uris[i], 1, NULL, NULL), BP_OK);
        test_view_fault(document, BP_ERROR_FORMAT, BP_RULE_INVALID_URI, "/buffers/0/uri");
        bp_document_destroy(document);
    }
}

/* All bytes, against an encoder that is written here. */
static void test_base64_of_every_length(void **state) {
    (void)state;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char json[8192], uri[1024] = "data:;base64,";
    unsigned char bytes[260];
    for (unsigned i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)(i * 167 + 13);
    for (unsigned size = 1; size < sizeof bytes; ++size) {
        size_t used = 13;
        for (unsigned bit = 0; bit < size * 8; bit += 6) {
            unsigned pair = (unsigned)bytes[bit / 8] << 8;
            if (bit / 8 + 1 < size) pair |= bytes[bit / 8 + 1];
            uri[used++] = digits[pair >> (10 - bit % 8) & 63];
        }
        while ((used - 13) % 4 != 0)
            uri[used++] = '=';
        uri[used] = '\0';
        bp_document *document;
        assert_int_equal(test_document_load_uri(&document, json, uri, size, NULL, NULL), BP_OK);
        assert_memory_equal(test_first_view(document).data, bytes, size);
        bp_document_destroy(document);
    }
}

static void test_buffer_lengths(void **state) {
    (void)state;
    static const struct {
        const char *buffer;
        bp_rule warning, fault; /* or none */
        const char *pointer;    /* of the warning */
    } cases[] = {
        {"{\"uri\":\"data:,abcd\",\"byteLength\":4}", BP_RULE_NONE, BP_RULE_NONE, ""},
        {"{\"uri\":\"data:,abcdef\",\"byteLength\":4}", BP_RULE_NONE, BP_RULE_NONE, ""},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":4.0}", BP_RULE_NONE, BP_RULE_NONE, ""},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":3}", BP_RULE_NONE, BP_RULE_BUFFER_VIEW_TOO_LONG,
         ""},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":5}", BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH,
         BP_RULE_NONE, "/buffers/0"},
        {"{\"uri\":\"data:,abc\",\"byteLength\":4000000000000}",
         BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH, BP_RULE_BUFFER_BYTE_LENGTH_MISMATCH, "/buffers/0"},
        {"{\"uri\":\"data:,abcd\"}", BP_RULE_UNDEFINED_PROPERTY, BP_RULE_NONE, "/buffers/0"},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":\"4\"}", BP_RULE_TYPE_MISMATCH, BP_RULE_NONE,
         "/buffers/0/byteLength"},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":-4}", BP_RULE_VALUE_NOT_IN_RANGE, BP_RULE_NONE,
         "/buffers/0/byteLength"},
        {"{\"uri\":\"data:,abcd\",\"byteLength\":0}", BP_RULE_VALUE_NOT_IN_RANGE,
         BP_RULE_BUFFER_VIEW_TOO_LONG, "/buffers/0/byteLength"},
        {"{\"byteLength\":4}", BP_RULE_NONE, BP_RULE_UNDEFINED_PROPERTY, ""},
        {"{\"uri\":7,\"byteLength\":4}", BP_RULE_NONE, BP_RULE_TYPE_MISMATCH, ""},
        {"[4]", BP_RULE_NONE, BP_RULE_TYPE_MISMATCH, ""},
        {"null", BP_RULE_NONE, BP_RULE_TYPE_MISMATCH, ""},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        char json[256];
        snprintf(json, sizeof json,
                 "{\"buffers\":[%s],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4}]}",
                 cases[i].buffer);
        bp_document *document;
        bp_bytes bytes;
        bp_error error = {.rule = ""};
        assert_int_equal(bp_document_load_memory(&document, json, strlen(json), NULL, NULL), BP_OK);
        if (cases[i].warning == BP_RULE_NONE)
            test_no_warning(document);
        else
            assert_string_equal(test_only_warning(document, cases[i].warning)->pointer,
                                cases[i].pointer);
        bp_result result = bp_document_buffer_view(document, 0, BP_JSON_NONE, &bytes, &error);
        assert_string_equal(error.rule, bp_rule_name(cases[i].fault));
        if (result == BP_OK) assert_memory_equal(bytes.data, "abcd", 4);
        bp_document_destroy(document);
    }
}

static void test_arrays_of_wrong_type(void **state) {
    (void)state;
    static const char json[] = "{\"buffers\":{},\"bufferViews\":1,\"accessors\":\"x\"}";
    bp_document *document;
    bp_accessor accessor;
    bp_error error;
    bp_bytes bytes;
    assert_int_equal(bp_document_load_memory(&document, json, strlen(json), NULL, NULL), BP_OK);
    size_t count;
    const bp_warning *warnings = bp_document_warnings(document, &count);
    assert_int_equal(count, 3);
    assert_string_equal(warnings[0].pointer, "/buffers");
    assert_int_equal(warnings[1].rule, BP_RULE_TYPE_MISMATCH);
    assert_int_equal(bp_document_accessor(document, 0, 0, &accessor, &error), BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "UNRESOLVED_REFERENCE");
    assert_int_equal(bp_document_buffer_view(document, 0, 0, &bytes, &error), BP_ERROR_FORMAT);
    assert_string_equal(error.rule, "UNRESOLVED_REFERENCE");
    assert_false(bp_document_is_glb(document));
    bp_document_destroy(document);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A bit of everything: escapes, external and data buffers, warnings, faults, tables. */
static const char everything[] =
    "{\"buffers\":[{\"uri\":\"a\",\"byteLength\":8},"
    "{\"uri\":\"data:;base64,\\/\\/8=\",\"byteLength\":9},{\"uri\":\"x%00\"},{},"
    "{\"uri\":\"data:,\\u0041\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":4,\"byteStride\":3},{\"buffer\":9},{},"
    "{\"buffer\":0,\"byteLength\":99},{\"buffer\":1,\"byteLength\":8},"
    "{\"buffer\":0,\"byteLength\":4,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
    "\"byteLength\":8,\"byteStride\":4,\"count\":2,\"mode\":\"ATTRIBUTES\"}}}],"
    "\"accessors\":[0,1,2,3,4,5,6,7,8,9,[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]}";

static void test_every_allocation_fails(void **state) {
    (void)state;
    size_t failures = 0;
    for (size_t fail_at = 1;; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        test_served files = {.bytes = {(const unsigned char *)"wxyz1234", 8}};
        const bp_load_options options = {.allocator = test_allocator_make(&counter),
                                         .files = {test_serve, test_take_back, &files}};
        bp_document *document = (bp_document *)1;
        bp_error error;
        bp_result result =
            bp_document_load_memory(&document, everything, strlen(everything), &options, &error);
        if (result == BP_OK) {
            assert_true(counter.count < fail_at);
            bp_document_destroy(document);
        } else {
            assert_int_equal(result, BP_ERROR_OUT_OF_MEMORY);
            assert_int_equal(error.result, result);
            assert_null(document);
            ++failures;
        }
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.held, 0);
        assert_int_equal(files.reads, files.releases);
        if (result == BP_OK) break;
    }
    assert_true(failures >= 6);
}

static void test_memory_limit(void **state) {
    (void)state;
    test_served files = {.bytes = {(const unsigned char *)"wxyz1234", 8}};
    test_allocator counter = {0};
    bp_load_options options = {.allocator = test_allocator_make(&counter),
                               .files = {test_serve, NULL, &files}};
    bp_document *document;
    bp_error error;
    assert_int_equal(
        bp_document_load_memory(&document, everything, strlen(everything), &options, NULL), BP_OK);
    bp_document_destroy(document);
    size_t peak = counter.peak;
    options.limits.memory_bytes = peak;
    assert_int_equal(
        bp_document_load_memory(&document, everything, strlen(everything), &options, NULL), BP_OK);
    bp_document_destroy(document);
    for (size_t limit = 1; limit < peak; limit += 1 + limit / 7) {
        options.limits.memory_bytes = limit;
        assert_int_equal(
            bp_document_load_memory(&document, everything, strlen(everything), &options, &error),
            BP_ERROR_LIMIT);
        assert_int_equal(counter.live, 0);
    }
    options.limits = (bp_limits){.file_bytes = strlen(everything) - 1};
    assert_int_equal(
        bp_document_load_memory(&document, everything, strlen(everything), &options, &error),
        BP_ERROR_LIMIT);
}

/* A small file that claims gigabytes takes no gigabytes. */
static void test_claims_take_no_memory(void **state) {
    (void)state;
    static const char json[] =
        "{\"buffers\":[{\"byteLength\":9007199254740992,\"uri\":\"data:,abcd\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":9007199254740992},"
        "{\"buffer\":0,\"byteLength\":4,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
        "\"byteLength\":4,\"byteStride\":256,\"count\":4294967295,\"mode\":\"ATTRIBUTES\"}}}],"
        "\"accessors\":[{\"componentType\":5126,\"count\":4294967295,\"type\":\"MAT4\"},"
        "{\"componentType\":5126,\"count\":4294967295,\"type\":\"MAT4\",\"bufferView\":1}]}";
    test_allocator counter = {0};
    const bp_load_options options = {.allocator = test_allocator_make(&counter)};
    bp_document *document;
    bp_accessor accessor;
    bp_error error;
    assert_int_equal(bp_document_load_memory(&document, json, strlen(json), &options, NULL), BP_OK);
    assert_int_equal(bp_document_accessor(document, 0, 0, &accessor, &error), BP_OK);
    assert_null(accessor.data);
    assert_int_equal(accessor.count, UINT32_MAX);
    assert_int_equal(bp_document_accessor(document, 1, 0, &accessor, &error), BP_ERROR_FORMAT);
    assert_true(counter.peak < 100000);
    bp_document_destroy(document);
    assert_int_equal(counter.live, 0);
}

/* ---- what gltf asks of URIs ------------------------------------------------------------------ */

static void test_image_uris(void **state) {
    (void)state;
    static const char json[] =
        "{\"i\":[\"data:image/png;base64,AQI=\",\"data:,x\",\"a%20b.png\",\"../x\",\"%ff\",\"\","
        "\"http://x/y\",\"data:image/p\\u006eg;x=y,\\u0041\"]}";
    bp_document *document;
    bp_error error;
    bp_bytes bytes;
    char type[16];
    const char *path = NULL;
    assert_int_equal(bp_document_load_memory(&document, json, strlen(json), NULL, NULL), BP_OK);
    bp_json uris[8];
    for (uint32_t i = 0; i < 8; ++i) {
        uris[i] = bp_json_element(document, bp_json_first(document, 0), i);
        assert_int_equal(bpi_uri_is_data(document, uris[i]), i < 2 || i == 7);
    }
    bpi_memory memory = bpi_memory_make(NULL, 0);
    bpi_arena arena = bpi_arena_make(&memory);
    static const struct {
        int uri;
        const char *type, *bytes;
    } cases[] = {{0, "image/png", "\1\2"}, {1, "", "x"}, {7, "image/png", "A"}};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_int_equal(bpi_uri_decode_data(document, uris[cases[i].uri], &arena, &bytes, type,
                                             sizeof type, &error),
                         BP_OK);
        assert_string_equal(type, cases[i].type);
        assert_int_equal(bytes.size, strlen(cases[i].bytes));
        assert_memory_equal(bytes.data, cases[i].bytes, bytes.size);
    }
    assert_int_equal(bpi_uri_decode_path(document, uris[2], true, &arena, &path, &error), BP_OK);
    assert_string_equal(path, "a b.png");
    assert_int_equal(bpi_uri_decode_path(document, uris[3], true, &arena, &path, &error),
                     BP_ERROR_IO);
    assert_string_equal(error.rule, "FILE_OUTSIDE_FOLDER");
    assert_string_equal(error.pointer, "/i/3");
    assert_int_equal(bpi_uri_decode_path(document, uris[3], false, &arena, &path, &error), BP_OK);
    assert_string_equal(path, "../x");
    assert_int_equal(bpi_uri_decode_path(document, uris[4], false, &arena, &path, &error),
                     BP_ERROR_FORMAT);
    assert_int_equal(bpi_uri_decode_path(document, uris[5], false, &arena, &path, &error),
                     BP_ERROR_FORMAT);
    assert_int_equal(bpi_uri_decode_path(document, uris[6], true, &arena, &path, &error),
                     BP_ERROR_IO);
    bpi_arena_release(&arena);
    assert_int_equal(memory.held, 0);
    bp_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glb),
        cmocka_unit_test(test_glb_headers),
        cmocka_unit_test(test_glb_truncated),
        cmocka_unit_test(test_glb_chunks),
        cmocka_unit_test(test_glb_json_offset),
        cmocka_unit_test(test_glb_contained),
        cmocka_unit_test(test_glb_misplaced_bin),
        cmocka_unit_test(test_glb_buffers),
        cmocka_unit_test(test_data_uris),
        cmocka_unit_test(test_invalid_data_uris),
        cmocka_unit_test(test_base64_of_every_length),
        cmocka_unit_test(test_buffer_lengths),
        cmocka_unit_test(test_arrays_of_wrong_type),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_claims_take_no_memory),
        cmocka_unit_test(test_image_uris),
    };
    return cmocka_run_group_tests_name("document_load", tests, NULL, NULL);
}
