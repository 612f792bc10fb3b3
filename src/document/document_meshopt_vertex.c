// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The codec of attributes of EXT_meshopt_compression (version 0) and KHR_meshopt_compression
 * (versions 0 and 1; Appendix A, Mode 0, of both).
 *
 *   stream = header byte 0xA0 or 0xA1, blocks, padding, first element, channel modes
 *
 * The elements' bytes are taken apart: a plane is the bytes at one position of all elements of a
 * block, a channel four planes. A plane holds each byte's difference to the one in the element
 * before, or such a byte of a two- or four-byte difference; small differences take few bits:
 *
 *   block = control bits of each plane (version 1), planes
 *   plane = two bits for each group, groups
 *   group = 16 numbers of 0, 1, 2, 4 or 8 bits, then a whole byte for each that has all bits set
 *
 * The tail, all that follows the blocks, has at least 24 bytes, as many as the longest group. So a
 * group that starts before the tail, or at it, can be read without looking where the stream ends,
 * and one check after it finds streams that are too short.
 */
#include "document/document_internal.h"
#include "document/document_meshopt.h"

#include <assert.h>

enum {
    GROUP = 16,          /* numbers in a group */
    LONGEST_GROUP = 24,  /* bytes: 16 of 4 bits, and 16 more */
    MOST_ELEMENTS = 256, /* in a block */
    BLOCK_BYTES = 8192
};

/* What is left of the blocks. */
typedef struct reader {
    const unsigned char *at, *end; /* at least LONGEST_GROUP bytes follow the end */
} reader;

/* ---- groups ---------------------------------------------------------------------------------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)

/*
 * Eight numbers to a byte each, the first to the lowest. Of a packed byte, 1-bit numbers start with
 * the lowest bit, the others with the highest.
 */
static inline uint64_t spread(const unsigned char *at, unsigned bits) {
    if (bits == 1) {
        uint64_t one_each = at[0] * EACH_BYTE & UINT64_C(0x8040201008040201);
        return (one_each + 0x7F * EACH_BYTE) >> 7 & EACH_BYTE;
    }
    uint64_t x;
    if (bits == 2) {
        x = at[0] | (uint64_t)at[1] << 32;
        x = (x >> 4 | x << 16) & UINT64_C(0x000F000F000F000F);
        return (x >> 2 | x << 8) & 3 * EACH_BYTE;
    }
    x = at[0] | (uint64_t)at[1] << 16 | (uint64_t)at[2] << 32 | (uint64_t)at[3] << 48;
    return (x >> 4 | x << 8) & 15 * EACH_BYTE;
}

/* Unpacks 16 numbers of 1, 2 or 4 bits; returns where the next group starts. */
static inline const unsigned char *unpack(const unsigned char *at, unsigned bits,
                                          unsigned char *numbers) {
    const unsigned char *more = at + GROUP * bits / 8;
    for (int first = 0; first < GROUP; first += 8, at += bits) {
        uint64_t eight = spread(at, bits), full = eight;
        memcpy(numbers + first, &eight, sizeof eight);
        for (unsigned bit = 1; bit < bits; ++bit)
            full &= eight >> bit;
        for (full &= EACH_BYTE; full; full &= full - 1)
            numbers[first + (int)(bpi_lowest_bit(full) / 8)] = *more++;
    }
    return more;
}

static bool read_group(reader *in, unsigned bits, unsigned char *numbers) {
    switch (bits) {
    case 0: memset(numbers, 0, GROUP); break;
    case 1: in->at = unpack(in->at, 1, numbers); break;
    case 2: in->at = unpack(in->at, 2, numbers); break;
    case 4: in->at = unpack(in->at, 4, numbers); break;
    default:
        memcpy(numbers, in->at, GROUP);
        in->at += GROUP;
        break;
    }
    return in->at <= in->end;
}

/* ---- planes ---------------------------------------------------------------------------------- */

/* How a plane is stored: what version 1 has control bits for, and what version 0 does. */
typedef enum plane_control {
    CONTROL_SHORT,
    CONTROL_LONG,
    CONTROL_ZERO,
    CONTROL_LITERAL,
    CONTROL_VERSION_0
} plane_control;

static bool read_plane(reader *in, plane_control control, size_t count, unsigned char *plane) {
    static const unsigned char bits[][4] = {[CONTROL_SHORT] = {0, 1, 2, 4},
                                            [CONTROL_LONG] = {1, 2, 4, 8},
                                            [CONTROL_VERSION_0] = {0, 2, 4, 8}};
    const unsigned char *header = in->at;
    size_t groups = (count + GROUP - 1) / GROUP, size = (groups + 3) / 4;
    if (control == CONTROL_ZERO) {
        memset(plane, 0, count);
        return true;
    }
    if (control == CONTROL_LITERAL) size = count;
    if ((size_t)(in->end - in->at) < size) return false;
    in->at += size;
    if (control == CONTROL_LITERAL) {
        memcpy(plane, header, count);
        return true;
    }
    for (size_t group = 0; group < groups; ++group) {
        unsigned kind = header[group / 4] >> group % 4 * 2 & 3;
        if (!read_group(in, bits[control][kind], plane + group * GROUP)) return false;
    }
    return true;
}

/* ---- channels -------------------------------------------------------------------------------- */

/* How the four bytes of a channel follow from those of the element before. */
typedef enum channel_mode { CHANNEL_BYTES, CHANNEL_PAIRS, CHANNEL_XOR } channel_mode;

/* Puts the bytes of the planes together again. */
static void join_planes(unsigned char planes[4][MOST_ELEMENTS], size_t count, uint32_t *words) {
    for (size_t i = 0; i < count; ++i)
        words[i] = planes[0][i] | (uint32_t)planes[1][i] << 8 | (uint32_t)planes[2][i] << 16 |
                   (uint32_t)planes[3][i] << 24;
}

/*
 * Adds differences up, in several lanes of a word at once: `ones` has the lowest bit of each lane,
 * `lane` all bits of one. A difference d is stored as 2 d, or -2 d - 1 where it is negative. No
 * carry leaves a lane because the highest bits are added apart.
 */
static inline void add_up(unsigned char *out, size_t stride, const uint32_t *words, size_t count,
                          uint32_t value, uint32_t ones, uint32_t lane) {
    const uint32_t top = ones * (lane / 2 + 1);
    for (size_t i = 0; i < count; ++i, out += stride) {
        uint32_t step = (words[i] >> 1 & ~top) ^ (words[i] & ones) * lane;
        value = ((value & ~top) + (step & ~top)) ^ ((value ^ step) & top);
        memcpy(out, &value, sizeof value);
    }
}

/* The specification's rotation to the left is the encoder's; it is undone here. */
static void xor_up(unsigned char *out, size_t stride, const uint32_t *words, size_t count,
                   uint32_t value, unsigned rotation) {
    for (size_t i = 0; i < count; ++i, out += stride) {
        value ^= words[i] >> rotation | words[i] << ((32 - rotation) & 31);
        memcpy(out, &value, sizeof value);
    }
}

/* Writes one channel of a block; `previous` is that of the element before it. */
static void write_channel(unsigned char *out, size_t stride, const uint32_t *words, size_t count,
                          const unsigned char *previous, unsigned mode) {
    uint32_t value;
    memcpy(&value, previous, sizeof value);
    if (mode == CHANNEL_BYTES)
        add_up(out, stride, words, count, value, 0x01010101, 0xFF);
    else if (mode == CHANNEL_PAIRS)
        add_up(out, stride, words, count, value, 0x00010001, 0xFFFF);
    else
        xor_up(out, stride, words, count, value, mode >> 4);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Reads a block of `count` elements; `modes` is NULL in version 0. */
static bool read_block(reader *in, unsigned char *out, size_t count, size_t stride,
                       const unsigned char *previous, const unsigned char *modes) {
    unsigned char planes[4][MOST_ELEMENTS];
    uint32_t words[MOST_ELEMENTS];
    const unsigned char *controls = in->at;
    if (modes) {
        if ((size_t)(in->end - in->at) < stride / 4) return false;
        in->at += stride / 4;
    }
    for (size_t channel = 0; channel < stride / 4; ++channel) {
        for (int i = 0; i < 4; ++i) {
            unsigned control = modes ? controls[channel] >> 2 * i & 3 : CONTROL_VERSION_0;
            if (!read_plane(in, (plane_control)control, count, planes[i])) return false;
        }
        join_planes(planes, count, words);
        write_channel(out + 4 * channel, stride, words, count, previous + 4 * channel,
                      modes ? modes[channel] : CHANNEL_BYTES);
    }
    return true;
}

/* The high half of a mode is the rotation of CHANNEL_XOR, the low half the mode. */
static bool modes_are_valid(const unsigned char *modes, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if ((modes[i] & 15) > CHANNEL_XOR || (modes[i] > 15 && (modes[i] & 15) != CHANNEL_XOR))
            return false;
    return true;
}

bool bpi_meshopt_decode_vertices(unsigned char *out, size_t count, size_t stride, bp_bytes stream) {
    assert(stride >= 4 && stride <= 256 && stride % 4 == 0);
    if (stream.size == 0 || (stream.data[0] & 0xFE) != 0xA0) return false;
    const bool version_1 = stream.data[0] == 0xA1;
    const size_t used = stride + (version_1 ? stride / 4 : 0),
                 least = version_1 ? LONGEST_GROUP : 32;
    const size_t tail = used > least ? used : least;
    if (stream.size < 1 + tail) return false;
    const unsigned char *previous = stream.data + stream.size - used;
    const unsigned char *modes = version_1 ? previous + stride : NULL;
    if (version_1 && !modes_are_valid(modes, stride / 4)) return false;

    reader in = {stream.data + 1, stream.data + stream.size - tail};
    size_t most = BLOCK_BYTES / stride & ~(size_t)(GROUP - 1);
    if (most > MOST_ELEMENTS) most = MOST_ELEMENTS;
    while (count > 0) {
        size_t block = count < most ? count : most;
        if (!read_block(&in, out, block, stride, previous, modes)) return false;
        out += block * stride;
        previous = out - stride;
        count -= block;
    }
    return in.at == in.end;
}
