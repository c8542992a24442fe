/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/text/payload.h"

#include "providers/common/texts.h"

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
static void add_other(struct tk_words *w, struct tk_val v)
{
    struct tk_val text = text_of(v);

    if (tk_exists(text))
        tk_words_add(w, tk_text(text, w->out.arena));
    else if (!tk_is_input_media(v))
        tk_words_add(w, tk_readable_json(v, w->out.arena));
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
    struct tk_words w = tk_words_begin(arena, "\n");

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        if (others || tk_exists(text_of(v)))
            add_other(&w, v);
    }
    return tk_words_end(&w);
}

/* ---- payloads, by row ---- */

static bool is_chunk(struct tk_val v)
{
    return tk_is(v, TK_OBJECT) &&
           (tk_exists(tk_get(v, TK_STR("stdout"))) || tk_exists(tk_get(v, TK_STR("stderr"))) ||
            tk_exists(tk_get(v, TK_STR("outcome"))));
}

/* Adds stdout, stderr and how the command ended. */
static void add_chunk(struct tk_words *w, struct tk_val chunk)
{
    struct tk_val outcome = tk_get(chunk, TK_STR("outcome"));
    struct tk_val code = tk_get(outcome, TK_STR("exit_code"));
    struct tk_str number;

    tk_words_add(w, tk_text(tk_get(chunk, TK_STR("stdout")), w->out.arena));
    tk_words_add(w, tk_text(tk_get(chunk, TK_STR("stderr")), w->out.arena));
    if (has_type(outcome, "timeout"))
        tk_words_add(w, TK_STR("timeout"));
    if (!tk_is(code, TK_INT))
        return;
    number = tk_json_text(code, w->out.arena);
    tk_words_add(
        w, tk_arena_concat(w->out.arena, (struct tk_str[]){TK_STR("return code "), number}, 2));
}

static struct tk_str shell_text(struct tk_val output, struct tk_arena *arena)
{
    struct tk_words w = tk_words_begin(arena, "\n");

    for (struct tk_val v = tk_first(output); tk_exists(v); v = tk_after(output, v))
        (is_chunk(v) ? add_chunk : add_other)(&w, v);
    return tk_words_end(&w);
}

static struct tk_str tool_names(struct tk_val tools, struct tk_arena *arena)
{
    struct tk_words w = tk_words_begin(arena, ", ");

    for (struct tk_val v = tk_first(tools); tk_exists(v); v = tk_after(tools, v))
        tk_words_add(&w, tk_text(tk_get(v, TK_STR("name")), arena));
    return tk_words_end(&w);
}

/* Returns the code and the logs of a code interpreter. */
static struct tk_str code_and_logs(struct tk_val item, struct tk_arena *arena)
{
    struct tk_val outputs = tk_get(item, TK_STR("outputs"));
    struct tk_words w = tk_words_begin(arena, "\n");

    tk_words_add(&w, tk_text(tk_get(item, TK_STR("code")), arena));
    if (tk_is(outputs, TK_ARRAY))
        for (struct tk_val v = tk_first(outputs); tk_exists(v); v = tk_after(outputs, v))
            tk_words_add(&w, tk_text(tk_get(v, TK_STR("logs")), arena));
    return tk_words_end(&w);
}

static struct tk_str result_texts(struct tk_val results, struct tk_arena *arena)
{
    struct tk_words w = tk_words_begin(arena, "\n");

    if (tk_is(results, TK_ARRAY))
        for (struct tk_val v = tk_first(results); tk_exists(v); v = tk_after(results, v))
            tk_words_add(&w, tk_text(tk_get(v, TK_STR("text")), arena));
    return tk_words_end(&w);
}

static struct tk_str output_text(struct tk_val output, bool shell, struct tk_arena *arena)
{
    if (!tk_exists(output) || tk_is(output, TK_NULL))
        return TK_STR("");
    if (tk_is(output, TK_STRING))
        return tk_text(output, arena);
    if (tk_is(output, TK_ARRAY))
        return shell ? shell_text(output, arena) : tk_texts_of(output, true, arena);
    return tk_readable_json(output, arena);
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
