/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/site.h"

#include "value/pointer.h"

struct tk_str tk_site_pointer(const struct tk_request_view *request, const struct tk_site *site,
                              struct tk_arena *arena)
{
    struct tk_str body, whole;

    if (site->at == TK_NO_NODE)
        return TK_STR("");
    /* Both pointers begin at the document's root, which may be a request that contains the body. */
    body = tk_pointer_of(request->body, TK_STR(""), arena);
    whole = tk_pointer_of(tk_request_val(request, site->at), TK_STR(""), arena);
    if (!body.p || !whole.p)
        return (struct tk_str){0};
    return (struct tk_str){whole.p + body.n, whole.n - body.n};
}
