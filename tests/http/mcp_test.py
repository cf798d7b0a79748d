#!/usr/bin/env python3
"""The tools of `emend mcp` at /mcp of the running server: who may call, headers in both eras, streams, cancelling; and POST /api/check.

    mcp_test.py EMEND
"""

import http.client
import json
import os
import sys
import time
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from world import World  # noqa: E402

EMEND = ""
VERSION = "io.modelcontextprotocol/protocolVersion"
META = {VERSION: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
BOTH = "application/json, text/event-stream"


class Mcp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(EMEND)
        cls.addClassCleanup(cls.world.close)
        assert cls.world.run("trust").returncode == 0
        cls.api = cls.world.start()

    def setUp(self):
        self.open_connections = []

    def post(self, message, headers=None, token=None, accept="application/json", path="/mcp"):
        connection = http.client.HTTPConnection("127.0.0.1", self.world.port, timeout=120)
        self.addCleanup(connection.close)
        self.open_connections.append(connection)
        body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        connection.request("POST", path, body, {"Content-Type": "application/json", "Accept": accept,
                                                "Authorization": "Bearer " + (token or self.world.token), **(headers or {})})
        return connection.getresponse()

    def ask(self, method, params=None, headers=None, **more):
        answer = self.post({"id": 1, "method": method, "params": params or {}}, headers, **more)
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def modern(self, method, params=None, headers=None):
        given = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        return self.ask(method, {**(params or {}), "_meta": META}, {**given, **(headers or {})})

    def test_only_with_the_token_and_from_no_foreign_page(self):
        self.assertEqual(self.ask("tools/list", token="wrong")[0], 401)
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
            self.assertEqual(self.ask("tools/list", headers={"Origin": origin})[0], 403, origin)
        self.assertEqual(self.ask("tools/list", headers={"Origin": f"http://127.0.0.1:{self.world.port}"})[0], 200)
        self.assertEqual(self.ask("tools/list", headers={"Host": "evil.example"})[0] // 100, 4)
        self.assertEqual(self.api.get("/mcp").status, 405)
        self.assertEqual(self.ask("tools/list", headers={"Content-Type": "text/plain"})[0], 415)

    def test_opens_in_both_eras(self):
        status, old = self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
        self.assertEqual((status, old["result"]["protocolVersion"]), (200, "2025-11-25"))
        answer = self.post({"method": "notifications/initialized"}, {"MCP-Protocol-Version": "2025-11-25"})
        self.assertEqual((answer.status, answer.read()), (202, b""))
        self.assertEqual(self.ask("tools/list", headers={"MCP-Protocol-Version": "1999-01-01"})[0], 400)
        status, new = self.modern("server/discover")
        self.assertEqual((status, new["result"]["supportedVersions"]), (200, ["2026-07-28"]))
        self.assertEqual([tool["name"] for tool in self.modern("tools/list")[1]["result"]["tools"]],
                         ["check", "review", "findings", "show", "wait", "fix", "apply", "answer"])
        status, refused = self.modern("initialize")
        self.assertEqual((status, refused["error"]["code"]), (404, -32601))

    def test_headers_repeat_the_message(self):
        call = {"name": "findings", "arguments": {}}
        self.assertEqual(self.modern("tools/call", call, {"Mcp-Name": "findings"})[0], 200)
        self.assertEqual(self.modern("tools/call", call, {"Mcp-Name": "  findings "})[0], 200)
        for headers in ({}, {"Mcp-Name": "apply"}, {"Mcp-Name": "findings", "Mcp-Method": "tools/list"},
                        {"Mcp-Name": "findings", "MCP-Protocol-Version": "2025-06-18"}):
            status, refused = self.modern("tools/call", call, headers)
            self.assertEqual((status, refused["error"]["code"]), (400, -32020), headers)
        status, refused = self.ask("tools/list", headers={"MCP-Protocol-Version": "2026-07-28"})
        self.assertEqual((status, refused["error"]["code"]), (400, -32602))
        status, refused = self.ask("tools/list", {"_meta": {**META, VERSION: "2030-01-01"}},
                                   {"MCP-Protocol-Version": "2030-01-01", "Mcp-Method": "tools/list"})
        self.assertEqual((status, refused["error"]["code"]), (400, -32022))
        self.assertEqual(self.modern("nope")[0], 404)
        for body in (b"{", b"[]", b"\xff", b""):
            self.assertEqual(self.post(body).status, 400, body)

    def test_a_call_is_a_stream_with_progress_and_an_answer(self):
        self.world.write(os.path.join(self.world.repo, "src", "six.sh"), "# six\nif\n")
        self.addCleanup(self.world.git, "checkout", "-q", "src/six.sh")
        answer = self.post({"id": 7, "method": "tools/call", "params": {"name": "check", "arguments": {}, "_meta": {"progressToken": "p"}}}, accept=BOTH)
        self.assertTrue(answer.getheader("Content-Type").startswith("text/event-stream"))
        messages = [json.loads(line[6:]) for line in answer.read().decode().split("\n") if line.startswith("data: {\"")]
        self.assertTrue([one for one in messages if one.get("method") == "notifications/progress"], messages)
        [last] = [one for one in messages if one.get("id") == 7]
        self.assertTrue(last["result"]["content"][0]["text"].startswith("RED"), last)

    def call(self, name, arguments, able=None, **more):
        """One call of the stateless era: its result."""
        meta = {**META, "io.modelcontextprotocol/clientInfo": {"name": "a-client", "title": "A Client", "version": "1"}}
        if able:
            meta["io.modelcontextprotocol/clientCapabilities"] = able
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
        status, answer = self.ask("tools/call", {"name": name, "arguments": arguments, "_meta": meta, **more}, headers)
        self.assertEqual(status, 200, answer)
        return answer["result"]

    def say(self, name, arguments):
        result = self.call(name, arguments)
        self.assertFalse(result["isError"], result)
        return result["content"][0]["text"]

    def find(self):
        """BE-001 and so on, in the first files."""
        report = os.path.join(self.world.root, "findings.json")
        self.world.write(report, json.dumps({"findings": [{"id": f"F{number}", "file": f"src/{name}.sh", "line": 2, "severity": "major", "title": f"{name} says wrong", "issue": "x"}
                                                          for number, name in enumerate(("one", "two"))]}))
        self.assertEqual(self.world.run("import", report).returncode, 0)

    def test_every_tool_works_over_http(self):
        self.find()
        self.assertIn("BE-001 high OPEN src/one.sh:2 one says wrong", self.say("findings", {}))
        self.assertIn("next: ", self.say("review", {"scope": "all", "wait_s": 120}))
        session = self.say("fix", {"issues": ["BE-001"]}).split()[1].rstrip(":")
        self.assertIn("RESOLVED", self.say("wait", {"id": session, "wait_s": 200}))
        self.assertIn("+echo right", self.say("show", {"id": session, "part": "diff"}))
        place = os.path.join(self.world.repo, "src", "one.sh")
        self.addCleanup(self.world.git, "checkout", "-q", "src/one.sh")
        self.say("apply", {"id": "BE-001"})
        with open(place, encoding="utf-8") as file:
            self.assertEqual(file.read(), "# one\necho right\n")
        text = self.say("check", {"wait_s": 0})
        name = text.split()[1].rstrip(":")
        self.assertTrue(text.startswith("RUNNING chk_"), text)
        self.assertTrue(self.say("wait", {"id": name, "wait_s": 200}).startswith("VERIFIED"))
        self.assertTrue(self.say("show", {"id": name}).startswith("VERIFIED"))
        begun = {(entry["action"], entry["actor"]["via"]) for entry in json.loads(self.world.run("--json", "audit").stdout)["data"]}
        for action in ("check.started", "review.started", "session.started", "fix.applied"):
            self.assertIn((action, "A Client over MCP"), begun)
        self.assertIn("mcp call apply of A Client", self.world.log_text())

    def test_the_person_is_asked_by_input_required(self):
        self.find()
        self.assertIn("BE-002-q1", self.world.run("--json", "--no-input", "clarify", "BE-002").stdout)
        forms = {"elicitation": {"form": {}}}
        asked = self.call("show", {"id": "BE-002"}, forms)
        self.assertEqual(asked["resultType"], "input_required")
        self.assertTrue(self.say("answer", {"question": "BE-002-q1", "answer": "up"}).startswith("proposed"))
        said = {"inputResponses": {"answers": {"action": "accept", "content": {"BE-002-q1": "left"}}}}
        self.assertEqual(self.call("show", {"id": "BE-002"}, forms, **said)["resultType"], "input_required")  # without the seal
        done = self.call("show", {"id": "BE-002"}, forms, **said, requestState=asked["requestState"])
        self.assertIn("answered by the person: BE-002-q1", done["content"][0]["text"])
        [question] = json.loads(self.world.run("--json", "issues", "show", "BE-002").stdout)["data"]["clarifications"]
        self.assertEqual(question["answer"], "left")
        self.assertTrue(question["answered_by"].endswith("through A Client over MCP"), question)

    def test_closing_the_stream_cancels_the_call(self):
        check = os.path.join(self.world.repo, "check.sh")
        with open(check, encoding="utf-8") as file:
            before = file.read()
        self.addCleanup(self.world.git, "commit", "-qam", "The quick check again")
        self.addCleanup(self.world.write, check, before)
        self.world.write(check, "sleep 86397\n")
        self.world.git("commit", "-qam", "A slow check")
        self.world.write(os.path.join(self.world.repo, "src", "seven.sh"), "# seven\necho other\n")
        self.addCleanup(self.world.git, "checkout", "-q", "src/seven.sh")
        answer = self.post({"id": 8, "method": "tools/call", "params": {"name": "check", "arguments": {"wait_s": 240}, "_meta": {"progressToken": "p"}}}, accept=BOTH)
        while b"notifications/progress" not in answer.readline():
            pass
        self.wait_until(lambda: self.sleepers() > 0)
        answer.close()
        self.open_connections.pop().close()
        self.wait_until(lambda: self.sleepers() == 0)

    def wait_until(self, true):
        deadline = time.monotonic() + 60
        while not true():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def sleepers(self):
        count = 0
        for process in os.listdir("/proc"):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    count += file.read() == b"sleep\x0086397\x00"
            except OSError:
                continue
        return count

    def test_a_change_is_checked_by_a_job(self):
        self.world.write(os.path.join(self.world.repo, "src", "five.sh"), "# five\nif\n")
        self.addCleanup(self.world.git, "checkout", "-q", "src/five.sh")
        started = self.api.post("/api/check", {})
        self.assertEqual(started.status, 202, started)
        place = started.header("Location")
        deadline = time.monotonic() + 120
        while (state := self.api.get(place).json)["state"] in ("queued", "running"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual((state["state"], state["result"]["verdict"], state["result"]["holds"]), ("done", "RED", False), state)
        self.assertEqual(self.api.post("/api/check", {"staged": True, "range": "HEAD~1..HEAD"}).status, 422)
        self.assertEqual(self.api.post("/api/check", {"issue": "BE-404"}).status, 404)


if __name__ == "__main__":
    EMEND = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
