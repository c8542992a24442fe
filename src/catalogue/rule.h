/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: a row for every rule of this build. The code that finds a rule's fault is in the
 * folder of its area; everything else about it is in catalogue.json, from which generate.py makes
 * codes.h and rows.c.
 */
#ifndef TK_CATALOGUE_RULE_H
#define TK_CATALOGUE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "catalogue/codes.h"

enum tk_severity {
    /* suspicious, or refused only by some targets. No fix edits it. Two codes also name edits: of a
     * citation whose source a repair removed, and of thinking that a policy drops for its
     * prefix. */
    TK_WARNING,
    TK_ERROR, /* the provider refuses the request */
    TK_EDIT,  /* never found: code of an edit that the caller asked for */
};

/* Bits: needed to judge a rule, in addition to the messages. */
enum tk_needs {
    TK_NEEDS_MESSAGES = 0,
    TK_NEEDS_REQUEST = 1 << 0, /* the whole body */
    TK_NEEDS_TARGET = 1 << 1,  /* endpoint or model; both have a default */
    TK_NEEDS_BETAS = 1 << 2,   /* the values of the beta header */
    TK_NEEDS_SEALS = 1 << 3,   /* seals of the turns */
    TK_NEEDS_POLICY = 1 << 4,  /* never judged: a policy asks for this edit */
    TK_NEEDS_SERVER = 1 << 5,  /* never judged: only the provider knows */
};

/*
 * A row. `text` and `provider_error` are templates. {message}, {part}, {tool}, {id} and {caller_id}
 * come from the place that is blamed; {field}, {type}, {role}, {declared}, {count}, {size}, {column},
 * {length} and {name} are the finding's first word (finding.h), {found}, {offset} and {index} its
 * second; {call} is the part's index in its list. In
 * a provider_error {tool} is the first word, too, if the finding has words.
 */
struct tk_rule {
    const char *code;
    const char *provider;
    enum tk_severity severity;
    uint8_t needs; /* TK_NEEDS_* */
    uint8_t wave;
    bool edit_only; /* this build never finds it; it is the code of edits that other fixes cause */
    bool policy_only;               /* found only if a policy key turns it on */
    const char *text;               /* for people: the fault and what to do about it */
    const char *provider_error;     /* the provider's error message; NULL: unknown */
    const char *const *more_errors; /* other wordings of it, ended by NULL; NULL: there are none */
    const char *trigger;            /* the fault, in a sentence or two */
    const char *conservative;       /* what repair does under this policy: "drop the call" */
    const char *preserve;           /* NULL: as under conservative */
};

/* Rows by enum tk_code, in the order of reports. */
extern const struct tk_rule tk_catalogue[TK_CODE_COUNT];

/* A refusal that no rule looks for: only the provider knows it, no message is at fault, or this build
 * doesn't judge it. */
struct tk_unjudged {
    const char *code;
    const char *provider;
    enum tk_severity severity;
    uint8_t needs;                  /* TK_NEEDS_* */
    const char *provider_error;     /* a template like that of a rule; NULL: unknown */
    const char *const *more_errors; /* other wordings of it, ended by NULL; NULL: there are none */
    const char *trigger;
    const char
        *helps; /* what the caller can do: under conservative / preserve; NULL: no edit helps */
};

/* First TK_UNJUDGED_COUNT rows that only the provider can judge, of providers that this build judges, then
 * all others. */
extern const struct tk_unjudged tk_unjudged[TK_UNBUILT_COUNT];

const char *tk_severity_name(enum tk_severity severity);

#endif
