/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "engine/fix.h"
#include "providers/openai/responses/text/textify.h"

static bool is_image_url(const struct tk_part *p)
{
    return tk_text_is(tk_part_val(p, p->type), TK_STR("image_url"));
}

/* Returns true if a part of another API can be written as one of this. */
static bool can_convert(const struct tk_part *p, enum tk_content content)
{
    struct tk_val v = tk_part_val(p, p->node);

    if (content == TK_CONTENT_REFUSAL)
        return tk_is(tk_get(v, TK_STR("refusal")), TK_STRING);
    return !is_image_url(p) || tk_has_image_url(v);
}

struct tk_decision tk_want_part_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    enum tk_role role = (enum tk_role)p->j->t->messages[part->message].role;
    bool fits;
    enum tk_content content = tk_content_of(part, role, &fits);

    (void)policy;
    if (!can_convert(part, content))
        return tk_no_edit();
    return tk_edit_by(content == TK_CONTENT_MEDIA && role == TK_ROLE_ASSISTANT ? TK_ACTION_MOVE
                                                                               : TK_ACTION_REWRITE);
}

static int set_type(struct tk_plan *p, uint32_t part, struct tk_str type)
{
    static const struct tk_path path = {{"type"}};

    return tk_change_set(p->e, part, &path, tk_encode_text(p->e, type));
}

/* Writes a refusal as the text that it says. */
static int write_refusal(struct tk_plan *p, uint32_t part)
{
    const struct tk_part *x = &p->j->t->parts[part];
    struct tk_val refusal = tk_get(tk_part_val(x, x->node), TK_STR("refusal"));
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_role_text(&out.w, TK_ROLE_USER, tk_text(refusal, p->j->t->arena));
    return tk_change_all(p->e, part, tk_encode_end(&out));
}

static int write_image(struct tk_plan *p, uint32_t part)
{
    const struct tk_part *x = &p->j->t->parts[part];
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_input_image(&out.w, tk_part_val(x, x->node));
    return tk_change_all(p->e, part, tk_encode_end(&out));
}

/* Returns the user message that takes the media of an assistant's; TK_NONE without memory. All media
 * that one check finds in a message share it. */
static uint32_t message_for_media(struct tk_plan *p, uint32_t message)
{
    struct tk_responses *own = tk_responses(p->j);
    struct tk_encoding out;

    if (own->media_of == message && own->media_to != TK_NONE)
        return own->media_to;
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_message_begin(&out.w, TK_ROLE_USER);
    tk_write_end(&out.w);
    tk_write_end(&out.w);
    own->media_of = message;
    return tk_item_insert(p, message, tk_encode_end(&out), &own->media_to) < 0 ? TK_NONE
                                                                               : own->media_to;
}

static int move_media(struct tk_plan *p, uint32_t part, uint16_t code)
{
    uint32_t from = p->j->t->parts[part].message, to = message_for_media(p, from);
    int r;

    if (to == TK_NONE)
        return -ENOMEM;
    r = tk_edit_move(p->e, part, code, to, p->j->t->messages[to].last);
    p->j->t->messages[from].flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    return r == 0 && is_image_url(&p->j->t->parts[part]) ? write_image(p, part) : r;
}

int tk_fix_part_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t part = f->site.part;
    enum tk_role role = (enum tk_role)p->j->t->messages[f->site.entry].role;
    bool fits;
    enum tk_content content = tk_content_of(&p->j->t->parts[part], role, &fits);
    int r;

    tk_items_touch(p->j);
    if (d.action == TK_ACTION_MOVE)
        return move_media(p, part, f->code);
    r = tk_edit_rewritten(p->e, part, f->code);
    if (r < 0)
        return r;
    if (content == TK_CONTENT_REFUSAL)
        return write_refusal(p, part);
    if (content == TK_CONTENT_MEDIA)
        return write_image(p, part);
    return set_type(p, part,
                    role == TK_ROLE_ASSISTANT ? TK_STR("output_text") : TK_STR("input_text"));
}
