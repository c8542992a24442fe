/* SPDX-License-Identifier: Apache-2.0 */
#include "wording/fill.h"

#include "value/cut.h"
#include "value/out.h"

struct tk_str tk_fill(struct tk_arena *arena, const char *template,
                      const struct tk_slot_value *slots, size_t n)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    for (const char *at = template; *at;) {
        size_t run = strcspn(at, "{"), i;

        tk_out_put(&out, at, run);
        at += run;
        if (!*at)
            break;
        for (i = 0; i < n; i++) {
            size_t length = strlen(slots[i].name);

            if (strncmp(at, slots[i].name, length) == 0) {
                struct tk_str value = tk_cut(slots[i].value, arena);

                tk_out_put(&out, value.p, value.n);
                at += length;
                break;
            }
        }
        if (i == n)
            tk_out_put(&out, at++, 1);
    }
    return tk_out_join(&out);
}
