/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All parameters of all methods, as data (schema.h). A field is a row: its name, its meaning, its
 * shape, its number. A method's parameters are a list of fields. Methods share a field that means
 * the same in both; this header declares the shared ones.
 *
 *     fields.c            shapes, and fields of several kinds of methods
 *     policy_fields.c     the policy's keys
 *     params.c            methods that judge, and those that don't look at histories
 *     stream_params.c     streams
 *     splice_params.c     splice, also as a step of prepare
 *     operation_params.c  tools, prepare
 *     fit_params.c        fit, and its step of prepare
 */
#ifndef TK_METHODS_PARAMS_FIELDS_H
#define TK_METHODS_PARAMS_FIELDS_H

#include "methods/core/table.h"

/* A list of words, and a shape that takes one of them. */
#define WORDS(shape, ...)                                                                          \
    static const enum tk_word shape##_words[] = {__VA_ARGS__, TK_WORD_NONE};                       \
    static const struct tk_param_shape shape = {.kinds = TK_T_STRING, .words = shape##_words}

/* The word of a row of the registry of providers. */
#define PROVIDER_WORD(id, name) TK_WORD_##id,

/* A method's parameters, tk_params_METHOD of table.h: these, and those that every method has. */
#define PARAMS(method, ...)                                                                        \
    static const struct tk_field *const method##_fields[] = {__VA_ARGS__, &tk_field_caller, NULL}; \
    const struct tk_param_shape tk_params_##method = {.kinds = TK_T_OBJECT,                        \
                                                      .fields = method##_fields}

extern const struct tk_param_shape tk_shape_any, tk_shape_boolean, tk_shape_string,
    tk_shape_name, /* a string that isn't blank */
    tk_shape_object, tk_shape_objects, tk_shape_string_or_null, tk_shape_string_or_strings,
    tk_shape_strings_or_null, tk_shape_splice_step, tk_shape_endpoint, tk_shape_messages,
    tk_shape_body;

extern const struct tk_field tk_field_messages, /* or tk_field_request */
    tk_field_body_messages,                     /* inside of a body */
    tk_field_own_dialect,                       /* for methods that read no other */
    tk_field_request, tk_field_target, tk_field_carry_in, tk_field_provenance, tk_field_seals,
    tk_field_policy, tk_field_max_violations, tk_field_guard, tk_field_timeout_ms, tk_field_caller,
    tk_field_betas, tk_field_return_messages, tk_field_return_removed,
    tk_field_fit_step; /* of prepare */

#endif
