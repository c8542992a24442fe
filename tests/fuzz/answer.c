/* SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

/* Answers are deeper and larger than their requests: they wrap them, and list what is wrong. */
static const struct tk_read_limits answer_limits = {512, UINT32_MAX, {1, 2}};
static const struct tk_read_limits request_limits = {256, 1024 * 1024, {3, 4}};

struct tk_str answer_bytes(const tk_reply *reply, struct tk_arena *arena)
{
    size_t n, at = 0;
    const struct iovec *iov = tk_reply_iov(reply, &n);
    char *bytes = tk_arena_alloc(arena, tk_reply_size(reply));

    MUST(bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(bytes + at, iov[i].iov_base, iov[i].iov_len);
        at += iov[i].iov_len;
    }
    MUST(at == tk_reply_size(reply));
    return (struct tk_str){bytes, at};
}

static void check_error(struct tk_val error, const char *name, struct tk_arena *arena)
{
    struct tk_val data = tk_get(error, TK_STR("data"));
    struct tk_val pointer = tk_get(data, TK_STR("pointer"));
    struct tk_val retryable = tk_get(data, TK_STR("retryable"));
    int64_t code;

    MUST(tk_int64(tk_get(error, TK_STR("code")), &code) && code < 0);
    MUST(tk_is(tk_get(error, TK_STR("message")), TK_STRING));
    MUST(tk_text_is(tk_get(data, TK_STR("name")), tk_str_of(name)));
    MUST(tk_is(retryable, TK_FALSE) || tk_is(retryable, TK_TRUE));
    MUST(!tk_exists(pointer) || tk_text(pointer, arena).n == 0 ||
         tk_text(pointer, arena).p[0] == '/');
    if (code == -32700)
        MUST(tk_is(tk_get(data, TK_STR("offset")), TK_INT));
    MUST(strcmp(name, "internal") != 0);
}

/* Byte for byte, where the request had one that could be read; else null. */
static void check_id(struct tk_val id, const struct tk_doc *request, const char *error)
{
    bool unread = error && (!strcmp(error, "invalid_request") || request->count == 0);

    if (unread)
        MUST(tk_is(id, TK_NULL));
    else
        MUST(tk_str_eq(tk_span(id), tk_span(tk_get(tk_root(request), TK_STR("id")))));
}

static void check_members(const tk_reply *reply, const struct tk_doc *request,
                          const struct tk_doc *answer, struct tk_arena *arena)
{
    const tk_reply_info *info = tk_reply_get_info(reply);
    struct tk_val root = tk_root(answer);

    MUST(tk_is(root, TK_OBJECT) && tk_count(root) == 3);
    MUST(tk_text_is(tk_get(root, TK_STR("jsonrpc")), TK_STR("2.0")));
    MUST(tk_exists(tk_get(root, TK_STR("result"))) == !info->error);
    check_id(tk_get(root, TK_STR("id")), request, info->error);
    if (info->error)
        check_error(tk_get(root, TK_STR("error")), info->error, arena);
}

void read_answer(const tk_reply *reply, const void *data, size_t size, struct tk_doc *request,
                 struct tk_doc *answer, struct tk_arena *arena)
{
    struct tk_str bytes = answer_bytes(reply, arena);
    struct tk_read_error error;
    enum tk_codec codec = TK_JSON;

    (void)tk_codec_of(data, size, &codec);
    MUST(tk_doc_read(request, data, size, &request_limits, arena, &error) >= 0);
    MUST(tk_doc_read(answer, bytes.p, bytes.n, &answer_limits, arena, &error) == 0);
    MUST(answer->codec == codec);
    check_members(reply, request, answer, arena);
}

void check_answer(const tk_reply *reply, const void *data, size_t size, struct tk_arena *arena)
{
    struct tk_doc request, answer;

    tk_doc_init(&request, tk_libc_allocator);
    tk_doc_init(&answer, tk_libc_allocator);
    read_answer(reply, data, size, &request, &answer, arena);
    tk_doc_done(&request);
    tk_doc_done(&answer);
}
