/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include "providers/openai/responses/item_survey.h"
#include "providers/openai/responses/pairs/new_id.h"

/* ---- types and roles ---- */

int tk_judge_item_types(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    const uint64_t foreign = UINT64_MAX << TK_ITEM_TOOL_USE;
    int r = 0;

    if (!(tk_responses(j)->rows & foreign))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!(tk_item_at(t, m)->flags & TK_ITEM_FOREIGN))
            continue;
        r = tk_find_item(j, TK_CODE_RESP_ITEM_TYPE_UNKNOWN, m);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, tk_item_at(t, m)->type, (struct tk_str){0});
        if (!tk_item_at(t, m)->type.p)
            tk_find_has_other_form(&j->findings);
    }
    return r;
}

int tk_judge_item_roles(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!(tk_responses(j)->roles >> TK_ROLE_OTHER & 1))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!tk_item_is(t, m, TK_ITEM_MESSAGE) || tk_has_known_role(t, m))
            continue;
        r = tk_find_item(j, TK_CODE_RESP_ROLE_UNKNOWN, m);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t,
                              tk_text(tk_item_get(t, m, TK_STR("role")), t->arena),
                              (struct tk_str){0});
        if (!tk_is(tk_item_get(t, m, TK_STR("role")), TK_STRING))
            tk_find_has_other_form(&j->findings);
    }
    return r;
}

int tk_judge_developer(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_responses(j)->compatible)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (t->messages[m].flags & TK_MESSAGE_VARIANT)
            r = tk_find_item(j, TK_CODE_RESP_DEVELOPER_ROLE, m);
    return r;
}

/* ---- types of members ---- */

static bool is_words(struct tk_val v)
{
    return tk_is(v, TK_STRING) || tk_is(v, TK_ARRAY);
}

/* Returns true for outputs that are a string or a list. */
static bool has_words(uint8_t row)
{
    return row == TK_ITEM_FUNCTION_OUTPUT || row == TK_ITEM_CUSTOM_OUTPUT ||
           row == TK_ITEM_LOCAL_SHELL_OUTPUT;
}

/* Returns the member that has a wrong type; `.p == NULL`: none has. *ret: its value. */
static struct tk_str wrong_member(const struct tk_transcript *t, uint32_t item, struct tk_val *ret)
{
    const struct tk_message *m = &t->messages[item];

    if (m->item == TK_ITEM_MESSAGE) {
        *ret = (struct tk_val){m->doc, m->content};
        return is_words(*ret) ? (struct tk_str){0} : TK_STR("content");
    }
    if (!has_words(m->item))
        return (struct tk_str){0};
    *ret = tk_part_val(&t->parts[m->first], t->parts[m->first].payload);
    return !tk_exists(*ret) || tk_is(*ret, TK_NULL) || is_words(*ret) ? (struct tk_str){0}
                                                                      : TK_STR("output");
}

int tk_judge_member_types(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        struct tk_val v;
        struct tk_str name = wrong_member(t, m, &v);

        if (!name.p)
            continue;
        r = tk_find_item(j, TK_CODE_RESP_ITEM_FIELD_TYPE, m);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, name, (struct tk_str){0});
        if (!tk_is(v, TK_OBJECT))
            tk_find_has_other_form(&j->findings);
    }
    return r;
}

/* ---- missing and unknown members ---- */

uint64_t tk_missing_members(const struct tk_transcript *t, uint32_t item)
{
    uint64_t missing = tk_item_at(t, item)->required;
    struct tk_val v = tk_item_val(t, item);

    for (struct tk_val x = tk_first(v); tk_exists(x) && missing != 0; x = tk_after(v, x)) {
        enum tk_item_member which = tk_item_member_of(x, missing);

        if (which != TK_IM_COUNT && !tk_is(x, TK_NULL) &&
            !((TK_ITEM_IDS >> which & 1) && tk_is(x, TK_STRING) && tk_raw(x).n == 0))
            missing &= ~(1ull << which);
    }
    return missing;
}

static bool is_odd_item(const struct tk_transcript *t, uint32_t item)
{
    uint32_t part = tk_item_part(t, item);

    return part == TK_NONE ? t->messages[item].flags & TK_MESSAGE_EXTRA
                           : t->parts[part].flags & TK_PART_ODD;
}

int tk_judge_missing(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_forget_place(j);
    if (!tk_responses(j)->odd)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        uint64_t missing = is_odd_item(t, m) ? tk_missing_members(t, m) : 0;

        if (missing == 0)
            continue;
        r = tk_find_item(j, TK_CODE_RESP_MISSING_ITEM_FIELD, m);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, tk_item_member_names[__builtin_ctzll(missing)],
                              (struct tk_str){0});
    }
    return r;
}

bool tk_is_item_offender(const struct tk_transcript *t, uint32_t item, struct tk_val member)
{
    switch (t->messages[item].item) {
    case TK_ITEM_MESSAGE:
        if (tk_key_is(member, TK_STR("tool_calls")) || tk_key_is(member, TK_STR("tool_call_id")) ||
            tk_key_is(member, TK_STR("parsed")))
            return true;
        break;
    case TK_ITEM_REASONING:
        if (tk_key_is(member, TK_STR("status")))
            return true;
        break;
    case TK_ITEM_FUNCTION_CALL:
        if (tk_key_is(member, TK_STR("parsed_arguments")))
            return true;
        break;
    }
    return tk_key_is(member, TK_STR("created_by"));
}

bool tk_is_part_offender(struct tk_val member)
{
    return tk_key_is(member, TK_STR("parsed")) || tk_key_is(member, TK_STR("cache_control"));
}

struct tk_val tk_shell_chunks(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val output = TK_NO_VAL;

    if (tk_item_is(t, item, TK_ITEM_SHELL_OUTPUT))
        output = tk_item_get(t, item, TK_STR("output"));
    return tk_is(output, TK_ARRAY) ? output : TK_NO_VAL;
}

/* Returns the first refused member of an item, or else its first unknown one; absent: it has
 * neither. */
static struct tk_val unknown_member(const struct tk_transcript *t, uint32_t item, bool *ret_refused)
{
    const struct tk_item *row = tk_item_at(t, item);
    struct tk_val v = tk_item_val(t, item), unknown = TK_NO_VAL;

    *ret_refused = true;
    if (is_odd_item(t, item))
        for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
            if (tk_is_item_offender(t, item, x))
                return x;
            if (!tk_exists(unknown) && !tk_key_is(x, TK_STR("type")) &&
                tk_item_member_of(x, row->required | row->known) == TK_IM_COUNT)
                unknown = x;
        }
    *ret_refused = false;
    return unknown;
}

static int find_in_item(struct tk_judge *j, uint32_t item)
{
    bool refused;
    struct tk_val member = unknown_member(j->t, item, &refused);
    int r;

    if (!tk_exists(member))
        return 0;
    r = tk_find_item_as(j, TK_CODE_RESP_UNKNOWN_ITEM_FIELD, item, refused ? TK_ERROR : TK_WARNING);
    return r < 0
               ? r
               : tk_find_words(&j->findings, j->t, tk_key(member, j->t->arena), (struct tk_str){0});
}

static int find_in_part(struct tk_judge *j, uint32_t part, uint32_t index)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val v = tk_part_val(p, p->node);
    struct tk_arena *arena = j->t->arena;
    int r;

    if (!(p->flags & TK_PART_ODD))
        return 0;
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
        if (!tk_is_part_offender(x))
            continue;
        r = tk_find_part(&j->findings, j->t, TK_CODE_RESP_UNKNOWN_ITEM_FIELD, part);
        return r < 0 ? r
                     : tk_find_words(&j->findings, j->t,
                                     tk_arena_printf(arena, "content[%u].%.*s", index,
                                                     (int)tk_key(x, arena).n, tk_key(x, arena).p),
                                     (struct tk_str){0});
    }
    return 0;
}

int tk_judge_item_members(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (tk_responses(j)->compatible || !tk_responses(j)->odd)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool message = tk_item_is(t, m, TK_ITEM_MESSAGE);
        uint32_t index = 0;

        if ((message && !tk_has_known_role(t, m)) || (tk_item_at(t, m)->flags & TK_ITEM_OPEN))
            continue;
        r = find_in_item(j, m);
        if (message)
            for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
                if (!(t->parts[i].flags & TK_PART_STRING))
                    r = find_in_part(j, i, index++);
    }
    return r;
}

/* ---- items of the server ---- */

static bool is_unfinished(struct tk_val status)
{
    static const char *const words[] = {"in_progress", "searching", "interpreting",
                                        "generating",  "calling",   "incomplete"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (tk_text_is(status, tk_str_of(words[i])))
            return true;
    return false;
}

int tk_judge_unfinished(struct tk_judge *j)
{
    const uint64_t hosted = (1ull << (TK_ITEM_PROGRAM_OUTPUT + 1)) - (1ull << TK_ITEM_WEB_SEARCH);
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!(tk_responses(j)->rows & hosted))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if ((tk_item_at(t, m)->flags & TK_ITEM_HOSTED) &&
            is_unfinished(tk_item_get(t, m, TK_STR("status"))))
            r = tk_find_item(j, TK_CODE_RESP_HOSTED_CALL_UNFINISHED, m);
    return r;
}
