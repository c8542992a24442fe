/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history in a document: where it is, in which dialect, and what to say of a document that has
 * none that can be judged (RULES.md section 8).
 */
#ifndef TK_CLI_IO_HISTORY_H
#define TK_CLI_IO_HISTORY_H

#include "cli/io/reading.h"

/* Dialects that this release reads. */
enum cli_dialect {
    CLI_ANTHROPIC,
    CLI_FANTASY,
    CLI_AI_SDK,
    CLI_DIALECT_COUNT,
};

extern const char *const cli_dialects[CLI_DIALECT_COUNT];

struct cli_history {
    struct tk_val whole;    /* what is sent: a request body, or the list */
    struct tk_val messages; /* the list */
    bool is_list;           /* that is all */
    enum cli_dialect dialect;
    bool sign; /* the history itself says so; else it may be any of them */
};

/* A kind of documents that are refused; the same kind has the same address. */
struct cli_refusal {
    const char *kind;
    struct tk_str text; /* a whole sentence, in the reading's arena */
    bool foreign;       /* it is of another format, whose name the text has */
};

/*
 * Finds the history at a JSON pointer (p NULL: the root) of the document. `ask` says to find its
 * dialect out; without, it is left alone. Returns 0, or 1 with *ret_refusal filled.
 */
int cli_history_find(struct cli_reading *reading, struct tk_str at, bool ask,
                     struct cli_history *ret, struct cli_refusal *ret_refusal);

/* Whether a value could be a history: a request body, or a list whose first element has a role. */
bool cli_history_is(struct tk_val v);

/* Says what a value is, in words: "an object with type, message, uuid". In the arena. */
struct tk_str cli_describe(struct tk_val v, struct tk_arena *arena);

#endif
