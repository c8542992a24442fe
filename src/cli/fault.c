/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fault.h"

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

    return (struct cli_fault){cli_error_name(ids[result]), tk_str_of(reading->error.what),
                              reading->error.pointer, true, reading->error.offset};
}

bool cli_fault_of_document(struct tk_str pointer, struct tk_str *ret_place)
{
    static const struct {
        struct tk_str under;
        size_t skip;
    } roots[] = {
        {{"/params/request", 15}, 15},
        {{"/params/messages", 16}, 7},
        {{"/params/tools", 13}, 7},
    };

    for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
        if (tk_str_starts(pointer, roots[i].under) &&
            (pointer.n == roots[i].under.n || pointer.p[roots[i].under.n] == '/')) {
            *ret_place = (struct tk_str){pointer.p + roots[i].skip, pointer.n - roots[i].skip};
            return true;
        }
    return false;
}

struct cli_fault cli_fault_answered(struct cli_reply *reply, size_t head,
                                    struct tk_str *ret_pointer)
{
    struct tk_arena *arena = &reply->reading.arena;
    struct tk_val data = tk_get(reply->error, TK_STR("data"));
    struct cli_fault fault = {.name = tk_text(tk_get(data, TK_STR("name")), arena),
                              .text = tk_text(tk_get(reply->error, TK_STR("message")), arena)};
    int64_t n;

    *ret_pointer = tk_text(tk_get(data, TK_STR("pointer")), arena);
    cli_fault_of_document(*ret_pointer, &fault.pointer);
    if (tk_int64(tk_get(data, TK_STR("offset")), &n) && n >= (int64_t)head) {
        fault.has_offset = true;
        fault.offset = (size_t)n - head;
    }
    if (tk_int64(tk_get(data, TK_STR("limit")), &n))
        fault.text = tk_arena_printf(arena, "%.*s (limit %lld)", (int)fault.text.n, fault.text.p,
                                     (long long)n);
    return fault;
}
