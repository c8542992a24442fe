/* SPDX-License-Identifier: Apache-2.0 */
#include "value/own.h"

struct tk_doc *tk_doc_of_own(struct tk_str encoded, const uint64_t hash_key[2],
                             struct tk_arena *arena)
{
    const struct tk_read_limits limits = {UINT32_MAX, UINT32_MAX, {hash_key[0], hash_key[1]}};
    struct tk_doc *doc = tk_arena_alloc(arena, sizeof(*doc));
    struct tk_read_error error;

    if (!doc || !encoded.p || tk_arena_failed(arena))
        return NULL;
    tk_doc_init(doc, tk_arena_allocator(arena));
    return tk_doc_read(doc, encoded.p, encoded.n, &limits, arena, &error) == 0 ? doc : NULL;
}
