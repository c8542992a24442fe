/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the turn: the parts to replay, and its calls. A part of the turn can say that another model
 * took over: thinking and unanswered calls of the first model are then left out.
 */
#include "operations/splice/splice_inside.h"

#include "shapes/read.h"

#include <errno.h>

int tk_splice_refuse_id(struct tk_splice_state *s, struct tk_val v, const struct tk_path *path)
{
    struct tk_refusal *refusal = &s->out->refusal;
    int step = 0;

    for (; path->keys[step + 1]; step++)
        v = tk_path_step(v, path, step);
    if (tk_exists(tk_path_step(v, path, step)))
        return tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, tk_path_step(v, path, step));
    return tk_refusal_blame_member(refusal, TK_REFUSAL_INVALID_PARAMS, v, path->keys[step]);
}

/* ---- calls ---- */

struct tk_val tk_splice_key(const struct tk_part *call)
{
    struct tk_val id = tk_part_val(call, call->id);

    return tk_is_call(call, true) && !tk_has_text(id) ? tk_part_val(call, call->own_id) : id;
}

static enum tk_splice_call_kind kind_of(const struct tk_splice_state *s, const struct tk_part *call,
                                        enum tk_splice_call_kind clients)
{
    struct tk_val unused;

    if (tk_splice_rules(s)->is_approval && tk_splice_rules(s)->is_approval(call, &unused))
        return TK_SPLICE_CALL_APPROVAL;
    return tk_is_call(call, true) ? TK_SPLICE_CALL_SERVER : clients;
}

static int append_call(struct tk_splice_state *s, const struct tk_part *call, struct tk_str id,
                       enum tk_splice_call_kind kind)
{
    const char *toolset = tk_splice_rules(s)->toolset;
    struct tk_splice_call *added = &s->calls[s->call_count++];

    *added = (struct tk_splice_call){
        .id = id,
        .part = call,
        .toolset = toolset ? tk_get(tk_splice_val(call), tk_str_of(toolset)) : TK_NO_VAL,
        .automatic = TK_NO_VAL,
        .mine = TK_NONE,
        .round = s->round_count - 1,
        .next_named = TK_NONE,
        .next_bare = TK_NONE,
        .kind = (uint8_t)kind,
    };
    if (!tk_is(added->toolset, TK_STRING))
        added->toolset = TK_NO_VAL;
    s->rounds[s->round_count - 1].count++;
    if (!tk_splice_has(s, TK_SPLICE_PAIRS_BY_NAME) || tk_is_call(call, true))
        return 0;
    return tk_splice_note_name(s, tk_text(tk_part_val(call, call->name), s->in->arena));
}

/* Adds one call for each id of a round; *ret: its index. An id of an earlier round now means the newer
 * call. clients: the kind of a client's call. */
static int add_call(struct tk_splice_state *s, struct tk_map *map, const struct tk_part *call,
                    enum tk_splice_call_kind clients, uint32_t *ret)
{
    enum tk_splice_call_kind kind = kind_of(s, call, clients);
    struct tk_val id = tk_splice_key(call);
    struct tk_str text = tk_is(id, TK_STRING) ? tk_text(id, s->in->arena) : TK_STR("");
    uint32_t *slot;
    bool is_new;

    *ret = s->call_count;
    if (kind == clients && !tk_has_text(id))
        return tk_splice_has(s, TK_SPLICE_PAIRS_BY_NAME)
                   ? append_call(s, call, text, kind)
                   : tk_splice_refuse_id(s, tk_splice_val(call), &tk_splice_rules(s)->call_id);
    slot = tk_map_put(map, text, &is_new);
    if (!slot)
        return -ENOMEM;
    if (!is_new && s->calls[*slot - 1].round == s->round_count - 1) {
        *ret = *slot - 1;
        if (kind == TK_SPLICE_CALL_SERVER && tk_splice_has(s, TK_SPLICE_ID_TELLS_EXECUTOR))
            s->calls[*ret].kind = (uint8_t)kind;
        return 0;
    }
    *slot = s->call_count + 1;
    return append_call(s, call, text, kind);
}

/* ---- the turn ---- */

/* Notes that a provider's call has its result. */
static void pair_server_result(struct tk_splice_state *s, const struct tk_part *result)
{
    struct tk_val id = tk_part_val(result, result->id);
    uint32_t *slot =
        tk_map_get(&s->turn_calls, tk_is(id, TK_STRING) ? tk_text(id, s->in->arena) : TK_STR(""));

    if (!slot)
        return;
    s->calls[*slot - 1].paired = true;
    if (tk_splice_has(s, TK_SPLICE_ID_TELLS_EXECUTOR))
        s->calls[*slot - 1].kind = TK_SPLICE_CALL_SERVER;
}

/* Adds the turn's calls. Client's calls are counted later, when it is known which are replayed. */
static int add_calls(struct tk_splice_state *s)
{
    const struct tk_transcript *t = &s->turn.t;
    int r = 0;

    for (uint32_t i = 0; i < t->part_count && r == 0; i++) {
        s->turn.call_of[i] = TK_NONE;
        if (t->parts[i].kind == TK_PART_CALL)
            r = add_call(s, &s->turn_calls, &t->parts[i], TK_SPLICE_CALL_TRIMMED,
                         &s->turn.call_of[i]);
    }
    for (uint32_t i = 0; i < t->part_count && r == 0; i++)
        if (tk_is_result(&t->parts[i], true))
            pair_server_result(s, &t->parts[i]);
    return r;
}

/* Returns the index of the last part after which another model continued; 0 if there is none. */
static uint32_t find_seam(const struct tk_splice_state *s)
{
    uint32_t n = tk_splice_rules(s)->is_seam ? s->turn.t.part_count : 0;

    while (n > 0 && !tk_splice_rules(s)->is_seam(&s->turn.t.parts[n - 1]))
        n--;
    return n > 0 ? n - 1 : 0;
}

static bool stays_ahead_of_seam(const struct tk_splice_state *s, uint32_t part)
{
    const struct tk_part *p = &s->turn.t.parts[part];

    if (tk_is_thinking(p) || tk_is_call(p, false) || tk_splice_rules(s)->is_dropped_before_seam(p))
        return false;
    return !tk_is_call(p, true) || s->calls[s->turn.call_of[part]].paired;
}

static void replay_call(struct tk_splice_state *s, const struct tk_part *p,
                        struct tk_splice_call *call)
{
    struct tk_splice_turn *turn = &s->turn;

    if (call->kind == TK_SPLICE_CALL_SERVER) {
        turn->waits_for_server |= !call->paired && tk_splice_has(s, TK_SPLICE_WAITS_FOR_SERVER);
        return;
    }
    turn->called_by_code |=
        tk_splice_rules(s)->is_called_by_code && tk_splice_rules(s)->is_called_by_code(p);
    if (call->kind == TK_SPLICE_CALL_TRIMMED) {
        call->kind = TK_SPLICE_CALL_CLIENT;
        turn->client_calls++;
    }
}

int tk_splice_replay_turn(struct tk_splice_state *s)
{
    struct tk_splice_turn *turn = &s->turn;
    uint32_t seam;
    int r;

    s->call_count = s->names.count = s->names.next = 0;
    s->round_count = 1;
    s->rounds[0] = (struct tk_splice_round){0};
    tk_map_init(&s->turn_calls, s->in->arena, s->in->hash_key);
    tk_map_init(&s->names.map, s->in->arena, s->in->hash_key);
    r = add_calls(s);
    if (r != 0)
        return r;
    seam = find_seam(s);
    for (uint32_t i = 0; i < turn->t.part_count; i++) {
        const struct tk_part *p = &turn->t.parts[i];

        if (i < seam && !stays_ahead_of_seam(s, i)) {
            turn->trimmed = true;
            continue;
        }
        turn->stays[turn->block_count++] = tk_splice_val(p);
        turn->ends_in_server_result = tk_is_result(p, true);
        if (turn->call_of[i] != TK_NONE)
            replay_call(s, p, &s->calls[turn->call_of[i]]);
    }
    return 0;
}

int tk_splice_read_turn(struct tk_splice_state *s, struct tk_val turn, enum tk_stop stop)
{
    struct tk_arena *arena = s->in->arena;
    const struct tk_shape *shape = tk_splice_shape(s);
    uint32_t n;
    int r = 0;

    s->turn = (struct tk_splice_turn){.stop = stop};
    if (tk_is(turn, TK_ARRAY))
        r = tk_transcript_read(&s->turn.t, turn, shape, arena, s->in->hash_key);
    else if (tk_exists(turn))
        r = tk_transcript_read_message(&s->turn.t, turn, shape, arena, s->in->hash_key);
    if (r < 0)
        return r;
    n = s->turn.t.part_count;
    s->turn.call_of = tk_arena_alloc(arena, n * sizeof(*s->turn.call_of));
    s->turn.stays = tk_arena_alloc(arena, n * sizeof(*s->turn.stays));
    return s->turn.call_of && s->turn.stays ? 0 : -ENOMEM;
}

/* ---- authored messages ---- */

int tk_splice_read_authored(struct tk_splice_state *s, uint32_t index)
{
    const struct tk_transcript *t = &s->t;
    uint32_t unused;
    int r = 0;

    for (uint32_t i = t->messages[index].first; i != TK_NONE && r == 0; i = t->parts[i].next)
        if (t->parts[i].kind == TK_PART_CALL)
            r = add_call(s, &s->authored_calls, &t->parts[i], TK_SPLICE_CALL_CLIENT, &unused);
    return r;
}
