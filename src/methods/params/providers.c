/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/providers.h"

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
    return provider->shapes ? provider->shapes[0] : tk_shapes[0];
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
    struct tk_val dialect = tk_get(params, TK_STR("dialect"));

    for (const struct tk_shape *const *shape = tk_shapes; *shape && tk_exists(dialect); shape++)
        if (tk_text_is(dialect, tk_str_of((*shape)->name)))
            return *shape;
    return own_shape(provider_named(tk_get(params, TK_STR("provider"))));
}

int tk_check_dialect(struct tk_request *rq)
{
    struct tk_val dialect = tk_param(&rq->params, TK_P_DIALECT);

    if (!tk_exists(dialect) ||
        tk_provider_has_shape(tk_params_provider(&rq->params), tk_params_dialect(&rq->params)))
        return 0;
    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, tk_pointer_of(dialect, TK_STR(""), rq->arena),
                           TK_STR("the provider has no such dialect"));
}

int tk_refuse_provider(struct tk_request *rq, enum tk_param parameter)
{
    struct tk_val name = tk_param(&rq->params, parameter);
    struct tk_str pointer =
        tk_exists(name) ? tk_pointer_of(name, TK_STR(""), rq->arena) : TK_STR("/params/provider");

    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, pointer,
                           TK_STR("this build can't do that for the provider"));
}
