/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line a request, for who asked for `debug`: what became of it, never what was in it.
 *
 *     event=request connection=7 uid=1000 method=repair outcome=ok us=212 bytes_in=18240
 * bytes_out=310 codes=empty_text:2 actions=drop:2
 */
#ifndef TK_NET_REQUEST_LOG_H
#define TK_NET_REQUEST_LOG_H

#include <sys/types.h>

#include "methods/core/host.h"

struct tk_request_sight {
    uint64_t connection; /* its number */
    uid_t uid;
    size_t size;  /* of the request */
    int64_t took; /* from its last byte to its answer, in nanoseconds */
};

/* Writes the line where the log's level asks for it. */
void tk_request_log(const struct tk_request_sight *sight, const tk_reply *reply);

#endif
