/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what judging found, hung on the parts and messages they blame. A walk over the
 * transcript then meets them in report order (by message, then part, then the catalogue's
 * order) without sorting: 10^5 faults cost linear time.
 */
#ifndef TK_RULES_FINDING_H
#define TK_RULES_FINDING_H

#include "history/history.h"
#include "rules/catalogue/rule.h"
#include "rules/site.h"

/*
 * What a finding says beyond its place. A constant, or in the arena: the member that is missing,
 * the role that nobody knows, the media type that was declared and the one that was found.
 */
struct tk_detail {
    struct tk_str words[2]; /* for the catalogue's sentences; p NULL: none */
};

struct tk_finding {
    struct tk_site site;
    uint32_t next;    /* of the same site, by code; of the request whatever it blames */
    uint32_t detail;  /* in the list of details, TK_NONE */
    uint16_t code;    /* enum tk_code */
    uint8_t severity; /* the catalogue's, or what the policy made of it */
};

struct tk_findings {
    struct tk_finding *list;
    uint32_t count, capacity;
    struct tk_detail *details;
    uint32_t detail_count, detail_capacity;
    uint32_t request; /* first finding about the request, TK_NONE */
    uint32_t errors;
    uint32_t by_code[TK_CODE_COUNT];
    uint32_t errors_by_code[TK_CODE_COUNT];
};

/* Forgets all findings, those of the transcript's parts and messages included. Comes first. */
void tk_findings_reset(struct tk_findings *f, struct tk_transcript *t);

/* Blames a site. Returns 0 or -ENOMEM. */
int tk_find(struct tk_findings *f, struct tk_transcript *t, uint16_t code,
            enum tk_severity severity, struct tk_site site);

/* Blame a part, a message, and a value of the request (TK_NO_NODE: the request as a whole), with
 * the catalogue's severity. Each returns 0 or -ENOMEM. */
int tk_find_part(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t part);

int tk_find_message(struct tk_findings *f, struct tk_transcript *t, uint16_t code,
                    uint32_t message);
int tk_find_request(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t at);

/* Gives the newest finding its words; `b` may be p NULL. Returns 0 or -ENOMEM. */
int tk_find_words(struct tk_findings *f, struct tk_transcript *t, struct tk_str a, struct tk_str b);

/* Calls visit for every finding in report order, until it returns non-zero; returns that. */
int tk_findings_walk(const struct tk_findings *f, const struct tk_transcript *t,
                     int (*visit)(void *arg, const struct tk_finding *finding), void *arg);

#endif
