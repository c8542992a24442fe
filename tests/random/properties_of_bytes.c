/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of bytes: parts that a repair doesn't edit keep theirs. */
#include "fates.h"
#include "repair_properties.h"

#include "value/digest.h"

/* Messages that merge may be written anew, but for their parts. */
static struct tk_str patch_makes_the_messages(struct trial *t)
{
    struct patched *messages = t->root ? patched_get(t->root, t->list, &t->arena) : NULL;
    struct tk_val patch = in(result_of(&t->patch), "patch");

    if (!t->repaired)
        return HOLDS;
    if (!messages)
        return broken(t, "the patch leads nowhere: %.*s", SHOW(shown(patch)));
    if (!patched_is(messages, tk_root(&t->after_doc), count_action(t, "merge") > 0 ? 3 : 0,
                    &t->arena))
        return broken(t, "the patch %.*s doesn't make %.*s", SHOW(shown(patch)), SHOW(t->after));
    return HOLDS;
}

/* ---- parts ---- */

/* A part that no edit names may take up a marker, or lose a citation of what went. */
static bool changed_as_it_may(struct patched *node, const char *const *members)
{
    uint32_t sent = tk_count(node->from), found = 0;

    for (uint32_t i = 0; i < node->count; i++) {
        bool may = false;

        for (const char *const *m = members; *m; m++)
            may = may || tk_str_is(node->keys[i], *m);
        found += node->items[i]->from.doc == node->from.doc;
        if ((node->items[i]->from.doc != node->from.doc || node->items[i]->touched) && !may)
            return false;
    }
    return found + 2 >= sent; /* markers and citations may have gone */
}

/* A message's string became a text part, for another had to join it. */
static bool is_told(struct trial *t, struct tk_val sent)
{
    for (uint32_t i = 0; tk_is(sent, TK_STRING) && i < t->left.part_count; i++)
        if (t->left.parts[i].kind == VIEW_TEXT &&
            memmem(tk_span(t->left.parts[i].value).p, tk_span(t->left.parts[i].value).n,
                   tk_raw(sent).p, tk_raw(sent).n))
            return true;
    return false;
}

static struct tk_str unedited_parts_stay(struct trial *t)
{
    static const char *const members[] = {"cache_control",   "citations", "provider_options",
                                          "providerOptions", "data",      NULL};
    struct fates f;
    uint32_t last = 0;

    if (!is_changed(t))
        return HOLDS;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        struct tk_val sent = t->sent.parts[i].value;

        if (f.edited[i] || t->sent.messages[t->sent.parts[i].message].transparent ||
            (!f.nodes[i] && is_told(t, sent)))
            continue;
        if (!f.nodes[i])
            return broken(t, "%.*s went without an edit: %.*s", SHOW(shown(sent)),
                          SHOW(shown(edits_of(t))));
        if (f.nodes[i]->touched &&
            (t->whose != ANTHROPIC || !changed_as_it_may(f.nodes[i], members)))
            return broken(t, "%.*s changed without an edit: %.*s", SHOW(shown(sent)),
                          SHOW(shown(in(result_of(&t->patch), "patch"))));
        if (f.places[i] < last && count_action(t, "move") == 0)
            return broken(t, "%.*s moved without an edit", SHOW(shown(sent)));
        last = f.places[i];
    }
    return HOLDS;
}

/* ---- the protected turn ---- */

/* Returns true if the newest message of the model is one that Bedrock's split put between two others. */
static bool ends_in_a_dot(const struct trial *t)
{
    uint32_t newest = t->left.count;

    while (newest > 0 && t->left.messages[newest - 1].role != 'a')
        newest--;
    return t->whose == BEDROCK && newest > 0 &&
           holds(tk_span(t->left.messages[newest - 1].value), TK_STR("{\"text\":\".\"}"));
}

/* Returns true if the turn that was protected may be another one after the first edits: their fixes decide
 * what is signed, or make a message of the model. */
static bool may_be_another(struct trial *t)
{
    return has_any_code(edits_of(t), thinking_codes) || has_code(edits_of(t), "gem_parts_type") ||
           ends_in_a_dot(t);
}

static struct tk_str digest_is_right(struct trial *t)
{
    struct tk_val named = in(result_of(&t->repair), "protected");
    struct tk_val verdict = in(result_of(&t->verdict), "protected");
    int64_t index = number(in(named, "message_index"));
    char hex[TK_SHA256_HEX];

    if (!t->repaired || has_seals(t))
        return HOLDS;
    if (!may_be_another(t) && index != number(verdict))
        return broken(t, "protected is %.*s, validate says %.*s", SHOW(shown(named)),
                      SHOW(shown(verdict)));
    if (index < 0)
        return HOLDS;
    if (index >= t->sent.count)
        return broken(t, "protected is %.*s", SHOW(shown(named)));
    tk_sha256_hex(tk_span(t->sent.messages[index].value), hex);
    if (!tk_text_is(in(named, "sha256"), (struct tk_str){hex, sizeof(hex)}))
        return broken(t, "%.*s is another digest", SHOW(shown(named)));
    return HOLDS;
}

/* Edits that are allowed in a protected turn (RULES.md section 3), with guard alone or always. */
static const struct {
    const char *action, *code;
    bool always;
} inside[] = {
    {"drop", "provider_executed_call_without_result", false},
    {"drop", "server_tool_pending_tool_missing", false},
    {"drop", "tool_search_unpaired", false},
    {"append", "thinking_final_block", false},
    {"drop_message", "message_content_empty", false},
    {"drop", "text_empty", false},
    {"drop", "text_whitespace_only", false},
    {"drop", "cache_control_empty_text", false},
    {"insert_result", "tool_use_without_result", true}, /* it comes after the turn */
    {"rewrite", "message_extra_inputs", true},          /* no part of it changes */
    {"rewrite", "first_message_not_user", true},        /* adds a message before it */
    {"rewrite", "assistant_prefill_unsupported", true}, /* adds one after it */
    /* PROVIDERS.md 5.3 */
    {"drop", "gem_part_empty", false},
    {"drop", "brk_block_union", false},
    {"drop", "brk_text_blank", false},
    {"drop", "brk_server_call_without_result", false},
    {"append", "brk_reasoning_final", false},
    {"rewrite", "brk_role_invalid", true},
    {"rewrite", "gem_role_invalid", true},
    {"drop_message", "brk_content_empty", true},
    {"drop_message", "gem_parts_empty", true},
    {"rewrite", "gem_thought_signature_missing", true},
    {"insert_result", "brk_missing_tool_result", true},
    {"insert_result", "gem_call_without_response", true},
    {"rewrite", "brk_first_not_user", true},
    {"rewrite", "brk_prefill", true},
    {"rewrite", "gem_call_position", true},
    {"rewrite", "gem_last_role_model", true},
};

static bool may_be_inside(struct trial *t, struct tk_val edit)
{
    for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++)
        if (tk_text_is(in(edit, "action"), tk_str_of(inside[i].action)) &&
            tk_text_is(in(edit, "code"), tk_str_of(inside[i].code)))
            return inside[i].always || t->guard;
    return false;
}

static bool is_protected(const struct trial *t, int64_t index, int64_t message)
{
    const struct view_message *m = t->sent.messages;

    if (t->whose == BEDROCK)
        return message == index;
    return message >= 0 && message < t->sent.count && m[message].turn == m[index].turn &&
           m[message].role == m[index].role;
}

static struct tk_str only_what_may_is_edited_inside(struct trial *t, int64_t index)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));

        if (is_protected(t, index, at.message) && !may_be_inside(t, e))
            return broken(t, "%.*s inside the protected turn", SHOW(shown(e)));
    }
    return HOLDS;
}

/* How many parts the turn has now that holds the part at a place; of Bedrock's the message. */
static uint32_t parts_around(const struct trial *t, uint32_t place)
{
    const struct view *s = &t->left;
    uint32_t n = 0, turn = 0, seen = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        if (s->messages[i].transparent)
            continue;
        if (place >= seen && place < seen + s->messages[i].count) {
            if (t->whose == BEDROCK)
                return s->messages[i].count;
            turn = s->messages[i].turn;
        }
        seen += s->messages[i].count;
    }
    for (uint32_t i = 0; i < s->count; i++)
        n += s->messages[i].turn == turn && !s->messages[i].transparent ? s->messages[i].count : 0;
    return n;
}

/* Returns true for a call that gets the signature that says that there is none. */
static bool is_given_a_dummy(struct trial *t, const struct view_part *p)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));

        if (tk_text_is(in(e, "code"), TK_STR("gem_thought_signature_missing")) &&
            at.message == p->message && at.part == p->index)
            return true;
    }
    return false;
}

static struct tk_str protected_turn_is_whole(struct trial *t)
{
    int64_t index = number(in(result_of(&t->verdict), "protected"));
    uint32_t kept = 0, last = 0;
    struct tk_str why;
    struct fates f;

    if (!t->repaired || !t->root || index < 0 || has_seals(t) || may_be_another(t))
        return HOLDS;
    why = only_what_may_is_edited_inside(t, index);
    if (why.p || !tk_is(in(result_of(&t->repair), "changed"), TK_TRUE))
        return why;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];

        if (!is_protected(t, index, p->message) || !f.nodes[i])
            continue;
        if ((f.nodes[i]->touched && !is_given_a_dummy(t, p)) ||
            (kept > 0 && !p->invisible && f.places[i] != last + 1))
            return broken(t, "%.*s of the protected turn changed, or what is before it",
                          SHOW(shown(p->value)));
        last = f.places[i];
        kept++;
    }
    if (kept > 0 && parts_around(t, last) > kept + (count_action(t, "append") > 0))
        return broken(t, "something joined the protected turn: %.*s", SHOW(t->after));
    return HOLDS;
}

/* ---- what texts hold ---- */

static bool is_an_id(struct tk_str path)
{
    return tk_str_ends(path, TK_STR("id")) || tk_str_ends(path, TK_STR("Id"));
}

/* Texts that an edit wrote: parts that aren't the request's. */
static struct tk_str no_secret_is_told(struct trial *t)
{
    static const char *const secrets[] = {"SECRET", "srvtoolu_", "mcptoolu_", "toolu_", NULL};
    struct tk_val patch = in(result_of(&t->patch), "patch");

    for (struct tk_val op = tk_first(patch); tk_exists(op); op = tk_after(patch, op)) {
        struct tk_val value = in(op, "value");
        struct tk_val text =
            tk_text_is(in(value, "type"), TK_STR("text")) ? in(value, "text") : value;

        if (!tk_is(text, TK_STRING) || is_an_id(tk_raw(in(op, "path"))))
            continue;
        for (const char *const *s = secrets; *s; s++)
            if (holds(tk_raw(text), tk_str_of(*s)) &&
                !holds(tk_raw(in(op, "path")), TK_STR("input")))
                return broken(t, "%s got into a text: %.*s", *s, SHOW(shown(op)));
    }
    return HOLDS;
}

const struct property properties_of_bytes[] = {
    {"patch_makes_the_messages", EVERYONE, patch_makes_the_messages},
    {"unedited_parts_stay", ANTHROPIC | TYPELESS, unedited_parts_stay},
    {"digest_is_right", ANTHROPIC | TYPELESS, digest_is_right},
    {"protected_turn_is_whole", ANTHROPIC | TYPELESS, protected_turn_is_whole},
    {"no_secret_is_told", ANTHROPIC, no_secret_is_told},
    {NULL, EVERYONE, NULL},
};
