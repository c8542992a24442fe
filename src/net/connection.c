/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/log.h"
#include "net/output.h"
#include "net/pace.h"
#include "net/read_buffer.h"
#include "net/request_log.h"

/* A turn ends after this many requests or this much time; then other connections are served. */
#define TURN_REQUESTS 16
#define TURN_TIME     (10 * TK_MILLISECOND)
/* Requests on the control socket are small, and `health` must not wait for others. */
#define TURN_REQUESTS_CONTROL 1
/* `retry_after_ms` sent with `busy`. */
#define RETRY_AFTER_MS 100
/* During a drain, a client that has just connected gets this long to send its first request. */
#define DRAIN_GRACE (500 * TK_MILLISECOND)

enum state {
    STATE_NEW,
    STATE_IDLE,
    STATE_RECEIVING,
    STATE_YIELDED,
    STATE_BLOCKED,
    STATE_FLUSHING,
    STATE_COUNT,
};

struct tk_connection {
    struct tk_loop *loop;
    TAILQ_ENTRY(tk_connection) in_all, in_yielded;
    enum state state;
    int fd;
    uid_t uid;
    gid_t gid;
    bool eof;              /* the client ended its side, or we did */
    bool shut;             /* we ended its input: drain */
    bool yielded;          /* waits for its next turn; may hold complete requests */
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

static const struct {
    const char *name;
    bool read, write;
} states[STATE_COUNT] = {
    [STATE_NEW] = {"new", true, false},
    [STATE_IDLE] = {"idle", true, false},
    [STATE_RECEIVING] = {"receiving", true, false},
    [STATE_YIELDED] = {"yielded", false, false},
    [STATE_BLOCKED] = {"blocked", false, true},
    [STATE_FLUSHING] = {"flushing", false, true},
};

static const struct tk_limits *limits_of(const struct tk_connection *c)
{
    return &c->loop->settings->limits;
}

static struct tk_pace_sample sample_of(const struct tk_connection *c, int64_t now)
{
    return (struct tk_pace_sample){.now = now, .worked = c->loop->worked, .sent = c->out.sent};
}

/* Charges the user for what the connection keeps: received bytes, and unsent answers with all
 * memory that they hold. */
static void charge(struct tk_connection *c)
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

static struct deadline deadline_of(const struct tk_connection *c)
{
    const struct tk_limits *l = limits_of(c);
    struct deadline d = {TK_NEVER, TK_LIMIT_COUNT};
    bool pending = tk_output_pending(&c->out);

    if (pending)
        sooner(&d, c->moved + l->frame_timeout, TK_LIMIT_frame_timeout);
    sooner(&d, tk_pace_end(&c->pace, c->loop->worked, l->frame_timeout), TK_LIMIT_frame_timeout);
    if (c->midway && states[c->state].read)
        sooner(&d, c->frame_start + l->frame_timeout, TK_LIMIT_frame_timeout);
    if (c->state == STATE_NEW)
        sooner(&d, c->accepted + l->handshake_timeout, TK_LIMIT_handshake_timeout);
    if (c->state == STATE_NEW && c->loop->draining)
        sooner(&d, c->accepted + DRAIN_GRACE, TK_LIMIT_COUNT);
    if (c->state == STATE_IDLE && !pending)
        sooner(&d, c->active + l->idle_timeout, TK_LIMIT_idle_timeout);
    return d;
}

/*
 * The timer is only ever moved to an earlier time here: a deadline that moved away is found
 * out when the timer fires. So an ordinary request costs no change of a timer.
 */
static void arm(struct tk_connection *c)
{
    struct deadline d = deadline_of(c);
    struct timeval tv;

    if (d.at >= c->timer_at)
        return;
    tv = tk_timeval(d.at - tk_now());
    if (event_add(&c->timer, &tv) == 0)
        c->timer_at = d.at;
}

/* ---- state ---- */

static void watch(struct event *e, bool *is, bool want)
{
    if (*is == want)
        return;
    if ((want ? event_add(e, NULL) : event_del(e)) == 0)
        *is = want;
}

static void set_state(struct tk_connection *c, enum state state)
{
    if (c->state != state) {
        if (tk_log_wanted(TK_LOG_DEBUG))
            tk_log(TK_LOG_DEBUG, "state", "connection=%" PRIu64 " from=%s to=%s", c->serial,
                   states[c->state].name, states[state].name);
        if (state == STATE_BLOCKED)
            tk_count(&c->loop->counters, stalls, 1);
        c->state = state;
    }
    watch(&c->readable, &c->reading, states[state].read && !c->eof);
    watch(&c->writable, &c->writing, states[state].write || tk_output_pending(&c->out));
}

static enum state state_of(const struct tk_connection *c)
{
    if (tk_output_blocked(&c->out))
        return STATE_BLOCKED;
    if (c->yielded)
        return STATE_YIELDED;
    if (c->eof)
        return STATE_FLUSHING;
    if (c->midway)
        return STATE_RECEIVING;
    return c->read_at == 0 ? STATE_NEW : STATE_IDLE;
}

static void set_yielded(struct tk_connection *c, bool yielded)
{
    static const struct timeval now = {0, 0};
    struct tk_loop *loop = c->loop;

    if (c->yielded == yielded)
        return;
    c->yielded = yielded;
    if (!yielded) {
        TAILQ_REMOVE(&loop->yielded, c, in_yielded);
        return;
    }
    tk_count(&loop->counters, yields, 1);
    TAILQ_INSERT_TAIL(&loop->yielded, c, in_yielded);
    /* A timer of zero length: sockets are polled once before it fires. */
    if (!evtimer_pending(&loop->resume, NULL))
        (void)evtimer_add(&loop->resume, &now);
}

/* Returns true if received bytes wait in the kernel: they may be the first half of a request, and
 * sending the second half must not fail. */
static bool has_unread(const struct tk_connection *c)
{
    int n = 0;

    return ioctl(c->fd, FIONREAD, &n) == 0 && n > 0;
}

/* Ends the input of a connection that waits for nothing, during a drain. Bytes that the client sent
 * before are still read and answered; later ones fail on the client's side. */
static void end_input(struct tk_connection *c)
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

/* Ends a turn: computes the state, charges memory and arms events. May free the connection. */
static void settle(struct tk_connection *c, int64_t now)
{
    bool midway = tk_framer_midway(&c->in.framer);
    bool waits;

    note_progress(c, now);
    if (midway && !c->midway)
        c->frame_start = c->read_at;
    c->midway = midway;
    charge(c);
    tk_loop_used(c->loop);
    waits = c->yielded || tk_output_pending(&c->out);
    if (c->eof && !waits) {
        tk_connection_free(c);
        return;
    }
    set_state(c, state_of(c));
    if (c->loop->draining && !waits && c->state == STATE_IDLE && c->streams == 0 && !has_unread(c))
        end_input(c);
    arm(c);
}

/* ---- answers ---- */

/* When a request began and how long it may take; read by the cancel callback of tk_call(). */
struct patience {
    int64_t since, most;
};

static bool out_of_time(void *opaque, uint32_t timeout_ms)
{
    const struct patience *p = opaque;
    int64_t most = p->most;

    if (timeout_ms > 0 && timeout_ms * TK_MILLISECOND < most)
        most = timeout_ms * TK_MILLISECOND;
    return tk_now() - p->since > most;
}

/*
 * The core has no answer, or none that a frame can hold: the client still gets one, and its place
 * in the order.
 */
static int answer_internal(struct tk_connection *c, const char *reason)
{
    const struct tk_error_row *error = &tk_errors[TK_ERR_INTERNAL];
    uint64_t id = c->serial << 40 ^ (uint64_t)tk_now();
    char text[320];
    struct iovec iov = {text, 0};
    int n = snprintf(text, sizeof(text),
                     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":%d,\"message\":\"%s\","
                     "\"data\":{\"name\":\"%s\",\"retryable\":false,"
                     "\"correlation_id\":\"%016" PRIx64 "\"}}}",
                     error->code, error->message, error->name, id);

    tk_log(TK_LOG_ERROR, "internal_error", "correlation_id=%016" PRIx64 " reason=%s uid=%u", id,
           reason, c->uid);
    if (n < 0 || (size_t)n >= sizeof(text))
        return -ENOMEM;
    iov.iov_len = (size_t)n;
    return tk_output_copy(&c->out, &c->loop->stage, c->fd, &iov, 1, iov.iov_len,
                          tk_framer_lines(&c->in.framer));
}

/* Sends a reply and frees it once sent. request_size: size of the frame that it may refer to. */
static int send_reply(struct tk_connection *c, tk_reply *reply, size_t request_size)
{
    struct tk_loop *loop = c->loop;
    bool lines = tk_framer_lines(&c->in.framer), pinned = false;
    size_t size = tk_reply_size(reply), n;
    struct tk_buffer frame;
    int r = 0;

    if (size <= TK_COPY_MAX || size > UINT32_MAX) {
        const struct iovec *iov = tk_reply_iov(reply, &n);

        if (size > UINT32_MAX)
            r = answer_internal(c, "size");
        else if (size > 0)
            r = tk_output_copy(&c->out, &loop->stage, c->fd, iov, n, size, lines);
        tk_reply_free(reply);
        return r;
    }
    r = tk_output_pin(&c->out, &loop->stage, c->fd, reply, lines, &pinned);
    if (r < 0 || !pinned)
        return r;
    if (!tk_read_buffer_detach(&c->in, &loop->scratch, request_size, &frame))
        return tk_output_unpin(&c->out);
    tk_output_hold(&c->out, frame);
    return 0;
}

/* size: of the request. */
static void count_answer(struct tk_connection *c, const tk_reply *reply, size_t size)
{
    uint64_t correlation = tk_reply_get_correlation(reply);
    struct tk_request_facts facts = {c->serial, c->uid, size, tk_now() - c->read_at};

    tk_counters_answer(&c->loop->counters, reply, facts.took);
    tk_request_log(&facts, reply);
    if (correlation != 0) {
        const char *method = tk_reply_get_info(reply).method;

        tk_log(TK_LOG_ERROR, "internal_error", "correlation_id=%016" PRIx64 " method=%s uid=%u",
               correlation, method ? method : "-", c->uid);
    }
}

/* Answers bytes that the core never gets to read. */
static int refuse(struct tk_connection *c, enum tk_error_id error, int64_t limit,
                  uint32_t retry_after_ms)
{
    tk_reply *reply;

    if (tk_refuse(c->loop->core, error, (uint64_t)limit, retry_after_ms, &reply) < 0)
        return answer_internal(c, "memory");
    count_answer(c, reply, 0);
    return send_reply(c, reply, 0);
}

static void hit(struct tk_connection *c, enum tk_limit limit)
{
    tk_limit_hit(&c->loop->counters, limit, c->read_at, c->uid);
}

/* Returns the limit that `more` bytes for a frame would exceed, or TK_LIMIT_COUNT. */
static enum tk_limit full_for(struct tk_connection *c, size_t more, size_t frame_size)
{
    return tk_inflight_full(c->loop->inflight, c->share, (int64_t)more, frame_size, limits_of(c));
}

static int refuse_busy(struct tk_connection *c, enum tk_limit limit)
{
    hit(c, limit);
    return refuse(c, TK_ERR_BUSY, tk_limit_get(limits_of(c), limit), RETRY_AFTER_MS);
}

static int on_too_large(struct tk_connection *c, const struct tk_frame *frame)
{
    (void)frame;
    hit(c, TK_LIMIT_max_frame);
    return refuse(c, TK_ERR_FRAME_TOO_LARGE, limits_of(c)->max_frame, 0);
}

static void count_streams(struct tk_connection *c)
{
    struct tk_inflight *inflight = c->loop->inflight;

    tk_inflight_charge(inflight, c->share, &c->held, tk_session_held(c->session));
    tk_inflight_count_streams(inflight, &c->streams, tk_session_streams(c->session));
}

/* Answers a request. full: the limit that forbids streams to keep more bytes, or TK_LIMIT_COUNT. */
static int call(struct tk_connection *c, const struct tk_frame *frame, enum tk_limit full)
{
    struct tk_loop *loop = c->loop;
    bool crowded = full != TK_LIMIT_COUNT;
    struct patience patience = {c->read_at, limits_of(c)->request_timeout};
    tk_call_options options = {
        .json_only = tk_framer_lines(&c->in.framer),
        .control = loop->control,
        .draining = c->late,
        .crowded = crowded,
        .cancelled = out_of_time,
        .opaque = &patience,
    };
    tk_reply *reply;
    int r = tk_call(loop->core, c->session, frame->bytes, frame->size, &options, &reply);

    count_streams(c);
    if (r < 0)
        return answer_internal(c, "memory");
    count_answer(c, reply, frame->size);
    if (crowded && tk_reply_get_info(reply).error == tk_errors[TK_ERR_BUSY].name)
        hit(c, full);
    return send_reply(c, reply, frame->size);
}

/* Passes an empty document to the core, which answers with a parse error and its offset. */
static int on_empty(struct tk_connection *c, const struct tk_frame *frame)
{
    static const struct tk_frame nothing = {.bytes = (const uint8_t *)""};

    (void)frame;
    return call(c, &nothing, TK_LIMIT_COUNT);
}

static int on_request(struct tk_connection *c, const struct tk_frame *frame)
{
    size_t fresh = c->in.borrowed ? frame->size : 0; /* bytes in the scratch aren't charged yet */
    /* With open streams, this request may feed one: the bytes that it keeps count as well. */
    size_t kept = c->streams > 0 ? frame->size : 0;
    enum tk_limit full = full_for(c, fresh + kept, frame->size);
    size_t charged = c->charged;
    int r;

    if (full != TK_LIMIT_COUNT && c->streams == 0)
        return refuse_busy(c, full);
    if (fresh < TK_SHORT_FRAME) /* short requests take little time: not worth the lock */
        return call(c, frame, full);
    tk_inflight_charge(c->loop->inflight, c->share, &c->charged, charged + fresh);
    r = call(c, frame, full);
    tk_inflight_charge(c->loop->inflight, c->share, &c->charged, charged);
    return r;
}

typedef int answer(struct tk_connection *c, const struct tk_frame *frame);

static answer *const answers[TK_FRAME_KINDS] = {
    [TK_FRAME_REQUEST] = on_request,
    [TK_FRAME_EMPTY] = on_empty,
    [TK_FRAME_TOO_LARGE] = on_too_large,
};

/* ---- turns ---- */

static bool turn_is_over(const struct tk_loop *loop, int requests, int64_t began)
{
    int most = loop->control ? TURN_REQUESTS_CONTROL : TURN_REQUESTS;

    return requests >= most || tk_now() - began > TURN_TIME;
}

/* During a drain, requests that were read before it are served, and later ones are refused. */
static void tell_late(struct tk_connection *c, size_t used)
{
    c->late = c->loop->draining && used > c->owed;
    c->owed = c->late ? 0 : c->owed - (used < c->owed ? used : c->owed);
}

/* Answers what is complete, until the turn is over or the client must read first. */
static int answer_all(struct tk_connection *c, int64_t began)
{
    bool over = false;
    int r = 0;

    for (int n = 1; r == 0 && !over; n++) {
        size_t before = c->in.left;
        struct tk_frame frame;

        if (tk_output_blocked(&c->out))
            break;
        frame = tk_read_buffer_next(&c->in, c->eof, (uint64_t)limits_of(c)->max_frame);
        if (frame.kind == TK_FRAME_MORE)
            break;
        tell_late(c, before - c->in.left);
        if (frame.kind != TK_FRAME_TOO_LARGE) /* whose body is still to come */
            c->midway = false;
        r = answers[frame.kind](c, &frame);
        over = c->in.left > 0 && turn_is_over(c->loop, n, began);
    }
    set_yielded(c, over);
    return r;
}

/* A frame whose bytes no longer fit is given up before it is complete. */
static int check_room(struct tk_connection *c)
{
    size_t announced = tk_framer_body(&c->in.framer);
    enum tk_limit full;

    if (c->yielded || c->in.left == 0 || tk_output_blocked(&c->out))
        return 0;
    charge(c);
    full = full_for(c, 0, announced > 0 ? announced : c->in.left);
    if (full == TK_LIMIT_COUNT)
        return 0;
    tk_read_buffer_skip(&c->in, &c->loop->scratch);
    return refuse_busy(c, full);
}

/* One turn: serve, write, keep the rest. May free the connection. */
static void take_turn(struct tk_connection *c, int64_t now)
{
    struct tk_loop *loop = c->loop;
    bool stopped;
    int r, keep;

    r = answer_all(c, now);
    stopped = tk_output_blocked(&c->out);
    keep = tk_read_buffer_keep(&c->in, &loop->scratch);
    if (r == 0)
        r = keep;
    if (r == 0)
        r = check_room(c);
    if (r == 0)
        r = tk_output_flush(&c->out, &loop->stage, c->fd);
    /* The client read meanwhile: no event will tell, so the requests that wait get a turn. */
    if (r == 0 && stopped && !tk_output_blocked(&c->out))
        set_yielded(c, true);
    if (r < 0) {
        loop->stage.size = 0;
        tk_connection_free(c);
        return;
    }
    settle(c, now);
}

static void serve(struct tk_connection *c, int64_t now)
{
    struct tk_loop *loop = c->loop;

    take_turn(c, now);
    loop->worked += tk_now() - now;
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
        charge(c);
    return n;
}

/* Doesn't log resets by the peer; does log lack of memory. */
static void log_lost(int error, uid_t uid)
{
    static struct tk_log_rate rate;
    uint64_t dropped;

    if (error != ECONNRESET && tk_log_rate_pass(&rate, tk_now(), &dropped))
        tk_log(TK_LOG_WARNING, "connection_lost", "error=\"%s\" uid=%u more=%" PRIu64,
               strerror(error), uid, dropped);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct tk_connection *c = arg;
    ssize_t n;

    (void)fd;
    (void)what;
    n = receive(c);
    if (n == -EAGAIN || n == -EWOULDBLOCK)
        return;
    if (n < 0) {
        log_lost((int)-n, c->uid);
        tk_connection_free(c);
        return;
    }
    c->read_at = c->active = tk_now();
    tk_count(&c->loop->counters, bytes_in, n);
    serve(c, c->read_at);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct tk_connection *c = arg;
    bool was_blocked = c->state == STATE_BLOCKED;

    (void)fd;
    (void)what;
    if (tk_output_flush(&c->out, &c->loop->stage, c->fd) < 0)
        tk_connection_free(c);
    else if (was_blocked && !tk_output_blocked(&c->out))
        serve(c, tk_now());
    else
        settle(c, tk_now());
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct tk_connection *c = arg;
    int64_t now = tk_now();
    struct tk_pace_sample sample = sample_of(c, now);
    struct deadline d;

    (void)fd;
    (void)what;
    c->timer_at = TK_NEVER;
    (void)tk_pace_too_slow(&c->pace, &sample, limits_of(c)->frame_timeout); /* else a new span */
    d = deadline_of(c);
    if (d.at > now) {
        arm(c);
    } else if (d.limit == TK_LIMIT_COUNT) {
        end_input(c);
    } else {
        tk_limit_hit(&c->loop->counters, d.limit, now, c->uid);
        tk_connection_free(c);
    }
}

void tk_connection_resume(struct tk_connection *c)
{
    set_yielded(c, false);
    serve(c, tk_now());
}

void tk_connection_drain(struct tk_connection *c)
{
    c->owed = c->in.left;
    settle(c, tk_now());
}

void tk_connection_new_settings(struct tk_connection *c)
{
    if (!c->loop->control && !tk_peers_allowed(c->loop->settings, c->fd, c->uid, c->gid))
        tk_connection_free(c);
    else
        arm(c);
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
    if (!c || !c->share) {
        tk_session_free(c ? c->session : NULL);
        free(c);
        (void)close(peer->fd);
        tk_peers_remove(loop->peers, peer->uid);
        return -ENOMEM;
    }
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
    settle(c, tk_now());
    return 0;
}

void tk_connection_free(struct tk_connection *c)
{
    struct tk_loop *loop = c->loop;

    set_yielded(c, false);
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
