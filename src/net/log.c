/* SPDX-License-Identifier: Apache-2.0 */
#include "net/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

#define LINE_MAX 1024

static bool to_journal;
static int max_level = TK_LOG_INFO;

/* ---- where lines go ---- */

static ssize_t put_to_file(const char *line, size_t n);
static ssize_t (*put)(const char *line, size_t n) = put_to_file;
static int log_fd = STDERR_FILENO;
static uint64_t lost; /* lines since the last one that was written; atomic */
static bool torn;     /* the last line was cut off, for example by a full disk; atomic */

/* For what never waits: files, and descriptors that are non-blocking. */
static ssize_t put_to_file(const char *line, size_t n)
{
    return write(log_fd, line, n);
}

static ssize_t put_to_socket(const char *line, size_t n)
{
    return send(log_fd, line, n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* A pipe that takes any byte takes a line. The lock: else another thread may fill it meanwhile. */
static ssize_t put_if_ready(const char *line, size_t n)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct pollfd p = {.fd = log_fd, .events = POLLOUT};
    ssize_t written = -1;

    pthread_mutex_lock(&lock);
    if (poll(&p, 1, 0) > 0)
        written = write(log_fd, line, n);
    pthread_mutex_unlock(&lock);
    return written;
}

/*
 * Pipes and terminals may wait for a reader. They are opened once more, because the flag that forbids
 * it would also hold for other programs that have the same stderr.
 */
static void choose_output(const struct stat *st)
{
    int fd;

    if (S_ISSOCK(st->st_mode))
        put = put_to_socket;
    if (!S_ISFIFO(st->st_mode) && !S_ISCHR(st->st_mode))
        return;
    fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0)
        log_fd = fd;
    else
        put = put_if_ready;
}

/* Writes a line of n bytes, of which the first is a line feed to end a torn one. */
static bool put_line(const char *line, size_t n)
{
    bool end_torn = __atomic_exchange_n(&torn, false, __ATOMIC_RELAXED);
    size_t skip = end_torn ? 0 : 1;
    ssize_t written = put(line + skip, n - skip);

    if (written == (ssize_t)(n - skip))
        return true;
    if (written > 0 || end_torn)
        __atomic_store_n(&torn, true, __ATOMIC_RELAXED);
    return false;
}

/* ---- lines ---- */

void tk_log_init(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat st;

    if (fstat(STDERR_FILENO, &st) != 0)
        return;
    to_journal = stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
                 st.st_dev == device && st.st_ino == inode;
    choose_output(&st);
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

/* Makes a whole line: a line feed, the event and its pairs, a line feed. Returns its size. */
__attribute__((format(printf, 4, 0))) static size_t make_line(char line[LINE_MAX],
                                                              enum tk_log_level level,
                                                              const char *event, const char *format,
                                                              va_list args)
{
    const size_t room = LINE_MAX - 1;
    size_t n = 1;
    int r = put_prefix(line + n, room - n, level, event);

    n += r > 0 ? (size_t)r : 0;
    if (format[0] != '\0' && n + 1 < room) {
        line[n++] = ' ';
        r = vsnprintf(line + n, room - n, format, args);
        n += r > 0 ? (size_t)r : 0;
    }
    if (n >= room)
        n = room - 1;
    for (size_t i = 1; i < n; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = '?';
    }
    line[0] = '\n';
    line[n++] = '\n';
    return n;
}

__attribute__((format(printf, 3, 4))) static bool
write_line(enum tk_log_level level, const char *event, const char *format, ...)
{
    char line[LINE_MAX];
    va_list args;
    size_t n;

    va_start(args, format);
    n = make_line(line, level, event, format, args);
    va_end(args);
    return put_line(line, n);
}

/* Says how many lines were lost, if any were. */
static void tell_lost(void)
{
    uint64_t n = __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);

    if (n > 0 && !write_line(TK_LOG_WARNING, "log_lost", "lines=%" PRIu64, n))
        (void)__atomic_add_fetch(&lost, n, __ATOMIC_RELAXED);
}

void tk_log(enum tk_log_level level, const char *event, const char *format, ...)
{
    char line[LINE_MAX];
    va_list args;
    size_t n;

    if (!tk_log_wanted(level))
        return;
    va_start(args, format);
    n = make_line(line, level, event, format, args);
    va_end(args);
    if (__atomic_load_n(&lost, __ATOMIC_RELAXED) > 0)
        tell_lost();
    if (!put_line(line, n))
        (void)__atomic_add_fetch(&lost, 1, __ATOMIC_RELAXED);
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
