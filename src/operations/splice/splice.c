/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the decisions of OPERATIONS.md part A, in its order. */
#include "operations/splice/splice_inside.h"

#include "shapes/shape.h"

#include <errno.h>

/* ---- memory, allocated once for the largest possible outcome ---- */

static uint32_t count_blocks(struct tk_val content)
{
    return tk_is(content, TK_ARRAY) ? tk_count(content) : 1;
}

static enum tk_role role_of(const struct tk_splice_state *s, struct tk_val message)
{
    struct tk_message m = {.doc = message.doc, .node = message.node};

    tk_shape_read_message(tk_splice_shape(s), &m, s->in->arena);
    return (enum tk_role)m.role;
}

static int read_appended(struct tk_splice_state *s)
{
    struct tk_val list = s->in->appended;
    uint32_t n = tk_count(list);

    s->appended = tk_arena_zalloc(s->in->arena, n, sizeof(*s->appended));
    if (!s->appended)
        return -ENOMEM;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        s->appended[s->appended_count++] = (struct tk_splice_appended){
            .message = v,
            .content = tk_splice_content(s, v),
            .role = (uint8_t)role_of(s, v),
        };
    return 0;
}

/* Allocates all arrays. Each block is written twice at most: in its message, and again if messages
 * are merged. */
static int make_room(struct tk_splice_state *s)
{
    struct tk_arena *arena = s->in->arena;
    size_t blocks = count_blocks(tk_splice_content(s, s->in->assistant));
    size_t n = s->appended_count;

    for (uint32_t i = 0; i < s->appended_count; i++)
        blocks += count_blocks(s->appended[i].content);
    s->rounds = tk_arena_alloc(arena, (n + 1) * sizeof(*s->rounds));
    s->calls = tk_arena_alloc(arena, blocks * sizeof(*s->calls));
    s->parts = tk_arena_alloc(arena, blocks * sizeof(*s->parts));
    s->blocks = tk_arena_alloc(arena, 4 * blocks * sizeof(*s->blocks));
    /* The turn, each message, and the results of each round. */
    s->out->messages = tk_arena_alloc(arena, (2 * n + 2) * sizeof(*s->out->messages));
    s->out->deferred = tk_arena_alloc(arena, n * sizeof(*s->out->deferred));
    return tk_arena_failed(arena) ? -ENOMEM : 0;
}

/* ---- refusals and an authored turn ---- */

int tk_refuse_thread(const struct tk_provider *provider, struct tk_val request,
                     struct tk_refusal *refusal)
{
    struct tk_val thread = provider->splice ? provider->splice->continues(request) : TK_NO_VAL;

    if (!tk_exists(thread))
        return 0;
    return tk_refusal_blame(refusal, TK_REFUSAL_THREAD_UNSUPPORTED_REQUEST, thread);
}

static bool has_call(const struct tk_splice_state *s, struct tk_val content)
{
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if (tk_splice_rules(s)->is_call(v))
            return true;
    return false;
}

/*
 * Judges an authored assistant message that comes first, where the turn belongs: it replaces the
 * turn, or must have calls that the caller answered.
 */
static int judge_first(struct tk_splice_state *s)
{
    struct tk_splice_appended *first = s->appended;
    enum tk_copy copy = TK_COPY_NONE;
    int r;

    if (s->appended_count == 0 || s->turn.client_calls == 0 || first->role != TK_ROLE_ASSISTANT ||
        tk_splice_no_blocks(first->content))
        return 0;
    r = tk_splice_copy(s, first->content, &copy);
    if (r < 0 || copy != TK_COPY_NONE)
        return r;
    if (s->in->replace_turn) {
        tk_splice_note(s, TK_SPLICE_NOTE_ASSISTANT_TURN_REPLACED);
        first->removed = true;
        s->copies.made = false;
        return tk_splice_read_turn(s, first->content, first->message, TK_NO_VAL);
    }
    if (!has_call(s, first->content)) {
        s->out->refusal.list_key = "ids";
        return tk_refusal_blame(&s->out->refusal, TK_REFUSAL_ASSISTANT_CONFLICT, first->message);
    }
    s->authored_first = true;
    return 0;
}

/* ---- the action ---- */

bool tk_splice_is_left(const struct tk_splice_state *s, const struct tk_splice_appended *appended)
{
    if (appended->removed)
        return false;
    for (uint32_t i = appended->first; i < appended->first + appended->count; i++)
        if (s->parts[i].fate == TK_FATE_STAYS || s->parts[i].fate == TK_FATE_TEXT)
            return true;
    return appended->count == 0;
}

static bool is_anything_left(const struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->appended_count; i++)
        if (tk_splice_is_left(s, &s->appended[i]))
            return true;
    return false;
}

static bool has_own_result(const struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->rounds[0].count; i++)
        if (s->calls[i].mine != TK_NONE)
            return true;
    return false;
}

static int act_ordinary(struct tk_splice_state *s, bool anything_left)
{
    const struct tk_splice_turn *turn = &s->turn;

    if (turn->client_calls > 0 && (turn->waits_for_server || turn->called_by_code))
        return tk_splice_arrange_results(s, turn->stop == TK_STOP_TRUNCATED);
    if (turn->client_calls == 0 && turn->waits_for_server)
        tk_splice_note(s, TK_SPLICE_NOTE_SERVER_CALL_LEFT_OPEN);
    if (turn->client_calls == 0 && !anything_left)
        s->out->action = TK_SPLICE_STOP;
    return tk_splice_arrange(s, turn->stop == TK_STOP_TRUNCATED);
}

static int act(struct tk_splice_state *s)
{
    const struct tk_splice_turn *turn = &s->turn;
    bool anything_left = is_anything_left(s);

    if (turn->stop == TK_STOP_PAUSED && turn->client_calls == 0) {
        s->out->action = TK_SPLICE_RESUME;
        return tk_splice_arrange_turn(s);
    }
    if (turn->stop == TK_STOP_COMPACTION) {
        s->out->action = TK_SPLICE_RESUME;
        s->out->replaces_history = s->in->replace_history && turn->block_count > 0;
        return tk_splice_arrange(s, false);
    }
    if (turn->stop == TK_STOP_TRUNCATED && turn->client_calls > 0 && !anything_left &&
        !has_own_result(s)) {
        s->out->action = TK_SPLICE_STOP;
        tk_splice_note(s, TK_SPLICE_NOTE_TRUNCATED_TURN_NOT_REPLAYED);
        return 0;
    }
    return act_ordinary(s, anything_left);
}

/* Refuses with the first fault in the order of enum tk_splice_fault. */
static int refuse_faults(struct tk_splice_state *s)
{
    for (size_t i = 0; i < TK_SPLICE_FAULT_COUNT; i++)
        if (s->faults[i].name != TK_REFUSAL_NONE) {
            s->out->refusal = s->faults[i];
            return TK_REFUSED;
        }
    return 0;
}

/* Sets the container that the turn ran in, unless the caller has said which one to use. */
static void set_container(struct tk_splice_state *s)
{
    struct tk_str name = tk_str_of(tk_splice_rules(s)->container);
    struct tk_val ours = tk_get(tk_get(s->in->assistant, name), TK_STR("id"));
    struct tk_val theirs = tk_get(s->in->request, name);
    bool pinned = tk_exists(s->in->container) || tk_is(theirs, TK_STRING) ||
                  tk_is(tk_get(theirs, TK_STR("id")), TK_STRING);

    if (!tk_is(ours, TK_STRING) || pinned || s->out->action == TK_SPLICE_STOP)
        return;
    s->out->container = ours;
    s->out->container_inside = tk_is(theirs, TK_OBJECT);
    s->out->has_container =
        tk_exists(s->out->container_inside ? tk_get(theirs, TK_STR("id")) : theirs);
}

static int splice(struct tk_splice_state *s)
{
    struct tk_val assistant = s->in->assistant;
    int r = tk_splice_read_turn(s, tk_splice_content(s, assistant), TK_NO_VAL,
                                tk_get(assistant, TK_STR("stop_reason")));

    if (r == 0 && s->turn.stop == TK_STOP_REFUSAL) {
        s->out->action = TK_SPLICE_STOP;
        tk_splice_defer_all(s);
        return 0;
    }
    if (r == 0)
        r = judge_first(s);
    if (r == 0)
        r = tk_splice_sort_appended(s);
    if (r == 0)
        r = tk_splice_sort_automatic(s);
    if (r == 0)
        r = refuse_faults(s);
    if (r == 0)
        r = act(s);
    return r;
}

int tk_splice(const struct tk_splice_input *in, struct tk_spliced *ret)
{
    struct tk_splice_state s = {.in = in, .out = ret};
    int r;

    *ret = (struct tk_spliced){.provider = in->provider, .container = TK_NO_VAL};
    r = tk_refuse_thread(in->provider, in->request, &ret->refusal);
    if (r == 0)
        r = read_appended(&s);
    if (r == 0)
        r = make_room(&s);
    if (r == 0)
        r = splice(&s);
    if (r == 0 && in->single)
        tk_splice_merge(&s);
    if (r == 0 && tk_splice_rules(&s)->container)
        set_container(&s);
    return r == 0 && tk_arena_failed(in->arena) ? -ENOMEM : r;
}
