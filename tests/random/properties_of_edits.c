/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of edits: which ones are allowed, and what the report says of them. */
#include "repair_properties.h"

static const struct view_part *part_of(struct trial *t, struct tk_val edit)
{
    struct place at = place_of(t, in(edit, "pointer"));

    return view_part(&t->sent, at.message, at.part);
}

/* ---- places ---- */

static struct tk_str edits_have_places(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));
        const struct view_part *p = part_of(t, e);
        struct tk_str id = tk_text(in(e, "id"), &t->arena);

        if (at.message < 0 || at.message >= t->sent.count)
            return broken(t, "%.*s leads nowhere", SHOW(shown(e)));
        if (id.p && (!p || !p->id.p || !tk_str_eq(id, p->id)))
            return broken(t, "%.*s isn't there", SHOW(shown(e)));
        if (at.part > 0 && !p)
            return broken(t, "%.*s leads to no part", SHOW(shown(e)));
    }
    return HOLDS;
}

/* ---- stats ---- */

/* Returns true if one of several parts went, whose kind isn't known here. */
static bool has_split_and_gone(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if ((is_action(e, "drop") || is_action(e, "textify") || is_action(e, "demote")) &&
            is_of_several(t, e))
            return true;
    return false;
}

/* Parts of a kind that went; what was demoted or textified before goes as a text. */
static uint32_t count_gone(struct trial *t, enum view_kind kind)
{
    struct tk_val edits = edits_of(t);
    uint32_t n = 0;

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e);
        bool gone = is_action(e, "drop") || (is_action(e, "textify") && kind != VIEW_THINKING);

        gone = gone && !(kind == VIEW_THINKING && was_made(t, e, "demote")) &&
               !(is_action(e, "drop") && was_made(t, e, "textify"));
        n += gone && p && p->kind == kind;
    }
    return n;
}

static struct tk_str stats_agree_with_edits(struct trial *t)
{
    struct tk_val stats = in(result_of(&t->repair), "stats");
    const struct {
        const char *name;
        uint32_t count;
    } rows[] = {
        {"removed_tool_calls", count_gone(t, VIEW_CALL)},
        {"removed_tool_results", count_gone(t, VIEW_RESULT)},
        {"removed_thinking", count_gone(t, VIEW_THINKING)},
        {"textified", count_action(t, "textify")},
        {"dropped_messages", count_action(t, "drop_message")},
        {"merged_messages", count_action(t, "merge")},
        {"inserted_results", count_action(t, "insert_result")},
        {"demoted_thinking", count_action(t, "demote")},
        {"restored_turns", count_action(t, "restore")},
        {"moved", count_action(t, "move")},
        {"rewritten", count_action(t, "rewrite") + count_action(t, "append")},
    };

    if (!t->repaired || has_split_and_gone(t))
        return HOLDS;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (number(in(stats, rows[i].name)) != rows[i].count)
            return broken(t, "%s: %u edits, stats %.*s", rows[i].name, rows[i].count,
                          SHOW(shown(stats)));
    return tk_count(stats) == sizeof(rows) / sizeof(rows[0])
               ? HOLDS
               : broken(t, "stats have other members: %.*s", SHOW(shown(stats)));
}

/* ---- the policy ---- */

enum {
    DROP = 1,
    TEXTIFY = 2,
    MOVE = 4,
    REWRITE = 8,
    INSERT = 16,
};

static const char *const action_names[] = {"drop", "textify", "move", "rewrite", "insert_result"};

/* The edits that each code's key allows, of calls and of results. */
static const struct {
    const char *code, *key, *word;
    unsigned call, result;
} permitted[] = {
    {"provider_executed_call_without_result", "orphan_call", "drop", DROP, 0},
    {"provider_executed_call_without_result", "orphan_call", "error_result", DROP | INSERT, 0},
    {"provider_executed_call_without_result", "orphan_call", "report", 0, 0},
    {"provider_executed_result_without_call", "orphan_result", "textify", 0, DROP | TEXTIFY},
    {"provider_executed_result_without_call", "orphan_result", "drop", 0, DROP},
    {"provider_executed_result_without_call", "orphan_result", "report", 0, 0},
    {"provider_executed_result_before_call", "result_before_call", "textify", DROP, DROP | TEXTIFY},
    {"provider_executed_result_before_call", "result_before_call", "move", MOVE, MOVE},
    {"provider_executed_result_before_call", "result_before_call", "report", 0, 0},
    {"duplicate_provider_executed_id", "duplicate_id", "textify", DROP, DROP | TEXTIFY},
    {"duplicate_provider_executed_id", "duplicate_id", "keep_first", DROP, DROP | TEXTIFY},
    {"duplicate_provider_executed_id", "duplicate_id", "report", 0, 0},
    {"invalid_provider_executed_tool_call", "invalid_pair", "textify", DROP, DROP | TEXTIFY},
    {"invalid_provider_executed_tool_call", "invalid_pair", "repair", DROP | REWRITE,
     DROP | TEXTIFY | REWRITE},
    {"invalid_provider_executed_tool_call", "invalid_pair", "report", 0, 0},
    {"invalid_provider_executed_tool_result", "invalid_pair", "textify", DROP, DROP | TEXTIFY},
    {"invalid_provider_executed_tool_result", "invalid_pair", "repair", DROP | REWRITE,
     DROP | TEXTIFY | REWRITE},
    {"invalid_provider_executed_tool_result", "invalid_pair", "report", 0, 0},
    {"provider_executed_result_type_mismatch", "invalid_pair", "textify", DROP, DROP | TEXTIFY},
    {"provider_executed_result_type_mismatch", "invalid_pair", "repair", DROP | REWRITE,
     DROP | TEXTIFY | REWRITE},
    {"provider_executed_result_type_mismatch", "invalid_pair", "report", 0, 0},
    {"tool_use_without_result", "unanswered_call", "insert_result", INSERT, 0},
    {"tool_use_without_result", "unanswered_call", "report", 0, 0},
    {"tool_result_without_use", "unmatched_result", "textify", 0, DROP | TEXTIFY},
    {"tool_result_without_use", "unmatched_result", "report", 0, 0},
    {"brk_server_call_without_result", "orphan_call", "drop", DROP, 0},
    {"brk_server_call_without_result", "orphan_call", "error_result", DROP | INSERT, 0},
    {"brk_server_call_without_result", "orphan_call", "report", 0, 0},
    {"brk_server_result_without_call", "orphan_result", "textify", 0, DROP | TEXTIFY},
    {"brk_server_result_without_call", "orphan_result", "drop", 0, DROP},
    {"brk_server_result_without_call", "orphan_result", "report", 0, 0},
    {"brk_server_result_before_call", "result_before_call", "textify", DROP, DROP | TEXTIFY},
    {"brk_server_result_before_call", "result_before_call", "move", 0, MOVE},
    {"brk_server_result_before_call", "result_before_call", "report", 0, 0},
    {"brk_server_id_duplicate", "duplicate_id", "textify", DROP, DROP | TEXTIFY},
    {"brk_server_id_duplicate", "duplicate_id", "keep_first", DROP, DROP | TEXTIFY},
    {"brk_server_id_duplicate", "duplicate_id", "report", 0, 0},
    {"brk_missing_tool_result", "unanswered_call", "insert_result", INSERT, 0},
    {"brk_missing_tool_result", "unanswered_call", "report", 0, 0},
    {"brk_extra_tool_result", "unmatched_result", "textify", 0, DROP | TEXTIFY},
    {"brk_extra_tool_result", "unmatched_result", "report", 0, 0},
    {"brk_tool_result_duplicate", "unmatched_result", "textify", 0, DROP | TEXTIFY},
    {"brk_tool_result_duplicate", "unmatched_result", "report", 0, 0},
    {"brk_result_in_assistant", "unmatched_result", "textify", 0, MOVE | DROP | TEXTIFY},
    {"brk_result_in_assistant", "unmatched_result", "report", 0, MOVE},
    {"gem_call_without_response", "unanswered_call", "insert_result", INSERT, 0},
    {"gem_call_without_response", "unanswered_call", "report", 0, 0},
    {"gem_response_without_call", "unmatched_result", "textify", 0, DROP | TEXTIFY},
    {"gem_response_without_call", "unmatched_result", "report", 0, 0},
    {"gem_response_in_model", "unmatched_result", "textify", 0, MOVE | DROP | TEXTIFY},
    {"gem_response_in_model", "unmatched_result", "report", 0, MOVE},
};

static bool is_permitted(struct tk_val edit, unsigned actions)
{
    for (size_t i = 0; i < sizeof(action_names) / sizeof(action_names[0]); i++)
        if (is_action(edit, action_names[i]))
            return actions & 1u << i;
    return false;
}

static struct tk_str edits_follow_the_policy(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e);

        if (!p || is_of_several(t, e))
            continue;
        for (size_t i = 0; i < sizeof(permitted) / sizeof(permitted[0]); i++)
            if (tk_text_is(in(e, "code"), tk_str_of(permitted[i].code)) &&
                !strcmp(policy_word(t, permitted[i].key), permitted[i].word) &&
                !is_permitted(e, p->kind == VIEW_CALL ? permitted[i].call : permitted[i].result))
                return broken(t, "%.*s, but %s is %s", SHOW(shown(e)), permitted[i].key,
                              permitted[i].word);
    }
    return HOLDS;
}

static struct tk_str blank_texts_are_reported(struct trial *t)
{
    static const char *const codes[] = {"text_empty", "text_whitespace_only",
                                        "cache_control_empty_text", "brk_text_blank", NULL};

    if (!strcmp(policy_word(t, "blank_text"), "report") && has_any_code(edits_of(t), codes))
        return broken(t, "edited in spite of it: %.*s", SHOW(shown(edits_of(t))));
    return HOLDS;
}

/* never: none; touched: where a message between the two was dropped. */
static struct tk_str merges_are_asked_for(struct trial *t)
{
    const char *how = policy_word(t, "merge_adjacent");
    uint32_t dropped = count_action(t, "drop_message"), merged = count_action(t, "merge");

    /* That server refuses neighbours of one role. */
    if (t->whose == ANTHROPIC && is_for(t, "compatible"))
        return HOLDS;
    if ((!strcmp(how, "never") && merged > 0) || (!strcmp(how, "touched") && merged > dropped))
        return broken(t, "merge_adjacent is %s, %u merged, %u dropped", how, merged, dropped);
    return HOLDS;
}

/* ---- good pairs ---- */

static bool is_blamed(struct trial *t, const struct view_part *p)
{
    struct tk_val list = in(result_of(&t->verdict), "violations");

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (number(in(v, "message_index")) == p->message &&
            number(in(v, "part_index")) == p->index &&
            tk_text_is(in(v, "severity"), TK_STR("error")))
            return true;
    return false;
}

static bool is_half(const struct view_part *p, const struct view_part *of)
{
    return p->provider && of->provider && p->id.p && of->id.p && tk_str_eq(p->id, of->id);
}

/* Returns the call of a pair in one turn, which nobody blames and whose id nothing else has; NULL: the
 * part is of no such pair. */
static const struct view_part *call_of_a_good_pair(struct trial *t, const struct view_part *p)
{
    const struct view_part *call = NULL, *result = NULL;
    const struct view_message *m = t->sent.messages;

    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *q = &t->sent.parts[i];

        if (!is_half(q, p))
            continue;
        if (is_blamed(t, q) || result || (call != NULL) != (q->kind == VIEW_RESULT))
            return NULL;
        *(call ? &result : &call) = q;
    }
    return call && result && m[call->message].turn == m[result->message].turn ? call : NULL;
}

/* Returns true if a compaction block that has to be first took the part along. */
static bool is_summed_up(struct trial *t, const struct view_part *p)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));

        if (tk_text_is(in(e, "code"), TK_STR("compaction_block_misplaced")) &&
            at.message == p->message && (at.part < 0 || at.part == p->index))
            return true;
    }
    return false;
}

static struct tk_str good_pairs_stay(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e), *call = NULL;

        if ((is_action(e, "drop") || is_action(e, "textify")) && p && p->provider)
            call = call_of_a_good_pair(t, p);
        if (call && !is_summed_up(t, call))
            return broken(t, "%.*s of a good pair", SHOW(shown(e)));
    }
    return HOLDS;
}

/* ---- ids that several turns use ---- */

static uint32_t turn_of(const struct trial *t, const struct view_part *p)
{
    return t->sent.messages[p->message].turn;
}

static bool is_turn_signed(const struct trial *t, uint32_t turn)
{
    for (uint32_t i = 0; i < t->sent.part_count; i++)
        if (t->sent.parts[i].signed_ && turn_of(t, &t->sent.parts[i]) == turn &&
            t->sent.messages[t->sent.parts[i].message].role == 'a')
            return true;
    return false;
}

/* How the turns use an id, the user's aside. */
struct uses {
    uint32_t newest_signed, calls, results; /* that turn, TK_NO_NODE: none; its parts of that id */
    uint32_t turns;
};

static struct uses uses_of(const struct trial *t, const struct view_part *of)
{
    struct uses u = {TK_NO_NODE, 0, 0, 0};
    uint32_t last = TK_NO_NODE;

    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];
        uint32_t turn = turn_of(t, p);

        if (!is_half(p, of) || t->sent.messages[p->message].role != 'a')
            continue;
        u.turns += turn != last;
        last = turn;
        if (turn != u.newest_signed) {
            if (!is_turn_signed(t, turn))
                continue;
            u.newest_signed = turn;
            u.calls = u.results = 0;
        }
        *(p->kind == VIEW_CALL ? &u.calls : &u.results) += 1;
    }
    return u;
}

/*
 * If an id is repeated, the newest signed turn with one call and at most one result keeps its
 * parts.
 */
static struct tk_str signed_turns_keep_their_ids(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    if (has_any_code(edits, thinking_codes) || has_code(edits, "compaction_block_misplaced") ||
        has_seals(t))
        return HOLDS; /* what was signed may not be any more */
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e);
        struct uses u;

        if (!p || !p->id.p || t->sent.messages[p->message].role != 'a' ||
            !tk_text_is(in(e, "code"), TK_STR("duplicate_provider_executed_id")))
            continue;
        u = uses_of(t, p);
        if (u.turns > 1 && u.newest_signed == turn_of(t, p) && u.calls == 1 && u.results <= 1)
            return broken(t, "%.*s in the newest signed turn that uses the id", SHOW(shown(e)));
    }
    return HOLDS;
}

/* An error in a result's place: only where nothing else has the id in the end, never in a signed
 * turn. */
static struct tk_str results_are_invented_with_care(struct trial *t)
{
    struct tk_val edits = edits_of(t);

    if (has_any_code(edits, thinking_codes) || has_code(edits, "compaction_block_misplaced") ||
        has_seals(t))
        return HOLDS; /* what was signed may not be any more */
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        const struct view_part *p = part_of(t, e);
        uint32_t same = 0;

        if (!p || !p->provider || !is_action(e, "insert_result"))
            continue;
        for (uint32_t i = 0; i < t->left.part_count; i++)
            same += is_half(&t->left.parts[i], p);
        if (same > 2 || is_turn_signed(t, turn_of(t, p)))
            return broken(t, "%.*s", SHOW(shown(e)));
    }
    return HOLDS;
}

/* ---- nothing is touched that nobody blames ---- */

/* True for an edit that may follow from the edits of other parts. */
static bool is_entailed(struct tk_val edit)
{
    static const char *const codes[] = {"citation_dangling",     "message_content_empty",
                                        "user_content_empty",    "thinking_empty",
                                        "roles_not_alternating", "thinking_not_for_route",
                                        "prior_thinking_pruned", "brk_content_empty",
                                        "gem_parts_empty",       NULL};

    for (const char *const *code = codes; *code; code++)
        if (tk_text_is(in(edit, "code"), tk_str_of(*code)))
            return true;
    return false;
}

/* An edit's code was found in the history as sent, or follows from an edit that was. */
static struct tk_str edits_have_findings(struct trial *t)
{
    struct tk_val edits = edits_of(t), first = tk_first(edits);
    struct tk_val found = in(result_of(&t->verdict), "violations");
    bool any = !tk_exists(first);

    for (struct tk_val e = first; tk_exists(e); e = tk_after(edits, e)) {
        struct tk_str code = tk_text(in(e, "code"), &t->arena);

        any = any || is_entailed(e);
        for (struct tk_val v = tk_first(found); tk_exists(v); v = tk_after(found, v))
            any = any || tk_text_is(in(v, "code"), code);
    }
    return any ? HOLDS : broken(t, "none was found before: %.*s", SHOW(shown(edits)));
}

const struct property properties_of_edits[] = {
    {"edits_have_places", ANTHROPIC | TYPELESS, edits_have_places},
    {"stats_agree_with_edits", ANTHROPIC | TYPELESS, stats_agree_with_edits},
    {"edits_follow_the_policy", ANTHROPIC | TYPELESS, edits_follow_the_policy},
    {"blank_texts_are_reported", ANTHROPIC | TYPELESS, blank_texts_are_reported},
    {"merges_are_asked_for", ANTHROPIC | TYPELESS, merges_are_asked_for},
    {"good_pairs_stay", ANTHROPIC, good_pairs_stay},
    {"signed_turns_keep_their_ids", ANTHROPIC, signed_turns_keep_their_ids},
    {"results_are_invented_with_care", ANTHROPIC, results_are_invented_with_care},
    {"edits_have_findings", ANTHROPIC | TYPELESS, edits_have_findings},
    {NULL, EVERYONE, NULL},
};
