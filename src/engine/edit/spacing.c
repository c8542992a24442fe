/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/edit/spacing.h"

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the white space before `end`, which isn't the first byte of its document. */
static struct tk_str white_before(const char *end)
{
    const char *p = end;

    while (is_white(p[-1]))
        p--;
    return (struct tk_str){p, (size_t)(end - p)};
}

/* Returns the comma before an element with the white space around it; `.p == NULL` before the
 * first. */
static struct tk_str separator_before(struct tk_val element)
{
    struct tk_str white = white_before(tk_span(element).p), more;

    if (white.p[-1] != ',')
        return (struct tk_str){NULL, 0};
    more = white_before(white.p - 1);
    return (struct tk_str){more.p, more.n + 1 + white.n};
}

/* Returns the white space after the opening bracket. */
static struct tk_str opening(const struct tk_spacing *s)
{
    struct tk_val first = tk_first(s->list);

    return tk_exists(first) ? white_before(tk_span(first).p) : (struct tk_str){NULL, 0};
}

void tk_spacing_begin(struct tk_spacing *s, struct tk_writer *w, struct tk_val list)
{
    struct tk_str white;

    tk_write_list(w);
    *s = (struct tk_spacing){.list = TK_NO_VAL, .at = TK_NO_VAL};
    if (w->codec != TK_JSON || !tk_is(list, TK_ARRAY))
        return;
    s->list = list;
    s->at = tk_first(list);
    s->made[s->made_n++] = ',';
    white = opening(s);
    if (white.n > 0 && white.n <= TK_SPACING_MAX) {
        memcpy(s->made + 1, white.p, white.n);
        s->made_n += (uint8_t)white.n;
    }
}

/* Returns the element at `index`; TK_NO_VAL if it was passed already or doesn't exist. */
static struct tk_val seek(struct tk_spacing *s, uint32_t index)
{
    if (index == UINT32_MAX || index < s->index)
        return TK_NO_VAL;
    for (; s->index < index && tk_exists(s->at); s->index++)
        s->at = tk_after(s->list, s->at);
    return s->at;
}

void tk_spacing_next(struct tk_spacing *s, struct tk_writer *w, uint32_t index)
{
    struct tk_val element;
    struct tk_str separator = {NULL, 0};

    if (!tk_exists(s->list))
        return;
    element = seek(s, index);
    if (w->open[w->depth - 1].count == 0)
        separator = opening(s);
    else if (tk_exists(element))
        separator = separator_before(element);
    if (!separator.p && w->open[w->depth - 1].count > 0)
        separator = (struct tk_str){s->made, s->made_n};
    tk_write_separator(w, separator);
}

void tk_spacing_end(struct tk_spacing *s, struct tk_writer *w)
{
    struct tk_str list;

    if (tk_exists(s->list) && w->open[w->depth - 1].count > 0) {
        list = tk_span(s->list);
        tk_out_ref(w->out, white_before(list.p + list.n - 1));
    }
    tk_write_end(w);
}
