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
 * turn before them. A misplaced result (wrong role, or another turn between) claims the
 * newest unanswered call of its id, so that one mistake gives one finding. If several calls of a
 * turn have one id, the results of that id answer them in order.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIND_H

#include "engine/judge.h"
#include "engine/pairs/links.h"

/* The calls of an id. */
struct tk_client_calls {
    uint32_t first; /* the first one, the client's or the provider's; TK_NONE: there is none */
    uint32_t server_turn; /* turn of the first provider-executed one; TK_NONE */
};

struct tk_client_pairs {
    struct tk_pairs pairs;         /* a scope is an assistant turn with the user turn after it */
    struct tk_client_calls *calls; /* by key; keys that no call has may be missing */
    uint32_t call_count, call_capacity;
    struct tk_map asked; /* ai-sdk: ids of the calls of asked_turn that wait for approval */
    uint32_t
        asked_turn; /* assistant turn that is followed only by messages of role `tool`; TK_NONE */
};

/* A check: judges all calls and results of the client. */
int tk_judge_client_pairs(struct tk_judge *j);

/* Returns the result that answers or claims a call, or the call that a result answers or claims;
 * TK_NONE: none, or an edit added the part. */
uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part);

/* Returns the name of a part's tool in the history as it is now; of a client's result that of the first call of
 * its id before it. `.p == NULL`: nothing tells it. */
struct tk_str tk_client_tool(const struct tk_judge *j, const struct tk_part *p);

#endif
