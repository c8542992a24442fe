/* SPDX-License-Identifier: Apache-2.0 */
#include "net/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "net/log.h"

static int complain(const struct tk_socket_options *o, const char *what, int error)
{
    tk_log(TK_LOG_ERROR, "socket", "socket=%s path=\"%s\" problem=\"%s\" error=\"%s\"", o->name,
           o->path, what, strerror(error));
    return -error;
}

/* Finds the topmost missing folder on the way to the file; false if none is missing. */
static bool find_missing_folder(const char *path, char to[PATH_MAX])
{
    struct stat st;
    size_t n = strnlen(path, PATH_MAX - 1);

    for (size_t i = 1; i < n; i++) {
        if (path[i] != '/')
            continue;
        memcpy(to, path, i);
        to[i] = '\0';
        if (stat(to, &st) != 0)
            return errno == ENOENT;
    }
    return false;
}

int tk_socket_check_folder(const char *name, const char *path)
{
    char folder[PATH_MAX];

    if (!find_missing_folder(path, folder))
        return 0;
    tk_log(
        TK_LOG_ERROR, "socket",
        "socket=%s path=\"%s\" problem=\"can't be bound: its folder does not exist\" folder=\"%s\"",
        name, path, folder);
    return -ENOENT;
}

static int address_of(const struct tk_socket_options *o, struct sockaddr_un *ret_address)
{
    size_t n = strlen(o->path);

    if (n >= sizeof(ret_address->sun_path))
        return complain(o, "path is too long", ENAMETOOLONG);
    *ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(ret_address->sun_path, o->path, n + 1);
    return 0;
}

/*
 * Locks the directory and returns the descriptor that holds the lock, or -1 if the directory can't
 * be opened: bind() then fails with a reason, or works without a lock. Anybody could hold the lock
 * for ever, so this waits as long as another server's start may take (1 s), then goes on.
 */
static int lock_directory(const char *path)
{
    char *copy = strdup(path);
    int fd;

    if (!copy)
        return -1;
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    for (int i = 0; fd >= 0 && i < 100 && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
        (void)usleep(10000);
    return fd;
}

/* Logs which process listens there. */
static int complain_about_owner(int fd, const struct tk_socket_options *o)
{
    struct ucred owner = {0};
    socklen_t size = sizeof(owner);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &size) != 0)
        return complain(o, "another server listens there", EADDRINUSE);
    tk_log(TK_LOG_ERROR, "socket",
           "socket=%s path=\"%s\" problem=\"another server listens there\" pid=%d uid=%u", o->name,
           o->path, (int)owner.pid, owner.uid);
    return -EADDRINUSE;
}

/* Returns 0 if no server answers at the path. */
static int check_stale(const struct tk_socket_options *o, const struct sockaddr_un *address)
{
    struct stat st;
    int fd, r = 0;

    if (lstat(o->path, &st) != 0)
        return errno == ENOENT ? 0 : complain(o, "can't be looked at", errno);
    if (!S_ISSOCK(st.st_mode))
        return complain(o, "exists and is not a socket", EEXIST);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return complain(o, "no socket", errno);
    /* EAGAIN: a server listens, and its backlog is full. */
    if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
        r = complain_about_owner(fd, o);
    else if (errno != ECONNREFUSED && errno != ENOENT)
        r = complain(o, "is in use, or can't be asked", errno);
    (void)close(fd);
    return r;
}

/* Sets the socket's group. A configured group must exist; the default one is optional. */
static int give_group(const struct tk_socket_options *o)
{
    const char *group = o->group;
    const struct group *g;

    errno = 0;
    g = getgrnam(group ? group : TK_SOCKET_GROUP);
    if (!g && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
        return complain(o, "its group can't be looked up", errno);
    if (!g)
        return group ? complain(o, "no such group as socket_group", errno ? errno : ENOENT) : 0;
    if (chown(o->path, (uid_t)-1, g->gr_gid) != 0 && group)
        return complain(o, "can't be given to socket_group", errno);
    return 0;
}

static int bind_locked(const struct tk_socket_options *o, const struct sockaddr_un *address,
                       struct tk_socket *s)
{
    struct stat st;
    mode_t mask;
    int r;

    r = check_stale(o, address);
    if (r < 0)
        return r;
    if (unlink(o->path) != 0 && errno != ENOENT)
        return complain(o, "the stale file can't be removed", errno);
    mask = umask(0177); /* no access for others until group and mode are set */
    r = bind(s->fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ? 0 : errno;
    (void)umask(mask);
    if (r != 0)
        return complain(o, "can't be bound", r);
    s->bound = true;
    if (lstat(o->path, &st) != 0)
        return complain(o, "can't be looked at", errno);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    r = give_group(o);
    if (r < 0)
        return r;
    if (chmod(o->path, o->mode) != 0)
        return complain(o, "can't be given its mode", errno);
    if (listen(s->fd, o->backlog) != 0)
        return complain(o, "can't be listened on", errno);
    return 0;
}

int tk_socket_bind(const struct tk_socket_options *options, struct tk_socket *ret_socket)
{
    struct tk_socket s = {.fd = -1};
    struct sockaddr_un address;
    int r, lock;

    r = address_of(options, &address);
    if (r == 0)
        r = tk_socket_check_folder(options->name, options->path);
    if (r < 0)
        return r;
    s.path = strdup(options->path);
    s.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (!s.path || s.fd < 0) {
        r = complain(options, "no socket", s.path ? errno : ENOMEM);
        tk_socket_close(&s);
        return r;
    }
    lock = lock_directory(options->path);
    r = bind_locked(options, &address, &s);
    if (r < 0)
        tk_socket_close(&s);
    else
        *ret_socket = s;
    if (lock >= 0)
        (void)close(lock);
    return r;
}

static int int_option(int fd, int option)
{
    int value = -1;
    socklen_t size = sizeof(value);

    return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

/* Returns true if both paths are equal or name one file. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;

    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int tk_socket_adopt(int fd, const char *path, struct tk_socket *ret_socket)
{
    struct sockaddr_un address = {0};
    char name[sizeof(address.sun_path) + 1] = {0};
    socklen_t size = sizeof(address);
    int flags;

    if (int_option(fd, SO_DOMAIN) != AF_UNIX || int_option(fd, SO_TYPE) != SOCK_STREAM ||
        int_option(fd, SO_ACCEPTCONN) != 1)
        return TK_SOCKET_OTHER;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0 ||
        size <= offsetof(struct sockaddr_un, sun_path))
        return TK_SOCKET_OTHER;
    memcpy(name, address.sun_path, sizeof(address.sun_path));
    if (!same_file(name, path))
        return TK_SOCKET_OTHER;
    flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return -errno;
    *ret_socket = (struct tk_socket){.fd = fd, .path = strdup(path)};
    return ret_socket->path ? 0 : -ENOMEM;
}

void tk_socket_unlink(struct tk_socket *s)
{
    struct stat st;

    if (s->bound && lstat(s->path, &st) == 0 && st.st_dev == s->device && st.st_ino == s->inode)
        (void)unlink(s->path);
    s->bound = false;
}

void tk_socket_close(struct tk_socket *s)
{
    tk_socket_unlink(s);
    if (s->fd >= 0)
        (void)close(s->fd);
    free(s->path);
    *s = TK_SOCKET_NONE;
}
