/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log: one line per event, `event=NAME key=value ...`, on stderr. It never contains any content
 * of a request: only names, numbers, sizes, and paths from the configuration.
 *
 * If stderr is the journal, each line starts with its priority, such as <6>; otherwise with the
 * time and the level. A line is one write(), so lines of several threads don't mix.
 *
 * The log never waits: a line that stderr can't take now (a pipe that nobody reads, a full disk) is
 * lost, and the next one that it takes says how many were, as event=log_lost.
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

/*
 * Finds out what stderr is: the journal (JOURNAL_STREAM), a file, a pipe ... Call it before threads
 * start, with SIGPIPE and SIGXFSZ ignored and the standard descriptors open.
 */
void tk_log_init(void);

/* Sets the level above which lines are dropped. Any thread, any time. */
void tk_log_set_level(enum tk_log_level level);

bool tk_log_wanted(enum tk_log_level level);

/*
 * Writes one line. `format` gives the pairs after the event's name; a value that may contain
 * spaces is written \"%s\". Control characters become '?'.
 */
void tk_log(enum tk_log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Allows one line per second and counts the others. A zeroed struct is ready for use. */
struct tk_log_rate {
    int64_t next;
    uint64_t dropped;
};

/* Returns true if a line may be written now; *ret_dropped lines were dropped since the last one. */
bool tk_log_rate_pass(struct tk_log_rate *rate, int64_t now, uint64_t *ret_dropped);

#endif
