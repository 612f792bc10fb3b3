// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * The program bindpose: `bindpose COMMAND [options] FILE`.
 *
 * setlocale is never called, so numbers are read and written the same way everywhere.
 */

#include "cli.h"

#include <stdio.h>
#include <string.h>

static const cli_command *const commands[] = {
    &cli_command_info,
    &cli_command_pose,
    &cli_command_explain,
    &cli_command_bench,
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

const char *cli_program = "bindpose";

static void list_commands(cli_output *output) {
    cli_output_text(output, "usage: bindpose COMMAND [options] FILE\n"
                            "\n"
                            "Turns glTF files into moving, skinned vertices, and shows how.\n"
                            "\n"
                            "commands\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        cli_output_format(output, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    cli_output_text(output, "\n"
                            "'bindpose COMMAND --help' tells the options of a command,\n"
                            "'bindpose --version' the version.\n");
}

static int print_help(void) {
    static const char statuses[] =
        "\n"
        "exit status\n"
        "  0  done\n"
        "  2  could not be carried out; one line on standard error says why\n";
    cli_output *list = cli_output_open_memory();
    list_commands(list);
    cli_output_bytes(list, "", 1); /* the end of a string */
    int status = cli_print_help((const char *)list->data, statuses, "info assets/walker.glb\n");
    cli_output_discard(list);
    return status;
}

/* Without a command the program cannot know what to do: the list goes to stderr. */
static int print_short_help(void) {
    cli_output *output = cli_output_open_memory();
    list_commands(output);
    fwrite(output->data, 1, output->size, stderr);
    cli_output_discard(output);
    return CLI_FAILED;
}

static int refuse_command(const char *name) {
    const char *names[COMMAND_COUNT + 3] = {"--help", "--version", "help"};
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i + 3] = commands[i]->name;
    const char *nearest = cli_nearest(name, names, COMMAND_COUNT + 3);
    const char *kind = name[0] == '-' ? "option" : "command";
    cli_word given = cli_quote(name);
    if (nearest)
        return cli_fail(NULL, NULL, "unknown %s %s (did you mean %s?); try 'bindpose --help'", kind,
                        given.text, nearest);
    return cli_fail(NULL, NULL, "unknown %s %s; try 'bindpose --help'", kind, given.text);
}

static int run_command(const char *name, int argc, char **argv) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i]->name) == 0) return commands[i]->run(commands[i], argc, argv);
    return refuse_command(name);
}

/* `bindpose help COMMAND` is `bindpose COMMAND --help`. */
static int help_with(char *name) {
    if (strcmp(name, "help") == 0) return print_help();
    char help[] = "--help";
    char *argv[] = {name, help, NULL};
    return run_command(name, 2, argv);
}

int main(int argc, char **argv) {
    cli_streams_prepare();
    if (argc > 0 && *argv[0]) cli_program = argv[0];
    if (argc < 2) return print_short_help();
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 && argc > 2) return help_with(argv[2]);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return print_help();
    if (strcmp(name, "--version") == 0) return cli_print_version();
    return run_command(name, argc - 1, argv + 1);
}
