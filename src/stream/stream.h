/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream pairing (STREAM.md). A provider can run tools itself while it answers: the stream then has
 * a call and, later, its result. The input is the provider's events of one message; the outputs
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
 * All functions that return int return 0 or -ENOMEM; after -ENOMEM the stream
 * may only be freed.
 */
#ifndef TK_STREAM_STREAM_H
#define TK_STREAM_STREAM_H

#include "engine/judge.h"
#include "stream/wire/wire.h"
#include "value/writer.h"

struct tk_stream;
struct tk_stream_format;

#define TK_NO_START INT64_MIN

enum tk_stream_form {
    TK_FORM_PARTS,
    TK_FORM_EVENTS,
    TK_FORM_SSE,
    TK_FORM_WIRE, /* bytes in the framing of the input */
    TK_STREAM_FORMS,
};

enum tk_stream_state {
    TK_STREAM_OPEN,
    TK_STREAM_DONE,
    TK_STREAM_FAILED,
};

struct tk_stream_setup {
    const struct tk_stream_format *format; /* of the provider */
    tk_allocator allocator;
    struct tk_read_limits limits; /* of frames and inputs */
    const uint64_t *hash_key;     /* must outlive the stream */
    enum tk_stream_form form;
    enum tk_wire wire;        /* framing of the bytes that it is fed with */
    int64_t starting_after;   /* events up to this number came before; TK_NO_START: none did */
    bool input_as_deltas;     /* a provider's call leaves with its input in deltas, as it came */
    bool unknown_tools_error; /* a call of an unlisted tool is a fault */
    uint64_t max_buffer;      /* bytes that it may be fed in all */
};

/* Resources for one call: the place of its outputs, and tapes to parse with. */
#define TK_STREAM_TAPES 4
struct tk_stream_call {
    struct tk_writer *w;    /* open in the list of outputs, or where the outcome's members go */
    struct tk_arena *arena; /* of the answer: w writes there */
    struct tk_doc *tapes;   /* TK_STREAM_TAPES of them; not the request's */
    /* Called between two events; NULL: nothing is. If it returns another value than 0, feeding ends
     * and returns that value; the stream may then only be freed. */
    int (*stop)(void *arg);
    void *stop_arg;
};

/* Returns NULL without memory. */
struct tk_stream *tk_stream_new(const struct tk_stream_setup *setup);
void tk_stream_free(struct tk_stream *s);

/* ---- before the first event ---- */

enum {
    TK_CARRY_ANSWERED = 1, /* the history contains a result for that id */
};

/* Takes over the ids that a judged history used, and the calls that are in flight at its end. */
int tk_stream_carry_history(struct tk_stream *s, const struct tk_judge *history);

/*
 * Takes over one open call, or the name and type of a call that is taken over already. If the name or
 * type is unknown its `.p == NULL`. Returns 0, -ENOMEM or TK_CARRY_ANSWERED.
 */
int tk_stream_carry(struct tk_stream *s, struct tk_str id, struct tk_str name, struct tk_str type);

/* Writes the list of calls that wait for a result, carried ones first: [{"id", "name", "type"}]. */
void tk_stream_write_pending(const struct tk_stream *s, struct tk_writer *w);

/* ---- events ---- */

/* Returns true if a new connection may go on with the stream. */
bool tk_stream_is_numbered(const struct tk_stream *s);

/* Begins with the bytes of a new connection: an unfinished frame is forgotten. */
void tk_stream_restart(struct tk_stream *s);

/* Returns true if the stream was fed before: with bytes, or else with events. */
bool tk_stream_is_fed_with(const struct tk_stream *s, bool bytes);

/* Feeds a list of event objects. */
int tk_stream_feed_events(const struct tk_stream_call *call, struct tk_stream *s,
                          struct tk_val list);

/* Feeds bytes, cut anywhere. They must live as long as the answer. */
int tk_stream_feed_bytes(const struct tk_stream_call *call, struct tk_stream *s,
                         struct tk_str bytes);

/*
 * Feeds a whole response, an object, as if it were streamed: an event that starts a message with all
 * of it, and one that stops the message. A response that is an error event is fed as that event.
 * Returns 0, -ENOMEM or TK_STREAM_NO_RESPONSE.
 */
enum {
    TK_STREAM_NO_RESPONSE = 1, /* a value of another shape; nothing was fed */
};
int tk_stream_feed_response(const struct tk_stream_call *call, struct tk_stream *s,
                            struct tk_val response);

/* Ends the stream. `transport`: the error of the transport; `.p == NULL` if it had none. */
int tk_stream_end(const struct tk_stream_call *call, struct tk_stream *s, struct tk_str transport);

/* ---- the outcome ---- */

enum tk_stream_state tk_stream_state(const struct tk_stream *s);
const char *tk_stream_state_name(const struct tk_stream *s);

/* Writes the error output of a failed stream again. */
int tk_stream_write_error(const struct tk_stream_call *call, struct tk_stream *s);

/* Writes the members finish, error, message, seal, turn and warnings of an ended stream. */
int tk_stream_write_outcome(const struct tk_stream_call *call, struct tk_stream *s);

/* Returns the bytes of memory that the stream holds. */
size_t tk_stream_held(const struct tk_stream *s);

/* Returns true if the stream failed because it was fed too much. */
bool tk_stream_is_too_large(const struct tk_stream *s);

#endif
