/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection from within, for the files that it consists of:
 *
 *     connection.c          its life and its events: reading, turns, writing
 *     connection_state.c    its state, deadlines, and what its user is charged for
 *     connection_answers.c  answers of requests, by the core or without it
 */
#ifndef TK_NET_CONNECTION_INSIDE_H
#define TK_NET_CONNECTION_INSIDE_H

#include "net/connection.h"
#include "net/output.h"
#include "net/pace.h"
#include "net/read_buffer.h"

enum tk_connection_state {
    TK_CONNECTION_NEW,
    TK_CONNECTION_IDLE,
    TK_CONNECTION_RECEIVING,
    TK_CONNECTION_YIELDED,
    TK_CONNECTION_BLOCKED,
    TK_CONNECTION_FLUSHING,
    TK_CONNECTION_STATES,
};

/* How a long request waits for its slot: see slots.h. */
enum tk_parking {
    TK_PARKING_NONE,
    TK_PARKING_PARKED,
    TK_PARKING_UNPARKED, /* a slot is granted to the loop: waits for its user's turn */
};

/* Kinds of work that a connection waits to do. */
enum tk_ready {
    TK_READY_READ = 1,  /* its socket has bytes */
    TK_READY_WRITE = 2, /* its socket has room */
    TK_READY_KEPT = 4,  /* it may hold complete requests */
};

struct tk_connection {
    struct tk_loop *loop;
    TAILQ_ENTRY(tk_connection) in_all, in_parked;
    enum tk_parking parking;
    struct tk_turn_member turn; /* waits while its user's turn is over */
    unsigned ready;             /* enum tk_ready: what it will do when its turn comes */
    int64_t waits_since;
    enum tk_connection_state state;
    int fd;
    uid_t uid;
    gid_t gid;
    bool eof;              /* the client ended its side, or we did */
    bool shut;             /* we ended its input: drain */
    bool midway;           /* part of a frame or line is here: frame_timeout runs */
    bool stuck;            /* an answer waits since `moved` */
    bool reading, writing; /* which events are added */
    struct event readable, writable, timer;
    int64_t timer_at; /* when the timer fires, TK_NEVER when it isn't added */
    int64_t accepted, active, read_at, frame_start, moved;
    uint64_t sent_seen;     /* out.sent at `moved` */
    struct tk_pace pace;    /* how fast the client takes its answers */
    struct tk_share *share; /* of its user in the loop's inflight bytes */
    size_t owed;            /* kept bytes that came before the drain: still served */
    bool late;              /* the present request came after it */
    size_t charged;         /* our part of the loop's inflight bytes: frames and answers */
    size_t held;            /* and what our streams hold */
    size_t streams;         /* our part of the loop's streams */
    uint64_t serial;        /* for the log */
    struct tk_read_buffer in;
    struct tk_output out;
    tk_session *session;
};

static inline const struct tk_limits *tk_connection_limits(const struct tk_connection *c)
{
    return &c->loop->settings->limits;
}

/* ---- connection_state.c ---- */

/* Charges the user for what the connection keeps: received bytes, and unsent answers with all
 * memory that they hold. */
void tk_connection_charge(struct tk_connection *c);

/* Makes the connection wait for its user's next turn, to do what `ready` says: enum tk_ready. Until
 * then it hears nothing from its socket. */
void tk_connection_yield(struct tk_connection *c, enum tk_ready ready, int64_t now);

/* Makes the connection wait for a slot for its long request. */
void tk_connection_park(struct tk_connection *c, int64_t now);

/* Ends the parking of a connection that gets its turn or goes. Returns true if it was unparked. */
bool tk_connection_leave_parking(struct tk_connection *c);

/* Gives back a slot that was granted to connections which are gone or didn't need it. */
void tk_connection_return_slot(struct tk_loop *loop);

/* Ends the wait: its turn has come. Time that it waited doesn't count as its client's. */
void tk_connection_end_wait(struct tk_connection *c, int64_t now);

/* Ends the input of a connection that waits for nothing, during a drain. Bytes that the client sent
 * before are still read and answered; later ones fail on the client's side. */
void tk_connection_end_input(struct tk_connection *c);

/* Ends a turn: computes the state, charges memory and arms events. May free the connection. */
void tk_connection_settle(struct tk_connection *c, int64_t now);

/* Sets the timer if the next deadline is earlier than the timer. */
void tk_connection_arm(struct tk_connection *c);

/* Handles the timer: closes a connection whose deadline is over. May free it. */
void tk_connection_expire(struct tk_connection *c, int64_t now);

/* ---- connection_answers.c ---- */

/* Answers a request, or a frame that is none. Returns 0, or negative if the connection is broken or
 * memory is used up. */
int tk_connection_answer(struct tk_connection *c, const struct tk_frame *frame);

/* Returns the limit that `more` bytes for a frame would exceed, or TK_LIMIT_COUNT. */
enum tk_limit tk_connection_full_for(struct tk_connection *c, size_t more, size_t frame_size);

/* Answers `busy` because there is no memory for a frame. Returns as tk_connection_answer(). */
int tk_connection_refuse_for_memory(struct tk_connection *c);

/* Answers `busy` because of a limit. Returns as tk_connection_answer(). */
int tk_connection_refuse_busy(struct tk_connection *c, enum tk_limit limit);

#endif
