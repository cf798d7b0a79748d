#!/usr/bin/env python3
"""Neovim, headless, set up with the words of docs/editors.md for its version, and the real `emend lsp`. Debian's, and the newer one that `make editors`
fetches: the first asks for nothing and hears of diagnostics, the second asks for them.

    neovim_test.py EMEND SOURCES [TEST]
"""

import json
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "http")]
from editor import programs  # noqa: E402
from world import World  # noqa: E402

EMEND = SOURCES = ""
SCRIPT = """
local seen = {}
local function wait(what, test)
  if not vim.wait(60000, test, 50) then seen.problem = (seen.problem or "") .. what .. " did not come; " end
end
local function diagnostics() return vim.diagnostic.get(0) end
local function actions()
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000) or {}) do return answer.result end
end
wait("the stored issue", function() return #diagnostics() == 1 end)
seen.first = diagnostics()
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# typed before it" })
wait("the moved issue", function() return #diagnostics() == 1 and diagnostics()[1].lnum == 2 end)
vim.cmd("silent undo")
vim.api.nvim_win_set_cursor(0, { 2, 0 })
seen.actions = vim.tbl_map(function(action) return action.title end, actions())
vim.api.nvim_buf_set_lines(0, 1, 1, false, { "# zero\\226\\128\\139width" }) -- a character nobody sees
vim.cmd("silent write")
vim.api.nvim_win_set_cursor(0, { 2, 0 })
wait("what the analyzer says about the saved file", function() return #diagnostics() > 1 end)
for _, action in ipairs(actions()) do
  if vim.startswith(action.title, "emend: apply the fix of builtin") then
    local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
    vim.lsp.util.apply_workspace_edit(action.edit, clients[1].offset_encoding)
    seen.applied = action.title
  end
end
seen.lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local file = io.open(vim.env.SEEN, "w")
file:write(vim.json.encode(seen))
file:close()
vim.cmd("qall!")
"""


class Neovim(unittest.TestCase):
    @staticmethod
    def marker(program):
        """What tells the snippet for this version from the other one."""
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"NVIM v(\d+)\.(\d+)", said)
        return "vim.lsp.enable" if (int(version[1]), int(version[2])) >= (0, 11) else "start_client"

    def test_shows_issues_and_applies_a_fix_it(self):
        for program in programs("nvim"):
            with self.subTest(program):
                self.drive(program)

    def drive(self, program):
        world = World(EMEND)
        self.addCleanup(world.close)
        report = os.path.join(world.root, "findings.json")
        world.write(report, json.dumps({"findings": [{"id": "F1", "file": "src/one.sh", "line": 2, "severity": "major", "title": "one says wrong",
                                                      "issue": "It must say right."}]}))
        self.assertEqual(world.run("import", report).returncode, 0)
        with open(SOURCES + "/docs/editors.md", encoding="utf-8") as file:
            [snippet] = [block for block in re.findall(r"```lua\n(.*?)```", file.read(), re.DOTALL) if self.marker(program) in block]
        world.write(os.path.join(world.root, "init.lua"), snippet)
        world.write(os.path.join(world.root, "script.lua"), SCRIPT)
        seen = os.path.join(world.root, "seen.json")
        environment = dict(world.environment, PATH=os.path.dirname(EMEND) + ":" + os.environ["PATH"], SEEN=seen, XDG_STATE_HOME=world.root + "/xdg",
                           XDG_DATA_HOME=world.root + "/xdg", XDG_CACHE_HOME=world.root + "/xdg", XDG_CONFIG_HOME=world.root + "/xdg")
        done = subprocess.run([program, "--headless", "-n", "-u", world.root + "/init.lua", "src/one.sh", "-c", "luafile " + world.root + "/script.lua"],
                              cwd=world.repo, env=environment, capture_output=True, text=True, timeout=250, stdin=subprocess.DEVNULL)
        self.assertTrue(os.path.exists(seen), done.stdout + done.stderr)
        with open(seen, encoding="utf-8") as file:
            got = json.load(file)
        self.assertNotIn("problem", got, got)
        [first] = got["first"]
        self.assertEqual((first["code"], first["lnum"], first["severity"], first["source"]), ("BE-001", 1, 1, "emend"))
        self.assertIn("emend: fix BE-001 with an agent", got["actions"])
        self.assertIn("emend: check my change", got["actions"])
        self.assertIn("emend: apply the fix of builtin", got.get("applied", ""))
        self.assertEqual(got["lines"], ["# one", "# zerowidth", "echo wrong"])


if __name__ == "__main__":
    if not programs("nvim"):
        print("nvim is missing (`make editors`, or Debian: apt-get install neovim)")
        sys.exit(77)
    EMEND, SOURCES = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
