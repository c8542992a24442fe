/* SPDX-License-Identifier: Apache-2.0 */
#include "net/request_log.h"

#include <inttypes.h>
#include <stdio.h>

#include "net/clock.h"
#include "net/log.h"

/* A line has 2048 bytes: entries that don't fit are counted as "more". */
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

static bool any(const uint32_t *counts, size_t n)
{
    for (size_t i = 0; counts && i < n; i++)
        if (counts[i] > 0)
            return true;
    return false;
}

static enum tk_log_level level_of(const struct tk_request_facts *facts, const tk_reply_info *info,
                                  const struct tk_tally *tally)
{
    bool changed = any(tally->edits, tk_action_count()) ||
                   (tally->outcome == TK_OUTCOME_UNSAFE && info->error);

    if (facts->logged == TK_LOG_REPAIRS_ALL || (facts->logged == TK_LOG_REPAIRS_CHANGED && changed))
        return TK_LOG_INFO;
    return TK_LOG_DEBUG;
}

void tk_request_log(const struct tk_request_facts *facts, const tk_reply *reply)
{
    const tk_reply_info *info = tk_reply_get_info(reply);
    struct tk_tally tally = tk_reply_get_tally(reply);
    enum tk_log_level level = level_of(facts, info, &tally);
    const char *caller = tk_reply_get_caller(reply);
    char codes[COUNTS_SIZE], repaired[COUNTS_SIZE], actions[COUNTS_SIZE];

    if (!tk_log_wanted(level))
        return;
    put_counts(codes, tally.violations, tk_code_count(), tk_code_name);
    put_counts(repaired, tally.repaired, tk_code_count(), tk_code_name);
    put_counts(actions, tally.edits, tk_action_count(), tk_action_name);
    tk_log(level, "request",
           "connection=%" PRIu64 " uid=%u caller=%s method=%s outcome=%s history=%s us=%" PRId64
           " bytes_in=%zu bytes_out=%zu codes=%s repaired=%s actions=%s",
           facts->connection, facts->uid, *caller ? caller : "-", info->method ? info->method : "-",
           info->error ? info->error : "ok",
           tally.outcome == TK_OUTCOME_NONE ? "-" : tk_outcome_name(tally.outcome),
           facts->took / TK_MICROSECOND, facts->size, tk_reply_size(reply), codes, repaired,
           actions);
}
