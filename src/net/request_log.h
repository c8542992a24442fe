/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One log line per request: its outcome, never its content.
 *
 *     event=request connection=7 uid=1000 caller=agent-7 method=repair outcome=ok history=repaired
 *     us=212 bytes_in=18240 bytes_out=310 codes=- repaired=tool_use_without_result:1
 *     actions=insert_result:1
 *
 * `codes` are the findings that the answer reports, `repaired` the codes of the edits.
 */
#ifndef TK_NET_REQUEST_LOG_H
#define TK_NET_REQUEST_LOG_H

#include <sys/types.h>

#include "methods/core/host.h"
#include "net/settings.h"

struct tk_request_facts {
    uint64_t connection; /* its number */
    uid_t uid;
    size_t size;                /* of the request */
    int64_t took;               /* from its last byte to its answer, in nanoseconds */
    enum tk_log_repairs logged; /* requests that the log has at level `info` */
};

/* Writes the line at level `info` if the settings ask for it, else at level `debug`. */
void tk_request_log(const struct tk_request_facts *facts, const tk_reply *reply);

#endif
