/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider_pairs/form.h"

#include "providers/anthropic/provider_pairs/adapter_forms.h"
#include "providers/anthropic/state.h"
#include "value/unicode.h"

bool tk_is_json(const struct tk_transcript *t, struct tk_doc *scratch, struct tk_str text)
{
    const struct tk_read_limits limits = {
        .max_depth = TK_DEFAULT_MAX_DEPTH,
        .max_values = TK_DEFAULT_MAX_VALUES,
        .hash_key = {t->hash_key[0], t->hash_key[1]},
    };
    struct tk_read_error error;

    return tk_json_read(scratch, text.p, text.n, &limits, t->arena, &error) == 0;
}

static bool input_is_good(struct tk_judge *j, const struct tk_part *call)
{
    struct tk_val input = tk_part_val(call, call->payload);

    if (!tk_adapter_of(j->t->shape)->string_input)
        return tk_is(input, TK_OBJECT);
    return tk_is(input, TK_STRING) &&
           tk_is_json(j->t, &tk_anthropic(j)->pairing.input, tk_trim(tk_text(input, j->t->arena)));
}

/* The list comes with the request and may be long, so its names are put into a set once. */
static bool note_names(struct tk_judge *j, struct tk_val list)
{
    bool fresh;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_map_put(&tk_anthropic(j)->serializable, tk_text(v, j->t->arena), &fresh))
            return false;
    return true;
}

bool tk_is_serializable(struct tk_judge *j, struct tk_str tool)
{
    struct tk_val list = tk_own_policy(j)->serializable_tools;

    if (!tk_is(list, TK_ARRAY))
        return true;
    if (tk_anthropic(j)->serializable.count == 0 && !note_names(j, list))
        return false; /* out of memory: the arena's failure ends the request */
    return tk_map_get(&tk_anthropic(j)->serializable, tool) != NULL;
}

bool tk_call_is_good(struct tk_judge *j, const struct tk_part *call)
{
    struct tk_str name = tk_part_name(j->t, call);

    return !tk_is_blank(tk_part_id(j->t, call)) && name.p && !tk_is_blank(name) &&
           tk_is_serializable(j, name) && input_is_good(j, call);
}

/* Checks the content of a result on the wire. */
static bool content_fits(struct tk_judge *j, const struct tk_result_view *view)
{
    const struct tk_server_tool *tool = tk_tool_of_result(view->type);

    return !tool || tk_result_fits(tool, view->content, j->t->arena);
}

/* Checks the metadata of a result. A web search needs its metadata, whatever the library makes of
 * others (seed 001). */
static bool metadata_fits(struct tk_judge *j, const struct tk_part *call,
                          const struct tk_result_view *view)
{
    bool search = call && tk_str_is(tk_part_name(j->t, call), "web_search");

    return !view->unserializable && (!search || tk_str_is(view->type, "web_search_tool_result"));
}

/*
 * Returns true if a result's content has the form of its tool's results. Remembers the answer until
 * an edit changes the content. call NULL: the call isn't in the document, and the result's own name
 * tells the tool.
 */
static bool result_is_good(struct tk_judge *j, const struct tk_part *call, struct tk_part *result,
                           const struct tk_result_view *view)
{
    bool fits;

    if (tk_adapter_of(j->t->shape)->string_input)
        return metadata_fits(j, call, view);
    if (result->flags & TK_PART_FITS)
        return true;
    fits = tk_adapter_of(j->t->shape)->named_results
               ? tk_adapter_writes(j->t, call ? call : result, view->content)
               : content_fits(j, view);
    result->flags |= fits ? TK_PART_FITS : 0;
    return fits;
}

static bool belongs(struct tk_judge *j, const struct tk_part *call, const struct tk_part *result,
                    const struct tk_result_view *view)
{
    struct tk_str name = tk_part_name(j->t, result), called = tk_part_name(j->t, call);
    const struct tk_server_tool *tool = tk_tool_answering(j->t, call);

    if (tk_adapter_of(j->t->shape)->named_results)
        return tk_is_mcp_tool(tool) || (name.p && tk_str_eq(name, called));
    if (name.p && name.n > 0 && !tk_str_eq(name, called))
        return false;
    return tk_result_belongs(tool, view->type);
}

bool tk_pair_fault(struct tk_judge *j, uint32_t call, uint32_t result, uint16_t *ret_code)
{
    const struct tk_part *c = call == TK_NONE ? NULL : &j->t->parts[call];
    struct tk_part *r = &j->t->parts[result];
    struct tk_result_view view;

    if (c && !tk_call_is_good(j, c)) {
        *ret_code = TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL;
        return true;
    }
    view = j->t->shape->result(r, j->t->arena);
    if (!result_is_good(j, c, r, &view)) {
        *ret_code = TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT;
        return true;
    }
    if (c && !belongs(j, c, r, &view)) {
        *ret_code = TK_CODE_PROVIDER_EXECUTED_RESULT_TYPE_MISMATCH;
        return true;
    }
    return false;
}

int tk_judge_unknown(struct tk_judge *j, uint32_t call, uint32_t result)
{
    bool error = tk_own_policy(j)->unknown_tools_error;
    enum tk_severity severity = error ? TK_ERROR : TK_WARNING;
    int r;

    if (call == TK_NONE || tk_is_blank(tk_part_name(j->t, &j->t->parts[call])) ||
        tk_tool_of_call(j->t, &j->t->parts[call]) ||
        tk_is(tk_own_policy(j)->serializable_tools, TK_ARRAY))
        return 0;
    r = tk_find(&j->findings, j->t, TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN, severity,
                tk_site_of(j->t->parts[call].message, call));
    if (r == 0 && error && result != TK_NONE)
        r = tk_find(&j->findings, j->t, TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN, severity,
                    tk_site_of(j->t->parts[result].message, result));
    return r;
}
