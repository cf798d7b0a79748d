"""Plants small trees and looks at what check_layers says about them."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_layers

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_layers.py")


def check(files):
    """(exit code, lines) of check_layers on a tree made of {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout.splitlines()


class CheckLayers(unittest.TestCase):
    def assert_clean(self, files):
        self.assertEqual(check(files), (0, ["check_layers: 0 problems"]))

    def assert_problem(self, files, where, words):
        code, lines = check(files)
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 2, lines)
        self.assertTrue(lines[0].startswith(where + ": "), lines[0])
        self.assertIn(words, lines[0])

    def test_every_arrow_of_the_plan_is_allowed(self):
        self.assert_clean({
            "src/base/a.cpp": '#include "base/b.hpp"\n#include <vector>\n',
            "src/model/a.hpp": '#include "base/a.hpp"\n',
            "src/ports/a.hpp": '#include "model/a.hpp"\n#include "base/a.hpp"\n',
            "src/config/a.cpp": '#include "model/a.hpp"\n#include <toml++/toml.h>\n',
            "src/engine/gate/a.cpp": '#include "ports/a.hpp"\n',
            "src/cli/a.cpp": '#include "engine/gate/a.hpp"\n#include "config/a.hpp"\n#include "ports/a.hpp"\n#include <CLI/CLI.hpp>\n',
            "src/adapters/sql/a.cpp": '#include "ports/a.hpp"\n#include "adapters/sql/b.hpp"\n#include <sqlite3.h>\n',
            "src/main.cpp": '#include "cli/a.hpp"\n#include "adapters/sql/a.hpp"\n#include "engine/gate/a.hpp"\n',
        })

    def test_arrows_that_point_the_wrong_way(self):
        for path, included in [
            ("src/base/a.hpp", "model/a.hpp"),
            ("src/model/a.hpp", "ports/a.hpp"),
            ("src/ports/a.hpp", "engine/gate/a.hpp"),
            ("src/config/a.hpp", "ports/a.hpp"),
            ("src/engine/gate/a.hpp", "adapters/git/a.hpp"),
            ("src/engine/gate/a.hpp", "cli/a.hpp"),
            ("src/engine/gate/a.hpp", "config/a.hpp"),
            ("src/adapters/git/a.hpp", "engine/gate/a.hpp"),
            ("src/adapters/git/a.hpp", "adapters/process/a.hpp"),
            ("src/cli/a.hpp", "adapters/sql/a.hpp"),
            ("src/exec/main.cpp", "base/a.hpp"),
        ]:
            with self.subTest(path=path, included=included):
                self.assert_problem({path: f'#pragma once\n#include "{included}"\n'}, f"{path}:2", "may not know")

    def test_the_protocol_of_the_guard_is_shared_and_stands_alone(self):
        header = "src/adapters/process/exec_protocol.hpp"
        self.assert_clean({header: "#include <cstdint>\n", "src/exec/main.cpp": '#include "adapters/process/exec_protocol.hpp"\n'})
        self.assert_problem({header: '#include "base/result.hpp"\n'}, header + ":1", "nothing of ours")
        self.assert_problem({"src/cli/a.cpp": '#include "adapters/process/exec_protocol.hpp"\n'}, "src/cli/a.cpp:1", "may not know")

    def test_libraries_stay_where_they_belong(self):
        for path, header in [
            ("src/engine/gate/a.cpp", "sqlite3.h"),
            ("src/adapters/git/a.cpp", "sqlite3.h"),
            ("src/cli/a.cpp", "toml++/toml.h"),
            ("src/config/a.cpp", "CLI/CLI.hpp"),
            ("src/main.cpp", "CLI/App.hpp"),
            ("src/cli/a.cpp", "boost/asio.hpp"),
            ("src/adapters/process/a.cpp", "boost/beast/http.hpp"),
            ("src/engine/gate/a.cpp", "libpq-fe.h"),
        ]:
            with self.subTest(path=path, header=header):
                self.assert_problem({path: f"#include <{header}>\n"}, f"{path}:1", "alone")

    def test_a_header_beside_the_file_is_written_from_the_root(self):
        self.assert_problem({"src/base/a.cpp": '#include "b.hpp"\n', "src/base/b.hpp": ""}, "src/base/a.cpp:1", '"base/b.hpp"')

    def test_a_header_that_is_nowhere(self):
        self.assert_problem({"src/base/a.cpp": '#include "zlib.h"\n'}, "src/base/a.cpp:1", "write <...>")

    def test_a_new_folder_needs_a_row(self):
        self.assert_problem({"src/misc/a.cpp": "int x;\n"}, "src/misc/a.cpp:1", "no layer yet")
        self.assert_problem({"src/other.cpp": "int x;\n"}, "src/other.cpp:1", "no layer yet")

    def test_a_room_knows_only_the_rooms_before_it(self):
        self.assert_clean({"src/engine/gate/a.cpp": '#include "engine/gate/b.hpp"\n#include "engine/patch/a.hpp"\n'})
        self.assert_problem({"src/engine/patch/a.cpp": '#include "engine/gate/a.hpp"\n'}, "src/engine/patch/a.cpp:1",
                            "engine/patch may not know engine/gate")
        self.assert_problem({"src/engine/a.cpp": "int x;\n"}, "src/engine/a.cpp:1", "divided into rooms")
        self.assert_problem({"src/engine/attic/a.cpp": "int x;\n"}, "src/engine/attic/a.cpp:1", "divided into rooms")

    def test_modules_may_not_include_each_other(self):
        self.assert_problem({"src/base/a.hpp": '#include "base/b.hpp"\n', "src/base/b.hpp": "", "src/base/b.cpp": '#include "base/c.hpp"\n',
                             "src/base/c.hpp": '#include "base/a.hpp"\n'}, "src/base/a:1", "base/a -> base/b -> base/c -> base/a")

    def test_the_architecture_page_lists_the_folders(self):
        code, lines = check({"src/base/a.hpp": "", "ARCHITECTURE.md": "```\nsrc/base/  words\nsrc/engine/  rooms\n  gate/  decides\n```\n"})
        self.assertEqual(code, 1)
        self.assertIn("ARCHITECTURE.md:1: src/model/ is not in the list of folders", lines)
        self.assertTrue(any(line.startswith("ARCHITECTURE.md:3: the rooms of src/engine/") for line in lines), lines)

    def test_every_layer_is_in_the_picture(self):
        rooms = "".join(f"  {room}/ x\n" for room in check_layers.ROOMS["engine"])
        layers = sorted({name.split("/")[0] for name in check_layers.LAYERS})
        folders = "".join(f"src/{layer}/ x\n" + (rooms if layer == "engine" else "") for layer in layers)
        picture = "Who may include whom:\n\n```\n{}\n```\n"
        tree = {"src/main.cpp": "", "ARCHITECTURE.md": folders + picture.format(" <- ".join(layers))}
        self.assert_clean(tree)
        tree["ARCHITECTURE.md"] = folders + picture.format(" <- ".join(layer for layer in layers if layer != "mcp"))
        self.assert_problem(tree, f"ARCHITECTURE.md:{len(layers) + len(check_layers.ROOMS['engine']) + 1}", "mcp is not in the picture")

    def test_files_the_pages_name_are_there(self):
        tree = {"src/main.cpp": "", "src/formats/a_writer.cpp": "", "CONTRIBUTING.md": "`src/formats/NAME_writer.cpp`, `src/formats/`, `src/*.cpp`, `tests/node_modules`\n"}
        self.assert_clean(tree)
        tree["CONTRIBUTING.md"] += "\n`src/formats/NAME_reader.cpp`\n"
        self.assert_problem(tree, "CONTRIBUTING.md:3", "there is no src/formats/NAME_reader.cpp")

    def test_forbidden_constructs(self):
        for code, advice in [
            ("std::regex r;", "RE2"),
            ("#include <regex>", "RE2"),
            ('system("ls");', "shell"),
            ("int r = std::system (command);", "shell"),
            ('FILE* f = popen("ls", "r");', "shell"),
            ("auto n = strtoul(text, nullptr, 10);", "parse_unsigned"),
            ("auto n = std::strtol(text, nullptr, 10);", "parse_unsigned"),
            ("int n = atoi(text);", "parse_unsigned"),
        ]:
            with self.subTest(code=code):
                self.assert_problem({"src/base/a.cpp": f"// first line\n{code}\n"}, "src/base/a.cpp:2", advice)

    def test_look_alikes_are_fine(self):
        self.assert_clean({"src/base/a.cpp": """
// strtoul( takes "-2", system( is a shell: #include "engine/gate/a.hpp"
/* popen(
#include "engine/gate/a.hpp" */
const char* text = "system(1) \\" popen(2)";
const char* raw = R"x(
#include <sqlite3.h>
atoi(3) " )x";
int file_system(int n) { return host.system(n) + p->system(n) + 900'000; }
char quote = '"'; int after = 1'000; // system(
"""})

    def test_code_after_a_literal_is_still_read(self):
        self.assert_problem({"src/base/a.cpp": "char q = '\"';\nint n = 1'000 + atoi(t); // '\n"}, "src/base/a.cpp:2", "parse_unsigned")

    def test_the_build_may_not_link_past_the_table(self):
        self.assert_clean({"CMakeLists.txt": "# emend_library(cli USES adapters/git)\nemend_library(cli USES engine config LINK x::y)\n",
                           "src/base/a.hpp": ""})
        self.assert_problem({"CMakeLists.txt": "project(x)\nemend_library(adapters/git USES ports engine LINK z)\n", "src/base/a.hpp": ""},
                            "CMakeLists.txt:2", "may not use engine")
        self.assert_problem({"CMakeLists.txt": "emend_library(misc USES base)\n", "src/base/a.hpp": ""}, "CMakeLists.txt:1", "no row")

    def test_a_folder_without_src_is_a_usage_error(self):
        self.assertEqual(check({"README.md": ""})[0], 2)


if __name__ == "__main__":
    unittest.main()
