/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A decoder (turn_format.h) works with this, and tells what happens. An example: providers/bedrock/stream.
 *
 *     struct tk_stream_turn *t             the stream; t->own is the decoder's own state
 *       struct tk_choice            one of several answers; most streams have one, with index 0
 *         struct tk_turn_part       a piece of the turn that stays or is left out as a whole: a text,
 *                                   a call, its result. A decoder's own struct begins with it.
 *           struct tk_text_run           text of one kind that leaves as start, deltas and end
 *
 * How a decoder goes on, event by event:
 *
 *     choice = tk_turn_choice(t, 0);
 *     block = tk_turn_add(t, choice, TK_TURN_TEXT, index, sizeof(*block));      NULL: return -ENOMEM
 *     block->part.run.id = ...;
 *     tk_text_put(t, &block->part.text, text);           for the turn
 *     tk_run_delta(t, &block->part.run, text, NULL);     for whoever reads along
 *     ...
 *     tk_run_end(t, &block->part.run, NULL);
 *
 * Two arenas: what is needed after the event goes to t->keep, all else to t->arena. Values of an event
 * live until its read() returns; tk_keep() (kept.h) copies one. Memory isn't checked at each step:
 * functions that give a pointer give NULL, the others go on, and the request fails in the end.
 *
 * Functions that write outputs (tk_run_*, tk_tell_*, tk_operation_*) do so in the form `parts` alone. In
 * the other forms events leave as they came; a decoder need not know which form it is.
 */
#ifndef TK_STREAM_TURN_DECODER_H
#define TK_STREAM_TURN_DECODER_H

#include "stream/error.h"
#include "stream/event.h"
#include "stream/finish.h"
#include "stream/kept.h"
#include "stream/operation.h"
#include "stream/part_frame.h"
#include "stream/pieces.h"
#include "stream/turn/turn_format.h"
#include "stream/warning.h"
#include "value/unicode.h"

struct tk_work;
struct tk_turn_left;

/* ---- the turn and its parts ---- */

enum tk_turn_kind {
    TK_TURN_TEXT,
    TK_TURN_REASONING,
    TK_TURN_CALL,      /* of a client's tool */
    TK_TURN_OPERATION, /* a call of a tool that the provider runs */
    TK_TURN_RESULT,    /* of such a tool */
    TK_TURN_OTHER,
    TK_TURN_KINDS,
};

/* Why a part is left out of the turn. */
enum tk_held {
    TK_HELD_NOT,
    TK_HELD_CUT,        /* the stream or the token limit ended it */
    TK_HELD_NO_RESULT,  /* an operation, or half of one */
    TK_HELD_NO_NEXT,    /* reasoning whose next part is missing */
    TK_HELD_AFTER_HELD, /* the rest of a unit of which an item is held */
    TK_HELD_NO_NAME,
    TK_HELD_MALFORMED, /* the provider says that it is none */
    TK_HELDS,
};

enum tk_run_kind {
    TK_RUN_TEXT,
    TK_RUN_REFUSAL,
    TK_RUN_REASONING,
    TK_RUN_INPUT, /* of a client's call: its start and end are tk_tell_call_start(), _end() */
    TK_RUN_KINDS,
};

/* Text that leaves piece by piece. Set kind, wire_index, choice and id before the first function; in a
 * part only kind and id, if kind isn't what the part's kind says. */
struct tk_text_run {
    uint8_t kind; /* enum tk_run_kind */
    bool begun, ended;
    int64_t wire_index;
    const struct tk_choice *choice;
    struct tk_str id; /* unique in the stream; in t->keep */
    struct tk_part_frame frame;
};

/* Text that is collected for the turn: raw in the codec in which its first piece came. */
struct tk_text {
    struct tk_pieces pieces;
    uint8_t codec;
    bool came; /* a piece came, perhaps an empty one */
};

struct tk_turn_part {
    struct tk_choice *choice;
    int64_t wire_index; /* TK_NO_INDEX: it has none */
    uint32_t at;        /* its index among all parts of the stream */
    uint32_t
        operation;    /* of TK_TURN_OPERATION and TK_TURN_RESULT: the index; TK_NONE: it has none */
    uint8_t kind;     /* enum tk_turn_kind */
    uint8_t held;     /* enum tk_held */
    bool whole;       /* its end came */
    bool is_error;    /* a result says that the tool failed */
    struct tk_str id; /* as the history has it; `.p == NULL`: it has none */
    struct tk_str shown;      /* id in outputs; `.p == NULL`: the same */
    struct tk_str name, type; /* type: of a result, the type of its output; of an item */
    struct tk_kept start;     /* as it came */
    struct tk_kept input;     /* of a call */
    struct tk_kept content;   /* of a result; a part may be both, if one item is */
    struct tk_str raw;        /* text of an input that is no JSON object; `.p == NULL`: it is one */
    struct tk_text_run run;
    struct tk_text text;
};

struct tk_choice {
    int64_t index;
    uint32_t at; /* how many choices began before it */
    struct tk_turn_part **parts;
    uint32_t count, capacity;
    struct tk_str stop_reason; /* as the provider says it; `.p == NULL`: it said none */
    uint8_t reason;            /* enum tk_finish_reason, set by end() */
    void *own;                 /* the decoder's */
};

struct tk_stream_turn {
    const struct tk_turn_format *format;
    struct tk_arena *arena; /* of the answer */
    struct tk_arena *keep;  /* of the stream */
    void *own;              /* the decoder's, zeroed at first */
    bool marked;            /* the end marker came */
    int64_t starting_after; /* parameter; TK_NO_START: it wasn't given */
    struct tk_choice **choices;
    uint32_t choice_count, choice_capacity;

    /* ---- src/stream alone ---- */
    struct tk_work *k; /* of the request */
    struct tk_turn_part **parts;
    uint32_t part_count, part_capacity;
    struct tk_map by_index;            /* of choices, and of parts by wire index */
    uint32_t waiting;                  /* operations without a result */
    struct tk_turn_left *first, *last; /* events that wait for them */
    bool ended;                        /* end() was called */
    struct tk_kept usage;
    int64_t tokens[TK_TOKENS], total_tokens;
    uint8_t event_kind; /* enum tk_wire_frame_kind of the event that is read */
};

/* Returns the choice of an index; adds it if it is new. NULL without memory. */
struct tk_choice *tk_turn_choice(struct tk_stream_turn *t, int64_t index);

/* Adds a part to a choice, after the others; size: of the struct that begins with it, zeroed otherwise.
 * NULL without memory. */
void *tk_turn_add(struct tk_stream_turn *t, struct tk_choice *choice, enum tk_turn_kind kind,
                  int64_t wire_index, size_t size);

/* Returns the newest part of a choice with a wire index; NULL if there is none. Takes constant time. */
void *tk_turn_find(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index);

/* Returns the key of tables that clients must not be able to make slow (value/hash.h). */
static inline const uint64_t *tk_turn_hash_key(const struct tk_stream_turn *t)
{
    return t->by_index.key;
}

/* Sorts the parts of a choice by wire index; those of one index stay in order. */
void tk_turn_sort(struct tk_stream_turn *t, struct tk_choice *choice);

/* Counts an oddity that is no error. */
void tk_turn_warn(struct tk_stream_turn *t, enum tk_warning warning);

/* Feeds an event that read_response() made. Returns what read() may. */
int tk_turn_feed(struct tk_stream_turn *t, struct tk_str json);

/* ---- facts about the message ---- */

/* Take a fact; values of another kind than string (details: also object) change nothing. */
void tk_turn_id(struct tk_stream_turn *t, struct tk_val id);
void tk_turn_model(struct tk_stream_turn *t, struct tk_val model);
void tk_turn_details(struct tk_stream_turn *t, struct tk_val details);

/* Returns the message's id; `.p == NULL`: it has none so far. */
struct tk_str tk_turn_message_id(const struct tk_stream_turn *t);

/* Takes the usage, which replaces an earlier one. total: absent if the provider tells none. */
void tk_turn_usage(struct tk_stream_turn *t, struct tk_val usage, const int64_t tokens[TK_TOKENS],
                   struct tk_val total);

/* ---- text ---- */

/* Adds a string to a text. */
void tk_text_put(struct tk_stream_turn *t, struct tk_text *text, struct tk_val string);

/* Writes a text as a string. */
void tk_text_write(struct tk_stream_turn *t, const struct tk_text *text, struct tk_writer *w);

/* Returns a text, not escaped, in t->arena; `.p == NULL` without memory. */
struct tk_str tk_text_plain(struct tk_stream_turn *t, const struct tk_text *text);

static inline bool tk_text_is_empty(const struct tk_text *text)
{
    return text->pieces.n == 0;
}

/* ---- outputs of texts ---- */

/* A further member of an output. A list of them ends with `.key == NULL`; NULL: there are none. */
struct tk_extra {
    const char *key;
    struct tk_val val;  /* written unless it is absent */
    struct tk_str text; /* else this, unless `.p == NULL` */
    int64_t number;     /* else this */
};

/* Begin and end a run. It doesn't begin twice, and ends only if it began and hasn't ended. */
void tk_run_begin(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra);
void tk_run_end(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra);

/* Writes a delta, unless it is empty; begins the run, but for TK_RUN_INPUT. The further members are
 * those of the first delta until tk_run_changed(). */
void tk_run_delta(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val text,
                  const struct tk_extra *extra);
/* Does so with a text that the decoder made; without a frame, so for rare deltas. */
void tk_run_delta_text(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_str text,
                       const struct tk_extra *extra);

static inline void tk_run_changed(struct tk_text_run *run)
{
    run->frame = (struct tk_part_frame){{NULL, 0}, {NULL, 0}, 0};
}

/* Write an empty delta with further members; with a signature. */
void tk_run_empty(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra);
void tk_run_signature(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val signature);

void tk_tell_citation(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val citation);

/* Write a part that leaves as it is; a page that a search found; sound. call_id: `.p == NULL`: of no
 * call. */
void tk_tell_opaque(struct tk_stream_turn *t, const struct tk_turn_part *part, struct tk_val block);
void tk_tell_source(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index,
                    const struct tk_stream_source_view *source, struct tk_str call_id);
void tk_tell_audio(struct tk_stream_turn *t, const struct tk_choice *choice, struct tk_val audio);

/* ---- client calls ---- */

/* Returns "call_" and 24 hex digits for the n-th id that a choice lacks, in t->keep. */
struct tk_str tk_turn_made_id(struct tk_stream_turn *t, int64_t choice, uint64_t n);

/* Notes the id of a client's call; one that came before is a warning. */
void tk_turn_note_id(struct tk_stream_turn *t, const struct tk_turn_part *call);

/*
 * Reads the text of a call's input into call->input: {} if it is blank. Returns 0, -ENOMEM, or
 * TK_TURN_NO_INPUT if it is no JSON object; then call->raw is the text.
 */
enum {
    TK_TURN_NO_INPUT = 1,
};
int tk_turn_input(struct tk_stream_turn *t, struct tk_turn_part *call, struct tk_str text);

/* Write the start of a call; its end and the call itself. Its deltas are those of call->run. */
void tk_tell_call_start(struct tk_stream_turn *t, struct tk_turn_part *call);
void tk_tell_call_end(struct tk_stream_turn *t, struct tk_turn_part *call);

/*
 * ---- operations ----
 *
 * An operation leaves when its call and its (first) result are whole, and is in the turn only then. In
 * the other forms an event after which one waits leaves when none waits any more.
 */

/* Starts an operation. An id that one had before is a fault. Returns 0, TK_TURN_FAILED or -ENOMEM. */
int tk_operation_start(struct tk_stream_turn *t, struct tk_turn_part *call, struct tk_str id,
                       struct tk_str name, struct tk_str type);

/* Tells that the call is whole, with call->input. */
void tk_operation_called(struct tk_stream_turn *t, struct tk_turn_part *call);

/*
 * Starts a result of an operation. `op`: that it answers, though it may have a result already; NULL:
 * the one that has the id. No such operation, or one that has a result, is a fault. Returns 0,
 * TK_TURN_FAILED or -ENOMEM.
 */
int tk_operation_result(struct tk_stream_turn *t, struct tk_turn_part *result,
                        struct tk_operation *op, struct tk_str id, struct tk_str type);

/* Starts a result whose call was in an earlier message. Returns 0 or -ENOMEM. */
int tk_operation_carried(struct tk_stream_turn *t, struct tk_turn_part *result, struct tk_str id,
                         struct tk_str name, struct tk_str type);

/* Tells that a result is whole, with result->content. An operation in one item is call and result: it
 * starts as both, and both are told. */
void tk_operation_answered(struct tk_stream_turn *t, struct tk_turn_part *result);

/* Lets the call of an operation leave alone, which then waits no more. pending: its result comes in a
 * later message. */
void tk_operation_alone(struct tk_stream_turn *t, struct tk_operation *op, bool pending);

/* Returns the operation of a part; NULL if it has none. */
struct tk_operation *tk_operation_of(const struct tk_stream_turn *t,
                                     const struct tk_turn_part *part);

/* For end(): holds the parts of the operations of a choice that have no result. */
void tk_operations_hold(struct tk_stream_turn *t, const struct tk_choice *choice);

/* ---- faults ---- */

/* Fail the stream: with a fault at an index; with any other. Return TK_TURN_FAILED. */
int tk_turn_fault(struct tk_stream_turn *t, enum tk_fault kind, int64_t wire_index);
int tk_turn_fail(struct tk_stream_turn *t, const struct tk_stream_error *error);

/* An error that the provider reports. Absent values and texts say nothing. */
struct tk_told_error {
    struct tk_str type, message, request_id; /* as the output has them */
    struct tk_val event;                     /* the whole event, as it leaves */
    struct tk_val
        codes[2];   /* codes and states that, as `type`, tell if the request may be sent again */
    bool retryable; /* it may be, whatever they say */
};

/* Returns why a stream failed: the second kind of its error, if that has two. TK_STREAM_FAULT_NONE: it
 * didn't. For what is written of the turn. */
enum tk_fault tk_turn_cause(const struct tk_stream_turn *t);

/* Ends the stream with an error of the provider. Returns TK_TURN_FAILED or -ENOMEM. */
int tk_turn_error(struct tk_stream_turn *t, const struct tk_told_error *error);

/* ---- reading ---- */

/* Returns true if a member is there and isn't null. */
static inline bool tk_is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* Returns true if a text is there and isn't blank. */
static inline bool tk_is_said(struct tk_str text)
{
    return text.p && !tk_is_blank(text);
}

/* Returns a code, a string or a number, as text; `.p == NULL` if it is neither. */
struct tk_str tk_turn_code(struct tk_stream_turn *t, struct tk_val code);

/* ---- writing ---- */

/* Writes a kept value. */
void tk_turn_write_kept(struct tk_stream_turn *t, const struct tk_kept *kept, struct tk_writer *w);

/* Writes the members of a kept object into the open map; nothing if it is no object. */
void tk_turn_write_members(struct tk_stream_turn *t, const struct tk_kept *kept,
                           struct tk_writer *w);

/* Writes the members of an object into the open map, but for n names. */
void tk_turn_write_others(struct tk_stream_turn *t, struct tk_val v, const struct tk_str *but,
                          size_t n, struct tk_writer *w);

/* Reads a kept value again, until the next function of this section. Absent without memory. */
struct tk_val tk_turn_read_kept(struct tk_stream_turn *t, const struct tk_kept *kept);

#endif
