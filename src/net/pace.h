/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a client takes its answers. While answers wait for the socket, spans of frame_timeout
 * follow each other; a client that took less than TK_PACE_MIN on average over one of them is too
 * slow. The time in which its thread worked on requests is not counted: nothing could be
 * written then, whatever the client did.
 *
 * No clock and no socket here: the connection says what it sees.
 */
#ifndef TK_NET_PACE_H
#define TK_NET_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes a second. */
#define TK_PACE_MIN (64 * 1024)

/* The zeroed struct is a connection that nothing waits for. */
struct tk_pace {
    bool running;
    int64_t since;  /* when the present span began */
    int64_t worked; /* and how long the thread had worked by then */
    uint64_t sent;  /* and how many bytes were out */
};

/* What a connection sees: now, time that its thread has worked, bytes that are out. */
struct tk_pace_sight {
    int64_t now, worked;
    uint64_t sent;
};

/* After each turn. `pending`: an answer waits. */
void tk_pace_note(struct tk_pace *p, bool pending, const struct tk_pace_sight *sight);

/* When the span ends as far as is known, TK_NEVER where none runs. */
int64_t tk_pace_end(const struct tk_pace *p, int64_t worked, int64_t timeout);

/* True where a span is over and was too slow; after one that was not, the next one begins. */
bool tk_pace_too_slow(struct tk_pace *p, const struct tk_pace_sight *sight, int64_t timeout);

#endif
