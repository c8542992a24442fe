/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of HTTP for monitoring: a table of paths and what they answer. */
#ifndef TK_DAEMON_HTTP_PAGES_H
#define TK_DAEMON_HTTP_PAGES_H

#include <event2/http.h>

#include "daemon/state.h"

/*
 * Answers a request: with a page for GET and HEAD, with 404, or with 405 and `Allow`; with 421 if only
 * local names are served and Host is another (tk_http_host_is_local()). Without memory it answers
 * 503. Every answer says that it isn't to be cached.
 */
void tk_http_answer(struct tk_daemon *d, struct evhttp_request *request, bool local_names);

#endif
