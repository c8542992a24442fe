/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one JSON document, with what that needs kept from one to the next. */
#ifndef TK_CLI_IO_READING_H
#define TK_CLI_IO_READING_H

#include "value/doc.h"

struct cli_reading {
    struct tk_doc doc;
    struct tk_arena arena; /* of this document: pointers, unescaped text */
    struct tk_read_limits limits;
    struct tk_read_error error;
};

/* With the core's own default limits and a secret hash key. */
void cli_reading_init(struct cli_reading *reading);
void cli_reading_done(struct cli_reading *reading);

/* tk_json_read() with all of that; what was read before is gone. */
int cli_read_json(struct cli_reading *reading, struct tk_str text);

/* Nothing but JSON white space. */
bool cli_is_blank_line(struct tk_str line);

/* A key for hash tables that no document can know. */
void cli_secret_key(uint64_t ret_key[2]);

#endif
