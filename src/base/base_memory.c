// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "base/base_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 32 * 1024 };

struct bpi_arena_chunk {
    struct bpi_arena_chunk *next;
    size_t size; /* with this header */
    size_t used; /* with this header */
};

/* In front of every block; its size keeps the block aligned. */
typedef struct block_header {
    bp_allocator allocator;
    size_t size; /* with this header */
} block_header;

static size_t align_up(size_t size) {
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

bool bpi_size_muladd(size_t *result, size_t a, size_t b, size_t c) {
    if (b != 0 && a > (SIZE_MAX - c) / b) return false;
    *result = a * b + c;
    return true;
}

static void *default_allocate(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void default_release(void *user, void *memory, size_t size) {
    (void)user;
    (void)size;
    free(memory);
}

bpi_memory bpi_memory_make(const bp_allocator *allocator, uint64_t limit) {
    bpi_memory memory = {.allocator = {default_allocate, default_release, NULL},
                         .limit = limit ? limit : UINT64_MAX};
    if (allocator && allocator->allocate) {
        assert(allocator->release);
        memory.allocator = *allocator;
    }
    return memory;
}

void *bpi_memory_take(bpi_memory *memory, size_t size) {
    if (size == 0) size = 1;
    /* limit_hit tells of the last NULL, also after later successes. */
    if (size > memory->limit - memory->held) {
        memory->limit_hit = true;
        return NULL;
    }
    void *pointer = memory->allocator.allocate(memory->allocator.user, size);
    if (pointer)
        memory->held += size;
    else
        memory->limit_hit = false;
    return pointer;
}

void bpi_memory_give(bpi_memory *memory, void *pointer, size_t size) {
    if (!pointer) return;
    if (size == 0) size = 1;
    assert(memory->held >= size);
    memory->held -= size;
    memory->allocator.release(memory->allocator.user, pointer, size);
}

bp_result bpi_memory_failure(const bpi_memory *memory) {
    return memory->limit_hit ? BP_ERROR_LIMIT : BP_ERROR_OUT_OF_MEMORY;
}

bpi_arena bpi_arena_make(bpi_memory *memory) {
    return (bpi_arena){.memory = memory};
}

/* A new chunk with room for `size` bytes; chunks double in size up to a limit. */
static struct bpi_arena_chunk *add_chunk(bpi_arena *arena, size_t size) {
    size_t header = align_up(sizeof(struct bpi_arena_chunk));
    size_t wanted = arena->chunks ? arena->chunks->size * 2 : FIRST_CHUNK;
    if (wanted > LARGEST_CHUNK) wanted = LARGEST_CHUNK;
    if (size > SIZE_MAX - header) return NULL;
    if (wanted < header + size) wanted = header + size;
    struct bpi_arena_chunk *chunk = bpi_memory_take(arena->memory, wanted);
    if (!chunk) return NULL;
    *chunk = (struct bpi_arena_chunk){.next = arena->chunks, .size = wanted, .used = header};
    arena->chunks = chunk;
    return chunk;
}

void *bpi_arena_take(bpi_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (!bpi_size_muladd(&bytes, count, size, ALIGNMENT)) {
        arena->memory->limit_hit = true;
        return NULL;
    }
    bytes = align_up(bytes - ALIGNMENT);
    struct bpi_arena_chunk *chunk = arena->chunks;
    if (!chunk || bytes > chunk->size - chunk->used) chunk = add_chunk(arena, bytes);
    if (!chunk) return NULL;
    void *pointer = (unsigned char *)chunk + chunk->used;
    chunk->used += bytes;
    return memset(pointer, 0, bytes);
}

void bpi_arena_release(bpi_arena *arena) {
    while (arena->chunks) {
        struct bpi_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        bpi_memory_give(arena->memory, chunk, chunk->size);
    }
}

void *bpi_layout_take_unset(bpi_layout *layout, size_t count, size_t size) {
    size_t bytes, end;
    if (count == 0) return NULL;
    if (!bpi_size_muladd(&bytes, count, size, ALIGNMENT) ||
        !bpi_size_muladd(&end, 1, align_up(bytes - ALIGNMENT), layout->size)) {
        layout->overflow = true;
        return NULL;
    }
    void *pointer = layout->base ? layout->base + layout->size : NULL;
    layout->size = end;
    return pointer;
}

void *bpi_layout_take(bpi_layout *layout, size_t count, size_t size) {
    size_t before = layout->size;
    void *pointer = bpi_layout_take_unset(layout, count, size);
    return pointer ? memset(pointer, 0, layout->size - before) : NULL;
}

const char *bpi_layout_text(bpi_layout *layout, const char *text, size_t length) {
    char *copy = bpi_layout_take_unset(layout, length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *bpi_block_create(bpi_memory *memory, size_t size) {
    size_t header = align_up(sizeof(block_header));
    if (size > SIZE_MAX - header) {
        memory->limit_hit = true;
        return NULL;
    }
    block_header *block = bpi_memory_take(memory, header + size);
    if (!block) return NULL;
    block->allocator = memory->allocator;
    block->size = header + size;
    return (unsigned char *)block + header;
}

static block_header *header_of(const void *block) {
    return (block_header *)((uintptr_t)block - align_up(sizeof(block_header)));
}

void bpi_block_destroy(const void *block) {
    if (!block) return;
    block_header *header = header_of(block);
    bp_allocator allocator = header->allocator;
    allocator.release(allocator.user, header, header->size);
}

size_t bpi_block_size(const void *block) {
    return header_of(block)->size;
}
