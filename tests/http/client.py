"""A client of the API with nothing but the standard library: what a program needs to talk to `emend serve`."""

import json
import socket


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def __repr__(self):
        return f"{self.status} {self.body[:500]!r}"


def read_head(file):
    line = file.readline()
    if not line:
        raise ConnectionError("closed without an answer")
    status = int(line.split(b" ", 2)[1])
    headers = []
    while (line := file.readline()) not in (b"\r\n", b""):
        name, value = line.decode("latin-1").rstrip("\r\n").split(": ", 1)
        headers.append((name, value))
    return status, headers


def read_answer(file, method="GET"):
    status, headers = read_head(file)
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    body = b"" if method == "HEAD" or status in (204, 304) else file.read(length)
    return Answer(status, headers, body.decode("utf-8", "replace"))


def raw(port, data, timeout=20, wait_for_end=True):
    """Sends bytes as they are; what comes back until the other side closes (or stops sending)."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        try:
            connection.sendall(data)
            if wait_for_end:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        received = b""
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except OSError:
            pass
        return received


class Stream:
    """Server-sent events as they come. Ends when the server ends it, or when close() is called."""

    def __init__(self, connection, file, status, headers):
        self.connection, self.file, self.status, self.headers = connection, file, status, headers

    def __iter__(self):
        event = {}
        while True:
            try:
                line = self.file.readline()
            except (OSError, ValueError):
                return
            if not line:
                return
            line = line.decode("utf-8").rstrip("\n")
            if line == "":
                if "event" in event:
                    data = "\n".join(event.get("data", []))
                    yield {"id": event.get("id"), "event": event["event"], "data": json.loads(data) if data else None}
                event = {}
            elif line.startswith(":"):
                continue
            else:
                name, _, value = line.partition(":")
                value = value[1:] if value.startswith(" ") else value
                if name == "data":
                    event.setdefault("data", []).append(value)
                elif name == "id":
                    event["id"] = int(value)
                else:
                    event[name] = value

    def close(self):
        self.connection.close()
        self.file.close()


class Client:
    def __init__(self, port, token=None):
        self.port, self.token = port, token
        self.connection = None

    def head(self, method, path, headers, body):
        given = {"Host": f"127.0.0.1:{self.port}"}
        if self.token is not None:
            given["Authorization"] = "Bearer " + self.token
        if body is not None:
            given["Content-Length"] = str(len(body))
        given.update(headers or {})
        lines = [f"{method} {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in given.items() if value is not None]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "surrogateescape") + (body or b"")

    @staticmethod
    def encode(body, headers):
        if isinstance(body, (dict, list)):
            return json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})}
        return body, headers

    def connect(self, timeout=60):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, connection.makefile("rb")

    def request(self, method, path, body=None, headers=None):
        """One connection is kept for many requests; a closed one is opened again."""
        data, headers = self.encode(body, headers)
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = self.connect()
            connection, file = self.connection
            try:
                connection.sendall(self.head(method, path, headers, data))
                answer = read_answer(file, method)
            except (OSError, ConnectionError):
                self.close()
                if attempt == 2:
                    raise
                continue
            if (answer.header("Connection") or "").lower() == "close":
                self.close()
            return answer

    def get(self, path, **headers):
        return self.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path, body=None, headers=None):
        return self.request("POST", path, body, headers)

    def stream(self, path, method="GET", body=None, headers=None, timeout=60):
        """A stream, or the answer if there is none."""
        data, headers = self.encode(body, headers)
        connection, file = self.connect(timeout)
        connection.sendall(self.head(method, path, {"Accept": "text/event-stream", **(headers or {})}, data))
        status, given = read_head(file)
        content = next((value for name, value in given if name.lower() == "content-type"), "")
        if status != 200 or not content.startswith("text/event-stream"):
            length = next((int(value) for name, value in given if name.lower() == "content-length"), 0)
            answer = Answer(status, given, file.read(length).decode())
            connection.close()
            return answer
        return Stream(connection, file, status, given)

    def close(self):
        if self.connection is not None:
            self.connection[1].close()
            self.connection[0].close()
            self.connection = None
