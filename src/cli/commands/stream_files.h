/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a stream: what --message and --turn ask for. */
#ifndef TK_CLI_COMMANDS_STREAM_FILES_H
#define TK_CLI_COMMANDS_STREAM_FILES_H

#include "cli/args/options.h"
#include "cli/io/output.h"
#include "value/doc.h"

struct cli_stream_files {
    struct cli_output message, turn;
};

/*
 * Opens the files, or none. Call it before anything is read, since a stream can't be read twice.
 * Returns 0, or the status of a usage error or failure that has been reported; in each case
 * cli_stream_files_abort() must follow.
 */
int cli_stream_files_open(struct cli_stream_files *files, const struct cli_args *args);

/* Writes them from the answer of stream.end: the turn, and if the stream is done the message. Returns 0,
 * or the status of a failure that has been reported. */
int cli_stream_files_write(struct cli_stream_files *files, struct tk_val result, bool done);

/* Leaves files that weren't written as they were. */
void cli_stream_files_abort(struct cli_stream_files *files);

#endif
