/* SPDX-License-Identifier: Apache-2.0 */
/* Items of other APIs, and messages with their roles, become items of this one. */
#include <errno.h>

#include "engine/edit/emit.h"
#include "engine/fix.h"
#include "providers/common/texts.h"
#include "providers/openai/responses/pairs/new_id.h"
#include "providers/openai/responses/rules.h"
#include "providers/openai/responses/text/payload.h"
#include "providers/openai/responses/text/textify.h"

/* ---- what an item says ---- */

/* Returns the member that has the text of an item of text or thinking. */
static struct tk_val text_member(const struct tk_transcript *t, uint32_t item)
{
    return tk_item_get(t, item,
                       tk_item_is(t, item, TK_ITEM_THINKING) ? TK_STR("thinking") : TK_STR("text"));
}

/* Returns the text of a result's content: a string, texts of a list, or else JSON. */
static struct tk_str content_text(struct tk_val content, struct tk_arena *arena)
{
    if (!tk_exists(content) || tk_is(content, TK_NULL))
        return TK_STR("");
    if (tk_is(content, TK_STRING))
        return tk_text(content, arena);
    return tk_is(content, TK_ARRAY) && tk_has_only_texts(content)
               ? tk_texts_of(content, false, arena)
               : tk_json_text(content, arena);
}

/* ---- items of other types ---- */

static bool can_become(const struct tk_transcript *t, uint32_t item)
{
    switch (t->messages[item].item) {
    case TK_ITEM_TOOL_USE:
    case TK_ITEM_TOOL_RESULT:
        return true;
    case TK_ITEM_TEXT:
    case TK_ITEM_INPUT_TEXT:
    case TK_ITEM_OUTPUT_TEXT:
    case TK_ITEM_THINKING:
        return tk_is(text_member(t, item), TK_STRING);
    case TK_ITEM_IMAGE_URL:
    case TK_ITEM_INPUT_IMAGE:
        return tk_has_image_url(tk_item_val(t, item));
    default:
        return false;
    }
}

struct tk_decision tk_want_item_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    if (!can_become(p->j->t, f->site.entry))
        return tk_no_edit();
    return tk_edit_by(tk_item_is(p->j->t, f->site.entry, TK_ITEM_THINKING) ? TK_ACTION_DEMOTE
                                                                           : TK_ACTION_REWRITE);
}

/* Writes a call's input as the string that this API takes. */
static void write_arguments(struct tk_writer *w, struct tk_val input, struct tk_arena *arena)
{
    tk_write_key(w, "arguments");
    if (tk_is(input, TK_STRING))
        tk_write_any(w, input);
    else if (!tk_exists(input) || tk_is(input, TK_NULL))
        tk_write_cstr(w, "{}");
    else
        tk_write_str(w, tk_json_text(input, arena));
}

/* Returns the member of the item's own type, or where there is none that of the one it becomes. */
static struct tk_val either(const struct tk_transcript *t, uint32_t item, struct tk_str own,
                            struct tk_str new_name)
{
    struct tk_val v = tk_item_get(t, item, own);

    return tk_exists(v) && !tk_is(v, TK_NULL) ? v : tk_item_get(t, item, new_name);
}

static void write_call(struct tk_plan *p, struct tk_writer *w, uint32_t item)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_val id = tk_item_get(t, item, TK_STR("id"));
    struct tk_val name = tk_item_get(t, item, TK_STR("name"));

    if (!tk_has_text(id))
        id = tk_item_get(t, item, TK_STR("call_id"));
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "function_call");
    tk_write_kv_str(w, "call_id",
                    tk_has_text(id) ? tk_text(id, t->arena) : tk_id_of_place(p->j, item));
    if (tk_exists(name)) {
        tk_write_key(w, "name");
        tk_write_any(w, name);
    }
    write_arguments(w, either(t, item, TK_STR("input"), TK_STR("arguments")), t->arena);
}

static void write_output(const struct tk_transcript *t, struct tk_writer *w, uint32_t item)
{
    struct tk_val content = either(t, item, TK_STR("content"), TK_STR("output"));

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "function_call_output");
    tk_write_key(w, "call_id");
    tk_write_any(w, tk_item_get(t, item, TK_STR("tool_use_id")));
    tk_write_kv_str(w, "output", content_text(content, t->arena));
}

static void write_image(const struct tk_transcript *t, struct tk_writer *w, uint32_t item)
{
    tk_write_message_begin(w, TK_ROLE_USER);
    tk_write_input_image(w, tk_item_val(t, item));
    tk_write_end(w);
}

static void write_said(const struct tk_transcript *t, struct tk_writer *w, uint32_t item)
{
    bool model = tk_item_is(t, item, TK_ITEM_OUTPUT_TEXT) || tk_item_is(t, item, TK_ITEM_THINKING);
    enum tk_role role = model ? TK_ROLE_ASSISTANT : TK_ROLE_USER;
    bool result = tk_item_is(t, item, TK_ITEM_TOOL_RESULT);

    tk_write_message_begin(w, role);
    tk_write_role_text(w, role,
                       result ? content_text(tk_item_get(t, item, TK_STR("content")), t->arena)
                              : tk_text(text_member(t, item), t->arena));
    tk_write_end(w);
}

/* The members that an item of another type gives to the one it becomes, that this one writes itself,
 * or that mean nothing here. All others stay (RULES.md 8). */
#define ANY_ITEM TK_STR_INIT("id"), TK_STR_INIT("cache_control")

static const struct tk_str of_call[] = {
    ANY_ITEM,
    TK_STR_INIT("call_id"),
    TK_STR_INIT("name"),
    TK_STR_INIT("input"),
    TK_STR_INIT("arguments"),
    {NULL, 0},
};
static const struct tk_str of_output[] = {
    ANY_ITEM,
    TK_STR_INIT("tool_use_id"),
    TK_STR_INIT("call_id"),
    TK_STR_INIT("output"),
    TK_STR_INIT("is_error"),
    {NULL, 0},
};
static const struct tk_str of_lone_result[] = {
    ANY_ITEM,
    TK_STR_INIT("tool_use_id"),
    TK_STR_INIT("is_error"),
    {NULL, 0},
};
static const struct tk_str of_text[] = {ANY_ITEM, TK_STR_INIT("text"), {NULL, 0}};
static const struct tk_str of_thinking[] = {
    ANY_ITEM,
    TK_STR_INIT("thinking"),
    TK_STR_INIT("signature"),
    {NULL, 0},
};
static const struct tk_str of_image[] = {
    ANY_ITEM,
    TK_STR_INIT("image_url"),
    TK_STR_INIT("detail"),
    {NULL, 0},
};

/* Writes the item that one of another type becomes, without its end. Returns the members that it took. */
static const struct tk_str *write_item(struct tk_plan *p, struct tk_writer *w, uint32_t item)
{
    const struct tk_transcript *t = p->j->t;

    switch (t->messages[item].item) {
    case TK_ITEM_TOOL_USE:
        write_call(p, w, item);
        return of_call;
    case TK_ITEM_TOOL_RESULT:
        if (tk_has_text(tk_item_get(t, item, TK_STR("tool_use_id")))) {
            write_output(t, w, item);
            return of_output;
        }
        write_said(t, w, item);
        return of_lone_result;
    case TK_ITEM_IMAGE_URL:
    case TK_ITEM_INPUT_IMAGE:
        write_image(t, w, item);
        return of_image;
    default:
        write_said(t, w, item);
        return tk_item_is(t, item, TK_ITEM_THINKING) ? of_thinking : of_text;
    }
}

int tk_fix_item_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t item = f->site.entry;
    const struct tk_str *taken;
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    taken = write_item(p, &out.w, item);
    tk_write_other_members(&out.w, t, item, taken);
    tk_write_end(&out.w);
    return tk_item_become(p, item, f->code, d.action, tk_encode_end(&out));
}

/* ---- messages of other roles ---- */

/* Returns the id of the call that a message of role `tool` or `function` answers; absent: none. */
static struct tk_val answered_id(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val role = tk_item_get(t, item, TK_STR("role"));
    struct tk_val id = tk_item_get(t, item, TK_STR("tool_call_id"));

    if (!tk_text_is(role, TK_STR("tool")) && !tk_text_is(role, TK_STR("function")))
        return TK_NO_VAL;
    if (!tk_has_text(id))
        id = tk_item_get(t, item, TK_STR("call_id"));
    return tk_has_text(id) ? id : TK_NO_VAL;
}

/* Writes a list of parts of another API with its texts as those of this one. */
static void write_parts(struct tk_writer *w, struct tk_val list, struct tk_arena *arena)
{
    tk_write_list(w);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_val text = tk_get(v, TK_STR("text"));

        if (tk_is(v, TK_OBJECT) && tk_text_is(tk_get(v, TK_STR("type")), TK_STR("text")) &&
            tk_is(text, TK_STRING))
            tk_write_role_text(w, TK_ROLE_USER, tk_text(text, arena));
        else
            tk_write_any(w, v);
    }
    tk_write_end(w);
}

static void write_answer(struct tk_writer *w, struct tk_val content, struct tk_arena *arena)
{
    tk_write_key(w, "output");
    if (!tk_exists(content) || tk_is(content, TK_NULL))
        tk_write_cstr(w, "");
    else if (!tk_is(content, TK_ARRAY))
        tk_write_any(w, content);
    else if (tk_has_only_texts(content))
        tk_write_str(w, tk_texts_of(content, false, arena));
    else
        write_parts(w, content, arena);
}

/* The members of such a message that an output doesn't have. */
static bool is_of_message(struct tk_val member)
{
    static const char *const names[] = {"type",    "role",         "content",
                                        "call_id", "tool_call_id", "output"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (tk_key_is(member, tk_str_of(names[i])))
            return true;
    return false;
}

static int become_output(struct tk_plan *p, uint32_t item, uint16_t code, struct tk_val id)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_val v = tk_emitted_message(t, item);
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "type", "function_call_output");
    tk_write_key(&out.w, "call_id");
    tk_write_any(&out.w, id);
    write_answer(&out.w, tk_get(v, TK_STR("content")), t->arena);
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x))
        if (!is_of_message(x)) {
            tk_write_key_str(&out.w, tk_key(x, t->arena));
            tk_write_any(&out.w, x);
        }
    tk_write_end(&out.w);
    return tk_item_become(p, item, code, TK_ACTION_REWRITE, tk_encode_end(&out));
}

int tk_fix_item_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t item = f->site.entry;
    struct tk_val id = answered_id(t, item), role = tk_item_get(t, item, TK_STR("role"));
    bool model = tk_text_is(role, TK_STR("model"));
    int r;

    (void)d;
    if (tk_exists(id))
        return become_output(p, item, f->code, id);
    r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);
    if (r == 0)
        r = tk_item_set_text(p, item, "role", model ? TK_STR("assistant") : TK_STR("user"));
    return r == 0 ? tk_item_remove(p, item, "tool_call_id") : r;
}

int tk_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_item_line(p, f->site.entry, f->code, TK_ACTION_REWRITE);

    (void)d;
    return r == 0 ? tk_item_set_text(p, f->site.entry, "role", TK_STR("system")) : r;
}
