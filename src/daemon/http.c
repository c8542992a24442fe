/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http.h"

#include <errno.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/http_address.h"
#include "daemon/http_pages.h"
#include "net/log.h"

/* A body is never looked at. One up to this size is skipped, so that its request is answered. */
#define BODY_MAX 8192

/*
 * evhttp tells nobody when it closes a connection, and closes one only when nothing came for a
 * while. So each connection has a timer for the whole of a request, however its bytes trickle in,
 * and a reference to its buffers: a look at them now and then shows that evhttp gave them up, which
 * it does by taking away its callbacks.
 */
struct connection {
    struct tk_http *http;
    struct bufferevent *buffers;
    struct event late;
    int requests;
    bool answering; /* its last request isn't answered, or the answer isn't sent */
    TAILQ_ENTRY(connection) link;
};

struct tk_http {
    struct tk_daemon *d;
    struct evhttp *server;
    struct evconnlistener *listener; /* belongs to the server, with its descriptor */
    TAILQ_HEAD(connections, connection) connections; /* by when they began to wait for a head */
    int count;
    bool local_names;         /* the address is loopback: Host must not be another name */
    bool has_memory;          /* connections may be accepted */
    struct connection *fresh; /* the last one, until the server has made a connection of it */
    struct event look;        /* happens when it has, or couldn't */
    struct event room;        /* happens once sockets were polled: accepts the next connection */
    struct event sweep;       /* runs while there are connections */
};

static const struct timeval patience = {TK_HTTP_REQUEST_SECONDS, 0};
static const struct timeval sweep_pause = {0, 20000};

/* ---- connections ---- */

static bool is_given_up(const struct connection *c)
{
    bufferevent_data_cb on_read, on_written;
    bufferevent_event_cb on_event;
    void *arg;

    bufferevent_getcb(c->buffers, &on_read, &on_written, &on_event, &arg);
    return on_event == NULL;
}

/* Ends the socket in both directions and tells the server so, which closes the connection: it may
 * not hear it, if an event couldn't be added. */
static void end(struct connection *c)
{
    if (is_given_up(c))
        return;
    (void)shutdown(bufferevent_getfd(c->buffers), SHUT_RDWR);
    bufferevent_trigger_event(c->buffers, BEV_EVENT_READING | BEV_EVENT_EOF, 0);
}

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    end(arg);
}

static void forget(struct connection *c)
{
    TAILQ_REMOVE(&c->http->connections, c, link);
    (void)event_del(&c->late);
    c->http->count--;
    (void)bufferevent_decref(c->buffers);
    free(c);
}

/*
 * A connection that the server couldn't make is given up at once, and then the server has closed the
 * socket itself. Its number may have a new owner, so the buffers must not close it again.
 */
static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct tk_http *http = arg;
    struct connection *c = http->fresh;

    (void)fd;
    (void)what;
    http->fresh = NULL;
    if (!c || !is_given_up(c))
        return;
    (void)bufferevent_setfd(c->buffers, -1);
    forget(c);
}

/*
 * Closes the connection that has waited longest for the end of its head, or, if none does, for its
 * client to read the answer. newest: the one that needs the room, which the server doesn't know yet.
 */
static void make_room(struct tk_http *http, const struct connection *newest)
{
    struct connection *c, *oldest = NULL;

    TAILQ_FOREACH(c, &http->connections, link)
    {
        if (c != newest && (!oldest || (oldest->answering && !c->answering)))
            oldest = c;
    }
    if (!oldest)
        return;
    end(oldest);
    if (is_given_up(oldest))
        forget(oldest);
}

/* Accepts the next connection. */
static void on_room(evutil_socket_t fd, short what, void *arg)
{
    struct tk_http *http = arg;

    (void)fd;
    (void)what;
    if (http->listener && http->has_memory)
        (void)evconnlistener_enable(http->listener); /* a failure is mended within a second */
}

static void on_sweep(evutil_socket_t fd, short what, void *arg)
{
    struct tk_http *http = arg;
    struct connection *c, *next;

    on_look(fd, what, arg);
    for (c = TAILQ_FIRST(&http->connections); c; c = next) {
        next = TAILQ_NEXT(c, link);
        if (is_given_up(c))
            forget(c);
    }
    if (http->count > 0)
        (void)event_add(&http->sweep, &sweep_pause);
}

/*
 * Returns false, and changes nothing, if there is no memory for the timer. If no other connection
 * fits, the sockets are polled before the next one is accepted: a client that sent its request
 * with the connection has its answer before others can take its place.
 */
static bool track(struct tk_http *http, struct connection *c)
{
    static const struct timeval now = {0, 0};

    c->http = http;
    (void)event_assign(&c->late, http->d->control.base, -1, 0, on_late, c);
    if (event_add(&c->late, &patience) != 0)
        return false;
    bufferevent_incref(c->buffers);
    (void)event_add(&http->sweep, &sweep_pause); /* a failure is mended within a second */
    TAILQ_INSERT_TAIL(&http->connections, c, link);
    http->fresh = c;
    event_active(&http->look, 0, 0); /* after this callback */
    if (++http->count > TK_HTTP_CONNECTIONS)
        make_room(http, c);
    if (http->count >= TK_HTTP_CONNECTIONS) {
        (void)evconnlistener_disable(http->listener);
        (void)event_add(&http->room, &now); /* a failure is mended within a second */
    }
    return true;
}

void tk_http_mend(struct tk_daemon *d, bool has_memory)
{
    struct tk_http *http = d->http;

    if (!http)
        return;
    if (http->count > 0 && !event_pending(&http->sweep, EV_TIMEOUT, NULL))
        (void)event_add(&http->sweep, &sweep_pause);
    http->has_memory = has_memory;
    if (!has_memory)
        (void)evconnlistener_disable(http->listener);
    else
        (void)evconnlistener_enable(http->listener);
}

/* Makes the buffers of a new connection. NULL, without memory: the server makes some of its own,
 * which nobody tracks; their first answer is their last. */
static struct bufferevent *on_accepted(struct event_base *base, void *arg)
{
    struct connection *c;
    struct bufferevent *buffers;

    on_look(-1, 0, arg); /* at the one before */
    c = calloc(1, sizeof(*c));
    if (!c)
        return NULL;
    c->buffers = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    buffers = c->buffers;
    if (!buffers || !track(arg, c))
        free(c);
    return buffers;
}

static struct connection *find(const struct tk_http *http, struct evhttp_request *request)
{
    struct evhttp_connection *connection = evhttp_request_get_connection(request);
    const struct bufferevent *buffers = evhttp_connection_get_bufferevent(connection);
    struct connection *c;

    TAILQ_FOREACH(c, &http->connections, link)
    {
        if (c->buffers == buffers)
            break;
    }
    return c;
}

/* The answer is sent: the connection waits for the next head. */
static void on_answered(struct evhttp_request *request, void *arg)
{
    struct tk_http *http = arg;
    struct connection *c = find(http, request);

    if (!c)
        return;
    c->answering = false;
    TAILQ_REMOVE(&http->connections, c, link);
    TAILQ_INSERT_TAIL(&http->connections, c, link);
}

static void on_request(struct evhttp_request *request, void *arg)
{
    struct tk_http *http = arg;
    struct connection *c = find(http, request);

    if (c) {
        (void)event_add(&c->late, &patience);
        c->answering = true;
        evhttp_request_set_on_complete_cb(request, on_answered, http);
    }
    if (!c || ++c->requests >= TK_HTTP_REQUESTS_PER_CONNECTION)
        (void)evhttp_add_header(evhttp_request_get_output_headers(request), "Connection", "close");
    tk_http_answer(http->d, request, http->local_names);
}

/* ---- the listener ---- */

/*
 * A connection can't be accepted: descriptors or memory have run out. The listening socket stays
 * readable, so trying again at once would take all of a processor's time; tk_http_mend() ends the
 * pause.
 */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
    static struct tk_log_rate rate;
    uint64_t dropped;
    int error = errno;

    (void)arg;
    (void)evconnlistener_disable(listener);
    if (tk_log_rate_pass(&rate, tk_now(), &dropped))
        tk_log(TK_LOG_WARNING, "accept_paused", "socket=http error=\"%s\" more=%llu",
               strerror(error), (unsigned long long)dropped);
}

static int complain(const char *address, const char *what, int error)
{
    tk_log(TK_LOG_ERROR, "http", "address=\"%s\" problem=\"%s\" error=\"%s\"", address, what,
           strerror(error));
    return -error;
}

static int listen_tcp(const char *text, const struct tk_http_address *a)
{
    static const int on = 1;
    int fd = socket(a->tcp.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int error;

    if (fd < 0)
        return complain(text, "no socket", errno);
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (const struct sockaddr *)&a->tcp, a->size) == 0 &&
        listen(fd, TK_HTTP_BACKLOG) == 0)
        return fd;
    error = errno;
    (void)close(fd);
    return complain(text, "can't be bound", error);
}

static int listen_unix(struct tk_daemon *d, const char *path)
{
    struct tk_socket_options options = {.name = "http",
                                        .path = path,
                                        .mode = d->settings->socket_mode,
                                        .group = d->settings->socket_group,
                                        .backlog = TK_HTTP_BACKLOG};

    return tk_socket_bind(&options, &d->http_socket);
}

/* Opens the listener that the settings name, unless one was passed. 0, or negative after a line in
 * the log. */
static int open_listener(struct tk_daemon *d)
{
    const char *text = d->settings->http;
    struct tk_http_address address;

    if (d->http_socket.fd >= 0)
        return 0;
    if (!tk_http_address_read(text, &address))
        return complain(text, "not an address", EINVAL);
    if (address.path)
        return listen_unix(d, address.path);
    d->http_socket.fd = listen_tcp(text, &address);
    return d->http_socket.fd < 0 ? d->http_socket.fd : 0;
}

static int make_server(struct tk_http *http)
{
    (void)event_assign(&http->sweep, http->d->control.base, -1, 0, on_sweep, http);
    (void)event_assign(&http->room, http->d->control.base, -1, 0, on_room, http);
    (void)event_assign(&http->look, http->d->control.base, -1, 0, on_look, http);
    http->server = evhttp_new(http->d->control.base);
    if (!http->server)
        return complain("-", "no server", ENOMEM);
    evhttp_set_max_headers_size(http->server, TK_HTTP_HEAD);
    evhttp_set_max_body_size(http->server, BODY_MAX);
    evhttp_set_timeout(http->server, TK_HTTP_REQUEST_SECONDS);
    evhttp_set_allowed_methods(http->server, UINT16_MAX); /* the pages answer 405 */
    evhttp_set_bevcb(http->server, on_accepted, http);
    evhttp_set_gencb(http->server, on_request, http);
    return 0;
}

static int serve(struct tk_http *http)
{
    struct tk_socket *s = &http->d->http_socket;
    char shown[TK_HTTP_ADDRESS_MAX];
    struct evhttp_bound_socket *bound;
    struct tk_http_address address;
    int r = make_server(http);

    if (r == 0)
        r = open_listener(http->d);
    if (r < 0)
        return r;
    tk_http_address_of(s->fd, shown);
    http->local_names = !http->d->settings->http_public && tk_http_address_read(shown, &address) &&
                        address.loopback;
    bound = evhttp_accept_socket_with_handle(http->server, s->fd);
    if (!bound)
        return complain(shown, "no listener", ENOMEM);
    s->fd = -1; /* the server closes it */
    http->listener = evhttp_bound_socket_get_listener(bound);
    evconnlistener_set_error_cb(http->listener, on_accept_error);
    if (evconnlistener_enable(http->listener) != 0) /* evhttp doesn't look */
        return complain(shown, "no listener", ENOMEM);
    tk_log(TK_LOG_NOTICE, "http", "address=\"%s\"", s->path ? s->path : shown);
    return 0;
}

int tk_http_start(struct tk_daemon *d)
{
    int r;

    if (d->http_socket.fd < 0 && !d->settings->http)
        return 0;
    d->http = calloc(1, sizeof(*d->http));
    if (!d->http)
        return complain("-", "no server", ENOMEM);
    d->http->d = d;
    d->http->has_memory = true;
    TAILQ_INIT(&d->http->connections);
    r = serve(d->http);
    if (r < 0)
        tk_http_done(d);
    return r;
}

void tk_http_done(struct tk_daemon *d)
{
    struct tk_http *http = d->http;

    if (!http)
        return;
    http->listener = NULL; /* the server frees it */
    if (http->server)
        evhttp_free(http->server);
    while (!TAILQ_EMPTY(&http->connections))
        forget(TAILQ_FIRST(&http->connections));
    (void)event_del(&http->sweep);
    (void)event_del(&http->look);
    (void)event_del(&http->room);
    free(http);
    d->http = NULL;
}
