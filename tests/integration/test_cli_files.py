#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where repaired documents go: --output, --in-place, and what is left of a file when it fails.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import errno
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import threading
import unittest

from cli import (CLEAN, ERRORS, FAILED, MIX, OK, ORPHAN_CALL, PROGRAM, TIMEOUT, UNSAFE, Case, body, environment,
                 line, run)


class Files(Case):
    def files(self):
        return sorted(os.listdir(self.folder))

    def test_output(self):
        path = self.file(line(ORPHAN_CALL))
        done = run("repair", "-o", self.path("out"), path, preexec_fn=lambda: os.umask(0o027))
        self.assertStatus(done, OK)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(self.files(), ["chat.json", "out"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o640)
        self.assertEqual(self.content("out"), run("repair", path).stdout)
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))
        self.assertEqual(run("repair", "-o", "-", path).stdout, self.content("out"))

    def test_output_replaces_a_file(self):
        path = self.file(line(CLEAN))
        os.chmod(self.file(b"old", "out"), 0o604)
        self.assertStatus(run("repair", "-o", self.path("out"), path), OK)
        self.assertEqual(self.content("out"), line(CLEAN))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o604)

    def test_output_to_what_is_no_file(self):
        path = self.file(line(CLEAN))
        self.assertStatus(run("repair", "-o", "/dev/null", path), OK)
        done = run("repair", "-o", "/dev/stdout", path)
        self.assertEqual(done.stdout, line(CLEAN))
        for place in (self.path("none/out"), self.folder, "/dev/full"):
            done = run("repair", "-o", place, path)
            self.assertStatus(done, FAILED)
            self.assertIn(place, done.stderr.decode())

    def test_output_over_the_input(self):
        path = self.file(line(ORPHAN_CALL) + line(CLEAN))
        self.assertStatus(run("repair", "-o", path, path), OK)
        self.assertEqual(self.content("chat.json").split(b"\n", 1)[1], line(CLEAN))

    def test_in_place(self):
        path = self.file(body(ORPHAN_CALL))
        expected = run("repair", path).stdout
        os.chmod(path, 0o4751)
        if os.getuid() == 0:
            os.chown(path, 1234, 5678)
            os.chmod(path, 0o4751)
        before = os.stat(path)
        done = run("repair", "--in-place", path)
        self.assertStatus(done, OK)
        self.assertEqual(done.stdout, b"")
        after = os.stat(path)
        self.assertEqual(self.content("chat.json"), expected)
        self.assertEqual((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
        self.assertNotEqual(after.st_ino, before.st_ino, "replaced, not written over")
        self.assertEqual(self.files(), ["chat.json", "chat.json.orig"])

    def test_the_original_is_kept(self):
        path = self.file(line(ORPHAN_CALL))
        before = os.stat(path)
        done = run("repair", "-i", path)
        self.assertStatus(done, OK)
        self.assertEqual(self.content("chat.json.orig"), line(ORPHAN_CALL))
        self.assertIn("%s: note: the original is kept as %s.orig\n" % (path, path), done.stderr.decode())
        kept = os.stat(path + ".orig")
        self.assertEqual((kept.st_ino, kept.st_mtime_ns), (before.st_ino, before.st_mtime_ns), "the file itself")

    def test_an_original_is_never_overwritten(self):
        path = self.file(line(ORPHAN_CALL))
        self.file(b"precious", "chat.json.orig")
        os.symlink("nowhere", path + ".orig.1")
        for i in (2, 3):
            self.file(line(ORPHAN_CALL) + b"\n" * i)
            self.assertEqual(run("repair", "-q", "-i", path).stderr, b"")
            self.assertEqual(self.content("chat.json.orig.%d" % i), line(ORPHAN_CALL) + b"\n" * i)
        self.assertEqual(self.content("chat.json.orig"), b"precious")
        self.assertTrue(os.path.islink(path + ".orig.1"))
        self.assertFalse(os.path.exists(self.path("nowhere")))

    def test_no_backup(self):
        path = self.file(line(ORPHAN_CALL))
        self.assertStatus(run("repair", "-i", "--no-backup", path), OK)
        self.assertEqual(self.files(), ["chat.json"])
        self.assertNotIn(b"server_tool_use", self.content("chat.json"))

    def test_what_has_other_names_is_copied(self):
        path = self.file(line(ORPHAN_CALL))
        os.chmod(path, 0o640)
        os.link(path, self.path("other"))
        self.assertStatus(run("repair", "-i", path), OK)
        with open(self.path("other"), "ab") as f:
            f.write(b"more")
        self.assertEqual(self.content("chat.json.orig"), line(ORPHAN_CALL))
        self.assertEqual(stat.S_IMODE(os.stat(path + ".orig").st_mode), 0o640)

    def test_without_a_place_for_the_original_nothing_happens(self):
        name = "c" * 250 + ".json"  # NAME_MAX is 255
        path = self.file(line(ORPHAN_CALL), name)
        done = run("repair", "-i", path)
        self.assertStatus(done, FAILED)
        self.assertIn("--no-backup", done.stderr.decode())
        self.assertEqual((self.files(), self.content(name)), ([name], line(ORPHAN_CALL)))

    def acl(self, path):
        try:
            return os.getxattr(path, "system.posix_acl_access")
        except OSError as why:
            if why.errno != errno.ENODATA:
                raise
            return None

    def test_in_place_keeps_the_access_control_list(self):
        entries = [(0x01, 6, -1), (0x02, 4, 1234), (0x04, 4, -1), (0x10, 6, -1), (0x20, 0, -1)]
        access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
        path, plain = self.file(line(ORPHAN_CALL)), self.file(line(ORPHAN_CALL), "plain.json")
        try:
            os.setxattr(path, "system.posix_acl_access", access)
        except OSError as why:
            self.skipTest("no access control lists here: %s" % why)
        # what the folder gives to new files isn't the old file's
        os.setxattr(self.folder, "system.posix_acl_default", access)
        before = os.stat(path).st_mode, os.stat(plain).st_mode
        self.assertStatus(run("repair", "-i", path, "--no-backup"), OK)
        self.assertStatus(run("repair", "-i", plain, "--no-backup"), OK)
        self.assertEqual(self.acl(path), access)
        self.assertIsNone(self.acl(plain))
        self.assertEqual((os.stat(path).st_mode, os.stat(plain).st_mode), before)

    def test_in_place_keeps_attributes_of_the_user(self):
        path = self.file(line(ORPHAN_CALL))
        try:
            os.setxattr(path, "user.origin", b"export")
        except OSError as why:
            self.skipTest("no attributes here: %s" % why)
        self.assertStatus(run("repair", "-i", path), OK)
        self.assertEqual(os.getxattr(path, "user.origin"), b"export")

    def test_output_over_the_input_keeps_the_original(self):
        path = self.file(line(ORPHAN_CALL))
        self.assertStatus(run("repair", "-o", path, path), OK)
        self.assertEqual(self.content("chat.json.orig"), line(ORPHAN_CALL))
        self.assertNotIn(b"server_tool_use", self.content("chat.json"))

    def test_in_place_leaves_alone_what_needs_nothing(self):
        path = self.file(line(CLEAN) + line(UNSAFE))
        before = os.stat(path)
        self.assertStatus(run("repair", "-i", path), ERRORS)
        after = os.stat(path)
        self.assertEqual((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))

    def test_in_place_jsonl(self):
        path = self.file(b"".join(MIX))
        expected = run("repair", path).stdout
        self.assertStatus(run("repair", "-i", path), FAILED)
        self.assertEqual(self.content("chat.json"), expected)

    def test_in_place_through_a_link(self):
        os.mkdir(self.path("real"))
        self.file(line(ORPHAN_CALL), "real/chat.json")
        os.symlink("real/chat.json", self.path("link"))
        self.assertStatus(run("repair", "-i", self.path("link")), OK)
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertNotIn(b"server_tool_use", self.content("real/chat.json"))
        self.assertEqual(sorted(os.listdir(self.path("real"))), ["chat.json", "chat.json.orig"])

    def test_output_through_a_link_that_leads_nowhere(self):
        os.symlink("nowhere", self.path("link"))
        self.assertStatus(run("repair", "-o", self.path("link"), self.file(line(CLEAN))), OK)
        self.assertEqual(self.content("link"), line(CLEAN))
        self.assertEqual(self.content("nowhere"), line(CLEAN))
        self.assertTrue(os.path.islink(self.path("link")))

    def test_closed_standard_descriptors(self):
        """No file gets their numbers: the input isn't taken for stdout, and the link to stdout stays."""
        os.symlink("/proc/self/fd/1", self.path("stdout"))
        before = self.content(self.file(line(ORPHAN_CALL)))
        for closed in ((1,), (0, 1, 2)):
            for arguments in (("-o", self.path("stdout")), ()):
                done = run("repair", *arguments, self.path("chat.json"),
                           preexec_fn=lambda: [os.close(fd) for fd in closed])
                self.assertStatus(done, FAILED)
                self.assertEqual(self.content("chat.json"), before)
                self.assertTrue(os.path.islink(self.path("stdout")))
        done = run("repair", "-", preexec_fn=lambda: os.close(0))
        self.assertStatus(done, FAILED)

    def test_in_place_of_what_is_no_file(self):
        os.mkfifo(self.path("pipe"))
        writer = threading.Thread(target=self.file, args=(line(ORPHAN_CALL), "pipe"))
        writer.start()
        done = run("repair", "-i", self.path("pipe"))
        writer.join()
        self.assertStatus(done, FAILED)
        self.assertIn("regular file", done.stderr.decode())

    @unittest.skipUnless(os.getuid() == 0, "needs to become somebody else")
    def test_in_place_keeps_the_owner_or_nothing(self):
        path = self.file(line(ORPHAN_CALL))
        os.chmod(path, 0o666)
        os.chmod(self.folder, 0o777)
        program = shutil.copy(shutil.which(PROGRAM), self.path("program"))
        os.chmod(program, 0o755)
        done = subprocess.run([program, "repair", "-i", path], capture_output=True, user=65534, group=65534,
                              extra_groups=[], timeout=TIMEOUT, env=environment())
        os.unlink(program)
        if b"shared librar" in done.stderr or b"libtool" in done.stderr:
            self.skipTest("the program runs in its build folder only")
        self.assertStatus(done, FAILED)
        self.assertIn(os.strerror(errno.EPERM), done.stderr.decode())
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))
        self.assertEqual(self.files(), ["chat.json"])

    def test_a_file_that_may_not_grow(self):
        path = self.file(line([{"role": "user", "content": "x" * 200000}, *ORPHAN_CALL[1:]]))
        before = self.content("chat.json")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))  # noqa: E731
        done = run("repair", "-i", path, preexec_fn=limit)
        self.assertStatus(done, FAILED)
        self.assertIn(os.strerror(errno.EFBIG), done.stderr.decode())
        self.assertEqual((self.files(), self.content("chat.json")), (["chat.json"], before))

    def test_an_output_that_may_not_grow(self):
        """Commands that write other files: what was there before stays."""
        path = self.file(line([{"role": "user", "content": "x" * 200000}, *ORPHAN_CALL[1:]]))
        before = self.content("chat.json")
        self.file(b"old", "out")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))  # noqa: E731
        for name in ("out", "new"):
            done = run("repair", "-o", self.path(name), path, preexec_fn=limit)
            self.assertStatus(done, FAILED)
            self.assertIn(os.strerror(errno.EFBIG), done.stderr.decode())
        self.assertEqual((self.files(), self.content("chat.json")), (["chat.json", "out"], before))
        self.assertEqual(self.content("out"), b"old")

    @unittest.skipIf(os.getuid() != 0, "only root can mount a disk that is full soon")
    def test_a_disk_that_is_full(self):
        disk = self.path("disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True,
                                 timeout=TIMEOUT, check=False)
        if mounted.returncode != 0:
            self.skipTest("mount: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", disk], check=True, timeout=TIMEOUT)
        history = line([{"role": "user", "content": "x" * 40000}, *ORPHAN_CALL[1:]])
        path = self.file(history, "disk/chat.json")
        for options in (("-i", path), ("-o", os.path.join(disk, "out"), path)):
            done = run("repair", *options)
            self.assertStatus(done, FAILED)
            self.assertIn(os.strerror(errno.ENOSPC), done.stderr.decode())
            self.assertEqual(os.listdir(disk), ["chat.json"])
            self.assertEqual(self.content("disk/chat.json"), history)

    def test_errors_that_nobody_hears(self):
        """A full stderr changes neither the status nor what is written."""
        path = self.file(line(ORPHAN_CALL))
        expected = run("repair", path).stdout
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "repair", path], stdout=subprocess.PIPE, stderr=full, timeout=TIMEOUT,
                                  env=environment(), check=False)
            self.assertEqual((done.returncode, done.stdout), (OK, expected))
            done = subprocess.run([PROGRAM, "repair", self.path("nothing")], stdout=subprocess.PIPE, stderr=full,
                                  timeout=TIMEOUT, env=environment(), check=False)
            self.assertEqual((done.returncode, done.stdout), (FAILED, b""))

    def test_readers_see_the_old_or_the_new(self):
        many = line(ORPHAN_CALL) * 2000
        path = self.file(many)
        seen, done = set(), threading.Event()

        def watch():
            while not done.is_set():
                seen.add(len(self.content("chat.json")))

        watcher = threading.Thread(target=watch)
        watcher.start()
        self.assertStatus(run("repair", "-q", "-i", path), OK)
        done.set()
        watcher.join()
        self.assertLessEqual(seen, {len(many), os.path.getsize(path)})

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "repair", "-q", self.file(line(CLEAN) * 100000)], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            self.assertStatus(done, FAILED)
            self.assertIn(os.strerror(errno.ENOSPC), done.stderr.decode())
            self.assertEqual(done.stderr.count(b"\n"), 1)
            done = subprocess.run([PROGRAM, "validate", "-q", self.file(line(ORPHAN_CALL))], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            self.assertStatus(done, FAILED)

    def test_a_closed_pipe_is_no_news(self):
        path = self.file(line(ORPHAN_CALL) * 20000)
        for command in ("validate", "repair"):
            process = subprocess.Popen([PROGRAM, command, "-q", path], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment())
            process.stdout.read(100)
            process.stdout.close()
            errors = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(TIMEOUT), -signal.SIGPIPE)
            self.assertEqual(errors, b"")


if __name__ == "__main__":
    unittest.main()
