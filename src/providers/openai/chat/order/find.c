/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/openai/chat/state.h"

/* Finds the messages that, with the one before them, have a fault. */
static int find(struct tk_judge *j, uint16_t code, enum tk_severity severity,
                bool (*is_bad)(const struct tk_transcript *t, uint32_t prev, uint32_t message))
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        uint32_t prev = t->messages[m].prev;

        if (prev != TK_NONE && is_bad(t, prev, m))
            r = tk_find(&j->findings, t, code, severity, tk_site_of(m, TK_NONE));
    }
    return r;
}

static bool is_late_system(const struct tk_transcript *t, uint32_t prev, uint32_t message)
{
    (void)prev;
    return t->messages[message].role == TK_ROLE_SYSTEM &&
           !(t->messages[message].flags & TK_MESSAGE_VARIANT);
}

int tk_chat_find_late_system(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_COPY) || !tk_chat_saw(j, TK_SEEN_SYSTEM))
        return 0;
    return find(j, TK_CODE_CHAT_SYSTEM_NOT_FIRST,
                tk_chat_is(j, TK_OPENAI_QWEN) ? TK_ERROR : TK_WARNING, is_late_system);
}

bool tk_chat_is_same_role(const struct tk_transcript *t, uint32_t first, uint32_t second)
{
    const struct tk_message *a = &t->messages[first], *b = &t->messages[second];

    if (tk_is_chat_user(a) && tk_is_chat_user(b))
        return true;
    return tk_is_assistant(a) && tk_is_assistant(b) && !tk_has_calls(t, a);
}

int tk_chat_find_same_roles(struct tk_judge *j)
{
    if (!(tk_chat(j)->facts & (TK_OPENAI_MISTRAL | TK_OPENAI_GEMMA)))
        return 0;
    return find(j, TK_CODE_CHAT_ROLES_NOT_ALTERNATING, TK_ERROR, tk_chat_is_same_role);
}

static bool is_user_after_tool(const struct tk_transcript *t, uint32_t prev, uint32_t message)
{
    return tk_is_tool_message(&t->messages[prev]) && tk_is_chat_user(&t->messages[message]);
}

int tk_chat_find_user_after_tool(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_MISTRAL) || !tk_chat_saw(j, TK_SEEN_TOOL))
        return 0;
    return find(j, TK_CODE_CHAT_USER_AFTER_TOOL,
                tk_chat_is(j, TK_OPENAI_TAKES_USER_AFTER_TOOL) ? TK_WARNING : TK_ERROR,
                is_user_after_tool);
}

int tk_chat_find_last_assistant(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    const struct tk_message *m;

    if (!tk_chat_is(j, TK_OPENAI_MISTRAL) || t->last_message == TK_NONE)
        return 0;
    m = &t->messages[t->last_message];
    if (!tk_is_assistant(m) || tk_has_calls(t, m) ||
        tk_is(tk_get((struct tk_val){m->doc, m->node}, TK_STR("prefix")), TK_TRUE))
        return 0;
    return tk_find_message(&j->findings, j->t, TK_CODE_CHAT_LAST_ROLE_ASSISTANT, t->last_message);
}
