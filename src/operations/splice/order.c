/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order (part A, "Order rule"): the calls of each round are followed by one message with their
 * results, then by the rest of the caller's messages up to the next round, system messages last.
 */
#include "operations/splice/splice_inside.h"

#include "shapes/shape.h"

#include <errno.h>

#define NOT_EXECUTED TK_STR("Not executed.")
#define CUT_OFF      TK_STR("Not executed: the response was cut off before this call was complete.")

/* ---- messages of the outcome ---- */

struct tk_splice_block *tk_splice_push(struct tk_splice_state *s, enum tk_splice_form form,
                                       struct tk_val val)
{
    struct tk_splice_block *block = &s->blocks[s->block_count++];

    *block = (struct tk_splice_block){.val = val, .toolset = TK_NO_VAL, .form = (uint8_t)form};
    return block;
}

static void push_part(struct tk_splice_state *s, const struct tk_splice_part *part)
{
    if (part->fate != TK_FATE_TEXT)
        tk_splice_push(s, TK_SPLICE_AS_IS, part->val);
    else if (tk_exists(part->string))
        tk_splice_push(s, TK_SPLICE_STRING, part->string);
    else
        tk_splice_push(s, TK_SPLICE_TEXT, TK_NO_VAL)->text = part->text;
}

/* Returns true if a part stays in its message. Deferred messages keep their results of authored
 * calls. */
static bool is_left(const struct tk_splice_part *part, bool deferred)
{
    return part->fate == TK_FATE_STAYS || part->fate == TK_FATE_TEXT ||
           (deferred && part->fate == TK_FATE_FOR_AUTHORED);
}

static struct tk_splice_message as_it_came(const struct tk_splice_appended *appended)
{
    return (struct tk_splice_message){
        .whole = appended->message, .content = appended->content, .role = appended->role};
}

/* Returns a message of the user with the parts that were pushed since. */
static struct tk_splice_message made_of(struct tk_splice_state *s, uint32_t first)
{
    return (struct tk_splice_message){
        .whole = TK_NO_VAL,
        .content = TK_NO_VAL,
        .blocks = &s->blocks[first],
        .block_count = s->block_count - first,
        .role = TK_ROLE_USER,
        .rewritten = true,
        .is_block = tk_splice_has(s, TK_SPLICE_RESULTS_ARE_MESSAGES),
    };
}

/* Makes a message of the parts that are left of an appended one. Returns false if none are. */
static bool leftover(struct tk_splice_state *s, const struct tk_splice_appended *appended,
                     bool deferred, struct tk_splice_message *ret)
{
    uint32_t first = s->block_count;
    bool edited = false;

    if (appended->removed)
        return false;
    for (uint32_t i = appended->first; i < appended->first + appended->count; i++) {
        const struct tk_splice_part *part = &s->parts[i];

        edited |= !is_left(part, deferred) || part->fate == TK_FATE_TEXT;
        if (is_left(part, deferred))
            push_part(s, part);
    }
    *ret = edited && tk_splice_has(s, TK_SPLICE_RESULTS_ARE_MESSAGES) ? made_of(s, first)
                                                                      : as_it_came(appended);
    ret->blocks = &s->blocks[first];
    ret->block_count = s->block_count - first;
    ret->rewritten = edited;
    return !edited || ret->block_count > 0;
}

void tk_splice_put(struct tk_splice_state *s, struct tk_splice_message message)
{
    s->out->messages[s->out->count++] = message;
}

/* ---- results ---- */

static void note_toolset(struct tk_splice_state *s, struct tk_splice_block *block,
                         struct tk_val toolset)
{
    block->toolset = toolset;
    if (tk_exists(toolset))
        tk_splice_note(s, TK_SPLICE_NOTE_TOOLSET_NAME_COPIED);
}

static void push_result(struct tk_splice_state *s, const struct tk_splice_call *call,
                        struct tk_val result)
{
    struct tk_val theirs = tk_exists(call->toolset)
                               ? tk_get(result, tk_str_of(tk_splice_rules(s)->toolset))
                               : TK_NO_VAL;
    bool copied = tk_exists(call->toolset) &&
                  !(tk_is(theirs, TK_STRING) &&
                    tk_str_eq(tk_text(theirs, s->in->arena), tk_text(call->toolset, s->in->arena)));
    struct tk_splice_block *block =
        tk_splice_push(s, copied ? TK_SPLICE_WITH_TOOLSET : TK_SPLICE_AS_IS, result);

    if (copied)
        note_toolset(s, block, call->toolset);
}

/* Refuses because of a value, and names the call; further calls are named with the first. */
static int blame_call(struct tk_splice_state *s, enum tk_refusal_name name, struct tk_val at,
                      const struct tk_splice_call *call)
{
    tk_refusal_blame(&s->out->refusal, name, at);
    if (s->out->refusal.name != name)
        return 0;
    return tk_refusal_list(&s->out->refusal, "ids", tk_splice_called(s, call), s->in->arena) < 0
               ? -ENOMEM
               : 0;
}

/* Adds a result that is written for a call: of a neutral one, or a filled one of this text. */
static void push_made(struct tk_splice_state *s, const struct tk_splice_call *call,
                      struct tk_val neutral, struct tk_str text)
{
    struct tk_splice_block *block = tk_splice_push(s, TK_SPLICE_MADE, neutral);

    block->call = call->part;
    block->text = text;
    note_toolset(s, block, call->toolset);
}

static int push_automatic(struct tk_splice_state *s, const struct tk_splice_call *call)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);

    if (tk_is_own_result(rules, call->automatic))
        push_result(s, call, call->automatic);
    else if (rules->needs_own_form && rules->needs_own_form(call->part))
        return blame_call(s, TK_REFUSAL_RESULT_FORM_REQUIRED, call->automatic, call);
    else
        push_made(s, call, call->automatic, (struct tk_str){NULL, 0});
    return 0;
}

/* Adds an error result for a call without a result; in strict mode refuses because of the call. */
static int push_missing(struct tk_splice_state *s, const struct tk_splice_call *call)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);

    if (s->in->strict || (rules->needs_result && rules->needs_result(call->part)))
        return blame_call(s, TK_REFUSAL_MISSING_TOOL_RESULT, tk_splice_val(call->part), call);
    push_made(s, call, TK_NO_VAL, s->turn.stop == TK_STOP_TRUNCATED ? CUT_OFF : NOT_EXECUTED);
    tk_splice_note(s, TK_SPLICE_NOTE_MISSING_TOOL_RESULT_FILLED);
    return 0;
}

/* Adds the runner's approvals of what the turn asks for, unless the caller has one. */
static void push_approvals(struct tk_splice_state *s, const struct tk_splice_round *round,
                           bool automatic_unused)
{
    for (uint32_t i = round->first; i < round->first + round->count; i++) {
        const struct tk_splice_call *call = &s->calls[i];

        if (call->kind != TK_SPLICE_CALL_APPROVAL || call->paired || call->round > 0)
            continue;
        if (tk_exists(call->automatic) && !automatic_unused)
            push_result(s, call, call->automatic);
        else
            tk_splice_note(s, TK_SPLICE_NOTE_APPROVAL_LEFT_OPEN);
    }
}

static int push_results(struct tk_splice_state *s, const struct tk_splice_round *round,
                        bool automatic_unused)
{
    int r = 0;

    for (uint32_t i = round->first; i < round->first + round->count && r == 0; i++) {
        const struct tk_splice_call *call = &s->calls[i];

        if (call->kind != TK_SPLICE_CALL_CLIENT)
            continue;
        if (call->mine != TK_NONE)
            push_result(s, call, s->parts[call->mine].val);
        else if (tk_exists(call->automatic) && !automatic_unused)
            r = push_automatic(s, call);
        else
            r = push_missing(s, call);
    }
    push_approvals(s, round, automatic_unused);
    return r == 0 && s->out->refusal.name != TK_REFUSAL_NONE ? TK_REFUSED : r;
}

/*
 * Adds, after the results of a round, the other parts of the messages that contained them. Stops
 * at the first message that has parts but no such results. Returns the first message with results,
 * or NULL.
 */
static struct tk_splice_appended *push_leading_answers(struct tk_splice_state *s, uint32_t from,
                                                       uint32_t to)
{
    bool apart = tk_splice_has(s, TK_SPLICE_RESULTS_APART);
    struct tk_splice_appended *first = NULL;

    for (uint32_t i = from; i < to; i++) {
        struct tk_splice_appended *appended = &s->appended[i];
        struct tk_splice_message unused;

        if (appended->answers && !(apart && tk_splice_is_left(s, appended))) {
            first = first ? first : appended;
            leftover(s, appended, false, &unused);
            appended->removed = true;
        } else if (tk_splice_is_left(s, appended)) {
            break;
        }
    }
    return first;
}

/* Returns true if the message that contained the results has exactly the parts of the message to
 * be made, which then keeps its bytes. */
static bool is_same(const struct tk_splice_state *s, const struct tk_splice_appended *answer,
                    const struct tk_splice_block *blocks, uint32_t n)
{
    if (!answer || answer->count != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i].form != TK_SPLICE_AS_IS ||
            blocks[i].val.node != s->parts[answer->first + i].val.node ||
            blocks[i].val.doc != s->parts[answer->first + i].val.doc)
            return false;
    return true;
}

/* Adds each part that was pushed since as a message of its own. */
static void put_each(struct tk_splice_state *s, uint32_t first)
{
    for (uint32_t i = first; i < s->block_count; i++) {
        struct tk_splice_message message = made_of(s, i);

        message.block_count = 1;
        tk_splice_put(s, message);
    }
}

/*
 * Adds one user message with the results of a round, none if the round has no calls. `from`,
 * `to`: the appended messages whose other parts may stay in it.
 */
static int put_results(struct tk_splice_state *s, uint32_t round, bool automatic_unused,
                       uint32_t from, uint32_t to)
{
    uint32_t first = s->block_count;
    const struct tk_splice_appended *answer;
    int r = push_results(s, &s->rounds[round], automatic_unused);

    if (r != 0 || s->block_count == first)
        return r;
    if (tk_splice_has(s, TK_SPLICE_RESULTS_ARE_MESSAGES)) {
        put_each(s, first);
        return 0;
    }
    answer = push_leading_answers(s, from, to);
    if (is_same(s, answer, &s->blocks[first], s->block_count - first))
        tk_splice_put(s, as_it_came(answer));
    else
        tk_splice_put(s, made_of(s, first));
    return 0;
}

/* ---- runs of user and system messages ---- */

static bool ends_in_server_result(struct tk_splice_state *s, struct tk_val content)
{
    struct tk_part p = {.doc = content.doc, .node = TK_NO_NODE};

    if (!tk_is(content, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        p.node = v.node;
    tk_splice_shape(s)->read_part(&p, NULL, s->in->arena);
    return tk_is_result(&p, true);
}

static bool role_is(struct tk_val message, const char *role)
{
    return tk_text_is(tk_get(message, TK_STR("role")), tk_str_of(role));
}

/* Returns the history's last message that isn't a system message. A run without a turn before it
 * follows that message. */
static struct tk_val last_of_history(const struct tk_splice_state *s)
{
    struct tk_val last = TK_NO_VAL, list = s->in->messages;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!role_is(v, "system"))
            last = v;
    return last;
}

/* Returns the content of a message. */
static struct tk_val content_of(const struct tk_splice_state *s, struct tk_val message)
{
    return tk_get(message, tk_parts_name(tk_splice_shape(s)));
}

/* Returns true if a system message may directly follow the assistant message of a round; without a
 * turn, the history. */
static bool takes_system(struct tk_splice_state *s, uint32_t round)
{
    struct tk_val last;

    if (round > 0)
        return ends_in_server_result(s, s->appended[s->rounds[round].from].content);
    if (s->turn.block_count > 0)
        return s->turn.ends_in_server_result;
    last = last_of_history(s);
    return role_is(last, "user") || ends_in_server_result(s, content_of(s, last));
}

/* Adds the appended messages of one role, in their order. */
static void put_role(struct tk_splice_state *s, uint32_t from, uint32_t to, enum tk_role role)
{
    struct tk_splice_message message;

    for (uint32_t i = from; i < to; i++)
        if (s->appended[i].role == role && leftover(s, &s->appended[i], false, &message))
            tk_splice_put(s, message);
}

/* Returns true if a user message follows a system message, which then moves to the end. */
static bool is_mixed(const struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    bool system = false;

    for (uint32_t i = from; i < to; i++) {
        if (!tk_splice_is_left(s, &s->appended[i]))
            continue;
        if (s->appended[i].role == TK_ROLE_SYSTEM)
            system = true;
        else if (system)
            return true;
    }
    return false;
}

static struct tk_val first_system(const struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (s->appended[i].role == TK_ROLE_SYSTEM && !s->appended[i].removed)
            return s->appended[i].message;
    return TK_NO_VAL;
}

/* Adds the rest of a round's messages in their order. */
static void put_in_order(struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    struct tk_splice_message message;

    for (uint32_t i = from; i < to; i++)
        if (leftover(s, &s->appended[i], false, &message))
            tk_splice_put(s, message);
}

/* Adds the rest of a round's messages, system messages last; has_user: its results were added before. */
static int put_system_last(struct tk_splice_state *s, uint32_t round, uint32_t from, uint32_t to,
                           bool has_user)
{
    struct tk_val system = first_system(s, from, to);
    uint32_t before = s->out->count;

    if (is_mixed(s, from, to))
        tk_splice_note(s, TK_SPLICE_NOTE_SYSTEM_MESSAGE_MOVED_LAST);
    put_role(s, from, to, TK_ROLE_USER);
    if (tk_exists(system) && !has_user && s->out->count == before && !takes_system(s, round))
        return tk_refusal_blame(&s->out->refusal, TK_REFUSAL_SYSTEM_PLACEMENT, system);
    put_role(s, from, to, TK_ROLE_SYSTEM);
    return 0;
}

/* ---- all rounds ---- */

/* Returns the index after the last appended message of a round; its messages are adjacent. */
static uint32_t end_of(const struct tk_splice_state *s, uint32_t round)
{
    return round + 1 < s->round_count ? s->rounds[round + 1].from : s->appended_count;
}

/* Adds the messages that begin a round, its results, and the rest of its messages. */
static int put_round(struct tk_splice_state *s, uint32_t round, bool automatic_unused)
{
    uint32_t from = s->rounds[round].to, to = end_of(s, round), before;
    int r;

    for (uint32_t i = s->rounds[round].from; i < from; i++)
        if (!s->appended[i].removed)
            tk_splice_put(s, as_it_came(&s->appended[i]));
    before = s->out->count;
    r = put_results(s, round, automatic_unused, from, to);
    if (r != 0)
        return r;
    if (tk_splice_has(s, TK_SPLICE_SYSTEM_LAST))
        return put_system_last(s, round, from, to, s->out->count > before);
    put_in_order(s, from, to);
    return 0;
}

int tk_splice_arrange(struct tk_splice_state *s, bool automatic_unused)
{
    int r = tk_splice_put_turn(s);

    if (s->authored_first)
        tk_splice_note(s, TK_SPLICE_NOTE_AUTHORED_CALL_AFTER_RESULTS);
    for (uint32_t a = 0; a < s->round_count && r == 0; a++)
        r = put_round(s, a, automatic_unused);
    return r;
}

static void defer(struct tk_splice_state *s, enum tk_splice_note note)
{
    struct tk_splice_message message;

    for (uint32_t i = 0; i < s->appended_count; i++)
        if (leftover(s, &s->appended[i], true, &message))
            s->out->deferred[s->out->deferred_count++] = message;
    if (s->out->deferred_count > 0)
        tk_splice_note(s, note);
}

int tk_splice_arrange_results(struct tk_splice_state *s, bool automatic_unused,
                              enum tk_splice_note note)
{
    int r = tk_splice_put_turn(s);

    if (r == 0)
        r = put_results(s, 0, automatic_unused, 0, 0);
    if (r == 0)
        defer(s, note);
    return r;
}

int tk_splice_arrange_turn(struct tk_splice_state *s)
{
    int r = tk_splice_put_turn(s);

    if (r == 0)
        defer(s, TK_SPLICE_NOTE_DEFERRED_UNTIL_TURN_RESUMES);
    return r;
}

void tk_splice_defer_all(struct tk_splice_state *s, enum tk_splice_note note)
{
    for (uint32_t i = 0; i < s->appended_count; i++)
        s->out->deferred[s->out->deferred_count++] = as_it_came(&s->appended[i]);
    tk_splice_note(s, note);
}
