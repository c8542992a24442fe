/* SPDX-License-Identifier: Apache-2.0 */
#include "request/view.h"

#include <errno.h>

#define ABSENT                                                                                     \
    {                                                                                              \
        NULL, TK_NO_NODE                                                                           \
    }

const struct tk_request_view tk_no_request = {
    .body = ABSENT,
    .model = ABSENT,
    .tool_list = ABSENT,
};

int tk_request_read(struct tk_request_view *ret, struct tk_val body, struct tk_val model,
                    struct tk_val tool_list, struct tk_val (*name_of)(struct tk_val definition),
                    struct tk_arena *arena)
{
    uint32_t count = tk_is(tool_list, TK_ARRAY) ? tk_count(tool_list) : 0, i = 0;
    struct tk_request_tool *tools = tk_arena_alloc(arena, count * sizeof(*tools));

    if (!tools)
        return -ENOMEM;
    *ret = (struct tk_request_view){
        .body = body, .model = model, .tool_list = tool_list, .tools = tools, .tool_count = count};
    for (struct tk_val v = tk_first(tool_list); i < count; v = tk_after(tool_list, v))
        tools[i++] = (struct tk_request_tool){v.node, name_of(v).node};
    return 0;
}
