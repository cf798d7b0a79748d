#!/usr/bin/env python3
"""precision.py --from FOLDER [--emend PROGRAM] [--only NAMES] [--round now|earlier|all] [--set tuned|fresh] [--sample N] [--seed S] [--peers]
[--json FILE]: how many of the findings of `emend review` are worth reading.

FOLDER holds clones of the repositories in repositories.tsv (those of the round `now`, unless told otherwise), each named OWNER+NAME (or OWNER/NAME). Each is checked out at its commit into a folder of its own,
reviewed as a whole with --strict (cold) and without (warm), and its findings are joined with labels.tsv. Prints per repository and per rule: findings shown
by default and with --strict, and the labels useful / true (but nobody would change it) / wrong; then the shares of everything that is shown, in a random
sample of it with a fixed seed, and among high and critical. A finding without a label counts as unlabelled and is never guessed. `--sample-list FILE` writes the sample
with the lines around each finding, for whoever labels them. `--peers` runs the tools by hand with their own defaults as well (peers.py)."""

import argparse
import collections
import dataclasses
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LABELS = ("useful", "true", "wrong")
GRAVE = ("high", "critical")
GOAL, GRAVE_GOAL = 0.70, 0.90
PROGRAMS = 200  # of a corpus of bugs
SETS = {"tuned": "repositories the profile was chosen on", "fresh": "repositories nobody looked at before",
        "bugs": "programs that are known to have a bug"}


@dataclasses.dataclass(frozen=True)
class Repository:
    name: str
    commit: str
    language: str
    set: str
    round: str


@dataclasses.dataclass(frozen=True)
class Found:
    repository: str
    commit: str
    rule: str
    file: str
    line: int
    severity: str = dataclasses.field(compare=False)
    tool: str = dataclasses.field(compare=False)
    title: str = dataclasses.field(compare=False)

    @property
    def key(self):
        return (self.repository, self.commit, self.rule, self.file, self.line)


class ReviewFailed(Exception):
    pass


def table_rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def repositories(options):
    chosen = [Repository(*row) for row in table_rows("repositories.tsv")]
    if options.only:
        chosen = [one for one in chosen if one.name in options.only.split(",") or one.name.split("/")[1] in options.only.split(",")]
    elif options.round != "all":
        chosen = [one for one in chosen if one.round == options.round]
    return [one for one in chosen if options.set in ("", one.set)]


def labels():
    """(repository, commit, rule, file, line) -> (label, reason)."""
    known = {}
    for repository, commit, rule, file, line, label, reason in table_rows("labels.tsv"):
        if label not in LABELS:
            raise SystemExit(f"labels.tsv: {label} is not one of {', '.join(LABELS)}")
        known[(repository, commit, rule, file, int(line))] = (label, reason)
    return known


def lay_programs(repository, clone, tree):
    """Some of the programs with a known bug that are in folders PROBLEM-bug-BUGGY-FIXED of benchmark/, and how they are compiled."""
    read = lambda *words: subprocess.run(["git", "-C", clone, *words], check=True, capture_output=True).stdout
    names = [name for name in read("ls-tree", "-d", "--name-only", f"{repository.commit}:benchmark").decode().split() if "-bug-" in name]
    chosen = sorted(names, key=lambda name: hashlib.sha256(f"1|{name}".encode()).hexdigest())[:PROGRAMS]
    os.makedirs(os.path.join(tree, "build"))
    entries = []
    for name in chosen:
        problem, _, ids = name.partition("-bug-")
        wanted = f"benchmark/{name}/{problem}-{ids.split('-')[0]}.c"
        if not read("ls-tree", "--name-only", repository.commit, "--", wanted).strip():
            continue  # packed
        with open(os.path.join(tree, f"{name}.c"), "wb") as file:
            file.write(read("show", f"{repository.commit}:{wanted}"))
        entries.append({"directory": tree, "file": f"{name}.c", "command": f"cc -std=c99 -c {name}.c"})
    with open(os.path.join(tree, "build", "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
    with open(os.path.join(tree, ".gitignore"), "w", encoding="utf-8") as file:
        file.write("build\n")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "Programs"]):
        subprocess.run(["git", "-C", tree, *words], check=True)


def checkout(repository, options, scratch):
    """A work tree of exactly that commit; None where there is no clone of it."""
    for place in (repository.name.replace("/", "+"), repository.name):
        clone = os.path.join(options.given, place)
        if os.path.isdir(clone):
            tree = os.path.join(scratch, repository.name.replace("/", "+"))
            if not os.path.isdir(tree) and repository.set == "bugs":
                lay_programs(repository, clone, tree)
            if not os.path.isdir(tree):
                subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", clone, tree], check=True)
                subprocess.run(["git", "-C", tree, "checkout", "--quiet", "--detach", repository.commit], check=True)
            return tree
    print(f"{repository.name} was left out: {options.given} has no clone of it", file=sys.stderr)
    return None


def processor_seconds():
    """Of all children so far: what else the machine does has no say in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def review(tree, options, arguments):
    """The review's JSON and the processor time it took; the state directory decides what is known already."""
    command = [os.path.abspath(options.emend), "review", "--all", "--no-save", "--no-baseline", "--isolated", "--json", "--quiet",
               "--set", "review.project_tools=true", *arguments]
    environment = {**os.environ, "XDG_STATE_HOME": options.state, "XDG_CONFIG_HOME": options.state, "XDG_CACHE_HOME": options.state}
    before = processor_seconds()
    run = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    seconds = processor_seconds() - before
    try:
        return json.loads(run.stdout)["data"], seconds
    except (ValueError, KeyError):
        raise ReviewFailed(f"emend review failed in {tree}: {run.stderr[-500:]}") from None


def found_in(repository, data):
    rows = []
    for issue in data["issues"]:
        rule = issue["rule"] or issue["found_by"]
        rows.append(Found(repository.name, repository.commit, rule, issue["file"], issue["line"] or 0, issue["severity"], issue["found_by"], issue["title"]))
    return rows


def measured(repository, tree, options):
    strict, cold = review(tree, options, ["--strict"])
    shown, warm = review(tree, options, [])
    broken = [f"{one['analyzer']}: {one['state']}" for one in strict["analyzers"] if one["state"] in ("failed", "timed_out")]
    return {"repository": repository, "strict": found_in(repository, strict), "shown": found_in(repository, shown), "cold": cold, "warm": warm,
            "broken": broken}


def counts(rows, known):
    total = collections.Counter(known[row.key][0] if row.key in known else "unlabelled" for row in rows)
    return [total[label] for label in (*LABELS, "unlabelled")]


def share(rows, known, wanted):
    """Of the labelled ones."""
    given = [known[row.key][0] for row in rows if row.key in known]
    return sum(label in wanted for label in given), len(given)


def percent(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def sampled(rows, count, seed):
    """The same findings for the same seed, and as few others as possible when some come or go: each is ordered by a hash of its own."""
    rank = {row: hashlib.sha256(f"{seed}|{'|'.join(map(str, row.key))}".encode()).hexdigest() for row in rows}
    return sorted(set(rows), key=rank.get)[:count]


def print_repositories(results, known):
    print("| repository | language | default | with --strict | useful / true / wrong / unlabelled (default) | processor, cold | again | tools that broke |")
    print("|---|---|---|---|---|---|---|---|")
    for one in results:
        print(f"| {one['repository'].name} | {one['repository'].language} | {len(one['shown'])} | {len(one['strict'])} "
              f"| {' / '.join(map(str, counts(one['shown'], known)))} | {one['cold']:.0f} s | {one['warm']:.1f} s | {', '.join(one['broken']) or '-'} |")


def print_rules(results, known, at_least):
    """Those that are met often; how many others there are is said."""
    shown, strict = collections.defaultdict(list), collections.defaultdict(list)
    for one in results:
        for rows, groups in ((one["shown"], shown), (one["strict"], strict)):
            for row in rows:
                groups[(row.tool, row.rule if row.tool != "codespell" else "all words")].append(row)
    print("\n| tool | rule | default | with --strict | default: useful / true / wrong / unlabelled | --strict: useful / true / wrong / unlabelled |")
    print("|---|---|---|---|---|---|")
    often = [group for group in strict if max(len(shown[group]), len(strict[group])) >= at_least]
    for group in sorted(often, key=lambda name: (-len(shown[name]), -len(strict[name]), name)):
        print(f"| {group[0]} | {group[1]} | {len(shown[group])} | {len(strict[group])} | {' / '.join(map(str, counts(shown[group], known)))} "
              f"| {' / '.join(map(str, counts(strict[group], known)))} |")
    rare = [group for group in strict if group not in often]
    print(f"\nLeft out: {len(rare)} rules met fewer than {at_least} times, {sum(len(shown[group]) for group in rare)} findings shown by default, "
          f"{sum(len(strict[group]) for group in rare)} with --strict.")


def print_shares(title, results, known, options):
    """True when the goals hold."""
    everything = [row for one in results for row in one["shown"]]
    sample = sampled(everything, options.sample, options.seed)
    grave = sorted({row for row in everything if row.severity in GRAVE}, key=lambda row: row.key)
    print(f"\n| {title} | findings | unlabelled | useful | useful or true | wrong |\n|---|---|---|---|---|---|")
    fine = True
    for name, rows, goal in (("everything that is shown", everything, None), (f"a random sample of {options.sample}, seed {options.seed}", sample, GOAL),
                             ("high and critical", grave, GRAVE_GOAL)):
        if not rows:
            print(f"| {name} | 0 | 0 | not shown: there is none | not shown | not shown |")
            continue
        good, labelled = share(rows, known, ("useful", "true"))
        print(f"| {name} | {len(rows)} | {len(rows) - labelled} | {percent(*share(rows, known, ('useful',)))} | {percent(good, labelled)} "
              f"| {percent(*share(rows, known, ('wrong',)))} |")
        fine = fine and (goal is None or good >= goal * labelled)
    return fine


def list_sample(results, known, options, scratch):
    """What is still to label of the sample and of the high and critical ones, with the code around it."""
    rows = [row for one in results for row in one["shown"]]
    wanted = {*sampled(rows, options.sample, options.seed), *(row for row in rows if row.severity in GRAVE)}
    with open(options.sample_list, "w", encoding="utf-8") as out:
        for row in sorted(wanted, key=lambda row: row.key):
            if row.key in known:
                continue
            out.write("\t".join(map(str, row.key)) + f"\n  {row.tool} {row.severity}: {row.title}\n")
            try:
                with open(os.path.join(scratch, row.repository.replace("/", "+"), row.file), encoding="utf-8", errors="replace") as file:
                    lines = file.read().split("\n")
            except OSError:
                continue
            for number in range(max(1, row.line - 3), min(len(lines), row.line + 3) + 1):
                out.write(f"  {'>' if number == row.line else ' '}{number:5} {lines[number - 1][:150]}\n")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="given", required=True, help="folder of clones")
    parser.add_argument("--emend", default="build/emend")
    parser.add_argument("--only", default="", help="names of repositories, with commas")
    parser.add_argument("--round", default="now", choices=("now", "earlier", "all"), help="which repositories, when --only names none")
    parser.add_argument("--set", default="", choices=("", *SETS))
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--at-least", type=int, default=3, help="rules that are met less often are only counted")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", default="", help="folder for work trees and results that are kept; default: a temporary one")
    parser.add_argument("--peers", action="store_true", help="run the tools by hand, too")
    parser.add_argument("--sample-list", default="", help="write what is to label here")
    parser.add_argument("--json", default="")
    return parser.parse_args()


def main():
    options = parsed()
    known = labels()
    with tempfile.TemporaryDirectory(prefix="emend-precision-") as temporary:
        scratch = os.path.abspath(options.keep or temporary)
        os.makedirs(scratch, exist_ok=True)
        options.state = os.path.join(scratch, "state")
        results = []
        for repository in repositories(options):
            tree = checkout(repository, options, scratch)
            if tree is None:
                continue
            try:
                last = measured(repository, tree, options)
            except ReviewFailed as problem:
                print(f"{repository.name} was left out: {problem}", file=sys.stderr, flush=True)
                continue
            results.append(last)
            print(f"{repository.name}: {len(last['shown'])} of {len(last['strict'])} findings shown, {last['cold']:.0f} s, again {last['warm']:.1f} s",
                  file=sys.stderr, flush=True)
        if not results:
            raise SystemExit(f"there is no clone of any of the repositories in {options.given}")
        print_repositories(results, known)
        print_rules(results, known, options.at_least)
        fine = True
        for name, title in SETS.items():
            part = [one for one in results if one["repository"].set == name]
            if part:
                fine = print_shares(title, part, known, options) and fine
        if options.sample_list:
            list_sample(results, known, options, scratch)
        if options.peers:
            import peers
            peers.compare(results, known, options, scratch)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as out:
                json.dump([{**one, "repository": one["repository"].name, "strict": [dataclasses.asdict(row) for row in one["strict"]],
                            "shown": [dataclasses.asdict(row) for row in one["shown"]]} for one in results], out)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
