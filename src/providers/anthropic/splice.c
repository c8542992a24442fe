/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/splice.h"

#include "providers/anthropic/seals/make.h"

static bool type_is(struct tk_val block, struct tk_str type)
{
    return tk_text_is(tk_get(block, TK_STR("type")), type);
}

static bool part_is(const struct tk_part *p, struct tk_str type)
{
    return tk_text_is(tk_part_val(p, p->type), type);
}

/* ---- the request ---- */

static struct tk_val continues(struct tk_val request)
{
    struct tk_val thread = tk_get(request, TK_STR("thread"));

    return type_is(thread, TK_STR("continue")) ? thread : TK_NO_VAL;
}

/* ---- blocks ---- */

static bool is_call(struct tk_val block)
{
    return type_is(block, TK_STR("tool_use"));
}

static bool is_result(struct tk_val block)
{
    return type_is(block, TK_STR("tool_result"));
}

static struct tk_val text_of(struct tk_val block)
{
    struct tk_val text = tk_get(block, TK_STR("text"));

    return type_is(block, TK_STR("text")) && tk_is(text, TK_STRING) ? text : TK_NO_VAL;
}

static bool is_provider_id(struct tk_str id)
{
    return tk_str_starts(id, TK_STR("srvtoolu_")) || tk_str_starts(id, TK_STR("mcptoolu_"));
}

static bool is_called_by_code(const struct tk_part *p)
{
    struct tk_val type = tk_get(tk_part_val(p, p->caller), TK_STR("type"));

    return tk_is(type, TK_STRING) && !tk_text_is(type, TK_STR("direct"));
}

static bool is_seam(const struct tk_part *p)
{
    return part_is(p, TK_STR("fallback"));
}

static bool is_dropped_before_seam(const struct tk_part *p)
{
    return part_is(p, TK_STR("connector_text"));
}

/* A system message without blocks can set the output's form. */
static bool has_meaning(struct tk_val message)
{
    return tk_text_is(tk_get(message, TK_STR("role")), TK_STR("system")) &&
           tk_exists(tk_get(message, TK_STR("output_config")));
}

/* ---- writing ---- */

static void write_text(struct tk_writer *w, struct tk_str text)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_kv_str(w, "text", text);
    tk_write_end(w);
}

static void write_missing(struct tk_writer *w, struct tk_val id, struct tk_str text,
                          struct tk_val toolset)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool_result");
    tk_write_key(w, "tool_use_id");
    tk_write_val(w, id);
    tk_write_kv_bool(w, "is_error", true);
    tk_write_kv_str(w, "content", text);
    if (tk_exists(toolset)) {
        tk_write_key(w, "toolset_name");
        tk_write_val(w, toolset);
    }
    tk_write_end(w);
}

const struct tk_splice_rules tk_anthropic_splice = {
    .result_id = "tool_use_id",
    .result_content = "content",
    .toolset = "toolset_name",
    .container = "container",
    .continues = continues,
    .is_call = is_call,
    .is_result = is_result,
    .text = text_of,
    .is_provider_id = is_provider_id,
    .is_called_by_code = is_called_by_code,
    .is_seam = is_seam,
    .is_dropped_before_seam = is_dropped_before_seam,
    .has_meaning = has_meaning,
    .digest = tk_block_digest,
    .write_text = write_text,
    .write_missing = write_missing,
};
