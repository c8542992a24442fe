/* SPDX-License-Identifier: Apache-2.0 */
/* Members of items get values that the API takes, or go. */
#include <errno.h>

#include "engine/fix.h"
#include "providers/common/texts.h"
#include "providers/openai/responses/pairs/new_id.h"
#include "providers/openai/responses/rules.h"
#include "providers/openai/responses/text/payload.h"
#include "providers/openai/responses/text/textify.h"
#include "value/splice.h"

/* ---- wrong types ---- */

/* Returns the value as the string or list that the API takes, encoded. */
static struct tk_str as_words(struct tk_plan *p, struct tk_val v)
{
    struct tk_arena *arena = p->j->t->arena;
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, arena);
    if (!tk_exists(v) || tk_is(v, TK_NULL)) {
        tk_write_cstr(&out.w, "");
    } else if (tk_is(v, TK_OBJECT) && tk_is(tk_get(v, TK_STR("type")), TK_STRING)) {
        tk_write_list(&out.w);
        tk_write_any(&out.w, v);
        tk_write_end(&out.w);
    } else {
        tk_write_str(&out.w, tk_json_text(v, arena));
    }
    return tk_encode_end(&out);
}

int tk_fix_member_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t item = f->site.entry;
    bool message = tk_item_is(p->j->t, item, TK_ITEM_MESSAGE);
    const char *name = message ? "content" : "output";
    struct tk_str words = as_words(p, tk_item_get(p->j->t, item, tk_str_of(name)));
    int r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);

    (void)d;
    return r == 0 ? tk_item_set(p, item, name, words) : r;
}

/* ---- missing members ---- */

/* Returns true if repair knows a value for the member. */
static bool has_value(const struct tk_transcript *t, uint32_t item, enum tk_item_member member)
{
    return member == TK_IM_CALL_ID ? tk_item_is_call(t, item)
                                   : tk_item_default(t->messages[item].item, member).p != NULL;
}

struct tk_decision tk_want_members(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t item = f->site.entry;
    uint64_t missing = tk_missing_members(t, item);

    (void)policy;
    if ((missing & TK_IM(CALL_ID)) && tk_item_is_output(t, item))
        return tk_want_text(p, item);
    for (; missing != 0; missing &= missing - 1)
        if (has_value(t, item, (enum tk_item_member)__builtin_ctzll(missing)))
            return tk_edit_by(TK_ACTION_REWRITE);
    return tk_no_edit();
}

/* Returns JSON text of a default, which is a string or an empty list, in the request's codec. */
static struct tk_str encoded_default(struct tk_plan *p, struct tk_str json)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    if (json.p[0] == '"') {
        tk_write_str(&out.w, (struct tk_str){json.p + 1, json.n - 2});
    } else {
        tk_write_list(&out.w);
        tk_write_end(&out.w);
    }
    return tk_encode_end(&out);
}

static int fill(struct tk_plan *p, uint32_t item, enum tk_item_member member)
{
    const char *name = tk_item_member_names[member].p;

    if (member == TK_IM_CALL_ID)
        return tk_item_set_text(p, item, name, tk_new_call_id(p->j, item));
    return tk_item_set(p, item, name,
                       encoded_default(p, tk_item_default(p->j->t->messages[item].item, member)));
}

int tk_fix_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t item = f->site.entry;
    uint64_t missing = tk_missing_members(p->j->t, item);
    int r;

    if (d.action == TK_ACTION_DROP)
        return tk_item_drop(p, item, f->code);
    if (d.action == TK_ACTION_TEXTIFY)
        return tk_item_textify(p, item, f->code);
    r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);
    for (; missing != 0 && r == 0; missing &= missing - 1) {
        enum tk_item_member member = (enum tk_item_member)__builtin_ctzll(missing);

        if (has_value(p->j->t, item, member))
            r = fill(p, item, member);
    }
    return r;
}

/* ---- calls of a Chat message ---- */

/* A call in `tool_calls`, as an item. */
struct chat_call {
    const char *type;        /* of the item */
    struct tk_val id;        /* absent if it has none */
    struct tk_val name;      /* likewise */
    const char *member;      /* "arguments" or "input" */
    struct tk_val arguments; /* absent if it has none */
};

/* Reads a call; false for one of another shape. */
static bool read_call(struct tk_val v, struct chat_call *ret)
{
    struct tk_val function = tk_get(v, TK_STR("function")), custom = tk_get(v, TK_STR("custom"));
    struct tk_val type = tk_get(v, TK_STR("type"));
    bool is_custom = tk_text_is(type, TK_STR("custom")) && tk_is(custom, TK_OBJECT);
    bool is_function =
        (!tk_exists(type) || tk_is(type, TK_NULL) || tk_text_is(type, TK_STR("function"))) &&
        tk_is(function, TK_OBJECT);

    if (!tk_is(v, TK_OBJECT) || (!is_custom && !is_function))
        return false;
    *ret = (struct chat_call){
        .type = is_custom ? "custom_tool_call" : "function_call",
        .id = tk_get(v, TK_STR("id")),
        .name = tk_get(is_custom ? custom : function, TK_STR("name")),
        .member = is_custom ? "input" : "arguments",
        .arguments =
            is_custom ? tk_get(custom, TK_STR("input")) : tk_get(function, TK_STR("arguments")),
    };
    return true;
}

/* Returns true if all calls of a message can become items. */
static bool can_read_calls(struct tk_val calls)
{
    struct chat_call call;

    if (!tk_exists(calls) || tk_is(calls, TK_NULL))
        return true;
    if (!tk_is(calls, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(calls); tk_exists(v); v = tk_after(calls, v))
        if (!read_call(v, &call))
            return false;
    return true;
}

static void write_value(struct tk_writer *w, const char *key, struct tk_val v)
{
    if (!tk_exists(v))
        return;
    tk_write_key(w, key);
    tk_write_any(w, v);
}

static struct tk_str encode_call(struct tk_plan *p, const struct chat_call *call)
{
    const char *nothing = strcmp(call->member, "input") == 0 ? "" : "{}";
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "type", call->type);
    write_value(&out.w, "call_id", call->id);
    write_value(&out.w, "name", call->name);
    tk_write_key(&out.w, call->member);
    if (!tk_exists(call->arguments) || tk_is(call->arguments, TK_NULL))
        tk_write_cstr(&out.w, nothing);
    else if (tk_is(call->arguments, TK_STRING))
        tk_write_any(&out.w, call->arguments);
    else
        tk_write_str(&out.w, tk_json_text(call->arguments, p->j->t->arena));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* Adds a message's calls as items after it, in their order. */
static int add_calls(struct tk_plan *p, uint32_t item, struct tk_val calls)
{
    uint32_t after = item;
    struct chat_call call;
    int r = 0;

    for (struct tk_val v = tk_first(calls); tk_exists(v) && r == 0; v = tk_after(calls, v)) {
        read_call(v, &call);
        r = tk_item_insert(p, after, encode_call(p, &call), &after);
    }
    return r;
}

/* ---- unknown members ---- */

struct tk_decision tk_want_without_members(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;
    struct tk_val calls = TK_NO_VAL;

    (void)policy;
    if (tk_item_is(p->j->t, item, TK_ITEM_MESSAGE) && f->site.part == TK_NONE)
        calls = tk_item_get(p->j->t, item, TK_STR("tool_calls"));
    return can_read_calls(calls) ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

/* Deletes the refused members of a content part. */
static int clean_part(struct tk_plan *p, uint32_t part, uint16_t code)
{
    static const struct tk_path refused[] = {{{"parsed"}}, {{"cache_control"}}};
    int r = tk_edit_rewritten(p->e, part, code);

    tk_items_touch(p->j);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]) && r == 0; i++)
        r = tk_change_remove(p->e, part, &refused[i]);
    return r;
}

/* Deletes `created_by` from each chunk of a shell's output. */
static int clean_chunks(struct tk_plan *p, uint32_t item)
{
    struct tk_val chunks = tk_shell_chunks(p->j->t, item);
    uint32_t count = tk_exists(chunks) ? tk_count(chunks) : 0, n = 0, index = 0;
    struct tk_element *elements = tk_arena_alloc(p->j->t->arena, count * sizeof(*elements));
    static const struct tk_path output = {{"output"}};

    if (!elements)
        return -ENOMEM;
    for (struct tk_val v = tk_first(chunks); tk_exists(v); v = tk_after(chunks, v), index++) {
        struct tk_val member = tk_get(v, TK_STR("created_by"));

        if (tk_exists(member))
            elements[n++] = (struct tk_element){
                .index = index, .value = tk_splice_remove(p->j->t->arena, v, v, member)};
    }
    return n == 0 ? 0 : tk_change_elements(p->e, tk_item_part(p->j->t, item), &output, elements, n);
}

/* Returns the name of the item's first refused member; NULL: it has none. */
static const char *refused_member(const struct tk_transcript *t, uint32_t item)
{
    static const char *const names[] = {"created_by", "status",           "tool_calls",
                                        "parsed",     "parsed_arguments", "tool_call_id"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct tk_val member = tk_item_get(t, item, tk_str_of(names[i]));

        if (tk_exists(member) && tk_is_item_offender(t, item, member))
            return names[i];
    }
    return NULL;
}

int tk_fix_item_members(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t item = f->site.entry;
    struct tk_val calls = TK_NO_VAL;
    const char *name;
    int r;

    (void)d;
    if (tk_item_is(t, item, TK_ITEM_MESSAGE) && f->site.part != TK_NONE)
        return clean_part(p, f->site.part, f->code);
    if (tk_item_is(t, item, TK_ITEM_MESSAGE))
        calls = tk_item_get(t, item, TK_STR("tool_calls"));
    r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);
    while (r == 0 && (name = refused_member(t, item)) != NULL)
        r = tk_item_remove(p, item, name);
    if (r == 0)
        r = clean_chunks(p, item);
    return r == 0 && tk_exists(calls) ? add_calls(p, item, calls) : r;
}
