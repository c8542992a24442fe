/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of a repaired document: stdout, or a file that appears whole or not at all. A file is
 * written next to its final place under a temporary name, synced, and renamed over it; until then
 * the old file remains. Anything but a regular file (a pipe, /dev/null) is written directly. A
 * symbolic link stays; the file that it leads to is replaced.
 */
#ifndef TK_CLI_IO_OUTPUT_H
#define TK_CLI_IO_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "value/str.h"

struct cli_output {
    const char *name; /* for messages */
    FILE *file;
    bool terminal;      /* it is one: bytes that could steer it are spelled */
    char *target;       /* final place; NULL where bytes go there directly */
    char *temp;         /* the temporary name, NULL before and after its life */
    struct stat old;    /* the file that is replaced; st_nlink 0 where there is none */
    bool backup;        /* the file that is replaced stays, under another name */
    bool backup_failed; /* the error of cli_output_commit() is about that */
    char *kept;         /* that name, after cli_output_commit() */
};

/* To stdout (name NULL or "-") or to a file. Returns 0 or a negative errno. */
int cli_output_open(struct cli_output *out, const char *name);

/*
 * To the file that was read as `in`: its mode, owner and access control list are kept (-EPERM
 * where they can't be), and cli_output_commit() answers -ESTALE if somebody else wrote to it
 * meanwhile. With `backup` the original stays as FILE.orig (backup.h). -EINVAL where it is no
 * regular file.
 */
int cli_output_open_in_place(struct cli_output *out, const char *name, const struct stat *in,
                             bool backup);

/* Appends. Returns 0 or a negative errno. */
int cli_output_put(struct cli_output *out, struct tk_str bytes);

/* Puts what was written in its place. Returns 0 or a negative errno; then nothing is there. */
int cli_output_commit(struct cli_output *out);

/* Leaves everything as it was; fine after a commit and on a zeroed output. */
void cli_output_abort(struct cli_output *out);

/* The same, and frees what cli_output_commit() left. */
void cli_output_done(struct cli_output *out);

#endif
