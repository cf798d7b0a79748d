"""A real terminal that can be typed into and read: tmux on a socket of its own, with a shell in it."""

import os
import subprocess
import time
import uuid

DEADLINE = 60  # seconds; only ever waited for in full when something is broken


class Terminal:
    def __init__(self, environment, directory, columns=80, rows=24):
        self.name = "emend-" + uuid.uuid4().hex[:12]
        self.environment = {**environment, "ENV": "", "TMUX_TMPDIR": os.path.dirname(directory)}  # its socket goes with the test's directory
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", directory, "sh")
        self.tmux("set-option", "-g", "default-terminal", "screen-256color")
        self.line("PS1='shell''> '; clear")
        self.wait("shell>")

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-L", self.name, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def keys(self, *keys):
        """Names of keys as tmux knows them, or single characters."""
        for key in keys:
            self.tmux("send-keys", *(["-l", "--", key] if len(key) == 1 else [key]))

    def type(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def line(self, text):
        self.type(text)
        self.keys("Enter")

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def fact(self, name):
        return self.tmux("display-message", "-p", "#{" + name + "}").strip()

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def wait(self, text, gone=False):
        """Until the text is on the screen (or not any more)."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            shown = self.screen()
            if (text in shown) != gone:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {'the end of ' if gone else ''}{text!r}:\n{self.screen()}")

    def wait_for(self, condition, what):
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {what}:\n{self.screen()}")

    def close(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], env=self.environment, stderr=subprocess.DEVNULL)
