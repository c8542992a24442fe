/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs blank texts, and turns results into texts (PROVIDERS.md 1.5, 5.5, 6.5). */
#include <errno.h>

#include "engine/fix.h"
#include "engine/runs.h"
#include "providers/bedrock/rules.h"
#include "providers/common/texts.h"
#include "value/unicode.h"

struct tk_decision tk_brk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->blank_text == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_DROP);
}

/* ---- what a result says ---- */

/* Returns a value as text: a string as it is, anything else as JSON that a model can read. */
static struct tk_str as_text(struct tk_val v, struct tk_arena *arena)
{
    return tk_is(v, TK_STRING) ? tk_text(v, arena) : tk_readable_json(v, arena);
}

struct tk_str tk_brk_payload(const struct tk_transcript *t, uint32_t result, bool *ret_media)
{
    static const struct tk_str names[] = {TK_STR_INIT("text"), TK_STR_INIT("json"),
                                          TK_STR_INIT("image"), TK_STR_INIT("document"),
                                          TK_STR_INIT("video")};
    const struct tk_part *p = &t->parts[result];
    struct tk_val content = tk_part_val(p, p->payload), at[5];
    struct tk_words words = tk_words_begin(t->arena, "\n");

    *ret_media = false;
    if (tk_is(content, TK_STRING))
        return tk_text(content, t->arena);
    for (struct tk_val v = tk_first(content); tk_is(content, TK_ARRAY) && tk_exists(v);
         v = tk_after(content, v)) {
        tk_pick(v, names, 5, at);
        if (tk_is(at[0], TK_STRING))
            tk_words_add(&words, tk_text(at[0], t->arena));
        if (tk_exists(at[1]) && !tk_is(at[1], TK_NULL))
            tk_words_add(&words, as_text(at[1], t->arena));
        *ret_media = *ret_media || tk_exists(at[2]) || tk_exists(at[3]) || tk_exists(at[4]);
    }
    return tk_words_end(&words);
}

/* Returns the name of a result's tool: that of the first call with its id, else its own. */
static struct tk_str label_of(const struct tk_transcript *t, uint32_t result)
{
    uint32_t call = t->named_by && result < t->input_parts ? t->named_by[result] : TK_NONE;
    struct tk_str name = {0};

    if (call != TK_NONE)
        name = tk_part_name(t, &t->parts[call]);
    return name.p ? name : tk_own_tool(t, &t->parts[result]);
}

struct tk_str tk_brk_as_text(struct tk_judge *j, uint32_t result)
{
    const struct tk_transcript *t = j->t;
    bool media;
    struct tk_str text = tk_brk_payload(t, result, &media);

    if (!text.p)
        return text;
    if (tk_is_result(&t->parts[result], true) && tk_str_is(tk_trim(text), "[HIDDEN]"))
        text = TK_STR("");
    if (tk_is_blank(text) && !(media && j->policy->mark_text))
        return TK_STR("");
    return j->policy->mark_text ? tk_marked_text(t->arena, label_of(t, result), text) : text;
}

/* ---- the edit ---- */

static int note_text(struct tk_plan *p, uint32_t part)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;

    if (!TK_GROW(p->j->t->arena, round->texts, round->text_count, round->text_capacity))
        return -ENOMEM;
    round->texts[round->text_count++] = part;
    return 0;
}

int tk_brk_textify(struct tk_plan *p, uint32_t result, uint16_t code)
{
    const struct tk_part *part = &p->j->t->parts[result];
    bool client = tk_is_result(part, false) && !tk_brk_is_model(p->j->t, part->message);
    struct tk_str text = tk_brk_as_text(p->j, result);
    int r;

    if (!text.p)
        return -ENOMEM;
    tk_brk_leaves(p, result, !tk_is_blank(text));
    if (tk_is_blank(text))
        return tk_edit_drop(p->e, result, code);
    r = tk_edit_textify(p->e, result, code, text);
    return r == 0 && client ? note_text(p, result) : r;
}

/* ---- the end of a round ---- */

/* Puts those of the texts that precede a result of their message, which are `count`, after its last result. */
static int place_texts(struct tk_plan *p, const uint32_t *texts, uint32_t count)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[texts[0]].message, last = t->messages[message].last, to;
    int r = 0;

    while (last != TK_NONE && !tk_is_result(&t->parts[last], false))
        last = t->parts[last].prev;
    to = last;
    for (uint32_t i = t->messages[message].first, at = 0, next;
         last != TK_NONE && i != last && at < count && r == 0; i = next) {
        next = t->parts[i].next;
        if (i != texts[at])
            continue;
        r = tk_edit_carry(p->e, i, message, to);
        to = i;
        at++;
    }
    return r;
}

int tk_brk_settle(struct tk_plan *p)
{
    const struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t i = 0, end; i < round->text_count && r == 0; i = end) {
        for (end = i + 1; end < round->text_count &&
                          t->parts[round->texts[end]].message == t->parts[round->texts[i]].message;)
            end++;
        r = place_texts(p, &round->texts[i], end - i);
    }
    return r < 0 ? r : tk_settle_runs(p);
}
