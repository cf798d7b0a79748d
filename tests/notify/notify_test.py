#!/usr/bin/env python3
"""notify_test.py EMEND: a server tells people and programs what happened; real receivers on this machine, which fail, go away and come back."""

import base64
import email
import email.policy
import hashlib
import hmac
import json
import os
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "http"))

from receivers import HookServer, MailServer, until
from world import World

EMEND = ""
SECRET = "whsec_" + base64.b64encode(b"a key that only two know 0123456").decode()
PASSWORD = "the-password-of-the-mail-server"


def read_mail(mail):
    return email.message_from_string(mail["text"], policy=email.policy.default)


class Notify(unittest.TestCase):
    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        self.cli("trust")
        self.world.environment.update({"EMEND_WEBHOOK_OUT_SECRET": SECRET, "EMEND_MAIL_PASSWORD": PASSWORD})

    def set(self, **settings):
        self.world.environment.update({"EMEND_NOTIFY_" + name.upper(): value for name, value in settings.items()})

    def hook(self, answer=None):
        server = HookServer(answer)
        self.addCleanup(server.close)
        return server

    def mail_server(self, *arguments, **settings):
        server = MailServer(*arguments, **settings)
        self.addCleanup(server.close)
        return server

    def cli(self, *arguments):
        done = self.world.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def session(self, *codes):
        """Runs one on the command line; the server only sees what is in the database."""
        done = self.world.run("fix", "--json", *codes)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["data"]["session_id"]

    def import_issues(self, api, *names):
        codes = []
        for name in names:
            body = {"file": f"src/{name}.sh", "line": 2, "title": f"{name} says wrong", "description": "It must say right.", "severity": "high"}
            codes.append(api.post("/api/issues", body).json["code"])
        return codes

    def test_1_slack_and_webhook(self):
        slack, hook = self.hook(), self.hook()
        self.set(slack_url=f"http://127.0.0.1:{slack.port}/services/T/B/secret-of-slack", webhook_url=f"http://127.0.0.1:{hook.port}/emend")
        api = self.world.start()
        codes = self.import_issues(api, "one")
        session = self.session(*codes)
        self.assertTrue(until(lambda: slack.posts and hook.posts), self.world.log_text())
        text = json.loads(slack.posts[0]["body"])["text"]
        self.assertIn(f"repo: Session {session} has ended: 1 resolved, 0 failed, 0 open.", text)
        self.assertIn(f"<http://127.0.0.1:{self.world.port}/sessions/{session}|Open>", text)
        post = hook.posts[0]
        body = json.loads(post["body"])
        self.assertEqual((body["type"], body["data"]["session_id"], body["data"]["figures"]["resolved"]), ("session.completed", session, 1))
        signed = f"{post['headers']['webhook-id']}.{post['headers']['webhook-timestamp']}.{post['body']}".encode()
        expected = base64.b64encode(hmac.new(base64.b64decode(SECRET[6:]), signed, hashlib.sha256).digest()).decode()
        self.assertEqual(post["headers"]["webhook-signature"], "v1," + expected)
        self.assertLess(abs(int(post["headers"]["webhook-timestamp"]) - time.time()), 60)
        # No code, no title: nobody asked for them.
        for said in (slack.posts[0]["body"], post["body"]):
            self.assertNotIn("says wrong", said)
            self.assertNotIn("echo", said)
        self.assertEqual(api.post("/api/notifications/trial").status, 202)
        self.assertTrue(until(lambda: len(slack.posts) > 1 and len(hook.posts) > 1))
        self.assertIn("tries whether notifications arrive", slack.posts[1]["body"])
        self.assertTrue(until(lambda: api.get("/api/notifications").json["data"] == []))
        self.world.stop()
        log = self.world.log_text()
        for secret in (SECRET, PASSWORD, "secret-of-slack"):
            self.assertNotIn(secret, log)

    def test_2_nothing_is_lost_and_nothing_knowingly_sent_twice(self):
        refusing, tells = True, {}

        def answer(post):
            tells.setdefault(post["headers"]["webhook-id"], []).append(post)
            return 503 if refusing else 204

        hook = self.hook(answer)
        self.set(webhook_url=f"http://127.0.0.1:{hook.port}/emend")
        self.world.environment["EMEND_SERVER_ADDRESS"] = "https://emend.example.org"  # links stay the same, whatever the port
        api = self.world.start()
        codes = self.import_issues(api, "one", "two", "five")
        sessions = [self.session(codes[0])]
        self.assertTrue(until(lambda: len(hook.posts) >= 2), "it tries again")
        self.assertEqual(api.get("/api/notifications").json["data"][0]["problem"], "HTTP 503")
        self.world.kill()
        sessions.append(self.session(codes[1]))  # while there is no server
        api = self.world.start()
        self.assertTrue(until(lambda: len(tells) == 2), "the killed server's message, and what happened meanwhile")
        self.world.kill()
        refusing = False
        api = self.world.start()
        sessions.append(self.session(codes[2]))
        self.assertTrue(until(lambda: len(tells) == 3 and api.get("/api/notifications").json["data"] == []), tells)
        told = [json.loads(posts[-1]["body"])["data"]["session_id"] for posts in tells.values()]
        self.assertEqual(sorted(told), sorted(sessions))
        for posts in tells.values():
            self.assertEqual(len({post["body"] for post in posts}), 1, "the same message has the same id and the same words")
        taken = len(hook.posts)
        self.world.stop()
        self.world.start()
        self.assertFalse(until(lambda: len(hook.posts) > taken, 5), "what was taken is not sent again")

    def test_3_mail_by_starttls_and_tls(self):
        for tls, scheme in (("start", "smtp"), ("always", "smtps")):
            with self.subTest(tls):
                self.world.close()
                self.world = World(EMEND)
                self.addCleanup(self.world.close)
                self.cli("trust")
                self.world.environment["EMEND_MAIL_PASSWORD"] = PASSWORD
                os.makedirs(self.world.path("tls"), exist_ok=True)
                server = self.mail_server(tls, self.world.path("tls"), user="emend", password=PASSWORD)
                self.set(mail_server=f"{scheme}://localhost:{server.port}", mail_user="emend", mail_from="emend@example.org", ca_file=self.world.path("tls", "cert.pem"))
                self.cli("notify", "set", "--mail", "owner@example.org", "--topic", "sessions")
                api = self.world.start()
                session = self.session(*self.import_issues(api, "one"))
                self.assertTrue(until(lambda: server.mails), self.world.log_text())
                mail = server.mails[0]
                self.assertEqual((mail["from"], mail["to"], mail["secure"]), ("emend@example.org", "owner@example.org", True))
                message = read_mail(mail)
                self.assertEqual((message["From"], message["To"], message["Auto-Submitted"]), ("emend <emend@example.org>", "owner@example.org", "auto-generated"))
                self.assertEqual(message["Subject"], f"[emend] repo: Session {session} has ended: 1 resolved, 0 failed, 0 open.")
                self.assertTrue(message["Message-ID"].endswith("@example.org>"))
                self.assertIn(f"http://127.0.0.1:{self.world.port}/sessions/{session}", message.get_content())
                self.assertFalse([verb for verb, secure in server.talked if verb in ("AUTH", "MAIL", "DATA") and not secure])
                self.assertNotIn(PASSWORD, self.world.log_text())

    def test_4_a_mail_server_that_nobody_vouches_for(self):
        os.makedirs(self.world.path("tls"), exist_ok=True)
        server = self.mail_server("start", self.world.path("tls"))
        self.set(mail_server=f"smtp://localhost:{server.port}", mail_from="emend@example.org")
        self.cli("notify", "set", "--mail", "owner@example.org")
        api = self.world.start()
        self.session(*self.import_issues(api, "one"))
        self.assertTrue(until(lambda: any(row["problem"] for row in api.get("/api/notifications").json["data"])))
        self.assertEqual(server.mails, [])

    def test_5_each_person_is_told_what_they_may_know_and_want(self):
        server = self.mail_server()
        self.set(mail_server=f"smtp://127.0.0.1:{server.port}", mail_from="emend@example.org")
        for name, role in (("ann", "read"), ("bob", None), ("eve", "read")):
            self.cli("people", "add", name)
            if role:
                self.cli("people", "role", name, role)
            self.cli("notify", "set", "--for", name, "--mail", f"{name}@example.org", *(("--topic", "questions") if name == "eve" else ()))
        api = self.world.start()
        session = self.session(*self.import_issues(api, "one"))
        self.assertTrue(until(lambda: server.mails))
        api.post("/api/notifications/trial")
        self.assertTrue(until(lambda: api.get("/api/notifications").json["data"] == []))
        self.assertEqual([mail["to"] for mail in server.mails], ["ann@example.org"], "bob sees no repository, eve wants questions only")
        self.assertIn(session, server.mails[0]["text"])
        # What is sent later is held against the rights of then.
        server.refuse = lambda to: "451 later"
        two = self.session(*self.import_issues(api, "five"))
        self.assertTrue(until(lambda: any(two in text and row["problem"] for row in api.get("/api/notifications").json["data"] for text in row["texts"])))
        self.cli("people", "role", "ann", "none")
        server.refuse = None
        self.assertTrue(until(lambda: api.get("/api/notifications").json["data"] == []))
        self.assertEqual(len(server.mails), 1)
        actions = json.loads(self.cli("audit", "--json", "--action", "notifications.changed"))["data"]
        self.assertEqual({entry["subject"] for entry in actions}, {"ann", "bob", "eve"})

    def test_6_a_digest_is_one_mail(self):
        server = self.mail_server()
        self.set(mail_server=f"smtp://127.0.0.1:{server.port}", mail_from="emend@example.org")
        self.cli("notify", "set", "--mail", "owner@example.org", "--when", "hourly")
        api = self.world.start()
        codes = self.import_issues(api, "one", "five")
        sessions = [self.session(code) for code in codes]
        self.assertTrue(until(lambda: [len(row["texts"]) for row in api.get("/api/notifications").json["data"]] == [2]))
        row = api.get("/api/notifications").json["data"][0]
        self.assertEqual((row["due_at"][14:19], row["state"]), ("00:00", "waiting"))
        self.assertTrue(all(session in text for session, text in zip(sessions, row["texts"])))
        self.assertEqual(server.mails, [])
        self.world.kill()
        self.world.start()
        rows = json.loads(self.cli("notify", "queue", "--json"))["data"]
        self.assertEqual([len(row["notices"]) for row in rows], [2])

    def test_7_a_mail_whose_answer_was_lost_is_the_same_mail(self):
        server = self.mail_server()
        self.set(mail_server=f"smtp://127.0.0.1:{server.port}", mail_from="emend@example.org")
        self.cli("notify", "set", "--mail", "owner@example.org")
        self.world.environment["EMEND_SERVER_ADDRESS"] = "https://emend.example.org"
        api = self.world.start()
        server.slow = threading.Event()
        self.session(*self.import_issues(api, "one"))
        self.assertTrue(until(lambda: server.mails))
        self.world.kill()  # the mail is there, and its server never said so
        server.slow.set()
        self.world.start()
        self.assertTrue(until(lambda: len(server.mails) == 2))
        self.assertEqual(len({mail["text"] for mail in server.mails}), 1, "with the same Message-ID, so the reader sees one")

    def test_8_what_cannot_be_meant(self):
        for settings, words in (({"slack_url": "http://hooks.example.org/x"}, "notify.slack_url is no https address"),
                                ({"webhook_url": "https://user@example.org/"}, "notify.webhook_url is no https address"),
                                ({"topics": '["weather"]'}, 'there is no topic "weather"'),
                                ({"mail_server": "mail.example.org"}, "notify.mail_server is no address"),
                                ({"mail_server": "smtp://mail.example.org", "mail_from": "x\ny@example.org"}, "notify.mail_from is no address")):
            before = dict(self.world.environment)
            self.set(**settings)
            refused = self.world.run("serve", "--listen", "127.0.0.1:0")
            self.world.environment.clear()
            self.world.environment.update(before)
            self.assertEqual((refused.returncode, words in refused.stderr), (2, True), (settings, refused.stderr))
        refused = self.world.run("notify", "set", "--mail", "a@b\r\nBcc: c@d")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        refused = self.world.run("notify", "set", "--when", "daily")
        self.assertEqual((refused.returncode, "no address to send anything to" in refused.stderr), (2, True))


if __name__ == "__main__":
    EMEND = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
