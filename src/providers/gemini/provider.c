/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/gemini/provider.h"

#include <errno.h>

#include "engine/merge_messages.h"
#include "engine/pairs/names.h"
#include "engine/protect.h"
#include "engine/repair.h"
#include "engine/runs.h"
#include "providers/gemini/rules.h"
#include "providers/gemini/splice.h"
#include "providers/gemini/stream/gem_format.h"
#include "providers/gemini/tools.h"

static const struct tk_endpoint_name endpoints[] = {
    {"gemini", TK_ENDPOINT_OWN},
    {"vertex", TK_ENDPOINT_VERTEX},
    {"compatible", TK_ENDPOINT_COMPATIBLE},
    {.name = NULL},
};

static int begin(struct tk_judge *j)
{
    struct tk_gemini *own = tk_arena_zalloc(j->t->arena, 1, sizeof(*own));

    if (!own)
        return -ENOMEM;
    own->model = tk_gemini_model_of(j->target.model);
    tk_doc_init(&own->tape, tk_arena_allocator(j->t->arena));
    j->own = own;
    return 0;
}

static void take_target(struct tk_judge *j)
{
    tk_gemini(j)->model = tk_gemini_model_of(j->target.model);
}

/* ---- the steps of a repair ---- */

/* Notes what a repair must know of the history as it was sent. */
static int note_received(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    return tk_repair_has_errors(r) ? tk_note_names(r->judge.t) : 0;
}

/* Protects the newest run of the model: the one that was sent, until an entry after it turns out to be the
 * model's, which had no role and parts that were no list. */
static int protect_newest(struct tk_repair *r, const struct tk_step *step)
{
    const struct tk_turn *run = tk_newest_turn(r->judge.t);
    struct tk_gemini *own = tk_gemini(&r->judge);

    (void)step;
    if (run && run->last >= own->newest) {
        tk_protect(r->judge.t);
        own->newest = run->last + 1;
    }
    return 0;
}

static bool has_history(const struct tk_repair *r)
{
    return !r->judge.t->lone_turn;
}

static bool has_rules(const struct tk_repair *r)
{
    return tk_repair_has_work(r, TK_STAGE_RULES);
}

/* Returns false for an entry that is broken, or has a call or a result of either executor: code and its result
 * count as such. */
static bool may_join(const struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    const struct tk_message *m = &t->messages[message];

    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT ||
            t->parts[i].block == TK_GEMINI_EXECUTABLE_CODE ||
            t->parts[i].block == TK_GEMINI_CODE_RESULT)
            return false;
    return !tk_is_broken(m);
}

static int merge(struct tk_repair *r, const struct tk_step *step)
{
    bool merged;
    int err = tk_merge_neighbours(&r->judge, &r->edits, &merged);

    (void)step;
    return err == 0 && merged ? tk_judge(&r->judge) : err;
}

enum {
    RECEIVED,
    PROTECT,
    RULES,
    MERGE,
    END,
};

static const struct tk_step steps[END + 1] = {
    [RECEIVED] = {"received", NULL, note_received, 0, TK_NO_STEP, 0},
    [PROTECT] = {"protect", NULL, protect_newest, 0, TK_NO_STEP, 0},
    [RULES] = {"rules", has_rules, tk_repair_round, TK_STAGE_RULES, RULES, PROTECT},
    [MERGE] = {"merge", has_history, merge, 0, MERGE, PROTECT},
    [END] = {0},
};

/* ---- the row ---- */

static const struct tk_shape *const shapes[] = {&tk_shape_gemini, NULL};

const struct tk_provider tk_provider_gemini = {
    .name = "gemini",
    .rules =
        {
            .shapes = shapes,
            .checks = tk_gem_checks,
            .begin = begin,
            .take_target = take_target,
            .fixes = tk_gem_fixes,
            .steps = steps,
            .begin_round = tk_gem_begin_round,
            .settle = tk_gem_settle,
            .as_text = tk_gem_as_text,
            .may_join = may_join,
            .emptied_user = TK_CODE_GEM_PARTS_EMPTY,
            .emptied_other = TK_CODE_GEM_PARTS_EMPTY,
            .joined = TK_CODE_ROLES_NOT_ALTERNATING,
        },
    .endpoints = endpoints,
    .splice = &tk_gemini_splice,
    .tools = &tk_gemini_tools,
    .fit = &tk_gemini_fit,
    .stream = &tk_gemini_stream,
    .read_request = tk_gem_read_request,
};
