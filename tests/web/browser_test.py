#!/usr/bin/env python3
"""browser_test.py EMEND SCREENSHOTS [chromium|firefox]: starts the real server in a world with scripted agents and lets browser/*.mjs drive
Debian's browser through the dashboard: logging in, the first run, a live session, a question, the changes, a restart of the server; axe on every
screen (in Firefox: on the main ones) in both themes, with a screenshot of each, and SCREENSHOTS/index.html with the main states.
EMEND_EVERY_SIZE=1: these in three sizes. Exit 77: the browser or the packages are not there."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "http"))

from world import World  # noqa: E402

LONG = "a_very_long_folder_name/" * 5 + "with_a_file_that_has_an_even_longer_name_than_anybody_would_like_to_read.sh"
OLDEST_FIREFOX = 141
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script> & \"quotes\""


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


class WebWorld(World):
    """The port stays when the server is started again, so that an open page can come back."""

    def make_repository(self):
        folder = os.path.join(self.repo, os.path.dirname(LONG))
        os.makedirs(folder)
        self.write(os.path.join(self.repo, LONG), "echo wrong\n")
        super().make_repository()
        self.teach_the_fixer()

    def teach_the_fixer(self):
        """Told that its fix of one.sh was rejected, it makes another one."""
        path = os.path.join(self.root, "fixer.json")
        with open(path, encoding="utf-8") as file:
            script = json.load(file)
        louder = {"replace": {"path": "src/one.sh", "old": "echo wrong", "new": "echo RIGHT"}}
        # On a busy machine the page may need a while to show what is being worked on.
        script = json.loads(json.dumps(script).replace('{"sleep_ms": 4000}', '{"sleep_ms": 15000}'))
        # By its place: what a person said about another file is in the prompt, too.
        script = json.loads(json.dumps(script).replace('"file": "src/', '"file": "location: src/'))
        script["turns"].insert(0, {"role": "*", "file": "A person rejected this change", "do": [{"print": "looking again"}, louder],
                                   "answer": {"outcomes": [{"id": "{issue}", "outcome": "fixed", "explanation": "It says it louder."}]}})
        self.write(path, json.dumps(script))

    def start(self, *arguments):
        if self.port is None:
            return super().start(*arguments)
        return super().start("--listen", f"127.0.0.1:{self.port}", *arguments)


class Driver:
    """Answers what the browser's side asks for, one JSON line each."""

    def __init__(self, world):
        self.world = world

    def answer(self, request):
        return getattr(self, "do_" + request["do"])(request)

    def do_launch(self, _):
        return {"code": self.world.client().post("/api/auth/launch-codes").json["code"]}

    def do_api(self, request):
        body = request.get("body")
        answer = self.world.client().request(request["method"], request["path"], body.encode() if isinstance(body, str) else body, request.get("headers"))
        return {"status": answer.status, "body": json.loads(answer.body) if answer.body else None}

    def do_branch(self, request):
        """A branch with one change, as a person makes it."""
        world = self.world
        world.git("checkout", "-q", "-b", request["name"])
        world.write(os.path.join(world.repo, "src", "seven.sh"), "# seven\necho right\n")
        world.git("commit", "-qam", "Say right")
        world.git("checkout", "-q", "main")
        return {}

    def do_clone(self, request):
        """Another repository, as a person has it on the same machine."""
        path = os.path.join(self.world.root, request["name"])
        self.world.git("clone", "-q", self.world.repo, path)
        return {"path": path}

    def do_bare(self, request):
        """A project without emend.toml that has two checks."""
        path = os.path.join(self.world.root, request["name"])
        os.makedirs(os.path.join(path, "web"))
        self.world.write(os.path.join(path, "Makefile"), "test:\n\ttrue\n")
        self.world.write(os.path.join(path, "web", "package.json"), json.dumps({"name": "web", "version": "1.0.0", "scripts": {"test": "node --test"}}))
        for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "Start")):
            self.world.git(*arguments, cwd=path)
        return {"path": path}

    def do_picture(self, request):
        """A branch with a picture of one pixel."""
        world = self.world
        world.git("checkout", "-q", "-b", request["name"])
        world.write(os.path.join(world.repo, "dot.png"), base64.b64decode(PIXEL))
        tip = world.commit("A picture")
        world.git("checkout", "-q", "main")
        return {"tip": tip}

    def do_forge(self, _):
        self.world.git("remote", "add", "origin", "https://github.com/team/app.git")
        return {}

    def do_stop(self, _):
        self.world.stop()
        return {}

    def do_start(self, _):
        self.world.start()
        return {}


def program_of(browser):
    """Debian's, or another Firefox that EMEND_FIREFOX names: the driver wants at least 141."""
    if browser == "chromium":
        return shutil.which("chromium") or shutil.which("chromium-browser")
    firefox = os.environ.get("EMEND_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        return None
    said = subprocess.run([firefox, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.", said)
    if not found or int(found.group(1)) < OLDEST_FIREFOX:
        skip(f"{said.strip() or firefox} is older than {OLDEST_FIREFOX}, which the driver speaks with")
    return firefox


def main():
    emend, screenshots = sys.argv[1:3]
    browser = sys.argv[3] if len(sys.argv) > 3 else "chromium"
    node, program = shutil.which("node"), program_of(browser)
    if node is None or program is None:
        skip(f"{browser} or node is missing (setup/web_tests.sh installs them)")
    if not os.path.exists(os.path.join(HERE, "node_modules", ".installed")):
        skip("the packages of tests/web are not installed (setup/web_tests.sh)")
    world = WebWorld(emend)
    try:
        world.start()  # not trusted yet: that is the first thing a person does in the browser
        driver = Driver(world)
        facts = {"port": world.port, "browser": browser, "program": program, "every_size": "EMEND_EVERY_SIZE" in os.environ, "screenshots": screenshots, "long": LONG, "hostile": HOSTILE, "repo": world.repo}
        child = subprocess.Popen([node, os.path.join(HERE, "browser", "main.mjs"), json.dumps(facts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in child.stdout:
            if not line.startswith("@"):
                print(line, end="", flush=True)
                continue
            child.stdin.write(json.dumps(driver.answer(json.loads(line[1:]))) + "\n")
            child.stdin.flush()
        status = child.wait()
        if status != 0:
            print("--- the server's log ends with\n" + world.log_text()[-3000:])
        sys.exit(status)
    finally:
        world.close()


if __name__ == "__main__":
    main()
