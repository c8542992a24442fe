/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random cases for the properties of repair: a history with the parameters that it is sent with,
 * what is appended to it later, and how it is fitted (fitting.h), as one JSON document.
 *
 *     {"params": {"dialect": "anthropic", "guard": true, "policy": {"base": "preserve",
 *                 "orphan_call": "report"}, "messages": [...]},     or "request": {..., "messages":
 * [...]}, "tail": [...], "fit": {"share": 55, ...}}
 *
 * Histories are drawn from a grammar (history_rows.h), then a few parts go, come twice, swap or
 * wander, then half of them are respelled. Those of other providers than Anthropic have a provider in the
 * place of a dialect. Of OpenAI's whole messages or items go, come twice or wander, of Bedrock's and
 * Gemini's messages and parts.
 */
#ifndef TK_TESTS_RANDOM_HISTORIES_H
#define TK_TESTS_RANDOM_HISTORIES_H

#include "value/arena.h"

#include "choices.h"

struct histories;

/* Names of providers, ended by NULL. */
extern const char *const histories_providers[];

/* provider: one of them. */
struct histories *histories_new(const char *provider);
void histories_free(struct histories *histories);

/* A case, in the arena. */
struct tk_str histories_draw(const struct histories *histories, struct choices *choices,
                             struct tk_arena *arena);

#endif
