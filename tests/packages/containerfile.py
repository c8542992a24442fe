# SPDX-License-Identifier: Apache-2.0
"""Builds and runs what a Containerfile describes in a bare Debian root: the same steps, without an engine or a registry.

It knows the instructions that ours has; another one is an error, so that none is overlooked.
"""
import fnmatch
import json
import os
import re
import shutil

OPTION = re.compile(r"--([\w-]+)=(\S+)\s+")


def instructions(text):
    """The (NAME, rest) of each instruction, its lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


class Image:
    """`root`: the bare Debian that the steps are done in. `base`, `user`, `entrypoint`, `healthcheck`: as written."""

    def __init__(self, path, context, root):
        self.context, self.root = context, root
        self.base = self.user = self.entrypoint = self.healthcheck = None
        self.health_options = {}
        with open(path, encoding="utf-8") as file:
            steps = instructions(file.read())
        for name, rest in steps:
            getattr(self, "do_" + name.lower())(rest)

    def do_from(self, rest):
        if self.base is not None:
            raise ValueError("two stages")
        self.base = rest

    def do_copy(self, rest):
        *patterns, target = rest.split()
        names = [name for name in os.listdir(self.context) for pattern in patterns if fnmatch.fnmatch(name, pattern)]
        if not names:
            raise ValueError("COPY %s: no such file" % rest)
        if len(patterns) + len(names) > 2 or any("*" in pattern for pattern in patterns):
            if not target.endswith("/"):
                raise ValueError("COPY %s: the target of several files ends with a slash" % rest)
        os.makedirs(self.root.inside(target), exist_ok=True)
        for name in names:
            shutil.copy(os.path.join(self.context, name), self.root.inside(target))

    def do_run(self, rest):
        if self.user is not None:
            raise ValueError("RUN after USER isn't known")
        self.root.must("/bin/sh", "-c", rest)

    def do_user(self, rest):
        self.user = rest

    def do_entrypoint(self, rest):
        self.entrypoint = json.loads(rest)

    def do_healthcheck(self, rest):
        while option := OPTION.match(rest):
            self.health_options[option[1]] = option[2]
            rest = rest[option.end():]
        keyword, command = rest.split(None, 1)
        if keyword != "CMD":
            raise ValueError("HEALTHCHECK without CMD")
        self.healthcheck = json.loads(command)

    def start(self, *arguments):
        return self.root.start(*self.entrypoint, *arguments, user=self.user)

    def health(self):
        """Returns the health check's words and its exit status."""
        done = self.root.run(*self.healthcheck, user=self.user)
        return done.stdout, done.returncode
