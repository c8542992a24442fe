# SPDX-License-Identifier: Apache-2.0
"""The catalogue, as far as the models of the rules ask for it."""
import json
import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "catalogue", "catalogue.json")
with open(PATH, encoding="utf-8") as _file:
    ROWS = json.load(_file)["rules"]
ORDER = [row["code"] for row in ROWS]  # of reports
JUDGED = {row["code"] for row in ROWS if row.get("text") and not row.get("edit_only")}  # this build finds these
