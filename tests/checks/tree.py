#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of the tree itself: the arrows between folders, words and names, the build's lists, the headers of files.

The arrows are those of one request through the daemon; nothing points back:

    net, daemon, cli, wasm -> methods -> operations -> providers -> stream -> engine -> wording -> shapes -> history -> value
"""
import os
import re
import unittest

TOP = os.environ.get("top_srcdir", ".")
CODE_FOLDERS = ("src", "include", "examples", "tests")
# The folders of the core, each of which may include those before it.
CORE = ("value", "catalogue", "history", "shapes", "wording", "request", "engine", "stream", "providers", "operations", "methods")
MAY_INCLUDE = {folder: set(CORE[:n + 1]) for n, folder in enumerate(CORE)}
MAY_INCLUDE["request"] -= {"shapes", "history"}
MAY_INCLUDE["operations"].remove("stream")
MAY_INCLUDE.update({
    "net": {"value", "methods", "net"},
    "daemon": {"value", "methods", "net", "daemon"},
    "cli": set(CORE) - {"stream", "operations"} | {"cli"},
    "wasm": {"value", "methods", "wasm"},
})
WITH_LIBEVENT = {"net", "daemon"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SKIPPED_FOLDERS = {".git", "_build", "_inst", "autom4te.cache", "build-aux", "m4", "__pycache__", "node_modules", "dist"}


def files(*folders):
    """Paths relative to the tree; without folders everything that a clone holds."""
    for start in folders or ("",):
        for folder, names, leaves in os.walk(os.path.join(TOP, start)):
            here = os.path.relpath(folder, TOP)
            names[:] = sorted(n for n in names if not is_generated(here, n))
            for leaf in sorted(leaves):
                # .git: a file in a worktree of git, which names the place of the clone. The module is built.
                if leaf not in (".git", "turnkeeper.wasm"):
                    yield os.path.normpath(os.path.join(here, leaf))


def is_generated(here, name):
    if name in SKIPPED_FOLDERS or name.endswith(".egg-info"):
        return True
    return here == "." and (name.startswith("build") or name.startswith("turnkeeper-"))


def text(path):
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def lists_of_the_build():
    """Makefile.am with the lists of the folders that it includes; %D% is the folder of a list."""
    return re.sub(r"^include (.*)/sources\.am$",
                  lambda line: text(line[1] + "/sources.am").replace("%D%", line[1]), text("Makefile.am"), flags=re.M)


def sources(*folders):
    return [p for p in files(*folders) if p.endswith((".c", ".h"))]


class Arrows(unittest.TestCase):
    def test_folders_include_only_what_they_may(self):
        for path in sources("src"):
            parts = path.split(os.sep)
            if len(parts) < 3:
                continue
            for kind, name in INCLUDE.findall(text(path)):
                target = name.split("/")[0]
                if kind == '"' and target in MAY_INCLUDE:
                    self.assertIn(target, MAY_INCLUDE[parts[1]], "%s includes %s" % (path, name))

    def test_a_provider_knows_no_other(self):
        folder = re.compile(r"(?:src/)?providers/([^/]+)/")
        for path in sources(os.path.join("src", "providers")):
            own = folder.match(path)
            for _, name in INCLUDE.findall(text(path)) if own else ():
                other = folder.match(name)
                self.assertIn(other and other.group(1), (None, "common", own.group(1)), "%s includes %s" % (path, name))

    def test_streams_know_no_provider(self):
        for path in sources(os.path.join("src", "stream")):
            for _, name in INCLUDE.findall(text(path)):
                self.assertNotRegex(name, "^providers/.*/", path)

    def test_only_net_and_daemon_see_libevent(self):
        for path in sources("src", "include", "examples"):
            folder = path.split(os.sep)[1]
            for _, name in INCLUDE.findall(text(path)):
                if name.startswith("event2/") or name == "event.h":
                    self.assertIn(folder, WITH_LIBEVENT, "%s includes %s" % (path, name))

    def test_the_library_sees_no_configuration_library(self):
        for path in sources(*(os.path.join("src", folder) for folder in CORE)):
            names = {name for _, name in INCLUDE.findall(text(path))}
            self.assertNotIn("jansson.h", names, path)

    def test_includes_name_their_folder(self):
        for path in sources("src"):
            for kind, name in INCLUDE.findall(text(path)):
                if kind == '"' and name != "config.h":
                    self.assertIn("/", name, "%s includes %s" % (path, name))


# Names of members and types that providers' formats have. A string of the code that is one of them, a pointer that
# begins with one, or the end of a result's type belongs to a provider or a shape.
PROVIDER_WORD = re.compile(
    "^/?(messages|contents?|input|parts|tool_use|tool_use_id|tool_result|server_tool_use|cache_control|"
    "(redacted_)?thinking|anthropic|mcp_servers|pause_turn)(/.*)?$|_tool_result$")
# Words of them that the protocol has, too: parameters, members of results, a dialect. Methods and the CLI may use these.
PROTOCOL_WORD = re.compile("^/?(messages|contents?|input|parts|thinking|anthropic|mcp_servers)/?$")
SPEAK_THE_PROTOCOL = {"methods", "cli"}
# Layers that know no provider, and their files that still have such words.
WITHOUT_PROVIDER_WORDS = {
    "methods": ("core/errors.c", "params/params.h", "params/splice_params.c"),
    "cli": ("show/view.c",),
    "value": (), "history": (), "request": (), "stream": (), "operations": (), "net": (), "daemon": (),
    "catalogue": ("rows.c",),  # of each rule the provider that has it
    "wording": (), "engine": (),
}
# A provider's row or a shape by its name in code.
ONE_OF_MANY = re.compile(r"\b(tk_(shape|provider)|TK_(SHAPE|PROVIDER))_(anthropic|fantasy|ai_sdk|openai|azure|bedrock|gemini|xai)",
                         re.I)
# Names that each area or provider has for itself.
REPEATED_FILES = {"checks.c", "find.c", "find.h", "fit.c", "fix.c", "fix.h", "fixes.c", "models.c", "models.h", "named_tools.c",
                  "provider.c", "provider.h", "request.c", "request.h", "rules.h", "splice.c", "splice.h", "state.h", "tools.c",
                  "tools.h"}
COMMENT = re.compile(r"/\*.*?\*/", re.S)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
DEFINED = re.compile(r"\b(?:struct|enum|union)\s+(\w+)\s*\{")
RETIRED = re.compile(r"\b(lane|census|intake|rope|keeper|asker|hunt|wish|wishes|behind|in front of|beside|stands?)\b|"
                     r"\bp NULL\b|[*/] (The same|What|Whether|Who|Whose|Which)\b")
DOCSTRING = re.compile(r'^ *"""(The same|[A-Z]\w+)', re.M)
ENUM = re.compile(r"enum\b[^;{(]*\{(.*?)\}", re.S)
FLAG_BIT = re.compile(r"\bTK_\w+\s*=\s*1u? << (\d+)\s*(?:,|$)")
# Folders whose comments have none of the words above; CONTRIBUTING.md says which English they have.
IN_PLAIN_ENGLISH = ("src", "include", "examples", "tests")


class Words(unittest.TestCase):
    def test_only_providers_and_shapes_have_providers_words(self):
        for layer, still in WITHOUT_PROVIDER_WORDS.items():
            folder = os.path.join("src", layer)
            known = PROTOCOL_WORD if layer in SPEAK_THE_PROTOCOL else None
            found = {os.path.relpath(path, folder) for path in sources(folder) if self.has_provider_word(path, known)}
            self.assertEqual(sorted(found - set(still)), [], layer)

    def test_no_other_layer_names_one_of_them(self):
        for layer in set(WITHOUT_PROVIDER_WORDS) - {"cli"}:
            for path in sources(os.path.join("src", layer)):
                self.assertIsNone(ONE_OF_MANY.search(COMMENT.sub(" ", text(path))), path)

    @staticmethod
    def has_provider_word(path, known):
        code = COMMENT.sub(" ", text(path))
        lines = [line for line in code.splitlines() if not INCLUDE.match(line)]
        return any(PROVIDER_WORD.search(string) and not (known and known.match(string))
                   for string in STRING.findall("\n".join(lines)))

    def test_flags_of_a_list_have_a_bit_each(self):
        for path in sources("src", "include"):
            for body in ENUM.findall(COMMENT.sub(" ", text(path))):
                bits = [int(bit) for bit in FLAG_BIT.findall(body)]
                self.assertEqual(len(bits), len(set(bits)), "%s: %s" % (path, sorted(bits)))

    def test_a_type_has_one_definition(self):
        places = {}
        for path in sources("src"):
            for name in DEFINED.findall(COMMENT.sub(" ", text(path))):
                places.setdefault(name, []).append(path)
        self.assertEqual({name: found for name, found in places.items() if len(found) > 1}, {})

    def test_a_layer_has_no_file_name_twice(self):
        places = {}
        for path in sources("src"):
            layer, leaf = path.split(os.sep)[1], os.path.basename(path)
            if leaf not in REPEATED_FILES or layer != "providers":
                places.setdefault((layer, leaf), []).append(path)
        self.assertEqual({name: found for name, found in places.items() if len(found) > 1}, {})

    def test_comments_have_no_retired_words(self):
        for path in sources(*IN_PLAIN_ENGLISH):
            for comment in COMMENT.findall(text(path)):
                self.assertIsNone(RETIRED.search(comment), "%s: %s" % (path, comment))

    def test_docstrings_begin_with_what_they_are_about(self):
        for path in files("tests"):
            for first in DOCSTRING.findall(text(path)) if path.endswith(".py") else ():
                self.assertNotIn(first, ("The same", "What", "Whether", "Who", "Whose", "Which"), path)


FIX_HEADING = re.compile(r"/\* ---- (.*?) ----\s*\*/|\[(TK_CODE_\w+)\] = \{(.*?)\},\n", re.S)
FIX_FUNCTION = re.compile(r"\.(?:want|act|may) = (tk_\w+)")
FUNCTION = re.compile(r"^[a-z][\w *]*?\b(tk_\w+)\(", re.M)


class Codes(unittest.TestCase):
    """From the name of a code to the files that judge and fix it, as CONTRIBUTING.md says."""

    def test_a_heading_of_the_fixes_names_the_files_of_their_functions(self):
        rows = 0
        for table in sources(os.path.join("src", "providers")):
            if os.path.basename(table) != "fixes.c":
                continue
            head = None
            whole = text(table)
            for heading, code, row in FIX_HEADING.findall(whole[whole.index("/* ----"):]):
                head = heading or head
                for function in FIX_FUNCTION.findall(row):
                    rows += 1
                    self.assertIn(function, self.functions(table, head, function), "%s under %s" % (code, head))
        self.assertGreater(rows, 100)

    @staticmethod
    def functions(table, head, function):
        """The functions of the file that a heading names for this one: after its name, else at the heading's start."""
        if function == "tk_fix_drop":
            name = "engine/fix.c"
        elif function + "()" in head:
            name = re.search(r"[\w/]+\.c", head[head.index(function):]).group()
        else:
            name = re.match(r"[\w/]+\.c", head).group()
        return FUNCTION.findall(text(os.path.join("src", name) if name.startswith("engine/")
                                     else os.path.join(os.path.dirname(table), name)))

    def test_every_code_is_in_a_file_beyond_the_tables(self):
        codes = set(re.findall(r"^    (TK_CODE_\w+),", text("src/catalogue/codes.h"), re.M)) - {"TK_CODE_COUNT"}
        tables = re.compile(r"catalogue/|/fixes\.c$|\.h$")
        used = {name for path in sources("src") if not tables.search(path)
                for name in re.findall(r"\bTK_CODE_\w+", COMMENT.sub(" ", text(path)))}
        self.assertEqual(sorted(codes - used), [])


class Lists(unittest.TestCase):
    def test_every_source_is_in_the_makefile(self):
        makefile = set(re.findall(r"[\w./-]+", lists_of_the_build()))
        forgotten = [path for path in files("src", "include", "examples", "tests", "clients")
                     if path not in makefile and not path.endswith("/sources.am") and not self.is_of_a_program(path, makefile)
                     and not (self.is_helper(path) and self.folder_in(path, makefile))]
        self.assertEqual(forgotten, [])

    @staticmethod
    def is_of_a_program(path, makefile):
        """Automake builds a program without a list of sources from the file of its name."""
        return path.startswith("tests" + os.sep + "unit") and path.endswith(".c") and path[:-2] in makefile

    @staticmethod
    def is_helper(path):
        """Data and Python modules may come with their folder; what is built or run may not."""
        return not path.endswith((".c", ".h", ".sh")) and not os.path.basename(path).startswith("test_")

    @staticmethod
    def folder_in(path, makefile):
        parts = path.split(os.sep)
        return any(os.sep.join(parts[:n]) in makefile for n in range(2, len(parts)))

    def test_every_source_says_its_licence_first(self):
        without = [path for path in files("src", "include", "examples", "tests", "clients")
                   if path.endswith((".c", ".h", ".py", ".sh"))
                   and "SPDX-License-Identifier: Apache-2.0" not in "".join(text(path).splitlines()[:2])]
        self.assertEqual(without, [])


class Cleanliness(unittest.TestCase):
    def test_no_place_of_one_machine(self):
        # Put together here, so that this file doesn't find itself.
        places = ["/" + p for p in ("work/", "home/", "root/", "tmp/build", "usr/local/src/")]
        pattern = re.compile(r"(?<![\w.$}\]-])(%s)" % "|".join(places))
        for path in files():
            if self.is_data(path):
                continue
            for n, line in enumerate(text(path).splitlines(), 1):
                self.assertIsNone(pattern.search(line), "%s:%d: %s" % (path, n, line.strip()))

    def test_nothing_unfinished(self):
        pattern = re.compile(r"\b(TO" r"DO|FIX" r"ME|XXX|[Nn]ot imple" r"mented)\b")
        for path in files("src", "include", "examples", "clients", "systemd", "man"):
            for n, line in enumerate(text(path).splitlines(), 1):
                self.assertIsNone(pattern.search(line), "%s:%d: %s" % (path, n, line.strip()))

    def test_lines_end_as_editorconfig_says(self):
        for path in files("src", "include", "examples", "clients", "systemd"):
            content = text(path)
            self.assertNotIn("\r", content, path)
            self.assertTrue(content == "" or content.endswith("\n"), path + ": no final newline")
            for n, line in enumerate(content.splitlines(), 1):
                self.assertEqual(line, line.rstrip(), "%s:%d: trailing space" % (path, n))

    @staticmethod
    def is_data(path):
        generated = {"configure", "config.h.in", "Makefile.in", "aclocal.m4", "config.log"}
        return (path.endswith((".json", ".bin", ".mp")) or path in generated
                or os.sep + "corpus" + os.sep in path)


if __name__ == "__main__":
    unittest.main()
