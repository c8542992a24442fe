/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every parameter of every method, as data. A row of a field: name, what it means, its shape,
 * its number. A method's parameters are a list of rows; rows are shared where they mean the same.
 * `wave` closes a field until the rules behind it are there (schema.h).
 */
#include "methods/table.h"

static const char *const word_names[TK_WORD_COUNT] = {[TK_WORD_NONE] = "",
#define TK_WORD_NAME(id, text) [TK_WORD_##id] = text,
                                                      TK_WORDS(TK_WORD_NAME)
#undef TK_WORD_NAME
};

const char *tk_word_name(enum tk_word word)
{
    return word_names[word];
}

/* A list of words, and a shape that takes one of them. */
#define WORDS(name, ...)                                                                           \
    static const enum tk_word name##_words[] = {__VA_ARGS__, TK_WORD_NONE};                        \
    static const struct tk_shape name = {.kinds = TK_T_STRING, .words = name##_words}

static const struct tk_shape any = {.kinds = TK_T_ANY};
static const struct tk_shape boolean = {.kinds = TK_T_BOOL};
static const struct tk_shape string = {.kinds = TK_T_STRING};
static const struct tk_shape name = {.kinds = TK_T_STRING, .nonblank = true};
static const struct tk_shape object = {.kinds = TK_T_OBJECT, .open = true};
static const struct tk_shape objects = {.kinds = TK_T_LIST, .items = &object};
static const struct tk_shape string_or_null = {.kinds = TK_T_STRING | TK_T_NULL};
static const struct tk_shape string_or_strings = {.kinds = TK_T_STRING | TK_T_LIST,
                                                  .items = &string};
static const struct tk_shape strings_or_null = {.kinds = TK_T_LIST | TK_T_NULL, .items = &string};
static const struct tk_shape milliseconds = {.kinds = TK_T_INT, .min = 1, .max = UINT32_MAX};
static const struct tk_shape count = {.kinds = TK_T_INT, .min = 0, .max = UINT32_MAX};

/* ---- histories ---- */

/* Whatever else a content is, if it is a list, its elements are parts. */
static const struct tk_shape message_content = {.kinds = TK_T_ANY, .items = &object};
static const struct tk_field field_message_content = {
    .name = TK_NAME("content"),
    .help = "Text, or a list of parts",
    .shape = &message_content,
};
static const struct tk_field *const message_fields[] = {&field_message_content, NULL};
static const struct tk_shape message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = message_fields};
static const struct tk_shape messages = {.kinds = TK_T_LIST, .items = &message};

static const struct tk_field field_messages = {
    .name = TK_NAME("messages"),
    .help = "The history, oldest message first; either this or request",
    .shape = &messages,
    .slot = TK_P_MESSAGES,
    .either = true,
};

static const struct tk_field field_body_messages = {
    .name = TK_NAME("messages"),
    .help = "The history, oldest message first",
    .shape = &messages,
    .slot = TK_P_MESSAGES,
    .required = true,
};
static const struct tk_field *const body_fields[] = {&field_body_messages, NULL};
static const struct tk_shape body = {.kinds = TK_T_OBJECT, .open = true, .fields = body_fields};

static const struct tk_field field_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body; this release looks at its messages",
    .shape = &body,
    .slot = TK_P_REQUEST,
    .either = true,
};

static const struct tk_field field_content = {
    .name = TK_NAME("content"),
    .help = "The parts of one assistant turn",
    .shape = &objects,
    .slot = TK_P_CONTENT,
    .required = true,
};

static const struct tk_shape sealed_content = {.kinds = TK_T_STRING | TK_T_LIST, .items = &object};
static const struct tk_field field_sealed_content = {
    .name = TK_NAME("content"),
    .help = "The content of an assistant turn as received; either this or message",
    .shape = &sealed_content,
    .slot = TK_P_CONTENT,
    .either = true,
};

WORDS(assistant, TK_WORD_ASSISTANT);
static const struct tk_field field_sealed_role = {
    .name = TK_NAME("role"), .help = "Whose message it is", .shape = &assistant, .required = true};
static const struct tk_field field_sealed_message_content = {.name = TK_NAME("content"),
                                                             .help = "Text, or a list of parts",
                                                             .shape = &sealed_content,
                                                             .slot = TK_P_CONTENT,
                                                             .required = true};
static const struct tk_field *const sealed_message_fields[] = {&field_sealed_role,
                                                               &field_sealed_message_content, NULL};
static const struct tk_shape sealed_message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = sealed_message_fields};
static const struct tk_field field_message = {
    .name = TK_NAME("message"),
    .help = "The assistant turn as a message",
    .shape = &sealed_message,
    .slot = TK_P_MESSAGE,
    .either = true,
};

static const struct tk_field field_answered = {
    .name = TK_NAME("request"),
    .help = "The whole request body that got this turn as its answer",
    .shape = &body,
    .slot = TK_P_REQUEST,
};

static const struct tk_field field_blocks = {
    .name = TK_NAME("blocks"),
    .help = "Carry the blocks, so that they can be restored",
    .shape = &boolean,
    .slot = TK_P_BLOCKS,
};

static const struct tk_field field_stop_reason = {
    .name = TK_NAME("stop_reason"),
    .help = "Why the turn ended, as the provider said",
    .shape = &string,
    .slot = TK_P_STOP_REASON,
};

static const struct tk_field field_carried_id = {
    .name = TK_NAME("id"), .help = "The call's id", .shape = &name, .required = true};
static const struct tk_field field_carried_name = {.name = TK_NAME("name"),
                                                   .help = "The tool's name, where it is known",
                                                   .shape = &string_or_null};
static const struct tk_field field_carried_type = {
    .name = TK_NAME("type"), .help = "The call's block type, the same", .shape = &string_or_null};
static const struct tk_field *const carried_fields[] = {&field_carried_id, &field_carried_name,
                                                        &field_carried_type, NULL};
static const struct tk_shape carried = {.kinds = TK_T_OBJECT, .fields = carried_fields};
static const struct tk_shape carried_list = {
    .kinds = TK_T_LIST, .items = &carried, .unique = &field_carried_id};

static const struct tk_field field_carry_in = {
    .name = TK_NAME("carry_in"),
    .help = "Provider-executed calls that the turn before left open",
    .shape = &carried_list,
    .slot = TK_P_CARRY_IN,
};

/* ---- streams ---- */

static const struct tk_shape stream_key = {.kinds = TK_T_STRING, .min = 1, .max = 256};
static const struct tk_field field_stream = {
    .name = TK_NAME("stream"),
    .help = "The stream's key, free to choose on each connection",
    .shape = &stream_key,
    .slot = TK_P_STREAM,
    .required = true,
};

WORDS(emit, TK_WORD_PARTS, TK_WORD_EVENTS, TK_WORD_SSE);
static const struct tk_field field_emit = {
    .name = TK_NAME("emit"),
    .help = "The form of outputs: parts, wire events, or those as SSE bytes",
    .shape = &emit,
    .slot = TK_P_EMIT,
    .initial = TK_WORD_PARTS,
};

WORDS(provider_input, TK_WORD_WHOLE, TK_WORD_DELTAS);
static const struct tk_field field_provider_input = {
    .name = TK_NAME("provider_input"),
    .help = "How a provider's call leaves as events: its input in its start, or as it came",
    .shape = &provider_input,
    .slot = TK_P_PROVIDER_INPUT,
    .initial = TK_WORD_WHOLE,
};

static const struct tk_field field_history = {
    .name = TK_NAME("history"),
    .help = "The messages sent with the request; open calls and used ids are read from it",
    .shape = &messages,
    .slot = TK_P_HISTORY,
};

static const struct tk_shape buffer = {.kinds = TK_T_INT, .min = 1, .max = INT64_C(1) << 30};
static const struct tk_field field_max_buffer = {
    .name = TK_NAME("max_buffer"),
    .help = "Lowers the limit max_stream_buffer for this stream",
    .shape = &buffer,
    .slot = TK_P_MAX_BUFFER,
};

static const struct tk_field field_response = {
    .name = TK_NAME("response"),
    .help = "One whole response body",
    .shape = &object,
    .slot = TK_P_RESPONSE,
    .required = true,
};

static const struct tk_shape events = {.kinds = TK_T_LIST, .items = &object, .foreign = true};
static const struct tk_field field_events = {
    .name = TK_NAME("events"),
    .help = "Wire events in order",
    .shape = &events,
    .slot = TK_P_EVENTS,
    .either = true,
};

static const struct tk_shape bytes = {.kinds = TK_T_STRING | TK_T_BIN};
static const struct tk_field field_data = {
    .name = TK_NAME("data"),
    .help = "SSE bytes, cut anywhere: a string's UTF-8, or msgpack bin",
    .shape = &bytes,
    .slot = TK_P_DATA,
    .either = true,
};

static const struct tk_field field_data_base64 = {
    .name = TK_NAME("data_base64"),
    .help = "The same in base64, for JSON clients whose chunk may end inside a character",
    .shape = &string,
    .slot = TK_P_DATA_BASE64,
    .either = true,
};

static const struct tk_field field_transport_error = {
    .name = TK_NAME("transport_error"),
    .help = "What the transport failed with; null: it didn't",
    .shape = &string_or_null,
    .slot = TK_P_TRANSPORT_ERROR,
};

/* ---- whose rules ---- */

WORDS(provider, TK_WORD_ANTHROPIC);
const struct tk_field tk_field_provider = {
    .name = TK_NAME("provider"),
    .help = "Whose rules the history must obey",
    .shape = &provider,
    .slot = TK_P_PROVIDER,
    .initial = TK_WORD_ANTHROPIC,
};

WORDS(dialect, TK_WORD_ANTHROPIC, TK_WORD_FANTASY, TK_WORD_AI_SDK);
const struct tk_field tk_field_dialect = {
    .name = TK_NAME("dialect"),
    .help = "The shape that the messages have",
    .shape = &dialect,
    .slot = TK_P_DIALECT,
    .initial = TK_WORD_ANTHROPIC,
};

WORDS(endpoint, TK_WORD_ANTHROPIC, TK_WORD_BEDROCK, TK_WORD_VERTEX, TK_WORD_COMPATIBLE);
static const enum tk_word endpoints_built[] = {TK_WORD_COMPATIBLE, TK_WORD_BEDROCK, TK_WORD_NONE};
static const struct tk_field field_endpoint = {
    .name = TK_NAME("endpoint"),
    .help = "Where the request goes",
    .shape = &endpoint,
    .slot = TK_P_TARGET_ENDPOINT,
    .wave = 3,
    .built = endpoints_built,
    .initial = TK_WORD_ANTHROPIC,
};
static const struct tk_field field_model = {
    .name = TK_NAME("model"),
    .help = "The model's name",
    .shape = &name,
    .slot = TK_P_TARGET_MODEL,
    .wave = 3,
};
static const struct tk_field *const target_fields[] = {&field_endpoint, &field_model, NULL};
static const struct tk_shape target = {.kinds = TK_T_OBJECT, .fields = target_fields};

static const struct tk_field field_target = {
    .name = TK_NAME("target"),
    .help = "Where the request goes; turns on rules that hold only there",
    .shape = &target,
    .slot = TK_P_TARGET,
};

static const struct tk_field field_betas = {
    .name = TK_NAME("betas"),
    .help = "The request's anthropic-beta values",
    .shape = &string_or_strings,
    .slot = TK_P_BETAS,
};

WORDS(provenance, TK_WORD_WIRE, TK_WORD_REBUILT);
static const struct tk_field field_provenance = {
    .name = TK_NAME("provenance"),
    .help = "Whether blocks stand as received or were put together again",
    .shape = &provenance,
    .slot = TK_P_PROVENANCE,
    .wave = 2,
    .initial = TK_WORD_WIRE,
};

/* ---- seals (OPERATIONS.md C.3) ---- */

#define SEAL_FIELD(member, text, what, must)                                                       \
    static const struct tk_field seal_##member = {                                                 \
        .name = TK_NAME(#member), .help = text, .shape = &what, .required = must}

static const struct tk_shape integer = {.kinds = TK_T_INT};
static const struct tk_shape strings = {.kinds = TK_T_LIST, .items = &string};

SEAL_FIELD(system, "Digest of the system blocks", string, false);
SEAL_FIELD(tools, "Digest of the tools", string, false);
SEAL_FIELD(messages, "Digest of the messages in front", string, false);
SEAL_FIELD(thinking, "Opaque digests of the thinking that the request carried", strings, false);
static const struct tk_field *const seal_prefix_fields[] = {&seal_system, &seal_tools,
                                                            &seal_messages, &seal_thinking, NULL};
static const struct tk_shape seal_prefix_shape = {
    .kinds = TK_T_OBJECT, .open = true, .fields = seal_prefix_fields};

SEAL_FIELD(v, "Version of the seal", integer, true);
SEAL_FIELD(alg, "Algorithm of its digests", string, true);
SEAL_FIELD(turn, "Digest of the turn", string, true);
SEAL_FIELD(blocks, "Digests of its blocks", objects, true);
SEAL_FIELD(prefix, "Digests of what it was the answer to", seal_prefix_shape, false);
SEAL_FIELD(content, "The blocks themselves", objects, false);
static const struct tk_field *const whole_seal_fields[] = {
    &seal_v, &seal_alg, &seal_turn, &seal_blocks, &seal_prefix, &seal_content, NULL};
static const struct tk_shape seal_shape = {
    .kinds = TK_T_OBJECT, .open = true, .fields = whole_seal_fields};

static const struct tk_field seal_itself = {.name = TK_NAME("seal"),
                                            .help = "As seal, stream.end or pair gave it",
                                            .shape = &seal_shape,
                                            .required = true};
SEAL_FIELD(message_index, "The message it is of; absent: found by ids and signatures", count,
           false);
SEAL_FIELD(restore, "Whether the turn may be restored from it; absent: it may", boolean, false);
static const struct tk_field *const seal_entry_fields[] = {&seal_itself, &seal_message_index,
                                                           &seal_restore, NULL};
static const struct tk_shape seal_entry = {.kinds = TK_T_OBJECT, .fields = seal_entry_fields};
static const struct tk_shape seal_list = {.kinds = TK_T_LIST, .items = &seal_entry};

static const struct tk_field field_seals = {
    .name = TK_NAME("seals"),
    .help = "Seals of turns in this history",
    .shape = &seal_list,
    .slot = TK_P_SEALS,
};

/* ---- how the answer is to look ---- */

static const struct tk_field field_max_violations = {
    .name = TK_NAME("max_violations"),
    .help = "How many findings to list; all are counted",
    .shape = &count,
    .slot = TK_P_MAX_VIOLATIONS,
    .initial = 256,
};

static const struct tk_field field_timeout_ms = {
    .name = TK_NAME("timeout_ms"),
    .help = "Lowers the server's request timeout",
    .shape = &milliseconds,
    .slot = TK_P_TIMEOUT_MS,
};

static const struct tk_field field_guard = {
    .name = TK_NAME("guard"),
    .help = "Fail closed if an error remains; false cleans up and lists what remains",
    .shape = &boolean,
    .slot = TK_P_GUARD,
    .initial = true,
};

WORDS(return_messages, TK_WORD_PATCH, TK_WORD_MESSAGES, TK_WORD_REPORT);
static const struct tk_field field_return_messages = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the repaired messages, or neither",
    .shape = &return_messages,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

WORDS(return_content, TK_WORD_PATCH, TK_WORD_CONTENT, TK_WORD_REPORT);
static const struct tk_field field_return_content = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the repaired content, or neither",
    .shape = &return_content,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

static const struct tk_field field_echo = {
    .name = TK_NAME("echo"),
    .help = "Any value, comes back as it is",
    .shape = &any,
    .slot = TK_P_ECHO,
};

/* ---- the policy (RULES.md section 5) ---- */

/* A key of the policy: its words, first what the conservative policy says. */
#define POLICY_KEY(key, number, needs, text, preserved, ...)                                       \
    WORDS(key, __VA_ARGS__);                                                                       \
    static const struct tk_field policy_##key = {                                                  \
        .name = TK_NAME(#key),                                                                     \
        .help = text,                                                                              \
        .shape = &key,                                                                             \
        .slot = TK_P_POLICY_##number,                                                              \
        .wave = needs,                                                                             \
        .initial = FIRST(__VA_ARGS__, ),                                                           \
        .preserve = preserved,                                                                     \
    }
#define FIRST(word, ...) word

POLICY_KEY(base, BASE, 0, "The policy whose keys these override", TK_WORD_PRESERVE,
           TK_WORD_CONSERVATIVE, TK_WORD_PRESERVE);
POLICY_KEY(orphan_call, ORPHAN_CALL, 1, "Provider-executed call without result", TK_WORD_DROP,
           TK_WORD_DROP, TK_WORD_ERROR_RESULT, TK_WORD_REPORT);
POLICY_KEY(orphan_result, ORPHAN_RESULT, 1, "Provider-executed result without call",
           TK_WORD_TEXTIFY, TK_WORD_TEXTIFY, TK_WORD_DROP, TK_WORD_REPORT);
POLICY_KEY(result_before_call, RESULT_BEFORE_CALL, 1, "Result in front of its call", TK_WORD_MOVE,
           TK_WORD_TEXTIFY, TK_WORD_MOVE, TK_WORD_REPORT);
POLICY_KEY(duplicate_id, DUPLICATE_ID, 1, "Several calls or results with one id",
           TK_WORD_KEEP_FIRST, TK_WORD_TEXTIFY, TK_WORD_KEEP_FIRST, TK_WORD_REPORT);
POLICY_KEY(invalid_pair, INVALID_PAIR, 1, "Pair that can't be sent as it is", TK_WORD_REPAIR,
           TK_WORD_TEXTIFY, TK_WORD_REPAIR, TK_WORD_REPORT);
POLICY_KEY(unanswered_call, UNANSWERED_CALL, 2, "Client call without result", TK_WORD_INSERT_RESULT,
           TK_WORD_INSERT_RESULT, TK_WORD_REPORT);
POLICY_KEY(unmatched_result, UNMATCHED_RESULT, 2, "Client result without call", TK_WORD_TEXTIFY,
           TK_WORD_TEXTIFY, TK_WORD_REPORT);
POLICY_KEY(blank_text, BLANK_TEXT, 2, "Empty or blank text", TK_WORD_DROP, TK_WORD_DROP,
           TK_WORD_REPORT);
POLICY_KEY(merge_adjacent, MERGE_ADJACENT, 1, "Which neighbours of one role are joined",
           TK_WORD_NEVER, TK_WORD_NEVER, TK_WORD_TOUCHED, TK_WORD_ALL);
POLICY_KEY(unknown_tools, UNKNOWN_TOOLS, 1, "Server tools that aren't known: a warning or an error",
           TK_WORD_REPORT, TK_WORD_REPORT, TK_WORD_ERROR);

static const struct tk_field policy_mark_text = {
    .name = TK_NAME("mark_text"),
    .help = "Text that stands for a result begins with [NAME result]",
    .shape = &boolean,
    .slot = TK_P_POLICY_MARK_TEXT,
    .wave = 1,
    .initial = false,
    .preserve = true,
};

static const struct tk_field policy_serializable_tools = {
    .name = TK_NAME("serializable_tools"),
    .help = "Names of the server tools that can be sent; null: all",
    .shape = &strings_or_null,
    .slot = TK_P_POLICY_SERIALIZABLE_TOOLS,
    .wave = 1,
};

/* ---- thinking (OPERATIONS.md part C) ---- */

POLICY_KEY(thinking, THINKING, 2, "Thinking of a turn that isn't as the provider sent it",
           TK_WORD_RESTORE, TK_WORD_DEMOTE, TK_WORD_DROP, TK_WORD_RESTORE, TK_WORD_REPORT);
POLICY_KEY(unsigned_thinking, UNSIGNED_THINKING, 2, "Thinking without a signature", TK_WORD_DEMOTE,
           TK_WORD_DEMOTE, TK_WORD_DROP);
POLICY_KEY(signature_form, SIGNATURE_FORM, 2, "What a signature must look like", TK_WORD_ANY,
           TK_WORD_ANY, TK_WORD_BASE64);

WORDS(rebuilt_rule, TK_WORD_GROUPED);
static const struct tk_field policy_rebuilt_rule = {
    .name = TK_NAME("rebuilt_rule"),
    .help = "Distrust a rebuilt turn only if it begins with two thinking blocks",
    .shape = &rebuilt_rule,
    .slot = TK_P_POLICY_REBUILT_RULE,
    .wave = 2,
};

WORDS(emptied_turn, TK_WORD_PLACEHOLDER);
static const struct tk_field policy_emptied_turn = {
    .name = TK_NAME("emptied_turn"),
    .help = "A message that lost all its thinking holds its place with a text",
    .shape = &emptied_turn,
    .slot = TK_P_POLICY_EMPTIED_TURN,
    .wave = 2,
};

WORDS(prior_thinking, TK_WORD_PRUNE);
static const struct tk_field policy_prior_thinking = {
    .name = TK_NAME("prior_thinking"),
    .help = "Thinking of older turns goes",
    .shape = &prior_thinking,
    .slot = TK_P_POLICY_PRIOR_THINKING,
};

POLICY_KEY(dead_thinking, DEAD_THINKING, 0, "Dead thinking that can't be restored", TK_WORD_NONE,
           TK_WORD_DEMOTE, TK_WORD_DROP, TK_WORD_REPORT);
POLICY_KEY(prefix_mismatch, PREFIX_MISMATCH, 0, "Thinking whose prefix was changed", TK_WORD_NONE,
           TK_WORD_REPORT, TK_WORD_STRIP, TK_WORD_DROP_BLOCK, TK_WORD_ERROR, TK_WORD_OFF);
POLICY_KEY(route, ROUTE, 0, "Whose thinking the receiver takes", TK_WORD_NONE, TK_WORD_NATIVE,
           TK_WORD_THIRD_PARTY, TK_WORD_DEEPSEEK, TK_WORD_KIMI);

const struct tk_field *const tk_policy_fields[] = {
    &policy_base,
    &policy_orphan_call,
    &policy_orphan_result,
    &policy_result_before_call,
    &policy_duplicate_id,
    &policy_invalid_pair,
    &policy_unanswered_call,
    &policy_unmatched_result,
    &policy_blank_text,
    &policy_mark_text,
    &policy_merge_adjacent,
    &policy_unknown_tools,
    &policy_serializable_tools,
    &policy_thinking,
    &policy_unsigned_thinking,
    &policy_signature_form,
    &policy_rebuilt_rule,
    &policy_emptied_turn,
    &policy_prior_thinking,
    &policy_dead_thinking,
    &policy_prefix_mismatch,
    &policy_route,
    NULL,
};

static const struct tk_shape policy = {
    .kinds = TK_T_STRING | TK_T_OBJECT, .words = base_words, .fields = tk_policy_fields};

static const struct tk_field field_policy = {
    .name = TK_NAME("policy"),
    .help =
        "What may be done about each kind of fault: a name, or a base and keys that override it",
    .shape = &policy,
    .slot = TK_P_POLICY,
    .initial = TK_WORD_CONSERVATIVE,
};

/* ---- splice (OPERATIONS.md part A) ---- */

static const struct tk_field field_splice_history = {
    .name = TK_NAME("history"),
    .help = "The same by another name",
    .shape = &messages,
    .slot = TK_P_MESSAGES,
    .either = true,
};

static const struct tk_shape turn_content = {.kinds = TK_T_STRING | TK_T_LIST, .items = &object};
static const struct tk_field field_turn_content = {
    .name = TK_NAME("content"),
    .help = "Text, or a list of blocks",
    .shape = &turn_content,
    .required = true,
};
static const struct tk_field field_turn_stop_reason = {
    .name = TK_NAME("stop_reason"),
    .help = "Why the turn ended, as the provider said",
    .shape = &string_or_null,
};
static const struct tk_field field_container_id = {
    .name = TK_NAME("id"), .help = "The container's id", .shape = &name, .required = true};
static const struct tk_field *const container_fields[] = {&field_container_id, NULL};
static const struct tk_shape container_or_null = {
    .kinds = TK_T_OBJECT | TK_T_NULL, .open = true, .fields = container_fields};
static const struct tk_field field_turn_container = {
    .name = TK_NAME("container"),
    .help = "The container that the turn ran in",
    .shape = &container_or_null,
};
static const struct tk_field *const turn_fields[] = {&field_turn_content, &field_turn_stop_reason,
                                                     &field_turn_container, NULL};
static const struct tk_shape turn = {.kinds = TK_T_OBJECT, .open = true, .fields = turn_fields};
static const struct tk_field field_assistant = {
    .name = TK_NAME("assistant"),
    .help = "The assistant turn as received; the whole response body will do",
    .shape = &turn,
    .slot = TK_P_ASSISTANT,
    .required = true,
};

WORDS(result_type, TK_WORD_TOOL_RESULT);
static const struct tk_field field_result_type = {
    .name = TK_NAME("type"), .help = "What it is", .shape = &result_type, .required = true};
static const struct tk_field field_result_id = {.name = TK_NAME("tool_use_id"),
                                                .help = "The call that it answers",
                                                .shape = &string,
                                                .required = true};
static const struct tk_field *const result_fields[] = {&field_result_type, &field_result_id, NULL};
static const struct tk_shape tool_result = {
    .kinds = TK_T_OBJECT, .open = true, .fields = result_fields};
static const struct tk_shape tool_results = {.kinds = TK_T_LIST, .items = &tool_result};
static const struct tk_field field_tool_results = {
    .name = TK_NAME("tool_results"),
    .help = "The runner's automatic results, in any order",
    .shape = &tool_results,
    .slot = TK_P_TOOL_RESULTS,
};

WORDS(appended_role, TK_WORD_USER, TK_WORD_ASSISTANT, TK_WORD_SYSTEM);
static const struct tk_field field_appended_role = {
    .name = TK_NAME("role"), .help = "Who says it", .shape = &appended_role, .required = true};
static const struct tk_field *const appended_fields[] = {&field_appended_role, &field_turn_content,
                                                         NULL};
static const struct tk_shape appended_message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = appended_fields};
static const struct tk_shape appended = {.kinds = TK_T_LIST, .items = &appended_message};
static const struct tk_field field_appended = {
    .name = TK_NAME("appended"),
    .help = "The caller's messages, in their order",
    .shape = &appended,
    .slot = TK_P_APPENDED,
};

static const struct tk_field field_container = {
    .name = TK_NAME("container"),
    .help = "The container id that the caller pinned",
    .shape = &name,
    .slot = TK_P_CONTAINER,
};

WORDS(return_spliced, TK_WORD_PATCH, TK_WORD_MESSAGES);
static const struct tk_field field_return_spliced = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, or all messages",
    .shape = &return_spliced,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

WORDS(splice_mode, TK_WORD_REPAIR, TK_WORD_STRICT);
static const struct tk_field field_splice_mode = {
    .name = TK_NAME("mode"),
    .help = "Mend, or refuse instead of filling, dropping and textifying",
    .shape = &splice_mode,
    .slot = TK_P_SPLICE_MODE,
    .initial = TK_WORD_REPAIR,
};

WORDS(splice_merge, TK_WORD_SEPARATE, TK_WORD_SINGLE);
static const struct tk_field field_splice_merge = {
    .name = TK_NAME("merge"),
    .help = "Whether neighbouring user messages become one",
    .shape = &splice_merge,
    .slot = TK_P_SPLICE_MERGE,
    .initial = TK_WORD_SEPARATE,
};

WORDS(on_assistant_conflict, TK_WORD_ERROR, TK_WORD_REPLACE);
static const struct tk_field field_on_assistant_conflict = {
    .name = TK_NAME("on_assistant_conflict"),
    .help = "What becomes of an assistant message that stands in the turn's place",
    .shape = &on_assistant_conflict,
    .slot = TK_P_SPLICE_ON_ASSISTANT_CONFLICT,
    .initial = TK_WORD_ERROR,
};

WORDS(splice_compaction, TK_WORD_KEEP, TK_WORD_REPLACE);
static const struct tk_field field_splice_compaction = {
    .name = TK_NAME("compaction"),
    .help = "Whether a compaction turn stands beside the history or replaces it",
    .shape = &splice_compaction,
    .slot = TK_P_SPLICE_COMPACTION,
    .initial = TK_WORD_KEEP,
};

static const struct tk_field *const splice_options_fields[] = {
    &field_splice_mode, &field_splice_merge, &field_on_assistant_conflict, &field_splice_compaction,
    NULL};
static const struct tk_shape splice_options = {.kinds = TK_T_OBJECT,
                                               .fields = splice_options_fields};
static const struct tk_field field_splice_options = {
    .name = TK_NAME("options"),
    .help = "What to do where there is a choice",
    .shape = &splice_options,
};

/* ---- tools (OPERATIONS.md part B) ---- */

static const struct tk_shape objects_or_null = {.kinds = TK_T_LIST | TK_T_NULL, .items = &object};

static const struct tk_field field_tools = {
    .name = TK_NAME("tools"),
    .help = "The tools of the request, where the rest of it isn't sent",
    .shape = &objects_or_null,
    .slot = TK_P_TOOLS,
    .either = true,
};

static const struct tk_field field_body_tools = {
    .name = TK_NAME("tools"),
    .help = "The tools so far",
    .shape = &objects_or_null,
    .slot = TK_P_TOOLS,
};
static const struct tk_field field_body_servers = {
    .name = TK_NAME("mcp_servers"),
    .help = "The MCP servers so far",
    .shape = &objects_or_null,
    .slot = TK_P_MCP_SERVERS,
};
static const struct tk_field field_body_history = {
    .name = TK_NAME("messages"),
    .help = "The history, oldest message first",
    .shape = &messages,
    .slot = TK_P_MESSAGES,
};
static const struct tk_field *const tools_body_fields[] = {&field_body_tools, &field_body_servers,
                                                           &field_body_history, NULL};
static const struct tk_shape tools_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = tools_body_fields};
static const struct tk_field field_tools_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body; either this or tools",
    .shape = &tools_body,
    .slot = TK_P_REQUEST,
    .either = true,
};

static const struct tk_field field_want = {.name = TK_NAME("want"),
                                           .help = "The tool's name, the same for all providers",
                                           .shape = &string,
                                           .required = true};
static const struct tk_field field_want_options = {
    .name = TK_NAME("options"), .help = "Members of the entry", .shape = &object};
static const struct tk_field field_want_version = {
    .name = TK_NAME("version"), .help = "The date of its type, 20250305", .shape = &string};
static const struct tk_field *const wish_fields[] = {&field_want, &field_want_options,
                                                     &field_want_version, NULL};
static const struct tk_shape wish = {.kinds = TK_T_OBJECT, .fields = wish_fields};
static const struct tk_shape addition = {
    .kinds = TK_T_STRING | TK_T_OBJECT, .open = true, .tagged = &wish};
static const struct tk_shape additions = {.kinds = TK_T_LIST, .items = &addition};
static const struct tk_field field_add = {
    .name = TK_NAME("add"),
    .help = "Entries as the provider takes them, and wishes by name",
    .shape = &additions,
    .slot = TK_P_ADD,
};

WORDS(on_conflict, TK_WORD_REPLACE, TK_WORD_NEWEST, TK_WORD_KEEP_BASE, TK_WORD_REPLACE_CUSTOM);
static const struct tk_field field_on_conflict = {
    .name = TK_NAME("on_conflict"),
    .help = "Which of two entries of one tool holds",
    .shape = &on_conflict,
    .slot = TK_P_ON_CONFLICT,
    .initial = TK_WORD_REPLACE,
};

static const struct tk_field field_tools_betas = {
    .name = TK_NAME("betas"),
    .help = "The caller's anthropic-beta header: a line, or a list of lines",
    .shape = &string_or_strings,
    .slot = TK_P_BETAS,
};

WORDS(tools_provider, TK_WORD_ANTHROPIC, TK_WORD_OPENAI_RESPONSES, TK_WORD_AZURE_RESPONSES,
      TK_WORD_GEMINI, TK_WORD_XAI_RESPONSES);
static const struct tk_field field_tools_provider = {
    .name = TK_NAME("provider"),
    .help = "Whose tools they are",
    .shape = &tools_provider,
    .slot = TK_P_PROVIDER,
    .initial = TK_WORD_ANTHROPIC,
};

/* As in `target` of other methods, but open from the first wave on. */
static const struct tk_field field_tools_endpoint = {
    .name = TK_NAME("endpoint"),
    .help = "Where the request goes",
    .shape = &endpoint,
    .slot = TK_P_TARGET_ENDPOINT,
    .initial = TK_WORD_ANTHROPIC,
};
static const struct tk_field field_tools_model = {
    .name = TK_NAME("model"),
    .help = "The model's name",
    .shape = &name,
    .slot = TK_P_TARGET_MODEL,
};
static const struct tk_field *const tools_target_fields[] = {&field_tools_endpoint,
                                                             &field_tools_model, NULL};
static const struct tk_shape tools_target = {.kinds = TK_T_OBJECT, .fields = tools_target_fields};
static const struct tk_field field_tools_target = {
    .name = TK_NAME("target"),
    .help = "Where the request goes; platforms differ in what they need",
    .shape = &tools_target,
    .slot = TK_P_TARGET,
};

WORDS(call, TK_WORD_MESSAGES, TK_WORD_COUNT_TOKENS);
static const struct tk_field field_call = {
    .name = TK_NAME("call"),
    .help = "What the request asks for: a turn, or how many tokens it has",
    .shape = &call,
    .slot = TK_P_CALL,
    .initial = TK_WORD_MESSAGES,
};

static const struct tk_field field_interleaved = {
    .name = TK_NAME("interleaved"),
    .help = "The caller wants thinking between calls",
    .shape = &boolean,
    .slot = TK_P_INTERLEAVED,
};

static const struct tk_field field_legacy_betas = {
    .name = TK_NAME("legacy_betas"),
    .help = "Also the values that web tools needed once",
    .shape = &boolean,
    .slot = TK_P_LEGACY_BETAS,
};

WORDS(return_tools, TK_WORD_PATCH, TK_WORD_TOOLS);
static const struct tk_field field_return_tools = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, or all tools",
    .shape = &return_tools,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

/* ---- prepare (OPERATIONS.md part D) ---- */

static const struct tk_field *const prepared_body_fields[] = {
    &field_body_messages, &field_body_tools, &field_body_servers, NULL};
static const struct tk_shape prepared_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = prepared_body_fields};
static const struct tk_field field_prepared_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body",
    .shape = &prepared_body,
    .slot = TK_P_REQUEST,
    .required = true,
};

static const struct tk_field *const splice_step_fields[] = {
    &field_assistant, &field_tool_results,   &field_appended,
    &field_container, &field_splice_options, NULL};
static const struct tk_shape splice_step = {.kinds = TK_T_OBJECT, .fields = splice_step_fields};
static const struct tk_field field_splice_step = {
    .name = TK_NAME("splice"),
    .help = "The turn that came back, its results and what the caller appends; absent: no step",
    .shape = &splice_step,
    .slot = TK_P_SPLICE,
};

static const struct tk_field field_step_provider = {
    .name = TK_NAME("provider"),
    .help = "Whose tools they are; absent: the provider of the request",
    .shape = &tools_provider,
    .slot = TK_P_TOOLS_PROVIDER,
};
static const struct tk_field field_step_endpoint = {
    .name = TK_NAME("endpoint"),
    .help = "Where the request goes",
    .shape = &endpoint,
    .slot = TK_P_TOOLS_ENDPOINT,
};
static const struct tk_field field_step_model = {
    .name = TK_NAME("model"), .help = "The model's name", .shape = &name};
static const struct tk_field *const step_target_fields[] = {&field_step_endpoint, &field_step_model,
                                                            NULL};
static const struct tk_shape step_target = {.kinds = TK_T_OBJECT, .fields = step_target_fields};
static const struct tk_field field_step_target = {
    .name = TK_NAME("target"),
    .help = "Where the request goes; absent: the target of all steps",
    .shape = &step_target,
};
static const struct tk_field *const tools_step_fields[] = {
    &field_add,           &field_on_conflict,  &field_tools_betas,
    &field_step_provider, &field_step_target,  &field_call,
    &field_interleaved,   &field_legacy_betas, NULL};
static const struct tk_shape tools_step = {.kinds = TK_T_OBJECT, .fields = tools_step_fields};
static const struct tk_field field_tools_step = {
    .name = TK_NAME("tools"),
    .help = "Tools to be added, and the caller's beta values; absent: none",
    .shape = &tools_step,
};

WORDS(return_prepared, TK_WORD_PATCH, TK_WORD_REQUEST);
static const struct tk_field field_return_prepared = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, or the whole body where it changed",
    .shape = &return_prepared,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

/* ---- the methods ---- */

#define PARAMS(method, ...)                                                                        \
    static const struct tk_field *const method##_fields[] = {__VA_ARGS__, NULL};                   \
    const struct tk_shape tk_params_##method = {.kinds = TK_T_OBJECT, .fields = method##_fields}

PARAMS(validate, &field_messages, &field_request, &tk_field_provider, &tk_field_dialect,
       &field_target, &field_policy, &field_max_violations, &field_betas, &field_provenance,
       &field_seals, &field_timeout_ms);

PARAMS(repair, &field_messages, &field_request, &tk_field_provider, &tk_field_dialect,
       &field_target, &field_policy, &field_guard, &field_return_messages, &field_max_violations,
       &field_betas, &field_provenance, &field_seals, &field_timeout_ms);

PARAMS(repair_turn, &field_content, &field_stop_reason, &field_carry_in, &tk_field_provider,
       &tk_field_dialect, &field_target, &field_policy, &field_return_content,
       &field_max_violations, &field_timeout_ms);

PARAMS(seal, &field_sealed_content, &field_message, &field_answered, &field_blocks,
       &field_timeout_ms);

PARAMS(stream_open, &field_stream, &tk_field_provider, &field_emit, &field_provider_input,
       &field_carry_in, &field_history, &field_policy, &field_max_buffer, &field_timeout_ms);

static const struct tk_field *const stream_feed_fields[] = {
    &field_stream, &field_events, &field_data, &field_data_base64, &field_timeout_ms, NULL};
const struct tk_shape tk_params_stream_feed = {
    .kinds = TK_T_OBJECT, .fields = stream_feed_fields, .blames_itself = true};

PARAMS(stream_end, &field_stream, &field_transport_error, &field_timeout_ms);

PARAMS(pair, &field_response, &tk_field_provider, &field_emit, &field_provider_input,
       &field_carry_in, &field_history, &field_policy, &field_timeout_ms);

PARAMS(splice, &field_messages, &field_splice_history, &field_request, &field_assistant,
       &field_tool_results, &field_appended, &field_container, &field_return_spliced,
       &field_splice_options, &field_timeout_ms);

PARAMS(tools, &field_tools_request, &field_tools, &field_add, &field_on_conflict,
       &field_tools_betas, &field_tools_provider, &field_tools_target, &field_call,
       &field_interleaved, &field_legacy_betas, &field_return_tools, &field_timeout_ms);

PARAMS(prepare, &field_prepared_request, &field_splice_step, &field_tools_step, &tk_field_provider,
       &field_tools_target, &field_policy, &field_guard, &field_return_prepared,
       &field_max_violations, &field_provenance, &field_seals, &field_timeout_ms);

PARAMS(ping, &field_echo, &field_timeout_ms);

PARAMS(plain, &field_timeout_ms);
