#!/usr/bin/env bash
# run.sh [EMEND]: lets emend fix seven issues of a small C project. Scripted agents play the AI, so it needs no key and no network.
# Everything happens in a new temporary directory, which is left for you to look at.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
emend=$(realpath "${1:-$here/../../build/emend}")
[ -x "$emend" ] || { echo "demo: no program at $emend; run 'make build' first" >&2; exit 1; }

demo=$(mktemp -d "${TMPDIR:-/tmp}/emend-demo.XXXXXX")
export EMEND_HOME=$demo/home GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
cp -R "$here/project" "$demo/shelf"
cp "$here/findings.json" "$here/fixer.json" "$here/judge.json" "$demo/"
rm -rf "$demo/shelf/build"
cd "$demo/shelf"

step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; }
fail() { printf '\ndemo: %s\nThe demo directory is kept: %s\n' "$*" "$demo" >&2; exit 1; }
# Every byte, mode and time of the checkout and of git's index.
checkout_print() { { find . -path ./.git -prune -o -printf '%p %m %T@\n'; find . -path ./.git -prune -o -type f -print0 | xargs -0 sha256sum; sha256sum .git/index .git/HEAD; } | sort | sha256sum; }

step "A project with seven reported issues: shelf, the lending desk of a small library"
git init -q -b main
git config user.name "Demo User"
git config user.email demo@example.org
git add -A
git commit -q -m "Open the lending desk"
git --no-pager log --oneline
before=$(checkout_print)

step "Its emend.toml names commands to run. emend runs none of them until the owner has read the file and said yes"
show emend trust
"$emend" trust

step "Fix. The fixer is honest, careless and dishonest by turns; the project's own tests and a second agent decide"
show emend fix --findings ../findings.json
code=0
"$emend" fix --findings ../findings.json || code=$?
[ "$code" -eq 1 ] || fail "emend fix ended with code $code; 1 was expected: done, with some issues left"

branch=$(git for-each-ref --format='%(refname:short)' refs/heads/fix/)
[ -n "$branch" ] || fail "emend made no branch"
step "What was accepted is on a branch, one commit an issue"
show "git log --stat main..$branch"
git --no-pager log --stat --format='%h %s' "main..$branch"

step "BE-005 was reported as fixed, with all tests passing. Why is it not resolved?"
show emend explain BE-005
"$emend" explain BE-005

step "Your checkout was never touched"
show git status --short
git status --short
[ "$before" = "$(checkout_print)" ] || fail "the checkout is not what it was before"
[ -z "$(git status --porcelain)" ] || fail "the checkout is not clean"
echo "(nothing: every byte, mode and time is as it was)"
commits=$(git rev-list --count "main..$branch")
[ "$commits" -eq 3 ] || fail "$commits commits on $branch; 3 were expected"

cat <<END

Look further:
  cd $demo/shelf && export EMEND_HOME=$EMEND_HOME
  git diff main $branch                # all accepted fixes together
  emend explain BE-001                 # proven: red before, green after, red again without the fix
  emend explain BE-002                 # scored 70, fixed again, scored 97
  emend explain BE-004                 # good alone, a double free together with BE-003
  emend explain BE-006                 # edited the test instead of the code
The program is $emend. Remove the demo with: rm -rf $demo
END
