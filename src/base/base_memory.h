// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Memory of one load or build: a counted allocator with a limit, a growing arena for what dies with
 * the load, a layout that turns an asset into one block, and that block.
 *
 * An asset is laid out twice by the same function: first over a layout without memory, which only
 * measures, then over the block, which hands out addresses. Filling comes after and is separate.
 */
#ifndef BPI_BASE_MEMORY_H
#define BPI_BASE_MEMORY_H

#include "bindpose/base.h"

/* Counts what is held at once and refuses more than the limit. */
typedef struct bpi_memory {
    bp_allocator allocator; /* complete: both functions set */
    uint64_t held;
    uint64_t limit;
    bool limit_hit; /* the last NULL was the limit's, not the allocator's */
} bpi_memory;

/* allocator NULL or with no functions: malloc and free. limit 0: none. */
bpi_memory bpi_memory_make(const bp_allocator *allocator, uint64_t limit);

/* NULL when the limit or the allocator says no; contents undefined. size 0 counts as 1. */
void *bpi_memory_take(bpi_memory *memory, size_t size);
void bpi_memory_give(bpi_memory *memory, void *pointer, size_t size);

/* What a NULL from this memory means: BP_ERROR_LIMIT or BP_ERROR_OUT_OF_MEMORY. */
bp_result bpi_memory_failure(const bpi_memory *memory);

/* Temporary memory: chunks that are freed together. */
typedef struct bpi_arena {
    bpi_memory *memory;
    struct bpi_arena_chunk *chunks;
} bpi_arena;

bpi_arena bpi_arena_make(bpi_memory *memory);

/* Zeroed, aligned to 16; NULL on failure or overflow of count * size. count 0 gives an address. */
void *bpi_arena_take(bpi_arena *arena, size_t count, size_t size);
void bpi_arena_release(bpi_arena *arena);

/* A layout: with base NULL it measures, else it hands out parts of the block at base. */
typedef struct bpi_layout {
    unsigned char *base;
    size_t size;
    bool overflow; /* the size does not fit in size_t */
} bpi_layout;

/* Zeroed room for count elements of `size` bytes, aligned to 16; NULL while measuring and for
 * count 0. */
void *bpi_layout_take(bpi_layout *layout, size_t count, size_t size);

/* The same for what is large and filled throughout: the contents are undefined. */
void *bpi_layout_take_unset(bpi_layout *layout, size_t count, size_t size);

/* Copies `length` bytes and a terminator into the layout; NULL while measuring. */
const char *bpi_layout_text(bpi_layout *layout, const char *text, size_t length);

/* One block, for a layout to hand out, that remembers its allocator and size, aligned to
 * 16. */
void *bpi_block_create(bpi_memory *memory, size_t size);
void bpi_block_destroy(const void *block); /* NULL is allowed */
size_t bpi_block_size(const void *block);

/* a * b + c without overflow; false when it does not fit. */
bool bpi_size_muladd(size_t *result, size_t a, size_t b, size_t c);

#endif
