"""What notifications are sent to, on this machine: an SMTP server and an HTTP server that keep what they are given."""

import asyncio
import base64
import http.server
import ssl
import subprocess
import threading
import time


def certificate(directory):
    """A key and a certificate for localhost, signed by itself."""
    key, cert = f"{directory}/key.pem", f"{directory}/cert.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    return key, cert


def until(what, seconds=60):
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class MailServer:
    """Speaks as much SMTP as a client needs: EHLO, STARTTLS, AUTH PLAIN and LOGIN, one mail after the other. tls: None, "start" or "always"."""

    def __init__(self, tls=None, directory="", user="", password="", refuse=None):
        self.tls, self.user, self.password, self.refuse = tls, user, password, refuse
        self.mails, self.talked, self.context = [], [], None
        self.slow = None  # a mail that was given whole is not answered until this is set
        if tls:
            key, cert = certificate(directory)
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(cert, key)
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(asyncio.start_server(self.talk, "127.0.0.1", 0, ssl=self.context if self.tls == "always" else None))
        self.port = self.server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def talk(self, reader, writer):
        secure, known, mail = self.tls == "always", not self.user, {}

        async def say(text):
            writer.write((text + "\r\n").encode())
            await writer.drain()

        await say("220 localhost ready")
        try:
            while line := await reader.readline():
                words = line.decode().strip()
                verb = words.upper().split(" ")[0]
                self.talked.append((verb, secure))
                if verb == "EHLO":
                    offers = ["localhost", "8BITMIME"] + (["STARTTLS"] if self.tls == "start" and not secure else []) + (["AUTH PLAIN LOGIN"] if self.user else [])
                    await say("\r\n".join(f"250{'-' if i + 1 < len(offers) else ' '}{offer}" for i, offer in enumerate(offers)))
                elif verb == "STARTTLS":
                    await say("220 go on")
                    await writer.start_tls(self.context)
                    secure = True
                elif verb == "AUTH":
                    given = words.split(" ")[2] if len(words.split(" ")) > 2 else ""
                    if not given:
                        await say("334 ")
                        given = (await reader.readline()).decode().strip()
                    known = base64.b64decode(given).split(b"\0")[1:] == [self.user.encode(), self.password.encode()]
                    await say("235 welcome" if known else "535 wrong")
                elif verb == "MAIL":
                    mail = {"from": words[10:].split(">")[0].strip("<"), "secure": secure}
                    await say("250 ok" if known else "530 who are you")
                elif verb == "RCPT":
                    mail["to"] = words[8:].strip("<>")
                    refusal = self.refuse(mail["to"]) if self.refuse else None
                    await say(refusal or "250 ok")
                elif verb == "DATA":
                    await say("354 go on")
                    text = b""
                    while not text.endswith(b"\r\n.\r\n"):
                        text += await reader.readexactly(1)
                    self.mails.append({**mail, "text": text[:-5].decode()})
                    while self.slow is not None and not self.slow.is_set():
                        await asyncio.sleep(0.02)
                    await say("250 taken")
                elif verb == "QUIT":
                    await say("221 bye")
                    break
                else:
                    await say("250 ok")
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        writer.close()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(timeout=10)


class HookServer:
    """Keeps each POST; answers with what `answer` says of it: a status, or (status, headers)."""

    def __init__(self, answer=None):
        self.posts, self.answer = [], answer or (lambda post: 204)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                post = {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}, "body": body.decode(), "at": time.time()}
                outer.posts.append(post)
                said = outer.answer(post)
                status, headers = said if isinstance(said, tuple) else (said, {})
                self.send_response(status)
                for name, value in {"Content-Length": "0", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
