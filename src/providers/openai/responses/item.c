/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/item.h"

#include <errno.h>

#include "engine/edit/emit.h"
#include "providers/common/equal.h"
#include "providers/openai/responses/rules.h"
#include "shapes/members.h"

struct tk_val tk_item_val(const struct tk_transcript *t, uint32_t item)
{
    const struct tk_message *m = &t->messages[item];

    if (m->flags & TK_MESSAGE_WHOLE)
        return tk_part_val(&t->parts[m->first], t->parts[m->first].node);
    return (struct tk_val){m->doc, m->node};
}

struct tk_val tk_item_id_sent(const struct tk_transcript *t, uint32_t item)
{
    const struct tk_message *m = &t->messages[item];
    struct tk_val id = {m->doc, m->own_id};

    if (m->flags & TK_MESSAGE_WHOLE) {
        const struct tk_part *p = &t->parts[m->first];

        if (p->block == TK_ITEM_LOCAL_SHELL_OUTPUT && p->id == p->own_id)
            return TK_NO_VAL;
        id = tk_part_val(p, p->own_id);
    }
    return tk_exists(id) && !tk_is(id, TK_NULL) ? id : TK_NO_VAL;
}

struct tk_val tk_item_id(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val id = tk_item_id_sent(t, item);

    return tk_has_text(id) ? id : TK_NO_VAL;
}

bool tk_item_is_call(const struct tk_transcript *t, uint32_t item)
{
    return t->messages[item].item < TK_ITEM_CALLS_END &&
           tk_is_call(&t->parts[t->messages[item].first], false);
}

bool tk_item_is_output(const struct tk_transcript *t, uint32_t item)
{
    return t->messages[item].item < TK_ITEM_CALLS_END &&
           tk_is_result(&t->parts[t->messages[item].first], false);
}

bool tk_item_is_models(const struct tk_transcript *t, uint32_t item)
{
    uint8_t row = t->messages[item].item;

    if (row == TK_ITEM_MESSAGE)
        return t->messages[item].role == TK_ROLE_ASSISTANT;
    if (row == TK_ITEM_SEARCH_OUTPUT)
        return t->parts[t->messages[item].first].flags & TK_PART_PROVIDER;
    return !(tk_items[row].flags & TK_ITEM_CLIENTS);
}

bool tk_item_is_kept(const struct tk_transcript *t, uint32_t item)
{
    const struct tk_item *row = tk_item_at(t, item);
    uint32_t part = tk_item_part(t, item);
    struct tk_val v = tk_item_val(t, item);

    if (part == TK_NONE)
        return t->messages[item].flags & TK_MESSAGE_KEPT;
    if ((row->flags & TK_ITEM_OPEN) || !(t->parts[part].flags & TK_PART_ODD))
        return false;
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x))
        if (x.node != t->parts[part].type && !tk_is_item_offender(t, item, x) &&
            tk_item_member_of(x, row->required | row->known) == TK_IM_COUNT &&
            tk_member_kind(x, t->arena) >= TK_MEMBER_WORDS)
            return true;
    return false;
}

bool tk_id_must_stay(const struct tk_judge *j, uint32_t item)
{
    return tk_responses(j)->azure && tk_item_is(j->t, item, TK_ITEM_REASONING) &&
           tk_exists(tk_item_id(j->t, item));
}

/* Returns the item's bytes as repair writes them, read as a value, and keeps it for the next who asks
 * for the item. */
static struct tk_val kept_value(struct tk_plan *p, uint32_t item)
{
    struct tk_responses *own = tk_responses(p->j);

    if (!own->emitted_known || own->emitted_item != item || own->emitted_steps != p->e->steps) {
        own->emitted = tk_emitted_message(p->j->t, item);
        own->emitted_item = item;
        own->emitted_steps = p->e->steps;
        own->emitted_known = true;
    }
    return own->emitted;
}

bool tk_items_are_equal(struct tk_plan *p, uint32_t a, uint32_t b, const struct tk_str *but)
{
    struct tk_val x = kept_value(p, a), y = tk_emitted_message(p->j->t, b);

    return tk_exists(x) && tk_exists(y) && tk_is_equal(x, y, but);
}

/* ---- findings ---- */

int tk_find_item_as(struct tk_judge *j, uint16_t code, uint32_t item, enum tk_severity severity)
{
    return tk_find(&j->findings, j->t, code, severity, tk_site_of(item, tk_item_part(j->t, item)));
}

int tk_find_item(struct tk_judge *j, uint16_t code, uint32_t item)
{
    return tk_find_item_as(j, code, item, tk_catalogue[code].severity);
}

int tk_find_item_by_id(struct tk_judge *j, uint16_t code, uint32_t item)
{
    int r = tk_find_item(j, code, item);

    return r < 0 ? r : tk_find_id(&j->findings, j->t, tk_text(tk_item_id(j->t, item), j->t->arena));
}

/* ---- changes ---- */

void tk_items_touch(struct tk_judge *j)
{
    struct tk_responses *own = tk_responses(j);

    own->rows = UINT64_MAX;
    own->roles = UINT8_MAX;
    own->odd = true;
    own->looked = true;
    own->pairs.known = false;
}

int tk_item_line(struct tk_plan *p, uint32_t item, uint16_t code, enum tk_action action)
{
    return tk_edit_message(p->e, item, code, action);
}

int tk_item_set(struct tk_plan *p, uint32_t item, const char *name, struct tk_str value)
{
    uint32_t part = tk_item_part(p->j->t, item);
    struct tk_path path = {{name}};

    tk_items_touch(p->j);
    return part == TK_NONE ? tk_message_set(p->e, item, name, value)
                           : tk_change_set(p->e, part, &path, value);
}

int tk_item_set_text(struct tk_plan *p, uint32_t item, const char *name, struct tk_str text)
{
    return tk_item_set(p, item, name, tk_encode_text(p->e, text));
}

int tk_item_remove(struct tk_plan *p, uint32_t item, const char *name)
{
    uint32_t part = tk_item_part(p->j->t, item);
    struct tk_path path = {{name}};

    tk_items_touch(p->j);
    return part == TK_NONE ? tk_message_remove(p->e, item, name)
                           : tk_change_remove(p->e, part, &path);
}

int tk_item_become(struct tk_plan *p, uint32_t item, uint16_t code, enum tk_action action,
                   struct tk_str encoded)
{
    int r = tk_item_line(p, item, code, action);

    tk_items_touch(p->j);
    return r < 0 ? r : tk_message_recast(p->e, item, encoded);
}

int tk_item_drop(struct tk_plan *p, uint32_t item, uint16_t code)
{
    tk_items_touch(p->j);
    return tk_edit_drop_item(p->e, item, code);
}

int tk_item_insert(struct tk_plan *p, uint32_t after, struct tk_str encoded, uint32_t *ret)
{
    uint32_t made = encoded.p ? tk_edit_new_message(p->e, after, encoded) : TK_NONE;

    tk_items_touch(p->j);
    if (ret)
        *ret = made;
    return made == TK_NONE ? -ENOMEM : 0;
}
