/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log: one line an event, `event=NAME key=value ...`, to stderr. Never any content of a
 * request: only names, numbers, paths of the configuration and sizes.
 *
 * With the journal behind stderr each line starts with its priority, <6>; elsewhere with the
 * time and the level. A line is one write(), so lines of several threads don't mix.
 */
#ifndef TK_NET_LOG_H
#define TK_NET_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum tk_log_level {
    TK_LOG_ERROR,
    TK_LOG_WARNING,
    TK_LOG_NOTICE,
    TK_LOG_INFO,
    TK_LOG_DEBUG,
    TK_LOG_LEVELS,
};

extern const char *const tk_log_level_names[TK_LOG_LEVELS];

/* Looks where stderr goes (JOURNAL_STREAM). Before threads are started. */
void tk_log_init(void);

/* Lines above this level are dropped. Any thread, any time. */
void tk_log_set_level(enum tk_log_level level);

bool tk_log_wanted(enum tk_log_level level);

/*
 * Writes one line. `format` gives the pairs behind the event's name; a value that may hold spaces
 * is written \"%s\". Control characters become '?'.
 */
void tk_log(enum tk_log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Lets one event through a second and counts the others. The zeroed struct is ready. */
struct tk_log_rate {
    int64_t next;
    uint64_t dropped;
};

/* True when a line may be written now; *ret_dropped events were kept silent since the last one. */
bool tk_log_rate_pass(struct tk_log_rate *rate, int64_t now, uint64_t *ret_dropped);

#endif
