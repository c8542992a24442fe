/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/tools.h"

#include "value/canonical.h"

#include <errno.h>

static struct tk_tool_key *new_key(struct tk_tool_keys *keys)
{
    if (!TK_GROW(keys->arena, keys->list, keys->count, keys->capacity))
        return NULL;
    return &keys->list[keys->count++];
}

int tk_tool_key_add(struct tk_tool_keys *keys, struct tk_tool_key key, const char *kind)
{
    struct tk_tool_key *slot = new_key(keys);

    if (!slot)
        return -ENOMEM;
    *slot = key;
    slot->text =
        tk_arena_concat(keys->arena, (struct tk_str[]){tk_str_of(kind), TK_STR(":"), key.name}, 3);
    return slot->text.p ? 0 : -ENOMEM;
}

int tk_tool_key_add_unnamed(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_digest hash = tk_value_digest(TK_STR("tool"), entry, keys->arena);
    struct tk_str bytes =
        tk_arena_dup(keys->arena, (struct tk_str){(const char *)hash.bytes, sizeof(hash.bytes)});

    return tk_tool_key_add(
        keys,
        (struct tk_tool_key){
            .name = bytes, .value = entry, .tool = tool, .hash = hash, .hashed = true},
        "value");
}

struct tk_str tk_tool_member(const struct tk_tool_keys *keys, struct tk_val entry, const char *key)
{
    return tk_text(tk_get(entry, tk_str_of(key)), keys->arena);
}
