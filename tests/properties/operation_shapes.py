# SPDX-License-Identifier: Apache-2.0
"""Parameters that ask most of splice, tools and prepare: n of one kind. shape(n) -> parameters as JSON text."""
import shapes

USER = '{"role":"user","content":"q"}'


def splice(content, appended=(), results=(), history=(USER,), options=""):
    return '{"messages":[%s],"assistant":{"content":[%s]},"tool_results":[%s],"appended":[%s],"options":{%s}}' % (
        ",".join(history), ",".join(content), ",".join(results), ",".join(appended), options)


def text(i):
    return '{"type":"text","text":"t%s"}' % i


def carrier(i):
    return shapes.message("user", [shapes.answer(i)])


def long_history(n):
    return splice([text(0)], [USER], history=[USER] * n)


def results_over_many_messages(n):
    return splice(map(shapes.client, range(n)), [carrier(i) for i in reversed(range(n))])


def results_in_one_message(n):
    return splice(map(shapes.client, range(n)),
                  [shapes.message("user", [text(0)] + [shapes.answer(i) for i in reversed(range(n))])])


def automatic_results(n):
    return splice(map(shapes.client, range(n)), results=[shapes.answer(i) for i in range(2 * n)])


def calls_without_results(n):
    return splice(map(shapes.client, range(n)))


def one_call_answered_often(n):
    return splice([shapes.client(0)], [carrier(0)] * n)


def unknown_results(n):
    return splice([text(0)], [carrier(i) for i in range(n)])


def authored_pairs(n):
    return splice([text(0)], [m for i in range(n // 2) for m in (
        shapes.message("assistant", [shapes.client(i)]), carrier(i))])


def short_copies_of_a_long_turn(n):
    return splice(map(text, range(n // 2)), [shapes.message("assistant", [text(n // 2 - 1 - i)]) for i in range(n // 2)])


def alike_blocks(n):
    return splice([text(0)] * (n // 2), [shapes.message("assistant", [text(0)] * 2)] * (n // 4))


def nearly_copies(n):
    return splice([text(0)] * (n // 2), [shapes.message("assistant", [text(0), text(1)])] * (n // 4))


def single_of_many(n):
    return splice([text(0)], [USER] * n, options='"merge":"single"')


def systems_between_users(n):
    return splice([text(0)], [USER, '{"role":"system","content":"s"}'] * (n // 2))


def function(i, more=""):
    return '{"name":"f%s","input_schema":{"type":"object"}%s}' % (i, more)


def tools(base=(), add=(), **more):
    rest = "".join(',"%s":%s' % item for item in more.items())
    return '{"tools":[%s],"add":[%s]%s}' % (",".join(base), ",".join(add), rest)


def functions_added(n):
    return tools(map(function, range(n // 2)), map(function, range(n // 2, n)))


def equal_functions(n):
    return tools([function(0)] * (n // 2), [function(0)] * (n // 2))


def one_function_replaced_often(n):
    return tools([function(0)], [function(0, ',"x":%d' % i) for i in range(n)], on_conflict='"replace_custom"')


def servers_asked(n):
    return tools([], ['"memory"'] * n)


def servers_wished(n):
    entry = '{"want":"mcp","options":{"name":"s%d","url":"u"}}'
    return tools([], [entry % (i % (n // 2)) for i in range(n)])


def members_of_one_entry(n):
    entry = "{%s}" % ",".join('"memberOf%d":{}' % i for i in range(n // 2))
    return tools([entry], [entry], provider='"gemini"')


def beta_lines(n):
    return tools(betas="[%s]" % ",".join('"v%d,v%d"' % (i, i // 2) for i in range(n // 2)))


def history_scanned(n):
    block = '{"type":"fallback","from":{},"to":{}}'
    return '{"request":{"messages":[%s]},"add":["memory"]}' % ",".join(
        [shapes.message("assistant", [block] * 10)] * (n // 10))


def prepare(history, more=""):
    return '{"request":{"messages":[%s]}%s}' % (",".join(history), more)


def orphans(n):
    return [shapes.message("assistant", [shapes.call(i)]) if i % 2 else USER for i in range(n)] + [USER]


def every_step_has_n(n):
    n //= 4
    turn = '"splice":{"assistant":{"content":[%s]},"tool_results":[%s]}' % (
        ",".join(map(shapes.client, range(n))), ",".join(map(shapes.answer, range(n))))
    added = '"tools":{"add":[%s],"betas":[%s]}' % (
        ",".join(map(function, range(n))), ",".join('"v%d"' % i for i in range(n)))
    return prepare(orphans(2 * n), ",%s,%s" % (turn, added))


def history_scanned_again(n):
    return prepare(orphans(n), ',"target":{"endpoint":"bedrock"},"return":"request"')


SHAPES = {
    "splice": [long_history, results_over_many_messages, results_in_one_message, automatic_results,
               calls_without_results, one_call_answered_often, unknown_results, authored_pairs,
               short_copies_of_a_long_turn, alike_blocks, nearly_copies, single_of_many, systems_between_users],
    "tools": [functions_added, equal_functions, one_function_replaced_often, servers_asked, servers_wished,
              members_of_one_entry, beta_lines, history_scanned],
    "prepare": [every_step_has_n, history_scanned_again],
}
