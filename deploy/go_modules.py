# SPDX-License-Identifier: Apache-2.0
"""Makes the commit from which Go takes the client and its back end in process, as a bundle of git.

Go builds a module from a tag of the repository, and clients/go/local embeds turnkeeper.wasm, which the repository
doesn't have. So the two modules are released from a commit of their own. It has no parent and only their folders, with
the WebAssembly module, and with a go.mod that requires the client's release instead of replacing it. The same release
has the same commit: its author and its date are those of the newest entry of debian/changelog.
"""
import base64
import hashlib
import os
import re
import shutil

REPOSITORY = "github.com/turnkeeper/turnkeeper"
CLIENT = "clients/go"
LOCAL = "clients/go/local"


def digest(named):
    """Returns what go.sum says of files, given as (name, path): the hash "h1" of golang.org/x/mod/sumdb/dirhash."""
    lines = []
    for name, path in sorted(named):
        with open(path, "rb") as file:
            lines.append("%s  %s\n" % (hashlib.sha256(file.read()).hexdigest(), name))
    return "h1:" + base64.b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


def files_of_module(folder):
    """Yields the path of each file of a module, relative to it. A folder with a go.mod is another module."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not os.path.exists(os.path.join(place, name, "go.mod"))]
        yield from (os.path.relpath(os.path.join(place, name), folder) for name in names)


def sums(folder, module, version):
    """Returns the lines of go.sum for a module in a folder."""
    named = [("%s@%s/%s" % (module, version, name), os.path.join(folder, name)) for name in files_of_module(folder)]
    return "%s %s %s\n%s %s/go.mod %s\n" % (
        module, version, digest(named), module, version, digest([("go.mod", os.path.join(folder, "go.mod"))]))


def require_release(tree, version):
    """Lets the back end in `tree` require the client's release, which it has next to it in the repository."""
    module = "%s/%s" % (REPOSITORY, CLIENT)
    folder = os.path.join(tree, LOCAL)
    with open(os.path.join(folder, "go.mod"), "r+", encoding="utf-8") as file:
        text = re.sub(r"\nreplace .*\n", "", file.read())
        text, count = re.subn(r"(?m)^(\s*%s) v0\.0\.0$" % re.escape(module), r"\1 " + version, text)
        assert count == 1, "go.mod of %s doesn't require %s v0.0.0" % (LOCAL, module)
        file.seek(0)
        file.truncate()
        file.write(text)
    path = os.path.join(folder, "go.sum")
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    lines += sums(os.path.join(tree, CLIENT), module, version).splitlines(keepends=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(sorted(lines))


def make_bundle(source, module, work, bundle, version, author, run):
    """Writes the bundle. `source`: the unpacked tarball. `module`: turnkeeper.wasm. `version`: as Go writes it, "v0.2.0".
    `author`: name, address and seconds since 1970. `run`: runs a command in a folder, with more of the environment."""
    tree, git = os.path.join(work, "go"), os.path.join(work, "go.git")
    shutil.copytree(os.path.join(source, CLIENT), os.path.join(tree, CLIENT))
    shutil.copy(module, os.path.join(tree, LOCAL, "turnkeeper.wasm"))
    os.chmod(os.path.join(tree, LOCAL, "turnkeeper.wasm"), 0o644)
    require_release(tree, version)

    name, address, seconds = author
    # Nothing of the caller's configuration: it could change line ends, sign or compress in another way.
    environment = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_DIR": git, "GIT_WORK_TREE": tree}
    for who in ("AUTHOR", "COMMITTER"):
        environment.update({"GIT_%s_NAME" % who: name, "GIT_%s_EMAIL" % who: address, "GIT_%s_DATE" % who: "%d +0000" % seconds})

    def git_run(*command):
        run("git", "-c", "pack.threads=1", *command, folder=tree, **environment)

    tags = ["%s/%s" % (folder, version) for folder in (CLIENT, LOCAL)]
    git_run("init", "-q", "-b", "go")
    git_run("add", "-f", ".")
    git_run("commit", "-q", "-m", "The Go modules of turnkeeper %s\n\nMade by deploy/release.py from %s and turnkeeper.wasm." % (
        version, os.path.basename(source)))
    for tag in tags:
        git_run("tag", tag)
    git_run("bundle", "create", "-q", bundle, *("refs/tags/" + tag for tag in tags))
