/* SPDX-License-Identifier: Apache-2.0 */
/* The APIs whose tools are merged (OPERATIONS.md part B): what each calls itself, and by what its
 * entries are told apart. */
#ifndef TK_OPERATIONS_TOOLS_PROVIDER_H
#define TK_OPERATIONS_TOOLS_PROVIDER_H

#include "value/digest.h"
#include "value/doc.h"

enum tk_tool_provider {
    TK_TOOLS_ANTHROPIC,
    TK_TOOLS_OPENAI_RESPONSES,
    TK_TOOLS_AZURE_RESPONSES,
    TK_TOOLS_GEMINI,
    TK_TOOLS_XAI_RESPONSES,
    TK_TOOLS_PROVIDER_COUNT,
};

/*
 * What an entry of `tools` must not share with another: its name, the server it stands for, its
 * kind. An entry has one key; of Gemini's, whose members are tools of their own, one for each.
 */
struct tk_tool_key {
    struct tk_str text;    /* to be compared; tells kinds of keys apart */
    struct tk_str name;    /* what people call it */
    struct tk_str family;  /* which built-in tool it is: its type without the date */
    struct tk_val value;   /* what two of one key are compared by */
    struct tk_digest hash; /* of the value, where `hashed` */
    uint32_t date;         /* at the end of its type, 20260318; 0: none */
    uint32_t tool;         /* the entry that has it */
    bool function;         /* the client's own, not the provider's */
    bool hashed;
};

struct tk_tool_keys {
    struct tk_arena *arena;
    struct tk_tool_key *list;
    uint32_t count, capacity;
};

struct tk_tool_provider_row {
    const char *name;
    /* Appends the keys of one entry. Returns 0 or -ENOMEM. */
    int (*read_keys)(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool);
    bool has_betas;
    bool has_functions_in_entries; /* lists of declarations, which never clash */
};

extern const struct tk_tool_provider_row tk_tool_providers[TK_TOOLS_PROVIDER_COUNT];

/* Whether two values are equal in canonical form (part C). */
bool tk_same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena);

/* A type without "_20260318" at its end; *ret_date: that, or 0. */
struct tk_str tk_tool_family(struct tk_str type, uint32_t *ret_date);

/* A toolset that the client runs: "computer_toolset_20260801". */
bool tk_is_client_toolset(struct tk_str type);

/* Whether an entry holds a list of declarations (Gemini). */
bool tk_has_declarations(struct tk_val entry, struct tk_arena *arena);

#endif
