/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which appended messages stay, and pairs each result with its call. A result without a
 * call becomes text. A result for a call that the provider runs is dropped: only the provider
 * answers it.
 */
#include "operations/splice/splice_inside.h"

#include "value/unicode.h"

#include <errno.h>

/* ---- faults ---- */

/* Notes a repair; strict mode records a fault at `at` instead. */
static int repair_or_blame(struct tk_splice_state *s, enum tk_splice_note note,
                           enum tk_splice_fault fault, enum tk_refusal_name name, struct tk_val at,
                           struct tk_str id)
{
    if (!s->in->strict) {
        tk_splice_note(s, note);
        return 0;
    }
    tk_refusal_blame(&s->faults[fault], name, at);
    return id.p && tk_refusal_list(&s->faults[fault], "ids", id, s->in->arena) < 0 ? -ENOMEM : 0;
}

static int drop_server_result(struct tk_splice_state *s, struct tk_val at, struct tk_str id)
{
    return repair_or_blame(s, TK_SPLICE_NOTE_SERVER_TOOL_RESULT_DROPPED,
                           TK_SPLICE_FAULT_SERVER_RESULT, TK_REFUSAL_SERVER_TOOL_RESULT_NOT_ALLOWED,
                           at, id);
}

/* ---- what a result says about its call ---- */

/* Returns true if an appended message is itself a result. */
static bool is_result(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    return (m->flags & TK_MESSAGE_RESULT) ||
           ((m->flags & TK_MESSAGE_WHOLE) && tk_is_result(&t->parts[m->first], false));
}

/* Returns what refers to the call of a result; part: TK_NONE if the message is itself the result. */
static struct tk_val id_of(struct tk_splice_state *s, const struct tk_transcript *t,
                           uint32_t message, uint32_t part)
{
    const struct tk_message *m = &t->messages[message];

    if (part == TK_NONE && !(m->flags & TK_MESSAGE_WHOLE))
        return tk_path_get((struct tk_val){m->doc, m->node}, &tk_splice_shape(s)->message_id);
    part = part == TK_NONE ? m->first : part;
    return tk_part_val(&t->parts[part], t->parts[part].id);
}

/* Returns the id of a result, or its name where it has no id. */
static struct tk_str called(const struct tk_splice_ref *ref)
{
    return ref->id.n > 0 || !ref->name.p ? ref->id : ref->name;
}

static struct tk_splice_call *call_in(struct tk_splice_state *s, const struct tk_map *map,
                                      struct tk_str id)
{
    const uint32_t *slot = tk_map_get(map, id);

    return slot ? &s->calls[*slot - 1] : NULL;
}

/* Returns the call that has the id: of the turn; for the caller's results also of their own round. */
static struct tk_splice_call *call_by_id(struct tk_splice_state *s, enum tk_splice_source source,
                                         struct tk_str id, uint32_t round)
{
    struct tk_splice_call *call = call_in(s, &s->turn_calls, id);

    if (call || source == TK_SPLICE_AUTOMATIC)
        return call;
    call = call_in(s, &s->authored_calls, id);
    return call && (call->round == round || call->kind == TK_SPLICE_CALL_SERVER) ? call : NULL;
}

/* Returns the call that a result answers; where names pair, it may also be a free one of its own round,
 * then of the turn. */
static struct tk_splice_call *find_call(struct tk_splice_state *s, enum tk_splice_source source,
                                        const struct tk_splice_ref *ref, uint32_t round)
{
    bool by_name = tk_splice_has(s, TK_SPLICE_PAIRS_BY_NAME);
    struct tk_splice_call *call =
        by_name && ref->id.n == 0 ? NULL : call_by_id(s, source, ref->id, round);

    if (!call && by_name)
        call = tk_splice_free_call(s, source, round, ref);
    if (!call && by_name && round > 0)
        call = tk_splice_free_call(s, source, 0, ref);
    return call;
}

static bool is_server_id(const struct tk_splice_state *s, const struct tk_splice_call *call,
                         struct tk_str id)
{
    if (call)
        return call->kind == TK_SPLICE_CALL_SERVER || call->kind == TK_SPLICE_CALL_APPROVAL;
    return tk_splice_rules(s)->is_provider_id && tk_splice_rules(s)->is_provider_id(id);
}

/* Returns true for an approval. *ret_id: the id by which it names the request; *ret_call: that request,
 * NULL if the turn has none. */
static bool is_approval(struct tk_splice_state *s, const struct tk_part *p, struct tk_str *ret_id,
                        struct tk_splice_call **ret_call)
{
    struct tk_val id = TK_NO_VAL;
    bool (*is_one)(const struct tk_part *part, struct tk_val *ret_id) =
        tk_splice_rules(s)->is_approval;

    if (!is_one || p->kind == TK_PART_CALL || !is_one(p, &id))
        return false;
    *ret_id = tk_text(id, s->in->arena);
    *ret_call = call_in(s, &s->turn_calls, *ret_id);
    if (*ret_call && (*ret_call)->kind != TK_SPLICE_CALL_APPROVAL)
        *ret_call = NULL;
    return true;
}

/* ---- the caller's results ---- */

static int textify(struct tk_splice_state *s, uint32_t message, uint32_t at,
                   struct tk_splice_part *part, struct tk_str id)
{
    struct tk_val string = TK_NO_VAL;
    struct tk_str text = tk_splice_rules(s)->text_of(&s->t, message, at, &string);
    bool nothing = !text.p || tk_is_blank(text);

    part->string = string;
    part->text = text;
    part->fate = nothing ? TK_FATE_DROPPED : TK_FATE_TEXT;
    return repair_or_blame(s,
                           nothing ? TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_DROPPED
                                   : TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_TEXTIFIED,
                           TK_SPLICE_FAULT_UNKNOWN_ID, TK_REFUSAL_UNKNOWN_TOOL_USE_ID, part->val,
                           id);
}

/* Pairs a result with its call. The later of two results replaces the earlier one. */
static void answer(struct tk_splice_state *s, struct tk_splice_call *call, uint32_t part)
{
    if (call->mine != TK_NONE) {
        tk_splice_note(s, TK_SPLICE_NOTE_DUPLICATE_TOOL_RESULT_LAST_WINS);
        s->parts[call->mine].fate = TK_FATE_DROPPED;
    }
    call->mine = part;
    s->parts[part].fate = call->round == 0 ? TK_FATE_FOR_TURN : TK_FATE_FOR_AUTHORED;
}

static struct tk_splice_part *add_part(struct tk_splice_state *s,
                                       struct tk_splice_appended *appended, struct tk_val v)
{
    s->parts[s->part_count] = (struct tk_splice_part){.val = v, .string = TK_NO_VAL};
    appended->count++;
    return &s->parts[s->part_count++];
}

/* Pairs a result; at: its part, TK_NONE if the message is itself the result. */
static int sort_result(struct tk_splice_state *s, uint32_t index, uint32_t at,
                       struct tk_splice_part *part)
{
    struct tk_splice_appended *appended = &s->appended[index];
    struct tk_val id = id_of(s, &s->t, index, at);
    struct tk_splice_ref ref = {.id = tk_text(id, s->in->arena)};
    struct tk_splice_call *call;

    if (at != TK_NONE)
        ref.name = tk_text(tk_part_val(&s->t.parts[at], s->t.parts[at].name), s->in->arena);
    if (!tk_is(id, TK_STRING) && !tk_splice_has(s, TK_SPLICE_PAIRS_BY_NAME))
        return tk_splice_refuse_id(s, part->val, &tk_splice_rules(s)->result_id);
    if (tk_is(id, TK_STRING) && !ref.id.p)
        return -ENOMEM;
    call = find_call(s, TK_SPLICE_CALLERS, &ref, appended->round);
    if (is_server_id(s, call, ref.id)) {
        part->fate = TK_FATE_DROPPED;
        return drop_server_result(s, part->val, called(&ref));
    }
    if (!call && s->chained)
        return 0;
    if (!call || call->kind != TK_SPLICE_CALL_CLIENT)
        return textify(s, index, at, part, called(&ref));
    appended->answers |= call->round == appended->round;
    answer(s, call, (uint32_t)(part - s->parts));
    return 0;
}

static bool has_result(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_result(&t->parts[i], false))
            return true;
    return false;
}

/* An approval stays where it is; it only matters that the request has one. */
static void sort_approval(struct tk_splice_state *s, const struct tk_part *p)
{
    struct tk_splice_call *call;
    struct tk_str id;

    if (is_approval(s, p, &id, &call) && call)
        call->paired = true;
}

static int sort_user(struct tk_splice_state *s, uint32_t index)
{
    struct tk_splice_appended *appended = &s->appended[index];
    const struct tk_transcript *t = &s->t;
    int r = 0;

    appended->first = s->part_count;
    if (is_result(t, index))
        return sort_result(s, index, TK_NONE, add_part(s, appended, appended->message));
    if (t->messages[index].flags & TK_MESSAGE_WHOLE)
        sort_approval(s, &t->parts[t->messages[index].first]);
    if (!has_result(t, index))
        return 0;
    for (uint32_t i = t->messages[index].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        struct tk_splice_part *part = add_part(s, appended, tk_splice_val(&t->parts[i]));

        if (tk_is_result(&t->parts[i], false))
            r = sort_result(s, index, i, part);
    }
    return r;
}

/* ---- the caller's messages ---- */

bool tk_splice_is_empty(const struct tk_splice_state *s, uint32_t index)
{
    bool (*has_meaning)(const struct tk_message *m) = tk_splice_rules(s)->has_meaning;

    return tk_splice_no_content(s->appended[index].content) && !is_result(&s->t, index) &&
           !(has_meaning && has_meaning(&s->t.messages[index]));
}

/* Begins a round with an authored message, or adds an item to the run of the newest round. */
static int sort_authored(struct tk_splice_state *s, uint32_t index, bool run)
{
    if (!run)
        s->rounds[s->round_count++] =
            (struct tk_splice_round){.first = s->call_count, .from = index};
    s->rounds[s->round_count - 1].to = index + 1;
    s->appended[index].round = s->round_count - 1;
    return tk_splice_read_authored(s, index);
}

/* *run: the items before it belong to an authored run. */
static int sort_assistant(struct tk_splice_state *s, uint32_t index, bool *run)
{
    enum tk_copy copy = TK_COPY_NONE;
    int r = tk_splice_copy(s, index, &copy);

    if (r < 0)
        return r;
    if (copy == TK_COPY_NONE) {
        r = sort_authored(s, index, *run);
        *run = tk_splice_has(s, TK_SPLICE_ITEMS);
        return r;
    }
    tk_splice_remove_copy(s, index, copy);
    return 0;
}

static int sort_message(struct tk_splice_state *s, uint32_t index, bool *run)
{
    struct tk_splice_appended *appended = &s->appended[index];

    appended->round = s->round_count - 1;
    if (tk_splice_is_empty(s, index)) {
        appended->removed = true;
        return repair_or_blame(s, TK_SPLICE_NOTE_EMPTY_MESSAGE_DROPPED, TK_SPLICE_FAULT_EMPTY,
                               TK_REFUSAL_EMPTY_MESSAGE, appended->message,
                               (struct tk_str){NULL, 0});
    }
    if (appended->role == TK_ROLE_ASSISTANT)
        return sort_assistant(s, index, run);
    *run = false;
    return appended->role == TK_ROLE_USER ? sort_user(s, index) : 0;
}

/* Blames authored calls without a result: only the caller knows what the tool returned. */
static int blame_unanswered(struct tk_splice_state *s)
{
    struct tk_refusal *conflict = &s->faults[TK_SPLICE_FAULT_CONFLICT];

    for (uint32_t a = 1; a < s->round_count && conflict->name == TK_REFUSAL_NONE; a++) {
        const struct tk_splice_round *round = &s->rounds[a];

        for (uint32_t i = round->first; i < round->first + round->count; i++) {
            if (s->calls[i].kind != TK_SPLICE_CALL_CLIENT || s->calls[i].mine != TK_NONE)
                continue;
            tk_refusal_blame(conflict, TK_REFUSAL_ASSISTANT_CONFLICT,
                             s->appended[round->from].message);
            if (tk_refusal_list(conflict, "ids", tk_splice_called(s, &s->calls[i]), s->in->arena) <
                0)
                return -ENOMEM;
        }
    }
    return 0;
}

int tk_splice_sort_appended(struct tk_splice_state *s)
{
    bool run = false;
    int r = 0;

    tk_map_init(&s->authored_calls, s->in->arena, s->in->hash_key);
    for (uint32_t i = 0; i < s->appended_count && r == 0; i++)
        if (!s->appended[i].removed)
            r = sort_message(s, i, &run);
    return r == 0 ? blame_unanswered(s) : r;
}

/* ---- the runner's results ---- */

/* Reads a result of the provider's form as a part. */
static struct tk_part read_own(struct tk_splice_state *s, struct tk_val v)
{
    struct tk_message m = {.doc = v.doc, .node = v.node, .own_id = TK_NO_NODE};
    struct tk_part p = {.doc = v.doc,
                        .node = v.node,
                        .type = TK_NO_NODE,
                        .id = TK_NO_NODE,
                        .name = TK_NO_NODE,
                        .payload = TK_NO_NODE,
                        .caller = TK_NO_NODE,
                        .own_id = TK_NO_NODE};

    if (tk_splice_has(s, TK_SPLICE_RESULTS_ARE_MESSAGES))
        tk_shape_read_message(tk_splice_shape(s), &m, s->in->arena);
    if (m.flags & TK_MESSAGE_RESULT)
        p.id = tk_path_get(v, &tk_splice_shape(s)->message_id).node;
    else
        tk_splice_shape(s)->read_part(&p, &m, s->in->arena);
    return p;
}

/* Reads what a result of the runner says about its call, and finds that: *ret_call. *ret_servers: it is
 * one that the provider runs. */
static int find_automatic(struct tk_splice_state *s, struct tk_val result,
                          struct tk_splice_ref *ref, struct tk_splice_call **ret_call,
                          bool *ret_servers)
{
    bool own = tk_is_own_result(tk_splice_rules(s), result);
    struct tk_part p;

    *ret_servers = false;
    if (own) {
        p = read_own(s, result);
        if (is_approval(s, &p, &ref->id, ret_call))
            return 0;
        ref->id = tk_text(tk_part_val(&p, p.id), s->in->arena);
        ref->name = tk_text(tk_part_val(&p, p.name), s->in->arena);
        if (!tk_is(tk_part_val(&p, p.id), TK_STRING) && !tk_splice_has(s, TK_SPLICE_PAIRS_BY_NAME))
            return tk_splice_refuse_id(s, result, &tk_splice_rules(s)->result_id);
    } else {
        ref->id = tk_text(tk_get(result, TK_STR("id")), s->in->arena);
        ref->name = tk_text(tk_get(result, TK_STR("name")), s->in->arena);
        ref->neutral = true;
    }
    *ret_call = find_call(s, TK_SPLICE_AUTOMATIC, ref, 0);
    *ret_servers = is_server_id(s, *ret_call, ref->id);
    return 0;
}

/* Pairs a result of the runner with its call. A result for a known call that isn't replayed is left
 * out without a note. */
static int sort_automatic_one(struct tk_splice_state *s, struct tk_val result)
{
    struct tk_splice_call *call = NULL;
    struct tk_splice_ref ref = {0};
    bool servers;
    int r = find_automatic(s, result, &ref, &call, &servers);

    if (r != 0)
        return r;
    if (servers)
        return drop_server_result(s, result, called(&ref));
    if (!call)
        return repair_or_blame(s, TK_SPLICE_NOTE_UNKNOWN_AUTOMATIC_RESULT_IGNORED,
                               TK_SPLICE_FAULT_UNKNOWN_AUTOMATIC, TK_REFUSAL_UNKNOWN_TOOL_USE_ID,
                               result, called(&ref));
    if (tk_exists(call->automatic))
        tk_splice_note(s, TK_SPLICE_NOTE_DUPLICATE_TOOL_RESULT_LAST_WINS);
    call->automatic = result;
    return 0;
}

int tk_splice_sort_automatic(struct tk_splice_state *s)
{
    struct tk_val list = s->in->tool_results;
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v))
        r = sort_automatic_one(s, v);
    return r;
}
