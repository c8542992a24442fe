# SPDX-License-Identifier: Apache-2.0
"""Requests that a guard called sound and the provider refused, with each library, blocking and not."""

import asyncio
import contextlib
import gzip
import json
import logging
import os
import resource
import stat
import threading
import tracemalloc
import unittest
import zlib

from local import needs_library
from messages_api import MessagesApi
from support import PATIENCE, FakeDaemonTest, eventually, folder, real_daemon
from test_client import OK
from test_guard import BODY, EDITED, LOCAL, UNSAFE, URL, Sent, daemon, each

import turnkeeper
from turnkeeper import Event
from turnkeeper.saved import MOST, Folder

WORDS = b'{"type": "error", "error": {"type": "invalid_request_error", "message": "messages.1: no"}}'
CODE = {"code": "some_rule"}
STREAMED = BODY[:-1] + b', "stream": true}'
LIMIT = 64 << 10  # bytes of a refusal that are read
MISSED = Event("missed", "anthropic", status=400, code="some_rule")


def refusal(side, *chunks, status=400, **headers):
    """The wrapped transport's answer: a body that comes in chunks, once. `answer.closed`: how often it was closed."""
    headers = {"content-type": "application/json", **headers}

    class Body(side.http.SyncByteStream, side.http.AsyncByteStream):
        def __iter__(body):
            answer.begun += 1
            if answer.begun > 1:
                raise RuntimeError("read twice")
            for chunk in chunks:
                if isinstance(chunk, BaseException):
                    raise chunk
                answer.read += len(chunk)
                yield chunk

        async def __aiter__(body):
            for chunk in body:
                yield chunk

        def close(body):
            answer.closed += 1

        async def aclose(body):
            answer.closed += 1

    def answer(request):
        answer.begun = 0
        return side.http.Response(status, headers=headers, stream=Body())

    answer.closed = answer.read = 0
    return answer


class MissTest(FakeDaemonTest):
    def missed(self, side, script, **request):
        """The events of one request, and what was asked of the keeper."""
        before = len(side.told)
        self.response, self.sent = side.ask(script, **request)
        return side.told[before:]

    @staticmethod
    def reports(script):
        return [params for method, params in script.seen if method == "report_miss"]


class Misses(MissTest):
    @each
    def test_which_answers_are_misses(self, side):
        for status in (400, 422):
            script = daemon(report_miss=CODE)
            events = self.missed(side, script, answer=refusal(side, WORDS, status=status))
            self.assertEqual(events, [Event("missed", "anthropic", status=status, code="some_rule")])
            want = {"status": status, "text": WORDS.decode(), "provider": "anthropic"}
            self.assertEqual(self.reports(script), [want])
        for status in (200, 401, 403, 404, 413, 429, 500, 529):
            script = daemon(report_miss=CODE)
            events = self.missed(side, script, answer=refusal(side, WORDS, status=status))
            self.assertEqual((events, self.reports(script)), ([], []))
            self.assertEqual(b"".join(self.response.taken), WORDS)

    @each
    def test_only_what_was_called_sound(self, side):
        bound = {"content-type": "application/json", "content-md5": "0"}
        signed = {"content-type": "application/json", "authorization": "AWS4-HMAC-SHA256 C=x"}
        betas = {"headers": {"anthropic-beta": "x"}, "added_betas": ["x"]}
        looks = {"looks_like": "gemini", "pointer": "/params/request/messages/1"}
        for prepare, request in (
            ((-32001, "unsafe_history", UNSAFE), {"url": URL + "/count_tokens"}),
            ((-32602, "dialect_mismatch", looks), {}),
            ((-32700, "parse_error", {}), {}),
            ((-32011, "busy", {}), {"on_unavailable": "open"}),
            (EDITED, {"url": URL + "/count_tokens", "headers": bound}),  # not edited
            (dict(OK, **betas), {"headers": signed}),  # without the values it needs
            (EDITED, {"url": "http://provider.test/v1/complete"}),
        ):
            script = daemon(prepare, report_miss=CODE)
            events = self.missed(side, script, answer=refusal(side, WORDS), **request)
            self.assertEqual((events, self.reports(script)), ([], []), request)
            self.assertEqual(len(self.sent.seen), 1)

    @each
    def test_a_repaired_request_and_a_count(self, side):
        script = daemon(EDITED, report_miss=CODE)
        events = self.missed(side, script, answer=refusal(side, WORDS), caller="agent-7")
        self.assertEqual([event.kind for event in events], ["repaired", "missed"])
        self.assertEqual([event.caller for event in events], ["agent-7"] * 2)
        self.assertEqual([params["caller"] for params in self.reports(script)], ["agent-7"])
        counting = {"url": URL + "/count_tokens", "answer": refusal(side, WORDS)}
        self.assertEqual(self.missed(side, daemon(report_miss=CODE), **counting), [MISSED])

    @each
    def test_a_stream_that_is_refused(self, side):
        script = daemon(report_miss=CODE)
        answer = refusal(side, WORDS)
        events = self.missed(side, script, content=STREAMED, answer=answer)
        self.assertEqual(events, [MISSED])
        self.assertEqual(b"".join(self.response.taken), WORDS)
        self.assertEqual([m for m, _ in script.seen], ["prepare", "stream.open", "report_miss"])

    @each
    def test_nobody_to_tell(self, side):
        """A daemon counts it all the same. A Local counts for nobody: then the body isn't even read."""
        script = daemon(report_miss=CODE)
        self.missed(side, script, answer=refusal(side, WORDS), on_event=None)
        self.assertEqual(len(self.reports(script)), 1)
        needs_library()
        answer = refusal(side, WORDS)
        transport = side.transport(Sent(side.http, answer).transport, LOCAL, on_event=None)
        side.post(transport, json={"messages": [{"role": "user", "content": "q"}]}, read=False)
        self.assertEqual((answer.read, answer.closed), (0, 1))

    @each
    def test_a_keeper_that_cannot_say(self, side):
        """Older, too busy, of another shape, gone: the event has no code, and the response is the same."""
        for answer in (None, (-32011, "busy", {}), {"code": 7}, {"code": None}):
            script = daemon(report_miss=answer)
            events = self.missed(side, script, answer=refusal(side, WORDS))
            self.assertEqual(events, [Event("missed", "anthropic", status=400)])
            self.assertEqual(b"".join(self.response.taken), WORDS)

        def leaves(params):
            raise OSError

        events = self.missed(side, daemon(report_miss=leaves), answer=refusal(side, WORDS))
        self.assertEqual(events, [Event("missed", "anthropic", status=400)])

    @each
    def test_an_older_daemon_is_asked_once(self, side):
        script = daemon(report_miss=None)
        sent = Sent(side.http, refusal(side, WORDS))
        transport = side.transport(sent.transport, side.daemon(script))
        for _ in range(2):
            side.post(transport, content=BODY)
        self.assertEqual(len(self.reports(script)), 1)
        self.assertEqual(len(side.told), 2)


class Bodies(MissTest):
    """Whoever made the request gets what the provider sent, as it was sent."""

    def exchanged(self, side, answer, **request):
        self.script = daemon(report_miss=CODE)
        self.events = self.missed(side, self.script, answer=answer, **request)
        return self.response

    def said(self):
        (report,) = self.reports(self.script)
        return report["text"]

    @each
    def test_chunks_and_headers(self, side):
        for chunks in ((WORDS,), (WORDS[:5], b"", WORDS[5:]), [WORDS[n : n + 1] for n in range(len(WORDS))]):
            answer = refusal(side, *chunks, **{"request-id": "req_1"})
            response = self.exchanged(side, answer)
            self.assertEqual(response.status_code, 400)
            self.assertEqual(response.headers["request-id"], "req_1")
            self.assertEqual(response.taken, [chunk for chunk in chunks if chunk])
            self.assertEqual(self.said(), WORDS.decode())
            self.assertGreater(answer.closed, 0)

    @each
    def test_no_more_than_the_limit_is_read(self, side):
        chunk = b"\xc3\xa9" * 5000
        answer = refusal(side, b"x", *[chunk] * 20)  # the limit is within a character
        response = self.exchanged(side, answer, read=False)
        self.assertLess(answer.read, LIMIT + len(chunk))
        self.assertEqual(self.said(), "x" + "é" * ((LIMIT - 1) // 2))
        response = self.exchanged(side, refusal(side, b"x", *[chunk] * 20))
        self.assertEqual(b"".join(response.taken), b"x" + chunk * 20)

    @each
    def test_compressed(self, side):
        for coding, pack in (("gzip", gzip.compress), ("deflate", zlib.compress)):
            packed = pack(WORDS)
            response = self.exchanged(side, refusal(side, packed, **{"content-encoding": coding}))
            self.assertEqual(b"".join(response.taken), WORDS)
            self.assertEqual(self.said(), WORDS.decode())

    @each
    def test_much_in_few_bytes(self, side):
        """Of 64 MiB that have 64 KiB when they are compressed, only what is said is decoded."""
        large = gzip.compress(b"a" * (64 << 20))
        answer = refusal(side, large, **{"content-encoding": "gzip"})
        tracemalloc.start()
        try:
            self.exchanged(side, answer, read=False)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        self.assertEqual(self.said(), "a" * LIMIT)
        self.assertLess(most, 8 << 20)

    @each
    def test_a_coding_that_is_none(self, side):
        answer = refusal(side, b"no gzip", **{"content-encoding": "gzip"})
        with self.assertRaises(side.http.DecodingError):  # as without the guard
            self.exchanged(side, answer)
        (event,) = side.told
        self.assertEqual((event.kind, event.code), ("missed", None))

    @each
    def test_nothing_and_what_is_no_text(self, side):
        response = self.exchanged(side, refusal(side))
        self.assertEqual(b"".join(response.taken), b"")
        self.assertEqual(self.events, [Event("missed", "anthropic", status=400)])
        self.assertEqual(self.reports(self.script), [])
        self.exchanged(side, refusal(side, b"\xff\xfe: no"))
        self.assertEqual(self.said(), ": no")

    @each
    def test_a_body_that_the_transport_has_read(self, side):
        plain = refusal(side, WORDS)

        async def awaited(request):
            response = plain(request)
            await response.aread()
            return response

        def answer(request):
            if side.waiting:
                return awaited(request)
            response = plain(request)
            response.read()
            return response

        response = self.exchanged(side, answer)
        self.assertEqual(response.content, WORDS)
        self.assertEqual((self.events, self.said()), ([MISSED], WORDS.decode()))

    @each
    def test_the_providers_connection_breaks(self, side):
        """Whoever reads gets what came, and then the very error."""
        broken = side.http.ReadError("reset")
        taken = []
        sent = Sent(side.http, refusal(side, b"messages.1: ", broken))
        transport = side.transport(sent.transport, side.daemon(daemon(report_miss=CODE)))

        async def main():
            async with side.http.AsyncClient(transport=transport) as client:
                async with client.stream("POST", URL, content=BODY) as response:
                    async for chunk in response.aiter_raw():
                        taken.append(chunk)

        with self.assertRaises(side.http.ReadError) as caught:
            if side.waiting:
                asyncio.run(main())
            else:
                with side.http.Client(transport=transport) as client:
                    with client.stream("POST", URL, content=BODY) as response:
                        for chunk in response.iter_raw():
                            taken.append(chunk)
        self.assertIs(caught.exception, broken)
        self.assertEqual((taken, side.told), ([b"messages.1: "], [MISSED]))

    @each
    def test_interrupted(self, side):
        """A request that is given up meanwhile leaves no connection open."""
        answer = refusal(side, b"messages.1: ", KeyboardInterrupt())
        with self.assertRaises(KeyboardInterrupt):
            self.exchanged(side, answer)
        self.assertEqual((answer.closed, side.told), (1, []))

    @each
    def test_cancelled(self, side):
        """The same while the provider doesn't go on."""
        if not side.waiting:
            return
        closed = []

        class Body(side.http.AsyncByteStream):
            async def __aiter__(body):
                yield b"messages.1: "
                await asyncio.sleep(PATIENCE)

            async def aclose(body):
                closed.append(True)

        async def main():
            sent = Sent(side.http, lambda request: side.http.Response(400, stream=Body()))
            transport = side.transport(sent.transport, side.daemon(daemon(report_miss=CODE)))
            async with side.http.AsyncClient(transport=transport) as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.post(URL, content=BODY), 0.2)

        asyncio.run(main())
        self.assertEqual((closed, side.told), ([True], []))


class Saved(MissTest):
    """The redacted requests in a folder of the user's. The keeper's answer is what the file has."""

    HIDDEN = {"messages": [{"role": "user", "content": "z"}]}

    def setUp(self):
        self.folder = self.enterContext39(folder())

    def script(self, prepare=None, **methods):
        methods = {"report_miss": CODE, "redact": {"request": self.HIDDEN}, **methods}
        return daemon(prepare, **methods) if prepare else daemon(**methods)

    def saving(self, side, script, **request):
        answer = refusal(side, WORDS)
        events = self.missed(side, script, answer=answer, save_misses=self.folder, **request)
        self.assertEqual(b"".join(self.response.taken), WORDS)
        return events

    @each
    def test_a_file(self, side):
        script = self.script(EDITED)
        _, event = self.saving(side, script, caller="agent-7")
        self.assertEqual((event.kind, event.code), ("missed", "some_rule"))
        self.assertEqual(os.path.dirname(event.saved), os.path.abspath(self.folder))
        self.assertRegex(os.path.basename(event.saved), r"^miss-[0-9a-f]{16}\.json$")
        self.assertEqual(stat.S_IMODE(os.stat(event.saved).st_mode), 0o600)
        with open(event.saved, encoding="utf-8") as text:
            found = json.load(text)
        about = {"provider": "anthropic", "status": 400, "code": "some_rule"}
        self.assertEqual(found, dict(about, request=self.HIDDEN))
        ((_, params),) = [seen for seen in script.seen if seen[0] == "redact"]
        left = json.loads(self.sent.bodies[0])  # the request as it was repaired
        self.assertEqual(params, {"request": left, "caller": "agent-7"})

    @each
    def test_only_misses(self, side):
        for script, answer in (
            (self.script(EDITED), refusal(side, WORDS, status=200)),
            (self.script((-32001, "unsafe_history", UNSAFE)), refusal(side, WORDS)),
        ):
            self.missed(side, script, answer=answer, save_misses=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    @each
    def test_without_a_redacted_request_there_is_no_file(self, side):
        """The keeper is older, or can't: the log says so, and nothing else changes."""
        before = os.listdir(self.folder)
        for answer in (None, (-32011, "busy", {}), {"request": 7}):
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                events = self.saving(side, self.script(redact=answer))
            self.assertEqual(events, [MISSED])
            self.assertIn("a miss isn't saved", logged.output[0])
        self.assertEqual(os.listdir(self.folder), before)

    @each
    def test_a_folder_that_went_away(self, side):
        path = os.path.join(self.folder, "own")
        os.mkdir(path)
        sent = Sent(side.http, refusal(side, WORDS))
        socket = side.daemon(self.script())
        transport = side.transport(sent.transport, socket, save_misses=path)
        os.rmdir(path)
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            side.post(transport, content=BODY)
        self.assertEqual(side.told, [MISSED])
        self.assertIn("No such file or directory", logged.output[0])

    @each
    def test_a_relative_path(self, side):
        """It is that of the folder in which the program was when it made the guard."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(os.path.dirname(os.path.abspath(self.folder)))
        sent = Sent(side.http, refusal(side, WORDS))
        named = os.path.basename(self.folder)
        transport = side.transport(sent.transport, side.daemon(self.script()), save_misses=named)
        os.chdir("/")
        side.post(transport, content=BODY)
        (event,) = side.told
        self.assertTrue(os.path.exists(os.path.join(self.folder, os.path.basename(event.saved))))

    @each
    def test_a_file_that_cannot_be_written(self, side):
        """As on a full disk: half a file isn't left."""
        before = os.listdir(self.folder)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            events = self.saving(side, self.script())
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.assertEqual((events, os.listdir(self.folder)), ([MISSED], before))
        self.assertIn("File too large", logged.output[0])

    @each
    def test_a_full_folder(self, side):
        """The last place is taken; then the log says once that there is none, and nothing is redacted."""
        path = self.enterContext39(folder())
        for n in range(MOST - 1):
            with open(os.path.join(path, "miss-%d.json" % n), "w"):
                pass
        script = self.script()
        sent = Sent(side.http, refusal(side, WORDS))
        transport = side.transport(sent.transport, side.daemon(script), save_misses=path)
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            for _ in range(3):
                side.post(transport, content=BODY)
        self.assertEqual([event.saved is not None for event in side.told], [True, False, False])
        self.assertEqual(len(os.listdir(path)), MOST)
        (line,) = logged.output
        self.assertIn("no more misses are saved", line)
        self.assertEqual(len([m for m, _ in script.seen if m == "redact"]), 1)

    def test_threads_that_fill_a_folder(self):
        """However many write at once: no more files than it may have, and each path that is told is there."""
        saved, start = Folder(self.folder), threading.Barrier(8)
        paths = []

        def write():
            start.wait()
            paths.extend(saved.write({"n": n}) for n in range(20))

        threads = [threading.Thread(target=write) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        there = {os.path.join(os.path.abspath(self.folder), name) for name in os.listdir(self.folder)}
        self.assertEqual({path for path in paths if path}, there)
        self.assertLessEqual(len(there), MOST)
        self.assertGreater(len(there), MOST - 8)

    @each
    def test_options(self, side):
        file = os.path.join(self.folder, "file")
        with open(file, "w"):
            pass
        for wrong, error in ((file, ValueError), (file + "s", ValueError), (7, TypeError)):
            with self.assertRaises(error) as caught:
                side.transport(Sent(side.http).transport, "/nowhere/s", save_misses=wrong)
            if error is ValueError:
                self.assertIn("save_misses: no such folder: " + wrong, str(caught.exception))


# -- With the rules themselves ---------------------------------------------------------------

SECRETS = ("Anna Schmidtke", "toolu_S3cretS3cret", "hunter2-hunter2", "b1BzaWduZWQ")
SECRET, IDENT, PASSWORD, SIGNATURE = SECRETS
NAMES = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each "
    "`tool_use` block must have a corresponding `tool_result` block in the next message."
)


class Everything(logging.Handler):
    """Keeps the text of every line of the log, down to DEBUG."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


class Real(FakeDaemonTest):
    """With the real daemon. `socket`: of the daemon."""

    @classmethod
    def setUpClass(cls):
        cls.real = real_daemon(log_level="debug", log_repairs="all")
        cls.addClassCleanup(cls.real.stop)
        cls.socket = cls.real.socket

    def keeper(self):
        return turnkeeper.Client(self.socket, timeout=30)

    @contextlib.contextmanager
    def counts(self, code, more):
        """What is done in it makes the daemon count so many more misses of a code."""
        with self.keeper() as keeper:
            before = keeper.stats().misses.get(code, 0)
            yield
            self.assertEqual(keeper.stats().misses.get(code, 0), before + more)

    def daemons_log(self):
        """All of it, once the last call of a miss is in it."""
        self.assertTrue(eventually(lambda: "method=redact" in self.real.log()))
        return self.real.log()

    def listen(self):
        log, heard = logging.getLogger("turnkeeper"), Everything()
        level, log.level = log.level, logging.DEBUG
        log.addHandler(heard)
        self.addCleanup(log.removeHandler, heard)
        self.addCleanup(setattr, log, "level", level)
        return heard

    @each
    def test_words_of_a_rule(self, side):
        words = (NAMES % "toolu_1").encode()
        with self.counts("tool_use_without_result", 2):
            for stream in (False, True):
                body = {"messages": [{"role": "user", "content": "q"}], "stream": stream}
                transport = side.transport(Sent(side.http, refusal(side, words)).transport, self.socket)
                side.post(transport, json=body)
        want = Event("missed", "anthropic", status=400, code="tool_use_without_result")
        self.assertEqual(side.told, [want, want])

    @each
    def test_words_of_no_rule(self, side):
        sent = Sent(side.http, refusal(side, b'{"message": "The moon is too close."}', status=422))
        transport = side.transport(sent.transport, self.socket)
        with self.counts("none", 1):
            side.post(transport, json={"messages": [{"role": "user", "content": "q"}]})
        self.assertEqual(side.told, [Event("missed", "anthropic", status=422)])

    @each
    def test_a_turn_that_was_reordered(self, side):
        """Without seals only the provider sees it."""
        thinking = [{"type": "thinking", "thinking": t, "signature": t} for t in ("b25l", "dHdv")]
        calls = [{"type": "tool_use", "id": "toolu_" + n, "name": "f", "input": {}} for n in "12"]
        turn = {"content": [thinking[0], calls[0], thinking[1], calls[1]], "stop_reason": "tool_use"}
        results = [{"type": "tool_result", "tool_use_id": c["id"], "content": "r"} for c in calls]
        first = [{"role": "user", "content": "q"}]
        again = [{"role": "assistant", "content": thinking + calls}, {"role": "user", "content": results}]
        for stream in (False, True):
            with MessagesApi(turn) as api:
                inner = side.http.AsyncHTTPTransport if side.waiting else side.http.HTTPTransport
                side.told.clear()
                for messages in (first, first + again):
                    transport = side.transport(inner(verify=False), self.socket, seals=False)
                    body = {"model": "m", "max_tokens": 9, "messages": messages, "stream": stream}
                    response = side.post(transport, api.url + "/v1/messages", json=body)
                self.assertEqual(response.status_code, 400)
                words = b"".join(response.taken).decode()
                self.assertIn("must remain as they were", words)
                with self.keeper() as keeper:
                    code = keeper.explain(words, provider="anthropic").best.code
                self.assertEqual(side.told, [Event("missed", "anthropic", status=400, code=code)])

    @each
    def test_openai(self, side):
        body = {"model": "gpt-5", "messages": [{"role": "user", "content": SECRET}]}
        words = b'{"error": {"message": "Invalid \'messages[0].name\'", "type": "invalid_request_error"}}'
        with folder() as path:
            sent = Sent(side.http, refusal(side, words))
            transport = side.transport(sent.transport, self.socket, save_misses=path)
            side.post(transport, "http://api.openai.com/v1/chat/completions", json=body)
            (event,) = side.told
            self.assertEqual((event.kind, event.provider), ("missed", "openai-chat"))
            with open(event.saved, encoding="utf-8") as text:
                found = text.read()
        self.assertNotIn(SECRET, found)
        self.assertEqual(json.loads(found)["provider"], "openai-chat")

    @each
    def test_no_secret_leaves(self, side):
        """Neither the history nor the provider's words, which quote it, are in events, logs and files."""
        call = {"type": "tool_use", "id": IDENT, "name": "f", "input": {"password": PASSWORD}}
        orphan = {"type": "server_tool_use", "id": "srv" + IDENT, "name": "web_search", "input": {}}
        thinking = {"type": "thinking", "thinking": SECRET, "signature": SIGNATURE}
        repaired = [
            {"role": "user", "content": SECRET},
            {"role": "assistant", "content": [call, orphan]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": IDENT, "content": SECRET}]},
        ]
        result = {"type": "web_search_tool_result", "tool_use_id": orphan["id"], "content": []}
        unsafe = [
            {"role": "user", "content": SECRET},
            {"role": "assistant", "content": [thinking, result]},  # signed: nothing in it may be edited
            {"role": "user", "content": PASSWORD},
        ]
        words = " ".join([NAMES % IDENT, *SECRETS]).encode()
        heard = self.listen()
        with folder() as path:
            sent = Sent(side.http, refusal(side, words))
            transport = side.transport(sent.transport, self.socket, save_misses=path)
            for messages in (repaired, unsafe):
                side.post(transport, json={"model": "m", "messages": messages, "max_tokens": 9})
            kinds = [event.kind for event in side.told]
            self.assertEqual(kinds, ["repaired", "missed", "refused"])
            with open(side.told[1].saved, encoding="utf-8") as text:
                saved = text.read()
        self.assertIn("tool_use_without_result", saved)
        left = json.loads(sent.bodies[0])
        self.assert_judged_alike(left, json.loads(saved)["request"])
        told = "".join(map(repr, side.told)) + "".join(heard.lines) + saved + self.daemons_log()
        for secret in SECRETS:
            self.assertNotIn(secret, told)

    def assert_judged_alike(self, left, saved):
        with self.keeper() as keeper:
            reports = [keeper.validate(document) for document in (left, saved)]
        found = [[(v.code, v.pointer) for v in report.violations] for report in reports]
        self.assertEqual(found[0], found[1])


class RealLocal(Real):
    """The same with the library in process, which counts for nobody."""

    @classmethod
    def setUpClass(cls):
        needs_library()
        cls.socket = LOCAL

    def keeper(self):
        return turnkeeper.Local(timeout=30)

    def counts(self, code, more):
        return contextlib.nullcontext()

    def daemons_log(self):
        return ""


if __name__ == "__main__":
    unittest.main()
