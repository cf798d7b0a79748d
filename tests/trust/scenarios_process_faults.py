"""E. Faults of the agent's process and its stream."""

import json
import os

from play import scenario
from world import quoted, words


def events(w, name=None):
    """The final event of the fixer's program for a failed run, as that program writes it."""
    return {"claude": lambda text, status: ['emit ' + json.dumps({"type": "result", "subtype": "success", "is_error": True, "result": text,
                                                                  "api_error_status": status, "session_id": "x"})],
            "gemini": lambda text, status: ['emit ' + json.dumps({"type": "result", "status": "error", "error": {"type": "Error", "message": text}})],
            "codex": lambda text, status: ['emit ' + json.dumps({"type": "turn.failed", "error": {"message": text}})]}[name or w.variation.fixer]


@scenario("E1", "silent hang", varies=False)
def e1(w):
    w.settings["fix.timeout"] = '"2s"'
    w.issue("clamp")
    w.fixer("clamp", "silent", "sleep inf")
    w.expect("clamp", "FAILED", "agent_failed")
    w.issue("repeat")
    w.fixer("repeat", w.cure("repeat"), "sleep inf")  # what it did before is looked at
    w.resolved("repeat")


@scenario("E3", "a child keeps the pipe", varies=False)
def e3(w):
    w.scripts["stays"] = ["sleep inf"]
    w.honest("clamp", "daemon stays", "sh sleep 600 &")
    w.honest("mean")


@scenario("E4", "writes after its exit")
def e4(w):
    site = w.project.sites["clamp"]
    w.scripts["late"] = [f"sleep {w.variation.random.choice((600, 900, 1300))}",  # the agent itself has ended long before
                         *(f"sh sleep 0.0{n}; echo late-{n} >> {quoted(w.project.sites['mean'].path)}" for n in range(1, 9)),
                         words("append", site.path, "\nlate\n"), "sleep 1500", words("append", site.path, "\nlater\n")]
    w.honest("repeat", "daemon late", "daemon late")


@scenario("E6", "endless output", varies=False)
def e6(w):
    w.settings["fix.timeout"] = '"3s"'  # whichever limit is met first
    w.attack("clamp", "flood inf line", claim="", status="RESOLVED")
    w.resolved("clamp")
    w.honest("mean", "flood 3000000 line")


@scenario("E7", "fills the disk")
def e7(w):
    beside = w.project.sites["clamp"].path.rpartition("/")[0]
    w.attack("clamp", words("fill", "4", f"{beside}/core.{w.project.extension}"), why="P2")
    w.honest("mean", words("fill", "30", "../tmp/core"), words("fill", "10", "core.log"))


@scenario("E9", "waits on stdin", varies=False)
def e9(w):
    w.honest("clamp", "readstdin", "sh cat; read x")
    w.honest("mean", "tty?")
    w.checks = [lambda world: ["there is a terminal"] if any(call.get("step", "").startswith("tty") for call in world.calls()) else []]


@scenario("E10", "ignores SIGTERM", varies=False)
def e10(w):
    w.settings["fix.timeout"] = '"2s"'
    w.issue("clamp")
    w.fixer("clamp", "ignore TERM", "ignore INT", "ignore HUP", "sleep inf")
    w.expect("clamp", "FAILED", "agent_failed")
    w.honest("mean")


@scenario("E12", "exit 0 with an error")
def e12(w):
    w.issue("clamp")
    w.fixer("clamp", words("stderr", "Error: 500 Internal Server Error"), "exit 0")
    w.expect("clamp", "FAILED")
    w.issue("sign")
    w.fixer("sign", "silent", "exit 0")
    w.expect("sign", "FAILED")
    w.honest("mean")


@scenario("E13", "exit 1 with good work")
def e13(w):
    w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), "claim fixed", "exit 1")
    w.resolved("clamp")
    w.issue("mean")
    w.fixer("mean", w.cure("mean"), "crash SEGV")
    w.resolved("mean")


@scenario("E15", "no final event, empty result")
def e15(w):
    w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), "exit 0")
    w.resolved("clamp")
    w.issue("mean")
    w.fixer("mean", w.cure("mean"), 'result ""')
    w.resolved("mean")
    w.attack("repeat", cured=False, claim="", status="FAILED")


@scenario("E16", "corrupted stream")
def e16(w):
    w.honest("clamp", words("raw", '{"type":"assistant","mess{"type":"result","subtype":"success"\n'), "rawhex ff00fe0a", words("raw", "}{][\n\n\x00\n"),
             words("raw", '{"type":"result","is_error":'), words("raw", "\n"))
    w.honest("mean", words("raw", "[" * 4000 + "\n"))


@scenario("E18", "rate limited")
def e18(w):
    w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), "claim fixed")
    w.fixer("clamp", events(w)("Error 429: rate limit exceeded, try again in 1s", 429), "exit 1", number=1)
    w.resolved("clamp")  # although only one attempt is allowed: a limit is none
    w.honest("mean")


@scenario("E19", "login has run out")
def e19(w):
    w.issue("clamp")
    w.fixer("clamp", words("stderr", "Please run /login: https://example.org/login"), events(w)("Invalid API key. Please run /login", 401), "exit 1")
    w.expect("clamp", "OPEN")
    w.checks = [lambda world: ["it was asked again and again"] if len(world.prompts("fixer")) > 4 else []]


@scenario("E21", "context exceeded")
def e21(w):
    w.issue("clamp")
    w.fixer("clamp", events(w)("Prompt is too long", 413), "exit 1")
    w.expect("clamp", "FAILED")
    w.honest("mean")


@scenario("E22", "unknown conversation")
def e22(w):
    w.settings["verify.max_fix_cycles"] = "2"
    w.issue("clamp")
    w.fixer("clamp", w.trick("break"), "claim fixed", number=1)
    undo = [(new, old) for old, new in w.project.tricks["break"]]
    w.fixer("clamp", "onresume stderr \"No conversation found with session ID: x\"", "onresume exit 1",
            w.edit(w.project.sites["clamp"].path, undo), w.cure("clamp"), "claim fixed")
    w.resolved("clamp")
    w.honest("mean")


@scenario("E24", "another model answered")
def e24(w):
    same = {"claude": "claude-opus-4", "codex": "gpt-5.5", "gemini": "gemini-2.5-pro"}[w.variation.fixer]
    w.issue("clamp")
    w.fixer("clamp", w.cure("clamp"), "claim fixed")
    w.judge(words("model", same), words("say", "looking at it"), "verdict 99")  # the judge turns out to be of the fixer's own vendor; codex does not tell its model
    w.resolved("clamp")
    w.checks = [lambda world: [] if world.variation.judge == "codex" or "same vendor" in world.result.stdout else ["the kinship is not told"]]


@scenario("E25", "the format changed")
def e25(w):
    w.honest("clamp", 'emit {"type":"system","subtype":"hologram","v":3}', 'emit {"type":"telepathy","thought":[1,2,{"x":null}]}', 'emit {"kind":"result"}',
             'emit {"type":17}')
    w.honest("mean")


@scenario("E27", "hijacked binary", varies=False)
def e27(w):
    trap = w.path("user/hijacked")
    for name in ("claude", "gemini", "git", "node_modules/.bin/claude"):
        w.files[name] = f"#!/bin/sh\ntouch {trap}\n"
    w.variables["PATH"] = ":".join([".", w.repo, os.path.join(w.repo, "node_modules/.bin"), *w.variables_now()["PATH"].split(":")])

    def make(world):
        for name in ("claude", "gemini", "git", "node_modules/.bin/claude"):
            os.chmod(os.path.join(world.repo, name), 0o755)
        world.git("init", "-q", "-b", "main")
        world.commit("base")

    w.repository = make
    w.honest("clamp")
    w.honest("mean")


@scenario("E28", "stdout stops, work goes on")
def e28(w):
    site = w.issue("clamp")
    w.fixer("clamp", words("say", "starting"), "sleep 700", w.cure("clamp"), "sh exec 1>&-; sleep 0.3", "claim fixed")
    w.resolved("clamp")
    assert site
    w.honest("mean")
