/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a request, all in one core, as a worker sees them. Whatever they are: there is an
 * answer, it is a document in the right codec that our own reader takes, it has the members that
 * an answer has, and the id of its request.
 */
#include "answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tk_core *core;
    tk_reply *reply = NULL;
    struct tk_arena arena;

    if (!core)
        core = tk_core_new(
            &(tk_options){.size = sizeof(tk_options), .hash_key = {1, 2}}); /* redact needs a key */
    MUST(core);
    tk_arena_init(&arena, tk_libc_allocator);
    MUST(tk_call(core, NULL, data, size, NULL, &reply) == 0);
    if (tk_reply_get_info(reply)->notification)
        MUST(tk_reply_size(reply) == 0);
    else
        check_answer(reply, data, size, &arena);
    tk_reply_free(reply);
    tk_arena_done(&arena);
    return 0;
}
