/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of `repair_turn` (PROTOCOL 5.3), asked about a turn of the history: one message of the model, or a
 * few entries of OpenAI's two APIs. */
#include "repair_properties.h"

#include "value/digest.h"
#include "value/pointer.h"

enum {
    MAX_ENTRIES = 3,
};

struct turn {
    struct tk_str content;           /* `.p == NULL`: the history has no such turn */
    const struct view_message *said; /* the message; NULL: entries of OpenAI's */
    struct tk_doc doc;               /* the parameters: {"content": ...} */
    struct operation whole, patch, splices;
    struct tk_str after; /* the repaired content */
};

/* ---- choosing and asking ---- */

static struct tk_str some_entries(struct trial *t)
{
    uint32_t first = tk_node(t->messages)->len % t->sent.count, last = first;

    while (last + 1 < t->sent.count && last + 1 < first + MAX_ENTRIES)
        last++;
    return tk_arena_printf(
        &t->arena, "[%.*s]",
        SHOW(tk_span_between(t->sent.messages[first].value, t->sent.messages[last].value)));
}

/* Chooses the newest message of the model that has a list of parts. */
static void choose_message(struct trial *t, struct turn *turn)
{
    for (uint32_t i = t->sent.count; i > 0 && !turn->said; i--) {
        struct tk_val content = in(t->sent.messages[i - 1].value, t->parts);

        if (t->sent.messages[i - 1].role != 'a' || !tk_is(content, TK_ARRAY))
            continue;
        turn->said = &t->sent.messages[i - 1];
        turn->content = tk_span(content);
    }
}

/* Returns the parameters that the case has in common with its turn, and for Anthropic a reason to stop and a call
 * that may be carried in. */
static void write_context(struct trial *t, struct tk_writer *w)
{
    static const char *const names[] = {"provider", "dialect", "target", "policy", NULL};
    static const char *const reasons[] = {"end_turn", "pause_turn", "tool_use", "max_tokens"};
    uint32_t length = tk_node(t->messages)->len / 4;

    for (const char *const *name = names; *name; name++)
        if (tk_exists(in(t->params, *name))) {
            tk_write_key(w, *name);
            tk_write_val(w, in(t->params, *name));
        }
    if (length % 5 < 4)
        tk_write_kv_cstr(w, "stop_reason", reasons[length % 5]);
    if (t->whose == ANTHROPIC && length % 3 == 0) {
        tk_write_key(w, "carry_in");
        tk_write_raw(w, TK_STR("[{\"id\":\"srvtoolu_A1\",\"name\":\"web_search\","
                               "\"type\":\"server_tool_use\"}]"));
    }
}

static void ask(struct trial *t, struct operation *op, const char *form, struct tk_str content)
{
    struct tk_str params;
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &t->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    write_context(t, &w);
    tk_write_kv_cstr(&w, "return", form);
    tk_write_kv_int(&w, "max_violations", 1000000);
    tk_write_key(&w, "content");
    tk_write_raw(&w, content);
    tk_write_end(&w);
    params = tk_out_join(&out);
    operation_call(op, "repair_turn", params.p, params.n);
}

static void begin(struct trial *t, struct turn *turn)
{
    static const struct tk_read_limits limits = {256, UINT32_MAX, {17, 18}};
    struct tk_read_error error;
    struct tk_val content;
    struct tk_str json;

    *turn = (struct turn){.said = NULL};
    if (t->whose == OPENAI && t->sent.count > 0)
        turn->content = some_entries(t);
    else if (t->whose != OPENAI)
        choose_message(t, turn);
    if (!turn->content.p)
        return;
    json = tk_arena_printf(&t->arena, "{\"content\":%.*s}", SHOW(turn->content));
    tk_doc_init(&turn->doc, tk_libc_allocator);
    MUST(tk_json_read(&turn->doc, json.p, json.n, &limits, &t->arena, &error) == 0);
    ask(t, &turn->whole, "content", turn->content);
    ask(t, &turn->patch, "patch", turn->content);
    ask(t, &turn->splices, "splices", turn->content);
    content = in(result_of(&turn->whole), "content");
    turn->after = tk_exists(content) ? tk_span(content) : turn->content;
}

static void end(struct turn *turn)
{
    if (!turn->content.p)
        return;
    operation_done(&turn->whole);
    operation_done(&turn->patch);
    operation_done(&turn->splices);
    tk_doc_done(&turn->doc);
}

/* ---- the parts of one answer ---- */

static bool has_errors(struct tk_val result)
{
    struct tk_val found = in(result, "violations");

    for (struct tk_val v = tk_first(found); tk_exists(v); v = tk_after(found, v))
        if (tk_text_is(in(v, "severity"), TK_STR("error")))
            return true;
    return false;
}

static struct tk_str changes_are_told(struct trial *t, struct turn *turn)
{
    struct tk_val whole = result_of(&turn->whole), patch = result_of(&turn->patch);
    bool changed = tk_is(in(whole, "changed"), TK_TRUE);
    struct tk_val edits = in(whole, "edits");

    if (changed != (tk_count(edits) > 0) || changed != tk_exists(in(whole, "content")) ||
        changed != (tk_count(in(patch, "patch")) > 0) ||
        changed != tk_exists(in(result_of(&turn->splices), "splices")) ||
        tk_is(in(whole, "safe"), TK_TRUE) == has_errors(whole) ||
        !same_value(edits, in(patch, "edits"), &t->arena))
        return broken(t, "content: %.*s, patch: %.*s", SHOW(shown(whole)), SHOW(shown(patch)));
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (!tk_exists(tk_pointer_get(tk_root(&turn->doc), tk_text(in(e, "pointer"), &t->arena),
                                      &t->arena)))
            return broken(t, "%.*s leads nowhere", SHOW(shown(e)));
    return HOLDS;
}

static struct tk_str forms_make_the_content(struct trial *t, struct turn *turn)
{
    static const struct tk_read_limits limits = {256, UINT32_MAX, {19, 20}};
    struct tk_val patch = in(result_of(&turn->patch), "patch");
    struct patched *root = patched_new(tk_root(&turn->doc), &t->arena);
    struct tk_val splices = in(result_of(&turn->splices), "splices");
    struct tk_read_error error;
    struct tk_doc after;
    bool same;

    tk_doc_init(&after, tk_libc_allocator);
    MUST(tk_json_read(&after, turn->after.p, turn->after.n, &limits, &t->arena, &error) == 0);
    same = (!tk_exists(patch) || patched_apply(root, patch, &t->arena)) &&
           patched_is(patched_get(root, "content", &t->arena), tk_root(&after), 0, &t->arena);
    tk_doc_done(&after);
    if (!same)
        return broken(t, "the patch %.*s doesn't make %.*s", SHOW(shown(patch)), SHOW(turn->after));
    if (!tk_str_eq(spliced(turn->content, splices, &t->arena), turn->after))
        return broken(t, "the splices %.*s don't make %.*s", SHOW(shown(splices)),
                      SHOW(turn->after));
    return HOLDS;
}

/* ---- what a repair leaves ---- */

static struct tk_str needs_no_second_repair(struct trial *t, struct turn *turn)
{
    struct tk_str why = HOLDS;
    struct operation again;

    ask(t, &again, "content", turn->after);
    if (!tk_is(in(result_of(&again), "changed"), TK_FALSE))
        why = broken(t, "edited again: %.*s", SHOW(shown(in(result_of(&again), "edits"))));
    operation_done(&again);
    return why;
}

static bool is_signed(const struct trial *t, const struct view_message *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (t->sent.parts[m->first + i].signed_)
            return true;
    return false;
}

/* A signed turn comes back as it is, with its digest; others have none. */
static struct tk_str signature_protects(struct trial *t, struct turn *turn)
{
    struct tk_val result = result_of(&turn->whole), named = in(result, "protected");
    char hex[TK_SHA256_HEX];

    if (!turn->said || !is_signed(t, turn->said))
        return tk_is(named, TK_NULL) || !turn->said
                   ? HOLDS
                   : broken(t, "protected: %.*s", SHOW(shown(named)));
    tk_sha256_hex(turn->content, hex);
    if (tk_is(in(result, "changed"), TK_TRUE) || number(in(named, "message_index")) != 0 ||
        !tk_text_is(in(named, "sha256"), (struct tk_str){hex, sizeof(hex)}))
        return broken(t, "signed, but %.*s", SHOW(shown(result)));
    return HOLDS;
}

/* ---- all ---- */

static struct tk_str fault_of_turn(struct trial *t, struct turn *turn)
{
    struct tk_str (*const properties[])(struct trial * t, struct turn * turn) = {
        changes_are_told, forms_make_the_content, needs_no_second_repair, signature_protects};
    struct tk_str why = HOLDS;

    if (t->whose == OPENAI && failed_with(&turn->whole, "dialect_mismatch"))
        return HOLDS; /* entries without any role are no history by themselves */
    if (!tk_exists(result_of(&turn->whole)) || !tk_exists(result_of(&turn->patch)) ||
        !tk_exists(result_of(&turn->splices)))
        return broken(t, "refused: %.*s", SHOW(shown(error_data(&turn->whole))));
    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]) && !why.p; i++)
        why = properties[i](t, turn);
    return why.p ? broken(t, "the turn %.*s: %.*s", SHOW(turn->content), SHOW(why)) : HOLDS;
}

/* Of a quarter of the histories, since it costs four requests. */
static struct tk_str turns_are_repaired(struct trial *t)
{
    struct tk_str why = HOLDS;
    struct turn turn;

    if (tk_node(t->messages)->len % 4 != 3)
        return HOLDS;
    begin(t, &turn);
    if (turn.content.p)
        why = fault_of_turn(t, &turn);
    end(&turn);
    return why;
}

const struct property properties_of_turns[] = {
    {"turns_are_repaired", EVERYONE, turns_are_repaired},
    {NULL, EVERYONE, NULL},
};
