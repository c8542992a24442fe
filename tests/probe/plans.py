# SPDX-License-Identifier: Apache-2.0
"""Plans: the requests for each row of the catalogue: its example and its nearest sound neighbour, or why it can't be asked.

The example is the catalogue's, else that of written.json. The neighbour is the example after the edits of written.json, else after
`turnkeeper repair`. Rows about thinking have recipes (signed.py). Both requests are shown to turnkeeper before they are
sent: it must find the rule in the example, and no error in the neighbour.

A row of written.json may have `why_not` (it isn't asked), `example`, `model`, `betas`, `both` (edits of the example itself: `drop`
and `set` of filled.py), `drop` and `set` (edits that make the neighbour of it), `neighbour_betas`, `only` (asked.py), and `accepted` for a row that says that the provider takes the example.
"""
import json
import os

import judge
import signed
from asked import MODELS, OWN_ENDPOINT, ROOT, Asked, limited, with_raw_messages
from filled import edited, filled

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PROVIDERS = tuple(MODELS)


def rows():
    """Returns the catalogue's rows of all providers, in its order."""
    with open(os.path.join(TOP, "src", "catalogue", "catalogue.json"), encoding="utf-8") as text:
        return json.load(text)["rules"]


def written():
    with open(os.path.join(HERE, "written.json"), encoding="utf-8") as text:
        return json.load(text)


class NotTestable(Exception):
    """Says why a row can't be asked."""


class Plan:
    """example, neighbour: Asked, None until a signed turn is there; recipe: of signed.py, or None; first: the Asked that asks for
    that turn; accepted: the row says that the provider takes the example."""

    def __init__(self, row, accepted=False):
        self.row, self.accepted = row, accepted
        self.example = self.neighbour = self.recipe = self.first = None

    def requests(self):
        return [asked for asked in (self.first, self.example, self.neighbour) if asked]


class Planner:
    """target: None for the providers' own endpoints, "compatible" for a server that copies their API; model: None, or what the user
    chose in place of the default models."""

    def __init__(self, target=None, model=None):
        self.target, self.model, self.written = target, model, written()

    def plan(self, row):
        """Returns the row's Plan. Raises NotTestable."""
        note = self.written.get(row["code"], {})
        self.refuse_rows_without_requests(row, note)
        self.refuse_other_endpoints(row)
        plan = Plan(row, bool(note.get("accepted")) or row["code"] == "thinking_model_mismatch")
        if row["code"] in signed.RECIPES:
            plan.recipe = signed.RECIPES[row["code"]]
            model = self.model_for(row, {"model": plan.recipe.model})
            plan.first = self.asked(row, model, signed.question(plan.recipe, row["provider"]))
            return plan
        plan.example = self.example(row, note)
        self.check_example(plan)
        plan.neighbour = self.neighbour(note, plan.example)
        self.check_neighbour(plan)
        return plan

    def with_turn(self, plan, answer):
        """Returns a Plan with the requests made of the signed turn. Raises NotTestable."""
        row, recipe = plan.row, plan.recipe
        first = json.loads(plan.first.text)
        made = Plan(row, plan.accepted)
        try:
            damaged, sound = signed.bodies(recipe, first, answer)
            options = signed.options(recipe, first, answer)
        except signed.Unfit as why:
            raise NotTestable(str(why)) from None
        except (KeyError, TypeError, AttributeError, IndexError):
            raise NotTestable("the model's turn hasn't the form of the API") from None
        model = self.model or recipe.next_model or plan.first.model
        made.example = self.asked(row, model, damaged, judged_with=options)
        self.check_example(made)
        made.neighbour = self.asked(row, model, sound)
        self.check_neighbour(made)
        return made

    # -- What can't be asked --

    def refuse_rows_without_requests(self, row, note):
        if row["provider"] not in PROVIDERS:
            raise NotTestable("turnkeeper doesn't judge histories of this provider")
        if row.get("edit_only"):
            raise NotTestable("names an edit that the client's policy asks for; nothing is refused")
        if "why_not" in note:
            raise NotTestable(note["why_not"])

    def refuse_other_endpoints(self, row):
        endpoint = self.endpoint(row)
        wanted = (row["applies_to"] or {}).get("endpoints")
        if wanted and endpoint not in wanted:
            raise NotTestable("holds only for endpoints that are " + " or ".join(wanted))

    # -- Requests --

    def endpoint(self, row):
        return self.target or OWN_ENDPOINT[row["provider"]]

    def model_for(self, row, note):
        """Returns the model that a row is asked of. On an own endpoint a row that holds for some models names one."""
        named = note.get("model") or ((row["example"] or {}).get("target") or {}).get("model")
        return (None if self.target else named) or self.model or MODELS[row["provider"]]

    def asked(self, row, model, body, **more):
        endpoint = self.endpoint(row)
        text = json.dumps(limited(row["provider"], endpoint, model, body)).encode()
        return Asked(row["provider"], endpoint, model, text, **more)

    def example(self, row, note):
        given = note.get("example") or row["example"]
        if not given:
            raise NotTestable("has no example")
        model = self.model_for(row, note)
        more = {"betas": note.get("betas", given.get("betas", [])), "only": note.get("only"),
                "judged_with": {name: given[name] for name in ("policy", "provenance") if name in given}}
        if "__raw_messages__" in given:
            text = with_raw_messages(row["provider"], self.endpoint(row), model, given["__raw_messages__"])
            return Asked(row["provider"], self.endpoint(row), model, text, **more)
        root = ROOT[row["provider"]]
        body = filled(given if "example" in note else given.get("request") or {root: given[root]})
        return self.asked(row, model, edited(body, note.get("both", {})), **more)

    def neighbour(self, note, example):
        edits = {name: note[name] for name in ("drop", "set") if name in note}
        if edits or "neighbour_betas" in note:
            text = json.dumps(edited(json.loads(example.text), edits)).encode()
        else:
            text = judge.repaired(example)
        if not text:
            raise NotTestable("has no sound neighbour: repair reports it only")
        near = example.with_text(text)
        near.betas = note.get("neighbour_betas", example.betas)
        return near

    # -- What turnkeeper says of them --

    @staticmethod
    def check_example(plan):
        """turnkeeper must find the rule, if it judges it at all."""
        if plan.row.get("text"):
            errors, warnings = judge.errors_and_warnings(plan.example)
            if plan.row["code"] not in errors | warnings:
                raise NotTestable("turnkeeper doesn't expect it of %s at this endpoint" % plan.example.model)

    @staticmethod
    def check_neighbour(plan):
        errors, _ = judge.errors_and_warnings(plan.neighbour)
        if errors:
            raise NotTestable("turnkeeper finds its neighbour unsound: " + ", ".join(sorted(errors)))
