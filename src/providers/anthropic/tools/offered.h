/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools that a request offers to the model: the entries of `tools`, and those that a message
 * defines later in the conversation:
 *
 *     {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": {"name": ...}}}
 *
 * Rules look a name up here, so that each costs the same, however many tools there are. A set of
 * tools ("toolset") has no name, and the names of its members aren't known: an MCP server has them,
 * or the provider.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOLS_OFFERED_H
#define TK_PROVIDERS_ANTHROPIC_TOOLS_OFFERED_H

#include "engine/judge.h"
#include "providers/anthropic/tools/repeated.h"
#include "value/hash.h"

/* Facts about all offered tools together; bits. */
enum {
    TK_OFFERS_TOOLSET = 1 << 0,     /* some set of tools */
    TK_OFFERS_MCP_TOOLSET = 1 << 1, /* the tools of an MCP server */
    TK_OFFERS_CODE = 1 << 2,        /* code execution, or a web tool that brings it along */
    TK_OFFERS_TO_CODE = 1 << 3,     /* a tool that code may call */
    /* MCP servers without any set, whose tools an older beta offers all */
    TK_OFFERS_BARE_SERVERS = 1 << 4,
};

/* A tool that a message defines. */
struct tk_defined_tool {
    struct tk_str name;
    bool direct; /* the model may call the tool itself */
};

/* Facts about a name; bits of the value in tk_offered.names. */
enum {
    TK_NAME_OFFERED = 1 << 0,
    TK_NAME_DIRECT = 1 << 1, /* the model may call the tool itself */
};

struct tk_offered {
    struct tk_map names;    /* of all tools; filled on first use, as most requests have none */
    struct tk_map families; /* types of built-in tools, without their date */
    struct tk_map servers;  /* of sets of tools; the value is the number of sets in `tools` + 1 */
    struct tk_map server_names;          /* of the entries of `mcp_servers` */
    unsigned flags;                      /* TK_OFFERS_* */
    struct tk_defined_tool *definitions; /* in messages */
    uint32_t defined, defined_capacity;
    struct tk_repeated repeated; /* entries of `tools` */
    bool is_read;                /* the entries of `tools` were */
    bool names_are_ready;        /* `names` has all tools */
    bool is_used; /* a part of the history may refer to a tool, or changes what is offered */
};

void tk_offered_init(struct tk_offered *o, const struct tk_transcript *t);

/* Reads the tools of the request and of the messages as they are now. Returns 0 or -ENOMEM. */
int tk_offered_read(struct tk_judge *j);

/* Makes the names ready for tk_offered_name(), which takes as long as there are tools. Returns 0 or
 * -ENOMEM. */
int tk_offered_need_names(struct tk_judge *j);

/* Returns the TK_NAME_* bits of a name; 0: no tool has it. Names are ready. */
unsigned tk_offered_name(const struct tk_offered *o, struct tk_str name);

/* Returns how many entries of `tools` are sets of a server's tools. *ret_defined: true if there is
 * such a set, in `tools` or in a message. */
uint32_t tk_offered_sets(const struct tk_offered *o, struct tk_str server, bool *ret_defined);

/* Returns true if built-in tools of that family are offered: "web_search". */
bool tk_offered_family(const struct tk_offered *o, struct tk_str family);

#endif
