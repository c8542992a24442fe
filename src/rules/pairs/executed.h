/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Provider-executed pairs (RULES.md section 2).
 *
 * When the provider runs a tool, its call and its result are both parts of the assistant's turn,
 * and the provider wants them back together: a call without a result, a result without a call,
 * or an id that is used twice, and the request is refused. Parts of one id in one turn are a
 * GROUP; what a group holds decides which rule it breaks, if any.
 *
 * A call may be IN FLIGHT: the provider paused its turn (stop reason pause_turn), or it waits for
 * results of the client's tools first. Then the result comes in a later turn:
 *
 *     assistant: search(...) srvtoolu_1, read_file(...) toolu_1
 *     user:      result of toolu_1
 *     assistant: result of srvtoolu_1, text
 *
 * A call stays open as long as only user messages of nothing but client results follow, and
 * assistant messages that bring the result, call the client again, or end the history.
 */
#ifndef TK_RULES_PAIRS_EXECUTED_H
#define TK_RULES_PAIRS_EXECUTED_H

#include "history/history.h"

struct tk_judge;

/* The codes of an id's faults, and the provider's own questions about a pair. */
struct tk_executed_rules {
    uint16_t outside;        /* a part is in a message that isn't the assistant's */
    uint16_t duplicate;      /* an id is used more than once */
    uint16_t without_result; /* a call has no result and isn't in flight */
    uint16_t without_call;   /* a result has no call */
    uint16_t before_call;    /* a result comes before its call */
    /* A call and its result, in order: true if one can't be sent, with the code. call TK_NONE: it
     * is in another document. */
    bool (*fault)(struct tk_judge *j, uint32_t call, uint32_t result, uint16_t *ret_code);
    /* Looks at a sound pair (result TK_NONE: a call in flight). Returns 0 or -ENOMEM. */
    int (*sound)(struct tk_judge *j, uint32_t call, uint32_t result);
    /* Looks at an assistant turn once its groups are judged. Returns 0 or -ENOMEM. */
    int (*turn)(struct tk_judge *j, uint32_t turn);
};

/* Flags of a group. */
enum {
    TK_GROUP_OPEN = 1,    /* its call is in flight here */
    TK_GROUP_CARRIED = 2, /* stands for a call of an earlier turn that isn't in the document */
    TK_GROUP_FLAWED = 4,  /* a rule blames it */
};

struct tk_group {
    struct tk_str id;
    uint32_t turn;           /* TK_NONE: carried in */
    uint32_t first, last;    /* its parts, chained by tk_group_next() */
    uint32_t call, result;   /* the first of each, TK_NONE */
    uint32_t calls, results; /* how many of each */
    uint32_t earlier, later; /* groups of the same id in other turns, TK_NONE */
    uint32_t partner;        /* a call in flight and its result: the other one's group */
    uint32_t open_at;        /* its index in the list of calls in flight, TK_NONE */
    uint32_t outside;        /* a result of this id in the user turn right behind */
    uint8_t flags;
};

/* Of a part: its group, and the next part of that; TK_NONE. */
struct tk_executed_link {
    uint32_t group, next;
};

struct tk_pairing {
    struct tk_executed_link *links; /* by part; parts that an edit made since have none */
    uint32_t link_count, link_capacity;
    struct tk_group *groups;
    uint32_t count, capacity;
    uint32_t *index; /* hash table: an id's newest group, plus one; 0 is free */
    uint32_t index_mask;
    uint32_t *open; /* groups whose calls are in flight at the turn being judged */
    uint32_t open_count;
    struct tk_doc input;          /* scratch: JSON in a string input */
    const struct tk_str *carried; /* ids that came with the request as open */
    uint32_t carried_count;
};

/*
 * Returns the group of a part; NULL where it has none: it is the client's, it is outside an
 * assistant message and no call in the turn before takes it back, or it came with an edit. Nothing
 * else may index `groups` by a part's group.
 */
const struct tk_group *tk_group_of(const struct tk_pairing *pairing, uint32_t part);

/* Returns the group of the other half of a call in flight; NULL where there is none. */
const struct tk_group *tk_partner_of(const struct tk_pairing *pairing,
                                     const struct tk_group *group);

/* The call that a part belongs with, in its group or where the group's call in flight is;
 * TK_NONE when there is none. */
uint32_t tk_call_of(const struct tk_pairing *pairing, uint32_t part);

/* The index of a part's group, and the next part of that group; TK_NONE: there is none. */
static inline uint32_t tk_group_index(const struct tk_pairing *pairing, uint32_t part)
{
    return part < pairing->link_count ? pairing->links[part].group : TK_NONE;
}

static inline uint32_t tk_group_next(const struct tk_pairing *pairing, uint32_t part)
{
    return part < pairing->link_count ? pairing->links[part].next : TK_NONE;
}

/* What to call the tool of a call or result: its own name, its call's, or what the result's type
 * says; p NULL where nothing says it. */
struct tk_str tk_tool_label(const struct tk_transcript *t, const struct tk_pairing *pairing,
                            const struct tk_part *part);

/* A check: judges all provider-executed parts. */
int tk_executed_judge(struct tk_judge *j);

/* The newest group of an id, as far as judging has come; NULL when no part has used it. */
const struct tk_group *tk_group_of_id(const struct tk_judge *j, struct tk_str id);

/* True if the pair of a call or result is in the protected turn, or half of it is. A part without a
 * group: if its message is. */
bool tk_pair_is_protected(const struct tk_judge *j, uint32_t part);

#endif
