#!/usr/bin/env python3
"""Debian's Emacs with Eglot, in batch mode, set up with the words of docs/editors.md, and the real `emend lsp`.

    emacs_test.py EMEND SOURCES [TEST]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "http")]
from world import World  # noqa: E402

EMEND = SOURCES = ""
SCRIPT = """
(package-initialize)
(require 'json)
(require 'eglot)
(load-file (getenv "SNIPPET"))
(setq eglot-sync-connect 60 eglot-autoshutdown t eglot-confirm-server-initiated-edits nil make-backup-files nil)
(defvar seen nil)
(defun note (name value) (push (cons name value) seen))
(defun shown () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(defun wait-until (what test)
  (let ((left 600))
    (while (and (> left 0) (not (funcall test))) (accept-process-output nil 0.1) (setq left (1- left)))
    (when (= left 0) (note 'problem what))))
(find-file (getenv "OPENED"))
(setq eglot-strict-mode nil)
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)
(wait-until "the stored issue" (lambda () (flymake-start) (shown)))
(note 'first (vconcat (shown)))
(note 'line (line-number-at-pos (flymake-diagnostic-beg (car (flymake-diagnostics)))))
(goto-char (point-min))
(forward-line 1)
(note 'actions (vconcat (mapcar (lambda (action) (plist-get action :title))
  (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
    (list :textDocument (eglot--TextDocumentIdentifier)
          :range (list :start (list :line 1 :character 0) :end (list :line 1 :character 1))
          :context (list :diagnostics []))))))
(insert "# zero\\u200bwidth\\n")
(save-buffer)
(wait-until "what the analyzer says about the saved file" (lambda () (flymake-start) (> (length (shown)) 1)))
(goto-char (point-min))
(forward-line 1)
(let* ((server (eglot--current-server-or-lose))
       (actions (jsonrpc-request server :textDocument/codeAction
                  (list :textDocument (eglot--TextDocumentIdentifier)
                        :range (list :start (list :line 1 :character 0) :end (list :line 1 :character 1))
                        :context (list :diagnostics [])))))
  (mapc (lambda (action)
          (when (string-prefix-p "emend: apply the fix of builtin" (plist-get action :title))
            (note 'applied (plist-get action :title))
            (eglot--apply-workspace-edit (plist-get action :edit))))
        actions))
(note 'text (buffer-string))
(with-temp-file (getenv "SEEN") (insert (json-encode seen)))
(set-buffer-modified-p nil)
(kill-emacs 0)
"""


class Emacs(unittest.TestCase):
    def test_shows_issues_and_applies_a_fix_it(self):
        world = World(EMEND)
        self.addCleanup(world.close)
        report = os.path.join(world.root, "findings.json")
        world.write(report, json.dumps({"findings": [{"id": "F1", "file": "src/one.sh", "line": 2, "severity": "major", "title": "one says wrong",
                                                      "issue": "It must say right."}]}))
        self.assertEqual(world.run("import", report).returncode, 0)
        with open(SOURCES + "/docs/editors.md", encoding="utf-8") as file:
            [snippet] = [block for block in re.findall(r"```elisp\n(.*?)```", file.read(), re.DOTALL) if "eglot-server-programs" in block]
        world.write(os.path.join(world.root, "snippet.el"), snippet)
        world.write(os.path.join(world.root, "script.el"), SCRIPT)
        seen = os.path.join(world.root, "seen.json")
        environment = dict(world.environment, PATH=os.path.dirname(EMEND) + ":" + os.environ["PATH"], SEEN=seen, SNIPPET=world.root + "/snippet.el",
                           OPENED=os.path.join(world.repo, "src/one.sh"))
        done = subprocess.run(["emacs", "-q", "--batch", "-l", world.root + "/script.el"], cwd=world.repo, env=environment, capture_output=True, text=True,
                              timeout=250, stdin=subprocess.DEVNULL, check=False)
        self.assertTrue(os.path.exists(seen), done.stdout + done.stderr)
        with open(seen, encoding="utf-8") as file:
            got = json.load(file)
        self.assertNotIn("problem", got, got)
        self.assertEqual((len(got["first"]), got["line"]), (1, 2), got)
        self.assertIn("one says wrong", got["first"][0])
        self.assertIn("emend: fix BE-001 with an agent", got["actions"])
        self.assertIn("emend: check my change", got["actions"])
        self.assertIn("emend: apply the fix of builtin", got.get("applied", ""))
        self.assertEqual(got["text"], "# one\n# zerowidth\necho wrong\n")


if __name__ == "__main__":
    if not shutil.which("emacs"):
        print("emacs is missing (Debian: apt-get install emacs-nox elpa-eglot)")
        sys.exit(77)
    EMEND, SOURCES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
