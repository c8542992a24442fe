/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shapes that documents of a run may have, and the parameters that requests with them need.
 *
 *     --dialect D                 every document is a D
 *     --provider P                one of P's shapes; which one is found out if P has several
 *     neither                     what tk_detect() says; the first provider's if nothing tells
 *
 * A shape that was found out is asked for by name, with the first provider that has it.
 */
#ifndef TK_CLI_COMMANDS_DIALECTS_H
#define TK_CLI_COMMANDS_DIALECTS_H

#include "cli/args/options.h"
#include "cli/io/buf.h"
#include "cli/io/history.h"

/* A zeroed one is empty. */
struct cli_dialects {
    struct cli_expected expected;
    /* the requests' last part, by shape and endpoint; empty where the provider has no such endpoint */
    struct cli_buf tails[TK_SHAPE_COUNT][CLI_ENDPOINT_COUNT];
    size_t longest; /* bytes of the longest tail */
};

/* Reads the options and writes the tails. `fixed` is as in cli_request_tail(). Returns 0, or the
 * status of a usage error or failure that has been reported. */
int cli_dialects_init(struct cli_dialects *dialects, const struct cli_args *args,
                      const char *fixed);
/* Returns the tail of the request for a history. */
struct tk_str cli_dialects_tail(const struct cli_dialects *dialects,
                                const struct cli_history *history);

void cli_dialects_done(struct cli_dialects *dialects);

/* Returns the name of the provider by whose rules documents of this shape are judged. */
const char *cli_dialect_provider(const struct cli_args *args, enum tk_shape_id shape);

/* Returns true if the provider of this shape isn't the registry's first one. */
bool cli_dialect_is_special(const struct cli_args *args, enum tk_shape_id shape);

#endif
