/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"

static const struct tk_offered *offered(const struct tk_judge *j)
{
    return &tk_anthropic(j)->offered;
}

static int find(struct tk_judge *j, uint32_t at)
{
    return tk_find_request(&j->findings, j->t, TK_CODE_MCP_SERVER_CONFIG, at);
}

/* Returns true if the server has its set of tools in the request: one in `tools`, or any number in
 * messages, which may define it again. */
static bool is_used(const struct tk_judge *j, struct tk_val server)
{
    struct tk_str name = tk_text(tk_get(server, TK_STR("name")), j->t->arena);
    bool has_set;

    return name.p && tk_offered_sets(offered(j), name, &has_set) <= 1 && has_set;
}

static int judge_servers(struct tk_judge *j)
{
    struct tk_val list = tk_request_at(j->request, TK_REQUEST_SERVERS);
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v) && r == 0;
         v = tk_after(list, v))
        if (!is_used(j, v))
            r = find(j, v.node);
    return r;
}

static int judge_sets(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    const struct tk_definition_facts *facts = tk_anthropic_request(v)->facts;
    int r = 0;

    if (!(offered(j)->flags & TK_OFFERS_MCP_TOOLSET))
        return 0;
    for (uint32_t i = 0; i < v->tool_count && r == 0; i++) {
        struct tk_str server = tk_text(tk_request_val(v, facts[i].server), j->t->arena);

        if (tk_text_is(tk_request_val(v, facts[i].type), TK_STR("mcp_toolset")) &&
            !(server.p && tk_map_get(&offered(j)->server_names, server)))
            r = find(j, v->tools[i].node);
    }
    return r;
}

int tk_judge_mcp_servers(struct tk_judge *j)
{
    struct tk_val servers = tk_request_at(j->request, TK_REQUEST_SERVERS);
    struct tk_val tools = j->request->tool_list;
    bool servers_first = tk_exists(servers) && servers.node < tools.node;
    int r;

    if (offered(j)->flags & TK_OFFERS_BARE_SERVERS)
        return 0;
    /* Reports are in the order of the document. */
    r = servers_first ? judge_servers(j) : judge_sets(j);
    return r < 0 ? r : servers_first ? judge_sets(j) : judge_servers(j);
}
