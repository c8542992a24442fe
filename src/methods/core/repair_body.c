/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A body in, the repaired body out, for programs that don't want to write a request and read an
 * answer: the splices of `repair` are applied to the body's bytes.
 */
#include "methods/core/core.h"

#include <errno.h>
#include <stdint.h>

#define HEAD   "{\"id\":1,\"method\":\"repair\",\"params\":{\"return\":\"splices\","
#define MEMBER "\"request\":"
#define TAIL   "}}"

/* Nesting of an answer: of its own making, but for the id. */
#define ANSWER_DEPTH 64

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct tk_str trimmed(struct tk_str s)
{
    while (s.n > 0 && is_space(s.p[s.n - 1]))
        s.n--;
    while (s.n > 0 && is_space(*s.p)) {
        s.p++;
        s.n--;
    }
    return s;
}

/* Takes the members out of an object's text. Returns 0, or -EINVAL if it isn't one. */
static int members_of(const char *params, struct tk_str *ret)
{
    struct tk_str text = trimmed(tk_str_of(params ? params : "{}"));

    if (text.n < 2 || text.p[0] != '{' || text.p[text.n - 1] != '}')
        return -EINVAL;
    *ret = trimmed((struct tk_str){text.p + 1, text.n - 2});
    return 0;
}

static char *put(char *at, struct tk_str s)
{
    memcpy(at, s.p, s.n);
    return at + s.n;
}

/*
 * Makes the request in memory of its own. Returns it, `.p == NULL` without memory; *ret_body is where
 * the body is in it.
 */
static struct tk_str make_request(tk_core *core, struct tk_str members, struct tk_str body,
                                  struct tk_str *ret_body)
{
    const struct tk_str head = TK_STR(HEAD), member = TK_STR(MEMBER), tail = TK_STR(TAIL);
    size_t size = head.n + members.n + 1 + member.n + body.n + tail.n;
    char *p = core->allocator.resize(core->allocator.opaque, NULL, 0, size), *at = p;

    if (!p)
        return (struct tk_str){NULL, 0};
    at = put(at, head);
    at = put(at, members);
    *at++ = members.n > 0 ? ',' : ' ';
    at = put(at, member);
    *ret_body = (struct tk_str){at, body.n};
    put(put(at, body), tail);
    return (struct tk_str){p, size};
}

/* Returns the body with [[offset, size, text], ...] applied; `.p == NULL` without memory. */
static struct tk_str spliced(struct tk_str body, struct tk_val splices, struct tk_arena *arena)
{
    struct tk_out out;
    size_t done = 0;

    tk_out_init(&out, arena);
    for (struct tk_val s = tk_first(splices); tk_exists(s); s = tk_after(splices, s)) {
        struct tk_val size = tk_after(s, tk_first(s));
        int64_t from = 0, replaced = 0;

        tk_int64(tk_first(s), &from);
        tk_int64(size, &replaced);
        tk_out_ref(&out, (struct tk_str){body.p + done, (size_t)from - done});
        tk_out_ref(&out, tk_text(tk_after(s, size), arena));
        done = (size_t)(from + replaced);
    }
    tk_out_ref(&out, (struct tk_str){body.p + done, body.n - done});
    return tk_out_join(&out);
}

/* Makes the body of a reply that is a result. Returns 0 or -ENOMEM. */
static int make_body(tk_reply *reply, struct tk_str body)
{
    tk_core *core = reply->core;
    struct tk_read_limits limits = core->limits;
    struct tk_read_error error;
    struct tk_str answer = tk_out_join(&reply->out);
    struct tk_val splices;
    int r = -ENOMEM;

    limits.max_depth = ANSWER_DEPTH;
    limits.max_values = UINT32_MAX;
    if (answer.p)
        r = tk_json_read(&core->doc, answer.p, answer.n, &limits, &reply->arena, &error);
    if (r == 0) {
        splices = tk_get(tk_get(tk_root(&core->doc), TK_STR("result")), TK_STR("splices"));
        reply->body = tk_exists(splices) ? spliced(body, splices, &reply->arena) : body;
    }
    tk_core_trim(core);
    return reply->body.p ? 0 : -ENOMEM;
}

int tk_repair_body(tk_core *core, const void *body, size_t size, const char *params,
                   const tk_call_options *options, tk_reply **ret_reply)
{
    struct tk_str members, inside, request;
    tk_reply *reply;
    int r = members_of(params, &members);

    if (r < 0)
        return r;
    request = make_request(core, members, (struct tk_str){body, size}, &inside);
    if (!request.p)
        return -ENOMEM;
    r = tk_call_with_body(core, request, trimmed(inside), options, &reply);
    if (r < 0) {
        core->allocator.resize(core->allocator.opaque, (void *)(uintptr_t)request.p, request.n, 0);
        return r;
    }
    reply->owned = request;
    if (!reply->info.error)
        r = make_body(reply, inside);
    if (r < 0)
        tk_reply_free(reply);
    else
        *ret_reply = reply;
    return r;
}
