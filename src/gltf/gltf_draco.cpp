// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "gltf/gltf_draco.h"

#include <draco/compression/decode.h>

#include <exception>
#include <memory>
#include <new>

namespace {

template <typename T>
bool read_elements(const draco::PointAttribute &attribute, uint32_t point_count,
                   uint32_t component_count, T *out) {
    for (uint32_t point = 0; point < point_count; ++point, out += component_count) {
        const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(point));
        if (value.value() >= attribute.size()) return false;
        if (!attribute.ConvertValue<T>(value, (int8_t)component_count, out)) return false;
    }
    return true;
}

bool read_attribute(const draco::PointAttribute &attribute, uint32_t point_count,
                    const bpi_draco_attribute &wanted) {
    const uint32_t n = wanted.component_count;
    switch (wanted.component_type) {
    case BP_COMPONENT_I8:
        return read_elements(attribute, point_count, n, static_cast<int8_t *>(wanted.elements));
    case BP_COMPONENT_U8:
        return read_elements(attribute, point_count, n, static_cast<uint8_t *>(wanted.elements));
    case BP_COMPONENT_I16:
        return read_elements(attribute, point_count, n, static_cast<int16_t *>(wanted.elements));
    case BP_COMPONENT_U16:
        return read_elements(attribute, point_count, n, static_cast<uint16_t *>(wanted.elements));
    case BP_COMPONENT_U32:
        return read_elements(attribute, point_count, n, static_cast<uint32_t *>(wanted.elements));
    case BP_COMPONENT_F32:
        return read_elements(attribute, point_count, n, static_cast<float *>(wanted.elements));
    }
    return false;
}

const char *decode(const bpi_draco_job &job) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(job.bytes.data), job.bytes.size);
    const auto type = draco::Decoder::GetEncodedGeometryType(&buffer);
    if (!type.ok() || type.value() != draco::TRIANGULAR_MESH) return "not a Draco mesh";
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) return "the Draco data are broken";
    const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();

    if (mesh->num_points() != job.point_count)
        return "the Draco mesh has another number of vertices than the accessors";
    if (3ull * mesh->num_faces() != job.index_count)
        return "the Draco mesh has another number of indices than the accessor";
    for (uint32_t face = 0; face < mesh->num_faces(); ++face)
        for (int corner = 0; corner < 3; ++corner)
            job.indices[3 * face + corner] = mesh->face(draco::FaceIndex(face))[corner].value();
    for (uint32_t i = 0; i < job.attribute_count; ++i) {
        const auto *attribute = mesh->GetAttributeByUniqueId(job.attributes[i].id);
        if (!attribute) return "the Draco mesh lacks an attribute that the file names";
        if (!read_attribute(*attribute, job.point_count, job.attributes[i]))
            return "an attribute of the Draco mesh does not fit its accessor";
    }
    return nullptr;
}

} // namespace

extern "C" bp_result bpi_draco_decode(const bpi_draco_job *job, const char **fault) {
    try {
        *fault = decode(*job);
        return *fault ? BP_ERROR_FORMAT : BP_OK;
    } catch (const std::bad_alloc &) {
        *fault = "the decoder ran out of memory";
        return BP_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception &) {
        *fault = "the decoder gave up";
        return BP_ERROR_FORMAT;
    }
}
