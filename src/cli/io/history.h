/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the history in a document and its dialect, or the reason why there is no history that can
 * be judged (RULES.md section 8).
 */
#ifndef TK_CLI_IO_HISTORY_H
#define TK_CLI_IO_HISTORY_H

#include "cli/io/reading.h"
#include "shapes/detect.h"
#include "shapes/shape.h"

/* Endpoints that tk_detect() names and that aren't the first of their provider. */
enum cli_endpoint {
    CLI_ENDPOINT_OWN,
    CLI_ENDPOINT_BEDROCK,
    CLI_ENDPOINT_VERTEX,
    CLI_ENDPOINT_COMPATIBLE,
    CLI_ENDPOINT_COUNT,
};

/* The name of each; NULL for CLI_ENDPOINT_OWN. */
extern const char *const cli_endpoint_names[CLI_ENDPOINT_COUNT];

struct cli_history {
    struct tk_val whole;      /* the value to send: a request body, or the list */
    struct tk_val messages;   /* the list, or `whole` if it has none */
    bool is_list;             /* `whole` is the list */
    enum tk_shape_id dialect; /* its shape */
    bool sign;  /* something in the history shows the dialect; without it it may be any */
    bool guess; /* nothing tells whose history it is, and no option says it */
    enum cli_endpoint endpoint; /* where it goes, if no option says it */
    struct tk_detected found;   /* what shows the dialect, if no option says whose history it is */
};

/* The shapes that a document may have. */
struct cli_expected {
    enum tk_shape_id dialect; /* its shape if nothing in it shows one */
    unsigned may_be;          /* bits 1 << shape; if it is that shape alone, none is found out */
    bool detects;             /* no option says whose histories these are */
    const char *reader;       /* who reads these shapes, for messages: "this release" */
};

/* Why a document is refused. Refusals of one kind have the same pointer in `kind`. */
struct cli_refusal {
    const char *kind;
    struct tk_str text; /* a whole sentence, in the reading's arena */
    bool foreign;       /* it is in another format, which the text names */
};

/*
 * Finds the history at a JSON pointer (`at.p == NULL`: the root) of the document, and its shape: with
 * expected->detects what tk_detect() says, else the one that a sign in the history shows, or the name of
 * the list in a body. Returns 0, or 1 with *ret_refusal filled.
 */
int cli_history_find(struct cli_reading *reading, struct tk_str at,
                     const struct cli_expected *expected, struct cli_history *ret,
                     struct cli_refusal *ret_refusal);

/* Takes the whole document, whatever is in it, if something is at the pointer. Otherwise like
 * cli_history_find(). */
int cli_history_whole(struct cli_reading *reading, struct tk_str at,
                      const struct cli_expected *expected, struct cli_history *ret,
                      struct cli_refusal *ret_refusal);

/* Returns false for a body whose list doesn't have the name that it has in the dialect: {"messages":
 * [{"type": "function_call", ...}]}. */
bool cli_history_fits(const struct cli_history *history, enum tk_shape_id dialect);

/* Returns true if a value could be a history: a request body, or a list whose first element has a
 * role. */
bool cli_history_is(struct tk_val v);

/* Describes a value in words: "an object with type, message, uuid". The text is in the arena. */
struct tk_str cli_describe(struct tk_val v, struct tk_arena *arena);

#endif
