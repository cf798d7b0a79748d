#!/usr/bin/env python3
"""Two versions of emend on one PostgreSQL: the session of one, in a database that it has made, is worked on by the worker of the other; both ways round.

    upgrade.py --emend FILE --fake-agent FILE (--previous FILE | --from REVISION [--at FOLDER]) [--issues 3]

--previous: the other version's program, as it was released. --from: it is built from this revision, in a work tree of its own at FOLDER (default:
build/upgrade/REVISION). Ends with 1 on anything bad, with 77 where there is no PostgreSQL."""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("../support", "../workers", "../trust", "../crash"):
    sys.path.insert(0, os.path.join(HERE, folder))

import postgres
from arena import Tools
from shared_world import Shared

SOURCES = os.path.dirname(os.path.dirname(HERE))


def built(revision, folder):
    """The programs of that revision; made once."""
    commit = subprocess.run(["git", "rev-parse", "--verify", revision + "^{commit}"], cwd=SOURCES, capture_output=True, text=True, check=True).stdout.strip()
    folder = os.path.abspath(folder or os.path.join(SOURCES, "build", "upgrade", commit))
    if not os.path.exists(folder):
        subprocess.run(["git", "worktree", "add", "--detach", folder, commit], cwd=SOURCES, check=True)
    modules = os.path.join(folder, "web", "node_modules")
    if not os.path.exists(modules):
        os.symlink(os.path.join(SOURCES, "web", "node_modules"), modules)
    subprocess.run(["cmake", "--preset", "dev"], cwd=folder, check=True)
    subprocess.run(["cmake", "--build", "--preset", "dev", "--parallel", str(os.cpu_count()), "--target", "emend", "emend-exec"], cwd=folder, check=True)
    return os.path.join(folder, "build", "emend")


def version(program):
    return subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout.strip()


def together(server, options, session_by, worker_by):
    """What is wrong after a session of the one whose units the other one works on."""
    shared = Shared(Tools(session_by, os.path.abspath(options.fake_agent), ""), server, issues=options.issues)
    try:
        found = []
        worker = shared.worker(program=worker_by)
        shared.start()
        code, out = shared.finish()
        if code != 0:
            found.append(f"the session ended with {code}: {out[-2000:]}")
        summed = worker.stop()
        if not summed or summed["done"] < options.issues:
            found.append(f"the worker's part: {summed}")
        found += shared.problems()
        for program in (session_by, worker_by):
            proved = subprocess.run([program, "--config", shared.w.path("config.toml"), "prove", "--all"], cwd=shared.w.repo,
                                    env=shared.w.variables_now(), capture_output=True, text=True, check=False)
            if proved.returncode != 0 or proved.stdout.count("the proof holds") != options.issues:
                found.append(f"prove --all of {program}: {proved.stdout}{proved.stderr}")
        return found + ([shared.logs()] if found else [])
    finally:
        shared.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--previous", default="")
    parser.add_argument("--from", dest="revision", default="")
    parser.add_argument("--at", default="")
    parser.add_argument("--issues", type=int, default=3)
    options = parser.parse_args()
    if not options.previous and not options.revision:
        parser.error("name the other version: --previous FILE or --from REVISION")
    if not postgres.programs():
        print("PostgreSQL is not installed; nothing was tried")
        return 77
    new = os.path.abspath(options.emend)
    old = os.path.abspath(options.previous) if options.previous else built(options.revision, options.at)
    print(f"this one: {version(new)}; the other one: {version(old)}")
    bad = 0
    server = postgres.Server()
    try:
        for session_by, worker_by in ((new, old), (old, new)):
            found = together(server, options, session_by, worker_by)
            print(f"session by {version(session_by)}, worker by {version(worker_by)}: " + ("ok" if not found else "BAD"), flush=True)
            for problem in found:
                print("    " + problem.replace("\n", "\n    "))
            bad += bool(found)
    finally:
        server.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
