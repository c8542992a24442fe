/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/history.h"

#include "shapes/format.h"
#include "value/cut.h"
#include "value/pointer.h"

/* Members of an object that cli_describe() names; it counts the rest. */
#define NAMED 5

static const char not_a_history[] = "not a history", nothing_there[] = "nothing there";

bool cli_history_is(struct tk_val v)
{
    const struct tk_shape *shape;

    if (tk_is(v, TK_OBJECT))
        return tk_exists(tk_find_messages(v, &shape));
    return tk_is(v, TK_ARRAY) && tk_is(tk_get(tk_first(v), TK_STR("role")), TK_STRING);
}

/* ---- words ---- */

static void describe_object(struct tk_out *out, struct tk_val object, struct tk_arena *arena)
{
    uint32_t count = tk_count(object), n = 0;
    struct tk_str more;

    tk_out_put(out, "an object with ", strlen("an object with "));
    for (struct tk_val v = tk_first(object); tk_exists(v) && n < NAMED; v = tk_after(object, v)) {
        if (n++ > 0)
            tk_out_put(out, ", ", 2);
        tk_out_ref(out, tk_cut(tk_key(v, arena), arena));
    }
    if (count > NAMED) {
        more = tk_arena_printf(arena, " and %u more", count - NAMED);
        tk_out_ref(out, more);
    }
}

struct tk_str cli_describe(struct tk_val v, struct tk_arena *arena)
{
    static const char *const kinds[] = {
        [TK_NULL] = "null",
        [TK_FALSE] = "false",
        [TK_TRUE] = "true",
        [TK_INT] = "a number",
        [TK_REAL] = "a number",
        [TK_STRING] = "a string",
        [TK_OBJECT] = "an empty object",
        [TK_ARRAY] = "a list",
    };
    struct tk_out out;

    if (!tk_is(v, TK_OBJECT) || !tk_exists(tk_first(v)))
        return tk_str_of(kinds[tk_node(v)->kind]);
    tk_out_init(&out, arena);
    describe_object(&out, v, arena);
    return tk_out_join(&out);
}

/* ---- other formats ---- */

/* Returns true if a format is a dialect of this build. */
static bool find_dialect(const struct tk_format *f, enum tk_shape_id *ret)
{
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        if (f->looks_like && strcmp(f->looks_like, tk_shapes[i]->name) == 0) {
            *ret = (enum tk_shape_id)i;
            return true;
        }
    return false;
}

/* "anthropic, fantasy and ai-sdk" */
static struct tk_str names_of_dialects(struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    for (int i = 0; i < TK_SHAPE_COUNT; i++) {
        const char *between = i == 0 ? "" : i + 1 < TK_SHAPE_COUNT ? ", " : " and ";

        tk_out_put(&out, between, strlen(between));
        tk_out_put(&out, tk_shapes[i]->name, strlen(tk_shapes[i]->name));
    }
    return tk_out_join(&out);
}

/* Returns the pointer to a list. A list that is the whole document has the pointer /messages, as in
 * a body. */
static struct tk_str place_of(struct tk_val v, struct tk_val list, struct tk_arena *arena)
{
    bool is_root = tk_exists(list) && list.node == 0;

    return tk_pointer_of(v, is_root ? TK_STR("/messages") : TK_STR(""), arena);
}

static void refuse_format(struct cli_reading *reading, const struct tk_format *f,
                          struct tk_val list, struct cli_refusal *ret)
{
    struct tk_arena *arena = &reading->arena;
    struct tk_str sign = tk_format_sign(f, arena), place = place_of(f->at, list, arena);
    struct tk_str dialects = names_of_dialects(arena);

    *ret = (struct cli_refusal){
        .kind = f->looks_like,
        .foreign = true,
        .text = tk_arena_printf(arena, "this looks like %s (%.*s%s%.*s); this release reads %.*s",
                                f->title, (int)sign.n, sign.p, place.n ? " at " : "", (int)place.n,
                                place.p, (int)dialects.n, dialects.p),
    };
}

/* Looks for the history in other members: requests of other providers have other names for it. */
static bool find_in_members(struct cli_reading *reading, struct tk_val object,
                            struct cli_refusal *ret)
{
    struct tk_format f;
    enum tk_shape_id ours;

    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v))
        if (tk_is(v, TK_ARRAY) && tk_format_of_list(v, TK_ASKED_NO_DIALECT, &reading->arena, &f) &&
            f.looks_like && !find_dialect(&f, &ours)) {
            refuse_format(reading, &f, v, ret);
            return true;
        }
    return false;
}

/* ---- what isn't a history ---- */

/* Returns the first history inside a value. The value itself isn't one. */
static struct tk_val find_inside(struct tk_val v)
{
    const struct tk_doc *doc = v.doc;

    for (uint32_t i = v.node + 1; i < tk_node(v)->next; i++) {
        struct tk_val inner = {doc, i};

        if ((doc->nodes[i].kind == TK_OBJECT || doc->nodes[i].kind == TK_ARRAY) &&
            cli_history_is(inner))
            return inner;
    }
    return TK_NO_VAL;
}

static void refuse_shape(struct cli_reading *reading, struct tk_val v, struct cli_refusal *ret)
{
    struct tk_arena *arena = &reading->arena;
    struct tk_str found = cli_describe(v, arena), place = TK_STR("");
    struct tk_val inside = find_inside(v);

    if (tk_exists(inside))
        place = tk_pointer_of(inside, TK_STR(""), arena);
    *ret = (struct cli_refusal){
        .kind = not_a_history,
        .text = tk_arena_printf(arena,
                                "neither a list of messages nor a request body, which has "
                                "\"messages\", but %.*s%s%.*s%s",
                                (int)found.n, found.p,
                                place.n ? "; it has a history inside: --at '" : "", (int)place.n,
                                place.p, place.n ? "'" : ""),
    };
}

static int refuse(struct cli_reading *reading, struct tk_val v, struct cli_refusal *ret)
{
    struct tk_format f;
    enum tk_shape_id ours;

    if (tk_is(v, TK_OBJECT)) {
        if (tk_format_of_message(v, TK_ASKED_NO_DIALECT, &reading->arena, &f) && f.looks_like &&
            !find_dialect(&f, &ours)) {
            refuse_format(reading, &f, TK_NO_VAL, ret);
            return 1;
        }
        if (find_in_members(reading, v, ret))
            return 1;
    }
    refuse_shape(reading, v, ret);
    return 1;
}

/* ---- all of it ---- */

/* Finds the list of messages of a body: under the root of the expected shape, or else of another
 * one. Absent if it has none. */
static struct tk_val find_list(struct tk_val body, bool ask, struct cli_history *history)
{
    const struct tk_shape *shape;
    struct tk_val list = tk_get(body, tk_root_name(tk_shapes[history->dialect]));

    if (tk_exists(list) || !ask)
        return list;
    list = tk_find_messages(body, &shape);
    for (int i = 0; tk_exists(list) && i < TK_SHAPE_COUNT; i++)
        if (tk_shapes[i] == shape)
            history->dialect = (enum tk_shape_id)i;
    history->sign = tk_exists(list);
    return list;
}

int cli_history_find(struct cli_reading *reading, struct tk_str at, enum tk_shape_id dialect,
                     bool ask, struct cli_history *ret, struct cli_refusal *ret_refusal)
{
    struct tk_val v = tk_root(&reading->doc);
    struct tk_format f;

    if (at.p)
        v = tk_pointer_get(v, at, &reading->arena);
    if (!tk_exists(v)) {
        *ret_refusal = (struct cli_refusal){
            .kind = nothing_there,
            .text = tk_arena_printf(&reading->arena, "nothing is at %.*s", (int)at.n, at.p)};
        return 1;
    }
    *ret = (struct cli_history){.whole = v, .is_list = tk_is(v, TK_ARRAY), .dialect = dialect};
    ret->messages = ret->is_list ? v : find_list(v, ask, ret);
    if (!tk_exists(ret->messages))
        return refuse(reading, v, ret_refusal);
    if (!ask || ret->sign || !tk_is(ret->messages, TK_ARRAY) ||
        tk_shapes[ret->dialect]->asked == 0 ||
        !tk_format_of_list(ret->messages, TK_ASKED_NO_DIALECT, &reading->arena, &f))
        return 0;
    ret->sign = find_dialect(&f, &ret->dialect);
    if (ret->sign || !f.looks_like)
        return 0;
    refuse_format(reading, &f, ret->messages, ret_refusal);
    return 1;
}
