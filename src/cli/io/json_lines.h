/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --json prints of documents, one line each:
 *
 *     {"valid":false,"violations":[...],...}                       a result
 *     {"error":{"name":"parse_error","message":"...","offset":1}}  what couldn't be judged
 *
 * Of several files each line says of which it is, and in JSONL of which line:
 *
 *     {"file":"log.jsonl","line":17,"result":{...}}
 *     {"file":"log.jsonl","line":18,"error":{...}}
 */
#ifndef TK_CLI_IO_JSON_LINES_H
#define TK_CLI_IO_JSON_LINES_H

#include "cli/commands/documents.h"

/* `line` is 0 for a file that is one document. The arena is used for what is printed. */
void cli_json_result(const struct cli_run *run, size_t line, struct tk_val result,
                     struct tk_arena *arena);

/* The reply is an error: its data and message. */
void cli_json_error(const struct cli_run *run, size_t line, struct cli_reply *reply);

/* A record that wasn't judged (fault NULL: a blank line, which is a blank line; further pieces of
 * a line are nothing). */
void cli_json_skipped(struct cli_run *run, const struct cli_record *record,
                      const struct cli_fault *fault);

/* A file that can't be opened, among several; fits into struct cli_document_ops. */
void cli_json_missing(struct cli_run *run, const char *name, const char *why);

#endif
