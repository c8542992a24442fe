#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation is true of the tree: its links, packages and pinned releases; which codes of the catalogue
this release lacks; and that `make install` installs it.
"""
import json
import os
import re
import subprocess
import tempfile
import unittest

from tree import TOP, files, text  # next to this file

SDKTEST = os.path.join("clients", "go", "internal", "sdktest", "go.mod")
OPENAITEST = os.path.join("clients", "go", "internal", "openaitest", "go.mod")
GENAITEST = os.path.join("clients", "go", "internal", "genaitest", "go.mod")
NPM = os.path.join("clients", "typescript", "package.json")
AI_SDK = os.path.join("examples", "ai-sdk", "package.json")


def pages(*folders):
    return [path for path in files(*folders) if path.endswith(".md")]


def variable(name):
    """The words of a variable of Makefile.am."""
    found = re.search(r"(?m)^%s = ((?:.*\\\n)*.*)" % name, text("Makefile.am")).group(1)
    return found.replace("\\\n", " ").split()


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for page in pages():
            for target in re.findall(r"\]\(([^)#]+)\)", text(page)):
                if not target.startswith("http"):
                    there = os.path.join(TOP, os.path.dirname(page), target)
                    self.assertTrue(os.path.exists(there), "%s leads to %s" % (page, target))

    def test_pages_name_pages_that_are_there(self):
        known = {os.path.basename(page) for page in pages()}
        for page in pages("doc"):
            self.assertLessEqual(set(re.findall(r"\b[A-Z]+\.md\b", text(page))), known, page)

    def test_the_readme_leads_to_every_page(self):
        for page in pages("doc"):
            self.assertIn("](%s)" % page, text("README.md"))


class Truth(unittest.TestCase):
    def test_packages_are_those_of_quickstart(self):
        table = re.search(r'for_build="\n(.*?)"', text("quickstart"), re.S).group(1)
        wanted = [line.split()[0] for line in table.splitlines()]
        shown = re.search(r"sudo apt-get install ((?:.*\\\n)*.*)", text(os.path.join("doc", "INSTALL.md"))).group(1)
        self.assertEqual(shown.replace("\\\n", " ").split(), wanted)

    def test_releases_are_those_that_are_tested(self):
        rows = dict(re.findall(r"(?m)^\| (anthropic-sdk-go|openai-go|@google/genai|google.golang.org/genai|@aws-sdk/[\w-]+|AI SDK)[^|]* \| ([^|]*) \|",
                               text(os.path.join("doc", "INTEGRATIONS.md"))))
        go = re.search(r"anthropic-sdk-go (v[\d.]+)", text(SDKTEST)).group(1)
        openai = re.search(r"openai-go/v3 (v[\d.]+)", text(OPENAITEST)).group(1)
        genai = re.search(r"google.golang.org/genai (v[\d.]+)", text(GENAITEST)).group(1)
        pins, npm = json.loads(text(AI_SDK))["dependencies"], json.loads(text(NPM))["devDependencies"]
        self.assertEqual(rows, {
            "anthropic-sdk-go": go, "openai-go": openai, "google.golang.org/genai": genai, "@google/genai": npm["@google/genai"],
            "@aws-sdk/client-bedrock-runtime": npm["@aws-sdk/client-bedrock-runtime"],
            "AI SDK": "%s, %s" % (pins["ai"], pins["@ai-sdk/anthropic"])})

    PROVIDERS = {"anthropic": "Anthropic's Messages", "openai-chat": "OpenAI's Chat Completions",
                 "openai-responses": "OpenAI's Responses", "bedrock": "Bedrock's Converse", "gemini": "Gemini's generateContent"}

    def served(self, command):
        """Returns the providers that the program offers for a command."""
        shown = subprocess.run([os.environ["TURNKEEPER"], command, "--help"], capture_output=True, text=True, check=True).stdout
        return set(re.search(r"--provider NAME.*\n +values: (.*)", shown).group(1).split())

    def test_the_readme_says_what_each_provider_has(self):
        rows = [row.strip("|").split("|") for row in re.findall(r"(?m)^\|.*\| (?:yes|no) \|$", text("README.md"))]
        self.assertEqual([row[0].split(",")[0].strip() for row in rows], list(self.PROVIDERS.values()))
        for column, commands in ((1, ("validate", "repair")), (2, ("splice", "prepare", "stream")), (3, ("tools",))):
            named = {name for name, row in zip(self.PROVIDERS, rows) if row[column].strip() == "yes"}
            for command in commands:
                self.assertEqual(self.served(command) & set(self.PROVIDERS), named, command)
        self.assertEqual(self.served("validate"), set(self.PROVIDERS))

    def test_the_readme_is_short(self):
        self.assertLessEqual(len(text("README.md").splitlines()), 200)

    def test_every_code_is_built(self):
        """The catalogue's rows of Anthropic's and OpenAI's are rules of the program."""
        page = text(os.path.join("doc", "CATALOGUE.md"))
        rows = re.search(r"## 3\. Anthropic(.*?)### 3\.12", page, re.S).group(1)
        rows += re.search(r"### 4\.1 OpenAI(.*?)### 4\.3", page, re.S).group(1)
        listed = set()
        for names in re.findall(r"(?m)^\| (`[^|]*`) \|", rows):
            first, *more = re.findall(r"`(\w+)`", names)
            listed |= {first} | {first.rsplit("_", 1)[0] + name for name in more}
        printed = subprocess.run([os.environ["TURNKEEPER"], "rules", "--man"], capture_output=True, text=True,
                                 check=True).stdout
        known = set(re.findall(r"(?m)^\.(?:SS|B|TP\n\.B) \"?([a-z]+(?:_[a-z]+)+)\b", printed))
        self.assertGreater(len(listed), 150)
        self.assertEqual(listed - known, set(), "not built")


class Packages(unittest.TestCase):
    """All packages describe the product in the same words, and lead to its pages."""

    SAYS = "Repairs conversation histories that LLM providers refuse"

    def test_description(self):
        wheel = text(os.path.join("clients", "python", "pyproject.toml"))
        self.assertIn('description = "%s"\n' % self.SAYS, wheel)
        npm = json.loads(text(os.path.join("clients", "typescript", "package.json")))
        self.assertEqual(npm["description"], self.SAYS)
        self.assertIn("Description: %s\n" % self.SAYS, text("turnkeeper.pc.in"))
        deb = re.findall(r"(?m)^Description: (.*)$", text(os.path.join("debian", "control")))
        small = self.SAYS[0].lower() + self.SAYS[1:]
        self.assertEqual({line.partition(" - ")[0] for line in deb}, {small})

    def test_links(self):
        home = re.search(r"(?m)^Homepage: (.*)$", text(os.path.join("debian", "control"))).group(1)
        wheel = text(os.path.join("clients", "python", "pyproject.toml"))
        links = dict(re.findall(r'(?m)^(\w+) = "(https://[^"]*)"$', wheel))
        self.assertEqual(set(links), {"Homepage", "Documentation", "Changelog", "Issues"})
        npm = json.loads(text(os.path.join("clients", "typescript", "package.json")))
        for link in (*links.values(), npm["homepage"], npm["bugs"]):
            self.assertTrue(link.startswith(home), link)
            path = link.partition("/blob/main/")[2]
            self.assertTrue(not path or os.path.exists(os.path.join(TOP, path)), link)


class Installed(unittest.TestCase):
    def test_install(self):
        pages_wanted = set(pages("doc"))
        self.assertEqual(set(variable("dist_doc_DATA")), pages_wanted)
        quiet = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        with tempfile.TemporaryDirectory() as folder:
            for target in ("install", "uninstall"):
                done = subprocess.run(["make", "-C", os.environ.get("top_builddir", "."), target, "prefix=/usr",
                                       "DESTDIR=" + folder], env=quiet, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-2000:])
                there = {os.path.relpath(os.path.join(at, name), folder)
                         for at, _, names in os.walk(folder) for name in names}
                if target == "install":
                    share = os.path.join("usr", "share")
                    wanted = {os.path.join(share, "doc", "turnkeeper", os.path.basename(page)) for page in pages_wanted}
                    wanted |= {os.path.join(share, *path.split("/")) for path in (
                        "doc/turnkeeper/examples/turnkeeper.json", "bash-completion/completions/turnkeeper",
                        "zsh/site-functions/_turnkeeper", "fish/vendor_completions.d/turnkeeper.fish",
                        "man/man1/turnkeeper.1")}
                    self.assertLessEqual(wanted, there)
                else:
                    self.assertEqual(there, set())


if __name__ == "__main__":
    unittest.main()
