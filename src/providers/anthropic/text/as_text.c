/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/text/as_text.h"

#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/rules.h"
#include "providers/common/texts.h"
#include "value/unicode.h"

/* Returns the first element of a list, or TK_NO_VAL for any other value, above all for an object,
 * whose members aren't elements. */
static struct tk_val first_of(struct tk_val list)
{
    return tk_is(list, TK_ARRAY) ? tk_first(list) : TK_NO_VAL;
}

/* Adds a piece, and says what comes between it and the next one. */
static void add(struct tk_words *x, struct tk_str s, const char *separator)
{
    tk_words_add(x, s);
    if (s.n > 0)
        x->separator = separator;
}

static void line(struct tk_words *x, struct tk_str s)
{
    x->separator = "\n";
    add(x, s, "\n");
}

static struct tk_str text_of(struct tk_words *x, struct tk_val v)
{
    return tk_text(v, x->out.arena);
}

static struct tk_str member(struct tk_words *x, struct tk_val v, struct tk_str key)
{
    return text_of(x, tk_get_either(v, key));
}

/* ---- what the payloads of results contain ---- */

/* Adds one line a search hit: title, url, page age. */
static void add_hits(struct tk_words *x, struct tk_val list)
{
    for (struct tk_val v = first_of(list); tk_exists(v); v = tk_after(list, v)) {
        x->separator = "\n";
        add(x, member(x, v, TK_STR("title")), ", ");
        add(x, member(x, v, TK_STR("url")), ", ");
        add(x, member(x, v, TK_STR("page_age")), ", ");
    }
}

static bool has_hits(struct tk_val list)
{
    for (struct tk_val v = first_of(list); tk_exists(v); v = tk_after(list, v))
        if (tk_exists(tk_get(v, TK_STR("url"))) ||
            tk_text_is(tk_get(v, TK_STR("type")), TK_STR("web_search_result")))
            return true;
    return false;
}

/* Adds strings and text blocks. */
static void add_blocks(struct tk_words *x, struct tk_val list)
{
    for (struct tk_val v = first_of(list); tk_exists(v); v = tk_after(list, v)) {
        if (tk_is(v, TK_STRING))
            line(x, text_of(x, v));
        else if (tk_text_is(tk_get(v, TK_STR("type")), TK_STR("text")))
            line(x, member(x, v, TK_STR("text")));
    }
}

/* Adds what a document says, if its source is text. */
static void add_source(struct tk_words *x, struct tk_val document)
{
    struct tk_val source = tk_get(document, TK_STR("source"));
    struct tk_val inner = tk_get(source, TK_STR("content"));

    if (tk_text_is(tk_get(source, TK_STR("type")), TK_STR("text")))
        line(x, member(x, source, TK_STR("data")));
    line(x, text_of(x, inner));
    add_blocks(x, inner);
}

static void add_fetched(struct tk_words *x, struct tk_val v)
{
    struct tk_val document = tk_get(v, TK_STR("content"));

    add(x, member(x, document, TK_STR("title")), ", ");
    add(x, member(x, v, TK_STR("url")), "\n");
    add_source(x, document);
}

static void add_executed(struct tk_words *x, struct tk_val v)
{
    struct tk_val code = tk_get_either(v, TK_STR("return_code"));

    line(x, member(x, v, TK_STR("stdout")));
    line(x, member(x, v, TK_STR("stderr")));
    if (!tk_is(code, TK_INT) && !tk_is(code, TK_REAL))
        return;
    line(x, TK_STR("return code "));
    x->separator = "";
    add(x, tk_json_text(code, x->out.arena), "\n");
}

static void add_viewed(struct tk_words *x, struct tk_val v)
{
    line(x, member(x, v, TK_STR("content")));
}

static void add_references(struct tk_words *x, struct tk_val list)
{
    for (struct tk_val e = first_of(list); tk_exists(e); e = tk_after(list, e))
        add(x, member(x, e, TK_STR("tool_name")), ", ");
}

static void add_tool_names(struct tk_words *x, struct tk_val v)
{
    add_references(x, tk_get_either(v, TK_STR("tool_references")));
}

static void add_text(struct tk_words *x, struct tk_val v)
{
    line(x, member(x, v, TK_STR("text")));
}

static const struct {
    const char *type;
    void (*add)(struct tk_words *x, struct tk_val v);
} readers[] = {
    {"web_fetch_result", add_fetched},
    {"code_execution_result", add_executed},
    {"encrypted_code_execution_result", add_executed},
    {"bash_code_execution_result", add_executed},
    {"text_editor_code_execution_view_result", add_viewed},
    {"tool_search_tool_search_result", add_tool_names},
    {"advisor_result", add_text},
    {"text", add_text},
};

/* Adds an object by its type. Returns false if the type doesn't say how to read it. */
static bool add_object(struct tk_words *x, struct tk_val v)
{
    struct tk_str code = member(x, v, TK_STR("error_code"));
    struct tk_val type = tk_get(v, TK_STR("type"));

    if (code.n > 0) {
        line(x, code);
        return true;
    }
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
        if (tk_text_is(type, tk_str_of(readers[i].type))) {
            readers[i].add(x, v);
            return true;
        }
    return false;
}

/* Adds a payload. Its content decides how it is read, whatever the type of its block. */
static void add_payload(struct tk_words *x, struct tk_val v)
{
    if (tk_is(v, TK_STRING))
        line(x, text_of(x, v));
    else if (tk_is(v, TK_ARRAY) && has_hits(v))
        add_hits(x, v);
    else if (tk_is(v, TK_ARRAY))
        add_blocks(x, v);
    else if (tk_is(v, TK_OBJECT))
        add_object(x, v);
}

/* ---- JSON outputs of the string dialects ---- */

static void add_json(struct tk_words *x, struct tk_val v)
{
    if (tk_exists(v) && !tk_is(v, TK_NULL))
        line(x, tk_readable_json(v, x->out.arena));
}

/* Returns true if the list has elements and all of them are of that type. */
static bool is_all(struct tk_val list, const char *type)
{
    if (tk_count(list) == 0)
        return false;
    for (struct tk_val v = first_of(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_text_is(tk_get(v, TK_STR("type")), tk_str_of(type)))
            return false;
    return true;
}

static bool add_list(struct tk_words *x, struct tk_val list)
{
    if (has_hits(list))
        add_hits(x, list);
    else if (is_all(list, "text"))
        add_blocks(x, list);
    else if (is_all(list, "tool_reference"))
        add_references(x, list);
    else
        return false;
    return true;
}

/* Adds a value: payloads that the wire knows by their form, any other value as JSON. */
static void add_value(struct tk_words *x, struct tk_val v)
{
    if (tk_is(v, TK_STRING))
        line(x, text_of(x, v));
    else if (!(tk_is(v, TK_ARRAY) && add_list(x, v)) && !(tk_is(v, TK_OBJECT) && add_object(x, v)))
        add_json(x, v);
}

/* Adds a value of an unknown form: a string as text, anything else as JSON. */
static void add_plain(struct tk_words *x, struct tk_val v)
{
    if (tk_is(v, TK_STRING))
        line(x, text_of(x, v));
    else
        add_json(x, v);
}

static void add_client_content(struct tk_words *x, struct tk_val content)
{
    if (tk_is(content, TK_ARRAY))
        add_blocks(x, content);
    else
        add_plain(x, content);
}

/* {"type": "text" | "json" | "error-text" | "error-json" | "content" | ..., "value": ...} */
static void add_sdk_output(struct tk_words *x, struct tk_val output, bool provider)
{
    struct tk_val type = tk_get(output, TK_STR("type")), value = tk_get(output, TK_STR("value"));

    if (!tk_is(output, TK_OBJECT))
        add_plain(x, output);
    else if (tk_text_is(type, TK_STR("content")))
        add_blocks(x, value);
    else if (tk_text_is(type, TK_STR("execution-denied")))
        line(x, member(x, output, TK_STR("reason")));
    else if (provider)
        add_value(x, value);
    else
        add_plain(x, value);
}

/* {"type": "text" | "error" | "media" | other, "data": {...}} */
static void add_fantasy_output(struct tk_words *x, struct tk_val output)
{
    static const struct {
        const char *type, *member;
    } forms[] = {{"text", "text"}, {"error", "error"}, {"media", "text"}};
    struct tk_val type = tk_get(output, TK_STR("type")), data = tk_get(output, TK_STR("data"));

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (tk_text_is(type, tk_str_of(forms[i].type))) {
            line(x, member(x, data, tk_str_of(forms[i].member)));
            return;
        }
    if (tk_exists(data))
        add_json(x, data);
    else
        add_plain(x, output);
}

static bool says_nothing(struct tk_str s)
{
    return tk_is_blank(s) || tk_str_is(s, "{}");
}

static struct tk_str read_result(struct tk_judge *j, const struct tk_part *p)
{
    struct tk_result_view view = j->t->shape->result(p, j->t->arena);
    struct tk_words x = tk_words_begin(j->t->arena, "");
    bool provider = p->flags & TK_PART_PROVIDER;
    struct tk_str s;

    if (j->t->shape->wire) {
        if (provider)
            add_payload(&x, view.content);
        else
            add_client_content(&x, view.content);
        return tk_words_end(&x);
    }
    if (!tk_adapter_of(j->t->shape)->string_input) {
        add_sdk_output(&x, view.content, provider);
        return tk_words_end(&x);
    }
    add_fantasy_output(&x, view.content);
    s = tk_words_end(&x);
    if (!s.p || !says_nothing(s))
        return s;
    x = tk_words_begin(j->t->arena, "");
    add_hits(&x, tk_get(view.metadata, TK_STR("results")));
    if (x.out.size == 0)
        line(&x, member(&x, view.metadata, TK_STR("error_code")));
    return tk_words_end(&x);
}

struct tk_str tk_textify(struct tk_judge *j, uint32_t result)
{
    const struct tk_part *p = &j->t->parts[result];
    struct tk_str text = read_result(j, p);

    if (!text.p || tk_is_blank(text) || !j->policy->mark_text)
        return text;
    return tk_marked_text(j->t->arena, tk_sent_tool(j, p), text);
}

/* ---- lone blocks ---- */

/* "[image removed]" */
static void add_placeholder(struct tk_words *x, struct tk_val block)
{
    struct tk_str type = member(x, block, TK_STR("type"));

    line(x,
         tk_arena_concat(x->out.arena,
                         (struct tk_str[]){TK_STR("["), tk_is_blank(type) ? TK_STR("block") : type,
                                           TK_STR(" removed]")},
                         3));
}

/* Adds what the client says about the document, then what the document says. */
static void add_document(struct tk_words *x, struct tk_val block)
{
    size_t about;

    add(x, member(x, block, TK_STR("title")), "\n");
    line(x, member(x, block, TK_STR("context")));
    about = x->out.size;
    add_source(x, block);
    if (x->out.size == about)
        add_placeholder(x, block);
}

/* Adds a search hit that the client found itself. */
static void add_search_result(struct tk_words *x, struct tk_val block)
{
    struct tk_val content = tk_get(block, TK_STR("content"));

    add(x, member(x, block, TK_STR("title")), ", ");
    add(x, member(x, block, TK_STR("source")), "\n");
    line(x, text_of(x, content));
    add_blocks(x, content);
}

static void add_tool_name(struct tk_words *x, struct tk_val block)
{
    line(x, member(x, block, TK_STR("tool_name")));
}

struct tk_str tk_textify_block(struct tk_arena *arena, struct tk_val block)
{
    static const struct {
        const char *type;
        void (*add)(struct tk_words *x, struct tk_val block);
    } blocks[] = {
        {"text", add_text},
        {"search_result", add_search_result},
        {"document", add_document},
        {"tool_reference", add_tool_name},
    };
    struct tk_val type = tk_get(block, TK_STR("type"));
    struct tk_words x = tk_words_begin(arena, "");

    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if (tk_text_is(type, tk_str_of(blocks[i].type))) {
            blocks[i].add(&x, block);
            return tk_words_end(&x);
        }
    if (tk_is(block, TK_STRING))
        line(&x, text_of(&x, block));
    else
        add_placeholder(&x, block);
    return tk_words_end(&x);
}
