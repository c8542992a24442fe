/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/equal.h"

static bool is_one_of(struct tk_val member, const struct tk_str *names)
{
    for (; names->p; names++)
        if (tk_key_is(member, *names))
            return true;
    return false;
}

/* Returns the first member from v on that counts. */
static struct tk_val skip(struct tk_val object, struct tk_val v, const struct tk_str *but)
{
    while (tk_exists(v) && is_one_of(v, but))
        v = tk_after(object, v);
    return v;
}

bool tk_is_equal(struct tk_val a, struct tk_val b, const struct tk_str *but)
{
    struct tk_val x, y;

    if (!but || !tk_is(a, TK_OBJECT) || !tk_is(b, TK_OBJECT))
        return tk_same_spelling(a, b);
    x = skip(a, tk_first(a), but);
    y = skip(b, tk_first(b), but);
    while (tk_exists(x) && tk_exists(y)) {
        if (!tk_str_eq(tk_raw_key(x), tk_raw_key(y)) || !tk_same_spelling(x, y))
            return false;
        x = skip(a, tk_after(a, x), but);
        y = skip(b, tk_after(b, y), but);
    }
    return !tk_exists(x) && !tk_exists(y);
}
