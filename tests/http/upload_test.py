#!/usr/bin/env python3
"""upload_test.py EMEND: long reports come in as curl sends them, and a crowd of idle or slow connections keeps nobody out. Exit 77: no curl here."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time

from client import Client, raw
from world import World
from place import write

MEGABYTES = 3
IDLE = 300  # more than the server takes


def write_report(path):
    """SARIF of some megabytes: a few results, one of them with a very long explanation."""
    results = [{"ruleId": "says-wrong", "level": "warning", "message": {"text": f"{name} says wrong"},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": f"src/{name}.sh"}, "region": {"startLine": 2}}}]} for name in ("one", "two", "three")]
    run = {"tool": {"driver": {"name": "odd", "rules": [{"id": "says-wrong"}], "informationUri": "https://example.org"}}, "results": results,
           "properties": {"padding": "x" * (MEGABYTES * 1_000_000)}}
    write(path, json.dumps({"version": "2.1.0", "runs": [run]}))
    assert os.path.getsize(path) > MEGABYTES * 1_000_000


class Curl:
    def __init__(self, world):
        self.world = world
        self.auth = "Authorization: Bearer " + world.token

    def send(self, path, *arguments, auth=None):
        url = f"http://127.0.0.1:{self.world.port}{path}"
        done = subprocess.run(["curl", "-sS", "-v", "--max-time", "60", "-w", "\n%{http_code}", "-H", auth or self.auth, *arguments, url], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body, done.stderr


def uploads(world):
    report = os.path.join(world.root, "report.sarif")
    write_report(report)
    curl = Curl(world)
    data = ["--data-binary", "@" + report]
    codes = []
    for name, arguments in (("as it is", []), ("asking first", ["-H", "Expect: 100-continue"]), ("in chunks", ["-H", "Transfer-Encoding: chunked"]),
                            ("in chunks, asking first", ["-H", "Transfer-Encoding: chunked", "-H", "Expect: 100-continue"]), ("without asking", ["-H", "Expect:"])):
        status, body, said = curl.send("/api/import", *data, *arguments)
        assert status == 200, (name, status, body[:500], said[-1500:])
        answer = json.loads(body)
        assert answer["findings"] == 3, (name, answer)
        codes.append(answer["issue_codes"])
        if "asking first" in name:
            assert "< HTTP/1.1 100 Continue" in said, (name, said[-1500:])
    assert all(known == codes[0] for known in codes), codes
    # Whoever may not send, or sends too much, is told before the body comes.
    for path, auth, expected in (("/api/import", "Authorization: Bearer wrong", 401), ("/api/issues", None, 413), ("/api/none", None, 404)):
        for arguments in ([], ["-H", "Expect: 100-continue"]):
            status, body, said = curl.send(path, *data, "-H", "Content-Type: application/json", *arguments, auth=auth)
            assert status == expected, (path, status, said[-1500:])
            assert "100 Continue" not in said, said[-1500:]
    status, body, said = curl.send("/api/issues", *data, "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked")
    assert status == 413 and json.loads(body)["code"] == "payload-too-large", (status, body, said[-1500:])


def is_closed(connection):
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass  # an answer it has not read yet
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def crowds(world):
    """Idle ones, half a head, half a body: a person is answered at once, and who follows events is not thrown out."""
    api = world.client()
    stream = api.stream("/api/events")
    assert next(iter(stream))["event"] == "stream_start"
    host = f"Host: 127.0.0.1:{world.port}\r\nAuthorization: Bearer {world.token}\r\n"
    openings = {"idle": b"", "half a head": b"GET /api/status HTTP/1.1\r\nHost:", "kept alive": f"GET /api/status HTTP/1.1\r\n{host}\r\n".encode()}
    for name, opening in openings.items():
        crowd = []
        for _ in range(IDLE):
            connection = socket.create_connection(("127.0.0.1", world.port), timeout=20)
            connection.sendall(opening)
            crowd.append(connection)
        began = time.monotonic()
        for _ in range(5):
            answer = Client(world.port, world.token).get("/api/status")
            assert answer.status == 200, (name, answer)
        assert time.monotonic() - began < 5, f"{name}: {time.monotonic() - began:.1f} s for five answers"
        assert sum(not is_closed(connection) for connection in crowd) <= 256, name
        for connection in crowd:
            connection.close()
    code = api.post("/api/issues", {"file": "src/one.sh", "title": "told to who follows", "line": 1}).json["code"]
    changed = api.request("PATCH", f"/api/issues/{code}", {"action": "ignore", "reason": "wont_fix"})
    assert changed.status == 200, changed
    assert next(iter(stream), None) is not None, "the stream was thrown out"
    stream.close()
    metrics = world.client().get("/metrics").body
    closed = next(int(line.split()[1]) for line in metrics.splitlines() if line.startswith("emend_http_connections_closed_total "))
    assert closed > 0, metrics


def settings(world):
    """The number is a setting; what is no number is refused."""
    world.stop()
    world.start("--max-connections", "4", "--max-connections-per-peer", "2")
    held = [socket.create_connection(("127.0.0.1", world.port), timeout=20) for _ in range(5)]
    assert Client(world.port, world.token).get("/api/status").status == 200
    assert sum(not is_closed(connection) for connection in held) <= 2
    for connection in held:
        connection.close()
    assert raw(world.port, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % world.port).startswith(b"HTTP/1.1 200")
    for wrong in ("0", "-1", "many"):
        assert world.run("serve", "--max-connections", wrong).returncode == 2, wrong


def main():
    if shutil.which("curl") is None:
        print("curl is not installed")
        return 77
    world = World(sys.argv[1])
    try:
        world.run("trust")
        world.start()
        uploads(world)
        crowds(world)
        settings(world)
        return 0
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
