/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "net/clock.h"

static void send_to(const char *name, const char *text, size_t n)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    int fd;

    if (length >= sizeof(address.sun_path))
        return;
    memcpy(address.sun_path, name, length);
    if (name[0] == '@') /* an abstract name */
        address.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, text, n, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    (void)close(fd);
}

void tk_notify(const char *format, ...)
{
    const char *name = getenv("NOTIFY_SOCKET");
    char text[1024];
    va_list args;
    int n;

    if (!name || (name[0] != '@' && name[0] != '/'))
        return;
    va_start(args, format);
    n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (n > 0)
        send_to(name, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

int64_t tk_notify_watchdog(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    long long n;

    if (!usec || (pid && strtoll(pid, NULL, 10) != (long long)getpid()))
        return 0;
    n = strtoll(usec, NULL, 10);
    return n > 0 && n < INT64_MAX / TK_MICROSECOND ? n * TK_MICROSECOND : 0;
}
