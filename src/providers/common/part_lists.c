/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/part_lists.h"

#include <errno.h>

#include "engine/edit/edit_part.h"
#include "providers/common/texts.h"
#include "shapes/read.h"

/* Returns true for a value that no part has to take the place of. */
static bool says_nothing(struct tk_val v)
{
    return !tk_exists(v) || tk_is(v, TK_NULL) || tk_text_is_blank(v);
}

/* Returns a value as a part: an object as it is, another one as a text. `.p == NULL` without memory. */
static struct tk_str as_part(struct tk_edits *e, struct tk_val v)
{
    struct tk_str none = {0}, text;
    struct tk_encoding out;

    if (tk_is(v, TK_OBJECT))
        return tk_span(v);
    text = tk_is(v, TK_STRING) ? tk_span(v) : tk_encode_text(e, tk_json_text(v, e->t->arena));
    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_text(&out.w, text, none);
    return tk_encode_end(&out);
}

struct tk_str tk_as_part_list(struct tk_edits *e, struct tk_val v)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    tk_write_list(&out.w);
    if (!says_nothing(v))
        tk_write_raw(&out.w, as_part(e, v));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_fix_content_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->e->t;
    uint32_t message = f->site.entry;
    struct tk_val content = {t->messages[message].doc, t->messages[message].content};
    int r = tk_edit_message(p->e, message, f->code, d.action);

    if (r == 0)
        r = tk_open_content(p->e, message);
    if (r == 0 && !says_nothing(content))
        r = tk_edit_insert(p->e, message, TK_NONE, as_part(p->e, content));
    if (r == 0)
        tk_read_role_of_parts(t, message);
    return r;
}
