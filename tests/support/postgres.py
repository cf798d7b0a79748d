"""A PostgreSQL server of a test's own, on a socket in a temporary directory or on a port of the loopback, gone with the test however it ends."""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SETTINGS = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off", "shared_buffers": "16MB", "jit": "off",
            "dynamic_shared_memory_type": "mmap", "huge_pages": "off", "max_connections": "200", "max_wal_senders": "0", "wal_level": "minimal"}


def programs():
    """Debian keeps each version in a folder of its own; the newest, or nothing."""
    root = "/usr/lib/postgresql"
    versions = sorted((int(name) for name in os.listdir(root) if name.isdigit()), reverse=True) if os.path.isdir(root) else []
    for version in versions:
        if os.access(f"{root}/{version}/bin/initdb", os.X_OK):
            return f"{root}/{version}/bin"
    return ""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    def __init__(self, password="", tcp=False, settings=None):
        """With a password, nobody comes in without it. A setting that is None keeps the server's own default."""
        self.directory = tempfile.mkdtemp(prefix="emend-pg-")
        self.password = password
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        data, secret = os.path.join(self.directory, "data"), os.path.join(self.directory, "password")
        os.mkdir(data, 0o700)
        with open(secret, "w", encoding="utf-8") as file:
            file.write((password or "none") + "\n")
        if self.user:
            for path in (self.directory, data, secret):
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", data, "-U", "emend", "--auth=" + ("scram-sha-256" if password else "trust"), "--pwfile=" + secret, "--encoding=UTF8",
                 "--locale=C.UTF-8", "--no-sync")
        with open(os.path.join(data, "postgresql.auto.conf"), "w", encoding="utf-8") as file:
            file.writelines(f"{key} = {value}\n" for key, value in {**SETTINGS, **(settings or {})}.items() if value is not None)
            file.write(f"unix_socket_directories = '{self.directory}'\nunix_socket_permissions = 0777\n")
        self.count = 0
        for _ in range(5 if tcp else 1):  # somebody else may be faster to take the port
            self.port = free_port() if tcp else None
            if self.start(data):
                return
        raise RuntimeError("PostgreSQL does not start")

    def start(self, data):
        options = ["-c", "listen_addresses=" + ("127.0.0.1" if self.port else ""), *(["-p", str(self.port)] if self.port else [])]
        self.server = subprocess.Popen([os.path.join(programs(), "postgres"), "-D", data, *options], preexec_fn=self.become, cwd="/",
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.server.poll() is None:
            if self.psql("postgres", "select 1", check=False) == "1":
                return True
            time.sleep(0.05)
        return False

    def become(self):
        if self.user:
            os.setgroups([])
            os.setgid(self.user.pw_gid)
            os.setuid(self.user.pw_uid)
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG

    def run(self, name, *arguments):
        done = subprocess.run([os.path.join(programs(), name), *arguments], preexec_fn=self.become, cwd="/", capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr}")

    def psql(self, database, statement, check=True):
        place = ["-h", "127.0.0.1", "-p", str(self.port)] if self.port else ["-h", self.directory]
        done = subprocess.run(["psql", "-X", "-At", "-w", *place, "-U", "emend", "-d", database, "-c", statement], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "PGPASSWORD": self.password})
        if check and done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def new_database(self):
        self.count += 1
        name = f"world{self.count}"
        self.psql("postgres", f"create database {name}")
        return name

    def address(self, name):
        user = "emend:" + self.password if self.password else "emend"
        return f"postgresql://{user}@127.0.0.1:{self.port}/{name}" if self.port else f"postgresql://{user}@/{name}?host={self.directory}"

    def stop(self):
        """As an administrator restarts it: connections are cut, what is committed stays."""
        self.server.send_signal(signal.SIGINT)
        self.server.wait()

    def start_again(self):
        if not self.start(os.path.join(self.directory, "data")):
            raise RuntimeError("PostgreSQL does not start again")

    def close(self):
        self.server.send_signal(signal.SIGQUIT)
        self.server.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
