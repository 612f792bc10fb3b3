// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

#include "test_fixtures.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VIEWS = 12 };

/*
 * `json` is the text of the root object without its braces, asset, buffers and bufferViews. A view
 * is "TYPE NUMBERS...", with TYPE one of f32 u32 u16 i16 u8 i8, and after a '|' more members of
 * the buffer view's object.
 */
typedef struct fixture {
    const char *name, *json, *views[MOST_VIEWS];
    bool optional;
} fixture;

/* Accessors, in short: view, component type, type, count. */
#define ACCESSOR(view, component, type, count)                                                     \
    "{\"bufferView\":" #view ",\"componentType\":" #component ",\"type\":\"" #type                 \
    "\",\"count\":" #count "}"

#define STRIP "f32 0 0 0  1 0 0  0 1 0  1 1 0"

static const fixture fixtures[] = {
    {.name = "empty", .json = "\"scenes\":[],\"nodes\":[]"},
    {.name = "skin",
     .json =
         "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
         "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"name\":\"root\",\"children\":[2]},"
         "{\"name\":\"tip\",\"translation\":[0,1,0]}],"
         "\"meshes\":[{\"name\":\"strip\",\"primitives\":[{\"attributes\":{\"POSITION\":0,"
         "\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":4}]}],"
         "\"skins\":[{\"name\":\"arm\",\"joints\":[1,2],\"inverseBindMatrices\":5,"
         "\"skeleton\":1}],"
         "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,\"target\":{"
         "\"node\":2,\"path\":\"rotation\"}}],\"samplers\":[{\"input\":6,\"output\":7}]}],"
         "\"accessors\":[" ACCESSOR(0, 5126, VEC3, 4) "," ACCESSOR(1, 5126, VEC3, 4) "," ACCESSOR(
             2, 5121, VEC4,
             4) "," ACCESSOR(3, 5126, VEC4,
                             4) "," ACCESSOR(4, 5123, SCALAR,
                                             6) "," ACCESSOR(5, 5126, MAT4,
                                                             2) "," ACCESSOR(6, 5126, SCALAR,
                                                                             2) "," ACCESSOR(7,
                                                                                             5126,
                                                                                             VEC4,
                                                                                             2) "]",
     .views = {STRIP, "f32 0 0 1  0 0 1  0 0 1  0 0 1", "u8 0 1 0 0  0 1 0 0  1 0 0 0  1 0 0 0",
               "f32 .75 .25 0 0  .5 .5 0 0  1 0 0 0  .5 .5 0 0", "u16 0 1 2 2 1 3",
               "f32 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  1 0 0 0 0 1 0 0 0 0 1 0 0 -1 0 1", "f32 0 1.5",
               "f32 0 0 0 1  0 0 0.70710678 0.70710678"}},
    {.name = "clips",
     .json =
         "\"nodes\":[{\"children\":[1]},{\"rotation\":[0,0,0,1]}],\"animations\":[{\"channels\":["
         "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
         "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"scale\"}},"
         "{\"sampler\":2,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
         "{\"sampler\":3,\"target\":{\"node\":1,\"path\":\"translation\"}}],\"samplers\":["
         "{\"input\":0,\"output\":1,\"interpolation\":\"LINEAR\"},"
         "{\"input\":0,\"output\":1,\"interpolation\":\"STEP\"},"
         "{\"input\":0,\"output\":2},"
         "{\"input\":3,\"output\":1,\"interpolation\":\"CUBICSPLINE\"}]},"
         "{\"name\":\"turn\",\"channels\":["
         "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}],\"samplers\":["
         "{\"input\":3,\"output\":4,\"interpolation\":\"CUBICSPLINE\"}]}],"
         "\"accessors\":[" ACCESSOR(0, 5126, SCALAR, 3) "," ACCESSOR(
             1, 5126, VEC3,
             3) ","
                "{\"bufferView\":2,\"componentType\":5122,\"normalized\":true,\"type\":\"VEC4\","
                "\"count\":3}," ACCESSOR(3, 5126, SCALAR, 1) "," ACCESSOR(4, 5126, VEC4, 3) "]",
     .views = {"f32 0 1 1", "f32 0 0 0  1 2 3  4 5 6",
               "i16 0 0 0 32767  0 0 32767 0  23170 0 0 -23170", "f32 2.5",
               "f32 0 0 0 0  0 1 0 0  0 0 0 0"}},
    {.name = "morph",
     .json =
         "\"nodes\":[{\"mesh\":0,\"weights\":[0.25,-1]},{\"mesh\":0}],\"meshes\":[{"
         "\"weights\":[1,0],\"extras\":{\"targetNames\":[\"smile\",\"\\u00fc\\ud83d\\ude00\"]},"
         "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TANGENT\":2},"
         "\"targets\":[{\"POSITION\":3,\"NORMAL\":1},{\"POSITION\":1,\"TANGENT\":3}]}]}],"
         "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
         "\"path\":\"weights\"}},{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"weights\"}}],"
         "\"samplers\":[{\"input\":4,\"output\":5},{\"input\":6,\"output\":5,"
         "\"interpolation\":\"CUBICSPLINE\"}]}],"
         "\"accessors\":[" ACCESSOR(0, 5126, VEC3, 3) "," ACCESSOR(1, 5126, VEC3, 3) "," ACCESSOR(
             2, 5126, VEC4, 3) "," ACCESSOR(3, 5126, VEC3,
                                            3) "," ACCESSOR(4, 5126, SCALAR,
                                                            3) "," ACCESSOR(5, 5126, SCALAR,
                                                                            6) "," ACCESSOR(4, 5126,
                                                                                            SCALAR,
                                                                                            1) "]",
     .views = {"f32 0 0 0  1 0 0  0 1 0", "f32 0 0 1  0 0 1  0 1 0",
               "f32 1 0 0 1  1 0 0 -1  1 0 0 1", "f32 0 0 .5  0 .5 0  -1e3 0 0", "f32 0 .5 2",
               "f32 0 1  1 0  .5 .5"}},
    {.name = "sparse",
     .json =
         "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
         "\"POSITION\":0},\"indices\":1,\"targets\":[{\"POSITION\":2}]}]}],\"accessors\":["
         "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":4,\"sparse\":{"
         "\"count\":2,\"indices\":{\"bufferView\":1,\"componentType\":5121},\"values\":{"
         "\"bufferView\":2}}},"
         "{\"componentType\":5125,\"type\":\"SCALAR\",\"count\":3,\"sparse\":{\"count\":2,"
         "\"indices\":{\"bufferView\":3,\"componentType\":5123},\"values\":{\"bufferView\":4}}},"
         "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":4,\"sparse\":{\"count\":1,"
         "\"indices\":{\"bufferView\":4,\"byteOffset\":4,\"componentType\":5125},"
         "\"values\":{\"bufferView\":2,\"byteOffset\":4}}}]",
     .views = {STRIP, "u8 1 3", "f32 5 6 7  8 9 10", "u16 1 2", "u32 1 3"}},
    {.name = "influences",
     .json =
         "\"nodes\":[{\"mesh\":0,\"skin\":0},{},{\"mesh\":0},{\"mesh\":0,\"skin\":1}],"
         "\"skins\":[{\"joints\":[1,0,2]},{\"joints\":[2,1]}],\"meshes\":[{\"primitives\":[{"
         "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,\"JOINTS_1\":3,"
         "\"WEIGHTS_1\":4},\"mode\":5}]}],\"accessors\":[" ACCESSOR(0, 5126, VEC3, 4) "," ACCESSOR(
             1, 5123, VEC4,
             4) ","
                "{\"bufferView\":2,\"componentType\":5123,\"normalized\":true,\"type\":\"VEC4\","
                "\"count\":4}," ACCESSOR(3, 5121, VEC4,
                                         4) ","
                                            "{\"bufferView\":4,\"componentType\":5121,"
                                            "\"normalized\":true,\"type\":\"VEC4\","
                                            "\"count\":4}]",
     .views = {STRIP, "u16 0 1 0 0  9 1 65535 0  2 1 0 0  0 0 0 0",
               "u16 30000 1 0 0  65535 9 0 0  0 0 0 0  65535 0 0 0",
               "u8 1 1 0 0  1 0 0 0  0 0 0 0  1 1 1 1", "u8 255 0 0 0  0 0 0 0  0 0 0 0  9 9 9 9"}},
    {.name = "instancing",
     .json =
         "\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],"
         "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"nodes\":[{\"mesh\":0,"
         "\"scale\":[-1,2,1],\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
         "\"TRANSLATION\":0,\"ROTATION\":1,\"SCALE\":0,\"_ID\":1}}}}],\"meshes\":[{"
         "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],\"accessors\":[" ACCESSOR(
             0, 5126, VEC3,
             4) ","
                "{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,\"type\":\"VEC4\","
                "\"count\":4}]",
     .views = {STRIP, "i8 0 0 0 127  0 0 127 0  127 0 0 0  90 0 0 -90"}},
    {.name = "quantised",
     .json = "\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
             "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"nodes\":[{\"mesh\":0}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
             "\"TEXCOORD_0\":2,\"COLOR_0\":3},\"indices\":4}]}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5122,\"type\":\"VEC3\",\"count\":3},"
             "{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,\"type\":\"VEC3\","
             "\"count\":3},"
             "{\"bufferView\":2,\"componentType\":5123,\"normalized\":true,\"type\":\"VEC2\","
             "\"count\":3},"
             "{\"bufferView\":3,\"componentType\":5121,\"normalized\":true,\"type\":\"VEC3\","
             "\"count\":3}," ACCESSOR(4, 5121, SCALAR, 3) "]",
     .views = {"i16 0 0 0 0  100 0 -32768 0  0 32767 0|,\"byteStride\":8",
               "i8 0 0 127 0  -128 0 0 0  0 1 2|,\"byteStride\":4", "u16 0 0  65535 9  1 65535",
               "u8 255 0 0 0  0 255 0 0  1 2 3|,\"byteStride\":4", "u8 2 1 0"}},
    {.name = "pointer",
     .json = "\"extensionsUsed\":[\"KHR_animation_pointer\"],\"nodes\":[{\"mesh\":0},{\"mesh\":0}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{"
             "\"POSITION\":0},{}]}]}],\"materials\":[{}],\"animations\":[{\"channels\":["
             "{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{"
             "\"KHR_animation_pointer\":{\"pointer\":\"/nodes/0/translation\"}}}},"
             "{\"sampler\":1,\"target\":{\"path\":\"pointer\",\"extensions\":{"
             "\"KHR_animation_pointer\":{\"pointer\":\"/meshes/0/weights/1\"}}}},"
             "{\"sampler\":1,\"target\":{\"path\":\"pointer\",\"extensions\":{"
             "\"KHR_animation_pointer\":{\"pointer\":\"/nodes/1/weights/0\"}}}},"
             "{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{"
             "\"KHR_animation_pointer\":{\"pointer\":\"/materials/0/emissiveFactor\"}}}}],"
             "\"samplers\":[{\"input\":1,\"output\":0},{\"input\":1,\"output\":1}]}],"
             "\"accessors\":[" ACCESSOR(0, 5126, VEC3, 4) "," ACCESSOR(1, 5126, SCALAR, 4) "]",
     .views = {STRIP, "f32 0 .25 .5 1"}},
    {.name = "looks",
     .json =
         "\"extensionsUsed\":[\"KHR_materials_unlit\",\"KHR_texture_transform\"],"
         "\"scene\":1,\"scenes\":[{\"name\":\"one\",\"nodes\":[0]},{\"name\":\"\\\"two\\\"\\n\","
         "\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1,\"name\":\"\\ud800 \\u0000\"}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]},"
         "{\"name\":\"\xC3\xA9\",\"primitives\":[{\"attributes\":{\"POSITION\":0},"
         "\"material\":1}]}],\"materials\":[{\"name\":\"a/b~c\",\"alphaMode\":\"MASK\","
         "\"alphaCutoff\":0.25,\"doubleSided\":true,\"emissiveFactor\":[1,0.5,0],"
         "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1],\"baseColorTexture\":{"
         "\"index\":0,\"texCoord\":1},\"metallicFactor\":0,\"roughnessFactor\":0.5}},"
         "{\"alphaMode\":\"BLEND\",\"extensions\":{\"KHR_materials_unlit\":{}}}],"
         "\"textures\":[{\"source\":0,\"sampler\":0},{\"source\":1},{\"extensions\":{"
         "\"EXT_texture_webp\":{\"source\":2}}}],\"samplers\":[{\"magFilter\":9729,"
         "\"minFilter\":9987,\"wrapS\":33071,\"wrapT\":33648}],\"images\":[{\"bufferView\":1,"
         "\"mimeType\":\"image/png\",\"name\":\"i\"},"
         "{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\"},{\"uri\":\"a%20b/c.webp\"}],"
         "\"accessors\":[" ACCESSOR(0, 5126, VEC3, 4) "],\"extras\":{\"a\":[1,{\"b\":null}]}",
     .views = {STRIP, "u8 137 80 78 71 13 10 26 10"}},
    {.name = "hierarchy",
     .json = "\"nodes\":[{\"name\":\"leaf\",\"matrix\":[0,2,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]},"
             "{\"name\":\"leaf\",\"children\":[0]},{\"children\":[4,1],\"rotation\":[0,0,2,0]},"
             "{\"translation\":[1e30,0,0]},{\"scale\":[0,0,0]}],\"animations\":[{\"channels\":["
             "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
             "{\"sampler\":0,\"target\":{\"path\":\"scale\"}}],\"samplers\":[{\"input\":0,"
             "\"output\":1}]}],\"accessors\":[" ACCESSOR(0, 5126, SCALAR,
                                                         1) "," ACCESSOR(1, 5126, VEC3, 1) "]",
     .views = {"f32 -1", "f32 1 2 3"}},
    {.name = "topologies",
     .json = "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
             "{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{\"POSITION\":0},"
             "\"mode\":1,\"indices\":1},{\"attributes\":{\"POSITION\":0},\"mode\":2},"
             "{\"attributes\":{\"POSITION\":0},\"mode\":3},{\"attributes\":{\"POSITION\":0},"
             "\"mode\":4,\"indices\":1},{\"attributes\":{\"POSITION\":0},\"mode\":5,\"indices\":1},"
             "{\"attributes\":{\"POSITION\":0},\"mode\":6,\"indices\":1},{\"attributes\":{}}]}],"
             "\"accessors\":[" ACCESSOR(0, 5126, VEC3, 4) "," ACCESSOR(1, 5125, SCALAR, 5) "]",
     .views = {STRIP, "u32 0 1 2 3 0"}},
    {.name = "meshopt",
     .json = "\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
             "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"nodes\":[{\"mesh\":0}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
             "{\"attributes\":{\"POSITION\":0,\"NORMAL\":3},\"indices\":2,\"targets\":[{"
             "\"POSITION\":0}]}]}],\"accessors\":["
             "{\"bufferView\":5,\"componentType\":5126,\"type\":\"VEC3\",\"count\":4},"
             "{\"bufferView\":6,\"componentType\":5123,\"type\":\"SCALAR\",\"count\":6},"
             "{\"bufferView\":7,\"componentType\":5125,\"type\":\"SCALAR\",\"count\":6},"
             "{\"bufferView\":8,\"componentType\":5120,\"normalized\":true,\"type\":\"VEC3\","
             "\"count\":4}]",
     .views =
         {"u8 160 0 0 1 63 0 0 0 255 255 255 1 63 0 0 0 126 125 126 0 0 1 12 0 0 0 255 1 12 0 0 0 "
          "126 0 0 0 1 3 0 0 0 126 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
          "u8 224 240 16 0 118 135 86 103 120 169 134 101 137 104 152 1 105 0 0",
          "u8 208 0 4 4 0 2 8 0 0 0 0",
          "u8 160 1 12 0 0 0 254 1 63 0 0 0 254 253 254 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
          "0 0 0 0 0 0 0 0 0 0 0 127 0",
          "f32 0",
          "f32 0 0 0 0 0 0 0 0 0 0 0 0|,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
          "\"byteOffset\":0,\"byteLength\":74,\"byteStride\":12,\"count\":4,"
          "\"mode\":\"ATTRIBUTES\"}}",
          "u16 0 0 0 0 0 0|,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
          "\"byteOffset\":76,\"byteLength\":19,\"byteStride\":2,\"count\":6,"
          "\"mode\":\"TRIANGLES\"}}",
          "u32 0 0 0 0 0 0|,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
          "\"byteOffset\":96,\"byteLength\":11,\"byteStride\":4,\"count\":6,\"mode\":\"INDICES\"}}",
          "u32 0 0 0 0|,\"byteStride\":4,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"
          "\"byteOffset\":108,\"byteLength\":49,\"byteStride\":4,\"count\":4,"
          "\"mode\":\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"}}"}},
    {.name = "meshopt-filters",
     .json =
         "\"extensionsUsed\":[\"KHR_meshopt_compression\",\"KHR_mesh_quantization\"],"
         "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
         "\"POSITION\":0,\"COLOR_0\":1,\"TANGENT\":2}}]}],\"animations\":[{\"channels\":["
         "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
         "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
         "\"samplers\":[{\"input\":3,\"output\":4},{\"input\":3,\"output\":5}]}],"
         "\"accessors\":[" ACCESSOR(
             4, 5126, VEC3,
             4) ","
                "{\"bufferView\":8,\"componentType\":5121,\"normalized\":true,\"type\":\"VEC4\","
                "\"count\":4},"
                "{\"bufferView\":9,\"componentType\":5122,\"normalized\":true,\"type\":\"VEC4\","
                "\"count\":4}," ACCESSOR(5, 5126, SCALAR,
                                         2) ","
                                            "{\"bufferView\":6,\"componentType\":5122,"
                                            "\"normalized\":true,\"type\":\"VEC4\","
                                            "\"count\":2}," ACCESSOR(7, 5126, VEC3, 2) "]",
     .views =
         {
             "u8 160 1 16 0 0 0 1 48 0 0 0 14 0 0 0 0 1 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
             "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 255 7",
             "u8 160 0 1 48 0 0 0 32 0 1 48 0 0 0 4 0 1 48 0 0 0 64 0 1 48 0 0 0 4 0 1 48 0 0 "
             "0 96 0 1 48 0 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 242 0 0 0 242 "
             "0 0 0 242",
             "u8 161 255 20 4 3 2 2 1 0 0 0 0 2 1 254 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
             "0 0 10 0 0 128 0",
             "u8 161 228 170 2 27 0 0 0 9 3 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 1 2 3 4 0 0 0 0 0 "
             "0 0 0 0 0 0 0 0 0 0 0 0 0 255 127 0 0 1 82",
             STRIP,
             "f32 0 1",
             "u32 0 0 0 0|,\"extensions\":{\"KHR_meshopt_compression\":{\"buffer\":0,"
             "\"byteOffset\":0,\"byteLength\":54,\"byteStride\":8,\"count\":2,"
             "\"mode\":\"ATTRIBUTES\",\"filter\":\"QUATERNION\"}}",
             "f32 0 0 0 0 0 0|,\"extensions\":{\"KHR_meshopt_compression\":{\"buffer\":0,"
             "\"byteOffset\":56,\"byteLength\":75,\"byteStride\":12,\"count\":2,"
             "\"mode\":\"ATTRIBUTES\",\"filter\":\"EXPONENTIAL\"}}",
             "u32 0 0 0 0|,\"extensions\":{\"KHR_meshopt_compression\":{\"buffer\":0,"
             "\"byteOffset\":132,\"byteLength\":42,\"byteStride\":4,\"count\":4,"
             "\"mode\":\"ATTRIBUTES\",\"filter\":\"COLOR\"}}",
             "u32 0 0 0 0 0 0 0 0|,\"extensions\":{\"KHR_meshopt_compression\":{\"buffer\":0,"
             "\"byteOffset\":176,\"byteLength\":54,\"byteStride\":8,\"count\":4,"
             "\"mode\":\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"}}",
         }},
    {.name = "draco",
     .optional = true,
     .json = "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"
             "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"nodes\":[{\"mesh\":0,"
             "\"skin\":0},{}],\"skins\":[{\"joints\":[0,1]}],\"meshes\":[{\"primitives\":[{"
             "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3,"
             "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{"
             "\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}}}]}],\"accessors\":["
             "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":4},"
             "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":4},"
             "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":4},"
             "{\"componentType\":5123,\"type\":\"SCALAR\",\"count\":6}]",
     .views =
         {"u8 68 82 65 67 79 2 2 1 0 0 0 2 4 1 0 1 2 2 1 3 1 3 0 9 3 0 0 4 2 4 0 1 4 9 4 0 2 2 "
          "1 0 0 1 1 0 9 3 1 32 1 16 19 1 16 3 0 160 144 136 17 0 240 15 0 0 0 0 255 0 0 0 0 1 "
          "1 0 2 3 1 64 1 0 50 17 0 0 0 0 1 0 0 0 0 0 0 63 0 0 0 63 0 0 0 0 0 0 0 0 0 0 128 63 "
          "0 0 0 0 0 0 0 0 0 0 0 0 0 0 128 63 0 0 0 0 0 0 0 0 0 0 0 0 0 0 128 63 0 0 0 0 0 0 0 "
          "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 128 63 8"}},
};

size_t test_fixture_count(void) {
    return sizeof fixtures / sizeof fixtures[0];
}

const char *test_fixture_name(size_t number) {
    return fixtures[number].name;
}

bool test_fixture_is_optional(size_t number) {
    return fixtures[number].optional;
}

/* ---- bytes that grow ------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *data;
    size_t size, capacity;
} bytes;

static void add(bytes *b, const void *data, size_t size) {
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size) + 256;
        b->data = realloc(b->data, b->capacity);
        if (!b->data) abort();
    }
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void add_text(bytes *b, const char *text) {
    add(b, text, strlen(text));
}

static void add_u32(bytes *b, size_t value) {
    uint32_t narrow = (uint32_t)value;
    add(b, &narrow, sizeof narrow);
}

/* The same bytes in memory of exactly their size. */
static test_file finish(bytes *b) {
    test_file file = {malloc(b->size ? b->size : 1), b->size};
    if (!file.bytes) abort();
    if (b->size > 0) memcpy(file.bytes, b->data, b->size);
    free(b->data);
    return file;
}

/* ---- fixtures -------------------------------------------------------------------------------- */

/* Bytes of a component type; numbers wrap as a cast would. */
static unsigned component_size(const char *type) {
    unsigned bits = (unsigned)atoi(type + 1);
    return bits / 8;
}

static void add_number(bytes *bin, const char *type, double number) {
    float real = (float)number;
    int64_t whole = (int64_t)number;
    if (*type == 'f')
        add(bin, &real, sizeof real);
    else
        add(bin, &whole, component_size(type)); /* little-endian */
}

/* Adds the bytes of a view and the JSON that describes it. */
static void add_view(const char *view, bytes *bin, bytes *json) {
    char text[128], *end;
    const char *more = strchr(view, '|'), *s = strchr(view, ' ');
    while (bin->size % 4 != 0)
        add(bin, "", 1);
    size_t start = bin->size;
    for (;;) {
        double number = strtod(s, &end);
        if (end == s) break;
        add_number(bin, view, number);
        s = end;
    }
    snprintf(text, sizeof text, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", start,
             bin->size - start);
    add_text(json, text);
    if (more) add_text(json, more + 1);
    add_text(json, "}");
}

static void add_base64(bytes *text, const bytes *b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < b->size; i += 3) {
        char out[4];
        size_t left = b->size - i;
        uint32_t bits = (uint32_t)b->data[i] << 16;
        if (left > 1) bits |= (uint32_t)b->data[i + 1] << 8;
        if (left > 2) bits |= b->data[i + 2];
        for (int k = 0; k < 4; ++k)
            out[k] = digits[bits >> (18 - 6 * k) & 63];
        if (left < 3) out[3] = '=';
        if (left < 2) out[2] = '=';
        add(text, out, 4);
    }
}

test_file test_glb_make(const char *json, const unsigned char *bin, size_t bin_size) {
    bytes glb = {0};
    size_t length = strlen(json), padded = (length + 3) & ~(size_t)3;
    size_t bin_padded = (bin_size + 3) & ~(size_t)3;
    add(&glb, "glTF\2\0\0\0", 8);
    add_u32(&glb, 20 + padded + (bin ? 8 + bin_padded : 0));
    add_u32(&glb, padded);
    add_text(&glb, "JSON");
    add_text(&glb, json);
    add(&glb, "   ", padded - length);
    if (bin) {
        add_u32(&glb, bin_padded);
        add(&glb, "BIN\0", 4);
        add(&glb, bin, bin_size);
        add(&glb, "\0\0\0", bin_padded - bin_size);
    }
    return finish(&glb);
}

test_file test_fixture_make(size_t number, bool glb) {
    const fixture *f = &fixtures[number];
    bytes bin = {0}, views = {0}, json = {0};
    char text[64];
    for (int i = 0; i < MOST_VIEWS && f->views[i]; ++i) {
        if (i > 0) add_text(&views, ",");
        add_view(f->views[i], &bin, &views);
    }
    add_text(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"fixture\"},");
    add_text(&json, f->json);
    if (bin.size > 0) {
        add_text(&json, ",\"bufferViews\":[");
        add(&json, views.data, views.size);
        snprintf(text, sizeof text, "],\"buffers\":[{\"byteLength\":%zu", bin.size);
        add_text(&json, text);
        if (!glb) {
            add_text(&json, ",\"uri\":\"data:application/octet-stream;base64,");
            add_base64(&json, &bin);
            add_text(&json, "\"");
        }
        add_text(&json, "}]");
    }
    add_text(&json, "}");
    free(views.data);
    test_file file;
    if (glb) {
        add(&json, "", 1);
        file = test_glb_make((char *)json.data, bin.data, bin.size);
        free(json.data);
    } else {
        file = finish(&json);
    }
    free(bin.data);
    return file;
}

test_file test_file_read(const char *path) {
    bytes b = {0};
    unsigned char part[4096];
    FILE *stream = fopen(path, "rb");
    if (!stream) return (test_file){calloc(1, 1), 0};
    for (size_t got; (got = fread(part, 1, sizeof part, stream)) > 0;)
        add(&b, part, got);
    fclose(stream);
    return finish(&b);
}
