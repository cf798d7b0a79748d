#!/usr/bin/env python3
"""More workers than a PostgreSQL server at its default limits has connections for, directly and behind PgBouncer.

    crowd.py --emend FILE --fake-agent FILE [--workers 120]

Idle workers leave room for those who work and cost the server next to nothing; a session is worked on as ever. Prints what it measured; ends
with 1 on anything bad, with 77 where there is no PostgreSQL."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
for place in ("../crash", "../support", "."):
    sys.path.insert(0, os.path.join(HERE, place))

import postgres
from arena import Tools
from shared_world import Shared

MOST_IDLE_COST = 0.2  # transactions a second of an idle worker
SECONDS = 40


class Bouncer:
    """PgBouncer in transaction mode before a server, as an administrator sets it up."""

    def __init__(self, server):
        self.server, self.port = server, postgres.free_port()
        self.directory = tempfile.mkdtemp(prefix="emend-bouncer-")
        ini = os.path.join(self.directory, "pgbouncer.ini")
        with open(ini, "w", encoding="utf-8") as file:
            file.write(f"[databases]\n* = host={server.directory} user=emend\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
                       "unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = 1000\n"
                       "ignore_startup_parameters = extra_float_digits\n")
        os.chmod(self.directory, 0o755)
        become = {"preexec_fn": server.become} if server.user else {}
        self.process = subprocess.Popen([shutil.which("pgbouncer") or "/usr/sbin/pgbouncer", "-q", ini], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(os.path.join(self.directory, "log"), "wb"), **become)

    def address(self, name):
        return f"postgresql://emend@127.0.0.1:{self.port}/{name}"

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def transactions(server, database):
    server.psql("postgres", "select pg_stat_clear_snapshot()")
    return int(server.psql("postgres", f"select xact_commit + xact_rollback from pg_stat_database where datname = '{database}'"))


def most_connections(server, seconds):
    """The most that were open at once, looked at again and again."""
    most, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        most = max(most, int(server.psql("postgres", "select count(*) from pg_stat_activity where backend_type = 'client backend'")))
        time.sleep(0.5)
    return most


def all_began(shared, count):
    """While they begin, all of them want a connection at once, and there may be none for us."""
    try:
        return shared.select("select count(*) from workers where slots > 0") == str(count)
    except RuntimeError as problem:
        if "too many clients" in str(problem):
            return False
        raise


def play(tools, server, count, through=None):
    found = []
    shared = Shared(tools, server, issues=8, milliseconds=100, settings={"worker.lease": '"60s"'})
    try:
        if through:
            shared.w.variables["EMEND_DATABASE"] = through.address(shared.database)
        for _ in range(count):
            shared.worker("--lease", "60s")
        shared.until(lambda: all_began(shared, count), 300)
        time.sleep(15)  # a server process tells of its transactions ten seconds later
        before, began = transactions(server, shared.database), time.monotonic()
        most = most_connections(server, SECONDS)
        cost = (transactions(server, shared.database) - before) / (time.monotonic() - began) / count
        limit = int(server.psql("postgres", "show max_connections"))
        print(f"    {count} idle workers, {limit} connections allowed: {most} open at most, {cost:.3f} transactions/s each", flush=True)
        if cost > MOST_IDLE_COST:
            found.append(f"an idle worker costs {cost:.3f} transactions/s")
        if most > limit * 0.8:
            found.append(f"idle workers take {most} of {limit} connections")
        gone = [worker.name for worker in shared.workers if worker.process.poll() is not None]
        shared.start()
        code, _ = shared.finish(300)
        found += ([f"the session ended with {code}: {shared.logs()[-2000:]}"] if code else []) + shared.problems()
        found += [f"{name} has gone" for name in gone]
    finally:
        shared.close()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emend", required=True)
    parser.add_argument("--fake-agent", required=True)
    parser.add_argument("--workers", type=int, default=120)
    options = parser.parse_args()
    if not postgres.programs():
        print("NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)")
        return 77
    tools = Tools(os.path.abspath(options.emend), os.path.abspath(options.fake_agent), "")
    server = postgres.Server(settings={"max_connections": None, "shared_buffers": None})
    try:
        bad = 0
        for name, bouncer in (("direct", None), ("pgbouncer", Bouncer)):
            if bouncer and not os.access("/usr/sbin/pgbouncer", os.X_OK):
                print(f"{name}: NOT TESTED: PgBouncer is not installed (apt-get install pgbouncer)")
                continue
            through = bouncer(server) if bouncer else None
            try:
                found = play(tools, server, options.workers if not through else max(8, options.workers // 10), through)
            finally:
                if through:
                    through.close()
            bad += len(found)
            print(f"{name:12} {'ok' if not found else 'BAD'}", flush=True)
            for text in found:
                print("    " + text.replace("\n", "\n    "))
        return 1 if bad else 0
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main())
