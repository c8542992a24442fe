/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include "../random/repair_properties.h"

static void check(struct trial *t, struct tk_str json)
{
    for (const struct property *const *table = repair_properties; *table; table++)
        for (const struct property *property = *table; property->name; property++) {
            struct tk_str why = property_fault(property, t);

            if (why.p)
                fprintf(stderr, "%s: %.*s\n%.*s\n", property->name, SHOW(why), SHOW(json));
            MUST(!why.p);
        }
}

void case_try(const struct histories *histories, const uint8_t *data, size_t size)
{
    struct tk_str json = {(const char *)data, size};
    struct tk_arena arena;
    struct choices choices = choices_of_bytes(data, size);
    struct trial trial;

    tk_arena_init(&arena, tk_libc_allocator);
    if (size == 0 || data[0] != '{')
        json = histories_draw(histories, &choices, &arena);
    if (trial_begin(&trial, json))
        check(&trial, json);
    trial_end(&trial);
    tk_arena_done(&arena);
}
