/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of a repaired document: stdout, or a file that appears whole or not at all. A file is
 * written next to its final place under a temporary name, synced, and renamed; until then the old
 * file remains. Anything else (a pipe, /dev/null) is written directly. A symbolic link stays; the
 * file to which it leads is replaced.
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
    bool terminal;      /* the output is a terminal: control characters are printed as escapes */
    char *target;       /* final path; NULL if bytes are written directly */
    char *temp;         /* the temporary name, NULL if there is no such file */
    struct stat old;    /* the file that is replaced; st_nlink 0 if there is none */
    bool backup;        /* keep the file that is replaced under another name */
    bool backup_failed; /* cli_output_commit() failed because of the backup */
    char *kept;         /* that name, after cli_output_commit() */
};

/* Opens stdout (name NULL or "-") or a file. Returns 0 or a negative errno. */
int cli_output_open(struct cli_output *out, const char *name);

/*
 * Opens an output that replaces the input file, whose stat is `in`. The new file has the mode,
 * owner and access control list of the old one; -EPERM if it can't have them. cli_output_commit()
 * answers -ESTALE if someone wrote to the file in the meantime. With `backup` the original stays as
 * FILE.orig (backup.h). Returns 0, -EINVAL if it isn't a regular file, or another negative errno.
 */
int cli_output_open_in_place(struct cli_output *out, const char *name, const struct stat *in,
                             bool backup);

/* Appends bytes. Returns 0 or a negative errno. */
int cli_output_put(struct cli_output *out, struct tk_str bytes);

/* Moves the written file to its final path. Returns 0, or a negative errno; then the final path is
 * unchanged. */
int cli_output_commit(struct cli_output *out);

/* Removes what was written and leaves the final path unchanged. Does nothing after a commit or for
 * a zeroed output. */
void cli_output_abort(struct cli_output *out);

/* Aborts as cli_output_abort() does, and frees all memory. */
void cli_output_done(struct cli_output *out);

#endif
