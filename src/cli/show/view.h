/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows edits to people: one line for every edit, followed by the parts of the repaired document
 * that the old one didn't have.
 *
 *     - /messages/3/content/1 server_tool_use web_search (srvtoolu_1): dropped [CODE]
 *     + /messages/3/content/1 text "Turnkeeper, https://..."
 *
 * '-' places are those of the old document, '+' places those of the repaired one.
 */
#ifndef TK_CLI_SHOW_VIEW_H
#define TK_CLI_SHOW_VIEW_H

#include "cli/show/term.h"
#include "shapes/shape.h"

struct cli_view {
    struct tk_val before, after; /* the lists of messages; after: absent if nothing changed */
    struct tk_val edits;
    struct tk_arena *arena;
    const struct tk_shape *shape; /* of the messages */
};

/* Returns 0 or -ENOMEM. */
int cli_view_print(const struct cli_sink *sink, const struct cli_view *view);

#endif
