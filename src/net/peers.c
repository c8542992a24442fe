/* SPDX-License-Identifier: Apache-2.0 */
#include "net/peers.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

/*
 * Users that have a connection, unordered: a machine has few. A row exists only while its user is
 * connected, so the list is never longer than max_connections.
 */
struct user_row {
    uid_t uid;
    int64_t count;
};

struct tk_peers {
    pthread_mutex_t lock;
    int64_t total;
    struct user_row *rows;
    size_t used, room;
};

struct tk_peers *tk_peers_new(void)
{
    struct tk_peers *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        free(c);
        return NULL;
    }
    return c;
}

void tk_peers_free(struct tk_peers *peers)
{
    if (!peers)
        return;
    pthread_mutex_destroy(&peers->lock);
    free(peers->rows);
    free(peers);
}

static struct user_row *find(struct tk_peers *c, uid_t uid)
{
    for (size_t i = 0; i < c->used; i++) {
        if (c->rows[i].uid == uid)
            return &c->rows[i];
    }
    return NULL;
}

static struct user_row *find_or_add(struct tk_peers *c, uid_t uid)
{
    struct user_row *row = find(c, uid);

    if (row)
        return row;
    if (c->used == c->room) {
        size_t room = c->room > 0 ? 2 * c->room : 8;

        row = realloc(c->rows, room * sizeof(*row));
        if (!row)
            return NULL;
        c->rows = row;
        c->room = room;
    }
    row = &c->rows[c->used++];
    *row = (struct user_row){.uid = uid};
    return row;
}

static int add(struct tk_peers *c, uid_t uid, int64_t max_total, int64_t max_of_uid)
{
    struct user_row *row;

    if (c->total >= max_total)
        return TK_PEERS_FULL;
    row = find_or_add(c, uid);
    if (!row)
        return -ENOMEM;
    if (row->count >= max_of_uid)
        return TK_PEERS_UID_FULL;
    row->count++;
    c->total++;
    return TK_PEERS_OK;
}

int tk_peers_add(struct tk_peers *peers, uid_t uid, int64_t max_total, int64_t max_of_uid)
{
    int r;

    pthread_mutex_lock(&peers->lock);
    r = add(peers, uid, max_total, max_of_uid);
    pthread_mutex_unlock(&peers->lock);
    return r;
}

void tk_peers_remove(struct tk_peers *peers, uid_t uid)
{
    struct user_row *row;

    pthread_mutex_lock(&peers->lock);
    row = find(peers, uid);
    if (row) {
        peers->total--;
        if (--row->count == 0)
            *row = peers->rows[--peers->used];
    }
    pthread_mutex_unlock(&peers->lock);
}

int64_t tk_peers_total(struct tk_peers *peers)
{
    int64_t total;

    pthread_mutex_lock(&peers->lock);
    total = peers->total;
    pthread_mutex_unlock(&peers->lock);
    return total;
}

/* Checks the peer's supplementary groups. The first getsockopt() only asks for their size. */
static bool has_allowed_group(const struct tk_id_list *allowed, int fd)
{
    socklen_t size = 0;
    bool found = false;
    gid_t *groups;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) == 0 || errno != ERANGE)
        return false;
    groups = malloc(size);
    if (!groups || getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0)
        size = 0;
    for (size_t i = 0; i < size / sizeof(groups[0]) && !found; i++)
        found = tk_id_list_has(allowed, groups[i]);
    free(groups);
    return found;
}

bool tk_peers_allowed(const struct tk_settings *settings, int fd, uid_t uid, gid_t gid)
{
    if (!settings->allow_uids.set && !settings->allow_gids.set)
        return true;
    return tk_id_list_has(&settings->allow_uids, uid) ||
           tk_id_list_has(&settings->allow_gids, gid) ||
           (settings->allow_gids.set && has_allowed_group(&settings->allow_gids, fd));
}
