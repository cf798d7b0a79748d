"""Runs workflows as GitHub would, as far as the ones of packaging/github/commands need it: from the file itself, job by job, each on a machine of its own that knows only what
the file gives it. GitHub's own libraries read the file and evaluate its expressions (workflow.mjs). No runner of workflows can be had: the ones on npm need Docker or
fetch a program from elsewhere, and Debian has none."""

import contextlib
import json
import os
import re
import shutil
import subprocess

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}", re.S)
COMMANDS = "packaging/github/commands"


class Evaluator:
    """GitHub's libraries, asked one question after the other."""

    def __init__(self, sources):
        script = os.path.join(sources, "tests", "forge", "workflow.mjs")
        self.process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise AssertionError(f"{question}: {answer['error']}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def value(self, text, context, status="success"):
        return self.ask({"evaluate": text, "context": context, "status": status})["value"]

    def fill(self, value, context, status="success"):
        """A value of the file with its expressions replaced."""
        if isinstance(value, dict):
            return {key: self.fill(member, context, status) for key, member in value.items()}
        if not isinstance(value, str):
            return str(value).lower() if isinstance(value, bool) else str(value)
        said = lambda part: (lambda found: str(found).lower() if isinstance(found, bool) else found)(self.value(part.group(1), context, status))
        return EXPRESSION.sub(said, value)

    def condition(self, text, context, status):
        text = str(text if text is not None else "success()")
        whole = EXPRESSION.fullmatch(text.strip())
        text = whole.group(1) if whole else text
        if not re.search(r"\b(success|failure|always|cancelled)\(", text):
            text = f"success() && ({text})"
        return self.value(text, context, status) not in (False, "", "false", 0)


class Run:
    """What became of one run of a workflow."""

    def __init__(self):
        self.results, self.outputs, self.environments, self.tokens, self.said = {}, {}, {}, {}, {}

    def knows(self, secret):
        """Jobs with a process that was given this value."""
        return {job for job, environments in self.environments.items() for one in environments if any(secret in value for value in one.values())}


class Runner:
    """world: its remote is the project, which git finds at git_url. token(permissions) makes the token of a job and agents(home) gives a new machine the programs it works with."""

    def __init__(self, world, sources, git_url, secrets, token, agents, environment):
        self.world, self.sources, self.git_url, self.secrets, self.token, self.agents, self.environment = world, sources, git_url, secrets, token, agents, environment
        self.evaluator = Evaluator(sources)
        self.machines = 0

    def close(self):
        self.evaluator.close()

    def run(self, name, event_name, event):
        with open(os.path.join(self.sources, COMMANDS, name), encoding="utf-8") as file:
            text = file.read()
        errors = self.evaluator.ask({"parse": text})["errors"]
        assert errors == [], errors
        flow, done, artifacts = yaml.safe_load(text), Run(), {}
        for job in self.in_order(flow["jobs"]):
            self.job(job, flow["jobs"][job], {"event_name": event_name, "event": event, "repository": "team/app", "server_url": "https://github.com", "run_id": "77"}, done, artifacts)
        return done

    @staticmethod
    def needs(spec):
        needs = spec.get("needs", [])
        return [needs] if isinstance(needs, str) else needs

    def in_order(self, jobs):
        order = []
        while len(order) < len(jobs):
            order.append(next(name for name, spec in jobs.items() if name not in order and set(self.needs(spec)) <= set(order)))
        return order

    def job(self, name, spec, github, done, artifacts):
        needs = {one: {"result": done.results[one], "outputs": done.outputs.get(one, {})} for one in self.needs(spec)}
        before = "success" if all(one["result"] == "success" for one in needs.values()) else "failure"
        context = {"github": github, "needs": needs}
        if not self.evaluator.condition(spec.get("if"), context, before):
            done.results[name] = "skipped"
            return
        token = self.token(spec["permissions"])
        done.tokens[name] = token
        context = {**context, "github": {**github, "token": token}, "secrets": self.secrets if spec.get("environment") == "emend" else {}, "steps": {}}
        self.machines += 1
        place = self.world.path(f"machine{self.machines}")
        machine = {"workspace": os.path.join(place, "work"), "home": os.path.join(place, "home"), "job": name, "done": done, "artifacts": artifacts}
        os.makedirs(machine["home"])
        os.makedirs(machine["workspace"])
        self.agents(machine["home"])
        done.environments[name], done.said[name], status = [], "", "success"
        for step in spec["steps"]:
            if self.evaluator.condition(step.get("if"), context, status):
                good = self.step(step, context, machine, status)
                status = status if good else "failure"
        done.results[name] = status
        done.outputs[name] = self.evaluator.fill(spec.get("outputs", {}), context, status)

    def step(self, step, context, machine, status):
        action = step["uses"].split("@")[0]
        inputs = self.evaluator.fill(step.get("with", {}), context, status)
        env = self.evaluator.fill(step.get("env", {}), context, status)
        if action == "actions/checkout":
            return self.checkout(inputs, machine)
        if action == "actions/upload-artifact":
            source = os.path.join(machine["workspace"], inputs["path"])
            if os.path.isdir(source):
                machine["artifacts"][inputs["name"]] = shutil.copytree(source, os.path.join(machine["home"], "sent", inputs["name"]))
            return os.path.isdir(source)
        if action == "actions/download-artifact":
            if inputs["name"] not in machine["artifacts"]:
                return False
            shutil.copytree(machine["artifacts"][inputs["name"]], os.path.join(machine["workspace"], inputs["path"]), dirs_exist_ok=True)
            return True
        assert action == f"OWNER/emend/{COMMANDS}", action
        return self.composite(inputs, env, context, machine, step.get("id"))

    def checkout(self, inputs, machine):
        assert inputs["persist-credentials"] == "false"
        place = machine["workspace"]
        subprocess.run(["git", "clone", "-q", self.world.remote, place], check=True, env=self.world.environment)
        self.world.git("remote", "set-url", "origin", self.world.address, cwd=place)
        self.world.git("config", f"url.{self.git_url}.insteadOf", self.world.address, cwd=place)
        if inputs.get("ref"):
            self.world.git("checkout", "-q", inputs["ref"], cwd=place)
        return True

    def composite(self, inputs, env, context, machine, identity):
        """The steps of action.yml beside the workflows."""
        place = os.path.join(self.sources, COMMANDS)
        with open(os.path.join(place, "action.yml"), encoding="utf-8") as file:
            action = yaml.safe_load(file)
        given = {name: inputs.get(name, row.get("default", "")) for name, row in action["inputs"].items()}
        assert set(inputs) <= set(given), inputs
        inner = {"github": {**context["github"], "action_repository": "OWNER/emend"}, "inputs": given, "steps": {}}
        for number, step in enumerate(action["runs"]["steps"]):
            outputs = os.path.join(machine["home"], f"outputs{number}")
            with open(outputs, "w", encoding="utf-8"):
                pass
            said = {**self.of_machine(machine, context), **env, **self.evaluator.fill(step.get("env", {}), inner), "GITHUB_OUTPUT": outputs, "GITHUB_ACTION_PATH": place}
            assert not EXPRESSION.search(step["run"]), "nothing of an event in a script"
            machine["done"].environments[machine["job"]].append(said)
            shell = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=machine["workspace"], env=said, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            machine["done"].said[machine["job"]] += shell.stdout
            if shell.returncode != 0:
                return False
            with open(outputs, encoding="utf-8") as file:
                inner["steps"][step.get("id", str(number))] = {"outputs": dict(line.split("=", 1) for line in file.read().splitlines())}
        if identity:
            context["steps"][identity] = {"outputs": {name: self.evaluator.fill(row["value"], inner) for name, row in action["outputs"].items()}}
        return True

    def of_machine(self, machine, context):
        """What every process of a runner is given."""
        github = context["github"]
        return {**self.environment, "HOME": machine["home"], "EMEND_HOME": os.path.join(machine["home"], "state"), "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": github["server_url"],
                "GITHUB_REPOSITORY": github["repository"], "GITHUB_RUN_ID": github["run_id"], "GITHUB_WORKSPACE": machine["workspace"],
                "GITHUB_STEP_SUMMARY": os.path.join(machine["home"], "summary.md")}


# What a job's token must be allowed for, by method and place; everything else is open to any token of the project.
PERMISSIONS = [
    ("POST", r"/statuses/\w+", "statuses", "write"),
    ("(POST|PATCH)", r"/check-runs(/\d+)?", "checks", "write"),
    ("GET", r"/commits/\w+/check-runs", "checks", "read"),
    ("GET", r"/commits/\w+/status", "statuses", "read"),
    ("GET", r"/pulls.*", "pull-requests", "read"),
    ("(POST|PATCH|PUT)", r"/pulls.*", "pull-requests", "write"),
    ("GET", r"/issues.*", "issues|pull-requests", "read"),
    ("(POST|PATCH)", r"/issues.*", "issues|pull-requests", "write"),
]


def may(permissions, method, place, graph=""):
    """Whether a token with these permissions may ask for it, as GitHub's documentation of each call says."""
    wanted = [(name, level) for verb, pattern, name, level in PERMISSIONS if re.fullmatch(verb, method) and re.fullmatch(pattern, place)]
    if graph:
        wanted = [("pull-requests", "write" if graph.startswith("mutation") else "read")]
    order = ["none", "read", "write"]
    return all(any(order.index(permissions.get(one, "none")) >= order.index(level) for one in name.split("|")) for name, level in wanted)


@contextlib.contextmanager
def git_server(remote, may_push):
    """The project over HTTP, by git's own program: everybody reads it, and who pushes has to name a token that may_push() knows."""
    import base64
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    backend = os.path.join(subprocess.run(["git", "--exec-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip(), "git-http-backend")

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def refuse(self):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()

        def do_any(self):
            path, _, query = self.path.partition("?")
            pushes = path.endswith("git-receive-pack") or "service=git-receive-pack" in query
            user, _, token = base64.b64decode(self.headers.get("Authorization", "Basic ").removeprefix("Basic ")).decode().partition(":")
            if pushes and not (user == "x-access-token" and may_push(token)):
                return self.refuse()
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            environment = {**os.environ, "GIT_PROJECT_ROOT": os.path.dirname(remote), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": re.sub(r"^/[^/]+", "/" + os.path.basename(remote), path),
                           "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""), "REMOTE_USER": user or "nobody",
                           "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""), "CONTENT_LENGTH": str(len(body)), "GIT_CONFIG_COUNT": "1",
                           "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
            answer = subprocess.run([backend], input=body, stdout=subprocess.PIPE, env=environment, check=True).stdout
            head, _, rest = answer.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            self.send_response(int(headers.pop("Status", "200").split()[0]))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(rest)

        do_GET = do_POST = do_any

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/app.git"
    finally:
        server.shutdown()
        server.server_close()
