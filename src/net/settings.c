/* SPDX-License-Identifier: Apache-2.0 */
#include "net/settings.h"

#include <stdlib.h>
#include <string.h>

#include "net/log.h"

#define ROW(name, unit, min, max, def, help)                                                       \
    {#name, TK_UNIT_##unit, min, max, def, offsetof(struct tk_limits, name), help},
const struct tk_limit_row tk_limit_rows[TK_LIMIT_COUNT] = {TK_LIMITS(ROW)};
#undef ROW

const char *const tk_log_repairs_names[TK_LOG_REPAIRS_COUNT] = {
    [TK_LOG_REPAIRS_NONE] = "none",
    [TK_LOG_REPAIRS_CHANGED] = "changed",
    [TK_LOG_REPAIRS_ALL] = "all",
};

int64_t tk_limit_get(const struct tk_limits *limits, enum tk_limit limit)
{
    int64_t value;

    memcpy(&value, (const char *)limits + tk_limit_rows[limit].offset, sizeof(value));
    return value;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

bool tk_id_list_has(const struct tk_id_list *list, uint32_t id)
{
    if (!list->set)
        return false;
    return list->count > 0 && bsearch(&id, list->ids, list->count, sizeof(id), compare_ids);
}

struct tk_settings *tk_settings_new(void)
{
    struct tk_settings *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++)
        memcpy((char *)&s->limits + tk_limit_rows[i].offset, &tk_limit_rows[i].def,
               sizeof(int64_t));
    s->socket_mode = 0660;
    s->log_level = TK_LOG_INFO;
    s->references = 1;
    return s;
}

void tk_settings_complete(struct tk_settings *settings)
{
    struct tk_limits *l = &settings->limits;

    if (l->max_inflight_bytes_per_uid == 0)
        l->max_inflight_bytes_per_uid = (l->max_inflight_bytes + 1) / 2;
}

/* Replaces a copied pointer by a copy of its memory; false if out of memory. */
static bool own_ids(struct tk_id_list *list)
{
    const uint32_t *ids = list->ids;

    list->ids = NULL;
    if (!list->set || list->count == 0)
        return true;
    list->ids = malloc(list->count * sizeof(*ids));
    if (list->ids)
        memcpy(list->ids, ids, list->count * sizeof(*ids));
    return list->ids != NULL;
}

static bool own_text(char **text)
{
    if (!*text)
        return true;
    *text = strdup(*text);
    return *text != NULL;
}

struct tk_settings *tk_settings_copy(const struct tk_settings *settings)
{
    struct tk_settings *s = malloc(sizeof(*s));
    bool ok;

    if (!s)
        return NULL;
    /* All but the last member: other threads may be changing that one. */
    memcpy(s, settings, offsetof(struct tk_settings, references));
    s->references = 1;
    ok = own_ids(&s->allow_uids);
    ok = own_ids(&s->allow_gids) && ok;
    ok = own_text(&s->socket) && ok;
    ok = own_text(&s->control) && ok;
    ok = own_text(&s->socket_group) && ok;
    ok = own_text(&s->http) && ok;
    if (ok)
        return s;
    tk_settings_unref(s);
    return NULL;
}

struct tk_settings *tk_settings_ref(struct tk_settings *settings)
{
    __atomic_add_fetch(&settings->references, 1, __ATOMIC_RELAXED);
    return settings;
}

void tk_settings_unref(struct tk_settings *settings)
{
    if (!settings || __atomic_sub_fetch(&settings->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    free(settings->allow_uids.ids);
    free(settings->allow_gids.ids);
    free(settings->socket);
    free(settings->control);
    free(settings->socket_group);
    free(settings->http);
    free(settings);
}
