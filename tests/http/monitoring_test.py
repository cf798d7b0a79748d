#!/usr/bin/env python3
"""monitoring_test.py EMEND SOURCES: what is measured is in /metrics in a form Prometheus takes, and the alert rules and the board ask for nothing else."""

import json
import os
import re
import shutil
import subprocess
import sys

from world import World

NAME = re.compile(r"\b(?:emend|process)_[a-z_]+")


def families(text):
    """Each metric with its type; every sample belongs to one, and histograms add up."""
    known, samples = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in known, f"{name} is described twice"
            known[name] = kind
        elif line and not line.startswith("#"):
            name = re.match(r"[a-zA-Z_:]+", line).group()
            base = re.sub(r"_(bucket|sum|count)$", "", name)
            assert name in known or known.get(base) == "histogram", f"{name} is not described"
            samples[line.rsplit(" ", 1)[0]] = float(line.rsplit(" ", 1)[1])
    for sample, value in samples.items():
        if 'le="+Inf"' in sample:
            count = re.sub(r',?le="\+Inf"', "", sample).replace("_bucket", "_count").replace("{}", "")
            assert samples[count] == value, f"{sample} and {count} differ"
    return known, samples


def asked(known, sources):
    """Names that rules and board use and the server does not have."""
    texts = []
    for name in ("alerts.yml", "grafana-emend.json"):
        with open(os.path.join(sources, "packaging", "monitoring", name), encoding="utf-8") as file:
            texts.append(file.read())
    board = json.loads(texts[1])
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]), "two panels have one id"
    used = set()
    for text in texts:
        used |= {re.sub(r"_(bucket|sum|count)$", "", name) for name in NAME.findall(text)}
    return sorted(used - set(known) - {"emend_workers"})  # workers: only where work is shared


def main():
    program, sources = sys.argv[1:3]
    if promtool := shutil.which("promtool"):
        place = os.path.join(sources, "packaging", "monitoring")
        for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
            subprocess.run([promtool, *command], cwd=place, check=True)
    else:
        print("the alert rules were NOT CHECKED: promtool is not installed (apt-get install prometheus)")
    world = World(program)
    try:
        world.run("trust")
        world.start()
        api = world.client()
        assert api.get("/api/issues?limit=1").status == 200
        assert api.get("/api/no-such-thing").status == 404
        text = api.get("/metrics").body
        known, samples = families(text)
        assert not asked(known, sources), asked(known, sources)
        assert samples['emend_http_request_duration_seconds_count{method="GET",status="2xx"}'] >= 1, text
        assert samples['emend_http_request_duration_seconds_count{method="GET",status="4xx"}'] >= 1, text
        assert samples["process_resident_memory_bytes"] > 1_000_000 and samples["process_open_fds"] > 3, text
        assert samples["emend_queue_oldest_seconds"] == 0, text
        if promtool:
            subprocess.run([promtool, "check", "metrics"], input=text, text=True, check=True)
    finally:
        world.close()
    print("ok")


if __name__ == "__main__":
    main()
