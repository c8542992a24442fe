/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/stop.h"

static const struct tk_stop_name stops[] = {
    {TK_STR_INIT("tool_use"), TK_STOP_CALLS},
    {TK_STR_INIT("pause_turn"), TK_STOP_PAUSED},
    {TK_STR_INIT("compaction"), TK_STOP_COMPACTION},
    {TK_STR_INIT("max_tokens"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("model_context_window_exceeded"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("refusal"), TK_STOP_REFUSAL},
    {{NULL, 0}, TK_STOP_OTHER},
};

enum tk_stop tk_anthropic_stop(struct tk_val reason)
{
    return tk_stop_named(stops, reason);
}
