/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/splice.h"

#include "providers/anthropic/seals/make.h"
#include "providers/anthropic/stop.h"

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

/* ---- the turn ---- */

/* A response is read like the message in it: both have `content` and `stop_reason`. */
static bool receive(struct tk_val received, uint32_t choice, struct tk_received *ret)
{
    (void)choice;
    ret->turn = received;
    ret->stop = tk_anthropic_stop(tk_get(received, TK_STR("stop_reason")));
    return true;
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

/* ---- the caller's messages ---- */

/* A system message without blocks can set the output's form. */
static bool has_meaning(const struct tk_message *m)
{
    struct tk_val v = {m->doc, m->node};

    return m->role == TK_ROLE_SYSTEM && tk_exists(tk_get(v, TK_STR("output_config")));
}

/* Returns the string of a text block; absent if it isn't one. */
static struct tk_val string_of(struct tk_val block)
{
    struct tk_val text = tk_get(block, TK_STR("text"));

    return type_is(block, TK_STR("text")) && tk_is(text, TK_STRING) ? text : TK_NO_VAL;
}

/* Returns the texts of a list, joined by newlines. A single text isn't copied. */
static struct tk_str texts_of(struct tk_val list, struct tk_arena *arena, struct tk_val *ret_string)
{
    struct tk_out joined;
    uint32_t count = 0;

    tk_out_init(&joined, arena);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_val text = string_of(v);

        if (!tk_exists(text))
            continue;
        if (count++ > 0)
            tk_out_put(&joined, "\n", 1);
        tk_out_ref(&joined, tk_text(text, arena));
        *ret_string = text;
    }
    if (count == 1)
        return tk_text(*ret_string, arena);
    *ret_string = TK_NO_VAL;
    return tk_out_join(&joined);
}

static struct tk_str text_of(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string)
{
    struct tk_val content = tk_part_val(&t->parts[part], t->parts[part].payload);

    (void)message;
    if (tk_is(content, TK_ARRAY))
        return texts_of(content, t->arena, ret_string);
    *ret_string = tk_is(content, TK_STRING) ? content : TK_NO_VAL;
    return tk_text(content, t->arena);
}

/* ---- results ---- */

static void write_result(struct tk_writer *w, const struct tk_made_result *result)
{
    bool missing = !tk_exists(result->neutral);

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool_result");
    tk_write_key(w, "tool_use_id");
    tk_write_val(w, tk_part_val(result->call, result->call->id));
    if (missing)
        tk_write_kv_bool(w, "is_error", true);
    tk_write_key(w, "content");
    tk_made_write_text(w, result);
    if (!missing && tk_made_failed(result))
        tk_write_kv_bool(w, "is_error", true);
    if (tk_exists(result->toolset)) {
        tk_write_key(w, "toolset_name");
        tk_write_val(w, result->toolset);
    }
    tk_write_end(w);
}

static const char *const own_members[] = {"type", NULL};
static const char *const own_values[] = {"tool_result", NULL};
static const char *const roles[] = {"user", "assistant", "system", NULL};

const struct tk_splice_rules tk_anthropic_splice = {
    .flags = TK_SPLICE_TURN_IS_CONTENT | TK_SPLICE_SYSTEM_LAST | TK_SPLICE_WAITS_FOR_SERVER |
             TK_SPLICE_MAY_JOIN_USERS | TK_SPLICE_COMPACTS,
    .container = "container",
    .continues = continues,
    .receive = receive,
    .call_id = {{"id"}},
    .toolset = "toolset_name",
    .is_provider_id = is_provider_id,
    .is_called_by_code = is_called_by_code,
    .is_seam = is_seam,
    .is_dropped_before_seam = is_dropped_before_seam,
    .digest = tk_block_digest,
    .result_id = {{"tool_use_id"}},
    .own_members = own_members,
    .own_values = own_values,
    .write_result = write_result,
    .text_of = text_of,
    .roles = roles,
    .has_meaning = has_meaning,
};
