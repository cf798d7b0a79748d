#!/usr/bin/env python3
"""postgresql_test.py EMEND: the whole flow of a client, with the state in PostgreSQL instead of a file, over the loopback and with a password, and no password in the server's log."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))

import postgres  # noqa: E402

PASSWORD = "pg-s3cret-51c7"
WORLDS = 8  # that the flow makes at most

if __name__ == "__main__":
    if not postgres.programs():
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        sys.exit(77)
    server = postgres.Server(PASSWORD, tcp=True)
    try:
        for _ in range(WORLDS):
            server.new_database()
        environment = {**os.environ, "EMEND_TEST_DATABASE": server.address("world@"), "EMEND_TEST_SECRET": PASSWORD}  # @ is the world's number
        sys.exit(subprocess.run([sys.executable, "-B", os.path.join(HERE, "flow_test.py"), sys.argv[1]], env=environment, check=False).returncode)
    finally:
        server.close()
