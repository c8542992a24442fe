/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of connections in total and by user. The accepting thread adds connections and their
 * workers remove them, so the table has a lock, taken once for each.
 */
#ifndef TK_NET_PEERS_H
#define TK_NET_PEERS_H

#include <sys/types.h>

#include "net/settings.h"

/* An accepted connection and its user, as the kernel tells. */
struct tk_peer {
    int fd;
    uid_t uid;
    gid_t gid;
    int64_t accepted; /* when: tk_now() */
};

struct tk_peers;

/* Returns NULL if out of memory. */
struct tk_peers *tk_peers_new(void);
void tk_peers_free(struct tk_peers *peers);

enum tk_peers_result {
    TK_PEERS_OK,
    TK_PEERS_FULL,     /* max_total connections exist */
    TK_PEERS_UID_FULL, /* this user has max_of_uid connections */
};

/* Counts a new connection. One of the above, or -ENOMEM; counted only if TK_PEERS_OK. */
int tk_peers_add(struct tk_peers *peers, uid_t uid, int64_t max_total, int64_t max_of_uid);

/* Counts the end of a connection that was added. */
void tk_peers_remove(struct tk_peers *peers, uid_t uid);

int64_t tk_peers_total(struct tk_peers *peers);

/*
 * Returns true for peers that the settings' allow-lists admit. fd: the peer's socket, to ask the
 * kernel for its supplementary groups.
 */
bool tk_peers_allowed(const struct tk_settings *settings, int fd, uid_t uid, gid_t gid);

#endif
