// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "bindpose/mesh.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* For each weight that is not 0; the glTF validator's (ACCESSOR_WEIGHTS_NON_NORMALIZED). */
#define SUM_TOLERANCE 2e-7

/* A bit for each joint that a uint16_t can name: duplicates in linear time, for any slot count. */
typedef struct joint_set {
    uint64_t bits[65536 / 64];
} joint_set;

/* One vertex's slots. */
typedef struct slots {
    uint16_t *joints;
    float *weights;
    uint32_t count;
} slots;

static void note(uint32_t *count, uint32_t *first, uint32_t vertex) {
    if (*count == 0) *first = vertex;
    ++*count;
}

/* Adds a joint; false when it was there. */
static bool joint_set_add(joint_set *set, uint16_t joint) {
    uint64_t bit = UINT64_C(1) << (joint % 64);
    bool added = !(set->bits[joint / 64] & bit);
    set->bits[joint / 64] |= bit;
    return added;
}

/* True when a joint of the skin is named twice with weight. Leaves the set empty, as it was. */
static bool has_duplicate(slots vertex, uint32_t joint_count, joint_set *set) {
    bool duplicate = false;
    for (uint32_t k = 0; k < vertex.count; ++k)
        if (vertex.weights[k] != 0.0f && vertex.joints[k] < joint_count)
            duplicate |= !joint_set_add(set, vertex.joints[k]);
    for (uint32_t k = 0; k < vertex.count; ++k)
        set->bits[vertex.joints[k] / 64] = 0;
    return duplicate;
}

/* The sum as authored: what is dropped later is reported as such, not as a wrong sum. */
static void check_sum(slots vertex, uint32_t index, bp_influence_report *report) {
    double sum = 0.0;
    uint32_t used = 0;
    for (uint32_t k = 0; k < vertex.count; ++k) {
        assert(isfinite(vertex.weights[k]));
        sum += vertex.weights[k];
        used += vertex.weights[k] != 0.0f;
    }
    double tolerance = SUM_TOLERANCE * used;
    if (used == 0 || fabs(sum - 1.0) <= tolerance) return;
    note(&report->not_normalized, &report->first_not_normalized, index);
    if (report->not_normalized == 1 || fabs(sum - 1.0) > fabs(report->worst_sum - 1.0))
        report->worst_sum = (float)(sum > FLT_MAX ? FLT_MAX : sum < -FLT_MAX ? -FLT_MAX : sum);
}

/* The joint of a vertex without usable weight. */
static uint16_t first_joint_in_range(slots vertex, uint32_t joint_count) {
    for (uint32_t k = 0; k < vertex.count; ++k)
        if (vertex.joints[k] < joint_count) return vertex.joints[k];
    return 0;
}

/* Takes the weight of what must not be used. Returns whether any weight is left. */
static bool drop_unusable(slots vertex, uint32_t index, uint32_t joint_count, bool keep_negative,
                          bp_influence_report *report) {
    bool usable = false;
    for (uint32_t k = 0; k < vertex.count; ++k) {
        float weight = vertex.weights[k];
        bool outside = weight != 0.0f && vertex.joints[k] >= joint_count;
        if (outside) note(&report->out_of_range, &report->first_out_of_range, index);
        if (weight < 0.0f) note(&report->negative, &report->first_negative, index);
        if (outside || (weight < 0.0f && !keep_negative)) weight = 0.0f;
        if (weight == 0.0f) {
            vertex.weights[k] = 0.0f;
            vertex.joints[k] = 0;
        }
        usable = usable || weight != 0.0f;
    }
    return usable;
}

static void divide_by_sum(slots vertex) {
    double sum = 0.0;
    for (uint32_t k = 0; k < vertex.count; ++k)
        sum += vertex.weights[k];
    assert(sum > 0.0);
    for (uint32_t k = 0; k < vertex.count; ++k)
        vertex.weights[k] = (float)(vertex.weights[k] / sum);
}

/* A number in each of four lanes of 16 bits, the first one lowest. */
#define EACH_LANE(value) (UINT64_C(0x0001000100010001) * (value))

/* True when some lane is 0. */
static inline bool has_zero_lane(uint64_t lanes) {
    return ((lanes - EACH_LANE(1)) & ~lanes & EACH_LANE(0x8000)) != 0;
}

/*
 * True when a vertex of four slots has nothing to clean or report, which is nearly every vertex of
 * nearly every file. Without branches, on the bits of the weights and all joints at once; false,
 * too, where joints need all 16 bits.
 */
static bool is_clean(const uint16_t joints[4], const float weights[4], uint32_t joint_count) {
    uint32_t bits[4];
    uint64_t lanes = 0, unused = 0;
    unsigned used = 0;
    memcpy(bits, weights, sizeof bits);
    for (unsigned k = 0; k < 4; ++k) {
        lanes |= (uint64_t)joints[k] << 16 * k;
        unused |= (uint64_t)(bits[k] == 0 ? 0xFFFF : 0) << 16 * k;
        used += bits[k] != 0;
    }
    if (joint_count > 0x8000) joint_count = 0x8000;
    uint64_t outside = (lanes | (lanes + EACH_LANE(0x8000 - joint_count))) & EACH_LANE(0x8000);
    uint64_t bad = outside | (lanes & unused);
    bad |= (bits[0] | bits[1] | bits[2] | bits[3]) >> 31;      /* negative, or -0 */
    lanes |= unused & UINT64_C(0x8003800280018000);            /* duplicates of nothing */
    bad |= has_zero_lane(lanes ^ (lanes >> 16 | lanes << 48)); /* each and the next */
    bad |= has_zero_lane(lanes ^ (lanes >> 32 | lanes << 32)); /* and the next but one */
    double sum = ((double)weights[0] + weights[1]) + ((double)weights[2] + weights[3]);
    return (bad == 0) & (used != 0) & (fabs(sum - 1.0) <= SUM_TOLERANCE * used);
}

/* Everything that can be wrong with a vertex, in the order of the rules. */
static void clean_vertex(slots vertex, uint32_t index, uint32_t joint_count, bool keep_raw,
                         joint_set *set, bp_influence_report *found) {
    check_sum(vertex, index, found);
    if (has_duplicate(vertex, joint_count, set))
        note(&found->duplicate, &found->first_duplicate, index);
    uint16_t fallback = first_joint_in_range(vertex, joint_count);
    if (!drop_unusable(vertex, index, joint_count, keep_raw, found)) {
        note(&found->all_zero, &found->first_all_zero, index);
        vertex.joints[0] = fallback;
        vertex.weights[0] = 1.0f;
    } else if (!keep_raw) {
        divide_by_sum(vertex);
    }
}

void bp_influences_clean(uint16_t *joints, float *weights, uint32_t vertex_count,
                         uint32_t influence_count, uint32_t joint_count, bool keep_raw,
                         bp_influence_report *report) {
    assert(joint_count > 0);
    assert((joints && weights) || vertex_count == 0 || influence_count == 0);
    bp_influence_report found = {0};
    joint_set set;
    memset(&set, 0, sizeof set);
    for (uint32_t v = 0; v < vertex_count && influence_count > 0; ++v) {
        if (influence_count != 4 || !is_clean(joints, weights, joint_count))
            clean_vertex((slots){joints, weights, influence_count}, v, joint_count, keep_raw, &set,
                         &found);
        else if (!keep_raw)
            divide_by_sum((slots){joints, weights, 4});
        joints += influence_count;
        weights += influence_count;
    }
    if (report) *report = found;
}
