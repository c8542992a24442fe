/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/formats.h"

#include "methods/params/providers.h"
#include "providers/splice.h"
#include "shapes/shape.h"
#include "value/pointer.h"

/* Returns true if the method has the parameter `dialect`; other methods read one dialect only. */
static bool has_choice(const struct tk_request *rq)
{
    for (const struct tk_field *const *f = rq->method->params->fields; *f; f++)
        if ((*f)->slot == TK_P_DIALECT)
            return true;
    return false;
}

/* ---- the message for people ---- */

static void put(struct tk_out *out, const char *z)
{
    tk_out_put(out, z, strlen(z));
}

static void put_readable(struct tk_out *out, const struct tk_request *rq,
                         const struct tk_shape *own)
{
    const struct tk_shape *const *shapes = tk_params_provider(&rq->params)->rules.shapes;

    put(out, "this method reads ");
    if (!has_choice(rq)) {
        put(out, own->name);
        return;
    }
    for (const struct tk_shape *const *d = shapes; *d; d++) {
        put(out, d == shapes ? "" : d[1] ? ", " : " and ");
        put(out, (*d)->name);
    }
}

/* Returns the sentence for people. The names of members and formats in it are constants of this
 * program, so it has no content of the history. */
static struct tk_str message_of(struct tk_request *rq, const struct tk_shape *d,
                                const struct tk_format *f)
{
    const struct tk_shape *other =
        f->looks_like ? tk_shape_by_name(tk_str_of(f->looks_like)) : NULL;
    struct tk_out out;

    tk_out_init(&out, rq->arena);
    if (f->title) {
        put(&out, "this looks like ");
        put(&out, f->title);
    } else {
        put(&out, "this isn't a history in the dialect ");
        put(&out, d->name);
    }
    put(&out, f->name ? ": a member " : ": no message has a role");
    put(&out, f->name ? f->name : "");
    put(&out, f->name && !f->title ? ", whose words it would not see" : "");
    put(&out, "; ");
    if (other && has_choice(rq)) {
        put(&out, tk_provider_has_shape(tk_params_provider(&rq->params), other)
                      ? "ask for the dialect "
                      : "ask for the provider ");
        put(&out, f->looks_like);
    } else
        put_readable(&out, rq, d);
    return tk_out_join(&out);
}

static int refuse(struct tk_request *rq, const struct tk_shape *d, const struct tk_format *f)
{
    struct tk_str pointer = tk_pointer_of(f->at, TK_STR(""), rq->arena);
    struct tk_writer *w;

    /* The parameter tells whose step it is, in whichever step the history was looked at. */
    rq->stage = rq->method->stage_of ? rq->method->stage_of(pointer) : NULL;
    w = tk_answer_begin_error_text(rq, TK_ERR_DIALECT_MISMATCH, pointer, message_of(rq, d, f));
    tk_write_key(w, "looks_like");
    if (f->looks_like)
        tk_write_cstr(w, f->looks_like);
    else
        tk_write_null(w);
    tk_write_kv_str(w, "sign", tk_format_sign(f, rq->arena));
    tk_write_kv_cstr(w, "dialect", d->name);
    return tk_answer_end(rq);
}

/* ---- looking ---- */

typedef bool look_fn(struct tk_val v, unsigned asked, struct tk_arena *arena,
                     struct tk_format *ret);

/* Returns the search of a row for a value; a turn that is a list of messages is looked at like a
 * history. */
static look_fn *look_of(const struct tk_look *l, struct tk_val v, const struct tk_shape *d)
{
    bool is_turn = l->param == TK_P_CONTENT && !l->member;

    if (l->param == TK_P_ASSISTANT && tk_is(v, TK_ARRAY))
        return tk_format_of_list;
    return is_turn && d->turns_are_lists ? tk_format_of_list : l->look;
}

/* Returns the value of a row: of a received turn, the message or the items in it. */
static struct tk_val value_of(const struct tk_request *rq, const struct tk_look *l)
{
    const struct tk_splice_rules *rules = tk_params_provider(&rq->params)->splice;
    struct tk_val v = tk_param(&rq->params, l->param);
    struct tk_received received = {.turn = TK_NO_VAL};

    if (l->member)
        return tk_get(v, tk_str_of(l->member));
    if (l->param != TK_P_ASSISTANT || !tk_exists(v) || !rules ||
        !rules->receive(v, (uint32_t)tk_param_int(&rq->params, TK_P_SPLICE_CHOICE), &received))
        return v;
    return received.turn;
}

/* Returns the dialect that a row asks for, with its flags. */
static unsigned asked_of(const struct tk_look *l, const struct tk_shape *d)
{
    bool turn = l->param == TK_P_CONTENT && !l->member && d->asked == TK_ASKED_GEMINI;

    return d->asked | l->asked | (turn ? (unsigned)TK_ASKED_GEMINI_TURN : 0);
}

int tk_check_formats(struct tk_request *rq)
{
    const struct tk_shape *d = tk_params_dialect(&rq->params);
    struct tk_format format;

    if (d->asked == 0)
        return 0;
    for (const struct tk_look *l = rq->method->looks; l && l->look; l++) {
        struct tk_val v = value_of(rq, l);

        if (tk_exists(v) && look_of(l, v, d)(v, asked_of(l, d), rq->arena, &format))
            return refuse(rq, d, &format);
    }
    return 0;
}

/* Returns false for a part that could be a sign of another format: it has a member or a type that
 * the wire's blocks don't know, a text that isn't a string, or data that isn't a string. */
static bool is_usual_part(const struct tk_part *p)
{
    if (p->flags & TK_PART_ODD)
        return false;
    if (p->kind == TK_PART_TEXT)
        return tk_is(tk_part_val(p, p->payload), TK_STRING);
    return p->kind != TK_PART_REDACTED || (p->flags & TK_PART_SIGNED);
}

static bool is_usual(const struct tk_transcript *t)
{
    if (!t->shape->marks_odd_parts)
        return false;
    for (uint32_t m = 0; m < t->input_messages; m++)
        if ((t->messages[m].flags & (TK_MESSAGE_EXTRA | TK_MESSAGE_NO_ROLE)) ||
            t->messages[m].role == TK_ROLE_OTHER)
            return false;
    for (uint32_t i = 0; i < t->input_parts; i++)
        if (!is_usual_part(&t->parts[i]))
            return false;
    return true;
}

int tk_check_format_of(struct tk_request *rq, const struct tk_transcript *t)
{
    struct tk_format format;

    if (t->shape->asked == 0 || is_usual(t) ||
        !tk_format_of_list(t->list, t->shape->asked, rq->arena, &format))
        return 0;
    return refuse(rq, t->shape, &format);
}
