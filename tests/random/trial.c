/* SPDX-License-Identifier: Apache-2.0 */
#include "fitting.h"

static const struct tk_read_limits limits = {256, 1u << 20, {11, 12}};

struct tk_val result_of(const struct operation *op)
{
    return op->read ? tk_get(tk_root(&op->answer), TK_STR("result")) : TK_NO_VAL;
}

struct tk_val error_data(const struct operation *op)
{
    return op->read ? tk_get(tk_get(tk_root(&op->answer), TK_STR("error")), TK_STR("data"))
                    : TK_NO_VAL;
}

bool failed_with(const struct operation *op, const char *name)
{
    return tk_text_is(tk_get(error_data(op), TK_STR("name")), tk_str_of(name));
}

/* ---- providers ---- */

static const struct provider {
    const char *name;
    enum whose whose;
    const char *list, *parts;
} providers[] = {
    {"anthropic", ANTHROPIC, "messages", "content"}, /* also if a case names none */
    {"openai-chat", OPENAI, "messages", "content"},
    {"openai-responses", OPENAI, "input", "content"},
    {"bedrock", BEDROCK, "messages", "content"},
    {"gemini", GEMINI, "contents", "parts"},
};

static const struct provider *provider_named(struct tk_str name)
{
    for (size_t i = 0; name.p && i < sizeof(providers) / sizeof(providers[0]); i++)
        if (tk_str_is(name, providers[i].name))
            return &providers[i];
    return &providers[0];
}

enum whose whose_provider(struct tk_str provider)
{
    return provider_named(provider)->whose;
}

/* ---- asking ---- */

/* Returns true for parameters that the question has, or that its method doesn't take. */
static bool is_left_out(struct tk_val member, struct question q)
{
    return tk_key_is(member, TK_STR("guard")) || tk_key_is(member, TK_STR("return")) ||
           tk_key_is(member, TK_STR("max_violations")) ||
           (q.unsealed &&
            (tk_key_is(member, TK_STR("seals")) || tk_key_is(member, TK_STR("provenance"))));
}

/* The members of an object but for those of the question; the list perhaps another one. */
static void write_members(struct tk_writer *w, const struct trial *t, struct tk_val object,
                          struct question q, struct tk_arena *arena)
{
    bool is_body = object.node != t->params.node;
    const char *list = is_body ? t->list : "messages";
    struct tk_val *members = tk_arena_alloc(arena, tk_count(object) * sizeof(*members)), v;
    uint32_t n = 0;

    MUST(members);
    for (v = tk_first(object); tk_exists(v); v = tk_after(object, v))
        members[n++] = v;
    for (uint32_t i = 0; i < n; i++) {
        v = members[q.reversed ? n - 1 - i : i];
        if (is_left_out(v, q))
            continue;
        tk_write_key_str(w, tk_key(v, arena));
        if (q.messages.p && tk_key_is(v, tk_str_of(list))) {
            tk_write_raw(w, q.messages);
        } else if ((q.messages.p || q.reversed) && !is_body && tk_key_is(v, TK_STR("request"))) {
            tk_write_map(w);
            write_members(w, t, v, q, arena);
            tk_write_end(w);
        } else {
            tk_write_val(w, v);
        }
    }
}

static struct tk_str json_params(struct trial *t, struct question q)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &t->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    write_members(&w, t, t->params, q, &t->arena);
    if (q.form) {
        tk_write_kv_bool(&w, "guard", q.guard);
        tk_write_kv_cstr(&w, "return", q.form);
    }
    for (struct tk_val v = q.more.doc ? tk_first(q.more) : TK_NO_VAL; tk_exists(v);
         v = tk_after(q.more, v)) {
        tk_write_key_str(&w, tk_key(v, &t->arena));
        tk_write_val(&w, v);
    }
    tk_write_kv_int(&w, "max_violations", 1000000);
    tk_write_end(&w);
    return tk_out_join(&out);
}

static struct tk_str in_codec(struct trial *t, struct tk_str bytes, enum tk_codec codec)
{
    struct tk_read_error error;
    struct tk_writer w;
    struct tk_out out;
    struct tk_doc doc;

    tk_doc_init(&doc, tk_libc_allocator);
    MUST(tk_doc_read(&doc, bytes.p, bytes.n, &limits, &t->arena, &error) == 0);
    tk_out_init(&out, &t->arena);
    tk_writer_init(&w, codec, &out);
    tk_write_any(&w, tk_root(&doc));
    bytes = tk_out_join(&out);
    tk_doc_done(&doc);
    return bytes;
}

void trial_ask(struct trial *t, struct operation *op, struct question q)
{
    struct tk_str params = json_params(t, q);

    if (q.codec == TK_MSGPACK || q.plain)
        params = in_codec(t, params, TK_MSGPACK);
    if (q.plain)
        params = in_codec(t, params, TK_JSON);
    operation_call(op, q.method, params.p, params.n);
}

static struct question repair_as(const struct trial *t, const char *form)
{
    return (struct question){.method = "repair", .guard = t->guard, .form = form};
}

/* Returns two lists as one. */
static struct tk_str joined(struct trial *t)
{
    struct tk_str a = tk_span(t->messages), b = tk_span(t->tail);
    struct tk_str parts[] = {{a.p, a.n - 1}, TK_STR(","), {b.p + 1, b.n - 1}};

    if (tk_count(t->messages) == 0)
        return b;
    return tk_arena_concat(&t->arena, parts, 3);
}

bool trial_is_of_items(const struct trial *t)
{
    return !strcmp(t->list, "input");
}

struct tk_val trial_read(struct trial *t, struct tk_str json)
{
    struct tk_doc *doc = &t->docs[t->doc_count++];
    struct tk_read_error error;

    MUST(t->doc_count <= TRIAL_DOCS);
    tk_doc_init(doc, tk_libc_allocator);
    MUST(tk_json_read(doc, json.p, json.n, &limits, &t->arena, &error) == 0);
    return tk_root(doc);
}

struct view trial_view(struct trial *t, struct tk_val list)
{
    if (t->whose == ANTHROPIC)
        return view_of(list, tk_get(t->params, TK_STR("dialect")), &t->arena);
    return t->whose == OPENAI ? view_of_entries(list, trial_is_of_items(t), &t->arena)
                              : view_of_blocks(list, t->whose == GEMINI, &t->arena);
}

static void ask_about_outcome(struct trial *t)
{
    struct question q = repair_as(t, "messages");
    struct tk_read_error error;
    struct tk_val now = tk_get(result_of(&t->repair), TK_STR("messages"));

    t->repaired = true;
    t->after = tk_span(tk_exists(now) ? now : t->messages);
    MUST(tk_json_read(&t->after_doc, t->after.p, t->after.n, &limits, &t->arena, &error) == 0);
    t->left = trial_view(t, tk_root(&t->after_doc));
    q.messages = t->after;
    trial_ask(t, &t->again, q);
    trial_ask(t, &t->after_verdict, (struct question){.method = "validate", .messages = t->after});
    t->has_longer = tk_exists(t->tail);
    if (t->has_longer) {
        q.messages = joined(t);
        trial_ask(t, &t->longer, q);
    }
}

/* Returns the body as sent, patched: pointers lead into it even if the list alone was sent (PROVIDERS.md
 * 1.2). NULL: they lead nowhere. */
static struct patched *patched_body(struct trial *t, struct tk_val patch)
{
    struct tk_val request = tk_get(t->params, TK_STR("request"));
    struct patched *root = patched_new(tk_exists(request) ? request : t->params, &t->arena);

    if (!tk_exists(request))
        patched_rename(root, "messages", t->list, &t->arena);
    return tk_exists(patch) && patched_apply(root, patch, &t->arena) ? root : NULL;
}

static void ask_all(struct trial *t)
{
    struct question cleaning = repair_as(t, "patch");

    trial_ask(t, &t->repair, repair_as(t, "messages"));
    trial_ask(t, &t->patch, repair_as(t, "patch"));
    cleaning.guard = false;
    if (t->guard)
        trial_ask(t, &t->cleaning, cleaning);
    t->sent = trial_view(t, t->messages);
    if (!tk_exists(result_of(&t->repair)))
        return;
    ask_about_outcome(t);
    t->root = patched_body(t, tk_get(result_of(&t->patch), TK_STR("patch")));
    t->fitting = fitting_begin(t, tk_get(tk_root(&t->doc), TK_STR("fit")));
}

static bool read_case(struct trial *t, struct tk_str json)
{
    const struct provider *provider;
    struct tk_read_error error;
    struct tk_val request;

    if (tk_json_read(&t->doc, json.p, json.n, &limits, &t->arena, &error) != 0)
        return false;
    t->params = tk_get(tk_root(&t->doc), TK_STR("params"));
    provider = provider_named(tk_text(tk_get(t->params, TK_STR("provider")), &t->arena));
    t->whose = provider->whose;
    t->list = provider->list;
    t->parts = provider->parts;
    request = tk_get(t->params, TK_STR("request"));
    t->messages = tk_exists(request) ? tk_get(request, tk_str_of(t->list))
                                     : tk_get(t->params, TK_STR("messages"));
    t->tail = tk_get(tk_root(&t->doc), TK_STR("tail"));
    t->guard = !tk_is(tk_get(t->params, TK_STR("guard")), TK_FALSE);
    if (!tk_is(t->tail, TK_ARRAY) || tk_count(t->tail) == 0)
        t->tail = TK_NO_VAL;
    return tk_is(t->messages, TK_ARRAY);
}

#define MISMATCH "dialect_mismatch"

bool trial_begin(struct trial *t, struct tk_str json)
{
    *t = (struct trial){.guard = true};
    tk_arena_init(&t->arena, tk_libc_allocator);
    tk_doc_init(&t->doc, tk_libc_allocator);
    tk_doc_init(&t->after_doc, tk_libc_allocator);
    if (!read_case(t, json))
        return false;
    trial_ask(t, &t->verdict, (struct question){.method = "validate"});
    if (failed_with(&t->verdict, "invalid_params") || failed_with(&t->verdict, "duplicate_key"))
        return false;
    ask_all(t);
    /* A history in another format: all methods must refuse it; else it is a case, and properties
     * break. */
    return !(failed_with(&t->verdict, MISMATCH) && failed_with(&t->repair, MISMATCH) &&
             failed_with(&t->patch, MISMATCH) &&
             (!t->guard || failed_with(&t->cleaning, MISMATCH)));
}

static void done(struct operation *op)
{
    if (op->reply)
        operation_done(op);
}

void trial_end(struct trial *t)
{
    done(&t->verdict);
    done(&t->repair);
    done(&t->patch);
    done(&t->cleaning);
    done(&t->after_verdict);
    done(&t->again);
    done(&t->longer);
    fitting_end(t->fitting);
    for (size_t i = 0; i < t->doc_count; i++)
        tk_doc_done(&t->docs[i]);
    tk_doc_done(&t->doc);
    tk_doc_done(&t->after_doc);
    tk_arena_done(&t->arena);
}
