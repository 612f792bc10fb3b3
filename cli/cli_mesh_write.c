// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * OBJ and PLY: every drawable at every place, in world space, as one mesh each or all in one.
 *
 * OBJ is text: positions, texture coordinates, normals, triangles, lines, points. PLY is binary,
 * little endian: all vertices, with the properties that any of them has, then all triangles and
 * lines. Neither has a word for skins, so nothing of them is left.
 */

#include "cli.h"

#include <inttypes.h>
#include <math.h>

/* One line that says what was posed, for the comments of OBJ and PLY. */
static void describe_moment(cli_output *output, const cli_scene *scene, const cli_moment *moment) {
    const bp_model *model = scene->model;
    cli_output_clean(output, moment->file);
    if (moment->clip) {
        uint32_t index = (uint32_t)(moment->clip - model->clips);
        cli_output_format(output, ", clip %s at %s s", cli_item(index, moment->clip->name).text,
                          cli_number(moment->time).text);
    } else {
        cli_output_text(output, scene->bind ? ", bind pose" : ", rest pose");
    }
    if (moment->origin < 0) return;
    uint32_t node = (uint32_t)moment->origin;
    cli_output_format(
        output, ", relative to node %s",
        cli_item(model->skeleton.file_from_node[node], model->skeleton.labels[node]).text);
}

/* ---- what a shape is made of ---------------------------------------------------------------- */

static uint64_t line_count(const bp_primitive *shape) {
    uint64_t corners = shape->indices ? shape->index_count : shape->vertex_count;
    switch (shape->topology) {
    case BP_TOPOLOGY_LINES: return corners / 2;
    case BP_TOPOLOGY_LINE_STRIP: return corners > 0 ? corners - 1 : 0;
    case BP_TOPOLOGY_LINE_LOOP: return corners > 1 ? corners : 0;
    default: return 0;
    }
}

static uint32_t corner(const bp_primitive *shape, uint64_t index) {
    return shape->indices ? shape->indices[index] : (uint32_t)index;
}

static void line_of(const bp_primitive *shape, uint64_t line, uint32_t vertices[2]) {
    uint64_t first = shape->topology == BP_TOPOLOGY_LINES ? 2 * line : line;
    uint64_t corners = shape->indices ? shape->index_count : shape->vertex_count;
    vertices[0] = corner(shape, first);
    vertices[1] = corner(shape, first + 1 < corners ? first + 1 : 0);
}

/* A triangle with the winding that it has where it is drawn. */
static void triangle_of(const bp_primitive *shape, uint32_t triangle, bool mirrored,
                        uint32_t vertices[3]) {
    bp_primitive_triangle(shape, triangle, vertices);
    if (!mirrored) return;
    uint32_t second = vertices[1];
    vertices[1] = vertices[2];
    vertices[2] = second;
}

/* ---- OBJ ------------------------------------------------------------------------------------ */

/* Numbers of vertices, texture coordinates and normals that objects before this one have taken. */
typedef struct obj_state {
    cli_output *output;
    uint64_t positions, texcoords, normals;
    bool has_texcoords, has_normals; /* of the object being written */
} obj_state;

/* A name without what OBJ ends names with; `kind` and the index for what has none. */
static void obj_word(cli_output *output, const char *name, const char *kind, uint32_t index) {
    if (!*name) cli_output_format(output, "%s%" PRIu32, kind, index);
    while (*name) {
        const char *start = name;
        int32_t code = cli_utf8_next(&name);
        if (code == ' ' || cli_is_unprintable(code))
            cli_output_text(output, "_");
        else
            cli_output_bytes(output, start, (size_t)(name - start));
    }
}

static void obj_name(cli_output *output, const cli_scene *scene, const cli_drawable *drawable,
                     uint32_t copy) {
    const bp_model *model = scene->model;
    const bp_instance *instance = &model->instances[drawable->instance];
    const bp_mesh *mesh = &model->meshes[instance->mesh];
    const char *label = model->skeleton.labels[instance->node];
    cli_output_text(output, "o ");
    obj_word(output, *label ? label : mesh->name, "node",
             model->skeleton.file_from_node[instance->node]);
    if (mesh->primitive_count > 1) cli_output_format(output, ".%" PRIu32, drawable->primitive);
    if (drawable->copies > 1) cli_output_format(output, "#%" PRIu32, copy);
    cli_output_text(output, "\n");
}

static void obj_vectors(cli_output *output, const char *keyword, const float *numbers,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        cli_output_text(output, keyword);
        for (int c = 0; c < 3; c++) {
            cli_output_bytes(output, " ", 1);
            cli_output_float(output, numbers[3 * (size_t)i + c] + 0.0f); /* no -0 */
        }
        cli_output_bytes(output, "\n", 1);
    }
}

/* OBJ has the origin of pictures at the bottom, glTF at the top. */
static void obj_texcoords(cli_output *output, const float *texcoords, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        cli_output_text(output, "vt ");
        cli_output_float(output, texcoords[2 * (size_t)i]);
        cli_output_bytes(output, " ", 1);
        cli_output_float(output, 1 - texcoords[2 * (size_t)i + 1]);
        cli_output_bytes(output, "\n", 1);
    }
}

/* " 7/7/7": the number of a vertex and those of its texture coordinate and normal. */
static void obj_corner(const obj_state *obj, uint32_t vertex) {
    cli_output *output = obj->output;
    cli_output_bytes(output, " ", 1);
    cli_output_integer(output, obj->positions + vertex + 1);
    if (!obj->has_texcoords && !obj->has_normals) return;
    cli_output_bytes(output, "/", 1);
    if (obj->has_texcoords) cli_output_integer(output, obj->texcoords + vertex + 1);
    if (!obj->has_normals) return;
    cli_output_bytes(output, "/", 1);
    cli_output_integer(output, obj->normals + vertex + 1);
}

static void obj_elements(obj_state *obj, const bp_primitive *shape, bool mirrored) {
    uint32_t vertices[3];
    uint32_t triangles = bp_primitive_triangle_count(shape);
    for (uint32_t i = 0; i < triangles; i++) {
        triangle_of(shape, i, mirrored, vertices);
        cli_output_bytes(obj->output, "f", 1);
        for (int c = 0; c < 3; c++)
            obj_corner(obj, vertices[c]);
        cli_output_bytes(obj->output, "\n", 1);
    }
    obj->has_normals = false; /* lines and points have none */
    for (uint64_t i = 0, lines = line_count(shape); i < lines; i++) {
        line_of(shape, i, vertices);
        cli_output_bytes(obj->output, "l", 1);
        for (int c = 0; c < 2; c++)
            obj_corner(obj, vertices[c]);
        cli_output_bytes(obj->output, "\n", 1);
    }
    if (shape->topology != BP_TOPOLOGY_POINTS) return;
    obj->has_texcoords = false;
    uint32_t points = shape->indices ? shape->index_count : shape->vertex_count;
    for (uint32_t i = 0; i < points; i++) {
        cli_output_bytes(obj->output, "p", 1);
        obj_corner(obj, corner(shape, i));
        cli_output_bytes(obj->output, "\n", 1);
    }
}

static int obj_object(obj_state *obj, cli_scene *scene, const cli_drawable *drawable,
                      uint32_t copy) {
    const bp_primitive *shape = drawable->shape;
    cli_posed posed;
    int status = cli_scene_compute(scene, drawable, copy, &posed);
    if (status != CLI_DONE) return status;
    obj_name(obj->output, scene, drawable, copy);
    obj_vectors(obj->output, "v", posed.positions, posed.count);
    obj->has_texcoords = shape->texcoords;
    obj->has_normals = posed.normals;
    if (shape->texcoords) obj_texcoords(obj->output, shape->texcoords, posed.count);
    if (posed.normals) obj_vectors(obj->output, "vn", posed.normals, posed.count);
    if (shape->material >= 0) {
        uint32_t material = (uint32_t)shape->material;
        cli_output_text(obj->output, "usemtl ");
        obj_word(obj->output, scene->model->materials[material].name, "material", material);
        cli_output_text(obj->output, "\n");
    }
    obj_elements(obj, shape, cli_scene_mirrors(scene, drawable, copy));
    obj->positions += posed.count;
    if (shape->texcoords) obj->texcoords += posed.count;
    if (posed.normals) obj->normals += posed.count;
    return CLI_DONE;
}

int cli_write_obj(cli_output *output, cli_scene *scene, const cli_moment *moment) {
    cli_output_text(output, "# ");
    describe_moment(output, scene, moment);
    cli_output_text(output, "; metres; made by bindpose\n");
    obj_state obj = {.output = output};
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const cli_drawable *drawable = &scene->drawables[i];
        for (uint32_t copy = 0; copy < drawable->copies; copy++) {
            int status = obj_object(&obj, scene, drawable, copy);
            if (status != CLI_DONE) return status;
        }
    }
    return CLI_DONE;
}

/* ---- PLY ------------------------------------------------------------------------------------ */

/* Value. How many elements, and which properties a vertex has. */
typedef struct ply_layout {
    double vertices, triangles, lines; /* doubles, as their sums may be beyond any integer */
    bool normals, texcoords, colors;
} ply_layout;

static ply_layout ply_measure(const cli_scene *scene) {
    ply_layout layout = {0};
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const bp_primitive *shape = scene->drawables[i].shape;
        double copies = scene->drawables[i].copies;
        layout.vertices += copies * shape->vertex_count;
        layout.triangles += copies * bp_primitive_triangle_count(shape);
        layout.lines += copies * (double)line_count(shape);
        layout.normals |= shape->normals != NULL;
        layout.texcoords |= shape->texcoords != NULL;
        layout.colors |= shape->colors != NULL;
    }
    return layout;
}

static void ply_header(cli_output *output, const cli_scene *scene, const cli_moment *moment,
                       const ply_layout *layout) {
    cli_output_text(output, "ply\nformat binary_little_endian 1.0\ncomment ");
    describe_moment(output, scene, moment);
    cli_output_text(output, "; metres; made by bindpose\n");
    cli_output_format(output, "element vertex %.0f\n", layout->vertices);
    cli_output_text(output, "property float x\nproperty float y\nproperty float z\n");
    if (layout->normals)
        cli_output_text(output, "property float nx\nproperty float ny\nproperty float nz\n");
    if (layout->texcoords) cli_output_text(output, "property float s\nproperty float t\n");
    if (layout->colors)
        cli_output_text(output, "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                                "property uchar alpha\n");
    cli_output_format(output, "element face %.0f\nproperty list uchar uint vertex_indices\n",
                      layout->triangles);
    if (layout->lines > 0)
        cli_output_format(output,
                          "element edge %.0f\nproperty uint vertex1\nproperty uint vertex2\n",
                          layout->lines);
    cli_output_text(output, "end_header\n");
}

/* Colours as bytes in sRGB, which is what readers of PLY take them for; opacity stays linear. */
static void ply_color(cli_output *output, const float *linear) {
    unsigned char bytes[4] = {255, 255, 255, 255};
    for (int c = 0; c < 4 && linear; c++) {
        double value = linear[c] > 0 ? linear[c] < 1 ? linear[c] : 1 : 0;
        if (c < 3) value = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
        bytes[c] = (unsigned char)(value * 255 + 0.5);
    }
    cli_output_bytes(output, bytes, 4);
}

static void ply_vertices(cli_output *output, const ply_layout *layout, const cli_posed *posed,
                         const bp_primitive *shape) {
    static const float zeros[3] = {0};
    for (size_t i = 0; i < posed->count; i++) {
        cli_output_floats_le(output, posed->positions + 3 * i, 3);
        if (layout->normals)
            cli_output_floats_le(output, posed->normals ? posed->normals + 3 * i : zeros, 3);
        if (layout->texcoords) {
            float texcoord[2] = {0, 0};
            if (shape->texcoords) {
                texcoord[0] = shape->texcoords[2 * i];
                texcoord[1] = 1 - shape->texcoords[2 * i + 1];
            }
            cli_output_floats_le(output, texcoord, 2);
        }
        if (layout->colors) ply_color(output, shape->colors ? shape->colors + 4 * i : NULL);
    }
}

/* The triangles of everything, or the lines. */
static void ply_elements(cli_output *output, cli_scene *scene, bool lines) {
    uint32_t first = 0, vertices[3];
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const cli_drawable *drawable = &scene->drawables[i];
        const bp_primitive *shape = drawable->shape;
        for (uint32_t copy = 0; copy < drawable->copies; copy++) {
            bool mirrored = cli_scene_mirrors(scene, drawable, copy);
            uint64_t count = lines ? line_count(shape) : bp_primitive_triangle_count(shape);
            for (uint64_t k = 0; k < count; k++) {
                if (lines)
                    line_of(shape, k, vertices);
                else
                    triangle_of(shape, (uint32_t)k, mirrored, vertices);
                if (!lines) cli_output_bytes(output, "\3", 1);
                for (int c = 0; c < (lines ? 2 : 3); c++)
                    cli_output_u32_le(output, first + vertices[c]);
            }
            first += shape->vertex_count;
        }
    }
}

int cli_write_ply(cli_output *output, cli_scene *scene, const cli_moment *moment) {
    ply_layout layout = ply_measure(scene);
    if (layout.vertices > UINT32_MAX)
        return cli_fail(scene->label, NULL, "has too many vertices for a PLY file (%.0f)",
                        layout.vertices);
    ply_header(output, scene, moment, &layout);
    for (uint32_t i = 0; i < scene->drawable_count; i++) {
        const cli_drawable *drawable = &scene->drawables[i];
        for (uint32_t copy = 0; copy < drawable->copies; copy++) {
            cli_posed posed;
            int status = cli_scene_compute(scene, drawable, copy, &posed);
            if (status != CLI_DONE) return status;
            ply_vertices(output, &layout, &posed, drawable->shape);
        }
    }
    ply_elements(output, scene, false);
    if (layout.lines > 0) ply_elements(output, scene, true);
    return CLI_DONE;
}
