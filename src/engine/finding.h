/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: the faults that judging found. Each is linked to the message or part it blames. A walk
 * over the transcript then visits them in report order (by message, then part, then the catalogue's
 * order) without sorting: 10^5 faults cost linear time.
 */
#ifndef TK_ENGINE_FINDING_H
#define TK_ENGINE_FINDING_H

#include "catalogue/rule.h"
#include "engine/site.h"
#include "history/history.h"

/*
 * Words of a finding for the catalogue's sentence: the missing member, the unknown role, the tool
 * that a rule is about, or the media type that was declared and the one that was found. Constants, or allocated in the arena.
 */
struct tk_detail {
    struct tk_str words[2]; /* `.p == NULL`: the finding has no such word */
    /* the id that the provider's message names, if it isn't the one that reports name; else `.p ==
     * NULL` */
    struct tk_str id;
};

struct tk_finding {
    struct tk_site site;
    /* next finding of the same site, by code; all findings about the request are one list */
    uint32_t next;
    uint32_t detail;  /* index in the list of details; TK_NONE: no words */
    uint16_t code;    /* enum tk_code */
    uint8_t severity; /* the catalogue's, unless the policy changed it */
    bool other_form;  /* the catalogue's provider_error is that of another form of this fault */
};

struct tk_findings {
    struct tk_finding *list;
    uint32_t count, capacity;
    struct tk_detail *details;
    uint32_t detail_count, detail_capacity;
    uint32_t request; /* first finding about the request; TK_NONE */
    /* by code: the newest finding about the request, after which the next one goes */
    uint32_t request_last[TK_CODE_COUNT];
    uint32_t errors;
    uint32_t by_code[TK_CODE_COUNT];
    uint32_t errors_by_code[TK_CODE_COUNT];
};

/* Removes all findings and the links to them. Call it before the first finding is added. */
void tk_findings_reset(struct tk_findings *f, struct tk_transcript *t);

/* Adds a finding about a site. Returns 0 or -ENOMEM. */
int tk_find(struct tk_findings *f, struct tk_transcript *t, uint16_t code,
            enum tk_severity severity, struct tk_site site);

/* Add a finding about a part, a message or a value of the request (TK_NO_NODE: the request as a
 * whole), with the catalogue's severity. Each returns 0 or -ENOMEM. */
int tk_find_part(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t part);

int tk_find_message(struct tk_findings *f, struct tk_transcript *t, uint16_t code,
                    uint32_t message);
int tk_find_request(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t at);

/* Adds a finding about a value of the request whose rule has several forms: the provider's message
 * for this one isn't known. Returns 0 or -ENOMEM. */
int tk_find_other_form(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t at);

/* Gives the newest finding its words; `b.p` may be NULL. Returns 0 or -ENOMEM. */
int tk_find_words(struct tk_findings *f, struct tk_transcript *t, struct tk_str a, struct tk_str b);

/* Gives the newest finding the id that the provider's message names. Returns 0 or -ENOMEM. */
int tk_find_id(struct tk_findings *f, struct tk_transcript *t, struct tk_str id);

/* Notes that the provider's message for the newest finding isn't known: it is another form of its
 * rule. */
void tk_find_has_other_form(struct tk_findings *f);

/* Calls visit() for every finding in report order until it returns non-zero. Returns that value, or
 * 0. */
int tk_findings_walk(const struct tk_findings *f, const struct tk_transcript *t,
                     int (*visit)(void *arg, const struct tk_finding *finding), void *arg);

#endif
