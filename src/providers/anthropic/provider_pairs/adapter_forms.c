/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider_pairs/adapter_forms.h"

#include "shapes/shape.h"

/* Types of an output. */
enum {
    JSON = 1,
    ERROR_JSON = 2,
    ERROR_TEXT = 4,
};

static bool has_type_of(struct tk_val v, const char *const *types)
{
    struct tk_val type = tk_get(v, TK_STR("type"));

    while (*types && !tk_text_is(type, tk_str_of(*types)))
        types++;
    return *types != NULL;
}

static bool is_list_of(struct tk_val list, bool (*fits)(struct tk_val v))
{
    if (!tk_is(list, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!fits(v))
            return false;
    return true;
}

static bool is_text(struct tk_val v)
{
    return tk_text_is(tk_get(v, TK_STR("type")), TK_STR("text")) &&
           tk_is(tk_get(v, TK_STR("text")), TK_STRING);
}

static bool is_of_mcp(struct tk_val v)
{
    return !tk_exists(v) || tk_is(v, TK_NULL) || tk_is(v, TK_STRING) || is_list_of(v, is_text);
}

static bool is_hit(struct tk_val v)
{
    return tk_text_is(tk_get(v, TK_STR("type")), TK_STR("web_search_result")) &&
           tk_is(tk_get(v, TK_STR("url")), TK_STRING) &&
           tk_has_text(tk_get(v, TK_STR("encryptedContent")));
}

static bool is_search(struct tk_val v)
{
    return is_list_of(v, is_hit);
}

static bool is_fetch(struct tk_val v)
{
    return tk_text_is(tk_get(v, TK_STR("type")), TK_STR("web_fetch_result")) &&
           tk_is(tk_get(v, TK_STR("url")), TK_STRING) &&
           tk_is(tk_get(v, TK_STR("content")), TK_OBJECT);
}

static bool is_reference(struct tk_val v)
{
    return tk_is(tk_get(v, TK_STR("toolName")), TK_STRING);
}

static bool is_tool_search(struct tk_val v)
{
    return is_list_of(v, is_reference);
}

static bool is_execution(struct tk_val v)
{
    static const char *const types[] = {"code_execution_result",
                                        "encrypted_code_execution_result",
                                        "bash_code_execution_result",
                                        "bash_code_execution_tool_result_error",
                                        "text_editor_code_execution_tool_result_error",
                                        "text_editor_code_execution_view_result",
                                        "text_editor_code_execution_create_result",
                                        "text_editor_code_execution_str_replace_result",
                                        NULL};

    return has_type_of(v, types);
}

static bool is_advice(struct tk_val v)
{
    static const char *const types[] = {"advisor_result", "advisor_redacted_result",
                                        "advisor_tool_result_error", NULL};

    return has_type_of(v, types);
}

struct adapter_form {
    struct tk_str call;            /* the call's name */
    uint8_t any;                   /* output types that fit with any value */
    uint8_t some;                  /* output types whose value must fit */
    bool (*fits)(struct tk_val v); /* tests the value of those */
};

static const struct adapter_form forms[] = {
    {TK_STR_INIT("web_search"), ERROR_JSON, JSON, is_search},
    {TK_STR_INIT("web_fetch"), ERROR_JSON, JSON, is_fetch},
    {TK_STR_INIT("tool_search_tool_regex"), 0, JSON, is_tool_search},
    {TK_STR_INIT("tool_search_tool_bm25"), 0, JSON, is_tool_search},
    {TK_STR_INIT("code_execution"), ERROR_TEXT | ERROR_JSON, JSON, is_execution},
    {TK_STR_INIT("advisor"), 0, JSON | ERROR_JSON, is_advice},
};

static const struct adapter_form mcp_form = {{NULL, 0}, 0, JSON | ERROR_JSON, is_of_mcp};

static const struct adapter_form *form_of(const struct tk_transcript *t, const struct tk_part *call)
{
    const struct tk_adapter *adapter = tk_adapter_of(t->shape);
    struct tk_str name = tk_part_name(t, call);

    if (adapter->is_mcp && adapter->is_mcp(call))
        return &mcp_form;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (name.p && tk_str_eq(name, forms[i].call))
            return &forms[i];
    return NULL;
}

static uint8_t type_of(struct tk_val output)
{
    struct tk_val type = tk_get(output, TK_STR("type"));

    return tk_text_is(type, TK_STR("json"))         ? JSON
           : tk_text_is(type, TK_STR("error-json")) ? ERROR_JSON
           : tk_text_is(type, TK_STR("error-text")) ? ERROR_TEXT
                                                    : 0;
}

bool tk_adapter_writes(const struct tk_transcript *t, const struct tk_part *call,
                       struct tk_val output)
{
    const struct adapter_form *form = form_of(t, call);
    uint8_t type = type_of(output);

    if (!form || (form->any & type))
        return true;
    return (form->some & type) && form->fits(tk_get(output, TK_STR("value")));
}
