/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Provider-executed pairs (RULES.md section 2).
 *
 * When the provider runs a tool, its call and its result are both parts of the assistant's turn,
 * and the client must send both back. The provider refuses a call without a result, a result
 * without a call and an id that is used twice. The parts of one id in one turn are a GROUP; its
 * calls and results decide which rule it breaks, if any.
 *
 * A call may be IN FLIGHT: the provider paused its turn (stop reason pause_turn), or it waits for
 * results of the client's tools first. Then the result comes in a later turn:
 *
 *     assistant: search(...) srvtoolu_1, read_file(...) toolu_1
 *     user:      result of toolu_1
 *     assistant: result of srvtoolu_1, text
 *
 * A call stays open while the turns that follow are user turns of only client results, and
 * assistant turns that contain the result, call the client again or end the history.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_GROUPS_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_GROUPS_H

#include "engine/judge.h"

/* Flags of a group. */
enum {
    TK_GROUP_OPEN = 1,    /* its call is in flight at the turn being judged */
    TK_GROUP_CARRIED = 2, /* represents a call of an earlier turn that isn't in the document */
    TK_GROUP_FLAWED = 4,  /* a rule found a fault in it */
};

struct tk_group {
    struct tk_str id;
    uint32_t turn;           /* TK_NONE: the call isn't in the document (TK_GROUP_CARRIED) */
    uint32_t first, last;    /* its parts, linked by tk_group_next() */
    uint32_t call, result;   /* the first of each; TK_NONE: the group has none */
    uint32_t calls, results; /* number of each */
    uint32_t earlier, later; /* groups of the same id in other turns; TK_NONE */
    /* group of the other half: of the result of a call in flight, or of its call */
    uint32_t partner;
    uint32_t open_at; /* its index in the list of calls in flight; TK_NONE: not in flight */
    uint32_t outside; /* a result of this id in the user turn right after; TK_NONE */
    uint8_t flags;
};

/* A part's group and the next part of that group; TK_NONE: none. */
struct tk_executed_link {
    uint32_t group, next;
};

struct tk_pairing {
    struct tk_executed_link *links; /* by part; parts that edits added since have no entry */
    uint32_t link_count, link_capacity;
    struct tk_group *groups;
    uint32_t count, capacity;
    uint32_t *index; /* hash table from an id to its newest group plus one; 0: free */
    uint32_t index_mask;
    uint32_t *open; /* groups whose calls are in flight at the turn being judged */
    uint32_t open_count;
    struct tk_doc input; /* scratch for JSON in a string input */
};

/*
 * Returns the group of a part. NULL if it has none: it is the client's, or it is outside assistant
 * messages and no call in the turn before can take it back, or an edit added it. Use this instead
 * of indexing `groups`.
 */
const struct tk_group *tk_group_of(const struct tk_pairing *pairing, uint32_t part);

/* Returns the group of the other half of a call in flight; NULL: there is none. */
const struct tk_group *tk_partner_of(const struct tk_pairing *pairing,
                                     const struct tk_group *group);

/* Returns the call of a part's pair, in its group or in the one of the call in flight; TK_NONE:
 * there is none. */
uint32_t tk_call_of(const struct tk_pairing *pairing, uint32_t part);

/* Return the index of a part's group, and the next part of that group; TK_NONE: there is none. */
static inline uint32_t tk_group_index(const struct tk_pairing *pairing, uint32_t part)
{
    return part < pairing->link_count ? pairing->links[part].group : TK_NONE;
}

static inline uint32_t tk_group_next(const struct tk_pairing *pairing, uint32_t part)
{
    return part < pairing->link_count ? pairing->links[part].next : TK_NONE;
}

/* Returns the newest group of an id among the turns judged so far; NULL: no part has used it. */
const struct tk_group *tk_group_of_id(const struct tk_judge *j, struct tk_str id);

#endif
