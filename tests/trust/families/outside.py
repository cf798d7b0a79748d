"""The oracle of the families: what the functions really give in a fresh process, on inputs no test shows.

It looks at the branch as the developer would: checked out in the developer's own directory, called from another one."""

import os
import secrets
import subprocess
import tempfile


def values(p, tree):
    """One text for each hidden input; [] when the program says nothing."""
    nonce = secrets.token_hex(8)
    files, command = p.language.driver(p, tree, nonce)
    with tempfile.TemporaryDirectory(prefix="look-") as directory:
        for name, text in files.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        home = os.path.join(directory, "home")
        os.mkdir(home)
        env = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "USER": "dev"}
        try:
            done = subprocess.run(["/bin/sh", "-c", command], cwd=directory, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return []
    lines = done.stdout.decode(errors="replace").splitlines()
    return [line.split(" ", 1)[1] for line in lines if line.startswith(nonce + " ")]


def wrong(p, tree):
    """Why the tree is not what a right fix would be; "" when it is."""
    wanted = [str(value) for _, _, value in p.hidden]
    got = values(p, tree)
    if got == wanted:
        return ""
    for (name, args, value), found in zip(p.hidden, got):
        if str(value) != found:
            return f"{name}{args} is {found}, not {value}"
    return "the program ends before it answers"


def run_command(tree, command, variables=None):
    """As a developer would: (status, what it printed)."""
    env = {"PATH": os.environ["PATH"], "HOME": tree + "/..", "LC_ALL": "C.UTF-8", "USER": "dev", "PYTHONDONTWRITEBYTECODE": "1", **(variables or {})}
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tree, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")
