# SPDX-License-Identifier: Apache-2.0
"""deploy/prometheus and deploy/grafana: promtool takes them, and each metric and label that they name exists."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from harness import Test, error_name
from monitored import Monitored

TOP = os.environ.get("top_srcdir", ".")
ALERTS = os.path.join(TOP, "deploy", "prometheus", "alerts.yml")
ALERT_TESTS = os.path.join(TOP, "deploy", "prometheus", "alerts_test.yml")
DASHBOARD = os.path.join(TOP, "deploy", "grafana", "turnkeeper.json")
SCHEMA = os.path.join(TOP, "tests", "integration", "dashboard.schema.json")
UNSAFE = os.path.join(TOP, "tests", "histories", "07-signed-turn-fails-closed.json")
# Values for the variables of the dashboard, as Grafana would put them in.
VARIABLES = {"$job": ".*", "$instance": ".*", "$__rate_interval": "5m", "$__range": "6h"}


def text_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def dashboard():
    return json.loads(text_of(DASHBOARD))


def expressions():
    """Those of the dashboard, as Prometheus gets them."""
    board = dashboard()
    found = [a["expr"] for a in board["annotations"]["list"]]
    for panel in board["panels"]:
        found += [t["expr"] for t in panel.get("targets", ())]
    for n, expr in enumerate(found):
        for name, value in VARIABLES.items():
            expr = expr.replace(name, value)
        found[n] = expr
    return found


class Promtool(Test):
    def setUp(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool (Debian's package prometheus) isn't installed")

    def promtool(self, *arguments):
        done = subprocess.run(["promtool", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_rules(self):
        self.assertIn("rules found", self.promtool("check", "rules", "--lint-fatal", ALERTS))

    def test_when_they_fire(self):
        self.promtool("test", "rules", ALERT_TESTS)

    def test_expressions_of_the_dashboard(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as rules:
            rules.write(json.dumps({"groups": [{"name": "dashboard", "rules": [
                {"record": "panel:%d" % n, "expr": expr} for n, expr in enumerate(expressions())]}]}))
            rules.flush()
            self.assertIn("%d rules found" % len(expressions()), self.promtool("check", "rules", rules.name))


class Alerts(Test):
    def test_each_is_tested_both_ways(self):
        """A case in which it fires and one in which it doesn't."""
        names = re.findall(r"(?m)^ +- alert: (\w+)$", text_of(ALERTS))
        self.assertEqual(len(set(names)), len(names))
        cases = re.findall(r"alertname: (\w+)\n +exp_alerts:( \[\])?", text_of(ALERT_TESTS))
        self.assertEqual(sorted(cases), sorted((name, silent) for name in names for silent in ("", " []")))

    def test_each_says_what_to_do(self):
        rules = text_of(ALERTS)
        for word in ("severity: ", "summary: ", "description: "):
            self.assertEqual(rules.count(word), rules.count("- alert: "), word)


class Metrics(Test):
    def test_each_that_is_named_exists(self):
        with Monitored() as d:
            exposed = d.request("/metrics")[2]
        samples = set(re.findall(r"(?m)^(turnkeeper_\w+)", exposed))
        texts = [text_of(ALERTS), text_of(ALERT_TESTS), *expressions(), json.dumps(dashboard()["templating"])]
        named = {name for text in texts for name in re.findall(r"\bturnkeeper_\w+", text)}
        self.assertGreater(len(named), 20)
        self.assertEqual(named - samples, set())

    def test_each_label_and_value_that_is_named_exists(self):
        with Monitored() as d, d.connect() as c:
            self.assertEqual(error_name(c.call("repair", request=json.loads(text_of(UNSAFE))["request"])), "unsafe_history")
            exposed = d.request("/metrics")[2]
        for text in [text_of(ALERTS), text_of(ALERT_TESTS), *expressions()]:
            for metric, labels in re.findall(r"\b(turnkeeper_\w+)\{([^}]*)\}", text):
                for label, operator, value in re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', labels):
                    if label not in ("job", "instance"):
                        self.assertLabel(exposed, metric, label, value.split("|") if "~" in operator else [value])

    def assertLabel(self, exposed, metric, label, values):
        existing = set(re.findall(r'(?m)^%s\{(?:[^}]*,)?%s="([^"]*)"' % (metric, label), exposed))
        self.assertLessEqual(set(values) - ({"0.5", "1"} if label == "le" else set()), existing, (metric, label))


class Dashboard(Test):
    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("the Python package jsonschema isn't installed")
        schema = json.loads(text_of(SCHEMA))
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = ["%s: %s" % (e.json_path, e.message) for e in jsonschema.Draft202012Validator(schema).iter_errors(dashboard())]
        self.assertEqual(errors, [])

    def test_panels_have_places_of_their_own(self):
        taken, ids = set(), set()
        for panel in dashboard()["panels"]:
            grid = panel["gridPos"]
            cells = {(x, y) for x in range(grid["x"], grid["x"] + grid["w"]) for y in range(grid["y"], grid["y"] + grid["h"])}
            self.assertEqual(cells & taken, set(), panel["title"])
            self.assertTrue(all(x < 24 for x, _ in cells), panel["title"])
            self.assertNotIn(panel["id"], ids)
            taken |= cells
            ids.add(panel["id"])

    def test_variables_that_are_used_are_defined(self):
        board = dashboard()
        defined = {v["name"] for v in board["templating"]["list"]}
        used = set(re.findall(r"\$\{?([A-Za-z_]\w*)", json.dumps(board)))
        self.assertEqual({name for name in used if not name.startswith("__")}, defined)
