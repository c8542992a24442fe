/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/output_only.h"

static const struct tk_output_only *row_of(const struct tk_output_only *table, struct tk_val member,
                                           unsigned when)
{
    for (; table->name.p; table++)
        if ((table->when == 0 || (table->when & when)) &&
            tk_has_key(member.doc, member.node, table->name))
            return table;
    return NULL;
}

/* Returns true if a member goes; row: that of its name, or NULL. */
static bool goes(const struct tk_output_only *table, const struct tk_output_only *row,
                 struct tk_val member)
{
    if (!row)
        return table->goes == TK_GOES_NOT_ALONE;
    if (row->goes == TK_GOES_IF_EMPTY && tk_is(member, TK_ARRAY))
        return !tk_exists(tk_first(member));
    if (row->goes == TK_GOES_IF_EMPTY || row->goes == TK_GOES_IF_NULL)
        return tk_is(member, TK_NULL);
    return row->goes == TK_GOES_ALWAYS;
}

bool tk_has_output_only(struct tk_val v, const struct tk_output_only *table, unsigned when)
{
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
        const struct tk_output_only *row;

        if (tk_is(v, TK_ARRAY)) {
            if (tk_is(x, TK_OBJECT) && tk_has_output_only(x, table, when))
                return true;
            continue;
        }
        row = row_of(table, x, when);
        if (goes(table, row, x) || (row && row->inside && tk_has_output_only(x, row->inside, when)))
            return true;
    }
    return false;
}

static void write_list(struct tk_writer *w, struct tk_val list, const struct tk_output_only *table,
                       unsigned when)
{
    tk_write_list(w);
    for (struct tk_val x = tk_first(list); tk_exists(x); x = tk_after(list, x))
        tk_write_without_output_only(w, x, table, when);
    tk_write_end(w);
}

void tk_write_without_output_only(struct tk_writer *w, struct tk_val v,
                                  const struct tk_output_only *table, unsigned when)
{
    if (tk_is(v, TK_ARRAY)) {
        write_list(w, v, table, when);
        return;
    }
    if (!tk_is(v, TK_OBJECT)) {
        tk_write_any(w, v);
        return;
    }
    tk_write_map(w);
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
        const struct tk_output_only *row = row_of(table, x, when);

        if (goes(table, row, x))
            continue;
        tk_write_key_str(w, tk_key(x, w->out->arena));
        if (row && row->inside)
            tk_write_without_output_only(w, x, row->inside, when);
        else
            tk_write_any(w, x);
    }
    tk_write_end(w);
}
