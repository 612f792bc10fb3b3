// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * An allocator that counts what is held, refuses one chosen allocation, and checks that sizes given
 * back are sizes taken.
 */
#ifndef BINDPOSE_TEST_ALLOCATOR_H
#define BINDPOSE_TEST_ALLOCATOR_H

#include "bindpose/base.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct test_allocator {
    size_t count;      /* allocations asked for so far */
    size_t fail_at;    /* the number of the one to refuse, from 1; 0: none */
    size_t live;       /* allocations not given back */
    size_t held, peak; /* bytes */
} test_allocator;

static inline void *test_allocate(void *user, size_t size) {
    test_allocator *allocator = user;
    if (++allocator->count == allocator->fail_at) return NULL;
    void *memory = malloc(size);
    if (!memory) return NULL;
    ++allocator->live;
    allocator->held += size;
    if (allocator->held > allocator->peak) allocator->peak = allocator->held;
    return memory;
}

static inline void test_release(void *user, void *memory, size_t size) {
    test_allocator *allocator = user;
    if (allocator->live == 0 || allocator->held < size) {
        fprintf(stderr, "released more than was allocated\n");
        abort();
    }
    --allocator->live;
    allocator->held -= size;
    free(memory);
}

static inline bp_allocator test_allocator_make(test_allocator *allocator) {
    bp_allocator made = {test_allocate, test_release, allocator};
    return made;
}

#endif
