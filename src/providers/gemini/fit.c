/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include "providers/gemini/rules.h"
#include "providers/gemini/state.h"

static enum tk_entry_kind kind(const struct tk_judge *j, uint32_t entry)
{
    return tk_entry_kind_of(j->t, entry, NULL);
}

/* Joins a call or response of the provider's tools with its other half. */
static int join_half(struct tk_judge *j, struct tk_joins *joins, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    uint32_t other = tk_part_link(&tk_gemini(j)->server, part)->partner;

    if (other == TK_NONE)
        return p->kind == TK_PART_CALL ? tk_join_entries(joins, p->message, TK_NONE) : 0;
    return tk_join_entries(joins, p->message, j->t->parts[other].message);
}

/* A result of code belongs to the newest code before it. */
static int join(struct tk_judge *j, struct tk_joins *joins)
{
    const struct tk_transcript *t = j->t;
    uint32_t code = TK_NONE;
    int r = tk_gem_find_pairs(j);

    if (r == 0)
        r = tk_gem_find_server_parts(j);
    for (uint32_t i = 0; i < t->part_count && r == 0; i++) {
        const struct tk_part *p = &t->parts[i];

        if (p->block == TK_GEMINI_EXECUTABLE_CODE)
            code = p->message;
        else if (p->block == TK_GEMINI_CODE_RESULT && code != TK_NONE)
            r = tk_join_entries(joins, p->message, code);
        else if (tk_is_call(p, true) || tk_is_result(p, true))
            r = join_half(j, joins, i);
    }
    return r;
}

static uint32_t call_of(const struct tk_judge *j, uint32_t entry, uint32_t part)
{
    (void)entry;
    return tk_part_link(&tk_gemini(j)->pairs, part)->partner;
}

static void write_payload(struct tk_writer *w, struct tk_str text)
{
    tk_write_map(w);
    tk_write_kv_str(w, "output", text);
    tk_write_end(w);
}

/* A thought may be a text or an image. A signed one stays: the signature belongs to the turn. */
static bool is_reasoning(const struct tk_part *p)
{
    return (p->kind == TK_PART_TEXT || p->kind == TK_PART_MEDIA) &&
           tk_is(tk_gemini_get(p, TK_GEMINI_THOUGHT), TK_TRUE) && !tk_gemini_has_signature(p);
}

static bool is_media(const struct tk_part *p)
{
    return p->kind == TK_PART_MEDIA;
}

const struct tk_fit_rules tk_gemini_fit = {
    .kind = kind,
    .join = join,
    .call_of = call_of,
    .payload = {{"functionResponse", "response", [TK_OTHER(0)] = "function_response"}},
    .also = {{"functionResponse", "parts", [TK_OTHER(0)] = "function_response"}},
    .write_payload = write_payload,
    .is_reasoning = is_reasoning,
    .is_media = is_media,
};
