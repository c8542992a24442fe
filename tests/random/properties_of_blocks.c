/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of Bedrock's and Gemini's messages: what a repair keeps of them, and what its edits say
 * (PROVIDERS.md 5 to 7). */
#include "fates.h"
#include "repair_properties.h"

/* ---- what is protected ---- */

static bool is_signed(const struct view *s, uint32_t message)
{
    for (uint32_t i = 0; i < s->messages[message].count; i++)
        if (s->parts[s->messages[message].first + i].signed_)
            return true;
    return false;
}

/* Returns the newest signed message of Gemini's newest run of the model, or Bedrock's newest message of the
 * model if it is signed; -1: there is none. */
static int64_t newest_signed(const struct trial *t)
{
    const struct view *s = &t->sent;
    int64_t newest = (int64_t)s->count - 1;

    while (newest >= 0 && s->messages[newest].role != 'a')
        newest--;
    for (int64_t i = newest; i >= 0 && s->messages[i].turn == s->messages[newest].turn; i--) {
        if (is_signed(s, (uint32_t)i))
            return i;
        if (t->whose == BEDROCK)
            break;
    }
    return -1;
}

static struct tk_str newest_signed_is_protected(struct trial *t)
{
    struct tk_val named = in(result_of(&t->verdict), "protected");

    if (number(named) != newest_signed(t))
        return broken(t, "protected is %.*s, not %lld", SHOW(shown(named)),
                      (long long)newest_signed(t));
    return HOLDS;
}

/* ---- names of tools ---- */

static struct tk_str text_of(struct trial *t, struct tk_val v)
{
    return tk_is(v, TK_STRING) ? tk_text(v, &t->arena) : (struct tk_str){NULL, 0};
}

/* Returns the name of a call's or result's tool; `.p == NULL`: it has none. */
static struct tk_str tool_of(struct trial *t, const struct view_part *p)
{
    static const struct tk_str tail = TK_STR_INIT("_result");
    struct tk_str name = text_of(t, in(p->data, "name")), type;

    if (t->whose == GEMINI && p->provider)
        return text_of(t, view_member(p->data, "toolType", "tool_type"));
    type = text_of(t, in(p->data, "type"));
    if (t->whose == GEMINI || p->kind == VIEW_CALL || type.n == 0 || tk_str_is(type, "tool_result"))
        return t->whose == BEDROCK && p->kind == VIEW_RESULT ? (struct tk_str){NULL, 0} : name;
    return tk_str_ends(type, tail) ? (struct tk_str){type.p, type.n - tail.n} : type;
}

static bool names_its_tool(struct trial *t, struct tk_val v)
{
    struct place at = place_of(t, in(v, "pointer"));
    const struct view_part *p = view_part(&t->sent, at.message, at.part);
    struct tk_str told = text_of(t, in(v, "tool")), tool;

    if (!p || (p->kind != VIEW_CALL && p->kind != VIEW_RESULT))
        return !told.p;
    tool = tool_of(t, p);
    return tool.n > 64 || (tool.n > 0 ? tk_str_eq(told, tool) : told.n == 0);
}

/* Returns true for an edit of the text that another one made of a result or of reasoning. */
static bool was_made_a_text(struct trial *t, struct tk_val edit)
{
    return !is_action(edit, "textify") &&
           (was_made(t, edit, "textify") || was_made(t, edit, "demote"));
}

static struct tk_str tools_are_those_sent(struct trial *t)
{
    struct tk_val found = in(result_of(&t->verdict), "violations");

    for (struct tk_val v = tk_first(found); tk_exists(v); v = tk_after(found, v))
        if (!names_its_tool(t, v))
            return broken(t, "found %.*s", SHOW(shown(v)));
    for (struct tk_val e = tk_first(edits_of(t)); tk_exists(e); e = tk_after(edits_of(t), e))
        if (!is_of_several(t, e) && !was_made_a_text(t, e) && !names_its_tool(t, e))
            return broken(t, "edited %.*s", SHOW(shown(e)));
    return HOLDS;
}

/* ---- edits ---- */

static const struct view_part *part_of(struct trial *t, struct tk_val edit)
{
    struct place at = place_of(t, in(edit, "pointer"));

    return at.deeper ? NULL : view_part(&t->sent, at.message, at.part);
}

/* An edit says that a part went or changed: so it did. */
static struct tk_str parts_are_edited(struct trial *t)
{
    static const char *const changing[] = {"rewrite", "textify", "demote", NULL};
    struct tk_val edits = edits_of(t);
    struct fates f;

    if (!is_changed(t))
        return HOLDS;
    f = fates_of(t);
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e);
        struct patched *node = p ? f.nodes[p - t->sent.parts] : NULL;
        bool changes = false;

        for (const char *const *a = changing; *a; a++)
            changes = changes || is_action(e, *a);
        if (node && ((changes && !node->touched) || (is_action(e, "drop") && !is_of_several(t, e))))
            return broken(t, "%.*s, but it is %.*s", SHOW(shown(e)), SHOW(t->after));
    }
    return HOLDS;
}

/* ---- texts of people, tools and models ---- */

/* Returns true if what takes a result's place has the mark (PROVIDERS.md 6.5, 7.5). */
static bool is_payload(const struct trial *t, const struct view_part *p, struct tk_str mark)
{
    struct tk_val content = in(p->data, "content");

    if (t->whose == GEMINI)
        return tk_exists(in(p->data, "response")) && holds(tk_span(in(p->data, "response")), mark);
    if (!tk_is(content, TK_ARRAY))
        return tk_is(content, TK_STRING) && holds(tk_span(content), mark);
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if ((tk_is(in(v, "text"), TK_STRING) && holds(tk_span(in(v, "text")), mark)) ||
            (tk_exists(in(v, "json")) && holds(tk_span(in(v, "json")), mark)))
            return true;
    return false;
}

/* Returns true if an edit of the part, which the report names, may lose the mark. */
static bool may_lose(struct trial *t, struct tk_val edit, const struct view_part *p,
                     struct tk_str mark)
{
    struct tk_val text = in(p->value, "text");

    if (is_of_several(t, edit)) /* what is made of the others has no line */
        return !tk_is(text, TK_STRING) || !holds(tk_span(text), mark);
    if (is_action(edit, "textify"))
        return !is_payload(t, p, mark);
    return is_action(edit, "drop");
}

/* A mark of a part is in the outcome, or in a part that an edit dropped. */
static bool is_accounted_for(struct trial *t, const struct view_part *p, struct tk_str mark)
{
    struct tk_val edits = edits_of(t);

    if (holds(t->after, mark))
        return true;
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));

        if (at.message == p->message && at.part == p->index && may_lose(t, e, p, mark))
            return true;
    }
    return false;
}

static struct tk_str texts_of_parts_stay(struct trial *t)
{
    if (!t->repaired)
        return HOLDS;
    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];
        struct tk_str rest = tk_span(p->value), mark;

        while ((mark = next_mark(&rest, "word")).p)
            if (!is_accounted_for(t, p, mark))
                return broken(t, "%.*s is lost: %.*s", SHOW(mark), SHOW(shown(edits_of(t))));
    }
    return HOLDS;
}

/* Members that nobody knows stay with their message; so does content that is no list. What is made of an
 * object may be a call, which goes without a line. */
static struct tk_str texts_of_messages_stay(struct trial *t)
{
    if (!t->repaired)
        return HOLDS;
    for (uint32_t i = 0; i < t->sent.count; i++) {
        struct tk_val whole = t->sent.messages[i].value;

        for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v)) {
            struct tk_str rest = tk_span(v), mark;

            if (tk_key_is(v, tk_str_of(t->parts)) && !tk_is(v, TK_STRING))
                continue;
            while ((mark = next_mark(&rest, "word")).p)
                if (!holds(t->after, mark))
                    return broken(t, "%.*s is lost: %.*s", SHOW(mark), SHOW(shown(edits_of(t))));
        }
    }
    return HOLDS;
}

/* ---- stable ---- */

/* Faults that wait for what comes next (PROVIDERS.md 1.7, 5.6). */
static const char *const waiting[] = {"brk_missing_tool_result",
                                      "gem_call_without_response",
                                      "gem_thought_signature_missing",
                                      "gem_last_role_model",
                                      "brk_prefill",
                                      NULL};

/* Returns true if edits dropped a message. */
static bool drops(struct trial *t, struct tk_val edits, int64_t message)
{
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (is_action(e, "drop_message") && place_of(t, in(e, "pointer")).message == message)
            return true;
    return false;
}

/* Returns true if the history ends with content that is no list and perhaps a call, and no role. */
static bool ends_in_broken_content(const struct trial *t)
{
    struct tk_val last = t->sent.messages[t->sent.count - 1].value;

    return tk_is(in(last, t->parts), TK_OBJECT);
}

/* Returns true if the error of a provider's tool was put in the place of a result, whose id nothing else in the
 * history may have (PROVIDERS.md 6.2): with the tail something may. */
static bool has_made_up_result(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (is_action(e, "insert_result") &&
            tk_text_is(in(e, "code"), TK_STR("brk_server_call_without_result")))
            return true;
    return false;
}

/* Returns true if the outcome with the tail may begin otherwise: a run is shared, or a call waits. */
static bool is_excepted(struct trial *t)
{
    struct view tail = view_of_blocks(t->tail, t->whose == GEMINI, &t->arena);
    char first = tail.messages[0].role;

    return strcmp(policy_word(t, "merge_adjacent"), "never") || t->sent.count == 0 ||
           t->left.count == 0 || t->sent.messages[t->sent.count - 1].role == first ||
           t->left.messages[t->left.count - 1].role == first || ends_in_broken_content(t) ||
           drops(t, edits_of(t), (int64_t)t->sent.count - 1) ||
           drops(t, in(result_of(&t->longer), "edits"), t->sent.count) ||
           has_any_code(in(result_of(&t->verdict), "violations"), waiting) ||
           has_any_code(edits_of(t), waiting) || has_made_up_result(t) ||
           holds(t->after, TK_STR("Not executed."));
}

static struct tk_str runs_are_stable(struct trial *t)
{
    struct tk_val longer = result_of(&t->longer), now = in(longer, "messages"), got;

    if (!t->has_longer || !is_safe(t) || !tk_is(in(longer, "safe"), TK_TRUE) || is_excepted(t))
        return HOLDS;
    now = tk_exists(now) ? now : t->messages;
    got = tk_first(now);
    for (uint32_t i = 0; i < t->left.count; i++, got = tk_after(now, got))
        if (!tk_exists(got) || !same_value(t->left.messages[i].value, got, &t->arena))
            return broken(t, "alone %.*s, with its tail %.*s", SHOW(t->after), SHOW(shown(now)));
    return HOLDS;
}

const struct property properties_of_blocks[] = {
    {"newest_signed_is_protected", TYPELESS, newest_signed_is_protected},
    {"tools_are_those_sent", TYPELESS, tools_are_those_sent},
    {"parts_are_edited", TYPELESS, parts_are_edited},
    {"texts_of_parts_stay", TYPELESS, texts_of_parts_stay},
    {"texts_of_messages_stay", TYPELESS, texts_of_messages_stay},
    {"runs_are_stable", TYPELESS, runs_are_stable},
    {NULL, EVERYONE, NULL},
};
