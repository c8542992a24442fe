/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/text/payload.h"

#include "value/compact.h"

/* A text that grows by lines or words. Empty ones are left out. */
struct words {
    struct tk_out out;
    struct tk_arena *arena;
    const char *separator;
};

static void begin(struct words *w, struct tk_arena *arena, const char *separator)
{
    tk_out_init(&w->out, arena);
    w->arena = arena;
    w->separator = separator;
}

static void add(struct words *w, struct tk_str s)
{
    if (s.n == 0)
        return;
    if (w->out.size > 0)
        tk_out_put(&w->out, w->separator, strlen(w->separator));
    tk_out_ref(&w->out, s);
}

/* Returns true for members that never enter a text (RULES.md 4). */
static bool is_secret(struct tk_val member, struct tk_arena *arena)
{
    struct tk_str head = TK_STR("encrypted"), key = tk_key(member, arena);

    if (tk_str_is(key, "signature"))
        return true;
    if (key.n < head.n)
        return false;
    for (size_t i = 0; i < head.n; i++)
        if ((key.p[i] | 0x20) != head.p[i])
            return false;
    return true;
}

struct tk_str tk_json_of(struct tk_val v, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_compact_json(&out, v, NULL);
    return tk_out_join(&out);
}

static struct tk_str readable_json(struct tk_val v, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_compact_json(&out, v, is_secret);
    return tk_out_join(&out);
}

/* ---- lists of parts ---- */

static bool has_type(struct tk_val part, const char *type)
{
    return tk_text_is(tk_get(part, TK_STR("type")), tk_str_of(type));
}

/* Returns the text of a part of text, or a string; absent: it is something else. */
static struct tk_val text_of(struct tk_val part)
{
    static const char *const types[] = {"input_text", "output_text", "text", "summary_text"};
    struct tk_val text = tk_get(part, TK_STR("text"));

    if (tk_is(part, TK_STRING))
        return part;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (has_type(part, types[i]))
            return tk_is(text, TK_STRING) ? text : TK_NO_VAL;
    return TK_NO_VAL;
}

bool tk_is_input_media(struct tk_val part)
{
    return tk_is(part, TK_OBJECT) &&
           (has_type(part, "input_image") || has_type(part, "input_file"));
}

/* Adds the text of a part of text, of others the JSON. Media say nothing. */
static void add_other(struct words *w, struct tk_val v)
{
    struct tk_val text = text_of(v);

    if (tk_exists(text))
        add(w, tk_text(text, w->arena));
    else if (!tk_is_input_media(v))
        add(w, readable_json(v, w->arena));
}

bool tk_has_only_texts(struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_exists(text_of(v)))
            return false;
    return true;
}

struct tk_str tk_texts_of(struct tk_val list, bool others, struct tk_arena *arena)
{
    struct words w;

    begin(&w, arena, "\n");
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        if (others || tk_exists(text_of(v)))
            add_other(&w, v);
    }
    return tk_out_join(&w.out);
}

/* ---- payloads, by row ---- */

static bool is_chunk(struct tk_val v)
{
    return tk_is(v, TK_OBJECT) &&
           (tk_exists(tk_get(v, TK_STR("stdout"))) || tk_exists(tk_get(v, TK_STR("stderr"))) ||
            tk_exists(tk_get(v, TK_STR("outcome"))));
}

/* Adds stdout, stderr and how the command ended. */
static void add_chunk(struct words *w, struct tk_val chunk)
{
    struct tk_val outcome = tk_get(chunk, TK_STR("outcome"));
    struct tk_val code = tk_get(outcome, TK_STR("exit_code"));
    struct tk_str number;

    add(w, tk_text(tk_get(chunk, TK_STR("stdout")), w->arena));
    add(w, tk_text(tk_get(chunk, TK_STR("stderr")), w->arena));
    if (has_type(outcome, "timeout"))
        add(w, TK_STR("timeout"));
    if (!tk_is(code, TK_INT))
        return;
    number = tk_json_of(code, w->arena);
    add(w, tk_arena_concat(w->arena, (struct tk_str[]){TK_STR("return code "), number}, 2));
}

static struct tk_str shell_text(struct tk_val output, struct tk_arena *arena)
{
    struct words w;

    begin(&w, arena, "\n");
    for (struct tk_val v = tk_first(output); tk_exists(v); v = tk_after(output, v))
        (is_chunk(v) ? add_chunk : add_other)(&w, v);
    return tk_out_join(&w.out);
}

static struct tk_str tool_names(struct tk_val tools, struct tk_arena *arena)
{
    struct words w;

    begin(&w, arena, ", ");
    for (struct tk_val v = tk_first(tools); tk_exists(v); v = tk_after(tools, v))
        add(&w, tk_text(tk_get(v, TK_STR("name")), arena));
    return tk_out_join(&w.out);
}

/* Returns the code and the logs of a code interpreter. */
static struct tk_str code_and_logs(struct tk_val item, struct tk_arena *arena)
{
    struct tk_val outputs = tk_get(item, TK_STR("outputs"));
    struct words w;

    begin(&w, arena, "\n");
    add(&w, tk_text(tk_get(item, TK_STR("code")), arena));
    if (tk_is(outputs, TK_ARRAY))
        for (struct tk_val v = tk_first(outputs); tk_exists(v); v = tk_after(outputs, v))
            add(&w, tk_text(tk_get(v, TK_STR("logs")), arena));
    return tk_out_join(&w.out);
}

static struct tk_str result_texts(struct tk_val results, struct tk_arena *arena)
{
    struct words w;

    begin(&w, arena, "\n");
    if (tk_is(results, TK_ARRAY))
        for (struct tk_val v = tk_first(results); tk_exists(v); v = tk_after(results, v))
            add(&w, tk_text(tk_get(v, TK_STR("text")), arena));
    return tk_out_join(&w.out);
}

static struct tk_str output_text(struct tk_val output, bool shell, struct tk_arena *arena)
{
    if (!tk_exists(output) || tk_is(output, TK_NULL))
        return TK_STR("");
    if (tk_is(output, TK_STRING))
        return tk_text(output, arena);
    if (tk_is(output, TK_ARRAY))
        return shell ? shell_text(output, arena) : tk_texts_of(output, true, arena);
    return readable_json(output, arena);
}

struct tk_str tk_item_payload(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val v = tk_item_val(t, item), output = tk_get(v, TK_STR("output"));

    switch (t->messages[item].item) {
    case TK_ITEM_COMPUTER_OUTPUT:
        return has_type(output, "computer_screenshot") ? TK_STR("")
                                                       : output_text(output, false, t->arena);
    case TK_ITEM_SEARCH_OUTPUT:
        return tool_names(tk_get(v, TK_STR("tools")), t->arena);
    case TK_ITEM_CODE_INTERPRETER:
        return code_and_logs(v, t->arena);
    case TK_ITEM_FILE_SEARCH:
        return result_texts(tk_get(v, TK_STR("results")), t->arena);
    case TK_ITEM_SHELL_OUTPUT:
        return output_text(output, true, t->arena);
    default:
        return output_text(output, false, t->arena);
    }
}
