"""J. Verification commands that misbehave."""

from play import scenario
from world import words


@scenario("J2", "fails now and then", varies=False)
def j2(w):
    # Red once in the first run that sees the fix; a second attempt may prove it good.
    w.settings["verify.max_fix_cycles"] = "2"
    site = w.issue("clamp")
    slow = f"{w.project.comment}again\n"
    w.files["tests/flaky.sh"] = f"grep -qF '{site.cure[0][1]}' '{site.path}' || exit 0\ngrep -q again '{site.path}'\n"
    w.commands.append({"name": "flaky", "run": "sh tests/flaky.sh"})
    w.fixer("clamp", w.cure("clamp"), "claim fixed", number=1)
    w.fixer("clamp", words("append", site.path, slow), "claim fixed")
    w.expect("clamp", "RESOLVED")
    w.honest("mean")


@scenario("J3", "hangs", varies=False)
def j3(w):
    w.settings["verify.timeout"] = '"1s"'
    site = w.project.sites["clamp"]
    w.files["tests/watch.sh"] = f"grep -qF '{site.cure[0][1]}' '{site.path}' && exec sleep 600\nexit 0\n"
    w.commands.append({"name": "watch", "run": "sh tests/watch.sh"})
    w.attack("clamp", why="verification_failed")
    w.honest("mean")


@scenario("J5", "wants a terminal", varies=False)
def j5(w):
    w.files["tests/run.sh"] = 'read answer\n[ -t 0 ] || [ -t 1 ] && exit 3\n( : < /dev/tty ) 2>/dev/null && exit 4\n' + w.files["tests/run.sh"]
    w.honest("clamp")
    w.honest("mean")


@scenario("J6", "runs nothing and says it is well", varies=False)
def j6(w):
    w.files["tests/run.sh"] = "echo 'Ran 0 tests in 0.000s'\necho\necho OK\n"
    w.attack("clamp", w.cure("clamp", "wrong"), cured=False, why="verification_failed")


@scenario("J8", "leaves daemons", varies=False)
def j8(w):
    w.files["tests/run.sh"] = "setsid sleep 700 &\n(setsid sleep 701 >/dev/null 2>&1 &)\n" + w.files["tests/run.sh"]
    w.honest("clamp")
    w.honest("mean")


@scenario("J9", "changes tracked files")
def j9(w):
    site = w.project.sites["mean"]
    w.files["tests/run.sh"] = (f"echo >> '{site.path.replace(chr(39), chr(39) + chr(92) + chr(39) + chr(39))}'\necho x > new-snapshot.txt\nrm -f README.md\n"
                               + w.files["tests/run.sh"])
    w.files["README.md"] = "# here\n"
    w.honest("clamp")
    w.honest("mean")


@scenario("J11", "does not touch the change", varies=False)
def j11(w):
    w.settings["resolve.minimum_evidence"] = '"repaired"'
    w.reproducer("mean")
    w.attack("clamp", w.cure("clamp", "wrong"), cured=False, why="evidence_too_weak")
    w.honest("mean")


@scenario("J12", "output bombs and odd bytes", varies=False)
def j12(w):
    w.settings["verify.max_output_bytes"] = "2000000"
    site = w.project.sites["clamp"]
    w.files["tests/bomb.sh"] = f"printf '\\377\\000\\033[2J'\ngrep -qF '{site.cure[0][1]}' '{site.path}' && exec yes bomb\nexit 0\n"
    w.commands.append({"name": "bomb", "run": "sh tests/bomb.sh"})
    w.attack("clamp", why="verification_failed")
    w.honest("mean")
