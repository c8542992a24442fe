/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/tools/named_tool.h"
#include "providers/provider.h"
#include "providers/tools.h"

#include <errno.h>

bool tk_is_named_tool(struct tk_val addition)
{
    return tk_is(addition, TK_STRING) || tk_exists(tk_get(addition, TK_STR("want")));
}

static struct tk_val option_of(const struct tk_named_tool *tool, const char *name)
{
    return tk_get(tool->options, tk_str_of(name));
}

/* Returns true if a row of the provider's tables is about the tool. */
static bool is_about(const struct tk_named_tool *tool, const char *want)
{
    return strcmp(tool->form->want, want) == 0;
}

/* ---- looking a tool up ---- */

static int refuse_want(struct tk_refusal *refusal, struct tk_val addition, struct tk_str want,
                       const struct tk_provider *provider)
{
    tk_refusal_blame(refusal, TK_REFUSAL_UNSUPPORTED_SERVER_TOOL, addition);
    tk_refusal_detail(refusal, "provider", tk_str_of(provider->name));
    return tk_refusal_detail(refusal, "tool", want);
}

/* Finds the form by name and variant; the first form if no variant is given. */
static int find_form(struct tk_named_tool *tool, struct tk_val addition, struct tk_str want,
                     const struct tk_provider *provider, struct tk_refusal *refusal)
{
    struct tk_val variant = option_of(tool, "variant");
    bool known = false;

    for (const struct tk_named_tool_form *f = tool->tables ? tool->tables->forms : NULL;
         f && f->want; f++) {
        if (!tk_str_is(want, f->want))
            continue;
        known = true;
        if (!f->variant || !tk_exists(variant) || tk_text_is(variant, tk_str_of(f->variant))) {
            tool->form = f;
            return 0;
        }
    }
    return known ? tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, variant)
                 : refuse_want(refusal, addition, want, provider);
}

static int find_date(struct tk_named_tool *tool, struct tk_val version, struct tk_refusal *refusal)
{
    const char *const *dates = tool->form->dates;

    tool->date = dates ? dates[0] : NULL;
    if (!tk_exists(version))
        return 0;
    for (size_t i = 0; dates && dates[i]; i++)
        if (tk_text_is(version, tk_str_of(dates[i]))) {
            tool->date = dates[i];
            return 0;
        }
    return tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, version);
}

static int check_requirement(const struct tk_named_tool *tool,
                             const struct tk_named_tool_requirement *row, struct tk_val addition,
                             struct tk_refusal *refusal)
{
    struct tk_val option = option_of(tool, row->option);

    if (!tk_is_option_given(option) && row->instead)
        option = option_of(tool, row->instead);
    if (!tk_is_option_given(option)) {
        tk_refusal_blame(refusal, TK_REFUSAL_MISSING_OPTION, addition);
        return tk_refusal_detail(refusal, "option", tk_str_of(row->option));
    }
    return tk_is(option, row->kind) ? 0
                                    : tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, option);
}

static int check_requirements(const struct tk_named_tool *tool, struct tk_val addition,
                              struct tk_refusal *refusal)
{
    const struct tk_named_tool_requirement *row = tool->tables->requirements;
    int r = 0;

    for (; row && row->want && r == 0; row++)
        if (is_about(tool, row->want))
            r = check_requirement(tool, row, addition, refusal);
    return r;
}

static const struct tk_named_tool_option *use_of(const struct tk_named_tool *tool,
                                                 struct tk_val option)
{
    for (const struct tk_named_tool_option *row = tool->tables->options; row && row->want; row++)
        if (is_about(tool, row->want) && tk_key_is(option, tk_str_of(row->option)))
            return row;
    return NULL;
}

/* Returns true if an option has the name of a member that the entry gets otherwise: its type, its
 * name, or the member that another option becomes. */
static bool is_taken(const struct tk_named_tool *tool, struct tk_val option)
{
    const struct tk_named_tool_form *form = tool->form;

    if (!form->keyed && tk_key_is(option, TK_STR("type")))
        return true;
    if (form->name && tk_key_is(option, TK_STR("name")))
        return true;
    for (const struct tk_named_tool_option *row = tool->tables->options; row && row->want; row++)
        if (is_about(tool, row->want) && row->target && tk_key_is(option, tk_str_of(row->target)) &&
            tk_exists(option_of(tool, row->option)))
            return true;
    return false;
}

static int check_options(const struct tk_named_tool *tool, struct tk_arena *arena,
                         struct tk_refusal *refusal)
{
    for (struct tk_val v = tk_first(tool->options); tk_exists(v); v = tk_after(tool->options, v)) {
        const struct tk_named_tool_option *row = use_of(tool, v);

        if (row && row->use == TK_OPTION_UNSUPPORTED) {
            tk_refusal_blame(refusal, TK_REFUSAL_UNSUPPORTED_OPTION, v);
            return tk_refusal_detail(refusal, "option", tk_key(v, arena));
        }
        if (!row && is_taken(tool, v))
            return tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, v);
    }
    return 0;
}

int tk_named_tool_read(struct tk_val addition, const struct tk_provider *provider,
                       struct tk_arena *arena, struct tk_named_tool *ret,
                       struct tk_refusal *refusal)
{
    bool bare = tk_is(addition, TK_STRING);
    struct tk_str want = tk_text(bare ? addition : tk_get(addition, TK_STR("want")), arena);
    int r;

    *ret = (struct tk_named_tool){
        .tables = provider->tools->named,
        .options = bare ? TK_NO_VAL : tk_get(addition, TK_STR("options")),
    };
    if (!want.p)
        return -ENOMEM;
    r = find_form(ret, addition, want, provider, refusal);
    if (r == 0)
        r = find_date(ret, bare ? TK_NO_VAL : tk_get(addition, TK_STR("version")), refusal);
    if (r == 0)
        r = check_requirements(ret, addition, refusal);
    return r == 0 ? check_options(ret, arena, refusal) : r;
}

/* ---- writing its entries ---- */

static void write_member(struct tk_writer *w, struct tk_str key, struct tk_val value)
{
    tk_write_key_str(w, key);
    tk_write_val(w, value);
}

/* Writes the object of the entry that contains several options, at the first of them. */
static void write_inside(struct tk_writer *w, const struct tk_named_tool *tool,
                         const struct tk_named_tool_option *first)
{
    tk_write_key(w, first->target);
    tk_write_map(w);
    for (struct tk_val v = tk_first(tool->options); tk_exists(v); v = tk_after(tool->options, v)) {
        const struct tk_named_tool_option *row = use_of(tool, v);

        if (row && row->use == TK_OPTION_INSIDE && strcmp(row->target, first->target) == 0)
            write_member(w, tk_str_of(row->option), v);
    }
    tk_write_end(w);
}

static void write_options(struct tk_writer *w, const struct tk_named_tool *tool)
{
    bool inside = false;

    for (struct tk_val v = tk_first(tool->options); tk_exists(v); v = tk_after(tool->options, v)) {
        const struct tk_named_tool_option *row = use_of(tool, v);

        if (!row)
            write_member(w, tk_key(v, w->out->arena), v);
        else if (row->use == TK_OPTION_RENAMED)
            write_member(w, tk_str_of(row->target), v);
        else if (row->use == TK_OPTION_INSIDE && !inside) {
            inside = true;
            write_inside(w, tool, row);
        }
    }
}

static bool is_due(const struct tk_named_tool *tool, const struct tk_named_tool_default *row)
{
    return is_about(tool, row->want) && !tk_exists(option_of(tool, row->member)) &&
           (!row->since || (tool->date && strcmp(tool->date, row->since) >= 0));
}

static void write_defaults(struct tk_writer *w, const struct tk_named_tool *tool)
{
    for (const struct tk_named_tool_default *row = tool->tables->defaults; row && row->want;
         row++) {
        if (!is_due(tool, row))
            continue;
        tk_write_key(w, row->member);
        if (row->key) {
            tk_write_map(w);
            tk_write_kv_cstr(w, row->key, row->text);
        } else {
            tk_write_list(w);
            tk_write_cstr(w, row->text);
        }
        tk_write_end(w);
    }
}

static void write_type(struct tk_writer *w, const struct tk_named_tool *tool)
{
    tk_write_key(w, "type");
    if (tool->date)
        tk_write_strf(w, "%s_%s", tool->form->type, tool->date);
    else
        tk_write_cstr(w, tool->form->type);
    if (tool->form->name)
        tk_write_kv_cstr(w, "name", tool->form->name);
}

void tk_named_tool_write_tool(struct tk_writer *w, const struct tk_named_tool *tool)
{
    tk_write_map(w);
    if (tool->form->keyed) {
        tk_write_key(w, tool->form->type);
        tk_write_map(w);
    } else {
        write_type(w, tool);
    }
    write_options(w, tool);
    write_defaults(w, tool);
    if (tool->form->keyed)
        tk_write_end(w);
    tk_write_end(w);
}

void tk_named_tool_write_server(struct tk_writer *w, const struct tk_named_tool *tool)
{
    if (tool->form->write_server)
        tool->form->write_server(w, tool->options);
    else
        tk_write_null(w);
}
