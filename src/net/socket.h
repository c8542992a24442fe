/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listening sockets in the file system: made here, or passed by a service manager.
 *
 * A socket file outlives its owner, so one that exists already is asked: if somebody answers the
 * start fails and names the owner, else the file is stale and replaced. All that happens
 * under a lock on the directory, so that two servers that start at once can't replace each other.
 */
#ifndef TK_NET_SOCKET_H
#define TK_NET_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

struct tk_socket {
    int fd;
    bool bound; /* by us: the file is removed at the end */
    dev_t device;
    ino_t inode;
    char *path;
};

#define TK_SOCKET_NONE ((struct tk_socket){.fd = -1})

struct tk_socket_options {
    const char *name; /* which one it is, for the log */
    const char *path;
    mode_t mode;
    const char *group; /* NULL: TK_SOCKET_GROUP where it exists */
    int backlog;
};

#define TK_SOCKET_GROUP "turnkeeper"

/* 0, or -ENOENT after one line in the log where a folder on the way to the socket is missing. */
int tk_socket_check_folder(const char *name, const char *path);

/* Binds and listens. 0, or negative after one line in the log that says why. */
int tk_socket_bind(const struct tk_socket_options *options, struct tk_socket *ret_socket);

/*
 * Takes over a descriptor that listens already, if it does so at `path`. 0 and *ret_socket, or
 * TK_SOCKET_OTHER where it is another one, or negative. The descriptor stays the caller's
 * unless 0 is returned.
 */
enum {
    TK_SOCKET_OTHER = 1
};
int tk_socket_adopt(int fd, const char *path, struct tk_socket *ret_socket);

/* Closes; removes the file if it is ours still. */
void tk_socket_close(struct tk_socket *s);

/* Removes the file if it is ours still, and goes on listening. */
void tk_socket_unlink(struct tk_socket *s);

#endif
