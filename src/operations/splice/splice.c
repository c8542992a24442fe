/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the decisions of OPERATIONS.md part A and OPERATIONS-PROVIDERS.md 1.4, in their order. */
#include "operations/splice/splice_inside.h"

#include "shapes/read.h"

#include <errno.h>

/* ---- reading, and memory, allocated once for the largest possible outcome ---- */

/* Returns whose message it is. What the server found for its own search is the model's. */
static enum tk_role role_of(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    if ((m->flags & TK_MESSAGE_WHOLE) && (t->parts[m->first].flags & TK_PART_PROVIDER))
        return TK_ROLE_ASSISTANT;
    return (enum tk_role)m->role;
}

static int read_appended(struct tk_splice_state *s)
{
    int r = tk_transcript_read(&s->t, s->in->appended, tk_splice_shape(s), s->in->arena,
                               s->in->hash_key);

    if (r < 0)
        return r;
    s->appended = tk_arena_zalloc(s->in->arena, s->t.message_count, sizeof(*s->appended));
    if (!s->appended)
        return -ENOMEM;
    for (; s->appended_count < s->t.message_count; s->appended_count++) {
        const struct tk_message *m = &s->t.messages[s->appended_count];

        s->appended[s->appended_count] = (struct tk_splice_appended){
            .message = {m->doc, m->node},
            .content = {m->doc, m->content},
            .role = (uint8_t)role_of(&s->t, s->appended_count),
        };
    }
    return 0;
}

/* Allocates all arrays. Each part is written twice at most: in its message, and again if messages
 * are merged. */
static int make_room(struct tk_splice_state *s)
{
    struct tk_arena *arena = s->in->arena;
    size_t n = s->appended_count;
    /* An authored message that takes the turn's place is counted twice. */
    size_t parts = (size_t)s->turn.t.part_count + 2 * (size_t)s->t.part_count + n + 1;

    s->rounds = tk_arena_alloc(arena, (n + 1) * sizeof(*s->rounds));
    s->calls = tk_arena_alloc(arena, parts * sizeof(*s->calls));
    s->parts = tk_arena_alloc(arena, parts * sizeof(*s->parts));
    s->blocks = tk_arena_alloc(arena, 4 * parts * sizeof(*s->blocks));
    /* The turn, each message, and the results of each round, which may be a message each. */
    s->out->messages = tk_arena_alloc(arena, (s->turn.t.message_count + 2 * n + 2 + parts) *
                                                 sizeof(*s->out->messages));
    s->out->deferred = tk_arena_alloc(arena, n * sizeof(*s->out->deferred));
    return tk_arena_failed(arena) ? -ENOMEM : 0;
}

/* Finds the turn in what was received, and reads it. */
static int receive(struct tk_splice_state *s)
{
    struct tk_received *received = &s->received;
    bool is_list = tk_is(s->in->assistant, TK_ARRAY);
    int r;

    *received = (struct tk_received){
        .turn = TK_NO_VAL, .stop_at = TK_NO_VAL, .id = TK_NO_VAL, .stored = TK_NO_VAL};
    if (is_list && !tk_splice_has(s, TK_SPLICE_ITEMS))
        return tk_refusal_param(&s->out->refusal, s->in->assistant, NULL, "expected an object");
    if (!tk_splice_rules(s)->receive(s->in->assistant, s->in->choice, received))
        return tk_splice_refuse_form(s, &received->fault);
    if (received->stop == TK_STOP_UNFINISHED)
        return tk_refusal_blame(&s->out->refusal, TK_REFUSAL_TURN_NOT_FINISHED, received->stop_at);
    r = tk_splice_check_turn(s);
    return r == 0 ? tk_splice_read_turn(s, received->turn, received->stop) : r;
}

static int check_rest(struct tk_splice_state *s)
{
    int r = tk_splice_check_appended(s);

    return r == 0 ? tk_splice_check_results(s) : r;
}

/* ---- the server's history ---- */

static bool is_set(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

static struct tk_val member_of(struct tk_val request, const char *name)
{
    return name ? tk_get(request, tk_str_of(name)) : TK_NO_VAL;
}

/* Returns true if the server has what was sent and what it answered. */
static bool is_chained(const struct tk_splice_state *s)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);

    return s->in->chain || tk_has_text(member_of(s->in->request, rules->previous)) ||
           is_set(member_of(s->in->request, rules->conversation));
}

/* Lets the next request follow the answer. A conversation keeps its own place. */
static int chain(struct tk_splice_state *s)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);
    struct tk_spliced *out = s->out;

    if (tk_is(s->received.stored, TK_FALSE))
        return tk_refusal_blame(&out->refusal, TK_REFUSAL_RESPONSE_NOT_STORED, s->received.stored);
    out->replaces_history = true;
    tk_splice_note(s, TK_SPLICE_NOTE_CHAINED);
    if (is_set(member_of(s->in->request, rules->conversation)))
        return 0;
    if (!tk_has_text(s->received.id))
        return tk_refusal_blame(&out->refusal, TK_REFUSAL_RESPONSE_ID_MISSING, s->in->assistant);
    out->set = s->received.id;
    out->set_member = rules->previous;
    out->set_before = tk_exists(member_of(s->in->request, rules->previous));
    return 0;
}

/* ---- refusals and an authored turn ---- */

int tk_refuse_thread(const struct tk_provider *provider, struct tk_val request,
                     struct tk_refusal *refusal)
{
    struct tk_val thread = provider->splice && provider->splice->continues
                               ? provider->splice->continues(request)
                               : TK_NO_VAL;

    if (!tk_exists(thread))
        return 0;
    return tk_refusal_blame(refusal, TK_REFUSAL_THREAD_UNSUPPORTED_REQUEST, thread);
}

static bool has_call(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

/* Returns true for an appended message of the model that isn't dropped as empty. */
static bool is_assistant(const struct tk_splice_state *s, uint32_t index)
{
    return index < s->appended_count && s->appended[index].role == TK_ROLE_ASSISTANT &&
           !tk_splice_is_empty(s, index);
}

/* Finds the authored message that comes first: *ret is its index, TK_NONE if another message does. Where
 * copies of the turn may precede it, these are removed. */
static int find_first(struct tk_splice_state *s, uint32_t *ret)
{
    uint32_t index = 0;

    *ret = TK_NONE;
    for (; is_assistant(s, index); index++) {
        enum tk_copy copy = TK_COPY_NONE;
        int r = tk_splice_copy(s, index, &copy);

        if (r < 0)
            return r;
        if (copy == TK_COPY_NONE) {
            *ret = index;
            return 0;
        }
        if (!tk_splice_has(s, TK_SPLICE_FIRST_AFTER_COPIES))
            return 0;
        tk_splice_remove_copy(s, index, copy);
    }
    return 0;
}

/* Tells in *ret if what the caller wrote first has calls: the message, or a run of items with
 * nothing but copies of the turn in between. */
static int first_has_call(struct tk_splice_state *s, uint32_t first, bool *ret)
{
    uint32_t end = tk_splice_has(s, TK_SPLICE_ITEMS) ? s->appended_count : first + 1;
    int r = 0;

    *ret = false;
    for (uint32_t i = first; i < end && is_assistant(s, i) && !*ret && r == 0; i++) {
        enum tk_copy copy = TK_COPY_NONE;

        if (!has_call(&s->t, i))
            continue;
        r = tk_splice_copy(s, i, &copy);
        *ret = copy == TK_COPY_NONE;
    }
    return r;
}

/* Lets an authored message take the turn's place. */
static int replace_turn(struct tk_splice_state *s, uint32_t index)
{
    int r = tk_splice_read_turn(s, s->appended[index].message, TK_STOP_OTHER);

    tk_splice_note(s, TK_SPLICE_NOTE_ASSISTANT_TURN_REPLACED);
    s->appended[index].removed = true;
    s->turn.replaced = true;
    s->copies.made = false;
    return r == 0 ? tk_splice_replay_turn(s) : r;
}

/*
 * Judges an authored assistant message that comes first, where the turn belongs: it replaces the
 * turn, or must have calls that the caller answered.
 */
static int judge_first(struct tk_splice_state *s)
{
    struct tk_refusal *refusal = &s->out->refusal;
    uint32_t first;
    bool has_calls;
    int r;

    if (s->turn.client_calls == 0)
        return 0;
    r = find_first(s, &first);
    if (r < 0 || first == TK_NONE)
        return r;
    if (s->in->replace_turn)
        return replace_turn(s, first);
    r = first_has_call(s, first, &has_calls);
    if (r == 0 && !has_calls) {
        refusal->list_key = "ids";
        return tk_refusal_blame(refusal, TK_REFUSAL_ASSISTANT_CONFLICT, s->appended[first].message);
    }
    s->authored_first = true;
    return r;
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

/* Returns the first appended message that has anything left; NULL: none has. */
static const struct tk_splice_appended *first_left(const struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->appended_count; i++)
        if (tk_splice_is_left(s, &s->appended[i]))
            return &s->appended[i];
    return NULL;
}

static bool has_own_result(const struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->rounds[0].count; i++)
        if (s->calls[i].mine != TK_NONE)
            return true;
    return false;
}

/* Returns true if the runner approved something that the provider wants to do. */
static bool is_approved(const struct tk_splice_state *s)
{
    for (uint32_t i = 0; i < s->rounds[0].count; i++)
        if (s->calls[i].kind == TK_SPLICE_CALL_APPROVAL && tk_exists(s->calls[i].automatic))
            return true;
    return false;
}

static int act_ordinary(struct tk_splice_state *s, const struct tk_splice_appended *left)
{
    const struct tk_splice_turn *turn = &s->turn;
    bool cut_off = turn->stop == TK_STOP_TRUNCATED;

    if (turn->client_calls > 0 && (turn->waits_for_server || turn->called_by_code))
        return tk_splice_arrange_results(s, cut_off,
                                         TK_SPLICE_NOTE_DEFERRED_UNTIL_SERVER_TOOL_RESOLVES);
    if (turn->client_calls > 0 && (s->out->facts & TK_SPLICE_RESULTS_FIRST) && left &&
        left->role == TK_ROLE_USER)
        return tk_splice_arrange_results(s, cut_off,
                                         TK_SPLICE_NOTE_DEFERRED_UNTIL_RESULTS_ARE_ANSWERED);
    if (turn->client_calls == 0 && turn->waits_for_server)
        tk_splice_note(s, TK_SPLICE_NOTE_SERVER_CALL_LEFT_OPEN);
    if (turn->client_calls == 0 && !left && (cut_off || !is_approved(s)))
        s->out->action = TK_SPLICE_STOP;
    return tk_splice_arrange(s, cut_off);
}

static int act(struct tk_splice_state *s)
{
    const struct tk_splice_turn *turn = &s->turn;
    const struct tk_splice_appended *left = first_left(s);
    int r;

    if (turn->stop == TK_STOP_PAUSED && turn->client_calls == 0) {
        s->out->action = TK_SPLICE_RESUME;
        return tk_splice_arrange_turn(s);
    }
    if (turn->stop == TK_STOP_COMPACTION) {
        s->out->action = TK_SPLICE_RESUME;
        s->out->replaces_history = s->in->replace_history && turn->block_count > 0;
        return tk_splice_arrange(s, false);
    }
    if (turn->stop == TK_STOP_TRUNCATED && turn->client_calls > 0 && !left && !has_own_result(s)) {
        s->out->action = TK_SPLICE_STOP;
        tk_splice_note(s, TK_SPLICE_NOTE_TRUNCATED_TURN_NOT_REPLAYED);
        return 0;
    }
    r = s->chained ? chain(s) : 0;
    return r == 0 ? act_ordinary(s, left) : r;
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
    s->out->set = ours;
    s->out->set_member = tk_splice_rules(s)->container;
    s->out->set_inside = tk_is(theirs, TK_OBJECT);
    s->out->set_before = tk_exists(s->out->set_inside ? tk_get(theirs, TK_STR("id")) : theirs);
}

/* A turn that isn't sent back leaves nothing, and what was appended waits. */
static bool is_given_up(struct tk_splice_state *s)
{
    if (s->turn.stop != TK_STOP_REFUSAL && s->turn.stop != TK_STOP_FAILED)
        return false;
    s->out->action = TK_SPLICE_STOP;
    tk_splice_defer_all(s, s->turn.stop == TK_STOP_REFUSAL
                               ? TK_SPLICE_NOTE_REFUSAL_TURN_NOT_REPLAYED
                               : TK_SPLICE_NOTE_FAILED_TURN_NOT_REPLAYED);
    return true;
}

static int splice(struct tk_splice_state *s)
{
    int r;

    if (is_given_up(s))
        return 0;
    r = tk_splice_replay_turn(s);
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
    const struct tk_splice_rules *rules = tk_splice_rules(&s);
    int r;

    *ret = (struct tk_spliced){
        .provider = in->provider,
        .history = in->messages,
        .set = TK_NO_VAL,
        .facts = rules->facts ? rules->facts(&in->target) : 0,
    };
    s.chained = is_chained(&s);
    r = tk_refuse_thread(in->provider, in->request, &ret->refusal);
    if (r == 0)
        r = receive(&s);
    if (r == 0)
        r = check_rest(&s);
    if (r == 0)
        r = read_appended(&s);
    if (r == 0)
        r = make_room(&s);
    if (r == 0)
        r = splice(&s);
    if (r == 0 && (in->single || tk_splice_has(&s, TK_SPLICE_JOINS_USERS)))
        tk_splice_merge(&s);
    if (r == 0 && rules->container)
        set_container(&s);
    return r == 0 && tk_arena_failed(in->arena) ? -ENOMEM : r;
}
