/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/json_text.h"

#include "value/unicode.h"

bool tk_is_json_object(struct tk_val string, struct tk_doc *tape, const struct tk_transcript *t)
{
    const struct tk_read_limits limits = {
        TK_DEFAULT_MAX_DEPTH, UINT32_MAX, {t->hash_key[0], t->hash_key[1]}};
    struct tk_str text = tk_text(string, t->arena);
    struct tk_read_error error;

    if (!text.p || text.n < 2 || tk_is_blank(text))
        return false;
    if (text.n == 2 && tk_str_is(text, "{}"))
        return true;
    return tk_json_read(tape, text.p, text.n, &limits, t->arena, &error) == TK_READ_OK &&
           tk_is(tk_root(tape), TK_OBJECT);
}
