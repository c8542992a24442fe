# SPDX-License-Identifier: Apache-2.0
"""The judgement of turnkeeper on a request: `turnkeeper validate`, `repair` and `seal`, run on its text."""
import json
import os
import shutil
import subprocess

PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
SECONDS = 60  # for one run; the largest request has 33 MB


class Failed(Exception):
    """turnkeeper couldn't read the request."""


def is_there():
    return shutil.which(PROGRAM) is not None


def finished(command, options, text):
    try:
        return subprocess.run([PROGRAM, command, "--quiet", *options, "-"], input=text, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except subprocess.TimeoutExpired:
        raise Failed("turnkeeper %s: not ready after %d s" % (command, SECONDS)) from None


def run(command, options, text):
    done = finished(command, ["--json", *options], text)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise Failed("turnkeeper %s: %s" % (command, done.stderr.decode(errors="replace").strip())) from None


def options_of(asked):
    """Returns the options that tell turnkeeper what an Asked (asked.py) is sent to, and with what."""
    target = json.dumps({"endpoint": asked.endpoint, "model": asked.model})
    options = ["--provider", asked.provider, "--target", target]
    if asked.provider == "anthropic":
        options += ["--betas", json.dumps(asked.betas)]
    for name, value in asked.judged_with.items():
        options += ["--" + name, value if isinstance(value, str) else json.dumps(value)]
    return options


def errors_and_warnings(asked):
    """Returns the codes that validate finds: (set of errors, set of warnings)."""
    result = run("validate", options_of(asked), asked.text)
    found = {"error": set(), "warning": set()}
    for violation in result["violations"]:
        found[violation["severity"]].add(violation["code"])
    return found["error"], found["warning"]


def repaired(asked):
    """Returns the request's text after repair; None if no allowed edit makes it sound, or none is needed."""
    done = finished("repair", options_of(asked), asked.text)
    return done.stdout if done.returncode == 0 and done.stdout != asked.text else None


def seal(turn, request):
    """Returns the seal of an assistant turn, the answer to the request, as the option --seals takes it in a list."""
    return {"seal": run("seal", ["--request", json.dumps(request)], json.dumps(turn).encode())["seal"]}
