"""The same repositories through the tools themselves, each with its own defaults, as somebody runs them who puts them into pre-commit or reviewdog or takes an
image that starts all of them: every tool on every file of its languages, twice (what a tool keeps between two runs is left to it)."""

import collections
import os
import re
import shutil
import subprocess
import time

from precision import processor_seconds

SECONDS = 900
GCC = re.compile(r"^(?P<file>[^:\s][^:]*):(?P<line>\d+):(?:\d+:)? (?P<text>.*)$")
# Where the rule stands in the rest of the line.
AT_END = re.compile(r"[\[(](?P<rule>[\w./,-]+)[\])]$")
AT_START = re.compile(r"^(?P<rule>[A-Z]+\d+) ")
WORD = re.compile(r"^(?P<rule>\S+) ==> ")
GITHUB = re.compile(r"^::\w+ title=(?P<rule>[^,]+),file=(?P<file>[^,]+),line=(?P<line>\d+)")

# name, how its files end, the command before them, where the rule stands
TOOLS = (
    ("shellcheck", (".sh", ".bash", ".bats"), ["shellcheck", "-f", "gcc"], AT_END),
    ("flake8", (".py",), ["flake8"], AT_START),
    ("codespell", ("",), ["codespell"], WORD),
    ("yamllint", (".yml", ".yaml"), ["yamllint", "-f", "parsable"], AT_END),
    ("biome", (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"), ["biome", "lint", "--reporter=github", "--max-diagnostics=none"], GITHUB),
    ("cppcheck", (".c", ".cc", ".cpp", ".cxx"), ["cppcheck", "--quiet", "--enable=all", "--template={file}:{line}: {message} [{id}]"], AT_END),
    ("clang-tidy", (".c", ".cc", ".cpp", ".cxx"), ["clang-tidy", "--quiet"], AT_END),
)


def files_of(tree, ends):
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-z"], capture_output=True, check=True).stdout.decode(errors="replace").split("\0")
    return [name for name in listed if name and name.endswith(ends) and os.path.isfile(os.path.join(tree, name)) and not os.path.islink(os.path.join(tree, name))]


def findings_in(output, tool, where):
    found = set()
    for line in output.split("\n"):
        if where is GITHUB:
            match = GITHUB.match(line)
            if match:
                found.add((match["rule"], os.path.normpath(match["file"]), int(match["line"])))
            continue
        match = GCC.match(line)
        rule = match and where.search(match["text"].strip())
        if rule and ": note:" not in line:
            name = rule["rule"].split(",")[0]
            found.add(("codespell/" + name.lower() if tool == "codespell" else name, os.path.normpath(match["file"]), int(match["line"])))
    return found


def run_tool(tree, tool, command, files, where):
    """Its findings and its processor time, or None when it is not installed."""
    if not files or shutil.which(command[0]) is None:
        return None
    output, start, before = "", time.monotonic(), processor_seconds()
    for at in range(0, len(files), 200):
        left = SECONDS - (time.monotonic() - start)
        if left <= 0:
            break
        try:
            after = ["--"] if tool == "clang-tidy" else []
            run = subprocess.run([*command, *files[at:at + 200], *after], cwd=tree, capture_output=True, text=True, errors="replace", timeout=left, check=False)
            output += run.stdout + run.stderr
        except subprocess.TimeoutExpired:
            print(f"  {tool} was ended after {SECONDS} s in {tree}")
            break
    return findings_in(output.replace(tree + "/", ""), tool, where), processor_seconds() - before


def compare(results, known, options, scratch):
    """One row a repository: what the tools print beside what emend shows, and how much of the labelled part of it is worth reading."""
    print("\n| repository | tools by hand: findings | useful or true of the labelled | processor, cold | again | emend: findings | useful or true of the labelled | processor, cold | again |")
    print("|---|---|---|---|---|---|---|---|---|")
    total = collections.Counter()
    for one in results:
        repository = one["repository"]
        tree = os.path.join(scratch, repository.name.replace("/", "+"))
        rows, cold, again = set(), 0.0, 0.0
        for tool, ends, command, where in TOOLS:
            files = files_of(tree, ends)
            first = run_tool(tree, tool, command, files, where)
            if first is None:
                continue
            second = run_tool(tree, tool, command, files, where)
            rows |= first[0]
            cold, again = cold + first[1], again + second[1]
        given = [known[key][0] for key in ((repository.name, repository.commit, *row) for row in rows) if key in known]
        own = [known[row.key][0] for row in one["shown"] if row.key in known]
        good, own_good = (sum(label != "wrong" for label in labels) for labels in (given, own))
        total.update(rows=len(rows), given=len(given), good=good, cold=cold, again=again, shown=len(one["shown"]), own=len(own), own_good=own_good,
                     own_cold=one["cold"], own_again=one["warm"])
        print(f"| {repository.name} | {len(rows)} | {good} of {len(given)} | {cold:.0f} s | {again:.0f} s | {len(one['shown'])} | {own_good} of {len(own)} "
              f"| {one['cold']:.0f} s | {one['warm']:.1f} s |", flush=True)
    print(f"| all | {total['rows']} | {total['good']} of {total['given']} | {total['cold']:.0f} s | {total['again']:.0f} s | {total['shown']} "
          f"| {total['own_good']} of {total['own']} | {total['own_cold']:.0f} s | {total['own_again']:.1f} s |")
