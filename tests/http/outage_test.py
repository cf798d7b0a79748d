#!/usr/bin/env python3
"""outage_test.py EMEND: the database is stopped, or the disk is full, in the middle of a session. It ends as it should, and nothing is restarted for that."""

import json
import os
import re
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, HERE)

import postgres  # noqa: E402
import world  # noqa: E402

EMEND = ""
DISK = "48m"


class Disk:
    """A small file system at a directory, which can be filled and freed."""

    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + DISK, "tmpfs", directory], capture_output=True, text=True, check=False)
        self.problem = done.stderr.strip() if done.returncode != 0 else ""
        self.filler = os.path.join(directory, "filler")

    def fill(self):
        for size in (1 << 20, 4096, 1):  # to the last byte
            try:
                with open(self.filler, "ab", buffering=0) as file:
                    while file.write(b"x" * size) == size:
                        pass
            except OSError:
                pass

    def free(self):
        os.unlink(self.filler)

    def close(self):
        subprocess.run(["umount", "-l", self.directory], check=False)


class Outage(unittest.TestCase):
    def setUp(self):
        self.w = world.World(EMEND)
        self.addCleanup(self.w.close)

    def until(self, what, seconds=90):
        """Polls; never depends on how long something takes."""
        deadline = time.monotonic() + seconds
        while not (seen := what()):
            if time.monotonic() > deadline:
                raise AssertionError("it does not come to that: " + self.w.log_text()[-4000:])
            time.sleep(0.05)
        return seen

    def serve(self):
        trusted = self.w.run("trust")
        self.assertEqual(trusted.returncode, 0, trusted.stderr)
        self.client = self.w.start("--log-format", "text")
        self.addCleanup(self.client.close)
        self.repository = self.client.get("/api/repositories").json["data"][0]["id"]
        report = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "tool"}}, "results": [
            {"ruleId": "wrong", "message": {"text": f"{name} says wrong"},
             "locations": [{"physicalLocation": {"artifactLocation": {"uri": f"src/{name}.sh"}, "region": {"startLine": 2}}}]}
            for name in ("one", "three")]}]}
        answer = self.client.request("POST", "/api/import?from=sarif", json.dumps(report).encode(), {"Content-Type": "text/plain"})
        self.assertEqual(answer.status, 200, answer)
        self.one, self.three = answer.json["issue_codes"]

    def begin(self, code):
        answer = self.client.post("/api/fix/start", {"repository_id": self.repository, "issue_ids": [code]})
        self.assertEqual(answer.status, 202, answer)
        return answer.json["session_id"]

    def status(self, session):
        answer = self.client.get(f"/api/fix/sessions/{session}")
        return answer.json["status"] if answer.status == 200 else f"{answer.status}"

    def until_the_agent_works(self, session):
        self.until(lambda: self.client.get(f"/api/runs?session={session}").json.get("data"))

    def until_it_waits(self, session):
        """Its end could not be stored: the queue has it, and nobody says that it runs."""
        self.until(lambda: f"job {session} waits to be resumed" in self.w.log_text())

    def until_ready(self):
        self.until(lambda: self.client.get("/readyz").status == 200)

    def assert_resolved(self, session, code):
        self.until(lambda: self.status(session) == "passed")
        self.assertEqual(self.client.get(f"/api/issues/{code}").json["status"], "RESOLVED")
        commits = self.client.get(f"/api/fix/sessions/{session}").json["commits"]
        self.assertEqual(len(commits), 1, commits)

    def not_ready(self):
        answer = self.client.get("/readyz")
        return answer if answer.status == 503 else None


class DatabaseAway(Outage):
    def setUp(self):
        if not postgres.programs():
            self.skipTest("PostgreSQL is not installed (apt-get install postgresql)")
        self.database = postgres.Server()
        self.addCleanup(self.database.close)
        super().setUp()
        self.w.environment["EMEND_DATABASE"] = self.database.address(self.database.new_database())
        self.serve()

    def test_a_session_goes_on_when_the_database_is_back(self):
        session = self.begin(self.three)
        self.until_the_agent_works(session)
        self.database.stop()
        self.until_it_waits(session)
        self.assertIn("not-ready", self.until(self.not_ready).body)
        self.assertEqual(self.client.post(f"/api/fix/sessions/{session}/resume").status, 202, "it is taken up as soon as that can be done")
        self.database.start_again()
        self.assert_resolved(session, self.three)
        self.until_ready()
        after = self.begin(self.one)  # the repository is free
        self.assert_resolved(after, self.one)
        self.assertIsNone(self.w.server.poll(), "it is the same server")

    def test_a_session_is_cancelled_while_the_database_is_away(self):
        session = self.begin(self.three)
        self.until_the_agent_works(session)
        self.database.stop()
        self.until_it_waits(session)
        self.assertEqual(self.client.post(f"/api/fix/sessions/{session}/cancel").status, 202)
        self.database.start_again()
        self.until(lambda: self.status(session) == "cancelled")
        self.until_ready()
        self.assertEqual(self.client.get(f"/api/issues/{self.three}").json["status"], "OPEN")
        self.assertEqual(self.client.post(f"/api/fix/sessions/{session}/resume").status, 202)
        self.assert_resolved(session, self.three)


class DiskFull(Outage):
    def setUp(self):
        super().setUp()
        self.disk = Disk(self.w.state)
        if self.disk.problem:
            self.skipTest("no file system can be mounted here: " + self.disk.problem)
        self.addCleanup(self.disk.close)

    def test_a_session_goes_on_when_there_is_room_again(self):
        self.serve()
        session = self.begin(self.three)
        self.until_the_agent_works(session)
        self.disk.fill()
        self.until_it_waits(session)
        self.assertRegex(self.until(self.not_ready).body, "(?i)no space left")
        self.assertEqual(self.status(session), "interrupted", "nobody works on it now")
        self.disk.free()
        self.assert_resolved(session, self.three)
        self.until_ready()
        self.assert_resolved(self.begin(self.one), self.one)

    def test_a_session_is_resumed_or_cancelled_by_a_person_meanwhile(self):
        self.serve()
        session = self.begin(self.three)
        self.until_the_agent_works(session)
        self.disk.fill()
        self.until_it_waits(session)
        self.assertEqual(self.client.post(f"/api/fix/sessions/{session}/resume").status, 202)
        self.until_it_waits(session)
        self.assertEqual(self.client.post(f"/api/fix/sessions/{session}/cancel").status, 202)
        self.disk.free()
        self.until(lambda: self.status(session) == "cancelled")
        self.until_ready()
        self.assert_resolved(self.begin(self.one), self.one)

    def test_the_command_line_says_what_to_do_and_goes_on(self):
        report = os.path.join(self.w.root, "report.json")
        with open(report, "w", encoding="utf-8") as file:
            json.dump({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "tool"}}, "results": [
                {"ruleId": "wrong", "message": {"text": "three says wrong"},
                 "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/three.sh"}, "region": {"startLine": 2}}}]}]}]}, file)
        done = self.w.run("import", report)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.w.run("trust")
        fix = subprocess.Popen([self.w.program, "fix", "--all-open"], cwd=self.w.repo, env=self.w.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        live = os.path.join(self.w.state, "sessions")

        def agent_works():
            self.assertIsNone(fix.poll(), fix.stderr.read() if fix.poll() is not None else "")
            return any("live" in folders for _, folders, _ in os.walk(live))

        self.until(agent_works)
        self.disk.fill()
        _, said = fix.communicate(timeout=60)
        self.assertEqual(fix.returncode, 3, said)
        self.assertRegex(said, "(?i)no space left")
        found = re.search(r"emend sessions resume (\w+)", said)
        self.assertTrue(found, said)
        self.disk.free()
        again = self.w.run("sessions", "resume", found.group(1))
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("RESOLVED", self.w.run("issues", "list", "--all").stdout + again.stdout)


if __name__ == "__main__":
    EMEND = sys.argv.pop(1)
    unittest.main(verbosity=2)
