// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/* Changes of glTF's JSON that mostly leave it JSON: for the mutators of fuzz targets. */
#ifndef BINDPOSE_MUTATE_JSON_H
#define BINDPOSE_MUTATE_JSON_H

#include <stddef.h>
#include <stdint.h>

/* The engine's own mutations, blind to structure. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/*
 * Makes one to four changes in `text` (size <= max_size): another number, another word of glTF, one
 * value in the place of another, a member or an element less or twice, a new member.
 *
 * Returns the new size.
 */
size_t mutate_json(uint8_t *text, size_t size, size_t max_size, uint32_t seed);

#endif
