#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper splice, tools, prepare and seal as scripts meet them: the document out, what was done on stderr, exit statuses.

Run through tests/tap.py, or with unittest. $TURNKEEPER is the program; with $TURNKEEPERD everything is
run through a daemon as well.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.environ.get("top_srcdir", ".")
sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
HAS_DAEMON = shutil.which(os.environ.get("TURNKEEPERD", "turnkeeperd")) is not None
TIMEOUT = 120
OK, REFUSED, FAILED, STOP = 0, 1, 2, 3

QUESTION = '{"role" : "user", "content":"q"}'
CALL = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
TURN = {"content": [CALL], "stop_reason": "tool_use", "container": {"id": "c1"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}
SPLICED = [{"role": "assistant", "content": [CALL]}, {"role": "user", "content": [RESULT]}]
FUNCTION = '{"name": "f",  "input_schema": {"type": "object"}}'
SEARCH = {"type": "web_search_20260318", "name": "web_search", "allowed_callers": ["direct"]}
MCP = {"want": "mcp", "options": {"name": "s", "url": "https://m"}}
SERVER = {"type": "url", "url": "https://m", "name": "s"}

HEAD = '{\r\n "model": "m\\u0061", "messages" : [ '
TAIL = ' ] ,\n "max_tokens": 1e3, "x": "\\/"\n}\n\n'


def compact(value):
    return json.dumps(value, separators=(",", ":"))


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, text, name="chat.json"):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return self.path(name)

    def content(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as f:
            return f.read()

    def run_it(self, *args, stdin="", status=OK):
        env = {k: v for k, v in os.environ.items() if k != "TURNKEEPER_SOCKET"}
        done = subprocess.run([PROGRAM, *map(str, args)], input=stdin.encode(), capture_output=True, env=env,
                              timeout=TIMEOUT, check=False)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, done.stderr)
        return done


class Splice(Case):
    def splice(self, document, *more, turn=TURN, **how):
        return self.run_it("splice", "-", "--assistant", compact(turn), *more, stdin=document, **how)

    def test_list_in_list_out(self):
        done = self.splice("[ %s ]\n" % QUESTION, "--tool-results", compact([RESULT]))
        self.assertEqual(done.stdout, "[%s,%s]\n" % (QUESTION, compact(SPLICED)[1:-1]))
        self.assertEqual(done.stderr, "stdin: continue\n")

    def test_body_in_body_out(self):
        done = self.splice(HEAD + QUESTION + TAIL, "--tool-results", compact([RESULT]))
        head, tail = HEAD.rstrip(" "), TAIL[2:]
        self.assertEqual(done.stdout, "%s%s,%s]%s" % (head, QUESTION, compact(SPLICED)[1:-1], tail.replace(
            '"\\/"\n}', '"\\/","container":"c1"\n}')))

    def test_options_reach_the_core(self):
        done = self.splice("[]", "--appended", '[{"role":"user","content":"x"}]', "--merge", "single",
                           "--container", "c9", "--mode", "repair")
        self.assertEqual(json.loads(done.stdout)[1]["content"][1], {"type": "text", "text": "x"})
        self.assertEqual(done.stderr, "stdin: continue; missing_tool_result_filled\n")
        done = self.splice('[{"role":"user","content":"old"}]', "--compaction", "replace",
                           turn={"content": [{"type": "compaction", "content": "s"}], "stop_reason": "compaction"})
        self.assertEqual(len(json.loads(done.stdout)), 1)
        self.assertEqual(done.stderr, "stdin: resume\n")
        done = self.splice("[]", "--appended", '[{"role":"assistant","content":"other"}]',
                           "--on-assistant-conflict", "replace", status=STOP)
        self.assertEqual(json.loads(done.stdout), [{"role": "assistant", "content": "other"}])

    def test_arguments_may_be_files(self):
        turn = self.file(compact(TURN), "turn.json")
        results = self.file(compact([RESULT]), "results.json")
        done = self.run_it("splice", self.file("[%s]" % QUESTION), "--assistant", "@" + turn, "--tool-results",
                           "@" + results, "-o", self.path("out.json"))
        self.assertEqual(done.stdout, "")
        self.assertEqual(json.loads(self.content("out.json"))[1:], SPLICED)

    def test_stop(self):
        done = self.splice("[]", turn={"content": "done", "stop_reason": "end_turn"}, status=STOP)
        self.assertEqual(json.loads(done.stdout), [{"role": "assistant", "content": "done"}])
        self.assertEqual(done.stderr, "stdin: stop\n")
        done = self.splice("[]", "--json", turn={"content": "done", "stop_reason": "end_turn"}, status=STOP)
        self.assertEqual(json.loads(done.stdout)["action"], "stop")

    def test_deferred(self):
        waits = [{"role": "user", "content": "x"}]
        paused = {"content": [{"type": "text", "text": "a"}], "stop_reason": "pause_turn"}
        done = self.splice("[]", "--appended", compact(waits), "--deferred", self.path("waits.json"), turn=paused)
        self.assertEqual(done.stderr, "stdin: resume, 1 message deferred; deferred_until_turn_resumes\n")
        self.assertEqual(json.loads(self.content("waits.json")), waits)
        self.splice("[]", "--deferred", self.path("waits.json"), "--quiet", turn=paused)
        self.assertEqual(self.content("waits.json"), "[]\n")

    def test_refused(self):
        done = self.splice("[]", "--mode", "strict", status=REFUSED)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, 'stdin:/params/assistant/content/0: error: a call has no result '
                                      '[missing_tool_result]\n    ids: ["toolu_1"]\n')
        done = self.splice('{"messages":[],"thread":{"type":"continue"}}', status=REFUSED)
        self.assertIn("stdin:/thread: error: ", done.stderr)

    def test_wrong(self):
        for document, says in (("[", "unexpected end"), ('"x"', "neither a list of messages"),
                               ("null", "neither a list of messages"), ("{}", "/messages: error: ")):
            with self.subTest(document):
                self.assertIn(says, self.splice(document, status=FAILED).stderr)
        self.assertIn("needs --assistant", self.run_it("splice", "-", status=FAILED).stderr)
        self.assertIn("--mode: ", self.splice("[]", "--mode", "lenient", status=FAILED).stderr)
        self.assertIn("--appended", self.splice("[]", "--appended", "[7]", status=FAILED).stderr)
        self.assertIn("no option --header", self.splice("[]", "--header", status=FAILED).stderr)
        self.assertIn("No such file", self.run_it("splice", self.path("none"), "--assistant", "{}", status=FAILED).stderr)
        done = self.splice("[%s]" % QUESTION, "--max-document", "5", status=FAILED)
        self.assertIn("too large", done.stderr)


class Tools(Case):
    def tools(self, document, *more, **how):
        return self.run_it("tools", "-", *more, stdin=document, **how)

    def test_list_in_list_out(self):
        done = self.tools("[%s ]\n" % FUNCTION, "--add", "web_search")
        self.assertEqual(done.stdout, "[%s,%s]\n" % (FUNCTION, compact(SEARCH)))
        self.assertEqual(done.stderr, "stdin: changed\n")

    def test_body_in_body_out(self):
        body = '{"tools" : [%s], "messages":[]  }\n' % FUNCTION
        done = self.tools(body, "--add", compact([MCP]), "--betas", "foo")
        toolset = compact({"type": "mcp_toolset", "mcp_server_name": "s"})
        self.assertEqual(done.stdout, '{"tools" : [%s,%s], "messages":[],"mcp_servers":[%s]  }\n' % (
            FUNCTION, toolset, compact(SERVER)))
        self.assertEqual(done.stderr, "stdin: changed; betas foo, mcp-client-2025-11-20\n")
        self.assertEqual(self.tools('{ }', "--add", "web_search").stdout, '{"tools":[%s] }' % compact(SEARCH))

    def test_edits_in_the_middle(self):
        entries = [compact({"name": n}) for n in "abcd"]
        old = compact({"type": "web_search_20250305", "name": "web_search"})
        document = "[%s]" % " , ".join([entries[0], entries[0], entries[1], old, entries[2], entries[1], entries[3]])
        done = self.tools(document, "--add", "web_search,memory")
        memory = compact({"type": "memory_20250818", "name": "memory"})
        self.assertEqual(done.stdout, "[%s,%s,%s,%s,%s,%s]" % (
            entries[0], entries[1], compact(SEARCH), entries[2], entries[3], memory))
        self.assertEqual(done.stderr, "stdin: changed; duplicate_dropped, tool_replaced\n")

    def test_nothing_to_do_is_the_input(self):
        for document in ("[ ]\n", "[%s ] " % FUNCTION, '{"x":1e2}\n'):
            self.assertEqual(self.tools(document).stdout, document)
        self.assertEqual(self.tools("null\n").stdout, "[]\n")
        self.assertEqual(json.loads(self.tools(" null ", "--add", "web_search").stdout), [SEARCH])

    def test_header(self):
        done = self.tools("[]", "--add", '[{"want":"advisor","options":{"model":"m"}}]', "--header", "-q", "--betas",
                          '["b","a , c"]')
        self.assertEqual(done.stdout, "anthropic-beta: b,a,c,advisor-tool-2026-03-01\n")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.tools("[]", "--header").stdout, "")

    def test_options_reach_the_core(self):
        search = '[{"type":"web_search_20250305","name":"web_search"}]'
        done = self.tools(search, "--header", "--legacy-betas")
        self.assertEqual(done.stdout, "anthropic-beta: web-search-2025-03-05\n")
        self.assertEqual(self.tools(search, "--header", "--target", "vertex:m").stdout, done.stdout)
        self.assertEqual(self.tools(search, "--header", "--target", "vertex", "--call", "count_tokens").stdout, "")
        thinking = '{"thinking":{"type":"enabled"}}'
        self.assertIn("interleaved", self.tools(thinking, "--header", "--interleaved").stdout)
        self.assertEqual(self.tools("[]", "--provider", "gemini", "--add", "web_fetch").stdout, '[{"url_context":{}}]')
        done = self.tools(search, "--add", "web_search", "--on-conflict", "keep_base")
        self.assertEqual((done.stdout, done.stderr), (search, "stdin: unchanged; addition_ignored\n"))
        self.assertEqual(json.loads(self.tools(search, "--json").stdout)["changed"], False)

    def test_servers_of_tools_alone(self):
        done = self.tools("[]", "--add", compact([MCP]), "--quiet")
        self.assertEqual(done.stderr, "stdin: to go into mcp_servers: %s\n" % compact([SERVER]))

    def test_refused(self):
        done = self.tools("[%s]" % FUNCTION, "--add", '[{"name":"f"}]', status=REFUSED)
        self.assertEqual(done.stderr, 'stdin:/params/add/0: error: two different tools have the same name '
                                      '[tool_name_conflict]\n    tool: "f"\n')
        done = self.tools('[{"name":"f"},{"name":"f","x":1}]', "--add", "", status=REFUSED)
        self.assertIn("stdin:/tools/1: error: ", done.stderr)
        done = self.tools("[]", "--add", "time_travel", status=REFUSED)
        self.assertIn('    tool: "time_travel"\n', done.stderr)

    def test_wrong(self):
        for document, says in (("7", "neither a list of tools"), ("[%s]" % QUESTION, "neither a list of tools"), ("[7]", "/tools/0: error: "), ("{", "unexpected end")):
            with self.subTest(document):
                self.assertIn(says, self.tools(document, status=FAILED).stderr)
        self.assertIn("--add", self.tools("[]", "--add", "[7]", status=FAILED).stderr)
        self.assertIn("--provider", self.tools("[]", "--provider", "moon", status=FAILED).stderr)
        self.assertIn("No such file", self.tools("[]", "-o", self.path("no/such"), status=FAILED).stderr)


class Prepare(Case):
    ORPHAN = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    BROKEN = '{"role":"assistant","content":[ {"type":"text","text":"\\u0061"},%s ]}' % compact(ORPHAN)
    MENDED = '{"role":"assistant","content":[ {"type":"text","text":"\\u0061"} ]}'
    LAST = '{"role":"user","content":"go on"}'

    def prepare(self, document, *more, **how):
        return self.run_it("prepare", "-", *more, stdin=document, **how)

    def broken(self):
        return HEAD + ",".join((QUESTION, self.BROKEN, self.LAST)) + TAIL

    def test_nothing_to_do(self):
        body = HEAD + QUESTION + TAIL
        done = self.prepare(body)
        self.assertEqual(done.stdout, body)
        self.assertEqual(done.stderr, "stdin: continue, unchanged\n")

    def test_repairs_and_keeps_bytes(self):
        done = self.prepare(self.broken())
        self.assertIn('"model": "m\\u0061"', done.stdout)
        self.assertIn(self.MENDED, done.stdout)
        self.assertTrue(done.stdout.endswith(TAIL), done.stdout)
        self.assertEqual(done.stderr, "stdin: continue, changed\n"
                         "    drop /messages/1/content/1 [provider_executed_call_without_result]\n")

    def test_tells_what_it_sets(self):
        """Thinking is switched off where the turn in progress lost its own: that is said like an edit."""
        unsigned = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": ""}, CALL]}
        body = HEAD + ",".join((QUESTION, compact(unsigned), compact({"role": "user", "content": [RESULT]}))) + \
            '] , "stream":true, "thinking": {"type":"enabled", "budget_tokens":1024}}'
        done = self.prepare(body)
        self.assertEqual(json.loads(done.stdout)["thinking"], {"type": "disabled"})
        self.assertEqual(done.stderr, "stdin: continue, changed\n"
                         "    demote /messages/1/content/0 [thinking_signature_missing]\n"
                         '    set /thinking {"type":"disabled"}\n')
        self.assertEqual(self.prepare(body, "-q").stderr, "")

    def test_all_steps(self):
        done = self.prepare(self.broken(), "--assistant", compact(TURN), "--tool-results", compact([RESULT]),
                            "--add", "web_search", "--betas", "x-1")
        body = json.loads(done.stdout)
        self.assertEqual(body["messages"][3:], SPLICED)
        self.assertEqual(body["tools"], [SEARCH])
        self.assertEqual(body["container"], "c1")
        self.assertIn("; betas x-1; tools_changed_mid_conversation\n", done.stderr)

    def test_header_and_quiet(self):
        done = self.prepare(self.broken(), "--add", compact([MCP]), "--betas", "x-1", "--header", "-q")
        self.assertEqual(done.stdout, "anthropic-beta: x-1,mcp-client-2025-11-20\n")
        self.assertEqual(done.stderr, "")

    def test_options_of_steps(self):
        results = compact([RESULT, dict(RESULT, tool_use_id="other")])
        done = self.prepare(HEAD + QUESTION + TAIL, "--assistant", compact(TURN), "--tool-results", results,
                            "--mode", "strict", status=REFUSED)
        self.assertIn("/params/splice/tool_results/1: error: ", done.stderr)
        self.assertIn('    stage: "splice"\n', done.stderr)
        done = self.prepare(HEAD + QUESTION + TAIL, "--mode", "kind", "--assistant", compact(TURN), status=FAILED)
        self.assertIn("--mode: ", done.stderr)
        done = self.prepare(HEAD + QUESTION + TAIL, "--on-conflict", "kind", status=FAILED)
        self.assertIn("--on-conflict: ", done.stderr)

    def test_deferred_and_output(self):
        turn = {"content": [self.ORPHAN], "stop_reason": "pause_turn"}
        searching = TAIL.replace('"x"', '"tools": [%s], "x"' % compact(SEARCH))
        done = self.prepare(HEAD + QUESTION + searching, "--assistant", compact(turn), "--appended",
                            "[%s]" % self.LAST, "--deferred", self.path("later"), "-o", self.path("next"))
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.content("later"), "[%s]\n" % self.LAST)
        self.assertEqual(json.loads(self.content("next"))["messages"][1]["content"], turn["content"])
        self.assertIn("stdin: resume, changed, 1 message deferred; deferred_until_turn_resumes\n", done.stderr)

    def test_stop(self):
        turn = {"content": "done", "stop_reason": "end_turn"}
        done = self.prepare(HEAD + QUESTION + TAIL, "--assistant", compact(turn), status=STOP)
        self.assertEqual(json.loads(done.stdout)["messages"][1], {"role": "assistant", "content": "done"})
        self.assertEqual(done.stderr, "stdin: stop, changed\n")

    def test_unsafe(self):
        keep = ("--policy", '{"orphan_call":"report"}')
        done = self.prepare(self.broken(), *keep, status=REFUSED)
        self.assertEqual(done.stdout, "")
        self.assertIn("[unsafe_history]\nstdin:/messages/1/content/1: error: ", done.stderr)
        done = self.prepare(self.broken(), "--no-guard", "-v", *keep, status=REFUSED)
        self.assertEqual(done.stdout, self.broken())
        self.assertIn("note: the provider would answer: ", done.stderr)

    def test_seals_come_back(self):
        thinking = [{"type": "thinking", "thinking": t, "signature": t} for t in ("YQ==", "Yg==")]
        turn = {"role": "assistant", "content": [thinking[0], CALL, thinking[1], dict(CALL, id="toolu_2")]}
        sealed = self.run_it("seal", self.file(compact(turn)), "--blocks")
        shuffled = [thinking[0], thinking[1], CALL, dict(CALL, id="toolu_2")]
        results = [RESULT, dict(RESULT, tool_use_id="toolu_2")]
        body = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": shuffled},
                             {"role": "user", "content": results}]}
        done = self.prepare(compact(body), "--seals", "[%s]" % sealed.stdout, "--policy", "preserve")
        self.assertEqual(json.loads(done.stdout)["messages"][1], turn)
        self.assertIn("    restore /messages/1 [", done.stderr)

    def test_wrong(self):
        for document in ("[]", "null", "7"):
            self.assertIn("not a request body", self.prepare(document, status=FAILED).stderr)
        self.assertIn("/messages", self.prepare("{}", status=FAILED).stderr)


class Seal(Case):
    def seal(self, document, *more, **how):
        return self.run_it("seal", "-", *more, stdin=document, **how)

    def test_forms_agree(self):
        message = {"role": "assistant", "content": [CALL]}
        seals = {self.seal(compact(d)).stdout for d in ([CALL], message, dict(message, id="msg_1", stop_reason="x"))}
        self.assertEqual(len(seals), 1)
        self.assertEqual(json.loads(seals.pop())["seal"]["blocks"][0]["id"], "toolu_1")

    def test_request_blocks_output(self):
        body = {"messages": [{"role": "user", "content": "q"}]}
        done = self.seal(compact([CALL]), "--request", compact(body), "--blocks", "-o", self.path("seal"))
        self.assertEqual(done.stdout, "")
        seal = json.loads(self.content("seal"))["seal"]
        self.assertEqual(seal["content"], [CALL])
        self.assertEqual(sorted(seal["prefix"]), ["messages", "system", "thinking", "tools"])

    def test_wrong(self):
        self.assertIn("neither a message", self.seal("7", status=FAILED).stderr)
        self.assertIn("neither a message", self.seal("[%s]" % QUESTION, status=FAILED).stderr)
        self.assertIn("/role", self.seal('{"role":"user","content":[]}', status=FAILED).stderr)
        self.assertIn("--request", self.seal("[]", "--request", "{}", status=FAILED).stderr)
        self.assertIn("No such file", self.seal("[]", "-o", self.path("no/such"), status=FAILED).stderr)


class WithDaemon:
    """All of it once more, by a daemon."""

    @classmethod
    def setUpClass(cls):
        if not HAS_DAEMON:
            raise unittest.SkipTest("no turnkeeperd")
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def run_it(self, command, *args, **how):
        return super().run_it(command, "--socket", self.daemon.socket, *args, **how)


class SpliceWithDaemon(WithDaemon, Splice):
    pass


class ToolsWithDaemon(WithDaemon, Tools):
    pass


class PrepareWithDaemon(WithDaemon, Prepare):
    pass


class SealWithDaemon(WithDaemon, Seal):
    pass


if __name__ == "__main__":
    unittest.main()
