/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders among the operands: each means the documents in it, at any depth, in the order of their
 * names.
 */
#ifndef TK_CLI_IO_FOLDER_H
#define TK_CLI_IO_FOLDER_H

#include <stddef.h>

/* Names of files. A zeroed one is empty. */
struct cli_names {
    char **list; /* each allocated */
    size_t count, room;
};

/*
 * Adds an operand: its name or, if it is a folder, the names of all files in it that end in .json, .jsonl
 * or .ndjson. Hidden files and folders are left out, links aren't followed. Returns 0, or a negative
 * errno; -ENOENT: a folder has no such file.
 */
int cli_names_add(struct cli_names *names, const char *operand);

void cli_names_done(struct cli_names *names);

#endif
