/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include <errno.h>

int tk_join_entries(struct tk_joins *joins, uint32_t entry, uint32_t other)
{
    if (!TK_GROW(joins->arena, joins->list, joins->count, joins->capacity))
        return -ENOMEM;
    joins->list[joins->count++] = (struct tk_join){entry, other};
    return 0;
}

enum tk_entry_kind tk_entry_kind_of(const struct tk_transcript *t, uint32_t entry,
                                    bool (*is_neutral)(const struct tk_part *p))
{
    const struct tk_message *m = &t->messages[entry];
    bool result = false, other = false;

    if (m->role == TK_ROLE_SYSTEM)
        return TK_ENTRY_SYSTEM;
    if (m->role != TK_ROLE_USER)
        return TK_ENTRY_MODEL;
    if (m->flags & TK_MESSAGE_RESULT)
        return TK_ENTRY_RESULTS;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];

        if (tk_is_result(p, false))
            result = true;
        else if (!is_neutral || !is_neutral(p))
            other = true;
    }
    if (!result)
        return TK_ENTRY_PROMPT;
    return other ? TK_ENTRY_MIXED : TK_ENTRY_RESULTS;
}

void tk_write_text_payload(struct tk_writer *w, struct tk_str text)
{
    tk_write_str(w, text);
}

void tk_write_user_message(struct tk_writer *w, const struct tk_shape *shape, struct tk_str text)
{
    tk_write_map(w);
    if (shape->read_message) /* one of several kinds of items */
        tk_write_kv_cstr(w, "type", "message");
    tk_write_kv_cstr(w, "role", "user");
    tk_write_key(w, tk_parts_name(shape).p);
    if (shape->lists_only || shape->read_message) {
        tk_write_list(w);
        shape->write_text(w, text, (struct tk_str){NULL, 0});
        tk_write_end(w);
    } else {
        tk_write_raw(w, text);
    }
    tk_write_end(w);
}
