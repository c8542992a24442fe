/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One log line per request at level `debug`: its outcome, never its content.
 *
 *     event=request connection=7 uid=1000 method=repair outcome=ok us=212 bytes_in=18240 ...
 */
#ifndef TK_NET_REQUEST_LOG_H
#define TK_NET_REQUEST_LOG_H

#include <sys/types.h>

#include "methods/core/host.h"

struct tk_request_facts {
    uint64_t connection; /* its number */
    uid_t uid;
    size_t size;  /* of the request */
    int64_t took; /* from its last byte to its answer, in nanoseconds */
};

/* Writes the line if the log's level is `debug`. */
void tk_request_log(const struct tk_request_facts *facts, const tk_reply *reply);

#endif
