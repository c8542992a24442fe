/* SPDX-License-Identifier: Apache-2.0 */
#include "repair_properties.h"

enum {
    MARK_DIGITS = 4,
};

const struct property *const repair_properties[] = {
    properties_of_answers, properties_of_bytes,    properties_of_edits,   properties_of_repeats,
    properties_of_binding, properties_of_requests, properties_of_openai,  properties_of_entries,
    properties_of_pairs,   properties_of_splices,  properties_of_blocks,  properties_of_block_pairs,
    properties_of_turns,   properties_of_fit,      properties_of_removed, NULL};

const char *const thinking_codes[] = {"thinking_empty",
                                      "thinking_signature_missing",
                                      "redacted_thinking_data_invalid",
                                      "thinking_order_unverified",
                                      "thinking_signature_malformed",
                                      "cache_control_on_thinking",
                                      "thinking_not_for_route",
                                      "prior_thinking_pruned",
                                      NULL};

const char *const summary_codes[] = {"compaction_block_beta", "compaction_strategy_missing",
                                     "compaction_signature_missing", NULL};

struct tk_str property_fault(const struct property *property, struct trial *t)
{
    return property->whose & t->whose ? property->broken(t) : HOLDS;
}

struct tk_str broken(struct trial *t, const char *format, ...)
{
    struct tk_str why;
    va_list args;

    va_start(args, format);
    why = tk_arena_vprintf(&t->arena, format, args);
    va_end(args);
    MUST(why.p);
    return why;
}

struct tk_str shown(struct tk_val v)
{
    return tk_exists(v) ? tk_span(v) : TK_STR("nothing");
}

struct tk_val in(struct tk_val v, const char *name)
{
    return tk_get(v, tk_str_of(name));
}

int64_t number(struct tk_val v)
{
    int64_t n;

    return tk_exists(v) && tk_int64(v, &n) ? n : -1;
}

/* ---- the policy ---- */

static const struct {
    const char *key, *conservative, *preserve;
} defaults[] = {
    {"orphan_call", "drop", "drop"},
    {"orphan_result", "textify", "textify"},
    {"result_before_call", "textify", "move"},
    {"duplicate_id", "textify", "keep_first"},
    {"invalid_pair", "textify", "repair"},
    {"unanswered_call", "insert_result", "insert_result"},
    {"unmatched_result", "textify", "textify"},
    {"blank_text", "drop", "drop"},
    {"merge_adjacent", "never", "never"},
    {"unknown_tools", "report", "report"},
    {"thinking", "demote", "restore"},
    {"unsigned_thinking", "demote", "demote"},
    {"route", "native", "native"},
    {"prior_thinking", "", ""},
    {"base", "conservative", "preserve"},
};

static const char *word(const struct trial *t, struct tk_val v)
{
    struct tk_str text = tk_text(v, (struct tk_arena *)&t->arena);
    struct tk_str zero = tk_arena_printf((struct tk_arena *)&t->arena, "%.*s", SHOW(text));

    return text.p ? zero.p : "";
}

const char *policy_word(const struct trial *t, const char *key)
{
    struct tk_val policy = in(t->params, "policy"), mine = in(policy, key);
    struct tk_val base = tk_is(policy, TK_STRING) ? policy : in(policy, "base");
    bool preserve = tk_exists(base) && tk_text_is(base, TK_STR("preserve"));

    if (tk_exists(mine))
        return word(t, mine);
    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
        if (!strcmp(defaults[i].key, key))
            return preserve ? defaults[i].preserve : defaults[i].conservative;
    return "";
}

bool has_seals(const struct trial *t)
{
    return tk_count(in(t->params, "seals")) > 0;
}

/* ---- lists of findings and edits ---- */

bool has_code(struct tk_val list, const char *code)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (tk_text_is(in(v, "code"), tk_str_of(code)))
            return true;
    return false;
}

bool has_any_code(struct tk_val list, const char *const *codes)
{
    for (; *codes; codes++)
        if (has_code(list, *codes))
            return true;
    return false;
}

struct tk_val edits_of(struct trial *t)
{
    return in(result_of(&t->repair), "edits");
}

bool is_action(struct tk_val edit, const char *action)
{
    return tk_text_is(in(edit, "action"), tk_str_of(action));
}

uint32_t count_action(struct trial *t, const char *action)
{
    struct tk_val edits = edits_of(t);
    uint32_t n = 0;

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        n += is_action(e, action);
    return n;
}

bool is_of_several(struct trial *t, struct tk_val edit)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if ((tk_text_is(in(e, "code"), TK_STR("brk_block_union")) ||
             tk_text_is(in(e, "code"), TK_STR("gem_part_union"))) &&
            tk_str_eq(tk_raw(in(e, "pointer")), tk_raw(in(edit, "pointer"))))
            return true;
    return false;
}

bool was_made(struct trial *t, struct tk_val edit, const char *action)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (is_action(e, action) &&
            tk_str_eq(tk_raw(in(e, "pointer")), tk_raw(in(edit, "pointer"))))
            return true;
    return false;
}

bool is_changed(struct trial *t)
{
    return t->repaired && t->root && tk_is(in(result_of(&t->repair), "changed"), TK_TRUE);
}

bool is_safe(struct trial *t)
{
    return t->repaired && tk_is(in(result_of(&t->repair), "safe"), TK_TRUE);
}

bool is_for(const struct trial *t, const char *endpoint)
{
    return tk_text_is(in(in(t->params, "target"), "endpoint"), tk_str_of(endpoint));
}

/* ---- places ---- */

static bool read_index(const char **at, const char *end, int64_t *ret)
{
    int64_t n = 0;
    const char *from = *at;

    for (; *at < end && **at >= '0' && **at <= '9' && n < 1000000; (*at)++)
        n = n * 10 + (**at - '0');
    *ret = n;
    return *at > from;
}

/* Returns the part that is the first call of a message as sent; -1: it has none. */
static int64_t first_call(const struct trial *t, int64_t message)
{
    const struct view_part *p = view_part(&t->sent, message, 0);

    for (int64_t i = 0; p; p = view_part(&t->sent, message, ++i))
        if (p->kind == VIEW_CALL || tk_is(p->value, TK_NULL))
            return i;
    return -1;
}

/* The part of `/tool_calls/2`, the rest of a pointer into a message of Chat Completions. */
static struct place place_of_call(const struct trial *t, struct place place, const char *at,
                                  const char *end)
{
    int64_t first = first_call(t, place.message), call;

    if (first >= 0 && read_index(&at, end, &call) && at == end)
        place.part = first + call;
    else
        place.deeper = true;
    return place;
}

struct place place_of(struct trial *t, struct tk_val pointer)
{
    static const char calls[] = "/tool_calls/";
    struct tk_str text = tk_text(pointer, &t->arena);
    struct tk_str list = tk_arena_printf(&t->arena, "/%s/", t->list);
    struct tk_str parts = tk_arena_printf(&t->arena, "/%s", t->parts);
    const char *at = text.p + list.n, *end = text.p + text.n;
    struct place place = {-1, -1, false};

    if (!tk_str_starts(text, list) || !read_index(&at, end, &place.message))
        return (struct place){-1, -1, false};
    if (at == end)
        return place;
    if (t->whose == OPENAI &&
        tk_str_starts((struct tk_str){at, (size_t)(end - at)}, tk_str_of(calls)))
        return place_of_call(t, place, at + strlen(calls), end);
    if (!tk_str_starts((struct tk_str){at, (size_t)(end - at)}, parts)) {
        place.deeper = true;
        return place;
    }
    at += parts.n;
    if (at == end) {
        place.part = 0;
        return place;
    }
    at++;
    if (!read_index(&at, end, &place.part))
        place.part = -1;
    place.deeper = at < end;
    return place;
}

/* ---- texts ---- */

bool holds(struct tk_str text, struct tk_str what)
{
    return memmem(text.p, text.n, what.p, what.n) != NULL;
}

/* Returns true if a mark's digits and its "x" begin there. */
static bool ends_mark(const char *at, const char *end)
{
    int k = 0;

    while (k < MARK_DIGITS && at + k < end && at[k] >= '0' && at[k] <= '9')
        k++;
    return k == MARK_DIGITS && at + k < end && at[k] == 'x';
}

struct tk_str next_mark(struct tk_str *text, const char *head)
{
    size_t n = strlen(head);
    const char *end = text->p + text->n, *at = text->p;

    while ((at = memmem(at, (size_t)(end - at), head, n)) && !ends_mark(at + n, end))
        at += n;
    if (!at)
        return (struct tk_str){NULL, 0};
    n += MARK_DIGITS + 1;
    *text = (struct tk_str){at + n, (size_t)(end - at) - n};
    return (struct tk_str){at, n};
}

struct tk_str spliced(struct tk_str sent, struct tk_val splices, struct tk_arena *arena)
{
    struct tk_out out;
    int64_t at = 0;

    tk_out_init(&out, arena);
    for (struct tk_val s = tk_first(splices); tk_exists(s); s = tk_after(splices, s)) {
        struct tk_val offset = tk_first(s), length = tk_after(s, offset);
        struct tk_str text = tk_text(tk_after(s, length), arena);
        int64_t from = number(offset), to = from + number(length);

        if (tk_count(s) != 3 || from < at || to < from || to > (int64_t)sent.n || !text.p ||
            (to == from && text.n == 0))
            return (struct tk_str){NULL, 0};
        tk_out_put(&out, sent.p + at, (size_t)(from - at));
        tk_out_put(&out, text.p, text.n);
        at = to;
    }
    tk_out_put(&out, sent.p + at, sent.n - (size_t)at);
    return tk_out_join(&out);
}

/* ---- values ---- */

static bool same_scalar(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    bool numbers =
        (tk_is(a, TK_INT) || tk_is(a, TK_REAL)) && (tk_is(b, TK_INT) || tk_is(b, TK_REAL));
    struct tk_str x = tk_span(a), y = tk_span(b);

    if (numbers && !tk_str_eq(x, y)) {
        x = tk_arena_printf(arena, "%.*s", SHOW(x));
        y = tk_arena_printf(arena, "%.*s", SHOW(y));
        return strtod(x.p, NULL) == strtod(y.p, NULL);
    }
    if (tk_is(a, TK_STRING) && tk_is(b, TK_STRING))
        return tk_str_eq(tk_text(a, arena), tk_text(b, arena));
    return tk_str_eq(x, y);
}

bool same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    if (!tk_exists(a) || !tk_exists(b))
        return tk_exists(a) == tk_exists(b);
    if (tk_str_eq(tk_span(a), tk_span(b)))
        return true;
    if (tk_node(a)->kind != tk_node(b)->kind || !(tk_is(a, TK_ARRAY) || tk_is(a, TK_OBJECT)))
        return same_scalar(a, b, arena);
    if (tk_count(a) != tk_count(b))
        return false;
    for (struct tk_val x = tk_first(a), y = tk_first(b); tk_exists(x);
         x = tk_after(a, x), y = tk_exists(y) ? tk_after(b, y) : y) {
        struct tk_val other = tk_is(a, TK_OBJECT) ? tk_get(b, tk_key(x, arena)) : y;

        if (!same_value(x, other, arena))
            return false;
    }
    return true;
}

/* True for members that may contain only markers, and then count as absent. */
static bool may_hold_markers(struct tk_str key)
{
    static const char *const keys[] = {"data", "provider_options", "providerOptions", "anthropic"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (tk_str_is(key, keys[i]))
            return true;
    return false;
}

static bool is_nothing_but_markers(struct tk_val v, struct tk_arena *arena);

static bool is_marker(struct tk_val member, struct tk_arena *arena)
{
    struct tk_str key = tk_key(member, arena);

    return tk_str_starts(key, TK_STR("cache")) ||
           (may_hold_markers(key) && is_nothing_but_markers(member, arena));
}

static bool is_nothing_but_markers(struct tk_val v, struct tk_arena *arena)
{
    if (tk_is(v, TK_OBJECT) && tk_text_is(in(v, "type"), TK_STR("anthropic.cache_control_options")))
        return true;
    for (struct tk_val m = tk_first(v); tk_exists(m); m = tk_after(v, m))
        if (!tk_is(v, TK_OBJECT) || !is_marker(m, arena))
            return false;
    return tk_is(v, TK_OBJECT) || tk_is(v, TK_NULL) || (tk_is(v, TK_ARRAY) && tk_count(v) == 0);
}

static bool has_same_members(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    for (struct tk_val m = tk_first(a); tk_exists(m); m = tk_after(a, m)) {
        struct tk_val other = tk_get(b, tk_key(m, arena));

        if (is_marker(m, arena))
            continue;
        if (!tk_exists(other) || !same_unmarked(m, other, arena))
            return false;
    }
    return true;
}

bool same_unmarked(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    struct tk_val y = tk_first(b);

    if (tk_str_eq(tk_span(a), tk_span(b)))
        return true;
    if (tk_is(a, TK_OBJECT) && tk_is(b, TK_OBJECT))
        return has_same_members(a, b, arena) && has_same_members(b, a, arena);
    if (!tk_is(a, TK_ARRAY) || !tk_is(b, TK_ARRAY))
        return tk_node(a)->kind == tk_node(b)->kind && same_scalar(a, b, arena);
    for (struct tk_val x = tk_first(a); tk_exists(x); x = tk_after(a, x), y = tk_after(b, y))
        if (!tk_exists(y) || !same_unmarked(x, y, arena))
            return false;
    return !tk_exists(y);
}
