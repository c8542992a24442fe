/* SPDX-License-Identifier: Apache-2.0 */
/* Ways out of a refusal (PROTOCOL 5.2) that the engine doesn't know: what helps where no edit may delete
 * the `id` of reasoning (PROVIDERS.md 4.4). */
#include "providers/openai/responses/item.h"
#include "providers/openai/responses/provider.h"

static bool keeps_its_id(struct tk_plan *p, const struct tk_finding *f)
{
    return f->site.entry != TK_NONE && tk_id_must_stay(p->j, f->site.entry);
}

#define KEEP_OR_ASK                                                                                \
    "On Azure no edit deletes the id of reasoning: send `store: true` and keep the ids, or ask "   \
    "for ciphertext (`include: [\"reasoning.encrypted_content\"]`) and replay it with the ids."

/* The other codes of 4.4 are about the id or the ciphertext itself, which this advice doesn't mend. */
const struct tk_cause tk_responses_causes[] = {
    {TK_CODE_RESP_ITEM_NOT_PERSISTED, keeps_its_id, TK_STR_INIT(KEEP_OR_ASK)},
    {TK_CODE_RESP_REASONING_WITHOUT_NEXT, keeps_its_id, TK_STR_INIT(KEEP_OR_ASK)},
    {0},
};
