"""What this machine can do of what scenarios need: {what: why not}."""

import json
import os
import subprocess
import tempfile


def lacking(tools):
    found = {}
    if not contained(tools):
        found["containment"] = "nothing keeps a child inside of its workspace on this machine"
    if subprocess.run(["unshare", "-Ur", "true"], capture_output=True, check=False).returncode != 0:
        found["namespaces"] = "no user namespaces on this machine"
    if not tools.shim or not os.path.exists(tools.shim):
        found["shim"] = "needs --shim, the library that makes calls fail"
    return found


def contained(tools):
    """As the program itself tells it."""
    with tempfile.TemporaryDirectory(prefix="emend-trust-") as directory:
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": directory, "EMEND_HOME": os.path.join(directory, "state")}
        done = subprocess.run([tools.emend, "doctor", "--offline", "--json"], cwd=directory, env=env, capture_output=True, check=False)
        rows = json.loads(done.stdout)["data"]["checks"]
        return any(row["check"] == "workspaces" and row["detail"].startswith("overlay") for row in rows)
