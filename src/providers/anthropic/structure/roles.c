/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges roles and the place of system messages (CATALOGUE 3.3). The system prompt is a parameter
 * of its own; a system message in the list may only follow a message of the user or a result of a
 * server tool, and the assistant comes next.
 */
#include "providers/anthropic/rules.h"
#include "shapes/blocks.h"
#include "shapes/members.h"
#include "shapes/shape.h"
#include "value/cut.h"
#include "value/out.h"
#include "value/unicode.h"

bool tk_is_directive(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    return m->first == TK_NONE && !(m->flags & TK_MESSAGE_MADE) &&
           tk_is((struct tk_val){m->doc, m->content}, TK_ARRAY) &&
           tk_exists(tk_get((struct tk_val){m->doc, m->node}, TK_STR("output_config")));
}

static bool is_system(const struct tk_transcript *t, uint32_t message)
{
    return message != TK_NONE && t->messages[message].role == TK_ROLE_SYSTEM;
}

static int judge_role(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    struct tk_val role = tk_get((struct tk_val){m->doc, m->node}, TK_STR("role"));
    struct tk_str text = tk_text(role, j->t->arena);
    int r = tk_find_message(&j->findings, j->t, TK_CODE_ROLE_UNKNOWN, message);

    return r < 0 ? r : tk_find_words(&j->findings, j->t, text.p ? text : TK_STR(""), TK_STR(""));
}

/* ---- members besides role and content ---- */

enum {
    NAMES_MAX = 5, /* at most so many are named for one message */
};

struct extras {
    struct tk_out names; /* for the finding's sentence */
    struct tk_str first;
    uint32_t count;
    enum tk_severity severity;
};

/* Returns true for members that no server takes: leftovers of SDKs and stores. */
static bool is_leftover(struct tk_val member, struct tk_arena *arena)
{
    enum tk_member_kind kind = tk_member_kind(member, arena);

    return kind != TK_MEMBER_FOREIGN && kind != TK_MEMBER_NUMBER;
}

static void note_extra(struct extras *x, struct tk_val member, struct tk_arena *arena)
{
    struct tk_str name = tk_cut(tk_key(member, arena), arena);

    if (is_leftover(member, arena))
        x->severity = TK_ERROR;
    if (x->count == 0)
        x->first = name;
    if (x->count < NAMES_MAX) {
        tk_out_put(&x->names, x->count ? ", `" : "`", x->count ? 3 : 1);
        tk_out_put(&x->names, name.p, name.n);
        tk_out_put(&x->names, "`", 1);
    }
    if (x->count++ == NAMES_MAX)
        tk_out_put(&x->names, ", ...", 5);
}

static int judge_extras(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    bool tolerant = j->target.endpoint == TK_ENDPOINT_COMPATIBLE;
    struct extras x = {.count = 0, .severity = tolerant ? TK_WARNING : TK_ERROR};
    int r;

    tk_out_init(&x.names, j->t->arena);
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (!tk_dialect_knows(j->t->shape, v))
            note_extra(&x, v, j->t->arena);
    r = tk_find(&j->findings, j->t, TK_CODE_MESSAGE_EXTRA_INPUTS, x.severity,
                tk_site_of(message, TK_NONE));
    return r < 0 ? r : tk_find_words(&j->findings, j->t, x.first, tk_out_join(&x.names));
}

/* ---- system messages ---- */

static bool ends_in_server_result(const struct tk_transcript *t, uint32_t message)
{
    uint32_t last = t->messages[message].last;

    return last != TK_NONE && tk_is_result(&t->parts[last], true);
}

/* True if a system message may follow the message `before`. */
static bool may_be_followed(const struct tk_transcript *t, uint32_t before)
{
    uint8_t role = before == TK_NONE ? TK_ROLE_OTHER : t->messages[before].role;

    return role == TK_ROLE_USER || (role == TK_ROLE_ASSISTANT && ends_in_server_result(t, before));
}

/* Judges a run of system messages between the messages `before` and `after`. `last` is the last one
 * of the run that isn't a directive, or TK_NONE: directives may be anywhere. */
static int judge_run(struct tk_judge *j, uint32_t before, uint32_t last, uint32_t after)
{
    struct tk_transcript *t = j->t;

    if (last == TK_NONE || before == TK_NONE)
        return 0;
    if (may_be_followed(t, before) && (after == TK_NONE || t->messages[after].role != TK_ROLE_USER))
        return 0;
    return tk_find_message(&j->findings, t, TK_CODE_SYSTEM_MESSAGE_POSITION, last);
}

static bool is_allowed(const struct tk_part *p)
{
    return p->block != TK_BLOCK_NONE && (tk_blocks[p->block].roles & TK_BLOCK_SYSTEM);
}

static int judge_system(struct tk_judge *j, uint32_t message)
{
    struct tk_transcript *t = j->t;
    const struct tk_message *m = &t->messages[message];
    struct tk_val v = {m->doc, m->node};
    int r = 0;

    if (m->prev == TK_NONE && !tk_is_directive(t, message))
        r = tk_find_message(&j->findings, t, TK_CODE_SYSTEM_MESSAGE_FIRST, message);
    if (r == 0 && tk_takes_parts(m) && tk_says_nothing(t, message) &&
        !tk_exists(tk_get(v, TK_STR("output_config"))))
        r = tk_find_message(&j->findings, t, TK_CODE_SYSTEM_MESSAGE_EMPTY, message);
    for (uint32_t i = m->first; i != TK_NONE && r == 0; i = t->parts[i].next)
        if (!is_allowed(&t->parts[i]))
            r = tk_find_part(&j->findings, t, TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE, i);
    return r;
}

static int judge_systems(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t before = TK_NONE, last = TK_NONE;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!is_system(t, m)) {
            r = judge_run(j, before, last, m);
            before = m;
            last = TK_NONE;
            continue;
        }
        r = judge_system(j, m);
        if (!tk_is_directive(t, m))
            last = m;
    }
    return r < 0 ? r : judge_run(j, before, last, TK_NONE);
}

int tk_judge_structure(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    bool system = false;
    int r = 0;

    if (t->first_message == TK_NONE)
        return tk_find_request(&j->findings, t, TK_CODE_MESSAGES_EMPTY, TK_NO_NODE);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        system = system || t->messages[m].role == TK_ROLE_SYSTEM;
        if (t->messages[m].role == TK_ROLE_OTHER)
            r = judge_role(j, m);
        if (r == 0 && (t->messages[m].flags & TK_MESSAGE_EXTRA) && t->shape->wire)
            r = judge_extras(j, m);
    }
    return r < 0 || !system || !t->shape->wire ? r : judge_systems(j);
}
