/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request through libturnkeeper without any daemon: repairs a history whose web search never
 * got a result, prints the answer.
 *
 *     cc embed.c $(pkg-config --cflags --libs turnkeeper) -o embed
 */
#include <stdio.h>
#include <string.h>

#include "turnkeeper/turnkeeper.h"

static const char request[] =
    "{\"id\":1,\"method\":\"repair\",\"params\":{\"messages\":["
    "{\"role\":\"user\",\"content\":\"What is new?\"},"
    "{\"role\":\"assistant\",\"content\":["
    "{\"type\":\"text\",\"text\":\"Let me look.\"},"
    "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\","
    "\"input\":{\"query\":\"news\"}}]},"
    "{\"role\":\"user\",\"content\":\"And?\"}]}}";

static void print_reply(const tk_reply *reply)
{
    size_t n;
    const struct iovec *iov = tk_reply_iov(reply, &n);

    for (size_t i = 0; i < n; i++)
        fwrite(iov[i].iov_base, 1, iov[i].iov_len, stdout);
    putchar('\n');
}

int main(void)
{
    tk_reply *reply = NULL;
    int exit_code = 1;
    tk_core *core = tk_core_new(NULL);

    if (core == NULL)
        return 1;
    if (tk_call(core, NULL, request, strlen(request), NULL, &reply) == 0) {
        print_reply(reply);
        exit_code = tk_reply_get_info(reply).error != NULL;
    }
    tk_reply_free(reply); /* before the core it came from */
    tk_core_free(core);
    return exit_code;
}
