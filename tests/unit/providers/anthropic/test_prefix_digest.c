/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prefix of a turn (OPERATIONS.md C.1, C.6): digests against canonical forms that were written
 * by hand and are hashed here; and what seals that come back say of another conversation.
 */
#include "../../calls.h"
#include "../../tap.h"

#include <nettle/sha2.h>
#include <stdio.h>

#define ASK   "{\"role\":\"user\",\"content\":\"q\"}"
#define ASKED "[s4:user[{s4:texts1:qs4:types4:text}]{}]"
#define SAID  "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}"
#define SAYS  "[s9:assistant[{s4:texts1:as4:types4:text}]{}]"
#define LATE  "{\"name\":\"late\",\"defer_loading\":true}"
#define TOOL  "{\"name\":\"f\"}"

/* A request, and the canonical forms of its prefix; messages NULL: indeterminate. */
static const struct {
    const char *why, *request, *system, *tools, *messages;
} requests[] = {
    {"nothing", "{\"messages\":[]}", "[]", "[]", "[]"},
    {"a string is one block", "{\"system\":\"s\",\"messages\":[" ASK "]}",
     "[{s4:texts1:ss4:types4:text}]", "[]", "[" ASKED "]"},
    {"an empty string is none", "{\"system\":\"\",\"messages\":[" ASK "]}", "[]", "[]",
     "[" ASKED "]"},
    {"system blocks lose their markers (P5)",
     "{\"system\":[{\"type\":\"text\",\"text\":\"s\",\"cache_control\":{\"type\":\"ephemeral\"}}],"
     "\"messages\":[" ASK "]}",
     "[{s4:texts1:ss4:types4:text}]", "[]", "[" ASKED "]"},
    {"other parameters don't count (P5)", "{\"max_tokens\":5,\"messages\":[" ASK "]}", "[]", "[]",
     "[" ASKED "]"},
    {"tools lose their own marker alone",
     "{\"tools\":[{\"name\":\"f\",\"cache_control\":{},\"input_schema\":{\"cache_control\":1}}],"
     "\"messages\":[]}",
     "[]", "[{s12:input_schema{s13:cache_controli1;}s4:names1:f}]", "[]"},
    {"a deferred tool that nothing mentions (P4)",
     "{\"tools\":[" TOOL "," LATE "],\"messages\":[" ASK "]}", "[]", "[{s4:names1:f}]",
     "[" ASKED "]"},
    {"a deferred tool that a call mentions",
     "{\"tools\":[" LATE "],\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_"
     "use\","
     "\"id\":\"t\",\"name\":\"late\",\"input\":{}}]}]}",
     "[]", "[{s13:defer_loadingts4:names4:late}]",
     "[[s9:assistant[{s2:ids1:ts5:input{}s4:names4:lates4:types8:tool_use}]{}]]"},
    {"neighbours of one role are one, blank strings none",
     "{\"messages\":[" ASK ",{\"role\":\"user\",\"content\":\"\"},"
     "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]}," SAID "]}",
     "[]", "[]", "[[s4:user[{s4:texts1:qs4:types4:text}{s4:texts1:rs4:types4:text}]{}]" SAYS "]"},
    {"other members keep a message apart",
     "{\"messages\":[" ASK ",{\"role\":\"user\",\"content\":[],\"clear_at\":1}," ASK "]}", "[]",
     "[]", "[" ASKED "[s4:user[]{s8:clear_ati1;}]" ASKED "]"},
    {"but not those that the provider takes from nobody",
     "{\"messages\":[" ASK ",{\"role\":\"user\",\"content\":[],\"id\":1}," SAID "]}", "[]", "[]",
     "[[s4:user[{s4:texts1:qs4:types4:text}]{}]" SAYS "]"},
    {"thinking is left out, and a message of nothing else (P6)",
     "{\"messages\":[" ASK ",{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
     "\"thinking\":\"t\",\"signature\":\"s\"}]}," ASK "]}",
     "[]", "[]", "[[s4:user[{s4:texts1:qs4:types4:text}{s4:texts1:qs4:types4:text}]{}]]"},
    {"an address that the provider fetched (P7)",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":"
     "\"url\",\"url\":\"u\"}}]}]}",
     "[]", "[]", NULL},
    {"what stands before the newest compaction block doesn't count (P8)",
     "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"document\",\"source\":{\"type\":"
     "\"url\",\"url\":\"u\"}}]},{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
     "\"b\"},{\"type\":\"compaction\",\"content\":\"c\"},{\"type\":\"text\",\"text\":\"a\"}]}," ASK
     "]}",
     "[]", "[]",
     "[[s9:assistant[{s7:contents1:cs4:types10:compaction}{s4:texts1:as4:types4:text}]{}]" ASKED
     "]"},
};

/* turnkeeper.TAG.v1, a zero byte and the form. */
static void hash(const char *tag, const char *canonical, char hex[65])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;
    char head[64];
    int n = snprintf(head, sizeof(head), "turnkeeper.%s.v1", tag) + 1;

    sha256_init(&ctx);
    sha256_update(&ctx, (size_t)n, (const uint8_t *)head);
    sha256_update(&ctx, strlen(canonical), (const uint8_t *)canonical);
    sha256_digest(&ctx, sizeof(digest), digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static struct tk_val call(struct caller *c, const char *request, bool *ret_failed)
{
    caller_forget(c);
    return caller_call(c, tk_str_of(request), ret_failed);
}

static void check(struct tk_val prefix, const char *member, const char *canonical, const char *why)
{
    char hex[65] = "indeterminate";
    bool same;

    if (canonical)
        hash(member, canonical, hex);
    same = tk_text_is(tk_get(prefix, tk_str_of(member)), tk_str_of(hex));
    if (!same)
        printf("# %s: %s\n", why, member);
    CU_ASSERT(same);
}

static void test_digests(void)
{
    struct caller c;

    CU_ASSERT_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        char text[2048];
        bool failed = true;
        struct tk_val prefix;

        snprintf(text, sizeof(text),
                 "{\"id\":1,\"method\":\"seal\",\"params\":{\"content\":\"a\",\"request\":%s}}",
                 requests[i].request);
        prefix = tk_get(tk_get(call(&c, text, &failed), TK_STR("seal")), TK_STR("prefix"));
        CU_ASSERT_FALSE(failed);
        check(prefix, "system", requests[i].system, requests[i].why);
        check(prefix, "tools", requests[i].tools, requests[i].why);
        check(prefix, "messages", requests[i].messages, requests[i].why);
    }
    caller_done(&c);
}

/* ---- seals that are wrong, and where ---- */

#define DIGEST "aee26b40d1cb9857df6933772bdaa163190f8f297e136e70405e2a0e25a5e84f"
#define EMPTY  "3f3490b5f6111a51ac348b30496e8f40a88eefce66351c8147d4fdc45044e23d"

static const struct {
    const char *seals, *error, *pointer;
} wrong[] = {
    {"5", "invalid_params", "/params/seals"},
    {"[5]", "invalid_params", "/params/seals/0"},
    {"[{}]", "invalid_params", "/params/seals/0/seal"},
    {"[{\"seal\":[]}]", "invalid_params", "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":\"1\",\"alg\":\"sha256\",\"turn\":\"\",\"blocks\":[]}}]", "invalid_params",
     "/params/seals/0/seal/v"},
    {"[{\"seal\":{\"v\":1,\"turn\":\"\",\"blocks\":[]}}]", "invalid_params",
     "/params/seals/0/seal/alg"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":7,\"blocks\":[]}}]", "invalid_params",
     "/params/seals/0/seal/turn"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"\",\"blocks\":[5]}}]", "invalid_params",
     "/params/seals/0/seal/blocks/0"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"\",\"blocks\":[{\"type\":\"text\","
     "\"digest\":5}]}}]",
     "invalid_params", "/params/seals/0/seal/blocks/0"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"\",\"blocks\":[{\"type\":\"tool_use\","
     "\"digest\":\"" DIGEST "\",\"id\":null}]}}]",
     "invalid_params", "/params/seals/0/seal/blocks/0"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[],\"prefix\":"
     "{\"system\":5}}}]",
     "invalid_params", "/params/seals/0/seal/prefix/system"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[],\"prefix\":"
     "{\"thinking\":[5]}}}]",
     "invalid_params", "/params/seals/0/seal/prefix/thinking/0"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[]},"
     "\"message_index\":-1}]",
     "invalid_params", "/params/seals/0/message_index"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[]},"
     "\"restore\":1}]",
     "invalid_params", "/params/seals/0/restore"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[]},\"x\":1}]",
     "invalid_params", "/params/seals/0/x"},
    {"[{\"seal\":{\"v\":2,\"alg\":\"sha256\",\"turn\":\"\",\"blocks\":[]}}]", "seal_unsupported",
     "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"md5\",\"turn\":\"\",\"blocks\":[]}}]", "seal_unsupported",
     "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" DIGEST "\",\"blocks\":[]}}]",
     "seal_invalid", "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[],\"content\":"
     "[{\"type\":\"text\",\"text\":\"a\"}]}}]",
     "seal_invalid", "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[],\"prefix\":"
     "{\"messages\":\"zz\"}}}]",
     "seal_invalid", "/params/seals/0/seal"},
    {"[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"" EMPTY "\",\"blocks\":[]}},"
     "{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":\"A\",\"blocks\":[]}}]",
     "seal_invalid", "/params/seals/1/seal"},
};

static void test_wrong_seals(void)
{
    struct caller c;

    CU_ASSERT_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char text[2048];
        bool failed = false, same;
        struct tk_val data;

        snprintf(text, sizeof(text),
                 "{\"id\":1,\"method\":\"repair\",\"params\":{\"messages\":[],\"seals\":%s}}",
                 wrong[i].seals);
        data = tk_get(call(&c, text, &failed), TK_STR("data"));
        same = failed && tk_text_is(tk_get(data, TK_STR("name")), tk_str_of(wrong[i].error)) &&
               tk_text_is(tk_get(data, TK_STR("pointer")), tk_str_of(wrong[i].pointer));
        if (!same)
            printf("# %s\n", wrong[i].seals);
        CU_ASSERT(same);
    }
    caller_done(&c);
}

TAP_MAIN("prefix", TAP_TEST(test_digests), TAP_TEST(test_wrong_seals))
