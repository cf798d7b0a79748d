"""The workflows of packaging/github/commands, run from their files: each job on a machine of its own, with the token and the secrets that the file gives it and nothing else."""

import json
import os

import forge_test
from place import read
from team_test import TESTS, TOPIC, Story, TeamTest
from workflow import Runner, git_server

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-" + "Qq1Ww2Ee3Rr4Tt5", "GEMINI_API_KEY": "AIza" + "Zz1Xx2Cc3Vv4Bb5"}  # not anybody's


class Workflows(TeamTest):
    def setUp(self):
        super().setUp()
        self.server.login, self.server.login_type, self.server.may_ask_user = "github-actions[bot]", "Bot", False
        server = git_server(self.world.remote, self.may_push)
        git_url = server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        environment = {**{name: value for name, value in self.world.environment.items() if name not in ("GH_TOKEN", "EMEND_HOME", "HOME")},
                       "PATH": os.path.dirname(os.path.abspath(forge_test.EMEND)) + ":" + self.world.environment["PATH"]}
        self.runner = Runner(self.world, forge_test.SOURCES, git_url, KEYS, self.token, self.agents, environment)
        self.addCleanup(self.runner.close)
        self.works()

    def may_push(self, token):
        return self.server.scoped.get(token, {}).get("contents") == "write"

    def token(self, permissions):
        token = f"ghs_job{len(self.server.scoped)}" + "Xx9Yy8Ww7Vv6"
        self.server.scoped[token] = permissions
        return token

    def agents(self, home):
        for file in ("config.toml", "fixer.json", "judge.json"):
            self.world.write(os.path.join(home, "state", file), read(os.path.join(self.world.state, file)))

    def says(self, author, body, **more):
        """Somebody comments, and GitHub tells the workflow."""
        row = self.server.comment(42, author, body)
        user = {"login": author}
        event = {"action": "created", "issue": {"number": 42, "pull_request": {"url": "x"}}, "comment": {"id": row["id"], "body": body, "user": user}, "repository": {"default_branch": "main"}, **more}
        return self.runner.run("workflow.yml", "issue_comment", event)

    def opens(self, fork=False):
        pull = self.server.pulls[42]
        head = {"sha": self.server.head_of(42), "repo": {"full_name": "somebody/app" if fork else "team/app"}}
        event = {"action": "opened", "pull_request": {"number": 42, "draft": pull["draft"], "head": head, "base": {"ref": "main", "sha": self.server.git("rev-parse", "main")}}}
        return self.runner.run("review.yml", "pull_request", event)

    def went(self, run, **wanted):
        self.assertEqual({job: result for job, result in run.results.items() if result != "skipped"}, wanted, run.said)

    def reviewed(self):
        Story.checks(self, "true")
        self.topic()
        run = self.opens()
        self.went(run, work="success", publish="success")
        return run

    def test_a_pull_request_is_reviewed_when_it_is_opened(self):
        run = self.reviewed()
        (comment,) = self.server.inline()
        self.assertIn("Off by one (BE-001)", comment["body"])
        self.assertEqual(self.states(self.server.head_of(42)), [("emend/review", "pending"), ("emend/review", "success")])
        self.assertEqual(self.server.statuses[-1]["target_url"], "https://github.com/team/app/actions/runs/77")
        self.assertEqual({job for key in KEYS.values() for job in run.knows(key)}, {"work"}, "who asks agents is the only one with their keys")
        self.assertEqual(run.knows(run.tokens["publish"]), {"publish"}, "who writes is the only one with a token that writes")
        self.assertEqual(self.opens(fork=True).results, {"work": "skipped", "publish": "skipped"})

    def test_a_fix_goes_from_the_comment_to_the_proposal_through_three_machines(self):
        self.reviewed()
        self.went(self.says("stranger", "/emend fix BE-001"), authorize="success", answer="success")
        self.assertIn("stranger may only read", self.receipts())
        self.assertEqual(self.says("alice", "please /emend fix BE-001").results["authorize"], "skipped")
        self.went(self.says("alice", "/emend help\nand more"), authorize="success", answer="success")
        run = self.says("alice", "/emend fix BE-001\n$(touch pwned) ${{ secrets.ANTHROPIC_API_KEY }}")
        self.went(run, authorize="success", work="success", publish="success")
        stacked = self.server.proposed()
        self.assertEqual(stacked["base"], "topic42")
        self.assertIn("i < n", self.server.git("show", f"{stacked['head']}:src/a.c"))
        self.assertIn("into topic42: https://github.com/team/app/pull/", self.receipts())
        self.assertEqual({job for key in KEYS.values() for job in run.knows(key)}, {"work"})
        pushes = {job for job, token in run.tokens.items() if self.may_push(token)}
        self.assertEqual(pushes, {"publish"}, "only the job without an agent may push")
        self.assertEqual(run.knows(run.tokens["publish"]), {"publish"})

    def test_the_proof_is_a_file_of_the_run_and_linked_from_the_proposal(self):
        self.world.write("repo/test_a.py", TESTS)
        Story.checks(self, "python3 -m unittest -v")
        self.topic()
        self.went(self.opens(), work="success", publish="success")
        run = self.says("alice", "/emend fix")
        self.went(run, authorize="success", work="success", publish="success")
        self.assertIn("[look at it](https://github.com/team/app/actions/runs/77)", self.server.proposed()["body"])
        sent = next(os.path.join(folder, "emend-out") for folder, names, _ in os.walk(self.world.root) if "emend-out" in names and folder.endswith("sent")
                    and os.path.exists(os.path.join(folder, "emend-out", "BE-001.html")))
        page = read(os.path.join(sent, "BE-001.html")).decode()
        self.assertIn("The proof holds.", page)
        self.assertNotIn("<script", page)
        self.assertTrue(os.path.exists(os.path.join(sent, "BE-001.emend-proof")))

    def test_a_check_runs_where_there_is_nothing_to_steal_and_says_how_the_head_stands(self):
        Story.checks(self, "grep -q 'i <= n' src/a.c")
        self.topic(text=TOPIC.replace("return i;", "return i + 0;"))
        run = self.says("alice", "/emend check")
        self.went(run, authorize="success", check="success", publish="success")
        self.assertEqual(self.states(self.server.head_of(42)), [("emend/check", "pending"), ("emend/check", "success")])
        self.assertTrue(self.server.statuses[-1]["description"].startswith("VERIFIED: "), self.server.statuses)
        self.assertIn("done (`check`, alice): VERIFIED", self.receipts())
        worked = " ".join(run.environments["check"][-1].values())
        self.assertEqual([secret for secret in [*KEYS.values(), *self.server.scoped] if secret in worked], [], "code of a change has nothing beside it")
        self.assertFalse(any(level == "write" for level in self.server.scoped[run.tokens["check"]].values()))

    def test_what_the_machine_that_runs_code_of_a_change_leaves_proposes_nothing(self):
        """Code that breaks out of its sandbox can write files there: they are an answer to a check, and nothing else."""
        self.reviewed()
        self.went(self.says("alice", "/emend fix BE-001"), authorize="success", work="success", publish="success")
        made = next(os.path.join(folder, "emend-out") for folder, names, _ in os.walk(self.world.root) if "emend-out" in names and folder.endswith("sent")
                    and os.path.exists(os.path.join(folder, "emend-out", "landing.json")))
        proposed, branches = self.server.count_pulls(), self.server.git("for-each-ref", "refs/heads")
        upload = self.runner.step

        def broken_out(step, context, machine, status):
            if machine["job"] == "check" and "upload-artifact" in step["uses"]:
                os.system(f"cp {made}/* {machine['workspace']}/out/; printf 'fix\\n' > {machine['workspace']}/out/verb")
            return upload(step, context, machine, status)
        self.runner.step = broken_out
        run = self.says("alice", "/emend check")
        self.went(run, authorize="success", check="success", publish="success")
        self.assertEqual((self.server.count_pulls(), self.server.git("for-each-ref", "refs/heads")), (proposed, branches))

    def test_a_prepared_fix_that_steers_what_runs_with_secrets_is_not_landed(self):
        self.reviewed()
        head = self.server.head_of(42)
        place = self.world.path("lander")
        self.world.git("clone", "-q", self.world.remote, place, cwd=self.world.root)
        self.world.git("remote", "set-url", "origin", self.world.address, cwd=place)
        self.world.git("config", f"url.file://{self.world.remote}.insteadOf", self.world.address, cwd=place)
        self.world.git("fetch", "-q", self.world.remote, "refs/pull/42/head", cwd=place)
        for number, path in enumerate((".github/workflows/ci.yml", "emend.toml", "AGENTS.md", ".gitattributes")):
            branch = f"fix/forged{number}"
            self.world.git("checkout", "-q", "-B", branch, head, cwd=place)
            self.world.write(os.path.join(place, path), "on: push\n")
            self.world.git("add", "-A", cwd=place)
            self.world.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "x", cwd=place)
            tip = self.world.git("rev-parse", "HEAD", cwd=place)
            self.world.git("checkout", "-q", "origin/main", cwd=place)  # as the job has it
            landing = {"number": 42, "head": head, "branch": branch, "tip": tip, "title": "x", "body": "y"}
            self.world.write(os.path.join(place, "landing.json"), json.dumps(landing))
            done = self.world.run("--set", "forge.allow_push=true", "pr", "land", "landing.json", cwd=place)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn("steers what runs with secrets", done.stderr)
        self.assertEqual(self.server.count_pulls(), 1)
        self.server.pulls[42]["fork"] = True
        done = self.world.run("--set", "forge.allow_push=true", "pr", "land", "landing.json", cwd=place)
        self.assertIn("comes from a fork", done.stderr)

    def test_who_has_no_right_to_write_is_answered_by_jobs_that_cannot_write_code(self):
        self.reviewed()
        for body in ("/emend fix BE-001", "/emend check", "/emend stop", "/emend merge", "/emend fix $(id)"):
            run = self.says("stranger", body)
            self.went(run, authorize="success", answer="success")
            self.assertFalse(any(self.may_push(token) for token in run.tokens.values()), body)
            self.assertEqual({job for key in KEYS.values() for job in run.knows(key)}, set(), body)
        self.assertEqual(self.receipts().count("- refused ("), 5, "a machine that keeps nothing leaves the answers of others")
