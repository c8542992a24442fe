/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a second request: with the outcome, in another codec, or with more messages. */
#include "repair_properties.h"

static struct tk_str repair_is_idempotent(struct trial *t)
{
    struct tk_val result = result_of(&t->again);

    if (!t->repaired)
        return HOLDS;
    if (!tk_exists(result))
        return broken(t, "repair of the outcome answers %.*s", SHOW(shown(error_data(&t->again))));
    if (!tk_is(in(result, "changed"), TK_FALSE) || tk_count(in(result, "edits")) > 0 ||
        tk_exists(in(result, "messages")))
        return broken(t, "the outcome is edited again: %.*s", SHOW(shown(in(result, "edits"))));
    return HOLDS;
}

/* A quarter of the histories are asked about once more in these two ways: they cost a third of all.
 */
static bool is_one_of_four(const struct trial *t)
{
    return tk_node(t->messages)->len % 4 == 0;
}

static struct tk_str repair_is_deterministic(struct trial *t)
{
    struct operation again;
    struct tk_str why = HOLDS;

    if (!is_one_of_four(t))
        return HOLDS;
    trial_ask(t, &again, (struct question){.method = "repair", .guard = t->guard, .form = "patch"});
    if (!tk_str_eq(tk_span(tk_root(&again.answer)), tk_span(tk_root(&t->patch.answer))))
        why = broken(t, "asked again: %.*s", SHOW(shown(tk_root(&again.answer))));
    operation_done(&again);
    return why;
}

/* ---- codecs ---- */

static struct tk_str in_json(struct trial *t, const struct operation *op)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &t->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_any(&w, tk_root(&op->answer));
    return tk_out_join(&out);
}

/* The digest is over the bytes as sent. */
static bool same_but_for_digest(struct trial *t, struct tk_val a, struct tk_val b)
{
    for (struct tk_val v = tk_first(a); tk_exists(v); v = tk_after(a, v)) {
        struct tk_val other = tk_get(b, tk_key(v, &t->arena));

        if (tk_key_is(v, TK_STR("protected")) && tk_is(v, TK_OBJECT)
                ? number(in(v, "message_index")) != number(in(other, "message_index"))
                : !same_value(v, other, &t->arena))
            return false;
    }
    return tk_count(a) == tk_count(b);
}

struct tk_str codecs_fault(struct trial *t, struct question q)
{
    static const struct tk_read_limits limits = {512, UINT32_MAX, {13, 14}};
    struct operation packed, plain;
    struct tk_read_error error;
    struct tk_str why = HOLDS, text;
    struct tk_doc doc;

    q.codec = TK_MSGPACK;
    trial_ask(t, &packed, q);
    q.codec = TK_JSON, q.plain = true;
    trial_ask(t, &plain, q);
    text = in_json(t, &packed);
    tk_doc_init(&doc, tk_libc_allocator);
    MUST(tk_json_read(&doc, text.p, text.n, &limits, &t->arena, &error) == 0);
    if (!same_but_for_digest(t, in(tk_root(&doc), "result"), result_of(&plain)) ||
        !same_value(in(tk_root(&doc), "error"), in(tk_root(&plain.answer), "error"), &t->arena))
        why = broken(t, "%s in msgpack: %.*s, in JSON: %.*s", q.method, SHOW(text),
                     SHOW(shown(tk_root(&plain.answer))));
    tk_doc_done(&doc);
    operation_done(&packed);
    operation_done(&plain);
    return why;
}

static struct tk_str codecs_agree(struct trial *t)
{
    bool edited = tk_is(in(result_of(&t->repair), "changed"), TK_TRUE);
    struct tk_str why;

    if (!is_one_of_four(t) || t->doc.has_surrogate) /* half a character msgpack can't hold */
        return HOLDS;
    why = codecs_fault(t, (struct question){.method = "validate", .guard = t->guard});
    if (why.p || !edited)
        return why;
    return codecs_fault(t,
                        (struct question){.method = "repair", .guard = t->guard, .form = "patch"});
}

/* ---- with messages before ---- */

/* Returns two sound messages that a list can begin with, which goes on. */
static struct tk_str question_and_answer(const struct trial *t)
{
    static const struct {
        enum whose whose;
        struct tk_str text;
    } rows[] = {
        {ANTHROPIC | OPENAI, TK_STR_INIT("[{\"role\":\"user\",\"content\":\"q\"},"
                                         "{\"role\":\"assistant\",\"content\":\"a\"},")},
        {BEDROCK, TK_STR_INIT("[{\"role\":\"user\",\"content\":[{\"text\":\"q\"}]},"
                              "{\"role\":\"assistant\",\"content\":[{\"text\":\"a\"}]},")},
        {GEMINI, TK_STR_INIT("[{\"role\":\"user\",\"parts\":[{\"text\":\"q\"}]},"
                             "{\"role\":\"model\",\"parts\":[{\"text\":\"a\"}]},")},
    };
    size_t i = 0;

    while (!(rows[i].whose & t->whose))
        i++;
    return rows[i].text;
}

/* Findings are the same two messages later, with a question and an answer before the history. */
static struct tk_str findings_move_along(struct trial *t)
{
    static const char *const of_the_start[] = {"compaction_block_misplaced", "messages_empty",
                                               "thinking_required_first", "chat_system_not_first",
                                               NULL};
    struct tk_val list = in(result_of(&t->verdict), "violations"), v = tk_first(list), moved, w;
    struct tk_str sent = tk_span(t->messages);
    struct tk_str parts[] = {question_and_answer(t), {sent.p + 1, sent.n - 1}};
    struct operation op;
    struct tk_str why = HOLDS;

    if (t->sent.count == 0 || t->sent.messages[0].role != 'u')
        return HOLDS;
    trial_ask(
        t, &op,
        (struct question){.method = "validate", .messages = tk_arena_concat(&t->arena, parts, 2)});
    moved = in(result_of(&op), "violations"), w = tk_first(moved);
    for (; tk_exists(v) && tk_exists(w); v = tk_after(list, v), w = tk_after(moved, w)) {
        int64_t at = number(in(v, "message_index"));

        if (!same_value(in(v, "code"), in(w, "code"), &t->arena) ||
            !same_value(in(v, "severity"), in(w, "severity"), &t->arena) ||
            number(in(w, "message_index")) != (at < 0 ? -1 : at + 2) ||
            number(in(v, "part_index")) != number(in(w, "part_index")))
            break;
    }
    if ((tk_exists(v) || tk_exists(w)) && !has_any_code(list, of_the_start) &&
        !has_any_code(moved, of_the_start))
        why = broken(t, "found %.*s, behind two messages %.*s", SHOW(shown(list)),
                     SHOW(shown(moved)));
    operation_done(&op);
    return why;
}

/* ---- stable ---- */

/* Faults of the whole history, of its end, of its newest turn alone. */
static const char *const of_the_whole[] = {"tool_use_without_result",
                                           "citations_all_or_none",
                                           "compaction_block_misplaced",
                                           "thinking_order_unverified",
                                           "thinking_signature_malformed",
                                           "final_assistant_trailing_whitespace",
                                           "image_many_dimensions",
                                           "thinking_not_for_route",
                                           "prior_thinking_pruned",
                                           "image_count",
                                           "request_too_large",
                                           "server_tool_pending_tool_missing",
                                           "cache_auto_conflict",
                                           NULL};

static bool answers(const struct view_part *result, const struct view_part *call)
{
    return result->kind == VIEW_RESULT && result->provider == call->provider && call->id.p &&
           result->id.p && tk_str_eq(result->id, call->id);
}

/* A call whose result isn't there: it is in flight, waits for the user's approval, or was left. */
static bool has_open_call(const struct view *s)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        bool open = s->parts[i].kind == VIEW_CALL;

        for (uint32_t k = i + 1; k < s->part_count && open; k++)
            open = !answers(&s->parts[k], &s->parts[i]);
        if (open)
            return true;
    }
    return false;
}

/* A call of the history as sent that nobody answers and nobody blames for it: it is in flight, even
 * if it gives way to a pair that uses its id again. */
static bool has_call_in_flight(const struct trial *t)
{
    struct tk_val list = in(result_of(&t->verdict), "violations");

    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];
        int surplus = 0;

        for (uint32_t k = 0; k < t->sent.part_count && p->kind == VIEW_CALL && p->id.p; k++) {
            const struct view_part *q = &t->sent.parts[k];

            if (q->provider == p->provider && q->id.p && tk_str_eq(q->id, p->id))
                surplus += q->kind == VIEW_CALL ? 1 : -1;
        }
        for (struct tk_val v = tk_first(list); tk_exists(v) && surplus > 0; v = tk_after(list, v))
            if (number(in(v, "message_index")) == p->message &&
                number(in(v, "part_index")) == p->index &&
                tk_text_is(in(v, "code"), TK_STR("provider_executed_call_without_result")))
                surplus = 0;
        if (surplus > 0)
            return true;
    }
    return false;
}

static const struct view_message *last_spoken(const struct view *s)
{
    for (uint32_t i = s->count; i > 0; i--)
        if (!s->messages[i - 1].transparent)
            return &s->messages[i - 1];
    return NULL;
}

static uint32_t parts_of_turn(const struct view *s, uint32_t turn)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++)
        n += s->messages[i].turn == turn && !s->messages[i].transparent ? s->messages[i].count : 0;
    return n;
}

/*
 * True if the tail continues the history's last turn, or the results that were inserted after it
 * (RULES.md 6.3), or if that end can't be continued.
 */
static bool goes_on(const struct trial *t, const struct view *tail)
{
    const struct view_message *last = last_spoken(&t->sent), *next = &tail->messages[0];
    const struct view_message *left = last_spoken(&t->left);

    if (!last || parts_of_turn(&t->sent, last->turn) == 0 || last->role == 's' ||
        !strchr("ua", next->role) || next->role == last->role || !left || next->role == left->role)
        return true;
    /* Parts that an edit inserted have no line that says what else was edited. */
    return tk_is(in(last->value, "content"), TK_OBJECT) || parts_of_turn(tail, next->turn) == 0;
}

static bool ends_in_a_placeholder(const struct trial *t)
{
    struct tk_val last = t->left.count > 0 ? t->left.messages[t->left.count - 1].value : TK_NO_VAL;

    return !tk_exists(last) || t->left.messages[t->left.count - 1].count == 0 ||
           memmem(tk_span(last).p, tk_span(last).n, "(empty)", 7);
}

/*
 * True if an edit drops the history's last message, or the tail's first: the messages around it
 * merge.
 */
static bool drops(struct trial *t, struct tk_val edits, int64_t message)
{
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (tk_text_is(in(e, "action"), TK_STR("drop_message")) &&
            place_of(t, in(e, "pointer")).message == message)
            return true;
    return false;
}

/* Returns true if an edit took white space from the end of the history's last answer. */
static bool ended_in_white_space(struct trial *t, struct tk_val edits)
{
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        if (tk_text_is(in(e, "code"), TK_STR("text_whitespace_only")) &&
            place_of(t, in(e, "pointer")).message == (int64_t)t->sent.count - 1)
            return true;
    return false;
}

static bool is_signed(const struct view *s, uint32_t turn)
{
    for (uint32_t i = 0; i < s->part_count; i++)
        if (s->parts[i].signed_ && s->messages[s->parts[i].message].turn == turn)
            return true;
    return false;
}

static bool uses(const struct view *s, const struct view_part *of)
{
    for (uint32_t i = 0; of->id.p && i < s->part_count; i++)
        if (s->parts[i].id.p && tk_str_eq(s->parts[i].id, of->id))
            return true;
    return false;
}

/* A result that goes home to the turn before, an id that is used again where that counts. */
static bool reaches_back(const struct trial *t, const struct view *tail)
{
    bool always = !strcmp(policy_word(t, "orphan_call"), "error_result");

    for (uint32_t i = 0; i < tail->part_count; i++) {
        const struct view_part *p = &tail->parts[i];
        const struct view_message *m = &tail->messages[p->message];

        if (p->provider && m->turn == tail->messages[0].turn && m->role != 'a')
            return true;
        if ((always || is_signed(tail, m->turn)) && uses(&t->sent, p))
            return true;
    }
    return false;
}

/* Faults that the repaired history has only with its tail. */
static bool is_one_of_the_whole(struct trial *t)
{
    struct tk_str tail = tk_span(t->tail), list;
    struct tk_str parts[] = {{t->after.p, t->after.n - 1}, TK_STR(","), {tail.p + 1, tail.n - 1}};
    struct operation op;
    bool found;

    if (t->left.count == 0)
        return true;
    list = tk_arena_concat(&t->arena, parts, 3);
    trial_ask(t, &op, (struct question){.method = "validate", .messages = list});
    found =
        !tk_exists(result_of(&op)) || has_any_code(in(result_of(&op), "violations"), of_the_whole);
    operation_done(&op);
    return found;
}

/*
 * Returns true if a placeholder keeps a message out of the protected turn (RULES.md 6.5). With the tail
 * another turn is the newest.
 */
static bool holds_protected_turn_apart(const struct trial *t)
{
    const struct view_message *m = t->left.messages;

    for (uint32_t i = 0; i + 1 < t->left.count; i++)
        if (memmem(tk_span(m[i].value).p, tk_span(m[i].value).n, "(empty)", 7) &&
            m[i + 1].role == 'a' && is_signed(&t->left, m[i + 1].turn))
            return true;
    return false;
}

/*
 * Returns true if the summary of the tail's first turn became the user's: servers that take no two
 * user messages in a row get it merged into the history's last (RULES.md 6.7, `roles_not_alternating`).
 */
static bool begins_with_a_summary(struct trial *t, struct tk_val edits)
{
    const struct view_message *last = last_spoken(&t->left);

    if (!last || last->role != 'u' || !is_for(t, "compatible"))
        return false;
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        for (const char *const *code = summary_codes; *code; code++)
            if (tk_text_is(in(e, "code"), tk_str_of(*code)) &&
                place_of(t, in(e, "pointer")).message == t->sent.count)
                return true;
    return false;
}

/*
 * True for a system message's block that goes to the user message before it, once nothing is
 * between them.
 */
static bool is_excepted(struct trial *t)
{
    struct view tail = view_of(t->tail, in(t->params, "dialect"), &t->arena);
    struct tk_val found = in(result_of(&t->verdict), "violations");

    return tail.messages[0].transparent || has_open_call(&t->left) || has_call_in_flight(t) ||
           goes_on(t, &tail) || ends_in_a_placeholder(t) || holds_protected_turn_apart(t) ||
           drops(t, in(result_of(&t->repair), "edits"), (int64_t)t->sent.count - 1) ||
           drops(t, in(result_of(&t->longer), "edits"), t->sent.count) || reaches_back(t, &tail) ||
           ended_in_white_space(t, in(result_of(&t->repair), "edits")) ||
           has_any_code(found, of_the_whole) ||
           has_any_code(in(result_of(&t->repair), "edits"), of_the_whole) ||
           has_any_code(in(result_of(&t->longer), "edits"), of_the_whole) ||
           has_code(in(result_of(&t->longer), "edits"), "system_message_block_type") ||
           begins_with_a_summary(t, in(result_of(&t->longer), "edits")) || is_one_of_the_whole(t);
}

/* A document moved out of a result is one of the history's: whether it is to be cited may change.
 */
static bool has_document(struct tk_val message)
{
    return memmem(tk_span(message).p, tk_span(message).n, "document", strlen("document"));
}

static bool begins_with(struct trial *t, struct tk_val longer, struct tk_val list)
{
    struct tk_val got = tk_first(longer);

    for (struct tk_val want = tk_first(list); tk_exists(want); want = tk_after(list, want)) {
        if (!tk_exists(got) ||
            (!same_unmarked(want, got, &t->arena) && !(has_document(want) && has_document(got))))
            return false;
        got = tk_after(longer, got);
    }
    return true;
}

static struct tk_str repair_is_stable(struct trial *t)
{
    struct tk_val longer = result_of(&t->longer), now = in(longer, "messages");

    if (!t->repaired || !t->has_longer || has_seals(t) ||
        strcmp(policy_word(t, "merge_adjacent"), "never") ||
        !strcmp(policy_word(t, "duplicate_id"), "report"))
        return HOLDS;
    if (!tk_is(in(longer, "safe"), TK_TRUE) || !tk_is(in(result_of(&t->repair), "safe"), TK_TRUE))
        return HOLDS;
    if (begins_with(t, tk_exists(now) ? now : t->messages, tk_root(&t->after_doc)))
        return HOLDS;
    if (!tk_exists(now) && !tk_is(in(result_of(&t->repair), "changed"), TK_TRUE))
        return HOLDS; /* neither changed anything */
    if (is_excepted(t))
        return HOLDS;
    return broken(t, "alone %.*s, with its tail %.*s", SHOW(t->after), SHOW(shown(now)));
}

const struct property properties_of_repeats[] = {
    {"repair_is_idempotent", EVERYONE, repair_is_idempotent},
    {"repair_is_deterministic", EVERYONE, repair_is_deterministic},
    {"codecs_agree", EVERYONE, codecs_agree},
    {"findings_move_along", EVERYONE, findings_move_along},
    {"repair_is_stable", ANTHROPIC, repair_is_stable},
    {NULL, EVERYONE, NULL},
};
