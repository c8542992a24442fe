/* SPDX-License-Identifier: Apache-2.0 */
#include "openai_histories.h"

#include "engine/edit/emit.h"
#include "shapes/read.h"

#include <CUnit/CUnit.h>

void openai_open(struct openai_history *h, const struct tk_provider *provider, enum tk_codec codec,
                 const char *list)
{
    struct tk_str bytes = tk_str_of(list);
    struct tk_judge *j = &h->repair.judge;

    reading_init(&h->reading);
    if (codec == TK_MSGPACK)
        bytes = as_msgpack(list, &h->reading.arena);
    CU_ASSERT_EQUAL_FATAL(codec == TK_JSON ? reading_json(&h->reading, bytes)
                                           : reading_msgpack(&h->reading, bytes),
                          0);
    CU_ASSERT_EQUAL_FATAL(tk_transcript_read(&h->t, tk_root(&h->reading.doc),
                                             provider->rules.shapes[0], &h->reading.arena,
                                             h->reading.limits.hash_key),
                          0);
    CU_ASSERT_EQUAL_FATAL(tk_judge_init(j, &h->t, &provider->rules, &tk_policy_conservative), 0);
    CU_ASSERT_EQUAL_FATAL(tk_judge_begin(j), 0);
}

void openai_close(struct openai_history *h)
{
    CU_ASSERT(reading_done(&h->reading));
}

const char *openai_repaired(struct openai_history *h)
{
    struct tk_encoding out;

    CU_ASSERT_EQUAL_FATAL(tk_repair(&h->repair, false), 0);
    tk_encode_begin(&out, (enum tk_codec)h->reading.doc.codec, &h->reading.arena);
    tk_emit_list(&out.w, &h->t);
    return as_json(tk_encode_end(&out), &h->reading.arena);
}

void openai_expect(const struct tk_provider *provider, const char *list, bool stored,
                   openai_told *told, const char *wanted)
{
    static const enum tk_codec codecs[] = {TK_JSON, TK_MSGPACK};

    for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++) {
        struct openai_history h;
        struct tk_str found;

        openai_open(&h, provider, codecs[i], list);
        found = told(&h, stored);
        if (!tk_str_is(found, wanted))
            printf("# %s\n# %.*s, not %s\n", list, (int)found.n, found.n > 0 ? found.p : "",
                   wanted);
        CU_ASSERT(tk_str_is(found, wanted));
        openai_close(&h);
    }
}
