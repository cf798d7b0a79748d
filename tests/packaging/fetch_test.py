"""fetch_test.py SOURCES: what the dashboard is bundled with comes without npm, from a registry on this machine, and only as the lock names it."""

import base64
import hashlib
import http.server
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest


def archive(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, (text, mode) in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(text), mode
            tar.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


def integrity(content):
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


class Registry(http.server.BaseHTTPRequestHandler):
    files = {}

    def do_GET(self):
        content = self.files.get(self.path)
        self.send_response(200 if content is not None else 404)
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_):
        pass


class Fetch(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        place = tempfile.TemporaryDirectory(prefix="emend-fetch-")
        self.addCleanup(place.cleanup)
        self.directory, Registry.files, self.lock = place.name, {}, {"": {}}

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def offer(self, name, files, **fields):
        content = archive(files)
        Registry.files[f"/{name}/-/{name.rpartition('/')[2]}-1.2.3.tgz"] = content
        self.lock["node_modules/" + name] = {"version": "1.2.3", "integrity": integrity(content), **fields}

    def fetch(self):
        with open(os.path.join(self.directory, "package-lock.json"), "w", encoding="utf-8") as file:
            json.dump({"packages": self.lock}, file)
        environment = {**os.environ, "npm_config_registry": f"http://127.0.0.1:{self.server.server_port}/", "no_proxy": "127.0.0.1"}
        return subprocess.run([sys.executable, "-B", SOURCES + "/setup/fetch_packages.py", self.directory], env=environment,
                              capture_output=True, text=True, check=False)

    def path(self, name):
        return os.path.join(self.directory, "node_modules", name)

    def test_packages_arrive_with_their_modes(self):
        self.offer("plain", {"package/index.js": ("1", 0o644)})
        self.offer("@scope/tool", {"package/bin/tool": ("2", 0o755)}, os=["linux"])
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.access(self.path("plain/index.js"), os.X_OK))
        self.assertTrue(os.access(self.path("@scope/tool/bin/tool"), os.X_OK))

    def test_packages_of_other_systems_are_left_out(self):
        self.offer("plain", {"package/index.js": ("1", 0o644)})
        self.lock["node_modules/elsewhere"] = {"version": "1.2.3", "integrity": "sha512-none", "os": ["darwin"]}
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.path("")), ["plain"])

    def test_other_bytes_than_the_lock_names_are_refused(self):
        self.offer("plain", {"package/index.js": ("1", 0o644)})
        self.fetch()
        self.lock["node_modules/plain"]["integrity"] = integrity(b"something else")
        done = self.fetch()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("plain is not what the lock names", done.stderr)
        self.assertTrue(os.path.exists(self.path("plain/index.js")), "what was there must stay")

    def test_names_that_leave_the_package_are_refused(self):
        self.offer("plain", {"package/../../../escaped": ("1", 0o644)})
        done = self.fetch()
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(os.path.exists(os.path.join(self.directory, "escaped")))

    def test_the_dashboards_own_lock_can_be_read(self):
        with open(SOURCES + "/web/package-lock.json", encoding="utf-8") as file:
            packages = json.load(file)["packages"]
        for place, package in packages.items():
            if place:
                self.assertRegex(package["integrity"], r"^sha512-", place)


if __name__ == "__main__":
    SOURCES = os.path.realpath(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
