/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MCP servers (CATALOGUE 3.9): the provider calls their tools itself. A request lists the servers,
 * and a set in `tools` names the server whose tools it offers:
 *
 *     "mcp_servers": [{"type": "url", "name": "s", "url": "https://..."}],
 *     "tools": [{"type": "mcp_toolset", "mcp_server_name": "s"}]
 */
#ifndef TK_PROVIDERS_ANTHROPIC_MCP_SERVERS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_MCP_SERVERS_FIND_H

#include "engine/judge.h"

/* Finds servers without exactly one set, and sets without a server. Runs after tk_judge_tools().
 * Returns 0 or -ENOMEM. */
int tk_judge_mcp_servers(struct tk_judge *j);

#endif
