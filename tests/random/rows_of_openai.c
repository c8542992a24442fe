/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that histories of both of OpenAI's APIs share: ids, names, arguments, images, policies and targets.
 * Ciphertexts of reasoning begin with "gAAAAABo", ids of reasoning with "rs_": then as a text's word
 * (rows_of_words.c).
 */
#include "history_rows.h"

#define KEY(name, value)                                                                           \
    {                                                                                              \
        "key", 1, TWO_APIS, ",'" name "':" value                                                   \
    }
#define N8  "nnnnnnnn"
#define N64 N8 N8 N8 N8 N8 N8 N8 N8
#define X40 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

const struct grammar_row rows_of_openai[] = {
    {"start", 1, TWO_APIS, "@history@before@around@policy@parameters@fit"},

    /* Ids of calls. Most are of their own; the others meet. */
    {"id", 24, TWO_APIS, "'call_#'"},
    {"id", 5, TWO_APIS, "@shared_id"},
    {"id", 2, TWO_APIS, "@odd_id"},
    {"shared_id", 4, TWO_APIS, "'call_1'"},
    {"shared_id", 4, TWO_APIS, "'call_2'"},
    {"shared_id", 1, TWO_APIS, "'call_1_2'"},
    {"shared_id", 2, TWO_APIS, "'aB3dE6gH9'"},
    {"odd_id", 1, TWO_APIS, "'" X40 "'"},
    {"odd_id", 2, TWO_APIS, "'" X40 "y'"},
    {"odd_id", 1, TWO_APIS, "'" N64 "'"},
    {"odd_id", 2, TWO_APIS, "'" N64 "y'"},
    {"odd_id", 1, TWO_APIS, "'" N64 "z'"},
    {"odd_id", 1, TWO_APIS, "''"},
    {"odd_id", 1, TWO_APIS, "' '"},
    {"odd_id", 2, TWO_APIS, "null"},
    {"odd_id", 1, TWO_APIS, "7"},
    {"odd_id", 1, TWO_APIS, "'a\\'b\\\\\xf0\x9f\x98\x80'"},
    {"odd_id", 2, TWO_APIS, "'call_%'"},
    {"odd_id", 1, TWO_APIS, "'%%'"},
    {"get_d", 1, TWO_APIS, "$d"},

    {"tool", 12, TWO_APIS, "'f'"},
    {"tool", 12, TWO_APIS, "'get_weather'"},
    {"tool", 1, TWO_APIS, "'a.b'"},
    {"tool", 1, TWO_APIS, "''"},
    {"tool", 1, TWO_APIS, "'g h'"},
    {"tool", 1, TWO_APIS, "'\xc3\xa9'"},
    {"tool", 1, TWO_APIS, "'%'"},
    {"tool", 1, TWO_APIS, "'g%h%'"},
    {"tool", 1, TWO_APIS, "'" N64 N64 "%%'"},
    {"tool", 1, TWO_APIS, "'" N64 "'"},
    {"tool", 1, TWO_APIS, "'" N64 "n'"},
    {"tool", 1, TWO_APIS, "'" N64 N64 "'"},
    {"tool", 1, TWO_APIS, "'" N64 N64 "n'"},

    {"arguments", 12, TWO_APIS, "'{}'"},
    {"arguments", 10, TWO_APIS, "'{\\'q\\': \\'word#x\\'}'"},
    {"arguments", 1, TWO_APIS, "@blank"},
    {"arguments", 1, TWO_APIS, "'{\\'cut'"},
    {"arguments", 1, TWO_APIS, "'word#x'"},
    {"arguments", 1, TWO_APIS, "'[1]'"},
    {"arguments", 1, TWO_APIS, "'null'"},
    {"arguments", 1, TWO_APIS, "'{}{}'"},
    {"arguments", 1, TWO_APIS, "'{\\'x\\': NaN}'"},
    {"arguments", 1, TWO_APIS, "'{\\'a\\':\\'\\\\ud83d\\\\ude00\\'}'"},
    {"arguments", 1, TWO_APIS, "{'q':'word#x','r':[1.50,null]}"},
    {"arguments", 1, TWO_APIS, "[1,{'y':'word#x'}]"},
    {"arguments", 1, TWO_APIS, "5"},
    {"arguments", 1, TWO_APIS, "null"},

    {"url", 4, TWO_APIS, "'https://e.x/i.png'"},
    {"url", 2, TWO_APIS, "'data:image/png;base64,iVBORw0KGgo='"},
    {"url", 1, TWO_APIS, "'data:image/png;base64,AAAA'"},
    {"url", 1, TWO_APIS, "'data:image/png;base64,;;;'"},
    {"url", 1, TWO_APIS, "'data:image/png,x'"},

    {"parameters", 8, TWO_APIS, ""},
    {"parameters", 2, TWO_APIS, ",'target':{'endpoint':'openai'}"},
    {"parameters", 4, TWO_APIS, ",'target':{'endpoint':'azure'}"},
    {"parameters", 3, TWO_APIS, ",'target':{'endpoint':'compatible'}"},
    {"parameters", 12, TWO_APIS, ",'target':{'endpoint':'compatible','model':@model}"},
    {"parameters", 5, TWO_APIS,
     ",'target':{'endpoint':'compatible','server':@server,'model':@model}"},
    {"server", 1, TWO_APIS, "'deepseek'"},
    {"server", 2, TWO_APIS, "'groq'"},
    {"server", 2, TWO_APIS, "'mistral'"},
    {"server", 1, TWO_APIS, "'openrouter'"},
    {"server", 1, TWO_APIS, "'vllm'"},
    {"server", 1, TWO_APIS, "'xai'"},
    {"parameters", 3, TWO_APIS, ",'target':{'model':@model}"},
    {"model", 1, TWO_APIS, "'gpt-5'"},
    {"model", 2, TWO_APIS, "'o1-mini'"},
    {"model", 1, TWO_APIS, "'o1-preview-2024'"},
    {"model", 4, TWO_APIS, "'mistral-large'"},
    {"model", 1, TWO_APIS, "'mistral-small-latest'"},
    {"model", 2, TWO_APIS, "'Devstral-small'"},
    {"model", 2, TWO_APIS, "'gemma-3-27b-it'"},
    {"model", 2, TWO_APIS, "'Qwen3.6-27B'"},
    {"model", 2, TWO_APIS, "'deepseek-chat'"},
    {"model", 2, TWO_APIS, "'DeepSeek-V4'"},
    {"model", 1, TWO_APIS, "'kimi-k2.5'"},
    {"model", 1, TWO_APIS, "'llama-3.3-70b'"},

    {"policy", 10, TWO_APIS, ""},
    {"policy", 1, TWO_APIS, ",'policy':'conservative'"},
    {"policy", 6, TWO_APIS, ",'policy':'preserve'"},
    {"policy", 5, TWO_APIS, ",'policy':{'base':'conservative'@key}"},
    {"policy", 5, TWO_APIS, ",'policy':{'base':'preserve'@key}"},
    KEY("unanswered_call", "'report'"),
    KEY("unanswered_call", "'report','unmatched_result':'report','duplicate_id':'report'"),
    KEY("unmatched_result", "'report'"),
    KEY("duplicate_id", "'report'"),
    KEY("duplicate_id", "'keep_first'"),
    KEY("mark_text", "true"),
    KEY("mark_text", "false"),
    KEY("merge_adjacent", "'touched'"),
    KEY("merge_adjacent", "'all'"),
    KEY("item_ids", "'strip'"),
    KEY("item_ids", "'strip','duplicate_id':'report'"),
    KEY("prefill", "'report'"),
    KEY("blank_text", "'report'"),
    KEY("unsigned_thinking", "'drop'"),
    {NULL, 0, 0, NULL},
};
