/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

/* The bytes as a member of a request in their codec. */
static struct tk_str wrap(struct tk_arena *arena, const char *method, struct tk_str params)
{
    size_t n = strlen(method);
    enum tk_codec codec = TK_JSON;

    (void)tk_codec_of(params.p, params.n, &codec);
    if (codec == TK_JSON)
        return tk_arena_concat(arena,
                               (struct tk_str[]){TK_STR("{\"id\":1,\"method\":\""),
                                                 {method, n},
                                                 TK_STR("\",\"params\":"),
                                                 params,
                                                 TK_STR("}")},
                               5);
    return tk_arena_concat(arena,
                           (struct tk_str[]){TK_STR("\x83\xa2id\x01\xa6method"),
                                             {(const char[]){(char)(0xa0 | n)}, 1},
                                             {method, n},
                                             TK_STR("\xa6params"),
                                             params},
                           5);
}

void operation_call(struct operation *op, const char *method, const void *params, size_t size)
{
    static tk_core *core;
    struct tk_str request;

    if (!core)
        core = tk_core_new(NULL);
    MUST(core);
    tk_arena_init(&op->arena, tk_libc_allocator);
    tk_doc_init(&op->request, tk_libc_allocator);
    tk_doc_init(&op->answer, tk_libc_allocator);
    request = wrap(&op->arena, method, (struct tk_str){params, size});
    op->reply = NULL;
    MUST(tk_call(core, NULL, request.p, request.n, NULL, &op->reply) == 0);
    read_answer(op->reply, request.p, request.n, &op->request, &op->answer, &op->arena);
    op->read = op->request.count > 0;
}

void operation_done(struct operation *op)
{
    tk_doc_done(&op->request);
    tk_doc_done(&op->answer);
    tk_reply_free(op->reply);
    tk_arena_done(&op->arena);
}

static struct tk_val member(const struct operation *op, const struct tk_doc *doc, const char *of,
                            const char *name)
{
    return op->read ? tk_get(tk_get(tk_root(doc), tk_str_of(of)), tk_str_of(name)) : TK_NO_VAL;
}

struct tk_val operation_param(const struct operation *op, const char *name)
{
    return member(op, &op->request, "params", name);
}

struct tk_val operation_result(const struct operation *op, const char *name)
{
    return member(op, &op->answer, "result", name);
}

static bool begins_with_one(struct tk_str path, const char *const *paths)
{
    for (; *paths; paths++)
        if (tk_str_starts(path, tk_str_of(*paths)))
            return true;
    return false;
}

void check_patch(const struct operation *op, const char *const *paths)
{
    struct tk_val patch = operation_result(op, "patch");

    for (struct tk_val v = tk_first(patch); tk_exists(v); v = tk_after(patch, v)) {
        struct tk_val kind = tk_get(v, TK_STR("op")), value = tk_get(v, TK_STR("value"));
        bool removes = tk_text_is(kind, TK_STR("remove"));

        MUST(removes || tk_text_is(kind, TK_STR("add")) || tk_text_is(kind, TK_STR("replace")));
        MUST(tk_exists(value) == !removes);
        MUST(begins_with_one(tk_raw(tk_get(v, TK_STR("path"))), paths));
    }
}

void check_notes(const struct operation *op)
{
    struct tk_val notes = operation_result(op, "notes");

    for (struct tk_val a = tk_first(notes); tk_exists(a); a = tk_after(notes, a)) {
        MUST(tk_is(a, TK_STRING));
        for (struct tk_val b = tk_first(notes); b.node != a.node; b = tk_after(notes, b))
            MUST(!tk_str_eq(tk_raw(a), tk_raw(b)));
    }
}
