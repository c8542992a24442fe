/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items that name an approval request by its `id`: its response, and the MCP call that was made after
 * it. When a fix gives the request another id, they name the new one.
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_IDS_APPROVALS_H
#define TK_PROVIDERS_OPENAI_RESPONSES_IDS_APPROVALS_H

#include "engine/plan.h"
#include "value/hash.h"

/* All zero but for the map, which the provider initialises. */
struct tk_approvals {
    struct tk_map named; /* from an `approval_request_id` to the last item that has it */
    uint32_t *before;    /* by item: the one before it with the same; TK_NONE: there is none */
    bool known;          /* the two are filled */
};

/* Writes the new id in the place of the old one into all items that name the request, with a line of
 * the code for each. The first call looks at the whole list, later ones only at these items. Returns 0,
 * -ENOMEM or -ECANCELED. */
int tk_approvals_follow(struct tk_plan *p, struct tk_str old, struct tk_str id, uint16_t code);

#endif
