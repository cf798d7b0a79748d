#!/usr/bin/env python3
"""The npm packages: packed from a small program in emend's place, installed by npm without a network, started as `npx emend` starts it.

    npm_test.py SOURCES
"""

import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCES = ""
ARM64, X64 = 183, 62
PROGRAM = "#!/bin/sh\necho \"$0 $*\"\ncat\nexit 7\n"


class Npm(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="emend-npm-")
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("bin/emend", "libexec/emend/emend-exec"):
            path = os.path.join(self.root, "stage", name)
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            os.chmod(path, 0o755)
        done = self.pack()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.project = os.path.join(self.root, "project")
        os.makedirs(self.project)
        with open(os.path.join(self.project, "package.json"), "w", encoding="utf-8") as file:
            file.write("{}")  # or npm takes the nearest folder above that has one for the project

    def pack(self):
        return subprocess.run([sys.executable, SOURCES + "/packaging/npm/pack.py", self.root + "/stage", "1.2.3", self.root + "/out"],
                              capture_output=True, text=True, check=False)

    def build_for(self, machine, *names):
        """In place of the programs, ones that another machine would run, as far as their heads say."""
        head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0)
        for name in names:
            with open(os.path.join(self.root, "stage", name), "wb") as file:
                file.write(head)

    def install(self, *packages):
        subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", "--cache", self.root + "/cache",
                        *packages], cwd=self.project, check=True, capture_output=True, env=dict(os.environ, HOME=self.root))

    def start(self, *arguments):
        return subprocess.run([self.project + "/node_modules/.bin/emend", *arguments], cwd=self.project, input="in\n", text=True, capture_output=True)

    def test_the_launcher_starts_the_program_of_the_platform(self):
        self.install(*glob.glob(self.root + "/out/*.tgz"))
        done = self.start("mcp", "--read-only")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("bin/emend mcp --read-only\nin\n", done.stdout)
        [guardian] = glob.glob(self.project + "/node_modules/@emend/*/libexec/emend/emend-exec")
        self.assertTrue(os.access(guardian, os.X_OK))

    def test_a_program_that_needs_more_than_a_plain_machine_has_is_not_packed(self):
        shutil.copy("/usr/bin/git", self.root + "/stage/bin/emend")  # needs libpcre2 and zlib
        done = self.pack()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bin/emend needs libpcre", done.stderr)
        self.assertIn("EMEND_PORTABLE", done.stderr)

    def test_a_program_that_needs_a_newer_glibc_is_not_packed(self):
        sys.dont_write_bytecode = True
        sys.path.insert(0, SOURCES + "/packaging/npm")
        import pack  # pylint: disable=import-outside-toplevel
        self.assertGreater(pack.glibc_of("/usr/bin/git"), (2, 4))
        os.makedirs(self.root + "/newer/bin")
        shutil.copy("/usr/bin/git", self.root + "/newer/bin/git")
        pack.GLIBC = (2, 4)
        with self.assertRaises(SystemExit) as refused:
            pack.refuse_newer_glibc(self.root + "/newer", ["bin/git"])
        self.assertIn("bin/git needs glibc 2.", str(refused.exception))

    def test_without_the_platforms_package_it_says_what_to_do(self):
        self.install(self.root + "/out/emend-1.2.3.tgz")
        done = self.start("check")
        self.assertEqual(done.returncode, 2)
        self.assertIn("npm has left out @emend/linux-", done.stderr)

    def test_the_launcher_promises_the_platforms_that_were_packed_and_no_others(self):
        [programs] = glob.glob(self.root + "/out/emend-linux-*-1.2.3.tgz")
        here = os.path.basename(programs)[len("emend-"):-len("-1.2.3.tgz")]
        self.install(self.root + "/out/emend-1.2.3.tgz")
        with open(self.project + "/node_modules/emend/package.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["optionalDependencies"], {"@emend/" + here: "1.2.3"})
        elsewhere = "Object.defineProperty(process, 'arch', {value: 'riscv64'}); require('./node_modules/emend/launcher.js')"
        done = subprocess.run(["node", "-e", elsewhere], cwd=self.project, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"there is no package for linux on riscv64 (there is for: {here})", done.stderr)

    def test_the_platform_is_the_one_the_programs_were_built_for(self):
        self.build_for(ARM64, "bin/emend", "libexec/emend/emend-exec")
        done = self.pack()
        self.assertEqual(done.returncode, 0, done.stderr)
        with tarfile.open(self.root + "/out/emend-linux-arm64-1.2.3.tgz") as tar:
            manifest = json.load(tar.extractfile("package/package.json"))
        self.assertEqual((manifest["name"], manifest["os"], manifest["cpu"], manifest["libc"]), ("@emend/linux-arm64", ["linux"], ["arm64"], ["glibc"]))
        self.assertTrue(os.path.exists(self.root + "/out/emend-1.2.3-linux-arm64.tar.gz"))
        with tarfile.open(self.root + "/out/emend-1.2.3.tgz") as tar:  # those of this machine were packed before
            promised = json.load(tar.extractfile("package/package.json"))["optionalDependencies"]
        self.assertIn("@emend/linux-arm64", promised)
        self.assertEqual(len(promised), len(glob.glob(self.root + "/out/emend-linux-*.tgz")))

    def test_programs_for_two_machines_are_not_packed_together(self):
        self.build_for(ARM64, "bin/emend")
        self.build_for(X64, "libexec/emend/emend-exec")
        done = self.pack()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("bin/emend is for aarch64, libexec/emend/emend-exec is for x86_64", done.stderr)

    def test_the_tarball_holds_both_programs(self):
        [path] = glob.glob(self.root + "/out/*.tar.gz")
        names = subprocess.run(["tar", "-tzf", path], check=True, capture_output=True, text=True).stdout.split()
        self.assertTrue({"emend-1.2.3/bin/emend", "emend-1.2.3/libexec/emend/emend-exec"} <= set(names), names)


if __name__ == "__main__":
    if not shutil.which("npm"):
        print("npm is missing")
        sys.exit(77)
    SOURCES = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
