"""A proxy before a PostgreSQL server that loses one answer: the statement was done, the connection breaks before its client hears of it."""

import socket
import struct
import threading


class LosingProxy:
    def __init__(self, server_socket, marker):
        """server_socket: the path of the server's socket. marker: bytes of the statement whose answer is lost, once it has given a row."""
        self.server_socket, self.marker = server_socket, marker
        self.lost = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server_socket)
            Connection(self, client, server)

    def close(self):
        self.listener.close()


class Connection:
    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.names, self.watched = set(), False
        for work in (self.forward, self.answer):
            threading.Thread(target=self.guarded, args=(work,), daemon=True).start()

    def guarded(self, work):
        try:
            work()
        except OSError:
            pass
        for end in (self.client, self.server):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self):
        """From the client, message by message; the first has no letter before its length."""
        file, first = self.client.makefile("rb"), True
        while True:
            kind = b"" if first else file.read(1)
            size = file.read(4)
            if len(size) < 4:
                return
            body = file.read(struct.unpack("!I", size)[0] - 4)
            first = False
            if kind == b"P" and self.proxy.marker in body:
                self.names.add(body.split(b"\0", 1)[0])
            if kind == b"B" and body.split(b"\0", 2)[1] in self.names:
                self.watched = True
            self.server.sendall(kind + size + body)

    def answer(self):
        file, held, rows = self.server.makefile("rb"), b"", False
        while True:
            kind, size = file.read(1), file.read(4)
            if len(size) < 4:
                return
            held += kind + size + file.read(struct.unpack("!I", size)[0] - 4)
            rows = rows or kind == b"D"
            if self.watched and kind != b"Z":
                continue  # the whole answer, up to "ready"
            if self.watched and rows and not self.proxy.lost.is_set():
                self.proxy.lost.set()
                return  # nothing of it reaches the client
            self.client.sendall(held)
            held, rows = b"", False
            self.watched = self.watched and kind != b"Z"
