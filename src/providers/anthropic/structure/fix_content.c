/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs content of a wrong type (CATALOGUE 3.3). */
#include "providers/anthropic/rules.h"
#include "providers/anthropic/structure/emptied.h"
#include "shapes/format.h"
#include "shapes/shape.h"

/* ---- content ---- */

static struct tk_val content_of(const struct tk_plan *p, uint32_t message)
{
    const struct tk_message *m = &p->j->t->messages[message];

    return (struct tk_val){m->doc, m->content};
}

/* Returns true for an object that is one block of this dialect. */
static bool is_block(const struct tk_transcript *t, struct tk_val content)
{
    struct tk_format format;

    return tk_is(tk_get(content, TK_STR("type")), TK_STRING) &&
           !tk_format_of_part(content, t->shape->asked, t->arena, &format);
}

/* An object with a type is a block, and absent content or null is no content. Nobody
 * knows what anything else means, so it stays. */
struct tk_decision tk_want_content(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    struct tk_val content = content_of(p, f->site.entry);

    if (!tk_exists(content) || tk_is(content, TK_NULL))
        return tk_want_filled(p, f, policy);
    return tk_edit_by(is_block(p->j->t, content) ? TK_ACTION_REWRITE : TK_ACTION_NONE);
}

int tk_fix_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    if (tk_is(content_of(p, f->site.entry), TK_OBJECT))
        return tk_edit_wrap(p->e, f->site.entry, f->code);
    return tk_settle(p, f->site.entry, f->code);
}
