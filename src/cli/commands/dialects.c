/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/dialects.h"

#include "cli/args/request.h"
#include "providers/provider.h"
#include "providers/registry.h"

#include <stdio.h>

static enum tk_shape_id id_of(const struct tk_shape *shape)
{
    int i = 0;

    while (i + 1 < TK_SHAPE_COUNT && tk_shapes[i] != shape)
        i++;
    return (enum tk_shape_id)i;
}

/* Returns the provider that --provider names; NULL without the option, or if there is none of that
 * name, which the core refuses. */
static const struct tk_provider *provider_asked(const struct cli_args *args)
{
    const char *name = args->value[CLI_OPT_PROVIDER];

    return name ? cli_provider(name) : NULL;
}

/* Returns the provider that judges documents of a shape: the one that is asked for, else the first
 * that has it, else the default. */
static const struct tk_provider *provider_of(const struct cli_args *args, enum tk_shape_id shape)
{
    const struct tk_provider *asked = provider_asked(args);

    for (int i = 0; !asked && i < TK_PROVIDER_COUNT; i++)
        if (tk_provider_has_shape(tk_providers[i], tk_shapes[shape]))
            return tk_providers[i];
    return asked ? asked : tk_providers[0];
}

const char *cli_dialect_provider(const struct cli_args *args, enum tk_shape_id shape)
{
    return provider_of(args, shape)->name;
}

bool cli_dialect_is_special(const struct cli_args *args, enum tk_shape_id shape)
{
    return provider_of(args, shape) != tk_providers[0];
}

static struct cli_expected expect(const struct cli_args *args)
{
    const char *name = args->value[CLI_OPT_DIALECT];
    const struct tk_shape *shape = name ? tk_shape_by_name(tk_str_of(name)) : NULL;
    const struct tk_provider *provider = provider_asked(args);
    struct cli_expected expected = {.may_be = 0, .reader = "this release"};

    expected.detects = !name && !cli_given(args, CLI_OPT_PROVIDER);

    if (provider && provider->rules.shapes)
        expected.reader = provider->name;
    else
        provider = NULL;
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        if (!provider || tk_provider_has_shape(provider, tk_shapes[i]))
            expected.may_be |= 1u << i;
    if (!shape)
        shape = provider ? provider->rules.shapes[0] : tk_providers[0]->rules.shapes[0];
    expected.dialect = id_of(shape);
    /* A single shape is asked for: the core says what is wrong with others. */
    if (name || (expected.may_be & (expected.may_be - 1)) == 0)
        expected.may_be = 1u << expected.dialect;
    return expected;
}

/* Writes the members that documents of a shape need, after those that all have. */
static void fix_members(const struct cli_args *args, const struct cli_expected *expected,
                        enum tk_shape_id shape, const char *fixed, char *buf, size_t size)
{
    bool named = shape != expected->dialect;
    bool judged_elsewhere =
        !cli_given(args, CLI_OPT_PROVIDER) && cli_dialect_is_special(args, shape);

    snprintf(buf, size, "%s%s%s%s%s%s%s%s%s", fixed ? fixed : "",
             fixed && (named || judged_elsewhere) ? "," : "", named ? "\"dialect\":\"" : "",
             named ? tk_shapes[shape]->name : "", named ? "\"" : "",
             named && judged_elsewhere ? "," : "", judged_elsewhere ? "\"provider\":\"" : "",
             judged_elsewhere ? cli_dialect_provider(args, shape) : "",
             judged_elsewhere ? "\"" : "");
}

static bool has_endpoint(const struct tk_provider *provider, const char *name)
{
    for (const struct tk_endpoint_name *e = provider->endpoints; e && e->name; e++)
        if (strcmp(e->name, name) == 0)
            return true;
    return false;
}

/* Writes the tails of a shape: for its provider's own endpoint, and for those that may be found out. */
static int write_tails(struct cli_dialects *dialects, const struct cli_args *args,
                       enum tk_shape_id shape, const char *fixed)
{
    bool finds = dialects->expected.detects && !cli_given(args, CLI_OPT_TARGET);
    struct cli_args with = *args;
    char members[256];

    fix_members(args, &dialects->expected, shape, fixed, members, sizeof(members));
    for (int i = 0; i < (finds ? CLI_ENDPOINT_COUNT : 1); i++) {
        struct cli_buf *tail = &dialects->tails[shape][i];
        int r;

        if (i != CLI_ENDPOINT_OWN && !has_endpoint(provider_of(args, shape), cli_endpoint_names[i]))
            continue;
        with.value[CLI_OPT_TARGET] =
            i == CLI_ENDPOINT_OWN ? args->value[CLI_OPT_TARGET] : cli_endpoint_names[i];
        r = cli_request_tail(&with, members[0] ? members : NULL, tail);
        if (r != 0)
            return r;
        if (dialects->longest < tail->n)
            dialects->longest = tail->n;
    }
    return 0;
}

int cli_dialects_init(struct cli_dialects *dialects, const struct cli_args *args, const char *fixed)
{
    int r = 0;

    *dialects = (struct cli_dialects){.expected = expect(args)};
    for (int i = 0; i < TK_SHAPE_COUNT && r == 0; i++)
        if (dialects->expected.may_be & 1u << i)
            r = write_tails(dialects, args, (enum tk_shape_id)i, fixed);
    return r;
}

struct tk_str cli_dialects_tail(const struct cli_dialects *dialects,
                                const struct cli_history *history)
{
    const struct cli_buf *tails = dialects->tails[history->dialect];

    return cli_buf_str(
        &tails[tails[history->endpoint].n > 0 ? history->endpoint : CLI_ENDPOINT_OWN]);
}

void cli_dialects_done(struct cli_dialects *dialects)
{
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        for (int e = 0; e < CLI_ENDPOINT_COUNT; e++)
            cli_buf_done(&dialects->tails[i][e]);
}
