/* SPDX-License-Identifier: Apache-2.0 */
#include "net/census.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/*
 * Users that have a connection, in no order: a machine has few, and a row lives only as long as
 * its user is connected, so the list never outgrows max_connections.
 */
struct row {
    uid_t uid;
    int64_t count;
};

struct tk_census {
    pthread_mutex_t lock;
    int64_t total;
    struct row *rows;
    size_t used, room;
};

struct tk_census *tk_census_new(void)
{
    struct tk_census *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        free(c);
        return NULL;
    }
    return c;
}

void tk_census_free(struct tk_census *census)
{
    if (!census)
        return;
    pthread_mutex_destroy(&census->lock);
    free(census->rows);
    free(census);
}

static struct row *find(struct tk_census *c, uid_t uid)
{
    for (size_t i = 0; i < c->used; i++) {
        if (c->rows[i].uid == uid)
            return &c->rows[i];
    }
    return NULL;
}

static struct row *find_or_add(struct tk_census *c, uid_t uid)
{
    struct row *row = find(c, uid);

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
    *row = (struct row){.uid = uid};
    return row;
}

static int enter(struct tk_census *c, uid_t uid, int64_t max_total, int64_t max_of_uid)
{
    struct row *row;

    if (c->total >= max_total)
        return TK_CENSUS_FULL;
    row = find_or_add(c, uid);
    if (!row)
        return -ENOMEM;
    if (row->count >= max_of_uid)
        return TK_CENSUS_UID_FULL;
    row->count++;
    c->total++;
    return TK_CENSUS_OK;
}

int tk_census_enter(struct tk_census *census, uid_t uid, int64_t max_total, int64_t max_of_uid)
{
    int r;

    pthread_mutex_lock(&census->lock);
    r = enter(census, uid, max_total, max_of_uid);
    pthread_mutex_unlock(&census->lock);
    return r;
}

void tk_census_leave(struct tk_census *census, uid_t uid)
{
    struct row *row;

    pthread_mutex_lock(&census->lock);
    row = find(census, uid);
    if (row) {
        census->total--;
        if (--row->count == 0)
            *row = census->rows[--census->used];
    }
    pthread_mutex_unlock(&census->lock);
}

int64_t tk_census_total(struct tk_census *census)
{
    int64_t total;

    pthread_mutex_lock(&census->lock);
    total = census->total;
    pthread_mutex_unlock(&census->lock);
    return total;
}
