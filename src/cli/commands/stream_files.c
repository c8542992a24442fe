/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/stream_files.h"

#include "providers/registry.h"

#include <errno.h>
#include <string.h>

/* Returns true unless the provider is the default one, whose streams have a message and its seal instead
 * of a `turn`. A provider that isn't known is refused later. */
static bool may_have_turn(const struct cli_args *args)
{
    const char *name = args->value[CLI_OPT_PROVIDER];

    return name && cli_provider(name) != tk_providers[0];
}

static int open_one(const struct cli_args *args, enum cli_option_id option, struct cli_output *ret)
{
    const char *name = args->value[option];
    int r;

    if (!name)
        return 0;
    if (strcmp(name, "-") == 0)
        return cli_usage_error(args->command, "--%s needs a file, stdout has the stream",
                               cli_options[option].name);
    r = cli_output_open(ret, name);
    return r < 0 ? cli_fail("%s: %s", name, strerror(-r)) : 0;
}

int cli_stream_files_open(struct cli_stream_files *files, const struct cli_args *args)
{
    int status;

    *files = (struct cli_stream_files){.message = {0}};
    if (cli_given(args, CLI_OPT_TURN) && !may_have_turn(args))
        return cli_usage_error(args->command, "--turn: this provider's streams have none, "
                                              "--message writes the message");
    status = open_one(args, CLI_OPT_MESSAGE, &files->message);
    return status ? status : open_one(args, CLI_OPT_TURN, &files->turn);
}

static int write_one(struct cli_output *out, struct tk_val value)
{
    int r;

    if (!out->file)
        return 0;
    if (!tk_exists(value))
        return cli_fail("%s: the answer has no such member; left as it is", out->name);
    r = cli_output_put(out, tk_span(value));
    if (r == 0)
        r = cli_output_put(out, TK_STR("\n"));
    if (r == 0)
        r = cli_output_commit(out);
    if (r == -ESTALE)
        return cli_fail("%s: changed meanwhile; left as it is", out->name);
    return r < 0 ? cli_fail("%s: %s", out->name, strerror(-r)) : 0;
}

/* Returns the message of a stream that is done; where it isn't one, such as the items of a response,
 * the list of what can be stored. */
static struct tk_val message_of(struct tk_val result)
{
    struct tk_val message = tk_get(result, TK_STR("message"));
    struct tk_val entries = tk_get(tk_get(result, TK_STR("turn")), TK_STR("entries"));

    return tk_is(message, TK_NULL) && tk_exists(entries) ? entries : message;
}

int cli_stream_files_write(struct cli_stream_files *files, struct tk_val result, bool done)
{
    int failed = write_one(&files->turn, tk_get(result, TK_STR("turn")));

    if (!failed && done)
        failed = write_one(&files->message, message_of(result));
    return failed;
}

void cli_stream_files_abort(struct cli_stream_files *files)
{
    cli_output_abort(&files->message);
    cli_output_abort(&files->turn);
}
