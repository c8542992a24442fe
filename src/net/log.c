/* SPDX-License-Identifier: Apache-2.0 */
#include "net/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "net/clock.h"

const char *const tk_log_level_names[TK_LOG_LEVELS] = {
    [TK_LOG_ERROR] = "error", [TK_LOG_WARNING] = "warning", [TK_LOG_NOTICE] = "notice",
    [TK_LOG_INFO] = "info",   [TK_LOG_DEBUG] = "debug",
};

/* syslog(3) priorities */
static const int priorities[TK_LOG_LEVELS] = {3, 4, 5, 6, 7};

static bool to_journal;
static int max_level = TK_LOG_INFO;

void tk_log_init(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat st;

    to_journal = stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
                 fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

void tk_log_set_level(enum tk_log_level level)
{
    __atomic_store_n(&max_level, (int)level, __ATOMIC_RELAXED);
}

bool tk_log_wanted(enum tk_log_level level)
{
    return (int)level <= __atomic_load_n(&max_level, __ATOMIC_RELAXED);
}

/* Writes the start of a line: for the journal its priority, else time and level; then the event. */
static int put_prefix(char *line, size_t size, enum tk_log_level level, const char *event)
{
    struct timespec now;
    struct tm tm;
    char date[32];

    if (to_journal)
        return snprintf(line, size, "<%d>event=%s", priorities[level], event);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (!gmtime_r(&now.tv_sec, &tm) || strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
        date[0] = '\0';
    return snprintf(line, size, "time=%s.%03ldZ level=%s event=%s", date, now.tv_nsec / 1000000,
                    tk_log_level_names[level], event);
}

void tk_log(enum tk_log_level level, const char *event, const char *format, ...)
{
    char line[1024];
    const size_t room = sizeof(line) - 1;
    size_t n;
    va_list args;
    int r;

    if (!tk_log_wanted(level))
        return;
    r = put_prefix(line, room, level, event);
    n = r > 0 ? (size_t)r : 0;
    if (format[0] != '\0' && n + 1 < room) {
        line[n++] = ' ';
        va_start(args, format);
        r = vsnprintf(line + n, room - n, format, args);
        va_end(args);
        n += r > 0 ? (size_t)r : 0;
    }
    if (n >= room)
        n = room - 1;
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = '?';
    }
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0)
        return; /* the log itself failed: there is no place to report it */
}

bool tk_log_rate_pass(struct tk_log_rate *rate, int64_t now, uint64_t *ret_dropped)
{
    int64_t next = __atomic_load_n(&rate->next, __ATOMIC_RELAXED);

    if (now < next || !__atomic_compare_exchange_n(&rate->next, &next, now + TK_SECOND, false,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        __atomic_add_fetch(&rate->dropped, 1, __ATOMIC_RELAXED);
        return false;
    }
    *ret_dropped = __atomic_exchange_n(&rate->dropped, 0, __ATOMIC_RELAXED);
    return true;
}
