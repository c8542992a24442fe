/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Client pairs (CATALOGUE 3.2). A tool that the client runs is called in the assistant's turn, and
 * the result goes back in the user's turn right behind it, in front of everything else:
 *
 *     assistant: read_file(...) toolu_1, list(...) toolu_2
 *     user:      result of toolu_1, result of toolu_2, "and be quick"
 *
 * The provider refuses a call that nobody answered, a result that answers nothing, a result behind
 * a text, an id that is used twice. A result that is misplaced (wrong role, another turn between)
 * CLAIMS the newest unanswered call of its id, so that one mistake gives one finding. Results of
 * one id answer the calls of one id in one turn by position.
 */
#ifndef TK_RULES_PAIRS_CLIENT_H
#define TK_RULES_PAIRS_CLIENT_H

#include "history/history.h"

/* The codes of the faults of a client's calls and results. */
struct tk_client_rules {
    uint16_t unanswered;      /* a call has no result */
    uint16_t not_first;       /* a result comes after other parts of its message */
    uint16_t not_adjacent;    /* a result isn't in the turn after its call's */
    uint16_t without_call;    /* a result has no call */
    uint16_t duplicate;       /* a second result of one call */
    uint16_t id_duplicate;    /* a call has an id that another one had */
    uint16_t call_elsewhere;  /* a call isn't in an assistant message */
    uint16_t result_inside;   /* a result is in an assistant message */
    uint16_t for_server_tool; /* a client's result of a provider-executed call */
};

/* What is known of a client's call or result, by part. */
struct tk_client_link {
    uint32_t partner; /* call: what answers or claims it; result: what it answers or claims */
    uint32_t same;    /* call: the one before it that has its id */
    uint32_t older;   /* call: while unanswered, the unanswered one before it that has its id */
    uint32_t at;      /* how many calls and results stand in front */
    uint32_t named;   /* result: the first call of its id, if that stands in front; else TK_NONE */
    uint32_t id;      /* its place in tk_client_pairs.ids */
};

/* What is known of an id. */
struct tk_client_id {
    uint32_t first_at;    /* where it first stands: tk_client_link.at */
    uint32_t first_call;  /* of any executor, the first */
    uint32_t server_turn; /* turn of the first provider-executed call, TK_NONE */
    uint32_t turn;        /* of the newest client call */
    uint32_t next;        /* of that turn's calls the first that nothing answers yet, TK_NONE */
    uint32_t newest;      /* client call, TK_NONE */
    uint32_t unanswered;  /* the newest unanswered client call, TK_NONE */
    uint32_t kept_call;   /* the client call that keeps the id where several have it */
    uint32_t kept_turn;
    uint32_t suffix; /* the last number that was tried for a new id */
    bool answered;   /* a call of `turn` is */
    bool repeated;
};

struct tk_client_pairs {
    struct tk_client_link *links; /* by part; NULL: there is no client call or result */
    uint32_t link_count, link_capacity;
    struct tk_map index; /* an id's place in `ids` */
    struct tk_map asked; /* ai-sdk: ids of calls whose approval was asked for in asked_turn */
    uint32_t asked_turn; /* only messages of role `tool` come after it; TK_NONE */
    struct tk_client_id *ids;
    uint32_t id_count, id_capacity;
};

struct tk_judge;

/* A check: judges all calls and results of the client. */
int tk_client_judge(struct tk_judge *j);

/* The call that a client result answers, or claims; the result that does so with a call. TK_NONE:
 * none, or the part came with an edit since. */
uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part);

/* The same, for results. */
static inline uint32_t tk_client_call_of(const struct tk_judge *j, uint32_t result)
{
    return tk_client_partner(j, result);
}

/* What to call the tool of a part, as things stand now; p NULL where nothing says it. */
struct tk_str tk_client_label_now(const struct tk_judge *j, const struct tk_part *p);

/* What is known of an id; NULL: nothing. */
struct tk_client_id *tk_client_id_of(struct tk_judge *j, struct tk_str id);

/* The same, and from now on it is known: it stands behind `at` other calls and results. NULL
 * without memory. The pointer doesn't survive another new id. */
struct tk_client_id *tk_client_note_id(struct tk_judge *j, struct tk_str id, uint32_t at);

#endif
