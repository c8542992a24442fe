/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listening sockets in the file system: made here, or passed by a service manager.
 *
 * A socket file outlives its owner, so the start connects to an existing one: if a server answers,
 * the start fails and names it, otherwise the file is stale and replaced. All of that happens
 * under a lock on the directory, so that two servers that start at once can't replace each other.
 */
#ifndef TK_NET_SOCKET_H
#define TK_NET_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

struct tk_socket {
    int fd;
    bool bound; /* bound by this process, which removes the file at the end */
    dev_t device;
    ino_t inode;
    char *path;
};

#define TK_SOCKET_NONE ((struct tk_socket){.fd = -1})

struct tk_socket_options {
    const char *name; /* for the log */
    const char *path;
    mode_t mode;
    const char *group; /* NULL: TK_SOCKET_GROUP if it exists */
    int backlog;
};

#define TK_SOCKET_GROUP "turnkeeper"

/* Returns 0, or -ENOENT after a line in the log if a folder on the way to the socket is missing. */
int tk_socket_check_folder(const char *name, const char *path);

/* Binds and listens. 0, or negative after one line in the log that says why. */
int tk_socket_bind(const struct tk_socket_options *options, struct tk_socket *ret_socket);

/*
 * Takes over a descriptor that already listens at `path`. Returns 0 and *ret_socket,
 * TK_SOCKET_OTHER if it isn't such a descriptor, or negative errno. The descriptor stays the
 * caller's unless 0 is returned.
 */
enum {
    TK_SOCKET_OTHER = 1
};
int tk_socket_adopt(int fd, const char *path, struct tk_socket *ret_socket);

/* Closes the socket; removes the file if it still is this socket's. */
void tk_socket_close(struct tk_socket *s);

/* Removes the file if it still is this socket's; the socket goes on listening. */
void tk_socket_unlink(struct tk_socket *s);

#endif
