/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider's words as a template of the catalogue has them, and where they are in a text.
 *
 *     messages.{message}.content.{part}: `tool_use` ids must be unique
 *     '---- path: what is blamed ----'   '----------- body -----------'
 *
 * Most templates have no path. {message} and the like are slots; "..." in a template is one, too: words
 * that vary. Texts and templates are compared in their normal form (normal.h). Nothing here knows a
 * provider.
 */
#ifndef TK_RULES_WORDING_PHRASE_H
#define TK_RULES_WORDING_PHRASE_H

#include "rules/wording/normal.h"

enum {
    TK_PHRASE_MAX = 640,     /* bytes of a template */
    TK_PHRASE_SLOTS = 12,    /* slots of a template */
    TK_SLOT_MAX = 1024,      /* bytes of a slot's value, in normal form */
    TK_MARK_NUMBER = '\x01', /* a slot for a number, in a template's normal form */
    TK_MARK_TEXT = '\x02',   /* a slot for any text */
};

struct tk_phrase {
    char bytes[TK_PHRASE_MAX];
    uint32_t path; /* size of the path; 0: the template has none */
    uint32_t body; /* where the body begins */
    uint32_t end;
    uint32_t count;                       /* slots */
    struct tk_str names[TK_PHRASE_SLOTS]; /* "message"; empty: "..." */
};

/* A place in a normal form: from the first byte to the one after the last. */
struct tk_section {
    uint32_t from, to;
};

/* A phrase in a text. */
struct tk_found {
    struct tk_section body;
    struct tk_section
        slots[TK_PHRASE_SLOTS]; /* in the template's order; those of its path are empty */
};

/* Reads a template. Returns false if it is too long or has too many slots. */
bool tk_phrase_read(struct tk_phrase *ret, const char *template);

/* Returns how many bytes of a phrase from `from` to before `to` aren't slots. */
uint32_t tk_phrase_literals(const struct tk_phrase *phrase, uint32_t from, uint32_t to);

/* Returns where the sentences before those that end at `to` end; 0: there are none, or they say too
 * little by themselves. */
uint32_t tk_phrase_shorter(const struct tk_phrase *phrase, uint32_t to);

/*
 * Finds the body of a phrase, up to `to` (its end, or that of a sentence), in the text from `*at` on; *at becomes
 * where to look for the next one. Returns true with *ret filled. Returns false if there is none, or if
 * `*tries`, which counts down, is used up: so that a text that repeats a word costs no more than others.
 */
bool tk_phrase_find(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                    uint32_t *at, unsigned *tries, struct tk_found *ret);

#endif
