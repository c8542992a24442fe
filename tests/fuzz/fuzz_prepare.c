/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the parameters of prepare. Whatever they are: there is an answer; an error names its
 * stage; a patch touches what the steps may touch alone; and the body that comes out is called
 * valid by repair, and changes no more, if it was called safe.
 */
#include "operation.h"

#include "value/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parameters of the first call that the second one has, too; splice was done. */
static const char *const kept[] = {"policy", "provider", "target", "guard"};

static struct tk_str again(struct operation *op, struct tk_val request, const char *form)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &op->arena);
    tk_writer_init(&w, (enum tk_codec)op->answer.codec, &out);
    tk_write_map(&w);
    tk_write_key(&w, "request");
    tk_write_val(&w, request);
    tk_write_kv_cstr(&w, "return", form);
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        struct tk_val param = operation_param(op, kept[i]);

        if (!tk_exists(param))
            continue;
        tk_write_key(&w, kept[i]);
        tk_write_val(&w, param);
    }
    tk_write_end(&w);
    return tk_out_join(&out);
}

static bool has_betas(const struct operation *op)
{
    return tk_count(operation_result(op, "betas")) > 0;
}

/* The body that was made, prepared once more without splice and tools. */
static void check_twice(struct operation *op)
{
    struct tk_val request = operation_result(op, "request");
    bool sealed =
        tk_exists(operation_param(op, "seals")) || tk_exists(operation_param(op, "provenance"));
    struct operation second;
    struct tk_str params;

    /* Seals and provenance are of the body as sent, beta values of the step tools. */
    if (!tk_exists(request) || sealed || has_betas(op) ||
        !tk_is(operation_result(op, "safe"), TK_TRUE))
        return;
    params = again(op, request, "patch");
    operation_call(&second, "prepare", params.p, params.n);
    MUST(tk_is(operation_result(&second, "safe"), TK_TRUE));
    MUST(tk_is(operation_result(&second, "changed"), TK_FALSE));
    operation_done(&second);
}

/* Errors of parameters and steps say whose they are. */
static void check_stage(const struct operation *op)
{
    static const char *const stages[] = {"splice", "tools", "repair"};
    struct tk_val data, stage;

    if (!op->read)
        return;
    data = tk_get(tk_get(tk_root(&op->answer), TK_STR("error")), TK_STR("data"));
    stage = tk_get(data, TK_STR("stage"));
    if (!tk_exists(stage)) {
        MUST(!tk_text_is(tk_get(data, TK_STR("name")), TK_STR("unsafe_history")));
        return;
    }
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
        if (tk_text_is(stage, tk_str_of(stages[i])))
            return;
    MUST(!"a stage that there isn't");
}

/* Where the caller asked for a patch, the body is asked for here. */
static void check_body(struct operation *op)
{
    struct tk_val request = operation_param(op, "request");
    struct operation whole;
    struct tk_str params;

    if (!tk_exists(operation_result(op, "patch")) || tk_exists(operation_param(op, "splice")) ||
        tk_exists(operation_param(op, "tools")) || tk_exists(operation_param(op, "seals")) ||
        tk_exists(operation_param(op, "provenance")))
        return;
    params = again(op, request, "request");
    operation_call(&whole, "prepare", params.p, params.n);
    MUST(tk_exists(operation_result(&whole, "request")) ==
         tk_is(operation_result(op, "changed"), TK_TRUE));
    check_twice(&whole);
    operation_done(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"/messages", "/container",      "/tools", "/mcp_servers",
                                        "/thinking", "/anthropic_beta", NULL};
    struct operation op;

    operation_call(&op, "prepare", data, size);
    check_patch(&op, paths);
    check_stage(&op);
    check_twice(&op);
    check_body(&op);
    operation_done(&op);
    return 0;
}
