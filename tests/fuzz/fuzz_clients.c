/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients of the real server: src/net with its event loop, in this process, at socket pairs. Up to
 * four clients send bytes in pieces, read slowly, end their side or vanish at any byte. Each answer
 * must be, byte for byte, what tk_call() says to the same request; none may be missing or too many.
 *
 * Input: a byte that chooses the limits, then steps. A step is one byte: two bits choose the client,
 * three bits one of `actions`, the rest is its argument; some read more bytes.
 */
#include "expected.h"
#include "must.h"

#include "methods/core/host.h"
#include "net/connection.h"
#include "net/connections.h"
#include "net/log.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CLIENTS 4
/* Small, so that short inputs reach them. */
#define MAX_FRAME     600
#define MAX_INFLIGHT  3000
#define SOCKET_BUFFER 16384
#define NEVER         (24 * 3600 * TK_SECOND)
/* More turns of the loop than any input needs. */
#define TURNS_MAX 20000

/* Requests that a client may send whole or in part; one is no document, one is msgpack. */
static const char *const canned[] = {
    "{\"id\":1,\"method\":\"ping\"}",
    "{\"method\":\"ping\"}",
    "{\"id\":2,\"method\":\"info\"}",
    "{\"id\":3,\"method\":\"stream.open\",\"params\":{\"stream\":\"s\",\"emit\":\"sse\"}}",
    "{\"id\":4,\"method\":\"stream.feed\",\"params\":{\"stream\":\"s\",\"data\":\"event: ping\\ndata: "
    "{\\\"type\\\":\\\"ping\\\"}\\n\\n\"}}",
    "{\"id\":5,\"method\":\"stream.end\",\"params\":{\"stream\":\"s\"}}",
    "{\"id\":6,\"method\":\"repair\",\"params\":{\"return\":\"messages\",\"messages\":[{\"role\":\"user\","
    "\"content\":\"a\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":"
    "\"n\",\"input\":{}}]},{\"role\":\"user\",\"content\":\"b\"}]}}",
    "{\"id\":7,\"method\":\"validate\",\"params\":{\"messages\":[]}}",
    "{\"id\":8,\"method\":\"ping\",\"params\":{\"echo\":",
    "\x82\xa2id\x09\xa6method\xa4ping",
};
#define CANNED (sizeof(canned) / sizeof(canned[0]))

struct bytes {
    uint8_t *p;
    size_t n, room;
};

struct client {
    int fd;     /* -1: there is none */
    bool ended; /* sends no more */
    struct bytes sent, received;
};

struct world {
    const uint8_t *data;
    size_t size, at;
    bool strict; /* no limit may be hit, so all answers are known */
    struct client clients[CLIENTS];
};

/* ---- the server: one for all inputs, as a worker is ---- */

static struct tk_loop loop;
static struct tk_inflight inflight;
static struct tk_settings *settings;
static tk_core *judge; /* answers the same requests without a connection */
static const uint64_t hash_key[2] = {1, 2};

static void start_server(void)
{
    tk_options options = {
        .size = sizeof(options), .max_depth = 16, .max_values = 256, .hash_key = {1, 2}};

    settings = tk_settings_new();
    MUST(settings);
    tk_log_set_level(TK_LOG_ERROR);
    settings->limits.max_depth = 16;
    settings->limits.max_values = 256;
    settings->limits.max_frame = MAX_FRAME;
    settings->limits.max_streams_per_connection = 2;
    /* A busy machine may stop this process for a while, which is no client's fault. */
    settings->limits.handshake_timeout = settings->limits.frame_timeout = NEVER;
    settings->limits.idle_timeout = settings->limits.request_timeout = NEVER;
    MUST(tk_inflight_init(&inflight, INT64_MAX) == 0);
    MUST(tk_loop_init(&loop, &(struct tk_loop_options){.settings = settings,
                                                       .peers = tk_peers_new(),
                                                       .inflight = &inflight,
                                                       .hash_key = hash_key}) == 0);
    MUST(loop.peers);
    tk_connections_init(&loop);
    judge = tk_core_new(&options);
    MUST(judge);
    tk_core_set_answer_limit(judge, (uint64_t)settings->limits.max_answer);
    tk_core_set_stream_limits(judge, 2, (uint64_t)settings->limits.max_stream_buffer);
}

static void turn(void)
{
    MUST(event_base_loop(loop.base, EVLOOP_NONBLOCK) >= 0);
}

/* ---- clients ---- */

static void keep(struct bytes *b, const void *p, size_t n)
{
    if (n == 0)
        return;
    if (b->n + n > b->room) {
        b->room = 2 * (b->n + n);
        b->p = realloc(b->p, b->room);
        MUST(b->p);
    }
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

static void open_client(struct client *c)
{
    static const int small = SOCKET_BUFFER;
    struct tk_peer peer = {.uid = 1, .gid = 1, .accepted = tk_now()};
    int fds[2];

    MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0);
    MUST(fds[0] < 64 && fds[1] < 64); /* descriptors don't pile up */
    (void)setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
    peer.fd = fds[0];
    *c = (struct client){.fd = fds[1]};
    MUST(tk_peers_add(loop.peers, 1, INT64_MAX, INT64_MAX) == TK_PEERS_OK);
    MUST(tk_connection_new(&loop, &peer) == 0);
}

static void close_client(struct client *c)
{
    if (c->fd >= 0)
        (void)close(c->fd);
    free(c->sent.p);
    free(c->received.p);
    *c = (struct client){.fd = -1};
}

/* Sends as much as the socket takes. */
static void send_bytes(struct client *c, const void *p, size_t n)
{
    ssize_t sent = c->ended || n == 0 ? 0 : send(c->fd, p, n, MSG_NOSIGNAL);

    if (sent < 0 && errno != EAGAIN)
        c->ended = true; /* the server has closed: nothing more arrives */
    if (sent > 0)
        keep(&c->sent, p, (size_t)sent);
}

/* Returns false at the end of what the server sends. */
static bool receive(struct client *c, size_t most)
{
    uint8_t to[8192];
    ssize_t n = recv(c->fd, to, most < sizeof(to) ? most : sizeof(to), 0);

    if (n > 0)
        keep(&c->received, to, (size_t)n);
    return n > 0 || (n < 0 && errno == EAGAIN);
}

static void end_input(struct client *c)
{
    if (!c->ended)
        (void)shutdown(c->fd, SHUT_WR);
    c->ended = true;
}

/* ---- steps ---- */

static uint8_t next_byte(struct world *w)
{
    return w->at < w->size ? w->data[w->at++] : 0;
}

static size_t next_bytes(struct world *w, const uint8_t **ret)
{
    size_t n = next_byte(w), left = w->size - w->at;

    n = n < left ? n : left;
    *ret = w->data + w->at;
    w->at += n;
    return n;
}

static bool is_lines(const struct client *c)
{
    return c->sent.n > 0 && c->sent.p[0] == '{';
}

/* Sends the first `cut` bytes of a request with its framing. */
static void send_request(struct client *c, const void *p, size_t n, size_t cut, bool lines)
{
    uint8_t head[TK_FRAME_HEADER];
    struct bytes whole = {NULL, 0, 0};

    if (!lines) {
        (void)tk_framing_length.head(head, n);
        keep(&whole, head, sizeof(head));
    }
    keep(&whole, p, n);
    if (lines)
        keep(&whole, "\n", 1);
    send_bytes(c, whole.p, cut < whole.n ? cut : whole.n);
    free(whole.p);
}

static void do_bytes(struct world *w, struct client *c, unsigned arg)
{
    const uint8_t *p;
    size_t n = next_bytes(w, &p);

    (void)arg;
    send_bytes(c, p, n);
}

static void do_frame(struct world *w, struct client *c, unsigned arg)
{
    const uint8_t *p;
    size_t n = next_bytes(w, &p);

    (void)arg;
    send_request(c, p, n, SIZE_MAX, is_lines(c));
}

/* arg 1 begins with lines, if it is the first request; arg 2 and up: so many requests. */
static void do_canned(struct world *w, struct client *c, unsigned arg)
{
    const char *text = canned[next_byte(w) % CANNED];
    bool lines = c->sent.n > 0 ? is_lines(c) : arg == 1 && text[0] == '{';

    for (unsigned i = 0; i < (arg > 1 ? arg : 1); i++)
        send_request(c, text, strlen(text), SIZE_MAX, lines);
}

static void do_part(struct world *w, struct client *c, unsigned arg)
{
    const char *text = canned[next_byte(w) % CANNED];

    send_request(c, text, strlen(text), 64 * (arg % 4) + next_byte(w) % 64, is_lines(c));
}

static void do_read(struct world *w, struct client *c, unsigned arg)
{
    (void)w;
    (void)receive(c, (size_t)1 << (2 * arg));
}

static void do_turn(struct world *w, struct client *c, unsigned arg)
{
    (void)w;
    (void)c;
    for (unsigned i = 0; i <= arg; i++)
        turn();
}

static void do_end(struct world *w, struct client *c, unsigned arg)
{
    (void)w;
    end_input(c);
    if (arg >= 4) {
        close_client(c);
        turn();
    }
}

static void do_settings(struct world *w, struct client *c, unsigned arg)
{
    (void)w;
    (void)c;
    (void)arg;
    tk_connections_set_settings(&loop, settings);
    tk_connections_mend(&loop);
}

static void (*const actions[8])(struct world *w, struct client *c, unsigned arg) = {
    do_bytes, do_frame, do_canned, do_part, do_read, do_turn, do_end, do_settings,
};

static void step(struct world *w)
{
    uint8_t byte = next_byte(w);
    struct client *c = &w->clients[byte % CLIENTS];

    if (c->fd < 0)
        open_client(c);
    actions[byte >> 2 & 7](w, c, byte >> 5);
}

/* ---- answers ---- */

/* Takes the next answer off what was received: it must be the bytes of `reply`, framed. */
static size_t must_begin_with(const struct client *c, size_t at, const tk_reply *reply, bool lines)
{
    const struct tk_framing *framing = lines ? &tk_framing_line : &tk_framing_length;
    uint8_t head[TK_FRAME_HEADER];
    size_t n, size = tk_reply_size(reply), head_size = framing->head(head, size);
    const struct iovec *iov = tk_reply_iov(reply, &n);

    if (size == 0)
        return at;
    MUST(c->received.n - at >= head_size + size + framing->tail_size);
    MUST(memcmp(c->received.p + at, head, head_size) == 0);
    at += head_size;
    for (size_t i = 0; i < n; at += iov[i++].iov_len)
        MUST(memcmp(c->received.p + at, iov[i].iov_base, iov[i].iov_len) == 0);
    if (framing->tail_size > 0)
        MUST(memcmp(c->received.p + at, framing->tail, framing->tail_size) == 0);
    return at + framing->tail_size;
}

static void check_answers(const struct client *c)
{
    struct expected e = expected_of(c->sent.p, c->sent.n, MAX_FRAME);
    tk_session *session = tk_session_new(judge);
    struct tk_frame frame;
    size_t at = 0;

    MUST(session);
    while ((frame = expect(&e)).kind != TK_FRAME_MORE) {
        tk_call_options options = {.size = sizeof(options),
                                   .flags = e.lines ? TK_CALL_JSON_ONLY : 0};
        tk_reply *reply;

        if (frame.kind == TK_FRAME_TOO_LARGE)
            MUST(tk_refuse(judge, TK_ERR_FRAME_TOO_LARGE, MAX_FRAME, 0, &reply) == 0);
        else
            MUST(tk_call(judge, session,
                         frame.kind == TK_FRAME_EMPTY ? (const uint8_t *)"" : frame.bytes,
                         frame.size, &options, &reply) == 0);
        at = must_begin_with(c, at, reply, e.lines);
        tk_reply_free(reply);
    }
    MUST(at == c->received.n);
    tk_session_free(session);
}

/* Where limits may refuse requests: whole answers, and no more than there were requests. */
static void check_frames(const struct client *c)
{
    struct expected e = expected_of(c->sent.p, c->sent.n, MAX_FRAME);
    struct expected answers = expected_of(c->received.p, c->received.n, SIZE_MAX >> 1);
    size_t asked = 1, answered = 0; /* one more: half a request may have been refused */

    answers.lines = e.lines;
    while (expect(&e).kind != TK_FRAME_MORE)
        asked++;
    while (expect(&answers).kind != TK_FRAME_MORE)
        answered++;
    MUST(answered <= asked && answers.at == c->received.n);
}

/* Ends a client's side and reads all that comes: then the server must have closed the connection. */
static void finish(const struct world *w, struct client *c)
{
    int turns = 0;

    end_input(c);
    do {
        turn();
        MUST(++turns < TURNS_MAX); /* it hangs */
    } while (receive(c, SIZE_MAX));
    if (w->strict)
        check_answers(c);
    else
        check_frames(c);
}

static void check_nothing_is_left(void)
{
    int turns = 0;

    while (!TAILQ_EMPTY(&loop.all)) {
        turn();
        MUST(++turns < TURNS_MAX);
    }
    MUST(loop.turns.waiting == 0);
    MUST(tk_inflight_get(&inflight) == 0 && tk_inflight_streams(&inflight) == 0);
    MUST(tk_peers_total(loop.peers) == 0 && loop.scratch.lent == 0 && loop.stage.size == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w = {.data = data, .size = size};

    if (!loop.base)
        start_server();
    w.strict = (next_byte(&w) & 1) == 0;
    settings->limits.max_inflight_bytes = w.strict ? INT64_MAX >> 1 : MAX_INFLIGHT;
    settings->limits.max_inflight_bytes_per_uid = settings->limits.max_inflight_bytes;
    for (size_t i = 0; i < CLIENTS; i++)
        w.clients[i].fd = -1;
    while (w.at < w.size)
        step(&w);
    for (size_t i = 0; i < CLIENTS; i++) {
        if (w.clients[i].fd >= 0)
            finish(&w, &w.clients[i]);
        close_client(&w.clients[i]);
    }
    check_nothing_is_left();
    return 0;
}
