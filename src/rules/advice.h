/* SPDX-License-Identifier: Apache-2.0 */
/* What of the request, beside its messages, the outcome of a repair asks for. */
#ifndef TK_RULES_ADVICE_H
#define TK_RULES_ADVICE_H

#include "rules/repair.h"

/* The request's thinking is on. */
bool tk_thinks(const struct tk_transcript *t);

/*
 * Whether the provider would refuse thinking for this request (OPERATIONS.md C.7 O4): it must lead
 * the turn of an open tool loop, and the edits took it from there.
 */
bool tk_lost_leading_thinking(const struct tk_repair *r);

#endif
