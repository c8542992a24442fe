/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/providers.h"

#include <string.h>

#include "methods/params/schema.h"
#include "providers/splice.h"
#include "shapes/shape.h"
#include "value/pointer.h"

const struct tk_provider *tk_provider_of(enum tk_word word)
{
    static const uint8_t ids[TK_WORD_COUNT] = {
#define ID(id, name) [TK_WORD_##id] = TK_PROVIDER_##id,
        TK_PROVIDERS(ID)
#undef ID
    };

    return tk_providers[ids[word]];
}

/* Returns the provider's own shape; of a provider without any, the default. */
static const struct tk_shape *own_shape(const struct tk_provider *provider)
{
    return provider->rules.shapes ? provider->rules.shapes[0] : tk_shapes[0];
}

const struct tk_shape *tk_params_dialect(const struct tk_params *p)
{
    if (tk_exists(tk_param(p, TK_P_DIALECT)))
        return tk_shape_by_name(tk_str_of(tk_word_name(tk_param_word(p, TK_P_DIALECT))));
    return own_shape(tk_params_provider(p));
}

static const struct tk_provider *provider_named(struct tk_val name)
{
    for (unsigned i = 0; i < TK_PROVIDER_COUNT; i++)
        if (tk_text_is(name, tk_str_of(tk_providers[i]->name)))
            return tk_providers[i];
    return tk_providers[0];
}

const struct tk_shape *tk_dialect_named_in(struct tk_val params)
{
    const struct tk_provider *provider = provider_named(tk_get(params, TK_STR("provider")));
    struct tk_val dialect = tk_get(params, TK_STR("dialect"));

    for (const struct tk_shape *const *shape = provider->rules.shapes; shape && *shape; shape++)
        if (tk_text_is(dialect, tk_str_of((*shape)->name)))
            return *shape;
    return own_shape(provider);
}

/* ---- what a provider has ---- */

static bool has_dialect(const struct tk_params *p, const struct tk_provider *provider)
{
    return tk_provider_has_shape(provider, tk_params_dialect(p));
}

static const struct tk_endpoint_name *endpoint_named(const struct tk_provider *provider,
                                                     enum tk_word word)
{
    const struct tk_endpoint_name *e = provider->endpoints;

    while (e && e->name && strcmp(e->name, tk_word_name(word)) != 0)
        e++;
    return e && e->name ? e : NULL;
}

static bool has_own_dialect(const struct tk_params *p, const struct tk_provider *provider)
{
    return tk_exists(tk_param(p, TK_P_OWN_DIALECT)) &&
           strcmp(tk_word_name(tk_param_word(p, TK_P_OWN_DIALECT)),
                  provider->rules.shapes[0]->name) == 0;
}

static bool has_endpoint(const struct tk_params *p, const struct tk_provider *provider)
{
    return !provider->endpoints || endpoint_named(provider, tk_param_word(p, TK_P_TARGET_ENDPOINT));
}

static bool is_copy(const struct tk_params *p, const struct tk_provider *provider)
{
    (void)provider;
    return tk_params_endpoint(p) == TK_ENDPOINT_COMPATIBLE;
}

static bool takes_betas(const struct tk_params *p, const struct tk_provider *provider)
{
    (void)p;
    return provider->betas != NULL;
}

static bool takes_provenance(const struct tk_params *p, const struct tk_provider *provider)
{
    return provider->seals || tk_param_word(p, TK_P_PROVENANCE) != TK_WORD_REBUILT;
}

/* Returns true if the provider has seals, or none is sent. params: as sent, since a list with a faulty seal
 * is no parameter yet (`late` of struct tk_field). */
static bool takes_seals(const struct tk_provider *provider, struct tk_val params)
{
    return provider->seals || !tk_exists(tk_first(tk_get(params, TK_STR("seals"))));
}

static bool takes_carried(const struct tk_params *p, const struct tk_provider *provider)
{
    return provider->rules.is_in_flight || !tk_exists(tk_first(tk_param(p, TK_P_CARRY_IN)));
}

static bool takes_tools(const struct tk_params *p, const struct tk_provider *provider)
{
    (void)p;
    return provider->tools != NULL;
}

/* ---- what its turns have ---- */

static bool has_turn(const struct tk_provider *provider, unsigned flags)
{
    return provider->splice && (provider->splice->flags & flags);
}

static bool takes_container(const struct tk_params *p, const struct tk_provider *provider)
{
    (void)p;
    return provider->splice && provider->splice->container;
}

static bool takes_merge(const struct tk_params *p, const struct tk_provider *provider)
{
    bool joins = has_turn(provider, TK_SPLICE_JOINS_USERS);

    return has_turn(provider, TK_SPLICE_MAY_JOIN_USERS) ||
           tk_param_word(p, TK_P_SPLICE_MERGE) == (joins ? TK_WORD_SINGLE : TK_WORD_SEPARATE);
}

static bool takes_conflict(const struct tk_params *p, const struct tk_provider *provider)
{
    return !has_turn(provider, TK_SPLICE_ITEMS) ||
           tk_param_word(p, TK_P_SPLICE_ON_ASSISTANT_CONFLICT) == TK_WORD_ERROR;
}

static bool takes_compaction(const struct tk_params *p, const struct tk_provider *provider)
{
    return has_turn(provider, TK_SPLICE_COMPACTS) ||
           tk_param_word(p, TK_P_SPLICE_COMPACTION) == TK_WORD_KEEP;
}

static bool takes_choice(const struct tk_params *p, const struct tk_provider *provider)
{
    return has_turn(provider, TK_SPLICE_CHOICES) || tk_param_int(p, TK_P_SPLICE_CHOICE) == 0;
}

static bool takes_state(const struct tk_params *p, const struct tk_provider *provider)
{
    return (provider->splice && provider->splice->previous) ||
           tk_param_word(p, TK_P_SPLICE_STATE) == TK_WORD_AUTO;
}

/* Parameters with values that some provider doesn't take. */
static const struct {
    enum tk_param param;
    bool (*takes)(const struct tk_params *p, const struct tk_provider *provider);
    struct tk_str fault;
} of_providers[] = {
    {TK_P_DIALECT, has_dialect, TK_NAME("the provider has no such dialect")},
    {TK_P_OWN_DIALECT, has_own_dialect, TK_NAME("only the provider's own dialect is read here")},
    {TK_P_TARGET_ENDPOINT, has_endpoint, TK_NAME("the provider has no such endpoint")},
    {TK_P_TARGET_SERVER, is_copy, TK_NAME("only the endpoint compatible has known servers")},
    {TK_P_BETAS, takes_betas, TK_NAME("the provider has no beta values")},
    {TK_P_TOOLS_STEP, takes_tools, TK_NAME("the provider has no lists of tools to merge")},
    {TK_P_INTERLEAVED, takes_betas, TK_NAME("the provider has no beta values")},
    {TK_P_LEGACY_BETAS, takes_betas, TK_NAME("the provider has no beta values")},
    {TK_P_CONTAINER, takes_container, TK_NAME("the provider has no containers")},
    {TK_P_SPLICE_MERGE, takes_merge, TK_NAME("the provider's API leaves no choice")},
    {TK_P_SPLICE_ON_ASSISTANT_CONFLICT, takes_conflict,
     TK_NAME("items of a turn can't be replaced by others")},
    {TK_P_SPLICE_COMPACTION, takes_compaction, TK_NAME("the provider has no compaction turns")},
    {TK_P_SPLICE_CHOICE, takes_choice, TK_NAME("the provider gives one answer")},
    {TK_P_SPLICE_STATE, takes_state, TK_NAME("the provider keeps no histories")},
    {TK_P_PROVENANCE, takes_provenance, TK_NAME("the provider's turns can't be told apart")},
    {TK_P_CARRY_IN, takes_carried, TK_NAME("the provider carries no calls from turn to turn")},
};

static int refuse(struct tk_request *rq, struct tk_val v, struct tk_str fault)
{
    struct tk_str pointer = tk_pointer_of(v, TK_STR(""), rq->arena);

    rq->stage = rq->method->stage_of ? rq->method->stage_of(pointer) : NULL;
    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, pointer, fault);
}

int tk_check_provider(struct tk_request *rq, struct tk_val params)
{
    const struct tk_provider *provider = tk_params_provider(&rq->params);

    if (rq->method->flags & TK_METHOD_ANY_PROVIDER)
        return 0;
    /* The row of a provider that isn't judged says nothing about these. */
    for (size_t i = 0; provider->rules.checks && i < sizeof(of_providers) / sizeof(of_providers[0]);
         i++) {
        struct tk_val v = tk_param(&rq->params, of_providers[i].param);

        if (tk_exists(v) && !of_providers[i].takes(&rq->params, provider))
            return refuse(rq, v, of_providers[i].fault);
    }
    if (provider->rules.checks && !takes_seals(provider, params))
        return refuse(rq, tk_get(params, TK_STR("seals")),
                      TK_STR("the provider's turns have no seals"));
    return 0;
}

enum tk_endpoint tk_params_endpoint(const struct tk_params *p)
{
    const struct tk_provider *provider = tk_params_provider(p);
    const struct tk_endpoint_name *e = NULL;

    if (tk_exists(tk_param(p, TK_P_TARGET_ENDPOINT)))
        e = endpoint_named(provider, tk_param_word(p, TK_P_TARGET_ENDPOINT));
    if (!e)
        e = provider->endpoints;
    return e ? e->endpoint : TK_ENDPOINT_OWN;
}

enum tk_server tk_params_server(const struct tk_params *p)
{
#define SERVER(id, name) [TK_WORD_##id] = TK_SERVER_##id,
    static const uint8_t servers[TK_WORD_COUNT] = {TK_SERVERS(SERVER)};
#undef SERVER

    return (enum tk_server)servers[tk_param_word(p, TK_P_TARGET_SERVER)];
}

int tk_refuse_provider(struct tk_request *rq, enum tk_param parameter)
{
    struct tk_val name = tk_param(&rq->params, parameter);
    struct tk_str pointer =
        tk_exists(name) ? tk_pointer_of(name, TK_STR(""), rq->arena) : TK_STR("/params/provider");

    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, pointer,
                           TK_STR("this build can't do that for the provider"));
}
