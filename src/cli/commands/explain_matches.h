/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that a refusal belongs to, as the method explain answered them, and how they are printed. */
#ifndef TK_CLI_COMMANDS_EXPLAIN_MATCHES_H
#define TK_CLI_COMMANDS_EXPLAIN_MATCHES_H

#include "cli/args/options.h"
#include "value/doc.h"
#include "wording/explain.h"

struct cli_matches {
    struct tk_val list[TK_MATCHES_MAX]; /* best first; values of the answer */
    size_t count;
};

/* Takes the matches of a result. */
void cli_matches_init(struct cli_matches *matches, struct tk_val result);

/* Puts the rules of a provider first. The order is otherwise the same. */
void cli_matches_prefer(struct cli_matches *matches, const char *provider);

/* Prints the matches, or with --json the object that has them. alone: no file comes with them, so what
 * repair does is what the catalogue says; else only for rules that this build doesn't judge. */
void cli_matches_print(const struct cli_args *args, const struct cli_matches *matches, bool alone,
                       struct tk_arena *arena);

#endif
