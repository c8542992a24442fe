/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/text/move_text.h"

#include <errno.h>

#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/state.h"

/* Removes the part and inserts an encoded text part after a part of the message. */
static int move_text(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action,
                     struct tk_str encoded, uint32_t message, uint32_t after)
{
    int r = tk_edit_remove(e, part, code, action);

    return r < 0 ? r : tk_edit_insert(e, message, after, encoded);
}

int tk_textify_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text,
                    uint32_t message, uint32_t after)
{
    return move_text(e, part, code, TK_ACTION_TEXTIFY,
                     tk_encode_text_part(e, text, tk_marker_of(e->t, part)), message, after);
}

int tk_rewrite_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_val text,
                    uint32_t message, uint32_t after)
{
    return move_text(e, part, code, TK_ACTION_REWRITE,
                     tk_encode_string_part(e, tk_span(text), tk_marker_of(e->t, part)), message,
                     after);
}

/* Returns a new user message right after the part's. Texts of one round share it. */
static uint32_t message_after(struct tk_edits *e, uint32_t part)
{
    const struct tk_transcript *t = e->t;
    const uint16_t kind = TK_MESSAGE_MADE | TK_MESSAGE_TOOL;
    uint32_t message = t->parts[part].message, next = t->messages[message].next;

    if (next == TK_NONE || next < tk_anthropic(e->j)->round.first_new ||
        (t->messages[next].flags & kind) != TK_MESSAGE_MADE ||
        t->messages[next].role != TK_ROLE_USER)
        next = tk_edit_add_message(e, message, TK_ROLE_USER, 0);
    return next;
}

int tk_textify_after(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text)
{
    uint32_t next = message_after(e, part);

    return next == TK_NONE ? -ENOMEM
                           : tk_textify_into(e, part, code, text, next, e->t->messages[next].last);
}
