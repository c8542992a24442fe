/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/texts.h"

#include "value/compact.h"
#include "value/cut.h"
#include "value/unicode.h"

/* ---- characters ---- */

size_t tk_characters(struct tk_str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += !tk_continues_character(text.p[i]);
    return n;
}

struct tk_str tk_first_characters(struct tk_str text, size_t n)
{
    size_t i = 0;

    while (i < text.n && (tk_continues_character(text.p[i]) || n-- > 0))
        i++;
    return (struct tk_str){text.p, i};
}

bool tk_characters_exceed(struct tk_val string, size_t most, struct tk_arena *arena)
{
    /* Escapes only make the spelling longer than the text. */
    return tk_is(string, TK_STRING) && tk_raw(string).n > most &&
           tk_characters(tk_text(string, arena)) > most;
}

/* ---- pieces ---- */

struct tk_words tk_words_begin(struct tk_arena *arena, const char *separator)
{
    struct tk_words w = {.separator = separator};

    tk_out_init(&w.out, arena);
    return w;
}

void tk_words_add(struct tk_words *w, struct tk_str piece)
{
    if (piece.n == 0)
        return;
    if (w->out.size > 0)
        tk_out_put(&w->out, w->separator, strlen(w->separator));
    tk_out_ref(&w->out, piece);
}

struct tk_str tk_words_end(struct tk_words *w)
{
    return tk_out_join(&w->out);
}

/* ---- values ---- */

/* Returns true if only a provider can read the member. */
static bool is_opaque(struct tk_val member, struct tk_arena *arena)
{
    struct tk_str head = TK_STR("encrypted"), key = tk_key(member, arena);

    if (tk_str_is(key, "signature"))
        return true;
    if (key.n < head.n)
        return false;
    for (size_t i = 0; i < head.n; i++)
        if ((key.p[i] | 0x20) != head.p[i])
            return false;
    return true;
}

static struct tk_str json_without(struct tk_val v, struct tk_arena *arena,
                                  bool (*skip)(struct tk_val member, struct tk_arena *arena))
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_compact_json(&out, v, skip);
    return tk_out_join(&out);
}

struct tk_str tk_json_text(struct tk_val v, struct tk_arena *arena)
{
    return json_without(v, arena, NULL);
}

struct tk_str tk_readable_json(struct tk_val v, struct tk_arena *arena)
{
    return json_without(v, arena, is_opaque);
}

struct tk_str tk_marked_text(struct tk_arena *arena, struct tk_str name, struct tk_str text)
{
    bool blank = tk_is_blank(text);
    struct tk_str parts[] = {TK_STR("["), name.n > 0 ? tk_cut(name, arena) : TK_STR("tool"),
                             blank ? TK_STR(" result]") : TK_STR(" result]\n"),
                             blank ? TK_STR("") : text};

    return tk_arena_concat(arena, parts, 4);
}
