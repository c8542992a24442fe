/* SPDX-License-Identifier: Apache-2.0 */
#include "value/nearest.h"

#include <stdint.h>
#include <string.h>

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Counts the letters to insert, drop, replace or swap with their neighbour to turn what was typed into `name`. Both
 * have at most TK_NEAREST_MAX. */
static unsigned distance(struct tk_str typed, struct tk_str name)
{
    uint8_t rows[TK_NEAREST_MAX + 1][TK_NEAREST_MAX + 1];

    for (size_t i = 0; i <= typed.n; i++)
        for (size_t j = 0; j <= name.n; j++) {
            unsigned least = (unsigned)(i + j);

            if (i > 0 && j > 0)
                least = smallest(rows[i - 1][j] + 1u, rows[i][j - 1] + 1u,
                                 rows[i - 1][j - 1] + (typed.p[i - 1] != name.p[j - 1] ? 1u : 0u));
            if (i > 1 && j > 1 && typed.p[i - 1] == name.p[j - 2] &&
                typed.p[i - 2] == name.p[j - 1])
                least = smallest(least, rows[i - 2][j - 2] + 1u, least);
            rows[i][j] = (uint8_t)least;
        }
    return rows[typed.n][name.n];
}

struct tk_nearest tk_nearest_to(struct tk_str typed)
{
    return (struct tk_nearest){.typed = typed, .distance = UINT32_MAX};
}

void tk_nearest_consider(struct tk_nearest *nearest, struct tk_str name)
{
    struct tk_str typed = nearest->typed;
    unsigned d;

    if (typed.n > TK_NEAREST_MAX || name.n == 0 || name.n > TK_NEAREST_MAX)
        return;
    d = distance(typed, name);
    if (typed.n > 1 && typed.n <= name.n && memcmp(typed.p, name.p, typed.n) == 0)
        d = 1;
    if (d < nearest->distance && d <= (typed.n + 2) / 3) {
        nearest->name = name;
        nearest->distance = d;
    }
}
