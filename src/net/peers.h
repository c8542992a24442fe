/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is connected: connections in all and by user. Connections come in by the accepting thread
 * and leave by their workers, so the table has a lock; it is taken once at either end.
 */
#ifndef TK_NET_PEERS_H
#define TK_NET_PEERS_H

#include <sys/types.h>

#include "net/settings.h"

struct tk_peer {
    int fd;
    uid_t uid;
    gid_t gid;
    int64_t accepted; /* when */
};

struct tk_peers;

/* NULL when there is no memory. */
struct tk_peers *tk_peers_new(void);
void tk_peers_free(struct tk_peers *peers);

enum tk_peers_result {
    TK_PEERS_OK,
    TK_PEERS_FULL,     /* max_total connections are there */
    TK_PEERS_UID_FULL, /* max_of_uid connections of this user are there */
};

/* Counts one in. 0, one of the above, or -ENOMEM. */
int tk_peers_add(struct tk_peers *peers, uid_t uid, int64_t max_total, int64_t max_of_uid);

/* Counts one out that was counted in. */
void tk_peers_remove(struct tk_peers *peers, uid_t uid);

int64_t tk_peers_total(struct tk_peers *peers);

/*
 * Returns true for peers that the settings' allow-lists admit. fd: the peer's socket, to ask the
 * kernel for its supplementary groups.
 */
bool tk_peers_allowed(const struct tk_settings *settings, int fd, uid_t uid, gid_t gid);

#endif
