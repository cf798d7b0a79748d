#!/usr/bin/env python3
"""probe_test.py EMEND: knocks at every door of the real server in every wrong way. What is probed comes from the live route table
(`emend serve --routes`); a route this file does not know how to call fails the test. Prints the counts."""

import json
import re
import socket
import sys
import threading
import time

from client import Client, raw, read_answer
from world import World

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
# Everybody may call these; a new one has to be put here by somebody who has thought about it.
ANYBODY = {"getHealth", "logIn", "getProblem", "getAsset", "getDashboard", "getIssuesPage", "getIssuePage", "getSessionsPage", "getSessionPage",
           "getChangesPage", "getPullsPage", "getPullPage", "getInsightsPage", "getSettingsPage", "getSignIn", "beginSignIn", "finishSignIn"}
SIGN_IN = {"beginSignIn", "finishSignIn"}  # no provider is configured here
EXPLAINED = {501: "ways of sending a body that are not served", 505: "versions that are not spoken"}


class Matrix:
    def __init__(self, world):
        self.world, self.port = world, world.port
        self.counts, self.wrong = {}, []

    def note(self, group, name, status, allowed, text=b""):
        self.counts[group] = self.counts.get(group, 0) + 1
        let_in = status is not None and 200 <= status < 400
        broken = status is None or (status >= 500 and status not in EXPLAINED)
        if status in allowed and not broken:
            return
        why = "LET IN" if let_in else "BROKEN" if broken else "OTHER REFUSAL"
        self.wrong.append(f"{group}: {name}: {why}: {status}, expected one of {sorted(allowed)}: {bytes(text)[:300]!r}")

    def send(self, group, name, data, allowed, half=True):
        """One probe on a connection of its own. Exactly one answer may come back."""
        received = raw(self.port, data, wait_for_end=half)
        answers = re.findall(rb"(?:^|\n)HTTP/1\.1 (\d{3}) ", received)
        status = int(answers[0]) if answers else 0
        if len(answers) > 1 and all(int(answer) < 400 for answer in answers[1:]):
            status = 200  # something was smuggled
        self.note(group, name, status, allowed | ({0} if 0 in allowed else set()), received)
        return received


def head(line, headers, body=b""):
    return (line + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n").encode("latin-1") + body


class Probes:
    def __init__(self, world):
        self.world = world
        self.routes = world.routes()
        self.api = world.start()
        self.host = f"127.0.0.1:{world.port}"
        self.token = world.token
        self.matrix = Matrix(world)
        self.values = self.make_things()

    def make_things(self):
        """Something real behind every parameter, so that whoever gets in finds something."""
        repository = self.api.get("/api/repositories").json["data"][0]["id"]
        issue = self.api.post("/api/issues", {"file": "src/one.sh", "title": "probe", "line": 1}).json
        review = self.api.post("/api/reviews", {}, {"Accept": "application/json"}).json["review_id"]
        return {"/api/repositories/{id}": repository, "/api/issues/{code}": issue["code"], "/api/reviews/{id}": review, "/api/fix/sessions/{id}": review,
                "/api/questions/{id}": issue["code"] + "-q1", "/api/runs/{id}": review, "/api/agents/{name}": "fixer", "/api/people/{name}": "ann", "/api/tokens/{id}": review, "/api/logins/{id}": review, "/problems/{name}": "not-found",
                "/api/verify/{id}": review, "/api/check/{id}": review, "/api/challenge/{id}": review, "/api/jobs/{id}": review, "/api/webhooks/{source}": "github",
                "/api/pr/reviews/{id}": review, "/sessions/{id}": review, "/pulls/{id}": review, "/issues/{code}": issue["code"],
                "/assets/{name}": re.search(r"/assets/(app-\w+\.js)", self.api.get("/").body).group(1)}

    def path_of(self, pattern):
        for start, value in self.values.items():
            if pattern == start or pattern.startswith(start + "/"):
                pattern = pattern.replace(start, start[:start.index("{")] + value, 1)
        if "{" in pattern:
            raise AssertionError(f"no probe knows a value for {pattern}; add one to make_things()")
        return pattern

    # --- who ------------------------------------------------------------------------------------------------------------

    def credentials(self):
        other = World(self.world.program)  # the token of another home
        other.run("serve", "--routes")
        foreign = other.token
        other.close()
        token = self.token
        return [("none", []), ("empty", [("Authorization", "")]), ("empty bearer", [("Authorization", "Bearer ")]),
                ("wrong", [("Authorization", "Bearer " + "0" * len(token))]), ("truncated", [("Authorization", "Bearer " + token[:-1])]),
                ("prefix", [("Authorization", "Bearer " + token[:8])]), ("longer", [("Authorization", "Bearer " + token + "0")]),
                ("other home", [("Authorization", "Bearer " + foreign)]), ("basic", [("Authorization", "Basic " + token)]),
                ("in a cookie", [("Cookie", "emend_login=" + token)])]

    def unknown_callers(self):
        expected = {route["operation"]: route["admission"] for route in self.routes}
        for operation, admission in expected.items():
            if admission == "anybody" and operation not in ANYBODY:
                raise AssertionError(f"{operation} lets everybody in and is not known to")
        table = {(route["method"], route["path"]): route for route in self.routes}
        for pattern in sorted({route["path"] for route in self.routes}):
            path = self.path_of(pattern)
            for method in METHODS:
                route = table.get(("GET" if method == "HEAD" else method, pattern))
                admission = route["admission"] if route else "member"
                for name, headers in self.credentials_once:
                    body = b"{}" if route and route["body"] == "json" else b""
                    more = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))] if body else []
                    line = f"{method} {path} HTTP/1.1"
                    data = head(line, [("Host", self.host), ("Connection", "close")] + headers + more, body)
                    allowed = {401, 429} if admission != "anybody" else {200, 422}
                    if route and route["operation"] in SIGN_IN:
                        allowed = {404, 422}
                    if admission == "signed_body":
                        allowed = {400, 401, 403, 404, 413, 422}
                    group = "caller" if admission != "anybody" else "public"
                    self.matrix.send(group, f"{method} {pattern} with {name}", data, allowed)
        for path in ("/api", "/api/none", "/api/issues/BE-001/none", "/admin", "/.git/config", "/api/fix/sessions/x/y/z", "/favicon.ico", "/metrics/x"):
            for method in METHODS:
                self.matrix.send("unknown path", f"{method} {path}", head(f"{method} {path} HTTP/1.1", [("Host", self.host), ("Connection", "close")]), {401, 429})

    def suffixes_of_the_token(self):
        for length in range(0, len(self.token), 2):
            data = head("GET /api/status HTTP/1.1", [("Host", self.host), ("Connection", "close"), ("Authorization", "Bearer " + self.token[length + 1:])])
            self.matrix.send("token", f"suffix {length}", data, {401, 429})
        for form in ("Bearer\t" + self.token, "Bearer " + self.token.upper() + "A", "Token " + self.token,
                     self.token, "Bearer " + self.token + ", Bearer x", 'Bearer "' + self.token + '"'):
            self.matrix.send("token", form[:10], head("GET /api/status HTTP/1.1", [("Host", self.host), ("Connection", "close"), ("Authorization", form)]), {401, 429})
        for path in (f"/api/status?token={self.token}", f"/api/status?access_token={self.token}", f"/api/status?authorization=Bearer%20{self.token}"):
            self.matrix.send("token", "in the address", head(f"GET {path} HTTP/1.1", [("Host", self.host), ("Connection", "close")]), {401, 429})

    # --- where from -----------------------------------------------------------------------------------------------------

    def hosts(self):
        port = self.world.port
        names = ["localhost", "127.0.0.1", "[::1]", f"localhost:{port + 1}", f"127.0.0.1:{port}0", f"localhost.:{port}", 
                 f"127.1:{port}", f"127.0.1:{port}", f"0x7f.1:{port}", f"0x7f000001:{port}", f"2130706433:{port}", f"0177.0.0.1:{port}", f"127.0.0.01:{port}",
                 f"[::ffff:127.0.0.1]:{port}", f"[0:0:0:0:0:0:0:1]:{port}", f"[::1%25lo]:{port}", f"::1:{port}", f"0.0.0.0:{port}", f"[::]:{port}", f"127.0.0.2:{port}",
                 f"127.0.0.1.nip.io:{port}", f"localhost.evil.example:{port}", f"evil.example:{port}", "evil.example", f"user@127.0.0.1:{port}",
                 f"127.0.0.1:{port}@evil.example", f"evil.example#127.0.0.1:{port}", f"127.0.0.1:{port}/", f"127.0.0.1:{port}?", f"127.0.0.1:+{port}",
                 f"127.0.0.1:0{port}", f"127.0.0.1 :{port}", f"127.0.0.1: {port}", f"127.0.0.1:{port},evil.example", f"127.0.0.1:{port} evil.example", "", ":", f":{port}",
                 f"http://127.0.0.1:{port}", f"//127.0.0.1:{port}", f"localhost:{port}.", f"localhost%00:{port}", f"127.0.0.1%3A{port}", f"ip6-localhost:{port}",
                 f"host.docker.internal:{port}", f"169.254.169.254:{port}", f"10.0.0.1:{port}", f"192.168.0.1:{port}", "*", f"*:{port}", "null", f"xn--localhost:{port}",
                 f"localhost:{port}:{port}", f"127.0.0.1:{port};a=b", f"'127.0.0.1:{port}'", f'"127.0.0.1:{port}"', f"<127.0.0.1:{port}>", f"127。0。0。1:{port}".encode("utf-8").decode("latin-1")]
        auth = ("Authorization", "Bearer " + self.token)
        for name in names:
            self.matrix.send("host", name, head("GET /api/status HTTP/1.1", [("Host", name), auth, ("Connection", "close")]), {421, 400})
        ok = ("Host", self.host)
        self.matrix.send("host", "two", head("GET /api/status HTTP/1.1", [ok, ("Host", "evil.example"), auth]), {400})
        self.matrix.send("host", "twice the same", head("GET /api/status HTTP/1.1", [ok, ok, auth]), {400})
        self.matrix.send("host", "missing", head("GET /api/status HTTP/1.1", [auth]), {400})
        self.matrix.send("host", "missing in 1.0", head("GET /api/status HTTP/1.0", [auth]), {400})
        for target in (f"http://{self.host}/api/status", "http://evil.example/api/status", f"https://{self.host}/", "//evil.example/api/status", "*", self.host, "api/status"):
            self.matrix.send("host", "target " + target, head(f"GET {target} HTTP/1.1", [ok, auth]), {400})
        for name in (self.host, f"localhost:{port}", f"LocalHost:{port}", f"[::1]:{port}"):
            status = read_status(raw(port, head("GET /api/status HTTP/1.1", [("Host", name), auth, ("Connection", "close")])))
            assert status == 200, (name, status)

    def log_in(self):
        code = self.api.post("/api/auth/launch-codes").json["code"]
        anybody = Client(self.world.port)
        answer = anybody.post("/api/auth/session", {"code": code})
        assert answer.status == 204, answer
        cookie = answer.header("Set-Cookie")
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            assert word in cookie, cookie
        again = anybody.post("/api/auth/session", {"code": code})
        self.matrix.note("login", "a code twice", again.status, {401})
        for wrong in ("", code[:-1], code + "0", code.upper() + "x", "0" * 32, self.token):
            self.matrix.note("login", "code " + wrong[:4], anybody.post("/api/auth/session", {"code": wrong}).status, {401, 422})
        for body in ([], {"code": 1}, {"code": None}, {}, {"code": "x", "more": 1}):
            self.matrix.note("login", f"body {body}", anybody.request("POST", "/api/auth/session", json.dumps(body).encode(), {"Content-Type": "application/json"}).status, {422})
        used = anybody.request("POST", "/api/auth/session", b"{" + b" " * 2000 + b"}", {"Content-Type": "application/json"})
        self.matrix.note("login", "a long body", used.status, {413})
        return cookie.split(";")[0], code

    def pages(self):
        """What a browser with the cookie, or a page of somebody else's, may do."""
        cookie, _ = self.log_in()
        origin = f"http://{self.host}"
        good = [("Origin", origin), ("Sec-Fetch-Site", "same-origin"), ("X-Emend-CSRF", "1")]
        port = self.world.port
        change = "POST /api/queue/pause HTTP/1.1"
        base = [("Host", self.host), ("Connection", "close"), ("Cookie", cookie)]
        status = read_status(raw(port, head("GET /api/status HTTP/1.1", base)))
        assert status == 200, status
        status = read_status(raw(port, head("POST /api/queue/resume HTTP/1.1", base + good)))
        assert status == 200, status
        for leave_out in range(3):
            self.matrix.send("page", f"change without {good[leave_out][0]}", head(change, base + good[:leave_out] + good[leave_out + 1:]), {403})
        origins = ["null", "http://evil.example", f"https://{self.host}", "http://127.0.0.1", f"http://127.0.0.1:{port + 1}", f"http://localhost.evil.example:{port}", f"{origin}.evil.example",
                   f"{origin}/", origin.upper(), "file://", "chrome-extension://abc", "", f"{origin} {origin}", f"http://user@{self.host}", "http://[::]", "data:", "about:blank"]
        sites = ["cross-site", "same-site", "", "SAME-ORIGIN", "nonsense", "none, same-origin"]
        token = ("Authorization", "Bearer " + self.token)
        for value in origins:
            self.matrix.send("page", f"change from origin {value}", head(change, base + [("Origin", value)] + good[1:]), {403})
            self.matrix.send("page", f"look from origin {value}", head("GET /api/status HTTP/1.1", base + [("Origin", value)]), {403})
            self.matrix.send("page", f"token from origin {value}", head("GET /api/status HTTP/1.1", base[:2] + [token, ("Origin", value)]), {403})
            preflight = self.matrix.send("page", f"preflight from {value}", head("OPTIONS /api/issues HTTP/1.1", base[:2] + [
                ("Origin", value), ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "authorization")]), {403})
            assert b"access-control" not in preflight.lower(), preflight
        for value in sites:
            self.matrix.send("page", f"change with site {value}", head(change, base + [good[0], ("Sec-Fetch-Site", value), good[2]]), {403})
            self.matrix.send("page", f"look with site {value}", head("GET /api/issues HTTP/1.1", base + [("Sec-Fetch-Site", value)]), {403})
            self.matrix.send("page", f"stream with site {value}", head("GET /api/events HTTP/1.1", base + [("Sec-Fetch-Site", value)]), {403})
        for value in ("0", "", "true", "1, 1"):
            self.matrix.send("page", f"change with X-Emend-CSRF {value!r}", head(change, base + good[:2] + [("X-Emend-CSRF", value)]), {403})
        for route in self.routes:
            path = self.path_of(route["path"])
            body = b"{}" if route["body"] == "json" else b""
            more = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))] if body else []
            line = f"{route['method']} {path} HTTP/1.1"
            if route["method"] != "GET" and route["admission"] != "anybody":
                self.matrix.send("page", f"{route['operation']} by form", head(line, base + more, body), {403})
            if route["admission"] == "owner":
                self.matrix.send("page", f"{route['operation']} by cookie", head(line, base + good + more, body), {403})
            self.matrix.send("page", f"{route['operation']} from elsewhere", head(line, base + [("Origin", "http://evil.example")] + more, body), {403})
        self.cookies(cookie, base, good)

    def cookies(self, cookie, base, good):
        name, value = cookie.split("=", 1)
        forms = [value[:-1], value + "0", value[:8], "", ".", "..", "0", "0" * len(value), value.upper() if value != value.upper() else value.lower(), value[::-1], f'"{value}"', value + " x",
                 value + "." + value, "%" + value]
        forms += [value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1:] for place in range(0, len(value), 3) if value[place] != "."]
        for form in forms:
            self.matrix.send("cookie", form[:20], head("GET /api/status HTTP/1.1", base[:2] + [("Cookie", f"{name}={form}")]), {401, 429})
        for form in (f"x{name}={value}", f"{name.upper()}={value}", f"{name}x={value}", f"{name} ={value}", f"a={name}={value}"):
            self.matrix.send("cookie", form[:20], head("GET /api/status HTTP/1.1", base[:2] + [("Cookie", form)]), {401, 429})
        # An open stream ends with its login.
        browser = Client(self.world.port)
        stream = browser.stream("/api/events", headers={"Cookie": cookie})
        first = next(iter(stream))
        assert first["event"] == "stream_start", first
        began = time.monotonic()
        done = read_status(raw(self.world.port, head("DELETE /api/auth/session HTTP/1.1", base + good)))
        assert done == 204, done
        rest = list(stream)
        self.matrix.note("cookie", "the stream of an ended login", 401 if rest == [] and time.monotonic() - began < 10 else 200, {401})
        for path in ("/api/status", "/api/events", "/metrics", "/readyz"):
            self.matrix.send("cookie", "after the end, " + path, head(f"GET {path} HTTP/1.1", base), {401, 429})

    # --- what ---------------------------------------------------------------------------------------------------------------

    def bodies(self):
        auth = [("Host", self.host), ("Connection", "close"), ("Authorization", "Bearer " + self.token)]
        deep = b"[" * 500 + b"]" * 500
        wrong = [("not JSON", b"{", {400}), ("two values", b"{} {}", {400}), ("twice a key", b'{"a":1,"a":2}', {400, 422}), ("a list", b"[]", {422}), ("a number", b"1", {422}),
                 ("null", b"null", {422}), ("unknown field", b'{"nonsense_field":1}', {422}), ("prototype", b'{"__proto__":{"admin":true}}', {422}),
                 ("deep", b'{"a":' + deep + b"}", {400, 413}), ("a zero byte", b'{"a":"\x00"}', {400}), ("not UTF-8", b'{"a":"\xff\xfe"}', {400}), ("NaN", b'{"a":NaN}', {400}),
                 ("a comment", b'{/* */}', {400}), ("a trailing comma", b'{"a":1,}', {400}), ("gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", {400}), ("a huge number", b'{"a":1e999}', {400, 422})]
        types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonx", "text/json", "application/xml", "*/*"]
        for route in self.routes:
            line = f"{route['method']} {self.path_of(route['path'])} HTTP/1.1"
            if route["body"] == "none" and route["admission"] != "anybody" and route["method"] != "GET":
                self.matrix.send("body", f"{route['operation']} with a body", head(line, auth + [("Content-Length", "2")], b"{}"), {422})
            if route["body"] != "json":
                continue
            for name, body, allowed in wrong:
                data = head(line, auth + [("Content-Type", "application/json"), ("Content-Length", str(len(body)))], body)
                self.matrix.send("body", f"{route['operation']} with {name}", data, allowed | ({404} if "{id}" in route["path"] else set()))
            for kind in types:
                data = head(line, auth + [("Content-Type", kind), ("Content-Length", "2")], b"{}")
                self.matrix.send("body", f"{route['operation']} as {kind}", data, {415})
            self.matrix.send("body", f"{route['operation']} too long", head(line, auth + [("Content-Type", "application/json"), ("Content-Length", "99999999")]), {413})
        for field in ("file", "title", "description"):
            body = json.dumps({"file": "src/one.sh", "title": "x", field: "a" * 900_000}).encode()
            self.matrix.send("body", f"a long {field}", head("POST /api/issues HTTP/1.1", auth + [("Content-Type", "application/json"), ("Content-Length", str(len(body)))], body), {422})

    def paths(self):
        auth = [("Host", self.host), ("Connection", "close"), ("Authorization", "Bearer " + self.token)]
        forms = ["..", ".", "%2e%2e", "%2E%2e", "..%2f..", "..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "..%5c..", "..\\..", "%00", "a%00b", "..%c0%af", "%c0%ae%c0%ae", "%ff", "%", "%2", "%zz",
                 "%0a", "%0d%0aSet-Cookie:%20a=b", "//", "%u002e", "a/../b", "....//", "%e2%80%a8", "a" * 4096, "~root", "C:%5c", "%252e%252e%252f", "..;/", "$(id)", "`id`", "';drop table issues;--", "-h", "--help"]
        for form in forms:
            for start in (f"/api/issues/{form}", f"/api/fix/sessions/{form}", f"/api/fix/sessions/{form}/plan", f"/api/repositories/{form}", f"/api/repositories/{form}/files", f"/api/reviews/{form}",
                          f"/problems/{form}", f"/assets/{form}", f"/api/fix/sessions/{form}/events", f"/api/issues/{form}/history",
                          f"/api/runs/{form}/log", f"/api/runs/{form}/prompt"):
                data = f"GET {start} HTTP/1.1\r\n".encode("latin-1") + head("X", auth).split(b"\r\n", 1)[1]
                # A plain "." and a double slash change nothing about what is there: never a file outside.
                received = self.matrix.send("path", start[:60], data, {400, 404, 405})
                assert b"root:" not in received
            repository = self.values["/api/repositories/{id}"]
            for query in (f"blob?path={form}", f"blob?path=src/{form}", f"blob?path=src/one.sh&rev={form}"):
                data = f"GET /api/repositories/{repository}/{query} HTTP/1.1\r\n".encode("latin-1") + head("X", auth).split(b"\r\n", 1)[1]
                received = self.matrix.send("path", query[:60], data, {400, 404})
                assert b"root:" not in received
        for path in (self.world.state, "/", "/etc", "/nonexistent", self.world.root, "/proc/self/root", "src", "..", "/etc/passwd"):
            answer = self.api.post("/api/repositories", {"path": path})
            self.matrix.note("path", "repository " + path, answer.status, {409, 422, 404})

    def smuggling(self):
        auth = f"Host: {self.host}\r\nAuthorization: Bearer {self.token}\r\n"
        inner = f"GET /api/status HTTP/1.1\r\n{auth}\r\n"
        post = "POST /api/queue/resume HTTP/1.1\r\n"
        lengths = ["-1", "+5", "0x5", "5 5", "5,5", "5, 6", "", " ", "5;", "1e1", "5.0", "99999999999999999999", "٥".encode().decode("latin-1"), "5\x0b", "\"5\"", "0,0", "00x", "5\t5"]
        cases = [(f"length {value!r}", f"{post}{auth}Content-Length: {value}\r\n\r\n{inner}") for value in lengths]
        codings = ["chunked", "Chunked", "chunked, chunked", "identity", "gzip, chunked", "xchunked", "chunked;q=1", " chunked", "\tchunked", "chunked\x0b", "", "identity, chunked", "'chunked'"]
        cases += [(f"coding {value!r}", f"{post}{auth}Transfer-Encoding: {value}\r\n\r\n0\r\n\r\n{inner}") for value in codings]
        cases += [(f"length and coding {value!r}", f"{post}{auth}Content-Length: 4\r\nTransfer-Encoding: {value}\r\n\r\n0\r\n\r\n{inner}") for value in codings]
        names = ["Transfer-Encoding ", " Transfer-Encoding", "Transfer_Encoding\t", "Transfer\x00-Encoding", "Transfer-Encoding\x0b", "\tTransfer-Encoding", "Transfer Encoding", "Trans\x7ffer", "X\xffY", "", "X(Y)", "X,Y", "X/Y", "X@Y", "X[Y]", 'X"Y']
        cases += [(f"name {name!r}", f"{post}{auth}{name}: chunked\r\n\r\n0\r\n\r\n{inner}") for name in names]
        cases += [("two lengths", f"{post}{auth}Content-Length: 0\r\nContent-Length: 5\r\n\r\n{inner}"), ("two equal lengths", f"{post}{auth}Content-Length: 0\r\nContent-Length: 0\r\n\r\n{inner}"),
                  ("two codings", f"{post}{auth}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n{inner}"), ("bare LF", f"{post}{auth}X: y\n\r\n{inner}"),
                  ("only LF", f"GET /api/status HTTP/1.1\n{auth}\n".replace("\r\n", "\n")), ("bare CR", f"{post}{auth}X: y\rZ: a\r\n\r\n{inner}"), ("CR LF CR", f"{post}{auth}X: y\r\n\r{inner}"),
                  ("a folded line", f"{post}{auth}X: y\r\n Transfer-Encoding: chunked\r\n\r\n{inner}"), ("a folded line with tab", f"{post}{auth}X: y\r\n\tz\r\n\r\n{inner}"),
                  ("no colon", f"{post}{auth}nonsense\r\n\r\n{inner}"), ("a colon first", f"{post}{auth}: x\r\n\r\n{inner}"), ("a blank first", f" {post}{auth}\r\n{inner}"),
                  ("two blanks", f"GET  /api/status HTTP/1.1\r\n{auth}\r\n"), ("a tab", f"GET\t/api/status\tHTTP/1.1\r\n{auth}\r\n"), ("an empty line first", f"\r\nGET /api/status HTTP/1.1\r\n{auth}\r\n"),
                  ("no version", f"GET /api/status\r\n{auth}\r\n"), ("a blank at the end", f"GET /api/status HTTP/1.1 \r\n{auth}\r\n"), ("a zero byte in a value", f"{post}{auth}X: a\x00b\r\n\r\n{inner}"),
                  ("a control byte in a value", f"{post}{auth}X: a\x01b\r\n\r\n{inner}"), ("a high byte in a value", f"{post}{auth}X: a\xffb\r\n\r\n{inner}"), ("upgrade", f"GET /api/status HTTP/1.1\r\n{auth}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
                  ("h2c", f"GET /api/status HTTP/1.1\r\n{auth}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n"), ("expect", f"{post}{auth}Expect: 200-ok\r\n\r\n"),
                  ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ("TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"), ("a body of GET", f"GET /api/status HTTP/1.1\r\n{auth}Content-Length: {len(inner)}\r\n\r\n{inner}")]
        for version in ("HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3", "http/1.1", "HTTP/1.1x", "HTTP/01.1", "HTTP/1,1", "HTP/1.1", "HTTP/11", "HTTP/1.10"):
            cases.append((f"version {version}", f"GET /api/status {version}\r\n{auth}\r\n"))
        for once in ("Authorization: Bearer x", "Content-Type: text/plain\r\nContent-Type: application/json", "Origin: http://a\r\nOrigin: http://b", "Cookie: a=b\r\nCookie: c=d"):
            cases.append((f"twice {once}", f"{post}{auth}{once}\r\n\r\n{inner}"))
        take = f"POST /api/import HTTP/1.1\r\n{auth}Transfer-Encoding: chunked\r\n\r\n"  # a body is taken here
        chunks = ["0\n\n", "0\r\n\n", "0 \r\n\r\n", " 0\r\n\r\n", "0x0\r\n\r\n", "-0\r\n\r\n", "+0\r\n\r\n", "g\r\n\r\n", "\r\n\r\n", ";a\r\n\r\n", "0;\x00\r\n\r\n", "0;a\nb\r\n\r\n",
                  "0;a\rb\r\n\r\n", "00000000000000000\r\n\r\n", "ffffffffffffffff\r\n", "10000000000000000\r\n", "2\r\nabc\r\n0\r\n\r\n", "3\r\nab\r\n0\r\n\r\n", "2\r\nab\n0\r\n\r\n",
                  "0\r\n X: a\r\n\r\n", "0\r\nX : a\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX: a\nY: b\r\n\r\n", "0\r\nX: a\r\n\tb\r\n\r\n", f"0;{'a' * 600}\r\n\r\n",
                  f"0\r\nX: {'a' * 9000}\r\n\r\n", "0\r\n" + "X: a\r\n" * 3000 + "\r\n", f"1;{'a' * 400}\r\na\r\n" * 60 + "0\r\n\r\n"]
        for text in chunks:
            received = self.matrix.send("smuggling", f"chunk {text[:20]!r}", f"{take}{text}{inner}".encode("latin-1"), {400, 413, 431})
            if b'"newest_event"' in received:
                self.matrix.wrong.append(f"smuggling: chunk {text[:20]!r}: LET IN: the inner request was answered")
        for name, text in cases:
            received = self.matrix.send("smuggling", name, text.encode("latin-1"), {400, 417, 422, 431, 501, 505})
            if b'"newest_event"' in received:
                self.matrix.wrong.append(f"smuggling: {name}: LET IN: the inner request was answered")

    def caps(self):
        auth = f"Host: {self.host}\r\nAuthorization: Bearer {self.token}\r\n"
        self.matrix.send("cap", "request line", f"GET /{'a' * 9000} HTTP/1.1\r\n{auth}\r\n".encode(), {414})
        self.matrix.send("cap", "endless request line", b"GET /" + b"a" * 200_000, {414, 431})
        self.matrix.send("cap", "a header", f"GET /healthz HTTP/1.1\r\n{auth}X: {'a' * 9000}\r\n\r\n".encode(), {431})
        self.matrix.send("cap", "many headers", f"GET /healthz HTTP/1.1\r\n{auth}{''.join(f'X{i}: a{chr(13)}{chr(10)}' for i in range(80))}\r\n".encode(), {431})
        self.matrix.send("cap", "a long head", f"GET /healthz HTTP/1.1\r\n{auth}{''.join(f'X{i}: {chr(97) * 4000}{chr(13)}{chr(10)}' for i in range(10))}\r\n".encode(), {431})
        for method in ("TRACE", "CONNECT", "PRI", "PROPFIND", "get", "Get", "G", "DEBUG", "LINK", "QUERY", "M" * 100):
            for path in ("/api/status", "/healthz", "/api/issues"):
                self.matrix.send("method", f"{method} {path}", f"{method} {path} HTTP/1.1\r\n{auth}Connection: close\r\n\r\n".encode(), {405})
        for route in self.routes:  # a path takes only the methods it has
            taken = {other["method"] for other in self.routes if other["path"] == route["path"]}
            for method in set(METHODS) - taken - {"HEAD"}:
                path = self.path_of(route["path"])
                clash = any(other["method"] == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", other["path"]), path) for other in self.routes)
                if not clash:
                    self.matrix.send("method", f"{method} {path}", f"{method} {path} HTTP/1.1\r\n{auth}Connection: close\r\n\r\n".encode(), {405})

    def slow_ones(self):
        """Half of a head, and nothing more: the server closes, and meanwhile serves others."""
        started = time.monotonic()
        held = []
        for _ in range(100):
            connection = socket.create_connection(("127.0.0.1", self.world.port), timeout=15)
            connection.sendall(b"GET /api/status HTTP/1.1\r\nHost:")
            held.append(connection)
        self.closed_after = []

        def wait():
            for connection in held:
                try:
                    end = connection.recv(1000)
                except OSError:
                    end = b"still open"
                self.closed_after.append((end, time.monotonic() - started))
                connection.close()

        self.slow = threading.Thread(target=wait)
        self.slow.start()

    def finish_slow_ones(self):
        self.slow.join()
        for end, seconds in self.closed_after:
            self.matrix.note("slow", f"closed after {seconds:.0f} s", 408 if end != b"still open" else 200, {408})

    def headers_of_every_answer(self):
        for route in self.routes:
            if route["method"] != "GET":
                continue
            answer = self.api.request("HEAD", self.path_of(route["path"]) + ("?session=x" if route["operation"] == "listRuns" else ""))
            kept = "immutable" if route["operation"] == "getAsset" else "no-store"  # the dashboard's own files hold nothing of anybody
            for name, word in (("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", kept), ("Referrer-Policy", "no-referrer"),
                               ("Cross-Origin-Resource-Policy", "same-origin"), ("Emend-Api-Version", "1")):
                self.matrix.note("headers", f"{route['operation']}: {name}", 400 if word in (answer.header(name) or "") else 200, {400})
            assert answer.header("Access-Control-Allow-Origin") is None

    def state(self):
        return (self.api.get("/api/issues?limit=200").json, self.api.get("/api/repositories").json, self.api.get("/api/fix/sessions").json,
                [job["id"] for job in self.api.get("/api/jobs").json["data"]], self.api.get("/api/status").json["queue"]["paused"])

    def run(self):
        while self.api.get("/api/status").json["queue"]["jobs"]:
            time.sleep(0.05)
        before = self.state()
        self.credentials_once = self.credentials()
        self.slow_ones()
        for probe in (self.unknown_callers, self.suffixes_of_the_token, self.hosts, self.bodies, self.paths, self.smuggling, self.caps, self.headers_of_every_answer, self.pages):
            probe()
        self.finish_slow_ones()
        assert self.world.server.poll() is None, "the server has ended: " + self.world.log_text()[-2000:]
        assert self.state() == before, "something was changed by a probe"
        log = self.world.log_text()
        for secret in (self.token, self.token[:16], *self.world.secrets.values()):
            assert secret not in log, "a secret is in the log"
        assert "AddressSanitizer" not in log


def read_status(received):
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
    return int(found.group(1)) if found else None


def main():
    world = World(sys.argv[1])
    began = time.monotonic()
    try:
        world.run("trust")
        probes = Probes(world)
        probes.run()
        matrix = probes.matrix
        total = sum(matrix.counts.values())
        for group, count in sorted(matrix.counts.items()):
            print(f"{count:6}  {group}")
        print(f"{total:6}  probes of {len(probes.routes)} routes in {time.monotonic() - began:.1f} s, {len(matrix.wrong)} with a wrong answer")
        for line in matrix.wrong[:60]:
            print(line)
        assert total >= 2000, "too few probes"
        return 1 if matrix.wrong else 0
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
