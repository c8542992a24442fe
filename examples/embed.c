/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairs the body of a request to a provider without any daemon: of a body whose web search never
 * got a result it prints what can be sent. It is C and C++.
 *
 *     cc embed.c $(pkg-config --cflags --libs turnkeeper) -o embed
 */
#include <stdio.h>

#include "turnkeeper/turnkeeper.h"

static const char example[] =
    "{\"model\":\"claude-sonnet-4-5\",\"max_tokens\":1024,\"messages\":["
    "{\"role\":\"user\",\"content\":\"What is new?\"},"
    "{\"role\":\"assistant\",\"content\":["
    "{\"type\":\"text\",\"text\":\"Let me look.\"},"
    "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\","
    "\"input\":{\"query\":\"news\"}}]},"
    "{\"role\":\"user\",\"content\":\"And?\"}]}";

/* Prints the repaired body, or why there is none. Returns the exit status. */
static int print_reply(const tk_reply *reply)
{
    const tk_error *error = tk_reply_error(reply);
    const void *body;
    size_t size;

    if (error) {
        fprintf(stderr, "%s: %s\n", error->name, error->message);
        return 1;
    }
    body = tk_reply_body(reply, &size);
    return fwrite(body, 1, size, stdout) == size && putchar('\n') != EOF ? 0 : 1;
}

int main(void)
{
    tk_options options = TK_OPTIONS_INIT;
    tk_call_options call_options = TK_CALL_OPTIONS_INIT;
    tk_deadline deadline = TK_DEADLINE_INIT;
    tk_reply *reply = NULL;
    int exit_code = 1;
    tk_core *core;

    options.max_depth = 64;
    core = tk_core_new(&options);
    if (core == NULL)
        return 1;
    call_options.cancelled = tk_deadline_passed;
    call_options.opaque = &deadline;
    tk_deadline_start(&deadline, 2000);
    if (tk_repair_body(core, example, sizeof(example) - 1, "{\"provider\":\"anthropic\"}",
                       &call_options, &reply) == 0)
        exit_code = print_reply(reply);
    tk_reply_free(reply); /* before the core it came from */
    tk_core_free(core);
    return exit_code;
}
