/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/activation.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/log.h"

#define FIRST_FD 3

/* Returns how many descriptors were passed to this process, and clears the environment. */
static int passed(void)
{
    const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
    long n = 0;

    if (pid && fds && strtol(pid, NULL, 10) == (long)getpid())
        n = strtol(fds, NULL, 10);
    (void)unsetenv("LISTEN_PID");
    (void)unsetenv("LISTEN_FDS");
    (void)unsetenv("LISTEN_FDNAMES");
    return n > 0 && n < 1024 ? (int)n : 0;
}

static int take(int fd, const char *path, struct tk_socket *s)
{
    return s->fd >= 0 ? TK_SOCKET_OTHER : tk_socket_adopt(fd, path, s);
}

int tk_activation_take(const char *main_path, const char *control_path,
                       struct tk_socket *main_socket, struct tk_socket *control_socket)
{
    int n = passed();

    for (int fd = FIRST_FD; fd < FIRST_FD + n; fd++) {
        int r = take(fd, main_path, main_socket);

        if (r == TK_SOCKET_OTHER)
            r = take(fd, control_path, control_socket);
        if (r == 0)
            continue;
        tk_log(TK_LOG_ERROR, "activation",
               "fd=%d problem=\"listens on neither path\" socket=\"%s\" control=\"%s\"", fd,
               main_path, control_path);
        return r < 0 ? r : -EINVAL;
    }
    return 0;
}
