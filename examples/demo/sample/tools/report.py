"""The weekly report: totals and dry days per gauge."""
import os
import sys


def read(lines):
    days = {}
    for number, line in enumerate(lines):
        gauge, day, millimetres = line.strip().split(";")
        days.setdefault(gauge, {}).setdefault(day, 0.0)
        days[gauge][day] += float(millimetres)
    return days


def dry_days(days):
    dry = 0
    total = sum(days.values())
    for millimetres in days.values():
        if millimetres == 0:
            dry += 1
    return dry


def main(arguments):
    kind = arguments[0] if arguments else "total"
    for gauge, days in sorted(read(sys.stdin).items()):
        if kind is "dry":
            print(gauge, dry_days(days))
        else:
            print(gauge, round(sum(days.values()), 1))


if __name__ == "__main__":
    main(sys.argv[1:])
