/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the parameters of tools. Whatever they are: there is an answer; a patch touches
 * tools, servers and beta values alone; and the same additions to the tools that it answered change
 * none of their bytes.
 */
#include "operation.h"

#include "value/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parameters of the first call that the second one has, too. */
static const char *const kept[] = {"add", "on_conflict", "provider", "target", "betas"};

static struct tk_str again(struct operation *op, struct tk_val tools)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &op->arena);
    tk_writer_init(&w, (enum tk_codec)op->answer.codec, &out);
    tk_write_map(&w);
    tk_write_key(&w, "tools");
    tk_write_val(&w, tools);
    tk_write_kv_cstr(&w, "return", "tools");
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

static void check_twice(struct operation *op)
{
    struct tk_val tools = operation_result(op, "tools");
    struct operation second;
    struct tk_str params;

    if (!tk_exists(tools))
        return;
    params = again(op, tools);
    operation_call(&second, "tools", params.p, params.n);
    MUST(tk_exists(operation_result(&second, "tools")));
    MUST(tk_str_eq(tk_span(operation_result(&second, "tools")), tk_span(tools)));
    operation_done(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"/tools", "/mcp_servers", "/anthropic_beta", NULL};
    struct operation op;

    operation_call(&op, "tools", data, size);
    check_patch(&op, paths);
    check_notes(&op);
    check_twice(&op);
    operation_done(&op);
    return 0;
}
