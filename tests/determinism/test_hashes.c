// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The same bits everywhere: one hash for each asset, clip and time over globals, palettes and posed
 * vertices. Every compiler, optimisation level and instruction set of the test matrix must give it.
 *
 * The hashes are our own output: whether they are right is for the other layers to say. When a
 * change of results is meant, run with --print and replace the table, in a commit of its own that
 * says why.
 *
 *     test_hashes [--print]
 *
 * A plain program, without cmocka: so it also runs on machines for which there is none.
 */
#include "test_scene.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Golden hashes in the order of visit_all; made by `test_hashes --print`. */
static const uint64_t golden[] = {
    UINT64_C(0x2A21D26ABC179D30), UINT64_C(0xB16A7E5EC036F7EA), UINT64_C(0x9B7E265C559D2C7A),
    UINT64_C(0x64BAEABA32D12ECC), UINT64_C(0x2A21D26ABC179D30), UINT64_C(0x976F1B5DCAE4D4C0),
    UINT64_C(0x0E9F5AB85E4F6E8C), UINT64_C(0x5AD9E7F4B2B62087), UINT64_C(0x99651350D3C148A3),
    UINT64_C(0x976F1B5DCAE4D4C0), UINT64_C(0x83D517176E51703D), UINT64_C(0x07D8ACEF2BF296D6),
    UINT64_C(0xA1084C73C02FA6D5), UINT64_C(0xC1E8C87F5784CE84), UINT64_C(0x83D517176E51703D),
};

enum { GOLDEN_COUNT = sizeof golden / sizeof *golden };

/* FNV-1a over bytes (Fowler, Noll, Vo). */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ b[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t hash_scene(const bp_model *model, const bp_pose *pose) {
    uint64_t hash = UINT64_C(14695981039346656037);
    hash = hash_bytes(hash, bp_pose_globals(pose), model->skeleton.node_count * sizeof(bp_mat34));
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        uint32_t joints = model->skins[i].joint_count;
        bp_mat34 *palette = malloc(joints * sizeof *palette);
        if (!palette) abort();
        bp_palette_build(palette, &model->skins[i], pose);
        hash = hash_bytes(hash, palette, joints * sizeof *palette);
        free(palette);
    }
    test_scene scene = test_scene_make(model, pose);
    for (uint32_t i = 0; i < scene.count; ++i) {
        const test_posed *p = &scene.entries[i];
        hash = hash_bytes(hash, p->positions, 12 * (size_t)p->vertex_count);
        if (p->normals) hash = hash_bytes(hash, p->normals, 12 * (size_t)p->vertex_count);
        if (p->tangents) hash = hash_bytes(hash, p->tangents, 16 * (size_t)p->vertex_count);
        hash = hash_bytes(hash, &p->bounds, sizeof p->bounds);
        hash = hash_bytes(hash, &p->fast_bounds, sizeof p->fast_bounds);
    }
    test_scene_destroy(&scene);
    return hash;
}

/*
 * Calls `visit` with a running number and the hash of every asset, clip and time. False where an
 * asset cannot be loaded, or `visit` returns false for any.
 */
static bool visit_all(bool (*visit)(uint32_t number, uint64_t hash), uint32_t *count) {
    static const char *const assets[] = {"assets/arm.glb", "assets/walker.glb"};
    static const float times[] = {0.0f, 0.137f, 0.5f, 0.9f, 1.0f};
    bool ok = true;
    *count = 0;
    for (int a = 0; a < 2; ++a) {
        bp_model *model;
        bp_error error;
        if (bp_model_load_file(&model, assets[a], NULL, &error) != BP_OK) {
            fprintf(stderr, "%s: %s\n", assets[a], error.message);
            return false;
        }
        bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
        for (uint32_t c = 0; c < model->clip_count; ++c)
            for (int t = 0; t < 5; ++t) {
                bp_clip_sample(pose, &model->clips[c], times[t] * model->clips[c].duration);
                bp_pose_update(pose);
                ok = visit((*count)++, hash_scene(model, pose)) && ok;
            }
        bp_pose_destroy(pose);
        bp_model_destroy(model);
    }
    return ok;
}

static bool print_hash(uint32_t number, uint64_t hash) {
    printf("    UINT64_C(0x%016" PRIX64 "),%s", hash, number % 3 == 2 ? "\n" : "");
    return true;
}

static bool check_hash(uint32_t number, uint64_t hash) {
    if (number < GOLDEN_COUNT && golden[number] == hash) return true;
    fprintf(stderr, "hash %" PRIu32 " is 0x%016" PRIX64, number, hash);
    if (number < GOLDEN_COUNT) fprintf(stderr, " instead of 0x%016" PRIX64, golden[number]);
    fputc('\n', stderr);
    return false;
}

int main(int argc, char **argv) {
    bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
    uint32_t count;
    if (!visit_all(print ? print_hash : check_hash, &count)) return EXIT_FAILURE;
    if (print) return EXIT_SUCCESS;
    printf("%" PRIu32 " of %d hashes compared\n", count, GOLDEN_COUNT);
    return count == GOLDEN_COUNT ? EXIT_SUCCESS : EXIT_FAILURE;
}
