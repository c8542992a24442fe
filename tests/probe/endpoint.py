# SPDX-License-Identifier: Apache-2.0
"""Sends a request to a provider, or to a server that copies its API, with the user's key.

A rate limit (429), a failure of the server (5xx), a connection that is cut and one that says nothing are tried again, later and
later, or when the server's Retry-After says. The key is sent to no other host, so redirections aren't followed, and unencrypted only to
this machine.
"""
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request

import cost
import words

BASES = {"anthropic": "https://api.anthropic.com", "openai-chat": "https://api.openai.com",
         "openai-responses": "https://api.openai.com"}
PATHS = {"anthropic": "/v1/messages", "openai-chat": "/v1/chat/completions", "openai-responses": "/v1/responses"}
COUNT_TOKENS = "/v1/messages/count_tokens"
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai-chat": "OPENAI_API_KEY", "openai-responses": "OPENAI_API_KEY"}
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")

LONGEST_WAIT = 60  # seconds between two tries
LARGEST_ANSWER = 1 << 20  # bytes
AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529}


class Unusable(Exception):
    """The endpoint can't be asked at all: no rule can be probed there."""


class Answer:
    """kind: "taken", "refused" (text: its words) or "failed" (text: why there is no answer). body: the decoded JSON."""

    def __init__(self, kind, text="", status=0, body=None):
        self.kind, self.text, self.status, self.body = kind, text, status, body


class NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def checked_url(url):
    """Returns the base URL without a slash at its end. Raises Unusable if the key would be sent unencrypted."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Unusable("--endpoint takes a URL that begins with https://")
    if parts.scheme == "http" and parts.hostname not in THIS_MACHINE:
        raise Unusable("--endpoint: http:// would send the key unencrypted; only this machine may be asked so")
    return url.rstrip("/")


def said(data):
    """Returns the error's words in an answer, and its code."""
    try:
        error = json.loads(data)["error"]
        return str(error["message"]), str(error.get("code") or error.get("type") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return data.decode("utf-8", "replace"), ""


class Endpoint:
    """keys: provider -> key; base: None for the providers' own; tries, wait, timeout: how often, seconds before the second try, and
    seconds for one; budget: of cost.py."""

    def __init__(self, keys, budget, base=None, tries=6, wait=1.0, timeout=60.0):
        self.keys, self.budget, self.tries, self.wait, self.timeout = keys, budget, tries, wait, timeout
        self.base = checked_url(base) if base else None
        self.opener = urllib.request.build_opener(NoRedirection)

    def url(self, asked, path):
        base = self.base or BASES[asked.provider]
        return base + (path[len("/v1"):] if base.endswith("/v1") else path)

    def headers(self, asked):
        key = self.keys[asked.provider]
        headers = {"content-type": "application/json", "user-agent": "turnkeeper-probe"}
        if asked.provider != "anthropic":
            return dict(headers, authorization="Bearer " + key)
        headers.update({"x-api-key": key, "anthropic-version": "2023-06-01"})
        return dict(headers, **{"anthropic-beta": ",".join(asked.betas)} if asked.betas else {})

    def ask(self, asked):
        """Asks for an answer, of one token where that is enough. Returns an Answer. Raises cost.UsedUp, Unusable."""
        self.budget.reserve(asked)
        answer = self.post(asked, PATHS[asked.provider], asked.text)
        if answer.kind == "taken":
            self.budget.spent += cost.charged(asked, answer.body)
        return answer

    def count(self, asked):
        """Asks Anthropic's count_tokens, which costs nothing. Returns an Answer."""
        body = json.loads(asked.text)
        body.pop("max_tokens", None)
        return self.post(asked, COUNT_TOKENS, json.dumps(body).encode())

    def post(self, asked, path, text):
        request = urllib.request.Request(self.url(asked, path), text, self.headers(asked), method="POST")
        for number in range(self.tries):
            status, headers, data = self.exchange(request)
            if status and not self.is_passing(status, data):
                return self.answer(asked, status, data)
            if number + 1 < self.tries:
                time.sleep(self.pause(number, headers))
        why = "status %d" % status if status else data.decode()
        return Answer("failed", "%s after %d tries" % (why, self.tries), status)

    @staticmethod
    def is_passing(status, data):
        """True if the same request may be answered later. An account without credit gets a 429, too."""
        return status in AGAIN and not (status == 429 and "insufficient_quota" in said(data))

    def pause(self, number, headers):
        try:
            wanted = float(headers.get("retry-after", ""))
        except ValueError:
            wanted = self.wait * 2 ** number * random.uniform(0.75, 1.25)
        return min(max(wanted, 0), LONGEST_WAIT)

    def exchange(self, request):
        """Returns (status, headers, body); (0, {}, what happened) if there is no whole answer."""
        end = time.monotonic() + self.timeout
        try:
            with self.opener.open(request, timeout=self.timeout) as answer:
                return answer.status, answer.headers, self.read(answer, end)
        except urllib.error.HTTPError as refused:
            with refused:
                try:
                    return refused.code, refused.headers, self.read(refused, end)
                except (OSError, http.client.HTTPException):
                    return 0, {}, b"a cut answer"
        except TimeoutError:
            return 0, {}, b"no answer"
        except urllib.error.URLError as why:
            return 0, {}, b"no answer" if isinstance(why.reason, TimeoutError) else b"no connection"
        except (OSError, http.client.HTTPException):
            return 0, {}, b"a cut answer"

    @staticmethod
    def read(answer, end):
        """Returns the body. Raises TimeoutError if it isn't whole at `end`, IncompleteRead if it is cut."""
        pieces, size = [], 0
        while size < LARGEST_ANSWER:
            piece = answer.read1(1 << 16)
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
            if time.monotonic() > end:
                raise TimeoutError()
        if answer.length:
            raise http.client.IncompleteRead(b"")
        return b"".join(pieces)

    def answer(self, asked, status, data):
        if 200 <= status < 300:
            return self.taken(status, data)
        text, code = said(data)
        text = text.replace(self.keys[asked.provider], "[key]")
        if status in (401, 403):
            raise Unusable("the endpoint refuses the key of %s (status %d)" % (KEYS[asked.provider], status))
        if status == 402 or code == "insufficient_quota":
            raise Unusable("the account of %s has no credit (status %d)" % (KEYS[asked.provider], status))
        if 300 <= status < 400:
            raise Unusable("the endpoint answers with a redirection (status %d), which isn't followed" % status)
        return Answer("taken" if words.was_taken(text) else "refused", text, status)

    @staticmethod
    def taken(status, data):
        try:
            body = json.loads(data)
        except ValueError:
            return Answer("failed", "an answer that isn't JSON", status)
        if isinstance(body, dict) and body.get("status") == "failed":  # Responses
            return Answer("refused", str((body.get("error") or {}).get("message")), status, body)
        return Answer("taken", status=status, body=body)
