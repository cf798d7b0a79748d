#!/usr/bin/env python3
"""operations_test.py EMEND BUILD: the server as a service: what it tells its manager, what is in its log and what never is, and the unit that is installed."""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

from client import Client, raw
from flow_test import wait
from webhook_test import github_delivery
from world import World

REQUEST = {"time", "level", "message", "request_id", "method", "path", "status", "ms", "peer"}


class Manager:
    """The part of systemd a service talks to."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(60)
        self.socket.bind(address)

    def hear(self):
        return self.socket.recv(4096).decode().split("\n")


class Service:
    def __init__(self, world, notify, *options):
        self.world = world
        self.out, self.err = os.path.join(world.root, "out"), os.path.join(world.root, "err")
        with open(self.out, "ab") as out, open(self.err, "ab") as err:
            self.process = subprocess.Popen([world.program, "serve", "--listen", "127.0.0.1:0", *options], cwd=world.repo, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            env={**world.environment, "NOTIFY_SOCKET": notify})
        world.server = self.process

    def client(self):
        with open(os.path.join(self.world.state, "server", "address.json"), encoding="utf-8") as file:
            self.world.port = json.load(file)["port"]
        return self.world.client()

    def printed(self):
        return read(self.out)

    def log(self):
        return [json.loads(line) for line in read(self.err).splitlines()]

    def requests(self):
        return [line for line in self.log() if line["message"] == "request"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def told_and_logged(world):
    manager = Manager(os.path.join(world.root, "notify"))
    service = Service(world, os.path.join(world.root, "notify"), "--log-format", "json")
    assert "READY=1" in manager.hear()
    api = service.client()
    assert service.printed() == "", "a launch link has no place in a log: " + service.printed()
    said = [line for line in service.log() if line["message"] == "listening"]
    assert said and said[0]["address"] == f"http://127.0.0.1:{world.port}", service.log()
    secrets = use_credentials(world, api)
    wait(lambda: len(service.requests()) >= 20, "the log")
    for line in service.requests():
        assert set(line) == REQUEST, line
        assert line["peer"] == "127.0.0.1" and isinstance(line["status"], int) and isinstance(line["ms"], int), line
        assert "?" not in line["path"] and re.fullmatch(r"[A-Za-z0-9._-]{1,64}", line["request_id"]), line
    seen = {(line["method"], line["path"], line["status"]) for line in service.requests()}
    for wanted in (("GET", "/api/status", 200), ("GET", "/api/status", 401), ("POST", "/api/auth/session", 204), ("GET", "/api/events", 200), ("POST", "/api/webhooks/github", 403)):
        assert wanted in seen, (wanted, seen)
    stops_cleanly(service, manager)
    everything = read(service.err) + service.printed() + world.log_text_if_any()
    for name, secret in secrets.items():
        assert secret not in everything, f"{name} is in the log"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", everything), "control bytes"


def use_credentials(world, api):
    """Every credential there is, rightly and wrongly, in every place somebody may put it."""
    token, webhook = world.token, world.secrets["EMEND_WEBHOOK_GITHUB_SECRET"]
    code = api.post("/api/auth/launch-codes").json["code"]
    second = api.post("/api/auth/launch-codes").json["code"]
    anybody = Client(world.port)
    cookie = anybody.post("/api/auth/session", {"code": code}).header("Set-Cookie").split(";")[0]
    value = cookie.split("=", 1)[1]
    anybody.get("/api/status", Cookie=cookie)
    api.stream("/api/events").close()
    for secret in (token, code, second, value, webhook):
        for path in (f"/api/status?token={secret}", f"/{secret}", f"/api/issues/{secret}", f"/api/fix/sessions/{secret}/events", f"/api/repositories/x/blob?path={secret}"):
            for caller in (api, anybody):
                caller.get(path)
        anybody.get("/api/status", Authorization="Bearer " + secret, X_Request_Id=secret + "!")
        anybody.get("/api/status", Cookie="emend_login=" + secret)
        anybody.post("/api/auth/session", {"code": secret + "x"})
        raw(world.port, f"GET /{secret} nonsense {secret}\r\n\r\n".encode())
    anybody.request("POST", "/api/webhooks/github", b"{}", {"X-Hub-Signature-256": "sha256=" + webhook})
    anybody.request("POST", "/api/webhooks/gitlab", b"{}", {"X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"]})
    data, headers = github_delivery(world, "ping", {"secret": webhook})
    assert anybody.request("POST", "/api/webhooks/github", data, headers).status == 200
    assert api.get("/api/status", X_Request_Id="my-request.1").header("X-Request-Id") == "my-request.1"
    for odd in ("a b", "x" * 65, "ä", "a\tb", ""):
        given = api.get("/api/status", X_Request_Id=odd).header("X-Request-Id")
        assert given and given != odd and re.fullmatch(r"[0-9a-f]{16}", given), (odd, given)
    signature = headers["X-Hub-Signature-256"]
    return {"the token": token, "a launch code": code, "an unused launch code": second, "a login": value, "the end of a login": value.split(".")[-1],
            "the webhook secret": webhook, "the other webhook secret": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"], "a signature": signature[7:]}


def stops_cleanly(service, manager):
    service.process.send_signal(signal.SIGTERM)
    assert "STOPPING=1" in manager.hear()
    code = service.process.wait(timeout=60)
    assert code == 0, code
    assert service.log()[-1]["message"] == "stopped", service.log()[-1]


def formats(world):
    """Where nobody looks the log is JSON by itself; text is there for who asks; a manager that is not there stops nothing."""
    os.remove(os.path.join(world.root, "err"))
    service = Service(world, "@emend-nobody-" + str(os.getpid()))
    wait(lambda: "token      " in service.printed(), "the start")
    service.client().get("/api/status")
    wait(lambda: any(line["path"] == "/api/status" for line in service.requests()), "the request")
    assert any(line["level"] == "warning" and "service manager" in line["message"] for line in service.log())
    world.stop()
    os.remove(service.err)
    service = Service(world, "", "--log-format", "text")
    wait(lambda: service.printed().count("token      ") == 2, "the second start")
    service.client().get("/api/status")
    world.stop()
    assert "request" not in read(service.err) and "{" not in read(service.err), read(service.err)
    assert world.run("serve", "--log-format", "xml").returncode == 2


def unit(world, build):
    place = os.path.join(world.root, "installed")
    subprocess.run(["cmake", "--install", build, "--prefix", place, "--component", "service"], check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(place, "share", "systemd", "user", "emend.service")
    text = read(path)
    assert f"ExecStart={place}/bin/emend serve" in text and "@" not in re.sub(r"#.*", "", text), text
    assert f"file:{place}/share/doc/" in text and os.path.exists(re.search(r"Documentation=file:(.*)", text).group(1)), text
    for forbidden in ("RestrictNamespaces", "ProtectSystem", "PrivateTmp", "PrivateUsers", "MemoryDenyWriteExecute", "SystemCallFilter"):
        assert not re.search(rf"^{forbidden}", text, re.MULTILINE), f"{forbidden} breaks the sandbox"
    if shutil.which("systemd-analyze") is None:
        print("systemd-analyze is not installed: the unit was not verified")
        return
    os.makedirs(os.path.join(place, "bin"))
    program = os.path.join(place, "bin", "emend")
    shutil.copy(world.program, program)
    os.chmod(program, stat.S_IRWXU)
    runtime = tempfile.mkdtemp(dir=world.root)
    done = subprocess.run(["systemd-analyze", "--user", "verify", "--man=no", path], env={**world.environment, "XDG_RUNTIME_DIR": runtime}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    complaints = [line for line in done.stdout.splitlines() if "emend.service" in line]
    assert done.returncode == 0 and not complaints, done.stdout


def main():
    emend, build = sys.argv[1:3]
    world = World(emend)
    world.log_text_if_any = lambda: world.log_text() if os.path.exists(world.log) else ""
    try:
        world.run("trust")
        told_and_logged(world)
        formats(world)
        unit(world, build)
        return 0
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
