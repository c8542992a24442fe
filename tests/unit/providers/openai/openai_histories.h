/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of OpenAI's providers: a history from JSON text, read in either codec, with a judge. */
#ifndef TK_TESTS_OPENAI_HISTORIES_H
#define TK_TESTS_OPENAI_HISTORIES_H

#include "../../transcripts.h"
#include "engine/repair.h"
#include "providers/provider.h"

struct openai_history {
    struct reading reading;
    struct tk_transcript t;
    struct tk_repair repair;
};

/* Reads a list of messages or items, which is written in JSON, in that codec, and surveys it; nothing
 * is judged yet. Asserts that it can be read. */
void openai_open(struct openai_history *h, const struct tk_provider *provider, enum tk_codec codec,
                 const char *list);

/* Frees all. Asserts that no memory was left. */
void openai_close(struct openai_history *h);

/* Returns the list as the repair left it, as compact JSON in the arena. */
const char *openai_repaired(struct openai_history *h);

/* Tells what was found in a history, as a text in its arena. `stored`: the server has the items of an earlier
 * response. */
typedef struct tk_str openai_told(struct openai_history *h, bool stored);

/* Asserts that the text about the list is `wanted`, in either codec; prints both if it isn't. */
void openai_expect(const struct tk_provider *provider, const char *list, bool stored,
                   openai_told *told, const char *wanted);

#endif
