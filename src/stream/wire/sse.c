/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/wire/sse.h"

#include "stream/blank.h"

static const struct tk_str byte_order_mark = TK_STR_INIT("\xEF\xBB\xBF");

void tk_sse_init(struct tk_sse *sse, struct tk_memory *memory)
{
    *sse = (struct tk_sse){.memory = memory};
}

void tk_sse_done(struct tk_sse *sse)
{
    tk_grow_done(&sse->line, sse->memory);
    tk_grow_done(&sse->name.own, sse->memory);
    tk_grow_done(&sse->data.own, sse->memory);
}

/* ---- fields ---- */

static struct tk_str value_of(const struct tk_sse_field *f)
{
    if (!f->kept)
        return f->value;
    if (f->own.n == f->from)
        return TK_STR("");
    return (struct tk_str){f->own.p + f->from, f->own.n - f->from};
}

static void set_field(struct tk_sse_field *f, struct tk_str value)
{
    f->present = true;
    f->kept = false;
    f->value = value;
}

/* Copies a field into memory of its own, unless it was copied before. Returns 0 or -ENOMEM. */
static int keep_field(struct tk_sse *sse, struct tk_sse_field *f)
{
    int r;

    if (!f->present || f->kept)
        return 0;
    tk_grow_reset(&f->own, sse->memory);
    r = tk_grow_put(&f->own, sse->memory, f->value);
    f->kept = true;
    f->from = 0;
    return r;
}

static int keep_fields(struct tk_sse *sse)
{
    int r = keep_field(sse, &sse->name);

    return r == 0 ? keep_field(sse, &sse->data) : r;
}

/* Appends a further line of data. */
static int join_data(struct tk_sse *sse, struct tk_str value)
{
    struct tk_sse_field *f = &sse->data;
    int r = keep_field(sse, f);

    if (r == 0)
        r = tk_grow_put(&f->own, sse->memory, TK_STR("\n"));
    return r == 0 ? tk_grow_put(&f->own, sse->memory, value) : r;
}

/* Splits a line that isn't blank. Returns the field's name; `.p == NULL` for a comment. */
static struct tk_str field_name(struct tk_str line, struct tk_str *ret_value)
{
    const char *colon = memchr(line.p, ':', line.n);
    size_t n = colon ? (size_t)(colon - line.p) : line.n;
    size_t from = colon ? n + 1 : n;

    if (from < line.n && line.p[from] == ' ')
        from++;
    *ret_value = (struct tk_str){line.p + from, line.n - from};
    return (struct tk_str){n > 0 ? line.p : NULL, n};
}

static int take_line(struct tk_sse *sse, struct tk_str line)
{
    struct tk_str value, name = field_name(line, &value);

    if (tk_str_is(name, "event"))
        set_field(&sse->name, value);
    else if (!tk_str_is(name, "data"))
        return 0;
    else if (sse->data.present)
        return join_data(sse, value);
    else
        set_field(&sse->data, value);
    return 0;
}

/* Takes a line that earlier chunks began. Its first data gets the line's memory instead of a copy. */
static int take_kept_line(struct tk_sse *sse, struct tk_str line)
{
    struct tk_sse_field *data = &sse->data;
    bool first = !data->present;
    int r = take_line(sse, line);

    if (r == 0 && first && data->present) {
        struct tk_grow spare = data->own;

        data->own = sse->line;
        data->from = data->own.n - data->value.n;
        data->kept = true;
        sse->line = spare;
    }
    if (r == 0)
        r = keep_fields(sse);
    tk_grow_reset(&sse->line, sse->memory);
    return r;
}

/* ---- frames ---- */

static void begin_frame(struct tk_sse *sse)
{
    if (!sse->data.present && sse->data.kept) {
        tk_grow_reset(&sse->data.own, sse->memory);
        sse->data.kept = false;
    }
}

/* Ends the frame. Returns false if it has no data: then it is dropped. */
static bool end_frame(struct tk_sse *sse, struct tk_wire_frame *ret)
{
    bool has_data = sse->data.present && !tk_blank_data(value_of(&sse->data));

    if (has_data)
        *ret = (struct tk_wire_frame){
            .name = sse->name.present ? value_of(&sse->name) : (struct tk_str){NULL, 0},
            .data = value_of(&sse->data),
            .in_chunk = !sse->data.kept,
        };
    sse->name.present = sse->data.present = false;
    return has_data;
}

/* ---- lines ---- */

static const char *find(const char *from, const char *end, char c)
{
    const char *p = from < end ? memchr(from, c, (size_t)(end - from)) : NULL;

    return p ? p : end;
}

void tk_sse_feed(struct tk_sse *sse, struct tk_str chunk)
{
    sse->at = chunk.n > 0 ? chunk.p : "";
    sse->end = sse->at + chunk.n;
    sse->next_lf = find(sse->at, sse->end, '\n');
    sse->next_cr = find(sse->at, sse->end, '\r');
}

/* Returns the next line end. Each byte is searched once for either kind, however far the next one
 * is. */
static const char *line_end(struct tk_sse *sse)
{
    if (sse->next_lf < sse->at)
        sse->next_lf = find(sse->at, sse->end, '\n');
    if (sse->next_cr < sse->at)
        sse->next_cr = find(sse->at, sse->end, '\r');
    return sse->next_lf < sse->next_cr ? sse->next_lf : sse->next_cr;
}

/* Copies what is still needed of the chunk: fields, and the unfinished line up to `to`. Returns 0 or
 * -ENOMEM. */
static int leave_chunk(struct tk_sse *sse, const char *to)
{
    int r = keep_fields(sse);

    if (r == 0)
        r = tk_grow_put(&sse->line, sse->memory, (struct tk_str){sse->at, (size_t)(to - sse->at)});
    sse->at = sse->end;
    return r;
}

static struct tk_str without_mark(struct tk_sse *sse, struct tk_str line)
{
    if (!sse->begun && tk_str_starts(line, byte_order_mark))
        line = (struct tk_str){line.p + byte_order_mark.n, line.n - byte_order_mark.n};
    sse->begun = true;
    return line;
}

/* Ends a line, of which the chunk contains `piece`. Returns 1 and the frame if a frame ends with it;
 * 0; or -ENOMEM. */
static int end_line(struct tk_sse *sse, struct tk_str piece, struct tk_wire_frame *ret)
{
    bool kept = sse->line.n > 0;
    struct tk_str line = piece;
    int r = kept ? tk_grow_put(&sse->line, sse->memory, piece) : 0;

    if (r < 0)
        return r;
    line = without_mark(sse, kept ? tk_grow_str(&sse->line) : piece);
    if (line.n > 0)
        return kept ? take_kept_line(sse, line) : take_line(sse, line);
    tk_grow_reset(&sse->line, sse->memory);
    return end_frame(sse, ret);
}

/* Ends the line that a CR at the end of the chunk before ended; its LF may follow here. */
static int end_held_line(struct tk_sse *sse, struct tk_wire_frame *ret)
{
    sse->carriage = false;
    if (sse->at < sse->end && *sse->at == '\n')
        sse->at++;
    return end_line(sse, (struct tk_str){sse->at, 0}, ret);
}

int tk_sse_next(struct tk_sse *sse, struct tk_wire_frame *ret)
{
    int r = 0;

    begin_frame(sse);
    if (sse->carriage && sse->at < sse->end)
        r = end_held_line(sse, ret);
    while (r == 0) {
        const char *to = line_end(sse);
        struct tk_str piece = {sse->at, (size_t)(to - sse->at)};

        if (to == sse->end)
            return leave_chunk(sse, to);
        if (*to == '\r' && to + 1 == sse->end) {
            sse->carriage = true;
            return leave_chunk(sse, to);
        }
        sse->at = to[0] == '\r' && to[1] == '\n' ? to + 2 : to + 1;
        r = end_line(sse, piece, ret);
    }
    return r;
}

int tk_sse_release(struct tk_sse *sse, struct tk_wire_frame *ret)
{
    begin_frame(sse);
    return sse->carriage ? end_held_line(sse, ret) : 0;
}

int tk_sse_last(struct tk_sse *sse, struct tk_wire_frame *ret)
{
    int r = 0;

    begin_frame(sse);
    if (sse->carriage || sse->line.n > 0)
        r = end_held_line(sse, ret);
    if (r != 0)
        return r;
    if (!end_frame(sse, ret))
        return 0;
    ret->cut = true;
    return 1;
}

/* ---- writing ---- */

struct tk_str tk_sse_write(struct tk_str type, struct tk_str json, struct tk_arena *arena)
{
    const struct tk_str named[] = {TK_STR("event: "), type, TK_STR("\ndata: "), json,
                                   TK_STR("\n\n")};
    const struct tk_str unnamed[] = {TK_STR("data: "), json, TK_STR("\n\n")};

    return type.p ? tk_arena_concat(arena, named, 5) : tk_arena_concat(arena, unnamed, 3);
}
