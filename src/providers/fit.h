/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a provider that fit needs (doc/FIT.md): what the entries of a history are, which of them belong together, and
 * what of them can be made smaller. An entry is a message, or an item of a flat list; its number is that of its message
 * in the transcript.
 */
#ifndef TK_PROVIDERS_FIT_H
#define TK_PROVIDERS_FIT_H

#include "engine/judge.h"
#include "shapes/shape.h"

enum tk_entry_kind {
    TK_ENTRY_MODEL,
    TK_ENTRY_PROMPT,  /* of the user, without a result of a client's call */
    TK_ENTRY_RESULTS, /* results of the client's calls alone */
    TK_ENTRY_MIXED,   /* any other */
    TK_ENTRY_SYSTEM,  /* belongs to no round and always stays */
};

/* Entries that stay or go together. `other == TK_NONE`: the entry has a call without a result. */
struct tk_join {
    uint32_t entry, other;
};

struct tk_joins {
    struct tk_arena *arena;
    struct tk_join *list;
    uint32_t count, capacity;
};

/* The member `fit` of a provider's row. */
struct tk_fit_rules {
    enum tk_entry_kind (*kind)(const struct tk_judge *j, uint32_t entry);
    /* Returns true if nothing in the entry's round is touched, because of this entry. Called after join().
     * NULL: no entry is like this. */
    bool (*keeps_round)(const struct tk_judge *j, uint32_t entry);
    /* Pairs the history, which has its turns. Joins what call_of() doesn't tell: provider-executed pairs, and entries of
     * which one names another. Returns 0, -ENOMEM or -ECANCELED. */
    int (*join)(struct tk_judge *j, struct tk_joins *joins);
    /* Returns the part that is the call of a client's result; TK_NONE: the history has none. part: TK_NONE
     * if the entry itself is the result (TK_MESSAGE_RESULT). Called after join(). */
    uint32_t (*call_of)(const struct tk_judge *j, uint32_t entry, uint32_t part);

    /* ---- clearing a client's result ---- */
    struct tk_path payload;                          /* from the result to what is replaced */
    struct tk_path also;                             /* to what is then removed; empty: nothing */
    bool (*may_clear)(const struct tk_part *result); /* NULL: any result may be cleared */
    void (*write_payload)(struct tk_writer *w, struct tk_str text);

    /* ---- removing reasoning ---- */
    bool (*is_reasoning)(const struct tk_part *p); /* NULL: reasoning is never removed */
    /* Returns true if the entry may lose its reasoning. Called for ascending entries. NULL: any may. */
    bool (*may_lose_reasoning)(struct tk_judge *j, uint32_t entry);
    bool reasoning_is_bound; /* later reasoning is valid only if all earlier reasoning went, too */

    /* ---- removing media ---- */
    bool (*is_media)(const struct tk_part *p);

    bool alternates; /* two neighbouring messages of the user are refused, whatever the endpoint */
};

/* ---- for fit and the files of providers ---- */

/* Notes that two entries belong together, or that a call of an entry is open (`other == TK_NONE`). Returns 0 or -ENOMEM. */
int tk_join_entries(struct tk_joins *joins, uint32_t entry, uint32_t other);

/*
 * Returns what an entry is by its role and its parts: a system message is a system entry, every other role but the user's is
 * the model's. is_neutral: returns true for a part that may be next to results; NULL: none may.
 */
enum tk_entry_kind tk_entry_kind_of(const struct tk_transcript *t, uint32_t entry,
                                    bool (*is_neutral)(const struct tk_part *p));

/* Writes a text as a payload: payloads of several providers are strings. */
void tk_write_text_payload(struct tk_writer *w, struct tk_str text);

/* Writes a message of the user with one text. text: an encoded string. */
void tk_write_user_message(struct tk_writer *w, const struct tk_shape *shape, struct tk_str text);

#endif
