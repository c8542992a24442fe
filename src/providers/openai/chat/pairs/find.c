/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/common/texts.h"
#include "providers/openai/chat/state.h"

enum {
    ID_MAX = 40,       /* characters of an id at OpenAI */
    ID_OF_MISTRAL = 9, /* letters and digits of an id at Mistral */
};

/* A rule about calls and tool messages. Returns true if the call, or the message, has the fault. */
struct pair_rule {
    uint16_t code;
    bool needs_pairs;
    bool (*call)(const struct tk_judge *j, uint32_t call);
    bool (*result)(const struct tk_judge *j, uint32_t message);
};

/* Adds a finding; a result's provider message is known only where it is that of a call, too. */
static int find(struct tk_judge *j, const struct pair_rule *rule, uint32_t message, uint32_t part)
{
    struct tk_str id =
        part == TK_NONE ? tk_chat_result_id(j->t, message) : tk_chat_call_id(j->t, part);
    int r = part == TK_NONE ? tk_find_message(&j->findings, j->t, rule->code, message)
                            : tk_find_part(&j->findings, j->t, rule->code, part);

    if (r == 0 && rule->code == TK_CODE_CHAT_TOOL_CALL_ID_MISSING && part == TK_NONE)
        j->findings.list[j->findings.count - 1].other_form = true;
    if (r == 0 && rule->code == TK_CODE_CHAT_TOOL_CALL_ID_TOO_LONG)
        r = tk_find_words(&j->findings, j->t,
                          tk_arena_printf(j->t->arena, "%zu", tk_characters(id)),
                          (struct tk_str){0});
    return r;
}

static int judge(struct tk_judge *j, const struct pair_rule *rule)
{
    struct tk_transcript *t = j->t;
    int r = rule->needs_pairs ? tk_chat_find_pairs(j) : 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_message *message = &t->messages[m];
        uint32_t call = TK_NONE;

        if (rule->result && tk_is_tool_message(message) && rule->result(j, m))
            r = find(j, rule, m, TK_NONE);
        if (rule->call && tk_is_assistant(message))
            call = tk_first_call(t, message);
        for (; call != TK_NONE && r == 0; call = tk_next_call(t, call))
            if (rule->call(j, call))
                r = find(j, rule, m, call);
    }
    return r;
}

/* ---- missing ids ---- */

static bool call_lacks_id(const struct tk_judge *j, uint32_t call)
{
    return tk_chat_call_id(j->t, call).n == 0;
}

static bool answer_lacks_id(const struct tk_judge *j, uint32_t message)
{
    return tk_chat_result(j, message)->match == TK_MATCH_PAIR &&
           tk_chat_result_id(j->t, message).n == 0;
}

int tk_chat_find_id_missing(struct tk_judge *j)
{
    static const struct pair_rule rule = {.code = TK_CODE_CHAT_TOOL_CALL_ID_MISSING,
                                          .needs_pairs = true,
                                          .call = call_lacks_id,
                                          .result = answer_lacks_id};

    return tk_chat_saw(j, TK_SEEN_CALL) ? judge(j, &rule) : 0;
}

/* ---- duplicates ---- */

static bool call_repeats_id(const struct tk_judge *j, uint32_t call)
{
    return tk_chat_call(j, call)->first != TK_NONE;
}

static bool result_repeats_id(const struct tk_judge *j, uint32_t message)
{
    const struct tk_link *link = tk_chat_result(j, message);

    return link->first != TK_NONE &&
           (link->match == TK_MATCH_PAIR || link->match == TK_MATCH_SECOND);
}

int tk_chat_find_id_duplicate(struct tk_judge *j)
{
    static const struct pair_rule rule = {.code = TK_CODE_CHAT_TOOL_CALL_ID_DUPLICATE,
                                          .needs_pairs = true,
                                          .call = call_repeats_id,
                                          .result = result_repeats_id};

    return tk_chat_saw(j, TK_SEEN_CALL) ? judge(j, &rule) : 0;
}

/* ---- calls without results, results without calls ---- */

static bool is_stray(const struct tk_judge *j, uint32_t message)
{
    uint8_t match = tk_chat_result(j, message)->match;

    return match == TK_MATCH_STRAY || match == TK_MATCH_CLAIM;
}

int tk_chat_find_strays(struct tk_judge *j)
{
    static const struct pair_rule rule = {
        .code = TK_CODE_CHAT_TOOL_WITHOUT_CALL, .needs_pairs = true, .result = is_stray};

    return tk_chat_saw(j, TK_SEEN_TOOL) ? judge(j, &rule) : 0;
}

static bool is_unanswered(const struct tk_judge *j, uint32_t call)
{
    const struct tk_link *link = tk_chat_call(j, call);

    return link->match == TK_MATCH_OPEN && link->first == TK_NONE;
}

int tk_chat_find_unanswered(struct tk_judge *j)
{
    static const struct pair_rule rules[] = {
        {.code = TK_CODE_CHAT_TOOL_CALLS_UNANSWERED, .needs_pairs = true, .call = is_unanswered},
        {.code = TK_CODE_CHAT_CALL_COUNT_MISMATCH, .needs_pairs = true, .call = is_unanswered}};

    return tk_chat_saw(j, TK_SEEN_CALL) ? judge(j, &rules[tk_chat_is(j, TK_OPENAI_MISTRAL)]) : 0;
}

/* ---- ids that a server refuses ---- */

static bool is_long(struct tk_str id)
{
    return id.n > ID_MAX && tk_characters(id) > ID_MAX;
}

static bool call_is_long(const struct tk_judge *j, uint32_t call)
{
    return is_long(tk_chat_call_id(j->t, call));
}

static bool result_is_long(const struct tk_judge *j, uint32_t message)
{
    return is_long(tk_chat_result_id(j->t, message));
}

int tk_chat_find_long_ids(struct tk_judge *j)
{
    static const struct pair_rule rule = {
        .code = TK_CODE_CHAT_TOOL_CALL_ID_TOO_LONG, .call = call_is_long, .result = result_is_long};

    return tk_chat_is(j, TK_OPENAI_OWN) && tk_chat_saw(j, TK_SEEN_CALL | TK_SEEN_TOOL)
               ? judge(j, &rule)
               : 0;
}

static bool is_foreign(struct tk_str id)
{
    size_t i = 0;

    while (i < id.n && ((id.p[i] >= '0' && id.p[i] <= '9') || (id.p[i] >= 'a' && id.p[i] <= 'z') ||
                        (id.p[i] >= 'A' && id.p[i] <= 'Z')))
        i++;
    return id.n > 0 && (i < id.n || id.n != ID_OF_MISTRAL);
}

static bool call_is_foreign(const struct tk_judge *j, uint32_t call)
{
    return is_foreign(tk_chat_call_id(j->t, call));
}

static bool result_is_foreign(const struct tk_judge *j, uint32_t message)
{
    return is_foreign(tk_chat_result_id(j->t, message));
}

int tk_chat_find_id_pattern(struct tk_judge *j)
{
    static const struct pair_rule rule = {.code = TK_CODE_CHAT_TOOL_CALL_ID_PATTERN,
                                          .call = call_is_foreign,
                                          .result = result_is_foreign};

    return tk_chat_is(j, TK_OPENAI_MISTRAL) ? judge(j, &rule) : 0;
}
