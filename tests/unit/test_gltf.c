// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * gltf: rule by rule, what is refused and where, what is read with a warning, and what a model then
 * holds. Texts are JSON with ' for ".
 */
#include "gltf/gltf_reader.h"
#include "test_allocator.h"
#include "test_near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ASSET "'asset':{'version':'2.0'}"

/* Accessors on nothing, so zeros: three of 0 VEC3, 1 u8 VEC4, 2 float VEC4; two of the others. */
#define STREAMS                                                                                    \
    "'accessors':[{'componentType':5126,'count':3,'type':'VEC3'},"                                 \
    "{'componentType':5121,'count':3,'type':'VEC4'},"                                              \
    "{'componentType':5126,'count':3,'type':'VEC4'},"                                              \
    "{'componentType':5126,'count':2,'type':'SCALAR'},"                                            \
    "{'componentType':5126,'count':2,'type':'VEC3'},"                                              \
    "{'componentType':5126,'count':2,'type':'MAT4'}]"

static bp_result load(bp_model **model, const char *text, const bp_load_options *options,
                      bp_error *error) {
    char json[8192];
    size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; ++i)
        json[i] = text[i] == '\'' ? '"' : text[i];
    return bp_model_load_memory(model, json, length, options, error);
}

static bp_model *load_good(const char *text) {
    bp_model *model;
    bp_error error;
    if (load(&model, text, NULL, &error) != BP_OK)
        fail_msg("%s: %s in %s", error.pointer, error.message, text);
    return model;
}

static const bp_warning *find_warning(const bp_model *model, bp_rule rule) {
    for (uint32_t i = 0; i < model->warning_count; ++i)
        if (model->warnings[i].rule == rule) return &model->warnings[i];
    return NULL;
}

static void test_refusals_have_rule_and_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *pointer;
        bp_rule rule;
        bp_result result;
    } cases[] = {
        {"{}", "", BP_RULE_UNDEFINED_PROPERTY, BP_ERROR_FORMAT},
        {"{'asset':{}}", "/asset", BP_RULE_UNDEFINED_PROPERTY, BP_ERROR_FORMAT},
        {"{'asset':3}", "/asset", BP_RULE_TYPE_MISMATCH, BP_ERROR_FORMAT},
        {"{'asset':{'version':'1.0'}}", "/asset/version", BP_RULE_UNKNOWN_ASSET_MAJOR_VERSION,
         BP_ERROR_UNSUPPORTED},
        {"{" ASSET ",'extensionsUsed':['X_y'],'extensionsRequired':['X_y']}",
         "/extensionsRequired/0", BP_RULE_EXTENSION_REQUIRED_UNSUPPORTED, BP_ERROR_UNSUPPORTED},
        {"{" ASSET ",'nodes':{}}", "/nodes", BP_RULE_TYPE_MISMATCH, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[7]}", "/nodes/0", BP_RULE_TYPE_MISMATCH, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'children':[1]}]}", "/nodes/0/children/0",
         BP_RULE_UNRESOLVED_REFERENCE, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'children':[1]},{'children':[2]},{'children':[1]}]}",
         "/nodes/2/children/0", BP_RULE_NODE_PARENT_OVERRIDE, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{},{'children':[2]},{'children':[1]}]}", "/nodes/1",
         BP_RULE_NODE_LOOP, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'children':[0]}]}", "/nodes/0", BP_RULE_NODE_LOOP, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'translation':[1,2]}]}", "/nodes/0/translation",
         BP_RULE_ARRAY_TYPE_MISMATCH, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'scale':[1,2,1e39]}]}", "/nodes/0/scale/2",
         BP_RULE_VALUE_NOT_IN_RANGE, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'mesh':0}]}", "/nodes/0/mesh", BP_RULE_UNRESOLVED_REFERENCE,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{'mesh':-1}]}", "/nodes/0/mesh", BP_RULE_TYPE_MISMATCH,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'scenes':[{'nodes':[0]}]}", "/scenes/0/nodes/0", BP_RULE_UNRESOLVED_REFERENCE,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'scene':0}", "/scene", BP_RULE_UNRESOLVED_REFERENCE, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}],'skins':[{}]}", "/skins/0", BP_RULE_UNDEFINED_PROPERTY,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}],'skins':[{'joints':[]}]}", "/skins/0/joints",
         BP_RULE_EMPTY_ENTITY, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}],'skins':[{'joints':[0,1]}]}", "/skins/0/joints/1",
         BP_RULE_UNRESOLVED_REFERENCE, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}]," STREAMS ",'skins':[{'joints':[0],'inverseBindMatrices':0}]}",
         "/skins/0/inverseBindMatrices", BP_RULE_SKIN_IBM_INVALID_FORMAT, BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}]," STREAMS
         ",'skins':[{'joints':[0,0,0],'inverseBindMatrices':5}]}",
         "/skins/0/inverseBindMatrices", BP_RULE_INVALID_IBM_ACCESSOR_COUNT, BP_ERROR_FORMAT},
        {"{" ASSET ",'meshes':[{}]}", "/meshes/0", BP_RULE_UNDEFINED_PROPERTY, BP_ERROR_FORMAT},
        {"{" ASSET ",'meshes':[{'primitives':[{}]}]}", "/meshes/0/primitives/0",
         BP_RULE_UNDEFINED_PROPERTY, BP_ERROR_FORMAT},
        {"{" ASSET ",'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}",
         "/meshes/0/primitives/0/attributes/POSITION", BP_RULE_UNRESOLVED_REFERENCE,
         BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS ",'meshes':[{'primitives':[{'attributes':{'POSITION':3}}]}]}",
         "/meshes/0/primitives/0/attributes/POSITION",
         BP_RULE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':4}}]}]}",
         "/meshes/0/primitives/0/attributes/NORMAL", BP_RULE_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
         BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':3}]}]}",
         "/meshes/0/primitives/0/indices", BP_RULE_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT,
         BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':7}]}]}",
         "/meshes/0/primitives/0/mode", BP_RULE_VALUE_NOT_IN_LIST, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':2}}]}]}",
         "/meshes/0/primitives/0/attributes/JOINTS_0",
         BP_RULE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':4}]}]}]}",
         "/meshes/0/primitives/0/targets/0/POSITION",
         BP_RULE_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT, BP_ERROR_FORMAT},
        {"{" ASSET ",'animations':[{'channels':[]}]}", "/animations/0", BP_RULE_UNDEFINED_PROPERTY,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,"
         "'path':'scale'}}],'samplers':[]}]}",
         "/animations/0/channels/0/sampler", BP_RULE_UNRESOLVED_REFERENCE, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'scale'}}],'samplers':[{'input':4,'output':4}]}]}",
         "/animations/0/samplers/0/input", BP_RULE_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT,
         BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'rotation'}}],'samplers':[{'input':3,'output':4}]}]}",
         "/animations/0/samplers/0/output",
         BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'scale'}}],'samplers':[{'input':3,'output':4,"
         "'interpolation':'CUBICSPLINE'}]}]}",
         "/animations/0/samplers/0/output", BP_RULE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'path':"
         "'pointer','extensions':{'KHR_animation_pointer':{'pointer':'/nodes/5/scale'}}}}],"
         "'samplers':[]}]}",
         "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer",
         BP_RULE_UNRESOLVED_REFERENCE, BP_ERROR_FORMAT},
        {"{" ASSET "," STREAMS ",'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':"
         "{'attributes':{'TRANSLATION':0,'SCALE':4}}}}],'meshes':[{'primitives':[{'attributes':"
         "{'POSITION':0}}]}]}",
         "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/SCALE", BP_RULE_INSTANCING_INVALID,
         BP_ERROR_FORMAT},
        {"{" ASSET ",'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}]}",
         "/materials/0/pbrMetallicRoughness/baseColorTexture/index", BP_RULE_UNRESOLVED_REFERENCE,
         BP_ERROR_FORMAT},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_model *model;
        bp_error error;
        bp_result result = load(&model, cases[i].text, NULL, &error);
        if (result != cases[i].result || strcmp(error.pointer, cases[i].pointer) != 0 ||
            strcmp(error.rule, bp_rule_name(cases[i].rule)) != 0 || strlen(error.message) < 8)
            fail_msg("%s: %s at %s (%s) for %s", bp_result_name(result), error.rule, error.pointer,
                     error.message, cases[i].text);
        assert_null(model);
    }
}

static void test_warnings_have_rule_and_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *pointer;
        bp_rule rule;
    } cases[] = {
        {"{'asset':{'version':'2.1','minVersion':'2.1'}}", "/asset/minVersion",
         BP_RULE_ASSET_MIN_VERSION_GREATER_THAN_VERSION},
        {"{" ASSET ",'extensionsRequired':['KHR_texture_transform']}", "/extensionsRequired/0",
         BP_RULE_EXTENSION_IGNORED},
        {"{" ASSET ",'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],'scale':[1,1,1]}]}",
         "/nodes/0", BP_RULE_NODE_MATRIX_TRS},
        {"{" ASSET ",'nodes':[{'rotation':[0,0,0,2]}]}", "/nodes/0/rotation",
         BP_RULE_ROTATION_NON_UNIT},
        {"{" ASSET ",'nodes':[{'children':[1]},{}],'scenes':[{'nodes':[1]}]}", "/scenes/0/nodes/0",
         BP_RULE_SCENE_NON_ROOT_NODE},
        {"{" ASSET ",'nodes':[{'weights':[1]}]}", "/nodes/0/weights",
         BP_RULE_UNSATISFIED_DEPENDENCY},
        {"{" ASSET "," STREAMS ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':"
         "{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]}",
         "/nodes/0", BP_RULE_NODE_SKINNED_MESH_WITHOUT_SKIN},
        {"{" ASSET "," STREAMS ",'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}",
         "/nodes/0", BP_RULE_NODE_SKIN_WITH_NON_SKINNED_MESH},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':5}]}",
         "/skins/0/inverseBindMatrices", BP_RULE_ACCESSOR_INVALID_IBM},
        {"{" ASSET "," STREAMS ",'meshes':[{'primitives':[{'attributes':{'NORMAL':0}}]}]}",
         "/meshes/0/primitives/0", BP_RULE_MESH_PRIMITIVE_NO_POSITION},
        {"{" ASSET "," STREAMS
         ",'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1}}]}]}",
         "/meshes/0/primitives/0/attributes/JOINTS_0",
         BP_RULE_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH},
        {"{" ASSET "," STREAMS ",'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]}",
         "/meshes/0/primitives/0/attributes/WEIGHTS_0", BP_RULE_ACCESSOR_WEIGHTS_ALL_ZERO},
        {"{" ASSET "," STREAMS ",'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
         "'targets':[{'NORMAL':0}]}]}]}",
         "/meshes/0/primitives/0/targets/0/NORMAL",
         BP_RULE_MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR},
        {"{" ASSET "," STREAMS ",'nodes':[{'mesh':0}],'meshes':[{'weights':[1,2],'primitives':["
         "{'attributes':{'POSITION':0},'targets':[{'POSITION':0}]}]}]}",
         "/meshes/0/weights", BP_RULE_MESH_INVALID_WEIGHTS_COUNT},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'scale'}}],'samplers':[{'input':3,'output':4}]}]}",
         "/accessors/3", BP_RULE_ACCESSOR_ANIMATION_INPUT_NON_INCREASING},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'weights'}}],'samplers':[{'input':3,'output':3}]}]}",
         "/animations/0/channels/0", BP_RULE_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS},
        {"{" ASSET "," STREAMS ",'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"
         "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],"
         "'samplers':[{'input':3,'output':4}]}]}",
         "/animations/0/channels/0", BP_RULE_ANIMATION_CHANNEL_TARGET_NODE_MATRIX},
        {"{" ASSET "," STREAMS ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':"
         "{'node':0,'path':'scale'}},{'sampler':0,'target':{'node':0,'path':'scale'}}],"
         "'samplers':[{'input':3,'output':4}]}]}",
         "/animations/0/channels/1", BP_RULE_ANIMATION_DUPLICATE_TARGETS},
        {"{" ASSET ",'animations':[{'channels':[{'sampler':0,'target':{'path':'pointer',"
         "'extensions':{'KHR_animation_pointer':{'pointer':'/materials/0/alphaCutoff'}}}}],"
         "'samplers':[]}]}",
         "/animations/0/channels/0/target/extensions/KHR_animation_pointer/pointer",
         BP_RULE_ANIMATION_POINTER_NOT_SUPPORTED},
        {"{" ASSET ",'materials':[{'alphaMode':'GLOW'}]}", "/materials/0/alphaMode",
         BP_RULE_VALUE_NOT_IN_LIST},
        {"{" ASSET ",'images':[{'uri':'../x.png'}]}", "/images/0/uri", BP_RULE_FILE_OUTSIDE_FOLDER},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bp_model *model = load_good(cases[i].text);
        const bp_warning *warning = find_warning(model, cases[i].rule);
        if (!warning || strcmp(warning->pointer, cases[i].pointer) != 0 || warning->count == 0)
            fail_msg("%s: %s instead of %s", cases[i].text, warning ? warning->pointer : "nothing",
                     cases[i].pointer);
        bp_model_destroy(model);
    }
}

/* Children before parents in the file: the skeleton turns them round and keeps the map. */
static void test_node_order(void **state) {
    (void)state;
    bp_model *model =
        load_good("{" ASSET ",'nodes':[{'name':'leaf'},{'name':'knee','children':[0]},"
                  "{'name':'hip','children':[1,3]},{'name':'tail'}],"
                  "'scenes':[{'name':'main','nodes':[2]}]}");
    const bp_skeleton *s = &model->skeleton;
    static const char *const labels[] = {"hip", "knee", "leaf", "tail"};
    static const int32_t parents[] = {-1, 0, 1, 0};
    static const uint32_t files[] = {2, 1, 0, 3};
    assert_int_equal(s->node_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_string_equal(s->labels[i], labels[i]);
        assert_int_equal(s->parents[i], parents[i]);
        assert_int_equal(s->file_from_node[i], files[i]);
        assert_int_equal(s->node_from_file[files[i]], i);
    }
    assert_int_equal(model->default_scene, 0);
    assert_int_equal(model->scenes[0].roots[0], 0);
    bp_model_destroy(model);
}

static void test_empty_file(void **state) {
    (void)state;
    bp_model *model = load_good("{'asset':{'version':'2.0','generator':'by hand'}}");
    assert_int_equal(model->skeleton.node_count, 0);
    assert_int_equal(model->default_scene, -1);
    assert_int_equal(model->warning_count, 0);
    assert_string_equal(model->generator, "by hand");
    assert_true(model->memory_bytes > 0);
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    bp_clip_sample(pose, NULL, 0);
    bp_pose_update(pose);
    bp_pose_destroy(pose);
    bp_model_destroy(model);
    bp_model_destroy(NULL);
}

/* Weights: animated, else the node's, else the mesh's, else 0; and pointers to a mesh's weights. */
static void test_morph_weights(void **state) {
    (void)state;
    bp_model *model = load_good(
        "{" ASSET "," STREAMS ",'nodes':[{'mesh':0},{'mesh':0,'weights':[0.5,0.25]},{}],"
        "'meshes':[{'weights':[0.125,0],'extras':{'targetNames':['up','down']},'primitives':["
        "{'attributes':{'POSITION':0},'targets':[{'POSITION':0},{}]}]}],"
        "'animations':[{'channels':[{'sampler':0,'target':{'path':'pointer','extensions':"
        "{'KHR_animation_pointer':{'pointer':'/meshes/0/weights/1'}}}},{'sampler':0,'target':"
        "{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':"
        "'/nodes/1/weights/0'}}}}],'samplers':[{'input':3,'output':3}]}]}");
    static const uint32_t first[] = {0, 2, 4, 4};
    static const float weights[] = {0.125f, 0, 0.5f, 0.25f};
    assert_memory_equal(model->skeleton.weight_first, first, sizeof first);
    assert_memory_equal(model->skeleton.rest_weights, weights, sizeof weights);
    assert_string_equal(model->meshes[0].target_names[1], "down");
    /* The mesh's weight 1 is node 0's alone: node 1 has weights of its own. */
    const bp_clip *clip = &model->clips[0];
    assert_int_equal(clip->channel_count, 2);
    assert_int_equal(clip->channels[0].node, 0);
    assert_int_equal(clip->channels[0].weight_first, 1);
    assert_int_equal(clip->channels[0].weight_count, 1);
    assert_int_equal(clip->channels[1].node, 1);
    assert_int_equal(clip->channels[1].weight_first, 0);
    uint32_t count;
    bp_pose *pose = bp_pose_create(&model->skeleton, NULL);
    const float *got = bp_model_instance_weights(model, pose, 1, &count);
    assert_int_equal(count, 2);
    test_near(got[0], 0.5, 0);
    bp_pose_destroy(pose);
    bp_model_destroy(model);
}

static void test_pointer_syntax(void **state) {
    (void)state;
    static const struct {
        const char *pointer;
        bool supported;
    } cases[] = {
        {"/nodes/0/translation", true},
        {"/nodes/0/rotation", true},
        {"/nodes/0/scale", true},
        {"/nodes/0/weights", true},
        {"/nodes/0/weights/2", true},
        {"/meshes/0/weights", true},
        {"/meshes/0/scale", false},
        {"/nodes/00/scale", false},
        {"/nodes/0/scale/0", false},
        {"nodes/0/scale", false},
        {"/nodes/-1/scale", false},
        {"/nodes//scale", false},
        {"/nodes/0", false},
        {"/nodes/0/weights/", false},
        {"/nodes/0/weights/x", false},
        {"", false},
        {"/cameras/0/type", false},
        {"/nodes/99999999999/scale", false},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{" ASSET "," STREAMS ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{"
            "'attributes':{'POSITION':0},'targets':[{},{},{}]}]}],'animations':[{'channels':[],"
            "'samplers':[],'extras':'%s'}]}",
            cases[i].pointer);
        bp_document *document;
        for (char *c = text; *c; ++c)
            if (*c == '\'') *c = '"';
        assert_int_equal(bp_document_load_memory(&document, text, strlen(text), NULL, NULL), BP_OK);
        bp_error error;
        bpi_gltf_reader reader = {.document = document, .error = &error};
        reader.memory = bpi_memory_make(NULL, 0);
        reader.arena = bpi_arena_make(&reader.memory);
        reader.report = (bpi_report){.arena = &reader.arena};
        reader.counts[BPI_GLTF_NODES] = reader.counts[BPI_GLTF_MESHES] = 1;
        bp_json animation = bp_json_element(document, bp_json_member(document, 0, "animations"), 0);
        bpi_gltf_pointer_target target;
        assert_true(bpi_gltf_parse_pointer(&reader, bp_json_member(document, animation, "extras"),
                                           &target));
        if (target.supported != cases[i].supported) fail_msg("%s", cases[i].pointer);
        bpi_arena_release(&reader.arena);
        bp_document_destroy(document);
    }
}

static void test_instances_and_copies(void **state) {
    (void)state;
    bp_model *model = load_good(
        "{" ASSET "," STREAMS ",'scenes':[{'nodes':[0]}],'nodes':[{'children':[1],'mesh':0},"
        "{'mesh':0},{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':"
        "{'TRANSLATION':0,'_ID':3}}}}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}");
    assert_int_equal(model->instance_count, 3);
    assert_true(model->instances[0].in_default_scene && model->instances[1].in_default_scene);
    assert_false(model->instances[2].in_default_scene);
    assert_int_equal(model->instances[0].copy_count, 0);
    assert_int_equal(model->instances[2].copy_count, 3);
    test_near(model->instances[2].copies[2].scale.y, 1, 0);
    test_near(model->instances[2].copies[2].rotation.w, 1, 0);
    assert_int_equal(model->instances[2].skin, -1);
    bp_model_destroy(model);
}

/* A mesh of one primitive with influences and one without, with and without a skin. */
static void test_what_is_skinned(void **state) {
    (void)state;
    bp_model *model = load_good(
        "{" ASSET "," STREAMS ",'nodes':[{'mesh':0,'skin':0},{'mesh':0}],'skins':[{'joints':[0]}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}},"
        "{'attributes':{'POSITION':0}}]},{'primitives':[]}]}");
    assert_true(bp_model_is_skinned(model, 0, 0));
    assert_false(bp_model_is_skinned(model, 0, 1));
    assert_false(bp_model_is_skinned(model, 1, 0));
    const bp_warning *warning = find_warning(model, BP_RULE_EMPTY_ENTITY);
    assert_non_null(warning);
    assert_string_equal(warning->pointer, "/meshes/1/primitives");
    bp_model_destroy(model);
}

static void test_materials_and_images(void **state) {
    (void)state;
    bp_model *model = load_good(
        "{" ASSET ",'materials':[{},{'name':'skin','pbrMetallicRoughness':{'baseColorFactor':"
        "[1,0.5,0.25,0.125],'baseColorTexture':{'index':0,'texCoord':1},'metallicFactor':0},"
        "'alphaMode':'MASK','alphaCutoff':0.25,'doubleSided':true,'emissiveFactor':[1,0,0],"
        "'extensions':{'KHR_materials_unlit':{}}}],'textures':[{'source':1,'sampler':0},"
        "{'extensions':{'EXT_texture_webp':{'source':0}}}],"
        "'samplers':[{'magFilter':9728,'wrapS':33071}],"
        "'images':[{'uri':'a%20b.png','mimeType':'image/png'},"
        "{'uri':'data:image/png;base64,AQID'}]}");
    const bp_material *plain = &model->materials[0], *skin = &model->materials[1];
    test_near(plain->base_color[3], 1, 0);
    assert_int_equal(plain->base_color_texture, -1);
    test_near(plain->alpha_cutoff, 0.5, 0);
    assert_string_equal(skin->name, "skin");
    test_near(skin->base_color[2], 0.25, 0);
    assert_int_equal(skin->base_color_texture, 0);
    assert_int_equal(skin->base_color_texcoord, 1);
    assert_int_equal(skin->alpha_mode, BP_ALPHA_MASK);
    assert_true(skin->double_sided && skin->unlit);
    assert_int_equal(model->textures[0].image, 1);
    assert_int_equal(model->textures[0].mag_filter, 9728);
    assert_int_equal(model->textures[0].wrap_s, 33071);
    assert_int_equal(model->textures[0].wrap_t, 10497);
    assert_int_equal(model->textures[1].image, 0);
    assert_string_equal(model->images[0].uri, "a b.png");
    assert_string_equal(model->images[0].mime_type, "image/png");
    assert_int_equal(model->images[1].bytes.size, 3);
    assert_memory_equal(model->images[1].bytes.data, "\1\2\3", 3);
    assert_string_equal(model->images[1].mime_type, "image/png");
    bp_model_destroy(model);
}

static void test_limits(void **state) {
    (void)state;
    const char *text =
        "{" ASSET "," STREAMS
        ",'nodes':[{},{},{}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}";
    const bp_load_options nodes = {.limits = {.nodes = 2}}, vertices = {.limits = {.vertices = 2}};
    const bp_load_options memory = {.limits = {.memory_bytes = 1000}};
    const bp_load_options file = {.limits = {.file_bytes = 100}};
    const bp_load_options *all[] = {&nodes, &vertices, &memory, &file};
    for (size_t i = 0; i < COUNT(all); ++i) {
        bp_model *model;
        bp_error error;
        assert_int_equal(load(&model, text, all[i], &error), BP_ERROR_LIMIT);
        assert_null(model);
        assert_true(strlen(error.message) > 8);
    }
    bp_model_destroy(load_good(text));
}

/* One block for the model, one for its warnings, nothing else stays. */
static void test_one_block(void **state) {
    (void)state;
    test_allocator counter = {0};
    const bp_load_options options = {.allocator = test_allocator_make(&counter)};
    bp_model *model;
    assert_int_equal(load(&model, "{" ASSET ",'nodes':[{'name':'a'}]}", &options, NULL), BP_OK);
    assert_int_equal(counter.live, 1);
    assert_int_equal(counter.held, model->memory_bytes);
    bp_model_destroy(model);
    assert_int_equal(load(&model, "{" ASSET ",'nodes':[{'rotation':[0,0,0,3]}]}", &options, NULL),
                     BP_OK);
    assert_int_equal(counter.live, 2);
    assert_int_equal(counter.held, model->memory_bytes);
    bp_model_destroy(model);
    assert_int_equal(counter.live, 0);
}

static void test_find_clip(void **state) {
    (void)state;
    bp_model *model = load_good("{" ASSET ",'animations':[{'channels':[],'samplers':[]},"
                                "{'name':'Run','channels':[],'samplers':[]}]}");
    assert_ptr_equal(bp_model_find_clip(model, "Run"), &model->clips[1]);
    assert_null(bp_model_find_clip(model, "run"));
    assert_null(bp_model_find_clip(model, ""));
    assert_null(bp_model_find_clip(model, NULL));
    test_near(model->clips[1].duration, 0, 0);
    bp_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals_have_rule_and_place),
        cmocka_unit_test(test_warnings_have_rule_and_place),
        cmocka_unit_test(test_node_order),
        cmocka_unit_test(test_empty_file),
        cmocka_unit_test(test_morph_weights),
        cmocka_unit_test(test_pointer_syntax),
        cmocka_unit_test(test_instances_and_copies),
        cmocka_unit_test(test_what_is_skinned),
        cmocka_unit_test(test_materials_and_images),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_one_block),
        cmocka_unit_test(test_find_clip),
    };
    return cmocka_run_group_tests_name("gltf", tests, NULL, NULL);
}
