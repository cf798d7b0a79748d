#!/usr/bin/env bash
# run.sh [EMEND]: reviews and fixes two small projects, and answers a coding agent. No key and no network: the first part needs no AI at
# all, in the others scripts play it. Everything happens in a new temporary directory, which is left for you to look at.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
emend=$(realpath "${1:-$here/../../build/emend}")
[ -x "$emend" ] || { echo "demo: no program at $emend; run 'make build' first" >&2; exit 1; }

demo=$(mktemp -d "${TMPDIR:-/tmp}/emend-demo.XXXXXX")
export EMEND_HOME=$demo/home GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

quiet=(--quiet)
[ ! -t 2 ] || quiet=() # at a terminal the work can be watched

step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; }
fail() { printf '\ndemo: %s\nThe demo directory is kept: %s\n' "$*" "$demo" >&2; exit 1; }
# Every byte, mode and time of the checkout and of git's index.
checkout_print() { { find . -path ./.git -prune -o -printf '%p %m %T@\n'; find . -path ./.git -prune -o -type f -print0 | xargs -0 sha256sum; sha256sum .git/index .git/HEAD; } | sort | sha256sum; }

# A fresh repository with a copy of the folder $1 in it, named $2.
start_repository() {
  cp -R "$here/$1" "$demo/$2"
  cd "$demo/$2"
  rm -rf build
  git init -q -b main
  git config user.name "Demo User"
  git config user.email demo@example.org
  git add -A
  git commit -q -m "$3"
}

# run_fix ARGUMENTS: runs emend fix, which leaves something unresolved in both parts, and names the branch it made.
run_fix() {
  show emend fix "$@"
  code=0
  "$emend" "${quiet[@]}" fix "$@" || code=$?
  [ "$code" -eq 1 ] || fail "emend fix ended with code $code; 1 was expected: done, with some issues left"
  branch=$(git for-each-ref --format='%(refname:short)' refs/heads/fix/)
  [ -n "$branch" ] || fail "emend made no branch"
}

prove_untouched() {
  show git status --short
  [ "$before" = "$(checkout_print)" ] || fail "the checkout is not what it was before"
  [ -z "$(git status --porcelain)" ] || fail "the checkout is not clean"
  echo "(nothing: every byte, mode and time of your checkout is unchanged)"
}

step "Part one, no AI: gauge, a small project in C++, C, Python, JavaScript and shell"
start_repository sample gauge "Measure the rain"
show "emend doctor --offline | grep -v optional"
"$emend" doctor --offline | grep -v optional

step "emend finds the project's checks. It runs nothing before you allow it"
show "emend init --yes && git commit && emend trust"
"$emend" init --yes
git add -A
git commit -q -m "Configure emend"
"$emend" trust
before=$(checkout_print)

step "Review with the installed analyzers and emend's own rules"
show emend review --format concise
"$emend" review --format concise --fail-on never | tee "$demo/review.txt"

step "Fix what needs no AI. Each fix is made in a private copy, analyzed and tested, and committed only if that passes"
run_fix --safe
gauge_branch=$branch
commits=$(git rev-list --count "main..$branch")
[ "$commits" -ge 2 ] || fail "$commits commits on $branch; more were expected"

step "One commit for each issue, on a new branch"
show "git log --oneline main..$branch"
git --no-pager log --oneline "main..$branch"
show "git diff --stat main $branch"
git --no-pager diff --stat main "$branch"
show "git show $branch~1"
git --no-pager show --format='%h %B' "$branch~1"

code_at() { sed -n "s/^$1:.*\[\(.*\)\]\$/\1/p" "$demo/review.txt" | head -n 1; }

misspelled=$(code_at docs\\/display.txt)
if [ -n "$misspelled" ]; then
  step "$misspelled is a misspelling, but correcting it breaks the project's tests: refused"
  show "emend explain $misspelled"
  "$emend" explain "$misspelled" | sed '/^attempts/,$d'
fi

name=$(code_at docs\\/format.md)
if [ -n "$name" ]; then
  step "$name looks like a misspelling too, but it is the name of a field: left to a person"
  show "emend issues show $name"
  "$emend" issues show "$name"
fi

step "Your checkout is unchanged"
prove_untouched

step "Part two, with agents: shelf, a C project with seven reported issues. Its fixer is sometimes honest, sometimes careless, sometimes lying"
cp "$here/findings.json" "$here/fixer.json" "$here/judge.json" "$demo/"
start_repository project shelf "Open the lending desk"
"$emend" trust
before=$(checkout_print)
run_fix --findings ../findings.json
commits=$(git rev-list --count "main..$branch")
[ "$commits" -eq 3 ] || fail "$commits commits on $branch; 3 were expected"
"$emend" issues show BE-001 | grep -q proven || fail "BE-001 was expected to be proven"

step "BE-005 was reported as fixed, with all tests passing. Why is it not resolved?"
show emend explain BE-005
"$emend" explain BE-005
prove_untouched

step "Part three: coding agents say that they are done. emend answers before they may stop"
"$here/agent.sh" "$emend" "$demo"

cat <<END

Look further:
  export EMEND_HOME=$EMEND_HOME
  cd $demo/gauge
  git diff main $gauge_branch          # all fixes that needed no AI
  emend report                         # what was tried, and how it was judged
  cd $demo/shelf
  git diff main $branch                # what the agents fixed
  emend explain BE-001                 # repaired: fails before, passes with the fix, fails again without it
  emend explain BE-002                 # scored 70, fixed again, scored 97
  emend explain BE-004                 # good alone, a double free together with BE-003
  emend explain BE-006                 # edited the test instead of the code
On a repository of your own: emend doctor, emend init, emend review, emend fix --safe
The program is $emend. Remove the demo with: rm -rf $demo
END
"$here/look.sh" "$emend" "$demo" "${branch#fix/}"
