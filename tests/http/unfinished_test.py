#!/usr/bin/env python3
"""unfinished_test.py EMEND: another process is in the middle of writing events to PostgreSQL. Readers of all events wait for it; who follows a session is told all of that one, and not
that something is missing. Exit 77: PostgreSQL is not installed."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, HERE)

import client as clients  # noqa: E402
import postgres  # noqa: E402
from flow_test import add_issue, follow, wait  # noqa: E402
from world import World  # noqa: E402

# The lock of whoever may still write events with any number.
LOCK = "begin; select pg_advisory_xact_lock_shared(hashtext('events of ' || current_schema())::bigint << 32); select pg_sleep(600)"
HELD = "from pg_locks where locktype = 'advisory' and objid = 0 and objsubid = 1"


def numbers(events):
    return [event["id"] for event in events if event["id"] is not None]


def main():
    if not postgres.programs():
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        return 77
    server = postgres.Server()
    world, writer = World(os.path.abspath(sys.argv[1])), None
    try:
        name = server.new_database()
        world.environment["EMEND_DATABASE"] = server.address(name)
        world.run("trust")
        api = world.start()
        repository = api.get("/api/repositories").json["data"][0]["id"]
        issue = add_issue(api, "one")
        body = {"repository_id": repository, "issue_ids": [issue["code"]]}
        started = api.request("POST", "/api/fix/start", body, {"Accept": "application/json"})
        assert started.status == 202, started
        session = "/api/fix/sessions/" + started.json["session_id"]
        known = numbers(follow(api.stream(session + "/events?after=0")))
        world.stop()
        writer = subprocess.Popen(["psql", "-X", "-q", server.address(name), "-c", LOCK], stdout=subprocess.DEVNULL)
        wait(lambda: server.psql(name, f"select count(*) {HELD}") == "1", "the unfinished writer")
        api = world.start()
        assert api.get("/api/status").json["newest_event"] == 0, "readers of all events wait"
        over = api.stream(f"{session}/events?after={known[-1]}")
        assert isinstance(over, clients.Answer) and over.status == 204, over
        stream = api.stream(f"{session}/events?after={known[-3]}")
        server.psql(name, f"select pg_terminate_backend(pid) {HELD}")
        again = follow(stream)
        assert numbers(again) == known[-2:] and again[-1]["event"] == "stream_end", again
        wait(lambda: api.get("/api/status").json["newest_event"] == known[-1], "the readers of all events")
        print(f"{len(known)} events of a session, told beside an unfinished writer")
        return 0
    finally:
        if writer is not None:
            writer.kill()
            writer.wait()
        world.close()
        server.close()


if __name__ == "__main__":
    sys.exit(main())
