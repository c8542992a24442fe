/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs documents: their names, and the text that each message with one needs. */
#include <errno.h>

#include "engine/fix.h"
#include "providers/bedrock/rules.h"

/* A name that gets a number is cut to this many characters. */
#define NUMBERED_MAX_LENGTH 190

int tk_brk_fix_document_alone(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return tk_edit_append(p->e, f->site.entry, f->code, d.action, TK_STR("."));
}

/* Returns the part after another one in the history, whichever message it is in; TK_NONE: it is the last. */
static uint32_t next_part(const struct tk_transcript *t, uint32_t *message, uint32_t part)
{
    part = part == TK_NONE ? t->messages[*message].first : t->parts[part].next;
    while (part == TK_NONE && t->messages[*message].next != TK_NONE) {
        *message = t->messages[*message].next;
        part = t->messages[*message].first;
    }
    return part;
}

/* Notes the names of the documents before `part` that aren't noted yet. The fixes of a round come in the
 * order of the history, so each document is looked at once. Returns 0 or -ENOMEM. */
static int note_names(struct tk_plan *p, uint32_t part)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_transcript *t = p->j->t;
    bool fresh;

    if (round->name_message == TK_NONE)
        round->name_message = t->first_message;
    for (uint32_t i = next_part(t, &round->name_message, round->named); i != part && i != TK_NONE;
         i = next_part(t, &round->name_message, i)) {
        round->named = i;
        if (t->parts[i].block == TK_BEDROCK_DOCUMENT &&
            !tk_map_put(&round->names, tk_brk_document_name(t, i), &fresh))
            return -ENOMEM;
    }
    return 0;
}

/* Returns the name, or the first one with a number that no document before has. */
static struct tk_str unused_name(struct tk_plan *p, struct tk_str name)
{
    struct tk_map *names = &tk_bedrock(p->j)->round.names;
    struct tk_arena *arena = p->j->t->arena;
    struct tk_str new = name,
                  cut = {name.p, name.n < NUMBERED_MAX_LENGTH ? name.n : NUMBERED_MAX_LENGTH};
    bool fresh;

    while (new.p && tk_map_get(names, new)) {
        uint32_t *number = tk_map_put(names, cut, &fresh);

        if (!number)
            return (struct tk_str){0};
        *number += *number == 0 ? 2 : 1;
        new = tk_arena_printf(arena, "%.*s (%u)", (int)cut.n, cut.p, *number);
    }
    return new;
}

int tk_brk_fix_document_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path path = {{"document", "name"}};
    struct tk_arena *arena = p->j->t->arena;
    struct tk_str name = tk_brk_clean_name(arena, tk_brk_document_name(p->j->t, f->site.part));
    int r = name.p ? note_names(p, f->site.part) : -ENOMEM;

    (void)d;
    name = r == 0 ? unused_name(p, name) : name;
    if (r == 0)
        r = name.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &path, tk_encode_text(p->e, name));
}
