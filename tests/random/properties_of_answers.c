/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of answers by themselves, and of answers to the same case. */
#include "repair_properties.h"

#include "catalogue/rule.h"
#include "methods/core/host.h"
#include "value/pointer.h"

/* ---- there are answers ---- */

static struct tk_str name_of_error(const struct operation *op)
{
    return shown(in(error_data(op), "name"));
}

/* Only guard may refuse, and only a history that stays unsafe: no request ends in another error. */
static struct tk_str is_answered(struct trial *t)
{
    const struct {
        const char *name;
        const struct operation *op;
        bool guard;
    } asked[] = {
        {"validate", &t->verdict, false},
        {"repair", &t->repair, t->guard},
        {"repair with a patch", &t->patch, t->guard},
        {"clean-up", &t->cleaning, false},
        {"repair of the outcome", &t->again, t->guard},
        {"validate of the outcome", &t->after_verdict, false},
        {"repair with the tail", &t->longer, t->guard},
    };

    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
        if (asked[i].op->reply && !tk_exists(result_of(asked[i].op)) &&
            !(asked[i].guard && failed_with(asked[i].op, "unsafe_history")))
            return broken(t, "%s answers %.*s", asked[i].name, SHOW(name_of_error(asked[i].op)));
    return HOLDS;
}

/* ---- findings ---- */

static size_t rank_of(struct tk_val code)
{
    size_t i = 0;

    while (i < tk_code_count() && !tk_text_is(code, tk_str_of(tk_code_name(i))))
        i++;
    return i;
}

/* By message, part, then the catalogue's order; a request's or message's own come first. */
static struct tk_str findings_are_in_order(struct trial *t)
{
    struct tk_val list = in(result_of(&t->verdict), "violations");
    int64_t message = -1, part = -1;
    size_t rank = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        int64_t m = number(in(v, "message_index")), p = number(in(v, "part_index"));
        size_t r = rank_of(in(v, "code"));
        bool behind = m != message ? m > message : p != part ? p > part : r >= rank;

        if (r == tk_code_count() || !behind)
            return broken(t, "%.*s stands behind what comes later", SHOW(shown(v)));
        message = m, part = p, rank = r;
    }
    return HOLDS;
}

/* True for the request as a whole, and for a place in it that is none of the messages. */
static bool is_in_the_body(struct trial *t, struct tk_val pointer)
{
    struct tk_str path = tk_text(pointer, &t->arena);

    return path.n == 0 ||
           (path.p && !tk_str_starts(path, tk_arena_printf(&t->arena, "/%s", t->list)) &&
            tk_exists(tk_pointer_get(in(t->params, "request"), path, &t->arena)));
}

static bool is_at_its_place(struct trial *t, struct tk_val v)
{
    struct place place = place_of(t, in(v, "pointer"));
    int64_t m = number(in(v, "message_index")), p = number(in(v, "part_index"));
    struct tk_val content;

    if (m < 0)
        return p < 0 && is_in_the_body(t, in(v, "pointer"));
    if (m >= t->sent.count || place.deeper || place.message != m || place.part != p)
        return false;
    content = in(t->sent.messages[m].value, t->parts);
    return p < 0 || (tk_is(content, TK_STRING) ? p == 0 : view_part(&t->sent, m, p) != NULL);
}

static struct tk_str findings_have_places(struct trial *t)
{
    struct tk_val list = in(result_of(&t->verdict), "violations");

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!is_at_its_place(t, v) || !tk_is(in(v, "text"), TK_STRING) ||
            tk_raw(in(v, "text")).n == 0)
            return broken(t, "%.*s", SHOW(shown(v)));
    return HOLDS;
}

static uint32_t count_code(struct tk_val list, struct tk_str code)
{
    uint32_t n = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        n += tk_text_is(in(v, "code"), code);
    return n;
}

static bool has_error(struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_text_is(in(v, "severity"), TK_STR("warning")))
            return true;
    return false;
}

static bool counts_are_right(struct tk_val result, struct tk_arena *arena)
{
    struct tk_val list = in(result, "violations"), counts = in(result, "counts");
    int64_t sum = 0;

    for (struct tk_val v = tk_first(counts); tk_exists(v); v = tk_after(counts, v)) {
        if (number(v) < 1 || number(v) != count_code(list, tk_key(v, arena)))
            return false;
        sum += number(v);
    }
    return sum == tk_count(list) && number(in(result, "truncated")) == 0;
}

static struct tk_str verdicts_are_consistent(struct trial *t)
{
    struct tk_val verdict = result_of(&t->verdict), repair = result_of(&t->repair);
    struct tk_val list = in(verdict, "violations");

    if (!counts_are_right(verdict, &t->arena) ||
        tk_is(in(verdict, "valid"), TK_TRUE) == has_error(list))
        return broken(t, "validate: %.*s", SHOW(shown(verdict)));
    if (number(in(verdict, "message_count")) != t->sent.count ||
        number(in(verdict, "part_count")) != t->sent.part_count - t->sent.uncounted)
        return broken(t, "%u messages and %u parts were sent", t->sent.count, t->sent.part_count);
    if (tk_exists(repair) &&
        (!counts_are_right(repair, &t->arena) ||
         tk_is(in(repair, "safe"), TK_TRUE) == has_error(in(repair, "violations"))))
        return broken(t, "repair: %.*s", SHOW(shown(repair)));
    return HOLDS;
}

/* ---- validate and repair ---- */

/* The place of a lone surrogate is told in the body that was sent, so it isn't compared. */
static bool same_findings(struct trial *t, struct tk_val a, struct tk_val b)
{
    struct tk_val y = tk_first(b);

    for (struct tk_val x = tk_first(a); tk_exists(x); x = tk_after(a, x)) {
        if (!tk_exists(y) || (!tk_text_is(in(x, "code"), TK_STR("body_lone_surrogate")) &&
                              !same_value(x, y, &t->arena)))
            return false;
        y = tk_after(b, y);
    }
    return !tk_exists(y);
}

static struct tk_str safe_is_valid(struct trial *t)
{
    struct tk_val result = result_of(&t->repair), verdict = result_of(&t->after_verdict);
    struct tk_val safe = in(result, "safe");

    if (!t->repaired)
        return HOLDS;
    if (!tk_exists(verdict) || tk_is(safe, TK_TRUE) != tk_is(in(verdict, "valid"), TK_TRUE) ||
        !same_findings(t, in(result, "violations"), in(verdict, "violations")))
        return broken(t, "repair: safe %.*s, %.*s; validate says of it: %.*s", SHOW(shown(safe)),
                      SHOW(shown(in(result, "violations"))), SHOW(shown(verdict)));
    if (t->guard && !tk_is(safe, TK_TRUE))
        return broken(t, "guard let errors pass: %.*s", SHOW(shown(in(result, "violations"))));
    return HOLDS;
}

/* Guard may edit more, so what it refuses clean-up can't make safe; where nothing is protected the
 * two do the same. */
static struct tk_str guard_and_cleaning_agree(struct trial *t)
{
    struct tk_val guarded = result_of(&t->patch), clean = result_of(&t->cleaning);
    bool safe = tk_is(in(clean, "safe"), TK_TRUE);
    bool free_ = tk_is(in(result_of(&t->verdict), "protected"), TK_NULL) &&
                 !has_any_code(in(clean, "edits"), thinking_codes);

    if (!t->guard)
        return HOLDS;
    if (!tk_exists(guarded))
        return safe ? broken(t, "guard refuses what clean-up makes safe") : HOLDS;
    if (free_ && (!safe || !same_value(in(guarded, "edits"), in(clean, "edits"), &t->arena)))
        return broken(t, "guard: %.*s; clean-up: %.*s", SHOW(shown(in(guarded, "edits"))),
                      SHOW(shown(in(clean, "edits"))));
    return HOLDS;
}

/* ---- refusals ---- */

static struct tk_str refusals_are_explained(struct trial *t)
{
    struct tk_val data = error_data(&t->repair), list = in(data, "violations");

    if (!failed_with(&t->repair, "unsafe_history"))
        return HOLDS;
    if (tk_count(list) == 0 || tk_exists(in(data, "edits")) || tk_exists(in(data, "patch")))
        return broken(t, "refused with %.*s", SHOW(shown(data)));
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!is_at_its_place(t, v) || !tk_text_is(in(v, "severity"), TK_STR("error")))
            return broken(t, "refused because of %.*s", SHOW(shown(v)));
    return HOLDS;
}

static bool is_one_of(struct tk_val code, const char *const *codes)
{
    for (; *codes; codes++)
        if (tk_text_is(code, tk_str_of(*codes)))
            return true;
    return false;
}

/* No edit removes a member of a message or block that the dialect doesn't know (RULES.md 8). */
static bool keeps_more(struct trial *t, struct tk_val finding)
{
    static const char *const of_message[] = {"user_content_empty", "message_content_empty",
                                             "system_message_empty", NULL};
    static const char *const of_block[] = {"field_required", "search_result_in_assistant", NULL};
    int64_t m = number(in(finding, "message_index")), p = number(in(finding, "part_index"));
    struct tk_val whole = t->sent.messages[m].value;

    if (is_one_of(in(finding, "code"), of_block))
        return tk_exists(in(view_part(&t->sent, m, p)->value, "x"));
    if (tk_text_is(in(finding, "code"), TK_STR("message_extra_inputs")))
        return tk_exists(in(whole, "x")) || tk_exists(in(whole, "refusal"));
    return is_one_of(in(finding, "code"), of_message) &&
           (tk_exists(in(whole, "x")) || tk_exists(in(whole, "refusal")));
}

/* Returns true for a summary that nothing moves: something of its turn precedes it, so before the
 * turn it would change the order of what was said (CATALOGUE 3.11). */
static bool is_inside_its_turn(const struct trial *t, struct tk_val finding)
{
    int64_t m = number(in(finding, "message_index")), p = number(in(finding, "part_index"));
    const struct view_message *message = &t->sent.messages[m];

    return is_one_of(in(finding, "code"), summary_codes) && message->role == 'a' &&
           (p > 0 || (m > 0 && message[-1].turn == message->turn)) &&
           tk_is(in(view_part(&t->sent, m, p)->value, "content"), TK_STRING);
}

/* Returns true for rules about the rest of the request which the policy's base only reports. */
static bool is_only_reported(const struct trial *t, struct tk_val code)
{
    const struct tk_rule *rule = &tk_catalogue[rank_of(code)];
    bool preserve = !strcmp(policy_word(t, "base"), "preserve") && rule->preserve;

    return rule->wave == 3 && strstr(preserve ? rule->preserve : rule->conservative, "report");
}

/* Without a protected turn or a policy that says so, only what no edit is known for remains, what
 * the header doesn't allow (the base says whether that is edited), and what is in messages that
 * nothing can be moved out of. */
static struct tk_str refusals_have_a_reason(struct trial *t)
{
    static const char *const no_edit[] = {
        "messages_empty", "system_message_first", "system_message_position",
        "system_message_block_type", "compaction_block_misplaced", "content_type_invalid",
        "cache_control_too_many", "cache_auto_conflict", "container_required",
        /* the base says whether a message is added */
        "first_message_not_user", "assistant_prefill_unsupported",
        /* stays with a member that nobody knows, or a block */
        "roles_not_alternating", "tool_results_split", "system_role_unsupported",
        /* no edit makes thinking */
        "thinking_required_first", NULL};
    struct tk_val list = in(error_data(&t->repair), "violations");
    struct tk_val found = in(result_of(&t->verdict), "violations");

    if (t->repaired || !tk_is(in(result_of(&t->verdict), "protected"), TK_NULL) ||
        memmem(shown(in(t->params, "policy")).p, shown(in(t->params, "policy")).n, "report", 6) ||
        has_any_code(found, thinking_codes) || has_code(found, "role_unknown") || has_seals(t) ||
        tk_exists(in(t->params, "betas")))
        return HOLDS;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        int64_t at = number(in(v, "message_index"));
        bool known = at < 0 || !strchr("ua", t->sent.messages[at].role);

        if (!known && !is_one_of(in(v, "code"), no_edit) && !keeps_more(t, v) &&
            !is_inside_its_turn(t, v) && !is_only_reported(t, in(v, "code")) &&
            !(tk_text_is(in(v, "code"), TK_STR("citations_all_or_none")) &&
              has_code(list, "citations_with_structured_output")))
            return broken(t, "refused because of %.*s", SHOW(shown(v)));
    }
    return HOLDS;
}

/* ---- the parts of one answer ---- */

static struct tk_str edits_are_changes(struct trial *t)
{
    struct tk_val list = result_of(&t->repair), patch = result_of(&t->patch);
    bool changed = tk_is(in(list, "changed"), TK_TRUE);
    bool asked_for = strcmp(policy_word(t, "route"), "native") ||
                     *policy_word(t, "prior_thinking") || has_seals(t) ||
                     !strcmp(policy_word(t, "item_ids"), "strip");

    if (!t->repaired)
        return HOLDS;
    if (changed != (tk_count(in(list, "edits")) > 0) ||
        changed != tk_exists(in(list, "messages")) || changed != (tk_count(in(patch, "patch")) > 0))
        return broken(t, "changed %d, %u edits, %u operations", changed,
                      tk_count(in(list, "edits")), tk_count(in(patch, "patch")));
    if (changed && !asked_for && tk_is(in(result_of(&t->verdict), "valid"), TK_TRUE))
        return broken(t, "a valid history was edited: %.*s", SHOW(shown(in(list, "edits"))));
    return HOLDS;
}

/* The parameter `return` changes only the form of an answer. */
static struct tk_str forms_agree(struct trial *t)
{
    struct tk_val a = t->repaired ? result_of(&t->repair) : error_data(&t->repair);
    struct tk_val b = t->repaired ? result_of(&t->patch) : error_data(&t->patch);

    for (struct tk_val v = tk_first(a); tk_exists(v); v = tk_after(a, v))
        if (!tk_key_is(v, TK_STR("messages")) &&
            !same_value(v, tk_get(b, tk_key(v, &t->arena)), &t->arena))
            return broken(t, "with messages %.*s, with a patch %.*s", SHOW(shown(v)),
                          SHOW(shown(tk_get(b, tk_key(v, &t->arena)))));
    return HOLDS;
}

const struct property properties_of_answers[] = {
    {"is_answered", EVERYONE, is_answered},
    {"findings_are_in_order", EVERYONE, findings_are_in_order},
    {"findings_have_places", ANTHROPIC | TYPELESS, findings_have_places},
    {"verdicts_are_consistent", EVERYONE, verdicts_are_consistent},
    {"safe_is_valid", EVERYONE, safe_is_valid},
    {"guard_and_cleaning_agree", ANTHROPIC | TYPELESS, guard_and_cleaning_agree},
    {"refusals_are_explained", ANTHROPIC | TYPELESS, refusals_are_explained},
    {"refusals_have_a_reason", ANTHROPIC, refusals_have_a_reason},
    {"edits_are_changes", EVERYONE, edits_are_changes},
    {"forms_agree", EVERYONE, forms_agree},
    {NULL, EVERYONE, NULL},
};
