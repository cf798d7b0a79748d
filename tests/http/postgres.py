"""A PostgreSQL server of a test's own: a socket in a temporary directory, a user that needs a password, gone with the test however it ends."""

import ctypes
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

PASSWORD = "pg-s3cret-51c7"
DATABASES = 8


def programs():
    """Debian keeps each version in a folder of its own; the newest, or None."""
    found = [path for path in glob.glob("/usr/lib/postgresql/*/bin") if os.access(os.path.join(path, "initdb"), os.X_OK)]
    return max(found, key=lambda path: int(path.split("/")[-2])) if found else None


def ended_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG


class Postgres:
    def __init__(self):
        self.bin = programs()
        self.root = tempfile.mkdtemp(prefix="emend-pg-")
        os.chmod(self.root, 0o755)
        self.data = os.path.join(self.root, "data")
        self.sockets = os.path.join(self.root, "s")
        self.other_user = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            user = pwd.getpwnam("postgres")
            self.other_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        for path in (self.data, self.sockets):
            os.mkdir(path, 0o700 if path == self.data else 0o755)
            if self.other_user:
                os.chown(path, self.other_user["user"], self.other_user["group"])
        secret = os.path.join(self.root, "password")
        with open(secret, "w", encoding="utf-8") as file:
            file.write(PASSWORD + "\n")
        self.call("initdb", "-D", self.data, "-U", "emend", "--auth=scram-sha-256", "--pwfile=" + secret, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        settings = {"listen_addresses": "", "unix_socket_directories": self.sockets, "fsync": "off", "full_page_writes": "off", "autovacuum": "off",
                    "shared_buffers": "16MB", "dynamic_shared_memory_type": "mmap", "huge_pages": "off", "max_connections": "40", "jit": "off"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self.server = subprocess.Popen([os.path.join(self.bin, "postgres"), "-D", self.data, *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, cwd="/", preexec_fn=ended_with_parent, **self.other_user)
        deadline = time.monotonic() + 60
        while subprocess.run([os.path.join(self.bin, "pg_isready"), "-q", "-h", self.sockets], check=False).returncode != 0:
            if time.monotonic() > deadline or self.server.poll() is not None:
                raise RuntimeError("PostgreSQL does not start")
            time.sleep(0.05)
        for number in range(1, DATABASES + 1):
            subprocess.run([os.path.join(self.bin, "createdb"), "-h", self.sockets, "-U", "emend", f"world{number}"], check=True,
                           env={"PATH": "/usr/bin:/bin", "PGPASSWORD": PASSWORD})
        self.address = f"postgresql://emend:{PASSWORD}@/world@?host={self.sockets}"  # @ is the number

    def call(self, program, *arguments):
        done = subprocess.run([os.path.join(self.bin, program), *arguments], cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, **self.other_user)
        if done.returncode != 0:
            raise RuntimeError(done.stdout)

    def close(self):
        self.server.send_signal(signal.SIGQUIT)
        self.server.wait()
        shutil.rmtree(self.root, ignore_errors=True)
