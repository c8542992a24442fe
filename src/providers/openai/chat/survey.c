/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/survey.h"

#include "providers/openai/chat/state.h"

/* Returns what the content of a message can be blamed for. */
static uint32_t see_content(const struct tk_message *m)
{
    struct tk_val content = tk_chat_content(m);

    if (!tk_exists(content) || tk_is(content, TK_NULL))
        return tk_is_assistant(m) ? 0 : TK_SEEN_NO_CONTENT;
    if (tk_is(content, TK_STRING))
        return 0;
    return tk_is(content, TK_ARRAY) ? TK_SEEN_LIST : TK_SEEN_ODD_CONTENT;
}

/* Returns what the parts of a content can be blamed for. */
static uint32_t see_parts(const struct tk_transcript *t, const struct tk_message *m)
{
    for (uint32_t i = m->first; i != TK_NONE && !(t->parts[i].flags & TK_PART_IN_CALLS);
         i = t->parts[i].next)
        if (t->parts[i].block != TK_CHAT_TEXT)
            return TK_SEEN_PART;
    return 0;
}

/* Returns true if one of the elements of a list of calls is null. */
static bool has_hole(const struct tk_transcript *t, const struct tk_message *m)
{
    for (uint32_t i = tk_first_call_or_hole(t, m); i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].block == TK_CHAT_HOLE)
            return true;
    return false;
}

/* Returns true if the message may say nothing: its first part says. */
static bool may_be_empty(const struct tk_transcript *t, const struct tk_message *m)
{
    const struct tk_part *first = m->first == TK_NONE ? NULL : &t->parts[m->first];

    return !first || first->block == TK_CHAT_HOLE ||
           (first->kind == TK_PART_TEXT && !(first->flags & TK_PART_STRING));
}

static uint32_t see_assistant(const struct tk_transcript *t, const struct tk_message *m)
{
    uint32_t hole = has_hole(t, m) ? TK_SEEN_HOLE : 0;

    if (tk_has_calls(t, m))
        return TK_SEEN_CALL | hole;
    return hole | (may_be_empty(t, m) ? TK_SEEN_EMPTY : 0) |
           (m->calls != TK_NO_NODE ? TK_SEEN_EMPTY_CALLS : 0);
}

int tk_chat_survey(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct tk_chat *own = tk_chat(j);
    uint32_t seen = 0;

    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next) {
        const struct tk_message *m = &t->messages[i];

        seen |= see_content(m) | see_parts(t, m);
        seen |= m->noted & 1u << TK_CHAT_M_NAME ? TK_SEEN_NAME : 0;
        seen |= tk_is_assistant(m) ? see_assistant(t, m) : 0;
        seen |= tk_is_tool_message(m) ? TK_SEEN_TOOL : 0;
        seen |= m->role == TK_ROLE_SYSTEM ? TK_SEEN_SYSTEM : 0;
        seen |= m->role == TK_ROLE_OTHER ? TK_SEEN_OTHER_ROLE : 0;
    }
    own->seen = seen;
    own->pairs.known = own->rows.known = false;
    return 0;
}
