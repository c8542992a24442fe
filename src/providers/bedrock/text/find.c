/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges blank texts (CATALOGUE 4.3). The provider refuses an empty text, and white space in a message
 * that says nothing else. One directly between two signed blocks of reasoning is part of what was signed.
 */
#include "providers/bedrock/rules.h"

static bool is_blank(const struct tk_part *p)
{
    struct tk_val text = tk_part_val(p, p->payload);

    return p->kind == TK_PART_TEXT && (!tk_is(text, TK_STRING) || tk_text_is_blank(text));
}

/* Returns true for a block that says something: a text that isn't blank, a call or a result. */
static bool says_something(const struct tk_part *p)
{
    return p->kind == TK_PART_CALL || p->kind == TK_PART_RESULT ||
           (p->kind == TK_PART_TEXT && !is_blank(p));
}

static bool is_signed(const struct tk_transcript *t, uint32_t part)
{
    return part != TK_NONE && (t->parts[part].flags & TK_PART_SIGNED);
}

static bool is_refused(const struct tk_transcript *t, const struct tk_part *p, bool speaks)
{
    struct tk_val text = tk_part_val(p, p->payload);
    bool empty = tk_is(text, TK_STRING) && tk_raw(text).n == 0;

    return (empty || !speaks) && !(is_signed(t, p->prev) && is_signed(t, p->next));
}

static int find_in_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    bool speaks = false, blank = false;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        bool says = says_something(&t->parts[i]);

        speaks = speaks || says;
        blank = blank || (!says && t->parts[i].kind == TK_PART_TEXT);
    }
    for (uint32_t i = t->messages[message].first; i != TK_NONE && blank && r == 0;
         i = t->parts[i].next)
        if (is_blank(&t->parts[i]))
            r = tk_find(&j->findings, j->t, TK_CODE_BRK_TEXT_BLANK,
                        is_refused(t, &t->parts[i], speaks) ? TK_ERROR : TK_WARNING,
                        tk_site_of(message, i));
    return r;
}

int tk_brk_find_blank_texts(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        r = find_in_message(j, m);
    return r;
}
