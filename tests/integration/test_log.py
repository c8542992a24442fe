# SPDX-License-Identifier: Apache-2.0
"""The log's lines about the start, about a start that fails, and about each request: at `debug`, or with `log_repairs`."""
import os
import re
import signal
import subprocess
import tempfile
import unittest

from harness import PATIENCE, PROGRAM, Daemon, Test, eventually

ORPHAN = [{"role": "user", "content": "Weather?"},
          {"role": "assistant", "content": [
              {"type": "text", "text": "One moment."},
              {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}]},
          {"role": "user", "content": "And?"}]
CODE = "provider_executed_call_without_result"


class Start(Test):
    def test_the_configuration_that_was_read(self):
        with Daemon() as d:
            self.assertTrue(d.logged("start", config='"%s"' % d.config))
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.logged("reload", config='"%s"' % d.config)))

    def test_no_configuration(self):
        help_text = subprocess.check_output([PROGRAM, "--help"], text=True, timeout=PATIENCE)
        if os.path.exists(re.search(r"\[(/\S+), if there is one\]", help_text)[1]):
            raise unittest.SkipTest("this machine has a configuration")
        with Daemon(own_config=False) as d:
            self.assertTrue(d.logged("start", config="none"))
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.logged("reload", config="none")))

    def failed_start(self, *options):
        done = subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_a_missing_folder(self):
        """The topmost one that is missing, and the socket that should be there."""
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            path = folder + "/run/deeper/s.sock"
            log = self.failed_start("--socket", path)
            self.assertIn('event=socket socket=main path="%s" problem="can\'t be bound: its folder does not exist" folder="%s/run"\n' %
                          (path, folder), log)
            os.mkdir(folder + "/run")
            self.assertIn('folder="%s/run/deeper"\n' % folder, self.failed_start("--socket", path))
            log = self.failed_start("--socket", folder + "/s.sock", "--control", path)
            self.assertIn('socket=control path="%s"' % path, log)

    def test_a_path_that_is_taken(self):
        with Daemon() as d:
            log = self.failed_start("--socket", d.socket, "--control", d.folder + "/b.control.sock")
            self.assertIn('socket=main path="%s" problem="another server listens there" pid=%d uid=%d\n' %
                          (d.socket, d.pid, os.getuid()), log)
            log = self.failed_start("--socket", d.folder + "/b.sock", "--control", d.control)
            self.assertIn('socket=control path="%s" problem="another server listens there"' % d.control, log)


class Requests(Test):
    """One line each, of what became of it."""

    def lines(self, d, **values):
        return eventually(lambda: d.logged("request", **values))

    def test_a_line_a_request(self):
        with Daemon({"log_level": "debug"}) as d, d.connect() as c:
            c.call("repair", messages=ORPHAN)
            (line,) = self.lines(d, method="repair")
            self.assertRegex(line, r" event=request connection=\d+ uid=%d caller=- method=repair outcome=ok history=repaired "
                                   r"us=\d+ bytes_in=\d{3} bytes_out=\d{3} codes=- repaired=%s:1 actions=drop:1$"
                             % (os.getuid(), CODE))
            c.call("validate", messages=ORPHAN)
            self.assertTrue(self.lines(d, method="validate", outcome="ok", codes=CODE + ":1", actions="-"))
            c.call("validate", messages=5)
            self.assertTrue(self.lines(d, method="validate", outcome="invalid_params", codes="-"))
            c.call("nonsense")
            self.assertTrue(self.lines(d, method="-", outcome="method_not_found"))
            c.send(b"{")
            c.receive()
            self.assertTrue(self.lines(d, method="-", outcome="parse_error", bytes_in="1"))

    def test_many_codes(self):
        """Names that don't fit into a line are counted, and the line ends well."""
        blocks = [{"type": "tool_use", "id": "i", "name": "n"}, {"type": "text"}, {"type": "image"},
                  {"type": "document"}, {"type": "thinking"}, {"type": "redacted_thinking"}, {"type": "nonsense"},
                  {"type": "server_tool_use", "id": "s"}, {"type": "tool_result"}, {"type": "text", "text": ""},
                  {"type": "text", "text": " "}, {"type": "search_result"}, {"type": "mcp_tool_use", "id": "?"},
                  {"type": "web_search_tool_result", "tool_use_id": "none", "content": []}]
        messages = [{"role": role, "content": blocks, "more": 1} for role in ("assistant", "user", "system", "robot")]
        with Daemon({"log_level": "debug"}) as d, d.connect() as c:
            found = c.call("validate", messages=messages)["counts"]
            line = self.lines(d, method="validate")[0]
            codes = dict(pair.split(":") for pair in re.search(r" codes=(\S+) repaired=- actions=-$", line)[1].split(","))
            self.assertGreater(int(codes.pop("more")), 0)
            self.assertGreater(len(codes), 5)
            for code, n in codes.items():
                self.assertEqual(found[code], int(n))

    def test_none_at_info(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(c.ping())
            self.assertEqual(d.stop(), 0)
            self.assertEqual(d.logged("request"), [])


SOUND = [{"role": "user", "content": "Weather?"}]
UNSAFE = [{"role": "user", "content": "Weather?"},
          {"role": "assistant", "content": [
              {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmF0dXJl"},
              {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
              {"type": "text", "text": "It rains."}]},
          {"role": "user", "content": "And?"}]


class Repairs(Test):
    """`log_repairs`: the lines at level info."""

    def logged(self, config):
        """Makes one request of each kind; returns the callers of the requests that the log has a line about."""
        with Daemon(config) as d, d.connect() as c:
            c.call("validate", messages=SOUND, caller="sound")
            c.call("validate", messages=ORPHAN, caller="found")
            c.call("repair", messages=SOUND, caller="clean")
            c.call("repair", messages=ORPHAN, caller="repaired")
            c.call("repair_turn", content=ORPHAN[1]["content"], caller="turn")
            c.call("prepare", request={"model": "m", "max_tokens": 9, "messages": ORPHAN}, caller="prepared")
            c.call("repair", messages=UNSAFE, caller="unsafe")
            c.call("repair", messages=5, caller="refused")
            c.call("ping", caller="ping")
            d.ask("ping")
            self.assertEqual(d.stop(), 0)
            lines = d.logged("request")
            self.assertEqual([line for line in lines if " level=info " not in line], [])
            return [re.search(r" caller=(\S+) ", line)[1] for line in lines]

    def test_which_requests(self):
        changed = ["repaired", "turn", "prepared", "unsafe"]
        self.assertEqual(self.logged({}), [])
        self.assertEqual(self.logged({"log_repairs": "none"}), [])
        self.assertEqual(self.logged({"log_repairs": "changed"}), changed)
        self.assertEqual(self.logged({"log_repairs": "all"}),
                         ["sound", "found", "clean", *changed, "refused", "ping"])
        self.assertEqual(self.logged({"log_repairs": "all", "log_level": "notice"}), [])

    def test_what_a_line_says(self):
        with Daemon({"log_repairs": "all"}) as d, d.connect() as c:
            c.call("repair", messages=UNSAFE, caller="Agent-7.x_y:z")
            (line,) = eventually(lambda: d.logged("request", method="repair"))
            self.assertRegex(line, r" uid=%d caller=Agent-7\.x_y:z method=repair outcome=unsafe_history history=unsafe us=\d+ "
                                   r"bytes_in=\d{3} bytes_out=\d+ codes=provider_executed_result_without_call:1 repaired=- "
                                   r"actions=-$" % os.getuid())

    def test_a_reload_changes_it(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(c.ping())
            d.configure({"log_repairs": "all"})
            d.signal(signal.SIGHUP)
            # Workers take over new settings after the thread that reads them.
            self.assertTrue(eventually(lambda: c.call("repair", messages=SOUND, caller="on") and d.logged("request")))
            d.configure({"log_repairs": "none"})
            d.signal(signal.SIGHUP)

            def is_off():
                before = len(d.logged("request"))
                self.assertTrue(c.ping())
                return len(d.logged("request")) == before
            self.assertTrue(eventually(is_off))
            self.assertNotIn("restart_needed", d.log())

    def test_callers_of_refused_requests(self):
        with Daemon({"log_repairs": "all"}) as d, d.connect() as c:
            c.call("repair", nonsense=1, caller="early")
            c.call("nonsense", caller="earlier")
            c.call("repair", messages=SOUND, caller="not one")
            c.call("repair", messages=SOUND, caller="x" * 65)
            self.assertTrue(eventually(lambda: len(d.logged("request")) == 4))
            self.assertEqual([re.search(r" caller=(\S+) ", line)[1] for line in d.logged("request")],
                             ["early", "earlier", "-", "-"])
            self.assertNotIn("not one", d.log())

    def test_every_method_takes_a_caller(self):
        with Daemon() as d:
            for method in d.ask("info")["methods"]:
                shape = method["params"]["properties"]["caller"]
                self.assertEqual((shape["maxLength"], shape["pattern"]), (64, "^[A-Za-z0-9._:-]*$"), method["name"])
            with d.connect() as c:
                for method in ("health", "stats"):  # the others have conformance cases
                    self.assertEqual(c.call(method, caller="a b")["data"]["pointer"], "/params/caller")
                    self.assertNotIn("code", c.call(method, caller="agent-7"))
