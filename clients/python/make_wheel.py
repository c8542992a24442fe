#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the source distribution, and from it the wheel for this platform, as they would be published.

    make_wheel.py FOLDER

Needs the packages of tests/requirements-wheel.txt and what setup.py needs. The tree isn't written to. The last lines of
the output are the paths of both files in FOLDER. The wheel is for every Linux with the C library that its name says
(manylinux); auditwheel has checked that it needs nothing else. With SOURCE_DATE_EPOCH set, both have that date, and the
same bytes on every run.
"""

import glob
import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
PARTS = ("clients/python/pyproject.toml", "clients/python/setup.py", "clients/python/README.md",
         "clients/python/LICENSE", "clients/python/native", "clients/python/src", "include", "src", "VERSION")


def copy_of_tree(to):
    """Copies what the package is made of. Returns the package's folder."""
    for part in PARTS:
        source, target = os.path.join(TREE, part), os.path.join(to, part)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so")
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy(source, target)
    for where, _, _ in os.walk(to):
        os.chmod(where, 0o700)  # the tree may be read-only
    return os.path.join(to, "clients", "python")


def run(*command):
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    subprocess.run([sys.executable, "-m", *command], check=True, env=dict(os.environ, PATH=path))


def with_one_date(source, date):
    """Writes a source distribution again: setuptools gives its files the owner and the time of this run."""
    packed = io.BytesIO()
    with tarfile.open(source) as old, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda m: m.name):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.pax_headers = date, {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with open(source, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=date) as out:
        out.write(packed.getvalue())


def make(folder):
    """Returns the paths of the source distribution and the wheel."""
    with tempfile.TemporaryDirectory() as work:
        package = copy_of_tree(os.path.join(work, "tree"))
        made = os.path.join(work, "made")
        run("build", "--no-isolation", "--outdir", made, package)
        (wheel,) = glob.glob(os.path.join(made, "*.whl"))
        (source,) = glob.glob(os.path.join(made, "*.tar.gz"))
        if os.environ.get("SOURCE_DATE_EPOCH"):
            with_one_date(source, int(os.environ["SOURCE_DATE_EPOCH"]))
        run("auditwheel", "repair", "--wheel-dir", folder, wheel)
        shutil.copy(source, folder)
    (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
    return os.path.join(folder, os.path.basename(source)), wheel


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    print(*make(sys.argv[1]), sep="\n")
