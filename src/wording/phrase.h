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
#ifndef TK_ENGINE_WORDING_PHRASE_H
#define TK_ENGINE_WORDING_PHRASE_H

#include "wording/normal.h"

enum {
    TK_PHRASE_MAX = 640,     /* bytes of a template */
    TK_PHRASE_SLOTS = 12,    /* slots of a template */
    TK_SLOT_MAX = 200,       /* bytes of a slot's value, in normal form */
    TK_WORDS_PATH_MAX = 320, /* bytes of a path, in normal form */
    TK_WORDS_MIN = 24, /* bytes of a template's words that are enough to tell it by themselves */
    /* In a template's normal form, in the place of others: */
    TK_MARK_INDEX = '\x01', /* a slot for an index, or what is written in its place */
    TK_MARK_TEXT = '\x02',  /* a slot for any text */
    TK_MARK_STOP = '\x03',  /* a full stop before a slot, which may be absent */
};

struct tk_phrase {
    const char *bytes;
    uint32_t path; /* size of the path; 0: the template has none */
    uint32_t body; /* where the body begins */
    uint32_t end;
    uint32_t count;       /* slots */
    struct tk_str *names; /* "message"; empty: "..." */
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

/* Reads a template. What *ret has is in the arena. Returns false if the template is too long or has too
 * many slots, or without memory. */
bool tk_phrase_read(struct tk_phrase *ret, const char *template, struct tk_arena *arena);

/* Returns how many bytes of a phrase from `from` to before `to` are words: neither slots nor stops. */
uint32_t tk_phrase_literals(const struct tk_phrase *phrase, uint32_t from, uint32_t to);

/* Returns where the sentences before those that end at `to` end; 0: there are none, or they say too
 * little by themselves. */
uint32_t tk_phrase_shorter(const struct tk_phrase *phrase, uint32_t to);

/* Returns the next stretch of a body from `from` on: words between slots or ends of sentences. It is
 * empty after the last one. */
struct tk_section tk_phrase_stretch(const struct tk_phrase *phrase, uint32_t from);

/* Returns true if the words of `phrase` up to `to` are also the first ones of another phrase's body. */
bool tk_phrase_begins(const struct tk_phrase *phrase, uint32_t to, const struct tk_phrase *other);

/* Returns true if two phrases have the same path, or both none. */
bool tk_phrase_same_path(const struct tk_phrase *a, const struct tk_phrase *b);

/* Returns the bytes of an index, or of what is written in its place (N, <n>, {i}, ***), in a normal form;
 * 0: something else is at its start. */
uint32_t tk_index_size(const char *p, const char *end);
/* Returns the bytes of the index, or of what is written in its place, that ends at `end`; 0: there is none. */
uint32_t tk_index_before(const char *start, const char *end);

/* Returns true if no word of the text goes on beyond a section of it. */
bool tk_section_is_whole(const struct tk_normal *text, struct tk_section section);

/*
 * Finds the body of a phrase, up to `to` (its end, or that of a sentence), in the text from `*at` on; *at becomes
 * where to look for the next one. Returns true with *ret filled. Returns false if there is none, or if
 * `*tries`, which counts down, is used up: so that a text that repeats a word costs no more than others.
 */
bool tk_phrase_find(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                    uint32_t *at, unsigned *tries, struct tk_found *ret);

#endif
