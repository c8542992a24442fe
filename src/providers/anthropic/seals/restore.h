/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restoring a message: its content becomes what its seals say (OPERATIONS.md C.3). Blocks that are
 * there are moved, those that aren't come from the seal, the rest goes.
 *
 * What other rules do to a restored message may undo it: an orphan call that is put back is dropped
 * again. Then the message is as it was, and the report doesn't speak of it.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_RESTORE_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_RESTORE_H

#include "providers/anthropic/seals/seals.h"
#include "rules/edit/edit.h"

/* A block of the message to be. */
struct tk_wanted {
    uint32_t part;       /* that is there; TK_NONE: it comes from the seal */
    struct tk_val block; /* in the request document */
};

/* A message as it was. */
struct tk_restored {
    struct tk_restored *next;
    uint32_t message, count, first_edit;
    uint32_t flags; /* of the message */
    bool settled;   /* it was taken back, or a cache marker went to another message */
    struct tk_before {
        uint32_t part;
        uint32_t flags;
        struct tk_val val;
        struct tk_digest digest;
    } parts[];
};

/* Returns 0 or -ENOMEM; *list gets what the message was. newest: it is of the newest turn. */
int tk_edit_restore(struct tk_edits *e, struct tk_seals *s, uint32_t message, uint16_t code,
                    const struct tk_wanted *wanted, uint32_t count, bool newest,
                    struct tk_restored **list);

/* Takes back what was undone. Returns 0 or -ENOMEM; *ret_any: findings are stale. */
int tk_restores_settle(struct tk_edits *e, struct tk_seals *s, struct tk_restored *list,
                       bool *ret_any);

#endif
