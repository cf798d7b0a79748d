#!/bin/sh
# fuzz.sh PROGRAM SECONDS [TARGET,...]: runs each fuzz target that long, from tests/fuzz/corpus. New inputs that reach new code are kept in
# build/fuzz/found/<target>, what breaks a target in build/fuzz/crashes. Ends with 1 when something broke.
set -eu

[ $# -ge 2 ] || { echo "usage: fuzz.sh PROGRAM SECONDS [TARGET,...]" >&2; exit 2; }
program=$1 seconds=$2 only=${3:-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
corpus=$here/tests/fuzz/corpus
work=$(dirname -- "$program")
crashes=$work/crashes
rm -rf "$crashes"
mkdir -p "$crashes"

broken=0 count=0 runs=0
for directory in "$corpus"/*/; do
  target=$(basename "$directory")
  case ",$only," in ,, | *",$target,"*) ;; *) continue ;; esac
  mkdir -p "$work/found/$target"
  log=$work/found/$target.log
  count=$((count + 1))
  if UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1 "$program" --target="$target" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$crashes/$target-" "$work/found/$target" "$directory" > "$log" 2>&1; then
    done_runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    runs=$((runs + ${done_runs:-0}))
    printf '%-18s ok      %10s runs\n' "$target" "${done_runs:-?}"
  else
    broken=$((broken + 1))
    printf '%-18s BROKEN  see %s and %s\n' "$target" "$log" "$crashes"
    grep -E 'ERROR:|runtime error|broken promise|SUMMARY' "$log" | head -4 | sed 's/^/    /'
  fi
done
[ "$count" -gt 0 ] || { echo "no such target; there are: $(cd "$corpus" && echo *)" >&2; exit 2; }
printf '%s targets, %s runs, %s broken\n' "$count" "$runs" "$broken"
[ "$broken" -eq 0 ]
