/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the turn: the blocks to replay, and their calls. A block of the turn can say that another
 * model took over: thinking and unanswered calls of the first model are then left out.
 */
#include "operations/splice/splice_inside.h"

#include "shapes/shape.h"

#include <errno.h>

static struct tk_part read_block(struct tk_splice_state *s, struct tk_val block)
{
    struct tk_part p = {.doc = block.doc,
                        .node = block.node,
                        .type = TK_NO_NODE,
                        .id = TK_NO_NODE,
                        .caller = TK_NO_NODE};

    tk_splice_shape(s)->read_part(&p, NULL, s->in->arena);
    return p;
}

static struct tk_val block_of(const struct tk_part *p)
{
    return tk_part_val(p, p->node);
}

/* Refuses a call whose id is absent or isn't a string: no result could answer it. */
static int refuse_id(struct tk_splice_state *s, const struct tk_part *call)
{
    struct tk_val id = tk_part_val(call, call->id);
    struct tk_refusal *refusal = &s->out->refusal;

    if (tk_exists(id))
        return tk_refusal_blame(refusal, TK_REFUSAL_INVALID_PARAMS, id);
    return tk_refusal_blame_member(refusal, TK_REFUSAL_INVALID_PARAMS, block_of(call), "id");
}

/* Adds one call for each id of a round. An id of an earlier round now means the newer call. */
static int add_call(struct tk_splice_state *s, struct tk_map *map, const struct tk_part *call,
                    enum tk_splice_call_kind kind)
{
    struct tk_val id = tk_part_val(call, call->id);
    struct tk_splice_round *round = &s->rounds[s->round_count - 1];
    uint32_t *slot;
    bool is_new;

    if (kind != TK_SPLICE_CALL_SERVER && !tk_has_text(id))
        return refuse_id(s, call);
    slot = tk_map_put(map, tk_is(id, TK_STRING) ? tk_text(id, s->in->arena) : TK_STR(""), &is_new);
    if (!slot)
        return -ENOMEM;
    if (!is_new && s->calls[*slot - 1].round == s->round_count - 1)
        return 0;
    s->calls[s->call_count] = (struct tk_splice_call){
        .id = tk_text(id, s->in->arena),
        .block = block_of(call),
        .toolset = tk_get(block_of(call), tk_str_of(tk_splice_rules(s)->toolset)),
        .automatic = TK_NO_VAL,
        .mine = TK_NONE,
        .round = s->round_count - 1,
        .kind = (uint8_t)kind,
    };
    if (!tk_is(s->calls[s->call_count].toolset, TK_STRING))
        s->calls[s->call_count].toolset = TK_NO_VAL;
    round->count++;
    *slot = ++s->call_count;
    return 0;
}

static struct tk_splice_call *call_of(struct tk_splice_state *s, const struct tk_part *p)
{
    struct tk_val id = tk_part_val(p, p->id);
    uint32_t *slot =
        tk_map_get(&s->turn_calls, tk_is(id, TK_STRING) ? tk_text(id, s->in->arena) : TK_STR(""));

    return slot ? &s->calls[*slot - 1] : NULL;
}

/* ---- the turn ---- */

/* Adds the turn's calls. Client's calls are counted later, when it is known which are replayed. */
static int add_calls(struct tk_splice_state *s, const struct tk_part *parts, uint32_t n)
{
    int r = 0;

    for (uint32_t i = 0; i < n && r == 0; i++)
        if (parts[i].kind == TK_PART_CALL)
            r = add_call(s, &s->turn_calls, &parts[i],
                         tk_is_call(&parts[i], true) ? TK_SPLICE_CALL_SERVER
                                                     : TK_SPLICE_CALL_TRIMMED);
    for (uint32_t i = 0; i < n && r == 0; i++) {
        struct tk_splice_call *call = tk_is_result(&parts[i], true) ? call_of(s, &parts[i]) : NULL;

        if (call)
            call->paired = true;
    }
    return r;
}

/* Returns the index of the last block after which another model continued; 0 if there is none. */
static uint32_t find_seam(const struct tk_splice_state *s, const struct tk_part *parts, uint32_t n)
{
    while (n > 0 && !tk_splice_rules(s)->is_seam(&parts[n - 1]))
        n--;
    return n > 0 ? n - 1 : 0;
}

static bool stays_ahead_of_seam(struct tk_splice_state *s, const struct tk_part *p)
{
    if (tk_is_thinking(p) || tk_is_call(p, false) || tk_splice_rules(s)->is_dropped_before_seam(p))
        return false;
    return !tk_is_call(p, true) || call_of(s, p)->paired;
}

static void replay_call(struct tk_splice_state *s, const struct tk_part *p)
{
    struct tk_splice_turn *turn = &s->turn;
    struct tk_splice_call *call = call_of(s, p);

    if (call->kind == TK_SPLICE_CALL_SERVER) {
        turn->waits_for_server |= !call->paired;
        return;
    }
    turn->called_by_code |= tk_splice_rules(s)->is_called_by_code(p);
    if (call->kind == TK_SPLICE_CALL_TRIMMED) {
        call->kind = TK_SPLICE_CALL_CLIENT;
        turn->client_calls++;
    }
}

static void replay_blocks(struct tk_splice_state *s, const struct tk_part *parts, uint32_t n)
{
    struct tk_splice_turn *turn = &s->turn;
    uint32_t seam = find_seam(s, parts, n);

    for (uint32_t i = 0; i < n; i++) {
        if (i < seam && !stays_ahead_of_seam(s, &parts[i])) {
            turn->trimmed = true;
            continue;
        }
        turn->stays[turn->block_count++] = block_of(&parts[i]);
        turn->ends_in_server_result = tk_is_result(&parts[i], true);
        if (parts[i].kind == TK_PART_CALL)
            replay_call(s, &parts[i]);
    }
}

static int read_blocks(struct tk_splice_state *s, struct tk_val content)
{
    uint32_t n = tk_count(content), i = 0;
    struct tk_part *parts = tk_arena_alloc(s->in->arena, n * sizeof(*parts));
    int r;

    s->turn.stays = tk_arena_alloc(s->in->arena, n * sizeof(*s->turn.stays));
    if (!parts || !s->turn.stays)
        return -ENOMEM;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        parts[i++] = read_block(s, v);
    r = add_calls(s, parts, n);
    if (r == 0)
        replay_blocks(s, parts, n);
    return r;
}

int tk_splice_read_turn(struct tk_splice_state *s, struct tk_val content, struct tk_val whole,
                        struct tk_val stop_reason)
{
    s->turn = (struct tk_splice_turn){
        .whole = whole,
        .content = content,
        .stop = tk_stop_of(s->in->provider, stop_reason),
    };
    s->call_count = 0;
    s->round_count = 1;
    s->rounds[0] = (struct tk_splice_round){.message = TK_NONE};
    tk_map_init(&s->turn_calls, s->in->arena, s->in->hash_key);
    if (tk_is(content, TK_ARRAY))
        return read_blocks(s, content);
    s->turn.block_count = !tk_splice_no_blocks(content);
    return 0;
}

/* ---- authored messages ---- */

int tk_splice_read_authored(struct tk_splice_state *s, uint32_t index)
{
    struct tk_val content = s->appended[index].content;
    int r = 0;

    s->rounds[s->round_count++] =
        (struct tk_splice_round){.first = s->call_count, .message = index};
    if (!tk_is(content, TK_ARRAY))
        return 0;
    for (struct tk_val v = tk_first(content); tk_exists(v) && r == 0; v = tk_after(content, v)) {
        struct tk_part p = read_block(s, v);

        if (p.kind == TK_PART_CALL)
            r = add_call(s, &s->authored_calls, &p,
                         tk_is_call(&p, true) ? TK_SPLICE_CALL_SERVER : TK_SPLICE_CALL_CLIENT);
    }
    return r;
}
