#!/usr/bin/env python3
"""deliveries_test.py EMEND SOURCES: GitHub's own examples of what its webhooks send, all of them, at the real server: each is taken, and is a reason to look exactly
where a branch was pushed or a pull request closed. Those two kinds are held against GitHub's schemas, too. Exit 77: they are not installed."""

import json
import os
import subprocess
import sys

from webhook_test import Hooks, github_delivery
from world import World


def examples(packages):
    with open(os.path.join(packages, "webhooks-examples", "api.github.com", "index.json"), encoding="utf-8") as file:
        return [(event["name"], example) for event in json.load(file) for example in event["examples"]]


def is_reason(name, body):
    return (name == "push" and body["ref"].startswith("refs/heads/")) or (name == "pull_request" and body["action"] == "closed")


def deliver(hooks, name, body):
    body = json.loads(json.dumps(body))
    if isinstance(body.get("repository"), dict):
        body["repository"]["full_name"] = "Team/App"
    answer = hooks.post("github", *github_delivery(hooks.world, name, body))
    if name == "ping":
        assert answer.status == 200 and answer.json == {"pong": True}, answer
        return
    assert answer.status == 202, (name, body.get("action"), answer)
    assert answer.json["known"] or bool(answer.json["job_ids"]) == is_reason(name, body), (name, body.get("action"), answer)


def main():
    sources = sys.argv[2]
    packages = os.path.join(sources, "tests", "forge", "node_modules", "@octokit")
    if not os.path.isdir(packages):
        print("skipped: GitHub's examples of webhooks are not installed (setup/forge_tests.sh)")
        return 77
    all_examples = examples(packages)
    relevant = [{"name": name, "body": body} for name, body in all_examples if is_reason(name, body)]
    assert len(relevant) >= 3, "the examples have what we look for"
    subprocess.run(["node", os.path.join(sources, "tests", "forge", "check_deliveries.mjs")], input=json.dumps(relevant), text=True, check=True)
    world = World(sys.argv[1])
    try:
        world.git("remote", "add", "origin", "git@github.com:team/app.git")
        world.run("trust")
        world.start()
        hooks = Hooks(world)
        for name, body in all_examples:
            deliver(hooks, name, body)
        hooks.settle()
        print(f"{len(all_examples)} deliveries taken")
        return 0
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
