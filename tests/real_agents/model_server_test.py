#!/usr/bin/env python3
"""The scripted model answers as the real APIs do, keeps an honest log, and never outlives the one who needs it."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = [sys.executable, "-B", os.path.join(HERE, "model_server.py")]


class Model:
    def __init__(self, rules, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.log_path = os.path.join(self.folder.name, "log.jsonl")
        script = os.path.join(self.folder.name, "script.json")
        with open(script, "w", encoding="utf-8") as file:
            json.dump({"rules": rules}, file)
        self.process = subprocess.Popen([*SERVER, "--script", script, "--log", self.log_path, *options],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.head = []
        while not self.head or self.head[-1] != "ready":
            self.head.append(self.process.stdout.readline().strip())
        self.port = int(self.head[0].rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        self.folder.cleanup()

    def post(self, path, body, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        try:
            return response.status, response.read().decode(), dict(response.getheaders())
        finally:
            connection.close()

    def log(self, event):
        with open(self.log_path, encoding="utf-8") as file:
            return [line for line in map(json.loads, file) if line["event"] == event]


def events(text):
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]


def running(pid):
    """Not counting what has ended and waits for an init in no hurry to notice."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def claude(*messages, **more):
    return {"model": "m", "stream": True, "messages": [{"role": role, "content": text} for role, text in messages], **more}


class Streams(unittest.TestCase):
    def test_anthropic_text_thinking_and_calls(self):
        do = {"thinking": "hm", "text": "hello there", "chunk": 4, "calls": [{"tool": "Read", "arguments": {"file_path": "${cwd}/a"}}]}
        with Model([{"do": do}]) as model:
            body = claude(("user", "hi"), system="Working directory: /w/x\n")
            _, text, _ = model.post("/v1/messages?beta=true", body)
            _, whole, _ = model.post("/v1/messages", {**body, "stream": False})
        found = events(text)
        self.assertEqual([found[0]["type"], found[-2]["type"], found[-1]["type"]], ["message_start", "message_delta", "message_stop"])
        self.assertEqual("".join(e["delta"].get("text", "") for e in found if e["type"] == "content_block_delta"), "hello there")
        call = "".join(e["delta"].get("partial_json", "") for e in found if e["type"] == "content_block_delta")
        self.assertEqual(json.loads(call), {"file_path": "/w/x/a"})
        self.assertEqual(found[-2]["delta"]["stop_reason"], "tool_use")
        self.assertEqual([b["type"] for b in json.loads(whole)["content"]], ["thinking", "text", "tool_use"])

    def test_gemini_streams_and_whole(self):
        calls = [{"tool": "read_file", "arguments": {"n": 1}}, {"tool": "glob", "arguments": {}}]
        with Model([{"if": {"api": "gemini", "model": "pro"}, "do": {"text": "abcdef", "chunk": 3, "calls": calls}}]) as model:
            body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
            _, text, _ = model.post("/v1beta/models/x-pro:streamGenerateContent?alt=sse", body)
            _, whole, _ = model.post("/v1beta/models/x-pro:generateContent", body)
            _, count, _ = model.post("/v1beta/models/x-pro:countTokens", body)
        parts = [p for e in events(text) for p in e["candidates"][0]["content"]["parts"]]
        self.assertEqual([p.get("text") or p["functionCall"]["name"] for p in parts], ["abc", "def", "read_file", "glob"])
        self.assertEqual(events(text)[-1]["candidates"][0]["finishReason"], "STOP")
        self.assertEqual(len(json.loads(whole)["candidates"][0]["content"]["parts"]), 4)
        self.assertGreater(json.loads(count)["totalTokens"], 0)

    def test_responses_streams_custom_and_function_calls(self):
        calls = [{"tool": "apply_patch", "input": "*** Begin Patch"}, {"tool": "exec_command", "arguments": {"cmd": "ls"}}]
        with Model([{"do": {"json": {"a": 1}, "calls": calls}}]) as model:
            _, text, _ = model.post("/v1/responses", {"model": "m", "stream": True, "input": "hi"})
        found = events(text)
        self.assertEqual([e["sequence_number"] for e in found], list(range(len(found))))
        self.assertEqual([i["type"] for i in found[-1]["response"]["output"]], ["message", "custom_tool_call", "function_call"])
        self.assertEqual(found[-1]["response"]["output"][0]["content"][0]["text"], '{"a": 1}')

    def test_chat_streams(self):
        with Model([{"do": {"text": "ok", "calls": [{"tool": "bash", "arguments": {"command": "ls"}}]}}]) as model:
            _, text, _ = model.post("/v1/chat/completions", {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]})
        self.assertTrue(text.endswith("data: [DONE]\n\n"))
        self.assertEqual(events(text)[-2]["choices"][0]["finish_reason"], "tool_calls")


class Rules(unittest.TestCase):
    def test_the_first_rule_that_holds_answers_and_named_groups_fill_in(self):
        rules = [{"name": "once", "times": 1, "do": {"text": "first"}},
                 {"name": "code", "if": {"asks": "issue (?P<code>\\w+-\\d+)", "unsaid": "stop"}, "do": {"json": {"${code}": "${code} done"}}},
                 {"name": "rest", "do": {"text": "${NAME}"}}]
        with Model(rules, "--set", "NAME=value") as model:
            for text in ("issue AB-1", "issue AB-2", "issue AB-3 stop"):
                model.post("/v1/messages", claude(("user", text)))
            _, whole, _ = model.post("/v1/messages", claude(("user", "issue AB-4"), stream=False))
            _, rest, _ = model.post("/v1/messages", claude(("user", "no"), stream=False))
            self.assertEqual([line["rule"] for line in model.log("begin")], ["once", "code", "rest", "code", "rest"])
        self.assertEqual(json.loads(json.loads(whole)["content"][0]["text"]), {"AB-4": "AB-4 done"})
        self.assertEqual(json.loads(rest)["content"][0]["text"], "value")

    def test_the_place_in_the_conversation_decides(self):
        rules = [{"name": "start", "if": {"results": 0, "turns": 0, "offers": "Read"}, "do": {"text": "a"}},
                 {"name": "later", "if": {"results": [1, 3], "latest": "content of"}, "do": {"text": "b"}}]
        answered = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Read", "input": {}}]},
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "content of a"}]}]}]
        with Model(rules) as model:
            model.post("/v1/messages", claude(("user", "hi"), tools=[{"name": "Read"}]))
            model.post("/v1/messages", {"model": "m", "messages": answered})
            status, text, _ = model.post("/v1/messages", claude(("user", "hi")))
            self.assertEqual([line["rule"] for line in model.log("begin")], ["start", "later", "no-rule"])
        self.assertEqual((status, json.loads(text)["error"]["type"]), (400, "invalid_request_error"))

    def test_a_script_with_a_typing_error_is_refused(self):
        for rule, word in (({"if": {"ask": "x"}, "do": {}}, "ask"), ({"do": {"txt": ""}}, "txt"), ({"if": {}}, "does nothing")):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as script:
                json.dump({"rules": [rule]}, script)
                script.flush()
                run = subprocess.run([*SERVER, "--script", script.name, "--log", os.devnull], capture_output=True, text=True, check=False)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(word, run.stderr)


class Trouble(unittest.TestCase):
    def test_http_errors_have_each_api_s_shape(self):
        with Model([{"do": {"status": 429, "message": "slow down", "headers": {"retry-after": "7"}}}]) as model:
            status, text, headers = model.post("/v1/messages", claude(("user", "hi")))
            _, gemini, _ = model.post("/v1beta/models/m:streamGenerateContent", {"contents": []})
            _, openai, _ = model.post("/v1/responses", {"input": "hi", "stream": True})
        self.assertEqual((status, headers["retry-after"], json.loads(text)["error"]["type"]), (429, "7", "rate_limit_error"))
        self.assertEqual(json.loads(gemini)["error"]["status"], "RESOURCE_EXHAUSTED")
        self.assertEqual(json.loads(openai)["error"]["code"], "rate_limit_exceeded")

    def test_a_cut_stream_has_no_end(self):
        with Model([{"do": {"text": "long enough", "chunk": 2, "cut": 3}}]) as model:
            _, text, _ = model.post("/v1/messages", claude(("user", "hi")))
            with self.assertRaises((http.client.HTTPException, ConnectionError)):
                model.post("/v1/messages", claude(("user", "hi"), stream=False))
            self.assertEqual([line["outcome"] for line in model.log("end")], ["cut", "cut"])
        self.assertEqual(len(events(text)), 3)
        self.assertNotIn("message_stop", text)

    def test_a_hanging_answer_ends_when_the_client_goes(self):
        with Model([{"do": {"text": "never", "hang": 1}}]) as model:
            connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
            connection.request("POST", "/v1/messages", json.dumps(claude(("user", "hi"))))
            response = connection.getresponse()
            self.assertIn(b"message_start", response.readline())
            response.close()
            connection.close()
            until = time.monotonic() + 10
            while not model.log("end") and time.monotonic() < until:
                time.sleep(0.02)
            self.assertEqual(model.log("end")[0]["outcome"], "client gone")

    def test_malformed_bodies_and_stream_errors(self):
        with Model([{"if": {"asks": "raw"}, "do": {"raw": "data: {oops"}}, {"do": {"text": "x", "stream_error": "overloaded_error"}}]) as model:
            self.assertEqual(model.post("/v1/messages", claude(("user", "raw")))[1], "data: {oops")
            self.assertEqual(events(model.post("/v1/messages", claude(("user", "hi")))[1])[-1]["error"]["type"], "overloaded_error")


class Life(unittest.TestCase):
    def test_the_log_shows_overlap_and_no_keys(self):
        secrets = {"x-api-key": "sk-secret", "Authorization": "Bearer sk-secret", "x-goog-api-key": "sk-secret", "X-Other": "seen"}
        with Model([{"do": {"text": "slow", "wait_ms": 400}}]) as model:
            paths = ["/v1/messages", "/v1beta/models/m:generateContent?key=sk-secret"]
            threads = [threading.Thread(target=model.post, args=(path, claude(("user", "hi")), secrets)) for path in paths]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertLess(max(line["at_ms"] for line in model.log("begin")), min(line["at_ms"] for line in model.log("end")))
            with open(model.log_path, encoding="utf-8") as file:
                text = file.read()
        self.assertNotIn("sk-secret", text)
        self.assertIn('"x-other": "seen"', text)

    def test_the_environment_points_every_cli_at_the_model(self):
        with tempfile.TemporaryDirectory() as home, Model([], "--home", home) as model:
            variables = dict(line.split("=", 1) for line in model.head[1:-1])
            self.assertEqual(variables["ANTHROPIC_BASE_URL"], f"http://127.0.0.1:{model.port}")
            self.assertTrue(os.path.exists(os.path.join(variables["GEMINI_CLI_HOME"], ".gemini", "settings.json")))
            with open(os.path.join(variables["CODEX_HOME"], "config.toml"), encoding="utf-8") as file:
                self.assertIn(f"127.0.0.1:{model.port}/v1", file.read())

    def test_it_ends_with_its_stdin_even_while_requests_hang(self):
        model = Model([{"do": {"hang": True}}])
        connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
        connection.request("POST", "/v1/messages", json.dumps(claude(("user", "hi"))))
        started = time.monotonic()
        model.__exit__()
        connection.close()
        self.assertLess(time.monotonic() - started, 5)

    def test_it_ends_with_its_parent(self):
        """Even when somebody else holds its stdin open."""
        reader, writer = os.pipe()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as script:
            script.write('{"rules": []}')
            script.flush()
            command = " ".join([*SERVER, "--script", script.name, "--log", os.devnull]) + " & echo $!; read line"
            parent = subprocess.Popen(["sh", "-c", f"exec 3<&0; {command.replace(' & ', ' <&3 & ')}"], stdin=reader, stdout=subprocess.PIPE, text=True)
            child = int(parent.stdout.readline())
            while parent.stdout.readline().strip() != "ready":
                pass
            parent.kill()
            parent.wait()
            parent.stdout.close()
            until = time.monotonic() + 10
            while running(child) and time.monotonic() < until:
                time.sleep(0.05)
            self.assertFalse(running(child))
        os.close(reader)
        os.close(writer)


if __name__ == "__main__":
    unittest.main()
