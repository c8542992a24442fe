/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: every rule of this build as a row. What a rule looks for is code in the folder of
 * its area; everything else about it is in catalogue.json, from which generate.py makes codes.h and
 * rows.c.
 */
#ifndef TK_RULES_CATALOGUE_RULE_H
#define TK_RULES_CATALOGUE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/catalogue/codes.h"

enum tk_severity {
    TK_WARNING, /* suspicious, or refused by some targets; never edited */
    TK_ERROR,   /* the provider refuses the request */
    TK_EDIT,    /* never found: the code of an edit that the caller asked for */
};

/* What a rule must be told to be judged at all. */
enum tk_needs {
    TK_NEEDS_MESSAGES,
    TK_NEEDS_REQUEST, /* the whole body */
    TK_NEEDS_TARGET,  /* endpoint or model */
    TK_NEEDS_SERVER,  /* what only the provider knows */
};

/*
 * A row. `text` and `provider_error` are templates: {message}, {part}, {tool}, {id} and {caller_id}
 * are filled in from the place that is blamed; {field}, {type}, {role}, {declared}, {count} and
 * {column} are the first of the finding's words (finding.h), {found} and {offset} the second.
 */
struct tk_rule {
    const char *code;
    const char *provider;
    enum tk_severity severity;
    enum tk_needs needs;
    uint8_t wave;
    bool edit_only;   /* this build never finds it; the code names edits that other fixes entail */
    const char *text; /* for people: what is wrong, what to do */
    const char *provider_error; /* what the provider answers; NULL: no text known */
    const char *trigger;        /* what the rule looks for, in a sentence or two */
    const char *conservative;   /* what repair does under that policy: "drop the call" */
    const char *preserve;       /* NULL: the same */
};

/* By enum tk_code, in the order of reports. */
extern const struct tk_rule tk_catalogue[TK_CODE_COUNT];

const char *tk_severity_name(enum tk_severity severity);

#endif
