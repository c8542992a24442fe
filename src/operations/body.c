/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/body.h"

#include "providers/provider.h"
#include "shapes/shape.h"
#include "value/own.h"

static void write_messages(struct tk_writer *w, const void *arg)
{
    tk_splice_write_messages(w, arg);
}

static void write_set(struct tk_writer *w, const void *arg)
{
    const struct tk_body_input *in = arg;

    tk_splice_write_set_value(w, in->spliced, in->request);
}

static void write_merged(struct tk_writer *w, const void *arg)
{
    tk_tools_write_list(w, arg);
}

size_t tk_body_changes(const struct tk_body_input *in,
                       struct tk_member_change ret[TK_BODY_CHANGES_MAX])
{
    size_t n = 0;

    if (in->spliced && tk_splice_changes_messages(in->spliced))
        ret[n++] = (struct tk_member_change){tk_root_name(in->spliced->provider->rules.shapes[0]),
                                             write_messages, in->spliced};
    if (in->spliced && tk_exists(in->spliced->set))
        ret[n++] = (struct tk_member_change){tk_splice_set_name(in->spliced), write_set, in};
    if (in->tools && in->tools->tools.changed)
        ret[n++] = (struct tk_member_change){TK_STR("tools"), write_merged, &in->tools->tools};
    if (in->tools && in->tools->servers.changed)
        ret[n++] = (struct tk_member_change){tk_str_of(in->tools->servers_name), write_merged,
                                             &in->tools->servers};
    return n;
}

struct tk_val tk_body_make(const struct tk_body_input *in, struct tk_rewrite *ret_made)
{
    struct tk_member_change changes[TK_BODY_CHANGES_MAX];
    size_t n = tk_body_changes(in, changes);
    struct tk_doc *doc;

    if (n == 0)
        return in->request;
    tk_rewrite_begin(ret_made, in->request, NULL, in->arena);
    tk_write_with_changes(&ret_made->w, in->request, changes, n);
    doc = tk_doc_of_own(tk_rewrite_join(ret_made), in->hash_key, in->arena);
    return doc ? tk_root(doc) : TK_NO_VAL;
}
