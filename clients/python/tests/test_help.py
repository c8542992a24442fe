# SPDX-License-Identifier: Apache-2.0
"""What help() says: each public method names its parameters, and what it raises."""

import inspect
import unittest

import support  # noqa: F401

import turnkeeper
from turnkeeper import describe, params

KINDS = (
    turnkeeper.Client,
    turnkeeper.AsyncClient,
    turnkeeper.Local,
    turnkeeper.AsyncLocal,
    turnkeeper.Stream,
    turnkeeper.AsyncStream,
)
TAKES = {
    "validate": params.ValidateParams,
    "repair": params.RepairParams,
    "repair_body": params.RepairParams,
    "repair_turn": params.TurnParams,
    "fit": params.FitParams,
    "seal": params.SealParams,
    "splice": params.SpliceParams,
    "tools": params.ToolsParams,
    "prepare": params.PrepareParams,
    "prepare_body": params.PrepareParams,
    "pair": params.PairParams,
    "stream": params.StreamParams,
    "detect": params.MissParams,
    "explain": params.ExplainParams,
    "report_miss": params.MissParams,
    "redact": params.RedactParams,
    "ping": params.PingParams,
}


def methods():
    for kind in KINDS:
        for name, method in inspect.getmembers(kind, callable):
            if not name.startswith("_"):
                yield kind, name, method


def parameters(name, method):
    """All that a caller may give it, those in `**` by the type that they have."""
    found = inspect.signature(method).parameters.values()
    for parameter in found:
        if parameter.kind is parameter.VAR_KEYWORD:
            yield from TAKES[name].__annotations__
        elif parameter.name != "self":
            yield parameter.name


class Help(unittest.TestCase):
    def test_every_parameter(self):
        for kind, name, method in methods():
            with self.subTest(kind=kind.__name__, method=name):
                lines = inspect.getdoc(method).splitlines()
                for parameter in parameters(name, method):
                    told = [line.split() for line in lines if line.startswith("  " + parameter + " ")]
                    self.assertEqual(len(told), 1, parameter)
                    self.assertGreater(len(told[0]), 2, parameter)

    def test_what_is_raised(self):
        for kind, name, method in methods():
            if name != "close":
                with self.subTest(kind=kind.__name__, method=name):
                    text = inspect.getdoc(method).partition("Raises:\n")[2]
                    self.assertIn("TransportError", text)
        self.assertIn("UnsafeHistory", turnkeeper.Client.repair.__doc__)
        self.assertNotIn("UnsafeHistory", turnkeeper.Client.validate.__doc__)

    def test_what_is_given_back(self):
        """The result itself: that it is a call until a client runs it is nobody's business."""
        for kind in (turnkeeper.Client, turnkeeper.AsyncClient):
            given = inspect.signature(kind.repair).return_annotation
            self.assertEqual(given, "Repaired")

    def test_every_error_is_one(self):
        for name in describe.ERRORS:
            self.assertTrue(issubclass(getattr(turnkeeper, name), turnkeeper.TurnkeeperError))

    def test_no_word_for_what_is_no_parameter(self):
        used = {p for _, name, method in methods() for p in parameters(name, method)}
        self.assertEqual(set(describe.OWN) - used, set())

    def test_units(self):
        self.assertIn("milliseconds", describe.HELP["timeout_ms"])
        self.assertIn("seconds", describe.OWN["timeout"])
        self.assertIn("bytes", describe.HELP["max_buffer"])

    def test_options_of_the_client(self):
        options = inspect.signature(turnkeeper.Client.__init__).parameters
        for kind in (turnkeeper.Client, turnkeeper.AsyncClient):
            for name in options:
                self.assertTrue(name == "self" or "\n    %s " % name in kind.__doc__, name)

    def test_the_table_is_what_the_functions_take(self):
        """TAKES is this test's; mypy holds the functions against the types."""
        for name, takes in TAKES.items():
            if name == "ping":  # which sends back whatever it is given
                continue
            build = getattr(turnkeeper.Client, name)
            self.assertIn(takes.__name__, str(inspect.signature(build)), name)


if __name__ == "__main__":
    unittest.main()
