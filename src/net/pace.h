/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a client takes its answers. While answers wait for the socket, spans of frame_timeout
 * follow each other; a client that took less than TK_PACE_MIN on average over one of them is too
 * slow. Time that the thread spent on requests is not counted: it couldn't write then,
 * whatever the client did.
 *
 * This code reads no clock and no socket: the connection passes its measurements.
 */
#ifndef TK_NET_PACE_H
#define TK_NET_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes a second. */
#define TK_PACE_MIN (64 * 1024)

/* A zeroed struct is a connection without unsent answers. */
struct tk_pace {
    bool running;
    int64_t since;  /* when the present span began */
    int64_t worked; /* and how long the thread had worked by then */
    uint64_t sent;  /* and how many bytes were out */
};

/* One measurement: the time, total time that the thread worked, total bytes sent. */
struct tk_pace_sample {
    int64_t now, worked;
    uint64_t sent;
};

/* Notes the state after a turn. `pending`: an answer waits for the socket. */
void tk_pace_note(struct tk_pace *p, bool pending, const struct tk_pace_sample *sample);

/* Returns when the span ends if the thread works no more; TK_NEVER if no span runs. */
int64_t tk_pace_end(const struct tk_pace *p, int64_t worked, int64_t timeout);

/* Returns true if a span is over and was too slow. If it is over and was fast, begins the next. */
bool tk_pace_too_slow(struct tk_pace *p, const struct tk_pace_sample *sample, int64_t timeout);

#endif
