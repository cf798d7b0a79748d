#!/usr/bin/env python3
"""openid_test.py EMEND SOURCES: people sign in at a real OpenID provider (npm's oidc-provider) on this machine, and at one that lies."""

import html
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))

from client import Client
from world import World

EMEND, SOURCES = "", ""
HERE = os.path.dirname(os.path.abspath(__file__))
SECRET = "the-secret-of-the-client-0123456789"
PEOPLE = {
    "s-ann": {"email": "Ann@example.org", "email_verified": True, "name": "Ann Lee", "groups": ["backend"]},
    "s-eve": {"email": "ann@example.org", "email_verified": True, "name": "Not Ann", "groups": ["platform"]},
    "s-bob": {"email": "bob@example.org", "email_verified": False, "name": "Bob", "groups": ["backend"]},
    "s-new": {"email": "new@example.org", "email_verified": True, "name": "New\u202e One", "groups": []},
}
LIES = ("nonce", "issuer", "audience", "audiences", "party", "expired", "future", "endless", "nobody", "replayed", "none", "none_signed", "hmac", "stranger",
        "unknown_key", "confused", "critical", "changed", "twice", "cut", "missing")


class Provider:
    def __init__(self):
        self.process = subprocess.Popen(["node", os.path.join(HERE, "provider.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, cwd=HERE)
        line = self.process.stdout.readline()
        assert line, "the provider did not start"
        self.port = int(line)

    def order(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


class Browser:
    """Follows links and sends forms, with cookies by host, as far as a sign-in needs it."""

    def __init__(self, person):
        self.person, self.cookies = person, {}

    def ask(self, url, form=None):
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        jar = self.cookies.setdefault(parts.port, {})
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items()), "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                   "Sec-Fetch-Dest": "document", "User-Agent": "a browser"}
        body = None
        if form is not None:
            body, headers["Content-Type"] = urllib.parse.urlencode(form), "application/x-www-form-urlencoded"
        connection.request("GET" if form is None else "POST", parts.path + ("?" + parts.query if parts.query else ""), body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            jar[name] = value
            if not value:
                del jar[name]
        connection.close()
        return answer, text

    def to_the_provider(self, world, page="/"):
        """Up to the address of the callback, which is given and not asked yet."""
        for _ in range(20):  # a server lets so many begin in a second
            answer, text = self.ask(f"http://127.0.0.1:{world.port}/auth/sign-in?page={urllib.parse.quote(page)}")
            if answer.status != 429:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        assert answer.status == 303, (answer.status, text)
        url = answer.headers["Location"]
        for _ in range(12):
            if "/auth/callback" in url:
                return url
            base = url
            answer, text = self.ask(url)
            if answer.status in (302, 303):
                url = urllib.parse.urljoin(base, answer.headers["Location"])
                continue
            where = urllib.parse.urljoin(base, html.unescape(re.search(r'action="([^"]+)"', text).group(1)))
            prompt = re.search(r'name="prompt" value="(\w+)"', text).group(1)
            answer, text = self.ask(where, {"prompt": prompt, "login": self.person, "password": "x"})
            assert answer.status in (302, 303), (answer.status, text)
            url = urllib.parse.urljoin(where, answer.headers["Location"])
        raise AssertionError("the provider did not come to an end: " + url)

    def sign_in(self, world, page="/"):
        return self.come_back(self.to_the_provider(world, page))

    def come_back(self, url):
        answer, text = self.ask(url)
        assert answer.status == 303, (answer.status, text)
        return answer.headers["Location"]

    def login(self, world):
        return self.cookies.get(world.port, {}).get("emend_login")

    def me(self, world):
        return Client(world.port).get("/api/me", Cookie=f"emend_login={self.login(world)}")


class OpenId(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.provider = Provider()
        cls.issuer = f"http://127.0.0.1:{cls.provider.port}"

    @classmethod
    def tearDownClass(cls):
        cls.provider.close()

    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        self.world.environment.update({"EMEND_SIGN_IN_ISSUER": self.issuer, "EMEND_SIGN_IN_CLIENT_ID": "emend", "EMEND_OPENID_SECRET": SECRET,
                                       "EMEND_SIGN_IN_LABEL": "Example"})

    def serve(self, algorithm="RS256", people=None, **settings):
        self.world.environment.update({"EMEND_SIGN_IN_" + name.upper(): value for name, value in settings.items()})
        api = self.world.start()
        self.client(algorithm, people)
        return api

    def client(self, algorithm="RS256", people=None):
        self.provider.order(people=people or PEOPLE, client={
            "client_id": "emend", "client_secret": SECRET, "redirect_uris": [f"http://127.0.0.1:{self.world.port}/auth/callback"],
            "grant_types": ["authorization_code"], "response_types": ["code"], "id_token_signed_response_alg": algorithm,
            "application_type": "native"})

    def cli(self, *arguments):
        done = self.world.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_1_a_person_signs_in(self):
        api = self.serve()
        self.assertEqual(api.get("/api/auth/sign-in").json, {"sign_in": {"label": "Example", "url": "/auth/sign-in"}})
        ann = Browser("s-ann")
        self.assertEqual(ann.sign_in(self.world), "/#sign-in=no-account", "nobody has added her")
        self.assertIsNone(ann.login(self.world))
        self.assertIn("there is no account named ann@example.org", self.world.log_text())
        self.cli("people", "add", "ann@example.org")
        self.cli("people", "role", "ann@example.org", "decide", "--all")
        self.assertEqual(ann.sign_in(self.world, "/issues?status=OPEN"), "/issues?status=OPEN", "where she wanted to go")
        me = ann.me(self.world)
        self.assertEqual((me.status, me.json["name"], me.json["kind"]), (200, "Ann Lee", "person"))
        self.assertEqual(me.json["roles"], [{"repository_id": "*", "role": "decide"}])
        actions = [entry["action"] for entry in api.get("/api/audit?actor=Ann").json["data"]]
        self.assertEqual(actions, ["person.signed_in", "person.linked"])
        again = Browser("s-ann")
        self.assertEqual(again.sign_in(self.world), "/")
        self.assertNotEqual(again.login(self.world), ann.login(self.world))
        self.assertEqual(Browser("s-eve").sign_in(self.world), "/#sign-in=not-allowed", "the name is taken by who came first")
        self.assertEqual(Browser("s-bob").sign_in(self.world), "/#sign-in=not-allowed", "an address nobody confirmed")
        # A login can be looked at and ended, also by her.
        rows = Client(self.world.port).get("/api/logins", Cookie=f"emend_login={ann.login(self.world)}").json["data"]
        self.assertEqual([(row["account"], row["by"], row["browser"]) for row in rows], [("ann@example.org", "sign-in", "a browser")] * 2)
        other = next(row["id"] for row in rows if not row["this_one"])
        page = {"Cookie": f"emend_login={ann.login(self.world)}", "Origin": f"http://127.0.0.1:{self.world.port}", "Sec-Fetch-Site": "same-origin", "X-Emend-CSRF": "1"}
        self.assertEqual(Client(self.world.port).request("DELETE", f"/api/logins/{other}", headers=page).status, 204)
        self.assertEqual(again.me(self.world).status, 401)
        self.assertEqual(ann.me(self.world).status, 200)
        self.assertEqual(Client(self.world.port).request("DELETE", "/api/auth/session", headers=page).status, 204)
        self.assertEqual(ann.me(self.world).status, 401)
        # Who is removed does not come back by signing in.
        self.cli("people", "remove", "ann@example.org")
        self.assertEqual(ann.sign_in(self.world), "/#sign-in=not-allowed")
        self.assertNotIn(SECRET, self.world.log_text())

    def test_2_what_must_not_be_believed(self):
        self.serve()
        self.cli("people", "add", "ann@example.org")
        self.assertEqual(Browser("s-ann").sign_in(self.world), "/")
        for lie in LIES:
            self.provider.order(lie=lie)
            liar = Browser("s-ann")
            self.assertEqual((lie, liar.sign_in(self.world), liar.login(self.world)), (lie, "/#sign-in=refused", None))
        self.provider.order(lie=None)
        self.assertEqual(Browser("s-ann").sign_in(self.world), "/")

    def test_3_ways_that_are_not_ones_own(self):
        self.serve()
        self.cli("people", "add", "ann@example.org")
        ann, eve = Browser("s-ann"), Browser("s-eve")
        url = ann.to_the_provider(self.world)
        self.assertEqual(eve.come_back(url), "/#sign-in=expired", "somebody else's browser with her way")
        self.assertIsNone(eve.login(self.world))
        self.assertEqual(ann.come_back(url), "/")
        cookies = dict(ann.cookies[self.world.port])
        self.assertEqual(ann.come_back(url), "/#sign-in=expired", "the way is used")
        self.assertEqual(Browser("s-ann").come_back(url), "/#sign-in=expired")
        ann.cookies[self.world.port] = cookies
        # A code of one way on another, and the answer of another provider.
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["code"][0]
        for change in (lambda query: query.update(code=[code]), lambda query: query.update(iss=["https://elsewhere.example"]), lambda query: query.pop("iss"),
                       lambda query: query.pop("code"), lambda query: query.update(error=["access_denied"])):
            browser = Browser("s-ann")
            parts = urllib.parse.urlsplit(browser.to_the_provider(self.world))
            query = urllib.parse.parse_qs(parts.query)
            change(query)
            self.assertEqual(browser.come_back(urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query, doseq=True)))), "/#sign-in=refused", query)
            self.assertIsNone(browser.login(self.world))
        two = Browser("s-ann")
        first, second = (two.to_the_provider(self.world) for _ in range(2))
        self.assertEqual(two.come_back(first), "/#sign-in=expired", "the browser began anew")
        for page in ("//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/<x>"):
            self.assertEqual(Browser("s-ann").sign_in(self.world, page), "/", page)

    def test_4_keys_change(self):
        for algorithm in ("RS256", "ES256"):
            with self.subTest(algorithm):
                if self.world.port is None:
                    self.serve(algorithm)
                    self.cli("people", "add", "ann@example.org")
                self.client(algorithm)
                self.assertEqual(Browser("s-ann").sign_in(self.world), "/")
                self.provider.order(keys=True)
                self.assertEqual(Browser("s-ann").sign_in(self.world), "/", "the key is new")

    def test_5_groups_give_roles(self):
        api = self.serve(new_people="add", scopes='["email", "profile", "groups"]', groups='["backend=run@repo", "platform=administer"]')
        repository = api.get("/api/repositories").json["data"][0]["id"]
        new = Browser("s-new")
        self.assertEqual(new.sign_in(self.world), "/")
        self.assertEqual((new.me(self.world).json["name"], new.me(self.world).json["roles"]), ("New\ufffd One", []))
        ann = Browser("s-ann")
        self.assertEqual(ann.sign_in(self.world), "/")
        self.assertEqual(ann.me(self.world).json["roles"], [{"repository_id": repository, "role": "run"}])
        moved = {**PEOPLE, "s-ann": {**PEOPLE["s-ann"], "groups": ["platform"]}}
        self.provider.order(people=moved)
        self.assertEqual(ann.sign_in(self.world), "/")
        self.assertEqual(ann.me(self.world).json["roles"], [{"repository_id": "*", "role": "administer"}])
        self.provider.order(people={**PEOPLE, "s-ann": {**PEOPLE["s-ann"], "groups": []}})
        self.assertEqual(ann.sign_in(self.world), "/")
        self.assertEqual(ann.me(self.world).json["roles"], [])
        changed = api.get("/api/audit?action=role.changed").json["data"]
        self.assertEqual([entry["detail"]["role"] for entry in changed], [None, "administer", None, "run"])  # the newest first; what ends comes before what begins
        self.assertTrue(json.loads(self.cli("audit", "verify", "--json"))["data"]["holds"])

    def test_6_a_provider_that_is_away(self):
        self.world.environment["EMEND_SIGN_IN_ISSUER"] = "http://127.0.0.1:9"
        self.world.start()
        answer, _ = Browser("s-ann").ask(f"http://127.0.0.1:{self.world.port}/auth/sign-in")
        self.assertEqual((answer.status, answer.headers["Location"]), (303, "/#sign-in=unreachable"))
        self.world.stop()
        self.world.environment["EMEND_SIGN_IN_ISSUER"] = "http://login.example.org"
        refused = self.world.run("serve", "--listen", "127.0.0.1:0")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("sign_in.issuer is no https address", refused.stderr)

    def test_7_nothing_of_it_where_nobody_asked_for_it(self):
        for name in list(self.world.environment):
            if name.startswith("EMEND_SIGN_IN") or name == "EMEND_OPENID_SECRET":
                del self.world.environment[name]
        api = self.world.start()
        self.assertEqual(api.get("/api/auth/sign-in").json, {"sign_in": None})
        for path in ("/auth/sign-in", "/auth/callback?code=x&state=y"):
            self.assertEqual(Client(self.world.port).get(path).status, 404)


if __name__ == "__main__":
    EMEND, SOURCES = sys.argv[1], sys.argv[2]
    if shutil.which("node") is None or not os.path.exists(os.path.join(HERE, "node_modules", ".installed")):
        print("skipped: no OpenID provider (setup/openid_tests.sh installs it)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
