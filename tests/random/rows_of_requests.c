/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members around a history: of messages and of the parameters. Each row begins with the comma
 * before it.
 */
#include "history_rows.h"

/* A key of the policy, which most cases don't have. */
#define KEY(group, name, value)                                                                    \
    {                                                                                              \
        group, 1, ALL, ",'" name "':" value                                                        \
    }

const struct grammar_row rows_of_requests[] = {
    {"message_more", 30, ALL, ""},
    {"message_more", 2, ALL, ",'x':@foreign"},
    {"message_more", 1, ALL, ",'id':'m','stop_sequence':null"},
    {"message_more", 1, ALL, ",'usage':{'input_tokens':1},'x':@foreign"},
    {"message_more", 1, ALL, ",'refusal':'no'"},
    {"message_more", 1, ALL, ",'tool_calls':[]"},
    {"message_more", 1, FANTASY, ",'provider_options':null"},
    {"message_more", 1, FANTASY, ",'provider_options':{'anthropic':{'k':1}}"},
    {"message_more", 1, AI_SDK, ",'providerOptions':{}"},
    {"message_more", 1, AI_SDK, ",'providerOptions':{'anthropic':{'k':1}}"},
    {"message_more", 1, WIRE, ",'output_config':{'effort':'low'}"},
    {"message_more", 1, WIRE, ",'clear_at':'next_user_message'"},

    /* Parameters other than the history and the policy. */
    {"parameters", 1, ALL, "@betas@target@seals"},
    {"betas", 5, ALL, ""},
    {"betas", 3, ALL, ",'betas':[]"},
    {"betas", 2, ALL, ",'betas':[@beta]"},
    {"betas", 2, ALL, ",'betas':[@beta,@beta]"},
    {"betas", 1, ALL, ",'betas':'advisor-tool-2026-03-01, compact-2026-01-12'"},
    {"beta", 2, ALL, "'advisor-tool-2026-03-01'"},
    {"beta", 1, ALL, "'compact-2026-01-12'"},
    {"beta", 1, ALL, "'compact-2026-09-04'"},
    {"beta", 1, ALL, "'mcp-client-2026-09-15'"},
    {"beta", 1, ALL, "'mid-conversation-tool-changes-2026-07-01'"},
    {"beta", 1, ALL, "'server-side-fallback-2026-06-01'"},
    {"beta", 1, ALL, "'context-1m-2025-08-07'"},
    {"beta", 1, ALL, "'mcp-client-2025-04-04'"},
    {"beta", 1, ALL, "'a-beta-of-another-year'"},
    {"target", 5, ALL, ""},
    {"target", 1, ALL, ",'target':{}"},
    {"target", 3, ALL, ",'target':{'endpoint':@endpoint}"},
    {"target", 2, ALL, ",'target':{'model':@model}"},
    {"target", 1, ALL, ",'target':{'endpoint':@endpoint,'model':@model}"},
    {"endpoint", 1, ALL, "'anthropic'"},
    {"endpoint", 2, ALL, "'bedrock'"},
    {"endpoint", 1, ALL, "'vertex'"},
    {"endpoint", 1, ALL, "'compatible'"},
    {"seals", 5, ALL, ""},
    {"seals", 1, ALL, ",'seals':[]"},
    {"seals", 2, WIRE, ",'seals':[@seal]"},
    {"seals", 1, WIRE, ",'seals':[@seal,@seal]"},
    {"seal", 1, WIRE, "{'seal':@one_seal}"},
    /* Seals of the two turns of `sealed` in rows_of_wire.c. */
    {"one_seal", 1, WIRE,
     "{'v':1,'alg':'sha256','turn':'ff9495c7ae9b4311e58de3fcb3144fd19ba37e5924356797b6a1c25a6e0ee9f0','blocks':["
     "{'type':'thinking','digest':'4ab17f65e04d58677af3ffa17b91319096dcf945ac9d7badfe8925db05989e30'"
     ",'opaque':'556c66cb7da315a8033037d307ac2252859fee1d924a216ddaa5578727b819d6'"
     ",'text':'9fd8a3880a226eec63dbeef3afc72b2be3335b933108c31fe56ee713458f9bc5'"
     "},"
     "{'type':'text','digest':'44c0e007cb8c663ba0d9b8cfc695c307271b7f9e73b518112fb00d769fd630e7'"
     "}]}"},
    {"one_seal", 1, WIRE,
     "{'v':1,'alg':'sha256','turn':'6535474cd87ce3372dad7cb73691cbad10f802479aaa10c29e2ba4190ec70bcc','blocks':["
     "{'type':'thinking','digest':'f8ae6c4cc0793788a54451d4ffaaa4376fae1857c72be9e7fbc7ee3d7ec9634e'"
     ",'opaque':'556c66cb7da315a8033037d307ac2252859fee1d924a216ddaa5578727b819d6'"
     ",'text':'3d2fa3e7e97f9526e3f9ea67d2333bd3f31e1711398edcc5ed4093e28ccfde8b'"
     "},"
     "{'type':'tool_use','digest':'f371daa939845a90034f9258c8a32f012f72299d57ae3903a94de589c1a23458'"
     ",'id':'toolu_1'"
     "}]}"},

    {"policy", 20, ALL, ""},
    {"policy", 2, ALL, ",'policy':'conservative'"},
    {"policy", 16, ALL, ",'policy':'preserve'"},
    {"policy", 16, ALL, ",'policy':{'base':'conservative'@keys}"},
    {"policy", 16, ALL, ",'policy':{'base':'preserve'@keys}"},
    {"keys", 6, ALL, "@pair_keys"},
    {"keys", 4, ALL, "@other_keys"},
    {"keys", 5, ALL, "@pair_keys@other_keys"},
    {"keys", 5, ALL, "@pair_keys@other_keys@thinking_keys"},
    KEY("pair_keys", "orphan_call", "'drop'"),
    KEY("pair_keys", "orphan_call", "'error_result'"),
    KEY("pair_keys", "orphan_call", "'error_result','duplicate_id':'keep_first'"),
    KEY("pair_keys", "orphan_call", "'report'"),
    KEY("pair_keys", "orphan_result", "'textify'"),
    KEY("pair_keys", "orphan_result", "'drop'"),
    KEY("pair_keys", "orphan_result", "'report'"),
    KEY("pair_keys", "result_before_call", "'textify'"),
    KEY("pair_keys", "result_before_call", "'move'"),
    KEY("pair_keys", "result_before_call", "'report'"),
    KEY("pair_keys", "duplicate_id", "'textify'"),
    KEY("pair_keys", "duplicate_id", "'keep_first'"),
    KEY("pair_keys", "duplicate_id", "'report'"),
    KEY("pair_keys", "invalid_pair", "'textify'"),
    KEY("pair_keys", "invalid_pair", "'repair'"),
    KEY("pair_keys", "invalid_pair", "'report'"),
    KEY("other_keys", "unanswered_call", "'report'"),
    KEY("other_keys", "unmatched_result", "'report'"),
    KEY("other_keys", "blank_text", "'report'"),
    KEY("other_keys", "prefill", "'report'"),
    KEY("other_keys", "mark_text", "true"),
    KEY("other_keys", "mark_text", "false"),
    KEY("other_keys", "merge_adjacent", "'touched'"),
    KEY("other_keys", "merge_adjacent", "'all'"),
    KEY("other_keys", "unknown_tools", "'error'"),
    KEY("other_keys", "serializable_tools", "['web_search']"),
    KEY("other_keys", "serializable_tools", "['web_search','web_fetch','browse']"),
    KEY("other_keys", "serializable_tools", "[]"),
    KEY("other_keys", "serializable_tools", "null"),
    KEY("thinking_keys", "unsigned_thinking", "'drop'"),
    KEY("thinking_keys", "emptied_turn", "'placeholder'"),
    KEY("thinking_keys", "signature_form", "'base64'"),
    KEY("thinking_keys", "signature_form", "'base64','thinking':'drop'"),
    KEY("thinking_keys", "rebuilt_rule", "'grouped'"),
    KEY("thinking_keys", "thinking", "'drop'"),
    KEY("thinking_keys", "thinking", "'report'"),
    KEY("thinking_keys", "thinking", "'restore'"),
    KEY("thinking_keys", "route", "'third_party'"),
    KEY("thinking_keys", "route", "'deepseek'"),
    KEY("thinking_keys", "prior_thinking", "'prune'"),
    {NULL, 0, 0, NULL},
};
