#!/usr/bin/env python3
"""postgresql_test.py EMEND: the whole flow of a client, with the state in PostgreSQL instead of a file, and no password in the server's log."""

import os
import subprocess
import sys

from postgres import PASSWORD, Postgres, programs

if __name__ == "__main__":
    if programs() is None:
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        sys.exit(77)
    server = Postgres()
    try:
        flow = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flow_test.py")
        environment = {**os.environ, "EMEND_TEST_DATABASE": server.address, "EMEND_TEST_SECRET": PASSWORD}
        sys.exit(subprocess.run([sys.executable, "-B", flow, sys.argv[1]], env=environment, check=False).returncode)
    finally:
        server.close()
