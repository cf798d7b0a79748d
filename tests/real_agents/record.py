#!/usr/bin/env python3
"""Records what the real CLIs print, for parser tests: tests/data/agent_streams/CLI-CASE.jsonl, .stderr where that tells more, and their
exit codes in exit_codes.txt.

    record.py [PATTERN...]     records the cases whose names match one of the shell patterns (default: all of them)

Session ids, times and paths are replaced by stable ones, so that a new recording differs only where a CLI does.
"""

import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import environment
from model_server import Log, Server
from script import Script

HERE = os.path.dirname(os.path.abspath(__file__))
AGENTS = os.path.join(HERE, "node_modules", ".agents")
OPTIONAL = os.path.join(HERE, "optional", "node_modules", ".agents")
OUTPUT = os.path.join(os.path.dirname(HERE), "data", "agent_streams")
LONGEST = 2000  # characters of one string that are kept

CLAUDE = ["claude", "-p", "--output-format", "stream-json", "--verbose"]
CLAUDE_ALL = [*CLAUDE, "--dangerously-skip-permissions"]
GEMINI = ["gemini", "--skip-trust", "-m", "gemini-2.5-pro", "-o", "stream-json"]
GEMINI_ALL = [*GEMINI, "--approval-mode", "yolo"]
CODEX = ["codex", "exec", "--json", "--dangerously-bypass-approvals-and-sandbox"]
OPENCODE = ["opencode", "run", "--format", "json", "--auto"]
QWEN = ["qwen", "--auth-type", "openai", "-o", "stream-json", "--approval-mode", "yolo"]

NOBODY = "http://127.0.0.1:9"  # no server listens here
PLAN_LIMIT = {"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "1893456000",
              "anthropic-ratelimit-unified-representative-claim": "five_hour", "retry-after": "3600"}

VERDICT = {"status": "fixed", "files": ["calc.py"]}
SCHEMA = {"type": "object", "properties": {"status": {"type": "string"}, "files": {"type": "array", "items": {"type": "string"}}},
          "required": ["status", "files"], "additionalProperties": False}
PATCH = "*** Begin Patch\n*** Update File: calc.py\n@@\n def add(a, b):\n-    return a - b\n+    return a + b\n*** End Patch"
AGENT_FLAG = ["--agents", json.dumps({"fixer-single": {"description": "Fixes one issue", "prompt": "You fix one issue.", "tools": ["Read"]}})]
GEMINI_AGENT = "---\nname: fixer-single\ndescription: Fixes one issue\nkind: local\ntools: [read_file]\n---\nYou fix one issue.\n"

# Reading, editing, testing and reporting, one tool call a turn, in each CLI's own tools.
STEPS = {
    "claude": [{"tool": "Read", "arguments": {"file_path": "${cwd}/calc.py"}},
               {"tool": "Edit", "arguments": {"file_path": "${cwd}/calc.py", "old_string": "return a - b", "new_string": "return a + b"}},
               {"tool": "Bash", "arguments": {"command": "python3 test_calc.py", "description": "Run the test"}}],
    "gemini": [{"tool": "read_file", "arguments": {"file_path": "calc.py"}},
               {"tool": "replace", "arguments": {"file_path": "calc.py", "instruction": "Add.", "old_string": "a - b", "new_string": "a + b"}},
               {"tool": "run_shell_command", "arguments": {"command": "python3 test_calc.py", "description": "Run the test"}}],
    "codex": [{"tool": "exec_command", "arguments": {"cmd": "cat calc.py"}}, {"tool": "apply_patch", "input": PATCH},
              {"tool": "exec_command", "arguments": {"cmd": "python3 test_calc.py"}}],
    "opencode": [{"tool": "read", "arguments": {"filePath": "${cwd}/calc.py"}},
                 {"tool": "edit", "arguments": {"filePath": "${cwd}/calc.py", "oldString": "a - b", "newString": "a + b"}},
                 {"tool": "bash", "arguments": {"command": "python3 test_calc.py", "description": "Run the test"}}],
    "qwen": [{"tool": "read_file", "arguments": {"file_path": "${cwd}/calc.py"}},
             {"tool": "edit", "arguments": {"file_path": "${cwd}/calc.py", "old_string": "a - b", "new_string": "a + b"}},
             {"tool": "run_shell_command", "arguments": {"command": "python3 test_calc.py", "is_background": False}}],
}


def fix_rules(cli, **more):
    rules = [{"name": "more", "if": {"says": "anything else"}, "do": {"json": {"status": "nothing else"}}}]
    for number, call in enumerate(STEPS[cli]):
        speech = {"thinking": "**Look** at the file first.", "text": "Reading calc.py – naïvely."} if number == 0 else {}
        rules.append({"name": f"step-{number}", "if": {"results": number}, "do": {**speech, "calls": [call], **more}})
    usage = {"input": 1000, "output": 50, "cached": 200, "reasoning": 10}
    return rules + [{"name": "final", "do": {"json": VERDICT, "usage": usage}}]


def always(**action):
    return [{"name": "always", "do": action}]


def then_fine(**action):
    return [{"name": "first", "times": 1, "do": action}, {"name": "fine", "do": {"text": "fine now"}}]


def agent_rules(calls, end="both done", waits=()):
    """The main conversation starts the calls, their conversations answer after a while, the main one ends."""
    rules = [{"name": "sub-" + name, "if": {"asks": "SUB-" + name, "unsaid": "MAINTASK"}, "do": {**do, "wait_ms": 1200}}
             for name, do in (("A", calls["A"]), ("B", calls["B"]))]
    rules.append({"name": "spawn", "if": {"asks": "MAINTASK", "turns": 0}, "do": {"text": "Two at once.", "calls": calls["spawn"]}})
    rules += [{"name": f"wait-{turn}", "if": {"asks": "MAINTASK", "turns": turn}, "do": {"calls": [call]}} for turn, call in enumerate(waits, 1)]
    return rules + [{"name": "end", "do": {"text": end}}]


def claude_agents():
    spawn = [{"tool": "Agent", "arguments": {"description": f"Fix {n}", "prompt": f"SUB-{n}: fix it", "subagent_type": "fixer-single"}}
             for n in "AB"]
    return agent_rules({"A": {"text": "A fixed"}, "B": {"text": "B fixed"}, "spawn": spawn})


def gemini_agents():
    spawn = [{"tool": "invoke_agent", "arguments": {"agent_name": "fixer-single", "prompt": f"SUB-{n}: fix it"}} for n in "AB"]
    done = {n: {"calls": [{"tool": "complete_task", "arguments": {"result": f"{n} fixed"}}]} for n in "AB"}
    return agent_rules({**done, "spawn": spawn})


def codex_agents():
    spawn = [{"tool": "spawn_agent", "namespace": "multi_agent_v1", "arguments": {"message": f"SUB-{n}: fix it"}} for n in "AB"]
    return agent_rules({"A": {"text": "A fixed"}, "B": {"text": "B fixed"}, "spawn": spawn},
                       waits=[{"tool": "exec_command", "arguments": {"cmd": "sleep 2.5"}}])


def case(cli, name, rules, argv, prompt="Fix the bug in calc.py", **more):
    return {"cli": cli, "name": name, "rules": rules, "argv": argv, "prompt": prompt, **more}


def claude_cases(cli):
    schema = [*CLAUDE_ALL, "--json-schema", json.dumps(SCHEMA)]
    good = [{"tool": "StructuredOutput", "arguments": VERDICT}]
    limit = {"status": 429, "message": "This request would exceed your account's rate limit.", "headers": {"retry-after": "300"}}
    yield case(cli, "fix", fix_rules("claude"), CLAUDE_ALL)
    yield case(cli, "resume", fix_rules("claude"), CLAUDE_ALL, after="fix", prompt="anything else?", resume=lambda i: ["--resume", i])
    yield case(cli, "partial", fix_rules("claude", chunk=400), [*CLAUDE_ALL, "--include-partial-messages"])
    yield case(cli, "schema", [{"if": {"results": 0}, "do": {"calls": good}}, *always(text="ok")], schema)
    yield case(cli, "schema-ignored", always(text="I would rather not."), schema)
    yield case(cli, "schema-wrong", always(calls=[{"tool": "StructuredOutput", "arguments": {"state": 1}}]), schema)
    yield case(cli, "agents", claude_agents(), [*CLAUDE_ALL, *AGENT_FLAG], prompt="MAINTASK: fix both")
    yield case(cli, "background-agents", claude_agents(), [*CLAUDE_ALL, *AGENT_FLAG], prompt="MAINTASK: fix both",
               env={"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": None})
    yield case(cli, "denied", fix_rules("claude"), [*CLAUDE, "--permission-mode", "default"])
    yield case(cli, "rate", always(**limit), CLAUDE_ALL)
    yield case(cli, "limit", always(**{**limit, "headers": PLAN_LIMIT}), CLAUDE_ALL)
    yield case(cli, "unreachable", always(text="never asked"), CLAUDE_ALL, env={"ANTHROPIC_BASE_URL": NOBODY})
    yield case(cli, "unknown-model", always(status=404, message="model: claude-unheard-of"), [*CLAUDE_ALL, "--model", "claude-unheard-of"])
    yield case(cli, "refusal", always(text="", stop="refusal"), CLAUDE_ALL)
    yield case(cli, "overloaded", always(status=529), CLAUDE_ALL)
    yield case(cli, "server-error", always(status=500), CLAUDE_ALL)
    yield case(cli, "retried", then_fine(status=529), CLAUDE_ALL)
    yield case(cli, "billing", always(status=400, message="Your credit balance is too low to access the Anthropic API."), CLAUDE_ALL)
    yield case(cli, "bad-key", always(status=401, message="invalid x-api-key"), CLAUDE_ALL)
    yield case(cli, "no-key", always(text="never asked"), CLAUDE_ALL, env={"ANTHROPIC_API_KEY": None})
    yield case(cli, "cut", always(text="This will never be " * 9, cut=4), CLAUDE_ALL)
    yield case(cli, "interrupted", always(text="Halfway there, " * 9, hang=4), CLAUDE_ALL, signal=signal.SIGINT)
    yield case(cli, "terminated", always(text="Halfway there, " * 9, hang=4), CLAUDE_ALL, signal=signal.SIGTERM)
    yield case(cli, "max-turns", fix_rules("claude"), [*CLAUDE_ALL, "--max-turns", "2"])
    yield case(cli, "max-budget", fix_rules("claude"), [*CLAUDE_ALL, "--max-budget-usd", "0.0001"])
    yield case(cli, "max-tokens", always(text="cut short", stop="max_tokens"), CLAUDE_ALL)
    yield case(cli, "empty", always(text=""), CLAUDE_ALL)
    yield case(cli, "too-long", always(text="read it all"), CLAUDE_ALL, prompt="x " * 5_300_000)
    yield case(cli, "long", always(text="read it all"), CLAUDE_ALL, prompt="x " * 1_500_000)
    yield case(cli, "bad-session", always(text="never asked"), [*CLAUDE_ALL, "--resume", "00000000-0000-4000-8000-000000000000"])


def gemini_cases():
    per_day = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel", "quotaMetric": "requests"}]}]
    cli = "gemini"
    yield case(cli, "fix", fix_rules(cli), GEMINI_ALL)
    yield case(cli, "resume", fix_rules(cli), GEMINI_ALL, after="fix", prompt="anything else?", resume=lambda i: ["--resume", i])
    yield case(cli, "read-only", always(json={"score": 97}), [*GEMINI, "--approval-mode", "default"])
    yield case(cli, "agents", gemini_agents(), GEMINI_ALL, prompt="MAINTASK: fix both", files={".gemini/agents/fixer-single.md": GEMINI_AGENT})
    yield case(cli, "failed-edit", [{"if": {"results": 0}, "do": {"calls": [{**STEPS[cli][1], "arguments": {
        **STEPS[cli][1]["arguments"], "old_string": "not there"}}]}}, *always(json=VERDICT)], GEMINI_ALL)
    yield case(cli, "rate", always(status=429), GEMINI_ALL)
    yield case(cli, "quota", always(status=429, message="You exceeded your current quota", details=per_day), GEMINI_ALL)
    yield case(cli, "unreachable", always(text="never asked"), GEMINI_ALL, env={"GOOGLE_GEMINI_BASE_URL": NOBODY})
    yield case(cli, "unknown-model", always(status=404, message="models/gemini-unheard-of is not found"), [
        "gemini-unheard-of" if argument == "gemini-2.5-pro" else argument for argument in GEMINI_ALL])
    yield case(cli, "refusal", always(text="", stop="SAFETY"), GEMINI_ALL)
    yield case(cli, "overloaded", always(status=503, message="The model is overloaded."), GEMINI_ALL)
    yield case(cli, "server-error", always(status=500), GEMINI_ALL)
    yield case(cli, "bad-key", always(status=400, message="API key not valid. Please pass a valid API key."), GEMINI_ALL)
    yield case(cli, "unauthorized", always(status=401), GEMINI_ALL)
    yield case(cli, "no-key", always(text="never asked"), GEMINI_ALL, env={"GEMINI_API_KEY": None})
    yield case(cli, "cut", always(text="This will never be " * 9, cut=3), GEMINI_ALL)
    yield case(cli, "terminated", always(text="Halfway there, " * 9, hang=3), GEMINI_ALL, signal=signal.SIGTERM)
    yield case(cli, "max-tokens", always(text="cut short", stop="MAX_TOKENS"), GEMINI_ALL)
    yield case(cli, "empty", always(text=""), GEMINI_ALL)
    yield case(cli, "too-long", always(text="read it all"), GEMINI_ALL, prompt="x " * 3_000_000)
    yield case(cli, "bad-session", always(text="never asked"), [*GEMINI_ALL, "--resume", "00000000-0000-4000-8000-000000000000"])


def codex_cases():
    cli = "codex"
    yield case(cli, "fix", fix_rules(cli), [*CODEX, "-"])
    yield case(cli, "resume", fix_rules(cli), CODEX, after="fix", prompt="anything else?", resume=lambda i: ["resume", i, "-"])
    yield case(cli, "schema", always(json=VERDICT), [*CODEX, "--output-schema", "${schema}", "-"])
    yield case(cli, "schema-ignored", always(text="I would rather not."), [*CODEX, "--output-schema", "${schema}", "-"])
    yield case(cli, "agents", codex_agents(), [*CODEX, "-"], prompt="MAINTASK: fix both")
    yield case(cli, "read-only", fix_rules(cli), ["codex", "exec", "--json", "-s", "read-only", "-"])
    yield case(cli, "rate", always(status=429), [*CODEX, "-"])
    yield case(cli, "rate-retried", then_fine(status=429, headers={"retry-after": "1"}), [*CODEX, "-"])
    yield case(cli, "quota", always(status=429, type="insufficient_quota", message="You exceeded your current quota"), [*CODEX, "-"])
    yield case(cli, "dropped", always(cut=True), [*CODEX, "-"])
    yield case(cli, "no-such-model", always(status=404, message="The model `gpt-5.5` does not exist"), [*CODEX, "-"])
    yield case(cli, "overloaded", always(status=503), [*CODEX, "-"])
    yield case(cli, "server-error", always(status=500), [*CODEX, "-"])
    yield case(cli, "retried", then_fine(status=500), [*CODEX, "-"])
    yield case(cli, "bad-key", always(status=401, message="Incorrect API key provided"), [*CODEX, "-"])
    yield case(cli, "no-key", always(text="never asked"), [*CODEX, "-"], env={"SCRIPTED_KEY": None})
    yield case(cli, "cut", always(text="This will never be " * 9, cut=5), [*CODEX, "-"])
    yield case(cli, "interrupted", always(text="Halfway there, " * 9, hang=5), [*CODEX, "-"], signal=signal.SIGINT)
    yield case(cli, "failed", always(text="Halfway", stream_error="server_error"), [*CODEX, "-"])
    yield case(cli, "empty", always(text=""), [*CODEX, "-"])
    yield case(cli, "unknown-model", always(text="fine"), [*CODEX, "-m", "gpt-unheard-of", "-"])
    yield case(cli, "too-long", always(text="read it all"), [*CODEX, "-"], prompt="x " * 600_000)
    yield case(cli, "bad-session", always(text="never asked"), CODEX, resume=lambda _: ["resume", "00000000-0000-7000-8000-000000000000", "-"])


def opencode_cases():
    cli = "opencode"
    title = [{"name": "title", "if": {"withholds": "edit"}, "do": {"text": "Fix calc"}}]
    yield case(cli, "fix", title + fix_rules(cli), OPENCODE)
    yield case(cli, "resume", title + fix_rules(cli), OPENCODE, after="fix", prompt="anything else?", resume=lambda i: ["--session", i])
    yield case(cli, "bad-key", always(status=401, message="Incorrect API key provided"), OPENCODE)
    yield case(cli, "bad-request", always(status=400), OPENCODE)


def qwen_cases():
    cli = "qwen"
    yield case(cli, "fix", fix_rules(cli), QWEN)
    yield case(cli, "resume", fix_rules(cli), QWEN, after="fix", prompt="anything else?", resume=lambda i: ["--resume", i])
    yield case(cli, "bad-key", always(status=401, message="Incorrect API key provided"), QWEN)
    yield case(cli, "bad-request", always(status=400), QWEN)


class Recorder:
    def __init__(self, base):
        self.base = base
        self.sessions = {}  # folder -> session id
        self.exit_codes = self.load_exit_codes()

    @staticmethod
    def load_exit_codes():
        try:
            with open(os.path.join(OUTPUT, "exit_codes.txt"), encoding="utf-8") as file:
                return dict(line.split() for line in file if not line.startswith("#"))
        except FileNotFoundError:
            return {}

    def save_exit_codes(self):
        with open(os.path.join(OUTPUT, "exit_codes.txt"), "w", encoding="utf-8") as file:
            file.write("# What each recorded program exited with; 128 + N: ended by signal N.\n")
            file.writelines(f"{name} {code}\n" for name, code in sorted(self.exit_codes.items()))

    def folder(self, case_):
        """A case that resumes another one goes on where that one worked."""
        path = os.path.join(self.base, case_["cli"] + "-" + case_.get("after", case_["name"]))
        repository = os.path.join(path, "repository")
        if not os.path.isdir(repository):
            for name, text in {"calc.py": "def add(a, b):\n    return a - b\n", "test_calc.py": "from calc import add\n\nassert add(2, 3) == 5\n",
                               ".gitignore": "__pycache__/\n"}.items():
                environment.write(os.path.join(repository, name), text)
            for name, text in case_.get("files", {}).items():
                environment.write(os.path.join(path, "home", name), text)
            environment.write(os.path.join(path, "schema.json"), json.dumps(SCHEMA))
            os.makedirs(os.path.join(path, "tmp"))
            for command in (["init", "-q", "-b", "main"], ["add", "-A"],
                            ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "base"]):
                subprocess.run(["git", *command], cwd=repository, check=True)
        return path

    def environment(self, case_, folder, url):
        program = case_["cli"]
        variables = {"HOME": os.path.join(folder, "home"), "TMPDIR": os.path.join(folder, "tmp"), "LANG": "C.UTF-8", "TERM": "dumb",
                     "PATH": f"{AGENTS}/{program}:{OPTIONAL}/{program}:{AGENTS}/node:/usr/local/bin:/usr/bin:/bin",
                     **environment.prepare(os.path.join(folder, "home"), url), **case_.get("env", {})}
        return {name: value for name, value in variables.items() if value is not None}

    def run(self, case_):
        folder = self.folder(case_)
        log_path = os.path.join(folder, "requests.jsonl")
        if os.path.exists(log_path):
            os.remove(log_path)
        server = Server(0, Script(case_["rules"]), Log(log_path))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        argv = [argument.replace("${schema}", os.path.join(folder, "schema.json")) for argument in case_["argv"]]
        if "resume" in case_:
            argv += case_["resume"](self.sessions.get(folder))
        with subprocess.Popen(argv, cwd=os.path.join(folder, "repository"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment(case_, folder, f"http://127.0.0.1:{server.server_address[1]}"),
                              start_new_session=True) as process:
            if "signal" in case_:
                threading.Thread(target=self.signal_when_asked, args=(process, case_["signal"], log_path), daemon=True).start()
            out, err = (text.decode("utf-8", "replace") for text in self.talk(process, case_["prompt"].encode()))
        server.shutdown()
        return folder, out, err, process.returncode

    @staticmethod
    def talk(process, prompt):
        try:
            return process.communicate(prompt, timeout=90)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()

    @staticmethod
    def signal_when_asked(process, number, log_path):
        """When the model has been asked and the first words have arrived."""
        while process.poll() is None:
            time.sleep(0.05)
            with open(log_path, encoding="utf-8") as log:
                if any('"rule": "always"' in line for line in log):
                    time.sleep(0.7)
                    os.killpg(process.pid, number)
                    return

    def record(self, case_):
        name = case_["cli"] + "-" + case_["name"]
        started = time.monotonic()
        folder, out, err, code = self.run(case_)
        found = re.search(r'"(?:session_id|thread_id|sessionID)":"([^"]+)"', out)
        if found:
            self.sessions[folder] = found.group(1)
        environment.write(os.path.join(OUTPUT, name + ".jsonl"), scrub(out, folder))
        if not out or code not in (0, 1):  # the only other place that says why
            environment.write(os.path.join(OUTPUT, name + ".stderr"), scrub(err, folder))
        self.exit_codes[name] = str(code if code >= 0 else 128 - code)
        self.save_exit_codes()
        print(f"{name}: exit {code}, {len(out)} bytes, {time.monotonic() - started:.1f} s", flush=True)


def shorten(value):
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[:100] + f"... ({len(value)} characters)"
    if isinstance(value, list):
        return [shorten(item) for item in value]
    return {key: shorten(item) for key, item in value.items()} if isinstance(value, dict) else value


def scrub(text, folder):
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.dumps(shorten(json.loads(line)), ensure_ascii=False, separators=(",", ":")))
        except ValueError:
            lines.append(line if len(line) <= LONGEST else line[:LONGEST])
    text = "".join(line + "\n" for line in lines)
    dashed = re.sub(r"[^A-Za-z0-9]", "-", folder)
    for found, shown in ((folder + "/repository", "/home/dev/project"), (folder, "/home/dev/state"), (dashed, "-home-dev-state")):
        text = text.replace(found, shown)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", "2026-01-02T03:04:05.678Z", text)
    text = re.sub(r"cc-socks/\d+", "cc-socks/1234", text).replace(HERE, "/home/dev/node")
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8080", text)
    known = {}
    unique = lambda m: known.setdefault(m.group(0), f"{len(known) + 1:08x}-0000-4000-8000-000000000000")
    return re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", unique, text)


def all_cases():
    for cli in ("claude-197", "claude-325"):
        yield from claude_cases(cli)
    yield from gemini_cases()
    yield from codex_cases()
    if os.path.exists(os.path.join(OPTIONAL, "installed")):
        yield from opencode_cases()
        yield from qwen_cases()


def main():
    patterns = sys.argv[1:] or ["*"]
    if not os.path.exists(os.path.join(AGENTS, "installed")):
        sys.exit(f"record.py: the CLIs are not installed; run {HERE}/install.sh")
    wanted = {c["cli"] + "-" + c["name"] for c in all_cases() for p in patterns if fnmatch.fnmatch(c["cli"] + "-" + c["name"], p)}
    wanted |= {c["cli"] + "-" + c["after"] for c in all_cases() if "after" in c and c["cli"] + "-" + c["name"] in wanted}
    base = tempfile.mkdtemp(prefix="emend-record-")
    try:
        recorder = Recorder(base)
        for case_ in all_cases():
            if case_["cli"] + "-" + case_["name"] in wanted:
                recorder.record(case_)
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
