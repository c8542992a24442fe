/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/providers.h"

const struct tk_provider *tk_provider_of(enum tk_word word)
{
    static const uint8_t ids[TK_WORD_COUNT] = {
#define ID(id, name) [TK_WORD_##id] = TK_PROVIDER_##id,
        TK_PROVIDERS(ID)
#undef ID
    };

    return tk_providers[ids[word]];
}
