/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a provider's decoder reads a stream that is not one of numbered blocks: tables and functions.
 *
 *     event ── read() ──> tells, by the functions of decoder.h, what happens:
 *                         texts, calls, operations, results, facts, faults
 *     the end ── is_complete(), settle(), end() ──> what leaves last; what of the turn is left out
 *     the turn ── write_entries() ──> what the history gets
 *
 * All else is done for every decoder alike: framings and JSON, the forms of outputs, which events
 * wait, how the stream ends, errors, the members of `finish` and `turn`.
 *
 * Functions that return int return 0, -ENOMEM, or TK_TURN_FAILED if the stream failed: a fault was
 * told. What else they may return is said at each. Without memory a function may also go on: arenas
 * remember it, and the request fails.
 */
#ifndef TK_STREAM_TURN_TURN_FORMAT_H
#define TK_STREAM_TURN_TURN_FORMAT_H

#include "stream/format.h"
#include "value/writer.h"

struct tk_stream_turn;
struct tk_choice;
struct tk_turn_part;

/* Results of read(). */
enum {
    TK_TURN_FAILED = 1,    /* a fault was told; return it at once */
    TK_TURN_MALFORMED = 2, /* the event hasn't the shape of its type: a fault */
    TK_TURN_DROPPED = 3,   /* the event doesn't leave in the forms of events */
    TK_TURN_OVER = 4,      /* it was the last one: the stream ends after it */
};

/* An error that a stream found itself. */
struct tk_found_error {
    const char *kind;
    bool retryable;
    struct tk_str text;
};

/* Functions and tables may be NULL where that is said. */
struct tk_turn_format {
    size_t own_size;        /* bytes of the decoder's own state, tk_turn.own */
    bool has_choices;       /* outputs have the member `choice` */
    bool entries_are_items; /* the history gets a list of items: there is no `message`, and what is
                               held has a `type` */

    /* ---- events ---- */

    /* Returns true for a type of event; frames of other names may have any data. NULL: names of frames
     * say nothing. */
    bool (*knows)(struct tk_str type);
    /* Returns the name of a malformed event for the error; `.p == NULL` if that can't be read. NULL: it is
     * always `event_name`. */
    struct tk_str (*name_of)(struct tk_val event, struct tk_arena *arena);
    struct tk_str event_name;
    /* Reads one event, an object without lone surrogates, and tells what happens. It may return one of
     * the values above. */
    int (*read)(struct tk_stream_turn *t, struct tk_val event);
    /*
     * Reads a whole response: makes the events that it would have streamed as, and feeds each with
     * tk_turn_feed(). The stream ends after it. Returns also TK_STREAM_NO_RESPONSE, before it told
     * anything.
     */
    int (*read_response)(struct tk_stream_turn *t, struct tk_val response);

    /* ---- the end ---- */

    /* Returns true if the provider has said how the message ended. */
    bool (*is_complete)(struct tk_stream_turn *t);
    /* Called at the end of a complete stream, before operations without a result are looked for: lets
     * go of those that are excused. NULL: none is. */
    void (*settle)(struct tk_stream_turn *t);
    /* Called once. `done`: the stream did not fail; what leaves last is told now, and the reason of each
     * choice is set. Sets `held` of each part that the turn leaves out. */
    void (*end)(struct tk_stream_turn *t, bool done);

    /* ---- the turn ---- */

    /* Writes the entries of a choice, each as one value, into an open list: one message if anything is
     * left of it, or items. */
    void (*write_entries)(struct tk_stream_turn *t, const struct tk_choice *choice,
                          struct tk_writer *w);
    /* Returns the type of the item that answers a call. NULL: `calls` has no such member. */
    struct tk_str (*output_type)(const struct tk_turn_part *call);
    /* Write further members of the finish and of the turn. NULL: there are none. */
    void (*write_finish)(struct tk_stream_turn *t, struct tk_writer *w);
    void (*write_turn)(struct tk_stream_turn *t, struct tk_writer *w);

    /* ---- results ---- */

    /* Returns the list of pages that a result names, of which read_source() reads each element; it
     * returns false for what is none. NULL: results name no pages. */
    struct tk_val (*sources)(struct tk_val content);
    bool (*read_source)(struct tk_val v, struct tk_stream_source_view *ret);
    const struct tk_copied_member *copied_of_call; /* from tk_turn_part.start; NULL: none */

    /* ---- errors ---- */

    /* Writes an error event of the provider's form. */
    void (*write_error)(struct tk_stream_turn *t, struct tk_writer *w,
                        const struct tk_found_error *error);
    /* Returns the member `error` of the error output, a part of an error event. NULL: it is the event's own
     * member `error`. */
    struct tk_val (*error_of)(struct tk_val event);
};

#endif
