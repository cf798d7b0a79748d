#!/usr/bin/env python3
"""A model that follows a script: speaks the Anthropic, Gemini and OpenAI APIs on 127.0.0.1, so that real coding CLIs can run without one.

    model_server.py --script FILE --log FILE [--home DIR] [--port N] [--set NAME=VALUE]...

Prints "listening on http://127.0.0.1:PORT", with --home the environment for the CLIs as NAME=VALUE lines, and "ready"; then serves until
its stdin is closed or its parent is gone. See script.py for scripts.
The log has two JSON lines for each request: "begin" (time, rule, headers without keys, body) and "end" (time, status, how it ended).
"""

import argparse
import gzip
import itertools
import json
import os
import re
import select
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import environment
from script import Script, ScriptError
from wires import WIRES, Answer

SECRET_HEADERS = {"authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"}


class Log:
    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")  # pylint: disable=consider-using-with
        self.lock = threading.Lock()
        self.numbers = itertools.count(1)

    def write(self, event, number, **facts):
        line = json.dumps({"event": event, "n": number, "at_ms": int(time.time() * 1000), **facts}, ensure_ascii=False)
        with self.lock:
            self.file.write(line + "\n")
            self.file.flush()


class ClientGone(Exception):
    pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            raw = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            return json.loads(raw) if raw else {}
        except ValueError:
            return {"unreadable": raw.decode("utf-8", "replace")}

    def client_gone(self):
        """Also sees a peer that only closed its side: a client that waits for an answer does not."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and self.connection.recv(1, 2) == b""  # 2 = MSG_PEEK
        except OSError:
            return True

    def wait(self, milliseconds):
        until = time.monotonic() + milliseconds / 1000 if milliseconds is not None else None
        while until is None or time.monotonic() < until:
            if self.client_gone():
                raise ClientGone
            time.sleep(0.02 if until is None else max(0, min(0.02, until - time.monotonic())))

    def send_json(self, status, body, headers=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {}), "Content-Length": str(len(data))}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_stream(self, wire, view, action, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")  # the end of the connection is the end of the stream
        self.end_headers()
        stop_after = {what: action[what] for what in ("cut", "hang") if what in action}
        for sent, event in enumerate(wire.events(view, Answer(action, body))):
            if stop_after.get("cut") == sent:
                return "cut"
            if stop_after.get("hang") == sent:
                self.wait(None)
            self.wfile.write(wire.encode(event))
            self.wfile.flush()
            if sent == 0:
                self.wait(action.get("pause_ms", 0))
            self.wait(action.get("gap_ms", 0))
        return "complete"

    def act(self, wire, view, action, body):
        self.wait(action.get("wait_ms", 0))
        if action.get("hang") is True:
            self.wait(None)
        if action.get("cut") is True:
            return 0, "cut"
        if "status" in action:
            self.send_json(action["status"], wire.error(action["status"], action), action.get("headers"))
            return action["status"], "complete"
        if "raw" in action:
            self.send_json(200, action["raw"].encode(), {"Content-Type": "text/event-stream"})
            return 200, "complete"
        if not view.stream:
            # Clients ask again without a stream when one was cut; an answer in one piece has no middle.
            if "hang" in action:
                self.wait(None)
            if "cut" in action:
                return 0, "cut"
            self.send_json(200, wire.whole(view, Answer(action, body)))
            return 200, "complete"
        return 200, self.send_stream(wire, view, action, body)

    def serve(self):
        log, number = self.server.log, next(self.server.log.numbers)
        body = self.read_body()
        path = self.path.split("?")[0]
        facts = {"method": self.command, "path": re.sub(r"([?&]key=)[^&]*", r"\1...", self.path),
                 "headers": {k.lower(): v for k, v in self.headers.items() if k.lower() not in SECRET_HEADERS}, "body": body}
        wire = next((w for w in WIRES if self.command == "POST" and w.path.search(path)), None)
        side = wire.side_answer(path, body) if wire else None
        if wire is None or side is not None:
            status = 200 if side is not None or self.command == "HEAD" else 404
            log.write("begin", number, api=wire.name if wire else "", rule="", **facts)
            self.send_json(status, side if side is not None else {"error": {"type": "not_found_error", "message": "no such route"}})
            log.write("end", number, status=status, outcome="complete")
            return
        view = wire.view(path, body)
        rule, action = self.server.script.answer(view)
        log.write("begin", number, api=wire.name, rule=rule, model=view.model, turns=view.turns, results=view.results, tools=view.tools,
                  asks=view.asks, latest=view.latest, **facts)
        status, outcome = 0, "client gone"
        try:
            status, outcome = self.act(wire, view, action, body)
        except (ClientGone, ConnectionError):
            pass
        log.write("end", number, status=status, outcome=outcome)
        self.close_connection = self.close_connection or outcome != "complete" or (view.stream and "status" not in action)

    do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = serve


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, script, log):
        super().__init__(("127.0.0.1", port), Handler)
        self.script, self.log = script, log

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def leave_with(parent):
    """Blocks until nobody needs this process any more."""
    while os.getppid() == parent:
        readable, _, _ = select.select([0], [], [], 0.5)
        if readable and os.read(0, 4096) == b"":
            return


def main():
    parent = os.getppid()  # before anybody can know that we run, and end
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--script", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--home")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    try:
        script = Script.load(options.script, dict(entry.split("=", 1) for entry in options.set))
    except ScriptError as problem:
        sys.exit(f"model_server: {problem}")
    server = Server(options.port, script, Log(options.log))
    url = f"http://127.0.0.1:{server.server_address[1]}"
    variables = environment.prepare(options.home, url) if options.home else {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening on {url}", *(f"{name}={value}" for name, value in variables.items()), "ready", sep="\n", flush=True)
    leave_with(parent)
    os._exit(0)  # hanging requests have threads that would never end


if __name__ == "__main__":
    main()
