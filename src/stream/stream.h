/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream pairing (STREAM.md). A provider can run tools itself while it answers: the stream then has
 * a call and, later, its result. The input is the wire events of one assistant message; the outputs
 * never show such a call without its result, or the result without its call. At the end comes the
 * whole message, ready to be stored.
 *
 *     s = tk_stream_new(&setup);
 *     tk_stream_carry_history(s, ...); tk_stream_carry(s, ...);
 *     tk_stream_feed_events(&call, s, list) ...  or  tk_stream_feed_bytes(&call, s, bytes) ...
 *     tk_stream_end(&call, s, NULL);
 *     tk_stream_write_outcome(&call, s);
 *     tk_stream_free(s);
 *
 * All functions that return int return 0 or -ENOMEM; after -ENOMEM the stream is good for nothing
 * but tk_stream_free().
 */
#ifndef TK_STREAM_STREAM_H
#define TK_STREAM_STREAM_H

#include "rules/judge.h"
#include "value/writer.h"

struct tk_stream;

enum tk_stream_form {
    TK_FORM_PARTS,
    TK_FORM_EVENTS,
    TK_FORM_SSE,
    TK_STREAM_FORMS,
};

enum tk_stream_state {
    TK_STREAM_OPEN,
    TK_STREAM_DONE,
    TK_STREAM_FAILED,
};

struct tk_stream_setup {
    tk_allocator allocator;
    struct tk_read_limits limits; /* of frames and inputs */
    const uint64_t *hash_key;     /* outlives the stream */
    enum tk_stream_form form;
    bool input_as_deltas;     /* a provider's call leaves with its input as it came */
    bool unknown_tools_error; /* a call of an unlisted tool is a fault */
    uint64_t max_buffer;      /* bytes it may be fed in all */
};

/* Lent to a stream for one call: where its outputs go, and tapes to parse with. */
#define TK_STREAM_TAPES 4
struct tk_stream_call {
    struct tk_writer *w;    /* open in the list of outputs, or where the outcome's members go */
    struct tk_arena *arena; /* of the answer: w writes there */
    struct tk_doc *tapes;   /* TK_STREAM_TAPES of them; not the request's */
    /*
     * Asked between two events, may be NULL; other than 0 ends the feeding, which returns it. The
     * stream is of no use then.
     */
    int (*stop)(void *arg);
    void *stop_arg;
};

/* NULL when there is no memory. */
struct tk_stream *tk_stream_new(const struct tk_stream_setup *setup);
void tk_stream_free(struct tk_stream *s);

/* ---- before the first event ---- */

enum {
    TK_CARRY_ANSWERED = 1, /* the history holds a result for that id already */
};

/* Ids that a judged history used, and the calls that are in flight at its end. */
int tk_stream_carry_history(struct tk_stream *s, const struct tk_judge *history);

/*
 * An open call: one the history didn't tell of, or more about one it did. name and type may have p
 * NULL. Returns 0, -ENOMEM or TK_CARRY_ANSWERED.
 */
int tk_stream_carry(struct tk_stream *s, struct tk_str id, struct tk_str name, struct tk_str type);

/* Writes the list of calls that wait for a result, carried ones first: [{"id", "name", "type"}]. */
void tk_stream_write_pending(const struct tk_stream *s, struct tk_writer *w);

/* ---- events ---- */

/* True if the stream was fed before with the other of the two. */
bool tk_stream_is_fed_with(const struct tk_stream *s, bool bytes);

/* A list of event objects. */
int tk_stream_feed_events(const struct tk_stream_call *call, struct tk_stream *s,
                          struct tk_val list);

/* Server-sent events, cut anywhere; they stay as long as the answer. */
int tk_stream_feed_bytes(const struct tk_stream_call *call, struct tk_stream *s,
                         struct tk_str bytes);

/*
 * A whole response: a message_start that holds it, and a message_stop; or the error event that it
 * is. `response` is an object.
 */
int tk_stream_feed_response(const struct tk_stream_call *call, struct tk_stream *s,
                            struct tk_val response);

/* Ends the stream. transport: the error of the transport; `.p == NULL` if it had none. */
int tk_stream_end(const struct tk_stream_call *call, struct tk_stream *s, struct tk_str transport);

/* ---- the outcome ---- */

enum tk_stream_state tk_stream_state(const struct tk_stream *s);
const char *tk_stream_state_name(const struct tk_stream *s);

/* Writes the error output of a failed stream, as it left. */
int tk_stream_write_error(const struct tk_stream_call *call, struct tk_stream *s);

/* Writes the members finish, error, message, seal and warnings of an ended stream. */
int tk_stream_write_outcome(const struct tk_stream_call *call, struct tk_stream *s);

/* Bytes that it holds. */
size_t tk_stream_held(const struct tk_stream *s);

/* True if it failed for its size. */
bool tk_stream_is_too_large(const struct tk_stream *s);

#endif
