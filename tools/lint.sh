#!/usr/bin/env bash
# lint.sh [--all | --since REF]: clang-tidy on the .cpp files that differ from REF (default: the last commit) or on all of them.
set -euo pipefail
cd "$(dirname "$0")/.."

since=HEAD
all=no
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=yes ;;
    --since) since=${2:?--since needs a commit}; shift ;;
    *) echo "usage: lint.sh [--all | --since REF]" >&2; exit 2 ;;
  esac
  shift
done

if [ "$all" = yes ]; then
  mapfile -t files < <(git ls-files 'src/*.cpp' 'tests/*.cpp' 'bench/*.cpp')
else
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$since" -- '*.cpp'; git ls-files -o --exclude-standard -- '*.cpp'; } | sort -u)
fi
if [ ${#files[@]} -eq 0 ]; then
  echo "lint: no .cpp file differs from $since (make lint ALL=1 reads every file)"
  exit 0
fi

# A build directory of its own, configured but never built: clang cannot read g++'s precompiled headers.
cmake --preset dev -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DEMEND_BATCHES=OFF -DEMEND_BENCH="$([ -f bench/CMakeLists.txt ] && echo ON || echo OFF)" > /dev/null
echo "lint: ${#files[@]} files"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet --extra-arg=-std=c++20 --extra-arg=-Wno-unused-command-line-argument \
    --extra-arg=-Wno-unknown-warning-option
