#!/usr/bin/env python3
"""The real `emend lsp`, spoken to as editors do.

    lsp_test.py EMEND [TEST]
"""

import json
import os
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "http"), os.path.join(HERE, "..", "support")]
import postgres  # noqa: E402
from editor import EDITS, PULLS, Editor, merged, uri_of  # noqa: E402
from world import FILES, World  # noqa: E402

EMEND = ""


class Lsp(unittest.TestCase):
    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        self.say("trust")
        self.one, self.two = self.path("src/one.sh"), self.path("src/two.sh")

    def say(self, *arguments):
        done = self.world.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def path(self, name):
        return os.path.join(self.world.repo, name)

    def find(self, **more):
        """Imports one finding a file, on its second line: BE-001 is one.sh, BE-002 is two.sh, ..."""
        report = {"findings": [{"id": f"F{number}", "file": f"src/{name}.sh", "line": 2, "severity": "major", "title": f"{name} says wrong",
                                "issue": "It must say right.", **more} for number, name in enumerate(FILES[:3])]}
        place = os.path.join(self.world.root, "findings.json")
        self.world.write(place, json.dumps(report))
        self.say("import", place)

    def editor(self, *parts, **more):
        capabilities = {}
        for part in parts:
            capabilities = merged(capabilities, part)
        editor = Editor(EMEND, self.world.repo, self.world.environment, capabilities, **more)
        self.addCleanup(editor.close)
        return editor

    def test_pushes_the_stored_issues_to_an_editor_that_does_not_ask(self):
        self.find()
        editor = self.editor()
        can = editor.opened["capabilities"]
        self.assertEqual((can["positionEncoding"], can["textDocumentSync"]["change"]), ("utf-16", 2))
        self.assertNotIn("diagnosticProvider", can)
        editor.open(self.one)
        [item] = editor.published(self.one)
        self.assertEqual((item["code"], item["severity"], item["source"], item["message"]), ("BE-001", 1, "emend", "one says wrong"))
        self.assertEqual(item["range"], {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 10}})
        editor.change(self.one, (0, 0), (0, 0), "# more\n")
        [item] = editor.published(self.one)
        self.assertEqual(item["range"]["start"]["line"], 2)
        editor.change(self.one, (2, 5), (2, 10), "right")
        self.assertEqual(editor.published(self.one), [])
        hover = editor.ask("textDocument/hover", {"textDocument": {"uri": uri_of(self.one)}, "position": {"line": 2, "character": 1}})["result"]
        self.assertIsNone(hover)
        editor.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(self.one)}})
        self.assertEqual(editor.published(self.one), [])
        self.assertIsNone(editor.ask("shutdown", None)["result"])
        editor.tell("exit", None)
        self.assertEqual(editor.process.wait(timeout=20), 0)

    def test_sees_what_is_stored_in_a_database_server_meanwhile(self):
        if not postgres.programs():
            self.skipTest("PostgreSQL is missing (Debian: apt-get install postgresql)")
        server = postgres.Server()
        self.addCleanup(server.close)
        self.world.environment["EMEND_DATABASE"] = server.address(server.new_database())
        self.say("trust")
        editor = self.editor()
        editor.open(self.one)
        self.assertEqual(editor.published(self.one), [])
        self.find()
        [item] = editor.published(self.one, lambda items: items)
        self.assertEqual(item["code"], "BE-001")

    def test_answers_an_editor_that_asks_and_never_pushes_to_it(self):
        self.find()
        editor = self.editor(PULLS, {"general": {"positionEncodings": ["utf-8", "utf-16"]}})
        self.assertEqual(editor.opened["capabilities"]["positionEncoding"], "utf-8")
        editor.open(self.one)
        first = editor.pull(self.one)
        self.assertEqual([item["code"] for item in first["items"]], ["BE-001"])
        self.assertEqual(editor.pull(self.one, first["resultId"]), {"kind": "unchanged", "resultId": first["resultId"]})
        editor.change(self.one, (0, 0), (0, 1), "#")  # typing elsewhere changes nothing that is shown
        self.assertEqual(editor.pull(self.one, first["resultId"])["kind"], "unchanged")
        self.assertEqual(editor.pull(self.path("check.sh")), {"kind": "full", "items": []})
        everywhere = editor.ask("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
        self.assertEqual([(report["uri"], len(report["items"])) for report in everywhere],
                         [(uri_of(self.path(f"src/{name}.sh")), 1) for name in ("one", "three", "two")])
        self.assertFalse([message for message in editor.seen if message.get("method") == "textDocument/publishDiagnostics"])

    def test_tells_what_changes_in_the_database(self):
        editor = self.editor()
        editor.open(self.one)
        self.assertEqual(editor.published(self.one), [])
        self.find()
        self.assertEqual(len(editor.published(self.one, bool)), 1)
        self.say("issues", "ignore", "BE-001", "--reason", "by_design")
        self.assertEqual(editor.published(self.one, lambda items: not items), [])

    def test_looks_at_a_file_when_it_is_saved(self):
        editor = self.editor()
        editor.open(self.one)
        editor.published(self.one)
        self.world.write(self.one, "# one\necho wrong")
        editor.change(self.one, (1, 10), (2, 0), "")
        editor.save(self.one)
        found = editor.published(self.one, bool)
        self.assertTrue([item for item in found if "missing-final-newline" in item["code"]], found)
        [fix] = [action for action in editor.actions(self.one, 1) if action["title"].startswith("emend: apply the fix of builtin")]
        self.assertEqual(fix["edit"]["changes"][uri_of(self.one)][0]["newText"], "\n")
        self.assertTrue([action for action in editor.actions(self.one, 0, ["source.fixAll"]) if action["kind"] == "source.fixAll.emend"])
        self.world.write(self.one, "# one\necho wrong\n")
        editor.change(self.one, (1, 10), (1, 10), "\n")
        editor.save(self.one)
        editor.published(self.one, lambda items: not [item for item in items if "missing-final-newline" in item["code"]])

    def test_hover_explain_ignore(self):
        self.find()
        editor = self.editor()
        editor.open(self.one)
        editor.published(self.one)
        hover = editor.ask("textDocument/hover", {"textDocument": {"uri": uri_of(self.one)}, "position": {"line": 1, "character": 1}})["result"]
        self.assertIn("It must say right.", hover["contents"]["value"])
        self.assertEqual([action["title"] for action in editor.actions(self.one, 1)],
                         ["emend: fix BE-001 with an agent", "emend: explain BE-001", "emend: ignore BE-001...", "emend: check my change"])
        self.assertIn("one says wrong", editor.command("emend.explain", uri=uri_of(self.one), code="BE-001")["result"])
        self.assertEqual(editor.command("emend.ignore", uri=uri_of(self.one), code="BE-001")["result"], "not ignored")  # nobody answered
        editor.answers["window/showMessageRequest"] = lambda params: params["actions"][2]
        self.assertEqual(editor.command("emend.ignore", uri=uri_of(self.one), code="BE-001")["result"], "BE-001 is ignored: by_design")
        self.assertEqual(editor.published(self.one, lambda items: not items), [])
        self.assertIn('"IGNORED"', self.say("--json", "issues", "show", "BE-001"))
        other = self.editor(options={"allowIgnore": False})
        other.open(self.two)
        self.assertFalse([action for action in other.actions(self.two, 1) if "ignore" in action["title"]])
        self.assertIn("error", other.command("emend.ignore", uri=uri_of(self.two), code="BE-002", reason="by_design"))

    def test_fixes_with_an_agent_and_applies_the_fix(self):
        self.find()
        editor = self.editor(EDITS)
        editor.open(self.one)
        editor.published(self.one)
        editor.answers["window/showMessageRequest"] = lambda params: params["actions"][-1]  # not now
        self.assertEqual(editor.command("emend.fix", uri=uri_of(self.one), code="BE-001")["result"], "not started")
        edits = []
        editor.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
        editor.answers["workspace/applyEdit"] = lambda params: edits.append(params["edit"]) or {"applied": True}
        number = editor.begin("workspace/executeCommand", {"command": "emend.fix", "arguments": [{"uri": uri_of(self.one), "code": "BE-001"}]})
        kinds = []
        while True:
            message = editor.receive()
            if message.get("method") == "$/progress":
                kinds.append(message["params"]["value"]["kind"])
            if message.get("id") == number and "method" not in message:
                break
        self.assertEqual(message["result"], "applied the fix of BE-001", message)
        self.assertEqual((kinds[0], kinds[-1]), ("begin", "end"))
        [change] = edits[0]["documentChanges"]
        self.assertEqual(change["textDocument"], {"uri": uri_of(self.one), "version": 1})
        self.assertEqual(change["edits"][0]["newText"], "echo right\n")
        with open(self.one, encoding="utf-8") as file:
            self.assertEqual(file.read(), "# one\necho wrong\n")  # the editor writes, never the server
        editor.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"])
        [apply] = [action for action in editor.actions(self.one, 1) if action["title"].startswith("emend: apply the fix of BE-001")]
        self.assertEqual(apply["command"]["command"], "emend.apply")
        editor.change(self.one, (0, 0), (0, 0), "# mine\n")
        self.assertIn("not as the fix found it", editor.command("emend.apply", uri=uri_of(self.one), code="BE-001")["error"]["message"])
        resolving = self.editor(EDITS, {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}})
        resolving.open(self.one)
        [action] = [one for one in resolving.actions(self.one, 1) if "data" in one]
        self.assertNotIn("edit", action)
        self.assertIn("documentChanges", resolving.ask("codeAction/resolve", action)["result"]["edit"])
        plain = {"title": "x", "command": {"title": "x", "command": "emend.explain"}}
        self.assertEqual(resolving.ask("codeAction/resolve", plain)["result"], plain)

    def test_a_fix_that_is_cancelled_in_its_progress_ends(self):
        place = os.path.join(self.world.root, "findings.json")
        self.world.write(place, json.dumps({"findings": [{"id": "F4", "file": "src/four.sh", "line": 2, "severity": "major", "title": "four says wrong", "issue": "x"}]}))
        self.say("import", place)
        four = self.path("src/four.sh")
        editor = self.editor(EDITS)
        editor.open(four)
        editor.published(four, bool)
        editor.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
        number = editor.begin("workspace/executeCommand", {"command": "emend.fix", "arguments": [{"uri": uri_of(four), "code": "BE-001"}]})
        reports = editor.wait(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "report")  # the agent sleeps
        editor.tell("window/workDoneProgress/cancel", {"token": reports["params"]["token"]})
        editor.wait(lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end")
        self.assertEqual(editor.result(number)["error"]["code"], -32800)
        for _ in range(300):
            [session] = json.loads(self.say("--json", "sessions", "list"))["data"]
            if session["status"] != "running":
                break
            time.sleep(0.1)
        self.assertEqual(session["status"], "cancelled")

    def test_links_to_the_dashboard_that_runs(self):
        self.find(category="unused")
        self.world.start()
        editor = self.editor()
        editor.open(self.one)
        [item] = editor.published(self.one, bool)
        self.assertIn(f"127.0.0.1:{self.world.port}/issues/BE-001", item["codeDescription"]["href"])
        self.assertEqual(item["tags"], [1], "shown faded")

    def test_checks_a_change_and_stops_when_told(self):
        editor = self.editor()
        self.assertTrue(editor.command("emend.check", uri=uri_of(self.one))["result"].startswith("NOTHING TO CHECK"))
        self.world.write(self.one, "# one\nif\n")
        self.assertTrue(editor.command("emend.check", uri=uri_of(self.one))["result"].startswith("RED"))
        self.world.write(self.path("check.sh"), "sleep 100000\n")
        self.world.git("commit", "-qam", "A slow check")
        self.world.write(self.one, "# one\necho other\n")
        number = editor.begin("workspace/executeCommand", {"command": "emend.check", "arguments": [{"uri": uri_of(self.one)}]})
        editor.tell("$/cancelRequest", {"id": number})
        self.assertEqual(editor.result(number)["error"]["code"], -32800)

    def test_each_file_belongs_to_its_repository(self):
        self.find()
        other = os.path.join(self.world.root, "other")
        os.makedirs(other)
        self.world.write(os.path.join(other, "one.sh"), "echo wrong\n")
        subprocess.run(["git", "init", "-q", other], check=True, env=self.world.environment)
        editor = self.editor(folders=[self.world.repo, other])
        editor.open(self.one)
        self.assertEqual(len(editor.published(self.one)), 1)
        editor.open(os.path.join(other, "one.sh"))
        self.assertEqual(editor.published(os.path.join(other, "one.sh")), [])
        outside = os.path.join(self.world.root, "outside.sh")
        self.world.write(outside, "echo\n")
        editor.open(outside)
        self.assertEqual(editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri_of(outside)}})["result"]["items"], [])

    def test_bad_input_gets_errors_and_the_server_lives_on(self):
        editor = Editor(EMEND, self.world.repo, self.world.environment, start=False)
        self.addCleanup(editor.close)
        self.assertEqual(editor.ask("textDocument/hover", {})["error"]["code"], -32002)
        editor.process.stdin.write(b"Content-Length: x\r\n\r\n")
        editor.process.stdin.flush()
        self.assertEqual(editor.receive()["error"]["code"], -32700)
        for body, code in ((b"{", -32700), (b"[]", -32600), (b'{"id":1}', -32600), (b"\xff\xfe", -32700)):
            editor.send_bytes(body)
            self.assertEqual(editor.receive()["error"]["code"], code, body)
        editor.ask("initialize", {"capabilities": {"general": 3, "textDocument": []}, "workspaceFolders": [7, {"uri": "x:"}], "processId": "me"})
        for method, params in (("nope", {}), ("textDocument/hover", {"textDocument": {"uri": uri_of(self.one)}}), ("textDocument/codeAction", {}),
                               ("workspace/executeCommand", {}), ("workspace/executeCommand", {"command": "rm", "arguments": [{"uri": uri_of(self.one), "code": "x"}]}),
                               ("workspace/executeCommand", {"command": "emend.apply", "arguments": [{"uri": uri_of(self.one), "code": "BE-404"}]}),
                               ("initialize", {})):
            self.assertIn("error", editor.ask(method, params), method)
        for method, params in (("textDocument/didOpen", {}), ("textDocument/didChange", {"textDocument": {"uri": 3}, "contentChanges": 4}),
                               ("textDocument/didSave", None), ("$/unknown", {}), ("window/workDoneProgress/cancel", {"token": []})):
            editor.tell(method, params)
        editor.open(self.one)
        editor.tell("textDocument/didChange", {"textDocument": {"uri": uri_of(self.one), "version": -5}, "contentChanges": [
            {"range": {"start": {"line": 9, "character": 9}, "end": {"line": 0, "character": 0}}, "text": "x"}, {"range": 3}, 7, {"text": "all"}]})
        self.assertIsNone(editor.ask("textDocument/hover", {"textDocument": {"uri": uri_of(self.one)}, "position": {"line": 0, "character": 0}})["result"])
        self.assertEqual(editor.close(), 1)  # its input ended without `shutdown`

    def test_asked_for_everything_again_it_sends_only_what_changed(self):
        self.find()
        editor = self.editor(PULLS)
        known, reports = {}, {}

        def ask():
            told = [{"uri": uri, "value": value} for uri, value in known.items()]
            reports.clear()
            for report in editor.ask("workspace/diagnostic", {"previousResultIds": told})["result"]["items"]:
                reports[report["uri"]] = report
                known.pop(report["uri"], None)
                if "resultId" in report:
                    known[report["uri"]] = report["resultId"]
            return sorted(report["kind"] for report in reports.values())

        self.assertEqual(ask(), ["full"] * 3)
        self.assertEqual(ask(), ["unchanged"] * 3)
        editor.open(self.one)
        self.assertEqual(ask(), ["full", "unchanged", "unchanged"])  # its places are those in the text now
        self.say("issues", "ignore", "BE-002", "--reason", "by_design")
        for _ in range(100):
            if ask() != ["unchanged"] * 3:
                break
            time.sleep(0.1)
        self.assertEqual((reports[uri_of(self.two)]["kind"], reports[uri_of(self.two)]["items"]), ("full", []))
        self.assertEqual(ask(), ["unchanged"] * 2)
        other = self.editor(PULLS)  # results of another run are nothing it knows
        told = [{"uri": uri, "value": value} for uri, value in known.items()]
        self.assertEqual({report["kind"] for report in other.ask("workspace/diagnostic", {"previousResultIds": told})["result"]["items"]}, {"full"})

    def many(self, lines):
        self.world.write(self.one, "".join(f"echo {number}\n" for number in range(lines)))
        report = os.path.join(self.world.root, "many.json")
        self.world.write(report, json.dumps({"findings": [{"id": f"F{number}", "file": "src/one.sh", "line": number + 1, "severity": "minor", "category": "c",
                                                      "title": f"finding {number}", "issue": f"text {number}"} for number in range(lines)]}))
        self.world.git("commit", "-qam", "Many lines")
        self.say("import", report)

    def test_typing_among_ten_thousand_issues_sends_nothing_again(self):
        lines = 10_000
        self.many(lines)
        editor = self.editor(PULLS)
        editor.open(self.one)
        first = editor.pull(self.one)
        self.assertEqual(len(first["items"]), lines)
        for number in range(100):
            editor.change(self.one, (lines, number), (lines, number), "x")
            self.assertEqual(editor.pull(self.one, first["resultId"])["kind"], "unchanged")

    def test_a_new_line_above_ten_thousand_issues_moves_them_all_in_one_message(self):
        lines = 10_000
        self.many(lines)
        asks, hears = self.editor(PULLS), self.editor()
        for editor in (asks, hears):
            editor.open(self.one)
        first = asks.pull(self.one)
        self.assertEqual(len(hears.published(self.one)), lines)
        for number in range(20):
            for editor in (asks, hears):
                editor.change(self.one, (0, 0), (0, 0), "\n")
        told = hears.published(self.one)
        self.assertEqual([item["range"]["start"]["line"] for item in told], list(range(20, lines + 20)))
        self.assertEqual(hears.ask("shutdown", None)["result"], None)
        self.assertFalse([message for message in hears.seen if message.get("method") == "textDocument/publishDiagnostics"], "one message for all twenty")
        then = asks.pull(self.one, first["resultId"])
        self.assertEqual([item["range"]["start"]["line"] for item in then["items"]], list(range(20, lines + 20)))
        self.assertEqual(asks.pull(self.one, then["resultId"])["kind"], "unchanged")

    def test_neovim_is_not_offered_what_keeps_it_from_looking_again(self):
        for name, offered in (("Neovim", False), ("Visual Studio Code", True)):
            editor = Editor(EMEND, self.world.repo, self.world.environment, start=False)
            self.addCleanup(editor.close)
            can = editor.ask("initialize", {"clientInfo": {"name": name}, "capabilities": PULLS})["result"]["capabilities"]
            self.assertEqual(can["diagnosticProvider"]["workspaceDiagnostics"], offered, name)

    def test_takes_the_word_that_editors_add(self):
        done = subprocess.run([EMEND, "lsp", "--stdio"], cwd=self.world.repo, env=self.world.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, ""), "its input ended without `shutdown`")

    def test_does_not_serve_agents_that_emend_started(self):
        editor = Editor(EMEND, self.world.repo, dict(self.world.environment, EMEND_INSIDE="1"), start=False)
        self.addCleanup(editor.close)
        self.assertEqual(editor.process.wait(timeout=20), 2)


if __name__ == "__main__":
    EMEND = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
