/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/provider.h"

#include <errno.h>

#include "engine/repair.h"
#include "providers/openai/chat/rules.h"
#include "providers/openai/chat/splice.h"
#include "providers/openai/chat/state.h"
#include "providers/openai/chat/stream/chat_format.h"
#include "providers/openai/chat/survey.h"

static const struct tk_endpoint_name endpoints[] = {
    {"openai", TK_ENDPOINT_OWN},
    {"azure", TK_ENDPOINT_AZURE},
    {"compatible", TK_ENDPOINT_COMPATIBLE},
    {.name = NULL},
};

static int begin(struct tk_judge *j)
{
    struct tk_chat *own = tk_arena_zalloc(j->t->arena, 1, sizeof(*own));

    if (!own)
        return -ENOMEM;
    own->facts = tk_openai_facts(&j->target);
    tk_doc_init(&own->scratch, tk_arena_allocator(j->t->arena));
    j->own = own;
    return 0;
}

static void take_target(struct tk_judge *j)
{
    tk_chat(j)->facts = tk_openai_facts(&j->target);
}

/* ---- the request ---- */

static struct tk_val name_of_tool(struct tk_val definition)
{
    return tk_get(tk_get(definition, TK_STR("function")), TK_STR("name"));
}

static int read_request(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena)
{
    return tk_request_read(ret, body, tk_get(body, TK_STR("model")), tk_get(body, TK_STR("tools")),
                           name_of_tool, arena);
}

/* ---- the row ---- */

static const struct tk_step steps[] = {
    {"rules", tk_repair_has_errors, tk_repair_one_by_one, TK_STAGE_RULES, 0, 0},
    {"merge", tk_chat_is_merging, tk_chat_merge, TK_STAGE_RULES, TK_NO_STEP, 0},
    {.name = NULL},
};

static const struct tk_shape *const shapes[] = {&tk_shape_openai_chat, NULL};

const struct tk_provider tk_provider_openai_chat = {
    .name = "openai-chat",
    .rules =
        {
            .shapes = shapes,
            .checks = tk_chat_checks,
            .begin = begin,
            .survey = tk_chat_survey,
            .take_target = take_target,
            .fixes = tk_chat_fixes,
            .steps = steps,
        },
    .endpoints = endpoints,
    .splice = &tk_chat_splice,
    .fit = &tk_chat_fit,
    .stream = &tk_chat_stream,
    .read_request = read_request,
};
