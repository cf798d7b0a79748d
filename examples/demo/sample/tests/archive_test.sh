#!/bin/sh
# The oldest logs go, the newest stay.
set -eu

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for day in 1 2 3 4; do
  touch -d "2024-05-0$day" "$place/log$day"
done
removed=$(sh scripts/archive.sh "$place" 2)
left=$(ls "$place" | tr '\n' ' ')
if [ "$removed" = 2 ] && [ "$left" = "log3 log4 " ]; then
  echo "ok - the oldest logs are removed"
else
  echo "not ok - removed $removed, left: $left"
  exit 1
fi
