/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter tables as JSON Schema (draft 2020-12), for `info`. */
#include "methods/params/schema.h"

static const struct {
    unsigned kind;
    const char *name;
} type_names[] = {
    {TK_T_NULL, "null"},     {TK_T_BOOL, "boolean"}, {TK_T_INT, "integer"},   {TK_T_REAL, "number"},
    {TK_T_STRING, "string"}, {TK_T_LIST, "array"},   {TK_T_OBJECT, "object"},
};

#define TYPES (sizeof(type_names) / sizeof(type_names[0]))

static void write_shape(struct tk_writer *w, const struct tk_param_shape *shape, unsigned kinds);

static bool is_single(unsigned kinds)
{
    return (kinds & (kinds - 1)) == 0;
}

/* Writes `type`; nothing if the shape takes all kinds. */
static void write_type(struct tk_writer *w, unsigned kinds)
{
    bool single = is_single(kinds);

    if (kinds == TK_T_ANY)
        return;
    tk_write_key(w, "type");
    if (!single)
        tk_write_list(w);
    for (size_t i = 0; i < TYPES; i++) {
        if (kinds & type_names[i].kind)
            tk_write_cstr(w, type_names[i].name);
    }
    if (!single)
        tk_write_end(w);
}

static void write_string(struct tk_writer *w, const struct tk_param_shape *shape)
{
    if (shape->words) {
        tk_write_key(w, "enum");
        tk_write_list(w);
        for (const enum tk_word *word = shape->words; *word != TK_WORD_NONE; word++)
            tk_write_cstr(w, tk_word_name(*word));
        tk_write_end(w);
    }
    if (shape->max > 0) { /* counts characters, never more than bytes */
        tk_write_kv_int(w, "minLength", shape->min);
        tk_write_kv_int(w, "maxLength", shape->max);
    }
    if (shape->token)
        tk_write_kv_cstr(w, "pattern", "^[A-Za-z0-9._:-]*$");
    if (shape->nonblank) {
        tk_write_key(w, "pattern");
        tk_write_cstr(w, "[^\\s]");
    }
}

static void write_int(struct tk_writer *w, const struct tk_param_shape *shape)
{
    if (shape->min == shape->max)
        return;
    tk_write_kv_int(w, "minimum", shape->min);
    tk_write_kv_int(w, "maximum", shape->max);
}

static void write_list(struct tk_writer *w, const struct tk_param_shape *shape)
{
    if (!shape->items)
        return;
    tk_write_key(w, "items");
    tk_write_map(w);
    write_shape(w, shape->items, shape->items->kinds);
    tk_write_end(w);
}

/* ---- objects ---- */

static bool has_default(const struct tk_field *field)
{
    return field->initial != 0 || (field->shape->kinds == TK_T_BOOL && !field->required);
}

/* Returns true if an earlier shape gives the field the same name, or this one gives it none. */
static bool is_repeated(const struct tk_field *field, size_t shape)
{
    struct tk_str name = tk_field_name(field, tk_shapes[shape]);

    for (size_t i = 0; i < shape; i++)
        if (tk_str_eq(tk_field_name(field, tk_shapes[i]), name))
            return true;
    return name.n == 0;
}

/* Returns true if the shapes have several names for the field. */
static bool has_names(const struct tk_field *field)
{
    for (size_t i = 1; i < TK_SHAPE_COUNT; i++)
        if (!is_repeated(field, i))
            return true;
    return false;
}

/* Writes `anyOf` for a field that has another shape for other providers. */
static void write_both(struct tk_writer *w, const struct tk_field *field)
{
    tk_write_key(w, "anyOf");
    tk_write_list(w);
    tk_schema_write_json(w, field->shape);
    tk_schema_write_json(w, field->other_shape);
    tk_write_end(w);
}

static void write_value(struct tk_writer *w, const struct tk_field *field)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "description", field->help);
    if (field->other_shape)
        write_both(w, field);
    else
        write_shape(w, field->shape, field->shape->kinds);
    if (has_default(field)) {
        tk_write_key(w, "default");
        tk_schema_write_default(w, field, TK_WORD_CONSERVATIVE);
    }
    tk_write_end(w);
}

/* Writes a field under each of its names. */
static void write_field(struct tk_writer *w, const struct tk_field *field)
{
    for (size_t i = 0; i < TK_SHAPE_COUNT; i++)
        if (!is_repeated(field, i)) {
            tk_write_key_str(w, tk_field_name(field, tk_shapes[i]));
            write_value(w, field);
        }
}

/* Writes "anyOf": [{"required": ["messages"]}, {"required": ["input"]}] */
static void write_one_of_names(struct tk_writer *w, const struct tk_field *field)
{
    tk_write_key(w, "anyOf");
    tk_write_list(w);
    for (size_t i = 0; i < TK_SHAPE_COUNT; i++) {
        if (is_repeated(field, i))
            continue;
        tk_write_map(w);
        tk_write_key(w, "required");
        tk_write_list(w);
        tk_write_str(w, tk_field_name(field, tk_shapes[i]));
        tk_write_end(w);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_required(struct tk_writer *w, const struct tk_field *const *fields)
{
    bool begun = false;

    for (size_t i = 0; fields[i]; i++) {
        if (!fields[i]->required || has_names(fields[i]))
            continue;
        if (!begun) {
            tk_write_key(w, "required");
            tk_write_list(w);
            begun = true;
        }
        tk_write_str(w, tk_field_name(fields[i], tk_shapes[0]));
    }
    if (begun)
        tk_write_end(w);
    for (size_t i = 0; fields[i]; i++)
        if (fields[i]->required && has_names(fields[i]))
            write_one_of_names(w, fields[i]);
}

/* Writes "oneOf": [{"required": ["messages"]}, {"required": ["request"]}] */
static void write_either(struct tk_writer *w, const struct tk_field *const *fields)
{
    bool begun = false;

    for (size_t i = 0; fields[i]; i++) {
        if (!fields[i]->either)
            continue;
        if (!begun) {
            tk_write_key(w, "oneOf");
            tk_write_list(w);
            begun = true;
        }
        tk_write_map(w);
        tk_write_key(w, "required");
        tk_write_list(w);
        tk_write_str(w, fields[i]->name);
        tk_write_end(w);
        tk_write_end(w);
    }
    if (begun)
        tk_write_end(w);
}

static void write_members(struct tk_writer *w, const struct tk_param_shape *shape)
{
    tk_write_key(w, "properties");
    tk_write_map(w);
    for (size_t i = 0; shape->fields[i]; i++)
        write_field(w, shape->fields[i]);
    tk_write_end(w);
    write_required(w, shape->fields);
    write_either(w, shape->fields);
    if (!shape->open)
        tk_write_kv_bool(w, "additionalProperties", false);
}

/* Writes "if": {"type": "object", "required": ["want"]}, "then": {...}, and "else" if the shape asks
 * anything of other objects. */
static void write_tagged(struct tk_writer *w, const struct tk_param_shape *shape)
{
    const struct tk_param_shape *tagged = shape->tagged;

    tk_write_key(w, "if");
    tk_write_map(w);
    write_type(w, TK_T_OBJECT);
    tk_write_key(w, "required");
    tk_write_list(w);
    tk_write_str(w, tagged->fields[0]->name);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_key(w, "then");
    tk_write_map(w);
    write_shape(w, tagged, TK_T_OBJECT);
    tk_write_end(w);
    if (!shape->fields)
        return;
    tk_write_key(w, "else");
    tk_write_map(w);
    write_members(w, shape);
    tk_write_end(w);
}

static void write_object(struct tk_writer *w, const struct tk_param_shape *shape)
{
    if (shape->tagged)
        write_tagged(w, shape);
    else if (shape->fields)
        write_members(w, shape);
}

/* ---- any value ---- */

static const struct {
    unsigned kind;
    void (*write)(struct tk_writer *w, const struct tk_param_shape *shape);
} writers[] = {
    {TK_T_STRING, write_string},
    {TK_T_INT, write_int},
    {TK_T_LIST, write_list},
    {TK_T_OBJECT, write_object},
};

/* Writes `anyOf` for a shape of words and other kinds: `enum` restricts values of every type, so
 * the words need a branch of their own. */
static void write_any_of(struct tk_writer *w, const struct tk_param_shape *shape, unsigned kinds)
{
    tk_write_key(w, "anyOf");
    tk_write_list(w);
    for (size_t i = 0; i < TYPES; i++) {
        if (!(kinds & type_names[i].kind))
            continue;
        tk_write_map(w);
        write_shape(w, shape, type_names[i].kind);
        tk_write_end(w);
    }
    tk_write_end(w);
}

/* Writes members of the schema: those that describe the shape for these kinds of values. */
static void write_shape(struct tk_writer *w, const struct tk_param_shape *shape, unsigned kinds)
{
    if (shape->words && !is_single(kinds)) {
        write_any_of(w, shape, kinds);
        return;
    }
    write_type(w, kinds);
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
        if (kinds & writers[i].kind)
            writers[i].write(w, shape);
    }
}

void tk_schema_write_json(struct tk_writer *w, const struct tk_param_shape *shape)
{
    tk_write_map(w);
    write_shape(w, shape, shape->kinds);
    tk_write_end(w);
}

void tk_schema_write_default(struct tk_writer *w, const struct tk_field *field, enum tk_word base)
{
    int64_t number = tk_field_default(field, base);

    if (field->shape->words && number != TK_WORD_NONE)
        tk_write_cstr(w, tk_word_name((enum tk_word)number));
    else if (field->shape->kinds == TK_T_BOOL)
        tk_write_bool(w, number != 0);
    else if (field->shape->kinds == TK_T_INT)
        tk_write_int(w, number);
    else
        tk_write_null(w);
}
