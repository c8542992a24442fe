/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of fit: the plan, and the files that make it. */
#ifndef TK_OPERATIONS_FIT_FIT_INSIDE_H
#define TK_OPERATIONS_FIT_FIT_INSIDE_H

#include "operations/fit/fit.h"
#include "providers/fit.h"

/* Ways in which an entry leaves the history. */
enum tk_fit_exit {
    TK_FIT_STAYS,
    TK_FIT_DROPPED, /* it is reasoning */
    TK_FIT_ROUND_REMOVED,
    TK_FIT_STEP_REMOVED,
};

struct tk_fit_entry {
    uint64_t sent;  /* bytes of its compact JSON */
    uint64_t bytes; /* likewise, after the edits planned so far */
    uint32_t count; /* its tokens; TK_NONE: not known */
    uint32_t round; /* TK_NONE: it belongs to none */
    uint32_t step;  /* TK_NONE */
    uint8_t kind;   /* enum tk_entry_kind */
    uint8_t leaves; /* enum tk_fit_exit */
    bool lost_reasoning;
};

struct tk_fit_round {
    uint32_t first,
        last; /* entries; those between may be system entries, which belong to no round */
    uint32_t first_step, end; /* its steps, `end` not included */
    uint32_t reach;           /* the last round that goes together with it or with one before it */
    bool stays;
    bool whole; /* nothing in it is touched; it stays, too */
    bool gone;
};

struct tk_fit_round_step {
    uint32_t first, last; /* entries */
    bool bound;           /* a pair reaches out of it, a call in it is open, or it is protected */
    bool gone;
};

enum tk_fit_code {
    TK_FIT_RESULT_CLEARED,
    TK_FIT_REASONING_REMOVED,
    TK_FIT_MEDIA_REMOVED,
    TK_FIT_MARKER_INSERTED,
};

struct tk_fit_edit {
    uint32_t entry;
    uint32_t part;  /* TK_NONE: the entry as a whole */
    uint32_t node;  /* as it was sent */
    uint8_t code;   /* enum tk_fit_code */
    uint8_t action; /* enum tk_action */
};

/* A plan while it is made. */
struct tk_fit_plan {
    const struct tk_fit_options *o;
    const struct tk_fit_rules *rules;
    struct tk_judge *j;
    struct tk_transcript *t;
    struct tk_edits *e;
    struct tk_fitted *f;
    uint64_t size, goal;
    uint64_t marker_size; /* as it was added to the size; 0: it wasn't */
    uint64_t result_count;
    uint32_t entry_count, polls;
    uint32_t fresh;      /* results and media of the rounds from here on stay */
    struct tk_map tools; /* names of tools whose results stay */
};

/* Returns true if the request is out of time; asked for each entry. */
bool tk_fit_is_late(struct tk_fit_plan *p);

/* Returns the size of an entry, in the unit of the budget. */
uint64_t tk_fit_size_of(const struct tk_fit_options *o, const struct tk_fit_entry *x);

/* entries.c: reads what the entries are and measures them. Returns 0, -ENOMEM or -ECANCELED. */
int tk_fit_read_entries(struct tk_fit_plan *p);

/* rounds.c: divides the entries into rounds and steps, and finds out which of them stay. Returns 0, -ENOMEM or
 * -ECANCELED. */
int tk_fit_read_rounds(struct tk_fit_plan *p);

/* measures.c: plans until the goal is reached or nothing more may be done. Returns 0, -ENOMEM or -ECANCELED. */
int tk_fit_take_measures(struct tk_fit_plan *p);

/* cut_marker.c: Return the prompt before which the marker goes, TK_NONE if there is none; and the size of the marker. */
uint32_t tk_fit_marker_place(const struct tk_fit_plan *p);
uint64_t tk_fit_marker_size(const struct tk_fit_plan *p);
/* Puts the marker into the transcript, before a prompt that stays. Returns 0 or -ENOMEM. */
int tk_fit_put_marker(struct tk_fit_plan *p, uint32_t prompt);

/* make_edits.c: edits the transcript as planned. Returns 0, -ENOMEM or -ECANCELED. */
int tk_fit_make_edits(struct tk_fit_plan *p);

/* Adds an edit to the list. Returns 0 or -ENOMEM. */
int tk_fit_note_edit(struct tk_fit_plan *p, struct tk_fit_edit edit);

/* Returns a text as it is encoded in the codec, alone or by write(); `.p == NULL` without memory. */
struct tk_str tk_fit_encode(const struct tk_fit_plan *p, enum tk_codec codec,
                            void (*write)(struct tk_writer *w, struct tk_str text),
                            struct tk_str text);

/* Returns the size of a text part of the history's shape, in bytes of compact JSON. */
uint64_t tk_fit_text_part_size(const struct tk_fit_plan *p, struct tk_str text);

#endif
