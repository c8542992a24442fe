/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that judging Gemini's contents keeps next to the transcript: `own` of struct tk_judge. Parts that an
 * edit added since the last judging have no link. */
#ifndef TK_PROVIDERS_GEMINI_STATE_H
#define TK_PROVIDERS_GEMINI_STATE_H

#include "engine/judge.h"
#include "engine/pairs/links.h"
#include "providers/gemini/models.h"
#include "shapes/gemini.h"

/* Where the next response to a turn's calls goes: after a response of a message. */
struct tk_gem_place {
    uint32_t message, after; /* TK_NONE: not known yet */
};

struct tk_gemini {
    struct tk_gemini_model model;
    struct tk_pairs pairs;  /* the client's calls and responses (PROVIDERS.md 7.2) */
    struct tk_pairs server; /* toolCalls and toolResponses */
    uint32_t newest;        /* the last entry of the protected run, plus one; 0: not known yet */
    /* of the current round */
    struct tk_gem_place *places; /* by turn */
    uint32_t place_count;
    uint32_t *leavers; /* parts that leave their message at the end of the round, in their order */
    uint32_t leaver_count, leaver_capacity;
    struct tk_doc tape; /* for reading strings that hold JSON */
};

static inline struct tk_gemini *tk_gemini(const struct tk_judge *j)
{
    return j->own;
}

static inline int tk_gem_version(const struct tk_judge *j)
{
    return tk_gemini(j)->model.version;
}

static inline bool tk_gem_is_model(const struct tk_transcript *t, uint32_t message)
{
    return t->messages[message].role == TK_ROLE_ASSISTANT;
}

/* Returns true for a text that isn't a string, or nothing but white space. */
static inline bool tk_gem_is_blank(struct tk_val v)
{
    return !tk_is(v, TK_STRING) || tk_text_is_blank(v);
}

#endif
