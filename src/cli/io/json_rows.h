/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the lines of `validate --json` for JSONL and for several files. They are rows of one table: every
 * row has the same members with the same types, so that a program can load them without looking at
 * the data (jq, DuckDB's read_json).
 *
 *     {"file":"log.jsonl","line":17,"provider":"anthropic","dialect":"anthropic","valid":false,
 *      "message_count":3,"part_count":3,"protected":null,
 *      "violations":[{"code":"...","severity":"error","message_index":1,"part_index":1,
 *        "pointer":"/messages/1/content/1","id":"...","tool":"...","text":"...",
 *        "provider_error":null}],
 *      "counts":[{"code":"...","count":1}],"truncated":0,"error":null}
 *
 * Members that a document has no value for are null. A document that couldn't be judged has the member `error`
 * ({"name","message","pointer","offset"}); its `valid` and its numbers are null, its lists are empty.
 * `counts` is a list: as an object its type would depend on the codes that occur.
 */
#ifndef TK_CLI_IO_JSON_ROWS_H
#define TK_CLI_IO_JSON_ROWS_H

#include "cli/commands/documents.h"

/* Returns true if the lines of this file's documents are rows. */
static inline bool cli_json_has_rows(const struct cli_run *run)
{
    return run->in.lines || run->args->operand_count > 1;
}

/* Prints the row of a document that was judged. The arena is used for the text. */
void cli_row_result(const struct cli_run *run, const struct cli_document *document,
                    struct tk_val result, struct tk_arena *arena);

/* Prints the row of a document that couldn't be judged. `line` is 0 if the file is the document. */
void cli_row_fault(const struct cli_run *run, const char *file, size_t line,
                   const struct cli_fault *fault, struct tk_arena *arena);

#endif
