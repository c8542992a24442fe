/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of splice, for the files of this folder.
 *
 *     round      an assistant message with calls, and the messages up to the next one: the turn is
 *                round 0, an assistant message that the caller wrote begins another
 *     call       a call of a round, with its results
 *     appended   a message that the caller appended; it belongs to the round before it
 *     part       a block of an appended message with results, and what becomes of it (its fate)
 */
#ifndef TK_OPERATIONS_SPLICE_SPLICE_INSIDE_H
#define TK_OPERATIONS_SPLICE_SPLICE_INSIDE_H

#include "history/history.h"
#include "operations/splice/splice.h"
#include "providers/provider.h"
#include "providers/splice.h"
#include "shapes/shape.h"
#include "value/digest.h"

enum tk_splice_call_kind {
    TK_SPLICE_CALL_CLIENT,
    TK_SPLICE_CALL_SERVER,
    TK_SPLICE_CALL_TRIMMED, /* a client's call that isn't replayed */
};

struct tk_splice_call {
    struct tk_str id;
    struct tk_val block;
    struct tk_val toolset;   /* its toolset_name, if that is a string */
    struct tk_val automatic; /* the runner's result */
    uint32_t mine;           /* the caller's result: a part, or TK_NONE */
    uint32_t round;
    uint8_t kind;
    bool paired; /* a server's call that has its result */
};

struct tk_splice_round {
    uint32_t first, count; /* calls */
    uint32_t message;      /* an index of `appended`, TK_NONE for the turn */
};

enum tk_splice_fate {
    TK_FATE_STAYS,
    TK_FATE_TEXT,         /* becomes text */
    TK_FATE_DROPPED,      /* dropped */
    TK_FATE_FOR_TURN,     /* a result for the turn */
    TK_FATE_FOR_AUTHORED, /* a result for the authored message before it */
};

struct tk_splice_part {
    struct tk_val val;
    struct tk_val string; /* of TK_FATE_TEXT: the string that is the text */
    struct tk_str text;   /* or the text itself, if it was joined from several */
    uint8_t fate;
};

struct tk_splice_appended {
    struct tk_val message, content;
    uint32_t first, count; /* parts; none if its blocks weren't read */
    uint32_t round;        /* its results answer calls of this round, or of the turn */
    uint8_t role;
    bool removed;  /* a copy, or empty, or all its blocks were results */
    bool authored; /* it begins a round */
    bool answers;  /* it contained results of its round */
};

/* The turn as it will be sent. */
struct tk_splice_turn {
    struct tk_val whole;   /* the authored message that replaced the turn; absent if none did */
    struct tk_val content; /* as received */
    struct tk_val *stays;  /* blocks that are replayed; a string content isn't listed */
    uint32_t block_count;  /* blocks that are replayed; a string counts as one */
    enum tk_stop stop;
    uint32_t client_calls; /* client's calls that are replayed */
    bool trimmed;
    bool waits_for_server; /* a server's call is open */
    bool called_by_code;   /* a client's call wasn't made by the model itself */
    bool ends_in_server_result;
};

/* Index of the turn's blocks, to find copies of it; made for the first assistant message
 * (copies.c). */
struct tk_splice_copies {
    bool made;
    struct tk_digest *digests; /* by block of the turn */
    uint32_t count;
    struct tk_map classes; /* from a digest to the number of its class, plus one */
    uint32_t *starts;      /* by class: where its positions begin in `positions` */
    uint32_t *positions;   /* blocks of the turn by class, ascending */
};

/* Faults that are refused, some in strict mode only. The first in this order is reported. */
enum tk_splice_fault {
    TK_SPLICE_FAULT_CONFLICT,
    TK_SPLICE_FAULT_SERVER_RESULT,
    TK_SPLICE_FAULT_UNKNOWN_ID,
    TK_SPLICE_FAULT_EMPTY,
    TK_SPLICE_FAULT_UNKNOWN_AUTOMATIC,
    TK_SPLICE_FAULT_COUNT,
};

struct tk_splice_state {
    const struct tk_splice_input *in;
    struct tk_spliced *out;
    struct tk_splice_turn turn;
    struct tk_splice_copies copies;

    struct tk_splice_appended *appended;
    uint32_t appended_count;
    struct tk_splice_round *rounds;
    uint32_t round_count;
    struct tk_splice_call *calls;
    uint32_t call_count;
    struct tk_map turn_calls, authored_calls; /* from an id to its call, plus one */
    struct tk_splice_part *parts;
    uint32_t part_count;
    struct tk_refusal faults[TK_SPLICE_FAULT_COUNT];
    /* An authored message is in the turn's place, and its calls have answers. */
    bool authored_first;

    struct tk_splice_block *blocks; /* of messages that aren't sent as received */
    uint32_t block_count;
};

static inline const struct tk_splice_rules *tk_splice_rules(const struct tk_splice_state *s)
{
    return s->in->provider->splice;
}

/* Returns the shape of the messages, which is the provider's own. */
static inline const struct tk_shape *tk_splice_shape(const struct tk_splice_state *s)
{
    return s->in->provider->rules.shapes[0];
}

static inline struct tk_val tk_splice_content(const struct tk_splice_state *s,
                                              struct tk_val message)
{
    return tk_get(message, tk_parts_name(tk_splice_shape(s)));
}

static inline void tk_splice_note(struct tk_splice_state *s, enum tk_splice_note note)
{
    s->out->notes |= 1u << note;
}

/* Returns true for a content without blocks: "" or []. */
static inline bool tk_splice_no_blocks(struct tk_val content)
{
    return tk_is(content, TK_STRING) ? tk_raw(content).n == 0 : !tk_exists(tk_first(content));
}

/* Functions below that return int return 0, -ENOMEM, or TK_REFUSED with s->out->refusal filled. */

/* ---- turn.c ---- */

/* Reads the turn, from `assistant` or from the authored message (`whole`) that takes its place. */
int tk_splice_read_turn(struct tk_splice_state *s, struct tk_val content, struct tk_val whole,
                        struct tk_val stop_reason);

/* Adds the calls of an authored message, which begins a new round. */
int tk_splice_read_authored(struct tk_splice_state *s, uint32_t index);

/* ---- copies.c ---- */

enum tk_copy {
    TK_COPY_NONE,
    TK_COPY_EQUAL,
    TK_COPY_PART, /* shares a call with the turn, or all its blocks are the turn's */
};

/* Tells in *ret if an assistant message with blocks repeats the turn. Returns 0 or -ENOMEM. */
int tk_splice_copy(struct tk_splice_state *s, struct tk_val content, enum tk_copy *ret);

/* ---- results.c ---- */

/* Sorts the appended messages, and the runner's results: pairs results with calls. */
int tk_splice_sort_appended(struct tk_splice_state *s);
int tk_splice_sort_automatic(struct tk_splice_state *s);

/* ---- splice.c ---- */

/* Returns true if an appended message has content besides the results taken from it. */
bool tk_splice_is_left(const struct tk_splice_state *s, const struct tk_splice_appended *appended);

/* ---- order.c ---- */

/* Adds the turn, the results and all other messages in their order. */
int tk_splice_arrange(struct tk_splice_state *s, bool automatic_unused);
/* Adds the turn and its results, and defers the rest. */
int tk_splice_arrange_results(struct tk_splice_state *s, bool automatic_unused);
/* Adds the turn, and defers the rest. */
int tk_splice_arrange_turn(struct tk_splice_state *s);
/* Sends nothing, and defers all appended messages unchanged. */
void tk_splice_defer_all(struct tk_splice_state *s);

/* ---- single.c ---- */

/* Merges adjacent user messages of the outcome. */
void tk_splice_merge(struct tk_splice_state *s);

#endif
