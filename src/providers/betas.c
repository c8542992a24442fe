/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/betas.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static struct tk_str trim(struct tk_str s)
{
    while (s.n > 0 && is_space(s.p[0]))
        s = (struct tk_str){s.p + 1, s.n - 1};
    while (s.n > 0 && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool tk_beta_next(struct tk_str *line, struct tk_str *ret_value)
{
    while (line->n > 0) {
        const char *comma = memchr(line->p, ',', line->n);
        size_t n = comma ? (size_t)(comma - line->p) : line->n;
        struct tk_str value = trim((struct tk_str){line->p, n});

        n += comma != NULL;
        *line = (struct tk_str){line->p + n, line->n - n};
        if (value.n > 0) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

/* Compares two texts without regard to case; b is in lower case. */
static bool same_but_case(struct tk_str a, struct tk_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if ((a.p[i] >= 'A' && a.p[i] <= 'Z' ? a.p[i] + ('a' - 'A') : a.p[i]) != b.p[i])
            return false;
    return true;
}

static void add_line(struct tk_known_betas *b, const struct tk_beta_rules *rules,
                     struct tk_str line)
{
    struct tk_str value;

    while (tk_beta_next(&line, &value))
        for (unsigned i = 0; i < rules->count; i++)
            if (same_but_case(value, rules->values[i]))
                b->has |= tk_beta_bit(i);
}

void tk_known_betas_add(struct tk_known_betas *b, const struct tk_beta_rules *rules,
                        struct tk_val lines, struct tk_arena *arena)
{
    b->known |= tk_exists(lines) && !tk_is(lines, TK_NULL);
    if (tk_is(lines, TK_STRING))
        add_line(b, rules, tk_text(lines, arena));
    if (tk_is(lines, TK_ARRAY))
        for (struct tk_val v = tk_first(lines); tk_exists(v); v = tk_after(lines, v))
            add_line(b, rules, tk_text(v, arena));
}
