/* SPDX-License-Identifier: Apache-2.0 */
#include "value/cut.h"

struct tk_str tk_cut(struct tk_str text, struct tk_arena *arena)
{
    static const struct tk_str ellipsis = TK_STR_INIT("\xe2\x80\xa6");
    size_t n = TK_CUT_AT;
    char *p;

    if (text.n <= n)
        return text;
    while (n > 0 && ((unsigned char)text.p[n] & 0xc0) == 0x80)
        n--;
    p = tk_arena_alloc(arena, n + ellipsis.n);
    if (!p)
        return (struct tk_str){0};
    memcpy(p, text.p, n);
    memcpy(p + n, ellipsis.p, ellipsis.n);
    return (struct tk_str){p, n + ellipsis.n};
}
