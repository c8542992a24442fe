# SPDX-License-Identifier: Apache-2.0
"""The shapes of shapes.py that are about the rest of a request: tools, servers, and parts that use them.

Each is a list of messages; AROUND has the members of the request that they come with, as JSON text.
"""
USER = '{"role":"user","content":"q"}'


def tools(names):
    return '"tools":[%s]' % ",".join('{"name":"%s"}' % name for name in names)


def one_message(n):
    return [USER]


def names_that_no_tool_may_have(n):
    return one_message(n)


def tools_with_one_name(n):
    return one_message(n)


def servers_without_tools(n):
    return one_message(n)


def references_to_tools_that_are_gone(n):
    results = ('{"type":"tool_result","tool_use_id":"toolu_%d","content":[{"type":"tool_reference","tool_name":"t%d"}]}' % (i, i)
               for i in range(n))
    calls = ('{"type":"tool_use","id":"toolu_%d","name":"t0","input":{}}' % i for i in range(n))
    return [USER, '{"role":"assistant","content":[%s]}' % ",".join(calls),
            '{"role":"user","content":[%s]}' % ",".join(results)]


def calls_in_flight_without_their_tool(n):
    calls = ('{"type":"mcp_tool_use","id":"mcptoolu_%d","name":"t","server_name":"s%d","input":{}}' % (i, i)
             for i in range(n))
    return [USER, '{"role":"assistant","content":[%s]}' % ",".join(calls)]


def changes_of_tools_that_are_gone(n):
    changes = ('{"type":"tool_removal","tool":{"type":"tool_reference","name":"t%d"}}' % i for i in range(n))
    return [USER, '{"role":"system","content":[%s]}' % ",".join(changes)]


def half_of_the_tools(n):
    return tools("t%d" % (2 * i) for i in range(n // 2))


def servers(n):
    return '"mcp_servers":[%s]' % ",".join('{"type":"url","name":"s%d","url":"u"}' % (2 * i) for i in range(n // 2))


AROUND = {
    names_that_no_tool_may_have: lambda n: tools("t.%d" % i for i in range(n)),
    tools_with_one_name: lambda n: tools("t" for i in range(n)),
    servers_without_tools: servers,
    references_to_tools_that_are_gone: half_of_the_tools,
    calls_in_flight_without_their_tool: servers,
    changes_of_tools_that_are_gone: half_of_the_tools,
}
SHAPES = [(shape, None) for shape in AROUND]
