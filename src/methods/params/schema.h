/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameter schemas as const data.
 *
 *     shape   what a value may be: kinds, range, words, elements, members
 *     field   a named member: its shape, if it is required, its default, help
 *
 * These tables check the parameters before a handler runs; `info` writes them as JSON Schema.
 * Handlers check no types: they look values up by number (params.h).
 */
#ifndef TK_METHODS_PARAMS_SCHEMA_H
#define TK_METHODS_PARAMS_SCHEMA_H

#include "methods/params/params.h"
#include "value/writer.h"

/* Kinds a value may have; a shape names one or more. */
enum {
    TK_T_NULL = 1,
    TK_T_BOOL = 2,
    TK_T_INT = 4,
    TK_T_REAL = 8, /* with TK_T_INT: any number */
    TK_T_STRING = 16,
    TK_T_LIST = 32,
    TK_T_OBJECT = 64,
    TK_T_BIN = 128, /* msgpack only; everywhere else bin is refused */
    TK_T_ANY = TK_T_NULL | TK_T_BOOL | TK_T_INT | TK_T_REAL | TK_T_STRING | TK_T_LIST | TK_T_OBJECT,
};

/* Most fields that one object can have. */
#define TK_FIELDS_MAX 32

struct tk_field;

struct tk_param_shape {
    unsigned kinds;            /* TK_T_*, at least one */
    int64_t min, max;          /* integers; strings: size in bytes; both 0: any */
    const enum tk_word *words; /* strings: the ones allowed, ended by TK_WORD_NONE */
    bool nonblank;             /* strings: not only Unicode White_Space */
    bool token;                /* strings: only what tk_is_token() allows */
    bool open;                 /* objects: members without a field are allowed */
    bool foreign;       /* may contain values that JSON can't express; the handler checks them */
    bool blames_itself; /* a fault of fields marked `either` blames the object, not a field */
    const struct tk_param_shape *items;   /* lists: shape of each element */
    const struct tk_field *unique;        /* lists of objects: a field with unique texts */
    const struct tk_field *const *fields; /* objects: ended by NULL; NULL: any members */
    const struct tk_param_shape *tagged; /* objects that have its first field: this shape instead */
};

/* A constant string in a table: TK_STR() is no constant expression. */
#define TK_NAME(lit)                                                                               \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }

/* Where the name of a field comes from. */
enum tk_field_named {
    TK_NAMED_HERE,
    TK_NAMED_BY_ROOT,  /* the dialect's name for the list of messages: "messages" */
    TK_NAMED_BY_PARTS, /* the dialect's name for the list of parts: "content" */
    /* the dialect's name for a second list of parts: "tool_calls"; empty: it has none */
    TK_NAMED_BY_CALLS,
};

struct tk_field {
    struct tk_str name; /* empty if the dialect names the field */
    const char *help;   /* one line, a capital first, no full stop */
    const struct tk_param_shape *shape;
    enum tk_param slot; /* number for handlers, or TK_P_NONE */
    uint8_t named;      /* enum tk_field_named */
    bool required;
    /* its shape in a dialect whose list of messages may also be missing (`root_is_free`); NULL: that
     * changes nothing */
    const struct tk_param_shape *free_shape;
    /* its shape in the dialects of other providers than the default, where the handler checks the rest; NULL:
     * that changes nothing */
    const struct tk_param_shape *other_shape;
    /* its shape in an object whose `role` is the assistant's; NULL: that changes nothing */
    const struct tk_param_shape *assistant_shape;
    /* a fault of the value itself is reported after all others: if a message is in another format,
     * that error is more useful */
    bool late;
    bool late_inside; /* so is a fault of an element */
    bool either;      /* exactly one of an object's fields with this mark must be present */
    int64_t initial;  /* default of an absent field: a word, a bool, a number; 0: none */
    int64_t preserve; /* default under the policy `preserve` if it differs, else 0 */
};

enum {
    TK_SCHEMA_FAULT = 1, /* tk_schema_check(): the parameters don't have the shape */
    TK_SCHEMA_LATE = 2,  /* only fields marked `late` are at fault */
};

/* A fault of the parameters. */
struct tk_schema_fault {
    struct tk_str pointer; /* into the request document */
    struct tk_str message; /* for people; no content */
};

/* Returns a field's name in a dialect. */
static inline struct tk_str tk_field_name(const struct tk_field *field,
                                          const struct tk_shape *dialect)
{
    if (field->named == TK_NAMED_HERE)
        return field->name;
    if (field->named == TK_NAMED_BY_CALLS)
        return tk_calls_name(dialect);
    return field->named == TK_NAMED_BY_ROOT ? tk_root_name(dialect) : tk_parts_name(dialect);
}

/*
 * Checks `params`, the member of a request document (an empty object if absent), and fills
 * *ret_params: slots of what was written, then the defaults of what wasn't. Values that
 * JSON can't express (bin, NaN...) are refused anywhere in the document, except for bin in a field
 * whose shape takes it.
 *
 * Linear in the members of the objects and the elements of the lists that the shape describes.
 *
 * Returns 0, -ENOMEM, or TK_SCHEMA_FAULT with *ret_fault filled (in the arena), *ret_params being
 * undefined. TK_SCHEMA_LATE fills both: late fields with a fault count as absent.
 */
int tk_schema_check(const struct tk_param_shape *shape, const struct tk_doc *doc,
                    struct tk_val params, struct tk_arena *arena, const uint64_t hash_key[2],
                    struct tk_params *ret_params, struct tk_schema_fault *ret_fault);

/* Returns true for a text that consists of letters and digits of ASCII, ".", "_", ":" and "-"; also for
 * an empty one. */
bool tk_is_token(struct tk_str text);

/* Writes a shape as a JSON Schema. */
void tk_schema_write_json(struct tk_writer *w, const struct tk_param_shape *shape);

/* Returns a field's default under a policy of that base (TK_WORD_CONSERVATIVE, _PRESERVE). */
int64_t tk_field_default(const struct tk_field *field, enum tk_word base);

/* Writes that default: a word, a bool or a number; null if there is none. */
void tk_schema_write_default(struct tk_writer *w, const struct tk_field *field, enum tk_word base);

#endif
