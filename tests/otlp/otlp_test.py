#!/usr/bin/env python3
"""otlp_test.py EMEND: traces of sessions reach a collector, and are what OTLP/HTTP in JSON says they must be."""

import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "http"))
sys.path.insert(0, os.path.join(HERE, "..", "notify"))

from receivers import HookServer, until
from world import SECRET, World

EMEND = ""


# The messages of opentelemetry-proto that a trace is made of: members with their kind. Nothing else may be there.
def hexadecimal(digits):
    return lambda value: isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) and set(value) != {"0"}


def text(value):
    return isinstance(value, str)


def uint64(value):
    return isinstance(value, str) and re.fullmatch(r"\d{1,20}", value) and int(value) < 2 ** 64


def int64(value):
    return isinstance(value, str) and re.fullmatch(r"-?\d{1,19}", value)


def whole(low, high):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


VALUE = {"stringValue": text, "intValue": int64, "doubleValue": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
         "boolValue": lambda value: isinstance(value, bool)}


def attributes(value):
    keys = [one["key"] for one in value]
    return (len(keys) == len(set(keys)) and
            all(set(one) == {"key", "value"} and text(one["key"]) and one["key"] and len(one["value"]) == 1 and
                all(VALUE[kind](content) for kind, content in one["value"].items()) for one in value))


def message(required, optional=None):
    known = {**required, **(optional or {})}

    def holds(value):
        for name in required:
            assert name in value, f"{name} is missing in {value}"
        for name, content in value.items():
            assert name in known, f"{name} is no member"
            assert known[name](content), f"{name} is {content!r}"
        return True
    return holds


def each(kind):
    return lambda value: isinstance(value, list) and all(kind(one) for one in value)


STATUS = message({"code": whole(0, 2)}, {"message": text})
SPAN = message({"traceId": hexadecimal(32), "spanId": hexadecimal(16), "name": lambda value: text(value) and value, "kind": whole(1, 5), "startTimeUnixNano": uint64,
                "endTimeUnixNano": uint64, "attributes": attributes}, {"parentSpanId": hexadecimal(16), "status": STATUS})
SCOPE = message({"scope": message({"name": text, "version": text}), "spans": each(SPAN)})
EXPORT = message({"resourceSpans": each(message({"resource": message({"attributes": attributes}), "scopeSpans": each(SCOPE)}))})


def plain(attributes):
    return {one["key"]: next(iter(one["value"].values())) for one in attributes}


def spans_of(post):
    body = json.loads(post["body"])
    EXPORT(body)
    return body["resourceSpans"][0]["scopeSpans"][0]["spans"]


class Otlp(unittest.TestCase):
    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        trusted = self.world.run("trust")
        self.assertEqual(trusted.returncode, 0, trusted.stderr)
        self.refusals = 0
        self.collector = HookServer(self.answer)
        self.addCleanup(self.collector.close)

    def answer(self, _):
        self.refusals -= 1
        return (503, {"Retry-After": "1"}) if self.refusals >= 0 else (200, {"Content-Type": "application/json"})

    def turn_on(self, **more):
        self.world.environment.update({"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.collector.port}", "OTEL_EXPORTER_OTLP_HEADERS": "x-team=a%20b",
                                       "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test", **more})

    def issues(self, *names):
        findings = [{"file": f"src/{name}.sh", "line": 2, "title": f"{name} says wrong", "description": "It must say right.", "severity": "high"} for name in names]
        self.world.write("findings.json", json.dumps({"findings": findings}))
        done = self.world.run("import", "--json", self.world.path("findings.json"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, spans, codes):
        by_id = {span["spanId"]: span for span in spans}
        self.assertEqual(len(by_id), len(spans))
        self.assertEqual(len({span["traceId"] for span in spans}), 1)
        roots = [span for span in spans if "parentSpanId" not in span]
        self.assertEqual([span["name"] for span in roots], ["session"])
        for span in spans:
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
            self.assertIn(span.get("parentSpanId", roots[0]["spanId"]), by_id)
        names = [span["name"] for span in spans]
        self.assertEqual(sorted(name for name in names if name.startswith("issue ")), [f"issue {code}" for code in codes])
        self.assertEqual(names.count("gate"), len(codes))
        for code in codes:
            issue = next(span for span in spans if span["name"] == f"issue {code}")
            children = [span for span in spans if span.get("parentSpanId") == issue["spanId"]]
            self.assertEqual(plain(issue["attributes"])["emend.issue.status"], "RESOLVED")
            self.assertEqual(sorted(name for name in (span["name"] for span in children) if name.startswith("invoke_agent")),
                             ["invoke_agent fixer", "invoke_agent judge"])
            self.assertTrue([span for span in children if span["name"].startswith("verify ")], children)
            run = next(plain(span["attributes"]) for span in children if span["name"] == "invoke_agent fixer")
            self.assertEqual((run["gen_ai.operation.name"], run["gen_ai.agent.name"], run["emend.role"]), ("invoke_agent", "fixer", "fixer"), run)
        self.assertTrue([name for name in names if name == "verify baseline"], names)

    def test_1_a_session_of_the_command_line(self):
        self.turn_on()
        self.issues("one", "eight")
        done = self.world.run("fix", "--json", "--all-open")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([post["path"] for post in self.collector.posts], ["/v1/traces"])
        post = self.collector.posts[0]
        self.assertEqual((post["headers"]["content-type"], post["headers"]["x-team"]), ("application/json", "a b"))
        self.check(spans_of(post), ["BE-001", "BE-002"])
        resource = plain(json.loads(post["body"])["resourceSpans"][0]["resource"]["attributes"])
        self.assertEqual((resource["service.name"], resource["deployment.environment.name"]), ("emend", "test"))
        for private in (SECRET, "echo wrong", "says wrong", "It says right"):
            self.assertNotIn(private, post["body"])

    def test_2_a_session_of_the_server_and_a_collector_that_is_busy(self):
        self.turn_on(OTEL_SERVICE_NAME="emend-of-the-team")
        self.issues("one")
        self.refusals = 1
        api = self.world.start()
        repository = api.get("/api/repositories").json["data"][0]["id"]
        self.assertEqual(api.post("/api/fix/start", {"repository_id": repository, "issue_ids": ["BE-001"]}).status, 202)
        self.assertTrue(until(lambda: len(self.collector.posts) == 2), self.world.log_text())
        first, second = (spans_of(post) for post in self.collector.posts)
        self.check(second, ["BE-001"])
        self.assertEqual(first, second)
        self.assertEqual(plain(json.loads(self.collector.posts[1]["body"])["resourceSpans"][0]["resource"]["attributes"])["service.name"], "emend-of-the-team")

    def test_3_off_and_away(self):
        self.issues("one", "eight", "five")
        self.assertEqual(self.world.run("fix", "BE-001").returncode, 0)
        self.turn_on(OTEL_SDK_DISABLED="true")
        self.assertEqual(self.world.run("fix", "BE-002").returncode, 0)
        self.assertEqual(self.collector.posts, [])
        self.turn_on(OTEL_SDK_DISABLED="false", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
        done = self.world.run("fix", "BE-003")
        self.assertEqual(done.returncode, 0, "a collector that is away costs the trace alone")
        self.assertIn("the trace of session", done.stderr)


if __name__ == "__main__":
    EMEND = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
