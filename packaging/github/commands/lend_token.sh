# Sourced by the job that publishes: where the server asks git who it is, git asks this program, which knows the job's token. By a file, because git is given no other
# variables, and arguments can be read by everybody.
if [ -n "${GH_TOKEN:-}" ]; then
  lent=$(mktemp -d)
  trap 'rm -rf "$lent"' EXIT
  (umask 077 && printf '%s' "$GH_TOKEN" >"$lent/token")
  printf '#!/bin/sh\ncase "$1" in Username*) echo x-access-token ;; *) cat "%s/token" ;; esac\n' "$lent" >"$lent/ask"
  chmod 700 "$lent/ask"
  export GIT_ASKPASS="$lent/ask"
fi
