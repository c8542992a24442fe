/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Client pairs (CATALOGUE 3.2). The model calls a tool that the client runs in the assistant's
 * turn. The client sends the result in the user's turn right after it, before everything else:
 *
 *     assistant: read_file(...) toolu_1, list(...) toolu_2
 *     user:      result of toolu_1, result of toolu_2, "and be quick"
 *
 * The provider refuses a call without a result, a result without a call, a result after a text and
 * an id that two calls of a turn have. In two turns it takes the same id, since results answer the
 * turn before them. A misplaced result (wrong role, or another turn between) CLAIMS the
 * newest unanswered call of its id, so that one mistake gives one finding. If several calls of a
 * turn have one id, the results of that id answer them in order.
 */
#ifndef TK_ENGINE_PAIRS_CLIENT_H
#define TK_ENGINE_PAIRS_CLIENT_H

#include "history/history.h"

/* The codes of the faults of a client's calls and results. */
struct tk_client_rules {
    uint16_t unanswered;      /* a call has no result */
    uint16_t not_first;       /* a result comes after other parts of its message */
    uint16_t not_adjacent;    /* a result isn't in the turn after its call's */
    uint16_t without_call;    /* a result has no call */
    uint16_t duplicate;       /* a second result of one call */
    uint16_t id_duplicate;    /* a call has the id of an earlier one */
    uint16_t call_elsewhere;  /* a call isn't in an assistant message */
    uint16_t result_inside;   /* a result is in an assistant message */
    uint16_t for_server_tool; /* a client's result of a provider-executed call */
};

/* State of a client's call or result in judging; by part. */
struct tk_client_link {
    /* call: the result that answers or claims it; result: the call that it answers or claims */
    uint32_t partner;
    uint32_t same;  /* call: the previous call of its id, in its turn or an earlier one */
    uint32_t kept;  /* call: the first call of its id in its turn, which keeps the id */
    uint32_t older; /* call: while unanswered, the previous unanswered call of its id */
    uint32_t at;    /* how many calls and results come before it */
    uint32_t named; /* result: the first call of its id, if that comes before it; else TK_NONE */
    uint32_t id;    /* its index in tk_client_pairs.ids */
};

/* State of an id in judging. */
struct tk_client_id {
    uint32_t first_at;    /* its first occurrence, as tk_client_link.at */
    uint32_t first_call;  /* the first call, the client's or the provider's */
    uint32_t server_turn; /* turn of the first provider-executed call; TK_NONE */
    uint32_t turn;        /* of the newest client call */
    uint32_t next;        /* the first of that turn's calls that has no answer yet; TK_NONE */
    uint32_t newest;      /* the newest client call; TK_NONE */
    uint32_t unanswered;  /* the newest unanswered client call, TK_NONE */
    uint32_t suffix;      /* the last number that was tried in making a new id */
    bool answered;        /* a call of `turn` is answered */
};

struct tk_client_pairs {
    struct tk_client_link *links; /* by part; NULL: the history has no client call or result */
    uint32_t link_count, link_capacity;
    struct tk_map index; /* from an id to its index in `ids` */
    struct tk_map asked; /* ai-sdk: ids of the calls of asked_turn that wait for approval */
    /* assistant turn that is followed only by messages of role `tool`; TK_NONE */
    uint32_t asked_turn;
    struct tk_client_id *ids;
    uint32_t id_count, id_capacity;
};

struct tk_judge;

/* A check: judges all calls and results of the client. */
int tk_client_judge(struct tk_judge *j);

/* Returns the result that answers or claims a call, or the call that a result answers or claims;
 * TK_NONE: none, or an edit added the part. */
uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part);

/* Returns the call that a result answers or claims; TK_NONE: none, or an edit added the result. */
static inline uint32_t tk_client_call_of(const struct tk_judge *j, uint32_t result)
{
    return tk_client_partner(j, result);
}

/* Returns the name of a part's tool in the history as it is now; `.p == NULL`: nothing tells it. */
struct tk_str tk_client_label_now(const struct tk_judge *j, const struct tk_part *p);

/* Returns what is known about an id; NULL: it didn't occur. */
struct tk_client_id *tk_client_id_of(struct tk_judge *j, struct tk_str id);

/* Returns what is known about an id and adds the id if it is new; `at`: its position as in
 * tk_client_link. NULL when out of memory. The next new id invalidates the pointer. */
struct tk_client_id *tk_client_note_id(struct tk_judge *j, struct tk_str id, uint32_t at);

#endif
