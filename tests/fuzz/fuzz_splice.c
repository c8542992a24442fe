/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the parameters of splice. Whatever they are: there is an answer; a patch only adds
 * to the messages, replaces them or sets the container; a list of messages begins with the history,
 * byte for byte, unless a compaction turn replaced it.
 */
#include "operation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The history that was sent. */
static struct tk_val history_of(const struct operation *op)
{
    static const char *const names[] = {"messages", "history"};

    for (size_t i = 0; i < 2; i++)
        if (tk_exists(operation_param(op, names[i])))
            return operation_param(op, names[i]);
    return tk_get(operation_param(op, "request"), TK_STR("messages"));
}

static void check_history(const struct operation *op)
{
    struct tk_val history = history_of(op), messages = operation_result(op, "messages");
    struct tk_val got = tk_first(messages);
    bool replaced =
        tk_text_is(tk_get(operation_param(op, "options"), TK_STR("compaction")), TK_STR("replace"));

    if (!tk_exists(messages) || replaced)
        return;
    for (struct tk_val v = tk_first(history); tk_exists(v); v = tk_after(history, v)) {
        MUST(tk_exists(got) && tk_str_eq(tk_span(v), tk_span(got)));
        got = tk_after(messages, got);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const paths[] = {"/messages", "/container", NULL};
    struct operation op;

    operation_call(&op, "splice", data, size);
    check_patch(&op, paths);
    check_notes(&op);
    check_history(&op);
    operation_done(&op);
    return 0;
}
