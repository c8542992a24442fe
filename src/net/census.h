/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is connected: connections in all and by user. Connections come in by the accepting thread
 * and leave by their workers, so the table has a lock; it is taken once at either end.
 */
#ifndef TK_NET_CENSUS_H
#define TK_NET_CENSUS_H

#include <stdint.h>
#include <sys/types.h>

struct tk_census;

/* NULL when there is no memory. */
struct tk_census *tk_census_new(void);
void tk_census_free(struct tk_census *census);

enum tk_census_result {
    TK_CENSUS_OK,
    TK_CENSUS_FULL,     /* max_total connections are there */
    TK_CENSUS_UID_FULL, /* max_of_uid connections of this user are there */
};

/* Counts one in. 0, one of the above, or -ENOMEM. */
int tk_census_enter(struct tk_census *census, uid_t uid, int64_t max_total, int64_t max_of_uid);

/* Counts one out that was counted in. */
void tk_census_leave(struct tk_census *census, uid_t uid);

int64_t tk_census_total(struct tk_census *census);

#endif
