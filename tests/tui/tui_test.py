#!/usr/bin/env python3
"""tui_test.py EMEND [TEST...]: the real program in a real terminal, typed into and read like a person does."""

import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "http"))
from terminal import Terminal
from world import FILES, World

EMEND = ""


class Tui(unittest.TestCase):
    def setUp(self):
        self.world = World(EMEND)
        self.addCleanup(self.world.close)
        self.world.environment["EDITOR"] = "true"
        self.must("trust")
        for name in FILES[:4]:
            self.must("issues", "add", "--file", f"src/{name}.sh", "--line", "2", "--severity", "high", "--title", f"{name} says wrong")

    def must(self, *arguments):
        done = self.world.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def terminal(self, columns=80, rows=24, **environment):
        terminal = Terminal({**self.world.environment, **environment}, self.world.repo, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def opened(self, columns=80, rows=24, arguments="tui", **environment):
        terminal = self.terminal(columns, rows, **environment)
        terminal.line(f"{self.world.program} {arguments}")
        terminal.wait("live")
        terminal.wait("BE-001")
        return terminal

    def status(self, code):
        return re.search(r'"status": "(\w+)"', self.must("issues", "show", code, "--json")).group(1)

    def process(self, terminal):
        """The program in the terminal's shell."""
        shell = terminal.fact("pane_pid")
        with open(f"/proc/{shell}/task/{shell}/children", encoding="utf-8") as file:
            return int(file.read().split()[0])

    # --- looking ----------------------------------------------------------------------------------------------------------

    def look_around(self, columns, rows):
        terminal = self.opened(columns, rows)
        for line in terminal.screen().splitlines():
            self.assertLessEqual(len(line), columns)
        terminal.keys("j", "Enter")
        terminal.wait("src/two.sh:2")
        terminal.wait("echo wrong")
        terminal.keys("Escape", "/")
        terminal.type("three")
        terminal.wait("1 of 4")
        terminal.keys("Enter")
        terminal.wait("1/4")
        terminal.keys("Escape")
        terminal.wait("1/4", gone=True)
        terminal.keys("?")
        terminal.wait("scroll sideways")
        terminal.keys("Escape")
        terminal.wait("scroll sideways", gone=True)
        terminal.keys("t")
        terminal.wait("Nothing has happened to it yet.")
        terminal.keys(":")
        terminal.type("open be-004")
        terminal.keys("Enter")
        terminal.wait("src/four.sh:2")
        terminal.keys("q")
        terminal.wait_for(lambda: terminal.fact("alternate_on") == "0", "the shell's screen")
        return terminal

    def test_look_around_80x24(self):
        self.look_around(80, 24)

    def test_look_around_120x40(self):
        self.look_around(120, 40)

    def test_look_around_200x60(self):
        self.look_around(200, 60)

    def test_emend_alone_opens_it_and_in_a_pipe_does_not(self):
        terminal = self.opened(arguments="")
        terminal.keys("q")
        terminal.wait_for(lambda: terminal.fact("alternate_on") == "0", "the shell's screen")
        self.assertEqual(self.world.run().returncode, 2)
        self.assertEqual(self.world.run("tui").returncode, 2)

    def test_resize_while_it_is_open(self):
        terminal = self.opened(80, 24)
        terminal.resize(160, 40)
        terminal.wait("[4] Steps")
        terminal.wait("[1] Inbox")
        terminal.resize(50, 12)
        terminal.wait_for(lambda: len(terminal.screen().splitlines()) <= 12 and ">[2] Issues" in terminal.screen(), "one panel")
        terminal.resize(100, 30)
        terminal.wait("[3] BE-001")

    def test_ascii_and_no_colour(self):
        terminal = self.opened(120, 40, "tui --ascii")
        terminal.screen().encode("ascii")
        terminal = self.opened(120, 40, LANG="C")
        terminal.screen().encode("ascii")
        terminal = self.opened(120, 40, NO_COLOR="1")
        self.assertIn("─", terminal.screen())
        self.assertNotRegex(terminal.screen("-e"), r"\x1b\[(?:[0-9;]*;)?[34][0-7]")
        terminal = self.opened(120, 40)
        self.assertRegex(terminal.screen("-e"), r"\x1b\[(?:[0-9;]*;)?3[0-7]")

    def test_lines_instead_of_a_screen(self):
        for environment, arguments in (({}, "tui --plain"), ({"TERM": "dumb"}, "tui")):
            done = subprocess.run([self.world.program, *arguments.split()], cwd=self.world.repo, env={**self.world.environment, **environment}, text=True,
                                  input="issues two\nshow be-002\nignore BE-002 wont_fix\nignor\nfix BE-001\nno\nhelp\nquit\n", stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            for expected in ("4 issues", "BE-002, high", "echo wrong", "BE-002 is IGNORED now", "did you mean ignore?", "Fix 1 issue?", "please answer yes or no", "comment CODE TEXT"):
                self.assertIn(expected, done.stdout)
            self.assertNotIn("\x1b", done.stdout)
            self.must("issues", "reopen", "BE-002")

    def test_open_starts_the_browser_of_a_desktop(self):
        shown = os.path.join(self.world.root, "shown.txt")
        opener = os.path.join(self.world.root, "desktop", "xdg-open")
        self.world.write(opener, f"#!/bin/sh\n(stat -c %a \"$1\"; echo \"$1\"; cat \"$1\") > {shown}.new; mv {shown}.new {shown}\n", 0o755)
        self.world.start()
        path = os.path.dirname(opener) + ":" + self.world.environment["PATH"]
        for environment, starts in (({"SSH_CONNECTION": "a b c d"}, False), ({"DISPLAY": ""}, False), ({}, True)):
            terminal = self.terminal(160, 30, **{"DISPLAY": ":9", "PATH": path, **environment})
            terminal.line(f"{self.world.program} open")
            screen = terminal.wait("the link works once")
            self.assertEqual("opening it in your browser" in screen, starts, screen)
            link = re.search(r"http://127\.0\.0\.1:\d+/#launch=[0-9a-f]+", screen).group(0)
        terminal.wait_for(lambda: os.path.exists(shown), "the browser")
        with open(shown, encoding="utf-8") as file:
            mode, page, text = file.read().split("\n", 2)
        self.assertEqual(mode, "600", "nobody else may read it")
        self.assertNotIn("launch", page, "the code is in no argument")
        self.assertIn(link, text)

    # --- the terminal afterwards ------------------------------------------------------------------------------------------

    def modes(self, terminal):
        terminal.line("clear; stty -g; echo end-of-modes")
        return re.search(r"^([0-9a-f:]{40,})$", terminal.wait("\nend-of-modes"), re.M).group(1)

    def test_the_terminal_is_given_back(self):
        for end in ("q", "C-c", signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT):
            with self.subTest(end=end):
                terminal = self.terminal(100, 30)
                before = self.modes(terminal)
                terminal.line(f"{self.world.program} tui")
                terminal.wait("BE-001")
                self.assertEqual(terminal.fact("alternate_on"), "1")
                if isinstance(end, str):
                    terminal.keys(end)
                else:
                    os.kill(self.process(terminal), end)
                terminal.wait_for(lambda: terminal.fact("alternate_on") == "0", "the shell's screen")
                terminal.wait("shell>")
                self.assertEqual(self.modes(terminal), before)
                self.assertEqual(terminal.fact("cursor_flag"), "1")
                self.assertEqual(terminal.fact("mouse_any_flag"), "0")
                terminal.close()

    def test_a_while_in_the_shell(self):
        terminal = self.terminal(100, 30)
        terminal.line("set -m")
        terminal.line(f"{self.world.program} tui")
        terminal.wait("BE-001")
        terminal.keys("C-z")
        terminal.wait_for(lambda: terminal.fact("alternate_on") == "0", "the shell's screen")
        terminal.line("fg")
        terminal.wait("[3] BE-001")
        terminal.keys("e")
        terminal.wait("[3] BE-001")

    # --- deciding ---------------------------------------------------------------------------------------------------------

    def test_a_question_is_answered_in_place(self):
        self.assertEqual(self.world.run("clarify", "BE-002", "--json").returncode, 7)
        terminal = self.opened(120, 40)
        terminal.wait("? BE-002 Right or left?")
        terminal.keys("1", "a")
        terminal.wait("BE-002 asks")
        terminal.type("right, says a person")
        terminal.keys("Enter")
        terminal.wait("BE-002: answered")
        terminal.wait("? BE-002", gone=True)
        self.assertIn("right, says a person", self.must("clarify", "--list", "BE-002"))

    def test_ignore_reopen_comment_and_what_others_do(self):
        terminal = self.opened(120, 40)
        terminal.keys("i", "1", "Enter")
        terminal.wait("BE-001 is IGNORED now")
        terminal.wait("IGNORED")
        self.assertEqual(self.status("BE-001"), "IGNORED")
        terminal.keys("r", "y")
        terminal.wait("BE-001 is OPEN now")
        terminal.keys("c")
        terminal.type("be kind")
        terminal.keys("Enter")
        terminal.wait("You said")
        self.must("issues", "ignore", "BE-003", "--reason", "wont_fix")
        terminal.wait("ignored")
        self.must("issues", "add", "--file", "src/five.sh", "--line", "1", "--severity", "critical", "--title", "five came later")
        terminal.wait("five came later")

    def test_a_fix_is_watched_to_its_end(self):
        terminal = self.opened(120, 40)
        terminal.keys("f")
        terminal.wait("Fix 1 issue?")
        terminal.keys("y")
        terminal.wait("in the background")
        terminal.wait("RESOLVED")
        terminal.wait("NOT PUSHED")
        terminal.wait("passed")
        terminal.keys("v")
        terminal.wait("+ echo right")
        terminal.wait("- echo wrong")
        terminal.wait("total 98 >= 95")
        terminal.wait("check ok")
        terminal.keys("l", "g")
        terminal.wait("looking at one")
        terminal.keys("@")
        terminal.wait("sh check.sh")
        terminal.keys("Escape")
        terminal.wait("sh check.sh", gone=True)
        terminal.keys("p")
        terminal.wait("[Prompt]")
        self.assertEqual(self.status("BE-001"), "RESOLVED")
        terminal.keys("x")
        terminal.wait("Reject the fix")
        terminal.type("not like this")
        terminal.keys("Enter")
        terminal.wait_for(lambda: self.status("BE-001") == "OPEN", "the fix taken back")
        terminal.keys("]")
        terminal.wait("You rejected its fix")

    def test_what_cannot_begin_says_why(self):
        self.must("trust", "--revoke")
        terminal = self.opened(120, 40)
        terminal.keys("f", "y")
        terminal.wait("fix failed")
        terminal.wait("emend trust")
        terminal.keys("Escape")
        terminal.wait("emend trust", gone=True)

    def test_cancel_asks_first(self):
        terminal = self.opened(120, 40)
        terminal.keys("G", "f", "y")
        terminal.wait("in progress")
        terminal.keys("X")
        terminal.wait("Commits, attempts, verdicts and logs are kept")
        terminal.keys("n")
        terminal.wait("Commits, attempts, verdicts and logs are kept", gone=True)
        self.assertEqual(self.status("BE-004"), "IN_PROGRESS")
        terminal.keys("X", "y")
        terminal.wait("is stopping")
        terminal.wait("cancelled")
        terminal.wait_for(lambda: self.status("BE-004") == "OPEN", "the issue to be open again")

    def test_quitting_stops_nothing(self):
        terminal = self.opened(120, 40)
        terminal.keys("j", "j", "f", "y")
        terminal.wait("in progress")
        terminal.keys("q")
        terminal.wait("continues; to see it again: emend tui")
        terminal.wait_for(lambda: self.status("BE-003") == "RESOLVED", "the end of the session")

    def test_a_running_server_does_the_work(self):
        self.world.start()
        terminal = self.opened(120, 40)
        terminal.keys("f", "y")
        terminal.wait("the server fixes BE-001")
        terminal.wait("RESOLVED")
        terminal.keys("o")
        terminal.wait("#launch=")


if __name__ == "__main__":
    EMEND = sys.argv.pop(1)
    if shutil.which("tmux") is None:
        print("tmux is not installed: skipped")
        sys.exit(77)
    unittest.main()
