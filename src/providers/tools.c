/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/tools.h"

#include "value/canonical.h"

#include <errno.h>

static struct tk_tool_key *new_key(struct tk_tool_keys *keys)
{
    if (keys->count == keys->capacity) {
        uint32_t capacity = keys->capacity ? 2 * keys->capacity : 16;
        struct tk_tool_key *list = tk_arena_grow(
            keys->arena, keys->list, keys->capacity * sizeof(*list), capacity * sizeof(*list));

        if (!list)
            return NULL;
        keys->list = list;
        keys->capacity = capacity;
    }
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
