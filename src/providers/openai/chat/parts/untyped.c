/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/openai/chat/state.h"

static struct tk_val whole_part(const struct tk_part *p)
{
    return tk_part_val(p, p->node);
}

/* Returns true for an object that has no type, or null. */
static bool lacks_type(struct tk_val v)
{
    struct tk_val type = tk_get(v, TK_STR("type"));

    return !tk_exists(type) || tk_is(type, TK_NULL);
}

bool tk_chat_is_untyped(const struct tk_part *p)
{
    return p->block == TK_CHAT_UNKNOWN && !(p->flags & (TK_PART_IN_CALLS | TK_PART_STRING)) &&
           lacks_type(whole_part(p));
}

/* ---- a part that lacks nothing but its type ---- */

/* Returns the type that the part's only other member says; NULL: none, or not one for its message. */
static const char *type_of(const struct tk_message *m, const struct tk_part *p)
{
    static const struct {
        const char *type;
        enum tk_chat_type block;
        enum tk_kind kind;
    } types[] = {{"text", TK_CHAT_TEXT, TK_STRING},
                 {"image_url", TK_CHAT_IMAGE_URL, TK_OBJECT},
                 {"input_audio", TK_CHAT_INPUT_AUDIO, TK_OBJECT},
                 {"file", TK_CHAT_FILE, TK_OBJECT}};
    struct tk_val whole = whole_part(p);

    if (tk_count(whole) != 1u + tk_exists(tk_get(whole, TK_STR("type"))))
        return NULL;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (tk_is(tk_get(whole, tk_str_of(types[i].type)), types[i].kind))
            return tk_chat_takes(m, types[i].block) ? types[i].type : NULL;
    return NULL;
}

/* ---- messages in the place of parts ---- */

static bool is_message(struct tk_val v)
{
    static const struct tk_str roles[] = {TK_STR_INIT("system"), TK_STR_INIT("developer"),
                                          TK_STR_INIT("user"), TK_STR_INIT("assistant")};
    struct tk_val role = tk_get(v, TK_STR("role"));
    uint32_t known =
        2u + tk_exists(tk_get(v, TK_STR("name"))) + tk_exists(tk_get(v, TK_STR("type")));

    if (!lacks_type(v) || !tk_is(tk_get(v, TK_STR("content")), TK_STRING) || tk_count(v) != known)
        return false;
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (tk_text_is(role, roles[i]))
            return true;
    return false;
}

static bool holds_messages(const struct tk_transcript *t, const struct tk_message *m)
{
    if (tk_count((struct tk_val){m->doc, m->node}) != 2 || m->content == TK_NO_NODE)
        return false;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        if (!is_message(whole_part(&t->parts[i])))
            return false;
    return true;
}

/* Puts the messages in the place of the one that holds them. */
static int unpack(struct tk_plan *p, uint32_t message, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    uint32_t after = message;
    int r = tk_edit_message(p->e, message, code, TK_ACTION_REWRITE);

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        struct tk_encoding out;

        tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
        tk_write_val(&out.w, whole_part(&t->parts[i]));
        after = tk_edit_new_message(p->e, after, tk_encode_end(&out));
        r = after == TK_NONE ? -ENOMEM : 0;
    }
    if (r == 0)
        tk_remove_message(p->e, message);
    return r;
}

/* ---- the fix ---- */

struct tk_decision tk_chat_want_typed(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    const struct tk_message *m = &p->j->t->messages[part->message];

    return type_of(m, part) || holds_messages(p->j->t, m) ? tk_edit_by(TK_ACTION_REWRITE)
                                                          : tk_no_edit();
}

int tk_chat_fix_untyped(struct tk_plan *p, const struct tk_finding *f)
{
    static const struct tk_path at = {{"type"}};
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    const char *type = type_of(&p->j->t->messages[part->message], part);
    int r;

    if (!type)
        return unpack(p, part->message, f->code);
    r = tk_edit_rewritten(p->e, f->site.part, f->code);
    return r < 0 ? r
                 : tk_change_set(p->e, f->site.part, &at, tk_encode_text(p->e, tk_str_of(type)));
}
