/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider.h"

#include <errno.h>

#include "providers/anthropic/answer.h"
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/client_pairs/insert_point.h"
#include "providers/anthropic/provider_pairs/keep.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/seals/write.h"
#include "providers/anthropic/splice.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/steps.h"
#include "providers/anthropic/stop.h"
#include "providers/anthropic/stream/format.h"
#include "providers/anthropic/structure/emptied.h"
#include "providers/anthropic/structure/neighbours.h"
#include "providers/anthropic/text/as_text.h"
#include "providers/anthropic/tools.h"
#include "shapes/shape.h"

static const struct tk_endpoint_name endpoints[] = {
    {"anthropic", TK_ENDPOINT_OWN},
    {"bedrock", TK_ENDPOINT_BEDROCK},
    {"vertex", TK_ENDPOINT_VERTEX},
    {"compatible", TK_ENDPOINT_COMPATIBLE},
    {.name = NULL},
};

static int begin(struct tk_judge *j)
{
    struct tk_anthropic *own = tk_arena_alloc(j->t->arena, sizeof(*own));

    if (!own)
        return -ENOMEM;
    *own = (struct tk_anthropic){
        .cache = {.five_minutes = TK_NONE},
        .carrier = {TK_NONE, TK_NONE},
        .newest_compaction = TK_NONE,
        .protect_again = true,
    };
    tk_map_init(&own->serializable, j->t->arena, j->t->hash_key);
    tk_offered_init(&own->offered, j->t);
    tk_doc_init(&own->pairing.input, tk_arena_allocator(j->t->arena));
    j->own = own;
    return 0;
}

static void take_target(struct tk_judge *j)
{
    tk_anthropic(j)->model = tk_model_of(j->target.model);
}

static void inherit(struct tk_judge *j, const struct tk_judge *from)
{
    const struct tk_seals *seals = &tk_anthropic(from)->seals;

    tk_anthropic(j)->betas = tk_anthropic(from)->betas;
    tk_anthropic(j)->seals = (struct tk_seals){.list = seals->list, .count = seals->count};
}

/* Starts a round. The decision about repeated ids holds until the rules run again, since reports
 * ask for it. The list of new ids keeps its memory. */
static int begin_round(struct tk_plan *p)
{
    struct tk_anthropic_round *round = &tk_anthropic(p->j)->round;
    struct tk_arena *arena = p->j->t->arena;

    *round = (struct tk_anthropic_round){
        .first_new = p->j->t->message_count,
        .seen = {.message = TK_NONE},
        .other_turn = TK_NONE,
        .placed_turn = TK_NONE,
        .thinking = {.turn = TK_NONE},
        .opening = TK_NONE,
        .merged = TK_NONE,
        .unloaded_turn = TK_NONE,
        .asked = {.message = TK_NONE},
        .slide = {.user = TK_NONE},
        .separator_walk = {.from = TK_NONE, .message = TK_NONE},
        .keep = round->keep,
        .keep_count = round->keep_count,
        .new_ids = round->new_ids,
        .new_id_capacity = round->new_id_capacity,
    };
    tk_insert_points_reset(p->j);
    tk_map_init(&round->uses, arena, p->j->t->hash_key);
    tk_map_init(&round->renamed, arena, p->j->t->hash_key);
    tk_mark_to_settle(p->j->t);
    return p->stage == TK_STAGE_RULES ? tk_plan_duplicates(p) : 0;
}

/* Returns the other half of a part's pair. */
static uint32_t partner(const struct tk_judge *j, uint32_t part)
{
    return (j->t->parts[part].flags & TK_PART_PROVIDER ? tk_other_half : tk_client_partner)(j,
                                                                                            part);
}

/* Keeps what other parts refer to of a part that goes: a result's content, and the marker of one that is dropped. */
static int part_goes(struct tk_edits *e, uint32_t part, enum tk_action action)
{
    int r = tk_keep_gone(e, part);

    return r == 0 && action == TK_ACTION_DROP ? tk_marker_hand_on(e, part) : r;
}

static const struct tk_request_change *request_changes(const struct tk_judge *j)
{
    return tk_anthropic(j)->changes;
}

static const struct tk_shape *const shapes[] = {
    &tk_shape_anthropic,
    &tk_shape_fantasy,
    &tk_shape_ai_sdk,
    NULL,
};

const struct tk_provider tk_provider_anthropic = {
    .name = "anthropic",
    .rules =
        {
            .shapes = shapes,
            .checks = tk_anthropic_checks,
            .partner = partner,
            .is_in_flight = tk_is_in_flight,
            .tool = tk_client_tool,
            .sent_tool = tk_sent_tool,
            .begin = begin,
            .take_target = take_target,
            .inherit = inherit,
            .judge_last = tk_judge_binding,
            .causes = tk_anthropic_causes,
            .fixes = tk_anthropic_fixes,
            .steps = tk_anthropic_steps,
            .begin_round = begin_round,
            .end_round = tk_rename_callers,
            .part_goes = part_goes,
            .marker = tk_marker_of,
            .settle = tk_settle_all,
            .as_text = tk_textify,
            .may_join = tk_may_join,
            .must_join = tk_must_join,
            .before_join = tk_options_to_parts,
            .joined = TK_CODE_ROLES_NOT_ALTERNATING,
        },
    .endpoints = endpoints,
    .splice = &tk_anthropic_splice,
    .tools = &tk_anthropic_tools,
    .fit = &tk_anthropic_fit,
    .betas = &tk_anthropic_betas,
    .seals = &tk_anthropic_seals,
    .stream = &tk_anthropic_stream,
    .read_request = tk_anthropic_read_request,
    .stop = tk_anthropic_stop,
    .request_changes = request_changes,
    .write_facts = tk_anthropic_write_facts,
};
