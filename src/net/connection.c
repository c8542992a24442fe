/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/connection_inside.h"
#include "net/log.h"

/* A connection's turn ends after this many requests, or when its user's time is up (turns.h). */
#define TURN_REQUESTS 16
/* Requests on the control socket are small, and `health` must not wait for others. */
#define TURN_REQUESTS_CONTROL 1

/* ---- turns ---- */

static bool turn_is_over(const struct tk_connection *c, int requests, int64_t began)
{
    int most = c->loop->control ? TURN_REQUESTS_CONTROL : TURN_REQUESTS;

    return requests >= most || tk_now() - began >= tk_turns_credit(&c->turn);
}

/* During a drain, requests that were read before it are served, and later ones are refused. */
static void tell_late(struct tk_connection *c, size_t used)
{
    c->late = c->loop->draining && used > c->owed;
    c->owed = c->late ? 0 : c->owed - (used < c->owed ? used : c->owed);
}

/* Takes a slot if the next request is long. Returns false if none is free: the connection is parked. */
static bool begin_long(struct tk_connection *c, bool *ret_long)
{
    struct tk_loop *loop = c->loop;
    uint64_t most = (uint64_t)tk_connection_limits(c)->max_frame;

    *ret_long = loop->slots && tk_read_buffer_ahead(&c->in, c->eof, most, TK_LONG_REQUEST) > 0;
    if (!*ret_long || tk_slots_take(loop->slots, &loop->slot))
        return true;
    tk_connection_park(c, tk_now());
    return false;
}

/* Answers what is complete, until the turn is over or the client must read first. */
static int answer_all(struct tk_connection *c, int64_t began)
{
    bool over = false;
    int r = 0;

    for (int n = 1; r == 0 && !over; n++) {
        size_t before = c->in.left;
        struct tk_frame frame;
        bool is_long;

        if (tk_output_blocked(&c->out) || !begin_long(c, &is_long))
            break;
        frame = tk_read_buffer_next(&c->in, c->eof, (uint64_t)tk_connection_limits(c)->max_frame);
        if (frame.kind == TK_FRAME_MORE)
            break;
        tell_late(c, before - c->in.left);
        if (frame.kind != TK_FRAME_TOO_LARGE) /* whose body is still to come */
            c->midway = false;
        r = tk_connection_answer(c, &frame);
        if (is_long)
            tk_slots_cancel(c->loop->slots, &c->loop->slot);
        over = c->in.left > 0 && turn_is_over(c, n, began);
    }
    if (over)
        tk_connection_yield(c, TK_READY_KEPT, tk_now());
    return r;
}

/* A frame whose bytes no longer fit is given up before it is complete. */
static int check_room(struct tk_connection *c)
{
    size_t announced = tk_framer_body(&c->in.framer);
    enum tk_limit full;

    if (c->turn.waiting || c->parking != TK_PARKING_NONE || c->in.left == 0 ||
        tk_output_blocked(&c->out))
        return 0;
    tk_connection_charge(c);
    full = tk_connection_full_for(c, 0, announced > 0 ? announced : c->in.left);
    if (full == TK_LIMIT_COUNT)
        return 0;
    tk_read_buffer_skip(&c->in, &c->loop->scratch);
    return tk_connection_refuse_busy(c, full);
}

/* Ends a turn with its result; a negative one ends the connection. */
static void finish_turn(struct tk_connection *c, int r, int64_t now)
{
    if (r < 0) {
        c->loop->stage.size = 0;
        tk_connection_free(c);
        return;
    }
    tk_connection_settle(c, now);
}

/* One turn: serve, write, keep the rest. May free the connection. */
static void take_turn(struct tk_connection *c, int64_t now)
{
    struct tk_loop *loop = c->loop;
    bool stopped;
    int r;

    r = answer_all(c, now);
    stopped = tk_output_blocked(&c->out);
    tk_read_buffer_keep(&c->in, &loop->scratch);
    if (r == 0)
        r = check_room(c);
    if (r == 0)
        r = tk_output_flush(&c->out, &loop->stage, c->fd);
    /* The client read meanwhile: no event will tell, so the requests that wait get a turn. */
    if (r == 0 && stopped && !tk_output_blocked(&c->out))
        tk_connection_yield(c, TK_READY_KEPT, tk_now());
    finish_turn(c, r, now);
}

static ssize_t receive(struct tk_connection *c)
{
    struct iovec space;
    ssize_t n;
    int r;

    r = tk_read_buffer_space(&c->in, &c->loop->scratch, &space);
    if (r < 0)
        return r;
    do
        n = read(c->fd, space.iov_base, space.iov_len);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    c->eof = n == 0;
    tk_read_buffer_added(&c->in, &c->loop->scratch, (size_t)n);
    if (!c->in.borrowed)
        tk_connection_charge(c);
    return n;
}

/*
 * There is no memory for the next bytes. Half a frame is given up: its request is refused, and the
 * rest of it will be skipped. Without one, nothing is lost: the bytes wait in the kernel, and the
 * event comes again.
 */
static void wait_for_memory(struct tk_connection *c)
{
    static struct tk_log_rate rate;
    struct tk_loop *loop = c->loop;
    uint64_t dropped;
    int r = 0;

    if (tk_log_rate_pass(&rate, tk_now(), &dropped))
        tk_log(TK_LOG_WARNING, "no_memory", "reason=read uid=%u more=%" PRIu64, c->uid, dropped);
    if (c->in.left > 0 && tk_framer_midway(&c->in.framer)) {
        tk_read_buffer_skip(&c->in, &loop->scratch);
        r = tk_connection_refuse_for_memory(c);
        if (r == 0)
            r = tk_output_flush(&c->out, &loop->stage, c->fd);
    } else {
        (void)usleep(1000); /* so that waiting doesn't take all of a processor's time */
    }
    finish_turn(c, r, tk_now());
}

/* Doesn't log resets by the peer. */
static void log_lost(int error, uid_t uid)
{
    static struct tk_log_rate rate;
    uint64_t dropped;

    if (error != ECONNRESET && tk_log_rate_pass(&rate, tk_now(), &dropped))
        tk_log(TK_LOG_WARNING, "connection_lost", "error=\"%s\" uid=%u more=%" PRIu64,
               strerror(error), uid, dropped);
}

/* Reads once and answers what is complete. May free the connection. */
static void read_and_answer(struct tk_connection *c, int64_t now)
{
    ssize_t n = receive(c);

    if (n == -EAGAIN || n == -EWOULDBLOCK) {
        tk_connection_settle(c, now);
        return;
    }
    if (n == -ENOMEM) {
        wait_for_memory(c);
        return;
    }
    if (n < 0) {
        log_lost((int)-n, c->uid);
        tk_connection_free(c);
        return;
    }
    c->read_at = c->active = tk_now();
    tk_count(&c->loop->counters, bytes_in, n);
    take_turn(c, now);
}

/* Does what the connection was ready for. May free it. */
static void act(struct tk_connection *c, unsigned ready, int64_t now)
{
    bool was_blocked = c->state == TK_CONNECTION_BLOCKED;

    if ((ready & TK_READY_WRITE) && tk_output_flush(&c->out, &c->loop->stage, c->fd) < 0)
        tk_connection_free(c);
    else if (ready & TK_READY_READ)
        read_and_answer(c, now);
    else if ((ready & TK_READY_KEPT) || (was_blocked && !tk_output_blocked(&c->out)))
        take_turn(c, now);
    else
        tk_connection_settle(c, now);
}

/* Does what the connection is ready for, at its user's expense. May free it. */
static void work(struct tk_connection *c, int64_t began)
{
    struct tk_loop *loop = c->loop;
    struct tk_turn_user *user = c->turn.user;
    unsigned ready = c->ready;
    bool unparked = tk_connection_leave_parking(c);
    int64_t ended;

    c->ready = 0;
    act(c, ready, began);
    if (unparked)
        tk_connection_return_slot(loop);
    ended = tk_now();
    loop->worked += ended - began;
    tk_turns_charge(&loop->turns, user, began, ended);
}

/* Notes a poll of the sockets: libevent's time changes with each. */
static void note_poll(struct tk_loop *loop)
{
    struct timeval tv;
    int64_t time;

    (void)event_base_gettimeofday_cached(loop->base, &tv);
    time = (int64_t)tv.tv_sec * TK_SECOND + tv.tv_usec * TK_MICROSECOND;
    if (time != loop->polled)
        tk_turns_polled(&loop->turns);
    loop->polled = time;
}

static void become_ready(struct tk_connection *c, enum tk_ready ready)
{
    int64_t now = tk_now();

    note_poll(c->loop);
    c->ready |= ready;
    if (tk_turns_may_begin(&c->turn))
        work(c, now);
    else
        tk_connection_yield(c, ready, now);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    become_ready(arg, TK_READY_READ);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    become_ready(arg, TK_READY_WRITE);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    tk_connection_expire(arg, tk_now());
}

void tk_connection_resume(struct tk_connection *c)
{
    int64_t now = tk_now();

    tk_connection_end_wait(c, now);
    work(c, now);
}

void tk_connection_drain(struct tk_connection *c)
{
    c->owed = c->in.left;
    tk_connection_settle(c, tk_now());
}

void tk_connection_mend(struct tk_connection *c)
{
    tk_connection_settle(c, tk_now());
}

void tk_connection_new_settings(struct tk_connection *c)
{
    if (!c->loop->control && !tk_peers_allowed(c->loop->settings, c->fd, c->uid, c->gid))
        tk_connection_free(c);
    else
        tk_connection_arm(c);
}

struct tk_connection *tk_connection_next(struct tk_connection *c)
{
    return TAILQ_NEXT(c, in_all);
}

/* ---- life ---- */

int tk_connection_new(struct tk_loop *loop, const struct tk_peer *peer)
{
    static uint64_t serials; /* of the process: one log */
    struct tk_connection *c = calloc(1, sizeof(*c));

    if (c)
        c->session = tk_session_new(loop->core);
    if (c && c->session)
        c->share = tk_inflight_join(loop->inflight, peer->uid);
    if (!c || !c->share || tk_turns_join(&loop->turns, &c->turn, peer->uid, tk_now()) < 0) {
        if (c && c->share)
            tk_inflight_leave(loop->inflight, c->share);
        tk_session_free(c ? c->session : NULL);
        free(c);
        return -ENOMEM;
    }
    c->turn.owner = c;
    c->loop = loop;
    c->fd = peer->fd;
    c->uid = peer->uid;
    c->gid = peer->gid;
    c->accepted = c->active = peer->accepted;
    c->timer_at = TK_NEVER;
    c->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
    (void)event_assign(&c->readable, loop->base, c->fd, EV_READ | EV_PERSIST, on_readable, c);
    (void)event_assign(&c->writable, loop->base, c->fd, EV_WRITE | EV_PERSIST, on_writable, c);
    (void)event_assign(&c->timer, loop->base, -1, 0, on_timer, c);
    TAILQ_INSERT_TAIL(&loop->all, c, in_all);
    tk_connection_settle(c, tk_now());
    return 0;
}

void tk_connection_free(struct tk_connection *c)
{
    struct tk_loop *loop = c->loop;

    tk_turns_leave(&loop->turns, &c->turn);
    (void)tk_connection_leave_parking(c);
    tk_connection_return_slot(loop);
    (void)event_del(&c->readable);
    (void)event_del(&c->writable);
    (void)event_del(&c->timer);
    (void)close(c->fd);
    tk_output_done(&c->out);
    tk_read_buffer_done(&c->in, &loop->scratch);
    tk_session_free(c->session);
    loop->freed += c->charged;
    tk_loop_used(loop);
    tk_inflight_charge(loop->inflight, c->share, &c->charged, 0);
    tk_inflight_charge(loop->inflight, c->share, &c->held, 0);
    tk_inflight_leave(loop->inflight, c->share);
    tk_inflight_count_streams(loop->inflight, &c->streams, 0);
    tk_peers_remove(loop->peers, c->uid);
    tk_count(&loop->counters, connections_closed, 1);
    TAILQ_REMOVE(&loop->all, c, in_all);
    free(c);
    if (loop->draining && TAILQ_EMPTY(&loop->all) && loop->empty)
        loop->empty(loop->empty_arg);
}
