/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories and their repair. Bytes are choices of the generator (histories.h). Bytes that begin
 * with `{` are a whole case, so that a find stays a test even if the generator changes later.
 * Whatever the history is, the properties of repair_properties.h hold.
 */
#include "../random/histories.h"
#include "../random/repair_properties.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct trial *t, struct tk_str json)
{
    for (const struct property *const *table = repair_properties; *table; table++)
        for (const struct property *property = *table; property->name; property++) {
            struct tk_str why = property->broken(t);

            if (why.p)
                fprintf(stderr, "%s: %.*s\n%.*s\n", property->name, SHOW(why), SHOW(json));
            MUST(!why.p);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histories *histories;
    struct tk_str json = {(const char *)data, size};
    struct tk_arena arena;
    struct choices choices;
    struct trial trial;

    if (!histories)
        histories = histories_new();
    tk_arena_init(&arena, tk_libc_allocator);
    choices = choices_of_bytes(data, size);
    if (size == 0 || data[0] != '{')
        json = histories_draw(histories, &choices, &arena);
    if (trial_begin(&trial, json))
        check(&trial, json);
    trial_end(&trial);
    tk_arena_done(&arena);
    return 0;
}
