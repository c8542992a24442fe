#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The packed npm package through bundlers, as programs for browsers and workers get it.

tests/clients/edge_runtimes.sh does the same with Next and wrangler, which take too long to install for each run.
"""
import filecmp
import os
import re
import shutil
import sys
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import npm_package  # noqa: E402

BUNDLERS = os.path.join(npm_package.INSTALLED, "typescript-bundlers")
PROGRAM = """
import { Turnkeeper, guardFetch } from "turnkeeper";
%s
const keeper = await Turnkeeper.load(%s);
const call = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
const fixed = keeper.repair([{ role: "user", content: "q" }, { role: "assistant", content: [call] }, { role: "user", content: "n" }]);
console.log(fixed.edits.length, typeof guardFetch);
"""
SAID = "1 function"
# Serves files of a folder in the place of a web server, and runs a program, which finds a page that preloads modules.
SERVED = """
import { readFileSync } from "node:fs";
const [folder, program] = process.argv.slice(2);
globalThis.fetch = async (url) => new Response(readFileSync(folder + new URL(url).pathname));
globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) };
await import(program);
"""


class Bundled(npm_package.Installed):
    @classmethod
    def setUpClass(cls):
        why = npm_package.why_not(BUNDLERS)
        if why:
            raise unittest.SkipTest(why)
        super().setUpClass()

    def setUp(self):
        self.folder = os.path.join(self.package.user, "bundled")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        self.write("plain.mjs", PROGRAM % ("", ""))
        self.write("inline.mjs", PROGRAM % ('import { wasm } from "turnkeeper/inline";', "{ wasm: wasm() }"))
        self.write("served.mjs", SERVED)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, *path):
        with open(os.path.join(self.folder, *path), encoding="utf-8") as f:
            return f.read()

    def bundler(self, *command):
        program = os.path.join(BUNDLERS, "node_modules", *command[0])
        done = npm_package.run(["node", program, *command[1:]], self.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def esbuild(self, program, platform, *options):
        """Returns the name of the bundle, deep enough for what it reads two folders above it."""
        name = os.path.join("out", platform, "js", "main", program)
        self.bundler(("esbuild", "bin", "esbuild"), program, "--bundle", "--format=esm", "--platform=" + platform,
                     "--outfile=" + name, "--log-level=warning", *options)
        return name

    def run_bundle(self, *command):
        return npm_package.run(["node", *command], self.folder)

    def mends(self, *command):
        done = self.run_bundle(*command)
        self.assertEqual(done.stdout.strip(), SAID)

    def needs_nothing_of_node(self, *path):
        self.assertEqual(re.findall(r"""["']node:\w+""", self.read(*path)), [])

    def module_is_in(self, *path):
        module = os.path.join(self.package.user, "node_modules", "turnkeeper", "dist", "turnkeeper.wasm")
        folder = os.path.join(self.folder, *path)
        there = [name for name in os.listdir(folder) if name.endswith(".wasm")]
        self.assertEqual(len(there), 1, os.listdir(folder))
        self.assertTrue(filecmp.cmp(module, os.path.join(folder, there[0]), shallow=False))

    def test_esbuild(self):
        for platform in ("browser", "neutral", "node"):
            with self.subTest(platform):
                bundle = self.esbuild("inline.mjs", platform)
                if platform != "node":
                    self.needs_nothing_of_node(bundle)
                self.mends(bundle)

    def test_required(self):
        """CommonJS, for browsers too."""
        self.write("required.cjs", """
            const { Turnkeeper } = require("turnkeeper");
            const { wasm } = require("turnkeeper/inline");
            Turnkeeper.load({ wasm: wasm() }).then((keeper) => console.log(+keeper.ping().pong, typeof keeper.repair));""")
        for platform in ("browser", "node"):
            with self.subTest(platform):
                self.bundler(("esbuild", "bin", "esbuild"), "required.cjs", "--bundle", "--format=cjs", "--platform=" + platform,
                             "--outfile=%s.cjs" % platform, "--log-level=warning")
                if platform == "browser":
                    self.needs_nothing_of_node("browser.cjs")
                self.mends(platform + ".cjs")

    def test_workers_conditions(self):
        """Their engines compile no bytes, so what they get imports the module, and nothing of Node."""
        for condition, ending in (("workerd", ".wasm"), ("edge-light", ".wasm?module")):
            with self.subTest(condition):
                bundle = self.esbuild("plain.mjs", "neutral", "--conditions=%s,worker,browser" % condition,
                                      "--external:*" + ending)
                self.needs_nothing_of_node(bundle)
                self.assertRegex(self.read(bundle), r'import \w+ from "[./]*turnkeeper%s"' % re.escape(ending))

    def test_lost_module(self):
        """A bundle without the file says what to do, and doing it helps."""
        for platform in ("neutral", "node"):
            with self.subTest(platform):
                bundle = self.esbuild("plain.mjs", platform)
                done = self.run_bundle(bundle)
                self.assertNotEqual(done.returncode, 0)
                place, copied = re.search(
                    r"turnkeeper\.wasm can't be used at file://(\S+): .* copy the file (\S+) there", done.stdout).groups()
                self.assertIn('import { wasm } from "turnkeeper/inline"', done.stdout)
                shutil.copy(os.path.join(self.package.user, copied), place)
                if platform == "node":
                    self.mends(bundle)

    def test_vite(self):
        self.write("package.json", '{"type": "module"}')
        self.write("index.html", '<script type="module" src="./plain.mjs"></script>')
        self.bundler(("vite", "bin", "vite.js"), "build", "--outDir", "out", "--logLevel", "warn")
        self.module_is_in("out", "assets")
        script, = (name for name in os.listdir(os.path.join(self.folder, "out", "assets")) if name.endswith(".js"))
        self.needs_nothing_of_node("out", "assets", script)
        self.mends("served.mjs", os.path.join(self.folder, "out"), os.path.join(self.folder, "out", "assets", script))

    def test_webpack(self):
        for target in ("web", "webworker", "node"):
            with self.subTest(target):
                self.bundler(("webpack-cli", "bin", "cli.js"), "--mode", "development", "--devtool", "false", "--target", target,
                             "--entry", "./plain.mjs", "--output-path", os.path.join(self.folder, target))
                self.module_is_in(target)
                if target == "node":
                    self.mends(os.path.join(target, "main.js"))
                else:
                    self.needs_nothing_of_node(target, "main.js")


if __name__ == "__main__":
    unittest.main()
