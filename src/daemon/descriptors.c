/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "net/log.h"

/* Descriptors besides the main socket's connections: 64 of the control socket, standard streams,
 * listeners; and three for each worker. */
#define OTHERS     (64 + 32)
#define PER_WORKER 3

int tk_descriptors_open_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return -1;
    }
    return 0;
}

void tk_descriptors_fit(struct tk_settings *settings)
{
    int64_t workers = settings->workers > 0 ? settings->workers : 4;
    int64_t need = settings->limits.max_connections + OTHERS + PER_WORKER * workers;
    struct rlimit limit;
    int64_t room;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
        (void)getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur == RLIM_INFINITY || (int64_t)limit.rlim_cur >= need)
        return;
    room = (int64_t)limit.rlim_cur - (need - settings->limits.max_connections);
    if (room < 1)
        room = 1;
    tk_log(TK_LOG_WARNING, "descriptors", "limit=%lld max_connections=%lld lowered_to=%lld",
           (long long)limit.rlim_cur, (long long)settings->limits.max_connections, (long long)room);
    settings->limits.max_connections = room;
}
