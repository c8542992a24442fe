/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/bedrock/provider.h"

#include <errno.h>

#include "engine/merge_messages.h"
#include "engine/pairs/names.h"
#include "engine/protect.h"
#include "engine/repair.h"
#include "engine/runs.h"
#include "providers/bedrock/rules.h"
#include "providers/bedrock/splice.h"
#include "providers/bedrock/stream/converse_format.h"
#include "shapes/shape.h"

static const struct tk_endpoint_name endpoints[] = {
    {"bedrock", TK_ENDPOINT_OWN},
    {.name = NULL},
};

static int begin(struct tk_judge *j)
{
    struct tk_bedrock *own = tk_arena_zalloc(j->t->arena, 1, sizeof(*own));

    if (!own)
        return -ENOMEM;
    tk_doc_init(&own->tape, tk_arena_allocator(j->t->arena));
    j->own = own;
    return 0;
}

static void take_target(struct tk_judge *j)
{
    tk_bedrock(j)->facts = tk_brk_facts(j->target.model);
}

static struct tk_val name_of_tool(struct tk_val definition)
{
    return tk_get(tk_get(definition, TK_STR("toolSpec")), TK_STR("name"));
}

static int read_request(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena)
{
    struct tk_val config = tk_get(body, TK_STR("toolConfig"));

    return tk_request_read(ret, body, tk_get(body, TK_STR("modelId")),
                           tk_get(config, TK_STR("tools")), name_of_tool, arena);
}

/* Returns the newest message of the model; TK_NONE: there is none. */
static uint32_t newest_of_model(const struct tk_transcript *t)
{
    uint32_t m = t->last_message;

    while (m != TK_NONE && !tk_brk_is_model(t, m))
        m = t->messages[m].prev;
    return m;
}

/* Protects the newest message of the model, if it is signed. */
static void protect(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t newest = newest_of_model(t);

    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next)
        t->messages[i].flags &= ~(uint32_t)TK_MESSAGE_PROTECTED;
    t->protected_message = TK_NONE;
    if (newest == TK_NONE || !tk_brk_is_signed(t, newest))
        return;
    t->messages[newest].flags |= TK_MESSAGE_PROTECTED;
    t->protected_message = newest;
}

/* ---- repairing ---- */

/* Forgets what the fixes of the round before shared. The lists keep their memory. */
static int begin_round(struct tk_plan *p)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    struct tk_arena *arena = p->j->t->arena;

    *round = (struct tk_brk_round){
        .leading = round->leading,
        .leading_capacity = round->leading_capacity,
        .texts = round->texts,
        .text_capacity = round->text_capacity,
        .name_message = TK_NONE,
        .named = TK_NONE,
        .end_message = TK_NONE,
        .asked = TK_NONE,
    };
    tk_map_init(&round->names, arena, p->j->t->hash_key);
    tk_map_init(&round->uses, arena, p->j->t->hash_key);
    tk_map_init(&round->sealed, arena, p->j->t->hash_key);
    return 0;
}

static int note_input(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    return r->judge.policy->mark_text ? tk_note_names(r->judge.t) : 0;
}

/* Protects the newest message of the model that was sent, until an edit puts one after it. */
static int protect_newest(struct tk_repair *r, const struct tk_step *step)
{
    uint32_t newest = newest_of_model(r->judge.t);
    struct tk_bedrock *own = tk_bedrock(&r->judge);

    (void)step;
    if (newest != TK_NONE && newest >= own->newest) {
        protect(&r->judge);
        own->newest = newest + 1;
    }
    return 0;
}

/* A lone turn that is signed is stored as it came, also with faults. */
static bool has_work(const struct tk_repair *r)
{
    return tk_repair_has_errors(r) &&
           !(r->judge.t->lone_turn && r->judge.t->protected_message != TK_NONE);
}

static bool may_merge(const struct tk_repair *r)
{
    return r->edits.steps > 0 && (r->judge.has & TK_HAS_HISTORY);
}

static int merge(struct tk_repair *r, const struct tk_step *step)
{
    bool merged = false;
    int err = tk_merge_neighbours(&r->judge, &r->edits, &merged);

    (void)step;
    return err == 0 && merged ? tk_judge(&r->judge) : err;
}

/* Returns true if the message may be merged: it isn't broken and has no call or result. */
static bool may_join(const struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT)
            return false;
    return !tk_is_broken(&t->messages[message]);
}

enum {
    INPUT,
    PROTECT,
    RULES,
    MERGE,
    END,
};

static const struct tk_step steps[END + 1] = {
    [INPUT] = {"input", NULL, note_input, 0, TK_NO_STEP, 0},
    [PROTECT] = {"protect", NULL, protect_newest, 0, TK_NO_STEP, 0},
    [RULES] = {"rules", has_work, tk_repair_round, TK_STAGE_RULES, RULES, PROTECT},
    [MERGE] = {"merge", may_merge, merge, 0, MERGE, PROTECT},
    [END] = {0},
};

static const struct tk_shape *const shapes[] = {&tk_shape_bedrock, NULL};

const struct tk_provider tk_provider_bedrock = {
    .name = "bedrock",
    .rules =
        {
            .shapes = shapes,
            .checks = tk_bedrock_checks,
            .begin = begin,
            .survey = tk_brk_survey,
            .take_target = take_target,
            .protect = protect,
            .fixes = tk_bedrock_fixes,
            .steps = steps,
            .begin_round = begin_round,
            .settle = tk_brk_settle,
            .as_text = tk_brk_as_text,
            .may_join = may_join,
            .emptied_user = TK_CODE_BRK_CONTENT_EMPTY,
            .emptied_other = TK_CODE_BRK_CONTENT_EMPTY,
            .joined = TK_CODE_BRK_NOT_ALTERNATING,
        },
    .endpoints = endpoints,
    .splice = &tk_bedrock_splice,
    .fit = &tk_bedrock_fit,
    .stream = &tk_bedrock_stream,
    .read_request = read_request,
};
