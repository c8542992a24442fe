/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order (part A, "Order rule"): behind each asker one message with its results, then what else
 * the caller wrote up to the next asker, system messages last.
 */
#include "operations/splice/inside.h"

#include "shapes/shape.h"

#include <errno.h>

#define NOT_EXECUTED TK_STR("Not executed.")
#define CUT_OFF      TK_STR("Not executed: the response was cut off before this call was complete.")

/* ---- messages of the outcome ---- */

static struct tk_splice_block *push_block(struct tk_splice_state *s, enum tk_splice_form form,
                                          struct tk_val val)
{
    struct tk_splice_block *block = &s->blocks[s->block_count++];

    *block = (struct tk_splice_block){.val = val, .toolset = TK_NO_VAL, .form = (uint8_t)form};
    return block;
}

static void push_piece(struct tk_splice_state *s, const struct tk_piece *piece)
{
    if (piece->fate != TK_PIECE_TEXT)
        push_block(s, TK_SPLICE_AS_IS, piece->val);
    else if (tk_exists(piece->string))
        push_block(s, TK_SPLICE_STRING, piece->string);
    else
        push_block(s, TK_SPLICE_TEXT, TK_NO_VAL)->text = piece->text;
}

/* Results for an authored message stay in its carriers where those are handed back. */
static bool is_left(const struct tk_piece *piece, bool deferred)
{
    return piece->fate == TK_PIECE_STAYS || piece->fate == TK_PIECE_TEXT ||
           (deferred && piece->fate == TK_PIECE_AUTHORED);
}

static struct tk_splice_message as_it_came(const struct tk_item *item)
{
    return (struct tk_splice_message){
        .whole = item->message, .content = item->content, .role = item->role};
}

/* What is left of an item; false where nothing is. */
static bool leftover(struct tk_splice_state *s, const struct tk_item *item, bool deferred,
                     struct tk_splice_message *ret)
{
    uint32_t first = s->block_count;
    bool edited = false;

    if (item->removed)
        return false;
    for (uint32_t i = item->first; i < item->first + item->count; i++) {
        const struct tk_piece *piece = &s->pieces[i];

        edited |= !is_left(piece, deferred) || piece->fate == TK_PIECE_TEXT;
        if (is_left(piece, deferred))
            push_piece(s, piece);
    }
    *ret = as_it_came(item);
    ret->blocks = &s->blocks[first];
    ret->block_count = s->block_count - first;
    ret->rewritten = edited;
    return !edited || ret->block_count > 0;
}

static void put(struct tk_splice_state *s, struct tk_splice_message message)
{
    s->out->messages[s->out->count++] = message;
}

/* ---- the turn ---- */

static void put_turn(struct tk_splice_state *s)
{
    const struct tk_splice_turn *turn = &s->turn;
    uint32_t first = s->block_count;

    if (turn->block_count == 0) {
        tk_splice_note(s, TK_SPLICE_NOTE_EMPTY_TURN_NOT_REPLAYED);
        return;
    }
    if (turn->trimmed) {
        tk_splice_note(s, TK_SPLICE_NOTE_FALLBACK_SEAM_TRIMMED);
        for (uint32_t i = 0; i < turn->block_count; i++)
            push_block(s, TK_SPLICE_AS_IS, turn->stays[i]);
    }
    put(s, (struct tk_splice_message){
               .whole = turn->whole,
               .content = turn->content,
               .blocks = &s->blocks[first],
               .block_count = s->block_count - first,
               .role = TK_ROLE_ASSISTANT,
               .rewritten = turn->trimmed,
           });
}

/* ---- results ---- */

static void push_result(struct tk_splice_state *s, const struct tk_ask *ask, struct tk_val result)
{
    struct tk_val theirs = tk_get(result, TK_STR("toolset_name"));
    bool copied = tk_exists(ask->toolset) &&
                  !(tk_is(theirs, TK_STRING) &&
                    tk_str_eq(tk_text(theirs, s->in->arena), tk_text(ask->toolset, s->in->arena)));
    struct tk_splice_block *block =
        push_block(s, copied ? TK_SPLICE_WITH_TOOLSET : TK_SPLICE_AS_IS, result);

    if (copied) {
        block->toolset = ask->toolset;
        tk_splice_note(s, TK_SPLICE_NOTE_TOOLSET_NAME_COPIED);
    }
}

/* An error result in the place of one that nobody has; strict mode blames the call. */
static int push_missing(struct tk_splice_state *s, const struct tk_ask *ask)
{
    struct tk_splice_block *block;

    if (s->in->strict) {
        tk_refusal_blame(&s->out->refusal, TK_REFUSAL_MISSING_TOOL_RESULT, ask->block);
        return tk_refusal_list(&s->out->refusal, "ids", ask->id, s->in->arena) < 0 ? -ENOMEM : 0;
    }
    block = push_block(s, TK_SPLICE_FILLED, tk_get(ask->block, TK_STR("id")));
    block->text = s->turn.stop == TK_STOP_TRUNCATED ? CUT_OFF : NOT_EXECUTED;
    block->toolset = ask->toolset;
    if (tk_exists(ask->toolset))
        tk_splice_note(s, TK_SPLICE_NOTE_TOOLSET_NAME_COPIED);
    tk_splice_note(s, TK_SPLICE_NOTE_MISSING_TOOL_RESULT_FILLED);
    return 0;
}

static int push_results(struct tk_splice_state *s, const struct tk_asker *asker,
                        bool automatic_unused)
{
    int r = 0;

    for (uint32_t i = asker->first; i < asker->first + asker->count && r == 0; i++) {
        const struct tk_ask *ask = &s->asks[i];

        if (ask->kind != TK_ASK_CLIENT)
            continue;
        if (ask->mine != TK_NONE)
            push_result(s, ask, s->pieces[ask->mine].val);
        else if (tk_exists(ask->automatic) && !automatic_unused)
            push_result(s, ask, ask->automatic);
        else
            r = push_missing(s, ask);
    }
    return r == 0 && s->out->refusal.name != TK_REFUSAL_NONE ? TK_REFUSED : r;
}

/*
 * What else the carriers of results hold goes behind these, up to the first message of the caller's
 * that holds none. Returns the first carrier, or NULL.
 */
static struct tk_item *push_leading_carriers(struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    struct tk_item *first = NULL;

    for (uint32_t i = from; i < to; i++) {
        struct tk_item *item = &s->items[i];
        struct tk_splice_message unused;

        if (item->carries) {
            first = first ? first : item;
            leftover(s, item, false, &unused);
            item->removed = true;
        } else if (tk_splice_is_left(s, item)) {
            break;
        }
    }
    return first;
}

/* Whether the message that a carrier came in is just what its results message would be. */
static bool is_same(const struct tk_splice_state *s, const struct tk_item *carrier,
                    const struct tk_splice_block *blocks, uint32_t n)
{
    if (!carrier || carrier->count != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i].form != TK_SPLICE_AS_IS ||
            blocks[i].val.node != s->pieces[carrier->first + i].val.node ||
            blocks[i].val.doc != s->pieces[carrier->first + i].val.doc)
            return false;
    return true;
}

/* One user message with the results of an asker, none where nothing was asked; `from`, `to`: the
 * items whose other blocks may stay in it. */
static int put_results(struct tk_splice_state *s, uint32_t asker, bool automatic_unused,
                       uint32_t from, uint32_t to)
{
    uint32_t first = s->block_count;
    const struct tk_item *carrier;
    int r = push_results(s, &s->askers[asker], automatic_unused);

    if (r != 0 || s->block_count == first)
        return r;
    carrier = push_leading_carriers(s, from, to);
    if (is_same(s, carrier, &s->blocks[first], s->block_count - first)) {
        put(s, as_it_came(carrier));
        return 0;
    }
    put(s, (struct tk_splice_message){
               .whole = TK_NO_VAL,
               .content = TK_NO_VAL,
               .blocks = &s->blocks[first],
               .block_count = s->block_count - first,
               .role = TK_ROLE_USER,
               .rewritten = true,
           });
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
    tk_shape_anthropic.read_part(&p, NULL, s->in->arena);
    return tk_is_result(&p, true);
}

static bool role_is(struct tk_val message, const char *role)
{
    return tk_text_is(tk_get(message, TK_STR("role")), tk_str_of(role));
}

/* The history's last message that isn't a system message: what a run joins that has no turn. */
static struct tk_val last_of_history(const struct tk_splice_state *s)
{
    struct tk_val last = TK_NO_VAL, list = s->in->messages;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!role_is(v, "system"))
            last = v;
    return last;
}

/* May a system message stand behind what precedes the run of an asker? */
static bool takes_system(struct tk_splice_state *s, uint32_t asker)
{
    struct tk_val last;

    if (asker > 0)
        return ends_in_server_result(s, s->items[s->askers[asker].item].content);
    if (s->turn.block_count > 0)
        return s->turn.ends_in_server_result;
    last = last_of_history(s);
    return role_is(last, "user") || ends_in_server_result(s, tk_get(last, TK_STR("content")));
}

/* One role's messages of those items, in their order. */
static void put_role(struct tk_splice_state *s, uint32_t from, uint32_t to, enum tk_role role)
{
    struct tk_splice_message message;

    for (uint32_t i = from; i < to; i++)
        if (s->items[i].role == role && leftover(s, &s->items[i], false, &message))
            put(s, message);
}

/* A user message behind a system message: the latter will move. */
static bool is_mixed(const struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    bool system = false;

    for (uint32_t i = from; i < to; i++) {
        if (!tk_splice_is_left(s, &s->items[i]))
            continue;
        if (s->items[i].role == TK_ROLE_SYSTEM)
            system = true;
        else if (system)
            return true;
    }
    return false;
}

static struct tk_val first_system(const struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (s->items[i].role == TK_ROLE_SYSTEM && !s->items[i].removed)
            return s->items[i].message;
    return TK_NO_VAL;
}

/* What the caller wrote behind an asker; has_user: its results stand there already. */
static int put_rest(struct tk_splice_state *s, uint32_t asker, uint32_t from, uint32_t to,
                    bool has_user)
{
    struct tk_val system = first_system(s, from, to);
    uint32_t before = s->out->count;

    if (is_mixed(s, from, to))
        tk_splice_note(s, TK_SPLICE_NOTE_SYSTEM_MESSAGE_MOVED_LAST);
    put_role(s, from, to, TK_ROLE_USER);
    if (tk_exists(system) && !has_user && s->out->count == before && !takes_system(s, asker))
        return tk_refusal_blame(&s->out->refusal, TK_REFUSAL_SYSTEM_PLACEMENT, system);
    put_role(s, from, to, TK_ROLE_SYSTEM);
    return 0;
}

/* ---- all of it ---- */

/* The items of an asker are neighbours: where they end. */
static uint32_t end_of(const struct tk_splice_state *s, uint32_t asker)
{
    return asker + 1 < s->asker_count ? s->askers[asker + 1].item : s->item_count;
}

int tk_splice_arrange(struct tk_splice_state *s, bool automatic_unused)
{
    uint32_t from = 0;
    int r = 0;

    put_turn(s);
    if (s->authored_first)
        tk_splice_note(s, TK_SPLICE_NOTE_AUTHORED_CALL_AFTER_RESULTS);
    for (uint32_t a = 0; a < s->asker_count && r == 0; a++) {
        uint32_t to = end_of(s, a), before;

        if (a > 0)
            put(s, as_it_came(&s->items[from++]));
        before = s->out->count;
        r = put_results(s, a, automatic_unused, from, to);
        if (r == 0)
            r = put_rest(s, a, from, to, s->out->count > before);
        from = to;
    }
    return r;
}

static void defer(struct tk_splice_state *s, enum tk_splice_note note)
{
    struct tk_splice_message message;

    for (uint32_t i = 0; i < s->item_count; i++)
        if (leftover(s, &s->items[i], true, &message))
            s->out->deferred[s->out->deferred_count++] = message;
    if (s->out->deferred_count > 0)
        tk_splice_note(s, note);
}

int tk_splice_arrange_results(struct tk_splice_state *s, bool automatic_unused)
{
    int r;

    put_turn(s);
    r = put_results(s, 0, automatic_unused, 0, 0);
    if (r == 0)
        defer(s, TK_SPLICE_NOTE_DEFERRED_UNTIL_SERVER_TOOL_RESOLVES);
    return r;
}

int tk_splice_arrange_turn(struct tk_splice_state *s)
{
    put_turn(s);
    defer(s, TK_SPLICE_NOTE_DEFERRED_UNTIL_TURN_RESUMES);
    return 0;
}

void tk_splice_defer_all(struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->item_count; i++)
        s->out->deferred[s->out->deferred_count++] = as_it_came(&s->items[i]);
    tk_splice_note(s, TK_SPLICE_NOTE_REFUSAL_TURN_NOT_REPLAYED);
}
