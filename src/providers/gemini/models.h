/* SPDX-License-Identifier: Apache-2.0 */
/* The version of a Gemini model, by its name (PROVIDERS.md 7.4). */
#ifndef TK_PROVIDERS_GEMINI_MODELS_H
#define TK_PROVIDERS_GEMINI_MODELS_H

#include "value/str.h"

/* Versions as numbers: 3.6 is 306. */
#define TK_GEMINI_VERSION(major, minor) ((major)*100 + (minor))

enum {
    TK_GEMINI_UNKNOWN = -1, /* the version of a name that tells none: no comparison with it holds */
    TK_GEMINI_3 = TK_GEMINI_VERSION(3, 0),
    TK_GEMINI_3_6 = TK_GEMINI_VERSION(3, 6),
};

struct tk_gemini_model {
    int version;
    bool makes_images;
};

struct tk_gemini_model tk_gemini_model_of(struct tk_str name);

#endif
