/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/dialects.h"

#include "cli/args/request.h"
#include "providers/registry.h"
#include "rules/provider.h"

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

    for (int i = 0; name && i < TK_PROVIDER_COUNT; i++)
        if (strcmp(tk_providers[i]->name, name) == 0)
            return tk_providers[i];
    return NULL;
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

    if (provider && provider->shapes)
        expected.reader = provider->name;
    else
        provider = NULL;
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        if (!provider || tk_provider_has_shape(provider, tk_shapes[i]))
            expected.may_be |= 1u << i;
    if (!shape)
        shape = provider ? provider->shapes[0] : tk_providers[0]->shapes[0];
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

int cli_dialects_init(struct cli_dialects *dialects, const struct cli_args *args, const char *fixed)
{
    *dialects = (struct cli_dialects){.expected = expect(args)};
    for (int i = 0; i < TK_SHAPE_COUNT; i++) {
        struct cli_buf *tail = &dialects->tails[i];
        char members[256];
        int r;

        if (!(dialects->expected.may_be & 1u << i))
            continue;
        fix_members(args, &dialects->expected, (enum tk_shape_id)i, fixed, members,
                    sizeof(members));
        r = cli_request_tail(args, members[0] ? members : NULL, tail);
        if (r != 0)
            return r;
        if (dialects->longest < tail->n)
            dialects->longest = tail->n;
    }
    return 0;
}

void cli_dialects_done(struct cli_dialects *dialects)
{
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        cli_buf_done(&dialects->tails[i]);
}
