/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/fault.h"

#include <string.h>

struct tk_str cli_error_name(enum tk_error_id id)
{
    return tk_str_of(tk_errors[id].name);
}

struct cli_fault cli_fault_read(const struct cli_reading *reading, int result)
{
    static const enum tk_error_id ids[] = {
        [TK_READ_PARSE_ERROR] = TK_ERR_PARSE_ERROR,
        [TK_READ_CODEC_UNKNOWN] = TK_ERR_CODEC_UNKNOWN,
        [TK_READ_DUPLICATE_KEY] = TK_ERR_DUPLICATE_KEY,
        [TK_READ_TOO_DEEP] = TK_ERR_TOO_DEEP,
        [TK_READ_TOO_MANY_VALUES] = TK_ERR_TOO_MANY_VALUES,
        [TK_READ_TRAILING_BYTES] = TK_ERR_TRAILING_BYTES,
    };

    return (struct cli_fault){.name = cli_error_name(ids[result]),
                              .text = tk_str_of(reading->error.what),
                              .pointer = reading->error.pointer,
                              .has_offset = true,
                              .offset = reading->error.offset};
}

/* Returns "/params/request/messages/0" and "/params/messages/0" as a place in the document; `.p ==
 * NULL` if the pointer is elsewhere. A list counts as the member of a body that has its name. */
static struct tk_str place_in_document(struct tk_str pointer, const struct cli_question *asked,
                                       struct tk_arena *arena)
{
    static const struct tk_str params = TK_STR_INIT("/params/");
    size_t n = strlen(asked->param), under = params.n + n;
    size_t skip = asked->is_object ? under : params.n - 1;

    if (!tk_str_starts(pointer, params) || pointer.n < under ||
        memcmp(pointer.p + params.n, asked->param, n) != 0 ||
        (pointer.n > under && pointer.p[under] != '/'))
        return (struct tk_str){NULL, 0};
    if (!asked->is_object && asked->root.p)
        return tk_arena_concat(
            arena, (struct tk_str[]){asked->root, {pointer.p + under, pointer.n - under}}, 2);
    return (struct tk_str){pointer.p + skip, pointer.n - skip};
}

struct cli_fault cli_fault_answered(struct cli_reply *reply, const struct cli_question *asked,
                                    struct tk_str *ret_pointer)
{
    struct tk_arena *arena = &reply->reading.arena;
    struct tk_val data = tk_get(reply->error, TK_STR("data"));
    struct cli_fault fault = {.name = tk_text(tk_get(data, TK_STR("name")), arena),
                              .text = tk_text(tk_get(reply->error, TK_STR("message")), arena)};
    int64_t n;

    *ret_pointer = tk_text(tk_get(data, TK_STR("pointer")), arena);
    fault.pointer = place_in_document(*ret_pointer, asked, arena);
    if (tk_int64(tk_get(data, TK_STR("offset")), &n) && n >= (int64_t)asked->head) {
        fault.has_offset = true;
        fault.offset = (size_t)n - asked->head;
    }
    if (tk_int64(tk_get(data, TK_STR("limit")), &n))
        fault.text = tk_arena_printf(arena, "%.*s (limit %lld)", (int)fault.text.n, fault.text.p,
                                     (long long)n);
    return fault;
}
