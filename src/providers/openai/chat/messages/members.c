/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/openai/chat/state.h"
#include "shapes/members.h"
#include "value/cut.h"

/* A message whose members are looked at. */
struct member_view {
    struct tk_arena *arena;
    bool is_assistant;
    bool says_nothing; /* without its reasoning it would be dropped as empty */
};

static bool has_call(const struct tk_transcript *t, const struct tk_message *m)
{
    return tk_has_calls(t, m) || tk_exists(tk_chat_member(m, TK_CHAT_M_FUNCTION_CALL));
}

/* Returns true for an assistant's message without calls whose texts are all blank. */
static bool says_nothing(const struct tk_transcript *t, const struct tk_message *m)
{
    if (!tk_is_assistant(m) || has_call(t, m))
        return false;
    for (uint32_t i = m->first; i != TK_NONE && !(t->parts[i].flags & TK_PART_IN_CALLS);
         i = t->parts[i].next)
        if (t->parts[i].kind != TK_PART_TEXT ||
            !tk_text_is_blank(tk_part_val(&t->parts[i], t->parts[i].payload)))
            return false;
    return true;
}

static struct member_view sieve_of(const struct tk_transcript *t, const struct tk_message *m)
{
    return (struct member_view){t->arena, tk_is_assistant(m), says_nothing(t, m)};
}

static bool is_one_of(struct tk_val member, const struct tk_str *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tk_key_is(member, names[i]))
            return true;
    return false;
}

static bool is_known(const struct member_view *s, struct tk_val member)
{
    static const struct tk_str known[] = {
        TK_STR_INIT("role"),       TK_STR_INIT("content"),      TK_STR_INIT("name"),
        TK_STR_INIT("tool_calls"), TK_STR_INIT("tool_call_id"), TK_STR_INIT("function_call")};

    return is_one_of(member, known, sizeof(known) / sizeof(known[0])) ||
           (s->is_assistant && tk_key_is(member, TK_STR("prefix")));
}

/* Returns true for a member that no person wrote as part of the conversation. */
static bool is_left_over(const struct member_view *s, struct tk_val member)
{
    if (is_known(s, member))
        return false;
    switch (tk_member_kind(member, s->arena)) {
    case TK_MEMBER_EMPTY:
    case TK_MEMBER_BOOKKEEPING:
    case TK_MEMBER_WORDS:
        return true;
    case TK_MEMBER_NUMBER:
    case TK_MEMBER_FOREIGN:
        break;
    }
    return tk_key_is(member, TK_STR("status"));
}

static bool goes(const void *arg, struct tk_val member)
{
    static const struct tk_str reasoning[] = {TK_STR_INIT("reasoning"),
                                              TK_STR_INIT("reasoning_content"),
                                              TK_STR_INIT("reasoning_details")};
    const struct member_view *s = arg;

    return is_left_over(s, member) &&
           !(s->says_nothing &&
             is_one_of(member, reasoning, sizeof(reasoning) / sizeof(reasoning[0])));
}

/* ---- the check ---- */

static struct tk_val whole_message(const struct tk_message *m)
{
    return (struct tk_val){m->doc, m->node};
}

/* Returns the first member that the server doesn't know; absent if there is none. *ret_severity: an error
 * if one of them would go. */
static struct tk_val first_unknown(const struct tk_transcript *t, const struct tk_message *m,
                                   enum tk_severity *ret_severity)
{
    const struct member_view sieve = {t->arena, tk_is_assistant(m), false};
    struct tk_val whole = whole_message(m), first = TK_NO_VAL;

    *ret_severity = TK_WARNING;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v)) {
        if (is_known(&sieve, v))
            continue;
        if (!tk_exists(first))
            first = v;
        if (is_left_over(&sieve, v))
            *ret_severity = TK_ERROR;
    }
    return first;
}

int tk_chat_find_unknown_members(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_is(j, TK_OPENAI_STRICT))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_message *message = &t->messages[m];
        enum tk_severity severity;
        struct tk_val unknown = first_unknown(t, message, &severity);
        struct tk_str role;

        if (!tk_exists(unknown))
            continue;
        role = tk_text(tk_get(whole_message(message), TK_STR("role")), t->arena);
        r = tk_find(&j->findings, t, TK_CODE_CHAT_UNKNOWN_MESSAGE_FIELD, severity,
                    tk_site_of(m, TK_NONE));
        if (r == 0)
            r = tk_find_words(&j->findings, t, tk_cut(tk_key(unknown, t->arena), t->arena),
                              role.p ? tk_cut(role, t->arena) : TK_STR(""));
    }
    return r;
}

/* ---- the fix ---- */

struct tk_decision tk_chat_want_known_members(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy)
{
    const struct tk_message *m = &p->j->t->messages[f->site.entry];
    struct member_view sieve = sieve_of(p->j->t, m);
    struct tk_val whole = whole_message(m);

    (void)policy;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (goes(&sieve, v))
            return tk_edit_by(TK_ACTION_REWRITE);
    return tk_no_edit();
}

int tk_chat_fix_unknown_members(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct member_view sieve = sieve_of(p->j->t, &p->j->t->messages[f->site.entry]);
    int r = tk_edit_message(p->e, f->site.entry, f->code, d.action);

    return r < 0 ? r : tk_message_sieve(p->e, f->site.entry, goes, &sieve);
}
