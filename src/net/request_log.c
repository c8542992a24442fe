/* SPDX-License-Identifier: Apache-2.0 */
#include "net/request_log.h"

#include <inttypes.h>
#include <stdio.h>

#include "net/clock.h"
#include "net/log.h"

/* A line has 1024 bytes: entries that don't fit are counted as "more". */
#define COUNTS_SIZE 384
#define MORE_SIZE   sizeof(",more:4294967295")

/* Writes NAME:COUNT,NAME:COUNT, or - if all counts are 0. */
static void put_counts(char *to, const uint32_t *counts, size_t n, const char *(*name)(size_t i))
{
    size_t at = 0;
    unsigned more = 0;

    for (size_t i = 0; counts && i < n; i++) {
        char one[128];
        int size;

        if (counts[i] == 0)
            continue;
        size = snprintf(one, sizeof(one), "%s%s:%u", at > 0 ? "," : "", name(i), counts[i]);
        if (more == 0 && size > 0 && at + (size_t)size + MORE_SIZE < COUNTS_SIZE)
            at += (size_t)snprintf(to + at, COUNTS_SIZE - at, "%s", one);
        else
            more++;
    }
    if (more > 0)
        at += (size_t)snprintf(to + at, COUNTS_SIZE - at, ",more:%u", more);
    if (at == 0)
        (void)snprintf(to, COUNTS_SIZE, "-");
}

void tk_request_log(const struct tk_request_facts *facts, const tk_reply *reply)
{
    tk_reply_info info = tk_reply_get_info(reply);
    struct tk_tally tally = tk_reply_get_tally(reply);
    char codes[COUNTS_SIZE], actions[COUNTS_SIZE];

    if (!tk_log_wanted(TK_LOG_DEBUG))
        return;
    put_counts(codes, tally.violations, tk_code_count(), tk_code_name);
    put_counts(actions, tally.edits, tk_action_count(), tk_action_name);
    tk_log(TK_LOG_DEBUG, "request",
           "connection=%" PRIu64 " uid=%u method=%s outcome=%s us=%" PRId64
           " bytes_in=%zu bytes_out=%zu codes=%s actions=%s",
           facts->connection, facts->uid, info.method ? info.method : "-",
           info.error ? info.error : "ok", facts->took / TK_MICROSECOND, facts->size,
           tk_reply_size(reply), codes, actions);
}
