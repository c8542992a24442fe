/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP for monitoring: libevent's evhttp on the loop of the control socket, so that it answers
 * whatever the workers do. It serves a table of pages (http_pages.h), reads no body, and keeps
 * strangers small: few connections, short heads, a few seconds for each request. One connection more
 * than the limit closes the one that has waited longest for the end of its head, so slow clients
 * can't keep quick ones out.
 *
 * No byte that comes this way reaches the readers of histories.
 */
#ifndef TK_DAEMON_HTTP_H
#define TK_DAEMON_HTTP_H

#include <stdbool.h>

struct tk_daemon;

/* The limits of DAEMON.md, section 5. They aren't configurable. */
#define TK_HTTP_CONNECTIONS             16
#define TK_HTTP_BACKLOG                 128
#define TK_HTTP_HEAD                    8192 /* bytes of the request's first line and headers */
#define TK_HTTP_REQUEST_SECONDS         5    /* for a request, and between two requests */
#define TK_HTTP_REQUESTS_PER_CONNECTION 100

/*
 * Serves on the socket that a service manager passed (d->http_socket), else on the address of the
 * settings, else not at all. Returns 0, or negative after a line in the log that says why.
 */
int tk_http_start(struct tk_daemon *d);

/*
 * Sets timers and accepts again where that failed before, for want of memory or descriptors. The
 * heartbeat calls it every second. has_memory: false if no connection shall be accepted for now.
 */
void tk_http_mend(struct tk_daemon *d, bool has_memory);

/* Closes the listener and all connections. The daemon closes d->http_socket, which has the file. */
void tk_http_done(struct tk_daemon *d);

#endif
