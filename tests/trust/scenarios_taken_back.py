"""M. What a person takes back."""

import json
import os

from play import scenario, start


def fixed(w, *names):
    for name in names:
        w.honest(name)
    start(w)
    w.result = w.fix()
    return json.loads(w.emend("sessions", "--json").stdout)["data"][0]


def refs(w):
    return w.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)")


def reject(w, session, name):
    return w.emend("sessions", "reject", session["id"], w.codes[name], "--reason", "not like this", "--json")


@scenario("M1", "a rejected fix is still called RESOLVED")
def m1(w):
    """Made again by the next session, asked for by resuming the old one: a person has said no to it."""
    session = fixed(w, "clamp", "mean")
    done = reject(w, session, "mean")
    w.checks = [lambda _: [] if done.returncode == 0 else [f"reject ends with {done.returncode}: {done.stderr}"]]
    w.emend("sessions", "resume", session["id"], "--json")
    w.emend("fix", "--json", w.codes["mean"])
    w.expect("mean", "FAILED", "rejected")
    proof = w.emend("prove", w.codes["mean"])
    w.checks.append(lambda _: [] if proof.returncode != 0 else ["the proof of a rejected fix holds"])


@scenario("M2", "reject moves a foreign branch", varies=False)
def m2(w):
    """The session's branch has become another name of the person's own."""
    session = fixed(w, "clamp", "mean")
    branch = w.branch()
    w.git("branch", "theirs", branch)
    w.git("symbolic-ref", "refs/heads/" + branch, "refs/heads/theirs")
    w.before, before = w.manifest(), refs(w)
    done = reject(w, session, "mean")
    w.checks = [lambda _: [] if done.returncode != 0 and "another name of" in done.stderr else [f"reject ends with {done.returncode}: {done.stderr}"],
                lambda world: [] if refs(world) == before else [f"refs have moved: {before} -> {refs(world)}"]]


@scenario("M3", "reject moves a branch somebody stands on", varies=False)
def m3(w):
    session = fixed(w, "clamp", "mean")
    w.ignored.add("beside")
    w.git("worktree", "add", "-q", w.path("beside"), w.branch())
    w.before, before = w.manifest(), refs(w)
    done = reject(w, session, "mean")
    status = w.git("status", "--porcelain", cwd=w.path("beside"))
    w.checks = [lambda _: [] if done.returncode != 0 and os.path.realpath(w.path("beside")) in done.stderr else [f"reject ends with {done.returncode}: {done.stderr}"],
                lambda world: [] if refs(world) == before else [f"refs have moved: {before} -> {refs(world)}"],
                lambda _: [] if status.strip() == "" else [f"the worktree is not what its branch says: {status}"]]
