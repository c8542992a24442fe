/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the lines of --json, one per document:
 *
 *     {"changed":true,"violations":[...],...}                      a result
 *     {"error":{"name":"parse_error","message":"...","offset":1}}  a document that couldn't be judged
 *
 * With several files each line names its file; in JSONL each names its line:
 *
 *     {"file":"log.jsonl","line":17,"result":{...}}
 *     {"file":"log.jsonl","line":18,"error":{...}}
 *
 * A result by the rules of another provider than the first begins with its name:
 *
 *     {"provider":"openai-chat","changed":true,...}
 *
 * For `validate` on JSONL and on several files, json_rows.h prints the lines.
 */
#ifndef TK_CLI_IO_JSON_LINES_H
#define TK_CLI_IO_JSON_LINES_H

#include "cli/commands/documents.h"

/* Prints the result for a document. The arena is used for the text. */
void cli_json_result(const struct cli_run *run, const struct cli_document *document,
                     struct tk_val result, struct tk_arena *arena);

/* Prints the error of a reply: its data and message. */
void cli_json_error(const struct cli_run *run, size_t line, struct cli_reply *reply);

/* Prints the line for a record that wasn't judged: the fault, or a blank line if `fault` is NULL
 * and the record is a blank line. Prints nothing for further pieces of a long line. */
void cli_json_skipped(struct cli_run *run, const struct cli_record *record,
                      const struct cli_fault *fault);

/* Prints the error of a file that can't be opened, if there are several files. Fits into struct
 * cli_document_ops. */
void cli_json_missing(struct cli_run *run, const char *name, const char *why);

#endif
