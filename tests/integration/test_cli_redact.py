#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`turnkeeper redact`: every form of input, its bytes outside of strings, and what is never written.

What is replaced, and that verdicts stay, is the matter of tests/properties/test_redact.py. Run through tests/tap.py, or with
unittest; cli.py says what it needs.
"""
import json
import os
import re
import sys
import unittest

from cli import BROKEN, FAILED, HAS_DAEMON, MIX, OK, ORPHAN_CALL, TOP, Case, body, line, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

LETTER = re.compile(rb"[A-Za-z0-9]")
PERSON = "Schmidtke"
SAID = [{"role": "user", "content": PERSON}, {"role": "assistant", "content": "Wuppertal"}, {"role": "user", "content": PERSON}]


def shape(text):
    """The bytes without letters and digits."""
    return LETTER.sub(b"x", text)


class Redact(Case):
    def redact(self, *args, status=OK, **options):
        done = run("redact", *args, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_a_body_keeps_its_bytes_around_strings(self):
        text = body(ORPHAN_CALL)
        done = self.redact(self.file(text))
        self.assertEqual((shape(done.stdout), done.stderr), (shape(text), b""))
        self.assertNotIn(b"I look", done.stdout)
        self.assertIn(b'"max_tokens": 1e3', done.stdout)

    def test_validate_says_the_same(self):
        text = line(ORPHAN_CALL)
        place = re.compile(rb"stdin:\S+ error")
        before, after = (run("validate", "-", stdin=t).stdout for t in (text, self.redact("-", stdin=text).stdout))
        self.assertEqual(place.findall(before), place.findall(after))
        self.assertEqual(before.rpartition(b"[")[2], after.rpartition(b"[")[2])

    def test_a_name_too_long_for_a_model_is_a_text(self):
        for size, stays in ((2048, True), (2049, False)):
            model = ("claude-" * 300)[:size]
            done = self.redact("-", stdin=line({"model": model, "messages": SAID}))
            got = json.loads(done.stdout)["model"]
            self.assertEqual(("claude" in got, shape(got.encode())), (stays, shape(model.encode())))

    def test_equal_strings_of_all_lines_stay_equal(self):
        """Lines are examined by several threads; two runs replace differently."""
        text = line(SAID) * 300
        done = self.redact("--jsonl", stdin=text)
        self.assertEqual(len(set(done.stdout.splitlines())), 1)
        self.assertNotEqual(self.redact("--jsonl", stdin=text).stdout, done.stdout)

    def test_one_message_a_line(self):
        text = b"".join(line(message) for message in SAID)
        lines = self.redact("-", stdin=text).stdout.splitlines()
        self.assertEqual([shape(got) for got in lines], [shape(want) for want in text.splitlines()])
        self.assertEqual([json.loads(got)["role"] for got in lines], ["user", "assistant", "user"])
        self.assertEqual(lines[0], lines[2])

    def test_lines_that_cannot_be_read_become_empty(self):
        text = b"".join(MIX[:3] + [b"%s isn't json\n" % PERSON.encode()] + MIX[4:])
        done = self.redact("--jsonl", "-", stdin=text, status=FAILED)
        self.assertNotIn(PERSON.encode(), done.stdout + done.stderr)
        want = [b"" if bad else shape(got) for bad, got in zip((0, 0, 1, 1, 1, 0, 0, 0, 0), text.splitlines())]
        self.assertEqual([shape(got) for got in done.stdout.splitlines()], want)

    def test_a_document_that_cannot_be_read_gives_nothing(self):
        out = os.path.join(self.folder, "out.json")
        for text, name in BROKEN:
            if name == "invalid_params":  # it is JSON, though no history
                continue
            done = self.redact("-o", out, "-", stdin=text, status=FAILED)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"[%s]" % name.encode(), done.stderr)
            self.assertFalse(os.path.exists(out))

    def test_a_larger_document(self):
        text = line({"owner": PERSON, "sessions": [{"user": PERSON}, {"chat": SAID, "text": PERSON}]})
        got = json.loads(self.redact("--at", "/sessions/1/chat", "-", stdin=text).stdout)
        self.assertEqual([message["role"] for message in got["sessions"][1]["chat"]], ["user", "assistant", "user"])
        self.assertNotIn("owner", got)
        self.assertNotIn(PERSON, json.dumps(got))
        done = self.redact("--at", "/no", "-", stdin=text, status=FAILED)
        self.assertIn(b"nothing is at /no", done.stderr)

    def test_other_json(self):
        for value in (PERSON, [PERSON, 4711, None], {"chat": {PERSON: True}}, 4711, None):
            got = self.redact("-", stdin=line(value)).stdout
            self.assertEqual(shape(got).replace(b"xxxx", b"x"), shape(line(value)).replace(b"xxxx", b"x"))
            self.assertNotIn(PERSON.encode(), got)

    def test_output_is_not_the_input(self):
        path, text = self.file(line(SAID)), line(SAID)
        self.redact("-o", path, path, status=FAILED)
        with open(path, "rb") as f:
            self.assertEqual(f.read(), text)
        out = os.path.join(self.folder, "out.json")
        self.assertEqual(self.redact("-o", out, path).stdout, b"")
        with open(out, "rb") as f:
            self.assertEqual(shape(f.read()), shape(text))

    def test_options_of_validate(self):
        for option, value in (("--provider", "openai-chat"), ("--dialect", "fantasy")):
            self.redact(option, value, "-", stdin=line(SAID))
            self.assertIn(option.encode(), self.redact(option, "none", "-", stdin=line(SAID), status=FAILED).stderr)

    @unittest.skipUnless(HAS_DAEMON, "needs turnkeeperd")
    def test_by_the_daemon(self):
        daemon = Daemon()
        self.addCleanup(daemon.stop)
        one, other = (self.redact("--socket", daemon.socket, "-", stdin=line(SAID)).stdout for _ in range(2))
        self.assertEqual((one, shape(one)), (other, shape(line(SAID))))
        self.assertNotIn(PERSON.encode(), one)


if __name__ == "__main__":
    unittest.main()
