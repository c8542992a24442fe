/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/stop.h"

static const struct {
    struct tk_str name;
    enum tk_stop stop;
} stops[] = {
    {TK_STR_INIT("tool_use"), TK_STOP_CALLS},
    {TK_STR_INIT("pause_turn"), TK_STOP_PAUSED},
    {TK_STR_INIT("compaction"), TK_STOP_COMPACTION},
    {TK_STR_INIT("max_tokens"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("model_context_window_exceeded"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("refusal"), TK_STOP_REFUSAL},
};

enum tk_stop tk_anthropic_stop(struct tk_val reason)
{
    for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
        if (tk_text_is(reason, stops[i].name))
            return stops[i].stop;
    return TK_STOP_OTHER;
}
