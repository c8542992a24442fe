/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/words/words.h"

static int compare(struct tk_str a, struct tk_str b)
{
    if (a.n != b.n)
        return a.n < b.n ? -1 : 1;
    return memcmp(a.p, b.p, a.n);
}

const struct tk_known_word *tk_find_known_word(struct tk_str text)
{
    uint32_t low = 0, high = tk_known_word_count;

    if (text.n == 0 || text.n > TK_KNOWN_WORD_MAX)
        return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(text, tk_known_words[middle].text);

        if (order == 0)
            return &tk_known_words[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
