/* SPDX-License-Identifier: Apache-2.0 */
/* What of the request, beside its messages, the outcome of a repair asks for. */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_SETTINGS_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_SETTINGS_H

#include "rules/repair.h"
#include "value/writer.h"

/* A change of the request, beside its messages; at most one is needed. */
enum tk_advice {
    TK_ADVICE_NONE,
    TK_ADVICE_THINKING_OFF,  /* thinking has lost its place at the front of an open tool loop */
    TK_ADVICE_BLOCK_BINDING, /* the provider is to drop thinking that it can't verify (C.6 M3) */
};

/* What the outcome asks for. */
enum tk_advice tk_repair_advice(struct tk_repair *r);

/* Whether the request says it already. */
bool tk_advice_holds(const struct tk_repair *r, enum tk_advice advice);

/* The member that is to be set, as a pointer into the request, and its value on the wire. */
const char *tk_advice_path(enum tk_advice advice);
void tk_write_advised(struct tk_writer *w, enum tk_advice advice, const struct tk_policy *policy);

/*
 * Whether the provider would refuse thinking for this request (OPERATIONS.md C.7 O4): it must lead
 * the turn of an open tool loop, and the edits took it from there.
 */
bool tk_lost_leading_thinking(const struct tk_repair *r);

#endif
