/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories of the Responses API: items of every type, and every fault that the catalogue knows of them.
 * `$c` and `$d` are ids of calls; calls and outputs are about `$c`.
 */
#include "history_rows.h"

/* A call and its output, each as a name of its own, and the pair. */
#define PAIR(name, weight, call, output)                                                           \
    {name "_call", 1, ITEMS, "{'type':" call "@more}"},                                            \
        {name "_output", 1, ITEMS, "{'type':" output "@more}"},                                    \
        {"any_call", weight, ITEMS, "@" name "_call"},                                             \
        {"any_output", weight, ITEMS, "@" name "_output"},                                         \
        {"pair", weight, ITEMS, "$c=id;^@" name "_call^@" name "_output"},                         \
        {"deferred", weight, ITEMS, "$c=id;^@" name "_call@user^@" name "_output"},                \
    {                                                                                              \
        "answered_twice", weight, ITEMS, "$c=id;^@" name "_call^@" name "_output^@" name "_output" \
    }

/* An item's own id: of its own, absent, one that others have, or one that isn't right. */
#define OWN_ID(name, prefix)                                                                       \
    {name, 8, ITEMS, ",'id':'" prefix "_#x'"}, {name, 8, ITEMS, ""},                               \
        {name, 1, ITEMS, ",'id':'" prefix "_1'"}, {name, 1, ITEMS, ",'id':'" prefix "_" A64 "'"},  \
    {                                                                                              \
        name, 1, ITEMS, ",'id':@odd_own_id"                                                        \
    }

/* An item that the server executed. */
#define HOSTED(prefix, members)                                                                    \
    {                                                                                              \
        "hosted", 1, ITEMS, "^{'id':'" prefix "_#x','type':" members "@status@more}"               \
    }

#define A8  "aaaaaaaa"
#define A64 A8 A8 A8 A8 A8 A8 A8 A8

const struct grammar_row rows_of_items[] = {
    {"history", 20, ITEMS, "@first@scene"},
    {"history", 20, ITEMS, "@first@scene@scene"},
    {"history", 12, ITEMS, "@first@scene@scene@scene"},
    {"history", 6, ITEMS, "@first@scene@scene@scene@scene@scene"},
    {"history", 1, ITEMS, ""},
    {"first", 12, ITEMS, ""},
    {"first", 2, ITEMS, "^{@typed'role':'system','content':@content@more}"},
    {"first", 2, ITEMS, "^{@typed'role':'developer','content':@content@more}"},

    {"scene", 10, ITEMS, "@user"},
    {"scene", 6, ITEMS, "@user@thought@answer"},
    {"scene", 12, ITEMS, "@user@thought@pair@answer"},
    {"scene", 5, ITEMS, "@thought@batch"},
    {"scene", 4, ITEMS, "@user@thought@hosted@answer"},
    {"scene", 3, ITEMS, "@thought"},
    {"scene", 3, ITEMS, "@thought@user"},
    {"scene", 12, ITEMS, "@mispaired"},
    {"scene", 8, ITEMS, "@odd"},
    {"scene", 3, ITEMS, "@approved"},
    {"scene", 3, ITEMS, "@repeated"},

    {"user", 1, ITEMS, "^{@typed'role':'user','content':@content@more}"},
    {"typed", 1, ITEMS, ""},
    {"typed", 1, ITEMS, "'type':'message',"},
    {"content", 10, ITEMS, "@text"},
    {"content", 6, ITEMS, "[@user_part]"},
    {"content", 2, ITEMS, "[@user_part,@user_part]"},
    {"content", 1, ITEMS, "[@any_part,@user_part]"},
    {"content", 1, ITEMS, "@odd_content"},
    {"odd_content", 1, ITEMS, "[]"},
    {"odd_content", 1, ITEMS, "null"},
    {"odd_content", 1, ITEMS, "5"},
    {"odd_content", 1, ITEMS, "{'type':'input_text','text':'word#x'}"},
    {"odd_content", 1, ITEMS, "{'x':'word#x'}"},
    {"user_part", 6, ITEMS, "{'type':'input_text','text':@text}"},
    {"user_part", 1, ITEMS, "@image"},
    {"user_part", 1, ITEMS, "{'type':'input_file','file_id':'file_1'}"},
    {"image", 1, ITEMS, "{'type':'input_image','image_url':@url}"},
    {"said_part", 1, ITEMS, "{'type':'output_text','text':@text@part_more}"},
    {"part_more", 6, ITEMS, ""},
    {"part_more", 1, ITEMS, ",'annotations':[],'logprobs':[]"},
    {"part_more", 1, ITEMS, ",'parsed':null"},
    {"part_more", 1, ITEMS, ",'cache_control':{'type':'ephemeral'}"},
    {"part_more", 1, ITEMS, ",'x':[1.0]"},
    {"any_part", 2, ITEMS, "@user_part"},
    {"any_part", 2, ITEMS, "@said_part"},
    {"any_part", 1, ITEMS, "{'type':'text','text':'word#x'@part_more}"},
    {"any_part", 1, ITEMS, "{'type':'summary_text','text':'word#x'}"},
    {"any_part", 1, ITEMS, "{'type':'refusal','refusal':'word#x'}"},
    {"any_part", 1, ITEMS, "{'type':'input_audio','input_audio':{'data':'eA==','format':'mp3'}}"},
    {"any_part", 1, ITEMS, "{'type':'image_url','image_url':{'url':@url}}"},
    {"any_part", 1, ITEMS, "{'type':'new_type','text':'word#x'}"},

    {"answer", 8, ITEMS, "^{@typed'role':'assistant','content':[@said_part]@msg_id@more}"},
    {"answer", 4, ITEMS, "^{@typed'role':'assistant','content':@text@msg_id@more}"},
    {"answer", 1, ITEMS, "^{@typed'role':'assistant','content':[@any_part,@image]@msg_id@more}"},
    {"answer", 4, ITEMS, ""},
    OWN_ID("msg_id", "msg"),
    OWN_ID("fc_id", "fc"),
    OWN_ID("ctc_id", "ctc"),
    OWN_ID("rs_id", "rs"),
    {"odd_own_id", 1, ITEMS, "null"},
    {"odd_own_id", 1, ITEMS, "''"},
    {"odd_own_id", 1, ITEMS, "'toolu_1'"},
    {"odd_own_id", 1, ITEMS, "'rs_%'"},
    {"odd_own_id", 1, ITEMS, "'msg_1'"},
    {"odd_own_id", 1, ITEMS, "'rs_1'"},

    {"thought", 6, ITEMS, ""},
    {"thought", 6, ITEMS, "@reasoning"},
    {"thought", 2, ITEMS, "@reasoning@reasoning"},
    {"reasoning", 1, ITEMS, "^{'type':'reasoning'@rs_id@summary@cipher@more}"},
    {"summary", 4, ITEMS, ",'summary':[]"},
    {"summary", 4, ITEMS, ",'summary':[{'type':'summary_text','text':'word#x'}]"},
    {"summary", 1, ITEMS, ""},
    {"summary", 1, ITEMS, ",'summary':null"},
    {"cipher", 6, ITEMS, ""},
    {"cipher", 6, ITEMS, ",'encrypted_content':'gAAAAABo#x'"},
    {"cipher", 1, ITEMS, ",'encrypted_content':'plain words'"},
    {"cipher", 1, ITEMS, ",'encrypted_content':'own%%'"},
    {"cipher", 1, ITEMS, ",'encrypted_content':null"},

    PAIR("function", 10, "'function_call','call_id':$c,'name':@tool,'arguments':@arguments@fc_id",
         "'function_call_output','call_id':$c,'output':@output"),
    PAIR("custom", 4, "'custom_tool_call','call_id':$c,'name':@tool,'input':@arguments@ctc_id",
         "'custom_tool_call_output','call_id':$c,'output':@output"),
    PAIR("shell", 2, "'shell_call','call_id':$c,'action':{'commands':['ls']}",
         "'shell_call_output','call_id':$c,'output':[@chunk]"),
    PAIR("patch", 2,
         "'apply_patch_call','call_id':$c,'operation':{'type':'delete_file','path':'x'},"
         "'status':'completed'",
         "'apply_patch_call_output','call_id':$c,'output':@text,'status':'completed'"),
    PAIR("local", 2, "'local_shell_call','id':'lsh_#x','call_id':$c,'action':{'command':['ls']}",
         "'local_shell_call_output','call_id':$c,'output':@text"),
    PAIR("older_local", 1, "'local_shell_call','id':$c,'action':{'command':['ls']}",
         "'local_shell_call_output','id':$c,'output':@text"),
    PAIR(
        "computer", 2,
        "'computer_call','id':'cu_#x','call_id':$c,'action':{'type':'screenshot'},"
        "'pending_safety_checks':[]",
        "'computer_call_output','call_id':$c,'output':{'type':'computer_screenshot','image_url':@url}"),
    PAIR(
        "search", 2, "'tool_search_call','call_id':$c,'execution':'client','arguments':{}",
        "'tool_search_output','call_id':$c,'execution':'client','tools':[{'type':'function','name':'g'}]"),
    {"chunk", 2, ITEMS, "@bare_chunk}"},
    {"chunk", 1, ITEMS, "@bare_chunk,'created_by':'u'}"},
    {"bare_chunk", 1, ITEMS,
     "{'stdout':'word#x','stderr':@text,'outcome':{'type':'exit','exit_code':2}"},
    {"bare_chunk", 1, ITEMS, "{'stdout':@text,'stderr':'','outcome':{'type':'timeout'}"},
    {"output", 10, ITEMS, "@text"},
    {"output", 3, ITEMS, "[{'type':'input_text','text':@text}]"},
    {"output", 1, ITEMS, "[{'type':'input_text','text':@text},@image]"},
    {"output", 1, ITEMS, "[@any_part]"},
    {"output", 1, ITEMS, "[]"},
    {"output", 1, ITEMS, "null"},
    {"output", 1, ITEMS, "5"},
    {"output", 1, ITEMS, "{'ok':'word#x'}"},
    {"output", 1, ITEMS, "{'type':'input_text','text':'word#x'}"},

    {"batch", 4, ITEMS, "$c=id;$d=id;^@function_call^@function_d^@function_output^@output_d"},
    {"batch", 2, ITEMS, "$c=id;$d=id;^@function_call^@function_d^@output_d^@function_output"},
    {"batch", 1, ITEMS, "$c=id;$d=id;^@function_call^@function_d^@output_d"},
    {"function_d", 1, ITEMS, "$c=get_d;@function_call"},
    {"output_d", 1, ITEMS, "$c=get_d;@function_output"},

    {"mispaired", 3, ITEMS, "$c=id;^@any_call@answer"},
    {"mispaired", 2, ITEMS, "$c=id;^@any_call@user"},
    {"mispaired", 3, ITEMS, "$c=id;^@any_output"},
    {"mispaired", 2, ITEMS, "@deferred"},
    {"mispaired", 3, ITEMS, "@answered_twice"},
    {"mispaired", 2, ITEMS, "$c=id;^@any_call^@any_output"},
    {"mispaired", 1, ITEMS, "$c=id;^@function_call^@custom_output"},
    {"mispaired", 1, ITEMS, "$c=id;^@custom_call^@function_output"},
    {"mispaired", 1, ITEMS, "$c=id;^@any_output^@any_call"},
    {"mispaired", 2, ITEMS, "$c=id;^@function_call^@function_call^@function_output^@any_output"},
    {"mispaired", 1, ITEMS, "$c=id;$g=any_call;^$g^$g^@any_output"},
    {"mispaired", 1, ITEMS, "$c=id;$g=any_output;^@any_call^$g^$g"},
    {"mispaired", 1, ITEMS, "$c=id;^{'type':'item_reference','id':'fc_1'}^@function_output"},
    {"mispaired", 1, ITEMS, "^@lacking"},
    {"lacking", 1, ITEMS, "{'type':'function_call','name':'f','arguments':'{}','id':'fc_1'}"},
    {"lacking", 1, ITEMS, "{'type':'function_call','call_id':'call_1'@more}"},
    {"lacking", 1, ITEMS, "{'type':'custom_tool_call','call_id':'call_1'@more}"},
    {"lacking", 1, ITEMS, "{'type':'function_call_output','output':@output@more}"},
    {"lacking", 1, ITEMS, "{'type':'function_call_output','call_id':'fc_1','output':@output}"},
    {"lacking", 1, ITEMS, "{'type':'function_call_output','call_id':'call_1'@more}"},
    {"lacking", 1, ITEMS, "{'type':'apply_patch_call_output','call_id':'call_1','output':@text}"},
    {"lacking", 1, ITEMS, "{'type':'shell_call','call_id':'call_1'@more}"},
    {"lacking", 1, ITEMS, "{'type':'local_shell_call','call_id':'call_1','action':{}}"},
    {"lacking", 1, ITEMS, "{'type':'tool_search_call','arguments':{}}"},
    {"lacking", 1, ITEMS, "{'type':'tool_search_output','tools':[]}"},

    /* Hosted tools, whose items are complete in themselves. */
    HOSTED("ws", "'web_search_call','action':{'type':'search','query':'x'}"),
    HOSTED("web", "'web_search_call','action':{'type':'search','query':'x'}"),
    HOSTED("fs", "'file_search_call','queries':['x'],'results':[{'text':'word#x'}]"),
    HOSTED("ci", "'code_interpreter_call','code':'word#x','container_id':'c',"
                 "'outputs':[{'type':'logs','logs':'word#x'}]"),
    HOSTED("mcp", "'mcp_call','name':'echo','server_label':'s','arguments':'{}','output':'word#x'"),
    HOSTED("mcpl", "'mcp_list_tools','server_label':'s','tools':[]"),
    /* Its members aren't known (PROVIDERS.md 4.1), and a second one with its id goes with them. */
    {"hosted", 1, ITEMS, "^{'id':'ig_#x','type':'image_generation_call','result':'eA=='@status}"},
    {"status", 4, ITEMS, ""},
    {"status", 2, ITEMS, ",'status':'completed'"},
    {"status", 1, ITEMS, ",'status':'in_progress'"},

    {"approved", 3, ITEMS, "$c=request_id;@request@response"},
    {"approved", 2, ITEMS, "$c=request_id;@request@user"},
    {"approved", 1, ITEMS, "$c=request_id;@response"},
    {"request_id", 4, ITEMS, "'mcpr_#x'"},
    {"request_id", 1, ITEMS, "'mcpr_" A64 "'"},
    {"request_id", 1, ITEMS, "'mcpr_1'"},
    {"request", 1, ITEMS,
     "^{'type':'mcp_approval_request','id':$c,'name':'n','server_label':'s','arguments':'{}'@more}"},
    {"response", 1, ITEMS,
     "^{'type':'mcp_approval_response','approval_request_id':$c,'approve':true@more}"},

    /* One item, or one id, twice. */
    {"repeated", 2, ITEMS, "$c=id;$g=any_call;^$g@answer^$g^@any_output"},
    {"repeated", 1, ITEMS, "$g=hosted;$g@answer$g"},
    {"repeated", 1, ITEMS, "$g=hosted;$g$g"},
    {"repeated", 1, ITEMS, "$g=reasoning;$g@answer$g@answer"},
    {"repeated", 1, ITEMS,
     "^{'id':'ws_1','type':'web_search_call'}^{'id':'ws_1','type':'mcp_call',"
     "'name':'n','server_label':'s','arguments':'{}','output':@text}"},
    {"repeated", 1, ITEMS, "^{'role':'assistant','content':'word#x','id':'msg_1'}@reference"},
    {"reference", 1, ITEMS, "^{'type':'item_reference','id':'msg_1'}"},
    {"reference", 1, ITEMS, "^{'id':'msg_1'}"},
    {"reference", 1, ITEMS, "^{'type':'item_reference','id':'ctc_#x'}"},

    {"odd", 2, ITEMS, "^{@typed'role':@role,'content':@content@more}"},
    {"odd", 1, ITEMS, "^{@typed'role':@role,'tool_call_id':'call_1','content':@content}"},
    {"odd", 1, ITEMS, "^{'role':'assistant','content':@content,'tool_calls':@tool_calls}"},
    {"odd", 1, ITEMS, "^{@typed'role':'user'@more}"},
    {"odd", 1, ITEMS, "^{'content':@content@more}"},
    {"odd", 2, ITEMS, "@reference"},
    {"odd", 8, ITEMS, "^@foreign_item"},
    {"odd", 1, ITEMS, "^{'type':'compaction','encrypted_content':'gAAAAABo#x'}"},
    {"odd", 1, ITEMS, "^{'type':'future_call','x':@foreign}"},
    {"odd", 1, ITEMS, "^{'type':'compaction_trigger'}"},
    {"role", 2, ITEMS, "'user'"},
    {"role", 2, ITEMS, "'assistant'"},
    {"role", 1, ITEMS, "'system'"},
    {"role", 1, ITEMS, "'developer'"},
    {"role", 1, ITEMS, "'tool'"},
    {"role", 1, ITEMS, "'function'"},
    {"role", 1, ITEMS, "'model'"},
    {"role", 1, ITEMS, "'bot'"},
    {"role", 1, ITEMS, "null"},
    {"tool_calls", 1, ITEMS, "[]"},
    {"tool_calls", 1, ITEMS, "null"},
    {"tool_calls", 1, ITEMS, "[{'y':1}]"},
    {"tool_calls", 2, ITEMS,
     "[{'id':@id,'type':'function','function':{'name':'f','arguments':@arguments}}]"},
    {"tool_calls", 1, ITEMS,
     "[{'id':@id,'type':'custom','custom':{'name':'p','input':'word#x'}},{'id':@id,'type':'function',"
     "'function':{'name':'f'}}]"},

    /* Items of other APIs. */
    {"foreign_item", 1, ITEMS, "{'type':'tool_use','id':@id,'name':'f','input':@arguments@more}"},
    {"foreign_item", 1, ITEMS, "{'type':'tool_use','name':'f','output':'word#x'}"},
    {"foreign_item", 1, ITEMS,
     "{'type':'tool_result','tool_use_id':'call_1','content':@payload@other}"},
    {"foreign_item", 1, ITEMS, "{'type':'tool_result','content':@payload@other}"},
    {"foreign_item", 1, ITEMS, "{'type':'text','text':@text@other}"},
    {"foreign_item", 1, ITEMS, "{'type':'input_text','text':@text@more}"},
    {"foreign_item", 1, ITEMS, "{'type':'output_text','text':@text@other}"},
    {"foreign_item", 1, ITEMS, "{'type':'thinking','thinking':@text,'signature':'s'@more}"},
    {"foreign_item", 1, ITEMS, "{'type':'image_url','image_url':{'url':@url}@other}"},
    {"foreign_item", 1, ITEMS, "{'type':'input_image','image_url':@url@more}"},
    {"foreign_item", 1, ITEMS, "{'type':'input_image','file_id':'file_1'@more}"},
    {"payload", 3, ITEMS, "@text"},
    {"payload", 2, ITEMS, "[{'type':'text','text':@text},{'type':'text','text':'word#x'}]"},
    {"payload", 1, ITEMS, "{'k':'word#x'}"},
    {"other", 3, ITEMS, "@more"},
    {"other", 1, ITEMS, ",'arguments':'word#x'"},
    {"other", 1, ITEMS, ",'input':'word#x','thinking':'word#x'"},

    {"more", 30, ITEMS, ""},
    {"more", 2, ITEMS, ",'x':@foreign"},
    {"more", 1, ITEMS, ",'created_by':'u'"},
    {"more", 1, ITEMS, ",'parsed':null"},
    {"more", 1, ITEMS, ",'parsed_arguments':{}"},
    {"more", 1, ITEMS, ",'caller':{'type':'direct'}"},
    {"more", 1, ITEMS, ",'namespace':'n'"},
    {"more", 1, ITEMS, ",'phase':'final'"},

    {"before", 3, ITEMS, ""},
    {"before", 1, ITEMS, "'model': @model, "},
    {"around", 4, ITEMS, ""},
    {"around", 4, ITEMS, ",'store':false"},
    {"around", 1, ITEMS, ",'store':true,'tools':[@defined,@defined]"},
    {"around", 2, ITEMS, ",'previous_response_id':'resp_1'"},
    {"around", 1, ITEMS, ",'previous_response_id':'resp_1','store':false"},
    {"around", 1, ITEMS, ",'previous_response_id':'','tools':[@defined]"},
    {"around", 1, ITEMS, ",'conversation':{'id':'conv_1'}"},
    {"around", 1, ITEMS, ",'conversation':'conv_1','previous_response_id':'resp_1'"},
    {"around", 1, ITEMS, ",'prompt':{'id':'p'}"},
    {"around", 1, ITEMS, ",'instructions':'\\ud800'"},
    {"around", 1, ITEMS, ",'tools':[@tools_64,@tools_64,@defined]"},
    {"tools_64", 1, ITEMS, "@tools_16,@tools_16,@tools_16,@tools_16"},
    {"tools_16", 1, ITEMS, "@tools_4,@tools_4,@tools_4,@tools_4"},
    {"tools_4", 1, ITEMS, "@defined,@defined,@defined,@defined"},
    {"defined", 1, ITEMS, "{'type':'function','name':@tool}"},
    {NULL, 0, 0, NULL},
};
