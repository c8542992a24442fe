/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/common/image_url.h"
#include "providers/openai/chat/state.h"

#define TYPE(id) (1u << TK_CHAT_##id)

/* The types that a message takes. Unknown ones pass. */
static uint32_t types_of(const struct tk_message *m)
{
    if (tk_is_assistant(m))
        return TYPE(TEXT) | TYPE(REFUSAL);
    if (tk_is_tool_message(m))
        return TYPE(TEXT) | TYPE(IMAGE_URL);
    if (m->role == TK_ROLE_SYSTEM)
        return TYPE(TEXT);
    if (tk_is_chat_user(m))
        return TYPE(TEXT) | TYPE(IMAGE_URL) | TYPE(INPUT_AUDIO) | TYPE(FILE);
    return UINT32_MAX;
}

bool tk_chat_takes(const struct tk_message *m, enum tk_chat_type type)
{
    return types_of(m) & 1u << type;
}

bool tk_chat_is_foreign_part(const struct tk_message *m, const struct tk_part *p)
{
    return p->block != TK_CHAT_UNKNOWN && !(p->flags & (TK_PART_IN_CALLS | TK_PART_STRING)) &&
           !tk_chat_takes(m, (enum tk_chat_type)p->block);
}

/* Finds the parts of contents for which is_bad() returns true. */
static int find(struct tk_judge *j, uint16_t code,
                bool (*is_bad)(const struct tk_judge *j, const struct tk_message *m,
                               const struct tk_part *p))
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, TK_SEEN_PART))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (!(t->parts[i].flags & TK_PART_IN_CALLS) && is_bad(j, &t->messages[m], &t->parts[i]))
                r = tk_find_part(&j->findings, t, code, i);
    return r;
}

static bool is_foreign(const struct tk_judge *j, const struct tk_message *m,
                       const struct tk_part *p)
{
    (void)j;
    return tk_chat_is_foreign_part(m, p) || tk_chat_is_untyped(p);
}

int tk_chat_find_part_type(struct tk_judge *j)
{
    return tk_chat_is(j, TK_OPENAI_OWN) ? find(j, TK_CODE_CHAT_CONTENT_PART_TYPE, is_foreign) : 0;
}

static bool is_image_of_tool(const struct tk_judge *j, const struct tk_message *m,
                             const struct tk_part *p)
{
    (void)j;
    return tk_is_tool_message(m) && p->block == TK_CHAT_IMAGE_URL;
}

int tk_chat_find_image_in_tool(struct tk_judge *j)
{
    return tk_chat_is(j, TK_OPENAI_OWN) ? find(j, TK_CODE_CHAT_IMAGE_IN_TOOL, is_image_of_tool) : 0;
}

/* OpenAI looks at the bytes. Nothing is known of other servers, nor of data that can't be decoded. */
static enum tk_severity severity_of(const struct tk_judge *j, enum tk_url_image image)
{
    return image == TK_URL_IMAGE_FOREIGN && tk_chat_is(j, TK_OPENAI_OWN) &&
                   !tk_chat_is(j, TK_OPENAI_AZURE)
               ? TK_ERROR
               : TK_WARNING;
}

static enum tk_url_image image_of(const struct tk_judge *j, const struct tk_part *p)
{
    return p->block == TK_CHAT_IMAGE_URL
               ? tk_url_image(tk_get(tk_part_val(p, p->payload), TK_STR("url")), j->t->arena)
               : TK_URL_IMAGE_FINE;
}

int tk_chat_find_bad_image(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, TK_SEEN_PART))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            enum tk_url_image image = image_of(j, &t->parts[i]);

            if (image != TK_URL_IMAGE_FINE)
                r = tk_find(&j->findings, t, TK_CODE_CHAT_IMAGE_INVALID, severity_of(j, image),
                            tk_site_of(m, i));
        }
    return r;
}
