// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * What the commands of the program share. In the order in which a command needs it: messages,
 * options, loading, choosing by name or index, posing, output, and the formats.
 *
 * Everything that a command says about success goes through its return value, one of the three
 * exit statuses below; everything that it says about failure goes through cli_fail or
 * cli_usage_error, which print the one line of the contract and return the status to return.
 */
#ifndef BINDPOSE_CLI_H
#define BINDPOSE_CLI_H

#include "bindpose/bindpose.h"

#include <getopt.h>
#include <stdarg.h>

#if defined(__GNUC__)
#define CLI_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_FORMAT(text, first)
#endif

/* ---- commands ------------------------------------------------------------------------------- */

/* Exit statuses, which are also what commands return. */
enum {
    CLI_DONE = 0,     /* what was asked for is done */
    CLI_NOT_HELD = 1, /* done, and what was asked for does not hold */
    CLI_FAILED = 2    /* could not be carried out; one line on stderr says why */
};

typedef struct cli_command {
    const char *name;
    const char *summary;  /* its line in `bindpose --help` */
    const char *help;     /* `bindpose NAME --help` up to its own options */
    const char *examples; /* arguments that work in the repository, a line each */
    int (*run)(const struct cli_command *command, int argc, char **argv);
} cli_command;

/* How the program was called: what its examples begin with, so that they work as typed. */
extern const char *cli_program;

/* Writes the version to standard output. */
int cli_print_version(void);

/* Writes two help texts and examples to standard output. */
int cli_print_help(const char *first, const char *second, const char *examples);

extern const cli_command cli_command_info;
extern const cli_command cli_command_pose;
extern const cli_command cli_command_explain;
extern const cli_command cli_command_bench;

/* ---- text for eyes (cli_text.c) ------------------------------------------------------------- */

/* Value. A short text, made to be used within one expression: printf("%s", cli_quote(n).text). */
typedef struct cli_word {
    char text[288];
} cli_word;

/*
 * The next code point of UTF-8 text, which is moved on; -1 for a byte that is not UTF-8; 0 at the
 * end, where the text stays.
 */
int32_t cli_utf8_next(const char **text);

/* True for code points that could move a terminal's cursor or reverse its text. */
bool cli_is_unprintable(int32_t code);

/*
 * The next character of a text, which is moved on, as a terminal may have it: at most 6 bytes. No
 * terminator, though there must be room for one.
 */
enum { CLI_PIECE_SIZE = 8 };
size_t cli_clean_next(char *piece, const char **text);

/* "name" in quotes, cleaned for a terminal and shortened to 40 characters. */
cli_word cli_quote(const char *name);

/* The same without quotes. */
cli_word cli_plain(const char *text);

/* A text as printf makes it, cut where it is too long. */
cli_word cli_format(const char *format, ...) CLI_FORMAT(1, 2);

/* 3 "elbow", or only 3 when the name is empty. */
cli_word cli_item(uint32_t index, const char *name);

/* 1,234,567 */
cli_word cli_count(uint64_t count);

/* 1 joint, 3 joints: cli_count and one of two words. */
cli_word cli_count_of(uint64_t count, const char *one, const char *many);

/* 1.2 MB */
cli_word cli_bytes(uint64_t bytes);

/* At most six significant digits, 0 for -0. */
cli_word cli_number(double number);

/* Columns that the text takes on a terminal: its code points. */
size_t cli_width(const char *text);

/*
 * The shortest decimal that reads back as the same float, as JSON and OBJ files have it; no
 * terminator. `number` is finite.
 */
enum { CLI_FLOAT_SIZE = 32 };
size_t cli_format_float(char text[CLI_FLOAT_SIZE], float number);

/* ---- messages (cli_message.c) --------------------------------------------------------------- */

/*
 * Prints `bindpose: FILE: WHERE: TEXT` to stderr, cleaned for a terminal; file and where may be
 * NULL. CLI_FAILED.
 */
int cli_fail(const char *file, const char *where, const char *format, ...) CLI_FORMAT(3, 4);

/* Value. A message of the library in the words of this program. */
typedef struct cli_phrase {
    char text[640];
} cli_phrase;

/* Says --max-memory where the library says limits.memory_bytes, and the like. */
cli_phrase cli_translate(const char *message);

/* cli_fail for what the library reports. */
int cli_fail_with(const char *file, const bp_error *error);

/* Prints `bindpose: COMMAND: TEXT; try 'bindpose COMMAND --help'` to stderr. CLI_FAILED. */
int cli_usage_error(const cli_command *command, const char *format, ...) CLI_FORMAT(2, 3);

/* Prints `bindpose: FILE: WHERE: warning: TEXT` to stderr. */
void cli_warn(const char *file, const char *where, const char *format, ...) CLI_FORMAT(3, 4);

/* The nearest of `count` names to a mistyped one, or NULL when none is near. */
const char *cli_nearest(const char *text, const char *const *names, size_t count);

/* Zeroed memory; ends the program when there is none. Released with free. */
void *cli_allocate(size_t count, size_t size);

/* Says that there is no memory and ends the program, without leaving an unfinished output. */
_Noreturn void cli_out_of_memory(void);

/* ---- options (cli_options.c) ---------------------------------------------------------------- */

/* What the common options and the operand say. */
typedef struct cli_request {
    const cli_command *command;
    const char *file;  /* as given; "-" is standard input */
    const char *label; /* the file in messages */
    bool quiet;
    bool allow_outside;
    bool raw_weights;
    uint64_t max_memory; /* 0: the library's default */
    uint32_t threads;    /* 0: all cores; see cli_thread_count */
    int status;          /* to return after CLI_STOP */
} cli_request;

/* Ids of a command's options: a letter is also the short option, others start here. */
enum { CLI_FIRST_OPTION = 256 };

enum { CLI_END = -1, CLI_STOP = -2 };

/*
 * The next option of the command's own `options`, which end with {0}: its id, with its argument in
 * optarg. Reads those that every command has; --cpu is in force at once. CLI_END when all are read
 * and exactly one file was named; CLI_STOP when the command is over: return request->status.
 */
int cli_next_option(cli_request *request, int argc, char **argv, const struct option *options);

/* A time in seconds: a finite decimal number, and nothing after it. */
bool cli_parse_time(const char *text, double *seconds);

/* A decimal number without sign, at most `limit`, and nothing after it. */
bool cli_parse_count(const char *text, uint64_t limit, uint64_t *count);

/* ---- threads (cli_tasks.c) ------------------------------------------------------------------ */

/* Of threads, whoever asks. */
enum { CLI_MOST_THREADS = 256 };

/* How many threads the request allows; always 1 in a build without OpenMP. */
uint32_t cli_thread_count(const cli_request *request);

/* For bp_tasks_skin and the like: so many threads, which is read when work is done. */
bp_tasks cli_tasks(uint32_t *threads);

/* ---- the model (cli_model.c, cli_select.c) -------------------------------------------------- */

/* Loads the file of the request; NULL after a message. */
bp_model *cli_model_load(const cli_request *request);

/* A pose at rest; ends the program when there is no memory. */
bp_pose *cli_pose_create(const bp_model *model);

/* Prints the loader's warnings, the first ten of them. */
void cli_model_warn(const cli_request *request, const bp_model *model);

/* Where a warning is: its pointer or "byte N". */
cli_word cli_warning_place(const bp_warning *warning);

/* What is chosen by index or by name. Nodes are numbered as in the file. */
typedef enum cli_kind { CLI_CLIP, CLI_NODE, CLI_MESH } cli_kind;

/*
 * The index that `text` names, in the model (for a node: in the skeleton). False after a message
 * when there is none, or when several carry the name.
 */
bool cli_select(const cli_request *request, const bp_model *model, cli_kind kind, const char *text,
                uint32_t *index);

/* ---- posing (cli_scene.c) ------------------------------------------------------------------- */

/* What of a model is drawn: one primitive of one instance. */
typedef struct cli_drawable {
    uint32_t instance;         /* index in the model */
    uint32_t primitive;        /* index in the mesh */
    const bp_primitive *shape; /* has positions */
    bool skinned;              /* by its instance's skin; else rigid */
    uint32_t copies;           /* how many times it is drawn: 1, or the copies of its instance */
} cli_drawable;

/* State. Everything of a model that is drawn, in a pose, ready to be computed piece by piece. */
typedef struct cli_scene {
    const bp_model *model;
    const char *label; /* the file, for messages */
    bp_pose *pose;
    uint32_t threads;
    bool bind; /* skinned meshes as they were bound, the rest at rest */
    uint32_t drawable_count;
    cli_drawable *drawables; /* in the file's node order */
    bp_mat34 *palettes;      /* of all skins, one after the other */
    size_t *palette_first;   /* [skin_count] where each begins */
    bp_mat34 *job_palette;   /* room for the largest palette, changed for a copy */
    float *positions;        /* room for the largest drawable */
    float *normals;
    float *tangents;
} cli_scene;

/*
 * Takes in what the model draws, in its default scene or in all. Ends the program when there is no
 * memory; warns of what cannot be drawn.
 */
cli_scene *cli_scene_create(const bp_model *model, const cli_request *request, bool all_scenes,
                            bool bind);
void cli_scene_destroy(cli_scene *scene);

/*
 * Poses the scene: `clip` NULL is the rest pose, `origin` the node whose space is used, or -1 for
 * the file's scene. CLI_DONE, or CLI_FAILED after a message.
 */
int cli_scene_set(cli_scene *scene, const bp_clip *clip, float time, int32_t origin);

/*
 * What moves a joint: where it is, and its joint matrix. In the bind pose, that of binding.
 * CLI_FAILED after a message when a number is too large for a float.
 */
int cli_scene_joint(const cli_scene *scene, uint32_t skin, uint32_t joint, bp_mat34 *global,
                    bp_mat34 *matrix);

/* A drawable's vertices at one of its places; the arrays are the scene's, until the next call. */
typedef struct cli_posed {
    uint32_t count;
    const float *positions; /* [3 * count] */
    const float *normals;   /* [3 * count], or NULL when the mesh has none */
    const float *tangents;  /* [4 * count], or NULL when the mesh has none */
} cli_posed;

/* Stands for the node itself, where copies are asked for. */
enum { CLI_ORIGINAL = -1 };

/*
 * The work of computing a drawable at copy `copy`, without outputs. For CLI_ORIGINAL it stays good
 * whatever pose the scene is set to; for a copy until the next job of the scene.
 */
bp_skinning_job cli_scene_job(cli_scene *scene, const cli_drawable *drawable, int64_t copy);

/*
 * Computes a drawable at copy `copy` (0 for one without copies), or CLI_ORIGINAL. CLI_FAILED after
 * a message when a number is too large for a float.
 */
int cli_scene_compute(cli_scene *scene, const cli_drawable *drawable, int64_t copy,
                      cli_posed *posed);

/* The exact bounds of a drawable at one place. */
bp_aabb cli_scene_bounds(cli_scene *scene, const cli_drawable *drawable, int64_t copy);

/* True when a rigid mesh shows the other side of its triangles there (glTF 2.0, 3.7.4). */
bool cli_scene_mirrors(cli_scene *scene, const cli_drawable *drawable, int64_t copy);

/*
 * True when matrices take a drawable's vertices at its node to its copies. Not where the node is
 * flat, or nearly so: what that took from the vertices no matrix gives back.
 */
bool cli_scene_has_copy_matrices(const cli_scene *scene, const cli_drawable *drawable);

/* That matrix. CLI_FAILED after a message when a number is too large for a float. */
int cli_scene_copy_matrix(const cli_scene *scene, const cli_drawable *drawable, uint32_t copy,
                          bp_mat34 *matrix);

/* ---- output (cli_output.c) ------------------------------------------------------------------ */

/*
 * State. A file that is written whole or not at all, standard output, or memory. Errors stick and
 * are reported by cli_output_finish; writing after one does nothing.
 */
typedef struct cli_output {
    int descriptor; /* -1: memory */
    bool owned;     /* the descriptor is closed with the output */
    char *shown;    /* the name in messages */
    char *path;     /* what the temporary file is renamed to; NULL: none */
    unsigned char *data;
    size_t size; /* bytes in `data` */
    size_t capacity;
    int error; /* errno of the first failure, or 0 */
} cli_output;

/* Makes sure that standard streams are there, if only to fail. Once, before anything is opened. */
void cli_streams_prepare(void);

/* `path` NULL or "-": standard output. NULL after a message. */
cli_output *cli_output_open(const char *path);

/* Collects in memory: data and size. */
cli_output *cli_output_open_memory(void);

void cli_output_bytes(cli_output *output, const void *bytes, size_t size);
void cli_output_text(cli_output *output, const char *text);
void cli_output_format(cli_output *output, const char *format, ...) CLI_FORMAT(2, 3);
void cli_output_clean(cli_output *output, const char *text); /* whole, safe for a terminal */
void cli_output_repeat(cli_output *output, const char *text, size_t times);
void cli_output_integer(cli_output *output, uint64_t number);
void cli_output_float(cli_output *output, float number); /* shortest decimal */
void cli_output_u32_le(cli_output *output, uint32_t number);
void cli_output_floats_le(cli_output *output, const float *numbers, size_t count);

/* Puts the file into place and releases the output. CLI_DONE, or CLI_FAILED after a message. */
int cli_output_finish(cli_output *output);

/* Removes the unfinished file and releases the output; NULL is allowed. */
void cli_output_discard(cli_output *output);

/* Removes what is unfinished and ends the program. */
_Noreturn void cli_exit(int status);

/* ---- tables for eyes (cli_table.c) ---------------------------------------------------------- */

/* Rows of cells, columns as wide as they need to be. The first row is the head. */
typedef struct cli_table {
    const char *alignment; /* a letter for each column: l or r */
    size_t columns;
    char **cells; /* [count] row by row */
    size_t count;
    size_t capacity;
} cli_table;

cli_table cli_table_start(const char *alignment);
void cli_table_add(cli_table *table, const char *cell);

/* Writes the table two columns from the left and releases it. */
void cli_table_finish(cli_table *table, cli_output *output);

/* ---- JSON (cli_json.c) ---------------------------------------------------------------------- */

/* Writes JSON as it comes. `key` is NULL within arrays. */
typedef struct cli_json {
    cli_output *output;
    unsigned depth;  /* open containers */
    unsigned lines;  /* containers down to this depth have a line for each element */
    bool first;      /* the next element is the first of its container */
    uint64_t arrays; /* bit d: the container at depth d is an array */
} cli_json;

cli_json cli_json_start(cli_output *output, unsigned lines);
void cli_json_object(cli_json *json, const char *key);
void cli_json_array(cli_json *json, const char *key);
void cli_json_close(cli_json *json);
void cli_json_string(cli_json *json, const char *key, const char *text);
void cli_json_integer(cli_json *json, const char *key, uint64_t number);
void cli_json_index(cli_json *json, const char *key, int64_t index); /* null below 0 */
void cli_json_bool(cli_json *json, const char *key, bool truth);
void cli_json_null(cli_json *json, const char *key);
void cli_json_float(cli_json *json, const char *key, float number); /* null unless finite */
void cli_json_floats(cli_json *json, const char *key, const float *numbers, size_t count);
void cli_json_vec3(cli_json *json, const char *key, bp_vec3 vector);
void cli_json_matrix(cli_json *json, const char *key, const bp_mat34 *matrix); /* column-major */
void cli_json_bounds(cli_json *json, const char *key, bp_aabb bounds);         /* null when empty */

/* ---- the formats of posed geometry ---------------------------------------------------------- */

/* What was posed, for formats that say so. */
typedef struct cli_moment {
    const char *file;
    const bp_clip *clip; /* or NULL: the rest pose, or the bind pose */
    float time;          /* seconds */
    int32_t origin;      /* node whose space is used, or -1 */
    bool joints;         /* JSON: also list the joints */
} cli_moment;

/* Each writes the whole scene. CLI_DONE, or CLI_FAILED after a message. */
int cli_write_json(cli_output *output, cli_scene *scene, const cli_moment *moment);
int cli_write_obj(cli_output *output, cli_scene *scene, const cli_moment *moment);
int cli_write_ply(cli_output *output, cli_scene *scene, const cli_moment *moment);
int cli_write_glb(cli_output *output, cli_scene *scene, const cli_moment *moment);

#endif
