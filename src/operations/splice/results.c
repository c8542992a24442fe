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

/* ---- a result as text ---- */

/* Reads the texts of a list, joined by newlines. A single text isn't copied. */
static void read_texts(struct tk_splice_state *s, struct tk_val list, struct tk_splice_part *part)
{
    struct tk_out joined;
    uint32_t count = 0;

    tk_out_init(&joined, s->in->arena);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_val text = tk_splice_rules(s)->text(v);

        if (!tk_exists(text))
            continue;
        if (count++ > 0)
            tk_out_put(&joined, "\n", 1);
        tk_out_ref(&joined, tk_text(text, s->in->arena));
        part->string = text;
    }
    if (count > 1) {
        part->string = TK_NO_VAL;
        part->text = tk_out_join(&joined);
    }
}

static bool has_no_text(struct tk_splice_state *s, const struct tk_splice_part *part)
{
    struct tk_str text = tk_exists(part->string) ? tk_text(part->string, s->in->arena) : part->text;

    return !text.p || tk_is_blank(text);
}

static int textify(struct tk_splice_state *s, struct tk_splice_part *part, struct tk_str id)
{
    struct tk_val content = tk_get(part->val, tk_str_of(tk_splice_rules(s)->result_content));
    bool nothing;

    if (tk_is(content, TK_STRING))
        part->string = content;
    else if (tk_is(content, TK_ARRAY))
        read_texts(s, content, part);
    nothing = has_no_text(s, part);
    part->fate = nothing ? TK_FATE_DROPPED : TK_FATE_TEXT;
    return repair_or_blame(s,
                           nothing ? TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_DROPPED
                                   : TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_TEXTIFIED,
                           TK_SPLICE_FAULT_UNKNOWN_ID, TK_REFUSAL_UNKNOWN_TOOL_USE_ID, part->val,
                           id);
}

/* ---- the caller's results ---- */

/* Returns the call that a result of the caller answers: a call of the turn or of the result's own
 * round. */
static struct tk_splice_call *find_call(struct tk_splice_state *s, struct tk_str id, uint32_t round)
{
    uint32_t *slot = tk_map_get(&s->turn_calls, id);
    struct tk_splice_call *call;

    if (slot)
        return &s->calls[*slot - 1];
    slot = tk_map_get(&s->authored_calls, id);
    call = slot ? &s->calls[*slot - 1] : NULL;
    return call && (call->round == round || call->kind == TK_SPLICE_CALL_SERVER) ? call : NULL;
}

static bool is_server_id(const struct tk_splice_state *s, const struct tk_splice_call *call,
                         struct tk_str id)
{
    return call ? call->kind == TK_SPLICE_CALL_SERVER : tk_splice_rules(s)->is_provider_id(id);
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

static int sort_result(struct tk_splice_state *s, struct tk_splice_appended *appended,
                       uint32_t part)
{
    const char *member = tk_splice_rules(s)->result_id;
    struct tk_val block = s->parts[part].val, id = tk_get(block, tk_str_of(member));
    struct tk_str text = tk_text(id, s->in->arena);
    struct tk_splice_call *call;

    if (!tk_is(id, TK_STRING))
        return tk_exists(id) ? tk_refusal_blame(&s->out->refusal, TK_REFUSAL_INVALID_PARAMS, id)
                             : tk_refusal_blame_member(&s->out->refusal, TK_REFUSAL_INVALID_PARAMS,
                                                       block, member);
    if (!text.p)
        return -ENOMEM;
    call = find_call(s, text, appended->round);
    if (is_server_id(s, call, text)) {
        s->parts[part].fate = TK_FATE_DROPPED;
        return drop_server_result(s, block, text);
    }
    if (!call || call->kind != TK_SPLICE_CALL_CLIENT)
        return textify(s, &s->parts[part], text);
    appended->answers |= call->round == appended->round;
    answer(s, call, part);
    return 0;
}

static bool has_result(const struct tk_splice_state *s, struct tk_val content)
{
    if (!tk_is(content, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if (tk_splice_rules(s)->is_result(v))
            return true;
    return false;
}

static int sort_user(struct tk_splice_state *s, struct tk_splice_appended *appended)
{
    int r = 0;

    appended->first = s->part_count;
    if (!has_result(s, appended->content))
        return 0;
    for (struct tk_val v = tk_first(appended->content); tk_exists(v) && r == 0;
         v = tk_after(appended->content, v)) {
        s->parts[s->part_count] = (struct tk_splice_part){.val = v, .string = TK_NO_VAL};
        appended->count++;
        s->part_count++;
        if (tk_splice_rules(s)->is_result(v))
            r = sort_result(s, appended, s->part_count - 1);
    }
    return r;
}

/* ---- the caller's messages ---- */

static bool is_empty(const struct tk_splice_state *s, const struct tk_splice_appended *appended)
{
    return tk_splice_no_blocks(appended->content) &&
           !tk_splice_rules(s)->has_meaning(appended->message);
}

static int sort_assistant(struct tk_splice_state *s, uint32_t index)
{
    struct tk_splice_appended *appended = &s->appended[index];
    enum tk_copy copy = TK_COPY_NONE;
    int r = tk_splice_copy(s, appended->content, &copy);

    if (r < 0)
        return r;
    if (copy == TK_COPY_NONE) {
        appended->authored = true;
        appended->round = s->round_count;
        return tk_splice_read_authored(s, index);
    }
    appended->removed = true;
    tk_splice_note(s, copy == TK_COPY_EQUAL ? TK_SPLICE_NOTE_ASSISTANT_COPY_DROPPED
                                            : TK_SPLICE_NOTE_ASSISTANT_COPY_REPLACED);
    return 0;
}

static int sort_message(struct tk_splice_state *s, uint32_t index)
{
    struct tk_splice_appended *appended = &s->appended[index];

    appended->round = s->round_count - 1;
    if (is_empty(s, appended)) {
        appended->removed = true;
        return repair_or_blame(s, TK_SPLICE_NOTE_EMPTY_MESSAGE_DROPPED, TK_SPLICE_FAULT_EMPTY,
                               TK_REFUSAL_EMPTY_MESSAGE, appended->message,
                               (struct tk_str){NULL, 0});
    }
    if (appended->role == TK_ROLE_ASSISTANT)
        return sort_assistant(s, index);
    return appended->role == TK_ROLE_USER ? sort_user(s, appended) : 0;
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
                             s->appended[round->message].message);
            if (tk_refusal_list(conflict, "ids", s->calls[i].id, s->in->arena) < 0)
                return -ENOMEM;
        }
    }
    return 0;
}

int tk_splice_sort_appended(struct tk_splice_state *s)
{
    int r = 0;

    tk_map_init(&s->authored_calls, s->in->arena, s->in->hash_key);
    for (uint32_t i = 0; i < s->appended_count && r == 0; i++)
        if (!s->appended[i].removed)
            r = sort_message(s, i);
    return r == 0 ? blame_unanswered(s) : r;
}

/* ---- the runner's results ---- */

/* Pairs a result of the runner with its call. A result for a known call that isn't replayed is left
 * out without a note. */
static int sort_automatic_one(struct tk_splice_state *s, struct tk_val result)
{
    struct tk_str id =
        tk_text(tk_get(result, tk_str_of(tk_splice_rules(s)->result_id)), s->in->arena);
    uint32_t *slot = tk_map_get(&s->turn_calls, id);
    struct tk_splice_call *call = slot ? &s->calls[*slot - 1] : NULL;

    if (is_server_id(s, call, id))
        return drop_server_result(s, result, id);
    if (!call)
        return repair_or_blame(s, TK_SPLICE_NOTE_UNKNOWN_AUTOMATIC_RESULT_IGNORED,
                               TK_SPLICE_FAULT_UNKNOWN_AUTOMATIC, TK_REFUSAL_UNKNOWN_TOOL_USE_ID,
                               result, id);
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
