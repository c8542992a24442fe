#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The models of OpenAI's rules find what the catalogue's examples expect."""
import json
import unittest

import catalogue_rows
import model_openai

PROVIDERS = ("openai-chat", "openai-responses")


class Examples(unittest.TestCase):
    """Every example of the catalogue, as the model judges it."""


def add(row):
    def verdict(self):
        example = row["example"]
        found = [[code, message, part] for code, _, message, part in model_openai.findings(row["provider"], example)]
        self.assertEqual(sorted(map(json.dumps, found)), sorted(map(json.dumps, row["expect"])))
    setattr(Examples, "test_" + row["code"], verdict)


for _row in catalogue_rows.ROWS:
    if _row["provider"] in PROVIDERS and _row["example"]:
        add(_row)

if __name__ == "__main__":
    unittest.main()
