/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of splice, for the files of this folder.
 *
 *     round      an assistant message with calls, and the messages up to the next one: the turn is
 *                round 0, an assistant message that the caller wrote begins another. Where messages
 *                are items, it begins with a run of the model's items
 *     call       a call of a round, with its results
 *     appended   a message that the caller appended; it belongs to the round before it
 *     part       a part of an appended message with results, and what becomes of it (its fate); a
 *                message that is itself a result is its only part
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
    TK_SPLICE_CALL_TRIMMED,  /* a client's call that isn't replayed */
    TK_SPLICE_CALL_APPROVAL, /* the provider asks whether it may run a call */
};

/* Results come from two sources. Each source's results answer calls on their own. */
enum tk_splice_source {
    TK_SPLICE_CALLERS,
    TK_SPLICE_AUTOMATIC,
    TK_SPLICE_SOURCES,
};

struct tk_splice_call {
    struct tk_str id; /* empty: it has none */
    const struct tk_part *part;
    struct tk_val toolset;   /* its toolset_name, if that is a string */
    struct tk_val automatic; /* the runner's result */
    uint32_t mine;           /* the caller's result: a part, or TK_NONE */
    uint32_t round;
    /* the next calls of its round with its name: any, and without an id; TK_NONE (free_calls.c) */
    uint32_t next_named, next_bare;
    uint8_t kind;
    bool paired; /* a server's call that has its result */
};

struct tk_splice_round {
    uint32_t first, count; /* calls */
    uint32_t from, to;     /* appended messages that it begins with; none for the turn */
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
    uint32_t first, count; /* parts; none if it has no results */
    uint32_t round;        /* its results answer calls of this round, or of the turn */
    uint8_t role;
    bool removed; /* a copy, or empty, or all its parts were results */
    bool answers; /* it contained results of its round */
};

/* The turn as it will be sent. */
struct tk_splice_turn {
    struct tk_transcript t;
    uint32_t *call_of;    /* by part: its call, TK_NONE if it is none */
    struct tk_val *stays; /* parts that are replayed */
    uint32_t block_count; /* how many they are */
    enum tk_stop stop;
    uint32_t client_calls; /* client's calls that are replayed */
    bool replaced;         /* it is an authored message, which is sent as it came */
    bool trimmed;
    bool waits_for_server; /* a server's call is open */
    bool called_by_code;   /* a client's call wasn't made by the model itself */
    bool ends_in_server_result;
};

/* Index of the turn's parts, to find copies of it; made for the first assistant message
 * (copies.c). */
struct tk_splice_copies {
    bool made;
    struct tk_digest *digests; /* by part of the turn */
    uint32_t count;
    struct tk_map classes; /* from a digest to the number of its class, plus one */
    uint32_t *starts;      /* by class: where its positions begin in `positions` */
    uint32_t *positions;   /* parts of the turn by class, ascending */
    struct tk_map own_ids; /* of the turn's items */
};

/* A name under which a round has calls, and where the search for a free one goes on. */
struct tk_splice_name {
    uint32_t last_named, last_bare;
    uint32_t named[TK_SPLICE_SOURCES], bare[TK_SPLICE_SOURCES];
};

/* Calls by their names, where they pair by name (free_calls.c). */
struct tk_splice_names {
    struct tk_map map; /* from a round and a name to the number of its row, plus one */
    struct tk_splice_name *list;
    uint32_t count, capacity;
    uint32_t next; /* where the search for any free call of the turn goes on */
};

/* The call that a result names. */
struct tk_splice_ref {
    struct tk_str id, name; /* `.p == NULL`: it has none */
    bool neutral;
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
    struct tk_received received;
    bool chained; /* the server has the history and the turn */
    struct tk_splice_turn turn;
    struct tk_splice_copies copies;
    struct tk_splice_names names;

    struct tk_transcript t; /* the appended messages */
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

/* Returns true if the provider has one of these flags, TK_SPLICE_* of providers/splice.h. */
static inline bool tk_splice_has(const struct tk_splice_state *s, unsigned flags)
{
    return (tk_splice_rules(s)->flags & flags) != 0;
}

/* Returns the shape of the messages, which is the provider's own. */
static inline const struct tk_shape *tk_splice_shape(const struct tk_splice_state *s)
{
    return s->in->provider->rules.shapes[0];
}

static inline void tk_splice_note(struct tk_splice_state *s, enum tk_splice_note note)
{
    s->out->notes |= 1u << note;
}

/* Returns true for a content without parts: "" or []. */
static inline bool tk_splice_no_content(struct tk_val content)
{
    return tk_is(content, TK_STRING) ? tk_raw(content).n == 0
                                     : tk_is(content, TK_ARRAY) && !tk_exists(tk_first(content));
}

/* Returns the value of a part. */
static inline struct tk_val tk_splice_val(const struct tk_part *p)
{
    return tk_part_val(p, p->node);
}

/* Returns the id of a call, or its name if it has no id. */
static inline struct tk_str tk_splice_called(const struct tk_splice_state *s,
                                             const struct tk_splice_call *call)
{
    return call->id.n > 0 ? call->id
                          : tk_text(tk_part_val(call->part, call->part->name), s->in->arena);
}

/* Functions below that return int return 0, -ENOMEM, or TK_REFUSED with s->out->refusal filled. */

/* ---- check_input.c ---- */

/* Refuses a parameter for a fault of its form. Returns TK_REFUSED. */
int tk_splice_refuse_form(struct tk_splice_state *s, const struct tk_form_fault *fault);

/* Check what was received, what was appended, and the runner's results. */
int tk_splice_check_turn(struct tk_splice_state *s);
int tk_splice_check_appended(struct tk_splice_state *s);
int tk_splice_check_results(struct tk_splice_state *s);

/* ---- turn.c ---- */

/* Reads the turn as received, or the authored message that takes its place. */
int tk_splice_read_turn(struct tk_splice_state *s, struct tk_val turn, enum tk_stop stop);

/* Finds the calls of the turn, and what of it is replayed. */
int tk_splice_replay_turn(struct tk_splice_state *s);

/* Adds the calls of an authored message to the newest round. */
int tk_splice_read_authored(struct tk_splice_state *s, uint32_t index);

/* Returns the id by which a call pairs; items that the provider ran go by their own. */
struct tk_val tk_splice_key(const struct tk_part *call);

/* Refuses a call or result whose id is absent or isn't a string: nothing could pair with it. path: from
 * the value to its id. */
int tk_splice_refuse_id(struct tk_splice_state *s, struct tk_val v, const struct tk_path *path);

/* ---- clean_turn.c ---- */

/* Adds the messages of the turn without what a request doesn't have. */
int tk_splice_put_turn(struct tk_splice_state *s);

/* Returns a message of the model as a request has it; absent when out of memory. */
struct tk_val tk_splice_cleaned(struct tk_splice_state *s, const struct tk_transcript *t,
                                uint32_t message);

/* ---- copies.c ---- */

enum tk_copy {
    TK_COPY_NONE,
    TK_COPY_EQUAL,
    TK_COPY_PART, /* shares a call with the turn, or all its parts are the turn's */
};

/* Tells in *ret if an appended assistant message repeats the turn. Returns 0 or -ENOMEM. */
int tk_splice_copy(struct tk_splice_state *s, uint32_t index, enum tk_copy *ret);

/* Removes an appended message that repeats the turn, and notes how. */
void tk_splice_remove_copy(struct tk_splice_state *s, uint32_t index, enum tk_copy copy);

/* ---- free_calls.c ---- */

/* Notes the newest call under its name. Returns 0 or -ENOMEM. */
int tk_splice_note_name(struct tk_splice_state *s, struct tk_str name);

/* Returns the call of a round that a result of this source answers by its name; NULL: none is free. */
struct tk_splice_call *tk_splice_free_call(struct tk_splice_state *s, enum tk_splice_source source,
                                           uint32_t round, const struct tk_splice_ref *ref);

/* ---- results.c ---- */

/* Returns true if an appended message is dropped, since it says nothing. */
bool tk_splice_is_empty(const struct tk_splice_state *s, uint32_t index);

/* Sorts the appended messages, and the runner's results: pairs results with calls. */
int tk_splice_sort_appended(struct tk_splice_state *s);
int tk_splice_sort_automatic(struct tk_splice_state *s);

/* ---- splice.c ---- */

/* Returns true if an appended message has content besides the results taken from it. */
bool tk_splice_is_left(const struct tk_splice_state *s, const struct tk_splice_appended *appended);

/* ---- order.c ---- */

/* Adds a message to the outcome. */
void tk_splice_put(struct tk_splice_state *s, struct tk_splice_message message);
/* Adds a part to the one that is being made. */
struct tk_splice_block *tk_splice_push(struct tk_splice_state *s, enum tk_splice_form form,
                                       struct tk_val val);

/* Adds the turn, the results and all other messages in their order. */
int tk_splice_arrange(struct tk_splice_state *s, bool automatic_unused);
/* Adds the turn and its results, and defers the rest. */
int tk_splice_arrange_results(struct tk_splice_state *s, bool automatic_unused,
                              enum tk_splice_note note);
/* Adds the turn, and defers the rest. */
int tk_splice_arrange_turn(struct tk_splice_state *s);
/* Sends nothing, and defers all appended messages unchanged. */
void tk_splice_defer_all(struct tk_splice_state *s, enum tk_splice_note note);

/* ---- single.c ---- */

/* Merges adjacent user messages of the outcome. */
void tk_splice_merge(struct tk_splice_state *s);

#endif
