/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a target that the rules of OpenAI's two APIs ask for (PROVIDERS.md 2, "Model names", and 3.1). */
#ifndef TK_PROVIDERS_OPENAI_MODELS_H
#define TK_PROVIDERS_OPENAI_MODELS_H

#include "engine/target.h"

enum {
    TK_OPENAI_OWN = 1 << 0,     /* OpenAI's or Azure's server: what the catalogue calls OpenAI */
    TK_OPENAI_COPY = 1 << 1,    /* a server that copies the API */
    TK_OPENAI_AZURE = 1 << 2,   /* Azure's server */
    TK_OPENAI_MISTRAL = 1 << 3, /* this and the next four: on a copy only */
    TK_OPENAI_DEEPSEEK = 1 << 4,
    TK_OPENAI_GEMMA = 1 << 5,
    TK_OPENAI_QWEN = 1 << 6,      /* from 3.5 on */
    TK_OPENAI_REASONS = 1 << 7,   /* wants its reasoning back with every call */
    TK_OPENAI_NO_SYSTEM = 1 << 8, /* on OpenAI's server: has no system role */
    TK_OPENAI_STRICT = 1 << 9, /* this and the next two: a copy; refuses members it doesn't know */
    TK_OPENAI_TAKES_DEVELOPER = 1 << 10,
    TK_OPENAI_TAKES_USER_AFTER_TOOL = 1 << 11, /* perhaps: a warning stays */
};

/* Returns the TK_OPENAI_* bits of a target. */
uint32_t tk_openai_facts(const struct tk_target *target);

#endif
