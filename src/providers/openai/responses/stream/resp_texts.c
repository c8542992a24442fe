/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of messages, and reasoning. */
#include <errno.h>
#include <string.h>

#include "providers/openai/responses/stream/resp_stream.h"
#include "shapes/stream_parts.h"

/* ---- what of a text is new ---- */

void tk_resp_tell_rest(struct tk_stream_turn *t, struct tk_text_run *run,
                       const struct tk_text *came, struct tk_val whole,
                       const struct tk_extra *extra)
{
    struct tk_str before, all;

    if (!tk_is(whole, TK_STRING))
        return;
    if (tk_text_is_empty(came)) {
        tk_run_delta(t, run, whole, extra);
        return;
    }
    before = tk_text_plain(t, came);
    all = tk_text(whole, t->arena);
    if (!before.p || !all.p)
        return;
    if (!tk_str_starts(all, before))
        tk_turn_warn(t, TK_WARNING_TEXT_MISMATCH);
    else if (all.n > before.n)
        tk_run_delta_text(t, run, (struct tk_str){all.p + before.n, all.n - before.n}, extra);
}

/* ---- content parts ---- */

static struct tk_str key_of(struct tk_stream_turn *t, const struct tk_resp_item *item,
                            int64_t index)
{
    return tk_arena_printf(t->arena, "%u.%lld", item->part.at, (long long)index);
}

/* Puts a new text into the table and the item's list. Returns false without memory. */
static bool link_text(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index)
{
    struct tk_resp *own = tk_resp_of(t);
    uint32_t at = own->text_count - 1, *to;
    struct tk_str key = tk_arena_dup(t->keep, key_of(t, item, index));
    bool is_new;

    to = key.p ? tk_map_put(&own->by_content, key, &is_new) : NULL;
    if (!to)
        return false;
    *to = at;
    if (item->last_text == TK_NONE)
        item->first_text = at;
    else
        own->texts[item->last_text].next = at;
    item->last_text = at;
    return true;
}

static struct tk_resp_text *find(struct tk_stream_turn *t, const struct tk_resp_item *item,
                                 int64_t index)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_str key;
    const uint32_t *at;

    if (item->last_text == TK_NONE)
        return NULL;
    if (own->texts[item->last_text].index == index) /* nearly always */
        return &own->texts[item->last_text];
    key = key_of(t, item, index);
    at = key.p ? tk_map_get(&own->by_content, key) : NULL;
    return at ? &own->texts[*at] : NULL;
}

struct tk_resp_text *tk_resp_text_at(struct tk_stream_turn *t, struct tk_resp_item *item,
                                     int64_t index, enum tk_run_kind kind)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_resp_text *text = find(t, item, index);

    if (text)
        return text;
    if (!TK_GROW(t->keep, own->texts, own->text_count, own->text_capacity))
        return NULL;
    text = &own->texts[own->text_count++];
    *text = (struct tk_resp_text){
        .index = index,
        .next = TK_NONE,
        .run = {.kind = (uint8_t)kind,
                .wire_index = item->part.wire_index,
                .choice = item->part.choice,
                .id = tk_arena_printf(t->keep, "%lld.%lld", (long long)item->part.wire_index,
                                      (long long)index)},
    };
    return link_text(t, item, index) ? text : NULL;
}

/* Further members of a text's outputs. */
static const struct tk_extra *with_id(struct tk_extra extra[2], struct tk_str item_id)
{
    extra[0] = extra[1] = (struct tk_extra){.key = NULL};
    if (item_id.p)
        extra[0] = (struct tk_extra){.key = TK_PARTS_ITEM_ID, .text = item_id};
    return extra;
}

int tk_resp_text_delta(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index,
                       struct tk_val delta, enum tk_run_kind kind)
{
    struct tk_resp_text *text = tk_resp_text_at(t, item, index, kind);
    struct tk_extra extra[2];

    if (!text)
        return -ENOMEM;
    with_id(extra, item->item_id);
    if (tk_raw(delta).n > 0)
        tk_run_begin(t, &text->run, extra);
    tk_text_put(t, &text->text, delta);
    tk_run_delta(t, &text->run, delta, extra);
    return 0;
}

/* Tells a citation, and the page or file that it names. */
static void cite(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_resp_text *text,
                 struct tk_val annotation)
{
    struct tk_val url = tk_get(annotation, TK_STR("url"));
    struct tk_stream_source_view source = {
        .url = tk_is(url, TK_STRING) ? url : tk_get(annotation, TK_STR("file_id")),
        .title = tk_get(annotation, tk_is(url, TK_STRING) ? TK_STR("title") : TK_STR("filename"))};

    tk_tell_citation(t, &text->run, annotation);
    if (tk_is(source.url, TK_STRING))
        tk_tell_source(t, item->part.choice, item->part.wire_index, &source,
                       (struct tk_str){NULL, 0});
}

int tk_resp_annotation(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index,
                       struct tk_val annotation)
{
    struct tk_resp_text *text = tk_resp_text_at(t, item, index, TK_RUN_TEXT);
    struct tk_extra extra[2];

    if (!text)
        return -ENOMEM;
    tk_run_begin(t, &text->run, with_id(extra, item->item_id));
    text->told++;
    cite(t, item, text, annotation);
    return 0;
}

/* Tells the annotations of a part that no event told. */
static void cite_rest(struct tk_stream_turn *t, struct tk_resp_item *item,
                      struct tk_resp_text *text, struct tk_val part)
{
    struct tk_val list = tk_get(part, TK_STR("annotations"));
    uint32_t i = 0;

    for (struct tk_val e = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(e);
         e = tk_after(list, e))
        if (i++ >= text->told)
            cite(t, item, text, e);
}

/* Ends the text of one content part. Returns 0 or -ENOMEM. */
static int end_part(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index,
                    struct tk_val part)
{
    bool refuses = tk_text_is(tk_get(part, TK_STR("type")), TK_STR("refusal"));
    struct tk_val whole = tk_get(part, refuses ? TK_STR("refusal") : TK_STR("text"));
    struct tk_resp_text *text;
    struct tk_extra extra[2];

    if (!tk_is(whole, TK_STRING))
        return 0;
    text = tk_resp_text_at(t, item, index, refuses ? TK_RUN_REFUSAL : TK_RUN_TEXT);
    if (!text)
        return -ENOMEM;
    with_id(extra, item->item_id);
    if (tk_raw(whole).n > 0)
        tk_run_begin(t, &text->run, extra);
    tk_resp_tell_rest(t, &text->run, &text->text, whole, extra);
    cite_rest(t, item, text, part);
    return 0;
}

int tk_resp_message_done(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_val list = tk_get(v, TK_STR("content"));
    struct tk_str id = tk_text(tk_get(v, TK_STR("id")), t->arena);
    struct tk_extra extra[2];
    int64_t index = 0;
    int r = 0;

    for (struct tk_val e = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(e) && r == 0;
         e = tk_after(list, e))
        r = end_part(t, item, index++, e);
    with_id(extra, id);
    for (uint32_t i = item->first_text; i != TK_NONE; i = own->texts[i].next) {
        tk_run_end(t, &own->texts[i].run, extra);
        own->texts[i].text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
    }
    return r;
}

/* ---- reasoning ---- */

void tk_resp_reasoning_delta(struct tk_stream_turn *t, struct tk_resp_item *item,
                             const char *member, int64_t index, struct tk_val delta)
{
    const struct tk_extra extra[] = {{.key = member, .number = index}, {.key = NULL}};

    if (item->summary != index) {
        tk_run_changed(&item->part.run);
        item->summary = index;
    }
    tk_text_put(t, &item->part.text, delta);
    tk_run_delta(t, &item->part.run, delta, extra);
}

/* Tells the reasoning of an item of which no delta came. */
static void tell_reasoning(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val list,
                           const char *member)
{
    int64_t index = 0;

    for (struct tk_val e = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(e);
         e = tk_after(list, e), index++) {
        struct tk_val text = tk_get(e, TK_STR("text"));

        if (tk_is(text, TK_STRING))
            tk_resp_reasoning_delta(t, item, member, index, text);
    }
}

int tk_resp_reasoning_done(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_val cipher = tk_get(v, TK_STR("encrypted_content"));
    struct tk_str id = tk_text(tk_get(v, TK_STR("id")), t->arena);
    struct tk_extra extra[] = {{.key = NULL}, {.key = NULL}, {.key = NULL}};
    size_t n = 0;

    if (tk_text_is_empty(&item->part.text)) {
        tell_reasoning(t, item, tk_get(v, TK_STR("summary")), TK_PARTS_SUMMARY_INDEX);
        tell_reasoning(t, item, tk_get(v, TK_STR("content")), TK_PARTS_CONTENT_INDEX);
    }
    if (id.p)
        extra[n++] = (struct tk_extra){.key = TK_PARTS_ITEM_ID, .text = id};
    if (tk_is(cipher, TK_STRING)) {
        item->cipher = tk_keep(t->keep, cipher);
        extra[n++] = (struct tk_extra){.key = TK_PARTS_ENCRYPTED_CONTENT, .val = cipher};
    }
    tk_run_end(t, &item->part.run, extra);
    item->part.text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
    return 0;
}
