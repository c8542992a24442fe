/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/activation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/log.h"

#define FIRST_FD 3

/* The passed descriptors, as the environment lists them. */
struct passed {
    int count;
    char *names; /* one for each, with colons between them; NULL: unknown */
};

/* Reads the environment and clears it, so that no child takes it for its own. */
static struct passed passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
    const char *names = getenv("LISTEN_FDNAMES");
    struct passed p = {.count = 0};
    long n = 0;

    if (pid && fds && strtol(pid, NULL, 10) == (long)getpid())
        n = strtol(fds, NULL, 10);
    if (n > 0 && n < 1024) {
        p.count = (int)n;
        p.names = names ? strdup(names) : NULL;
    }
    (void)unsetenv("LISTEN_PID");
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_FDNAMES");
    return p;
}

/* Takes the first name off the list and tells whether it is that of HTTP. */
static bool next_is_http(char **names)
{
    const char *name = strsep(names, ":");

    return name && strcmp(name, TK_ACTIVATION_HTTP) == 0;
}

static int take(int fd, const char *path, struct tk_socket *s)
{
    return s->fd >= 0 ? TK_SOCKET_OTHER : tk_socket_adopt(fd, path, s);
}

static int take_http(int fd, struct tk_socket *s)
{
    int flags = fcntl(fd, F_GETFL), listens = 0;
    socklen_t size = sizeof(listens);

    if (s->fd >= 0 || flags < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
        return TK_SOCKET_OTHER;
    if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return -errno;
    s->fd = fd;
    return 0;
}

static int take_by_path(struct tk_daemon *d, int fd)
{
    int r = take(fd, d->settings->socket, &d->main_socket);

    return r == TK_SOCKET_OTHER ? take(fd, d->settings->control, &d->control_socket) : r;
}

int tk_activation_take(struct tk_daemon *d)
{
    struct passed p = passed();
    char *names = p.names;
    int r = 0;

    for (int fd = FIRST_FD; fd < FIRST_FD + p.count && r == 0; fd++) {
        r = next_is_http(&names) ? take_http(fd, &d->http_socket) : take_by_path(d, fd);
        if (r == 0)
            continue;
        tk_log(TK_LOG_ERROR, "activation",
               "fd=%d problem=\"listens on neither path\" socket=\"%s\" control=\"%s\"", fd,
               d->settings->socket, d->settings->control);
        r = r < 0 ? r : -EINVAL;
    }
    free(p.names);
    return r;
}
