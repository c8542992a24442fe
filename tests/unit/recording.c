/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdlib.h>

void record_bytes(struct record *r, struct tk_str s)
{
    if (r->room - r->n < s.n) {
        r->room = 2 * r->room + s.n;
        r->p = realloc(r->p, r->room);
        if (!r->p)
            abort();
    }
    if (s.n > 0)
        memcpy(r->p + r->n, s.p, s.n);
    r->n += s.n;
}

void record_done(struct record *r)
{
    free(r->p);
    *r = (struct record){NULL, 0, 0};
}

bool record_same(const struct record *a, const struct record *b)
{
    return tk_str_eq((struct tk_str){a->p, a->n}, (struct tk_str){b->p, b->n});
}

/* All members but those two, which may be NULL, with their names. */
static void record_members(struct record *r, struct tk_val object, const char *but, const char *nor)
{
    for (struct tk_val m = tk_first(object); tk_exists(m); m = tk_after(object, m)) {
        if ((but && tk_key_is(m, tk_str_of(but))) || (nor && tk_key_is(m, tk_str_of(nor))))
            continue;
        record_bytes(r, tk_raw_key(m));
        record_bytes(r, tk_span(m));
    }
}

void record_outputs(struct record *r, struct tk_val result)
{
    struct tk_val outputs = tk_get(result, TK_STR("outputs"));

    for (struct tk_val o = tk_first(outputs); tk_exists(o); o = tk_after(outputs, o))
        record_bytes(r, tk_span(o));
}

void record_end(struct record *r, struct tk_val result)
{
    record_members(r, result, "outputs", NULL);
}

void record_turn(struct record *r, struct tk_val result)
{
    struct tk_val finish = tk_get(result, TK_STR("finish"));

    if (!tk_is(finish, TK_OBJECT)) {
        record_end(r, result); /* it has none of them */
        return;
    }
    record_bytes(r, tk_span(tk_get(result, TK_STR("message"))));
    record_bytes(r, tk_span(tk_get(result, TK_STR("seal"))));
    record_members(r, finish, "usage", NULL);
    record_members(r, tk_get(finish, TK_STR("usage")), "start", "delta");
}
