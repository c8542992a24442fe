/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/is_compact.h"

/* Returns the bytes of a value's key, with its quotes and its colon. */
static size_t key_size(const struct tk_doc *doc, uint32_t i)
{
    const struct tk_node *node = &doc->nodes[i];

    if (node->key == 0)
        return 0;
    if (node->key_len < TK_KEY_LONG)
        return (size_t)node->key_len + 3;
    return tk_raw_key((struct tk_val){doc, i}).n + 3;
}

bool tk_json_is_compact(const struct tk_doc *doc)
{
    /* A comma precedes each value, except the root and the first value of a container. */
    size_t size = doc->count - 1;

    for (uint32_t i = 0; i < doc->count; i++) {
        const struct tk_node *node = &doc->nodes[i];

        size += key_size(doc, i);
        if (node->kind != TK_ARRAY && node->kind != TK_OBJECT)
            size += node->len;
        else
            size += node->next > i + 1 ? 1 : 2; /* brackets; less the comma of the first child */
    }
    return size == doc->size;
}
