#!/usr/bin/env python3
"""check_layers.py [ROOT]: fails when a file below src/ includes what its layer may not know, or uses a construct we do without.

LAYERS is the one table; the libraries CMakeLists.txt declares are held against it too. Each problem is printed as
"file:line: what to do"."""

import glob
import os
import re
import sys

# layer -> the layers it may include, besides itself. A layer is a folder below src/; the longest name wins.
PORTS_AND_BELOW = {"base", "model", "ports"}
LAYERS = {
    "base": set(),
    "model": {"base"},
    "ports": {"base", "model"},
    "config": {"base", "model"},
    "formats": {"base", "model"},  # findings in and out: pure text
    "engine": PORTS_AND_BELOW,
    "service": PORTS_AND_BELOW | {"engine", "config", "formats"},  # what every face of the program needs
    "api": PORTS_AND_BELOW | {"engine", "config", "formats", "service", "http", "rpc", "mcp"},  # what the HTTP routes mean
    "rpc": {"base"},  # JSON-RPC: messages and where they end
    "mcp": {"base", "rpc"},  # what coding agents call; knows nothing of what it serves
    "lsp": {"base", "model", "rpc"},  # what editors call: open documents, issues in them; acts through whoever runs it
    "tui": PORTS_AND_BELOW | {"engine", "service"},  # the screen of a terminal: what it shows, what keys do; acts through whoever runs it
    "cli": PORTS_AND_BELOW | {"engine", "config", "formats", "service", "api", "tui", "rpc", "mcp", "lsp"},
    "http": {"base"},  # sockets, requests, streams; knows nothing of what it serves
    "exec": set(),  # the guard of a child tree: a program of its own that links nothing but libc
    "adapters/agents": PORTS_AND_BELOW,
    "adapters/analyzers": PORTS_AND_BELOW | {"formats"},  # a tool's report is read as `import` reads it
    "adapters/clock": PORTS_AND_BELOW,
    "adapters/forge": PORTS_AND_BELOW | {"adapters/http_client"},
    "adapters/git": PORTS_AND_BELOW,
    "adapters/http_client": PORTS_AND_BELOW,  # what adapters that talk to servers share
    "adapters/messages": PORTS_AND_BELOW | {"adapters/http_client"},
    "adapters/openid": PORTS_AND_BELOW | {"adapters/http_client"},
    "adapters/process": PORTS_AND_BELOW,
    "adapters/s3": PORTS_AND_BELOW | {"adapters/http_client"},
    "adapters/sql": PORTS_AND_BELOW,
}
# The rooms of a layer, lowest first: a room may include the rooms before it. A layer without a row here has no rooms.
ROOMS = {
    "engine": ["context", "claims", "probe", "patch", "project", "intake", "agents", "prompts", "plan", "verify", "fix", "judge", "review",
               "gate", "branch", "forge", "session"],
}
# Header -> layers that may include it although the table says no. Such a header includes nothing of ours itself.
SHARED = {"adapters/process/exec_protocol.hpp": {"exec"}}
ROOT_FILES = {"main.cpp"}  # the composition root: may include every layer

# Header (or folder of headers) of a library -> the only layers that may include it.
LIBRARIES = {
    "sqlite3.h": {"adapters/sql"},
    "curl/": {"adapters/http_client"},
    "libpq-fe.h": {"adapters/sql"},
    "toml++/": {"config"},
    "CLI/": {"cli"},
    "simdjson.h": {"formats"},
    "yaml.h": {"formats"},
    "expat.h": {"base"},
    "zlib.h": {"api"},
    "boost/asio": {"http"},
    "boost/beast": {"http"},
    "curses.h": {"tui"},
    "term.h": {"tui"},
}

# Pattern in code (comments and strings are not code) -> what to do instead.
CALL = r"(?<![\w.>]){}\s*\("
FORBIDDEN = [
    (re.compile(r"\bstd::w?regex\b"), "std::regex overflows the stack on a long line; use RE2"),
    (re.compile(CALL.format("system")), "system() goes through a shell; start a process through ports/process.hpp"),
    (re.compile(CALL.format("popen")), "popen() goes through a shell; start a process through ports/process.hpp"),
    (re.compile(CALL.format(r"(?:strto(?:l|ul|ll|ull)|ato(?:i|l|ll))")),
     "strtoul and friends accept \"-2\" and \"2x\"; use parse_unsigned from base/strings.hpp, or std::from_chars in src/exec"),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# Longest first where they share a start. A quote after a letter or digit separates digits (900'000) and starts no literal.
TOKEN = re.compile(r'''//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![\w])'(?:\\.|[^'\\\n])+\'''',
                   re.DOTALL)
SOURCE_ENDINGS = (".cpp", ".hpp", ".h", ".c", ".cc")


def without(text, drop_strings):
    """The text with comments and raw strings (and all other literals, when asked) blanked out; line numbers stay."""
    def blank(match):
        token = match.group(0)
        if token.startswith(("/", "R")) or drop_strings:
            return re.sub(r"[^\n]", " ", token)
        return token
    return TOKEN.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def layer_of(path):
    """path is relative to src/, '/' separated. None = no layer of the table."""
    names = [name for name in LAYERS if path.startswith(name + "/")]
    return max(names, key=len, default=None)


def room_of(path, layer):
    """The folder below a layer that has rooms; None = the layer has none, or the file lies in no folder."""
    rest = path[len(layer) + 1:].split("/") if layer in ROOMS else []
    return rest[0] if len(rest) > 1 else None


def check_rooms(path, layer, included):
    here, there = room_of(path, layer), room_of(included, layer)
    rooms = ROOMS.get(layer, [])
    if here not in rooms or there not in rooms or rooms.index(there) <= rooms.index(here):
        return None
    return f"{layer}/{here} may not know {layer}/{there}, which comes after it in ROOMS; move what both need to an earlier room"


def check_own_include(path, layer, included, src):
    beside = os.path.normpath(os.path.join(os.path.dirname(path), included))
    target = layer_of(included)
    if path in SHARED:
        return "this header is shared with a layer that may not know ours; include nothing of ours here"
    if layer in SHARED.get(included, ()):
        return None
    if target is None:
        if os.path.exists(os.path.join(src, beside)):
            return f'write "{beside}": includes are relative to src/'
        return f'"{included}" is no header below src/; write <...> for a library'
    if target == layer:
        return check_rooms(path, layer, included)
    if layer is None or target in LAYERS[layer]:
        return None
    allowed = ", ".join(sorted(LAYERS[layer])) or "nothing of ours"
    return f"{layer} may not know {target} (it may use: {allowed}); pass a value or go through a port"


def check_library_include(layer, included):
    for prefix, allowed in LIBRARIES.items():
        if included.startswith(prefix) and layer not in allowed:
            return f"<{included}> belongs to {', '.join(sorted(allowed))} alone; hide it behind that layer's own header"
    if included == "regex":
        return "std::regex overflows the stack on a long line; use RE2"
    return None


def check_file(path, text, src):
    """Problems of one file as (line, message). path is relative to src/."""
    layer = layer_of(path)
    if layer is None and path not in ROOT_FILES:
        yield 1, "this folder is no layer yet; give it a row in LAYERS of tools/check_layers.py"
        return
    if layer in ROOMS and room_of(path, layer) not in ROOMS[layer]:
        yield 1, f"{layer} is divided into rooms; put this file into one of them: {', '.join(ROOMS[layer])}"
    with_strings = without(text, drop_strings=False)
    for match in INCLUDE.finditer(with_strings):
        quote, included = match.groups()
        problem = check_own_include(path, layer, included, src) if quote == '"' else check_library_include(layer, included)
        if problem:
            yield line_of(text, match.start(1)), problem
    code = without(text, drop_strings=True)
    for pattern, advice in FORBIDDEN:
        for match in pattern.finditer(code):
            yield line_of(text, match.start()), advice


def all_sources(src):
    """(path relative to src/, text) of every source file."""
    for folder, folders, files in os.walk(src):
        folders.sort()
        for name in sorted(files):
            if not name.endswith(SOURCE_ENDINGS):
                continue
            full = os.path.join(folder, name)
            with open(full, encoding="utf-8", errors="replace") as file:
                text = file.read()
            yield os.path.relpath(full, src).replace(os.sep, "/"), text


def check_sources(root):
    src = os.path.join(root, "src")
    for path, text in all_sources(src):
        for line, message in check_file(path, text, src):
            yield f"src/{path}", line, message


def module_of(path):
    return path.rsplit(".", 1)[0]


def find_cycle(graph):
    """One way round as a list of modules, the first again at the end; None = there is none."""
    done, way = set(), []

    def visit(module):
        if module in way:
            return way[way.index(module):] + [module]
        if module in done or module not in graph:
            return None
        way.append(module)
        for other in sorted(graph[module]):
            found = visit(other)
            if found:
                return found
        way.pop()
        done.add(module)
        return None

    return next(filter(None, map(visit, sorted(graph))), None)


def check_cycles(root):
    """A module is a header with its source. No module may include itself by way of others."""
    graph = {}
    for path, text in all_sources(os.path.join(root, "src")):
        own = {module_of(included) for quote, included in INCLUDE.findall(without(text, drop_strings=False)) if quote == '"'}
        graph.setdefault(module_of(path), set()).update(own - {module_of(path)})
    cycle = find_cycle(graph)
    if cycle:
        yield f"src/{cycle[0]}", 1, "modules include each other: " + " -> ".join(cycle)


def check_cmake(root):
    """Every emend_library(layer USES ...) may link only what the table allows."""
    path = os.path.join(root, "CMakeLists.txt")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"#[^\n]*", lambda match: " " * len(match.group(0)), file.read())
    for match in re.finditer(r"emend_library\(([^)]*)\)", text):
        words = match.group(1).split()
        uses = words[words.index("USES") + 1:] if "USES" in words else []
        uses = uses[:uses.index("LINK")] if "LINK" in uses else uses
        line = line_of(text, match.start())
        if words[0] not in LAYERS:
            yield "CMakeLists.txt", line, f"{words[0]} has no row in LAYERS of tools/check_layers.py"
            continue
        for used in uses:
            if used not in LAYERS[words[0]]:
                yield "CMakeLists.txt", line, f"{words[0]} may not use {used}; see LAYERS in tools/check_layers.py"


def check_architecture(root):
    """The folders ARCHITECTURE.md lists are those of the tables, rooms in the same order."""
    path = os.path.join(root, "ARCHITECTURE.md")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for layer in sorted({name.split("/")[0] for name in LAYERS}):
        if not re.search(rf"^src/{layer}/ ", text, re.MULTILINE):
            yield "ARCHITECTURE.md", 1, f"src/{layer}/ is not in the list of folders"
    for layer, rooms in ROOMS.items():
        listed = re.search(rf"^src/{layer}/ [^\n]*\n((?:  [a-z_]+/ [^\n]*\n)*)", text, re.MULTILINE)
        found = re.findall(r"^  ([a-z_]+)/ ", listed.group(1), re.MULTILINE) if listed else []
        if found != rooms:
            line = line_of(text, listed.start()) if listed else 1
            yield "ARCHITECTURE.md", line, f"the rooms of src/{layer}/ are, in this order: {', '.join(rooms)}"


def check_picture(root):
    """Every layer stands in the picture of who may include whom."""
    path = os.path.join(root, "ARCHITECTURE.md")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        text = file.read()
    picture = re.search(r"^Who may include whom[^\n]*\n+```\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    if not picture:
        return
    for layer in sorted({name.split("/")[0] for name in LAYERS} - {"exec"}):  # exec knows nobody and nobody knows it
        if not re.search(rf"\b{layer}\b", picture.group(1)):
            yield "ARCHITECTURE.md", line_of(text, picture.start()), f"{layer} is not in the picture of who may include whom"


def check_named_files(root):
    """What the pages for developers name by its path is there: `src/engine/gate/`, `src/formats/NAME_writer.cpp`."""
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md"):
        path = os.path.join(root, page)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for match in re.finditer(r"`((?:src|tests|tools|api|docs)/[\w./*<>-]+)`", text):
            named = re.sub(r"<\w+>|NAME", "*", match.group(1)).rstrip("/")
            if "node_modules" not in named and not glob.glob(os.path.join(root, named)):  # those are installed, not kept
                yield page, line_of(text, match.start()), f"there is no {match.group(1)}"


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else "."
    if not os.path.isdir(os.path.join(root, "src")):
        print(f"check_layers: no src/ in {root}", file=sys.stderr)
        return 2
    checks = (check_cmake, check_sources, check_cycles, check_architecture, check_picture, check_named_files)
    problems = [problem for check in checks for problem in check(root)]
    for path, line, message in problems:
        print(f"{path}:{line}: {message}")
    print(f"check_layers: {len(problems)} problem{'' if len(problems) == 1 else 's'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
