# SPDX-License-Identifier: Apache-2.0
"""The modules of this tree, the installed releases of Go, and which of them each module can use.

The Go of the PATH is the one that counts. Others count where it can't do something: the newest for the
official SDK, the oldest to see that the client still builds with it.
"""
import collections
import glob
import os
import re
import shutil
import subprocess

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
CLIENT = os.path.join(TOP, "clients", "go")
LOCAL = os.path.join(CLIENT, "local")
SDK = os.path.join(CLIENT, "internal", "sdktest")
OPENAI = os.path.join(CLIENT, "internal", "openaitest")
GENAI = os.path.join(CLIENT, "internal", "genaitest")
EXAMPLE = os.path.join(TOP, "examples", "go")
OPENAI_EXAMPLE = os.path.join(TOP, "examples", "go-openai")
DOWNLOADED = (LOCAL, SDK, OPENAI, GENAI, OPENAI_EXAMPLE)  # they need modules of others
ENVIRONMENT = dict(os.environ, GOTOOLCHAIN="local", GOWORK="off")
if not os.environ.get("HOME"):
    ENVIRONMENT.setdefault("GOCACHE", os.path.abspath("go-cache"))
    ENVIRONMENT.setdefault("GOPATH", os.path.abspath("go-path"))

# A Go that is installed, with its version as (1, minor).
Go = collections.namedtuple("Go", "version folder")


def run(go, folder, *command):
    """Output and exit code of a command in a module's folder."""
    there = dict(ENVIRONMENT, PATH=go.folder + os.pathsep + os.environ["PATH"])
    done = subprocess.run(command, cwd=folder, env=there, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout, done.returncode


def installed():
    """Every Go of this machine, that of the PATH first."""
    programs = [shutil.which("go"), "/usr/local/go/bin/go", *sorted(glob.glob("/usr/lib/go-*/bin/go"))]
    found = []
    for program in filter(None, programs):
        if os.path.exists(program):
            go = Go((0, 0), os.path.dirname(program))
            version = re.search(r"go(\d+)\.(\d+)", run(go, TOP, "go", "version")[0])
            found.append(Go(tuple(map(int, version.groups())), go.folder))
    return found


GOS = installed()


def needed(folder):
    with open(os.path.join(folder, "go.mod"), encoding="utf-8") as f:
        return tuple(map(int, re.search(r"^go (\d+)\.(\d+)", f.read(), re.M).groups()))


def go_for(folder):
    """The first Go that will do for a module, or None; and why none will."""
    for go in GOS:
        if go.version >= needed(folder):
            if folder == LOCAL and not os.path.exists(os.path.join(LOCAL, "turnkeeper.wasm")):
                return None, "make wasm didn't put the module into clients/go/local"
            if folder in DOWNLOADED and run(go, folder, "go", "mod", "download")[1] != 0:
                return None, "modules of others can't be had here"
            return go, None
    if not GOS:
        return None, "Go is not installed"
    return None, "needs Go %d.%d, this is %d.%d" % (needed(folder) + GOS[0].version)


MODULES = {folder: go_for(folder) for folder in (CLIENT, EXAMPLE, *DOWNLOADED)}


def usable():
    """The modules that something can be done with here: their folders, and the Go of each."""
    return [(folder, go) for folder, (go, _) in MODULES.items() if go]
