#include "tests/contract/store/records.hpp"

namespace emend::testing_support {

namespace {

constexpr std::int64_t kLate = 1'790'000'000'123; // more than 32 bits

Finding full_finding() {
  Finding finding;
  finding.id = "F007";
  finding.file = "src/größe.c";
  finding.line = 12;
  finding.line_end = 14;
  finding.severity = Severity::critical;
  finding.category = "correctness";
  finding.rule = "bugprone-x";
  finding.title = "Off by one";
  finding.description = odd_text();
  finding.suggestion = "use <";
  finding.agent = "reviewer";
  finding.group = "loops";
  finding.related_files = {"src/b.c", "src/c.c"};
  finding.effort = 5;
  finding.files_count = 2;
  finding.annotations = {"line_past_end"};
  finding.column = 5;
  finding.column_end = 9;
  finding.fixit = FixIt{"use the other", true, {{finding.file, 12, 3, "two"}}};
  finding.found_by = {"one", "two"};
  return finding;
}

AgentBinding full_binding(const std::string& name) {
  AgentBinding binding;
  binding.name = name;
  binding.engine = "exec";
  binding.command = {"agent", "--flag", "{prompt}"};
  binding.script = "script.json";
  binding.model = "model-1";
  binding.family = "vendor";
  binding.timeout_ms = 5'000'000'000;
  binding.idle_timeout_ms = 60'000;
  binding.pass_env = {"API_KEY"};
  binding.env = {"A=1"};
  binding.thinking_budget = 4'000;
  binding.max_turns = 7;
  binding.permissions = "edit";
  binding.allowed_tools = {"Read"};
  binding.network = NetworkAccess::loopback;
  binding.limits = {1, 2, 3, 4, 5};
  return binding;
}

VerifyCommand full_command() {
  VerifyCommand command;
  command.name = "test";
  command.run = "make 'check' && echo \"ok\"";
  command.paths = {"src/**"};
  command.timeout_ms = 77'000;
  return command;
}

Policy full_policy() {
  Policy policy;
  policy.fixer = full_binding("fixer");
  policy.fixer_fallbacks = {full_binding("second"), full_binding("third")};
  policy.strategy = Strategy::one_call;
  policy.batch = {8, 2};
  policy.git_agents = true;
  policy.keep_conversation = false;
  policy.max_wait_ms = 6;
  policy.retry_wait_ms = 7;
  policy.deferred_retries = 4;
  policy.candidates = 3;
  policy.autonomy = Autonomy::earned;
  policy.parallel = 7;
  policy.fix_timeout_ms = 1;
  policy.branch = "mend/{session}";
  policy.grouping = Grouping::file;
  policy.scope = FixScope::repository;
  policy.protected_paths = {"secret/**"};
  policy.changed_tests = ChangedTests::judge;
  policy.new_files = {"src/new/*.c"};
  policy.prompt_max_bytes = 123'456;
  policy.context_lines = 11;
  policy.max_changed_lines = 99;
  policy.unsafe_fixes = true;
  policy.conventions = {"tabs"};
  policy.instructions = {"AGENTS.md"};
  policy.challenger_enabled = false;
  policy.allow_self_judging = true;
  policy.challenger = full_binding("challenger");
  policy.challenger_fallbacks = {full_binding("fourth")};
  policy.panel = 2;
  policy.second_judge = full_binding("fifth");
  policy.canaries = 2;
  policy.reproduce = Reproduce::always;
  policy.reproducer = full_binding("fifth");
  policy.reproduce_timeout_ms = 72;
  policy.max_iterations = 6;
  policy.satisfaction_threshold = 80;
  policy.challenge_timeout_ms = 2;
  policy.challenge_retries = 3;
  policy.commands = {full_command()};
  policy.max_fix_cycles = 9;
  policy.verify_mode = VerifyMode::batch;
  policy.coverage = Coverage::off;
  policy.repeat = 3;
  policy.verify_timeout_ms = 4;
  policy.pass_env = {"LANG"};
  policy.verify_env = {"B=2"};
  policy.max_output_bytes = 5'000'000'000;
  policy.minimum_evidence = "unbroken";
  policy.minimum_by_severity = {{"critical", "repaired"}};
  policy.minimum_by_path = {{"src/auth/**", "proven"}};
  policy.session_budget = {1.25, 5'000'000'000, 60'000};
  policy.issue_budget = {0.5, 100, 1};
  policy.approve_threshold = 70;
  policy.vote_timeout_ms = 71;
  policy.worker_label = "gpu";
  policy.work_here = false;
  policy.redact_patterns = {"x[0-9]+"};
  policy.sandbox = {SandboxMode::required, SandboxKind::landlock, NetworkAccess::none, {5, 6, 7, 8, 9}};
  policy.agent_files = {{"fixer", odd_text()}};
  return policy;
}

FileChange full_change() {
  FileChange change;
  change.path = "src/größe.c";
  change.old_mode = kModeFile;
  change.new_mode = kModeExecutable;
  change.old_id = "aa11";
  change.new_id = "bb22";
  change.old_content = std::string("old\0\xff\xfe\r\n", 8);
  change.new_content = std::string("new\0\x80\n", 6);
  return change;
}

} // namespace

std::string odd_text() { return "it's \"odd\": $1 ; -- é 漢 \n\t\\ %s"; }

Issue full_issue(const std::string& fingerprint) {
  Issue issue;
  issue.id = "given-id";
  issue.repository_id = "repo";
  issue.code = "XX-9";
  issue.fingerprint = fingerprint;
  issue.content_fingerprint = "content of " + fingerprint;
  issue.line_key = "line of " + fingerprint;
  issue.finding = full_finding();
  issue.status = IssueStatus::failed;
  issue.reason = "real_change";
  issue.detail = odd_text();
  issue.evidence = "judged";
  issue.marks = {.shown = true, .independent = true};
  issue.duplicate_of = "BE-009";
  issue.commit = "c0ffee";
  issue.last_score = 42;
  issue.attempts = 3;
  issue.trend = IssueTrend::regressed;
  issue.seen_commit = "5ee9";
  issue.absent_commit = "ab5e";
  issue.created_ms = 1;
  issue.updated_ms = 2;
  return issue;
}

Session full_session(const std::string& id) {
  Session session;
  session.id = id;
  session.repository_id = "repo";
  session.status = SessionStatus::partial;
  session.detail = odd_text();
  session.base = "base0";
  session.base_ref = "main";
  session.branch = "fix/" + id;
  session.tip = "tip0";
  session.issue_ids = {"i1", "i2"};
  session.review_report = "report\nof two lines";
  session.policy = full_policy();
  session.owner = {4242, 5'000'000'001, "boot"};
  session.cancel_requested = true;
  session.started_by = "Ann Lee through the dashboard";
  session.started_ms = kLate;
  session.updated_ms = kLate + 1;
  session.duration_ms = 5'000'000'002;
  return session;
}

Unit full_unit(const std::string& id, const std::string& session_id) {
  Unit unit;
  unit.id = id;
  unit.session_id = session_id;
  unit.position = 3;
  unit.issue_ids = {"i1", "i2"};
  unit.status = UnitStatus::accepted;
  unit.base = "base1";
  unit.stacked = true;
  unit.cycles = 1;
  unit.verify_failures = 2;
  unit.challenges = 4;
  unit.deferrals = 5;
  unit.starts = 6;
  unit.accepted_attempt = "a1";
  unit.feedback = odd_text();
  return unit;
}

Attempt full_attempt(const std::string& id, const std::string& session_id, const std::string& unit_id,
                     const std::string& issue_id) {
  Attempt attempt;
  attempt.id = id;
  attempt.session_id = session_id;
  attempt.unit_id = unit_id;
  attempt.issue_id = issue_id;
  attempt.cycle = 2;
  attempt.agent = "fixer";
  attempt.model = "model-1";
  attempt.family = "vendor";
  attempt.ending = "exited";
  attempt.exit_code = 3;
  attempt.claim = Claim::fixed;
  attempt.explanation = odd_text();
  attempt.result = AttemptResult::below_threshold;
  attempt.detail = "score 40 < 95";
  attempt.base = "base1";
  attempt.patch.changes = {full_change()};
  attempt.notes = {"left out: build/x.o"};
  attempt.started_ms = kLate;
  attempt.duration_ms = 1234;
  return attempt;
}

CommandRun full_command_run(const std::string& name) {
  CommandRun run;
  run.name = name;
  run.run = "make check";
  run.scoped = true;
  run.result = CommandResult::timed_out;
  run.exit_code = 124;
  run.runs = 3;
  run.passes = 2;
  run.spent = 4;
  run.wavers = true;
  run.output = odd_text();
  run.tests = {true, "pytest", 5, 1, 2, 1, {{"t::one", "passed"}, {"t::two", "failed"}}, true};
  run.duration_ms = 5'000'000'003;
  run.values.by_name = {{"limit", "10"}};
  return run;
}

Verification full_verification(const std::string& id, const std::string& session_id,
                               const std::string& issue_id) {
  Verification verification;
  verification.id = id;
  verification.session_id = session_id;
  verification.issue_id = issue_id;
  verification.kind = VerificationKind::without_patch;
  verification.base = "base1";
  verification.patch_sha256 = "cafe";
  verification.commands = {full_command_run("test"), full_command_run("lint")};
  verification.rescan = Rescan{{{"ruff", "1.2", "done", "all of it"}},
                               {"i1"},
                               {"i2"},
                               {{"ruff", "F401", "a.py", 3, Severity::low, "unused"}}};
  verification.reproducer_sha256 = "beef";
  verification.started_ms = kLate;
  verification.duration_ms = 99;
  verification.executed = ExecutedLines{{{"a.py", 3}}, {{"a.py", 4}}, {"b.c"}};
  verification.probes = {
      {"i1", "test", std::string(kValue), "tests/t.py", 7, "x == 1", "x == 40961", "n", {"t::two"}}};
  return verification;
}

Verdict full_verdict(const std::string& id, const Attempt& attempt) {
  Verdict verdict;
  verdict.id = id;
  verdict.session_id = attempt.session_id;
  verdict.issue_id = attempt.issue_id;
  verdict.attempt_id = attempt.id;
  verdict.patch_sha256 = "cafe";
  verdict.agent = "challenger";
  verdict.model = "model-2";
  verdict.family = "other";
  verdict.canary = "empty";
  verdict.independent = true;
  verdict.valid = true;
  verdict.problem = "none worth naming";
  verdict.score = 97;
  verdict.status_word = "SOLVED";
  verdict.feedback = odd_text();
  verdict.account = odd_text();
  verdict.answer = odd_text();
  verdict.quality_scores = {{"correctness", 98}, {"style", 90}};
  verdict.improvements_needed = {"a test"};
  verdict.started_ms = kLate;
  verdict.duration_ms = 77;
  return verdict;
}

AgentRunRecord full_agent_run(const std::string& id) {
  AgentRunRecord run;
  run.id = id;
  run.repository_id = "repo";
  run.session_id = "sess1";
  run.role = "fixer";
  run.agent = "first";
  run.model = "model-1";
  run.family = "vendor";
  run.issue_ids = {"i1", "i2"};
  run.state = {AgentStatus::rate_limited, odd_text(), 429, kLate, 1'500};
  run.usage = {5'000'000'000, 20, 3, 0.125, 2};
  run.conversation_usage = {6'000'000'000, 21, 4, 0.25, 3};
  run.conversation_id = "c-1";
  run.conversation_dir = "sessions/sess1/conversations/r1";
  run.started_ms = kLate;
  run.duration_ms = 12;
  return run;
}

Proof full_proof(const Verdict& verdict, const std::string& commit) {
  Proof proof;
  proof.issue_id = verdict.issue_id;
  proof.session_id = verdict.session_id;
  proof.attempt_id = verdict.attempt_id;
  proof.verdict_id = verdict.id;
  proof.base = "base1";
  proof.commit = commit;
  proof.branch = "fix/x";
  proof.patch_sha256 = "cafe";
  proof.evidence = "unbroken";
  proof.score = 97;
  proof.detail = {{"clauses", Json::array({"P1", "P2"})}, {"z", 1}, {"a", nullptr}};
  proof.created_ms = kLate;
  return proof;
}

CommitRecord full_commit(const std::string& sha, const std::string& session_id) {
  CommitRecord commit;
  commit.sha = sha;
  commit.parent = "p" + sha;
  commit.session_id = session_id;
  commit.issue_ids = {"i1"};
  commit.patch_sha256 = "cafe";
  commit.subject = odd_text();
  return commit;
}

Event full_event(const std::string& session_id, const std::string& type) {
  Event event;
  event.time_ms = kLate;
  event.session_id = session_id;
  event.type = type;
  event.issue_code = "BE-001";
  event.data = {{"text", odd_text()}, {"list", Json::array({1, 2.5, true, nullptr})}};
  return event;
}

} // namespace emend::testing_support
