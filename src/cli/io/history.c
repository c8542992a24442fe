/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/history.h"

#include "shapes/format.h"
#include "value/cut.h"
#include "value/pointer.h"

/* Members of an object that cli_describe() names; it counts the rest. */
#define NAMED 5

static const char not_a_history[] = "not a history", nothing_there[] = "nothing there";

const char *const cli_endpoint_names[CLI_ENDPOINT_COUNT] = {
    [CLI_ENDPOINT_BEDROCK] = "bedrock",
    [CLI_ENDPOINT_VERTEX] = "vertex",
    [CLI_ENDPOINT_COMPATIBLE] = "compatible",
};

/* ---- bodies ---- */

/*
 * Returns the list of messages of a body, and its shape: the expected one, else the first whose name
 * of the list it has. A name other than the first shape's is common in other documents
 * ({"input": ..., "output": ...}): there the list must be one, or a text next to the name of a model.
 * Absent if the body has none.
 */
static struct tk_val find_list(struct tk_val body, const struct cli_expected *expected,
                               enum tk_shape_id *ret)
{
    struct tk_val list = tk_get(body, tk_root_name(tk_shapes[expected->dialect]));

    *ret = expected->dialect;
    for (int i = 0; !tk_exists(list) && i < TK_SHAPE_COUNT; i++) {
        if (!(expected->may_be & 1u << i))
            continue;
        list = tk_get(body, tk_root_name(tk_shapes[i]));
        if (!tk_is(list, TK_ARRAY) &&
            !(tk_is(list, TK_STRING) && tk_is(tk_get(body, TK_STR("model")), TK_STRING)))
            list = TK_NO_VAL;
        if (tk_exists(list))
            *ret = (enum tk_shape_id)i;
    }
    return list;
}

bool cli_history_is(struct tk_val v)
{
    static const struct cli_expected any = {.dialect = 0, .may_be = (1u << TK_SHAPE_COUNT) - 1};
    enum tk_shape_id shape;

    if (tk_is(v, TK_OBJECT))
        return tk_exists(find_list(v, &any, &shape));
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

/* Returns true if a name, which may be NULL, is that of a dialect that the document may have. */
static bool find_named(const char *name, const struct cli_expected *expected, enum tk_shape_id *ret)
{
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        if ((expected->may_be & 1u << i) && name && strcmp(name, tk_shapes[i]->name) == 0) {
            *ret = (enum tk_shape_id)i;
            return true;
        }
    return false;
}

/* Returns true if a format is a dialect that the document may have. */
static bool find_dialect(const struct tk_format *f, const struct cli_expected *expected,
                         enum tk_shape_id *ret)
{
    return find_named(f->looks_like, expected, ret);
}

/* "anthropic, fantasy and ai-sdk" */
static struct tk_str names_of_dialects(unsigned dialects, struct tk_arena *arena)
{
    const char *between = "";
    struct tk_out out;

    tk_out_init(&out, arena);
    for (unsigned left = dialects; left; left &= left - 1) {
        const char *name = tk_shapes[__builtin_ctz(left)]->name;

        if (left != dialects)
            between = left & (left - 1) ? ", " : " and ";
        tk_out_put(&out, between, strlen(between));
        tk_out_put(&out, name, strlen(name));
    }
    return tk_out_join(&out);
}

/* Returns true if a shape before this one in the table, of the same dialects, has the same name for its list. */
static bool is_named_before(unsigned dialects, int shape)
{
    struct tk_str name = tk_root_name(tk_shapes[shape]);

    for (unsigned left = dialects & ((1u << shape) - 1); left; left &= left - 1)
        if (tk_str_eq(name, tk_root_name(tk_shapes[__builtin_ctz(left)])))
            return true;
    return false;
}

/* Returns the names of the dialects' lists, each once: "messages", "input" or "contents". */
static struct tk_str names_of_lists(unsigned dialects, struct tk_arena *arena)
{
    unsigned named = 0;
    const char *between = "";
    struct tk_out out;

    for (unsigned left = dialects; left; left &= left - 1)
        if (!is_named_before(dialects, __builtin_ctz(left)))
            named |= left & -left;
    tk_out_init(&out, arena);
    for (unsigned rest; named; named = rest) {
        struct tk_str name = tk_root_name(tk_shapes[__builtin_ctz(named)]);

        rest = named & (named - 1);
        tk_out_ref(&out, tk_arena_printf(arena, "%s\"%.*s\"", between, (int)name.n, name.p));
        between = rest & (rest - 1) ? ", " : " or ";
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

/* Evidence of a format, as refusals tell it. */
struct evidence {
    const char *format, *title;
    struct tk_str words; /* "lc at /messages/1" */
};

static struct evidence evidence_of_sign(const struct tk_format *f, struct tk_val list,
                                        struct tk_arena *arena)
{
    struct tk_str sign = tk_format_sign(f, arena), place = place_of(f->at, list, arena);

    return (struct evidence){f->looks_like, f->title,
                             tk_arena_printf(arena, "%.*s%s%.*s", (int)sign.n, sign.p,
                                             place.n ? " at " : "", (int)place.n, place.p)};
}

static struct evidence evidence_of(const struct cli_history *history, struct tk_arena *arena)
{
    const struct tk_detected *found = &history->found;

    if (found->because == TK_BECAUSE_SIGN && found->looks_like)
        return evidence_of_sign(&found->sign, history->messages, arena);
    return (struct evidence){found->provider, found->title, tk_detected_because(found, arena)};
}

/* Returns what to do with a format that can't be read here; "": nothing is known. */
static const char *advice_for(const char *format)
{
    static const struct {
        const char *format, *advice;
    } known[] = {
        {"ai-sdk-ui", "; mendUIMessages() of the npm package turnkeeper mends these"},
        {"claude-code", "; sessions of agents aren't read yet: repair the messages that the agent "
                        "sends (a list of them inside of a document: --at POINTER)"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(format, known[i].format) == 0)
            return known[i].advice;
    return "";
}

static void refuse_format(struct cli_reading *reading, struct evidence evidence,
                          const struct cli_expected *expected, struct cli_refusal *ret)
{
    struct tk_arena *arena = &reading->arena;
    struct tk_str dialects = names_of_dialects(expected->may_be, arena);

    *ret = (struct cli_refusal){
        .kind = evidence.format,
        .foreign = true,
        .text = tk_arena_printf(arena, "this looks like %s (%.*s); %s reads %.*s%s", evidence.title,
                                (int)evidence.words.n, evidence.words.p, expected->reader,
                                (int)dialects.n, dialects.p, advice_for(evidence.format)),
    };
}

bool cli_history_fits(const struct cli_history *history, enum tk_shape_id dialect)
{
    struct tk_str name = tk_root_name(tk_shapes[dialect]);

    return history->is_list || tk_get(history->whole, name).node == history->messages.node;
}

static void refuse_place(struct cli_reading *reading, struct evidence evidence,
                         const struct cli_history *history, struct cli_refusal *ret)
{
    struct tk_str name = tk_root_name(tk_shapes[history->dialect]);

    *ret = (struct cli_refusal){
        .kind = evidence.format,
        .foreign = true,
        .text = tk_arena_printf(&reading->arena,
                                "this looks like %s (%.*s), whose list in a body has the name "
                                "\"%.*s\"",
                                evidence.title, (int)evidence.words.n, evidence.words.p,
                                (int)name.n, name.p),
    };
}

static bool is_in_its_place(const struct cli_history *history)
{
    return cli_history_fits(history, history->dialect);
}

/* Looks for the history in other members: requests of other providers have other names for it. */
static bool find_in_members(struct cli_reading *reading, struct tk_val object,
                            const struct cli_expected *expected, struct cli_refusal *ret)
{
    struct tk_format f;
    enum tk_shape_id ours;

    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v))
        if (tk_is(v, TK_ARRAY) && tk_format_of_list(v, TK_ASKED_NO_DIALECT, &reading->arena, &f) &&
            f.looks_like && !find_dialect(&f, expected, &ours)) {
            refuse_format(reading, evidence_of_sign(&f, v, &reading->arena), expected, ret);
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

static void refuse_shape(struct cli_reading *reading, struct tk_val v,
                         const struct cli_expected *expected, struct cli_refusal *ret)
{
    struct tk_arena *arena = &reading->arena;
    struct tk_str found = cli_describe(v, arena), place = TK_STR("");
    struct tk_str lists = names_of_lists(expected->may_be, arena);
    struct tk_val inside = find_inside(v);

    if (tk_exists(inside))
        place = tk_pointer_of(inside, TK_STR(""), arena);
    *ret = (struct cli_refusal){
        .kind = not_a_history,
        .text =
            tk_arena_printf(arena,
                            "neither a list of messages nor a request body, which has %.*s, but "
                            "%.*s%s%.*s%s",
                            (int)lists.n, lists.p, (int)found.n, found.p,
                            place.n ? "; it has a history inside: --at '" : "", (int)place.n,
                            place.p, place.n ? "'" : ""),
    };
}

static int refuse(struct cli_reading *reading, struct tk_val v, const struct cli_expected *expected,
                  struct cli_refusal *ret)
{
    struct tk_format f;
    enum tk_shape_id ours;

    if (tk_is(v, TK_OBJECT)) {
        if (tk_format_of_message(v, TK_ASKED_NO_DIALECT, &reading->arena, &f) && f.looks_like &&
            !find_dialect(&f, expected, &ours)) {
            refuse_format(reading, evidence_of_sign(&f, TK_NO_VAL, &reading->arena), expected, ret);
            return 1;
        }
        if (find_in_members(reading, v, expected, ret))
            return 1;
    }
    refuse_shape(reading, v, expected, ret);
    return 1;
}

/* ---- all of it ---- */

/* Reads the format of the list from its signs, if there is a choice. Returns 0, or 1 with
 * *ret_refusal filled. */
static int find_format(struct cli_reading *reading, const struct cli_expected *expected,
                       struct cli_history *history, struct cli_refusal *ret_refusal)
{
    struct tk_arena *arena = &reading->arena;
    struct tk_format f;

    if (expected->may_be == 1u << expected->dialect || history->sign ||
        !tk_is(history->messages, TK_ARRAY) || tk_shapes[history->dialect]->asked == 0)
        return 0;
    if (!tk_format_of_list(history->messages, TK_ASKED_NO_DIALECT, arena, &f))
        return 0;
    history->sign = find_dialect(&f, expected, &history->dialect);
    if (!f.looks_like)
        return 0;
    if (!history->sign)
        refuse_format(reading, evidence_of_sign(&f, history->messages, arena), expected,
                      ret_refusal);
    else if (!is_in_its_place(history))
        refuse_place(reading, evidence_of_sign(&f, history->messages, arena), history, ret_refusal);
    else
        return 0;
    return 1;
}

static enum cli_endpoint endpoint_named(const char *name)
{
    int i = CLI_ENDPOINT_COUNT - 1;

    while (i > CLI_ENDPOINT_OWN && strcmp(name, cli_endpoint_names[i]) != 0)
        i--;
    return (enum cli_endpoint)i;
}

/* Finds out whose history it is. Returns 0, or 1 with *ret_refusal filled. */
static int detect(struct cli_reading *reading, const struct cli_expected *expected,
                  struct cli_history *history, struct cli_refusal *ret_refusal)
{
    struct tk_detected *found = &history->found;

    tk_detect(history->whole, history->is_list, &reading->arena, found);
    history->guess = !found->sure;
    if (history->guess) {
        history->dialect = expected->dialect;
        return 0;
    }
    if (!find_named(found->dialect, expected, &history->dialect)) {
        refuse_format(reading, evidence_of(history, &reading->arena), expected, ret_refusal);
        return 1;
    }
    if (!is_in_its_place(history)) {
        refuse_place(reading, evidence_of(history, &reading->arena), history, ret_refusal);
        return 1;
    }
    history->sign = true;
    history->endpoint = endpoint_named(found->endpoint);
    return 0;
}

/* Returns true for a body that is sent although it has no list: the shape that was asked for doesn't
 * need one (a request that continues a stored conversation). */
static bool may_lack_list(struct tk_val v, const struct cli_expected *expected)
{
    return tk_is(v, TK_OBJECT) && expected->may_be == 1u << expected->dialect &&
           tk_shapes[expected->dialect]->root_is_free;
}

/* Returns the value at a pointer (`at.p == NULL`: the root); absent, with *ret_refusal filled, if there
 * is none. */
static struct tk_val value_at(struct cli_reading *reading, struct tk_str at,
                              struct cli_refusal *ret_refusal)
{
    struct tk_val v = tk_root(&reading->doc);

    if (at.p)
        v = tk_pointer_get(v, at, &reading->arena);
    if (!tk_exists(v))
        *ret_refusal = (struct cli_refusal){
            .kind = nothing_there,
            .text = tk_arena_printf(&reading->arena, "nothing is at %.*s", (int)at.n, at.p)};
    return v;
}

int cli_history_whole(struct cli_reading *reading, struct tk_str at,
                      const struct cli_expected *expected, struct cli_history *ret,
                      struct cli_refusal *ret_refusal)
{
    struct tk_val whole = tk_root(&reading->doc);

    if (!tk_exists(value_at(reading, at, ret_refusal)))
        return 1;
    *ret = (struct cli_history){.whole = whole,
                                .messages = whole,
                                .is_list = tk_is(whole, TK_ARRAY),
                                .dialect = expected->dialect};
    return 0;
}

int cli_history_find(struct cli_reading *reading, struct tk_str at,
                     const struct cli_expected *expected, struct cli_history *ret,
                     struct cli_refusal *ret_refusal)
{
    struct tk_val v = value_at(reading, at, ret_refusal);

    if (!tk_exists(v))
        return 1;
    *ret = (struct cli_history){
        .whole = v, .is_list = tk_is(v, TK_ARRAY), .dialect = expected->dialect};
    ret->messages = ret->is_list ? v : find_list(v, expected, &ret->dialect);
    ret->sign = ret->dialect != expected->dialect;
    if (!tk_exists(ret->messages) && may_lack_list(v, expected))
        ret->messages = v;
    if (!tk_exists(ret->messages))
        return refuse(reading, v, expected, ret_refusal);
    return (expected->detects ? detect : find_format)(reading, expected, ret, ret_refusal);
}
