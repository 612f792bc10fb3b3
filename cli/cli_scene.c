// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * A model as a list of what it draws, and the pose of all of it.
 *
 * Vertices are computed one drawable at a time into arrays that are reused, so that a scene of any
 * size needs room for its largest mesh only. Formats that must know bounds before they write
 * compute twice: skinning is far faster than writing.
 */

#include "cli.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- what there is to draw ------------------------------------------------------------------ */

static const bp_mesh *mesh_of(const bp_model *model, uint32_t instance) {
    return &model->meshes[model->instances[instance].mesh];
}

/* A file without scenes does not say what to show first: all of it. */
static bool is_shown(const bp_model *model, uint32_t instance, bool all_scenes) {
    return all_scenes || model->scene_count == 0 || model->instances[instance].in_default_scene;
}

static void add_drawables(cli_scene *scene, uint32_t index) {
    const bp_instance *instance = &scene->model->instances[index];
    const bp_mesh *mesh = mesh_of(scene->model, index);
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const bp_primitive *shape = &mesh->primitives[i];
        if (!shape->positions || shape->vertex_count == 0) continue; /* the loader warned of it */
        scene->drawables[scene->drawable_count++] = (cli_drawable){
            .instance = index,
            .primitive = i,
            .shape = shape,
            .skinned = bp_model_is_skinned(scene->model, index, i),
            .copies = instance->copy_count > 0 ? instance->copy_count : 1,
        };
    }
}

static void list_drawables(cli_scene *scene, const cli_request *request, bool all_scenes) {
    const bp_model *model = scene->model;
    uint64_t most = 0;
    uint32_t hidden = 0;
    for (uint32_t i = 0; i < model->instance_count; i++) {
        if (is_shown(model, i, all_scenes))
            most += mesh_of(model, i)->primitive_count;
        else
            hidden++;
    }
    if (most > UINT32_MAX) cli_out_of_memory();
    scene->drawables = cli_allocate((size_t)most, sizeof *scene->drawables);
    for (uint32_t i = 0; i < model->instance_count; i++)
        if (is_shown(model, i, all_scenes)) add_drawables(scene, i);
    if (scene->drawable_count > 0 || request->quiet) return;
    if (hidden > 0)
        cli_warn(request->label, "/scenes", "the default scene draws no mesh; --all-scenes does");
    else
        cli_warn(request->label, NULL, "the file draws no mesh");
}

static void make_room(cli_scene *scene) {
    size_t vertices = 0, normals = 0, tangents = 0, joints = 1, all_joints = 0;
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const bp_primitive *shape = scene->drawables[i].shape;
        size_t count = shape->vertex_count;
        if (count > vertices) vertices = count;
        if (shape->normals && count > normals) normals = count;
        if (shape->tangents && count > tangents) tangents = count;
    }
    const bp_model *model = scene->model;
    scene->palette_first = cli_allocate(model->skin_count, sizeof *scene->palette_first);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        size_t count = model->skins[i].joint_count;
        if (count > joints) joints = count;
        scene->palette_first[i] = all_joints;
        all_joints += count;
    }
    scene->palettes = cli_allocate(all_joints, sizeof *scene->palettes);
    scene->job_palette = cli_allocate(joints, sizeof *scene->job_palette);
    scene->positions = cli_allocate(vertices, 3 * sizeof(float));
    scene->normals = cli_allocate(normals, 3 * sizeof(float));
    scene->tangents = cli_allocate(tangents, 4 * sizeof(float));
}

cli_scene *cli_scene_create(const bp_model *model, const cli_request *request, bool all_scenes,
                            bool bind) {
    cli_scene *scene = cli_allocate(1, sizeof *scene);
    scene->model = model;
    scene->label = request->label;
    scene->bind = bind;
    scene->threads = cli_thread_count(request);
    list_drawables(scene, request, all_scenes);
    make_room(scene);
    scene->pose = cli_pose_create(model);
    return scene;
}

void cli_scene_destroy(cli_scene *scene) {
    if (!scene) return;
    bp_pose_destroy(scene->pose);
    free(scene->drawables);
    free(scene->palettes);
    free(scene->palette_first);
    free(scene->job_palette);
    free(scene->positions);
    free(scene->normals);
    free(scene->tangents);
    free(scene);
}

/* ---- posing --------------------------------------------------------------------------------- */

static bp_mat34 *palette_of(const cli_scene *scene, uint32_t skin) {
    return scene->palettes + scene->palette_first[skin];
}

int cli_scene_set(cli_scene *scene, const bp_clip *clip, float time, int32_t origin) {
    const bp_model *model = scene->model;
    assert(!scene->bind || (!clip && origin < 0));
    bp_clip_sample(scene->pose, clip, time);
    if (origin < 0) {
        bp_pose_update(scene->pose);
    } else if (!bp_pose_update_relative(scene->pose, (uint32_t)origin, NULL)) {
        cli_word place = cli_format("/nodes/%" PRIu32, model->skeleton.file_from_node[origin]);
        return cli_fail(scene->label, place.text,
                        "has no space of its own in this pose; it, or a node above it, is "
                        "scaled to nothing");
    }
    for (uint32_t i = 0; i < model->skin_count; i++)
        bp_palette_build(palette_of(scene, i), &model->skins[i], scene->pose);
    return CLI_DONE;
}

static bool all_finite(const float *numbers, size_t count) {
    bool finite = true;
    for (size_t i = 0; i < count; i++)
        finite &= isfinite(numbers[i]) != 0;
    return finite;
}

static int refuse_infinite(const cli_scene *scene, uint32_t node, const char *what) {
    cli_word place = cli_format("/nodes/%" PRIu32, scene->model->skeleton.file_from_node[node]);
    return cli_fail(scene->label, place.text,
                    "%s beyond what a float holds; the transforms that move it are too large",
                    what);
}

int cli_scene_joint(const cli_scene *scene, uint32_t skin, uint32_t joint, bp_mat34 *global,
                    bp_mat34 *matrix) {
    const bp_skin *of = &scene->model->skins[skin];
    if (scene->bind) {
        bp_skin_bind_transform(global, of, joint);
        *matrix = of->bind_shape;
    } else {
        *global = bp_pose_globals(scene->pose)[of->joints[joint]];
        *matrix = palette_of(scene, skin)[joint];
    }
    if (all_finite(global->m[0], 12) && all_finite(matrix->m[0], 12)) return CLI_DONE;
    return refuse_infinite(scene, of->joints[joint], "this joint is posed");
}

static const bp_mat34 *global_of(const cli_scene *scene, const cli_drawable *drawable) {
    return &bp_pose_globals(scene->pose)[scene->model->instances[drawable->instance].node];
}

/*
 * A copy of EXT_mesh_gpu_instancing is drawn at G * T, G being the node's global transform. A rigid
 * mesh just has that instead of G. Vertices that are in the scene already, as those that joints
 * move always are, go there by G * T * inverse(G). Where G is singular there is no such matrix: for
 * what joints move, the copies' distances are all that is left of T then.
 */
static bp_mat34 copy_matrix(const cli_scene *scene, const cli_drawable *drawable, uint32_t copy) {
    const bp_instance *instance = &scene->model->instances[drawable->instance];
    bp_mat34 global = *global_of(scene, drawable);
    bp_mat34 node_from_copy = bp_mat34_from_transform(instance->copies[copy]);
    bp_mat34 global_from_copy = bp_mat34_mul(&global, &node_from_copy);
    bp_mat34 inverse;
    if (bp_mat34_inverse(&inverse, &global)) return bp_mat34_mul(&global_from_copy, &inverse);
    bp_mat34 moved = bp_mat34_identity();
    for (int row = 0; row < 3; row++)
        moved.m[row][3] = global_from_copy.m[row][3] - global.m[row][3];
    return moved;
}

static float linear_size(const bp_mat34 *matrix) {
    float size = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            size = fmaxf(size, fabsf(matrix->m[row][column]));
    return size;
}

/* inverse(G) multiplies the rounding of vertices by up to the condition number of G. */
bool cli_scene_has_copy_matrices(const cli_scene *scene, const cli_drawable *drawable) {
    const bp_mat34 *global = global_of(scene, drawable);
    bp_mat34 inverse;
    return bp_mat34_inverse(&inverse, global) && linear_size(global) * linear_size(&inverse) < 1e3f;
}

int cli_scene_copy_matrix(const cli_scene *scene, const cli_drawable *drawable, uint32_t copy,
                          bp_mat34 *matrix) {
    *matrix = copy_matrix(scene, drawable, copy);
    if (all_finite(matrix->m[0], 12)) return CLI_DONE;
    return refuse_infinite(scene, scene->model->instances[drawable->instance].node,
                           cli_format("copy %" PRIu32 " of its mesh is moved", copy).text);
}

static void move_palette(cli_scene *scene, const bp_mat34 *by, const bp_mat34 *palette,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        scene->job_palette[i] = bp_mat34_mul(by, &palette[i]);
}

/* The palette of a drawable, in the room for one or in the scene's own. */
static const bp_mat34 *choose_palette(cli_scene *scene, const cli_drawable *drawable,
                                      int64_t copy) {
    const bp_instance *instance = &scene->model->instances[drawable->instance];
    bool copied = copy != CLI_ORIGINAL && instance->copy_count > 0;
    if (!drawable->skinned) {
        if (!copied) return global_of(scene, drawable);
        bp_mat34 node_from_copy = bp_mat34_from_transform(instance->copies[copy]);
        move_palette(scene, global_of(scene, drawable), &node_from_copy, 1);
        return scene->job_palette;
    }
    const bp_skin *skin = &scene->model->skins[instance->skin];
    const bp_mat34 *palette =
        scene->bind ? &skin->bind_shape : palette_of(scene, (uint32_t)instance->skin);
    if (!copied) return palette;
    bp_mat34 by = copy_matrix(scene, drawable, (uint32_t)copy);
    move_palette(scene, &by, palette, scene->bind ? 1 : skin->joint_count);
    return scene->job_palette;
}

bp_skinning_job cli_scene_job(cli_scene *scene, const cli_drawable *drawable, int64_t copy) {
    bp_skinning_job job = {
        .primitive = drawable->shape,
        .palette = choose_palette(scene, drawable, copy),
        .rigid = !drawable->skinned || scene->bind,
    };
    job.morph_weights = bp_model_instance_weights(scene->model, scene->pose, drawable->instance,
                                                  &job.morph_weight_count);
    return job;
}

/* ---- computing ------------------------------------------------------------------------------ */

int cli_scene_compute(cli_scene *scene, const cli_drawable *drawable, int64_t copy,
                      cli_posed *posed) {
    const bp_primitive *shape = drawable->shape;
    bp_skinning_job job = cli_scene_job(scene, drawable, copy);
    job.positions = scene->positions;
    job.normals = shape->normals ? scene->normals : NULL;
    job.tangents = shape->tangents ? scene->tangents : NULL;
    bp_tasks tasks = cli_tasks(&scene->threads);
    bp_tasks_skin(&tasks, &job);
    *posed = (cli_posed){shape->vertex_count, job.positions, job.normals, job.tangents};
    size_t count = shape->vertex_count;
    bool finite = all_finite(job.positions, 3 * count) &&
                  (!job.normals || all_finite(job.normals, 3 * count)) &&
                  (!job.tangents || all_finite(job.tangents, 4 * count));
    if (finite) return CLI_DONE;
    cli_word what = cli_format("primitive %" PRIu32 " of its mesh is posed", drawable->primitive);
    return refuse_infinite(scene, scene->model->instances[drawable->instance].node, what.text);
}

bp_aabb cli_scene_bounds(cli_scene *scene, const cli_drawable *drawable, int64_t copy) {
    bp_skinning_job job = cli_scene_job(scene, drawable, copy);
    return bp_skinning_bounds(&job);
}

bool cli_scene_mirrors(cli_scene *scene, const cli_drawable *drawable, int64_t copy) {
    return !drawable->skinned && bp_mat34_determinant(choose_palette(scene, drawable, copy)) < 0;
}
