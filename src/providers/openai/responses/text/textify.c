/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/text/textify.h"

#include "engine/fix.h"
#include "providers/common/texts.h"
#include "providers/openai/responses/text/payload.h"
#include "shapes/members.h"
#include "value/unicode.h"

/* ---- messages ---- */

void tk_write_message_begin(struct tk_writer *w, enum tk_role role)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "message");
    tk_write_kv_cstr(w, "role", role == TK_ROLE_ASSISTANT ? "assistant" : "user");
    tk_write_key(w, "content");
    tk_write_list(w);
}

void tk_write_role_text(struct tk_writer *w, enum tk_role role, struct tk_str text)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", role == TK_ROLE_ASSISTANT ? "output_text" : "input_text");
    tk_write_kv_str(w, "text", text);
    tk_write_end(w);
}

static bool is_listed(struct tk_val member, const struct tk_str *names)
{
    for (; names && names->p; names++)
        if (tk_key_is(member, *names))
            return true;
    return false;
}

void tk_write_other_members(struct tk_writer *w, const struct tk_transcript *t, uint32_t item,
                            const struct tk_str *taken)
{
    const struct tk_item *row = tk_item_at(t, item);
    struct tk_val v = tk_item_val(t, item);

    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
        if (tk_key_is(x, TK_STR("type")) || tk_key_is(x, TK_STR("role")) ||
            tk_key_is(x, TK_STR("content")) || is_listed(x, taken) ||
            tk_item_member_of(x, row->required | row->known) != TK_IM_COUNT ||
            tk_member_kind(x, t->arena) < TK_MEMBER_WORDS)
            continue;
        tk_write_key_str(w, tk_key(x, t->arena));
        tk_write_any(w, x);
    }
}

/* Returns an image's URL, which another API puts into an object; absent: it has none. */
static struct tk_val url_of(struct tk_val image)
{
    struct tk_val url = tk_get(image, TK_STR("image_url"));

    if (tk_is(url, TK_OBJECT))
        url = tk_get(url, TK_STR("url"));
    return tk_has_text(url) ? url : TK_NO_VAL;
}

void tk_write_input_image(struct tk_writer *w, struct tk_val image)
{
    struct tk_val url = tk_get(image, TK_STR("image_url")),
                  detail = tk_get(image, TK_STR("detail"));

    if (!tk_exists(detail))
        detail = tk_get(url, TK_STR("detail"));
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "input_image");
    tk_write_key(w, "image_url");
    tk_write_any(w, url_of(image));
    if (tk_exists(detail) && !tk_is(detail, TK_NULL)) {
        tk_write_key(w, "detail");
        tk_write_any(w, detail);
    }
    tk_write_end(w);
}

bool tk_has_image_url(struct tk_val image)
{
    return tk_exists(url_of(image));
}

/* ---- the mark ---- */

static struct tk_str or_else(struct tk_str s, struct tk_str other)
{
    return s.n > 0 ? s : other;
}

/* Returns the name in the mark of an output, its call's or its own; empty if neither has one. */
static struct tk_str name_of_output(const struct tk_transcript *t, uint32_t item)
{
    uint32_t part = tk_item_part(t, item), call = TK_NONE;
    struct tk_str name = {0};

    if (t->named_by && part < t->input_parts)
        call = t->named_by[part];
    if (call != TK_NONE)
        name =
            tk_shared_text(t, tk_get(tk_item_sent(t, t->parts[call].from_message), TK_STR("name")));
    return or_else(name, tk_text(tk_item_get(t, item, TK_STR("name")), t->arena));
}

/* Returns the name in the mark of an item that the server executed: its own, or its type's. */
static struct tk_str name_of_hosted(const struct tk_transcript *t, uint32_t item)
{
    struct tk_str name = tk_text(tk_item_get(t, item, TK_STR("name")), t->arena);
    struct tk_str type = tk_item_at(t, item)->type, tail = TK_STR("_call");

    if (name.n > 0 || !type.p)
        return name;
    return tk_str_ends(type, tail) ? (struct tk_str){type.p, type.n - tail.n} : type;
}

/* Returns the payload with its mark, if the policy wants one. */
static struct tk_str marked(struct tk_plan *p, uint32_t item, struct tk_str payload)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str name;

    if (!p->j->policy->mark_text)
        return payload;
    name = tk_item_at(t, item)->kind == TK_PART_RESULT ? name_of_output(t, item)
                                                       : name_of_hosted(t, item);
    return tk_marked_text(t->arena, name, payload);
}

/* ---- media ---- */

static struct tk_val screenshot_of(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val output = tk_item_get(t, item, TK_STR("output"));
    bool is_one = tk_item_is(t, item, TK_ITEM_COMPUTER_OUTPUT) &&
                  (tk_is(tk_get(output, TK_STR("image_url")), TK_STRING) ||
                   tk_is(tk_get(output, TK_STR("file_id")), TK_STRING));

    return is_one ? output : TK_NO_VAL;
}

static void write_screenshot(struct tk_writer *w, struct tk_val output)
{
    struct tk_val url = tk_get(output, TK_STR("image_url"));
    const char *key = tk_is(url, TK_STRING) ? "image_url" : "file_id";

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "input_image");
    tk_write_key(w, key);
    tk_write_any(w, tk_get(output, tk_str_of(key)));
    tk_write_end(w);
}

static struct tk_val list_of(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val output = tk_item_get(t, item, TK_STR("output"));

    return tk_item_is(t, item, TK_ITEM_SHELL_OUTPUT) || !tk_is(output, TK_ARRAY) ? TK_NO_VAL
                                                                                 : output;
}

static bool has_media(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val list = list_of(t, item);

    if (tk_exists(screenshot_of(t, item)))
        return true;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (tk_is_input_media(v))
            return true;
    return false;
}

static void write_media(struct tk_writer *w, const struct tk_transcript *t, uint32_t item)
{
    struct tk_val list = list_of(t, item), screenshot = screenshot_of(t, item);

    if (tk_exists(screenshot))
        write_screenshot(w, screenshot);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (tk_is_input_media(v))
            tk_write_any(w, v);
}

/* ---- decision and edit ---- */

struct tk_decision tk_want_text(struct tk_plan *p, uint32_t item)
{
    const struct tk_transcript *t = p->j->t;

    if (!tk_is_blank(tk_item_payload(t, item)) || has_media(t, item))
        return tk_edit_by(TK_ACTION_TEXTIFY);
    return tk_item_is_kept(t, item) ? tk_no_edit() : tk_edit_by(TK_ACTION_DROP);
}

int tk_item_textify(struct tk_plan *p, uint32_t item, uint16_t code)
{
    const struct tk_transcript *t = p->j->t;
    enum tk_role role =
        tk_item_at(t, item)->kind == TK_PART_RESULT ? TK_ROLE_USER : TK_ROLE_ASSISTANT;
    struct tk_str text = marked(p, item, tk_item_payload(t, item));
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_message_begin(&out.w, role);
    if (!tk_is_blank(text))
        tk_write_role_text(&out.w, role, text);
    write_media(&out.w, t, item);
    tk_write_end(&out.w);
    tk_write_other_members(&out.w, t, item, NULL);
    tk_write_end(&out.w);
    return tk_item_become(p, item, code, TK_ACTION_TEXTIFY, tk_encode_end(&out));
}
