/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include "providers/openai/chat/rules.h"
#include "providers/openai/chat/state.h"

/* A message of role `function` is a result, too: that of a `function_call`, which is no call of the list. */
static enum tk_entry_kind kind(const struct tk_judge *j, uint32_t entry)
{
    const struct tk_message *m = &j->t->messages[entry];

    if (m->role == TK_ROLE_USER && (m->flags & TK_MESSAGE_VARIANT))
        return TK_ENTRY_RESULTS;
    return tk_entry_kind_of(j->t, entry, NULL);
}

static int join(struct tk_judge *j, struct tk_joins *joins)
{
    (void)joins;
    return tk_chat_find_pairs(j);
}

static uint32_t call_of(const struct tk_judge *j, uint32_t entry, uint32_t part)
{
    (void)part;
    return tk_chat_result(j, entry)->partner;
}

static bool is_media(const struct tk_part *p)
{
    return p->block == TK_CHAT_IMAGE_URL || p->block == TK_CHAT_INPUT_AUDIO ||
           p->block == TK_CHAT_FILE;
}

const struct tk_fit_rules tk_chat_fit = {
    .kind = kind,
    .join = join,
    .call_of = call_of,
    .payload = {{"content"}},
    .write_payload = tk_write_text_payload,
    .is_media = is_media,
};
