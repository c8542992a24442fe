/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/fields.h"

#include "engine/target.h"
#include "methods/core/host.h"

static const char *const word_names[TK_WORD_COUNT] = {[TK_WORD_NONE] = "",
#define TK_WORD_NAME(id, text) [TK_WORD_##id] = text,
                                                      TK_WORDS(TK_WORD_NAME)
#undef TK_WORD_NAME
#define TK_DIALECT_NAME(id, shape, name) [TK_WORD_DIALECT_##id] = name,
                                                          TK_SHAPES(TK_DIALECT_NAME)
#undef TK_DIALECT_NAME
};

const char *tk_word_name(enum tk_word word)
{
    return word_names[word];
}

const struct tk_param_shape tk_shape_any = {.kinds = TK_T_ANY};
const struct tk_param_shape tk_shape_boolean = {.kinds = TK_T_BOOL};
const struct tk_param_shape tk_shape_string = {.kinds = TK_T_STRING};
const struct tk_param_shape tk_shape_name = {.kinds = TK_T_STRING, .nonblank = true};
const struct tk_param_shape tk_shape_object = {.kinds = TK_T_OBJECT, .open = true};
const struct tk_param_shape tk_shape_objects = {.kinds = TK_T_LIST, .items = &tk_shape_object};
const struct tk_param_shape tk_shape_string_or_null = {.kinds = TK_T_STRING | TK_T_NULL};
const struct tk_param_shape tk_shape_string_or_strings = {.kinds = TK_T_STRING | TK_T_LIST,
                                                          .items = &tk_shape_string};
const struct tk_param_shape tk_shape_strings_or_null = {.kinds = TK_T_LIST | TK_T_NULL,
                                                        .items = &tk_shape_string};
static const struct tk_param_shape milliseconds = {.kinds = TK_T_INT, .min = 1, .max = UINT32_MAX};
static const struct tk_param_shape count = {.kinds = TK_T_INT, .min = 0, .max = UINT32_MAX};

/* ---- histories ---- */

/* A content may be any value; if it is a list, its elements are parts. */
static const struct tk_param_shape message_content = {.kinds = TK_T_ANY, .items = &tk_shape_object};
static const struct tk_field field_message_content = {
    .named = TK_NAMED_BY_PARTS,
    .help = "Text, or a list of parts",
    .shape = &message_content,
};
static const struct tk_param_shape message_calls = {.kinds = TK_T_LIST | TK_T_NULL,
                                                    .items = &tk_shape_object};
static const struct tk_param_shape call_or_hole = {.kinds = TK_T_OBJECT | TK_T_NULL, .open = true};
static const struct tk_param_shape assistant_calls = {.kinds = TK_T_LIST | TK_T_NULL,
                                                      .items = &call_or_hole};
static const struct tk_field field_message_calls = {
    .named = TK_NAMED_BY_CALLS,
    .help = "The calls of a message",
    .shape = &message_calls,
    .assistant_shape = &assistant_calls,
};
static const struct tk_field *const message_fields[] = {&field_message_content,
                                                        &field_message_calls, NULL};
static const struct tk_param_shape message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = message_fields};
const struct tk_param_shape tk_shape_messages = {.kinds = TK_T_LIST, .items = &message};

const struct tk_field tk_field_messages = {
    .name = TK_NAME("messages"),
    .help = "The history, oldest message first; either this or request",
    .shape = &tk_shape_messages,
    .slot = TK_P_MESSAGES,
    .either = true,
};

static const struct tk_param_shape free_messages = {.kinds = TK_T_LIST | TK_T_STRING | TK_T_NULL,
                                                    .items = &message};

const struct tk_field tk_field_body_messages = {
    .named = TK_NAMED_BY_ROOT,
    .help = "The history, oldest message first",
    .shape = &tk_shape_messages,
    .free_shape = &free_messages,
    .slot = TK_P_MESSAGES,
    .required = true,
};
static const struct tk_field *const body_fields[] = {&tk_field_body_messages, NULL};
const struct tk_param_shape tk_shape_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = body_fields};

const struct tk_field tk_field_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body; either this or messages",
    .shape = &tk_shape_body,
    .slot = TK_P_REQUEST,
    .either = true,
};

static const struct tk_field field_carried_id = {
    .name = TK_NAME("id"), .help = "The call's id", .shape = &tk_shape_name, .required = true};
static const struct tk_field field_carried_name = {.name = TK_NAME("name"),
                                                   .help = "The tool's name, if known",
                                                   .shape = &tk_shape_string_or_null};
static const struct tk_field field_carried_type = {.name = TK_NAME("type"),
                                                   .help = "The call's block type, if known",
                                                   .shape = &tk_shape_string_or_null};
static const struct tk_field *const carried_fields[] = {&field_carried_id, &field_carried_name,
                                                        &field_carried_type, NULL};
static const struct tk_param_shape carried = {.kinds = TK_T_OBJECT, .fields = carried_fields};
static const struct tk_param_shape carried_list = {
    .kinds = TK_T_LIST, .items = &carried, .unique = &field_carried_id};

const struct tk_field tk_field_carry_in = {
    .name = TK_NAME("carry_in"),
    .help = "Provider-executed calls that the previous turn left open",
    .shape = &carried_list,
    .slot = TK_P_CARRY_IN,
};

/* ---- provider and dialect ---- */

static const enum tk_word provider_words[] = {TK_JUDGED_PROVIDERS(PROVIDER_WORD) TK_WORD_NONE};
static const struct tk_param_shape provider = {.kinds = TK_T_STRING, .words = provider_words};
const struct tk_field tk_field_provider = {
    .name = TK_NAME("provider"),
    .help = "The provider whose rules the history must obey",
    .shape = &provider,
    .slot = TK_P_PROVIDER,
    .initial = TK_WORD_ANTHROPIC,
};

const struct tk_field tk_field_own_dialect = {
    .name = TK_NAME("dialect"),
    .help = "The shape of the messages: the provider's own",
    .shape = &provider, /* its name is the same */
    .slot = TK_P_OWN_DIALECT,
};

#define DIALECT_WORD(id, shape, name) TK_WORD_DIALECT_##id,
static const enum tk_word dialect_words[] = {TK_SHAPES(DIALECT_WORD) TK_WORD_NONE};
static const struct tk_param_shape dialect = {.kinds = TK_T_STRING, .words = dialect_words};
const struct tk_field tk_field_dialect = {
    .name = TK_NAME("dialect"),
    .help = "The shape of the messages",
    .shape = &dialect,
    .slot = TK_P_DIALECT,
    .initial = TK_WORD_DIALECT_ANTHROPIC,
};

static const enum tk_word endpoint_words[] = {TK_WORD_ANTHROPIC, TK_WORD_BEDROCK, TK_WORD_VERTEX,
                                              TK_WORD_COMPATIBLE, TK_WORD_NONE};
const struct tk_param_shape tk_shape_endpoint = {.kinds = TK_T_STRING, .words = endpoint_words};

/* Those of all providers; tk_check_provider_params() knows whose they are. */
static const enum tk_word target_endpoint_words[] = {
    TK_WORD_ANTHROPIC, TK_WORD_BEDROCK, TK_WORD_VERTEX, TK_WORD_COMPATIBLE,
    TK_WORD_OPENAI,    TK_WORD_AZURE,   TK_WORD_GEMINI, TK_WORD_NONE};
static const struct tk_param_shape target_endpoint = {.kinds = TK_T_STRING,
                                                      .words = target_endpoint_words};

static const struct tk_field field_endpoint = {
    .name = TK_NAME("endpoint"),
    .help = "Where the request goes",
    .shape = &target_endpoint,
    .slot = TK_P_TARGET_ENDPOINT,
    .initial = TK_WORD_ANTHROPIC,
};
static const struct tk_field field_model = {
    .name = TK_NAME("model"),
    .help = "The model's name; absent: that of the request",
    .shape = &tk_shape_name,
    .slot = TK_P_TARGET_MODEL,
};
static const enum tk_word server_words[] = {TK_SERVERS(PROVIDER_WORD) TK_WORD_NONE};
static const struct tk_param_shape server = {.kinds = TK_T_STRING, .words = server_words};
static const struct tk_field field_server = {
    .name = TK_NAME("server"),
    .help = "The server of endpoint compatible, if it is a known one",
    .shape = &server,
    .slot = TK_P_TARGET_SERVER,
};
static const struct tk_field *const target_fields[] = {&field_endpoint, &field_model, &field_server,
                                                       NULL};
static const struct tk_param_shape target = {.kinds = TK_T_OBJECT, .fields = target_fields};

const struct tk_field tk_field_target = {
    .name = TK_NAME("target"),
    .help = "Where the request is sent; platforms and models differ in what they accept",
    .shape = &target,
    .slot = TK_P_TARGET,
};

WORDS(provenance, TK_WORD_WIRE, TK_WORD_REBUILT);
const struct tk_field tk_field_provenance = {
    .name = TK_NAME("provenance"),
    .help = "Blocks are as received (wire) or were put together again (rebuilt)",
    .shape = &provenance,
    .slot = TK_P_PROVENANCE,
    .initial = TK_WORD_WIRE,
};

/* ---- seals (OPERATIONS.md C.3) ---- */

#define SEAL_FIELD(member, text, what, must)                                                       \
    static const struct tk_field seal_##member = {                                                 \
        .name = TK_NAME(#member), .help = text, .shape = &what, .required = must}

static const struct tk_param_shape integer = {.kinds = TK_T_INT};
static const struct tk_param_shape strings = {.kinds = TK_T_LIST, .items = &tk_shape_string};

SEAL_FIELD(system, "Digest of the system blocks", tk_shape_string, false);
SEAL_FIELD(tools, "Digest of the tools", tk_shape_string, false);
SEAL_FIELD(messages, "Digest of the messages before the turn", tk_shape_string, false);
SEAL_FIELD(thinking, "Opaque digests of the thinking that the request carried", strings, false);
static const struct tk_field *const seal_prefix_fields[] = {&seal_system, &seal_tools,
                                                            &seal_messages, &seal_thinking, NULL};
static const struct tk_param_shape seal_prefix_shape = {
    .kinds = TK_T_OBJECT, .open = true, .fields = seal_prefix_fields};

SEAL_FIELD(v, "Version of the seal", integer, true);
SEAL_FIELD(alg, "Algorithm of the seal's digests", tk_shape_string, true);
SEAL_FIELD(turn, "Digest of the turn", tk_shape_string, true);
SEAL_FIELD(blocks, "Digests of the turn's blocks", tk_shape_objects, true);
SEAL_FIELD(prefix, "Digests of the request that produced the turn", seal_prefix_shape, false);
SEAL_FIELD(content, "The blocks themselves", tk_shape_objects, false);
static const struct tk_field *const whole_seal_fields[] = {
    &seal_v, &seal_alg, &seal_turn, &seal_blocks, &seal_prefix, &seal_content, NULL};
static const struct tk_param_shape seal_shape = {
    .kinds = TK_T_OBJECT, .open = true, .fields = whole_seal_fields};

static const struct tk_field seal_itself = {.name = TK_NAME("seal"),
                                            .help =
                                                "A seal as seal, stream.end or pair returned it",
                                            .shape = &seal_shape,
                                            .required = true};
SEAL_FIELD(message_index, "Index of the sealed message; absent: found by ids and signatures", count,
           false);
SEAL_FIELD(restore, "False: don't restore the turn from this seal; absent: true", tk_shape_boolean,
           false);
static const struct tk_field *const seal_entry_fields[] = {&seal_itself, &seal_message_index,
                                                           &seal_restore, NULL};
static const struct tk_param_shape seal_entry = {.kinds = TK_T_OBJECT, .fields = seal_entry_fields};
static const struct tk_param_shape seal_list = {.kinds = TK_T_LIST, .items = &seal_entry};

const struct tk_field tk_field_seals = {
    .name = TK_NAME("seals"),
    .help = "Seals of turns in this history",
    .shape = &seal_list,
    .slot = TK_P_SEALS,
    .late = true,
    .late_inside = true,
};

/* ---- the form of the answer ---- */

const struct tk_field tk_field_max_violations = {
    .name = TK_NAME("max_violations"),
    .help = "Largest number of findings to list; all are counted",
    .shape = &count,
    .slot = TK_P_MAX_VIOLATIONS,
    .initial = 256,
};

const struct tk_field tk_field_timeout_ms = {
    .name = TK_NAME("timeout_ms"),
    .help = "Milliseconds that the request may take; the server's own limit holds too",
    .shape = &milliseconds,
    .slot = TK_P_TIMEOUT_MS,
};

static const struct tk_param_shape caller = {
    .kinds = TK_T_STRING, .min = 0, .max = TK_CALLER_MAX, .token = true};
const struct tk_field tk_field_caller = {
    .name = TK_NAME("caller"),
    .help = "Name of the client's request or session, for the log; never read out of a history",
    .shape = &caller,
    .slot = TK_P_CALLER,
};

const struct tk_field tk_field_guard = {
    .name = TK_NAME("guard"),
    .help = "Fail closed if an error remains; false: repair what can be repaired and list the rest",
    .shape = &tk_shape_boolean,
    .slot = TK_P_GUARD,
    .initial = true,
};

const struct tk_field tk_field_betas = {
    .name = TK_NAME("betas"),
    .help = "The request's anthropic-beta values",
    .shape = &tk_shape_string_or_strings,
    .slot = TK_P_BETAS,
};

WORDS(return_messages, TK_WORD_PATCH, TK_WORD_MESSAGES, TK_WORD_SPLICES, TK_WORD_REPORT);
const struct tk_field tk_field_return_messages = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the repaired messages, changes of the bytes sent, or none of these",
    .shape = &return_messages,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

const struct tk_field tk_field_return_removed = {
    .name = TK_NAME("return_removed"),
    .help = "Give back what was removed or replaced, byte for byte, to be stored with the history",
    .shape = &tk_shape_boolean,
    .slot = TK_P_RETURN_REMOVED,
};
