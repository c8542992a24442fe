/* SPDX-License-Identifier: Apache-2.0 */
#include "fitting.h"

#include "repair_properties.h"

/* A budget that every history keeps to. */
#define ENOUGH (((int64_t)1 << 53) - 1)

void fitting_ask(struct trial *t, struct operation *op, struct tk_str list, struct tk_val options,
                 const char *form)
{
    trial_ask(
        t, op,
        (struct question){
            .method = "fit", .unsealed = true, .form = form, .messages = list, .more = options});
}

/* ---- parameters ---- */

/* Writes the first elements of a list: all (`below` 0), or those that are below it. */
static void write_some(struct tk_writer *w, struct tk_val list, uint32_t most, int64_t below)
{
    tk_write_list(w);
    for (struct tk_val v = tk_first(list); tk_exists(v) && most > 0; v = tk_after(list, v), most--)
        if (below == 0 || number(v) < below)
            tk_write_val(w, v);
    tk_write_end(w);
}

struct tk_str fitting_options(struct trial *t, struct tk_val how, int64_t over, int64_t to,
                              uint32_t count)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &t->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    tk_write_kv_int(&w, "over", over);
    tk_write_kv_int(&w, "to", to);
    tk_write_kv_cstr(&w, "on_unreachable", "least");
    for (struct tk_val v = tk_first(how); tk_exists(v); v = tk_after(how, v)) {
        struct tk_str key = tk_key(v, &t->arena);
        bool pin = tk_str_is(key, "pin"), counts = tk_str_is(key, "counts");

        if (tk_str_is(key, "share") || tk_str_is(key, "step") || ((pin || counts) && count == 0))
            continue;
        tk_write_key_str(&w, key);
        if (pin || counts)
            write_some(&w, v, counts ? count : UINT32_MAX, pin ? count : 0);
        else
            tk_write_val(&w, v);
    }
    tk_write_end(&w);
    return tk_out_join(&out);
}

/* Returns so many percent of a size, at least 1. */
static int64_t part_of(int64_t size, struct tk_val percent)
{
    int64_t part = number(percent) > 0 ? size * number(percent) / 100 : 0;

    return part > 0 ? part : 1;
}

/* ---- what happens to entries ---- */

static void note_removals(struct trial *t, struct fitting *f, struct tk_val removed)
{
    for (struct tk_val v = tk_first(removed); tk_exists(v); v = tk_after(removed, v)) {
        int64_t from = place_of(t, in(v, "from")).message, to = place_of(t, in(v, "to")).message;

        for (int64_t i = from; from >= 0 && i <= to && i < f->view.count; i++)
            f->fates[i] = GONE;
    }
}

static void note_edits(struct trial *t, struct fitting *f, struct tk_val edits)
{
    for (struct tk_val v = tk_first(edits); tk_exists(v); v = tk_after(edits, v)) {
        struct place at = place_of(t, in(v, "pointer"));
        bool whole = at.part < 0 && !at.deeper;

        if (at.message < 0 || at.message >= f->view.count)
            continue;
        f->fates[at.message] = whole && tk_text_is(in(v, "action"), TK_STR("drop")) ? GONE : EDITED;
    }
}

static void read_fates(struct trial *t, struct fitting *f)
{
    f->fates = tk_arena_zalloc(&t->arena, f->view.count, sizeof(*f->fates));
    MUST(f->fates);
    note_edits(t, f, in(result_of(&f->outcome), "edits"));
    note_removals(t, f, in(result_of(&f->outcome), "removed"));
}

/* ---- a fitting ---- */

/* Returns the repaired history with its tail, or without. */
static struct tk_str longest(const struct trial *t)
{
    struct tk_val longer = t->has_longer ? in(result_of(&t->longer), "messages") : TK_NO_VAL;

    return tk_exists(longer) ? tk_span(longer) : t->after;
}

static void read_list(struct trial *t, struct fitting *f)
{
    struct tk_str parts[] = {TK_STR("{\""), tk_str_of(t->list), TK_STR("\":"), longest(t),
                             TK_STR("}")};

    f->body = trial_read(t, tk_arena_concat(&t->arena, parts, 5));
    f->list = tk_first(f->body);
    f->view = trial_view(t, f->list);
}

int64_t fitting_size(struct trial *t, struct tk_str list, struct tk_val how, uint32_t count)
{
    struct tk_str options = fitting_options(t, how, ENOUGH, ENOUGH, count);
    struct operation op;
    int64_t size;

    fitting_ask(t, &op, list, trial_read(t, options), "report");
    size = number(in(result_of(&op), "size_before"));
    operation_done(&op);
    return size;
}

struct fitting *fitting_begin(struct trial *t, struct tk_val how)
{
    struct fitting *f;
    struct tk_val now;

    if (!tk_is(how, TK_OBJECT) || !t->repaired)
        return NULL;
    f = tk_arena_zalloc(&t->arena, 1, sizeof(*f));
    MUST(f);
    read_list(t, f);
    f->size = fitting_size(t, tk_span(f->list), how, f->view.count);
    f->over = part_of(f->size, in(how, "share"));
    f->to = part_of(f->over, in(how, "step"));
    f->options = trial_read(t, fitting_options(t, how, f->over, f->to, f->view.count));
    f->lasting = trial_read(t, fitting_options(t, how, f->over, f->to, 0));
    trial_ask(
        t, &f->verdict,
        (struct question){.method = "validate", .unsealed = true, .messages = tk_span(f->list)});
    fitting_ask(t, &f->outcome, tk_span(f->list), f->options, "messages");
    read_fates(t, f);
    now = in(result_of(&f->outcome), "messages");
    f->after = tk_exists(now) ? trial_read(t, tk_span(now)) : f->list;
    if (!tk_exists(result_of(&f->outcome)))
        f->after = TK_NO_VAL;
    return f;
}

void fitting_end(struct fitting *f)
{
    if (!f)
        return;
    operation_done(&f->verdict);
    operation_done(&f->outcome);
}
