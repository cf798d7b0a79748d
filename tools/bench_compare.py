#!/usr/bin/env python3
"""bench_compare.py BEFORE.json AFTER.json [--limit 1.2]: two results of bench/table.py, figure by figure.

What is compared is the CPU time in units of the floor measured in the same run, so that another machine or another load does not look like a
change. Exits 1 when a figure got worse by more than the limit."""

import argparse
import json
import sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        return {(row["figure"], row["size"]): row for row in json.load(file)["rows"]}


def compare(before, after, limit):
    """Lines for people, and whether nothing got worse by more than the limit."""
    lines, good = [], True
    for key, row in after.items():
        if key not in before:
            lines.append(f"{key[0]:<9} {key[1]:>7}  only in the second file")
            continue
        old, new = before[key]["ratio"], row["ratio"]
        change = new / old if old > 0 else float("inf")
        worse = change > limit
        good = good and not worse
        lines.append(f"{key[0]:<9} {key[1]:>7}  {old:>8.2f} -> {new:>8.2f} floors  ({change:.2f} x, "
                     f"{before[key]['mb']:.0f} -> {row['mb']:.0f} MB)" + ("  WORSE" if worse else ""))
    return lines, good


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--limit", type=float, default=1.2)
    given = parser.parse_args(arguments)
    lines, good = compare(rows(given.before), rows(given.after), given.limit)
    print("\n".join(lines))
    return 0 if good and lines else 1


if __name__ == "__main__":
    sys.exit(main())
