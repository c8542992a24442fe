/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/seals/canonical_block.h"

#define INPUT TK_STR_INIT("input")

static bool is_named(struct tk_val v, struct tk_str name)
{
    return tk_has_key(v.doc, v.node, name);
}

static bool is_direct_caller(struct tk_val v)
{
    return is_named(v, TK_STR("caller")) && tk_is(v, TK_OBJECT) && tk_count(v) == 1 &&
           tk_text_is(tk_get(v, TK_STR("type")), TK_STR("direct"));
}

static bool loses(struct tk_val member, bool outermost)
{
    return is_named(member, TK_STR("cache_control")) ||
           (outermost && (tk_is(member, TK_NULL) || is_direct_caller(member)));
}

/* Writes a text as {"type": "text", "text": ...}. */
static void put_text_block(const struct tk_canon *c, struct tk_val text)
{
    struct tk_str begin = TK_STR("{s4:text"), end = TK_STR("s4:types4:text}");

    c->put(c->arg, begin.p, begin.n);
    tk_canon_value(c, text);
    c->put(c->arg, end.p, end.n);
}

void tk_canon_block(const struct tk_canon *c, struct tk_val block)
{
    static const struct tk_canon_rules rules = {.loses = loses, .whole = INPUT};

    if (tk_is(block, TK_STRING))
        put_text_block(c, block);
    else
        tk_canon_by(c, block, &rules);
}

void tk_canon_block_emptied(const struct tk_canon *c, struct tk_val block, struct tk_str member)
{
    const struct tk_canon_rules rules = {.loses = loses, .whole = INPUT, .emptied = member};

    tk_canon_by(c, block, &rules);
}
