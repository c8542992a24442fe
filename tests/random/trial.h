/* SPDX-License-Identifier: Apache-2.0 */
/* A case (histories.h) and what the core says of it: what properties look at. */
#ifndef TK_TESTS_RANDOM_TRIAL_H
#define TK_TESTS_RANDOM_TRIAL_H

#include "../fuzz/operation.h"
#include "patched.h"
#include "view.h"

/* The cases that a property is about, by the provider that judges them. */
enum whose {
    ANTHROPIC = 1,
    OPENAI = 2, /* of either API */
    BEDROCK = 4,
    GEMINI = 8,
    TYPELESS = BEDROCK | GEMINI, /* a part has no type: a member says what it is */
    NOT_ANTHROPIC = OPENAI | TYPELESS,
    EVERYONE = ANTHROPIC | NOT_ANTHROPIC,
};

/* Returns the one whose cases a provider judges; NULL: Anthropic. */
enum whose whose_provider(struct tk_str provider);

enum {
    TRIAL_DOCS = 24,
};

struct trial {
    struct tk_arena arena;
    struct tk_doc docs[TRIAL_DOCS]; /* of trial_read() */
    size_t doc_count;
    struct tk_doc doc;
    struct tk_val params, messages, tail; /* tail: absent, or a list that isn't empty */
    enum whose whose;                     /* one of them */
    const char *list;                     /* the member of a body that the messages are */
    const char *parts;                    /* the member of a message that the parts are */
    bool guard;

    struct operation verdict;  /* validate */
    struct operation repair;   /* repair, returning messages */
    struct operation patch;    /* the same, returning a patch */
    struct operation cleaning; /* where the case has guard: without it, returning a patch */
    bool repaired;             /* repair has a result: all below is filled */
    struct tk_str after;       /* the repaired list: its bytes */
    struct tk_doc after_doc;
    struct operation after_verdict; /* validate of it */
    struct operation again;         /* repair of it */
    struct operation longer;        /* repair of the history with its tail */
    bool has_longer;

    struct fitting *fitting; /* NULL: the case doesn't say how to fit */

    struct view sent, left; /* the history as sent, as repaired */
    struct patched *root;   /* the body as sent, patched; NULL: the patch leads nowhere */
};

/*
 * Reads a case and asks. False where it isn't one: no JSON document of that shape, or parameters
 * or a format that the core refuses as such. The bytes must outlive the trial, which is to be ended
 * in any case.
 */
bool trial_begin(struct trial *t, struct tk_str json);
void trial_end(struct trial *t);

/* Returns true for items of Responses. */
bool trial_is_of_items(const struct trial *t);

/* How a trial's history is sent. */
struct question {
    const char *method;
    bool guard;
    const char *form;       /* `return`; NULL: it has none, nor a guard */
    struct tk_str messages; /* in place of those sent; `.p == NULL`: those sent */
    struct tk_val more;     /* an object: its members are parameters, too; `.doc == NULL`: none */
    bool unsealed;          /* without seals and provenance */
    enum tk_codec codec;
    bool plain;    /* JSON: written as msgpack would be, not as sent */
    bool reversed; /* the parameters, and the members of a body, come in the opposite order */
};

void trial_ask(struct trial *t, struct operation *op, struct question q);

/* Reads JSON into a document that lives as long as the trial, and returns its root. */
struct tk_val trial_read(struct trial *t, struct tk_str json);

/* Returns a list as the provider reads it, in the trial's arena. */
struct view trial_view(struct trial *t, struct tk_val list);

/* A member of an answer's result, or of its error's data. */
struct tk_val result_of(const struct operation *op);
struct tk_val error_data(const struct operation *op);
bool failed_with(const struct operation *op, const char *name);

#endif
