/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restores a message: its content becomes what its seals say (OPERATIONS.md C.3). Blocks that are
 * present move to their places, absent ones come from the seal, and the rest goes. The last step;
 * fix.c decides when; see seals.h.
 *
 * Other rules may undo what was restored: an orphan call that was put back is dropped again. Then
 * the message is what it was, and the report doesn't mention it.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_RESTORE_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_RESTORE_H

#include "engine/edit/edit.h"
#include "providers/anthropic/seals/seals.h"

/* A block of the restored message. */
struct tk_wanted {
    uint32_t part;       /* present part; TK_NONE: the block comes from the seal */
    struct tk_val block; /* in the request document */
};

/* A message before it was restored. */
struct tk_restored {
    struct tk_restored *next;
    uint32_t message, count, first_edit;
    uint32_t flags; /* of the message */
    bool settled;   /* taken back already, or one of its cache markers went to another message */
    struct tk_before {
        uint32_t part;
        uint32_t flags;
        struct tk_val val;
        struct tk_digest digest;
    } parts[];
};

/* Restores a message to the wanted blocks, and puts what it was at the head of *list. newest: it is
 * of the newest turn. Returns 0 or -ENOMEM. */
int tk_edit_restore(struct tk_edits *e, struct tk_seals *s, uint32_t message, uint16_t code,
                    const struct tk_wanted *wanted, uint32_t count, bool newest,
                    struct tk_restored **list);

/* Takes back restorations that other rules undid. Returns 0 or -ENOMEM; *ret_any: findings are
 * stale. */
int tk_restores_settle(struct tk_edits *e, struct tk_seals *s, struct tk_restored *list,
                       bool *ret_any);

#endif
