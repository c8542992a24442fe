/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/provider.h"

#include <errno.h>

#include "engine/pairs/names.h"
#include "engine/repair.h"
#include "providers/openai/models.h"
#include "providers/openai/responses/item.h"
#include "providers/openai/responses/item_survey.h"
#include "providers/openai/responses/rules.h"
#include "providers/openai/responses/splice.h"
#include "providers/openai/responses/stream/resp_format.h"
#include "providers/openai/responses/text/payload.h"
#include "providers/openai/tools.h"

static const struct tk_endpoint_name endpoints[] = {
    {"openai", TK_ENDPOINT_OWN},
    {"azure", TK_ENDPOINT_AZURE},
    {"compatible", TK_ENDPOINT_COMPATIBLE},
    {.name = NULL},
};

static struct tk_val name_of_tool(struct tk_val definition)
{
    return tk_get(definition, TK_STR("name"));
}

static int read_request(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena)
{
    return tk_request_read(ret, body, tk_get(body, TK_STR("model")), tk_get(body, TK_STR("tools")),
                           name_of_tool, arena);
}

static int begin(struct tk_judge *j)
{
    struct tk_responses *own = tk_arena_zalloc(j->t->arena, 1, sizeof(*own));

    if (!own)
        return -ENOMEM;
    tk_map_init(&own->item_ids, j->t->arena, j->t->hash_key);
    tk_map_init(&own->output_ids, j->t->arena, j->t->hash_key);
    tk_map_init(&own->copies, j->t->arena, j->t->hash_key);
    tk_map_init(&own->approvals.named, j->t->arena, j->t->hash_key);
    tk_doc_init(&own->arguments, tk_arena_allocator(j->t->arena));
    own->media_of = own->media_to = own->placed = own->unit_first = TK_NONE;
    j->own = own;
    return 0;
}

static bool is_set(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

static void take_target(struct tk_judge *j)
{
    struct tk_responses *own = tk_responses(j);
    struct tk_val body = j->request->body;

    own->compatible = j->target.endpoint == TK_ENDPOINT_COMPATIBLE;
    own->azure = j->target.endpoint == TK_ENDPOINT_AZURE;
    own->deepseek = (tk_openai_facts(&j->target) & TK_OPENAI_DEEPSEEK) != 0;
    if (!tk_exists(body))
        return;
    own->previous = tk_has_text(tk_get(body, TK_STR("previous_response_id")));
    own->conversation = is_set(tk_get(body, TK_STR("conversation")));
    own->unstored = tk_is(tk_get(body, TK_STR("store")), TK_FALSE);
}

/* Protects the newest reasoning with ciphertext after the last message that isn't the assistant's. */
static void protect(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;

    t->protected_message = TK_NONE;
    for (uint32_t m = 0; m < t->message_count; m++)
        t->messages[m].flags &= ~(uint32_t)TK_MESSAGE_PROTECTED;
    for (uint32_t m = t->last_message; m != TK_NONE; m = t->messages[m].prev) {
        if (tk_item_is(t, m, TK_ITEM_MESSAGE) &&
            (t->messages[m].role == TK_ROLE_USER || t->messages[m].role == TK_ROLE_SYSTEM))
            return;
        if (!tk_item_is(t, m, TK_ITEM_REASONING) ||
            !tk_has_text(tk_item_get(t, m, TK_STR("encrypted_content"))))
            continue;
        t->protected_message = m;
        t->messages[m].flags |= TK_MESSAGE_PROTECTED;
        return;
    }
}

static int note_input(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    if (r->judge.has & TK_HAS_HISTORY)
        protect(&r->judge);
    return r->judge.policy->mark_text ? tk_note_names(r->judge.t) : 0;
}

enum {
    INPUT,
    RULES,
    STRIP,
    END,
};

static const struct tk_step steps[END + 1] = {
    [INPUT] = {"input", NULL, note_input, 0, TK_NO_STEP, 0},
    [RULES] = {"rules", tk_repair_has_errors, tk_repair_one_by_one, TK_STAGE_RULES, RULES, RULES},
    [STRIP] = {"strip", tk_strips_item_ids, tk_strip_item_ids, 0, TK_NO_STEP, 0},
    [END] = {0},
};

static const struct tk_shape *const shapes[] = {&tk_shape_openai_responses, NULL};

const struct tk_provider tk_provider_openai_responses = {
    .name = "openai-responses",
    .rules =
        {
            .shapes = shapes,
            .checks = tk_responses_checks,
            .begin = begin,
            .survey = tk_responses_survey,
            .take_target = take_target,
            .fixes = tk_responses_fixes,
            .steps = steps,
            .causes = tk_responses_causes,
            .protect = protect,
        },
    .endpoints = endpoints,
    .splice = &tk_responses_splice,
    .tools = &tk_openai_tools,
    .fit = &tk_responses_fit,
    .stream = &tk_responses_stream,
    .read_request = read_request,
};
