/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper call: sends any method with its parameters unchanged. */
#include "cli/args/request.h"
#include "cli/commands/query.h"
#include "value/writer.h"

/*
 * Checks that PARAMS is one whole document. Otherwise the envelope around it would be broken too,
 * and the daemon's error would be about bytes that the user never wrote. The daemon reports all
 * other faults of PARAMS.
 */
static int check_params(const struct cli_args *args, struct tk_str params)
{
    struct cli_reading reading;
    int r;

    cli_reading_init(&reading);
    r = cli_read_json(&reading, params);
    cli_reading_done(&reading);
    if (r < 0)
        return cli_fail("out of memory");
    if (r == TK_READ_PARSE_ERROR || r == TK_READ_CODEC_UNKNOWN || r == TK_READ_TRAILING_BYTES)
        return cli_usage_error(args->command, "PARAMS: %s at byte %zu", reading.error.what,
                               reading.error.offset + 1);
    return 0;
}

/* Writes the parameters with the member `provider`. Returns 0, or the status of a usage error or failure
 * that has been reported. */
static int write_with_provider(const struct cli_args *args, struct cli_reading *reading,
                               struct cli_buf *ret_params)
{
    struct tk_val root = tk_root(&reading->doc);
    struct tk_encoding out;
    struct tk_str text;

    if (!tk_is(root, TK_OBJECT) || tk_exists(tk_get(root, TK_STR("provider"))))
        return cli_usage_error(args->command, "--provider: PARAMS %s",
                               tk_is(root, TK_OBJECT) ? "names one already" : "isn't an object");
    tk_encode_begin(&out, TK_JSON, &reading->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "provider", args->value[CLI_OPT_PROVIDER]);
    for (struct tk_val v = tk_first(root); tk_exists(v); v = tk_after(root, v)) {
        tk_write_key_str(&out.w, tk_key(v, &reading->arena));
        tk_write_raw(&out.w, tk_span(v));
    }
    tk_write_end(&out.w);
    text = tk_encode_end(&out);
    return tk_arena_failed(&reading->arena) || cli_buf_add(ret_params, text.p, text.n) < 0
               ? cli_fail("out of memory")
               : 0;
}

/* Adds --provider to the parameters. Those that can't be read are the daemon's to refuse. */
static int add_provider(const struct cli_args *args, struct cli_buf *params)
{
    struct cli_buf made = {0};
    struct cli_reading reading;
    int r = 0;

    cli_reading_init(&reading);
    if (cli_read_json(&reading, params->n ? cli_buf_str(params) : TK_STR("{}")) == 0) {
        r = write_with_provider(args, &reading, &made);
        cli_buf_done(params);
        *params = made;
    }
    cli_reading_done(&reading);
    return r;
}

int cli_cmd_call(const struct cli_args *args)
{
    struct cli_buf params = {0};
    struct cli_query query = {
        .path = cli_socket_path(args),
        .method = tk_str_of(args->operands[0]),
        .patience_ms = CLI_PATIENCE_MS,
        .total_ms = cli_number(args, CLI_OPT_TIMEOUT_MS, 0),
    };
    int r = 0;

    if (args->operand_count > 1) {
        r = cli_json_argument(args->operands[1], true, &params);
        if (r == 0)
            r = check_params(args, cli_buf_str(&params));
    }
    if (r == 0 && cli_given(args, CLI_OPT_PROVIDER))
        r = add_provider(args, &params);
    query.params = cli_buf_str(&params);
    if (r == 0)
        r = cli_query_print(args, &query);
    cli_buf_done(&params);
    return r;
}
