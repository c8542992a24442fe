/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of bytes: parts that a repair doesn't edit keep theirs. */
#include "repair_properties.h"

#include "value/digest.h"

static struct tk_val edits_of(struct trial *t)
{
    return in(result_of(&t->repair), "edits");
}

static bool has_action(struct trial *t, const char *action)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (tk_text_is(in(e, "action"), tk_str_of(action)))
            return true;
    return false;
}

/* Messages that merge may be written anew, but for their parts. */
static struct tk_str patch_makes_the_messages(struct trial *t)
{
    struct patched *messages = t->root ? patched_get(t->root, t->list, &t->arena) : NULL;
    struct tk_val patch = in(result_of(&t->patch), "patch");

    if (!t->repaired)
        return HOLDS;
    if (!messages)
        return broken(t, "the patch leads nowhere: %.*s", SHOW(shown(patch)));
    if (!patched_is(messages, tk_root(&t->after_doc), has_action(t, "merge") ? 3 : 0, &t->arena))
        return broken(t, "the patch %.*s doesn't make %.*s", SHOW(shown(patch)), SHOW(t->after));
    return HOLDS;
}

/* ---- parts ---- */

/* The state of the parts that were sent, by their number in the history. */
struct fates {
    struct patched **nodes; /* NULL: gone */
    uint32_t *places;       /* their places among all parts of turns now */
    bool *edited;           /* an edit names them, or their message */
};

static void note_part(struct trial *t, struct fates *f, struct patched *node, uint32_t place)
{
    if (node->from.doc != &t->doc)
        return;
    for (uint32_t i = 0; i < t->sent.part_count; i++)
        if (t->sent.parts[i].value.node == node->from.node) {
            f->nodes[i] = node;
            f->places[i] = place;
            return;
        }
}

/* A system message of a dialect that has none on the wire: what it parts isn't parted. */
static bool is_transparent(struct trial *t, struct patched *message)
{
    struct patched *role = patched_get(message, "role", &t->arena);
    struct tk_val dialect = in(t->params, "dialect");

    return role && tk_text_is(role->from, TK_STR("system")) && tk_exists(dialect) &&
           !tk_text_is(dialect, TK_STR("anthropic"));
}

static void note_parts(struct trial *t, struct fates *f)
{
    struct patched *messages = patched_open(patched_get(t->root, "messages", &t->arena), &t->arena);
    uint32_t place = 0;

    for (uint32_t i = 0; i < messages->count; i++) {
        struct patched *content = patched_get(messages->items[i], "content", &t->arena);

        if (is_transparent(t, messages->items[i]))
            continue;
        if (content && tk_is(content->from, TK_STRING) && tk_raw(content->from).n > 0)
            note_part(t, f, content, place++);
        if (!content || !tk_is(content->from, TK_ARRAY))
            continue;
        patched_open(content, &t->arena);
        for (uint32_t k = 0; k < content->count; k++)
            note_part(t, f, content->items[k], place++);
    }
}

static bool same_id(struct trial *t, struct tk_val edit, const struct view_part *p)
{
    struct tk_str id = tk_text(in(edit, "id"), &t->arena);

    return id.p && p->id.p && tk_str_eq(id, p->id);
}

/*
 * Notes the parts that edits name. Of a pair one half may be named; a message may be removed as a
 * whole; parts after a call move with it out of its message.
 */
static void note_edits(struct trial *t, struct fates *f)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));
        bool appends = tk_text_is(in(e, "action"), TK_STR("append"));
        bool moves_rest = tk_text_is(in(e, "code"), TK_STR("tool_use_in_user")) &&
                          tk_text_is(in(e, "action"), TK_STR("move"));

        for (uint32_t i = 0; i < t->sent.part_count && !appends; i++) {
            const struct view_part *p = &t->sent.parts[i];

            if ((p->message == at.message && (at.part < 0 || p->index == at.part)) ||
                same_id(t, e, p) ||
                (moves_rest && p->message == at.message && p->index > (uint32_t)at.part))
                f->edited[i] = true;
        }
    }
}

static struct fates fates_of(struct trial *t)
{
    struct fates f = {
        .nodes = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.nodes)),
        .places = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.places)),
        .edited = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.edited)),
    };

    MUST(f.nodes && f.places && f.edited);
    note_parts(t, &f);
    note_edits(t, &f);
    return f;
}

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

    if (!t->repaired || !t->root || !tk_is(in(result_of(&t->repair), "changed"), TK_TRUE))
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
        if (f.nodes[i]->touched && !changed_as_it_may(f.nodes[i], members))
            return broken(t, "%.*s changed without an edit: %.*s", SHOW(shown(sent)),
                          SHOW(shown(in(result_of(&t->patch), "patch"))));
        if (f.places[i] < last && !has_action(t, "move"))
            return broken(t, "%.*s moved without an edit", SHOW(shown(sent)));
        last = f.places[i];
    }
    return HOLDS;
}

/* ---- the protected turn ---- */

static struct tk_str digest_is_right(struct trial *t)
{
    struct tk_val named = in(result_of(&t->repair), "protected");
    struct tk_val verdict = in(result_of(&t->verdict), "protected");
    int64_t index = number(in(named, "message_index"));
    char hex[TK_SHA256_HEX];

    if (!t->repaired || has_seals(t))
        return HOLDS;
    if (!has_any_code(edits_of(t), thinking_codes) && index != number(verdict))
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

/* How many parts the turn has now that holds the part at a place. */
static uint32_t parts_around(const struct trial *t, uint32_t place)
{
    const struct view *s = &t->left;
    uint32_t n = 0, turn = 0, seen = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        if (s->messages[i].transparent)
            continue;
        if (place >= seen && place < seen + s->messages[i].count)
            turn = s->messages[i].turn;
        seen += s->messages[i].count;
    }
    for (uint32_t i = 0; i < s->count; i++)
        n += s->messages[i].turn == turn && !s->messages[i].transparent ? s->messages[i].count : 0;
    return n;
}

static struct tk_str protected_turn_is_whole(struct trial *t)
{
    int64_t index = number(in(result_of(&t->verdict), "protected"));
    uint32_t kept = 0, last = 0;
    struct tk_str why;
    struct fates f;

    if (!t->repaired || !t->root || index < 0 || has_seals(t) ||
        has_any_code(edits_of(t), thinking_codes))
        return HOLDS;
    why = only_what_may_is_edited_inside(t, index);
    if (why.p || !tk_is(in(result_of(&t->repair), "changed"), TK_TRUE))
        return why;
    f = fates_of(t);
    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];

        if (!is_protected(t, index, p->message) || !f.nodes[i])
            continue;
        if (f.nodes[i]->touched || (kept > 0 && !p->invisible && f.places[i] != last + 1))
            return broken(t, "%.*s of the protected turn changed, or what is before it",
                          SHOW(shown(p->value)));
        last = f.places[i];
        kept++;
    }
    if (kept > 0 && parts_around(t, last) > kept + has_action(t, "append"))
        return broken(t, "something joined the protected turn: %.*s", SHOW(t->after));
    return HOLDS;
}

/* ---- what texts hold ---- */

static bool holds(struct tk_str text, const char *what)
{
    return memmem(text.p, text.n, what, strlen(what)) != NULL;
}

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
            if (holds(tk_raw(text), *s) && !holds(tk_raw(in(op, "path")), "input"))
                return broken(t, "%s got into a text: %.*s", *s, SHOW(shown(op)));
    }
    return HOLDS;
}

const struct property properties_of_bytes[] = {
    {"patch_makes_the_messages", EVERYONE, patch_makes_the_messages},
    {"unedited_parts_stay", ANTHROPIC, unedited_parts_stay},
    {"digest_is_right", ANTHROPIC, digest_is_right},
    {"protected_turn_is_whole", ANTHROPIC, protected_turn_is_whole},
    {"no_secret_is_told", ANTHROPIC, no_secret_is_told},
    {NULL, EVERYONE, NULL},
};
