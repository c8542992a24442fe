/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the dialects that libraries store: fantasy (Go) and ai-sdk (TypeScript). */
#include "history_rows.h"

#define PAIR(weight, language, call, result)                                                       \
    {"pair", weight, language, "$i=id;|" call "@nested|" result},                                  \
        {"call", weight, language, "$i=id;" call}, {"result", weight, language, "$i=id;" result},  \
    {                                                                                              \
        "deferred", weight, language,                                                              \
            "$i=id;$c=client_id;^a@head|" call "@calling@waiting^a@arriving|" result "@answer"     \
    }

/* ---- fantasy ---- */

#define GO_CALL(name)                                                                              \
    "{'type':'tool-call','data':{'tool_call_id':$i,'tool_name':" name                              \
    ",'input':@go_input,'provider_executed':true@go_more}}"
#define GO_RESULT(kind, data)                                                                       \
    "{'type':'tool-result','data':{'tool_call_id':$i,'output':@go_output,'provider_executed':true," \
    "'provider_options':{'anthropic':{'type':'anthropic." kind "_result_metadata','data':" data     \
    "}}}}"
#define GO_STORED(kind, data)                                                                       \
    "{'type':'tool-result','data':{'tool_call_id':$i,'result':@go_output,'provider_executed':true," \
    "'provider_metadata':{'anthropic':{'type':'anthropic." kind "_result_metadata','data':" data    \
    "}}}}"
#define GO_SIGNING(place, type, signature, redacted)                                               \
    "{'type':'reasoning','data':{'text':@go_thought,'" place                                       \
    "':{'anthropic':{'type':'anthropic." type "','data':{'signature':'" signature                  \
    "','redacted_data':'" redacted "'}}}}}"
#define GO_REASONING(signature, redacted)                                                          \
    GO_SIGNING("provider_options", "reasoning_metadata", signature, redacted)

/* ---- ai-sdk ---- */

#define TS_CALL(name)                                                                              \
    "{'type':'tool-call','toolCallId':$i,'toolName':" name                                         \
    ",'input':@ts_input,'providerExecuted':true@ts_caller}"
#define TS_RESULT(name, output)                                                                    \
    "{'type':'tool-result','toolCallId':$i,'toolName':'" name "','output':" output                 \
    "@ts_executed@ts_caller}"
#define TS_OPTIONS(option) ",'providerOptions':{'anthropic':{" option "}}"
#define TS_MCP                                                                                     \
    "{'type':'tool-call','toolCallId':$i,'toolName':'lookup','input':@ts_input,"                   \
    "'providerExecuted':true" TS_OPTIONS("'type':'mcp-tool-use','serverName':'s'") "}"

const struct grammar_row rows_of_sdks[] = {
    PAIR(20, FANTASY, GO_CALL("'web_search'"), GO_RESULT("web_search", "@go_data")),
    PAIR(3, FANTASY, GO_CALL("'web_search'"), GO_STORED("web_search", "@go_data")),
    PAIR(2, FANTASY, GO_CALL("'web_fetch'"), GO_RESULT("web_fetch", "{'url':@url}")),
    PAIR(2, FANTASY, GO_CALL("'code_execution'"), GO_RESULT("code_execution", "{'stdout':@words}")),
    PAIR(1, FANTASY, GO_CALL("'tool_search_tool_bm25'"), GO_RESULT("tool_search", "{}")),
    PAIR(1, FANTASY, GO_CALL("'web_fetch'"), GO_RESULT("web_search", "@go_data")),
    PAIR(1, FANTASY, GO_CALL("'web_search'"),
         "{'type':'tool-result','data':{'tool_call_id':$i,'tool_name':@go_name,'output':null,"
         "'result':@go_output,'provider_executed':true,'provider_options':{'anthropic':null},"
         "'provider_metadata':{'anthropic':{'type':'anthropic.web_search_result_metadata',"
         "'data':@go_data}}}}"),
    {"go_name", 1, FANTASY, "''"},
    {"go_name", 1, FANTASY, "'web_search'"},
    {"go_name", 1, FANTASY, "'web_fetch'"},
    {"go_name", 1, FANTASY, "null"},
    PAIR(1, FANTASY, GO_CALL("'browse'"), GO_RESULT("browse", "{}")),
    PAIR(1, FANTASY, GO_CALL("''"), GO_RESULT("web_search", "@go_data")),
    PAIR(1, FANTASY, GO_CALL("'web_search'"), GO_RESULT("web_fetch", "@go_data")),
    PAIR(
        1, FANTASY, GO_CALL("'web_search'"),
        "{'type':'tool-result','data':{'tool_call_id':$i,'output':@go_output,'provider_executed':true}}"),
    PAIR(1, FANTASY, GO_CALL("'web_search'"),
         "{'type':'tool-result','data':{'tool_call_id':$i,'output':@go_output}}"),
    {"search", 1, FANTASY, GO_CALL("'web_search'")},
    {"found_nothing", 1, FANTASY, GO_RESULT("web_search", "@go_data")},
    {"go_data", 12, FANTASY, "{'results':@hits}"},
    {"go_data", 2, FANTASY, "{'error_code':'unavailable'}"},
    {"go_data", 1, FANTASY, "null"},
    {"go_data", 1, FANTASY, "{}"},
    {"go_input", 12, FANTASY, "'{\\'query\\':\\'x\\'}'"},
    {"go_input", 3, FANTASY, "'{}'"},
    {"go_input", 1, FANTASY, "' [1, 2.50] '"},
    {"go_input", 1, FANTASY, "'\\u2003{}\\u00a0'"},
    {"go_input", 1, FANTASY, "'{'"},
    {"go_input", 1, FANTASY, "''"},
    {"go_input", 1, FANTASY, "null"},
    {"go_output", 4, FANTASY, "{'type':'text','data':{'text':'found it'}}"},
    {"go_output", 2, FANTASY, "{'type':'text','data':{'text':'{}'}}"},
    {"go_output", 2, FANTASY, "{'type':'text','data':{'text':@words}}"},
    {"go_output", 1, FANTASY, "{'type':'text','data':{'text':''}}"},
    {"go_output", 2, FANTASY, "{'type':'error','data':{'error':@words}}"},
    {"go_output", 1, FANTASY,
     "{'type':'media','data':{'data':'QUJD','media_type':'image/png','text':@words}}"},
    {"go_output", 1, FANTASY, "{'type':'json','data':@hits}"},
    {"go_output", 1, FANTASY, "{'rows':[1,@hit]}"},
    {"go_output", 1, FANTASY, "@words"},
    {"go_output", 1, FANTASY, "[@words]"},
    {"go_output", 1, FANTASY, "{'type':'x','data':null}"},
    {"go_output", 1, FANTASY, "{'type':'text','data':@hits}"},
    {"go_output", 1, FANTASY, "null"},
    {"text", 30, FANTASY, "{'type':'text','data':{'text':@words@go_more}}"},
    {"text", 2, FANTASY, "@blank_text"},
    {"text", 1, FANTASY, "{'type':'text'}"},
    {"text", 1, FANTASY, "{'type':'text','data':{'text':'ends so '}}"},
    {"blank_text", 1, FANTASY, "{'type':'text','data':{'text':@blank@go_more}}"},
    {"thinking", 6, FANTASY, "@signed"},
    {"thinking", 3, FANTASY, GO_REASONING("", "")},
    {"thinking", 1, FANTASY, "{'type':'reasoning','data':{'text':@words,'provider_options':null}}"},
    {"signed", 4, FANTASY, GO_REASONING("SIG#SECRET", "")},
    {"signed", 1, FANTASY, GO_REASONING("", "RED#SECRET")},
    {"signed", 1, FANTASY, GO_SIGNING("provider_metadata", "reasoning_metadata", "SIG#SECRET", "")},
    {"signed", 1, FANTASY, GO_REASONING("SIG#SECRET", "RED#SECRET")},
    {"thinking", 1, FANTASY, GO_SIGNING("provider_options", "x", "SIG#SECRET", "")},
    {"go_thought", 3, FANTASY, "'let me see'"},
    {"go_thought", 1, FANTASY, "''"},
    {"client_call", 16, FANTASY,
     "{'type':'tool-call','data':{'tool_call_id':$c,'tool_name':'load','input':@go_input,"
     "'provider_executed':false@go_more}}"},
    {"client_call", 2, FANTASY,
     "{'type':'tool-call','data':{'tool_call_id':$c,'tool_name':'load','input':'{}'}}"},
    {"client_call", 1, FANTASY, "{'type':'tool-call','data':{'tool_name':'load','input':'{}'}}"},
    {"client_result", 16, FANTASY,
     "{'type':'tool-result','data':{'tool_call_id':$c,'output':@go_output,'provider_executed':false@go_more}}"},
    {"client_result", 2, FANTASY,
     "{'type':'tool-result','data':{'tool_call_id':$c,'tool_name':'load','output':@go_output}}"},
    {"media", 3, FANTASY, "{'type':'file','data':{'filename':'f'}}"},
    {"other", 2, FANTASY, "{'type':'source','data':{'url':@url}}"},
    {"other", 1, FANTASY, "{'type':'frob'}"},
    {"other", 1, FANTASY, "{}"},
    {"other", 1, FANTASY, "{'type':'file','data':null}"},
    {"go_more", 20, FANTASY, ""},
    {"go_more", 2, FANTASY,
     ",'provider_options':{'anthropic':{'type':'anthropic.cache_control_options','data':{'cache_control':@marker}}}"},
    {"go_more", 1, FANTASY, ",'x':@foreign"},

    PAIR(12, AI_SDK, TS_CALL("'web_search'"),
         TS_RESULT("web_search", "{'type':'json','value':@hits}")),
    PAIR(4, AI_SDK, TS_CALL("'web_search'"), TS_RESULT("web_search", "@ts_output")),
    PAIR(3, AI_SDK, TS_CALL("'web_fetch'"), TS_RESULT("web_fetch", "@ts_output")),
    PAIR(3, AI_SDK, TS_CALL("'code_execution'"), TS_RESULT("code_execution", "@ts_output")),
    PAIR(1, AI_SDK, TS_CALL("'web_fetch'"),
         TS_RESULT("web_fetch", "{'type':'json','value':{'type':'web_fetch_result','url':@url,"
                                "'content':{'title':@words}}}")),
    PAIR(1, AI_SDK, TS_CALL("'code_execution'"),
         TS_RESULT("code_execution", "{'type':'json','value':{'type':'code_execution_result',"
                                     "'stdout':@words,'returnCode':0}}")),
    PAIR(2, AI_SDK, TS_CALL("'tool_search_tool_regex'"),
         TS_RESULT("tool_search_tool_regex", "@ts_references")),
    PAIR(1, AI_SDK, TS_CALL("'advisor'"),
         TS_RESULT("advisor", "{'type':'json','value':{'type':'advisor_result','text':@words}}")),
    PAIR(1, AI_SDK, TS_CALL("'bash_code_execution'"),
         TS_RESULT("bash_code_execution", "@ts_output")),
    PAIR(3, AI_SDK, TS_MCP,
         "{'type':'tool-result','toolCallId':$i,'output':@ts_mcp@ts_executed@ts_caller}"),
    {"ts_mcp", 2, AI_SDK, "{'type':'json','value':[{'type':'text','text':@words}]}"},
    {"ts_mcp", 1, AI_SDK, "{'type':'error-json','value':@words}"},
    {"ts_mcp", 1, AI_SDK, "{'type':'json'}"},
    {"ts_mcp", 1, AI_SDK, "@ts_output"},
    {"ts_references", 2, AI_SDK,
     "{'type':'json','value':[{'type':'tool_reference','toolName':'load'}]}"},
    {"ts_references", 1, AI_SDK,
     "{'type':'json','value':[{'type':'tool_reference','tool_name':'load'}]}"},
    {"ts_references", 1, AI_SDK, "@ts_output"},
    PAIR(1, AI_SDK, TS_CALL("'browse'"), TS_RESULT("browse", "@ts_output")),
    PAIR(1, AI_SDK, TS_CALL("' '"), TS_RESULT("web_search", "@ts_output")),
    PAIR(1, AI_SDK, TS_CALL("'web_search'"), TS_RESULT("web_fetch", "@ts_output")),
    {"search", 1, AI_SDK, TS_CALL("'web_search'")},
    {"found_nothing", 1, AI_SDK, TS_RESULT("web_search", "{'type':'json','value':@hits}")},
    {"ts_input", 10, AI_SDK, "@input"},
    {"ts_input", 1, AI_SDK, "'{\\'q\\': [1, 2.50]}'"},
    {"ts_input", 1, AI_SDK, "[]"},
    {"ts_input", 1, AI_SDK, "null"},
    {"ts_executed", 3, AI_SDK, ""},
    {"ts_executed", 2, AI_SDK, ",'providerExecuted':true"},
    {"ts_executed", 1, AI_SDK, ",'providerExecuted':false"},
    {"ts_executed", 1, AI_SDK, ",'providerExecuted':null"},
    {"ts_caller", 12, AI_SDK, ""},
    {"ts_caller", 1, AI_SDK,
     TS_OPTIONS("'caller':{'type':'code_execution_20260120','toolId':@id}")},
    {"ts_caller", 1, AI_SDK, TS_OPTIONS("'caller':{'type':'direct'}")},
    {"ts_caller", 1, AI_SDK, TS_OPTIONS("'cacheControl':@marker")},
    {"ts_output", 3, AI_SDK, "{'type':'text','value':@words}"},
    {"ts_output", 3, AI_SDK, "{'type':'json','value':{'type':'text','text':@words}}"},
    {"ts_output", 2, AI_SDK, "{'type':'error-text','value':@words}"},
    {"ts_output", 1, AI_SDK, "{'type':'error-json','value':{'errorCode':'unavailable'}}"},
    {"ts_output", 1, AI_SDK, "{'type':'execution-denied','reason':@words}"},
    {"ts_output", 1, AI_SDK, "{'type':'json'}"},
    {"ts_output", 1, AI_SDK, "{'type':'content','value':[{'type':'text','text':@words}]}"},
    {"ts_output", 1, AI_SDK,
     "{'type':'content','value':{'type':'text','text':@words,'signature':'SIG#SECRET'}}"},
    {"ts_output", 1, AI_SDK,
     "{'type':'json','value':[{'type':'text','text':@words},{'type':'text','text':@words}]}"},
    {"ts_output", 1, AI_SDK, "{'type':'error-json'}"},
    {"ts_output", 1, AI_SDK, "@words"},
    {"ts_output", 1, AI_SDK, "[@hit]"},
    {"ts_output", 1, AI_SDK, "null"},
    {"hit", 6, SDK,
     "{'type':'web_search_result','url':@url,'title':@words,'encryptedContent':'ENC#SECRET'}"},
    {"hit", 1, SDK,
     "{'type':'web_search_result','url':@url,'title':@words,'encrypted_content':'ENC#SECRET'}"},
    {"hit", 1, SDK, "{'type':'web_search_result','url':@url,'title':null,'encryptedContent':''}"},
    {"text", 30, AI_SDK, "{'type':'text','text':@words@ts_more}"},
    {"text", 2, AI_SDK, "@blank_text"},
    {"text", 1, AI_SDK, "{'type':'text'}"},
    {"text", 1, AI_SDK, "{'type':'text','text':'ends so '@ts_more}"},
    {"blank_text", 1, AI_SDK, "{'type':'text','text':@blank@ts_more}"},
    {"thinking", 6, AI_SDK, "@signed"},
    {"thinking", 2, AI_SDK, "{'type':'reasoning','text':@words}"},
    {"thinking", 1, AI_SDK, "{'type':'reasoning','text':@words" TS_OPTIONS("'signature':''") "}"},
    {"signed", 4, AI_SDK,
     "{'type':'reasoning','text':@words" TS_OPTIONS("'signature':'SIG#SECRET'") "}"},
    {"signed", 1, AI_SDK,
     "{'type':'reasoning','text':''" TS_OPTIONS("'redactedData':'RED#SECRET'") "}"},
    {"client_call", 12, AI_SDK,
     "{'type':'tool-call','toolCallId':$c,'toolName':'load','input':@ts_input@ts_more}"},
    {"client_call", 2, AI_SDK,
     "{'type':'tool-call','toolCallId':$c,'toolName':'load','input':{},'providerExecuted':false}"},
    {"client_call", 2, AI_SDK,
     "{'type':'tool-call','toolCallId':$c,'toolName':'load','input':{}}"
     "|{'type':'tool-approval-request','approvalId':'a','toolCallId':$c}"},
    {"client_result", 12, AI_SDK,
     "{'type':'tool-result','toolCallId':$c,'toolName':'load','output':@ts_output@ts_more}"},
    {"client_result", 2, AI_SDK,
     "{'type':'tool-result','toolCallId':$c,'toolName':'load','output':@ts_output,'providerExecuted':false}"},
    {"client_result", 1, AI_SDK,
     "{'type':'tool-approval-response','approvalId':'a','approved':true}"},
    {"client_call", 1, AI_SDK, "{'type':'tool-call','toolCallId':$c,'toolName':null,'input':{}}"},
    {"media", 1, AI_SDK, "{'type':'file','mediaType':'text/plain','data':'QQ=='}"},
    {"media", 1, AI_SDK, "{'type':'image','image':'u'}"},
    {"other", 1, AI_SDK,
     "{'type':'tool-approval-request','approvalId':'a','toolCallId':'toolu_1'}"},
    {"other", 1, AI_SDK, "{'type':'tool-approval-response','approvalId':'a','approved':true}"},
    {"other", 1, AI_SDK, "{'type':'frob'}"},
    {"other", 1, AI_SDK, "{}"},
    {"ts_more", 12, AI_SDK, ""},
    {"ts_more", 1, AI_SDK, TS_OPTIONS("'cacheControl':@marker")},
    {"ts_more", 1, AI_SDK, ",'x':@foreign"},
    {NULL, 0, 0, NULL},
};
