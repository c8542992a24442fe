/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/table.h"

#include "methods/params/formats.h"

/* ---- where histories are, in the order of RULES.md 8 (a) ---- */

#define LIST(param)                                                                                \
    {                                                                                              \
        param, NULL, tk_format_of_list, 0                                                          \
    }
#define MESSAGE(param)                                                                             \
    {                                                                                              \
        param, NULL, tk_format_of_message, 0                                                       \
    }
#define PARTS(param)                                                                               \
    {                                                                                              \
        param, NULL, tk_format_of_parts, 0                                                         \
    }
#define END                                                                                        \
    {                                                                                              \
        TK_P_NONE, NULL, NULL, 0                                                                   \
    }

static const struct tk_look looks_of_repair_turn[] = {PARTS(TK_P_CONTENT), END};
static const struct tk_look looks_of_seal[] = {LIST(TK_P_MESSAGES), MESSAGE(TK_P_MESSAGE),
                                               PARTS(TK_P_CONTENT), END};
static const struct tk_look looks_of_stream_open[] = {LIST(TK_P_HISTORY), LIST(TK_P_MESSAGES), END};
static const struct tk_look looks_of_pair[] = {
    LIST(TK_P_HISTORY),
    LIST(TK_P_MESSAGES),
    {TK_P_RESPONSE, "content", tk_format_of_parts, TK_ASKED_RESPONSE},
    END};
/* Also for prepare, which has these parameters, too. */
static const struct tk_look looks_of_splice[] = {LIST(TK_P_MESSAGES), MESSAGE(TK_P_ASSISTANT),
                                                 LIST(TK_P_APPENDED), END};

/* ---- the methods ---- */

const struct tk_method tk_methods[] = {
    {
        .name = TK_NAME("validate"),
        .help = "Lists every fault of a history at once",
        .params = &tk_params_validate,
        .handler = tk_method_validate,
    },
    {
        .name = TK_NAME("repair"),
        .help = "Makes a history acceptable with the fewest edits, or refuses",
        .params = &tk_params_repair,
        .handler = tk_method_repair,
    },
    {
        .name = TK_NAME("repair_turn"),
        .help = "Repairs one assistant turn before it is stored",
        .params = &tk_params_repair_turn,
        .looks = looks_of_repair_turn,
        .handler = tk_method_repair_turn,
    },
    {
        .name = TK_NAME("seal"),
        .help = "Fingerprints an assistant turn as received, so that it can be proven or restored",
        .params = &tk_params_seal,
        .looks = looks_of_seal,
        .handler = tk_method_seal,
    },
    {
        .name = TK_NAME("stream.open"),
        .help = "Opens a stream that pairs provider-executed calls with their results",
        .flags = TK_METHOD_STREAM,
        .params = &tk_params_stream_open,
        .looks = looks_of_stream_open,
        .handler = tk_method_stream_open,
    },
    {
        .name = TK_NAME("stream.feed"),
        .help = "Feeds a stream with wire events or SSE bytes, answers what may be shown of them",
        .flags = TK_METHOD_STREAM | TK_METHOD_GOES_ON,
        .params = &tk_params_stream_feed,
        .handler = tk_method_stream_feed,
    },
    {
        .name = TK_NAME("stream.end"),
        .help = "Ends a stream, answers its finish or error and the message to store",
        .flags = TK_METHOD_STREAM | TK_METHOD_GOES_ON | TK_METHOD_FREES,
        .params = &tk_params_stream_end,
        .handler = tk_method_stream_end,
    },
    {
        .name = TK_NAME("pair"),
        .help = "Pairs the calls and results of one whole response, as a stream would",
        .params = &tk_params_pair,
        .looks = looks_of_pair,
        .handler = tk_method_pair,
    },
    {
        .name = TK_NAME("splice"),
        .help = "Puts a turn, its results and appended messages into the order providers take",
        .params = &tk_params_splice,
        .looks = looks_of_splice,
        .handler = tk_method_splice,
    },
    {
        .name = TK_NAME("tools"),
        .help = "Adds tools to a request and names the beta values that it needs",
        .flags = TK_METHOD_ANY_PROVIDER,
        .params = &tk_params_tools,
        .handler = tk_method_tools,
    },
    {
        .name = TK_NAME("fit"),
        .help = "Removes whole rounds, the oldest first, until a history fits a budget",
        .params = &tk_params_fit,
        .handler = tk_method_fit,
    },
    {
        .name = TK_NAME("prepare"),
        .help = "Makes a request ready to send in one call: splice, tools and repair, one patch",
        .params = &tk_params_prepare,
        .stage_of = tk_prepare_stage,
        .looks = looks_of_splice,
        .handler = tk_method_prepare,
    },
    {
        .name = TK_NAME("explain"),
        .help = "Names the rules that a provider's refusal belongs to, and where it points",
        .flags = TK_METHOD_ANY_PROVIDER,
        .params = &tk_params_explain,
        .handler = tk_method_explain,
    },
    {
        .name = TK_NAME("report_miss"),
        .help = "Counts a request that the provider refused although it was called sound",
        .flags = TK_METHOD_ANY_PROVIDER,
        .params = &tk_params_report_miss,
        .handler = tk_method_report_miss,
    },
    {
        .name = TK_NAME("detect"),
        .help = "Says whose history this is: the provider, the dialect, and what shows it",
        .flags = TK_METHOD_ANY_PROVIDER,
        .params = &tk_params_detect,
        .handler = tk_method_detect,
    },
    {
        .name = TK_NAME("redact"),
        .help = "Replaces all that was said in a history, so that it can be shown in a bug report",
        .flags = TK_METHOD_KEYED | TK_METHOD_ANY_PROVIDER,
        .params = &tk_params_redact,
        .handler = tk_method_redact,
    },
    {
        .name = TK_NAME("ping"),
        .help = "Answers and echoes a value",
        .flags = TK_METHOD_CONTROL,
        .params = &tk_params_ping,
        .handler = tk_method_ping,
    },
    {
        .name = TK_NAME("health"),
        .help = "Tells whether the daemon is well, check by check",
        .flags = TK_METHOD_CONTROL | TK_METHOD_HOST,
        .params = &tk_params_plain,
        .handler = tk_method_health,
    },
    {
        .name = TK_NAME("stats"),
        .help = "Counters, gauges, limits hit and latencies since the start",
        .flags = TK_METHOD_CONTROL | TK_METHOD_HOST,
        .params = &tk_params_stats,
        .handler = tk_method_stats,
    },
    {
        .name = TK_NAME("info"),
        .help = "What this build serves: methods, parameters, rules, limits",
        .flags = TK_METHOD_CONTROL,
        .params = &tk_params_plain,
        .handler = tk_method_info,
    },
};

const size_t tk_methods_count = sizeof(tk_methods) / sizeof(tk_methods[0]);
