/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a document in another spelling: white space, escapes, the order of members. */
#ifndef TK_TESTS_RANDOM_RESPELL_H
#define TK_TESTS_RANDOM_RESPELL_H

#include "value/out.h"

#include "choices.h"

/* A JSON document of ours, which is well-formed, respelled; numbers keep their lexemes. */
struct tk_str respell(struct tk_str json, struct choices *choices, struct tk_arena *arena);

#endif
