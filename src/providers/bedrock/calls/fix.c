/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs single calls and results (PROVIDERS.md 6.6). */
#include <errno.h>

#include "engine/fix.h"
#include "engine/pairs/new_id.h"
#include "engine/protect.h"
#include "providers/bedrock/rules.h"
#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"
#include "providers/common/part_lists.h"
#include "providers/common/texts.h"
#include "shapes/shape.h"

/* The longest name of a tool. */
#define NAME_LENGTH_MAX 64

#define NO_OUTPUT TK_STR("(no output)")

static const struct tk_path name_path = {{"toolUse", "name"}};
static const struct tk_path content_path = {{"toolResult", "content"}};

static int set(struct tk_plan *p, const struct tk_finding *f, const struct tk_path *path,
               struct tk_str value)
{
    int r = value.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    return r < 0 ? r : tk_change_set(p->e, f->site.part, path, value);
}

/* ---- ids ---- */

/* Notes the ids of the protected message. Returns 0 or -ENOMEM. */
static int note_sealed(const struct tk_plan *p)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_transcript *t = p->j->t;
    uint32_t m = t->protected_message;
    bool fresh;

    round->knows_sealed = true;
    for (uint32_t i = m == TK_NONE ? TK_NONE : t->messages[m].first; i != TK_NONE;
         i = t->parts[i].next)
        if ((t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT) &&
            !tk_map_put(&round->sealed, tk_part_id(t, &t->parts[i]), &fresh))
            return -ENOMEM;
    return 0;
}

/* An id that the protected message has stays everywhere, or its pairs would fall apart. */
bool tk_brk_may_change_id(const struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;

    if (tk_is_protected(p->j->t, f->site.entry) || (!round->knows_sealed && note_sealed(p) < 0))
        return false;
    return !tk_map_get(&round->sealed, tk_part_id(p->j->t, &p->j->t->parts[f->site.part]));
}

int tk_brk_set_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id)
{
    const struct tk_shape *d = p->j->t->shape;
    bool call = p->j->t->parts[part].kind == TK_PART_CALL;
    int r = id.p ? tk_edit_rewritten(p->e, part, code) : -ENOMEM;

    return r < 0 ? r
                 : tk_change_set(p->e, part, call ? &d->call_id : &d->result_id,
                                 tk_encode_text(p->e, id));
}

int tk_brk_fix_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str old = tk_part_id(p->j->t, &p->j->t->parts[f->site.part]);

    (void)d;
    return tk_brk_set_id(p, f->site.part, f->code,
                         tk_id_of_form(p->j->t->arena, old, &tk_client_id_form));
}

/* ---- names and inputs ---- */

int tk_brk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str name = tk_part_name(p->j->t, &p->j->t->parts[f->site.part]);

    (void)d;
    name = tk_clean_name(p->j->t->arena, name, SIZE_MAX);
    if (!name.p)
        return -ENOMEM;
    name.n = name.n < NAME_LENGTH_MAX ? name.n : NAME_LENGTH_MAX;
    return set(p, f, &name_path, tk_encode_text(p->e, name));
}

int tk_brk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];

    (void)d;
    return set(p, f, &p->j->t->shape->input,
               tk_object_for(tk_part_val(part, part->payload), &tk_bedrock(p->j)->tape, p->j->t));
}

/* ---- what a result contains ---- */

int tk_brk_fix_result_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];

    (void)d;
    return set(p, f, &content_path, tk_as_part_list(p->e, tk_part_val(part, part->payload)));
}

/* Returns a text as an element of a result. */
static struct tk_str text_element(struct tk_edits *e, struct tk_str text)
{
    return tk_encode_text_part(e, text, (struct tk_str){0});
}

int tk_brk_fix_no_output(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_encoding out;

    (void)d;
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_list(&out.w);
    tk_write_raw(&out.w, text_element(p->e, NO_OUTPUT));
    tk_write_end(&out.w);
    return set(p, f, &content_path, tk_encode_end(&out));
}

/* Removes the elements for which change() returns true, or gives them the bytes that it sets. A list that
 * would be empty then gets the text "(no output)". */
static int change_elements(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d,
                           bool (*change)(struct tk_edits *e, struct tk_val v, struct tk_str *ret))
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_val list = tk_part_val(part, part->payload);
    uint32_t n = tk_count(list), count = 0, gone = 0, index = 0;
    struct tk_element *elements = tk_arena_zalloc(p->j->t->arena, n, sizeof(*elements));
    int r;

    if (!elements)
        return -ENOMEM;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), index++)
        if (change(p->e, v, &elements[count].value)) {
            gone += elements[count].value.p == NULL;
            elements[count++].index = index;
        }
    if (gone == n)
        return tk_brk_fix_no_output(p, f, d);
    r = tk_edit_rewritten(p->e, f->site.part, f->code);
    return r < 0 ? r : tk_change_elements(p->e, f->site.part, &content_path, elements, count);
}

static bool drop_blank(struct tk_edits *e, struct tk_val v, struct tk_str *ret)
{
    (void)e;
    (void)ret;
    return tk_brk_is_blank_element(v);
}

int tk_brk_fix_blank_result(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return change_elements(p, f, d, drop_blank);
}

static bool spell_out(struct tk_edits *e, struct tk_val v, struct tk_str *ret)
{
    struct tk_val json = tk_brk_bad_json(v);
    struct tk_str text;

    if (!tk_exists(json))
        return false;
    text = tk_is(json, TK_STRING) ? tk_text(json, e->t->arena) : tk_json_text(json, e->t->arena);
    *ret = text_element(e, tk_text_is_blank(json) ? NO_OUTPUT : text);
    return true;
}

int tk_brk_fix_bad_json(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return change_elements(p, f, d, spell_out);
}
