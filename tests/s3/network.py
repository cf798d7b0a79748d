"""The network between emend and its store: passes everything on, or behaves the way networks and servers do on bad days."""

import socket
import ssl
import threading
import time


def read_request(connection):
    """One request: (head, body), or None when the other side has nothing more to say."""
    data = b""
    while b"\r\n\r\n" not in data:
        got = connection.recv(65536)
        if not got:
            return None
        data += got
    head, body = data.split(b"\r\n\r\n", 1)
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        got = connection.recv(65536)
        if not got:
            return None
        body += got
    return head, body


class Network:
    """Listens on one port for its whole life. mode: what becomes of a request."""

    def __init__(self, target, certificate=None):
        self.target, self.mode = target, "pass"
        self.heads, self.elsewhere = [], None
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.listener, self.port = None, 0
        self.up()

    def up(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def down(self):
        """Nobody listens any more."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None

    def close(self):
        self.mode = "cut"
        if self.listener:
            self.down()

    def accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            while (request := read_request(connection)) is not None:
                self.heads.append(request[0])
                if not getattr(self, "do_" + self.mode)(connection, *request):
                    break
        except OSError:
            pass
        finally:
            connection.close()

    # Each answers whether the connection may be used on.

    def do_pass(self, connection, head, body):
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            server.sendall(b"\r\n".join(lines + [b"Connection: close"]) + b"\r\n\r\n" + body)
            while got := server.recv(65536):
                connection.sendall(got)
        return False

    def do_error(self, connection, head, body):
        text = b"<Error><Code>InternalError</Code><Message>try again</Message></Error>"
        connection.sendall(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
        return True

    def do_mute(self, connection, head, body):
        while self.mode == "mute":
            time.sleep(0.05)
        return False

    def do_cut(self, connection, head, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
        return False

    def do_redirect(self, connection, head, body):
        target = head.split(b" ")[1]
        connection.sendall(b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:%d%s\r\nContent-Length: 0\r\n\r\n" % (self.elsewhere, target))
        return True

    def do_endless(self, connection, head, body):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nConnection: close\r\n\r\n<ListBucketResult>")
        for _ in range(2000):
            connection.sendall(b"<Contents>" * 6000)
        return False

    def do_garbage(self, connection, head, body):
        text = b"<html><body>Welcome to the hotel's network</body></html>"
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
        return True
