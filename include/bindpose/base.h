/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the bindpose authors */

/**
 * base: results, errors, memory. Every other header takes this one in.
 *
 * bindpose knows three kinds of types, and the comment of each says which it is:
 *   Value  a plain struct in the caller's memory;
 *   Asset  read-only plain data from one load or build, released by one call, shareable between
 *          threads;
 *   State  opaque, created and destroyed, used by one thread at a time.
 *
 * Options structs: NULL and `{0}` both mean the defaults; the comment of each field ends with its
 * default. Zero-initialise every options, job and desc struct: fields may be added.
 *
 * Versions: until 1.0 a new minor version may change any interface, a new patch version none. A
 * program that links the shared library can compare BP_VERSION with bp_version().
 */
#ifndef BINDPOSE_BASE_H
#define BINDPOSE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BP_VERSION_MAJOR 0
#define BP_VERSION_MINOR 1
#define BP_VERSION_PATCH 0
#define BP_VERSION ((BP_VERSION_MAJOR * 1000 + BP_VERSION_MINOR) * 1000 + BP_VERSION_PATCH)

#if defined(_WIN32) && defined(BP_SHARED)
#if defined(BP_BUILDING)
#define BP_API __declspec(dllexport)
#else
#define BP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && defined(BP_SHARED)
#define BP_API __attribute__((visibility("default")))
#else
#define BP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** BP_VERSION of the library that is linked. Thread safe. */
BP_API uint32_t bp_version(void);

/** What a fallible function returns. */
typedef enum bp_result {
    BP_OK = 0,
    BP_ERROR_ARGUMENT,      /**< a description given by the caller breaks its documented rules */
    BP_ERROR_OUT_OF_MEMORY, /**< the allocator returned NULL */
    BP_ERROR_LIMIT,         /**< a limit of the load options would be exceeded */
    BP_ERROR_IO,            /**< a file could not be opened, read, or is not to be read */
    BP_ERROR_FORMAT,        /**< the bytes break a rule that leaves them without a meaning */
    BP_ERROR_UNSUPPORTED    /**< legal, but needs an extension or a component that is not there */
} bp_result;

/**
 * Name of a result, for messages: "out of memory".
 *
 * @return a static string, never NULL. Thread safe.
 */
BP_API const char *bp_result_name(bp_result result);

/**
 * Value. Where and why something failed: one place, one sentence, one line.
 *
 * Text that came from a file is shortened to fit and has its control characters replaced, so
 * `message` never breaks a line and is always valid UTF-8.
 */
typedef struct bp_error {
    bp_result result;
    const char *rule;  /**< bp_rule_name of the broken rule, "ACCESSOR_TOO_LONG"; "" if none */
    int64_t offset;    /**< byte offset in the file, or -1 when the place is `pointer` */
    char pointer[224]; /**< JSON pointer (RFC 6901) of the culprit; "" is the whole document */
    char message[384]; /**< what is wrong; what would help */
} bp_error;

/**
 * Writes "WHERE: MESSAGE" for eyes, where WHERE is the JSON pointer, "byte N", or left out when
 * the whole input is meant.
 *
 * @param text  at least `size` bytes; always terminated when size > 0; may be NULL when size is 0
 * @return the length that the whole text has, as snprintf does. Thread safe.
 */
BP_API size_t bp_error_format(char *text, size_t size, const bp_error *error);

/**
 * Value. Where memory comes from. All zero: malloc and free.
 *
 * `allocate` returns memory aligned for any standard type (16 bytes on 64-bit machines), or NULL.
 * `release` gets the size that was asked for. Both are called from the thread that calls bindpose.
 */
typedef struct bp_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} bp_allocator;

#ifdef __cplusplus
}
#endif

#endif
