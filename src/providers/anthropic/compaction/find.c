/* SPDX-License-Identifier: Apache-2.0 */
/* Judges compaction blocks (CATALOGUE 3.11). The provider sums up a long history in one block, and
 * the next request begins with that block. The provider accepts a signed one at no other place. */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

static bool is_signed(const struct tk_part *p)
{
    return tk_has_text(tk_get(tk_part_val(p, p->node), TK_STR("signature")));
}

static bool is_empty(const struct tk_part *p)
{
    struct tk_val content = tk_get(tk_part_val(p, p->node), TK_STR("content"));

    return tk_is(content, TK_STRING) && tk_raw(content).n == 0;
}

static bool is_first(const struct tk_transcript *t, uint32_t part)
{
    return t->parts[part].message == t->first_message && t->parts[part].prev == TK_NONE;
}

static int judge_part(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    int r = 0;

    if (is_empty(p))
        r = tk_find_part(&j->findings, j->t, TK_CODE_COMPACTION_BLOCK_EMPTY, part);
    if (r < 0 || !is_signed(p))
        return r;
    tk_anthropic(j)->newest_compaction = part;
    if (!is_first(j->t, part) && !j->t->lone_turn)
        r = tk_find_part(&j->findings, j->t, TK_CODE_COMPACTION_BLOCK_MISPLACED, part);
    return r;
}

int tk_judge_compaction(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_anthropic(j)->newest_compaction = TK_NONE;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (t->parts[i].block == TK_BLOCK_COMPACTION)
                r = judge_part(j, i);
    return r;
}

/* ---- edits of `context_management`, by which the provider shortens the conversation itself ---- */

/* Fewest tokens at which it may compact. */
#define LEAST_TRIGGER 50000

/* Returns the number of tokens that an edit waits for, if that is too low; else TK_NO_VAL. */
static struct tk_val low_trigger(struct tk_val edit)
{
    struct tk_val trigger = tk_get(edit, TK_STR("trigger"));
    struct tk_val tokens = tk_is(trigger, TK_OBJECT) ? tk_get(trigger, TK_STR("value")) : trigger;
    int64_t n;

    return tk_int64(tokens, &n) && n < LEAST_TRIGGER ? tokens : TK_NO_VAL;
}

static int judge_edit(struct tk_judge *j, struct tk_val edit, bool first)
{
    struct tk_val type = tk_get(edit, TK_STR("type")), low = TK_NO_VAL;

    if (!first && tk_text_is(type, TK_STR("clear_thinking_20251015")))
        return tk_find_request(&j->findings, j->t, TK_CODE_CONTEXT_MANAGEMENT_EDITS, edit.node);
    if (tk_text_is(type, TK_STR("compact_20260112")))
        low = low_trigger(edit);
    return tk_exists(low)
               ? tk_find_other_form(&j->findings, j->t, TK_CODE_CONTEXT_MANAGEMENT_EDITS, low.node)
               : 0;
}

int tk_judge_context_edits(struct tk_judge *j)
{
    struct tk_val edits =
        tk_get(tk_request_at(j->request, TK_REQUEST_CONTEXT_MANAGEMENT), TK_STR("edits"));
    bool first = true;
    int r = 0;

    for (struct tk_val v = tk_first(edits); tk_is(edits, TK_ARRAY) && tk_exists(v) && r == 0;
         v = tk_after(edits, v), first = false)
        r = judge_edit(j, v, first);
    return r;
}
