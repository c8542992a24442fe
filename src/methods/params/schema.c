/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a value against its shape. For each object it first finds the fields of the members, so
 * that an unknown member is reported before a fault inside of a known one; then it checks the
 * fields in table order, so that equal requests get equal answers.
 */
#include "methods/params/schema.h"
#include "methods/core/member.h"
#include "methods/params/providers.h"

#include "value/hash.h"
#include "value/nearest.h"
#include "value/pointer.h"
#include "value/unicode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

struct checker {
    struct tk_arena *arena;
    const uint64_t *hash_key;
    struct tk_params *params;
    const struct tk_shape *dialect; /* gives some fields their names */
    struct tk_schema_fault fault;
    struct tk_schema_fault late; /* the first fault of a late field; `.message.p == NULL`: none */
};

static const struct tk_str params_pointer = TK_NAME("/params");
static const struct tk_str missing = TK_NAME("required, but missing");

static const unsigned kind_bits[] = {
    [TK_NULL] = TK_T_NULL,  [TK_FALSE] = TK_T_BOOL,    [TK_TRUE] = TK_T_BOOL,
    [TK_INT] = TK_T_INT,    [TK_REAL] = TK_T_REAL,     [TK_STRING] = TK_T_STRING,
    [TK_ARRAY] = TK_T_LIST, [TK_OBJECT] = TK_T_OBJECT, [TK_BIN] = TK_T_BIN,
    [TK_EXT] = 0,
};

static int check_value(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                       int64_t *ret_number);

/* ---- messages of faults ---- */

static int fault(struct checker *ck, struct tk_str pointer, struct tk_str message)
{
    ck->fault = (struct tk_schema_fault){pointer, message};
    return TK_SCHEMA_FAULT;
}

static int fault_at(struct checker *ck, struct tk_val v, struct tk_str message)
{
    return fault(ck, tk_pointer_of(v, TK_STR(""), ck->arena), message);
}

/* Reports a fault of a member of v, or of `params` if v is absent. */
static int fault_member(struct checker *ck, struct tk_val v, struct tk_str name,
                        struct tk_str message)
{
    struct tk_str at = tk_exists(v) ? tk_pointer_of(v, TK_STR(""), ck->arena) : params_pointer;

    return fault(ck, tk_pointer_add(at, name, ck->arena), message);
}

static const struct {
    unsigned kind;
    const char *text;
} kind_texts[] = {
    {TK_T_NULL, "null"},          {TK_T_BOOL, "a boolean"},  {TK_T_INT, "an integer"},
    {TK_T_REAL, "a real number"}, {TK_T_STRING, "a string"}, {TK_T_LIST, "a list"},
    {TK_T_OBJECT, "an object"},   {TK_T_BIN, "bytes"},
};

static void put(struct tk_out *out, const char *z)
{
    tk_out_put(out, z, strlen(z));
}

static void put_words(struct tk_out *out, const enum tk_word *words)
{
    for (size_t i = 0; words[i] != TK_WORD_NONE; i++) {
        put(out, i ? ", \"" : "one of \"");
        put(out, tk_word_name(words[i]));
        put(out, "\"");
    }
}

static void put_range(struct tk_out *out, const struct tk_param_shape *shape)
{
    char range[64];

    if (shape->min == shape->max)
        return;
    snprintf(range, sizeof(range), " from %" PRId64 " to %" PRId64, shape->min, shape->max);
    put(out, range);
}

static void put_size(struct tk_out *out, const struct tk_param_shape *shape)
{
    char size[64];

    snprintf(size, sizeof(size), " of %" PRId64 " to %" PRId64 " bytes", shape->min, shape->max);
    put(out, size);
}

/* Returns, for example, "expected one of "a", "b" or an object". */
static struct tk_str expected(struct checker *ck, const struct tk_param_shape *shape)
{
    struct tk_out out;
    const char *before = "expected ";

    tk_out_init(&out, ck->arena);
    for (size_t i = 0; i < sizeof(kind_texts) / sizeof(kind_texts[0]); i++) {
        unsigned kind = kind_texts[i].kind;

        if (!(shape->kinds & kind))
            continue;
        put(&out, before);
        before = " or ";
        if (kind == TK_T_STRING && shape->words)
            put_words(&out, shape->words);
        else
            put(&out, kind_texts[i].text);
        if (kind == TK_T_INT)
            put_range(&out, shape);
        if (kind == TK_T_STRING && shape->kinds == TK_T_STRING && shape->max > 0)
            put_size(&out, shape);
        if (kind == TK_T_STRING && shape->token)
            put(&out, ", which are letters, digits, \".\", \"_\", \":\" or \"-\"");
        if (kind == TK_T_STRING && shape->nonblank)
            put(&out, " that isn't blank");
    }
    return tk_out_join(&out);
}

static int fault_expected(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v)
{
    return fault_at(ck, v, expected(ck, shape));
}

/* ---- scalars ---- */

static int check_bool(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                      int64_t *ret_number)
{
    (void)ck;
    (void)shape;
    *ret_number = tk_is(v, TK_TRUE);
    return 0;
}

static int check_int(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                     int64_t *ret_number)
{
    int64_t n;

    if (shape->min == shape->max)
        return 0;
    if (!tk_int64(v, &n) || n < shape->min || n > shape->max)
        return fault_expected(ck, shape, v);
    *ret_number = n;
    return 0;
}

/* Compares the size in bytes of UTF-8, after escapes are decoded. */
static bool size_fits(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v)
{
    int64_t n;

    if (shape->max == 0)
        return true;
    /* An escape has at most six bytes for one: don't decode a text that is too long anyway. */
    if ((int64_t)(tk_raw(v).n / 6) > shape->max)
        return false;
    n = (int64_t)tk_text(v, ck->arena).n;
    return n >= shape->min && n <= shape->max;
}

bool tk_is_token(struct tk_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '.' || c == '_' || c == ':' || c == '-'))
            return false;
    }
    return true;
}

static int check_string(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                        int64_t *ret_number)
{
    if (!size_fits(ck, shape, v))
        return fault_expected(ck, shape, v);
    if (shape->token && !tk_is_token(tk_text(v, ck->arena)))
        return fault_expected(ck, shape, v);
    if (shape->nonblank && tk_is_blank(tk_text(v, ck->arena)))
        return fault_expected(ck, shape, v);
    if (!shape->words)
        return 0;
    for (const enum tk_word *word = shape->words; *word != TK_WORD_NONE; word++) {
        if (tk_text_is(v, tk_str_of(tk_word_name(*word)))) {
            *ret_number = *word;
            return 0;
        }
    }
    return fault_expected(ck, shape, v);
}

/* ---- lists ---- */

/* Checks that no earlier element has the same text in the field. e has been checked: it is an
 * object that has the field. */
static int check_unique(struct checker *ck, const struct tk_field *field, struct tk_val e,
                        struct tk_map *seen)
{
    struct tk_val member = tk_get(e, field->name);
    bool is_new;

    if (!tk_map_put(seen, tk_text(member, ck->arena), &is_new))
        return -ENOMEM;
    return is_new ? 0 : fault_at(ck, member, TK_STR("named twice"));
}

static int check_list(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                      int64_t *ret_number)
{
    struct tk_map seen;
    int64_t number;
    int r;

    (void)ret_number;
    if (!shape->items)
        return 0;
    if (shape->unique)
        tk_map_init(&seen, ck->arena, ck->hash_key);
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e)) {
        r = check_value(ck, shape->items, e, &number);
        if (r == 0 && shape->unique)
            r = check_unique(ck, shape->unique, e, &seen);
        if (r != 0)
            return r;
    }
    return 0;
}

/* ---- objects ---- */

/* Returns true if the member is the field's. A field that the dialect doesn't name has none. */
static bool is_field(struct tk_val member, struct tk_str key, const struct tk_field *field,
                     const struct tk_shape *dialect)
{
    struct tk_str name = tk_field_name(field, dialect);

    return name.n > 0 && tk_member_is(member, key, name);
}

/* Reports a member that is no field, with the name of the nearest one. Its own name stays in the pointer alone: texts of
 * errors get into logs, and a name that nobody knows may be content. */
static int fault_unknown(struct checker *ck, const struct tk_param_shape *shape,
                         struct tk_val member)
{
    struct tk_nearest nearest = tk_nearest_to(tk_raw_key(member));
    struct tk_out out;

    for (size_t i = 0; shape->fields[i]; i++)
        tk_nearest_consider(&nearest, tk_field_name(shape->fields[i], ck->dialect));
    if (!nearest.name.p)
        return fault_at(ck, member, TK_STR("unknown member"));
    tk_out_init(&out, ck->arena);
    put(&out, "unknown member; did you mean `");
    tk_out_put(&out, nearest.name.p, nearest.name.n);
    put(&out, "`?");
    return fault_at(ck, member, tk_out_join(&out));
}

/* Finds the node of each field (TK_NO_NODE if absent). The reader has refused duplicate keys. */
static int place(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                 uint32_t ret_at[TK_FIELDS_MAX])
{
    const struct tk_field *const *fields = shape->fields;

    for (size_t i = 0; fields[i]; i++)
        ret_at[i] = TK_NO_NODE;
    for (struct tk_val member = tk_first(v); tk_exists(member); member = tk_after(v, member)) {
        struct tk_str key = tk_raw_key(member);
        size_t i = 0;

        while (fields[i] && !is_field(member, key, fields[i], ck->dialect))
            i++;
        if (fields[i])
            ret_at[i] = member.node;
        else if (!shape->open)
            return fault_unknown(ck, shape, member);
    }
    return 0;
}

/* Returns `before` and the names of the fields marked `either` that were sent, without `blamed`. */
static struct tk_str name_sent(struct checker *ck, const struct tk_param_shape *shape,
                               const uint32_t at[TK_FIELDS_MAX], const struct tk_field *blamed,
                               const char *before)
{
    struct tk_out out;

    tk_out_init(&out, ck->arena);
    for (size_t i = 0; shape->fields[i]; i++) {
        const struct tk_field *field = shape->fields[i];

        if (!field->either || at[i] == TK_NO_NODE || field == blamed)
            continue;
        put(&out, before);
        put(&out, "`");
        tk_out_put(&out, field->name.p, field->name.n);
        put(&out, "`");
        before = ", ";
    }
    return tk_out_join(&out);
}

/* Checks that exactly one of the fields marked `either` was sent. The error names the first one, or
 * the object itself if the shape says so. */
static int check_either(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                        const uint32_t at[TK_FIELDS_MAX])
{
    const struct tk_field *first = NULL;
    unsigned found = 0;

    for (size_t i = 0; shape->fields[i]; i++) {
        if (!shape->fields[i]->either)
            continue;
        first = first ? first : shape->fields[i];
        found += at[i] != TK_NO_NODE;
    }
    if (!first || found == 1)
        return 0;
    if (shape->blames_itself)
        return fault(ck, tk_exists(v) ? tk_pointer_of(v, TK_STR(""), ck->arena) : params_pointer,
                     found ? name_sent(ck, shape, at, NULL, "give only one of ") : missing);
    return fault_member(ck, v, first->name,
                        found ? name_sent(ck, shape, at, first, "can't be combined with ")
                              : missing);
}

/* Keeps the fault of a late field for the end, so that the rest is checked first. */
static int postpone(struct checker *ck, const struct tk_field *field)
{
    if (!field->late)
        return TK_SCHEMA_FAULT;
    if (!ck->late.message.p)
        ck->late = ck->fault;
    return 0;
}

/* Returns true if the dialect lets the field be absent, or another value than a list. */
static bool is_free(const struct checker *ck, const struct tk_field *field)
{
    return field->free_shape && ck->dialect->root_is_free;
}

static const struct tk_param_shape *shape_of(const struct checker *ck, const struct tk_field *field,
                                             struct tk_val object)
{
    if (field->other_shape && !tk_provider_has_shape(tk_providers[0], ck->dialect))
        return field->other_shape;
    if (field->assistant_shape && tk_text_is(tk_get(object, TK_STR("role")), TK_STR("assistant")))
        return field->assistant_shape;
    return is_free(ck, field) ? field->free_shape : field->shape;
}

/* Checks the value of a field of an object. */
static int check_field(struct checker *ck, const struct tk_field *field, struct tk_val object,
                       struct tk_val v)
{
    int64_t number = 0;
    int r = check_value(ck, shape_of(ck, field, object), v, &number);

    /* In a list the fault is in an element. */
    if (r == TK_SCHEMA_FAULT && (!tk_is(v, TK_ARRAY) || field->late_inside))
        return postpone(ck, field);
    if (r != 0)
        return r;
    if (field->slot != TK_P_NONE)
        ck->params->slots[field->slot] = (struct tk_param_slot){v.node, number};
    return 0;
}

static int check_fields(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v)
{
    uint32_t at[TK_FIELDS_MAX];
    int r = place(ck, shape, v, at);

    if (r == 0)
        r = check_either(ck, shape, v, at);
    for (size_t i = 0; r == 0 && shape->fields[i]; i++) {
        const struct tk_field *field = shape->fields[i];

        if (at[i] != TK_NO_NODE)
            r = check_field(ck, field, v, (struct tk_val){v.doc, at[i]});
        else if (field->required && !is_free(ck, field)) {
            (void)fault_member(ck, v, tk_field_name(field, ck->dialect), missing);
            r = postpone(ck, field);
        }
    }
    return r;
}

/* Checks an object; an absent v is an object without members. */
static int check_object(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                        int64_t *ret_number)
{
    (void)ret_number;
    return shape->fields ? check_fields(ck, shape, v) : 0;
}

/* ---- any value ---- */

typedef int check_fn(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                     int64_t *ret_number);

static check_fn *const checks[] = {
    [TK_FALSE] = check_bool, [TK_TRUE] = check_bool,
    [TK_INT] = check_int,    [TK_STRING] = check_string,
    [TK_ARRAY] = check_list, [TK_OBJECT] = check_object,
    [TK_EXT] = NULL,
};

/* Checks a value against its shape. Sets *ret_number to the word, bool or integer that v is; leaves
 * it untouched for other values. */
static int check_value(struct checker *ck, const struct tk_param_shape *shape, struct tk_val v,
                       int64_t *ret_number)
{
    uint8_t kind = tk_node(v)->kind;

    if (!(shape->kinds & kind_bits[kind]))
        return fault_expected(ck, shape, v);
    if (shape->tagged && tk_exists(tk_get(v, shape->tagged->fields[0]->name)))
        shape = shape->tagged;
    return checks[kind] ? checks[kind](ck, shape, v, ret_number) : 0;
}

/* Returns the shape of the parameter that contains a node, or NULL. *ret_itself: it is the
 * node itself. */
static const struct tk_param_shape *shape_around(const struct tk_param_shape *shape,
                                                 struct tk_val params, uint32_t node,
                                                 bool *ret_itself)
{
    struct tk_val member = tk_first(params);

    if (!tk_exists(params) || node < params.node || !shape->fields)
        return NULL;
    while (tk_exists(member) && tk_node(member)->next <= node)
        member = tk_after(params, member);
    *ret_itself = member.node == node;
    for (size_t i = 0; tk_exists(member) && shape->fields[i]; i++)
        if (tk_key_is(member, shape->fields[i]->name))
            return shape->fields[i]->shape;
    return NULL;
}

/* Returns true if the parameter around v may hold a value that JSON can't express. */
static bool takes_foreign(const struct tk_param_shape *shape, struct tk_val params, struct tk_val v)
{
    bool itself = false;
    const struct tk_param_shape *around = shape_around(shape, params, v.node, &itself);

    if (!around)
        return false;
    return around->foreign || (itself && tk_is(v, TK_BIN) && (around->kinds & TK_T_BIN));
}

/* Refuses values that JSON can't express in a history: they couldn't be returned as JSON. */
static int check_foreign(struct checker *ck, const struct tk_param_shape *shape,
                         const struct tk_doc *doc, struct tk_val params)
{
    if (doc->foreign == TK_NO_NODE)
        return 0;
    for (uint32_t node = doc->foreign; node < doc->count; node++) {
        struct tk_val v = {doc, node};

        if ((doc->nodes[node].flags & TK_NODE_FOREIGN) && !takes_foreign(shape, params, v))
            return fault_at(ck, v, TK_STR("a value that JSON can't hold"));
    }
    return 0;
}

/* ---- defaults ---- */

int64_t tk_field_default(const struct tk_field *field, enum tk_word base)
{
    return base == TK_WORD_PRESERVE && field->preserve ? field->preserve : field->initial;
}

static enum tk_word policy_base(const struct tk_params *params)
{
    int64_t base = params->slots[TK_P_POLICY_BASE].number;

    if (base == TK_WORD_NONE)
        base = params->slots[TK_P_POLICY].number;
    return base == TK_WORD_NONE ? TK_WORD_CONSERVATIVE : (enum tk_word)base;
}

static void fill_defaults(struct tk_params *params, const struct tk_param_shape *shape,
                          enum tk_word base)
{
    if (!shape->fields)
        return;
    for (size_t i = 0; shape->fields[i]; i++) {
        const struct tk_field *field = shape->fields[i];
        struct tk_param_slot *slot = &params->slots[field->slot];

        if (field->slot != TK_P_NONE && slot->node == TK_NO_NODE)
            slot->number = tk_field_default(field, base);
        fill_defaults(params, field->shape, base);
    }
}

int tk_schema_check(const struct tk_param_shape *shape, const struct tk_doc *doc,
                    struct tk_val params, struct tk_arena *arena, const uint64_t hash_key[2],
                    struct tk_params *ret_params, struct tk_schema_fault *ret_fault)
{
    struct checker ck = {
        .arena = arena,
        .hash_key = hash_key,
        .params = ret_params,
        .dialect = tk_dialect_named_in(params),
    };
    int64_t number;
    int r;

    ret_params->doc = doc;
    for (size_t i = 0; i < TK_P_COUNT; i++)
        ret_params->slots[i] = (struct tk_param_slot){TK_NO_NODE, 0};
    r = check_foreign(&ck, shape, doc, params);
    if (r == 0)
        r = tk_exists(params) ? check_value(&ck, shape, params, &number)
                              : check_object(&ck, shape, params, &number);
    if (r == 0)
        fill_defaults(ret_params, shape, policy_base(ret_params));
    else if (r == TK_SCHEMA_FAULT)
        *ret_fault = ck.fault;
    if (r != 0 || !ck.late.message.p)
        return r;
    *ret_fault = ck.late;
    return TK_SCHEMA_LATE;
}
