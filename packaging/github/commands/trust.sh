#!/usr/bin/env bash
# Allows the commands of the checked-out emend.toml, where the workflow says so: EMEND_TRUST=base. They count only as the branch has them that the change goes into, which
# is what the owners of the project merged; a checkout of anything else is refused.
#   EMEND_BASE   that branch
set -euo pipefail

case "${EMEND_TRUST:-}" in
  '') exit 0 ;;
  base) ;;
  *) echo "emend: EMEND_TRUST is base, or empty" >&2; exit 2 ;;
esac
case "${EMEND_BASE:-}" in '' | -*) echo "emend: EMEND_BASE names no branch" >&2; exit 2 ;; esac
git merge-base --is-ancestor HEAD "refs/remotes/origin/$EMEND_BASE" ||
  { echo "emend: what is checked out is not of $EMEND_BASE, so its commands are not allowed" >&2; exit 2; }
git diff --quiet HEAD -- || { echo "emend: the checkout was changed, so its commands are not allowed" >&2; exit 2; }
emend --no-input trust >/dev/null
