#!/usr/bin/env python3
"""s3_test.py EMEND SOURCES: whole sessions whose artifacts go to an S3-protocol server that checks signatures, over a network that is not always
there. Exit 77: the server is not installed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

EMEND, SOURCES = "", ""
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))
from network import Network
from world import World

KEY, SECRET, BUCKET = "EMENDTESTKEY", "wordsThatNobodyMaySee/0123456789+secret", "artifacts"
# Not the shape of anybody's key in this file, but of one in the transcript.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
DAY = 24 * 3600
# An agent that tells everything it knows.
TALKER = """env
echo "token: %s"
sed -i 's/echo wrong/echo right/' "$(sed -n 's/.*\\(src\\/[a-z]*\\.sh\\).*/\\1/p' | head -1)"
echo '{"outcomes":[{"id":"BE-001","outcome":"fixed","explanation":"It says right."}]}'
""" % TOKEN


class Bucket:
    """The server, and a look into it from outside of emend."""

    def __init__(self, oracles):
        self.directory = tempfile.mkdtemp(prefix="emend-s3-")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.mjs")
        self.process = subprocess.Popen(["node", script, oracles, self.directory, KEY, SECRET, BUCKET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def request(self, key, method="GET", data=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{BUCKET}/{key}", data=data, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def objects(self):
        """key -> bytes, from the server's own files."""
        found, ending = {}, "._S3rver_object"
        root = os.path.join(self.directory, BUCKET)
        for folder, _, names in os.walk(root):
            for name in names:
                if name.endswith(ending):
                    with open(os.path.join(folder, name), "rb") as file:
                        found[os.path.relpath(os.path.join(folder, name), root)[:-len(ending)]] = file.read()
        return found

    def set_age(self, key, days):
        moment = time.time() - days * DAY
        os.utime(os.path.join(self.directory, BUCKET, key + "._S3rver_object"), (moment, moment))

    def empty(self):
        shutil.rmtree(os.path.join(self.directory, BUCKET))
        os.makedirs(os.path.join(self.directory, BUCKET))

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)


def local_artifacts(home):
    """What is to be in the bucket: key -> bytes."""
    found, root = {}, os.path.join(home, "sessions")
    for session in os.listdir(root):
        for below in ("", "runs", "proofs"):
            folder = os.path.join(root, session, below)
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                path = os.path.join(folder, name)
                if os.path.isfile(path) and name != "uploaded.jsonl":
                    with open(path, "rb") as file:
                        found["/".join(filter(None, ("team", "fix-todos", session, below, name)))] = file.read()
    return found


class S3(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.bucket = Bucket(os.path.join(SOURCES, "tests", "oracles"))

    @classmethod
    def tearDownClass(cls):
        cls.bucket.close()

    def setUp(self):
        self.bucket.empty()
        self.network = Network(self.bucket.port)
        self.world = World(EMEND)
        self.world.environment.update({"EMEND_ARTIFACTS_STORE": f"s3://{BUCKET}/team", "EMEND_ARTIFACTS_ENDPOINT": f"http://127.0.0.1:{self.network.port}",
                                       "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET})
        self.assertEqual(self.world.run("trust").returncode, 0)

    def tearDown(self):
        self.network.close()
        self.assert_nothing_tells_the_secret()
        self.world.close()

    def assert_nothing_tells_the_secret(self):
        for folder, _, names in os.walk(self.world.root):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        self.assertNotIn(SECRET.encode(), file.read(), path)

    def findings(self, *names):
        path = os.path.join(self.world.root, "findings.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"findings": [{"id": f"F-{name}", "file": f"src/{name}.sh", "line": 2, "severity": "major", "title": f"{name} says wrong",
                                     "issue": f"src/{name}.sh prints wrong"} for name in names]}, file)
        return path

    def fix(self, *names):
        done = self.world.run("fix", "--findings", self.findings(*names))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done

    def push(self, *arguments):
        return self.world.run("artifacts", "push", *arguments)

    def assert_all_stored(self):
        stored = self.bucket.objects()
        self.assertEqual(sorted(stored), sorted(local_artifacts(self.world.state)))
        self.assertEqual(stored, local_artifacts(self.world.state))

    def test_a_session_is_stored_byte_by_byte(self):
        done = self.fix("one", "two")
        self.assertNotIn("not yet in", done.stderr)
        self.assert_all_stored()
        kinds = {key.split("/")[3].split("_")[0] for key in self.bucket.objects()}
        self.assertEqual(kinds, {"report.json", "runs", "proofs"})
        listed = json.loads(self.world.run("artifacts", "--json").stdout)["data"]
        self.assertEqual(len(listed), 1)
        self.assertTrue(all(artifact["stored_as"].startswith(f"s3://{BUCKET}/team/fix-todos/") for artifact in listed[0]["artifacts"]), listed)
        self.assertIn("all", self.world.run("artifacts").stdout)
        puts = sum(head.startswith(b"PUT ") for head in self.network.heads)
        self.assertEqual(puts, len(self.bucket.objects()), "each was sent once")
        self.assertEqual(self.push().returncode, 0)
        self.assertEqual(sum(head.startswith(b"PUT ") for head in self.network.heads), puts)

    def test_a_plan_is_stored_with_its_todo_files(self):
        self.world.run("import", self.findings("one", "two"))
        planned = self.world.run("plan", "--all-open")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        self.assert_all_stored()
        self.assertEqual({key.split("/")[3] for key in self.bucket.objects()}, {"master_todo.json", "fix_todo_BE-001.json", "fix_todo_BE-002.json"})

    def test_agents_and_checks_never_see_the_keys_and_secrets_are_not_stored(self):
        self.world.write("talker.sh", TALKER)
        config = os.path.join(self.world.repo, "emend.toml")
        with open(config, encoding="utf-8") as file:
            text = file.read()
        text = text.replace('[agents.fixer]\nengine = "scripted"\nscript = "../fixer.json"',
                            '[agents.fixer]\ncommand = ["sh", "%s/talker.sh"]' % self.world.root)
        text = text.replace("sh check.sh", "env | grep -c AWS && exit 1; sh check.sh")
        self.world.write(config, text)
        self.world.git("commit", "-qam", "Another agent")
        self.assertEqual(self.world.run("trust").returncode, 0)
        self.fix("one")
        self.assert_all_stored()
        transcripts = [text for key, text in self.bucket.objects().items() if key.endswith(".out.txt") and b"PATH=" in text]
        self.assertTrue(transcripts, "the agent told its environment")
        for key, text in self.bucket.objects().items():
            self.assertNotIn(KEY.encode(), text, key)
            self.assertNotIn(TOKEN.encode(), text, key)
            self.assertNotIn(b"AWS_", text, key)

    def misfortune(self, mode, *expected):
        self.network.mode = mode
        began = time.monotonic()
        done = self.fix("one")
        self.assertLess(time.monotonic() - began, 60)
        self.assertRegex(done.stderr, r"warning: \d+ artifacts are not yet in s3://artifacts/team")
        for words in expected:
            self.assertIn(words, done.stderr)
        self.assertEqual(self.bucket.objects(), {})
        self.network.mode = "pass"

    def test_a_server_that_fails_is_asked_again_later(self):
        self.misfortune("error", "500 InternalError")
        pushed = self.push()
        self.assertEqual(pushed.returncode, 0, pushed.stderr)
        self.assert_all_stored()

    def test_a_server_that_never_answers_holds_nobody_up(self):
        self.misfortune("mute")
        self.assertEqual(self.push().returncode, 0)
        self.assert_all_stored()

    def test_cut_connections_are_made_again_later(self):
        self.misfortune("cut")
        self.assertEqual(self.push().returncode, 0)
        self.assert_all_stored()

    def test_the_next_session_sends_what_the_last_could_not(self):
        self.network.down()
        done = self.fix("one")
        self.assertRegex(done.stderr, r"\d+ artifacts are not yet in .*cannot be reached.*uploaded by the next emend command, or by: emend artifacts push")
        failed = self.push()
        self.assertEqual(failed.returncode, 3, failed.stderr)
        self.network.up()
        self.assertNotIn("not yet in", self.fix("two").stderr)
        self.assert_all_stored()

    def test_a_server_sends_what_a_command_could_not(self):
        self.network.down()
        self.fix("one")
        self.network.up()
        self.world.start()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and len(self.bucket.objects()) < len(local_artifacts(self.world.state)):
            time.sleep(0.1)
        self.assertEqual(self.world.stop(), 0)
        self.assert_all_stored()

    def test_what_a_killed_session_kept_is_sent_later(self):
        self.network.mode = "mute"
        running = subprocess.Popen([self.world.program, "fix", "--findings", self.findings("four")], cwd=self.world.repo, env=self.world.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sessions = os.path.join(self.world.state, "sessions")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (os.path.isdir(sessions) and local_artifacts(self.world.state)):
            time.sleep(0.05)
        running.kill()
        running.wait()
        self.assertTrue(local_artifacts(self.world.state))
        self.network.mode = "pass"
        pushed = self.push()
        self.assertEqual(pushed.returncode, 0, pushed.stderr)
        self.assert_all_stored()

    def test_a_wrong_key_is_refused_and_said(self):
        self.world.environment["AWS_SECRET_ACCESS_KEY"] = "another"
        done = self.fix("one")
        self.assertIn("403 SignatureDoesNotMatch", done.stderr)
        self.assertEqual(self.bucket.objects(), {})
        failed = self.push()
        self.assertEqual(failed.returncode, 4, failed.stderr)
        self.assertIn("AWS_SECRET_ACCESS_KEY", failed.stderr)
        self.world.environment["AWS_SECRET_ACCESS_KEY"] = SECRET
        self.assertEqual(self.push().returncode, 0)
        self.assert_all_stored()

    def test_missing_keys_are_said(self):
        del self.world.environment["AWS_SECRET_ACCESS_KEY"]
        self.assertIn("there are no keys for s3://artifacts/team", self.fix("one").stderr)
        self.assertEqual(self.push().returncode, 4)

    def test_nothing_is_sent_where_a_redirect_leads(self):
        elsewhere = Network(self.bucket.port)
        self.network.elsewhere = elsewhere.port
        self.misfortune("redirect", "307")
        self.assertEqual(elsewhere.heads, [])
        elsewhere.close()

    def test_strange_answers_are_refused(self):
        self.fix("one")
        for mode, words in (("garbage", "cannot be read"), ("endless", "larger than"), ("error", "500")):
            self.network.mode = mode
            pruned = self.world.run("artifacts", "prune")
            self.assertNotEqual(pruned.returncode, 0, mode)
            self.assertIn(words, pruned.stderr)
        self.network.mode = "pass"
        self.assertEqual(self.world.run("artifacts", "prune").returncode, 0)
        self.assert_all_stored()

    def test_sessions_from_before_are_sent_only_when_asked(self):
        store = self.world.environment.pop("EMEND_ARTIFACTS_STORE")
        self.fix("one")
        refused = self.push()
        self.assertEqual((refused.returncode, "no store for artifacts" in refused.stderr), (2, True), refused.stderr)
        self.world.environment["EMEND_ARTIFACTS_STORE"] = store
        self.assertEqual(self.push().returncode, 0)
        self.assertEqual(self.bucket.objects(), {})
        self.assertEqual(self.push("--all").returncode, 0)
        self.assert_all_stored()

    def test_old_objects_go_and_foreign_ones_stay(self):
        self.fix("one")
        ours = sorted(self.bucket.objects())
        old = ours[:2] + [f"team/fix-todos/abcdefg{n % 10}/runs/{n}.txt" for n in range(1030)]  # more than a page
        foreign = ["team/fix-todos/notes.txt", "team/fix-todos/abcdefg1/strange.txt", "team/other/abcdefg1/report.json", "fix-todos/abcdefg1/report.json",
                   "team/fix-todos-2/abcdefg1/report.json"]
        for key in old[2:] + foreign:
            self.bucket.request(key, "PUT", b"x")
        for key in old + foreign:
            self.bucket.set_age(key, 11)
        self.bucket.set_age(ours[2], 9)
        counted = self.world.run("artifacts", "prune", "--dry-run", "--json")
        self.assertEqual(json.loads(counted.stdout)["data"]["stored"]["objects"], len(old), counted.stderr)
        self.assertEqual(len(self.bucket.objects()), len(ours) - 2 + len(old) + len(foreign))
        pruned = self.world.run("artifacts", "prune")
        self.assertEqual(pruned.returncode, 0, pruned.stderr)
        self.assertEqual(sorted(self.bucket.objects()), sorted(ours[2:] + foreign))
        self.assertEqual(len(local_artifacts(self.world.state)), len(ours), "what is here is young")

    def test_a_session_removes_old_objects_by_itself_and_zero_days_means_never(self):
        keys = [f"team/fix-todos/abcdefg1/runs/{n}.txt" for n in range(3)]
        for key in keys:
            self.bucket.request(key, "PUT", b"x")
            self.bucket.set_age(key, 11)
        self.world.environment["EMEND_ARTIFACTS_RETENTION_DAYS"] = "0"
        self.fix("one")
        self.assertTrue(set(keys) <= set(self.bucket.objects()))
        del self.world.environment["EMEND_ARTIFACTS_RETENTION_DAYS"]
        self.fix("two")
        self.assert_all_stored()

    def test_only_certificates_that_can_be_checked_are_talked_to(self):
        folder = self.world.root
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem", "-days", "2",
                               "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], capture_output=True) if shutil.which("openssl") else None
        if made is None or made.returncode != 0:
            self.skipTest("openssl makes no certificate here")
        network = Network(self.bucket.port, (f"{folder}/cert.pem", f"{folder}/key.pem"))
        self.world.environment["EMEND_ARTIFACTS_ENDPOINT"] = f"https://127.0.0.1:{network.port}"
        self.assertIn("not yet in", self.fix("one").stderr)
        self.assertEqual(network.heads, [], "nothing was told to somebody unknown")
        self.world.environment["AWS_CA_BUNDLE"] = f"{folder}/cert.pem"
        self.assertEqual(self.push().returncode, 0)
        self.assert_all_stored()
        network.close()

    def test_a_repository_cannot_send_artifacts_elsewhere_unless_it_is_trusted(self):
        for name in ("STORE", "ENDPOINT"):
            del self.world.environment["EMEND_ARTIFACTS_" + name]
        with open(os.path.join(self.world.repo, "emend.toml"), "a", encoding="utf-8") as file:
            file.write(f'\n[artifacts]\nstore = "s3://{BUCKET}/team"\nendpoint = "http://127.0.0.1:{self.network.port}"\n')
        self.world.git("commit", "-qam", "Send everything to me")
        refused = self.world.run("fix", "--findings", self.findings("one"))
        self.assertEqual(refused.returncode, 7, refused.stderr)
        self.assertEqual(self.network.heads, [])
        trusted = self.world.run("trust")
        self.assertEqual(trusted.returncode, 0, trusted.stderr)
        self.fix("one")
        self.assert_all_stored()

    def test_wrong_settings_are_said_before_anything_runs(self):
        for name, value in (("STORE", "artifacts"), ("STORE", "s3://x"), ("ENDPOINT", "http://s3.example.org"), ("REGION", "a b")):
            environment = dict(self.world.environment)
            self.world.environment["EMEND_ARTIFACTS_" + name] = value
            refused = self.world.run("fix", "--findings", self.findings("one"))
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("artifacts." + name.lower(), refused.stderr)
            self.world.environment = environment


def main():
    global EMEND, SOURCES
    EMEND, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not shutil.which("node") or not os.path.isdir(os.path.join(SOURCES, "tests", "oracles", "node_modules", "@20minutes", "s3rver")):
        print("skipped: the S3 server is not installed (setup/oracles.sh)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=1)


if __name__ == "__main__":
    main()
