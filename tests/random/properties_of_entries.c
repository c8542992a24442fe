/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of messages and items of OpenAI's two APIs: what a repair keeps of them, and what its edits say
 * (PROVIDERS.md 1 to 4). */
#include "repair_properties.h"

static struct tk_val entry_of(struct trial *t, int64_t index)
{
    return index >= 0 && index < t->sent.count ? t->sent.messages[index].value : TK_NO_VAL;
}

/* ---- edits ---- */

/* Returns true if the id is that of the value: its own, or one by which it pairs. */
static bool has_id(struct tk_val v, struct tk_str id)
{
    static const char *const names[] = {"id", "call_id", "tool_call_id", NULL};

    for (const char *const *name = names; *name; name++)
        if (tk_text_is(in(v, *name), id))
            return true;
    return false;
}

static struct tk_str edits_name_what_was_sent(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));
        const struct view_part *p = view_part(&t->sent, at.message, at.part);
        struct tk_val entry = entry_of(t, at.message);
        struct tk_str id = tk_text(in(e, "id"), &t->arena);

        if (!tk_exists(entry) || at.deeper || (at.part >= 0 && !p))
            return broken(t, "%.*s leads nowhere", SHOW(shown(e)));
        if (id.p && !has_id(p && p->kind == VIEW_CALL ? p->value : entry, id))
            return broken(t, "%.*s has no such id", SHOW(shown(e)));
    }
    return HOLDS;
}

/* Keys that leave faults alone, and the codes of these (PROVIDERS.md 1.4). */
static const struct {
    const char *key, *code;
} reported[] = {
    {"unanswered_call", "chat_tool_calls_unanswered"},
    {"unanswered_call", "chat_call_count_mismatch"},
    {"unanswered_call", "resp_call_without_output"},
    {"unmatched_result", "chat_tool_without_call"},
    {"unmatched_result", "resp_output_without_call"},
    {"duplicate_id", "chat_tool_call_id_duplicate"},
    {"duplicate_id", "resp_call_id_duplicate"},
    {"duplicate_id", "resp_output_duplicate"},
    {"duplicate_id", "resp_duplicate_item_id"},
};

static struct tk_str reported_codes_are_left(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (size_t i = 0; i < sizeof(reported) / sizeof(reported[0]); i++)
        if (!strcmp(policy_word(t, reported[i].key), "report") && has_code(edits, reported[i].code))
            return broken(t, "%s is report: %.*s", reported[i].key, SHOW(shown(edits)));
    return HOLDS;
}

/* ---- entries ---- */

/* Where the entries that were sent are now. */
struct fates {
    struct patched **nodes; /* NULL: gone, or another in its place */
    uint32_t *places;
    bool *edited; /* an edit names the entry, or one that joined it */
};

/* Notes the entries that edits name, and those that a later one joined. */
static void note_edits(struct trial *t, struct fates *f)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        int64_t at = place_of(t, in(e, "pointer")).message;

        if (at < 0 || at >= t->sent.count)
            continue;
        f->edited[at] = true;
        for (int64_t i = 0; is_action(e, "merge") && i < at; i++)
            f->edited[i] = true;
    }
}

static struct fates fates_of(struct trial *t)
{
    struct patched *list = patched_get(t->root, t->list, &t->arena);
    struct fates f = {
        .nodes = tk_arena_zalloc(&t->arena, t->sent.count, sizeof(*f.nodes)),
        .places = tk_arena_zalloc(&t->arena, t->sent.count, sizeof(*f.places)),
        .edited = tk_arena_zalloc(&t->arena, t->sent.count, sizeof(*f.edited)),
    };

    MUST(list && f.nodes && f.places && f.edited);
    patched_open(list, &t->arena);
    for (uint32_t k = 0; k < list->count; k++)
        for (uint32_t i = 0; i < t->sent.count; i++)
            if (list->items[k]->from.doc == &t->doc &&
                list->items[k]->from.node == t->sent.messages[i].value.node) {
                f.nodes[i] = list->items[k];
                f.places[i] = k;
            }
    note_edits(t, &f);
    return f;
}

/* Returns true if messages may be merged: one that the repair made joins its neighbour without a line. */
static bool may_merge(const struct trial *t)
{
    return strcmp(policy_word(t, "merge_adjacent"), "never") || is_for(t, "compatible");
}

/* An entry that no edit names keeps its bytes and its place among the others. */
static struct tk_str unedited_entries_stay(struct trial *t)
{
    uint32_t last = 0;
    struct fates f;

    if (!is_changed(t))
        return HOLDS;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.count; i++) {
        struct tk_str sent = shown(entry_of(t, i));

        if (f.edited[i])
            continue;
        if (!f.nodes[i] || (f.nodes[i]->touched && !may_merge(t)))
            return broken(t, "%.*s changed without an edit: %.*s", SHOW(sent),
                          SHOW(shown(edits_of(t))));
        if (f.places[i] < last)
            return broken(t, "%.*s moved without an edit", SHOW(sent));
        last = f.places[i];
    }
    return HOLDS;
}

/* An edit says of an entry that it was changed: so it was. */
static struct tk_str edits_are_made(struct trial *t)
{
    static const char *const adding[] = {"chat_user_after_tool", "chat_last_role_assistant", NULL};
    static const char *const actions[] = {"drop", "rewrite", "textify", "demote", NULL};
    struct tk_val edits = edits_of(t);
    struct fates f;

    if (!is_changed(t))
        return HOLDS;
    f = fates_of(t);
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        int64_t at = place_of(t, in(e, "pointer")).message;
        bool changes = false;

        for (const char *const *a = actions; *a; a++)
            changes = changes || is_action(e, *a);
        for (const char *const *code = adding; *code; code++)
            changes = changes && !tk_text_is(in(e, "code"), tk_str_of(*code));
        if (changes && f.nodes[at] && !f.nodes[at]->touched)
            return broken(t, "%.*s, but it is as it was sent", SHOW(shown(e)));
    }
    return HOLDS;
}

/* ---- texts of people, tools and models ---- */

/* Words that a grammar writes once in a history, and that no repair may lose. Under `previous_response_id`
 * what the model made is dropped, for the server has it. Strict servers refuse words of other APIs. */
static struct tk_str marks_stay(struct trial *t)
{
    static const struct {
        const char *head;
        bool on_azure_only;
    } marks[] = {
        {"word", false}, {"gAAAAABo", false}, {"rs_", true}, /* ids of reasoning */
    };

    if (!t->repaired || has_code(edits_of(t), "resp_previous_and_resend") ||
        has_code(edits_of(t), "chat_unknown_message_field"))
        return HOLDS;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        struct tk_str rest = tk_span(t->messages), mark;

        for (; (mark = next_mark(&rest, marks[i].head)).p;)
            if ((!marks[i].on_azure_only || is_for(t, "azure")) && !holds(t->after, mark))
                return broken(t, "%.*s is lost: %.*s", SHOW(mark), SHOW(shown(edits_of(t))));
    }
    return HOLDS;
}

/* Of reasoning a repair takes its id, what servers refuse and ciphertext of others, and nothing else. */
static bool may_go(struct tk_val member, struct tk_arena *arena)
{
    static const char *const names[] = {"id", "status", "created_by", "encrypted_content",
                                        "summary"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (tk_str_is(tk_key(member, arena), names[i]))
            return true;
    return false;
}

static struct tk_str reasoning_keeps_its_content(struct trial *t)
{
    struct fates f;

    if (!is_changed(t) || has_code(edits_of(t), "body_lone_surrogate"))
        return HOLDS;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.count; i++) {
        struct tk_val entry = entry_of(t, i);
        struct patched *node = f.nodes[i];

        if (!node || !node->touched || !tk_text_is(in(entry, "type"), TK_STR("reasoning")))
            continue;
        for (struct tk_val m = tk_first(entry); tk_exists(m); m = tk_after(entry, m)) {
            struct tk_str key = tk_key(m, &t->arena);
            struct patched *now =
                patched_get(node, tk_arena_printf(&t->arena, "%.*s", SHOW(key)).p, &t->arena);

            if (!may_go(m, &t->arena) && (!now || now->touched || now->from.node != m.node))
                return broken(t, "reasoning lost its %.*s: %.*s", SHOW(key), SHOW(shown(entry)));
        }
    }
    return HOLDS;
}

/* ---- ids of items ---- */

/* Returns the member of an entry as it is now; absent: the entry or the member went. */
static struct tk_val now_of(struct trial *t, struct patched *entry, const char *name)
{
    struct patched *member = entry ? patched_get(entry, name, &t->arena) : NULL;

    return member ? member->from : TK_NO_VAL;
}

static bool same_text(struct trial *t, struct tk_val a, struct tk_val b)
{
    return tk_is(a, TK_STRING) && tk_is(b, TK_STRING) &&
           tk_str_eq(tk_text(a, &t->arena), tk_text(b, &t->arena));
}

/* Returns true if an item names an approval request by its id. */
static bool names_request(struct trial *t, uint32_t item, uint32_t request)
{
    struct tk_val at = entry_of(t, request);

    return tk_text_is(in(at, "type"), TK_STR("mcp_approval_request")) &&
           same_text(t, in(entry_of(t, item), "approval_request_id"), in(at, "id"));
}

/* A response that names a request names it after the repair, too, if both are there. */
static struct tk_str responses_follow_their_requests(struct trial *t)
{
    struct fates f;

    if (!is_changed(t) || !trial_is_of_items(t))
        return HOLDS;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (f.nodes[i] && f.nodes[k] && names_request(t, i, k) &&
                !same_text(t, now_of(t, f.nodes[i], "approval_request_id"),
                           now_of(t, f.nodes[k], "id")))
                return broken(t, "%.*s names another request now", SHOW(shown(entry_of(t, i))));
    return HOLDS;
}

static bool has_server_state(const struct trial *t)
{
    struct tk_val body = in(t->params, "request"), conversation = in(body, "conversation");
    struct tk_val previous = in(body, "previous_response_id");

    return (tk_is(previous, TK_STRING) && tk_raw(previous).n > 0) ||
           (tk_exists(conversation) && !tk_is(conversation, TK_NULL));
}

/* With `item_ids: "strip"` the server has nothing left to look up (PROVIDERS.md 4.3). */
static struct tk_str ids_are_stripped(struct trial *t)
{
    static const char *const free_types[] = {"reasoning",        "message",    "function_call",
                                             "custom_tool_call", "shell_call", "apply_patch_call",
                                             "tool_search_call"};

    if (!t->repaired || !trial_is_of_items(t) || has_server_state(t) ||
        strcmp(policy_word(t, "item_ids"), "strip") || is_for(t, "azure"))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.count; i++) {
        struct tk_val entry = t->left.messages[i].value;

        for (size_t k = 0; k < sizeof(free_types) / sizeof(free_types[0]); k++)
            if (tk_is(in(entry, "id"), TK_STRING) && tk_raw(in(entry, "id")).n > 0 &&
                tk_text_is(in(entry, "type"), tk_str_of(free_types[k])))
                return broken(t, "%.*s has its id", SHOW(shown(entry)));
    }
    return HOLDS;
}

/* ---- stable ---- */

/* Faults that wait for what comes next (PROVIDERS.md 1.7, 2). */
static const char *const waiting[] = {"chat_tool_calls_unanswered",  "chat_call_count_mismatch",
                                      "chat_tool_call_id_duplicate", "resp_call_without_output",
                                      "resp_call_id_duplicate",      NULL};

/* Returns true if a call got a result that its tail may bring. Calls that the repair itself made have no
 * line that says so. */
static bool has_inserted_result(const struct trial *t)
{
    static const char text[] = "Not executed.";

    return memmem(t->after.p, t->after.n, text, strlen(text)) != NULL;
}

/* Returns true if the history ends with a plain question, and nothing before it waits for an answer. */
static bool is_settled(struct trial *t)
{
    struct tk_val last = entry_of(t, (int64_t)t->sent.count - 1);

    return tk_exists(last) && tk_text_is(in(last, "role"), TK_STR("user")) &&
           tk_is(in(last, "content"), TK_STRING) && !tk_exists(in(last, "tool_calls")) &&
           t->sent.messages[t->sent.count - 1].role == 'u' &&
           !has_any_code(in(result_of(&t->verdict), "violations"), waiting) &&
           !has_any_code(edits_of(t), waiting) && !has_inserted_result(t);
}

static struct tk_str appending_keeps_the_beginning(struct trial *t)
{
    struct tk_val longer = result_of(&t->longer), now = in(longer, "messages"), got;
    bool strict = is_for(t, "compatible");

    if (!t->repaired || !t->has_longer || !tk_exists(longer) || strict ||
        strcmp(policy_word(t, "merge_adjacent"), "never") || !is_settled(t))
        return HOLDS;
    if (!tk_exists(now) && !tk_is(in(result_of(&t->repair), "changed"), TK_TRUE))
        return HOLDS; /* neither changed anything */
    if (!tk_exists(now))
        return broken(t, "with its tail nothing is edited");
    got = tk_first(now);
    for (uint32_t i = 0; i < t->left.count; i++, got = tk_after(now, got))
        if (!tk_exists(got) || !same_value(t->left.messages[i].value, got, &t->arena))
            return broken(t, "alone %.*s, with its tail %.*s", SHOW(t->after), SHOW(shown(now)));
    return HOLDS;
}

const struct property properties_of_entries[] = {
    {"edits_name_what_was_sent", OPENAI, edits_name_what_was_sent},
    {"reported_codes_are_left", OPENAI, reported_codes_are_left},
    {"unedited_entries_stay", OPENAI, unedited_entries_stay},
    {"edits_are_made", OPENAI, edits_are_made},
    {"marks_stay", OPENAI, marks_stay},
    {"reasoning_keeps_its_content", OPENAI, reasoning_keeps_its_content},
    {"responses_follow_their_requests", OPENAI, responses_follow_their_requests},
    {"ids_are_stripped", OPENAI, ids_are_stripped},
    {"appending_keeps_the_beginning", OPENAI, appending_keeps_the_beginning},
    {NULL, EVERYONE, NULL},
};
