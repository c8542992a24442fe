/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands around a history: members of messages, of the request body, of the parameters. Each
 * begins with the comma in front of it.
 */
#include "history_rows.h"

/* A key of the policy: mostly not there. */
#define KEY(group, name, value)                                                                    \
    {                                                                                              \
        group, 1, ALL, ",'" name "':" value                                                        \
    }

const struct grammar_row rows_of_requests[] = {
    {"message_more", 30, ALL, ""},
    {"message_more", 2, ALL, ",'x':@foreign"},
    {"message_more", 1, FANTASY, ",'provider_options':null"},
    {"message_more", 1, FANTASY, ",'provider_options':{'anthropic':{'k':1}}"},
    {"message_more", 1, AI_SDK, ",'providerOptions':{}"},
    {"message_more", 1, AI_SDK, ",'providerOptions':{'anthropic':{'k':1}}"},
    {"message_more", 1, WIRE, ",'output_config':{'effort':'low'}"},

    /* Members of a request body. */
    {"around", 1, ALL, ",'max_tokens':1e3@system@tools@automatic@container@disabled"},
    {"system", 4, ALL, ""},
    {"system", 1, ALL, ",'system':' '"},
    {"system", 1, ALL, ",'system':''"},
    {"system", 1, ALL, ",'system':@words"},
    {"system", 2, ALL, ",'system':[{'type':'text','text':@words,'cache_control':@marker}]"},
    {"system", 1, ALL, ",'system':[{'type':'text','text':@blank},{'type':'text','text':@words}]"},
    {"tools", 3, ALL, ""},
    {"tools", 2, ALL, ",'tools':[{'name':'load'}]"},
    {"tools", 2, ALL, ",'tools':[{'name':'load','cache_control':@marker}]"},
    {"tools", 1, ALL,
     ",'tools':[{'name':'load','cache_control':@marker},{'type':'web_search_20250305','name':'web_search'},"
     "{'name':'t','cache_control':@marker},{'name':'u','cache_control':@marker}]"},
    {"automatic", 5, ALL, ""},
    {"automatic", 1, ALL, ",'cache_control':@marker"},
    {"container", 8, ALL, ""},
    {"container", 1, ALL, ",'container':'c'"},
    {"disabled", 8, ALL, ""},
    {"disabled", 1, ALL, ",'thinking':{'type':'disabled'}"},
    {"disabled", 1, ALL, ",'thinking':{'type':'enabled','budget_tokens':1024}"},

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
