/* SPDX-License-Identifier: Apache-2.0 */
/* Results of tools that Anthropic runs: which call they answer, and what they contain. */
#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/stream/views.h"

struct tk_str tk_anthropic_result_type(struct tk_str type, struct tk_str name)
{
    const struct tk_server_tool *tool = tk_tool_answering_wire(type, name);

    return tool ? tool->result : (struct tk_str){NULL, 0};
}

bool tk_anthropic_is_listed_result(struct tk_str result_type)
{
    return tk_tool_of_result(result_type) != NULL;
}

/* Returns the hits of a web search; absent if the result is of another tool, or an error. */
static struct tk_val hits_of(struct tk_str type, struct tk_val content)
{
    return tk_str_is(type, "web_search_tool_result") && tk_is(content, TK_ARRAY) ? content
                                                                                 : TK_NO_VAL;
}

void tk_anthropic_read_result(struct tk_val block, struct tk_arena *arena,
                              struct tk_stream_result_view *ret)
{
    struct tk_val content = tk_get(block, TK_STR("content"));
    struct tk_str type = tk_text(tk_get(block, TK_STR("type")), arena);
    struct tk_str content_type = tk_text(tk_get(content, TK_STR("type")), arena);
    bool failed = content_type.p && tk_str_ends(content_type, TK_STR("_error"));

    *ret = (struct tk_stream_result_view){
        .type = type,
        .name = {type.p, type.p ? type.n - TK_STR("_tool_result").n : 0},
        .content = content,
        .error_code = failed ? tk_get(content, TK_STR("error_code")) : TK_NO_VAL,
        .sources = hits_of(type, content),
        .is_error = failed || tk_is(tk_get(block, TK_STR("is_error")), TK_TRUE),
    };
}

bool tk_anthropic_read_source(struct tk_val v, struct tk_stream_source_view *ret)
{
    *ret = (struct tk_stream_source_view){tk_get(v, TK_STR("url")), tk_get(v, TK_STR("title"))};
    return tk_text_is(tk_get(v, TK_STR("type")), TK_STR("web_search_result")) &&
           tk_is(ret->url, TK_STRING) && tk_raw(ret->url).n > 0;
}
