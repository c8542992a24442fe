/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/json_args.h"

#include <errno.h>

#include "value/unicode.h"
#include "value/writer.h"

static const char raw_input[] = "rawInvalidInput";

/* ---- reading ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns true if a text is empty or begins like something else than an object. */
static bool is_no_object(struct tk_str text)
{
    size_t i = 0;

    while (i < text.n && is_space(text.p[i]))
        i++;
    return i == text.n || text.p[i] != '{';
}

static int read(struct tk_str text, struct tk_doc *tape, const struct tk_transcript *t,
                uint32_t max_depth, uint32_t max_values)
{
    const struct tk_read_limits limits = {max_depth, max_values, {t->hash_key[0], t->hash_key[1]}};
    struct tk_read_error error;

    return tk_json_read(tape, text.p, text.n, &limits, t->arena, &error);
}

bool tk_is_json_object(struct tk_val string, struct tk_doc *tape, const struct tk_transcript *t)
{
    struct tk_str text = tk_text(string, t->arena);
    int r;

    if (is_no_object(text))
        return false;
    if (tk_str_is(text, "{}"))
        return true;
    tape->repeats_keys = true;
    r = read(text, tape, t, UINT32_MAX, UINT32_MAX);
    tape->repeats_keys = false;
    return r == TK_READ_OK || r == -ENOMEM; /* the arena's failure ends the request */
}

/* ---- objects in the request's codec ---- */

struct tk_str tk_object_of_text(struct tk_val string, struct tk_doc *tape,
                                const struct tk_transcript *t)
{
    struct tk_str text = tk_text(string, t->arena);
    struct tk_encoding out;

    if (is_no_object(text) ||
        read(text, tape, t, TK_DEFAULT_MAX_DEPTH, TK_DEFAULT_MAX_VALUES) != TK_READ_OK ||
        tape->has_surrogate)
        return (struct tk_str){0};
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_any(&out.w, tk_root(tape));
    return tk_encode_end(&out);
}

struct tk_str tk_object_for(struct tk_val v, struct tk_doc *tape, const struct tk_transcript *t)
{
    struct tk_str object = tk_object_of_text(v, tape, t);
    struct tk_encoding out;

    if (object.p)
        return object;
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    if (tk_exists(v) && !tk_is(v, TK_NULL)) {
        tk_write_key(&out.w, raw_input);
        tk_write_val(&out.w, v);
    }
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* ---- text ---- */

struct tk_str tk_object_text_for(struct tk_val string, struct tk_arena *arena)
{
    struct tk_encoding out;

    if (tk_text_is_blank(string))
        return TK_STR("{}");
    tk_encode_begin(&out, TK_JSON, arena);
    tk_write_map(&out.w);
    tk_write_kv_str(&out.w, raw_input, tk_text(string, arena));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}
