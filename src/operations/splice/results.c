/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the appended messages stay, and for which call each result is. A result for no call
 * becomes text; one for a server's call goes, for only the provider answers those.
 */
#include "operations/splice/inside.h"

#include "value/unicode.h"

#include <errno.h>

/* ---- faults ---- */

/* Repair notes what it does; strict mode collects whom it will blame. */
static int mend_or_blame(struct tk_splice_state *s, enum tk_splice_note note,
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
    return mend_or_blame(s, TK_SPLICE_NOTE_SERVER_TOOL_RESULT_DROPPED,
                         TK_SPLICE_FAULT_SERVER_RESULT, TK_REFUSAL_SERVER_TOOL_RESULT_NOT_ALLOWED,
                         at, id);
}

/* ---- a result as text ---- */

static bool is_text_block(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("text")) &&
           tk_is(tk_get(block, TK_STR("text")), TK_STRING);
}

/* Texts of a list, joined by newlines; where there is one, it is referred to. */
static void read_texts(struct tk_splice_state *s, struct tk_val list, struct tk_piece *piece)
{
    struct tk_out joined;
    uint32_t count = 0;

    tk_out_init(&joined, s->in->arena);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_val text = tk_get(v, TK_STR("text"));

        if (!is_text_block(v))
            continue;
        if (count++ > 0)
            tk_out_put(&joined, "\n", 1);
        tk_out_ref(&joined, tk_text(text, s->in->arena));
        piece->string = text;
    }
    if (count > 1) {
        piece->string = TK_NO_VAL;
        piece->text = tk_out_join(&joined);
    }
}

static bool has_no_text(struct tk_splice_state *s, const struct tk_piece *piece)
{
    struct tk_str text =
        tk_exists(piece->string) ? tk_text(piece->string, s->in->arena) : piece->text;

    return !text.p || tk_is_blank(text);
}

static int textify(struct tk_splice_state *s, struct tk_piece *piece, struct tk_str id)
{
    struct tk_val content = tk_get(piece->val, TK_STR("content"));
    bool nothing;

    if (tk_is(content, TK_STRING))
        piece->string = content;
    else if (tk_is(content, TK_ARRAY))
        read_texts(s, content, piece);
    nothing = has_no_text(s, piece);
    piece->fate = nothing ? TK_PIECE_GONE : TK_PIECE_TEXT;
    return mend_or_blame(s,
                         nothing ? TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_DROPPED
                                 : TK_SPLICE_NOTE_UNKNOWN_TOOL_RESULT_TEXTIFIED,
                         TK_SPLICE_FAULT_UNKNOWN_ID, TK_REFUSAL_UNKNOWN_TOOL_USE_ID, piece->val,
                         id);
}

/* ---- the caller's results ---- */

/* The call that a result of the caller's can be for: the turn's, or of the message in front. */
static struct tk_ask *find_ask(struct tk_splice_state *s, struct tk_str id, uint32_t asker)
{
    uint32_t *slot = tk_map_get(&s->turn_asks, id);
    struct tk_ask *ask;

    if (slot)
        return &s->asks[*slot - 1];
    slot = tk_map_get(&s->authored_asks, id);
    ask = slot ? &s->asks[*slot - 1] : NULL;
    return ask && (ask->asker == asker || ask->kind == TK_ASK_SERVER) ? ask : NULL;
}

static bool is_server_id(const struct tk_ask *ask, struct tk_str id)
{
    if (ask)
        return ask->kind == TK_ASK_SERVER;
    return tk_str_starts(id, TK_STR("srvtoolu_")) || tk_str_starts(id, TK_STR("mcptoolu_"));
}

/* Of two for one call the later one holds. */
static void answer(struct tk_splice_state *s, struct tk_ask *ask, uint32_t piece)
{
    if (ask->mine != TK_NONE) {
        tk_splice_note(s, TK_SPLICE_NOTE_DUPLICATE_TOOL_RESULT_LAST_WINS);
        s->pieces[ask->mine].fate = TK_PIECE_GONE;
    }
    ask->mine = piece;
    s->pieces[piece].fate = ask->asker == 0 ? TK_PIECE_TURN : TK_PIECE_AUTHORED;
}

static int sort_result(struct tk_splice_state *s, struct tk_item *item, uint32_t piece)
{
    struct tk_val block = s->pieces[piece].val, id = tk_get(block, TK_STR("tool_use_id"));
    struct tk_str text = tk_text(id, s->in->arena);
    struct tk_ask *ask;

    if (!tk_is(id, TK_STRING))
        return tk_exists(id) ? tk_refusal_blame(&s->out->refusal, TK_REFUSAL_INVALID_PARAMS, id)
                             : tk_refusal_blame_member(&s->out->refusal, TK_REFUSAL_INVALID_PARAMS,
                                                       block, "tool_use_id");
    if (!text.p)
        return -ENOMEM;
    ask = find_ask(s, text, item->asker);
    if (is_server_id(ask, text)) {
        s->pieces[piece].fate = TK_PIECE_GONE;
        return drop_server_result(s, block, text);
    }
    if (!ask || ask->kind != TK_ASK_CLIENT)
        return textify(s, &s->pieces[piece], text);
    item->carries |= ask->asker == item->asker;
    answer(s, ask, piece);
    return 0;
}

static bool is_result(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("tool_result"));
}

static bool has_result(struct tk_val content)
{
    if (!tk_is(content, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if (is_result(v))
            return true;
    return false;
}

static int sort_user(struct tk_splice_state *s, struct tk_item *item)
{
    int r = 0;

    item->first = s->piece_count;
    if (!has_result(item->content))
        return 0;
    for (struct tk_val v = tk_first(item->content); tk_exists(v) && r == 0;
         v = tk_after(item->content, v)) {
        s->pieces[s->piece_count] = (struct tk_piece){.val = v, .string = TK_NO_VAL};
        item->count++;
        s->piece_count++;
        if (is_result(v))
            r = sort_result(s, item, s->piece_count - 1);
    }
    return r;
}

/* ---- the caller's messages ---- */

/* A system message without blocks can still say something. */
static bool is_empty(const struct tk_item *item)
{
    if (item->role == TK_ROLE_SYSTEM && tk_exists(tk_get(item->message, TK_STR("output_config"))))
        return false;
    return tk_splice_no_blocks(item->content);
}

static int sort_assistant(struct tk_splice_state *s, uint32_t index)
{
    struct tk_item *item = &s->items[index];
    enum tk_copy copy = TK_COPY_NONE;
    int r = tk_splice_copy(s, item->content, &copy);

    if (r < 0)
        return r;
    if (copy == TK_COPY_NONE) {
        item->authored = true;
        item->asker = s->asker_count;
        return tk_splice_read_authored(s, index);
    }
    item->removed = true;
    tk_splice_note(s, copy == TK_COPY_EQUAL ? TK_SPLICE_NOTE_ASSISTANT_COPY_DROPPED
                                            : TK_SPLICE_NOTE_ASSISTANT_COPY_REPLACED);
    return 0;
}

static int sort_item(struct tk_splice_state *s, uint32_t index)
{
    struct tk_item *item = &s->items[index];

    item->asker = s->asker_count - 1;
    if (is_empty(item)) {
        item->removed = true;
        return mend_or_blame(s, TK_SPLICE_NOTE_EMPTY_MESSAGE_DROPPED, TK_SPLICE_FAULT_EMPTY,
                             TK_REFUSAL_EMPTY_MESSAGE, item->message, (struct tk_str){NULL, 0});
    }
    if (item->role == TK_ROLE_ASSISTANT)
        return sort_assistant(s, index);
    return item->role == TK_ROLE_USER ? sort_user(s, item) : 0;
}

/* A call that the caller wrote has its answer, or the caller has to say what is meant. */
static int blame_unanswered(struct tk_splice_state *s)
{
    struct tk_refusal *conflict = &s->faults[TK_SPLICE_FAULT_CONFLICT];

    for (uint32_t a = 1; a < s->asker_count && conflict->name == TK_REFUSAL_NONE; a++) {
        const struct tk_asker *asker = &s->askers[a];

        for (uint32_t i = asker->first; i < asker->first + asker->count; i++) {
            if (s->asks[i].kind != TK_ASK_CLIENT || s->asks[i].mine != TK_NONE)
                continue;
            tk_refusal_blame(conflict, TK_REFUSAL_ASSISTANT_CONFLICT,
                             s->items[asker->item].message);
            if (tk_refusal_list(conflict, "ids", s->asks[i].id, s->in->arena) < 0)
                return -ENOMEM;
        }
    }
    return 0;
}

int tk_splice_sort_appended(struct tk_splice_state *s)
{
    int r = 0;

    tk_map_init(&s->authored_asks, s->in->arena, s->in->hash_key);
    for (uint32_t i = 0; i < s->item_count && r == 0; i++)
        if (!s->items[i].removed)
            r = sort_item(s, i);
    return r == 0 ? blame_unanswered(s) : r;
}

/* ---- the runner's results ---- */

/* Results for calls that are known but not replayed have done no harm. */
static int sort_automatic_one(struct tk_splice_state *s, struct tk_val result)
{
    struct tk_str id = tk_text(tk_get(result, TK_STR("tool_use_id")), s->in->arena);
    uint32_t *slot = tk_map_get(&s->turn_asks, id);
    struct tk_ask *ask = slot ? &s->asks[*slot - 1] : NULL;

    if (is_server_id(ask, id))
        return drop_server_result(s, result, id);
    if (!ask)
        return mend_or_blame(s, TK_SPLICE_NOTE_UNKNOWN_AUTOMATIC_RESULT_IGNORED,
                             TK_SPLICE_FAULT_UNKNOWN_AUTOMATIC, TK_REFUSAL_UNKNOWN_TOOL_USE_ID,
                             result, id);
    if (tk_exists(ask->automatic))
        tk_splice_note(s, TK_SPLICE_NOTE_DUPLICATE_TOOL_RESULT_LAST_WINS);
    ask->automatic = result;
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
