/* SPDX-License-Identifier: Apache-2.0 */
/* The marker: a message of the user at the cut, or a text in the prompt that follows it. */
#include <errno.h>

#include "engine/edit/emit.h"
#include "operations/fit/fit_inside.h"
#include "value/compact.h"

/* ---- where ---- */

/* Returns the first round that was removed, or that lost a step; TK_NONE: none did. */
static uint32_t first_cut(const struct tk_fitted *f, bool *ret_removed)
{
    for (uint32_t i = 0; i < f->round_count; i++)
        if (f->rounds[i].gone) {
            *ret_removed = true;
            return i;
        }
    *ret_removed = false;
    for (uint32_t i = 0; i < f->step_count; i++)
        if (f->steps[i].gone)
            return f->entries[f->steps[i].first].round;
    return TK_NONE;
}

/* Returns true if two neighbouring messages of the user are refused. */
static bool joins_prompt(const struct tk_fit_plan *p)
{
    return p->rules->alternates || p->j->target.endpoint == TK_ENDPOINT_COMPATIBLE;
}

/* Returns true if a text can be put into the prompt. */
static bool takes_text(const struct tk_transcript *t, uint32_t prompt)
{
    struct tk_val content = {t->doc, t->messages[prompt].content};

    return tk_is(content, TK_ARRAY) || tk_is(content, TK_STRING);
}

uint32_t tk_fit_marker_place(const struct tk_fit_plan *p)
{
    const struct tk_fitted *f = p->f;
    bool removed;
    uint32_t round, i;

    if (p->marker_size == 0)
        return TK_NONE;
    round = first_cut(f, &removed);
    if (round == TK_NONE)
        return TK_NONE;
    for (i = f->rounds[round].first; removed && i < p->entry_count; i++)
        if (f->entries[i].kind == TK_ENTRY_PROMPT && f->entries[i].leaves == TK_FIT_STAYS)
            break;
    if (i == p->entry_count || f->entries[i].kind != TK_ENTRY_PROMPT)
        return TK_NONE;
    return !joins_prompt(p) || takes_text(p->t, i) ? i : TK_NONE;
}

/* ---- its form ---- */

/* Returns the marker as an encoded string, and as a message or a part of one. */
static struct tk_str text_of(const struct tk_fit_plan *p, enum tk_codec codec)
{
    return tk_fit_encode(p, codec, tk_write_text_payload, p->o->marker);
}

static struct tk_str message_of(const struct tk_fit_plan *p, enum tk_codec codec)
{
    struct tk_encoding out;

    tk_encode_begin(&out, codec, p->t->arena);
    tk_write_user_message(&out.w, p->t->shape, text_of(p, codec));
    return tk_encode_end(&out);
}

uint64_t tk_fit_marker_size(const struct tk_fit_plan *p)
{
    struct tk_fit_entry x = {.count = TK_NONE};

    x.bytes =
        joins_prompt(p) ? tk_fit_text_part_size(p, p->o->marker) + 1 : message_of(p, TK_JSON).n;
    return tk_fit_size_of(p->o, &x);
}

/* ---- putting it there ---- */

/* Returns the marker, two line feeds and a string, as an encoded string; the old text keeps its bytes. */
static struct tk_str before_string(const struct tk_fit_plan *p, struct tk_val old)
{
    static const struct tk_str space[] = {
        [TK_JSON] = TK_STR_INIT("\\n\\n"), [TK_MSGPACK] = TK_STR_INIT("\n\n")};
    enum tk_codec codec = (enum tk_codec)p->t->doc->codec;
    struct tk_str text = p->o->marker;

    if (codec == TK_JSON) {
        text = text_of(p, codec);
        return text.p ? tk_arena_concat(
                            p->t->arena,
                            (struct tk_str[]){
                                {text.p, text.n - 1}, space[codec], tk_raw(old), TK_STR("\"")},
                            4)
                      : text;
    }
    text = tk_arena_concat(p->t->arena, (struct tk_str[]){text, space[codec], tk_raw(old)}, 3);
    return text.p ? tk_fit_encode(p, codec, tk_write_text_payload, text) : text;
}

/* Returns the content of a prompt, a list, with the marker as its first part. */
static struct tk_str before_parts(const struct tk_fit_plan *p, uint32_t prompt)
{
    const struct tk_transcript *t = p->t;
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    t->shape->write_text(&out.w, text_of(p, out.w.codec), (struct tk_str){NULL, 0});
    for (uint32_t i = t->messages[prompt].first; i != TK_NONE; i = t->parts[i].next)
        tk_emit_part(&out.w, t, i);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* Puts the marker into a prompt as its first text. */
static int put_into(struct tk_fit_plan *p, uint32_t prompt)
{
    struct tk_transcript *t = p->t;
    struct tk_val content = {t->messages[prompt].doc, t->messages[prompt].content};
    bool list = tk_is(content, TK_ARRAY);
    struct tk_str part = TK_STR("");
    int r;

    if (list && !t->shape->calls.p) {
        part = tk_encode_text_part(p->e, p->o->marker, (struct tk_str){NULL, 0});
        r = part.p ? tk_edit_insert(p->e, prompt, TK_NONE, part) : -ENOMEM;
    } else {
        r = tk_message_set(p->e, prompt, tk_parts_name(t->shape).p,
                           list ? before_parts(p, prompt) : before_string(p, content));
    }
    p->f->marker = prompt;
    if (r < 0)
        return r;
    return tk_fit_note_edit(p, (struct tk_fit_edit){prompt, TK_NONE, t->messages[prompt].sent,
                                                    TK_FIT_MARKER_INSERTED,
                                                    list ? TK_ACTION_APPEND : TK_ACTION_REWRITE});
}

int tk_fit_put_marker(struct tk_fit_plan *p, uint32_t prompt)
{
    struct tk_str message;

    if (joins_prompt(p))
        return put_into(p, prompt);
    message = message_of(p, (enum tk_codec)p->t->doc->codec);
    p->f->marker =
        message.p ? tk_edit_new_message(p->e, p->t->messages[prompt].prev, message) : TK_NONE;
    return p->f->marker == TK_NONE ? -ENOMEM : 0;
}
