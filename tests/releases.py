# SPDX-License-Identifier: Apache-2.0
"""How each system of packages writes the release that the file VERSION has.

A release has three numbers. On the way to it "~dev" follows them, which Debian sorts before the release.
"""
import os
import re

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..")))
FILE = re.compile(r"(\d+)\.(\d+)\.(\d+)(~dev)?\nprotocol (\d+)\n")


def _read():
    with open(os.path.join(TOP, "VERSION"), encoding="utf-8") as file:
        return FILE.fullmatch(file.read())


def debian():
    """As VERSION, the programs and the library write it: "0.2.0~dev"."""
    return _read().group(0).split("\n")[0]


def pypi():
    """The Python package: "0.2.0.dev0"."""
    return debian().replace("~dev", ".dev0")


def npm():
    """The npm package, the Go module and the tag of the image: "0.2.0-dev.0"."""
    return debian().replace("~dev", "-dev.0")


def number():
    """TURNKEEPER_VERSION_NUMBER."""
    major, minor, patch = map(int, _read().groups()[:3])
    return major << 16 | minor << 8 | patch


def protocol():
    return int(_read().group(5))
