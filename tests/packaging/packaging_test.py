#!/usr/bin/env python3
"""packaging_test.py EMEND BUILD SOURCES: completions in their shells, manual pages, the Debian package, the GitHub Action, the GitLab template,
the pre-commit hooks and the Containerfile, as far as each can be tried on this machine."""

import glob
import gzip
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import yaml

EMEND = BUILD = SOURCES = RELEASE = ""


def run(*command, check=True, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Place(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="emend-packaging-")
        self.addCleanup(self.place.cleanup)
        self.base = os.path.realpath(self.place.name)
        self.environment = {"PATH": os.path.dirname(EMEND) + ":" + os.environ["PATH"], "HOME": self.base, "EMEND_HOME": self.base + "/state",
                            "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}

    def write(self, path, text):
        path = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, path):
        with open(os.path.join(self.base, path), encoding="utf-8") as file:
            return file.read()

    def repository(self):
        """A commit without problems, and a staged file with one emend's own rules find."""
        repo = self.base + "/repo"
        self.write("repo/README.md", "A project.\n")
        for command in (("init", "-q", "-b", "main"), ("add", "."), ("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "start")):
            run("git", *command, cwd=repo, env=self.environment)
        self.write("repo/merge.txt", "int a;\n<<<<<<< ours\nint b;\n=======\nint c;\n>>>>>>> theirs\n")
        run("git", "add", ".", cwd=repo, env=self.environment)
        return repo


class Completions(Place):
    def script(self, shell):
        return self.write(f"completion.{shell}", run(EMEND, "completion", shell, env=self.environment).stdout)

    def test_bash(self):
        script = self.script("bash")
        cases = [("emend se", "sessions serve"), ("emend sessions re", "resume reject"), ("emend fix --approve ", "plan none"), ("emend --color = al", "always"),
                 ("emend -C fix ses", "sessions"), ("emend completion ", "bash zsh fish"), ("emend review --fail", "--fail-on"), ("emend __", ""),
                 ("emend fix --findings " + self.base + "/compl", self.base + "/completion.bash")]
        for line, expected in cases:
            words = " ".join(f"'{word}'" for word in line.split(" "))
            done = run("bash", "-euc", f"source '{script}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _emend; echo \"${{COMPREPLY[*]}}\"")
            self.assertEqual((done.stdout.strip(), done.stderr), (expected, ""), line)

    @needs("fish")
    def test_fish(self):
        script = self.script("fish")
        for line, expected in (("emend se", {"sessions", "serve"}), ("emend sessions re", {"resume", "reject"}), ("emend fix --approve ", {"plan", "none"}),
                               ("emend -C fix ses", {"sessions"}), ("emend completion ", {"bash", "zsh", "fish"}), ("emend sessions log --pro", {"--prompt"})):
            done = run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'", env=self.environment)
            self.assertEqual(done.stderr, "", line)
            self.assertEqual({row.split("\t")[0] for row in done.stdout.splitlines()}, expected, line)

    @needs("zsh")
    def test_zsh(self):
        """The functions, without the line editor: what would be offered is printed."""
        script = self.script("zsh")
        run("zsh", "-n", script)
        stub = "compdef() { :; }; compset() { :; }; compadd() { shift; print -r -- $@; }; _files() { print files; }; _describe() { print -r -- ${known%%:*}; }; "
        for line, expected in (("emend se", "agents"), ("emend fix --approve ''", "plan none"), ("emend fix --findings x", "files"), ("emend --color ''", "auto always never"),
                               ("emend sessions re", "resume")):
            done = run("zsh", "-fc", f"{stub} source '{script}'; words=({line}); CURRENT=$#words; _emend", env=self.environment)
            self.assertEqual(done.stderr, "", line)
            self.assertIn(expected, done.stdout, line)

    def test_an_unknown_shell_is_a_mistake(self):
        done = run(EMEND, "completion", "tcsh", check=False, env=self.environment)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bash, zsh, fish", done.stderr)


class Pages(Place):
    def test_every_command_has_one(self):
        run(EMEND, "__pages", self.base + "/pages", env=self.environment)
        pages = {os.path.basename(path) for path in glob.glob(self.base + "/pages/man/man1/*")}
        listed = re.findall(r"^  ([a-z]+) {2,}", run(EMEND, "--help", env=self.environment).stdout.split("\nStart:\n")[1], re.MULTILINE)
        self.assertGreater(len(listed), 15)
        self.assertEqual(pages, {"emend.1"} | {f"emend-{name}.1" for name in listed})
        self.assertIn("sessions\\ log", self.read("pages/man/man1/emend-sessions.1").replace("sessions log", "sessions\\ log"))
        for path in glob.glob(self.base + "/pages/man/man1/*"):
            if shutil.which("groff"):
                done = run("groff", "-man", "-Tutf8", "-ww", path)
                self.assertEqual(done.stderr, "", path)
                self.assertRegex(done.stdout, re.escape(os.path.basename(path)[:-2]) + " +- ")


class DebianPackage(Place):
    def package(self):
        """Made from the build that is tested, so it is the product's files and not its optimisation that is looked at."""
        run("cpack", "--config", BUILD + "/CPackConfig.cmake", "-B", self.base + "/package", env={**os.environ, "HOME": self.base})
        packages = glob.glob(self.base + "/package/*.deb")
        self.assertEqual(len(packages), 1, packages)
        return packages[0]

    @needs("dpkg-deb")
    def test_holds_everything_and_runs(self):
        package = self.package()
        fields = run("dpkg-deb", "--field", package).stdout
        for wanted in ("Package: emend", "Section: devel", "libc6", "libsqlite3-0", "git (>= 1:2.30)", "Recommends: "):
            self.assertIn(wanted, fields)
        self.assertNotIn("Conffiles", fields)
        root = self.base + "/root"
        run("dpkg-deb", "--extract", package, root)
        for path in ("bin/emend", "libexec/emend/emend-exec", "share/man/man1/emend.1.gz", "share/man/man1/emend-fix.1.gz", "share/bash-completion/completions/emend",
                     "share/zsh/vendor-completions/_emend", "share/fish/vendor_completions.d/emend.fish", "share/systemd/user/emend.service",
                     "share/doc/emend/copyright", "share/doc/emend/changelog.gz", "share/doc/emend/docs/configuration.md"):
            self.assertTrue(os.path.exists(f"{root}/usr/{path}"), path)
        with open(root + "/usr/share/systemd/user/emend.service", encoding="utf-8") as unit:
            self.assertIn("ExecStart=/usr/bin/emend serve", unit.read())
        self.assertFalse(os.path.exists(root + "/usr/share/stamp"))
        with gzip.open(root + "/usr/share/doc/emend/changelog.gz", "rt") as changes:
            self.assertTrue(changes.readline().startswith(f"emend ({RELEASE}) "))
        self.assertRegex(run(root + "/usr/bin/emend", "version", env=self.environment).stdout, r"^emend \d+\.\d+")
        doctor = run(root + "/usr/bin/emend", "doctor", "--offline", "--color", "never", check=False, cwd=self.base, env=self.environment).stdout
        self.assertRegex(doctor, r"(?m)^.*process guardian +ok|ok +process guardian", "emend-exec is not found where the package puts it")


    @needs("dpkg-deb")
    def test_the_action_installs_it_from_a_release(self):
        """A host of releases with this one package, and an apt-get that unpacks what it is given."""
        package = self.package()
        with open(package, "rb") as file:
            content = file.read()
        asked = []

        class Releases(http.server.BaseHTTPRequestHandler):
            def do_HEAD(self):
                asked.append((self.path, self.headers.get("Authorization")))
                self.send_response(302 if self.path == "/team/emend/releases/latest" else 404)
                self.send_header("Location", "/team/emend/releases/tag/v" + RELEASE)
                self.end_headers()

            def do_GET(self):
                asked.append((self.path, self.headers.get("Authorization")))
                there = self.path == f"/team/emend/releases/download/v{RELEASE}/{os.path.basename(package)}"
                self.send_response(200 if there else 404)
                self.end_headers()
                self.wfile.write(content if there else b"")

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Releases) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                root = self.base + "/root"
                for name, text in (("apt-get", f'#!/bin/sh\nfor last; do :; done\nexec dpkg-deb --extract "$last" {root}\n'), ("sudo", '#!/bin/sh\nexec "$@"\n')):
                    os.chmod(self.write("bin/" + name, text), 0o755)
                path = f"{self.base}/bin:{root}/usr/bin:{os.environ['PATH']}"
                if shutil.which("emend", path=path):
                    self.skipTest("emend is installed on this machine")
                environment = {**self.environment, "PATH": path, "EMEND_REPOSITORY": "team/emend", "EMEND_TOKEN": "secret",
                               "EMEND_RELEASES": f"http://127.0.0.1:{server.server_port}"}
                script = SOURCES + "/packaging/github/install.sh"
                missing = run(script, env={**environment, "EMEND_VERSION": "9.9.9"}, check=False)
                self.assertEqual(missing.returncode, 3, missing.stderr)
                self.assertIn("v9.9.9", missing.stderr)
                done = run(script, env={**environment, "EMEND_VERSION": "latest"})
                self.assertIn("emend " + RELEASE, done.stdout)
                self.assertEqual({token for _, token in asked}, {"Bearer secret"})
            finally:
                server.shutdown()
                thread.join()


class Action(Place):
    def setUp(self):
        super().setUp()
        with open(SOURCES + "/action.yml", encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        self.repo = self.repository()
        run("git", "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more", cwd=self.repo, env=self.environment)
        self.environment.update({"GITHUB_OUTPUT": self.base + "/output", "GITHUB_STEP_SUMMARY": self.base + "/summary", "RUNNER_TEMP": self.base,
                                 "GITHUB_ACTION_PATH": SOURCES, "GITHUB_ACTIONS": "true"})
        self.write("output", "")
        self.write("summary", "")

    def step(self, number, **inputs):
        """Runs a step as GitHub would: its env, with the inputs' values in place of the expressions."""
        step = self.action["runs"]["steps"][number]
        values = {name: about.get("default", "") for name, about in self.action["inputs"].items()}
        values.update({name.replace("_", "-"): value for name, value in inputs.items()})
        environment = dict(self.environment)
        for name, text in step["env"].items():
            known = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", text)
            environment[name] = values[known.group(1)] if known else ""
        return run("bash", "-euo", "pipefail", "-c", step["run"], cwd=self.repo, env=environment, check=False)

    def outputs(self):
        return dict(line.split("=", 1) for line in self.read("output").splitlines())

    def test_names_what_it_gives(self):
        steps = {step.get("id"): step for step in self.action["runs"]["steps"]}
        for name, about in self.action["outputs"].items():
            self.assertEqual(about["value"], f"${{{{ steps.run.outputs.{name} }}}}")
        self.assertIn("run", steps)
        for step in steps.values():
            self.assertNotIn("${{", step["run"], "an expression in a script is a way in for whoever writes a title")

    def test_installs_nothing_that_is_there(self):
        done = self.step(0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^emend \d")

    def test_refuses_a_version_that_is_none(self):
        self.environment["PATH"] = os.environ["PATH"]
        if shutil.which("emend", path=self.environment["PATH"]):
            self.skipTest("emend is installed on this machine")
        step = self.action["runs"]["steps"][0]
        done = run("bash", "-c", step["run"], env={**self.environment, "EMEND_VERSION": "1; rm -rf /", "EMEND_REPOSITORY": "a/b"}, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_reviews(self):
        done = self.step(1, args="--analyzers builtin", fail_on="low")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        outputs = self.outputs()
        self.assertEqual(outputs["exit-code"], "1")
        self.assertGreaterEqual(int(outputs["findings"]), 1)
        with open(outputs["sarif-file"], encoding="utf-8") as file:
            self.assertEqual(json.load(file)["version"], "2.1.0")
        self.assertIn("merge.txt", self.read("summary"))
        self.assertIn("::", done.stdout, "annotations of the lines")

    def test_reviews_without_failing(self):
        self.assertEqual(self.step(1, args="--all --analyzers 'builtin'", fail_on="never").returncode, 0)
        self.assertEqual(self.outputs()["exit-code"], "0")

    def test_fixes(self):
        done = self.step(1, command="fix", args="--safe")
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        outputs = self.outputs()
        self.assertEqual(outputs["exit-code"], str(done.returncode))
        self.assertTrue(outputs["resolved"].isdigit() and outputs["findings"].isdigit(), outputs)

    def test_refuses_other_commands_and_open_quotes(self):
        for inputs in ({"command": "serve"}, {"command": "review; id"}, {"args": "--all 'open"}):
            done = self.step(1, **inputs)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("::error::", done.stdout)

    def test_words_are_only_words(self):
        mark = self.base + "/mark"
        self.step(1, args=f"--analyzers builtin --commit '$(touch {mark})'")
        self.step(1, args=f"--analyzers builtin; touch {mark}")
        self.assertFalse(os.path.exists(mark))


class Templates(Place):
    def test_pre_commit_hooks_find_what_is_staged(self):
        with open(SOURCES + "/.pre-commit-hooks.yaml", encoding="utf-8") as file:
            hooks = yaml.safe_load(file)
        repo = self.repository()
        self.assertEqual([hook["id"] for hook in hooks], ["emend", "emend-analyzers"])
        for hook in hooks:
            self.assertEqual(hook["language"], "system")
            self.assertFalse(hook["pass_filenames"])
            done = run(*hook["entry"].split(), cwd=repo, env=self.environment, check=False)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("merge.txt", done.stdout)
        run("git", "rm", "-q", "--cached", "merge.txt", cwd=repo, env=self.environment)
        self.assertEqual(run(*hooks[0]["entry"].split(), cwd=repo, env=self.environment, check=False).returncode, 0)

    def test_gitlab_job_runs(self):
        with open(SOURCES + "/packaging/gitlab/emend.yml", encoding="utf-8") as file:
            spec, jobs = yaml.safe_load_all(file)
        job = jobs["emend"]
        for used in re.findall(r"\$\[\[ inputs\.(\w+) \]\]", json.dumps(job)):
            self.assertIn(used, spec["spec"]["inputs"])
        repo = self.repository()
        variables = {**job["variables"], "CI_PROJECT_DIR": repo, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "", "EMEND_ARGS": "--analyzers builtin"}
        run("git", "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more", cwd=repo, env=self.environment)
        done = run("sh", "-ec", "\n".join(job["script"]), cwd=repo, env={**self.environment, **variables, "EMEND_FAIL_ON": "low"}, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        report = self.read("repo/" + job["artifacts"]["reports"]["codequality"])
        self.assertIn("merge.txt", report)

    def test_the_demo_needs_no_npm(self):
        with tempfile.TemporaryDirectory() as fresh:  # without web/node_modules
            shutil.copy(SOURCES + "/Makefile", fresh)
            said = run("make", "-n", "demo", "--directory", fresh).stdout
        self.assertIn("setup/install.sh", said)
        self.assertNotIn("npm", said.replace("node_modules", ""))
        self.assertNotIn("web.sh", said)
        with open(SOURCES + "/setup/packages.txt", encoding="utf-8") as file:
            self.assertFalse({"npm", "nodejs", "libgtest-dev"} & set(file.read().split()))
        self.assertIn("-DEMEND_DASHBOARD=OFF", said)

    def test_containerfile_names_what_there_is(self):
        with open(SOURCES + "/Containerfile", encoding="utf-8") as file:
            text = re.sub(r"\$\([^)]*\)", "", file.read().replace("\\\n", " "))
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
            *sources, _ = line.split()
            for source in sources:
                self.assertTrue(os.path.exists(os.path.join(SOURCES, source)), source)
        with open(SOURCES + "/setup/packages.txt", encoding="utf-8") as file:
            known = {line.strip() for line in file if line.strip() and not line.startswith("#")}
        for words in re.findall(r"apt-get install ([^&]*)", text):
            for name in words.split():
                if re.fullmatch(r"[a-z0-9.+-]+", name) and not name.startswith("-") and name not in known:
                    done = run("apt-cache", "show", "--no-all-versions", name, check=False)
                    self.assertEqual(done.returncode, 0, f"there is no package {name}")
        self.assertRegex(text, r"\nUSER emend\n")


if __name__ == "__main__":
    EMEND, BUILD, SOURCES = (os.path.realpath(path) for path in sys.argv[1:4])
    RELEASE = run(EMEND, "version").stdout.split()[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
