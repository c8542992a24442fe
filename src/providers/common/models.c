/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/models.h"

#include <stdint.h>

bool tk_word_is_at(struct tk_str name, size_t at, struct tk_str word)
{
    size_t i = 0;

    while (i < word.n && at + i < name.n && tk_lower(name.p[at + i]) == word.p[i])
        i++;
    return i == word.n;
}

size_t tk_find_name_word(struct tk_str name, size_t from, struct tk_str word)
{
    for (size_t at = from; at < name.n; at++)
        if (tk_word_is_at(name, at, word))
            return at;
    return SIZE_MAX;
}

bool tk_name_ends(struct tk_str name, struct tk_str word)
{
    return name.n >= word.n && tk_word_is_at(name, name.n - word.n, word);
}
