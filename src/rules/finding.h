/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what judging found, hung on the parts and messages they blame. A walk over the
 * transcript then meets them in report order (by message, then part, then the catalogue's
 * order) without sorting: 10^5 faults cost linear time.
 */
#ifndef TK_RULES_FINDING_H
#define TK_RULES_FINDING_H

#include "rules/catalogue.h"
#include "rules/transcript.h"

struct tk_finding {
    uint32_t message; /* blamed; of a part's finding the message that holds it */
    uint32_t part;    /* TK_NONE: the message itself */
    uint32_t next;    /* of the same part or message, by code */
    uint8_t code;     /* enum tk_code */
    uint8_t severity; /* the catalogue's, or what the policy made of it */
};

struct tk_findings {
    struct tk_finding *list;
    uint32_t count, capacity;
    uint32_t errors;
    uint32_t by_code[TK_CODE_COUNT];
    uint32_t errors_by_code[TK_CODE_COUNT];
};

/* Forgets all findings, those of the transcript's parts and messages included. */
void tk_findings_reset(struct tk_findings *f, struct tk_transcript *t);

/* part TK_NONE: about the message. Returns 0 or -ENOMEM. */
int tk_find(struct tk_findings *f, struct tk_transcript *t, enum tk_code code,
            enum tk_severity severity, uint32_t message, uint32_t part);

/* The same with the catalogue's severity, for a part. */
int tk_find_part(struct tk_findings *f, struct tk_transcript *t, enum tk_code code, uint32_t part);

/* Calls visit for every finding in report order, until it returns non-zero; returns that. */
int tk_findings_walk(const struct tk_findings *f, const struct tk_transcript *t,
                     int (*visit)(void *arg, const struct tk_finding *finding), void *arg);

#endif
