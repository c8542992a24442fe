/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one JSON document after the other and keeps the memory for the next one. */
#ifndef TK_CLI_IO_READING_H
#define TK_CLI_IO_READING_H

#include "value/doc.h"

struct cli_reading {
    struct tk_doc doc;
    struct tk_arena arena; /* memory of the current document: pointers, unescaped text */
    struct tk_read_limits limits;
    struct tk_read_error error;
};

/* Sets the core's default limits and a secret hash key. */
void cli_reading_init(struct cli_reading *reading);
void cli_reading_done(struct cli_reading *reading);

/* Reads a document with tk_json_read() and returns its result. The previous document is freed. */
int cli_read_json(struct cli_reading *reading, struct tk_str text);

/* Returns true if the line has only JSON white space. */
bool cli_is_blank_line(struct tk_str line);

/* Gives the process's key for hash tables, which no document can know. It is always the same one. */
void cli_secret_key(uint64_t ret_key[2]);

/* Returns true if that key is random. */
bool cli_key_is_secret(void);

#endif
