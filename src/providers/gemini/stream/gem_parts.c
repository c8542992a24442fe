/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a candidate. */
#include <errno.h>

#include "providers/gemini/stream/gem_stream.h"
#include "shapes/stream_parts.h"

static const struct tk_gem_name signature_name = {TK_STR_INIT("thoughtSignature"),
                                                  TK_STR_INIT("thought_signature")};
static const struct tk_gem_name will_continue = {TK_STR_INIT("willContinue"),
                                                 TK_STR_INIT("will_continue")};
static const struct tk_gem_name partial_args = {TK_STR_INIT("partialArgs"),
                                                TK_STR_INIT("partial_args")};

static bool is_true(struct tk_val v)
{
    return tk_is(v, TK_TRUE);
}

/* Adds a part; what came before it has ended. */
static struct tk_gem_part *add(struct tk_stream_turn *t, struct tk_choice *choice,
                               enum tk_turn_kind kind, struct tk_val v)
{
    struct tk_gem_part *p = tk_turn_add(t, choice, kind, choice->count, sizeof(*p));

    if (!p)
        return NULL;
    p->part.start = tk_keep(t->keep, v);
    p->part.whole = true;
    p->part.run.id = tk_arena_printf(t->keep, "%lld.%lld", (long long)choice->index,
                                     (long long)p->part.wire_index);
    return p->part.run.id.p ? p : NULL;
}

/* Reads an id into memory of the stream; `.p == NULL` if it is absent or empty. Returns false if it is
 * too long. */
static bool keep_id(struct tk_stream_turn *t, struct tk_val v, struct tk_str *ret)
{
    struct tk_str text = tk_text(tk_get(v, TK_STR("id")), t->arena);

    *ret = text.p && text.n > 0 ? tk_arena_dup(t->keep, text) : (struct tk_str){NULL, 0};
    return text.n <= TK_ID_MAX;
}

/* Returns the id by which outputs name a call: its own, or a made one. */
static struct tk_str shown_id(struct tk_stream_turn *t, const struct tk_turn_part *part)
{
    return part->id.p ? part->id
                      : tk_turn_made_id(t, part->choice->index,
                                        tk_gem_choice_of(part->choice)->made_ids++);
}

/* ---- texts ---- */

void tk_gem_end_text(struct tk_stream_turn *t, struct tk_choice *choice)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);

    if (c->text)
        tk_run_end(t, &c->text->part.run, NULL);
    c->text = NULL;
}

/* Returns true if a text has no member but `text` and `thought`. */
static bool is_plain(struct tk_val v)
{
    for (struct tk_val m = tk_first(v); tk_exists(m); m = tk_after(v, m))
        if (!tk_key_is(m, TK_STR("text")) && !tk_key_is(m, TK_STR("thought")))
            return false;
    return true;
}

/* Reads a text that stays a part of its own: Google forbids joining a signature's. */
static int read_text_alone(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                           struct tk_val text, enum tk_turn_kind kind)
{
    struct tk_gem_part *p;
    struct tk_extra extra[] = {{.key = NULL}, {.key = NULL}};
    struct tk_val signature = tk_gem_get(v, signature_name);

    tk_gem_end_text(t, choice);
    p = add(t, choice, kind, v);
    if (!p)
        return -ENOMEM;
    if (tk_is(signature, TK_STRING))
        extra[0] = (struct tk_extra){.key = TK_PARTS_SIGNATURE, .val = signature};
    tk_run_begin(t, &p->part.run, NULL);
    tk_run_delta(t, &p->part.run, text, NULL);
    tk_run_end(t, &p->part.run, extra);
    return 0;
}

static int read_text(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                     struct tk_val text)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    enum tk_turn_kind kind =
        is_true(tk_get(v, TK_STR("thought"))) ? TK_TURN_REASONING : TK_TURN_TEXT;

    if (!tk_is(text, TK_STRING))
        return TK_TURN_MALFORMED;
    if (!is_plain(v))
        return read_text_alone(t, choice, v, text, kind);
    if (c->text && c->text->part.kind != kind)
        tk_gem_end_text(t, choice);
    if (!c->text) {
        c->text = add(t, choice, kind, v);
        if (!c->text)
            return -ENOMEM;
        c->text->joins = true;
    }
    tk_text_put(t, &c->text->part.text, text);
    tk_run_delta(t, &c->text->part.run, text, NULL);
    return 0;
}

/* ---- calls of the client's tools ---- */

static int start_call(struct tk_stream_turn *t, struct tk_gem_part *p, struct tk_val call)
{
    struct tk_str name = tk_text(tk_get(call, TK_STR("name")), t->arena);

    if (!keep_id(t, call, &p->part.id))
        return TK_TURN_MALFORMED;
    if (!name.p || name.n == 0) {
        p->part.held = TK_HELD_NO_NAME;
        return 0;
    }
    p->part.name = tk_arena_dup(t->keep, name);
    p->part.shown = shown_id(t, &p->part);
    if (p->part.id.p)
        tk_turn_note_id(t, &p->part);
    tk_tell_call_start(t, &p->part);
    return 0;
}

static void end_call(struct tk_stream_turn *t, struct tk_gem_part *p, struct tk_kept args)
{
    p->part.input = args;
    p->part.whole = true;
    if (p->part.held != TK_HELD_NOT)
        return;
    tk_gem_choice_of(p->part.choice)->has_calls = true;
    tk_tell_call_end(t, &p->part);
}

static const struct tk_kept no_args = {TK_STR_INIT("{}"), TK_JSON};

/* Returns the value of a piece; absent if it has none. */
static struct tk_val value_of(struct tk_stream_turn *t, struct tk_val piece)
{
    static const struct tk_gem_name names[] = {
        {TK_STR_INIT("stringValue"), TK_STR_INIT("string_value")},
        {TK_STR_INIT("numberValue"), TK_STR_INIT("number_value")},
        {TK_STR_INIT("boolValue"), TK_STR_INIT("bool_value")},
    };
    static const struct tk_kept null = {TK_STR_INIT("null"), TK_JSON};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct tk_val v = tk_gem_get(piece, names[i]);

        if (tk_exists(v))
            return v;
    }
    if (tk_exists(tk_get(piece, TK_STR("nullValue"))) ||
        tk_exists(tk_get(piece, TK_STR("null_value"))))
        return tk_turn_read_kept(t, &null);
    return TK_NO_VAL;
}

/* Writes the delta of a piece: a string as it is, other values as JSON. */
static void tell_piece(struct tk_stream_turn *t, struct tk_gem_part *p, struct tk_val path,
                       struct tk_val piece)
{
    const struct tk_extra extra[] = {{.key = TK_PARTS_JSON_PATH, .val = path}, {.key = NULL}};
    struct tk_val old = tk_turn_read_kept(t, &p->path), value;
    struct tk_encoding e;

    if (p->part.held != TK_HELD_NOT)
        return;
    if (!tk_exists(old) || !tk_same_spelling(old, path)) {
        tk_run_changed(&p->part.run);
        p->path = tk_keep(t->keep, path);
    }
    value = value_of(t, piece);
    if (tk_is(value, TK_STRING) && tk_raw(value).n == 0) {
        tk_run_empty(t, &p->part.run, extra);
    } else if (tk_is(value, TK_STRING)) {
        tk_run_delta(t, &p->part.run, value, extra);
    } else {
        tk_encode_begin(&e, TK_JSON, t->arena);
        tk_write_any(&e.w, value);
        tk_run_delta_text(t, &p->part.run, tk_encode_end(&e), extra);
    }
}

/* Reads pieces of the arguments. Returns 0, -ENOMEM or TK_TURN_MALFORMED. */
static int read_pieces(struct tk_stream_turn *t, struct tk_gem_part *p, struct tk_val list)
{
    int r = 0;

    if (tk_exists(list) && !tk_is(list, TK_ARRAY))
        return TK_TURN_MALFORMED;
    for (struct tk_val e = tk_first(list); tk_exists(e) && r == 0; e = tk_after(list, e)) {
        struct tk_val path = tk_gem_get(e, TK_GEM_NAME("jsonPath", "json_path"));
        struct tk_val value;

        if (!tk_is(path, TK_STRING))
            return TK_TURN_MALFORMED;
        value = value_of(t, e);
        if (!tk_exists(value))
            continue;
        r = tk_gem_args_put(t, &p->args, tk_text(path, t->arena), value,
                            tk_is(value, TK_STRING) && is_true(tk_gem_get(e, will_continue)));
        if (r == 0)
            tell_piece(t, p, path, e);
    }
    return r;
}

int tk_gem_end_call(struct tk_stream_turn *t, struct tk_choice *choice, bool by_itself)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_gem_part *p = c->call;
    struct tk_encoding e;
    struct tk_kept args = {{NULL, 0}, TK_JSON};

    c->call = NULL;
    if (!p)
        return 0;
    if (!by_itself)
        tk_turn_warn(t, TK_WARNING_UNSTOPPED_BLOCK);
    if (!tk_gem_args_are_whole(&p->args)) {
        p->part.held = TK_HELD_CUT;
        return 0;
    }
    tk_encode_begin(&e, TK_JSON, t->keep);
    tk_gem_args_write(t, &p->args, &e.w);
    args.bytes = tk_encode_end(&e);
    if (!args.bytes.p)
        return -ENOMEM;
    end_call(t, p, args);
    return 0;
}

/* Goes on with the call that comes in pieces. */
static int go_on(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                 struct tk_val call)
{
    struct tk_gem_part *p = tk_gem_choice_of(choice)->call;
    struct tk_val signature = tk_gem_get(v, signature_name);
    int r = read_pieces(t, p, tk_gem_get(call, partial_args));

    if (tk_is(signature, TK_STRING))
        p->signature = tk_keep(t->keep, signature);
    if (r == 0 && !is_true(tk_gem_get(call, will_continue)))
        r = tk_gem_end_call(t, choice, true);
    return r;
}

static int read_call(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                     struct tk_val call)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_val args = tk_get(call, TK_STR("args")), pieces = tk_gem_get(call, partial_args);
    struct tk_gem_part *p;
    int r;

    if (!tk_is(call, TK_OBJECT))
        return TK_TURN_MALFORMED;
    if (c->call && !tk_exists(tk_gem_get(call, TK_GEM_NAME("name", "name"))))
        return go_on(t, choice, v, call);
    if (tk_exists(args) && !tk_is(args, TK_OBJECT) && !tk_is(args, TK_NULL))
        return TK_TURN_MALFORMED;
    r = tk_gem_end_call(t, choice, false);
    p = r == 0 ? add(t, choice, TK_TURN_CALL, v) : NULL;
    if (!p)
        return -ENOMEM;
    p->in_pieces = tk_exists(pieces) || is_true(tk_gem_get(call, will_continue));
    p->part.whole = !p->in_pieces;
    r = start_call(t, p, call);
    if (r == 0 && p->in_pieces)
        r = tk_gem_args_init(t, &p->args);
    if (r != 0)
        return r;
    if (!p->in_pieces) {
        end_call(t, p, tk_is(args, TK_OBJECT) ? tk_keep(t->keep, args) : no_args);
        return 0;
    }
    c->call = p;
    return go_on(t, choice, v, call);
}

/* ---- code and the server's tools ---- */

void tk_gem_leave_code(struct tk_stream_turn *t, struct tk_choice *choice)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);

    if (!c->code_waits)
        return;
    c->code_waits = false;
    tk_turn_warn(t, TK_WARNING_UNANSWERED_CALL);
    tk_operation_alone(t, tk_operation_of(t, &c->code->part), false);
}

static bool is_answered(const struct tk_stream_turn *t, const struct tk_gem_part *p)
{
    return tk_operation_of(t, &p->part)->result != TK_NONE;
}

void tk_gem_leave_all(struct tk_stream_turn *t, struct tk_choice *choice)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);

    tk_gem_leave_code(t, choice);
    for (; c->oldest < c->tool_count; c->oldest++) {
        if (is_answered(t, c->tools[c->oldest]))
            continue;
        tk_turn_warn(t, TK_WARNING_UNANSWERED_CALL);
        tk_operation_alone(t, tk_operation_of(t, &c->tools[c->oldest]->part), false);
    }
}

/* Starts an operation. Returns 0, TK_TURN_FAILED, TK_TURN_MALFORMED or -ENOMEM. */
static int start_operation(struct tk_stream_turn *t, struct tk_gem_part *p, struct tk_val call,
                           struct tk_map *ids, struct tk_str name, struct tk_str type)
{
    uint32_t *at = NULL;
    bool is_new;
    int r;

    if (!keep_id(t, call, &p->part.id))
        return TK_TURN_MALFORMED;
    p->part.shown = shown_id(t, &p->part);
    p->part.name = tk_arena_dup(t->keep, name);
    if (!p->part.shown.p || !p->part.name.p)
        return -ENOMEM;
    r = tk_operation_start(t, &p->part, p->part.shown, p->part.name, type);
    if (r != 0)
        return r;
    at = tk_map_put(ids, p->part.shown, &is_new);
    if (!at)
        return -ENOMEM;
    *at = p->part.at;
    return 0;
}

/* Keeps the input of code: its members but for the id. */
static struct tk_kept code_input(struct tk_stream_turn *t, struct tk_val code)
{
    static const struct tk_str id = TK_STR_INIT("id");
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, t->keep);
    tk_write_map(&e.w);
    tk_turn_write_others(t, code, &id, 1, &e.w);
    tk_write_end(&e.w);
    return (struct tk_kept){tk_encode_end(&e), TK_JSON};
}

static int read_code(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                     struct tk_val code)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_gem_part *p;
    int r;

    if (!tk_is(code, TK_OBJECT))
        return TK_TURN_MALFORMED;
    p = add(t, choice, TK_TURN_OPERATION, v);
    if (!p)
        return -ENOMEM;
    r = start_operation(t, p, code, &c->codes, TK_STR("code_execution"), TK_STR("executableCode"));
    if (r != 0)
        return r;
    p->part.input = code_input(t, code);
    c->code = p;
    c->code_waits = true;
    tk_operation_called(t, &p->part);
    return 0;
}

static int read_tool_call(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                          struct tk_val call)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_val args = tk_get(call, TK_STR("args"));
    struct tk_str name = tk_text(tk_gem_get(call, TK_GEM_NAME("toolType", "tool_type")), t->arena);
    struct tk_gem_part *p;
    int r;

    if (!tk_is(call, TK_OBJECT))
        return TK_TURN_MALFORMED;
    p = add(t, choice, TK_TURN_OPERATION, v);
    if (!p || !TK_GROW(t->keep, c->tools, c->tool_count, c->tool_capacity))
        return -ENOMEM;
    r = start_operation(t, p, call, &c->tool_ids, name.p ? name : TK_STR("tool"),
                        TK_STR("toolCall"));
    if (r != 0)
        return r;
    c->tools[c->tool_count++] = p;
    p->part.input = tk_is(args, TK_OBJECT) ? tk_keep(t->keep, args) : no_args;
    tk_operation_called(t, &p->part);
    return 0;
}

/* Adds a result of an operation; call: that it answers, NULL if none has its id. */
static int add_result(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                      struct tk_val result, struct tk_gem_part *call, struct tk_str type)
{
    struct tk_gem_part *p = add(t, choice, TK_TURN_RESULT, v);
    struct tk_str outcome = tk_text(tk_get(result, TK_STR("outcome")), t->arena);
    struct tk_str id = tk_text(tk_get(result, TK_STR("id")), t->arena);
    int r;

    if (!p)
        return -ENOMEM;
    p->part.is_error = outcome.p && (tk_str_is(outcome, "OUTCOME_FAILED") ||
                                     tk_str_is(outcome, "OUTCOME_DEADLINE_EXCEEDED"));
    r = tk_operation_result(t, &p->part, call ? tk_operation_of(t, &call->part) : NULL,
                            call ? call->part.shown : id, type);
    if (r != 0)
        return r;
    p->part.content = tk_keep(t->keep, result);
    tk_operation_answered(t, &p->part);
    return 0;
}

/* Returns the call with the id of a result; NULL if there is none. *ret_named: the result has an id. */
static struct tk_gem_part *named_call(struct tk_stream_turn *t, const struct tk_map *ids,
                                      struct tk_val result, bool *ret_named)
{
    struct tk_str id = tk_text(tk_get(result, TK_STR("id")), t->arena);
    const uint32_t *at = id.p && id.n > 0 ? tk_map_get(ids, id) : NULL;

    *ret_named = id.p && id.n > 0;
    return at ? (struct tk_gem_part *)t->parts[*at] : NULL;
}

static int read_code_result(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                            struct tk_val result)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_gem_part *call;
    bool is_named;

    if (!tk_is(result, TK_OBJECT))
        return TK_TURN_MALFORMED;
    call = named_call(t, &c->codes, result, &is_named);
    if (!call && !is_named)
        call = c->code;
    if (call && call == c->code)
        c->code_waits = false;
    else
        tk_gem_leave_code(t, choice);
    return add_result(t, choice, v, result, call, TK_STR("codeExecutionResult"));
}

static int read_tool_response(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                              struct tk_val result)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);
    struct tk_gem_part *call;
    bool is_named;

    if (!tk_is(result, TK_OBJECT))
        return TK_TURN_MALFORMED;
    call = named_call(t, &c->tool_ids, result, &is_named);
    while (c->oldest < c->tool_count && is_answered(t, c->tools[c->oldest]))
        c->oldest++;
    if (!call && !is_named && c->oldest < c->tool_count)
        call = c->tools[c->oldest];
    if (call && is_answered(t, call))
        call = NULL; /* the second one is a fault */
    return add_result(t, choice, v, result, call, TK_STR("toolResponse"));
}

/* ---- parts ---- */

static int read_other(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                      struct tk_val data)
{
    struct tk_gem_part *p = add(t, choice, TK_TURN_OTHER, v);

    (void)data;
    if (!p)
        return -ENOMEM;
    tk_tell_opaque(t, &p->part, v);
    return 0;
}

enum {
    IS_TEXT = 1,   /* may be joined to the text before it */
    IS_CALL = 2,   /* may go on with a call in pieces */
    IS_RESULT = 4, /* may answer code */
};

/* One row a kind of part; the last one is any other. */
static const struct gem_kind {
    struct tk_gem_name name;
    int (*read)(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v,
                struct tk_val data);
    uint8_t is;
} kinds[] = {
    {{TK_STR_INIT("functionCall"), TK_STR_INIT("function_call")}, read_call, IS_CALL},
    {{TK_STR_INIT("executableCode"), TK_STR_INIT("executable_code")}, read_code, 0},
    {{TK_STR_INIT("codeExecutionResult"), TK_STR_INIT("code_execution_result")},
     read_code_result,
     IS_RESULT},
    {{TK_STR_INIT("toolCall"), TK_STR_INIT("tool_call")}, read_tool_call, 0},
    {{TK_STR_INIT("toolResponse"), TK_STR_INIT("tool_response")}, read_tool_response, 0},
    {{TK_STR_INIT("text"), TK_STR_INIT("text")}, read_text, IS_TEXT},
    {{{NULL, 0}, {NULL, 0}}, read_other, 0},
};

int tk_gem_read_part(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v)
{
    const struct gem_kind *row = kinds;
    struct tk_val data = TK_NO_VAL;
    int r = 0;

    if (!tk_is(v, TK_OBJECT))
        return TK_TURN_MALFORMED;
    for (; row->name.camel.p; row++) {
        data = tk_gem_get(v, row->name);
        if (tk_exists(data))
            break;
    }
    if ((row->is & IS_TEXT) && tk_is(data, TK_STRING) && tk_raw(data).n == 0 && is_plain(v))
        return 0;
    if (!(row->is & IS_TEXT))
        tk_gem_end_text(t, choice);
    if (!(row->is & IS_RESULT))
        tk_gem_leave_code(t, choice);
    if (!(row->is & IS_CALL))
        r = tk_gem_end_call(t, choice, false);
    return r == 0 ? row->read(t, choice, v, data) : r;
}
