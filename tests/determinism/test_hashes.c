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
#include "test_busy.h"
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
    UINT64_C(0x1C5DB8C2BB32277A), UINT64_C(0x17AE3E62A90BA487), UINT64_C(0x921A65532B966BCB),
    UINT64_C(0x9FFC89ADE346203A), UINT64_C(0x24797E1D0B9C68FF),
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

typedef bool visitor(uint32_t number, uint64_t hash);

static const float times[] = {0.0f, 0.137f, 0.5f, 0.9f, 1.0f};

enum { TIME_COUNT = sizeof times / sizeof *times };

static bool visit_asset(const char *path, visitor *visit, uint32_t *count) {
    bool ok = true;
    bp_model *model;
    bp_error error;
    if (bp_model_load_file(&model, path, NULL, &error) != BP_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return false;
    }
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    for (uint32_t c = 0; c < model->clip_count; ++c)
        for (int t = 0; t < TIME_COUNT; ++t) {
            bp_clip_sample(pose, &model->clips[c], times[t] * model->clips[c].duration);
            bp_pose_update(pose);
            ok = visit((*count)++, hash_scene(model, pose)) && ok;
        }
    bp_pose_destroy(pose);
    bp_model_destroy(model);
    return ok;
}

static uint64_t hash_busy(const test_busy *busy, const bp_pose *pose, uint64_t hash) {
    static bp_mat34 palette[TEST_BUSY_NODES];
    static float vertices[10 * TEST_BUSY_VERTICES];
    static const float morph_weights[TEST_BUSY_TARGETS] = {0.25f, -0.7f};
    bp_palette_build(palette, busy->skin, pose);
    hash = hash_bytes(hash, palette, sizeof palette);
    for (int i = 0; i < TEST_BUSY_MESHES; ++i)
        for (uint32_t morphs = 0; morphs <= TEST_BUSY_TARGETS; morphs += TEST_BUSY_TARGETS) {
            bp_skinning_run(&(bp_skinning_job){.primitive = busy->meshes[i],
                                               .palette = palette,
                                               .morph_weights = morph_weights,
                                               .morph_weight_count = morphs,
                                               .positions = vertices,
                                               .normals = vertices + 3 * TEST_BUSY_VERTICES,
                                               .tangents = vertices + 6 * TEST_BUSY_VERTICES});
            hash = hash_bytes(hash, vertices, sizeof vertices);
        }
    return hash;
}

static bool visit_busy(visitor *visit, uint32_t *count) {
    test_busy busy;
    bool ok = test_busy_make(&busy);
    bp_pose *pose = ok ? bp_pose_create(busy.skeleton, NULL) : NULL;
    for (int t = 0; t < TIME_COUNT && ok; ++t) {
        bp_clip_sample(pose, busy.clip, times[t]);
        bp_pose_update(pose);
        uint64_t hash = hash_bytes(UINT64_C(14695981039346656037), bp_pose_globals(pose),
                                   TEST_BUSY_NODES * sizeof(bp_mat34));
        ok = visit((*count)++, hash_busy(&busy, pose, hash));
    }
    bp_pose_destroy(pose);
    test_busy_destroy(&busy);
    return ok;
}

/*
 * Calls `visit` with a running number and the hash of every asset, clip and time. False where
 * something cannot be loaded or built, or `visit` returns false for any.
 */
static bool visit_all(visitor *visit, uint32_t *count) {
    *count = 0;
    bool ok = visit_asset("assets/arm.glb", visit, count);
    ok = visit_asset("assets/walker.glb", visit, count) && ok;
    return visit_busy(visit, count) && ok;
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
    if (print) return visit_all(print_hash, &count) ? EXIT_SUCCESS : EXIT_FAILURE;
    bool ok = true;
    for (int cpu = 0; cpu <= BP_CPU_SIMD128; ++cpu) {
        if (!bp_cpu_available((bp_cpu)cpu)) continue;
        bp_cpu_limit((bp_cpu)cpu);
        bool same = visit_all(check_hash, &count) && count == GOLDEN_COUNT;
        printf("%s: %" PRIu32 " of %d hashes compared\n", bp_cpu_name((bp_cpu)cpu), count,
               GOLDEN_COUNT);
        if (!same) fprintf(stderr, "%s differs\n", bp_cpu_name((bp_cpu)cpu));
        ok = ok && same;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
