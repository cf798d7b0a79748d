#!/usr/bin/env python3
"""webhook_test.py EMEND: deliveries of forges at the real server. What is signed with the secret makes it look, once; everything else is refused in the same
words, and nothing a delivery says changes anything."""

import base64
import hashlib
import hmac
import json
import sys
import time
import uuid

from client import Client, raw
from flow_test import wait
from world import World

PUSH = {"ref": "refs/heads/main", "repository": {"full_name": "Team/App", "private": True}, "commits": [{"id": "x"}], "sender": {"login": "me"}}
GITLAB_PUSH = {"object_kind": "push", "ref": "refs/heads/main", "project": {"path_with_namespace": "group/sub/app"}}
SIGNING_KEY = bytes(range(32))


def github_delivery(world, event, body, delivery=None, data=None):
    data = data if data is not None else json.dumps(body).encode()
    digest = hmac.new(world.secrets["EMEND_WEBHOOK_GITHUB_SECRET"].encode(), data, hashlib.sha256).hexdigest()
    return data, {"Content-Type": "application/json", "X-GitHub-Event": event, "X-GitHub-Delivery": delivery or str(uuid.uuid4()), "X-Hub-Signature-256": "sha256=" + digest}


def gitlab_delivery(world, body, delivery=None):
    return json.dumps(body).encode(), {"Content-Type": "application/json", "X-Gitlab-Event": "Push Hook", "X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"],
                                       "Idempotency-Key": delivery or str(uuid.uuid4())}


def signature(identity, moment, data, key=SIGNING_KEY):
    return "v1," + base64.b64encode(hmac.new(key, f"{identity}.{moment}.".encode() + data, hashlib.sha256).digest()).decode()


def without(headers, name):
    return {key: value for key, value in headers.items() if key != name}


class Hooks:
    def __init__(self, world):
        self.world = world
        self.owner = world.client()
        self.forge = Client(world.port)
        self.refused = set()

    def post(self, source, data, headers):
        return self.forge.request("POST", f"/api/webhooks/{source}", data, headers)

    def jobs(self):
        return [job["id"] for job in self.owner.get("/api/jobs").json["data"] if job["kind"] == "sync"]

    def refuse(self, why, source, data, headers):
        before = self.jobs()
        answer = self.post(source, data, headers)
        assert answer.status == 403 and answer.json["code"] == "forbidden", (why, answer)
        self.refused.add(answer.body)
        assert self.jobs() == before, why

    def settle(self):
        wait(lambda: not self.owner.get("/api/status").json["queue"]["jobs"], "an empty queue")


def good_ones(hooks):
    world = hooks.world
    data, headers = github_delivery(world, "ping", {"zen": "x", "hook_id": 1})
    pong = hooks.post("github", data, headers)
    assert pong.status == 200 and pong.json == {"pong": True}, pong
    data, headers = github_delivery(world, "push", PUSH)
    taken = hooks.post("github", data, headers)
    assert taken.status == 202 and len(taken.json["job_ids"]) == 1 and not taken.json["known"], taken
    assert hooks.jobs() == taken.json["job_ids"]
    hooks.settle()
    again = hooks.post("github", data, headers)  # a replay
    assert again.status == 202 and again.json == {"known": True, "job_ids": []}, again
    renamed = hooks.post("github", data, {**headers, "X-GitHub-Delivery": str(uuid.uuid4())})  # the id is not signed
    assert renamed.json == {"known": True, "job_ids": []}, renamed
    for event, body in (("star", {"anything": [1]}), ("push", {"ref": "refs/tags/v1"}), ("pull_request", {"action": "assigned"}), ("push", {**PUSH, "repository": {"full_name": "other/app"}})):
        other = hooks.post("github", *github_delivery(world, event, body))
        assert other.status == 202 and other.json == {"known": False, "job_ids": []}, (event, other)
    closed = hooks.post("github", *github_delivery(world, "pull_request", {"action": "closed", "repository": {"full_name": "team/app"}}))
    assert len(closed.json["job_ids"]) == 1, closed
    data, headers = gitlab_delivery(world, GITLAB_PUSH)
    taken = hooks.post("gitlab", data, headers)
    assert taken.status == 202 and len(taken.json["job_ids"]) == 1, taken
    again = hooks.post("gitlab", data, headers)
    assert again.json["known"], again
    merge = {"object_kind": "merge_request", "object_attributes": {"action": "merge"}, "project": {"path_with_namespace": "group/sub/app"}}
    old = {**without(headers, "Idempotency-Key"), "X-Gitlab-Event-UUID": "u-1", "X-Gitlab-Event": "Merge Request Hook"}
    assert len(hooks.post("gitlab", json.dumps(merge).encode(), old).json["job_ids"]) == 1
    hooks.settle()


def bad_ones(hooks):
    world = hooks.world
    data, headers = github_delivery(world, "push", PUSH)
    name = "X-Hub-Signature-256"
    good = headers[name]
    for place in range(len(good) * 4):  # every digit of the digest, some bits of it
        at, bit = divmod(place, 4)
        flipped = good[:at] + chr(ord(good[at]) ^ (1 << bit)) + good[at + 1:]
        if flipped.strip() == flipped and flipped.isprintable():
            hooks.refuse(f"signature bit {place}", "github", data, {**headers, name: flipped})
    for at in range(0, len(data), 7):
        hooks.refuse(f"body byte {at}", "github", data[:at] + bytes([data[at] ^ 1]) + data[at + 1:], headers)
    sha1 = "sha1=" + hmac.new(world.secrets["EMEND_WEBHOOK_GITHUB_SECRET"].encode(), data, hashlib.sha1).hexdigest()
    plain = good[len("sha256="):]
    for why, changed in (("missing", without(headers, name)), ("empty", {**headers, name: ""}), ("only sha1", {**without(headers, name), "X-Hub-Signature": sha1}),
                         ("sha1 in its place", {**headers, name: sha1}), ("no prefix", {**headers, name: plain}), ("upper case", {**headers, name: "sha256=" + plain.upper()}),
                         ("too short", {**headers, name: good[:-1]}), ("too long", {**headers, name: good + "0"}), ("the prefix alone", {**headers, name: "sha256="}),
                         ("of no secret", {**headers, name: "sha256=" + hmac.new(b"", data, hashlib.sha256).hexdigest()}),
                         ("the secret itself", {**headers, name: world.secrets["EMEND_WEBHOOK_GITHUB_SECRET"]}), ("the server's token", {**without(headers, name), "Authorization": "Bearer " + world.token}),
                         ("the other forge's", {**without(headers, name), "X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"]})):
        hooks.refuse(why, "github", data, changed)
    hooks.refuse("written anew", "github", json.dumps(PUSH, indent=1).encode(), headers)
    hooks.refuse("a line more", "github", data + b"\n", headers)
    hooks.refuse("nothing", "github", b"", headers)
    data, headers = gitlab_delivery(world, GITLAB_PUSH)
    token = headers["X-Gitlab-Token"]
    for why, changed in (("missing", without(headers, "X-Gitlab-Token")), ("empty", {**headers, "X-Gitlab-Token": ""}), ("shorter", {**headers, "X-Gitlab-Token": token[:-1]}),
                         ("longer", {**headers, "X-Gitlab-Token": token + "x"}), ("upper case", {**headers, "X-Gitlab-Token": token.upper()}),
                         ("GitHub's", {**headers, "X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITHUB_SECRET"]})):
        hooks.refuse("token " + why, "gitlab", data, changed)


def signed_but_wrong(hooks):
    """From the forge, but not as documented: said, and nothing is done."""
    world = hooks.world
    before = hooks.jobs()
    data, headers = github_delivery(world, "push", PUSH)
    answer = hooks.post("github", data, {**headers, "Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status == 415, answer
    for why, text, status in (("no JSON", b"payload=%7B%7D", 400), ("a list", b"[]", 422), ("no name", b'{"ref":"refs/heads/main"}', 422), ("a number for a name", b'{"ref":"refs/heads/main","repository":{"full_name":7}}', 422),
                              ("a list for a repository", b'{"ref":"refs/heads/main","repository":[]}', 422), ("twice a key", b'{"ref":"refs/heads/main","ref":"x","repository":{"full_name":"team/app"}}', 400)):
        answer = hooks.post("github", *github_delivery(world, "push", None, data=text))
        assert answer.status == status, (why, answer)
    data, headers = github_delivery(world, "push", {**PUSH, "more": "x"})
    for name in ("X-GitHub-Event", "X-GitHub-Delivery"):
        assert hooks.post("github", data, without(headers, name)).status == 422, name
    assert hooks.post("github", data, {**headers, "X-GitHub-Delivery": "a b"}).status == 422
    length = f"POST /api/webhooks/github HTTP/1.1\r\nHost: 127.0.0.1:{world.port}\r\nContent-Type: application/json\r\nContent-Length: 1100000\r\n\r\n"
    assert raw(world.port, length.encode()).startswith(b"HTTP/1.1 413 "), "a long body is not even read"
    assert hooks.jobs() == before
    assert hooks.post("github", data, headers).status == 202, "what was refused can be sent again"
    hooks.settle()


def believes_nothing(hooks):
    """A delivery that says everything was merged changes no issue."""
    issue = hooks.owner.post("/api/issues", {"file": "src/one.sh", "title": "says wrong", "line": 2}).json
    claim = {"action": "closed", "pull_request": {"merged": True, "body": f"fixes {issue['code']}"}, "repository": {"full_name": "team/app"}, "issues": [issue["code"]], "status": "MERGED"}
    assert len(hooks.post("github", *github_delivery(hooks.world, "pull_request", claim)).json["job_ids"]) == 1
    hooks.settle()
    assert hooks.owner.get(f"/api/issues/{issue['code']}").json["status"] == "OPEN"


def survives_a_restart(world, hooks):
    data, headers = github_delivery(world, "push", {**PUSH, "after": "restart"})
    assert not hooks.post("github", data, headers).json["known"]
    hooks.settle()
    world.stop()
    world.start()
    hooks = Hooks(world)
    assert hooks.post("github", data, headers).json["known"], "deliveries are remembered over a restart"
    return hooks


def signing(world):
    """Newer GitLabs sign: id, time and body."""
    world.stop()
    del world.environment["EMEND_WEBHOOK_GITLAB_SECRET"]
    world.environment["EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN"] = "whsec_" + base64.b64encode(SIGNING_KEY).decode()
    world.start()
    hooks = Hooks(world)
    data = json.dumps(GITLAB_PUSH).encode()
    now = str(int(time.time()))
    headers = {"Content-Type": "application/json", "X-Gitlab-Event": "Push Hook", "Idempotency-Key": "m-1", "webhook-id": "m-1", "webhook-timestamp": now, "webhook-signature": signature("m-1", now, data)}
    old, future = str(int(now) - 600), str(int(now) + 600)
    for why, changed in (("none", without(headers, "webhook-signature")), ("another id", {**headers, "webhook-id": "m-2"}), ("another time", {**headers, "webhook-timestamp": str(int(now) + 1)}),
                         ("too old", {**headers, "webhook-timestamp": old, "webhook-signature": signature("m-1", old, data)}), ("too early", {**headers, "webhook-timestamp": future, "webhook-signature": signature("m-1", future, data)}),
                         ("another key", {**headers, "webhook-signature": signature("m-1", now, data, b"x" * 32)}), ("another version", {**headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,")}),
                         ("no time", {**headers, "webhook-timestamp": "now", "webhook-signature": signature("m-1", "now", data)}),
                         ("only the old token", {**without(headers, "webhook-signature"), "X-Gitlab-Token": world.secrets["EMEND_WEBHOOK_GITLAB_SECRET"]})):
        hooks.refuse("signature " + why, "gitlab", data, changed)
    hooks.refuse("signature of another body", "gitlab", data + b" ", headers)
    rotated = {**headers, "webhook-signature": signature("m-1", now, data, b"x" * 32) + " " + headers["webhook-signature"]}
    taken = hooks.post("gitlab", data, rotated)
    assert taken.status == 202 and len(taken.json["job_ids"]) == 1, taken
    again = hooks.post("gitlab", data, {**headers, "Idempotency-Key": "another"})
    assert again.json["known"], again
    hooks.settle()
    return hooks


def without_secrets(world, refused):
    """No secret: the same words as for a wrong one. An empty secret: no server."""
    world.stop()
    names = [name for name in world.environment if name.startswith("EMEND_WEBHOOK_")]
    for name in names:
        del world.environment[name]
    world.start()
    hooks = Hooks(world)
    data, headers = github_delivery(world, "push", PUSH)
    hooks.refuse("no secret", "github", data, headers)
    hooks.refuse("no secret, signed with nothing", "github", data, {**headers, "X-Hub-Signature-256": "sha256=" + hmac.new(b"", data, hashlib.sha256).hexdigest()})
    hooks.refuse("no secret", "gitlab", *gitlab_delivery(world, GITLAB_PUSH))
    hooks.refuse("no secret, empty token", "gitlab", b"{}", {"Content-Type": "application/json", "X-Gitlab-Token": ""})
    assert hooks.refused | refused == refused, "a stranger can tell whether there is a secret"
    world.stop()
    for name in ("EMEND_WEBHOOK_GITHUB_SECRET", "EMEND_WEBHOOK_GITLAB_SECRET", "EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN"):
        for value in ("", "  "):
            world.environment[name] = value
            done = world.run("serve", "--listen", "127.0.0.1:0")
            assert done.returncode == 2 and name in done.stderr, (name, done)
        del world.environment[name]
    world.environment["EMEND_WEBHOOK_GITLAB_SIGNING_TOKEN"] = "whsec_%%%"
    assert world.run("serve", "--listen", "127.0.0.1:0").returncode == 2


def main():
    world = World(sys.argv[1])
    try:
        world.git("remote", "add", "origin", "git@example.org:team/app.git")
        world.git("remote", "add", "lab", "https://lab.example.org/group/sub/app")
        world.run("trust")
        world.start()
        hooks = Hooks(world)
        for part in (good_ones, bad_ones, signed_but_wrong, believes_nothing):
            part(hooks)
        refused = hooks.refused
        assert len(refused) == 1, refused
        hooks = survives_a_restart(world, hooks)
        refused |= signing(world).refused
        assert len(refused) == 1, refused
        without_secrets(world, refused)
        log = world.log_text()
        for secret in (*world.secrets.values(), base64.b64encode(SIGNING_KEY).decode()):
            assert secret not in log, "a secret is in the log"
        return 0
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
