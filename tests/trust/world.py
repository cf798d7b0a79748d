"""One small world a scenario plays in: a repository with planted defects, a user's home, the fake agents on a PATH of their own, a state
directory, and the real program. Everything lies below one temporary directory, so that whatever goes astray can be seen."""

import hashlib
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import projects
from place import Place, read, write

HERE = os.path.dirname(os.path.abspath(__file__))
AGENTS = (("claude", "gemini"), ("codex", "claude"), ("gemini", "codex"))
SOURCES = ("src", "my src", "größe", "lib/deep", "a'b", "$(id)")


class Variation:
    """What a seed decides: language, names, agents, small delays."""

    def __init__(self, number=0, seed="", language=None):
        self.random = random.Random(f"{seed}/{number}")
        known = projects.languages()
        self.number = number
        plain = number == 0
        self.language = language or ("shell" if plain else self.random.choice(known))
        self.source = "src" if plain else self.random.choice(SOURCES)
        self.fixer, self.judge = AGENTS[0] if plain else self.random.choice(AGENTS)
        self.delay_ms = 0 if plain else self.random.choice((0, 0, 3, 20, 60))

    def __str__(self):
        return f"{self.language}, {self.source!r}, {self.fixer}/{self.judge}, {self.delay_ms} ms"


def words(*parts):
    """A step: the first part is its word, the others are quoted."""
    return parts[0] + "".join(" " + json.dumps(str(part), ensure_ascii=False) for part in parts[1:])


def quoted(path):
    """For sh."""
    return "'" + path.replace("'", "'\\''") + "'"


class World(Place):
    def __init__(self, tools, variation):
        self.tools = tools
        self.variation = variation
        super().__init__(tools.emend, "trust")
        self.project = projects.make(variation.language, variation.source)
        self.files = dict(self.project.files)
        self.commands = [{"name": "suite", "run": "sh tests/run.sh"}]
        self.settings = {}       # more keys of the configuration: "section.key" -> TOML value
        self.variables = {}      # more environment for the program
        self.arguments = []      # more arguments of `emend fix`
        self.prefix = []         # what starts the program
        self.chosen = ["--config", self.path("config.toml")]  # how it finds its configuration
        self.codes = {}          # name of an issue -> its code
        self.findings = {}       # name of an issue -> finding
        self.expected = {}       # name of an issue -> (status, words)
        self.allowed = {}        # name of an issue -> paths its fix may touch
        self.checks = []         # functions of the world that give what is not as it should be
        self.edits = {}          # name of an issue -> [(path, old, new)] when it is resolved
        self.scripts = {}        # file name -> steps, for scripts that name no issue
        self.by_issue = {}       # (role, name, number) -> steps
        self.ignored = set()     # paths below base that the scenario itself changes while the program runs
        self.made_executable = set()  # paths, by fixes
        self.notes = []
        self.repository = None   # None: what `git init` makes
        self.result = None
        self.exit_code = None
        self.head = ""
        self.secrets = {}
        self.judge("verdict 97")
        self.scripts["canary"] = ["verdict 3"]  # it approves of everything but of a worthless diff

    # --- what the scenario says
    def issue(self, name, **changes):
        site = self.project.sites[name]
        self.findings[name] = dict({"id": name, "file": site.path, "line": site.line, "severity": "high", "title": site.says,
                                    "description": site.says}, **changes)
        self.allowed.setdefault(name, [site.path])
        return site

    def finding(self, name, allowed=(), **fields):
        """An issue that is none of the planted defects."""
        self.findings[name] = dict({"id": name, "line": 1, "severity": "high", "title": name, "description": name}, **fields)
        self.allowed[name] = list(allowed)

    def cure(self, name, which="cure"):
        site = self.project.sites[name]
        return self.edit(site.path, getattr(site, which))

    def trick(self, name):
        return self.edit(self.project.sites["clamp"].path, self.project.tricks[name])

    @staticmethod
    def edit(path, edits):
        return [words("replace", path, old, new) for old, new in edits]

    def fixer(self, name, *steps, number=None):
        self.by_issue["fixer", name, number] = self.flat(steps)

    def judge(self, *steps, name=None, number=None):
        if name is None:
            self.scripts["fix_challenger" + (f".{number}" if number else "")] = self.flat(steps)
        else:
            self.by_issue["fix_challenger", name, number] = self.flat(steps)

    @staticmethod
    def flat(steps):
        lines = []
        for step in steps:
            lines += [step] if isinstance(step, str) else list(step)
        return lines

    def attack(self, name, *steps, status="FAILED", why="", cured=True, claim="fixed"):
        """An issue whose fixer does these steps; with `cured` it mends the defect, too, so that only the cheat can be what is refused."""
        self.issue(name)
        self.fixer(name, self.cure(name) if cured else [], *steps, [f"claim {claim}"] if claim else [])
        self.expect(name, status, why)

    def honest(self, name="mean", *more):
        """An issue that is mended as it should be, and must be RESOLVED whatever the others do."""
        self.issue(name)
        delay = [f"sleep {self.variation.delay_ms}"] if self.variation.delay_ms else []
        self.fixer(name, delay, self.cure(name), *more, "claim fixed")
        self.resolved(name)

    def noted(self, name, *steps, note):
        """A right fix with something in it that a reader should look at: RESOLVED, and the judge's prompt has the note."""
        self.attack(name, *steps, status="RESOLVED")
        self.checks.append(lambda w: [] if any(note in prompt for prompt in w.prompts("fix_challenger")) else [f"no judge was told that it {note!r}"])

    def resolved(self, name, edits=None):
        self.expect(name, "RESOLVED")
        site = self.project.sites.get(name)
        self.edits[name] = edits if edits is not None else [(site.path, old, new) for old, new in site.cure]

    def expect(self, name, status, why=""):
        self.expected[name] = (status, why)

    def reproducer(self, name):
        """A check that is red on the base, kept outside of the repository."""
        site = self.project.sites[name]
        cases = " ".join("'" + case + "'" for case, _ in site.known)
        wanted = "".join(line + "\\n" for _, line in site.known)
        write(self.path("held", name + ".sh"), f'out=$(sh {self.path("held", "drive.sh")} {cases}; echo .)\n[ "$out" = "$(printf \'{wanted}.\')" ]\n')
        self.commands.append({"name": "check " + name, "run": f"sh {self.path('held', name + '.sh')}", "paths": [site.path]})

    def plant_secret(self, name, where):
        """A secret nobody may carry away; where is a path below the user's home, or the name of a variable."""
        self.secrets[name] = "canary" + hashlib.sha256(f"{self.root}/{name}".encode()).hexdigest()[:24]
        if "/" in where:
            write(os.path.join(self.home, where), self.secrets[name] + "\n", 0o600)
        else:
            self.variables[where] = self.secrets[name]
        return self.secrets[name]

    # --- making it
    def build(self):
        for directory in ("repo", "user", "state", "agents/bin", "agents/scripts", "agents/state", "held"):
            os.makedirs(self.path(directory), exist_ok=True)
        for name in ("claude", "gemini", "codex"):
            self.install(name)
        for path, text in self.project.driver.items():
            write(self.path("held", path), text)
        for path in (".bashrc", ".profile", ".gitconfig", ".ssh/config"):
            write(os.path.join(self.home, path), "# the user's own\n")
        self.make_repository()
        self.configure()

    def install(self, name):
        target = self.path("agents/bin", name)
        try:
            os.link(self.tools.fake_agent, target)
        except OSError:
            shutil.copy2(self.tools.fake_agent, target)

    def make_repository(self):
        for path, text in self.files.items():
            write(os.path.join(self.repo, path), text)
        if self.repository is not None:
            self.repository(self)
        else:
            self.git("init", "-q", "-b", "main")
            self.commit("base")
        code, out = self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False)
        self.head = out.strip() if code == 0 else ""

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)

    def git(self, *arguments, check=True, cwd=None):
        env = {"PATH": os.environ["PATH"], "HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0",
               "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["git", "-c", "user.name=Test User", "-c", "user.email=test@example.org", *arguments], cwd=cwd or self.repo,
                              env=env, capture_output=True, check=False)
        out = done.stdout.decode(errors="surrogateescape")
        if not check:
            return done.returncode, out
        if done.returncode != 0:
            raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return out

    def configure(self):
        commands = ", ".join("{ " + ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in command.items()) + " }"
                             for command in self.commands)
        settings = {"fix.agent": json.dumps(self.variation.fixer), "fix.timeout": '"30s"', "fix.parallel": "1",
                    "fix_challenger.agent": json.dumps(self.variation.judge), "fix_challenger.timeout": '"30s"',
                    "fix_challenger.max_iterations": "1", "fix_challenger.retries": "0", "fix_challenger.canaries": "0", "verify.commands": f"[{commands}]",
                    "verify.timeout": '"30s"', "sandbox.shared": json.dumps([self.path("agents/state")]),
                    "verify.mode": '"each"', "verify.max_fix_cycles": "1"}
        settings.update(self.settings)
        sections = {}
        for key, value in settings.items():
            section, _, name = key.rpartition(".")
            sections.setdefault(section, []).append(f"{name} = {value}")
        write(self.path("config.toml"), "".join(f"[{section}]\n" + "\n".join(lines) + "\n\n" for section, lines in sections.items()))

    def write_scripts(self):
        for name, steps in self.scripts.items():
            write(self.path("agents/scripts", name), "\n".join(steps) + "\n")
        for (role, name, number), steps in self.by_issue.items():
            file = f"{role}.{self.codes[name]}" + (f".{number}" if number else "")
            write(self.path("agents/scripts", file), "\n".join(steps) + "\n")

    # --- running it
    def variables_now(self, own=True):
        python = os.path.dirname(os.path.realpath(sys.executable))
        env = {"PATH": ":".join([self.path("agents/bin"), python, "/usr/local/bin", "/usr/bin", "/bin"]), "HOME": self.home,
               "EMEND_HOME": self.state, "CI": "true", "LC_ALL": "C.UTF-8", "TMPDIR": "/tmp"}
        if own:
            env.update(self.tools.variables)
            env.update(self.variables)
        return {name: value for name, value in env.items() if value is not None}  # None: not even the usual one

    def emend(self, *arguments, env=None, cwd=None):
        child = subprocess.Popen([*self.prefix, self.tools.emend, *self.chosen, *arguments], cwd=cwd or self.repo,
                                 env=dict(self.variables_now(), **(env or {})), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = child.communicate(timeout=self.tools.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            err += b"\nthe suite's own time limit ended it\n"
        return subprocess.CompletedProcess(arguments, child.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def add_issues(self):
        write(self.path("findings.json"), json.dumps({"findings": list(self.findings.values())}))
        done = self.emend("issues", "add", "--json", "--findings", self.path("findings.json"))
        if done.returncode != 0:
            raise RuntimeError("issues add: " + done.stderr)
        for row in json.loads(done.stdout)["data"]:
            self.codes[row["finding_id"]] = row["code"]

    def fix(self, *more, **options):
        self.result = self.emend("fix", "--json", *self.arguments, *more, *self.codes.values(), **options)
        self.exit_code = self.result.returncode
        return self.result

    def calls(self):
        try:
            lines = read(self.path("agents/state/calls.jsonl")).decode(errors="replace").splitlines()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines]

    def prompts(self, role):
        state = self.path("agents/state")
        return [read(os.path.join(state, name)).decode(errors="replace") for name in sorted(os.listdir(state))
                if name.startswith(role + ".") and name.endswith(".prompt")]

    # --- looking at it afterwards
    def branch(self):
        out = self.git("for-each-ref", "--format=%(refname:short)", "refs/heads/fix", check=False)[1].split()
        return out[0] if out else ""

    def tree(self, ref):
        rows = {}
        for line in self.git("ls-tree", "-r", "-z", ref).split("\0"):
            if line:
                head, path = line.split("\t", 1)
                rows[path] = tuple(head.split(" ")[0::2])
        return rows

    def expected_tree(self):
        """The base with the edits of everything that is to be resolved."""
        rows = self.tree(self.head)
        texts = {}
        for name, edits in self.edits.items():
            if self.expected[name][0] != "RESOLVED":
                continue
            for path, old, new in edits:
                if new is None:
                    rows.pop(path, None)
                    continue
                if old is None:
                    texts[path] = new.encode() if isinstance(new, str) else new
                    continue
                text = texts.get(path) or self.blob(self.head, path)
                texts[path] = text.replace(old.encode(), new.encode())
        for path, text in texts.items():
            blob = b"blob %d\0" % len(text) + text
            known = hashlib.sha256 if len(self.head) == 64 else hashlib.sha1
            rows[path] = (rows.get(path, ("100644",))[0], known(blob).hexdigest())
        for path in self.made_executable:
            rows[path] = ("100755", rows[path][1])
        return rows

    def blob(self, ref, path):
        return subprocess.run(["git", "--no-replace-objects", "-C", self.repo, "show", f"{ref}:{path}"], capture_output=True, check=True).stdout

    def manifest(self):
        """Everything that is not the program's to change, with content, mode and time."""
        ours = [self.state, self.path("agents/state"), *(self.path(name) for name in self.ignored)]
        entries = {}
        for directory, names, files in os.walk(self.root):
            names[:] = [name for name in names if os.path.join(directory, name) not in ours and not self.is_engines(os.path.join(directory, name))]
            for name in names + files:
                path = os.path.join(directory, name)
                if path in ours or self.is_engines(path) or self.holds_engines(path):
                    continue
                entries[os.path.relpath(path, self.root)] = self.entry(path)
        return entries

    def is_engines(self, path):
        """A new branch and its objects are what the program is for."""
        return (self.below_git(path) + "/").startswith(("objects/", "refs/heads/fix", "logs/refs/heads/fix"))

    def holds_engines(self, path):
        """Directories that may come to be with a branch."""
        return os.path.isdir(path) and self.below_git(path) in ("refs/heads", "logs", "logs/refs", "logs/refs/heads")

    def below_git(self, path):
        git = os.path.join(self.repo, ".git") if os.path.isdir(os.path.join(self.repo, ".git")) else self.repo
        return os.path.relpath(path, git)

    @staticmethod
    def entry(path):
        info = os.lstat(path)
        content = ""
        if stat.S_ISREG(info.st_mode):
            content = hashlib.sha256(read(path)).hexdigest()
        elif stat.S_ISLNK(info.st_mode):
            content = os.readlink(path)
        return f"{content} {info.st_mode:o} {info.st_mtime_ns}" if not stat.S_ISDIR(info.st_mode) else f"{info.st_mode:o}"

    def processes_left(self):
        left = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if int(pid) == os.getpid():
                continue
            try:
                told = os.readlink(f"/proc/{pid}/exe") + "\n" + os.readlink(f"/proc/{pid}/cwd")
                told += "\n" + read(f"/proc/{pid}/environ").decode(errors="replace") + read(f"/proc/{pid}/cmdline").decode(errors="replace")
            except OSError:
                continue
            if self.root in told:
                left.append((int(pid), read_quietly(f"/proc/{pid}/cmdline")))
        return left

    def secrets_out(self):
        """Names of the secrets that are anywhere they can be read later: branch, database, artifacts, output."""
        places = {"output": (self.result.stdout + self.result.stderr).encode() if self.result else b""}
        for directory, _, files in os.walk(self.state):
            for name in files:
                try:
                    places[os.path.relpath(os.path.join(directory, name), self.root)] = read(os.path.join(directory, name))
                except OSError:
                    continue
        if self.branch():
            places["branch"] = subprocess.run(["git", "-C", self.repo, "log", "-p", self.branch()], capture_output=True, check=True).stdout
        return [f"{name} in {place}" for place, text in places.items() for name, secret in self.secrets.items() if secret.encode() in text]

    def oracle_spec(self):
        issues = {}
        for name, code in self.codes.items():
            site = self.project.sites.get(name)
            issues[code] = {"file": self.findings[name].get("file", ""), "allowed": self.allowed[name], "executable": sorted(self.made_executable),
                            "driver": self.path("held", "drive.sh"), "cases": list(site.cases) if site else []}
        return {"base": self.head, "commands": self.commands, "threshold": 95, "issues": issues}

    def ask_oracle(self):
        write(self.path("spec.json"), json.dumps(self.oracle_spec()))
        done = subprocess.run([sys.executable, os.path.join(HERE, "oracle.py"), self.repo, os.path.join(self.state, "emend.db"),
                               self.path("spec.json")], env=self.variables_now(own=False), capture_output=True, timeout=300, check=False)
        if done.returncode != 0:
            raise RuntimeError("the oracle failed: " + done.stderr.decode(errors="replace"))
        return json.loads(done.stdout)

    def close(self):
        for pid, _ in self.processes_left():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        subprocess.run(["chmod", "-R", "u+rwX", self.root], check=False, capture_output=True)
        for _ in range(20):
            shutil.rmtree(self.root, ignore_errors=True)
            if not os.path.exists(self.root):
                return
            time.sleep(0.05)


def read_quietly(path):
    try:
        return read(path).replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
