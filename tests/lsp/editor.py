"""An editor as far as its language server sees one: speaks LSP with the real `emend lsp` over pipes."""

import json
import os
import queue
import shutil
import subprocess
import threading
from urllib.parse import quote

PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
EDITS = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "delete", "rename"]}},
         "window": {"workDoneProgress": True}}


def programs(name):
    """Where this editor is: the newer one that `make editors` unpacks, then the one that is installed; may be none."""
    newer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "editors", "bin", name)
    return [path for path in (newer if os.access(newer, os.X_OK) else None, shutil.which(name)) if path]


def uri_of(path):
    return "file://" + quote(path)


def merged(one, other):
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    return {key: merged(one[key], other[key]) if key in one and key in other else one.get(key, other.get(key)) for key in {**one, **other}}


class Editor:
    """Requests out, answers by id. What the server asks is answered by `answers`: method -> function of its params."""

    def __init__(self, emend, folder, environment, capabilities=None, options=None, folders=None, start=True):
        self.process = subprocess.Popen([emend, "lsp"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.messages, self.seen, self.next_id, self.versions = queue.Queue(), [], 0, {}
        self.answers = {"window/workDoneProgress/create": lambda params: None, "workspace/diagnostic/refresh": lambda params: None}
        self.reader = threading.Thread(target=self._read)
        self.reader.start()
        if start:
            self.opened = self.ask("initialize", {"processId": os.getpid(), "rootUri": uri_of(folder), "capabilities": capabilities or {},
                                                  "initializationOptions": options or {},
                                                  "workspaceFolders": [{"uri": uri_of(one), "name": one} for one in folders or [folder]]})["result"]
            self.tell("initialized", {})

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    return self.messages.put(None)
                if line == b"\r\n":
                    break
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(stream.read(length)))

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def begin(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def receive(self):
        message = self.messages.get(timeout=120)
        assert message is not None, self.process.stderr.read()
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"])
            self.send({"id": message["id"], "result": answer(message.get("params"))} if answer else
                      {"id": message["id"], "error": {"code": -32601, "message": "not here"}})
        self.seen.append(message)
        return message

    def wait(self, fits):
        """The first message, of those seen since the last call or coming, that fits."""
        while True:
            for index, message in enumerate(self.seen):
                if fits(message):
                    del self.seen[:index + 1]
                    return message
            self.seen.clear()
            self.receive()

    def result(self, number):
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def ask(self, method, params):
        return self.result(self.begin(method, params))

    def published(self, path, fits=lambda items: True):
        return self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri_of(path) and
                         fits(message["params"]["diagnostics"]))["params"]["diagnostics"]

    def open(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        self.versions[path] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri_of(path), "languageId": "x", "version": 1, "text": text}})
        return text

    def change(self, path, start, end, text):
        self.versions[path] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri_of(path), "version": self.versions[path]}, "contentChanges": [
            {"range": {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}, "text": text}]})

    def save(self, path):
        self.tell("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def pull(self, path, previous=None):
        params = {"textDocument": {"uri": uri_of(path)}}
        if previous:
            params["previousResultId"] = previous
        return self.ask("textDocument/diagnostic", params)["result"]

    def actions(self, path, line, only=None):
        place = {"line": line, "character": 0}
        context = {"diagnostics": []}
        if only:
            context["only"] = only
        return self.ask("textDocument/codeAction", {"textDocument": {"uri": uri_of(path)}, "range": {"start": place, "end": place}, "context": context})["result"]

    def command(self, name, **argument):
        return self.ask("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def close(self):
        if self.process.poll() is None:
            if not self.process.stdin.closed:
                self.process.stdin.close()
            self.process.wait(timeout=60)
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        return self.process.returncode
