/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/openai/chat/state.h"

/* ---- what a part becomes ---- */

static bool is_image_of_responses(const struct tk_part *part)
{
    return part->block == TK_CHAT_INPUT_IMAGE && tk_is(tk_part_val(part, part->payload), TK_STRING);
}

static bool is_media(const struct tk_part *part)
{
    return part->block == TK_CHAT_IMAGE_URL || part->block == TK_CHAT_INPUT_AUDIO ||
           part->block == TK_CHAT_FILE || is_image_of_responses(part);
}

/* Returns true for a foreign part that has to go to a message of the user. */
static bool has_to_move(const struct tk_message *m, const struct tk_part *part)
{
    bool takes_images = tk_is_chat_user(m) || tk_is_tool_message(m);

    return tk_chat_is_foreign_part(m, part) && is_media(part) &&
           !(takes_images && part->block == TK_CHAT_INPUT_IMAGE);
}

static bool is_text(const struct tk_part *part)
{
    return (part->kind == TK_PART_TEXT || part->block == TK_CHAT_REFUSAL) &&
           tk_is(tk_part_val(part, part->payload), TK_STRING);
}

struct tk_decision tk_chat_want_part(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];

    (void)policy;
    if (tk_chat_is_untyped(part))
        return tk_chat_want_typed(p, f);
    if (has_to_move(&p->j->t->messages[part->message], part))
        return tk_edit_by(TK_ACTION_MOVE);
    return tk_edit_by(is_text(part) || is_image_of_responses(part) ? TK_ACTION_REWRITE
                                                                   : TK_ACTION_NONE);
}

/* Writes a part as Chat spells it. */
static void write_part(struct tk_writer *w, const struct tk_part *part)
{
    struct tk_val whole = tk_part_val(part, part->node);
    struct tk_val detail = tk_get(whole, TK_STR("detail"));

    if (part->block != TK_CHAT_INPUT_IMAGE) {
        tk_write_val(w, whole);
        return;
    }
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "image_url");
    tk_write_key(w, "image_url");
    tk_write_map(w);
    tk_write_key(w, "url");
    tk_write_val(w, tk_part_val(part, part->payload));
    if (tk_exists(detail)) {
        tk_write_key(w, "detail");
        tk_write_val(w, detail);
    }
    tk_write_end(w);
    tk_write_end(w);
}

static int spell(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_transcript *t = p->j->t;
    const struct tk_part *part = &t->parts[f->site.part];
    struct tk_encoding out;
    int r;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    if (part->block == TK_CHAT_INPUT_IMAGE)
        write_part(&out.w, part);
    else
        t->shape->write_text(&out.w, tk_span(tk_part_val(part, part->payload)), (struct tk_str){0});
    r = tk_edit_rewritten(p->e, f->site.part, f->code);
    return r < 0 ? r : tk_change_all(p->e, f->site.part, tk_encode_end(&out));
}

/* ---- media that move ---- */

/* Returns a message of the user with all media that leave a message. */
static struct tk_str message_of_media(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "role", "user");
    tk_write_key(&out.w, "content");
    tk_write_list(&out.w);
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        if (has_to_move(m, &t->parts[i]))
            write_part(&out.w, &t->parts[i]);
    tk_write_end(&out.w);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* Moves all media of a message at once; the findings about the others then find them gone. */
static int move_media(struct tk_plan *p, uint32_t message, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    int r = tk_chat_add_after_row(p, message, message_of_media(t, message));

    for (uint32_t i = t->messages[message].first, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (!has_to_move(&t->messages[message], &t->parts[i]))
            continue;
        r = tk_edit_part(p->e, i, code, TK_ACTION_MOVE);
        tk_remove_part(p->e, i);
    }
    if (r == 0 && (t->messages[message].first == TK_NONE ||
                   (t->parts[t->messages[message].first].flags & TK_PART_IN_CALLS)))
        r = tk_message_set(p->e, message, "content", tk_encode_text(p->e, TK_STR("")));
    return r;
}

int tk_chat_fix_part(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (d.action == TK_ACTION_MOVE)
        return move_media(p, f->site.entry, f->code);
    return tk_chat_is_untyped(&p->j->t->parts[f->site.part]) ? tk_chat_fix_untyped(p, f)
                                                             : spell(p, f);
}

/* ---- images that are none ---- */

int tk_chat_fix_bad_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_textify(p->e, f->site.part, f->code, TK_STR("[image removed]"));
}
