/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/common/texts.h"
#include "providers/openai/chat/state.h"
#include "shapes/format.h"
#include "shapes/shape.h"

/* Writes the line and sets a member of the message that is blamed. */
static int set(struct tk_plan *p, const struct tk_finding *f, const char *key, struct tk_str value)
{
    int r = value.p ? tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE) : -ENOMEM;

    return r < 0 ? r : tk_message_set(p->e, f->site.entry, key, value);
}

static int set_text(struct tk_plan *p, const struct tk_finding *f, const char *key,
                    struct tk_str text)
{
    return set(p, f, key, tk_encode_text(p->e, text));
}

/* Writes the line and removes a member. */
static int remove_member(struct tk_plan *p, const struct tk_finding *f, const char *key)
{
    int r = tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE);

    return r < 0 ? r : tk_message_remove(p->e, f->site.entry, key);
}

static const struct tk_message *blamed(const struct tk_plan *p, const struct tk_finding *f)
{
    return &p->j->t->messages[f->site.entry];
}

/* ---- roles ---- */

struct tk_decision tk_chat_want_role(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    const struct tk_message *m = blamed(p, f);
    struct tk_val role = tk_get((struct tk_val){m->doc, m->node}, TK_STR("role"));

    return policy->preserve && tk_text_is(role, TK_STR("model")) ? tk_edit_by(TK_ACTION_REWRITE)
                                                                 : tk_no_edit();
}

int tk_chat_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "role", TK_STR("assistant"));
}

struct tk_decision tk_chat_want_preserving(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->preserve ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

int tk_chat_fix_unsupported_role(struct tk_plan *p, const struct tk_finding *f,
                                 struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "role", TK_STR("user"));
}

int tk_chat_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "role", TK_STR("system"));
}

/* ---- content ---- */

struct tk_decision tk_chat_want_content(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)policy;
    return blamed(p, f)->flags & TK_MESSAGE_KEPT ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_chat_fix_content_null(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "content", TK_STR(""));
}

/* Returns true for an object that is one part, of this format. */
static bool is_part(const struct tk_transcript *t, struct tk_val content)
{
    struct tk_format format;

    return tk_is(tk_get(content, TK_STR("type")), TK_STRING) &&
           !tk_format_of_part(content, t->shape->asked, t->arena, &format);
}

int tk_chat_fix_content_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_val content = tk_chat_content(blamed(p, f));
    struct tk_encoding out;

    (void)d;
    if (!is_part(p->j->t, content))
        return set(p, f, "content", tk_encode_text(p->e, tk_json_text(content, p->j->t->arena)));
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_list(&out.w);
    tk_write_val(&out.w, content);
    tk_write_end(&out.w);
    return set(p, f, "content", tk_encode_end(&out));
}

/* Returns true for a part whose text is one of the message's. */
static bool is_text(const struct tk_part *part)
{
    return part->block == TK_CHAT_TEXT || part->block == TK_CHAT_INPUT_TEXT ||
           part->block == TK_CHAT_OUTPUT_TEXT || part->block == TK_CHAT_REFUSAL;
}

struct tk_str tk_chat_texts(const struct tk_transcript *t, uint32_t message)
{
    bool begun = false;
    struct tk_out out;

    tk_out_init(&out, t->arena);
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *part = &t->parts[i];
        struct tk_str text;

        if (part->flags & TK_PART_IN_CALLS)
            break;
        text = tk_text(tk_part_val(part, part->payload), t->arena);
        if (!is_text(part) || !text.p)
            return (struct tk_str){0};
        tk_out_put(&out, "\n", begun && text.n > 0);
        tk_out_put(&out, text.p, text.n);
        begun |= text.n > 0;
    }
    return tk_out_join(&out);
}

struct tk_decision tk_chat_want_string(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    (void)policy;
    return tk_chat_texts(p->j->t, f->site.entry).p ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

int tk_chat_fix_list_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "content", tk_chat_texts(p->j->t, f->site.entry));
}

/* ---- members ---- */

int tk_chat_fix_empty_calls(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return remove_member(p, f, "tool_calls");
}

int tk_chat_fix_message_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str name = tk_text(tk_chat_member(blamed(p, f), TK_CHAT_M_NAME), p->j->t->arena);
    char *clean = tk_arena_alloc(p->j->t->arena, name.n + 1);
    size_t n = 0;

    (void)d;
    if (!clean)
        return -ENOMEM;
    if (name.n == 0)
        return remove_member(p, f, "name");
    for (size_t i = 0, foreign; i<name.n; i += foreign> 0 ? foreign : 1) {
        foreign = tk_chat_foreign_in_name((struct tk_str){name.p + i, name.n - i});
        clean[n++] = foreign > 0 ? '_' : name.p[i];
    }
    return set_text(p, f, "name", (struct tk_str){clean, n});
}

int tk_chat_fix_no_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return set_text(p, f, "reasoning_content", TK_STR(""));
}

/* ---- messages that say nothing ---- */

struct tk_decision tk_chat_want_no_empty(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    const struct tk_message *m = blamed(p, f);

    (void)policy;
    if (m->flags & TK_MESSAGE_KEPT)
        return tk_no_edit();
    return tk_edit_by(tk_chat_has_reasoning(m) ? TK_ACTION_REWRITE : TK_ACTION_DROP_MESSAGE);
}

int tk_chat_fix_empty_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (d.action == TK_ACTION_REWRITE)
        return set_text(p, f, "content", TK_STR(TK_INTERRUPTED));
    if (p->j->t->first_message == p->j->t->last_message)
        return 0; /* a list without messages is refused, too */
    return tk_edit_drop_message(p->e, f->site.entry, f->code);
}
