/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the rules that a provider's refusal belongs to, by its words. The text is the error's message,
 * its JSON body, or what an SDK, a gateway or a log made of these: the words may have other letters,
 * quotes, white space, numbers and paths, and any text before and after them.
 *
 * Rules are those of this build, then refusals that no rule looks for (tk_unjudged).
 */
#ifndef TK_ENGINE_WORDING_EXPLAIN_H
#define TK_ENGINE_WORDING_EXPLAIN_H

#include "catalogue/rule.h"
#include "wording/path.h"

enum {
    TK_WORDING_COUNT = (int)TK_CODE_COUNT + (int)TK_UNBUILT_COUNT,
    TK_WORDING_NONE = TK_WORDING_COUNT, /* no rule has such words */
    TK_MATCHES_MAX = 8,
    TK_EXPLAIN_MAX = 64 * 1024, /* bytes of a text; longer ones aren't searched */
};

/* A rule or a refusal that no rule looks for, by its number: below TK_CODE_COUNT its enum tk_code. */
struct tk_wording {
    const char *code;
    const char *provider;
    enum tk_severity severity;
    const char *provider_error;     /* NULL: unknown, so no text is ever found to be it */
    const char *const *more_errors; /* other wordings, ended by NULL; NULL: there are none */
    const char *text;               /* template of the sentence for people; NULL: none */
    const char *trigger;
    const char *action;   /* what repair does, or what helps; NULL: no edit helps */
    const char *preserve; /* what repair does under this policy; NULL: as `action` says */
    uint8_t needs;        /* TK_NEEDS_* */
    bool judged;          /* a rule of this build looks for it */
    bool policy_only;     /* but only if a policy key turns it on */
};

struct tk_wording tk_wording(unsigned number);

/* How much of a rule's words a text has, best first. */
enum tk_likeness {
    TK_LIKE_WHOLE,     /* all, with the path that the rule blames */
    TK_LIKE_WORDS,     /* all, with another path or none */
    TK_LIKE_SENTENCES, /* the first sentences */
    TK_LIKE_STRETCH,   /* words between slots or ends of sentences, which no other rule has */
};

struct tk_match {
    unsigned number; /* of the refusal */
    enum tk_likeness likeness;
    uint32_t literals; /* bytes of the rule's words that the text has */
    struct tk_words_place place;
    struct tk_str text; /* the sentence for people, filled in; else the trigger */
};

struct tk_explanation {
    struct tk_match matches[TK_MATCHES_MAX]; /* best first */
    unsigned count;
};

/* A provider that passes on the words of another one. */
struct tk_passed_on {
    const char *by;
    const char *provider; /* whose words they are */
    const char *after;    /* what it writes before them, in normal form */
};

/*
 * Finds the rules that a text of at most TK_EXPLAIN_MAX bytes belongs to. provider: only rules of that
 * one, and in what it passes on those of another; NULL: of all, and passed_on is NULL. Takes time linear in
 * the text, for each rule. Returns 0 or -ENOMEM; what *ret has lives in the arena or is a view of the
 * text.
 */
int tk_explain(struct tk_str text, const char *provider, const struct tk_passed_on *passed_on,
               struct tk_arena *arena, struct tk_explanation *ret);

#endif
