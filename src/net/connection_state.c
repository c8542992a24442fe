/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connection_inside.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "net/log.h"

/* During a drain, a client that has just connected gets this long to send its first request. */
#define DRAIN_GRACE (500 * TK_MILLISECOND)

static const struct {
    const char *name;
    bool read, write;
} states[TK_CONNECTION_STATES] = {
    [TK_CONNECTION_NEW] = {"new", true, false},
    [TK_CONNECTION_IDLE] = {"idle", true, false},
    [TK_CONNECTION_RECEIVING] = {"receiving", true, false},
    [TK_CONNECTION_YIELDED] = {"yielded", false, false},
    [TK_CONNECTION_BLOCKED] = {"blocked", false, true},
    [TK_CONNECTION_FLUSHING] = {"flushing", false, true},
};

/* Returns true if the connection hears nothing until its user's turn comes, or a slot is free. */
static bool waits_for_turn(const struct tk_connection *c)
{
    return c->turn.waiting || c->parking == TK_PARKING_PARKED;
}

static struct tk_pace_sample sample_of(const struct tk_connection *c, int64_t now)
{
    return (struct tk_pace_sample){.now = now, .worked = c->loop->worked, .sent = c->out.sent};
}

void tk_connection_charge(struct tk_connection *c)
{
    size_t before = c->charged;

    tk_inflight_charge(c->loop->inflight, c->share, &c->charged,
                       c->in.left + tk_output_held(&c->out));
    if (c->charged < before)
        c->loop->freed += before - c->charged;
    if (c->charged > TK_SCRATCH_SIZE)
        c->loop->large = true;
}

/* ---- deadlines ---- */

struct deadline {
    int64_t at;
    enum tk_limit limit; /* which one it is; TK_LIMIT_COUNT: none that counts as hit */
};

static void sooner(struct deadline *d, int64_t at, enum tk_limit limit)
{
    if (at < d->at)
        *d = (struct deadline){at, limit};
}

/* Returns when the client must have read some of its answers. */
static struct deadline output_deadline(const struct tk_connection *c)
{
    int64_t frame_timeout = tk_connection_limits(c)->frame_timeout;
    struct deadline d = {TK_NEVER, TK_LIMIT_COUNT};

    if (tk_output_pending(&c->out) && !waits_for_turn(c))
        sooner(&d, c->moved + frame_timeout, TK_LIMIT_frame_timeout);
    sooner(&d, tk_pace_end(&c->pace, c->loop->worked, frame_timeout), TK_LIMIT_frame_timeout);
    return d;
}

static struct deadline deadline_of(const struct tk_connection *c)
{
    const struct tk_limits *l = tk_connection_limits(c);
    struct deadline d = output_deadline(c);

    if (c->midway && states[c->state].read)
        sooner(&d, c->frame_start + l->frame_timeout, TK_LIMIT_frame_timeout);
    if (c->state == TK_CONNECTION_NEW)
        sooner(&d, c->accepted + l->handshake_timeout, TK_LIMIT_handshake_timeout);
    if (c->state == TK_CONNECTION_NEW && c->loop->draining)
        sooner(&d, c->accepted + DRAIN_GRACE, TK_LIMIT_COUNT);
    if (c->state == TK_CONNECTION_IDLE && !tk_output_pending(&c->out))
        sooner(&d, c->active + l->idle_timeout, TK_LIMIT_idle_timeout);
    return d;
}

/*
 * The timer is only ever moved to an earlier time here: a deadline that moved away is found
 * out when the timer fires. So an ordinary request costs no change of a timer.
 */
void tk_connection_arm(struct tk_connection *c)
{
    struct deadline d = deadline_of(c);
    struct timeval tv;

    if (d.at >= c->timer_at)
        return;
    tv = tk_timeval(d.at - tk_now());
    if (event_add(&c->timer, &tv) == 0)
        c->timer_at = d.at;
    else
        c->loop->damaged = true;
}

/* ---- state ---- */

/* An event that can't be removed counts as removed: libevent no longer knows it then. */
static void watch(struct tk_loop *loop, struct event *e, bool *is, bool want)
{
    if (*is == want)
        return;
    if (!want)
        (void)event_del(e);
    *is = want && event_add(e, NULL) == 0;
    if (*is != want)
        loop->damaged = true;
}

static void set_state(struct tk_connection *c, enum tk_connection_state state)
{
    bool hears;

    if (c->state != state) {
        if (tk_log_wanted(TK_LOG_DEBUG))
            tk_log(TK_LOG_DEBUG, "state", "connection=%" PRIu64 " from=%s to=%s", c->serial,
                   states[c->state].name, states[state].name);
        if (state == TK_CONNECTION_BLOCKED)
            tk_count(&c->loop->counters, stalls, 1);
        c->state = state;
    }
    hears = !waits_for_turn(c);
    watch(c->loop, &c->readable, &c->reading, hears && states[state].read && !c->eof);
    watch(c->loop, &c->writable, &c->writing,
          hears && (states[state].write || tk_output_pending(&c->out)));
}

static enum tk_connection_state state_of(const struct tk_connection *c)
{
    if (tk_output_blocked(&c->out))
        return TK_CONNECTION_BLOCKED;
    if (waits_for_turn(c))
        return TK_CONNECTION_YIELDED;
    if (c->eof)
        return TK_CONNECTION_FLUSHING;
    if (c->midway)
        return TK_CONNECTION_RECEIVING;
    return c->read_at == 0 ? TK_CONNECTION_NEW : TK_CONNECTION_IDLE;
}

void tk_connection_yield(struct tk_connection *c, enum tk_ready ready, int64_t now)
{
    c->ready |= ready;
    if (c->turn.waiting)
        return;
    c->waits_since = now;
    tk_count(&c->loop->counters, yields, 1);
    tk_turns_wait(&c->loop->turns, &c->turn, now);
    tk_loop_schedule(c->loop);
    set_state(c, state_of(c));
}

void tk_connection_park(struct tk_connection *c, int64_t now)
{
    c->parking = TK_PARKING_PARKED;
    c->waits_since = now;
    TAILQ_INSERT_TAIL(&c->loop->parked, c, in_parked);
    set_state(c, state_of(c));
}

void tk_connection_unpark(struct tk_connection *c)
{
    int64_t now = tk_now();

    TAILQ_REMOVE(&c->loop->parked, c, in_parked);
    c->parking = TK_PARKING_UNPARKED;
    c->loop->unparked++;
    tk_connection_end_wait(c, now);
    tk_connection_yield(c, TK_READY_KEPT, now);
}

bool tk_connection_leave_parking(struct tk_connection *c)
{
    bool unparked = c->parking == TK_PARKING_UNPARKED;

    if (c->parking == TK_PARKING_PARKED)
        TAILQ_REMOVE(&c->loop->parked, c, in_parked);
    c->loop->unparked -= unparked;
    c->parking = TK_PARKING_NONE;
    return unparked;
}

void tk_connection_return_slot(struct tk_loop *loop)
{
    if (loop->slots && loop->unparked == 0 && TAILQ_EMPTY(&loop->parked))
        tk_slots_cancel(loop->slots, &loop->slot);
}

void tk_connection_end_wait(struct tk_connection *c, int64_t now)
{
    c->frame_start += now - c->waits_since;
    c->moved += now - c->waits_since;
}

/* Returns true if received bytes wait in the kernel: they may be the first half of a request, and
 * sending the second half must not fail. */
static bool has_unread(const struct tk_connection *c)
{
    int n = 0;

    return ioctl(c->fd, FIONREAD, &n) == 0 && n > 0;
}

void tk_connection_end_input(struct tk_connection *c)
{
    if (!c->shut && !c->eof)
        (void)shutdown(c->fd, SHUT_RD);
    c->shut = true;
}

static void note_progress(struct tk_connection *c, int64_t now)
{
    uint64_t sent = c->out.sent - c->sent_seen;
    struct tk_pace_sample sample = sample_of(c, now);

    if (sent > 0) {
        tk_count(&c->loop->counters, bytes_out, sent);
        c->sent_seen = c->out.sent;
        c->active = now;
    }
    if (sent > 0 || !c->stuck)
        c->moved = now;
    c->stuck = tk_output_pending(&c->out);
    tk_pace_note(&c->pace, c->stuck, &sample);
}

void tk_connection_settle(struct tk_connection *c, int64_t now)
{
    bool midway = tk_framer_midway(&c->in.framer);
    bool waits;

    note_progress(c, now);
    if (midway && !c->midway)
        c->frame_start = c->read_at;
    c->midway = midway;
    tk_connection_charge(c);
    tk_loop_used(c->loop);
    waits = waits_for_turn(c) || tk_output_pending(&c->out);
    if (c->eof && !waits) {
        tk_connection_free(c);
        return;
    }
    set_state(c, state_of(c));
    if (c->loop->draining && !waits && c->state == TK_CONNECTION_IDLE && c->streams == 0 &&
        !has_unread(c))
        tk_connection_end_input(c);
    tk_connection_arm(c);
}

void tk_connection_expire(struct tk_connection *c, int64_t now)
{
    struct tk_pace_sample sample = sample_of(c, now);
    struct deadline d;

    c->timer_at = TK_NEVER;
    (void)tk_pace_too_slow(&c->pace, &sample,
                           tk_connection_limits(c)->frame_timeout); /* else a new span */
    d = deadline_of(c);
    /* Bytes that wait in the kernel aren't late, the daemon is. Their event sets the timer again. */
    if (c->reading && output_deadline(c).at > now && has_unread(c))
        return;
    if (d.at > now) {
        tk_connection_arm(c);
    } else if (d.limit == TK_LIMIT_COUNT) {
        tk_connection_end_input(c);
    } else {
        tk_limit_hit(&c->loop->counters, d.limit, now, c->uid);
        tk_connection_free(c);
    }
}
