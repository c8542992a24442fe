/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs the members of the client's calls (CATALOGUE 3.6). */
#include <errno.h>

#include "providers/anthropic/provider_pairs/mend.h"
#include "providers/anthropic/tool_results/find.h"
#include "providers/anthropic/tool_results/fix_calls.h"
#include "value/digest.h"

static const struct tk_path name_path = {{"name"}};
static const struct tk_path input_path = {{"input"}};

/* Characters that are kept of a long name, and of the digest that tells it from others. */
enum {
    NAME_KEPT = 191,
    NAME_DIGITS = 8
};

/* Returns how many bytes the first n characters take. */
static size_t bytes_of(struct tk_str text, size_t n)
{
    size_t i = 0;

    while (i < text.n && ((text.p[i] & 0xC0) == 0x80 || n-- > 0))
        i++;
    return i;
}

static struct tk_str good_name(struct tk_arena *arena, struct tk_str name)
{
    char hex[TK_SHA256_HEX];

    if (name.n == 0)
        return TK_STR("unknown_tool");
    tk_sha256_hex(name, hex);
    return tk_arena_concat(
        arena,
        (struct tk_str[]){{name.p, bytes_of(name, NAME_KEPT)}, TK_STR("_"), {hex, NAME_DIGITS}}, 3);
}

int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str name = good_name(t->arena, tk_part_name(t, &t->parts[f->site.part]));
    int r = name.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &name_path, tk_encode_text(p->e, name));
}

/* Returns {"rawInvalidInput": value}, or {} for an absent value or null. */
static struct tk_str wrapped(const struct tk_transcript *t, struct tk_val value)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    if (tk_exists(value) && !tk_is(value, TK_NULL)) {
        tk_write_key(&out.w, "rawInvalidInput");
        tk_write_val(&out.w, value);
    }
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];
    struct tk_val input = tk_part_val(call, call->payload);
    struct tk_str object = tk_parsed_object(p->j, input);
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    if (!object.p)
        object = wrapped(p->j->t, input);
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &input_path, object);
}
