/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <string.h>

static void add_text(struct words *words, struct tk_str text)
{
    static const char word[] = "word";
    const char *at = text.p, *end = text.p + text.n;

    while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
        uint32_t n = 0;

        for (at += strlen(word); at < end && *at >= '0' && *at <= '9' && n < MAX_WORD; at++)
            n = n * 10 + (uint32_t)(*at - '0');
        if (at < end && *at == 'x' && n < MAX_WORD)
            words->bits[n / 64] |= (uint64_t)1 << n % 64;
    }
}

void words_add(struct words *words, struct tk_val v, struct tk_arena *arena)
{
    uint32_t end = tk_exists(v) ? tk_node(v)->next : 0;

    for (; v.node < end; v.node++)
        if (tk_is(v, TK_STRING))
            add_text(words, tk_text(v, arena));
}

int words_missing(const struct words *a, const struct words *b)
{
    for (int i = 0; i < MAX_WORD; i++)
        if (a->bits[i / 64] & ~b->bits[i / 64] & (uint64_t)1 << i % 64)
            return i;
    return -1;
}
