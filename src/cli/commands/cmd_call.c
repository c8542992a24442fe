/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper call: sends any method with its parameters unchanged. */
#include "cli/args/request.h"
#include "cli/commands/query.h"

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
    query.params = cli_buf_str(&params);
    if (r == 0)
        r = cli_query_print(args, &query);
    cli_buf_done(&params);
    return r;
}
